"""The table that procedures talk to, and what of it goes on from round to round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from tablectl.cards import Card, FaceDown, Position, seat
from tablectl.events import Disposition
from tablectl.money import Money
from tablectl.procedure.betting import Bets
from tablectl.procedure.game import Dealing, DealingClauses, Game, Irregularity, Setup, Shuffler
from tablectl.procedure.instructions import DeckQuestion, Enter, Gap, Incident, Order, Stake
from tablectl.procedure.jackpots import RoomState
from tablectl.procedure.meter import ProgressiveState
from tablectl.procedure.sequences import CERTAIN
from tablectl.procedure.shown import ShoeMemory, Shown
from tablectl.procedure.stages import Stage
from tablectl.records import record, replace
from tablectl.rules import Cite

__all__ = [
    "BeginAgain",
    "DeckState",
    "HandPay",
    "Phase",
    "Preparation",
    "Table",
    "StandingFault",
    "TableHalt",
    "TableState",
    "VoidRound",
]


class Phase(StrEnum):
    """Where the table is in its gaming day."""

    CLOSED = "closed"
    OPEN = "open"


@record
class DeckState:
    """One deck (or batch of decks) at the table: identity, colour of its backs, since when it is in play.

    `since` and `verified`, when a person at this table last verified the whole of it (0: never), are in seconds since
    the epoch. `preshuffled`: it came shuffled and was not dealt from yet. `in_shuffler`: it is there, to be played when
    its turn comes. `warned`: that it has to be changed soon was said. `surprise` is that of its last round, as in
    `tablectl.procedure.sequences`.
    """

    id: str
    back: str
    since: int
    preshuffled: bool = False
    verified: int = 0
    in_shuffler: bool = False
    warned: bool = False
    surprise: int = CERTAIN


@record
class StandingFault:
    """A device that the game cannot do without does not work: no round before a floorperson says that it does."""

    device: str
    fault: str
    cite: str


@record
class TableState:
    """What goes on from one round to the next; the snapshot that recovery starts from.

    `decks` are those at the table, the one in play first; `deck_number` counts those that ever came. `removed` are
    devices that left the table; `dealing` and `shuffler` are the methods in use. `day` counts the gaming days; `dealer`
    is the credential of the dealer, empty where nobody has said so; `new_dealer`: none of his rounds was dealt yet.
    `just_opened`: no round was dealt since the opening, and `first_player` is the seat of whoever came first, 0 if that
    was not said. `shuffle_ordered`: a floorperson wants the cards shuffled. `cover_card_at` is where the cover card
    came out in the last round of a shoe. `barred` are seats that may not wager before the next shuffle. `orders` were
    given in the middle of a round, and are obeyed when they can be. `gaps` of this gaming day were played without the
    controller; `decks_unproven`: the decks have not been counted since. `ready`: the shoe goes on with the next round.
    `questions` about decks and `standing` faults are open, the oldest first. `shoe` is what this shoe has shown.
    `burn_due`: no card has left since the cards were made ready. `button` marks the starting position, once placed;
    `kill` is the seat that has won a pot which calls for a kill, 0 for none. `dice_since` is when the dice of the
    shaker that determines the starting position came to the table.
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
    barred: tuple[int, ...] = ()
    orders: tuple[Order, ...] = ()
    gaps: tuple[Gap, ...] = ()
    decks_unproven: bool = False
    burn_due: bool = False
    button: Position | None = None
    dice_since: int | None = None
    kill: int = 0
    ready: bool = False
    progressive: ProgressiveState = ProgressiveState()
    room: RoomState = RoomState()
    questions: tuple[DeckQuestion, ...] = ()
    standing: tuple[StandingFault, ...] = ()
    shoe: ShoeMemory = ShoeMemory()

    @property
    def deck(self) -> str:
        """The deck in play, empty while none is at the table."""
        return self.decks[0].id if self.decks else ""


@dataclass(frozen=True, slots=True)
class HandPay:
    """An award that may not be paid from the tray, by that clause, and is not documented yet."""

    seat: int
    amount: Money
    cite: str


@dataclass(slots=True)
class Preparation:
    """How far the cards are on their way to the first deal, so that an order in between leaves no step out.

    `idle` are the steps of an idle table that are to be done before. `shuffled` says how: by ``hand``, ``device``, or
    ``before`` they came; `ordered`: by order of a floorperson; `asked`: a player wants the cards that come out of the
    shuffler spread, and shuffled once more. `cut_by` has cut them, `entitled` seats may cut them again; `recut`: that
    was ordered. `complete`: nothing is left to be done.
    """

    idle: tuple[str, ...] = ()
    shuffled: str = ""
    ordered: bool = False
    asked: bool = False
    cut_by: Position | None = None
    entitled: tuple[int, ...] = ()
    recut: bool = False
    complete: bool = False


class VoidRound(BaseException):
    """All hands are void. A control exception: it unwinds to the round's one epilogue, procedures never catch it.

    `settles` are wagers that are not given back but settled all the same; `stands` are wagers of one seat and hand that
    stay as they were settled.
    """

    def __init__(
        self,
        incident: Incident,
        cite: str,
        remedies: tuple[str, ...],
        disposition: Disposition,
        settles: tuple[str, ...] = (),
        stands: tuple[tuple[int, str, int], ...] = (),
    ) -> None:
        self.incident = incident
        self.cite = cite
        self.remedies = remedies
        self.disposition = disposition
        self.settles = settles
        self.stands = stands
        super().__init__(incident.kind)


class BeginAgain(BaseException):
    """Nothing is dealt yet and the round begins again: with the shuffle, or without the device that `incident` names.

    A control exception: it unwinds to the frame of the round, procedures never catch it.
    """

    def __init__(self, incident: Incident, *, shuffle: bool) -> None:
        self.incident = incident
        self.shuffle = shuffle
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


_ENTER: Final = {stage: Enter(stage.value) for stage in Stage}


_DEALING: Final = {method.value: method for method in Dealing}
_SHUFFLER: Final = {kind.value: kind for kind in Shuffler}


class Table:
    """One round's working state. It holds no input or output; everything that varies comes in by an instruction."""

    __slots__ = (
        "applied",
        "back_in_deck",
        "before_lock_out",
        "bets",
        "cards_out",
        "configured",
        "counted",
        "dealing",
        "deck_gone",
        "first_display",
        "for_the_game",
        "game",
        "hand_pays",
        "hands",
        "in_tray",
        "left",
        "locked_out",
        "noticed",
        "options",
        "paid",
        "partners",
        "preparation",
        "ready",
        "rules",
        "_seats",
        "settled",
        "setup",
        "shoe_empty",
        "shown",
        "shuffler",
        "shut",
        "stage",
        "stakes",
        "standing",
        "state",
        "throws",
        "to_replace",
        "told_twice",
        "voided",
        "was_cut",
    )

    def __init__(self, game: Game, rules: Any, setup: Setup, state: TableState) -> None:
        self.game = game
        self.rules = rules
        self.state = state
        self.stage = Stage.CLOSED
        self.dealing = _DEALING[state.dealing]
        self.shuffler = _SHUFFLER[state.shuffler]
        self.configured = setup
        as_configured = self.dealing is setup.dealing and self.shuffler is setup.shuffler
        self.setup = setup if as_configured else replace(setup, dealing=self.dealing, shuffler=self.shuffler)
        self.ready = state.ready
        self.preparation = Preparation()
        self.was_cut = False
        self.stakes: dict[tuple[int, str, int], Stake] = {}
        self.settled: dict[tuple[int, str, int], None] = {}  # in the order of settlement
        self._seats: tuple[int, list[int]] = (0, [])
        self.bets: Bets | None = None  # of a game that players play against each other
        self.paid: dict[int, Money] = {}  # what counts towards the payout limit, by the lower seat of a player
        self.hands: dict[Position, list[FaceDown]] = {}
        self.cards_out = 0
        self.back_in_deck = 0  # so many of them were shuffled in again before the deal
        self.left: dict[int, Cite] = {}  # seats that lose all their wagers, by which clause
        self.voided: list[int] = []  # seats whose hand is void
        self.partners: dict[int, int] = {}  # seats of one player who has two: the one by the other
        self.standing: list[tuple[int, str, int]] = []  # settled, and a void whose rule says so leaves it at that
        self.options: dict[int, tuple[Incident, Irregularity]] = {}  # seats that are yet to be asked about theirs
        self.for_the_game: list[tuple[Incident, Irregularity]] = []  # whose remedy the round of play carries out
        self.noticed: list[Incident] = []
        self.applied: list[Irregularity] = []
        self.to_replace: list[tuple[Position, Cite]] = []  # places of exposed cards that the next ones replace
        self.shoe_empty = False
        self.throws = 0
        self.deck_gone: Cite | None = None  # the deck leaves the table after a round that is completed
        self.counted = False
        self.shown = Shown(state.round + 1, state.shoe)
        self.told_twice: list[Card] = []
        self.shut: list[str] = []  # wagers whose system takes none in this round
        self.locked_out: list[str] = []
        self.in_tray: list[str] = []
        self.before_lock_out: ProgressiveState | None = None
        self.first_display: Money | None = None
        self.hand_pays: list[HandPay] = []

    @property
    def deck(self) -> str:
        """The deck in play, empty while none is at the table."""
        return self.state.deck

    @property
    def reshuffles(self) -> bool:
        """Whether an approved device reshuffles and counts: then there is no cut and no idle rule (655a.5(g) …)."""
        clauses = self.game.shuffle_clauses
        approved = clauses is not None and clauses.reshuffling is not None and self.shuffler.counts
        return approved and self.setup.continuous

    # Positions and wagers

    @property
    def clauses(self) -> DealingClauses:
        """The clauses of the dealing method in use."""
        return self.game.dealing[self.dealing]

    @property
    def seats(self) -> list[int]:
        """Seats that take part, clockwise: seat 1 is the farthest to the dealer's left."""
        wagers, seats = self._seats
        if wagers != len(self.stakes):  # none is ever taken away again
            seats = sorted(dict.fromkeys([number for number, _wager, _hand in self.stakes]))
            self._seats = len(self.stakes), seats
        return seats

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
        stakes, settled = self.stakes, self.settled  # as `open` has it
        return [w for w in self.game.wagers if (key := (number, w, 0)) in stakes and key not in settled]

    def stakes_of(self, number: int) -> list[tuple[int, str, int]]:
        """The seat's wagers with their hands, settled ones too: hand after hand, in the order of the game's list."""
        keys = [key for key in self.stakes if key[0] == number]
        return sorted(keys, key=lambda key: (key[2], self.game.wagers.index(key[1])))

    def open_stakes(self, number: int) -> list[tuple[int, str, int]]:
        """Those of the seat's wagers that are not settled, in the same order."""
        return [key for key in self.stakes_of(number) if key not in self.settled]

    def amount(self, number: int, wager: str, hand: int = 0) -> Money | None:
        """What was staked; None where only its presence is known."""
        return self.stakes[number, wager, hand].amount

    # Acts

    async def enter(self, stage: Stage) -> None:
        """Go over to another stage."""
        await _ENTER[stage]
        self.stage = stage
