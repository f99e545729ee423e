"""The text of the signs that have to be posted at a poker table and in the poker room, from what is filed.

637a.12(b), (d), (e), (n), 637a.13(b), (e) and 637a.14(b), (d): antes, blinds, straddle, forced bet, kill.
637a.17(c): the rake. 637a.15(b), 637a.16(b): the payouts that are offered, each with what its rules must include.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from tablectl.money import show
from tablectl.rules import Cite, Paytable, Submission, cite
from tablectl.rules.poker import (
    BadBeat,
    ButtonSubmission,
    HighHandJackpot,
    IncrementalRake,
    OmahaSubmission,
    PercentageRake,
    PokerSubmission,
    StudSubmission,
    TimeRake,
)

__all__ = ["Line", "as_text", "sign"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a sign: what it is about, its text, and the clause that wants it posted, where there is one."""

    heading: str
    text: str
    cite: Cite | None


def sign(submission: Submission) -> list[Line]:
    """The sign of a table by that submission: of a poker table what 637a wants posted, else what is paid at it."""
    if isinstance(submission, PokerSubmission):
        return [*_bets(submission), *_rake(submission), *_funds(submission)]
    terms = [Line(heading, text, clause) for heading, text, clause in submission.terms()]
    return [*(line for table in submission.posted() for line in _odds(table)), *terms]


def _odds(table: Paytable) -> Iterator[Line]:
    heading = f"{table.wager}, table {table.id}".replace("_", " ")
    for row, paid in table.rows:
        yield Line(heading, f"{row.replace('_', ' ')}: {paid}", table.cite)


def _bets(filed: PokerSubmission) -> Iterator[Line]:
    options = {option.key: option.cite for option in filed.options()}
    if filed.ante:
        yield Line("bets", f"Each player places an Ante of ${show(filed.ante)}.", options["ante"])
    else:
        yield Line("bets", "No Ante is required.", options["ante"])
    if isinstance(filed, ButtonSubmission):
        amounts = ", ".join(f"${show(blind)}" for blind in filed.blinds)
        text = f"Blind Bets from the left of the button: {amounts}."
        yield Line("bets", text, options["blinds"])
    if isinstance(filed, OmahaSubmission):
        straddle = (
            f"One Straddle Bet of ${show(filed.straddle)} may be placed." if filed.straddle else "No Straddle Bet."
        )
        yield Line("bets", straddle, options["straddle"])
        if filed.kill != "none":
            name = {"kill": "Kill", "half_kill": "Half-kill"}[filed.kill]
            yield Line("bets", f"{name}: pots of ${show(filed.kill_pot)} and more qualify.", options["kill"])
    if isinstance(filed, StudSubmission):
        text = f"The lowest up card places a Forced Bet of ${show(filed.forced_bet)}."
        yield Line("bets", text, options["forced_bet"])
    yield Line("bets", _structure(filed), None)


def _structure(filed: PokerSubmission) -> str:
    if filed.betting == "limit":
        small, large = (show(size) for size in filed.bet_sizes)
        return f"Fixed limit: ${small}, later ${large}; {filed.raises} raises at the most."
    return {"no_limit": "No limit.", "pot_limit": "Pot limit."}[filed.betting]


def _rake(filed: PokerSubmission) -> Iterator[Line]:
    clause = cite("637a.17(c)")
    match filed.rake:
        case PercentageRake(percent=percent, maximum=maximum, taken=taken):
            when = "after each betting round" if taken == "betting_round" else "at the end of the round"
            most = "" if maximum is None else f", at most ${show(maximum)} a round"
            yield Line("rake", f"{percent} % of the pot and any side pots{most}, taken {when}.", clause)
        case IncrementalRake(steps=steps, maximum=maximum):
            for reached, taken_in_all in steps:
                taken_at_most = taken_in_all if maximum is None else min(taken_in_all, maximum)
                text = f"${show(taken_at_most)} in all when the pot has reached ${show(reached)}."
                yield Line("rake", text, clause)
        case TimeRake(per=per, hourly=hourly, minutes=minutes) as rake:
            text = f"${show(hourly)} an hour for each {per}: ${show(rake.part)} every {minutes} minutes."
            yield Line("rake", text, clause)
            if per == "player":
                yield Line("rake", "Players who are seated and inactive are charged, too.", cite("637a.17(b)(3)(i)"))
        case _:
            yield Line("rake", "No rake is taken.", clause)
            return
    if not isinstance(filed.rake, TimeRake):
        yield Line("rake", "An uncalled final bet is no part of the pot for the rake.", cite("637a.17(d)"))


def _funds(filed: PokerSubmission) -> Iterator[Line]:
    if isinstance(filed.bad_beat, BadBeat):
        yield from _bad_beat(filed.bad_beat)
    if isinstance(filed.high_hand, HighHandJackpot):
        yield from _high_hand(filed.high_hand)


def _bad_beat(filed: BadBeat) -> Iterator[Line]:
    heading, hand = "Bad Beat payout", filed.qualifying.replace("_", " ")
    most, least = cite("637a.15(b)(1)"), cite("637a.15(b)(2)")
    yield Line(heading, f"At most ${show(filed.drop)} is taken from each pot, after the rake.", most)
    yield Line(heading, f"Nothing is taken from a pot of less than ${show(filed.minimum_pot)}.", least)
    yield Line(heading, f"A losing hand of {hand} or better qualifies.", cite("637a.15(b)(3)"))
    rest = 100 - filed.loser_percent - filed.winner_percent
    shares = f"{filed.loser_percent} % to the losing hand, {filed.winner_percent} % to the winning hand"
    yield Line(heading, f"{shares}, {rest} % to the others who were dealt in.", cite("637a.15(b)(3)"))
    players = f"At least {filed.minimum_players} players have to be dealt in."
    yield Line(heading, players, cite("637a.15(b)(3)"))
    if filed.payout_percent < 100:
        yield Line(heading, f"{filed.payout_percent} % of the amount displayed is paid.", cite("637a.15(b)(3)"))


def _high_hand(filed: HighHandJackpot) -> Iterator[Line]:
    heading = "High Hand Jackpot payout"
    equal = {"divided": "is divided equally", "first": "goes to the one made first"}[filed.equal_hands]
    lines = (
        ("(1)", f"Collection and qualifying period: {filed.period_minutes} minutes."),
        ("(2)", f"At most ${show(filed.drop)} is taken from each pot, after the rake."),
        ("(3)", f"Nothing is taken from a pot of less than ${show(filed.minimum_pot)}."),
        ("(4)", f"At least {filed.minimum_players} players have to be dealt in."),
        ("(5)", f"Between hands of the same value the payout {equal}."),
        ("(6)", f"It has to be collected within {filed.claim_days} days; nobody needs to be present at the end."),
        ("(7)", "A valid identification has to be presented for a hand to qualify."),
    )
    for number, text in lines:
        yield Line(heading, text, cite(f"637a.16(b){number}"))


def as_text(title: str, lines: list[Line]) -> str:
    """The sign as text: the title, and the lines under their headings."""
    parts = [title.upper()]
    for heading, of_it in groupby(lines, key=lambda line: line.heading):
        parts += ["", heading.upper(), *(f"  {line.text}{f'  [{line.cite}]' if line.cite else ''}" for line in of_it)]
    return "\n".join(parts)
