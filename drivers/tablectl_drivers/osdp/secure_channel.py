"""The secure channel of OSDP 2: session keys, cryptograms, chained message authentication codes, encryption.

AES-128 throughout. Both ends hold a base key (SCBK). The panel challenges with 8 random bytes, from which both derive
three session keys; each proves with a cryptogram over both ends' random bytes that it holds them. From then on every
packet carries the first 4 bytes of a code that is chained to the code of the packet before it, in the other direction,
so that nothing can be left out, repeated or put in between; data are encrypted with the complement of that code.
"""

from __future__ import annotations

import hmac
from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC, ECB

from tablectl_drivers.osdp.packets import MAC_BYTES

__all__ = ["DEFAULT_KEY", "KEY_BYTES", "SecureChannel"]

BLOCK: Final = 16
KEY_BYTES: Final = 16
DEFAULT_KEY: Final = bytes(range(0x30, 0x40))
"""SCBK-D: every reader of every maker has it when it is new, so it proves nothing."""

_END: Final = b"\x80"


class SecureChannel:
    """One session between both ends; either of them uses it, each for its side.

    `begin` must be called before codes are made. A command's code is chained to that of the last reply, a reply's to
    that of the command; `command_code` and `reply_code` move the chain on, `verify_reply` and `verify_command` only
    when the code is right.
    """

    def __init__(self, key: bytes, panel_random: bytes, reader_random: bytes) -> None:
        self._encryption = _ecb(key, b"\x01\x82" + panel_random[:6] + bytes(8))
        self._mac1 = _ecb(key, b"\x01\x01" + panel_random[:6] + bytes(8))
        self._mac2 = _ecb(key, b"\x01\x02" + panel_random[:6] + bytes(8))
        self.reader_cryptogram = _ecb(self._encryption, panel_random + reader_random)
        self.panel_cryptogram = _ecb(self._encryption, reader_random + panel_random)
        self.first_code = _ecb(self._mac2, _ecb(self._mac1, self.panel_cryptogram))
        self._of_command = self._of_reply = bytes(BLOCK)

    def proves_reader(self, cryptogram: bytes) -> bool:
        """Whether the reader has the key."""
        return hmac.compare_digest(cryptogram, self.reader_cryptogram)

    def proves_panel(self, cryptogram: bytes) -> bool:
        """Whether the panel has the key."""
        return hmac.compare_digest(cryptogram, self.panel_cryptogram)

    def begin(self, first_code: bytes) -> None:
        """Chain the first command to the code that the reader answered with."""
        self._of_reply = first_code

    def command_code(self, covered: bytes) -> bytes:
        """The code of a command."""
        self._of_command = self._code(covered, self._of_reply)
        return self._of_command

    def reply_code(self, covered: bytes) -> bytes:
        """The code of a reply."""
        self._of_reply = self._code(covered, self._of_command)
        return self._of_reply

    def verify_command(self, covered: bytes, code: bytes) -> bool:
        """Whether that code is right for a command that comes now."""
        expected = self._code(covered, self._of_reply)
        right = hmac.compare_digest(expected[:MAC_BYTES], code)
        if right:
            self._of_command = expected
        return right

    def verify_reply(self, covered: bytes, code: bytes) -> bool:
        """Whether that code is right for a reply that comes now."""
        expected = self._code(covered, self._of_command)
        right = hmac.compare_digest(expected[:MAC_BYTES], code)
        if right:
            self._of_reply = expected
        return right

    def encrypt_command(self, data: bytes) -> bytes:
        """The data of a command as it is sent, before its code is made."""
        return _cbc(self._encryption, _complement(self._of_reply), data + _END + bytes(-(len(data) + 1) % BLOCK))

    def encrypt_reply(self, data: bytes) -> bytes:
        """The data of a reply as it is sent, before its code is made."""
        return _cbc(self._encryption, _complement(self._of_command), data + _END + bytes(-(len(data) + 1) % BLOCK))

    def decrypt_command(self, data: bytes) -> bytes | None:
        """The data of a command; to be called after its code was verified. None when they were not encrypted so."""
        return _decrypted(self._encryption, _complement(self._of_reply), data)

    def decrypt_reply(self, data: bytes) -> bytes | None:
        """The data of a reply; None when they were not encrypted so."""
        return _decrypted(self._encryption, _complement(self._of_command), data)

    def _code(self, covered: bytes, chained: bytes) -> bytes:
        if len(covered) % BLOCK:
            covered += _END + bytes(-(len(covered) + 1) % BLOCK)
        if len(covered) > BLOCK:
            chained = _cbc(self._mac1, chained, covered[:-BLOCK])[-BLOCK:]
        return _cbc(self._mac2, chained, covered[-BLOCK:])


def _ecb(key: bytes, block: bytes) -> bytes:
    # One block under a key that is used for nothing else, as the standard derives keys and cryptograms.
    return Cipher(AES(key), ECB()).encryptor().update(block)  # noqa: S305


def _cbc(key: bytes, start: bytes, data: bytes) -> bytes:
    return Cipher(AES(key), CBC(start)).encryptor().update(data)


def _decrypted(key: bytes, start: bytes, data: bytes) -> bytes | None:
    if not data or len(data) % BLOCK:
        return None
    plain = Cipher(AES(key), CBC(start)).decryptor().update(data).rstrip(b"\0")
    return plain[:-1] if plain.endswith(_END) else None


def _complement(code: bytes) -> bytes:
    return bytes(byte ^ 0xFF for byte in code)
