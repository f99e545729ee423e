"""The section [decks] of a table's file, and what shuffles without end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tablectl.daemon.config import TableConfig, parse
from tablectl.errors import ConfigurationError
from tests.daemon.test_config import SMALL

COUNTING = SMALL.replace('shuffler = "none"', 'shuffler = "counting"')


def read(text: str, folder: Path) -> TableConfig:
    return parse(text, folder / "t1.toml")


@pytest.fixture
def wrong(tmp_path: Path) -> Callable[[str], list[str]]:
    def problems(text: str) -> list[str]:
        with pytest.raises(ConfigurationError) as caught:
            read(text, tmp_path)
        return [problem.replace(f"{tmp_path}/", "") for problem in caught.value.problems]

    return problems


def test_without_the_section_one_deck_is_at_the_table(tmp_path: Path) -> None:
    setup = read(SMALL, tmp_path).setup
    assert (setup.decks, setup.backs, setup.continuous) == (1, ("red", "blue"), False)


def test_two_decks_and_their_colours(tmp_path: Path) -> None:
    setup = read(COUNTING + '[decks]\nat_the_table = 2\nbacks = ["green", "gold"]\n', tmp_path).setup
    assert (setup.decks, setup.backs) == (2, ("green", "gold"))


def test_a_round_is_bound_to_the_decks_of_its_table(tmp_path: Path) -> None:
    plain = read(COUNTING, tmp_path).identity
    for section in ("at_the_table = 2", 'backs = ["red"]'):
        other = read(f"{COUNTING}[decks]\n{section}\n", tmp_path).identity
        assert other.configuration != plain.configuration
        assert other.edition == plain.edition
    endless = read(COUNTING.replace("[table]", '[table]\nshuffler_mode = "continuous"'), tmp_path)
    assert endless.setup.continuous
    assert endless.identity.configuration != plain.configuration


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            SMALL + "[decks]\nat_the_table = 2\n",
            "t1.toml:15: decks.at_the_table: two decks need an automated shuffler: one is shuffled, one played"
            " [565.3(b)]",
        ),
        (
            COUNTING + '[decks]\nat_the_table = 2\nbacks = ["red"]\n',
            "t1.toml:16: decks.backs: 2 decks at the table need backs of 2 colours, 1 named [565.3(b)]",
        ),
        (
            SMALL + '[decks]\nbacks = ["red", "red"]\n',
            "t1.toml:15: decks.backs: one colour is named twice [565.3(b)]",
        ),
        (
            SMALL + "[decks]\nat_the_table = 3\n",
            "t1.toml:15: decks.at_the_table: found 3: expected a number of decks, or batches, that are at the table at"
            " once: 1 or 2",
        ),
        (
            SMALL + "[decks]\nbacks = []\n",
            't1.toml:15: decks.backs: found []: expected a list of the colours of backs in use as text, such as ["red",'
            ' "blue"]',
        ),
        (SMALL + "[decks]\nat_table = 1\n", "t1.toml:15: decks.at_table: unknown key: did you mean 'at_the_table'?"),
        (
            SMALL.replace("[table]", '[table]\nshuffler_mode = "continuous"'),
            't1.toml:2: table.shuffler_mode: table.shuffler is "none": name what shuffles without end, or leave this'
            " key out",
        ),
        (
            COUNTING.replace("[table]", '[table]\nshuffler_mode = "continuous"') + "[decks]\nat_the_table = 2\n",
            "t1.toml:16: decks.at_the_table: a continuous shuffler takes back what is played: one deck [565.3(b)]",
        ),
    ],
    ids=["no_shuffler", "one_colour", "same_colour", "three", "no_colour", "key", "endless_none", "endless_two"],
)
def test_what_is_wrong_is_said_with_line_key_and_clause(
    wrong: Callable[[str], list[str]], text: str, said: str
) -> None:
    assert wrong(text) == [said]
