"""What decides by chance: the dice shaker and the random number generator."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tablectl.equipment import (
    Capability,
    Command,
    DiceAge,
    DiceRead,
    Die,
    DieLies,
    DrawNumber,
    Kind,
    Message,
    NewDice,
    NumberDrawn,
    ReadDice,
    Shaken,
)
from tablectl_hil.acts import CannotBeDone, act
from tablectl_hil.mechanisms.mechanism import Mechanism, Surroundings

__all__ = ["Rng", "Shaker"]

_DICE: Final = {Capability.THREE_DICE: 3, Capability.SIX_DICE: 6, Capability.TEN_DICE: 10}
_SURE: Final = 99
_DIE: Final = re.compile(r"([1-6?])(?::([a-z_]+))?(?:@(\d{1,3}))?")
_ANY_DIGIT: Final = re.compile(_DIE.pattern.replace("1-6", "0-9"))


def _die(text: str, form: re.Pattern[str] = _DIE) -> Die:
    """A die as ``5``, ``5:cocked``, ``?:off_table`` or ``5@60``: face, how it lies, how sure in percent."""
    match = form.fullmatch(text)
    lies = match and (match[2] or "flat")
    if match is None or lies not in set(DieLies) or int(match[3] or 0) > 100:
        raise CannotBeDone(f"{text!r} is no die: expected a form such as 5, 5:cocked, ?:off_table or 5@60")
    face = None if match[1] == "?" else int(match[1])
    return Die(face, int(match[3] or (_SURE if face else 0)), DieLies(lies))


class Shaker(Mechanism):
    """A shaker with three, six or ten dice: counts the shakes, and reads the dice when its lid is lifted."""

    kind = Kind.SHAKER
    model = "Emulated dice shaker"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._count = next((_DICE[one] for one in capabilities if one in _DICE), 3)
        self._shakes = self._throws = 0
        self._since = around.now()
        self._dice = self._thrown()
        self._arranged: tuple[Die, ...] | None = None
        self._misread: tuple[Die, ...] | None = None

    def report(self, complete: bool) -> Iterable[Message]:
        """Its state, and how old its dice are."""
        yield self.state()
        yield self._age(0)

    def perform(self, command: Command, command_id: int) -> str | None:
        """Read the dice, or begin their age."""
        match command:
            case ReadDice():
                refusal = self.not_ready()
                if refusal is None:
                    self._read(command_id)
                return refusal
            case NewDice():
                self._since, self._throws, self._shakes = self.around.now(), 0, 0
                self.around.say(self._age(command_id))
                return None
            case _:
                return super().perform(command, command_id)

    @act
    def shake(self, times: int = 1) -> None:
        """Shake it so many times."""
        for _ in range(times):
            self._shakes += 1
            self.around.say(Shaken(self._shakes))
        self._dice = self._thrown()

    @act
    def arrange(self, dice: tuple[str, ...]) -> None:
        """Let the dice lie so when they are next read: ``5``, ``5:cocked``, ``?:off_table``, ``5@60`` (60 % sure)."""
        self._arranged = tuple(_die(text) for text in dice)

    @act
    def misread(self, dice: tuple[str, ...]) -> None:
        """Let the next read say this, however the dice lie: other faces (0 to 9), too few dice, or too many."""
        self._misread = tuple(_die(text, _ANY_DIGIT) for text in dice)

    @act
    def wear(self, days: int, throws: int) -> None:
        """Let the dice have been in use for so long."""
        self._since = self.around.now() - days * 86_400
        self._throws = throws

    def _read(self, command_id: int) -> None:
        if self._arranged is not None:
            self._dice, self._arranged = self._arranged, None
        shakes, self._shakes = self._shakes, 0
        self._throws += shakes > 0
        said, self._misread = self._dice if self._misread is None else self._misread, None
        self.around.say(DiceRead(command_id, shakes, said))

    def _thrown(self) -> tuple[Die, ...]:
        return tuple(Die(self.around.chance.randint(1, 6), _SURE, DieLies.FLAT) for _ in range(self._count))

    def _age(self, command: int) -> DiceAge:
        return DiceAge(command, int(self.around.now() - self._since), self._throws)


class Rng(Mechanism):
    """The random number generator; here its numbers come from the emulators' seed."""

    kind = Kind.RNG
    model = "Emulated random number generator"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._next: list[int] = []
        self._misdrawn: int | None = None

    def perform(self, command: Command, command_id: int) -> str | None:
        """Draw."""
        if not isinstance(command, DrawNumber):
            return super().perform(command, command_id)
        refusal = self.not_ready()
        if refusal is None and command.low > command.high:
            refusal = f"there is no number from {command.low} to {command.high}"
        if refusal is None:
            number = self._next.pop(0) if self._next else self.around.chance.randint(command.low, command.high)
            said, self._misdrawn = number if self._misdrawn is None else self._misdrawn, None
            self.around.say(NumberDrawn(command_id, said))
        return refusal

    @act
    def draw_next(self, numbers: tuple[int, ...]) -> None:
        """Let the next numbers be these, whatever is asked for."""
        self._next = list(numbers)

    @act
    def misdraw(self, number: int) -> None:
        """Let it say that of the next number, whatever it draws."""
        self._misdrawn = number
