"""What a USB port in a configuration means."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.equipment import Kind
from tablectl.errors import ConfigurationError
from tablectl_drivers.link.driver import LinkDriver
from tablectl_drivers.usb.address import Address, parse


@pytest.mark.parametrize(
    ("port", "address"),
    [
        ("usb:05f3:0405", Address(0x05F3, 0x0405)),
        ("usb:05F3:0405?serial=A%20B/1", Address(0x05F3, 0x0405, serial="A B/1")),
        ("usb:1209:0001?port=1-2.3.4&interface=2", Address(0x1209, 1, port="1-2.3.4", interface=2)),
    ],
)
def test_a_port(port: str, address: Address) -> None:
    assert parse(port) == address


@pytest.mark.parametrize(
    ("port", "problem"),
    [
        ("serial:x", "is no USB port"),
        ("usb", "is no USB port"),
        ("usb:5f3:405", "four hexadecimal digits"),
        ("usb:05f3:0405:1", "four hexadecimal digits"),
        ("usb:05f3:0405?serial=", "has serial ''"),
        ("usb:05f3:0405?port=2", "has port '2'"),
        ("usb:05f3:0405?port=1-2-3", "has port '1-2-3'"),
        ("usb:05f3:0405?interface=²", "has interface '²'"),
        ("usb:05f3:0405?interface=256", "has interface '256'"),
        ("usb:05f3:0405?baud=9600", "unknown setting 'baud'"),
    ],
)
def test_a_port_that_cannot_be(port: str, problem: str) -> None:
    with pytest.raises(ValueError, match="expected") as refusal:
        parse(port)
    assert problem in str(refusal.value)


def test_the_driver_takes_both_kinds_of_ports() -> None:
    LinkDriver.check("panel", Kind.PANEL, "usb:1209:0001?serial=7", {})
    LinkDriver.check("panel", Kind.PANEL, "serial:ttyS0", {})
    with pytest.raises(ConfigurationError, match=r"\[devices.panel\] port: .*usb:VID:PID"):
        LinkDriver.check("panel", Kind.PANEL, "usb:1", {})


@given(st.text())
def test_anything_is_an_address_or_refused(text: str) -> None:
    with suppress(ValueError):
        parse(f"usb:{text}")
