"""What both pai gow games have alike: seven places from a starting position, hands that are set, their irregularities.

Readings where the texts leave room:

- 561.14(c), 670a.13(c): only a total that was said wrong leads there; a card that goes astray otherwise is a wrong
  number of cards sooner or later. It is the same whichever of both is noticed first, as long as cards are dealt.
- 561.14(d), 670a.13(d): the player decides as long as hands are set; all wagers of a hand that is void go back.
- 561.14(e), 670a.13(e): a card of the dealer is exposed too early up to the moment in which he has to turn his hand up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tablectl.games.common import IN_PLAY, equipment, face_up, is_the_next_card, on_record
from tablectl.procedure.game import Irregularity, Remedy
from tablectl.procedure.instructions import Incident
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Table
from tablectl.rules import Cite, Objection, cite

__all__ = ["check_adjacent", "irregularities"]

_UP_TO_THE_DECISIONS = (Stage.OPEN, Stage.LOCKED, Stage.DEALING, Stage.DECIDING)


def check_adjacent(rules: Any, players: Mapping[str, Sequence[int]], clause: Cite) -> Iterator[Objection]:
    """One player may play two adjacent positions, if that is filed as `adjacent_positions` (561.7(e), 670a.7(f))."""
    for player, seats in players.items():
        if len(seats) > 1 and not rules.adjacent_positions:
            message = f"{player} plays {len(seats)} positions, adjacent_positions is not filed"
            yield Objection("players", message, clause)
        elif len(seats) > 2 or (len(seats) == 2 and abs(seats[0] - seats[1]) != 1):
            yield Objection("players", f"{player} may play two adjacent positions at the most", clause)


def irregularities(
    chapter: str,
    section: str,
    *own: Irregularity,
    counted: Sequence[str],
    gone: Remedy,
    left: str,
    locked: str,
    stakes: str,
) -> tuple[Irregularity, ...]:
    """The irregularities of a chapter in whose `section` they stand: what is its `own` comes before those of cards.

    `counted` are the kinds of places that may have a wrong number of cards, `gone` is done to a device that is out of
    service; `left`, `locked`, `stakes` as in `common.irregularities`.
    """

    def of(letter: str) -> Cite:
        return cite(f"{chapter}.{section}({letter})")

    return (
        Irregularity("no_roll", Remedy.RETHROW, of("a"), (Stage.LOCKED,), holds=_was_thrown),  # and (b): one fell out
        Irregularity("dice_total_wrong", Remedy.VOID, of("c"), (Stage.DEALING,), holds=_first_card_went_astray),
        Irregularity("dice_total_wrong", Remedy.RECORD, of("c"), (Stage.LOCKED, Stage.DEALING)),
        Irregularity("first_card_wrong_position", Remedy.VOID, of("c"), (Stage.DEALING,), holds=_total_was_wrong),
        *own,
        Irregularity("card_exposed", Remedy.HAND_OPTION, of("d"), (Stage.DEALING, Stage.DECIDING), ("seat",)),
        Irregularity(
            "card_exposed",
            Remedy.VOID,
            of("e"),
            (Stage.DEALING, Stage.DECIDING, Stage.REVEALED),  # REVEALED is entered just before he turns his hand up
            ("dealer",),
        ),
        *face_up(of("f")),
        Irregularity("drawn_in_error", Remedy.RESUME, of("g"), _UP_TO_THE_DECISIONS, holds=is_the_next_card),
        Irregularity("wrong_card_count", Remedy.VOID, of("h"), IN_PLAY, tuple(counted)),
        Irregularity("house_way_wrong", Remedy.RESET_HAND, of("i"), (Stage.REVEALED, Stage.SETTLING)),
        *equipment(chapter, gone, section=section, letters="lmn"),
        *on_record(chapter, left=left, locked=locked, stakes=stakes),
    )


def _was_thrown(_incident: Incident, table: Table) -> bool:
    """561.14(a), (b), 670a.13(a), (b): the shaker is uncovered, or was."""
    return table.throws > 0


def _first_card_went_astray(_incident: Incident, table: Table) -> bool:
    """561.14(c), 670a.13(c) need both, whichever is noticed first."""
    return any(noticed.kind == "first_card_wrong_position" for noticed in table.noticed)


def _total_was_wrong(_incident: Incident, table: Table) -> bool:
    """561.14(c), 670a.13(c): the dice were totalled wrongly in this round."""
    return any(noticed.kind == "dice_total_wrong" for noticed in table.noticed)
