"""Bodies of journal rows: what the engine writes and reads back.

==========  ==========================================================================================================
kind        body
==========  ==========================================================================================================
snapshot    ``{"state", "picture", "identity"}``: between rounds
input       ``{"device", "boot", "number", "message"}``: a device's message, a timer, a start of the daemon
intent      ``{"device", "boot", "command"}``: before an actuation; the row's number is the command id
result      ``{"instruction", "result"}``
interrupt   ``{"instruction", "incident"}``
event       ``{"sequence", "event"}``: `sequence` is contiguous from 1
latch       ``{"device", "fault", "message", "set"}``
==========  ==========================================================================================================

Where a record holds face-down cards, their identities are in the row's secret: 16 random bytes, then a JSON list. The
body has their ``commitment``, the SHA-256 of the secret, so that the hash chain covers what it does not show.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

from tablectl.errors import JournalRefused
from tablectl.journal import Entry, Row, RowKind
from tablectl.records import decode, encode

__all__ = ["Body", "entry", "plain", "read_body"]

_SALT_BYTES = 16

Body = dict[str, Any]


def entry(kind: RowKind, step: int | None = None, /, **fields: object) -> Entry:
    """A row to be appended, its fields encoded, identities of face-down cards apart."""
    hidden: list[str | None] = []
    body = encode(fields, hidden)
    if not hidden:
        return Entry(kind, body, step)
    secret = os.urandom(_SALT_BYTES) + json.dumps(hidden).encode()
    fields["commitment"] = hashlib.sha256(secret).hexdigest()
    return Entry(kind, encode(fields, []), step, secret)


def read_body(row: Row | Entry, **types: Any) -> dict[str, Any]:
    """The fields of a row's body as values of these types; `JournalRefused` if its secret is not the committed one."""
    body: Body = json.loads(row.body)
    hidden: list[str | None] = []
    if row.secret is not None:
        if body.get("commitment") != hashlib.sha256(row.secret).hexdigest():
            raise JournalRefused(f"a {row.kind} row's face-down cards are not those that its body is committed to")
        hidden = json.loads(row.secret[_SALT_BYTES:])
    return {key: decode(expected, body[key], hidden) for key, expected in types.items()}


def plain(row: Row | Entry) -> tuple[RowKind, int | None, Body, list[str | None]]:
    """What a row says, apart from number, time and salt: rows of two runs are compared by it."""
    body: Body = json.loads(row.body)
    body.pop("commitment", None)
    hidden = [] if row.secret is None else json.loads(row.secret[_SALT_BYTES:])
    return row.kind, row.step, body, hidden
