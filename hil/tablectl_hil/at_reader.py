"""What the robot dealer does with the hole card: puts it into the card reader, or keys what one there has shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tablectl.hands.twenty_one import gives_blackjack
from tablectl.procedure.instructions.dealing import SURRENDER
from tablectl_hil.dealt import Dealt

__all__ = ["AtTheReader"]

_PEEK: Final = ("HOLE CARD INTO", "HOLE CARD IN.", "HOLE CARD IN,")
_AGAIN: Final = ("NOT READ: HOLE CARD", "HOLE CARD IN AGAIN")

Deed = tuple[str, str, dict[str, Any], bool]
"""Device, act, its facts, and whether the panel changes by it."""


class AtTheReader:
    """The hole card of one scripted round; `reader` is the id of the device, None where it is not connected.

    Of `decisions` that are left, those to surrender are taken off.
    """

    def __init__(
        self, panel: str, reader: str | None, dealt: Dealt, order: Sequence[str], decisions: dict[int, list[str]]
    ) -> None:
        self._panel = panel
        self._reader = reader
        self._dealt = dealt
        self._peeks = "peek" in order
        self._decisions = decisions
        self._lies = False

    @property
    def is_connected(self) -> bool:
        """Whether the table sees by itself that a card is put in."""
        return self._reader is not None

    def is_awaited(self, text: str, *, asked: bool) -> bool:
        """Whether the hole card goes in now; where that is not to be, as soon as the first seat is `asked` to play."""
        return text.startswith(_PEEK) or (not self._peeks and (asked or text.startswith("DEALER:")))

    def put_in(self) -> Deed:
        """The hole card goes into the reader, whether it is to or not."""
        assert self._reader is not None
        self._lies = True
        return self._reader, "insert", {"blackjack": self._blackjack}, True

    def next(self, text: str, lit: Sequence[str]) -> Deed | None:
        """What is to be done about that line of the panel."""
        if self._lies and not text.startswith(_PEEK):
            self._lies = False
            return self._reader or "", "withdraw", {}, False
        if not text.startswith((*_PEEK, *_AGAIN)) or self._lies:
            return None
        for seat, verbs in self._decisions.items():
            if verbs[:1] == [SURRENDER] and f"seat_{seat}" in lit:
                verbs.pop(0)
                return self._panel, "press", {"key": f"seat_{seat}"}, True
        if self._reader is not None:
            return self.put_in()
        return self._panel, "press", {"key": "yes" if self._blackjack else "no"}, True

    @property
    def _blackjack(self) -> bool:
        return gives_blackjack(self._dealt.card("dealer", 1), self._dealt.card("dealer", 2))
