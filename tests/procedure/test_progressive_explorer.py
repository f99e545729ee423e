"""Games with a system that accepts wagers, fed with every declared outcome: however a round goes, it ends in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import FaceDown, card
from tablectl.equipment import Meter, MeterRules
from tablectl.events import Outcome, Result
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Game, Setup, Shuffler
from tablectl.procedure.meter import open_ledger
from tablectl.procedure.table import DeckState, Table, TableState
from tests.procedure.explorer import Path, explore
from tests.procedure.progressive_stand_in import LIKE_655A, LIKE_670A, WITH_FEE
from tests.procedure.test_explorer import Case, closing, outcomes, stake

DEALT = [card(name) for name in ("As", "Ah", "2c", "Ks", "Kh", "5d", "Qs", "Qh", "7h")]  # two mini royals
RULES = MeterRules(Money(10_000_00), Money(10_000_00), None, 200_000, 50_000)
FIRST = Meter(0, Money(10_000_00), Money(0), 0, Money(0), Money(0), Money(0), Money(10_000_00), Money(0))
SAID = acts.MeterSaid(Money(10_000_00), FIRST, RULES)
OTHER = acts.MeterSaid(Money(10_000_01), replace(FIRST, display=Money(10_000_01)), RULES)
TRAY = ("progressive", "extra_roll")


@dataclass(frozen=True)
class SystemCase(Case):
    """A small table of a stand-in; `accounts`: its system keeps them."""

    game: Game = LIKE_655A
    accounts: bool = False

    def table(self) -> Table:
        state = TableState(
            round=0,
            decks=(DeckState("deck-1", "red", 0),),
            deck_number=1,
            rounds_since_count=0,
            dealing=self.dealing.value,
            shuffler=self.shuffler.value,
        )
        if self.accounts:
            progressive = replace(state.progressive, ledger=open_ledger(RULES, FIRST, 0), display=Money(10_000_00))
            state = replace(state, progressive=progressive)
        return Table(
            self.game, self.game.submission().filed(), Setup(self.dealing, self.shuffler, self.game.seats), state
        )


BOTH = (
    *(stake(1, "ante", 1000), stake(1, "progressive", 100)),
    *(stake(2, "ante", 1000), stake(2, "progressive", 500)),
)
FEES = (*BOTH[:1], stake(1, "extra_roll", 1000), *BOTH[2:3])
CASES = [
    SystemCase("655a by hand", BOTH, shuffler=Shuffler.COUNTING, game=LIKE_655A),
    SystemCase("655a with accounts", BOTH, shuffler=Shuffler.COUNTING, game=LIKE_655A, accounts=True, twice=True),
    SystemCase("670a with accounts", BOTH, shuffler=Shuffler.COUNTING, game=LIKE_670A, accounts=True),
    SystemCase("an extra roll", FEES, shuffler=Shuffler.COUNTING, game=WITH_FEE),
]


def answers(case: SystemCase, instruction: acts.AnyInstruction, path: Path) -> list[Any]:
    """Every declared outcome of that instruction, the smooth one first."""
    found: list[Any] = system_outcomes(case, instruction, path)
    if not found:
        found = list(outcomes(case, instruction, path))
    if isinstance(instruction, acts.Draw | acts.DealAround):
        found[0] = acts.Drawn(acts_card(len(path.only(e.CardDealt))))
    return found


def acts_card(number: int) -> FaceDown:
    """Another card than those follows where one lay face up."""
    return FaceDown(DEALT[number] if number < len(DEALT) else card("3c"))


def system_outcomes(case: SystemCase, instruction: acts.AnyInstruction, path: Path) -> list[Any]:
    match instruction:
        case acts.OpenWagering(barred=barred):
            return [acts.WageringShut(barred)] if barred else [acts.WageringOpen(), acts.WageringShut("lost")]
        case acts.CollectWagers(wagers=wagers):
            return [tuple(s for s in case.stakes if s.wager in wagers)]
        case acts.LockOutWagers(placed=placed):
            seats = tuple(s.seat for s in placed)
            told = acts.Accepted(len(seats), seats)
            unknown = acts.Accepted(len(seats))
            fewer, other = acts.Accepted(len(seats) - 1), acts.Accepted(len(seats) + 1, (*seats, 5))
            return [told if case.accounts else unknown, fewer, other, acts.NotLocked("lost")]
        case acts.CollectChips(accepted=accepted):
            return [acts.ChipsCounted(accepted), acts.ChipsCounted(accepted + 1)]
        case acts.UndoLockOut():
            return [acts.Undone(True), acts.Undone(False)]
        case acts.LookAtMeter(expected=expected, due=due):
            if not case.accounts:
                return [None if expected is None else acts.MeterSaid(expected)]
            return [accounts_of(path), OTHER] if not due else [acts.MeterSaid(expected or Money(10_000_00))]
        case acts.LightWin(by_hand=by_hand):
            return [acts.WinLit(None)] if by_hand else [acts.WinLit(None), acts.WinNotLit("it shows something else")]
        case acts.ValidateAward():
            return [acts.Validated("4711")]
        case acts.DocumentHandPay():
            return [acts.Documented("4711", "1001")]
        case _:
            return []


def accounts_of(path: Path) -> acts.MeterSaid:
    """What the system says when it has done what our books have."""
    booked = [i.books for i in path.instructions if isinstance(i, acts.BookMeter)]
    meter = booked[-1] if booked else FIRST
    return acts.MeterSaid(meter.display, meter, RULES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_way_through_a_round_with_a_system_ends_in_order(case: SystemCase) -> None:
    paths = list(explore(case.table, partial(answers, case), further=(lambda _other: True) if case.twice else None))
    assert len(paths) > 30
    for path in paths:
        try:
            nothing_before_it_is_verified(path)
            money_is_conserved(path)
            awards_are_approved(path)
            meter_is_somewhere(case, path)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    ended = Counter(closing(path).outcome for path in paths)
    assert ended[Outcome.COMPLETED] > 0
    assert ended[Outcome.VOID] > 0
    assert ended[Outcome.SUSPENDED] > 0
    assert any(path.only(e.SystemShut) for path in paths)


def nothing_before_it_is_verified(path: Path) -> None:
    """No card leaves before the chips that were locked out are counted, and are as many as were accepted."""
    order = [type(event) for event in path.events]
    dealt = order.index(e.CardDealt) if e.CardDealt in order else len(order)
    for place, event in enumerate(path.events):
        if isinstance(event, e.WagersLockedOut | e.WagersVerified):
            assert order.index(e.BettingLocked) < place < dealt
        if isinstance(event, e.WagersVerified) and event.chips != event.accepted:
            assert e.CardDealt not in order
            assert closing(path).cause == "progressive_count_mismatch"
    in_tray = [made for made in path.only(e.WagerMade) if made.wager in TRAY]
    verified = path.only(e.WagersVerified)
    if in_tray:
        assert [(event.chips, event.accepted) for event in verified] == [(len(in_tray), len(in_tray))]


def money_is_conserved(path: Path) -> None:
    place = next((n for n, event in enumerate(path.events) if isinstance(event, e.RoundVoided)), len(path.events))
    made = [(event.seat, event.wager) for event in path.only(e.WagerMade)]
    settled = [event for event in path.events[:place] if isinstance(event, e.WagerSettled)]
    once = Counter((event.seat, event.wager, event.on) for event in settled)
    assert all(count == 1 for count in once.values())
    after = [event for event in path.events[place:] if isinstance(event, e.WagerSettled)]
    match closing(path).outcome:
        case Outcome.COMPLETED:
            assert sorted((s.seat, s.wager) for s in settled if s.on is None) == sorted(made)
        case Outcome.VOID:
            assert sorted((s.seat, s.wager) for s in after) == sorted(made)
            assert all(s.result is Result.VOID and s.returned == s.staked for s in after)
            if any(wager in TRAY for _seat, wager in made):
                assert path.only(e.LockOutUndone)
        case Outcome.SUSPENDED:
            assert not after
    for row in [*settled, *after]:
        assert row.returned is not None
        assert row.collected is not None
        assert row.staked == row.returned + row.collected
        if row.wager in TRAY and row.result is not Result.VOID:
            assert (row.returned, row.collected) == (0, row.staked), "it lies in the tray"


def awards_are_approved(path: Path) -> None:
    """Nothing is paid before hand, light and floorperson have verified it, and no hand pay is left open."""
    paid: list[int] = []
    for place, event in enumerate(path.events):
        if isinstance(event, e.WagerSettled) and event.wager == "progressive" and event.result is Result.WIN:
            kinds = [type(before) for before in path.events[:place] if getattr(before, "seat", None) == event.seat]
            checks = [kind for kind in kinds if kind in (e.HandVerified, e.WinLightVerified, e.AwardValidated)]
            assert checks == [e.HandVerified, e.WinLightVerified, e.AwardValidated]
            if event.odds == "100% meter":
                paid.append(event.seat)
    if closing(path).outcome is Outcome.COMPLETED:
        assert sorted(pay.seat for pay in path.only(e.HandPayDocumented)) == sorted(paid)


def meter_is_somewhere(case: SystemCase, path: Path) -> None:
    assert path.state is not None
    ledger = path.state.progressive.ledger
    if not case.accounts:
        assert ledger is None
        return
    assert ledger is not None
    assert ledger.balanced()
    if closing(path).outcome is not Outcome.COMPLETED:
        assert ledger == open_ledger(RULES, FIRST, 0), "nothing of the round is left in the books"
    for booked in path.only(e.MeterBooked):
        assert bool(booked.credential) == (booked.reason == "award")
    told = [result for result in path.results if isinstance(result, acts.MeterSaid)]
    assert bool(path.state.progressive.barred) == (OTHER in told), "a difference bars, and nothing else does"


def test_rules_of_the_meter_that_changed_while_the_table_was_closed_are_taken_over() -> None:
    """On the next gaming day books are opened anew; on the same one it is an alarm, and nothing is taken."""
    other = MeterRules(Money(10_000_00), Money(10_000_00), None, 300_000, 0)
    case = CASES[1]
    for day, reasons, alarms in ((1, ["opened"], []), (0, [], ["meter_rules_changed"])):

        def begun(day: int = day) -> Table:
            table = case.table()
            table.state = replace(table.state, day=day)
            return table

        def answered(instruction: acts.AnyInstruction, path: Path) -> list[Any]:
            if isinstance(instruction, acts.LookAtMeter) and not instruction.due:
                return [replace(accounts_of(path), rules=other)]
            return answers(case, instruction, path)[:1]

        (path,) = explore(begun, answered)
        booked = [event.reason for event in path.only(e.MeterBooked)]
        assert booked[:1] == reasons
        assert [alarm.kind for alarm in path.only(e.AlarmRaised)][:1] == alarms
        assert bool(path.only(e.WagersLockedOut)) == (day == 1)
