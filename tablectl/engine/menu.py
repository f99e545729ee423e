"""The IRREGULARITY key: a menu of what can apply now, then what has to be said of it, one question at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tablectl.cards import Position
from tablectl.engine.prompts import Prompt, key_of, position_of
from tablectl.procedure.game import SAID_OF
from tablectl.procedure.instructions import Incident

__all__ = ["CANCEL", "DIGITS", "ENTER", "IRREGULARITY", "NEXT", "NO", "PREVIOUS", "YES", "Digits", "Menu", "Report"]

IRREGULARITY, NEXT, PREVIOUS, ENTER, CANCEL, YES, NO = (
    "irregularity",
    "next",
    "previous",
    "enter",
    "cancel",
    "yes",
    "no",
)
DIGITS: Final = tuple(f"digit_{n}" for n in range(10))
_KEEP: Final = "no other method"
_YES_OR_NO: Final = {
    "exposed": "WAS ITS FACE SEEN?",
    "protected": "WAS THE HAND PROTECTED?",
    "reconstructed": "CAN THE HAND BE RECONSTRUCTED?",
    "blameless": "IS THE PLAYER WITHOUT BLAME?",
}
_NUMBERS: Final[Mapping[str, tuple[str, tuple[int, ...]]]] = {
    "cards_out": ("CARDS DEALT SO FAR", ()),
    "count": ("CARDS COUNTED", ()),
    "total": ("TOTAL AS ANNOUNCED", ()),
    "which": ("FIRST OR SECOND CARD, 1 OR 2", (1, 2)),
    "sides": ("SIDES THAT IT RESTS ON, 1 OR 2", (1, 2)),
}
"""What has to be said as a number: how it is asked, and which numbers there are, if not all."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the dealer reported; `cards_out` is how many cards had been dealt, where nothing but the dealer can tell."""

    incident: Incident
    cards_out: int | None


class Digits:
    """A number that is being keyed."""

    def __init__(self, most: int = 4) -> None:
        self.text = ""
        self._most = most

    def key(self, key: str) -> bool:
        """Take a digit; False for any other key."""
        if key not in DIGITS or len(self.text) == self._most:
            return False
        self.text += key.removeprefix("digit_")
        return True

    @property
    def value(self) -> int | None:
        """The number, None while nothing was keyed."""
        return int(self.text) if self.text else None


class Menu:
    """One report in the making. `key` takes presses; `report` is set when all is said, `cancelled` when given up.

    The list begins with the kinds that can apply now; the others follow, since what no clause speaks of is recorded
    too.
    """

    def __init__(
        self,
        applying: Sequence[str],
        others: Sequence[str],
        must_name_position: Sequence[str],
        positions: Sequence[Position],
        methods: Sequence[str],
        *,
        ask_cards_out: bool,
    ) -> None:
        self._kinds = (*applying, *others)
        self._place = 0
        self._must_name_position = must_name_position
        self._positions = tuple(positions)
        self._ask_cards_out = ask_cards_out
        self._questions: list[str] = []
        self._incident: Incident | None = None
        self._cards_out: int | None = None
        self._digits = Digits()
        self._methods = (_KEEP, *methods)
        self.report: Report | None = None
        self.cancelled = False

    def key(self, key: str) -> bool:
        """Take a press; False when it does not count now."""
        if key in (CANCEL, IRREGULARITY):
            self.cancelled = True
            return True
        if self._incident is None:
            return self._choose(key)
        return self._answer(self._incident, key)

    def prompt(self) -> Prompt:
        """What is asked now."""
        if self._incident is None:
            return Prompt(f"IRREGULARITY: {_words(self._kinds[self._place])}", (NEXT, PREVIOUS, ENTER, CANCEL))
        question = self._questions[0]
        if question == "position":
            return Prompt(f"{_words(self._incident.kind)}: WHERE?", (*map(key_of, self._positions), CANCEL))
        if question in _YES_OR_NO:
            return Prompt(_YES_OR_NO[question], (YES, NO, CANCEL))
        if question in _NUMBERS:
            text, _numbers = _NUMBERS[question]
            return Prompt(f"{text}: {self._digits.text}_", (*DIGITS, ENTER, CANCEL))
        return Prompt(f"DEAL BY: {_words(self._methods[self._place])}", (NEXT, PREVIOUS, ENTER, CANCEL))

    def _choose(self, key: str) -> bool:
        if key in (NEXT, PREVIOUS):
            self._place = (self._place + (1 if key == NEXT else -1)) % len(self._kinds)
            return True
        if key != ENTER:
            return False
        kind = self._kinds[self._place]
        self._incident = Incident(kind)
        if self._ask_cards_out:
            self._questions.append("cards_out")
        if kind in self._must_name_position:
            self._questions.append("position")
        self._questions += SAID_OF.get(kind, ())
        self._place = 0
        self._finish()
        return True

    def _answer(self, incident: Incident, key: str) -> bool:
        match self._questions[0]:
            case "position":
                position = position_of(key)
                if position is None or position not in self._positions:
                    return False
                self._incident = replace(incident, position=position)
            case question if question in _YES_OR_NO:
                if key not in (YES, NO):
                    return False
                said: dict[str, Any] = {question: key == YES}
                self._incident = replace(incident, **said)
            case "then":
                if key in (NEXT, PREVIOUS):
                    self._place = (self._place + (1 if key == NEXT else -1)) % len(self._methods)
                    return True
                if key != ENTER:
                    return False
                method = self._methods[self._place]
                self._incident = replace(incident, then=None if method == _KEEP else method)
            case question:
                if self._digits.key(key):
                    return True
                number, possible = self._digits.value, _NUMBERS[question][1]
                if key != ENTER or number is None or (possible and number not in possible):
                    return False
                if question == "cards_out":
                    self._cards_out = number
                else:
                    counted: dict[str, Any] = {question: number}
                    self._incident = replace(incident, **counted)
                self._digits = Digits()
        del self._questions[0]
        self._finish()
        return True

    def _finish(self) -> None:
        if not self._questions and self._incident is not None:
            self.report = Report(self._incident, self._cards_out)


def _words(name: str) -> str:
    return name.replace("_", " ").upper()
