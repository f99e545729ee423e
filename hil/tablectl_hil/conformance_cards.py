"""What equipment that handles cards does: shoes, shufflers, hole-card readers, scanners."""

from __future__ import annotations

from typing import Final

from tablectl.cards import FaceDown, card
from tablectl.equipment import (
    BatchInserted,
    Capability,
    CardLeft,
    CardPresent,
    CardScanned,
    CardsEjected,
    CardUnreadable,
    DeckRead,
    DeviceState,
    DispenseStack,
    DoorMoved,
    EjectCards,
    Fault,
    HoleCardRead,
    HoleCardUnread,
    Kind,
    LinkLost,
    Message,
    Mode,
    ReadHoleCard,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    StartShuffle,
)
from tablectl_hil.conformance import (
    Bench,
    NotApplicable,
    Watch,
    answer,
    begin,
    check,
    perform,
    refused,
    require,
    up,
)

__all__: list[str] = []

DECK: Final = tuple(f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA")
FACE_UP: Final = ("As", "^Kd", "2c", "3c", "4c", "5c")
SHUFFLES: Final = (Kind.SHUFFLER, Kind.SHOE)
BY_HAND: Final = (Capability.DISPENSES,)


def _can(watch: Watch, capability: Capability) -> bool:
    description = watch.device.description
    return description is not None and capability in description.capabilities


async def _fill(bench: Bench, words: str = "Put one deck of 52 cards into the device.", cards: object = DECK) -> None:
    act = "insert" if bench.kind is Kind.SHUFFLER else "load"
    await bench.do(words, act, cards=list(cards))  # type: ignore[call-overload]


def _shuffles(watch: Watch) -> None:
    if watch.device.kind is Kind.SHOE and not _can(watch, Capability.RESHUFFLES):
        raise NotApplicable("the shoe does not shuffle")


# Shoes ----------------------------------------------------------------------------------------------------------------


@check(
    "shoe-counts", "Counts the cards that leave from 1, and from 1 again once it is loaded.", Kind.SHOE, without=BY_HAND
)
async def shoe_counts(bench: Bench) -> None:
    async with up(bench) as watch:
        for _ in range(2):
            await _fill(bench, "Put at least 10 cards into the shoe.")
            for count in (1, 2, 3):
                await bench.do("Draw one card from the shoe.", "take_card")
                left = await watch.until(CardLeft)
                require(left.count == count, f"expected count {count}, found {left.count}")


@check("shoe-identities", "Says identity and face up of a card only if it reads.", Kind.SHOE, without=BY_HAND)
async def shoe_identities(bench: Bench) -> None:
    async with up(bench) as watch:
        reads = _can(watch, Capability.READS)
        words = (
            "Put the ace of spades face down, the king of diamonds face up and the rest into the shoe, in this order."
        )
        await _fill(bench, words, FACE_UP)
        for name, face_up in (("As", False), ("Kd", True)):
            await bench.do("Draw one card from the shoe.", "take_card")
            left = await watch.until(CardLeft)
            expected = FaceDown(card(name) if reads else None)
            require(left.card == expected, "the identity of the card is not what it has to be")
            require(left.face_up == (face_up and reads), f"face up: expected {face_up and reads}, found {left.face_up}")


@check(
    "stack-taken", "A stack is said when it is taken, and no other one is given until then.", Kind.SHOE, needs=BY_HAND
)
async def stack_taken(bench: Bench) -> None:
    async with up(bench) as watch:
        await _fill(bench)
        command_id = await begin(bench, watch, DispenseStack(3))
        await refused(watch, DispenseStack(3), bench.new_id(), "while a stack waits")
        await bench.do("Take the stack.", "take_stack")
        taken = await answer(watch, DispenseStack(3), command_id)
        require(isinstance(taken, StackTaken) and len(taken.cards) == 3, "expected a stack of 3, found", type(taken))


@check(
    "stack-face-up",
    "A card that lies face up goes out with the stack, is listed, and another one after it.",
    Kind.SHOE,
    needs=BY_HAND,
)
async def stack_face_up(bench: Bench) -> None:
    async with up(bench) as watch:
        words = (
            "Put the ace of spades face down, the king of diamonds face up and the rest into the shoe, in this order."
        )
        await _fill(bench, words, FACE_UP)
        if not _can(watch, Capability.READS):
            raise NotApplicable("the shoe does not read")
        command_id = await begin(bench, watch, DispenseStack(2))
        await bench.do("Take the stack.", "take_stack")
        taken = await answer(watch, DispenseStack(2), command_id)
        require(isinstance(taken, StackTaken), f"expected StackTaken, found {type(taken).__name__}")
        assert isinstance(taken, StackTaken)
        require((len(taken.cards), taken.face_up) == (3, (1,)), "expected 3 cards, the second face up")


@check(
    "stack-fails",
    "A short or jammed stack says what came out, its state before, and nothing moves until it is cleared.",
    Kind.SHOE,
    needs=BY_HAND,
)
async def stack_fails(bench: Bench) -> None:
    async with up(bench) as watch:
        await _fill(bench, "Put two cards alone into the shoe.", DECK[:2])
        command_id, said = await begin(bench, watch, DispenseStack(3)), list[Message]()
        failed = await answer(watch, DispenseStack(3), command_id, said)
        require(isinstance(failed, StackFailed), f"expected StackFailed, found {type(failed).__name__}")
        assert isinstance(failed, StackFailed)
        require(len(failed.cards) == 2, f"two cards came out, and it says {len(failed.cards)}")
        states = [message for message in said if isinstance(message, DeviceState)]
        require(states and states[-1].fault is failed.fault, "the state has to say the fault before the result")
        await refused(watch, DispenseStack(1), bench.new_id(), "in a fault")
        await bench.do("Clear the shoe.", "clear")
        require((await watch.until(DeviceState)).fault is None, "a cleared shoe has to say so")


# Shuffling ------------------------------------------------------------------------------------------------------------


@check("shuffle", "A shuffle is busy, then ready, then finished, with a count exactly if it counts.", *SHUFFLES)
async def shuffle(bench: Bench) -> None:
    async with up(bench) as watch:
        _shuffles(watch)
        await _fill(bench)
        command_id, said = await begin(bench, watch, StartShuffle()), list[Message]()
        await bench.nudge("finish")
        finished = await answer(watch, StartShuffle(), command_id, said)
        require(isinstance(finished, ShuffleFinished), f"expected ShuffleFinished, found {type(finished).__name__}")
        assert isinstance(finished, ShuffleFinished)
        expected = 52 if _can(watch, Capability.COUNTS) else None
        require(finished.cards == expected, f"expected the count {expected}, found {finished.cards}")
        modes = [message.mode for message in said if isinstance(message, DeviceState)]
        require(modes[-2:] == [Mode.BUSY, Mode.READY], "expected the modes busy, ready before the result; found", modes)


@check("shuffle-refused", "A shuffle is refused while one runs, and without cards.", *SHUFFLES)
async def shuffle_refused(bench: Bench) -> None:
    async with up(bench) as watch:
        _shuffles(watch)
        await bench.do("Take all cards out of the device.", "clear")
        await refused(watch, StartShuffle(), bench.new_id(), "without cards")
        await _fill(bench)
        command_id = await begin(bench, watch, StartShuffle())
        await refused(watch, StartShuffle(), bench.new_id(), "while a shuffle runs")
        await bench.nudge("finish")
        await answer(watch, StartShuffle(), command_id)


@check(
    "shuffle-fails",
    "A shuffle that jams has failed, the state says so before, and none is begun until it is cleared.",
    *SHUFFLES,
)
async def shuffle_fails(bench: Bench) -> None:
    async with up(bench) as watch:
        _shuffles(watch)
        await _fill(bench)
        for fault in (Fault.JAM, Fault.INCOMPLETE):
            await bench.arrange("fail_next", fault=fault.value)
            said: list[Message] = []
            failed = await perform(bench, watch, StartShuffle(), nudge="finish", said=said)
            require(isinstance(failed, ShuffleFailed) and failed.fault is fault, f"expected {fault}, found {failed}")
            states = [message for message in said if isinstance(message, DeviceState)]
            require(states and states[-1].fault is fault, "the state has to say the fault before the result")
            await refused(watch, StartShuffle(), bench.new_id(), "in a fault")
            await bench.do("Clear the device.", "clear")


@check(
    "shuffle-power",
    "A shuffle that power ended is incomplete, in its state, and until somebody has cleared it.",
    *SHUFFLES,
)
async def shuffle_power(bench: Bench) -> None:
    async with up(bench) as watch:
        _shuffles(watch)
        await _fill(bench)
        await begin(bench, watch, StartShuffle())
        await bench.do("Take the power away at once, while it shuffles, and give it back.", "power_cycle", kept=False)
        await watch.until(LinkLost)
        require((await watch.until(DeviceState)).fault is Fault.INCOMPLETE, "expected the fault incomplete")
        await refused(watch, StartShuffle(), bench.new_id(), "after a shuffle that was not completed")


@check("shuffler-modes", "Says another mode with its light, and refuses to shuffle in it.", Kind.SHUFFLER)
async def shuffler_modes(bench: Bench) -> None:
    async with up(bench) as watch:
        await _fill(bench)
        for mode in (Mode.SORT, Mode.SERVICE):
            words = f"Put the shuffler into the mode {mode}, if it has that."
            await bench.do(words, "indicate", mode=mode.value, lamp="green", blinking=True)
            state = await watch.until(DeviceState)
            while state.mode is not mode:
                state = await watch.until(DeviceState)
            require(not bench.emulated or state.blinking, "a light that blinks has to be said so")
            await refused(watch, StartShuffle(), bench.new_id(), f"in the mode {mode}")


@check("door", "Says when its door is opened and closed; nothing moves behind an open one.", *SHUFFLES)
async def door(bench: Bench) -> None:
    async with up(bench) as watch:
        _shuffles(watch)
        await _fill(bench)
        command_id, said = await begin(bench, watch, StartShuffle()), list[Message]()
        await bench.do("Open the door while it shuffles.", "door", open=True)
        failed = await answer(watch, StartShuffle(), command_id, said)
        require(isinstance(failed, ShuffleFailed), f"expected ShuffleFailed, found {type(failed).__name__}")
        require(DoorMoved(True) in said, "expected the door to be said open")
        await refused(watch, StartShuffle(), bench.new_id(), "behind an open door")
        await bench.do("Close the door.", "door", open=False)
        require(not (await watch.until(DoorMoved)).open, "expected the door to be said closed")


@check("eject", "Ejects all cards on command, says how many if it counts, and what is still inside.", *SHUFFLES)
async def eject(bench: Bench) -> None:
    async with up(bench) as watch:
        if bench.kind is Kind.SHOE and not (_can(watch, Capability.DISPENSES) or _can(watch, Capability.RESHUFFLES)):
            raise NotApplicable("the shoe does not eject")
        await _fill(bench)
        said: list[Message] = []
        ejected = await perform(bench, watch, EjectCards(), said=said)
        assert isinstance(ejected, CardsEjected)
        require(ejected.cards in {52, None}, f"52 cards were inside, and it says that {ejected.cards} came out")
        states = [message for message in said if isinstance(message, DeviceState)]
        require(states and states[-1].cards_inside in {0, None}, "the state has to say that nothing is inside")


@check(
    "eject-leaves",
    "Cards that stay inside show in the state and in the count.",
    Kind.SHUFFLER,
    needs=[Capability.COUNTS],
)
async def eject_leaves(bench: Bench) -> None:
    async with up(bench) as watch:
        await _fill(bench)
        await bench.arrange("leave_inside_next", cards=16)
        said: list[Message] = []
        ejected = await perform(bench, watch, EjectCards(), said=said)
        states = [message for message in said if isinstance(message, DeviceState)]
        require(states and states[-1].cards_inside == 16, "16 cards stayed inside; it says", states[-1:])
        require(isinstance(ejected, CardsEjected) and ejected.cards == 36, "36 cards came out; it says", ejected)


async def _read(bench: Bench, watch: Watch) -> tuple[DeckRead, Message]:
    said: list[Message] = []
    finished = await perform(bench, watch, StartShuffle(), nudge="finish", said=said)
    found = [message for message in said if isinstance(message, DeckRead)]
    require(len(found) == 1, f"expected one DeckRead before the result, found {len(found)}")
    return found[0], finished


@check(
    "deck-identified",
    "Names the cards that are missing and those that are too many.",
    Kind.SHUFFLER,
    needs=[Capability.IDENTIFIES],
)
async def deck_identified(bench: Bench) -> None:
    async with up(bench) as watch:
        wrong = ["Jc" if name == "Qc" else name for name in DECK]
        await _fill(bench, "Put a deck in, the queen of clubs replaced by a second jack of clubs.", wrong)
        found, _ = await _read(bench, watch)
        require((found.missing, found.extra) == ((card("Qc"),), (card("Jc"),)), "found", found.missing, found.extra)


@check("deck-unreadable", "Says how many cards it could not read.", Kind.SHUFFLER, needs=[Capability.IDENTIFIES])
async def deck_unreadable(bench: Bench) -> None:
    async with up(bench) as watch:
        await _fill(bench)
        await bench.arrange("unreadable_next", cards=2)
        found, _ = await _read(bench, watch)
        require(found.unreadable == 2, f"two cards were unreadable, and it says {found.unreadable}")
        require(len(found.missing) == 2, "cards that were not read are among the missing")


@check(
    "backs",
    "Says the colour of the backs, and how many cards have another one.",
    Kind.SHUFFLER,
    needs=[Capability.BACKS],
    without=[Capability.BATCHES],
)
async def backs(bench: Bench) -> None:
    async with up(bench) as watch:
        await bench.do("Put 51 cards with red backs in.", "insert", cards=list(DECK[:51]), back="red")
        await bench.do("Put a card with a blue back in as well.", "insert", cards=[DECK[51]], back="blue")
        found, _ = await _read(bench, watch)
        require(found.odd_backs == 1, f"one card has another back, and it says {found.odd_backs}")
        require(found.back is not None, "expected the colour of the backs")


@check(
    "batches",
    "Takes a batch in while another is inside, numbers them, and shuffles the older one.",
    Kind.SHUFFLER,
    needs=[Capability.BATCHES],
)
async def batches(bench: Bench) -> None:
    async with up(bench) as watch:
        await _fill(bench)
        first = await watch.until(BatchInserted)
        command_id = await begin(bench, watch, StartShuffle())
        await _fill(bench, "Put a second deck in.")
        second = await watch.until(BatchInserted)
        require(second.batch == first.batch + 1, f"batch {second.batch} follows batch {first.batch}")
        said: list[Message] = []
        await bench.nudge("finish")
        await answer(watch, StartShuffle(), command_id, said)
        found = [message.batch for message in said if isinstance(message, DeckRead)]
        require(found == [first.batch], f"the shuffle was of batch {first.batch}; it says", found)
        deck, _ = await _read(bench, watch)
        require(deck.batch == second.batch, f"the next shuffle is of batch {second.batch}; it says {deck.batch}")


@check(
    "continuous",
    "Gives single cards once it has started, and takes cards back meanwhile.",
    Kind.SHUFFLER,
    needs=[Capability.CONTINUOUS],
)
async def continuous(bench: Bench) -> None:
    async with up(bench) as watch:
        await _fill(bench)
        await perform(bench, watch, StartShuffle(), nudge="finish")
        for count in (1, 2):
            name = await bench.do("Draw one card.", "take_card")
            left = await watch.until(CardLeft)
            require(left == CardLeft(count, FaceDown(None), False), "expected a card without identity, count", count)
            await bench.do("Put it back into the device.", "insert", cards=[name])
        ejected = await perform(bench, watch, EjectCards())
        require(
            isinstance(ejected, CardsEjected) and ejected.cards in {52, None}, "52 cards are inside; it says", ejected
        )


# Hole-card reader -----------------------------------------------------------------------------------------------------


@check(
    "hole-card-bit",
    "Says one bit of the card that lies in it, now or later; a second read meanwhile is refused.",
    Kind.CARD_READER,
)
async def hole_card_bit(bench: Bench) -> None:
    async with up(bench) as watch:
        for blackjack in (True, False):
            words = f"Put a hole card in that makes {'a' if blackjack else 'no'} Blackjack."
            await bench.do(words, "insert", blackjack=blackjack)
            require((await watch.until(CardPresent)).present, "expected the card to be said present")
            read = await perform(bench, watch, ReadHoleCard())
            require(isinstance(read, HoleCardRead) and read.blackjack is blackjack, f"expected {blackjack}")
            await bench.do("Take the card out.", "withdraw")
            require(not (await watch.until(CardPresent)).present, "expected the card to be said gone")
        command_id = await begin(bench, watch, ReadHoleCard())
        await refused(watch, ReadHoleCard(), bench.new_id(), "while one waits for a card")
        await bench.do("Put a hole card in that makes a Blackjack.", "insert", blackjack=True)
        read = await answer(watch, ReadHoleCard(), command_id)
        require(isinstance(read, HoleCardRead) and read.blackjack, "expected a Blackjack")


@check(
    "hole-card-unread",
    "A card taken out too early, or that it cannot read, is unread; and no fault of the reader.",
    Kind.CARD_READER,
)
async def hole_card_unread(bench: Bench) -> None:
    async with up(bench) as watch:
        command_id = await begin(bench, watch, ReadHoleCard())
        await bench.do("Put a card halfway in and take it out again.", "insert", blackjack=True, slowly=True)
        await bench.nudge("withdraw")
        unread = await answer(watch, ReadHoleCard(), command_id)
        expected = HoleCardUnread(command_id, Fault.INCOMPLETE)
        require(unread == expected, f"expected {expected}, found {unread}")
        await bench.arrange("fail_next", fault="unreadable")
        await bench.do("Put a card in that it cannot read.", "insert", blackjack=True)
        unread = await perform(bench, watch, ReadHoleCard())
        require(isinstance(unread, HoleCardUnread) and unread.fault is Fault.UNREADABLE, f"found {unread}")
        again = await perform(bench, watch, ReadHoleCard())
        require(isinstance(again, HoleCardRead), "the reader is not at fault, and reads the next time")


@check(
    "hole-card-tamper", "Tampering ends a read as unread, and nothing is read until it is cleared.", Kind.CARD_READER
)
async def hole_card_tamper(bench: Bench) -> None:
    async with up(bench) as watch:
        command_id = await begin(bench, watch, ReadHoleCard())
        await bench.do("Open the reader's housing, so that it sees tampering.", "meddle")
        unread = await answer(watch, ReadHoleCard(), command_id)
        require(unread == HoleCardUnread(command_id, Fault.TAMPER), f"expected unread (tamper), found {unread}")
        await refused(watch, ReadHoleCard(), bench.new_id(), "after tampering")


# Scanner --------------------------------------------------------------------------------------------------------------


@check("scans", "Says each card that is shown, and one that it cannot read as that.", Kind.CARD_SCANNER)
async def scans(bench: Bench) -> None:
    async with up(bench) as watch:
        for name in ("As", "Td", "2c"):
            await bench.do(f"Show {card(name)} to the scanner.", "show", card=name)
            scanned = await watch.until(CardScanned)
            require(scanned.card == card(name), f"{card(name)} was shown, and it says {scanned.card}")
        await bench.do("Show the back of a card to the scanner.", "show_unreadable")
        await watch.until(CardUnreadable)
