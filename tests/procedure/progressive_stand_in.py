"""Stand-ins for games with a system that accepts wagers: Three Card Poker, plus a progressive or an extra roll.

`LIKE_655A` settles each seat's progressive at its turn and pays the envies for its hand at once; only awards of the
whole meter are no matter of the tray. `LIKE_670A` settles all progressives after all other wagers, then the envies, and
no share of the meter comes from the tray. `WITH_FEE` has an extra roll, whose money is the house's once collected.
They are found under their ids while the fixture `known` is used, and in a process that has called `register`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Final, Literal

import pytest
from pydantic import StrictBool

import tablectl.daemon.config
import tablectl.games
from tablectl.cards import DEALER, Card, seat
from tablectl.equipment import Kind
from tablectl.events import Result
from tablectl.games import game
from tablectl.games import three_card_poker as poker
from tablectl.hands.three import ThreeCardRank, rank3
from tablectl.money import Money
from tablectl.procedure.counts import retire_stub
from tablectl.procedure.dealing import collect_wagers, deal, no_more_bets
from tablectl.procedure.game import Dealing, Game, Irregularity, Remedy, Setup
from tablectl.procedure.instructions import Expose, Stake
from tablectl.procedure.irregularities import attend
from tablectl.procedure.progressive import pay_envies, settle_progressive
from tablectl.procedure.settlement import forfeit_all, settle
from tablectl.procedure.stages import Stage
from tablectl.procedure.systems import AwardClauses, WagerSystem
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Dollars, Objection, Paytable, Submission, cite, option
from tablectl.rules.progressive import ProgressiveRules, Rate, pays, rate_of, reset_objections
from tablectl.rules.three_card_poker import ThreeCardPokerRules, ThreeCardPokerSubmission

__all__ = ["LIKE_655A", "LIKE_670A", "STAND_INS", "WITH_FEE", "known", "register"]

PROGRESSIVE: Final = "progressive"
_SHIPPED: Final = tablectl.games.GAME_IDS
THREE_CARD_POKER: Final = game("three_card_poker")
_ROWS: Final = {
    "mini_royal": "100% meter",
    "straight_flush": "10% meter",
    "three_of_a_kind": "300 for 1",
    "straight": "30 for 1",
    "flush": "9 for 1",
}
_ENVY: Final = {
    Money(1_00): {"mini_royal": Money(1_000_00), "straight_flush": Money(300_00)},
    Money(5_00): {"mini_royal": Money(5_000_00), "straight_flush": Money(1_500_00)},
}


@dataclass(frozen=True, slots=True)
class Filed:
    """Three Card Poker's rules, and those of the progressive."""

    base: ThreeCardPokerRules
    progressive: ProgressiveRules | None


class _Filing(Submission):
    """What these games file."""

    progressive: StrictBool = option(True, "655a.7(d)(3)", "whether the progressive payout wager is offered")
    progressive_reset: Dollars = option("10000.00", "655a.12(c)(3)", "initial and reset amount of the meter")
    progressive_rate: Rate = option("unset", "655a.12(c)(3)", "rate of progression of the meter")
    progressive_wager: Dollars = option("1.00", "655a.7(d)(3)", "a wager of which the system tells no amount")
    payout_to: Literal["standard"] = option("standard", None, "nothing else can be filed")

    def objections(self) -> Iterator[Objection]:
        yield from super().objections()
        yield from reset_objections(
            "progressive_reset", self.progressive_reset, Money(10_000_00), cite("655a.12(c)(3)")
        )

    def filed(self) -> Filed:
        rules = ProgressiveRules(
            rows={row: pays(text) for row, text in _ROWS.items()},
            rows_cite=cite("655a.12(c)(1)"),
            envy=_ENVY,
            envy_cite=cite("655a.12(c)(5)"),
            reset=self.progressive_reset,
            unit=self.progressive_wager,
            rate=rate_of(self.progressive_rate),
        )
        return Filed(ThreeCardPokerSubmission().filed(), rules if self.progressive else None)

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        rules = cls().filed().progressive
        assert rules is not None
        return tuple(rules.paytables(PROGRESSIVE, "A", "envy"))


def hand_name(hand: ThreeCardRank, cards: Sequence[Card]) -> str | None:
    """The hand as the progressive's paytable names it."""
    if hand == poker._MINI_ROYAL:
        return "mini_royal"
    return poker._ROWS.get(hand.category)


async def _to_the_reveal(table: Table) -> tuple[ThreeCardRank, list[int]]:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    await deal(table, 3, to=(*table.players, DEALER))
    await retire_stub(table)
    folded = await poker.offer_play(table)
    for number in folded:
        for wager in (poker.ANTE, PROGRESSIVE):
            if table.open(number, wager):
                await settle(table, number, wager, Result.FORFEITED, cite("655a.11(h)"))
    for number in table.left:
        await forfeit_all(table, number)
    dealer = await poker.reveal_dealer(table)
    await table.enter(Stage.SETTLING)
    return dealer, folded


async def _settle_laid(table: Table, number: int, dealer: ThreeCardRank) -> str | None:
    """Everything but the progressive; the name of the hand."""
    place = seat(number)
    cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
    if number in table.left:
        await forfeit_all(table, number)
        return None
    hand = rank3(cards)
    rows = poker.against_dealer(hand, dealer) if table.open(number, poker.PLAY) else []
    if table.open(number, poker.PAIR_PLUS):
        odds = poker.row_paid(table.rules.base.pair_plus, hand, cards)
        result = Result.LOSE if odds is None else Result.WIN
        rows.append((poker.PAIR_PLUS, result, "565.12(d)", odds))
    for wager, result, clause, odds in rows:
        await settle(table, number, wager, result, cite(clause), odds)
    return hand_name(hand, cards)


async def like_655a(table: Table) -> None:
    """Seat by seat: the main wagers, then the progressive and the envies for that hand (655a.11(i))."""
    dealer, folded = await _to_the_reveal(table)
    for number in list(table.counterclockwise()):
        name = await _settle_laid(table, number, dealer)
        if table.open(number, PROGRESSIVE):
            await settle_progressive(table, number, name)
        if name is not None and number not in folded:
            await pay_envies(table, "envy", [(number, name)])


async def like_670a(table: Table) -> None:
    """All main wagers, then all progressives, then all envies (670a.11(e)-(h))."""
    dealer, folded = await _to_the_reveal(table)
    names = {number: await _settle_laid(table, number, dealer) for number in list(table.counterclockwise())}
    for number, name in names.items():
        if table.open(number, PROGRESSIVE):
            await settle_progressive(table, number, name)
    holders = [(n, name) for n, name in names.items() if name is not None and n not in folded]
    await pay_envies(table, "envy", holders)


async def with_fee(table: Table) -> None:
    """Nothing but the main wagers is left to settle."""
    dealer, _folded = await _to_the_reveal(table)
    for number in list(table.counterclockwise()):
        await _settle_laid(table, number, dealer)


def check_wagers(rules: Filed, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """A progressive or an extra roll needs an ante."""
    laid = [stake for stake in stakes if stake.wager in THREE_CARD_POKER.opening]
    yield from THREE_CARD_POKER.check_wagers(rules.base, setup, laid)
    antes = [stake.seat for stake in stakes if stake.wager == poker.ANTE]
    for stake in stakes:
        if stake.wager not in THREE_CARD_POKER.opening and stake.seat not in antes:
            yield stake.seat, Objection(stake.wager, f"{stake.wager} needs an ante", cite("655a.7(d)(3)"))


def _by_method(chapter: str, shoe: str, hand: str, automated: str) -> Mapping[Dealing, Cite]:
    methods = (Dealing.MANUAL_SHOE, Dealing.FROM_HAND, Dealing.AUTOMATED_SHOE)
    clauses = zip(methods, (shoe, hand, automated), strict=True)
    return {method: cite(f"{chapter}.{clause}") for method, clause in clauses}


def _progressive(chapter: str, lock_out: Mapping[Dealing, Cite], award: AwardClauses) -> WagerSystem:
    return WagerSystem(
        kind=Kind.PROGRESSIVE,
        wager=PROGRESSIVE,
        offered=lambda rules: rules.progressive is not None,
        cite=cite(f"{chapter}.7"),
        lock_out=lock_out,
        unit=lambda rules, _seat, _stakes: rules.progressive.unit,
        progressive=lambda rules: rules.progressive,
        award=award,
    )


_LOCKED: Final = (Stage.LOCKED, Stage.DEALING, Stage.DECIDING, Stage.REVEALED, Stage.SETTLING)


def _game(id: str, chapter: str, **more: Any) -> Game:
    late = Irregularity("late_wager", Remedy.RECORD, cite(f"{chapter}.7"), _LOCKED)
    others = tuple(rule for rule in THREE_CARD_POKER.irregularities if rule.kind != "late_wager")
    mismatch = Irregularity("progressive_count_mismatch", Remedy.RECORD, None, ())
    given: dict[str, Any] = {
        "submission": _Filing,
        "check_wagers": check_wagers,
        "check_setup": lambda rules, setup: THREE_CARD_POKER.check_setup(rules.base, setup),
        "check_players": lambda rules, players: THREE_CARD_POKER.check_players(rules.base, players),
        "irregularities": (*others, late, mismatch),
        **more,
    }
    return replace(THREE_CARD_POKER, id=id, chapter=chapter, title=f"Like {chapter}", **given)


LIKE_655A: Final = _game(
    "like_655a",
    "655a",
    wagers=("ante", "play", "pair_plus", "progressive", "envy"),
    opening=("ante", "pair_plus", "progressive"),
    round_of_play=like_655a,
    systems=(
        _progressive(
            "655a",
            _by_method("655a", "8(b)", "9(a)(3)", "10(a)(2)"),
            AwardClauses(
                hand=cite("655a.11(i)(4)(i)(A)"),
                light=cite("655a.11(i)(4)(i)(B)"),
                validate=cite("655a.11(i)(4)(i)(C)"),
                pay=cite("655a.11(i)(4)(i)(D)"),
                by_hand="whole",
            ),
        ),
    ),
)

LIKE_670A: Final = _game(
    "like_670a",
    "670a",
    wagers=("ante", "play", "pair_plus", "progressive", "envy"),
    opening=("ante", "pair_plus", "progressive"),
    round_of_play=like_670a,
    systems=(
        _progressive(
            "670a",
            _by_method("670a", "8(b)(2)", "9(a)(3)(ii)", "10(a)(2)(ii)"),
            AwardClauses(
                hand=cite("670a.11(h)(3)(i)(B)(I)"),
                light=cite("670a.11(h)(3)(i)(B)(II)"),
                validate=cite("670a.11(h)(3)(i)(B)(III)"),
                pay=cite("670a.11(h)(3)(i)(B)(IV)"),
                by_hand="any_share",
                lose=cite("670a.11(h)(3)(i)(A)"),
            ),
        ),
    ),
)

WITH_FEE: Final = _game(
    "with_fee",
    "675a",
    wagers=("ante", "play", "pair_plus", "extra_roll"),
    opening=("ante", "pair_plus", "extra_roll"),
    round_of_play=with_fee,
    systems=(
        WagerSystem(
            kind=Kind.EXTRA_ROLL,
            wager="extra_roll",
            offered=lambda _rules: True,
            cite=cite("675a.2(e)(3)"),
            lock_out=dict.fromkeys(Dealing, cite("675a.4(a)")),
            unit=lambda _rules, number, stakes: next(
                (s.amount for s in stakes if (s.seat, s.wager) == (number, "ante")), None
            ),
            always=False,
            fee=True,
        ),
    ),
)

STAND_INS: Final = (LIKE_655A, LIKE_670A, WITH_FEE)


def _modules() -> dict[str, ModuleType]:
    made = {}
    for stand_in in STAND_INS:
        module = ModuleType(f"tablectl.games.{stand_in.id}")
        module.GAME = stand_in  # type: ignore[attr-defined]
        made[module.__name__] = module
    return made


_NAMING: Final = (tablectl.games, tablectl.daemon.config)
"""Modules that know which games there are."""


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-ins are games like others, found by their ids."""
    for module in _NAMING:
        monkeypatch.setattr(module, "GAME_IDS", _ids())
    for name, stand_in in _modules().items():
        monkeypatch.setitem(sys.modules, name, stand_in)


def register() -> None:
    """Let this process know the stand-ins from now on."""
    for module in _NAMING:
        vars(module)["GAME_IDS"] = _ids()
    sys.modules.update(_modules())


def _ids() -> tuple[str, ...]:
    return (*_SHIPPED, *(stand_in.id for stand_in in STAND_INS))
