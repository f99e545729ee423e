"""Chapter 670a worked out a second time, slowly and from the text alone: a whole round, its rows and the order of acts.

Amounts are whole cents. Money comes from `by_hand_563`, nothing from the program that is tested. The joker is tried as
every card that it may stand for; the dealer's hands are set sentence by sentence as 670a.11(d) has them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

from tests.games.by_hand_563 import DECK, RANKS, dollars, net, row

# 670a.6(b), from below.
KINDS = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
)
SHAPES = {
    (1, 1, 1, 1, 1): "high_card",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two_pair",
    (3, 1, 1): "three_of_a_kind",
    (3, 2): "full_house",
    (4, 1): "four_of_a_kind",
}
# 670a.12(b), (c) and (d) as printed.
FORTUNE = {
    "five_aces": 1000,
    "royal_flush": 250,
    "straight_flush": 100,
    "four_of_a_kind": 50,
    "full_house": 15,
    "flush": 10,
    "straight": 8,
    "three_of_a_kind": 5,
}
FORTUNE_ENVY = {
    "five_aces": 5000,
    "royal_flush": 1000,
    "straight_flush": 250,
    "four_of_a_kind": 75,
    "full_house": 25,
}
INSURANCE = {"8": 100, "9": 30, "T": 10, "J": 7, "Q": 4, "K": 3}
FOR_ONE = {"straight_flush": 300, "four_of_a_kind": 150, "full_house": 15, "flush": 6, "straight": 3}
SHARE = {"five_aces": 100, "royal_flush": 10}
PROGRESSIVE_ENVY = {
    1: {"five_aces": 100, "royal_flush": 50, "straight_flush": 10, "four_of_a_kind": 5},
    5: {"five_aces": 500, "royal_flush": 250, "straight_flush": 50, "four_of_a_kind": 25},
}
WAGERS = ("pai_gow", "double_down", "fortune_bonus", "insurance", "progressive", "fortune_envy", "progressive_envy")
JOKER, ACE = "Xj", RANKS.index("A")

Hand = tuple[int, list[int]]


@dataclass
class Seat:
    """What one seat wagers and holds; `low` is the card that it sets as its low hand, None for the house way."""

    number: int
    hand: list[str]
    main: int
    low: str | None = None
    double: bool = False
    fortune: int = 0
    insurance: int = 0
    progressive: int = 0


@dataclass
class Round:
    """One round in which nothing goes wrong: `others` are the cards of the positions without a wager."""

    seats: list[Seat]
    dealer: list[str]
    start: int = 6  # the seat of the first card, 0 for the dealer
    dice: str = "1 2 6"
    rng: int | None = None
    offers_double: bool = True
    offers_progressive: bool = True
    meter: int = 10_000_00
    reset: int = 10_000_00
    dealing: str = "manual_shoe"
    others: list[str] = field(default_factory=list)


# Hands --------------------------------------------------------------------------------------------------------------


@cache
def five(hand: tuple[str, ...]) -> tuple[int, tuple[int, ...]]:
    """What five cards are by 670a.6(b), and the ranks that decide among equals: the combination's first."""
    if JOKER not in hand:
        return natural([(RANKS.index(card[0]), card[1]) for card in hand])
    others = [(RANKS.index(card[0]), card[1]) for card in hand if card != JOKER]
    if [rank for rank, _suit in others].count(ACE) == 4:
        return KINDS.index("five_aces"), (ACE,)
    found = natural([*others, (ACE, "joker")])  # it ranks as an ace
    unlike = len({rank for rank, _suit in others}) == len(others)
    for card in DECK if unlike else ():  # or completes a straight or a flush, which has no two cards of one rank
        if card not in hand:
            made = natural([*others, (RANKS.index(card[0]), card[1])])
            if KINDS[made[0]] in ("straight", "flush", "straight_flush", "royal_flush"):
                found = max(found, made)
    return found


def natural(cards: list[tuple[int, str]]) -> tuple[int, tuple[int, ...]]:
    ranks = sorted([rank for rank, _suit in cards], reverse=True)
    by_number = sorted([(ranks.count(rank), rank) for rank in dict.fromkeys(ranks)], reverse=True)
    by_times = tuple([rank for _number, rank in by_number])
    shape = [number for number, _rank in by_number]
    suited = len({suit for _rank, suit in cards}) == 1
    place = None
    if len(shape) == 5 and ranks[0] - ranks[4] == 4:
        place = 2 * ranks[0]
    elif ranks == [ACE, 3, 2, 1, 0]:
        place = 2 * ACE - 1  # above king to nine, below ace to ten
    if place is not None and suited:
        return KINDS.index("royal_flush" if place == 2 * ACE else "straight_flush"), (place,)
    if place is not None:
        return KINDS.index("straight"), (place,)
    if suited:
        return KINDS.index("flush"), tuple(ranks)
    return KINDS.index(SHAPES[tuple(shape)]), by_times


def best(cards: list[str]) -> tuple[int, tuple[int, ...]]:
    """The highest ranking of all hands of five that these six cards hold (670a.11(h))."""
    return max(five(tuple(sorted(hand))) for hand in combinations(cards, 5))


def high_of(cards: list[str], low: str) -> tuple[int, tuple[int, ...]]:
    """The high hand that is left when that card is the low one."""
    return five(tuple(sorted(card for card in cards if card != low)))


def worth(card: str) -> int:
    """What one card is as a low hand: a joker is an ace."""
    return ACE if card == JOKER else RANKS.index(card[0])


def is_foul(cards: list[str], low: str) -> bool:
    """670a.11(b), (f)(1)(v): the low hand ranks above the high one."""
    kind, ranks = high_of(cards, low)
    return KINDS[kind] == "high_card" and ranks[0] < worth(low)


def house_way(cards: list[str]) -> str:
    """670a.11(d): the card that the dealer plays as the low hand."""
    leaves = {low: KINDS[high_of(cards, low)[0]] for low in cards}
    for kind in ("five_aces", "royal_flush", "straight_flush"):  # kept before anything else: (d)(1), (4), (5)
        left = [low for low in cards if leaves[low] == kind]
        if left:
            return highest(left)  # (d)(2): the lowest possible one of six cards
    groups: dict[int, list[str]] = {}
    for card in cards:
        groups.setdefault(worth(card), []).append(card)
    fours, threes, pairs = ([rank for rank in groups if len(groups[rank]) == size] for size in (4, 3, 2))
    if fours:  # (d)(1): the set is played, then the highest card
        return highest([card for card in cards if worth(card) not in fours])
    if len(threes) == 2:  # (d)(1)(i)
        return highest(groups[max(threes)])
    if threes and pairs:
        return highest([card for card in cards if worth(card) not in (*threes, *pairs)])
    for kind in ("flush", "straight"):  # (d)(2), (3)
        left = [low for low in cards if leaves[low] == kind]
        if left:
            return highest(left)
    if len(pairs) == 3:  # (d)(1)(ii)
        return highest(groups[max(pairs)])
    sets = [*threes, *pairs]
    if sets:
        return highest([card for card in cards if worth(card) not in sets])
    return sorted(cards, key=worth)[-2]  # (d)(6)


def highest(cards: list[str]) -> str:
    """The highest of these cards; the joker before an ace."""
    return max(cards, key=lambda card: (worth(card), card == JOKER))


# Wagers -------------------------------------------------------------------------------------------------------------


def low_of(seat: Seat) -> str:
    """The card that lies on its low hand's area."""
    return house_way(seat.hand) if seat.low is None else seat.low


def against(seat: Seat, dealer: list[str]) -> tuple[str, str]:
    """670a.11(f): result and clause of the main wager."""
    low, his = low_of(seat), house_way(dealer)
    if is_foul(seat.hand, low):
        return "lose", "670a.11(f)(1)(v)"
    high, his_high = high_of(seat.hand, low), high_of(dealer, his)
    over, equal = high > his_high, high == his_high
    low_over = low == JOKER or worth(low) > worth(his)
    if over and low_over:
        return "win", "670a.12(a)"
    if over or low_over:
        return "push", "670a.11(f)(2)(i)" if over else "670a.11(f)(2)(ii)"
    if not equal:
        return "lose", "670a.11(f)(1)(ii)" if worth(low) == worth(his) else "670a.11(f)(1)(i)"
    return "lose", "670a.11(f)(1)(iv)" if worth(low) == worth(his) else "670a.11(f)(1)(iii)"


def settle_main(seat: Seat, played: Round) -> list[dict[str, Any]]:
    """670a.11(f), (g)."""
    result, clause = against(seat, played.dealer)
    paid = seat.main if result == "win" else 0
    odds = "1:1" if paid else None
    rows = [row(seat.number, "pai_gow", seat.main, result, clause, odds, paid)]
    if not seat.double:
        return rows
    kind, ranks = high_of(played.dealer, house_way(played.dealer))
    if kind > KINDS.index("pair") or (KINDS[kind] == "pair" and ranks[0] >= RANKS.index("8")):
        clause = "670a.12(a)" if paid else "670a.11(g)(1)"
        return [*rows, row(seat.number, "double_down", seat.main, result, clause, odds, paid)]
    return [*rows, row(seat.number, "double_down", seat.main, "returned", "670a.11(g)(2)")]


def settle_optional(seat: Seat, played: Round, meter: int) -> tuple[list[dict[str, Any]], int]:
    """670a.11(h)(1)-(3): the rows of one player, and what the meter shows then."""
    kind, ranks = best(seat.hand)
    name, number = KINDS[kind], seat.number
    rows = []
    if seat.fortune:
        odds = FORTUNE.get(name)
        if odds is None:
            rows.append(row(number, "fortune_bonus", seat.fortune, "lose", "670a.11(h)(1)(i)(A)"))
        else:
            paid = odds * seat.fortune
            rows.append(row(number, "fortune_bonus", seat.fortune, "win", "670a.12(b)(1)", f"{odds}:1", paid))
    if seat.insurance:
        odds = INSURANCE.get(RANKS[ranks[0]]) if name == "high_card" else None
        if odds is None:
            rows.append(row(number, "insurance", seat.insurance, "lose", "670a.11(h)(2)(i)"))
        else:
            paid = odds * seat.insurance
            rows.append(row(number, "insurance", seat.insurance, "win", "670a.12(c)", f"{odds}:1", paid))
    if seat.progressive:
        won, meter = settle_progressive(seat, name, meter, played.reset)
        rows.append(won)
    return rows, meter


def settle_progressive(seat: Seat, name: str, meter: int, reset: int) -> tuple[dict[str, Any], int]:
    """670a.11(h)(3), 670a.12(d)."""
    staked = seat.progressive
    in_tray = {"returned": "0.00", "collected": dollars(staked)}
    if name in SHARE:
        paid = meter * SHARE[name] // 100
        won = row(seat.number, "progressive", staked, "win", "670a.12(d)(1)", f"{SHARE[name]}% meter", paid)
        return won | in_tray, reset if SHARE[name] == 100 else meter - paid
    if name not in FOR_ONE:
        return row(seat.number, "progressive", staked, "lose", "670a.11(h)(3)(i)(A)"), meter
    paid = FOR_ONE[name] * staked
    won = row(seat.number, "progressive", staked, "win", "670a.12(d)(1)", f"{FOR_ONE[name]} for 1", paid)
    return won | in_tray, meter


def envies(played: Round) -> list[dict[str, Any]]:
    """670a.11(h)(1)(ii), then 670a.11(h)(3)(ii), counterclockwise."""
    rows = []
    for seat in reversed(played.seats):
        for other in reversed(played.seats):
            amount = FORTUNE_ENVY.get(KINDS[best(other.hand)[0]])
            if seat is not other and seat.fortune >= 500 and amount is not None:
                paid = row(seat.number, "fortune_envy", 0, "win", "670a.12(b)(2)", f"${amount}", 100 * amount)
                rows.append(paid | {"on": other.number})
    for seat in reversed(played.seats):
        level = 5 if seat.progressive >= 500 else 1
        for other in reversed(played.seats):
            amount = PROGRESSIVE_ENVY[level].get(KINDS[best(other.hand)[0]])
            if seat is not other and seat.progressive and amount is not None:
                paid = row(seat.number, "progressive_envy", 0, "win", "670a.12(d)(4)", f"${amount}", 100 * amount)
                rows.append(paid | {"on": other.number})
    return rows


# The round ----------------------------------------------------------------------------------------------------------


def places(played: Round) -> list[tuple[str, list[str]]]:
    """The seven places clockwise from the start, each with its cards (670a.8(d), 670a.9(c), 670a.10(c))."""
    hands = {seat.number: seat.hand for seat in played.seats} | {0: played.dealer}
    left = [card for card in (*DECK, JOKER) if not any(card in hand for hand in hands.values())]
    empty = played.others or left
    around = [1, 2, 3, 4, 5, 6, 0]
    first = around.index(played.start)
    dealt = []
    for number in around[first:] + around[:first]:
        hand = hands.get(number)
        if hand is None:
            hand, empty = empty[:6], empty[6:]
        dealt.append((f"seat {number}" if number else "dealer", hand))
    return dealt


def cards_of(played: Round) -> list[tuple[str, str]]:
    """Card and place, one after the other."""
    around = places(played)
    if played.dealing == "automated_shoe":
        return [(card, place) for place, hand in around for card in hand]
    return [(hand[turn], place) for turn in range(6) for place, hand in around]


def before(played: Round) -> list[str]:
    """The acts up to the last decision."""
    acts = ["no_more_bets"]
    if played.offers_progressive:
        acts.append("lock_out")
        acts += ["collect_progressive"] if any(seat.progressive for seat in played.seats) else []
    acts.append("throw 1" if played.rng is None else f"rng {played.rng}")
    acts.append(f"start seat {played.start}" if played.start else "start dealer")
    acts += [f"card {number} -> {place}" for number, (_card, place) in enumerate(cards_of(played), 1)]
    acts.append("count remainder")
    acts += [f"ask {seat.number}" for seat in played.seats] if played.offers_double else []
    return [*acts, *(f"ask {seat.number}" for seat in played.seats)]


def document(played: Round) -> dict[str, Any]:
    """The outcome of the round, without the deck's id."""
    acts, rows, meter = [*before(played), "expose dealer"], [], played.meter
    for seat in reversed(played.seats):
        mine = settle_main(seat, played)
        acts += [f"expose seat {seat.number}", *(f"settle {each['seat']} {each['wager']}" for each in mine)]
        rows += mine
    for seat in reversed(played.seats):
        mine, meter = settle_optional(seat, played, meter)
        acts += [f"settle {each['seat']} {each['wager']}" for each in mine]
        rows += mine
    paid = envies(played)
    acts += [f"settle {each['seat']} {each['wager']}" for each in paid]
    rows += paid
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
            "pai_gow": dollars(seat.main),
            **({"fortune_bonus": dollars(seat.fortune)} if seat.fortune else {}),
            **({"insurance": dollars(seat.insurance)} if seat.insurance else {}),
            **({"progressive": dollars(seat.progressive)} if seat.progressive else {}),
        }
        for seat in played.seats
    }
    return {
        "wagers": wagers,
        "cards": " ".join(card for card, _place in cards_of(played)),
        **({"dice": [played.dice]} if played.rng is None else {"rng": [played.rng]}),
        "decisions": {
            str(seat.number): [
                *([("double_down" if seat.double else "no_double_down")] if played.offers_double else []),
                "house_way" if seat.low is None else f"set {seat.low}",
            ]
            for seat in played.seats
        },
        **({"meter": dollars(played.meter)} if played.offers_progressive else {}),
        **more,
    }
