"""Stand-ins for games that are still to be written, and what the chapters say of decks, opening, shuffle and cut.

Each is Three Card Poker with other clauses: what the shared procedures do follows from those alone. `SHOE_GAME` is
dealt from a shoe that goes on from round to round, two cards to each, and the higher total wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl.cards import DEALER, Card, seat
from tablectl.engine.scenario import Scenario, parse
from tablectl.events import Result
from tablectl.games import game
from tablectl.money import EVEN
from tablectl.procedure.dealing import collect_wagers, deal, no_more_bets
from tablectl.procedure.game import (
    CutStyle,
    Dealing,
    Game,
    Irregularity,
    OpeningClauses,
    Remedy,
    Setup,
    ShuffleClauses,
)
from tablectl.procedure.instructions import Expose
from tablectl.procedure.irregularities import attend
from tablectl.procedure.settlement import settle
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import DeckState, Table, TableState
from tablectl.rules import Cite, cite

THREE_CARD_POKER: Final = game("three_card_poker")
ONE_DECK_SINCE_2012: Final = ("655a", "657a", "671a", "674a", "676a")


def _clauses(chapter: str, **clauses: str) -> dict[str, Any]:
    return {name: cite(f"{chapter}.{clause}") for name, clause in clauses.items()}


def _opening(chapter: str, **more: str) -> OpeningClauses:
    verify = "4(b)" if chapter in ("561", "563", "565") else "4(a)"
    common = {"one_deck": "3(a)", "two_decks": "3(b)", "inspect": "4(a)", "verify": verify, "spread": "4(b)"}
    return OpeningClauses(**_clauses(chapter, **common, wash="4(c)", apart="4(d)", **more))


OPENING: Final[Mapping[str, OpeningClauses]] = {
    "561": _opening("561", second_joker="4(b)"),
    "563": _opening("563"),
    "565": THREE_CARD_POKER.opening_of_decks,
    **{chapter: _opening(chapter, preshuffled="4(e)") for chapter in ONE_DECK_SINCE_2012},
    "670a": _opening("670a", second_joker="4(b)", preshuffled="4(e)"),
    **{
        chapter: replace(_opening(chapter, preshuffled="4(e)", reader="2(d)"), batches=True)
        for chapter in ("672a", "673a")
    },
}


def _offers(chapter: str, **offers: str) -> Mapping[str, Cite]:
    return _clauses(chapter, **offers)


def _twenty_one(chapter: str) -> ShuffleClauses:
    offers = {"first_player": "5(c)(1)", "cover_card": "5(c)(2)", "cover_card_at_dealer": "5(c)(3)"}
    common = _clauses(chapter, shuffle="5(a)", cut="5(d)", recut="5(e)", idle="5(g)", exchange="5(g)(2)")
    return ShuffleClauses(
        **common,
        **_clauses(chapter, ordered="5(f)", reshuffling="5(h)"),
        style=CutStyle.OFFERED_SHOE,
        offers=_offers(chapter, **offers, from_the_right="5(c)(4)"),
        after_device=True,
        per_shoe=True,
    )


SHUFFLE: Final[Mapping[str, ShuffleClauses]] = {
    "561": ShuffleClauses(
        **_clauses("561", shuffle="5(a)", cut="5(e)", recut="5(f)", idle="5(g)"),
        style=CutStyle.OFFERED,
        offers=_offers("561", first_player="5(d)(1)", from_the_right="5(d)(2)"),
        turned_up=True,
    ),
    "563": ShuffleClauses(
        **_clauses("563", shuffle="5(a)", cut="5(d)", recut="5(e)", idle="5(f)"),
        style=CutStyle.ONE_HAND,
        turned_up=True,
    ),
    "565": THREE_CARD_POKER.shuffling,
    **{
        chapter: ShuffleClauses(
            **_clauses(chapter, shuffle="5(a)", cut="5(d)", recut="5(e)", idle="5(f)"),
            **_clauses(chapter, ordered="5(a)", reshuffling="5(g)"),
            style=CutStyle.COVER_CARD,
        )
        for chapter in ONE_DECK_SINCE_2012
    },
    "670a": ShuffleClauses(
        **_clauses("670a", shuffle="5(a)", cut="5(e)", recut="5(f)", idle="5(g)", exchange="5(g)(2)"),
        **_clauses("670a", ordered="5(a)", reshuffling="5(h)"),
        style=CutStyle.OFFERED,
        offers=_offers("670a", first_player="5(d)(1)", from_the_right="5(d)(2)"),
    ),
    "672a": _twenty_one("672a"),
    "673a": _twenty_one("673a"),
}


def like(chapter: str, **more: Any) -> Game:
    """Three Card Poker with that chapter's decks, opening, shuffle and cut."""
    clauses: dict[str, Any] = {"opening_clauses": OPENING[chapter], "shuffle_clauses": SHUFFLE[chapter]}
    return replace(THREE_CARD_POKER, id=f"like_{chapter}", chapter=chapter, **clauses, **more)


async def _round_from_the_shoe(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    await deal(table, 2, to=(*table.players, DEALER))
    await table.enter(Stage.DECIDING)
    await table.enter(Stage.REVEALED)
    dealer = _total((await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))).cards)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():
        place = seat(number)
        total = _total((await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards)
        result = Result.WIN if total > dealer else Result.PUSH if total == dealer else Result.LOSE
        for wager in table.open_wagers(number):
            await settle(table, number, wager, result, cite("672a.11"), EVEN if result is Result.WIN else None)


def _total(cards: tuple[Card, ...]) -> int:
    return sum(card.rank for card in cards)


PAI_GOW_LIKE: Final = like("561", deck=53, seats=6)
"""A deck with a joker, of which a second one is torn up; the cut is offered."""

SHOE_GAME: Final = like(
    "672a",
    deck=6 * 52,
    seats=6,
    hand=2,
    round_of_play=_round_from_the_shoe,
    deck_clocks={Dealing.MANUAL_SHOE: (24, cite("672a.3(c)"))},
    irregularities=(
        *THREE_CARD_POKER.irregularities,
        Irregularity("cover_card", Remedy.COVER_CARD, cite("672a.7(d)"), (Stage.DEALING,), ("dealer", "seat")),
    ),
)
"""Six decks in one batch, or in each of two where a shuffler is used; a card reader is inspected each gaming day."""

LATER_CHAPTER: Final = like("657a")
"""One deck by a later chapter: preinspected and preshuffled decks, reshuffling on order and by approved devices."""


def table_of(stand_in: Game, setup: Setup, **state: Any) -> Table:
    """A table of that game with deck-1, and deck-2 where two are at the table; `state` changes the state it is in."""
    decks = tuple(DeckState(f"deck-{n}", back, 0) for n, back in enumerate(setup.backs[: setup.decks], 1))
    begun = TableState(
        round=0,
        decks=decks,
        deck_number=len(decks),
        rounds_since_count=0,
        dealing=setup.dealing.value,
        shuffler=setup.shuffler.value,
    )
    return Table(stand_in, stand_in.submission().filed(), setup, replace(begun, **state))


def scenario_of(stand_in: Game, document: Mapping[str, Any], **setup: Any) -> Scenario:
    """A scenario of a stand-in from a document without `game`; `setup` changes how its table is set up."""
    read = parse({**document, "game": THREE_CARD_POKER.id})
    return replace(read, game=stand_in, setup=replace(read.setup, seats=stand_in.seats, **setup))
