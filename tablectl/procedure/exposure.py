"""Cards that are turned up are held against the deck: none twice, none that it does not hold, none in sequence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.cards import JOKER, Card, deck
from tablectl.procedure.questions import alarm
from tablectl.procedure.sequences import CERTAIN, is_sorted, surprise
from tablectl.procedure.table import Table
from tablectl.records import replace

__all__ = ["look_at", "look_for_order", "may_be_wrong"]

_ONE_DECK: Final = len(deck())


def may_be_wrong(table: Table, turned_up: Sequence[Card]) -> bool:
    """Whether `look_at` has to be awaited: one of these cards may lie there more often than the deck holds it."""
    return table.shown.most > table.game.deck // _ONE_DECK or JOKER in turned_up


async def look_at(table: Table, turned_up: Sequence[Card]) -> None:
    """A card that has just been turned up more often than the deck holds it is an alarm at once."""
    decks, jokers = divmod(table.game.deck, _ONE_DECK)
    times = table.shown.times
    for card in turned_up:
        held = jokers if card is JOKER else decks
        found = times.get(card, 0)
        if found > held and card not in table.told_twice:
            table.told_twice.append(card)
            if held:
                await alarm(table, table.deck, "card_twice", f"{card} turned up {found} times", (card,))
            else:
                await alarm(table, table.deck, "foreign_card", f"{card} is no card of this deck", (card,))


async def look_for_order(table: Table) -> None:
    """At the end of a round: cards in sequence, in it or in two of the same deck, mean that it was not shuffled."""
    hands = table.shown.last_rounds
    if not hands or not table.state.decks:
        return
    played, *others = table.state.decks
    found = surprise(hands, table.game.deck)
    if is_sorted(found, played.surprise):
        cards = tuple(dict.fromkeys(card for hand in hands for card in hand.cards))
        await alarm(table, played.id, "cards_in_sequence", f"{len(cards)} cards lie as in a sorted deck")
        found = CERTAIN
    if found == played.surprise:
        return
    if not table.game.shuffling.per_shoe:  # of one shoe the rounds are looked at together
        table.state = replace(table.state, decks=(replace(played, surprise=found), *others))
