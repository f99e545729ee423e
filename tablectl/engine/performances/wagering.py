"""Wagers before the deal, and the decisions of seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.drive import Interrupted
from tablectl.engine.inputs import Input, TimerExpired
from tablectl.engine.menu import DIGITS, ENTER
from tablectl.engine.performances.keys import key_of_press, words
from tablectl.engine.prompts import Prompt, first_that_fits, position_of
from tablectl.equipment import CardLeft, KeyPressed, WagerSpot
from tablectl.money import Money, show
from tablectl.procedure import instructions as acts
from tablectl.procedure.idle import IDLE

__all__ = ["AskSeat", "Collect", "must_be"]

_SPREAD: Final = "spread"


class Collect(Performance):
    """Wagers until "no more bets": chips that sensors see, or seat, wager, amount and enter on the panel.

    While nobody wagers the dealer may have the cards spread (x.5(f), (g)): that is his order, by the key SPREAD.
    """

    def __init__(self, act: acts.CollectWagers, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._seat: int | None = None
        self._wager: str | None = None
        self._amount = ""

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key is None:
            return Taken.IGNORED
        if key == "no_more_bets":
            return self._close()
        if key == _SPREAD and self._nobody_plays:
            return Done(Interrupted(acts.Order(IDLE, self._desk.table.state.dealer)))
        position = position_of(key)
        if position is not None and position.kind == "seat" and position.number <= self._act.seats:
            self._seat, self._wager, self._amount = position.number, None, ""
        elif self._seat is not None and key in self._act.wagers:
            self._wager, self._amount = key, ""
        elif self._wager is not None and (key in DIGITS or (key == "point" and "." not in self._amount)):
            self._amount += "." if key == "point" else key.removeprefix("digit_")
        elif self._wager is not None and self._seat is not None and key == ENTER:
            return self._put(self._seat, self._wager)
        else:
            return Taken.IGNORED
        return Taken.HELD

    def prompt(self) -> Prompt:
        placed = len(self._stakes())
        always = (*(("no_more_bets",) if placed else ()), *(f"seat_{n}" for n in range(1, self._act.seats + 1)))
        if self._seat is None:
            spread = (_SPREAD,) if self._nobody_plays else ()
            text = f"{placed}. THEN" if self._shut is None else f"{placed} NO {words(self._shut)}."
            return Prompt(f"WAGERS: {text} NO MORE BETS", (*always, *spread))
        if self._wager is None:
            return Prompt(f"SEAT {self._seat}: WHICH WAGER?", (*always, *self._act.wagers))
        amount = (*DIGITS, *(() if "." in self._amount else ("point",)), ENTER)
        return Prompt(f"SEAT {self._seat} {words(self._wager)}: {self._amount}_", (*always, *self._act.wagers, *amount))

    @property
    def _nobody_plays(self) -> bool:
        return self._seat is None and not self._stakes() and not self._desk.table.reshuffles

    @property
    def _shut(self) -> str | None:
        """A wager that is on file, and not taken in this round because of its system."""
        table = self._desk.table
        filed = (system.wager for system in table.game.systems if system.offered(table.rules))
        return next((wager for wager in filed if wager not in self._act.wagers), None)

    def _put(self, seat: int, wager: str) -> Answer:
        dollars, _, cents = self._amount.partition(".")
        if len(cents) > 2 or (self._amount and not dollars):
            return Taken.IGNORED
        amount = int(dollars or 0) * 100 + int(cents.ljust(2, "0"))
        if self._amount and amount == 0:
            self._desk.picture.spots.pop((seat, wager), None)
        else:
            self._desk.picture.put(seat, wager, amount or None)
        self._seat, self._wager, self._amount = None, None, ""
        return Taken.HELD

    def _stakes(self) -> tuple[acts.Stake, ...]:
        spots = self._desk.picture.spots
        return tuple(
            acts.Stake(seat, wager, None if spot.amount is None else Money(spot.amount))
            for seat in range(1, self._act.seats + 1)
            for wager in self._act.wagers
            if (spot := spots.get((seat, wager))) is not None
        )

    def _close(self) -> Answer:
        stakes = self._stakes()
        if not stakes:
            return Taken.IGNORED
        if self._wager is not None and self._amount:  # what is half keyed is not dropped
            self._desk.notice = f"SEAT {self._seat} {words(self._wager)} {self._amount}: ENTER FIRST"
            return Taken.HELD
        self._desk.locked_at = self._desk.picture.order
        return Done(stakes)


class AskSeat(Performance):
    """A seat's choice: its key, which stands for a moment and may be replaced, or a chip or a card that means it.

    Where a wager may be up to three times an amount, 1 to 3 are keys of their own, and BET alone is the same as 1.
    A later seat that has chosen early is named by its key before: the choice is kept, and stands when its turn comes.
    """

    def __init__(self, act: acts.Ask, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._standing: str | None = None
        self._of_chips = False
        self._early: int | None = None
        self._keys = dict(_keys_of(act.choices))

    def begin(self) -> Answer:
        draws = self._drawing if self._desk.draws_next else None
        self._desk.draws_next = False
        if draws is not None:
            return self._done(draws, draws.times(1))
        taken = self._chips()
        kept = self._desk.early.pop(self._act.seat, None)
        if isinstance(taken, Done) or self._of_chips or kept is None:
            return taken
        if kept not in self._keys:
            self._desk.notice = f"SEAT {self._act.seat}: {_of_key(kept)} IS NOT OFFERED"
            return taken
        return self._stand(kept)

    def offer(self, given: Input) -> Answer:
        match given.message:
            case TimerExpired(token):
                stands = self.deadline is not None and token == self.deadline[0]
                return self._final() if stands else Taken.IGNORED
            case KeyPressed(key):
                return self._pressed(key) if self._early is None else self._pressed_early(key, self._early)
            case WagerSpot(seat, wager, present) if any(choice.wager == wager for choice in self._act.choices):
                if seat == self._act.seat:
                    return self._chips() if present else self._lifted()
                stands = present and self._standing not in (None, "leave")
                return self._final() if stands else Taken.IGNORED
            case CardLeft() as left if self._drawing is not None:
                return self._card(left, self._drawing)
            case _:
                return Taken.IGNORED

    def prompt(self) -> Prompt:
        verbs = tuple(self._keys)
        asked = " OR ".join(words(choice.words) for choice in self._act.choices)
        standing = () if self._standing is None else (self._standing,)
        if self._early is not None:
            return Prompt(f"SEAT {self._early} IS EARLY: {asked}?", (f"seat_{self._act.seat}", *verbs))
        if self._standing == "leave":
            return Prompt(f"SEAT {self._act.seat} LEAVES, WAGERS LOST? ENTER", (*verbs, ENTER), standing)
        later = () if standing else tuple(f"seat_{number}" for number in self._later)
        return Prompt(f"SEAT {self._act.seat}: {asked}?", (f"seat_{self._act.seat}", *later, *verbs), standing)

    @property
    def _drawing(self) -> acts.Choice | None:
        """The choice that a card means, if there is one."""
        return next((choice for choice in self._act.choices if choice.draws), None)

    def _card(self, left: CardLeft, draws: acts.Choice) -> Answer:
        """A card has left: it makes a choice that stands final, and is the next seat's if that was another one."""
        self._desk.hold(left)
        if self._standing in (None, "leave", draws.verb):
            return self._done(draws, draws.times(1))
        self._desk.draws_next = True
        return self._final()

    def _pressed(self, key: str) -> Answer:
        position = position_of(key)
        if position is not None:
            other = position.number != self._act.seat
            if other and self._standing not in (None, "leave"):
                return self._final()
            if self._standing is None and position.number in self._later:
                self._early = position.number
                return Taken.HELD
            return Taken.IGNORED
        if key == ENTER:
            return Taken.IGNORED if self._standing is None else self._final()
        if key != "leave" and key not in self._keys:
            return Taken.IGNORED
        self._of_chips = False
        return self._stand(key)

    def _pressed_early(self, key: str, seat: int) -> Answer:
        position = position_of(key)
        if position is not None:
            known = position.number == self._act.seat or position.number in self._later
            self._early = position.number if known and position.number != self._act.seat else None
            return Taken.HELD if known else Taken.IGNORED
        if key not in self._keys:
            return Taken.IGNORED
        self._desk.early[seat] = key
        self._desk.notice = f"SEAT {seat}: {_of_key(key)}, TAKEN AT ITS TURN"
        self._early = None
        return Taken.HELD

    @property
    def _later(self) -> list[int]:
        """Seats that may be asked after this one."""
        table, gone = self._desk.table, (*self._desk.table.left, *self._desk.folded)
        return [n for n in table.seats if n > self._act.seat and n not in gone and table.open_wagers(n)]

    def _stand(self, key: str) -> Answer:
        self._standing = key
        wait = self._desk.settings.confirm_ms
        if key == "leave":  # destructive: a second, different key has to follow
            self.deadline = None
            return Taken.HELD
        self.deadline = (self._desk.new_token(), wait)
        return Taken.HELD if wait else self._final()

    def _final(self) -> Answer:
        if self._standing is None or self._standing == "leave":
            return Done(acts.Left()) if self._standing else Taken.IGNORED
        choice, times = self._keys[self._standing]
        return self._done(choice, choice.times(times))

    def _done(self, choice: acts.Choice, decision: acts.Decision) -> Answer:
        offered = [each.wager for each in self._act.choices if each.wager is not None]
        self._desk.passed_up[self._act.seat] = tuple(wager for wager in offered if wager != choice.wager)
        if choice.verb == "fold":
            self._desk.folded.append(self._act.seat)
        return Done(decision)

    def _chips(self) -> Answer:
        since = max(self._desk.locked_at, self._desk.decides_anew.get(self._act.seat, 0))
        for choice in self._act.choices:
            if choice.wager is None:
                continue
            spot = self._desk.picture.spots.get((self._act.seat, choice.wager))
            if spot is None or spot.order <= since:
                continue
            return self._chip(choice, choice.wager, None if spot.amount is None else Money(spot.amount))
        return Taken.IGNORED

    def _chip(self, choice: acts.Choice, wager: str, amount: Money | None) -> Answer:
        """A chip makes the choice; where there may be more of them it stands first, as they come one after another."""
        named = f"SEAT {self._act.seat}: {words(wager)}"
        if not choice.allows(amount):
            self._desk.notice = must_be(named, choice.amount, choice.most)
            return self._lifted()
        means = [each.verb for each in self._act.choices if each.wager == wager]
        if len(means) > 1:  # the spot is that of several choices, and a key says which
            if self._standing in means:
                return self._final()
            self._desk.notice = f"SEAT {self._act.seat}: {' OR '.join(words(verb) for verb in means)}?"
            return Taken.HELD
        if choice.most == 1:
            return self._done(choice, choice.times(1))
        self._of_chips = True
        if choice.amount is None:
            return self._stand(choice.verb)
        if amount is None:
            self._desk.notice = f"{named} TIMES? 1-{choice.most}"
            return self._lifted()
        return self._stand(f"digit_{amount // choice.amount}")

    def _lifted(self) -> Answer:
        """Chips that stood for a choice are gone, or do not make one any more."""
        if self._of_chips:
            self._of_chips, self._standing, self.deadline = False, None, None
        return Taken.HELD


def _keys_of(choices: Sequence[acts.Choice]) -> Iterator[tuple[str, tuple[acts.Choice, int]]]:
    """The keys that make a choice: its verb, and a digit for how many times where there may be more than one."""
    for choice in choices:
        yield choice.verb, (choice, 1)
        if choice.most > 1:
            yield from ((f"digit_{times}", (choice, times)) for times in range(1, choice.most + 1))


def must_be(named: str, amount: Money | None, most: int = 1) -> str:
    """The line that says what a wager has to amount to, or up to how many times that; None: it only has to be there."""
    if amount is None:
        return f"{named} MUST STAY"
    right = show(amount) + ("" if most == 1 else f" X 1-{most}")
    return first_that_fits(f"{named} MUST BE {right}", f"{named} ONLY {right}")


def _of_key(key: str) -> str:
    """A choice as the panel shows it: its verb, or how many times."""
    return f"{key.removeprefix('digit_')} TIMES" if key in DIGITS else words(key)
