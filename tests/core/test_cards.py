"""Cards, decks, positions, and face-down cards that tell nothing."""

from __future__ import annotations

import copy
import pickle
import pprint

import pytest

from tablectl.cards import COMMUNITY, DEALER, JOKER, RACK, FaceDown, card, deck, position, seat
from tablectl.errors import DecodeError
from tablectl.money import odds


def test_565_3_a_deck_holds_every_card_once_in_its_fixed_order() -> None:
    names = " ".join(c.name for c in deck()).split()
    assert names == [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    assert [c.name for c in deck(joker=True)] == [*names, "Xj"]


def test_cards_and_positions_exist_once() -> None:
    assert card("As") is card("As")
    assert card("As") is not card("Ah")
    assert seat(3) is position("seat 3")
    assert position("dealer") is DEALER
    for thing in (card("Td"), JOKER, DEALER, seat(7), position("stack 2")):
        assert copy.deepcopy(thing) is thing
        assert pickle.loads(pickle.dumps(thing)) is thing
        assert str(thing) == thing.name


@pytest.mark.parametrize("thing", [FaceDown(card("As")), FaceDown(), odds("3:2"), odds("300 for 1")])
def test_what_is_no_dataclass_to_others_is_copied_all_the_same(thing: object) -> None:
    for again in (copy.copy(thing), copy.deepcopy([thing])[0], pickle.loads(pickle.dumps(thing))):
        assert again == thing
        assert hash(again) == hash(thing)


def test_ranks_and_suits() -> None:
    assert [card(name + "h").rank for name in "23456789TJQKA"] == list(range(2, 15))
    assert {c.suit for c in deck()} == set("cdhs")
    assert (JOKER.rank, JOKER.suit) == (0, "j")


@pytest.mark.parametrize("name", ["", "as", "AS", "10h", "1s", "Xs", "Aj", "As ", "^As", "xj"])
def test_what_is_no_card_is_named(name: str) -> None:
    with pytest.raises(DecodeError, match="is not a card") as refused:
        card(name)
    assert repr(name) in str(refused.value)


@pytest.mark.parametrize("name", ["", "seat", "seat 0", "seat 11", "stack 8", "Dealer", "seat  1", "board"])
def test_what_is_no_position_is_named(name: str) -> None:
    with pytest.raises(DecodeError) as refused:
        position(name)
    assert repr(name) in str(refused.value)


@pytest.mark.parametrize("number", [0, -1, 11])
def test_seats_that_no_table_has(number: int) -> None:
    with pytest.raises(DecodeError):
        seat(number)


def test_positions_are_written_as_in_scenarios() -> None:
    assert [str(p) for p in (DEALER, COMMUNITY, RACK, seat(10))] == ["dealer", "community", "rack", "seat 10"]


def told_by_its_fields(face_down: FaceDown) -> str:
    """As libraries for terminals lay out what they know the fields of, in tracebacks too."""
    return str([getattr(face_down, name, None) for name in ("__rich_repr__", "__dataclass_fields__", "__dict__")])


@pytest.mark.parametrize(
    "shown",
    [
        repr,
        str,
        format,
        lambda c: f"{c!r:>20}",
        lambda c: str([c]),
        told_by_its_fields,
        lambda c: pprint.pformat(c, width=1),
    ],
)
def test_face_down_card_tells_nothing(shown: object) -> None:
    assert callable(shown)
    assert shown(FaceDown(card("As"))) == shown(FaceDown(None))
