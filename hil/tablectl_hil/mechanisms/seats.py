"""Per-seat wager sensors with a lock-out: the extra roll's, and the progressive table game system's with its meter."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

from tablectl.equipment import (
    AwardRecorded,
    Capability,
    Command,
    Kind,
    LateWager,
    LockedOut,
    LockOut,
    LowerMeter,
    Message,
    MeterLowered,
    MeterRules,
    OpenWagers,
    ReadMeter,
    RecordAward,
    ReturnWagers,
    SeatLight,
    SeatSensor,
    SetSeatLights,
    WagersOpened,
    WagersReturned,
    WinLight,
)
from tablectl.money import Money, dollars
from tablectl_hil.acts import CannotBeDone, act
from tablectl_hil.mechanisms.mechanism import Mechanism, Surroundings
from tablectl_hil.mechanisms.meter import MeterAccounts

__all__ = ["ExtraRoll", "Progressive", "SeatSensors"]

SEATS: Final = 7
RULES: Final = MeterRules(Money(1_000_00), Money(1_000_00), None, 200_000, 50_000)


class _Wagers(Enum):
    CLOSED = auto()
    OPEN = auto()
    LOCKED = auto()


class SeatSensors(Mechanism):
    """A sensor and a light for each seat. By itself it shows how its wagers stand, until it is told to show other."""

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._wagers = _Wagers.CLOSED
        self._placed: dict[int, bool] = {}
        self._amounts: dict[int, Money | None] = {}
        self._accepted: tuple[int, ...] = ()
        self._lights = [SeatLight.NONE] * SEATS
        self._unseen: int | None = None
        self._invented: int | None = None

    def report(self, complete: bool) -> Iterable[Message]:
        """Its state, and for a host that knows nothing every sensor that was ever used."""
        yield self.state()
        if complete:
            yield from (SeatSensor(seat, placed) for seat, placed in sorted(self._placed.items()))

    def attached(self, present: bool) -> None:
        """Dark without a host; what was wagered and locked stays."""
        super().attached(present)
        self._show_how_it_stands()

    def power_cycle(self, kept: bool) -> None:
        """Without its memory it knows of no round."""
        if not kept:
            self._wagers = _Wagers.CLOSED
            self._accepted = ()

    def perform(self, command: Command, command_id: int) -> str | None:
        """Open, lock out, return, or light."""
        match command:
            case SetSeatLights(lights):
                if len(lights) > SEATS:
                    return f"there are {SEATS} seats"
                self._show([*lights, *[SeatLight.NONE] * (SEATS - len(lights))])
                return None
            case OpenWagers():
                refusal = self.not_ready()
                if refusal is None:
                    self._open(command_id)
                return refusal
            case LockOut():
                return self._lock(command_id)
            case ReturnWagers():
                return self._return(command_id)
            case _:
                return super().perform(command, command_id)

    @act
    def place(self, seat: int, amount: str = "") -> None:
        """Put a chip on a seat's sensor; without an amount it is of the usual one."""
        if not 1 <= seat <= SEATS:
            raise CannotBeDone(f"there is no seat {seat}: expected 1 to {SEATS}")
        if self._placed.get(seat):
            raise CannotBeDone(f"a chip lies on the sensor of seat {seat}")
        self._placed[seat] = True
        self._amounts[seat] = dollars(amount) if amount else None
        if self._unseen == seat:
            return
        self.around.say(SeatSensor(seat, True))
        if self._wagers is _Wagers.LOCKED:
            self.around.say(LateWager(seat, not self.can(Capability.REFUSES_LATE)))
        self._show_how_it_stands()

    @act
    def lift(self, seat: int) -> None:
        """Take the chip off a seat's sensor."""
        if not self._placed.get(seat):
            raise CannotBeDone(f"no chip lies on the sensor of seat {seat}")
        self._placed[seat] = False
        if self._unseen != seat:
            self.around.say(SeatSensor(seat, False))
        self._show_how_it_stands()

    @act
    def collect(self) -> list[int]:
        """Take the chips off all sensors, as the dealer does after the lock-out; the seats."""
        seats = [seat for seat, placed in sorted(self._placed.items()) if placed]
        for seat in seats:
            self.lift(seat)
        return seats

    @act
    def blind(self, seat: int | None = None) -> None:
        """Let the sensor of a seat see nothing; without a seat all see again."""
        self._unseen = seat

    @act
    def invent_next(self, seat: int) -> None:
        """Let the next lock-out count a wager at a seat that has none."""
        self._invented = seat

    def accepted(self, seats: tuple[int, ...]) -> None:
        """The wagers of these seats count from now on."""

    def returned(self) -> str | None:
        """The accepted wagers go back, or why they cannot."""
        return None

    def _open(self, command_id: int) -> None:
        self._wagers = _Wagers.OPEN
        self._accepted = ()
        self._show_how_it_stands()
        self.around.say(WagersOpened(command_id))

    def _lock(self, command_id: int) -> str | None:
        if self._wagers is not _Wagers.OPEN:
            return "no wagers are open"
        self._wagers = _Wagers.LOCKED
        seen = {seat for seat, placed in self._placed.items() if placed and seat != self._unseen}
        if self._invented is not None:
            seen.add(self._invented)
        self._invented = None
        self._accepted = tuple(sorted(seen))
        self._show_how_it_stands()
        self.accepted(self._accepted)
        self.around.say(LockedOut(command_id, self._accepted))
        return None

    def _return(self, command_id: int) -> str | None:
        if self._wagers is not _Wagers.LOCKED:
            return "no wagers are locked"
        refusal = self.returned()
        if refusal is not None:
            return refusal
        seats, self._accepted = self._accepted, ()
        self._wagers = _Wagers.CLOSED
        self._show_how_it_stands()
        self.around.say(WagersReturned(command_id, seats))
        return None

    def _show_how_it_stands(self) -> None:
        def light(seat: int) -> SeatLight:
            if not self.host_present:
                return SeatLight.NONE
            if self._wagers is _Wagers.OPEN:
                return SeatLight.PLACED if self._placed.get(seat) and seat != self._unseen else SeatLight.AWAITING
            return SeatLight.LOCKED if seat in self._accepted else SeatLight.NONE

        self._show([light(seat) for seat in range(1, SEATS + 1)])

    def _show(self, lights: list[SeatLight]) -> None:
        if lights != self._lights:
            self._lights = lights
            self.around.notice("lights", lights=list(lights))


class ExtraRoll(SeatSensors):
    """The extra roll's sensors."""

    kind = Kind.EXTRA_ROLL
    model = "Emulated extra-roll sensors"


class Progressive(SeatSensors):
    """The progressive table game system; the meter, where it has one, outlives every power cycle."""

    kind = Kind.PROGRESSIVE
    model = "Emulated progressive system"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._meter = MeterAccounts.new(RULES)
        self._wager = 100
        self._before: MeterAccounts | None = None
        self._won: list[int] = []

    def report(self, complete: bool) -> Iterable[Message]:
        """The meter goes with the state, always."""
        yield from super().report(complete)
        if self.can(Capability.METER):
            yield self._meter.rules
            yield self._meter.message(0)

    def perform(self, command: Command, command_id: int) -> str | None:
        """What concerns the meter."""
        if not self.can(Capability.METER):
            return super().perform(command, command_id)
        match command:
            case ReadMeter():
                self.around.say(self._meter.message(command_id))
                return None
            case RecordAward(seat, amount, reset):
                return self._award(command_id, seat, amount, reset)
            case LowerMeter(reason, amount):
                refusal = self.not_ready() or self._meter.lower(reason, amount)
                if refusal is None:
                    self._changed()
                    self.around.say(MeterLowered(command_id, reason, amount, self._meter.shown))
                return refusal
            case OpenWagers():
                if self.not_ready() is None:
                    self._before = None
                    self._darken()
                return super().perform(command, command_id)
            case _:
                return super().perform(command, command_id)

    def accepted(self, seats: tuple[int, ...]) -> None:
        """The meter goes up."""
        if self.can(Capability.METER) and seats:
            before = self._meter.copy()
            self._meter.add(sum(self._amounts.get(seat) or self._wager for seat in seats))
            self._changed()
            self._before = before

    def returned(self) -> str | None:
        """The meter goes back, unless something has come off it since."""
        if not self.can(Capability.METER) or not self._accepted:
            return None
        if self._before is None:
            return "the meter has changed since the lock-out"
        self._meter = self._before
        self._changed()
        return None

    @act
    def rules(
        self, base: str, reset: str, increment_ppm: int, hidden_ppm: int, limit: str | None = None, wager: str = "1.00"
    ) -> None:
        """Set up a new meter with these rules, in the workshop."""
        limited = None if limit is None else dollars(limit)
        self._meter = MeterAccounts.new(MeterRules(dollars(base), dollars(reset), limited, increment_ppm, hidden_ppm))
        self._wager = dollars(wager)
        if self.can(Capability.METER):
            self.around.say(self._meter.rules)
            self._changed()

    @act
    def drift(self, cents: int) -> None:
        """Let the display change without any reason."""
        self._meter.display += cents
        self._changed()

    @act
    def acknowledge_win(self) -> None:
        """Put the win lights out with the key."""
        self._darken()

    @act
    def books(self) -> dict[str, str | bool]:
        """The accounts, exactly, and whether they balance."""
        meter = self._meter
        exact = {"display": meter.display, "reserve": meter.reserve, "overflow": meter.overflow}
        return {"balanced": meter.balanced(), **{name: str(account) for name, account in exact.items()}}

    def _award(self, command_id: int, seat: int, amount: Money, reset: bool) -> str | None:
        refusal = self.not_ready() or self._meter.award(amount, reset)
        if refusal is not None:
            return refusal
        self._changed()
        self._won.append(seat)
        self.around.notice("win", seats=list(self._won))
        self.around.say(WinLight(seat, True))
        self.around.say(AwardRecorded(command_id, seat, amount, self._meter.shown))
        return None

    def _changed(self) -> None:
        self._before = None
        self.around.notice("meter", display=self._meter.shown)
        self.around.say(self._meter.message(0))

    def _darken(self) -> None:
        for seat in dict.fromkeys(self._won):
            self.around.say(WinLight(seat, False))
        if self._won:
            self._won = []
            self.around.notice("win", seats=[])
