"""Incidents that an act answers with a result of its own instead of being interrupted: the same by script and live."""

from __future__ import annotations

from typing import Final

from tablectl.procedure.instructions import (
    Incident,
    OutOfService,
    Shuffle,
    Shuffled,
    ShuffleFault,
    TakeShuffled,
)

__all__ = ["SHUFFLER_FAULTS", "shuffle_result"]

SHUFFLER_FAULTS: Final = ("shuffler_jam", "shuffle_incomplete")
_OUT_OF_SERVICE: Final = {"shuffler_out_of_service": "shuffler", "shoe_out_of_service": "shoe"}


def shuffle_result(
    act: Shuffle | TakeShuffled, incident: Incident, counts: bool
) -> Shuffled | ShuffleFault | OutOfService | None:
    """What the shuffle comes to when this is noticed at it; None when it is an interruption like any other."""
    if act.by == "device" and incident.kind in SHUFFLER_FAULTS:
        return ShuffleFault(incident.kind)
    if incident.kind in _OUT_OF_SERVICE:
        return OutOfService(incident.kind, _OUT_OF_SERVICE[incident.kind], incident.then)
    if incident.kind == "deck_count" and act.by == "device" and counts:
        return Shuffled(incident.count)
    return None
