"""What the Rules Submissions of all poker games have in common: antes, structure of the betting, rake, jackpots.

Readings where the text leaves room:

- 637a.17(a)(3): the most that is taken in a round has to be filed; of an incremental rake it is the last step.
- 637a.17(b)(1), (2): rake and contributions are multiples of the smallest chip, so what is filed has to be.
- 637a.12(k)(2): an excess may not exceed $1, so that the smallest chip may not be more, in all poker games.
- The structure of the betting is not in the texts. It is filed, as `betting`: no limit, pot limit, or fixed sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictInt, Tag

from tablectl.hands.low import ACE_TO_FIVE, DEUCE_TO_SEVEN
from tablectl.money import ZERO, Money, show
from tablectl.rules import Dollars, Objection, Paytable, Submission, cite, option

__all__ = [
    "CARD_DEALT",
    "BadBeat",
    "ButtonSubmission",
    "DrawLowSubmission",
    "DrawSubmission",
    "Drop",
    "HighHandJackpot",
    "IncrementalRake",
    "OmahaSubmission",
    "PercentageRake",
    "PokerRules",
    "PokerSubmission",
    "StudSubmission",
    "TimeRake",
]

LIMIT: Final = "limit"
RIGHT_OF_DEALER: Final = "right_of_dealer"
CARD_DEALT: Final = "card_dealt"

_FIRST_BUTTON: Final = "who has the button first: the player to the right of the dealer, or by a card dealt to each"

_DOLLAR: Final = Money(1_00)
_MOST_PERCENT: Final = 10
_NONE: Final = "none"


class _Filed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PercentageRake(_Filed):
    """So many percent of each pot, up to a maximum in the round; taken as play progresses, or at its end."""

    type: Literal["percentage"] = "percentage"
    percent: StrictInt
    maximum: Dollars | None = None
    taken: Literal["end_of_round", "betting_round"] = "end_of_round"

    def objections(self, unit: Money) -> Iterator[Objection]:
        """More than 10 %, no maximum, or one that no chips can make."""
        if not 1 <= self.percent <= _MOST_PERCENT:
            yield Objection("rake.percent", f"{self.percent} % is not from 1 to {_MOST_PERCENT}", cite("637a.17(b)(1)"))
        if self.maximum is None:
            yield Objection("rake.maximum", "the most that is taken in a round has to be filed", cite("637a.17(a)(3)"))
        else:
            yield from _whole("rake.maximum", self.maximum, unit, "637a.17(a)(3)")


class IncrementalRake(_Filed):
    """So much in all as the pot has reached each of these amounts: `steps` of amount and rake, from the lowest up."""

    type: Literal["incremental"] = "incremental"
    steps: tuple[tuple[Dollars, Dollars], ...]
    maximum: Dollars | None = None

    def objections(self, unit: Money) -> Iterator[Objection]:
        """No steps, steps that do not rise, or rakes that are more than the pot or that no chips can make."""
        if not self.steps:
            yield Objection("rake.steps", "no step is filed", cite("637a.17(a)(2)"))
        for (below, less), (reached, taken) in zip(((ZERO, ZERO), *self.steps), self.steps, strict=False):
            if reached <= below or taken < less:
                message = f"{show(reached)}, {show(taken)} does not rise above {show(below)}, {show(less)}"
                yield Objection("rake.steps", message, cite("637a.17(b)(2)"))
            if taken > reached:
                message = f"{show(taken)} is more than the pot of {show(reached)}"
                yield Objection("rake.steps", message, cite("637a.17(b)(2)"))
            yield from _whole("rake.steps", taken, unit, "637a.17(b)(2)")
        if self.maximum is not None:
            yield from _whole("rake.maximum", self.maximum, unit, "637a.17(a)(3)")


class TimeRake(_Filed):
    """An hourly fee per player or per table, taken every 20 or 30 minutes; nothing comes from the pot."""

    type: Literal["time"] = "time"
    per: Literal["player", "table"] = "player"
    hourly: Dollars = Money(12_00)
    minutes: Literal[30, 20] = 30

    def objections(self, unit: Money) -> Iterator[Objection]:
        """A part of the fee that no chips can make."""
        part, rest = divmod(self.hourly * self.minutes, 60)
        if rest or part % unit:
            message = f"{show(self.hourly)} an hour cannot be taken in parts of {self.minutes} minutes"
            yield Objection("rake.hourly", message, cite("637a.17(b)(3)(iii)"))

    @property
    def part(self) -> Money:
        """What is taken each time."""
        return Money(self.hourly * self.minutes // 60)


class Drop(_Filed):
    """A contribution to a fund out of each pot that comes to the minimum."""

    drop: Dollars
    minimum_pot: Dollars

    def objections(self, key: str, unit: Money, most: str, least: str) -> Iterator[Objection]:
        """A contribution of nothing, more than the minimum pot, or that no chips can make."""
        if self.drop <= 0:
            yield Objection(f"{key}.drop", "a contribution of nothing", cite(most))
        if self.minimum_pot < self.drop:
            message = f"{show(self.minimum_pot)} is less than the contribution of {show(self.drop)}"
            yield Objection(f"{key}.minimum_pot", message, cite(least))
        yield from _whole(f"{key}.drop", self.drop, unit, most)


class BadBeat(Drop):
    """The Bad Beat payout: which losing hand qualifies, and the shares of the loser and of the winner in percent.

    The rest is shared by the others who were dealt in, of whom there have to be `minimum_players` in all; so much as
    `payout_percent` of what is displayed is paid. `discontinuation` says how contributions end or go over to another
    Bad Beat payout.
    """

    qualifying: Literal["four_of_a_kind", "full_house", "straight_flush"] = "four_of_a_kind"
    loser_percent: StrictInt = 50
    winner_percent: StrictInt = 25
    payout_percent: Annotated[StrictInt, Field(ge=1, le=100)] = 100
    minimum_players: Annotated[StrictInt, Field(ge=2)] = 2
    discontinuation: Literal["paid_out", "transferred"] = "paid_out"

    def refused(self, unit: Money) -> Iterator[Objection]:
        """What the text forbids in it, and shares that are more than all."""
        yield from self.objections("bad_beat", unit, "637a.15(b)(1)", "637a.15(b)(2)")
        shares = (self.loser_percent, self.winner_percent)
        if min(shares) < 0 or sum(shares) > 100:
            yield Objection("bad_beat", f"shares of {shares} percent are not the whole", cite("637a.15(b)(3)"))


class HighHandJackpot(Drop):
    """The High Hand Jackpot: its qualifying period, who may win it, and how long a player has to claim it."""

    period_minutes: Annotated[StrictInt, Field(ge=1)] = 60
    minimum_players: Annotated[StrictInt, Field(ge=2)] = 4
    equal_hands: Literal["divided", "first"] = "divided"
    claim_days: Annotated[StrictInt, Field(ge=1)] = 7
    unclaimed: Literal["next_period", "other_payout"] = "next_period"

    def refused(self, unit: Money) -> Iterator[Objection]:
        """What the text forbids in it."""
        return self.objections("high_hand", unit, "637a.16(b)(2)", "637a.16(b)(3)")


def _kind_of_rake(value: object) -> str:
    if value == _NONE:
        return _NONE
    return str(value.get("type", "")) if isinstance(value, Mapping) else getattr(value, "type", "")


def _none_or(value: object) -> str:
    return _NONE if value == _NONE else "filed"


FirstButton = Literal["right_of_dealer", "card_dealt"]
Rake = Annotated[
    Annotated[Literal["none"], Tag(_NONE)]
    | Annotated[PercentageRake, Tag("percentage")]
    | Annotated[IncrementalRake, Tag("incremental")]
    | Annotated[TimeRake, Tag("time")],
    Discriminator(_kind_of_rake),
]
NoneOrBadBeat = Annotated[
    Annotated[Literal["none"], Tag(_NONE)] | Annotated[BadBeat, Tag("filed")], Discriminator(_none_or)
]
NoneOrHighHand = Annotated[
    Annotated[Literal["none"], Tag(_NONE)] | Annotated[HighHandJackpot, Tag("filed")], Discriminator(_none_or)
]


@dataclass(frozen=True, slots=True)
class PokerRules:
    """What a round of poker needs of the submission; `rake` and the funds are None where none is filed.

    `straddle` is zero where it is not offered; `kill` is how many halves of the highest blind, and of all sizes of
    bets, a kill comes to, zero for none. `low` is the low that a low game plays.
    """

    unit: Money
    ante: Money
    betting: Literal["no_limit", "pot_limit", "limit"]
    bet_sizes: tuple[Money, ...]
    raises: int
    rake: PercentageRake | IncrementalRake | TimeRake | None
    bad_beat: BadBeat | None
    high_hand: HighHandJackpot | None
    disclose_discarded: bool
    blinds: tuple[Money, ...] = ()
    button_by_card: bool = False
    straddle: Money = ZERO
    forced_bet: Money = ZERO
    kill: int = 0
    kill_pot: Money = ZERO
    low: str = ACE_TO_FIVE


class PokerSubmission(Submission):
    """Everything that sections 637a.12 to 637a.18 let a certificate holder choose in each poker game."""

    ante: Dollars = option("0.00", "637a.12(b)", "the Ante of each player; 0.00: none")
    betting: Literal["no_limit", "pot_limit", "limit"] = option(
        "no_limit", None, "how much may be bet: no limit, up to the pot, or fixed sizes"
    )
    bet_sizes: tuple[Dollars, ...] = option(
        ("2.00", "4.00"), None, "with fixed sizes those of the earlier and of the later betting rounds"
    )
    raises: Annotated[StrictInt, Field(ge=1, le=100)] = option(
        3, None, "with fixed sizes the most raises of a betting round"
    )
    rake: Rake = option(_NONE, "637a.17(a)(1)", "percentage, incremental or time; none: no revenue")
    bad_beat: NoneOrBadBeat = option(_NONE, "637a.15(a)", "Bad Beat payout: its contribution and rules")
    high_hand: NoneOrHighHand = option(_NONE, "637a.16(a)", "High Hand Jackpot: its contribution and rules")
    disclose_discarded: bool = option(
        False, "637a.18(e)", "whether players who concede at the showdown have to show their cards"
    )

    def objections(self) -> Iterator[Objection]:
        """What 637a.15 to 637a.17 forbid, chips above $1, and bets that no chips can make."""
        yield from super().objections()
        unit = self.smallest_chip
        if unit > _DOLLAR:
            message = f"{show(unit)}: an excess of more than {show(_DOLLAR)} could not be divided"
            yield Objection("smallest_chip", message, cite("637a.12(k)(2)(i)"))
        yield from _whole("ante", self.ante, unit, self._ante_clause)
        if self.betting == LIMIT:
            sizes = self.bet_sizes
            if len(sizes) != 2 or not 0 < sizes[0] <= sizes[1]:
                yield Objection("bet_sizes", "two sizes, the second not below the first", cite(self._ante_clause))
            for size in sizes:
                yield from _whole("bet_sizes", size, unit, self._ante_clause)
        if not isinstance(self.rake, str):
            yield from self.rake.objections(unit)
        for fund in (self.bad_beat, self.high_hand):
            if not isinstance(fund, str):
                yield from fund.refused(unit)

    @property
    def _ante_clause(self) -> str:
        return "637a.12(b)"

    def _common(self) -> dict[str, Any]:
        """The fields of `PokerRules` that all poker games have."""
        return {
            "unit": self.smallest_chip,
            "ante": self.ante,
            "betting": self.betting,
            "bet_sizes": self.bet_sizes,
            "raises": self.raises,
            "rake": None if isinstance(self.rake, str) else self.rake,
            "bad_beat": None if isinstance(self.bad_beat, str) else self.bad_beat,
            "high_hand": None if isinstance(self.high_hand, str) else self.high_hand,
            "disclose_discarded": self.disclose_discarded,
        }

    def filed(self) -> PokerRules:
        """The submission as the round of play uses it."""
        return PokerRules(**self._common())

    @classmethod
    def paytables(cls) -> Sequence[Paytable]:
        """None: players play against each other."""
        return ()


class ButtonSubmission(PokerSubmission):
    """A game with a button and blinds (637a.12, 637a.13)."""

    blinds: tuple[Dollars, ...] = option(
        ("1.00", "2.00"), "637a.12(d)", "the Blind Bets, from the player to the left of the button on"
    )
    first_button: FirstButton = option(RIGHT_OF_DEALER, "637a.12(c)(1)", _FIRST_BUTTON)

    def objections(self) -> Iterator[Objection]:
        """No blind at all, or one of nothing."""
        yield from super().objections()
        if not self.blinds:
            yield Objection("blinds", "at least one Blind Bet begins the betting", cite(self._blind_clause))
        for blind in self.blinds:
            if blind <= 0:
                yield Objection("blinds", "a Blind Bet of nothing", cite(self._blind_clause))
            yield from _whole("blinds", blind, self.smallest_chip, self._blind_clause)

    @property
    def _blind_clause(self) -> str:
        return "637a.12(d)"

    def _common(self) -> dict[str, Any]:
        by_card = self.first_button == CARD_DEALT
        return {**super()._common(), "blinds": self.blinds, "button_by_card": by_card}


class OmahaSubmission(ButtonSubmission):
    """Omaha High and Omaha High-low Split Eight or Better (637a.12)."""

    straddle: Dollars = option("0.00", "637a.12(e)", "the Straddle Bet; 0.00: it is not offered")
    kill: Literal["none", "half_kill", "kill"] = option(_NONE, "637a.12(n)", "whether the Half-kill or Kill is used")
    kill_pot: Dollars = option("20.00", "637a.12(n)", "the least pot that qualifies for it")

    def objections(self) -> Iterator[Objection]:
        """A straddle that is no more than a blind; a kill without its pot."""
        yield from super().objections()
        yield from _whole("straddle", self.straddle, self.smallest_chip, "637a.12(e)")
        highest = max(self.blinds, default=ZERO)
        if self.straddle and self.straddle <= highest:
            message = f"{show(self.straddle)} is not above the Blind Bet of {show(highest)}"
            yield Objection("straddle", message, cite("637a.12(e)"))
        if self.kill != _NONE and not self.kill_pot:
            yield Objection("kill_pot", "the least pot that qualifies has to be filed", cite("637a.12(n)"))
        for amount in (highest, *(self.bet_sizes if self.betting == LIMIT else ())):
            if self.kill == "half_kill" and amount * 3 // 2 % self.smallest_chip:
                message = f"half as much again as {show(amount)} is no multiple of {show(self.smallest_chip)}"
                yield Objection("kill", message, cite("637a.12(n)"))

    def _common(self) -> dict[str, Any]:
        halves = {_NONE: 0, "half_kill": 3, "kill": 4}[self.kill]
        return {**super()._common(), "straddle": self.straddle, "kill": halves, "kill_pot": self.kill_pot}


class DrawSubmission(ButtonSubmission):
    """Five-card Draw High and Low (637a.13)."""

    ante: Dollars = option("0.00", "637a.13(b)", "the Ante of each player; 0.00: none")
    blinds: tuple[Dollars, ...] = option(
        ("1.00", "2.00"), "637a.13(e)", "the Blind Bets, from the player to the left of the button on"
    )
    first_button: FirstButton = option(RIGHT_OF_DEALER, "637a.13(c)(1)", _FIRST_BUTTON)

    @property
    def _ante_clause(self) -> str:
        return "637a.13(b)"

    @property
    def _blind_clause(self) -> str:
        return "637a.13(e)"


class DrawLowSubmission(DrawSubmission):
    """Five-card Draw Low: which low it plays is filed."""

    low: Literal["ace_to_five", "deuce_to_seven"] = option(
        ACE_TO_FIVE, "637a.13(i)(2)", f"the low that is played: {ACE_TO_FIVE} or {DEUCE_TO_SEVEN}"
    )

    def _common(self) -> dict[str, Any]:
        return {**super()._common(), "low": self.low}


class StudSubmission(PokerSubmission):
    """Five-card Stud (637a.14)."""

    ante: Dollars = option("0.00", "637a.14(b)", "the Ante of each player; 0.00: none")
    forced_bet: Dollars = option("1.00", "637a.14(d)", "the Forced Bet of the lowest up card")

    def objections(self) -> Iterator[Objection]:
        """A Forced Bet of nothing, or one that is more than the first size of bets."""
        yield from super().objections()
        if self.forced_bet <= 0:
            yield Objection("forced_bet", "a Forced Bet of nothing", cite("637a.14(d)"))
        if self.betting == LIMIT and self.bet_sizes and self.forced_bet > self.bet_sizes[0]:
            message = f"{show(self.forced_bet)} is more than the first size of bets of {show(self.bet_sizes[0])}"
            yield Objection("forced_bet", message, cite("637a.14(d)"))
        yield from _whole("forced_bet", self.forced_bet, self.smallest_chip, "637a.14(d)")

    @property
    def _ante_clause(self) -> str:
        return "637a.14(b)"

    def _common(self) -> dict[str, Any]:
        return {**super()._common(), "forced_bet": self.forced_bet}


def _whole(key: str, amount: Money, unit: Money, clause: str) -> Iterator[Objection]:
    if amount % unit:
        yield Objection(key, f"{show(amount)} is no multiple of the smallest chip of {show(unit)}", cite(clause))
