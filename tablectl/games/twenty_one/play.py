"""What a round of a twenty-one game is made of: the hands of the seats, and what its chapter says for itself.

A hand's cards lie face up, so that their identities are known as soon as they are turned up. `Table.hands` has all
cards of a seat in the order in which they came, whichever of its hands they belong to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from tablectl.cards import DEALER, Card, Position
from tablectl.events import Result
from tablectl.hands.twenty_one import TWENTY_ONE, Total, is_blackjack, total21
from tablectl.procedure.game import Irregularity
from tablectl.procedure.instructions import Choice, Decision, Incident, PlaceWagers, Stake
from tablectl.procedure.settlement import forfeit_all, settle_all, settled
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.rules import Cite

__all__ = [
    "BLACKJACK",
    "DOUBLE",
    "INSURANCE",
    "SECOND_CHANCE",
    "SPLIT",
    "Chapter",
    "Hand",
    "Missed",
    "Play",
    "leave",
    "place",
    "to_stage",
]

BLACKJACK, SPLIT, DOUBLE, INSURANCE = "blackjack", "split", "double", "insurance"
SECOND_CHANCE: Final = "second_chance"  # 673a.7(l) alone

DRAWN_IN_ERROR: Final = "drawn_in_error"
DREW_PAST_17: Final = "dealer_drew_past_17"
MISSED_OWN: Final = "dealer_missed_own_card"
MISSED_PLAYER: Final = "player_missed_card"


@dataclass(slots=True)
class Hand:
    """One hand of a seat; `number` 0 is the first, each one that a split makes gets the next.

    `split`: it was made or divided by a split, so that ace and ten are no Blackjack; `single`: one card is all that it
    gets after that. `done`: it takes no card any more. `over`: it is not held against the dealer's hand, as it is
    settled, busted or dead.
    """

    seat: int
    number: int = 0
    cards: list[Card] = field(default_factory=list)
    split: bool = False
    single: bool = False
    doubled: bool = False
    done: bool = False
    over: bool = False

    @property
    def wager(self) -> str:
        """The wager that the hand was dealt for."""
        return SPLIT if self.number else BLACKJACK

    @property
    def total(self) -> Total:
        """What it counts."""
        return total21(self.cards)

    @property
    def bust(self) -> bool:
        """Whether it counts more than 21."""
        return self.total.points > TWENTY_ONE

    @property
    def blackjack(self) -> bool:
        """Whether it is a Blackjack: the first two cards of the seat."""
        return not self.split and is_blackjack(self.cards)

    def close(self) -> None:
        """Nothing happens to it any more."""
        self.done = self.over = True


@dataclass(frozen=True, slots=True)
class Missed:
    """A card was not dealt where it should have been, and the next place is served first."""

    incident: Incident
    rule: Irregularity


@dataclass(frozen=True, slots=True)
class Chapter:
    """The clauses of one chapter, and where it goes a way of its own.

    `offer`, `half`, `lost` and `insured` are about the Insurance Wager: its offer, the most that it may be, its loss,
    its odds. `decide` has the players decide; `turn`, `draw` are about the dealer's hole card and what he draws.
    `begin` is done as a seat's turn to play comes. `choices` are what a hand may choose besides a card and standing,
    `decided` carries such a choice out. `busted` is what becomes of a hand above 21, `made_21` of one that has come to
    21 and takes no more cards.
    """

    offer: Cite
    half: Cite
    lost: Cite
    insured: Cite
    left: Cite
    peek: Cite
    decide: Cite
    turn: Cite
    draw: Cite
    undealt: Cite
    begin: Callable[[Play, Hand], Awaitable[None]]
    choices: Callable[[Play, Hand], tuple[Choice, ...]]
    decided: Callable[[Play, Hand, Decision], Awaitable[None]]
    busted: Callable[[Play, Hand], Awaitable[None]]
    made_21: Callable[[Play, Hand], Awaitable[None]] | None = None


class Play:
    """One round's hands. `late` are those whose card was forgotten, `refused` seats that take no more cards."""

    __slots__ = ("chapter", "dealer", "hands", "late", "refused", "table")

    def __init__(self, table: Table, chapter: Chapter) -> None:
        self.table = table
        self.chapter = chapter
        self.hands = {number: [Hand(number)] for number in table.seats}
        self.dealer: list[Card] = []
        self.late: list[tuple[Hand, Missed]] = []
        self.refused: list[int] = []

    @property
    def up(self) -> Card:
        """The dealer's first card."""
        return self.dealer[0]

    @property
    def live(self) -> list[Hand]:
        """Hands that are held against the dealer's, clockwise; those of a player who has left are lost."""
        left = self.table.left
        return [hand for hands in self.hands.values() for hand in hands if not hand.over and hand.seat not in left]

    @property
    def early(self) -> tuple[Incident, Irregularity] | None:
        """A card that was drawn in error and exposed, and lies there to be used as the next one (x.12(c), x.13(c))."""
        waiting = self.table.for_the_game
        return next((said for said in waiting if said[0].kind == DRAWN_IN_ERROR), None) if waiting else None

    def take(self, kind: str, where: Position | None = None) -> tuple[Incident, Irregularity] | None:
        """The first irregularity of that kind that waits for its remedy, at that place or at one that was not named."""
        for number, said in enumerate(self.table.for_the_game):
            if said[0].kind == kind and (where is None or said[0].position in (None, where)):
                return self.table.for_the_game.pop(number)
        return None

    def missed(self, to: Position) -> Missed | None:
        """Whether the card that is due there was forgotten."""
        if not self.table.for_the_game:
            return None
        said = self.take(MISSED_OWN if to is DEALER else MISSED_PLAYER, to)
        return None if said is None else Missed(*said)


async def to_stage(table: Table, stage: Stage) -> None:
    """Go over to that stage, if the round is not there already."""
    if table.stage is not stage:
        await table.enter(stage)


async def place(table: Table, stake: Stake) -> None:
    """A wager, or a lammer, that a decision puts on the layout."""
    await PlaceWagers((stake,))
    table.stakes[stake.seat, stake.wager, stake.hand] = stake


async def leave(play: Play, number: int) -> None:
    """A seat leaves the table, or has left: all that it has open is collected."""
    table = play.table
    table.left.setdefault(number, play.chapter.left)
    if table.stage is Stage.DEALING:
        await table.enter(Stage.DECIDING)
    await forfeit_all(table, number)
    for hand in play.hands[number]:
        hand.close()


async def give_back(play: Play, hand: Hand, clause: Cite, *wagers: str) -> None:
    """A hand is dead: these wagers of it go back, and its lammers are taken away."""
    table = play.table
    hand.close()
    rows = []
    for wager in wagers:
        key = hand.seat, wager, hand.number
        if key in table.stakes and key not in table.settled:
            result = Result.LOSE if table.stakes[key].free else Result.RETURNED
            rows.append(settled(table, hand.seat, wager, result, clause, hand=hand.number))
    await settle_all(rows)
