"""The page for authors of drivers is true: its drivers are built, installed, found, and conform."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
import uv

PAGE = (Path(__file__).parents[2] / "drivers" / "README.md").read_text(encoding="utf-8")

SCANNER = 'acme-scanner = "acme_tablectl:AcmeScanner"'
BADGES = 'acme-badges = "acme_badges:AcmeBadges"'
KIT = ("-m", "tablectl", "hil", "conform", "acme-scanner", "--kind=card_scanner", "--emulate")


def block(title: str) -> str:
    """The code that the page gives for a file."""
    found = re.search(rf"^`{re.escape(title)}`\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def done(*command: str | Path, cwd: Path, status: int = 0) -> str:
    """What a command prints; it runs as in a fresh login."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == status, f"{command}\n{run.stdout}{run.stderr}"
    return run.stdout + run.stderr if status else run.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has the plugin of its own, and sees what this one has."""
    folder = tmp_path_factory.mktemp("acme")
    project = folder / "project"
    project.mkdir()
    for name in ("acme_tablectl.py", "acme_badges.py"):
        (project / name).write_text(block(name), encoding="utf-8")
    text = block("pyproject.toml")
    for before, after in (('"acme_tablectl.py"', '"acme_badges.py"'), (SCANNER, BADGES)):
        assert text.count(before) == 1
        assert f"`{after}`" in PAGE
        text = text.replace(before, f"{before}, {after}" if before.endswith('.py"') else f"{before}\n{after}")
    (project / "pyproject.toml").write_text(text, encoding="utf-8")
    done(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=project)
    (wheel,) = folder.glob("acme_tablectl-1.2.0-*.whl")
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    install = ["pip", "install", "-q", "--offline", "--no-deps", "--python", str(python), str(wheel)]
    done(uv.find_uv_bin(), *install, cwd=folder)
    site = done(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    beside = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"  # its .pth files are followed too
    Path(site, "beside.pth").write_text(beside, encoding="utf-8")
    return python


def test_it_is_found_and_comes_from_its_own_distribution(python: Path, tmp_path: Path) -> None:
    drivers = json.loads(done(python, "-m", "tablectl", "devices", "--json", cwd=tmp_path))["drivers"]
    (ours,) = (it for it in drivers if it["name"] == "acme-scanner")
    assert (ours["kinds"], ours["problem"]) == (["card_scanner"], None)
    where = done(python, "-c", "import acme_tablectl; print(acme_tablectl.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(python.parents[1])


def test_it_conforms(python: Path, tmp_path: Path) -> None:
    options = ["--quick", "--option=retry_ms=20", "--option=retry_max_ms=50", '--option=least_firmware="1.0"']
    done(python, *KIT, *options, "--report=report.json", cwd=tmp_path)
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["conforms"]
    assert report["distribution"] == "acme-tablectl 1.2.0"
    assert {it["outcome"] for it in report["results"]} == {"pass", "not_applicable"}


def test_the_one_with_a_protocol_of_its_own_conforms(python: Path, tmp_path: Path) -> None:
    name = "test_acme_badges.py"
    (tmp_path / name).write_text(block(name), encoding="utf-8")
    options = ["-q", "-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=function"]
    assert "1 passed" in done(python, "-m", "pytest", *options, name, cwd=tmp_path)
    kit = ["-m", "tablectl", "hil", "conform", "acme-badges", "--kind=credential_reader"]
    told = done(python, *kit, "--emulate", cwd=tmp_path, status=2)
    assert "no emulator of ours speaks the protocol of AcmeBadges" in told


def test_the_drivers_of_the_page_have_types(python: Path, tmp_path: Path) -> None:
    names = ["acme_tablectl.py", "acme_badges.py", "test_acme_badges.py"]
    for name in names:
        (tmp_path / name).write_text(block(name), encoding="utf-8")
    assert "Success" in done(sys.executable, "-m", "mypy", "--strict", "--cache-dir=cache", *names, cwd=tmp_path)


def test_it_refuses_what_it_should(python: Path, tmp_path: Path) -> None:
    told = done(python, *KIT, "--option=least_firmware=1", "--option=colour=red", cwd=tmp_path, status=2)
    assert "[devices.it] least_firmware: 1 is no version" in told
    assert "[devices.it] colour: unknown key" in told
    program = """
import asyncio, sys
from pathlib import Path
from tablectl.devices.registry import load
from tablectl.equipment import Kind, LinkLost
from tablectl_hil.control import Piece, emulators

async def refused():
    async with emulators(Path(sys.argv[1]), [Piece("scanner", Kind.CARD_SCANNER)]) as (equipment, _):
        port = equipment.port("scanner")
        driver = load("acme-scanner")("scanner", Kind.CARD_SCANNER, port, {"least_firmware": "1.1"})
        async with driver as device:
            async for delivery in device.events():
                if isinstance(delivery.message, LinkLost):
                    return delivery.message.reason

print(asyncio.run(refused()))
"""
    said = done(python, "-c", program, tmp_path, cwd=tmp_path).splitlines()[-1]
    assert said == "its firmware is 1.0, expected 1.1 or newer: have it renewed"
