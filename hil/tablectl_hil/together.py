"""What the robot dealer does where players decide together: declared hands, the lock, cards that are thrown away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tablectl.cards import Card, card
from tablectl.procedure.game import Game
from tablectl_hil.dealt import Dealt

__all__ = ["Together"]

_NO_DECLARE: Final = "no_declare"
_DECLARED: Final = "DECLARED: "
_LOCKED: Final = "decisions_locked"
_THROWS: Final = re.compile(r"SEAT (\d+) THROWS AWAY [\d-]+: (\d?)_")
_PRESSES: Final = {"super": 1, "instant": 2}


class Together:
    """One scripted round. A seat declares what its cards are, but where its decisions begin with `no_declare`."""

    def __init__(self, game: Game, decisions: dict[int, list[str]], dealt: Dealt) -> None:
        self._game = game
        self._decisions = decisions
        self._dealt = dealt
        self._declaring: list[str] | None = None
        self._thrown: dict[int, list[Card]] = {}

    def is_asked(self, text: str, lit: Sequence[str]) -> bool:
        """Whether that line of the panel asks for something of this."""
        return text.startswith(_DECLARED) or _LOCKED in lit or _THROWS.match(text) is not None

    def next(self, text: str, lit: Sequence[str]) -> str:
        """The key to be pressed at that line of the panel."""
        if text.startswith(_DECLARED):
            if self._declaring is None:
                self._declaring = [key for seat in _seats(lit) for key in self._declares(seat)]
            return self._declaring.pop(0) if self._declaring else "enter"
        throws = _THROWS.match(text)
        if throws is None:
            return _LOCKED
        seat, keyed = int(throws[1]), throws[2]
        count = str(len(self._thrown[seat]))
        if keyed != count:
            return f"digit_{count}"
        self._dealt.throw(f"seat {seat}", self._thrown[seat])
        return "enter"

    def decided(self, seat: int, decision: str) -> None:
        """A seat has decided: the cards that it names are thrown away when its turn comes."""
        verb, *names = decision.split()
        if verb in ("exchange", "draw"):
            self._thrown[seat] = [card(name) for name in names]

    def _declares(self, seat: int) -> list[str]:
        """The presses of one seat's key that declare its hand."""
        hand = [self._dealt.card(f"seat {seat}", number) for number in range(1, self._game.hand + 1)]
        what = self._game.declares(hand)
        if self._decisions.get(seat, [])[:1] == [_NO_DECLARE]:
            self._decisions[seat].pop(0)
            return []
        return [f"seat_{seat}"] * _PRESSES.get(what or "", 0)


def _seats(lit: Sequence[str]) -> list[int]:
    return [int(key.removeprefix("seat_")) for key in lit if key.startswith("seat_")]
