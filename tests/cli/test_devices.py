"""`tablectl devices`: what is there, and how the devices of a table are, looked at over real ptys."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import serial

from tablectl.cli import main
from tablectl.devices import registry
from tablectl.equipment import Capability, Kind
from tablectl_hil.control import Piece, emulators
from tests.drivers.usb.kernel_list import KernelList, needs_umockdev

PIECES = [Piece("panel", Kind.PANEL, (Capability.CARD_KEYS,)), Piece("shoe", Kind.SHOE, (Capability.READS,))]


def written(folder: Path, *, lost_after_ms: int = 3000) -> Path:
    lines = ['[table]\nid = "T1"\nsite = "s"\npit = "p"\ngame = "three_card_poker"\n']
    lines += ['dealing = "manual_shoe"\nshuffler = "none"\njournal = "journal"\n']
    for piece in PIECES:
        lines += [f'[devices.{piece.id}]\nkind = "{piece.kind}"\ndriver = "table-device-link"\n']
        lines += [f'port = "serial:{folder / piece.id}"\nlost_after_ms = {lost_after_ms}\n']
    (folder / "t1.toml").write_text("".join(lines), encoding="utf-8")
    return folder / "t1.toml"


async def devices(*words: object, environment: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tablectl", "devices", *map(str, words)),
        env={**os.environ, **(environment or {})},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def test_ports_and_drivers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["devices", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [driver["name"] for driver in found["drivers"]] == list(registry.known())
    (link,) = [driver for driver in found["drivers"] if driver["name"] == "table-device-link"]
    assert (link["kinds"][:2], link["problem"]) == (["card_reader", "card_scanner"], None)
    for port in found["ports"]:
        assert port["port"].startswith("serial:/dev/")
    assert main(["devices"]) == 0
    assert "  table-device-link: card_reader, card_scanner," in capsys.readouterr().out


def test_a_port_is_named_by_what_does_not_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a USB port and its links as udev makes them, which this machine need not have."""
    from serial.tools import list_ports
    from serial.tools.list_ports_common import ListPortInfo

    (tmp_path / "ttyUSB0").touch()
    (tmp_path / "by-id").mkdir()
    (tmp_path / "by-id" / "usb-Maker_Shoe_7-if00").symlink_to("../ttyUSB0")
    usb, plain = ListPortInfo(str(tmp_path / "ttyUSB0")), ListPortInfo(str(tmp_path / "ttyS0"))
    usb.vid, usb.pid, usb.serial_number, usb.location = 0x0403, 0x6001, "7", "1-1.2"
    monkeypatch.setattr(list_ports, "comports", lambda: [usb, plain])
    monkeypatch.setattr("tablectl.cli.devices._BY_NAME", (tmp_path / "by-id", tmp_path / "by-path"))
    assert main(["devices", "--json"]) == 0
    bare, stable = json.loads(capsys.readouterr().out)["ports"]
    assert (stable["port"], stable["stable"]) == (f"serial:{tmp_path}/by-id/usb-Maker_Shoe_7-if00", True)
    assert (stable["usb"], stable["serial_number"], stable["socket"]) == ("0403:6001", "7", "1-1.2")
    assert (bare["port"], bare["stable"]) == (f"serial:{tmp_path}/ttyS0", False)
    assert main(["devices"]) == 0
    assert "no stable name: another port may have this name after the next start" in capsys.readouterr().out


async def test_the_devices_of_a_table_are_looked_at_and_not_acknowledged(tmp_path: Path) -> None:
    config = written(tmp_path)
    async with emulators(tmp_path, PIECES) as (equipment, _):
        await equipment.load("shoe", ["As", "Kd"])
        await equipment.take_card("shoe")
        for _ in range(2):  # what the shoe has to say to the daemon it still has to say after the first look
            status, out, err = await devices(config, "--json")
            assert (status, err) == (0, "")
            document = json.loads(out)
            panel, shoe = document["devices"]
            assert document["usb"] is None
            assert (panel["id"], panel["link"]["state"], panel["waiting"]) == ("panel", "up", 0)
            assert shoe["description"]["capabilities"] == ["reads"]
            assert (shoe["state"]["mode"], shoe["state"]["lamp"], shoe["waiting"]) == ("ready", "green", 1)
            assert shoe["link"]["round_trip_ms"] > 0
            assert "As" not in out
        status, out, _ = await devices(config)
        assert status == 0
        assert "shoe (shoe): up\n  Emulated shoe, serial number EMU-shoe, firmware 1.0, capabilities reads\n" in out


async def test_a_device_that_is_not_there_is_status_3(tmp_path: Path) -> None:
    config = written(tmp_path)
    async with emulators(tmp_path, PIECES[:1]):
        status, out, err = await devices(config, "--seconds", "0.5")
    assert status == 3
    assert "panel (panel): up" in out
    why = f"there is no {tmp_path}/shoe: plug it in; tablectl devices lists the ports"
    assert f"shoe (shoe): lost\n  {why}\n" in out
    assert out.count(f"{tmp_path}/shoe") == 1
    assert err == "tablectl: not every device is there.\n"


async def test_a_port_that_another_program_has_is_said_so(tmp_path: Path) -> None:
    config = written(tmp_path)
    async with emulators(tmp_path, PIECES):
        with serial.Serial(str(tmp_path / "shoe"), exclusive=True):
            status, out, err = await devices(config, "--seconds", "0.5")
            again, document, _ = await devices(config, "--seconds", "0.5", "--json")
    assert (status, again) == (3, 3)
    assert "shoe (shoe): lost\n  another program has this port (the daemon, if it runs)\n" in out
    assert err == (
        "tablectl: not every device is there. If the daemon runs, it has the ports, and publishes how they are under"
        " tablectl/s/p/T1/device/ID.\n"
    )
    panel, shoe = json.loads(document)["devices"]
    assert (panel["problem"], shoe["problem"]) == (None, "another program has this port (the daemon, if it runs)")


@pytest.mark.parametrize(
    ("place", "why"), [("file", "is no serial port"), ("folder", "is a folder"), ("shoe", "is no serial port")]
)
async def test_what_is_no_port_is_said_in_words(place: str, why: str, tmp_path: Path) -> None:
    config = written(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    config.write_text(config.read_text("utf-8").replace(f"{tmp_path}/shoe", f"{tmp_path}/{place}"), encoding="utf-8")
    if place == "shoe":
        (tmp_path / "shoe").symlink_to("file")
    status, out, _ = await devices(config, "--seconds", "0.3")
    assert status == 3
    assert f"  {tmp_path}/{place} {why}; tablectl devices lists the ports\n" in out


async def test_something_else_on_the_port_is_status_3(tmp_path: Path) -> None:
    config = written(tmp_path)
    text = config.read_text("utf-8").replace("/panel", "/x").replace("/shoe", "/panel").replace("/x", "/shoe")
    config.write_text(text, encoding="utf-8")
    async with emulators(tmp_path, PIECES):
        status, out, _ = await devices(config, "--seconds", "1", "--json")
    assert status == 3
    panel, shoe = json.loads(out)["devices"]
    assert "answers on its port, expected a panel" in panel["link"]["last_error"]
    assert "answers on its port, expected a shoe" in shoe["link"]["last_error"]


@needs_umockdev
async def test_what_is_plugged_in_is_listed_with_its_entry_for_the_allow_list(tmp_path: Path) -> None:
    machine = KernelList(tmp_path / "machine")
    machine.panel()
    machine.stick()
    status, out, err = await devices(environment=machine.environment)
    assert (status, err) == (0, "")
    assert '  "05f3:0405?port=1-1"\n      05f3:0405 (P. I. Engineering XK-24) without a serial number on' in out
    assert '  "0781:5567?serial=4C53"\n' in out
    _, out, _ = await devices("--json", environment=machine.environment)
    assert [device["entry"] for device in json.loads(out)["usb"]] == ["05f3:0405?port=1-1", "0781:5567?serial=4C53"]


@needs_umockdev
async def test_a_stranger_is_status_3(tmp_path: Path) -> None:
    config = written(tmp_path)
    text = config.read_text("utf-8")
    machine = KernelList(tmp_path / "machine")
    machine.panel()
    machine.stick()
    async with emulators(tmp_path, PIECES):
        status, out, err = await devices(config, environment=machine.environment)
        assert (status, err) == (0, "")
        assert out.endswith("USB: not watched, as there is no section [usb]\n")

        config.write_text(text + '[usb]\nallow = ["05f3:0405"]\n', encoding="utf-8")
        status, out, err = await devices(config, environment=machine.environment)
        assert (status, err) == (3, "tablectl: what is plugged in is not what the section [usb] allows.\n")
        assert out.endswith(
            "USB: strangers\n  0781:5567 (SanDisk Cruzer) with serial number 4C53 on USB port 1-3\n"
            '      if it belongs there, add "0781:5567?serial=4C53" to usb.allow\n'
        )

        config.write_text(text + '[usb]\nallow = ["05f3:0405", "0781:5567?serial=4C53"]\n', encoding="utf-8")
        status, out, _ = await devices(config, environment=machine.environment)
        assert (status, out.splitlines()[-1]) == (0, "USB: no strangers")

        without = KernelList(tmp_path / "without")
        without.devices.rmdir()
        status, out, _ = await devices(config, "--json", environment=without.environment)
        usb = json.loads(out)["usb"]
        assert (status, usb["strangers"]) == (3, None)
        assert "this machine has no USB, or hides it" in usb["problem"]


async def test_a_wrong_configuration_is_status_2(tmp_path: Path) -> None:
    config = written(tmp_path, lost_after_ms=1)
    status, out, err = await devices(config)
    assert (status, out) == (2, "")
    assert "devices.panel.lost_after_ms: 1: expected milliseconds from 500 to 60000" in err


def test_a_driver_that_cannot_be_imported_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from importlib.metadata import EntryPoint

    def points(group: str) -> list[Any]:
        return [EntryPoint("broken", "no_such_module:Driver", group)]

    monkeypatch.setattr(registry, "_points", points)
    assert main(["devices"]) == 0
    assert (
        "  broken: driver 'broken' (no_such_module:Driver, unknown distribution) cannot be" in capsys.readouterr().out
    )
