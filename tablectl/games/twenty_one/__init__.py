"""What the twenty-one games share: the deal, insurance, the play of the hands, the dealer, the two settlements."""

from __future__ import annotations

from tablectl.games.twenty_one.clauses import (
    PLACES,
    check_adjacent,
    check_seats,
    dealing_clauses,
    deck_clocks,
    irregularities,
    opening,
    shuffling,
)
from tablectl.games.twenty_one.dealer import dealer_has_blackjack, draw_to_17, turn_hole_card
from tablectl.games.twenty_one.dealing import deal_two, draw_up, give, rack_astray
from tablectl.games.twenty_one.hands import (
    collect_insurance,
    divide,
    double,
    most_insurance,
    offer_insurance,
    play_hand,
    play_hands,
)
from tablectl.games.twenty_one.play import (
    BLACKJACK,
    DOUBLE,
    INSURANCE,
    SECOND_CHANCE,
    SPLIT,
    Chapter,
    Hand,
    Missed,
    Play,
    leave,
    place,
    to_stage,
)
from tablectl.games.twenty_one.settling import Row, Settlement, settle_rows

__all__ = [
    "BLACKJACK",
    "DOUBLE",
    "INSURANCE",
    "PLACES",
    "SECOND_CHANCE",
    "SPLIT",
    "Chapter",
    "Hand",
    "Missed",
    "Play",
    "Row",
    "Settlement",
    "check_adjacent",
    "check_seats",
    "collect_insurance",
    "deal_two",
    "dealer_has_blackjack",
    "dealing_clauses",
    "deck_clocks",
    "divide",
    "double",
    "draw_to_17",
    "draw_up",
    "give",
    "irregularities",
    "leave",
    "most_insurance",
    "offer_insurance",
    "opening",
    "place",
    "play_hand",
    "play_hands",
    "rack_astray",
    "settle_rows",
    "shuffling",
    "to_stage",
    "turn_hole_card",
]
