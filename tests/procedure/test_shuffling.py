"""Shuffle and cut (x.5): who shuffles when, who cuts and cuts again, an idle table, devices that reshuffle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl import events as e
from tablectl.cards import DEALER, FaceDown, Position, card, seat
from tablectl.engine.drive import Interrupted
from tablectl.engine.script import play
from tablectl.procedure import instructions as acts
from tablectl.procedure.game import Game, Setup
from tablectl.procedure.rounds import play_round
from tablectl.procedure.shown import ShoeMemory, ShownHand
from tablectl.procedure.table import DeckState, Phase
from tests.procedure.people import FLOORPERSON, HAND, MACHINE, TWO, live
from tests.procedure.stand_ins import (
    LATER_CHAPTER,
    OPENING,
    PAI_GOW_LIKE,
    SHOE_GAME,
    THREE_CARD_POKER,
    like,
    scenario_of,
    table_of,
)

CHAPTERS = list(OPENING)
TWENTY_ONE = ("672a", "673a")
OFFERED = ("561", "670a", *TWENTY_ONE)
RECUT = acts.Order("recut", FLOORPERSON)
RESHUFFLE = acts.Order("reshuffle", FLOORPERSON)
IDLE = acts.Order("idle", "1001")
CONTINUOUS = replace(MACHINE, continuous=True)


def cuts(game: Game, setup: Setup = HAND, **state: Any) -> list[str]:
    """Who cut in a round: the seats and the dealer, in order."""
    return [str(event.by) for event in live(table_of(game, setup, **state)).only(e.DeckCut)]


def offer(game: Game, **state: Any) -> tuple[tuple[int, ...], str]:
    """To whom the cut was offered in the first round, and by which clause."""
    (offered,) = live(table_of(game, HAND, **state)).only(acts.OfferCut)
    return offered.seats, offered.cite


# Shuffle ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_5_a_one_deck_games_shuffle_after_each_round_and_the_21_games_after_each_shoe(chapter: str) -> None:
    game = like(chapter, seats=6)
    first = live(table_of(game, HAND))
    assert first.state is not None
    assert first.steps()[0] == "Shuffle"
    second = live(table_of(game, HAND, decks=first.state.decks, ready=first.state.ready))
    assert ("Shuffle" in second.steps()) is (chapter not in TWENTY_ONE)
    (closed,) = first.only(e.RoundClosed)
    assert closed.disposition == ("continue" if chapter in TWENTY_ONE else "reshuffle")


def test_672a_7_d_the_shoe_is_over_when_the_cover_card_has_come_out() -> None:
    noticed = iter([acts.Incident("cover_card", seat(2))])

    def draw(act: acts.DealAround) -> object:
        incident = next(noticed, None) if act.number == 2 else None
        return acts.Drawn(FaceDown(card("As"))) if incident is None else Interrupted(incident)

    day = live(table_of(SHOE_GAME, HAND), answers={acts.DealAround: draw})
    (closed,) = day.only(e.RoundClosed)
    assert (closed.outcome, closed.disposition) == ("completed", "reshuffle")
    assert day.state is not None
    assert (day.state.ready, day.state.cover_card_at) == (False, seat(2))
    after = live(table_of(SHOE_GAME, HAND, cover_card_at=day.state.cover_card_at))
    assert after.steps()[0] == "Shuffle"
    assert after.state is not None
    assert (after.state.ready, after.state.cover_card_at) == (True, None)


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("setup", [HAND, MACHINE], ids=["by_hand", "by_device"])
def test_x_5_c_what_a_device_has_shuffled_is_cut_in_the_21_games_alone(chapter: str, setup: Setup) -> None:
    by_hand = setup is HAND
    assert len(cuts(like(chapter, seats=6), setup)) == (1 if by_hand or chapter in TWENTY_ONE else 0)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_5_b_preshuffled_cards_are_cut(chapter: str) -> None:
    """670a.5(b)(2) and 676a.5(c)(2) forget them, and are read like the others."""
    day = live(table_of(like(chapter, seats=6), MACHINE, decks=(DeckState("deck-1", "red", 0, preshuffled=True),)))
    assert "Shuffle" not in day.steps()
    assert len(day.only(e.DeckCut)) == 1


# Offers -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_5_d_only_561_670a_and_the_21_games_offer_the_cut(chapter: str) -> None:
    day = live(table_of(like(chapter, seats=6), HAND))
    assert ("OfferCut" in day.steps()) is (chapter in OFFERED)
    (cut,) = day.only(e.DeckCut)
    assert (cut.by is DEALER) is (chapter not in OFFERED)


def test_561_5_d_first_to_the_player_who_arrived_first_then_from_the_right() -> None:
    assert offer(PAI_GOW_LIKE, just_opened=True, first_player=4) == ((4, 6, 5, 3, 2, 1), "561.5(d)(1)")
    assert offer(PAI_GOW_LIKE) == ((6, 5, 4, 3, 2, 1), "561.5(d)(2)")


def test_672a_5_c_to_one_player_or_from_the_right() -> None:
    from_the_right = (6, 5, 4, 3, 2, 1)
    assert offer(SHOE_GAME, just_opened=True, first_player=4) == ((4,), "672a.5(c)(1)")
    assert offer(SHOE_GAME, cover_card_at=seat(2)) == ((2,), "672a.5(c)(2)")
    assert offer(SHOE_GAME, cover_card_at=DEALER) == (from_the_right, "672a.5(c)(3)")
    assert offer(SHOE_GAME, cover_card_at=seat(2), shuffle_ordered=True) == (from_the_right, "672a.5(c)(4)")
    assert offer(SHOE_GAME) == (from_the_right, "672a.5(c)(4)")


@pytest.mark.parametrize("game", [PAI_GOW_LIKE, SHOE_GAME], ids=["pai_gow", "shoe"])
def test_x_5_c_where_nobody_saw_who_came_first_the_dealer_names_him(game: Game) -> None:
    """Preshuffled decks are not spread, so nobody was waited for."""
    seats, clause = offer(game, just_opened=True)
    assert (seats, clause) == ((6, 5, 4, 3, 2, 1), game.shuffling.offers["first_player"])


def test_561_5_c_dealer_cuts_when_all_have_refused() -> None:
    refused = {acts.OfferCut: lambda act: acts.CutTaken(None, act.seats)}
    day = live(table_of(PAI_GOW_LIKE, HAND), answers=refused)
    assert [event.by for event in day.only(e.DeckCut)] == [DEALER]
    asked = [(event.seat, event.verb) for event in day.only(e.SeatDecided) if event.verb in ("cut", "no_cut")]
    assert asked == [(number, "no_cut") for number in (6, 5, 4, 3, 2, 1)]


def test_561_5_d_2_refusals_are_on_the_record_in_their_order() -> None:
    taken = {acts.OfferCut: lambda _act: acts.CutTaken(4, (6, 5))}
    day = live(table_of(PAI_GOW_LIKE, HAND), answers=taken)
    asked = [(event.seat, event.verb) for event in day.only(e.SeatDecided) if event.verb in ("cut", "no_cut")]
    assert asked == [(6, "no_cut"), (5, "no_cut"), (4, "cut")]
    assert [(event.by, event.cite) for event in day.only(e.DeckCut)] == [(seat(4), "561.5(e)")]


def refused(answers: dict[str, str], game: Game = PAI_GOW_LIKE, setup: Setup = HAND) -> dict[str, Any]:
    """What the script says to a round with these answers to the offer of the cut."""
    cards = {"cards": "2c 3d 4h 5s 6c 7d 8h 9s Tc"}
    script = {"wagers": {"3": {"ante": "10.00"}, "5": {"ante": "10.00"}}, "decisions": {"3": ["fold"], "5": ["fold"]}}
    table = {"shuffler": setup.shuffler.value}
    document = play(scenario_of(game, {"table": table, "round": [{**script, **cards, "cut": answers}]}))
    error: dict[str, Any] = document.get("error", {})
    return error


def test_scenario_says_who_cuts_where_the_cut_is_offered() -> None:
    assert refused({"5": "no_cut", "3": "cut"}) == {}
    assert refused({"3": "cut"}) == {}, "a seat that is not named refuses"
    asked_too_late = refused({"5": "cut", "3": "cut"})
    assert (asked_too_late["seat"], asked_too_late["message"]) == (3, "the cut was not offered to it")
    assert refused({"4": "cut"})["seat"] == 4, "nobody is at that place"
    assert refused({"5": "cut"}, setup=MACHINE)["message"] == "the cut was not offered to it"
    assert refused({"5": "cut"}, game=LATER_CHAPTER)["message"] == "cut: Three Card Poker has no use for it"
    assert refused({"7": "cut"})["message"] == "the table has 6 betting positions"


# Recut and reshuffle ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", ["563", "565", "655a", "657a", "671a", "674a", "676a"])
def test_x_5_e_dealer_cuts_again_between_cut_and_first_card(chapter: str) -> None:
    day = live(table_of(like(chapter, seats=6), HAND), orders={"CollectWagers": RECUT})
    assert [(str(event.by), event.cite) for event in day.only(e.DeckCut)] == [
        ("dealer", f"{chapter}.5(d)"),
        ("dealer", f"{chapter}.5(e)"),
    ]
    assert len(day.only(e.DeckShuffled)) == 1


@pytest.mark.parametrize(("chapter", "order"), [("561", "CollectWagers"), ("670a", "CollectWagers")])
def test_561_5_f_who_has_cut_cuts_again_or_the_next_one_who_is_entitled(chapter: str, order: str) -> None:
    taken = iter([acts.CutTaken(4), acts.CutTaken(3)])
    game = like(chapter, seats=6)
    day = live(table_of(game, HAND), answers={acts.OfferCut: lambda _act: next(taken)}, orders={order: RECUT})
    assert [offered.seats for offered in day.only(acts.OfferCut)] == [(6, 5, 4, 3, 2, 1), (4, 3, 2, 1)]
    assert [(event.by, event.cite) for event in day.only(e.DeckCut)] == [
        (seat(4), f"{chapter}.5(e)"),
        (seat(3), f"{chapter}.5(f)"),
    ]


def test_561_5_f_dealer_who_has_cut_cuts_again() -> None:
    refused = {acts.OfferCut: lambda _act: acts.CutTaken(None)}
    day = live(table_of(PAI_GOW_LIKE, HAND), answers=refused, orders={"CollectWagers": RECUT})
    assert [event.by for event in day.only(e.DeckCut)] == [DEALER, DEALER]
    assert len(day.only(acts.OfferCut)) == 1


def test_672a_5_e_recut_before_the_cards_are_in_the_shoe_and_not_after() -> None:
    before = live(table_of(SHOE_GAME, HAND), orders={"LoadShoe": RECUT})
    assert [event.cite for event in before.only(e.DeckCut)] == ["672a.5(d)", "672a.5(e)"]
    deck = [step for step in before.steps() if step in ("Shuffle", "OfferCut", "Cut", "LoadShoe")]
    assert deck == ["Shuffle", "OfferCut", "Cut", "LoadShoe", "OfferCut", "Cut", "LoadShoe"]
    after = live(table_of(SHOE_GAME, HAND), orders={"CollectWagers": RECUT})
    assert [event.cite for event in after.only(e.DeckCut)] == ["672a.5(d)"]


def test_x_5_e_cards_that_were_not_cut_are_not_cut_again() -> None:
    day = live(table_of(THREE_CARD_POKER, MACHINE), orders={"CollectWagers": RECUT})
    assert day.only(e.DeckCut) == []


def test_657a_5_a_reshuffle_on_order_shuffles_and_cuts_once_more() -> None:
    day = live(table_of(LATER_CHAPTER, HAND), orders={"CollectWagers": RESHUFFLE})
    assert day.steps()[:4] == ["Shuffle", "Cut", "Shuffle", "Cut"]


def test_672a_5_f_reshuffle_on_order_in_the_middle_of_a_shoe() -> None:
    seen = ShoeMemory(6, (ShownHand(1, (1, 4), (card("As"), card("Kd"))),))
    day = live(table_of(SHOE_GAME, HAND, ready=True, shoe=seen), orders={"CollectWagers": RESHUFFLE})
    assert day.state is not None
    assert day.state.shoe.out == 4, "what has left since the shuffle: two cards each for a seat and the dealer"
    assert [hand.round for hand in day.state.shoe.hands] == [1, 1], "and what was turned up in this round alone"
    assert card("Kd") not in [seen for hand in day.state.shoe.hands for seen in hand.cards]
    assert day.steps()[:4] == ["Shuffle", "OfferCut", "Cut", "LoadShoe"]
    assert day.only(acts.OfferCut)[0].cite == "672a.5(c)(4)"


@pytest.mark.parametrize("at", ["OfferCut", "Cut"])
def test_order_that_comes_at_the_cut_does_not_shuffle_again(at: str) -> None:
    notice = acts.Order("limits_notice", FLOORPERSON)
    day = live(table_of(PAI_GOW_LIKE, HAND), orders={at: notice})
    assert len(day.only(e.DeckShuffled)) == 1
    assert len(day.only(e.DeckCut)) == 1


# Devices that reshuffle and count -----------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_5_g_no_cut_recut_and_idle_rule_with_an_approved_device(chapter: str) -> None:
    game = like(chapter, seats=6)
    approved = game.shuffling.reshuffling is not None
    assert approved is (chapter not in ("561", "563", "565"))
    day = live(table_of(game, CONTINUOUS))
    assert day.only(e.DeckCut) == []
    table = table_of(game, CONTINUOUS)
    assert table.reshuffles is approved
    if approved:
        idle = live(table, orders={"CollectWagers": IDLE})
        assert idle.only(e.StepAttested) == []
        assert idle.only(acts.IdleCards) == []


def test_672a_5_h_device_that_has_left_takes_its_clause_with_it() -> None:
    table = table_of(SHOE_GAME, CONTINUOUS, shuffler="none", removed=("shuffler",))
    assert not table.reshuffles
    assert len(live(table).only(e.DeckCut)) == 1


# Idle table ---------------------------------------------------------------------------------------------------------


def idle(game: Game, setup: Setup = HAND, **state: Any) -> list[str]:
    """What is done at an idle table up to the next deal."""
    steps = live(table_of(game, setup, **state), orders={"CollectWagers": IDLE}).steps()
    after = max(n for n, step in enumerate(steps) if step.startswith("spread_"))
    return steps[after : steps.index("NoMoreBets")]


@pytest.mark.parametrize("chapter", ["561", "563", "565"])
def test_565_5_f_chapters_of_2010_spread_up_or_down_and_turn_up_on_arrival(chapter: str) -> None:
    game = like(chapter, seats=6)
    steps = ["spread_idle: dealer", "IdleCards", "wash: dealer", "stack: dealer", "Shuffle"]
    day = live(table_of(game, HAND), orders={"CollectWagers": IDLE})
    assert [step for step in idle(game) if step != "OfferCut"] == [*steps, "Cut"]
    (shown,) = day.only(acts.IdleCards)
    assert (shown.face, shown.cite) == ("turned_up", f"{chapter}.5({'g' if chapter == '561' else 'f'})")
    assert day.only(e.CardsShown)[0].face_up is True
    washed = [event.cite for event in day.only(e.StepAttested) if event.step == "wash"]
    assert washed == [f"{chapter}.4(c)"]


@pytest.mark.parametrize("chapter", ["655a", "657a", "671a", "674a", "676a"])
def test_655a_5_f_later_chapters_spread_face_down_unless_a_player_asks(chapter: str) -> None:
    game = like(chapter, seats=6)
    assert idle(game) == ["spread_face_down: dealer", "IdleCards", "wash: dealer", "stack: dealer", "Shuffle", "Cut"]
    asked = {acts.IdleCards: lambda _act: acts.PlayerLooked(2, face_up=True)}
    for answers, face_up in (({}, False), (asked, True)):
        day = live(table_of(game, HAND), answers=answers, orders={"CollectWagers": IDLE})
        assert [event.face_up for event in day.only(e.CardsShown)] == [face_up]


@pytest.mark.parametrize("chapter", ["670a", *TWENTY_ONE])
def test_670a_5_g_1_without_a_shuffler_the_cards_are_washed(chapter: str) -> None:
    game = like(chapter, seats=6)
    done = ["spread_face_down: dealer", "IdleCards", "wash: dealer", "stack: dealer", "Shuffle", "OfferCut", "Cut"]
    assert idle(game) == [*done, *(["LoadShoe"] if chapter in TWENTY_ONE else [])]


EXCHANGED = (DeckState("deck-1", "red", 0), DeckState("deck-2", "blue", 0, in_shuffler=True))


@pytest.mark.parametrize("chapter", ["670a", *TWENTY_ONE])
def test_670a_5_g_2_with_a_shuffler_the_spread_deck_goes_in_and_the_stored_one_is_played(chapter: str) -> None:
    game = like(chapter, seats=6)
    shoe = {"decks": EXCHANGED, "ready": True} if chapter in TWENTY_ONE else {}
    day = live(table_of(game, TWO, **shoe), orders={"CollectWagers": IDLE})
    steps = day.steps()
    after = max(n for n, step in enumerate(steps) if step.startswith("spread_"))
    begin = ["spread_face_down: dealer", "IdleCards", "stack: dealer", "TakeStored", "TakeShuffled", "LoadShuffler"]
    assert steps[after : after + 6] == begin
    assert ("OfferCut" in steps[after:]) is (chapter in TWENTY_ONE)
    assert "Shuffle" not in steps[after:]
    (exchanged,) = day.only(e.DeckExchanged)
    assert (exchanged.deck, exchanged.before, exchanged.cite) == ("deck-2", "deck-1", f"{chapter}.5(g)(2)")
    (closed,) = day.only(e.RoundClosed)
    assert closed.deck == "deck-2", "the round names the deck that it was played with"


def test_670a_5_g_2_player_may_ask_that_the_stored_deck_be_spread_and_shuffled_once_more() -> None:
    asked = {acts.TakeStored: lambda _act: acts.StoredCards(spread=True)}
    day = live(table_of(like("670a", seats=6), TWO), answers=asked, orders={"CollectWagers": IDLE})
    steps = day.steps()
    after = steps[steps.index("TakeStored") :]
    assert after[:7] == [
        "TakeStored",
        "TakeShuffled",
        "LoadShuffler",
        "spread: dealer",
        "stack: dealer",
        "Shuffle",
        "OfferCut",
    ]
    assert [event.by for event in day.only(e.DeckShuffled)][-1] == "hand"


def test_670a_5_g_2_one_deck_is_shuffled_by_the_device() -> None:
    done = idle(like("670a", seats=6), MACHINE)
    assert done == ["spread_face_down: dealer", "IdleCards", "stack: dealer", "Shuffle"]


@pytest.mark.parametrize("game", [PAI_GOW_LIKE, SHOE_GAME], ids=["pai_gow", "shoe"])
def test_x_5_g_game_begins_again_with_whoever_comes_first(game: Game) -> None:
    day = live(table_of(game, HAND), orders={"CollectWagers": IDLE})
    offered = day.only(acts.OfferCut)
    assert offered[-1].cite == game.shuffling.offers["first_player"]
    assert offered[-1].seats[0] == 3
    assert day.state is not None
    assert day.state.just_opened is False, "a round was played"


def test_order_that_comes_while_nobody_plays_leaves_no_step_of_the_idle_table_out() -> None:
    orders = {"CollectWagers": IDLE, "IdleCards": acts.Order("limits_notice", FLOORPERSON)}
    day = live(table_of(LATER_CHAPTER, HAND), orders=orders)
    steps = day.steps()
    again = steps[steps.index("spread_face_down: dealer") :]
    assert again[:5] == ["spread_face_down: dealer", "IdleCards", "IdleCards", "wash: dealer", "stack: dealer"]


def test_table_at_which_nobody_plays_can_be_closed() -> None:
    orders = {"CollectWagers": IDLE, "IdleCards": acts.Order("close", FLOORPERSON)}
    day = live(table_of(LATER_CHAPTER, HAND), orders=orders, answers={acts.ClearLayout: lambda _act: True})
    assert day.state is not None
    assert (day.state.phase, day.state.decks) == (Phase.CLOSED, ())
    assert day.only(e.CardsShown) == []


@pytest.mark.parametrize("by", [DEALER, seat(5)], ids=str)
def test_cut_names_who_has_cut(by: Position) -> None:
    taken = {acts.OfferCut: lambda _act: acts.CutTaken(None if by is DEALER else by.number)}
    day = live(table_of(SHOE_GAME, HAND), play_round, taken)
    assert [event.by for event in day.only(e.DeckCut)] == [by]
