"""A day at a table, from its opening to its closing, at emulated equipment and with the real daemon.

All rounds are planned before: who wagers what, which irregularities come when, what each round comes to by script. Then
the robot deals them, what can really happen to equipment happens, dealers change, a floorperson lets play stand still
and go on, and closes the table.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from tablectl import events as e
from tablectl.engine.outcome import RoundFold, row_document
from tablectl.engine.scenario import Incident, RoundScript, Scenario
from tablectl.engine.script import play_one
from tablectl.errors import Misuse
from tablectl.money import Money, show
from tablectl.procedure.game import Dealing, Game, Shuffler
from tablectl.procedure.table import Table, TableState
from tablectl_hil.brought_about import BroughtAbout
from tablectl_hil.hands import Hands
from tablectl_hil.mishaps import BY_TIME
from tablectl_hil.panel_lines import key_of_digit
from tablectl_hil.players import Players
from tablectl_hil.robot import BEFORE_THE_DEAL, FLOORPERSON, RobotDealer, View
from tablectl_hil.tableside import Daemon, whole_table

__all__ = ["DEALERS", "Day", "Planned", "kinds_at", "play_day"]

DEALERS: Final = ("1001", "1002", "1003")
_ROUNDS: Final = 40
_LINK: Final = {"retry_ms": 20, "retry_max_ms": 100}
OF_THE_SHUFFLER: Final = ("shuffler_jam", "shuffle_incomplete", "shuffler_out_of_service")
_CONTINUE: Final = e.Disposition.CONTINUE.value
_END_OF_SHOE: Final = (Incident.model_validate({"at": "card 2", "kind": "cover_card"}),)
_GONE: Final = {"shuffler_out_of_service": "shuffler_back", "shoe_out_of_service": "shoe_back"}
"""What a floorperson orders in the round after."""

_TITLES: Final = {
    "shuffler_back": "THE SHUFFLER WORKS AGAIN",
    "shoe_back": "THE SHOE WORKS AGAIN",
    "suspend": "SUSPEND PLAY",
    "close": "CLOSE THE TABLE",
}
_ORDER_OF_ACTS: Final = ("dealer", *_GONE.values(), "suspend")
"""What several of them in one round come after: a shuffle by a device, which an order may begin, is waited for."""

_DISPUTE: Final = "digit_2"
_BOX: Final = re.compile(r"([A-Z ]+) BOX: KEY COUNT")


@dataclass(frozen=True, slots=True)
class Planned:
    """One round as it is to be: `acts` are what people do before its deal besides, `expected` is its outcome.

    `made` are the wagers that come to lie on the layout. `rows` say, of a game that is played for pots, what became of
    each seat's money, as its outcome does not.
    """

    number: int
    script: RoundScript
    order: tuple[str, ...]
    expected: dict[str, Any]
    noted: tuple[e.IrregularityNoted, ...]
    mishap: str | None
    acts: tuple[str, ...]
    made: tuple[e.WagerMade, ...]
    rows: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Day:
    """A day that is over: what was planned, what came of each round, how many rounds each dealer has closed.

    The last round, of which nothing was dealt, is the one in which the table was closed. `config` is the table's.
    """

    table: Scenario
    config: Path
    rounds: tuple[Planned, ...]
    outcomes: tuple[dict[str, Any], ...]
    dealers: Counter[str]
    seconds: float

    @property
    def mishaps(self) -> Counter[str]:
        """How often each kind of irregularity was planned."""
        return Counter(each.mishap for each in self.rounds if each.mishap is not None)


def kinds_at(table: Scenario) -> tuple[str, ...]:
    """The kinds of irregularities of the chapter that people or the equipment can bring about at that table."""
    players, found = Players(table, 0), []
    for kind in dict.fromkeys(rule.kind for rule in table.game.irregularities):
        if kind in BY_TIME or (kind == "identity_conflict" and table.setup.dealing is Dealing.FROM_HAND):
            continue  # nothing reads the cards that are dealt from the hand
        try:
            players.next_round(kind)
        except Misuse:
            continue
        found.append(kind)
    return tuple(found)


def _least(kinds: Sequence[str]) -> int:
    """How many rounds a day has to have, so that each kind comes about once."""
    return 2 * len(kinds) + 2


# The plan -----------------------------------------------------------------------------------------------------------


def plan_day(table: Scenario, rounds: int, seed: int, kinds: Sequence[str]) -> Iterator[Planned]:
    """All rounds: the first is like any other, then something goes wrong in every second one, each kind in turn.

    `Misuse` when there are not enough rounds for all kinds.
    """
    least = _least(kinds)
    if rounds < least:
        raise Misuse(f"{len(kinds)} kinds of irregularities need a day of {least} rounds, this one has {rounds}")
    chance = random.Random(seed)
    players, to_come = Players(table, seed, mishaps=0), list[str]()
    state, orders = _opened(table), list[str]()
    beside = {rounds // 6 * 2: ["dealer"], rounds // 3 * 2: ["dealer"], rounds // 4 * 2: ["suspend"]}
    for number in range(1, rounds + 1):
        mishap = None
        if number > 2 and number % 2:
            to_come = to_come or chance.sample(kinds, len(kinds))
            mishap = to_come.pop(_next(to_come, table.game, state))
        acts, orders = sorted([*orders, *beside.get(number, ())], key=_ORDER_OF_ACTS.index), []
        played, state = _put_back(table, state, acts)
        if "dealer" in acts:
            state = replace(state, new_dealer=True)
        script = players.next_round(mishap, state)
        if "dealer" in acts:
            script = script.model_copy(update={"new_dealer": True})
        if number > 1 and mishap is None and _waits_for_a_shuffle(to_come or kinds, table.game):
            script = script.model_copy(update={"incidents": (*script.incidents, *_END_OF_SHOE)[:1]})
        fold, state = play_one(played, script, Table(played.game, played.rules, played.setup, state))
        noted = tuple(event for event in fold.events if isinstance(event, e.IrregularityNoted))
        if mishap in _GONE:
            orders = [_GONE[mishap]]
        expected = fold.document(script.wagers)
        made = tuple(event for event in fold.events if isinstance(event, e.WagerMade))
        rows = _rows(fold, played)
        yield Planned(number, script, tuple(fold.order), expected, noted, mishap, tuple(acts), made, rows)


def _rows(fold: RoundFold, played: Scenario) -> tuple[dict[str, Any], ...]:
    return tuple(map(row_document, fold.rows)) if played.game.pots else ()


def _next(kinds: Sequence[str], game: Game, state: TableState) -> int:
    """Which of these comes next: the last, but of a shoe what the shuffler does where, and as soon as, it shuffles."""
    if game.shuffle_clauses is None or not game.shuffle_clauses.per_shoe:
        return -1
    fit = [place for place, kind in enumerate(kinds) if (kind in OF_THE_SHUFFLER) is not state.ready]
    return fit[-1] if fit else -1


def _waits_for_a_shuffle(kinds: Sequence[str], game: Game) -> bool:
    """Whether a shoe has to end, so that something can go wrong with its shuffle."""
    per_shoe = game.shuffle_clauses is not None and game.shuffle_clauses.per_shoe
    return per_shoe and any(kind in OF_THE_SHUFFLER for kind in kinds)


def _opened(table: Scenario) -> TableState:
    """What a table starts from that was just opened."""
    return replace(table.first_state(), just_opened=True, day=1)


def _put_back(table: Scenario, state: TableState, acts: Sequence[str]) -> tuple[Scenario, TableState]:
    """The state after a device is back by order; the second deck comes to the table in the round after."""
    back = [act.removesuffix("_back") for act in acts if act in _GONE.values()]
    if not back:
        return table, state
    removed = tuple(device for device in state.removed if device not in back)
    setup = table.setup
    shuffler = Shuffler.NONE if "shuffler" in removed else setup.shuffler
    dealing = state.dealing if "shoe" in removed else setup.dealing.value
    state = replace(state, removed=removed, shuffler=shuffler.value, dealing=dealing, ready=False)
    return (replace(table, setup=replace(setup, decks=1)) if "shuffler" in back else table), state


# The day ------------------------------------------------------------------------------------------------------------


async def play_day(
    table: Scenario,
    folder: Path,
    *,
    rounds: int | None = None,
    seed: int,
    kinds: Sequence[str] | None = None,
    mqtt: tuple[str, int] | tuple[str, int, str] | None = None,
) -> Day:
    """Play a day at that table, all of it in `folder`; every one of `kinds` (all, if left out) goes wrong in it.

    Without `rounds` there are 40, or as many as all kinds need. `TableStuck` when the table does not go on, `Misuse`
    when the day cannot be planned so.
    """
    kinds = kinds_at(table) if kinds is None else kinds
    planned = tuple(plan_day(table, max(_ROUNDS, _least(kinds)) if rounds is None else rounds, seed, kinds))
    begun = time.monotonic()
    async with whole_table(table, folder, "all", mqtt=mqtt, seed=seed, opened=False, dealers=DEALERS, link=_LINK) as (
        hands,
        daemon,
    ):
        at_table = _AtTable(table, hands, daemon, planned)
        await at_table.first_dealer()
        outcomes = [await at_table.deal(each) for each in planned]
        await at_table.close()
    seconds = time.monotonic() - begun
    return Day(table, folder / "table.toml", planned, tuple(outcomes), at_table.dealers, seconds)


class _AtTable:
    """The people of the day at their table."""

    def __init__(self, table: Scenario, hands: Hands, daemon: Daemon, planned: Sequence[Planned]) -> None:
        self._table = table
        self._hands = hands
        self._daemon = daemon
        self._planned = planned
        self._on_duty = 0
        self.dealers: Counter[str] = Counter()

    @property
    def _reader(self) -> str:
        assert self._hands.kit.reader is not None, "a reader of credentials is at the table"
        return self._hands.kit.reader

    async def first_dealer(self) -> None:
        """A dealer comes to the table that is not open yet."""
        await self._hands.shows(bool, "the panel stays dark")
        await self._relieve(0)

    async def deal(self, planned: Planned) -> dict[str, Any]:
        """Play one round as it is planned; its outcome."""
        hands, number = self._hands, planned.number
        robot = RobotDealer(self._table.game, planned.script, planned.order, hands.kit, hands.chips)
        following = self._shuffled_next(number)
        self._expect(robot, planned.script, planned.order, following)
        if planned.acts:
            for act in planned.acts:
                await hands.deal(robot, number, until=_before_the_deal if act == "dealer" else _at_wagers)
                await self._act(act, robot, number)
        await hands.deal(robot, number)
        hands.faults.nothing_left(number)
        self.dealers[DEALERS[self._on_duty]] += 1
        fold = RoundFold(self._table.game)
        fold.extend(hands.events.round(number))
        return fold.document(planned.script.wagers)

    def _shuffled_next(self, number: int) -> RoundScript | None:
        """The next round that begins with a shuffle: after each round, or, of a shoe, after that in which it ends."""
        shuffled = (
            after.script
            for before, after in pairwise(self._planned[number - 1 :])
            if before.expected["deck"]["disposition"] != _CONTINUE
        )
        return next(shuffled, None)

    async def close(self) -> None:
        """Prepare one more round, as nobody knows yet that it will be none, and close the table."""
        hands, last = self._hands, self._planned[-1]
        number = last.number + 1
        script = last.script.model_copy(update={"incidents": ()})
        robot = RobotDealer(self._table.game, script, last.order, hands.kit, hands.chips)
        self._expect(robot, script, (), None)
        await hands.deal(robot, number, until=_at_wagers)
        await self._order("close")
        await hands.deal(robot, number)
        if self._table.game.dice is not None:
            await hands.shows(lambda text: text.startswith("HAND THE SHAKER"), "nobody takes the shaker over")
            await self._press("done")
        if self._table.game.pots:
            await self._count_boxes()
        await hands.recorded(lambda events: events.count(e.TableClosed) > 0, "the table is not closed")

    async def _count_boxes(self) -> None:
        """The boxes of a poker room's jackpots are counted before the table is closed (637a.15(d), 637a.16(d))."""
        hands = self._hands
        while not hands.events.count(e.TableClosed):
            text = await hands.shows(bool, "the panel stays dark")
            counted = _BOX.match(text)
            if counted is not None:
                for sign in show(self._in_the_box(counted[1].lower().replace(" ", "_"))):
                    await self._press(key_of_digit(sign))
                await self._press("enter")
            elif text.endswith(" BADGE"):
                await hands.act(self._reader, "badge", number=FLOORPERSON)
            elif text.endswith(": DONE"):
                await self._press("done")
            await hands.shows(
                lambda now, before=text: now != before or hands.events.count(e.TableClosed) > 0,  # type: ignore[misc]
                "the boxes are not emptied",
            )

    def _in_the_box(self, jackpot: str) -> Money:
        """What the dealer has put into the box of that jackpot, as every pot had it, and nobody has taken out since."""
        put = of_round = 0
        for event in self._hands.events.read():
            if isinstance(event, e.RoundOpened):
                of_round = 0
            elif isinstance(event, e.PotFormed):
                of_round += event.bad_beat if jackpot == "bad_beat" else event.high_hand
            elif isinstance(event, e.RoundClosed) and event.outcome is e.Outcome.COMPLETED:
                put += of_round
            elif isinstance(event, e.BoxSent) and event.jackpot == jackpot:
                put = 0
        return Money(put)

    def _expect(
        self, robot: RobotDealer, script: RoundScript, order: Sequence[str], following: RoundScript | None
    ) -> None:
        """Let the round's mishaps come about at their moments."""
        setup, game = self._table.setup, self._table.game
        turns, counts = setup.decks > 1, setup.shuffler.counts
        self._hands.faults = BroughtAbout(
            game, script, order, following, self._hands, self._daemon, robot, turns=turns, counts=counts
        )

    async def _act(self, act: str, robot: RobotDealer, number: int) -> None:
        match act:
            case "dealer":
                await self._relieve((self._on_duty + 1) % len(DEALERS))
            case "suspend":
                await self._hands.deal(robot, number, until=lambda _view: robot.cards_out > 0)
                await self._stand_still()
            case _:
                await self._order(act)

    async def _relieve(self, by: int) -> None:
        """Another dealer takes over."""
        before = self._hands.events.count(e.DealerChanged)
        await self._hands.act(self._reader, "badge", number=DEALERS[by])
        await self._hands.recorded(
            lambda events: events.count(e.DealerChanged) > before, f"dealer {DEALERS[by]} has not taken over"
        )
        self._on_duty = by

    async def _stand_still(self) -> None:
        """Play is suspended, and goes on."""
        hands = self._hands
        await self._choose("suspend")
        await hands.shows(lambda text: "DISPUTE" in text, "nobody asks why play is suspended")
        await self._press(_DISPUTE)
        await hands.recorded(lambda events: events.count(e.TableSuspended) > 0, "play is not suspended")
        await hands.shows(lambda text: text.startswith("SUSPENDED"), "that play is suspended is not shown")
        before = hands.events.count(e.TableResumed)
        await hands.act(self._reader, "badge", number=FLOORPERSON)
        await hands.recorded(lambda events: events.count(e.TableResumed) > before, "play does not go on")
        await hands.shows(lambda text: not text.startswith("SUSPENDED"), "play does not go on")

    async def _order(self, order: str) -> None:
        """A floorperson orders it."""
        before = self._hands.events.count(e.TableOrdered)
        await self._choose(order)
        await self._hands.recorded(
            lambda events: events.count(e.TableOrdered) > before, f"{order} is not on the record as an order"
        )
        await self._hands.shows(lambda text: not text.startswith("FLOOR: "), "the menu does not close")

    async def _choose(self, item: str) -> None:
        """A floorperson's badge, and NEXT until the menu shows that."""
        hands, title = self._hands, f"FLOOR: {_TITLES[item]}"
        await hands.act(self._reader, "badge", number=FLOORPERSON)
        first = text = await hands.shows(lambda text: text.startswith("FLOOR: "), "the menu does not open")
        while text != title:
            text = await self._turn(text)
            if text == first:
                raise Misuse(f"the floorperson's menu has no {title!r} now")
        await self._press("enter")

    async def _turn(self, shown: str) -> str:
        """The next item of the menu, which shows that one."""
        await self._press("next")
        return await self._hands.shows(lambda text: text != shown, "the menu does not turn")

    async def _press(self, key: str) -> None:
        await self._hands.act(self._hands.kit.panel, "press", key=key)


def _at_wagers(view: View) -> bool:
    return view.prompt.text.startswith("WAGERS:")


def _before_the_deal(view: View) -> bool:
    return view.prompt.text.startswith(BEFORE_THE_DEAL)
