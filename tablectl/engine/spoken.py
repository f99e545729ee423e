"""What the seats say in a scenario: their decisions, each taken once, as answers to what they are asked."""

from __future__ import annotations

from typing import Final

from tablectl.cards import Card, FaceDown
from tablectl.cards import seat as place_of
from tablectl.engine.players_script import bet
from tablectl.engine.scenario import RoundScript
from tablectl.errors import DecodeError, Forbidden, IllegalMove
from tablectl.money import dollars, show
from tablectl.procedure import instructions as acts
from tablectl.procedure.betting import BET, RAISE
from tablectl.procedure.game import Game
from tablectl.procedure.table import Table

__all__ = ["Spoken", "known"]

_OF_AN_AMOUNT: Final = (BET, RAISE)  # between players; elsewhere a bet needs none


class Spoken:
    """The decisions of one round; one that is not offered, or not allowed, is `Forbidden` with its seat.

    `lows` are the cards that seats set as their low hands, known to nobody before the cards are turned up.
    """

    def __init__(self, game: Game, script: RoundScript, table: Table) -> None:
        self.lows: dict[int, tuple[Card, ...]] = {}
        self._game = game
        self._decisions = script.decisions
        self._table = table
        self._taken: dict[int, int] = {}
        self._discards: dict[int, tuple[int, ...]] = {}

    def taken(self, seat: int) -> int:
        """How many decisions of the seat have been taken."""
        return self._taken.get(seat, 0)

    def says(self, seat: int, text: str) -> bool:
        """Whether that is what the seat says next, though it is not asked; then it has said so."""
        place = self._taken.get(seat, 0)
        if self._decisions.get(seat, ())[place : place + 1] != (text,):
            return False
        self._taken[seat] = place + 1
        return True

    def thrown_away(self, act: acts.Discard) -> acts.Discarded:
        """The cards that the seat has named when it was asked."""
        places = self._discards[act.seat]
        return acts.Discarded(len(places), places)

    def nothing_left(self) -> None:
        """Refuse decisions that nobody has asked for."""
        left = {seat: verbs for seat, said in self._decisions.items() if (verbs := said[self.taken(seat) :])}
        if left:
            seat = min(left)
            raise Forbidden(f"decision {' '.join(left[seat])!r} was not asked for", seat=seat, stage="DECIDING")

    def answer(self, act: acts.Ask) -> acts.Decision | acts.Left:
        """The seat's next decision."""
        seat = act.seat
        decisions, place = self._decisions.get(seat, ()), self._taken.get(seat, 0)
        if place == len(decisions):
            raise Forbidden(
                f"no decision is left, expected {_offered(act)}", cite=act.cite, seat=seat, stage="DECIDING"
            )
        self._taken[seat] = place + 1
        if decisions[place] == "leave":
            return acts.Left()
        return self._decision(act, decisions[place])

    def _decision(self, act: acts.Ask, text: str) -> acts.Decision:
        for choice in act.choices:
            if choice.verb == text and not choice.discards and not choice.sets:
                if text in _OF_AN_AMOUNT and type(act) is acts.AskBet:
                    break
                return choice.times(1)
        return self._with_words(act, text)

    def _with_words(self, act: acts.Ask, text: str) -> acts.Decision:
        """A decision that names more than its verb: cards, an amount, a number of times."""
        verb, *words = text.split() or [""]
        choice = next((choice for choice in act.choices if choice.verb == verb), None)
        if choice is not None and type(act) is acts.AskBet:
            made = choice.times(1) if verb not in (BET, RAISE) and not words else bet(act, verb, words)
            if made is not None:
                return made
            choice = None
        if choice is not None and choice.discards:
            self._discards[act.seat] = self._named(act, choice, words)
            return choice.times(1)
        if choice is not None and choice.sets:
            hand = self._table.hands[place_of(act.seat)]
            self.lows[act.seat] = tuple([known(hand[place]) for place in self._named(act, choice, words)])
            return choice.times(1)
        if choice is not None and not words:
            return choice.times(1)
        if choice is not None and choice.up_to and len(words) == 1:
            return self._up_to(act, choice, words[0])
        if choice is not None and choice.wager is not None:
            for number in range(1, choice.most + 1):
                if words == [str(number)]:
                    self._check_times(act, choice, number)
                    return choice.times(number)
        raise Forbidden(
            f"{text!r} is not offered, expected {_offered(act)}", cite=act.cite, seat=act.seat, stage="DECIDING"
        )

    def _up_to(self, act: acts.Ask, choice: acts.Choice, text: str) -> acts.Decision:
        """A wager of any amount up to the most that is allowed."""
        clause = choice.limit or act.cite
        try:
            amount = dollars(text)
        except DecodeError as error:
            raise Forbidden(f"{choice.verb}: {error}", cite=clause, seat=act.seat, stage="DECIDING") from None
        if not choice.allows(amount):
            most = "" if choice.amount is None else f" to {show(choice.amount)}"
            why = f"{choice.verb} {text} is not allowed, expected an amount above zero{most}"
            raise Forbidden(why, cite=clause, seat=act.seat, stage="DECIDING")
        return acts.Decision(choice.verb, amount)

    def _check_times(self, act: acts.Ask, choice: acts.Choice, number: int) -> None:
        """Refuse more times the amount than the seat may wager with the cards that it holds."""
        if number == 1:
            return
        most = self._game.most_times([known(hidden) for hidden in self._table.hands[place_of(act.seat)]])
        if most is not None and number > most:
            why = f"{choice.verb} {number}: with these cards it may be {most} times the amount at the most"
            raise Forbidden(why, cite=act.cite, seat=act.seat, stage="DECIDING")

    def _named(self, act: acts.Ask, choice: acts.Choice, names: list[str]) -> tuple[int, ...]:
        """Where in the seat's hand the cards lie that it names, to throw away or to set as the low hand."""
        hand = [known(hidden).name for hidden in self._table.hands[place_of(act.seat)]]
        least, most = choice.discards or (choice.sets, choice.sets)
        places = [hand.index(name) for name in names if name in hand]
        if len(names) == len({*places}) and least <= len(names) <= most:
            return tuple(places)
        if not least <= len(names) <= most:
            several = f"{least}" if least == most else f"{least} to {most}"
            why = f"{choice.verb}: {len(names)} cards are named, expected {several}"
        elif unknown := [name for name in names if name not in hand]:
            why = f"{choice.verb}: {unknown[0]} is not in its hand"
        else:
            why = f"{choice.verb}: a card is named twice"
        raise Forbidden(why, cite=act.cite, seat=act.seat, stage="DECIDING")


def known(card: FaceDown) -> Card:
    """The card: in a scenario the identity of every one is known."""
    if card.card is None:
        raise IllegalMove("a scripted card has no identity")
    return card.card


def _offered(act: acts.Ask) -> str:
    return " or ".join(choice.words for choice in act.choices)
