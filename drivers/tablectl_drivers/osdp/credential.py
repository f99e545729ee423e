"""From a card's bits to the number that is in the lists of badges."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from tablectl.errors import DecodeError
from tablectl_drivers.osdp.contents import Card, CardText

__all__ = ["Format", "number"]

_LONGEST: Final = 64


class Format(StrEnum):
    """How the number is made of the bits."""

    WIEGAND26 = "wiegand26"
    WHOLE = "whole"
    HEX = "hex"


def number(card: Card | CardText, format: Format) -> str:
    """The badge's number as text; `DecodeError`, which says nothing of the card's bits, when it has none.

    ``wiegand26``: 8 bits of facility and 16 of card as one decimal number (facility times 65536 plus card), after both
    parity bits were checked; ``whole``: all bits as one decimal number; ``hex``: all bits as hexadecimal digits in
    lower case, with leading zeros. Characters that the reader has made itself are the number as they are, without
    blanks around them.
    """
    if isinstance(card, CardText):
        text = card.text.strip()
        if not 1 <= len(text) <= _LONGEST:
            raise DecodeError(f"the reader sent {len(text)} characters, expected 1 to {_LONGEST}")
        return text
    match format:
        case Format.WIEGAND26:
            return str(_wiegand26(card))
        case Format.WHOLE:
            return str(card.value)
        case Format.HEX:
            return f"{card.value:0{(card.bits + 3) // 4}x}"


def _wiegand26(card: Card) -> int:
    if card.bits != 26:
        raise DecodeError(f"a card of {card.bits} bits, expected 26 (format {Format.WIEGAND26})")
    # The first bit makes the first half even, the last bit the second half odd.
    first, second = card.value >> 13, card.value & 0x1FFF
    if first.bit_count() % 2 or not second.bit_count() % 2:
        raise DecodeError("the parity of the card's 26 bits is wrong")
    return card.value >> 1 & 0xFFFFFF
