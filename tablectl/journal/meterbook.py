"""The progressive meter over a gaming day, as the bookings in the journal tell it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tablectl import events as e
from tablectl.journal.told import Stamp
from tablectl.money import ZERO, Money, show

__all__ = ["Award", "MeterBook"]

_LOWERED = ("correction", "over_limit", "seed_recovery")


@dataclass(slots=True)
class Award:
    """One progressive award: `amount` is None where the wager's was not known; `documented` by which two persons."""

    at: Stamp
    round: int | None
    seat: int
    hand: str
    award: str
    amount: Money | None
    credential: str
    documented: tuple[str, str] | None = None


@dataclass(slots=True)
class MeterBook:
    """What was booked in one day. `before` is the last booking of an earlier day, `last` the last one of all.

    `wagered` is what came in by wagers that stood, `returned` what was taken out again with them. `problems` says where
    a booking is not what the accounts changed by.
    """

    before: e.MeterBooked | None = None
    last: e.MeterBooked | None = None
    display: Money | None = None
    bookings: int = 0
    wagered: Money = ZERO
    returned: Money = ZERO
    wins: Money = ZERO
    hits: int = 0
    lowered: Counter[str] = field(default_factory=Counter)
    differences: list[tuple[Stamp, str, str]] = field(default_factory=list)
    awards: list[Award] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing in the journal speaks of a meter."""
        return self.last is None and self.display is None and not self.awards and not self.differences

    def take(self, at: Stamp, event: object, round: int | None) -> None:
        """Take the next event of the day."""
        match event:
            case e.MeterBooked():
                self._book(at, event)
            case e.MeterRead(display=display):
                self.display = display
            case e.WinLightVerified(display=int() as display):
                self.display = Money(display)
            case e.AwardValidated():
                self.awards.append(
                    Award(at, round, event.seat, event.hand, event.award, event.amount, event.credential)
                )
            case e.HandPayDocumented():
                for award in self.awards:
                    told = award.round, award.seat, award.amount
                    if award.documented is None and told == (round, event.seat, event.amount):
                        award.documented = event.credential, event.second
            case e.AlarmRaised(source="meter"):
                self.differences.append((at, event.kind, event.message))
            case _:
                pass

    def _book(self, at: Stamp, now: e.MeterBooked) -> None:
        before, self.last, self.display = self.last, now, now.display
        self.bookings += 1
        if before is None or now.reason in ("opened", "adopted"):  # the accounts begin, or begin anew
            return
        wagered, wins, lowered, hits = (
            getattr(now, name) - getattr(before, name) for name in ("wagered", "wins", "lowered", "hits")
        )
        expected = {
            "wagers": (now.amount, 0, 0, 0),
            "award": (0, now.amount, 0, 1),
            "returned": (wagered, wins, lowered, hits),
            **dict.fromkeys(_LOWERED, (0, 0, now.amount, 0)),
        }.get(now.reason)
        if expected is not None and expected != (wagered, wins, lowered, hits):
            self.problems.append(
                f"meter (event {at.sequence}): {show(now.amount)} booked as {now.reason}, but wagered changed by"
                f" {show(Money(wagered))}, wins by {show(Money(wins))}, lowered by {show(Money(lowered))},"
                f" hits by {hits}"
            )
        if now.reason == "returned":
            self.returned = Money(self.returned - wagered)
        else:
            self.wagered = Money(self.wagered + wagered)
        self.wins = Money(self.wins + wins)
        self.hits += hits
        if lowered:
            self.lowered[now.reason] += lowered
