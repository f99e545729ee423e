"""What a game declares of itself, and how a table is set up: the data that shared procedures work on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any

from tablectl.money import Money
from tablectl.procedure.instructions import Incident, Stake
from tablectl.procedure.stages import Stage, Transitions
from tablectl.rules import Cite, Objection, Submission

if TYPE_CHECKING:
    from tablectl.procedure.table import Table

__all__ = [
    "CutStyle",
    "Dealing",
    "DealingClauses",
    "Game",
    "Irregularity",
    "OpeningClauses",
    "Remedy",
    "Setup",
    "ShuffleClauses",
    "Shuffler",
]


class Dealing(StrEnum):
    """How cards leave the deck."""

    MANUAL_SHOE = "manual_shoe"
    FROM_HAND = "from_hand"
    AUTOMATED_SHOE = "automated_shoe"


class Shuffler(StrEnum):
    """What shuffles the cards."""

    NONE = "none"
    PLAIN = "plain"
    COUNTING = "counting"
    IDENTIFYING = "identifying"

    @property
    def counts(self) -> bool:
        """Whether it counts the cards after each shuffle, which spares the stub count."""
        return self in (Shuffler.COUNTING, Shuffler.IDENTIFYING)


@dataclass(frozen=True, slots=True)
class Setup:
    """How one table is set up, apart from the filed rules: seats, posted limits, equipment, decks.

    `decks` (or batches) are at the table at once, one or two that alternate; `backs` are the colours that they have.
    """

    dealing: Dealing
    shuffler: Shuffler
    seats: int
    minimum: Money | None = None
    maximum: Money | None = None
    decks: int = 1
    backs: tuple[str, ...] = ("red", "blue")


class Remedy(Enum):
    """What is done about an irregularity."""

    RECORD = "record"
    RESUME = "resume"
    DISCARD = "discard"
    RESHUFFLE = "reshuffle"
    REMOVE_DEVICE = "remove_device"
    FORFEIT = "forfeit"
    VOID = "void"

    @property
    def remedies(self) -> tuple[str, ...]:
        """The remedies as outcomes name them."""
        return _REMEDY_IDS[self]


_REMEDY_IDS: Mapping[Remedy, tuple[str, ...]] = {
    Remedy.RECORD: (),
    Remedy.RESUME: ("round_resumed",),
    Remedy.DISCARD: ("card_discarded",),
    Remedy.RESHUFFLE: ("cards_reshuffled",),
    Remedy.REMOVE_DEVICE: ("device_removed",),
    Remedy.FORFEIT: (),
    Remedy.VOID: ("wagers_returned", "cards_reshuffled"),
}


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One irregularity of a chapter: in that window, at those kinds of position, this is the remedy by that clause.

    An empty `positions` fits all. `holds` narrows it further (unexposed, with an automated shoe only …).
    """

    kind: str
    remedy: Remedy
    cite: Cite | None
    window: tuple[Stage, ...]
    positions: tuple[str, ...] = ()
    holds: Callable[[Incident, Table], bool] = field(default=lambda _incident, _table: True)

    def applies(self, incident: Incident, table: Table) -> bool:
        """Whether the clause speaks of this incident as it was noticed."""
        where = incident.position.kind if incident.position is not None else ""
        return (
            incident.kind == self.kind
            and table.stage in self.window
            and (not self.positions or where in self.positions)
            and self.holds(incident, table)
        )


class CutStyle(Enum):
    """How a deck is cut: by whom, how deep, with which cover cards."""

    ONE_HAND = "one_hand"  # 563, 565: the dealer takes ten or more off the top, onto the cover card
    COVER_CARD = "cover_card"  # 655a, 657a, 671a, 674a, 676a: the dealer puts the cover card ten or more from the top
    OFFERED = "offered"  # 561, 670a: offered; two cover cards, ten or more from either end
    OFFERED_SHOE = "offered_shoe"  # 672a, 673a: offered; then the cover card a quarter or more up from the bottom

    @property
    def offered(self) -> bool:
        """Whether the players may cut."""
        return self in (CutStyle.OFFERED, CutStyle.OFFERED_SHOE)


@dataclass(frozen=True, slots=True)
class OpeningClauses:
    """The clauses of x.3 and x.4 about decks and the opening of the table.

    `second_joker` and `preshuffled` are None where the chapter has no such clause; `idle` is that of a table without
    players.
    """

    one_deck: Cite
    two_decks: Cite
    inspect: Cite
    verify: Cite
    spread: Cite
    wash: Cite
    apart: Cite
    second_joker: Cite | None = None
    preshuffled: Cite | None = None


@dataclass(frozen=True, slots=True)
class ShuffleClauses:
    """The clauses of x.5: who shuffles, who cuts and how, what happens at an idle table.

    `offers` names the clauses of the order of the offer: ``first_player``, ``cover_card``, ``cover_card_at_dealer``,
    ``from_the_right``. `after_device`: what a device has shuffled is cut, too. `reshuffling` is the clause of an
    approved device that reshuffles and counts: with it there is no cut, no recut and no idle rule.
    """

    shuffle: Cite
    cut: Cite
    style: CutStyle
    recut: Cite
    idle: Cite
    offers: Mapping[str, Cite] = field(default_factory=dict)
    after_device: bool = False
    ordered: Cite | None = None
    reshuffling: Cite | None = None

    def needs_cut(self, *, by_device: bool) -> bool:
        """Whether cards that were shuffled so, or came preshuffled, are cut."""
        return self.after_device or not by_device


@dataclass(frozen=True, slots=True)
class DealingClauses:
    """The clauses of one dealing method: announcement, deal, stub, and the three of its count."""

    no_more_bets: Cite
    deal: Cite
    stub: Cite
    count: Cite
    count_right: Cite
    count_wrong: Cite


@dataclass(frozen=True, slots=True)
class Game:
    """One chapter: its data, its round of play, and the checks that need both rules and wagers.

    `wagers` is every wager and row in the order of the list that outcomes follow, `opening` those placed before "no
    more bets". `irregularities` are looked through in order; a kind that is in none is unknown to the chapter.
    `must_name_position` are kinds that mean nothing without one.
    """

    id: str
    chapter: str
    title: str
    seats: int
    seats_cite: Cite
    hand: int
    deck: int
    wagers: tuple[str, ...]
    opening: tuple[str, ...]
    opening_cite: Cite
    submission: type[Submission]
    transitions: Transitions
    dealing: Mapping[Dealing, DealingClauses]
    deck_clocks: Mapping[Dealing, tuple[int, Cite]]
    opening_clauses: OpeningClauses
    shuffle_clauses: ShuffleClauses
    wrong_shuffler_count: Cite
    irregularities: tuple[Irregularity, ...]
    round_of_play: Callable[[Table], Coroutine[Any, Any, None]]
    check_setup: Callable[[Any, Setup], Iterable[Objection]]
    check_wagers: Callable[[Any, Setup, Sequence[Stake]], Iterable[tuple[int, Objection]]]
    check_players: Callable[[Any, Mapping[str, Sequence[int]]], Iterable[Objection]]
    must_name_position: tuple[str, ...] = ("card_exposed", "wrong_card_count", "player_left")

    def knows(self, kind: str) -> bool:
        """Whether the chapter knows an irregularity of that kind."""
        return any(rule.kind == kind for rule in self.irregularities)
