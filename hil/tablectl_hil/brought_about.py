"""Irregularities that really happen at a table: chips that come too late, cards that differ, cables, power, a shuffler.

What the dealer only reports is left to the robot; everything else is done here, by the hands that a scenario's faults
have, and the table has to notice it by itself.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

from tablectl import events as e
from tablectl.cards import cards_of
from tablectl.engine.scenario import Incident, RoundScript
from tablectl.errors import Misuse
from tablectl.money import Money, show
from tablectl.procedure.game import Game
from tablectl_hil.bets import chips
from tablectl_hil.faults import Does, Faults
from tablectl_hil.hands import Hands
from tablectl_hil.mishaps import late_spot
from tablectl_hil.robot import RobotDealer, View
from tablectl_hil.tableside import Daemon

__all__ = ["OF_THE_SHUFFLE", "BroughtAbout"]

OF_THE_SHUFFLE: Final = ("shuffler_jam", "shuffle_incomplete", "deck_count")
"""What a shuffler does by itself."""

_SEEN: Final = ("late_wager", "wager_changed", "wrong_stake", "identity_conflict")
_ON_TOP: Final = ("power_loss", "device_lost")
_LATEST: Final = 60
"""What comes at any moment comes before that many acts of the robot, and in any case before it is reported."""

_AWAY_MS: Final = 200
_CHOICES: Final = ("bet", "fold", "check", "raise", "call", "house_way", "hit", "no_insurance", "accept", "play_on")
_TOLD: Final = re.compile(r".* (MUST STAY|(MUST BE|ONLY|IS AT MOST|MAX) .*|LATE, (TAKE IT )?BACK)")
_INTO: Final = re.compile(r"(?P<out>TAKE \w+ OUT, PUT )?(?P<back>\w+)( DECK INTO THE SHUFFLER| IN): DONE")
_INTO_ONE: Final = "CARDS INTO THE SHUFFLER"


class BroughtAbout(Faults):
    """What happens in one round, `script`, besides what its robot does; `order` are its acts.

    With `turns` two decks take turns in the shuffler: cards are really taken out and put in, and what goes wrong in the
    shuffle of `following` round's deck, which goes on while this one is played, is brought about now. A shuffler that
    `counts` tells by itself that cards were put in.
    """

    def __init__(
        self,
        game: Game,
        script: RoundScript,
        order: Sequence[str],
        following: RoundScript | None,
        hands: Hands,
        daemon: Daemon,
        robot: RobotDealer,
        *,
        turns: bool,
        counts: bool,
    ) -> None:
        super().__init__()
        self._game = game
        self._per_shoe = game.shuffle_clauses is not None and game.shuffle_clauses.per_shoe
        self._script = script
        self._cards = [act for act in order if act.startswith("card ")]
        self._hands = hands
        self._daemon = daemon
        self._robot = robot
        self._counts = counts
        self._filled = ""
        self._acts = 0
        self._chance = random.Random(str(script.cards))
        self._away_after = self._chance.randrange(_LATEST)
        self._to_come = [i for i in script.incidents if i.kind in (*_SEEN, *_ON_TOP)]
        self._next_shuffle = [] if following is None else [i for i in following.incidents if i.at.kind == "shuffle"]
        self._shuffle = [i for i in script.incidents if i.at.kind == "shuffle" and i.kind in OF_THE_SHUFFLE]
        robot.incidents = [i for i in robot.incidents if i.kind not in _SEEN and not (turns and i in self._shuffle)]
        robot.shuffler_is_slow = any(i.kind not in OF_THE_SHUFFLE for i in self._next_shuffle)

    async def before(self, round: int, view: View, cards_out: int, table: Does) -> None:
        """Let happen what is due before the robot's next act."""
        self._acts += 1
        await self._fill(view.prompt.text)
        for incident in self._to_come:
            if self._is_now(incident, view):
                self._to_come.remove(incident)
                await self._bring(incident)
                return

    def nothing_left(self, round: int) -> None:
        """Refuse what did not come about."""
        for incident in self._to_come:
            raise Misuse(f"round {round}: {incident.kind} did not come about: its moment {incident.at} did not come")

    def _is_now(self, incident: Incident, view: View) -> bool:
        text = view.prompt.text
        if incident.kind in _ON_TOP:
            return self._acts >= self._away_after or text.startswith("IRREGULARITY:")
        if incident.kind == "identity_conflict":
            return text.startswith("WAGERS:")  # the shoe is loaded otherwise, before a card has left it
        if incident.at.kind == "throw":
            return text.startswith("SHAKE THE DICE: 0 ") and incident.at.number == self._robot.throws + 1
        lit = any(choice in view.prompt.lit for choice in _CHOICES)
        return text.startswith(f"SEAT {incident.at.number}: ") and lit

    async def _bring(self, incident: Incident) -> None:
        match incident.kind:
            case "identity_conflict":
                await self._load_otherwise(incident)
            case "power_loss":
                await self._lose_power()
            case "device_lost":
                await self._lose_device()
            case _:
                await self._misplace(incident)

    # Chips

    async def _misplace(self, incident: Incident) -> None:
        """Chips lie wrong until the table has said so; then that is put right."""
        assert incident.position is not None, "what chips do has a seat"
        number, sensors = incident.position.number, self._hands.kit.wagers or ""
        wager, wrong, right = self._chips(incident.kind, number)
        before = self._hands.events.noted(incident.kind)
        await self._lay(sensors, number, wager, wrong)
        await self._hands.recorded(
            lambda events: events.noted(incident.kind) > before, f"nobody has noticed {incident.kind} of seat {number}"
        )
        await self._hands.shows(
            lambda text: bool(_TOLD.fullmatch(text)) and text.startswith(f"SEAT {number}: "),
            f"{incident.kind} of seat {number} is not named",
        )
        await self._lay(sensors, number, wager, right)
        await self._hands.heard(sensors)

    async def _lay(self, sensors: str, number: int, wager: str, amount: Money | None) -> None:
        """Let that amount lie on the spot, None for nothing."""
        if amount is None:
            await self._hands.act(sensors, "lift", seat=number, wager=wager)
        else:
            await self._hands.act(sensors, "put", seat=number, wager=wager, amount=show(amount))

    def _chips(self, kind: str, number: int) -> tuple[str, Money | None, Money | None]:
        """A wager of that seat's, what lies on its spot when it is wrong, and what when it is right."""
        placed = self._script.wagers.get(number, {})
        if kind == "late_wager":
            return late_spot(self._game, self._script, number) or "", Money(5_00), None
        if kind == "wager_changed":
            systems = [system.wager for system in self._game.systems]
            wager, amount = next((wager, amount) for wager, amount in placed.items() if wager not in systems)
            return wager, None, amount
        bet = chips(self._game.id, 1, self._script.decisions[number][0], placed)
        assert bet is not None, "the seat is chosen so that it bets"
        return bet[0], Money(bet[1] + max(placed.values()) + 1_00), None

    # Cards, cables and power

    async def _load_otherwise(self, incident: Incident) -> None:
        """The shoe holds another card for that hand than the one that lies on the table in the end."""
        shoe = self._hands.kit.shoe
        assert shoe is not None, "a shoe that reads is at the table"
        place = "dealer" if incident.position is None else incident.position.name
        load = self._robot.shoe_load()
        dealt = [number for number, act in enumerate(self._cards) if act.endswith(f" -> {place}")]
        turned_up = dealt[self._per_shoe and place == "dealer"]  # his hole card, where the first lies open
        other = next(number for number in reversed(range(len(load))) if load[number] != load[turned_up])
        load[turned_up], load[other] = load[other], load[turned_up]
        goes_on = self._hands.events.shoe_goes_on()
        await self._hands.act(shoe, "restack" if goes_on else "load", cards=load)

    async def _lose_device(self) -> None:
        """A cable is pulled, and put back."""
        device = self._chance.choice([id for id in self._hands.kit.devices if id != self._hands.kit.panel])
        await self._hands.act(device, "unplug", for_ms=_AWAY_MS)
        await self._hands.latched(device, "lost")
        await self._hands.returned(device)

    async def _lose_power(self) -> None:
        """The controller is gone at once, and comes back."""
        started = self._hands.events.count(e.TableStarted)
        await self._daemon.kill()
        await self._daemon.start()
        await self._hands.recorded(
            lambda events: events.count(e.TableStarted) > started, "the daemon does not come back"
        )
        await self._hands.back()

    # The shuffler

    async def _fill(self, text: str) -> None:
        """Put the deck that is asked for into the shuffler, after what is in it was taken out."""
        shuffler, into = self._hands.kit.shuffler, _INTO.fullmatch(text)
        if text == self._filled:
            return  # one that does not tell what is in it: the dealer says so
        self._filled = ""
        if shuffler is None or (into is None and not text.startswith(_INTO_ONE)):
            return
        if into is not None:
            due = self._next_shuffle if into["out"] else self._shuffle
            for incident in due:
                if incident.kind in OF_THE_SHUFFLE:
                    await self._hands.bring_about(incident)
            due.clear()
        equipment = self._hands.equipment
        await equipment.take(shuffler)
        back = "red" if into is None else into["back"].lower()
        await equipment.act(shuffler, "insert", cards=[card.name for card in cards_of(self._game.deck)], back=back)
        self._filled = text
        if self._counts:
            await self._hands.shows(lambda now: now != text, "the shuffler does not begin")
