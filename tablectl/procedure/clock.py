"""What the table counts from, after the wall clock was set: how long something has lasted does not change with that."""

from __future__ import annotations

from tablectl.events import ClockStepped
from tablectl.procedure.jackpots import Jackpot, RoomState
from tablectl.procedure.table import TableState
from tablectl.records import replace

__all__ = ["room_set", "set_clock"]


def set_clock(state: TableState, step: ClockStepped) -> TableState:
    """The same state by the clock as it is now: decks, dice, questions, time charge, periods, shares that are owed."""
    decks = (replace(deck, since=_at(deck.since, step), verified=_at(deck.verified, step)) for deck in state.decks)
    questions = (replace(asked, since=_at(asked.since, step)) for asked in state.questions)
    return replace(
        state,
        decks=tuple(decks),
        dice_since=None if state.dice_since is None else _at(state.dice_since, step),
        questions=tuple(questions),
        room=room_set(state.room, step),
    )


def room_set(room: RoomState, step: ClockStepped) -> RoomState:
    """The poker room by the clock as it is now."""
    return replace(
        room,
        charged=_at(room.charged, step),
        bad_beat=_jackpot(room.bad_beat, step),
        high_hand=_jackpot(room.high_hand, step),
    )


def _jackpot(jackpot: Jackpot, step: ClockStepped) -> Jackpot:
    owed = tuple(replace(each, since=_at(each.since, step)) for each in jackpot.owed)
    return replace(jackpot, began=_at(jackpot.began, step), owed=owed)


def _at(moment: int, step: ClockStepped) -> int:
    """A moment that was taken by the clock as it was; an earlier run of the daemon may have had a right one."""
    return moment + round(step.step_ms / 1000) if 0 < step.began <= moment <= step.until else moment
