"""Chapter 563 worked out a second time, slowly and from the text alone: a whole round, its rows and the order of acts.

Amounts are whole cents. Nothing here comes from the program that is tested.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]
DOLLAR = 100

# 563.12(c) as printed.
LEAST = {
    "ace_ace": "30:1",
    "ace_king_same_suit": "25:1",
    "ace_queen_or_ace_jack_same_suit": "20:1",
    "ace_king_different_suits": "15:1",
    "king_king_queen_queen_or_jack_jack": "10:1",
    "ace_queen_or_ace_jack_different_suits": "5:1",
    "pair_of_tens_through_twos": "3:1",
}
KINDS = (  # 563.6(b), from below
    "nothing",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)


@dataclass
class Seat:
    """What one seat wagers, decides and holds; `flop` is False for a fold."""

    number: int
    hand: list[str]
    ante: int
    bonus: int = 0
    flop: bool = True
    turn: bool = False
    river: bool = False

    @property
    def decisions(self) -> list[str]:
        if not self.flop:
            return ["fold"]
        return ["bet", *("bet" if more else "check" for more in (self.turn, self.river))]


@dataclass
class Round:
    """One round in which nothing goes wrong; `counted`: the stub is."""

    seats: list[Seat]
    dealer: list[str]
    board: list[str]
    burned: list[str]
    qualifier: str = "straight"
    odds: dict[str, str] = field(default_factory=lambda: dict(LEAST))
    both_aces: str | None = None
    minimum: int | None = None
    automated: bool = False
    counted: bool = False


# Hands --------------------------------------------------------------------------------------------------------------


def five(hand: tuple[str, ...]) -> tuple[int, list[int]]:
    """What five cards are by 563.6(b), and the ranks that decide among equals: the combination's first (563.6(c))."""
    ranks = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    times = Counter(ranks)
    by_times = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    shape = sorted(times.values(), reverse=True)
    one_suit = len({card[1] for card in hand}) == 1
    top = None
    if shape == [1, 1, 1, 1, 1]:
        if ranks[0] - ranks[4] == 4:
            top = ranks[0]
        elif ranks == [12, 3, 2, 1, 0]:  # ace, five, four, three, two: the lowest
            top = 3
    if top is not None:
        kind = ("royal flush" if top == 12 else "straight flush") if one_suit else "straight"
        return KINDS.index(kind), [top]
    kind = {
        (4, 1): "four of a kind",
        (3, 2): "full house",
        (3, 1, 1): "three of a kind",
        (2, 2, 1): "two pair",
        (2, 1, 1, 1): "one pair",
        (1, 1, 1, 1, 1): "flush" if one_suit else "nothing",
    }[tuple(shape)]
    return KINDS.index(kind), by_times


def best(cards: list[str]) -> tuple[int, list[int]]:
    """The highest ranking of all hands of five that these seven cards hold."""
    return max(five(hand) for hand in combinations(cards, 5))


def bonus_row(hand: list[str]) -> str | None:
    """563.12(c)."""
    high, low = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    names = {RANKS[high], RANKS[low]}
    suits = "same_suit" if hand[0][1] == hand[1][1] else "different_suits"
    if names == {"A"}:
        return "ace_ace"
    if high == low:
        return "king_king_queen_queen_or_jack_jack" if names < set("KQJ") else "pair_of_tens_through_twos"
    if names == {"A", "K"}:
        return f"ace_king_{suits}"
    if names in ({"A", "Q"}, {"A", "J"}):
        return f"ace_queen_or_ace_jack_{suits}"
    return None


# Wagers -------------------------------------------------------------------------------------------------------------


def row(
    seat: int, wager: str, staked: int, result: str, cite: str, odds: str | None = None, paid: int = 0
) -> dict[str, Any]:
    """One row of an outcome."""
    collected = staked if result in ("lose", "forfeited") else 0
    return {
        "seat": seat,
        "wager": wager,
        "hand": 0,
        "staked": dollars(staked),
        "result": result,
        "odds": odds if paid else None,
        "paid": dollars(paid),
        "returned": dollars(staked - collected),
        "collected": dollars(collected),
        "cite": cite,
    }


def dollars(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def at_odds(staked: int, odds: str) -> int:
    pays, per = odds.split(":")
    return staked * int(pays) // int(per)


def limit(played: Round) -> int:
    """563.12(e): 50,000 dollars, or Ante, twice that, Turn and River at even money and the best Bonus on one dollar."""
    least = DOLLAR if played.minimum is None else played.minimum
    best_odds = [*played.odds.values(), *([] if played.both_aces is None else [played.both_aces])]
    most = 5 * least + max(at_odds(DOLLAR, odds) for odds in best_odds)
    return max(50_000 * DOLLAR, most)


def settle_seat(seat: Seat, played: Round) -> list[dict[str, Any]]:
    """563.11(a)(2), (h)(1)-(4), in the order in which the chips move."""
    rows = []
    if not seat.flop:
        rows.append(row(seat.number, "ante", seat.ante, "forfeited", "563.11(a)(2)"))
    else:
        mine, his = best([*seat.hand, *played.board]), best([*played.dealer, *played.board])
        placed = [("ante", seat.ante), ("flop", 2 * seat.ante)]
        placed += [("turn", seat.ante)] if seat.turn else []
        placed += [("river", seat.ante)] if seat.river else []
        for wager, staked in placed:
            if mine < his:
                rows.append(row(seat.number, wager, staked, "lose", "563.11(h)(1)"))
            elif mine == his:
                rows.append(row(seat.number, wager, staked, "push", "563.11(h)(3)"))
            elif wager == "ante" and mine[0] < KINDS.index(played.qualifier):
                rows.append(row(seat.number, wager, staked, "returned", "563.11(h)(2)"))
            else:
                rows.append(row(seat.number, wager, staked, "win", "563.12(b)", "1:1", staked))
    if seat.bonus:
        rows.append(settle_bonus(seat, played, played.dealer))
    left = limit(played)
    for each in rows:
        paid = int(each["paid"].replace(".", ""))
        cut = min(paid, left)
        left -= cut
        each["paid"] = dollars(cut)
        each["odds"] = each["odds"] if cut else None
    return rows


def settle_bonus(seat: Seat, played: Round, dealer: list[str]) -> dict[str, Any]:
    """563.11(h)(4), 563.12(c), (d); with no `dealer` all hands are void."""
    found = bonus_row(seat.hand)
    if found is None:
        return row(seat.number, "bonus", seat.bonus, "lose", "563.11(h)(4)")
    odds, cite = played.odds[found], "563.12(c)"
    if played.both_aces is not None and found == "ace_ace" and dealer and bonus_row(dealer) == "ace_ace":
        odds, cite = played.both_aces, "563.12(d)"
    return row(seat.number, "bonus", seat.bonus, "win", cite, odds, at_odds(seat.bonus, odds))


# A round ------------------------------------------------------------------------------------------------------------


def hands_in_order(played: Round) -> list[tuple[str, str]]:
    """Card and place of the first two cards of everybody (563.8(d), 563.9(b), 563.10(b))."""
    places = [*((f"seat {seat.number}", seat.hand) for seat in played.seats), ("dealer", played.dealer)]
    if played.automated:
        return [(card, place) for place, hand in places for card in hand]
    return [(hand[turn], place) for turn in (0, 1) for place, hand in places]


def board_in_order(played: Round) -> list[tuple[str, str]]:
    """Card and place of what comes after that: burn and three, burn and one, burn and one (563.11(b), (d), (f))."""
    flop, turn, river = played.board[:3], played.board[3:4], played.board[4:]
    return [
        each
        for burned, shown in zip(played.burned, (flop, turn, river), strict=True)
        for each in ((burned, "burn"), *((card, "community") for card in shown))
    ]


def script(played: Round, **more: object) -> dict[str, Any]:
    """The round as a scenario has it."""
    return {
        "wagers": {
            str(seat.number): {
                "ante": dollars(seat.ante),
                **({"bonus": dollars(seat.bonus)} if seat.bonus else {}),
            }
            for seat in played.seats
        },
        "cards": " ".join(card for card, _place in [*hands_in_order(played), *board_in_order(played)]),
        "decisions": {str(seat.number): seat.decisions for seat in played.seats},
        **more,
    }


def order(played: Round) -> list[str]:
    """The acts of the round in order."""
    dealt = hands_in_order(played)
    acts = ["no_more_bets", *(f"card {number} -> {place}" for number, (_card, place) in enumerate(dealt, 1))]
    for seat in played.seats:
        acts.append(f"ask {seat.number}")
        if not seat.flop:
            acts.append(f"settle {seat.number} ante")
    number, shown = len(dealt), 0
    for street, count in (("turn", 3), ("river", 1), (None, 1)):
        number += 1
        acts.append(f"card {number} -> burn")
        acts += [f"card {number + more} -> community" for more in range(1, count + 1)]
        number += count
        acts += [f"expose community {shown + more}" for more in range(1, count + 1)]
        shown += count
        acts += [f"ask {seat.number}" for seat in played.seats if seat.flop and street is not None]
    acts += ["count stub"] if played.counted else []
    acts.append("expose dealer")
    for seat in reversed(played.seats):
        if seat.flop or seat.bonus:
            acts.append(f"expose seat {seat.number}")
        rows = [each for each in settle_seat(seat, played) if each["result"] != "forfeited"]
        turn = {"lose": 0, "push": 1, "returned": 1, "win": 2}
        rows.sort(key=lambda each: (each["wager"] == "bonus", turn[each["result"]]))
        acts += [f"settle {seat.number} {each['wager']}" for each in rows]
    return acts


def document(played: Round) -> dict[str, Any]:
    """The outcome of the round, without the deck's id."""
    rows = [each for seat in played.seats for each in settle_seat(seat, played)]
    return {
        "outcome": "completed",
        "cause": None,
        "cite": None,
        "wagers": rows,
        "net": net(rows, [seat.number for seat in played.seats]),
        "remedies": [],
        "deck": {"disposition": "reshuffle"},
        "order": order(played),
    }


def net(rows: list[dict[str, Any]], seats: list[int]) -> dict[str, str]:
    sums = dict.fromkeys(seats, 0)
    for each in rows:
        sums[each["seat"]] += int(each["paid"].replace(".", "")) - int(each["collected"].replace(".", ""))
    return {str(number): dollars(cents) for number, cents in sums.items()}
