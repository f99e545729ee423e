"""The dealer's panel."""

from __future__ import annotations

from typing import Final

from tablectl.equipment import Capability, Command, Fault, KeyPressed, KeyReleased, Kind, ShowPrompt
from tablectl_hil.acts import act
from tablectl_hil.mechanisms.mechanism import Mechanism, Surroundings

__all__ = ["Panel"]

BOUNCE_S: Final = 0.02
STUCK_S: Final = 10.0


class Panel(Mechanism):
    """The dealer's panel: keys with lamps, a line of text, a beeper.

    Each key is filtered on its level: a press counts at once when the key has been up for `BOUNCE_S`, so two keys
    shortly after each other both count, in order. A key held for `STUCK_S` is stuck, a fault until it comes up; there
    is no auto-repeat. With `RELEASES` it tells when a key whose press counted has been up for `BOUNCE_S`. While no
    host is there the panel is dark and takes no press.

    A panel without `TEXT` has no display: what it is told as `text` is noticed all the same.
    """

    kind = Kind.PANEL
    model = "Emulated panel"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._released: dict[str, float] = {}
        self._held: dict[str, int] = {}
        self._down: set[str] = set()
        self._counted: set[str] = set()
        self._presses = 0
        self._bounces = 0
        self._beeps = 0
        self._stuck_s = STUCK_S

    def perform(self, command: Command, command_id: int) -> str | None:
        """Show a prompt."""
        if not isinstance(command, ShowPrompt):
            return super().perform(command, command_id)
        self._beeps += command.beep
        self._show(command_id, command.text, command.lit, command.standing)
        return None

    def _show(self, command: int, text: str, lit: tuple[str, ...], standing: tuple[str, ...]) -> None:
        self.around.notice(
            "shows", command=command, text=text, lit=list(lit), standing=list(standing), beeps=self._beeps
        )

    def attached(self, present: bool) -> None:
        """Go dark without a host."""
        super().attached(present)
        if not present:
            self._show(0, "", (), ())

    @act
    def press(self, key: str, bounces: int = 0) -> bool:
        """A finger presses a key and lets it go, with so many bounces of the contact at either end; if it counted."""
        bounces = bounces or self._bounces
        at = self.around.now()  # all of it is quick, however slow the machine
        self._released.pop(key, None)
        counted = self._contact(key, True, at)
        for level in [False, True] * bounces + [False] + [True, False] * bounces:
            self._contact(key, level, at)
        if not bounces:
            self._released.pop(key, None)
        return counted

    @act
    def bounce(self, times: int) -> None:
        """Let the contacts bounce so often at either end of each press that does not say how often; 0 ends it."""
        self._bounces = times

    @act
    def stuck_after(self, ms: int) -> None:
        """Let a key be stuck sooner than after `STUCK_S`."""
        self._stuck_s = ms / 1000

    @act
    def hold(self, key: str) -> bool:
        """A finger presses a key and stays on it; whether the press counted."""
        return self._contact(key, True, self.around.now())

    @act
    def release(self, key: str) -> None:
        """A key that was held comes up."""
        self._contact(key, False, self.around.now())
        if self.fault is Fault.STUCK and not self._down:
            self.fail(None)

    @act
    def hold_for(self, key: str, ms: int) -> bool:
        """A finger presses a key for so long; whether the press counted."""
        counted = self._contact(key, True, self.around.now())
        self.around.later(ms / 1000, lambda: self.release(key))
        return counted

    def _contact(self, key: str, closed: bool, at: float) -> bool:
        """The level of one contact changes at that time; whether that is a press."""
        if not closed:
            self._down.discard(key)
            self._released[key] = at
            if key in self._counted and self.can(Capability.RELEASES):
                mark = self._held[key]
                self.around.later(BOUNCE_S, lambda: self._up(key, mark))
            return False
        self._down.add(key)
        self._presses += 1
        mark = self._held[key] = self._presses
        self.around.later(self._stuck_s, lambda: self._stuck(key, mark))
        if not self.host_present or at - self._released.get(key, float("-inf")) < BOUNCE_S:
            return False
        self._counted.add(key)
        self.around.say(KeyPressed(key))
        return True

    def _up(self, key: str, mark: int) -> None:
        if key not in self._down and self._held[key] == mark and key in self._counted:
            self._counted.discard(key)
            self.around.say(KeyReleased(key))

    def _stuck(self, key: str, mark: int) -> None:
        if key in self._down and self._held[key] == mark:
            self.fail(Fault.STUCK)
