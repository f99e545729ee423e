"""Seeded rounds for a table that runs by itself: who wagers what, the deck, how the players decide, what goes wrong.

A round is played by script once, and each seat answers what it is asked then. So any game can be played; what is known
of each is what its players put down before the deal, and how they decide if not by chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tablectl.cards import COMMUNITY, Card, Position, seat
from tablectl.engine.drive import Drive
from tablectl.engine.scenario import RoundScript, Scenario
from tablectl.engine.script import Script, play_one
from tablectl.errors import Forbidden, Misuse
from tablectl.games import game as find_game
from tablectl.games.high_roll_dice import WAGERS as ALL_OF_DICE
from tablectl.games.high_roll_dice import is_on_the_layout
from tablectl.hands.lunar import LUNAR, is_at_least
from tablectl.hands.pai_gow import PAI_GOW
from tablectl.hands.points import total
from tablectl.hands.six_card import house_low
from tablectl.hands.three import ThreeCard, ThreeCardRank, rank3
from tablectl.money import Money, show
from tablectl.procedure import instructions as acts
from tablectl.procedure.poker import STACK
from tablectl.procedure.rounds import play_round
from tablectl.procedure.table import Table, TableState
from tablectl_hil.mishaps import candidates, is_spoken_of, led_to_by
from tablectl_hil.twenty_one import Shoe, play_21

__all__ = ["FILED", "Players", "own_table"]

_CHIPS: Final = (500, 1000, 1500, 2500, 5000)
_STACKS: Final = (2000, 4000, 6000, 10000, 20000)
_PLAY_FROM: Final = ThreeCardRank(ThreeCard.HIGH_CARD, (12, 6, 4))
_BACK_9_UP_TO: Final = 13
_JACK: Final = 11
_TEN: Final = 10
_SIX: Final = 6
_TRIES: Final = 12
_MISHAPS: Final = (
    "card_face_up",
    "drawn_in_error",
    "card_exposed",
    "wrong_card_count",
    "late_wager",
    "missing_cards",
    "fouled_hand",
)


def own_table(game: str) -> dict[str, Any]:
    """The document of a table of that game that runs by itself; `Misuse` says which games there are."""
    setup = {"shuffler": "counting"} if find_game(game).dice is None else {}
    return {"game": game, "rules": FILED.get(game, {}), "table": setup, "round": []}


class Players:
    """Rounds of one table's game, one after the other, from a seed. `mishaps` of 100 rounds have something go wrong.

    `everybody`: no seat is empty, and each has every wager that may be placed.
    """

    def __init__(self, table: Scenario, seed: int, *, mishaps: int = 10, everybody: bool = False) -> None:
        self._table = table
        self._chance = random.Random(seed)
        self._mishaps = mishaps
        self._everybody = everybody
        self._shoe = Shoe(table.game, self._chance)

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
        cards = [] if game.dice is not None else self._shoe.cards(state)
        seats = range(1, self._table.setup.seats + 1)
        seated = [number for number in seats if self._everybody or chance.random() < 0.7] or [1]
        if game.pots and len(seated) == 1:
            seated = [1, 2]
        if state.button is None and getattr(self._table.rules, "button_by_card", False):
            cards = [*cards[: len(seated)], *self._shoe.cards(state)]  # a card for each, and the deck anew
        placed = _WAGERS.get(game.id, (game.opening,))
        placed = [[wager for wager in wagers if self._is_offered(wager)] for wagers in placed]
        choices = [max(placed, key=len)] if self._everybody else placed
        script: dict[str, Any] = {
            "wagers": {number: self._wagers(chance.choice(choices)) for number in seated},
            "cards": cards,
            "incidents": self._shoe.ends(cards),
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
            wrong = script.model_copy(update={"incidents": led_to_by(incident), "decisions": {}, "dice": (), "rng": ()})
            try:
                wrong = self._decided(wrong, state)
                fold, _after = play_one(played, wrong, Table(game, played.rules, played.setup, state))
            except Forbidden:  # its moment does not come
                continue
            if is_spoken_of(game, kind, fold.events) and (kind != "wrong_stake" or _bets(wrong, incident.at.number)):
                return wrong
        return None

    def _is_offered(self, wager: str) -> bool:
        """Whether that wager may be placed by the filed rules."""
        rules = self._table.rules
        return bool(getattr(rules, wager, True) if self._table.game.dice is None else is_on_the_layout(rules, wager))

    def _wagers(self, placed: Sequence[str]) -> dict[str, str]:
        """What one seat puts down: each wager its own amount, if not the same as another one or a dollar."""
        amounts: dict[str, Money] = {}
        for wager in placed:
            same = next(iter(amounts), None) if self._table.game.id in _ONE_AMOUNT else _SAME.get(wager)
            amounts[wager] = amounts[same] if same in amounts else Money(self._chance.choice(_CHIPS))
            if wager == STACK:
                amounts[wager] = Money(self._chance.choice(_STACKS))
            if wager in _DOLLAR:
                amounts[wager] = Money(1_00)
        return {wager: show(amount) for wager, amount in amounts.items()}

    def _mishap(self, script: dict[str, Any], dealt: int) -> None:
        game = self._table.game
        if game.dice is not None:
            sides = self._chance.choice((1, 2))
            wrong = self._chance.choice(({"kind": "die_off_table"}, {"kind": "die_cocked", "sides": sides}))
            script["incidents"] = [{"at": "throw 1", **wrong}]
            return
        if game.pots:  # the dealer has no hand, and the first two cards of each player are dealt in every game
            dealt = 2 * len(script["wagers"])
        at = f"card {self._chance.randrange(1, dealt + 1)}"
        kind = self._chance.choice([kind for kind in _MISHAPS if game.knows(kind)])
        if kind == "card_face_up":
            number = self._chance.randrange(dealt)
            if self._shoe.goes_on:  # what lies behind it comes in the rounds to come
                script["cards"][number] = f"^{script['cards'][number]}"
                return
            aside = script["cards"].pop()  # the hands stay what they are: another card lies face up between them
            script["cards"].insert(number, f"^{aside}")
            return
        where = {"position": "dealer" if "dealer" in game.places else f"seat {min(script['wagers'])}"}
        script["incidents"] = [{"at": at, "kind": kind, **(where if kind in game.must_name_position else {})}]

    def _decided(self, script: RoundScript, state: TableState) -> RoundScript:
        """The round with what each seat answers when it is asked."""
        played = self._table
        table = Table(played.game, played.rules, played.setup, state)
        decide = _DECIDE.get(played.game.id, _by_chance)
        seats = _Seats(played, script, table, lambda act: decide(act, table, self._chance), self._chance)
        drive = Drive(play_round(table), played.game.transitions, lambda _step, _act, _result, _events: None)
        try:
            drive.advance(seats)
        finally:
            drive.close()
        fell = {"dice": tuple(seats.dice), "rng": tuple(seats.rng)}
        return script.model_copy(update={"decisions": seats.decisions, **fell})


class _Seats(Script):
    """A script whose seats decide as they are asked, and in which dice fall as they are thrown."""

    def __init__(
        self,
        played: Scenario,
        script: RoundScript,
        table: Table,
        decide: Callable[[acts.Ask], str],
        chance: random.Random,
    ) -> None:
        self.decisions: dict[int, tuple[str, ...]] = {}
        self.dice = list(script.dice)
        self.rng = list(script.rng)
        super().__init__(
            played, script.model_copy(update={"decisions": self.decisions, "dice": self.dice, "rng": self.rng}), table
        )
        self._decide = decide
        self._chance = chance

    def _throw(self, act: acts.ThrowDice) -> object:
        if len(self.dice) == self._thrown:
            self.dice.append(tuple(self._chance.randrange(1, 7) for _ in range(act.dice)))
        return super()._throw(act)

    def _number(self, act: acts.ReadNumber) -> int:
        if len(self.rng) == self._numbers:
            self.rng.append(self._chance.randint(act.low, act.high))
        return super()._number(act)

    def _ask(self, act: acts.Ask) -> object:
        known = self.decisions.get(act.seat, ())
        if len(known) == self._said.taken(act.seat):
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
    "free_bet_blackjack": (("blackjack",), ("blackjack", "push_22")),
    "mississippi_stud": (("ante",), ("ante", "three_card_bonus"), ("ante", "three_card_bonus", "progressive")),
    "criss_cross_poker": (("ante_across", "ante_down"), ("ante_across", "ante_down", "five_card_bonus")),
    "high_roll_dice": (
        ("pip_1", "pip_2"),
        ("pip_5", "pip_6", "like_3", "like_4", "millionaire_9", "millionaire_10"),
        ("pip_1", "pip_4", "like_2", "like_4", "like_5", "like_6", "extra_roll"),
        ALL_OF_DICE,
    ),
    "six_card_fortune_pai_gow": (
        ("pai_gow",),
        ("pai_gow", "fortune_bonus"),
        ("pai_gow", "insurance", "progressive"),
        ("pai_gow", "fortune_bonus", "insurance", "progressive"),
    ),
    "go_fore_it": (("front_9",), ("front_9", "skins"), ("front_9", "gopher"), ("front_9", "skins", "gopher")),
}
"""Which wagers a seat places before the deal, one of these; all that may be placed where a game is not named.

What the rules do not offer, by the name of the wager, is left out.
"""

_RAKE: Final = {"type": "percentage", "percent": 10, "maximum": "4.00"}

FILED: Final[Mapping[str, Mapping[str, Any]]] = {
    "criss_cross_poker": {"five_card_bonus": True},
    "mississippi_stud": {"three_card_bonus": "A", "progressive": True},
    "crazy_4_poker": {"progressive": "A"},
    "free_bet_blackjack": {"push_22": "A", "even_money": True},
    "six_card_fortune_pai_gow": {
        "double_down": True,
        "fortune_bonus": True,
        "insurance": True,
        "progressive": True,
    },
    "omaha_high": {"straddle": "4.00", "rake": _RAKE},
    "omaha_hilo": {"kill": "kill", "rake": _RAKE, "bad_beat": {"drop": "1.00", "minimum_pot": "20.00"}},
    "five_card_draw_high": {"ante": "1.00", "rake": _RAKE, "first_button": "card_dealt"},
    "five_card_draw_low": {"rake": {"type": "incremental", "steps": [["20.00", "1.00"], ["40.00", "2.00"]]}},
    "five_card_stud": {"ante": "1.00", "rake": _RAKE, "high_hand": {"drop": "1.00", "minimum_pot": "20.00"}},
}
"""What a table that runs by itself files beside the defaults, so that everything of its game is to be seen."""

_SAME: Final[Mapping[str, str]] = {"ante_down": "ante_across", "super_bonus": "ante", "super": "ante"}
"""Wagers that have to be equal to another one."""

_DOLLAR: Final = ("progressive", "envy", "millionaire_9", "millionaire_10")
_ONE_AMOUNT: Final = ("high_roll_dice",)
"""Games in which all wagers of a seat are equal, but those of a dollar."""


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


def _between_players(act: acts.Ask, table: Table, chance: random.Random) -> str:
    """Mostly check and call, now and then fold, bet or raise; draw up to three cards."""
    verbs = [choice.verb for choice in act.choices]
    if verbs == ["draw"]:
        hand = _held(table, seat(act.seat))
        there = table.game.deck - table.cards_out + table.back_in_deck - 1
        return " ".join(["draw", *(card.name for card in chance.sample(hand, min(there, chance.choice((0, 1, 2, 3)))))])
    if not isinstance(act, acts.AskBet):
        return chance.choice(verbs)
    if chance.random() < 0.2 and act.most:
        between = (act.least + act.most) // 2 // act.unit * act.unit
        total = chance.choice([act.least, act.least, max(act.least, between), act.most])
        return f"{'raise' if 'raise' in verbs else 'bet'} {show(Money(total))}"
    if "check" in verbs:
        return "check"
    return "fold" if chance.random() < 0.3 else "call"


def _six_cards(act: acts.Ask, table: Table, chance: random.Random) -> str:
    """Double on a pair of tens or better; the house way, or set by oneself, the same and now and then otherwise."""
    verb = act.choices[0].verb
    if verb == "play_on":
        return "play_on" if chance.random() < 0.7 else "void_hand"
    cards = _held(table, seat(act.seat))
    if verb == "double_down":
        hand = PAI_GOW.rank(cards)
        good = hand.category not in ("high_card", "pair") or (hand.category == "pair" and hand.ranks[0] >= _TEN)
        return verb if good else "no_double_down"
    if chance.random() < 0.5:
        return "house_way"
    return f"set {house_low(cards) if chance.random() < 0.8 else chance.choice(cards)}"


def _seven_cards(act: acts.Ask, table: Table, chance: random.Random) -> str:
    """The house way, or set by oneself: the same, and now and then otherwise; a surrender is rare."""
    if act.choices[0].verb == "play_on":
        return "play_on" if chance.random() < 0.7 else "void_hand"
    cards = _held(table, seat(act.seat))
    if chance.random() < 0.6:
        return "house_way" if chance.random() < 0.95 else "surrender"
    low = table.rules.house_way.low(cards) if chance.random() < 0.8 else chance.sample(cards, 2)
    return f"set {' '.join(card.name for card in low)}"


_DECIDE: Final[Mapping[str, Callable[[acts.Ask, Table, random.Random], str]]] = {
    "three_card_poker": _three_cards,
    "texas_holdem_bonus": _hold_em,
    "criss_cross_poker": _criss_cross,
    "go_fore_it": _front_9,
    "lunar_poker": _lunar,
    "mississippi_stud": _stud,
    "crazy_4_poker": _crazy_4,
    "free_bet_blackjack": play_21,
    "double_back_jack": play_21,
    "pai_gow_poker": _seven_cards,
    "six_card_fortune_pai_gow": _six_cards,
    "omaha_high": _between_players,
    "omaha_hilo": _between_players,
    "five_card_draw_high": _between_players,
    "five_card_draw_low": _between_players,
    "five_card_stud": _between_players,
}


def _bets(script: RoundScript, number: int) -> bool:
    """Whether that seat puts chips down when it is asked for the first time."""
    return script.decisions.get(number, ("",))[0].startswith(("bet", "double_down", "double ", "insurance "))


def _held(table: Table, place: Position) -> list[Card]:
    return [hidden.card for hidden in table.hands[place] if hidden.card is not None]
