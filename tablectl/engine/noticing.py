"""What is noticed at a live table that nobody has waited for: acts that come early, and what a dealer may report.

What comes early is kept for its turn where the text allows it (a card drawn in error is the next card, x.13(b));
otherwise the panel says what to put right.
"""

from __future__ import annotations

from typing import Final

from tablectl.cards import DEALER, seat
from tablectl.engine.desk import Desk
from tablectl.engine.menu import Menu
from tablectl.engine.performances.keys import words
from tablectl.engine.prompts import LINE, first_that_fits
from tablectl.equipment import CardLeft, CardPresent, CardScanned, LateWager, WagerSpot
from tablectl.hands.twenty_one import may_give_blackjack
from tablectl.money import show
from tablectl.procedure import instructions as acts
from tablectl.procedure.hole_card import READER_MISUSED
from tablectl.procedure.jackpots import BAD_BEAT
from tablectl.procedure.stages import Stage, Transitions

__all__ = ["CARD_ACTS", "early_card", "open_menu", "to_tell", "told_unasked", "too_early"]

CARD_ACTS: Final = (acts.Draw, acts.DealAround, acts.Dispense, acts.Burn)
"""Acts in which cards leave the shoe or the hand."""

_SHOWN: Final = (acts.Expose, acts.ExposeVoided, acts.TurnUpHands, acts.TurnFaceUp, acts.Show)
"""Acts in which cards are turned up."""

_DROP: Final = "DROP"
_NEXT: Final = "CARD IS OUT EARLY: IT IS THE NEXT ONE"
_BACK: Final = "CARD IS NOT DUE: BACK INTO THE DECK"
_RACK: Final = "CARD IS NOT DUE: TO THE DISCARD RACK"
_NOT_NOW: Final = "HOLE CARD IS NOT TO BE READ: TAKE IT OUT"


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
        case CardScanned() if isinstance(waiting, _SHOWN):
            return "CARD WAS SHOWN ALREADY"
        case CardScanned():
            return "CARD SHOWN TOO EARLY: NOT TAKEN"
        case WagerSpot(seat, wager, True) if desk.table.stage is Stage.OPEN and _is_decision(desk, wager):
            named = f"SEAT {seat}: {words(wager)}"
            return first_that_fits(f"{named} TOO EARLY, TAKE IT BACK", f"{named} EARLY, BACK")
        case _:
            return ""


def told_unasked(desk: Desk, message: object) -> acts.Incident | None:
    """The irregularity that a device tells of by itself, or None.

    A chip came to a system that had locked its wagers out; or the hole card is in the card reader when it is not to be:
    that is named on the panel, too.
    """
    match message:
        case LateWager(number) if number in desk.late:
            return None  # a sensor that bounces tells it again and again
        case LateWager(number):
            desk.late.append(number)
            return acts.Incident("late_wager", seat(number))
        case CardPresent(True) if _hole_card_is_down(desk):
            desk.notice = _NOT_NOW
            up = desk.table.hands[DEALER][0].card
            early = up is not None and may_give_blackjack(up)  # 672a.12(i), 673a.13(i): all others are misuse
            return None if early else acts.Incident(READER_MISUSED, DEALER)
        case CardPresent(False) if desk.notice == _NOT_NOW:
            desk.notice = ""
            return None
        case _:
            return None


def _hole_card_is_down(desk: Desk) -> bool:
    dealt = len(desk.table.hands.get(DEALER, ())) > 1
    return dealt and desk.table.stage in (Stage.DEALING, Stage.DECIDING)


def _is_decision(desk: Desk, wager: str) -> bool:
    game = desk.table.game
    return wager in game.wagers and wager not in game.opening


def to_tell(instruction: object, notice: str) -> str:
    """What the panel has to say of an act that waits for nobody, beside the notice that it shows already."""
    match instruction:
        case acts.RaiseAlarm(source, _kind, message):
            return f"{source}: {message}".upper()
        case acts.WarnDeckChange(deck, back, minutes):
            return f"{f'{back} deck' if back else deck} TO BE CHANGED IN {minutes} MIN".upper()
        case acts.AnnounceHand(position, hand):
            return f"{str(position).upper()} HAS {words(hand)}"
        case acts.AnnounceResult(seat, result):
            return f"SEAT {seat}: {words('tie' if result == 'push' else result)}"
        case acts.GiveButton(seat):
            return f"SEAT {seat} HAS THE BUTTON"
        case acts.DropRake(amount):
            return f"{_DROP} RAKE {show(amount)}"
        case acts.BookJackpot(jackpot, "drop", amount):
            before = notice if notice.startswith(_DROP) else _DROP
            short = "BB" if jackpot == BAD_BEAT else "HH"
            return first_that_fits(f"{before} {words(jackpot)} {show(amount)}", f"{before} {short} {show(amount)}")
        case acts.CoverShaker():
            return notice or "COVER SHAKER, SHAKE ONCE, TO THE RIGHT"
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
    dealing = isinstance(waiting, acts.Draw | acts.DealAround | acts.Burn) and not desk.cards_are_seen
    by_hand = isinstance(waiting, acts.Dispense) and not acting
    return Menu(
        applying,
        [kind for kind in kinds if kind not in applying],
        table.game.must_name_position,
        desk.positions(),
        [method.value for method in table.game.dealing],
        ask_cards_out=dealing or by_hand,
    )
