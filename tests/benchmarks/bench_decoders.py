"""What decoding costs for the protocols that are not ours, each beside the least that can be done with the same bytes.

Run it by itself, or with `make bench`. Ratios count; the rates depend on the machine. `bench_link` has the table device
link.
"""

from __future__ import annotations

import binascii
import statistics
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tablectl_drivers.buttons import Buttons
from tablectl_drivers.hid import reports
from tablectl_drivers.hid.reports import MODELS, Levels
from tablectl_drivers.linux_input import frames
from tablectl_drivers.linux_input.frames import EV_KEY
from tablectl_drivers.osdp import contents, credential, packets
from tablectl_drivers.osdp.contents import Card, Reply
from tablectl_drivers.osdp.secure_channel import SecureChannel

ROUNDS: Final = 5
CHUNK: Final = 64
XK80: Final = MODELS[0x0441]
KEY: Final = bytes(range(16))


def _bits(number: int) -> bytes:
    """A card of 26 bits with right parity, as a reader sends it."""
    first = (number >> 12).bit_count() % 2
    last = 1 - (number & 0xFFF).bit_count() % 2
    return b"\0\1\x1a\0" + ((first << 25 | number << 1 | last) << 6).to_bytes(4, "big")


OSDP: Final = b"".join(
    packets.encode(3, number % 3 + 1, Reply.RAW, _bits(number), reply=True) for number in range(20_000)
)
OSDP_SIZE: Final = len(OSDP) // 20_000
EVENTS: Final = b"".join(
    frames.encode(number / 100, *event) for number in range(20_000) for event in ((EV_KEY, 30, number & 1), (0, 0, 0))
)
REPORTS: Final = tuple((bytes((0, 0, number & 1, *bytes(9)))).ljust(32, b"\0") for number in range(20_000))
SECURED: Final = 2_000


def bare_osdp() -> int:
    """Cut at the known length and check the CRC."""
    whole = 0
    for at in range(0, len(OSDP), OSDP_SIZE):
        packet = OSDP[at : at + OSDP_SIZE]
        whole += binascii.crc_hqx(packet[:-2], 0x1D0F) == int.from_bytes(packet[-2:], "little")
    return whole


def osdp() -> int:
    """Packets, what they carry, and the number of the card."""
    decoder, cards = packets.Decoder(), 0
    for at in range(0, len(OSDP), CHUNK):
        for packet in decoder.feed(OSDP[at : at + CHUNK]):
            said = contents.contents(packet.code, packet.data)
            cards += isinstance(said, Card) and bool(credential.number(said, credential.Format.WIEGAND26))
    return cards


def bare_secured() -> int:
    """AES alone: as many blocks as a secured request and answer take."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    blocks = 0
    for _ in range(SECURED):
        for _ in range(4):
            encryptor = Cipher(algorithms.AES(KEY), modes.CBC(bytes(16))).encryptor()
            blocks += len(encryptor.update(bytes(16)) + encryptor.finalize()) // 16
    return blocks // 4


def secured() -> int:
    """A request and an answer with data, encrypted, chained and proven at both ends."""
    panel, reader = SecureChannel(KEY, bytes(8), bytes(8)), SecureChannel(KEY, bytes(8), bytes(8))
    for end in (panel, reader):
        end.begin(reader.first_code)
    proven = 0
    for number in range(SECURED):
        asked = panel.encrypt_command(b"\0")
        code = panel.command_code(asked)
        reader.verify_command(asked, code[:4])
        reader.decrypt_command(asked)
        answer = reader.encrypt_reply(_bits(number))
        code = reader.reply_code(answer)
        proven += panel.verify_reply(answer, code[:4]) and panel.decrypt_reply(answer) is not None
    return proven


def bare_events() -> int:
    """Unpack the kernel's structures."""
    return sum(kind == EV_KEY for _, _, kind, _, _ in frames.EVENT.iter_unpack(EVENTS))


def events() -> int:
    """Frames, and the filter of the button."""
    decoder, buttons, changes, size = frames.Decoder(), Buttons(press_s=0.0, release_s=0.0), 0, frames.EVENT.size
    for at in range(0, len(EVENTS), 64 * size):
        for frame in decoder.feed(EVENTS[at : at + 64 * size]):
            for change in frame.changes:
                buttons.level("bet", change.down, frame.at)
                changes += 1
    return changes


def bare_reports() -> int:
    """Unpack the columns."""
    return sum(len(struct.unpack_from("10B", report, 2)) == 10 for report in REPORTS)


def hid() -> int:
    """The buttons of a report, and the filters of all of them."""
    keys = {f"key_{place}": place for place in ((column, row) for column in range(1, 4) for row in range(1, 9))}
    buttons, taken = Buttons(press_s=0.0, release_s=0.0), 0
    for number, report in enumerate(REPORTS):
        said = reports.decode(XK80, report)
        if isinstance(said, Levels):
            for key, place in keys.items():
                buttons.level(key, place in said.down, number / 100)
            taken += 1
    return taken


@dataclass(frozen=True)
class Decoding:
    """One way of decoding and the least that can be done."""

    whole: Callable[[], int]
    bare: Callable[[], int]
    unit: str


DECODERS: Final = {
    "OSDP packets to badge numbers": Decoding(osdp, bare_osdp, "packets"),
    "OSDP secure channel, both ends": Decoding(secured, bare_secured, "exchanges"),
    "Linux input, frames and filter": Decoding(events, bare_events, "events"),
    "X-keys, 24 buttons with filters": Decoding(hid, bare_reports, "reports"),
}


def main() -> None:
    """Print the table."""
    for name, it in DECODERS.items():
        rates: dict[str, list[float]] = {"whole": [], "bare": []}
        for _ in range(ROUNDS):
            counts = []
            for which, way in (("bare", it.bare), ("whole", it.whole)):
                begun = time.perf_counter()
                counts.append(way())
                rates[which].append(counts[-1] / (time.perf_counter() - begun))
            assert counts[0] == counts[1]
        whole, bare = statistics.median(rates["whole"]), statistics.median(rates["bare"])
        print(f"{name:34} {whole:9.0f} {it.unit}/s   {whole / bare:5.3f} of bare")


def test_rates() -> None:
    main()


if __name__ == "__main__":
    main()
