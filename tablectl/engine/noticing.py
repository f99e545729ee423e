"""What is noticed at a live table that nobody has waited for: acts that come early, and what a dealer may report.

What comes early is kept for its turn where the text allows it (a card drawn in error is the next card, x.13(b));
otherwise the panel says what to put right.
"""

from __future__ import annotations

from typing import Final

from tablectl.engine.desk import Desk
from tablectl.engine.menu import Menu
from tablectl.engine.performances.keys import words
from tablectl.engine.prompts import LINE, first_that_fits
from tablectl.equipment import CardLeft, CardScanned, WagerSpot
from tablectl.procedure import instructions as acts
from tablectl.procedure.stages import Stage, Transitions

__all__ = ["CARD_ACTS", "early_card", "open_menu", "to_tell", "too_early"]

CARD_ACTS: Final = (acts.Draw, acts.Dispense, acts.Burn)
"""Acts in which cards leave the shoe or the hand."""

_NEXT: Final = "CARD IS OUT EARLY: IT IS THE NEXT ONE"
_BACK: Final = "CARD IS NOT DUE: BACK INTO THE DECK"
_RACK: Final = "CARD IS NOT DUE: TO THE DISCARD RACK"


def early_card(desk: Desk, left: CardLeft, stage: Stage) -> str:
    """Keep a card that nobody has waited for as the next one, if another one is dealt in this round; what to say."""
    table = desk.table
    if stage is Stage.CLOSED or not table.ready:
        return _BACK
    if _deals_later(table.game.transitions, stage):
        desk.hold(left)  # where the shoe's count does not fit, the dealer says at the next card how many are out
        return _NEXT
    return _RACK


def _deals_later(transitions: Transitions, stage: Stage) -> bool:
    reached, edge = [stage], [stage]
    while edge:
        edge = [
            after
            for before in edge
            for after in transitions[before]
            if after not in (*reached, Stage.VOID, Stage.CLOSED)
        ]
        reached += edge
    return Stage.DEALING in reached


def too_early(desk: Desk, message: object, waiting: object) -> str:
    """What to say of a chip or a card that is shown when it does not count; empty if nothing is to be said."""
    match message:
        case CardScanned() if isinstance(waiting, acts.Expose | acts.ExposeVoided):
            return "CARD WAS SHOWN ALREADY"
        case CardScanned():
            return "CARD SHOWN TOO EARLY: NOT TAKEN"
        case WagerSpot(seat, wager, True) if desk.table.stage is Stage.OPEN and _is_decision(desk, wager):
            named = f"SEAT {seat}: {words(wager)}"
            return first_that_fits(f"{named} TOO EARLY, TAKE IT BACK", f"{named} EARLY, BACK")
        case _:
            return ""


def _is_decision(desk: Desk, wager: str) -> bool:
    game = desk.table.game
    return wager in game.wagers and wager not in game.opening


def to_tell(instruction: object, notice: str) -> str:
    """What the panel has to say of an act that waits for nobody, beside the notice that it shows already."""
    match instruction:
        case acts.RaiseAlarm(source, _kind, message):
            return f"{source}: {message}".upper()
        case acts.WarnDeckChange(_deck, back, minutes):
            return f"{back} DECK TO BE CHANGED IN {minutes} MIN".strip().upper()
        case acts.AnnounceHand(position, hand):
            return f"{str(position).upper()} HAS {words(hand)}"
        case acts.DeclareVoid(stands=stands):
            return f"ROUND VOID: {f'{len(stands)} STAND, RETURN THE REST' if stands else 'RETURN ALL WAGERS'}"
        case acts.PutRight(seat, _stage, message, clause) if not notice:
            # of several the first: the others are named when that is put right
            told = f"{'' if seat is None else f'SEAT {seat}: '}{words(message)}"
            return f"{told} {clause}" if len(told) + 1 + len(clause) <= LINE else told
        case _:
            return notice


def open_menu(desk: Desk, waiting: object, *, acting: bool) -> Menu:
    """The menu of the IRREGULARITY key: first what can apply now, then all other kinds that the chapter knows."""
    table = desk.table
    rules = table.game.irregularities
    kinds = list(dict.fromkeys(rule.kind for rule in rules))
    applying = [kind for kind in kinds if any(rule.kind == kind and table.stage in rule.window for rule in rules)]
    dealing = isinstance(waiting, acts.Draw | acts.Burn) and not desk.cards_are_seen
    by_hand = isinstance(waiting, acts.Dispense) and not acting
    return Menu(
        applying,
        [kind for kind in kinds if kind not in applying],
        table.game.must_name_position,
        desk.positions(),
        ask_cards_out=dealing or by_hand,
    )
