"""Chapter 655a worked out a second time, slowly and from the text alone: a whole round, its rows and the order of acts.

Amounts are whole cents. Hands and money come from `by_hand_563`, nothing from the program that is tested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.games.by_hand_563 import KINDS, RANKS, at_odds, dollars, five, net, row

# 655a.12(a), (c)(1), (c)(5) and (d) as printed; a pair is looked at by its rank.
PAID = {
    "royal flush": "500:1",
    "straight flush": "100:1",
    "four of a kind": "40:1",
    "full house": "10:1",
    "flush": "6:1",
    "straight": "4:1",
    "three of a kind": "3:1",
    "two pair": "2:1",
}
FOR_ONE = {"four of a kind": 300, "full house": 50, "flush": 40, "straight": 30, "three of a kind": 9}
SHARE = {"royal flush": 100, "straight flush": 10}
ENVY = {1: {"royal flush": 1000, "straight flush": 300}, 5: {"royal flush": 5000, "straight flush": 1500}}
BONUS = {
    "A": {"mini royal": 40, "straight flush": 40, "trips": 30, "straight": 6, "flush": 4, "pair": 1},
    "B": {"mini royal": 40, "straight flush": 40, "trips": 30, "straight": 5, "flush": 4, "pair": 1},
    "C": {"mini royal": 50, "straight flush": 40, "trips": 30, "straight": 5, "flush": 4, "pair": 1},
    "D": {"mini royal": 50, "straight flush": 40, "trips": 30, "straight": 6, "flush": 3, "pair": 1},
}
STREETS = ("third_street", "fourth_street", "fifth_street")
ASKED_BY = ("655a.11(b)", "655a.11(d)", "655a.11(f)")
RESET = 10_000_00


@dataclass
class Seat:
    """What one seat wagers and holds; `bets` are its multiples, fewer than three if it folds next."""

    number: int
    hand: list[str]
    ante: int
    bets: list[int] = field(default_factory=lambda: [1, 1, 1])
    bonus: int = 0
    progressive: int = 0

    @property
    def stays(self) -> bool:
        return len(self.bets) == len(STREETS)

    @property
    def decisions(self) -> list[str]:
        return [*(f"bet {times}" for times in self.bets), *([] if self.stays else ["fold"])]

    def main(self) -> list[tuple[str, int]]:
        return [("ante", self.ante), *((street, n * self.ante) for street, n in zip(STREETS, self.bets, strict=False))]


@dataclass
class Round:
    """One round in which nothing goes wrong; `offered`: the progressive is, `counted`: the stub is."""

    seats: list[Seat]
    board: list[str]
    table: str = "A"
    offered: bool = False
    meter: int = RESET
    minimum: int = 100
    counted: bool = False
    low_ace: bool = True
    folded_envy: bool = False
    lock_out: str = "655a.8(b)"


def kind(hand: list[str]) -> tuple[str, int]:
    """What five cards are, and the rank that comes first in it."""
    strength, ranks = five(tuple(hand))
    return KINDS[strength], ranks[0]


def three(board: list[str], low_ace: bool = True) -> str:
    """655a.6(c); whether ace, two and three are in sequence is a reading."""
    ranks = sorted(RANKS.index(card[0]) for card in board)
    suited = len({card[1] for card in board}) == 1
    times = max(Counter(ranks).values())
    runs = ranks[2] - ranks[0] == 2 and times == 1
    if ranks == [0, 1, 12]:
        runs = low_ace
    if times > 1:
        return "trips" if times == 3 else "pair"
    if runs and suited:
        return "mini royal" if ranks == [10, 11, 12] else "straight flush"
    return "straight" if runs else "flush" if suited else "nothing"


def settle_main(seat: Seat, played: Round) -> list[dict[str, Any]]:
    """655a.11(b), (d), (f) and (i)(1)-(3), cut by 655a.12(b)."""
    if not seat.stays:
        clause = ASKED_BY[len(seat.bets)]
        return [row(seat.number, wager, staked, "forfeited", clause) for wager, staked in seat.main()]
    what, rank = kind([*seat.hand, *played.board])
    odds = PAID.get(what)
    if what == "one pair" and rank >= RANKS.index("J"):
        odds = "1:1"
    if odds is None:
        pushes = what == "one pair" and rank >= RANKS.index("6")
        result, clause = ("push", "655a.12(a)") if pushes else ("lose", "655a.11(i)(1)")
        return [row(seat.number, wager, staked, result, clause) for wager, staked in seat.main()]
    left = max(50_000_00, 4 * played.minimum * 500)
    rows = []
    for wager, staked in seat.main():
        paid = min(left, at_odds(staked, odds))
        left -= paid
        rows.append(row(seat.number, wager, staked, "win", "655a.12(a)", odds, paid))
    return rows


def settle_bonus(seat: Seat, played: Round) -> dict[str, Any]:
    """655a.11(i)(4)(ii), 655a.12(d)."""
    odds = BONUS[played.table].get(three(played.board, played.low_ace))
    if odds is None:
        return row(seat.number, "three_card_bonus", seat.bonus, "lose", "655a.11(i)(1)")
    return row(seat.number, "three_card_bonus", seat.bonus, "win", "655a.12(d)", f"{odds}:1", odds * seat.bonus)


def settle_progressive(seat: Seat, played: Round, meter: int) -> tuple[dict[str, Any], int]:
    """655a.11(h), (i)(4)(i), 655a.12(c): the row, and what the meter shows then."""
    what, _rank = kind([*seat.hand, *played.board])
    staked = seat.progressive
    if not seat.stays:
        return row(seat.number, "progressive", staked, "forfeited", "655a.11(h)"), meter
    if what in SHARE:
        paid = meter * SHARE[what] // 100
        after = RESET if SHARE[what] == 100 else meter - paid
        won = row(seat.number, "progressive", staked, "win", "655a.12(c)(1)", f"{SHARE[what]}% meter", paid)
    elif what in FOR_ONE:
        times = FOR_ONE[what]
        after = meter
        won = row(seat.number, "progressive", staked, "win", "655a.12(c)(1)", f"{times} for 1", times * staked)
    else:
        return row(seat.number, "progressive", staked, "lose", played.lock_out), meter
    return won | {"returned": "0.00", "collected": dollars(staked)}, after


def envies(holder: Seat, played: Round) -> Iterator[dict[str, Any]]:
    """655a.11(i)(4)(i)(E), 655a.12(c)(5), counterclockwise."""
    left_there = holder.stays or (played.folded_envy and (holder.progressive or holder.bonus))
    if not played.offered or not left_there:
        return
    what, _rank = kind([*holder.hand, *played.board])
    for seat in reversed(played.seats):
        if seat is holder or not seat.progressive:
            continue
        amount = ENVY[5 if seat.progressive >= 500 else 1].get(what)
        if amount is not None:
            paid = row(seat.number, "envy", 0, "win", "655a.12(c)(5)", f"${amount}", 100 * amount)
            yield paid | {"on": holder.number}


def settlement(played: Round) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows in the order of the settlement, and the acts of it (655a.11(i))."""
    rows, acts, meter = [], [], played.meter
    for seat in reversed(played.seats):
        mine = [] if not seat.stays else settle_main(seat, played)
        if seat.stays and seat.progressive:
            won, meter = settle_progressive(seat, played, meter)
            mine.append(won)
        mine += envies(seat, played)
        if seat.bonus:
            mine.append(settle_bonus(seat, played))
        if mine or (played.folded_envy and played.offered and (seat.progressive or seat.bonus)):
            acts.append(f"expose seat {seat.number}")
        acts += [f"settle {each['seat']} {each['wager']}" for each in mine]
        rows += mine
    return rows, acts


def before(played: Round, dealt: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of folds, and the acts from "no more bets" to the last community card."""
    rows, acts = [], ["no_more_bets"]
    if played.offered:
        acts.append("lock_out")
        acts += ["collect_progressive"] if any(seat.progressive for seat in played.seats) else []
    acts += [f"card {number} -> {place}" for number, place in enumerate(dealt, 1)]
    acts += ["count stub"] if played.counted else []
    for street in range(len(STREETS)):
        for seat in played.seats:
            if len(seat.bets) < street:
                continue
            acts.append(f"ask {seat.number}")
            if len(seat.bets) == street:
                folded = settle_main(seat, played)
                folded += [settle_progressive(seat, played, 0)[0]] if seat.progressive else []
                acts += [f"settle {seat.number} {each['wager']}" for each in folded]
                rows += folded
        acts.append(f"expose community {street + 1}")
    return rows, acts


def places(played: Round) -> list[str]:
    """Where the cards go, one after the other (655a.8(d))."""
    return [place for seat in played.seats for place in [f"seat {seat.number}"] * 2] + ["community"] * 3


def cards(played: Round) -> str:
    """The cards in that order."""
    return " ".join([*(card for seat in played.seats for card in seat.hand), *played.board])


def script(played: Round, **more: object) -> dict[str, Any]:
    """The round as a scenario has it."""
    wagers = {
        str(seat.number): {
            "ante": dollars(seat.ante),
            **({"three_card_bonus": dollars(seat.bonus)} if seat.bonus else {}),
            **({"progressive": dollars(seat.progressive)} if seat.progressive else {}),
        }
        for seat in played.seats
    }
    decisions = {str(seat.number): seat.decisions for seat in played.seats}
    meter = {"meter": dollars(played.meter)} if played.offered else {}
    return {"wagers": wagers, "cards": cards(played), "decisions": decisions, **meter, **more}


WAGERS = ("ante", *STREETS, "three_card_bonus", "progressive", "envy")


def document(played: Round, dealt: list[str] | None = None) -> dict[str, Any]:
    """The outcome of the round, without the deck's id."""
    folded, acts = before(played, places(played) if dealt is None else dealt)
    settled, more = settlement(played)
    rows = sorted([*folded, *settled], key=lambda each: (each["seat"], WAGERS.index(each["wager"]), each.get("on", 0)))
    return {
        "outcome": "completed",
        "cause": None,
        "cite": None,
        "wagers": rows,
        "net": net(rows, [seat.number for seat in played.seats]),
        "remedies": [],
        "deck": {"disposition": "reshuffle"},
        "order": [*acts, *more],
    }
