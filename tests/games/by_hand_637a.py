"""Sections 637a.12 to 637a.18 worked out a second time, slowly and from the text alone: whole rounds, from a scenario.

Amounts are whole cents. Nothing comes from the program that is tested. What players do is taken as allowed; what goes
wrong is done about as the clause says, at the moment at which the scenario has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

Document = dict[str, Any]

RANKS = "23456789TJQKA"
SUITS = "cdhs"  # from below: 637a.12(k)(2)(iv), 637a.14(d)
DECK = [rank + suit for suit in SUITS for rank in RANKS]
GAMES = {
    "omaha_high": "omaha",
    "omaha_hilo": "omaha",
    "five_card_draw_high": "draw",
    "five_card_draw_low": "draw",
    "five_card_stud": "stud",
}
RETURNED = ["wagers_returned", "cards_reshuffled"]


def cents(text: str) -> int:
    return int(text.replace(".", ""))


def dollars(amount: int) -> str:
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02d}"


# Hands --------------------------------------------------------------------------------------------------------------


def rank(card: str) -> int:
    return RANKS.index(card[0]) + 2


def high(cards: tuple[str, ...]) -> tuple[int, ...]:
    """A five-card high hand as numbers that compare."""
    counts = Counter(map(rank, cards))
    by_count = sorted(counts, key=lambda r: (counts[r], r), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    top = max(counts) if len(counts) == 5 and max(counts) - min(counts) == 4 else 0
    if sorted(counts) == [2, 3, 4, 5, 14]:
        top = 5
    if top:
        return (8 if flush else 4, top)
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    kind = kinds.get(tuple(shape), 0)
    return (max(kind, 5 if flush else 0), *by_count)


def low(cards: tuple[str, ...]) -> tuple[object, ...]:
    """An ace-to-five low hand as numbers that compare: the smaller the better."""
    ranks = [1 if rank(card) == 14 else rank(card) for card in cards]
    counts = Counter(ranks)
    by_count = sorted(counts, key=lambda r: (counts[r], r), reverse=True)
    return (sorted(counts.values(), reverse=True), by_count)


def hands_of(game: str, own: list[str], board: list[str]) -> Iterator[tuple[str, ...]]:
    """Every hand of five that a player may make: in Omaha of two own cards and three of the board."""
    if GAMES[game] != "omaha":
        yield tuple(own)
        return
    for two in combinations(own, 2):
        for three in combinations(board, 3):
            yield (*two, *three)


def by_rank_and_suit(cards: tuple[str, ...]) -> list[tuple[int, int]]:
    return sorted(((rank(card), SUITS.index(card[1])) for card in cards), reverse=True)


def from_the_lowest(cards: tuple[str, ...]) -> list[tuple[int, int]]:
    return sorted((1 if rank(card) == 14 else rank(card), SUITS.index(card[1])) for card in cards)


def is_eight_or_better(cards: tuple[str, ...]) -> bool:
    ranks = {1 if rank(card) == 14 else rank(card) for card in cards}
    return len(ranks) == 5 and max(ranks) <= 8


# A round ------------------------------------------------------------------------------------------------------------


class Void(Exception):
    """The round is over."""


@dataclass
class Round:
    """One round; `act` is what happened in it, in order."""

    game: str
    rules: Mapping[str, Any]
    script: Mapping[str, Any]
    button: int
    kill: int = 0
    order: list[str] = field(default_factory=list)
    remedies: list[str] = field(default_factory=list)
    cause: str | None = None
    cite: str | None = None
    number: int = 0
    face_up: int = 0
    folded: list[int] = field(default_factory=list)
    voluntary: list[int] = field(default_factory=list)
    last: int = 0
    acted: bool = False
    burned: bool = False
    board: list[str] = field(default_factory=list)
    up: dict[int, list[str]] = field(default_factory=dict)
    exposed: list[int] = field(default_factory=list)
    dealt_to: list[int] = field(default_factory=list)
    last_seat: int = 0
    level: int = 0

    def __post_init__(self) -> None:
        self.stacks = {int(seat): cents(stack) for seat, stack in self.script["stacks"].items()}
        self.seats = sorted(self.stacks)
        listed = self.script.get("cards", "").split()
        self.cards = iter([*listed, *(card for card in DECK if card not in [c.lstrip("^") for c in listed])])
        self.put = dict.fromkeys(self.seats, 0)
        self.bets = dict.fromkeys(self.seats, 0)
        self.back = dict.fromkeys(self.seats, 0)
        self.hands: dict[int, list[str]] = {}
        self.decisions = {int(seat): list(said) for seat, said in self.script.get("decisions", {}).items()}
        self.asked = dict.fromkeys(self.seats, 0)
        self.incidents = list(self.script.get("incidents", []))
        self.blinds = [cents(blind) for blind in self.rules.get("blinds", ["1.00", "2.00"])]
        self.unit = cents(self.rules.get("smallest_chip", "1.00"))

    # Order around the table

    def clockwise(self, after: int) -> list[int]:
        return [n for n in self.seats if n > after] + [n for n in self.seats if n <= after]

    @property
    def live(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.folded]

    # What goes wrong

    def notice(self, moment: str) -> None:
        for incident in [each for each in self.incidents if each["at"] == moment]:
            self.incidents.remove(incident)
            self.handle(incident)

    def void(self, kind: str, clause: str, remedies: list[str]) -> None:
        self.cause, self.cite, self.remedies = kind, clause, remedies
        raise Void

    def handle(self, incident: Mapping[str, Any]) -> None:
        kind = incident["kind"]
        seat = int(incident["position"].split()[1]) if "seat" in incident.get("position", "") else 0
        in_time = len(self.voluntary) < 2
        match kind:
            case "wrong_start" if in_time:
                self.void(kind, "637a.18(g)(2)", RETURNED)
            case "player_not_dealt" if in_time:
                self.void(kind, "637a.18(g)(4)", RETURNED)
            case "not_shuffled":
                self.void(kind, "637a.18(g)(1)", RETURNED)
            case "missing_cards" | "extra_cards":
                self.void(kind, "637a.18(i)", ["wagers_returned", "deck_replaced"])
            case "ineligible_player_dealt":
                self.dealt_to = [n for n in self.dealt_to if n != seat]
                self.remedies.append("card_discarded")
            case "card_exposed" if not self.acted and GAMES[self.game] == "omaha":
                self.remedies.append("card_replaced")
                self.hands[seat].pop()
                self.deal_to(seat)
            case "card_exposed" if GAMES[self.game] == "stud" and not self.up:
                self.remedies.append("card_down")
                self.exposed.append(seat)
            case "fouled_hand" if seat in self.live:
                protected = incident.get("protected") or GAMES[self.game] == "stud"
                if protected and incident.get("reconstructed"):
                    self.remedies.append("round_resumed")
                elif protected and incident.get("blameless"):
                    self.remedies += ["hand_dead", "pot_refunded"]
                    self.stacks[seat] += self.put[seat]
                    self.put[seat] = self.bets[seat] = 0
                    self.folded.append(seat)
                else:
                    self.remedies.append("hand_dead")
                    self.folded.append(seat)
            case "player_left" if seat in self.live:
                self.remedies.append("hand_dead")
                self.folded.append(seat)
            case "card_off_table":
                self.remedies.append("card_discarded")
                self.hands[self.last_seat].pop()
                self.deal_to(self.last_seat)
            case _:
                pass

    # Cards

    def next_card(self, to: str) -> str:
        while True:
            card: str = next(self.cards)
            self.number += 1
            if not card.startswith("^"):
                self.order.append(f"card {self.number} -> {to}")
                return card
            self.order.append(f"card {self.number} -> rack")
            self.face_up += 1
            if self.face_up > 1:
                self.void("card_face_up", "637a.18(g)(3)", RETURNED)
            self.remedies.append("card_discarded")

    def deal_to(self, seat: int) -> None:
        self.last_seat = seat
        card = self.next_card(f"seat {seat}")
        self.hands.setdefault(seat, []).append(card)
        self.notice(f"card {self.number}")

    def burn(self) -> None:
        self.next_card("burn")
        self.notice(f"card {self.number}")

    def deal_around(self, rounds: int) -> None:
        for _ in range(rounds):
            for seat in list(self.dealt_to):
                if seat in self.dealt_to and seat not in self.folded:
                    self.deal_to(seat)

    def begin_deal(self) -> None:
        order = self.clockwise(self.button)
        for incident in self.incidents:
            seat = int(incident.get("position", "seat 0").split()[-1]) if "seat" in incident.get("position", "") else 0
            if incident["kind"] == "wrong_start":
                order = [n for n in sorted(order) if n >= seat] + [n for n in sorted(order) if n < seat]
            elif incident["kind"] == "player_not_dealt":
                order.remove(seat)
            elif incident["kind"] == "ineligible_player_dealt":
                first = order[0]
                order = sorted([*order, seat])
                order = [n for n in order if n >= first] + [n for n in order if n < first]
        self.dealt_to = order

    def flop(self, cards: int) -> None:
        self.burn()
        dealt = []
        for _ in range(cards):
            dealt.append(self.next_card("community"))
            self.notice(f"card {self.number}")
        for card in dealt:
            self.board.append(card)
            self.order.append(f"expose community {len(self.board)}")

    # Chips

    def pay(self, seat: int, amount: int, *, bet: bool = True) -> None:
        amount = min(amount, self.stacks[seat])
        self.stacks[seat] -= amount
        self.put[seat] += amount
        if bet:
            self.bets[seat] += amount

    def post(self, seat: int, total: int) -> None:
        if self.stacks[seat]:
            self.order.append(f"post {seat}")
        self.pay(seat, total - self.bets[seat])
        self.level = max(self.level, total)
        self.last = seat

    def antes(self) -> None:
        ante = cents(self.rules.get("ante", "0.00"))
        for seat in self.clockwise(self.button) if ante else ():
            self.order.append(f"post {seat}")
            self.pay(seat, ante, bet=False)

    def post_blinds(self) -> int:
        order = self.clockwise(self.button)
        for seat, blind in zip(order, self.blinds, strict=False):
            self.post(seat, blind)
        return order[min(len(self.blinds), len(order)) - 1]

    def betting(self, first: int, *, fresh: bool, done: int = 0) -> None:
        """One betting round; `fresh`: nothing was bet in it yet. `done` has bet already and has no more to say."""
        if fresh:
            self.level = 0
            self.bets = dict.fromkeys(self.seats, 0)
        behind = [n for n in self.seats if n >= first] + [n for n in self.seats if n < first]
        to_act = [seat for seat in behind if seat != done]
        while to_act:
            seat = to_act.pop(0)
            if seat in self.folded or not self.stacks[seat] or len(self.live) == 1:
                continue
            others = [n for n in self.live if n != seat]
            owed = self.level - self.bets[seat]
            if not any(self.stacks[n] for n in others):
                owed = min(owed, max(self.bets[n] for n in others) - self.bets[seat])
                if owed <= 0:
                    continue
            self.asked[seat] += 1
            self.order.append(f"ask {seat}")
            time = self.asked[seat]
            for moment in (f"decision {seat}", f"decision {seat}.{time}"):
                if moment != f"decision {seat}" or time == 1:
                    self.notice(moment)
            if seat in self.folded:
                continue
            self.acted = True
            verb, *amount = self.decisions[seat].pop(0).split()
            if verb == "fold":
                self.folded.append(seat)
            elif verb == "leave":
                self.folded.append(seat)
                self.remedies.append("hand_dead")
            elif verb == "call" and owed > 0:
                self.pay(seat, owed)
                self.willing(seat)
            elif verb in ("bet", "raise"):
                self.level = cents(amount[0])
                self.pay(seat, self.level - self.bets[seat])
                self.willing(seat)
                self.last = seat
                to_act = [n for n in self.clockwise(seat) if n != seat]
            if not self.hands.get(seat) and seat not in self.folded:
                self.folded.append(seat)
        self.return_uncalled()

    def willing(self, seat: int) -> None:
        if seat not in self.voluntary:
            self.voluntary.append(seat)

    def return_uncalled(self) -> None:
        most = max(self.put.values())
        holders = [seat for seat in self.seats if self.put[seat] == most]
        if len(holders) == 1 and holders[0] in self.live:
            back = most - max(amount for seat, amount in self.put.items() if seat != holders[0])
            self.put[holders[0]] -= back
            self.stacks[holders[0]] += back

    # The three ways to play

    def play(self) -> None:
        for incident in [each for each in self.incidents if each["at"] == "shuffle"]:
            self.incidents.remove(incident)
            mended = {"shuffler_out_of_service": "device_covered"}  # 637a.18(r); all others are 637a.18(q)
            self.remedies.append(mended.get(incident["kind"], "cards_reshuffled"))
        getattr(self, f"play_{GAMES[self.game]}")()

    def play_omaha(self) -> None:
        self.level = 0
        self.antes()
        last = self.post_blinds()
        halves = {"half_kill": 3, "kill": 4}.get(self.rules.get("kill", "none"), 0)
        if halves and self.kill in self.seats:
            self.post(self.kill, max(self.blinds) * halves // 2)
        straddle = cents(self.rules.get("straddle", "0.00"))
        after = self.clockwise(last)[0]
        if straddle and not self.bets[after] and self.stacks[after] >= straddle:
            self.order.append(f"ask {after}")
            self.asked[after] += 1
            if self.decisions[after].pop(0) == "straddle":
                self.post(after, straddle)
                last = after
        self.begin_deal()
        self.deal_around(4)
        self.betting(self.clockwise(last)[0], fresh=False)
        for cards in (3, 1, 1):
            if len(self.live) > 1:
                self.flop(cards)
                self.betting(self.clockwise(self.button)[0], fresh=True)

    def play_draw(self) -> None:
        self.level = 0
        self.antes()
        self.begin_deal()
        self.deal_around(5)
        last = self.post_blinds()
        self.betting(self.clockwise(last)[0], fresh=False)
        for seat in self.clockwise(self.button):
            if seat in self.folded or len(self.live) == 1:
                continue
            self.order.append(f"ask {seat}")
            self.asked[seat] += 1
            self.notice(f"decision {seat}.{self.asked[seat]}")
            if seat in self.folded:
                continue
            said = self.decisions[seat].pop(0)
            if said == "leave":
                self.folded.append(seat)
                self.remedies.append("hand_dead")
                continue
            thrown = said.split()[1:]
            self.hands[seat] = [card for card in self.hands[seat] if card not in thrown]
            if thrown and not self.burned:
                self.burn()
                self.burned = True
            for _ in thrown:
                if any(each["at"] == f"card {self.number + 1}" for each in self.incidents):
                    short = next(each for each in self.incidents if each["at"] == f"card {self.number + 1}")
                    if short["kind"] == "insufficient_cards":
                        self.incidents.remove(short)
                        self.remedies.append("cards_reshuffled")
                self.deal_to(seat)
        if len(self.live) > 1:
            self.betting(self.clockwise(self.button)[0], fresh=True)

    def play_stud(self) -> None:
        self.level = 0
        self.button = 0
        self.antes()
        self.begin_deal()
        self.deal_around(2)
        for seat in self.dealt_to:
            if seat not in self.folded and seat in self.hands:
                self.up[seat] = [self.hands[seat][0 if seat in self.exposed else 1]]
        forced = min(self.up, key=lambda seat: by_rank_and_suit((self.up[seat][0],)))
        self.post(forced, cents(self.rules.get("forced_bet", "1.00")))
        self.betting(self.clockwise(forced)[0], fresh=False, done=forced)
        for _ in range(3):
            if len(self.live) == 1:
                break
            self.burn()
            self.dealt_to = self.live
            self.deal_around(1)
            for seat in self.live:
                self.up[seat].append(self.hands[seat][-1])
            first = max(self.live, key=lambda seat: (showing(self.up[seat]), -seat))
            self.betting(first, fresh=True)

    # The end

    def pots(self) -> list[tuple[list[int], int]]:
        """Who can win which amount, from the main pot on: what is put in is taken down height by height."""
        left = dict(self.put)
        made: list[tuple[list[int], int]] = []
        while any(left.values()):
            there = [seat for seat in self.live if left[seat]]
            if not there:  # only what folded players have put in above all others
                seats, amount = made.pop()
                made.append((seats, amount + sum(left.values())))
                break
            height = min(left[seat] for seat in there)
            amount = 0
            for seat, more in left.items():
                amount += min(height, more)
                left[seat] -= min(height, more)
            if made and made[-1][0] == there:
                amount += made.pop()[1]
            made.append((there, amount))
        return made

    def finish(self) -> list[Document]:
        pots = self.pots()
        shown: dict[int, list[str]] = {}
        if len(self.live) > 1:
            for seat in [n for n in self.seats if n >= self.last] + [n for n in self.seats if n < self.last]:
                if seat in self.folded:
                    continue
                self.notice(f"settle {seat}")
                if seat in self.folded:
                    continue
                if self.decisions.get(seat, [""])[:1] == ["concede"]:
                    self.decisions[seat].pop(0)
                    continue
                shown[seat] = self.hands[seat]
                self.order.append(f"show {seat}")
            pots = self.pots()
            shown = {seat: cards for seat, cards in shown.items() if seat in self.live}
        total = sum(amount for _seats, amount in pots)
        rake = self.rake(pots, total)
        documents = []
        self.won = dict.fromkeys(self.seats, 0)
        drops = {
            fund: cents(self.rules[fund]["drop"])
            for fund in ("bad_beat", "high_hand")
            if fund in self.rules and total >= cents(self.rules[fund]["minimum_pot"])
        }
        for number, (seats, amount) in enumerate(pots):
            left = amount - rake[number]
            taken = {fund: min(drop, left) for fund, drop in drops.items()} if not number else {}
            left -= sum(taken.values())
            shares = self.shares(seats, left, shown)
            name = f"side {number}" if number else "main"
            for share in shares:
                self.won[share[0]] += share[2]
                self.order.append(f"award {name} {share[0]}")
            documents.append(
                {
                    "name": name,
                    "seats": seats,
                    "amount": dollars(amount),
                    "rake": dollars(rake[number]),
                    "drops": {fund: dollars(drop) for fund, drop in taken.items()},
                    "shares": [{"seat": s, "part": part, "amount": dollars(a)} for s, part, a in shares],
                }
            )
        return documents

    def rake(self, pots: list[tuple[list[int], int]], total: int) -> list[int]:
        filed = self.rules.get("rake", {"type": "time"})
        if filed["type"] == "percentage":
            left, taken = cents(filed["maximum"]), []
            for _seats, amount in pots:
                part = amount * filed["percent"] // 100
                taken.append(min(left, part - part % self.unit))
                left -= taken[-1]
            return taken
        steps = [cents(rake) for reached, rake in filed.get("steps", []) if total >= cents(reached)]
        left, taken = max(steps, default=0), []
        for _seats, amount in pots:
            taken.append(min(left, amount))
            left -= taken[-1]
        return taken

    def shares(self, seats: list[int], amount: int, shown: Mapping[int, list[str]]) -> list[tuple[int, str, int]]:
        lowball = self.game == "five_card_draw_low"
        there = [seat for seat in seats if seat in shown]
        if len(seats) == 1 or not there:
            return [(seats[0], "low" if lowball else "high", amount)] if amount else []
        lows: dict[int, tuple[str, ...]] = {}
        if lowball or self.game == "omaha_hilo":
            for seat in there:
                made = [h for h in hands_of(self.game, shown[seat], self.board) if lowball or is_eight_or_better(h)]
                if made:
                    lows[seat] = min(made, key=lambda hand: (low(hand), from_the_lowest(hand)))
        highs = {}
        if not lowball:
            for seat in there:
                made = list(hands_of(self.game, shown[seat], self.board))
                highs[seat] = max(made, key=lambda hand: (high(hand), by_rank_and_suit(hand)))
        of_low = amount if lowball else (amount // 2 // self.unit * self.unit if lows else 0)
        found = []
        if highs:
            best = max(map(high, highs.values()))
            tied = [seat for seat in there if high(highs[seat]) == best]
            tied.sort(key=lambda seat: by_rank_and_suit(highs[seat]), reverse=True)
            found += [(seat, "high", share) for seat, share in self.divide(amount - of_low, tied)]
        if lows:
            best_low = min(map(low, lows.values()))
            tied = [seat for seat in lows if low(lows[seat]) == best_low]
            tied.sort(key=lambda seat: from_the_lowest(lows[seat]))
            found += [(seat, "low", share) for seat, share in self.divide(of_low, tied)]
        return [share for share in found if share[2]]

    def divide(self, amount: int, tied: list[int]) -> list[tuple[int, int]]:
        each = amount // len(tied) // self.unit * self.unit
        excess = amount - each * len(tied)
        shares = dict.fromkeys(tied, each)
        if excess <= 100:
            shares[tied[0]] += excess
        else:  # no more than a dollar may go to one player
            for seat in tied:
                more = min(self.unit, excess)
                shares[seat] += more
                excess -= more
        return sorted(shares.items())

    def document(self) -> Document:
        pots: list[Document] = []
        disposition = "reshuffle"
        outcome = "completed"
        try:
            self.play()
            pots = self.finish()
            net = {seat: self.won[seat] - self.put[seat] for seat in self.seats}
        except Void:
            outcome, net = "void", dict.fromkeys(self.seats, 0)
            disposition = "remove" if "deck_replaced" in self.remedies else "reshuffle"
        return {
            "outcome": outcome,
            "cause": self.cause,
            "cite": self.cite,
            "wagers": [],
            "pots": pots,
            "net": {str(seat): dollars(amount) for seat, amount in net.items()},
            "remedies": list(dict.fromkeys(self.remedies)),
            "deck": {"disposition": disposition},
            "order": self.order,
        }


def showing(cards: list[str]) -> tuple[list[int], list[int]]:
    counts = Counter(map(rank, cards))
    by_count = sorted(counts, key=lambda r: (counts[r], r), reverse=True)
    return [counts[r] for r in by_count], by_count


def outcome(document: Mapping[str, Any]) -> Document:
    """The outcome of a scenario, as `play` and `hil run` have to give it, without the decks' names."""
    rules = document.get("rules", {})
    button = document.get("table", {}).get("button", 0)
    rounds, kill = [], 0
    for written in document["round"]:
        script: Mapping[str, Any] = written
        before: list[str] = []
        seats = sorted(map(int, script["stacks"]))
        if not button and rules.get("first_button") == "card_dealt":
            button, script, before = drawn_button(seats, script)
        elif not button:
            button = seats[-1]  # 637a.12(c)(1)(i): the first player to the right of the dealer
        button = next((seat for seat in seats if seat >= button), seats[0])
        cards = sum(act.startswith("card") for act in before)
        played = Round(document["game"], rules, script, button, kill, order=before, number=cards)
        found = played.document()
        rounds.append(found)
        if found["outcome"] == "completed":
            button = played.clockwise(button)[0]
            kill = qualifies(rules, found)
    return {"game": document["game"], "rounds": rounds}


def drawn_button(seats: list[int], script: Mapping[str, Any]) -> tuple[int, Document, list[str]]:
    """Who has the button by the rank of a single card (637a.12(c)(1)(ii)); the rest of the script; what was done."""
    listed = script.get("cards", "").split()
    left, drawn, acts, number = [*listed, *(card for card in DECK if card not in listed)], {}, [], 0
    for seat in seats:
        while (card := left[number]).startswith("^"):
            number += 1
            acts.append(f"card {number} -> rack")
        number += 1
        acts.append(f"card {number} -> seat {seat}")
        drawn[seat] = card
    button = max(seats, key=lambda seat: (rank(drawn[seat]), SUITS.index(drawn[seat][1])))
    return button, {**script, "cards": " ".join(listed[number:])}, [*acts, f"button {button}"]


def qualifies(rules: Mapping[str, Any], played: Document) -> int:
    """The seat that has won all of a main pot that calls for a kill, 0 for none (637a.12(n))."""
    if rules.get("kill", "none") == "none" or not played["pots"]:
        return 0
    main = played["pots"][0]
    winners = {share["seat"] for share in main["shares"]}
    return winners.pop() if len(winners) == 1 and cents(main["amount"]) >= cents(rules.get("kill_pot", "20.00")) else 0
