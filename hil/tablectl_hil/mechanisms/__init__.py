"""The emulated equipment itself, behind its link: what a person does to it, what it is told, and what it says.

A mechanism knows no clock and no line; `Surroundings` give it what it needs of the world. There is a module for each
group of kinds.
"""

from __future__ import annotations

from typing import Final

from tablectl.equipment import Kind
from tablectl_hil.mechanisms.card_reader import CardReader
from tablectl_hil.mechanisms.chances import Rng, Shaker
from tablectl_hil.mechanisms.mechanism import Mechanism, Surroundings
from tablectl_hil.mechanisms.panel import Panel
from tablectl_hil.mechanisms.seats import ExtraRoll, Progressive
from tablectl_hil.mechanisms.shoe import Shoe
from tablectl_hil.mechanisms.shuffler import Shuffler
from tablectl_hil.mechanisms.spots import CardScanner, CredentialReader, WagerSensors

__all__ = ["MECHANISMS", "Mechanism", "Surroundings"]

MECHANISMS: Final[dict[Kind, type[Mechanism]]] = {
    mechanism.kind: mechanism
    for mechanism in (
        Panel,
        Shoe,
        Shuffler,
        WagerSensors,
        CardScanner,
        CredentialReader,
        CardReader,
        Progressive,
        ExtraRoll,
        Shaker,
        Rng,
    )
}
