"""The panel's and the reader's ends against each other, without I/O, over a wire that hypothesis damages."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from itertools import chain, repeat
from typing import Literal, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl_drivers.osdp import contents as c
from tablectl_drivers.osdp.control_panel import ControlPanel
from tablectl_drivers.osdp.happenings import (
    Found,
    Happening,
    KeyGiven,
    Lost,
    Presented,
    Refused,
    Status,
    Timing,
    Unreadable,
)
from tablectl_drivers.osdp.packets import Decoder, Packet, SecurityBlock
from tablectl_drivers.osdp.secure_channel import DEFAULT_KEY
from tablectl_hil.osdp_peripheral import Peripheral

KEY = bytes(range(16))
OTHER = bytes(range(16, 32))
TIMING = Timing(poll=0.2, lost_after=8.0, retry=0.2, retry_max=3.0)
Damage: TypeAlias = Literal["none", "ask lost", "answer lost", "wrong bit", "twice", "noise", "late"]
damages = st.sampled_from(["none", "ask lost", "answer lost", "wrong bit", "twice", "noise", "late"])


class Talk:
    """Both ends and the wire between them, on a clock of its own."""

    def __init__(
        self,
        key: bytes | None = KEY,
        own: bytes | None = KEY,
        install: bool = False,
        crc: bool = True,
        damage: Iterable[Damage] = (),
    ) -> None:
        source: Callable[[], bytes] | None = None if own is None else lambda: own
        self.panel = ControlPanel(3, TIMING, random.Random(1), key=source, install=install, crc=crc)
        self.reader = Peripheral("it", 3, key, random.Random(2))
        self.now = 100.0
        self.happened: list[Happening] = []
        self.asked: list[Packet] = []
        self._damage = iter(damage)
        self._chance = random.Random(3)
        self._asks, self._answers = Decoder(), Decoder()
        self._late = b""
        self.panel.begin(self.now)

    def run(self, seconds: float) -> list[Happening]:
        """Let time pass; what happened in it."""
        end = self.now + seconds
        self.happened = []
        while self.panel.due < end:
            self.now = max(self.now, self.panel.due)
            self._exchange()
        self.now = end
        return self.happened

    def cards(self, seconds: float = 5.0) -> list[int]:
        """The numbers of the cards that were taken."""
        return [
            it.card.value >> 1 & 0xFFFFFF
            for it in self.run(seconds)
            if isinstance(it, Presented) and isinstance(it.card, c.Card)
        ]

    def _exchange(self) -> None:
        request, happenings = self.panel.request(self.now)
        self.happened += happenings
        damage: Damage = next(self._damage, "none")
        answer, self._late = self._late, b""
        self.now += 0.01
        if request and damage != "ask lost":
            asked = self._asks.feed(b"\xff" + request) + self._asks.expire()
            self.asked += asked
            made = b"".join(b"\xff" + piece for packet in asked for piece in self.reader.answer(packet))
            if damage == "late":
                self._late = made
            elif damage != "answer lost":
                answer += self._damaged(made, damage)
        taken = [self._take(packet) for packet in self._answers.feed(answer) + self._answers.expire()]
        if request and not any(taken):
            self.now += 0.2
            self.happened += self.panel.silent(self.now)

    def _take(self, packet: Packet) -> bool:
        happenings = self.panel.receive(packet, self.now)
        self.happened += happenings or []
        return happenings is not None

    def _damaged(self, answer: bytes, damage: Damage) -> bytes:
        if damage == "wrong bit" and answer:
            damaged = bytearray(answer)
            damaged[self._chance.randrange(len(damaged))] ^= 1 << self._chance.randrange(8)
            return bytes(damaged)
        if damage == "twice":
            return answer * 2
        return self._chance.randbytes(20) + answer if damage == "noise" else answer


def test_a_secured_conversation_from_the_beginning() -> None:
    talk = Talk()
    (found,) = talk.run(1.0)
    assert isinstance(found, Found)
    assert found.identity == talk.reader.identity
    assert found.status == Status(False, False, False)
    assert found.capabilities.has(c.Function.LED)
    codes = [packet.code for packet in talk.asked[:8]]
    assert codes == [0x61, 0x76, 0x77, 0x61, 0x62, 0x64, 0x67, 0x60]
    assert [packet.sequence for packet in talk.asked[:8]] == [0, 1, 2, 3, 1, 2, 3, 1]
    assert all(packet.security is not None and packet.security.proven for packet in talk.asked[3:])
    talk.reader.badge(number=4711)
    assert talk.cards(1.0) == [4711]
    assert talk.panel.bad == talk.panel.retransmits == talk.panel.duplicates == 0


@pytest.mark.parametrize("crc", [True, False])
def test_an_unsecured_conversation(crc: bool) -> None:
    talk = Talk(key=None, own=None, crc=crc)
    assert isinstance(talk.run(1.0)[0], Found)
    talk.reader.badge(number=4711)
    assert talk.cards() == [4711]


def test_polls_come_at_their_time_and_at_once_while_there_is_more() -> None:
    talk = Talk()
    talk.run(1.0)
    heard = talk.reader.heard
    talk.run(4.0)
    assert 18 <= talk.reader.heard - heard <= 22
    for number in range(10):
        talk.reader.badge(number=number)
    assert talk.cards(0.5) == list(range(10))


def test_the_case_the_power_and_the_heads() -> None:
    talk = Talk()
    talk.run(1.0)
    talk.reader.tamper(open=True)
    assert talk.run(1.0) == [Status(True, False, False)]
    talk.reader.tamper(open=False, told=False)
    assert talk.run(11.0) == [Status(False, False, False)]  # asked for, as the reader did not say so by itself
    talk.reader.fail_power(failed=True)
    assert talk.run(1.0) == [Status(False, True, False)]
    talk.reader.take_head(missing=True)
    assert talk.run(1.0) == [Status(False, True, True)]


def test_what_a_reader_has_kept_from_before_it_was_found_is_not_taken() -> None:
    talk = Talk()
    talk.reader.badge(number=1)
    talk.reader.press("1234")
    talk.reader.tamper(open=True)
    talk.reader.badge(number=2)
    (found,) = talk.run(1.0)
    assert isinstance(found, Found)
    assert found.status.tamper
    talk.reader.badge(number=3)
    talk.reader.lose_session()
    assert talk.cards(3.0) == [3]  # a new conversation that nobody has noticed costs no card
    talk.reader.faults.silent = True
    assert [type(it) for it in talk.run(20.0)] == [Lost]
    talk.reader.badge(number=4)
    talk.reader.faults.silent = False
    assert [type(it) for it in talk.run(20.0)] == [Found]


def test_a_reader_that_says_something_to_every_poll_is_found_all_the_same() -> None:
    talk = Talk()
    talk.reader._sayings = deque([(c.Reply.KEYPAD, b"\0\x011")] * 200)
    talk.reader.badge(number=1)
    assert isinstance(talk.run(20.0)[0], Found)


def test_a_card_of_a_wrong_form_is_a_card_that_cannot_be_read() -> None:
    talk = Talk()
    talk.run(1.0)
    for saying in ((c.Reply.RAW, b"\0\1\x1a\0\xff"), (c.Reply.FMT, b"\0\0\x02A"), (c.Reply.RAW, b"")):
        talk.reader._sayings.append(saying)
    assert [type(it) for it in talk.run(1.0)] == [Unreadable] * 3
    assert talk.panel.bad == 3


def test_keys_of_a_keypad_are_nothing() -> None:
    talk = Talk()
    talk.run(1.0)
    talk.reader.press("1234")
    assert talk.run(1.0) == []


# Damage ---------------------------------------------------------------------------------------------------------------


@given(st.lists(damages, max_size=60))
def test_whatever_the_wire_does_no_card_is_invented_repeated_or_out_of_order(damage: list[Damage]) -> None:
    talk = Talk(damage=chain(repeat("none", 8), damage))
    talk.run(0.2)
    for number in range(20):
        talk.reader.badge(number=number)
    cards = talk.cards(20.0)
    assert cards == sorted(set(cards))
    assert set(cards) <= set(range(20))
    assert talk.panel.up
    talk.reader.badge(number=99)
    assert talk.cards() == [99]


@given(st.lists(damages, max_size=30))
def test_two_damaged_exchanges_in_a_row_cost_no_card(damage: list[Damage]) -> None:
    spread = [item for one in damage for item in (one, "none")]
    talk = Talk(damage=chain(repeat("none", 8), spread))
    talk.run(0.2)
    for number in range(20):
        talk.reader.badge(number=number)
    assert talk.cards(20.0) == list(range(20))
    assert not talk.panel.bad or "late" in damage


packets = st.builds(
    Packet,
    address=st.just(3),
    reply=st.just(True),
    sequence=st.integers(0, 3),
    code=st.sampled_from(list(c.Reply)) | st.integers(0, 255),
    data=st.binary(max_size=40),
    crc=st.booleans(),
    security=st.none() | st.builds(SecurityBlock, st.integers(0x11, 0x18), st.binary(max_size=2)),
    mac=st.binary(min_size=4, max_size=4),
    covered=st.binary(min_size=6, max_size=40),
)


@given(st.lists(packets, max_size=20), st.booleans(), st.floats(0, 0.3))
def test_forged_answers_neither_make_it_fail_nor_bring_a_card(
    forged: list[Packet], secured: bool, begun: float
) -> None:
    talk = Talk() if secured else Talk(key=None, own=None)
    talk.run(begun)  # into the middle of the beginning, or behind it
    for packet in forged:
        talk.panel.request(talk.now)
        happenings = talk.panel.receive(packet, talk.now) or []
        assert not (secured and any(isinstance(it, (Found, Status, Presented, KeyGiven)) for it in happenings))
    assert any(isinstance(it, Found) for it in talk.run(20.0)) or talk.panel.up
    talk.reader.badge(number=4711)
    assert talk.cards() == [4711]


def test_a_replayed_answer_is_not_taken() -> None:
    talk = Talk()
    talk.run(1.0)
    talk.reader.badge(number=1)
    assert talk.cards(1.0) == [1]
    talk.reader.faults.replay = 9
    talk.reader.badge(number=2)
    assert talk.cards(3.0) == [2]
    assert talk.panel.duplicates + talk.panel.bad >= 9


def test_a_forged_card_is_not_taken() -> None:
    talk = Talk()
    talk.run(1.0)
    forger = Talk(key=None, own=None)
    forger.run(1.0)
    forger.reader.badge(number=666)
    request, _ = talk.panel.request(talk.now)
    (asked,) = Decoder().feed(request)
    for sequence in range(4):
        forger.reader.badge(number=666)
        (answer,) = forger.reader.answer(Packet(3, False, sequence, 0x60, b"", True, None, b"", b""))
        (packet,) = Decoder().feed(answer)
        assert packet.code == c.Reply.RAW or packet.sequence != asked.sequence
        assert talk.panel.receive(packet, talk.now) is None
    assert talk.panel.bad == 1


def test_a_wrong_code_is_asked_for_again_and_then_the_session_is_renewed() -> None:
    talk = Talk()
    talk.run(1.0)
    talk.reader.faults.wrong_mac = 1
    talk.reader.badge(number=1)
    assert talk.cards(2.0) == [1]
    assert talk.panel.bad == 1


def test_a_reader_that_has_lost_its_keys_gets_new_ones() -> None:
    talk = Talk()
    talk.run(1.0)
    talk.reader.lose_session()
    (found,) = talk.run(2.0)
    assert isinstance(found, Found)
    talk.reader.badge(number=4711)
    assert talk.cards() == [4711]


def test_whoever_denies_everything_is_as_good_as_lost() -> None:
    talk = Talk()
    talk.run(1.0)
    talk.reader.faults.nak = 10_000
    assert set(talk.run(20.0)) == {Refused("it does not say what it is (record)")}
    assert not talk.panel.up


class Forgetful(Peripheral):
    """It proves its key and forgets the session at once."""

    def answer(self, packet: Packet) -> list[bytes]:
        made = super().answer(packet)
        if self.secure:
            self.lose_session()
        return made


def test_whoever_answers_and_never_gets_as_far_as_taking_cards_is_lost() -> None:
    talk = Talk()
    talk.reader = Forgetful("it", 3, KEY, random.Random(2))
    assert talk.run(60.0) == [Lost("no valid answer for 8 s")]
    assert talk.reader.heard > 50


def test_a_busy_reader_is_waited_for_and_lost_when_it_stays_busy() -> None:
    talk = Talk()
    talk.run(1.0)
    talk.reader.faults.busy = True
    assert talk.run(5.0) == []
    talk.reader.faults.busy = False
    talk.reader.badge(number=7)
    assert talk.cards(1.0) == [7]
    talk.reader.faults.busy = True
    (lost,) = talk.run(30.0)
    assert lost == Lost("no valid answer for 8 s")


def test_a_silent_reader_is_lost_after_8_seconds_once_and_found_again() -> None:
    talk = Talk()
    talk.run(1.0)
    talk.reader.faults.silent = True
    assert talk.run(7.5) == []
    assert talk.run(60.0) == [Lost("no valid answer for 8 s")]
    talk.reader.faults.silent = False
    (found,) = talk.run(4.0)
    assert isinstance(found, Found)


# Keys -----------------------------------------------------------------------------------------------------------------


def test_a_reader_with_another_key_is_refused_and_no_card_of_it_taken() -> None:
    talk = Talk(key=OTHER)
    talk.reader.badge(number=4711)
    happened = talk.run(30.0)
    assert happened == [Refused("it does not prove that it holds the key")] * len(happened)
    assert 5 < len(happened) < 30
    assert not talk.panel.up
    talk.reader.key = KEY
    assert isinstance(talk.run(4.0)[0], Found)


def test_a_reader_without_a_secure_channel_is_refused() -> None:
    talk = Talk(key=None)
    assert talk.run(1.0)[0] == Refused("it does not take part in a secure channel (security block)")


def test_a_new_reader_is_refused_unless_it_is_being_installed() -> None:
    talk = Talk(key=DEFAULT_KEY)
    talk.reader.badge(number=4711)
    assert {type(it) for it in talk.run(30.0)} == {Refused}
    assert talk.reader.key == DEFAULT_KEY


def test_a_new_reader_is_given_the_key_and_asked_to_prove_it() -> None:
    talk = Talk(key=DEFAULT_KEY, install=True)
    talk.reader.badge(number=4711)
    assert [type(it) for it in talk.run(3.0)] == [KeyGiven, Found]  # held to it before it had proved anything
    talk.reader.badge(number=4711)
    assert talk.cards() == [4711]
    assert talk.reader.key == KEY
    kinds = [packet.security.data for packet in talk.asked if packet.code == 0x76 and packet.security is not None]
    assert kinds == [b"\x01", b"\x00", b"\x01"]
    assert KEY not in b"".join(packet.data for packet in talk.asked)


def test_a_reader_with_a_strange_key_is_refused_while_installing_too() -> None:
    talk = Talk(key=OTHER, install=True)
    assert {type(it) for it in talk.run(10.0)} == {Refused}
    assert talk.reader.key == OTHER
