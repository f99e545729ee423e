"""Seeded rounds for a table that runs by itself: who wagers what, the deck, how the players decide, what goes wrong."""

from __future__ import annotations

import random
from typing import Any, Final

from tablectl.cards import Card, deck
from tablectl.engine.scenario import RoundScript
from tablectl.hands.three import ThreeCard, ThreeCardRank, rank3
from tablectl.procedure.game import Game

__all__ = ["Players"]

_CHIPS: Final = (500, 1000, 1500, 2500, 5000)
_PLAY_FROM: Final = ThreeCardRank(ThreeCard.HIGH_CARD, (12, 6, 4))
_MISHAPS: Final = ("card_face_up", "drawn_in_error", "dealer_card_exposed", "wrong_card_count", "late_wager")


class Players:
    """Rounds of one game, one after the other, from a seed. `mishaps` of 100 rounds have something go wrong."""

    def __init__(self, game: Game, seats: int, seed: int, *, mishaps: int = 10) -> None:
        self._game = game
        self._seats = seats
        self._chance = random.Random(seed)
        self._mishaps = mishaps

    def next_round(self) -> RoundScript:
        """The next round's script."""
        chance = self._chance
        cards = list(deck(joker=self._game.deck == 53))
        chance.shuffle(cards)
        seated = [seat for seat in range(1, self._seats + 1) if chance.random() < 0.7] or [1]
        wagers = {seat: self._wagers() for seat in seated}
        script: dict[str, Any] = {
            "wagers": wagers,
            "cards": " ".join(card.name for card in cards),
            "decisions": {
                seat: [self._decision(_hand(cards, seated, place))]
                for place, seat in enumerate(seated)
                if "ante" in wagers[seat]
            },
        }
        if chance.randrange(100) < self._mishaps:
            self._mishap(script, dealt=3 * (len(seated) + 1))
        return RoundScript.model_validate(script)

    def _wagers(self) -> dict[str, str]:
        ante, pair_plus = self._chance.choice(_CHIPS), self._chance.choice(_CHIPS)
        match self._chance.randrange(6):
            case 0:
                return {"pair_plus": _dollars(pair_plus)}
            case 1 | 2:
                return {"ante": _dollars(ante), "pair_plus": _dollars(pair_plus)}
            case _:
                return {"ante": _dollars(ante)}

    def _decision(self, hand: list[Card]) -> str:
        return "bet" if rank3(hand) >= _PLAY_FROM else "fold"

    def _mishap(self, script: dict[str, Any], dealt: int) -> None:
        at = f"card {self._chance.randrange(1, dealt + 1)}"
        match self._chance.choice(_MISHAPS):
            case "card_face_up":
                number = self._chance.randrange(dealt)
                cards = script["cards"].split()
                aside = cards.pop()  # the hands stay what they are: another card lies face up between them
                cards.insert(number, f"^{aside}")
                script["cards"] = " ".join(cards)
            case "dealer_card_exposed":
                script["incidents"] = [{"at": at, "kind": "card_exposed", "position": "dealer"}]
                script["decisions"] = {}
            case "wrong_card_count":
                script["incidents"] = [{"at": at, "kind": "wrong_card_count", "position": "dealer"}]
                script["decisions"] = {}
            case kind:
                script["incidents"] = [{"at": at, "kind": kind}]


def _hand(cards: list[Card], seated: list[int], place: int) -> list[Card]:
    """The hand of the `place`th player when single cards are dealt clockwise, the dealer last."""
    return [cards[place + turn * (len(seated) + 1)] for turn in range(3)]


def _dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"
