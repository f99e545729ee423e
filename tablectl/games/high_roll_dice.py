"""High Roll Dice, 58 Pa. Code Chapter 675a: with ten dice, or in its variation with six.

The game has no cards. A set of dice takes the place of the deck: it has an identity, a time at the table (24 hours),
and every round names it.

Readings where the text leaves room:

- 675a.1(b)(2)(iv), 675a.6(b)(3): all wagers of a player but Millionaire Row are of one amount; an Extra Roll is one
  purchase, equal to each of them.
- 675a.2(c): it says that a player remains seated, and not what becomes of the wagers of one who does not. They stay in
  play, and that he left is recorded. Nothing keeps a player to one betting position; a payout limit is a player's, so
  where one is filed a player may have two adjacent positions, which is as much as can be said at the table.
- 675a.2(d), 675a.6(d)(2): where all six dice differ, the ace is the face that wins Pip Street, by its rank.
- 675a.4(a): chips and what the extra-roll sensors have accepted are compared as those of a progressive are elsewhere.
  The money is the house's from then on, also if nothing is left that the Extra Roll could win.
- 675a.4(f): seats from the dealer's right, counterclockwise. Where an Extra Roll was purchased winning Like Kind
  Boulevard Wagers are paid before those are collected that cannot win any more, as (2)(ii) has it.
- 675a.4(f)(3): ten matching dice lose the wager on nine.
- 675a.4(g): the other dice are thrown whenever a player has purchased an Extra Roll, whatever is left to be won; where
  all ten match there are none.
- 675a.4(h), 675a.5(d): only dice that show the face of the first throw count. Nine or ten in the end pay nothing.
- 675a.4(b), (c): of several things that are wrong with a throw, one that makes it invalid goes before a die that is
  only cocked.
- 675a.6(f) cites 675a.3(d), which wants ten dice: six are meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tablectl.equipment import Kind
from tablectl.events import Result, WagerSettled
from tablectl.games.common import ANY, BETTING_CLOSED, check_limits
from tablectl.money import Money, Odds, show
from tablectl.procedure.dealing import collect_wagers, no_more_bets
from tablectl.procedure.dice import take_over_shaker
from tablectl.procedure.game import (
    Dealing,
    DealingClauses,
    DiceClauses,
    Game,
    Irregularity,
    PayoutLimit,
    Remedy,
    Setup,
    Shuffler,
)
from tablectl.procedure.instructions import CallDice, Incident, SharedSeats, Stake
from tablectl.procedure.irregularities import attend
from tablectl.procedure.settlement import least_limit, settle_all, settled
from tablectl.procedure.stages import Stage, Transitions
from tablectl.procedure.starting import throw
from tablectl.procedure.systems import WagerSystem
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite
from tablectl.rules.high_roll_dice import EXTRA, FACES, MILLIONAIRE, NO_MATCH, HighRollDiceRules, HighRollDiceSubmission
from tablectl.rules.progressive import Prize

__all__ = ["GAME", "WAGERS", "Matched", "is_on_the_layout", "matched"]

CHAPTER: Final = "675a"
EXTRA_ROLL: Final = "extra_roll"
PIP, LIKE, MILLIONAIRE_ROW = "pip", "like", "millionaire"
NUMBERS: Final[Mapping[str, int]] = {
    **{f"pip_{face}": face for face in (1, 2, 3, 4, 5, 6)},
    **{f"like_{number}": number for number in (2, 3, 4, 5, 6, 7, 8)},
    "like_none": NO_MATCH,
    **{f"millionaire_{number}": number for number in (9, 10)},
}
"""The face that each wager of Pip Street is on, and how many dice each of the others."""
WAGERS: Final = (*NUMBERS, EXTRA_ROLL)
KINDS: Final[Mapping[str, str]] = {**{wager: wager.partition("_")[0] for wager in NUMBERS}, EXTRA_ROLL: EXTRA_ROLL}

_MOST_FOR_MILLIONAIRE: Final = Money(1_00)
_PRIZES: Final = cite("675a.5(c)")
_EXTRA_PAYS: Final = cite("675a.5(d)")
_SEATS: Final = 6

_S = Stage
_TRANSITIONS: Final[Transitions] = {
    _S.CLOSED: (_S.OPEN,),
    _S.OPEN: (_S.LOCKED, _S.VOID, _S.CLOSED),
    _S.LOCKED: (_S.REVEALED, _S.VOID),  # thrown
    _S.REVEALED: (_S.SETTLING, _S.VOID),  # called, and moved into the box
    _S.SETTLING: (_S.REVEALED, _S.CLOSED, _S.VOID),  # the extra roll is thrown here, and called
    _S.VOID: (_S.CLOSED,),
}


@dataclass(frozen=True, slots=True)
class Matched:
    """The face that occurs most in a throw, of several the highest in rank, and how many dice show it."""

    face: int
    count: int


def matched(faces: Sequence[int]) -> Matched:
    """What a throw has come to (675a.2(d), (e)(1), 675a.4(d))."""
    counts = [faces.count(face) for face in FACES]
    most = max(counts)
    return Matched(FACES[counts.index(most)], most)


# The round ----------------------------------------------------------------------------------------------------------


async def round_of_play(table: Table) -> None:
    """675a.4 with ten dice, 675a.6(g)-(i) with six, in the order of the text."""
    rules: HighRollDiceRules = table.rules
    await take_over_shaker(table)  # 675a.3(c), 675a.6(f)
    stakes = await collect_wagers(table)  # 675a.2, 675a.6(d)
    await take_over_shaker(table)  # a dealer may have come meanwhile
    if rules.has_extra_roll:
        await no_more_bets(table, stakes)  # 675a.4(a): locks out and collects the Extra Rolls
        first = await _first_throw(table, rules, "675a.4(b)", "675a.4(e)")
        for number in list(table.counterclockwise()):
            await _settle_first_roll(table, rules, number, first)  # 675a.4(f)
        await _extra_roll(table, first)
    else:
        await no_more_bets(table, stakes, cite("675a.6(g)"))
        first = await _first_throw(table, rules, "675a.6(g)", "675a.6(h)")
        for number in list(table.counterclockwise()):
            await _settle_six_dice(table, rules, number, first)  # 675a.6(i)


async def _first_throw(table: Table, rules: HighRollDiceRules, thrown: str, called: str) -> Matched:
    """Shaken and thrown until it counts, called, and the matching dice moved (675a.4(b)-(e), 675a.6(g), (h))."""
    most = matched(await throw(table, rules.dice, cite(thrown), flat=False))
    await table.enter(Stage.REVEALED)
    await attend(table, CallDice(most.face, most.count, most.count, cite(called)))
    await _who_plays_two(table, rules, most)
    await table.enter(Stage.SETTLING)
    return most


async def _who_plays_two(table: Table, rules: HighRollDiceRules, first: Matched) -> None:
    """Ask who has two positions where it matters: the payout limit is a player's, whatever positions he has."""
    if rules.payout_limit is None:
        return
    won = {number: _most_won(table, rules, number, first) for number in table.seats}
    above = (n for n in won if won[n] and won.get(n + 1) and won[n] + won[n + 1] > rules.payout_limit)
    pairs = tuple(above)
    if pairs:
        for lower in await attend(table, SharedSeats(pairs, rules.pays.limit_cite)):  # 675a.5(e), 675a.6(l)
            table.partners |= {lower: lower + 1, lower + 1: lower}


def _most_won(table: Table, rules: HighRollDiceRules, number: int, first: Matched) -> Money:
    """The most that wagers of one seat, whose amounts are known, can still win of what the payout limit is about."""
    won, extra = 0, [0]
    for wager in table.open_wagers(number):
        amount, kind, on = table.amount(number, wager) or Money(0), KINDS[wager], NUMBERS.get(wager, 0)
        if kind == PIP and on == first.face:
            won += rules.pays.pip[first.face].pay(amount)
        elif kind == LIKE and on == first.count and on in rules.pays.like:
            won += rules.pays.like[first.count].pay(amount)
        elif kind == LIKE and on in EXTRA and on > first.count and (number, EXTRA_ROLL, 0) in table.stakes:
            extra.append(EXTRA[on].pay(amount))
    return Money(won + max(extra))


async def _extra_roll(table: Table, first: Matched) -> None:
    """The dice that do not match are thrown once more, and what is still open is settled (675a.4(g), (h))."""
    seats = [number for number in reversed(table.seats) if (number, EXTRA_ROLL, 0) in table.stakes]
    others = table.rules.dice - first.count
    if not seats or not others:
        return
    more = (await throw(table, others, cite("675a.4(g)"), flat=False)).count(first.face)
    await table.enter(Stage.REVEALED)
    await attend(table, CallDice(first.face, first.count + more, more, cite("675a.4(h)")))
    await table.enter(Stage.SETTLING)
    for number in seats:
        still_open, total = table.open_wagers(number), first.count + more
        lost = _collected(table, number, [w for w in still_open if NUMBERS[w] != total], "675a.4(h)")
        won = [w for w in still_open if NUMBERS[w] == total]
        await settle_all([*lost, *_paid(table, number, won, EXTRA.get(total), _EXTRA_PAYS)])


# Settlement of the first roll ---------------------------------------------------------------------------------------


async def _settle_first_roll(table: Table, rules: HighRollDiceRules, number: int, first: Matched) -> None:
    """Pip Street, Like Kind Boulevard, Millionaire Row of one seat (675a.4(f)(1)-(3))."""
    pays, wagers = rules.pays, table.open_wagers(number)
    pip, like, row = ([w for w in wagers if KINDS[w] == kind] for kind in (PIP, LIKE, MILLIONAIRE_ROW))
    rows = _collected(table, number, [w for w in pip if NUMBERS[w] != first.face], "675a.4(f)(1)")
    rows += _paid(table, number, [w for w in pip if NUMBERS[w] == first.face], pays.pip[first.face], pays.pip_cite)
    hit = [w for w in like if NUMBERS[w] == first.count]
    if (number, EXTRA_ROLL, 0) in table.stakes:
        rows += _paid(table, number, hit, pays.like.get(first.count), pays.like_cite)
        rows += _collected(table, number, [w for w in like if NUMBERS[w] < first.count], "675a.4(f)(2)(ii)")
    else:
        rows += _collected(table, number, [w for w in like if NUMBERS[w] != first.count], "675a.4(f)(2)(i)")
        rows += _paid(table, number, hit, pays.like.get(first.count), pays.like_cite)
    rows += _collected(table, number, [w for w in row if NUMBERS[w] != first.count], "675a.4(f)(3)")
    rows += _paid(table, number, [w for w in row if NUMBERS[w] == first.count], MILLIONAIRE.get(first.count), _PRIZES)
    await settle_all(rows)


async def _settle_six_dice(table: Table, rules: HighRollDiceRules, number: int, first: Matched) -> None:
    """All losing wagers of one seat are collected, then the winning ones paid (675a.6(i))."""
    pays, wagers = rules.pays, table.open_wagers(number)
    won = [w for w in wagers if NUMBERS[w] == (first.face if KINDS[w] == PIP else first.count)]
    rows = _collected(table, number, [wager for wager in wagers if wager not in won], "675a.6(i)")
    rows += _paid(table, number, [w for w in won if KINDS[w] == PIP], pays.pip[first.face], pays.pip_cite)
    rows += _paid(table, number, [w for w in won if KINDS[w] == LIKE], pays.like[first.count], pays.like_cite)
    await settle_all(rows)


def _collected(table: Table, number: int, wagers: Sequence[str], clause: str) -> list[WagerSettled]:
    by = cite(clause)
    return [settled(table, number, wager, Result.LOSE, by) for wager in wagers]


def _paid(
    table: Table, number: int, wagers: Sequence[str], odds: Odds | Prize | None, clause: Cite
) -> list[WagerSettled]:
    return [settled(table, number, wager, Result.WIN, clause, odds) for wager in wagers]


# What is forbidden --------------------------------------------------------------------------------------------------


def check_table(rules: HighRollDiceRules, setup: Setup) -> Iterator[Objection]:
    """At most six seats, no shuffler, and a payout limit that is high enough."""
    if not 1 <= setup.seats <= _SEATS:
        yield Objection("seats", f"{setup.seats} betting positions, at most {_SEATS} may be", cite("675a.1(a)"))
    if setup.shuffler is not Shuffler.NONE:
        yield Objection("shuffler", "there are no cards to be shuffled", cite("675a.3(a)"))
    least = least_limit(setup, rules.won_with)
    if rules.payout_limit is not None and rules.payout_limit < least:
        message = f"{show(rules.payout_limit)} is below {show(least)}, which can be won with the minimum wager"
        yield Objection("payout_limit", message, rules.pays.limit_cite)


def check_wagers(rules: HighRollDiceRules, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """Pip Street first, then the others; one amount but for Millionaire Row; posted limits (675a.2(e), 675a.6(d))."""
    seats: dict[int, dict[str, Money | None]] = {}
    for stake in stakes:
        seats.setdefault(stake.seat, {})[stake.wager] = stake.amount
    for number, placed in sorted(seats.items()):
        for objection in _objections(rules, placed):
            yield number, objection
    if setup.minimum is not None or setup.maximum is not None:
        yield from check_limits(setup, stakes, cite("675a.2(e)(1)"), _of(PIP))
        yield from check_limits(setup, stakes, _of_like_kind(rules), _of(LIKE))


def check_players(rules: HighRollDiceRules, players: Mapping[str, Sequence[int]]) -> Iterator[Objection]:
    """A payout limit, which is a player's, is kept over two adjacent positions at the most."""
    if rules.payout_limit is None:
        return
    for player, seats in players.items():
        if len(seats) > 2 or max(seats, default=0) - min(seats, default=0) > 1:
            message = f"{player} plays {', '.join(map(str, seats))}: with a payout limit two adjacent ones at the most"
            yield Objection("players", message, rules.pays.limit_cite)


def _objections(rules: HighRollDiceRules, placed: Mapping[str, Money | None]) -> Iterator[Objection]:
    """What is wrong with the wagers of one seat, whose first one says what the others have to be."""
    layout, kinds = _LAYOUTS[rules.dice], [KINDS[wager] for wager in placed]
    if PIP not in kinds:
        first = next(iter(placed))
        yield Objection(first, f"{first} needs a pip wager", cite("675a.2(e)(1)"))
    if EXTRA_ROLL in kinds and LIKE not in kinds:
        yield Objection(EXTRA_ROLL, f"{EXTRA_ROLL} needs a like wager", cite("675a.2(e)(3)"))
    amount: Money | None = None
    for (wager, staked), kind in zip(placed.items(), kinds, strict=True):
        if wager not in layout:
            yield Objection(wager, f"no {wager} with {rules.dice} dice", _of_like_kind(rules))
        elif kind == MILLIONAIRE_ROW:
            if staked is not None and staked > _MOST_FOR_MILLIONAIRE:
                yield Objection(wager, f"{wager} above {show(_MOST_FOR_MILLIONAIRE)}", cite("675a.2(e)(4)"))
        elif amount is None:
            amount = staked
        elif staked is not None and staked != amount:
            yield Objection(wager, f"{wager} must be {show(amount)}", _of_equal_amounts(rules, kind))


def _of_like_kind(rules: HighRollDiceRules) -> Cite:
    return cite("675a.2(e)(2)" if rules.has_extra_roll else "675a.6(d)")


def _of_equal_amounts(rules: HighRollDiceRules, kind: str) -> Cite:
    if kind == PIP:
        return cite("675a.1(b)(2)(iv)" if rules.has_extra_roll else "675a.6(b)(3)")
    return _of_like_kind(rules) if kind == LIKE else cite("675a.2(e)(3)")


def _of(*kinds: str) -> tuple[str, ...]:
    """The wagers of these kinds."""
    return tuple(wager for wager in WAGERS if KINDS[wager] in kinds)


def is_on_the_layout(rules: HighRollDiceRules, wager: str) -> bool:
    """Whether there is a place for that wager."""
    return wager in _LAYOUTS[rules.dice]


_LAYOUTS: Final[Mapping[int, tuple[str, ...]]] = {
    10: tuple(wager for wager in WAGERS if wager != "like_none"),  # 675a.1(b)(2)
    6: tuple(wager for wager in WAGERS if KINDS[wager] == PIP or (KINDS[wager] == LIKE and NUMBERS[wager] <= 6)),
}
"""The wagers that have a place on the layout, with ten dice and with six (675a.6(b), (d))."""


def _unit(_rules: HighRollDiceRules, number: int, stakes: Sequence[Stake]) -> Money | None:
    """What an Extra Roll costs that seat: as much as its Like Kind Boulevard Wager (675a.2(e)(3))."""
    return next((stake.amount for stake in stakes if stake.seat == number and KINDS[stake.wager] == LIKE), None)


# Irregularities and the game ----------------------------------------------------------------------------------------


_THROWN: Final = (Stage.LOCKED, Stage.SETTLING)


def _was_thrown(_incident: Incident, table: Table) -> bool:
    """What is wrong with a throw needs one (675a.4(b), (c))."""
    return table.throws > 0


def _is_void(incident: Incident, table: Table) -> bool:
    """A die that rests on two sides of something voids the throw (675a.4(c))."""
    return _was_thrown(incident, table) and incident.sides == 2


IRREGULARITIES: Final = (
    Irregularity("die_off_table", Remedy.RETHROW, cite("675a.4(b)"), _THROWN, holds=_was_thrown),
    Irregularity("dice_stacked", Remedy.RETHROW, cite("675a.4(b)"), _THROWN, holds=_was_thrown),
    Irregularity("die_cocked", Remedy.RETHROW, cite("675a.4(c)"), _THROWN, holds=_is_void),
    Irregularity("die_cocked", Remedy.RESUME, cite("675a.4(c)"), _THROWN, holds=_was_thrown),
    Irregularity("progressive_count_mismatch", Remedy.RECORD, None, ()),  # where the Extra Rolls are counted
    Irregularity("player_left", Remedy.RECORD, cite("675a.2(c)"), BETTING_CLOSED, ("seat",)),
    Irregularity("late_wager", Remedy.RECORD, cite("675a.2(a)"), BETTING_CLOSED),
    Irregularity("wager_changed", Remedy.RECORD, cite("675a.2(a)"), BETTING_CLOSED),
    Irregularity("wrong_stake", Remedy.RECORD, cite("675a.1(b)(2)(iv)"), (Stage.OPEN,)),
    Irregularity("deck_change_due", Remedy.RECORD, None, ANY),
    Irregularity("device_lost", Remedy.RECORD, None, ANY),
    Irregularity("power_loss", Remedy.RESUME, None, ANY),
)

GAME = Game(
    id="high_roll_dice",
    chapter=CHAPTER,
    title="High Roll Dice",
    seats=_SEATS,
    seats_cite=cite("675a.1(a)"),
    hand=0,
    deck=0,
    wagers=WAGERS,
    opening=WAGERS,
    opening_cite=cite("675a.2(e)"),
    submission=HighRollDiceSubmission,
    transitions=_TRANSITIONS,
    dealing={Dealing.NONE: DealingClauses(no_more_bets=cite("675a.4(a)"))},
    deck_clocks={Dealing.NONE: (24, cite("675a.3(b)(1)"))},
    opening_clauses=None,
    shuffle_clauses=None,
    wrong_shuffler_count=None,
    irregularities=IRREGULARITIES,
    round_of_play=round_of_play,
    check_setup=check_table,
    check_wagers=check_wagers,
    check_players=check_players,
    places=("seat",),
    systems=(
        WagerSystem(
            kind=Kind.EXTRA_ROLL,
            wager=EXTRA_ROLL,
            offered=lambda rules: rules.has_extra_roll,
            cite=cite("675a.2(e)(3)"),
            lock_out={Dealing.NONE: cite("675a.4(a)")},
            unit=_unit,
            always=False,
            fee=True,
        ),
    ),
    payout_limit=PayoutLimit(_of(PIP, LIKE), lambda rules, _setup: rules.payout_limit),
    dice=DiceClauses(
        number=lambda rules: rules.dice,
        inspect=cite("675a.3(a)"),
        present=cite("675a.3(d)"),
        custody=cite("675a.3(c)"),
    ),
)
