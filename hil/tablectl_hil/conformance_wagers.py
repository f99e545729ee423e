"""What equipment that watches wagers does: spots, seat sensors with their lock-out, and the meter."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from tablectl.equipment import (
    AwardRecorded,
    Capability,
    Fault,
    Kind,
    LateWager,
    LinkLost,
    LinkUp,
    LockedOut,
    LockOut,
    LowerMeter,
    Message,
    Meter,
    MeterLowered,
    MeterReason,
    MeterRules,
    OpenWagers,
    ReadMeter,
    RecordAward,
    ReturnWagers,
    SeatLight,
    SeatSensor,
    SetSeatLights,
    WagerSpot,
    WagersReturned,
    WinLight,
)
from tablectl.money import Money, show
from tablectl_hil.conformance import Bench, Watch, check, perform, refused, require, up

__all__: list[str] = []

SEATED: Final = (Kind.PROGRESSIVE, Kind.EXTRA_ROLL)
METER: Final = (Capability.METER,)
MILLION: Final = 1_000_000


def _can(watch: Watch, capability: Capability) -> bool:
    description = watch.device.description
    return description is not None and capability in description.capabilities


# Spots ----------------------------------------------------------------------------------------------------------------


@check(
    "spots",
    "Says what lies on a spot after each change: the amount if it reads amounts, else presence.",
    Kind.WAGER_SENSORS,
)
async def spots(bench: Bench) -> None:
    async with up(bench) as watch:
        amounts = _can(watch, Capability.AMOUNTS)
        await bench.do("Put 10.00 on any spot.", "put", seat=2, wager="ante", amount="10.00")
        first = await watch.until(WagerSpot)
        require(first.present and first.amount == (1000 if amounts else None), "10.00 lie there; it says", first)
        await bench.do("Put 5.00 on the same spot.", "put", seat=2, wager="ante", amount="5.00")
        second = await watch.until(WagerSpot)
        require(second.present and second.amount == (1500 if amounts else None), "15.00 lie there; it says", second)
        require((first.seat, first.wager) == (second.seat, second.wager), "the spot has another name now")
        await bench.do("Take all off that spot.", "lift", seat=2, wager="ante")
        third = await watch.until(WagerSpot)
        require(not third.present and third.amount == (0 if amounts else None), "nothing lies there; it says", third)


@check("spots-told-anew", "Says every used spot to a host that knows nothing, empty ones too.", Kind.WAGER_SENSORS)
async def spots_told_anew(bench: Bench) -> None:
    async with up(bench) as watch:
        await bench.do("Put 10.00 on any spot.", "put", seat=1, wager="ante", amount="10.00")
        lying = await watch.until(WagerSpot)
    async with up(bench) as watch:
        require(await watch.until(WagerSpot) == lying, "the spot has to be said to a host that knows nothing")


# Seats ----------------------------------------------------------------------------------------------------------------


async def _place(bench: Bench, watch: Watch, *seats: int) -> None:
    for seat in seats:
        await bench.do(f"Put a chip on the sensor of seat {seat}.", "place", seat=seat)
        require(await watch.until(SeatSensor) == SeatSensor(seat, True), f"expected a chip at seat {seat}")


async def _locked(bench: Bench, watch: Watch, said: list[Message] | None = None) -> tuple[int, ...]:
    locked = await perform(bench, watch, LockOut(), said=said)
    assert isinstance(locked, LockedOut)
    return locked.seats


@check("lock-out", "A lock-out names the seats whose wager it has accepted; it is refused if none are open.", *SEATED)
async def lock_out(bench: Bench) -> None:
    async with up(bench) as watch:
        await perform(bench, watch, OpenWagers())
        await _place(bench, watch, 1, 3)
        seats = await _locked(bench, watch)
        require(seats == (1, 3), "expected the seats 1 and 3, found", seats)
        await refused(watch, LockOut(), bench.new_id(), "when no wagers are open")
        for seat in seats:
            await bench.do(f"Take the chip off the sensor of seat {seat}.", "lift", seat=seat)
            require(await watch.until(SeatSensor) == SeatSensor(seat, False), f"expected seat {seat} to be said empty")
        await perform(bench, watch, OpenWagers())
        require(await _locked(bench, watch) == (), "nobody has wagered in the next round")


@check("lock-out-in-fault", "A device at fault opens no wagers, and locks out those that are open.", *SEATED)
async def lock_out_in_fault(bench: Bench) -> None:
    async with up(bench) as watch:
        await perform(bench, watch, OpenWagers())
        await _place(bench, watch, 2)
        await bench.do("Open the device's housing, so that it sees tampering.", "meddle")
        require(await _locked(bench, watch) == (2,), "expected seat 2 to be locked")
        await refused(watch, OpenWagers(), bench.new_id(), f"in the fault {Fault.TAMPER}")


@check(
    "late-wager",
    "A chip after the lock-out never counts: it is recorded as late, or refused by those that do so.",
    *SEATED,
)
async def late_wager(bench: Bench) -> None:
    async with up(bench) as watch:
        await perform(bench, watch, OpenWagers())
        await _place(bench, watch, 1)
        require(await _locked(bench, watch) == (1,), "expected seat 1 to be locked")
        await bench.do("Put a chip on the sensor of seat 4, too late.", "place", seat=4)
        late = await watch.until(LateWager)
        recorded = not _can(watch, Capability.REFUSES_LATE)
        require(late == LateWager(4, recorded), f"expected seat 4 late, recorded: {recorded}; found", late)
        returned = await perform(bench, watch, ReturnWagers())
        require(isinstance(returned, WagersReturned) and returned.seats == (1,), "the late wager counts:", returned)


@check("lock-out-stands", "A lost link changes nothing: open wagers stay open, a lock-out stands.", *SEATED)
async def lock_out_stands(bench: Bench) -> None:
    async with up(bench) as watch:
        await perform(bench, watch, OpenWagers())
        await _place(bench, watch, 5)
        await bench.unplug()
        await watch.until(LinkLost)
        await bench.replug()
        await watch.until(LinkUp)
        require(await _locked(bench, watch) == (5,), "expected seat 5 to be locked")
        await bench.unplug()
        await watch.until(LinkLost)
        await bench.replug()
        await watch.until(LinkUp)
        await bench.do("Put a chip on the sensor of seat 6.", "place", seat=6)
        require((await watch.until(LateWager)).seat == 6, "expected seat 6 to be late")


@check("seat-lights", "Shows awaiting, placed, locked and none by itself, and what it is told.", *SEATED)
async def seat_lights(bench: Bench) -> None:
    async def shows(words: str, *lights: SeatLight) -> None:
        seen = await bench.look(words, lambda sights: sights.lights()[: len(lights)] == lights)
        require(seen, f"not so: {words}")

    awaiting, placed, locked, none = SeatLight.AWAITING, SeatLight.PLACED, SeatLight.LOCKED, SeatLight.NONE
    async with up(bench) as watch:
        await perform(bench, watch, OpenWagers())
        await shows("Do the lights of seats 1 and 2 show that they await a wager?", awaiting, awaiting)
        await _place(bench, watch, 2)
        await shows("Does the light of seat 2 show that a wager was placed?", awaiting, placed)
        await _locked(bench, watch)
        await shows("Is the light of seat 1 out, and does that of seat 2 show that it is locked?", none, locked)
        await watch.device.send(SetSeatLights((placed, awaiting)), bench.new_id())
        await shows("Does seat 1 show that a wager was placed, and seat 2 that one is awaited?", placed, awaiting)


@check("wagers-returned", "Wagers of a void round go back, once, and the meter with them, exactly.", *SEATED)
async def wagers_returned(bench: Bench) -> None:
    async with up(bench) as watch:
        meter = _can(watch, Capability.METER)
        before = await perform(bench, watch, ReadMeter()) if meter else None
        await perform(bench, watch, OpenWagers())
        await _place(bench, watch, 1, 2)
        await _locked(bench, watch)
        returned = await perform(bench, watch, ReturnWagers())
        require(isinstance(returned, WagersReturned) and returned.seats == (1, 2), "expected seats 1 and 2:", returned)
        await refused(watch, ReturnWagers(), bench.new_id(), "as no wagers are locked any more")
        if isinstance(before, Meter):
            after = await perform(bench, watch, ReadMeter())
            require(_accounts(after) == _accounts(before), f"the meter was {before} and is {after}")


# Meter ----------------------------------------------------------------------------------------------------------------


def _accounts(meter: Message) -> tuple[int, ...]:
    assert isinstance(meter, Meter)
    return (
        meter.display,
        meter.wagered,
        meter.hits,
        meter.wins,
        meter.overflow,
        meter.reserve,
        meter.seed,
        meter.lowered,
    )


def _balanced(meter: Message, rules: MeterRules) -> None:
    """All that went in is somewhere; each account is said rounded down, so three parts of a cent may be missing."""
    assert isinstance(meter, Meter)
    rates = Fraction(rules.increment_ppm + rules.hidden_ppm, MILLION)
    into = meter.seed + meter.wagered * rates
    held = meter.display + meter.reserve + meter.overflow + meter.wins + meter.lowered
    require(0 <= into - held < 3, f"{float(into) / 100:.4f} went in, and {show(Money(held))} are there: {meter}")


async def _metered(bench: Bench, watch: Watch) -> tuple[MeterRules, Meter]:
    """The rules and the meter as they are said on connection."""
    rules = await watch.until(MeterRules)
    meter = await watch.until(Meter)
    require(meter.command == 0, "the meter on connection answers no command")
    return rules, meter


@check("meter-on-connection", "Says its rules and its meter on connection, in balance.", Kind.PROGRESSIVE, needs=METER)
async def meter_on_connection(bench: Bench) -> None:
    async with up(bench) as watch:
        rules, meter = await _metered(bench, watch)
        _balanced(meter, rules)
        read = await perform(bench, watch, ReadMeter())
        require(_accounts(read) == _accounts(meter), "a read meter is another one than that on connection")


@check(
    "meter-wagers",
    "Accepted wagers raise the meter by the rates, before the lock-out is answered.",
    Kind.PROGRESSIVE,
    needs=METER,
)
async def meter_wagers(bench: Bench) -> None:
    async with up(bench) as watch:
        await bench.nudge("rules", base="1000.00", reset="500.00", increment_ppm=123_457, hidden_ppm=50_001)
        rules, before = await _metered(bench, watch)
        if bench.emulated:  # these were said on connection, the new ones follow
            rules, before = await _metered(bench, watch)
        for rounds in range(3):
            await perform(bench, watch, OpenWagers())
            if not rounds:
                await _place(bench, watch, 1, 2, 3)
            said: list[Message] = []
            await _locked(bench, watch, said)
            changes = [message for message in said if isinstance(message, Meter)]
            require(len(changes) == 1, f"expected the meter once before the answer, found it {len(changes)} times")
            after = changes[0]
            _balanced(after, rules)
            wagered = after.wagered - before.wagered
            require(wagered > 0 and wagered % 3 == 0, f"three wagers were accepted, and {wagered} cents counted")
            exact = Fraction(wagered * rules.increment_ppm, MILLION)
            grown = after.display - before.display
            if rules.limit is None:
                require(abs(grown - exact) < 1, f"the display has grown by {grown} cents, expected {float(exact):.4f}")
            before = after


@check(
    "meter-wins",
    "Of two wins of the whole meter the second is of the reset amount, in a recorded order.",
    Kind.PROGRESSIVE,
    needs=METER,
)
async def meter_wins(bench: Bench) -> None:
    async with up(bench) as watch:
        rules, meter = await _metered(bench, watch)
        first = await perform(bench, watch, RecordAward(3, meter.display, True))
        expected = (3, meter.display, rules.reset)
        assert isinstance(first, AwardRecorded)
        require((first.seat, first.amount, first.display) == expected, f"expected {expected}, found {first}")
        if meter.display != rules.reset:
            await refused(
                watch, RecordAward(1, meter.display, True), bench.new_id(), "as the meter shows another amount"
            )
        second = await perform(bench, watch, RecordAward(1, rules.reset, True))
        assert isinstance(second, AwardRecorded)
        require((second.seat, second.amount) == (1, rules.reset), f"expected the reset amount, found {second}")
        tenth = Money(rules.reset // 10)
        third = await perform(bench, watch, RecordAward(2, tenth, False))
        require(isinstance(third, AwardRecorded) and third.display == rules.reset - tenth, f"found {third}")
        too_much = Money(rules.reset + 1)
        await refused(watch, RecordAward(2, too_much, False), bench.new_id(), "as it is more than the meter shows")
        after = await perform(bench, watch, ReadMeter())
        assert isinstance(after, Meter)
        require(after.hits == meter.hits + 3, f"three awards were paid, and {after.hits - meter.hits} counted")
        require(after.wins - meter.wins == meter.display + rules.reset + tenth, "the wins do not add up")
        _balanced(after, rules)


@check(
    "win-light",
    "Lights the seat's win light with an award, until it is put out or wagers are opened.",
    Kind.PROGRESSIVE,
    needs=METER,
)
async def win_light(bench: Bench) -> None:
    async with up(bench) as watch:
        said: list[Message] = []
        await perform(bench, watch, RecordAward(2, Money(100), False), said=said)
        require(WinLight(2, True) in said, "expected the win light of seat 2 to be said lit")
        said = []
        await perform(bench, watch, OpenWagers(), said=said)
        (message,) = said[-1:] or await watch.take(1)
        require(message == WinLight(2, False), f"expected the win light of seat 2 to be said out, found {message}")


@check(
    "meter-lowered",
    "Goes down for typed reasons alone, by no more than is there, and keeps the balance.",
    Kind.PROGRESSIVE,
    needs=METER,
)
async def meter_lowered(bench: Bench) -> None:
    async with up(bench) as watch:
        rules, before = await _metered(bench, watch)
        lowered = await perform(bench, watch, LowerMeter(MeterReason.CORRECTION, Money(20)))
        require(isinstance(lowered, MeterLowered), f"expected MeterLowered, found {lowered}")
        after = await perform(bench, watch, ReadMeter())
        assert isinstance(after, Meter)
        require(before.display - after.display == 20, f"the display was {before.display} and is {after.display}")
        require(after.lowered - before.lowered == 20, "what was taken off has to be on record")
        _balanced(after, rules)
        for reason, held in (
            (MeterReason.CORRECTION, after.display),
            (MeterReason.OVER_LIMIT, after.overflow),
            (MeterReason.SEED_RECOVERY, after.reserve),
        ):
            await refused(watch, LowerMeter(reason, Money(held + 1)), bench.new_id(), f"as {reason} has not so much")


@check("meter-limit", "Above its limit the display stands still and the overflow grows.", Kind.PROGRESSIVE, needs=METER)
async def meter_limit(bench: Bench) -> None:
    async with up(bench) as watch:
        await _metered(bench, watch)
        settings = {"base": "1000.00", "reset": "500.00", "limit": "1000.10", "increment_ppm": 200_000, "hidden_ppm": 0}
        await bench.arrange("rules", **settings)
        rules, _ = await _metered(bench, watch)
        await perform(bench, watch, OpenWagers())
        await _place(bench, watch, 1, 2)
        await _locked(bench, watch)
        meter = await perform(bench, watch, ReadMeter())
        assert isinstance(meter, Meter)
        require((meter.display, meter.overflow) == (100_010, 30), "expected 1000.10 and 0.30 over it, found", meter)
        _balanced(meter, rules)


@check("meter-kept", "The meter outlives a power cycle, whatever else is lost.", Kind.PROGRESSIVE, needs=METER)
async def meter_kept(bench: Bench) -> None:
    async with up(bench) as watch:
        await perform(bench, watch, RecordAward(1, Money(100), False))
        before = await perform(bench, watch, ReadMeter())
        await bench.do("Take the device's power away and give it back.", "power_cycle", kept=False)
        await watch.up()
        _, after = await _metered(bench, watch)
        require(_accounts(after) == _accounts(before), f"the meter was {before} and is {after}")
