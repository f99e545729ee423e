"""Where in a round an irregularity of a kind can come about: whatever the game, by looking at how the round is played.

A candidate is a moment, and a position where one has to be named. Whether the chapter's clause speaks of it there shows
when the round is played by script with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tablectl import events as e
from tablectl.engine.scenario import Incident, RoundScript
from tablectl.procedure.game import Game

__all__ = ["BY_TIME", "candidates", "is_spoken_of", "late_spot", "led_to_by"]

BY_TIME: Final = ("deck_change_due",)
"""What neither a person nor the equipment brings about."""

_DECISIONS: Final = ("decision",)
_MOMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "deck_count": ("shuffle", "count"),
    "identity_conflict": ("settle", "reveal"),
    **dict.fromkeys(("late_wager", "wager_changed", "wrong_stake"), _DECISIONS),
}
"""The moments at which these can be brought about; all others come at any."""

_AT_ITS_SEAT: Final = ("wager_changed", "wrong_stake", "identity_conflict")
_SHORT: Final = 1
_OF_A_SHUFFLE: Final = ("shuffler_jam", "shuffle_incomplete", "deck_count")
_ONE_TOO_MANY: Final = "dealer_drew_past_17"
_LEFT_OUT: Final = "player_not_dealt"
_SAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    "dealer_missed_own_card": {"which": 1},
    "die_cocked": {"sides": 1},
    "dice_total_wrong": {"total": 3},
}


def candidates(game: Game, kind: str, script: RoundScript, order: Sequence[str]) -> list[Incident]:
    """Every moment and position at which it might be in that round; `order` are its acts without it."""
    found = []
    for moment in _moments(game, kind, order):
        if moment == "shuffle" and _goes_on(game) and kind not in _OF_A_SHUFFLE:
            continue  # a shoe's other batch was shuffled long before
        if kind == _LEFT_OUT and moment not in _while_dealt(order, len(script.wagers)):
            continue
        for position in _positions(game, kind, script, moment):
            said: dict[str, Any] = {"at": moment, "kind": kind, "position": position, **_SAYS.get(kind, {})}
            if kind == "deck_count":
                said["count"] = game.deck - _SHORT
                if moment == "count":
                    misdealt = {"misdealt": True, "position": f"seat {min(script.wagers)}"}
                    found.append(Incident.model_validate({**said, **misdealt}))
            found.append(Incident.model_validate(said))
    return found


def led_to_by(incident: Incident) -> tuple[Incident, ...]:
    """The incident, after what has to have gone wrong before it (561.14(c), 670a.13(c): dice were totalled wrongly)."""
    if incident.kind != "first_card_wrong_position":
        return (incident,)
    return Incident.model_validate({"at": "throw 1", "kind": "dice_total_wrong", "total": 3}), incident


def is_spoken_of(game: Game, kind: str, events: Sequence[e.Event]) -> bool:
    """Whether it was noted in these events, by a clause where the chapter has one for it."""
    cites = [event.cite for event in events if isinstance(event, e.IrregularityNoted) and event.kind == kind]
    without = all(rule.cite is None and rule.window for rule in game.irregularities if rule.kind == kind)
    return bool(cites) and (without or any(cite is not None for cite in cites))


def late_spot(game: Game, script: RoundScript, number: int) -> str | None:
    """A wager of that seat's that was not placed before the deal, and whose spot is therefore empty."""
    systems = [system.wager for system in game.systems]
    placed = script.wagers.get(number, {})
    return next((wager for wager in game.opening if wager not in placed and wager not in systems), None)


def _goes_on(game: Game) -> bool:
    return game.shuffle_clauses is not None and game.shuffle_clauses.per_shoe


def _moments(game: Game, kind: str, order: Sequence[str]) -> Iterator[str]:
    only = _MOMENTS.get(kind)
    if only == _DECISIONS and game.dice is not None:  # nobody decides anything, and everything still lies there
        yield "throw 1"
        return
    if kind == _ONE_TOO_MANY:
        yield f"card {1 + sum(act.startswith('card ') for act in order)}"
        return
    for moment in dict.fromkeys(("shuffle", *map(_moment, order))):
        if moment is not None and (only is None or moment.split()[0] in only):
            yield moment


def _while_dealt(order: Sequence[str], seats: int) -> list[str]:
    """The cards of a deal around the table that leaves one seat out: when these are out, the table asks for more.

    So nobody who deals as he is led comes to a decision with that.
    """
    after = next((number for number, act in enumerate(order) if act.startswith("button ")), -1) + 1
    dealt: list[str] = []
    for act in order[after:]:
        if act.startswith("card ") and " -> seat " in act:
            dealt.append(" ".join(act.split()[:2]))
        elif dealt:
            break
    return dealt[: len(dealt) - len(dealt) // seats]


def _moment(act: str) -> str | None:
    """The moment that goes with an act of a round's `order`."""
    match act.split():
        case ["card", number, *_]:
            return f"card {number}"
        case ["ask", number]:
            return f"decision {number}"
        case ["expose", "dealer", *_]:
            return "reveal"
        case ["expose", "seat", number, *_]:
            return f"settle {number}"
        case ["throw", number]:
            return f"throw {number}"
        case ["lock_out"]:
            return "lock_out"
        case ["no_more_bets"]:
            return "count"  # the dealer may have the stub counted even if that is not due
        case _:
            return None


def _positions(game: Game, kind: str, script: RoundScript, moment: str) -> list[str | None]:
    """Where it may be; None where it needs no position."""
    own = moment.split()[1] if moment.startswith(("decision", "settle")) else None
    seats = sorted(script.wagers)
    if kind == "late_wager":
        with_room = [number for number in seats if late_spot(game, script, number)]
        empty = [number for number in range(1, max(seats)) if number not in seats]  # where a seat has one wager only
        return [f"seat {number}" for number in with_room or empty]
    if kind in _AT_ITS_SEAT and moment.startswith("throw"):
        return [f"seat {number}" for number in seats]
    if kind in _AT_ITS_SEAT:
        return ["dealer" if own is None else f"seat {own}"]
    if kind not in game.must_name_position:
        return [None]
    named = {place for rule in game.irregularities if rule.kind == kind for place in rule.positions}
    places: list[str | None] = [f"seat {number}" for number in seats] if not named or "seat" in named else []
    others = [place for place in game.places if place not in ("seat", "stack")]
    return [*places, *(place for place in others if not named or place in named)]
