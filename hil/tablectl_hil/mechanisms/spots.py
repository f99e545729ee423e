"""What watches the layout and those who stand at it: wager sensors, the card scanner, the credential reader."""

from __future__ import annotations

from collections.abc import Iterable

from tablectl.cards import Card
from tablectl.equipment import (
    Badge,
    BadgeUnreadable,
    Capability,
    CardScanned,
    CardUnreadable,
    Kind,
    Message,
    WagerSpot,
)
from tablectl.money import ZERO, Money, dollars
from tablectl_hil.acts import act
from tablectl_hil.mechanisms.mechanism import Mechanism, Surroundings

__all__ = ["CardScanner", "CredentialReader", "WagerSensors"]


class WagerSensors(Mechanism):
    """Sensors below the wagers' spots: amounts (`AMOUNTS`), or only whether something lies there."""

    kind = Kind.WAGER_SENSORS
    model = "Emulated wager sensors"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._spots: dict[tuple[int, str], Money] = {}
        self._misread: Money | None = None

    def report(self, complete: bool) -> Iterable[Message]:
        """Its state, and for a host that knows nothing every spot that was ever used."""
        yield self.state()
        if complete:
            yield from (self._spot(seat, wager) for seat, wager in self._spots)

    @act
    def put(self, seat: int, wager: str, amount: str) -> None:
        """Put chips of that amount (``"10.00"``) on a spot, beside what lies there."""
        self._spots[seat, wager] = Money(self._spots.get((seat, wager), ZERO) + dollars(amount))
        self.around.say(self._spot(seat, wager))

    @act
    def lift(self, seat: int, wager: str) -> None:
        """Take everything off a spot."""
        if self._spots.get((seat, wager), ZERO):
            self._spots[seat, wager] = ZERO
            self.around.say(self._spot(seat, wager))

    @act
    def lift_all(self) -> None:
        """Take everything off every spot."""
        for seat, wager in self._spots:
            self.lift(seat, wager)

    @act
    def misread_next(self, amount: str) -> None:
        """Let the next change of a spot be said with a wrong amount."""
        self._misread = dollars(amount)

    def _spot(self, seat: int, wager: str) -> WagerSpot:
        amount, self._misread = self._spots[seat, wager] if self._misread is None else self._misread, None
        return WagerSpot(seat, wager, amount > 0, amount if self.can(Capability.AMOUNTS) else None)


class CardScanner(Mechanism):
    """A scanner that cards are shown to, face up."""

    kind = Kind.CARD_SCANNER
    model = "Emulated card scanner"

    @act
    def show(self, card: Card) -> None:
        """Show a card that it can read."""
        self.around.say(CardScanned(card))

    @act
    def show_unreadable(self) -> None:
        """Show a card that it cannot read."""
        self.around.say(CardUnreadable())


class CredentialReader(Mechanism):
    """A reader that badges are held to."""

    kind = Kind.CREDENTIAL_READER
    model = "Emulated credential reader"

    @act
    def badge(self, number: str) -> None:
        """Hold a badge to it."""
        self.around.say(Badge(number))

    @act
    def badge_unreadable(self) -> None:
        """Hold something to it that it cannot read."""
        self.around.say(BadgeUnreadable())
