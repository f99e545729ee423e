"""The scenario document: rounds to be played by script, or by a robot dealer at a real table.

Reading has two levels. What is not well formed (a wrong type, an unknown key, a card that is none) raises
`ScenarioError`; what the chapter or the filed rules forbid raises `Forbidden` with the clause.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from tablectl.cards import DEALER, Card, Position, card, deck, position, seat
from tablectl.engine.wording import fault_of_decisions
from tablectl.errors import DecodeError, Forbidden, Misuse, ScenarioError
from tablectl.games import game as find_game
from tablectl.money import show
from tablectl.procedure.game import Dealing, Game, Setup, Shuffler
from tablectl.procedure.opening import usual_decks
from tablectl.procedure.poker import STACK
from tablectl.procedure.table import DeckState, TableState
from tablectl.rules import Dollars, Submission, refuse
from tablectl.rules.poker import CARD_DEALT

__all__ = [
    "Incident",
    "Moment",
    "RoundScript",
    "Scenario",
    "ScriptCard",
    "TableScript",
    "all_cards",
    "check_round",
    "for_the_button",
    "load",
    "parse",
    "with_stacks",
]


@dataclass(frozen=True, slots=True)
class Moment:
    """When an incident is noticed: ``card N``, ``decision SEAT.K``, ``settle SEAT``, ``shuffle`` and so on."""

    kind: str
    number: int = 0
    time: int = 1

    def __str__(self) -> str:
        if self.kind == "decision":
            return f"decision {self.number}.{self.time}"
        return f"{self.kind} {self.number}" if self.number else self.kind


@dataclass(frozen=True, slots=True)
class ScriptCard:
    """A listed card; `face_up` when it lies face up in the shoe or deck."""

    card: Card
    face_up: bool = False


_MOMENT: Final = re.compile(
    r"(?P<counted>card|throw|settle) (?P<n>[1-9]\d{0,3})"
    r"|(?P<decision>decision) (?P<seat>[1-9]\d?)(\.(?P<k>[1-9]\d?))?"
    r"|(?P<plain>shuffle|lock_out|reveal|count|peek)",
    re.ASCII,
)


def _moment(value: object) -> object:
    match = _MOMENT.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(
            f"{value!r} is no moment: expected card N, decision SEAT or SEAT.K, throw N, settle SEAT,"
            " shuffle, lock_out, count, peek or reveal"
        )
    if match["counted"]:
        return Moment(match["counted"], int(match["n"]))
    if match["decision"]:
        return Moment("decision", int(match["seat"]), int(match["k"] or 1))
    return Moment(match["plain"])


def _checked(read: Any) -> BeforeValidator:
    """Read text by `read`, whose `DecodeError` becomes pydantic's."""

    def convert(value: object) -> object:
        if not isinstance(value, str):
            raise ValueError(f"{value!r} is not text")
        try:
            return read(value)
        except DecodeError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(convert)


def _script_cards(text: str) -> tuple[ScriptCard, ...]:
    return tuple(ScriptCard(card(name.removeprefix("^")), name.startswith("^")) for name in text.split())


def _faces(text: str) -> tuple[int, ...]:
    names = text.split()
    if not names or any(name not in "123456" for name in names):
        raise DecodeError(f"{text!r} is no throw: expected digits 1 to 6 with blanks between")
    return tuple(int(name) for name in names)


_MOST_HOURS: Final = 100_000


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


_SEAT: Final = re.compile(r"[1-9]\d?", re.ASCII)


def _seat(value: object) -> object:
    """A seat's number, as a number or as the key of a table; one way of writing each, so that none is named twice."""
    if type(value) is int:
        return value
    if isinstance(value, str) and _SEAT.fullmatch(value):
        return int(value)
    raise ValueError(f"{value!r} is no seat: expected a number from 1")


Seat = Annotated[int, Field(ge=1, le=99), BeforeValidator(_seat)]
_POSITION: Final = _checked(position)  # a field of the same name hides the function where annotations are evaluated


class Incident(_Document):
    """One irregularity of the script."""

    at: Annotated[Moment, BeforeValidator(_moment)]
    kind: str
    position: Annotated[Position, _POSITION] | None = None
    exposed: StrictBool = False
    count: Annotated[StrictInt, Field(ge=0, le=1000)] | None = None
    misdealt: StrictBool = False
    then: Dealing | None = None
    which: Annotated[StrictInt, Field(ge=1, le=2)] | None = None
    sides: Annotated[StrictInt, Field(ge=1, le=2)] | None = None
    total: Annotated[StrictInt, Field(ge=0, le=60)] | None = None
    protected: StrictBool = False
    reconstructed: StrictBool = False
    blameless: StrictBool = False


class RoundScript(_Document):
    """One round: who wagers what, the cards in the order in which they leave, decisions, incidents."""

    wagers: dict[Seat, dict[str, Dollars]] = Field(default_factory=dict)
    stacks: dict[Seat, Dollars] = Field(default_factory=dict)
    cards: Annotated[tuple[ScriptCard, ...], _checked(_script_cards)] = ()
    dice: tuple[Annotated[tuple[int, ...], _checked(_faces)], ...] = ()
    rng: tuple[StrictInt, ...] = ()
    decisions: dict[Seat, tuple[str, ...]] = Field(default_factory=dict)
    incidents: tuple[Incident, ...] = ()
    meter: Dollars | None = None
    players: dict[str, tuple[Seat, ...]] = Field(default_factory=dict)
    cut: dict[Seat, Literal["cut", "no_cut"]] = Field(default_factory=dict)
    new_dealer: StrictBool = False


class TableScript(_Document):
    """How the scenario's table is set up."""

    dealing: Dealing | None = None
    shuffler: Shuffler = Shuffler.NONE
    shuffler_mode: Literal["batch", "continuous"] = "batch"
    rounds_since_count: Annotated[StrictInt, Field(ge=0)] = 0
    deck_hours: Annotated[float, Field(strict=True, ge=0, le=_MOST_HOURS)] = 0
    batch: StrictInt | StrictStr | None = None
    button: Annotated[StrictInt, Field(ge=1, le=10)] | Literal["dealer"] | None = None
    minimum: Dollars | None = None
    maximum: Dollars | None = None
    seats: StrictInt | None = None
    devices: dict[
        Literal["shuffler", "shoe", "card_reader", "progressive", "shaker", "rng"], Literal["out_of_service"]
    ] = Field(default_factory=dict)


class _ScenarioDocument(_Document):
    game: str
    rules: dict[str, Any] = Field(default_factory=dict)
    table: TableScript = TableScript()
    round: tuple[RoundScript, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario that is well formed; its rounds are judged as they are played.

    `refused` is set when the chapter forbids its rules or its table: then nothing is played.
    """

    game: Game
    submission: Submission
    rules: Any
    table: TableScript
    setup: Setup
    rounds: tuple[RoundScript, ...]
    refused: Forbidden | None = None

    @property
    def button_by_card(self) -> bool:
        """Whether the first round begins with a card for each seat, which decides who has the button (637a.12(c))."""
        return self.table.button is None and getattr(self.rules, "button_by_card", False)

    def first_state(self) -> TableState:
        """What the table starts from: open, its decks at the table since `deck_hours`."""
        since = -int(self.table.deck_hours * 3600)
        backs = self.setup.backs[: self.setup.decks] if self.game.dice is None else ("",)
        kind = "deck" if self.game.dice is None else "dice"
        return TableState(
            round=0,
            decks=tuple(DeckState(f"{kind}-{n}", back, since) for n, back in enumerate(backs, 1)),
            deck_number=len(backs),
            rounds_since_count=self.table.rounds_since_count,
            dealing=self.setup.dealing.value,
            shuffler=self.setup.shuffler.value,
            out_of_service=tuple(self.table.devices),
            button=_button(self.table.button),
            dice_since=since,
        )


def _button(where: int | str | None) -> Position | None:
    return None if where is None else DEALER if where == "dealer" else seat(int(where))


def load(path: Path) -> Scenario:
    """Read a scenario file, TOML or (ending ``.json``) JSON."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read: {error}") from None
    try:
        data = _json(text) if path.suffix == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # the decoders' own errors, numbers too long, nested too deep
        raise ScenarioError(f"{path}: {error}") from None
    if not isinstance(data, dict):
        raise ScenarioError(f"{path}: expected one document with game, rules, table and round")
    return parse(data, str(path))


def _json(text: str) -> object:
    """JSON as it is defined: a key stands once in an object, as in TOML, and every number is finite."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in pairs:
            if key in found:
                raise ValueError(f"the key {key!r} stands twice in one object")
            found[key] = value
        return found

    def finite(name: str) -> object:
        raise ValueError(f"{name} is not a number")

    return json.loads(text, object_pairs_hook=once, parse_constant=finite)


def parse(data: Mapping[str, Any], source: str = "scenario", find: Callable[[str], Game] = find_game) -> Scenario:
    """Check a scenario document; `ScenarioError` lists all faults of form. `find` gives the game of an id."""
    rules_key: tuple[str, ...] = ()
    try:
        document = _ScenarioDocument.model_validate(data)
        game = find(document.game)
        rules_key = ("rules",)
        submission = game.submission.model_validate(document.rules)
        game = game.as_filed(submission)
    except ValidationError as error:
        raise ScenarioError("\n".join(_problems(source, error, rules_key))) from None
    except Misuse as error:
        raise ScenarioError(f"{source}: game: {error}") from None
    rounds = tuple(with_stacks(script) for script in document.round) if game.pots else document.round
    table = document.table
    drawn = table.button is None and getattr(submission, "first_button", None) == CARD_DEALT
    for number, script in enumerate(rounds, 1):
        again = for_the_button(script) if drawn and number == 1 else 0
        _well_formed(game, script, f"{source}: round {number}", again)
    if table.minimum is not None and table.maximum is not None and table.minimum > table.maximum:
        raise ScenarioError(
            f"{source}: table: the minimum of {show(table.minimum)} is above the maximum of {show(table.maximum)}"
        )
    setup = Setup(
        dealing=game.usual_dealing if table.dealing is None else table.dealing,
        shuffler=table.shuffler,
        seats=game.seats if table.seats is None else table.seats,
        minimum=table.minimum,
        maximum=table.maximum,
        continuous=table.shuffler_mode == "continuous",
    )
    setup = replace(setup, decks=usual_decks(game, setup))
    rules: Any = None
    refused: Forbidden | None = None
    try:
        refuse(submission.objections())
        rules = submission.filed()
        refuse(game.objections(rules, setup))
        if isinstance(table.button, int) and table.button > setup.seats:
            message = f"button: the table has {setup.seats} betting positions"
            raise Forbidden(message, cite=game.seats_cite, stage="RULES")
    except Forbidden as error:
        refused = error
    return Scenario(game, submission, rules, table, setup, rounds, refused)


def with_stacks(script: RoundScript) -> RoundScript:
    """A round of a game that is played for pots: stacks lie in front of the seats where others have wagers."""
    return script.model_copy(update={"wagers": {**script.wagers, **{n: {STACK: s} for n, s in script.stacks.items()}}})


def check_round(scenario: Scenario, script: RoundScript) -> None:
    """What the chapter or the filed rules forbid in one round before it begins."""
    game = scenario.game
    if not script.wagers:
        raise Forbidden("no seat takes part, expected a wager", cite=game.opening_cite, stage="OPEN")
    named = (number for seats in script.players.values() for number in seats)
    for number in sorted({*script.wagers, *script.cut, *script.decisions, *named}):
        if number > scenario.setup.seats:
            raise Forbidden(
                f"the table has {scenario.setup.seats} betting positions",
                cite=game.seats_cite,
                seat=number,
                stage="OPEN",
            )
        for wager in script.wagers.get(number, ()):
            if wager not in game.opening:
                raise Forbidden(
                    f"{wager} cannot be wagered before the deal, expected {' or '.join(game.opening)}",
                    cite=game.opening_cite,
                    seat=number,
                    stage="OPEN",
                )
    for incident in script.incidents:
        if not game.knows(incident.kind):
            raise Forbidden(
                f"chapter {game.chapter} knows no irregularity {incident.kind!r} (at {incident.at})", stage="OPEN"
            )
        place = incident.position
        if place is not None and place.kind == "seat" and place.number > scenario.setup.seats:
            raise Forbidden(
                f"{incident.kind} (at {incident.at}): the table has {scenario.setup.seats} betting positions",
                cite=game.seats_cite,
                seat=place.number,
                stage="OPEN",
            )
    for objection in game.check_players(scenario.rules, script.players):
        raise Forbidden(objection.message, cite=objection.cite, stage="OPEN")
    progressive = any(system.progressive is not None and system.offered(scenario.rules) for system in game.systems)
    meter = None if progressive else script.meter
    cut = {} if game.dice is None and game.shuffling.style.offered else script.cut
    cards = () if game.dice is None else script.cards
    stacks = () if game.pots else script.stacks
    for key, unused in (("stacks", stacks), ("meter", meter), ("cut", cut), ("cards", cards)):
        if unused:
            raise Forbidden(f"{key}: {game.title} has no use for it", stage="OPEN")


def all_cards(script: RoundScript, size: int) -> tuple[ScriptCard, ...]:
    """The listed cards, then the rest of the deck or decks of `size` cards in its fixed order."""
    whole = _whole(size)
    if size < 2 * len(deck()):
        listed = {item.card for item in script.cards}
        return (*script.cards, *(item for item in whole if item.card not in listed))
    out = Counter(item.card for item in script.cards)
    rest = []
    for item in whole:
        if out[item.card]:
            out[item.card] -= 1
        else:
            rest.append(item)
    return (*script.cards, *rest)


def for_the_button(script: RoundScript) -> int:
    """How many of the round's cards are dealt for the button: one for each seat, and those that lie face up before."""
    up = [incident.at.number for incident in script.incidents if incident.kind == "card_face_up"]
    seats, number = len(script.stacks), 0
    while seats:
        number += 1
        listed = number <= len(script.cards) and script.cards[number - 1].face_up
        seats -= not (listed or number in up)
    return number


@cache
def _whole(size: int) -> tuple[ScriptCard, ...]:
    joker = size == len(deck(joker=True))
    return tuple(ScriptCard(c) for c in deck(joker=joker) * (1 if joker else size // len(deck())))


def _well_formed(game: Game, script: RoundScript, where: str, again: int) -> None:
    """Faults of form that need the game: cards that are not in its deck, cards twice, positions left out.

    After so many cards all are shuffled `again`.
    """
    known = deck(joker=game.deck == 53)
    copies = max(1, game.deck // len(known))
    seen: list[Card] = []
    reshuffled = [incident.at.number for incident in script.incidents if incident.kind == "insufficient_cards"]
    reshuffled.append(again + 1)
    for number, listed in enumerate(script.cards, 1):
        if number in reshuffled:
            seen.clear()  # the discards come again
        if listed.card not in known:
            raise ScenarioError(f"{where}: cards: {listed.card} is not in the deck of {game.title}")
        if seen.count(listed.card) == copies:
            often = "twice, the deck holds it once" if copies == 1 else f"once more than the {copies} decks hold it"
            raise ScenarioError(f"{where}: cards: {listed.card} is listed {often}")
        seen.append(listed.card)
    for number, wagers in script.wagers.items():
        if not wagers:
            raise ScenarioError(f"{where}: wagers: seat {number} has none, leave the seat out")
        for wager, amount in wagers.items():
            if amount <= 0:
                raise ScenarioError(f"{where}: wagers: seat {number} {wager}: expected an amount above zero")
    said = fault_of_decisions(script.decisions, pots=game.pots)
    if said is not None:
        raise ScenarioError(f"{where}: decisions: {said}")
    named = [number for seats in script.players.values() for number in seats]
    for number in dict.fromkeys(named):
        if named.count(number) > 1:
            raise ScenarioError(f"{where}: players: seat {number} is named twice, expected one player for each seat")
    for incident in script.incidents:
        fault = _fault_of(game, incident)
        if fault is not None:
            raise ScenarioError(f"{where}: incidents: {incident.kind} at {incident.at}: {fault}")


def _fault_of(game: Game, incident: Incident) -> str | None:
    """What is wrong with the form of an incident in this game."""
    place = incident.position
    if incident.kind in game.must_name_position and place is None:
        return "expected a position"
    if place is not None and place.kind == "stack" and place.kind not in game.places:
        return f"position: {game.title} has no {place}, expected dealer, community or a seat"
    if incident.kind == "deck_count" and incident.count is None:
        return "expected a count"
    if incident.kind == "deck_count" and incident.misdealt and (incident.count == game.deck or place is None):
        return f"misdealt needs a position and a count other than {game.deck}"
    return None


def _problems(source: str, error: ValidationError, under: tuple[str, ...] = ()) -> list[str]:
    """One sentence for each fault, with the key where it is; rounds are counted from 1."""
    lines = []
    for fault in error.errors(include_url=False):
        where = [*under, *(str(part) for part in fault["loc"] if part != "[key]")]
        if where[0] == "round" and len(where) > 1 and where[1].isdigit():
            where[:2] = [f"round {int(where[1]) + 1}"]
        lines.append(f"{source}: {'.'.join(where)}: {fault['msg'].removeprefix('Value error, ')}")
    return lines
