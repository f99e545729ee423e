"""Performs a procedure from a scenario: no devices, no clock, no chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl import events as e
from tablectl.cards import DEALER, Card, FaceDown
from tablectl.cards import seat as place_of
from tablectl.engine.drive import Drive, Interrupted
from tablectl.engine.incidents import shuffle_result
from tablectl.engine.outcome import RoundFold
from tablectl.engine.scenario import Incident, Moment, RoundScript, Scenario, all_cards, check_round
from tablectl.errors import Forbidden, IllegalMove
from tablectl.procedure import instructions as acts
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table

__all__ = ["Script", "play", "play_one", "refusal"]

_SHUFFLE: Final = Moment("shuffle")
_COUNT: Final = Moment("count")
_LOCK_OUT: Final = Moment("lock_out")
_MISMATCH: Final = "progressive_count_mismatch"
_REVEAL: Final = Moment("reveal")
_NO_DECLARE: Final = "no_declare"
_BEFORE_CARD: Final = ("insufficient_cards", "cover_card")  # noticed before the card of that number leaves
_OF_THE_THROW: Final = ("no_roll", "die_off_table", "dice_stacked", "die_cocked", "dice_total_wrong")


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
    if script.new_dealer:
        table.state = replace(table.state, new_dealer=True)
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
        self._cards = all_cards(script, scenario.game.deck)
        self._drawn = self._thrown = self._numbers = 0
        self._asked: dict[int, int] = {}
        self._discards: dict[int, tuple[int, ...]] = {}
        self._decided: dict[int, int] = {}
        self._offered: list[int] = []
        self._waiting = list(script.incidents)
        self._meter = script.meter
        self._noticed: list[Incident] = []
        self._face_up = [i.at.number for i in script.incidents if i.kind == "card_face_up" and i.at.kind == "card"]
        self._perform: Mapping[type[Any], Callable[[Any], object]] = {
            acts.Now: lambda _act: 0,
            acts.ReceiveDeck: lambda act: acts.NewDeck(f"deck-{act.number}", "", act.backs[0]),
            acts.Attest: lambda _act: acts.Attested(""),
            acts.OfferCut: self._offer_cut,
            acts.ShowCards: self._first_player,
            acts.IdleCards: self._first_player,
            acts.TakeStored: lambda _act: acts.StoredCards(spread=False),
            acts.RunSelfTest: lambda _act: acts.SelfTestDone(None),
            acts.Shuffle: self._shuffle,
            acts.TakeShuffled: self._shuffle,
            acts.CheckEquipment: lambda _act: acts.EquipmentChecked(),
            acts.AccountFor: lambda act: acts.Accounted(act.expected, "dealer"),
            acts.Repair: lambda _act: acts.Repaired("", "repaired"),
            acts.ClearQuestion: lambda act: acts.QuestionCleared("", act.reasons[0]),
            acts.ClearLayout: lambda _act: True,
            acts.CollectWagers: self._collect,
            acts.OpenWagering: lambda act: acts.WageringShut(act.barred) if act.barred else acts.WageringOpen(),
            acts.LockOutWagers: self._lock_out,
            acts.CollectChips: lambda act: acts.ChipsCounted(act.placed),
            acts.UndoLockOut: lambda _act: acts.Undone(True),
            acts.LookAtMeter: self._look_at_meter,
            acts.LightWin: lambda _act: acts.WinLit(None),
            acts.ValidateAward: lambda _act: acts.Validated(""),
            acts.DocumentHandPay: lambda _act: acts.Documented("", ""),
            acts.PutRight: self._put_right,
            acts.Draw: lambda _act: self._single(),
            acts.Burn: lambda _act: self._single(),
            acts.ThrowDice: self._throw,
            acts.ReadNumber: self._number,
            acts.Dispense: self._dispense,
            acts.CountCards: self._count,
            acts.Ask: self._ask,
            acts.Declare: self._declare,
            acts.Discard: lambda act: acts.Discarded(len(self._discards[act.seat]), self._discards[act.seat]),
            acts.Expose: self._expose,
            acts.ExposeVoided: lambda act: acts.Exposed(tuple(_known(card) for card in act.cards)),
        }

    def __call__(self, step: int, instruction: acts.AnyInstruction) -> object:
        """The result of one instruction."""
        if self._noticed and instruction.interruptible:
            return Interrupted(_told(self._noticed.pop(0)), begun=False)
        perform = self._perform.get(type(instruction))
        return None if perform is None else perform(instruction)

    def nothing_left(self) -> None:
        """Refuse what a completed round never came to: decisions, answers to a cut, incidents, throws."""
        for number, verbs in sorted(self._script.decisions.items()):
            if self._decided.get(number, 0) < len(verbs):
                left = " ".join(verbs[self._decided.get(number, 0) :])
                raise Forbidden(f"decision {left!r} was not asked for", seat=number, stage="DECIDING")
        for number in sorted(self._script.cut):
            if number not in self._offered:
                raise Forbidden("the cut was not offered to it", seat=number, stage="OPEN")
        for incident in (*self._noticed, *self._waiting):
            if not (
                incident.kind == "card_face_up" and incident.at.kind == "card" and incident.at.number <= self._drawn
            ):
                raise Forbidden(f"{incident.kind}: its moment {incident.at} did not come", stage="CLOSED")
        for key, given, used in (
            ("dice", self._script.dice, self._thrown),
            ("rng", self._script.rng, self._numbers),
        ):
            if len(given) > used:
                raise Forbidden(f"{key}: nobody asked for {'it' if not used else 'all of it'}", stage="CLOSED")

    def _take(self, moment: Moment, unless: Callable[[Incident], bool] = lambda _incident: False) -> Incident | None:
        """Remove and return the next waiting incident of that moment, passing over some."""
        for place, incident in enumerate(self._waiting):
            if incident.at == moment and not unless(incident):
                return self._waiting.pop(place)
        return None

    def _notice(self, moment: Moment) -> acts.Incident | None:
        incident = self._take(moment) if self._waiting else None
        return None if incident is None else _told(incident)

    def _shuffle(self, act: acts.Shuffle | acts.TakeShuffled) -> object:
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
        self._offered += asked if by is None else (*refused, by)
        return acts.CutTaken(by, tuple(refused))

    def _first_player(self, act: acts.ShowCards) -> acts.PlayerLooked:
        return acts.PlayerLooked(min(self._script.wagers), act.face != "down")

    def _collect(self, act: acts.CollectWagers) -> object:
        for system in self._scenario.game.systems:
            number = next((n for n, wagers in sorted(self._script.wagers.items()) if system.wager in wagers), None)
            if number is not None and system.wager not in act.wagers:
                offered = system.offered(self._scenario.rules)
                why = "its system is out of service" if offered else "it is not offered"
                raise Forbidden(f"{system.wager}: {why}", cite=system.cite, seat=number, stage="OPEN")
        return tuple(
            acts.Stake(number, wager, wagers[wager])
            for number, wagers in sorted(self._script.wagers.items())
            for wager in act.wagers
            if wager in wagers
        )

    def _lock_out(self, act: acts.LockOutWagers) -> object:
        incident = self._take(_LOCK_OUT)
        if incident is None:
            return acts.Accepted(len(act.placed), tuple(stake.seat for stake in act.placed))
        if incident.kind == _MISMATCH:
            return acts.Accepted(len(act.placed) + 1 if incident.count is None else incident.count)
        return Interrupted(_told(incident))

    def _look_at_meter(self, act: acts.LookAtMeter) -> acts.MeterSaid | None:
        """What the round says at the first look in it; then what it has to be."""
        if act.expected is None:
            return None
        said, self._meter = self._meter, None
        return acts.MeterSaid(act.expected if said is None else said)

    def _put_right(self, act: acts.PutRight) -> object:
        raise Forbidden(act.message, cite=act.cite, seat=act.seat, stage=act.stage)

    def _single(self) -> object:
        """One card, before which the cover card may come, or nothing be left to draw from."""
        before = self._take(Moment("card", self._drawn + 1), unless=lambda incident: incident.kind not in _BEFORE_CARD)
        return self._draw() if before is None else Interrupted(_told(before))

    def _throw(self, act: acts.ThrowDice) -> object:
        """The next entry of dice: every throw takes one, an invalid one too."""
        at = Moment("throw", act.number)
        other = self._take(at, unless=lambda incident: incident.kind in _OF_THE_THROW)
        if other is not None:
            return Interrupted(_told(other))
        if self._thrown == len(self._script.dice):
            raise Forbidden(f"there is no throw {act.number} in dice", cite=act.cite, stage=self._table.stage)
        faces = self._script.dice[self._thrown]
        if len(faces) != act.dice:
            raise Forbidden(
                f"throw {act.number} is of {len(faces)} dice, expected {act.dice}",
                cite=act.cite,
                stage=self._table.stage,
            )
        self._thrown += 1
        return acts.Thrown(faces, self._notice(at))

    def _number(self, act: acts.ReadNumber) -> int:
        numbers = self._script.rng[self._numbers : self._numbers + 1]
        if not numbers or not act.low <= numbers[0] <= act.high:
            raise Forbidden(
                f"rng: expected a number from {act.low} to {act.high}", cite=act.cite, stage=self._table.stage
            )
        self._numbers += 1
        return numbers[0]

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
        decisions = self._script.decisions.get(seat, ())
        place = self._decided.get(seat, 0)
        if place == len(decisions):
            raise Forbidden(
                f"no decision is left, expected {_offered(act)}", cite=act.cite, seat=seat, stage="DECIDING"
            )
        self._decided[seat] = place + 1
        if decisions[place] == "leave":
            return acts.Left()
        return self._decision(act, decisions[place])

    def _decision(self, act: acts.Ask, text: str) -> acts.Decision:
        verb, *words = text.split() or [""]
        choice = next((choice for choice in act.choices if choice.verb == verb), None)
        if choice is not None and choice.discards:
            self._discards[act.seat] = self._named(act, choice, words)
            return choice.times(1)
        if choice is not None and not words:
            return choice.times(1)
        if choice is not None and choice.wager is not None:
            for number in range(1, choice.most + 1):
                if words == [str(number)]:
                    self._check_times(act, choice, number)
                    return choice.times(number)
        raise Forbidden(
            f"{text!r} is not offered, expected {_offered(act)}", cite=act.cite, seat=act.seat, stage="DECIDING"
        )

    def _check_times(self, act: acts.Ask, choice: acts.Choice, number: int) -> None:
        """Refuse more times the amount than the seat may wager with the cards that it holds."""
        if number == 1:
            return
        most = self._scenario.game.most_times([_known(hidden) for hidden in self._table.hands[place_of(act.seat)]])
        if most is not None and number > most:
            why = f"{choice.verb} {number}: with these cards it may be {most} times the amount at the most"
            raise Forbidden(why, cite=act.cite, seat=act.seat, stage="DECIDING")

    def _named(self, act: acts.Ask, choice: acts.Choice, names: list[str]) -> tuple[int, ...]:
        """Where in the seat's hand the cards lie that it names to throw away."""
        hand = [_known(hidden).name for hidden in self._table.hands[place_of(act.seat)]]
        least, most = choice.discards
        if not least <= len(names) <= most:
            why = f"{choice.verb}: {len(names)} cards are named, expected {least} to {most}"
        elif unknown := [name for name in names if name not in hand]:
            why = f"{choice.verb}: {unknown[0]} is not in its hand"
        elif len({*names}) < len(names):
            why = f"{choice.verb}: a card is named twice"
        else:
            return tuple(hand.index(name) for name in names)
        raise Forbidden(why, cite=act.cite, seat=act.seat, stage="DECIDING")

    def _declare(self, act: acts.Declare) -> tuple[acts.Declaration, ...]:
        """Every winning hand is declared, but where the decisions begin with `no_declare`."""
        said: list[acts.Declaration] = []
        for number in act.seats:
            hand = [_known(hidden) for hidden in self._table.hands[place_of(number)]]
            what = self._scenario.game.declares(hand)
            if self._script.decisions.get(number, ())[:1] != (_NO_DECLARE,):
                said += [] if what is None else [acts.Declaration(number, what)]
                continue
            if what is None:
                message = f"{_NO_DECLARE}: there is no winning hand that it could declare"
                raise Forbidden(message, cite=act.cite, seat=number, stage="DECIDING")
            self._decided[number] = 1
        return tuple(said)

    def _expose(self, act: acts.Expose) -> object:
        if self._waiting and not (act.position is DEALER and act.place):  # one card of his is no reveal
            moment = _REVEAL if act.position is DEALER else Moment("settle", act.position.number)
            incident = self._notice(moment)
            if incident is not None:
                return Interrupted(incident)
        return acts.Exposed(tuple(_known(card) for card in act.cards))


def _offered(act: acts.Ask) -> str:
    return " or ".join(choice.words for choice in act.choices)


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
        which=incident.which,
        sides=incident.sides,
        total=incident.total,
        protected=incident.protected,
        reconstructed=incident.reconstructed,
        blameless=incident.blameless,
        card=incident.at.number if incident.at.kind == "card" else None,
    )


def _known(card: FaceDown) -> Card:
    if card.card is None:
        raise IllegalMove("a scripted card has no identity")
    return card.card
