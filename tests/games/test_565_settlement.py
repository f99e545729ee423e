"""565.12 worked out a second time, slowly and from the text alone, against whatever hypothesis thinks of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.rounds import dealt_singly, only_round, outcome

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]
VERSIONS = ["standard", "pair_plus_needs_equal_ante", "pair_plus_needs_half_ante", "both_required"]

# 565.12(d) and (e) as printed; (f) as printed with the shipped reading of its blank cells.
LEAST = {
    "mini_royal": "35:1",
    "straight_flush": "35:1",
    "three_of_a_kind": "25:1",
    "straight": "5:1",
    "flush": "3:1",
    "pair": "1:1",
}
BETTER = {
    "mini_royal": "100:1",
    "straight_flush": "40:1",
    "three_of_a_kind": "30:1",
    "straight": "11:2",
    "flush": "4:1",
    "pair": "3:2",
}
STANDARD_BONUS = {"mini_royal": "5:1", "straight_flush": "5:1", "three_of_a_kind": "4:1", "straight": "1:1"}
BONUS = {
    "A": {"spades": "50:1", "mini_royal": "5:1", "straight_flush": "4:1", "three_of_a_kind": "3:1", "straight": "1:1"},
    "B": {"spades": "50:1", "mini_royal": "50:1", "straight_flush": "8:1", "three_of_a_kind": "6:1"},
    "C": {"spades": "50:1", "mini_royal": "10:1", "straight_flush": "4:1", "three_of_a_kind": "3:1"},
}


def combination(hand: list[str]) -> str:
    """What the three cards are, by 565.6(b)."""
    ranks = {card[0] for card in hand}
    one_suit = len({card[1] for card in hand}) == 1
    consecutive = ["A23", *(RANKS[place : place + 3] for place in range(11))]
    in_sequence = any(ranks == set(run) for run in consecutive)
    if in_sequence and one_suit:
        return "mini_royal" if ranks == set("QKA") else "straight_flush"
    if len(ranks) == 1:
        return "three_of_a_kind"
    if in_sequence:
        return "straight"
    if one_suit:
        return "flush"
    return "pair" if len(ranks) == 2 else "nothing"


ORDER = ["nothing", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"]


def compare(one: list[str], other: list[str]) -> int:
    """Above zero when the first hand ranks higher, by 565.6(b) and (c)."""
    kinds = [ORDER.index(combination(hand).replace("mini_royal", "straight_flush")) for hand in (one, other)]
    if kinds[0] != kinds[1]:
        return kinds[0] - kinds[1]
    ranks = [Counter(RANKS.index(card[0]) for card in hand) for hand in (one, other)]
    kind = ORDER[kinds[0]]
    if "straight" in kind:  # three, two and ace is the lowest: there the three is its highest card
        tops = [1 if {0, 1, 12} == set(hand) else max(hand) for hand in ranks]
        return tops[0] - tops[1]
    if kind == "pair":
        pairs = [next(rank for rank, count in hand.items() if count == 2) for hand in ranks]
        if pairs[0] != pairs[1]:
            return pairs[0] - pairs[1]
    # 565.6(c): the highest card that the other hand does not contain
    mine, yours = ranks[0] - ranks[1], ranks[1] - ranks[0]
    return max(mine, default=0) - max(yours, default=0)


def qualifies(hand: list[str]) -> bool:
    """Queen-high or better."""
    return combination(hand) != "nothing" or any(card[0] in "QKA" for card in hand)


@dataclass
class Seat:
    """What one seat does and holds."""

    number: int
    ante: int
    pair_plus: int
    bets: bool
    hand: list[str]


@dataclass
class Round:
    """One round in whole cents."""

    version: str
    table: str
    after_fold: str
    odds: dict[str, str]
    seats: list[Seat]
    dealer: list[str]


def amounts(version: str) -> st.SearchStrategy[tuple[int, int]]:
    """Ante and Pair Plus as the version allows them, zero for none."""
    cents = st.integers(1, 100_000)
    match version:
        case "standard":
            both = st.tuples(st.one_of(st.just(0), cents), st.one_of(st.just(0), cents))
            return both.filter(any)
        case "both_required":
            return st.tuples(cents, st.fractions(Fraction(1, 5), 5)).map(
                lambda drawn: (drawn[0] * 5, min(drawn[0] * 25, max(drawn[0], int(drawn[0] * 5 * drawn[1]))))
            )
        case _:
            most = 1 if version == "pair_plus_needs_equal_ante" else 2
            return cents.flatmap(lambda ante: st.tuples(st.just(ante), st.integers(0, ante * most)))


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round of up to seven seats; hands are drawn near each other, so that combinations and ties come up."""
    version = draw(st.sampled_from(VERSIONS))
    numbers = sorted(draw(st.sets(st.integers(1, 7), min_size=1, max_size=7)))
    ranks = draw(st.sampled_from([RANKS, "23A", "TJQKA", "89TJ", "QKA", "A2345", "6789TJQKA", "2579J"]))
    pool = [card for card in DECK if card[0] in ranks]
    seats = []
    for number in numbers:
        if len(pool) < 6:
            pool += [card for card in DECK if card[0] not in ranks]
        hand = take(draw, pool)
        ante, pair_plus = draw(amounts(version))
        seats.append(Seat(number, ante, pair_plus, draw(st.booleans()), hand))
    return Round(
        version,
        draw(st.sampled_from("ABC")),
        draw(st.sampled_from(["stays", "forfeited"])),
        draw(st.sampled_from([LEAST, BETTER])),
        seats,
        take(draw, pool),
    )


def take(draw: st.DrawFn, pool: list[str]) -> list[str]:
    hand = draw(st.lists(st.sampled_from(pool), min_size=3, max_size=3, unique=True))
    for card in hand:
        pool.remove(card)
    return hand


Row = tuple[int, str, int, str, str | None, int, str]


def win(seat: int, wager: str, staked: int, odds: str, cite: str, on: int | None = None) -> Row:
    pays, per = odds.split(":")
    return (seat, wager, staked, "win", odds, (staked if on is None else on) * int(pays) // int(per), cite)


def rows_of(seat: Seat, played: Round) -> list[Row]:
    """565.11(b)-(d) and 565.12 for one seat."""
    number, rows = seat.number, list[Row]()
    kind = combination(seat.hand)
    if seat.ante and not seat.bets:
        rows.append((number, "ante", seat.ante, "forfeited", None, 0, "565.11(c)"))
    elif seat.ante:
        rows += against_the_dealer(seat, played.dealer)
    if seat.pair_plus:
        gone = seat.ante and not seat.bets and (played.version != "standard" or played.after_fold == "forfeited")
        if gone:
            rows.append((number, "pair_plus", seat.pair_plus, "forfeited", None, 0, "565.11(c)"))
        elif kind in played.odds:
            rows.append(win(number, "pair_plus", seat.pair_plus, played.odds[kind], "565.12(d)"))
        else:
            rows.append((number, "pair_plus", seat.pair_plus, "lose", None, 0, "565.11(d)(2)"))
    if seat.ante and seat.bets:
        table = STANDARD_BONUS if played.version == "standard" else BONUS[played.table]
        spades = kind == "mini_royal" and seat.hand[0][1] == "s" and "spades" in table
        odds = table.get("spades" if spades else kind)
        if odds is not None:
            clause = "565.12(e)" if played.version == "standard" else "565.12(f)"
            rows.append(win(number, "ante_bonus", 0, odds, clause, on=seat.ante))
    return rows


def against_the_dealer(seat: Seat, dealer: list[str]) -> list[Row]:
    number, ante = seat.number, seat.ante
    if not qualifies(dealer):
        return [
            win(number, "ante", ante, "1:1", "565.12(a)"),
            (number, "play", ante, "returned", None, 0, "565.12(a)"),
        ]
    better = compare(seat.hand, dealer)
    if better > 0:
        return [win(number, wager, ante, "1:1", "565.12(b)") for wager in ("ante", "play")]
    if better == 0:
        return [(number, wager, ante, "push", None, 0, "565.12(c)") for wager in ("ante", "play")]
    return [(number, wager, ante, "lose", None, 0, "565.11(d)(2)") for wager in ("ante", "play")]


def text(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def expected_row(row: Row) -> dict[str, object]:
    seat, wager, staked, result, odds, paid, cite = row
    kept = result in ("lose", "forfeited")
    return {
        "seat": seat,
        "wager": wager,
        "hand": 0,
        "staked": text(staked),
        "result": result,
        "odds": odds,
        "paid": text(paid),
        "returned": text(0 if kept else staked),
        "collected": text(staked if kept else 0),
        "cite": cite,
    }


def settle_order(rows: list[Row]) -> list[str]:
    """Forfeits clockwise before the reveal; then counterclockwise, in each seat what loses, goes back, wins."""
    turn = {"lose": 0, "push": 1, "returned": 1, "win": 2}
    forfeits = [f"settle {row[0]} {row[1]}" for row in rows if row[3] == "forfeited"]
    rest = sorted((row for row in rows if row[3] != "forfeited"), key=lambda row: (-row[0], turn[row[3]]))
    return [*forfeits, *(f"settle {row[0]} {row[1]}" for row in rest)]


@settings(max_examples=250)
@given(rounds())
def test_565_12_every_wager_comes_out_as_the_text_says(played: Round) -> None:
    placed = {
        str(seat.number): {
            wager: text(amount) for wager, amount in (("ante", seat.ante), ("pair_plus", seat.pair_plus)) if amount
        }
        for seat in played.seats
    }
    document = only_round(
        outcome(
            {
                "wagers": placed,
                "cards": dealt_singly(*(" ".join(seat.hand) for seat in played.seats), " ".join(played.dealer)),
                "decisions": {str(seat.number): ["bet" if seat.bets else "fold"] for seat in played.seats if seat.ante},
            },
            rules={
                "version": played.version,
                "ante_bonus_paytable": played.table,
                "pair_plus_after_fold": played.after_fold,
                "pair_plus_paytable": played.odds,
            },
        )
    )
    rows = [row for seat in played.seats for row in rows_of(seat, played)]
    assert document["wagers"] == [expected_row(row) for row in rows]
    net = {str(seat.number): 0 for seat in played.seats}
    for seat, _wager, staked, result, _odds, paid, _cite in rows:
        net[str(seat)] += paid - (staked if result in ("lose", "forfeited") else 0)
    assert document["net"] == {seat: text(cents) for seat, cents in net.items()}
    assert [act for act in document["order"] if act.startswith("settle")] == settle_order(rows)
