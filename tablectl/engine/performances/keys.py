"""Keys of the panel, and how names are shown on it."""

from __future__ import annotations

from typing import Final

from tablectl.cards import JOKER, RANKS, SUITS, Card, card
from tablectl.engine.desk import Desk
from tablectl.engine.inputs import Input
from tablectl.engine.menu import DIGITS, ENTER
from tablectl.engine.prompts import first_that_fits
from tablectl.equipment import KeyPressed
from tablectl.errors import DecodeError
from tablectl.money import Money, dollars

__all__ = ["Amount", "CardKeys", "key_of_press", "lost_or", "waits", "words"]

_RANK_KEYS: Final = {f"rank_{rank}": rank for rank in RANKS}
_SUIT_KEYS: Final = {f"suit_{suit}": suit for suit in SUITS}
_JOKER: Final = "joker"
_WITH_JOKER: Final = 53


class Amount:
    """Dollars and cents that are being keyed; without a point there are no cents."""

    def __init__(self) -> None:
        self.text = ""

    def key(self, key: str) -> bool:
        """Take a digit or the point; False for any other key."""
        if key in DIGITS and len(self.text) < 12:
            self.text += key.removeprefix("digit_")
        elif key == "point" and "." not in self.text:
            self.text += "."
        else:
            return False
        return True

    @property
    def value(self) -> Money | None:
        """The amount, None while what was keyed is none."""
        whole, _, cents = self.text.partition(".")
        try:
            return dollars(f"{whole}.{cents.ljust(2, '0')}")
        except DecodeError:
            return None

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that count now."""
        return (*DIGITS, *(() if "." in self.text else ("point",)), ENTER)


class CardKeys:
    """A card of the table's game that is being keyed: its rank and then its suit, or the joker."""

    def __init__(self, desk: Desk) -> None:
        joker = (_JOKER,) if desk.table.game.deck == _WITH_JOKER else ()
        self.lit = (*_RANK_KEYS, *_SUIT_KEYS, *joker)
        self._rank: str | None = None

    def key(self, key: str | None) -> Card | None:
        """The card that this key completes, None while there is none."""
        if key == _JOKER and key in self.lit:
            self._rank = None
            return JOKER
        if key in _RANK_KEYS:
            self._rank = _RANK_KEYS[key]
        elif key in _SUIT_KEYS and self._rank is not None:
            named, self._rank = card(self._rank + _SUIT_KEYS[key]), None
            return named
        return None

    def begun(self, key: str | None) -> bool:
        """Whether this key is a part of a card that is not complete yet."""
        return key in _RANK_KEYS


def key_of_press(given: Input) -> str | None:
    """The panel's key that was pressed, if it was one."""
    return given.message.key if isinstance(given.message, KeyPressed) else None


def lost_or(desk: Desk, device: str, text: str) -> str:
    """What is asked while a device acts, or that it is lost and what is to be done about it."""
    lost = desk.picture.links[device].up is False
    return f"{words(device)} LOST: WAIT, OR IRREGULARITY" if lost else text


def waits(text: str) -> str:
    """What a device does, for which there is nothing to do but wait; and the key for one that never comes to an end."""
    return first_that_fits(f"{text}: WAIT, OR IRREGULARITY", f"{text}, OR IRREGULARITY")


def words(name: str) -> str:
    """An identifier as the panel shows it."""
    return name.replace("_", " ").upper()
