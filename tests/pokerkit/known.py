"""Where PokerKit and the text share a pot differently; everywhere else they have to agree to the cent.

- ``odd_unit``: what cannot be divided equally among tied players goes to the one with the highest (for low hands the
  lowest) card by suit, and no more than a dollar of it to one player (637a.12(k)(2)(ii), (iii)); PokerKit gives all of
  it to the first one to the left of the button.
- ``low_half``: each pot is divided by itself. Where a player who cannot win a side pot has a low hand, and nobody who
  can win it has one, its low half goes with the high half (637a.12(k)(2), (l)); PokerKit divides that half among all.

What makes no such difference is put the way PokerKit wants it (`peer.py`): with two players the one to the left of the
button posts the first blind (637a.12(d)); a raise that nobody can call is a call. Not among the hands are blinds that
are short, as the others have to match the whole blind here, stud without fixed limits, as the least bet is above the
Forced Bet there, raises over a fixed bet that was short (here they complete it, and it is no raise itself), and a rake,
as PokerKit takes it from a bet that nobody has called, too (637a.17(d)).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["difference"]


def cents(text: str) -> int:
    return (-1 if text.startswith("-") else 1) * int(text.lstrip("-").replace(".", ""))


def difference(hand: Mapping[str, Any], outcome: Mapping[str, Any]) -> str:
    """The kind of the difference between a hand's `net` and the outcome here: empty for none, or ``unknown``."""
    unit = cents(hand["rules"].get("smallest_chip", "1.00"))
    ours = {seat: cents(amount) for seat, amount in outcome["net"].items()}
    theirs = hand["net"]
    if ours == theirs:
        return ""
    allowed = dict.fromkeys(ours, 0)
    kind = "odd_unit"
    lows = [share["seat"] for pot in outcome["pots"] for share in pot["shares"] if share["part"] == "low"]
    for pot in outcome["pots"]:
        for part in ("high", "low"):
            shares = {share["seat"]: cents(share["amount"]) for share in pot["shares"] if share["part"] == part}
            odd = sum(shares.values()) % (unit * max(1, len(shares)))
            for seat in shares if odd else ():
                allowed[str(seat)] += odd
        parts = {share["part"] for share in pot["shares"]}
        if hand["game"] == "omaha_hilo" and parts == {"high"} and lows and len(pot["seats"]) > 1:
            kind = "low_half"
            for seat in pot["seats"]:
                allowed[str(seat)] += cents(pot["amount"])
    within = all(abs(ours[seat] - theirs[seat]) <= allowed[seat] for seat in ours)
    return kind if within and sum(ours.values()) == sum(theirs.values()) else "unknown"
