"""Decks at a whole table: two that take turns through a real shuffler's line, and a doubt that stops the next hand."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any, Final

from tablectl import events as e
from tests.daemon.tables import TWO_SEATS, Rig, Tap, table, tapped, until
from tests.support import Broker

FRESH: Final = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
TWO_ROUNDS: Final[dict[str, Any]] = {
    **TWO_SEATS,
    "table": {"shuffler": "identifying"},
    "round": [TWO_SEATS["round"][0], TWO_SEATS["round"][0]],
}


def two_decks(text: str) -> str:
    return text.replace("at_the_table = 1", "at_the_table = 2", 1)


async def exchange(rig: Rig, back: str) -> None:
    """What was shuffled comes out, and the deck with that back goes in: the shuffler tells, no key is pressed."""
    await rig.equipment.act("shuffler", "take")
    await rig.equipment.act("shuffler", "insert", cards=FRESH, back=back)
    await rig.shows("WAGERS")


async def test_565_3_b_decks_change_places_and_a_shuffle_in_the_background_outlives_a_kill(
    tmp_path: Path, mosquitto: Broker
) -> None:
    async with (
        tapped(mosquitto) as tap,
        table(tmp_path, TWO_ROUNDS, broker=mosquitto, edit=two_decks) as rig,
    ):
        await rig.deal(1, to="TAKE RED OUT, PUT BLUE IN")
        await exchange(rig, "blue")
        await until(
            lambda: rig.equipment.told("shuffler") is not None, "the shuffler was told to shuffle the blue deck"
        )
        told = rig.equipment.told("shuffler")
        assert told is not None
        await rig.stop(signal.SIGKILL)
        await rig.equipment.act("shuffler", "finish")  # while nobody listens
        await rig.daemon.start()
        await until(
            lambda: told["command"] in [said["command"] for said in rig.inputs("ShuffleFinished")], "it is heard"
        )
        await rig.deal(1)
        assert rig.document(1) == rig.expected(1)
        await rig.deal(2, to="TAKE BLUE OUT, PUT RED IN")
        await exchange(rig, "red")
        expected = [("deck-2", "blue", True, False), ("deck-1", "red", False, True)]
        await until(lambda: turns(tap) == expected, lambda: str(tap.document("/state")))
        assert tap.document("/state")["questions"] == []
        await rig.deal(2)
        assert rig.document(2) == rig.expected(2)
        found = rig.events(e.DeckLoaded, e.DeckClaimed, e.DeckShuffled)
        told_of = [(type(event).__name__, getattr(event, "deck", "")) for event in found]
        assert told_of[:7] == [
            ("DeckLoaded", "deck-1"),
            ("DeckClaimed", "deck-1"),
            ("DeckShuffled", "deck-1"),
            ("DeckLoaded", "deck-2"),
            ("DeckClaimed", "deck-2"),
            ("DeckShuffled", "deck-2"),
            ("DeckLoaded", "deck-1"),
        ]
        claims = [(event.deck, event.back, event.cards) for event in found if isinstance(event, e.DeckClaimed)]
        assert claims[:2] == [("deck-1", "red", 52), ("deck-2", "blue", 52)]


def turns(tap: Tap) -> list[tuple[str, str, bool, bool]]:
    """The decks as the retained state has them: identity, back, in play, in the shuffler."""
    decks = tap.document("/state").get("decks", [])
    return [(deck["id"], deck["back"], deck["in_play"], deck["in_shuffler"]) for deck in decks]


async def test_queen_that_is_missing_stops_the_table_until_it_is_replaced(tmp_path: Path, mosquitto: Broker) -> None:
    document = {**TWO_SEATS, "table": {"shuffler": "identifying"}}
    cards = ["Jh" if name == "Qh" else name for name in FRESH]
    async with tapped(mosquitto) as tap, table(tmp_path, document, broker=mosquitto, start=False) as rig:
        await rig.equipment.act("shuffler", "take")
        await rig.equipment.act("shuffler", "insert", cards=cards)
        await rig.daemon.start()
        await until(lambda: rig.equipment.told("shuffler") is not None, "the shuffler was told")
        await rig.equipment.act("shuffler", "finish")
        await rig.shows("DECK-1 MISSING CARD QH: BADGE")
        await until(lambda: len(tap.document("/state").get("questions", [])) == 2, lambda: str(tap.document("/state")))
        questions = tap.document("/state")["questions"]
        assert [(asked["deck"], asked["what"]) for asked in questions] == [
            ("deck-1", "missing_card"),
            ("deck-1", "extra_card"),
        ]
        assert all(asked["since"] for asked in questions)
        topics = [topic.rsplit("/event/", 1)[-1] for topic, _ in tap.messages if "/event/" in topic]
        assert {"deck/claimed", "deck/questioned"} <= set(topics), topics

        await rig.press("no_more_bets", "digit_3")
        await rig.stop(signal.SIGKILL)
        await rig.daemon.start()
        await rig.shows("DECK-1 MISSING CARD QH: BADGE")
        await rig.equipment.badge("badges", "4711")
        await rig.shows("1 PUT BACK 2 REPLACE 3 OUT")
        await rig.press("digit_2", "rank_Q", "suit_h", "rank_Q", "suit_h", "digit_1")
        await rig.shows("DECK-1 EXTRA CARD JH: BADGE")
        await rig.equipment.badge("badges", "4711")
        await rig.shows("1 COUNTED 2 PUT RIGHT 3 CHECKED 4 OUT")
        await rig.press("digit_2")
        await rig.shows("SHUFFLING")
        await until(lambda: tap.document("/state")["questions"] == [], "nothing is open any more")
        (replaced,) = rig.events(e.CardReplaced)
        assert isinstance(replaced, e.CardReplaced)
        assert (str(replaced.card), replaced.back, replaced.credential) == ("Qh", "red", "4711")
