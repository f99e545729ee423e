"""An aggregate payout limit that may be filed: none, or at least $50,000 (674a.12(d), 675a.5(e), 675a.6(l))."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal

from pydantic import Discriminator, Tag

from tablectl.money import Money, show
from tablectl.rules import Cite, Dollars, Objection

__all__ = ["LEAST_LIMIT", "NoneOrDollars", "limit_of", "limit_objections", "limit_terms"]

LEAST_LIMIT: Final = Money(50_000_00)


def _none_or_dollars(value: object) -> str:
    return "none" if value == "none" else "dollars"


NoneOrDollars = Annotated[
    Annotated[Literal["none"], Tag("none")] | Annotated[Dollars, Tag("dollars")], Discriminator(_none_or_dollars)
]
"""An amount, or that there is none."""


def limit_of(filed: Money | Literal["none"]) -> Money | None:
    """The limit as the round of play uses it."""
    return None if filed == "none" else filed


def limit_objections(filed: Money | Literal["none"], clause: Cite) -> Iterator[Objection]:
    """A limit below $50,000; what the posted minimum demands is seen with the table."""
    if filed != "none" and filed < LEAST_LIMIT:
        message = f"{show(filed)} is below the least limit of {show(LEAST_LIMIT)}"
        yield Objection("payout_limit", message, clause)


def limit_terms(filed: Money | Literal["none"], clause: Cite) -> Iterator[tuple[str, str, Cite]]:
    """What a sign says of the limit, if there is one."""
    if filed != "none":
        yield "payout limit", f"A player is paid at most ${show(filed)} in a round of play.", clause
