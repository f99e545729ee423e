"""Writes `hands.json`: hands by chance, and what each seat has won or lost in them by PokerKit.

Run by ``python -m tests.pokerkit.make_hands``, with PokerKit installed (``make bench`` fetches it); some minutes. Of
many hands those are kept in which most can differ: several pots, equal hands, both halves of a pot. A difference that
is known is noted by its name (`known.py`); one of another kind ends it.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tablectl.engine.script import play
from tests.pokerkit.hands import Hand, as_scenario, by_chance
from tests.pokerkit.known import difference
from tests.pokerkit.peer import Disagreement, Peer

FILE = Path(__file__).with_name("hands.json")
LIMIT = {"betting": "limit", "bet_sizes": ["2.00", "4.00"]}
FILED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("omaha_high", {}),
    ("omaha_high", {"betting": "pot_limit", "ante": "1.00"}),
    ("omaha_high", {"straddle": "4.00"}),
    ("omaha_hilo", {}),
    ("omaha_hilo", {"betting": "pot_limit"}),
    ("omaha_hilo", LIMIT),
    ("five_card_draw_high", {"ante": "1.00"}),
    ("five_card_draw_high", LIMIT),
    ("five_card_draw_low", {}),
    ("five_card_draw_low", {"low": "deuce_to_seven", "betting": "pot_limit"}),
    ("five_card_stud", {**LIMIT, "ante": "1.00"}),
    ("five_card_stud", LIMIT),
)
ROUNDS = {"omaha_hilo": 2500}
KEPT = 24


def kind_of(outcome: dict[str, Any]) -> str:
    """What there is to be seen in a hand."""
    pots = outcome["pots"]
    if not any(act.startswith("show") for act in outcome["order"]):
        return "plain"
    for pot in pots:
        for part in ("high", "low"):
            shares = {share["amount"] for share in pot["shares"] if share["part"] == part}
            if len(shares) > 1:
                return "unequal shares"
    winners = [share["seat"] for pot in pots for share in pot["shares"]]
    lows = [share["seat"] for pot in pots for share in pot["shares"] if share["part"] == "low"]
    for pot in pots:
        still_in = [seat for seat in pot["seats"] if seat in winners]
        if lows and len(still_in) > 1 and not any(share["part"] == "low" for share in pot["shares"]):
            return "low of another pot"
    return "several shares" if len(pots) > 1 or any(len(pot["shares"]) > 1 for pot in pots) else "plain"


def main() -> None:
    """Write the file, and print how often PokerKit refuses what the text allows."""
    written: list[dict[str, Any]] = []
    refused: Counter[str] = Counter()
    for number, (game, rules) in enumerate(FILED):
        _table, hands = by_chance(game, rules, seed=number, rounds=ROUNDS.get(game, 400), seats=7, short=True)
        kept: Counter[str] = Counter()
        for place, hand in enumerate(hands):
            kind = kind_of(outcome_of(game, hand))
            if kept[kind] == (KEPT if kind == "several shares" else KEPT // 4):
                continue
            try:
                net = Peer(game, rules, hand.button, hand.document).play()
            except Disagreement as disagreement:
                refused[f"{game}: {str(disagreement)[:70]}"] += 1
                continue
            entry = {"game": game, "rules": rules, "button": hand.button, **hand.document}
            entry["net"] = {str(seat): amount for seat, amount in sorted(net.items())}
            found = difference(entry, outcome_of(game, hand))
            if found:
                entry["differs"] = found
            assert found != "unknown", (place, entry)
            kept[kind] += 1
            written.append(entry)
        print(game, rules, dict(kept), flush=True)
    for reason, often in refused.items():
        print(f"refused {often} times: {reason}")
    lines = ",\n".join(json.dumps(entry, sort_keys=True) for entry in written)
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def outcome_of(game: str, hand: Hand) -> dict[str, Any]:
    """What the program makes of it."""
    (played,) = play(as_scenario({"game": game, "rules": hand.rules, "button": hand.button, **hand.document}))["rounds"]
    return dict(played)


if __name__ == "__main__":
    main()
