"""What has to hold for any bytes: the targets of ``make fuzz``, tried by hypothesis."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl_drivers.link import frames
from tablectl_drivers.link.frames import Event, Order
from tablectl_drivers.link.framing import Decoder
from tablectl_drivers.link.payloads import COMMANDS, MESSAGES
from tests.drivers import strategies
from tests.fuzz import targets

bodies = st.one_of(
    strategies.messages.map(lambda it: frames.encode(5, Event(1, 0, MESSAGES.encode(it)))),
    strategies.commands.map(lambda it: frames.encode(5, Order(1, COMMANDS.encode(it)))),
).map(lambda it: Decoder().feed(it, 0.0)[0])
near = st.one_of(
    st.binary(max_size=200),
    strategies.messages.map(MESSAGES.encode),
    strategies.commands.map(COMMANDS.encode),
    bodies,
    st.lists(st.one_of(st.binary(max_size=20), bodies), max_size=6).map(b"\xff\x00".join),
)


@pytest.mark.parametrize("target", targets.TARGETS)
@settings(max_examples=200)
@given(near, st.integers(0, 200), st.binary(max_size=2))
def test_any_bytes(target: Callable[[bytes], None], data: bytes, at: int, other: bytes) -> None:
    """Whole, and with something put in the place of something."""
    target(data)
    target(data[:at] + other + data[at + len(other) :])


def test_the_first_byte_chooses() -> None:
    for byte in range(len(targets.TARGETS)):
        targets.one_input(bytes((byte, 1, 2, 3)))
    targets.one_input(b"")
