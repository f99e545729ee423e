"""The progressive at a live table: by its system, and by hand where none is connected; a crash at every moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import seat
from tablectl.engine.core import Core
from tablectl.engine.inputs import Input
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play
from tablectl.engine.stranded import Stranded
from tablectl.equipment import Badge, KeyPressed, LinkLost, LinkUp, Message
from tablectl_hil.mechanisms.seats import Progressive
from tablectl_hil.robot import Act, Kit
from tests.engine.bench import ALL_SENSORS, PANEL_ALONE, Bench, Moment
from tests.engine.scenarios import fitting, without_deck
from tests.engine.system_bench import SystemBench
from tests.engine.test_recovery import CrashAt
from tests.procedure.progressive_stand_in import known

__all__ = ["known"]

pytestmark = pytest.mark.usefixtures("known")

CONNECTED = replace(ALL_SENSORS, progressive="progressive")
EXTRA_ROLL = replace(ALL_SENSORS, extra_roll="extra_roll")
STILL = {"base": "12345.67", "reset": "10000.00", "increment_ppm": 0, "hidden_ppm": 0}
"""A meter that shows the same however much is wagered."""


def document(game: str = "like_655a", *rounds: dict[str, Any], **table: Any) -> dict[str, Any]:
    return {"game": game, "table": {"shuffler": "counting", **table}, "round": list(rounds)}


def two(cards: str, seats: tuple[int, int] = (1, 3), **more: Any) -> dict[str, Any]:
    first, second = seats
    return {
        "wagers": {
            str(first): {"ante": "10.00", "progressive": "1.00"},
            str(second): {"ante": "25.00", "progressive": "5.00"},
        },
        "cards": cards,
        "decisions": {str(first): ["bet"], str(second): ["bet"]},
        "meter": "12345.67",
        **more,
    }


WON = two("As 9h 2c Ks 9d 5d Qs 9c 7h")  # seat 1 a mini royal, seat 3 three of a kind
TWO_ROYALS = two("As Ah 2c Ks Kh 5d Qs Qh 7h", (1, 2))
SHARE = two("9s 9h 2c 8s Kd 5d 7s 4c 6c")  # seat 1 a straight flush
LOST = two("Js Td 2c 4d 6h 5d 8c 2h 7h")
VOID = {**WON, "incidents": [{"at": "decision 3", "kind": "card_exposed", "position": "dealer"}]} | {
    "decisions": {"1": ["bet"]}
}
VOID_AFTER_AN_AWARD = {
    **TWO_ROYALS,
    "incidents": [{"at": "settle 1", "kind": "wrong_card_count", "position": "dealer"}],
}
THREE = {
    **LOST,
    "wagers": LOST["wagers"] | {"5": {"ante": "5.00"}},
    "decisions": {str(number): ["bet"] for number in (1, 3, 5)},
}
FOLD = {**WON, "decisions": {"1": ["bet"], "3": ["fold"]}}
MISMATCH = {
    **WON,
    "decisions": {},
    "incidents": [{"at": "lock_out", "kind": "progressive_count_mismatch", "count": 3}],
}
LATE = {**LOST, "incidents": [{"at": "lock_out", "kind": "late_wager", "position": "seat 2"}]}
EXTRA = document(
    "with_fee",
    {
        "wagers": {str(seat): {"ante": "10.00", "extra_roll": "10.00"} for seat in (1, 2)},
        "cards": "Js 9h 2c 4d 6h 5d 8c 2h 7h",
        "decisions": {"1": ["bet"], "2": ["bet"]},
    },
)
DOCUMENTS = {
    "won": document("like_655a", WON),
    "two royals": document("like_670a", TWO_ROYALS),
    "a share": document("like_655a", SHARE),
    "lost": document("like_670a", LOST, LOST),
    "void": document("like_655a", VOID, {**LOST, "meter": None} | {}),
    "void after an award": document("like_655a", VOID_AFTER_AN_AWARD),
    "fold": document("like_655a", FOLD),
    "mismatch": document("like_655a", MISMATCH),
    "late": document("like_670a", LATE),
    "stacks": document("like_655a", {**WON, "cards": "As Ks Qs 9h 9d 9c 2c 5d 7h"}, dealing="automated_shoe"),
    "nobody": document("like_655a", {"wagers": {"1": {"ante": "10.00"}}, "decisions": {"1": ["fold"]}}),
    "extra roll": EXTRA,
}


def read(name: str) -> Scenario:
    rounds = [{k: v for k, v in script.items() if v is not None} for script in DOCUMENTS[name]["round"]]
    return parse({**DOCUMENTS[name], "round": rounds})


def scripted(scenario: Scenario) -> list[dict[str, Any]]:
    return [without_deck(played) for played in play(scenario)["rounds"]]


def bench_for(scenario: Scenario, kit: Kit, moment: Callable[[Moment], None] | None = None, **rules: Any) -> Bench:
    bench = SystemBench(scenario, kit, {**STILL, **rules}) if kit.systems else Bench(scenario, kit)
    if moment is not None:
        bench.moment = moment
    return bench


def kit_of(scenario: Scenario, kit: Kit) -> Kit:
    if kit is CONNECTED and scenario.game.id == "with_fee":
        kit = EXTRA_ROLL
    return fitting(scenario, kit)


def stop_at(bench: Bench, text: str) -> None:
    """Play up to the moment at which the panel shows a line that begins so."""

    class There(BaseException):
        pass

    def look() -> None:
        if bench.core.prompt().text.startswith(text):
            raise There

    with pytest.raises(There):
        bench.play(look)


def books(bench: Bench) -> Progressive:
    assert isinstance(bench, SystemBench)
    system = bench.systems["progressive"]
    assert isinstance(system, Progressive)
    return system


def events(bench: Bench, *kinds: type[e.Event]) -> list[Any]:
    return [event for event in bench.journal.events() if isinstance(event, kinds)]


def core(bench: Bench) -> Core:
    assert isinstance(bench.core, Core)
    return bench.core


# The same as by script ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("kit", [CONNECTED, PANEL_ALONE], ids=["connected", "by hand"])
def test_live_table_comes_to_the_outcome_of_the_script(name: str, kit: Kit) -> None:
    scenario = read(name)
    bench = bench_for(scenario, kit_of(scenario, kit))
    assert [without_deck(played) for played in bench.play()] == scripted(scenario)
    assert not events(bench, e.AlarmRaised) or name == "void after an award"


class Crashes(CrashAt):
    """Crashes at the `wanted`th moment in the stages in which systems have a part."""

    bench: Bench | None = None

    def __call__(self, name: Moment) -> None:
        if self.bench is not None and self.bench.core.stage in ("LOCKED", "SETTLING", "VOID"):
            super().__call__(name)


def crashing(scenario: Scenario, kit: Kit, wanted: int) -> tuple[Bench, Crashes]:
    crashes = Crashes(wanted)
    bench = crashes.bench = bench_for(scenario, kit, crashes)
    return bench, crashes


@pytest.mark.parametrize(
    ("name", "kit"),
    [("won", CONNECTED), ("won", ALL_SENSORS), ("void", CONNECTED), ("mismatch", CONNECTED), ("extra roll", CONNECTED)],
    ids=["won", "won by hand", "void", "mismatch", "extra roll"],
)
def test_crash_at_every_moment_of_lock_out_award_and_refund(name: str, kit: Kit) -> None:
    scenario = read(name)
    kit = kit_of(scenario, kit)
    smooth, counted = crashing(scenario, kit, 0)
    expected = [without_deck(played) for played in smooth.play()]
    for wanted in counted.to_try(smooth):
        bench, crashes = crashing(scenario, kit, wanted)
        documents = bench.play()
        where = f"{crashes.happened}, moment {wanted} of {counted.passed}"
        assert bench.reasons == [], where
        assert [without_deck(played) for played in documents] == expected, where
        for kind in (e.WagersLockedOut, e.MeterBooked, e.WinLightVerified, e.HandPayDocumented, e.LockOutUndone):
            assert events(bench, kind) == events(smooth, kind), where
        if kit.progressive is not None:
            assert books(bench).books() == books(smooth).books(), where


# Lock-out -------------------------------------------------------------------------------------------------------------


def give(bench: Bench, device: str, message: Message) -> None:
    bench.take(Input(device, message, f"boot {device}", 1))
    if isinstance(bench, SystemBench):
        bench.pump()


def key(bench: Bench, *names: str) -> None:
    for name in names:
        give(bench, "panel", KeyPressed(name))


def _system_bench(scenario: Scenario, kit: Kit) -> SystemBench:
    bench = bench_for(scenario, kit)
    assert isinstance(bench, SystemBench)
    return bench


def test_chip_that_comes_between_the_announcement_and_the_lock_out_counts() -> None:
    """The system has accepted it, so it is a wager; its amount is what one is taken for."""
    bench = _system_bench(read("won"), CONNECTED)

    def sneak(name: str) -> None:
        acting = None if isinstance(bench.core, Stranded) else bench.core.acting
        if name == "before the act" and acting is not None and type(acting[2]).__name__ == "LockOut":
            bench.systems["progressive"].place(5)

    bench.moment = sneak
    # A seat without an ante may not have that wager: the floor is called.
    stop_at(bench, "CHIPS AND SYSTEM DIFFER")
    bench = _system_bench(
        parse(document("like_655a", {**THREE, "cards": "Js Td 3c 2c 4d 6h 5h 5d 8c 2h 9d 7h"})), CONNECTED
    )
    bench.moment = sneak
    stop_at(bench, "PROGRESSIVE 3 ACCEPTED: COUNT, COLLECTED")
    bench.moment = lambda _name: None
    key(bench, "collected")
    assert [(w.seat, w.amount) for w in events(bench, e.WagerMade) if w.wager == "progressive"] == [
        *((1, 100), (3, 500)),
        (5, 100),
    ]


@pytest.mark.parametrize("fault", ["invented", "unseen"])
def test_chips_and_system_that_differ_call_the_floor_and_the_meter_goes_back(fault: str) -> None:
    scenario = parse(document("like_655a", LOST))
    bench = bench_for(scenario, CONNECTED, increment_ppm=210_000)
    assert isinstance(bench, SystemBench)
    if fault == "invented":
        bench.act("progressive", "invent_next", seat=2)
    else:
        bench.act("progressive", "blind", seat=3)
    stop_at(bench, f"PROGRESSIVE {3 if fault == 'invented' else 1} ACCEPTED")
    key(bench, "digit_2")
    assert bench.core.prompt().text == "PROGRESSIVE CHIPS COUNTED: 2_"
    key(bench, "enter")
    assert bench.core.prompt().text == "CHIPS AND SYSTEM DIFFER: BADGE"
    give(bench, "reader", Badge("1001"))  # a dealer's will not do
    assert not events(bench, e.RoundClosed)
    give(bench, "reader", Badge("4711"))
    (closed,) = events(bench, e.RoundClosed)
    assert (closed.outcome, closed.cause, closed.cite) == ("suspended", "progressive_count_mismatch", "655a.8(b)")
    assert events(bench, e.CardDealt) == []
    assert events(bench, e.LockOutUndone) == [e.LockOutUndone("progressive", True)]
    assert books(bench).books()["display"] == "1234567"
    assert not events(bench, e.AlarmRaised)


def test_chips_that_the_dealer_forgot_to_key_are_a_difference_too() -> None:
    """By hand the system's number and the chips may agree, and our record of who wagered be wrong."""
    bench = bench_for(parse(document("like_655a", LOST)), PANEL_ALONE)
    stop_at(bench, "LOCK OUT PROGRESSIVE. ACCEPTED: _")
    key(bench, "digit_3", "enter", "collected")
    assert bench.core.prompt().text == "CHIPS AND SYSTEM DIFFER: BADGE"


@pytest.mark.parametrize("game", ["like_655a", "like_670a"])
def test_late_wager_is_recorded_and_not_recognised(game: str) -> None:
    bench = bench_for(parse(document(game, LOST)), CONNECTED)
    assert isinstance(bench, SystemBench)
    stop_at(bench, "DEAL CARD 2")
    bench.act("progressive", "place", seat=5)
    bench.pump()
    (noted,) = events(bench, e.IrregularityNoted)
    assert (noted.kind, noted.position, noted.cite) == ("late_wager", seat(5), f"{game.removeprefix('like_')}.7")
    assert 5 not in {made.seat for made in events(bench, e.WagerMade)}
    assert bench.core.prompt().text == "DEAL CARD 2 TO SEAT 3"


# A system that is lost ------------------------------------------------------------------------------------------------


def test_system_that_is_lost_takes_no_wagers_until_it_is_back() -> None:
    scenario = parse(document("like_655a", *[{"wagers": {"1": {"ante": "10.00"}}, "decisions": {"1": ["fold"]}}] * 3))
    bench = bench_for(scenario, CONNECTED)
    stop_at(bench, "WAGERS: 1")
    give(bench, "progressive", LinkLost("unplugged"))
    key(bench, "no_more_bets")
    assert bench.core.prompt().text == "DEAL CARD 1 TO SEAT 1"  # nothing lies there that could be given back
    assert events(bench, e.SystemShut) == [e.SystemShut("progressive", "progressive", "lost")]


def _placed_then_lost() -> Bench:
    bench = bench_for(parse(document("like_655a", LOST)), CONNECTED)
    stop_at(bench, "WAGERS: 4")
    give(bench, "progressive", LinkLost("unplugged"))
    key(bench, "no_more_bets")
    assert bench.core.prompt().text == "PROGRESSIVE LOST: GIVE BACK, RETURNED"
    return bench


def test_wagers_on_a_system_that_is_lost_are_given_back_before_the_deal() -> None:
    bench = _placed_then_lost()
    key(bench, "returned")
    assert bench.core.prompt().text == "DEAL CARD 1 TO SEAT 1"
    assert [made.wager for made in events(bench, e.WagerMade)] == ["ante", "ante"]
    assert [noted.kind for noted in events(bench, e.IrregularityNoted)] == ["device_lost"]
    assert events(bench, e.SystemShut) == [e.SystemShut("progressive", "progressive", "lost")]


def _back(bench: Bench, boot: str = "boot progressive") -> None:
    assert isinstance(bench, SystemBench)
    system = bench.systems["progressive"]
    bench.take(Input("progressive", LinkUp(system.description), boot))
    bench.outbox += [("progressive", said) for said in system.report(False)]
    bench.pump()


def test_system_that_comes_back_before_they_are_given_back_is_locked_out() -> None:
    bench = _placed_then_lost()
    _back(bench)
    assert bench.core.prompt().text == "PROGRESSIVE 2 ACCEPTED: COUNT, COLLECTED"


def test_system_that_refuses_the_lock_out_has_its_wagers_given_back() -> None:
    bench = _placed_then_lost()
    books(bench).power_cycle(kept=False)
    _back(bench, "another boot")
    assert bench.core.prompt().text == "PROGRESSIVE NOT LOCKED: GIVE BACK, RETURNED"
    key(bench, "returned")
    assert bench.core.prompt().text == "DEAL CARD 1 TO SEAT 1"
    assert [made.wager for made in events(bench, e.WagerMade)] == ["ante", "ante"]


def test_rounds_without_the_system_name_it_on_the_panel() -> None:
    bench = bench_for(parse(document("like_655a", LOST)), CONNECTED)
    stop_at(bench, "DEALER: TURN UP")
    give(bench, "progressive", LinkLost("unplugged"))
    finish(bench)
    assert bench.core.prompt().text.startswith("PROGRESSIVE LOST: FLOOR"), bench.core.prompt()
    give(bench, "reader", Badge("4711"))
    key(bench, "digit_4")
    assert bench.do(Act("shuffler", "finish"))
    assert bench.core.prompt().text == "WAGERS: 2 NO PROGRESSIVE. NO MORE BETS"
    assert "progressive" not in bench.core.prompt().lit


def finish(bench: Bench) -> None:
    """Whatever is asked now is answered, to the end of the round."""
    closed = core(bench).rounds_closed
    for _ in range(50):
        if core(bench).rounds_closed > closed:
            return
        lit = bench.core.prompt().lit
        assert "expose" in lit, bench.core.prompt()
        key(bench, "expose")
    raise AssertionError(bench.core.prompt())


# Awards ---------------------------------------------------------------------------------------------------------------


def test_award_is_what_the_meter_shows_at_the_players_turn_to_the_cent() -> None:
    """21 % of each wager goes to the display: 6.00 of them make 1.26, and half a cent more stays behind the sign."""
    bench = bench_for(read("won"), CONNECTED, increment_ppm=210_900, hidden_ppm=40_000)
    (played,) = bench.play()
    (award,) = [row for row in played["wagers"] if row["odds"] == "100% meter"]
    assert award["paid"] == "12346.93"  # 12345.67 + 6.00 x 0.2109 = 12346.9354
    display = books(bench).books()["display"]
    assert display == "50000027/50"  # 10000.00, and what was behind the sign: 0.54 cents
    assert not events(bench, e.AlarmRaised)
    assert [booked.display for booked in events(bench, e.MeterBooked)] == [1234567, 1234693, 1234693, 1000000]


def test_award_has_a_badge_for_everything_that_comes_off_the_meter() -> None:
    bench = bench_for(read("two royals"), CONNECTED)
    bench.play()
    booked = [event for event in events(bench, e.MeterBooked) if event.reason == "award"]
    assert [(event.amount, event.display, event.hits, event.credential) for event in booked] == [
        (1234567, 1000000, 1, "4711"),
        (1000000, 1000000, 2, "4711"),
    ]
    documented = events(bench, e.HandPayDocumented)
    assert [(pay.seat, pay.amount, pay.credential, pay.second) for pay in documented] == [
        (2, 1234567, "4711", "1001"),
        (1, 1000000, "4711", "1001"),
    ]


@pytest.mark.parametrize(("game", "hand_pay"), [("like_655a", False), ("like_670a", True)])
def test_655a_11_i_4_670a_11_h_3_share_of_the_meter_and_the_tray(game: str, hand_pay: bool) -> None:
    bench = bench_for(parse(document(game, SHARE)), CONNECTED)
    bench.play()
    assert [pay.amount for pay in events(bench, e.HandPayDocumented)] == ([123456] if hand_pay else [])


def test_only_a_floorperson_validates_and_two_persons_document() -> None:
    bench = bench_for(read("won"), CONNECTED)
    stop_at(bench, "SEAT 3 WINS 1500.00: BADGE")
    give(bench, "reader", Badge("1001"))
    assert not events(bench, e.AwardValidated)
    give(bench, "reader", Badge("4711"))
    assert [(a.seat, a.credential) for a in events(bench, e.AwardValidated)] == [(3, "4711")]

    bench = bench_for(read("won"), CONNECTED)
    stop_at(bench, "SEAT 1 DOCUMENTED, CARDS STAY: 2ND BADGE")
    assert not events(bench, e.RoundClosed)
    give(bench, "reader", Badge("4701"))
    assert [pay.second for pay in events(bench, e.HandPayDocumented)] == ["4701"]
    assert events(bench, e.RoundClosed)


def test_award_that_the_system_was_told_before_it_lost_its_memory_is_not_taken_twice() -> None:
    for happened in (True, False):
        bench = bench_for(read("won"), CONNECTED)
        assert isinstance(bench, SystemBench)
        system = books(bench)

        def lose(name: str, bench: SystemBench = bench, happened: bool = happened) -> None:
            acting = None if isinstance(bench.core, Stranded) else bench.core.acting
            if name != "before the act" or acting is None or "reset=True" not in repr(acting[2]):
                return
            bench.moment = lambda _name: None
            if happened:
                assert books(bench).perform(acting[2], acting[0]) is None
            bench.outbox.clear()  # nothing of it was heard
            bench.answered[acting[0]] = ("progressive", Badge("never delivered"))
            bench.outbox.append(bench.answered[acting[0]])
            raise _Gone

        bench.moment = lose
        with pytest.raises(_Gone):
            bench.play()
        bench.outbox.clear()
        bench.pumping = False
        system.power_cycle(kept=False)
        _back(bench, "another boot")
        if happened:  # the light went on before: nobody has seen it since
            assert bench.core.prompt().text == "SEAT 1 WIN LIGHT ON? LIGHT ON"
            key(bench, "light_on")
        assert bench.core.prompt().text == "SEAT 1 WINS 12345.67: BADGE"
        assert system.books()["display"] == "1000000"
        give(bench, "reader", Badge("4711"))
        give(bench, "reader", Badge("4711"))
        give(bench, "reader", Badge("1001"))
        assert not events(bench, e.AlarmRaised)
        assert [booked.hits for booked in events(bench, e.MeterBooked)][-1] == 2


class _Gone(BaseException):
    pass


def test_system_that_takes_no_award_is_an_alarm_and_the_player_is_paid_all_the_same() -> None:
    bench = bench_for(read("won"), CONNECTED)
    assert isinstance(bench, SystemBench)
    stop_at(bench, "SEAT 1 MINI ROYAL: VERIFIED")
    bench.act("progressive", "fail_now", fault="jam")
    bench.pump()
    key(bench, "verified")
    assert bench.core.prompt().lit[0] == "light_on"
    key(bench, "light_on")
    give(bench, "reader", Badge("4711"))
    give(bench, "reader", Badge("4711"))
    give(bench, "reader", Badge("1001"))
    (award,) = [row for row in events(bench, e.WagerSettled) if row.odds == "100% meter"]
    assert award.paid == 1234567
    assert [alarm.kind for alarm in events(bench, e.AlarmRaised)] == ["award_not_recorded", "meter_differs"]
    assert events(bench, e.RoundClosed)


def test_difference_that_is_reported_with_the_irregularity_key_calls_the_floor_too() -> None:
    bench = bench_for(parse(document("like_655a", LOST)), CONNECTED)
    stop_at(bench, "PROGRESSIVE 2 ACCEPTED")
    key(bench, "irregularity")
    for _ in range(60):
        if bench.core.prompt().text == "IRREGULARITY: PROGRESSIVE COUNT MISMATCH":
            break
        key(bench, "next")
    key(bench, "enter", "digit_3", "enter")
    assert bench.core.prompt().text == "CHIPS AND SYSTEM DIFFER: BADGE"
    assert [(seen.chips, seen.accepted) for seen in events(bench, e.WagersVerified)] == [(3, 2)]


def test_system_that_does_not_answer_is_given_up_with_the_irregularity_key() -> None:
    bench = bench_for(parse(document("like_655a", LOST)), CONNECTED)
    assert isinstance(bench, SystemBench)
    stop_at(bench, "WAGERS: 4")
    bench.mute = True
    key(bench, "no_more_bets")
    assert bench.core.prompt().text == "LOCKING PROGRESSIVE OUT, OR IRREGULARITY"
    key(bench, "irregularity")
    for _ in range(60):
        if bench.core.prompt().text == "IRREGULARITY: DEVICE LOST":
            break
        key(bench, "next")
    key(bench, "enter")
    assert bench.core.prompt().text == "DEAL CARD 1 TO SEAT 1"
    assert events(bench, e.SystemShut) == [e.SystemShut("progressive", "progressive", "given_up")]
