"""A whole table from its first start: closed, opened on its panel, refused to deal before, killed in between."""

from __future__ import annotations

from pathlib import Path

from tablectl import events as e
from tablectl.journal import RowKind
from tests.daemon.tables import TWO_SEATS, table, tapped, until
from tests.support import Broker

TWO_DECKS = {**TWO_SEATS, "round": [TWO_SEATS["round"][0]] * 2}


async def test_table_opens_refuses_to_deal_before_and_plays(tmp_path: Path, mosquitto: Broker) -> None:
    async with table(tmp_path, broker=mosquitto, opened=False) as rig, tapped(mosquitto) as tap:
        await rig.shows("DECK 1: FLOORPERSON'S BADGE")
        assert rig.lit == ("irregularity",)
        await rig.press("no_more_bets", "shuffled", "dealt", "new_deck", "done", "seat_1")
        await rig.equipment.load("shoe", ["As"])
        await rig.equipment.take_card("shoe")
        await rig.recorded("KeyPressed", 6)
        await rig.recorded("CardLeft", 1)
        assert rig.rows(RowKind.INTENT) == []
        assert rig.events(e.RoundOpened, e.CardDealt, e.DeckReceived) == []
        await until(lambda: bool(rig.events(e.IrregularityNoted)), "a card that left the shoe is on the record")
        await rig.press("enter")

        await rig.deal(to="TURN FACE DOWN")
        await rig.daemon.kill()
        await rig.daemon.start()
        await rig.shows("TURN FACE DOWN AND WASH: DONE")
        await rig.deal()
        assert rig.document() == rig.expected()
        steps = [event.step for event in rig.events(e.StepAttested) if isinstance(event, e.StepAttested)]
        assert steps == ["inspect", "verify", "spread", "wash", "stack"]
        (opened,) = rig.events(e.TableOpened)
        assert opened == e.TableOpened(1, "three_card_poker", ("deck-1",), "")
        order = [type(event) for event in rig.events(e.CardsShown, e.TableOpened, e.RoundOpened, e.RoundClosed)]
        assert order[:4] == [e.CardsShown, e.TableOpened, e.RoundOpened, e.RoundClosed]
        published = "tablectl/hil/P1/T1/event/"
        await until(
            lambda: any(t.startswith(published) and b"tablectl.table.opened" in said for t, said in tap.messages),
            lambda: str([t for t, _said in tap.messages]),
        )


async def test_two_decks_are_opened_and_take_turns(tmp_path: Path) -> None:
    def two(text: str) -> str:
        return text.replace("at_the_table = 1", "at_the_table = 2")

    async with table(tmp_path, TWO_DECKS, opened=False, edit=two) as rig:
        await rig.deal(1)
        await rig.deal(2)
        received = [event for event in rig.events(e.DeckReceived) if isinstance(event, e.DeckReceived)]
        assert [event.back for event in received] == ["red", "blue"]
        rounds = [event.deck for event in rig.events(e.RoundClosed) if isinstance(event, e.RoundClosed)]
        assert rounds == ["deck-1", "deck-2"]
