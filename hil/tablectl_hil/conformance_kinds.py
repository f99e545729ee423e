"""What panels, credential readers, shakers and random number generators do, and all that test themselves."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tablectl.equipment import (
    Badge,
    BadgeUnreadable,
    Capability,
    DeviceState,
    DiceAge,
    DiceRead,
    DieLies,
    DrawNumber,
    Fault,
    KeyPressed,
    KeyReleased,
    Kind,
    NewDice,
    NumberDrawn,
    ReadDice,
    SelfTest,
    SelfTested,
    Shaken,
    ShowPrompt,
)
from tablectl_hil.conformance import Bench, Watch, check, perform, refused, require, state_of, up

__all__: list[str] = []

DICE: Final = {Capability.THREE_DICE: 3, Capability.SIX_DICE: 6, Capability.TEN_DICE: 10}
DRAWS: Final = 350
LARGEST_CHI_SQUARE: Final = 32.0
"""Seven equally likely numbers exceed it once in 60,000 times (six degrees of freedom)."""


def _able(watch: Watch) -> frozenset[Capability]:
    description = watch.device.description
    return frozenset() if description is None else frozenset(description.capabilities)


# Panel ------------------------------------------------------------------------------------------------------------


async def _keys(watch: Watch, count: int) -> list[str]:
    """The names of the next so many keys that were pressed; releases are passed over."""
    return [(await watch.until(KeyPressed)).key for _ in range(count)]


@check("panel-keys-in-order", "Two keys shortly after each other both count, in order; bounces do not.", Kind.PANEL)
async def keys_in_order(bench: Bench) -> None:
    async with up(bench) as watch:
        if not bench.emulated:
            await bench.do("Press two different keys, one right after the other.", "press")
            first, second = await _keys(watch, 2)
            require(first != second, f"two different keys were expected, found {first} twice")
            return
        for key in ("bet", "fold", "bet"):
            await bench.do("", "press", key=key, bounces=4)
        found = await _keys(watch, 3)
        require(found == ["bet", "fold", "bet"], "expected bet, fold, bet; found", found)


@check("panel-one-press", "One press of a key is one message, whatever the contact does.", Kind.PANEL)
async def one_press(bench: Bench) -> None:
    async with up(bench) as watch:
        for number in range(3):
            await bench.do("Press the same key once.", "press", key=f"key_{number}", bounces=6)
        await bench.do("Press another key once.", "press", key="last")
        found = await _keys(watch, 4)
        require(len(set(found)) == (4 if bench.emulated else 2), "expected each press once, found", found)
        require(found[-1] not in found[:-1], "a bounce was taken for a press:", found)


@check(
    "panel-stuck-key", "A held key is one press, without repeats, and after 10 s a fault until it comes up.", Kind.PANEL
)
async def stuck_key(bench: Bench) -> None:
    async with up(bench) as watch:
        await bench.nudge("stuck_after", ms=50)
        await bench.do("Press a key, and hold it until told to let go: 12 s.", "hold", key="bet")
        (pressed,) = await watch.take(1)
        require(isinstance(pressed, KeyPressed), f"expected one press, found {type(pressed).__name__}")
        state = state_of((await watch.take(1))[0])
        require(state.fault is Fault.STUCK, f"expected the fault stuck, found {state.fault}")
        await bench.do("Let the key go.", "release", key="bet")
        require((await watch.until(DeviceState)).fault is None, "the fault has to end when the key comes up")


@check("panel-dark-without-host", "What is pressed while no host is there never counts.", Kind.PANEL, slow=True)
async def dark_without_host(bench: Bench) -> None:
    async with up(bench):
        pass
    if bench.emulated:
        await bench.look("", lambda sights: not sights.present())
    await bench.do("Wait 5 seconds, then press a key three times.", "press", key="early")
    async with bench.open() as device:
        watch = Watch(device, bench.deadline_s)
        said = await watch.take(2)
        while not isinstance(said[-1], DeviceState):
            said += await watch.take(1)
        await bench.do("Press a key once.", "press", key="counts")
        while not isinstance(said[-1], KeyPressed):
            said += await watch.take(1)
        keys = [message.key for message in said if isinstance(message, KeyPressed)]
        require(len(keys) == 1, f"a press without a host has counted: {keys}")


@check("panel-prompts", "Takes every prompt: 40 characters, many keys, none; the last one counts.", Kind.PANEL)
async def prompts(bench: Bench) -> None:
    async with up(bench) as watch:
        for text, lit, standing in (
            ("", (), ()),
            ("W" * 40, ("bet", "fold"), ("bet",)),
            ("READY", ("bet",), ()),
        ):
            command_id = bench.new_id()
            for _ in range(2):
                await watch.device.send(ShowPrompt(text, lit, standing, False), command_id)


@check("panel-text", "Shows the text of the last prompt.", Kind.PANEL, needs=[Capability.TEXT])
async def text(bench: Bench) -> None:
    async with up(bench) as watch:
        for words in ("W" * 40, "READY"):
            await watch.device.send(ShowPrompt(words, (), (), False), bench.new_id())
        shown = await bench.look("Does the panel show READY?", lambda sights: sights.showing().text == "READY")
        require(shown, "the panel does not show the text of the last prompt")


@check("panel-lamps", "Lights exactly the keys of the last prompt.", Kind.PANEL)
async def lamps(bench: Bench) -> None:
    async with up(bench) as watch:
        for lit, standing in ((("bet", "fold"), ("bet",)), (("bet",), ())):
            await watch.device.send(ShowPrompt("", lit, standing, False), bench.new_id())
        shown = await bench.look(
            "Is the key BET lit, and no other?",
            lambda sights: (sights.showing().lit, sights.showing().standing) == (("bet",), ()),
        )
        require(shown, "the lamps are not those of the last prompt")


@check("panel-dark", "Is dark while no host is there.", Kind.PANEL, slow=True)
async def dark(bench: Bench) -> None:
    async with up(bench) as watch:
        await watch.device.send(ShowPrompt("READY", ("bet", "fold"), ("bet",), False), bench.new_id())
    shown = await bench.look(
        "Wait 5 seconds. Are all keys dark?",
        lambda sights: not (sights.showing().text or sights.showing().lit or sights.showing().standing),
    )
    require(shown, "the panel still shows a prompt while no host is there")


@check("panel-releases", "Says when a key whose press counted comes up again.", Kind.PANEL, needs=[Capability.RELEASES])
async def releases(bench: Bench) -> None:
    async with up(bench) as watch:
        await bench.do("Press a key for about a second and let it go.", "hold_for", key="void", ms=30)
        pressed = await watch.until(KeyPressed)
        released = await watch.until(KeyReleased)
        require(pressed.key == released.key, f"{pressed.key} was pressed and {released.key} released")


# Credential reader --------------------------------------------------------------------------------------------------


@check("badges", "Says each badge by its number, and one that it cannot read as that.", Kind.CREDENTIAL_READER)
async def badges(bench: Bench) -> None:
    async with up(bench) as watch:
        expected = await bench.do("Hold a badge to the reader, twice.", "badge", number="4711")
        if bench.emulated:
            await bench.do("", "badge", number="4711")
        first, second = await watch.until(Badge), await watch.until(Badge)
        require(first == second and first.number, f"the same badge was {first.number!r}, then {second.number!r}")
        if bench.emulated:
            expected = expected or "4711"
            require(first.number == expected, f"the badge {expected} was held to it, and {first.number} was said")
        await bench.do("Hold something to it that is no badge and that it cannot read.", "badge_unreadable")
        await watch.until(BadgeUnreadable)


# Shaker -------------------------------------------------------------------------------------------------------------


@check(
    "shaker-counts", "Counts shakes from 1 since the dice were last read; a read says and ends the count.", Kind.SHAKER
)
async def shaker_counts(bench: Bench) -> None:
    async with up(bench) as watch:
        await perform(bench, watch, ReadDice())
        for count in (1, 2, 3):
            await bench.do("Shake the shaker once.", "shake")
            shaken = await watch.until(Shaken)
            require(shaken.shakes == count, f"expected shake {count}, found {shaken.shakes}")
        first = await perform(bench, watch, ReadDice())
        second = await perform(bench, watch, ReadDice())
        assert isinstance(first, DiceRead)
        assert isinstance(second, DiceRead)
        require((first.shakes, second.shakes) == (3, 0), f"expected 3, then 0; found {first.shakes}, {second.shakes}")
        require(first.dice == second.dice, "the dice have changed without a shake")


@check("shaker-faces", "Reads as many dice as it has, each with a face from 1 to 6 and how sure it is.", Kind.SHAKER)
async def shaker_faces(bench: Bench) -> None:
    async with up(bench) as watch:
        counts = [DICE[one] for one in _able(watch) if one in DICE]
        require(len(counts) == 1, "a shaker has exactly one of the capabilities for the number of its dice")
        await bench.do("Shake the shaker once.", "shake")
        read = await perform(bench, watch, ReadDice())
        assert isinstance(read, DiceRead)
        require(len(read.dice) == counts[0], f"expected {counts[0]} dice, found {len(read.dice)}")
        for die in read.dice:
            require(die.face is None or 1 <= die.face <= 6, f"{die.face} is no face of a die")
            require(0 <= die.confidence <= 100, f"{die.confidence} is no percentage")


@check("shaker-doubt", "Says of a die how it lies, and no face of one that it cannot tell.", Kind.SHAKER)
async def shaker_doubt(bench: Bench) -> None:
    async with up(bench) as watch:
        lies = ("5:cocked", "?:off_table", "3:stacked")
        await bench.do("Let one die lean, one lie beside the shaker, one on another.", "arrange", dice=list(lies))
        read = await perform(bench, watch, ReadDice())
        assert isinstance(read, DiceRead)
        found = {die.lies for die in read.dice}
        require(found >= {DieLies.COCKED, DieLies.OFF_TABLE, DieLies.STACKED}, "found", sorted(found))


@check("shaker-age", "Says how old its dice are on connection, and begins anew with new dice.", Kind.SHAKER)
async def shaker_age(bench: Bench) -> None:
    async with up(bench) as watch:
        age = await watch.until(DiceAge)
        require(age.command == 0, "the age on connection answers no command")
        await bench.do("Shake the shaker once.", "shake")
        await perform(bench, watch, ReadDice())
        fresh = await perform(bench, watch, NewDice())
        assert isinstance(fresh, DiceAge)
        require(
            (fresh.seconds, fresh.throws) == (0, 0), f"new dice are {fresh.seconds} s and {fresh.throws} throws old"
        )


# Random number generator ----------------------------------------------------------------------------------------------


@check("rng-range", "Draws within the range, and refuses one that is empty.", Kind.RNG)
async def rng_range(bench: Bench) -> None:
    async with up(bench) as watch:
        for low, high in ((1, 7), (7, 7), (0, 0xFFFFFFFF)):
            drawn = await perform(bench, watch, DrawNumber(low, high))
            assert isinstance(drawn, NumberDrawn)
            require(low <= drawn.number <= high, f"{drawn.number} is not from {low} to {high}")
        await refused(watch, DrawNumber(7, 1), bench.new_id(), "as there is no such number")


@check("rng-even", f"In {DRAWS} draws from 1 to 7 each number is about as frequent.", Kind.RNG)
async def rng_even(bench: Bench) -> None:
    async with up(bench) as watch:
        drawn: Counter[int] = Counter()
        for _ in range(DRAWS):
            message = await perform(bench, watch, DrawNumber(1, 7))
            assert isinstance(message, NumberDrawn)
            drawn[message.number] += 1
        expected = DRAWS / 7
        chi_square = sum((drawn[number] - expected) ** 2 / expected for number in range(1, 8))
        require(chi_square < LARGEST_CHI_SQUARE, "the numbers were drawn so often:", dict(sorted(drawn.items())))


# Self-test ------------------------------------------------------------------------------------------------------------


@check("self-test", "Tests itself on command, and passes.", needs=[Capability.SELF_TEST])
async def self_test(bench: Bench) -> None:
    async with up(bench) as watch:
        tested = await perform(bench, watch, SelfTest())
        assert isinstance(tested, SelfTested)
        require(tested.passed, f"the self-test has not passed: {tested.detail}")


@check(
    "self-test-fails",
    "A self-test that does not pass says what, and is a fault until one passes.",
    needs=[Capability.SELF_TEST],
)
async def self_test_fails(bench: Bench) -> None:
    async with up(bench) as watch:
        await bench.arrange("self_test_fails", detail="lamp")
        command_id = bench.new_id()
        await watch.device.send(SelfTest(), command_id)
        require((await watch.until(DeviceState)).fault is Fault.SELF_TEST, "expected the fault self_test")
        failed = await watch.until(SelfTested)
        require(not failed.passed and failed.detail, "expected what did not pass")
        if bench.kind is Kind.RNG:
            await refused(watch, DrawNumber(1, 7), bench.new_id(), "after a self-test that failed")
        passed = await perform(bench, watch, SelfTest())
        require(isinstance(passed, SelfTested) and passed.passed, "the next self-test has to pass")
