"""Drivers by name: found, imported on first use, and the trouble of one is not the others'."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tablectl.devices import Device, Driver
from tablectl.devices.registry import known, load, load_watcher
from tablectl.devices.watcher import Watcher
from tablectl.equipment import Kind
from tablectl.errors import ConfigurationError


def plugin(folder: Path, name: str, entries: dict[str, str], group: str = "tablectl.drivers", **modules: str) -> None:
    """Install a distribution the way an installer leaves it: modules and a folder of metadata."""
    metadata = folder / f"{name}-1.5.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n")
    lines = [f"{key} = {value}" for key, value in entries.items()]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_shipped_driver_is_found() -> None:
    assert known()["table-device-link"] == "tablectl_drivers.link.driver:LinkDriver"
    driver = load("table-device-link")
    assert issubclass(driver, Driver)
    assert driver.kinds >= {Kind.PANEL, Kind.SHOE, Kind.SHUFFLER, Kind.WAGER_SENSORS}
    assert isinstance(driver("panel", Kind.PANEL, "serial:x", {}), Device)


def test_an_unknown_driver_names_the_known_ones() -> None:
    with pytest.raises(
        ConfigurationError, match=r"driver 'x-keys' is not installed; installed are .*table-device-link"
    ):
        load("x-keys")


def test_a_plugin_is_found_and_imported_on_first_use(site: Path) -> None:
    plugin(
        site,
        "maker",
        {"maker-shoe": "maker_shoe:Shoe"},
        maker_shoe="from tablectl_drivers.link.driver import LinkDriver\nclass Shoe(LinkDriver): pass\n",
    )
    assert list(known()) == sorted(known())
    assert "maker-shoe" in known()
    assert "maker_shoe" not in sys.modules
    assert load("maker-shoe").__name__ == "Shoe"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import no_such_library_here", "ModuleNotFoundError: No module named 'no_such_library_here'"),
        ("raise OSError('libusb is missing')", "OSError: libusb is missing"),
        ("Other = 1", "has no attribute 'Shoe'"),
        ("Shoe = 1", "is no subclass of tablectl.devices.Driver"),
        ("class Shoe: pass", "is no subclass of tablectl.devices.Driver"),
    ],
)
def test_a_driver_that_cannot_be_used_says_why_and_spoils_no_other(site: Path, text: str, problem: str) -> None:
    module = f"broken_{abs(hash(text))}"
    plugin(site, "broken", {"broken-shoe": f"{module}:Shoe"}, **{module: text})
    with pytest.raises(ConfigurationError) as refusal:
        load("broken-shoe")
    assert problem in str(refusal.value)
    assert f"'broken-shoe' ({module}:Shoe, broken 1.5)" in str(refusal.value)
    assert load("table-device-link")


def test_one_name_offered_twice_is_refused(site: Path) -> None:
    plugin(site, "one", {"same": "one:Shoe"})
    plugin(site, "two", {"same": "two:Shoe"})
    with pytest.raises(ConfigurationError, match=r"offered twice, by one:Shoe \(one 1.5\) and two:Shoe \(two 1.5\)"):
        load("same")


def test_the_shipped_watcher_is_found() -> None:
    watcher = load_watcher("usb")
    assert issubclass(watcher, Watcher)
    assert watcher(["046d:c31c"], ["serial:/dev/ttyS0"]).strangers == frozenset()
    assert "usb" not in known()


def test_a_watcher_that_cannot_be_used_says_why(site: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"watcher 'can' is not installed; installed are usb: name one"):
        load_watcher("can")
    plugin(site, "odd", {"odd": "odd:Odd", "gone": "no_such:Odd"}, "tablectl.watchers", odd="class Odd: pass")
    with pytest.raises(ConfigurationError, match=r"watcher 'odd' \(odd:Odd, odd 1.5\) is no subclass of .*Watcher"):
        load_watcher("odd")
    with pytest.raises(ConfigurationError, match=r"watcher 'gone' .* cannot be imported: ModuleNotFoundError"):
        load_watcher("gone")


def test_looking_at_the_names_imports_no_driver() -> None:
    program = "import sys, tablectl.devices.registry as r; r.known(); print([m for m in sys.modules if 'serial' in m])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
