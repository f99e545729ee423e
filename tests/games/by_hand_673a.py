"""Chapter 673a worked out a second time, from the text alone: a whole round in which nothing goes wrong.

Amounts are whole cents, cards are their names; nothing comes from the program that is tested. The letters are those of
673a.7 where no other section is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.games.by_hand_563 import dollars, net

TENS = "TJQK"
WAGERS = ("blackjack", "split", "double", "second_chance", "insurance")

Spot = tuple[int, int, str]  # seat, hand, wager


@dataclass
class Round:
    """What is wagered (seat to cents), which cards leave the shoe, and what each seat decides.

    `burns`: the shoe is full, or the dealer is new. `one_by_one`: settled player by player. `chip` is the smallest one.
    """

    stakes: dict[int, int]
    cards: str
    decisions: dict[int, list[str]] = field(default_factory=dict)
    burns: bool = True
    one_by_one: bool = False
    chip: int = 100
    second_chances: str = "every_hand"


@dataclass
class Hand:
    """One hand of a seat: its cards, its count after a second chance card, whether nothing is dealt to it any more."""

    cards: list[str]
    after_second_chance: int | None = None
    doubled: bool = False


def count(cards: list[str]) -> int:
    """673a.3(d): an ace is eleven, or one where that would make more than 21."""
    points = sum(10 if card[0] in TENS else 11 if card[0] == "A" else int(card[0]) for card in cards)
    for _ace in [card for card in cards if card[0] == "A"]:
        points -= 10 if points > 21 else 0
    return points


def blackjack(cards: list[str]) -> bool:
    """673a.1: an ace and a card of value ten as the first two."""
    return sorted("A" if card[0] == "A" else "T" if card[0] in TENS else "x" for card in cards) == ["A", "T"]


class Played:
    """The course of one round: `order`, `rows`, and the cards that have left."""

    def __init__(self, script: Round) -> None:
        self.script = script
        self.order: list[str] = []
        self.rows: dict[Spot, dict[str, Any]] = {}
        self.open: dict[Spot, int] = {}
        self.left = 0
        self.cards: Iterator[str] = iter(script.cards.split())
        self.decisions = {seat: list(said) for seat, said in script.decisions.items()}
        self.dealer: list[str] = []
        self.hands: dict[int, list[Hand]] = {}
        self.run()

    @property
    def document(self) -> dict[str, Any]:
        """The round as an outcome states it."""
        assert not self.open, f"not settled: {self.open}"
        assert not any(self.decisions.values()), f"not asked: {self.decisions}"
        rows = [self.rows[spot] for spot in sorted(self.rows, key=lambda s: (s[0], s[1], WAGERS.index(s[2])))]
        return {
            "outcome": "completed",
            "cause": None,
            "cite": None,
            "wagers": rows,
            "net": net(rows, sorted(self.script.stakes)),
            "remedies": [],
            "deck": {"disposition": "continue"},
            "order": self.order,
        }

    # What players say

    def say(self, seat: int, may: list[str]) -> str:
        """The next decision of a seat, which may be one of these, with an amount behind it."""
        self.order.append(f"ask {seat}")
        said = self.decisions[seat].pop(0)
        assert said.split()[0] in may, f"seat {seat}: {said}, not one of {may}"
        return said

    def gives_up(self, seat: int) -> bool:
        """Whether the seat surrenders before the reader is used."""
        if self.decisions.get(seat, [])[:1] != ["surrender"]:
            return False
        self.decisions[seat].pop(0)
        return True

    # Acts

    def card(self, where: str) -> str:
        """The next card of the shoe; one that lies face up is out of the round (673a.13(a))."""
        while True:
            name = next(self.cards)
            self.left += 1
            if not name.startswith("^"):
                self.order.append(f"card {self.left} -> {where}")
                return name
            self.order.append(f"card {self.left} -> rack")

    def put(self, seat: int, hand: int, wager: str, cents: int) -> None:
        self.open[seat, hand, wager] = cents

    def settle(self, spot: Spot, result: str, cite: str, odds: int | None = None, collected: int | None = None) -> None:
        """The chips of one wager move."""
        seat, hand, wager = spot
        staked = self.open.pop(spot)
        kept = staked if result in ("lose", "forfeited") else 0
        kept = kept if collected is None else collected
        paid = 0 if odds is None else odds * staked
        told = None if odds is None else f"{odds}:1"
        self.rows[spot] = {
            "seat": seat,
            "wager": wager,
            "hand": hand,
            "staked": dollars(staked),
            "result": result,
            "odds": told,
            "paid": dollars(paid),
            "returned": dollars(staked - kept),
            "collected": dollars(kept),
            "cite": cite,
        }
        self.order.append(f"settle {seat} {wager}{f' {hand}' if hand else ''}")

    def spots(self, seat: int, hand: int | None = None) -> list[Spot]:
        """The open wagers of a seat, or of one of its hands, in the order of the list."""
        found = [spot for spot in self.open if spot[0] == seat and hand in (None, spot[1])]
        return sorted(found, key=lambda spot: (spot[1], WAGERS.index(spot[2])))

    # The round

    def run(self) -> None:
        seats = sorted(self.script.stakes)
        if self.script.burns:
            self.card("burn")  # (c)
        self.order.append("no_more_bets")
        first = {seat: self.card(f"seat {seat}") for seat in seats}  # (e)(1)
        self.dealer = [self.card("dealer")]  # (e)(2)
        for seat in seats:  # (e)(3)
            self.hands[seat] = [Hand([first[seat], self.card(f"seat {seat}")])]
            self.put(seat, 0, "blackjack", self.script.stakes[seat])
        self.dealer.append(self.card("dealer"))  # (e)(4)
        for seat in reversed(seats):  # (f)
            if blackjack(self.hands[seat][0].cards):
                self.settle((seat, 0, "blackjack"), "win", "673a.12(a)", 2)
        playing = [seat for seat in seats if self.spots(seat)]
        up = self.dealer[0][0]
        if up == "A":
            self.insure(playing)
        surrendered: list[int] = []
        if up == "A" or up in TENS:
            surrendered = [seat for seat in playing if self.gives_up(seat)]  # 673a.9(a)(2)
            self.order.append("peek")  # (h)
            if blackjack(self.dealer):
                self.dealer_has_blackjack(seats, surrendered)
                return
        for seat in reversed(seats):  # 673a.8(d)
            if (seat, 0, "insurance") in self.open:
                self.settle((seat, 0, "insurance"), "lose", "673a.8(d)")
        for seat in reversed(surrendered):
            self.half(seat, "673a.9(a)(2)")
        for seat in playing:  # (i)
            if seat not in surrendered:
                self.play(seat)
        self.order.append("expose dealer")  # (n)
        if self.open:  # (p)
            while count(self.dealer) < 17:  # (o)
                self.dealer.append(self.card("dealer"))
        self.compare(seats)

    def insure(self, playing: list[int]) -> None:
        for seat in playing:
            verb, *amount = self.say(seat, ["insurance", "no_insurance"]).split()
            half = self.script.stakes[seat] / 2
            most = next(chips for chips in range(0, 10**9, self.script.chip) if chips >= half)  # 673a.8(b)
            if verb == "insurance":
                cents = round(float(amount[0]) * 100) if amount else most
                assert 0 < cents <= most
                self.put(seat, 0, "insurance", cents)

    def dealer_has_blackjack(self, seats: list[int], surrendered: list[int]) -> None:
        """(h): each Blackjack Wager is collected; 673a.9(a)(2): of a hand that was surrendered, too."""
        self.order.append("expose dealer")
        results: dict[Spot, tuple[str, str, int | None, int | None]] = {}
        for spot, cents in self.open.items():
            if spot[2] == "insurance":
                results[spot] = ("win", "673a.12(c)", 2, None)
            elif spot[0] in surrendered:
                results[spot] = ("surrendered", "673a.9(a)(2)", None, cents)
            else:
                results[spot] = ("lose", "673a.7(h)", None, None)
        self.in_order(seats, results)

    def half(self, seat: int, cite: str) -> None:
        self.settle((seat, 0, "blackjack"), "surrendered", cite, collected=self.script.stakes[seat] // 2)

    def play(self, seat: int) -> None:
        hand = 0
        while hand < len(self.hands[seat]):
            if len(self.hands[seat][hand].cards) == 1:  # 673a.11(b): after the hand before it is complete
                self.hands[seat][hand].cards.append(self.card(f"seat {seat}"))
            self.play_hand(seat, hand)
            hand += 1

    def allowed(self, seat: int, hand: Hand) -> list[str]:
        """673a.9(a), 673a.10(a), 673a.11(a)."""
        if len(hand.cards) > 2:
            return ["hit", "stand"]
        if len(self.hands[seat]) > 1:
            return ["hit", "stand", "double"]
        pair = ["split"] if count(hand.cards[:1]) == count(hand.cards[1:]) else []
        return ["hit", "stand", "double", *pair, "surrender"]

    def play_hand(self, seat: int, number: int) -> None:
        while True:
            hand = self.hands[seat][number]
            if count(hand.cards) > 21:
                return self.bust(seat, number)
            if count(hand.cards) == 21:  # (m); 673a.11(b): no Blackjack after a split
                for spot in self.spots(seat, number):
                    self.settle(spot, "win", "673a.12(a)", 1)
                return None
            if hand.doubled:  # (k)(2)
                return None
            original = self.script.stakes[seat]
            verb, *amount = self.say(seat, self.allowed(seat, hand)).split()
            if verb == "surrender":
                return self.half(seat, "673a.9(a)(1)" if self.dealer[0][0] not in "ATJQK" else "673a.9(a)(2)")
            if verb == "stand":
                return None
            if verb == "split":
                self.hands[seat] = [Hand(hand.cards[:1]), Hand(hand.cards[1:])]
                self.put(seat, 1, "split", original)
                hand = self.hands[seat][0]
            elif verb == "double":
                cents = round(float(amount[0]) * 100) if amount else original
                assert 0 < cents <= original
                self.put(seat, number, "double", cents)
                hand.doubled = True
            hand.cards.append(self.card(f"seat {seat}"))

    def bust(self, seat: int, number: int) -> None:
        """(l): the Second Chance."""
        hand, spots = self.hands[seat][number], self.spots(seat, number)
        spots = [spot for spot in spots if spot[2] != "insurance"]
        filed = self.script.second_chances
        none_for_split = len(self.hands[seat]) > 1 and filed in ("no_split_hand", "neither")
        none_for_doubled = hand.doubled and filed in ("no_doubled_hand", "neither")
        if none_for_split or none_for_doubled:
            taken = False
        else:
            taken = self.say(seat, ["second_chance", "no_second_chance"]) == "second_chance"
        if not taken:
            for spot in spots:
                self.settle(spot, "lose", "673a.7(s)(3)")
            return
        self.put(seat, number, "second_chance", sum(self.open[spot] for spot in spots))
        name = self.card(f"seat {seat}")
        hand.after_second_chance = count(hand.cards) - (1 if name[0] == "A" else count([name]))
        if hand.after_second_chance > 21:
            for spot in self.spots(seat, number):
                self.settle(spot, "lose", "673a.7(l)(1)")
        elif hand.after_second_chance == 21:
            for spot in spots:
                self.settle(spot, "returned", "673a.7(l)(2)")
            self.settle((seat, number, "second_chance"), "win", "673a.12(b)", 1)

    def compare(self, seats: list[int]) -> None:
        """(q) to (s)."""
        dealer = count(self.dealer)
        results: dict[Spot, tuple[str, str, int | None, int | None]] = {}
        for spot in self.open:
            hand = self.hands[spot[0]][spot[1]]
            chance = hand.after_second_chance
            points = count(hand.cards) if chance is None else chance
            if dealer == 22:
                results[spot] = ("push", "673a.7(q)(1)", None, None)
            elif dealer > 22 or points > dealer:
                if chance is None:
                    results[spot] = ("win", "673a.12(a)", 1, None)
                elif spot[2] == "second_chance":
                    results[spot] = ("win", "673a.12(b)", 1, None)
                else:
                    results[spot] = ("returned", "673a.7(s)(1)(i)", None, None)
            elif points == dealer:
                results[spot] = ("push", "673a.7(s)(2)", None, None)
            else:
                results[spot] = ("lose", "673a.7(s)(3)", None, None)
        self.in_order(seats, results)

    def in_order(self, seats: list[int], results: dict[Spot, tuple[str, str, int | None, int | None]]) -> None:
        """(t): from the right on; all losers first, or one player after the other."""
        lost = ("lose", "surrendered")
        passes = (
            [lost, ("push", "returned", "win")] if not self.script.one_by_one else [(*lost, "push", "returned", "win")]
        )
        for these in passes:
            for seat in reversed(seats):
                mine = [spot for spot in self.spots(seat) if results[spot][0] in these]
                rank = {"lose": 0, "surrendered": 0, "push": 1, "returned": 1, "win": 2}
                for spot in sorted(mine, key=lambda s: rank[results[s][0]]):
                    self.settle(spot, *results[spot])


def worked_out(script: Round) -> dict[str, Any]:
    """That round's outcome without `deck.id`."""
    return Played(script).document
