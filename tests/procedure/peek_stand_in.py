"""A stand-in for the 21 games that has nothing but the hole card: it goes into the reader before a seat may stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.cards import DEALER, FaceDown
from tablectl.events import Result
from tablectl.hands.twenty_one import is_blackjack, may_give_blackjack
from tablectl.money import EVEN
from tablectl.procedure.dealing import collect_wagers, deal, no_more_bets
from tablectl.procedure.game import Game, Irregularity, Remedy
from tablectl.procedure.hole_card import check_peek, peek
from tablectl.procedure.instructions import Ask, Choice, Expose, Incident, Left
from tablectl.procedure.irregularities import ask, attend, begin_decisions
from tablectl.procedure.settlement import forfeit_all, settle
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.rules import cite
from tests.procedure.irregular_games import ANY, BLACKJACK, TWENTY_ONE


async def _round(table: Table) -> None:
    stakes = await collect_wagers(table)
    await no_more_bets(table, stakes)
    await deal(table, 2, to=(*table.players, DEALER))
    await begin_decisions(table)
    first, hole = table.hands[DEALER]
    (up,) = (await attend(table, Expose(DEALER, 1, (first,)))).cards
    table.hands[DEALER][0] = FaceDown(up)
    told = await peek(table, up, cite("672a.7(g)"))
    for number in table.clockwise(BLACKJACK) if not told else ():
        if number not in table.left:
            decision = await ask(table, Ask(number, (Choice("stand"),), cite("672a.7(h)(2)")))
            if isinstance(decision, Left):
                table.left.setdefault(number, cite("672a.6(c)"))
    await table.enter(Stage.REVEALED)
    _up, seen = (await attend(table, Expose(DEALER, 0, (table.hands[DEALER][0], hole)))).cards
    await check_peek(table, up, seen, told)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():
        if number in table.left:
            await forfeit_all(table, number)
            continue
        lost = is_blackjack((up, seen))
        result = Result.LOSE if lost else Result.WIN
        await settle(table, number, BLACKJACK, result, cite("672a.7(o)"), None if lost else EVEN)


def _low_card(_incident: Incident, table: Table) -> bool:
    up = table.hands[DEALER][0].card
    return up is not None and not may_give_blackjack(up)


PEEKING: Final[Game] = replace(
    TWENTY_ONE,
    id="stand_in_peek",
    irregularities=(
        Irregularity(
            "card_reader_misused",
            Remedy.RESUME,
            cite("672a.12(i)"),
            (Stage.DEALING, Stage.DECIDING),
            holds=_low_card,
            floor=True,
        ),
        Irregularity("card_reader_fault", Remedy.SUSPEND, cite("672a.12(j)"), ANY),
        *(rule for rule in TWENTY_ONE.irregularities if not rule.kind.startswith("card_reader")),
    ),
    round_of_play=_round,
)
