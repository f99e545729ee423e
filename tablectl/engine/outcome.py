"""The outcome of a round as a fold over its events: the same for a script, a live table's journal and a replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tablectl import events as e
from tablectl.cards import COMMUNITY
from tablectl.engine.pots import act_between_players, as_dealt, pots_document
from tablectl.money import Money, show
from tablectl.procedure.game import Game

__all__ = ["RoundFold", "round_document", "row_document"]


class RoundFold:
    """Takes the events of one round in and gives its document out."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.events: list[e.Event] = []

    def extend(self, events: Iterable[e.Event]) -> None:
        """Take the next events of the round."""
        self.events.extend(events)

    @property
    def closed(self) -> e.RoundClosed | None:
        """How the round was closed, None if it is not."""
        return next((event for event in reversed(self.events) if type(event) is e.RoundClosed), None)

    @property
    def order(self) -> list[str]:
        """The acts of the round in order."""
        if not self._game.pots:
            return [act for act in map(_act, self.events) if act is not None]
        told = ((event, act_between_players(event)) for event in as_dealt(self.events))
        acts = [_act(event) if act is None else act for event, act in told]
        return [act for act in acts if act]

    def document(self, seats: Iterable[int] = ()) -> dict[str, Any]:
        """The round's outcome; `seats` take part even if the round ended before their wagers were on the record."""
        closed = self.closed
        if closed is None:
            raise ValueError("the round is not closed yet")
        rows = self._rows()  # of a suspended round those that were settled before; other wagers still stand
        if self._game.pots:
            return self._of_pots(closed, rows, seats)
        wagered = (event.seat for event in self.events if type(event) is e.WagerMade)
        return {
            "outcome": closed.outcome.value,
            "cause": closed.cause,
            "cite": closed.cite,
            "wagers": [row_document(row) for row in rows],
            "net": {
                str(number): _net([row for row in rows if row.seat == number]) for number in sorted({*wagered, *seats})
            },
            "remedies": self._remedies(),
            "deck": {"id": closed.deck, "disposition": closed.disposition.value},
            "order": self.order,
        }

    def _of_pots(self, closed: e.RoundClosed, rows: Sequence[e.WagerSettled], seats: Iterable[int]) -> dict[str, Any]:
        """The document of a round that was played for pots."""
        there = (event.seat for event in self.events if type(event) is e.PlayerSeated)
        return {
            "outcome": closed.outcome.value,
            "cause": closed.cause,
            "cite": closed.cite,
            "wagers": [],
            "pots": pots_document(self.events) if closed.outcome is e.Outcome.COMPLETED else [],
            "net": {
                str(number): _net([row for row in rows if row.seat == number]) for number in sorted({*there, *seats})
            },
            "remedies": self._remedies(),
            "deck": {"id": closed.deck, "disposition": closed.disposition.value},
            "order": self.order,
        }

    @property
    def rows(self) -> list[e.WagerSettled]:
        """The last settlement of each wager, as far as the round was not suspended."""
        closed = self.closed
        return [] if closed is None or closed.outcome is e.Outcome.SUSPENDED else self._rows()

    def _rows(self) -> list[e.WagerSettled]:
        """The last settlement of each wager, by seat, hand and the game's list; a void leaves what stands before it."""
        rows: dict[tuple[int, int, int, int], e.WagerSettled] = {}
        for event in self.events:
            if type(event) is e.WagerSettled:
                place = self._game.wagers.index(event.wager)
                rows[event.seat, event.hand, place, event.on or 0] = event
            elif type(event) is e.RoundVoided:
                rows = {key: row for key, row in rows.items() if e.spot(row.seat, row.wager, row.hand) in event.stands}
        return [row for _key, row in sorted(rows.items(), key=lambda item: item[0])]

    def _remedies(self) -> list[str]:
        """What was done, each once, in order; a void takes the place of earlier remedies for its own kind."""
        noted = [event for event in self.events if type(event) is e.IrregularityNoted]
        closed = self.closed
        if closed is not None and closed.outcome is e.Outcome.VOID:
            last = max(place for place, event in enumerate(noted) if event.kind == closed.cause)
            noted = [event for place, event in enumerate(noted) if place == last or event.kind != closed.cause]
        return list(dict.fromkeys(remedy for event in noted for remedy in event.remedies))


def round_document(game: Game, events: Sequence[e.Event], seats: Iterable[int] = ()) -> dict[str, Any]:
    """The outcome document of one round from all its events."""
    fold = RoundFold(game)
    fold.extend(events)
    return fold.document(seats)


_BY_ITSELF: Final[Mapping[type[e.Event], str]] = {
    e.BettingLocked: "no_more_bets",
    e.DecisionsLocked: "decisions_locked",
    e.WagersLockedOut: "lock_out",
    e.HoleCardPeeked: "peek",
}
"""Events of which there is nothing more to say in `order`."""


def _act(event: e.Event) -> str | None:
    """The event as an act in `order`, or None for what is not one."""
    match event:
        case e.CardDealt():
            return f"card {event.number} -> {event.to}"
        case e.WagerSettled():
            hand = f" {event.hand}" if event.hand else ""
            return f"settle {event.seat} {event.wager}{hand}"
        case e.SeatAsked():
            return f"ask {event.seat}"
        case e.CardsExposed() if event.place and event.position is not COMMUNITY:
            return None  # one card of a hand: it was dealt to be seen
        case e.CardsExposed():
            return f"expose {event.position}{f' {event.place}' if event.place else ''}"
        case e.BettingLocked() | e.DecisionsLocked() | e.WagersLockedOut() | e.HoleCardPeeked():
            return _BY_ITSELF[type(event)]
        case e.WagersVerified(wager="progressive"):
            return "collect_progressive" if event.chips == event.accepted else None
        case e.CardsCounted():
            return f"count {event.what}"
        case e.DiceThrown():
            return f"throw {event.number}"
        case e.NumberChosen():
            return f"rng {event.number}"
        case e.StartChosen():
            return f"start {event.position}"
        case e.StackDelivered():
            return f"{event.stack} -> {event.to}"
        case _:
            return None


def row_document(row: e.WagerSettled) -> dict[str, Any]:
    """One row of `wagers` in an outcome."""
    fields: dict[str, Any] = {
        "seat": row.seat,
        "wager": row.wager,
        "hand": row.hand,
        "staked": _money(row.staked),
        "result": row.result.value,
        "odds": row.odds,
        "paid": _money(row.paid),
        "returned": _money(row.returned),
        "collected": _money(row.collected),
        "cite": row.cite,
    }
    if row.free:
        fields["free"] = True
    if row.vigorish is not None:
        fields["vigorish"] = show(row.vigorish)
    if row.on is not None:
        fields["on"] = row.on
    return fields


def _money(amount: Money | None) -> str | None:
    return None if amount is None else show(amount)


def _net(rows: Sequence[e.WagerSettled]) -> str | None:
    total = 0
    for row in rows:
        if row.paid is None or row.collected is None:
            return None
        total += row.paid - row.collected
    return show(Money(total))
