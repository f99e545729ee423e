"""The log: one form for everything, nothing lost, no secrets, and never a failure."""

from __future__ import annotations

import io
import json
import logging
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import structlog

from tablectl.cards import FaceDown, card
from tablectl.daemon.logs import LEVELS, set_up


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Leave the logging of the test process as it was."""
    root = logging.getLogger()  # noqa: TID251
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    logging.captureWarnings(False)
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_is_one_json_line() -> None:
    stream = io.StringIO()
    log = structlog.get_logger("tablectl.engine.live")
    set_up(stream=stream)
    log.info("table_ready", round=7, device="shoe")
    (line,) = lines(stream)
    time = datetime.fromisoformat(line.pop("timestamp"))
    assert time.utcoffset() == timedelta(0)
    assert line == {
        "event": "table_ready",
        "level": "info",
        "logger": "tablectl.engine.live",
        "round": 7,
        "device": "shoe",
    }


def test_libraries_and_warnings_come_out_the_same_way() -> None:
    code = """
import logging, warnings
from tablectl.daemon.logs import set_up
set_up()
logging.getLogger("asyncio").error("Task %s was never retrieved", "x")
warnings.warn("old", DeprecationWarning)
"""
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code], stderr=subprocess.PIPE, text=True, check=True, timeout=30
    )
    first, second = map(json.loads, done.stderr.splitlines())
    assert (first["event"], first["level"], first["logger"]) == ("Task x was never retrieved", "error", "asyncio")
    assert second["logger"] == "py.warnings"
    assert "DeprecationWarning: old" in second["event"]
    assert first.keys() == second.keys() == {"event", "level", "logger", "timestamp"}


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_keeps_what_is_below_it_out(level: str) -> None:
    stream = io.StringIO()
    set_up(level, stream=stream)
    for name in LEVELS:
        structlog.get_logger().log(getattr(logging, name.upper()), "ours")
        logging.getLogger("library").log(getattr(logging, name.upper()), "theirs")  # noqa: TID251
    kept = [name for name in LEVELS[LEVELS.index(level) :] for _ in range(2)]
    assert [line["level"] for line in lines(stream)] == kept


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'loud' is no level of the log: expected debug, info, warning, error"):
        set_up("loud")


def fail_with_cards() -> None:
    hidden = ["Kh", "9d"]  # as the journal's column holds them
    dealt = [FaceDown(card("Kh")), FaceDown(card("9d"))]
    raise RuntimeError(f"{len(hidden)} cards, {dealt}")


def test_a_traceback_is_complete_and_holds_no_card() -> None:
    stream = io.StringIO()
    set_up(stream=stream)
    try:
        fail_with_cards()
    except RuntimeError:
        structlog.get_logger().exception("table_died", cards=FaceDown(card("Kh")))
        logging.getLogger("library").exception("died")  # noqa: TID251
    ours, theirs = lines(stream)
    assert ours["level"] == "error"
    for line in (ours, theirs):
        assert "in fail_with_cards" in line["exception"]
        assert line["exception"].endswith("RuntimeError: 2 cards, [FaceDown(), FaceDown()]")
    assert ours["cards"] == "FaceDown()"
    assert "Kh" not in stream.getvalue()


def on_a_terminal(code: str) -> str:
    """What a program prints whose standard error is a terminal."""
    ours, theirs = pty.openpty()
    try:
        subprocess.run([sys.executable, "-c", code], stderr=theirs, check=True, timeout=30)
        os.set_blocking(ours, False)
        shown = b""
        try:
            while more := os.read(ours, 65536):
                shown += more
        except OSError:
            pass
        return shown.decode()
    finally:
        os.close(ours)
        os.close(theirs)


READABLE = """
import structlog
from tablectl.daemon.logs import set_up
set_up()
def fail():
    hidden = "Q" + "h"
    raise ValueError("broken")
structlog.get_logger("tablectl").warning("device_lost", device="shoe")
try:
    fail()
except ValueError:
    structlog.get_logger().exception("died")
"""


def test_a_terminal_gets_text_for_people() -> None:
    shown = on_a_terminal(READABLE)
    assert "device_lost" in shown
    assert "shoe" in shown
    assert "ValueError: broken" in shown
    assert "{" not in shown
    assert "Qh" not in shown, "the values of variables do not belong into a log"


def test_the_machine_s_journal_gets_priorities() -> None:
    code = """
import os, structlog, sys, logging
from tablectl.daemon.logs import set_up
status = os.fstat(sys.stderr.fileno())
set_up(environment={"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
structlog.get_logger().info("fine")
structlog.get_logger().warning("odd")
logging.getLogger("library").critical("broken")
"""
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, check=True, timeout=30)
    assert [line[:4] for line in done.stderr.splitlines()] == ["<6>{", "<4>{", "<2>{"]


class Odd:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def test_what_cannot_be_written_is_replaced() -> None:
    stream = io.StringIO()
    set_up(stream=stream)
    around: list[object] = []
    around.append(around)
    structlog.get_logger().info("circle", around=around, name="ok")
    structlog.get_logger().info("keys", facts={("a", 1): 2})
    structlog.get_logger().info("odd", thing=Odd(), text="\ud800")
    logging.getLogger("library").info("%d apples", "many")  # noqa: TID251
    circle, keys, odd, library = lines(stream)
    assert circle["name"] == "'ok'"
    assert circle["around"] == "[[...]]"
    assert keys["facts"] == "{('a', 1): 2}"
    assert odd["thing"] == "<Odd: RuntimeError in its repr>"
    assert library == {"event": "log_failed", "logger": "library", "error": "TypeError"}


def test_a_stream_that_is_gone_does_no_harm() -> None:
    stream = io.StringIO()
    set_up(stream=stream)
    stream.close()
    structlog.get_logger().error("nobody_listens")
    logging.getLogger("library").error("nobody listens")  # noqa: TID251
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as broken:
        set_up(stream=broken)
        structlog.get_logger().error("nobody_listens")
        os.dup2(os.open(os.devnull, os.O_WRONLY), write)  # closing it flushes what is left
