"""What a round is begun under, and may be resumed under alone."""

from __future__ import annotations

from tablectl.money import Money
from tablectl.records import record

__all__ = ["Identity"]


@record
class Identity:
    """What a round was begun under: program version, digests of the filed rules and of the configuration.

    Of what the digests stand for, `game` and the posted limits are named. `training`: nothing of it is real play.
    """

    version: str
    edition: str
    configuration: str
    game: str = ""
    minimum: Money | None = None
    maximum: Money | None = None
    training: bool = False
