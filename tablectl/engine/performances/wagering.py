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
from tablectl.equipment import CardLeft, CardPresent, KeyPressed, Kind, WagerSpot
from tablectl.money import Money, show
from tablectl.procedure import instructions as acts
from tablectl.procedure.idle import IDLE
from tablectl.procedure.people import DEALER_CHANGE
from tablectl.procedure.table import Table

__all__ = ["DEALER_KEY", "AskSeat", "Collect", "at_most", "dealer_burns", "must_be", "new_dealer", "on_spot"]

_SPREAD: Final = "spread"
DEALER_KEY: Final = "dealer"
POINT: Final = "point"
POINT_TEXT: Final = "."
_MOST_KEYS: Final = 9


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
        if key == DEALER_KEY and dealer_burns(self._desk):
            return new_dealer(self._desk)
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
            spread = (*((_SPREAD,) if self._nobody_plays else ()), *((DEALER_KEY,) if dealer_burns(self._desk) else ()))
            text = f"{placed}. THEN" if self._shut is None else f"{placed} NO {words(self._shut)}."
            return Prompt(f"WAGERS: {text} NO MORE BETS", (*always, *spread))
        if self._wager is None:
            return Prompt(f"SEAT {self._seat}: WHICH WAGER?", (*always, *self._act.wagers))
        amount = (*DIGITS, *(() if "." in self._amount else ("point",)), ENTER)
        return Prompt(f"SEAT {self._seat} {words(self._wager)}: {self._amount}_", (*always, *self._act.wagers, *amount))

    @property
    def _nobody_plays(self) -> bool:
        cards_lie = self._desk.table.game.dice is None and not self._desk.table.reshuffles
        return cards_lie and self._seat is None and not self._stakes()

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
    Where it may be any amount up to one, the verb alone means that one, and another is keyed before it.
    A later seat that has chosen early is named by its key before: the choice is kept, and stands when its turn comes.
    """

    def __init__(self, act: acts.Ask, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._standing: str | None = None
        self._of_chips = False
        self._early: int | None = None
        self._amount = ""
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
            case CardPresent(True) if "no_insurance" in self._keys and self._standing not in (None, "leave"):
                return self._final()  # the dealer goes on with the hole card
            case _:
                return Taken.IGNORED

    def prompt(self) -> Prompt:
        verbs = tuple(self._keys)
        asked = " OR ".join(words(choice.words) for choice in self._act.choices)
        standing = () if self._standing is None else (self._standing,)
        if self._early is not None:
            early = f"SEAT {self._early} IS EARLY"
            line = first_that_fits(f"{early}: {asked}?", f"{early}: {asked.replace(' OR ', ' ')}?", f"{early}: WHAT?")
            return Prompt(line, (f"seat_{self._act.seat}", *verbs))
        if self._standing == "leave":
            return Prompt(f"SEAT {self._act.seat} LEAVES, WAGERS LOST? ENTER", (*verbs, ENTER), standing)
        seat = f"SEAT {self._act.seat}"
        if self._takes_amount:
            verbs = (*verbs, *DIGITS, POINT)
        hand = f"{seat} HAND {self._act.hand + 1}" if self._act.hand else seat
        hand += f" {self._amount}_" if self._amount else ""
        short = " OR ".join(words(choice.words) for choice in self._act.choices if not choice.verb.startswith("no_"))
        ways = (asked, short, asked.replace(" OR ", " "))
        line = first_that_fits(*(f"{hand}: {way}?" for way in ways), f"{hand}: WHICH KEY?")
        later = () if standing else tuple(f"seat_{number}" for number in self._later)
        return Prompt(line, (f"seat_{self._act.seat}", *later, *verbs), standing)

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
        if self._takes_amount and key in (*DIGITS, POINT):
            return self._digit(key)
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

    @property
    def _takes_amount(self) -> bool:
        """Whether an amount may be keyed, for a choice whose wager may be any up to one."""
        return self._standing is None and any(choice.up_to for choice in self._act.choices)

    def _digit(self, key: str) -> Answer:
        """One more of the keys of an amount; one that is too long begins anew."""
        if key == POINT and POINT_TEXT in self._amount:
            return Taken.IGNORED
        self._amount = self._amount[:_MOST_KEYS] if len(self._amount) < _MOST_KEYS else ""
        self._amount += POINT_TEXT if key == POINT else key.removeprefix("digit_")
        return Taken.HELD

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
        if not self._amount or not choice.up_to:
            return self._done(choice, choice.times(times))
        amount = amount_of(self._amount)
        if amount is None or not choice.allows(amount):
            named = f"SEAT {self._act.seat}: {words(choice.verb)}"
            self._desk.notice = at_most(named, choice.amount)
            self._amount, self._standing, self.deadline = "", None, None
            return Taken.HELD
        return self._done(choice, acts.Decision(choice.verb, amount))

    def _done(self, choice: acts.Choice, decision: acts.Decision) -> Answer:
        self._desk.decided_at[self._act.seat] = self._desk.picture.order
        offered = [each.wager for each in self._act.choices if each.wager is not None]
        self._desk.passed_up[self._act.seat] = tuple(wager for wager in offered if wager != choice.wager)
        if choice.verb == "fold":
            self._desk.folded.append(self._act.seat)
        return Done(decision)

    def _chips(self) -> Answer:
        since = max(self._desk.locked_at, self._desk.decides_anew.get(self._act.seat, 0))
        if self._act.hand:  # the spots are those of the seat's other hands, too
            since = max(since, self._desk.decided_at.get(self._act.seat, 0))
        for choice in self._act.choices:
            if choice.wager is None:
                continue
            spot = self._desk.picture.spots.get((self._act.seat, choice.wager))
            if spot is None or spot.order <= since:
                continue
            laid = on_spot(self._desk.table, self._act.seat, choice.wager)
            if laid is not None and (spot.amount is None or spot.amount <= laid):
                continue  # it is what lies there for another hand
            return self._chip(choice, choice.wager, None if spot.amount is None else Money(spot.amount - (laid or 0)))
        return Taken.IGNORED

    def _chip(self, choice: acts.Choice, wager: str, amount: Money | None) -> Answer:
        """A chip makes the choice; where there may be more of them it stands first, as they come one after another."""
        named = f"SEAT {self._act.seat}: {words(wager)}"
        if not choice.allows(amount):
            limit = at_most(named, choice.amount) if choice.up_to else must_be(named, choice.amount, choice.most)
            self._desk.notice = limit
            return self._lifted()
        means = [each.verb for each in self._act.choices if each.wager == wager]
        if len(means) > 1:  # the spot is that of several choices, and a key says which
            if self._standing in means:
                return self._final()
            self._desk.notice = f"SEAT {self._act.seat}: {' OR '.join(words(verb) for verb in means)}?"
            return Taken.HELD
        if choice.up_to:
            return self._done(choice, acts.Decision(choice.verb, choice.amount if amount is None else amount))
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
    return first_that_fits(f"{named} MUST BE {right}", f"{named} ONLY {right}", f"{named}: {right}")


def dealer_burns(desk: Desk) -> bool:
    """Whether a new dealer, who burns a card, can say by a key that he has come, as no badge of his can be read."""
    return desk.table.game.burn is not None and not desk.picture.awaited(Kind.CREDENTIAL_READER)


def new_dealer(desk: Desk) -> Done:
    """Another dealer takes over, by that key."""
    return Done(Interrupted(acts.Order(DEALER_CHANGE, f"key {desk.table.state.round + 1}")))


def at_most(named: str, amount: Money | None) -> str:
    """The line that says up to what a wager may be."""
    if amount is None:
        return f"{named}: WHICH AMOUNT?"
    return first_that_fits(f"{named} IS AT MOST {show(amount)}", f"{named} MAX {show(amount)}")


def on_spot(table: Table, seat: int, wager: str) -> Money | None:
    """What lies on a spot for hands of that seat that are not settled; None for nothing, lammers are no chips."""
    stakes = [
        stake
        for (number, known, hand), stake in table.stakes.items()
        if (number, known) == (seat, wager) and not stake.free and table.open(number, known, hand)
    ]
    return Money(sum(stake.amount or 0 for stake in stakes)) if stakes else None


def amount_of(text: str) -> Money | None:
    """An amount that was keyed, in dollars with or without cents; None where it is none."""
    dollars, _, cents = text.partition(".")
    if not dollars or len(cents) > 2:
        return None
    return Money(int(dollars) * 100 + int(cents.ljust(2, "0")))


def _of_key(key: str) -> str:
    """A choice as the panel shows it: its verb, or how many times."""
    return f"{key.removeprefix('digit_')} TIMES" if key in DIGITS else words(key)
