"""The sections of a table's configuration: each key with what is expected of it, its default and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, Strict, StringConstraints

from tablectl.daemon.findings import Section
from tablectl.equipment import Kind
from tablectl.games import GAME_IDS
from tablectl.procedure.game import Dealing, Shuffler
from tablectl.rules import Dollars

__all__ = [
    "DEFAULT_PREFIX",
    "SECTIONS",
    "DecksSection",
    "DeviceSection",
    "MqttSection",
    "PeopleSection",
    "TableSection",
    "TlsSection",
    "UsbSection",
]

DEFAULT_PREFIX: Final = "tablectl"

Name = Annotated[str, Strict(), StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Words = Annotated[str, Strict(), StringConstraints(pattern=r"^[^\x00-\x1f\x7f]+$")]
Number = Annotated[int, Strict()]

_A_NAME: Final = "1 to 64 letters, digits, dots, hyphens or underscores as text, beginning with a letter or digit"


def _key(expected: str, default: Any = ..., **limits: Any) -> Any:
    """A key of a section: what is expected, its default (none: it has to be there), its limits."""
    return Field(default, description=expected, **limits)


class TableSection(Section):
    """Which table this is, what is dealt there and how, and where its journal is."""

    id: Name = _key(f"the table's id, which no other table at its broker has: {_A_NAME}")
    site: Name = _key(f"the id of the casino: {_A_NAME}")
    pit: Name = _key(f"the id of the pit: {_A_NAME}")
    game: Annotated[str, Strict()] = _key(f"the id of a game: {', '.join(GAME_IDS)}")
    dealing: Dealing = _key(f"a way of dealing: {', '.join(Dealing)}")
    shuffler: Shuffler = _key(f"a way of shuffling: {', '.join(Shuffler)}")
    shuffler_mode: Literal["batch", "continuous"] = _key('"batch" or "continuous" as text', "batch")
    seats: Number | None = _key("a number of betting positions from 1 to what the chapter allows", None, ge=1, le=10)
    minimum: Dollars | None = _key('the posted minimum, dollars with two decimals as text such as "10.00"', None)
    maximum: Dollars | None = _key('the posted maximum, dollars with two decimals as text such as "500.00"', None)
    journal: Words = _key("the path of the journal, which is a file in a folder that exists, as text")
    confirm_ms: Number = _key("a whole number of milliseconds from 0 to 5000", 700, ge=0, le=5000)
    chips_settle_ms: Number = _key("a whole number of milliseconds from 100 to 5000", 500, ge=100, le=5000)
    floor_called_for: tuple[Words, ...] = _key(
        'a list of irregularities that the game\'s chapter knows as text, such as ["wrong_card_count"]', ()
    )
    training: Annotated[bool, Strict()] = _key("true or false", False)


class DecksSection(Section):
    """The decks, or batches of decks, at the table."""

    at_the_table: Number | None = _key(
        "a number of decks, or batches, that are at the table at once: 1 or 2", None, ge=1, le=2
    )
    backs: tuple[Words, ...] = _key(
        'a list of the colours of backs in use as text, such as ["red", "blue"]', ("red", "blue"), min_length=1
    )
    warn_minutes: Number = _key("a whole number of minutes from 0 to 240", 15, ge=0, le=240)


class DeviceSection(Section):
    """One device; further keys are its driver's own."""

    model_config = ConfigDict(extra="allow")

    kind: Kind = _key(f"a kind of equipment: {', '.join(Kind)}")
    driver: Words = _key('the name of an installed driver as text, such as "table-device-link"')
    port: Words = _key('where the device is, in its driver\'s form as text, such as "serial:/dev/serial/by-id/…"')


class TlsSection(Section):
    """How the broker proves itself to the table, and the table to the broker."""

    ca: Words = _key("the path of a PEM file with the certificate of the CA that signed the broker's, as text")
    cert: Words | None = _key("the path of a PEM file with the table's certificate, as text", None)
    key: Words | None = _key("the path of a PEM file with the table's private key, without a password, as text", None)


class MqttSection(Section):
    """The broker that surveillance listens to."""

    host: Words = _key("the broker's name or address as text")
    port: Number | None = _key("a TCP port from 1 to 65535", None, ge=1, le=65535)
    prefix: Annotated[str, Strict(), StringConstraints(pattern=r"^([A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*)?$")] = _key(
        "what topics begin with, as text: letters, digits, dots, hyphens and underscores, levels parted by /",
        DEFAULT_PREFIX,
    )
    protocol: Literal["auto", "5", "3.1.1"] = _key('the version of MQTT as text: "auto", "5" or "3.1.1"', "auto")
    keepalive_s: Number = _key("a whole number of seconds from 1 to 300", 5, ge=1, le=300)
    connect_timeout_s: Number = _key("a whole number of seconds from 1 to 60", 3, ge=1, le=60)
    window: Number = _key("a number of messages from 1 to 1000", 16, ge=1, le=1000)
    tls: TlsSection | None = _key("a section [mqtt.tls]", None)


class UsbSection(Section):
    """USB devices that may be plugged in beside the table's own; any other is an alarm."""

    allow: tuple[Words, ...] = _key('a list of devices as text, such as ["046d:c31c", "0781:5567?serial=4C53"]', ())


class PeopleSection(Section):
    """Credentials, as the reader gives them."""

    floorpersons: tuple[Words, ...] = _key('a list of badge numbers as text, such as ["4711", "4712"]', ())
    supervisors: tuple[Words, ...] = _key('a list of badge numbers as text, such as ["4701"]', ())
    dealers: tuple[Words, ...] = _key('a list of badge numbers as text, such as ["1001", "1002"]', ())
    security: tuple[Words, ...] = _key('a list of badge numbers as text, such as ["5001"]', ())
    finance: tuple[Words, ...] = _key('a list of badge numbers as text, such as ["6001"]', ())


SECTIONS: Final[Mapping[str, type[Section]]] = {
    "table": TableSection,
    "decks": DecksSection,
    "devices.ID": DeviceSection,
    "mqtt": MqttSection,
    "mqtt.tls": TlsSection,
    "usb": UsbSection,
    "people": PeopleSection,
}
"""Every section with its keys, ``rules`` apart, whose keys are the game's Rules Submission."""
