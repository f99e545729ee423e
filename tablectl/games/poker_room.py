"""The poker room, 58 Pa. Code sections 637a.12 to 637a.18: what its games have in common.

The sections before the twelfth are not in the texts. So nothing is known of how long a deck may stay; the clauses of
opening, shuffle and cut are those that speak of a complete deck and of its shuffle in 637a.18.

Readings where the text leaves room; those of the round of play are in `tablectl.procedure.poker`:

- 637a.18(a): a dispute is put before a supervisor, whose ruling is on the record; play goes on as the table is led.
- 637a.18(c): a player who colludes is a matter for a floorperson; his hand stays as it is.
- 637a.18(g), (j): up to the last card that is dealt. A misdeal gives all bets back; the next round is dealt with the
  button where it was.
- 637a.18(h): cards that an ineligible player gets in his turn are out; he gets no more once it was noticed.
- 637a.18(k): a fouled hand that can be reconstructed goes on; one that cannot be, and is protected, is refunded if its
  player is blameless, else it is dead.
- 637a.18(n), (p): a card is exposed in the dealing process until the first player has acted.
- 637a.18(o): a card that was turned up since on the board, or before its player, stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, Final

from tablectl.games.common import ANY, IN_PLAY, check_one_position, with_shuffler
from tablectl.procedure.game import (
    CutStyle,
    Dealing,
    DealingClauses,
    Game,
    Irregularity,
    OpeningClauses,
    Remedy,
    Setup,
    ShuffleClauses,
)
from tablectl.procedure.instructions import Incident
from tablectl.procedure.poker import POT, STACK, check_stacks
from tablectl.procedure.stages import BETWEEN_PLAYERS, Stage
from tablectl.procedure.table import Table
from tablectl.rules import Objection, Submission, cite

__all__ = ["CHAPTER", "exposed_in_the_deal", "irregularities", "poker_game"]

CHAPTER: Final = "637a"
_DEALT: Final = (Stage.DEALING, Stage.DECIDING)
_WHOLE_DECK: Final = cite("637a.18(i)")
_SHUFFLE: Final = cite("637a.18(g)(1)")


# Windows ------------------------------------------------------------------------------------------------------------


def _before_two_voluntary_bets(_incident: Incident, table: Table) -> bool:
    return table.bets is not None and len(table.bets.voluntary) < 2


def _left_out_in_time(incident: Incident, table: Table) -> bool:
    """It takes part in the round, so that it is eligible, and two voluntary bets have not been placed."""
    place = incident.position
    takes_part = table.bets is not None and place is not None and place.number in table.bets.seats
    return takes_part and _before_two_voluntary_bets(incident, table)


def _is_live(incident: Incident, table: Table) -> bool:
    """Whether that player is still in the round, and not alone."""
    bets, place = table.bets, incident.position
    if bets is None or place is None:
        return False
    may_win = [number for number in bets.live if number not in bets.conceded]
    return place.number in may_win and len(may_win) > 1


def _shuffler_before_the_bets(incident: Incident, table: Table) -> bool:
    """A shuffler is in use, and no blind lies on the table yet: from then on the cards are shuffled."""
    return with_shuffler(incident, table) and (table.bets is None or not table.bets.total)


def _has_a_live_hand(incident: Incident, table: Table) -> bool:
    place = incident.position
    return _is_live(incident, table) and place is not None and bool(table.hands.get(place))


def _takes_no_part(incident: Incident, table: Table) -> bool:
    bets, place = table.bets, incident.position
    return bets is not None and place is not None and place.number not in bets.seats and bool(table.hands)


def _is_not_turned_up(incident: Incident, table: Table) -> bool:
    """The card has not been turned up among those on the table: it may be one that was dealt off it."""
    return not table.shown.lies_up(incident.position)


def exposed_in_the_deal(incident: Incident, table: Table) -> bool:
    """A player's card was turned up while cards were dealt to the hands: nobody has acted since.

    Where nobody can act, as all are all in, the first betting round is over as soon as it has begun.
    """
    bets, place = table.bets, incident.position
    if bets is None or place is None or place.number not in bets.live or not table.hands.get(place):
        return False
    return bets.number < 0 or (bets.number == 0 and bets.acts == 0 and bool(bets.queue))


def _fouled(protects: Callable[[Incident], bool]) -> tuple[Irregularity, ...]:
    """637a.18(k), (1)-(3): `protects` says whether the hand counts as protected."""

    def reconstructed(incident: Incident, table: Table) -> bool:
        return protects(incident) and incident.reconstructed and _has_a_live_hand(incident, table)

    def refunded(incident: Incident, table: Table) -> bool:
        return protects(incident) and incident.blameless and _has_a_live_hand(incident, table)

    window, place = IN_PLAY[:3], ("seat",)
    dead = ("hand_dead",)
    return (
        Irregularity("fouled_hand", Remedy.RESUME, cite("637a.18(k)(2)"), window, place, holds=reconstructed),
        Irregularity(
            "fouled_hand",
            Remedy.BY_THE_GAME,
            cite("637a.18(k)(3)"),
            window,
            place,
            holds=refunded,
            named=(*dead, "pot_refunded"),
        ),
        Irregularity(
            "fouled_hand", Remedy.BY_THE_GAME, cite("637a.18(k)"), window, place, holds=_has_a_live_hand, named=dead
        ),
    )


def irregularities(*own: Irregularity, hole_cards_protected: bool = False) -> tuple[Irregularity, ...]:
    """The irregularities of 637a.18(g) to (r), with a game's own ones; in stud hole cards count as protected."""
    return (
        Irregularity("not_shuffled", Remedy.VOID, _SHUFFLE, _DEALT),
        Irregularity(
            "wrong_start", Remedy.VOID, cite("637a.18(g)(2)"), _DEALT, ("seat",), holds=_before_two_voluntary_bets
        ),
        Irregularity("wrong_start", Remedy.BY_THE_GAME, None, _DEALT, ("seat",), named=()),  # as it was dealt
        Irregularity(
            "player_not_dealt", Remedy.VOID, cite("637a.18(g)(4)"), _DEALT, ("seat",), holds=_left_out_in_time
        ),
        Irregularity("card_face_up", Remedy.DISCARD, cite("637a.18(j)"), _DEALT, once=True),
        Irregularity("card_face_up", Remedy.VOID, cite("637a.18(g)(3)"), _DEALT),
        Irregularity(
            "ineligible_player_dealt",
            Remedy.BY_THE_GAME,
            cite("637a.18(h)"),
            IN_PLAY,
            ("seat",),
            holds=_takes_no_part,
            named=("card_discarded",),
        ),
        Irregularity("missing_cards", Remedy.REPLACE_DECK, _WHOLE_DECK, IN_PLAY),
        Irregularity("extra_cards", Remedy.REPLACE_DECK, _WHOLE_DECK, IN_PLAY),
        *_fouled(lambda incident: hole_cards_protected or incident.protected),
        Irregularity(
            "player_left",
            Remedy.BY_THE_GAME,
            cite("637a.18(k)(4)"),
            IN_PLAY[:3],
            ("seat",),
            holds=_is_live,
            named=("hand_dead",),
        ),
        Irregularity(
            "card_off_table",
            Remedy.BY_THE_GAME,
            cite("637a.18(o)"),
            _DEALT,
            holds=_is_not_turned_up,
            named=("card_discarded",),
        ),
        *own,
        *(
            Irregularity(kind, Remedy.RESHUFFLE, cite("637a.18(q)"), (Stage.OPEN,), holds=_shuffler_before_the_bets)
            for kind in ("shuffler_jam", "shuffle_incomplete")
        ),
        Irregularity(
            "shuffler_out_of_service",
            Remedy.COVER_DEVICE,
            cite("637a.18(r)"),
            (Stage.OPEN,),
            holds=_shuffler_before_the_bets,
        ),
        Irregularity("collusion", Remedy.RECORD, cite("637a.18(c)"), IN_PLAY, floor=True),
        Irregularity("dispute", Remedy.RECORD, cite("637a.18(a)"), IN_PLAY, floor=True),
        Irregularity("card_exposed", Remedy.RECORD, None, IN_PLAY),
        Irregularity("deck_count", Remedy.RECORD, None, ()),
        Irregularity("identity_conflict", Remedy.RECORD, None, ANY),
        Irregularity("deck_change_due", Remedy.RECORD, None, ANY),
        Irregularity("device_lost", Remedy.RECORD, None, ANY),
        Irregularity("power_loss", Remedy.RESUME, None, ANY),
    )


# The games ----------------------------------------------------------------------------------------------------------


def _check_setup(most: int, clause: str) -> Callable[[Any, Setup], Iterator[Objection]]:
    def check(_rules: Any, setup: Setup) -> Iterator[Objection]:
        if not 2 <= setup.seats <= most:
            yield Objection("seats", f"{setup.seats} seats, from 2 to {most} may be", cite(clause))

    return check


def poker_game(
    game: str,
    title: str,
    section: str,
    seats: int,
    hand: int,
    submission: type[Submission],
    deal: str,
    round_of_play: Callable[[Table], Coroutine[Any, Any, None]],
    irregular: Sequence[Irregularity],
) -> Game:
    """A game of the poker room: `section` is its own, in which (b) limits the players and `deal` speaks of the deal."""
    clause = f"{CHAPTER}.{section}(b)"
    dealt = cite(f"{CHAPTER}.{section}({deal})")
    dealing: Mapping[Dealing, DealingClauses] = {
        Dealing.MANUAL_SHOE: DealingClauses(dealt, dealt),
        Dealing.FROM_HAND: DealingClauses(dealt, dealt),
    }
    return Game(
        id=game,
        chapter=CHAPTER,
        title=title,
        seats=seats,
        seats_cite=cite(clause),
        hand=hand,
        deck=52,
        wagers=(STACK, POT),
        opening=(STACK,),
        opening_cite=cite(clause),
        submission=submission,
        transitions=BETWEEN_PLAYERS,
        dealing=dealing,
        deck_clocks={},
        opening_clauses=OpeningClauses(
            one_deck=_WHOLE_DECK,
            two_decks=_WHOLE_DECK,
            inspect=_WHOLE_DECK,
            verify=_WHOLE_DECK,
            spread=_WHOLE_DECK,
            wash=_SHUFFLE,
            apart=_WHOLE_DECK,
        ),
        shuffle_clauses=ShuffleClauses(
            shuffle=_SHUFFLE,
            cut=_SHUFFLE,
            style=CutStyle.ONE_HAND,
            recut=_SHUFFLE,
            idle=_SHUFFLE,
            ordered=_SHUFFLE,
        ),
        wrong_shuffler_count=_WHOLE_DECK,
        irregularities=tuple(irregular),
        round_of_play=round_of_play,
        check_setup=_check_setup(seats, clause),
        check_wagers=check_stacks(cite(clause)),
        check_players=check_one_position(clause),
        places=("seat", "community"),
        pots=True,
    )
