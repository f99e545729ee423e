"""The gate between rounds: faults that are latched are cleared one by one, by a floorperson's badge and a reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tablectl.engine.desk import Desk
from tablectl.engine.inputs import Input
from tablectl.engine.menu import DIGITS
from tablectl.engine.picture import Latch
from tablectl.engine.prompts import Prompt, first_that_fits
from tablectl.equipment import KeyPressed, Kind

__all__ = ["REASONS", "Cleared", "Clearing"]

REASONS: Final = {"digit_1": "repaired", "digit_2": "replaced", "digit_3": "checked", "digit_4": "out_of_service"}


@dataclass(frozen=True, slots=True)
class Cleared:
    """A fault that a person cleared; `out_of_service` is the kind of device that is not used any more."""

    latch: Latch
    credential: str
    reason: str
    out_of_service: str | None


class Clearing:
    """Waits for a badge and a reason for the first of the latched faults that `latches` gives, as they are then.

    A device that is still lost, or still shows what it was latched for, can only be taken out of service: shuffler and
    shoe then leave the table, or are covered, by the chapter's clause, the panel stays what it is. A card reader cannot
    be: it is repaired or replaced, and until then nothing is dealt.
    """

    def __init__(self, desk: Desk, latches: Callable[[], Sequence[Latch]]) -> None:
        self._desk = desk
        self._latches = latches
        self._credential: str | None = None
        self.counted = False

    def offer(self, given: Input) -> Cleared | None:
        """Take one input; `counted` says afterwards whether it was of use."""
        self.counted = True
        badge = self._desk.is_floorperson(given.message)
        if badge is not None:
            self._credential = badge
            return None
        key = given.message.key if isinstance(given.message, KeyPressed) else None
        if key == "floor_key" and self._desk.key_switch_counts:
            self._credential = "key switch"
            return None
        if key in self._reasons() and self._credential is not None:
            latch, reason = self._latch, REASONS[key]
            gone = self._desk.picture.links[latch.device].kind.value if reason == "out_of_service" else None
            credential, self._credential = self._credential, None
            return Cleared(latch, credential, reason, gone if gone in ("shuffler", "shoe") else None)
        self.counted = False
        return None

    def prompt(self) -> Prompt:
        """Which device, and what to do now."""
        keys = self._reasons()
        told: tuple[str, ...]
        if self._credential is None:
            told = "FLOORPERSON'S BADGE", "FLOOR'S BADGE", "BADGE"
            keys = ("floor_key",) if self._desk.key_switch_counts else ()
        elif not keys:
            told = "REPAIR OR REPLACE IT", "REPAIR IT"
        elif len(keys) == 1:
            told = "4 OUT OF SERVICE", "4 OUT"
        else:
            out = " 4 OUT" if len(keys) == len(REASONS) else ""
            told = f"1 REPAIRED 2 NEW 3 OK{out}", f"1 FIXED 2 NEW 3 OK{out}"
        return Prompt(self._named(told), tuple(keys))

    def _named(self, told: Sequence[str]) -> str:
        """What is told of the device and its fault; where both do not fit, of the device, as shortly as need be."""
        device = self._latch.device.replace("_", " ").upper()
        fault = self._latch.fault.replace("_", " ").upper()
        whole = [f"{device} {fault}: {text}" for text in told]
        return first_that_fits(*whole, *[f"{device}: {text}" for text in told], told[-1])

    @property
    def _latch(self) -> Latch:
        return self._latches()[0]

    def _reasons(self) -> tuple[str, ...]:
        *back, out = REASONS
        picture, needed = self._desk.picture, self._desk.picture.links[self._latch.device].kind in _NEEDED
        return (*(() if picture.persists(self._latch) else back), *(() if needed else (out,)))


_NEEDED: Final = (Kind.CARD_READER,)

assert set(REASONS) <= set(DIGITS)
