"""Stand-ins for games that are still to be written: each holds no more than what is its own.

How cards are dealt, counted and thrown, and what is done when something goes wrong, follows from the shared procedures
and the data that these declare. The hands are compared in the simplest way, by the sum of their ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from tablectl.cards import COMMUNITY, DEALER, Card, seat
from tablectl.engine.scenario import Scenario, parse
from tablectl.events import Result
from tablectl.games import game
from tablectl.money import EVEN, Money, Odds
from tablectl.procedure.counts import count_deck, count_remainder, retire_stub
from tablectl.procedure.dealing import (
    burn,
    collect_unwagered,
    collect_wagers,
    deal,
    deal_board,
    deal_each,
    deal_stacks_by_hand,
    deliver_stacks,
    hand_needs_shuffler,
    no_more_bets,
    replace_exposed,
)
from tablectl.procedure.game import (
    CutStyle,
    Dealing,
    DealingClauses,
    Game,
    Irregularity,
    Remedy,
    ShuffleClauses,
)
from tablectl.procedure.instructions import (
    Ask,
    Choice,
    Decision,
    Expose,
    ExposeVoided,
    Incident,
    Left,
    PlaceWagers,
    Stake,
)
from tablectl.procedure.irregularities import ask, attend, begin_decisions
from tablectl.procedure.settlement import forfeit_all, settle
from tablectl.procedure.stages import ALTERNATING, Stage
from tablectl.procedure.starting import StartClauses, places_from, starting_position, throw
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, Submission, cite, option

THREE_CARD_POKER: Final = game("three_card_poker")
IN_PLAY: Final = (Stage.DEALING, Stage.DECIDING, Stage.REVEALED, Stage.SETTLING)
LOCKED: Final = (Stage.LOCKED, *IN_PLAY)
ANY: Final = tuple(Stage)


@dataclass(frozen=True, slots=True)
class Filed:
    """What of the filing the rounds of play need."""

    starting_position: str


class Filing(Submission):
    """What these games file."""

    starting_position: Literal["shaker", "rng", "button"] = option("shaker", "561.8(a)", "where the deal begins")

    def filed(self) -> Filed:
        return Filed(self.starting_position)


def scenario(stand_in: Game, document: Mapping[str, Any]) -> Scenario:
    """A scenario of that game, from a document that need not name it."""
    return parse({"game": stand_in.id, **document}, find=lambda _name: stand_in)


def clauses(chapter: str, *sections: str, misdealt: tuple[str, ...] = ("wagers_returned",)) -> DealingClauses:
    announced, dealt, stub, count, right, wrong = (cite(f"{chapter}.{section}") for section in sections)
    return DealingClauses(announced, dealt, stub, count, right, wrong, misdealt)


def _check_setup(clause: str) -> Any:
    return lambda _rules, setup: hand_needs_shuffler(setup, cite(clause))


def _nothing(*_given: object) -> Iterator[Objection]:
    return iter(())


def _nobody(*_given: object) -> Iterator[tuple[int, Objection]]:
    return iter(())


def _game(chapter: str, **its_own: Any) -> Game:
    """A game with nothing of Three Card Poker but its opening and shuffle."""
    common: dict[str, Any] = {
        "id": f"stand_in_{chapter}",
        "chapter": chapter,
        "title": f"Stand-in {chapter}",
        "seats": 6,
        "submission": Filing,
        "check_wagers": _nobody,
        "check_players": _nothing,
        "check_setup": _nothing,
    }
    return replace(THREE_CARD_POKER, **{**common, **its_own})


# Pai gow: all seven places from a starting position, the remainder, and a player's option -----------------------------

PAI_GOW: Final = "pai_gow"


async def _pai_gow(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    method = StartClauses(cite("561.12(b)"), cite("561.12(c)"), cite("561.12(d)"))
    places = places_from(table, await starting_position(table, table.rules.starting_position, method))
    if table.dealing is Dealing.FROM_HAND:
        await deal_stacks_by_hand(table, 7, 7)
        await deliver_stacks(table, places)
    else:
        await deal(table, 7, places)
    await count_remainder(table)
    await collect_unwagered(table, cite("561.9(g)"))
    await begin_decisions(table)
    for number in table.clockwise(PAI_GOW):
        if number not in table.left:
            decision = await ask(table, Ask(number, (Choice("house_way"),), cite("561.13(a)")))
            if isinstance(decision, Left):
                table.left.setdefault(number, cite("561.7(c)"))
    await _compare(table, cite("561.13(k)"))


async def _compare(table: Table, clause: Cite) -> None:
    """The dealer's hand against every other one, by the sum of ranks."""
    await table.enter(Stage.REVEALED)
    for number in list(table.left):
        table.left.setdefault(number, clause)
    dealer = _sum((await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))).cards)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():
        if number in table.left:
            await forfeit_all(table, number)
            continue
        place = seat(number)
        own = _sum((await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards)
        if number in table.left:
            await forfeit_all(table, number)
            continue
        result = Result.WIN if own > dealer else Result.PUSH if own == dealer else Result.LOSE
        for wager in table.open_wagers(number):
            await settle(table, number, wager, result, clause, EVEN if result is Result.WIN else None)


def _sum(cards: Iterable[Card]) -> int:
    return sum(card.rank for card in cards)


def _total_was_wrong(_incident: Incident, table: Table) -> bool:
    return any(noticed.kind == "dice_total_wrong" for noticed in table.noticed)


def _by_hand(_incident: Incident, table: Table) -> bool:
    return table.dealing is Dealing.FROM_HAND


IRREGULARITIES_561: Final = (
    Irregularity("no_roll", Remedy.RETHROW, cite("561.14(a)"), (Stage.LOCKED,)),
    Irregularity("dice_total_wrong", Remedy.RECORD, cite("561.14(c)"), (Stage.LOCKED, Stage.DEALING)),
    Irregularity("first_card_wrong_position", Remedy.VOID, cite("561.14(c)"), (Stage.DEALING,), holds=_total_was_wrong),
    Irregularity("card_exposed", Remedy.HAND_OPTION, cite("561.14(d)"), (Stage.DEALING, Stage.DECIDING), ("seat",)),
    Irregularity("card_exposed", Remedy.VOID, cite("561.14(e)"), (Stage.DEALING, Stage.DECIDING), ("dealer",)),
    Irregularity("card_exposed", Remedy.VOID, cite("561.14(j)"), (Stage.DEALING,), ("stack",), holds=_by_hand),
    Irregularity("card_face_up", Remedy.DISCARD, cite("561.14(f)"), (Stage.DEALING,), once=True),
    Irregularity("card_face_up", Remedy.VOID, cite("561.14(f)"), (Stage.DEALING,)),
    Irregularity(
        "drawn_in_error",
        Remedy.RESUME,
        cite("561.14(g)"),
        (Stage.OPEN, *LOCKED),
        holds=lambda incident, _table: not incident.exposed,
    ),
    Irregularity("wrong_card_count", Remedy.VOID, cite("561.14(h)"), IN_PLAY, ("dealer", "seat", "stack")),
    Irregularity("house_way_wrong", Remedy.RESET_HAND, cite("561.14(i)"), (Stage.REVEALED, Stage.SETTLING)),
    Irregularity("stacks_not_alternated", Remedy.VOID, cite("561.14(k)"), (Stage.DEALING,), holds=_by_hand),
    Irregularity("shuffler_jam", Remedy.RESHUFFLE, cite("561.14(l)"), (Stage.OPEN,)),
    Irregularity("shoe_jam", Remedy.VOID, cite("561.14(m)"), (Stage.DEALING,)),
    Irregularity("deck_count", Remedy.RECORD, None, ()),
    Irregularity("player_left", Remedy.FORFEIT, cite("561.7(c)"), LOCKED, ("seat",)),
    Irregularity("late_wager", Remedy.RECORD, cite("561.7(d)"), LOCKED),
    Irregularity("wager_changed", Remedy.RECORD, cite("561.7(d)"), LOCKED),
    Irregularity("identity_conflict", Remedy.RECORD, None, ANY),
    Irregularity("power_loss", Remedy.RESUME, None, ANY),
)

PAI_GOW_GAME: Final = _game(
    "561",
    hand=7,
    deck=53,
    wagers=(PAI_GOW,),
    opening=(PAI_GOW,),
    opening_cite=cite("561.7(a)"),
    seats_cite=cite("561.2(a)"),
    check_setup=_check_setup("561.10(a)(1)"),
    places=("dealer", "seat", "stack"),
    dealing={
        Dealing.MANUAL_SHOE: clauses(
            "561", "9(a)", "9(c)", "9(e)", "9(d)", "9(e)", "9(f)", misdealt=("wagers_returned", "cards_reshuffled")
        ),
        Dealing.FROM_HAND: clauses(
            "561",
            "10(a)(3)",
            "10(c)",
            "10(e)",
            "10(d)",
            "10(e)",
            "10(f)",
            misdealt=("wagers_returned", "cards_reshuffled"),
        ),
        Dealing.AUTOMATED_SHOE: clauses(
            "561",
            "11(a)(2)",
            "11(c)",
            "11(e)",
            "11(d)",
            "11(e)",
            "11(f)",
            misdealt=("wagers_returned", "cards_reshuffled"),
        ),
    },
    irregularities=IRREGULARITIES_561,
    round_of_play=_pai_gow,
)
"""Seven cards to all seven places, whether wagered or not; four cards remain."""


# Hold 'Em: a board with burned cards, and a bonus that a void still settles -------------------------------------------

ANTE, FLOP, BONUS = "ante", "flop", "bonus"
_PAIR: Final = Odds(3)


async def _hold_em(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    await deal(table, 2, to=(*table.players, DEALER))
    await begin_decisions(table)
    for number in table.clockwise(with_wager=ANTE):
        if number in table.left:
            continue
        ante = table.amount(number, ANTE)
        double = None if ante is None else Money(2 * ante)
        choices = (Choice("bet", FLOP, double), Choice("fold"))
        decision = await ask(table, Ask(number, choices, cite("563.11(a)")))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite("563.7(c)"))
        elif decision.verb == "bet":
            await PlaceWagers((Stake(number, FLOP, double),))
            table.stakes[number, FLOP, 0] = Stake(number, FLOP, double)
        else:
            await settle(table, number, ANTE, Result.FORFEITED, cite("563.11(a)(2)"))
    await burn_and_board(table)
    await _settle_hold_em(table)


async def burn_and_board(table: Table) -> None:
    await table.enter(Stage.DEALING)
    await burn(table, cite("563.11(b)"))
    await deal_board(table, 3)
    await retire_stub(table)
    await table.enter(Stage.REVEALED)
    for place, card in enumerate(table.hands[COMMUNITY], 1):
        await attend(table, Expose(COMMUNITY, place, (card,)))


async def _settle_hold_em(table: Table) -> None:
    dealer = _sum((await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))).cards)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():
        if number in table.left:
            await forfeit_all(table, number)
            continue
        place = seat(number)
        cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
        if number in table.left:
            await forfeit_all(table, number)
            continue
        for wager in (ANTE, FLOP):
            if table.open(number, wager):
                won = _sum(cards) > dealer
                result = Result.WIN if won else Result.LOSE
                await settle(table, number, wager, result, cite("563.11(h)"), EVEN if won else None)
        if table.open(number, BONUS):
            await _settle_bonus(table, number, cards)


async def _settle_bonus(table: Table, number: int, cards: Sequence[Card]) -> None:
    pair = cards[0].rank == cards[1].rank
    clause = cite("563.12(c)") if pair else cite("563.11(h)(4)")
    await settle(table, number, BONUS, Result.WIN if pair else Result.LOSE, clause, _PAIR if pair else None)


async def _bonus_in_void(table: Table, number: int) -> None:
    place = seat(number)
    await _settle_bonus(table, number, (await ExposeVoided(place, tuple(table.hands[place]))).cards)


def _hands_are_dealt(_incident: Incident, table: Table) -> bool:
    return bool(table.hands) and all(len(hand) >= 2 for place, hand in table.hands.items() if place is not COMMUNITY)


IRREGULARITIES_563: Final = (
    Irregularity(
        "card_exposed",
        Remedy.VOID,
        cite("563.13(a)"),
        (Stage.DEALING, Stage.DECIDING),
        ("dealer",),
        holds=_hands_are_dealt,
        named=("wagers_returned",),
        settles=(BONUS,),
    ),
    Irregularity("card_face_up", Remedy.DISCARD, cite("563.13(b)"), (Stage.DEALING,), once=True),
    Irregularity(
        "card_face_up", Remedy.VOID, cite("563.13(b)"), (Stage.DEALING,), holds=_hands_are_dealt, settles=(BONUS,)
    ),
    Irregularity("card_face_up", Remedy.VOID, cite("563.13(b)"), (Stage.DEALING,)),
    Irregularity(
        "drawn_in_error",
        Remedy.RESUME,
        cite("563.13(c)"),
        IN_PLAY,
        holds=lambda incident, _table: not incident.exposed,
    ),
    Irregularity("wrong_card_count", Remedy.VOID, cite("563.13(d)"), IN_PLAY, ("dealer", "seat")),
    Irregularity("shoe_jam", Remedy.VOID, cite("563.13(f)"), (Stage.DEALING,)),
    Irregularity("deck_count", Remedy.RECORD, None, ()),
    Irregularity("player_left", Remedy.FORFEIT, cite("563.7(c)"), LOCKED, ("seat",)),
    Irregularity("late_wager", Remedy.RECORD, cite("563.7(c)"), LOCKED),
    Irregularity("wager_changed", Remedy.RECORD, cite("563.7(c)"), LOCKED),
    Irregularity("wrong_stake", Remedy.RECORD, cite("563.11(a)"), (Stage.DECIDING,)),
    Irregularity("identity_conflict", Remedy.RECORD, None, ANY),
    Irregularity("power_loss", Remedy.RESUME, None, ANY),
)

_CLAUSES_563: Final = {
    Dealing.MANUAL_SHOE: clauses("563", "8(b)", "8(d)", "8(e)", "8(f)", "8(g)", "8(h)"),
    Dealing.FROM_HAND: clauses("563", "9(a)(3)", "9(b)", "9(c)", "9(d)", "9(e)", "9(f)"),
    Dealing.AUTOMATED_SHOE: clauses("563", "10(a)(2)", "10(b)", "10(c)", "10(d)", "10(e)", "10(f)"),
}

HOLD_EM: Final = _game(
    "563",
    hand=2,
    deck=52,
    wagers=(ANTE, FLOP, BONUS),
    opening=(ANTE, BONUS),
    opening_cite=cite("563.7(a)"),
    seats_cite=cite("563.2(a)"),
    transitions=ALTERNATING,
    dealing=_CLAUSES_563,
    places=("dealer", "seat", "community"),
    irregularities=IRREGULARITIES_563,
    round_of_play=_hold_em,
    settle_in_void=_bonus_in_void,
)
"""Two cards each, one decision, a burned card and a board of three."""


# Boards: two cards per seat one after the other, or the board first ---------------------------------------------------


async def _stud(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    await deal_each(table, 2, to=table.players)
    await deal_board(table, 3)
    await retire_stub(table)
    await _board_round(table, "655a")


async def _criss_cross(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    await deal_board(table, 5, in_a_stack=True)
    await deal(table, 2, to=table.players)
    await retire_stub(table)
    await _board_round(table, "674a")


async def _board_round(table: Table, chapter: str) -> None:
    """Each seat stays in or folds, the board is turned up, and a pair or better of the board's first card wins."""
    await begin_decisions(table)
    for number in table.clockwise(with_wager=ANTE):
        if number in table.left:
            continue
        decision = await ask(table, Ask(number, (Choice("bet"), Choice("fold")), cite(f"{chapter}.11(b)")))
        if isinstance(decision, Left):
            table.left.setdefault(number, cite(f"{chapter}.7(b)"))
        elif decision.verb == "fold":
            await settle(table, number, ANTE, Result.FORFEITED, cite(f"{chapter}.11(b)"))
    first = (await attend(table, Expose(COMMUNITY, 1, (table.hands[COMMUNITY][0],)))).cards[0]
    await table.enter(Stage.REVEALED)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():
        if number in table.left:
            await forfeit_all(table, number)
            continue
        place = seat(number)
        cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
        if number in table.left:
            await forfeit_all(table, number)
            continue
        won = any(card.rank == first.rank for card in cards)
        result = Result.WIN if won else Result.LOSE
        await settle(table, number, ANTE, result, cite(f"{chapter}.11(h)"), EVEN if won else None)


def _board_irregularities(chapter: str) -> tuple[Irregularity, ...]:
    return (
        Irregularity("card_face_up", Remedy.DISCARD, cite(f"{chapter}.13(a)"), (Stage.DEALING,), once=True),
        Irregularity("card_face_up", Remedy.VOID, cite(f"{chapter}.13(a)"), (Stage.DEALING,)),
        Irregularity("drawn_in_error", Remedy.RESUME, cite(f"{chapter}.13(b)"), (Stage.DEALING,)),
        Irregularity("wrong_card_count", Remedy.VOID, cite(f"{chapter}.13(c)"), IN_PLAY, ("seat", "community")),
        Irregularity(
            "card_exposed", Remedy.VOID, cite(f"{chapter}.13(d)"), (Stage.DEALING, Stage.DECIDING), ("community",)
        ),
        Irregularity("shoe_jam", Remedy.VOID, cite(f"{chapter}.13(f)"), (Stage.DEALING,)),
        Irregularity("shoe_out_of_service", Remedy.COVER_DEVICE, cite(f"{chapter}.13(g)"), (Stage.OPEN,)),
        Irregularity("collusion", Remedy.FORFEIT, cite("655a.11(a)(3)"), (Stage.DEALING, Stage.DECIDING), ("seat",)),
        Irregularity("deck_count", Remedy.RECORD, None, ()),
        Irregularity("player_left", Remedy.FORFEIT, cite(f"{chapter}.7(b)"), LOCKED, ("seat",)),
        Irregularity("late_wager", Remedy.RECORD, cite(f"{chapter}.7(c)"), LOCKED),
        Irregularity("power_loss", Remedy.RESUME, None, ANY),
    )


def _board_game(chapter: str, hand: int, round_of_play: Any) -> Game:
    return _game(
        chapter,
        hand=hand,
        deck=52,
        wagers=(ANTE,),
        opening=(ANTE,),
        opening_cite=cite(f"{chapter}.7(a)"),
        seats_cite=cite(f"{chapter}.2(a)"),
        dealing={
            Dealing.MANUAL_SHOE: clauses(chapter, "8(b)", "8(d)", "8(e)", "8(f)", "8(g)", "8(h)"),
            Dealing.FROM_HAND: clauses(chapter, "9(a)(3)", "9(b)", "9(c)", "9(d)", "9(e)", "9(f)"),
            Dealing.AUTOMATED_SHOE: clauses(chapter, "10(a)(2)", "10(b)", "10(c)", "10(d)", "10(e)", "10(f)"),
        },
        places=("seat", "community"),
        irregularities=_board_irregularities(chapter),
        round_of_play=round_of_play,
    )


STUD: Final = _board_game("655a", 2, _stud)
"""Two cards to each seat, one after the other, then a board of three; no dealer's hand."""

CRISS_CROSS: Final = _board_game("674a", 2, _criss_cross)
"""A board of five first, then two cards each; no dealer's hand."""


# A shoe that goes on: burned cards, cover card, a shoe that is empty, the card reader ---------------------------------

BLACKJACK: Final = "blackjack"


async def _twenty_one(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    await deal(table, 2, to=(*table.players, DEALER))
    await begin_decisions(table)
    for number in table.clockwise(BLACKJACK):
        if number not in table.left:
            decision = await ask(table, Ask(number, (Choice("hit", draws=True), Choice("stand")), cite("672a.7(h)(2)")))
            if isinstance(decision, Decision) and decision.verb == "hit":
                await deal(table, 1, to=(seat(number),))
                await table.enter(Stage.DECIDING)
    await _compare(table, cite("672a.7(o)"))


IRREGULARITIES_672A: Final = (
    Irregularity("card_face_up", Remedy.DISCARD, cite("672a.12(a)"), (Stage.OPEN, Stage.DEALING)),
    Irregularity(
        "drawn_in_error",
        Remedy.RESUME,
        cite("672a.12(b)"),
        (Stage.OPEN, *LOCKED),
        holds=lambda incident, _table: not incident.exposed,
    ),
    Irregularity("cover_card", Remedy.COVER_CARD, cite("672a.7(d)"), (Stage.DEALING,)),
    Irregularity("insufficient_cards", Remedy.RESHUFFLE_DISCARDS, cite("672a.12(f)"), (Stage.DEALING,)),
    Irregularity("card_reader_misused", Remedy.RESUME, cite("672a.12(i)"), IN_PLAY, floor=True),
    Irregularity("card_reader_fault", Remedy.SUSPEND, cite("672a.12(j)"), IN_PLAY),
    Irregularity("shuffler_jam", Remedy.RESHUFFLE, cite("672a.12(k)"), (Stage.OPEN, Stage.DEALING)),
    Irregularity("shuffler_out_of_service", Remedy.COVER_DEVICE, cite("672a.12(l)"), (Stage.OPEN,)),
    Irregularity("player_left", Remedy.FORFEIT, cite("672a.6(c)"), LOCKED, ("seat",)),
    Irregularity("power_loss", Remedy.RESUME, None, ANY),
)

TWENTY_ONE: Final = _game(
    "672a",
    hand=2,
    deck=6 * 52,
    wagers=(BLACKJACK,),
    opening=(BLACKJACK,),
    opening_cite=cite("672a.6(a)"),
    seats_cite=cite("672a.2(a)"),
    transitions=ALTERNATING,
    dealing={Dealing.MANUAL_SHOE: DealingClauses(cite("672a.7(e)"), cite("672a.7(e)"))},
    deck_clocks={Dealing.MANUAL_SHOE: (24, cite("672a.3(c)"))},
    shuffle_clauses=ShuffleClauses(
        shuffle=cite("672a.5(a)"),
        cut=cite("672a.5(d)"),
        style=CutStyle.OFFERED_SHOE,
        recut=cite("672a.5(e)"),
        idle=cite("672a.5(g)"),
        offers={
            "first_player": cite("672a.5(c)(1)"),
            "cover_card": cite("672a.5(c)(2)"),
            "cover_card_at_dealer": cite("672a.5(c)(3)"),
            "from_the_right": cite("672a.5(c)(4)"),
        },
        after_device=True,
        per_shoe=True,
    ),
    burn=cite("672a.7(c)"),
    irregularities=IRREGULARITIES_672A,
    round_of_play=_twenty_one,
)
"""Two cards each from a shoe of six decks that goes on from round to round; a seat may draw one card."""


# The deck is counted after the round ----------------------------------------------------------------------------------


async def _lunar(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    await deal(table, 5, to=(*table.players, DEALER))
    await begin_decisions(table)
    await _compare(table, cite("671a.11(f)"))
    await count_deck(table, cite("671a.11(h)"), cite("671a.11(h)(2)"))


LUNAR: Final = _game(
    "671a",
    hand=5,
    deck=52,
    seats=5,
    wagers=(ANTE,),
    opening=(ANTE,),
    opening_cite=cite("671a.7(a)"),
    seats_cite=cite("671a.2(a)"),
    dealing={
        Dealing.MANUAL_SHOE: DealingClauses(cite("671a.8(b)"), cite("671a.8(c)")),
        Dealing.FROM_HAND: DealingClauses(cite("671a.9(a)(3)"), cite("671a.9(b)")),
        Dealing.AUTOMATED_SHOE: DealingClauses(cite("671a.10(a)(2)"), cite("671a.10(b)")),
    },
    irregularities=(
        Irregularity("card_face_up", Remedy.DISCARD, cite("671a.13(a)"), (Stage.DEALING,), once=True),
        Irregularity("card_face_up", Remedy.VOID, cite("671a.13(a)"), (Stage.DEALING,)),
        Irregularity("wrong_card_count", Remedy.VOID, cite("671a.13(c)"), IN_PLAY, ("dealer", "seat")),
        Irregularity("deck_count", Remedy.RECORD, None, ()),
        Irregularity("power_loss", Remedy.RESUME, None, ANY),
    ),
    round_of_play=_lunar,
)
"""Five cards each; the whole deck is counted every five rounds, after everything is paid."""


# Dice -----------------------------------------------------------------------------------------------------------------

PIP: Final = "pip_1"


async def _dice(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    faces = await throw(table, 6, cite("675a.4(b)"), flat=False)
    await table.enter(Stage.DEALING)
    await table.enter(Stage.REVEALED)
    await table.enter(Stage.SETTLING)
    won = faces.count(1) >= max(faces.count(face) for face in range(1, 7))
    for number in table.counterclockwise():
        result = Result.WIN if won else Result.LOSE
        await settle(table, number, PIP, result, cite("675a.4(f)(1)"), EVEN if won else None)


DICE: Final = _game(
    "675a",
    hand=0,
    deck=52,
    wagers=(PIP,),
    opening=(PIP,),
    opening_cite=cite("675a.2(a)"),
    seats_cite=cite("675a.1(a)"),
    transitions=ALTERNATING,
    irregularities=(
        Irregularity("die_off_table", Remedy.RETHROW, cite("675a.4(b)"), (Stage.LOCKED,)),
        Irregularity("dice_stacked", Remedy.RETHROW, cite("675a.4(b)"), (Stage.LOCKED,)),
        Irregularity(
            "die_cocked", Remedy.RETHROW, cite("675a.4(c)"), (Stage.LOCKED,), holds=lambda i, _table: i.sides == 2
        ),
        Irregularity("die_cocked", Remedy.RESUME, cite("675a.4(c)"), (Stage.LOCKED,)),
        Irregularity("power_loss", Remedy.RESUME, None, ANY),
    ),
    round_of_play=_dice,
)
"""One throw of six dice; whoever has wagered on the ace wins if no other face comes more often."""


# The poker room: cards that are replaced, cards off the table, a deck that is replaced --------------------------------


async def _omaha(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    await deal(table, 4, to=table.players)
    await retire_stub(table)
    await replace_exposed(table)
    await table.enter(Stage.DECIDING)
    await table.enter(Stage.REVEALED)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():
        await attend(table, Expose(seat(number), 0, tuple(table.hands[seat(number)])))
        await settle(table, number, ANTE, Result.PUSH, cite("637a.12(l)"))


OMAHA: Final = _game(
    "637a",
    hand=4,
    deck=52,
    wagers=(ANTE,),
    opening=(ANTE,),
    opening_cite=cite("637a.12(b)"),
    seats_cite=cite("637a.12(a)"),
    dealing=dict.fromkeys(Dealing, clauses("637a", *["12(f)"] * 6)),
    irregularities=(
        Irregularity("card_face_up", Remedy.DISCARD, cite("637a.18(j)"), (Stage.DEALING,), once=True),
        Irregularity("card_face_up", Remedy.VOID, cite("637a.18(g)(3)"), (Stage.DEALING,)),
        Irregularity("card_exposed", Remedy.REPLACE_CARD, cite("637a.18(p)"), (Stage.DEALING,), ("seat",)),
        Irregularity("card_off_table", Remedy.DISCARD, cite("637a.18(o)"), (Stage.DEALING,)),
        Irregularity("missing_cards", Remedy.REPLACE_DECK, cite("637a.18(i)"), IN_PLAY),
        Irregularity("extra_cards", Remedy.REPLACE_DECK, cite("637a.18(i)"), IN_PLAY),
        Irregularity("deck_count", Remedy.RECORD, None, ()),
        Irregularity("power_loss", Remedy.RESUME, None, ANY),
    ),
    round_of_play=_omaha,
)
"""Four cards each, and the antes go back: no more is needed to see what is done about its irregularities."""

STAND_INS: Final = (PAI_GOW_GAME, HOLD_EM, STUD, CRISS_CROSS, TWENTY_ONE, LUNAR, DICE, OMAHA)
