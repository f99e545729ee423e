"""What the chapters of the one-deck games say alike, under the same letters: from their decks to their irregularities.

A chapter's module names its own number, and reads off here where in it each clause stands. Its own irregularities go
between those that all have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tablectl.equipment import Kind
from tablectl.money import Money, show
from tablectl.procedure.dealing import hand_needs_shuffler
from tablectl.procedure.game import (
    CutStyle,
    Dealing,
    DealingClauses,
    Irregularity,
    OpeningClauses,
    Remedy,
    Setup,
    ShuffleClauses,
    Shuffler,
)
from tablectl.procedure.instructions import Incident, Stake
from tablectl.procedure.stages import Stage
from tablectl.procedure.systems import AwardClauses, WagerSystem
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite

__all__ = [
    "ANY",
    "BETTING_CLOSED",
    "IN_PLAY",
    "check_limits",
    "check_one_position",
    "check_setup",
    "dealing_clauses",
    "deck_clocks",
    "equipment",
    "face_up",
    "is_the_next_card",
    "irregularities",
    "on_record",
    "opening",
    "opening_of_2010",
    "progressive_system",
    "shuffling",
    "shuffling_of_2010",
    "stub_clauses",
    "with_automated_shoe",
    "with_shuffler",
]

IN_PLAY: Final = (Stage.DEALING, Stage.DECIDING, Stage.REVEALED, Stage.SETTLING)
BETTING_CLOSED: Final = (Stage.LOCKED, *IN_PLAY)
ANY: Final = tuple(Stage)

_UP_TO_THE_DEAL: Final = (Stage.OPEN, Stage.LOCKED)
_ROOM: Final = 32


# Decks, opening, shuffle, deal --------------------------------------------------------------------------------------


def opening(chapter: str) -> OpeningClauses:
    """x.3 and x.4 as the chapters since 2012 have them: a preinspected, preshuffled deck skips the opening (x.4(e))."""
    return OpeningClauses(
        one_deck=cite(f"{chapter}.3(a)"),
        two_decks=cite(f"{chapter}.3(b)"),
        inspect=cite(f"{chapter}.4(a)"),
        verify=cite(f"{chapter}.4(a)"),
        spread=cite(f"{chapter}.4(b)"),
        wash=cite(f"{chapter}.4(c)"),
        apart=cite(f"{chapter}.4(d)"),
        preshuffled=cite(f"{chapter}.4(e)"),
    )


def opening_of_2010(chapter: str) -> OpeningClauses:
    """x.3 and x.4 as 563 and 565 have them: verified when all is ready to be spread, and no deck skips it."""
    return OpeningClauses(
        one_deck=cite(f"{chapter}.3(a)"),
        two_decks=cite(f"{chapter}.3(b)"),
        inspect=cite(f"{chapter}.4(a)"),
        verify=cite(f"{chapter}.4(b)"),
        spread=cite(f"{chapter}.4(b)"),
        wash=cite(f"{chapter}.4(c)"),
        apart=cite(f"{chapter}.4(d)"),
    )


def shuffling(chapter: str) -> ShuffleClauses:
    """x.5 as the one-deck chapters since 2012 have it: cut by the dealer, reshuffled when a floorperson says so."""
    return ShuffleClauses(
        shuffle=cite(f"{chapter}.5(a)"),
        cut=cite(f"{chapter}.5(d)"),
        style=CutStyle.COVER_CARD,
        recut=cite(f"{chapter}.5(e)"),
        idle=cite(f"{chapter}.5(f)"),
        ordered=cite(f"{chapter}.5(a)"),
        reshuffling=cite(f"{chapter}.5(g)"),
    )


def shuffling_of_2010(chapter: str) -> ShuffleClauses:
    """x.5 as 563 and 565 have it: the dealer cuts with one hand, an idle table's cards are turned up."""
    return ShuffleClauses(
        shuffle=cite(f"{chapter}.5(a)"),
        cut=cite(f"{chapter}.5(d)"),
        style=CutStyle.ONE_HAND,
        recut=cite(f"{chapter}.5(e)"),
        idle=cite(f"{chapter}.5(f)"),
        turned_up=True,
    )


def deck_clocks(chapter: str) -> Mapping[Dealing, tuple[int, Cite]]:
    """A deck is changed after 4 hours of dealing from the hand, after 8 of dealing from a shoe (x.3(c))."""
    return {
        Dealing.MANUAL_SHOE: (8, cite(f"{chapter}.3(c)(2)")),
        Dealing.FROM_HAND: (4, cite(f"{chapter}.3(c)(1)")),
        Dealing.AUTOMATED_SHOE: (8, cite(f"{chapter}.3(c)(2)")),
    }


def stub_clauses(chapter: str) -> Mapping[Dealing, DealingClauses]:
    """x.8, x.9 and x.10 of the chapters that count the stub: announcement, deal, stub, and its count."""
    return {
        Dealing.MANUAL_SHOE: dealing_clauses(chapter, "8(b)", "8(d)", "8(e)", "8(f)", "8(g)", "8(h)"),
        Dealing.FROM_HAND: dealing_clauses(chapter, "9(a)(3)", "9(b)", "9(c)", "9(d)", "9(e)", "9(f)"),
        Dealing.AUTOMATED_SHOE: dealing_clauses(chapter, "10(a)(2)", "10(b)", "10(c)", "10(d)", "10(e)", "10(f)"),
    }


def dealing_clauses(chapter: str, *letters: str) -> DealingClauses:
    """The clauses of one dealing method: announcement, deal, stub, count, a right count, a wrong one."""
    announced, dealt, stub, count, right, wrong = (cite(f"{chapter}.{letter}") for letter in letters)
    return DealingClauses(announced, dealt, stub, count, right, wrong)


# What is forbidden --------------------------------------------------------------------------------------------------


def check_setup(chapter: str, seats: int, clause: str, least: int = 1) -> Callable[[Any, Setup], Iterator[Objection]]:
    """At most so many betting positions, or `least`; from the hand with an automated shuffler only (x.9(a)(1))."""

    def check(_rules: Any, setup: Setup) -> Iterator[Objection]:
        if not least <= setup.seats <= seats:
            may = f"at most {seats} may be" if least == 1 else f"{seats} have to be"
            yield Objection("seats", f"{setup.seats} betting positions, {may}", cite(clause))
        yield from hand_needs_shuffler(setup, cite(f"{chapter}.9(a)(1)"))

    return check


def check_one_position(clause: str) -> Callable[[Any, Mapping[str, Sequence[int]]], Iterator[Objection]]:
    """A player may not wager on more than one position (x.7(e) and its kin)."""

    def check(_rules: Any, players: Mapping[str, Sequence[int]]) -> Iterator[Objection]:
        for player, seats in players.items():
            if len(seats) > 1:
                message = f"{player} plays {len(seats)} positions, a player may wager on one only"
                yield Objection("players", message, cite(clause))

    return check


def progressive_system(chapter: str, wager: str, awards: Sequence[str]) -> WagerSystem:
    """A progressive wager (x.7(d)(3)), locked out at "no more bets"; a share of the meter may come from the tray.

    `awards`: the paragraphs by which hand, light and floorperson verify an award, and it is paid.
    """
    hand, light, validate, pay = (cite(f"{chapter}.{paragraph}") for paragraph in awards)
    return WagerSystem(
        kind=Kind.PROGRESSIVE,
        wager=wager,
        offered=lambda rules: rules.progressive is not None,
        cite=cite(f"{chapter}.7(d)(3)"),
        lock_out={method: clauses.no_more_bets for method, clauses in stub_clauses(chapter).items()},
        unit=lambda rules, _seat, _stakes: rules.progressive.unit,
        progressive=lambda rules: rules.progressive,
        award=AwardClauses(hand=hand, light=light, validate=validate, pay=pay, by_hand="whole"),
    )


def check_limits(
    setup: Setup, stakes: Sequence[Stake], clause: Cite, wagers: Sequence[str]
) -> Iterator[tuple[int, Objection]]:
    """Wagers of these kinds that are outside the posted limits; of unknown amounts nothing can be said."""
    least, most = setup.minimum, setup.maximum
    for stake in stakes:
        if stake.wager not in wagers or (amount := stake.amount) is None:
            continue
        if (least is None or amount >= least) and (most is None or amount <= most):
            continue
        message = _outside(setup, stake.wager, amount)
        if message is not None:
            yield stake.seat, Objection(stake.wager, message, clause)


def _outside(setup: Setup, wager: str, amount: Money) -> str | None:
    if setup.minimum is not None and amount < setup.minimum:
        return _short(f"{wager} below", "minimum", show(setup.minimum))
    if setup.maximum is not None and amount > setup.maximum:
        return _short(f"{wager} above", "maximum", show(setup.maximum))
    return None


def _short(begins: str, middle: str, ends: str) -> str:
    """The three parts, without the middle one where they do not fit the panel's line behind a seat."""
    whole = f"{begins} {middle} {ends}"
    return whole if len(whole) <= _ROOM else f"{begins} {ends}"


# Irregularities -----------------------------------------------------------------------------------------------------


def is_the_next_card(incident: Incident, table: Table) -> bool:
    """x.13(b) is about a card whose face was not seen, from when the cards are ready to when the last one is dealt."""
    comes = table.stage in (*_UP_TO_THE_DEAL, Stage.DEALING) or Stage.DEALING in table.game.transitions[table.stage]
    return table.ready and not incident.exposed and comes


def with_shuffler(_incident: Incident, table: Table) -> bool:
    """x.13(e), (g) are about a shuffling device that is in use."""
    return table.shuffler is not Shuffler.NONE


def with_automated_shoe(_incident: Incident, table: Table) -> bool:
    """x.13(f), (g) are about an automated dealing shoe that is in use."""
    return table.dealing is Dealing.AUTOMATED_SHOE


def irregularities(
    chapter: str,
    *own: Irregularity,
    counted: Sequence[str],
    left: str,
    locked: str,
    stakes: str,
    dispenses: Callable[[Incident, Table], bool] = with_automated_shoe,
) -> tuple[Irregularity, ...]:
    """The irregularities of a one-deck chapter since 2012: x.13(a)-(c), its own (x.13(d)), x.13(e)-(g), and the rest.

    `counted` are the kinds of places that may have a wrong number of cards. `left`, `locked` and `stakes` are the
    sections that speak of a player who leaves, of wagers after the betting is closed, and of what a wager has to be.
    `dispenses` is as in `equipment`.
    """
    return (
        *face_up(cite(f"{chapter}.13(a)")),
        Irregularity(
            "drawn_in_error",
            Remedy.RESUME,
            cite(f"{chapter}.13(b)"),
            (*_UP_TO_THE_DEAL, Stage.DEALING, Stage.DECIDING),
            holds=is_the_next_card,
        ),
        Irregularity("wrong_card_count", Remedy.VOID, cite(f"{chapter}.13(c)"), IN_PLAY, tuple(counted)),
        *own,
        *equipment(chapter, Remedy.COVER_DEVICE, dispenses),
        *on_record(chapter, left=left, locked=locked, stakes=stakes),
    )


def face_up(clause: Cite) -> tuple[Irregularity, ...]:
    """One card that is found face up in the deal is out of the game, a second one voids the round."""
    return (
        Irregularity("card_face_up", Remedy.DISCARD, clause, (Stage.DEALING,), once=True),
        Irregularity("card_face_up", Remedy.VOID, clause, (Stage.DEALING,)),
    )


def equipment(
    chapter: str,
    remedy: Remedy,
    dispenses: Callable[[Incident, Table], bool] = with_automated_shoe,
    *,
    section: str = "13",
    letters: str = "efg",
) -> tuple[Irregularity, ...]:
    """Shuffler and automated dealing shoe, x.13(e)-(g); `remedy` is done to one that is out of service.

    `dispenses`: whether an automated shoe is in use, which matters when it jams. `section` and `letters` are where the
    chapter has the three clauses, if not there.
    """
    stopped, jammed, gone = (cite(f"{chapter}.{section}({letter})") for letter in letters)
    return (
        *(
            Irregularity(kind, Remedy.RESHUFFLE, stopped, (Stage.OPEN,), holds=with_shuffler)
            for kind in ("shuffler_jam", "shuffle_incomplete")
        ),
        Irregularity("shoe_jam", Remedy.VOID, jammed, (Stage.DEALING,), holds=dispenses),
        Irregularity("shuffler_out_of_service", remedy, gone, (Stage.OPEN,), holds=with_shuffler),
        Irregularity("shoe_out_of_service", remedy, gone, (Stage.OPEN,), holds=with_automated_shoe),
    )


def on_record(chapter: str, *, left: str, locked: str, stakes: str) -> tuple[Irregularity, ...]:
    """What every chapter knows and mostly only records; the clauses as in `irregularities`."""
    late, wrong = cite(f"{chapter}.{locked}"), cite(f"{chapter}.{stakes}")
    return (
        Irregularity("deck_count", Remedy.RECORD, None, ()),  # where the stub or the deck is counted
        Irregularity("player_left", Remedy.FORFEIT, cite(f"{chapter}.{left}"), BETTING_CLOSED, ("seat",)),
        Irregularity("late_wager", Remedy.RECORD, late, BETTING_CLOSED),
        Irregularity("wager_changed", Remedy.RECORD, late, BETTING_CLOSED),
        Irregularity("wrong_stake", Remedy.RECORD, wrong, (Stage.OPEN, Stage.DECIDING)),
        Irregularity("identity_conflict", Remedy.RECORD, None, ANY),
        Irregularity("deck_change_due", Remedy.RECORD, None, ANY),
        Irregularity("device_lost", Remedy.RECORD, None, ANY),
        Irregularity("power_loss", Remedy.RESUME, None, ANY),
    )
