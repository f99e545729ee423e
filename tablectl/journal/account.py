"""The rounds and wagers of a gaming day, and whether they balance: a fold over the rounds as they were played.

In every row staked = returned + collected; what was wagered in a round was settled in it, each wager once; rounds,
kinds of wagers and seats come to the same sums. Corrections stand beside all that, and make a second balance.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tablectl.events import Outcome, PaymentCorrected, WagerSettled
from tablectl.journal.played import Played, Sums, Wager
from tablectl.journal.told import Stamp
from tablectl.money import ZERO, Money, show

__all__ = ["Account", "Correction", "KindSums", "SeatSums", "Standing"]


@dataclass(slots=True)
class KindSums:
    """All wagers of one kind: their sums, how they ended, at which odds they won; `vigorish` if there was any."""

    sums: Sums = field(default_factory=Sums)
    results: Counter[str] = field(default_factory=Counter)
    odds: Counter[str] = field(default_factory=Counter)
    vigorish: Money | None = None


@dataclass(slots=True)
class SeatSums:
    """All wagers of one seat, and in how many rounds it took part; `corrected` is what corrections add to its net."""

    rounds: int = 0
    sums: Sums = field(default_factory=Sums)
    corrected: Money = ZERO


@dataclass(frozen=True, slots=True)
class Standing:
    """A wager of a suspended round: it stayed on the layout, and nothing on the record says what became of it."""

    round: int
    wager: Wager


@dataclass(frozen=True, slots=True)
class Correction:
    """A payment that was put right later; `earlier`: the row that it corrects is of an earlier day."""

    at: Stamp
    event: PaymentCorrected
    earlier: bool


class Account:
    """Takes the rounds of one day in as they close, and its corrections; `problems` says where it does not balance."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.causes: dict[tuple[str, str, str | None], list[int]] = {}
        self.first: int | None = None
        self.last: int | None = None
        self.hands = 0
        self.kinds: dict[str, KindSums] = {}
        self.seats: dict[int, SeatSums] = {}
        self.total = Sums()
        self.standing: list[Standing] = []
        self.corrections: list[Correction] = []
        self.problems: list[str] = []
        self._rows: dict[int, tuple[int, int, str, int]] = {}

    def close(self, played: Played) -> None:
        """A round has come to its end; the one in which the table was closed has no part in anything."""
        if played.is_closing:
            return
        self.first = played.number if self.first is None else self.first
        self.last = played.number
        self.outcomes[played.outcome] += 1
        closed = played.closed
        if closed is not None and closed.cause is not None:
            self.causes.setdefault((played.outcome, closed.cause, closed.cite), []).append(played.number)
        self.hands += played.hands
        self.problems += played.problems()
        for each in played.settled:
            self._settle(each.row)
        for number in played.seats:
            seat = self.seats.setdefault(number, SeatSums())
            seat.rounds += 1
            seat.sums.plus(played.sums(number))
        self.total.plus(played.sums())
        if played.outcome == Outcome.SUSPENDED:
            self.standing += (Standing(played.number, wager) for wager in played.standing)

    def note_row(self, sequence: int, played: Played, row: WagerSettled) -> None:
        """A wager was settled, whatever becomes of the round: a correction may name this row."""
        self._rows[sequence] = played.number, row.seat, row.wager, row.hand

    def correct(self, at: Stamp, event: PaymentCorrected, begun: int) -> None:
        """A payment was put right; the day has begun with the event `begun`."""
        self.corrections.append(Correction(at, event, event.corrects < begun))
        seat = self.seats.setdefault(event.seat, SeatSums())
        seat.corrected = Money(seat.corrected + event.paid - event.collected)
        wanted = event.round, event.seat, event.wager, event.hand
        if event.corrects >= begun and self._rows.get(event.corrects) != wanted:
            self.problems.append(
                f"correction (event {at.sequence}): event {event.corrects} is no settlement of seat {event.seat}"
                f" {event.wager} in round {event.round}"
            )

    @property
    def corrected(self) -> Sums:
        """The second balance: the day's sums with all that was put right."""
        sums = Sums()
        sums.plus(self.total)
        for each in self.corrections:
            sums.paid = Money(sums.paid + each.event.paid)
            sums.collected = Money(sums.collected + each.event.collected)
        return sums

    def check(self) -> list[str]:
        """Everything that does not balance, in words."""
        found = list(self.problems)
        by_kind, by_seat = Sums(), Sums()
        for name, kind in self.kinds.items():
            by_kind.plus(kind.sums)
            found += _identity(name, kind.sums)
        for number, seat in sorted(self.seats.items()):
            by_seat.plus(seat.sums)
            found += _identity(f"seat {number}", seat.sums)
        found += _identity("the day", self.total)
        found += _same("the rounds", self.total, "the kinds of wagers", by_kind)
        found += _same("the rounds", self.total, "the seats", by_seat)
        nets = sum(seat.sums.net + seat.corrected for seat in self.seats.values())
        if nets != self.corrected.net:
            found.append(f"corrected: the seats' net is {show(Money(nets))}, the day's {show(self.corrected.net)}")
        return found

    def _settle(self, row: WagerSettled) -> None:
        kind = self.kinds.setdefault(row.wager, KindSums())
        kind.sums.add(row)
        kind.results[row.result.value] += 1
        if row.odds is not None:
            kind.odds[row.odds] += 1
        if row.vigorish is not None:
            kind.vigorish = Money((kind.vigorish or ZERO) + row.vigorish)


def _identity(name: str, sums: Sums) -> list[str]:
    if sums.staked == sums.returned + sums.collected:
        return []
    return [
        f"{name}: staked {show(sums.staked)} is not returned {show(sums.returned)} + collected {show(sums.collected)}"
    ]


def _same(name: str, one: Sums, other_name: str, other: Sums) -> list[str]:
    return [
        f"{field}: {name} come to {_shown(getattr(one, field))}, {other_name} to {_shown(getattr(other, field))}"
        for field in ("count", "unknown", "staked", "paid", "returned", "collected")
        if getattr(one, field) != getattr(other, field)
    ]


def _shown(value: int) -> str:
    return show(Money(value))
