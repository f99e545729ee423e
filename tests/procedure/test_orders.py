"""Orders between rounds, dealers who take over, seats that are barred, rounds without the controller, closing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.engine.drive import Interrupted
from tablectl.events import Disposition, Outcome
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Game
from tablectl.procedure.opening import open_table
from tablectl.procedure.orders import PLAYED, can_be_obeyed, possible
from tablectl.procedure.people import DEALER_CHANGE
from tablectl.procedure.rounds import next_procedure
from tablectl.procedure.stages import Stage
from tablectl.procedure.table import Phase, Table, TableState
from tablectl.records import decode, encode
from tablectl.rules import cite
from tests.procedure.people import HAND, MACHINE, SEAT_1, Day, live
from tests.procedure.stand_ins import LATER_CHAPTER, SHOE_GAME, THREE_CARD_POKER, table_of

FLOOR = "4711"
BARRING = replace(SHOE_GAME, barring=lambda _rules: cite("672a.6(b)"))
CLEAR: dict[type[Any], Callable[[Any], object]] = {acts.ClearLayout: lambda _act: True}


def once(order: acts.Order, otherwise: object) -> Callable[[Any], object]:
    """An act at which the order is given the first time, and which is then done."""
    given: list[acts.Order] = [order]
    return lambda _act: Interrupted(given.pop()) if given else otherwise


def closing(day: Day) -> e.RoundClosed:
    (closed,) = day.only(e.RoundClosed)
    assert isinstance(closed, e.RoundClosed)
    return closed


def after(day: Day, game: Game, setup: Any = HAND) -> Table:
    """The table of the next round."""
    assert day.state is not None
    return Table(game, game.submission().filed(), setup, day.state)


# A dealer takes over


@pytest.mark.parametrize("at", ["Shuffle", "Cut", "CollectWagers"])
def test_dealer_takes_over_before_the_wagers_are_locked(at: str) -> None:
    order = acts.Order(DEALER_CHANGE, "1002")
    results: dict[str, object] = {"Shuffle": acts.Shuffled(None), "Cut": None, "CollectWagers": SEAT_1}
    day = live(table_of(THREE_CARD_POKER, HAND, dealer="1001"), answers={getattr(acts, at): once(order, results[at])})
    (changed,) = day.only(e.DealerChanged)
    assert (changed.dealer, changed.before) == ("1002", "1001")
    assert closing(day).outcome is Outcome.COMPLETED
    assert [type(i).__name__ for i in day.instructions].count("Shuffle") == 1 + (at == "Shuffle"), (
        "nothing is done anew"
    )
    assert day.state is not None
    assert (day.state.dealer, day.state.new_dealer) == ("1002", False), "his first round is dealt"


def test_dealer_of_whom_a_round_is_not_dealt_yet_is_new() -> None:
    """672a.7(c): he burns a card; a round that was suspended before a card does not make him an old one."""
    given = iter([acts.Order(DEALER_CHANGE, "1002"), acts.Order("change_deck", FLOOR)])
    day = live(table_of(THREE_CARD_POKER, HAND), answers={acts.CollectWagers: lambda _act: Interrupted(next(given))})
    assert closing(day).outcome is Outcome.SUSPENDED
    assert day.state is not None
    assert (day.state.dealer, day.state.new_dealer) == ("1002", True)


def test_dealer_who_is_there_already_is_no_change() -> None:
    order = acts.Order(DEALER_CHANGE, "1001")
    day = live(table_of(THREE_CARD_POKER, HAND, dealer="1001"), answers={acts.CollectWagers: once(order, SEAT_1)})
    assert day.only(e.DealerChanged) == []
    assert day.state is not None
    assert day.state.new_dealer is False


def test_dealer_takes_over_while_the_table_is_opened() -> None:
    order = acts.Order(DEALER_CHANGE, "1001")
    closed = table_of(THREE_CARD_POKER, HAND, decks=(), deck_number=0, phase=Phase.CLOSED)
    day = live(closed, open_table, answers={acts.Attest: once(order, acts.Attested(FLOOR))})
    (opened,) = day.only(e.TableOpened)
    assert opened.dealer == "1001"


def test_where_an_order_can_be_obeyed() -> None:
    dealer, close, played = (acts.Order(kind, FLOOR) for kind in (DEALER_CHANGE, "close", PLAYED))
    wagers = acts.CollectWagers(("ante",), 7)
    shuffle = acts.Shuffle("deck-1", "hand")
    question = acts.Ask(1, (acts.Choice("bet"),), "565.11(b)")
    assert can_be_obeyed(dealer, wagers, Stage.OPEN)
    assert can_be_obeyed(dealer, shuffle, Stage.OPEN)
    assert not can_be_obeyed(dealer, question, Stage.DECIDING)
    assert not can_be_obeyed(dealer, acts.Now(), Stage.OPEN)
    assert can_be_obeyed(close, wagers, Stage.OPEN)
    assert not can_be_obeyed(close, shuffle, Stage.OPEN)
    assert not can_be_obeyed(close, question, Stage.DECIDING)
    assert can_be_obeyed(played, question, Stage.DECIDING)
    assert can_be_obeyed(played, wagers, Stage.OPEN)
    assert not can_be_obeyed(played, acts.Settle, Stage.SETTLING)  # type: ignore[arg-type]


# What can be ordered


def test_what_can_be_ordered_now() -> None:
    seen: list[tuple[str, tuple[str, ...]]] = []

    def look(table: Table) -> dict[type[Any], Callable[[Any], object]]:
        def at(name: str, result: object) -> Callable[[Any], object]:
            def answer(_act: object) -> object:
                seen.append((name, possible(table)))
                return result

            return answer

        return {acts.Shuffle: at("shuffle", acts.Shuffled(None)), acts.CollectWagers: at("wagers", SEAT_1)}

    table = table_of(THREE_CARD_POKER, HAND)
    live(table, answers=look(table))
    always = ("change_deck", "limits_notice", PLAYED, "set_card_aside", "replace_card", "close")
    assert seen == [("shuffle", always), ("wagers", ("recut", "reshuffle", *always))]
    assert possible(table) == (), "the round is over"
    seen.clear()
    machine = table_of(LATER_CHAPTER, MACHINE)
    live(machine, answers={acts.CollectWagers: look(machine)[acts.CollectWagers]})
    assert seen == [("wagers", ("reshuffle", *always))], "what a machine has shuffled was not cut"
    closed = table_of(THREE_CARD_POKER, HAND, decks=(), phase=Phase.CLOSED)
    assert possible(closed) == ()


def test_order_is_on_the_record_with_the_badge() -> None:
    day = live(table_of(THREE_CARD_POKER, HAND), orders={"CollectWagers": acts.Order("limits_notice", FLOOR)})
    (ordered,) = day.only(e.TableOrdered)
    assert (ordered.order, ordered.credential) == ("limits_notice", FLOOR)
    assert closing(day).outcome is Outcome.COMPLETED


def test_change_of_the_deck_by_order() -> None:
    day = live(table_of(THREE_CARD_POKER, HAND), orders={"CollectWagers": acts.Order("change_deck", FLOOR)})
    closed = closing(day)
    assert (closed.outcome, closed.cause, closed.disposition) == (
        Outcome.SUSPENDED,
        "deck_change_ordered",
        Disposition.REMOVE,
    )
    assert [event.deck for event in day.only(e.DeckRemoved)] == ["deck-1"]
    following = live(after(day, THREE_CARD_POKER))
    assert [event.deck for event in following.only(e.DeckReceived)] == ["deck-2"]
    assert closing(following).outcome is Outcome.COMPLETED


# Closing the table


def test_table_closes_when_the_layout_is_clear_and_opens_again_the_next_day() -> None:
    day = live(
        table_of(THREE_CARD_POKER, HAND, day=3, dealer="1001", barred=(2,)),
        answers=CLEAR,
        orders={"CollectWagers": acts.Order("close", FLOOR)},
    )
    assert [type(event).__name__ for event in day.events][-4:] == [
        "IrregularityNoted",
        "RoundClosed",
        "DeckRemoved",
        "TableClosed",
    ]
    (closed,) = day.only(e.TableClosed)
    assert (closed.day, closed.credential) == (3, FLOOR)
    assert closing(day).outcome is Outcome.SUSPENDED
    assert day.only(e.WagerMade) == []
    assert day.state is not None
    assert (day.state.phase, day.state.decks, day.state.dealer, day.state.barred) == (Phase.CLOSED, (), "", ())
    following = live(after(day, THREE_CARD_POKER), next_procedure)
    (opened,) = following.only(e.TableOpened)
    assert (opened.day, opened.decks) == (4, ("deck-2",))


def test_table_stays_open_while_somebody_keeps_a_wager_on_the_layout() -> None:
    day = live(
        table_of(THREE_CARD_POKER, HAND),
        answers={acts.ClearLayout: lambda _act: False},
        orders={"CollectWagers": acts.Order("close", FLOOR)},
    )
    assert day.only(e.TableClosed) == []
    assert [event.order for event in day.only(e.TableOrdered)] == ["close"]
    assert closing(day).outcome is Outcome.COMPLETED


# Players who do not wager


def test_672a_6_b_who_does_not_wager_may_not_before_the_shuffle() -> None:
    day = live(table_of(BARRING, HAND))
    (barred,) = day.only(e.SeatsBarred)
    assert (barred.seats, barred.cite) == ((2, 3, 4, 5, 6), "672a.6(b)")
    answers = iter([(*SEAT_1, acts.Stake(3, "ante", SEAT_1[0].amount)), SEAT_1])
    following = live(after(day, BARRING), answers={acts.CollectWagers: lambda _act: next(answers)})
    (named,) = following.only(acts.PutRight)
    assert (named.seat, named.message, named.cite) == (3, "barred until the shuffle", "672a.6(b)")
    assert [event.seat for event in following.only(e.WagerMade)] == [1]
    assert following.only(e.SeatsBarred) == [], "the same seats are barred"


def test_672a_6_b_1_a_floorperson_lets_a_barred_seat_play_and_bars_it_again() -> None:
    day = live(table_of(BARRING, HAND))
    both = (*SEAT_1, acts.Stake(3, "ante", SEAT_1[0].amount))
    let = live(
        after(day, BARRING),
        answers={acts.CollectWagers: once(acts.Order("unbar", FLOOR, number=3), both)},
    )
    assert [event.seats for event in let.only(e.SeatsBarred)] == [(2, 4, 5, 6)]
    assert [event.seat for event in let.only(e.WagerMade)] == [1, 3]
    again = live(after(let, BARRING), answers={acts.CollectWagers: once(acts.Order("bar", FLOOR, number=3), SEAT_1)})
    assert [event.seats for event in again.only(e.SeatsBarred)] == [(2, 3, 4, 5, 6)]


def test_672a_6_b_2_a_reshuffle_lets_everybody_wager() -> None:
    day = live(table_of(BARRING, HAND))
    reshuffled = live(after(day, BARRING), answers={acts.CollectWagers: once(acts.Order("reshuffle", FLOOR), SEAT_1)})
    assert [event.seats for event in reshuffled.only(e.SeatsBarred)] == [(), (2, 3, 4, 5, 6)], "and after it anew"


def test_nobody_is_barred_where_it_is_not_filed() -> None:
    day = live(table_of(SHOE_GAME, HAND))
    assert day.only(e.SeatsBarred) == []
    assert "bar" not in possible(after(day, SHOE_GAME))


# Played without the controller


def test_rounds_without_the_controller_are_answered_for_and_the_deck_is_counted_before_the_next_card() -> None:
    order = acts.Order(PLAYED, FLOOR, "power", 3)
    day = live(table_of(THREE_CARD_POKER, HAND), answers={acts.CollectWagers: once(order, SEAT_1)})
    (gap,) = day.only(e.PlayedWithout)
    assert (gap.rounds, gap.reason, gap.credential) == (3, "power", FLOOR)
    names = [type(i).__name__ for i in day.instructions]
    begun = names.index("CloseGap")
    assert names[begun : begun + 3] == ["CloseGap", "CountCards", "Shuffle"], "counted, and shuffled again"
    (counted,) = [i for i in day.only(acts.CountCards) if i.what == "deck"]
    assert (counted.expected, counted.whole, counted.due) == (52, 52, True)
    assert closing(day).outcome is Outcome.COMPLETED
    assert day.state is not None
    assert day.state.gaps == (acts.Gap(3, "power", FLOOR),)
    assert day.state.decks_unproven is False


def test_wrong_deck_after_rounds_without_the_controller_leaves_the_table() -> None:
    order = acts.Order(PLAYED, FLOOR, "power", 3)
    day = live(
        table_of(THREE_CARD_POKER, HAND),
        answers={
            acts.CollectWagers: once(order, SEAT_1),
            acts.CountCards: lambda act: acts.CardsCount(51, False, None) if act.what == "deck" else None,
        },
    )
    closed = closing(day)
    assert (closed.outcome, closed.cause, closed.cite, closed.disposition) == (
        Outcome.SUSPENDED,
        "deck_count",
        "565.8(h)",
        Disposition.REMOVE,
    )
    assert [event.deck for event in day.only(e.DeckRemoved)] == ["deck-1"]
    assert day.state is not None
    assert day.state.decks_unproven is True, "what is still there has to be counted"


def test_round_that_was_finished_without_the_controller_is_given_up_and_nothing_of_it_is_undone() -> None:
    order = acts.Order(PLAYED, FLOOR, "controller", 0)
    day = live(table_of(THREE_CARD_POKER, HAND), answers={acts.Ask: once(order, None)})
    closed = closing(day)
    assert (closed.outcome, closed.cause) == (Outcome.SUSPENDED, PLAYED)
    assert day.only(e.WagerSettled) == []
    assert day.only(e.RoundVoided) == []
    following = live(after(day, THREE_CARD_POKER))
    names = [type(i).__name__ for i in following.instructions]
    assert names.index("CountCards") < names.index("Shuffle")
    assert closing(following).outcome is Outcome.COMPLETED


def test_gaps_are_those_of_one_gaming_day() -> None:
    state: dict[str, Any] = {"decks": (), "phase": Phase.CLOSED, "gaps": (acts.Gap(3, "power", FLOOR),)}
    day = live(table_of(THREE_CARD_POKER, HAND, **state), open_table)
    assert day.state is not None
    assert day.state.gaps == ()


# Wagers that were left behind


def test_565_7_c_wagers_of_a_player_who_leaves_are_lost() -> None:
    day = live(table_of(THREE_CARD_POKER, HAND), answers={acts.Ask: lambda _act: acts.Left()})
    settled = [(row.seat, row.wager, row.result.value, row.cite) for row in day.only(e.WagerSettled)]
    assert settled == [(1, "ante", "forfeited", "565.7(c)")]


def test_state_is_written_down_with_orders_that_wait() -> None:
    state = replace(
        table_of(THREE_CARD_POKER, HAND).state,
        orders=(acts.Order(DEALER_CHANGE, "1002"),),
        gaps=(acts.Gap(1, "other", FLOOR),),
        barred=(1, 2),
    )
    assert decode(TableState, json.loads(encode(state, []))) == state
