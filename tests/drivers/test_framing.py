"""The decoder: garbage costs the frames that it touches, and nothing is invented."""

from __future__ import annotations

import random
import re
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl_drivers.link.framing import LONGEST_BODY, PARTIAL_S, Decoder, decode_cobs, encode_cobs, frame

bodies = st.binary(min_size=1, max_size=600)


def cut(data: bytes, chance: random.Random) -> list[bytes]:
    pieces = []
    while data:
        size = chance.choice((1, 2, 7, 64, 1000))
        pieces.append(data[:size])
        data = data[size:]
    return pieces


def take(pieces: list[bytes]) -> list[bytes]:
    decoder = Decoder()
    return [body for piece in pieces for body in decoder.feed(piece, 0.0)]


@pytest.mark.parametrize(
    ("plain", "coded"),
    [  # the examples of Cheshire and Baker, as they are commonly printed
        ("00", "01 01"),
        ("00 00", "01 01 01"),
        ("00 11 00", "01 02 11 01"),
        ("11 22 00 33", "03 11 22 02 33"),
        ("11 22 33 44", "05 11 22 33 44"),
        ("11 00 00 00", "02 11 01 01 01"),
        (bytes(range(1, 255)).hex(), "ff" + bytes(range(1, 255)).hex() + "01"),
        (bytes(range(255)).hex(), "01 ff" + bytes(range(1, 255)).hex() + "01"),
        (bytes(range(1, 256)).hex(), "ff" + bytes(range(1, 255)).hex() + "02 ff"),
        ((bytes(range(2, 256)) + b"\0").hex(), "ff" + bytes(range(2, 256)).hex() + "01 01"),
        ((bytes(range(3, 256)) + b"\0\1").hex(), "fe" + bytes(range(3, 256)).hex() + "02 01"),
    ],
)
def test_cobs_examples(plain: str, coded: str) -> None:
    assert encode_cobs(bytes.fromhex(plain)) == bytes.fromhex(coded)
    assert decode_cobs(bytes.fromhex(coded)) == bytes.fromhex(plain)


def test_cobs_without_the_optional_last_block_is_understood() -> None:
    assert decode_cobs(b"\xff" + bytes(range(1, 255))) == bytes(range(1, 255))


@pytest.mark.parametrize("coded", ["00", "0100", "0300 11", "05 11"])
def test_what_is_no_cobs(coded: str) -> None:
    assert decode_cobs(bytes.fromhex(coded)) is None


def test_crc_check_value() -> None:
    assert crc32(b"123456789") == 0xCBF43926
    assert frame(b"123456789") == b"\0\x0e" + b"123456789" + (0xCBF43926).to_bytes(4, "little") + b"\0"


@given(st.binary(max_size=2000))
def test_cobs_round_trip(data: bytes) -> None:
    coded = encode_cobs(data)
    assert 0 not in coded
    assert len(coded) <= len(data) + len(data) // 254 + 1
    assert decode_cobs(coded) == data


@given(st.lists(bodies, max_size=8), st.randoms(use_true_random=False))
def test_split_and_merged_frames_all_arrive(sent: list[bytes], chance: random.Random) -> None:
    assert take(cut(b"".join(map(frame, sent)), chance)) == sent


@given(st.lists(st.binary(max_size=3000)))
def test_random_bytes_give_nothing_and_crash_nothing(pieces: list[bytes]) -> None:
    decoder = Decoder()
    assert [body for piece in pieces for body in decoder.feed(piece, 0.0)] == []
    assert decoder.bad <= sum(piece.count(0) for piece in pieces) + 1


@given(st.lists(bodies, min_size=1, max_size=6), st.lists(st.binary(max_size=50), min_size=7, max_size=7))
def test_garbage_between_frames_costs_no_frame(sent: list[bytes], garbage: list[bytes]) -> None:
    stream = b"".join(noise + frame(body) for noise, body in zip(garbage, sent, strict=False)) + garbage[-1]
    assert take([stream]) == sent


@given(st.lists(bodies, min_size=1, max_size=8), st.data())
def test_a_flipped_bit_costs_that_frame_alone(sent: list[bytes], data: st.DataObject) -> None:
    frames = [bytearray(frame(body)) for body in sent]
    hit = data.draw(st.integers(0, len(sent) - 1))
    place = data.draw(st.integers(1, len(frames[hit]) - 2))
    frames[hit][place] ^= 1 << data.draw(st.integers(0, 7))
    assert take([b"".join(frames)]) == sent[:hit] + sent[hit + 1 :]


@given(st.lists(bodies, min_size=1, max_size=8), st.binary(max_size=30), st.data())
def test_bytes_lost_and_put_in_cost_only_the_frames_touched(
    sent: list[bytes], noise: bytes, data: st.DataObject
) -> None:
    """A piece of the stream, of any length and wherever it begins and ends, is replaced by something else."""
    stream = b"".join(map(frame, sent))
    begin = data.draw(st.integers(0, len(stream)))
    end = data.draw(st.integers(begin, min(len(stream), begin + 700)))
    before, after, at = [], [], 0
    for body in sent:
        size = len(frame(body))
        if at + size <= begin:
            before.append(body)
        elif at >= end:
            after.append(body)
        at += size
    arrived = take([stream[:begin] + noise + stream[end:]])
    between = arrived[len(before) : len(arrived) - len(after)]
    assert arrived == before + between + after
    assert all(body in sent for body in between)  # whole after all: what was replaced was equal, or only delimiters


def test_too_long_is_one_bad_frame_however_it_comes() -> None:
    noise = bytes([7]) * (5 * LONGEST_BODY)
    for size in (1, 100, len(noise)):
        decoder = Decoder()
        pieces = [noise[at : at + size] for at in range(0, len(noise), size)]
        bodies = [body for piece in [*pieces, frame(b"next")] for body in decoder.feed(piece, 0.0)]
        assert bodies == [b"next"]
        assert decoder.bad == 1


def test_longest_body_fits_and_a_longer_one_is_not_made() -> None:
    longest = bytes(LONGEST_BODY)
    assert take([frame(longest)]) == [longest]
    assert take([frame(b"\1" * LONGEST_BODY)]) == [b"\1" * LONGEST_BODY]
    for wrong in (b"", bytes(LONGEST_BODY + 1)):
        with pytest.raises(ValueError, match="1 to 1024 bytes"):
            frame(wrong)


def test_a_frame_that_stops_is_given_up_and_counted() -> None:
    decoder = Decoder()
    whole = frame(b"stopped")
    assert decoder.feed(whole[:5], 10.0) == []
    assert decoder.deadline() == 10.0 + PARTIAL_S
    decoder.expire(10.0 + PARTIAL_S / 2)
    assert decoder.feed(whole[5:8], 10.0 + PARTIAL_S / 2) == []
    decoder.expire(10.0 + PARTIAL_S)
    assert decoder.bad == 0
    decoder.expire(10.0 + 1.5 * PARTIAL_S)
    assert decoder.bad == 1
    assert decoder.deadline() is None
    assert decoder.feed(frame(b"next"), 20.0) == [b"next"]


def test_delimiters_in_a_row_are_no_error() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\0\0\0" + frame(b"a") + b"\0\0" + frame(b"b"), 0.0) == [b"a", b"b"]
    assert decoder.bad == 0


def test_a_zero_byte_is_found_only_at_the_ends() -> None:
    assert re.fullmatch(rb"\0[^\0]+\0", frame(bytes(500)), re.DOTALL)
