"""The panel's end of one conversation with one reader, without I/O and clock.

The panel asks, the reader answers, one at a time. `request` gives what to send, `receive` takes a packet that came
while the answer was waited for, and `silent` says that none came. A request that is not answered is sent again, byte by
byte the same, so that the reader answers it twice and acts once. When that does not help the conversation is begun
anew, with sequence number 0 and new session keys; the reader is lost only after `lost_after` seconds without a valid
answer, and then looked for at growing intervals.

A reader that is new, or was lost, is first asked until it has nothing to say: a card that it has kept from before was
held to it when nobody listened, and must not open anything now.

With a base key no card is taken before both ends have proved that they hold it, and from then on nothing that is not
chained to what went before. The identity that is reported has been asked for again under that proof.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from tablectl.errors import DecodeError
from tablectl_drivers.osdp import contents as c
from tablectl_drivers.osdp.contents import Command, NakReason, Reply
from tablectl_drivers.osdp.happenings import (
    Found,
    Happening,
    KeyGiven,
    KeyUnusable,
    Lost,
    Presented,
    Refused,
    Status,
    Timing,
    Unreadable,
)
from tablectl_drivers.osdp.packets import Packet, SecurityBlock, encode
from tablectl_drivers.osdp.secure_channel import DEFAULT_KEY, SecureChannel

__all__ = ["ControlPanel"]

TRIES: Final = 3
MOST_KEPT: Final = 64
"""A reader that has more to say than this when it is found says something to every poll, and is never empty."""
STATUS_S: Final = 5.0
_CHLNG, _CCRYPT, _SCRYPT, _RMAC_I = 0x11, 0x12, 0x13, 0x14
_COMMAND, _REPLY, _COMMAND_DATA, _REPLY_DATA = 0x15, 0x16, 0x17, 0x18
_DEFAULT, _OWN = b"\x00", b"\x01"


class _Step(Enum):
    """What is asked for next; one after the other until `POLLING`."""

    HELLO = auto()
    CHALLENGE = auto()
    PROOF = auto()
    GIVE_KEY = auto()
    IDENTITY = auto()
    CAPABILITIES = auto()
    LOCAL_STATUS = auto()
    READER_STATUS = auto()
    EMPTYING = auto()
    POLLING = auto()


_NEXT: Final = {
    _Step.HELLO: _Step.CAPABILITIES,
    _Step.IDENTITY: _Step.CAPABILITIES,
    _Step.CAPABILITIES: _Step.LOCAL_STATUS,
    _Step.LOCAL_STATUS: _Step.READER_STATUS,
    _Step.READER_STATUS: _Step.POLLING,
}
_ASKS: Final = {
    _Step.HELLO: (Command.ID, b"\0"),
    _Step.IDENTITY: (Command.ID, b"\0"),
    _Step.CAPABILITIES: (Command.CAP, b"\0"),
    _Step.LOCAL_STATUS: (Command.LSTAT, b""),
    _Step.READER_STATUS: (Command.RSTAT, b""),
    _Step.EMPTYING: (Command.POLL, b""),
    _Step.POLLING: (Command.POLL, b""),
}


@dataclass(slots=True)
class _Talk:
    """One conversation, from sequence number 0 on; the next one begins without any memory of it."""

    step: _Step = _Step.HELLO
    sequence: int = 0
    sent: bytes = b""
    tries: int = 0
    asked: int = Command.POLL
    orders: deque[tuple[int, bytes]] = field(default_factory=deque)
    key: bytes = field(default=b"", repr=False)
    random: bytes = b""
    channel: SecureChannel | None = None
    secure: bool = False
    identity: c.Identity | None = None
    capabilities: c.Capabilities | None = None
    case_open: bool = False
    power_failed: bool = False
    has_heads: bool = False
    ask_heads: bool = False
    head_missing: bool = False
    head_open: bool = False
    status_due: float = 0.0
    stale: int = 0

    @property
    def status(self) -> Status:
        return Status(self.case_open or self.head_open, self.power_failed, self.head_missing)


class ControlPanel:
    """One reader's conversation. `key` gives its base key, None: the conversation is not secured.

    With `install` a reader that still has its maker's key is given ours first; no card is taken under the maker's.
    `due` is when `request` should be called next, `bad` counts packets that were refused, `retransmits` requests that
    were sent again, `duplicates` answers that came again.
    """

    def __init__(
        self,
        address: int,
        timing: Timing,
        chance: random.Random,
        *,
        key: Callable[[], bytes] | None,
        install: bool = False,
        crc: bool = True,
    ) -> None:
        self.address = address
        self.due = 0.0
        self.bad = self.retransmits = self.duplicates = 0
        self._timing = timing
        self._chance = chance
        self._key_source = key
        self._install = install
        self._crc = crc
        self._valid_at: float | None = None
        self._told_lost = False
        self._pause = timing.retry
        self._try_default = False
        self._new = True
        self._talk = _Talk()

    @property
    def up(self) -> bool:
        """Whether cards are taken."""
        return self._talk.step is _Step.POLLING

    def begin(self, now: float) -> None:
        """The line is there: the conversation begins."""
        self._reset()
        self._valid_at = now
        self._told_lost = self._try_default = False
        self._new = True
        self._pause = self._timing.retry
        self.due = now

    def dismiss(self, now: float) -> None:
        """What was found is not the reader that is wanted: look again later."""
        self._told_lost = self._new = True
        self._reset()
        self.due = now + self._next_pause()

    def order(self, code: int, data: bytes) -> None:
        """Have a command sent to the reader in its turn, if it is there; nothing is said of what came of it."""
        if self.up:
            self._talk.orders.append((code, data))

    def request(self, now: float) -> tuple[bytes, list[Happening]]:
        """What to send now (nothing, when the key cannot be had), and what happened."""
        if self._talk.sent:
            self._talk.tries += 1
            self.retransmits += 1
            return self._talk.sent, []
        try:
            self._talk.sent = self._compose(now)
        except KeyUnusable as error:
            return b"", self._refuse(str(error), now, ours=True)
        self._talk.tries = 1
        return self._talk.sent, []

    def receive(self, packet: Packet, now: float) -> list[Happening] | None:
        """Take a packet that is on the line; None when it is no valid answer to the last request."""
        if not packet.reply or packet.address != self.address:
            return None
        if packet.code == Reply.BUSY and self._talk.sent:
            # It has sequence number 0 and is never secured. It is no sign of life that counts: a reader that is always
            # busy takes no cards.
            self._talk.tries = 0
            self.due = now + self._timing.poll
            return self._check_lost(now)
        opened = self._open(packet)
        if opened is None:
            return None
        self._talk.sent = b""
        self._talk.sequence = self._talk.sequence % 3 + 1
        self.due = now
        happenings = self._answered(opened, packet, now)
        if self.up:
            # Only now: something that answers and never gets as far as taking cards is as good as lost.
            self._valid_at = now
        return happenings or self._check_lost(now)

    def silent(self, now: float) -> list[Happening]:
        """No valid answer came in time."""
        self.due = now
        if self._talk.sent and self._talk.tries >= TRIES:
            self._reset()
            if self._told_lost:
                self.due = now + self._next_pause()
        return self._check_lost(now)

    # What is sent ---------------------------------------------------------------------------------------------------

    def _compose(self, now: float) -> bytes:
        if self._talk.step is _Step.HELLO and self._key_source is not None:
            self._talk.key = self._key_source()  # read anew each time, as a person may have put it right
        if self._talk.step is _Step.CHALLENGE:
            self._talk.random = self._chance.randbytes(8)
            return self._plain(Command.CHLNG, self._talk.random, SecurityBlock(_CHLNG, self._key_kind))
        if self._talk.step is _Step.PROOF and self._talk.channel is not None:
            return self._plain(
                Command.SCRYPT, self._talk.channel.panel_cryptogram, SecurityBlock(_SCRYPT, self._key_kind)
            )
        if self._talk.step is _Step.GIVE_KEY:
            return self._secured(Command.KEYSET, c.key_set(self._talk.key))
        code, data = self._next_question(now)
        self._talk.asked = code
        return self._secured(code, data) if self._talk.secure else self._plain(code, data, None)

    def _next_question(self, now: float) -> tuple[int, bytes]:
        if self._talk.step is _Step.POLLING:
            if self._talk.orders:
                return self._talk.orders.popleft()
            if now >= self._talk.status_due:
                # Readers should say by themselves when their status changes, and not all do.
                self._talk.status_due = now + STATUS_S
                self._talk.ask_heads = self._talk.has_heads and not self._talk.ask_heads
                return (Command.RSTAT if self._talk.ask_heads else Command.LSTAT), b""
        return _ASKS[self._talk.step]

    def _plain(self, code: int, data: bytes, block: SecurityBlock | None) -> bytes:
        return encode(self.address, self._talk.sequence, code, data, crc=self._crc, security=block)

    def _secured(self, code: int, data: bytes) -> bytes:
        channel = self._talk.channel
        assert channel is not None
        block = SecurityBlock(_COMMAND_DATA if data else _COMMAND)
        return encode(
            self.address,
            self._talk.sequence,
            code,
            channel.encrypt_command(data) if data else b"",
            crc=self._crc,
            security=block,
            mac=channel.command_code,
        )

    # What is received -----------------------------------------------------------------------------------------------

    def _open(self, packet: Packet) -> bytes | None:
        """The data of a valid answer to the last request, decrypted; None for anything else."""
        if not self._talk.sent or packet.sequence != self._talk.sequence:
            self.duplicates += 1
            return None
        data = self._proven_data(packet) if packet.crc is self._crc else None
        if data is None:
            self.bad += 1
        return data

    def _proven_data(self, packet: Packet) -> bytes | None:
        talk, block = self._talk, packet.security
        if packet.code == Reply.NAK and (block is None or not block.proven):
            return packet.data  # who has lost the session keys can say so in no other way
        if not talk.secure:
            expected = {_Step.CHALLENGE: _CCRYPT, _Step.PROOF: _RMAC_I}.get(talk.step)
            return packet.data if (None if block is None else block.type) == expected else None
        if block is None or block.type not in (_REPLY, _REPLY_DATA) or talk.channel is None:
            return None
        if not talk.channel.verify_reply(packet.covered, packet.mac):
            return None
        if block.type == _REPLY or not packet.data:
            return packet.data
        return talk.channel.decrypt_reply(packet.data)

    def _answered(self, data: bytes, packet: Packet, now: float) -> list[Happening]:
        try:
            if packet.code == Reply.CCRYPT and self._talk.step is _Step.CHALLENGE:
                return self._challenged(data, packet, now)
            if packet.code == Reply.RMAC_I and self._talk.step is _Step.PROOF:
                return self._proved(data, packet, now)
            said = c.contents(packet.code, data)
        except DecodeError as error:
            # Its code may be right and its form is not: asking again would bring the same.
            self.bad += 1
            if self.up and packet.code in (Reply.RAW, Reply.FMT):
                return [Unreadable(str(error))]
            if self._talk.step is _Step.EMPTYING:
                return self._emptied(None, now)
            return self._restart_if_starting(now)
        match said:
            case c.Nak() if self._talk.secure and packet.security is None:
                return self._restart(now)  # whoever says it, the secured conversation is over
            case c.Nak():
                return self._not_taken(said, now)
            case _ if self._talk.step is _Step.EMPTYING:
                return self._emptied(said, now)
            case c.Identity() | c.Capabilities() | c.LocalStatus() | c.ReaderStatus():
                return self._informed(said, now)
            case c.Card() | c.CardText() if self.up:
                return [Presented(said)]
            case c.Plain(Reply.ACK) if self._talk.step is _Step.GIVE_KEY:
                self._try_default = False
                self._reset()
                return [KeyGiven()]
            case c.Plain(Reply.ACK) if self.up:
                if self._talk.asked == Command.POLL and not self._talk.orders:
                    self.due = now + self._timing.poll
                return []
            case _ if self.up:
                return []  # keys of a keypad, inputs and outputs: nothing that a table needs
            case _:
                return self._restart_if_starting(now)

    def _informed(
        self, said: c.Identity | c.Capabilities | c.LocalStatus | c.ReaderStatus, now: float
    ) -> list[Happening]:
        before = self._talk.status
        match self._talk.step, said:
            case _Step.HELLO, c.Identity() if self._key_source is not None:
                self._talk.step = _Step.CHALLENGE
            case ((_Step.HELLO | _Step.IDENTITY), c.Identity()):
                self._talk.identity = said
                self._talk.step = _NEXT[self._talk.step]
            case _Step.CAPABILITIES, c.Capabilities():
                self._talk.capabilities = said
                self._talk.step = _NEXT[self._talk.step]
            case ((_Step.LOCAL_STATUS | _Step.POLLING), c.LocalStatus()):
                self._note(said)
                self._talk.step = _NEXT.get(self._talk.step, _Step.POLLING)
            case ((_Step.READER_STATUS | _Step.POLLING), c.ReaderStatus()):
                self._note(said)
                return self._status_known(before, now)
            case _:
                return self._restart_if_starting(now)
        return [self._talk.status] if self.up and self._talk.status != before else []

    def _status_known(self, before: Status, now: float) -> list[Happening]:
        """The last thing that is asked for at the beginning, or a part of the status that came later."""
        if self.up:
            return [self._talk.status] if self._talk.status != before else []
        if self._new:
            self._talk.step = _Step.EMPTYING
            return []
        return self._ready(now)

    def _note(self, status: c.LocalStatus | c.ReaderStatus) -> None:
        talk = self._talk
        match status:
            case c.LocalStatus(tamper, power_failed):
                talk.case_open, talk.power_failed = tamper, power_failed
            case c.ReaderStatus(missing, tamper):
                talk.has_heads, talk.head_missing, talk.head_open = True, missing, tamper

    def _emptied(self, said: c.Contents | None, now: float) -> list[Happening]:
        """What a reader says to a poll when it is found: that nothing is left, or something from before."""
        self._talk.stale += 1
        match said:
            case c.LocalStatus() | c.ReaderStatus():
                self._note(said)
            case c.Plain(Reply.ACK):
                return self._ready(now)
            case _:
                pass  # held to it, or pressed, when nobody listened
        return self._ready(now) if self._talk.stale > MOST_KEPT else []

    def _ready(self, now: float) -> list[Happening]:
        """Cards are taken from now on."""
        assert self._talk.identity is not None
        assert self._talk.capabilities is not None
        self._new = False
        self._talk.step = _Step.POLLING
        self._talk.status_due = now + STATUS_S
        self._told_lost = False
        self._pause = self._timing.retry
        return [Found(self._talk.identity, self._talk.capabilities, self._talk.status)]

    def _challenged(self, data: bytes, packet: Packet, now: float) -> list[Happening]:
        block = packet.security
        if len(data) != 32 or block is None:
            raise DecodeError("a CCRYPT reply with data of a wrong form")
        if block.data[:1] != self._key_kind:
            return self._wrong_key("it answers with another key than it was asked for", now)
        key = DEFAULT_KEY if self._try_default else self._talk.key
        channel = SecureChannel(key, self._talk.random, data[8:16])
        if not channel.proves_reader(data[16:]):
            return self._wrong_key("it does not prove that it holds the key", now)
        self._talk.channel = channel
        self._talk.step = _Step.PROOF
        return []

    def _proved(self, data: bytes, packet: Packet, now: float) -> list[Happening]:
        block = packet.security
        if len(data) != 16 or block is None:
            raise DecodeError("an RMAC_I reply with data of a wrong form")
        if block.data[:1] != b"\x01":
            return self._wrong_key("it does not accept the panel's proof", now)
        assert self._talk.channel is not None
        self._talk.channel.begin(data)
        self._talk.secure = True
        self._talk.step = _Step.GIVE_KEY if self._try_default else _Step.IDENTITY
        return []

    def _not_taken(self, nak: c.Nak, now: float) -> list[Happening]:
        if nak.reason in (NakReason.CHECK, NakReason.SEQUENCE):
            return self._restart(now)
        if self._talk.step in (_Step.CHALLENGE, _Step.PROOF):
            return self._wrong_key(f"it does not take part in a secure channel ({nak})", now)
        if self._talk.step is _Step.GIVE_KEY:
            return self._refuse(f"it does not take the key that it is given ({nak})", now)
        if nak.reason in (NakReason.SECURITY_BLOCK, NakReason.UNSECURED):
            return self._restart(now)
        if self._talk.step is _Step.READER_STATUS:  # many have no heads to report
            return self._status_known(self._talk.status, now)
        if self._talk.step is _Step.LOCAL_STATUS:
            self._talk.step = _NEXT[self._talk.step]
            return []
        if self.up:
            return []  # a light or a tone that it does not have
        return self._refuse(f"it does not say what it is ({nak})", now)

    # Beginning anew -------------------------------------------------------------------------------------------------

    def _wrong_key(self, reason: str, now: float) -> list[Happening]:
        if self._install:
            self._try_default = not self._try_default
            if self._try_default:
                self._reset()
                return []
        return self._refuse(reason, now)

    def _refuse(self, reason: str, now: float, *, ours: bool = False) -> list[Happening]:
        self.dismiss(now)
        return [Refused(reason, ours)]

    def _restart_if_starting(self, now: float) -> list[Happening]:
        return [] if self.up else self._restart(now)

    def _restart(self, now: float) -> list[Happening]:
        self._reset()
        self.due = now + (self._next_pause() if self._told_lost else self._timing.poll)
        return []

    def _check_lost(self, now: float) -> list[Happening]:
        if self._told_lost or self._valid_at is None or now - self._valid_at < self._timing.lost_after:
            return []
        self._told_lost = self._new = True
        self._reset()
        return [Lost(f"no valid answer for {self._timing.lost_after:g} s")]

    def _next_pause(self) -> float:
        pause = self._pause
        self._pause = min(pause * 2, self._timing.retry_max)
        return pause * self._chance.uniform(0.5, 1.0)

    @property
    def _key_kind(self) -> bytes:
        return _DEFAULT if self._try_default else _OWN

    def _reset(self) -> None:
        """Forget the conversation: the next request has sequence number 0, which tells the reader to forget it too."""
        self._talk = _Talk()
