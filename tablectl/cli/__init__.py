"""The `tablectl` command: one module for each group of subcommands, imported when it is needed.

Exit status: 0 ok, 1 the thing that was checked is wrong, 2 usage or configuration, 3 equipment, disk or journal.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from tablectl import __version__
from tablectl.cli.output import Output
from tablectl.errors import ConfigurationError, EquipmentFault, JournalError, Misuse, OutputLost, TablectlError

__all__ = ["EQUIPMENT", "OK", "USAGE", "WRONG", "main"]

OK, WRONG, USAGE, EQUIPMENT = range(4)

Command = Callable[[argparse.Namespace], int]

# subcommand -> (module that has `arguments(parser)` and `run(options)`, one line of help)
_COMMANDS = {
    "games": ("tablectl.cli.rules", "list the games that are known"),
    "rules": ("tablectl.cli.rules", "every paytable and option of a game, with its clause"),
    "play": ("tablectl.cli.play", "play scenario files and print their outcome"),
    "run": ("tablectl.cli.run", "run the daemon of one table"),
    "demo": ("tablectl.cli.demo", "a table with emulated equipment that runs by itself and shows it"),
    "hil": ("tablectl.cli.hil", "the real daemon against emulated equipment"),
    "check": ("tablectl.cli.check", "read configuration files and report everything that is wrong in them"),
    "devices": ("tablectl.cli.devices", "list ports and drivers, or look at the devices of a table"),
    "report": ("tablectl.cli.report", "the report of a gaming day, which has to balance"),
    "journal": ("tablectl.cli.journal", "show, verify, replay or export the journal of a table"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    with Output(sys.stdout) as output:
        status = OK
        try:
            try:
                status = _run(arguments)
            except SystemExit as ended:  # after --help, or where the words cannot be understood
                status = ended.code if isinstance(ended.code, int) else OK
                raise
            finally:
                output.flush()
        except BrokenPipeError:
            pass  # the reader went away, and wants to know no more
        except OutputLost as error:
            print(f"tablectl: {error}", file=sys.stderr)
            return EQUIPMENT
        return status


def _run(arguments: Sequence[str] | None) -> int:
    """Find the command and run it."""
    parser = argparse.ArgumentParser(
        prog="tablectl",
        description="Controller for regulated dealer tables.",
        epilog="Exit status: 0 ok, 1 what was checked is wrong, 2 usage or configuration, 3 equipment, disk, journal.",
    )
    parser.add_argument("--version", action="version", version=f"tablectl {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    words = list(sys.argv[1:] if arguments is None else arguments)
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, (module, help) in _COMMANDS.items():
        sub = subparsers.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.")
        if name == wanted:  # the others are not imported: a command starts without what it does not need
            getattr(import_module(module), f"{name}_arguments")(sub)
    options = parser.parse_args(words)
    try:
        command: Command = getattr(import_module(_COMMANDS[options.command][0]), f"run_{options.command}")
        return command(options)
    except ConfigurationError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        return USAGE
    except Misuse as error:
        print(f"tablectl: {error}", file=sys.stderr)
        return USAGE
    except (EquipmentFault, JournalError) as error:
        print(f"tablectl: {error}", file=sys.stderr)
        return EQUIPMENT
    except OutputLost:
        raise
    except TablectlError as error:
        print(f"tablectl: {error}", file=sys.stderr)
        return WRONG
