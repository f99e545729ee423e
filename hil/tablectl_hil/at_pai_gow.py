"""What the robot dealer does at hands that are set: names the low cards, who surrenders, and whose seats are one's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tablectl.engine.scenario import RoundScript

__all__ = ["AtPaiGow"]

_LOW: Final = re.compile(r"SEAT (\d+) LOW(?: (\d+))?: (.+)")
_NAMED: Final = re.compile(r"SEAT \d+ LOW .+\? ENTER")
_SHARED: Final = "ONE PLAYER ON TWO: "
_WHO: Final = "SURRENDER: WHICH SEAT?"
_SURRENDER: Final = "surrender"


class AtPaiGow:
    """One scripted round; `decisions` are what the seats have still to say."""

    def __init__(self, script: RoundScript, decisions: Mapping[int, list[str]]) -> None:
        self._shared = [min(seats) for seats in script.players.values() if len(seats) == 2]
        self._decisions = decisions
        self._lows = {
            seat: said.split()[1:]
            for seat, verbs in script.decisions.items()
            for said in verbs
            if said.startswith("set ")
        }

    def next(self, text: str, lit: Sequence[str]) -> str | None:
        """The key to be pressed at that line of the panel; None where it asks for nothing of this."""
        low = _LOW.fullmatch(text)
        if low is not None:
            named = self._lows[int(low[1])][int(low[2] or 1) - 1]
            return f"digit_{low[3].split().index(named) + 1}"
        if _NAMED.fullmatch(text):
            return "enter"
        if text.startswith(_SHARED):
            said = text.removeprefix(_SHARED).partition(".")[0].split()
            wanted = (lower for lower in self._shared if f"{lower}+{lower + 1}" not in said and f"seat_{lower}" in lit)
            return next((f"seat_{lower}" for lower in wanted), "enter")
        surrenders = next((seat for seat, left in sorted(self._decisions.items()) if left[:1] == [_SURRENDER]), None)
        if text.startswith(_WHO) and surrenders is not None:
            self._decisions[surrenders].pop(0)
            return f"seat_{surrenders}"
        return _SURRENDER if text.startswith("DEALER:") and _SURRENDER in lit and surrenders is not None else None
