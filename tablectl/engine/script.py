"""Performs a procedure from a scenario: no devices, no clock, no chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar, Final

from tablectl import events as e
from tablectl.cards import DEALER, Card, FaceDown, deck
from tablectl.cards import seat as place_of
from tablectl.engine.drive import Drive, Interrupted
from tablectl.engine.incidents import shuffle_result
from tablectl.engine.outcome import RoundFold
from tablectl.engine.players_script import CONCEDE, begin_deal, check_discards, show_hand
from tablectl.engine.scenario import Incident, Moment, RoundScript, Scenario, all_cards, check_round
from tablectl.engine.shoe_cards import ShoeCards
from tablectl.engine.spoken import Spoken, known
from tablectl.errors import Forbidden
from tablectl.hands.twenty_one import gives_blackjack
from tablectl.procedure import instructions as acts
from tablectl.procedure.instructions.dealing import SURRENDER
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table, TableState

__all__ = ["Script", "play", "play_one", "refusal"]

_CARD: Final = attrgetter("card")
_LIES_UP: Final = attrgetter("face_up")
_DRAWN: Final = {card: acts.Drawn(FaceDown(card)) for card in deck(joker=True)}
"""Between players one deck is played with, so that each card is in one place at a time and these tell them apart."""

_SHUFFLE: Final = Moment("shuffle")
_COUNT: Final = Moment("count")
_LOCK_OUT: Final = Moment("lock_out")
_MISMATCH: Final = "progressive_count_mismatch"
_REVEAL: Final = Moment("reveal")
_PEEK: Final = Moment("peek")
_NO_DECLARE: Final = "no_declare"
_BEFORE_CARD: Final = (  # noticed before the card of that number leaves for the place that was due
    "insufficient_cards",
    "cover_card",
    "dealer_missed_own_card",
    "player_missed_card",
)
_DREW_PAST_17: Final = "dealer_drew_past_17"
_OF_THE_THROW: Final = ("no_roll", "die_off_table", "dice_stacked", "die_cocked", "dice_total_wrong")


def play(scenario: Scenario) -> dict[str, Any]:
    """All rounds of a scenario at one table, as the outcome document; ``error`` in it says why the rest was refused."""
    rounds: list[dict[str, Any]] = []
    document: dict[str, Any] = {"game": scenario.game.id, "rounds": rounds}
    if scenario.refused is not None:
        document["error"] = refusal(scenario.refused)
        return document
    state = scenario.first_state()
    shoe = ShoeCards(scenario)
    for number, listed in enumerate(scenario.rounds, 1):
        script = shoe.left_for(listed, number)
        try:
            check_round(scenario, script)
            fold, state = play_one(scenario, script, Table(scenario.game, scenario.rules, scenario.setup, state))
        except Forbidden as error:
            document["error"] = refusal(error)
            break
        shoe.played(script, fold.events)
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
    extend = fold.events.extend

    def record(step: int, instruction: acts.AnyInstruction, result: object, events: tuple[e.Event, ...]) -> None:
        if events:
            extend(events)

    drive = Drive(play_round(table), scenario.game.transitions, record)
    try:
        drive.advance(performer.__call__)
    finally:
        drive.close()
    if (closed := fold.closed) is not None and closed.outcome is e.Outcome.COMPLETED:
        performer.nothing_left()
    return fold, performer.goes_on(drive.value)


class Script:
    """Answers each instruction from one round of a scenario.

    An incident is thrown at the first act, from its moment on, in which a person is awaited. Asking for something that
    the script does not hold raises `Forbidden` with seat and stage.
    """

    def __init__(self, scenario: Scenario, script: RoundScript, table: Table) -> None:
        self._scenario = scenario
        self._script = script
        self._table = table
        self._cards = script.cards
        self._drawn = self._thrown = self._numbers = 0
        self._asked: dict[int, int] = {}
        self._said = Spoken(scenario.game, script, table)
        self._offered: list[int] = []
        self._waiting = list(script.incidents)
        self._meter = script.meter
        self._noticed: list[Incident] = []
        self._face_up = [i.at.number for i in script.incidents if i.kind == "card_face_up" and i.at.kind == "card"]

    def __call__(self, step: int, instruction: acts.AnyInstruction) -> object:
        """The result of one instruction."""
        if self._noticed and instruction.interruptible:
            return Interrupted(_told(self._noticed.pop(0)), begun=False)
        perform = self._PERFORM.get(type(instruction))
        return None if perform is None else perform(self, instruction)

    def goes_on(self, state: TableState | None) -> TableState | None:
        """What goes on after a round, a void one too: a meter that nobody had to look at shows what the round said."""
        if self._meter is None or state is None:
            return state
        return replace(state, progressive=replace(state.progressive, display=self._meter))

    def nothing_left(self) -> None:
        """Refuse what a completed round never came to: decisions, answers to a cut, incidents, throws."""
        self._said.nothing_left()
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
        if incident is None and self._drawn:
            check_discards(self._cards, self._drawn, self._waiting, self._table)
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

    def _single(self, _act: acts.Draw | acts.Burn | None = None) -> object:
        """One card, before which the cover card may come, or nothing be left to draw from."""
        if self._waiting:
            moment = Moment("card", self._drawn + 1)
            before = self._take(moment, unless=lambda incident: incident.kind not in _BEFORE_CARD)
            if before is not None:
                return Interrupted(_told(before))
        return self._draw()

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
            self._cards = all_cards(self._script, self._scenario.game.deck)
            if self._drawn == len(self._cards):
                raise Forbidden(f"there is no card {self._drawn + 1}", stage="DEALING")
        listed = self._cards[self._drawn]
        self._drawn += 1
        if self._waiting:
            while (incident := self._take(Moment("card", self._drawn))) is not None:
                if incident.kind != "card_face_up":
                    self._noticed.append(incident)
        if listed.face_up or self._drawn in self._face_up:
            return acts.FoundFaceUp(listed.card)
        return acts.Drawn(FaceDown(listed.card))

    def _dispense(self, act: acts.Dispense) -> acts.Dispensed | acts.ShoeJammed:
        cards: list[acts.Drawn | acts.FoundFaceUp] = []
        face_down = 0
        while face_down < act.count:
            cards.append(self._draw())
            face_down += type(cards[-1]) is acts.Drawn
            if self._jammed():
                return acts.ShoeJammed(tuple(cards))
        return acts.Dispensed(tuple(cards))

    def _peek(self, act: acts.Peek) -> object:
        """The one bit that the reader tells, after what is noticed as the hole card goes into it, due or not."""
        incident = self._notice(_PEEK) if self._waiting else None
        if incident is not None:
            return Interrupted(incident)
        if not act.due:
            return None
        up, hole = (known(hidden) for hidden in self._table.hands[DEALER][:2])
        return acts.Peeked(
            gives_blackjack(up, hole), tuple(seat for seat in act.seats if self._said.says(seat, SURRENDER))
        )

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
        if self._waiting:  # once nothing is, nobody wants to know how often a seat was asked
            time = self._asked[seat] = self._asked.get(seat, 0) + (not act.again)
            incident = self._notice(Moment("decision", seat, time))
            if incident is not None:
                return Interrupted(incident)
        return self._said.answer(act)

    def _deal_around(self, act: acts.DealAround) -> object:
        """All cards, up to one that lies face up or at which something is noticed."""
        count, first = len(act.places), self._drawn
        if not (self._waiting or self._noticed or self._face_up):
            listed = self._cards[first : first + count]
            if len(listed) == count and not any(map(_LIES_UP, listed)):
                self._drawn += count
                return acts.Dispensed(tuple(map(_DRAWN.__getitem__, map(_CARD, listed))))
        cards: list[acts.Drawn | acts.FoundFaceUp] = []
        while len(cards) < count:
            if cards and self._waiting:
                moment = Moment("card", self._drawn + 1)
                if any(incident.at == moment and incident.kind in _BEFORE_CARD for incident in self._waiting):
                    break
            came = self._single()
            if isinstance(came, Interrupted):
                return came
            assert isinstance(came, acts.Drawn | acts.FoundFaceUp)
            cards.append(came)
            if type(came) is acts.FoundFaceUp or self._noticed:
                break
        return acts.Dispensed(tuple(cards))

    def _show(self, act: acts.Show) -> object:
        incident = self._notice(Moment("settle", act.seat)) if self._waiting else None
        if incident is not None:
            return Interrupted(incident)
        return show_hand(act, _faces(act.cards), concedes=self._said.says(act.seat, CONCEDE))

    def _declare(self, act: acts.Declare) -> tuple[acts.Declaration, ...]:
        """Every winning hand is declared, but where the decisions begin with `no_declare`."""
        said: list[acts.Declaration] = []
        for number in act.seats:
            what = self._scenario.game.declares(_faces(self._table.hands[place_of(number)]))
            if not self._said.says(number, _NO_DECLARE):
                said += [] if what is None else [acts.Declaration(number, what)]
            elif what is None:
                message = f"{_NO_DECLARE}: there is no winning hand that it could declare"
                raise Forbidden(message, cite=act.cite, seat=number, stage="DECIDING")
        return tuple(said)

    def _set(self, act: acts.SetHands) -> tuple[Card, ...]:
        """The low hand, which nobody sees before the cards are turned up: as the seat has named it."""
        return act.low or self._said.lows[act.position.number]

    def _turn_up(self, act: acts.TurnUpHands) -> object:
        """The cards of a position, unless a seat that may still surrender does so next."""
        moment = _REVEAL if act.position is DEALER else Moment("settle", act.position.number)
        incident = self._notice(moment) if self._waiting else None
        if incident is not None:
            return Interrupted(incident)
        for number in act.surrender:
            if self._said.says(number, SURRENDER):
                return acts.Surrendered(number)
        return acts.Exposed(_faces(act.cards))

    def _shared(self, act: acts.SharedSeats) -> tuple[int, ...]:
        shared = [sorted(seats) for seats in self._script.players.values()]
        return tuple(lower for lower in act.pairs if [lower, lower + 1] in shared)

    def _stands(self, _act: acts.DealerStands) -> object:
        """The dealer's hand is complete, unless he draws once more; what is noticed at the settlement comes first."""
        drawn = Moment("card", self._drawn + 1)
        for incident in self._waiting:
            if incident.at.kind == "settle" or (incident.at == drawn and incident.kind == _DREW_PAST_17):
                self._waiting.remove(incident)
                return Interrupted(_told(incident))
        return None

    def _expose(self, act: acts.Expose) -> object:
        if self._waiting and not act.place:  # a card that is dealt to be seen is no hand that is turned up
            moment = _REVEAL if act.position is DEALER else Moment("settle", act.position.number)
            incident = self._notice(moment)
            if incident is not None:
                return Interrupted(incident)
        return acts.Exposed(_faces(act.cards))

    _PERFORM: ClassVar[Mapping[type[Any], Callable[[Script, Any], object]]] = {
        acts.Now: lambda self, _act: 0,
        acts.ReceiveDeck: lambda self, act: acts.NewDeck(f"deck-{act.number}", "", act.backs[0]),
        acts.ReceiveDice: lambda self, act: acts.NewDeck(f"dice-{act.number}", ""),
        acts.Attest: lambda self, _act: acts.Attested(""),
        acts.OfferCut: _offer_cut,
        acts.ShowCards: _first_player,
        acts.IdleCards: _first_player,
        acts.TakeStored: lambda self, _act: acts.StoredCards(spread=False),
        acts.RunSelfTest: lambda self, _act: acts.SelfTestDone(None),
        acts.Shuffle: _shuffle,
        acts.TakeShuffled: _shuffle,
        acts.CheckEquipment: lambda self, _act: acts.EquipmentChecked(),
        acts.AccountFor: lambda self, act: acts.Accounted(act.expected, "dealer"),
        acts.Repair: lambda self, _act: acts.Repaired("", "repaired"),
        acts.ClearQuestion: lambda self, act: acts.QuestionCleared("", act.reasons[0]),
        acts.ClearLayout: lambda self, _act: True,
        acts.CollectWagers: _collect,
        acts.OpenWagering: lambda self, act: acts.WageringShut(act.barred) if act.barred else acts.WageringOpen(),
        acts.LockOutWagers: _lock_out,
        acts.CollectChips: lambda self, act: acts.ChipsCounted(act.placed),
        acts.UndoLockOut: lambda self, _act: acts.Undone(True),
        acts.LookAtMeter: _look_at_meter,
        acts.LightWin: lambda self, _act: acts.WinLit(None),
        acts.ValidateAward: lambda self, _act: acts.Validated(""),
        acts.DocumentHandPay: lambda self, _act: acts.Documented("", ""),
        acts.PutRight: _put_right,
        acts.Draw: _single,
        acts.Burn: _single,
        acts.ThrowDice: lambda self, act: self._throw(act),
        acts.ReadNumber: lambda self, act: self._number(act),
        acts.Dispense: _dispense,
        acts.Peek: _peek,
        acts.CountCards: _count,
        acts.Ask: lambda self, act: self._ask(act),
        acts.AskBet: lambda self, act: self._ask(act),
        acts.BeginDeal: lambda self, act: begin_deal(act, self._script.incidents),
        acts.DealAround: _deal_around,
        acts.DealForButton: _deal_around,
        acts.TurnFaceUp: lambda self, act: acts.Exposed(_faces(act.down)),
        acts.TurnUpForButton: lambda self, act: acts.Exposed(_faces(act.down)),
        acts.Show: _show,
        acts.TakeTime: lambda self, _act: acts.TimeTaken(),
        acts.CheckTime: lambda self, _act: acts.TimeChecked(""),
        acts.VerifyBadBeat: lambda self, _act: acts.Confirmed(""),
        acts.VerifyHighHand: lambda self, _act: acts.Confirmed(""),
        acts.EmptyBox: lambda self, _act: acts.ContentsSent("", ""),
        acts.Declare: _declare,
        acts.Discard: lambda self, act: self._said.thrown_away(act),
        acts.PlaceLammers: lambda self, act: act.seats,
        acts.SetHands: lambda self, act: self._set(act),
        acts.SharedSeats: _shared,
        acts.Expose: _expose,
        acts.DealerStands: _stands,
        acts.TurnUpHands: lambda self, act: self._turn_up(act),
        acts.ExposeVoided: lambda self, act: acts.Exposed(_faces(act.cards)),
    }


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


def _faces(cards: Iterable[FaceDown]) -> tuple[Card, ...]:
    return tuple([known(card) for card in cards])
