"""The wheel holds everything: it works in an environment of its own, far from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
import uv

import tablectl

ROOT = Path(__file__).parent.parent

INSPECT = """
import importlib.metadata, importlib.util, pathlib, sys
import tablectl, tablectl_drivers, tablectl_hil

for package in (tablectl, tablectl_drivers, tablectl_hil):
    folder = pathlib.Path(package.__file__).parent
    assert folder.is_relative_to(sys.prefix), f"{folder} does not come from the wheel"
    assert (folder / "py.typed").is_file(), f"{folder} is not marked as typed"
for name in ("drivers", "hil", "tests", "config"):
    assert importlib.util.find_spec(name) is None, f"{name} can be imported outside the checkout"
for group in ("tablectl.drivers", "tablectl.watchers"):
    for entry in importlib.metadata.entry_points(group=group):
        entry.load()
print(importlib.metadata.version("tablectl"))
"""


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout.strip()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs of a fresh environment with the wheel and, beside it, our dependencies."""
    folder = tmp_path_factory.mktemp("packaging")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", symlinks=True)
    programs = folder / "venv" / "bin"
    install = ["pip", "install", "-q", "--offline", "--no-deps", "--python", str(programs / "python"), str(wheel)]
    run(uv.find_uv_bin(), *install, cwd=folder)
    # The dependencies are those of the running environment. Its own .pth files, the editable checkout among them,
    # are not followed from here.
    site_packages = run(programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    Path(site_packages, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return programs


def test_packages_come_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "python", "-c", INSPECT, cwd=tmp_path) == tablectl.__version__


def test_command_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "tablectl", "--version", cwd=tmp_path) == f"tablectl {tablectl.__version__}"
