"""Every shipped driver conforms, for each kind that it serves, with its emulated device; and what is wrong is found."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import operator
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from tablectl.devices import Delivery, Driver, Options, Resume
from tablectl.devices.registry import GROUP, load
from tablectl.equipment import Capability, Command, DeviceState, Kind, LinkUp
from tablectl.errors import ConfigurationError
from tablectl_drivers.link.driver import LinkDriver
from tablectl_drivers.linux_input.driver import LinuxInputDriver
from tablectl_drivers.osdp.driver import OsdpDriver
from tablectl_drivers.usb import port as usb_port
from tablectl_hil.conform import emulated_bench, emulated_conform
from tablectl_hil.conform_device import InProcess
from tablectl_hil.conform_emulated import QUICK, Over, emulated
from tablectl_hil.conform_panels import BoxContacts, InputContacts, XkeysContacts
from tablectl_hil.conform_readers import OsdpReader, TypingReader
from tablectl_hil.conformance import Check, CheckResult, Outcome, checks_for, run, run_check
from tablectl_hil.control import Equipment, Piece, connect
from tablectl_hil.usb_backend import UsbDevice
from tablectl_hil.usb_link import UsbEquipment

T = TypeVar("T")
LINK: Final = "table-device-link"


@dataclass(frozen=True)
class Subject:
    """A driver with its emulated device; `slow`: the checks that only wait are made too."""

    driver: str
    piece: Piece
    over: Over | None = None
    options: Options = field(default_factory=dict)
    slow: bool = False

    @property
    def id(self) -> str:
        return "-".join((self.driver, *([self.over] if self.over else []), self.piece.id))

    def checks(self) -> list[Check]:
        return [check for check in checks_for(self.piece.kind) if self.slow or not check.slow]


def _piece(id: str, kind: Kind, *able: Capability) -> Piece:
    return Piece(id, kind, able)


PIECES: Final = {
    piece.id: piece
    for piece in (
        _piece("panel", Kind.PANEL),
        _piece("full_panel", Kind.PANEL, Capability.CARD_KEYS, Capability.DIGITS, Capability.TEXT, Capability.RELEASES),
        _piece("plain_shoe", Kind.SHOE),
        _piece("reading_shoe", Kind.SHOE, Capability.READS),
        _piece("automated_shoe", Kind.SHOE, Capability.DISPENSES, Capability.READS),
        _piece("reshuffling_shoe", Kind.SHOE, Capability.RESHUFFLES, Capability.COUNTS),
        _piece("plain_shuffler", Kind.SHUFFLER),
        _piece("counting_shuffler", Kind.SHUFFLER, Capability.COUNTS, Capability.SELF_TEST),
        _piece("identifying_shuffler", Kind.SHUFFLER, Capability.COUNTS, Capability.IDENTIFIES, Capability.BACKS),
        _piece("batch_shuffler", Kind.SHUFFLER, Capability.COUNTS, Capability.IDENTIFIES, Capability.BATCHES),
        _piece("continuous_shuffler", Kind.SHUFFLER, Capability.COUNTS, Capability.CONTINUOUS),
        _piece("amounts", Kind.WAGER_SENSORS, Capability.AMOUNTS),
        _piece("presence", Kind.WAGER_SENSORS),
        _piece("scanner", Kind.CARD_SCANNER),
        _piece("badge_reader", Kind.CREDENTIAL_READER),
        _piece("card_reader", Kind.CARD_READER),
        _piece("tested_card_reader", Kind.CARD_READER, Capability.SELF_TEST),
        _piece("metered", Kind.PROGRESSIVE, Capability.METER),
        _piece("refusing", Kind.PROGRESSIVE, Capability.METER, Capability.REFUSES_LATE),
        _piece("extra_roll", Kind.EXTRA_ROLL),
        _piece("three_dice", Kind.SHAKER, Capability.THREE_DICE),
        _piece("six_dice", Kind.SHAKER, Capability.SIX_DICE),
        _piece("ten_dice", Kind.SHAKER, Capability.TEN_DICE),
        _piece("rng", Kind.RNG, Capability.SELF_TEST),
    )
}
ON_USB: Final = (
    *("full_panel", "reading_shoe", "counting_shuffler", "amounts", "scanner", "badge_reader", "card_reader"),
    *("metered", "extra_roll", "three_dice", "rng"),
)
PANEL: Final = _piece("panel", Kind.PANEL)
ABLE_PANEL: Final = _piece("able_panel", Kind.PANEL, Capability.CARD_KEYS, Capability.DIGITS)
READER: Final = _piece("reader", Kind.CREDENTIAL_READER)
BY_REPORT: Final[Options] = {"report_id": 3, "inverted": True}
SERIAL: Final = tuple(Subject(LINK, piece, slow=id in {"full_panel", "rng"}) for id, piece in PIECES.items())
OTHERS: Final = (
    *(Subject(LINK, PIECES[id], Over.BULK, slow=id == "full_panel") for id in ON_USB),
    Subject(LINK, PIECES["panel"], Over.INTERRUPT),
    Subject("osdp", READER, slow=True),
    Subject("osdp", replace(READER, id="open_reader"), options={"secure_channel": False, "check": "sum"}),
    Subject("osdp", replace(READER, id="whole_numbers"), options={"format": "whole", "serial": "0000ABCD"}),
    Subject("osdp", replace(READER, id="hex_numbers"), options={"format": "hex"}),
    Subject("xkeys", PANEL, slow=True),
    Subject("xkeys", ABLE_PANEL),
    Subject("hid-buttons", PANEL, slow=True),
    Subject("hid-buttons", replace(ABLE_PANEL, id="by_report"), options=BY_REPORT),
    Subject("linux-input", PANEL, slow=True),
    Subject("linux-input", ABLE_PANEL),
    Subject("linux-input", READER, slow=True),
    Subject("linux-input", replace(READER, id="long_numbers"), options={"length": 10}),
)
SUBJECTS: Final = SERIAL + OTHERS
AT_ONCE: Final = 20


class Kit:
    """Runs the kit on many subjects beside each other, as it mostly waits; what waits for time is a run of its own."""

    def __init__(self) -> None:
        self.results: dict[str, dict[str, CheckResult]] = {subject.id: {} for subject in SUBJECTS}
        self.able: dict[str, set[Capability]] = {}
        self._room = asyncio.Semaphore(AT_ONCE)

    async def all(self, folder: Path) -> None:
        async with connect(folder) as equipment, asyncio.TaskGroup() as tasks:
            for subject in SUBJECTS:
                tasks.create_task(self._quick(subject, equipment))
                for check in subject.checks():
                    if check.slow:
                        tasks.create_task(self._one(subject, equipment, check))

    async def _quick(self, subject: Subject, equipment: Equipment) -> None:
        async with self._room:
            await self._run(subject, subject.piece, equipment, lambda check: not check.slow)

    async def _one(self, subject: Subject, equipment: Equipment, check: Check) -> None:
        piece = replace(subject.piece, id=f"{subject.piece.id}-{check.id}")
        await self._run(subject, piece, equipment, functools.partial(operator.is_, check))

    async def _run(self, subject: Subject, piece: Piece, equipment: Equipment, chosen: Callable[[Check], bool]) -> None:
        driver = load(subject.driver)
        async with contextlib.AsyncExitStack() as stack:
            options: Options = QUICK
            if subject not in SERIAL:
                kit = await stack.enter_async_context(emulated(driver, piece, subject.options, subject.over))
                equipment, options = kit.equipment, kit.options
            bench = functools.partial(emulated_bench, driver, piece, equipment, options)
            description, came = await run(bench, piece.kind, chosen=chosen)
        self.able[subject.id] = set(description.capabilities)
        self.results[subject.id].update({result.id: result for result in came})


@pytest.fixture(scope="module")
def kit(bench_folder: Path) -> Kit:
    """What came of every check of every subject."""

    async def everything() -> Kit:
        it = Kit()
        await it.all(bench_folder)
        return it

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(usb_port, "READ_MS", 20)  # threads that look up often, so that closing a device costs little
        return asyncio.run(everything())


def test_no_shipped_driver_and_no_kind_is_left_out() -> None:
    shipped = [point.name for point in entry_points(group=GROUP) if point.dist and point.dist.name == "tablectl"]
    served = {(name, kind) for name in shipped for kind in load(name).kinds}
    assert {(subject.driver, subject.piece.kind) for subject in SUBJECTS} == served
    on_usb = {subject.piece.kind for subject in SUBJECTS if subject.over is Over.BULK}
    assert on_usb == set(Kind)


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.id)
def test_conforms(kit: Kit, subject: Subject) -> None:
    results = kit.results[subject.id]
    assert {*results} == {check.id for check in subject.checks()}
    bad = {id: it.reason for id, it in results.items() if it.outcome not in {Outcome.PASS, Outcome.NOT_APPLICABLE}}
    assert bad == {}
    assert all(it.reason for it in results.values() if it.outcome is Outcome.NOT_APPLICABLE)
    assert kit.able[subject.id] >= set(subject.piece.capabilities)


def test_every_check_applies_to_some_subject(kit: Kit) -> None:
    passed = {id for results in kit.results.values() for id, it in results.items() if it.outcome is Outcome.PASS}
    assert passed == {check.id for kind in Kind for check in checks_for(kind)}


def test_what_a_device_cannot_do_is_left_out_with_the_reason(kit: Kit) -> None:
    for subject in SUBJECTS:
        keeps = subject.driver == LINK
        left_out = kit.results[subject.id]["begins-anew" if keeps else "kept-until-acknowledged"]
        assert left_out.outcome is Outcome.NOT_APPLICABLE
        assert ("keeps its messages" if keeps else "keeps nothing") in left_out.reason
    assert kit.results["hid-buttons-panel"]["panel-lamps"].reason == "it has no lamps"
    assert "kernel reads its line" in kit.results["linux-input-panel"]["line-lost"].reason


# What is wrong is found -----------------------------------------------------------------------------------------------


class Forgetful(LinkDriver):
    """Acknowledges what it delivers, committed or not."""

    async def _acknowledging(self, stream: AsyncIterator[Delivery]) -> AsyncIterator[Delivery]:
        async for delivery in stream:
            delivery.acknowledge()
            yield delivery

    def events(self) -> AsyncIterator[Delivery]:
        return self._acknowledging(super().events())


class Repeating(LinkDriver):
    """Delivers everything twice."""

    async def _twice(self, stream: AsyncIterator[Delivery]) -> AsyncIterator[Delivery]:
        async for delivery in stream:
            yield delivery
            yield delivery

    def events(self) -> AsyncIterator[Delivery]:
        return self._twice(super().events())


class Renumbering(LinkDriver):
    """Retries an actuation under another id, and whatever boot id the device has."""

    async def send(self, command: Command, command_id: int, *, boot: str | None = None) -> None:
        await super().send(command, command_id ^ 1 if boot is not None else command_id)


class Unresumed(LinkDriver):
    """Does not know where the last daemon stopped."""

    def __init__(self, id: str, kind: Kind, port: str, options: Options, resume: Resume | None = None) -> None:
        super().__init__(id, kind, port, options)


class Stateless(LinkDriver):
    """Keeps the state to itself."""

    async def _without(self, stream: AsyncIterator[Delivery]) -> AsyncIterator[Delivery]:
        first = True
        async for delivery in stream:
            if not (isinstance(delivery.message, DeviceState) and first):
                yield delivery
            first = isinstance(delivery.message, LinkUp)

    def events(self) -> AsyncIterator[Delivery]:
        return self._without(super().events())


class Undying(OsdpDriver):
    """Begins anew under the boot id of the last daemon."""

    def __init__(self, id: str, kind: Kind, port: str, options: Options, resume: Resume | None = None) -> None:
        super().__init__(id, kind, port, options)
        self._boot = "0000cafe" if resume is None else resume[0]


class Sloppy(LinuxInputDriver):
    """Takes everything for done that it is told."""

    def _perform(self, command: Command) -> str | None:
        return None


async def one_check(
    driver: type[Driver],
    piece: Piece,
    id: str,
    *,
    over: Over | None = None,
    options: Options | None = None,
    broken: Callable[[Equipment], Awaitable[object] | None] = lambda _: None,
) -> CheckResult:
    """What comes of one check of a device that has been broken before."""
    (wanted,) = (it for it in checks_for(piece.kind) if it.id == id)
    async with (
        emulated(driver, piece, options or {}, over) as kit,
        emulated_bench(driver, piece, kit.equipment, kit.options) as bench,
    ):
        bench.deadline_s = 0.5
        breaking = broken(kit.equipment)
        if breaking is not None:
            await breaking
        return await run_check(wanted, bench, piece.capabilities)


@pytest.mark.parametrize(
    ("driver", "kind", "check"),
    [
        (Forgetful, Kind.RNG, "kept-until-acknowledged"),
        (Repeating, Kind.RNG, "in-order"),
        (Renumbering, Kind.RNG, "memory-lost"),
        (Unresumed, Kind.RNG, "resumes"),
        (Stateless, Kind.RNG, "describes-itself"),
        (Undying, Kind.CREDENTIAL_READER, "begins-anew"),
        (Sloppy, Kind.PANEL, "refuses-foreign"),
    ],
)
async def test_a_driver_that_is_wrong_fails(driver: type[Driver], kind: Kind, check: str) -> None:
    over = Over.BULK if issubclass(driver, LinkDriver) else None
    result = await one_check(driver, Piece("wrong", kind), check, over=over)
    assert result.outcome is Outcome.FAIL
    assert result.reason


@pytest.mark.parametrize(
    ("piece", "check", "act", "arguments"),
    [
        (PIECES["metered"], "meter-on-connection", "drift", {"cents": 5}),
        (PIECES["metered"], "lock-out", "blind", {"seat": 3}),
        (PIECES["extra_roll"], "lock-out", "invent_next", {"seat": 7}),
        (PIECES["counting_shuffler"], "shuffle", "miscount_next", {"by": 1}),
        (PIECES["identifying_shuffler"], "deck-identified", "claim_next", {}),
        (PIECES["amounts"], "spots", "misread_next", {"amount": "1.00"}),
        (PIECES["reading_shoe"], "shoe-counts", "miss_next", {"cards": 1}),
        (PIECES["rng"], "rng-even", "draw_next", {"numbers": [3] * 350}),
        (PIECES["rng"], "self-test", "self_test_fails", {"detail": "source"}),
        (PIECES["three_dice"], "shaker-faces", "arrange", {"dice": ["1", "2"]}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_device_that_is_wrong_fails(piece: Piece, check: str, act: str, arguments: dict[str, object]) -> None:
    result = await one_check(
        LinkDriver, piece, check, over=Over.BULK, broken=lambda it: it.act(piece.id, act, **arguments)
    )
    assert result.outcome is Outcome.FAIL


def usb(equipment: Equipment) -> UsbDevice:
    """The one device on the emulated bus."""
    assert isinstance(equipment, UsbEquipment)
    (emulator,) = equipment.devices.values()
    return emulator.usb.device


def there(equipment: Equipment, kind: type[T]) -> T:
    """The one device of this process."""
    assert isinstance(equipment, InProcess)
    assert isinstance(equipment.device, kind)
    return equipment.device


def stuck_lamps(equipment: Equipment) -> None:
    there(equipment, XkeysContacts).panel.stuck = True


def other_model(equipment: Equipment) -> None:
    there(equipment, XkeysContacts).panel.product = 0x0405


def no_serial(equipment: Equipment) -> None:
    there(equipment, BoxContacts).box.usb.serial = ""


def no_end(equipment: Equipment) -> None:
    there(equipment, TypingReader).ends = False


def lost_button(equipment: Equipment) -> None:
    box = there(equipment, InputContacts).box
    box.facts = replace(box.facts, keys=frozenset())


def keeps_quiet(equipment: Equipment) -> None:
    reader = there(equipment, OsdpReader).reader
    reader.tamper = lambda open, told=True: None  # type: ignore[method-assign]


BREAKAGES: Final[tuple[tuple[str, Piece, str, Callable[[Equipment], Awaitable[object] | None]], ...]] = (
    (LINK, PIECES["scanner"], "describes-itself", lambda it: usb(it).set(deaf=True)),
    (LINK, PIECES["scanner"], "in-order", lambda it: usb(it).set(halts={0x81: -1})),
    ("osdp", READER, "in-order", lambda it: there(it, OsdpReader).reader.stutter()),
    ("osdp", READER, "badges", lambda it: there(it, OsdpReader).reader.fault(silent=True)),
    ("osdp", READER, "describes-itself", lambda it: there(it, OsdpReader).reader.exchange(1, "00" * 16)),
    ("osdp", READER, "says-changes-of-state", keeps_quiet),
    ("osdp", READER, "line-lost", lambda it: there(it, OsdpReader).reader.fault(lose=400)),
    ("xkeys", PANEL, "panel-one-press", lambda it: it.act("panel", "wear", ms=250)),
    ("xkeys", PANEL, "panel-lamps", stuck_lamps),
    ("xkeys", PANEL, "describes-itself", other_model),
    ("hid-buttons", PANEL, "panel-one-press", lambda it: it.act("panel", "wear", ms=250)),
    ("hid-buttons", PANEL, "describes-itself", no_serial),
    ("linux-input", PANEL, "panel-one-press", lambda it: it.act("panel", "wear", ms=60)),
    ("linux-input", PANEL, "in-order", lost_button),
    ("linux-input", READER, "badges", no_end),
    ("linux-input", READER, "in-order", no_end),
)


@pytest.mark.parametrize(
    ("driver", "piece", "check", "broken"), BREAKAGES, ids=[f"{it[0]}-{it[1].id}-{it[2]}" for it in BREAKAGES]
)
async def test_a_broken_device_fails_the_right_check(
    driver: str, piece: Piece, check: str, broken: Callable[[Equipment], Awaitable[object] | None]
) -> None:
    """Which a sound one passes: see `test_conforms`."""
    over = Over.BULK if driver == LINK else None
    result = await one_check(load(driver), piece, check, over=over, broken=broken)
    assert result.outcome is Outcome.FAIL
    assert result.reason


async def test_what_a_driver_has_no_emulator_for_is_refused() -> None:
    class Foreign(Driver):
        """Speaks a protocol of its own."""

    foreign: Any = Foreign
    with pytest.raises(ConfigurationError, match="no emulator of ours speaks the protocol of Foreign"):
        emulated(foreign, PANEL, {})


@pytest.mark.parametrize(
    ("driver", "kind", "able", "options", "over", "problem"),
    [
        ("osdp", Kind.CREDENTIAL_READER, (), {"key_file": "key"}, None, "--option key_file: the emulated reader"),
        ("osdp", Kind.CREDENTIAL_READER, (), {"format": "octal"}, None, "[devices.reader] format: 'octal'"),
        ("osdp", Kind.SHOE, (), {}, None, "[devices.reader] kind: shoe is not served"),
        (
            "osdp",
            Kind.CREDENTIAL_READER,
            (),
            {},
            Over.BULK,
            "--over bulk: this is for drivers of",
        ),
        ("xkeys", Kind.PANEL, (), {"keys": "bet=1.1"}, None, "--option keys: the checks name the keys"),
        ("xkeys", Kind.PANEL, (Capability.TEXT,), {}, None, "--capability text: not with this driver's"),
        ("hid-buttons", Kind.PANEL, (), {"report_id": 256}, None, "[devices.reader] report_id: 256"),
        ("linux-input", Kind.PANEL, (), {"lamps": "bet=LED_NUML"}, None, "--option lamps: the checks name"),
        ("linux-input", Kind.CREDENTIAL_READER, (), {"length": 65}, None, "[devices.reader] length: 65"),
    ],
)
async def test_an_emulated_device_that_cannot_be(
    driver: str, kind: Kind, able: tuple[Capability, ...], options: Options, over: Over | None, problem: str
) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        await emulated_conform(driver, load(driver), Piece("reader", kind, able), options, over=over)
    assert any(told.startswith(problem) for told in refusal.value.problems), refusal.value.problems
