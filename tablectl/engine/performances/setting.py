"""Hands that are set: the low cards of a player's own setting, the dealer's by the house way; and envy lammers."""

from __future__ import annotations

from typing import Final

from tablectl.cards import Card
from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import Input
from tablectl.engine.menu import ENTER
from tablectl.engine.performances.keys import CardKeys, key_of_press
from tablectl.engine.prompts import Prompt, position_of
from tablectl.equipment import CardScanned
from tablectl.procedure import instructions as acts

__all__ = ["Laid", "Lammers"]

_DONE: Final = "done"


class Laid(Performance):
    """Two hands of one position: the dealer lays his as the line says, and says which cards are low in a player's.

    A player's low cards are shown to the scanner, or keyed: a digit for its place in the line, or the card. What a
    player has left to the house way is known.
    """

    def __init__(self, act: acts.SetHands, desk: Desk) -> None:
        self._act = act
        self._low: list[Card] = []
        self._keys = CardKeys(desk)

    def begin(self) -> Answer:
        return Done(self._act.low) if self._act.low and self._act.position.kind == "seat" else Taken.HELD

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if self._act.low:
            return Done(self._act.low) if key == _DONE else Taken.IGNORED
        if isinstance(given.message, CardScanned):
            return self._pick(given.message.card, final=True)
        if key == ENTER and len(self._low) == self._act.count:
            return Done(tuple(self._low))
        if key == "clear" and self._low:
            self._low.clear()
            return Taken.HELD
        if key in self._places:
            return self._pick(self._act.cards[self._places.index(key)])
        keyed = self._keys.key(key)
        if keyed is not None:
            return self._pick(keyed)
        return Taken.HELD if self._keys.begun(key) else Taken.IGNORED

    def prompt(self) -> Prompt:
        if self._act.low:
            low = " ".join(str(each) for each in self._act.low)
            return Prompt(f"DEALER LOW {low}: SET, THEN DONE", (_DONE,))
        where = str(self._act.position).upper()
        if len(self._low) == self._act.count:
            low = " ".join(str(each) for each in self._low)
            return Prompt(f"{where} LOW {low}? ENTER", (*self._places, ENTER, "clear"))
        cards = " ".join(str(each) for each in self._act.cards)
        number = f" {len(self._low) + 1}" if self._act.count > 1 else ""
        return Prompt(f"{where} LOW{number}: {cards}", (*self._places, *(("clear",) if self._low else ())))

    @property
    def _places(self) -> tuple[str, ...]:
        return tuple(f"digit_{place}" for place in range(1, len(self._act.cards) + 1))

    def _pick(self, picked: Card, *, final: bool = False) -> Answer:
        """Take a card for a low one; once there are enough of them, the next one begins anew."""
        if picked not in self._act.cards or (picked in self._low and len(self._low) < self._act.count):
            return Taken.IGNORED
        if len(self._low) == self._act.count:
            self._low.clear()
        self._low.append(picked)
        return Done(tuple(self._low)) if final and len(self._low) == self._act.count else Taken.HELD


class Lammers(Performance):
    """Envy lammers next to wagers of enough: at seats whose amount no sensor tells, the dealer says where there are."""

    def __init__(self, act: acts.PlaceLammers, desk: Desk) -> None:
        self._act = act
        self._placed: list[int] = []

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == _DONE:
            return Done(tuple(sorted((*self._act.seats, *self._placed))))
        position = None if key is None else position_of(key)
        if position is None or position.number not in self._act.asked:
            return Taken.IGNORED
        if position.number in self._placed:
            self._placed.remove(position.number)
        else:
            self._placed.append(position.number)
        return Taken.HELD

    def prompt(self) -> Prompt:
        seats = " ".join(str(number) for number in sorted((*self._act.seats, *self._placed))) or "NONE"
        text = f"ENVY LAMMERS: {seats}. THEN DONE"
        return Prompt(text, (*(f"seat_{number}" for number in self._act.asked), _DONE))
