"""The shipped example is right, and the reference describes what is read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tablectl.daemon.config import parse
from tablectl.daemon.sections import SECTIONS
from tablectl.devices import registry
from tablectl.equipment import Kind
from tablectl.errors import ConfigurationError
from tablectl.games import GAME_IDS, game
from tests.daemon.test_config import CONFIG, SMALL, certificate


def test_the_shipped_example_is_right(tmp_path: Path) -> None:
    text = (CONFIG / "three_card_poker.toml").read_text(encoding="utf-8")
    config = parse(text, tmp_path / "t1.toml")
    assert config.game.id == "three_card_poker"
    assert {device.kind for device in config.devices} == {
        Kind.PANEL,
        Kind.SHOE,
        Kind.SHUFFLER,
        Kind.WAGER_SENSORS,
        Kind.CARD_SCANNER,
        Kind.CREDENTIAL_READER,
    }


def test_what_the_example_comments_out_is_what_counts_without_it(tmp_path: Path) -> None:
    text = (CONFIG / "three_card_poker.toml").read_text(encoding="utf-8")
    for name in ("ca", "T1"):
        certificate(tmp_path, name)
    told = re.sub(r"^#(?=[\[a-z])", "", text, flags=re.MULTILINE)
    silent, spoken = parse(text, tmp_path / "t1.toml"), parse(told, tmp_path / "t1.toml")
    assert silent.identity == spoken.identity
    assert silent.mqtt is not None
    assert spoken.mqtt is not None
    assert silent.mqtt.tls is None
    assert spoken.mqtt.tls is not None
    assert [silent.mqtt.window, silent.mqtt.keepalive_s] == [spoken.mqtt.window, spoken.mqtt.keepalive_s]
    assert silent.usb == spoken.usb is not None
    shown = ("table", "decks", "mqtt", "mqtt.tls", "usb")
    for key in [key for section in shown for key in SECTIONS[section].model_fields]:
        assert re.search(rf"^({key} = |\[mqtt\.{key}\])", told, re.MULTILINE), f"the example does not show {key}"
    options = [option.key for option in game("three_card_poker").submission.options()]
    for key in options:
        assert re.search(rf"^{key} = ", told, re.MULTILINE), f"the example does not show rules.{key}"


@pytest.mark.parametrize("path", sorted(CONFIG.glob("*.toml")), ids=lambda path: path.stem)
def test_every_shipped_table_shows_all_options_of_its_game(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    (rules,) = re.findall(r"^\[rules\]$.*?(?=^\[)", text, re.MULTILINE | re.DOTALL)
    told = re.sub(r"^#(?=[a-z])", "", rules, flags=re.MULTILINE)
    silent, spoken = (parse(words, tmp_path / "t1.toml") for words in (text, text.replace(rules, told)))
    assert silent.game.id == path.stem
    assert silent.identity == spoken.identity, "what is commented out is not what counts without it"
    shown = re.findall(r"^(\w+) = ", told, re.MULTILINE)
    assert sorted(shown) == sorted(option.key for option in silent.game.submission.options())


def rows(section: str) -> dict[str, str]:
    """Keys and defaults of one section's table in the reference."""
    text = (CONFIG / "README.md").read_text(encoding="utf-8")
    (part,) = re.findall(rf"^## `\[{re.escape(section)}\]`$(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    cells = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| ", part, re.MULTILINE)
    return {key: default for key, _, default in cells}


@pytest.mark.parametrize("section", SECTIONS)
def test_the_reference_describes_every_key_and_no_other(section: str) -> None:
    described = rows(section)
    fields = SECTIONS[section].model_fields
    if section == "devices.ID":
        driver = {key: described.pop(key) for key in list(described) if key not in fields}
        assert [*driver] == re.findall(r"\w+", unknown_driver_key().split("expected ")[1])
    assert [*described] == [*fields]
    for key, field in fields.items():
        if field.is_required():
            assert described[key] == "required"
        elif field.default not in (None, ()):
            assert described[key].strip("`") == _written(field.default)


def _written(default: object) -> str:
    """A default as the file has it."""
    if isinstance(default, bool):
        return json.dumps(default)
    return json.dumps(list(default)) if isinstance(default, tuple) else str(default)


def unknown_driver_key() -> str:
    driver = registry.load("table-device-link")
    with pytest.raises(ConfigurationError) as caught:
        driver.check("panel", Kind.PANEL, "serial:/dev/panel", {"bogus": 1})
    (problem,) = caught.value.problems
    return problem


def test_every_game_can_be_configured(tmp_path: Path) -> None:
    for name in GAME_IDS:
        text = SMALL.replace("three_card_poker", name).replace("manual_shoe", game(name).usual_dealing)
        config = parse(text, tmp_path / "t1.toml")
        assert config.game.id == name
