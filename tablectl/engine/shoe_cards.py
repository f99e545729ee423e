"""The cards of a scenario's shoe, which goes on from round to round in the 21 games.

The listed cards of a round leave first, whatever was said of the shoe before; behind them is all that has not left yet,
in the deck's order. So a card can be listed as often as the decks hold it, until the cards have been shuffled.

Where the button is given away by cards, they are listed before those of the round, and come again.
"""

from __future__ import annotations

from collections.abc import Sequence

from tablectl import events as e
from tablectl.cards import Card, deck
from tablectl.engine.scenario import RoundScript, Scenario, ScriptCard, all_cards, for_the_button
from tablectl.errors import ScenarioError

__all__ = ["ShoeCards"]

_EMPTY = "insufficient_cards"


class ShoeCards:
    """What has left the shoe of a scenario's table; nothing as long as each round has a deck of its own."""

    def __init__(self, scenario: Scenario) -> None:
        game = scenario.game
        self._size = game.deck
        per_shoe = game.shuffle_clauses is not None and game.shuffle_clauses.per_shoe
        self._goes_on = per_shoe and not scenario.setup.continuous  # else the cards are back in it after each round
        self._gone: list[Card] = []
        self._for_the_button = scenario.button_by_card

    def left_for(self, script: RoundScript, number: int) -> RoundScript:
        """The script of that round with all that is left behind its listed cards.

        `ScenarioError` where it lists a card that is in the shoe no more.
        """
        if self._for_the_button:
            return self._with_whole_deck(script)
        if not self._gone:
            return script
        copies = self._size // len(deck())
        left = {card: copies - self._gone.count(card) for card in deck()}
        empty = [incident.at.number for incident in script.incidents if incident.kind == _EMPTY]
        reshuffled_at = min(empty, default=len(script.cards) + 1)
        for listed in script.cards[: reshuffled_at - 1]:
            left[listed.card] -= 1
            if left[listed.card] < 0:
                raise ScenarioError(
                    f"round {number}: cards: {listed.card} is listed, and the shoe holds none any more:"
                    f" {copies} have left it since it was filled"
                )
        rest = (ScriptCard(card) for _ in range(copies) for card in deck() if self._take(left, card))
        return script.model_copy(update={"cards": (*script.cards, *rest)})

    def _with_whole_deck(self, script: RoundScript) -> RoundScript:
        """The script with a whole deck behind the cards for the button: what is listed after them, then all others."""
        drawn, listed = for_the_button(script), script.cards
        after = listed[drawn:]
        again = all_cards(script.model_copy(update={"cards": after}), self._size)
        return script.model_copy(update={"cards": (*all_cards(script, self._size)[:drawn], *again)})

    @staticmethod
    def _take(left: dict[Card, int], card: Card) -> bool:
        left[card] -= 1
        return left[card] >= 0

    def played(self, script: RoundScript, events: Sequence[e.Event]) -> None:
        """Take note of what has left in a round that was played from that script."""
        if any(isinstance(event, e.ButtonDrawn) for event in events):
            self._for_the_button = False
        if not self._goes_on:
            return
        cards = all_cards(script, self._size)
        for event in events:
            if isinstance(event, e.DeckShuffled):
                self._gone.clear()
            elif isinstance(event, e.CardDealt):
                self._gone.append(cards[event.number - 1].card)
            elif isinstance(event, e.RoundClosed) and event.disposition is not e.Disposition.CONTINUE:
                self._gone.clear()
