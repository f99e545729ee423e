"""Against libosdp, whose authors know nothing of us: its reader with our panel, its panel with our emulated reader."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import osdp_sys
import pytest

from tablectl_drivers.osdp import contents as c
from tablectl_drivers.osdp.control_panel import ControlPanel
from tablectl_drivers.osdp.happenings import Found, Happening, KeyGiven, Presented, Status, Timing
from tablectl_drivers.osdp.packets import Decoder
from tablectl_drivers.osdp.secure_channel import DEFAULT_KEY
from tablectl_hil.osdp_peripheral import Peripheral

KEY = bytes(range(16))
OTHER = bytes(range(16, 32))
DEADLINE_S = 10.0
ADDRESS = 4


class Channel:
    """The line as libosdp wants it: what it reads, and what it has written."""

    id = 1

    def __init__(self) -> None:
        self.incoming = bytearray()
        self.written = bytearray()

    def read(self, most: int) -> bytes:
        data = bytes(self.incoming[:most])
        del self.incoming[:most]
        return data

    def write(self, data: bytes) -> int:
        self.written += data
        return len(data)

    def flush(self) -> None: ...

    def take(self) -> bytes:
        data = bytes(self.written)
        self.written.clear()
        return data


def end(channel: Channel, key: bytes | None, flags: int) -> dict[str, Any]:
    """One end of a conversation as libosdp wants it."""
    return {
        "name": "it",
        "address": ADDRESS,
        "flags": flags,
        "scbk": key,
        "channel": channel,
        "version": 1,
        "model": 2,
        "vendor_code": 0x00AABBCC,
        "serial_number": 0x1234,
        "firmware_version": 0x010203,
    }


class TheirReader:
    """libosdp's reader and our panel."""

    def __init__(self, key: bytes | None, *, install: bool = False) -> None:
        osdp_sys.set_loglevel(osdp_sys.LOG_EMERG)
        self.channel = Channel()
        self.told: list[dict[str, Any]] = []
        able = (
            osdp_sys.CAP_CARD_DATA_FORMAT,
            osdp_sys.CAP_READER_LED_CONTROL,
            osdp_sys.CAP_READER_AUDIBLE_OUTPUT,
            osdp_sys.CAP_COMMUNICATION_SECURITY,
            osdp_sys.CAP_CONTACT_STATUS_MONITORING,
        )
        capabilities = [{"function_code": code, "compliance_level": 1, "num_items": 1} for code in able]
        flags = osdp_sys.FLAG_INSTALL_MODE if key is None else osdp_sys.FLAG_ENFORCE_SECURE
        self.reader = osdp_sys.PeripheralDevice(end(self.channel, key, flags), capabilities=capabilities)
        self.reader.set_command_callback(self._told)
        timing = Timing(poll=0.01, lost_after=5.0, retry=0.01, retry_max=0.1)
        self.panel = ControlPanel(ADDRESS, timing, random.Random(1), key=lambda: KEY, install=install)
        self.panel.begin(time.monotonic())
        self.happened: list[Happening] = []
        self._decoder = Decoder()

    def until(self, condition: Callable[[], bool]) -> None:
        """Let them talk until something has happened."""
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < deadline, self.happened
            if time.monotonic() >= self.panel.due:
                self._exchange()

    def _exchange(self) -> None:
        request, happenings = self.panel.request(time.monotonic())
        self.happened += happenings
        self.channel.incoming += b"\xff" + request
        deadline = time.monotonic() + 0.1
        while time.monotonic() < deadline:
            self.reader.refresh()
            for packet in self._decoder.feed(self.channel.take()):
                taken = self.panel.receive(packet, time.monotonic())
                if taken is not None:
                    self.happened += taken
                    return
        self.happened += self.panel.silent(time.monotonic())

    def _told(self, command: dict[str, Any]) -> tuple[int, None]:
        self.told.append(command)
        return 0, None


def test_their_reader_with_our_panel() -> None:
    it = TheirReader(KEY)
    it.until(lambda: bool(it.happened))
    (found,) = it.happened
    assert isinstance(found, Found)
    assert found.identity == c.Identity(b"\xcc\xbb\xaa", 2, 1, 0x1234, (1, 2, 3))
    assert it.reader.is_sc_active()
    for number in (3, 1, 2):
        card = {"event": osdp_sys.EVENT_CARDREAD, "reader_no": 0, "format": 1, "direction": 0, "length": 26}
        it.reader.submit_event({**card, "data": bytes((number, 0, 0, 0))})
    it.reader.submit_event(
        {"event": osdp_sys.EVENT_STATUS, "type": osdp_sys.STATUS_REPORT_LOCAL, "report": bytes((1, 0))}
    )
    it.until(lambda: len(it.happened) == 5)
    assert [it.card for it in it.happened[1:4] if isinstance(it, Presented)] == [
        c.Card(26, number << 18) for number in (3, 1, 2)
    ]
    assert it.happened[4] == Status(True, False, False)
    it.told.clear()
    it.panel.order(c.Command.LED, c.led(good=True))
    it.panel.order(c.Command.BUZ, c.buzzer(good=False))
    it.until(lambda: len(it.told) == 2)
    light, tone = it.told
    assert (light["command"], light["temporary"], light["on_color"], light["timer_count"]) == (
        osdp_sys.CMD_LED,
        True,
        osdp_sys.LED_COLOR_GREEN,
        5,
    )
    assert (tone["command"], tone["rep_count"]) == (osdp_sys.CMD_BUZZER, 3)
    assert (it.panel.bad, it.panel.retransmits) == (0, 0)


def test_their_reader_is_given_its_key() -> None:
    it = TheirReader(None, install=True)
    it.until(lambda: any(isinstance(one, Found) for one in it.happened))
    assert [type(one) for one in it.happened] == [KeyGiven, Found]
    assert [(one["type"], one["data"]) for one in it.told if one["command"] == osdp_sys.CMD_KEYSET] == [(1, KEY)]


class TheirPanel:
    """libosdp's panel and our emulated reader."""

    def __init__(self, key: bytes | None, flags: int) -> None:
        osdp_sys.set_loglevel(osdp_sys.LOG_EMERG)
        self.channel = Channel()
        self.happened: list[dict[str, Any]] = []
        self.panel = osdp_sys.ControlPanel([end(self.channel, key, flags | osdp_sys.FLAG_ENABLE_NOTIFICATION)])
        self.panel.set_event_callback(self._happened)
        self._decoder = Decoder()

    def until(self, reader: Peripheral, condition: Callable[[], bool]) -> None:
        """Let them talk until something has happened."""
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < deadline, self.happened
            self.panel.refresh()
            for packet in self._decoder.feed(self.channel.take()):
                for answer in reader.answer(packet):
                    self.channel.incoming += b"\xff" + answer

    def events(self, kind: int) -> list[dict[str, Any]]:
        """What has happened of that kind."""
        return [event for event in self.happened if event["event"] == kind]

    def _happened(self, _: int, event: dict[str, Any]) -> int:
        self.happened.append(event)
        return 0


def test_our_reader_with_their_panel() -> None:
    it = TheirPanel(KEY, osdp_sys.FLAG_ENFORCE_SECURE)
    reader = Peripheral("it", ADDRESS, KEY, random.Random(1))
    it.until(reader, lambda: it.panel.sc_status() == 1)
    identity = it.panel.get_pd_id(0)
    assert (identity["model"], identity["serial_number"]) == (reader.identity.model, reader.identity.serial)
    reader.badge(bits="101100111000")
    reader.tamper(open=True)
    it.until(reader, lambda: bool(it.events(osdp_sys.EVENT_STATUS)))
    (card,) = it.events(osdp_sys.EVENT_CARDREAD)
    assert (card["length"], card["data"]) == (12, b"\xb3\x80")
    assert it.events(osdp_sys.EVENT_STATUS)[0]["report"] == b"\x01\x00"
    it.panel.submit_command(0, {"command": osdp_sys.CMD_KEYSET, "type": 1, "data": OTHER})
    it.until(reader, lambda: reader.key == OTHER)
    it.until(reader, lambda: it.panel.sc_status() == 1)


@pytest.mark.parametrize("key", [OTHER, DEFAULT_KEY])
def test_a_wrong_key_brings_no_secured_conversation(key: bytes) -> None:
    it = TheirPanel(key, osdp_sys.FLAG_ENFORCE_SECURE)
    reader = Peripheral("it", ADDRESS, KEY, random.Random(1))
    it.until(reader, lambda: reader.heard >= 3 and not it.channel.incoming)
    assert it.panel.sc_status() == 0
    assert not reader.secure
