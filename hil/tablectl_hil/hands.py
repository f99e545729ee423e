"""The hands of a robot dealer: they do its acts to emulated equipment, or have a person do them to real devices."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

from tablectl.engine.people import RESUMED
from tablectl.engine.prompts import Prompt
from tablectl.engine.scenario import Incident
from tablectl.equipment import Fault as DeviceFault
from tablectl_hil.by_hand import ByHand, TableStuck
from tablectl_hil.control import Equipment
from tablectl_hil.faults import Faults
from tablectl_hil.onlooker import Events
from tablectl_hil.robot import Act, Kit, RobotDealer, View

__all__ = ["Hands"]

STEP_S: Final = 20.0
_LOOK_AGAIN_S: Final = 0.1
_BACK_S: Final = 10.0
_SHUFFLER_FAULTS: Final = {"shuffler_jam": DeviceFault.JAM, "shuffle_incomplete": DeviceFault.INCOMPLETE}


class Hands:
    """Carries a robot's acts out, and waits until the table has understood each; `by_hand` are the real devices."""

    def __init__(
        self,
        equipment: Equipment,
        kit: Kit,
        events: Events,
        alive: Callable[[], bool],
        by_hand: ByHand | None = None,
    ) -> None:
        self.equipment = equipment
        self.kit = kit
        self.events = events
        self._alive = alive
        self._by_hand = by_hand
        self._step_s = STEP_S if by_hand is None else max(STEP_S, by_hand.wait_s)
        self.faults = Faults()
        self.chips: list[tuple[int, str]] = []
        self._acted_on: View | None = None  # until the table shows that it has understood
        self._prepared: RobotDealer | None = None
        self._to_be_filled = False
        self._whole = 0
        self._over: Prompt | None = None

    def view(self) -> View:
        """What can be seen at the table now."""
        if self._by_hand is not None:
            self._by_hand.look()
        told = {}
        for device in (self.kit.shoe, self.kit.shuffler):
            order = None if device is None else self._order(device)
            if device is not None and order is not None:
                told[device] = order
        return View(self._prompt(), told)

    async def act(self, device: str, act: str, **arguments: Any) -> Any:
        """Do something to a device, or have it done, and do not wait for what comes of it."""
        real = self._real(device)
        return await (self.equipment if real is None else real).act(device, act, **arguments)

    async def latched(self, device: str, fault: str) -> None:
        """Wait until the table has latched that fault of the device."""

        async def is_latched() -> bool:
            return (device, fault) in self.events.latched()

        await self._noticed(is_latched, f"the table has not latched {fault} of {device}")

    async def recorded(self, is_so: Callable[[Events], bool], otherwise: str) -> None:
        """Wait until the journal has it; `otherwise` says what is wrong when it does not come to that."""

        async def is_recorded() -> bool:
            return is_so(self.events)

        await self._noticed(is_recorded, otherwise)

    async def heard(self, device: str) -> None:
        """Wait until the table has taken all that the device has said."""
        await self._heard(device)

    async def shows(self, condition: Callable[[str], bool], otherwise: str) -> str:
        """Wait until the panel's line is such a one; the line."""
        try:
            async with asyncio.timeout(self._step_s):
                while not condition(text := self._prompt().text):
                    await self._seen()
        except TimeoutError:
            shown = f"the panel shows {self._prompt().text!r}{self._daemon_state()}"
            raise TableStuck(f"{otherwise}: {shown}") from None
        return text

    async def back(self) -> None:
        """The daemon was away: wait until it has every device again, and has shown what it makes of that."""
        for device in self.kit.devices:
            await self.returned(device)
        await self._lit()

    async def returned(self, device: str) -> None:
        """Wait until the table has the device again, and all that it had to say."""

        async def is_up() -> bool:
            return self.events.up(device)

        await self._noticed(is_up, f"{device} has not come back")
        if self._real(device) is None:
            await self._heard(device)

    async def deal(
        self,
        robot: RobotDealer,
        rounds: int,
        *,
        pace_s: float = 0.0,
        until: Callable[[View], bool] = lambda _view: False,
    ) -> None:
        """Let the robot deal until so many rounds are closed or `until` is true of the view; it may go on later."""
        if self._prepared is not robot:
            self._prepared = robot
            self._over = None if self._acted_on is None else self._acted_on.prompt
            await self._prepare(robot)
        while self.events.closed() < rounds:
            view = self.view()
            if self._acted_on is not None and view.prompt.text and view.prompt != self._acted_on.prompt:
                self._acted_on = None  # it is understood; the same line may come again
            if until(view):
                return
            if not view.prompt.text:
                await self._lit()
                continue
            if view.prompt == self._over:  # the last line of the round before: a daemon may have died there
                await self._changed(view)
                continue
            self._over = None
            if self._acted_on is not None:
                await self._changed(view)
                continue
            await self._fill(robot, view)
            await self.faults.before(rounds, self.view(), robot.cards_out, self)
            act = robot.act(self.view())
            if act is None:
                await self._changed(self.view())
                continue
            if pace_s:
                await asyncio.sleep(pace_s)
            seen = self.view()
            await self._carry_out(act, robot.cards_out)
            self._acted_on = seen if act.shows else None

    def _real(self, device: str) -> ByHand | None:
        return self._by_hand if self._by_hand is not None and device in self._by_hand.kinds else None

    def _prompt(self) -> Prompt:
        real = self._real(self.kit.panel)
        shown = self.equipment.showing(self.kit.panel) if real is None else real.prompt
        text = shown.text.removesuffix(RESUMED)
        lit = shown.lit if text.endswith("BADGE") else tuple(key for key in shown.lit if key != "floor_key")
        return Prompt(text, lit, shown.standing)  # a floorperson who is not called for concerns no dealer

    def _order(self, device: str) -> str | None:
        real = self._real(device)
        if real is not None:
            return real.order(device)
        told = self.equipment.told(device)
        return None if told is None else str(told["order"])

    # Waiting

    async def _seen(self) -> None:
        """Wait for something to be seen; a journal does not say that it has grown."""
        if self._by_hand is None:
            await self.equipment.changed()
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_AGAIN_S / 2):
                await self.equipment.changed()

    async def _lit(self) -> None:
        """The panel was dark, as the daemon was away: wait until it has taken in what was done meanwhile."""
        try:
            async with asyncio.timeout(STEP_S):
                while not self._prompt().text:
                    await self._seen()
        except TimeoutError:
            raise TableStuck(f"the panel stays dark{self._daemon_state()}") from None
        for name in self.kit.devices:
            if self._real(name) is None:
                await self._taken(name)
        await asyncio.sleep(_LOOK_AGAIN_S)  # the last prompt follows the last acknowledgement

    def _daemon_state(self) -> str:
        return "" if self._alive() else "; the daemon does not run"

    async def _changed(self, seen: View) -> None:
        """Wait until the panel says something else, or a device wants a hand, or the panel is dark."""
        try:
            async with asyncio.timeout(self._step_s):
                while self.view() == seen:
                    await self._seen()
        except TimeoutError:
            shown = f"the panel shows {seen.prompt.text!r}{self._daemon_state()}"
            raise TableStuck(f"the table does not go on: {shown}") from None

    async def _back(self, device: str) -> None:
        """A dealer who sees a device come back lets it, before he goes on; one that is unplugged is not waited for."""

        async def is_back() -> bool:
            return self.events.up(device) or not (await self._status(device))["plugged"]

        with contextlib.suppress(TimeoutError):
            await self._until(is_back, _BACK_S)
        await self._heard(device)

    async def _taken(self, device: str) -> None:
        """Wait until the daemon has acknowledged everything that the device has said; one that is unplugged cannot."""

        async def is_taken() -> bool:
            status = await self._status(device)
            return not status["unacknowledged"] or not status["plugged"]

        await self._noticed(is_taken, f"the table has not taken what {device} has said")

    async def _heard(self, device: str) -> None:
        """The same for as long as the daemon has the device."""

        async def is_heard() -> bool:
            return not self.events.up(device) or not (await self._status(device))["unacknowledged"]

        await self._noticed(is_heard, f"the table has not taken what {device} has said")

    async def _status(self, device: str) -> dict[str, Any]:
        status: dict[str, Any] = await self.equipment.act(device, "status")
        return status

    async def _noticed(self, done: Callable[[], Awaitable[bool]], otherwise: str) -> None:
        try:
            await self._until(done, self._step_s)
        except TimeoutError:
            raise TableStuck(f"{otherwise} within {self._step_s:g} s{self._daemon_state()}") from None

    async def _until(self, done: Callable[[], Awaitable[bool]], seconds: float) -> None:
        async with asyncio.timeout(seconds):
            while not await done():  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_AGAIN_S / 10)

    # Acting

    async def _carry_out(self, act: Act, cards_out: int) -> None:
        facts = dict(act.facts)
        if act.name == "put":
            self.chips.append((facts["seat"], facts["wager"]))
        elif act.name == "lift" and "wager" in facts:
            self.chips.remove((facts["seat"], facts["wager"]))
        real = self._real(act.device)
        if real is not None:
            await real.do(act, cards_out, self._alive)
            return
        done = await self.equipment.act(act.device, act.name, **facts)
        while act.name == "press" and not done:  # a dark panel takes no press
            await self._lit()
            done = await self.equipment.act(act.device, act.name, **facts)
        if act.name == "take_card" and not act.shows:
            await self._heard(act.device)  # nothing is seen of it: wait until it is committed

    async def _prepare(self, robot: RobotDealer) -> None:
        """Load the cards of the round, and let the equipment have the faults of the script.

        A shoe that goes on with what was left in it has the cards of the round first, and counts on.
        """
        self._whole = robot.whole
        self._to_be_filled = self._by_hand is not None
        if self.kit.shoe is not None and self._real(self.kit.shoe) is None:
            await self._back(self.kit.shoe)
            if self.events.shoe_goes_on():
                await self.equipment.act(self.kit.shoe, "restack", cards=robot.shoe_load())
            else:
                await self.equipment.load(self.kit.shoe, robot.shoe_load())
        for incident in list(robot.incidents):
            if await self.bring_about(incident):
                robot.incidents.remove(incident)

    async def _fill(self, robot: RobotDealer, view: View) -> None:
        """People fill a real shoe and a real shuffler when the shuffle is over and the wagers are made."""
        if self._by_hand is None or not self._to_be_filled or not view.prompt.text.startswith("WAGERS"):
            return
        self._to_be_filled = False
        for device, cards in ((self.kit.shuffler, None), (self.kit.shoe, robot.shoe_load())):
            if device is not None and self._real(device) is not None:
                await self._by_hand.fill(device, cards)

    async def bring_about(self, incident: Incident) -> bool:
        """Let the equipment do that, as soon as it acts again; False if it is not the equipment's."""
        if self.kit.dispenses and self.kit.shoe and incident.kind == "shoe_jam" and incident.at.kind == "card":
            await self.act(self.kit.shoe, "jam_after", cards=incident.at.number)
            return True
        if self.kit.shuffler is None or incident.at.kind != "shuffle":
            return False
        if incident.kind in _SHUFFLER_FAULTS:
            await self.act(self.kit.shuffler, "fail_next", fault=_SHUFFLER_FAULTS[incident.kind].value)
            return True
        if incident.kind == "deck_count" and incident.count is not None:
            await self.act(self.kit.shuffler, "miscount_next", by=incident.count - self._whole)
            return True
        return False
