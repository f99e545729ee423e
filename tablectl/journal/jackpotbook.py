"""The house's take of a poker room and its jackpots over a gaming day, as the events in the journal tell it.

What pots and time charges have brought has to be what went into the drop box and the boxes of the jackpots, and each
booking has to be what the accounts changed by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tablectl import events as e
from tablectl.journal.told import Stamp
from tablectl.money import ZERO, Money, show

__all__ = ["HouseBook", "JackpotBook", "Payment"]

KINDS: Final = ("bad_beat", "high_hand")
_ACCOUNTS: Final = ("contributed", "over", "others", "box", "sent", "fund", "owed", "paid", "transferred")


@dataclass(slots=True)
class Payment:
    """A share that a player has won: where and by whom it was paid, None while it is not."""

    at: Stamp
    owed: e.JackpotOwed
    paid: e.JackpotPaid | None = None


@dataclass(slots=True)
class JackpotBook:
    """One jackpot in one day. `before` is the last booking of an earlier day, `last` the last one of all.

    `booked` are the sums of the day by their reason, `counts` what was found beyond the books (or short of them).
    """

    before: e.JackpotBooked | None = None
    last: e.JackpotBooked | None = None
    booked: Counter[str] = field(default_factory=Counter)
    over: Money = ZERO
    payments: list[Payment] = field(default_factory=list)
    verified: list[tuple[Stamp, e.BadBeatVerified | e.HighHandRecorded]] = field(default_factory=list)
    refused: int = 0
    periods: list[e.PeriodAwarded] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing in the journal speaks of it."""
        return self.last is None and not self.verified and not self.refused

    def book(self, at: Stamp, now: e.JackpotBooked) -> None:
        """Take a booking, and look whether the accounts changed by that."""
        before, self.last = self.last, now
        self.booked[now.reason] += now.amount
        changed = {name: getattr(now, name) - (getattr(before, name) if before else 0) for name in _ACCOUNTS}
        self.over = Money(self.over + changed["over"])
        held = now.box + now.sent + now.fund + now.owed + now.paid + now.transferred
        if now.contributed + now.over + now.others != held:
            self.problems.append(f"{now.jackpot} (event {at.sequence}): what came in is not what is held or has left")
        expected = _expected(now, changed)
        if changed != {**dict.fromkeys(_ACCOUNTS, 0), **expected}:
            told = ", ".join(f"{name} by {show(Money(by))}" for name, by in changed.items() if by)
            self.problems.append(
                f"{now.jackpot} (event {at.sequence}): {show(now.amount)} booked as {now.reason}, but changed"
                f" {told or 'nothing'}"
            )

    def pay(self, paid: e.JackpotPaid) -> None:
        """A player was paid: his share has to be owed."""
        for each in self.payments:
            if each.paid is None and (each.owed.reference, each.owed.amount) == (paid.reference, paid.amount):
                each.paid = paid
                return
        self.problems.append(f"{paid.jackpot}: {show(paid.amount)} was paid for {paid.reference}, which is not owed")


def _expected(now: e.JackpotBooked, changed: Mapping[str, int]) -> dict[str, int]:
    """What a booking for that reason changes in the accounts; what is not named stays as it is."""
    amount, over, others = now.amount, changed["over"], changed["others"]
    match now.reason:
        case "drop":
            return {"contributed": amount, "box": amount}
        case "sent":
            return {"sent": amount, "box": over - amount, "over": over}
        case "counted":
            return {"fund": amount, "sent": over - amount, "over": over}
        case "adjusted":
            return {"fund": others, "others": others}
        case "awarded":
            return {"fund": -amount, "owed": amount}
        case "paid":
            return {"owed": -amount, "paid": amount}
        case "won_elsewhere":
            return {"fund": -amount, "others": -amount}
        case "unclaimed":
            return {"owed": -amount, "fund" if changed["fund"] else "transferred": amount}
        case "ended":
            return {"fund": -amount, "transferred": amount}
        case _:
            return {}


class HouseBook:
    """Takes the events of one day; made from the day before, as jackpots and what is owed go on over the night."""

    def __init__(self, before: HouseBook | None = None) -> None:
        self.jackpots: dict[str, JackpotBook] = {kind: JackpotBook() for kind in KINDS}
        if before is not None:
            for kind, earlier in before.jackpots.items():
                unpaid = [Payment(each.at, each.owed) for each in earlier.payments if each.paid is None]
                self.jackpots[kind] = JackpotBook(earlier.last, earlier.last, payments=unpaid)
        self.pots = 0
        self.raked: Money = ZERO
        self.time_charges: list[tuple[Stamp, e.TimeCollected]] = []
        self.verified: Money = ZERO
        self.dropped: Money = ZERO
        self.contributed: Counter[str] = Counter()
        self._round: list[e.PotFormed] = []

    @property
    def empty(self) -> bool:
        """Whether the house has taken nothing, and there is no jackpot."""
        nothing = not self.pots and not self.time_charges and not self.dropped
        return nothing and all(jackpot.empty for jackpot in self.jackpots.values())

    @property
    def taken(self) -> Money:
        """What was taken off pots: rake, and contributions to jackpots."""
        return Money(self.raked + sum(self.contributed.values()))

    @property
    def charged(self) -> Money:
        """What was collected as time charges."""
        return Money(sum([charge.total for _at, charge in self.time_charges]))

    def take(self, at: Stamp, event: object) -> None:
        """Take the next event of the day."""
        match event:
            case e.RoundOpened():
                self._round = []
            case e.PotFormed():
                self._round.append(event)
            case e.RoundClosed(outcome=e.Outcome.COMPLETED):
                self._close()
            case e.RakeDropped():
                self.dropped = Money(self.dropped + event.amount)
            case e.TimeCollected():
                self.time_charges.append((at, event))
            case e.TimeCharged():
                self.verified = Money(self.verified + event.total)
            case e.JackpotBooked():
                self.jackpots[event.jackpot].book(at, event)
            case e.JackpotOwed():
                self.jackpots[event.jackpot].payments.append(Payment(at, event))
            case e.JackpotPaid():
                self.jackpots[event.jackpot].pay(event)
            case e.BadBeatVerified():
                self.jackpots["bad_beat"].verified.append((at, event))
            case e.HighHandRecorded():
                self.jackpots["high_hand"].verified.append((at, event))
            case e.BadBeatRefused():
                self.jackpots["bad_beat"].refused += 1
            case e.HighHandRefused():
                self.jackpots["high_hand"].refused += 1
            case e.PeriodAwarded():
                self.jackpots["high_hand"].periods.append(event)
            case _:
                pass

    def _close(self) -> None:
        """What the pots of a completed round have brought; those of a round that is void are given back whole."""
        for pot in self._round:
            self.pots += 1
            self.raked = Money(self.raked + pot.rake)
            self.contributed["bad_beat"] += pot.bad_beat
            self.contributed["high_hand"] += pot.high_hand
        self._round = []

    def check(self, *, complete: bool) -> list[str]:
        """Everything that does not balance, in words; `complete`: no round is under way."""
        found = [problem for jackpot in self.jackpots.values() for problem in jackpot.problems]
        if not complete:
            return found
        brought = Money(self.raked + self.verified)
        if brought != self.dropped:
            found.append(f"rake and time charges come to {show(brought)}, the drop box to {show(self.dropped)}")
        for kind, jackpot in self.jackpots.items():
            booked, pots = Money(jackpot.booked["drop"]), Money(self.contributed[kind])
            if booked != pots:
                found.append(f"{kind}: pots have contributed {show(pots)}, booked is {show(booked)}")
        return found
