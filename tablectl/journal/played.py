"""One round as it was played, for folds over a whole journal: who had what at stake, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tablectl.events import (
    CardDealt,
    DealerChanged,
    DeckCut,
    DeckExchanged,
    DeckShuffled,
    DiceCalled,
    Outcome,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    TableClosed,
    TableOpened,
    WagerMade,
    WagerSettled,
    WagerWithdrawn,
)
from tablectl.events import spot as spot_of
from tablectl.journal.told import Stamp, Told
from tablectl.money import ZERO, Money, show

__all__ = ["TABLE_CLOSED", "Played", "Rounds", "Settled", "Sums", "Wager"]

TABLE_CLOSED: Final = "table_closed"
"""The cause by which a round ends that was opened, and in which the table was closed instead."""


@dataclass(slots=True)
class Sums:
    """What settled wagers come to, in cents; `unknown` of them have no amounts, as only their presence was seen."""

    count: int = 0
    unknown: int = 0
    staked: Money = ZERO
    paid: Money = ZERO
    returned: Money = ZERO
    collected: Money = ZERO

    @property
    def net(self) -> Money:
        """What the players have won; negative: what the house has."""
        return Money(self.paid - self.collected)

    @property
    def known(self) -> bool:
        """Whether there are amounts at all: of wagers whose presence alone was seen, no sum says anything."""
        return self.unknown < self.count or not self.count

    def add(self, row: WagerSettled) -> None:
        """Take one settled wager in."""
        self.count += 1
        if row.staked is None or row.paid is None or row.returned is None or row.collected is None:
            self.unknown += 1
            return
        self.staked = Money(self.staked + row.staked)
        self.paid = Money(self.paid + row.paid)
        self.returned = Money(self.returned + row.returned)
        self.collected = Money(self.collected + row.collected)

    def plus(self, other: Sums) -> None:
        """Take other sums in."""
        self.count += other.count
        self.unknown += other.unknown
        self.staked = Money(self.staked + other.staked)
        self.paid = Money(self.paid + other.paid)
        self.returned = Money(self.returned + other.returned)
        self.collected = Money(self.collected + other.collected)


@dataclass(frozen=True, slots=True)
class Settled:
    """A wager's settlement and the `sequence` of its event."""

    sequence: int
    row: WagerSettled


@dataclass(frozen=True, slots=True)
class Wager:
    """What lay on one spot, in cents; None where only its presence was seen."""

    seat: int
    hand: int
    wager: str
    amount: Money | None


class Played:
    """One round, from its opening on; `take` its events in order.

    `deck` is the deck in play, `dealer` the credential of whoever dealt it, `dealt` how many cards have left the deck,
    or throws of dice were called.
    """

    def __init__(self, opened: RoundOpened, at: Stamp, dealer: str) -> None:
        self.number = opened.round
        self.game = opened.game
        self.shuffler = opened.shuffler
        self.deck = opened.deck
        self.dealer = dealer
        self.opened = at
        self.closed_at: Stamp | None = None
        self.closed: RoundClosed | None = None
        self.voided = False
        self.dealt = 0
        self._made: dict[tuple[int, int, str], list[Money | None]] = {}
        self._rows: dict[tuple[int, int, str, int], Settled] = {}

    def take(self, told: Told) -> None:
        """Take one event that belongs to the round."""
        match told.event:
            case CardDealt() | DiceCalled():
                self.dealt += 1
            case DeckShuffled(deck=deck) | DeckCut(deck=deck) | DeckExchanged(deck=deck) if not self.dealt:
                self.deck = deck  # of several decks at the table, the one that is dealt from
            case WagerMade() as made:
                self._made.setdefault((made.seat, made.hand, made.wager), []).append(made.amount)
            case WagerSettled() as row:
                self._rows[row.seat, row.hand, row.wager, row.on or 0] = Settled(told.at.sequence, row)
            case WagerWithdrawn() as back:
                self._made.pop((back.seat, back.hand, back.wager), None)
            case RoundVoided(stands=stands):
                self.voided = True
                self._rows = {
                    key: each
                    for key, each in self._rows.items()
                    if spot_of(each.row.seat, each.row.wager, each.row.hand) in stands
                }
            case RoundClosed() as closed:
                self.closed, self.closed_at, self.deck = closed, told.at, closed.deck
            case _:
                pass

    @property
    def outcome(self) -> str:
        """``completed``, ``void``, ``suspended``; ``open`` while it is none of them."""
        return "open" if self.closed is None else self.closed.outcome.value

    @property
    def is_closing(self) -> bool:
        """Whether the table was closed in it, before anything was dealt: then it is no round of the day."""
        return self.closed is not None and self.closed.cause == TABLE_CLOSED

    @property
    def settled(self) -> list[Settled]:
        """The last settlement of each wager; a void leaves what stands before it."""
        return list(self._rows.values())

    @property
    def wagers(self) -> list[Wager]:
        """What was wagered, by seat, hand and in order."""
        return [
            Wager(*spot, _sum(amounts)) for spot, amounts in sorted(self._made.items(), key=lambda item: item[0][:2])
        ]

    @property
    def standing(self) -> list[Wager]:
        """Wagers without a settlement: what became of them is not on the record."""
        done = {(each.row.seat, each.row.hand, each.row.wager) for each in self.settled}
        return [each for each in self.wagers if (each.seat, each.hand, each.wager) not in done]

    @property
    def seats(self) -> list[int]:
        """Seats that took part."""
        return sorted({seat for seat, _hand, _wager in self._made} | {each.row.seat for each in self.settled})

    @property
    def hands(self) -> int:
        """How many hands the players had."""
        return len({(seat, hand) for seat, hand, _wager in self._made})

    def sums(self, seat: int | None = None) -> Sums:
        """What the settled wagers come to, of one seat or of all."""
        sums = Sums()
        for each in self.settled:
            if seat is None or each.row.seat == seat:
                sums.add(each.row)
        return sums

    def problems(self) -> Iterator[str]:
        """Where the round does not balance, in words; empty while it is open or where it was suspended."""
        if self.closed is None or self.closed.outcome is Outcome.SUSPENDED:
            return
        stakes = {(each.seat, each.hand, each.wager): each.amount for each in self.wagers}
        settled: dict[tuple[int, int, str], Money | None] = {}
        for each in self.settled:
            row, spot = each.row, (each.row.seat, each.row.hand, each.row.wager)
            if problem := _row_problem(row):
                yield f"round {self.number}, {_spot(*spot)} (event {each.sequence}): {problem}"
            before = settled.get(spot, ZERO)
            settled[spot] = None if row.staked is None or before is None else Money(before + row.staked)
        for spot, amount in stakes.items():
            where = f"round {self.number}, {_spot(*spot)}"
            if spot not in settled:
                yield f"{where}: {_said(amount)} was wagered, and nothing says what became of it"
            elif settled[spot] != amount:
                yield f"{where}: {_said(amount)} was wagered, {_said(settled[spot])} was settled"
        for spot, amount in settled.items():
            if spot not in stakes and amount:
                yield f"round {self.number}, {_spot(*spot)}: {show(amount)} was settled, which nobody has wagered"


class Rounds:
    """Follows the rounds of a journal: `current` is the one that is open, `dealer` whoever deals."""

    def __init__(self) -> None:
        self.current: Played | None = None
        self.dealer = ""

    def take(self, told: Told) -> Played | None:
        """Take the next event of the journal: the round that it belongs to, also where it opens or closes it."""
        match told.event:
            case RoundOpened() as opened:
                self.current = Played(opened, told.at, self.dealer)
                return self.current
            case TableOpened(dealer=dealer) | DealerChanged(dealer=dealer):
                self.dealer = dealer
                if self.current is not None:
                    self.current.dealer = dealer
            case TableClosed():
                self.dealer = ""
            case _:
                pass
        played = self.current
        if played is not None:
            played.take(told)
            if played.closed is not None:
                self.current = None
        return played


def _row_problem(row: WagerSettled) -> str | None:
    """What is wrong with the amounts of one settled wager."""
    staked, paid, returned, collected = row.staked, row.paid, row.returned, row.collected
    if staked is None or paid is None or returned is None or collected is None:
        if any(amount is not None for amount in (staked, paid, returned, collected)):
            return "of staked, paid, returned and collected some are known and some are not"
        return None
    if staked != returned + collected:
        return f"staked {show(staked)} is not returned {show(returned)} + collected {show(collected)}"
    return None


def _sum(amounts: list[Money | None]) -> Money | None:
    known = [amount for amount in amounts if amount is not None]
    return Money(sum(known)) if len(known) == len(amounts) else None


def _spot(seat: int, hand: int, wager: str) -> str:
    return f"seat {seat} {wager}{f' of hand {hand}' if hand else ''}"


def _said(amount: Money | None) -> str:
    return "an unknown amount" if amount is None else show(amount)
