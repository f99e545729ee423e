"""Chapter 561 worked out a second time, slowly and from the text alone: a whole round, its rows and the order of acts.

Amounts are whole cents. Hands are ranked by the slow ranking of `tests.core.test_pai_gow_ranks`, money comes from
`by_hand_563`; nothing comes from the program that is tested. The manner of setting that is shipped is here as prose
says it: see `config/pai_gow_poker.toml`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tablectl.cards import card, deck
from tests.core.test_pai_gow_ranks import FROM_THE_LOWEST, slow_rank
from tests.games.by_hand_563 import dollars, net, row

PLACES = ["seat 1", "seat 2", "seat 3", "seat 4", "seat 5", "seat 6", "dealer"]
RANKS = "23456789TJQKA"
WHOLE = ("straight", "flush", "straight_flush", "royal_flush")

High = tuple[int, list[tuple[int, int]]]
Low = tuple[bool, list[int]]


# What hands are worth (561.6) ---------------------------------------------------------------------------------------


def rank_of(name: str) -> int:
    """2 to 14; the joker is an ace."""
    return 14 if name == "Xj" else RANKS.index(name[0]) + 2


def high_of(names: Sequence[str]) -> High:
    """561.6(b), (c)."""
    return slow_rank([card(name) for name in names])


def low_of(names: Sequence[str]) -> Low:
    """561.6(b)(10): a pair is above all else."""
    ranks = sorted((rank_of(name) for name in names), reverse=True)
    return ranks[0] == ranks[1], ranks


def is_whole(names: Sequence[str]) -> bool:
    """Whether five cards are a straight, a flush or better of the kind."""
    return FROM_THE_LOWEST[high_of(names)[0]] in WHOLE


def is_foul(high: Sequence[str], low: Sequence[str]) -> bool:
    """561.13(a), (g)(3): the low hand is higher than the high hand."""
    worth, groups = high_of(high)
    if len(high) != 5 or len(low) != 2:
        return True
    kind = FROM_THE_LOWEST[worth]
    pair, ranks = low_of(low)
    if kind == "high_card":
        return pair or ranks > [rank for _count, rank in groups][:2]
    return pair and kind == "pair" and ranks[0] > groups[0][1]


def others(cards: Sequence[str], low: Sequence[str]) -> list[str]:
    """The cards that are not low."""
    return [name for name in cards if name not in low]


# The shipped manner of setting, as prose says it --------------------------------------------------------------------


def house_low(cards: Sequence[str]) -> list[str]:
    """The two low cards of seven."""
    times = Counter(rank_of(name) for name in cards)
    groups = sorted(((count, rank) for rank, count in times.items() if count > 1), reverse=True)
    singles = sorted((rank for rank, count in times.items() if count == 1), reverse=True)
    shape = [count for count, _rank in groups]
    ranks = [rank for _count, rank in groups]
    wholes = [
        (low_of(low), high_of(others(cards, low)), list(low))
        for low in combinations(cards, 2)
        if is_whole(others(cards, low))
    ]
    with_pair = [each for each in wholes if each[0][0]]
    if shape in ([], [2]) and wholes:
        return max(wholes)[2]
    if shape in ([2, 2], [3]) and with_pair:
        return max(with_pair)[2]
    return of_ranks(cards, _low_ranks(shape, ranks, singles))


def _low_ranks(shape: list[int], ranks: list[int], singles: list[int]) -> list[int]:
    if shape == []:
        return singles[1:3]
    if shape == [2, 2]:
        return _two_pairs(ranks[0], ranks[1], singles)
    if shape == [3]:
        return [14, singles[0]] if ranks[0] == 14 else singles[:2]
    if shape == [3, 2] and ranks[1] == 2 and singles[:2] == [14, 13]:
        return singles[:2]
    if shape == [4]:
        stays = ranks[0] <= 6 or (ranks[0] <= 10 and singles[0] == 14)
        return singles[:2] if stays else ranks * 2
    if shape == [4, 2]:
        return [14, 14] if ranks[0] == 14 and ranks[1] <= 6 else [ranks[1]] * 2
    if shape == [5, 2]:
        return [13, 13] if ranks[1] == 13 else [14, 14]
    pair = {(2, 2, 2): 0, (3, 3): 0, (3, 2): 1, (3, 2, 2): 1, (4, 3): 1, (5,): 0}.get(tuple(shape))
    return singles[:2] if pair is None else [ranks[pair]] * 2


def _two_pairs(high: int, low: int, singles: list[int]) -> list[int]:
    best = singles[0]
    together = (high <= 6 and best >= 13) or (high <= 10 and best == 14) or (high <= 13 and low <= 6 and best == 14)
    return singles[:2] if together and high != 14 else [low, low]


def of_ranks(cards: Sequence[str], ranks: Iterable[int]) -> list[str]:
    """Cards of these ranks, the joker last."""
    left = sorted(cards, key=lambda name: name == "Xj")
    found = []
    for rank in ranks:
        found.append(next(name for name in left if rank_of(name) == rank))
        left.remove(found[-1])
    return found


# Whole rounds -------------------------------------------------------------------------------------------------------


@dataclass
class Seat:
    """One seat: its cards, its wager, and which of its cards are low, as it or the house way sets them.

    `does`: ``set``, ``house_way``, ``surrender``, ``surrender late`` (after it was set) or ``leave``.
    """

    number: int
    cards: str
    low: str
    result: str
    wager: int = 10_00
    does: str = "house_way"


@dataclass
class Round:
    """One round in which nothing goes wrong. `start` is the starting position, `found` the act that says so."""

    seats: list[Seat]
    dealer: str
    dealer_low: str
    start: str = "dealer"
    found: str = "throw 1"
    dealing: str = "manual_shoe"
    quarter: bool = False
    order: list[int] = field(default_factory=list)

    @property
    def places(self) -> list[str]:
        """All places, clockwise from the starting position (561.9(c))."""
        first = PLACES.index(self.start)
        return [*PLACES[first:], *PLACES[:first]]

    @property
    def hands(self) -> dict[str, list[str]]:
        """Seven cards for each place; those without a wager have what is left, from the lowest of clubs on."""
        held = {f"seat {seat.number}": seat.cards.split() for seat in self.seats}
        held["dealer"] = self.dealer.split()
        out = [name for hand in held.values() for name in hand]
        assert len(out) == len(set(out)) == 7 * len(held), sorted(out)
        left = [each.name for each in deck(joker=True) if each.name not in out]
        return {place: held.get(place) or [left.pop(0) for _ in range(7)] for place in PLACES}

    @property
    def cards(self) -> list[tuple[str, str]]:
        """Card and place, in the order in which they leave; from the hand the place is a stack."""
        hands = [self.hands[place] for place in self.places]
        if self.dealing == "automated_shoe":
            return [(name, place) for place, hand in zip(self.places, hands, strict=True) for name in hand]
        if self.dealing == "manual_shoe":
            return [(hand[turn], place) for turn in range(7) for place, hand in zip(self.places, hands, strict=True)]
        ways = [range(7) if turn % 2 == 0 else range(6, -1, -1) for turn in range(7)]
        return [(hands[stack][turn], f"stack {stack + 1}") for turn, way in enumerate(ways) for stack in way]


def compared(seat: Seat, played: Round) -> str:
    """561.13(g), (i), (k): how a wager fares."""
    high, low = others(seat.cards.split(), seat.low.split()), seat.low.split()
    if is_foul(high, low):
        return "lose"
    dealer = others(played.dealer.split(), played.dealer_low.split())
    won = (high_of(high) > high_of(dealer)) + (low_of(low) > low_of(played.dealer_low.split()))
    return ("lose", "push", "win")[won]


def settled(seat: Seat, played: Round) -> dict[str, Any]:
    """The row of one seat."""
    clauses = {"lose": "561.13(h)", "push": "561.13(j)", "surrendered": "561.13(e)", "forfeited": "561.7(b)"}
    if seat.result != "win":
        told = row(seat.number, "pai_gow", seat.wager, seat.result, clauses[seat.result])
        taken = {"returned": "0.00", "collected": dollars(seat.wager)}
        return told | taken if seat.result == "surrendered" else told
    quarters, over = divmod(seat.wager * 5, 2500)
    vigorish = 25 * (quarters + bool(over)) if played.quarter else seat.wager * 5 // 100
    won = row(seat.number, "pai_gow", seat.wager, "win", "561.13(m)", "1:1", seat.wager - vigorish)
    return won | {"vigorish": dollars(vigorish)}


def acts_of_the_deal(played: Round) -> list[str]:
    """What happens up to the first question."""
    found = [played.found] if played.found else []
    acts = ["no_more_bets", *found, f"start {played.start}"]
    acts += [f"card {number} -> {place}" for number, (_name, place) in enumerate(played.cards, 1)]
    if played.dealing == "from_hand":
        acts += [f"stack {number} -> {place}" for number, place in enumerate(played.places, 1)]
    return [*acts, "count remainder"]


def document(played: Round) -> dict[str, Any]:
    """The outcome of the round, without the deck's id."""
    by_number = {seat.number: seat for seat in played.seats}
    for seat in played.seats:
        if seat.does in ("set", "house_way"):
            assert compared(seat, played) == seat.result, f"seat {seat.number}: {compared(seat, played)}"
        assert seat.does != "house_way" or sorted(house_low(seat.cards.split())) == sorted(seat.low.split())
    assert sorted(house_low(played.dealer.split())) == sorted(played.dealer_low.split())
    acts = acts_of_the_deal(played)
    for number in played.order or sorted(by_number):
        acts.append(f"ask {number}")
        acts += [f"settle {number} pai_gow"] if by_number[number].does == "surrender" else []
    acts += [f"settle {seat.number} pai_gow" for seat in played.seats if seat.does == "surrender late"]
    acts.append("expose dealer")
    backwards = sorted(by_number, reverse=True)
    for number in backwards:
        seat = by_number[number]
        acts += [f"expose seat {number}"] if seat.does in ("set", "house_way") else []
        if seat.does in ("set", "house_way", "leave") and seat.result != "win":
            acts.append(f"settle {number} pai_gow")
    acts += [f"settle {number} pai_gow" for number in backwards if by_number[number].result == "win"]
    rows = [settled(by_number[number], played) for number in sorted(by_number)]
    return {
        "outcome": "completed",
        "cause": None,
        "cite": None,
        "wagers": rows,
        "net": net(rows, sorted(by_number)),
        "remedies": [],
        "deck": {"disposition": "reshuffle"},
        "order": acts,
    }


def voided(played: Round, cause: str, clause: str, remedies: Sequence[str], acts: Sequence[str]) -> dict[str, Any]:
    """The outcome of a round that is void after these acts; every wager goes back, counterclockwise."""
    numbers = sorted(seat.number for seat in played.seats)
    rows = [row(seat.number, "pai_gow", seat.wager, "void", clause) for seat in played.seats]
    return {
        "outcome": "void",
        "cause": cause,
        "cite": clause,
        "wagers": sorted(rows, key=lambda each: each["seat"]),
        "net": net(rows, numbers),
        "remedies": list(remedies),
        "deck": {"disposition": "remove" if "deck_removed" in remedies else "reshuffle"},
        "order": [*acts, *(f"settle {number} pai_gow" for number in reversed(numbers))],
    }


def decision(seat: Seat) -> list[str]:
    """What the seat says when it is asked."""
    match seat.does:
        case "set":
            return [f"set {seat.low}"]
        case "surrender late":
            return ["house_way", "surrender"]
        case other:
            return [other]


def script(played: Round, **more: object) -> dict[str, Any]:
    """The round as a scenario has it."""
    return {
        "wagers": {str(seat.number): {"pai_gow": dollars(seat.wager)} for seat in played.seats},
        "cards": " ".join(name for name, _place in played.cards),
        "decisions": {str(seat.number): decision(seat) for seat in played.seats},
        **more,
    }
