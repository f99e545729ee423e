"""Equipment that is unplugged, loses its power or memory, gets in doubt, or talks over a bad line, at a real table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablectl import events as e
from tablectl.journal import RowKind
from tests.daemon.tables import STACKS, TWO_SEATS, Rig, table, tapped, until
from tests.support import Broker


def _cards(rig: Rig) -> list[int]:
    return [event.number for event in rig.events(e.CardDealt) if isinstance(event, e.CardDealt)]


def _irregularities(rig: Rig) -> list[str]:
    return [event.kind for event in rig.events(e.IrregularityNoted) if isinstance(event, e.IrregularityNoted)]


def _latches(rig: Rig) -> list[tuple[str, str, bool]]:
    bodies = [json.loads(row.body) for row in rig.rows(RowKind.LATCH)]
    return [(body["device"], body["fault"], body["set"]) for body in bodies]


async def test_shoe_unplugged_in_the_deal_keeps_what_left_it_meanwhile(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="DEAL CARD 4")
        await rig.equipment.unplug("shoe")
        await rig.shows("DEAL ALL CARDS")
        rig.robot(1)._out = 6
        for _ in range(3):
            await rig.equipment.take_card("shoe")
        await rig.equipment.replug("shoe")
        await rig.shows("DEAL CARD 7")
        await rig.deal()
        assert _cards(rig) == list(range(1, 10))
        assert _irregularities(rig) == []
        assert rig.document() == rig.expected()
        assert _latches(rig) == [("shoe", "lost", True)]
        await rig.clear_fault()
        await rig.shows("SHUFFLING")
        assert _latches(rig) == [("shoe", "lost", True), ("shoe", "lost", False)]


async def test_shoe_comes_back_with_cards_that_were_said_to_be_dealt(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="DEAL CARD 4")
        await rig.equipment.unplug("shoe")
        await rig.shows("DEAL ALL CARDS")
        rig.robot(1)._out = 9
        for _ in range(6):
            await rig.equipment.take_card("shoe")
        await rig.press("dealt")
        await rig.shows("SEAT 1")
        await rig.equipment.replug("shoe")
        await rig.recorded("CardLeft", 9)
        await rig.deal()
        assert _cards(rig) == list(range(1, 10))
        assert _irregularities(rig) == [], "cards that the dealer has said to be dealt are no cards drawn in error"
        assert rig.document() == rig.expected()


@pytest.mark.parametrize("kept", [True, False], ids=["memory kept", "memory lost"])
async def test_shoe_loses_its_power_in_the_deal(tmp_path: Path, kept: bool) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="DEAL CARD 4")
        if kept:
            await rig.equipment.power_cycle("shoe")
        else:
            await rig.equipment.wire("shoe", silent=True)
            await rig.equipment.take_card("shoe")  # seen by nobody, and forgotten
            rig.robot(1)._out = 4
            await rig.equipment.wire("shoe")
            await rig.equipment.power_cycle("shoe", kept=False)
            await rig.shows("SHOE RESTARTED: CARDS DEALT SO FAR")
            await rig.press("digit_2", "enter")  # three are on the table, says the journal: it is asked again
            await rig.press("digit_4", "enter")
            await rig.shows("DEAL CARD 5")
        await rig.deal()
        assert _cards(rig) == list(range(1, 10))
        assert _irregularities(rig) == []
        assert rig.document() == rig.expected()


@pytest.mark.parametrize("kept", [True, False], ids=["memory kept", "memory lost"])
async def test_shuffler_loses_its_power_in_the_shuffle(tmp_path: Path, kept: bool) -> None:
    async with table(tmp_path) as rig:
        await until(lambda: rig.equipment.told("shuffler") is not None, "the shuffle begins")
        await rig.equipment.power_cycle("shuffler", kept=kept)
        await rig.shows("SHUFFLER: PUT IT RIGHT")
        await rig.deal()
        assert _irregularities(rig) == ["shuffle_incomplete"]
        assert len(rig.events(e.DeckShuffled)) == 1
        assert ("shuffler", "incomplete", True) in _latches(rig)
        await rig.shows("SHUFFLER LOST: FLOORPERSON'S BADGE")


@pytest.mark.parametrize("got", [True, False], ids=["yes", "no"])
async def test_automated_shoe_restarts_with_a_stack_outstanding(tmp_path: Path, got: bool) -> None:
    async with table(tmp_path, STACKS) as rig:
        await rig.deal(to="TAKE THE STACK FOR SEAT 3")
        await until(lambda: rig.equipment.told("shoe") is not None, "the stack is given")
        await rig.equipment.power_cycle("shoe", kept=False)
        await rig.shows("DID SEAT 3 GET ITS STACK?")
        if got:
            rig.robot(1)._out += 3
            await rig.press("yes")
        else:
            left = await rig.equipment.act("shoe", "remaining")
            await rig.equipment.load("shoe", ["2d", "5h", "9h", *left])  # put back as they were
            await rig.press("no")
        await rig.deal()
        assert _cards(rig) == list(range(1, 10))
        assert rig.document() == rig.expected()
        intents = [json.loads(row.body)["command"]["$"] for row in rig.rows(RowKind.INTENT)]
        assert intents.count("DispenseStack") == (3 if got else 4)


async def test_automated_shoe_is_away_for_a_moment_between_two_stacks(tmp_path: Path) -> None:
    async with table(tmp_path, STACKS) as rig:
        await rig.deal(to="TAKE THE STACK FOR SEAT 1")
        await until(lambda: rig.equipment.told("shoe") is not None, "the stack is given")
        await rig.equipment.unplug("shoe")
        await rig.shows("SHOE LOST: WAIT")
        await rig.equipment.take_stack("shoe")
        rig.robot(1)._out = 3
        await rig.equipment.replug("shoe")
        await rig.shows("TAKE THE STACK FOR SEAT 3")
        await rig.deal()
        assert rig.document() == rig.expected()


@pytest.mark.parametrize("document", [TWO_SEATS, STACKS], ids=["cards", "stacks"])
async def test_bad_lines_change_nothing(tmp_path: Path, document: dict[str, Any]) -> None:
    async with table(tmp_path, document) as rig:
        for device in ("panel", "shoe", "shuffler", "wagers", "scanner", "badges"):
            await rig.equipment.wire(device, "out", lose_percent=5, corrupt_percent=5, duplicate_percent=20)
            await rig.equipment.wire(device, "in", lose_percent=5, corrupt_percent=5, duplicate_percent=20)
            await rig.equipment.act(device, "babble", count=40, every_ms=300)
        await rig.deal()
        assert rig.document() == rig.expected()
        assert _cards(rig) == list(range(1, 10))
        assert _latches(rig) == []


async def test_devices_lost_for_good_in_the_round(tmp_path: Path, mosquitto: Broker) -> None:
    document = {**TWO_SEATS, "round": TWO_SEATS["round"] * 2}
    async with table(tmp_path, document, broker=mosquitto) as rig, tapped(mosquitto) as tap:
        await rig.deal(to="DEAL CARD 4")
        await rig.equipment.unplug("shoe")
        await rig.shows("DEAL ALL CARDS")
        await rig.equipment.unplug("scanner")  # after the shoe: the panel shows faults in the order of their latches
        await rig.press("dealt")
        await rig.shows("SEAT 1: BET OR FOLD")
        await rig.press("bet")
        await rig.shows("SEAT 3: BET OR FOLD")
        await rig.press("fold")
        for cards in ("9c 7c 2h", "As Kd Qc"):  # the dealer's, then those of seat 1; seat 3 has folded
            for number, card in enumerate(cards.split(), 1):
                await rig.shows(f"CARD {number} OF 3", within=True)
                await rig.press(f"rank_{card[0]}", f"suit_{card[1]}")
        await until(lambda: rig.hands.events.closed() == 1, "the round is closed")
        assert rig.document() == rig.expected()
        lost = {("shoe", "lost"), ("scanner", "lost")}
        await until(
            lambda: {(x["device"], x["fault"]) for x in tap.document("/state").get("latches", [])} == lost,
            "the faults are published",
        )
        assert set(tap.document("/state")["missing"]) == {"shoe", "scanner"}
        await rig.shows("SHOE LOST: FLOORPERSON'S BADGE")
        await rig.press("digit_3", "no_more_bets")  # neither counts without a badge
        await rig.equipment.badge("badges", "1234")  # nobody who may
        await rig.equipment.badge("badges", "4711")
        await rig.shows("SHOE LOST: 4 OUT OF SERVICE")
        await rig.press("digit_3")  # it is still lost
        await rig.press("digit_4")
        await rig.clear_fault("digit_4")
        await rig.shows("SHUFFLING")
        assert sorted(_latches(rig)) == sorted((*place, how) for place in lost for how in (True, False))
        cleared = [event for event in rig.events(e.FaultCleared) if isinstance(event, e.FaultCleared)]
        assert {(x.credential, x.reason) for x in cleared} == {("4711", "out_of_service")}
        await until(lambda: tap.document("/state")["latches"] == [], "no latches any more")


DOUBTS: dict[str, dict[str, Any]] = {
    "red": {"lamp": "red"},
    "blinking": {"lamp": "green", "blinking": True},
    "unknown": {"lamp": "unknown"},
    "sort": {"mode": "sort"},
    "tamper": {"tamper": True},
}


async def test_every_doubtful_state_holds_the_next_round(tmp_path: Path) -> None:
    async with table(tmp_path, {**TWO_SEATS, "round": TWO_SEATS["round"] * len(DOUBTS)}) as rig:
        for number, doubt in enumerate(DOUBTS.values(), 1):
            await rig.deal(number, to="SEAT 1: BET")
            await rig.equipment.act("scanner", "indicate", **doubt)
            await rig.deal(number)
            assert rig.document(number) == rig.expected(number)
            await rig.shows("SCANNER", within=True)
            await rig.equipment.badge("badges", "4711")
            await rig.shows("4 OUT OF SERVICE", within=True)
            await rig.press("digit_3")  # "checked": it still shows the same
            await rig.equipment.act("scanner", "indicate", mode="ready", lamp="green")
            await rig.shows("2 NEW 3 OK", within=True)
            assert rig.hands.events.closed() == number
            await rig.press("digit_1")
            await rig.shows("SHUFFLING")


async def test_lost_reader_does_not_lock_the_floorperson_out(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="SEAT 1: BET")
        await rig.equipment.unplug("badges")
        await rig.deal()
        await rig.shows("BADGES LOST")
        await until(lambda: "floor_key" in rig.lit, "the key switch counts")
        await rig.press("floor_key", "digit_4")
        await rig.shows("SHUFFLING")
        (cleared,) = rig.events(e.FaultCleared)
        assert isinstance(cleared, e.FaultCleared)
        assert cleared.credential == "key switch"


async def test_panel_lost_and_back(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await rig.deal(to="SEAT 1: BET")
        await rig.equipment.unplug("panel")
        await rig.equipment.put("wagers", 1, "play", "10.00")  # chips need no panel
        rig.robot(1)._decisions[1].clear()
        await until(lambda: len(rig.events(e.SeatDecided)) == 1, "seat 1 bets")
        await rig.equipment.replug("panel")
        await rig.shows("SEAT 3: BET")
        await rig.deal()
        assert rig.document() == rig.expected()
        await rig.shows("PANEL LOST: FLOORPERSON'S BADGE")


async def test_prompt_that_was_not_answered_is_shown_again(tmp_path: Path) -> None:
    slow = "command_timeout_ms = 100\nlost_after_ms = 5000\n"
    edit = lambda text: text.replace("retry_ms = 20\n", f"retry_ms = 20\n{slow}", 1)  # noqa: E731
    async with table(tmp_path, edit=edit) as rig:
        await rig.deal(to="SEAT 1: BET")
        await rig.equipment.wire("panel", "in", silent=True)
        await rig.equipment.put("wagers", 1, "play", "10.00")
        rig.robot(1)._decisions[1].clear()
        await until(lambda: len(rig.events(e.SeatDecided)) == 1, "seat 1 bets")
        assert rig.text.startswith("SEAT 1")
        await rig.equipment.wire("panel", "in")
        await rig.shows("SEAT 3: BET")
