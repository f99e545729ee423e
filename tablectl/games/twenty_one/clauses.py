"""What the chapters of the twenty-one games say alike, under the same letters: decks, opening, shuffle, irregularities.

A chapter's module names its number; its sections .12 (672a) and .13 (673a) about irregularities are word for word the
same but for the game's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tablectl.cards import DEALER
from tablectl.games.common import is_the_next_card, on_record, with_shuffler
from tablectl.games.twenty_one.play import DRAWN_IN_ERROR, DREW_PAST_17, MISSED_OWN, MISSED_PLAYER
from tablectl.hands.twenty_one import may_give_blackjack
from tablectl.procedure.game import (
    CutStyle,
    Dealing,
    DealingClauses,
    Irregularity,
    OpeningClauses,
    Remedy,
    Setup,
    ShuffleClauses,
)
from tablectl.procedure.hole_card import READER_FAULT, READER_MISUSED
from tablectl.procedure.instructions import Incident
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite

__all__ = [
    "PLACES",
    "check_adjacent",
    "check_seats",
    "dealing_clauses",
    "deck_clocks",
    "irregularities",
    "opening",
    "shuffling",
]

SEATS: Final = 6
PLACES: Final = ("dealer", "seat")
EMPTY: Final = "insufficient_cards"

_ANY: Final = tuple(Stage)
_UNTIL_SETTLED: Final = (Stage.OPEN, Stage.LOCKED, Stage.DEALING, Stage.DECIDING, Stage.REVEALED)
_OF_SHUFFLES: Final = (Stage.OPEN, Stage.DEALING)  # in the middle of a round when the shoe has run out


def opening(chapter: str) -> OpeningClauses:
    """x.2(d), x.3, x.4: two batches with a shuffler unless it is continuous, a card reader that is inspected daily."""
    return OpeningClauses(
        one_deck=cite(f"{chapter}.3(a)"),
        two_decks=cite(f"{chapter}.3(b)"),
        inspect=cite(f"{chapter}.4(a)"),
        verify=cite(f"{chapter}.4(a)"),
        spread=cite(f"{chapter}.4(b)"),
        wash=cite(f"{chapter}.4(c)"),
        apart=cite(f"{chapter}.4(d)"),
        preshuffled=cite(f"{chapter}.4(e)"),
        reader=cite(f"{chapter}.2(d)"),
        batches=True,
    )


def shuffling(chapter: str) -> ShuffleClauses:
    """x.5: shuffled after each shoe, always cut, and the cut is offered to the players."""
    return ShuffleClauses(
        shuffle=cite(f"{chapter}.5(a)"),
        cut=cite(f"{chapter}.5(d)"),
        style=CutStyle.OFFERED_SHOE,
        recut=cite(f"{chapter}.5(e)"),
        idle=cite(f"{chapter}.5(g)"),
        offers={
            "first_player": cite(f"{chapter}.5(c)(1)"),
            "cover_card": cite(f"{chapter}.5(c)(2)"),
            "cover_card_at_dealer": cite(f"{chapter}.5(c)(3)"),
            "from_the_right": cite(f"{chapter}.5(c)(4)"),
        },
        after_device=True,
        ordered=cite(f"{chapter}.5(f)"),
        reshuffling=cite(f"{chapter}.5(h)"),
        per_shoe=True,
        exchange=cite(f"{chapter}.5(g)(2)"),
    )


def dealing_clauses(chapter: str) -> Mapping[Dealing, DealingClauses]:
    """x.7(a), (e): from a shoe, card by card, and in no other way; x.7(d)(1): no card may be missing at its end."""
    return {
        Dealing.MANUAL_SHOE: DealingClauses(
            no_more_bets=cite(f"{chapter}.6(c)"),
            deal=cite(f"{chapter}.7(e)"),
            count=cite(f"{chapter}.7(d)(1)"),
            count_wrong=cite(f"{chapter}.7(d)(1)"),
        )
    }


def deck_clocks(chapter: str) -> Mapping[Dealing, tuple[int, Cite]]:
    """Decks are changed at least once every 24 hours (x.3(c))."""
    return {Dealing.MANUAL_SHOE: (24, cite(f"{chapter}.3(c)"))}


def check_seats(chapter: str) -> Callable[[Any, Setup], Iterator[Objection]]:
    """At most six betting positions (x.2(a)), cards from a shoe alone (x.7(a))."""

    def check(_rules: Any, setup: Setup) -> Iterator[Objection]:
        if not 1 <= setup.seats <= SEATS:
            message = f"{setup.seats} betting positions, at most {SEATS} may be"
            yield Objection("seats", message, cite(f"{chapter}.2(a)"))
        if setup.dealing is not Dealing.MANUAL_SHOE:
            yield Objection("dealing", "all cards are dealt from a dealing shoe", cite(f"{chapter}.7(a)"))

    return check


def check_adjacent(clause: str) -> Callable[[Any, Mapping[str, Sequence[int]]], Iterator[Objection]]:
    """One player may play so many adjacent boxes as are filed (672a.6(f), 673a.6(e))."""

    def check(rules: Any, players: Mapping[str, Sequence[int]]) -> Iterator[Objection]:
        for player, seats in players.items():
            most = rules.adjacent_positions
            if len(seats) > most:
                message = f"{player} plays {len(seats)} boxes, adjacent_positions is {most}"
                yield Objection("players", message, cite(clause))
            elif seats and max(seats) - min(seats) + 1 != len(seats):
                yield Objection("players", f"the boxes of {player} are not adjacent", cite(clause))

    return check


# Irregularities -----------------------------------------------------------------------------------------------------


def _exposed(incident: Incident, _table: Table) -> bool:
    return incident.exposed


def _exposed_as_it_is_due(incident: Incident, table: Table) -> bool:
    """x.12(c): after everybody's first two cards it is dealt to whoever is due one."""
    return incident.exposed and not _deals_first_cards(incident, table)


def _shuffles(incident: Incident, table: Table) -> bool:
    """x.12(k), (l): a shuffler is used, in a round that is dealt only after the shoe has run out.

    Then the discards are shuffled by hand where the device has failed; it is covered before the next round.
    """
    ran_out = any(noticed.kind == EMPTY for noticed in table.noticed)
    return with_shuffler(incident, table) and (table.stage is Stage.OPEN or ran_out)


def _needless(_incident: Incident, table: Table) -> bool:
    """x.12(i): the hole card lies there, and the card turned up rules a Blackjack out."""
    own = table.hands.get(DEALER, [])
    return len(own) > 1 and own[0].card is not None and not may_give_blackjack(own[0].card)


def _deals_first_cards(_incident: Incident, table: Table) -> bool:
    """Whether the dealer still deals the first two cards."""
    return len(table.hands.get(DEALER, ())) < 2


def irregularities(chapter: str, section: int) -> tuple[Irregularity, ...]:
    """The irregularities of that chapter, in the section of that number, and what every chapter knows."""

    def clause(letter: str) -> Cite:
        return cite(f"{chapter}.{section}({letter})")

    return (
        Irregularity("card_face_up", Remedy.DISCARD, clause("a"), _OF_SHUFFLES),
        Irregularity(DRAWN_IN_ERROR, Remedy.RESUME, clause("b"), _UNTIL_SETTLED, holds=is_the_next_card),
        Irregularity(DRAWN_IN_ERROR, Remedy.BY_THE_GAME, clause("c"), (Stage.DECIDING, Stage.REVEALED), holds=_exposed),
        Irregularity(DRAWN_IN_ERROR, Remedy.RESUME, clause("c"), (Stage.DEALING,), holds=_exposed_as_it_is_due),
        Irregularity(DREW_PAST_17, Remedy.BY_THE_GAME, clause("d"), (Stage.REVEALED,), named=("card_discarded",)),
        Irregularity(
            MISSED_OWN,
            Remedy.BY_THE_GAME,
            clause("e"),
            (Stage.DEALING,),
            holds=_deals_first_cards,
            named=("round_resumed",),
        ),
        Irregularity(EMPTY, Remedy.RESHUFFLE_DISCARDS, clause("f"), (Stage.DEALING,)),
        Irregularity(MISSED_PLAYER, Remedy.BY_THE_GAME, clause("g"), (Stage.DEALING,), holds=_deals_first_cards),
        Irregularity(MISSED_PLAYER, Remedy.BY_THE_GAME, clause("h"), (Stage.DEALING, Stage.DECIDING)),
        Irregularity(
            READER_MISUSED,
            Remedy.RESUME,
            clause("i"),
            (Stage.DEALING, Stage.DECIDING),
            holds=_needless,
            floor=True,
        ),
        Irregularity(READER_FAULT, Remedy.SUSPEND, clause("j"), _ANY),
        *(
            Irregularity(kind, Remedy.RESHUFFLE, clause("k"), _OF_SHUFFLES, holds=_shuffles)
            for kind in ("shuffler_jam", "shuffle_incomplete")
        ),
        Irregularity("shuffler_out_of_service", Remedy.COVER_DEVICE, clause("l"), (Stage.OPEN,), holds=_shuffles),
        Irregularity("cover_card", Remedy.COVER_CARD, cite(f"{chapter}.7(d)"), _OF_SHUFFLES),
        *on_record(chapter, left="6(c)", locked="6(c)", stakes="6(c)"),
    )
