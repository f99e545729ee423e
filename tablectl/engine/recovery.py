"""After a start: back into the round that the journal holds, by feeding the same program the same inputs.

The round's procedure begins again from the snapshot before it. Every step, result, interrupt, event, latch and intent
that comes out must equal the journaled row, face-down cards compared as plain text. What differs, or was begun under
another program version, rules edition or configuration, is never guessed away: the round is `Stranded`, and only the
void of its wagers, computed from the event rows alone, is left to the floorperson.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from tablectl import events as e
from tablectl.engine.core import Core
from tablectl.engine.identity import Identity
from tablectl.engine.picture import Picture, SavedPicture
from tablectl.engine.rerun import JournaledClock, Rerun, read_input
from tablectl.engine.rows import plain, read_body
from tablectl.engine.stranded import Stranded
from tablectl.errors import DecodeError, IllegalMove, JournalRefused, RecoveryRefused
from tablectl.journal import Row, RowKind
from tablectl.procedure.table import TableState

__all__ = ["MakeCore", "Rows", "recover", "replay", "resume_points"]


class Rows(Protocol):
    """What recovery reads of a journal."""

    def rows(self, after: int = 0) -> Iterable[Row]:
        """Rows after that number, in order, with their secrets."""

    def last(self, kind: RowKind) -> Row | None:
        """The newest row of that kind."""


MakeCore = Callable[[TableState | None, SavedPicture | None, int, Callable[[], int]], Core]
"""A core that begins from a state and a picture (None: a new table), with the last event's number and a clock."""


def recover(
    journal: Rows,
    make: MakeCore,
    now: Callable[[], int],
    identity: Identity,
    floorpersons: Sequence[str] = (),
) -> Core | Stranded:
    """The table as the journal left it; its entries, which begin with `TableStarted`, are to be appended next.

    `floorpersons` may void a round that cannot be resumed; none listed: every badge may, or the key switch.
    """
    started = e.TableStarted(identity.version, identity.edition, identity.configuration, identity.training)
    snapshot = journal.last(RowKind.SNAPSHOT)
    if snapshot is None:
        core = make(None, None, _last_sequence(journal.rows(0)), now)
        core.event(started)
        core.begin()
        return core
    fields = read_body(snapshot, state=TableState, picture=SavedPicture, identity=Identity)
    since = list(journal.rows(snapshot.seq - 1))[1:]
    sequence = _sequence_before(journal, snapshot.seq)
    before: Identity = fields["identity"]
    if before.training != identity.training:
        raise JournalRefused(_of_the_other_kind(before.training))
    if before == identity:
        try:
            return replay(since, make, fields["state"], fields["picture"], sequence, now, started)
        except (RecoveryRefused, JournalRefused, DecodeError, IllegalMove) as error:
            reason = str(error)
    else:
        reason = _difference(before, identity)
    events = [read_body(row, event=e.Event)["event"] for row in since if row.kind is RowKind.EVENT]
    last = max([sequence, *(_number(row) for row in since if row.kind is RowKind.EVENT)])

    core = make(fields["state"], fields["picture"], last, now)
    _take_in(core.picture, since)
    return Stranded(reason, started, events, core, _change(before, identity), floorpersons)


def resume_points(journal: Rows) -> dict[str, tuple[str, int]]:
    """For each device, boot id and number of its last committed message: what came before is not delivered again."""
    snapshot = journal.last(RowKind.SNAPSHOT)
    points: dict[str, tuple[str, int]] = {}
    after = 0
    if snapshot is not None:
        after = snapshot.seq
        for link in read_body(snapshot, picture=SavedPicture)["picture"].links:
            points[link.device] = link.boot, link.number
    for row in journal.rows(after):
        if row.kind is RowKind.INPUT:
            body = plain(row)[2]
            if body["number"]:
                points[body["device"]] = body["boot"], body["number"]
    return {device: point for device, point in points.items() if point[1]}


def replay(
    rows: Iterable[Row],
    make: MakeCore,
    state: TableState,
    picture: SavedPicture,
    sequence: int,
    now: Callable[[], int],
    started: e.Event | None = None,
) -> Core:
    """The core after those rows, then `started` on the record; `RecoveryRefused` says which row differs and how."""
    taken = list(rows)
    core = make(state, picture, sequence, JournaledClock(taken, now))
    if all(row.kind is RowKind.HEAD for row in taken):  # the round's first entries are yet to be appended
        if started is not None:
            core.event(started)
        core.resume()
        return core
    rerun = Rerun(core)
    for row in taken:
        rerun.take(row)
    if rerun.beyond:
        missing = rerun.beyond[0]
        raise RecoveryRefused(f"a {missing.kind} row of step {missing.step} would come, and is not in the journal")
    if started is not None:
        core.event(started)
    return core


def _difference(begun: Identity, running: Identity) -> str:
    parts = [
        f"{name} {getattr(begun, name)[:12]} (now {getattr(running, name)[:12]})"
        for name in ("version", "edition", "configuration")
        if getattr(begun, name) != getattr(running, name)
    ]
    return f"the round was begun under {', '.join(parts)}"


def _change(before: Identity, now: Identity) -> e.TableChanged | None:
    """What is different from when the last round was begun, None if nothing is."""
    if before == now:
        return None
    limits = (before.minimum, before.maximum) != (now.minimum, now.maximum)
    changed = {
        "version": before.version != now.version,
        "game": before.game != now.game,
        "rules": before.edition != now.edition and before.game == now.game,
        "limits": limits,
        "set_up": before.configuration != now.configuration and not limits,
    }
    return e.TableChanged(
        tuple(name for name, is_changed in changed.items() if is_changed),
        now.edition,
        before.edition,
        now.configuration,
        before.configuration,
        now.minimum,
        before.minimum,
        now.maximum,
        before.maximum,
        "",
    )


def _of_the_other_kind(training: bool) -> str:
    made, now = ("in training", "for real play") if training else ("in real play", "in training")
    return (
        f"The journal was made {made}, and the table has been started {now}: the two are never mixed. Start the table"
        f" {'with --training' if training else 'without --training'}, or name another journal."
    )


def _take_in(picture: Picture, rows: Iterable[Row]) -> None:
    """Let the picture be as those rows leave it: what the equipment has said, and which faults are latched.

    A message that this version of the program does not know tells it nothing.
    """
    for row in rows:
        if row.kind is RowKind.LATCH:
            body: dict[str, Any] = plain(row)[2]
            picture.latch_from_row(body["device"], body["fault"], body["message"], is_set=body["set"])
        elif row.kind is RowKind.INPUT:
            with contextlib.suppress(DecodeError):
                picture.observe(read_input(row))


def _number(row: Row) -> int:
    number: int = plain(row)[2]["sequence"]
    return number


def _last_sequence(rows: Iterable[Row]) -> int:
    return max((_number(row) for row in rows if row.kind is RowKind.EVENT), default=0)


def _sequence_before(journal: Rows, seq: int) -> int:
    """Number of the last event before that row: a snapshot is never far behind one."""
    after = max(0, seq - 64)
    while True:
        found = [row for row in journal.rows(after) if row.seq < seq and row.kind is RowKind.EVENT]
        if found or after == 0:
            return _last_sequence(found)
        after = max(0, after - 4096)
