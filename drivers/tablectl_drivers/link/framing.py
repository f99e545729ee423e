"""Frames on a byte stream: COBS between zero bytes, with a CRC-32.

::

    00 | COBS( body | CRC-32 of body, least significant byte first ) | 00

COBS takes every zero byte out of what lies between the delimiters, so a zero byte is always a boundary: whatever came
before it, the decoder is in step again with the next frame. Each frame also begins with one, so that garbage in front
of it is not taken for its beginning. What lies between two delimiters and is no frame is counted and dropped, and costs
nothing else; nothing at all between them is no frame, and no error.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

__all__ = ["LONGEST_BODY", "PARTIAL_S", "Decoder", "decode_cobs", "encode_cobs", "frame"]

LONGEST_BODY: Final = 1024
"""The longest body, in bytes: the longest prompt with all its keys fits, and so does a buffer in a small controller."""

PARTIAL_S: Final = 0.5
"""A frame that has begun and of which no further byte has come for so many seconds is given up."""

_CRC: Final = 4
_LONGEST_CODED: Final = LONGEST_BODY + _CRC + (LONGEST_BODY + _CRC) // 254 + 1
_BLOCK: Final = 254


def encode_cobs(data: bytes) -> bytes:
    """`data` without zero bytes: each run up to one becomes its length plus one and the run."""
    coded = bytearray()
    for run in data.split(b"\0"):
        start = 0
        while len(run) - start >= _BLOCK:
            coded.append(255)
            coded += run[start : start + _BLOCK]
            start += _BLOCK
        coded.append(len(run) - start + 1)
        coded += run[start:]
    return bytes(coded)


def decode_cobs(coded: bytes) -> bytes | None:
    """What `encode_cobs` was given; None when the lengths in `coded` do not add up, or it has a zero byte."""
    if 0 in coded:
        return None
    data = bytearray()
    at, end = 0, len(coded)
    while at < end:
        after = at + coded[at]
        if after > end:
            return None
        data += coded[at + 1 : after]
        if coded[at] != 255 and after < end:
            data.append(0)
        at = after
    return bytes(data)


def frame(body: bytes) -> bytes:
    """The bytes that carry `body`, of 1 to `LONGEST_BODY` bytes, both delimiters included."""
    if not 1 <= len(body) <= LONGEST_BODY:
        raise ValueError(f"a frame's body has 1 to {LONGEST_BODY} bytes, not {len(body)}")
    return b"\0" + encode_cobs(body + crc32(body).to_bytes(_CRC, "little")) + b"\0"


class Decoder:
    """The receiving end: takes bytes as they come, in any pieces, and gives whole bodies.

    `bad` counts what came between delimiters and was no frame: damaged, cut off or too long.
    """

    __slots__ = ("_partial", "_skipping", "_since", "bad")

    def __init__(self) -> None:
        self._partial = bytearray()
        self._skipping = False
        self._since = 0.0
        self.bad = 0

    def feed(self, data: bytes, now: float) -> list[bytes]:
        """The bodies that `data` completes, in order; `now` is in seconds of any steady clock."""
        self.expire(now)
        *pieces, rest = data.split(b"\0")
        bodies = []
        for piece in pieces:
            coded = self._complete(piece)
            body = self._body(coded) if coded else None
            if body is not None:
                bodies.append(body)
        if rest:
            self._extend(rest)
            self._since = now
        return bodies

    def expire(self, now: float) -> None:
        """Give up a frame that has stopped in the middle."""
        if (self._partial or self._skipping) and now >= self._since + PARTIAL_S:
            self.bad += not self._skipping
            self.reset()

    def reset(self) -> None:
        """Forget what has come of an unfinished frame, as after opening the port again."""
        self._partial.clear()
        self._skipping = False

    def deadline(self) -> float | None:
        """When to call `expire`; None while no frame has begun."""
        return self._since + PARTIAL_S if self._partial or self._skipping else None

    def _complete(self, piece: bytes) -> bytes:
        """What lies before a delimiter: `piece` and what had come before it; nothing of one given up as too long."""
        if not (self._partial or self._skipping):
            return piece
        self._extend(piece)
        coded = bytes(self._partial)
        self.reset()
        return coded

    def _extend(self, piece: bytes) -> None:
        if self._skipping:
            return
        self._partial += piece
        if len(self._partial) > _LONGEST_CODED:
            self._partial.clear()
            self._skipping = True
            self.bad += 1

    def _body(self, coded: bytes) -> bytes | None:
        data = decode_cobs(coded) if len(coded) <= _LONGEST_CODED else None
        if data is None or len(data) <= _CRC or crc32(data[:-_CRC]) != int.from_bytes(data[-_CRC:], "little"):
            self.bad += 1
            return None
        return data[:-_CRC]
