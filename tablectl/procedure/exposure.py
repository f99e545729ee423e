"""Cards that are turned up are held against the deck: none twice, none that it does not hold, none in sequence."""

from __future__ import annotations

from dataclasses import replace

from tablectl.cards import JOKER, Card
from tablectl.procedure.questions import alarm
from tablectl.procedure.sequences import CERTAIN, is_sorted, surprise
from tablectl.procedure.table import Table

__all__ = ["look_at", "look_for_order"]


async def look_at(table: Table, act: object, result: object) -> None:
    """Take note of an act; a card that was turned up more often than the deck holds it is an alarm at once."""
    if not table.shown.take(act, result):
        return
    cards = table.shown.cards
    different = dict.fromkeys(cards)
    if len(different) == len(cards) and (JOKER not in different or _copies(table, JOKER)):
        return
    for card in different:
        held, found = _copies(table, card), cards.count(card)
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
    deck, *others = table.state.decks
    found = surprise(hands, table.game.deck)
    if is_sorted(found, deck.surprise):
        cards = tuple(dict.fromkeys(card for hand in hands for card in hand.cards))
        await alarm(table, deck.id, "cards_in_sequence", f"{len(cards)} cards lie as in a sorted deck")
        found = CERTAIN
    if not table.game.shuffle_clauses.per_shoe:  # of one shoe the rounds are looked at together
        table.state = replace(table.state, decks=(replace(deck, surprise=found), *others))


def _copies(table: Table, card: Card) -> int:
    """How often the cards in play hold that card."""
    decks, jokers = divmod(table.game.deck, 52)
    return jokers if card is JOKER else decks
