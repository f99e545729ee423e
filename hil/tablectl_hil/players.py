"""Seeded rounds for a table that runs by itself: who wagers what, the deck, how the players decide, what goes wrong.

A round is played by script once, and each seat answers what it is asked then. So any game can be played; what is known
of each is what its players put down before the deal, and how they decide if not by chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tablectl.cards import COMMUNITY, Card, Position, deck, seat
from tablectl.engine.drive import Drive
from tablectl.engine.scenario import RoundScript, Scenario
from tablectl.engine.script import Script, play_one
from tablectl.errors import Forbidden, Misuse
from tablectl.hands.lunar import LUNAR, is_at_least
from tablectl.hands.points import total
from tablectl.hands.three import ThreeCard, ThreeCardRank, rank3
from tablectl.money import Money, show
from tablectl.procedure import instructions as acts
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table, TableState
from tablectl_hil.mishaps import candidates, is_spoken_of

__all__ = ["FILED", "Players"]

_CHIPS: Final = (500, 1000, 1500, 2500, 5000)
_PLAY_FROM: Final = ThreeCardRank(ThreeCard.HIGH_CARD, (12, 6, 4))
_BACK_9_UP_TO: Final = 13
_JACK: Final = 11
_SIX: Final = 6
_TRIES: Final = 12
_MISHAPS: Final = ("card_face_up", "drawn_in_error", "card_exposed", "wrong_card_count", "late_wager")


class Players:
    """Rounds of one table's game, one after the other, from a seed. `mishaps` of 100 rounds have something go wrong.

    `everybody`: no seat is empty, and each has every wager that may be placed.
    """

    def __init__(self, table: Scenario, seed: int, *, mishaps: int = 10, everybody: bool = False) -> None:
        self._table = table
        self._chance = random.Random(seed)
        self._mishaps = mishaps
        self._everybody = everybody

    def next_round(self, mishap: str | None = None, state: TableState | None = None) -> RoundScript:
        """The next round's script, for a table in that state (as it begins, if left out).

        In it there is an irregularity of the kind `mishap`, by a clause of the chapter; `Misuse` when there cannot be.
        """
        state = self._table.first_state() if state is None else state
        if mishap is None:
            return self._round(state, self._mishaps)
        for _ in range(_TRIES):
            found = self._with(mishap, self._round(state, 0), state)
            if found is not None:
                return found
        raise Misuse(f"{self._table.game.title}: no round comes to {mishap!r} at this table")

    def _round(self, state: TableState, mishaps: int) -> RoundScript:
        chance, game = self._chance, self._table.game
        cards = [card.name for card in deck(joker=game.deck == 53)] * max(1, game.deck // 52)
        chance.shuffle(cards)
        seats = range(1, self._table.setup.seats + 1)
        seated = [number for number in seats if self._everybody or chance.random() < 0.7] or [1]
        placed = _WAGERS.get(game.id, (game.opening,))
        placed = [[wager for wager in wagers if getattr(self._table.rules, wager, True)] for wagers in placed]
        choices = [max(placed, key=len)] if self._everybody else placed
        script: dict[str, Any] = {
            "wagers": {number: self._wagers(chance.choice(choices)) for number in seated},
            "dice": [" ".join(str(chance.randrange(1, 7)) for _ in range(3))] if game.id in _SHAKEN else [],
            "cards": cards,
        }
        if chance.randrange(100) < mishaps:
            self._mishap(script, dealt=game.hand * (len(seated) + 1))
        return self._decided(RoundScript.model_validate({**script, "cards": " ".join(script["cards"])}), state)

    def _with(self, kind: str, script: RoundScript, state: TableState) -> RoundScript | None:
        """The same round with that irregularity somewhere in it; None where it comes to none."""
        played, game = self._table, self._table.game
        fold, _after = play_one(played, script, Table(game, played.rules, played.setup, state))
        places = candidates(game, kind, script, fold.order)
        self._chance.shuffle(places)
        for incident in places:
            wrong = script.model_copy(update={"incidents": (incident,), "decisions": {}})
            try:
                wrong = self._decided(wrong, state)
                fold, _after = play_one(played, wrong, Table(game, played.rules, played.setup, state))
            except Forbidden:  # its moment does not come
                continue
            if is_spoken_of(game, kind, fold.events) and (kind != "wrong_stake" or _bets(wrong, incident.at.number)):
                return wrong
        return None

    def _wagers(self, placed: Sequence[str]) -> dict[str, str]:
        """What one seat puts down: each wager its own amount, if not the same as another one or a dollar."""
        amounts: dict[str, Money] = {}
        for wager in placed:
            same = _SAME.get(wager)
            amounts[wager] = amounts[same] if same in amounts else Money(self._chance.choice(_CHIPS))
            if wager in _DOLLAR:
                amounts[wager] = Money(1_00)
        return {wager: show(amount) for wager, amount in amounts.items()}

    def _mishap(self, script: dict[str, Any], dealt: int) -> None:
        game, at = self._table.game, f"card {self._chance.randrange(1, dealt + 1)}"
        kind = self._chance.choice([kind for kind in _MISHAPS if game.knows(kind)])
        if kind == "card_face_up":
            number = self._chance.randrange(dealt)
            aside = script["cards"].pop()  # the hands stay what they are: another card lies face up between them
            script["cards"].insert(number, f"^{aside}")
            return
        where = {"position": "dealer" if "dealer" in game.places else "seat 1"}
        script["incidents"] = [{"at": at, "kind": kind, **(where if kind in game.must_name_position else {})}]

    def _decided(self, script: RoundScript, state: TableState) -> RoundScript:
        """The round with what each seat answers when it is asked."""
        played = self._table
        table = Table(played.game, played.rules, played.setup, state)
        decide = _DECIDE.get(played.game.id, _by_chance)
        seats = _Seats(played, script, table, lambda act: decide(act, table, self._chance))
        drive = Drive(play_round(table), played.game.transitions, lambda _step, _act, _result, _events: None)
        try:
            drive.advance(seats)
        finally:
            drive.close()
        return script.model_copy(update={"decisions": seats.decisions})


class _Seats(Script):
    """A script whose seats decide as they are asked."""

    def __init__(self, played: Scenario, script: RoundScript, table: Table, decide: Callable[[acts.Ask], str]) -> None:
        self.decisions: dict[int, tuple[str, ...]] = {}
        super().__init__(played, script.model_copy(update={"decisions": self.decisions}), table)
        self._decide = decide

    def _ask(self, act: acts.Ask) -> object:
        known = self.decisions.get(act.seat, ())
        if len(known) == self._decided.get(act.seat, 0):
            self.decisions[act.seat] = (*known, self._decide(act))
        return super()._ask(act)


# What is known of each game -----------------------------------------------------------------------------------------

_WAGERS: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "three_card_poker": (
        ("pair_plus",),
        *(("ante", "pair_plus"),) * 2,
        *(("ante",),) * 3,
    ),
    "texas_holdem_bonus": (("ante",), ("ante", "bonus")),
    "lunar_poker": (("ante", "super"),),
    "crazy_4_poker": (
        ("ante", "super_bonus"),
        ("ante", "super_bonus", "queens_up"),
        ("ante", "super_bonus", "queens_up", "progressive"),
    ),
    "mississippi_stud": (("ante",), ("ante", "three_card_bonus"), ("ante", "three_card_bonus", "progressive")),
    "criss_cross_poker": (("ante_across", "ante_down"), ("ante_across", "ante_down", "five_card_bonus")),
    "go_fore_it": (("front_9",), ("front_9", "skins"), ("front_9", "gopher"), ("front_9", "skins", "gopher")),
}
"""Which wagers a seat places before the deal, one of these; all that may be placed where a game is not named.

What the rules do not offer, by the name of the wager, is left out.
"""

FILED: Final[Mapping[str, Mapping[str, Any]]] = {
    "criss_cross_poker": {"five_card_bonus": True},
    "mississippi_stud": {"three_card_bonus": "A", "progressive": True},
    "crazy_4_poker": {"progressive": "A"},
}
"""What a table that runs by itself files beside the defaults, so that everything of its game is to be seen."""

_SAME: Final[Mapping[str, str]] = {"ante_down": "ante_across", "super_bonus": "ante", "super": "ante"}
"""Wagers that have to be equal to another one."""

_DOLLAR: Final = ("progressive", "envy")
_SHAKEN: Final = ("pai_gow_poker", "six_card_fortune_pai_gow")


def _by_chance(act: acts.Ask, _table: Table, chance: random.Random) -> str:
    """Whatever is offered; a fold is as rare as if it were offered twice among five."""
    verbs = [choice.verb for choice in act.choices]
    if "fold" in verbs and chance.random() > 0.4:
        verbs.remove("fold")
    return chance.choice(verbs)


def _three_cards(act: acts.Ask, table: Table, _chance: random.Random) -> str:
    """Play with queen, six, four or better."""
    return "bet" if rank3(_held(table, seat(act.seat))) >= _PLAY_FROM else "fold"


def _hold_em(act: acts.Ask, table: Table, chance: random.Random) -> str:
    """Fold the least cards; bet on a pair, or on an ace, and now and then on nothing."""
    own = [card.rank for card in _held(table, seat(act.seat))]
    if act.choices[-1].verb == "fold":
        return "fold" if sum(own) < 10 and own[0] != own[1] else "bet"
    ranks = [*own, *(card.rank for card in _held(table, COMMUNITY))]
    made = any(ranks.count(rank) > 1 for rank in own) or max(own) == 14
    return "bet" if made or chance.random() < 0.1 else "check"


def _front_9(act: acts.Ask, table: Table, _chance: random.Random) -> str:
    """Back 9 while the two cards that are seen leave room for two more below par."""
    return "bet" if total(_held(table, seat(act.seat))[:2]) <= _BACK_9_UP_TO else "fold"


def _stud(act: acts.Ask, table: Table, chance: random.Random) -> str:
    """Three times the Ante on a hand that pays, once on one that pushes or has a high card, else now and then out."""
    own = [card.rank for card in _held(table, seat(act.seat))]
    street = ("third_street", "fourth_street", "fifth_street").index(act.choices[0].wager or "")
    ranks = [*own, *(card.rank for card in _held(table, COMMUNITY)[:street])]
    pair = max((rank for rank in ranks if ranks.count(rank) > 1), default=0)
    if pair >= _JACK:
        return "bet 3"
    return "bet" if pair >= _SIX or max(own) >= _JACK or chance.random() < 0.3 else "fold"


def _crazy_4(act: acts.Ask, table: Table, chance: random.Random) -> str:
    """Three times the Ante with a pair of aces or better, once with king, queen or better, else now and then."""
    cards = _held(table, seat(act.seat))
    most = table.game.most_times(cards)
    if most is not None and most > 1:
        return f"bet {most}"
    ranks = sorted((card.rank for card in cards), reverse=True)
    good = len({*ranks}) < len(ranks) or ranks[:2] >= [13, 12]
    return "bet" if good or chance.random() < 0.1 else "fold"


def _criss_cross(act: acts.Ask, table: Table, chance: random.Random) -> str:
    """Three times the Ante on a line that pays, once on what may come to something, else now and then out."""
    own = [card.rank for card in _held(table, seat(act.seat))]
    board = _held(table, COMMUNITY)
    seen = {"across": (), "down": (1, 3), "middle": (1, 3, 0, 4)}[act.choices[0].wager or ""]
    ranks = [*own, *(board[place].rank for place in seen)]
    pairs = [rank for rank in own if ranks.count(rank) > 1]
    if max(pairs, default=0) >= _JACK:
        return "bet 3"
    return "bet" if pairs or max(own) >= _JACK or chance.random() < 0.3 else "fold"


def _lunar(act: acts.Ask, table: Table, chance: random.Random) -> str:
    """Bet on a pair or an ace-king, now and then with a sixth card; with less draw to the two highest, or fold."""
    hand = _held(table, seat(act.seat))
    is_good = is_at_least(LUNAR.rank(hand).category, "ace_king")
    if len(act.choices) == 2:
        return "bet" if is_good else "fold"
    if is_good:
        return "buy" if chance.random() < 0.2 else "bet"
    low = sorted(hand, key=lambda card: card.rank)[:3]
    return f"exchange {' '.join(card.name for card in low)}" if chance.random() < 0.7 else "fold"


_DECIDE: Final[Mapping[str, Callable[[acts.Ask, Table, random.Random], str]]] = {
    "three_card_poker": _three_cards,
    "texas_holdem_bonus": _hold_em,
    "criss_cross_poker": _criss_cross,
    "go_fore_it": _front_9,
    "lunar_poker": _lunar,
    "mississippi_stud": _stud,
    "crazy_4_poker": _crazy_4,
}


def _bets(script: RoundScript, number: int) -> bool:
    """Whether that seat puts chips down when it is asked for the first time."""
    return script.decisions.get(number, ("",))[0].startswith("bet")


def _held(table: Table, place: Position) -> list[Card]:
    return [hidden.card for hidden in table.hands[place] if hidden.card is not None]
