"""Open questions of decks: how they come up, block the next round, and are closed by a floorperson's badge.

A card that is missing is put back, or replaced by its like, or the deck leaves: looking at the deck is not enough.
"""

from __future__ import annotations

from typing import Final

from tablectl.cards import Card
from tablectl.events import Disposition
from tablectl.procedure.instructions import (
    ClearQuestion,
    CloseQuestion,
    DeckQuestion,
    NameCard,
    NameReplacement,
    Now,
    Order,
    QuestionDeck,
    RaiseAlarm,
    RefuseReplacement,
    RemoveDeck,
    ReplaceCard,
    Replacement,
    SetCardAside,
)
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import DeckState, Table, TableHalt
from tablectl.records import replace

__all__ = [
    "MISSING",
    "SET_ASIDE",
    "alarm",
    "clear_questions",
    "close_questions",
    "raise_question",
    "remove_deck",
    "replace_card",
    "set_card_aside",
]

MISSING: Final = "missing_card"
SET_ASIDE: Final = "card_set_aside"
DECK_REMOVED: Final = "deck_removed"
REPLACED: Final = "card_replaced"
REPLACE: Final = "replace_card"

LOOKED: Final = "checked"

_LOOKED_AT: Final = ("counted", "put_right", LOOKED, DECK_REMOVED)
_CARD_LACKS: Final = ("put_back", REPLACE, DECK_REMOVED)
_MINUTE: Final = 60


async def raise_question(table: Table, deck: str, what: str, detail: str, cards: tuple[Card, ...] = ()) -> None:
    """Call a deck into question; one of that kind about the same cards that is open already is not asked anew."""
    if any((asked.deck, asked.what, asked.cards) == (deck, what, cards) for asked in table.state.questions):
        return
    question = DeckQuestion(deck, what, await Now(), detail, cards)
    await QuestionDeck(question)
    table.state = replace(table.state, questions=(*table.state.questions, question))


async def alarm(table: Table, deck: str, what: str, detail: str, cards: tuple[Card, ...] = ()) -> None:
    """Raise an alarm at once, and call the deck into question."""
    await RaiseAlarm(deck, what, detail)
    await raise_question(table, deck, what, detail, cards)


async def clear_questions(table: Table) -> str:
    """No card is dealt before a floorperson has cleared what is open, one question after the other.

    A floorperson may have the deck taken away instead; before the deal of a round that is open, this ends it. Returns
    the badge by which the cards were handled, so that they have to be shuffled anew; empty if they were only looked at.
    """
    handled = ""
    while table.state.questions:
        question = table.state.questions[0]
        reasons = _CARD_LACKS if question.what in (MISSING, SET_ASIDE) else _LOOKED_AT
        cleared = await ClearQuestion(question, max(0, await Now() - question.since) // _MINUTE, reasons)
        if cleared.reason == REPLACE:
            deck = next((deck for deck in table.state.decks if deck.id == question.deck), None)
            if deck is not None and await _replace(table, deck, cleared.credential):
                handled = cleared.credential
            continue
        table.state = replace(table.state, questions=table.state.questions[1:])
        if cleared.reason == DECK_REMOVED:
            await _remove(table, question)
        elif cleared.reason != LOOKED:
            handled = cleared.credential
    return handled


async def close_questions(table: Table, deck: str, reason: str, cards: tuple[Card, ...] | None = None) -> None:
    """Close the questions of a deck, or those about these cards alone, by an act that has its own approval."""
    for question in table.state.questions:
        if question.deck == deck and cards in (None, question.cards):
            await CloseQuestion(question, reason)
            table.state = replace(table.state, questions=tuple(q for q in table.state.questions if q is not question))


async def remove_deck(table: Table, deck: str, clause: str, *, counted: bool = False) -> None:
    """A deck leaves the table, with its questions; if because it was `counted`, its earlier rounds are in doubt."""
    if counted:
        await raise_question(table, deck, "wrong_count", "counted, and not whole")
    await RemoveDeck(deck, clause)
    await close_questions(table, deck, DECK_REMOVED)
    table.state = replace(table.state, decks=tuple(known for known in table.state.decks if known.id != deck))


async def _remove(table: Table, question: DeckQuestion) -> None:
    clause = table.game.wrong_shuffler_count or table.game.played_with
    if table.stage is Stage.OPEN and question.deck == table.deck:
        raise TableHalt(question.what, clause, (DECK_REMOVED,), Disposition.REMOVE)
    if any(deck.id == question.deck for deck in table.state.decks):
        await remove_deck(table, question.deck, clause)


# Single cards -------------------------------------------------------------------------------------------------------


async def set_card_aside(table: Table, order: Order) -> None:
    """A damaged card is taken out of a deck, from which nothing is dealt before it is replaced.

    `order` has the badge; its `number` is that of the deck as it is at the table, from 1 (0: the one in play).
    """
    deck = _meant(table, order)
    card = (await NameCard(deck.id)).card
    await SetCardAside(deck.id, card, order.credential)
    named = "a card that nobody can name" if card is None else str(card)
    await raise_question(table, deck.id, SET_ASIDE, f"{named} set aside", () if card is None else (card,))
    await clear_questions(table)
    table.ready = False


async def replace_card(table: Table, order: Order) -> None:
    """A missing card is replaced, as the order's badge approves: by its like, with the deck's back, or not at all.

    What is known to be missing is what devices have named, and what was set aside. `order` is as in `set_card_aside`.
    """
    if await _replace(table, _meant(table, order), order.credential):
        table.ready = False  # it lies anywhere in the deck, which is shuffled anew


async def _replace(table: Table, deck: DeckState, credential: str) -> bool:
    """Whether a card was put into the deck."""
    missing = tuple(
        card
        for question in table.state.questions
        if question.deck == deck.id and question.what in (MISSING, SET_ASIDE)
        for card in question.cards
    )
    others = tuple(back for back in table.setup.backs if back != deck.back)
    named = await NameReplacement(deck.id, missing, (deck.back, *others))
    reason = _objection(named, missing, deck)
    if reason:
        await RefuseReplacement(deck.id, named, reason, credential)
        return False
    await ReplaceCard(deck.id, named.card, named.back, credential)
    await close_questions(table, deck.id, REPLACED, (named.card,))
    await _close_unnamed(table, deck.id)
    return True


async def _close_unnamed(table: Table, deck: str) -> None:
    """A card that was set aside and could not be named is the one that was replaced."""
    asked = [q for q in table.state.questions if (q.deck, q.what, q.cards) == (deck, SET_ASIDE, ())]
    if asked:
        await CloseQuestion(asked[0], REPLACED)
        table.state = replace(table.state, questions=tuple(q for q in table.state.questions if q is not asked[0]))


def _objection(named: Replacement, missing: tuple[Card, ...], deck: DeckState) -> str:
    """Why this card may not go into the deck, or nothing."""
    if named.card is not named.missing:
        return f"{named.card} is not {named.missing}"
    if missing and named.missing not in missing:
        return f"{named.missing} is not missing"
    if deck.back and named.back != deck.back:
        return f"back is {named.back}, not {deck.back}"
    return ""


def _meant(table: Table, order: Order) -> DeckState:
    place = order.number - 1 if 0 < order.number <= len(table.state.decks) else 0
    return table.state.decks[place]
