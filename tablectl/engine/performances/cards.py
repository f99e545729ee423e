"""Cards that are counted face down, and cards that are turned up."""

from __future__ import annotations

from typing import Final

from tablectl.cards import Card
from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import Input
from tablectl.engine.menu import DIGITS, ENTER, NO, YES, Digits
from tablectl.engine.performances.keys import CardKeys, key_of_press, words
from tablectl.engine.prompts import Prompt, key_of, position_of
from tablectl.equipment import CardScanned, CardUnreadable, KeyPressed, Kind
from tablectl.procedure import instructions as acts

__all__ = ["BUTTON", "Count", "Turn"]

BUTTON: Final = "BUTTON"
"""What is shown of a card that decides who has the button."""

_ONE_DECK: Final = 53


class Count(Performance):
    """A count face down: the number that the dealer keys; if the deck is wrong, who has the wrong number."""

    def __init__(self, act: acts.CountCards, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._digits = Digits(most=3)
        self._total: int | None = None
        self._misdealt = False

    def begin(self) -> Answer:
        return Taken.HELD if self._act.due or self._desk.count_wanted else Done(None)

    def offer(self, given: Input) -> Answer:
        answer = self._key(given)
        if isinstance(answer, Done):
            self._desk.count_wanted = False
        return answer

    def _key(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key is None:
            return Taken.IGNORED
        if self._misdealt and self._total is not None:
            position = position_of(key)
            known = position in self._desk.positions()
            return Done(acts.CardsCount(self._total, True, position)) if known else Taken.IGNORED
        if self._total is not None:
            if key == NO:
                return Done(acts.CardsCount(self._total, False, None))
            self._misdealt = key == YES
            return Taken.HELD if self._misdealt else Taken.IGNORED
        if self._digits.key(key):
            return Taken.HELD
        if key != ENTER or self._digits.value is None:
            return Taken.IGNORED
        self._total = self._digits.value + self._act.whole - self._act.expected
        return Done(acts.CardsCount(self._total, False, None)) if self._total == self._act.whole else Taken.HELD

    def prompt(self) -> Prompt:
        if self._misdealt:
            return Prompt("WHO HAS THE WRONG NUMBER?", tuple(key_of(place) for place in self._desk.positions()))
        if self._total is not None:
            return Prompt(f"DECK COUNTS {self._total}: CARDS MISDEALT?", (YES, NO))
        return Prompt(f"COUNT THE {self._act.what.upper()}: {self._digits.text}_", (*DIGITS, ENTER))


class Turn(Performance):
    """Cards turned up: shown to the scanner, keyed, or, where the shoe has read them, the dealer's own act alone.

    Where the table shows other cards than the shoe has read, they are shown or keyed once more; if they still differ, a
    floorperson looks. The round is settled from what lies on the table.
    """

    def __init__(
        self, act: acts.Expose | acts.ExposeVoided | acts.TurnUpHands | acts.TurnFaceUp | acts.Show, desk: Desk
    ) -> None:
        self._act = act
        self._desk = desk
        self._read = all(face_down.card is not None for face_down in act.cards)
        self._seen: list[Card] = []
        self._again: Card | None = None
        self._keys = CardKeys(desk)
        self._differed = False
        self._floor_looks = False

    def begin(self) -> Answer:
        if not self._read:
            return Taken.HELD
        dealt_up = isinstance(self._act, acts.Expose) and self._act.dealt_up
        seen = self._act.position.kind == "seat" and not self._desk.picture.awaited(Kind.CARD_SCANNER)
        return self._as_read() if dealt_up or seen else Taken.HELD

    def offer(self, given: Input) -> Answer:
        if self._floor_looks:
            return self._floor(given)
        match given.message:
            case CardScanned(seen):
                return self._see(seen, keyed=False)
            case CardUnreadable():
                self._desk.notice = "NOT READABLE: KEY THE CARD"
                return Taken.HELD
            case KeyPressed("expose") if self._read and not self._seen and not self._differed:
                return self._as_read()
            case KeyPressed(key):
                keyed = self._keys.key(key)
                if keyed is None:
                    return Taken.HELD if self._keys.begun(key) else Taken.IGNORED
                return self._see(keyed, keyed=True)
            case _:
                return Taken.IGNORED

    def prompt(self) -> Prompt:
        keys = self._keys.lit
        where = f"{_hand_of(self._act)}: "
        if self._floor_looks:
            return Prompt(f"{where}CARDS DIFFER: FLOOR'S BADGE", ("floor_key",))
        if self._differed:
            return Prompt(f"{where}AGAIN CARD {len(self._seen) + 1} OF {len(self._act.cards)}", keys)
        if self._read and not self._seen:
            return Prompt(f"{where}TURN UP, THEN EXPOSE", ("expose", *keys))
        return Prompt(f"{where}CARD {len(self._seen) + 1} OF {len(self._act.cards)}", keys)

    def _as_read(self) -> Answer:
        return Done(acts.Exposed(tuple(c.card for c in self._act.cards if c.card is not None)))

    def _see(self, seen: Card, *, keyed: bool) -> Answer:
        if seen in self._seen and not self._is_another(seen, keyed=keyed):
            return Taken.HELD if keyed else Taken.IGNORED
        self._again = None
        self._seen.append(seen)
        if len(self._seen) < len(self._act.cards):
            return Taken.HELD
        read = [c.card for c in self._act.cards if c.card is not None]
        possible = [*read, *(c.card for c in self._act.among)]
        strange = self._act.among and None not in possible and any(c not in possible for c in self._seen)
        if strange or any(c not in self._seen for c in read):
            return self._differ()
        return self._as_read() if self._read else Done(acts.Exposed(tuple(self._seen)))

    def _is_another(self, seen: Card, *, keyed: bool) -> bool:
        """Whether a card that was seen in this hand is there twice: of one deck it is keyed once more to say so."""
        if self._desk.table.game.deck > _ONE_DECK or (keyed and self._again is seen):
            return True
        self._again = seen if keyed else None
        self._desk.notice = f"{words(str(seen))} WAS SEEN: KEY IT AGAIN IF TWICE"
        return False

    def _differ(self) -> Answer:
        """The first time the cards are shown once more, the second time a floorperson looks."""
        if self._differed:
            self._floor_looks = True
        else:
            self._differed = True
            self._seen = []
        return Taken.HELD

    def _floor(self, given: Input) -> Answer:
        credential = self._desk.is_floorperson(given.message)
        switched = key_of_press(given) == "floor_key" and self._desk.picture.find(Kind.CREDENTIAL_READER) is None
        if credential is None and not switched:
            return Taken.IGNORED
        self._desk.conflicts.append(self._act.position)
        return Done(acts.Exposed(tuple(self._seen)))


def _hand_of(act: acts.Expose | acts.ExposeVoided | acts.TurnUpHands | acts.TurnFaceUp | acts.Show) -> str:
    where = str(act.position).upper()
    if isinstance(act, acts.TurnUpForButton):
        return f"{where} {BUTTON}"
    return f"{where} {act.place}" if act.place else where
