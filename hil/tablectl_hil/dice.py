"""What the robot dealer does with dice and numbers: shakes, uncovers, keys what lies there or is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tablectl.engine.scenario import Incident, RoundScript

__all__ = ["OF_THE_THROW", "TWICE", "AtTheDice", "is_of_the_dice"]

OF_THE_THROW: Final = ("no_roll", "die_off_table", "dice_stacked", "die_cocked")
_LIES: Final = {"no_roll": "cocked", "die_off_table": "off_table", "dice_stacked": "stacked"}

_NOT_READABLE: Final = "DICE NOT READABLE: KEY THEM"
_LOST: Final = "SHAKER LOST: KEY THE DICE"
_OF_THE_NUMBER: Final = (": KEY WHAT IT SHOWS", ": KEY WHAT IS SHOWN")
TWICE: Final = 2
"""Of a die that is cocked on so many sides no face counts, and the dice are thrown again."""

Deed = tuple[str, str, dict[str, Any], bool]
"""Device, act, its facts, and whether the panel changes by it."""


def is_of_the_dice(text: str) -> bool:
    """Whether a device for dice or numbers asks by that line: its digits are no floorperson's reasons."""
    by_shaker = text.startswith(("UNCOVER THE DICE", "THROW THE DICE"))
    return by_shaker or text in (_NOT_READABLE, _LOST) or text.endswith(_OF_THE_NUMBER)


class AtTheDice:
    """Dice and numbers of one scripted round; `shaker` and `rng` are ids of devices, None where they are keyed.

    `untold` gives, and takes off the list, what is wrong with the next throw where the shaker sees that by itself.
    """

    def __init__(
        self,
        script: RoundScript,
        panel: str,
        shaker: str | None,
        rng: str | None,
        untold: Callable[[int], Incident | None],
    ) -> None:
        self._dice = list(script.dice)
        self._numbers = list(script.rng)
        self._panel = panel
        self._shaker = shaker
        self._rng = rng
        self._untold = untold
        self._chosen: list[int] = []  # what the generator was told to choose
        self._arranged = 0
        self._uncovered = False  # and nothing is known of the throw yet
        self.throws = 0

    def thrown(self) -> None:
        """A throw has been reported instead of keyed."""
        self.throws += 1

    def is_awaited(self, text: str, kind: str) -> bool:
        """Whether the line asks for the next throw, nothing of it has been keyed or shaken yet, and that may be told.

        What is wrong with the throw itself a shaker sees without being told.
        """
        if text.startswith("SHAKE THE DICE: 0 "):
            return kind not in OF_THE_THROW
        return text.startswith("SHAKE 3") and text.endswith(": _")

    def before_the_deal(self) -> Deed | None:
        """The generator is told what it will choose, since it chooses as soon as it is asked."""
        if self._rng is None or not self._numbers:
            return None
        self._chosen, self._numbers = self._numbers, []
        return self._rng, "draw_next", {"numbers": list(self._chosen)}, False

    def next(self, text: str) -> Deed | None:
        """What is to be done about that line of the panel."""
        if text.startswith("NUMBER SHOWN") or text.endswith(_OF_THE_NUMBER):
            return self._press(f"digit_{(self._numbers or self._chosen).pop(0)}")
        if text.startswith("SHAKE THE DICE: "):
            self._uncovered = False
            return self._shake()
        if text.startswith(("UNCOVER THE DICE", "THROW THE DICE")):
            self.throws, self._uncovered = self.throws + (not self._uncovered), True
            return self._press("done")
        if text in (_NOT_READABLE, _LOST):
            self.throws -= text == _NOT_READABLE or self._uncovered  # it was thrown, and what lies there is keyed
            self._uncovered = False
            return self._press(f"digit_{self._dice[self.throws][0]}")
        if text.startswith("DICE: "):
            self.throws += 1
            return self._press("enter")
        if text.startswith(("SHAKE 3", "COCKED")):
            keyed = len(text.rsplit(" ", 1)[1].rstrip("_"))
            return self._press(f"digit_{self._dice[self.throws][keyed]}")
        return None

    def _shake(self) -> Deed:
        assert self._shaker is not None
        if self._arranged == self.throws + 1:
            return self._shaker, "shake", {}, True
        self._arranged = self.throws + 1
        dice = [str(face) for face in self._dice[self.throws]]
        wrong = self._untold(self._arranged)
        if wrong is not None:
            cocked = "cocked_twice" if wrong.sides == TWICE else "cocked"
            dice[-1] += f":{_LIES.get(wrong.kind, cocked)}"
        return self._shaker, "arrange", {"dice": dice}, False

    def _press(self, key: str) -> Deed:
        return self._panel, "press", {"key": key}, True
