"""A robot dealer: reads the panel's line and lamps, and does what a person at the table would do, act by act.

It knows what a person knows: what the players want, and which cards lie where. It never sees the daemon from inside.
One scripted round at a time; `RobotDealer.act` looks at the table and says the next act, or None while there is nothing
to do but wait.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tablectl.cards import Card, deck, position
from tablectl.engine.gate import REASONS
from tablectl.engine.prompts import Prompt, key_of
from tablectl.engine.scenario import Incident, Moment, RoundScript
from tablectl.money import show
from tablectl.procedure.game import Game

__all__ = ["Act", "Kit", "RobotDealer", "View"]

FLOORPERSON: Final = "4711"


_DECK_IS_HERE: Final = re.compile(r"DECK \d+( IS HERE)?: ")


@dataclass(frozen=True, slots=True)
class Kit:
    """Which equipment the table has: ids of devices, None for what it lacks."""

    shoe: str | None = None
    dispenses: bool = False
    reads: bool = False
    shuffler: str | None = None
    wagers: str | None = None
    scanner: str | None = None
    reader: str | None = None
    panel: str = "panel"

    @property
    def devices(self) -> tuple[str, ...]:
        """The ids of all of it."""
        ids = (self.panel, self.shoe, self.shuffler, self.wagers, self.scanner, self.reader)
        return tuple(id for id in ids if id is not None)


@dataclass(frozen=True, slots=True)
class View:
    """What can be seen: the panel, and devices that wait for a hand (id to order)."""

    prompt: Prompt
    told: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Act:
    """One act on one device. `shows`: the panel changes when it has been understood, so wait for that."""

    device: str
    name: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    shows: bool = True


class RobotDealer:
    """Deals one scripted round.

    `order` are the acts of the round as the script has them: where each card goes. `chips` are the spots of sensors on
    which something still lies from the round before: the players take that away first.
    """

    def __init__(
        self,
        game: Game,
        script: RoundScript,
        order: Sequence[str],
        kit: Kit,
        chips: Sequence[tuple[int, str]] = (),
    ) -> None:
        self._game = game
        self._script = script
        self._kit = kit
        self._places = _places(order)
        self._cards = _cards(game, script)
        self._hands: dict[str, list[Card]] = {}
        for number, place in enumerate(self._places):
            self._hands.setdefault(place, []).append(self._cards[number])
        self._out = 0
        self._wagers = [
            (seat, wager, wagers[wager])
            for seat, wagers in sorted(script.wagers.items())
            for wager in game.opening
            if wager in wagers
        ]
        self._chips = list(chips) if kit.wagers is not None else []
        self._keyed: list[str] = []
        self._cleared = False
        self._put_right: list[str] = []
        self._decisions = {seat: list(verbs) for seat, verbs in script.decisions.items()}
        self._asked: dict[int, int] = {}
        self._asking: int | None = None
        self.incidents = [i for i in script.incidents if not self._is_shown_by_the_shoe(i)]
        self._reporting: tuple[Incident, int] | None = None
        self._card_first = False
        self._face_up = self._face_up_cards()
        self._shown = 0
        self._badge_shown = False
        self.done = False

    @property
    def cards_out(self) -> int:
        """How many cards have left so far."""
        return self._out

    def shoe_load(self) -> list[str]:
        """The cards as they are put into a shoe for this round."""
        up = self._face_up
        return [f"{'^' if number in up else ''}{card}" for number, card in enumerate(self._cards, 1)]

    def act(self, view: View) -> Act | None:
        """The next act, or None while nothing is to be done."""
        text, lit = view.prompt.text, view.prompt.lit
        if self._reporting is not None or text.startswith("IRREGULARITY:"):
            return self._report(view)
        for react in (
            self._floor,
            self._shuffle,
            self._notice,
            self._collect,
            self._tell_count,
            self._deal,
            self._count,
            self._decide,
        ):
            act = react(text, lit, view)
            if act is not None:
                return act
        return self._expose(text, lit, view)

    def _press(self, key: str) -> Act:
        return Act(self._kit.panel, "press", {"key": key})

    # Irregularities

    def _notice(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        """Report what is to be noticed at this moment."""
        if "irregularity" not in lit:
            return None
        incident = self._due(text, lit, view)
        if incident is None:
            return None
        self.incidents.remove(incident)
        self._reporting = incident, self._out
        if incident.kind == "deck_count" and incident.at.kind == "count":
            self._reporting = None
            return self._press("count_stub")
        return self._press("irregularity")

    def _due(self, text: str, lit: tuple[str, ...], view: View) -> Incident | None:
        for incident in self.incidents:
            if self._is_moment(incident, text, lit, view):
                return incident
        return None

    def _is_moment(self, incident: Incident, text: str, lit: tuple[str, ...], view: View) -> bool:
        at = incident.at
        match at.kind:
            case "card":
                by_stack = self._kit.shoe in view.told and at.number <= self._out + self._stack()
                by_hand = "dealt" in lit and at.number <= len(self._places)
                after = 0 < at.number <= self._out
                return after or by_stack or by_hand
            case "decision":
                asked = _seat(text) == at.number and bool(self._verbs(lit))
                return asked and self._asked.get(at.number, 0) + (self._asking != at.number) == at.time
            case "count":
                if incident.kind == "deck_count":
                    return "dealt" in lit or text.startswith(("DEAL CARD", "TAKE THE STACK"))
                return text.startswith("COUNT THE")
            case "reveal":
                return text.startswith("DEALER:")
            case "settle":
                return _seat(text) == at.number and not self._verbs(lit) and ("CARD" in text or "expose" in lit)
            case "shuffle":
                return "shuffled" in lit or self._kit.shuffler in view.told
            case _:
                return False

    def _report(self, view: View) -> Act | None:
        text = view.prompt.text
        assert self._reporting is not None
        incident, out = self._reporting
        if self._card_first and text.startswith("IRREGULARITY:"):
            self._card_first = False
            self._out += 1
            return Act(self._kit.shoe or "", "take_card", shows=False)
        if text.startswith("IRREGULARITY:"):
            wanted = incident.kind.replace("_", " ").upper()
            return self._press("enter" if text == f"IRREGULARITY: {wanted}" else "next")
        if "WHERE?" in text:
            assert incident.position is not None
            return self._press(key_of(incident.position))
        if text.startswith("WAS ITS FACE SEEN"):
            return self._press("yes" if incident.exposed else "no")
        if text.startswith("DEAL BY:"):
            wanted = "NO OTHER METHOD" if incident.then is None else incident.then.value.replace("_", " ").upper()
            return self._press("enter" if text == f"DEAL BY: {wanted}" else "next")
        if text.startswith(("CARDS DEALT SO FAR", "CARDS COUNTED")):
            number = out if text.startswith("CARDS DEALT") else incident.count or 0
            if text.startswith("CARDS DEALT") and incident.at.kind == "card":
                number = incident.at.number - (incident.kind == "card_face_up")
            return self._number(text, number)
        self._reporting = None
        return self.act(view)

    def _number(self, text: str, number: int) -> Act:
        keyed = text.rsplit(":", 1)[1].strip().rstrip("_")
        wanted = str(number)
        return self._press("enter" if keyed == wanted else f"digit_{wanted[len(keyed)]}")

    # People and decks

    def _floor(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        if text.endswith("BADGE"):
            reader = self._kit.reader
            if reader is None or (text.startswith(f"{reader.upper()} LOST") and "floor_key" in lit):
                return self._press("floor_key")
            return Act(reader, "badge", {"number": FLOORPERSON})
        if _DECK_IS_HERE.search(text):
            return self._press(lit[0])
        said = next((key for key in ("done", "cut", "new_deck", "removed", "void_round") if key in lit), None)
        if said is not None:
            return self._press(said)
        reasons = [key for key in lit if key in REASONS]
        if reasons and "enter" not in lit:
            device = self._device(text)
            if len(reasons) == 1 and device and " LOST" not in text and device not in self._put_right:
                self._put_right.append(device)
                return Act(device, "clear")
            return self._press("digit_3" if "digit_3" in reasons else reasons[0])
        return None

    def _device(self, text: str) -> str | None:
        """The device that the line begins with."""
        return next((id for id in self._kit.devices if text.startswith(f"{id.replace('_', ' ').upper()} ")), None)

    def _shuffle(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        if "shuffle" in lit:
            assert self._kit.shuffler is not None
            self._cleared = not self._cleared
            return Act(self._kit.shuffler, "clear", shows=False) if self._cleared else self._press("shuffle")
        if self._kit.shuffler in view.told and not self._due(text, lit, view):
            return Act(self._kit.shuffler or "", "finish")
        if "shuffled" in lit and not self._due(text, lit, view):
            return self._press("shuffled")
        return None

    # Wagers

    def _collect(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        if text.startswith("WAGERS:"):
            if self._chips:
                seat, wager = self._chips.pop(0)
                act = {"seat": seat, "wager": wager}
                return Act(self._kit.wagers or "", "lift", act, shows=wager in self._game.opening)
            if self._wagers:
                seat, wager, amount = self._wagers.pop(0)
                if self._kit.wagers is not None:
                    return Act(self._kit.wagers, "put", {"seat": seat, "wager": wager, "amount": show(amount)})
                digits = show(amount)
                self._keyed = [wager, *("point" if c == "." else f"digit_{c}" for c in digits), "enter"]
                return self._press(f"seat_{seat}")
            return self._press("no_more_bets")
        if self._keyed:
            return self._press(self._keyed.pop(0))
        return None

    # Cards

    def _tell_count(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        """A shoe has lost count of what left it: say what lies on the table."""
        if text.startswith(("SHOE RESTARTED", "SHOE COUNTS")):
            return self._number(text, self._out)
        if text.startswith("DID ") and text.endswith(" GET ITS STACK?"):
            self._out += self._stack()  # it lies where the shoe has given it out
            return self._press("yes")
        return None

    def _deal(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        if self._kit.shoe is not None and self._kit.shoe in view.told:
            self._out += self._stack()
            return Act(self._kit.shoe, "take_stack")
        if text.startswith(f"DEAL CARD {self._out + 1} "):
            if self._out + 1 in self._face_up and not self._kit.reads:
                return self._found_face_up(self._out + 1)
            noticed = next((i for i in self.incidents if i.at == Moment("card", self._out + 1)), None)
            if noticed is not None and "irregularity" in lit:  # the hand is on the key as the card leaves
                self.incidents.remove(noticed)
                self._reporting = noticed, self._out + 1
                self._card_first = True
                return self._press("irregularity")
            self._out += 1
            return Act(self._kit.shoe or "", "take_card")
        if "dealt" in lit and not text.startswith("WAITING"):
            face_up = next((n for n in self._face_up if n > self._out and n <= len(self._places)), None)
            if face_up is not None:
                return self._found_face_up(face_up)
            if self._kit.shoe is not None and not self._kit.dispenses and self._out < len(self._places):
                self._out += 1  # the cards leave the shoe all the same, though nobody is told
                return Act(self._kit.shoe, "take_card", {}, shows=False)
            self._out = len(self._places)
            return self._press("dealt")
        return None

    def _found_face_up(self, number: int) -> Act:
        """Report a card that the equipment cannot see to be face up."""
        self._face_up = [n for n in self._face_up if n != number]
        incident = Incident.model_validate({"at": f"card {number}", "kind": "card_face_up"})
        self._reporting = incident, self._out
        return self._press("irregularity")

    def _stack(self) -> int:
        """How many cards the stack that is taken next has: up to the third usable one for the same place."""
        good, number = 0, self._out
        while good < self._game.hand and number < len(self._places):
            good += self._places[number] != "rack"
            number += 1
        return number - self._out

    def _count(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        told = next((i for i in self._script.incidents if i.kind == "deck_count" and i.at.kind == "count"), None)
        if text.startswith("COUNT THE"):
            total = self._game.deck if told is None or told.count is None else told.count
            return self._number(text, total - self._out)
        if text.startswith("DECK COUNTS"):
            return self._press("yes" if told is not None and told.misdealt else "no")
        if text.startswith("WHO HAS") and told is not None and told.position is not None:
            return self._press(key_of(told.position))
        return None

    # Decisions and the end

    def _verbs(self, lit: tuple[str, ...]) -> list[str]:
        return [key for key in lit if key in _VERBS]

    def _decide(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        seat = _seat(text)
        if seat is None or not self._verbs(lit):
            return None
        if "LEAVES" in text:
            return self._press("enter")
        if view.prompt.standing:
            return None  # it stands, and becomes final by itself
        if self._asking != seat:
            self._asking = seat
            self._asked[seat] = self._asked.get(seat, 0) + 1
        decision = self._decisions[seat].pop(0).split()[0]
        if decision == "bet" and self._kit.wagers is not None:
            return self._bet_chips(seat)
        return self._press(decision)

    def _bet_chips(self, seat: int) -> Act:
        amount = self._script.wagers[seat]["ante"]
        return Act(self._kit.wagers or "", "put", {"seat": seat, "wager": "play", "amount": show(amount)})

    def _expose(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        place = "dealer" if text.startswith("DEALER:") else f"seat {_seat(text)}" if _seat(text) else None
        if place is None:
            return None
        if self._kit.scanner is not None and ("expose" in lit or " OF " in text):
            return Act(self._kit.scanner, "show", {"card": str(self._next_card(place, text))})
        if "expose" in lit:
            return self._press("expose")
        if "CARD" not in text:
            return None
        card = self._next_card(place, text)
        self._keyed = [f"suit_{card.suit}"]
        return Act(self._kit.panel, "press", {"key": f"rank_{card.name[0]}"}, shows=False)

    def _next_card(self, place: str, text: str) -> Card:
        _, _, of = text.partition("CARD ")
        number = int(of.split()[0]) if of else 1
        return self._hands[place][number - 1]

    def _is_shown_by_the_shoe(self, incident: Incident) -> bool:
        return incident.kind == "card_face_up" and incident.at.kind == "card"

    def _face_up_cards(self) -> list[int]:
        listed = [number for number, card in enumerate(self._script.cards, 1) if card.face_up]
        told = [i.at.number for i in self._script.incidents if self._is_shown_by_the_shoe(i)]
        return sorted({*listed, *told})


_VERBS: Final = ("bet", "fold", "check", "call", "raise")


def _seat(text: str) -> int | None:
    words = text.split()
    if len(words) > 1 and words[0] == "SEAT":
        number = words[1].rstrip(":")
        return int(number) if number.isdecimal() else None
    return None


def _places(order: Sequence[str]) -> list[str]:
    """Where each card of the round went, by number."""
    return [position(act.split(" -> ")[1]).name for act in order if act.startswith("card ")]


def _cards(game: Game, script: RoundScript) -> list[Card]:
    listed = [card.card for card in script.cards]
    return [*listed, *(card for card in deck(joker=game.deck == 53) if card not in listed)]
