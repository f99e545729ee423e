"""561.7 to 561.13, clause by clause, as events and acts of one round show them."""

from __future__ import annotations

import pytest

from tablectl import events as e
from tablectl.engine.scenario import parse
from tablectl.engine.script import play_one
from tablectl.procedure.table import Table
from tests.games.by_hand_561 import PLACES, Round, Seat, document, script

METHODS = ["manual_shoe", "from_hand", "automated_shoe"]
ANNOUNCED = {"manual_shoe": "561.9(a)", "from_hand": "561.10(a)(3)", "automated_shoe": "561.11(a)(2)"}
SEATS = [
    Seat(1, "Qc Qd Jh 8s 6h 4c 2c", "Jh 8s", "lose", 25_00),
    Seat(3, "Ah Ac 9h 8c 5s 4h 3c", "9h 8c", "push", 5_00),
    Seat(4, "As Ad Kh Jc 8d 6c 3s", "Kh Jc", "win", 10_00),
    Seat(6, "9c 9d 6s 5d Ks Td 2d", "Ks Td", "push", 10_00),
]
DEALER = ("Kc Kd Qh 9s 7c 4d 2h", "Qh 9s")


def played(dealing: str = "manual_shoe", **more: object) -> list[e.Event]:
    told = {**script(Round(SEATS, *DEALER, dealing=dealing)), "dice": ["1 1 6"], **more}
    table = {"dealing": dealing, "shuffler": "plain"}
    scenario = parse({"game": "pai_gow_poker", "table": table, "round": [told]})
    fold, _after = play_one(
        scenario, scenario.rounds[0], Table(scenario.game, scenario.rules, scenario.setup, scenario.first_state())
    )
    return list(fold.events)


def places(events: list[e.Event], kind: type[e.Event]) -> list[int]:
    return [number for number, event in enumerate(events) if isinstance(event, kind)]


@pytest.mark.parametrize("dealing", METHODS)
def test_561_9_a_10_a_3_11_a_2_no_more_bets_before_anything_is_dealt(dealing: str) -> None:
    events = played(dealing)
    (locked,) = places(events, e.BettingLocked)
    assert events[locked] == e.BettingLocked(ANNOUNCED[dealing])
    assert locked < places(events, e.StartChosen)[0] < places(events, e.CardDealt)[0]


@pytest.mark.parametrize("dealing", METHODS)
def test_561_9_b_10_b_11_b_starting_position_before_the_first_card(dealing: str) -> None:
    events = played(dealing)
    thrown, start, first = (places(events, kind)[0] for kind in (e.DiceThrown, e.StartChosen, e.CardDealt))
    assert thrown < start < first
    assert events[start] == e.StartChosen(events[start].position, "561.12(b)")  # type: ignore[attr-defined]


def test_561_9_c_single_cards_clockwise_to_all_seven_places() -> None:
    to = [str(event.to) for event in played(dice=["1 1 3"]) if isinstance(event, e.CardDealt)]
    assert to == [*PLACES[2:], *PLACES[:2]] * 7


def test_561_11_c_stacks_clockwise_to_all_seven_places() -> None:
    to = [str(event.to) for event in played("automated_shoe", dice=["1 1 3"]) if isinstance(event, e.CardDealt)]
    assert to == [place for place in [*PLACES[2:], *PLACES[:2]] for _ in range(7)]


@pytest.mark.parametrize("dealing", METHODS)
def test_561_9_d_e_10_d_e_11_d_e_four_cards_remain_unexposed(dealing: str) -> None:
    events = played(dealing)
    (counted,) = [event for event in events if isinstance(event, e.CardsCounted)]
    assert (counted.what, counted.total) == ("remainder", 53)
    assert counted.cite == {"manual_shoe": "561.9(d)", "from_hand": "561.10(d)", "automated_shoe": "561.11(d)"}[dealing]
    assert places(events, e.CardsCounted)[0] > places(events, e.CardDealt)[-1]


@pytest.mark.parametrize("dealing", METHODS)
def test_561_9_g_10_g_11_g_places_without_a_wager_are_cleared_after_the_count(dealing: str) -> None:
    events = played(dealing)
    cleared = [event for event in events if isinstance(event, e.CardsCollected)]
    clause = {"manual_shoe": "561.9(g)", "from_hand": "561.10(g)", "automated_shoe": "561.11(g)"}[dealing]
    assert [(str(event.position), event.cards, event.cite) for event in cleared] == [
        ("seat 2", 7, clause),
        ("seat 5", 7, clause),
    ]
    assert places(events, e.CardsCollected)[0] > places(events, e.CardsCounted)[0]


def test_561_13_a_every_player_is_asked_to_set_clockwise() -> None:
    asked = [event for event in played() if isinstance(event, e.SeatAsked)]
    assert [event.seat for event in asked] == [1, 3, 4, 6]
    assert {event.choices for event in asked} == {("set", "house_way", "surrender")}


def test_561_13_b_advice_is_the_dealers_own_manner() -> None:
    """Cards that the dealer would set so are set so for a player who leaves it to him."""
    lows = {str(event.position): event.low for event in played() if isinstance(event, e.HandsSet)}
    dealer = {str(event.position): event.low for event in played(cards=swapped()) if isinstance(event, e.HandsSet)}
    assert lows["seat 4"] == dealer["dealer"]
    assert lows["dealer"] == dealer["seat 4"]


def swapped() -> str:
    """The cards of the round with seat 4's hand at the dealer's place."""
    cards = script(Round(SEATS, *DEALER))["cards"].split()
    for turn in range(0, 49, 7):  # dealt from the dealer on: he is the first place, seat 4 the fifth
        cards[turn], cards[turn + 4] = cards[turn + 4], cards[turn]
    return " ".join(cards)


def test_561_13_c_dealer_turns_up_and_sets_when_all_players_have_set() -> None:
    events = played()
    first = places(events, e.CardsExposed)[0]
    assert events[first].position.kind == "dealer"  # type: ignore[attr-defined]
    assert first > places(events, e.SeatDecided)[-1]
    set_as = events[places(events, e.HandsSet)[0]]
    assert isinstance(set_as, e.HandsSet)
    assert (set_as.position.kind, [str(each) for each in set_as.low]) == ("dealer", ["Qh", "9s"])
    assert sorted(map(str, (*set_as.high, *set_as.low))) == sorted(DEALER[0].split())


def test_561_13_f_hands_are_shown_and_announced_counterclockwise() -> None:
    events = played()
    shown = [event.position.number for event in events if isinstance(event, e.CardsExposed)]
    assert shown == [0, 6, 4, 3, 1]
    announced = [event for event in events if isinstance(event, e.ResultAnnounced)]
    assert [(event.seat, event.result, event.cite) for event in announced] == [
        (6, "push", "561.13(f)"),
        (4, "win", "561.13(f)"),
        (3, "push", "561.13(f)"),
        (1, "lose", "561.13(f)"),
    ]


def test_561_13_h_j_losing_and_tied_wagers_are_settled_before_the_next_hand_is_shown() -> None:
    order = document(Round(SEATS, *DEALER))["order"]
    assert order[order.index("expose dealer") :] == [
        "expose dealer",
        "expose seat 6",
        "settle 6 pai_gow",
        "expose seat 4",
        "expose seat 3",
        "settle 3 pai_gow",
        "expose seat 1",
        "settle 1 pai_gow",
        "settle 4 pai_gow",
    ]
    told = [event for event in played() if isinstance(event, e.WagerSettled | e.CardsExposed)]
    seats = [event.seat if isinstance(event, e.WagerSettled) else event.position.number for event in told]
    assert seats == [0, 6, 6, 4, 3, 3, 1, 1, 4]


def test_561_13_m_vigorish_is_on_record_with_the_payment() -> None:
    (won,) = [event for event in played() if isinstance(event, e.WagerSettled) and event.paid]
    assert (won.seat, won.odds, won.paid, won.vigorish, won.cite) == (4, "1:1", 950, 50, "561.13(m)")


def test_561_13_n_no_card_is_shown_of_hands_that_are_collected_unseen() -> None:
    told = played(decisions={"1": ["surrender"], "3": ["house_way"], "4": ["house_way"], "6": ["house_way"]})
    collected = [
        (str(event.position), event.cards, event.cite) for event in told if isinstance(event, e.CardsCollected)
    ]
    assert ("seat 1", 7, "561.13(e)") in collected
    assert "seat 1" not in {str(event.position) for event in told if isinstance(event, e.CardsExposed)}
