"""The desk that a round is performed at: what performances of single acts share while the table is live."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from tablectl.cards import Position
from tablectl.engine.inputs import Input
from tablectl.engine.menu import Report
from tablectl.engine.picture import Picture
from tablectl.engine.prompts import Prompt
from tablectl.equipment import Badge, Capability, CardLeft, Command, Kind
from tablectl.procedure.game import Dealing
from tablectl.procedure.instructions import Incident, Order
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table

__all__ = ["ALL_DEALT", "Answer", "Desk", "Done", "Performance", "Queued", "Role", "Settings", "Taken"]

ALL_DEALT: Final = 10**9


class Taken(Enum):
    """What became of an input that did not finish the act."""

    IGNORED = "ignored"
    HELD = "held"
    AGAIN = "again"  # the actuation did not happen: it needs a new intent


@dataclass(frozen=True, slots=True)
class Done:
    """The act is finished with this result."""

    result: object


@dataclass(frozen=True, slots=True)
class Instead:
    """The act goes on in another way; what it waits for begins anew."""

    performance: Performance


Answer: TypeAlias = Done | Taken | Instead


class Role(StrEnum):
    """What the bearer of a credential may do at the table."""

    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    SUPERVISOR = "supervisor"
    SECURITY = "security"
    FINANCE = "finance"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a live table: `confirm_ms` is how long a choice stands before it is final.

    `chips_settle_ms` is how long chips have to lie wrong before that counts: a sensor that bounces is none.

    `floorpersons` are the credentials that may clear faults, bring decks and give orders, `supervisors` those above
    them, who may do the same; if neither are listed, every badge may that is nobody else's. `security` and `finance`
    are those of these departments, who witness what is done with the boxes of a poker room. The table is in
    `training`; `may_change_over`: the floor may let it begin to train, or end that, without a start by hand.
    """

    table: str
    confirm_ms: int = 700
    floorpersons: tuple[str, ...] = ()
    dealers: tuple[str, ...] = ()
    supervisors: tuple[str, ...] = ()
    training: bool = False
    may_change_over: bool = False
    chips_settle_ms: int = 500
    security: tuple[str, ...] = ()
    finance: tuple[str, ...] = ()

    @property
    def floor(self) -> tuple[str, ...]:
        """The credentials that may do what takes a floorperson or above; none: every badge may."""
        return (*self.floorpersons, *self.supervisors)

    def role(self, number: str) -> Role | None:
        """Whose credential that is; None for nobody's here."""
        if number in self.supervisors:
            return Role.SUPERVISOR
        if number in self.floorpersons:
            return Role.FLOORPERSON
        if number in self.dealers:
            return Role.DEALER
        if number in self.security:
            return Role.SECURITY
        if number in self.finance:
            return Role.FINANCE
        return None if self.floorpersons or self.supervisors else Role.FLOORPERSON


@dataclass(slots=True)
class Desk:
    """Shared state of one round's performances; all of it follows from the inputs of the round.

    `dealt_to`: the dealer said that the cards up to this number have been dealt. `face_up_at`: numbers of cards that
    the dealer found face up. `count_wanted`: the stub is to be counted even if that is not due. `locked_at`: the
    picture's order at "no more bets"; chips that came later belong to decisions. `token` names the timer that counts.
    `conflicts`: positions where the table shows other cards than the shoe has read. `jammed_after`: cards that had
    left an automated shoe when it jammed, as the dealer says. `shuffle_failed`: the shuffler has to be put right
    before it is told to shuffle again. `shoe_boot`: the boot id of the shoe that the deal goes on with. `shoe_ahead`:
    by how much that shoe's count is ahead of the card's number. `seen`: what the shoe has seen, by the card's number.
    `shoe_out`: how many cards had left the shoe when the round began. `early`: what seats have chosen before their
    turn. `draws_next`: a card has left for the hand of the seat that is asked next.
    `passed_up`: wagers that a seat has chosen not to place in its last decision. `folded`: seats that have folded.
    `decided_at`: the picture's order as a seat decided last. `decides_anew`: the picture's order when a seat took its
    decision back: chips that came before do not count. `late`: seats of which a system has told a wager after the
    lock-out.
    """

    table: Table
    settings: Settings
    picture: Picture
    dealt_to: int = 0
    face_up_at: list[int] = field(default_factory=list)
    count_wanted: bool = False
    locked_at: int = 0
    token: int = 0
    notice: str = ""
    conflicts: list[Position] = field(default_factory=list)
    shuffle_failed: bool = False
    jammed_after: int | None = None
    shoe_boot: str = ""
    shoe_ahead: int | None = None
    seen: dict[int, CardLeft] = field(default_factory=dict)
    shoe_out: int = 0
    early: dict[int, str] = field(default_factory=dict)
    draws_next: bool = False
    passed_up: dict[int, tuple[str, ...]] = field(default_factory=dict)
    folded: list[int] = field(default_factory=list)
    decides_anew: dict[int, int] = field(default_factory=dict)
    decided_at: dict[int, int] = field(default_factory=dict)
    late: list[int] = field(default_factory=list)

    def new_token(self) -> int:
        """A name for a new timer; older ones are stale."""
        self.token += 1
        return self.token

    def is_floorperson(self, message: object) -> str | None:
        """The credential's number if it was presented by somebody who may act as a floorperson."""
        if not isinstance(message, Badge):
            return None
        may = self.settings.role(message.number) in (Role.FLOORPERSON, Role.SUPERVISOR)
        return message.number if may else None

    @property
    def key_switch_counts(self) -> bool:
        """Whether the floorperson's key switch stands for a badge: where no reader is, or it is lost."""
        return not self.picture.awaited(Kind.CREDENTIAL_READER)

    def is_late(self, left: CardLeft) -> bool:
        """Whether a card that the shoe tells of now was taken for dealt while the shoe could not be asked.

        A shoe that has lost its memory since counts from 1 the cards that left after the last one that it has told of.
        """
        if self.table.stage is not Stage.DEALING and self.shoe_boot not in ("", self.boot_of_shoe):
            self.shoe_boot, self.shoe_ahead = self.boot_of_shoe, left.count - 1 - max(self.seen, default=0)
        if self.shoe_ahead is None:
            if not self.dealt_to:
                return False
            self.shoe_ahead = left.count - 1
        number = left.count - self.shoe_ahead
        late = 0 < number <= self.table.cards_out and number not in self.seen
        if late:
            self.seen[number] = left
        return late

    def hold(self, left: CardLeft) -> bool:
        """Keep a card that left before it was due: it is the next one. False where its number cannot be told."""
        number = self.table.cards_out + 1
        while number in self.seen:
            number += 1
        if self.shoe_ahead is None:
            if number == 1 and left.count != self.first_count:
                return False
            self.shoe_ahead = left.count - number
        self.shoe_boot = self.shoe_boot or self.boot_of_shoe
        self.seen[max(number, left.count - self.shoe_ahead)] = left
        return True

    @property
    def first_count(self) -> int:
        """What the shoe counts as the round's first card leaves: one, unless it goes on from the round before."""
        return self.shoe_out + 1

    @property
    def boot_of_shoe(self) -> str:
        """Boot id of the shoe that is there, empty if none is."""
        shoe = self.picture.usable(Kind.SHOE)
        return "" if shoe is None else shoe.boot

    def reloaded(self) -> None:
        """The cards were shuffled: the shoe counts anew, and nothing that left it before is the next card."""
        self.shoe_ahead, self.shoe_out = None, 0
        self.seen = {number: left for number, left in self.seen.items() if number <= self.table.cards_out}

    @property
    def cards_are_seen(self) -> bool:
        """Whether a shoe sees single cards leave, so that nobody has to say how many are out."""
        shoe = self.picture.usable(Kind.SHOE)
        by_shoe = self.table.dealing is Dealing.MANUAL_SHOE
        return by_shoe and shoe is not None and not shoe.can(Capability.DISPENSES)

    @property
    def waits_for_shoe(self) -> bool:
        """Whether single cards should come from a shoe of which it is not known yet if it is there."""
        return self.table.dealing is Dealing.MANUAL_SHOE and self.picture.awaited(Kind.SHOE)

    def positions(self) -> tuple[Position, ...]:
        """Positions that can be named in a report."""
        return self.table.game.positions(self.table.setup.seats)


class Performance:
    """One instruction while it waits for a person or a device.

    `begin` may finish it at once from what is known; `offer` takes one input; `report` may turn a reported irregularity
    into a result of the act. `command` is the actuation that it needs, if it is one.
    """

    command: tuple[str, Command] | None = None
    deadline: tuple[int, int] | None = None

    def begin(self) -> Answer:
        """Called once, before any input."""
        return Taken.HELD

    def offer(self, given: Input) -> Answer:
        """Take one input, or say that it does not count."""
        raise NotImplementedError

    def report(self, report: Report) -> Answer:
        """Take a reported irregularity; `IGNORED`: it is an interruption like any other."""
        return Taken.IGNORED

    def intended(self, command_id: int) -> None:
        """The intent of the actuation is committed under that id."""
        raise NotImplementedError

    def in_doubt(self) -> bool:
        """The device has lost its memory since it got the command; True: give the command anew, under a new intent.

        False: the act may have happened, and a person is asked.
        """
        return True

    def prompt(self) -> Prompt:
        """What the panel shows meanwhile."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Queued:
    """An incident that waits for the first act, after the `after`th card, in which a person is awaited; or an order."""

    incident: Incident | Order
    after: int = 0
