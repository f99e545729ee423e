"""What a driver's defect puts into a delivery is refused before the journal holds what no start could read again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast, get_args

import pytest

from tablectl.devices import Delivery, Device
from tablectl.engine.inputs import DaemonStarted, TimerExpired
from tablectl.engine.live import _sound, _told
from tablectl.equipment import Badge, CardLeft, Message, ShowPrompt
from tablectl.events import TableStopped
from tablectl.records import decode, encode

BADGES = cast("Device", SimpleNamespace(id="badges"))


def delivery(**changes: Any) -> Delivery:
    fields = {"device": "badges", "message": Badge("4711"), "boot": "b", "number": 1, **changes}
    return Delivery(**fields, acknowledge=lambda: None)


def test_sound_delivery_is_taken() -> None:
    _sound(delivery(), BADGES)
    _sound(delivery(message=Badge("4711 Köln"), boot="", number=0), BADGES)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (delivery(message=Badge(4711)), "Badge.number: found 4711, expected str"),  # type: ignore[arg-type]
        (delivery(message=Badge("4711 \ud800")), "Badge.number: "),
        (delivery(message=CardLeft(1, None, False)), "CardLeft."),  # type: ignore[arg-type]
        (delivery(message=TableStopped("x")), "a TableStopped is not a device's message"),
        (delivery(message=ShowPrompt("x", (), (), False)), "a ShowPrompt is not a device's message"),
        (delivery(message=DaemonStarted("b")), "a DaemonStarted is not a device's message"),
        (delivery(message=TimerExpired(1)), "a TimerExpired is not a device's message"),
        (delivery(message=None), "a NoneType is not a device's message"),
        (delivery(device=None), "device None, "),
        (delivery(device="panel"), "device 'panel', "),
        (delivery(boot=None), "boot None "),
        (delivery(boot="\ud800"), r"boot '\ud800' "),
        (delivery(number="1"), "number '1': "),
        (delivery(number=True), "number True: "),
        (SimpleNamespace(device="badges", message=Badge("4711"), boot="b", number=1), "a Badge is not"),
        (Badge("4711"), "a Badge is not a device's message"),
    ],
)
def test_defect_is_named(bad: Any, told: str) -> None:
    with pytest.raises(TypeError) as refused:
        _sound(bad, BADGES)
    assert told in str(refused.value)
    str(refused.value).encode()


def test_nothing_else_than_a_message_of_a_device_can_be_read_as_one() -> None:
    assert decode(Message, {"$": "Badge", "number": "4711"}) == Badge("4711")
    assert Badge in get_args(Message)
    assert TimerExpired not in get_args(Message)


def test_what_an_error_says_can_be_written_down() -> None:
    assert _told(ValueError("bad line \udcff, Köln")) == r"bad line \udcff, Köln"
    assert encode(_told(ValueError("bad line \udcff")), []) == r'"bad line \\udcff"'
