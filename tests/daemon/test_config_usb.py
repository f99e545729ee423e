"""The section [usb] of a table's file: which devices may be plugged in beside the table's own."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tablectl.daemon.config import TableConfig, parse
from tablectl.devices import registry
from tablectl.devices.watcher import Watcher
from tablectl.errors import ConfigurationError
from tests.daemon.test_config import SHOE, SMALL

XKEYS = SMALL.replace("table-device-link", "xkeys").replace("serial:/dev/panel", "usb:05f3:0405?serial=X1")
XKEYS += 'keys = "bet=1.1"\n'


def read(text: str, folder: Path, *, here: bool = True) -> TableConfig:
    return parse(text, folder / "t1.toml", here=here)


@pytest.fixture
def wrong(tmp_path: Path) -> Callable[[str], list[str]]:
    def problems(text: str) -> list[str]:
        with pytest.raises(ConfigurationError) as caught:
            read(text, tmp_path)
        return [problem.replace(f"{tmp_path}/", "") for problem in caught.value.problems]

    return problems


def test_without_the_section_nobody_watches(tmp_path: Path) -> None:
    assert read(SMALL, tmp_path).usb is None


def test_the_list_and_the_ports_of_the_devices_are_what_may_be_there(tmp_path: Path) -> None:
    config = read(XKEYS + SHOE + '[usb]\nallow = ["046d:c31c", "usb:0781:5567?port=1-3"]\n', tmp_path)
    assert config.usb is not None
    assert config.usb.allow == ("046d:c31c", "usb:0781:5567?port=1-3")
    assert config.usb.ports == ("usb:05f3:0405?serial=X1", "serial:/dev/shoe")
    watcher = config.usb.make()
    assert isinstance(watcher, Watcher)
    assert watcher.strangers == frozenset()


def test_an_empty_section_watches_and_allows_nothing_more(tmp_path: Path) -> None:
    config = read(SMALL + "[usb]\n", tmp_path)
    assert config.usb is not None
    assert config.usb.allow == ()


def test_it_is_no_part_of_what_a_round_is_bound_to(tmp_path: Path) -> None:
    assert read(SMALL, tmp_path).identity == read(SMALL + '[usb]\nallow = ["046d:c31c"]\n', tmp_path).identity


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ("usb = 1", "t1.toml:1: usb: found 1: expected a section [usb]"),
        (
            '[usb]\nallow = "046d:c31c"',
            "t1.toml:15: usb.allow: found '046d:c31c': expected a list of devices as text, such as"
            ' ["046d:c31c", "0781:5567?serial=4C53"]',
        ),
        (
            "[usb]\nallow = [1133]",
            "t1.toml:15: usb.allow.0: found 1133: expected a list of devices as text, such as"
            ' ["046d:c31c", "0781:5567?serial=4C53"]',
        ),
        ("[usb]\nalow = []", "t1.toml:15: usb.alow: unknown key: did you mean 'allow'?"),
        ("[usbs]", "t1.toml:14: usbs: unknown section or key: did you mean 'usb'?"),
        (
            '[usb]\nallow = ["046d"]',
            "t1.toml:15: usb.allow: 'usb:046d' names no vendor and product of four hexadecimal digits each: expected"
            " usb:VID:PID, such as usb:05f3:0405?serial=… or usb:05f3:0405?port=1-2.3",
        ),
    ],
)
def test_what_is_wrong_with_it_is_said_with_its_place(
    section: str, problem: str, wrong: Callable[[str], list[str]]
) -> None:
    text = f"{section}\n{SMALL}" if section == "usb = 1" else f"{SMALL}{section}\n"
    assert wrong(text) == [problem]


def test_all_entries_are_looked_at_and_the_ports_are_their_drivers_business(wrong: Callable[[str], list[str]]) -> None:
    text = XKEYS + '[usb]\nallow = ["05f3:0405?serial=X1", "046d:c31c?bus=1"]\n'
    own, unknown = wrong(text)
    assert own == (
        "t1.toml:16: usb.allow: '05f3:0405?serial=X1' is a configured device's port and so allowed already:"
        " remove it here"
    )
    assert "has the unknown setting 'bus'" in unknown
    (problem,) = wrong(text.replace("usb:05f3:0405", "usb:05f3").replace(', "046d:c31c?bus=1"', ""))
    assert "devices.panel.port" in problem


def test_without_anybody_to_watch_it_is_refused_where_it_would_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wrong: Callable[[str], list[str]]
) -> None:
    installed = registry._points

    def points(group: str) -> list[EntryPoint]:
        return [] if group == registry.WATCHERS else installed(group)

    monkeypatch.setattr(registry, "_points", points)
    text = SMALL + "[usb]\n"
    (problem,) = wrong(text)
    assert problem.startswith("t1.toml:14: usb: watcher 'usb' is not installed; installed are none:")
    assert read(text, tmp_path, here=False).usb is not None, "its journal can be read all the same"
    assert read(SMALL, tmp_path).usb is None
