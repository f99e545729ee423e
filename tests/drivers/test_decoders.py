"""What has to hold for any bytes: the targets of ``make fuzz``, tried by hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl_drivers.link import frames
from tablectl_drivers.link.frames import Event, Order
from tablectl_drivers.link.framing import Decoder
from tablectl_drivers.link.payloads import COMMANDS, MESSAGES
from tablectl_drivers.linux_input.codes import KEYS
from tablectl_drivers.linux_input.frames import EV_KEY, EV_SYN, EVENT, SYN_DROPPED, SYN_REPORT
from tablectl_drivers.osdp.contents import Reply
from tablectl_drivers.osdp.packets import encode
from tests.drivers import strategies
from tests.fuzz import targets
from tests.fuzz.seeds import seeds

bodies = st.one_of(
    strategies.messages.map(lambda it: frames.encode(5, Event(1, 0, MESSAGES.encode(it)))),
    strategies.commands.map(lambda it: frames.encode(5, Order(1, COMMANDS.encode(it)))),
).map(lambda it: Decoder().feed(it, 0.0)[0])
packets = st.builds(
    encode,
    st.integers(0, 126),
    st.integers(0, 3),
    st.one_of(st.sampled_from([*Reply]), st.integers(0, 255)),
    st.binary(max_size=40),
    reply=st.booleans(),
    crc=st.booleans(),
)
replies = st.builds(
    lambda code, data: bytes((code,)) + data,
    st.sampled_from([*Reply]),
    st.one_of(
        st.binary(max_size=16),
        st.integers(0, (1 << 26) - 1).map(lambda bits: b"\0\1\x1a\0" + (bits << 6).to_bytes(4, "big")),
        st.binary(max_size=9).map(lambda text: bytes((0, 0, len(text))) + text),
    ),
)
events = st.one_of(
    st.builds(EVENT.pack, *[st.integers(0, 99)] * 2, st.just(EV_KEY), st.integers(0, 9), st.integers(-1, 3)),
    st.sampled_from([EVENT.pack(1, 2, EV_SYN, code, 0) for code in (SYN_REPORT, SYN_REPORT, SYN_DROPPED, 7)]),
)
keys = st.lists(st.sampled_from(sorted(KEYS.values())[:100]), max_size=30).map(
    lambda codes: bytes(byte for code in codes for byte in (code, 9))
)
NEAR: Final[dict[str, st.SearchStrategy[bytes]]] = {
    "link": st.one_of(
        strategies.messages.map(MESSAGES.encode),
        strategies.commands.map(COMMANDS.encode),
        bodies,
        st.lists(st.one_of(st.binary(max_size=20), bodies), max_size=6).map(b"\xff\x00".join),
    ),
    "osdp_stream": st.lists(st.one_of(packets, packets, st.binary(max_size=20)), max_size=6).map(b"".join),
    "osdp": st.one_of(replies, st.lists(replies, min_size=1, max_size=6).map(b"\xff\x00".join)),
    "input_events": st.lists(events, max_size=8).map(b"".join),
    "typed": keys,
    "ports": st.text("0123456789abcdef:?&=-./serialpotinfcybdkh", max_size=40).map(str.encode),
}
"""What comes near to the words of a target, by the beginning of its name; the first one for all others."""


def near(target: Callable[[bytes], None]) -> st.SearchStrategy[bytes]:
    names = [name for name in NEAR if target.__name__.startswith(name)]
    return NEAR[names[0] if names else "link"]


@pytest.mark.parametrize("target", targets.TARGETS)
@settings(max_examples=100)
@given(st.data(), st.integers(0, 200), st.binary(max_size=2))
def test_any_bytes(target: Callable[[bytes], None], drawn: st.DataObject, at: int, other: bytes) -> None:
    """Whole, and with something put in the place of something."""
    for data in (drawn.draw(st.binary(max_size=200)), drawn.draw(near(target))):
        target(data)
        place = at % (len(data) + 1)
        target(data[:place] + other + data[place + len(other) :])


def test_the_first_byte_chooses() -> None:
    for byte in range(len(targets.TARGETS)):
        targets.one_input(bytes((byte, 1, 2, 3)))
    targets.one_input(b"")


def test_what_a_fuzzer_begins_with_is_right() -> None:
    found = list(seeds())
    assert len(found) > 20 * len(targets.TARGETS)
    for seed in found:
        targets.one_input(seed)
