"""Every error that tablectl raises on purpose.

::

    TablectlError                     say what happened, where, what was expected, what to do now
    ├── Misuse                        our side: a caller, a file or a person gave us something we refuse whole
    │   ├── ConfigurationError        a table's file cannot be used; carries all problems found, not the first
    │   ├── ScenarioError             a scenario document is not well formed (exit status 2)
    │   ├── Forbidden                 the chapter or the filed rules do not allow it; carries the clause
    │   ├── IllegalMove               a procedure asked for an act that its stage does not allow (a defect of ours)
    │   └── DecodeError               a stored record or a message does not have the form it must have
    ├── EquipmentFault                the equipment's side; carries the device and what it said
    │   ├── LinkError (Transient)     a line, a port or a broker: it may come back by itself
    │   ├── CommandTimeout (Transient, TimeoutError)   no answer in time; the act may or may not have happened
    │   ├── CommandRefused (NeedsPerson)               the device answered that it will not do it
    │   └── DeviceFault (NeedsPerson)                  jam, tamper, wrong mode, wrong count, red lamp
    ├── JournalError
    │   ├── JournalRefused (NeedsPerson)   not ours, newer, damaged, locked by another process
    │   │   └── SecondWriter
    │   ├── DiskFull (NeedsPerson)
    │   └── JournalFault (NeedsPerson)     the disk or SQLite failed in the middle
    ├── OutputLost                    standard output is full or closed: what was to be printed is not there
    └── RecoveryRefused (NeedsPerson)      the journaled round cannot be resumed; only the chapter's void is left

`Transient` is retried by whoever owns the link; `NeedsPerson` is latched and shown until somebody with a badge
clears it.
Control exceptions of procedures (`VoidRound`, `TableHalt`, `Interrupt`) are no errors and live in `tablectl.procedure`.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "CommandRefused",
    "CommandTimeout",
    "ConfigurationError",
    "DecodeError",
    "DeviceFault",
    "DiskFull",
    "EquipmentFault",
    "Forbidden",
    "IllegalMove",
    "JournalError",
    "JournalFault",
    "JournalRefused",
    "LinkError",
    "Misuse",
    "NeedsPerson",
    "OutputLost",
    "RecoveryRefused",
    "ScenarioError",
    "SecondWriter",
    "TablectlError",
    "Transient",
]


class TablectlError(Exception):
    """Root of the tree: the message is one or more whole sentences for the person who has to act."""


class Transient:
    """Mixin: trying again later, without anybody's help, is reasonable."""


class NeedsPerson:
    """Mixin: nothing goes on until a person has looked."""


class Misuse(TablectlError):
    """What was handed to us is refused; the equipment is not to blame."""


class ConfigurationError(Misuse):
    """A table's configuration cannot be used; `problems` lists everything found, each with file, key and remedy."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class ScenarioError(Misuse):
    """A scenario document is not well formed: wrong type, unknown key, a card that is not one."""


class Forbidden(Misuse):
    """The chapter or the filed rules do not allow this.

    `cite` is the clause, `seat` and `stage` say where (None when it concerns the table as a whole).
    """

    def __init__(self, message: str, *, cite: str | None = None, seat: int | None = None, stage: str | None = None):
        self.message = message
        self.cite = cite
        self.seat = seat
        self.stage = stage
        where = "".join(
            part
            for part in (
                f"seat {seat}: " if seat is not None else "",
                f"{stage}: " if stage is not None else "",
            )
        )
        super().__init__(f"{where}{message}{f' [{cite}]' if cite else ''}")


class IllegalMove(Misuse):
    """A procedure asked for an act in a stage whose table does not list it."""


class DecodeError(Misuse):
    """Stored or received data does not have the form that its type demands."""


class EquipmentFault(TablectlError):
    """A device or its line failed; `device` is its id in the configuration, `raw` what it sent, if anything."""

    def __init__(self, message: str, *, device: str, raw: bytes | None = None) -> None:
        self.device = device
        self.raw = raw
        super().__init__(f"{device}: {message}")


class LinkError(EquipmentFault, Transient):
    """A port could not be opened or was lost."""


class CommandTimeout(EquipmentFault, Transient, TimeoutError):
    """No answer came in time: whether the act happened is unknown."""


class CommandRefused(EquipmentFault, NeedsPerson):
    """The device answered, and will not do it."""


class DeviceFault(EquipmentFault, NeedsPerson):
    """The device reports a state in which it must not be used."""


class JournalError(TablectlError):
    """The journal could not do what it exists for."""


class JournalRefused(JournalError, NeedsPerson):
    """The file is not a journal, of a newer version, damaged, or in use by another process."""


class SecondWriter(JournalRefused):
    """Somebody else has appended to this journal: going on would fork the chain."""


class DiskFull(JournalError, NeedsPerson):
    """There is no room; what was committed is safe, what was not has not happened."""


class JournalFault(JournalError, NeedsPerson):
    """An I/O or SQLite failure in the middle of work; what was committed is safe."""


class OutputLost(TablectlError):
    """A command could not write its standard output: a full disk, a closed descriptor."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"cannot write to standard output: {reason}: what was to be printed is not complete")


class RecoveryRefused(TablectlError, NeedsPerson):
    """A journaled round differs from what this program would do; it is never guessed away."""
