"""675a.4 to 675a.6 worked out a second time, slowly and from the text alone.

`played` takes a round as a scenario has it, in plain text, and gives what has to come of it, as an outcome document
states that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

RANKING = "165432"
"""The faces, the highest first (675a.2(d))."""

PIP = {10: {"2": "6:1", "3": "6:1", "4": "5:1", "5": "4:1", "6": "4:1", "1": "3:1"}}
PIP[6] = {"2": "8:1", "3": "6:1", "4": "5:1", "5": "4:1", "6": "3:1", "1": "2:1"}
LIKE = {10: {"8": "5000:1", "7": "400:1", "6": "30:1", "5": "4:1", "4": "1:1", "3": "3:5", "2": "12:1"}}
LIKE[6] = {"6": "6000:1", "5": "200:1", "4": "15:1", "3": "2:1", "2": "1:2", "none": "60:1"}
EXTRA = {"8": "50:1", "7": "10:1", "6": "4:1", "5": "2:1", "4": "1:1", "3": "6:1"}
PRIZE = {"9": ("$50000", "50000.00"), "10": ("$1000000", "1000000.00")}
LIST = [
    *(f"pip_{face}" for face in "123456"),
    *(f"like_{number}" for number in "2345678"),
    "like_none",
    "millionaire_9",
    "millionaire_10",
    "extra_roll",
]
INVALID = ("die_off_table", "dice_stacked")

Wagers = Mapping[str, Mapping[str, str]]


def called(dice: str) -> tuple[str, int]:
    """The face of the highest value that occurs the most, and how often it does (675a.4(d))."""
    counts = {face: dice.split().count(face) for face in RANKING}
    most = max(counts.values())
    return next(face for face in RANKING if counts[face] == most), most


class Round:
    """One round: rows and order as they come about."""

    def __init__(
        self, wagers: Wagers, dice: Sequence[str], incidents: Sequence[Mapping[str, Any]], number: int
    ) -> None:
        self.wagers = {int(seat): dict(placed) for seat, placed in wagers.items()}
        self.dice = list(dice)
        self.incidents = list(incidents)
        self.number = number
        self.throws = 0
        self.rows: list[dict[str, Any]] = []
        self.order = ["no_more_bets"]
        self.remedies: list[str] = []
        self.limit: int | None = None
        self.counted: dict[int, int] = {}

    @property
    def seats(self) -> list[int]:
        """Counterclockwise."""
        return sorted(self.wagers, reverse=True)

    def throw(self) -> str:
        """Thrown until the throw is valid (675a.4(b), (c))."""
        while True:
            self.throws += 1
            self.order.append(f"throw {self.throws}")
            dice = self.dice.pop(0)
            wrong = [told for told in self.incidents if told["at"] == f"throw {self.throws}"]
            kinds = {told["kind"]: told.get("sides") for told in wrong}
            if any(kind in INVALID or (kind == "die_cocked" and sides == 2) for kind, sides in kinds.items()):
                self.remedies.append("rethrown")
                continue
            if kinds.keys() & {"die_cocked", "power_loss"}:
                self.remedies.append("round_resumed")
            return dice

    def lose(self, seat: int, wager: str, clause: str) -> None:
        staked = self.wagers[seat].pop(wager)
        self._row(seat, wager, staked, "lose", None, "0.00", "0.00", staked, clause)

    def win(self, seat: int, wager: str, odds: str, clause: str) -> None:
        """Paid at odds "n:m", in whole cents, up to the payout limit."""
        staked = self.wagers[seat].pop(wager)
        pays, per = odds.split(":")
        paid = int(Fraction(staked.replace(".", "")) * int(pays) / int(per))
        if self.limit is not None:
            paid = min(paid, self.limit - self.counted.get(seat, 0))
            self.counted[seat] = self.counted.get(seat, 0) + paid
        self._row(seat, wager, staked, "win", odds if paid else None, show(paid), staked, "0.00", clause)

    def prize(self, seat: int, wager: str, clause: str) -> None:
        staked = self.wagers[seat].pop(wager)
        odds, paid = PRIZE[wager.removeprefix("millionaire_")]
        self._row(seat, wager, staked, "win", odds, paid, staked, "0.00", clause)

    def _row(self, seat: int, wager: str, staked: str, result: str, odds: str | None, *rest: str) -> None:
        paid, returned, collected, clause = rest
        row = {"seat": seat, "wager": wager, "hand": 0, "staked": staked, "result": result, "odds": odds}
        self.rows.append({**row, "paid": paid, "returned": returned, "collected": collected, "cite": clause})
        self.order.append(f"settle {seat} {wager}")

    def kind(self, seat: int, kind: str) -> list[str]:
        """The open wagers of that kind, in the order of the list."""
        return sorted((wager for wager in self.wagers[seat] if wager.startswith(kind)), key=LIST.index)


def show(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def played(
    wagers: Wagers,
    dice: Sequence[str],
    incidents: Sequence[Mapping[str, Any]] = (),
    *,
    number: int = 10,
    limit: int | None = None,
) -> dict[str, Any]:
    """What has to come of a round with ten dice, or six; `limit` is in cents."""
    going = Round(wagers, dice, incidents, number)
    going.limit = limit
    (ten_dice if number == 10 else six_dice)(going)
    assert not going.dice, "all throws are taken"
    net = {str(seat): 0 for seat in sorted(going.wagers)}
    for row in going.rows:
        net[str(row["seat"])] += int(row["paid"].replace(".", "")) - int(row["collected"].replace(".", ""))
    return {
        "outcome": "completed",
        "cause": None,
        "cite": None,
        "wagers": sorted(going.rows, key=lambda row: (row["seat"], LIST.index(row["wager"]))),
        "net": {seat: show(cents) for seat, cents in net.items()},
        "remedies": list(dict.fromkeys(going.remedies)),
        "deck": {"disposition": "continue"},
        "order": going.order,
    }


def ten_dice(going: Round) -> None:
    """675a.4."""
    extra = [seat for seat in going.seats if "extra_roll" in going.wagers[seat]]
    if extra:  # (a)
        going.order.append("lock_out")
        for seat in extra:
            going.lose(seat, "extra_roll", "675a.4(a)")
    face, first = called(going.throw())
    for seat in going.seats:
        for wager in going.kind(seat, "pip"):  # (f)(1)
            if wager != f"pip_{face}":
                going.lose(seat, wager, "675a.4(f)(1)")
        if going.kind(seat, "pip"):
            going.win(seat, f"pip_{face}", PIP[10][face], "675a.5(a)")
        hit = f"like_{first}"
        if seat not in extra:  # (f)(2)(i)
            for wager in going.kind(seat, "like"):
                if wager != hit:
                    going.lose(seat, wager, "675a.4(f)(2)(i)")
        if hit in going.wagers[seat]:
            going.win(seat, hit, LIKE[10][str(first)], "675a.5(b)")
        for wager in going.kind(seat, "like"):  # (f)(2)(ii): those that are below what lies there already
            if int(wager.removeprefix("like_")) < first:
                going.lose(seat, wager, "675a.4(f)(2)(ii)")
        for wager in going.kind(seat, "millionaire"):  # (f)(3)
            if wager != f"millionaire_{first}":
                going.lose(seat, wager, "675a.4(f)(3)")
        if going.kind(seat, "millionaire"):
            going.prize(seat, f"millionaire_{first}", "675a.5(c)")
    if not extra or first == 10:  # (g)
        return
    total = first + going.throw().split().count(face)
    for seat in extra:  # (h)
        for wager in going.kind(seat, "like"):
            if wager != f"like_{total}":
                going.lose(seat, wager, "675a.4(h)")
        for wager in going.kind(seat, "like"):
            going.win(seat, wager, EXTRA[str(total)], "675a.5(d)")


def six_dice(going: Round) -> None:
    """675a.6(g)-(k)."""
    face, most = called(going.throw())
    hits = [f"pip_{face}", f"like_{'none' if most == 1 else most}"]
    for seat in going.seats:
        for wager in sorted(going.wagers[seat], key=LIST.index):
            if wager not in hits:
                going.lose(seat, wager, "675a.6(i)")
        for wager in sorted(going.wagers[seat], key=LIST.index):
            kind, _, what = wager.partition("_")
            odds, clause = (PIP[6][what], "675a.6(j)") if kind == "pip" else (LIKE[6][what], "675a.6(k)")
            going.win(seat, wager, odds, clause)
