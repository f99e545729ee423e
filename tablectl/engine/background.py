"""Actuations that go on while the round is played: begun by one act, their answer kept until another act asks for it.

A job is wanted first, then has an intent, whose number is the command's id for ever, then an answer. All of that is in
the picture, and outlives the round and a restart with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from tablectl.engine.inputs import CommandFailed, Input
from tablectl.equipment import ANSWERS, Command, DeckRead, LinkUp, Message
from tablectl.procedure.instructions import DeckClaim
from tablectl.records import record

__all__ = ["Job", "Jobs", "UnderWay", "Wanted", "claim_of"]


@record
class Job:
    """One such actuation: `id` is 0 without an intent, `boot` is the device's boot id when it had one.

    `deck` is the one that it is about, `batch` the number under which that was put in (0: unknown). `refused`: the
    device has not done it and will not; `claim` is what it says of the deck.
    """

    device: str
    command: Command
    deck: str
    batch: int = 0
    id: int = 0
    boot: str = ""
    answer: Message | None = None
    refused: bool = False
    claim: DeckRead | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be heard of it."""
        return self.answer is not None or self.refused


@dataclass(frozen=True, slots=True)
class UnderWay:
    """An actuation that a device was told of under that id, while it had that boot id."""

    id: int
    device: str
    boot: str
    command: Command


@dataclass(frozen=True, slots=True)
class Wanted:
    """An actuation that waits for its intent: `boot` is the device's boot id as it is known now."""

    device: str
    boot: str
    command: Command


class Jobs:
    """The jobs of a table, at most one for each device."""

    def __init__(self, jobs: Iterable[Job] = ()) -> None:
        self._jobs = list(jobs)

    def begin(self, device: str, command: Command, deck: str, batch: int) -> None:
        """Want it done; an earlier job of that device is forgotten."""
        self.end(device)
        self._jobs.append(Job(device, command, deck, batch))

    def of(self, deck: str) -> Job | None:
        """The job about that deck."""
        return next((job for job in self._jobs if job.deck == deck), None)

    def end(self, device: str) -> None:
        """Nobody asks for that device's job any more."""
        self._jobs = [job for job in self._jobs if job.device != device]

    def observe(self, given: Input) -> None:
        """Take a message in: an answer, a claim before it, or a device that has lost its memory."""
        for place, job in enumerate(self._jobs):
            if not job.is_over and (changed := _changed(job, given)) is not job:
                self._jobs[place] = changed

    def wanted(self, is_up: Callable[[str], bool]) -> Job | None:
        """The first job that needs an intent, of a device that is there."""
        return next((job for job in self._jobs if not job.id and is_up(job.device)), None)

    def intended(self, job: Job, command_id: int, boot: str) -> None:
        """The intent of that job is committed."""
        self._jobs[self._jobs.index(job)] = replace(job, id=command_id, boot=boot)

    @property
    def under_way(self) -> tuple[UnderWay, ...]:
        """What devices have been told, and have not answered."""
        going = (job for job in self._jobs if job.id and not job.is_over)
        return tuple(UnderWay(job.id, job.device, job.boot, job.command) for job in going)

    def save(self) -> tuple[Job, ...]:
        """All of them."""
        return tuple(self._jobs)


def claim_of(kind: str, read: DeckRead, batch: int = 0) -> DeckClaim:
    """What a device of that kind claims; `batch` is the one that was put in, 0 if that is unknown."""
    return DeckClaim(
        kind,
        read.cards,
        read.missing,
        read.extra,
        read.unreadable,
        read.back,
        read.odd_backs,
        read.batch,
        other_batch=bool(batch) and read.batch not in (None, batch),
    )


def _changed(job: Job, given: Input) -> Job:
    match given.message:
        case CommandFailed(command) if job.id and command == job.id:
            return replace(job, refused=True)
        case LinkUp() if given.device == job.device and job.id and given.boot != job.boot:
            return replace(job, id=0, boot="", claim=None)
        case DeckRead(command) as claim if job.id and command == job.id and given.device == job.device:
            return replace(job, claim=claim)
        case answer if (
            isinstance(answer, ANSWERS[type(job.command)])
            and given.device == job.device
            and job.id
            and getattr(answer, "command", 0) == job.id
        ):
            return replace(job, answer=answer)
        case _:
            return job
