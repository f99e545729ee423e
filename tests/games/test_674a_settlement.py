"""674a.11 and 674a.12 worked out a second time, slowly and from the text alone, against whatever hypothesis deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.money import Money
from tablectl.rules.criss_cross_poker import CrissCrossSubmission
from tests.games.rounds import dealt_singly, only_round, outcome

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]
LIST = ("ante_across", "ante_down", "across", "down", "middle", "five_card_bonus")
ORDER = ("nothing", "pair", "two pair", "three", "straight", "flush", "full house", "four", "straight flush", "royal")
BETS = {"royal": 500, "straight flush": 100, "four": 40, "full house": 12, "flush": 8, "straight": 5, "three": 3}
BETS |= {"two pair": 2}
BONUS = {"royal": 250, "straight flush": 100, "four": 40, "full house": 15, "flush": 10, "straight": 6, "three": 4}
BONUS |= {"two pair": 3, "pair": 1}

Hand = tuple[str, int]
"""What five cards are, and of a pair its rank: jacks are 11."""


def hand(cards: Sequence[str]) -> Hand:
    """674a.6."""
    values = sorted(2 + RANKS.index(card[0]) for card in cards)
    counts = Counter(values)
    shape = sorted(counts.values(), reverse=True)
    one_suit = len({card[1] for card in cards}) == 1
    in_sequence = values in (list(range(values[0], values[0] + 5)), [2, 3, 4, 5, 14])
    if one_suit and in_sequence:
        return ("royal" if values[0] == 10 else "straight flush"), 0
    if one_suit:
        return "flush", 0
    if in_sequence:
        return "straight", 0
    kinds = {(4, 1): "four", (3, 2): "full house", (3, 1, 1): "three", (2, 2, 1): "two pair", (2, 1, 1, 1): "pair"}
    kind = kinds.get(tuple(shape), "nothing")
    return kind, next(value for value, count in counts.items() if count == 2) if kind == "pair" else 0


def bet_pays(made: Hand) -> int | None:
    """Units that a Bet is paid: zero for a push, None for a loss (674a.12(b))."""
    kind, rank = made
    if kind == "nothing" or (kind == "pair" and rank < 6):
        return None
    return BETS.get(kind, 1 if rank >= 11 else 0)


def ante_pays(made: Hand) -> int | None:
    """674a.12(a)."""
    pays = bet_pays(made)
    return None if pays is None else min(pays, 1)


def higher(one: Hand, other: Hand) -> Hand:
    return max(one, other, key=lambda made: (ORDER.index(made[0]), made[1]))


@dataclass
class Seat:
    """What one seat does and holds; cents. `bets` are its multiples, fewer than three when it is out."""

    number: int
    ante: int
    bonus: int
    bets: list[int]
    hand: list[str]


@dataclass
class Round:
    """One round."""

    dealing: str
    board: list[str]
    seats: list[Seat]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """Up to six seats; cards are drawn near each other, so that combinations come up."""
    numbers = sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=6)))
    pool = draw(st.permutations(DECK))
    near = draw(st.sampled_from(["", "s", "h", "TJQKA", "A2345", "56789TJ", "5JQ"]))
    pool = sorted(pool, key=lambda card: not (card[0] in near or card[1] in near))
    first = pool[: 5 + 2 * len(numbers)]
    dealt = draw(st.permutations(first))
    seats = []
    for place, number in enumerate(numbers):
        bets = draw(st.lists(st.integers(1, 3), max_size=3))
        bonus = draw(st.integers(0, 10_000))
        own = dealt[5 + 2 * place : 7 + 2 * place]
        seats.append(Seat(number, draw(st.integers(1, 10_000)), bonus, bets, own))
    dealing = draw(st.sampled_from(["manual_shoe", "from_hand", "automated_shoe"]))
    return Round(dealing, dealt[:5], seats)


Row = tuple[int, str, int, str, int | None, str]
"""Seat, wager, staked, result, units paid, clause."""


def rows_of(seat: Seat, board: list[str]) -> list[Row]:
    """674a.11(b), (d), (f), (h) for one seat."""
    number, ante = seat.number, seat.ante
    staked = {"ante_across": ante, "ante_down": ante}
    staked |= dict(zip(("across", "down", "middle"), (ante * times for times in seat.bets), strict=False))
    rows: list[Row] = []
    if len(seat.bets) < 3:
        clause = ("674a.11(b)", "674a.11(d)", "674a.11(f)")[len(seat.bets)]
        rows = [(number, wager, amount, "forfeited", None, clause) for wager, amount in staked.items()]
    else:
        across = hand([*seat.hand, board[1], board[2], board[3]])
        down = hand([*seat.hand, board[0], board[2], board[4]])
        for wager, pays, paid, lost in (
            ("ante_across", ante_pays(across), "674a.12(a)", "674a.11(h)(1)(i)"),
            ("across", bet_pays(across), "674a.12(b)", "674a.11(h)(1)(i)"),
            ("ante_down", ante_pays(down), "674a.12(a)", "674a.11(h)(2)(i)"),
            ("down", bet_pays(down), "674a.12(b)", "674a.11(h)(2)(i)"),
            ("middle", bet_pays(higher(across, down)), "674a.12(b)", "674a.11(h)(3)"),
        ):
            result = "lose" if pays is None else "win" if pays else "push"
            rows.append((number, wager, staked[wager], result, pays or None, lost if pays is None else paid))
    if seat.bonus:
        kind, rank = hand(board)
        pays = None if kind == "pair" and rank < 6 else BONUS.get(kind)
        result, clause = ("lose", "674a.11(h)(5)") if pays is None else ("win", "674a.12(c)")
        rows.append((number, "five_card_bonus", seat.bonus, result, pays, clause))
    return rows


def text(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def expected_row(row: Row) -> dict[str, object]:
    seat, wager, staked, result, pays, cite = row
    kept = staked if result in ("lose", "forfeited") else 0
    return {
        "seat": seat,
        "wager": wager,
        "hand": 0,
        "staked": text(staked),
        "result": result,
        "odds": f"{pays}:1" if pays else None,
        "paid": text(staked * (pays or 0)),
        "returned": text(staked - kept),
        "collected": text(kept),
        "cite": cite,
    }


def order(played: Round, rows: list[Row]) -> list[str]:
    """The acts after the deal (674a.11(b)-(h))."""
    acts: list[str] = []
    for question, turned in enumerate(((2, 4), (1, 5), (3,))):
        for seat in played.seats:
            if len(seat.bets) < question:
                continue
            acts.append(f"ask {seat.number}")
            if len(seat.bets) == question:
                acts += [f"settle {row[0]} {row[1]}" for row in rows if row[0] == seat.number and row[3] == "forfeited"]
        acts += [f"expose community {number}" for number in turned]
    for seat in reversed(played.seats):
        settled = [f"settle {row[0]} {row[1]}" for row in rows if row[0] == seat.number and row[3] != "forfeited"]
        acts += [f"expose seat {seat.number}"] if len(seat.bets) == 3 else []
        acts += settled
    return acts


@settings(max_examples=200)
@given(rounds())
def test_674a_12_every_wager_comes_out_as_the_text_says(played: Round) -> None:
    hands = [" ".join(seat.hand) for seat in played.seats]
    own = " ".join(hands) if played.dealing == "automated_shoe" else dealt_singly(*hands)
    document = only_round(
        outcome(
            {
                "wagers": {
                    str(seat.number): {
                        "ante_across": text(seat.ante),
                        "ante_down": text(seat.ante),
                        **({"five_card_bonus": text(seat.bonus)} if seat.bonus else {}),
                    }
                    for seat in played.seats
                },
                "cards": f"{' '.join(played.board)} {own}",
                "decisions": {
                    str(seat.number): [*(f"bet {n}" for n in seat.bets), *(["fold"] if len(seat.bets) < 3 else [])]
                    for seat in played.seats
                },
            },
            rules={"five_card_bonus": True},
            table={"dealing": played.dealing, "shuffler": "counting"},
            game="criss_cross_poker",
        )
    )
    rows = [row for seat in played.seats for row in rows_of(seat, played.board)]
    listed = sorted(rows, key=lambda row: (row[0], LIST.index(row[1])))
    assert document["wagers"] == [expected_row(row) for row in listed]
    net = {str(seat.number): 0 for seat in played.seats}
    for row in rows:
        net[str(row[0])] += row[2] * (row[4] or 0) - (row[2] if row[3] in ("lose", "forfeited") else 0)
    assert document["net"] == {seat: text(cents) for seat, cents in net.items()}
    assert document["order"][-len(order(played, rows)) :] == order(played, rows)


def test_674a_12_d_most_that_can_be_won_with_one_dollar() -> None:
    """By exhaustion where one line is a royal flush; without one it is less than half of that.

    By symmetry the Across Hand, of hearts: any of its cards may be the player's, any two of the rest stand below.
    """
    royal = ["Th", "Jh", "Qh", "Kh", "Ah"]
    rest = [card for card in DECK if card not in royal]
    best: dict[bool, int] = {True: 0, False: 0}
    for own in combinations(royal, 2):
        for centre in (card for card in royal if card not in own):
            outer = [card for card in royal if card not in own and card != centre]
            for vertical in combinations(rest, 2):
                down = hand([*own, centre, *vertical])
                bets = 3 * (500 + (bet_pays(down) or 0) + 500) + 1 + (ante_pays(down) or 0)
                kind, rank = hand([*outer, centre, *vertical])
                bonus = 0 if kind == "pair" and rank < 6 else BONUS.get(kind, 0)
                best = {True: max(best[True], bets + bonus), False: max(best[False], bets)}
    without_a_royal_flush = 2 + 3 * 3 * 100 + 250
    for offered, most in best.items():
        assert most > without_a_royal_flush
        filed = CrissCrossSubmission.model_validate({"five_card_bonus": offered}).filed()
        assert filed.won_with(Money(1_00)) == most * 100


LIMITED = {"five_card_bonus": True, "payout_limit": "50000.00"}


@pytest.mark.parametrize("ante", ["16.00", "25.00", "33.00", "34.00", "50.00"])
def test_674a_12_d_payout_limit_cuts_row_by_row_in_the_order_of_settlement(ante: str) -> None:
    cents = int(ante.replace(".", ""))
    wagers = {"ante_across": ante, "ante_down": ante, "five_card_bonus": ante}
    script = {
        "wagers": {"4": wagers},
        "cards": "8h Kh Qh Ah 9h Jh Th",
        "decisions": {"4": ["bet 3", "bet 3", "bet 3"]},
    }
    played = only_round(outcome(script, rules=LIMITED, table={"minimum": "5.00"}, game="criss_cross_poker"))
    left, paid = 5_000_000, {}
    due = {"ante_across": 1, "across": 1500, "ante_down": 1, "down": 300, "middle": 1500, "five_card_bonus": 10}
    for wager, units in due.items():
        paid[wager] = min(left, units * cents)
        left -= paid[wager]
    assert {row["wager"]: row["paid"] for row in played["wagers"]} == {
        wager: text(sum_) for wager, sum_ in paid.items()
    }
    for row in played["wagers"]:
        assert row["result"] == "win"
        assert row["returned"] == row["staked"]
        assert (row["odds"] is None) == (paid[row["wager"]] == 0)
    assert played["net"] == {"4": text(sum(paid.values()))}
