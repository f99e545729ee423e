"""The table that procedures talk to, and what of it goes on from round to round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any

from tablectl.cards import FaceDown, Position, seat
from tablectl.events import Disposition
from tablectl.money import Money
from tablectl.procedure.game import Dealing, DealingClauses, Game, Setup, Shuffler
from tablectl.procedure.instructions import Enter, Incident, Stake
from tablectl.procedure.stages import Stage
from tablectl.records import record

__all__ = ["DeckState", "Phase", "Table", "TableHalt", "TableState", "VoidRound"]


class Phase(StrEnum):
    """Where the table is in its gaming day."""

    CLOSED = "closed"
    OPEN = "open"


@record
class DeckState:
    """One deck (or batch of decks) at the table: identity, colour of its backs, since when it is in play.

    `since` is in seconds since the epoch. `preshuffled`: it came shuffled and was not dealt from yet.
    """

    id: str
    back: str
    since: int
    preshuffled: bool = False


@record
class TableState:
    """What goes on from one round to the next; the snapshot that recovery starts from.

    `decks` are those at the table, the one in play first; `deck_number` counts those that ever came. `removed` are
    devices that left the table; `dealing` and `shuffler` are the methods in use. `day` counts the gaming days; `dealer`
    is the credential of the dealer, empty where nobody has said so; `new_dealer`: none of his rounds was dealt yet.
    `just_opened`: no round was dealt since the opening, and `first_player` is the seat of whoever came first, 0 if that
    was not said. `shuffle_ordered`: a floorperson wants the cards shuffled. `cover_card_at` is where the cover card
    came out in the last round of a shoe.
    """

    round: int
    decks: tuple[DeckState, ...]
    deck_number: int
    rounds_since_count: int
    dealing: str
    shuffler: str
    removed: tuple[str, ...] = ()
    out_of_service: tuple[str, ...] = ()
    phase: Phase = Phase.OPEN
    day: int = 0
    dealer: str = ""
    new_dealer: bool = False
    just_opened: bool = False
    first_player: int = 0
    shuffle_ordered: bool = False
    cover_card_at: Position | None = None

    @property
    def deck(self) -> str:
        """The deck in play, empty while none is at the table."""
        return self.decks[0].id if self.decks else ""


class VoidRound(BaseException):
    """All hands are void. A control exception: it unwinds to the round's one epilogue, procedures never catch it."""

    def __init__(self, incident: Incident, cite: str, remedies: tuple[str, ...], disposition: Disposition) -> None:
        self.incident = incident
        self.cite = cite
        self.remedies = remedies
        self.disposition = disposition
        super().__init__(incident.kind)


class TableHalt(BaseException):
    """The table may not go on. A control exception; wagers stay where they are.

    With a `credential` the table closes: that floorperson has ordered it.
    """

    def __init__(
        self, cause: str, cite: str, remedies: tuple[str, ...], disposition: Disposition, credential: str = ""
    ) -> None:
        self.cause = cause
        self.credential = credential
        self.cite = cite
        self.remedies = remedies
        self.disposition = disposition
        super().__init__(cause)


class Table:
    """One round's working state. It holds no input or output; everything that varies comes in by an instruction."""

    def __init__(self, game: Game, rules: Any, setup: Setup, state: TableState) -> None:
        self.game = game
        self.rules = rules
        self.state = state
        self.stage = Stage.CLOSED
        self.dealing = Dealing(state.dealing)
        self.shuffler = Shuffler(state.shuffler)
        self.setup = replace(setup, dealing=self.dealing, shuffler=self.shuffler)
        self.ready = False
        self.stakes: dict[tuple[int, str, int], Stake] = {}
        self.settled: list[tuple[int, str, int]] = []
        self.hands: dict[Position, list[FaceDown]] = {}
        self.cards_out = 0
        self.face_up = 0
        self.left: list[int] = []
        self.counted = False

    @property
    def deck(self) -> str:
        """The deck in play, empty while none is at the table."""
        return self.state.deck

    # Positions and wagers

    @property
    def clauses(self) -> DealingClauses:
        """The clauses of the dealing method in use."""
        return self.game.dealing[self.dealing]

    @property
    def seats(self) -> list[int]:
        """Seats that take part, clockwise: seat 1 is the farthest to the dealer's left."""
        return sorted(dict.fromkeys(number for number, _wager, _hand in self.stakes))

    @property
    def players(self) -> tuple[Position, ...]:
        """Betting positions that take part, clockwise."""
        return tuple(seat(number) for number in self.seats)

    def clockwise(self, with_wager: str) -> Iterator[int]:
        """Seats with that wager open, from the dealer's left."""
        return (number for number in self.seats if self.open(number, with_wager))

    def counterclockwise(self) -> Iterator[int]:
        """Seats with any wager open, from the dealer's right."""
        return (number for number in reversed(self.seats) if self.open_wagers(number))

    def open(self, number: int, wager: str, hand: int = 0) -> bool:
        """Whether that wager lies on the layout unsettled."""
        key = (number, wager, hand)
        return key in self.stakes and key not in self.settled

    def open_wagers(self, number: int) -> list[str]:
        """The seat's open wagers, in the order of the game's list."""
        return [wager for wager in self.game.wagers if self.open(number, wager)]

    def amount(self, number: int, wager: str, hand: int = 0) -> Money | None:
        """What was staked; None where only its presence is known."""
        return self.stakes[number, wager, hand].amount

    # Acts

    async def enter(self, stage: Stage) -> None:
        """Go over to another stage."""
        await Enter(stage.value)
        self.stage = stage
