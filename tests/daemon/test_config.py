"""A table's file: what comes of a right one, and everything that is said of a wrong one."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tablectl.daemon.config import TableConfig, load, parse
from tablectl.daemon.findings import Problem, key_lines
from tablectl.devices import registry
from tablectl.engine.desk import Role
from tablectl.engine.recovery import recover
from tablectl.equipment import Kind
from tablectl.errors import ConfigurationError
from tablectl.journal import Journal
from tablectl.money import dollars
from tablectl.procedure.game import Dealing, Shuffler
from tablectl.surveillance.broker import BrokerSettings

CONFIG = Path(__file__).parents[2] / "config"

SMALL = """\
[table]
id = "T1"
site = "main"
pit = "pit-1"
game = "three_card_poker"
dealing = "manual_shoe"
shuffler = "none"
journal = "journal"

[devices.panel]
kind = "panel"
driver = "table-device-link"
port = "serial:/dev/panel"
"""

SHOE = """
[devices.shoe]
kind = "shoe"
driver = "table-device-link"
port = "serial:/dev/shoe"
"""

READER = """
[devices.reader]
kind = "credential_reader"
driver = "table-device-link"
port = "serial:/dev/reader"
"""


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], TableConfig]:
    return lambda text: parse(text, tmp_path / "t1.toml")


@pytest.fixture
def wrong(read: Callable[[str], TableConfig], tmp_path: Path) -> Callable[[str], list[str]]:
    """What is said of a wrong file, without its folder."""

    def problems(text: str) -> list[str]:
        with pytest.raises(ConfigurationError) as caught:
            read(text)
        assert all(isinstance(problem, Problem) for problem in caught.value.problems)
        return [problem.replace(f"{tmp_path}/", "") for problem in caught.value.problems]

    return problems


# A right file


def test_a_small_table_takes_the_defaults(read: Callable[[str], TableConfig], tmp_path: Path) -> None:
    config = read(SMALL)
    assert (config.id, config.place.source) == ("T1", "/main/pit-1/T1")
    assert config.journal == tmp_path / "journal"
    assert config.setup.dealing is Dealing.MANUAL_SHOE
    assert config.setup.shuffler is Shuffler.NONE
    assert (config.setup.seats, config.setup.minimum, config.setup.maximum) == (7, None, None)
    assert (config.settings.table, config.settings.confirm_ms, config.settings.floorpersons) == ("T1", 700, ())
    assert config.mqtt is None
    assert config.roster == {"panel": Kind.PANEL}
    state = config.first_state()
    assert (state.round, state.phase, state.decks, state.deck_number) == (0, "closed", (), 0)
    assert state.dealing == "manual_shoe"


def test_everything_is_taken_over(read: Callable[[str], TableConfig], tmp_path: Path) -> None:
    config = read(
        SMALL.replace('journal = "journal"', 'journal = "journal"\nseats = 6\nminimum = "10.00"\nconfirm_ms = 0')
        .replace('"/dev/panel"', '"/dev/panel"')
        .replace('port = "serial:/dev/panel"', 'port = "serial:/dev/panel?baud=9600"\nretry_ms = 50\nserial = "P1"')
        + READER
        + """
[rules]
version = "both_required"
smallest_chip = "5.00"
[mqtt]
host = "broker"
prefix = "casino/floor"
protocol = "5"
keepalive_s = 10
window = 4
[people]
floorpersons = ["4711", "0815"]
supervisors = ["4701"]
dealers = ["1001"]
"""
    )
    assert (config.setup.seats, config.setup.minimum) == (6, dollars("10.00"))
    assert config.settings.confirm_ms == 0
    assert config.settings.floorpersons == ("4711", "0815")
    assert config.dealers == ("1001",)
    assert (config.settings.supervisors, config.settings.floor) == (("4701",), ("4711", "0815", "4701"))
    assert config.rules.version == "both_required"
    assert config.submission.smallest_chip == dollars("5.00")
    assert config.devices[0].options == {"retry_ms": 50, "serial": "P1"}
    assert config.mqtt == BrokerSettings(host="broker", port=1883, protocol="5", keepalive_s=10, window=4)
    assert config.place.topic("state") == "casino/floor/main/pit-1/T1/state"
    device = config.devices[0].make(("boot", 7))
    assert (device.id, device.kind) == ("panel", Kind.PANEL)


def test_training_is_apart_from_real_play(read: Callable[[str], TableConfig], tmp_path: Path) -> None:
    mqtt = '[mqtt]\nhost = "broker"\n'
    real = read(SMALL + mqtt)
    training = read(SMALL.replace('journal = "journal"', 'journal = "journal"\ntraining = true') + mqtt)
    settings = replace(
        training.settings, may_change_over=True
    )  # the file says what it is: nobody changes that at the table
    assert replace(training, settings=settings) == real.for_training()
    assert training.for_training() == training
    assert real.changed_over() == real.for_training()
    assert real.changed_over().changed_over() == real
    assert (real.training, training.training) == (False, True)
    assert training.journal == tmp_path / "journal.training"
    assert training.place.topic("state") == "tablectl-training/main/pit-1/T1/state"
    assert training.identity == replace(real.identity, training=True)


def test_limits_are_named_beside_the_digests(read: Callable[[str], TableConfig]) -> None:
    identity = read(SMALL.replace('journal = "journal"', 'journal = "journal"\nminimum = "10.00"')).identity
    assert (identity.game, identity.minimum, identity.maximum) == ("three_card_poker", dollars("10.00"), None)


def test_who_has_the_say_is_in_the_digest_and_dealers_are_not(read: Callable[[str], TableConfig]) -> None:
    def digest(people: str) -> str:
        return read(SMALL + READER + f"[people]\n{people}\n").identity.configuration

    nobody = digest("")
    assert digest('dealers = ["1001"]') == nobody
    assert len({nobody, digest('floorpersons = ["1"]'), digest('supervisors = ["1"]')}) == 3
    assert len({nobody, digest('security = ["1"]'), digest('finance = ["1"]')}) == 3


def test_637a_15_departments_that_witness_have_badges(read: Callable[[str], TableConfig]) -> None:
    people = '[people]\nfloorpersons = ["4711"]\nsecurity = ["5001"]\nfinance = ["6001", "6002"]\n'
    settings = read(SMALL + READER + people).settings
    assert (settings.security, settings.finance) == (("5001",), ("6001", "6002"))
    assert [settings.role(badge) for badge in ("5001", "6002", "7")] == [Role.SECURITY, Role.FINANCE, None]


def test_a_core_can_be_made(read: Callable[[str], TableConfig]) -> None:
    config = read(SMALL)
    journal = Journal.open(config.journal, boot="b")
    try:
        core = recover(journal, config.make_core, lambda: 1_800_000_000, config.identity)
        journal.append_now(core.drain())
        again = recover(journal, config.make_core, lambda: 1_800_000_100, config.identity)
        assert core.prompt() == again.prompt()
        assert core.state == again.state
    finally:
        journal.close_now()


def test_the_digests_cover_what_matters_to_a_round_and_nothing_else(read: Callable[[str], TableConfig]) -> None:
    base = SMALL + SHOE + READER + '[mqtt]\nhost = "a"\n[people]\nfloorpersons = ["1", "2"]\n[rules]\n'
    first = read(base).identity
    for old, new in (
        ("/dev/panel", "/dev/other"),
        ('host = "a"', 'host = "b"'),
        ('journal = "journal"', 'journal = "other"'),
        ('site = "main"', 'site = "other"'),
        ('["1", "2"]', '["2", "1"]'),
        ("[rules]\n", '[rules]\nversion = "standard"\n'),
        ("confirm_ms", "confirm_ms"),
    ):
        assert read(base.replace(old, new)).identity == first, new
    for old, new in (
        ('dealing = "manual_shoe"', 'dealing = "automated_shoe"'),
        ('shuffler = "none"', 'shuffler = "counting"'),
        ('id = "T1"', 'id = "T2"'),
        ('id = "T1"', 'id = "T1"\nseats = 6'),
        ('id = "T1"', 'id = "T1"\nminimum = "5.00"'),
        ('id = "T1"', 'id = "T1"\nmaximum = "5.00"'),
        ('id = "T1"', 'id = "T1"\nconfirm_ms = 701'),
        ('id = "T1"', 'id = "T1"\nchips_settle_ms = 501'),
        ('id = "T1"', 'id = "T1"\nfloor_called_for = ["wrong_card_count"]'),
        ('["1", "2"]', '["1"]'),
        (SHOE, ""),
        ("[devices.shoe]", "[devices.shoe_2]"),
    ):
        other = read(base.replace(old, new)).identity
        assert (other.edition, other.version) == (first.edition, first.version)
        assert other.configuration != first.configuration, new
    other = read(base.replace("[rules]\n", "[rules]\nadjacent_positions = true\n")).identity
    assert other.edition != first.edition
    assert other.configuration == first.configuration
    assert re.fullmatch(r"[0-9a-f]{64}", first.edition)


def test_paths_begin_at_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "var").mkdir()
    (tmp_path / "etc" / "t1.toml").write_text(SMALL.replace('"journal"', '"../var/journal"'), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    journal = load("etc/t1.toml").journal
    assert journal.is_absolute()
    assert journal.resolve() == tmp_path / "var" / "journal"


# A wrong file


def test_all_problems_are_reported_together_in_the_order_of_the_file(wrong: Callable[[str], list[str]]) -> None:
    text = """\
[table]
id = "T/1"
site = "main"
game = "three_card_poker"
dealing = "from_hand"
shuffler = "none"
seat = 7
seats = 9
minimum = 10
confirm_ms = "700"
journal = "nowhere/journal"

[rules]
versoin = "standard"
pair_plus_paytable = { pair = "1:2" }

[devices.shoe]
kind = "shoe"
driver = "table-device-lnk"
port = "serial:/dev/shoe"

[devices.reader]
kind = "badge_reader"
driver = "table-device-link"
prot = "serial:/dev/reader"

[mqtt]
host = "broker"
port = 70000
[mqtt.tls]
ca = "ca.pem"
cert = "t1.pem"

[peple]
"""
    assert wrong(text) == [
        "t1.toml:1: table.pit: missing: expected the id of the pit: 1 to 64 letters, digits, dots, hyphens or"
        " underscores as text, beginning with a letter or digit",
        "t1.toml:2: table.id: found 'T/1': expected the table's id, which no other table at its broker has: 1 to 64"
        " letters, digits, dots, hyphens or underscores as text, beginning with a letter or digit",
        "t1.toml:5: table.dealing: dealing from the hand needs an automated shuffler [565.9(a)(1)]",
        "t1.toml:7: table.seat: unknown key: did you mean 'seats'?",
        "t1.toml:8: table.seats: 9 betting positions, at most 7 may be [565.2(a)]",
        't1.toml:9: table.minimum: 10 is not an amount: expected dollars with two decimals as text, such as "10.00"',
        "t1.toml:10: table.confirm_ms: found '700': expected a whole number of milliseconds from 0 to 5000",
        "t1.toml:11: table.journal: there is no folder nowhere: make it, or name another",
        "t1.toml:14: rules.versoin: unknown key: did you mean 'version'?",
        "t1.toml:15: rules.pair_plus_paytable.pair: 1:2 is below the least odds of 1:1 [565.12(d)]: file other rules",
        't1.toml:18: devices.shoe.kind: table.dealing is "from_hand": set that to manual_shoe or automated_shoe, or'
        " remove the shoe",
        "t1.toml:19: devices.shoe.driver: driver 'table-device-lnk' is not installed; installed are "
        f"{', '.join(registry.known())}: name one of these, or install the distribution that brings it",
        "t1.toml:22: devices.reader.port: missing: expected where the device is, in its driver's form as text, such as"
        ' "serial:/dev/serial/by-id/…"',
        "t1.toml:23: devices.reader.kind: found 'badge_reader': expected a kind of equipment: " + ", ".join(Kind),
        "t1.toml:25: devices.reader.prot: unknown key: did you mean 'port'?",
        "t1.toml:29: mqtt.port: found 70000: expected a TCP port from 1 to 65535",
        "t1.toml:30: mqtt.tls.key: missing: certificate and private key go together",
        "t1.toml:31: mqtt.tls.ca: there is no file ca.pem: put it there, readable for the daemon's user",
        "t1.toml:32: mqtt.tls.cert: there is no file t1.pem: put it there, readable for the daemon's user",
        "t1.toml:34: peple: unknown section or key: did you mean 'people'?",
    ]


def test_565_one_wrong_option_hides_no_objection_to_another(wrong: Callable[[str], list[str]]) -> None:
    text = SMALL.replace("manual_shoe", "from_hand")
    rules = '[rules]\nante_bonus_paytable = "Z"\npair_plus_paytable = { pair = "1:2", flush = "x" }\n'
    assert wrong(text + rules) == [
        "t1.toml:6: table.dealing: dealing from the hand needs an automated shuffler [565.9(a)(1)]",
        "t1.toml:15: rules.ante_bonus_paytable: found 'Z': expected one of A, B, C [565.12(f)]",
        "t1.toml:16: rules.pair_plus_paytable.flush: 'x' are no odds: expected a form such as 35:1, 3:2 or 300 for 1"
        " [565.12(d)]",
        "t1.toml:16: rules.pair_plus_paytable.pair: 1:2 is below the least odds of 1:1 [565.12(d)]: file other rules",
    ]


def test_a_wrong_list_of_people_hides_nothing_in_the_other(wrong: Callable[[str], list[str]]) -> None:
    (line, twice) = wrong(SMALL + '[people]\nfloorpersons = [7]\ndealers = ["8", "8"]\n')
    assert line.startswith("t1.toml:15: people.floorpersons.0: found 7: expected a list of badge numbers")
    assert twice == "t1.toml:16: people.dealers: badge '8' is listed twice: remove one of the two"


def test_565_what_the_chapter_forbids_is_refused_with_the_clause(wrong: Callable[[str], list[str]]) -> None:
    text = SMALL.replace("manual_shoe", "from_hand") + 'seats = 7\n[rules]\npair_plus_paytable = { pair = "1:2" }\n'
    text = text.replace("seats = 7\n", "").replace("[table]\n", "[table]\nseats = 8\n")
    assert wrong(text) == [
        "t1.toml:2: table.seats: 8 betting positions, at most 7 may be [565.2(a)]",
        "t1.toml:7: table.dealing: dealing from the hand needs an automated shuffler [565.9(a)(1)]",
        "t1.toml:16: rules.pair_plus_paytable.pair: 1:2 is below the least odds of 1:1 [565.12(d)]: file other rules",
    ]


@pytest.mark.parametrize(
    ("change", "line", "problem"),
    [
        (("kind = \"panel\"", "kind = \"shoe\""), None, "devices: there is no panel, and without one nobody can deal"),
        ((SMALL[SMALL.index("[devices") :], ""), None, "devices: there is no panel, and without one nobody can deal"),
        (("", SHOE.replace('"shoe"', '"panel"')), 16, "devices.shoe.kind: panel is a panel already, a table has one"),
        (("", SHOE.replace("/dev/shoe", "/dev/panel")), 18, "devices.shoe.port: panel is on this port already"),
        (("", SHOE.replace("/dev/shoe", "/dev/./panel?baud=9600")), 18, "devices.shoe.port: panel is on this port"),
        (("", SHOE.replace("serial:", "sreial:")), 18, "devices.shoe.port: 'sreial:/dev/shoe' is no port of this"),
        (("", SHOE.replace("table-device-link", "osdp")), 16, "devices.shoe.kind: driver 'osdp' does not serve a shoe"),
        (("", SHOE + "retry_ms = 5\n"), 19, "devices.shoe.retry_ms: 5: expected milliseconds from 10 to 60000"),
        (("", SHOE + "retyr_ms = 5\n"), 19, "devices.shoe.retyr_ms: unknown key: did you mean 'retry_ms'?"),
        (("", SHOE + "lost_after = 5\n"), 19, "devices.shoe.lost_after: unknown key: did you mean 'lost_after_ms'?"),
        (("", SHOE + "zzz = 5\n"), 19, "devices.shoe.zzz: unknown key: expected one of serial, lost_after_ms, comma"),
        (
            ("", SHOE + "retry_ms = 4000\nretry_max_ms = 3000\n"),
            20,
            "devices.shoe.retry_max_ms: 3000 is less than retry_ms, which is 4000: expected milliseconds from 4000",
        ),
        (
            ("", SHOE + "retry_max_ms = 199\n"),
            19,
            "devices.shoe.retry_max_ms: 199 is less than retry_ms, which is 200",
        ),
        (("", SHOE.replace('"shoe"', '"sho"').replace("-link", "-lnk")), 17, "devices.shoe.driver: driver 'table-devi"),
        (("", SHOE + "retry_ms = 5.5\n"), 19, "devices.shoe.retry_ms: found 5.5: expected text, a whole number, true"),
        (("", SHOE.replace("devices.shoe", "devices.mqtt")), 15, "devices.mqtt: cannot be a device's id"),
        (("", SHOE.replace("devices.shoe", 'devices."the shoe"')), 15, "devices.the shoe: cannot be a device's id"),
        (("", SHOE.replace("shoe", "shuffler")), 16, 'devices.shuffler.kind: table.shuffler is "none": set that to'),
        (("[table]", "devices = 7\n[table]"), 1, "devices: found 7: expected sections [devices.ID]"),
        (("[devices.panel]", "[devices]\npanel = 7\n[other]"), 11, "devices.panel: found 7: expected a section"),
        (("three_card_poker", "three_card_pokre"), 5, "table.game: game 'three_card_pokre' is not known: did you mean"),
        (('game = "three', '#game = "three'), 1, "table.game: missing: expected the id of a game: three_card_poker"),
        (("manual_shoe", "manual"), 6, "table.dealing: found 'manual': expected a way of dealing: manual_shoe, from_h"),
        (('journal = "journal"', 'journal = "."'), 8, "table.journal: "),
        (("[table]", '[table]\nminimum = "10.00"\nmaximum = "5.00"'), 3, 'table.maximum: "5.00" is below table'),
        (("[table]", '[table]\nmaximum = "0.00"'), 2, 'table.maximum: found "0.00": expected an amount above zero'),
        (("[table]", '[table]\nminimum = "0.00"'), 2, 'table.minimum: found "0.00": expected an amount ab'),
        (("[table]", "[table]\nconfirm_ms = 5001"), 2, "table.confirm_ms: found 5001: expected a whole number of mill"),
        (("[table]", "[table]\nchips_settle_ms = 99"), 2, "table.chips_settle_ms: found 99: expected a whole number"),
        (("[table]", '[table]\nfloor_called_for = ["no_roll"]'), 2, "table.floor_called_for: chapter 565 knows no irr"),
        (("[table]", "[table]\nconfirm_ms = true"), 2, "table.confirm_ms: found True: expected a whole number of mil"),
        (("", '[rules]\nversion = "B"\n'), 15, "rules.version: found 'B': expected one of standard, pair_plus_"),
        (("", '[rules]\nversion = "stanard"\n'), 15, "rules.version: found 'stanard': did you mean 'standard'? [565."),
        (("", "[rules]\nversion = 7\n"), 15, "rules.version: found 7: expected one of standard, pair_plus_needs_equal"),
        (("", "[rules]\nadjacent_positions = 1\n"), 15, "rules.adjacent_positions: found 1: expected true or false [5"),
        (("", "[rules]\nante_bonus_cells = 7\n"), 15, "rules.ante_bonus_cells: found 7: expected a section with any "),
        (("", '[rules]\nsmallest_chip = "0.00"\n'), 15, "rules.smallest_chip: found '0.00': expected an amount above"),
        (("", '[rules]\nsmallest_chip = "1"\n'), 15, "rules.smallest_chip: '1' is not an amount: expected dollars wit"),
        (("", "[rules.pair_plus_paytable]\npiar = \"1:1\"\n"), 15, "rules.pair_plus_paytable.piar: unknown key: did y"),
        (("[table]", "rules = 7\n[table]"), 1, "rules: found 7: expected a section [rules]"),
        (("", "[mqtt]\n"), 14, "mqtt.host: missing: expected the broker's name or address as text"),
        (("", '[mqtt]\nhost = "b"\nprefix = "a/#"\n'), 16, "mqtt.prefix: found 'a/#': expected what topics begin with"),
        (("", '[mqtt]\nhost = "b"\ntls = true\n'), 16, "mqtt.tls: found True: expected a section [mqtt.tls]"),
        (("", '[mqtt]\nhost = "b"\n[mqtt.tls]\nc = "a"\n'), 16, "mqtt.tls.ca: missing: expected the path of a PEM fil"),
        (("", "[people]\nfloorpersons = [4711]\n"), 15, "people.floorpersons.0: found 4711: expected a list of bad"),
        (("", '[people]\nfloorpersons = ["4711"]\n'), 15, "people.floorpersons: no badge can be presented"),
        (("", '[people]\ndealers = ["7", "8", "7"]\n'), 15, "people.dealers: badge '7' is listed twice"),
        (
            ("", READER + '[people]\nfloorpersons = ["7"]\ndealers = ["7"]\n'),
            21,
            "people.dealers: badge '7' is in people.floorpersons too, and nobody clears faults of his own table: remove"
            " it here if a floorperson has it, there if a dealer has",
        ),
        (
            ("", READER + '[people]\nsupervisors = ["7"]\ndealers = ["7"]\n'),
            21,
            "people.dealers: badge '7' is in people.supervisors too, and nobody clears faults of his own table: remove"
            " it here if a supervisor has it, there if a dealer has",
        ),
        (("", '[people]\nsupervisors = ["4701"]\n'), 15, "people.supervisors: no badge can be presented"),
        (
            ("", READER + '[people]\nfloorpersons = ["7"]\nfinance = ["7"]\n'),
            21,
            "people.finance: badge '7' is in another list too, and nobody is his own witness: remove it",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong(
    change: tuple[str, str], line: int | None, problem: str, wrong: Callable[[str], list[str]]
) -> None:
    text = SMALL + change[1] if not change[0] else SMALL.replace(change[0], change[1])
    if text.startswith("devices"):
        text = text[: text.index("[devices")]
    found = wrong(text)
    where = "t1.toml: " if line is None else f"t1.toml:{line}: "
    assert any(said.startswith(f"{where}{problem}") for said in found), "\n".join(found)
    assert len(found) <= 2, found  # a section that went missing brings one more


def test_two_names_of_one_port_are_one_port(wrong: Callable[[str], list[str]], tmp_path: Path) -> None:
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyUSB0")
    text = SMALL.replace("/dev/panel", str(tmp_path / "by-id")) + SHOE.replace("/dev/shoe", str(tmp_path / "ttyUSB0"))
    assert wrong(text) == ["t1.toml:18: devices.shoe.port: panel is on this port already: give each device its own"]


def test_what_is_no_toml_names_its_line(wrong: Callable[[str], list[str]]) -> None:
    assert wrong("[table\n") == [
        "t1.toml:1: this is not TOML: Expected ']' at the end of a table declaration (column 7)"
    ]


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ('port = "x"\n', "14: this is not TOML: this key has a value already: keep one of the two (column 11)"),
        ("[table]\n", "14: this is not TOML: the section 'table' is there already: put its keys into one (column 7)"),
        ("x = { a = 1, a = 2 }\n", "14: this is not TOML: the key 'a' stands there twice: keep one of the"),
        ("x = abc\n", "14: this is not TOML: this is no value: text stands in quotation marks (column 5)"),
        ("x = [", " this is not TOML: the file ends within a value or a section"),
    ],
)  # fmt: skip
def test_usual_slips_of_toml_in_words(slip: str, said: str, wrong: Callable[[str], list[str]]) -> None:
    (problem,) = wrong(SMALL + slip)
    assert problem.startswith(f"t1.toml:{said}")


def test_a_first_pause_above_the_default_of_the_longest_is_the_longest(read: Callable[[str], TableConfig]) -> None:
    (panel,) = read(SMALL + "retry_ms = 60000\n").devices
    pauses = panel.make()._pauses  # type: ignore[attr-defined]
    assert [pauses.next() >= 30.0 for _ in range(3)] == [True] * 3


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none.toml: cannot be read: No such file or directory; expected the"):
        load(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes("# Öffnung\n".encode("latin-1"))
    with pytest.raises(ConfigurationError, match=r"latin.toml: byte 2 is not UTF-8: store the file as UTF-8"):
        load(tmp_path / "latin.toml")


def test_a_driver_that_fails_hides_no_other_problem(
    wrong: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = registry.load("table-device-link")

    class Defective(driver):  # type: ignore[valid-type,misc]
        @classmethod
        def check(cls, *_: object) -> None:
            raise KeyError("baud")

    monkeypatch.setattr("tablectl.daemon.config.load_driver", lambda _: Defective)
    assert wrong(SMALL + "[peple]\n") == [
        "t1.toml:10: devices.panel: driver 'table-device-link' cannot check this section (KeyError: 'baud'): tell its"
        " author, or name another driver",
        "t1.toml:14: peple: unknown section or key: did you mean 'people'?",
    ]


# TLS files


def certificate(folder: Path, name: str) -> None:
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    files = ["-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")]
    subprocess.run([*command, "-subj", f"/CN={name}", *files], check=True, capture_output=True)


TLS = SMALL + '[mqtt]\nhost = "b"\n[mqtt.tls]\nca = "ca.pem"\ncert = "T1.pem"\nkey = "T1.key"\n'


def test_tls_files_are_taken_from_the_folder_of_the_file(read: Callable[[str], TableConfig], tmp_path: Path) -> None:
    for name in ("ca", "T1"):
        certificate(tmp_path, name)
    broker = read(TLS).mqtt
    assert broker is not None
    assert broker.port == 8883
    assert broker.tls is not None
    assert (broker.tls.ca, broker.tls.key) == (tmp_path / "ca.pem", tmp_path / "T1.key")


def test_tls_files_that_cannot_be_used(wrong: Callable[[str], list[str]], tmp_path: Path) -> None:
    assert wrong(TLS) == [
        f"t1.toml:{line}: mqtt.tls.{key}: there is no file {file}: put it there, readable for the daemon's user"
        for line, key, file in ((17, "ca", "ca.pem"), (18, "cert", "T1.pem"), (19, "key", "T1.key"))
    ]
    for name in ("ca", "T1", "T2"):
        certificate(tmp_path, name)
    (problem,) = wrong(TLS.replace("T1.key", "T2.key"))
    assert problem.startswith("t1.toml:16: mqtt.tls: mqtt: T1.pem: the TLS files cannot be used")
    (problem,) = wrong(TLS.replace('key = "T1.key"\n', ""))
    assert problem == "t1.toml:16: mqtt.tls.key: missing: certificate and private key go together"


def test_tls_files_are_looked_for_whatever_else_is_wrong(wrong: Callable[[str], list[str]]) -> None:
    text = TLS.replace('host = "b"', 'host = "b"\nport = 0').replace('cert = "T1.pem"', 'cert = 1\ncart = "T1.pem"')
    assert [problem.partition(": ")[2][:30] for problem in wrong(text)] == [
        "mqtt.port: found 0: expected a",
        "mqtt.tls.ca: there is no file ",
        "mqtt.tls.cert: found 1: expect",
        "mqtt.tls.cart: unknown key: di",
        "mqtt.tls.key: there is no file",
    ]


def test_another_machine_s_files_do_not_matter_to_whoever_reads_a_journal(tmp_path: Path) -> None:
    text = TLS.replace('"journal"', '"/nowhere/journal"').replace("table-device-link", "driver-from-elsewhere")
    config = parse(text, tmp_path / "t1.toml", here=False)
    assert config.journal == Path("/nowhere/journal")
    with pytest.raises(ConfigurationError) as caught:
        parse(text, tmp_path / "t1.toml")
    assert len(caught.value.problems) == 5


@contextlib.contextmanager
def nobody() -> Iterator[None]:
    """Be a user who owns nothing, if this is root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_what_this_user_may_not_write_or_read(wrong: Callable[[str], list[str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        certificate(folder, "ca")
        text = (
            SMALL.replace('"journal"', f'"{folder}/journal"')
            + f'[mqtt]\nhost = "b"\n[mqtt.tls]\nca = "{folder}/ca.pem"\n'
        )
        parse(text, folder / "t1.toml")
        (folder / "ca.pem").chmod(0)
        folder.chmod(0o555)
        with nobody():
            found = wrong(text)
        assert found == [
            f"t1.toml:8: table.journal: this user may not write to {folder}: give it to the daemon's user, or name"
            " another folder",
            f"t1.toml:17: mqtt.tls.ca: this user may not read {folder}/ca.pem: put it there, readable for the daemon's"
            " user",
        ]
        folder.chmod(0o755)
        (folder / "journal").touch(0o600)
        (folder / "ca.pem").chmod(0o644)
        if os.geteuid() == 0:
            folder.chmod(0o777)
            with nobody():
                (problem,) = wrong(text)
            assert problem.startswith(f"t1.toml:8: table.journal: this user may not write to {folder}/journal: give it")
        folder.chmod(0o700)


def test_lines_of_keys() -> None:
    text = '# x\ntop = 1\n[a.b]\n"c d" = 2 # e = 3\nf.g = """\nh = 4\n"""\n[[i]]\nj = [\n  1,\n]\n'
    assert key_lines(text) == {
        ("top",): 2,
        ("a", "b"): 3,
        ("a", "b", "c d"): 4,
        ("a", "b", "f", "g"): 5,
        ("i",): 8,
        ("i", "j"): 9,
    }


def test_problems_keep_their_parts(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse(SMALL.replace("T1", "T 1"), tmp_path / "t1.toml")
    (problem,) = caught.value.problems
    assert isinstance(problem, Problem)
    assert (problem.file, problem.line, problem.key) == (str(tmp_path / "t1.toml"), 2, "table.id")
    assert json.loads(json.dumps(problem)) == f"{problem.file}:2: table.id: {problem.message}"
