"""Decks that come to the table, and the steps that a dealer or a floorperson does with them and answers for."""

from __future__ import annotations

from typing import Final

from tablectl.engine.desk import Answer, Desk, Done, Performance, Taken
from tablectl.engine.inputs import Input
from tablectl.engine.performances.keys import key_of_press, words
from tablectl.engine.prompts import Prompt
from tablectl.procedure import instructions as acts

__all__ = ["AttestStep", "ByBadge", "Receive"]

_STEPS: Final = {
    "card_reader": "READER WORKS, UNTAMPERED",
    "inspect": "INSPECT THE CARDS FOR DEFECTS",
    "inspect_dice": "INSPECT ALL THE DICE",
    "shaker": "DICE IN THE SHAKER, AT THE TABLE",
    "take_shaker": "THE SHAKER IS IN YOUR CUSTODY",
    "shaker_away": "HAND THE SHAKER AND DICE OVER",
    "new_dice": "NEW DICE INTO THE SHAKER",
    "second_joker": "SECOND JOKER TORN UP, IF ANY",
    "verify": "VERIFY THE INSPECTION",
    "spread": "SPREAD FACE UP, SUITS IN SEQUENCE",
    "player_looked": "FIRST PLAYER HAS LOOKED",
    "wash": "TURN FACE DOWN AND WASH",
    "stack": "STACK THE CARDS",
    "progressive_count": "CHIPS AND SYSTEM DIFFER",
    "spread_idle": "SPREAD THE CARDS, FACE UP OR DOWN",
    "spread_face_down": "SHOE AND RACK: SPREAD FACE DOWN",
    "compliance_notice": "COMPLIANCE WAS TOLD OF THE COUNT",
    "pending_notice": "POST SIGN: DISPLAY IS PENDING",
    "call_for_payout": "CALL SECURITY OR FINANCE TO PAY",
}


class ByBadge(Performance):
    """Something that wants a floorperson: the badge, or the key switch where there is no reader."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._credential = ""

    def _badge(self, given: Input) -> bool:
        """Take the badge, or the key switch, if that is what it is."""
        badge = self._desk.is_floorperson(given.message)
        if badge is None and key_of_press(given) == "floor_key" and self._desk.key_switch_counts:
            badge = "key switch"
        if badge is None:
            return False
        self._credential = badge
        return True

    @property
    def _floor_keys(self) -> tuple[str, ...]:
        return ("floor_key",) if self._desk.key_switch_counts else ()


class AttestStep(ByBadge):
    """One step: the dealer's key DONE, a floorperson's badge, or the badge and then the key."""

    def __init__(self, act: acts.Attest, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act

    def offer(self, given: Input) -> Answer:
        if self._act.by != "dealer" and not self._credential:
            if not self._badge(given):
                return Taken.IGNORED
            return Done(acts.Attested(self._credential)) if self._act.by == "floorperson" else Taken.HELD
        if key_of_press(given) == "done":
            return Done(acts.Attested(self._credential or self._desk.table.state.dealer))
        return Taken.IGNORED

    def prompt(self) -> Prompt:
        text = _STEPS.get(self._act.step, words(self._act.step))
        if self._act.by != "dealer" and not self._credential:
            return Prompt(f"{text}: BADGE", self._floor_keys)
        return Prompt(f"{text}: DONE", ("done",))


class Receive(ByBadge):
    """A floorperson brings a deck: badge, then the key of its back's colour and, if it came so, PRESHUFFLED before."""

    def __init__(self, act: acts.ReceiveDeck, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._preshuffled = False

    def offer(self, given: Input) -> Answer:
        if not self._credential and self._badge(given):  # a second one opens the floorperson's menu
            return Taken.HELD
        key = key_of_press(given)
        if not self._credential or key is None:
            return Taken.IGNORED
        if key == "preshuffled" and not self._preshuffled:
            self._preshuffled = True
            return Taken.HELD
        back = next((back for back, name in self._backs.items() if name == key), None)
        if back is None:
            return Taken.IGNORED
        deck = f"deck-{self._act.number}"
        return Done(acts.NewDeck(deck, self._credential, back, self._preshuffled))

    @property
    def _backs(self) -> dict[str, str]:
        """The key of each colour that the deck may have."""
        if len(self._act.backs) == 1:
            return {self._act.backs[0]: "new_deck"}
        return {back: f"digit_{number}" for number, back in enumerate(self._act.backs, 1)}

    def prompt(self) -> Prompt:
        if not self._credential:
            return Prompt(f"DECK {self._act.number}: FLOORPERSON'S BADGE", self._floor_keys)
        keys = self._backs
        said = "PRESHUFFLED " if self._preshuffled else ""
        more = () if self._preshuffled else ("preshuffled",)
        if len(keys) == 1:
            return Prompt(f"{said}DECK {self._act.number} IS HERE: NEW DECK", (*keys.values(), *more))
        named = " ".join(f"{number} {words(back)}" for number, back in enumerate(keys, 1))
        return Prompt(f"{said}DECK {self._act.number}: {named}", (*keys.values(), *more))
