"""Acts that come early, twice, too late or wrong at a real table: each is recorded, and none stops the table."""

from __future__ import annotations

import functools
import signal
from pathlib import Path
from typing import Any

from tablectl import events as e
from tablectl.journal import RowKind
from tests.daemon.tables import TWO_SEATS, Rig, table, until


def _kinds(rig: Rig) -> list[str]:
    return [event.kind for event in rig.events(e.IrregularityNoted) if isinstance(event, e.IrregularityNoted)]


def _decided(rig: Rig) -> list[tuple[int, str]]:
    return [(event.seat, event.verb) for event in rig.events(e.SeatDecided) if isinstance(event, e.SeatDecided)]


def _beeped(rig: Rig) -> int:
    return rig.equipment.showing("panel").beeps


def _another(rig: Rig, before: int) -> bool:
    return _beeped(rig) > before


async def _beeps(rig: Rig, *keys: str) -> None:
    """Press keys that do not count: the panel beeps for each, nothing else changes, and each is an input row."""
    for key in keys:
        shown, rows, before = rig.text, len(rig.inputs("KeyPressed")), _beeped(rig)
        await rig.press(key)
        await until(functools.partial(_another, rig, before), f"a beep for {key}")
        assert _beeped(rig) == before + 1
        assert rig.text == shown
        assert len(rig.inputs("KeyPressed")) == rows + 1


async def test_wrong_presses_and_cards_in_every_stage(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="SHUFFLING")
        await _beeps(rig, "bet", "no_more_bets", "dealt", "seat_1", "new_deck", "yes", "expose")
        await rig.deal(to="WAGERS: 0")
        await _beeps(rig, "no_more_bets", "digit_1", "enter", "bet", "void_round", "floor_key")
        await rig.deal(to="DEAL CARD 2")
        await _beeps(rig, "no_more_bets", "dealt", "fold", "enter")
        await rig.deal(to="SEAT 1: BET")
        await _beeps(rig, "no_more_bets", "dealt", "enter", "digit_1", "seat_1", "seat_2", "expose", "count_stub")
        await rig.equipment.badge("badges", "4711")
        await rig.shows("FLOOR: ")
        await rig.press("cancel")
        await rig.shows("SEAT 1: BET")
        await rig.equipment.show("scanner", "Ah")
        await rig.shows("CARD SHOWN TOO EARLY: NOT TAKEN")
        await rig.deal(to="DEALER")
        await _beeps(rig, "bet", "fold", "dealt", "suit_s")
        await rig.deal()
        assert rig.document() == rig.expected()
        assert _kinds(rig) == []


async def test_wrong_press_is_heard_also_when_it_comes_in_one_burst_with_the_right_one(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="SEAT 1: BET")
        before, daemon = _beeped(rig), rig.daemon.process
        assert daemon is not None
        daemon.send_signal(signal.SIGSTOP)
        await rig.press("dealt", "suit_s", "bet")
        daemon.send_signal(signal.SIGCONT)
        await rig.shows("SEAT 3: BET")
        assert _beeped(rig) == before + 1
        await rig.deal()
        assert rig.document() == rig.expected()
        assert _beeped(rig) == before + 1


async def test_beep_that_is_in_doubt_is_heard_before_what_has_come_meanwhile(tmp_path: Path) -> None:
    async with table(tmp_path, debug=True) as rig:
        await rig.deal(to="SEAT 1: BET")
        before = _beeped(rig)
        await rig.equipment.wire("panel", "in", silent=True)
        await rig.press("dealt")
        await until(lambda: "prompt_in_doubt" in rig.log(), "the beep is not answered")
        await rig.equipment.show("scanner", "Ah")
        await until(lambda: bool(rig.inputs("CardScanned")), "the card is recorded")
        assert _beeped(rig) == before
        await rig.equipment.wire("panel", "in")
        await rig.shows("CARD SHOWN TOO EARLY: NOT TAKEN")
        assert _beeped(rig) == before + 1
        await rig.deal()


async def test_beep_is_heard_when_the_panel_comes_back(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="SEAT 1: BET")
        before, keys = _beeped(rig), len(rig.inputs("KeyPressed"))
        await rig.equipment.wire("panel", "in", silent=True)
        await rig.press("dealt")
        await until(lambda: len(rig.inputs("KeyPressed")) == keys + 1, "the press is recorded")
        await rig.equipment.unplug("panel")
        await rig.equipment.wire("panel", "in")
        await rig.equipment.replug("panel")
        await rig.shows("SEAT 1: BET")
        await until(functools.partial(_another, rig, before), "a beep")
        await rig.deal()
        assert _beeped(rig) == before + 1


async def test_card_that_is_not_due(tmp_path: Path) -> None:
    document: dict[str, Any] = {**TWO_SEATS, "round": TWO_SEATS["round"] * 2}
    async with table(tmp_path, document) as rig:
        await rig.deal(1, to="SEAT 1: BET")
        await rig.equipment.take_card("shoe")
        await until(lambda: _kinds(rig) == ["drawn_in_error"], lambda: str(_kinds(rig)))
        await rig.shows("CARD IS NOT DUE: TO THE DISCARD RACK")
        await rig.deal(1)
        assert rig.expected(1)["wagers"] == rig.document(1)["wagers"]
        assert _decided(rig) == [(1, "bet"), (3, "fold")]
        await rig.deal(2, to="WAGERS: 3")
        await rig.equipment.take_card("shoe")
        await until(lambda: _kinds(rig) == ["drawn_in_error"] * 2, lambda: str(_kinds(rig)))
        await rig.shows("CARD IS OUT EARLY: IT IS THE NEXT ONE")
        rig.robot(2)._out = 1  # it lies there, and goes to the first player once the bets are closed (565.13(b))
        await rig.deal(2)
        assert rig.expected(2)["wagers"] == rig.document(2)["wagers"]
        assert rig.expected(2)["order"] == rig.document(2)["order"]


async def test_wagers_are_put_right(tmp_path: Path) -> None:
    document = {
        **TWO_SEATS,
        "table": {"shuffler": "counting", "minimum": "10.00"},
        "rules": {"version": "both_required", "ante_bonus_paytable": "B"},
        "round": [
            {
                "wagers": {"1": {"ante": "10.00", "pair_plus": "10.00"}, "3": {"ante": "25.00", "pair_plus": "10.00"}},
                "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h",
                "decisions": {"1": ["bet"], "3": ["fold"]},
            }
        ],
    }
    async with table(tmp_path, document) as rig:
        rig.robot(1)._wagers.clear()
        await rig.deal(to="WAGERS: 0")
        put = rig.equipment.put
        await put("wagers", 1, "ante", "5.00")
        await put("wagers", 1, "pair_plus", "10.00")
        await put("wagers", 3, "ante", "25.00")
        await rig.shows("WAGERS: 3")
        await rig.press("no_more_bets")
        await rig.shows("SEAT 1: ANTE BELOW MINIMUM 10.00")
        await put("wagers", 1, "ante", "5.00")
        await rig.recorded("WagerSpot", 4)
        await rig.press("no_more_bets")
        await rig.shows("SEAT 3: ANTE AND PAIR PLUS ARE NEEDED")
        await put("wagers", 3, "pair_plus", "10.00")
        await put("wagers", 5, "ante", "10.00")
        await rig.recorded("WagerSpot", 6)
        await rig.press("no_more_bets")
        await rig.shows("SEAT 5: ANTE AND PAIR PLUS ARE NEEDED")
        await rig.equipment.lift("wagers", 5, "ante")  # he thinks better of it
        await rig.recorded("WagerSpot", 7)
        await rig.press("no_more_bets")
        await rig.shows("DEAL CARD 1")
        await rig.deal()
        assert rig.document() == rig.expected()


async def test_chips_for_play(tmp_path: Path) -> None:
    async with table(tmp_path, confirm_ms=5000) as rig:
        put, lift = rig.equipment.put, rig.equipment.lift
        await rig.deal(to="WAGERS: 3")
        await put("wagers", 3, "play", "25.00")  # before "no more bets": means nothing
        await rig.deal(to="SEAT 1: BET")
        await put("wagers", 1, "play", "5.00")
        await rig.shows("SEAT 1: PLAY MUST BE 10.00")
        await lift("wagers", 1, "play")
        await rig.shows("SEAT 1: BET OR FOLD")
        await put("wagers", 1, "play", "5.00")
        await rig.shows("SEAT 1: PLAY MUST BE 10.00")
        await put("wagers", 1, "play", "5.00")
        await rig.shows("SEAT 3: BET OR FOLD")  # the spot had chips before the lock: they are asked for again
        await rig.equipment.power_cycle("wagers", kept=False)  # tells of every spot once more: nothing new lies there
        await until(lambda: len(rig.inputs("LinkUp")) == 7, "the sensors are back")
        await rig.recorded("WagerSpot", 12)
        assert _decided(rig) == [(1, "bet")]
        await rig.press("fold", "enter")
        await rig.shows("DEALER")
        await rig.deal()
        assert rig.document() == rig.expected()


async def test_choices_stand_and_are_confirmed(tmp_path: Path) -> None:
    seats = {str(seat): {"ante": "10.00"} for seat in (1, 2, 3, 4)}
    decisions = {"1": ["bet"], "2": ["bet"], "3": ["fold"], "4": ["bet"]}
    cards = "As 2d 9c 4c Ks Kd 5h 7c 6c Qs Qc 9h 2h 8d Js"
    document = {
        **TWO_SEATS,
        "round": [{"wagers": seats, "cards": cards, "decisions": decisions}],
    }
    async with table(tmp_path, document, confirm_ms=5000) as rig:
        await rig.deal(to="SEAT 1: BET")
        await rig.press("fold", "bet")
        await until(lambda: rig.equipment.showing("panel").standing == ("bet",), "bet stands")
        assert _decided(rig) == []
        await rig.press("seat_2")  # the next seat's key makes it final
        await rig.shows("SEAT 2: BET")
        await rig.press("leave")
        await rig.shows("SEAT 2 LEAVES, WAGERS LOST? ENTER")
        await _beeps(rig, "seat_3", "leave_not", "dealt")
        await rig.press("bet")
        await until(lambda: rig.equipment.showing("panel").standing == ("bet",), "bet stands instead")
        await rig.press("irregularity", "next", "next", "cancel")  # nothing to report after all
        await until(lambda: rig.text.startswith("SEAT 2: BET"), lambda: rig.text)
        assert rig.equipment.showing("panel").standing == ("bet",)
        await rig.equipment.put("wagers", 4, "play", "10.00")  # a chip on the spot of a later seat: so does that
        await rig.shows("SEAT 3: BET")
        assert _decided(rig) == [(1, "bet"), (2, "bet")]
        await rig.press("fold", "enter")  # seat 4 has bet before it was asked
        await rig.shows("DEALER")
        assert _decided(rig) == [(1, "bet"), (2, "bet"), (3, "fold"), (4, "bet")]
        await rig.deal()
        assert rig.document() == rig.expected()
        assert rig.rows(RowKind.INTERRUPT) == []


async def test_player_leaves(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="SEAT 1: BET")
        await rig.press("leave")
        await rig.shows("SEAT 1 LEAVES")
        await rig.press("enter")
        await rig.shows("SEAT 3: BET")
        await rig.deal(to="DEALER")
        settled = [x for x in rig.events(e.WagerSettled) if isinstance(x, e.WagerSettled) and x.seat == 1]
        assert {(x.wager, x.result) for x in settled} == {
            ("ante", e.Result.FORFEITED),
            ("pair_plus", e.Result.FORFEITED),
        }


async def test_cards_at_the_scanner(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        show = rig.equipment.show
        await rig.deal(to="DEALER")
        await show("scanner", "9c")
        await rig.shows("DEALER: CARD 2 OF 3")
        await show("scanner", "9c")
        await rig.recorded("CardScanned", 2)
        await rig.equipment.act("scanner", "show_unreadable")
        await rig.shows("NOT READABLE: KEY THE CARD")
        await show("scanner", "7c")
        await rig.shows("DEALER: CARD 3 OF 3")
        await rig.equipment.act("scanner", "show_unreadable")
        await rig.shows("NOT READABLE: KEY THE CARD")
        await rig.press("rank_2", "suit_h")
        await rig.shows("SEAT 1")
        for card in ("As", "Kd", "Jc"):  # the shoe has read Qc
            await show("scanner", card)
        await rig.shows("SEAT 1: AGAIN CARD 1 OF 3")
        for card in ("As", "Kd", "Jc"):
            await show("scanner", card)
        await rig.shows("SEAT 1: CARDS DIFFER: FLOOR'S BADGE")
        await rig.equipment.badge("badges", "4711")
        await until(lambda: rig.hands.events.closed() == 1, "the round is closed")
        assert "identity_conflict" in _kinds(rig)
        exposed = [x.cards for x in rig.events(e.CardsExposed) if isinstance(x, e.CardsExposed)]
        assert [" ".join(card.name for card in cards) for cards in exposed] == ["9c 7c 2h", "As Kd Jc"]
        paid = [x for x in rig.events(e.WagerSettled) if isinstance(x, e.WagerSettled) and x.wager == "pair_plus"]
        assert [x.result for x in paid] == [e.Result.LOSE], "settled from what lies on the table: ace high"
