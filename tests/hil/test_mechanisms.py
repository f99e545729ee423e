"""What the emulated equipment of the kinds beyond the basic ones does, and what can be made to go wrong in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.cards import FaceDown, card, deck
from tablectl.equipment import (
    AwardRecorded,
    BatchInserted,
    Capability,
    CardLeft,
    CardsEjected,
    DeckRead,
    DeviceState,
    DiceAge,
    DiceRead,
    Die,
    DieLies,
    DispenseStack,
    DrawNumber,
    EjectCards,
    Fault,
    HoleCardUnread,
    KeyPressed,
    KeyReleased,
    Kind,
    LateWager,
    LinkLost,
    LockedOut,
    LockOut,
    Meter,
    MeterReason,
    MeterRules,
    Mode,
    NumberDrawn,
    OpenWagers,
    ReadDice,
    ReadHoleCard,
    ReadMeter,
    RecordAward,
    ReturnWagers,
    SeatLight,
    SeatSensor,
    ShuffleFinished,
    StackTaken,
    StartShuffle,
    WagersOpened,
    WinLight,
)
from tablectl.errors import CommandRefused
from tablectl.money import Money, dollars
from tablectl_hil.control import ActFailed, Equipment, Piece
from tablectl_hil.mechanisms.meter import MeterAccounts
from tests.drivers.rig import Watch, emulated, opened, seen

DECK = [it.name for it in deck()]


@asynccontextmanager
async def table(
    bench_folder: Path, kind: Kind, *capabilities: Capability, automatic: bool = True
) -> AsyncIterator[tuple[Equipment, Watch]]:
    """One emulated device called `it` and a driver for it, up."""
    async with (
        emulated(bench_folder, Piece("it", kind, capabilities, automatic)) as equipment,
        opened(equipment, "it", kind) as watch,
    ):
        await watch.up()
        yield equipment, watch


# Shufflers ------------------------------------------------------------------------------------------------------------


async def test_a_shuffler_that_claims_a_whole_deck_holds_a_card_of_another(bench_folder: Path) -> None:
    able = (Capability.COUNTS, Capability.IDENTIFIES, Capability.BACKS)
    async with table(bench_folder, Kind.SHUFFLER, *able) as (equipment, device):
        await equipment.act("it", "insert", cards=[*DECK[:51], DECK[0]], back="red")
        await equipment.act("it", "claim_next")
        await device.device.send(StartShuffle(), 1)
        assert await device.until(DeckRead) == DeckRead(1, 52, (), (), 0, "red", 0, None)
        assert await device.until(ShuffleFinished) == ShuffleFinished(1, 52)
        await device.device.send(StartShuffle(), 2)
        found = await device.until(DeckRead)
        assert (found.missing, found.extra) == ((card(DECK[51]),), (card(DECK[0]),))


async def test_a_deck_that_was_not_shuffled_comes_out_as_it_went_in(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.SHUFFLER) as (equipment, device):
        await equipment.insert("it", DECK)
        await equipment.act("it", "leave_order_next")
        await device.device.send(StartShuffle(), 1)
        assert await device.until(ShuffleFinished) == ShuffleFinished(1, None)
        assert await equipment.take("it") == DECK


async def test_a_card_left_in_the_well_is_inside_and_not_taken(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.SHUFFLER, Capability.COUNTS) as (equipment, device):
        await equipment.insert("it", DECK)
        await equipment.act("it", "leave_inside_next", cards=1)
        assert await equipment.take("it") == DECK[:51]
        assert [state.cards_inside for state in await device.take(2) if isinstance(state, DeviceState)] == [52, 1]
        await device.device.send(EjectCards(), 1)
        assert await device.until(CardsEjected) == CardsEjected(1, 1)
        assert await equipment.act("it", "take_ejected") == DECK[51:]


async def test_one_batch_is_put_in_while_the_other_is_played(bench_folder: Path) -> None:
    able = (Capability.COUNTS, Capability.BATCHES)
    async with table(bench_folder, Kind.SHUFFLER, *able) as (equipment, device):
        await equipment.insert("it", DECK)
        with pytest.raises(ActFailed, match="no batch has been shuffled"):
            await equipment.take("it")
        await device.device.send(StartShuffle(), 1)
        assert (await device.until(DeckRead)).batch == 1
        await equipment.insert("it", DECK)
        assert await device.until(BatchInserted) == BatchInserted(2, 52)
        assert sorted(await equipment.take("it")) == sorted(DECK)
        await device.device.send(StartShuffle(), 2)
        assert (await device.until(DeckRead)).batch == 2
        with pytest.raises(CommandRefused, match="no cards are inside"):
            await device.device.send(StartShuffle(), 3)


async def test_a_shuffler_in_sort_mode_does_not_shuffle(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.SHUFFLER) as (equipment, device):
        await equipment.insert("it", DECK)
        await equipment.act("it", "indicate", mode="sort", lamp="green", blinking=True)
        state = await device.until(DeviceState)
        assert (state.mode, state.blinking) == (Mode.SORT, True)
        with pytest.raises(CommandRefused, match="in the mode sort"):
            await device.device.send(StartShuffle(), 1)


# Shoes ----------------------------------------------------------------------------------------------------------------


async def test_a_short_stack_is_taken_as_if_it_were_whole(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.SHOE, Capability.DISPENSES) as (equipment, shoe):
        await equipment.load("it", DECK)
        await equipment.act("it", "short_next", cards=1)
        for number, cards in ((1, 2), (2, 3)):
            await shoe.device.send(DispenseStack(3), number)
            taken = await shoe.until(StackTaken)
            assert (taken.command, len(taken.cards)) == (number, cards)


async def test_a_shoe_shuffles_what_is_put_back_and_counts_it(bench_folder: Path) -> None:
    able = (Capability.RESHUFFLES, Capability.COUNTS, Capability.READS)
    async with table(bench_folder, Kind.SHOE, *able) as (equipment, shoe):
        await equipment.load("it", DECK)
        names = [await equipment.take_card("it") for _ in range(3)]
        await equipment.act("it", "put_back", cards=names[:2])
        await shoe.device.send(StartShuffle(), 1)
        assert await shoe.until(ShuffleFinished) == ShuffleFinished(1, 51)
        name = await equipment.take_card("it")
        assert await shoe.until(CardLeft) == CardLeft(1, FaceDown(card(name)), False)
        assert sorted([name, *await equipment.act("it", "remaining"), names[2]]) == sorted(DECK)
        await equipment.act("it", "miscount_next", by=-1)
        await shoe.device.send(StartShuffle(), 2)
        assert await shoe.until(ShuffleFinished) == ShuffleFinished(2, 49)


async def test_only_a_shoe_that_shuffles_takes_cards_back(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.SHOE) as (equipment, shoe):
        with pytest.raises(ActFailed, match="takes no cards back"):
            await equipment.act("it", "put_back", cards=["As"])
        for command in (StartShuffle(), EjectCards()):
            with pytest.raises(CommandRefused, match="a shoe takes no"):
                await shoe.device.send(command, 1)


# Hole-card reader, panel ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [True, False])
async def test_a_read_that_loses_power_is_unread_or_not_answered(bench_folder: Path, kept: bool) -> None:
    async with table(bench_folder, Kind.CARD_READER) as (equipment, reader):
        await reader.device.send(ReadHoleCard(), 1)
        await equipment.power_cycle("it", kept=kept)
        await reader.until(LinkLost)
        if kept:
            assert await reader.until(HoleCardUnread) == HoleCardUnread(1, Fault.INCOMPLETE)
        else:
            await reader.up()
            await reader.device.send(ReadHoleCard(), 2)
            await equipment.act("it", "fail_now", fault="jam")
            assert await reader.until(HoleCardUnread) == HoleCardUnread(2, Fault.JAM)


async def test_a_key_is_released_once_however_it_bounces(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.PANEL, Capability.RELEASES) as (equipment, panel):
        await equipment.press("it", "void", bounces=4)
        await equipment.act("it", "hold_for", key="clear", ms=30)
        keys = [it for it in await panel.take(4) if isinstance(it, KeyPressed | KeyReleased)]
        assert sorted(keys, key=repr) == sorted(
            [KeyPressed("void"), KeyPressed("clear"), KeyReleased("void"), KeyReleased("clear")], key=repr
        )
        assert keys[:2] == [KeyPressed("void"), KeyPressed("clear")]


# Seats and meter ------------------------------------------------------------------------------------------------------


async def test_a_late_chip_that_stays_counts_in_the_next_round(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.EXTRA_ROLL) as (equipment, sensors):
        await equipment.act("it", "place", seat=1)
        await sensors.device.send(OpenWagers(), 1)
        await seen(equipment, lambda: equipment.lights("it")[:2] == (SeatLight.PLACED, SeatLight.AWAITING))
        await sensors.device.send(LockOut(), 2)
        assert await sensors.until(LockedOut) == LockedOut(2, (1,))
        assert await equipment.act("it", "collect") == [1]
        await equipment.act("it", "place", seat=4)
        assert await sensors.until(LateWager) == LateWager(4, True)
        await sensors.device.send(OpenWagers(), 3)
        await sensors.until(WagersOpened)
        await sensors.device.send(LockOut(), 4)
        assert await sensors.until(LockedOut) == LockedOut(4, (4,))


async def test_a_sensor_that_sees_nothing_and_one_that_sees_too_much(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.PROGRESSIVE) as (equipment, system):
        await system.device.send(OpenWagers(), 1)
        await equipment.act("it", "blind", seat=2)
        await equipment.act("it", "invent_next", seat=6)
        for seat in (1, 2):
            await equipment.act("it", "place", seat=seat)
        await system.device.send(LockOut(), 2)
        assert await system.until(LockedOut) == LockedOut(2, (1, 6))
        for act, seat, problem in (("place", 1, "a chip lies"), ("place", 8, "no seat 8"), ("lift", 5, "no chip lies")):
            with pytest.raises(ActFailed, match=problem):
                await equipment.act("it", act, seat=seat)
        with pytest.raises(CommandRefused, match="takes no ReadMeter"):
            await system.device.send(ReadMeter(), 3)


async def test_a_meter_by_hand_over_three_rounds(bench_folder: Path) -> None:
    """Worked out with pencil: a wager of 1.00 adds 12.5 cents to the display and 3.3333 cents to the reserve."""
    async with table(bench_folder, Kind.PROGRESSIVE, Capability.METER) as (equipment, system):
        await equipment.act(
            "it", "rules", base="100.00", reset="50.00", limit="100.50", increment_ppm=125_000, hidden_ppm=33_333
        )
        rounds = [(1, 2, 3), (1, 2), ()]
        expected = [
            ("100.37", "3.00", "0.00", "0.09"),
            ("100.50", "5.00", "0.12", "0.16"),
            ("100.50", "5.00", "0.12", "0.16"),
        ]
        await system.until(MeterRules)
        for number, (seats, (display, wagered, overflow, reserve)) in enumerate(zip(rounds, expected, strict=True)):
            await system.device.send(OpenWagers(), 10 * number + 1)
            for seat in seats:
                await equipment.act("it", "place", seat=seat)
            await system.device.send(LockOut(), 10 * number + 2)
            assert (await system.until(LockedOut)).seats == seats
            await equipment.act("it", "collect")
            await system.device.send(ReadMeter(), 10 * number + 3)
            meter = await system.until(Meter)
            while meter.command != 10 * number + 3:
                meter = await system.until(Meter)
            assert (meter.display, meter.wagered, meter.overflow, meter.reserve) == tuple(
                map(dollars, (display, wagered, overflow, reserve))
            )
        assert await equipment.act("it", "books") == {
            "balanced": True,
            "display": "10050",
            "overflow": "25/2",
            "reserve": "33333/2000",
        }
        await equipment.act("it", "drift", cents=-3)
        assert (await equipment.act("it", "books"))["balanced"] is False


async def test_wins_in_their_order_and_wagers_that_cannot_go_back_after_them(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.PROGRESSIVE, Capability.METER) as (equipment, system):
        await system.device.send(OpenWagers(), 1)
        await equipment.act("it", "place", seat=5)
        await system.device.send(LockOut(), 2)
        await system.until(LockedOut)
        shown = dollars("1000.20")
        await system.device.send(RecordAward(5, shown, True), 3)
        assert await system.until(WinLight) == WinLight(5, True)
        assert await system.until(AwardRecorded) == AwardRecorded(3, 5, shown, dollars("1000.00"))
        with pytest.raises(CommandRefused, match=r"the meter shows 1000\.00, not 1000\.20"):
            await system.device.send(RecordAward(2, shown, True), 4)
        await system.device.send(RecordAward(2, dollars("1000.00"), True), 5)
        assert (await system.until(AwardRecorded)).seat == 2
        await seen(equipment, lambda: equipment.won("it") == (5, 2))
        with pytest.raises(CommandRefused, match="the meter has changed since the lock-out"):
            await system.device.send(ReturnWagers(), 6)
        await equipment.act("it", "acknowledge_win")
        await seen(equipment, lambda: equipment.won("it") == ())


async def test_a_host_that_knows_nothing_is_told_seats_and_meter(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.PROGRESSIVE, Capability.METER) as (equipment, system):
        assert [type(it) for it in await system.take(2)] == [MeterRules, Meter]
        await equipment.act("it", "place", seat=3)
        assert await system.take(1) == [SeatSensor(3, True)]
        await equipment.power_cycle("it", kept=False)
        await system.up()
        seat, rules, meter = await system.take(3)
        assert seat == SeatSensor(3, True)
        assert isinstance(rules, MeterRules)
        assert isinstance(meter, Meter)


rates = st.integers(0, 400_000)
amounts = st.integers(0, 100_000)
moves = st.one_of(
    st.tuples(st.just("add"), st.integers(0, 900)),
    st.tuples(st.just("whole"), st.just(0)),
    st.tuples(st.just("part"), st.integers(0, 200_000)),
    *[st.tuples(st.just(reason.value), st.integers(0, 2_000)) for reason in MeterReason],
)


@given(
    st.integers(0, 100_000), st.integers(0, 100_000), st.none() | st.integers(0, 120_000), rates, rates, st.lists(moves)
)
def test_the_books_balance_whatever_happens(
    base: int, reset: int, limit: int | None, increment: int, hidden: int, done: list[tuple[str, int]]
) -> None:
    rules = MeterRules(Money(base), Money(reset), None if limit is None else Money(limit), increment, hidden)
    meter = MeterAccounts.new(rules)
    wagered = 0
    for what, number in done:
        before = meter.copy()
        refusal = None
        if what == "add":
            meter.add(number)
            wagered += number
            assert meter.display >= min(before.display, limit if limit is not None else before.display)
        elif what in {"whole", "part"}:
            refusal = meter.award(meter.shown if what == "whole" else Money(number), what == "whole")
        else:
            refusal = meter.lower(MeterReason(what), Money(number))
        if refusal is not None:
            assert meter == before
        assert min(meter.display, meter.reserve, meter.overflow) >= 0
        assert meter.balanced()
    held = meter.display + meter.reserve + meter.overflow
    assert held + meter.wins + meter.lowered == meter.seed + Fraction(wagered * (increment + hidden), 1_000_000)


# Dice and numbers -----------------------------------------------------------------------------------------------------


async def test_dice_lie_as_they_are_arranged_and_grow_old(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.SHAKER, Capability.THREE_DICE) as (equipment, shaker):
        await equipment.act("it", "wear", days=8, throws=41)
        await equipment.act("it", "shake", times=3)
        await equipment.act("it", "arrange", dice=["5@60", "?:off_table", "2:cocked_twice"])
        await shaker.device.send(ReadDice(), 1)
        assert await shaker.until(DiceRead) == DiceRead(
            1, 3, (Die(5, 60, DieLies.FLAT), Die(None, 0, DieLies.OFF_TABLE), Die(2, 99, DieLies.COCKED_TWICE))
        )
        await equipment.unplug("it", for_ms=20)
        await shaker.up()
        age = await shaker.until(DiceAge)
        assert age.throws == 42
        assert 8 * 86_400 <= age.seconds < 8 * 86_400 + 60
        for wrong in ("7", "5:flying", "5@101", ""):
            with pytest.raises(ActFailed, match="is no die"):
                await equipment.act("it", "arrange", dice=[wrong])


async def test_a_generator_whose_numbers_are_known(bench_folder: Path) -> None:
    async with table(bench_folder, Kind.RNG) as (equipment, rng):
        await equipment.act("it", "draw_next", numbers=[4, 4])
        for number in (1, 2):
            await rng.device.send(DrawNumber(1, 7), number)
            assert await rng.until(NumberDrawn) == NumberDrawn(number, 4)
        await equipment.act("it", "meddle")
        state = await rng.until(DeviceState)
        assert (state.tamper, state.fault) == (True, Fault.TAMPER)
        with pytest.raises(CommandRefused, match="in the fault tamper"):
            await rng.device.send(DrawNumber(1, 7), 3)
