"""The rake that is charged by the time, the boxes of the jackpots, and what is verified before it is paid.

Whoever has to be there besides the floorperson shows a badge, if the table lists the badges of that department; else
the dealer says by the key DONE that somebody of it is there.
"""

from __future__ import annotations

from typing import ClassVar, Final

from tablectl.engine.desk import Answer, Desk, Done, Role, Taken
from tablectl.engine.inputs import Input
from tablectl.engine.menu import CANCEL, ENTER, NEXT, NO, PREVIOUS
from tablectl.engine.performances.keys import Amount, key_of_press, words
from tablectl.engine.performances.opening import ByBadge
from tablectl.engine.prompts import LINE, Prompt, first_that_fits
from tablectl.equipment import Badge
from tablectl.money import Money, show
from tablectl.procedure import instructions as acts

__all__ = ["BadBeat", "Checked", "Displayed", "Emptied", "HighHand", "Paid", "Timed"]

_SEAT: Final = "seat_"
_DONE: Final = "done"
_PLACES: Final = {"digit_1": "table", "digit_2": "cage"}
_OF_DEPARTMENT: Final = {Role.SECURITY: "SECURITY", Role.FINANCE: "FINANCE"}


class _ByWitness(ByBadge):
    """A floorperson, and somebody of one of these departments."""

    departments: ClassVar[tuple[Role, ...]] = (Role.FINANCE,)

    @property
    def _wants_badge(self) -> bool:
        """Whether badges of these departments are listed, and can be read."""
        settings = self._desk.settings
        there = {Role.SECURITY: settings.security, Role.FINANCE: settings.finance}
        return any(there[role] for role in self.departments) and not self._desk.key_switch_counts

    def _witness(self, given: Input) -> str | None:
        """The badge, or the dealer's key where none could be shown; empty: another badge is wanted, None: nothing."""
        if isinstance(given.message, Badge) and self._wants_badge:
            number = given.message.number
            if self._desk.settings.role(number) in self.departments:
                return number
            named = " OR ".join(_OF_DEPARTMENT[role] for role in self.departments)
            self._desk.notice = first_that_fits(f"BADGE {number}: IT WANTS {named}'S", f"IT WANTS {named}'S BADGE")
            return ""
        if key_of_press(given) == _DONE and not self._wants_badge:
            return self._desk.table.state.dealer or "dealer"
        return None

    def _ask(self, *texts: str) -> Prompt:
        """The first of these that fits, and what is wanted."""
        badge = f"{_OF_DEPARTMENT[self.departments[0]] if len(self.departments) == 1 else '2ND'} BADGE"
        wanted = badge if self._wants_badge else "DONE"
        return Prompt(first_that_fits(*(f"{text}: {wanted}" for text in texts)), () if self._wants_badge else (_DONE,))


# The time charge ------------------------------------------------------------------------------------------------------


class Timed(ByBadge):
    """The time charge is collected: the keys of seats that are seated and do not play, then DONE."""

    def __init__(self, act: acts.TakeTime, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._inactive: list[int] = []

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == _DONE:
            return Done(acts.TimeTaken(tuple(sorted(self._inactive))))
        if key not in self._seats or key is None:
            return Taken.IGNORED
        number = int(key.removeprefix(_SEAT))
        if number in self._inactive:
            self._inactive.remove(number)
        else:
            self._inactive.append(number)
        return Taken.HELD

    @property
    def _seats(self) -> tuple[str, ...]:
        if self._act.per != "player":
            return ()
        return tuple(f"{_SEAT}{n}" for n in range(1, self._act.most + 1) if n not in self._act.seats)

    def prompt(self) -> Prompt:
        part = show(self._act.part)
        if self._act.per != "player":
            return Prompt(f"TIME {part} FOR THE TABLE: DONE", (_DONE,))
        more = " ".join(map(str, sorted(self._inactive)))
        texts = (f"TIME {part} EACH, SEATS {more} TOO: DONE", f"TIME {part} EACH + {more}: DONE")
        text = first_that_fits(*texts) if more else f"TIME {part} EACH, ALSO INACTIVE: DONE"
        return Prompt(text, (*self._seats, _DONE), tuple(f"{_SEAT}{n}" for n in self._inactive))


class Checked(ByBadge):
    """A floorperson verifies what was collected, then the dealer drops it."""

    def __init__(self, act: acts.CheckTime, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act

    def offer(self, given: Input) -> Answer:
        if not self._credential:
            return Taken.HELD if self._badge(given) else Taken.IGNORED
        return Done(acts.TimeChecked(self._credential)) if key_of_press(given) == _DONE else Taken.IGNORED

    def prompt(self) -> Prompt:
        total = show(self._act.total)
        if not self._credential:
            return Prompt(f"TIME {total} OF {self._act.seats} SEATS: BADGE", self._floor_keys)
        return Prompt(f"{total} INTO THE DROP BOX: DONE", (_DONE,))


# Boxes and displays ---------------------------------------------------------------------------------------------------


class Emptied(_ByWitness):
    """A box is counted by keying what is in it, if it may be; or a badge alone sends it to the cage."""

    departments: ClassVar[tuple[Role, ...]] = (Role.SECURITY,)

    def __init__(self, act: acts.EmptyBox, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._credential = act.credential
        self._amount = Amount()
        self._counted: Money | None = None

    def offer(self, given: Input) -> Answer:
        if not self._credential:
            if self._badge_counts and self._badge(given):
                return Taken.HELD
            return self._key(key_of_press(given))
        second = self._witness(given)
        if not second:
            return Taken.IGNORED if second is None else Taken.HELD
        if self._counted is None:
            return Done(acts.ContentsSent(self._credential, second))
        return Done(acts.ContentsCounted(self._counted, self._credential, second))

    @property
    def _badge_counts(self) -> bool:
        """Not while an amount is being keyed."""
        return self._counted is not None or not self._amount.text

    def _key(self, key: str | None) -> Answer:
        if key == CANCEL and self._amount.text:
            self._amount, self._counted = Amount(), None
            return Taken.HELD
        if key is None or not self._act.here or self._counted is not None:
            return Taken.IGNORED
        if key == ENTER and self._amount.value is not None:
            self._counted = self._amount.value
            return Taken.HELD
        return Taken.HELD if self._amount.key(key) else Taken.IGNORED

    def prompt(self) -> Prompt:
        box = words(self._act.jackpot)
        if self._credential:
            counted = "BOX" if self._counted is None else f"{show(self._counted)} LOCKED UP"
            return self._ask(f"{counted} TO THE CAGE WITH SECURITY", f"{counted}, TO SECURITY")
        if self._counted is not None:
            text = f"{show(self._counted)}, SURVEILLANCE SAW IT: BADGE"
            return Prompt(text, (*self._floor_keys, CANCEL))
        if self._amount.text:
            return Prompt(f"{box} BOX COUNTED: {self._amount.text}_", (*self._amount.keys, CANCEL))
        if not self._act.here:
            return Prompt(f"{box} BOX TO THE CAGE: BADGE", self._floor_keys)
        return Prompt(f"{box} BOX: KEY COUNT, OR BADGE: CAGE", (*self._floor_keys, *self._amount.keys))


class Displayed(_ByWitness):
    """What is displayed is adjusted by somebody of the finance department."""

    def __init__(self, act: acts.AdjustDisplay, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._credential = act.credential

    def offer(self, given: Input) -> Answer:
        if key_of_press(given) == CANCEL:
            return Done(acts.NotAgreed())
        second = self._witness(given)
        if not second:
            return Taken.IGNORED if second is None else Taken.HELD
        return Done(acts.Agreed(second))

    def prompt(self) -> Prompt:
        shown = f"DISPLAY {show(self._act.amount)}"
        asked = self._ask(f"{words(self._act.jackpot)} {shown}", shown)
        return Prompt(asked.text, (*asked.lit, CANCEL))


# Verified and paid ----------------------------------------------------------------------------------------------------


class BadBeat(ByBadge):
    """The shift supervisor's badge; after the key NO it says that it is none."""

    def __init__(self, act: acts.VerifyBadBeat, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._denied = False

    def offer(self, given: Input) -> Answer:
        if key_of_press(given) == NO:
            self._denied = not self._denied
            return Taken.HELD
        if isinstance(given.message, Badge) and not self._may(given.message.number):
            self._desk.notice = f"BADGE {given.message.number}: IT WANTS A SUPERVISOR'S"[:LINE]
            return Taken.HELD
        if not self._badge(given):
            return Taken.IGNORED
        return Done(acts.Denied(self._credential) if self._denied else acts.Confirmed(self._credential))

    def _may(self, number: str) -> bool:
        """Whether that is a supervisor; where none is listed, a floorperson."""
        role = self._desk.settings.role(number)
        return role is Role.SUPERVISOR or (role is Role.FLOORPERSON and not self._desk.settings.supervisors)

    def prompt(self) -> Prompt:
        what = "NO BAD BEAT" if self._denied else f"BAD BEAT SEAT {self._act.seats[0]}"
        standing = (NO,) if self._denied else ()
        return Prompt(f"{what}: SUPERVISOR'S BADGE", (*self._floor_keys, NO), standing)


class HighHand(ByBadge):
    """A floorperson's badge when the slip is written, then the hand to beat is announced; after NO it is not taken."""

    def __init__(self, act: acts.VerifyHighHand, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._denied = False

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if self._credential:
            return Done(acts.Confirmed(self._credential)) if key == _DONE else Taken.IGNORED
        if key == NO:
            self._denied = not self._denied
            return Taken.HELD
        if not self._badge(given):
            return Taken.IGNORED
        return Done(acts.Denied(self._credential)) if self._denied else Taken.HELD

    def prompt(self) -> Prompt:
        hand = words(self._act.slip.hand).replace("FOUR OF A KIND", "QUADS")
        if self._credential:
            return Prompt(first_that_fits(f"ANNOUNCE {hand} TO BEAT: DONE", f"ANNOUNCE {hand}: DONE"), (_DONE,))
        if self._denied:
            return Prompt(f"SEAT {self._act.slip.seat} NO HIGH HAND: BADGE", (*self._floor_keys, NO), (NO,))
        slip = f"SLIP {self._act.slip.reference}"
        return Prompt(first_that_fits(f"{slip} {hand}: BADGE", f"{slip}: BADGE"), (*self._floor_keys, NO))


class Paid(_ByWitness):
    """A player is paid: which one, where, and the badge of whoever has brought the money or paid it."""

    departments: ClassVar[tuple[Role, ...]] = (Role.FINANCE, Role.SECURITY)

    def __init__(self, act: acts.PayJackpot, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._credential = act.credential
        self._place = act.places[0] if len(act.places) == 1 else ""
        self._which = 0

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key == CANCEL:
            return Done(acts.NotAgreed())
        if key in self._turns and key is not None:
            self._which = (self._which + (1 if key == NEXT else -1)) % len(self._act.owed)
            return Taken.HELD
        if not self._place:
            self._place = _PLACES.get(key or "", "")
            return Taken.HELD if self._place else Taken.IGNORED
        second = self._witness(given)
        if not second:
            return Taken.IGNORED if second is None else Taken.HELD
        return Done(acts.PaidOut(self._place, second, self._which))

    @property
    def _turns(self) -> tuple[str, ...]:
        return (NEXT, PREVIOUS) if len(self._act.owed) > 1 else ()

    def prompt(self) -> Prompt:
        owed = self._act.owed[self._which]
        amount = show(owed.amount)
        if not self._place:
            text = first_that_fits(f"PAY {owed.reference} {amount}: 1 TABLE 2 CAGE", f"{amount}: 1 TABLE 2 CAGE")
            return Prompt(text, (*_PLACES, *self._turns, CANCEL))
        asked = self._ask(f"{owed.reference} WAS PAID {amount}", f"WAS PAID {amount}")
        return Prompt(asked.text, (*asked.lit, *self._turns, CANCEL))
