"""`tablectl hil run --equipment`: devices that are real, and a person who does what the robot would have done.

The devices are emulated in a process that the run knows nothing of, and this test is the person: it reads what is told
on the terminal and does it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tablectl.cards import deck
from tablectl.cli import main
from tablectl.engine.scenario import parse
from tablectl.engine.script import play
from tablectl.equipment import Capability, Kind
from tablectl_hil.by_hand import TableStuck, Terminal
from tablectl_hil.control import Equipment, Piece, emulators
from tests.daemon.tables import STACKS, TWO_SEATS
from tests.engine.scenarios import without_deck

PATIENCE_S = 60.0
DECK = [card.name for card in deck()]
ALL = (
    Piece("keys", Kind.PANEL, (Capability.CARD_KEYS, Capability.DIGITS)),
    Piece("dealing_shoe", Kind.SHOE, (Capability.READS,)),
    Piece("shuffler", Kind.SHUFFLER, (Capability.COUNTS,)),
    Piece("chips", Kind.WAGER_SENSORS, (Capability.AMOUNTS,)),
    Piece("camera", Kind.CARD_SCANNER),
    Piece("door", Kind.CREDENTIAL_READER),
)

Does = Callable[[Equipment, re.Match[str]], Awaitable[object]]


async def _press(it: Equipment, told: re.Match[str]) -> None:
    while not await it.press(told[2], told[1].lower().replace(" ", "_")):
        await it.changed()  # dark


async def _refill(it: Equipment, told: re.Match[str]) -> None:
    await it.take(told[1])
    await it.insert(told[1], DECK)


DOES: dict[str, Does] = {
    r"take card \d+ from (\w+)": lambda it, told: it.take_card(told[1]),
    r"take the stack from (\w+)": lambda it, told: it.take_stack(told[1]),
    r"press ([A-Z0-9 ]+) on (\w+)": _press,
    r"put (\S+) on (\w+) of seat (\d+) \((\w+)\)": lambda it, told: it.put(
        told[4], int(told[3]), told[2].lower(), told[1]
    ),
    r"take everything off (\w+) of seat (\d+) \((\w+)\)": lambda it, told: it.lift(
        told[3], int(told[2]), told[1].lower()
    ),
    r"hold a floorperson's badge to (\w+)": lambda it, told: it.badge(told[1], "0815"),
    r"show (\w\w) to (\w+)": lambda it, told: it.show(told[2], told[1]),
    r"let (\w+) finish": lambda it, told: it.finish(told[1]),
    r"put (\w+) right": lambda it, told: it.clear(told[1]),
    r"load (\w+) in this order, .*: (.*)": lambda it, told: it.load(told[1], told[2].split()),
    r"take the cards that are in (\w+) out, and put a whole deck in": _refill,
    r"take the power from (\w+) and give it back \(its memory kept: False\)": lambda it, told: it.power_cycle(
        told[1], kept=False
    ),
}
"""What a person does who is told that."""


@dataclass
class Run:
    """A run in a process of its own: its scenario, its devices' file, and all that it has said."""

    equipment: Equipment
    scenario: Path
    file: Path
    told: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    async def go(self, *options: str, person: bool = True) -> tuple[int, str]:
        """Exit status and standard output; with a `person` what is told is done."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tablectl", "hil", "run", str(self.scenario), "--equipment", str(self.file)),
            *options,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            while line := (await process.stderr.readline()).decode():
                self.said.append(line.rstrip())
                if line.startswith(">>> ") and person:
                    text = line.removeprefix(">>> ").rstrip().removesuffix("; then press Enter")
                    await self.do(text)
                    if line.rstrip().endswith("; then press Enter"):
                        process.stdin.write(b"\n")
            printed = (await process.stdout.read()).decode()
            return await process.wait(), printed

    async def do(self, text: str) -> None:
        """Do what is told."""
        self.told.append(text)
        for form, does in DOES.items():
            told = re.fullmatch(form, text)
            if told is not None:
                await does(self.equipment, told)
                return
        raise AssertionError(f"a person does not know how to do this: {text}")


def sections(equipment: Equipment, *pieces: Piece, **ports: str) -> str:
    """The file of real devices."""
    return "\n".join(
        f'[devices.{piece.id}]\nkind = "{piece.kind}"\ndriver = "table-device-link"\n'
        f'port = "{ports.get(piece.id, equipment.port(piece.id))}"\nserial = "{piece.serial}"\n'
        for piece in pieces
    )


@contextlib.asynccontextmanager
async def run_with(folder: Path, document: dict[str, Any], *pieces: Piece) -> AsyncIterator[Run]:
    """Devices that are real as far as the run knows, and the files for it."""
    devices = folder / "devices"
    devices.mkdir()
    async with emulators(devices, pieces) as (equipment, _):
        scenario, file = folder / "scenario.json", folder / "real.toml"
        scenario.write_text(json.dumps(document), encoding="utf-8")
        file.write_text(sections(equipment, *pieces), encoding="utf-8")
        yield Run(equipment, scenario, file)


def expected(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [without_deck(played) for played in play(parse(document))["rounds"]]


def outcome(printed: str) -> list[dict[str, Any]]:
    return [without_deck(played) for played in json.loads(printed)["rounds"]]


async def test_person_deals_at_a_table_where_everything_is_real(tmp_path: Path) -> None:
    async with run_with(tmp_path, TWO_SEATS, *ALL) as run:
        status, printed = await run.go("--json")
        assert printed, run.said
        assert outcome(printed) == expected(TWO_SEATS)
        assert status == 0, run.said
        cards = [text for text in run.told if text.startswith("take card")]
        assert cards == [f"take card {number} from dealing_shoe" for number in range(1, 10)]
        assert run.told[0] == "take the cards that are in shuffler out, and put a whole deck in"
        assert "put 5.00 on PAIR_PLUS of seat 1 (chips)" in run.told
        assert "press NO MORE BETS on keys" in run.told
        assert "show 9c to camera" in run.told


async def test_one_real_device_among_emulated_ones_with_a_fault_by_hand(tmp_path: Path) -> None:
    """The shoe is called as an emulated device would be that it takes no place of."""
    shoe = Piece("panel", Kind.SHOE, (Capability.READS,))
    twice = {**TWO_SEATS, "round": TWO_SEATS["round"] * 2}
    faults = tmp_path / "faults.toml"
    faults.write_text(
        '[[fault]]\nat = "card 4"\ndevice = "panel"\nact = "power_cycle"\nwith = { kept = false }\nlatches = "lost"\n'
        "returns = true\n"
    )
    async with run_with(tmp_path, twice, shoe) as run:
        kept = tmp_path / "kept"
        status, printed = await run.go("--json", "--faults", str(faults), "--keep", str(kept))
        assert printed, run.said
        assert outcome(printed) == expected(twice)
        assert status == 0, run.said
        assert [text.split()[0] for text in run.told] == [
            *("load", "take", "take", "take", "take", "take", "take", "take", "take", "take", "take"),
            *("load", "take", "take", "take", "take", "take", "take", "take", "take", "take"),
        ]
        assert run.told[4] == "take the power from panel and give it back (its memory kept: False)"
        (folder,) = kept.iterdir()
        assert f'port = "serial:{folder / "panel_2"}"' in (folder / "table.toml").read_text("utf-8")


async def test_automated_shoe_is_filled_before_it_is_told_to_give(tmp_path: Path) -> None:
    async with run_with(tmp_path, STACKS, Piece("shoe", Kind.SHOE, (Capability.DISPENSES, Capability.READS))) as run:
        status, printed = await run.go("--json")
        assert printed, run.said
        assert outcome(printed) == expected(STACKS)
        assert status == 0, run.said
        assert [text.split()[:3] for text in run.told] == [["load", "shoe", "in"], *([["take", "the", "stack"]] * 3)]


async def test_what_was_done_otherwise_is_said_and_so_is_an_outcome_that_differs(tmp_path: Path) -> None:
    async with run_with(tmp_path, TWO_SEATS, ALL[0]) as run:

        async def carelessly(text: str) -> None:
            key = "bet" if text == "press FOLD on keys" else text.split()[-3].lower()
            await run.equipment.press("keys", "no_more_bets" if key == "bets" else key)

        run.do = carelessly  # type: ignore[method-assign]
        status, printed = await run.go("--json")
        again = [line for line in run.said if "something else" in line]
        assert again == [">>> that was something else (KeyPressed(key='bet')); press FOLD on keys"]
        assert outcome(printed)[0]["net"]["3"] == "25.00", "the dealer does not qualify"
        assert 'round 1 ends otherwise than by script: net.3 is "25.00", by script "-25.00"' in run.said
        assert status == 1, run.said


async def test_devices_that_are_not_there_or_others_are_named_with_file_and_line(tmp_path: Path) -> None:
    devices = [
        Piece("shoe", Kind.SHOE),
        Piece("chips", Kind.WAGER_SENSORS),
        Piece("shuffler", Kind.SHUFFLER, (Capability.COUNTS,)),
        Piece("camera", Kind.CARD_SCANNER),
    ]
    async with run_with(tmp_path, STACKS, *devices) as run:
        nowhere = f"serial:{tmp_path / 'nowhere'}"
        swapped = run.equipment.port("camera"), run.equipment.port("shuffler")
        run.file.write_text(sections(run.equipment, *devices, chips=nowhere, shuffler=swapped[0], camera=swapped[1]))
        status, printed = await run.go("--json")
        assert (status, printed) == (3, "")
        named = [line.partition(f"{run.file}:")[2] for line in run.said if str(run.file) in line]
        assert [problem[:60] for problem in sorted(named, key=lambda problem: int(problem.partition(":")[0]))] == [
            "2: devices.shoe.kind: Emulated shoe EMU-shoe gives no stacks",
            "10: devices.chips.port: the port cannot be opened: could not",
            "16: devices.shuffler.port: a card_scanner (Emulated card sca",
            "22: devices.camera.port: a shuffler (Emulated shuffler EMU-s",
        ]


async def test_nobody_does_what_is_told(tmp_path: Path) -> None:
    async with run_with(tmp_path, TWO_SEATS, Piece("shoe", Kind.SHOE)) as run:
        status, _ = await run.go("--wait", "0.5", person=False)
        assert status == 3, run.said
        assert run.said[-1].startswith("tablectl: nobody did this within 0.5 s: load shoe in this order")


def test_nobody_is_at_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for nobody in (os.devnull, __file__):
        with Path(nobody).open() as file:
            monkeypatch.setattr(sys, "stdin", file)
            with pytest.raises(TableStuck, match="nobody is at the terminal to do this: load it"):
                asyncio.run(Terminal().confirm("load it"))


SHOE = '[devices.shoe]\nkind = "shoe"\ndriver = "table-device-link"\nport = "serial:/dev/shoe"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, ": cannot be read: No such file or directory; expected the real devices, a TOML file"),
        ("[devices.shoe\n", ":1: this is not TOML: "),
        ("", ": devices: names no device: expected a section [devices.ID] for each device that is real"),
        (f'{SHOE}[table]\nid = "T"\n', ":5: table: unknown section or key: expected sections [devices.ID]"),
        ("devices = { shoe = { kind = 'shoe' } }\n", ":1: devices: expected a section [devices.ID] for each device"),
        (SHOE.replace("shoe", "sheo"), ":2: devices.sheo.kind: found 'sheo': expected a kind of equipment: panel, "),
        (SHOE.replace("port", "prot"), ":1: devices.shoe.port: missing: expected where the device is"),
        (SHOE.replace("link", "lynx"), ":3: devices.shoe.driver: driver 'table-device-lynx' is not installed"),
        (SHOE.replace("serial:", "sreial:"), ":4: devices.shoe.port: 'sreial:/dev/shoe' is no port of this driver"),
        (f"{SHOE}lost_after_ms = 7\n", ":5: devices.shoe.lost_after_ms: 7: expected milliseconds from 500 to 60000"),
        (SHOE + SHOE.replace(".shoe]", ".other]"), ":6: devices.other.kind: shoe is a shoe already, a table has one"),
        (SHOE.replace('"shoe"', '"shuffler"'), ':2: devices.shoe.kind: table.shuffler is "none": set that to plain'),
    ],
    ids=["missing", "toml", "empty", "section", "inline", "kind", "key", "driver", "port", "option", "two", "table"],
)
def test_what_is_wrong_with_the_file_is_told_with_line_and_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, said: str
) -> None:
    scenario, file = tmp_path / "scenario.json", tmp_path / "real.toml"
    scenario.write_text(json.dumps({**TWO_SEATS, "table": {"shuffler": "none"}}), encoding="utf-8")
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert main(["hil", "run", str(scenario), "--equipment", str(file)]) == 2
    assert f"{file}{said}" in capsys.readouterr().err


def test_fault_that_no_person_can_do_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario, file, faults = (tmp_path / name for name in ("scenario.json", "real.toml", "faults.toml"))
    scenario.write_text(json.dumps(TWO_SEATS), encoding="utf-8")
    file.write_text(SHOE, encoding="utf-8")
    faults.write_text('[[fault]]\nat = "card 1"\ndevice = "shoe"\nact = "babble"\nwith = { count = 9 }\n')
    command = ["hil", "run", str(scenario), "--equipment", str(file), "--faults", str(faults)]
    assert main(command) == 2
    said = "fault.0: babble of shoe: that device is real, and a person cannot do this to it"
    assert said in capsys.readouterr().err
