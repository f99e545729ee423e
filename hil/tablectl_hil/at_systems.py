"""What a robot dealer does at a progressive or at extra-roll sensors: wagers, lock-out, collection, awards.

Where such a system is connected chips are put on its sensors; else the dealer keys what its own buttons and sign show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tablectl.engine.scenario import Incident, RoundScript, Scenario
from tablectl.equipment import Kind
from tablectl.events import MeterRead
from tablectl.money import Money, show
from tablectl.procedure.game import Game

__all__ = ["USUAL", "AtSystems", "Deed", "has_system", "meter_rules", "signs_read"]

USUAL: Final = Money(1_00)
"""What a wager on a progressive's sensor is taken for; of another amount the dealer says so."""

SECOND: Final = "1001"
"""The badge of whoever answers for something together with the floorperson: a dealer's."""

_ACCEPTED: Final = re.compile(r"(?P<wager>.+) (?P<n>\d+) ACCEPTED: ")
_ASKS_FOR: Final = ("verified", "light_on", "returned")


class Deed(NamedTuple):
    """Device, act and its facts; `shows`: the panel changes with it."""

    device: str
    name: str
    facts: Mapping[str, Any]
    shows: bool = True


def signs_read(events: Sequence[object]) -> list[Money]:
    """What the meter's sign shows whenever it is read in a scripted round, in order."""
    return [event.display for event in events if isinstance(event, MeterRead)]


def has_system(scenario: Scenario, kind: Kind) -> bool:
    """Whether the game has a system of that kind, and its wager is on file."""
    systems = (system for system in scenario.game.systems if system.kind is kind)
    return any(system.offered(scenario.rules) for system in systems if scenario.refused is None)


def meter_rules(scenario: Scenario) -> dict[str, Any] | None:
    """How an emulated meter is set up to show what the scenario says; None where no one meter can.

    No wager moves it, since what a scenario says that it shows has the round's wagers in it. What it shows in a later
    round follows from the first: a scenario that says otherwise, or files a rate of progression, is played without a
    system that is connected.
    """
    told = [script.meter for script in scenario.rounds]
    if scenario.refused is not None or any(meter is not None for meter in told[1:]):
        return None
    shown = told[0] if told else None
    for system in scenario.game.systems:
        filed = None if system.progressive is None else system.progressive(scenario.rules)
        if filed is not None and filed.rate is None:
            base = show(filed.reset if shown is None else shown)
            return {"base": base, "reset": show(filed.reset), "increment_ppm": 0, "hidden_ppm": 0}
    return None


class AtSystems:
    """One round's acts at the systems of a game; `devices` are those that are connected, by wager."""

    def __init__(
        self,
        game: Game,
        script: RoundScript,
        panel: str,
        devices: Mapping[str, str],
        reader: str | None,
        signs: Sequence[Money],
        unreported: Callable[[str], Incident | None],
    ) -> None:
        self._panel = panel
        self._devices = devices
        self._reader = reader
        self._signs = list(signs)
        self._unreported = unreported
        self._placed = {
            system.wager: sum(system.wager in wagers for wagers in script.wagers.values()) for system in game.systems
        }
        self._by_words = {wager.replace("_", " ").upper(): wager for wager in self._placed}
        self._sign: Money | None = None
        self._collected = False

    def has(self, wager: str) -> bool:
        """Whether that wager has a system that is connected."""
        return wager in self._devices

    def place(self, seat: int, wager: str, amount: Money) -> Deed:
        """Put the wager on its sensor."""
        return Deed(self._devices[wager], "place", {"seat": seat, "amount": show(amount)})

    def next(self, text: str, lit: tuple[str, ...]) -> Deed | None:
        """The next act at what the panel shows; None where it is about something else."""
        accepted = _ACCEPTED.match(text)
        if accepted is not None and accepted["wager"] in self._by_words:
            return self._count(self._by_words[accepted["wager"]], int(accepted["n"]))
        if text.startswith("LOCK OUT ") and "ACCEPTED: " in text:
            wager = self._by_words[text.removeprefix("LOCK OUT ").partition(".")[0]]
            return self._key(text, str(self._told(wager)))
        for words, wager in self._by_words.items():
            if text.startswith(f"{words} CHIPS COUNTED: "):
                return self._key(text, str(self._chips(wager)))
        if text.startswith("METER SHOWS: "):
            return self._read(text)
        if text.endswith("2ND BADGE") and self._reader is not None:
            return Deed(self._reader, "badge", {"number": SECOND})
        said = next((key for key in _ASKS_FOR if key in lit), None)
        return None if said is None else self._press(said)

    def _count(self, wager: str, accepted: int) -> Deed:
        device = self._devices.get(wager)
        if device is not None and not self._collected:
            self._collected = True
            return Deed(device, "collect", {}, False)
        chips = self._chips(wager)
        return self._press("collected" if chips == accepted else f"digit_{str(chips)[0]}")

    def _chips(self, wager: str) -> int:
        """How many chips lie before the tray: as many as were wagered, unless that has to differ from the system's."""
        return self._told(wager) if wager in self._devices else self._placed[wager]

    def _told(self, wager: str) -> int:
        """What the script says that the system has accepted; where one is connected it is right, and chips differ."""
        told = self._unreported("progressive_count_mismatch")
        if told is None:
            return self._placed[wager]
        return self._placed[wager] + 1 if told.count is None else told.count

    def _read(self, text: str) -> Deed:
        if self._sign is None:
            self._sign = self._signs.pop(0)
        deed = self._key(text, show(self._sign))
        if deed.facts["key"] == "enter":
            self._sign = None
        return deed

    def _key(self, text: str, wanted: str) -> Deed:
        keyed = text.rsplit(": ", 1)[1].rstrip("_")
        if keyed == wanted:
            return self._press("enter")
        following = wanted[len(keyed)]
        return self._press("point" if following == "." else f"digit_{following}")

    def _press(self, key: str) -> Deed:
        return Deed(self._panel, "press", {"key": key})
