"""Devices that do not work, and what they say of the cards: out of service, standing faults, checks around a round.

No device is covered or taken away before the cards inside are accounted for. A device that the game cannot do without
(the card reader of the 21 games) stops the table until a floorperson says that it was repaired or replaced.
"""

from __future__ import annotations

from typing import Final

from tablectl.events import Disposition, Outcome
from tablectl.procedure.decks import deck_clock, judge, leave_one_deck
from tablectl.procedure.game import Dealing, Remedy, Shuffler
from tablectl.procedure.instructions import (
    AccountFor,
    CheckEquipment,
    CoverDevice,
    EquipmentChecked,
    Incident,
    Inside,
    LatchFault,
    Now,
    Order,
    Ordered,
    PutRight,
    RecordClaim,
    RemoveDevice,
    Repair,
    ReturnDevice,
)
from tablectl.procedure.irregularities import find, note
from tablectl.procedure.questions import clear_questions, raise_question, replace_card, set_card_aside
from tablectl.procedure.table import StandingFault, Table, TableHalt
from tablectl.records import replace
from tablectl.rules import Objection

__all__ = [
    "check_after_round",
    "device_of",
    "devices_out_of_service",
    "latch_standing",
    "obey_upkeep_order",
    "ready_to_deal",
    "repair_standing",
    "return_device",
    "take_out_of_service",
    "upkeep_orders",
]

SHUFFLER, SHOE = "shuffler", "shoe"
_STANDING: Final = {"card_reader_fault": "card_reader", "card_reader_out_of_service": "card_reader"}
"""Irregularities that suspend the table, and the kind of device that has to be repaired before it goes on."""


# Out of service -----------------------------------------------------------------------------------------------------


async def devices_out_of_service(table: Table) -> None:
    """Devices that are known to be out of service leave the table before another method is used (x.13(g))."""
    systems = [system.kind.value for system in table.game.systems]
    for device in table.state.out_of_service:
        if device in table.state.removed:
            continue
        if device in systems:  # no clause speaks of it: its wagers are not offered
            table.state = replace(table.state, removed=(*table.state.removed, device))
            await note(Incident(f"{device}_out_of_service"), None, ())
            continue
        kind = "card_reader_fault" if device == "card_reader" else f"{device}_out_of_service"
        await take_out_of_service(table, kind, device, None)
    if table.state.out_of_service:
        table.state = replace(table.state, out_of_service=())


def device_of(incident: Incident) -> str:
    """The kind of device that is out of service by that irregularity."""
    return incident.kind.removesuffix("_out_of_service")


async def take_out_of_service(
    table: Table, kind: str, device: str, then: str | None, *, shuffling: bool = False
) -> None:
    """Account for the cards inside, then cover the device or take it away as the chapter says, and go on without it.

    `shuffling`: the cards are being shuffled, and those that are not in the shuffler are in the dealer's hands.
    """
    incident = Incident(kind, then=then)
    rule = find(table, incident)
    if rule is None or rule.cite is None:
        await note(incident, None, ())
        return
    if rule.remedy is Remedy.SUSPEND:
        raise TableHalt(kind, rule.cite, rule.remedies, Disposition.CONTINUE)
    shuffler = Shuffler.NONE if device == SHUFFLER else table.shuffler
    dealing = table.dealing if then is None else Dealing(then)
    setup = replace(table.setup, dealing=dealing, shuffler=shuffler)
    if then is None and (device == SHOE or any(table.game.objections(table.rules, setup))):
        dealing = table.game.usual_dealing  # which needs no device
        setup = replace(setup, dealing=dealing)
    objections = list(table.game.objections(table.rules, setup))
    if device == SHOE and dealing is Dealing.AUTOMATED_SHOE:
        objections.append(Objection("dealing", "the automated shoe is the device that does not work", rule.cite))
    for objection in objections:
        await PutRight(None, table.stage.value, objection.message, objection.cite)
        raise TableHalt(kind, rule.cite, ("floor_called",), Disposition.CONTINUE)
    if device == SHUFFLER or (device == SHOE and not shuffling):
        await _account_for_cards(table, device)
    table.setup, table.dealing, table.shuffler = setup, dealing, shuffler
    table.state = replace(table.state, removed=(*table.state.removed, device))
    await note(incident, rule.cite, rule.remedies)
    if rule.remedy is Remedy.COVER_DEVICE:
        await CoverDevice(device, rule.cite, dealing.value)
    else:
        await RemoveDevice(device, rule.cite, dealing.value)
    if device == SHUFFLER:
        await leave_one_deck(table)


async def return_device(table: Table, order: Order) -> None:
    """A device that was covered or taken away is back in service, as the order's badge says; `detail` is its kind.

    The table's own methods are used again, as far as the devices for them are there. The cards are shuffled anew.
    """
    device, configured = order.detail, table.configured
    if device not in table.state.removed:
        return
    removed = tuple(kind for kind in table.state.removed if kind != device)
    shuffler = Shuffler.NONE if SHUFFLER in removed else configured.shuffler
    dealing = table.game.usual_dealing if SHOE in removed else configured.dealing
    setup = replace(table.setup, dealing=dealing, shuffler=shuffler)
    if any(table.game.objections(table.rules, setup)):
        dealing = table.game.usual_dealing
        setup = replace(setup, dealing=dealing)
    await ReturnDevice(device, dealing.value, shuffler.value, order.credential)
    table.setup, table.dealing, table.shuffler, table.ready = setup, dealing, shuffler, False
    table.state = replace(table.state, removed=removed)


async def _account_for_cards(table: Table, device: str) -> None:
    """What is in the device is taken out, and has to be whole: what it shuffles, or what is dealt from it.

    Cards that were handled to clear a question are shuffled anew.
    """
    in_shuffler = [deck for deck in table.state.decks if deck.in_shuffler]
    in_play = [deck for deck in table.state.decks[:1] if not deck.in_shuffler]
    expected = table.game.deck
    if device == SHOE:
        expected -= table.state.shoe.out + table.cards_out - table.back_in_deck  # they lie in the discard rack
    for deck in in_play if device == SHOE else in_shuffler or in_play:
        counted = await AccountFor(device, deck.id, deck.back, expected)
        if counted.cards != expected:
            detail = f"{counted.cards} of {expected} cards taken out of the {device}"
            await raise_question(table, deck.id, "cards_unaccounted", detail)
    if await clear_questions(table):
        table.ready = False


# Orders -------------------------------------------------------------------------------------------------------------


def upkeep_orders(table: Table) -> tuple[str, ...]:
    """What a floorperson may order about cards and devices: a card aside or replaced, a device in service again."""
    back = tuple(f"{device}_back" for device in (SHUFFLER, SHOE) if device in table.state.removed)
    return ("set_card_aside", "replace_card", *back) if table.state.decks and table.game.dice is None else ()


async def obey_upkeep_order(table: Table, order: Order) -> None:
    """Do it; the cards are then shuffled anew."""
    match order.kind:
        case "set_card_aside":
            await set_card_aside(table, order)
        case "replace_card":
            await replace_card(table, order)
        case _:
            await return_device(table, replace(order, detail=order.detail or order.kind.removesuffix("_back")))


# Standing faults ----------------------------------------------------------------------------------------------------


async def latch_standing(table: Table, halt: TableHalt) -> None:
    """What has suspended the table stands until it is put right, also over a restart (672a.12(j), 673a.13(j))."""
    device = _STANDING.get(halt.cause)
    if device is None or any(fault.device == device for fault in table.state.standing):
        return
    await LatchFault(device, halt.cause, "no round before it is repaired or replaced")
    fault = StandingFault(device, halt.cause, halt.cite)
    table.state = replace(table.state, standing=(*table.state.standing, fault))


async def repair_standing(table: Table) -> None:
    """No round begins before a floorperson has said of each such device that it works."""
    for fault in table.state.standing:
        await Repair(fault.device, fault.fault, fault.cite)
    if table.state.standing:
        repaired = [fault.device for fault in table.state.standing]
        waiting = tuple(device for device in table.state.out_of_service if device not in repaired)
        table.state = replace(table.state, standing=(), out_of_service=waiting)


# Around a round -----------------------------------------------------------------------------------------------------


async def ready_to_deal(table: Table) -> None:
    """Before wagers are locked: the deck's time is not over, no device shows a fault, no card was left in one.

    Time passes while wagers are placed, and a light may have gone red since the shuffle. Cards that were handled to
    clear a question are shuffled anew, and the wagers are looked at again after that.
    """
    deck_clock(table, await Now())
    checked = await CheckEquipment("deal")
    for device in checked.out_of_service:
        await take_out_of_service(table, f"{device}_out_of_service", device, None)
    await _hear(table, checked)
    handled_by = await clear_questions(table)
    if handled_by:
        raise Ordered(Order("reshuffle", handled_by))


async def _hear(table: Table, checked: EquipmentChecked) -> None:
    """Take what devices have said by themselves, and what they hold."""
    for claim in checked.claims:
        deck = _held_by(table, claim.device)
        await RecordClaim(deck, claim)
        await judge(table, deck, claim)
    await _nothing_left_inside(table, checked.inside)


async def check_after_round(table: Table, outcome: Outcome) -> None:
    """What shoe and shuffler hold, and what lies on the table and in the rack, is the deck: as far as they can tell."""
    checked = await CheckEquipment("close")
    await _hear(table, checked)
    shoe = next((inside.cards for inside in checked.inside if inside.device == SHOE), None)
    if shoe is None or outcome is not Outcome.COMPLETED or not table.state.decks:
        return
    whole = table.game.deck
    stub = whole - table.state.shoe.out - table.cards_out + table.back_in_deck
    if shoe not in (0, stub, whole):  # in the rack, still in the shoe, or the next deck is in it already
        detail = f"{shoe} cards in the {SHOE}, {whole - stub} dealt: the deck has {whole}"
        await raise_question(table, table.deck, "does_not_add_up", detail)


async def _nothing_left_inside(table: Table, inside: tuple[Inside, ...]) -> None:
    """While a deck is played, the shuffler holds nothing, or whole other decks."""
    held = next((each.cards for each in inside if each.device == SHUFFLER), None)
    whole = table.game.deck
    if held is None or held % whole == 0 or not table.state.decks or table.setup.continuous:
        return
    waiting = [deck for deck in table.state.decks if deck.in_shuffler]
    left = held - whole * len(waiting)
    if left > 0 or not waiting:
        await raise_question(table, table.deck, "cards_left_inside", f"{held % whole} cards left in the {SHUFFLER}")
    else:
        detail = f"{held} of {whole} cards are in the {SHUFFLER}"
        await raise_question(table, waiting[0].id, "cards_unaccounted", detail)


def _held_by(table: Table, device: str) -> str:
    """The deck that a device speaks of by itself: the shuffler of what is in it, everything else of what is played."""
    in_shuffler = (deck.id for deck in table.state.decks if deck.in_shuffler)
    return next(in_shuffler, table.deck) if device == SHUFFLER else table.deck
