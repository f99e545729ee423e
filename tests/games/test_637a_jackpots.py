"""Bad Beat, High Hand Jackpot and rake of the poker room, clause by clause (637a.15 to 637a.17)."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from pydantic import ValidationError

from tablectl import events as e
from tablectl.engine.drive import Interrupted
from tablectl.engine.scenario import parse
from tablectl.engine.script import play, play_one
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.jackpots import BAD_BEAT, HIGH_HAND
from tablectl.procedure.table import Table
from tablectl_hil.players import Players
from tests.games.house import (
    DEALER,
    DROP,
    FINANCE,
    FLOOR,
    FOLDED,
    FULL_LOSES,
    NOTHING,
    SECURITY,
    SUPERVISOR,
    House,
    booked,
    only,
    quads_lose,
)

HOUR = 60 * 60


def refused(**rules: Any) -> list[tuple[str, str | None]]:
    """Key and clause of everything that is refused in a submission."""
    filed = game("omaha_high").submission.model_validate(rules)
    return [(objection.key, objection.cite) for objection in filed.objections()]


# Bad Beat -------------------------------------------------------------------------------------------------------------


def test_637a_15_a_only_if_filed() -> None:
    house = House().holds(fund=1_000_00)
    assert only(house.play(quads_lose()), e.BadBeatVerified) == []
    assert house.bad_beat.books.contributed == 0


def test_637a_15_b_1_and_2_contribution_and_its_minimum_pot_are_filed() -> None:
    assert refused(bad_beat={"drop": "0.00", "minimum_pot": "5.00"}) == [("bad_beat.drop", "637a.15(b)(1)")]
    assert refused(bad_beat={"drop": "2.00", "minimum_pot": "1.00"}) == [("bad_beat.minimum_pot", "637a.15(b)(2)")]
    assert refused(bad_beat=DROP) == []


def test_637a_15_b_3_shares_are_no_more_than_all() -> None:
    assert refused(bad_beat={**DROP, "loser_percent": 60, "winner_percent": 41}) == [("bad_beat", "637a.15(b)(3)")]
    assert refused(bad_beat={**DROP, "loser_percent": 60, "winner_percent": 40}) == []


@pytest.mark.parametrize(("minimum", "dropped"), [("6.00", [("drop", 1_00)]), ("6.01", [])])
def test_637a_15_c_contribution_after_the_rake_from_the_minimum_pot_on(minimum: str, dropped: list[Any]) -> None:
    rake = {"type": "percentage", "percent": 10, "maximum": "4.00"}
    bad_beat = {"drop": "1.00", "minimum_pot": minimum}
    house = House({"smallest_chip": "0.50", "rake": rake, "bad_beat": bad_beat})
    events = house.play(quads_lose(NOTHING))
    (pot,) = only(events, e.PotFormed)
    assert (pot.amount, pot.rake, pot.bad_beat) == (6_00, 50, 1_00 if dropped else 0)
    assert booked(events) == dropped
    assert house.bad_beat.books.box == house.bad_beat.books.contributed == pot.bad_beat


def test_637a_15_c_nothing_is_booked_of_a_round_that_is_void() -> None:
    house = House({"bad_beat": DROP, "rake": {"type": "percentage", "percent": 10, "maximum": "4.00"}})
    incident = {"at": "decision 1.4", "kind": "missing_cards"}
    decisions = {"1": ["call", *["check"] * 2], "2": ["check"] * 3, "3": ["call", *["check"] * 2]}
    events = house.play(quads_lose(incidents=[incident], decisions=decisions))
    assert only(events, e.RoundClosed)[0].outcome is e.Outcome.VOID
    assert booked(events) == []
    assert only(events, e.RakeDropped) == []
    assert house.bad_beat.books.box == 0


def test_637a_15_d_each_box_is_counted_once_in_a_gaming_day_and_compliance_is_told() -> None:
    house = House({"bad_beat": DROP})
    events = house.close()
    (notice,) = [event for event in only(events, e.StepAttested) if event.step == "compliance_notice"]
    assert (notice.cite, notice.credential) == ("637a.15(d)", DEALER)
    assert len(only(events, e.BoxSent)) == 1
    assert house.bad_beat.counted_day == 1

    again = House({"bad_beat": DROP})
    again.play(quads_lose(NOTHING))
    again.order("bad_beat_box")
    assert only(again.close(), e.BoxSent) == [], "it was counted in the day, and there is nothing in it"


def test_637a_15_d_1_at_the_closed_table_by_the_dealer_before_a_floorperson() -> None:
    house = House({"bad_beat": DROP}, said={acts.EmptyBox: acts.ContentsCounted(Money(1_00), FLOOR, SECURITY)})
    house.play(quads_lose(NOTHING))
    events = house.close()
    assert only(events, e.BoxCounted) == [e.BoxCounted(BAD_BEAT, Money(1_00), DEALER, FLOOR, SECURITY, "637a.15(d)(1)")]
    assert only(events, e.AlarmRaised)[0].kind == "display_not_adjusted"
    (act,) = [act for act in house.asked if isinstance(act, acts.EmptyBox)]
    assert act.here
    assert (house.bad_beat.books.box, house.bad_beat.books.sent, house.bad_beat.books.over) == (0, 1_00, 0)


def test_637a_15_d_1_a_count_that_differs_is_an_alarm_and_on_the_books() -> None:
    house = House({"bad_beat": DROP}, said={acts.EmptyBox: acts.ContentsCounted(Money(50), FLOOR, SECURITY)})
    house.play(quads_lose(NOTHING))
    alarm = only(house.close(), e.AlarmRaised)[0]
    assert (alarm.source, alarm.kind, alarm.message) == (
        "bad_beat",
        "count_differs",
        "0.50 counted, 1.00 by our books",
    )
    assert (house.bad_beat.books.sent, house.bad_beat.books.over) == (50, -50)


def test_637a_15_d_2_the_box_goes_to_the_cage_with_security() -> None:
    house = House({"bad_beat": DROP})
    house.play(quads_lose(NOTHING))
    events = house.order("bad_beat_box")
    assert only(events, e.BoxSent) == [e.BoxSent(BAD_BEAT, FLOOR, SECURITY, "637a.15(d)(2)")]
    assert booked(events) == [("sent", 1_00)]
    (act,) = [act for act in house.asked if isinstance(act, acts.EmptyBox)]
    assert not act.here, "the table is not closed"


def test_637a_15_e_the_cashier_counts_what_was_sent() -> None:
    house = House({"bad_beat": DROP})
    house.play(quads_lose(NOTHING))
    house.order("bad_beat_box")
    events = house.order("bad_beat_counted", 1_00)
    assert [(x.reason, x.fund, x.cite) for x in only(events, e.JackpotBooked)] == [("counted", 1_00, "637a.15(e)")]
    assert only(events, e.AlarmRaised) == []
    assert house.bad_beat.books.sent == 0


def test_637a_15_f_the_shift_supervisor_verifies_before_anything_is_owed() -> None:
    house = House({"bad_beat": DROP}).holds(fund=1_000_00)
    events = house.play(quads_lose())
    (verified,) = only(events, e.BadBeatVerified)
    assert verified == e.BadBeatVerified(
        (2,), "four_of_a_kind 9 K", (1,), "four_of_a_kind K 9", Money(1_000_00), SUPERVISOR, "637a.15(f)"
    )
    owed = {(o.seat, o.part): o.amount for o in only(events, e.JackpotOwed)}
    assert owed == {(2, "loser"): 500_00, (1, "winner"): 250_00, (3, "table"): 250_00}
    names = [event.name for event in events]
    assert names.index("jackpot.bad_beat_verified") < names.index("jackpot.owed") < names.index("round.closed")
    assert names.index("jackpot.booked") < names.index("jackpot.owed"), "this round's contribution comes first"


def test_637a_15_f_what_the_supervisor_refuses_is_not_paid() -> None:
    house = House({"bad_beat": DROP}, said={acts.VerifyBadBeat: acts.Denied(SUPERVISOR)}).holds(fund=1_000_00)
    events = house.play(quads_lose())
    assert only(events, e.BadBeatRefused) == [e.BadBeatRefused((2,), "four_of_a_kind 9 K", SUPERVISOR, "637a.15(f)")]
    assert booked(events) == [("drop", 1_00)]
    assert not house.bad_beat.pending


@pytest.mark.parametrize(
    ("filed", "cards", "called"),
    [
        ({}, None, True),
        ({}, FULL_LOSES, False),
        ({"qualifying": "full_house"}, FULL_LOSES, True),
        ({"qualifying": "straight_flush"}, None, False),
        ({"minimum_players": 3}, None, True),
        ({"minimum_players": 4}, None, False),
    ],
)
def test_637a_15_b_3_what_qualifies_is_filed(filed: dict[str, Any], cards: str | None, called: bool) -> None:
    house = House({"bad_beat": {**DROP, **filed}}).holds(fund=1_000_00)
    events = house.play(quads_lose() if cards is None else quads_lose(cards))
    assert bool(only(events, e.BadBeatVerified)) is called


def test_637a_15_b_3_a_part_of_what_is_displayed_may_be_filed_to_be_paid() -> None:
    house = House({"bad_beat": {**DROP, "payout_percent": 70}}).holds(fund=999_00)
    assert only(house.play(quads_lose()), e.BadBeatVerified)[0].amount == 699_00
    assert house.bad_beat.books.fund == 300_00


def test_637a_15_f_1_and_2_notice_that_the_display_is_pending_and_security_or_finance_called() -> None:
    house = House({"bad_beat": DROP}).holds(fund=1_000_00)
    events = house.play(quads_lose())
    steps = [(event.step, event.cite) for event in only(events, e.StepAttested)]
    assert steps[-2:] == [("pending_notice", "637a.15(f)(1)"), ("call_for_payout", "637a.15(f)(2)")]
    assert house.bad_beat.pending
    assert only(events, e.JackpotBooked)[-1].pending
    assert house.bad_beat.display == 1_000_00, "until it is adjusted"


@pytest.mark.parametrize("place", ["table", "cage"])
def test_637a_15_g_the_payout_is_prepared_by_finance_at_the_table_or_in_the_cage(place: str) -> None:
    house = House({"bad_beat": DROP}, said={acts.PayJackpot: acts.PaidOut(place, FINANCE)}).holds(fund=1_000_00)
    house.play(quads_lose())
    events = [event for _ in range(3) for event in house.order("bad_beat_paid")]
    paid = [(x.reference, x.seat, x.amount, x.place, x.credential, x.second) for x in only(events, e.JackpotPaid)]
    assert paid == [
        ("1-2", 2, 500_00, place, FLOOR, FINANCE),
        ("1-1", 1, 250_00, place, FLOOR, FINANCE),
        ("1-3", 3, 250_00, place, FLOOR, FINANCE),
    ]
    assert (house.bad_beat.books.owed, house.bad_beat.books.paid, house.bad_beat.owed) == (0, 1_000_00, ())
    assert "bad_beat_paid" not in house.possible


def test_637a_15_g_what_is_not_paid_after_all_stays_owed() -> None:
    house = House({"bad_beat": DROP}, said={acts.PayJackpot: acts.NotAgreed()}).holds(fund=1_000_00)
    house.play(quads_lose())
    assert booked(house.order("bad_beat_paid")) == []
    assert house.bad_beat.books.owed == 1_000_00


def test_637a_15_h_finance_adjusts_the_display_before_a_floorperson() -> None:
    house = House({"bad_beat": DROP}).holds(fund=1_000_00)
    house.play(quads_lose())
    events = house.order("bad_beat_display", 40_00)
    (adjusted,) = only(events, e.JackpotBooked)
    told = adjusted.reason, adjusted.display, adjusted.fund, adjusted.pending, adjusted.credential, adjusted.second
    assert told == ("adjusted", 40_00, 40_00, False, FLOOR, FINANCE)
    assert adjusted.cite == "637a.15(h)(1)"
    alarms = [event.kind for event in only(house.close(), e.AlarmRaised)]
    assert alarms == [], "it was adjusted in this gaming day"


def test_637a_15_h_1_it_stays_pending_where_finance_does_not_adjust_it() -> None:
    house = House({"bad_beat": DROP}, said={acts.AdjustDisplay: acts.NotAgreed()}).holds(fund=1_000_00)
    house.play(quads_lose())
    assert booked(house.order("bad_beat_display", 40_00)) == []
    assert house.bad_beat.pending


def test_637a_15_h_2_what_is_displayed_is_what_finance_maintains() -> None:
    house = House({"bad_beat": DROP})
    house.order("bad_beat_display", 5_432_10)
    assert house.bad_beat.display == house.bad_beat.books.fund == house.bad_beat.books.others == 5_432_10


def test_637a_15_f_a_second_bad_beat_before_the_adjustment_is_paid_what_the_fund_has() -> None:
    house = House({"bad_beat": DROP}).holds(fund=1_000_00)
    house.play(quads_lose())
    house.order("bad_beat_box")
    house.order("bad_beat_counted", 1_00)
    assert only(house.play(quads_lose()), e.BadBeatVerified)[0].amount == 1_00
    assert house.bad_beat.books.fund == 0


@pytest.mark.parametrize(("how", "left"), [("paid_out", 1_000_00), ("transferred", 0)])
def test_637a_15_i_discontinued_as_filed_and_nothing_more_is_contributed(how: str, left: int) -> None:
    house = House({"bad_beat": {**DROP, "discontinuation": how}}).holds(fund=1_000_00)
    events = house.order("bad_beat_end")
    (ended,) = only(events, e.JackpotBooked)
    assert (ended.reason, ended.cite, ended.second) == ("ended", "637a.15(i)", FINANCE)
    assert (house.bad_beat.books.fund, house.bad_beat.display) == (left, left)
    assert house.bad_beat.books.transferred == 1_000_00 - left
    events = house.play(quads_lose())
    assert only(events, e.PotFormed)[0].bad_beat == 0
    verified = only(events, e.BadBeatVerified)
    assert [event.amount for event in verified] == ([left] if left else [])


def test_637a_15_i_what_is_left_goes_over_when_no_bad_beat_is_on_file_any_more() -> None:
    house = House().holds(fund=80_00)
    assert "bad_beat_end" in house.possible
    house.order("bad_beat_end")
    assert (house.bad_beat.books.fund, house.bad_beat.books.transferred, house.bad_beat.display) == (0, 80_00, 0)
    assert "bad_beat_end" not in house.possible


# High Hand ------------------------------------------------------------------------------------------------------------

HIGH: dict[str, Any] = {"high_hand": {**DROP, "minimum_players": 3}}


def test_637a_16_a_only_if_filed() -> None:
    assert only(House().play(quads_lose()), e.HighHandRecorded) == []


def test_637a_16_b_2_and_3_contribution_and_its_minimum_pot_are_filed() -> None:
    assert refused(high_hand={"drop": "0.00", "minimum_pot": "5.00"}) == [("high_hand.drop", "637a.16(b)(2)")]
    assert refused(high_hand={"drop": "2.00", "minimum_pot": "1.00"}) == [("high_hand.minimum_pot", "637a.16(b)(3)")]


@pytest.mark.parametrize("key", ["period_minutes", "claim_days"])
def test_637a_16_b_1_and_6_period_and_time_to_claim_are_filed(key: str) -> None:
    assert refused(high_hand={**DROP, key: 1}) == []
    with pytest.raises(ValidationError, match=key):
        refused(high_hand={**DROP, key: 0})


def test_637a_16_b_7_and_f_1_nothing_of_a_player_but_the_seat_and_the_reference_is_recorded() -> None:
    """Name, phone number and identification are on the paper slip, which the reference names."""
    house = House({"bad_beat": DROP, **HIGH}).holds(fund=1_000_00)
    house.play(quads_lose())
    for kind in (e.HighHandRecorded, e.BadBeatVerified, e.JackpotOwed):
        for event in only(house.events, kind):
            said = {field.name for field in dataclasses.fields(event)}
            assert not [name for name in said if "name" in name or "phone" in name or "identification" in name]
    (recorded,) = only(house.events, e.HighHandRecorded)
    assert (recorded.seat, recorded.reference) == (1, "1-1-1")


@pytest.mark.parametrize(("least", "tracked"), [(3, True), (4, False)])
def test_637a_16_b_4_so_many_players_have_to_be_dealt_in(least: int, tracked: bool) -> None:
    house = House({"high_hand": {**DROP, "minimum_players": least}})
    assert bool(only(house.play(quads_lose()), e.HighHandRecorded)) is tracked


def test_637a_16_c_contribution_after_the_rake_and_that_of_the_bad_beat() -> None:
    house = House({"bad_beat": DROP, **HIGH})
    events = house.play(quads_lose(NOTHING))
    assert (booked(events), booked(events, HIGH_HAND)) == ([("drop", 1_00)], [("drop", 1_00)])
    assert house.high_hand.books.box == 1_00
    assert [x.cite for x in only(events, e.JackpotBooked)] == ["637a.15(c)", "637a.16(c)"]


def test_637a_16_f_from_a_full_house_up_each_higher_hand_is_on_the_slip() -> None:
    house = House(HIGH)
    assert only(house.play(quads_lose(NOTHING)), e.HighHandRecorded) == []
    (full,) = only(house.play(quads_lose(FULL_LOSES)), e.HighHandRecorded)
    assert (full.seat, full.hand, full.dealer, full.credential) == (1, "full_house K Q", DEALER, FLOOR)
    assert full.reference == "1-2-1", "period, round, seat: name and phone are on the paper alone"
    (quads,) = only(house.play(quads_lose()), e.HighHandRecorded)
    assert quads.hand == "four_of_a_kind K 9"
    assert only(house.play(quads_lose(FULL_LOSES)), e.HighHandRecorded) == [], "it is lower"
    assert [slip.reference for slip in house.high_hand.slips] == ["1-3-1"]


def test_637a_16_f_what_a_floorperson_does_not_verify_is_not_on_the_slip() -> None:
    house = House(HIGH, said={acts.VerifyHighHand: acts.Denied(FLOOR)})
    events = house.play(quads_lose())
    assert [(x.seat, x.credential) for x in only(events, e.HighHandRefused)] == [(1, FLOOR)]
    assert house.high_hand.slips == ()


@pytest.mark.parametrize(("equal", "references"), [("divided", ["1-1-1", "1-2-1"]), ("first", ["1-1-1"])])
def test_637a_16_b_5_equal_hands_divide_or_the_first_has_it(equal: str, references: list[str]) -> None:
    house = House({"high_hand": {**DROP, "minimum_players": 3, "equal_hands": equal}})
    house.play(quads_lose())
    house.play(quads_lose())
    assert [slip.reference for slip in house.high_hand.slips] == references


def ended_period(house: House, *rounds: dict[str, Any]) -> list[e.Event]:
    """A period with these rounds, and the first round after it."""
    for document in rounds:
        house.play(document)
    house.now += HOUR
    return house.play(FOLDED)


def test_637a_16_d_the_box_is_emptied_at_the_end_of_the_period() -> None:
    house = House(HIGH)
    house.play(quads_lose())
    house.now += HOUR - 1
    assert only(house.play(FOLDED), e.PeriodEnded) == []
    house.now += 1
    events = house.play(FOLDED)
    assert only(events, e.BoxSent) == [e.BoxSent(HIGH_HAND, FLOOR, SECURITY, "637a.16(d)(2)")]
    assert only(events, e.PeriodEnded) == [e.PeriodEnded(1, ("1-1-1",), 1_000_000 + HOUR, "637a.16(g)")]
    assert (house.high_hand.period, house.high_hand.slips, house.high_hand.books.sent) == (2, (), 1_00)
    assert [event.name for event in events].index("jackpot.period_ended") < [event.name for event in events].index(
        "round.seated"
    ), "a round belongs to the period in which it begins"


def test_637a_16_f_the_next_period_begins_when_the_last_one_ended_however_late_that_was_found() -> None:
    house = House({"high_hand": {**DROP, "period_minutes": 30}})
    house.play(FOLDED)
    began = house.high_hand.began
    house.now += 100 * 60
    house.play(FOLDED)
    assert (house.high_hand.period, house.high_hand.began) == (2, began + 90 * 60)


def test_637a_16_e_and_g_pooled_amount_is_told_when_the_box_is_counted() -> None:
    house = House(HIGH)
    ended_period(house, quads_lose())
    assert "high_hand_won_here" not in house.possible
    house.order("high_hand_counted", 1_00)
    assert {"high_hand_won_here", "high_hand_won_elsewhere"} <= set(house.possible)
    assert "high_hand_carried_over" not in house.possible, "somebody has made a full house"


def test_637a_16_h_the_highest_hand_is_awarded_the_pooled_amount_and_paid_in_the_cage() -> None:
    house = House(HIGH)
    ended_period(house, quads_lose())
    house.order("high_hand_counted", 1_00)
    events = house.order("high_hand_won_here", 250_00)
    (awarded,) = only(events, e.PeriodAwarded)
    assert (awarded.period, awarded.pooled, awarded.won, awarded.second) == (1, 250_00, "here", FINANCE)
    assert [(x.reference, x.seat, x.part, x.amount) for x in only(events, e.JackpotOwed)] == [
        ("1-1-1", 1, "high_hand", 250_00)
    ]
    assert booked(events, HIGH_HAND) == [("adjusted", 250_00), ("awarded", 250_00)]
    assert (house.high_hand.books.others, house.high_hand.display) == (249_00, 0)
    events = house.order("high_hand_paid")
    act = next(act for act in house.asked if isinstance(act, acts.PayJackpot))
    assert act.places == ("cage",)
    assert [(x.amount, x.place, x.cite) for x in only(events, e.JackpotPaid)] == [(250_00, "cage", "637a.16(h)")]


def test_637a_16_b_5_and_h_equal_hands_share_to_the_cent() -> None:
    house = House(HIGH)
    ended_period(house, quads_lose(), quads_lose())
    house.order("high_hand_counted", 2_00)
    events = house.order("high_hand_won_here", 251_00)
    assert [(x.reference, x.amount) for x in only(events, e.JackpotOwed)] == [("1-1-1", 126_00), ("1-2-1", 125_00)]


def test_637a_16_h_without_a_full_house_it_is_added_to_the_next_period() -> None:
    house = House(HIGH)
    ended_period(house, quads_lose(NOTHING))
    house.order("high_hand_counted", 1_00)
    assert "high_hand_won_here" not in house.possible
    events = house.order("high_hand_carried_over", 80_00)
    assert only(events, e.PeriodAwarded)[0].won == "nobody"
    assert (house.high_hand.books.fund, house.high_hand.display) == (80_00, 80_00)
    ended_period(house, quads_lose())
    house.order("high_hand_counted", 1_00)
    assert only(house.order("high_hand_won_here", 81_00), e.JackpotOwed)[0].amount == 81_00


def test_637a_16_h_won_at_another_table_leaves_nothing_here() -> None:
    house = House(HIGH)
    ended_period(house, quads_lose())
    house.order("high_hand_counted", 1_00)
    events = house.order("high_hand_won_elsewhere", 80_00)
    assert booked(events, HIGH_HAND) == [("adjusted", 80_00), ("won_elsewhere", 80_00)]
    assert (house.high_hand.books.fund, house.high_hand.books.others, house.high_hand.display) == (0, -1_00, 0)


@pytest.mark.parametrize(("filed", "account"), [("next_period", "fund"), ("other_payout", "transferred")])
def test_637a_16_i_what_is_not_claimed_in_time_goes_where_it_is_filed_to_go(filed: str, account: str) -> None:
    house = House({"high_hand": {**DROP, "minimum_players": 3, "unclaimed": filed, "claim_days": 7}})
    ended_period(house, quads_lose())
    house.order("high_hand_counted", 1_00)
    house.order("high_hand_won_here", 250_00)
    house.now += 7 * 24 * HOUR - 1
    events = house.order("high_hand_unclaimed")
    assert only(events, e.AlarmRaised)[0].kind == "not_unclaimed_yet"
    assert house.high_hand.books.owed == 250_00
    house.now += 1
    events = house.order("high_hand_unclaimed")
    assert ("unclaimed", 250_00) in booked(events, HIGH_HAND)
    assert getattr(house.high_hand.books, account) == 250_00
    assert house.high_hand.owed == ()


def test_637a_16_d_the_box_of_a_closed_table_is_counted() -> None:
    house = House(HIGH)
    house.play(quads_lose())
    events = house.close()
    assert [event.jackpot for event in only(events, e.BoxSent)] == [HIGH_HAND]
    assert only(events, e.StepAttested) == [], "compliance is told of Bad Beat counts alone"


# Rake -----------------------------------------------------------------------------------------------------------------


def test_637a_17_a_types_methods_and_the_most_of_a_round_are_filed() -> None:
    assert refused(rake={"type": "percentage", "percent": 5}) == [("rake.maximum", "637a.17(a)(3)")]
    assert refused(rake={"type": "incremental", "steps": []}) == [("rake.steps", "637a.17(a)(2)")]


@pytest.mark.parametrize(("percent", "found"), [(10, []), (11, [("rake.percent", "637a.17(b)(1)")])])
def test_637a_17_b_1_no_more_than_ten_percent(percent: int, found: list[Any]) -> None:
    assert refused(rake={"type": "percentage", "percent": percent, "maximum": "4.00"}) == found


@pytest.mark.parametrize(
    ("rake", "clause", "area"),
    [
        ({"type": "percentage", "percent": 10, "maximum": "4.00"}, "637a.17(b)(1)(ii)", []),
        (
            {"type": "percentage", "percent": 10, "maximum": "4.00", "taken": "betting_round"},
            "637a.17(b)(1)(ii)",
            [(60, "637a.17(b)(1)(i)")],
        ),
        ({"type": "incremental", "steps": [["6.00", "0.50"]]}, "637a.17(b)(2)(ii)", [(50, "637a.17(b)(2)(i)")]),
    ],
)
def test_637a_17_b_1_and_2_in_the_rake_area_while_it_is_played_then_in_the_drop_box(
    rake: dict[str, Any], clause: str, area: list[Any]
) -> None:
    events = House({"smallest_chip": "0.10", "rake": rake}).play(quads_lose(NOTHING))
    assert [(x.total, x.cite) for x in only(events, e.RakeTaken)] == area
    (dropped,) = only(events, e.RakeDropped)
    assert (dropped.amount, dropped.cite) == (area[0][0] if area else 60, clause)
    names = [event.name for event in events]
    assert names.index("round.awarded") < names.index("rake.dropped") < names.index("round.closed")


def test_637a_17_d_and_e_nothing_of_an_uncalled_bet_and_once_only() -> None:
    rake = {"type": "percentage", "percent": 10, "maximum": "4.00"}
    decisions = {"1": ["call", "bet 20.00"], "2": ["check", "fold"], "3": ["call", "fold"]}
    events = House({"smallest_chip": "0.10", "rake": rake}).play(quads_lose(decisions=decisions))
    assert [(x.amount, x.rake) for x in only(events, e.PotFormed)] == [(6_00, 60)]
    assert [x.amount for x in only(events, e.RakeDropped)] == [60]


TIMED: dict[str, Any] = {"rake": {"type": "time", "per": "player", "hourly": "12.00", "minutes": 20}}


def charged(house: House, minutes: int) -> list[e.Event]:
    house.now += minutes * 60
    return house.play(FOLDED)


def test_637a_17_b_3_iii_a_part_of_the_hourly_fee_every_20_or_30_minutes() -> None:
    house = House(TIMED)
    made = [len(only(charged(house, minutes), e.TimeCharged)) for minutes in (0, 19, 1, 5, 14, 1)]
    assert made == [0, 0, 1, 0, 0, 1]
    assert refused(rake={"type": "time", "hourly": "12.25", "minutes": 30}) == [("rake.hourly", "637a.17(b)(3)(iii)")]


def test_637a_17_b_3_iii_once_however_long_nobody_has_played() -> None:
    house = House(TIMED)
    charged(house, 0)
    assert len(only(charged(house, 70), e.TimeCharged)) == 1
    assert only(charged(house, 19), e.TimeCharged) == []
    assert len(only(charged(house, 1), e.TimeCharged)) == 1


def test_637a_17_b_3_i_inactive_seated_players_pay_too() -> None:
    house = House(TIMED, said={acts.TakeTime: acts.TimeTaken((5, 8))})
    charged(house, 0)
    events = charged(house, 20)
    (collected,) = only(events, e.TimeCollected)
    assert (collected.part, collected.seats, collected.total) == (4_00, (1, 2, 3, 5, 8), 20_00)
    assert collected.cite == "637a.17(b)(3)(iv)"


def test_637a_17_b_3_i_per_table_it_is_one_charge() -> None:
    house = House(
        {"rake": {"type": "time", "per": "table", "hourly": "60.00", "minutes": 30}},
        said={acts.TakeTime: acts.TimeTaken()},
    )
    charged(house, 0)
    assert only(charged(house, 30), e.TimeCollected)[0].total == 30_00


def test_637a_17_b_3_v_dropped_when_a_floorperson_has_verified_it() -> None:
    house = House(TIMED, said={acts.TakeTime: acts.TimeTaken()})
    charged(house, 0)
    events = charged(house, 20)
    told = [
        (type(x).__name__, x.cite) for x in events if isinstance(x, e.TimeCollected | e.TimeCharged | e.RakeDropped)
    ]
    assert told == [
        ("TimeCollected", "637a.17(b)(3)(iv)"),
        ("TimeCharged", "637a.17(b)(3)(v)"),
        ("RakeDropped", "637a.17(b)(3)(v)"),
    ]
    assert only(events, e.TimeCharged)[0].credential == FLOOR
    assert house.room.unverified == 0
    assert all(pot.rake == 0 for pot in only(events, e.PotFormed)), "nothing comes from the pot"


def test_637a_17_b_3_v_what_was_collected_is_not_collected_again_if_the_shuffle_is() -> None:
    """A floorperson is awaited as the shuffler jams, which begins the round anew: nobody pays twice."""
    answers: list[object] = [Interrupted(acts.Incident("shuffler_jam")), acts.TimeChecked(FLOOR)]
    house = House(
        TIMED,
        table={"shuffler": "plain"},
        said={acts.TakeTime: acts.TimeTaken(), acts.CheckTime: lambda _act: answers.pop(0)},
    )
    charged(house, 0)
    events = charged(house, 20)
    assert len(only(events, e.DeckShuffled)) == 2
    assert (
        len(only(events, e.TimeCollected)) == len(only(events, e.TimeCharged)) == len(only(events, e.RakeDropped)) == 1
    )
    assert answers == []


def test_637a_17_b_3_time_begins_anew_with_the_gaming_day() -> None:
    house = House(TIMED)
    charged(house, 0)
    house.close()
    assert house.room.charged == 0


@pytest.mark.parametrize("name", ["omaha_hilo", "five_card_draw_low", "five_card_stud"])
def test_637a_15_c_the_boxes_hold_what_many_pots_have_brought(name: str) -> None:
    """Rounds by chance, of which the pots alone are added up: to the cent in the boxes, and the rake in its own."""
    rules = {
        "smallest_chip": "0.25",
        "rake": {"type": "percentage", "percent": 7, "maximum": "3.00"},
        "bad_beat": {"drop": "0.75", "minimum_pot": "10.00"},
        "high_hand": {"drop": "0.50", "minimum_pot": "25.00"},
    }
    table = parse({"game": name, "rules": rules, "table": {}, "round": []})
    players, state = Players(table, 5, mishaps=0), table.first_state()
    pots: list[Any] = []
    events: list[e.Event] = []
    for _ in range(30):
        script = players.next_round(state=state)
        fold, state = play_one(table, script, Table(table.game, table.rules, table.setup, state))
        pots += fold.document(script.wagers)["pots"]
        events += fold.events
    for kind, jackpot in ((BAD_BEAT, state.room.bad_beat), (HIGH_HAND, state.room.high_hand)):
        brought = sum(round(float(pot["drops"].get(kind, 0)) * 100) for pot in pots)
        assert brought > 0
        assert (jackpot.books.box, jackpot.books.contributed) == (brought, brought)
        assert sum(amount for _reason, amount in booked(events, kind)) == brought
    raked = sum(round(float(pot["rake"]) * 100) for pot in pots)
    assert sum(event.amount for event in only(events, e.RakeDropped)) == raked > 0


def test_637a_17_b_3_ii_the_fee_is_filed_by_the_hour() -> None:
    for hourly, minutes, part in (("12.00", 20, 4_00), ("12.00", 30, 6_00), ("30.00", 20, 10_00)):
        filed = game("omaha_high").submission.model_validate(
            {"rake": {"type": "time", "hourly": hourly, "minutes": minutes}}
        )
        assert (list(filed.objections()), filed.filed().rake.part) == ([], part)


def test_637a_15_and_16_change_nothing_in_the_outcome_of_a_round() -> None:
    """Who is paid what of the pots is the same, whatever the jackpots bring about beside that."""
    documents = [
        play(parse({"game": "omaha_high", "rules": rules, "round": [quads_lose()]}))["rounds"][0]
        for rules in (
            {"bad_beat": {**DROP, "minimum_players": 9}, "high_hand": {**DROP, "minimum_players": 9}},
            {"bad_beat": DROP, "high_hand": {**DROP, "minimum_players": 2}},
        )
    ]
    assert documents[0] == documents[1]
    assert documents[0]["pots"][0]["drops"] == {"bad_beat": "1.00", "high_hand": "1.00"}
