"""Seeded rounds of the twenty-one games: the shoe from which they are dealt, and how their players decide."""

from __future__ import annotations

import random
from typing import Any, Final

from tablectl.cards import cards_of, seat
from tablectl.hands.twenty_one import total21
from tablectl.money import Money, show
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Game
from tablectl.procedure.table import Table, TableState

__all__ = ["Shoe", "play_21"]

_LAST_QUARTER: Final = 4
_STANDS_ON: Final = 16
_TWO_DOLLARS: Final = 200
_NO: Final = ("no_insurance", "no_second_chance")
_YES: Final = ("accept", "play_on", "second_chance", "even_money")


class Shoe:
    """The cards of one round after the other: a fresh deck for each, or, in the 21 games, what is left in the shoe."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self._game = game
        self._chance = chance
        self.goes_on = game.shuffle_clauses is not None and game.shuffle_clauses.per_shoe
        self._cards: list[str] = []
        self._out = 0

    def cards(self, state: TableState) -> list[str]:
        """What lies there for the next round of a table in that state, the first card to leave first."""
        left = self.goes_on and state.ready
        if left and self._cards and state.shoe.out >= self._out:
            return self._cards[state.shoe.out - self._out :]
        names = [card.name for card in cards_of(self._game.deck)]
        for seen in state.shoe.hands if left else ():  # of a shoe that was begun before
            for card in seen.cards:
                names.remove(card.name)
        self._chance.shuffle(names)
        self._cards, self._out = names, state.shoe.out if left else 0
        return list(names)

    def ends(self, cards: list[str]) -> list[dict[str, Any]]:
        """The cover card, which comes in the last quarter of a shoe, as an incident of the round."""
        if not self.goes_on or len(cards) > self._game.deck // _LAST_QUARTER:
            return []
        return [{"at": "card 2", "kind": "cover_card"}]


def play_21(act: acts.Ask, table: Table, chance: random.Random) -> str:
    """Draw to 16, double and split now and then, insure hardly ever."""
    verbs = [choice.verb for choice in act.choices]
    for verb in _YES:
        if verb in verbs and chance.random() < 0.8:
            return verb
    for verb in _NO:
        if verb in verbs and chance.random() < 0.8:
            return verb
    if "hit" not in verbs:
        return _named(act, chance.choice(verbs), chance)
    extra = [verb for verb in verbs if verb not in ("hit", "stand")]
    if extra and chance.random() < 0.5:
        return _named(act, chance.choice(extra), chance)
    held = [hidden.card for hidden in table.hands[seat(act.seat)] if hidden.card is not None]
    points = total21(held).points if not act.hand and len(held) < 5 else chance.randrange(12, 20)
    return "hit" if points < _STANDS_ON else "stand"


def _named(act: acts.Ask, verb: str, chance: random.Random) -> str:
    """The decision, now and then with an amount below the most that its wager may be."""
    choice = next(choice for choice in act.choices if choice.verb == verb)
    if not choice.up_to or choice.amount is None or choice.amount < _TWO_DOLLARS or chance.random() < 0.3:
        return verb
    return f"{verb} {show(Money(100 * chance.randrange(1, choice.amount // 100 + 1)))}"
