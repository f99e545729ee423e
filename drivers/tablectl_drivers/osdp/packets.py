"""Packets of OSDP 2 and the bytes that they are on the line.

::

    offset  0     1        2    3     4        5…               …             end-2
            53    address  length     control  [security block] code  data    [MAC 4]  check
                  bit 7:   low  high  bits 0-1 sequence         1     0…               CRC-16 low, high,
                  reply               bit 2    CRC, not sum                            or one byte of sum
                                      bit 3    security block: its length with itself, type, data

The length counts everything from 53 to the check value. A mark byte FF may stand before it. The check value is
CRC-16 with polynomial 0x1021 begun at 0x1D0F, or the two's complement of the sum of all bytes. Packets of the security
block types 15 to 18 (hexadecimal) end in the first four bytes of a message authentication code.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

__all__ = ["BROADCAST", "LARGEST", "MAC_BYTES", "Decoder", "Packet", "SecurityBlock", "encode"]

SOM: Final = 0x53
MARK: Final = 0xFF
BROADCAST: Final = 0x7F
LARGEST: Final = 1440  # what the standard allows at most; a longer one is a length byte that was damaged
MAC_BYTES: Final = 4

_REPLY: Final = 0x80
_HEADER: Final = 5
_SEQUENCE: Final = 0x03
_CRC: Final = 0x04
_SECURED: Final = 0x08
_RESERVED: Final = 0xF0  # must be zero: garbage passes a check of one byte more easily than that
_CRC_START: Final = 0x1D0F
_PROVEN: Final = range(0x15, 0x19)


@dataclass(frozen=True, slots=True)
class SecurityBlock:
    """The security control block of a packet."""

    type: int
    data: bytes = b""

    @property
    def proven(self) -> bool:
        """Whether a packet with this block ends in a message authentication code."""
        return self.type in _PROVEN


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet whose check value is right.

    `data` is as it was sent, encrypted if it was. `covered` are the bytes that the `mac` stands for.
    """

    address: int
    reply: bool
    sequence: int
    code: int
    data: bytes
    crc: bool
    security: SecurityBlock | None
    mac: bytes
    covered: bytes


def encode(
    address: int,
    sequence: int,
    code: int,
    data: bytes = b"",
    *,
    reply: bool = False,
    crc: bool = True,
    security: SecurityBlock | None = None,
    mac: Callable[[bytes], bytes] | None = None,
) -> bytes:
    """The bytes of one packet, without a mark; `mac` gives the code of the bytes that it covers, where the block asks.

    `ValueError` for a packet that no receiver has room for.
    """
    block = b"" if security is None else bytes((len(security.data) + 2, security.type)) + security.data
    proven = security is not None and security.proven
    length = _HEADER + len(block) + 1 + len(data) + (MAC_BYTES if proven else 0) + (2 if crc else 1)
    if length > LARGEST:
        raise ValueError(f"a packet of {length} bytes: OSDP allows {LARGEST}")
    control = sequence | (_CRC if crc else 0) | (_SECURED if security is not None else 0)
    body = bytes((SOM, address | (_REPLY if reply else 0), length & 0xFF, length >> 8, control)) + block
    body += bytes((code,)) + data
    if proven:
        if mac is None:
            raise ValueError(f"security block {security} without a message authentication code")
        body += mac(body)[:MAC_BYTES]
    return body + _check(body, crc)


class Decoder:
    """Finds packets in the bytes of a line; damage costs the packet that it touches and nothing else.

    `bad_frames` counts stretches of bytes that belong to no packet.
    """

    def __init__(self) -> None:
        self.bad_frames = 0
        self._bytes = bytearray()
        self._skipping = False

    @property
    def partial(self) -> bool:
        """Whether a packet has begun and not ended."""
        return bool(self._bytes)

    def feed(self, data: bytes) -> list[Packet]:
        """The packets that are complete with these bytes."""
        self._bytes += data
        return self._scan()

    def expire(self) -> list[Packet]:
        """No more bytes come for what has begun: give it up, and look for packets in what followed its first byte."""
        packets: list[Packet] = []
        while self._bytes:
            self._skip()
            packets += self._scan()
        return packets

    def _scan(self) -> list[Packet]:
        packets = []
        while self._bytes:
            size = self._size()
            if size is None:
                self._skip()
            elif size == 0 or len(self._bytes) < size:
                break
            elif (packet := _packet(bytes(self._bytes[:size]))) is None:
                self._skip()
            else:
                del self._bytes[:size]
                self._skipping = False
                packets.append(packet)
        return packets

    def _size(self) -> int | None:
        """How long the packet at the head says it is: 0 when that has not come yet, None when no packet begins here."""
        if self._bytes[0] != SOM:
            return None
        if len(self._bytes) < _HEADER:
            return 0
        size = self._bytes[2] | self._bytes[3] << 8
        return size if _HEADER + 2 <= size <= LARGEST else None

    def _skip(self) -> None:
        """Drop one byte and whatever follows it that cannot begin a packet."""
        end = self._bytes.find(SOM, 1)
        dropped = bytes(self._bytes) if end < 0 else bytes(self._bytes[:end])
        del self._bytes[: len(dropped)]
        if not self._skipping and dropped.strip(bytes((MARK,))):
            self._skipping = True
            self.bad_frames += 1


def _packet(raw: bytes) -> Packet | None:
    """The packet that these bytes are; None when their check value is wrong or they do not fit together."""
    control = raw[4]
    if control & _RESERVED:
        return None
    crc = bool(control & _CRC)
    body = raw[: -2 if crc else -1]
    if _check(body, crc) != raw[len(body) :]:
        return None
    at, security = _HEADER, None
    if control & _SECURED:
        size = raw[at] if at < len(body) else 0
        if size < 2 or at + size >= len(body):
            return None
        security = SecurityBlock(body[at + 1], body[at + 2 : at + size])
        at += size
    end = len(body) - (MAC_BYTES if security is not None and security.proven else 0)
    if at >= end:
        return None
    return Packet(
        address=raw[1] & ~_REPLY,
        reply=bool(raw[1] & _REPLY),
        sequence=control & _SEQUENCE,
        code=body[at],
        data=body[at + 1 : end],
        crc=crc,
        security=security,
        mac=body[end:],
        covered=body[:end],
    )


def _check(body: bytes, crc: bool) -> bytes:
    if crc:
        return binascii.crc_hqx(body, _CRC_START).to_bytes(2, "little")
    return bytes((-sum(body) & 0xFF,))
