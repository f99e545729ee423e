"""A whole journal played again: would this program still say of every row what the journal says.

Each snapshot begins a *stretch* that reaches to the next one: as a rule a round. A stretch that was begun under another
program version, rules edition or configuration cannot be played again by this one and is passed over. Where a start
found a round that could not be resumed, the rows before that start are played again, and the void after it is worked
out from the events anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tablectl import events as e
from tablectl.engine.identity import Identity
from tablectl.engine.picture import SavedPicture
from tablectl.engine.recovery import MakeCore
from tablectl.engine.rerun import JournaledClock, Rerun, is_lifecycle, same
from tablectl.engine.rows import plain, read_body
from tablectl.engine.stranded import void_events
from tablectl.errors import DecodeError, IllegalMove, JournalRefused, RecoveryRefused
from tablectl.journal import Row, RowKind
from tablectl.journal.played import TABLE_CLOSED
from tablectl.procedure.table import Phase, TableState

__all__ = ["Finding", "Stretch", "What", "retrace"]

_OF_A_VOID: Final = ("RoundVoided", "IrregularityNoted", "TableChanged")
_OF_A_CHANGE: Final = ("TableChanged", "DeckRemoved", "TableClosed")


class Finding(StrEnum):
    """What came of a stretch."""

    SAME = "same"
    DIFFERENT = "different"
    OTHER_IDENTITY = "other_identity"


class What(StrEnum):
    """What a stretch is: a round, the opening of a table, or the round in which it was closed instead."""

    ROUND = "round"
    OPENING = "opening"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Stretch:
    """From a snapshot, row `first`, to the row before the next, `last`; `detail` says what is to be said of it.

    `round` is that of the stretch; an opening has the number of the round after it.
    """

    round: int
    first: int
    last: int
    finding: Finding
    detail: str
    what: What = What.ROUND


def retrace(rows: Iterable[Row], make: MakeCore, identity: Identity) -> Iterator[Stretch]:
    """Play all of `rows`, the journal from its first row on with its secrets, stretch by stretch."""
    snapshot: Row | None = None
    since: list[Row] = []
    sequence = 0  # of the last event before the snapshot
    for row in rows:
        if row.kind is RowKind.SNAPSHOT:
            if snapshot is not None:
                yield _stretch(snapshot, since, row, make, identity, sequence)
            sequence = max([sequence, *(_number(each) for each in since if each.kind is RowKind.EVENT)])
            snapshot, since = row, []
        else:
            since.append(row)
    if snapshot is not None:
        yield _stretch(snapshot, since, None, make, identity, sequence)


def _stretch(
    snapshot: Row, since: Sequence[Row], following: Row | None, make: MakeCore, identity: Identity, sequence: int
) -> Stretch:
    last = since[-1].seq if since else snapshot.seq
    state = plain(snapshot)[2]["state"]
    number = int(state["round"]) + 1
    what = What.OPENING if state["phase"] == Phase.CLOSED else What.CLOSING if _closes(since) else What.ROUND
    try:
        begun: Identity = read_body(snapshot, identity=Identity)["identity"]
        if begun != identity:
            detail = f"begun under version {begun.version}, edition {begun.edition[:12]}, configuration"
            detail = f"{detail} {begun.configuration[:12]}"
            return Stretch(number, snapshot.seq, last, Finding.OTHER_IDENTITY, detail, what)
        detail = _play(snapshot, since, following, make, sequence)
    except (RecoveryRefused, JournalRefused, DecodeError, IllegalMove) as error:
        return Stretch(number, snapshot.seq, last, Finding.DIFFERENT, str(error), what)
    return Stretch(number, snapshot.seq, last, Finding.SAME, detail, what)


def _closes(since: Sequence[Row]) -> bool:
    """Whether the table was closed in that round."""
    events = (_event(row) for row in reversed(since) if row.kind is RowKind.EVENT)
    return any(event["$"] == "RoundClosed" and event["cause"] == TABLE_CLOSED for event in events)


def _play(snapshot: Row, since: Sequence[Row], following: Row | None, make: MakeCore, sequence: int) -> str:
    """Play one stretch again and say how it ended; `RecoveryRefused` and others where it comes out differently."""
    fields = read_body(snapshot, state=TableState, picture=SavedPicture)
    given_up = _given_up(since)
    played = since if given_up is None else since[:given_up]
    rerun = Rerun(make(fields["state"], fields["picture"], sequence, JournaledClock(since, _no_time)))
    for row in played:
        rerun.take(row)
    if given_up is not None:
        _check_void(played, since[given_up:])
        voided = any(row.kind is RowKind.EVENT and _event(row)["$"] == "RoundVoided" for row in since[given_up:])
        return f"{'voided after' if voided else 'given up, unopened, by'} a start that could not resume it"
    if following is None:
        if rerun.beyond:
            missing = rerun.beyond[0]
            raise RecoveryRefused(f"a {missing.kind} row of step {missing.step} would come, and is not in the journal")
        return "not closed yet"
    if rerun.beyond:
        same(following, rerun.beyond[0])
        return "closed"
    if read_body(following, state=TableState)["state"] != fields["state"]:
        raise RecoveryRefused(f"row {following.seq} (snapshot) is in the journal, and would not come again")
    return "given up, unopened, by a start that could not resume it"


def _given_up(since: Sequence[Row]) -> int | None:
    """Where in the stretch the start is that could not resume the round; None when there is none.

    The events of such a void, or of a change, belong to no step. Before them are only inputs and the faults that are
    new with them, back to that start or an earlier one with which nothing came about either.
    """
    for void, row in enumerate(since):
        if not _is_void(row):
            continue
        begin = void
        while begin > 0 and _is_waiting(since[begin - 1]):
            begin -= 1
        starts = (n for n in range(begin, void) if is_lifecycle(since[n]) and _event(since[n])["$"] == "TableStarted")
        start = next(starts, None)
        if start is not None:
            return start
        if _event(row)["$"] != "IrregularityNoted":  # that may be noted behind a round, too
            return void
    return None


def _is_waiting(row: Row) -> bool:
    """Whether the row may stand between a start that does not go on and what a floorperson says."""
    if row.kind in (RowKind.INPUT, RowKind.HEAD, RowKind.LATCH) or is_lifecycle(row):
        return True
    return row.kind is RowKind.EVENT and row.step is None and _event(row)["$"] == "FaultLatched"


def _check_void(played: Sequence[Row], rest: Sequence[Row]) -> None:
    events = [read_body(row, event=e.Event)["event"] for row in played if row.kind is RowKind.EVENT]
    due = void_events(events)
    for row in rest:
        if _is_waiting(row) or (row.kind is RowKind.EVENT and _event(row)["$"] in _OF_A_CHANGE):
            continue
        if not due or row.kind is not RowKind.EVENT or read_body(row, event=e.Event)["event"] != due.pop(0):
            raise RecoveryRefused(f"row {row.seq} ({row.kind}) is no part of the void that the round's events give")
    if due:
        raise RecoveryRefused(f"the void of the round lacks its {type(due[0]).__name__} after row {rest[-1].seq}")


def _is_void(row: Row) -> bool:
    return row.kind is RowKind.EVENT and row.step is None and _event(row)["$"] in _OF_A_VOID


def _event(row: Row) -> dict[str, object]:
    event: dict[str, object] = plain(row)[2]["event"]
    return event


def _number(row: Row) -> int:
    return int(plain(row)[2]["sequence"])


def _no_time() -> int:
    """What lies beyond the journaled times is not compared."""
    return 0
