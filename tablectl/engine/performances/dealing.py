"""Cards on their way to the places of the layout."""

from __future__ import annotations

from typing import Final

from tablectl.cards import BURN, COMMUNITY, DEALER, FaceDown
from tablectl.engine.desk import ALL_DEALT, Answer, Desk, Done, Instead, Performance, Taken
from tablectl.engine.drive import Interrupted
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.menu import DIGITS, ENTER, NO, YES, Digits, Report
from tablectl.engine.performances.keys import key_of_press, lost_or
from tablectl.engine.performances.wagering import DEALER_KEY, dealer_burns, new_dealer
from tablectl.engine.prompts import Prompt
from tablectl.equipment import Capability, CardLeft, DispenseStack, Kind, LinkUp, StackFailed, StackTaken
from tablectl.procedure import instructions as acts
from tablectl.procedure.stages import Stage

__all__ = ["DrawCard", "Stands", "dispense"]

DREW_PAST_17: Final = "dealer_drew_past_17"


class DrawCard(Performance):
    """One card: seen by the shoe as it leaves, or part of a deal that the dealer says is done."""

    def __init__(self, act: acts.Draw | acts.DealAround | acts.Burn, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._digits = Digits(most=3)
        self._odd_count = 0

    def begin(self) -> Answer:
        if self._act.number in self._desk.seen:
            self._desk.draws_next = False  # the card that left early was this one
            return self._left(self._desk.seen[self._act.number])
        if self._desk.cards_are_seen and self._act.number > self._desk.dealt_to:
            self._desk.shoe_boot = self._desk.shoe_boot or self._desk.boot_of_shoe
            return Taken.HELD
        if self._act.number in self._desk.face_up_at:
            return Done(acts.FoundFaceUp(None))
        return Done(acts.Drawn(FaceDown())) if self._act.number <= self._desk.dealt_to else Taken.HELD

    def offer(self, given: Input) -> Answer:
        if isinstance(given.message, CardLeft):
            return self._seen(given.message)
        if self._may_be_relieved and key_of_press(given) == DEALER_KEY:
            return new_dealer(self._desk)
        if self._shoe_restarted or self._odd_count:
            return self._cards_out(key_of_press(given))
        if key_of_press(given) == "dealt" and not self._desk.cards_are_seen:
            self._desk.dealt_to = ALL_DEALT
            return self.begin()
        return _wants_count(given, self._desk)

    def report(self, report: Report) -> Answer:
        out = report.cards_out
        if out is not None:
            self._desk.dealt_to = out
        if report.incident.kind == "card_face_up":
            self._desk.face_up_at.append(self._act.number if out is None else out + 1)
            return self.begin()
        return Taken.IGNORED

    def prompt(self) -> Prompt:
        if self._shoe_restarted:
            return Prompt(f"SHOE RESTARTED: CARDS DEALT SO FAR: {self._digits.text}_", (*DIGITS, ENTER))
        if self._odd_count:
            return Prompt(f"SHOE COUNTS {self._odd_count}: CARDS DEALT SO FAR: {self._digits.text}_", (*DIGITS, ENTER))
        relieved = (DEALER_KEY,) if self._may_be_relieved else ()
        if self._desk.cards_are_seen:
            where = str(self._act.to).upper()
            burned = f"BURN CARD {self._act.number}"
            text = burned if self._act.to is BURN else f"DEAL CARD {self._act.number} TO {where}"
            if isinstance(self._act, acts.DealForButton):
                text += ", FACE UP"
            return _prompt(text, self._desk, *relieved)
        if self._desk.waits_for_shoe:
            return _prompt("WAITING FOR THE SHOE", self._desk, "dealt")
        if self._act.to is BURN:
            first = self._desk.table.stage is Stage.OPEN
            text = "BURN ONE CARD, THEN DEALT" if first else "BURN, DEAL, THEN DEALT"
            return _prompt(text, self._desk, "dealt", *relieved)
        if isinstance(self._act, acts.DealForButton):
            return _prompt("FOR THE BUTTON: ONE CARD EACH, DEALT", self._desk, "dealt")
        what = "THE BOARD" if self._act.to is COMMUNITY else "ALL CARDS"
        return _prompt(f"DEAL {what}, THEN DEALT", self._desk, "dealt")

    @property
    def _may_be_relieved(self) -> bool:
        """Whether another dealer may come before this card, and burns it."""
        before = isinstance(self._act, acts.Burn) and self._desk.table.stage is Stage.OPEN
        return before and dealer_burns(self._desk)

    @property
    def _shoe_restarted(self) -> bool:
        """Whether the shoe has lost its memory during the deal: what left meanwhile only the dealer knows."""
        return self._desk.cards_are_seen and self._desk.shoe_boot not in ("", self._desk.boot_of_shoe)

    def _seen(self, left: CardLeft) -> Answer:
        """Take the card that the shoe has counted; cards before it that nobody told of lie on the table unseen."""
        desk = self._desk
        if desk.is_late(left):
            return Taken.HELD
        number = self._act.number
        if desk.shoe_ahead is None and number == 1 and left.count != desk.first_count:
            self._odd_count = left.count  # a shoe that was lost tells of an earlier deal only now, or was not reloaded
            return Taken.HELD
        if desk.shoe_ahead is not None:
            number = max(number, left.count - desk.shoe_ahead)  # lower: its count has begun anew, it was loaded
        desk.shoe_ahead = left.count - number
        desk.seen[number] = left
        desk.dealt_to = max(desk.dealt_to, number - 1)
        return self.begin()

    def _left(self, left: CardLeft) -> Answer:
        if left.face_up or self._act.number in self._desk.face_up_at:
            return Done(acts.FoundFaceUp(left.card.card))
        return Done(acts.Drawn(left.card))

    def _cards_out(self, key: str | None) -> Answer:
        if key is None:
            return Taken.IGNORED
        if self._digits.key(key):
            return Taken.HELD
        out, self._digits = self._digits.value, Digits(most=3)
        if key != ENTER or out is None or out < self._act.number - 1:
            return Taken.IGNORED
        ahead = self._odd_count - out if out and self._odd_count else None
        self._desk.shoe_boot, self._desk.shoe_ahead, self._desk.dealt_to = self._desk.boot_of_shoe, ahead, out
        self._odd_count = 0
        return self.begin()


class Stands(Performance):
    """The dealer draws no card any more, and DONE goes on; one that leaves the shoe all the same is astray."""

    def __init__(self, act: acts.DealerStands, desk: Desk) -> None:
        self._act = act
        self._desk = desk

    def offer(self, given: Input) -> Answer:
        if isinstance(given.message, CardLeft):
            if self._desk.is_late(given.message):
                return Taken.HELD
            self._desk.hold(given.message)
            return Done(Interrupted(acts.Incident(DREW_PAST_17, DEALER)))
        return Done(None) if key_of_press(given) == "done" else Taken.IGNORED

    def prompt(self) -> Prompt:
        return Prompt(f"DEALER HAS {self._act.total.upper()}: DONE TO SETTLE", ("done",))


class StackByDevice(Performance):
    """One stack from the automated shoe."""

    def __init__(self, act: acts.Dispense, desk: Desk, device: str) -> None:
        self._act = act
        self._desk = desk
        self._command_id = 0
        self._doubt = False
        self._device = device
        self.command = (device, DispenseStack(act.count))

    def intended(self, command_id: int) -> None:
        self._command_id = command_id
        self._doubt = False

    def in_doubt(self) -> bool:
        self._doubt = True
        return False

    def offer(self, given: Input) -> Answer:
        if self._doubt and key_of_press(given) == YES:
            return Done(acts.Dispensed((acts.Drawn(FaceDown()),) * self._act.count))
        if self._doubt and key_of_press(given) == NO:
            return Taken.AGAIN
        match given.message:
            case StackTaken(command, cards, face_up) if command == self._command_id:
                return Done(acts.Dispensed(tuple(_left(c, place in face_up) for place, c in enumerate(cards))))
            case StackFailed(command, cards) if command == self._command_id:
                return Done(acts.ShoeJammed(tuple(acts.Drawn(c) for c in cards)))
            case CommandFailed(command) if command == self._command_id:
                return Done(acts.ShoeJammed(()))
            case _:
                return _wants_count(given, self._desk)

    def report(self, report: Report) -> Answer:
        return Done(acts.ShoeJammed(())) if report.incident.kind == "shoe_jam" else Taken.IGNORED

    def prompt(self) -> Prompt:
        if self._doubt:
            return Prompt(f"DID {str(self._act.to).upper()} GET ITS STACK?", (YES, NO))
        text = lost_or(self._desk, self._device, f"TAKE THE STACK FOR {str(self._act.to).upper()}")
        return _prompt(text, self._desk)


class StackByHand(Performance):
    """One stack of a deal that the dealer says is done, while the automated shoe is not connected."""

    def __init__(self, act: acts.Dispense, desk: Desk) -> None:
        self._act = act
        self._desk = desk

    def begin(self) -> Answer:
        if self._desk.dealt_to < self._act.number:
            return Taken.HELD
        cards = self._cards(ALL_DEALT)
        jammed = self._desk.jammed_after
        if jammed is not None and jammed < self._act.number + len(cards) - 1:
            return Done(acts.ShoeJammed(self._cards(jammed)))
        return Done(acts.Dispensed(cards))

    def offer(self, given: Input) -> Answer:
        if key_of_press(given) == "dealt":
            self._desk.dealt_to = ALL_DEALT
            return self.begin()
        if isinstance(given.message, CardLeft):
            return Taken.HELD  # a shoe that counts and does not dispense: the cards of the stacks
        if isinstance(given.message, LinkUp):
            instead = dispense(self._act, self._desk)
            return Instead(instead) if isinstance(instead, StackByDevice) else Taken.IGNORED
        return _wants_count(given, self._desk)

    def report(self, report: Report) -> Answer:
        out = report.cards_out if report.cards_out is not None else self._act.number - 1
        if report.incident.kind == "card_face_up":
            self._desk.face_up_at.append(out + 1)
            return Taken.HELD
        self._desk.dealt_to = out
        if report.incident.kind == "shoe_jam":
            self._desk.jammed_after = out
        return Taken.IGNORED

    def prompt(self) -> Prompt:
        return _prompt("DEAL ALL STACKS, THEN DEALT", self._desk, "dealt")

    def _cards(self, to: int) -> tuple[acts.Drawn | acts.FoundFaceUp, ...]:
        cards: list[acts.Drawn | acts.FoundFaceUp] = []
        good, number = 0, self._act.number
        while good < self._act.count and number <= to:
            face_up = number in self._desk.face_up_at
            cards.append(acts.FoundFaceUp(None) if face_up else acts.Drawn(FaceDown()))
            good += not face_up
            number += 1
        return tuple(cards)


def dispense(act: acts.Dispense, desk: Desk) -> Performance:
    """A stack by the automated shoe, or confirmed where none is connected."""
    link, device = desk.picture.usable(Kind.SHOE), desk.picture.find(Kind.SHOE)
    if link is not None and device is not None and link.can(Capability.DISPENSES) and desk.dealt_to < act.number:
        return StackByDevice(act, desk, device)
    return StackByHand(act, desk)


def _left(face_down: FaceDown, face_up: bool) -> acts.Drawn | acts.FoundFaceUp:
    return acts.FoundFaceUp(face_down.card) if face_up else acts.Drawn(face_down)


def _prompt(text: str, desk: Desk, *lit: str) -> Prompt:
    """A prompt during the deal, when the dealer may also say that the stub is to be counted."""
    return Prompt(text, (*lit, "count_stub"), ("count_stub",) if desk.count_wanted else ())


def _wants_count(given: Input, desk: Desk) -> Answer:
    """The dealer may ask during the deal that the stub be counted even if that is not due."""
    if key_of_press(given) != "count_stub":
        return Taken.IGNORED
    desk.count_wanted = True
    return Taken.HELD
