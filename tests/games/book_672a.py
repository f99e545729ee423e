"""Free Bet Blackjack worked out a second time, straight from chapter 672a: what a round without a mishap comes to.

Nothing of the program is used but its scenario documents. A hand is a list of card names, money is whole cents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]

PAYS_22 = {  # 672a.11(c)
    "A": {"same_suit": 50, "same_color": 20, "other": 8},
    "B": {"same_suit": 50, "same_color": 20, "other": 7},
}
WAGERS = ("blackjack", "split", "double", "push_22", "insurance")


def worth(name: str) -> int:
    """672a.3(d): pictures ten, an ace eleven."""
    return {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10}.get(name[0]) or int(name[0])


def count(hand: Sequence[str]) -> int:
    """672a.3(d)(3): an ace is one where eleven would make more than 21."""
    total = sum(worth(name) for name in hand)
    for name in hand:
        if name[0] == "A" and total > 21:
            total -= 10
    return total


def is_hard(hand: Sequence[str]) -> bool:
    """672a.1: no ace in it counts eleven."""
    return count(hand) == sum(1 if name[0] == "A" else worth(name) for name in hand)


def is_blackjack(hand: Sequence[str]) -> bool:
    """672a.1: ace and ten, the first two cards."""
    return len(hand) == 2 and count(hand) == 21


def cents(text: str) -> int:
    dollars, part = text.split(".")
    return int(dollars) * 100 + int(part)


def dollars(amount: int) -> str:
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02d}"


@dataclass
class Held:
    """One hand, and what lies by it: `chips` by wager, `free` the wagers for which a lammer lies there."""

    number: int
    cards: list[str]
    chips: dict[str, int] = field(default_factory=dict)
    free: list[str] = field(default_factory=list)
    from_split: bool = False
    out: bool = False
    tucked: bool = False


@dataclass
class Book:
    """One round. `deck` are the cards in the order in which they leave, `burns` whether the first is burned."""

    rules: Mapping[str, Any]
    wagers: Mapping[int, Mapping[str, str]]
    deck: Sequence[str]
    decisions: Mapping[int, Sequence[str]]
    burns: bool
    order: list[str] = field(default_factory=list)
    rows: list[Document] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.left = iter(self.deck)
        self.cards = 0
        self.seats = sorted(self.wagers)
        self.said = {number: list(verbs) for number, verbs in self.decisions.items()}
        self.hands = {number: [Held(0, [], {"blackjack": self.bet(number)})] for number in self.seats}
        self.dealer: list[str] = []

    def bet(self, number: int) -> int:
        return cents(self.wagers[number]["blackjack"])

    def side(self, number: int) -> int | None:
        """The Push 22 Wager that is not settled yet."""
        placed = self.wagers[number].get("push_22")
        settled = any((row["seat"], row["wager"]) == (number, "push_22") for row in self.rows)
        return None if placed is None or settled else cents(placed)

    # What happens

    def next_card(self, to: str) -> str:
        self.cards += 1
        self.order.append(f"card {self.cards} -> {to}")
        return next(self.left)

    def ask(self, number: int, *may: str) -> str:
        self.order.append(f"ask {number}")
        decision = self.decide(number, may)
        assert decision.split()[0] in may, f"{decision} of {may}"
        return decision

    def decide(self, number: int, may: Sequence[str]) -> str:
        """What the seat says; whoever knows no more than the rules may choose one of these."""
        return self.said[number].pop(0)

    def settle(
        self,
        number: int,
        wager: str,
        hand: int,
        staked: int,
        result: str,
        cite: str,
        *,
        pays: tuple[int, int] | None = None,
        on: int | None = None,
        free: bool = False,
    ) -> None:
        self.order.append(f"settle {number} {wager}{f' {hand}' if hand else ''}")
        paid = 0 if pays is None else (staked if on is None else on) * pays[0] // pays[1]
        collected = staked if result in ("lose", "forfeited") else 0
        row = {
            "seat": number,
            "wager": wager,
            "hand": hand,
            "staked": dollars(staked),
            "result": result,
            "odds": None if pays is None else f"{pays[0]}:{pays[1]}",
            "paid": dollars(paid),
            "returned": dollars(staked - collected),
            "collected": dollars(collected),
            "cite": f"672a.{cite}",
        }
        self.rows.append({**row, "free": True} if free else row)

    def lose(self, number: int, held: Held, cite: str, *wagers: str) -> None:
        """Chips and lammers of a hand are collected."""
        for wager in wagers or ("blackjack", "split", "double"):
            if wager in held.free:
                held.free.remove(wager)
                self.settle(number, wager, held.number, 0, "lose", cite, free=True)
            elif wager in held.chips:
                self.settle(number, wager, held.number, held.chips.pop(wager), "lose", cite)

    # The round

    def play(self) -> None:
        if self.burns:
            self.next_card("burn")  # 7(c)
        self.order.append("no_more_bets")
        for _ in range(2):  # 7(e)
            for number in self.seats:
                self.hands[number][0].cards.append(self.next_card(f"seat {number}"))
            self.dealer.append(self.next_card("dealer"))
        insured: dict[int, int] = {}
        if self.dealer[0][0] == "A":  # 7(f), 8
            insured = dict(self.insurance())
        if worth(self.dealer[0]) >= 10:  # 7(g)
            self.order.append("peek")
            if is_blackjack(self.dealer):
                self.against_blackjack(insured)
                return
        for number in sorted(insured, reverse=True):  # 8(d)
            self.settle(number, "insurance", 0, insured[number], "lose", "8(d)")
        for number in self.seats:  # 7(h)
            self.play_seat(number)
        self.order.append("expose dealer")  # 7(k)
        live = any(not held.out for hands in self.hands.values() for held in hands)
        if live or any(self.side(number) is not None for number in self.seats):  # 7(m)
            while count(self.dealer) < 17:  # 7(l)
                self.dealer.append(self.next_card("dealer"))
        self.settlement(self.against(count(self.dealer)))

    def insurance(self) -> Iterator[tuple[int, int]]:
        chip = cents(self.rules.get("smallest_chip", "1.00"))
        for number in self.seats:
            held = self.hands[number][0]
            even = self.rules.get("even_money", False) and is_blackjack(held.cards)
            verb, *amount = self.ask(number, "insurance", "no_insurance", *(["even_money"] if even else [])).split()
            if verb == "insurance":
                half = self.bet(number) / 2
                most = next(n * chip for n in range(1, 10**6) if n * chip >= half)  # 8(b)
                yield number, cents(amount[0]) if amount else most
            elif verb == "even_money":  # 8(e)
                self.settle(number, "blackjack", 0, held.chips.pop("blackjack"), "win", "8(e)", pays=(1, 1))
                held.out = True

    def against_blackjack(self, insured: Mapping[int, int]) -> None:
        """7(g)(1), (2)."""
        self.order.append("expose dealer")
        ends: list[Any] = []
        for number in self.seats:
            held = self.hands[number][0]
            tied = is_blackjack(held.cards)
            clause = "7(g)(1)" if tied else "7(g)(2)"
            if not held.out:
                ends.append((number, "blackjack", 0, self.bet(number), "push" if tied else "lose", clause, None, None))
            if (side := self.side(number)) is not None:
                ends.append((number, "push_22", 0, side, "lose", clause, None, None))
            if number in insured:
                ends.append((number, "insurance", 0, insured[number], "win", "11(b)", (2, 1), None))
        self.settlement(ends)

    def play_seat(self, number: int) -> None:
        hands = self.hands[number]
        first = hands[0]
        if first.out:
            return
        if is_blackjack(first.cards):  # 7(h)(1)
            self.settle(number, "blackjack", 0, first.chips.pop("blackjack"), "win", "11(a)", pays=(3, 2))
            first.out = True
            return
        for held in hands:
            self.play_hand(number, held)

    def play_hand(self, number: int, held: Held) -> None:
        hands, place = self.hands[number], f"seat {number}"
        while True:
            if len(held.cards) == 1:  # 10(c)
                held.cards.append(self.next_card(place))
                if held.cards[0][0] == "A" and self.rules.get("split_aces") == "one_card":
                    return
            if count(held.cards) >= 21:  # 7(j)(1)
                break
            verb, *amount = self.ask(number, *self.choices(number, held)).split()
            if verb == "stand":
                break
            if verb == "hit":
                held.cards.append(self.next_card(place))
            elif verb == "double":  # 9
                if is_hard(held.cards) and count(held.cards) in (9, 10, 11):
                    held.free.append("double")
                else:
                    held.chips["double"] = cents(amount[0]) if amount else self.bet(number)
                held.cards.append(self.next_card(place))
                break
            else:
                made = Held(len(hands), [held.cards.pop()], from_split=True)
                if worth(made.cards[0]) == 10:  # 10(b)(1)
                    made.chips["split"] = self.bet(number)
                else:  # 10(b)(2)
                    made.free.append("split")
                held.from_split = True
                hands.append(made)
        if count(held.cards) > 21:
            self.bust(number, held)

    def choices(self, number: int, held: Held) -> Iterator[str]:
        """7(h)(2), (j), 9(a), 10(a), (d)."""
        yield from ("hit", "stand")
        if len(held.cards) == 2:
            yield "double"
            if worth(held.cards[0]) == worth(held.cards[1]) and len(self.hands[number]) < 4:
                yield "split"

    def bust(self, number: int, held: Held) -> None:
        """7(q)(1), 10(c)(1), (2)."""
        hands = self.hands[number]
        held.out = True
        lammers = any(other.free for other in hands if other is not held and not other.out)
        if held is hands[0] and lammers:
            held.tucked = True
            self.lose(number, held, "7(q)(1)", "double")
            return
        self.lose(number, held, "10(c)(1)" if held.from_split and not held.free else "7(q)(1)")
        if hands[0].tucked and not lammers:
            hands[0].tucked = False
            self.lose(number, hands[0], "10(c)(2)")

    def against(self, points: int) -> list[Any]:
        """7(n)-(q)."""
        ends: list[Any] = []
        for number in self.seats:
            for held in self.hands[number]:
                own = count(held.cards)
                for wager in ("blackjack", "split", "double"):
                    free = wager in held.free
                    if held.tucked and wager in held.chips:
                        ends.append((number, wager, held.number, held.chips[wager], "lose", "10(c)(2)", None, None))
                    if held.out or (wager not in held.chips and not free):
                        continue
                    staked = 0 if free else held.chips[wager]
                    on = self.bet(number) if free else None
                    tie = "lose" if free else "push"
                    end: tuple[Any, ...]
                    if points == 22:
                        end = (number, wager, held.number, staked, tie, "7(n)(1)", None, None)
                    elif points > 22 or own > points:
                        end = (number, wager, held.number, staked, "win", "11(a)", (1, 1), on)
                    elif own == points:
                        end = (number, wager, held.number, staked, tie, "7(p)", None, None)
                    else:
                        end = (number, wager, held.number, staked, "lose", "7(q)(2)", None, None)
                    ends.append((*end, free))
                if held.number == 0 and (side := self.side(number)) is not None:
                    ends.append(self.push_22(number, side, points))
        return ends

    def push_22(self, number: int, staked: int, points: int) -> Any:
        """7(n), 11(c)."""
        if points != 22:
            return number, "push_22", 0, staked, "lose", "7(n)(2)", None, None
        suits = "".join(name[1] for name in self.dealer)
        alike = len(set(suits)) == 1
        colour = not set(suits) - set("dh") or not set(suits) - set("cs")
        row = "same_suit" if alike else "same_color" if colour else "other"
        return number, "push_22", 0, staked, "win", "11(c)", (PAYS_22[self.rules["push_22"]][row], 1), None

    def settlement(self, ends: Sequence[Any]) -> None:
        """7(r), counterclockwise; in each seat what is lost first, then what goes back, then what is paid."""
        ranks = {"lose": 0, "push": 1, "win": 2}
        at_a_time = self.rules.get("settlement", "collect_then_pay") == "player_by_player"

        def turn(end: Any) -> tuple[int, ...]:
            rank = ranks[end[4]]
            return (-end[0], rank) if at_a_time else (min(rank, 1), -end[0], rank)

        for number, wager, hand, staked, result, cite, pays, on, *free in sorted(ends, key=turn):
            self.settle(number, wager, hand, staked, result, cite, pays=pays, on=on, free=bool(free and free[0]))

    def document(self, disposition: str = "continue") -> Document:
        rows = sorted(self.rows, key=lambda row: (row["seat"], row["hand"], WAGERS.index(row["wager"])))
        net = dict.fromkeys(self.seats, 0)
        for row in rows:
            net[row["seat"]] += cents(row["paid"]) - cents(row["collected"])
        return {
            "outcome": "completed",
            "cause": None,
            "cite": None,
            "wagers": rows,
            "net": {str(number): dollars(amount) for number, amount in net.items()},
            "remedies": [],
            "deck": {"disposition": disposition},
            "order": self.order,
        }


def by_the_book(
    rules: Mapping[str, Any], round: Mapping[str, Any], *, burns: bool, disposition: str = "continue"
) -> Document:
    """The outcome of one round of a scenario document in which nothing goes wrong; all its cards are listed."""
    book = Book(
        rules,
        {int(number): wagers for number, wagers in round["wagers"].items()},
        round["cards"].split(),
        {int(number): verbs for number, verbs in round.get("decisions", {}).items()},
        burns,
    )
    book.play()
    assert not any(book.said.values()), f"decisions are left: {book.said}"
    return book.document(disposition)
