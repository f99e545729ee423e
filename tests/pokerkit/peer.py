"""A round of a scenario document played by PokerKit: what each seat has won or lost in it, in cents.

PokerKit is fetched by `make bench` and is not needed by the tests: they read what it once said (`hands.json`). Nothing
here comes from the program that is tested. Amounts are whole cents.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["Disagreement", "Peer"]

Document = Mapping[str, Any]
GAMES = {
    "omaha_high": "omaha",
    "omaha_hilo": "omaha",
    "five_card_draw_high": "draw",
    "five_card_draw_low": "draw",
    "five_card_stud": "stud",
}
_AUTOMATIC = (
    "ANTE_POSTING",
    "BET_COLLECTION",
    "BLIND_OR_STRADDLE_POSTING",
    "HOLE_CARDS_SHOWING_OR_MUCKING",
    "HAND_KILLING",
    "CHIPS_PUSHING",
    "CHIPS_PULLING",
)


class Disagreement(Exception):
    """PokerKit refuses an act, or asks somebody else."""


def cents(text: str) -> int:
    return int(text.replace(".", ""))


class Peer:
    """One round, made ready: `play` deals and bets it in PokerKit; a round that was played is done with."""

    def __init__(self, game: str, rules: Document, button: int, script: Document) -> None:
        self._kit: Any = importlib.import_module("pokerkit")
        stacks = {int(seat): cents(stack) for seat, stack in script["stacks"].items()}
        self.kind = GAMES[game]
        self.unit = cents(rules.get("smallest_chip", "1.00"))
        self.seats = [n for n in sorted(stacks) if n > button] + [n for n in sorted(stacks) if n <= button]
        self._stacks = [stacks[seat] for seat in self.seats]
        self._cards: Iterator[Any] = iter([next(self._kit.Card.parse(name)) for name in script["cards"].split()])
        said = {int(seat): tuple(verbs) for seat, verbs in script.get("decisions", {}).items()}
        self._straddles = ("straddle",) in [verbs[:1] for verbs in said.values()]
        self._said: dict[int, Iterator[str]] = {
            seat: iter([verb for verb in verbs if verb not in ("straddle", "no_straddle", "concede")])
            for seat, verbs in said.items()
        }
        self._game = self._made(game, rules)

    def _made(self, game: str, rules: Document) -> tuple[Any, ...]:
        """Everything but the stacks that PokerKit's state is made of."""
        kit = self._kit
        structure = {
            "no_limit": kit.BettingStructure.NO_LIMIT,
            "pot_limit": kit.BettingStructure.POT_LIMIT,
            "limit": kit.BettingStructure.FIXED_LIMIT,
        }[rules.get("betting", "no_limit")]
        hands = {
            "omaha_high": (kit.OmahaHoldemHand,),
            "omaha_hilo": (kit.OmahaHoldemHand, kit.OmahaEightOrBetterLowHand),
            "five_card_draw_high": (kit.StandardHighHand,),
            "five_card_draw_low": (
                kit.StandardLowHand if rules.get("low") == "deuce_to_seven" else kit.RegularLowHand,
            ),
            "five_card_stud": (kit.StandardHighHand,),
        }[game]
        blinds = [cents(blind) for blind in rules.get("blinds", ["1.00", "2.00"])]
        forced = 0
        least = max(blinds)
        if self.kind == "stud":
            blinds, forced = [], cents(rules.get("forced_bet", "1.00"))
            least = 2 * forced
        if self._straddles:
            blinds.append(cents(rules["straddle"]))
        if len(self.seats) == 2:  # two players post in the other order there, unless one tells them otherwise
            blinds.reverse()
        return (
            tuple(getattr(kit.Automation, name) for name in _AUTOMATIC),
            tuple(kit.Deck.STANDARD),
            hands,
            self._streets(rules, least),
            structure,
            True,
            cents(rules.get("ante", "0.00")),
            tuple(blinds),
            forced,
        )

    def _streets(self, rules: Document, least: int) -> tuple[Any, ...]:
        kit = self._kit
        sizes = (least, least)
        if rules.get("betting") == "limit":
            sizes = (cents(rules["bet_sizes"][0]), cents(rules["bet_sizes"][1]))
        most = 4 if rules.get("betting") == "limit" else None
        position, high = kit.Opening.POSITION, kit.Opening.HIGH_HAND
        early, late = sizes
        if self.kind == "omaha":
            boards = ((3, early), (1, late), (1, late))
            later = [kit.Street(True, (), cards, False, position, size, most) for cards, size in boards]
            return (kit.Street(False, (False,) * 4, 0, False, position, early, most), *later)
        if self.kind == "draw":
            return (
                kit.Street(False, (False,) * 5, 0, False, position, early, most),
                kit.Street(True, (), 0, True, position, late, most),
            )
        later = [kit.Street(True, (True,), 0, False, high, size, most) for size in (early, late, late)]
        return (kit.Street(False, (False, True), 0, False, kit.Opening.LOW_CARD, early, most), *later)

    def _divide(self, amount: int, among: int) -> tuple[int, int]:
        """Whole chips for each, and what is left."""
        each = amount // among // self.unit * self.unit
        return each, amount - each * among

    # Playing

    def play(self) -> dict[int, int]:
        """What each seat has more than before."""
        *made, antes, blinds, forced = self._game
        state = self._kit.State(*made, antes, blinds, forced, tuple(self._stacks), len(self.seats), divmod=self._divide)
        try:
            while state.status:
                self._step(state)
        except ValueError as refused:
            raise Disagreement(str(refused)) from None
        left = [verb for said in self._said.values() for verb in said]
        if left:
            raise Disagreement(f"PokerKit has not asked for {left}")
        return {seat: state.stacks[n] - self._stacks[n] for n, seat in enumerate(self.seats)}

    def _step(self, state: Any) -> None:
        if state.stand_patter_or_discarder_index is not None:
            self._discard(state)
        elif state.card_burning_status:
            state.burn_card(next(self._cards))
        elif any(state.hole_dealing_statuses):
            if state.street_index and self.kind == "draw":  # one player's cards after the other's
                there = next(n for n, due in enumerate(state.hole_dealing_statuses) if due)
                state.deal_hole(next(self._cards), there)
            else:
                state.deal_hole(next(self._cards))
        elif any(state.board_dealing_counts):
            state.deal_board([next(self._cards) for _ in range(state.board_dealing_counts[0])])
        elif state.actor_index is not None:
            self._act(state)
        else:
            raise Disagreement("PokerKit waits for something else")

    def _discard(self, state: Any) -> None:
        said = next(self._said[self.seats[state.stand_patter_or_discarder_index]], "draw")
        verb, *cards = said.split()
        if verb != "draw":
            raise Disagreement(f"PokerKit asks for cards to draw, not {said!r}")
        state.stand_pat_or_discard("".join(cards))

    def _act(self, state: Any) -> None:
        if state.bring_in_status:
            state.post_bring_in()
            return
        seat = self.seats[state.actor_index]
        said = next(self._said.get(seat, iter(())), "")
        verb, *amount = said.split() or [""]
        if verb == "fold":
            state.fold()
        elif verb in ("bet", "raise") and not self._in_vain(state):
            state.complete_bet_or_raise_to(cents(amount[0]))
        elif verb in ("check", "call", "bet", "raise") or (not said and not state.checking_or_calling_amount):
            state.check_or_call()
        else:
            raise Disagreement(f"PokerKit asks seat {seat} to bet, not {said!r}")

    @staticmethod
    def _in_vain(state: Any) -> bool:
        """Whether nobody else could put in more than the highest bet: PokerKit allows no raise then, the text does.

        It makes no difference to the chips: what nobody calls comes back.
        """
        highest = max(state.bets)
        others = [n for n in state.player_indices if n != state.actor_index and state.statuses[n]]
        return all(state.stacks[n] + state.bets[n] <= highest for n in others)
