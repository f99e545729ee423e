"""Betting between players: who may do what, how much, and when a betting round is over. Pure arithmetic, in cents.

`Bets` follows one round of play from its antes to its last call. Seats are told clockwise. A *short* bet or raise is
all that a player has left, and less than the least that is allowed. It does not open the betting again for those who
have acted since the last full one, until what was added since they acted comes to a full raise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from tablectl.money import ZERO, Money
from tablectl.records import frozen

__all__ = ["BET", "CALL", "CHECK", "FOLD", "LIMIT", "NO_LIMIT", "POT_LIMIT", "RAISE", "Bets", "Limits", "Span"]

NO_LIMIT: Final = "no_limit"
POT_LIMIT: Final = "pot_limit"
LIMIT: Final = "limit"
FOLD, CHECK, CALL, BET, RAISE = "fold", "check", "call", "bet", "raise"


@dataclass(frozen=True, slots=True)
class Limits:
    """What bets have to be: the structure, the least bet, the most one bet or raise may add (None: no such limit).

    With fixed limits `sizes` are those of the betting rounds, the last one for all that follow, and `raises` how many
    raises a betting round has at the most; None: no such number.
    """

    structure: Literal["no_limit", "pot_limit", "limit"]
    least: Money
    most: Money | None = None
    sizes: tuple[Money, ...] = ()
    raises: int | None = None


@frozen
class Span:
    """What a seat's bets of the betting round may come to: from `least` to `most`, or exactly `most` as all it has."""

    least: Money
    most: Money

    def allows(self, total: int) -> bool:
        """Whether they may come to that."""
        return total == self.most or self.least <= total <= self.most


@dataclass(slots=True)
class Bets:
    """Stacks, bets and pot of one round of play.

    `seats` play, clockwise from seat 1. `put` is what a seat has put into the pot in the whole round, antes too,
    `bet` what of it counts as its bet in this betting round. `live` seats have not folded. `level` is what a seat's bet
    has to come to, `size` the least full bet of the betting round, `full` the least full raise. `voluntary` are seats
    that have bet of their own will, in the order in which they first did. `last` is the seat that made the last bet or
    raise of the round of play, blinds among them. `acts` counts what seats have done when it was their turn.
    `conceded` seats are live, but have given up their rights at the showdown.
    """

    limits: Limits
    stacks: dict[int, int]
    put: dict[int, int] = field(default_factory=dict)
    bet: dict[int, int] = field(default_factory=dict)
    live: list[int] = field(default_factory=list)
    seats: tuple[int, ...] = ()
    queue: list[int] = field(default_factory=list)
    level: int = 0
    full: int = 0
    size: int = 0
    raises: int = 0
    number: int = -1
    voluntary: list[int] = field(default_factory=list)
    last: int | None = None
    total: int = 0
    acts: int = 0
    conceded: list[int] = field(default_factory=list)
    _answered: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seats = tuple(sorted(self.stacks))
        self.live = list(self.seats)
        self.put = dict.fromkeys(self.seats, 0)
        self.bet = dict.fromkeys(self.seats, 0)

    # Order

    def clockwise(self, after: int) -> list[int]:
        """Every seat that plays, the next one after `after` first and `after` itself, if it plays, last."""
        return [n for n in self.seats if n > after] + [n for n in self.seats if n <= after]

    def first_left_of(self, button: int) -> int:
        """The first seat clockwise from there that has not folded."""
        return next(number for number in self.clockwise(button) if number in self.live)

    # Antes, blinds, forced bets

    def ante(self, seat: int, amount: int) -> Money:
        """Put an ante in, as much of it as the seat has; it is no part of a bet."""
        return self._pay(seat, amount)

    def post(self, seat: int, total: int) -> Money:
        """Bring the seat's bet to that by a blind, a straddle or a forced bet, or to all that it has.

        The others have to match the whole of it either way.
        """
        paid = self._pay(seat, max(0, total - self.bet[seat]))
        self.bet[seat] += paid
        self.level = max(self.level, total)
        self.last = seat
        return paid

    # A betting round

    def begin(self, opener: int) -> None:
        """A betting round: this seat, if it has not folded, or the next one acts first.

        Before the first one of a round of play, what blinds and the like have put in is a bet of it.
        """
        self.number += 1
        if self.number:
            self.level = 0
            self.bet = dict.fromkeys(self.seats, 0)
        self.full = self.size = size = self._least_bet()
        self.raises = self.level // size if self.limits.structure == LIMIT else 0
        self._answered.clear()
        live, stacks = self.live, self.stacks
        there = [n for n in self.seats if n in live and stacks[n]]
        self.queue = [n for n in there if n >= opener] + [n for n in there if n < opener]

    def answered(self, seat: int) -> None:
        """This seat has made its bet already, and acts again only when somebody raises (a forced bet)."""
        self.queue = [number for number in self.queue if number != seat]
        self._answered[seat] = self.level

    def turn(self) -> int | None:
        """The seat that acts next; None when the betting round is over."""
        live, queue = self.live, self.queue
        if len(live) < 2:
            queue.clear()
        while queue:
            seat = queue[0]
            if seat in live and self.stacks[seat] and (self._others_can_bet(seat) or self.owed(seat)):
                return seat
            del queue[0]
        return None

    def owed(self, seat: int) -> Money:
        """What a call costs the seat, if it has as much; alone against players who are all in, what these have bet."""
        owed = self.level - self.bet[seat]
        if owed <= 0:
            return ZERO
        if not self._others_can_bet(seat):
            matched = max([self.bet[n] for n in self.live if n != seat], default=0)
            owed = max(0, min(self.level, matched) - self.bet[seat])
        return Money(owed)

    def can_raise(self, seat: int) -> bool:
        """Whether the seat may bet or raise: somebody else can answer, and the betting is open to it."""
        if self.bet[seat] + self.stacks[seat] <= self.level or not self._others_can_bet(seat):
            return False
        limits = self.limits
        if limits.raises is not None and self.raises > limits.raises and limits.structure == LIMIT:
            return False
        before = self._answered.get(seat)
        return before is None or self.level - before >= self.full

    def span(self, seat: int) -> Span:
        """What a bet or raise of the seat may come to."""
        all_in = self.bet[seat] + self.stacks[seat]
        limits, level = self.limits, self.level
        if limits.structure == LIMIT:
            size = self.size
            least = most = size if level < size else level + size
        else:
            least = level + self.full if level else limits.least
            most = all_in
            if limits.structure == POT_LIMIT:
                most = level + self.total + max(0, level - self.bet[seat])
            if limits.most is not None:
                most = min(most, level + limits.most)
            most = max(least, most)
        most = min(most, all_in)
        return Span(Money(min(least, most)), Money(most))

    # Acts

    def fold(self, seat: int) -> None:
        """The seat is out, of its own will or not; what it has put in stays in the pot."""
        if seat in self.live:
            self.live.remove(seat)
        if seat in self.queue:
            self.queue.remove(seat)

    def check(self, seat: int) -> None:
        """The seat bets nothing."""
        self._done(seat)

    def call(self, seat: int) -> Money:
        """The seat puts in what is missing, or all that it has left."""
        paid = self._pay(seat, self.owed(seat))
        self.bet[seat] += paid
        if paid:
            self._of_own_will(seat)
        self._done(seat)
        return paid

    def raise_to(self, seat: int, total: int) -> Money:
        """The seat bets or raises, so that its bet comes to `total`."""
        assert self.span(seat).allows(total), f"seat {seat} may not bet {total} in all"
        paid = self._pay(seat, total - self.bet[seat])
        self.bet[seat] += paid
        added = total - self.level
        full = self._completes(total) if self.limits.structure == LIMIT else added >= self.full
        self.level = total
        self.last = seat
        self.acts += 1
        self._of_own_will(seat)
        if full:
            self.full = self.size if self.limits.structure == LIMIT else added
            self.raises += 1
            self._answered.clear()
        self._answered[seat] = self.level
        self.queue = [n for n in self.clockwise(seat) if n != seat and n in self.live and self.stacks[n]]
        return paid

    # The end of a betting round

    def uncalled(self) -> tuple[int, Money] | None:
        """Give the part of the highest bet back that nobody has called; the seat and the amount, None for nothing."""
        first, second = 0, 0
        holder = None
        for seat in self.seats:
            amount = self.put[seat]
            if amount > first:
                first, second, holder = amount, first, seat
            elif amount > second:
                second = amount
        if holder is None or first == second or holder not in self.live:
            return None
        back = first - second
        self._give(holder, back)
        self.bet[holder] = max(0, self.bet[holder] - back)
        return holder, Money(back)

    def refund(self, seat: int) -> Money:
        """Give a seat all back that it has put in, and take it out of the round (637a.18(k)(3))."""
        amount = self.put[seat]
        self._give(seat, amount)
        self.bet[seat] = 0
        self.fold(seat)
        self.level = min(self.level, max([self.bet[n] for n in self.seats], default=0))
        return Money(amount)

    # Inside

    def _least_bet(self) -> int:
        """The least full bet of this betting round, as it begins."""
        if self.limits.structure == LIMIT:
            return self.limits.sizes[min(self.number, len(self.limits.sizes) - 1)]
        return max(self.limits.least, self.level if self.number <= 0 else 0)

    def _completes(self, total: int) -> bool:
        """Whether a bet of fixed size is a whole one; one that completes a forced bet is."""
        size = self.size
        return total >= (size if self.level < size else self.level + size)

    def _others_can_bet(self, seat: int) -> bool:
        stacks = self.stacks
        for other in self.live:  # this is asked several times for each act
            if stacks[other] and other != seat:
                break
        else:
            return False
        return True

    def _pay(self, seat: int, amount: int) -> Money:
        paid = min(amount, self.stacks[seat])
        self.stacks[seat] -= paid
        self.put[seat] += paid
        self.total += paid
        return Money(paid)

    def _give(self, seat: int, amount: int) -> None:
        self.stacks[seat] += amount
        self.put[seat] -= amount
        self.total -= amount

    def _of_own_will(self, seat: int) -> None:
        if seat not in self.voluntary:
            self.voluntary.append(seat)

    def _done(self, seat: int) -> None:
        self.acts += 1
        self._answered[seat] = self.level
        if seat in self.queue:
            self.queue.remove(seat)
