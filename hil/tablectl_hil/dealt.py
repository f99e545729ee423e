"""Where the cards of a scripted round go: what a dealer knows while he deals it."""

from __future__ import annotations

from collections.abc import Sequence

from tablectl.cards import Card, position

__all__ = ["Dealt"]

_UNSEEN = ("burn", "rack")

_AT_ONCE = ("start ", "stack ")  # what comes between cards without anybody being waited for


class Dealt:
    """The cards of one round in the order in which they leave, by the acts of the round as the script has them.

    `face_up`: each card is turned up as it is dealt, and so ends a run of those that are dealt without a word. Cards
    that were dealt for the button lie at no place: they are shuffled in again.
    """

    def __init__(self, order: Sequence[str], cards: Sequence[Card], *, face_up: bool = False) -> None:
        self.face_up = face_up
        self._cards = cards
        self.places: list[str] = []
        self.ends: list[int] = []
        delivered: dict[str, str] = {}
        open_run = False
        for act in order:
            what, _, to = act.partition(" -> ")
            if act.startswith("card "):
                self.places.append(position(to).name)
                open_run = not face_up or to in _UNSEEN
                if not open_run:
                    self.ends.append(len(self.places))
            elif what.startswith("stack ") and to:
                delivered[what] = to
            elif open_run and not act.startswith(_AT_ONCE):
                self.ends.append(len(self.places))
                open_run = False
        if open_run:
            self.ends.append(len(self.places))
        drawn = sum(act.startswith("card ") for act in _before_the_button(order))
        self._button = dict(zip(self.places[:drawn], cards, strict=False))
        self._hands: dict[str, list[Card]] = {}
        for number, place in enumerate(self.places[drawn:], drawn):
            self._hands.setdefault(delivered.get(place, place), []).append(cards[number])

    def __len__(self) -> int:
        return len(self.places)

    def end(self, out: int) -> int:
        """The number of the last card that is dealt before somebody is asked or something is turned up."""
        return next((end for end in self.ends if end > out), len(self.places))

    def stack(self, out: int) -> int:
        """How many cards the stack has that comes after so many: those for one place, face-up ones before the last."""
        place = next((place for place in self.places[out:] if place != "rack"), None)
        number = last = out
        while number < len(self.places) and self.places[number] in (place, "rack"):
            number += 1
            if self.places[number - 1] == place:
                last = number
        return (last if last > out else number) - out

    def throw(self, place: str, cards: Sequence[Card]) -> None:
        """Cards of that place go to the rack, and others come after them."""
        self._hands[place] = [card for card in self._hands[place] if card not in cards]

    def lose(self, out: int, place: str | None) -> None:
        """The last of so many cards that is at that place, or the very last, is out: another one takes its place."""
        dealt = (n for n in range(out, 0, -1) if place in (None, self.places[n - 1]))
        number = next(dealt, None)
        if number is not None and self.places[number - 1] not in _UNSEEN:
            hand = self._hands[self.places[number - 1]]
            if self._cards[number - 1] in hand:
                hand.remove(self._cards[number - 1])

    def card(self, place: str, number: int) -> Card:
        """The `number`th card that lies at that place, from 1."""
        return self._hands[place][number - 1]

    def for_the_button(self, place: str) -> Card:
        """The card by which that place may have the button."""
        return self._button[place]


def _before_the_button(order: Sequence[str]) -> Sequence[str]:
    """The acts until the button is given away by cards; none where it is not."""
    return order[: next((n for n, act in enumerate(order) if act.startswith("button ")), 0)]
