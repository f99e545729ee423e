"""Host and device sessions back to back, with a simulated clock: exactly once, whatever the line does."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.equipment import (
    Capability,
    DeviceState,
    DispenseStack,
    Fault,
    KeyPressed,
    KeyReleased,
    Lamp,
    Mode,
    OpenWagers,
    ShowPrompt,
    StackTaken,
    StartShuffle,
)
from tablectl_drivers.link import frames
from tablectl_drivers.link.device import COMMANDS_KEPT, DeviceSession
from tablectl_drivers.link.frames import (
    HEARTBEAT_S,
    LOST_S,
    WINDOW,
    Acknowledge,
    Answer,
    Describe,
    Event,
    Frame,
    Hello,
    NoSession,
    Order,
    Status,
)
from tablectl_drivers.link.framing import Decoder, frame
from tablectl_drivers.link.host import (
    Answered,
    Arrived,
    Down,
    Happening,
    HostSession,
    Missing,
    NotUnderstood,
    Refused,
    Unanswered,
    Up,
)
from tablectl_drivers.link.payloads import COMMANDS, MESSAGES
from tests.drivers.simulation import DESCRIPTION, STATE, Line, Shoe, Simulation


def keys(first: int, last: int) -> list[KeyPressed]:
    return [KeyPressed(f"key {n}") for n in range(first, last + 1)]


def committed_keys(simulation: Simulation) -> list[object]:
    return [message for _, _, message in simulation.journal if isinstance(message, KeyPressed)]


def up(**settings: object) -> Simulation:
    simulation = Simulation(**settings)  # type: ignore[arg-type]
    simulation.run(0.1)
    assert simulation.host.up
    return simulation


def test_greeting_describes_and_says_the_state() -> None:
    simulation = Simulation()
    first, second, *_ = simulation.run(0.1)
    assert isinstance(first, Up)
    assert first.device.description == DESCRIPTION
    assert second == Arrived(1, 1, STATE)
    assert simulation.device.present
    assert simulation.shoe.present == [True]
    assert simulation.device.unacknowledged == 0


def test_events_come_in_order_and_leave_the_device_only_after_the_commit() -> None:
    simulation = up(commit_s=1.0)
    for key in keys(1, 5):
        simulation.say(key)
    simulation.run(0.5)
    assert [n for n in simulation.happened if isinstance(n, Arrived)][-1].message == KeyPressed("key 5")
    assert simulation.device.unacknowledged == 6
    assert simulation.device.retransmits == 0, "what has arrived is not sent again for want of a commit"
    simulation.run(1.0)
    assert simulation.device.unacknowledged == 0
    assert committed_keys(simulation) == keys(1, 5)


def test_a_burst_goes_through_the_window_without_waiting_for_each() -> None:
    simulation = up()
    for key in keys(1, 100):
        simulation.say(key)
    simulation.run(0.2)
    assert committed_keys(simulation) == keys(1, 100)
    assert simulation.device.retransmits == 0


def test_no_more_than_the_window_is_sent_without_a_commit() -> None:
    simulation = up(commit_s=100.0)
    for key in keys(1, 50):
        simulation.say(key)
    simulation.run(3.0)
    assert sum(isinstance(it, Arrived) for it in simulation.happened) == WINDOW


@pytest.mark.parametrize(
    "line",
    [
        Line(lose=0.3),
        Line(corrupt=0.3),
        Line(duplicate=0.5),
        Line(delay=0.3),
        Line(split=True, babble=0.5),
        Line(lose=0.15, corrupt=0.15, duplicate=0.3, delay=0.1, split=True, babble=0.2),
    ],
)
def test_every_message_arrives_once_over_a_bad_line(line: Line) -> None:
    simulation = Simulation(seed=7, line=line)
    for key in keys(1, 60):
        simulation.say(key)
        simulation.run(0.05)
    simulation.line = Line()
    simulation.run(10)
    assert committed_keys(simulation) == keys(1, 60)
    assert simulation.device.unacknowledged == 0


step = st.one_of(
    st.tuples(st.just("say"), st.integers(1, 25)),
    st.tuples(st.just("run"), st.sampled_from([0.0, 0.001, 0.004, 0.03, 0.3, 4.0])),
    st.tuples(st.just("kill"), st.none()),
    st.tuples(st.just("cut"), st.none()),
    st.tuples(st.just("power"), st.none()),
    st.tuples(
        st.just("line"),
        st.builds(
            Line,
            lose=st.sampled_from([0.0, 0.2, 0.5]),
            corrupt=st.sampled_from([0.0, 0.2]),
            duplicate=st.sampled_from([0.0, 0.3]),
            delay=st.sampled_from([0.0, 0.05, 0.4]),
            cut=st.booleans(),
            split=st.booleans(),
            babble=st.sampled_from([0.0, 0.3]),
        ),
    ),
)


@settings(max_examples=400)
@given(st.integers(0, 2**32), st.lists(step, max_size=30))
def test_exactly_once_over_restarts_cuts_and_power(seed: int, steps: list[tuple[str, object]]) -> None:
    """The device keeps its memory: what it said is in the journal once and in order, whatever happened meanwhile."""
    simulation = Simulation(seed=seed)
    said = 0
    for what, value in steps:
        match what, value:
            case "say", int(count):
                for key in keys(said + 1, said + count):
                    simulation.say(key)
                said += count
            case "run", float(seconds):
                simulation.run(seconds)
            case "kill", _:
                simulation.kill_daemon()
            case "cut", _:
                simulation.cut_line()
            case "power", _:
                simulation.power_cycle(kept=True)
            case "line", Line() as line:
                simulation.line = line
            case _:
                raise AssertionError(what)
        assert max(simulation.delivered.values(), default=0) <= 1, "delivered twice in one life of the driver"
    simulation.line = Line()
    simulation.run(60 if said > 256 else 15)
    numbers = [number for _, number, _ in simulation.journal]
    missing = sum(it.count for it in simulation.happened if isinstance(it, Missing))
    assert numbers == sorted(set(numbers))
    assert numbers[-1] - len(numbers) <= missing, "what is lost for want of room is told"
    if said <= 200:  # there was always room
        assert numbers == list(range(1, len(numbers) + 1))
        assert committed_keys(simulation) == keys(1, said)
    assert simulation.device.unacknowledged == 0
    assert not any(isinstance(it, NotUnderstood | Refused) for it in simulation.happened)


@settings(max_examples=200)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(["say", "run", "lose_memory", "kill"]), max_size=25))
def test_lost_memory_is_a_new_boot_id_and_nothing_is_doubled(seed: int, steps: list[str]) -> None:
    simulation = Simulation(seed=seed, line=Line(lose=0.1, delay=0.02))
    said: dict[int, list[KeyPressed]] = {}
    for number, what in enumerate(steps):
        match what:
            case "say":
                said.setdefault(simulation.boot, []).append(KeyPressed(f"key {number}"))
                simulation.say(KeyPressed(f"key {number}"))
            case "run":
                simulation.run(0.3)
            case "lose_memory":
                simulation.power_cycle(kept=False)
            case _:
                simulation.kill_daemon()
    simulation.line = Line()
    simulation.run(15)
    for boot, messages in said.items():
        journaled = [it for b, _, it in simulation.journal if b == boot and isinstance(it, KeyPressed)]
        assert journaled == messages[: len(journaled)]
        numbers = [number for b, number, _ in simulation.journal if b == boot]
        assert numbers == list(range(1, len(numbers) + 1))
        if boot == simulation.boot:
            assert journaled == messages


def test_a_daemon_killed_between_commit_and_acknowledgement_does_not_take_the_message_again() -> None:
    simulation = up(commit_s=0.05)
    simulation.say(KeyPressed("bet"))
    simulation.run(0.01)
    simulation.line.cut = True
    simulation.run(0.1)
    assert committed_keys(simulation) == [KeyPressed("bet")]
    assert simulation.device.unacknowledged == 1
    simulation.line.cut = False
    simulation.kill_daemon()
    simulation.run(1)
    assert committed_keys(simulation) == [KeyPressed("bet")]
    assert simulation.device.unacknowledged == 0


def test_a_daemon_killed_before_the_commit_gets_the_message_again() -> None:
    simulation = up(commit_s=0.05)
    simulation.say(KeyPressed("bet"))
    simulation.run(0.04)
    simulation.kill_daemon()
    assert committed_keys(simulation) == []
    simulation.run(1)
    assert committed_keys(simulation) == [KeyPressed("bet")]


def test_a_message_that_comes_again_is_acknowledged_again_at_once() -> None:
    simulation = up()
    again = frames.encode(simulation.host._session, Event(1, 0, MESSAGES.encode(STATE)))
    assert simulation.host.receive(again, simulation.now) == []
    (sent,) = simulation.host.outgoing(simulation.now)
    (body,) = Decoder().feed(sent, 0.0)
    assert frames.decode(body)[1] == Acknowledge(1, 1, False)
    assert simulation.host.duplicates == 1


def test_frames_of_another_session_change_nothing_at_the_host() -> None:
    simulation = up()
    simulation.order(DispenseStack(1), 7)
    other = simulation.host._session ^ 1
    for content in (Event(2, 0, MESSAGES.encode(STATE)), Answer(7, Status.REFUSED, "old"), NoSession(1)):
        assert simulation.host.receive(frames.encode(other, content), simulation.now) == []
    assert Answered(7, Status.ACCEPTED, "") in simulation.run(0.1)


@pytest.mark.parametrize("content", [Acknowledge(1, 1, False), Order(3, COMMANDS.encode(DispenseStack(1)))])
def test_frames_of_another_session_change_nothing_at_the_device(content: Frame) -> None:
    shoe = Shoe()
    device = DeviceSession(shoe, 1)
    device.receive(frames.encode(5, Hello(None, 0)), 0.0)
    device.outgoing()
    device.receive(frames.encode(6, content), 0.0)
    assert device.unacknowledged == 1
    assert not shoe.dispensed
    (answer,) = device.outgoing()
    (body,) = Decoder().feed(answer, 0.0)
    assert frames.decode(body) == (6, NoSession(1))


def test_a_repeated_prompt_is_shown_and_beeps_once() -> None:
    simulation = up()
    for _ in range(2):
        simulation.order(ShowPrompt("", (), (), True), 7)
        assert simulation.run(0.1) == [Answered(7, Status.ACCEPTED, "")]
    assert simulation.shoe.dispensed == {7: 1}


def test_what_has_no_room_is_reported_as_missing() -> None:
    simulation = up(room=8)
    simulation.line.cut = True
    for key in keys(1, 20):
        simulation.say(key)
    simulation.run(5)
    simulation.line.cut = False
    happened = simulation.run(10)
    assert committed_keys(simulation) == keys(1, 8)
    missing = [it for it in happened if isinstance(it, Missing)]
    assert missing
    numbers = [number for _, number, _ in simulation.journal]
    assert sum(it.count for it in missing) == numbers[-1] - len(numbers)
    assert simulation.journal[-1][2] == STATE


def test_messages_that_another_daemon_acknowledged_are_missing() -> None:
    """The journal was put back to an older copy: the device does not have the rest any more."""
    simulation = up()
    for key in keys(1, 10):
        simulation.say(key)
    simulation.run(1)
    del simulation.journal[3:]
    simulation.kill_daemon()
    happened = simulation.run(1)
    assert Missing(1, 8) in happened


def test_a_device_that_forgot_and_kept_its_boot_id_is_refused() -> None:
    simulation = up()
    for key in keys(1, 10):
        simulation.say(key)
    simulation.run(1)
    simulation.device = DeviceSession(simulation.shoe, 1)
    simulation.run(LOST_S + 1)
    (refusal, *_) = [it for it in simulation.happened if isinstance(it, NotUnderstood)]
    assert "lost its memory and not taken a new boot id" in refusal.reason
    assert committed_keys(simulation) == keys(1, 10)


# Commands ---------------------------------------------------------------------------------------------------------


def answers(simulation: Simulation) -> list[Answered]:
    return [it for it in simulation.happened if isinstance(it, Answered)]


def results(simulation: Simulation) -> list[StackTaken]:
    return [message for _, _, message in simulation.journal if isinstance(message, StackTaken)]


def test_a_command_is_answered_and_its_result_comes_after_the_answer() -> None:
    simulation = up()
    simulation.order(DispenseStack(3), 41)
    happened = simulation.run(0.1)
    assert happened == [Answered(41, Status.ACCEPTED, ""), Arrived(1, 2, StackTaken(41, (), ()))]


def test_the_same_id_again_does_not_act_again_and_says_the_result_again() -> None:
    simulation = up()
    for _ in range(3):
        simulation.order(DispenseStack(3), 41)
        simulation.run(0.1)
    assert simulation.shoe.dispensed == {41: 1}
    assert [it.status for it in answers(simulation)] == [Status.ACCEPTED, Status.REPEATED, Status.REPEATED]
    assert results(simulation) == [StackTaken(41, (), ())] * 3


def test_a_repeated_id_does_not_double_a_result_that_is_still_to_be_committed() -> None:
    simulation = up(commit_s=0.5)
    for _ in range(3):
        simulation.order(DispenseStack(3), 41)
        simulation.run(0.1)
    simulation.run(2)
    assert results(simulation) == [StackTaken(41, (), ())]


@pytest.mark.parametrize("kept", [True, False])
def test_a_command_id_over_a_power_cycle(kept: bool) -> None:
    simulation = up()
    simulation.order(DispenseStack(3), 41)
    simulation.run(0.1)
    simulation.power_cycle(kept)
    simulation.run(1)
    assert simulation.host.up
    simulation.order(DispenseStack(3), 41)
    simulation.run(0.1)
    assert simulation.shoe.dispensed == {41: 1 if kept else 2}
    assert answers(simulation)[-1].status is (Status.REPEATED if kept else Status.ACCEPTED)
    assert simulation.host.boot == (1 if kept else 2)


def test_the_last_32_actuations_are_remembered() -> None:
    simulation = up()
    for command_id in range(1, COMMANDS_KEPT + 2):
        simulation.order(StartShuffle(), command_id)
        simulation.run(0.05)
    simulation.order(StartShuffle(), 2)
    simulation.run(0.05)
    assert answers(simulation)[-1].status is Status.REPEATED
    simulation.order(StartShuffle(), 1)
    simulation.run(0.05)
    assert answers(simulation)[-1].status is Status.ACCEPTED
    assert simulation.shoe.dispensed[1] == 2
    assert simulation.shoe.dispensed[2] == 1


def test_prompts_take_no_place_among_the_remembered_actuations() -> None:
    simulation = up()
    simulation.order(DispenseStack(1), 1)
    simulation.run(0.05)
    for command_id in range(2, 60):
        simulation.order(ShowPrompt("", (), (), False), command_id)
        simulation.run(0.05)
    simulation.order(DispenseStack(1), 1)
    simulation.run(0.05)
    assert answers(simulation)[-1].status is Status.REPEATED


def test_a_refusal_stays_a_refusal() -> None:
    simulation = up()
    simulation.shoe.refusal = "a stack is waiting"
    simulation.order(DispenseStack(1), 5)
    simulation.run(0.1)
    simulation.shoe.refusal = None
    simulation.order(DispenseStack(1), 5)
    simulation.run(0.1)
    assert answers(simulation) == [Answered(5, Status.REFUSED, "a stack is waiting")] * 2
    assert not simulation.shoe.dispensed


@pytest.mark.parametrize("seed", range(20))
def test_a_command_over_a_bad_line_acts_once(seed: int) -> None:
    simulation = up(seed=seed)
    simulation.line = Line(lose=0.4, duplicate=0.4, corrupt=0.1, delay=0.1)
    acted = 0
    for command_id in range(1, 11):
        while not any(it.command_id == command_id for it in answers(simulation)):
            if simulation.host.up:
                simulation.order(DispenseStack(1), command_id)
            simulation.run(2.5)
            simulation.host.withdraw()
        acted += 1
    assert simulation.shoe.dispensed == dict.fromkeys(range(1, acted + 1), 1)
    simulation.line = Line()
    simulation.run(10)
    assert Counter(it.command for it in results(simulation)).keys() == set(range(1, acted + 1))


def test_no_answer_is_told_as_that_and_a_late_one_is_not_taken_for_the_next() -> None:
    simulation = up()
    simulation.line.cut = True
    simulation.order(DispenseStack(1), 1)
    assert Unanswered(1) in simulation.run(2.1)
    simulation.line.cut = False
    simulation.order(ShowPrompt("x", (), (), False), 2)
    late = frames.encode(simulation.host._session, Answer(1, Status.REFUSED, "late"))
    assert simulation.host.receive(late, simulation.now) == []
    assert Answered(2, Status.ACCEPTED, "") in simulation.run(0.5)


def test_one_command_at_a_time() -> None:
    simulation = up()
    simulation.order(DispenseStack(1), 1)
    with pytest.raises(RuntimeError, match="no other command is outstanding"):
        simulation.order(DispenseStack(1), 2)
    simulation.cut_line()
    with pytest.raises(RuntimeError, match="while the device is up"):
        simulation.order(DispenseStack(1), 3)


# Liveness and recovery --------------------------------------------------------------------------------------------


def test_silence_ends_the_session_once_at_both_ends() -> None:
    simulation = up()
    simulation.line.cut = True
    happened = simulation.run(LOST_S + HEARTBEAT_S + 1)
    assert next(it for it in happened if isinstance(it, Down)).reason.startswith("the device has fallen silent")
    assert not simulation.device.present
    assert simulation.shoe.present == [True, False]
    simulation.line.cut = False
    simulation.run(5)
    assert simulation.host.up


def test_an_idle_link_stays_up_and_sends_little() -> None:
    simulation = up()
    assert simulation.run(600) == []
    assert simulation.host.up
    assert simulation.host.round_trip == pytest.approx(0.001, abs=1e-6)
    assert simulation.host.retransmits == simulation.device.retransmits == 0


def test_a_host_that_gives_up_sooner_asks_more_often() -> None:
    simulation = Simulation()
    simulation.host = HostSession(lambda device: None, chance=random.Random(1), lost_after=0.5)
    simulation.host.open(0.0)
    simulation.run(60)
    assert simulation.host.up
    assert not any(isinstance(it, Down) for it in simulation.happened)


def test_nobody_there_is_down_after_a_while() -> None:
    host = HostSession(lambda device: None, chance=random.Random(1))
    host.open(0.0)
    assert host.tick(LOST_S - 0.01) == []
    (down,) = host.tick(LOST_S)
    assert isinstance(down, Down)
    assert "no device answers" in down.reason


def test_a_restarted_device_is_noticed_at_once() -> None:
    simulation = up()
    simulation.power_cycle(kept=True)
    happened = simulation.run(0.5)
    assert happened[0] == Down("the device has started again")
    assert any(isinstance(it, Up) and it.same_boot for it in happened)


def test_a_line_that_echoes_is_no_device() -> None:
    host = HostSession(lambda device: None, chance=random.Random(1))
    host.open(0.0)
    now = 0.0
    happened: list[Happening] = []
    while not happened:
        now = host.deadline()
        happened = host.tick(now)
        for sent in host.outgoing(now):
            happened += host.receive(sent, now)
    assert isinstance(happened[0], Down)
    assert now == LOST_S


def test_a_device_does_not_answer_its_own_echo() -> None:
    device = DeviceSession(Shoe(), 1)
    device.power_cycle(None)
    (said,) = device.outgoing()
    device.receive(said, 0.0)
    assert device.outgoing() == []


def test_another_device_is_refused_and_nothing_of_it_is_acknowledged() -> None:
    simulation = Simulation()
    simulation.host = HostSession(lambda device: f"{device.serial} is not ours", chance=random.Random(1))
    simulation.host.open(0.0)
    simulation.say(KeyPressed("a"))
    (refused, *_) = simulation.run(0.1)
    assert isinstance(refused, Refused)
    assert refused.reason == "1 is not ours"
    assert simulation.device.unacknowledged == 2
    assert not simulation.journal


def test_a_device_of_another_version_says_so() -> None:
    """A host of version 9 greets our device, and a device of version 9 answers our host."""
    device = DeviceSession(Shoe(), 1)
    device.receive(frame(b"\x09\x01\x34\x12and more"), 0.0)
    (described,) = device.outgoing()
    (body,) = Decoder().feed(described, 0.0)
    session, content = frames.decode(body)
    assert session == 0x1234
    assert isinstance(content, Describe)
    assert not device.present
    host = HostSession(lambda device: None, chance=random.Random(1))
    host.open(0.0)
    (strange,) = host.receive(frame(b"\x09\x81\x34\x12and more"), 0.0)
    assert isinstance(strange, NotUnderstood)
    assert "version 9" in strange.reason


@pytest.mark.parametrize(("device", "host", "spoken"), [((1,), (1, 2), 1), ((1, 2), (1,), 1), ((1, 2), (1, 2), 2)])
def test_both_speak_the_newest_version_that_both_have(
    device: tuple[int, ...], host: tuple[int, ...], spoken: int
) -> None:
    simulation = Simulation(device_versions=device, host_versions=host)
    for kept in (True, False):
        happened = simulation.run(1)
        assert isinstance(happened[-2], Up)
        assert simulation.host.up
        assert simulation.host.version == spoken
        assert simulation.host.knows(DispenseStack(1))
        assert simulation.host.knows(OpenWagers()) is (spoken == 2)
        simulation.say(KeyPressed("a"))
        simulation.run(1)
        assert committed_keys(simulation)[-1] == KeyPressed("a")
        simulation.power_cycle(kept)
        assert simulation.run(0.1)[0] == Down("the device has started again")
    assert not any(isinstance(it, NotUnderstood) for it in simulation.happened)
    assert simulation.host.bad_frames == 0


def test_what_an_older_host_does_not_know_becomes_doubt_and_is_said_to_a_newer_one() -> None:
    simulation = Simulation(host_versions=(1,), commit_s=100)
    simulation.run(1)
    simulation.say(KeyReleased("a"))
    simulation.say(KeyPressed("b"))
    said = [it.message for it in simulation.run(1) if isinstance(it, Arrived)]
    assert said == [DeviceState(Mode.UNKNOWN, Lamp.UNKNOWN, False, None, False, Fault.PROTOCOL), KeyPressed("b")]
    simulation.host_versions = (1, 2)
    simulation.kill_daemon()
    said = [it.message for it in simulation.run(1) if isinstance(it, Arrived)]
    assert said[-3:-1] == [KeyReleased("a"), KeyPressed("b")]


def test_an_older_host_is_not_told_of_capabilities_that_it_does_not_know() -> None:
    device = DeviceSession(Shoe(), 1)
    device._mechanism.description = dataclasses.replace(  # type: ignore[misc]
        DESCRIPTION, capabilities=(Capability.READS, Capability.RESHUFFLES)
    )
    for version, able in ((1, (Capability.READS,)), (2, (Capability.READS, Capability.RESHUFFLES))):
        device.receive(frames.encode(5, Hello(None, 0), version), 0.0)
        (body, *_) = Decoder().feed(device.outgoing()[0], 0.0)
        content = frames.decode(body, version)[1]
        assert isinstance(content, Describe)
        assert content.capabilities == able


def test_a_message_that_is_not_understood_ends_the_session_and_names_no_content() -> None:
    simulation = up()
    payload = b"\x7f\x3e\x3e"
    event = frames.encode(simulation.host._session, Event(2, 0, payload))
    (strange,) = simulation.host.receive(event, simulation.now)
    assert isinstance(strange, NotUnderstood)
    assert strange.reason == "message 2 (type 7f, 3 bytes): the data are a message that this version does not know"
    assert simulation.host.bad_frames == 1


def test_a_command_that_is_not_understood_is_refused() -> None:
    device = DeviceSession(Shoe(), 1)
    device.receive(frames.encode(5, Hello(None, 0)), 0.0)
    device.outgoing()
    device.receive(frames.encode(5, Order(9, b"\x7f")), 0.0)
    (answer,) = device.outgoing()
    (body,) = Decoder().feed(answer, 0.0)
    assert frames.decode(body)[1] == Answer(9, Status.REFUSED, "the data are a command that this version does not know")


def test_acknowledgements_out_of_order_forget_nothing_too_early() -> None:
    simulation = up(commit_s=100)
    for key in keys(1, 3):
        simulation.say(key)
    simulation.run(0.1)
    simulation.host.acknowledge(1, 3, simulation.now)
    simulation.host.acknowledge(1, 4, simulation.now)
    simulation.host.acknowledge(7, 1, simulation.now)
    simulation.run(0.1)
    assert simulation.device.unacknowledged == 4
    simulation.host.acknowledge(1, 1, simulation.now)
    simulation.host.acknowledge(1, 1, simulation.now)
    simulation.run(0.1)
    assert simulation.device.unacknowledged == 3
    simulation.host.acknowledge(1, 2, simulation.now)
    simulation.run(0.1)
    assert simulation.device.unacknowledged == 0


def test_acknowledgements_that_cannot_be_change_nothing() -> None:
    device = DeviceSession(Shoe(), 1)
    device.receive(frames.encode(5, Hello(None, 0)), 0.0)
    for committed, received in ((99, 99), (1, 0), (0, 99)):
        device.receive(frames.encode(5, Acknowledge(committed, received, False)), 0.0)
    assert device.unacknowledged == 1
    device.receive(frames.encode(5, Acknowledge(1, 1, False)), 0.0)
    assert device.unacknowledged == 0


frame_of_anything: st.SearchStrategy[Frame] = st.one_of(
    st.builds(
        Describe,
        *[st.integers(0, 50)] * 3,
        *[st.just(getattr(DESCRIPTION, n)) for n in ("kind", "model")],
        st.just("1"),
        st.just("1"),
        st.just(()),
    ),
    st.builds(Event, st.integers(0, 20), st.integers(0, 5), st.just(MESSAGES.encode(STATE))),
    st.builds(Answer, st.integers(0, 3), st.sampled_from(Status), st.just("")),
    st.builds(NoSession, st.integers(0, 3)),
    st.builds(Hello, st.none() | st.integers(0, 3), st.integers(0, 20)),
    st.builds(Acknowledge, st.integers(0, 20), st.integers(0, 20), st.booleans()),
    st.builds(Order, st.integers(0, 3), st.just(COMMANDS.encode(DispenseStack(1)))),
)


@given(st.lists(st.tuples(st.sampled_from(["ours", "none", "other"]), frame_of_anything) | st.binary(max_size=40)))
def test_a_host_is_never_upset_and_takes_each_number_once(words: list[tuple[str, Frame] | bytes]) -> None:
    host = HostSession(lambda device: None, chance=random.Random(3))
    host.open(0.0)
    arrived: Counter[tuple[int, int]] = Counter()
    for now, word in enumerate(words):
        if isinstance(word, bytes):
            data = word
        else:
            session = {"ours": host._session, "none": 0, "other": host._session ^ 1}[word[0]]
            data = frames.encode(session, word[1])
        for happening in host.receive(data, now / 100):
            if isinstance(happening, Arrived):
                arrived[happening.boot, happening.number] += 1
            elif isinstance(happening, Down | NotUnderstood):
                host.open(now / 100)
        host.outgoing(now / 100)
    assert all(count == 1 for count in arrived.values())


@given(st.lists(st.tuples(st.sampled_from([5, 0, 6]), frame_of_anything) | st.binary(max_size=40)))
def test_a_device_is_never_upset_and_acts_once_for_each_id(words: list[tuple[int, Frame] | bytes]) -> None:
    shoe = Shoe()
    device = DeviceSession(shoe, 1)
    for now, word in enumerate(words):
        device.receive(word if isinstance(word, bytes) else frames.encode(*word), now / 100)
        device.tick(now / 100)
        device.outgoing()
    assert all(count == 1 for count in shoe.dispensed.values())
