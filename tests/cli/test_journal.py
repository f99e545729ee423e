"""`tablectl journal`: rows shown without secrets, verified, played again, exported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablectl.cli import main
from tablectl.daemon.config import load
from tablectl.engine.rows import entry
from tablectl.engine.scenario import parse
from tablectl.events import PaymentCorrected
from tablectl.journal import Entry, Journal, Reader, RowKind, heads_beside
from tablectl.money import Money
from tests.engine.bench import ALL_SENSORS, Bench, ListJournal
from tests.journal.support import by_hand, rechain

SCENARIO: dict[str, Any] = {
    "game": "three_card_poker",
    "table": {"shuffler": "counting"},
    "round": [
        {
            "wagers": {"1": {"ante": "10.00", "pair_plus": "5.00"}, "3": {"ante": "25.00"}},
            "cards": "As 2d 9c Kd 5h 7c Qc 9h 2h",
            "decisions": {"1": ["bet"], "3": ["fold"]},
        },
        {"wagers": {"2": {"ante": "10.00"}}, "cards": "8s 8d 4c Jc Jd Js", "decisions": {"2": ["bet"]}},
        {"wagers": {"2": {"ante": "10.00"}}, "cards": "8s 8d 4c Jc Jd Js", "decisions": {"2": ["bet"]}},
    ],
}
KINDS = {
    "panel": "panel",
    "shoe": "shoe",
    "shuffler": "shuffler",
    "wagers": "wager_sensors",
    "scanner": "card_scanner",
    "reader": "credential_reader",
}
CONFIG = """\
[table]
id = "T1"
site = "main"
pit = "pit-1"
game = "three_card_poker"
dealing = "manual_shoe"
shuffler = "counting"
journal = "journal"
[people]
floorpersons = ["4711"]
"""


class _Asked(BaseException):
    pass


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table's file, and its journal: two rounds are closed, in the third seat 2 is asked."""
    folder = tmp_path_factory.mktemp("played")
    sections = [f'[devices.{id}]\nkind = "{kind}"\ndriver = "table-device-link"\nport = "serial:/dev/{id}"\n'
                for id, kind in KINDS.items()]  # fmt: skip
    (folder / "t1.toml").write_text(CONFIG + "".join(sections), encoding="utf-8")
    bench = Bench(parse(SCENARIO), ALL_SENSORS)
    bench.journal = ListJournal()
    bench.start(load(folder / "t1.toml").identity)

    def stop() -> None:
        if bench.core.round == 3 and bench.core.prompt().text.startswith("SEAT 2"):
            raise _Asked

    with pytest.raises(_Asked):
        bench.play(stop)
    journal = Journal.open(folder / "journal", boot="boot-1")
    for row in bench.journal.kept:
        journal.append_now([Entry(row.kind, row.body, row.step, row.secret)])
    journal.write_head_now()
    journal.close_now()
    return folder


@pytest.fixture
def table(played: Path, tmp_path: Path) -> Path:
    """A copy of it that may be changed; the path of the journal."""
    for file in played.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path / "journal"


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command: its status, what it printed, and what went to standard error."""

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["journal", *map(str, words)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


Said = Callable[..., tuple[int, str, str]]


# show


def test_show_prints_every_row_in_order(table: Path, said: Said) -> None:
    status, out, _ = said("show", table)
    assert status == 0
    numbers = [int(line.split()[0]) for line in out.splitlines()]
    assert numbers == list(range(1, Reader(table).head().seq + 1))
    wager = r"event +\d+  #\d+ WagerMade amount=10\.00 free=False hand=0 seat=1 wager=ante$"
    assert re.search(wager, out, re.MULTILINE)
    assert re.search(r"input +wagers: WagerSpot amount=25\.00 present=True seat=3 wager=ante$", out, re.MULTILINE)
    assert re.search(r"intent +shuffler: StartShuffle$", out, re.MULTILINE)
    assert re.search(
        r"result +\d+  DealAround number=1 places=\[\"seat 1\".*\] -> Drawn card=face-down$", out, re.MULTILINE
    )
    assert said("show", table.with_name("t1.toml"))[1] == out, "the configuration names the journal"


def test_show_never_tells_a_face_down_card(table: Path, said: Said) -> None:
    """In the round that is under way no card has been turned up, so none may be named anywhere."""
    for form in ([], ["--json"], ["--events"]):
        _, out, _ = said("show", table, "--round", 3, *form)
        assert "CardDealt" in out
        assert re.findall(r"\b[2-9TJQKA][cdhs]\b", out) == []
    assert "8s" in said("show", table, "--round", 2)[1], "turned up when the round was settled"
    secrets = [row.secret for row in Reader(table).rows() if row.secret is not None]
    assert any(b"8s" in secret for secret in secrets), "the shoe has read the cards: there was something to hide"


def test_show_one_round(table: Path, said: Said) -> None:
    rounds = [said("show", table, "--round", number, "--json")[1].splitlines() for number in (1, 2, 3)]
    whole = said("show", table, "--json")[1].splitlines()
    assert [line for lines in rounds for line in lines] == whole[1:], "all but the first start's event"
    for number, lines in enumerate(rounds, 1):
        rows = [json.loads(line) for line in lines]
        assert rows[0]["kind"] == "snapshot"
        opened = [
            row["body"]["event"]["round"] for row in rows if row["body"].get("event", {}).get("$") == "RoundOpened"
        ]
        assert opened == [number]
    status, _, err = said("show", table, "--round", 9)
    assert (status, err.strip()) == (
        2,
        f"tablectl: {table}: round 9 is not in this journal: see its rounds with show --events",
    )


def test_show_events_after_a_row(table: Path, said: Said) -> None:
    rows = [json.loads(line) for line in said("show", table, "--events", "--after", 30, "--json")[1].splitlines()]
    assert {row["kind"] for row in rows} == {"event"}
    assert rows[0]["seq"] > 30
    assert rows[0].keys() == {"seq", "kind", "step", "wall", "synced", "boot", "body"}


def test_show_of_what_is_no_journal(table: Path, said: Said) -> None:
    for words in (["show", table.with_name("none")], ["export", table.with_name("none"), table.with_name("out")]):
        status, _, err = said(*words)
        assert status == 2
        assert "none: there is no such journal: give the table's configuration, or the journal itself" in err
    assert said("verify", table.with_name("none"))[0] == 1
    status, _, err = said("show", heads_beside(table))
    assert status == 2
    assert "this file lies beside a journal: name the journal" in err


def test_the_help_of_show_explains_the_question_mark(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["journal", "show", "--help"])
    assert "a ? behind it: the clock was not synchronised" in " ".join(capsys.readouterr().out.split())


def test_show_works_beside_a_daemon(table: Path, said: Said) -> None:
    journal = Journal.open(table, boot="boot-2")
    try:
        assert said("show", table, "--round", 1)[0] == 0
        assert said("verify", table)[0] == 0
    finally:
        journal.close_now()


# round


def test_round_is_a_page_with_hands_decisions_wagers_and_times(table: Path, said: Said) -> None:
    status, out, _ = said("round", table, 1)
    assert status == 0
    assert out.startswith(
        "Round 1, three_card_poker\n  deck deck-1, manual_shoe, shuffler counting, dealer not known\n"
    )
    for line in (
        r"  opened  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}[Z?]",
        r"  [\d:.]+[Z?]  seat 1 pair_plus 5\.00",
        r"  [\d:.]+[Z?]  dealer      9c 7c 2h",
        r"  [\d:.]+[Z?]  seat 1      As Kd Qc",
        r"  [\d:.]+[Z?]  seat 1 bet 10\.00",
        r"  [\d:.]+[Z?]  seat 3 fold",
        r"  \d+ +1 +pair_plus +5\.00 +win +5:1 +25\.00 +5\.00 +0\.00 +565\.12\(d\)",
        r"  \d+ +3 +ante +25\.00 +forfeited +- +0\.00 +0\.00 +25\.00 +565\.11\(c\)",
        r"Outcome: completed",
        r"Net: seat 1 45\.00, seat 3 -25\.00",
    ):
        assert re.search(f"^{line}$", out, re.MULTILINE), (line, out)
    assert "2d" not in out, "a folded hand was never turned up"
    assert said("round", "1", table.with_name("t1.toml"))[1] == out, "the other way round, by the configuration"


def test_round_under_way_tells_no_face_down_card(table: Path, said: Said) -> None:
    status, out, _ = said("round", table, 3)
    assert status == 0
    assert "Outcome: not closed yet" in out
    assert re.search(r"^Not settled\n  seat 2 ante 10\.00$", out, re.MULTILINE)
    assert re.findall(r"\b[2-9TJQKA][cdhs]\b", out) == []
    document = json.loads(said("round", table, 3, "--json")[1])
    assert (document["outcome"], document["closed"], document["wagers"]) == (None, None, [])
    assert [card["card"] for card in document["cards"]] == [None] * 6


def test_round_shows_what_was_put_right_later_beside_the_record_that_was_wrong(table: Path, said: Said) -> None:
    before = json.loads(said("round", table, 1, "--json")[1])
    (wrong,) = [row for row in before["wagers"] if row["wager"] == "pair_plus"]
    (record,) = [row for row in Reader(table).rows() if f'"sequence":{wrong["record"]}}}' in row.body]
    assert '"wager":"pair_plus"' in record.body
    corrected = PaymentCorrected(wrong["record"], 1, 1, "pair_plus", 0, Money(500), Money(0), "4711")
    journal = Journal.open(table, boot="boot-2")
    journal.append_now([entry(RowKind.EVENT, None, sequence=10_000, event=corrected)])
    journal.close_now()
    after = json.loads(said("round", table, 1, "--json")[1])
    assert after["wagers"] == before["wagers"]
    assert [(c["corrects"], c["paid"], c["credential"]) for c in after["corrections"]] == [
        (wrong["record"], "5.00", "4711")
    ]
    assert (before["net"]["1"], after["net"]["1"]) == ("45.00", "50.00")
    assert "paid 5.00, approved by 4711, corrects record" in said("round", table, 1)[1]
    assert json.loads(said("round", table, 2, "--json")[1])["corrections"] == []


def test_round_that_is_not_there(table: Path, said: Said) -> None:
    for number in (0, 4, 99):
        status, _, err = said("round", table, number)
        assert (status, err.strip()) == (
            2,
            f"tablectl: {table}: round {number} is not in this journal: see its rounds with show --events",
        )
    assert said("round", table, "first")[0] == 2


# verify


def test_verify_intact(table: Path, said: Said) -> None:
    status, out, _ = said("verify", table)
    assert status == 0
    assert out.endswith("1 heads kept outside agree.\n")
    document = json.loads(said("verify", table, "--json")[1])
    assert (document["finding"], document["first_bad"], document["head"]["seq"]) == (
        "intact",
        None,
        Reader(table).head().seq,
    )


def test_verify_altered(table: Path, said: Said) -> None:
    by_hand(table, lambda db: db.execute("UPDATE row SET wall = '2026-01-01T00:00:00.000000Z' WHERE seq = 7"))
    status, out, _ = said("verify", table)
    assert status == 1
    assert "altered, row 7" in out
    assert "Keep the file and its copies as they are" in out
    assert json.loads(said("verify", table, "--json")[1])["first_bad"] == 7


def test_verify_cut_and_missing(table: Path, said: Said) -> None:
    end = Reader(table).head().seq
    by_hand(table, lambda db: db.execute("DELETE FROM row WHERE seq > ?", (end - 5,)))
    status, out, _ = said("verify", table)
    assert status == 1
    assert f"cut, the file ends at row {end - 5}" in out
    table.unlink()
    status, out, _ = said("verify", table.with_name("t1.toml"))
    assert status == 1
    assert "there is no such file" in out


def test_verify_against_heads_that_were_kept_elsewhere(table: Path, said: Said) -> None:
    """Whoever makes the chain anew, the heads beside it included, is found out by a subscriber's copy."""
    copy = table.with_name("surveillance.jsonl")
    copy.write_bytes(heads_beside(table).read_bytes())

    row = next(row for row in Reader(table).rows(kinds=[RowKind.EVENT]) if '"amount":1000' in row.body)

    def forge(db: Any) -> None:
        db.execute("UPDATE row SET body = replace(body, '1000', '9000') WHERE seq = ?", (row.seq,))
        rechain(db, row.seq)

    by_hand(table, forge)
    heads_beside(table).unlink()
    assert said("verify", table)[0] == 0
    status, out, _ = said("verify", table, "--heads", copy)
    assert status == 1
    assert "altered" in out
    status, _, err = said("verify", table, "--heads", table.with_name("t1.toml"))
    assert status == 2
    assert "there is no head in it" in err


# replay


def test_replay_finds_every_row_the_same(table: Path, said: Said) -> None:
    status, out, _ = said("replay", table.with_name("t1.toml"))
    assert (status, out) == (0, f"{table}: 3 rounds come out the same, 0 differently\n")
    document = json.loads(said("replay", table.with_name("t1.toml"), "--json")[1])
    assert document["counts"] == {"same": 3, "different": 0, "other_identity": 0}
    assert document["openings"] == document["closings"] == {"same": 0, "different": 0, "other_identity": 0}


def test_replay_names_the_row_that_differs(table: Path, said: Said) -> None:
    """A forged journal whose chain is whole: the rules do not give what it says."""
    settled = next(
        row
        for row in Reader(table).rows(kinds=[RowKind.EVENT])
        if "WagerSettled" in row.body and '"paid":1000' in row.body
    )

    def forge(db: Any) -> None:
        db.execute(
            "UPDATE row SET body = replace(body, '\"paid\":1000', '\"paid\":9000') WHERE seq = ?", (settled.seq,)
        )
        rechain(db, settled.seq)

    by_hand(table, forge)
    heads_beside(table).unlink()
    assert said("verify", table)[0] == 0
    status, out, _ = said("replay", table.with_name("t1.toml"))
    assert status == 1
    assert f"row {settled.seq} (event, step {settled.step}) differs" in out
    assert out.endswith(f"{table}: 2 rounds come out the same, 1 differently\n")


def test_replay_with_the_rules_of_another_time(table: Path, said: Said) -> None:
    config = table.with_name("t1.toml")
    config.write_text(config.read_text("utf-8") + '[rules]\nversion = "both_required"\n', encoding="utf-8")
    status, out, _ = said("replay", config)
    assert status == 1
    assert "0 rounds come out the same, 0 differently" in out
    assert "3 more were played under another version, edition or configuration" in out


def test_replay_of_a_copy(table: Path, said: Said) -> None:
    copy = table.with_name("copy")
    table.rename(copy)
    assert said("replay", table.with_name("t1.toml"), "--journal", copy)[0] == 0
    assert said("replay", table.with_name("t1.toml"))[0] == 3


def test_replay_of_a_journal_alone_asks_for_the_configuration(table: Path, said: Said) -> None:
    assert said("replay", table) == (
        2,
        "",
        f"tablectl: {table}: this is a journal; replay needs the table's configuration: tablectl journal replay CONFIG"
        f" --journal {table}\n",
    )


def test_one_round_is_said_in_the_singular(table: Path, said: Said) -> None:
    first = next(row.seq for row in Reader(table).rows(kinds=[RowKind.SNAPSHOT]))
    by_hand(table, lambda db: db.execute("DELETE FROM row WHERE seq > ?", (first,)))
    assert said("replay", table.with_name("t1.toml"))[1] == f"{table}: 1 round comes out the same, 0 differently\n"


# export


def test_export_is_checked_without_this_program(table: Path, said: Said, tmp_path: Path) -> None:
    status, out, _ = said("export", table, tmp_path / "out.jsonl", "--verifier")
    assert status == 0
    assert f"{tmp_path}/out.jsonl: {Reader(table).head().seq} rows" in out
    assert (tmp_path / "out.jsonl.schema.json").exists()
    program = [sys.executable, "-I", "verify_export.py", "out.jsonl", heads_beside(table).name]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "intact")


@pytest.mark.parametrize("there", ["out.jsonl", "out.jsonl.schema.json", "verify_export.py"])
def test_export_writes_over_nothing_unless_forced(there: str, table: Path, said: Said, tmp_path: Path) -> None:
    (tmp_path / there).write_text("mine", encoding="utf-8")
    status, _, err = said("export", table, tmp_path / "out.jsonl", "--verifier")
    assert status == 2
    assert f"{tmp_path}/{there}: there already: name another TARGET, or write over it with --force" in err
    assert (tmp_path / there).read_text("utf-8") == "mine"
    assert said("export", table, tmp_path / "out.jsonl", "--verifier", "--force")[0] == 0
    assert (tmp_path / there).read_text("utf-8") != "mine"


def test_export_of_a_part_to_standard_output(table: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["journal", "export", str(table), "-", "--after", "5", "--until", "8"]) == 0
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [row["seq"] for row in rows] == [6, 7, 8]
    assert "secret" not in rows[0]
