"""Three Card Poker, 58 Pa. Code Chapter 565.

Readings where the text leaves room:

- 565.11(b), (c): in the standard version a player who folds keeps the Pair Plus Wager in play, with the cards under it
  (`pair_plus_after_fold`); the 565.7(f) versions always forfeit it.
- 565.11(d)(1)-(3): reveal, collect, pay is done seat by seat.
- 565.7(a)(2): a player with Pair Plus alone is not asked, and is settled with the rest.
- 565.12(a): below queen-high the Ante is paid to everybody still in, whoever holds the better hand.
- 565.13(c), (d): "all wagers" are all that were bet in the round, forfeited ones in the tray too.
- 565.7(c): a player who leaves forfeits what is still open; the dealer collects it with the forfeits or at that
  seat's turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tablectl.cards import DEALER, Card, seat
from tablectl.events import Result
from tablectl.hands.three import ThreeCard, ThreeCardRank, rank3
from tablectl.money import EVEN, Odds, show
from tablectl.procedure.dealing import collect_wagers, deal, no_more_bets, retire_stub
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
    Shuffler,
)
from tablectl.procedure.instructions import Ask, Choice, Expose, Incident, Left, PlaceWager, Stake
from tablectl.procedure.irregularities import ask, attend
from tablectl.procedure.settlement import LOSERS_FIRST, award, settle
from tablectl.procedure.stages import ONE_DECISION, Stage
from tablectl.procedure.table import Table
from tablectl.rules import Objection, cite
from tablectl.rules.three_card_poker import VERSION_CLAUSES, ThreeCardPokerRules, ThreeCardPokerSubmission

__all__ = ["GAME"]

ANTE, PLAY, PAIR_PLUS, ANTE_BONUS = "ante", "play", "pair_plus", "ante_bonus"
WAGERS = (ANTE, PLAY, PAIR_PLUS, ANTE_BONUS)
BET, FOLD = "bet", "fold"

_QUEEN_HIGH = ThreeCardRank(ThreeCard.HIGH_CARD, (12,))
_MINI_ROYAL = ThreeCardRank(ThreeCard.STRAIGHT_FLUSH, (14,))
_RATIO = 5  # 565.7(f)(3)


async def round_of_play(table: Table) -> None:
    """565.7 to 565.11, in the order of the text."""
    stakes = await collect_wagers(table)  # 565.7(d)
    await no_more_bets(table, stakes)  # 565.8(b), 565.9(a)(3), 565.10(a)(2)
    await deal(table, 3, to=(*table.players, DEALER))  # 565.8(d), 565.9(b), 565.10(b)
    await retire_stub(table)  # 565.8(e)-(h), 565.9(c)-(f), 565.10(c)-(f)
    folded = await offer_play(table)  # 565.11(b)
    await collect_forfeits(table, folded)  # 565.11(c)
    dealer = await reveal_dealer(table)  # 565.11(c)
    await table.enter(Stage.SETTLING)
    for number in table.counterclockwise():  # 565.11(d)
        await settle_seat(table, number, dealer)


async def offer_play(table: Table) -> list[int]:
    """Each player with an Ante plays or forfeits, clockwise (565.11(b)); returns the seats that forfeit."""
    await table.enter(Stage.DECIDING)
    folded: list[int] = []
    for number in table.clockwise(with_wager=ANTE):
        if number in table.left:
            continue
        ante = table.amount(number, ANTE)
        decision = await ask(table, Ask(number, (Choice(BET, PLAY, ante), Choice(FOLD)), cite("565.11(b)")))
        if isinstance(decision, Left):
            if number not in table.left:
                table.left.append(number)  # 565.7(c)
        elif decision.verb == BET:
            play = Stake(number, PLAY, ante)
            await PlaceWager(play)
            table.stakes[number, PLAY, 0] = play
        else:
            folded.append(number)
    return folded


async def collect_forfeits(table: Table, folded: Sequence[int]) -> None:
    """Forfeited wagers are collected together, clockwise, before the dealer reveals (565.11(c))."""
    for number in table.seats:
        if number in folded:
            await settle(table, number, ANTE, Result.FORFEITED, cite("565.11(c)"))
            if table.open(number, PAIR_PLUS) and table.rules.fold_forfeits_pair_plus:  # 565.11(b)
                await settle(table, number, PAIR_PLUS, Result.FORFEITED, cite("565.11(c)"))
        if number in table.left:
            await forfeit_all(table, number)


async def forfeit_all(table: Table, number: int) -> None:
    """What an absent player left on the layout is treated as lost (565.7(c))."""
    for wager in table.open_wagers(number):
        await settle(table, number, wager, Result.FORFEITED, cite("565.7(c)"))


async def reveal_dealer(table: Table) -> ThreeCardRank:
    """The dealer turns his own cards up (565.11(c))."""
    await table.enter(Stage.REVEALED)
    exposed = await attend(table, Expose(DEALER, 0, tuple(table.hands[DEALER])))
    return rank3(exposed.cards)


async def settle_seat(table: Table, number: int, dealer: ThreeCardRank) -> None:
    """Reveal one player's hand, collect what lost, give back, pay what won (565.11(d)(1)-(3))."""
    place = seat(number)
    cards = (await attend(table, Expose(place, 0, tuple(table.hands[place])))).cards
    if number in table.left:
        await forfeit_all(table, number)
        return
    rules: ThreeCardPokerRules = table.rules
    hand = rank3(cards)
    settlements: list[tuple[str, Result, str, Odds | None]] = []
    if table.open(number, PLAY):
        settlements += against_dealer(hand, dealer)
    if table.open(number, PAIR_PLUS):
        odds = row_paid(rules.pair_plus, hand, cards)
        if odds is None:
            settlements.append((PAIR_PLUS, Result.LOSE, "565.11(d)(2)", None))
        else:
            settlements.append((PAIR_PLUS, Result.WIN, "565.12(d)", odds))
    played = table.open(number, PLAY)
    for wager, result, clause, odds in sorted(settlements, key=lambda settlement: LOSERS_FIRST[settlement[1]]):
        await settle(table, number, wager, result, cite(clause), odds)
    bonus = row_paid(rules.ante_bonus, hand, cards) if played else None
    if bonus is not None:
        await award(table, number, ANTE_BONUS, ANTE, bonus, rules.ante_bonus_cite)  # 565.12(e), (f)


def against_dealer(hand: ThreeCardRank, dealer: ThreeCardRank) -> list[tuple[str, Result, str, Odds | None]]:
    """How Ante and Play fare against the dealer's hand (565.12(a)-(c))."""
    if dealer < _QUEEN_HIGH:
        return [(ANTE, Result.WIN, "565.12(a)", EVEN), (PLAY, Result.RETURNED, "565.12(a)", None)]
    if hand > dealer:
        return [(ANTE, Result.WIN, "565.12(b)", EVEN), (PLAY, Result.WIN, "565.12(b)", EVEN)]
    if hand == dealer:
        return [(ANTE, Result.PUSH, "565.12(c)", None), (PLAY, Result.PUSH, "565.12(c)", None)]
    return [(ANTE, Result.LOSE, "565.11(d)(2)", None), (PLAY, Result.LOSE, "565.11(d)(2)", None)]


_ROWS: Mapping[ThreeCard, str] = {
    ThreeCard.STRAIGHT_FLUSH: "straight_flush",
    ThreeCard.THREE_OF_A_KIND: "three_of_a_kind",
    ThreeCard.STRAIGHT: "straight",
    ThreeCard.FLUSH: "flush",
    ThreeCard.PAIR: "pair",
}


def row_paid(table: Mapping[str, Odds], hand: ThreeCardRank, cards: Sequence[Card]) -> Odds | None:
    """The odds that a paytable gives this hand: its highest row that the hand fills, None if there is none."""
    if hand == _MINI_ROYAL:
        if cards[0].suit == "s" and "mini_royal_spades" in table:
            return table["mini_royal_spades"]
        if "mini_royal" in table:
            return table["mini_royal"]
    row = _ROWS.get(hand.category)
    return None if row is None else table.get(row)


def check_setup(rules: ThreeCardPokerRules, setup: Setup) -> Iterator[Objection]:
    """What chapter 565 forbids in a table's set-up."""
    if not 1 <= setup.seats <= GAME.seats:
        yield Objection("seats", f"{setup.seats} betting positions, at most {GAME.seats} may be", cite("565.2(a)"))
    if setup.dealing is Dealing.FROM_HAND and setup.shuffler is Shuffler.NONE:
        yield Objection("dealing", "dealing from the hand needs an automated shuffler", cite("565.9(a)(1)"))


def check_wagers(rules: ThreeCardPokerRules, setup: Setup, stakes: Sequence[Stake]) -> Iterator[tuple[int, Objection]]:
    """What 565.7 and the filed version forbid in the wagers placed; limits and ratios need known amounts."""
    placed = {(stake.seat, stake.wager): stake for stake in stakes}
    for stake in stakes:
        if stake.amount is None:
            continue
        clause = cite("565.7(a)(1)") if stake.wager == ANTE else cite("565.7(a)(2)")
        if setup.minimum is not None and stake.amount < setup.minimum:
            yield (
                stake.seat,
                Objection(stake.wager, f"{stake.wager} below minimum {show(setup.minimum)}", clause),
            )
        if setup.maximum is not None and stake.amount > setup.maximum:
            yield (
                stake.seat,
                Objection(stake.wager, f"{stake.wager} above maximum {show(setup.maximum)}", clause),
            )
    if rules.version == "standard":
        return
    clause = VERSION_CLAUSES[rules.version]
    for number in sorted(dict.fromkeys(stake.seat for stake in stakes)):
        message = _version_objection(rules, placed.get((number, ANTE)), placed.get((number, PAIR_PLUS)))
        if message is not None:
            yield number, Objection(PAIR_PLUS, message, clause)


def _version_objection(rules: ThreeCardPokerRules, ante: Stake | None, pair_plus: Stake | None) -> str | None:
    """Why one seat's wagers do not fit a 565.7(f) version, or None."""
    if ante is None:
        return "pair_plus needs an ante"
    if pair_plus is None:
        return "ante and pair_plus are needed" if rules.version == "both_required" else None
    if ante.amount is None or pair_plus.amount is None:
        return None
    match rules.version:
        case "pair_plus_needs_equal_ante" if ante.amount < pair_plus.amount:
            return "ante below pair_plus"
        case "pair_plus_needs_half_ante" if 2 * ante.amount < pair_plus.amount:
            return "ante below half of pair_plus"
        case "both_required" if max(ante.amount, pair_plus.amount) > _RATIO * min(ante.amount, pair_plus.amount):
            return f"over {_RATIO} times the other wager"
        case _:
            return None


def check_players(rules: ThreeCardPokerRules, players: Mapping[str, Sequence[int]]) -> Iterator[Objection]:
    """One player may play two adjacent positions, if that is filed (565.7(e))."""
    for player, seats in players.items():
        if len(seats) > 1 and not rules.adjacent_positions:
            yield Objection(
                "players", f"{player} plays {len(seats)} positions, adjacent_positions is not filed", _ADJACENT
            )
        elif len(seats) > 2 or (len(seats) == 2 and abs(seats[0] - seats[1]) != 1):
            yield Objection("players", f"{player} may play two adjacent positions at the most", _ADJACENT)


_ADJACENT = cite("565.7(e)")
_PLAY_STAGES = (Stage.DEALING, Stage.DECIDING, Stage.REVEALED, Stage.SETTLING)
_BETTING_CLOSED = (Stage.LOCKED, *_PLAY_STAGES)
_ANY = tuple(Stage)


def _with_shuffler(_incident: Incident, table: Table) -> bool:
    """565.13(e), (g) are about a shuffling device that is in use."""
    return table.shuffler is not Shuffler.NONE


def _with_automated_shoe(_incident: Incident, table: Table) -> bool:
    """565.13(f), (g) are about an automated dealing shoe that is in use."""
    return table.dealing is Dealing.AUTOMATED_SHOE


IRREGULARITIES = (
    Irregularity("card_face_up", Remedy.DISCARD, cite("565.13(a)"), (Stage.DEALING,)),
    Irregularity(
        "drawn_in_error",
        Remedy.RESUME,
        cite("565.13(b)"),
        (Stage.DEALING,),
        holds=lambda incident, _table: not incident.exposed,
    ),
    Irregularity("wrong_card_count", Remedy.VOID, cite("565.13(c)"), _PLAY_STAGES, ("dealer", "seat")),
    Irregularity(
        "card_exposed",
        Remedy.VOID,
        cite("565.13(d)"),
        (Stage.DEALING, Stage.DECIDING, Stage.REVEALED),  # REVEALED is entered just before the dealer's own reveal
        ("dealer",),
    ),
    Irregularity("shuffler_jam", Remedy.RESHUFFLE, cite("565.13(e)"), (Stage.OPEN,), holds=_with_shuffler),
    Irregularity("shuffle_incomplete", Remedy.RESHUFFLE, cite("565.13(e)"), (Stage.OPEN,), holds=_with_shuffler),
    Irregularity(
        "shoe_jam",
        Remedy.VOID,
        cite("565.13(f)"),
        (Stage.DEALING,),
        holds=_with_automated_shoe,
    ),
    Irregularity(
        "shuffler_out_of_service", Remedy.REMOVE_DEVICE, cite("565.13(g)"), (Stage.OPEN,), holds=_with_shuffler
    ),
    Irregularity(
        "shoe_out_of_service", Remedy.REMOVE_DEVICE, cite("565.13(g)"), (Stage.OPEN,), holds=_with_automated_shoe
    ),
    Irregularity("deck_count", Remedy.RECORD, None, ()),  # 565.8(h), 565.9(f), 565.10(f): where the stub is counted
    Irregularity("player_left", Remedy.FORFEIT, cite("565.7(c)"), _BETTING_CLOSED, ("seat",)),
    Irregularity("late_wager", Remedy.RECORD, cite("565.7(d)"), _BETTING_CLOSED),
    Irregularity("wager_changed", Remedy.RECORD, cite("565.7(d)"), _BETTING_CLOSED),
    Irregularity("wrong_stake", Remedy.RECORD, cite("565.7(a)(1)"), (Stage.OPEN, Stage.DECIDING)),
    Irregularity("identity_conflict", Remedy.RECORD, None, _ANY),
    Irregularity("deck_change_due", Remedy.RECORD, None, _ANY),
    Irregularity("device_lost", Remedy.RECORD, None, _ANY),
    Irregularity("power_loss", Remedy.RESUME, None, _ANY),
)

GAME = Game(
    id="three_card_poker",
    chapter="565",
    title="Three Card Poker",
    seats=7,
    seats_cite=cite("565.2(a)"),
    hand=3,
    deck=52,
    wagers=WAGERS,
    opening=(ANTE, PAIR_PLUS),
    opening_cite=cite("565.7(a)"),
    submission=ThreeCardPokerSubmission,
    transitions=ONE_DECISION,
    dealing={
        Dealing.MANUAL_SHOE: DealingClauses(
            cite("565.8(b)"),
            cite("565.8(d)"),
            cite("565.8(e)"),
            cite("565.8(f)"),
            cite("565.8(g)"),
            cite("565.8(h)"),
        ),
        Dealing.FROM_HAND: DealingClauses(
            cite("565.9(a)(3)"),
            cite("565.9(b)"),
            cite("565.9(c)"),
            cite("565.9(d)"),
            cite("565.9(e)"),
            cite("565.9(f)"),
        ),
        Dealing.AUTOMATED_SHOE: DealingClauses(
            cite("565.10(a)(2)"),
            cite("565.10(b)"),
            cite("565.10(c)"),
            cite("565.10(d)"),
            cite("565.10(e)"),
            cite("565.10(f)"),
        ),
    },
    deck_clocks={
        Dealing.MANUAL_SHOE: (8, cite("565.3(c)(2)")),
        Dealing.FROM_HAND: (4, cite("565.3(c)(1)")),
        Dealing.AUTOMATED_SHOE: (8, cite("565.3(c)(2)")),
    },
    opening_clauses=OpeningClauses(
        one_deck=cite("565.3(a)"),
        two_decks=cite("565.3(b)"),
        inspect=cite("565.4(a)"),
        verify=cite("565.4(b)"),
        spread=cite("565.4(b)"),
        wash=cite("565.4(c)"),
        apart=cite("565.4(d)"),
    ),
    shuffle_clauses=ShuffleClauses(
        shuffle=cite("565.5(a)"),
        cut=cite("565.5(d)"),
        style=CutStyle.ONE_HAND,
        recut=cite("565.5(e)"),
        idle=cite("565.5(f)"),
    ),
    wrong_shuffler_count=cite("565.5(b)"),
    irregularities=IRREGULARITIES,
    round_of_play=round_of_play,
    check_setup=check_setup,
    check_wagers=check_wagers,
    check_players=check_players,
)
