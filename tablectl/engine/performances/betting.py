"""Betting between players, and the showdown."""

from __future__ import annotations

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import Input
from tablectl.engine.performances.cards import Turn
from tablectl.engine.performances.keys import key_of_press, words
from tablectl.engine.performances.wagering import AskSeat, amount_of
from tablectl.engine.prompts import Prompt, first_that_fits
from tablectl.money import show
from tablectl.procedure import instructions as acts
from tablectl.procedure.betting import BET, RAISE

__all__ = ["CONCEDE", "AskBetting", "Posted", "ShowHand"]

CONCEDE = "concede"


class AskBetting(AskSeat):
    """A seat's act in a betting round: its key; for a bet or a raise what that comes to is keyed before it.

    Where only one amount is allowed the key alone means that. Nobody is early: seats act in turn.
    """

    def __init__(self, act: acts.AskBet, desk: Desk) -> None:
        super().__init__(act, desk)
        self._bet = act

    @property
    def _later(self) -> list[int]:
        return []

    @property
    def _takes_amount(self) -> bool:
        return self._standing is None and any(verb in self._keys for verb in (BET, RAISE))

    def _final(self) -> Answer:
        if self._standing not in (BET, RAISE):
            return super()._final()
        exactly = self._bet.least >= self._bet.most
        amount = self._bet.most if exactly and not self._amount else amount_of(self._amount)
        if amount is not None and self._bet.allows(amount):
            return Done(acts.Decision(self._standing, amount))
        named = f"SEAT {self._act.seat}: {words(self._standing)} "
        most = show(self._bet.most)
        self._desk.notice = first_that_fits(
            f"{named}ONLY {most}" if exactly else f"{named}FROM {show(self._bet.least)} TO {most}", f"{named}TO {most}"
        )
        self._amount, self._standing, self.deadline = "", None, None
        return Taken.HELD


class Posted(Performance):
    """A forced bet, which the dealer takes care of: done at once, but not while a report is being made."""

    def __init__(self, _act: acts.PostBet, _desk: Desk) -> None:
        pass

    def begin(self) -> Answer:
        return Done(None)


class ShowHand(Turn):
    """A hand at the showdown: turned up before everybody, or conceded by its player, which is a key."""

    def __init__(self, act: acts.Show, desk: Desk) -> None:
        super().__init__(act, desk)
        self._may_concede = act.may_concede

    def begin(self) -> Answer:
        return Taken.HELD  # it is the player who shows, even if the shoe has read the cards

    def offer(self, given: Input) -> Answer:
        if key_of_press(given) == CONCEDE and self._conceding:
            return Done(acts.Conceded())
        return super().offer(given)

    def prompt(self) -> Prompt:
        shown = super().prompt()
        return Prompt(shown.text, (*shown.lit, CONCEDE), shown.standing) if self._conceding else shown

    @property
    def _conceding(self) -> bool:
        return self._may_concede and not self._seen and not self._floor_looks
