"""563.13 at every moment of a round: inside the window of its clause the remedy, outside it a record and nothing else.

One seat with Ante and Bonus bets on every street and wins; the stub count is due.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.by_hand_563 import Round, Seat, document, order, row, script, settle_bonus
from tests.games.rounds import Incidents, only_round, outcome
from tests.games.scenarios import Document, without_deck_ids

DEALINGS = ["manual_shoe", "from_hand", "automated_shoe"]
HANDS = [f"card {number}" for number in range(1, 5)]
FLOP, TURN, RIVER = ["card 5", "card 6", "card 7", "card 8"], ["card 9", "card 10"], ["card 11", "card 12"]
MOMENTS = [
    "shuffle",
    *HANDS,
    "decision 1",
    *FLOP,
    "decision 1.2",
    *TURN,
    "decision 1.3",
    *RIVER,
    "count",
    "reveal",
    "settle 1",
]
AFTER_THE_SHUFFLE = MOMENTS[1:]
UNTIL_THE_LAST_DECISION = MOMENTS[1 : MOMENTS.index("decision 1.3") + 1]
STAKES = [("ante", 1000), ("flop", 2000), ("turn", 1000), ("river", 1000)]


def smooth(dealing: str = "manual_shoe") -> Round:
    seat = Seat(1, ["Kh", "Ks"], 1000, 500, turn=True, river=True)
    board = ["9c", "5d", "2s", "7h", "Kd"]
    automated = dealing == "automated_shoe"
    return Round([seat], ["Qc", "Jd"], board, ["3c", "3d", "3h"], automated=automated, counted=True)


def play(dealing: str = "manual_shoe", shuffler: str = "plain", incidents: Incidents = ()) -> Document:
    table = {"dealing": dealing, "shuffler": shuffler, "rounds_since_count": 4}
    document = outcome(script(smooth(dealing), incidents=incidents), table=table, game="texas_holdem_bonus")
    return only_round(without_deck_ids(document))


def expected(dealing: str = "manual_shoe", remedies: tuple[str, ...] = ()) -> Document:
    return {**document(smooth(dealing)), "remedies": list(remedies)}


def noticed(moment: str, kind: str, **said: Any) -> list[dict[str, Any]]:
    return [{"at": moment, "kind": kind, **said}]


def placed(moment: str) -> list[tuple[str, int]]:
    """The wagers of the seat at that moment, without the Bonus."""
    decided = sum(MOMENTS.index(moment) > MOMENTS.index(d) for d in ("decision 1", "decision 1.2", "decision 1.3"))
    return STAKES[: 1 + decided]


def acts_before(moment: str, dealing: str) -> list[str]:
    """The acts up to the moment; a stack is out of the shoe before anybody can notice something about its cards."""
    acts = order(smooth(dealing))
    if moment.startswith("card"):
        last = int(moment.split()[1])
        if dealing == "automated_shoe" and last <= 4:
            last += last % 2
        return acts[: next(place for place, act in enumerate(acts, 1) if act.startswith(f"card {last} "))]
    if moment.startswith("decision"):
        asked = [place for place, act in enumerate(acts, 1) if act == "ask 1"]
        return acts[: asked[int((moment + ".1").split(".")[1]) - 1]]
    return acts[
        : acts.index({"count": "expose community 5", "reveal": "count stub", "settle 1": "expose dealer"}[moment]) + 1
    ]


def void(moment: str, kind: str, cite: str, dealing: str, remedies: list[str], *, bonus: bool) -> Document:
    seat = smooth(dealing).seats[0]
    rows = [row(1, wager, staked, "void", cite) for wager, staked in placed(moment)]
    last = settle_bonus(seat, smooth(dealing), []) if bonus else row(1, "bonus", 500, "void", cite)
    acts = [f"settle 1 {each['wager']}" for each in rows]
    return {
        "outcome": "void",
        "cause": kind,
        "cite": cite,
        "wagers": [*rows, last],
        "net": {"1": last["paid"]},
        "remedies": remedies,
        "deck": {"disposition": "reshuffle"},
        "order": [*acts_before(moment, dealing), *acts, *(["expose seat 1"] if bonus else []), "settle 1 bonus"],
    }


def assert_nothing_is_done(moment: str, kind: str, dealing: str = "manual_shoe", **said: Any) -> None:
    assert play(dealing, incidents=noticed(moment, kind, **said)) == expected(dealing)


@pytest.mark.parametrize("moment", UNTIL_THE_LAST_DECISION)
@pytest.mark.parametrize("dealing", DEALINGS)
def test_563_13_a_dealer_card_exposed_before_the_last_decision(moment: str, dealing: str) -> None:
    two_cards = moment not in ("card 1", "card 2") or dealing == "automated_shoe"
    remedies = ["wagers_returned", *(["bonus_settled"] if two_cards else [])]
    played = play(dealing, incidents=noticed(moment, "card_exposed", position="dealer"))
    assert played == void(moment, "card_exposed", "563.13(a)", dealing, remedies, bonus=two_cards)


@pytest.mark.parametrize("moment", [m for m in MOMENTS if m not in UNTIL_THE_LAST_DECISION])
@pytest.mark.parametrize("dealing", DEALINGS)
def test_563_13_a_ends_with_the_last_river_decision(moment: str, dealing: str) -> None:
    assert_nothing_is_done(moment, "card_exposed", dealing, position="dealer")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("position", ["seat 1", "community", "burn"])
def test_563_13_a_is_about_the_dealers_cards(moment: str, position: str) -> None:
    assert_nothing_is_done(moment, "card_exposed", position=position)


@pytest.mark.parametrize("moment", AFTER_THE_SHUFFLE)
@pytest.mark.parametrize("position", ["dealer", "seat 1"])
@pytest.mark.parametrize("dealing", DEALINGS)
def test_563_13_d_wrong_number_of_cards_returns_the_bonus_too(moment: str, position: str, dealing: str) -> None:
    played = play(dealing, incidents=noticed(moment, "wrong_card_count", position=position))
    remedies = ["wagers_returned", "cards_reshuffled"]
    assert played == void(moment, "wrong_card_count", "563.13(d)", dealing, remedies, bonus=False)


@pytest.mark.parametrize("moment", MOMENTS)
def test_563_13_d_knows_players_and_the_dealer_only(moment: str) -> None:
    assert_nothing_is_done(moment, "wrong_card_count", position="community")


@pytest.mark.parametrize("moment", MOMENTS)
def test_563_13_c_card_drawn_in_error_is_the_next_card(moment: str) -> None:
    inside = moment not in ("shuffle", "reveal", "settle 1")
    played = play(incidents=noticed(moment, "drawn_in_error"))
    assert played == expected(remedies=("round_resumed",) if inside else ())


@pytest.mark.parametrize("moment", MOMENTS)
def test_563_13_c_says_nothing_of_a_card_that_was_seen(moment: str) -> None:
    assert_nothing_is_done(moment, "drawn_in_error", exposed=True)


@pytest.mark.parametrize("moment", [m for m in MOMENTS if not m.startswith("card")])
def test_563_13_b_is_about_cards_found_during_the_deal(moment: str) -> None:
    assert_nothing_is_done(moment, "card_face_up")


@pytest.mark.parametrize("first", range(1, 13))
@pytest.mark.parametrize("dealing", DEALINGS)
def test_563_13_b_second_face_up_card_settles_the_bonus_once_the_hands_are_out(first: int, dealing: str) -> None:
    """The second one right behind the first, wherever that is: also where a card is burned."""
    played = smooth(dealing)
    document = script(played)
    cards = document["cards"].split()
    cards[first - 1 : first - 1] = ["^Tc", "^Td"]
    document["cards"] = " ".join(cards)
    table = {"dealing": dealing, "shuffler": "plain", "rounds_since_count": 4}
    found = only_round(outcome(document, table=table, game="texas_holdem_bonus"))
    assert (found["outcome"], found["cause"], found["cite"]) == ("void", "card_face_up", "563.13(b)")
    bonus = next(each for each in found["wagers"] if each["wager"] == "bonus")
    if first > 4:
        assert found["remedies"] == ["wagers_returned", "cards_reshuffled", "bonus_settled"]
        assert bonus == settle_bonus(played.seats[0], played, [])
    else:
        assert found["remedies"] == ["wagers_returned", "cards_reshuffled"]
        assert bonus == row(1, "bonus", 500, "void", "563.13(b)")


@pytest.mark.parametrize("number", range(1, 13))
@pytest.mark.parametrize("dealing", DEALINGS)
def test_563_13_b_face_up_card_is_replaced_by_the_next(number: int, dealing: str) -> None:
    document = script(smooth(dealing))
    cards = document["cards"].split()
    cards.insert(number - 1, "^Tc")
    document["cards"] = " ".join(cards)
    table = {"dealing": dealing, "shuffler": "plain", "rounds_since_count": 4}
    found = only_round(without_deck_ids(outcome(document, table=table, game="texas_holdem_bonus")))
    wanted = expected(dealing, remedies=("card_discarded",))
    assert {**found, "order": []} == {**wanted, "order": []}
    racked = [act for act in found["order"] if act.endswith("rack")]
    assert racked == [f"card {number} -> rack"]
    assert [act.split(" -> ")[-1] for act in found["order"] if not act.endswith("rack")] == [
        act.split(" -> ")[-1] for act in wanted["order"]
    ]


@pytest.mark.parametrize("kind", ["shuffler_jam", "shuffle_incomplete"])
def test_563_13_e_shuffler_fault_is_mended_by_shuffling_again(kind: str) -> None:
    assert play(incidents=noticed("shuffle", kind)) == expected(remedies=("cards_reshuffled",))
    assert play(shuffler="none", incidents=noticed("shuffle", kind)) == expected()


@pytest.mark.parametrize("moment", AFTER_THE_SHUFFLE)
def test_563_13_e_g_are_about_the_shuffle(moment: str) -> None:
    for kind in ("shuffler_jam", "shuffler_out_of_service", "shoe_out_of_service"):
        assert_nothing_is_done(moment, kind)


@pytest.mark.parametrize("moment", HANDS)
def test_563_13_f_automated_shoe_that_jams_returns_the_bonus_too(moment: str) -> None:
    played = play("automated_shoe", incidents=noticed(moment, "shoe_jam"))
    assert (played["outcome"], played["cause"], played["cite"]) == ("void", "shoe_jam", "563.13(f)")
    assert played["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert played["wagers"] == [row(1, "ante", 1000, "void", "563.13(f)"), row(1, "bonus", 500, "void", "563.13(f)")]
    last = f"card {moment.split()[1]} -> {'seat 1' if moment in HANDS[:2] else 'dealer'}"
    assert played["order"][-3:] == [last, "settle 1 ante", "settle 1 bonus"]


@pytest.mark.parametrize("moment", [m for m in MOMENTS if m not in HANDS])
def test_563_13_f_is_over_when_the_rest_is_taken_out_of_the_shoe(moment: str) -> None:
    assert_nothing_is_done(moment, "shoe_jam", "automated_shoe")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("dealing", ["manual_shoe", "from_hand"])
def test_563_13_f_is_about_automated_shoes(moment: str, dealing: str) -> None:
    assert_nothing_is_done(moment, "shoe_jam", dealing)


@pytest.mark.parametrize(
    ("kind", "dealing"), [("shoe_out_of_service", "automated_shoe"), ("shuffler_out_of_service", "manual_shoe")]
)
def test_563_13_g_a_device_leaves_the_table_before_another_method_is_used(kind: str, dealing: str) -> None:
    played = play(dealing, incidents=noticed("shuffle", kind))
    cards = outcome(
        {**script(smooth("manual_shoe")), "cards": script(smooth(dealing))["cards"]},
        table={"rounds_since_count": 4},
        game="texas_holdem_bonus",
    )
    assert played == {**only_round(without_deck_ids(cards)), "remedies": ["device_removed"]}


RECORDED = ["late_wager", "wager_changed", "wrong_stake", "identity_conflict", "deck_change_due", "device_lost"]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", RECORDED)
def test_563_7_b_what_is_only_recorded_moves_no_chip(moment: str, kind: str) -> None:
    assert_nothing_is_done(moment, kind, position="seat 1")


@pytest.mark.parametrize("moment", MOMENTS)
def test_power_loss_undoes_nothing(moment: str) -> None:
    assert play(incidents=noticed(moment, "power_loss")) == expected(remedies=("round_resumed",))


@pytest.mark.parametrize("moment", [m for m in AFTER_THE_SHUFFLE if m != "settle 1"])
def test_563_7_e_a_player_who_leaves_loses_what_is_open(moment: str) -> None:
    """He is not asked any more, his cards are not turned up, and the board is dealt to its end."""
    table = {"shuffler": "plain", "rounds_since_count": 4}
    document = script(smooth(), incidents=noticed(moment, "player_left", position="seat 1"))
    document["decisions"] = {"1": ["bet"] * (len(placed(moment)) - 1)}
    found = only_round(outcome(document, table=table, game="texas_holdem_bonus"))
    stakes = [*placed(moment), ("bonus", 500)]
    assert found["wagers"] == [row(1, wager, staked, "forfeited", "563.7(e)") for wager, staked in stakes]
    acts = found["order"]
    asked = len(placed(moment)) - 1 + moment.startswith("decision")
    assert acts.count("ask 1") == asked
    assert acts.count("expose community 5") == acts.count("count stub") == acts.count("expose dealer") == 1
    assert "expose seat 1" not in acts
