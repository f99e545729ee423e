"""What others were fined for, at a live table: each case is stopped before, or right after, the first hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import Card, FaceDown, card
from tablectl.engine.core import Core
from tablectl.engine.inputs import Input
from tablectl.engine.scenario import Scenario, parse
from tablectl.equipment import (
    Badge,
    CardLeft,
    CardScanned,
    CardsEjected,
    DeckRead,
    DoorMoved,
    Fault,
    KeyPressed,
    Lamp,
    LinkLost,
    LinkUp,
    Mode,
    ShuffleFinished,
    WagerSpot,
)
from tablectl.money import Money
from tablectl.procedure.game import Irregularity, Remedy
from tablectl.procedure.stages import Stage
from tablectl.rules import cite
from tablectl_hil.robot import Kit
from tests.engine.bench import ALL_SENSORS, IDENTITY, Bench
from tests.engine.scenarios import fitting
from tests.engine.test_decks_live import at_rest, deal, decks, events, press, say, told
from tests.engine.test_recovery import CrashAt
from tests.procedure.stand_ins import SHOE_GAME, scenario_of

ROUND: dict[str, Any] = {
    "wagers": {"1": {"ante": "10.00"}, "3": {"ante": "25.00"}},
    "cards": "As 4s 2d 9c Kd 5h 7c Qc 9h",
    "decisions": {"1": ["bet"], "3": ["fold"]},
}


def one_deck(shuffler: str = "counting", rounds: int = 3, **table: Any) -> Scenario:
    return parse({"game": "three_card_poker", "table": {"shuffler": shuffler, **table}, "round": [ROUND] * rounds})


def table(scenario: Scenario | None = None, kit: Kit = ALL_SENSORS) -> Bench:
    chosen = scenario or one_deck()
    return Bench(chosen, fitting(chosen, kit))


def text(bench: Bench) -> str:
    return bench.core.prompt().text


def badge(bench: Bench) -> None:
    bench.take(Input("reader", Badge("4711")))


def shuffled(bench: Bench, cards: int | None = 52, **found: Any) -> None:
    """The shuffler comes to its end; `found` is what it says of the cards."""
    number, _order, _count = bench.devices.told.pop("shuffler")
    if found:
        read: dict[str, Any] = {
            "missing": (),
            "extra": (),
            "unreadable": 0,
            "back": "red",
            "odd_backs": 0,
            "batch": None,
        }
        say(bench, DeckRead(number, cards, **{**read, **found}))
    bench.devices.done[number] = ShuffleFinished(number, cards)
    say(bench, bench.devices.done[number])


def asked(bench: Bench) -> list[tuple[str, str]]:
    return [(event.deck, event.what) for event in events(bench, e.DeckQuestioned)]


def dealt(bench: Bench) -> int:
    return len(events(bench, e.CardDealt))


def refuses_play(bench: Bench) -> None:
    """Neither chips nor keys nor cards lead to a hand, and a dealer's badge is not enough."""
    before, shown = dealt(bench), text(bench)
    bench.take(Input("wagers", WagerSpot(1, "ante", True, Money(1000))))
    for key in ("no_more_bets", "shuffled", "shuffle", "done", "digit_3", "enter", "yes"):
        press(bench, key)
    bench.take(Input("reader", Badge("1001")))
    bench.take(Input("shoe", CardLeft(1, FaceDown(card("As")), face_up=False)))
    press(bench, "digit_3")
    assert dealt(bench) == before
    assert text(bench) == shown


# A red light, a blinking one, another mode --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "fault"),
    [
        ({"lamp": Lamp.RED}, Fault.RED_LIGHT),
        ({"lamp": Lamp.UNKNOWN}, Fault.RED_LIGHT),
        ({"blinking": True}, Fault.RED_LIGHT),
        ({"mode": Mode.SERVICE}, Fault.WRONG_MODE),
        ({"mode": Mode.UNKNOWN}, Fault.WRONG_MODE),
        ({"tamper": True}, Fault.TAMPER),
        ({"fault": Fault.WRONG_COUNT}, Fault.WRONG_COUNT),
        ({"fault": Fault.UNREADABLE}, Fault.UNREADABLE),
        ({"fault": Fault.FOREIGN}, Fault.FOREIGN),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else str(value),
)
def test_red_light_on_the_shuffler_is_not_ignored(shown: dict[str, Any], fault: Fault) -> None:
    """It went red when the cards were shuffled; wagers are placed, and no card is dealt."""
    bench = table()
    say(bench, at_rest(None, **shown))
    shuffled(bench)
    deal_to_bets(bench)
    press(bench, "no_more_bets")
    named = f"SHUFFLER {fault.replace('_', ' ').upper()}"
    by_whom = "FLOORPERSON'S BADGE" if len(f"{named}: FLOORPERSON'S BADGE") <= 40 else "FLOOR'S BADGE"
    assert text(bench) == f"{named}: {by_whom}"
    refuses_play(bench)
    badge(bench)
    assert text(bench) == f"SHUFFLER {fault.replace('_', ' ').upper()}: 4 OUT OF SERVICE", "it still shows it"
    say(bench, at_rest(None))
    press(bench, "digit_3")
    assert text(bench).startswith("DEAL CARD")
    cleared = events(bench, e.FaultCleared)[-1]
    assert (cleared.fault, cleared.credential, cleared.reason) == (fault, "4711", "checked")


def deal_to_bets(bench: Bench) -> None:
    """Two wagers are on the layout."""
    for seat, cents in ((1, 1000), (3, 2500)):
        bench.take(Input("wagers", WagerSpot(seat, "ante", True, Money(cents))))
    assert text(bench).startswith("WAGERS"), text(bench)


def test_red_light_in_the_middle_of_a_round_stops_the_next_one() -> None:
    bench = table()
    deal(bench, 1, "SEAT 1: BET")
    say(bench, at_rest(None, lamp=Lamp.RED))
    deal(bench, 1)
    assert text(bench) == "SHUFFLER RED LIGHT: FLOORPERSON'S BADGE"
    refuses_play(bench)
    bench.start(IDENTITY)
    assert text(bench) == "SHUFFLER RED LIGHT: FLOORPERSON'S BADGE", "it survives a restart"


def test_sort_mode_with_a_blinking_green_light_deals_no_hand() -> None:
    bench = table()
    say(bench, at_rest(None, mode=Mode.SORT, blinking=True))
    shuffled(bench)
    deal_to_bets(bench)
    press(bench, "no_more_bets")
    assert text(bench) == "SHUFFLER RED LIGHT: FLOORPERSON'S BADGE"
    refuses_play(bench)
    say(bench, at_rest(None))
    for _ in range(2):
        badge(bench)
        press(bench, "digit_1")
    assert text(bench).startswith("DEAL CARD")
    assert [event.fault for event in events(bench, e.FaultCleared)] == [Fault.RED_LIGHT, Fault.WRONG_MODE]


def test_door_that_was_opened_is_cleared_by_a_badge_when_it_is_closed() -> None:
    bench = table()
    shuffled(bench)
    say(bench, DoorMoved(open=True))
    deal_to_bets(bench)
    press(bench, "no_more_bets")
    badge(bench)
    assert text(bench) == "SHUFFLER DOOR OPEN: 4 OUT OF SERVICE"
    say(bench, DoorMoved(open=False))
    press(bench, "digit_3")
    assert text(bench) == "DEAL CARD 1 TO SEAT 1"


def test_shuffler_that_is_given_up_before_the_deal_leaves_with_its_cards_accounted_for() -> None:
    bench = table()
    shuffled(bench)
    say(bench, at_rest(None, lamp=Lamp.RED))
    deal_to_bets(bench)
    press(bench, "no_more_bets")
    badge(bench)
    press(bench, "digit_4")
    assert text(bench) == "TAKE SHUFFLER AWAY, THEN REMOVED", "it has given out 52 cards"
    assert [(event.cards, event.by) for event in events(bench, e.DeckAccounted)] == [(52, "device")]
    press(bench, "removed")
    assert text(bench) == "DEAL CARD 1 TO SEAT 1"


# Cards that should not be there -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "what", "shown"),
    [
        ({"extra": (card("Jh"),), "cards": 53}, "extra_card", "DECK-1 EXTRA CARD JH: BADGE"),
        ({"missing": (card("Qh"),), "extra": (card("Jh"),)}, "missing_card", "DECK-1 MISSING CARD QH: BADGE"),
        ({"odd_backs": 1}, "odd_backs", "DECK-1 ODD BACKS: BADGE"),
        ({"back": "blue"}, "wrong_back", "DECK-1 WRONG BACK: BADGE"),
        ({"unreadable": 1}, "unreadable_cards", "DECK-1 UNREADABLE CARDS: BADGE"),
    ],
    ids=["extra card", "queen and second jack", "one wrong back", "another deck", "unreadable"],
)
def test_extra_card_or_wrong_back_is_not_dealt_from(found: dict[str, Any], what: str, shown: str) -> None:
    """An extra card was in play for 863 hands elsewhere, a wrong back for 350; the device's count may well be right."""
    bench = table(one_deck("identifying"))
    shuffled(bench, **{"cards": 52, **found} if "cards" not in found else {**found, "cards": 52})
    assert asked(bench)[0] == ("deck-1", what)
    assert text(bench) == shown
    refuses_play(bench)
    (claimed,) = events(bench, e.DeckClaimed)
    assert claimed.device == "shuffler"
    bench.start(IDENTITY)
    assert text(bench) == shown, "the question survives a restart"


def test_extra_card_that_a_counting_shuffler_counts_takes_the_deck_off_the_table() -> None:
    bench = table()
    shuffled(bench, 53)
    assert [event.deck for event in events(bench, e.DeckRemoved)] == ["deck-1"]
    assert text(bench) == "DECK 2: FLOORPERSON'S BADGE"
    assert asked(bench) == [("deck-1", "wrong_count")]


def name(bench: Bench, shown: Card) -> None:
    press(bench, f"rank_{shown.name[0]}", f"suit_{shown.suit}")


def test_missing_queen_replaced_by_a_second_jack_is_refused() -> None:
    queen, jack = card("Qh"), card("Jh")
    bench = table(one_deck("identifying"))
    shuffled(bench, missing=(queen,))
    badge(bench)
    assert text(bench) == "1 PUT BACK 2 REPLACE 3 OUT"
    press(bench, "digit_2")
    assert text(bench) == "WHICH CARD IS MISSING? QH"
    name(bench, queen)
    assert text(bench) == "CARD THAT REPLACES QH"
    name(bench, jack)
    assert text(bench) == "ITS BACK: 1 RED 2 BLUE"
    press(bench, "digit_1")
    (refused,) = events(bench, e.CardReplacementRefused)
    assert (refused.missing, refused.card, refused.reason) == (queen, jack, "Jh is not Qh")
    assert text(bench) == "DECK-1 MISSING CARD QH: BADGE"
    refuses_play(bench)

    badge(bench)
    press(bench, "digit_2")
    name(bench, queen)
    bench.take(Input("scanner", CardScanned(queen)))
    press(bench, "digit_2")
    assert events(bench, e.CardReplacementRefused)[-1].reason == "back is blue, not red"
    badge(bench)
    press(bench, "digit_2")
    name(bench, queen)
    name(bench, queen)
    press(bench, "digit_1")
    (replaced,) = events(bench, e.CardReplaced)
    assert (replaced.card, replaced.back, replaced.credential) == (queen, "red", "4711")
    assert text(bench) == "SHUFFLING", "a card that was put in lies anywhere"
    shuffled(bench, back="red")
    assert text(bench).startswith("WAGERS")


def order(bench: Bench, title: str) -> None:
    """A floorperson's badge opens the menu, in which that is chosen."""
    badge(bench)
    for _ in range(20):
        if title in text(bench):
            break
        press(bench, "next")
    assert title in text(bench), text(bench)
    press(bench, "enter")


@pytest.mark.parametrize("known", [True, False], ids=["named", "torn"])
def test_damaged_card_that_was_set_aside_is_replaced_before_the_next_hand(known: bool) -> None:
    """Elsewhere 42 hands were dealt from a deck that lacked it."""
    bench = table()
    deal(bench, 1)
    shuffled(bench)
    order(bench, "SET A CARD ASIDE")
    assert text(bench) == "WHICH CARD IS SET ASIDE? NO: CANNOT TELL"
    if known:
        name(bench, card("7c"))
    else:
        press(bench, "no")
    assert text(bench) == ("DECK-1 CARD SET ASIDE 7C: BADGE" if known else "DECK-1 CARD SET ASIDE: BADGE")
    refuses_play(bench)
    bench.start(IDENTITY)
    badge(bench)
    press(bench, "digit_2")
    name(bench, card("7c"))
    name(bench, card("7c"))
    press(bench, "digit_1")
    assert text(bench) == "SHUFFLING"
    acts_of_card = events(bench, e.CardSetAside, e.DeckQuestioned, e.CardReplaced, e.DeckCleared)
    order_of_acts = [type(event).__name__ for event in acts_of_card]
    assert order_of_acts == ["CardSetAside", "DeckQuestioned", "CardReplaced", "DeckCleared"]


# Cards that stay inside ---------------------------------------------------------------------------------------------


def test_jack_left_in_the_shufflers_well_is_missed_before_the_deal() -> None:
    bench = table()
    for inside in (52, 1):
        say(bench, at_rest(inside))
        if inside == 52:
            shuffled(bench)
    deal_to_bets(bench)
    press(bench, "no_more_bets")
    assert text(bench) == "DECK-1 CARDS LEFT INSIDE: BADGE"
    refuses_play(bench)
    badge(bench)
    press(bench, "digit_2")
    assert text(bench) == "SHUFFLING", "the cards are together again, and are shuffled"
    (ordered,) = events(bench, e.TableOrdered)
    assert (ordered.order, ordered.credential) == ("reshuffle", "4711")
    say(bench, at_rest(0))
    shuffled(bench)
    assert text(bench).startswith("WAGERS: 2"), "the wagers lie there"
    press(bench, "no_more_bets")
    assert text(bench) == "DEAL CARD 1 TO SEAT 1"


@pytest.mark.parametrize("counts", [True, False], ids=["device counts", "dealer counts"])
def test_shuffler_is_not_taken_out_of_service_with_16_cards_inside(counts: bool) -> None:
    """Elsewhere 122 hands were dealt from the rest."""
    bench = table(one_deck("counting" if counts else "plain"))
    bench.devices.whole = 36 if counts else 52
    press(bench, "irregularity")
    while text(bench) != "IRREGULARITY: SHUFFLER OUT OF SERVICE":
        press(bench, "next")
    press(bench, "enter", "enter")
    assert text(bench) == "COUNT THE RED DECK TAKEN OUT: _"
    press(bench, "removed", "digit_3", "digit_6", "enter")
    assert text(bench) == "DECK-1 CARDS UNACCOUNTED: BADGE"
    refuses_play(bench)
    assert events(bench, e.DeviceRemoved) == []
    badge(bench)
    press(bench, "digit_2")
    assert text(bench) == "TAKE SHUFFLER AWAY, THEN REMOVED"
    press(bench, "removed")
    (accounted,) = events(bench, e.DeckAccounted)
    assert (accounted.cards, accounted.expected, accounted.by) == (36, 52, "dealer")
    assert text(bench) == "SHUFFLE BY HAND, THEN SHUFFLED"


def test_shuffler_that_is_lost_is_emptied_and_counted_by_the_dealer() -> None:
    bench = table()
    deal(bench, 1, "SEAT 1: BET")
    say(bench, LinkLost("unplugged"), number=0)
    deal(bench, 1)
    badge(bench)
    press(bench, "digit_4")
    assert text(bench) == "COUNT THE RED DECK TAKEN OUT: _"
    press(bench, "digit_5", "digit_2", "enter")
    assert text(bench) == "TAKE SHUFFLER AWAY, THEN REMOVED"


def test_crash_while_a_shuffler_is_emptied_goes_on_from_the_same_step() -> None:
    def acted(crash: CrashAt) -> Bench:
        bench = table(one_deck(rounds=1))
        bench.moment = crash
        deliver(bench, "irregularity")
        while text(bench) != "IRREGULARITY: SHUFFLER OUT OF SERVICE":
            deliver(bench, "next")
        deliver(bench, "enter", "enter", "removed")
        return bench

    counter = CrashAt(0)
    smooth = acted(counter)
    expected = [(event.cards, event.by) for event in events(smooth, e.DeckAccounted)]
    assert expected == [(52, "device")]
    assert text(smooth) == "SHUFFLE BY HAND, THEN SHUFFLED"
    for wanted in counter.to_try(smooth):
        crash = CrashAt(wanted)
        try:
            bench = acted(crash)
        except AssertionError as error:
            raise AssertionError(f"{crash.happened}, moment {wanted} of {counter.passed}: {error}") from None
        where = f"{crash.happened}, moment {wanted} of {counter.passed}"
        assert bench.reasons == [], where
        ejected = [number for number, answer in bench.devices.done.items() if isinstance(answer, CardsEjected)]
        assert len(ejected) == 1, where
        assert [(event.cards, event.by) for event in events(bench, e.DeckAccounted)] == expected, where
        assert text(bench) == "SHUFFLE BY HAND, THEN SHUFFLED", where


def deliver(bench: Bench, *given: str | Input) -> None:
    """Press these keys, or let devices say so; what the daemon had not taken in when it crashed comes once more."""
    for each in given:
        bench.deliver(Input("panel", KeyPressed(each)) if isinstance(each, str) else each)


BADGE = Input("reader", Badge("4711"))


def replaces_a_card(bench: Bench) -> None:
    number, _order, _count = bench.devices.told.pop("shuffler")
    read = DeckRead(number, 52, (card("Qh"),), (), 0, "red", 0, None)
    deliver(bench, Input("shuffler", read, "boot shuffler", 1))  # a device keeps the order of what it has to say
    bench.devices.told.pop("shuffler", None)
    bench.devices.done[number] = ShuffleFinished(number, 52)
    deliver(bench, Input("shuffler", bench.devices.done[number], "boot shuffler", 2))
    deliver(bench, BADGE, "digit_2", "rank_Q", "suit_h", "rank_J", "suit_h", "digit_1")
    deliver(bench, BADGE, "digit_2", "rank_Q", "suit_h", "rank_Q", "suit_h", "digit_1")


def passes_the_gate_before_the_deal(bench: Bench) -> None:
    number, _order, _count = bench.devices.told.pop("shuffler")
    bench.devices.done[number] = ShuffleFinished(number, 52)
    deliver(bench, Input("shuffler", bench.devices.done[number], "boot shuffler", 1))
    deliver(bench, Input("shuffler", at_rest(None, lamp=Lamp.RED), "boot shuffler", 2))
    deliver(bench, Input("wagers", WagerSpot(1, "ante", True, Money(1000)), "boot wagers", 1), "no_more_bets")
    deliver(bench, BADGE, Input("shuffler", at_rest(1), "boot shuffler", 3), "digit_1", BADGE, "digit_3")


def sets_a_card_aside(bench: Bench) -> None:
    number, _order, _count = bench.devices.told.pop("shuffler")
    bench.devices.done[number] = ShuffleFinished(number, 52)
    deliver(bench, Input("shuffler", bench.devices.done[number], "boot shuffler", 1), BADGE)
    while "SET A CARD ASIDE" not in text(bench):
        deliver(bench, "next")
    deliver(bench, "enter", "rank_7", "suit_c", BADGE, "digit_1")


@pytest.mark.parametrize(
    ("flow", "leads_to"),
    [
        (replaces_a_card, "SHUFFLING"),
        (passes_the_gate_before_the_deal, "DEAL CARD 1 TO SEAT 1"),
        (sets_a_card_aside, "SHUFFLING"),
    ],
)
def test_crash_at_every_moment_goes_on_from_the_same_step(flow: Callable[[Bench], None], leads_to: str) -> None:
    def acted(crash: CrashAt) -> Bench:
        bench = table(one_deck("identifying", rounds=1))
        bench.moment = crash
        flow(bench)
        return bench

    def told_of(bench: Bench) -> list[e.Event]:
        starts = (e.TableStarted, e.TableResumed)
        return [event for event in bench.journal.events() if not isinstance(event, starts)]

    counter = CrashAt(0)
    smooth = acted(counter)
    assert text(smooth) == leads_to
    for wanted in counter.to_try(smooth):
        crash = CrashAt(wanted)
        bench = acted(crash)
        where = f"{crash.happened}, moment {wanted} of {counter.passed}"
        assert bench.reasons == [], where
        assert crash.happened, where
        assert told_of(bench) == told_of(smooth), where
        assert text(bench).startswith(leads_to), where


# Preshuffled decks that were not, and cards that are seen -----------------------------------------------------------


def test_preshuffled_deck_that_was_not_is_an_alarm_within_two_rounds() -> None:
    """Factory order, cut: the alarm comes at the end of the second round at the latest, and no third one begins."""
    ranks = "A23456789TJQK"
    order_of_factory = [f"{rank}{suit}" for suit in "sdch" for rank in ranks]
    rounds = []
    for cut in (0, 20):
        rest = order_of_factory[cut:] + order_of_factory[:cut]
        rounds.append({**ROUND, "cards": " ".join(rest[:9])})
    read = parse({"game": "three_card_poker", "table": {"shuffler": "none"}, "round": [*rounds, ROUND]})
    bench = Bench(read, fitting(read, ALL_SENSORS))
    deal(bench, 1)
    assert events(bench, e.AlarmRaised) == []
    deal(bench, 2)
    (alarm,) = events(bench, e.AlarmRaised)
    assert (alarm.source, alarm.kind) == ("deck-1", "cards_in_sequence")
    assert asked(bench) == [("deck-1", "cards_in_sequence")]
    assert isinstance(bench.core, Core)
    assert "6 CARDS LIE AS IN A SORTED DECK" in text(bench)
    press(bench, "expose")
    assert text(bench) == "DECK-1 CARDS IN SEQUENCE: BADGE"
    refuses_play(bench)


def test_card_that_is_seen_twice_is_an_alarm_at_once_and_stops_the_next_round() -> None:
    bench = table()
    deal(bench, 1, "SEAT 1: TURN")
    dealer = events(bench, e.CardsExposed)[-1].cards
    bench.take(Input("scanner", CardScanned(dealer[0])))
    for shown in ("As", "9c"):
        bench.take(Input("scanner", CardScanned(card(shown))))
    assert text(bench).startswith("SEAT 1: AGAIN"), "the shoe has read other cards"
    for shown in (str(dealer[0]), "As", "9c"):
        bench.take(Input("scanner", CardScanned(card(shown))))
    badge(bench)
    (alarm,) = events(bench, e.AlarmRaised)
    assert (alarm.kind, alarm.message) == ("card_twice", f"{dealer[0]} turned up 2 times")
    assert text(bench) == f"DECK-1: {dealer[0]} TURNED UP 2 TIMES".upper()
    press(bench, "expose")
    assert text(bench) == f"DECK-1 CARD TWICE {str(dealer[0]).upper()}: BADGE"
    refuses_play(bench)


def test_same_card_twice_in_one_hand_can_be_keyed() -> None:
    bench = table(kit=replace(ALL_SENSORS, scanner=None, reads=False))
    deal(bench, 1, "DEALER:")
    name(bench, card("As"))
    name(bench, card("As"))
    assert text(bench) == "AS WAS SEEN: KEY IT AGAIN IF TWICE"
    name(bench, card("As"))
    name(bench, card("2c"))
    (exposed,) = events(bench, e.CardsExposed)
    assert [str(each) for each in exposed.cards] == ["As", "As", "2c"]
    assert [alarm.kind for alarm in events(bench, e.AlarmRaised)] == ["card_twice"]


# The card reader ----------------------------------------------------------------------------------------------------


def twenty_one() -> Scenario:
    rules = (
        Irregularity("card_reader_fault", Remedy.SUSPEND, cite("672a.12(j)"), tuple(Stage)),
        *SHOE_GAME.irregularities,
    )
    game = replace(SHOE_GAME, irregularities=rules)
    hand = {"wagers": {"1": {"ante": "10.00"}}, "cards": "As 4s 2d 9c"}
    return scenario_of(game, {"table": {"shuffler": "none"}, "round": [hand, hand]})


def test_672a_12_j_broken_card_reader_stops_the_table_and_survives_a_restart() -> None:
    scenario = twenty_one()
    bench = Bench(scenario, replace(fitting(scenario, ALL_SENSORS), card_reader=None))
    deal_twenty_one(bench)
    press(bench, "irregularity")
    while text(bench) != "IRREGULARITY: CARD READER FAULT":
        press(bench, "next")
    press(bench, "enter")
    assert events(bench, e.RoundClosed)[-1].cause == "card_reader_fault"
    assert text(bench) == "CARD READER FAULT: FLOORPERSON'S BADGE"
    refuses_play(bench)
    bench.start(IDENTITY)
    assert text(bench) == "CARD READER FAULT: FLOORPERSON'S BADGE"
    badge(bench)
    press(bench, "digit_3")
    assert text(bench) == "CARD READER: 1 REPAIRED 2 NEW"
    press(bench, "digit_2")
    assert text(bench) != "CARD READER: 1 REPAIRED 2 NEW"
    assert events(bench, e.FaultCleared)[-1].reason == "replaced"


def deal_twenty_one(bench: Bench) -> None:
    """Up to the wagers of the first round."""
    for _ in range(30):
        shown = bench.core.prompt()
        if shown.text.startswith("WAGERS"):
            return
        keys = [key for key in ("shuffled", "dealer", "cut", "done") if key in shown.lit]
        press(bench, keys[0])
    raise AssertionError(text(bench))


def test_672a_12_j_card_reader_that_is_lost_cannot_be_done_without() -> None:
    scenario = twenty_one()
    bench = Bench(scenario, replace(fitting(scenario, ALL_SENSORS), card_reader="card_reader"))
    deal_twenty_one(bench)
    bench.take(Input("card_reader", LinkLost("unplugged")))
    order(bench, "CHANGE THE DECK")
    assert text(bench) == "CARD READER LOST: FLOORPERSON'S BADGE"
    badge(bench)
    assert text(bench) == "CARD READER LOST: REPAIR OR REPLACE IT"
    press(bench, "digit_4", "digit_1")
    assert text(bench) == "CARD READER LOST: REPAIR OR REPLACE IT"
    assert isinstance(bench.core, Core)
    link = bench.core.picture.links["card_reader"]
    assert link.description is not None
    bench.take(Input("card_reader", LinkUp(link.description), "boot card_reader"))
    assert text(bench) == "CARD READER LOST: 1 REPAIRED 2 NEW 3 OK"
    press(bench, "digit_1")
    assert events(bench, e.FaultCleared)[-1].device == "card_reader"


def test_device_that_works_again_is_used_again_by_order() -> None:
    bench = table(one_deck(rounds=3))
    press(bench, "irregularity")
    while text(bench) != "IRREGULARITY: SHUFFLER OUT OF SERVICE":
        press(bench, "next")
    press(bench, "enter", "enter", "removed", "shuffled", "cut")
    order(bench, "THE SHUFFLER WORKS AGAIN")
    (back,) = events(bench, e.DeviceReturned)
    assert (back.device, back.shuffler, back.credential) == ("shuffler", "counting", "4711")
    assert text(bench) == "SHUFFLING"
    assert len(told(bench)) == 3, "first shuffle, the cards given out, the shuffle now"
    assert decks(bench)[0].id == "deck-1"
