"""The floorperson's menu on the panel: a badge opens it, keys choose, and what was chosen is an order or a record.

Only what can be done now is in it. A past round is shown line by line, as the journal has it; a payment is put right by
choosing the record that was wrong, and takes the badge once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tablectl.engine.inputs import RoundFound, SettledRow
from tablectl.engine.menu import CANCEL, DIGITS, ENTER, IRREGULARITY, NEXT, PREVIOUS, Digits
from tablectl.engine.prompts import Prompt
from tablectl.equipment import MeterReason
from tablectl.events import PaymentCorrected
from tablectl.money import ZERO, Money, show
from tablectl.procedure.instructions import Order
from tablectl.procedure.jackpot_orders import CARRIED, WON_ELSEWHERE, WON_HERE
from tablectl.procedure.orders import BAR, PLAYED, UNBAR
from tablectl.procedure.reconciliation import METER_DOWN, METER_RIGHT

__all__ = [
    "BEGIN_TRAINING",
    "CORRECT",
    "END_TRAINING",
    "GAP_REASONS",
    "LOOK",
    "SUSPEND",
    "SUSPEND_REASONS",
    "FloorMenu",
    "Said",
    "Suspension",
]

LOOK, CORRECT, SUSPEND = "look", "correct", "suspend"
BEGIN_TRAINING, END_TRAINING = "begin_training", "end_training"
GAP_REASONS: Final = {"digit_1": "power", "digit_2": "controller", "digit_3": "equipment", "digit_4": "other"}
SUSPEND_REASONS: Final = {"digit_1": "emergency", "digit_2": "dispute", "digit_3": "equipment", "digit_4": "other"}
METER_REASONS: Final = {
    "digit_1": MeterReason.CORRECTION,
    "digit_2": MeterReason.OVER_LIMIT,
    "digit_3": MeterReason.SEED_RECOVERY,
}
_TITLES: Final = {
    "recut": "RECUT",
    "reshuffle": "RESHUFFLE",
    "change_deck": "CHANGE THE DECK",
    "change_dice": "CHANGE THE DICE",
    BAR: "BAR A SEAT",
    UNBAR: "LET A BARRED SEAT PLAY",
    "limits_notice": "NOTICE OF NEW LIMITS IS POSTED",
    PLAYED: "PLAYED WITHOUT CONTROLLER",
    METER_DOWN: "TAKE MONEY OFF THE METER",
    METER_RIGHT: "THE METER IS RIGHT",
    "bad_beat_paid": "PAY A BAD BEAT",
    "bad_beat_box": "BAD BEAT BOX TO THE CAGE",
    "bad_beat_counted": "BAD BEAT COUNTED IN THE CAGE",
    "bad_beat_display": "ADJUST THE BAD BEAT DISPLAY",
    "bad_beat_end": "END THE BAD BEAT",
    "high_hand_paid": "PAY A HIGH HAND",
    "high_hand_box": "HIGH HAND BOX TO THE CAGE",
    "high_hand_counted": "HIGH HAND COUNTED IN THE CAGE",
    "high_hand_display": "ADJUST THE HIGH HAND DISPLAY",
    "high_hand_unclaimed": "HIGH HAND WAS NOT CLAIMED",
    WON_HERE: "HIGH HAND WAS WON HERE",
    WON_ELSEWHERE: "HIGH HAND WON AT ANOTHER TABLE",
    CARRIED: "NO FULL HOUSE: CARRY IT OVER",
    "set_card_aside": "SET A CARD ASIDE",
    "replace_card": "REPLACE A CARD",
    "shuffler_back": "THE SHUFFLER WORKS AGAIN",
    "shoe_back": "THE SHOE WORKS AGAIN",
    "close": "CLOSE THE TABLE",
    LOOK: "LOOK AT A ROUND",
    CORRECT: "PUT A PAYMENT RIGHT",
    SUSPEND: "SUSPEND PLAY",
    BEGIN_TRAINING: "BEGIN TRAINING",
    END_TRAINING: "END TRAINING",
}
_WITH_SUM: Final = {
    "bad_beat_counted": "COUNTED",
    "bad_beat_display": "FINANCE HAS",
    "high_hand_counted": "COUNTED",
    "high_hand_display": "FINANCE HAS",
    WON_HERE: "POOLED AMOUNT",
    WON_ELSEWHERE: "POOLED AMOUNT",
    CARRIED: "POOLED AMOUNT",
}
"""Orders that need an amount, which may be zero, and how it is asked."""
_QUESTIONS: Final[dict[str, tuple[str, ...]]] = {
    BAR: ("seat",),
    UNBAR: ("seat",),
    PLAYED: ("rounds", "why"),
    METER_DOWN: ("meter reason", "meter sum"),
    **dict.fromkeys(_WITH_SUM, ("sum",)),
    LOOK: ("round", "lines"),
    CORRECT: ("round", "row", "amount", "approval"),
    SUSPEND: ("why",),
}
"""What has to be said of each; orders that are not listed say all by themselves."""


@dataclass(frozen=True, slots=True)
class Suspension:
    """Play is to stand still, for that reason, by order of that credential."""

    reason: str
    credential: str


Said: TypeAlias = Order | Suspension | PaymentCorrected
"""What comes of the menu."""


class Amount:
    """Dollars that are being keyed, cents behind the point."""

    def __init__(self) -> None:
        self.text = ""

    def key(self, key: str) -> bool:
        """Take a digit or the point; False for any other key."""
        _, point, cents = self.text.partition(".")
        if key == "point" and not point and self.text:
            self.text += "."
        elif key in DIGITS and len(cents) < 2 and (point or len(self.text) < 7):
            self.text += key.removeprefix("digit_")
        else:
            return False
        return True

    @property
    def keyed(self) -> Money | None:
        """The amount, None while nothing was keyed."""
        dollars, _, cents = self.text.partition(".")
        return Money(int(dollars) * 100 + int(cents.ljust(2, "0"))) if self.text else None

    @property
    def value(self) -> Money | None:
        """The amount, None while nothing above zero was keyed."""
        return self.keyed or None


class FloorMenu:
    """One visit of a floorperson. `key`, `badge` and `found` take what is done; `said` is set when all is said.

    `items` are what may be chosen, the first things first; one alone is chosen already. `last` is the round that is
    offered first, `seats` those that may be barred, `barred` those that may be let play. `sought` is the number of a
    round that has to be looked up in the journal and given to `found`.
    """

    def __init__(
        self,
        credential: str,
        items: Sequence[str],
        last: int,
        seats: Sequence[int],
        barred: Sequence[int],
    ) -> None:
        self._credential = credential
        self._items = tuple(items)
        self._last = last
        self._seats = {BAR: [n for n in seats if n not in barred], UNBAR: list(barred)}
        self._place = 0
        self._item = ""
        self._questions: list[str] = []
        self._number = 0
        self._digits = Digits(most=6)
        self._amount = Amount()
        self._takes_back = False
        self._reason = ""
        self._page: RoundFound | None = None
        self._row: SettledRow | None = None
        self.sought: int | None = None
        self.said: Said | None = None
        self.cancelled = False
        if len(self._items) == 1:
            self._choose()

    # What is done

    def key(self, key: str) -> bool:
        """Take a press; False when it does not count now."""
        if key in (CANCEL, IRREGULARITY):
            self.cancelled = True
            return True
        if not self._item:
            return self._turn(key, len(self._items)) or (key == ENTER and self._choose())
        if self.sought is not None:
            return False
        match self._questions[0]:
            case "seat":
                return self._seat(key)
            case "rounds" | "round":
                return self._digit(key)
            case "why":
                return self._why(key)
            case "lines":
                return self._look(key)
            case "row":
                return self._choose_row(key)
            case "amount":
                return self._pay(key)
            case "meter reason" | "meter sum":
                return self._meter_down(key)
            case "sum":
                return self._sum(key)
            case _:
                return False

    def badge(self, credential: str) -> bool:
        """A floorperson's badge was presented once more: it approves what is asked for approval."""
        amount, row = self._amount.value, self._row
        if self._questions[:1] != ["approval"] or amount is None or row is None:
            return False
        paid, collected = (ZERO, amount) if self._takes_back else (amount, ZERO)
        s = row.settled
        self.said = PaymentCorrected(row.sequence, self._number, s.seat, s.wager, s.hand, paid, collected, credential)
        return True

    def found(self, page: RoundFound) -> bool:
        """The journal has been looked at; False if that was for somebody else."""
        if page.round != self.sought:
            return False
        self.sought, self._page, self._place = None, page, 0
        return True

    def _turn(self, key: str, among: int) -> bool:
        if key not in (NEXT, PREVIOUS) or not among:
            return False
        self._place = (self._place + (1 if key == NEXT else -1)) % among
        return True

    def _choose(self) -> bool:
        self._item = self._items[self._place]
        self._questions = list(_QUESTIONS.get(self._item, ()))
        self._place = 0
        if not self._questions:
            self.said = Order(self._item, self._credential)
        return True

    def _seat(self, key: str) -> bool:
        seat = next((number for number in self._seats[self._item] if key == f"seat_{number}"), None)
        if seat is not None:
            self.said = Order(self._item, self._credential, number=seat)
        return seat is not None

    def _digit(self, key: str) -> bool:
        if self._digits.key(key):
            return True
        asked = self._questions[0]
        number = self._digits.value
        if number is None and asked == "round":
            number = self._last
        if key != ENTER or number is None:
            return False
        self._number = number
        del self._questions[0]
        if asked == "round":
            self.sought = number
        return True

    def _why(self, key: str) -> bool:
        reason = (GAP_REASONS if self._item == PLAYED else SUSPEND_REASONS).get(key)
        if reason is None:
            return False
        if self._item == PLAYED:
            self.said = Order(PLAYED, self._credential, reason, self._number)
        else:
            self.said = Suspension(reason, self._credential)
        return True

    def _meter_down(self, key: str) -> bool:
        if self._questions[0] == "meter reason":
            reason = METER_REASONS.get(key)
            if reason is None:
                return False
            self._reason = reason.value
            del self._questions[0]
            return True
        amount = self._amount.value
        if key != ENTER or amount is None:
            return self._amount.key(key)
        self.said = Order(METER_DOWN, self._credential, self._reason, amount)
        return True

    def _sum(self, key: str) -> bool:
        amount = self._amount.keyed
        if key != ENTER or amount is None:
            return self._amount.key(key)
        self.said = Order(self._item, self._credential, number=amount)
        return True

    def _look(self, key: str) -> bool:
        if key == ENTER:
            self.cancelled = True
            return True
        return self._turn(key, len(self._lines))

    def _choose_row(self, key: str) -> bool:
        rows = () if self._page is None else self._page.rows
        if key == ENTER and rows:
            self._row = rows[self._place]
            del self._questions[0]
            return True
        return self._turn(key, len(rows))

    def _pay(self, key: str) -> bool:
        if key in (NEXT, PREVIOUS):
            self._takes_back = not self._takes_back
            return True
        if key == ENTER and self._amount.value is not None:
            del self._questions[0]
            return True
        return self._amount.key(key)

    # What is shown

    @property
    def _lines(self) -> tuple[str, ...]:
        return () if self._page is None else self._page.lines

    def prompt(self) -> Prompt:
        """What is asked now."""
        if not self._item:
            return Prompt(f"FLOOR: {_TITLES[self._items[self._place]]}", (NEXT, PREVIOUS, ENTER, CANCEL))
        if self.sought is not None:
            return Prompt(f"ROUND {self.sought}: LOOKING IT UP", (CANCEL,))
        match self._questions[0]:
            case "seat":
                what = "BAR" if self._item == BAR else "LET PLAY"
                return Prompt(f"{what}: WHICH SEAT?", (*(f"seat_{n}" for n in self._seats[self._item]), CANCEL))
            case "rounds":
                return Prompt(f"ROUNDS PLAYED WITHOUT: {self._digits.text}_", (*DIGITS, ENTER, CANCEL))
            case "round":
                return Prompt(f"WHICH ROUND? ENTER: {self._last}. {self._digits.text}_", (*DIGITS, ENTER, CANCEL))
            case "why":
                if self._item == PLAYED:
                    return Prompt("WHY? 1 POWER 2 CONTROL 3 DEVICE 4 OTHER", (*GAP_REASONS, CANCEL))
                return Prompt("1 EMERGENCY 2 DISPUTE 3 DEVICE 4 OTHER", (*SUSPEND_REASONS, CANCEL))
            case "meter reason":
                return Prompt("1 CORRECTION 2 OVER LIMIT 3 SEED BACK", (*METER_REASONS, CANCEL))
            case "meter sum":
                return Prompt(f"OFF THE METER: {self._amount.text}_", (*DIGITS, "point", ENTER, CANCEL))
            case "sum":
                return Prompt(f"{_WITH_SUM[self._item]}: {self._amount.text}_", (*DIGITS, "point", ENTER, CANCEL))
            case "lines" | "row" if self._nothing_there:
                return Prompt(f"ROUND {self._number}: {self._nothing_there}", (CANCEL,))
            case "lines":
                return Prompt(self._lines[self._place], (NEXT, PREVIOUS, ENTER, CANCEL))
            case _:
                return self._correction()

    @property
    def _nothing_there(self) -> str:
        if not self._lines:
            return "NOT IN THE JOURNAL"
        rows = self._page is not None and self._page.rows
        return "" if rows or self._item == LOOK else "NOTHING IS SETTLED"

    def _correction(self) -> Prompt:
        if self._questions[0] == "row":
            assert self._page is not None
            return Prompt(f"{_named(self._page.rows[self._place])}?", (NEXT, PREVIOUS, ENTER, CANCEL))
        assert self._row is not None
        way = "TAKE BACK" if self._takes_back else "PAY"
        if self._questions[0] == "amount":
            keys = (*DIGITS, "point", NEXT, PREVIOUS, ENTER, CANCEL)
            return Prompt(f"{way} {self._amount.text}_: {_named(self._row, result=False)}", keys)
        amount = self._amount.value
        return Prompt(f"SEAT {self._row.settled.seat} {way} {show(amount or ZERO)}? BADGE", (CANCEL,))


def _named(row: SettledRow, *, result: bool = True) -> str:
    """The wager of a record, as short as the line needs it."""
    s = row.settled
    hand = f" {s.hand}" if s.hand else ""
    said = f" {s.result}" if result else ""
    return f"SEAT {s.seat} {s.wager}{hand}{said}".replace("_", " ").upper()
