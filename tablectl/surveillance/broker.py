"""Where the broker is, how it is spoken to, what can go wrong, and what is under way to it."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal

from tablectl.errors import LinkError

__all__ = ["BrokerSettings", "BrokerTrouble", "Delivery", "Protocol", "Session", "Tls", "Trouble", "Will"]

DEVICE: Final = "mqtt"
"""The broker's name in errors, where a device's id stands."""

Protocol = Literal["5", "3.1.1"]

_FAILURE = 0x80


class Trouble(StrEnum):
    """What is wrong with a connection: the first three mend themselves, the others need a person.

    `CLOSED` is a connection that the broker has ended without giving a reason.
    """

    UNREACHABLE = "unreachable"
    LOST = "lost"
    CLOSED = "closed"
    REFUSED = "refused"
    CERTIFICATE = "certificate"
    TAKEN_OVER = "taken_over"


class BrokerTrouble(LinkError):
    """The broker cannot be reached, refuses us or has gone; `trouble` says which."""

    def __init__(self, trouble: Trouble, message: str) -> None:
        self.trouble = trouble
        super().__init__(message, device=DEVICE)


@dataclass(frozen=True, slots=True)
class Tls:
    """Files in PEM form, read again for each connection; `certificate` and `key` prove who we are."""

    ca: Path
    certificate: Path | None = None
    key: Path | None = None

    def context(self) -> ssl.SSLContext:
        """A context from the files as they are now; blocks shortly. `BrokerTrouble` names the file that is no good."""
        reading = self.ca
        try:
            context = ssl.create_default_context(cafile=str(self.ca))
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            if self.certificate is not None:
                reading = self.certificate
                # No password: a prompt on a terminal that nobody watches would hang the table.
                context.load_cert_chain(self.certificate, self.key, password=lambda: "")
        except (OSError, ValueError) as exc:
            raise BrokerTrouble(
                Trouble.CERTIFICATE,
                f"{reading}: the TLS file{'s' if reading != self.ca else ''} cannot be used ({exc}). Expected PEM that "
                "the daemon may read, with a key without a password that belongs to the certificate.",
            ) from exc
        return context


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerSettings:
    """Where the broker is and how it is spoken to.

    `protocol` ``auto`` prefers MQTT 5 and falls back to 3.1.1, where the broker cannot say that it refuses a message or
    that somebody else has our name. A silent broker is noticed after twice `keepalive_s`. At most `window` messages are
    under way; the broker's own limit, where it states one, comes first.
    """

    host: str
    port: int = 1883
    protocol: Protocol | Literal["auto"] = "auto"
    tls: Tls | None = None
    keepalive_s: int = 5
    connect_timeout_s: float = 3.0
    window: int = 16

    @property
    def name(self) -> str:
        """Host and port, for messages."""
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Will:
    """The retained message that the broker publishes when this connection breaks without a good-bye."""

    topic: str
    payload: bytes


class Delivery:
    """One message under way: `code` is None until the broker has answered; `sent` is monotonic time in seconds."""

    __slots__ = ("code", "sent", "topic")

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.sent = time.monotonic()
        self.code: int | None = None

    @property
    def answered(self) -> bool:
        """Whether the broker has said anything."""
        return self.code is not None

    @property
    def refused(self) -> bool:
        """Whether the broker has said no: the message is not delivered."""
        return self.code is not None and self.code >= _FAILURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a connection is for: its client id, its will, how long the broker keeps its place when it is gone.

    `progress` is called when a message is answered or the connection is lost, `arrived` with topic and payload.
    """

    client_id: str
    will: Will | None = None
    kept_s: int = 0
    progress: Callable[[], None] = lambda: None
    arrived: Callable[[str, bytes], None] = lambda _topic, _payload: None
