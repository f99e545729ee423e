"""What the drivers share: the pauses between attempts, and how they are configured."""

from __future__ import annotations

import random
from typing import Final

import pytest

from tablectl.devices import Options
from tablectl.devices.registry import load
from tablectl.equipment import Kind
from tablectl.errors import ConfigurationError
from tablectl_drivers.driving import Pauses, retry_times

SECTIONS: Final[dict[str, tuple[Kind, str, Options]]] = {
    "table-device-link": (Kind.SHOE, "serial:x", {}),
    "osdp": (Kind.CREDENTIAL_READER, "serial:x", {"secure_channel": False}),
    "xkeys": (Kind.PANEL, "usb:05f3:0405", {"keys": "bet=1.1"}),
    "hid-buttons": (Kind.PANEL, "usb:1209:0b0c", {"keys": "bet=1.1"}),
    "linux-input": (Kind.PANEL, "evdev:by-id/x", {"keys": "bet=KEY_F1"}),
}


@pytest.mark.parametrize("name", SECTIONS)
def test_a_longest_pause_shorter_than_the_first_is_refused(name: str) -> None:
    kind, port, options = SECTIONS[name]
    driver = load(name)
    for wrong, first in (({"retry_ms": 500, "retry_max_ms": 400}, 500), ({"retry_max_ms": 100}, 200)):
        with pytest.raises(ConfigurationError) as refusal:
            driver.check("x", kind, port, {**options, **wrong})
        longest = wrong["retry_max_ms"]
        assert refusal.value.problems == (
            f"[devices.x] retry_max_ms: {longest} is less than retry_ms, which is {first}: expected milliseconds from"
            f" {first} to 600000",
        )
    for wrong in ({"retry_ms": 5, "retry_max_ms": 20}, {"retry_ms": 500, "retry_max_ms": 600_001}):
        with pytest.raises(ConfigurationError) as refusal:
            driver.check("x", kind, port, {**options, **wrong})
        assert len(refusal.value.problems) == 1
    for right in ({"retry_ms": 500, "retry_max_ms": 500}, {"retry_ms": 5000}, {"retry_max_ms": 200}):
        driver.check("x", kind, port, {**options, **right})


def test_pauses_grow_up_to_the_longest_and_begin_anew() -> None:
    assert retry_times({}) == (0.2, 3.0)
    assert retry_times({"retry_ms": 5000}) == (5.0, 5.0)
    pauses = Pauses(*retry_times({"retry_max_ms": 700}), random.Random(1))
    for longest in (0.2, 0.4, 0.7, 0.7):
        assert longest / 2 <= pauses.next() <= longest
    pauses.reset()
    assert pauses.next() <= 0.2
