"""One shuffle from its start to its end, for everything that shuffles."""

from __future__ import annotations

from collections.abc import Callable

from tablectl.equipment import Fault, Mode, ShuffleFailed
from tablectl_hil.acts import CannotBeDone
from tablectl_hil.mechanisms.mechanism import Mechanism

__all__ = ["Cycle"]


class Cycle:
    """The shuffle that is under way in `owner`, if there is one."""

    def __init__(self, owner: Mechanism) -> None:
        self._owner = owner
        self._command: int | None = None

    @property
    def running(self) -> bool:
        """Whether a shuffle is under way."""
        return self._command is not None

    def start(self, command_id: int, cards: int) -> str | None:
        """Begin one, or say why not."""
        owner = self._owner
        if self.running:
            return f"the {owner.name} is shuffling"
        refusal = owner.not_ready()
        if refusal is None and not cards:
            refusal = "no cards are inside"
        if refusal is not None:
            return refusal
        self._command = command_id
        owner.mode = Mode.BUSY
        owner.around.say(owner.state())
        owner.around.notice("told", command=command_id, order="StartShuffle")
        return None

    def finish(self, complete: Callable[[int], None]) -> None:
        """Let it come to its end: `complete` says what came of it, but for the fault that was due."""
        if self._command is None:
            raise CannotBeDone("no shuffle is under way")
        fault = self._owner.fault_due()
        if fault is not None:
            self._owner.fail(fault)
            self.fail(fault)
            return
        command, self._command = self._command, None
        self._owner.mode = Mode.READY
        complete(command)
        self._owner.around.notice("done", command=command)

    def fail(self, fault: Fault, *, told: bool = True) -> None:
        """End it without a result, if one is under way; after its memory is gone nobody can be `told`."""
        command, self._command = self._command, None
        if command is None:
            return
        if told:
            self._owner.around.say(ShuffleFailed(command, fault))
        self._owner.around.notice("done", command=command)

    def power_lost(self, kept: bool) -> None:
        """A shuffle that was under way has not completed its cycle."""
        if self.running:
            self._owner.fail(Fault.INCOMPLETE)
            self.fail(Fault.INCOMPLETE, told=kept)
