"""Packets, their contents and card numbers; the recorded bytes are those of other makers' readers and panels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.errors import DecodeError
from tablectl_drivers.osdp import contents as c
from tablectl_drivers.osdp.contents import Card, CardText, Reply
from tablectl_drivers.osdp.credential import Format, number
from tablectl_drivers.osdp.packets import LARGEST, Decoder, SecurityBlock, encode

ASK_ID = bytes.fromhex("53 00 09 00 04 61 00 c0 66")
ASK_CAP = bytes.fromhex("53 00 09 00 05 62 00 a3 04")
PDID = bytes.fromhex("53 80 14 00 04 45 CA 44 6C 01 00 C7 92 02 00 01 07 0F C4 42")
NAK = bytes.fromhex("53 80 09 00 06 41 06 A0 BA")

blocks = st.none() | st.builds(SecurityBlock, st.integers(0x11, 0x18), st.binary(max_size=4))


def test_recorded_packets() -> None:
    assert encode(0, 0, 0x61, b"\0") == ASK_ID
    assert encode(0, 1, 0x62, b"\0") == ASK_CAP
    decoder = Decoder()
    identity, nak = decoder.feed(b"\xff" + PDID + b"\xff" + NAK)
    assert (identity.address, identity.reply, identity.sequence, identity.code) == (0, True, 0, Reply.PDID)
    assert c.contents(identity.code, identity.data) == c.Identity(b"\xca\x44\x6c", 1, 0, 0x000292C7, (1, 7, 15))
    assert (nak.sequence, c.contents(nak.code, nak.data)) == (2, c.Nak(c.NakReason.UNSECURED))
    assert decoder.bad_frames == 0


def test_a_checksum_instead_of_a_crc() -> None:
    assert encode(0x65, 1, 0x60, crc=False) == bytes.fromhex("53 65 07 00 01 60 e0")  # the sum of all is 0 modulo 256


@given(
    address=st.integers(0, 126),
    sequence=st.integers(0, 3),
    code=st.integers(0, 255),
    data=st.binary(max_size=300),
    reply=st.booleans(),
    crc=st.booleans(),
    block=blocks,
    cut=st.integers(1, 40),
    before=st.binary(max_size=30).filter(lambda noise: 0x53 not in noise),
)
def test_what_is_encoded_is_decoded_in_whatever_pieces_it_comes(
    address: int,
    sequence: int,
    code: int,
    data: bytes,
    reply: bool,
    crc: bool,
    block: SecurityBlock | None,
    cut: int,
    before: bytes,
) -> None:
    covered: list[bytes] = []

    def mac(body: bytes) -> bytes:
        covered.append(body)
        return b"CODE and twelve more"

    raw = encode(address, sequence, code, data, reply=reply, crc=crc, security=block, mac=mac)
    decoder = Decoder()
    sent = before + raw
    found = [packet for at in range(0, len(sent), cut) for packet in decoder.feed(sent[at : at + cut])]
    (packet,) = found
    assert (packet.address, packet.sequence, packet.code, packet.data) == (address, sequence, code, data)
    assert (packet.reply, packet.crc, packet.security) == (reply, crc, block)
    assert packet.mac == (b"CODE" if block is not None and block.proven else b"")
    assert covered in ([], [packet.covered])
    assert decoder.bad_frames == (1 if before.strip(b"\xff") else 0)
    assert not decoder.partial


@given(st.lists(st.binary(max_size=200), max_size=5))
def test_no_bytes_make_it_fail(pieces: list[bytes]) -> None:
    decoder = Decoder()
    for piece in pieces:
        decoder.feed(piece)
    decoder.expire()
    assert not decoder.partial
    (packet,) = decoder.feed(NAK)
    assert packet.code == Reply.NAK


@given(st.data(), st.integers(0, 2))
def test_one_wrong_bit_costs_the_packet_that_it_is_in(data: st.DataObject, hit: int) -> None:
    packets = [encode(1, number, 0x40, bytes((number,)) * 9, reply=True) for number in range(3)]
    damaged = bytearray(packets[hit])
    damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    decoder = Decoder()
    sent = b"".join(bytes(damaged) if number == hit else packet for number, packet in enumerate(packets))
    found = decoder.feed(sent) + decoder.expire()
    assert [packet.sequence for packet in found] == [number for number in range(3) if number != hit]
    assert decoder.bad_frames >= 1


def test_a_packet_that_says_that_it_is_long_does_not_swallow_what_follows() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x53\x80\xff\x01\x04" + NAK) == []
    assert decoder.partial
    (packet,) = decoder.expire()
    assert packet.code == Reply.NAK


@pytest.mark.parametrize("bit", [4, 5, 6, 7])
def test_reserved_bits_of_the_control_byte_are_zero(bit: int) -> None:
    good = bytearray(encode(3, 1, Reply.ACK, b"", reply=True, crc=False))
    good[4] |= 1 << bit
    good[-1] = -sum(good[:-1]) & 0xFF
    decoder = Decoder()
    assert decoder.feed(bytes(good)) + decoder.expire() == []


def test_a_length_that_cannot_be_is_no_packet() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x53\x80" + (LARGEST + 1).to_bytes(2, "little") + b"\x04" + NAK) != []
    with pytest.raises(ValueError, match="OSDP allows 1440"):
        encode(0, 0, 0x50, bytes(1500))


@given(st.integers(0, 255), st.binary(max_size=64))
def test_contents_are_read_or_refused(code: int, data: bytes) -> None:
    try:
        said = c.contents(code, data)
    except DecodeError:
        return
    if isinstance(said, Card):
        assert 0 <= said.value < 1 << said.bits
    if isinstance(said, c.Identity):
        assert bytes(said) == data


def test_a_malformed_card_is_not_told() -> None:
    for code in (Reply.RAW, Reply.FMT):
        with pytest.raises(DecodeError) as refusal:
            c.contents(code, bytes.fromhex("00 01 1a 00 12 34"))
        assert "1234" not in str(refusal.value)


# Numbers --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bits", "format", "expected"),
    [
        # facility 18, card 13398 and 123, 4567: parities counted by hand
        ("0" + "00010010" + "0011010001010110" + "0", Format.WIEGAND26, str(18 * 65536 + 13398)),
        ("1" + "01111011" + "0001000111010111" + "0", Format.WIEGAND26, str(123 * 65536 + 4567)),
        ("00000101", Format.WHOLE, "5"),
        ("1" * 56, Format.WHOLE, str(2**56 - 1)),
        ("00001010101", Format.HEX, "055"),
        ("0" * 32, Format.HEX, "00000000"),
    ],
)
def test_the_number_of_a_card(bits: str, format: Format, expected: str) -> None:
    assert number(Card(len(bits), int(bits, 2)), format) == expected


@given(st.integers(0, 25))
def test_one_wrong_bit_of_26_is_noticed(place: int) -> None:
    good = int("0" + "00010010" + "0011010001010110" + "0", 2)
    with pytest.raises(DecodeError, match="parity"):
        number(Card(26, good ^ 1 << place), Format.WIEGAND26)


def test_another_length_has_no_26_bit_number() -> None:
    with pytest.raises(DecodeError, match="34 bits, expected 26"):
        number(Card(34, 1), Format.WIEGAND26)


def test_characters_are_the_number() -> None:
    assert number(CardText(" 004711 "), Format.WIEGAND26) == "004711"
    with pytest.raises(DecodeError, match="0 characters"):
        number(CardText("   "), Format.HEX)


def test_a_card_of_a_reader_is_its_bits_from_the_left() -> None:
    assert c.contents(Reply.RAW, bytes.fromhex("00 01 0c 00 ab c0")) == Card(12, 0xABC)
    for wrong in ("", "00 01 0c 00 ab", "00 01 00 00", "00 01 0c 00 ab c0 00"):
        with pytest.raises(DecodeError, match="RAW"):
            c.contents(Reply.RAW, bytes.fromhex(wrong))
