"""People at a live table: badges, the floorperson's menu, play that stands still, rounds without the controller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.core import Core
from tablectl.engine.inputs import DaemonStarted, Input
from tablectl.engine.prompts import LINE
from tablectl.engine.retrace import Finding, retrace
from tablectl.engine.scenario import Scenario, parse
from tablectl.engine.script import play_one
from tablectl.engine.stranded import Stranded, _set_up_anew
from tablectl.equipment import Badge, KeyPressed, WagerSpot
from tablectl.journal import RowKind
from tablectl.money import Money, dollars
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.table import Phase, Table
from tablectl.rules import cite
from tablectl_hil.robot import Act, Kit, RobotDealer
from tests.engine.bench import ALL_SENSORS, IDENTITY, PANEL_ALONE, Bench
from tests.engine.scenarios import without_deck
from tests.engine.test_recovery import CrashAt
from tests.procedure.stand_ins import SHOE_GAME, scenario_of

FLOOR, SUPERVISOR, DEALER, OTHER = "4711", "4701", "1001", "1002"
ROUND: dict[str, Any] = {
    "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
    "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h",
    "decisions": {"1": ["bet"], "3": ["fold"]},
}
TABLE: dict[str, Any] = {"game": "three_card_poker", "table": {"shuffler": "counting"}, "round": [ROUND] * 3}


class Visit:
    """A table, and the people who come to it."""

    def __init__(self, scenario: Scenario | None = None, kit: Kit = ALL_SENSORS, **more: Any) -> None:
        self.bench = Bench(parse(TABLE) if scenario is None else scenario, kit, **more)

    @property
    def core(self) -> Core:
        assert isinstance(self.bench.core, Core)
        return self.bench.core

    @property
    def text(self) -> str:
        return self.bench.core.prompt().text

    def key(self, *keys: str) -> None:
        for key in keys:
            self.bench.deliver(Input("panel", KeyPressed(key), "boot panel", 1))

    def badge(self, number: str = FLOOR) -> None:
        self.bench.deliver(Input("reader", Badge(number), "boot reader", 1))

    def put(self, seat: int, wager: str, amount: str | None) -> None:
        cents = None if amount is None else dollars(amount)
        message = WagerSpot(seat, wager, amount is not None, cents)
        self.bench.deliver(Input("wagers", message, "boot wagers", 1))

    def act(self, device: str, name: str) -> None:
        """Something that is done to a device."""
        for told, message in self.bench.devices.act(Act(device, name)):
            self.bench.deliver(Input(told, message, f"boot {told}", 1))

    def stopped(self) -> tuple[str, str] | None:
        return self.bench.core.stopped

    def deadline(self) -> tuple[int, int] | None:
        return next(iter(self.bench.core.deadlines), None)

    def choose(self, title: str) -> None:
        """The item of the floor menu, wherever it stands."""
        for _ in range(20):
            if self.text == f"FLOOR: {title}":
                self.key("enter")
                return
            self.key("next")
        raise AssertionError(f"{title} is not in the menu, which stands at {self.text}")

    def items(self) -> list[str]:
        """What the menu offers, in order; it stands at the first again afterwards."""
        found: list[str] = []
        while self.text.removeprefix("FLOOR: ") not in found:
            found.append(self.text.removeprefix("FLOOR: "))
            self.key("next")
        return found

    def play(self, number: int, to: str | None = None) -> dict[str, Any] | None:
        """Let the robot deal that round of the scenario, up to a line that begins so; its document if it is over."""
        scenario = self.bench.scenario
        state = scenario.first_state()
        robot: RobotDealer | None = None
        for script in scenario.rounds[:number]:
            fold, state = play_one(scenario, script, Table(scenario.game, scenario.rules, scenario.setup, state))
            robot = RobotDealer(scenario.game, script, fold.order, self.bench.kit, list(self.bench.devices.spots))
        assert robot is not None
        self.bench.devices.spots.clear()
        self.bench.devices.load, self.bench.devices.count = robot.shoe_load(), 0
        return self.go_on(robot, number, to)

    def go_on(self, robot: RobotDealer, number: int, to: str | None = None) -> dict[str, Any] | None:
        self.robot = robot
        closed = len(self.events(e.RoundClosed))
        for _ in range(500):
            if len(self.events(e.RoundClosed)) > closed:
                last = self.events(e.RoundClosed)[-1]
                return without_deck(self.bench.document(last.round, ()))
            if to is not None and self.text.startswith(to):
                return None
            assert self.bench.step(robot), f"stuck at {self.text}"
        raise AssertionError(f"no end: {self.text}")

    def events(self, kind: type[Any] = e.Event) -> list[Any]:
        return [event for event in self.bench.journal.events() if isinstance(event, kind)]

    def whole(self) -> None:
        """The journal can be played again, and every line fits the panel."""
        found = list(retrace(self.bench.journal.kept, self.bench.make(IDENTITY), IDENTITY))
        assert [stretch for stretch in found if stretch.finding is not Finding.SAME] == []


def at(to: str, **more: Any) -> Visit:
    visit = Visit(**more)
    visit.play(1, to)
    return visit


# Shuffler and shoe, when it is said while wagers are placed


def report(visit: Visit, kind: str) -> None:
    """Choose that irregularity in the menu, and answer what it asks with its first answer."""
    visit.key("irregularity")
    while visit.text != f"IRREGULARITY: {kind}":
        visit.key("next")
    visit.key("enter")
    if visit.text.startswith("DEAL BY"):
        visit.key("enter")


def test_565_13_g_shuffler_that_is_given_up_while_wagers_are_placed_is_emptied_and_taken_away_first() -> None:
    visit = at("WAGERS")
    report(visit, "SHUFFLER OUT OF SERVICE")
    assert visit.text == "TAKE SHUFFLER AWAY, THEN REMOVED"
    (accounted,) = visit.events(e.DeckAccounted)
    assert (accounted.device, accounted.cards, accounted.expected) == ("shuffler", 52, 52)
    assert visit.events(e.DeviceRemoved) == []
    visit.key("removed")
    assert visit.text.startswith("WAGERS"), "the cards are shuffled"
    (noted,) = visit.events(e.IrregularityNoted)
    assert (noted.kind, noted.cite, noted.remedies) == ("shuffler_out_of_service", "565.13(g)", ("device_removed",))
    assert [event.device for event in visit.events(e.DeviceRemoved)] == ["shuffler"]
    document = visit.go_on(visit.robot, 1)
    assert visit.core.table_state.shuffler == "none"
    assert document is not None
    assert (document["outcome"], document["remedies"]) == ("completed", ["device_removed"])
    visit.whole()


def test_565_13_g_shoe_that_is_given_up_while_wagers_are_placed_is_emptied_and_taken_away_first() -> None:
    table = {**TABLE, "table": {"shuffler": "counting", "dealing": "automated_shoe"}}
    visit = at("WAGERS", scenario=parse(table))
    report(visit, "SHOE OUT OF SERVICE")
    assert visit.text == "TAKE SHOE AWAY, THEN REMOVED"
    visit.key("removed")
    assert [event.dealing for event in visit.events(e.DeviceRemoved)] == ["manual_shoe"]
    (accounted,) = visit.events(e.DeckAccounted)
    assert (accounted.device, accounted.cards, accounted.expected) == ("shoe", 52, 52)
    visit.whole()


@pytest.mark.parametrize("kind", ["SHUFFLER JAM", "SHUFFLE INCOMPLETE"])
def test_565_13_e_shuffle_that_was_not_complete_is_done_once_more_though_wagers_are_placed(kind: str) -> None:
    visit = at("WAGERS")
    (before,) = visit.events(e.DeckShuffled)
    report(visit, kind)
    assert visit.text.startswith("SHUFFL")
    document = visit.go_on(visit.robot, 1)
    (_before, again) = visit.events(e.DeckShuffled)
    assert again.deck == before.deck
    assert document is not None
    assert (document["outcome"], document["remedies"]) == ("completed", ["cards_reshuffled"])
    (noted,) = visit.events(e.IrregularityNoted)
    assert noted.cite == "565.13(e)"
    order = [type(event) for event in visit.events()]
    assert order.index(e.IrregularityNoted) < len(order) - 1 - order[::-1].index(e.DeckShuffled)
    visit.whole()


def test_565_13_e_jam_in_the_other_deck_leaves_the_one_that_is_ready_alone() -> None:
    """Two decks: what is in the shuffler is shuffled before its turn, and nothing is done now."""
    table = {**TABLE, "table": {"shuffler": "counting"}}
    scenario = parse(table)
    visit = at("WAGERS", scenario=replace(scenario, setup=replace(scenario.setup, decks=2)))
    report(visit, "SHUFFLER JAM")
    assert visit.text.startswith("WAGERS")
    (noted,) = visit.events(e.IrregularityNoted)
    assert (noted.cite, noted.remedies) == (None, ())


# Badges


def test_dealer_takes_over_between_rounds() -> None:
    visit = at("WAGERS")
    visit.badge(DEALER)
    assert visit.text == f"DEALER {DEALER}"
    visit.badge(DEALER)
    assert visit.text == f"DEALER {DEALER} IS AT THE TABLE"
    visit.badge(OTHER)
    assert [(event.dealer, event.before) for event in visit.events(e.DealerChanged)] == [(DEALER, ""), (OTHER, DEALER)]
    visit.key("seat_1")
    assert visit.text.startswith("SEAT 1: WHICH WAGER?"), "the act that waited goes on"
    visit.whole()


def test_dealer_in_the_middle_of_a_round_takes_over_when_it_is_over_though_the_daemon_dies() -> None:
    visit = at("SEAT 1")
    visit.badge(OTHER)
    visit.badge(DEALER)
    assert visit.text == f"DEALER {DEALER} FROM THE NEXT ROUND"
    assert visit.events(e.DealerChanged) == []
    visit.bench.start(IDENTITY)
    visit.key("digit_1")
    visit.go_on(visit.robot, 1)
    visit.bench.start(IDENTITY)
    visit.play(2, "WAGERS")
    (changed,) = visit.events(e.DealerChanged)
    assert changed.dealer == DEALER, "the last one who came"
    order = [type(event).__name__ for event in visit.events()]
    assert order.index("DealerChanged") > order.index("RoundClosed")
    visit.whole()


def test_dealer_who_comes_while_the_shuffler_is_at_work_does_not_let_it_begin_again() -> None:
    visit = at("SHUFFLING")
    assert visit.core.acting is not None
    visit.badge(DEALER)
    visit.badge()
    visit.key("cancel")  # the floorperson's menu, opened and closed, is no reason either
    assert visit.events(e.DealerChanged) == []
    visit.go_on(visit.robot, 1, "WAGERS")
    assert [event.dealer for event in visit.events(e.DealerChanged)] == [DEALER]
    told = [row for row in visit.bench.journal.kept if row.kind is RowKind.INTENT]
    assert len(told) == 1, "one shuffle, by one command"
    visit.whole()


def test_badge_that_is_nobodys_is_recorded_and_refused_with_a_beep() -> None:
    visit = at("WAGERS")
    visit.badge("9999")
    assert visit.core.beep
    assert visit.text == "BADGE 9999 MAY NOTHING HERE"
    assert '"9999"' in visit.bench.journal.kept[-1].body
    assert visit.bench.journal.kept[-1].kind is RowKind.INPUT
    visit.key("no_more_bets")
    visit.whole()


def test_act_that_waits_for_a_badge_has_it_first() -> None:
    scenario = parse(TABLE)
    visit = Visit(scenario, begun=replace(scenario.first_state(), decks=(), deck_number=0, phase=Phase.CLOSED))
    assert visit.text.startswith("DECK 1: FLOORPERSON'S BADGE")
    visit.badge(SUPERVISOR)
    assert "DECK 1" in visit.text
    assert not visit.text.startswith("FLOOR")


def test_dealers_badge_clears_no_fault_even_where_no_floorperson_is_listed() -> None:
    settings = Visit().core._settings
    nobody = replace(settings, floorpersons=(), supervisors=())
    assert nobody.role(DEALER) == "dealer"
    assert nobody.role("5") == "floorperson"
    assert (settings.role("5"), settings.role(FLOOR), settings.role(SUPERVISOR)) == (None, "floorperson", "supervisor")


def test_key_switch_opens_the_menu_where_no_reader_is() -> None:
    visit = at("WAGERS", kit=PANEL_ALONE)
    assert "floor_key" in visit.core.prompt().lit
    visit.key("floor_key")
    assert visit.text.startswith("FLOOR: ")
    visit.choose("NOTICE OF NEW LIMITS IS POSTED")
    (ordered,) = visit.events(e.TableOrdered)
    assert (ordered.order, ordered.credential) == ("limits_notice", "key switch")


# The menu


def test_menu_offers_what_can_be_done_now() -> None:
    visit = at("WAGERS")
    visit.badge()
    between = visit.items()
    assert {"RESHUFFLE", "CHANGE THE DECK", "CLOSE THE TABLE", "SUSPEND PLAY", "LOOK AT A ROUND"} <= set(between)
    assert "PUT A PAYMENT RIGHT" in between
    assert "RECUT" not in between, "a counting shuffler's cards are not cut"
    visit.key("cancel")
    assert visit.text.startswith("WAGERS")
    visit.go_on(visit.robot, 1, "SEAT 1")
    visit.badge()
    assert visit.items() == ["SUSPEND PLAY", "LOOK AT A ROUND"]
    visit.key("cancel")
    visit.go_on(visit.robot, 1)
    visit.whole()


def test_menu_blocks_the_dealers_keys_and_no_sensor() -> None:
    visit = at("SEAT 1")
    visit.badge()
    visit.key("bet")
    assert visit.core.beep
    visit.put(1, "play", "10.00")
    visit.key("cancel")
    assert visit.text.startswith("SEAT 3")
    assert [(x.seat, x.verb) for x in visit.events(e.SeatDecided)] == [(1, "bet")]
    visit.whole()


def test_reshuffle_on_order() -> None:
    visit = at("WAGERS")
    visit.badge()
    visit.choose("RESHUFFLE")
    assert visit.text.startswith("SHUFFLING")
    document = visit.go_on(visit.robot, 1)
    assert document is not None
    assert document["outcome"] == "completed"
    assert [event.credential for event in visit.events(e.TableOrdered)] == [FLOOR]
    assert len(visit.events(e.DeckShuffled)) == 2
    visit.whole()


# Closing


def test_wagers_on_the_layout_are_taken_back_before_the_table_closes() -> None:
    visit = at("WAGERS: 0")
    visit.put(1, "ante", "10.00")
    visit.put(3, "ante", "25.00")
    visit.badge()
    visit.choose("CLOSE THE TABLE")
    assert visit.text == "SEAT 1: TAKE ANTE BACK"
    visit.key("done")
    assert visit.core.beep, "the sensors see it lie there"
    visit.put(1, "ante", None)
    assert visit.text == "SEAT 3: TAKE ANTE BACK"
    assert visit.events(e.TableClosed) == []
    visit.bench.start(IDENTITY)
    assert visit.text == "SEAT 3: TAKE ANTE BACK"
    visit.put(3, "ante", None)
    (closed,) = visit.events(e.TableClosed)
    assert closed.credential == FLOOR
    assert visit.core.state.phase is Phase.CLOSED
    assert "BADGE" in visit.text, "the next gaming day begins with a deck"
    assert visit.events(e.WagerMade) == []
    visit.whole()


def test_closing_is_withdrawn_when_a_player_stays() -> None:
    visit = at("WAGERS: 0")
    visit.put(1, "ante", "10.00")
    visit.badge()
    visit.choose("CLOSE THE TABLE")
    visit.key("cancel")
    assert visit.text.startswith("WAGERS: 1")
    assert visit.events(e.TableClosed) == []
    visit.whole()


def test_keyed_wagers_are_taken_back_on_the_dealers_word() -> None:
    visit = at("WAGERS: 0", kit=PANEL_ALONE)
    visit.key("seat_2", "ante", "digit_5", "enter", "floor_key")
    visit.choose("CLOSE THE TABLE")
    assert visit.text == "SEAT 2: TAKE ANTE BACK DONE"
    visit.key("done")
    assert [type(event) for event in visit.events(e.TableClosed)] == [e.TableClosed]
    visit.whole()


# Barred seats

BARRING = replace(SHOE_GAME, barring=lambda _rules: cite("672a.6(b)"))


def test_672a_6_b_barred_seat_is_named_and_let_play_by_a_floorperson() -> None:
    rounds = [{"wagers": {"1": {"ante": "10.00"}}, "cards": "2c 3d 4h 5s"}] * 2
    visit = Visit(scenario_of(BARRING, {"round": rounds}))
    visit.play(1)
    assert visit.core.state.barred == (2, 3, 4, 5, 6)
    visit.play(2, "WAGERS: 0")
    visit.put(1, "ante", "10.00")
    visit.put(4, "ante", "10.00")
    visit.key("no_more_bets")
    assert visit.text == "SEAT 4: BARRED UNTIL THE SHUFFLE 672a.6(b)"[: len(visit.text)]
    assert visit.text.startswith("SEAT 4: BARRED UNTIL THE SHUFFLE")
    visit.badge()
    visit.choose("LET A BARRED SEAT PLAY")
    assert visit.text == "LET PLAY: WHICH SEAT?"
    visit.key("seat_1")
    assert visit.core.beep, "it is not barred"
    visit.key("seat_4", "no_more_bets")
    assert [event.seat for event in visit.events(e.WagerMade)] == [1, 1, 4]
    assert [event.seats for event in visit.events(e.SeatsBarred)] == [(2, 3, 4, 5, 6), (2, 3, 5, 6)]


# Suspension


def test_play_stands_still_until_a_floorperson_lets_it_go_on() -> None:
    visit = at("SEAT 1")
    visit.badge()
    visit.choose("SUSPEND PLAY")
    visit.key("digit_1")
    assert visit.text == f"SUSPENDED BY {FLOOR}: FLOOR'S BADGE"
    assert visit.stopped() == ("emergency", FLOOR)
    assert visit.deadline() is None
    for key in ("bet", "enter", "irregularity", "cancel"):
        visit.key(key)
        assert visit.core.beep
    visit.badge(DEALER)
    assert visit.core.beep
    visit.put(1, "play", "10.00")  # what happens meanwhile counts afterwards
    assert visit.events(e.SeatDecided) == []
    visit.bench.start(IDENTITY)
    assert visit.stopped() == ("emergency", FLOOR), "a restart does not end it"
    visit.badge(SUPERVISOR)
    assert visit.stopped() is None
    assert visit.text.startswith("SEAT 3")
    assert [(x.reason, x.credential) for x in visit.events(e.TableSuspended)] == [("emergency", FLOOR)]
    assert [(x.after, x.credential) for x in visit.events(e.TableResumed)] == [("suspension", SUPERVISOR)]
    visit.bench.devices.spots[1, "play"] = 1000
    visit.robot._decisions[1].clear()
    document = visit.go_on(visit.robot, 1)
    assert document is not None
    assert document["outcome"] == "completed"
    visit.whole()


def test_no_device_is_told_to_act_while_play_stands_still() -> None:
    visit = at("WAGERS")
    visit.badge()
    visit.choose("SUSPEND PLAY")
    visit.key("digit_4")
    assert visit.core.wanted is None
    visit.badge()
    visit.badge()
    visit.choose("RESHUFFLE")
    assert visit.core.acting is not None
    visit.badge()
    visit.choose("SUSPEND PLAY")
    visit.key("digit_3")
    visit.act("shuffler", "finish")
    assert len(visit.events(e.DeckShuffled)) == 1, "the shuffler is done, and that counts afterwards"
    visit.badge()
    assert len(visit.events(e.DeckShuffled)) == 2
    visit.whole()


def test_standing_choice_is_not_final_while_play_stands_still() -> None:
    visit = at("SEAT 1: BET", kit=replace(ALL_SENSORS, wagers=None))
    visit.key("fold")
    assert visit.deadline() is not None
    token = visit.deadline()
    visit.badge()
    visit.choose("SUSPEND PLAY")
    visit.key("digit_2")
    assert visit.deadline() is None
    visit.badge()
    assert visit.deadline() == token, "the time begins anew"
    visit.key("bet")
    assert visit.core.prompt().standing == ("bet",)


# After a restart


def test_restart_in_the_middle_of_a_round_says_that_it_was_taken_up_again() -> None:
    visit = at("SEAT 1")
    visit.bench.start(IDENTITY)
    assert visit.text == "SEAT 1: BET OR FOLD? (RESUMED)"
    assert [(x.after, x.credential) for x in visit.events(e.TableResumed)] == [("restart", "")]
    visit.key("digit_1")
    assert visit.text == "SEAT 1: BET OR FOLD?"
    visit.go_on(visit.robot, 1)
    visit.bench.start(IDENTITY)
    assert len(visit.events(e.TableResumed)) == 1, "between rounds nothing is taken up"
    visit.whole()


def test_rounds_without_the_controller_are_offered_first_after_a_restart() -> None:
    visit = at("WAGERS")
    visit.badge()
    assert visit.items()[0] != "PLAYED WITHOUT CONTROLLER"
    visit.key("cancel")
    visit.bench.start(IDENTITY)
    visit.badge()
    assert visit.items()[0] == "PLAYED WITHOUT CONTROLLER"
    visit.key("enter", "digit_1", "digit_2", "enter")
    assert visit.text == "WHY? 1 POWER 2 CONTROL 3 DEVICE 4 OTHER"
    visit.key("digit_1")
    (gap,) = visit.events(e.PlayedWithout)
    assert (gap.rounds, gap.reason, gap.credential) == (12, "power", FLOOR)
    assert visit.text.startswith("COUNT THE DECK")
    visit.bench.start(IDENTITY)
    assert visit.text.startswith("COUNT THE DECK"), "whatever happens, it is counted first"
    visit.key("digit_5", "digit_2", "enter")
    assert visit.text.startswith("SHUFFLING")
    assert [(x.what, x.total) for x in visit.events(e.CardsCounted)] == [("deck", 52)]
    assert visit.core.table_state.gaps[0].rounds == 12
    document = visit.go_on(visit.robot, 1)
    assert document is not None
    assert document["outcome"] == "completed"
    visit.whole()


def test_round_that_was_finished_without_the_controller_is_given_up() -> None:
    visit = at("SEAT 1")
    visit.bench.start(IDENTITY)
    visit.badge()
    assert "PLAYED WITHOUT CONTROLLER" in visit.items()
    visit.choose("PLAYED WITHOUT CONTROLLER")
    visit.key("digit_0", "enter", "digit_2")
    document = without_deck(visit.bench.document(1, ()))
    assert (document["outcome"], document["cause"], document["wagers"]) == ("suspended", "played_without", [])
    assert visit.text.startswith("COUNT THE DECK")
    visit.whole()


def test_cards_that_left_the_shoe_meanwhile_have_to_be_answered_for() -> None:
    visit = at("WAGERS")
    visit.bench.start(IDENTITY)
    for _ in range(3):
        visit.act("shoe", "take_card")
    assert visit.text == "CARDS WERE DEALT: FLOORPERSON'S BADGE"
    assert visit.stopped() == ("played_without", "")
    visit.key("no_more_bets")
    assert visit.core.beep
    visit.bench.start(IDENTITY)
    assert visit.text == "CARDS WERE DEALT: FLOORPERSON'S BADGE"
    visit.badge()
    assert visit.text.startswith("ROUNDS PLAYED WITHOUT")
    visit.key("cancel")
    assert visit.text == "CARDS WERE DEALT: FLOORPERSON'S BADGE", "it has to be said"
    visit.badge()
    visit.key("digit_2", "enter", "digit_4")
    assert visit.stopped() is None
    assert [x.rounds for x in visit.events(e.PlayedWithout)] == [2]
    assert visit.text.startswith("COUNT THE DECK")
    visit.whole()


def test_card_that_leaves_the_shoe_under_somebodys_eyes_is_no_gap() -> None:
    visit = at("WAGERS")
    visit.bench.start(IDENTITY)
    visit.key("seat_1")
    for _ in range(4):
        visit.act("shoe", "take_card")
    assert visit.stopped() is None
    assert [x.kind for x in visit.events(e.IrregularityNoted)] == ["drawn_in_error"] * 4


# A round for a dispute, and a payment that was wrong


def test_past_round_is_shown_line_by_line() -> None:
    visit = Visit()
    visit.play(1)
    visit.play(2, "SEAT 1")
    visit.badge()
    visit.choose("LOOK AT A ROUND")
    assert visit.text == "WHICH ROUND? ENTER: 1. _"
    visit.key("enter")
    lines = [visit.text]
    for _ in range(40):
        visit.key("next")
        if visit.text == lines[0]:
            break
        lines.append(visit.text)
    assert lines[0].startswith("ROUND 1 ")
    for line in (
        "DEALER 9c 7c 2h",
        "SEAT 1 As Kd Qc",
        "SEAT 1 BET 10.00",
        "SEAT 3 FOLD",
        "SEAT 1 ANTE 10.00 WIN +10.00",
        "SEAT 1 PAIR PLUS 5.00 WIN +25.00",
        "SEAT 3 ANTE 25.00 FORFEITED -25.00",
    ):
        assert line in lines
    assert lines[-1].startswith("COMPLETED")
    assert all(len(line) <= LINE for line in lines)
    assert "2d" not in " ".join(lines), "a folded hand was never turned up"
    visit.bench.start(IDENTITY)
    assert visit.text == lines[0], "a restart comes back to the same line"
    visit.key("enter")
    assert visit.text.startswith("SEAT 1: BET OR FOLD?")
    visit.go_on(visit.robot, 2)
    visit.whole()


def test_round_that_is_under_way_shows_nothing_that_nobody_has_seen() -> None:
    visit = at("SEAT 3")
    visit.badge()
    visit.choose("LOOK AT A ROUND")
    visit.key("digit_1", "enter")
    lines = [visit.text]
    while True:
        visit.key("next")
        if visit.text == lines[0]:
            break
        lines.append(visit.text)
    assert lines[1:] == ["SEAT 1 BET 10.00", *_open_wagers(), "NOT CLOSED"]


def _open_wagers() -> list[str]:
    return [
        "SEAT 1 ANTE 10.00 OPEN",
        "SEAT 1 PAIR PLUS 5.00 OPEN",
        "SEAT 3 ANTE 25.00 OPEN",
        "SEAT 1 PLAY 10.00 OPEN",
    ]


def test_round_that_is_not_there() -> None:
    visit = at("WAGERS")
    visit.badge()
    visit.choose("LOOK AT A ROUND")
    visit.key("digit_9", "digit_9", "enter")
    assert visit.text == "ROUND 99: NOT IN THE JOURNAL"
    visit.key("cancel")
    assert visit.text.startswith("WAGERS")


def test_payment_is_put_right_by_a_new_record() -> None:
    visit = Visit()
    visit.play(1)
    visit.play(2, "WAGERS")
    before = [row.body for row in visit.bench.journal.kept]
    visit.badge()
    visit.choose("PUT A PAYMENT RIGHT")
    visit.key("digit_1", "enter")
    for _ in range(5):
        if visit.text == "SEAT 1 PAIR PLUS WIN?":
            break
        visit.key("next")
    visit.key("enter")
    assert visit.text == "PAY _: SEAT 1 PAIR PLUS"
    visit.key("next")
    assert visit.text == "TAKE BACK _: SEAT 1 PAIR PLUS"
    visit.key("next", "digit_5", "point", "digit_5", "enter")
    assert visit.text == "SEAT 1 PAY 5.50? BADGE"
    visit.key("enter")
    assert visit.core.beep, "it takes the badge"
    visit.badge(DEALER)
    assert visit.events(e.PaymentCorrected) == []
    visit.bench.start(IDENTITY)
    visit.badge(SUPERVISOR)
    (corrected,) = visit.events(e.PaymentCorrected)
    assert (corrected.paid, corrected.collected, corrected.credential) == (Money(550), Money(0), SUPERVISOR)
    assert (corrected.round, corrected.seat, corrected.wager) == (1, 1, "pair_plus")
    rows = [row for row in visit.bench.journal.kept if row.kind is RowKind.EVENT]
    (wrong,) = [row for row in rows if f'"sequence":{corrected.corrects}}}' in row.body]
    assert '"$":"WagerSettled"' in wrong.body
    assert '"wager":"pair_plus"' in wrong.body
    assert [row.body for row in visit.bench.journal.kept][: len(before)] == before, "nothing is altered"
    visit.badge()
    visit.choose("LOOK AT A ROUND")
    visit.key("enter")
    lines = [visit.text]
    for _ in range(20):
        visit.key("next")
        lines.append(visit.text)
    assert f"SEAT 1 PAIR PLUS CORRECTED +5.50 BY {SUPERVISOR}" in lines
    visit.key("cancel")
    visit.whole()


# Other limits, rules, game


LIMITS = replace(IDENTITY, configuration="other", minimum=Money(1500))


@pytest.mark.parametrize(
    ("identity", "line", "what"),
    [
        (LIMITS, "LIMITS CHANGED: NOTICE POSTED? BADGE", ("limits",)),
        (replace(IDENTITY, edition="other"), "RULES CHANGED: NOTICE POSTED? BADGE", ("rules",)),
    ],
)
def test_other_limits_and_rules_count_once_the_notice_is_posted(
    identity: Any, line: str, what: tuple[str, ...]
) -> None:
    visit = at("WAGERS: 0")
    visit.bench.start(identity)
    assert isinstance(visit.bench.core, Stranded)
    assert visit.text == line
    assert visit.stopped() == ("notice", "")
    visit.badge(DEALER)
    visit.put(1, "ante", "20.00")
    visit.bench.start(identity)
    visit.put(3, "ante", "15.00")
    assert visit.text == line
    visit.badge()
    (changed,) = visit.events(e.TableChanged)
    assert (changed.what, changed.credential) == (what, FLOOR)
    assert (changed.minimum, changed.minimum_before) == (identity.minimum, None)
    assert visit.events(e.WagerSettled) == []
    lies = sorted((spot.seat, spot.amount) for spot in visit.core.picture.spots.values())
    assert lies == [(1, 2000), (3, 1500)], "whatever was seen meanwhile"
    assert visit.core.stage == "OPEN"
    first, *_ = retrace(visit.bench.journal.kept, visit.bench.make(IDENTITY), IDENTITY)
    assert (first.finding, first.detail) == (Finding.SAME, "voided after a start that could not resume it")


def test_other_limits_at_a_closed_table() -> None:
    scenario = parse(TABLE)
    closed = replace(scenario.first_state(), decks=(), deck_number=0, phase=Phase.CLOSED)
    visit = Visit(scenario, begun=closed)
    visit.bench.start(LIMITS)
    assert visit.text == "LIMITS CHANGED: NOTICE POSTED? BADGE"
    visit.badge()
    assert visit.text == "DECK 1: FLOORPERSON'S BADGE"
    assert visit.core.state.phase is Phase.CLOSED
    assert visit.events(e.RoundVoided) == []
    first, *_ = retrace(visit.bench.journal.kept, visit.bench.make(IDENTITY), IDENTITY)
    assert (first.finding, first.detail) == (
        Finding.SAME,
        "given up, unopened, by a start that could not resume it",
    )


def test_other_set_up_and_program_ask_nobody() -> None:
    visit = at("WAGERS: 0")
    visit.bench.start(replace(IDENTITY, configuration="other", version="2"))
    (changed,) = visit.events(e.TableChanged)
    assert (changed.what, changed.credential) == (("version", "set_up"), "")
    assert visit.core.stage == "OPEN"


def test_change_waits_while_something_is_at_stake() -> None:
    visit = at("SEAT 1")
    visit.bench.start(LIMITS)
    assert visit.text == "ROUND 1 CANNOT GO ON: FLOOR'S BADGE"
    visit.badge()
    visit.key("void_round")
    assert without_deck(visit.bench.document(1, ()))["outcome"] == "void"
    assert visit.text == "LIMITS CHANGED: NOTICE POSTED? BADGE"
    visit.bench.start(LIMITS)
    assert visit.text == "LIMITS CHANGED: NOTICE POSTED? BADGE", "the wagers have gone back already"
    visit.badge()
    assert (visit.core.stage, visit.core.round) == ("OPEN", 2)
    assert len(visit.events(e.RoundVoided)) == 1


def test_other_game_closes_the_table_for_its_own_opening() -> None:
    visit = at("WAGERS: 0")
    visit.bench.start(replace(IDENTITY, game="other", edition="other"))
    assert visit.text == "GAME CHANGED: NOTICE POSTED? BADGE"
    visit.badge()
    assert [type(event).__name__ for event in visit.events()][-3:] == ["TableChanged", "DeckRemoved", "TableClosed"]
    assert visit.core.state.phase is Phase.CLOSED


def test_table_is_set_up_anew_but_what_left_it_stays_away() -> None:
    """Another way of dealing counts from the next round on; a shoe that was removed does not come back by a file."""
    core = at("WAGERS: 0").core
    core.setup = Setup(Dealing.AUTOMATED_SHOE, Shuffler.PLAIN, 7)
    for removed, expected in (
        ((), ("automated_shoe", "plain")),
        (("shoe",), ("manual_shoe", "plain")),
        (("shuffler",), ("automated_shoe", "counting")),
    ):
        state = _set_up_anew(core, replace(core.state, removed=removed))
        assert (state.dealing, state.shuffler) == expected, removed


# Training


def test_training_begins_at_a_closed_table_and_ends_between_two_rounds() -> None:
    scenario = parse(TABLE)
    closed = replace(scenario.first_state(), decks=(), deck_number=0, phase=Phase.CLOSED)
    for begun, training, title in (
        (closed, False, "BEGIN TRAINING"),
        (None, True, "END TRAINING"),
        (None, False, None),
    ):
        visit = Visit(scenario, begun=begun)
        settings = replace(visit.core._settings, training=training, may_change_over=True)
        visit.core._settings = visit.core._desk.settings = settings
        if begun is None:
            visit.play(1, "WAGERS")
        else:
            visit.badge()
            assert visit.text.startswith("DECK 1: ")
        visit.badge()
        if title is None:
            assert not [item for item in visit.items() if item.endswith("TRAINING")]
            continue
        visit.choose(title)
        assert visit.core.changes_over
        (ordered,) = visit.events(e.TableOrdered)
        assert (ordered.order, ordered.credential) == (title.lower().replace(" ", "_"), FLOOR)
        visit.bench.core.take(Input("", DaemonStarted("boot")))
        assert not visit.core.changes_over, "that was another start"


# A crash at every moment


def crashes(play: Callable[[Visit], None], **more: Any) -> None:
    """Play once without, then once with a crash at each moment; the same happens at the table."""

    def run(crash: CrashAt) -> tuple[list[e.Event], Bench]:
        visit = Visit(**more)
        visit.bench.moment = crash
        play(visit)
        visit.bench.moment = lambda _name: None
        assert visit.bench.reasons == []
        visit.whole()
        happened = [event for event in visit.events() if not isinstance(event, e.TableStarted | e.TableResumed)]
        return [replace(x, corrects=0) if isinstance(x, e.PaymentCorrected) else x for x in happened], visit.bench

    counter = CrashAt(0)
    expected, smooth = run(counter)
    assert counter.passed > 20
    for wanted in counter.to_try(smooth):
        assert run(CrashAt(wanted))[0] == expected, f"moment {wanted} of {counter.passed}"


def test_crash_at_every_moment_of_a_visit_between_rounds() -> None:
    def play(visit: Visit) -> None:
        visit.play(1)
        visit.play(2, "WAGERS: 3")
        visit.badge(DEALER)
        visit.badge()
        visit.choose("PUT A PAYMENT RIGHT")
        visit.key("digit_1", "enter", "enter", "digit_5", "enter")
        visit.badge()
        visit.badge()
        visit.choose("SUSPEND PLAY")
        visit.key("digit_2")
        visit.badge()
        visit.badge()
        visit.choose("PLAYED WITHOUT CONTROLLER")
        visit.key("digit_1", "enter", "digit_1", "digit_5", "digit_2", "enter")
        visit.go_on(visit.robot, 2, "WAGERS")
        visit.badge()
        visit.choose("CLOSE THE TABLE")
        for seat, wager in sorted(visit.core.picture.spots):
            visit.put(seat, wager, None)

    crashes(play)


def test_crash_at_every_moment_of_a_visit_in_the_middle_of_a_round() -> None:
    def play(visit: Visit) -> None:
        visit.play(1, "SEAT 1")
        visit.badge(OTHER)
        visit.badge()
        visit.choose("LOOK AT A ROUND")
        visit.key("digit_1", "enter", "next", "cancel")
        visit.badge()
        visit.choose("SUSPEND PLAY")
        visit.key("digit_1")
        visit.put(1, "play", "10.00")
        visit.badge()
        visit.robot._decisions[1].clear()
        visit.bench.devices.spots[1, "play"] = 1000
        visit.go_on(visit.robot, 1)
        visit.play(2, "WAGERS: 3")

    crashes(play)


def test_nothing_in_the_menu_is_cut_off() -> None:
    visit = at("WAGERS")
    visit.badge()
    assert all(len(f"FLOOR: {title}") <= LINE for title in visit.items())
