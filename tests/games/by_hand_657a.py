"""Chapter 657a worked out a second time, slowly and from the text alone: a whole round, its rows and the order of acts.

Amounts are whole cents. Money comes from `by_hand_563`, nothing from the program that is tested.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tests.games.by_hand_563 import RANKS, at_odds, dollars, net, row

# 657a.6(b), from below.
KINDS = ("nothing", "pair", "two pairs", "straight", "flush", "trips", "straight flush", "four of a kind")
# 657a.12(b), (c) and (d) as printed; four aces are looked up first.
SUPER = {
    "four aces": "200:1",
    "four of a kind": "30:1",
    "straight flush": "15:1",
    "trips": "2:1",
    "flush": "3:2",
    "straight": "1:1",
}
QUEENS = {
    "A": {
        "four of a kind": 50,
        "straight flush": 30,
        "trips": 9,
        "flush": 4,
        "straight": 3,
        "two pairs": 2,
        "queens": 1,
    },
    "B": {
        "four of a kind": 50,
        "straight flush": 40,
        "trips": 8,
        "flush": 4,
        "straight": 3,
        "two pairs": 2,
        "queens": 1,
    },
    "C": {
        "four of a kind": 50,
        "straight flush": 30,
        "trips": 8,
        "flush": 4,
        "straight": 3,
        "two pairs": 2,
        "queens": 1,
    },
    "D": {
        "four of a kind": 50,
        "straight flush": 40,
        "trips": 7,
        "flush": 4,
        "straight": 3,
        "two pairs": 2,
        "queens": 1,
    },
}
FOR_ONE = {
    "A": {"four of a kind": 300, "straight flush": 100, "trips": 9},
    "B": {"four of a kind": 300, "straight flush": 100, "trips": 15},
}
ENVY = {
    "A": {
        1: {"four aces": 100, "four of a kind": 10, "straight flush": 5},
        5: {"four aces": 500, "four of a kind": 50, "straight flush": 25},
    },
    "B": {1: {"four aces": 100, "four of a kind": 25}, 5: {"four aces": 500, "four of a kind": 125}},
}
WAGERS = ("ante", "super_bonus", "play", "queens_up", "progressive", "envy")
KING, QUEEN = RANKS.index("K"), RANKS.index("Q")

Hand = tuple[int, list[int]]


@dataclass
class Seat:
    """What one seat wagers and holds; `play` is the multiple of its Play Wager, 0 for a forfeit."""

    number: int
    hand: list[str]
    ante: int
    play: int = 1
    queens: int = 0
    progressive: int = 0


@dataclass
class Round:
    """One round in which nothing goes wrong; `progressive` is its table or off, `counted`: the stub is."""

    seats: list[Seat]
    dealer: list[str]
    queens: str = "A"
    progressive: str = "off"
    meter: int = 10_000_00
    reset: int = 10_000_00
    automated: bool = False
    counted: bool = False
    lock_out: str = "657a.8(b)"


def four(hand: tuple[str, ...]) -> Hand:
    """What four cards are by 657a.6(b), and the ranks that decide among equals: the combination's first."""
    ranks = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    times = Counter(ranks)
    by_times = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    shape = sorted(times.values(), reverse=True)
    suited = len({card[1] for card in hand}) == 1
    top = None
    if len(shape) == 4 and ranks[0] - ranks[3] == 3:
        top = ranks[0]
    elif ranks == [12, 2, 1, 0]:  # ace, four, three, two: the lowest
        top = 2
    if top is not None:
        return KINDS.index("straight flush" if suited else "straight"), [top]
    kind = {4: "four of a kind", 3: "trips", 2: "two pairs" if len(shape) == 2 else "pair", 1: "nothing"}[shape[0]]
    return KINDS.index("flush" if suited else kind), ranks if suited else by_times


def best(cards: list[str]) -> Hand:
    """The highest ranking of all hands of four that these five cards hold."""
    return max(four(hand) for hand in combinations(cards, 4))


def name(hand: Hand) -> str:
    """The hand as the tables of 657a.12(b) and (d) name it."""
    kind = KINDS[hand[0]]
    return "four aces" if kind == "four of a kind" and hand[1][0] == RANKS.index("A") else kind


def aces_or_better(cards: list[str]) -> bool:
    """657a.11(b): whether a player may wager three times the Ante."""
    return best(cards) >= (KINDS.index("pair"), [RANKS.index("A")])


def settle_main(seat: Seat, played: Round) -> list[dict[str, Any]]:
    """657a.11(c)(3): losers first, then what goes back, then what is paid."""
    mine, his = best(seat.hand), best(played.dealer)
    pays = SUPER.get(name(mine))
    ante, play = seat.ante, seat.play * seat.ante

    def each(wager: str, staked: int, result: str, cite: str) -> dict[str, Any]:
        paid = staked if result == "win" else 0
        return row(seat.number, wager, staked, result, cite, "1:1" if paid else None, paid)

    if his[0] == 0 and his[1][0] < KING:
        clause = "657a.11(c)(3)(i)"
        rows = [each("ante", ante, "returned", clause), each("play", play, "win", "657a.12(a)")]
    elif mine < his:
        clause = "657a.11(c)(3)(ii)(A)"
        rows = [each("ante", ante, "lose", clause), each("play", play, "lose", clause)]
    elif mine > his:
        clause = "657a.11(c)(3)(ii)(B)"
        rows = [each("ante", ante, "win", "657a.12(a)"), each("play", play, "win", "657a.12(a)")]
    else:
        clause = "657a.11(c)(3)(ii)(C)"
        rows = [each("ante", ante, "push", clause), each("play", play, "push", clause)]
    if pays is not None:
        paid = at_odds(ante, pays)
        rows.insert(1, row(seat.number, "super_bonus", ante, "win", "657a.12(b)", pays if paid else None, paid))
    else:
        lost = clause.endswith("(A)")
        rows.insert(1, row(seat.number, "super_bonus", ante, "lose" if lost else "returned", clause))
    return sorted(rows, key=lambda made: {"lose": 0, "push": 1, "returned": 1, "win": 2}[made["result"]])


def settle_queens(seat: Seat, played: Round) -> dict[str, Any]:
    """657a.11(d), 657a.12(c)."""
    hand = best(seat.hand)
    kind = KINDS[hand[0]]
    odds = QUEENS[played.queens].get("queens" if kind == "pair" and hand[1][0] >= QUEEN else kind)
    if odds is None:
        return row(seat.number, "queens_up", seat.queens, "lose", "657a.11(d)")
    return row(seat.number, "queens_up", seat.queens, "win", "657a.12(c)", f"{odds}:1", odds * seat.queens)


def settle_progressive(seat: Seat, played: Round, meter: int) -> tuple[dict[str, Any], int]:
    """657a.11(e), 657a.12(d): the row, and what the meter shows then."""
    what, staked = name(best(seat.hand)), seat.progressive
    if what == "four aces":
        won = row(seat.number, "progressive", staked, "win", "657a.12(d)(1)", "100% meter", meter)
        return won | {"returned": "0.00", "collected": dollars(staked)}, played.reset
    times = FOR_ONE[played.progressive].get(what)
    if times is None:
        return row(seat.number, "progressive", staked, "lose", played.lock_out), meter
    won = row(seat.number, "progressive", staked, "win", "657a.12(d)(1)", f"{times} for 1", times * staked)
    return won | {"returned": "0.00", "collected": dollars(staked)}, meter


def envies(holder: Seat, played: Round) -> list[dict[str, Any]]:
    """657a.11(e)(5), 657a.12(d)(5), counterclockwise."""
    if played.progressive == "off":
        return []
    roman = {"A": "(i)", "B": "(ii)"}[played.progressive]
    rows = []
    for seat in reversed(played.seats):
        level = 5 if seat.progressive >= 500 else 1
        amount = ENVY[played.progressive][level].get(name(best(holder.hand)))
        if seat is not holder and seat.progressive and amount is not None:
            paid = row(seat.number, "envy", 0, "win", f"657a.12(d)(5){roman}", f"${amount}", 100 * amount)
            rows.append(paid | {"on": holder.number})
    return rows


def forfeits(seat: Seat) -> list[dict[str, Any]]:
    """657a.11(b)(1), (2), (c)."""
    staked = {
        "ante": seat.ante,
        "super_bonus": seat.ante,
        "queens_up": seat.queens,
        "progressive": seat.progressive,
    }
    return [row(seat.number, wager, cents, "forfeited", "657a.11(c)") for wager, cents in staked.items() if cents]


def dealt(played: Round) -> list[tuple[str, str]]:
    """Card and place, one after the other (657a.8(d), 657a.9(b), 657a.10(b))."""
    places = [*((f"seat {seat.number}", seat.hand) for seat in played.seats), ("dealer", played.dealer)]
    if played.automated:
        return [(card, place) for place, hand in places for card in hand]
    return [(hand[turn], place) for turn in range(5) for place, hand in places]


def before(played: Round) -> list[str]:
    """The acts up to the last decision."""
    acts = ["no_more_bets"]
    if played.progressive != "off":
        acts.append("lock_out")
        acts += ["collect_progressive"] if any(seat.progressive for seat in played.seats) else []
    acts += [f"card {number} -> {place}" for number, (_card, place) in enumerate(dealt(played), 1)]
    acts += ["count stub"] if played.counted else []
    return [*acts, *(f"ask {seat.number}" for seat in played.seats)]


def document(played: Round) -> dict[str, Any]:
    """The outcome of the round, without the deck's id."""
    rows = [each for seat in played.seats if not seat.play for each in forfeits(seat)]
    acts = [*before(played), *(f"settle {each['seat']} {each['wager']}" for each in rows), "expose dealer"]
    meter = played.meter
    for seat in reversed(played.seats):
        if not seat.play:
            continue
        mine = settle_main(seat, played)
        mine += [settle_queens(seat, played)] if seat.queens else []
        if seat.progressive:
            won, meter = settle_progressive(seat, played, meter)
            mine.append(won)
        mine += envies(seat, played)
        acts += [f"expose seat {seat.number}", *(f"settle {each['seat']} {each['wager']}" for each in mine)]
        rows += mine
    rows.sort(key=lambda each: (each["seat"], WAGERS.index(each["wager"]), each.get("on", 0)))
    return {
        "outcome": "completed",
        "cause": None,
        "cite": None,
        "wagers": rows,
        "net": net(rows, [seat.number for seat in played.seats]),
        "remedies": [],
        "deck": {"disposition": "reshuffle"},
        "order": acts,
    }


def script(played: Round, **more: object) -> dict[str, Any]:
    """The round as a scenario has it."""
    wagers = {
        str(seat.number): {
            "ante": dollars(seat.ante),
            "super_bonus": dollars(seat.ante),
            **({"queens_up": dollars(seat.queens)} if seat.queens else {}),
            **({"progressive": dollars(seat.progressive)} if seat.progressive else {}),
        }
        for seat in played.seats
    }
    told = {0: "fold", 1: "bet", 2: "bet 2", 3: "bet 3"}
    return {
        "wagers": wagers,
        "cards": " ".join(card for card, _place in dealt(played)),
        "decisions": {str(seat.number): [told[seat.play]] for seat in played.seats},
        **({} if played.progressive == "off" else {"meter": dollars(played.meter)}),
        **more,
    }
