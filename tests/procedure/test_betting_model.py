"""Any betting against a slow model that looks through all that was done from the beginning each time it is asked.

The model knows only who has done what, in order. From that it says who acts next, what a call costs, whether and how
much may be raised, what comes back, and who can win each single chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from tablectl.money import Money
from tablectl.procedure.betting import LIMIT, NO_LIMIT, POT_LIMIT, Bets, Limits
from tablectl.procedure.pots import divide, pots, take_percentage

LEAST = 200
SIZES = (200, 200, 400)
CHIP = 50


@dataclass(frozen=True)
class Act:
    """What a seat has done: ``ante``, ``post``, ``fold``, ``check``, ``call``, ``raise``; the chips, its bet then."""

    what: str
    seat: int
    chips: int
    bet: int


@dataclass
class Model:
    """All acts in order, those of a betting round by themselves; blinds are acts of the first one."""

    structure: str
    stacks: dict[int, int]
    most: int | None
    antes: list[Act] = field(default_factory=list)
    rounds: list[list[Act]] = field(default_factory=lambda: [[]])
    openers: list[int] = field(default_factory=list)
    back: list[tuple[int, int]] = field(default_factory=list)

    # What the acts come to

    @property
    def acts(self) -> list[Act]:
        return [*self.antes, *(act for acts in self.rounds for act in acts)]

    @property
    def now(self) -> list[Act]:
        return self.rounds[-1]

    def put(self, seat: int) -> int:
        returned = sum(amount for to, amount in self.back if to == seat)
        return sum(act.chips for act in self.acts if act.seat == seat) - returned

    def left(self, seat: int) -> int:
        return self.stacks[seat] - self.put(seat)

    def bet(self, seat: int) -> int:
        return next((act.bet for act in reversed(self.now) if act.seat == seat), 0)

    @property
    def live(self) -> list[int]:
        folded = [act.seat for act in self.acts if act.what == "fold"]
        return [seat for seat in self.stacks if seat not in folded]

    def level(self, acts: Sequence[Act]) -> int:
        """What had to be matched after these acts of the betting round; a blind counts as a whole one."""
        found = 0
        for act in acts:
            if act.what == "post":
                found = max(found, 100 * (1 + [a.seat for a in acts if a.what == "post"].index(act.seat)))
            elif act.what == "raise":
                found = act.bet
        return found

    def others_with_chips(self, seat: int) -> list[int]:
        return [other for other in self.live if other != seat and self.left(other)]

    # Whose turn it is

    def turn(self) -> int | None:
        """The first seat, clockwise from the opener or the last one that raised, that has not answered since."""
        if len(self.live) < 2:
            return None
        raised = [place for place, act in enumerate(self.now) if act.what == "raise"]
        since = self.now[raised[-1] + 1 :] if raised else [act for act in self.now if act.what != "post"]
        seats = sorted(self.stacks)
        if raised:
            by = self.now[raised[-1]].seat
            order = [n for n in seats if n > by] + [n for n in seats if n < by]
        else:
            order = [n for n in seats if n >= self.openers[-1]] + [n for n in seats if n < self.openers[-1]]
        for seat in order:
            if seat in [act.seat for act in since] or seat not in self.live or not self.left(seat):
                continue
            if self.others_with_chips(seat) or self.owed(seat):
                return seat
        return None

    def owed(self, seat: int) -> int:
        wanted = self.level(self.now)
        if not self.others_with_chips(seat):
            wanted = min(wanted, max(self.bet(other) for other in self.live if other != seat))
        return max(0, wanted - self.bet(seat))

    # Raising

    def size(self) -> int:
        return SIZES[min(len(self.rounds) - 1, len(SIZES) - 1)]

    def full_raises(self) -> list[tuple[int, int]]:
        """The place of each full bet or raise of the betting round, and what it has added."""
        found = []
        added = max(LEAST, self.level(self.blinds()))
        for place, act in enumerate(self.now):
            if act.what != "raise":
                continue
            before = self.level(self.now[:place])
            if self.structure == LIMIT:
                whole = self.size() if before < self.size() else before + self.size()
                if act.bet >= whole:
                    found.append((place, self.size()))
            elif act.bet - before >= added:
                added = act.bet - before
                found.append((place, added))
        return found

    def blinds(self) -> list[Act]:
        return [act for act in self.now if act.what == "post"]

    def full(self) -> int:
        """What a raise has to add at the least."""
        if self.structure == LIMIT:
            return self.size()
        return self.full_raises()[-1][1] if self.full_raises() else max(LEAST, self.level(self.blinds()))

    def may_raise(self, seat: int) -> bool:
        level = self.level(self.now)
        if not self.others_with_chips(seat) or self.bet(seat) + self.left(seat) <= level:
            return False
        if self.structure == LIMIT and self.level(self.blinds()) // self.size() + len(self.full_raises()) > 3:
            return False
        done = [place for place, act in enumerate(self.now) if act.seat == seat and act.what != "post"]
        if not done or any(place > done[-1] for place, _added in self.full_raises()):
            return True
        return level - self.level(self.now[: done[-1] + 1]) >= self.full()

    def amounts(self, seat: int) -> list[int]:
        """Everything that a bet or raise of the seat may come to, chip by chip."""
        all_in, level = self.bet(seat) + self.left(seat), self.level(self.now)
        highest = all_in
        least = level + self.full() if level else LEAST
        if self.structure == LIMIT:
            least = highest = self.size() if level < self.size() else level + self.size()
        if self.structure == POT_LIMIT:  # call, then as much as lies there
            pot = sum(self.put(each) for each in self.stacks)
            highest = level + pot + max(0, level - self.bet(seat))
        if self.most is not None and self.structure != LIMIT:
            highest = min(highest, level + self.most)
        highest = min(max(least, highest), all_in)
        return [total for total in range(CHIP, all_in + 1, CHIP) if total == highest or least <= total <= highest]


def limits(structure: str, most: int | None) -> Limits:
    sizes = tuple(Money(size) for size in SIZES)
    return Limits(structure, Money(LEAST), None if most is None else Money(most), sizes, 3)  # type: ignore[arg-type]


@st.composite
def betting(draw: st.DrawFn) -> tuple[Bets, Model, list[tuple[int, int]]]:
    """A whole round of play in which both agree at each step; and what each seat had put in before any came back."""
    stacks = {seat: CHIP * draw(st.integers(4, 40)) for seat in range(1, draw(st.integers(2, 6)) + 1)}
    structure = draw(st.sampled_from([NO_LIMIT, POT_LIMIT, LIMIT]))
    most = draw(st.sampled_from([None, 600]))
    bets, model = Bets(limits(structure, most), dict(stacks)), Model(structure, dict(stacks), most)
    ante = draw(st.sampled_from([0, CHIP]))
    for seat in bets.seats if ante else ():
        model.antes.append(Act("ante", seat, bets.ante(seat, ante), 0))
    for number, seat in enumerate(bets.seats[:2]):
        paid = bets.post(seat, 100 * (number + 1))
        model.now.append(Act("post", seat, paid, paid))
    raw: list[tuple[int, int]] = []
    for number in range(4):
        opener = bets.clockwise(2)[0] if not number else bets.first_left_of(draw(st.integers(1, 6)))
        if number:
            model.rounds.append([])
        model.openers.append(opener)
        bets.begin(opener)
        while (seat_to_act := model.turn()) is not None:
            assert bets.turn() == seat_to_act
            model.now.append(_act(draw, bets, model, seat_to_act))
            assert {seat: model.left(seat) for seat in stacks} == bets.stacks
        assert bets.turn() is None
        raw = [(seat, model.put(seat)) for seat in stacks]
        back = bets.uncalled()
        if back is not None:
            model.back.append(back)
        if len(bets.live) == 1:
            break
    return bets, model, raw


def _act(draw: st.DrawFn, bets: Bets, model: Model, seat: int) -> Act:
    owed = model.owed(seat)
    assert bets.owed(seat) == owed
    may_raise = model.may_raise(seat)
    assert bets.can_raise(seat) == may_raise
    verbs = ["fold", "call", "call"] if owed else ["check", "check"]
    what = draw(st.sampled_from([*verbs, *(["raise"] * 2 if may_raise else [])]))
    if what == "fold":
        bets.fold(seat)
        return Act(what, seat, 0, model.bet(seat))
    if what == "check":
        bets.check(seat)
        return Act(what, seat, 0, model.bet(seat))
    if what == "call":
        paid = bets.call(seat)
        assert paid == min(owed, model.left(seat))
        return Act(what, seat, paid, model.bet(seat) + paid)
    amounts = model.amounts(seat)
    span = bets.span(seat)
    highest = model.bet(seat) + model.left(seat)
    assert [n for n in range(CHIP, highest + 1, CHIP) if span.allows(n)] == amounts
    total = draw(st.sampled_from([amounts[0], amounts[-1], amounts[len(amounts) // 2]]))
    paid = bets.raise_to(seat, total)
    return Act(what, seat, paid, total)


@given(betting())
def test_637a_12_g_every_turn_call_and_raise_is_what_all_acts_before_make_of_it(
    played: tuple[Bets, Model, list[tuple[int, int]]],
) -> None:
    bets, model, _raw = played
    assert bets.live == model.live
    assert bets.put == {seat: model.put(seat) for seat in model.stacks}
    assert sum(bets.stacks.values()) + bets.total == sum(model.stacks.values())


@given(betting())
def test_637a_17_d_what_comes_back_is_what_nobody_else_has_put_in(
    played: tuple[Bets, Model, list[tuple[int, int]]],
) -> None:
    bets, model, raw = played
    for seat, amount in raw:
        others = max(other for number, other in raw if number != seat)
        came_back = amount - bets.put[seat]
        if seat in model.live:
            assert came_back == max(0, amount - others)
        else:
            assert came_back == 0


@given(betting())
def test_637a_12_k_each_chip_is_won_by_somebody_who_has_put_in_as_much(
    played: tuple[Bets, Model, list[tuple[int, int]]],
) -> None:
    bets, _model, _raw = played
    chips: list[tuple[int, ...]] = []  # who can win it, for each chip
    for height in range(CHIP, max(bets.put.values()) + 1, CHIP):
        can_win = tuple(seat for seat in sorted(bets.live) if bets.put[seat] >= height)
        chips += [can_win or chips[-1] for amount in bets.put.values() if amount >= height]
    slow = [(seats, CHIP * len(list(group))) for seats, group in groupby(chips)]
    assert [(pot.seats, pot.amount) for pot in pots(bets.put, bets.live)] == slow


@given(betting(), st.integers(1, 10), st.integers(0, 8))
def test_637a_17_d_no_rake_is_taken_of_what_nobody_has_called(
    played: tuple[Bets, Model, list[tuple[int, int]]], percent: int, most: int
) -> None:
    bets, model, raw = played
    top = max(model.live, key=dict(raw).__getitem__)
    second = max(amount for seat, amount in raw if seat != top)
    called = sum(min(amount, second) if seat == top else amount for seat, amount in raw)
    made = pots(bets.put, bets.live)
    take_percentage(made, percent, Money(100 * most), Money(CHIP))
    assert sum(pot.amount for pot in made) == called
    taken = sum(pot.rake for pot in made)
    assert taken <= min(called * percent // 100, 100 * most)
    assert all(pot.rake % CHIP == 0 for pot in made)


@given(betting(), st.data())
def test_637a_12_k_2_odd_units_of_all_pots_go_to_winners_and_none_is_lost(
    played: tuple[Bets, Model, list[tuple[int, int]]], data: st.DataObject
) -> None:
    bets, _model, _raw = played
    won = dict.fromkeys(bets.stacks, 0)
    for pot in pots(bets.put, bets.live):
        best = data.draw(st.lists(st.sampled_from(pot.seats), min_size=1, unique=True))
        shares = divide(pot.left, best, Money(100), Money(100))
        for seat, amount in shares.items():
            won[seat] += amount
        even = pot.amount // 100 // len(best) * 100
        assert all(even <= amount <= even + 100 + pot.amount % 100 for amount in shares.values())
        assert all(amount % 100 == 0 for seat, amount in shares.items() if seat != best[0])
    assert sum(won.values()) == sum(bets.put.values())
    assert all(won[seat] == 0 for seat in won if seat not in bets.live)
