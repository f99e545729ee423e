"""Hypothesis strategies for everything that the link carries."""

from __future__ import annotations

from hypothesis import strategies as st

from tablectl.cards import FaceDown, deck
from tablectl.equipment import (
    Badge,
    CardLeft,
    CardScanned,
    CardUnreadable,
    Command,
    DeviceState,
    DispenseStack,
    Fault,
    KeyPressed,
    Lamp,
    Message,
    Mode,
    ShowPrompt,
    ShuffleFailed,
    ShuffleFinished,
    StackFailed,
    StackTaken,
    StartShuffle,
    WagerSpot,
)
from tablectl.money import Money

texts = st.text(max_size=40)
bytes8 = st.integers(0, 255)
bytes16 = st.integers(0, 0xFFFF)
ids = st.integers(1, 2**63 - 1)
cards = st.sampled_from(deck(joker=True))
face_down = st.builds(FaceDown, st.none() | cards)
stacks = st.lists(face_down, max_size=30).map(tuple)
amounts = st.none() | st.integers(0, 2**64 - 1).map(Money)

messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(
        DeviceState,
        st.sampled_from(Mode),
        st.sampled_from(Lamp),
        st.booleans(),
        st.none() | bytes16,
        st.booleans(),
        st.none() | st.sampled_from(Fault),
    ),
    st.builds(KeyPressed, texts),
    st.builds(CardLeft, bytes16, face_down, st.booleans()),
    st.builds(StackTaken, ids, stacks, st.lists(bytes8, max_size=5).map(tuple)),
    st.builds(StackFailed, ids, stacks, st.sampled_from(Fault)),
    st.builds(ShuffleFinished, ids, st.none() | bytes16),
    st.builds(ShuffleFailed, ids, st.sampled_from(Fault)),
    st.builds(WagerSpot, bytes8, texts, st.booleans(), amounts),
    st.builds(CardScanned, cards),
    st.builds(CardUnreadable),
    st.builds(Badge, texts),
)

keys = st.lists(st.text(max_size=12), max_size=12).map(tuple)
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(ShowPrompt, texts, keys, keys, st.booleans()),
    st.builds(DispenseStack, bytes8),
    st.builds(StartShuffle),
)
