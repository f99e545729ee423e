"""A round of poker between players: stacks, antes and blinds, the deal around the table, betting.

What the chapters of the poker room do differently is put together from these by their games. Nothing here knows the
value of a hand: a game says how hands compare.

Readings where the text leaves room:

- 637a.12(c)(2): the button goes to the next player who takes part; after a misdeal, which is dealt again, it stays.
- 637a.12(b), (d): who has less than an Ante or a blind puts in all that he has. Antes come before blinds.
- 637a.18(g)(2), (4): a blind, a straddle and a forced bet are not placed voluntarily.
- 637a.18(l)(1): a player may fold whenever it is his turn, also where he could check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from tablectl.cards import BURN, COMMUNITY, Card, FaceDown, Position, seat
from tablectl.money import ZERO, Money, show
from tablectl.procedure.betting import BET, CALL, CHECK, FOLD, LIMIT, RAISE, Bets, Limits
from tablectl.procedure.dealing import burn, collect_wagers, dealt_around, instead, replace_exposed
from tablectl.procedure.devices import ready_to_deal
from tablectl.procedure.first_button import draw_button
from tablectl.procedure.house_take import before_the_round
from tablectl.procedure.instructions import (
    Ask,
    AskBet,
    BeginDeal,
    Choice,
    CollectCards,
    DealAround,
    Decision,
    Dispensed,
    Drawn,
    FoundFaceUp,
    Incident,
    Left,
    Note,
    PostBet,
    ReturnBet,
    SeatPlayers,
    Stake,
    TakeRake,
    TurnFaceUp,
)
from tablectl.procedure.irregularities import ask_while, attend, handle, once
from tablectl.procedure.pots import pots, take_rake
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.records import replace
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.poker import IncrementalRake, PercentageRake, PokerRules

__all__ = ["POT", "STACK", "PokerRound", "check_stacks", "dealt_order", "move_button", "sit_down"]

STACK: Final = "stack"
POT: Final = "pot"

_UNCALLED: Final = cite("637a.17(d)")
_REFUND: Final = cite("637a.18(k)(3)")
_LEFT: Final = cite("637a.18(k)(4)")


def check_stacks(
    clause: Cite,
) -> Callable[[Any, Any, Sequence[Stake]], Iterable[tuple[int, Objection]]]:
    """At least two players, whose stacks are known; they are of chips that are in use, so that pots can be divided."""

    def check(rules: Any, _setup: Any, stakes: Sequence[Stake]) -> Iterable[tuple[int, Objection]]:
        unit = rules.unit
        for stake in stakes:
            if stake.amount is None:
                yield stake.seat, Objection(STACK, "stack has to be stated", clause)
            elif stake.amount % unit:
                message = f"stack of {show(stake.amount)} is no multiple of the smallest chip of {show(unit)}"
                yield stake.seat, Objection(STACK, message, clause)
        if len(stakes) == 1:
            yield stakes[0].seat, Objection(STACK, "one player alone cannot play", clause)

    return check


@dataclass(slots=True)
class PokerRound:
    """One round of play on its way: who plays, with what bets, in what order cards are dealt.

    `button` is the seat that has it, 0 in a game without one: then all begins to the dealer's left. `order` are the
    seats that are dealt to. `refunded` and `uncalled` are what has gone back. `down` are seats whose second card is
    dealt face down (637a.18(n)). `among` are the first cards of seats of which nobody knows what they have discarded.
    """

    table: Table
    rules: PokerRules
    bets: Bets
    button: int
    chapter: str
    order: list[int] = field(default_factory=list)
    uncalled: dict[int, int] = field(default_factory=dict)
    refunded: dict[int, int] = field(default_factory=dict)
    down: list[int] = field(default_factory=list)
    among: dict[int, tuple[FaceDown, ...]] = field(default_factory=dict)
    raked: Money = ZERO
    board_cards: list[Card] = field(default_factory=list)
    hole: list[FaceDown] = field(default_factory=list)
    _rounds: int = 0
    _was_dealt: list[int] = field(default_factory=list)
    _last: Position = COMMUNITY

    # Forced bets

    async def antes(self, clause: Cite) -> None:
        """Every player places an Ante, if there is one, clockwise from the left of the button."""
        if self.rules.ante:
            for number in self.bets.clockwise(self.button):
                await self._post(number, "ante", self.bets.ante(number, self.rules.ante), clause)

    async def blinds(self, clause: Cite) -> int:
        """The Blind Bets, from the left of the button; the seat of the last one.

        Who has lost the hand in the deal owes them still (637a.18(l)(2)), unless all was refunded (637a.18(k)(3)).
        """
        seats = [number for number in self.bets.clockwise(self.button) if number not in self.refunded]
        last = seats[-1]
        for number, blind in zip(seats, self.rules.blinds, strict=False):
            await self.post(number, "blind", blind, clause)
            last = number
        return last

    async def post(self, number: int, bet: str, total: Money, clause: Cite) -> None:
        """A forced bet, which brings the seat's bet to that."""
        await self._post(number, bet, self.bets.post(number, total), clause)

    async def _post(self, number: int, bet: str, amount: Money, clause: Cite) -> None:
        if amount:
            await attend(self.table, PostBet(number, bet, amount, clause))
            self._put(number)
            if self.table.for_the_game:
                await self.put_right()

    # Cards

    async def begin_deal(self, clause: Cite) -> None:
        """The deal begins to the left of the button; from here on `order` is as the dealer deals."""
        await self.table.enter(Stage.DEALING)
        seats = tuple([number for number in self.bets.clockwise(self.button) if number in self.bets.live])
        dealt = await BeginDeal(seats, clause)
        self.order = list(seats if dealt is None else dealt)

    async def deal(self, rounds: int) -> None:
        """So many rounds of cards face down to every seat of the order."""
        self._rounds = rounds
        await self.give([seat(number) for number in self.order] * rounds, self.hole)
        self._rounds = 0

    def as_dealt(self, order: list[int]) -> None:
        """The dealer has dealt to these seats in this order and not as he was led: the hands are what they got."""
        held = [card for number in self.order for card in self.table.hands.get(seat(number), ())]
        others = any(not any(card is dealt for dealt in self.hole) for card in held)
        if order == self.order or others or len(held) != len(self.hole):  # what was dealt since says where it went
            return
        self.order = self._was_dealt = order
        for number in order:
            self.table.hands[seat(number)] = []
        for place, card in enumerate(self.hole):
            self.table.hands[seat(order[place % len(order)])].append(card)

    async def give(self, places: Sequence[Position], kept: list[FaceDown] | None = None) -> None:
        """One card face down to each of these places; what goes wrong is put right before the next card.

        They are added to `kept`, too.
        """
        table = self.table
        hands = table.hands
        left = tuple(places)
        while left:
            if table.to_replace:
                left = await self._in_the_deal(left)
                continue
            came = await once(table, DealAround(table.cards_out + 1, left))
            match came:
                case Dispensed(cards):
                    left = await self._dealt(cards, left, kept)
                case Drawn():
                    left = await self._dealt((came,), left, kept)
                case _:
                    await instead(table, came, left[0])
            if table.for_the_game:
                left = await self._in_the_deal(left)
        if table.to_replace:
            await self.put_right()
        for place in dict.fromkeys(places):
            hands.setdefault(place, [])

    async def _dealt(
        self, cards: Sequence[Drawn | FoundFaceUp], left: tuple[Position, ...], kept: list[FaceDown] | None
    ) -> tuple[Position, ...]:
        if kept is not None:
            kept += [item.card for item in cards if type(item) is Drawn]
        after = await dealt_around(self.table, cards, left)
        if len(after) < len(left):
            self._last = left[len(left) - len(after) - 1]
        return after

    async def _in_the_deal(self, left: tuple[Position, ...]) -> tuple[Position, ...]:
        """Carry out what the deal has brought about; places that get no more cards are left out."""
        await self.put_right()
        if self._was_dealt and self._rounds:
            places = [seat(number) for _ in range(self._rounds) for number in self._was_dealt]
            left = tuple(places[len(self.hole) :])
        gone = [seat(number) for number in self.bets.seats if number not in self.bets.live]
        ours = [seat(number) for number in self.order]
        return tuple(p for p in left if p is COMMUNITY or (p in ours and p not in gone))

    async def burn(self, clause: Cite) -> None:
        """The top card of the deck is burned before others are dealt."""
        if self.table.stage is not Stage.DEALING:
            await self.table.enter(Stage.DEALING)
        await burn(self.table, clause)
        self._last = BURN
        if self.table.for_the_game:
            await self.put_right()

    async def board(self, cards: int, clause: Cite) -> None:
        """Burn one card, and deal so many community cards face up."""
        table = self.table
        await self.burn(clause)
        first = len(table.hands.get(COMMUNITY, ())) + 1
        await self.give((COMMUNITY,) * cards)
        self.board_cards += await self.turn_up((COMMUNITY,) * cards, first)

    async def turn_up(self, places: Sequence[Position], first: int) -> list[Card]:
        """Turn up a card at each of these places; `first` is its number there, on the board that of the first one."""
        table = self.table
        left = tuple(places)
        shown: list[Card] = []
        while left:
            now, number = left, first + (len(shown) if left[0] is COMMUNITY else 0)
            if first == 2 and self.down and any(place.number in self.down for place in left):
                # one by one: some turn up the first
                now, number = left[:1], 1 if left[0].number in self.down else 2
            down = tuple(
                [table.hands[place][number - 1 + (n if place is COMMUNITY else 0)] for n, place in enumerate(now)]
            )
            came = await once(table, TurnFaceUp(now, number, down))
            if isinstance(came, Incident):
                await handle(table, came)
                await self.put_right()
                continue
            shown += came.cards
            left = left[len(came.cards) :]
        return shown

    def discarded(self, number: int, count: int, places: Sequence[int]) -> None:
        """A seat has thrown so many cards away; where it is not known which, what is left is one of those dealt."""
        hand = self.table.hands[seat(number)]
        if places:
            self.table.hands[seat(number)] = [card for where, card in enumerate(hand) if where not in places]
        else:
            self.among[number] = tuple(hand)
            self.table.hands[seat(number)] = [FaceDown()] * (len(hand) - count)

    # Betting

    async def betting_round(self, opener: int, clause: Cite, forced: int = 0) -> None:
        """One betting round; this seat, or the next one that has not folded, is the first to act.

        `forced` has placed the forced bet, and acts again only when it is raised.
        """
        bets = self.bets
        bets.begin(opener)
        if forced:
            bets.answered(forced)
        while (number := bets.turn()) is not None:
            if self.table.stage is not Stage.DECIDING:
                await self.table.enter(Stage.DECIDING)
            await self._ask(number, clause, may_bet=bool(forced) and bets.raises == 0)
        self._leave_out_who_has_no_cards()
        back = bets.uncalled()
        if back is not None:
            number, amount = back
            self.uncalled[number] = self.uncalled.get(number, 0) + amount
            await ReturnBet(number, amount, _UNCALLED)
        await self.rake_as_play_progresses()

    @property
    def is_over(self) -> bool:
        """Whether one player alone is left."""
        return len(self.bets.live) < 2

    async def _ask(self, number: int, clause: Cite, *, may_bet: bool) -> None:
        """Ask one seat to act; what comes between may end the round for it."""

        def question(again: bool) -> AskBet:
            return self._question(number, clause, may_bet, again)

        async def goes_on() -> bool:
            await self.put_right()
            return self.bets.turn() == number

        decision = await ask_while(self.table, question, goes_on)
        if isinstance(decision, Left):
            self.bets.acts += 1
            self.bets.fold(number)
            await Note("player_left", seat(number), _LEFT, ("hand_dead",))
        elif decision is not None:
            self._decided(number, decision)

    def _question(self, number: int, clause: Cite, may_bet: bool, again: bool) -> AskBet:
        bets = self.bets
        call = Money(min(bets.owed(number), bets.stacks[number]))
        there = bets.level > 0
        if not bets.can_raise(number):
            return AskBet(number, _choices(call, there, False, False), clause, again)
        choices = _choices(call, there, may_bet or not there, there)
        span = bets.span(number)
        bet, unit = Money(bets.bet[number]), self.rules.unit
        return AskBet(number, choices, clause, again, 0, bet, span.least, span.most, unit)

    def _decided(self, number: int, decision: Decision) -> None:
        bets, verb = self.bets, decision.verb
        if verb == CHECK:
            bets.check(number)
        elif verb == FOLD:
            bets.acts += 1
            bets.fold(number)
        else:
            if verb == CALL:
                bets.call(number)
            else:
                assert decision.amount is not None
                bets.raise_to(number, decision.amount)
            self._put(number)
        if not self.table.hands.get(seat(number)):  # he was left out of the deal, and nobody has said so in time
            bets.fold(number)

    def _leave_out_who_has_no_cards(self) -> None:
        """Who was left out of the deal and is all in was not asked, and has nothing to show (637a.18(g)(4))."""
        bets, hands = self.bets, self.table.hands
        for number in [number for number in bets.live if not hands.get(seat(number))]:
            if len(bets.live) > 1:
                bets.fold(number)

    async def straddle(self, after: int, clause: Cite) -> int:
        """The player to the left of the blinds may place a Straddle Bet; the seat whose bet is the last one then."""
        number = self.bets.clockwise(after)[0]
        if not self.rules.straddle or self.bets.bet[number] or self.bets.stacks[number] < self.rules.straddle:
            return after
        await self.table.enter(Stage.DECIDING)
        asked = Ask(number, (Choice("straddle", None, self.rules.straddle), Choice("no_straddle")), clause)
        decision = await attend(self.table, asked)
        await self.put_right()
        if isinstance(decision, Left):  # and is not dealt to
            self.bets.fold(number)
            await Note("player_left", seat(number), _LEFT, ("hand_dead",))
            return after
        if decision.verb != "straddle":
            return after
        await self.post(number, "straddle", self.rules.straddle, clause)
        return number

    def _put(self, number: int) -> None:
        """The stake of a seat is all that it has put into the pot."""
        gone_back = self.uncalled.get(number, 0)
        self.table.stakes[number, POT, 0] = Stake(number, POT, Money(self.bets.put[number] + gone_back))

    # What goes wrong

    async def put_right(self) -> None:
        """Carry out what the clauses say of irregularities that are the game's own."""
        table = self.table
        while table.for_the_game:
            incident, rule = table.for_the_game.pop(0)
            place = incident.position
            number = place.number if place is not None and place.kind == "seat" else 0
            match incident.kind:
                case "fouled_hand" | "player_left" if "pot_refunded" in rule.remedies:
                    amount = self.bets.refund(number)
                    self.refunded[number] = self.refunded.get(number, 0) + amount
                    if amount:
                        await ReturnBet(number, amount, _REFUND)
                case "fouled_hand" | "player_left":
                    self.bets.fold(number)
                case "wrong_start":
                    self.as_dealt(dealt_order(self.order, (incident.kind, number)))
                case "ineligible_player_dealt":
                    if self._rounds:  # after the deal nobody can tell which cards these are
                        self.as_dealt(dealt_order(self.order, (incident.kind, number)))
                    cards = table.hands.pop(seat(number), [])
                    self.order = [dealt for dealt in self.order if dealt != number]
                    await CollectCards(seat(number), len(cards), cite("637a.18(h)"))
                case "card_off_table":
                    off = place or self._last
                    if off is COMMUNITY or off.number in self.bets.live:  # a burn card, or a dead hand's, needs none
                        table.to_replace.append((off, cite("637a.18(o)")))
                case _:
                    self.down.append(number)  # 637a.18(n)
        if table.to_replace and table.stage is not Stage.OPEN:
            before = table.stage
            if before is not Stage.DEALING:
                await table.enter(Stage.DEALING)
            await replace_exposed(table)
            if before is Stage.DECIDING:
                await table.enter(before)
            if table.for_the_game:  # noticed as the card was replaced
                await self.put_right()

    async def rake_as_play_progresses(self) -> None:
        """Extract the rake after a betting round, where that is filed (637a.17(b)(1)(i), (2)(i))."""
        rake = self.rules.rake
        by_round = isinstance(rake, PercentageRake) and rake.taken == "betting_round"
        if not by_round and not isinstance(rake, IncrementalRake):
            return
        made = pots(self.bets.put, self.bets.live)
        take_rake(made, rake, self.rules.unit)
        total = Money(sum(pot.rake for pot in made))
        if total != self.raked:  # what was put in by a player who is refunded is no part of the pot
            self.raked = total
            await TakeRake(total, cite("637a.17(b)(1)(i)" if by_round else "637a.17(b)(2)(i)"))


_FOLD: Final = Choice(FOLD)
_CHECK: Final = Choice(CHECK)
_CALL_NOTHING: Final = Choice(CALL, None, ZERO)
_BET: Final = Choice(BET)
_RAISE: Final = Choice(RAISE)


@lru_cache(maxsize=1024)
def _choices(call: Money, there: bool, may_bet: bool, may_raise: bool) -> tuple[Choice, ...]:
    """What a seat may do to whom a call costs that much; `there`: there is a bet in this betting round."""
    choices = [_FOLD]
    if call:
        choices.append(Choice(CALL, None, call))
    else:
        choices.append(_CHECK)
        if there:
            choices.append(_CALL_NOTHING)
    if may_bet:
        choices.append(_BET)
    if may_raise:
        choices.append(_RAISE)
    return tuple(choices)


def dealt_order(seats: Sequence[int], *wrong: tuple[str, int]) -> list[int]:
    """The seats in the order in which a dealer deals to them who should deal in that of `seats`, and does it wrong.

    `wrong` are kinds of irregularities with their seats: the deal begins at another one, leaves one out, or takes one
    in that takes no part.
    """
    there, first = list(seats), seats[0]
    for kind, number in wrong:
        if kind == "wrong_start":
            first = number
        elif kind == "player_not_dealt" and number in there:
            there.remove(number)
        elif kind == "ineligible_player_dealt" and number not in there:
            there.append(number)
    clockwise = sorted(there)
    return [n for n in clockwise if n >= first] + [n for n in clockwise if n < first]


async def sit_down(table: Table, clause: Cite, *, least: Money, with_button: bool, early: int) -> PokerRound:
    """Who takes part with what, and where the button lies.

    `least` is the least bet; with fixed limits the first `early` betting rounds have the smaller size. All sizes are
    those of a kill if one is on and its player takes part.
    """
    rules = table.rules
    assert isinstance(rules, PokerRules)
    stakes = await collect_wagers(table)
    seats = [stake.seat for stake in stakes]
    if with_button:
        clause = await _place_button(table, seats, clause)
    await ready_to_deal(table)
    await before_the_round(table, seats)
    times = rules.kill if rules.kill and table.state.kill in seats else 2  # halves of what is filed
    least_bet = max(least, table.setup.minimum or ZERO) * times // 2
    small, large = (*rules.bet_sizes, ZERO, ZERO)[:2]
    limits = Limits(
        rules.betting,
        Money(least_bet + -least_bet % rules.unit),  # in chips that are there
        table.setup.maximum,
        tuple([Money(size * times // 2) for size in (*(small,) * early, large)]),
        rules.raises if rules.betting == LIMIT else None,
    )
    bets = Bets(limits, {stake.seat: stake.amount or ZERO for stake in stakes})
    table.bets = bets
    button = _button(table, bets.seats) if with_button else None
    stacks = tuple([Money(bets.stacks[number]) for number in bets.seats])
    await SeatPlayers(bets.seats, stacks, button, clause)
    for number in bets.seats:
        table.stakes[number, POT, 0] = Stake(number, POT, ZERO)
    return PokerRound(table, rules, bets, button or 0, table.game.chapter)


def move_button(table: Table, play: PokerRound) -> None:
    """After the round the button goes to the next player (637a.12(c)(2), 637a.13(c)(2))."""
    table.state = replace(table.state, button=seat(play.bets.clockwise(play.button)[0]))


async def _place_button(table: Table, seats: Sequence[int], clause: Cite) -> Cite:
    """Place the button at the commencement of play, if a card decides who has it; the clause by which it lies there."""
    if table.state.button is not None:
        return cite(f"{clause}(2)")
    if not table.rules.button_by_card:
        return cite(f"{clause}(1)(i)")
    drawn = cite(f"{clause}(1)(ii)")
    await draw_button(table, seats, drawn)
    return drawn


def _button(table: Table, seats: Sequence[int]) -> int:
    """Where the button lies: at the commencement before the first player to the right of the dealer (12(c)(1)(i))."""
    placed = table.state.button
    if placed is None or placed.kind != "seat":
        return seats[-1]
    return next((number for number in seats if number >= placed.number), seats[0])
