"""The hole-card reader: one bit, and never an identity."""

from __future__ import annotations

from tablectl.equipment import (
    Capability,
    CardPresent,
    Command,
    Fault,
    HoleCardRead,
    HoleCardUnread,
    Kind,
    ReadHoleCard,
)
from tablectl_hil.acts import CannotBeDone, act
from tablectl_hil.mechanisms.mechanism import Mechanism, Surroundings

__all__ = ["CardReader"]


class CardReader(Mechanism):
    """A reader that a corner of the hole card is put into: whether it makes a Blackjack is all that it ever holds."""

    kind = Kind.CARD_READER
    model = "Emulated hole-card reader"

    def __init__(self, serial: str, capabilities: tuple[Capability, ...], around: Surroundings) -> None:
        super().__init__(serial, capabilities, around)
        self._blackjack: bool | None = None
        self._held_back = False
        self._waiting: int | None = None

    def perform(self, command: Command, command_id: int) -> str | None:
        """Read the card that lies in it, or the next one."""
        if not isinstance(command, ReadHoleCard):
            return super().perform(command, command_id)
        refusal = self.not_ready()
        if refusal is None and self._waiting is not None:
            refusal = "the card reader is waiting for a card"
        if refusal is not None:
            return refusal
        self._waiting = command_id
        self.around.notice("told", command=command_id, order="ReadHoleCard")
        self._read()
        return None

    def power_cycle(self, kept: bool) -> None:
        """A card that was being read is not read any more."""
        if kept:
            self._end(HoleCardUnread(self._waiting or 0, Fault.INCOMPLETE))
        self._waiting = None

    def fail(self, fault: Fault | None) -> None:
        """What goes wrong while it waits or reads ends that."""
        super().fail(fault)
        if fault is not None:
            self._end(HoleCardUnread(self._waiting or 0, fault))

    @act
    def insert(self, blackjack: bool, slowly: bool = False) -> None:
        """Put a card in that makes a Blackjack or not; one put in `slowly` is not read before `push`."""
        if self._blackjack is not None:
            raise CannotBeDone("a card lies in the reader")
        self._blackjack, self._held_back = blackjack, slowly
        self.around.say(CardPresent(True))
        self._read()

    @act
    def push(self) -> None:
        """Push a card in that was put in slowly."""
        self._held_back = False
        self._read()

    @act
    def withdraw(self) -> None:
        """Take the card out; one that was not read yet will not be."""
        if self._blackjack is None:
            raise CannotBeDone("no card lies in the reader")
        self._blackjack = None
        self.around.say(CardPresent(False))
        self._end(HoleCardUnread(self._waiting or 0, Fault.INCOMPLETE))

    def _read(self) -> None:
        if self._waiting is None or self._blackjack is None or self._held_back:
            return
        fault = self.fault_due()
        if fault in {Fault.UNREADABLE, Fault.INCOMPLETE}:
            self._end(HoleCardUnread(self._waiting, fault))  # the card's fault, not the reader's
        elif fault is not None:
            self.fail(fault)
        else:
            self._end(HoleCardRead(self._waiting, self._blackjack))

    def _end(self, answer: HoleCardRead | HoleCardUnread) -> None:
        if self._waiting is not None:
            self._waiting = None
            self.around.say(answer)
            self.around.notice("done", command=answer.command)
