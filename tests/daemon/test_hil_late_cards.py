"""Cards that a shoe tells of when their deal or their round is over: not drawn in error, then or when replayed."""

from __future__ import annotations

from pathlib import Path

from tablectl import events as e
from tests.daemon.tables import Rig, table


async def _dealt_by_hand(rig: Rig, *, kept: bool) -> None:
    """The shoe is lost at card 4, and the rest is dealt from it without its being heard."""
    await rig.deal(to="DEAL CARD 4")
    await rig.equipment.unplug("shoe")
    await rig.shows("DEAL ALL CARDS")
    if not kept:
        await rig.equipment.power_cycle("shoe", kept=False)
    rig.robot(1)._out = 9
    for _ in range(6):
        await rig.equipment.take_card("shoe")
    await rig.press("dealt")
    await rig.shows("SEAT 1")


async def test_shoe_that_comes_back_between_rounds_is_replayed_as_it_was(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await _dealt_by_hand(rig, kept=True)
        await rig.deal()
        await rig.shows("SHOE LOST: FLOORPERSON'S BADGE")
        await rig.equipment.replug("shoe")
        await rig.recorded("CardLeft", 9)
        await rig.clear_fault()
        await rig.shows("SHUFFLING")
        assert rig.events(e.IrregularityNoted) == []


async def test_shoe_without_its_memory_comes_back_with_cards_that_were_said_to_be_dealt(tmp_path: Path) -> None:
    async with table(tmp_path) as rig:
        await _dealt_by_hand(rig, kept=False)
        await rig.equipment.replug("shoe")
        await rig.recorded("CardLeft", 9)
        await rig.deal()
        assert rig.events(e.IrregularityNoted) == []
        assert rig.document() == rig.expected()
