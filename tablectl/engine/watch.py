"""Wager sensors after "no more bets": chips that come, go or change where none may, until a wager is settled.

A sensor that bounces is none of that: what is wrong has to stay so for a while before it counts. It is told once, and
again only after it was put right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tablectl.cards import seat
from tablectl.engine.desk import Desk
from tablectl.engine.performances.keys import words
from tablectl.engine.performances.wagering import at_most, must_be, on_spot
from tablectl.engine.picture import Spot
from tablectl.engine.prompts import first_that_fits
from tablectl.equipment import Kind
from tablectl.money import Money
from tablectl.procedure.instructions import Ask, Incident, Stake
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.records import replace

__all__ = ["Watch", "Wrong"]

_WATCHED: Final = (Stage.LOCKED, Stage.DEALING, Stage.DECIDING, Stage.REVEALED, Stage.SETTLING)
_DECIDED: Final = (Stage.REVEALED, Stage.SETTLING)

Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Wrong:
    """One spot on which something is not as it has to be, and what is to be done about it in one line."""

    kind: str
    number: int
    text: str

    @property
    def incident(self) -> Incident:
        """The irregularity that it is."""
        return Incident(self.kind, seat(self.number))


@dataclass(slots=True)
class Watch:
    """The spots of one round. `look` after every input, `expired` with the token of its timer."""

    _pending: dict[Place, int] = field(default_factory=dict)
    _told: dict[Place, Wrong] = field(default_factory=dict)
    _right: list[Place] = field(default_factory=list)

    def look(self, desk: Desk, waiting: object) -> str:
        """Take note of what is wrong now, while that act waits; what is still to be put right, if something was."""
        if desk.picture.usable(Kind.WAGER_SENSORS) is None:  # what was told stays told until they can be asked again
            self._pending.clear()
            return ""
        wrong = dict(self._wrong(desk, waiting))
        self._pending = {place: token for place, token in self._pending.items() if place in wrong}
        before = len(self._told)
        self._told = {place: what for place, what in self._told.items() if place in wrong}
        for place in wrong:
            if place not in self._pending and place not in self._told:
                self._pending[place] = desk.new_token()
        mended = len(self._told) < before
        return next((what.text for what in self._told.values()), "") if mended else ""

    @property
    def waits_for(self) -> int | None:
        """Token of the timer after which the oldest change counts; None when nothing is wrong that was not told."""
        return min(self._pending.values(), default=None)

    def expired(self, token: int, desk: Desk, waiting: object) -> list[Wrong]:
        """What has stayed wrong for as long as that timer ran."""
        wrong = dict(self._wrong(desk, waiting))
        lasting = [place for place, known in self._pending.items() if known == token and place in wrong]
        for place in lasting:
            del self._pending[place]
            self._told[place] = wrong[place]
        return [wrong[place] for place in lasting]

    def _wrong(self, desk: Desk, waiting: object) -> Iterator[tuple[Place, Wrong]]:
        table, picture = desk.table, desk.picture
        if table.stage not in _WATCHED:
            return
        by_system = [system.wager for system in table.game.systems]
        stakes = _by_spot(table)
        for place, stake in stakes.items():
            number, wager = place
            if stake is None or wager in by_system or number in table.left or number in desk.folded:
                continue
            if place in self._right and _is_asked(waiting, place):
                continue  # more chips may come for another hand
            what = self._changed(place, picture.spots.get(place), stake.amount)
            if what is not None:
                yield place, what
        for place, spot in picture.spots.items():
            number, wager = place
            if spot.keyed or spot.order <= desk.locked_at or wager in by_system or place in stakes:
                continue
            late = self._came(desk, spot, waiting)
            if late is not None:
                yield place, late

    def _changed(self, place: Place, spot: Spot | None, staked: Money | None) -> Wrong | None:
        """A wager that lies there otherwise than it was placed; one that was keyed may be laid down later."""
        if spot is not None and spot.keyed:
            return None
        if spot is not None and (spot.amount is None or staked is None or spot.amount == staked):
            if place not in self._right:
                self._right.append(place)
            return None
        number, wager = place
        told = must_be(f"SEAT {number}: {words(wager)}", staked)
        if place in self._right:
            return Wrong("wager_changed", number, told)
        return None if spot is None else Wrong("wrong_stake", number, told)

    def _came(self, desk: Desk, spot: Spot, waiting: object) -> Wrong | None:
        """Chips on a spot without a wager: late, wrong for the decision that is asked, or early for one to come."""
        table, number, wager = desk.table, spot.seat, spot.wager
        if wager not in table.game.wagers or number > table.setup.seats:
            return None
        named = f"SEAT {number}: {words(wager)}"
        if isinstance(waiting, Ask) and waiting.seat == number:
            for choice in waiting.choices:
                if choice.wager == wager and not choice.allows(None if spot.amount is None else Money(spot.amount)):
                    limit = at_most(named, choice.amount) if choice.up_to else None
                    return Wrong("wrong_stake", number, limit or must_be(named, choice.amount, choice.most))
        opening = wager in table.game.opening or number not in table.seats
        passed = wager in desk.passed_up.get(number, ()) or number in desk.folded or number in table.left
        if opening or passed or table.stage in _DECIDED:
            told = first_that_fits(f"{named} LATE, TAKE IT BACK", f"{named} LATE, BACK")
            return Wrong("late_wager", number, told)
        return None


def _by_spot(table: Table) -> dict[Place, Stake | None]:
    """What has to lie on each spot, for all hands of a seat together; None where some of it was settled already.

    Lammers are no chips. Until the dealer has taken away what is settled, nobody can tell the chips of one hand from
    those of another.
    """
    laid: dict[Place, Stake | None] = {}
    for (number, wager, hand), stake in table.stakes.items():
        if stake.free:
            continue
        place, settled = (number, wager), (number, wager, hand) in table.settled
        if settled or laid.get(place, stake) is None:
            laid[place] = None
        elif place in laid:
            laid[place] = replace(stake, amount=None if stake.amount is None else on_spot(table, number, wager))
        else:
            laid[place] = stake
    return laid


def _is_asked(waiting: object, place: Place) -> bool:
    """Whether a seat is asked for a decision that puts chips there."""
    number, wager = place
    if not isinstance(waiting, Ask) or waiting.seat != number:
        return False
    return any(choice.wager == wager for choice in waiting.choices)
