r"""Checks an exported journal without the program that wrote it: only Python's own library is needed.

    python verify_export.py [--from N] FILE [HEADS]

FILE holds one JSON object in each line, with exactly the keys seq, prev, hash, kind, boot, mono_ns, wall, synced, step
and body. HEADS holds one JSON object in each line with at least seq and hash: ends of the chain that were kept
elsewhere (a line of it that is torn is passed over).

The hash of a row is the SHA-256, in lower-case hexadecimal digits, of the UTF-8 bytes of the JSON array

    [seq, prev, kind, boot, mono_ns, wall, synced, step, body]

written without any blank. Integers are decimal digits; synced is true or false; step is an integer or null; strings
have the escapes of RFC 8785 only: a backslash before a quotation mark or a backslash, \b \f \n \r \t, and \u00xx
with lower-case digits for every other character below U+0020; each other character stands for itself. prev is the hash
of the row before, 64 zeros in row 1. seq counts 1, 2, 3 without gaps. The body of a row of kind head is JSON text with
the seq and hash of the row before it.

One line is printed, and the exit status tells: 0 intact, 1 altered (a row is not as it was written), 2 cut (the chain
holds, but a head names a row after its end), 3 missing (there is no FILE), 64 wrong use. An export that begins after
row 1 is checked from there on when N names that row; without it, the rows before are missing.
"""

import hashlib
import json
import sys
from collections.abc import Callable

KEYS = {"seq", "prev", "hash", "kind", "boot", "mono_ns", "wall", "synced", "step", "body"}
STATUS = {"intact": 0, "altered": 1, "cut": 2, "missing": 3}
WRONG_USE = 64


def row_hash(row: dict[str, object]) -> str:
    """The hash that this row should have."""
    covered = [row[key] for key in ("seq", "prev", "kind", "boot", "mono_ns", "wall", "synced", "step", "body")]
    text = json.dumps(covered, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read_row(line: bytes) -> dict[str, object]:
    """The row in a line; ValueError when it is none."""
    row = json.loads(line.decode("utf-8"))
    if not isinstance(row, dict) or set(row) != KEYS:
        raise ValueError("it does not have exactly the keys of a row")
    for key in ("prev", "hash", "kind", "boot", "wall", "body"):
        if type(row[key]) is not str:
            raise ValueError(f"{key} is not text")
    if type(row["seq"]) is not int or type(row["mono_ns"]) is not int or type(row["synced"]) is not bool:
        raise ValueError("seq, mono_ns or synced has the wrong type")
    if row["step"] is not None and type(row["step"]) is not int:
        raise ValueError("step has the wrong type")
    return row


def read_heads(name: str) -> dict[int, set[str]]:
    """Hashes by row number, from a file of heads; empty when there is no such file."""
    heads: dict[int, set[str]] = {}
    try:
        with open(name, "rb") as lines:  # noqa: PTH123
            for line in lines:
                try:
                    head = json.loads(line)
                    heads.setdefault(int(head["seq"]), set()).add(str(head["hash"]))
                except (ValueError, KeyError, TypeError):
                    continue
    except FileNotFoundError:
        pass
    return heads


def first_bad(row: dict[str, object], seq: int, prev: str | None) -> str | None:
    """What is wrong with a row that should have this number and follow this hash (None: it is the first one here)."""
    if row["seq"] != seq:
        return f"row {seq} is not there, the next one is {row['seq']}"
    if prev is not None and row["prev"] != prev:
        return f"row {seq} does not follow the row before it"
    try:
        if row_hash(row) != row["hash"]:
            return f"row {seq} has a content that its hash was not made of"
    except UnicodeEncodeError:
        return f"row {seq} holds half a character"
    if row["kind"] == "head":
        try:
            named = json.loads(str(row["body"]))
        except ValueError:
            named = None
        if prev is not None and named != {"seq": seq - 1, "hash": prev}:
            return f"row {seq} is a head, but does not name the row before it"
    return None


def check(name: str, heads: dict[int, set[str]], begin: int = 1) -> tuple[str, str]:
    """The finding (a key of STATUS) for an export from row `begin` on, and what there is to say about it."""
    newest = max(heads, default=0)
    seq, agreed = begin - 1, begin - 1
    prev = "0" * 64 if begin == 1 else None
    try:
        file = open(name, "rb")  # noqa: PTH123, SIM115
    except FileNotFoundError:
        return "missing", f"there is no {name}" + (f"; heads name row {newest}" if heads else "")
    with file:
        for number, line in enumerate(file, 1):
            try:
                row = read_row(line)
            except ValueError as exc:
                return "altered", f"line {number} is no row: {exc}"
            if bad := first_bad(row, seq + 1, prev):
                return "altered", bad
            seq, prev = seq + 1, str(row["hash"])
            if seq in heads:
                if heads[seq] != {prev}:
                    return "altered", f"a head has another hash for row {seq}: rows from {agreed + 1} on were replaced"
                agreed = seq
    if newest > seq:
        return "cut", f"the file ends at row {seq}, but a head names row {newest}"
    return "intact", f"rows {begin} to {seq}, " + (f"{len(heads)} heads agree" if heads else "no heads to compare")


def main(arguments: list[str], say: Callable[[str], object] = sys.stdout.write) -> int:
    """Check the files that are named; the exit status."""
    begin, names = "1", arguments
    if arguments[:1] == ["--from"]:
        begin, names = "".join(arguments[1:2]), arguments[2:]
    if len(names) not in (1, 2) or not begin.isdecimal() or int(begin) < 1:
        sys.stderr.write("usage: python verify_export.py [--from N] FILE [HEADS]\n")
        return WRONG_USE
    finding, detail = check(names[0], read_heads(names[1]) if len(names) > 1 else {}, int(begin))
    say(f"{finding}: {detail}\n")
    return STATUS[finding]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
