"""`tablectl run`: the daemon of one table."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from tablectl.cli import OK, WRONG
from tablectl.errors import TablectlError

__all__ = ["run_arguments", "run_run"]


def run_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl run`."""
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the table's configuration file")
    parser.add_argument(
        "--training", action="store_true", help="nothing of it is real play: a journal and topics of its own"
    )
    parser.add_argument("--log-level", default="info", choices=("debug", "info", "warning", "error"))


def run_run(options: argparse.Namespace) -> int:
    """Run one table until it is told to stop."""
    import structlog

    from tablectl.daemon.config import load
    from tablectl.daemon.logs import set_up
    from tablectl.daemon.service import Service

    config = load(options.config)
    if options.training:
        config = config.for_training()
    set_up(options.log_level)
    try:
        asyncio.run(Service(config).run())
    except TablectlError as error:
        structlog.get_logger(__name__).error("table_died", error=str(error))
        raise
    except Exception:  # noqa: BLE001 - whatever the table dies of is put on the record before the status says so
        structlog.get_logger(__name__).exception("table_died")
        return WRONG
    return OK
