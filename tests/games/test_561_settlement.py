"""561.6 to 561.13 against the same worked out slowly: rounds by chance, and clause by clause."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from tablectl import events as e
from tablectl.cards import Card, deck
from tablectl.engine.drive import Drive
from tablectl.engine.scenario import parse
from tablectl.engine.script import Script, play_one
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules.pai_gow_poker import PaiGowPokerSubmission, vigorish
from tests.games.by_hand_561 import (
    PLACES,
    Round,
    Seat,
    compared,
    document,
    house_low,
    script,
)
from tests.games.rounds import only_round, outcome
from tests.games.scenarios import Document

METHODS = ["manual_shoe", "from_hand", "automated_shoe"]
KINGS = ("Kc Kd Qh 9s 7c 4d 2h", "Qh 9s")
WINS = "As Ad Kh Jc 8d 6c 3s"
LOSES = "Qc Qd Jh 8s 6h 4c 2c"


def play(played: Round, rules: dict[str, object] | None = None, **more: object) -> Document:
    """What the program makes of that round, without the deck's id."""
    table = {"dealing": played.dealing, "shuffler": "plain"}
    found = only_round(outcome(script(played, **more), rules=rules, table=table, game="pai_gow_poker"))
    del found["deck"]["id"]
    return found


@pytest.mark.parametrize("dealing", METHODS)
@pytest.mark.parametrize("seed", range(25))
def test_561_13_rounds_by_chance_are_what_they_are_worked_out_to_be(seed: int, dealing: str) -> None:
    chance = random.Random(seed)
    names = [each.name for each in deck(joker=True)]
    chance.shuffle(names)
    hands = [names[7 * place : 7 * place + 7] for place in range(7)]
    played = Round([], " ".join(hands[6]), " ".join(house_low(hands[6])), dealing=dealing)
    for number in sorted(chance.sample(range(1, 7), chance.randrange(1, 7))):
        hand = hands[number - 1]
        does = chance.choice(["house_way", "house_way", "set", "surrender", "surrender late", "leave"])
        low = chance.sample(hand, 2) if does == "set" else house_low(hand)
        seat = Seat(number, " ".join(hand), " ".join(low), "", 100 * chance.randrange(1, 500), does)
        fixed = {"leave": "forfeited", "surrender": "surrendered", "surrender late": "surrendered"}
        seat.result = fixed.get(does) or compared(seat, played)
        played.seats.append(seat)
    number = chance.randrange(1, 8)
    played.start, played.found = [PLACES[6 - turn] for turn in range(7)][number - 1], f"rng {number}"
    assert play(played, {"starting_position": "rng"}, rng=[number]) == document(played)


# The starting position (561.12) -------------------------------------------------------------------------------------


def start_of(table: dict[str, object], rules: dict[str, object], **more: object) -> str:
    told = script(Round([Seat(2, LOSES, "Jh 8s", "lose")], *KINGS), **more)
    acts_done = only_round(outcome(told, rules=rules, table=table, game="pai_gow_poker"))["order"]
    return str(next(act for act in acts_done if act.startswith("start "))).removeprefix("start ")


def by_counting(number: int) -> str:
    """Count aloud: the dealer is one, then seat 6, 5, 4 … 1, and the dealer again."""
    place = "dealer"
    for _ in range(number - 1):
        place = "seat 6" if place == "dealer" else "dealer" if place == "seat 1" else f"seat {int(place[-1]) - 1}"
    return place


@pytest.mark.parametrize("total", range(3, 19))
def test_561_12_b_the_total_of_the_dice_is_counted_counterclockwise(total: int) -> None:
    throws = [dice for dice in product(range(1, 7), repeat=3) if sum(dice) == total]
    for dice in (throws[0], throws[-1]):
        assert start_of({}, {}, dice=[" ".join(map(str, dice))]) == by_counting(total)


@pytest.mark.parametrize("number", range(1, 8))
def test_561_12_c_the_number_of_the_generator_is_counted_counterclockwise(number: int) -> None:
    assert start_of({}, {"starting_position": "rng"}, rng=[number]) == by_counting(number)


def test_561_12_b_positions_by_three_dice_are_nearly_even() -> None:
    found = dict.fromkeys(PLACES, 0)
    for dice in product(range(1, 7), repeat=3):
        found[by_counting(sum(dice))] += 1
    assert sum(found.values()) == 216
    assert sorted(found.values()) == [30, *[31] * 6]


def test_561_12_d_the_button_begins_at_the_dealer_and_moves_clockwise() -> None:
    told = script(Round([Seat(2, LOSES, "Jh 8s", "lose")], *KINGS))
    table = {"dealing": "automated_shoe", "shuffler": "plain"}
    rounds = outcome(*[told] * 9, rules={"starting_position": "button"}, table=table, game="pai_gow_poker")["rounds"]
    starts = [act for played in rounds for act in played["order"] if act.startswith("start ")]
    assert starts == [f"start {place}" for place in ["dealer", *PLACES, "seat 1"]]


@pytest.mark.parametrize(
    ("since", "method", "changed"),
    [
        (None, "shaker", True),
        (0, "shaker", False),
        (1 - 24 * 3600, "shaker", False),
        (-24 * 3600, "shaker", True),
        (None, "rng", False),
    ],
)
def test_561_8_a_1_iii_dice_are_in_use_for_24_hours_at_the_most(
    since: int | None, method: str, *, changed: bool
) -> None:
    told = {**script(Round([Seat(2, LOSES, "Jh 8s", "lose")], *KINGS)), "dice": ["1 1 6"], "rng": [1]}
    told.pop("rng" if method == "shaker" else "dice")
    scenario = parse({"game": "pai_gow_poker", "rules": {"starting_position": method}, "round": [told]})
    state = replace(scenario.first_state(), dice_since=since)
    fold, after = play_one(scenario, scenario.rounds[0], Table(scenario.game, scenario.rules, scenario.setup, state))
    steps = [(event.step, event.by, event.cite) for event in fold.events if isinstance(event, e.StepAttested)]
    assert steps == ([("new_dice", "both", "561.8(a)(1)(iii)")] if changed else [])
    assert after.dice_since == (0 if changed else since)


@pytest.mark.parametrize("dealing", METHODS)
@pytest.mark.parametrize("method", ["shaker", "rng"])
def test_561_12_b_shaker_is_covered_and_shaken_once_after_the_deal(dealing: str, method: str) -> None:
    played = Round([Seat(2, LOSES, "Jh 8s", "lose")], *KINGS, dealing=dealing)
    told = {**script(played), **({"dice": ["1 1 6"]} if method == "shaker" else {"rng": [1]})}
    table = {"dealing": dealing, "shuffler": "plain"}
    rules = {"starting_position": method}
    scenario = parse({"game": "pai_gow_poker", "rules": rules, "table": table, "round": [told]})
    fold, _after = play_one(
        scenario, scenario.rounds[0], Table(scenario.game, scenario.rules, scenario.setup, scenario.first_state())
    )
    kinds = [type(event) for event in fold.events if not isinstance(event, e.StackDelivered)]
    after_the_last_card = kinds[len(kinds) - kinds[::-1].index(e.CardDealt)]
    assert (after_the_last_card is e.ShakerCovered) == (method == "shaker")
    assert kinds.count(e.ShakerCovered) == (method == "shaker")


def test_561_10_c_stacks_are_made_from_left_to_right_and_back() -> None:
    played = Round([Seat(2, LOSES, "Jh 8s", "lose")], *KINGS, dealing="from_hand", start="seat 3")
    made = [act for act in play(played, dice=["1 1 3"])["order"] if act.startswith("card ")]
    assert [act.split()[-1] for act in made[:14]] == [*"1234567", *"7654321"]
    assert len(made) == 49


def test_561_10_c_the_leftmost_stack_goes_to_the_starting_position() -> None:
    played = Round([Seat(2, LOSES, "Jh 8s", "lose")], *KINGS, dealing="from_hand", start="seat 3")
    delivered = [act for act in play(played, dice=["1 1 3"])["order"] if act.startswith("stack ")]
    places = ["seat 3", "seat 4", "seat 5", "seat 6", "dealer", "seat 1", "seat 2"]
    assert delivered == [f"stack {number} -> {place}" for number, place in enumerate(places, 1)]


@pytest.mark.parametrize("dealing", METHODS)
def test_561_9_e_g_cards_at_places_without_a_wager_are_collected_unseen(dealing: str) -> None:
    shown = play(Round([Seat(2, LOSES, "Jh 8s", "lose")], *KINGS, dealing=dealing), dice=["1 1 6"])["order"]
    assert [act for act in shown if act.startswith("expose")] == ["expose dealer", "expose seat 2"]


# Comparing and paying (561.13) --------------------------------------------------------------------------------------


def only_row(seat: Seat, dealer: str, dealer_low: str, rules: dict[str, object] | None = None) -> Document:
    (row,) = play(Round([seat], dealer, dealer_low), rules, dice=["1 1 6"])["wagers"]
    assert isinstance(row, dict)
    return row


@pytest.mark.parametrize(
    ("cards", "low", "result", "cite"),
    [
        (LOSES, "Jh 8s", "lose", "561.13(h)"),  # 561.13(g)(1): both lower
        ("Kh Ks Qc 9h 7d 4c 2c", "Qc 9h", "lose", "561.13(h)"),  # (g)(2): both equal
        ("Jc Jd Qs 9c 6h 5d 3c", "Qs 9c", "lose", "561.13(h)"),  # (g)(2): one equal, the other lower
        ("As Ad Qd 9d 6c 5s 3h", "Qd 9d", "push", "561.13(j)"),  # (i)(1): high, and an equal low hand
        ("Ah Ac 9h 8c 5s 4h 3c", "9h 8c", "push", "561.13(j)"),  # (i)(1): high, and a lower one
        ("Kh Ks Ac Jd 7d 4c 2c", "Ac Jd", "push", "561.13(j)"),  # (i)(2): equal, and a higher low hand
        ("Ts Td Ks Js 7h 5d 2s", "Ks Js", "push", "561.13(j)"),  # (i)(2): lower, and a higher low hand
        (WINS, "Kh Jc", "win", "561.13(m)"),  # (k): both higher
    ],
)
def test_561_13_g_i_k_each_way_to_compare(cards: str, low: str, result: str, cite: str) -> None:
    row = only_row(Seat(2, cards, low, result), *KINGS)
    assert (row["result"], row["cite"]) == (result, cite)


def test_561_13_g_3_a_low_hand_above_its_high_hand_loses_whatever_the_dealer_has() -> None:
    nothing = ("Jd 9d 7s 5h 4s 3d 2d", "9d 7s")
    row = only_row(Seat(2, "Ac Ad Kh Qs 8h 6c 5c", "Ac Ad", "lose", does="set"), *nothing)
    assert (row["result"], row["cite"]) == ("lose", "561.13(h)")
    assert only_row(Seat(2, "Ac Ad Kh Qs 8h 6c 5c", "Kh Qs", "win", does="set"), *nothing)["result"] == "win"


@pytest.mark.parametrize("count", [0, 1, 3, 7])
def test_561_13_g_4_hands_of_another_number_of_cards_lose(count: int) -> None:
    class Misset(Script):
        def _set(self, act: acts.SetHands) -> tuple[Card, ...]:
            return act.low or act.cards[:count]

    played = Round([Seat(2, "Ac Kd Kh Qs 8h 6c 5c", "Ac Kd", "win", does="set")], "Jd 9d 7s 5h 4s 3d 2d", "9d 7s")
    ((row,), _shown) = played_by(Misset, played)
    assert (row.result, row.cite) == ("lose", "561.13(h)")


def test_561_13_l_winners_are_paid_when_all_hands_are_shown() -> None:
    seats = [
        Seat(1, "Ac Ad Kh Qs 8h 6c 5c", "Kh Qs", "win"),
        Seat(3, "Tc Td Ks Jc 8s 6d 4h", "Ks Jc", "win"),
        Seat(6, "6h 6s Ah Kc 9h 8d 3c", "Ah Kc", "win"),
    ]
    done = play(Round(seats, "Jd 9d 7s 5h 4s 3d 2d", "9d 7s"), dice=["1 1 6"])["order"]
    assert done[-7:] == [
        "expose dealer",
        "expose seat 6",
        "expose seat 3",
        "expose seat 1",
        "settle 6 pai_gow",
        "settle 3 pai_gow",
        "settle 1 pai_gow",
    ]


@pytest.mark.parametrize("cents", [25, 99, 100, 499, 500, 501, 1000, 1250, 2000, 2525, 10_000, 123_457])
def test_561_13_m_vigorish_is_five_percent_or_the_next_quarter(cents: int) -> None:
    five_percent = Fraction(cents, 20)
    to_the_cent = vigorish(PaiGowPokerSubmission().filed(), Money(cents))
    assert 0 <= five_percent - to_the_cent < 1
    up = vigorish(PaiGowPokerSubmission(vigorish_rounding="quarter_up").filed(), Money(cents))
    assert up % 25 == 0
    assert 0 <= up - five_percent < 25
    for rounding, extracted in (("none", to_the_cent), ("quarter_up", up)):
        seat = Seat(2, WINS, "Kh Jc", "win", cents)
        row = only_row(seat, *KINGS, rules={"vigorish_rounding": rounding})
        assert (row["paid"], row["vigorish"]) == tuple(
            f"{n // 100}.{n % 100:02d}" for n in (cents - extracted, extracted)
        )


@pytest.mark.parametrize("cents", [1, 10, 24, 25])
def test_561_13_m_vigorish_takes_no_more_than_was_won(cents: int) -> None:
    """Up to a quarter the next quarter is all of it: nothing is paid, and the wager goes back."""
    row = only_row(Seat(2, WINS, "Kh Jc", "win", cents), *KINGS, rules={"vigorish_rounding": "quarter_up"})
    assert (row["result"], row["odds"], row["paid"]) == ("win", None, "0.00")
    assert row["vigorish"] == row["returned"] == row["staked"] == f"0.{cents:02d}"


@pytest.mark.parametrize("at", ["dealer", "seat 4", "seat 2"])
def test_561_13_e_a_surrender_may_be_said_until_the_hands_are_turned_up(at: str) -> None:
    """At the dealer's reveal, and after the dealer has set: the wager goes, and the cards are not shown."""

    class Surrenders(Script):
        def _turn_up(self, act: acts.TurnUpHands) -> object:
            said = act.position.name == at and 2 in act.surrender
            return acts.Surrendered(2) if said else super()._turn_up(act)

    rows, shown = played_by(Surrenders, Round([Seat(2, LOSES, "Jh 8s", "lose"), Seat(4, WINS, "Kh Jc", "win")], *KINGS))
    assert {row.seat: row.result.value for row in rows} == {2: "surrendered", 4: "win"}
    assert shown == ["dealer", "seat 4"]


def played_by(performer: type[Script], played: Round) -> tuple[list[e.WagerSettled], list[str]]:
    """The rows of a round in which somebody does what no scenario says, and what was turned up in it."""
    told = {**script(played), "dice": ["1 1 6"]}
    scenario = parse({"game": "pai_gow_poker", "round": [told]})
    table = Table(scenario.game, scenario.rules, scenario.setup, scenario.first_state())
    events: list[e.Event] = []
    drive = Drive(play_round(table), scenario.game.transitions, lambda _step, _act, _result, made: events.extend(made))
    assert drive.advance(performer(scenario, scenario.rounds[0], table))
    rows = [event for event in events if isinstance(event, e.WagerSettled)]
    return rows, [str(event.position) for event in events if isinstance(event, e.CardsExposed)]
