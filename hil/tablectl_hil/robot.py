"""A robot dealer: reads the panel's line and lamps, and does what a person at the table would do, act by act.

It knows what a person knows: what the players want, and which cards lie where. It never sees the daemon from inside.
One scripted round at a time; `RobotDealer.act` looks at the table and says the next act, or None while there is nothing
to do but wait.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tablectl.cards import JOKER, Card
from tablectl.engine.gate import REASONS
from tablectl.engine.performances.betting import CONCEDE
from tablectl.engine.performances.cards import BUTTON
from tablectl.engine.prompts import key_of
from tablectl.engine.scenario import Incident, Moment, RoundScript, all_cards
from tablectl.money import Money, show
from tablectl.procedure.game import Game, Remedy
from tablectl.procedure.hole_card import READER_MISUSED
from tablectl.procedure.stages import DEALER_DRAWS
from tablectl_hil.at_pai_gow import AtPaiGow
from tablectl_hil.at_reader import AtTheReader
from tablectl_hil.at_systems import USUAL, AtSystems
from tablectl_hil.bets import chips, said_by_chips
from tablectl_hil.dealt import Dealt
from tablectl_hil.dice import OF_THE_THROW, TWICE, AtTheDice, is_of_the_dice
from tablectl_hil.kit import Act, Kit, View
from tablectl_hil.panel_lines import SAID, VERBS, key_of_digit, seat_of
from tablectl_hil.together import Together

__all__ = ["BEFORE_THE_DEAL", "Act", "Kit", "RobotDealer", "View"]

FLOORPERSON: Final = "4711"
SUPERVISOR: Final = "4701"


_CUT_OFFERED: Final = re.compile(r": SEAT (\d+) CUTS\?$")
_NOTICE: Final = re.compile(
    r"DEALER \w+( FROM THE NEXT ROUND| IS AT THE TABLE)?|ROUND VOID: .*|CARD IS (OUT EARLY|NOT DUE): .*"
    r"|CARD SHOWN TOO EARLY: .*|(DEALER|SEAT \d+) HAS [A-Z ]+|SEAT \d+: .* (MUST BE|ONLY|TIMES\?) [\d.].*"
    r"|SEAT \d+: .* ((EARLY|LATE), (TAKE IT )?BACK|MUST STAY|TAKEN AT ITS TURN)|.* TO BE CHANGED IN \d+ MIN"
    r"|SEAT \d+: (WIN|LOSE|TIE)|CLOCK: .*|COVER SHAKER, .*|DROP (RAKE|BAD BEAT|HIGH HAND|BB|HH) .*"
)
"""Lines that only tell something: after any key the act that waits is shown again."""
_WANTS_SUPERVISOR: Final = ": IT WANTS A SUPERVISOR'S"
_TAKE_BACK: Final = re.compile(r"SEAT (\d+): TAKE ([A-Z0-9 ]+) BACK")
_DEALERS_CARD: Final = re.compile(r"DEALER \d:")
_DEALERS_CARDS: Final = re.compile(r"DEALER( \d)?:")
_CARD_OF_HAND: Final = re.compile(r"SEAT \d+ (\d+):")
_OF_ONE: Final = re.compile(r" OF 1\b")
_CARD_OF: Final = re.compile(r"CARD \d+ OF \d+")
_DECK_IS_HERE: Final = re.compile(r"DECK \d+( IS HERE)?: ")


class RobotDealer:
    """Deals one scripted round.

    `order` are the acts of the round as the script has them: where each card goes. `chips` are the spots of sensors on
    which something still lies from the round before: the players take that away first. `signs` are what the sign of a
    meter shows each time that it is read. `relief` is the badge of a dealer who takes over before the wagers.
    """

    def __init__(
        self,
        game: Game,
        script: RoundScript,
        order: Sequence[str],
        kit: Kit,
        chips: Sequence[tuple[int, str]] = (),
        signs: Sequence[Money] = (),
        relief: str | None = None,
    ) -> None:
        self._game = game
        self._relief = relief
        self._script = script
        self._kit = kit
        self._cards = [listed.card for listed in all_cards(script, game.deck)]
        self._dealt = Dealt(order, self._cards, face_up=game.transitions is DEALER_DRAWS)
        self._decisions = {seat: list(verbs) for seat, verbs in script.decisions.items()}
        self._reader = AtTheReader(kit.panel, kit.card_reader, self._dealt, order, self._decisions)
        self._together = Together(game, self._decisions, self._dealt)
        self._pai_gow = AtPaiGow(script, self._decisions)
        self._out = 0
        self._run = 0  # the last card of those that are being dealt without anybody seeing them
        self._stacked = False  # an automated shoe's stacks are out: what else is dealt comes from the hand
        self._dice = AtTheDice(script, kit.panel, kit.shaker, kit.rng, self._wrong_throw)
        self._wagers = [
            (seat, wager, wagers[wager])
            for seat, wagers in sorted(script.wagers.items())
            for wager in game.opening
            if wager in wagers
        ]
        self._chips = list(chips) if kit.wagers is not None else []
        self._keyed: list[str] = []
        self._on_sensors: list[tuple[int, str]] = []
        self._cleared = False
        self._put_right: list[str] = []
        self._asked: dict[int, int] = {}
        self._laid: list[tuple[int, str]] = []
        self._asking: int | None = None
        self.incidents = [i for i in script.incidents if not self._is_shown_by_the_shoe(i)]
        self._systems = AtSystems(game, script, kit.panel, kit.systems, kit.reader, signs, self._untold)
        self._reporting: tuple[Incident, int] | None = None
        self._card_first = False
        self._face_up = self._face_up_cards()
        self._shown = 0
        self._badge_shown = False
        self.shuffler_is_slow = False
        self.done = False

    @property
    def whole(self) -> int:
        """How many cards the game is played with."""
        return self._game.deck

    @property
    def cards_out(self) -> int:
        """How many cards have left so far."""
        return self._out

    @property
    def throws(self) -> int:
        """How often the dice have been thrown so far."""
        return self._dice.throws

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
            self._at_systems,
            self._throw_by_shaker,
            self._decide_together,
            self._set_hands,
            self._peek,
            self._floor,
            self._shuffle,
            self._notice,
            self._collect,
            self._throw,
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
        if incident.kind == READER_MISUSED and self._reader.is_connected:
            return Act(*self._reader.put_in())
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
                stacks = self._kit.shoe in view.told or text.startswith("DEAL ALL STACKS")
                if (stacks or _DEALERS_CARD.match(text)) and self._lies_below_the_last(incident):
                    return False
                by_stack = self._kit.shoe in view.told and at.number <= self._out + self._stack()
                by_hand = "dealt" in lit and self._out < at.number <= (self._run or self._dealt.end(self._out))
                if incident.kind == _PAST_17:
                    return text.startswith(_STANDS) and at.number <= self._out + 1
                after = 0 < at.number <= self._out and incident.kind not in _BEFORE_CARD
                return after or by_stack or by_hand
            case "throw":
                return self._dice.is_awaited(text, incident.kind) and at.number == self._dice.throws + 1
            case "decision":
                asked = seat_of(text) == at.number and bool(self._verbs(lit))
                asked = asked and not view.prompt.standing and not self._keyed  # else it has been answered
                return asked and self._asked.get(at.number, 0) + (self._asking != at.number) == at.time
            case "peek":
                return self._reader.is_awaited(text, asked=bool(self._verbs(lit)) and "no_insurance" not in lit)
            case "count":
                if incident.kind == "deck_count":
                    return "dealt" in lit or text.startswith(("DEAL CARD", "BURN CARD", "TAKE THE STACK"))
                return text.startswith("COUNT THE")
            case "reveal":
                return text.startswith("DEALER:")
            case "settle":
                return text.startswith(_STANDS) or (
                    seat_of(text) == at.number
                    and self._verbs(lit) in ([], [CONCEDE])
                    and (_CARD_OF.search(text) is not None or "expose" in lit)
                )
            case "lock_out":
                return incident.kind != "progressive_count_mismatch" and "ACCEPTED: " in text
            case "shuffle":
                return "shuffled" in lit or self._kit.shuffler in view.told
            case _:
                return False

    def _lies_below_the_last(self, incident: Incident) -> bool:
        """Whether a card of the dealer's is exposed that is not the one which he is about to turn up by the rules."""
        places, number = self._dealt.places, incident.at.number
        if self._game.id not in _LAST_CARD_UP or incident.kind != "card_exposed" or number > len(places):
            return False
        return places[number - 1] == "dealer" and "dealer" in places[number:]

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
        said = next((getattr(incident, name) for line, name in SAID.items() if text.startswith(line)), None)
        if isinstance(said, bool):
            return self._press("yes" if said else "no")
        if said is not None:
            return self._number(text, said)
        if text.startswith("DEAL BY:"):
            wanted = "NO OTHER METHOD" if incident.then is None else incident.then.value.replace("_", " ").upper()
            return self._press("enter" if text == f"DEAL BY: {wanted}" else "next")
        if text.startswith("CARDS DEALT SO FAR"):
            at = incident.at.number - (incident.kind in ("card_face_up", *_BEFORE_CARD))
            dealt = at if incident.at.kind == "card" else out
            if self._kit.shoe is None or self._kit.dispenses:
                self._out, self._run = max(self._out, dealt), 0  # the table takes them for dealt
            return self._number(text, dealt)
        self._reporting = None
        if self._is_replaced(incident.kind):
            self._dealt.lose(self._out, None if incident.position is None else incident.position.name)
        if incident.kind in OF_THE_THROW and (incident.kind != "die_cocked" or incident.sides == TWICE):
            self._dice.thrown()
        return self.act(view)

    def _is_replaced(self, kind: str) -> bool:
        """Whether the card at which that is noticed is out of the round, and another one dealt to its place."""
        rules = [rule for rule in self._game.irregularities if rule.kind == kind]
        return kind == "card_off_table" or any(rule.remedy is Remedy.REPLACE_CARD for rule in rules)

    def _number(self, text: str, number: int) -> Act:
        keyed = text.rsplit(":", 1)[1].strip().rstrip("_")
        wanted = str(number)
        return self._press("enter" if keyed == wanted else f"digit_{wanted[len(keyed)]}")

    # People and decks

    def _floor(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        if _NOTICE.fullmatch(text):
            return self._press("cancel")
        back = _TAKE_BACK.fullmatch(text)
        if back is not None:  # before the table is closed
            seat, wager = int(back[1]), back[2].lower().replace(" ", "_")
            if self._systems.has(wager):
                return Act(self._kit.systems[wager], "lift", {"seat": seat})
            return Act(self._kit.wagers or "", "lift", {"seat": seat, "wager": wager})
        if text.endswith(("BADGE", "OR BADGE: CAGE", _WANTS_SUPERVISOR)):
            reader = self._kit.reader
            if reader is None or (text.startswith(f"{reader.upper()} LOST") and "floor_key" in lit):
                return self._press("floor_key")
            number = SUPERVISOR if text.endswith(_WANTS_SUPERVISOR) else FLOORPERSON
            return Act(reader, "badge", {"number": number})
        if _DECK_IS_HERE.search(text):
            return self._press(lit[0])
        if text.endswith(" SEAT?"):  # the first player to arrive has looked at the cards
            return self._press(f"seat_{min(self._script.wagers)}")
        offered = _CUT_OFFERED.search(text)
        if offered is not None:
            return self._offer_cut(int(offered[1]))
        if text.startswith(_STANDS):
            return self._notice(text, lit, view) or self._press("done")
        said = next((key for key in ("done", "cut", "new_deck", "removed", "void_round") if key in lit), None)
        if said is not None:
            return self._press(said)
        reasons = [key for key in lit if key in REASONS]
        asked = "enter" in lit or bool(self._verbs(lit)) or text.startswith(("SHAKE ", "COCKED", "NUMBER SHOWN"))
        if reasons and not asked:
            device = self._device(text)
            if len(reasons) == 1 and device and " LOST" not in text and device not in self._put_right:
                self._put_right.append(device)
                return Act(device, "clear")
            return self._press("digit_3" if "digit_3" in reasons else reasons[0])
        return None

    def _offer_cut(self, seat: int) -> Act:
        """The cut is offered to that seat: to nobody where the script does not say who cuts."""
        answer = self._script.cut.get(seat, "no_cut")
        if not self._script.cut:
            return self._press("dealer")
        if seat not in self._script.wagers:
            return self._press("next")
        return self._press(f"seat_{seat}" if answer == "cut" else "no")

    def _device(self, text: str) -> str | None:
        """The device that the line begins with."""
        return next((id for id in self._kit.devices if text.startswith(f"{id.replace('_', ' ').upper()} ")), None)

    def _shuffle(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        if "shuffle" in lit:
            assert self._kit.shuffler is not None
            self._cleared = not self._cleared
            return Act(self._kit.shuffler, "clear", shows=False) if self._cleared else self._press("shuffle")
        if self._kit.shuffler in view.told and not self._due(text, lit, view):
            awaited = text.startswith("SHUFFLING")  # or it shuffles the other deck, and nobody waits for that
            if self.shuffler_is_slow and not awaited:
                return None
            return Act(self._kit.shuffler or "", "finish", shows=awaited)
        if "shuffled" in lit and not self._due(text, lit, view):
            return self._press("shuffled")
        return None

    # Wagers

    def _collect(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        if self._relief is not None and text.startswith(BEFORE_THE_DEAL):
            return self._relieve(self._relief)
        if text.startswith("WAGERS:"):
            if self._chips:
                seat, wager = self._chips.pop(0)
                act = {"seat": seat, "wager": wager}
                return Act(self._kit.wagers or "", "lift", act, shows=wager in self._game.opening)
            if self._wagers:
                seat, wager, amount = self._wagers.pop(0)
                if self._systems.has(wager):
                    return self._place(seat, wager, amount)
                if self._kit.wagers is not None:
                    return Act(self._kit.wagers, "put", {"seat": seat, "wager": wager, "amount": show(amount)})
                return self._key_wager(seat, wager, amount)
            deed = self._dice.before_the_deal()
            return self._press("no_more_bets") if deed is None else Act(*deed)
        if self._keyed:
            return self._press(self._keyed.pop(0))
        return None

    def _relieve(self, badge: str) -> Act:
        """Another dealer takes over."""
        self._relief = None
        if self._kit.reader is None:
            return Act(self._kit.panel, "press", {"key": "dealer"}, shows=False)
        return Act(self._kit.reader, "badge", {"number": badge})

    def _key_wager(self, seat: int, wager: str, amount: Money) -> Act:
        self._keyed = [wager, *("point" if c == "." else f"digit_{c}" for c in show(amount)), "enter"]
        return self._press(f"seat_{seat}")

    def _place(self, seat: int, wager: str, amount: Money) -> Act:
        """A chip on the sensor of a system, which does not tell its amount: one that is not usual is keyed, too."""
        if (seat, wager) in self._on_sensors:
            return self._key_wager(seat, wager, amount)
        self._on_sensors.append((seat, wager))
        if wager == "progressive" and amount != USUAL:
            self._wagers.insert(0, (seat, wager, amount))
        return Act(*self._systems.place(seat, wager, amount))

    def _at_systems(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        noticed = self._notice(text, lit, view) if "ACCEPTED: " in text else None
        if noticed is not None:
            return noticed  # and the chips lie where they are
        deed = self._systems.next(text, lit)
        if deed is None:
            return None
        return self._notice(text, lit, view) or Act(*deed)

    def _untold(self, kind: str) -> Incident | None:
        """An incident of that kind that is to happen as wagers are locked out."""
        return next((i for i in self.incidents if i.kind == kind and i.at.kind == "lock_out"), None)

    # Dice, numbers and cards

    def _throw(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        deed = self._dice.next(text)
        return None if deed is None else Act(*deed)

    def _peek(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        deed = self._reader.next(text, lit)
        if deed is None:
            return None
        noticed = self._notice(text, lit, view) if text.startswith("HOLE CARD IN") else None
        return noticed or Act(*deed)

    def _throw_by_shaker(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        return self._throw(text, lit, view) if is_of_the_dice(text) else None

    def _wrong_throw(self, number: int) -> Incident | None:
        """What is wrong with that throw, which the shaker sees by itself: it is not reported any more."""
        found = next((i for i in self.incidents if i.at == Moment("throw", number) and i.kind in OF_THE_THROW), None)
        if found is not None:
            self.incidents.remove(found)
        return found

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
        if text.startswith((f"DEAL CARD {self._out + 1} ", f"BURN CARD {self._out + 1}")):
            if self._out + 1 in self._face_up and not self._kit.reads:
                return self._found_face_up(self._out + 1)
            noticed = next((i for i in self.incidents if i.at == Moment("card", self._out + 1)), None)
            if noticed is not None and "irregularity" in lit:  # the hand is on the key as the card leaves
                self.incidents.remove(noticed)
                self._card_first = noticed.kind not in _BEFORE_CARD
                self._reporting = noticed, self._out + self._card_first
                return self._press("irregularity")
            self._out += 1
            return Act(self._kit.shoe or "", "take_card")
        if "dealt" in lit and not text.startswith("WAITING"):
            end = self._run = self._run or self._dealt.end(self._out)
            face_up = next((n for n in self._face_up if self._out < n <= end), None)
            if face_up is not None:
                return self._found_face_up(face_up)
            self._stacked = self._stacked or "STACKS" in text
            from_hand = self._kit.dispenses or (self._stacked and "STACKS" not in text)
            if self._kit.shoe is not None and not from_hand and self._out < end:
                self._out += 1  # the cards leave the shoe all the same, though nobody is told
                return Act(self._kit.shoe, "take_card", {}, shows=False)
            self._out, self._run = end, 0
            return self._press("dealt")
        return None

    def _found_face_up(self, number: int) -> Act:
        """Report a card that the equipment cannot see to be face up."""
        self._face_up = [n for n in self._face_up if n != number]
        incident = Incident.model_validate({"at": f"card {number}", "kind": "card_face_up"})
        self._reporting = incident, self._out
        return self._press("irregularity")

    def _stack(self) -> int:
        return self._dealt.stack(self._out)

    def _count(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        told = next((i for i in self._script.incidents if i.kind == "deck_count" and i.at.kind == "count"), None)
        if text.startswith("COUNT THE"):
            total = self._game.deck if told is None or told.count is None else told.count
            return self._number(text, total - (0 if text.startswith("COUNT THE DECK") else self._out))
        if text.startswith("DECK COUNTS"):
            return self._press("yes" if told is not None and told.misdealt else "no")
        if text.startswith("WHO HAS") and told is not None and told.position is not None:
            return self._press(key_of(told.position))
        return None

    # Decisions and the end

    def _decide_together(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        if not self._together.is_asked(text, lit):
            return None
        self._asking = None  # whoever is asked after this is asked for another time
        return self._notice(text, lit, view) or self._press(self._together.next(text, lit))

    def _set_hands(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        if self._notices(text, lit, view):
            return None
        key = self._pai_gow.next(text, lit)
        return None if key is None else self._press(key)

    def _notices(self, text: str, lit: tuple[str, ...], view: View) -> bool:
        return "irregularity" in lit and self._due(text, lit, view) is not None

    def _verbs(self, lit: tuple[str, ...]) -> list[str]:
        """Keys of decisions that are lit; a wager that is keyed before the deal may have the name of one (670a)."""
        return [key for key in lit if key in VERBS and key not in self._game.opening]

    def _decide(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        seat = seat_of(text)
        if seat is None or not self._verbs(lit):
            return None
        if "LEAVES" in text:
            return self._press("enter")
        if view.prompt.standing:
            return None  # it stands, and becomes final by itself
        if self._asking != seat:
            self._asking = seat
            self._asked[seat] = self._asked.get(seat, 0) + 1
        decision = self._decisions[seat].pop(0)
        self._asking = None  # if it is asked after this, that is for another time
        self._together.decided(seat, decision)
        bet = chips(self._game.id, self._asked[seat], decision, self._script.wagers[seat])
        if bet is not None and self._kit.wagers is not None and (seat, bet[0]) not in self._laid:
            wager, amount = bet
            self._laid.append((seat, wager))  # what comes on top of it, for another hand, is keyed
            if not said_by_chips(decision):
                self._keyed = [decision.split()[0]]
            return Act(self._kit.wagers, "put", {"seat": seat, "wager": wager, "amount": show(amount)})
        verb, _, times = decision.partition(" ")
        if "." in times:  # an amount, which is keyed before the verb
            self._keyed = [*(key_of_digit(digit) for digit in times[1:]), verb]
            return self._press(key_of_digit(times[0]))
        return self._press(f"digit_{times}" if f"digit_{times}" in lit else verb)

    def _expose(self, text: str, lit: tuple[str, ...], view: View) -> Act | None:
        place = "dealer" if _DEALERS_CARDS.match(text) else f"seat {seat_of(text)}" if seat_of(text) else None
        if text.startswith("COMMUNITY"):
            place = "community"
        if place is None:
            return None
        if not self._verbs(lit):
            self._asking = None  # whoever is asked after this is asked for another time
        seat = seat_of(text)
        if CONCEDE in lit and seat is not None and self._decisions.get(seat, [])[:1] == [CONCEDE]:
            self._decisions[seat].pop(0)
            return self._press(CONCEDE)
        if self._kit.scanner is not None and ("expose" in lit or " OF " in text):
            return Act(self._kit.scanner, "show", {"card": str(self._next_card(place, text))})
        if "expose" in lit:
            return self._press("expose")
        if _CARD_OF.search(text) is None:
            return None
        card = self._next_card(place, text)
        if card is JOKER:
            return self._press("joker")
        self._keyed = [f"suit_{card.suit}"]
        return Act(self._kit.panel, "press", {"key": f"rank_{card.name[0]}"}, shows=False)

    def _next_card(self, place: str, text: str) -> Card:
        if f" {BUTTON}: " in text:
            return self._dealt.for_the_button(place)
        _, _, of = text.partition("CARD ")
        number = int(of.split()[0]) if of else 1
        numbered = text.split()[1].rstrip(":")
        if place in ("community", "dealer") and numbered.isdecimal():  # cards that are turned up one by one
            number = int(numbered)
        elif (of_hand := _CARD_OF_HAND.match(text)) is not None:
            number = int(of_hand[1])
        elif place == "dealer" and (
            _OF_ONE.search(text) is not None or (self._dealt.face_up and not of)
        ):  # his hole card
            number = 2
        return self._dealt.card(place, number)

    def _is_shown_by_the_shoe(self, incident: Incident) -> bool:
        return incident.kind == "card_face_up" and incident.at.kind == "card"

    def _face_up_cards(self) -> list[int]:
        listed = [number for number, card in enumerate(self._script.cards, 1) if card.face_up]
        told = [i.at.number for i in self._script.incidents if self._is_shown_by_the_shoe(i)]
        return sorted({*listed, *told})


BEFORE_THE_DEAL: Final = ("WAGERS:", "BURN ")
"""Lines at which another dealer may take over."""

_STANDS: Final = "DEALER HAS "
_PAST_17: Final = "dealer_drew_past_17"
_LAST_CARD_UP: Final = ("lunar_poker",)
_BEFORE_CARD: Final = ("insufficient_cards", "cover_card", "dealer_missed_own_card", "player_missed_card")
