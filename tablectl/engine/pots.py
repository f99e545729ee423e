"""The outcome of a round that was played for pots: what of its events is an act, who had what share of which pot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from tablectl import events as e
from tablectl.cards import seat
from tablectl.money import show
from tablectl.procedure.poker import POT, dealt_order

__all__ = ["act_between_players", "as_dealt", "pots_document"]


def act_between_players(event: e.Event) -> str | None:
    """The event as an act in `order`, empty if it is none; None where it is like in any other game."""
    match event:
        case e.BetPosted():
            return f"post {event.seat}"
        case e.HandShown():
            return f"show {event.seat}"
        case e.ButtonDrawn():
            return f"button {event.seat}"
        case e.PotAwarded():
            return f"award {event.pot} {event.seat}"
        case e.WagerSettled() if event.wager == POT:  # the pots are awarded
            return ""
        case _:
            return None


_ACTS: Final = "round."
_DEALT_WRONG: Final = ("wrong_start", "player_not_dealt", "ineligible_player_dealt")


def as_dealt(events: Sequence[e.Event]) -> Sequence[e.Event]:
    """The events with the cards of the deal where they went, if the dealer has found that he dealt in another order."""
    wrong = next((n for n, event in enumerate(events) if _dealt_wrong(event)), None)
    if wrong is None:
        return events
    noted = events[wrong]
    assert isinstance(noted, e.IrregularityNoted)
    assert noted.position is not None
    seats = [event.seat for event in events if isinstance(event, e.PlayerSeated)]
    button = next((event.seat for event in events if isinstance(event, e.ButtonPlaced)), 0)
    order = dealt_order(
        [n for n in seats if n > button] + [n for n in seats if n <= button], (noted.kind, noted.position.number)
    )
    told, dealt = list(events), 0
    seated = next((n for n, event in enumerate(events) if isinstance(event, e.PlayerSeated)), 0)
    for number, event in enumerate(events[seated:wrong], seated):  # before that it was for the button
        if isinstance(event, e.CardDealt) and event.to.kind == "seat":
            told[number] = e.CardDealt(event.number, seat(order[dealt % len(order)]), event.card)
            dealt += 1
        elif dealt and event.name.startswith(_ACTS) and not isinstance(event, e.CardDealt | e.IrregularityNoted):
            break  # what happens to the daemon or a device in the deal does not end it
    return told


def _dealt_wrong(event: e.Event) -> bool:
    if not isinstance(event, e.IrregularityNoted) or event.kind not in _DEALT_WRONG:
        return False
    return event.position is not None and event.position.kind == "seat"


def pots_document(events: Iterable[e.Event]) -> list[dict[str, Any]]:
    """The pots of a round: who could win each, what was taken off it, and its shares."""
    made: dict[str, dict[str, Any]] = {}
    for event in events:
        if type(event) is e.PotFormed:
            drops = {"bad_beat": event.bad_beat, "high_hand": event.high_hand}
            made[event.pot] = {
                "name": event.pot,
                "seats": list(event.seats),
                "amount": show(event.amount),
                "rake": show(event.rake),
                "drops": {fund: show(amount) for fund, amount in drops.items() if amount},
                "shares": [],
            }
        elif type(event) is e.PotAwarded:
            share = {"seat": event.seat, "part": event.part, "amount": show(event.amount)}
            made[event.pot]["shares"].append(share)
    return list(made.values())
