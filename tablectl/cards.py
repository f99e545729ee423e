"""Cards, the composition of decks, and the places that a card can go to.

Cards are written ``As Kh Qd Jc Td 9s … 2c`` and ``Xj`` (the joker). Every card and every position exists once in a
process, so that they compare by identity.

What these classes know of their fields as dataclasses is deleted: whoever finds it writes them as objects of their
fields, and they are texts; a face-down card is to be written by nobody but `tablectl.records`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablectl.errors import DecodeError

__all__ = [
    "BURN",
    "COMMUNITY",
    "DEALER",
    "JOKER",
    "RACK",
    "Card",
    "FaceDown",
    "Position",
    "card",
    "cards_of",
    "deck",
    "position",
    "seat",
]

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card: `rank` 2 to 14 (ace) or 0 (joker), `suit` one of ``c d h s`` or ``j``."""

    rank: int
    suit: str
    name: str

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        return card, (self.name,)


del Card.__dataclass_fields__

_SUITED = tuple(Card(rank, suit, RANKS[rank - 2] + suit) for suit in SUITS for rank in range(2, 15))
JOKER: Final = Card(0, "j", "Xj")
_BY_NAME: Final = {c.name: c for c in (*_SUITED, JOKER)}


def card(name: str) -> Card:
    """The card of that name; `DecodeError` for anything else."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise DecodeError(f"{name!r} is not a card: expected a rank of {RANKS} and a suit of {SUITS}, or Xj") from None


def deck(*, joker: bool = False) -> tuple[Card, ...]:
    """One full deck in the order ``2c … Ac 2d … Ad 2h … Ah 2s … As`` (and the joker last): 52 or 53 cards."""
    return (*_SUITED, JOKER) if joker else _SUITED


def cards_of(number: int) -> tuple[Card, ...]:
    """All cards of what a game is played with, by their number: decks one after the other, or one with its joker."""
    joker = number == len(_SUITED) + 1
    return deck(joker=True) if joker else _SUITED * (number // len(_SUITED))


@dataclass(frozen=True, slots=True, repr=False)
class FaceDown:
    """A card that lies face down: who holds it knows nothing.

    `card` is its identity where the equipment has read it, else None. It is left out of the repr, and the record
    codec keeps it apart from every journal body: it reaches no message, log line or exception text.
    """

    card: Card | None = None

    def __repr__(self) -> str:
        return "FaceDown()"

    def __reduce__(self) -> tuple[object, ...]:
        return FaceDown, (self.card,)


del FaceDown.__dataclass_fields__


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A place on the layout: ``dealer``, ``community``, ``burn``, ``rack``, ``seat N`` or ``stack N``."""

    kind: str
    number: int
    name: str

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __reduce__(self) -> tuple[object, ...]:
        return position, (self.name,)


del Position.__dataclass_fields__

DEALER: Final = Position("dealer", 0, "dealer")
COMMUNITY: Final = Position("community", 0, "community")
BURN: Final = Position("burn", 0, "burn")
RACK: Final = Position("rack", 0, "rack")
_MOST_SEATS = 10
_MOST_STACKS = 7
_SEATS = tuple(Position("seat", n, f"seat {n}") for n in range(1, _MOST_SEATS + 1))
_BY_NUMBER: Final = {place.number: place for place in _SEATS}
_STACKS = tuple(Position("stack", n, f"stack {n}") for n in range(1, _MOST_STACKS + 1))
_POSITIONS: Final = {p.name: p for p in (DEALER, COMMUNITY, BURN, RACK, *_SEATS, *_STACKS)}


def seat(number: int) -> Position:
    """The betting position of that number; seat 1 is the farthest to the dealer's left."""
    found = _BY_NUMBER.get(number)
    return position(f"seat {number}") if found is None else found


def position(name: str) -> Position:
    """The position of that name; `DecodeError` for anything else."""
    try:
        return _POSITIONS[name]
    except KeyError:
        raise DecodeError(
            f"{name!r} is not a position: expected dealer, community, burn, rack, seat 1-{_MOST_SEATS}"
            f" or stack 1-{_MOST_STACKS}"
        ) from None
