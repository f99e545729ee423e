"""Chapter 671a worked out a second time, from the text alone: what a scenario's round has to come to.

Nothing of the program is used. Hands are ranked by counting, combinations are found by trying every group of cards, and
a round is told as the list of its acts, which ends where an irregularity that voids it is noticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

RANKS = "23456789TJQKA"
LADDER = "nothing ace_king pair two_pair three_of_a_kind straight flush full_house four_of_a_kind straight_flush"
LADDER_ROWS = [*LADDER.split(), "royal_flush"]
INSTANT = {"A": (1500, 250), "B": (1000, 300), "C": (1000, 250)}
SUPER = {
    "four_of_a_kind": 200,
    "five_picture_cards": 150,
    "full_house": 100,
    "flush": 60,
    "straight": 30,
    "three_of_a_kind": 8,
    "ace_king_queen": 5,
    "same_colored_five": 2,
}
BET = {
    "royal_flush": 100,
    "straight_flush": 50,
    "four_of_a_kind": 20,
    "full_house": 7,
    "flush": 5,
    "straight": 4,
    "three_of_a_kind": 3,
    "two_pair": 2,
    "pair": 1,
    "ace_king": 1,
}
ORDER = ("ante", "bet", "options_fee", "super", "super_dealer", *(f"super_seat_{n}" for n in range(1, 6)), "second_bet")


# Hands (671a.6) -------------------------------------------------------------------------------------------------------


def value(card: str) -> int:
    return RANKS.index(card[0]) + 2


def five(cards: Sequence[str]) -> tuple[int, list[int]]:
    """Place of a five-card hand on the ladder, then what decides among equals."""
    values = sorted(map(value, cards), reverse=True)
    groups = sorted(Counter(values).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape = [count for _value, count in groups]
    ordered = [each for each, count in groups for _ in range(count)]
    one_suit = len({card[1] for card in cards}) == 1
    top = values[0] if values == list(range(values[0], values[0] - 5, -1)) else 5 if values == [14, 5, 4, 3, 2] else 0
    if top and one_suit:
        name = "royal_flush" if top == 14 else "straight_flush"
    elif shape[0] == 4:
        name = "four_of_a_kind"
    elif shape == [3, 2]:
        name = "full_house"
    elif one_suit:
        name = "flush"
    elif top:
        name = "straight"
    else:
        pairs = {(3,): "three_of_a_kind", (2, 2): "two_pair", (2,): "pair"}
        name = pairs.get(tuple(count for count in shape if count > 1), "nothing")
        if name == "nothing" and values[:2] == [14, 13]:
            name = "ace_king"
    return LADDER_ROWS.index(name), [top] if top else ordered


def best(cards: Sequence[str]) -> tuple[int, list[int]]:
    return max(five(hand) for hand in combinations(cards, 5))


def row_of(cards: Sequence[str]) -> str:
    return LADDER_ROWS[best(cards)[0]]


def super_rows(cards: Sequence[str]) -> Iterator[str]:
    """The rows of 671a.6(d) that the hand fills to the letter."""
    name, letters = row_of(cards), [card[0] for card in cards]
    if name == "four_of_a_kind":
        yield name
    if all(letter in "KQJ" for letter in letters):
        yield "five_picture_cards"
    if name in ("full_house", "flush", "straight", "three_of_a_kind"):
        yield name
    if all(letter in letters for letter in "AKQ"):
        yield "ace_king_queen"
    if len({card[1] in "dh" for card in cards}) == 1:
        yield "same_colored_five"


def super_pays(cards: Sequence[str], reading: str) -> int | None:
    if row_of(cards) in ("straight_flush", "royal_flush") and reading != "other_rows":
        return SUPER["flush"] if reading == "as_flush" else None
    return max((SUPER[row] for row in super_rows(cards)), default=None)


def made_of(cards: Sequence[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Every group of cards that is a combination by itself, kickers apart."""
    for size in (2, 3, 4, 5):
        for group in combinations(cards, size):
            values = sorted(Counter(map(value, group)).values())
            if size == 5:
                name = LADDER_ROWS[five(group)[0]]
                if name in ("straight", "flush", "full_house", "straight_flush", "royal_flush"):
                    yield name, frozenset(group)
            elif values == [size]:
                yield {2: "pair", 3: "three_of_a_kind", 4: "four_of_a_kind"}[size], frozenset(group)
            elif values == [2, 2]:
                yield "two_pair", frozenset(group)
            elif size == 2 and sorted(map(value, group)) == [13, 14]:
                yield "ace_king", frozenset(group)


def second(cards: Sequence[str]) -> str | None:
    """The best combination with a card outside of the one that wins (671a.11(f)(2)(ii))."""
    names, found = best(cards), list(made_of(cards))
    wins = [group for name, group in found if name == LADDER_ROWS[names[0]] and _is_best(group, cards)]
    others = [name for name, group in found if any(not group <= win for win in wins)]
    return max(others, key=LADDER_ROWS.index, default=None)


def _is_best(group: frozenset[str], cards: Sequence[str]) -> bool:
    """Whether the best hand can be made with all of this group."""
    kickers = [card for card in cards if card not in group]
    return any(five([*group, *more]) == best(cards) for more in combinations(kickers, 5 - len(group)))


# A round (671a.7 to 671a.11) ------------------------------------------------------------------------------------------


class Void(Exception):
    def __init__(self, kind: str, cite: str, standing: bool) -> None:
        self.kind, self.cite, self.standing = kind, cite, standing


class Book:
    """One round of a scenario, as the text has it."""

    def __init__(self, rules: Mapping[str, Any], table: Mapping[str, Any], script: Mapping[str, Any]) -> None:
        self.rules, self.table = rules, table
        self.dealing = table.get("dealing", "manual_shoe")
        self.wagers = {int(n): {w: cents(a) for w, a in placed.items()} for n, placed in script["wagers"].items()}
        self.seats = sorted(self.wagers)
        self.deck = whole_deck(script.get("cards", ""))
        self.decisions = {int(n): list(said) for n, said in script.get("decisions", {}).items()}
        self.incidents = [dict(incident) for incident in script.get("incidents", ())]
        self.order: list[str] = []
        self.rows: dict[tuple[int, str], dict[str, Any]] = {}
        self.final: list[tuple[int, str]] = []
        self.remedies: list[str] = []
        self.hands: dict[str, list[str]] = {}
        self.asked: Counter[int] = Counter()
        self.out = self.face_up = 0
        self.gone: list[int] = []
        self.bets: dict[int, int] = {}
        self.fees: dict[int, int] = {}
        self.up_card_is_turned = False

    def play(self) -> dict[str, Any]:
        head: dict[str, Any] = {"outcome": "completed", "cause": None, "cite": None}
        disposition = "reshuffle"
        try:
            self.deal()
            self.decide()
            self.settle_hands()
            self.serve_options()
            self.against_dealer()
            disposition = self.count()
        except Void as void:
            head = {"outcome": "void", "cause": void.kind, "cite": void.cite}
            self.give_back(void)
        rows = sorted(self.rows.values(), key=lambda row: (row["seat"], ORDER.index(row["wager"])))
        net = {str(n): sum(r["paid"] - r["collected"] for r in rows if r["seat"] == n) for n in self.seats}
        return {
            **head,
            "wagers": [{k: dollars(v) if k in AMOUNTS else v for k, v in row.items()} for row in rows],
            "net": {n: dollars(total) for n, total in net.items()},
            "remedies": list(dict.fromkeys(self.remedies)),
            "deck": {"disposition": disposition},
            "order": self.order,
        }

    # Irregularities (671a.13)

    def noticed(self, at: str, *, open_cards: bool = True) -> None:
        for incident in [each for each in self.incidents if moment(each["at"]) == at]:
            self.incidents.remove(incident)
            kind, where = incident["kind"], incident.get("position", "")
            if kind == "wrong_card_count":
                raise Void(kind, "671a.13(c)", False)
            if kind == "card_exposed" and where == "dealer" and open_cards:
                raise Void(kind, "671a.13(d)", self.rules.get("settled_supers", "stand") == "stand")
            if kind == "player_left":
                self.gone.append(int(where.split()[1]))
            if kind in ("drawn_in_error", "power_loss") and not incident.get("exposed"):
                self.remedies.append("round_resumed")
            if kind in ("shuffler_jam", "shuffle_incomplete"):
                self.remedies.append("cards_reshuffled")
            if kind in ("shuffler_out_of_service", "shoe_out_of_service"):
                self.remedies.append("device_covered")
                self.dealing = incident.get("then", self.dealing)

    def give_back(self, void: Void) -> None:
        self.remedies = [each for each in self.remedies if each != "card_discarded" or void.kind != "card_face_up"]
        self.remedies += ["wagers_returned", "cards_reshuffled"]
        staked = {(n, w): a for n, placed in self.wagers.items() for w, a in placed.items()}
        staked |= {(n, "bet"): a for n, a in self.bets.items()} | {(n, "options_fee"): a for n, a in self.fees.items()}
        kept = {key: row for key, row in self.rows.items() if void.standing and key in self.final}
        self.rows = kept
        for number, wager in sorted(staked, key=lambda key: (-key[0], ORDER.index(key[1]))):
            if (number, wager) not in kept:
                self.settle(number, wager, "void", void.cite, staked=staked[number, wager])

    # The deal (671a.8 to 671a.10)

    def deal(self) -> None:
        self.noticed("shuffle")
        self.order.append("no_more_bets")
        places = [*(f"seat {n}" for n in self.seats), "dealer"]
        self.hands = {place: [] for place in places}
        if self.dealing == "automated_shoe":
            for place in places:
                self.stack(place, 5)
        else:
            for number in range(5 * len(places)):
                self.card(places[number % len(places)])
                self.noticed(f"card {self.out}", open_cards=number + 1 < 5 * len(places))

    def stack(self, place: str, count: int) -> None:
        first = self.out + 1
        for _ in range(count):
            self.card(place)
            if any(moment(i["at"]) == f"card {self.out}" and i["kind"] == "shoe_jam" for i in self.incidents):
                raise Void("shoe_jam", "671a.13(f)", False)
        for number in range(first, self.out + 1):
            self.noticed(f"card {number}", open_cards=self.hands["dealer"] != [] and number < self.out)

    def card(self, place: str) -> None:
        while True:
            if not self.deck:
                raise Void("wrong_card_count", "671a.13(c)", False)
            name = self.deck.pop(0)
            self.out += 1
            if not name.startswith("^"):
                self.hands[place].append(name)
                self.order.append(f"card {self.out} -> {place}")
                return
            self.order.append(f"card {self.out} -> rack")
            self.face_up += 1
            if self.face_up > 1:
                raise Void("card_face_up", "671a.13(a)", False)
            self.remedies.append("card_discarded")

    # Decisions (671a.11(b), (c))

    def decide(self) -> None:
        self.declared = {n: n not in self.gone and self.wins_something(n) for n in self.seats}
        for number in self.seats:
            if self.decisions.get(number, [""])[0] == "no_declare":
                self.decisions[number].pop(0)
                self.declared[number] = False
        self.chosen: dict[int, str] = {}
        for number in self.seats:
            if number in self.gone or (self.declared[number] and self.is_instant(number)):
                continue
            said = self.ask(number)
            ante = self.wagers[number]["ante"]
            if said is None:
                continue
            self.chosen[number] = said
            if said == "bet":
                self.bets[number] = 2 * ante
            elif said != "fold":
                self.fees[number] = ante
        self.order.append("decisions_locked")

    def ask(self, number: int) -> str | None:
        """What the seat chooses; None if it is gone."""
        self.order.append(f"ask {number}")
        self.asked[number] += 1
        self.noticed(f"decision {number}.{self.asked[number]}")
        if number in self.gone:
            return None
        said: str = self.decisions[number].pop(0)
        if said == "leave":
            self.gone.append(number)
            return None
        return said

    def hand(self, number: int) -> list[str]:
        return self.hands[f"seat {number}"]

    def is_instant(self, number: int) -> bool:
        return row_of(self.hand(number)) in ("straight_flush", "royal_flush")

    def wins_something(self, number: int) -> bool:
        return self.is_instant(number) or any(super_rows(self.hand(number)))

    # Settlement (671a.11(c) to (f))

    def settle(self, number: int, wager: str, result: str, cite: str, odds: int = 0, staked: int | None = None) -> None:
        """Move the chips of one wager; the clauses are those that say so."""
        placed = {**self.wagers[number], "bet": self.bets.get(number, 0), "options_fee": self.fees.get(number, 0)}
        amount = placed.get(wager, 0) if staked is None else staked
        on = self.bets[number] if wager == "second_bet" else amount
        kept = amount if result in ("lose", "forfeited") else 0
        self.order.append(f"settle {number} {wager}")
        self.rows[number, wager] = {
            "seat": number,
            "wager": wager,
            "hand": 0,
            "staked": amount,
            "result": result,
            "odds": f"{odds}:1" if odds else None,
            "paid": on * odds,
            "returned": amount - kept,
            "collected": kept,
            "cite": cite,
        }

    def forfeit(self, number: int) -> None:
        placed = {**self.wagers[number]}
        placed |= {"bet": self.bets[number]} if number in self.bets else {}
        placed |= {"options_fee": self.fees[number]} if number in self.fees else {}
        for wager in sorted(placed, key=ORDER.index):
            if (number, wager) not in self.rows:
                self.settle(number, wager, "forfeited", "671a.7(b)")

    def supers(self, wager: str, pays: int | None, lost: str, seats: Sequence[int]) -> None:
        for number in seats:
            if number not in self.gone and wager in self.wagers[number]:
                if pays is None:
                    self.settle(number, wager, "lose", lost)
                else:
                    self.settle(number, wager, "win", "671a.12(b)", pays)
                self.final.append((number, wager))

    def settle_hands(self) -> None:
        reading = self.rules.get("super_straight_flush", "not_paid")
        for number in self.seats:
            pays: int | None = None
            on_it = any(f"super_seat_{number}" in placed for placed in self.wagers.values())
            if self.declared[number] and (number not in self.gone or on_it):
                self.noticed(f"settle {number}")
                self.order.append(f"expose seat {number}")
                pays = super_pays(self.hand(number), reading)
            self.supers("super", pays, "671a.11(c)(1)", [number])
            self.supers(f"super_seat_{number}", pays, "671a.11(c)(1)", self.seats)
            if number in self.gone:
                self.forfeit(number)
            elif self.declared[number] and self.is_instant(number):
                table = INSTANT[self.rules.get("instant_paytable", "A")]
                odds = table[row_of(self.hand(number)) == "straight_flush"]
                self.settle(number, "ante", "win", "671a.12(a)", odds)
                self.final.append((number, "ante"))
            elif self.chosen[number] == "fold":
                self.settle(number, "ante", "forfeited", "671a.11(c)(4)")

    def serve_options(self) -> None:
        for number in self.seats:
            if number in self.gone:
                self.forfeit(number)
                continue
            said = self.chosen.get(number, "")
            if number not in self.fees:
                continue
            self.settle(number, "options_fee", "lose", "671a.11(d)(1)")
            thrown = said.split()[1:]
            self.hands[f"seat {number}"] = [card for card in self.hand(number) if card not in thrown]
            wanted = len(thrown) or 1
            if wanted > len(self.deck):
                raise Void("wrong_card_count", "671a.13(c)", False)
            if self.dealing == "automated_shoe":
                self.stack(f"seat {number}", wanted)
            else:
                for _ in range(wanted):
                    self.card(f"seat {number}")
            said_now = self.ask(number)
            if said_now == "bet":
                self.bets[number] = 2 * self.wagers[number]["ante"]
            elif said_now == "fold":
                self.settle(number, "ante", "forfeited", "671a.11(d)(4)")
            else:
                self.forfeit(number)

    def against_dealer(self) -> None:
        self.noticed("reveal", open_cards=False)
        self.order.append("expose dealer")
        dealer = self.hands["dealer"]
        pays = super_pays(dealer, self.rules.get("super_straight_flush", "not_paid"))
        for number in self.seats:
            if number in self.gone:
                self.forfeit(number)
            self.supers("super_dealer", pays, "671a.11(e)(1)", [number])
        for number in reversed(self.seats):
            if number in self.bets and number not in self.gone:
                self.noticed(f"settle {number}", open_cards=False)
                self.order.append(f"expose seat {number}")
                self.compare(number, dealer)
            if number in self.gone:
                self.forfeit(number)

    def compare(self, number: int, dealer: Sequence[str]) -> None:
        hand = self.hand(number)
        if number in self.gone:
            return
        if row_of(dealer) == "nothing":
            at_least = LADDER_ROWS.index(row_of(hand)) >= LADDER_ROWS.index("straight")
            self.settle(number, "bet", "returned", "671a.11(f)(1)")
            self.settle(number, "ante", "win", "671a.12(c)", 4 if at_least else 1)
        elif best(hand) < best(dealer):
            self.settle(number, "ante", "lose", "671a.11(f)(2)(i)")
            self.settle(number, "bet", "lose", "671a.11(f)(2)(i)")
        elif best(hand) == best(dealer):
            self.settle(number, "ante", "push", "671a.11(f)(2)(iii)")
            self.settle(number, "bet", "push", "671a.11(f)(2)(iii)")
        else:
            self.settle(number, "ante", "returned", "671a.11(f)(2)(ii)")
            self.settle(number, "bet", "win", "671a.12(d)", BET[row_of(hand)])
            other = second(hand)
            if other is not None:
                self.settle(number, "second_bet", "win", "671a.12(d)", BET[other])

    def count(self) -> str:
        told = next((i for i in self.incidents if i["at"] == "count" and i["kind"] == "deck_count"), None)
        counts = self.table.get("shuffler") in ("counting", "identifying")
        if told is None and (counts or self.table.get("rounds_since_count", 0) < 4):
            return "reshuffle"
        self.order.append("count deck")
        if told is None or told["count"] == 52:
            return "reshuffle"
        self.remedies.append("deck_removed")
        return "remove"


AMOUNTS = ("staked", "paid", "returned", "collected")


def moment(at: str) -> str:
    """A moment in full: the first decision of a seat is its decision K = 1."""
    return f"{at}.1" if at.startswith("decision") and "." not in at else at


def whole_deck(listed: str) -> list[str]:
    names = listed.split()
    known = [name.lstrip("^") for name in names]
    return [*names, *(rank + suit for suit in "cdhs" for rank in RANKS if rank + suit not in known)]


def cents(amount: str) -> int:
    whole, part = amount.split(".")
    return int(whole) * 100 + int(part)


def dollars(amount: int) -> str:
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def by_the_book(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """The outcome document of a scenario document, without the ids of decks."""
    rules, table = scenario.get("rules", {}), dict(scenario.get("table", {}))
    rounds = []
    for script in scenario["round"]:
        played = Book(rules, table, script).play()
        rounds.append(played)
        since = 0 if "count deck" in played["order"] else table.get("rounds_since_count", 0) + 1
        table["rounds_since_count"] = 0 if played["deck"]["disposition"] == "remove" else since
    return {"game": "lunar_poker", "rounds": rounds}
