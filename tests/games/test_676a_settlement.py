"""676a.11 and 676a.12 worked out a second time, slowly and from the text alone, against whatever hypothesis deals."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.rounds import dealt_singly, only_round, outcome

RANKS = "A23456789TJQK"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]
LIST = ("front_9", "back_9", "skins", "gopher")
BANDS = {"25:1": range(9), "5:1": range(9, 14), "2:1": range(14, 19), "1:1": range(19, 25)}  # 676a.1, 676a.12(b)
ACES = {"A": {1: "2:1", 2: "5:1", 3: "50:1", 4: "1000:1"}, "B": {1: "2:1", 2: "6:1", 3: "50:1", 4: "1000:1"}}


def points(hand: list[str]) -> int:
    """676a.6."""
    value = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
    return sum(value[card[0]] if card[0] in value else int(card[0]) for card in hand)


@dataclass
class Seat:
    """What one seat does and holds; cents."""

    number: int
    wagers: dict[str, int]
    bets: bool
    hand: list[str]


@dataclass
class Round:
    """One round."""

    table: str
    dealing: str
    seats: list[Seat]
    dealer: list[str]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """Up to six seats; low cards come often, so that every band and number of aces does."""
    numbers = sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=6)))
    pool = draw(st.permutations(DECK))
    if draw(st.booleans()):
        pool = sorted(pool, key=lambda card: points([card]) > 7)
    cents = st.integers(1, 100_000)
    seats = []
    for place, number in enumerate(numbers):
        wagers = {"front_9": draw(cents)}
        wagers |= {wager: draw(cents) for wager in ("skins", "gopher") if draw(st.booleans())}
        seats.append(Seat(number, wagers, draw(st.booleans()), pool[4 * place : 4 * place + 4]))
    dealing = draw(st.sampled_from(["manual_shoe", "from_hand", "automated_shoe"]))
    end = 4 * len(numbers)
    return Round(draw(st.sampled_from("AB")), dealing, seats, pool[end : end + 4])


Row = tuple[int, str, int, str, str | None, str]


def rows_of(seat: Seat, played: Round) -> list[Row]:
    """676a.11(c) and (d) for one seat."""
    number, total = seat.number, points(seat.hand)
    front = seat.wagers["front_9"]
    rows: list[Row] = []
    if not seat.bets:
        rows.append((number, "front_9", front, "forfeited", None, "676a.11(c)"))
    elif total <= 24:
        odds = next(odds for odds, band in BANDS.items() if total in band)
        rows.append((number, "front_9", front, "win", "1:1", "676a.12(a)"))
        rows.append((number, "back_9", front, "win", odds, "676a.12(b)"))
    else:
        rows += [(number, wager, front, "lose", None, "676a.11(d)(3)(ii)") for wager in ("front_9", "back_9")]
    if "skins" in seat.wagers:
        if total < points(played.dealer):
            rows.append((number, "skins", seat.wagers["skins"], "win", "1:1", "676a.12(c)"))
        else:
            rows.append((number, "skins", seat.wagers["skins"], "lose", None, "676a.11(d)(4)(i)"))
    if "gopher" in seat.wagers:
        aces = [card[0] for card in seat.hand].count("A")
        if aces:
            rows.append((number, "gopher", seat.wagers["gopher"], "win", ACES[played.table][aces], "676a.12(d)"))
        else:
            rows.append((number, "gopher", seat.wagers["gopher"], "lose", None, "676a.11(d)(5)(i)"))
    return rows


def paid(row: Row) -> int:
    return 0 if row[4] is None else row[2] * int(row[4].removesuffix(":1"))


def text(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def expected_row(row: Row) -> dict[str, object]:
    seat, wager, staked, result, odds, cite = row
    kept = staked if result in ("lose", "forfeited") else 0
    amounts = {"paid": text(paid(row)), "returned": text(staked - kept), "collected": text(kept), "cite": cite}
    known = {"seat": seat, "wager": wager, "hand": 0, "staked": text(staked), "result": result, "odds": odds}
    return {**known, **amounts}


def order(played: Round, rows: list[Row]) -> list[str]:
    """The acts after the deal: asked clockwise, forfeits clockwise, settled counterclockwise (676a.11(b)-(d))."""
    left = [row for row in rows if row[3] != "forfeited"]
    acts = [f"ask {seat.number}" for seat in played.seats]
    acts += [f"settle {row[0]} {row[1]}" for row in rows if row[3] == "forfeited"]
    acts.append("expose dealer")
    for seat in reversed(played.seats):
        settled = [f"settle {row[0]} {row[1]}" for row in left if row[0] == seat.number]
        acts += [f"expose seat {seat.number}", *settled] if settled else []
    return acts


@settings(max_examples=200)
@given(rounds())
def test_676a_12_every_wager_comes_out_as_the_text_says(played: Round) -> None:
    hands = [" ".join(hand) for hand in (*(seat.hand for seat in played.seats), played.dealer)]
    document = only_round(
        outcome(
            {
                "wagers": {
                    str(seat.number): {wager: text(amount) for wager, amount in seat.wagers.items()}
                    for seat in played.seats
                },
                "cards": " ".join(hands) if played.dealing == "automated_shoe" else dealt_singly(*hands),
                "decisions": {str(seat.number): ["bet" if seat.bets else "fold"] for seat in played.seats},
            },
            rules={"gopher_paytable": played.table},
            table={"dealing": played.dealing, "shuffler": "counting"},
            game="go_fore_it",
        )
    )
    rows = [row for seat in played.seats for row in rows_of(seat, played)]
    assert document["wagers"] == [expected_row(row) for row in rows]
    net = {str(seat.number): 0 for seat in played.seats}
    for row in rows:
        net[str(row[0])] += paid(row) - (row[2] if row[3] in ("lose", "forfeited") else 0)
    assert document["net"] == {seat: text(cents) for seat, cents in net.items()}
    assert document["order"][-len(order(played, rows)) :] == order(played, rows)


@pytest.mark.parametrize("total", range(4, 41))
def test_676a_12_b_every_total(total: int) -> None:
    """One seat with that total, from the least to the greatest that four cards can have."""
    hand = hand_of(total)
    assert points(hand) == total
    rest = [card for card in DECK if card not in hand]
    script = {
        "wagers": {"1": {"front_9": "1.00"}},
        "cards": dealt_singly(" ".join(hand), " ".join(rest[:4])),
        "decisions": {"1": ["bet"]},
    }
    front, back = only_round(outcome(script, game="go_fore_it"))["wagers"]
    odds = next((odds for odds, band in BANDS.items() if total in band), None)
    assert (front["odds"], back["odds"]) == (("1:1", odds) if odds else (None, None))
    assert front["result"] == back["result"] == ("win" if odds else "lose")


def hand_of(total: int) -> list[str]:
    """Four cards with that total, as even as can be."""
    hand: list[str] = []
    for left in range(4, 0, -1):
        value = total // left
        hand.append("A23456789T"[value - 1] + "cdhs"[left - 1])
        total -= value
    return hand
