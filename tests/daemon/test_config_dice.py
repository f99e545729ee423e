"""The configuration of a table with dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.daemon.config import parse
from tablectl.equipment import Kind
from tablectl.errors import ConfigurationError
from tablectl.procedure.game import Dealing
from tests.daemon.test_config import CONFIG, SHOE, SMALL

DICE = SMALL.replace("three_card_poker", "high_roll_dice").replace("manual_shoe", "none")


def problems(text: str, tmp_path: Path) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        parse(text, tmp_path / "t1.toml")
    return [str(problem) for problem in caught.value.problems]


def test_shipped_example_has_a_shaker_and_extra_roll_sensors(tmp_path: Path) -> None:
    config = parse((CONFIG / "high_roll_dice.toml").read_text(encoding="utf-8"), tmp_path / "t1.toml")
    assert config.setup.dealing is Dealing.NONE
    assert {device.kind for device in config.devices} == {
        Kind.PANEL,
        Kind.SHAKER,
        Kind.EXTRA_ROLL,
        Kind.WAGER_SENSORS,
        Kind.CREDENTIAL_READER,
    }
    state = config.first_state()
    assert (state.decks, state.dealing, state.shuffler) == ((), "none", "none")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (DICE.replace('"none"', '"manual_shoe"', 1), "is not dealt by manual_shoe: none [675a.3(a)]"),
        (DICE.replace('shuffler = "none"', 'shuffler = "plain"'), "no cards to be shuffled [675a.3(a)]"),
        (DICE + SHOE, 'table.dealing is "none"'),
        (DICE + "\n[decks]\nat_the_table = 2\n", "a game of dice is played with one set [675a.3(a)]"),
        (SMALL.replace("manual_shoe", "none"), "is not dealt by none: manual_shoe, from_hand, automated_shoe"),
    ],
    ids=["dealt", "shuffled", "shoe", "two sets", "cards"],
)
def test_what_dice_and_cards_have_not_in_common_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (problem,) = problems(text, tmp_path)
    assert said in problem
