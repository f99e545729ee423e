"""People at a real table: dealers, the floorperson's menu, play that stands still, other limits, training."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from tablectl import events as e
from tablectl.journal import Reader, RowKind
from tablectl_hil.tableside import Daemon
from tests.daemon.tables import PATIENCE_S, TWO_SEATS, Rig, Tap, table, tapped, until, whole
from tests.support import Broker

FLOOR, DEALER = "4711", "1002"
TWO_ROUNDS: dict[str, Any] = {**TWO_SEATS, "round": [TWO_SEATS["round"][0]] * 2}


def with_dealers(text: str) -> str:
    return text.replace("dealers = []", 'dealers = ["1001", "1002"]')


async def choose(rig: Rig, title: str) -> None:
    """Badge, then the item of the menu."""
    await rig.equipment.badge("badges", FLOOR)
    await rig.shows("FLOOR: ")
    for _ in range(20):
        shown = rig.text
        if shown == f"FLOOR: {title}":
            await rig.press("enter")
            return
        await rig.press("next")
        await until(lambda shown=shown: rig.text != shown, "the next item")  # type: ignore[misc]
    raise AssertionError(f"{title} is not in the menu")


async def told(tap: Tap, key: str, expected: object) -> None:
    """Wait until the retained state says so."""
    await until(lambda: tap.document("/state").get(key) == expected, lambda: f"{key}: {tap.document('/state')}")


async def test_day_of_people_at_a_table(tmp_path: Path, mosquitto: Broker) -> None:
    async with (
        table(tmp_path, TWO_ROUNDS, broker=mosquitto, edit=with_dealers) as rig,
        tapped(mosquitto) as tap,
    ):
        await rig.deal(1, to="SEAT 1: BET")
        await rig.equipment.badge("badges", DEALER)
        await rig.shows(f"DEALER {DEALER} FROM THE NEXT ROUND")

        await choose(rig, "SUSPEND PLAY")
        await rig.shows("1 EMERGENCY")
        await rig.press("digit_1")
        await rig.shows(f"SUSPENDED BY {FLOOR}: FLOOR'S BADGE")
        await until(
            lambda: (tap.document("/state").get("stopped") or {}).get("by") == FLOOR, "told that it stands still"
        )
        assert tap.document("/state")["stopped"]["cause"] == "emergency"
        await rig.daemon.kill()
        await rig.daemon.start()
        await rig.shows(f"SUSPENDED BY {FLOOR}: FLOOR'S BADGE")
        await rig.press("bet")
        await rig.equipment.badge("badges", FLOOR)
        await rig.shows("SEAT 1: BET OR FOLD?")
        await told(tap, "stopped", None)
        await rig.deal(1)
        assert rig.document(1) == rig.expected(1)
        await told(tap, "dealer", DEALER)

        await rig.deal(2, to="WAGERS: 0")
        await choose(rig, "LOOK AT A ROUND")
        await rig.shows("WHICH ROUND? ENTER: 1.")
        await rig.press("enter")
        await rig.shows("ROUND 1 ")
        await rig.press("cancel")
        await choose(rig, "PUT A PAYMENT RIGHT")
        await rig.press("digit_1", "enter")
        await rig.shows("SEAT 3 ANTE FORFEITED?")
        await rig.press("enter", "digit_2", "digit_5", "enter")
        await rig.shows("SEAT 3 PAY 25.00? BADGE")
        await rig.equipment.badge("badges", FLOOR)
        await until(lambda: bool(rig.events(e.PaymentCorrected)), "the payment is put right")

        await rig.equipment.lift_all("wagers")
        await choose(rig, "CLOSE THE TABLE")
        await until(lambda: bool(rig.events(e.TableClosed)), lambda: f"closed: {rig.text}")
        await rig.shows("DECK 2: FLOORPERSON'S BADGE")
        await told(tap, "open", False)
        names = [json.loads(said)["type"] for topic, said in tap.messages if "/event/table/" in topic]
        for name in ("suspended", "resumed", "dealer", "corrected", "ordered", "closed"):
            assert f"tablectl.table.{name}" in names


async def test_rounds_played_while_the_daemon_was_away(tmp_path: Path, mosquitto: Broker) -> None:
    async with table(tmp_path, broker=mosquitto) as rig, tapped(mosquitto) as tap:
        await rig.deal(to="WAGERS: 3")
        await rig.daemon.kill()
        for _ in range(3):
            await rig.equipment.take_card("shoe")
        await rig.daemon.start()
        await rig.shows("CARDS WERE DEALT: FLOORPERSON'S BADGE")
        await rig.equipment.badge("badges", FLOOR)
        await rig.shows("ROUNDS PLAYED WITHOUT")
        await rig.press("digit_2", "enter", "digit_1")
        await rig.shows("COUNT THE")
        await told(tap, "gaps", [{"rounds": 2, "reason": "power", "credential": FLOOR}])
        await rig.press("digit_5", "digit_2", "enter")
        await rig.shows("SHUFFLING")
        (gap,) = rig.events(e.PlayedWithout)
        assert gap == e.PlayedWithout(2, "power", FLOOR)
        (counted,) = rig.events(e.CardsCounted)
        assert isinstance(counted, e.CardsCounted)
        assert (counted.what, counted.total) == ("deck", 52)


async def test_other_limits_count_from_the_posted_notice_on(tmp_path: Path, mosquitto: Broker) -> None:
    rounds = [TWO_SEATS["round"][0]] * 3
    document = {**TWO_SEATS, "table": {"shuffler": "counting", "minimum": "5.00"}, "round": rounds}
    async with table(tmp_path, document, broker=mosquitto) as rig, tapped(mosquitto) as tap:
        rig.whole = lambda: whole(rig.journal)  # type: ignore[method-assign] # its first round is of other limits
        await rig.deal(1)
        assert rig.document(1) == rig.expected(1)
        await rig.deal(2, to="WAGERS: 3")
        await rig.stop()
        file = rig.folder / "table.toml"
        file.write_text(file.read_text("utf-8").replace('minimum = "5.00"', 'minimum = "1.00"'), encoding="utf-8")
        await rig.daemon.start()
        await rig.shows("LIMITS CHANGED: NOTICE POSTED? BADGE")
        await until(lambda: (tap.document("/state").get("stopped") or {}).get("cause") == "notice", "told why")
        # The robot presents the badge.
        await rig.deal(3)
        assert rig.document(3) == rig.expected(3)
        assert rig.document(2)["outcome"] == "void", "it was begun, and nothing was at stake"
        (changed,) = rig.events(e.TableChanged)
        assert isinstance(changed, e.TableChanged)
        assert (changed.what, changed.minimum, changed.minimum_before) == (("limits",), 100, 500)
        assert changed.credential == FLOOR


async def test_training_never_meets_real_play(tmp_path: Path, mosquitto: Broker) -> None:
    async with table(tmp_path, TWO_ROUNDS, broker=mosquitto) as rig, tapped(mosquitto) as tap:
        await rig.deal(1)
        await rig.stop()
        rows = Reader(rig.journal).head().seq
        trained = rig.folder / "journal.db.training"
        training = Daemon(rig.folder / "table.toml", rig.folder / "training.log", options=("--training",))
        await training.start()
        try:
            await rig.shows("TRAINING ")
            await until(lambda: any("-training/" in topic for topic in tap.retained), "topics of its own")
            await until(lambda: bool(tap.document("-training/hil/P1/T1/state")), "its state")
        finally:
            assert await training.stop() == 0
        assert Reader(rig.journal).head().seq == rows, "the journal of real play is not touched"
        assert Reader(trained).last(RowKind.SNAPSHOT) is not None
        for topic, said in tap.messages:
            document = json.loads(said) if said else {}
            assert document.get("training") is ("-training/" in topic), topic
        await _refuses(rig, trained, ())
        await _refuses(rig, rig.journal, ("--training",))


async def test_floor_begins_training_at_a_closed_table_and_ends_it(tmp_path: Path, mosquitto: Broker) -> None:
    async with table(tmp_path, broker=mosquitto, opened=False) as rig, tapped(mosquitto) as tap:
        await rig.shows("DECK 1: FLOORPERSON'S BADGE")
        await rig.equipment.badge("badges", FLOOR)
        await rig.shows("DECK 1: 1 RED")
        await choose(rig, "BEGIN TRAINING")
        await rig.shows("TRAINING DECK 1: FLOORPERSON'S BADGE")
        await until(lambda: tap.document("-training/hil/P1/T1/status").get("status") == "online", "it trains")
        await rig.equipment.badge("badges", FLOOR)
        await rig.shows("TRAINING DECK 1: 1 RED")
        await rig.equipment.badge("badges", FLOOR)
        await rig.shows("TRAINING FLOOR: ")
        while rig.text != "TRAINING FLOOR: END TRAINING":
            shown = rig.text
            await rig.press("next")
            await until(lambda shown=shown: rig.text != shown, "the next item")  # type: ignore[misc]
        await rig.press("enter")
        await rig.shows("DECK 1: ")
        assert rig.daemon.running
        kinds = [type(event).__name__ for event in rig.events(e.TableStarted, e.TableStopped)]
        assert kinds == ["TableStarted", "TableStopped", "TableStarted"]
        trained = [row.body for row in Reader(rig.folder / "journal.db.training").rows(kinds=[RowKind.EVENT])]
        assert any("end_training" in body for body in trained)
        assert not any("deck-1" in row.body for row in rig.rows(RowKind.EVENT)), "the decks are others"
        await until(lambda: tap.document("tablectl/hil/P1/T1/status").get("status") == "online", "and is back")


async def _refuses(rig: Rig, journal: Path, options: tuple[str, ...]) -> None:
    """A table does not go on with a journal of the other kind, wherever that lies."""
    other = rig.folder / "other"
    other.mkdir(exist_ok=True)
    for file in rig.folder.glob(f"{journal.name}*"):
        suffix = file.name.removeprefix(journal.name)
        if not suffix.startswith(".training"):
            name = "journal.db.training" if options else "journal.db"
            (other / f"{name}{suffix}").write_bytes(file.read_bytes())
    text = (rig.folder / "table.toml").read_text("utf-8").replace(str(rig.journal), str(other / "journal.db"))
    (other / "table.toml").write_text(text, encoding="utf-8")
    words = (sys.executable, "-m", "tablectl", "run", *options, str(other / "table.toml"))
    process = await asyncio.create_subprocess_exec(
        *words, stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    assert process.returncode == 3, (out, err)
    assert b"the two are never mixed" in err
