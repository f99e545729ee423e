"""Opening a table: how each deck is received, looked through, spread, washed and stacked (x.4); and closing it."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.procedure.decks import decks_wanted
from tablectl.procedure.dice import put_shaker_away, receive_dice, show_shaker
from tablectl.procedure.game import Game, OpeningClauses, Setup, Shuffler
from tablectl.procedure.house_take import empty_boxes
from tablectl.procedure.instructions import (
    Attest,
    CloseTable,
    NewDeck,
    Now,
    OpenTable,
    PutRight,
    ReceiveDeck,
    RunSelfTest,
    ShowCards,
)
from tablectl.procedure.irregularities import attend
from tablectl.procedure.questions import remove_deck
from tablectl.procedure.table import DeckState, Phase, Table, TableState
from tablectl.records import replace
from tablectl.rules import Cite, Objection

__all__ = ["check_decks", "close_table", "open_table", "receive_deck", "usual_decks"]

DEALER, FLOORPERSON, BOTH = "dealer", "floorperson", "both"


async def open_table(table: Table) -> TableState:
    """Open for gaming; nothing can be dealt before it is complete.

    One deck or batch, two where they are to alternate: each is received, inspected and verified, and then spread for
    the first player, washed and stacked apart from the other (x.4(d)). Decks that come preinspected and preshuffled
    skip all of that where the chapter says so (x.4(e)); in the chapters of 2010 they do not, and are only not shuffled
    the first time (x.5(a)). A card reader is inspected first (672a.2(d), 673a.2(d)). In a game of dice a set of dice
    comes with its shaker (675a.3).
    """
    reader = None if table.game.opening_clauses is None else table.game.opening_clauses.reader
    if reader is not None:
        await _inspect_reader(table, reader)
    while len(table.state.decks) < decks_wanted(table):
        await receive_deck(table)
    if table.game.dice is not None:
        await show_shaker(table, table.game.dice)
    first_player = 0
    for deck in table.state.decks:
        if _is_opened(table, deck):
            first_player = await _show_and_wash(table, deck, first_player)
    state = replace(
        table.state,
        day=table.state.day + 1,
        phase=Phase.OPEN,
        just_opened=True,
        first_player=first_player,
        gaps=(),
    )
    await OpenTable(state.day, table.game.id, tuple(deck.id for deck in state.decks), state.dealer)
    return state


async def receive_deck(table: Table) -> NewDeck:
    """A deck comes to the table: the dealer inspects it, a floorperson verifies it (x.4(a), (b)).

    One that comes while the table is open is spread before its players and washed at once. In a game of dice it is a
    set of dice.
    """
    if table.game.dice is not None:
        return await receive_dice(table, table.game.dice)
    clauses = table.game.opening_of_decks
    number = table.state.deck_number + 1
    others = [deck.back for deck in table.state.decks]
    backs = tuple(back for back in table.setup.backs if back not in others)
    new = await attend(table, ReceiveDeck(number, table.game.deck, backs))
    now = await Now()
    deck = DeckState(new.deck, new.back, now, new.preshuffled)
    if _is_opened(table, deck):
        deck = replace(deck, verified=now)  # as nothing is dealt from it before that is so
    table.state = replace(table.state, decks=(*table.state.decks, deck), deck_number=number)
    if _is_opened(table, deck):
        await _look_through(table, new.deck, clauses)
        if table.state.phase is Phase.OPEN:
            await attend(table, Attest("spread", DEALER, new.deck, clauses.spread))
            await _wash(table, new.deck)
    return new


def check_decks(game: Game, setup: Setup) -> Iterator[Objection]:
    """What the chapter forbids in the number of decks (or batches) at a table, and in the colours of their backs."""
    if game.dice is not None:
        if setup.decks > 1:
            yield Objection("at_the_table", "a game of dice is played with one set", game.dice.inspect)
        return
    clauses, has_shuffler = game.opening_of_decks, setup.shuffler is not Shuffler.NONE
    if setup.decks > 1 and not has_shuffler:
        yield Objection("at_the_table", "two decks need an automated shuffler: one is shuffled, one played", _two(game))
    elif setup.decks > 1 and setup.continuous:
        yield Objection("at_the_table", "a continuous shuffler takes back what is played: one deck", _two(game))
    elif clauses.batches and setup.decks != usual_decks(game, setup):
        yield Objection("at_the_table", "with an automated shuffler there are two batches", _two(game))
    colours = list(dict.fromkeys(setup.backs))
    if len(colours) < len(setup.backs):
        yield Objection("backs", "one colour is named twice", _two(game))
    if len(colours) < setup.decks:
        message = f"{setup.decks} decks at the table need backs of {setup.decks} colours, {len(colours)} named"
        yield Objection("backs", message, _two(game))


def usual_decks(game: Game, setup: Setup) -> int:
    """How many decks (or batches) are at the table where nothing is said: one, but where the chapter wants two."""
    shuffled = setup.shuffler is not Shuffler.NONE and not setup.continuous
    return 2 if game.dice is None and game.opening_of_decks.batches and shuffled else 1


def _two(game: Game) -> Cite:
    return game.opening_of_decks.two_decks


def _is_opened(table: Table, deck: DeckState) -> bool:
    """Whether x.4 applies to the deck; it does to none of the dice."""
    return table.game.dice is None and not (deck.preshuffled and table.game.opening_of_decks.preshuffled)


async def _inspect_reader(table: Table, clause: Cite) -> None:
    """The card reader works, and a floorperson answers for it that nobody has tampered with it."""
    test = await attend(table, RunSelfTest("card_reader", clause))
    while test.passed is False:
        await PutRight(None, table.stage.value, f"card reader: {test.detail}", clause)
        test = await attend(table, RunSelfTest("card_reader", clause, again=True))
    await attend(table, Attest("card_reader", FLOORPERSON, "", clause))


async def _look_through(table: Table, deck: str, clauses: OpeningClauses) -> None:
    """Defects are looked for; of two jokers one is torn up before the cards are spread (561.4(b), 670a.4(b)).

    A floorperson verifies the inspection right after it (655a.4(a) …), in the chapters of 2010 when all is ready to be
    spread (561.4(b), 563.4(b), 565.4(b)).
    """
    inspect, verify = ("inspect", DEALER, clauses.inspect), ("verify", FLOORPERSON, clauses.verify)
    joker = () if clauses.second_joker is None else (("second_joker", BOTH, clauses.second_joker),)
    steps = (inspect, verify, *joker) if clauses.verify == clauses.inspect else (inspect, *joker, verify)
    for step, by, clause in steps:
        await attend(table, Attest(step, by, deck, clause))


async def _show_and_wash(table: Table, deck: DeckState, first_player: int) -> int:
    """Spread face up for the first player to arrive, then washed; the seat of that player, who is known from deck 1."""
    clauses = table.game.opening_of_decks
    spread = clauses.spread if len(table.state.decks) == 1 else clauses.apart
    await attend(table, Attest("spread", DEALER, deck.id, spread))
    if first_player:
        await attend(table, Attest("player_looked", DEALER, deck.id, clauses.wash))
    else:
        shown = ShowCards(deck.id, "up", table.setup.seats, clauses.spread)
        first_player = (await attend(table, shown)).seat
    await _wash(table, deck.id)
    return first_player


async def _wash(table: Table, deck: str) -> None:
    """Face down, mixed thoroughly, and stacked (x.4(c))."""
    for step in ("wash", "stack"):
        await attend(table, Attest(step, DEALER, deck, table.game.opening_of_decks.wash))


async def close_table(table: Table, credential: str) -> TableState:
    """The end of the gaming day: every deck leaves the table, and the table is closed by a floorperson.

    When play commences anew nobody has won a pot yet, and the button is placed as at first (561.12(d), 637a.12(c)(1)).
    """
    if table.game.dice is not None:
        await put_shaker_away(table, table.game.dice)
    await empty_boxes(table)
    for deck in table.state.decks:
        await remove_deck(table, deck.id, table.game.played_with)
    await CloseTable(table.state.day, credential)
    return replace(
        table.state,
        decks=(),
        phase=Phase.CLOSED,
        rounds_since_count=0,
        dealer="",
        new_dealer=False,
        barred=(),
        decks_unproven=False,
        ready=False,
        just_opened=False,
        first_player=0,
        cover_card_at=None,
        button=None,
        kill=0,
    )
