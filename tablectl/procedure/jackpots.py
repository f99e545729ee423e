"""The Bad Beat and the High Hand Jackpot of a table in double entry, to the cent (637a.15, 637a.16).

Money comes in as contributions out of pots. It is then in the locked box, on its way to the cage, in the fund that the
finance department maintains, or owed to a player; or it was paid, or has gone over to another payout. A count that
differs from what the box should hold, and what the fund has of other tables, have accounts of their own, so that there
is no other way up or down. What is displayed stands beside that: it changes only when it is adjusted.
"""

from __future__ import annotations

from typing import Final

from tablectl.errors import IllegalMove
from tablectl.money import ZERO, Money, show
from tablectl.records import record, replace

__all__ = [
    "ACCOUNTS",
    "BAD_BEAT",
    "HIGH_HAND",
    "Books",
    "Jackpot",
    "Owed",
    "Period",
    "RoomState",
    "Slip",
    "equal_shares",
    "jackpot_of",
    "shares_of_bad_beat",
    "with_jackpot",
]

BAD_BEAT: Final = "bad_beat"
HIGH_HAND: Final = "high_hand"


@record
class Books:
    """The accounts of one jackpot at this table, in cents; `over` and `others` may be negative.

    `contributed` came out of pots here; `over` is what counts have found beyond that. `others` is what other tables
    have brought into the fund, less what was won there. `box`, `sent` (to the cage), `fund` and `owed` are held;
    `paid` and `transferred` have left.
    """

    contributed: Money = ZERO
    over: Money = ZERO
    others: Money = ZERO
    box: Money = ZERO
    sent: Money = ZERO
    fund: Money = ZERO
    owed: Money = ZERO
    paid: Money = ZERO
    transferred: Money = ZERO

    def balanced(self) -> bool:
        """Whether all that has come in is held or has left."""
        held = self.box + self.sent + self.fund + self.owed
        return self.contributed + self.over + self.others == held + self.paid + self.transferred

    def dropped(self, amount: Money) -> Books:
        """A contribution went from a pot into the box."""
        return replace(self, contributed=Money(self.contributed + amount), box=Money(self.box + amount))

    def box_sent(self, counted: Money | None) -> Books:
        """The contents of the box are on their way to the cage, counted at the table or (None) not counted yet."""
        amount = self.box if counted is None else counted
        over = Money(self.over + amount - self.box)
        return replace(self, over=over, box=ZERO, sent=Money(self.sent + amount))

    def counted(self, amount: Money) -> Books:
        """The cashier has counted, or verified, all that was on its way: it is in the fund."""
        over = Money(self.over + amount - self.sent)
        return replace(self, over=over, sent=ZERO, fund=Money(self.fund + amount))

    def maintained(self, amount: Money) -> Books:
        """The finance department says what the fund is, with what is of other tables."""
        return replace(self, others=Money(self.others + amount - self.fund), fund=amount)

    def awarded(self, amount: Money) -> Books:
        """So much of the fund is owed to players of this table."""
        return replace(self, fund=Money(self.fund - amount), owed=Money(self.owed + amount))

    def paid_out(self, amount: Money) -> Books:
        """A player was paid what was owed."""
        return replace(self, owed=Money(self.owed - amount), paid=Money(self.paid + amount))

    def won_elsewhere(self) -> Books:
        """The whole fund was won at another table."""
        return replace(self, others=Money(self.others - self.fund), fund=ZERO)

    def unclaimed(self, amount: Money, *, kept: bool) -> Books:
        """What was owed and not claimed goes back into the fund, or (not `kept`) over to another payout."""
        owed = Money(self.owed - amount)
        if kept:
            return replace(self, owed=owed, fund=Money(self.fund + amount))
        return replace(self, owed=owed, transferred=Money(self.transferred + amount))

    def gone_over(self) -> Books:
        """The fund has gone over to another payout."""
        return replace(self, fund=ZERO, transferred=Money(self.transferred + self.fund))


ACCOUNTS: Final = ("contributed", "over", "others", "box", "sent", "fund", "owed", "paid", "transferred")


@record
class Slip:
    """One line of the High Hand Tracking Slip (637a.16(f)): `reference` is what the paper slip is marked with.

    Name and phone number of the player are on the paper alone. `value` orders hands.
    """

    reference: str
    seat: int
    hand: str
    value: int
    dealer: str
    floorperson: str


@record
class Owed:
    """A share that a player is yet to be paid, since a second since the epoch; `reference` as on the paper."""

    reference: str
    seat: int
    part: str
    amount: Money
    since: int


@record
class Period:
    """A qualifying period that has ended and is yet to be awarded: its number, and the highest hands made here."""

    number: int
    slips: tuple[Slip, ...]


@record
class Jackpot:
    """One jackpot as it goes on from round to round.

    `display` is what players are shown, `pending` that it is about to be adjusted as it was won. `ended`: contributions
    were terminated. `counted_day` and `adjusted_day` are the gaming days of the last count and adjustment. `period`
    counts qualifying periods, `began` is the second in which this one did, `slips` are its highest hands
    so far; `waiting` are periods that have ended. `period` is 0 before the first.
    """

    books: Books = Books()
    display: Money = ZERO
    pending: bool = False
    ended: bool = False
    counted_day: int = 0
    adjusted_day: int = 0
    owed: tuple[Owed, ...] = ()
    period: int = 0
    began: int = 0
    slips: tuple[Slip, ...] = ()
    waiting: tuple[Period, ...] = ()


@record
class RoomState:
    """What the poker room has beside the game: its jackpots, and since when the next time charge runs (0: not yet).

    `unverified` time charges lie in the rake area, of so many seats, and wait for a floorperson.
    """

    bad_beat: Jackpot = Jackpot()
    high_hand: Jackpot = Jackpot()
    charged: int = 0
    unverified: Money = ZERO
    unverified_seats: int = 0


def jackpot_of(room: RoomState, kind: str) -> Jackpot:
    """The jackpot of that kind."""
    return room.bad_beat if kind == BAD_BEAT else room.high_hand


def with_jackpot(room: RoomState, kind: str, jackpot: Jackpot) -> RoomState:
    """The same room with that jackpot; `IllegalMove` if a cent of it is nowhere or an account is below zero."""
    books = jackpot.books
    below = [name for name in ACCOUNTS if name not in ("over", "others") and getattr(books, name) < 0]
    if below or not books.balanced() or sum(each.amount for each in jackpot.owed) != books.owed:
        told = ", ".join(f"{name} {show(getattr(books, name))}" for name in ACCOUNTS)
        raise IllegalMove(f"the books of the {kind} do not balance: {told}")
    return replace(room, bad_beat=jackpot) if kind == BAD_BEAT else replace(room, high_hand=jackpot)


def equal_shares(amount: Money, among: int, unit: Money) -> tuple[Money, ...]:
    """Equal shares in multiples of a unit; the first has what cannot be divided."""
    each = amount // unit // among * unit
    return (Money(amount - each * (among - 1)), *((Money(each),) * (among - 1)))


def shares_of_bad_beat(
    amount: Money,
    unit: Money,
    losers: tuple[int, ...],
    winners: tuple[int, ...],
    others: tuple[int, ...],
    percents: tuple[int, int],
) -> tuple[tuple[str, int, Money], ...]:
    """Part, seat and share of each player; `percents` are those of the losing and of the winning hands.

    The rest is for the `others` who were dealt in. What cannot be divided is the losing hand's, and so is the rest
    where there are no others.
    """
    of_loser, of_winner = percents
    winning = Money(amount * of_winner // 100 // unit * unit)
    rest = Money(amount * (100 - of_loser - of_winner) // 100 // unit * unit) if others else ZERO
    each = Money(rest // unit // len(others) * unit) if others else ZERO
    losing = Money(amount - winning - each * len(others))
    parts = (("loser", losers, losing), ("winner", winners, winning))
    shares = [
        (part, number, share)
        for part, seats, whole in parts
        for number, share in zip(seats, equal_shares(whole, len(seats), unit), strict=True)
    ]
    shares += [("table", number, each) for number in others]
    return tuple([share for share in shares if share[2]])
