"""The program's log on standard error: JSON lines for the machine's journal, readable on a terminal.

Everything comes out in one form: structlog's events, what libraries say through `logging`, Python's warnings. A line
has `event`, `level`, `timestamp` (RFC 3339, UTC) and, where it is known, `logger`. When standard error is systemd's
journal, each line begins with its priority (sd-daemon(3)), so that ``journalctl -p err`` works.

Writing a log never fails: a value that cannot be written is replaced, a stream that is gone is passed over. Tracebacks
are text without the values of variables, which might be cards that nobody at the table has seen.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

__all__ = ["LEVELS", "set_up"]

LEVELS: Final = ("debug", "info", "warning", "error")
"""Levels that can be chosen, from everything to what is broken."""

_PRIORITIES: Final = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}


def set_up(
    level: str = "info",
    *,
    stream: TextIO | None = None,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Log from `level` on to `stream` (standard error); `ValueError` for a level that is none of `LEVELS`.

    The last call counts. `environment` (the process's own) tells whether the stream is systemd's journal.
    """
    if level not in LEVELS:
        raise ValueError(f"{level!r} is no level of the log: expected {', '.join(LEVELS)}")
    target = sys.stderr if stream is None else stream
    number = logging.getLevelNamesMapping()[level.upper()]
    render = _Rendering(
        readable=_is_terminal(target),
        priorities=_is_journal(target, os.environ if environment is None else environment),
    )
    common: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*common, _add_name, render],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *names: _Output(target, str(names[0]) if names else None),
        # Loggers are made when modules are imported, which may be before or after this.
        cache_logger_on_first_use=False,
    )
    handler = _Handler(target)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*common, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
        )
    )
    logging.basicConfig(handlers=[handler], level=number, force=True)
    logging.captureWarnings(True)


class _Output:
    """Where structlog's lines go; `name` is that of the module that logs."""

    def __init__(self, stream: TextIO, name: str | None) -> None:
        self.name = name
        self._stream = stream

    def msg(self, line: str) -> None:
        """Write one line."""
        _write(self._stream, line)

    log = debug = info = warn = warning = error = critical = fatal = failure = exception = msg


class _Handler(logging.Handler):
    """The same for what comes through `logging`."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; one that cannot be put into words is named at least."""
        try:
            line = self.format(record)
        except Exception as error:  # noqa: BLE001 - the mistake is in whoever logs
            line = json.dumps({"event": "log_failed", "logger": record.name, "error": type(error).__name__})
        _write(self._stream, line)


class _Rendering:
    """The last processor: an event as one line."""

    def __init__(self, *, readable: bool, priorities: bool) -> None:
        self._priorities = priorities
        self._traceback: Processor = structlog.processors.ExceptionRenderer()
        self._line: Any = (
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
            if readable
            else structlog.processors.JSONRenderer(default=_as_text)
        )
        self._readable = readable

    def __call__(self, logger: WrappedLogger, method: str, event: EventDict) -> str:
        """The line; what cannot be written as it is, is written as its repr."""
        level = str(event.get("level", method))
        try:
            whole = event if self._readable else self._traceback(logger, method, event)
            line = str(self._line(logger, method, whole))
        except (ValueError, TypeError, RecursionError):
            plain = {str(key): _as_text(value) for key, value in event.items()}
            line = str(self._line(logger, method, plain))
        return f"<{_PRIORITIES.get(level, 6)}>{line}" if self._priorities else line


def _add_name(logger: Any, _method: str, event: EventDict) -> EventDict:
    if logger.name is not None:
        event.setdefault("logger", logger.name)
    return event


def _as_text(value: object) -> str:
    try:
        return repr(value)
    except Exception as error:  # noqa: BLE001 - whatever a repr raises, the line is written
        return f"<{type(value).__name__}: {type(error).__name__} in its repr>"


def _write(stream: TextIO, line: str) -> None:
    # Closed, full, or its reader gone: a table does not stop for its log.
    with contextlib.suppress(OSError, ValueError):
        stream.write(f"{line}\n")
        stream.flush()


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _is_journal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether the stream is the one that systemd names in ``JOURNAL_STREAM`` (device:inode)."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environment.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"
