"""Messages, commands and frames as bytes: one form each, and nothing else is understood."""

from __future__ import annotations

import typing
from contextlib import suppress
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.cards import JOKER, FaceDown, card, deck
from tablectl.equipment import (
    Capability,
    CardLeft,
    Command,
    DieLies,
    DispenseStack,
    Fault,
    KeyPressed,
    Kind,
    Lamp,
    LinkLost,
    Message,
    MeterReason,
    Mode,
    SeatLight,
    ShowPrompt,
    WagerSpot,
)
from tablectl.errors import DecodeError
from tablectl.money import Money
from tablectl_drivers.link import frames
from tablectl_drivers.link.framing import LONGEST_BODY, Decoder
from tablectl_drivers.link.layout import Form
from tablectl_drivers.link.payloads import (
    CAPABILITY,
    COMMANDS,
    FAULT,
    KIND,
    LAMP,
    LIES,
    LIGHT,
    MESSAGES,
    METER_REASON,
    MODE,
    VERSIONS,
    vocabulary,
)
from tests.drivers import strategies


def classes(union: object) -> set[str]:
    return {cls.__name__ for cls in typing.get_args(union)}


def test_every_message_and_command_has_bytes() -> None:
    assert classes(Message) - {"LinkUp", "LinkLost"} == {cls.__name__ for cls in MESSAGES._by_class}
    assert classes(Command) == {cls.__name__ for cls in COMMANDS._by_class}
    codes: list[tuple[type[StrEnum], Form[Any]]] = [
        (Kind, KIND),
        (Capability, CAPABILITY),
        (Mode, MODE),
        (Lamp, LAMP),
        (Fault, FAULT),
        (SeatLight, LIGHT),
        (DieLies, LIES),
        (MeterReason, METER_REASON),
    ]
    for values, form in codes:
        numbers = bytearray()
        for value in values:
            form.put(numbers, value)
        assert sorted(numbers) == list(range(1, len(values) + 1))


@pytest.mark.parametrize("cls", strategies.MESSAGE_CLASSES)
@settings(max_examples=30)
@given(st.data())
def test_messages_round_trip(cls: type[Message], data: st.DataObject) -> None:
    message = data.draw(strategies.of(cls))
    assert MESSAGES.decode(MESSAGES.encode(message)) == message


@pytest.mark.parametrize("cls", strategies.COMMAND_CLASSES)
@settings(max_examples=30)
@given(st.data())
def test_commands_round_trip(cls: type[Command], data: st.DataObject) -> None:
    command = data.draw(strategies.of(cls))
    assert COMMANDS.decode(COMMANDS.encode(command)) == command


def test_a_version_has_what_older_ones_have_under_the_same_bytes() -> None:
    old, new = vocabulary(1), vocabulary(2)
    assert VERSIONS == (1, 2)
    assert set(old.messages._by_byte) == set(range(1, 0x0C))
    assert set(old.commands._by_byte) == set(range(1, 4))
    assert {byte: cls for byte, (cls, _) in old.messages._by_byte.items()}.items() <= {
        byte: cls for byte, (cls, _) in new.messages._by_byte.items()
    }.items()
    assert len(old.capabilities) == 8
    assert new.capabilities == set(Capability)


@given(strategies.messages)
def test_what_an_older_version_can_say_it_says_in_the_same_bytes(message: Message) -> None:
    old = vocabulary(1).messages
    try:
        said = old.encode(message)
    except ValueError:
        with pytest.raises(DecodeError):
            old.decode(MESSAGES.encode(message))
    else:
        assert said == MESSAGES.encode(message)
        assert old.decode(said) == message


@given(st.binary(max_size=80))
def test_whatever_is_understood_has_that_one_form(data: bytes) -> None:
    with suppress(DecodeError):
        assert MESSAGES.encode(MESSAGES.decode(data)) == data
    with suppress(DecodeError):
        assert COMMANDS.encode(COMMANDS.decode(data)) == data


@given(strategies.messages, st.data())
def test_a_message_cut_short_or_with_more_behind_it_is_refused(message: Message, data: st.DataObject) -> None:
    whole = MESSAGES.encode(message)
    with pytest.raises(DecodeError):
        MESSAGES.decode(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(DecodeError, match="too many"):
        MESSAGES.decode(whole + data.draw(st.binary(min_size=1, max_size=4)))


def test_every_card_has_a_byte_of_its_own() -> None:
    codes = {MESSAGES.encode(CardLeft(1, FaceDown(it), False))[3] for it in deck(joker=True)}
    assert len(codes) == 53
    assert MESSAGES.encode(CardLeft(1, FaceDown(card("As")), False)).hex() == "0301003e00"
    assert MESSAGES.encode(CardLeft(258, FaceDown(JOKER), True)).hex() == "0302014001"
    assert MESSAGES.encode(CardLeft(1, FaceDown(None), False)).hex() == "0301000000"


@pytest.mark.parametrize("code", [0x01, 0x0F, 0x10, 0x3F, 0x41, 0xFF])
def test_a_byte_that_is_no_card_is_refused_without_naming_any(code: int) -> None:
    with pytest.raises(DecodeError) as refusal:
        MESSAGES.decode(bytes((0x03, 1, 0, code, 0)))
    assert str(refusal.value) == "the data have a byte that stands for no card"


def test_a_driver_s_own_words_have_no_bytes() -> None:
    with pytest.raises(ValueError, match="LinkLost is no message"):
        MESSAGES.encode(LinkLost("gone"))


@pytest.mark.parametrize(
    "value",
    [
        CardLeft(65536, FaceDown(None), False),
        KeyPressed("k" * 256),
        WagerSpot(256, "ante", True, None),
        WagerSpot(1, "ante", True, Money(-1)),
    ],
)
def test_what_does_not_fit_is_not_sent(value: Message) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        MESSAGES.encode(value)


def test_a_stack_of_more_than_255_cards_is_not_ordered() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        COMMANDS.encode(DispenseStack(256))


def test_the_longest_prompt_fits_a_frame() -> None:
    """40 characters of 4 bytes, and every key of a large panel lit and blinking."""
    keys = tuple(f"key_with_long_name_{n:02}" for n in range(19))
    order = frames.Order(2**63 - 1, COMMANDS.encode(ShowPrompt("𝄞" * 40, keys, keys, True)))
    (body,) = Decoder().feed(frames.encode(1, order), 0.0)
    assert len(body) <= LONGEST_BODY
    assert frames.decode(body) == (1, order)


@given(st.binary(min_size=1, max_size=100))
def test_random_bodies_are_refused_or_have_that_one_form(body: bytes) -> None:
    try:
        session, content = frames.decode(body)
    except DecodeError:
        return
    (again,) = Decoder().feed(frames.encode(session, content), 0.0)
    assert again == body
