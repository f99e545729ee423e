"""A table with both jackpots and a time charge, fed with everything: no cent is lost on any way through a round."""

from __future__ import annotations

from collections import Counter

from tablectl import events as e
from tablectl.cards import FaceDown, card, deck, seat
from tablectl.engine.drive import Interrupted
from tablectl.events import Outcome
from tablectl.games import game
from tablectl.money import Money
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Dealing, Setup, Shuffler
from tablectl.procedure.jackpot_fold import room_after
from tablectl.procedure.jackpots import Books, Jackpot, Owed, RoomState, Slip
from tablectl.procedure.table import DeckState, Table, TableState
from tests.games.house import DROP, FINANCE, FLOOR, QUADS_LOSE, SECURITY, SUPERVISOR
from tests.procedure.explorer import Path, explore, interrupted

GAME = game("omaha_high")
FILED = {
    "bad_beat": DROP,
    "high_hand": {**DROP, "minimum_players": 3},
    "rake": {"type": "time", "hourly": "12.00", "minutes": 30},
}
NOW = 1_000_000
LISTED = [card(name) for name in QUADS_LOSE.split()]
CARDS = [*LISTED, *(other for other in deck() if other not in LISTED)]
STAKES = tuple(acts.Stake(number, "stack", Money(50_00)) for number in (1, 2, 3))
ORDERS = (
    acts.Order("bad_beat_box", FLOOR),
    acts.Order("bad_beat_counted", FLOOR, number=2_00),
    acts.Order("bad_beat_display", FLOOR, number=400_00),
    acts.Order("bad_beat_paid", FLOOR),
    acts.Order("bad_beat_end", FLOOR),
    acts.Order("high_hand_counted", FLOOR, number=3_00),
    acts.Order("high_hand_unclaimed", FLOOR),
)
NOTICED = [
    Interrupted(acts.Incident("missing_cards")),
    Interrupted(acts.Incident("dispute")),
    Interrupted(acts.Incident("player_left", seat(3))),
]


def table() -> Table:
    """The period is over, time is due, and money is everywhere."""
    slip = Slip("1-3-2", 2, "full_house 9 2", 0, "1001", FLOOR)
    fund = Books().dropped(Money(7_00)).box_sent(None).counted(Money(6_50)).maintained(Money(900_00))
    owed = (Owed("3-1", 1, "loser", Money(40_00), NOW), Owed("3-2", 2, "winner", Money(25_00), NOW))
    fund = fund.awarded(Money(65_00))
    bad_beat = Jackpot(
        books=fund.dropped(Money(1_50)).box_sent(None).dropped(Money(2_00)), owed=owed, display=Money(900_00)
    )
    high_hand = Jackpot(
        books=Books().dropped(Money(1_00)).box_sent(None).dropped(Money(3_00)),
        display=Money(50_00),
        period=1,
        began=NOW - 3600,
        slips=(slip,),
    )
    state = TableState(
        round=7,
        decks=(DeckState("deck-1", "red", 0),),
        deck_number=1,
        rounds_since_count=0,
        dealing="manual_shoe",
        shuffler="none",
        button=seat(3),
        room=RoomState(bad_beat, high_hand, charged=NOW - 1800),
    )
    setup = Setup(Dealing.MANUAL_SHOE, Shuffler.NONE, 10)
    return Table(GAME, GAME.submission.model_validate(FILED).filed(), setup, state)


def answers(act: acts.AnyInstruction, path: Path) -> list[object]:
    """Every declared outcome, the one of a smooth round first."""
    out = len(path.only(e.CardDealt))
    found: list[object]
    match act:
        case acts.Now():
            found = [NOW]
        case acts.CollectWagers():
            found = [STAKES, *([] if ordered(path) else [Interrupted(order) for order in ORDERS])]
        case acts.DealAround(places=places):
            found = [acts.Dispensed(tuple(acts.Drawn(FaceDown(c)) for c in CARDS[out : out + len(places)]))]
        case acts.Burn():
            found = [acts.Drawn(FaceDown(CARDS[out]))]
        case acts.TurnFaceUp(down=down):
            found = [acts.Exposed(tuple(hidden.card for hidden in down if hidden.card is not None))]
        case acts.AskBet(choices=choices):
            by_verb = {choice.verb: choice for choice in choices}
            verb = next(verb for verb in ("check", "call") if verb in by_verb)
            found = [acts.Decision(verb, by_verb[verb].amount), acts.Decision("fold", None)]
        case acts.Show(cards=cards, may_concede=may):
            shown = acts.Exposed(tuple(hidden.card for hidden in cards if hidden.card is not None))
            found = [shown, acts.Conceded()] if may else [shown]
        case acts.Shuffle():
            found = [acts.Shuffled(None)]
        case acts.OfferCut():
            found = [acts.CutTaken(None)]
        case acts.Attest():
            found = [acts.Attested("1001")]
        case acts.CheckEquipment():
            found = [acts.EquipmentChecked()]
        case _:
            found = of_the_house(act)
    if not act.interruptible or (path.results and interrupted(path.results[-1])):
        return found
    return [*found, *NOTICED]


def of_the_house(act: acts.AnyInstruction) -> list[object]:
    match act:
        case acts.TakeTime():
            return [acts.TimeTaken(), acts.TimeTaken((5, 9))]
        case acts.CheckTime():
            return [acts.TimeChecked(FLOOR)]
        case acts.EmptyBox(here=here):
            counted = [acts.ContentsCounted(Money(cents), FLOOR, SECURITY) for cents in (0, 2_00, 9_99)]
            return [acts.ContentsSent(FLOOR, SECURITY), *(counted if here else [])]
        case acts.VerifyBadBeat():
            return [acts.Confirmed(SUPERVISOR), acts.Denied(SUPERVISOR)]
        case acts.VerifyHighHand():
            return [acts.Confirmed(FLOOR), acts.Denied(FLOOR)]
        case acts.AdjustDisplay():
            return [acts.Agreed(FINANCE), acts.NotAgreed()]
        case acts.PayJackpot():
            return [acts.PaidOut("table", FINANCE), acts.PaidOut("cage", FINANCE, 1), acts.NotAgreed()]
        case _:
            return [None]


def ordered(path: Path) -> bool:
    return any(isinstance(each, Interrupted) and isinstance(each.incident, acts.Order) for each in path.results)


def further(result: object) -> bool:
    """Tried together with each other: orders, refusals, and what ends a round."""
    if isinstance(result, Interrupted):
        return isinstance(result.incident, acts.Order) or result.incident.kind == "missing_cards"
    return isinstance(result, acts.Denied | acts.NotAgreed)


def test_637a_15_to_17_every_way_through_a_round_keeps_the_books() -> None:
    ended: Counter[Outcome] = Counter()
    kinds: Counter[str] = Counter()
    for path in explore(table, answers, further=further):
        (closed,) = path.only(e.RoundClosed)
        ended[closed.outcome] += 1
        kinds.update(type(event).__name__ for event in path.events)
        assert path.state is not None
        try:
            books_follow_from_events(path)
            boxes_have_what_pots_brought(path, completed=closed.outcome is Outcome.COMPLETED)
            nobody_pays_time_twice(path)
            if closed.outcome is Outcome.VOID:
                assert room_after(table().state.room, path.events, 0) == path.state.room
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{path.told()}") from None
    assert ended[Outcome.COMPLETED] > 100
    assert ended[Outcome.VOID] > 50
    expected = (
        "BadBeatVerified",
        "BadBeatRefused",
        "HighHandRecorded",
        "HighHandRefused",
        "JackpotOwed",
        "PeriodEnded",
    )
    assert all(kinds[name] for name in (*expected, "TimeCharged", "RakeDropped", "BoxSent", "AlarmRaised"))


def books_follow_from_events(path: Path) -> None:
    """What goes on to the next round is what was published, and it balances."""
    assert path.state is not None
    room = path.state.room
    for kind, jackpot in (("bad_beat", room.bad_beat), ("high_hand", room.high_hand)):
        assert jackpot.books.balanced()
        assert sum(each.amount for each in jackpot.owed) == jackpot.books.owed
        told = [event for event in path.only(e.JackpotBooked) if event.jackpot == kind]
        if told:
            last = told[-1]
            names = ("contributed", "over", "others", "box", "sent", "fund", "owed", "paid", "transferred")
            assert {name: getattr(last, name) for name in names} == {
                name: getattr(jackpot.books, name) for name in names
            }
            assert (last.display, last.pending) == (jackpot.display, jackpot.pending)


def boxes_have_what_pots_brought(path: Path, *, completed: bool) -> None:
    pots = path.only(e.PotFormed) if completed else []
    for kind in ("bad_beat", "high_hand"):
        dropped = [
            event.amount for event in path.only(e.JackpotBooked) if (event.jackpot, event.reason) == (kind, "drop")
        ]
        assert sum(dropped) == sum(getattr(pot, kind) for pot in pots)
    owed = sum(event.amount for event in path.only(e.JackpotOwed))
    awarded = sum(event.amount for event in path.only(e.JackpotBooked) if event.reason == "awarded")
    assert owed == awarded
    if not completed:
        assert owed == 0


def nobody_pays_time_twice(path: Path) -> None:
    collected = path.only(e.TimeCollected)
    assert len(collected) <= 1
    charged, dropped = path.only(e.TimeCharged), path.only(e.RakeDropped)
    assert [event.total for event in charged] == [event.total for event in collected][: len(charged)]
    assert [event.amount for event in dropped] == [event.total for event in charged]
