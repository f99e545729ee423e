"""Performs a procedure from a scenario: no devices, no clock, no chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl import events as e
from tablectl.cards import DEALER, Card, FaceDown, deck
from tablectl.engine.drive import Drive, Interrupted
from tablectl.engine.incidents import shuffle_result
from tablectl.engine.outcome import RoundFold
from tablectl.engine.scenario import Incident, Moment, RoundScript, Scenario, ScriptCard, check_round
from tablectl.errors import Forbidden, IllegalMove
from tablectl.procedure import instructions as acts
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table

__all__ = ["Script", "play", "play_one", "refusal"]

_SHUFFLE: Final = Moment("shuffle")
_COUNT: Final = Moment("count")
_REVEAL: Final = Moment("reveal")


def play(scenario: Scenario) -> dict[str, Any]:
    """All rounds of a scenario at one table, as the outcome document; ``error`` in it says why the rest was refused."""
    rounds: list[dict[str, Any]] = []
    document: dict[str, Any] = {"game": scenario.game.id, "rounds": rounds}
    if scenario.refused is not None:
        document["error"] = refusal(scenario.refused)
        return document
    state = scenario.first_state()
    for script in scenario.rounds:
        try:
            check_round(scenario, script)
            fold, state = play_one(scenario, script, Table(scenario.game, scenario.rules, scenario.setup, state))
        except Forbidden as error:
            document["error"] = refusal(error)
            break
        rounds.append(fold.document(script.wagers))
    return document


def refusal(error: Forbidden) -> dict[str, Any]:
    """A refusal as the outcome document states it."""
    return {"seat": error.seat, "stage": error.stage, "message": error.message, "cite": error.cite}


def play_one(scenario: Scenario, script: RoundScript, table: Table) -> tuple[RoundFold, Any]:
    """One round of a scenario: the fold of its events, and what goes on to the next round."""
    performer = Script(scenario, script, table)
    fold = RoundFold(scenario.game)

    def record(step: int, instruction: acts.AnyInstruction, result: object, events: tuple[e.Event, ...]) -> None:
        if events:
            fold.extend(events)

    drive = Drive(play_round(table), scenario.game.transitions, record)
    try:
        drive.advance(performer)
    finally:
        drive.close()
    if fold.closed is not None and fold.closed.outcome is e.Outcome.COMPLETED:
        performer.nothing_left()
    return fold, drive.value


class Script:
    """Answers each instruction from one round of a scenario.

    An incident is thrown at the first act, from its moment on, in which a person is awaited. Asking for something that
    the script does not hold raises `Forbidden` with seat and stage.
    """

    def __init__(self, scenario: Scenario, script: RoundScript, table: Table) -> None:
        self._scenario = scenario
        self._script = script
        self._table = table
        self._cards = _all_cards(script, scenario.game.deck)
        self._drawn = 0
        self._asked: dict[int, int] = {}
        self._decided: dict[int, int] = {}
        self._waiting = list(script.incidents)
        self._noticed: list[Incident] = []
        self._face_up = [i.at.number for i in script.incidents if i.kind == "card_face_up" and i.at.kind == "card"]
        self._perform: Mapping[type[Any], Callable[[Any], object]] = {
            acts.Now: lambda _act: 0,
            acts.ReceiveDeck: lambda act: acts.NewDeck(f"deck-{act.number}", "", act.backs[0]),
            acts.Attest: lambda _act: acts.Attested(""),
            acts.OfferCut: self._offer_cut,
            acts.Shuffle: self._shuffle,
            acts.CollectWagers: self._collect,
            acts.PutRight: self._put_right,
            acts.Draw: lambda _act: self._draw(),
            acts.Dispense: self._dispense,
            acts.CountCards: self._count,
            acts.Ask: self._ask,
            acts.Expose: self._expose,
        }

    def __call__(self, step: int, instruction: acts.AnyInstruction) -> object:
        """The result of one instruction."""
        if self._noticed and instruction.interruptible:
            return Interrupted(_told(self._noticed.pop(0)))
        perform = self._perform.get(type(instruction))
        return None if perform is None else perform(instruction)

    def nothing_left(self) -> None:
        """Refuse decisions and incidents that a completed round never came to, and throws that nobody asked for."""
        for number, verbs in sorted(self._script.decisions.items()):
            if self._decided.get(number, 0) < len(verbs):
                left = " ".join(verbs[self._decided.get(number, 0) :])
                raise Forbidden(f"decision {left!r} was not asked for", seat=number, stage="DECIDING")
        for incident in (*self._noticed, *self._waiting):
            if not (
                incident.kind == "card_face_up" and incident.at.kind == "card" and incident.at.number <= self._drawn
            ):
                raise Forbidden(f"{incident.kind}: its moment {incident.at} did not come", stage="CLOSED")
        for key, given in (("dice", self._script.dice), ("rng", self._script.rng)):
            if given:
                raise Forbidden(f"{key}: nobody asked for it", stage="CLOSED")

    def _take(self, moment: Moment, unless: Callable[[Incident], bool] = lambda _incident: False) -> Incident | None:
        """Remove and return the next waiting incident of that moment, passing over some."""
        for place, incident in enumerate(self._waiting):
            if incident.at == moment and not unless(incident):
                return self._waiting.pop(place)
        return None

    def _notice(self, moment: Moment) -> acts.Incident | None:
        incident = self._take(moment) if self._waiting else None
        return None if incident is None else _told(incident)

    def _shuffle(self, act: acts.Shuffle) -> object:
        incident = None
        if self._waiting:  # a right count ends the shuffle, so whatever else is noticed at it comes before
            incident = self._take(_SHUFFLE, unless=self._is_right_count) or self._take(_SHUFFLE)
        counts = act.by == "device" and self._table.shuffler.counts
        if incident is None:
            return acts.Shuffled(self._scenario.game.deck if counts else None)
        told = _told(incident)
        return shuffle_result(act, told, counts) or Interrupted(told)

    def _is_right_count(self, incident: Incident) -> bool:
        return incident.kind == "deck_count" and incident.count == self._scenario.game.deck

    def _offer_cut(self, act: acts.OfferCut) -> acts.CutTaken:
        """Players are asked for the cut only where the round says what they answer; the others refuse."""
        answers = self._script.cut
        asked = [number for number in act.seats if number in self._script.wagers] if answers else []
        by = next((number for number in asked if answers.get(number) == "cut"), None)
        refused = asked if by is None else asked[: asked.index(by)]
        return acts.CutTaken(by, tuple(refused))

    def _collect(self, act: acts.CollectWagers) -> object:
        return tuple(
            acts.Stake(number, wager, wagers[wager])
            for number, wagers in sorted(self._script.wagers.items())
            for wager in act.wagers
            if wager in wagers
        )

    def _put_right(self, act: acts.PutRight) -> object:
        raise Forbidden(act.message, cite=act.cite, seat=act.seat, stage=act.stage)

    def _draw(self) -> acts.Drawn | acts.FoundFaceUp:
        if self._drawn == len(self._cards):
            raise Forbidden(f"there is no card {self._drawn + 1}", stage="DEALING")
        listed = self._cards[self._drawn]
        self._drawn += 1
        while self._waiting and (incident := self._take(Moment("card", self._drawn))) is not None:
            if incident.kind != "card_face_up":
                self._noticed.append(incident)
        if listed.face_up or self._drawn in self._face_up:
            return acts.FoundFaceUp(listed.card)
        return acts.Drawn(FaceDown(listed.card))

    def _dispense(self, act: acts.Dispense) -> acts.Dispensed | acts.ShoeJammed:
        cards: list[acts.Drawn | acts.FoundFaceUp] = []
        while sum(isinstance(item, acts.Drawn) for item in cards) < act.count:
            cards.append(self._draw())
            if self._jammed():
                return acts.ShoeJammed(tuple(cards))
        return acts.Dispensed(tuple(cards))

    def _jammed(self) -> bool:
        for place, incident in enumerate(self._noticed):
            if incident.kind == "shoe_jam":
                del self._noticed[place]
                return True
        return False

    def _count(self, act: acts.CountCards) -> object:
        """What the count shows, after whatever else is noticed while the cards are counted."""
        told = next((i for i in self._waiting if i.at == _COUNT and _is_count(i)), None)
        if told is None and not act.due:
            return None
        incident = self._take(_COUNT, unless=_is_count)
        if incident is not None:
            return Interrupted(_told(incident))
        if told is None:
            return acts.CardsCount(act.whole, False, None)
        self._waiting.remove(told)
        assert told.count is not None, "a scenario without it is not well formed"
        return acts.CardsCount(told.count, told.misdealt, told.position)

    def _ask(self, act: acts.Ask) -> object:
        seat = act.seat
        time = self._asked[seat] = self._asked.get(seat, 0) + (not act.again)
        incident = self._notice(Moment("decision", seat, time)) if self._waiting else None
        if incident is not None:
            return Interrupted(incident)
        verbs = [choice.verb for choice in act.choices]
        decisions = self._script.decisions.get(seat, ())
        place = self._decided.get(seat, 0)
        if place == len(decisions):
            raise Forbidden(
                f"no decision is left, expected {' or '.join(verbs)}", cite=act.cite, seat=seat, stage="DECIDING"
            )
        self._decided[seat] = place + 1
        if decisions[place] == "leave":
            return acts.Left()
        return self._decision(act, decisions[place], verbs)

    def _decision(self, act: acts.Ask, text: str, verbs: list[str]) -> acts.Decision:
        verb, *words = text.split() or [""]
        choice = next((choice for choice in act.choices if choice.verb == verb), None)
        if choice is None:
            raise Forbidden(
                f"{text!r} is not offered, expected {' or '.join(verbs)}",
                cite=act.cite,
                seat=act.seat,
                stage="DECIDING",
            )
        if words and (choice.wager is None or words != ["1"]):
            raise Forbidden(
                f"{text!r} is not offered, expected {' or '.join(verbs)}",
                cite=act.cite,
                seat=act.seat,
                stage="DECIDING",
            )
        return acts.Decision(verb, choice.amount)

    def _expose(self, act: acts.Expose) -> object:
        if self._waiting:
            moment = _REVEAL if act.position is DEALER else Moment("settle", act.position.number)
            incident = self._notice(moment)
            if incident is not None:
                return Interrupted(incident)
        return acts.Exposed(tuple(_known(card) for card in act.cards))


def _is_count(incident: Incident) -> bool:
    return incident.kind == "deck_count"


def _told(incident: Incident) -> acts.Incident:
    return acts.Incident(
        incident.kind,
        incident.position,
        exposed=incident.exposed,
        count=incident.count,
        misdealt=incident.misdealt,
        then=None if incident.then is None else incident.then.value,
    )


def _known(card: FaceDown) -> Card:
    if card.card is None:
        raise IllegalMove("a scripted card has no identity")
    return card.card


def _all_cards(script: RoundScript, size: int) -> tuple[ScriptCard, ...]:
    """The listed cards, then the rest of the deck in its fixed order."""
    listed = {item.card for item in script.cards}
    return (*script.cards, *(card for card in _WHOLE[size] if card.card not in listed))


_WHOLE: Final = {52: tuple(ScriptCard(c) for c in deck()), 53: tuple(ScriptCard(c) for c in deck(joker=True))}
