"""The people around a live table: whose badge is whose, the floorperson's menu, play that stands still.

All of it follows from the inputs. What becomes of a badge: the act that waits for one has it first; a dealer's is an
order to change the dealer; a floorperson's opens the menu; nobody's is recorded and refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from tablectl.engine.desk import Desk, Role, Taken
from tablectl.engine.floor import BEGIN_TRAINING, CORRECT, END_TRAINING, LOOK, SUSPEND, FloorMenu, Said
from tablectl.engine.inputs import Input, RoundFound
from tablectl.engine.performances.keys import key_of_press
from tablectl.engine.prompts import LINE, Prompt
from tablectl.equipment import Badge, BadgeUnreadable, KeyPressed
from tablectl.events import TableOrdered
from tablectl.procedure.instructions import Order
from tablectl.procedure.orders import PLAYED, possible
from tablectl.procedure.people import DEALER_CHANGE
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Phase

__all__ = ["RESUMED", "UNREAD", "People", "Standstill", "floor_credential"]

_BETWEEN_ROUNDS = (Stage.OPEN, Stage.CLOSED)
RESUMED: Final = " (RESUMED)"
"""Behind the line of an act in whose middle the daemon was started again."""

_ASKS: Final = re.compile(r"BADGE$|OR BADGE\b")
"""Lines of the panel that ask for a badge."""

UNREAD: Final = "BADGE NOT READ: SHOW IT ONCE MORE"
"""In the place of a line that asks for a badge, when one was presented that the reader could not read."""


@dataclass(slots=True)
class Standstill:
    """Why play stands still, and by whose badge; `held` is what the equipment says meanwhile: it counts afterwards."""

    reason: str
    credential: str
    held: list[Input] = field(default_factory=list)

    def prompt(self, *, key_switch: bool) -> Prompt:
        """That the table is suspended, by whom, and who lets it go on."""
        text = f"SUSPENDED BY {self.credential.upper()}: FLOOR'S BADGE"
        if len(text) > LINE:
            text = "SUSPENDED: FLOOR'S BADGE"
        return Prompt(text, ("floor_key",) if key_switch else ())


Outcome: TypeAlias = Said | TableOrdered | Taken
"""What comes of something that a person has done: something said, or what became of the input."""


@dataclass(slots=True)
class People:
    """Who is at the table, and what they are about.

    `restarted`: the daemon has started since the round began, so rounds may have been played without it. `gap_due`:
    they have been, as cards of a whole hand left the shoe meanwhile. `resumed`: the panel says that a round was taken
    up again. `changes_over`: the table ends here, to train or to come back from it.
    """

    menu: FloorMenu | None = None
    standstill: Standstill | None = None
    restarted: bool = False
    resumed: bool = False
    gap_due: bool = False
    changes_over: bool = False
    _untouched: bool = False
    _unread_at: str = ""
    _cards_left: int = 0

    def started(self, *, at_play: bool) -> None:
        """The daemon runs again; `at_play`: in the middle of a round."""
        self.restarted = self._untouched = True
        self.changes_over = False
        self.resumed = at_play
        self._cards_left = 0

    def next_round(self) -> None:
        """A round is over: what was played before it is no question any more."""
        self.restarted = self.resumed = False

    def touched(self, given: Input, desk: Desk, shown: Callable[[], Prompt], *, useless: bool = False) -> bool:
        """Somebody is at the panel: what the shoe tells of from now on may be happening now.

        Whether that is of no use: a badge that could not be read is not where none is asked for, a key or another badge
        is as it is `useless` or not.
        """
        if isinstance(given.message, BadgeUnreadable):
            desk.notice = self._unread_at = ""
            text = shown().text
            self._unread_at = text if _ASKS.search(text) else ""
            return not self._unread_at
        if not isinstance(given.message, KeyPressed | Badge):
            return False
        self._unread_at = ""
        if not useless:
            self._untouched = self.resumed = False
        return useless

    def card_left(self, desk: Desk, stage: str) -> None:
        """A card left the shoe that no act waited for."""
        if self._untouched and stage == Stage.OPEN:
            self._cards_left += 1
            self.gap_due = self.gap_due or self._cards_left >= desk.table.game.hand

    @property
    def are_busy(self) -> bool:
        """Whether no act begins that awaits a person: the menu is open, or play stands still."""
        return self.menu is not None or self.standstill is not None

    # Badges and the menu

    def wants(self, given: Input) -> bool:
        """Whether that input goes to the people before anything else: the menu is open, or a gap has to be closed."""
        from_a_person = isinstance(given.message, KeyPressed | Badge)
        if self.menu is not None:
            return from_a_person or isinstance(given.message, RoundFound)
        return self.gap_due and from_a_person

    def offer(self, given: Input, desk: Desk) -> Outcome:
        """Take a key, a badge or a round that was looked up."""
        role = desk.settings.role(given.message.number) if isinstance(given.message, Badge) else None
        if role is Role.DEALER and isinstance(given.message, Badge):
            return self._dealer(given.message.number, desk)
        credential = floor_credential(given, desk)
        if self.menu is not None:
            return self._to_menu(self.menu, given, credential)
        if credential is None:
            if isinstance(given.message, Badge):
                desk.notice = f"BADGE {given.message.number} MAY NOTHING HERE"[:LINE]
            return Taken.IGNORED
        items = (PLAYED,) if self.gap_due else self._items(desk)
        table = desk.table
        seats = range(1, table.setup.seats + 1)
        self.menu = FloorMenu(credential, items, table.state.round, seats, table.state.barred)
        return Taken.HELD

    def _items(self, desk: Desk) -> tuple[str, ...]:
        """What can be done now, the first things first."""
        if desk.table.stage not in _BETWEEN_ROUNDS:
            return (SUSPEND, LOOK, *((PLAYED,) if self.restarted else ()))
        orders = possible(desk.table)
        if self.restarted and PLAYED in orders:
            orders = (PLAYED, *(order for order in orders if order != PLAYED))
        return (*orders, SUSPEND, LOOK, CORRECT, *self._change_over(desk))

    def _change_over(self, desk: Desk) -> tuple[str, ...]:
        """Training begins at a closed table, and ends between any two rounds."""
        if not desk.settings.may_change_over:
            return ()
        if desk.settings.training:
            return (END_TRAINING,)
        closed = desk.table.state.phase is Phase.CLOSED and not desk.table.state.decks
        return (BEGIN_TRAINING,) if closed else ()

    def _to_menu(self, menu: FloorMenu, given: Input, credential: str | None) -> Outcome:
        key = key_of_press(given)
        if credential is not None:
            counted = menu.badge(credential)
        elif isinstance(given.message, RoundFound):
            counted = menu.found(given.message)
        else:
            counted = key is not None and menu.key(key)
        if menu.cancelled or menu.said is not None:
            self.menu = None
        if menu.said is not None:
            return self._said(menu.said)
        return Taken.HELD if counted else Taken.IGNORED

    def _said(self, said: Said) -> Outcome:
        if isinstance(said, Order) and said.kind in (BEGIN_TRAINING, END_TRAINING):
            self.changes_over = True
            return TableOrdered(said.kind, "", 0, said.credential)
        if isinstance(said, Order) and said.kind == PLAYED:
            self.gap_due = False
        return said

    def _dealer(self, number: str, desk: Desk) -> Outcome:
        if number == desk.table.state.dealer:
            desk.notice = f"DEALER {number} IS AT THE TABLE"[:LINE]
            return Taken.HELD
        between = desk.table.stage in _BETWEEN_ROUNDS
        desk.notice = f"DEALER {number}{'' if between else ' FROM THE NEXT ROUND'}"[:LINE]
        return Order(DEALER_CHANGE, number)

    # What is shown

    def prompt(self, desk: Desk) -> Prompt | None:
        """What the panel shows for them; None where it is the act's turn."""
        shown = self._prompt(desk)
        return None if shown is None else self.told(shown)

    def told(self, shown: Prompt) -> Prompt:
        """The same, or in its place that the badge for which it asks could not be read."""
        return replace(shown, text=UNREAD) if self._unread_at and shown.text == self._unread_at else shown

    def _prompt(self, desk: Desk) -> Prompt | None:
        if self.standstill is not None:
            return self.standstill.prompt(key_switch=desk.key_switch_counts)
        if self.menu is not None:
            return self.menu.prompt()
        if self.gap_due:
            keys = ("floor_key",) if desk.key_switch_counts else ()
            return Prompt("CARDS WERE DEALT: FLOORPERSON'S BADGE", keys)
        return None

    def marked(self, text: str, notice: str) -> str:
        """The notice; else the act's line, with the mark that the round was taken up again where there is room for it.

        A badge that this line asks for and that could not be read comes before either.
        """
        if self._unread_at and text == self._unread_at:
            return UNREAD
        if notice or not self.resumed:
            return notice or text
        room = len(text) + len(RESUMED) <= LINE and not _ASKS.search(text) and not text.endswith("_")
        return text + RESUMED if room else text


def floor_credential(given: Input, desk: Desk) -> str | None:
    """The floorperson's badge that was presented, or the key switch where that stands for one."""
    badge = desk.is_floorperson(given.message)
    if badge is None and key_of_press(given) == "floor_key" and desk.key_switch_counts:
        return "key switch"
    return badge
