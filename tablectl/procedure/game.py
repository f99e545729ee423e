"""What a game declares of itself, and how a table is set up: the data that shared procedures work on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any

from tablectl.cards import COMMUNITY, DEALER, Card, Position, position, seat
from tablectl.money import Money
from tablectl.procedure.instructions import Incident, Stake
from tablectl.procedure.stages import Stage, Transitions
from tablectl.procedure.systems import WagerSystem
from tablectl.rules import Cite, Objection, Submission

if TYPE_CHECKING:
    from tablectl.procedure.table import Table

__all__ = [
    "CutStyle",
    "Dealing",
    "DealingClauses",
    "DiceClauses",
    "Game",
    "Irregularity",
    "OpeningClauses",
    "PayoutLimit",
    "Remedy",
    "SAID_OF",
    "Setup",
    "ShuffleClauses",
    "Shuffler",
]


class Dealing(StrEnum):
    """How cards leave the deck."""

    MANUAL_SHOE = "manual_shoe"
    FROM_HAND = "from_hand"
    AUTOMATED_SHOE = "automated_shoe"
    NONE = "none"  # no card is dealt: a game of dice


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
    `continuous`: what shuffles is an approved device that takes the cards back, reshuffles and counts them by itself.
    `floor_called_for` are kinds of irregularities for which the filing wants a floorperson called. A deck that has to
    be changed is warned of `warn_minutes` ahead.
    """

    dealing: Dealing
    shuffler: Shuffler
    seats: int
    minimum: Money | None = None
    maximum: Money | None = None
    decks: int = 1
    backs: tuple[str, ...] = ("red", "blue")
    continuous: bool = False
    floor_called_for: tuple[str, ...] = ()
    warn_minutes: int = 15


class Remedy(Enum):
    """What is done about an irregularity.

    The first ones are local: play goes on. `HAND_OPTION` asks the player of that hand, `FORFEIT` takes all wagers of
    one seat. `VOID` and `REPLACE_DECK` end the round, `SUSPEND` the play at the table.
    """

    RECORD = "record"
    RESUME = "resume"
    DISCARD = "discard"
    REPLACE_CARD = "replace_card"  # the card is out of the round, and the next one takes its place
    RESHUFFLE = "reshuffle"
    RESHUFFLE_DISCARDS = "reshuffle_discards"  # nothing is left to draw from: the discards are shuffled
    RETHROW = "rethrow"
    RESET_HAND = "reset_hand"
    REMOVE_DEVICE = "remove_device"
    COVER_DEVICE = "cover_device"
    COVER_CARD = "cover_card"
    HAND_OPTION = "hand_option"
    BY_THE_GAME = "by_the_game"  # the round of play itself does what the clause says: it is in `Table.for_the_game`
    FORFEIT = "forfeit"
    VOID = "void"
    REPLACE_DECK = "replace_deck"
    SUSPEND = "suspend"

    @property
    def remedies(self) -> tuple[str, ...]:
        """The remedies as outcomes name them."""
        return _REMEDY_IDS[self]


_REMEDY_IDS: Mapping[Remedy, tuple[str, ...]] = {
    Remedy.RECORD: (),
    Remedy.RESUME: ("round_resumed",),
    Remedy.DISCARD: ("card_discarded",),
    Remedy.REPLACE_CARD: ("card_replaced",),
    Remedy.RESHUFFLE: ("cards_reshuffled",),
    Remedy.RESHUFFLE_DISCARDS: ("cards_reshuffled",),
    Remedy.RETHROW: ("rethrown",),
    Remedy.RESET_HAND: ("hand_reset",),
    Remedy.REMOVE_DEVICE: ("device_removed",),
    Remedy.COVER_DEVICE: ("device_covered",),
    Remedy.COVER_CARD: (),
    Remedy.HAND_OPTION: (),
    Remedy.BY_THE_GAME: (),
    Remedy.FORFEIT: (),
    Remedy.VOID: ("wagers_returned", "cards_reshuffled"),
    Remedy.REPLACE_DECK: ("wagers_returned", "deck_replaced"),
    Remedy.SUSPEND: ("floor_called",),
}

MUST_NAME_POSITION = (
    "card_exposed",
    "wrong_card_count",
    "player_left",
    "first_card_wrong_position",
    "collusion",
    "wrong_start",
    "player_not_dealt",
    "ineligible_player_dealt",
    "fouled_hand",
)
"""Kinds of irregularities that mean nothing without a position, in whichever chapter knows them."""

SAID_OF: Mapping[str, tuple[str, ...]] = {
    "card_face_up": (),
    "drawn_in_error": ("exposed",),
    "deck_count": ("count",),
    "progressive_count_mismatch": ("count",),
    "shuffler_out_of_service": ("then",),
    "shoe_out_of_service": ("then",),
    "dealer_missed_own_card": ("which",),
    "die_cocked": ("sides",),
    "dice_total_wrong": ("total",),
    "fouled_hand": ("protected", "reconstructed", "blameless"),
}
"""What has to be said of an irregularity of that kind, besides its position: fields of `Incident`, in that order."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One irregularity of a chapter: in that window, at those kinds of position, this is the remedy by that clause.

    An empty `positions` fits all. `holds` narrows it further (unexposed, with an automated shoe only …). `once`: for
    the first of a round only; a further one falls to the next rule that fits, and where there is none it is recorded.
    `named` are the remedies as outcomes name them, where they are not those of the remedy. `settles` are wagers that a
    void does not give back: they are settled all the same (563.13(a), (b)). `stands`: what the round of play has put
    into `Table.standing` stays as it was settled (671a.13(d)). `floor`: a floorperson is called first.
    """

    kind: str
    remedy: Remedy
    cite: Cite | None
    window: tuple[Stage, ...]
    positions: tuple[str, ...] = ()
    holds: Callable[[Incident, Table], bool] = field(default=lambda _incident, _table: True)
    once: bool = False
    named: tuple[str, ...] | None = None
    settles: tuple[str, ...] = ()
    stands: bool = False
    floor: bool = False

    @property
    def remedies(self) -> tuple[str, ...]:
        """The remedies as outcomes name them."""
        return self.remedy.remedies if self.named is None else self.named

    def applies(self, incident: Incident, table: Table) -> bool:
        """Whether the clause speaks of this incident as it was noticed."""
        where = incident.position.kind if incident.position is not None else ""
        return (
            incident.kind == self.kind
            and table.stage in self.window
            and (not self.positions or where in self.positions)
            and not (self.once and self in table.applied)
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

    `second_joker`, `preshuffled` (such decks skip the whole of x.4) and `reader` (a card reader is inspected at the
    beginning of each gaming day) are None where the chapter has no such clause. `batches`: with a shuffler, other than
    a continuous one, there have to be two batches; in the other chapters there may be two decks.
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
    reader: Cite | None = None
    batches: bool = False


@dataclass(frozen=True, slots=True)
class ShuffleClauses:
    """The clauses of x.5: who shuffles, who cuts and how, what happens at an idle table.

    `offers` names the clauses of the order of the offer: ``first_player``, ``cover_card``, ``cover_card_at_dealer``,
    ``from_the_right``. `after_device`: what a device has shuffled is cut, too. `ordered` is the clause by which a
    floorperson may have the cards shuffled. `reshuffling` is that of an approved device that reshuffles and counts:
    with it there is no cut, no recut and no idle rule. `per_shoe`: shuffled after each shoe, not after each round.
    `turned_up`: at an idle table the cards lie face up or down, and are turned up when a player arrives; else they lie
    face down unless a player asks. `exchange`: after that the cards go into the shuffler, and those in it are played.
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
    per_shoe: bool = False
    turned_up: bool = False
    exchange: Cite | None = None

    def needs_cut(self, *, by_device: bool) -> bool:
        """Whether cards that were shuffled so, or came preshuffled, are cut."""
        return self.after_device or not by_device


@dataclass(frozen=True, slots=True)
class DiceClauses:
    """The clauses of a game of dice about the dice and their shaker (675a.3).

    `number` says of the filed rules how many dice the game is played with. A set of them is received and inspected
    (`inspect`), and lies in a shaker that has to be `present` and is in the `custody` of the dealer.
    """

    number: Callable[[Any], int]
    inspect: Cite
    present: Cite
    custody: Cite


@dataclass(frozen=True, slots=True)
class DealingClauses:
    """The clauses of one dealing method: announcement, deal, stub, and the three of its count.

    Those of the deal and the stub are None where the chapter has none. `misdealt` are the remedies of a count that
    shows a wrong number because cards were misdealt: where the clause itself orders it, they are reshuffled, too
    (561.9(f)).
    """

    no_more_bets: Cite
    deal: Cite | None = None
    stub: Cite | None = None
    count: Cite | None = None
    count_right: Cite | None = None
    count_wrong: Cite | None = None
    misdealt: tuple[str, ...] = ("wagers_returned",)


@dataclass(frozen=True, slots=True)
class PayoutLimit:
    """The most that one player's winning wagers of these kinds are paid in a round (563.12(e), 655a.12(b) …).

    `most` follows from the filed rules and the posted limits; it is None where none is filed.
    """

    wagers: tuple[str, ...]
    most: Callable[[Any, Setup], Money | None]


@dataclass(frozen=True, slots=True)
class Game:
    """One chapter: its data, its round of play, and the checks that need both rules and wagers.

    `wagers` is every wager and row in the order of the list that outcomes follow, `opening` those placed before "no
    more bets". `irregularities` are looked through in order; a kind that is in none is unknown to the chapter.
    `barring` gives the clause by which, where it is filed, players who do not wager may not before the next shuffle.
    `must_name_position` are kinds that mean nothing without one, `places` the kinds of positions that an irregularity
    can be at. `settle_in_void` settles what a void leaves to be settled of one seat. `burn` is the clause by which the
    first card of a full batch, and one by each new dealer, is burned. `payout_limit` cuts what is paid. `declares` is
    what a player who sees these cards declares them to be, None for nothing; `most_times` how many times the amount of
    a wager he may make then, None for as many as are offered. At a table nobody knows that before they are turned up.
    `dice` are the clauses of a game that is played with dice: it has no deck, and a set of dice takes its place at the
    table. The clauses of decks are None in it, and its only way of dealing is `Dealing.NONE`. `deck_by` says how many
    cards it is played with by what is filed, where that is not always the same number; see `as_filed`. `pots`: players
    play against each other for what they put in, and have stacks instead of wagers.
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
    opening_clauses: OpeningClauses | None
    shuffle_clauses: ShuffleClauses | None
    wrong_shuffler_count: Cite | None
    irregularities: tuple[Irregularity, ...]
    round_of_play: Callable[[Table], Coroutine[Any, Any, None]]
    check_setup: Callable[[Any, Setup], Iterable[Objection]]
    check_wagers: Callable[[Any, Setup, Sequence[Stake]], Iterable[tuple[int, Objection]]]
    check_players: Callable[[Any, Mapping[str, Sequence[int]]], Iterable[Objection]]
    barring: Callable[[Any], Cite | None] = lambda _rules: None
    must_name_position: tuple[str, ...] = MUST_NAME_POSITION
    places: tuple[str, ...] = ("dealer", "seat")
    settle_in_void: Callable[[Table, int], Coroutine[Any, Any, None]] | None = None
    burn: Cite | None = None
    systems: tuple[WagerSystem, ...] = ()
    payout_limit: PayoutLimit | None = None
    declares: Callable[[Sequence[Card]], str | None] = lambda _cards: None
    most_times: Callable[[Sequence[Card]], int | None] = lambda _cards: None
    dice: DiceClauses | None = None
    deck_by: Callable[[Any], int] | None = None
    pots: bool = False

    def as_filed(self, submission: Submission) -> Game:
        """The game as it is played by that submission: with so many cards."""
        return self if self.deck_by is None else replace(self, deck=self.deck_by(submission))

    @property
    def opening_of_decks(self) -> OpeningClauses:
        """The clauses about decks and the opening of the table; only a game of cards has them."""
        assert self.opening_clauses is not None, f"{self.id} is played without cards"
        return self.opening_clauses

    @property
    def shuffling(self) -> ShuffleClauses:
        """The clauses about the shuffle; only a game of cards has them."""
        assert self.shuffle_clauses is not None, f"{self.id} is played without cards"
        return self.shuffle_clauses

    @property
    def played_with(self) -> Cite:
        """The clause that says what the game is played with: a deck, or dice."""
        return self.opening_of_decks.one_deck if self.dice is None else self.dice.inspect

    @property
    def usual_dealing(self) -> Dealing:
        """How is dealt where nothing is said: from a manual shoe, if the chapter knows that."""
        return Dealing.MANUAL_SHOE if Dealing.MANUAL_SHOE in self.dealing else next(iter(self.dealing))

    def objections(self, rules: Any, setup: Setup) -> Iterator[Objection]:
        """What the chapter forbids in a table's set-up."""
        own = list(self.check_setup(rules, setup))
        yield from own
        if setup.dealing not in self.dealing and not any(each.key == "dealing" for each in own):
            known = ", ".join(self.dealing)
            yield Objection("dealing", f"{self.title} is not dealt by {setup.dealing}: {known}", self.played_with)

    def positions(self, seats: int) -> tuple[Position, ...]:
        """Where an irregularity can be at a table with so many seats: what its panel has keys for."""
        return (
            *((DEALER,) if "dealer" in self.places else ()),
            *(seat(number) for number in range(1, seats + 1)),
            *((COMMUNITY,) if "community" in self.places else ()),
            *((position(f"stack {n}") for n in range(1, seats + 2)) if "stack" in self.places else ()),
        )

    def knows(self, kind: str) -> bool:
        """Whether the chapter knows an irregularity of that kind."""
        return any(rule.kind == kind for rule in self.irregularities)
