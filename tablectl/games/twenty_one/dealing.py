"""Cards of the twenty-one games: dealt face up one by one, the first two of everybody, and those that come astray.

Readings of x.12 (672a) and x.13 (673a), where (c)-(e), (g) and (h) are word for word the same:

- (c): a card that was drawn in error and exposed is offered from the seat that is asked on; it takes the place of the
  ordinary question. Where nobody takes it, it is the first card that the dealer draws, or goes to the rack.
- (d): the text names a dealer who has 17; it is read for every hand to which he draws no card.
- (e), (g): the others have their two cards first. The dealer deals to himself when all players are served.
- (g): a seat that got no card is dead: all its wagers go back. One with a single card is asked when all other players
  have their second one, before the dealer's second card.
"""

from __future__ import annotations

from tablectl.cards import DEALER, RACK, Card, FaceDown, Position, seat
from tablectl.games.twenty_one.play import (
    DRAWN_IN_ERROR,
    DREW_PAST_17,
    MISSED_OWN,
    MISSED_PLAYER,
    Hand,
    Missed,
    Play,
    give_back,
    leave,
    to_stage,
)
from tablectl.procedure.dealing import instead
from tablectl.procedure.instructions import Ask, Choice, Draw, Drawn, Expose, FoundFaceUp, Incident, Left, Note
from tablectl.procedure.irregularities import PLAY_ON, VOID_HAND, ask, attend, note, once
from tablectl.procedure.stages import Stage
from tablectl.records import replace
from tablectl.rules import Cite

__all__ = ["deal_two", "draw_up", "give", "rack_astray", "wants_to_play_on"]

_RESUMED = ("round_resumed",)
_DISCARDED = ("card_discarded",)
_DEAD = ("hand_dead",)


async def deal_two(play: Play) -> None:
    """Two cards for each box face up, clockwise, the dealer's first face up and his second face down (x.7(e))."""
    table = play.table
    await to_stage(table, Stage.DEALING)
    for own in (1, 2):
        for number in table.seats:
            await _first_cards(play, play.hands[number][0])
        if own == 1 and isinstance(await draw_up(play, DEALER), Missed):
            continue  # x.12(e): he goes on with the players
    await _serve_missed(play)
    await to_stage(table, Stage.DEALING)
    while not play.dealer:
        await draw_up(play, DEALER)
    while len(table.hands[DEALER]) < 2:
        card = await _next_card(play, DEALER)
        if not isinstance(card, Missed):  # nobody is left to be served before him
            table.hands[DEALER].append(card)


async def give(play: Play, hand: Hand) -> bool:
    """Deal the next card to a hand, face up; False if it was forgotten: then it comes late (x.12(h))."""
    await to_stage(play.table, Stage.DEALING)
    card = await draw_up(play, seat(hand.seat))
    if isinstance(card, Missed):
        play.late.append((hand, card))
        return False
    hand.cards.append(card)
    return True


async def draw_up(play: Play, to: Position) -> Card | Missed:
    """Deal the next card to that place, face up, unless that was forgotten."""
    table = play.table
    drawn = await _next_card(play, to)
    if isinstance(drawn, Missed):
        return drawn
    held = table.hands.setdefault(to, [])
    held.append(drawn)
    card = (await attend(table, Expose(to, len(held), (drawn,), dealt_up=True))).cards[0]
    held[-1] = FaceDown(card)
    if to is DEALER:
        play.dealer.append(card)
    return card


async def rack_astray(play: Play) -> None:
    """A card that left the shoe and that neither players nor dealer can use goes to the rack (x.12(c), (d))."""
    for kind in (DRAWN_IN_ERROR, DREW_PAST_17):
        while (said := play.take(kind)) is not None:
            await to_stage(play.table, Stage.DEALING)
            await _draw(play, RACK)
            if kind == DRAWN_IN_ERROR:
                await Note(kind, RACK, said[1].cite, _DISCARDED)


async def wants_to_play_on(play: Play, number: int, clause: Cite) -> bool:
    """Whether a player whose card was forgotten takes it all the same (x.12(g), (h)); one who leaves does not."""
    await to_stage(play.table, Stage.DECIDING)
    decision = await ask(play.table, Ask(number, (Choice(PLAY_ON), Choice(VOID_HAND)), clause))
    if isinstance(decision, Left):
        await leave(play, number)
        return False
    if decision.verb == PLAY_ON:
        await Note(MISSED_PLAYER, seat(number), clause, _RESUMED)
        return True
    return False


async def bury(play: Play, hand: Hand, clause: Cite, *wagers: str) -> None:
    """A hand is dead for a card that was forgotten: these wagers of it go back."""
    await to_stage(play.table, Stage.DECIDING)
    await Note(MISSED_PLAYER, seat(hand.seat), clause, _DEAD)
    await give_back(play, hand, clause, *wagers)


async def _first_cards(play: Play, hand: Hand) -> None:
    """One of a seat's first two cards; if it was forgotten, the next seat comes first."""
    card = await draw_up(play, seat(hand.seat))
    if not isinstance(card, Missed):
        hand.cards.append(card)


async def _serve_missed(play: Play) -> None:
    """Seats that lack one of their first two cards: asked for their option, or dead without any (x.12(g))."""
    table, clause = play.table, play.chapter.undealt
    for number in table.seats:
        hand = play.hands[number][0]
        if len(hand.cards) == 2:
            continue
        if number in table.left:
            await leave(play, number)
            continue
        if hand.cards and await wants_to_play_on(play, number, clause):
            while len(hand.cards) < 2:
                await to_stage(table, Stage.DEALING)
                await _first_cards(play, hand)
        elif not hand.over:
            await bury(play, hand, clause, *table.game.opening)


async def _next_card(play: Play, to: Position) -> FaceDown | Missed:
    """The next card for that place, which may have left before it was due; or it was forgotten."""
    missed = play.missed(to)
    if missed is not None:
        return missed
    card = await _draw(play, to)
    if isinstance(card, FaceDown) and play.early is not None:
        said = play.take(DRAWN_IN_ERROR)
        assert said is not None
        await Note(DRAWN_IN_ERROR, to, said[1].cite, _RESUMED)
    return card


async def _draw(play: Play, to: Position) -> FaceDown | Missed:
    table = play.table
    while True:
        drawn: Drawn | FoundFaceUp | Incident = await once(table, Draw(table.cards_out + 1, to))
        if type(drawn) is Drawn:
            table.cards_out += 1
            return drawn.card
        assert isinstance(drawn, FoundFaceUp | Incident)
        if isinstance(drawn, Incident) and drawn.kind in (MISSED_OWN, MISSED_PLAYER):
            if not _may_be_missed(drawn, to):
                await note(drawn, None, ())
                continue
            drawn = replace(drawn, position=to)
        await instead(table, drawn, to)
        missed = play.missed(to)
        if missed is not None:
            return missed


def _may_be_missed(incident: Incident, to: Position) -> bool:
    """Whether the card that is due there can be the one that was forgotten."""
    own = incident.kind == MISSED_OWN
    return own is (to is DEALER) and incident.position in (None, to)
