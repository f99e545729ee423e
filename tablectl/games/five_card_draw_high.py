"""Five-card Draw High, 58 Pa. Code section 637a.13: see `tablectl.games.five_card_draw`."""

from __future__ import annotations

from tablectl.games.five_card_draw import five_card_draw
from tablectl.rules.five_card_draw_high import FiveCardDrawHighSubmission

__all__ = ["GAME"]

GAME = five_card_draw("five_card_draw_high", "Five-card Draw High", FiveCardDrawHighSubmission, low=False)
