"""Every fault by script, at a real table: the state that it ends in, and the story that journal and log tell of it.

The faults are the files of ``tests/faults``. Each is run by `tablectl hil run --faults`, for two like rounds: what a
fault leaves behind has to be cleared before the second one, which then is played as if nothing had been.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cli import main
from tablectl.daemon.config import load as load_table
from tablectl.engine.core import Core
from tablectl.engine.recovery import recover
from tablectl.engine.retrace import Finding, retrace
from tablectl.engine.rows import read_body
from tablectl.engine.scenario import load as load_scenario
from tablectl.engine.scenario import parse
from tablectl.engine.script import play
from tablectl.errors import ScenarioError
from tablectl.journal import Reader, RowKind
from tablectl_hil.faults import Fault, FaultScript, load
from tablectl_hil.tableside import run_scenario
from tests.daemon.tables import TWO_SEATS, whole
from tests.engine.scenarios import without_deck

FOLDER = Path(__file__).parent.parent / "faults"
CARDS = FOLDER / "scenarios" / "cards.toml"
STACKS = FOLDER / "scenarios" / "stacks.toml"
DICE = FOLDER / "scenarios" / "dice.toml"
NUMBER = FOLDER / "scenarios" / "number.toml"
HOLE_CARD = FOLDER / "scenarios" / "hole_card.toml"

Said = dict[str, Any]


@dataclass(frozen=True)
class Story:
    """What a run has left: its outcome, the journal, and the daemon's log."""

    rounds: list[dict[str, Any]]
    scripted: list[dict[str, Any]]
    journal: Path
    log: list[dict[str, Any]]

    def said(self, name: str, device: str | None = None) -> list[Said]:
        """The messages of that class in the journal, with the boot id that they came under."""
        bodies = [json.loads(row.body) for row in Reader(self.journal).rows(kinds=[RowKind.INPUT])]
        return [
            {**body["message"], "boot": body["boot"]}
            for body in bodies
            if body["message"]["$"] == name and device in (None, body["device"])
        ]

    def events(self, *kinds: type[e.Event]) -> list[Any]:
        """The events of these classes in the journal."""
        found = [read_body(row, event=e.Event)["event"] for row in Reader(self.journal).rows(kinds=[RowKind.EVENT])]
        return [event for event in found if isinstance(event, kinds)]

    def intents(self, name: str) -> int:
        """How often that command was to be given."""
        bodies = [json.loads(row.body) for row in Reader(self.journal).rows(kinds=[RowKind.INTENT])]
        return [body["command"]["$"] for body in bodies].count(name)

    @property
    def keys(self) -> list[str]:
        """The keys that were pressed."""
        return [press["key"] for press in self.said("KeyPressed")]

    @property
    def counts(self) -> list[int]:
        """The counts under which the shoe has told of its cards."""
        return [left["count"] for left in self.said("CardLeft", "shoe")]

    @property
    def dealt(self) -> list[int]:
        """The numbers of the cards that were dealt."""
        return [event.number for event in self.events(e.CardDealt)]

    @property
    def irregularities(self) -> list[tuple[str, str | None]]:
        """What was noted, with the clause."""
        return [(event.kind, event.cite) for event in self.events(e.IrregularityNoted)]

    def logged(self, event: str, device: str) -> list[dict[str, Any]]:
        """The lines of the log for that event and device."""
        return [line for line in self.log if line["event"] == event and line.get("device") == device]

    def statistics(self, device: str) -> dict[str, int]:
        """How the line was, as it was closed."""
        (closed,) = self.logged("device_closed", device)
        return closed

    def latched_and_cleared(self, *faults: tuple[str, str]) -> None:
        """Just these faults were latched, and cleared by the floorperson before the second round was opened."""
        rows = [json.loads(row.body) for row in Reader(self.journal).rows(kinds=[RowKind.LATCH])]
        assert sorted((row["device"], row["fault"]) for row in rows if row["set"]) == sorted(faults)
        assert sorted((row["device"], row["fault"]) for row in rows if not row["set"]) == sorted(faults)
        order = self.events(e.RoundOpened, e.RoundClosed, e.FaultLatched, e.FaultCleared)
        second = next(n for n, event in enumerate(order) if isinstance(event, e.RoundOpened) and event.round == 2)
        before = order[:second]
        assert sorted((x.device, x.fault) for x in before if isinstance(x, e.FaultLatched)) == sorted(faults)
        cleared = [x for x in before if isinstance(x, e.FaultCleared)]
        assert sorted((x.device, x.fault) for x in cleared) == sorted(faults)
        assert {(x.credential, x.reason) for x in cleared} == ({("4711", "checked")} if faults else set())

    def as_by_script(self) -> None:
        """Nothing of it is to be seen in the outcome: every card once, and nothing noted."""
        assert self.rounds == self.scripted
        assert self.dealt == [*range(1, 10)] * 2
        assert self.irregularities == []


def undisturbed(story: Story) -> None:
    """The fault has cost nothing but time: not a message more or less, and no device lost."""
    story.as_by_script()
    story.latched_and_cleared()
    assert story.counts == [*range(1, 10)] * 2
    assert story.keys == ["no_more_bets", "fold"] * 2
    assert story.said("LinkLost") == []
    for device in ("panel", "shoe", "wagers", "scanner", "badges", "shuffler"):
        assert story.statistics(device)["reconnects"] == 0


def split_frames(story: Story) -> None:
    undisturbed(story)
    assert [story.statistics(device)["bad_frames"] for device in ("panel", "shoe")] == [0, 0]


def corrupted_frames(story: Story) -> None:
    undisturbed(story)
    assert all(story.statistics(device)["bad_frames"] > 0 for device in ("panel", "shoe"))


def duplicated_frames(story: Story) -> None:
    undisturbed(story)
    assert all(story.statistics(device)["duplicates"] > 0 for device in ("panel", "shoe"))


def late_frames(story: Story) -> None:
    undisturbed(story)
    assert story.statistics("shoe")["duplicates"] > 0


def lost_frames(story: Story) -> None:
    undisturbed(story)
    assert story.statistics("panel")["retransmits"] > 0


def babble(story: Story) -> None:
    undisturbed(story)
    assert all(story.statistics(device)["bad_frames"] > 0 for device in ("panel", "shoe", "wagers", "scanner"))


def silence(story: Story) -> None:
    story.as_by_script()
    story.latched_and_cleared(("shoe", "lost"))
    (lost,) = story.said("LinkLost")
    assert "silent" in lost["reason"]
    assert story.keys.count("dealt") == 1, "the deal went on by hand"
    assert story.counts == [*range(1, 10)] * 2, "what it had to say came late, and once"
    first, again = story.logged("device_up", "shoe")
    assert (first["boot"], again["same_boot"]) == (again["boot"], True)


def unplugged_in_mid_write(story: Story) -> None:
    story.as_by_script()
    story.latched_and_cleared(("shoe", "lost"), ("panel", "lost"))
    for device in ("shoe", "panel"):
        (lost,) = story.logged("device_lost", device)
        assert "unplugged" in lost["reason"]
        assert story.statistics(device)["reconnects"] == 1
    assert story.counts == [*range(1, 10)] * 2, "of half a message nothing was taken, and the whole one came later"
    assert story.keys.count("fold") == 2


def return_under_another_name(story: Story) -> None:
    story.as_by_script()
    story.latched_and_cleared(("shoe", "lost"))
    first, again = story.logged("device_up", "shoe")
    assert first["port"] != again["port"]
    assert (first["serial"], first["boot"]) == (again["serial"], again["boot"])
    assert [up["boot"] for up in story.said("LinkUp", "shoe")] == [first["boot"]] * 2
    assert story.counts == [*range(1, 10)] * 2


def reset_with_lost_count(story: Story) -> None:
    story.as_by_script()
    story.latched_and_cleared(("shoe", "lost"))
    assert len({up["boot"] for up in story.said("LinkUp", "shoe")}) == 2
    assert story.counts == [1, 2, 3, *range(1, 7), *range(1, 10)], "it has begun to count anew"
    assert story.keys[:4] == ["no_more_bets", "digit_3", "enter", "fold"], "the dealer was asked for the count"


def reset_with_a_stack_out(story: Story) -> None:
    story.as_by_script()
    story.latched_and_cleared(("shoe", "lost"))
    assert story.keys[:3] == ["no_more_bets", "yes", "fold"], "the dealer was asked whether the stack was given"
    assert story.intents("DispenseStack") == 6, "and it was not asked for again"
    assert len(story.said("StackTaken")) == 5


def wrong_count(story: Story) -> None:
    first, second = story.rounds
    assert (first["outcome"], first["cause"], first["cite"]) == ("suspended", "deck_count", "565.5(b)")
    assert (first["wagers"], first["deck"]) == ([], {"disposition": "remove"})
    assert second == story.scripted[1]
    assert story.irregularities == [("deck_count", "565.5(b)")]
    assert [event.counted for event in story.events(e.DeckShuffled)] == [51, 52]
    (removed,), (brought,) = story.events(e.DeckRemoved), story.events(e.DeckReceived)
    assert removed.deck != brought.deck
    assert brought.credential == "4711"
    assert story.dealt == [*range(1, 10)], "not a card of the wrong deck was dealt"


def jammed_shuffler(story: Story) -> None:
    first, second = story.rounds
    assert first == {**story.scripted[0], "remedies": ["cards_reshuffled"]}
    assert second == story.scripted[1]
    story.latched_and_cleared(("shuffler", "jam"), ("shuffler", "red_light"))
    assert [failed["fault"] for failed in story.said("ShuffleFailed")] == ["jam"]
    assert story.irregularities == [("shuffler_jam", "565.13(e)")]
    assert story.intents("StartShuffle") >= 3, "the first round's shuffle twice"
    assert len(story.events(e.DeckShuffled)) == 2


def jammed_shoe(story: Story) -> None:
    first, second = story.rounds
    assert (first["outcome"], first["cause"], first["cite"]) == ("void", "shoe_jam", "565.13(f)")
    assert first["remedies"] == ["wagers_returned", "cards_reshuffled"]
    assert {row["result"] for row in first["wagers"]} == {"void"}
    assert first["net"] == {"1": "0.00", "3": "0.00"}
    assert second == story.scripted[1]
    story.latched_and_cleared(("shoe", "jam"), ("shoe", "red_light"))
    assert [failed["fault"] for failed in story.said("StackFailed")] == ["jam"]
    assert story.irregularities == [("shoe_jam", "565.13(f)")]
    assert story.dealt == [*range(1, 6), *range(1, 10)]


def stuck_button(story: Story) -> None:
    story.as_by_script()
    story.latched_and_cleared(("panel", "stuck"), ("panel", "red_light"))
    assert story.keys.count("seat_5") == 1, "it was pressed once, and did not repeat itself"
    assert "stuck" in [state["fault"] for state in story.said("DeviceState", "panel")]


def bouncing_buttons(story: Story) -> None:
    story.as_by_script()
    story.latched_and_cleared()
    assert story.keys == BY_KEYS * 2, "each press once, and none of its bounces"


def swapped_devices(story: Story) -> None:
    story.as_by_script()
    story.latched_and_cleared(("shoe", "lost"), ("shoe", "swapped"))
    (fault,) = story.logged("device_fault", "shoe")
    assert fault["reason"] == "serial number EMU-spare (Emulated shoe) answers on its port, expected EMU-shoe"
    assert {up["serial"] for up in story.logged("device_up", "shoe")} == {"EMU-shoe"}
    assert len({left["boot"] for left in story.said("CardLeft")}) == 1, "nothing of the other shoe was taken"
    assert story.keys.count("dealt") == 1, "the deal went on by hand"


FIRST_THROW, SECOND_THROW = (5, 5, 5, 1, 1, 2, 2, 3, 4, 6), (5, 5, 1, 2, 3, 4, 6)


def thrown(story: Story, *keyed: str) -> None:
    """Each throw once and as the dice lay, of which so much was keyed."""
    assert story.rounds == story.scripted
    assert [x.faces for x in story.events(e.DiceThrown)] == [FIRST_THROW, SECOND_THROW] * 2
    reasons = len(story.events(e.FaultCleared))  # keyed too, as the second round is opened
    digits = [key for key in story.keys if key.startswith("digit_")]
    assert digits == [*keyed, *["digit_3"] * reasons]


FIRST_KEYED = [f"digit_{face}" for face in FIRST_THROW]


def die_shows_seven(story: Story) -> None:
    thrown(story, *FIRST_KEYED)
    story.latched_and_cleared(("shaker", "protocol"))
    assert [latched.message for latched in story.events(e.FaultLatched)] == ["says that a die shows 7"]
    assert story.irregularities == []


def too_few_dice(story: Story) -> None:
    thrown(story, *FIRST_KEYED)
    story.latched_and_cleared()


def shaker_lost_in_the_throw(story: Story) -> None:
    thrown(story)
    story.latched_and_cleared(("shaker", "lost"))
    assert len(story.said("DiceRead")) == 4
    assert len({up["boot"] for up in story.said("LinkUp", "shaker")}) == 1


def shaker_reset_in_the_throw(story: Story) -> None:
    thrown(story)
    story.latched_and_cleared(("shaker", "lost"))
    assert len(story.said("DiceRead")) == 4
    assert len({up["boot"] for up in story.said("LinkUp", "shaker")}) == 2


def number_out_of_range(story: Story) -> None:
    assert story.rounds == story.scripted
    story.latched_and_cleared(("rng", "protocol"))
    assert [said["number"] for said in story.said("NumberDrawn")] == [9, 4]
    assert [x.number for x in story.events(e.NumberChosen)] == [4, 4], "the first one was keyed"
    assert [str(start.position) for start in story.events(e.StartChosen)] == ["seat 4"] * 2


def reader_lost_at_the_peek(story: Story) -> None:
    assert story.rounds == story.scripted
    story.latched_and_cleared(("card_reader", "lost"))
    assert [peeked.blackjack for peeked in story.events(e.HoleCardPeeked)] == [False, True]
    assert (story.intents("ReadHoleCard"), len(story.said("HoleCardRead"))) == (2, 2)


def reader_reset_at_the_peek(story: Story) -> None:
    assert story.rounds == story.scripted
    story.latched_and_cleared(("card_reader", "lost"))
    assert [peeked.blackjack for peeked in story.events(e.HoleCardPeeked)] == [False, True]
    assert story.intents("ReadHoleCard") == 3, "it had forgotten that it was to read"


def extra_roll_sensor_bounces(story: Story) -> None:
    thrown(story)
    story.latched_and_cleared()
    assert [out.seats for out in story.events(e.WagersLockedOut)] == [(2,), (2,)]
    assert len(story.said("LateWager")) == 2
    assert story.irregularities == [("late_wager", "675a.2(a)")], "a chip that bounces is one"


BY_KEYS = [
    "shuffled",
    *("seat_1", "ante", "digit_1", "digit_0", "point", "digit_0", "digit_0", "enter"),
    *("seat_1", "pair_plus", "digit_5", "point", "digit_0", "digit_0", "enter"),
    *("seat_3", "ante", "digit_2", "digit_5", "point", "digit_0", "digit_0", "enter"),
    *("no_more_bets", "bet", "fold"),
    *("rank_9", "suit_c", "rank_7", "suit_c", "rank_2", "suit_h"),
    *("rank_A", "suit_s", "rank_K", "suit_d", "rank_Q", "suit_c"),
]
"""What is keyed in one of the two rounds where there are no sensors."""

CASES: dict[str, tuple[Callable[[Story], None], Path, str]] = {
    "split_frames": (split_frames, CARDS, "all"),
    "merged_frames": (split_frames, CARDS, "all"),
    "corrupted_frames": (corrupted_frames, CARDS, "all"),
    "duplicated_frames": (duplicated_frames, CARDS, "all"),
    "late_frames": (late_frames, CARDS, "all"),
    "lost_frames": (lost_frames, CARDS, "all"),
    "babble": (babble, CARDS, "all"),
    "silence": (silence, CARDS, "all"),
    "unplugged_in_mid_write": (unplugged_in_mid_write, CARDS, "all"),
    "return_under_another_name": (return_under_another_name, CARDS, "all"),
    "reset_with_lost_count": (reset_with_lost_count, CARDS, "all"),
    "reset_with_a_stack_out": (reset_with_a_stack_out, STACKS, "all"),
    "wrong_count": (wrong_count, CARDS, "all"),
    "jammed_shuffler": (jammed_shuffler, CARDS, "all"),
    "jammed_shoe": (jammed_shoe, STACKS, "all"),
    "stuck_button": (stuck_button, CARDS, "all"),
    "bouncing_buttons": (bouncing_buttons, CARDS, "panel"),
    "swapped_devices": (swapped_devices, CARDS, "all"),
    "die_shows_seven": (die_shows_seven, DICE, "all"),
    "too_few_dice": (too_few_dice, DICE, "all"),
    "shaker_lost_in_the_throw": (shaker_lost_in_the_throw, DICE, "all"),
    "shaker_reset_in_the_throw": (shaker_reset_in_the_throw, DICE, "all"),
    "extra_roll_sensor_bounces": (extra_roll_sensor_bounces, DICE, "all"),
    "number_out_of_range": (number_out_of_range, NUMBER, "all"),
    "reader_lost_at_the_peek": (reader_lost_at_the_peek, HOLE_CARD, "all"),
    "reader_reset_at_the_peek": (reader_reset_at_the_peek, HOLE_CARD, "all"),
}
"""For each file of faults: what has to come of it, the scenario, and the equipment."""


def test_every_file_of_faults_is_run() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_fault_ends_in_the_right_state_and_is_on_the_record(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    holds, scenario, sensors = CASES[name]
    command = ["hil", "run", str(scenario), "--json", "--sensors", sensors]
    assert main([*command, "--faults", str(FOLDER / f"{name}.toml"), "--keep", str(tmp_path)]) == 0
    document = json.loads(capsys.readouterr().out)
    (folder,) = tmp_path.iterdir()
    lines = (folder / "daemon.log").read_text("utf-8").splitlines()
    holds(
        Story(
            [without_deck(played) for played in document["rounds"]],
            [without_deck(played) for played in play(load_scenario(scenario))["rounds"]],
            folder / "journal.db",
            [json.loads(line) for line in lines],
        )
    )
    sound(folder)


def sound(folder: Path) -> None:
    """The journal is whole, it is played again in the same way, and the table would go on from it."""
    whole(folder / "journal.db")
    table, reader = load_table(folder / "table.toml", here=False), Reader(folder / "journal.db")
    for stretch in retrace(reader.rows(), table.make_core, table.identity):
        assert stretch.finding is Finding.SAME, stretch
    assert isinstance(recover(reader, table.make_core, lambda: int(time.time()), table.identity), Core)


# What is wrong with faults is said before a table is set up, or as soon as it shows --------------------------------


def fault(round: int, at: str, device: str, act: str, **arguments: object) -> Fault:
    return Fault.model_validate({"round": round, "at": at, "device": device, "act": act, "with": arguments})


async def test_fault_whose_moment_does_not_come_is_an_error(tmp_path: Path) -> None:
    never = FaultScript(fault=(fault(1, "decision 5", "shoe", "unplug", for_ms=100),))
    with pytest.raises(ScenarioError, match="moment decision 5 did not come"):
        await run_scenario(parse(TWO_SEATS), tmp_path, "all", never)


def test_faults_file_lists_everything_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "faults.toml"
    path.write_text(
        'spare = ["shoe"]\n[[fault]]\nat = "card 0"\ndevice = "shoe"\nact = "unplug"\nwhen = 3\nlatches = "gone"\n',
        encoding="utf-8",
    )
    with pytest.raises(ScenarioError) as caught:
        load(path)
    found = [line.split(": ")[1] for line in str(caught.value).splitlines()]
    assert found == ["spare", "fault.0.at", "fault.0.latches", "fault.0.when"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            ("card 1", "shoo", "unplug", {}),
            "fault.0: unplug of shoo: the table has no device 'shoo': expected panel, s",
        ),
        (
            ("card 1", "shoe", "burn", {}),
            "fault.0: burn of shoe: there is no such act: expected babble, clear, deaf, d",
        ),
        (("card 1", "shoe", "unplug", {"ms": 3}), "fault.0: unplug of shoe: unplug: got an unexpected keyword argumen"),
        (("card 1", "shoe", "jam_after", {}), "fault.0: jam_after of shoe: jam_after: missing a required argument: 'c"),
        (("card 1", "shoe", "fail_now", {"fault": "hot"}), "fault.0: fail_now of shoe: fail_now: "),
    ],
    ids=lambda value: value[2] if isinstance(value, tuple) else "",
)
def test_faults_that_cannot_happen_are_refused_without_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: tuple[str, str, str, dict[str, Any]], said: str
) -> None:
    at, device, act, arguments = wrong
    given = ", ".join(f"{key} = {json.dumps(value)}" for key, value in arguments.items())
    path = tmp_path / "faults.toml"
    path.write_text(f'[[fault]]\nat = "{at}"\ndevice = "{device}"\nact = "{act}"\nwith = {{ {given} }}\n')
    assert main(["hil", "run", str(CARDS), "--faults", str(path), "--keep", str(tmp_path / "kept")]) == 2
    assert said in capsys.readouterr().err
    assert not list((tmp_path / "kept").glob("*/daemon.log"))
