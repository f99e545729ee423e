"""`tablectl rules GAME --sign`: the text of the sign that has to be posted, from what is filed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablectl.cli import main

CONFIG = Path(__file__).parent.parent.parent / "config"
POKER = ("omaha_high", "omaha_hilo", "five_card_draw_high", "five_card_draw_low", "five_card_stud")


def signed(capsys: pytest.CaptureFixture[str], game: str, filed: Path | None = None) -> list[dict[str, Any]]:
    words = ["rules", game, "--sign", "--json", *(() if filed is None else ("--filed", str(filed)))]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["game"] == game
    sign: list[dict[str, Any]] = document["sign"]
    return sign


def text_of(sign: list[dict[str, Any]], clause: str) -> str:
    return " ".join(line["text"] for line in sign if line["cite"] == clause)


@pytest.mark.parametrize("game", POKER)
def test_637a_17_c_type_and_amount_of_the_rake_are_on_every_poker_sign(
    capsys: pytest.CaptureFixture[str], game: str
) -> None:
    assert text_of(signed(capsys, game), "637a.17(c)") == "No rake is taken."
    assert "$" in text_of(signed(capsys, game, CONFIG / f"{game}.toml"), "637a.17(c)")


def test_637a_12_b_d_e_n_bets_of_omaha_are_posted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    filed = tmp_path / "filed.toml"
    filed.write_text(
        '[rules]\nante = "1.00"\nblinds = ["2.00", "4.00", "8.00"]\nstraddle = "16.00"\n'
        'kill = "kill"\nkill_pot = "90.00"\n'
        'rake = { type = "percentage", percent = 7, maximum = "5.00" }\n',
        encoding="utf-8",
    )
    sign = signed(capsys, "omaha_hilo", filed)
    assert "$1.00" in text_of(sign, "637a.12(b)")
    assert all(amount in text_of(sign, "637a.12(d)") for amount in ("$2.00", "$4.00", "$8.00"))
    assert "$16.00" in text_of(sign, "637a.12(e)")
    assert "$90.00" in text_of(sign, "637a.12(n)")
    assert "7 %" in text_of(sign, "637a.17(c)")
    assert "$5.00" in text_of(sign, "637a.17(c)")


def test_637a_13_b_e_14_b_d_bets_of_draw_and_stud_are_posted(capsys: pytest.CaptureFixture[str]) -> None:
    draw, stud = signed(capsys, "five_card_draw_low"), signed(capsys, "five_card_stud")
    assert text_of(draw, "637a.13(b)")
    assert "$1.00, $2.00" in text_of(draw, "637a.13(e)")
    assert text_of(stud, "637a.14(b)")
    assert "$1.00" in text_of(stud, "637a.14(d)")


def test_637a_15_b_rules_of_a_bad_beat_payout_are_complete(capsys: pytest.CaptureFixture[str]) -> None:
    sign = signed(capsys, "omaha_hilo", CONFIG / "omaha_hilo.toml")
    assert "$1.00" in text_of(sign, "637a.15(b)(1)")
    assert "$20.00" in text_of(sign, "637a.15(b)(2)")
    assert "four of a kind" in text_of(sign, "637a.15(b)(3)")


def test_637a_15_b_3_players_and_share_that_a_bad_beat_needs_are_posted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    filed = tmp_path / "filed.toml"
    filed.write_text(
        '[rules]\nbad_beat = { drop = "1.00", minimum_pot = "20.00", minimum_players = 5, payout_percent = 60 }\n',
        encoding="utf-8",
    )
    posted = text_of(signed(capsys, "omaha_high", filed), "637a.15(b)(3)")
    assert "At least 5 players" in posted
    assert "60 % of the amount displayed" in posted


def test_637a_17_c_steps_of_an_incremental_rake_stop_at_its_maximum(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    filed = tmp_path / "filed.toml"
    steps = '[["20.00", "1.00"], ["40.00", "3.00"]]'
    filed.write_text(
        f'[rules]\nrake = {{ type = "incremental", steps = {steps}, maximum = "2.00" }}\n', encoding="utf-8"
    )
    posted = text_of(signed(capsys, "omaha_high", filed), "637a.17(c)")
    assert "$1.00 in all when the pot has reached $20.00" in posted
    assert "$2.00 in all when the pot has reached $40.00" in posted
    assert "$3.00" not in posted


def test_637a_16_b_rules_of_a_high_hand_jackpot_are_complete(capsys: pytest.CaptureFixture[str]) -> None:
    sign = signed(capsys, "omaha_high", CONFIG / "omaha_high.toml")
    assert all(text_of(sign, f"637a.16(b)({number})") for number in range(1, 8))
    assert "need" in text_of(sign, "637a.16(b)(6)")
    assert "identification" in text_of(sign, "637a.16(b)(7)")


def test_sign_as_text_has_its_headings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "five_card_stud", "--sign"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "FIVE-CARD STUD"
    assert {"BETS", "RAKE"} <= {*lines}


def test_sign_of_a_house_game_has_its_odds(capsys: pytest.CaptureFixture[str]) -> None:
    sign = signed(capsys, "three_card_poker")
    assert any("mini royal" in line["text"] for line in sign)


def filed_as(tmp_path: Path, rules: str) -> Path:
    path = tmp_path / "filed.toml"
    path.write_text(f"[rules]\n{rules}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("rounding", "said"), [("none", "5 %"), ("quarter_up", "next quarter")])
def test_561_13_m_sign_of_pai_gow_poker_names_the_vigorish(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, rounding: str, said: str
) -> None:
    sign = signed(capsys, "pai_gow_poker", filed_as(tmp_path, f'vigorish_rounding = "{rounding}"'))
    (line,) = (line for line in sign if line["heading"] == "vigorish")
    assert line["cite"] == "561.13(m)"
    assert "5 % of the amount won" in line["text"]
    assert said in line["text"]
    assert ("quarter" in line["text"]) == (rounding == "quarter_up")


def test_675a_5_6_sign_of_high_roll_dice_is_of_the_dice_that_are_thrown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ten = {line["cite"] for line in signed(capsys, "high_roll_dice")}
    assert ten == {"675a.5(a)", "675a.5(b)", "675a.5(c)", "675a.5(d)"}
    six = {line["cite"] for line in signed(capsys, "high_roll_dice", filed_as(tmp_path, "dice = 6"))}
    assert six == {"675a.6(j)", "675a.6(k)"}


@pytest.mark.parametrize(
    ("game", "clause"), [("criss_cross_poker", "674a.2(b)(6)"), ("high_roll_dice", "675a.2(e)(4)")]
)
def test_674a_2_b_6_675a_2_e_4_payout_limit_that_is_filed_is_posted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str, clause: str
) -> None:
    assert "$60000.00" in text_of(signed(capsys, game, filed_as(tmp_path, 'payout_limit = "60000.00"')), clause)
    assert not text_of(signed(capsys, game), clause)


@pytest.mark.parametrize(
    ("game", "rules", "headings"),
    [
        ("three_card_poker", "", {"ante bonus, table standard"}),
        (
            "three_card_poker",
            'version = "both_required"\nante_bonus_paytable = "C"',
            {"ante bonus, table C"},
        ),
        ("go_fore_it", 'gopher_paytable = "B"', {"gopher, table B"}),
        ("criss_cross_poker", "", set()),
        ("criss_cross_poker", "five_card_bonus = true", {"five card bonus, table standard"}),
        ("lunar_poker", 'instant_paytable = "C"', {"ante, table C", "ante, table unqualified"}),
        ("mississippi_stud", "", set()),
        (
            "mississippi_stud",
            'three_card_bonus = "D"\nprogressive = true',
            {
                "three card bonus, table D",
                "progressive, table standard",
                "envy, table standard $1",
                "envy, table standard $5",
            },
        ),
        ("crazy_4_poker", "", {"queens up, table A"}),
        (
            "crazy_4_poker",
            'queens_up = "C"\nprogressive = "B"\nprogressive_reset = "50000.00"',
            {"queens up, table C", "progressive, table B", "envy, table B $1", "envy, table B $5"},
        ),
        ("six_card_fortune_pai_gow", "", set()),
        ("six_card_fortune_pai_gow", "insurance = true", {"insurance, table standard"}),
        ("free_bet_blackjack", "", {"insurance, table standard"}),
        (
            "free_bet_blackjack",
            'even_money = true\npush_22 = "B"',
            {"blackjack, table even money", "push 22, table B", "insurance, table standard"},
        ),
    ],
)
def test_sign_has_only_what_is_filed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str, rules: str, headings: set[str]
) -> None:
    """Of what a certificate holder may choose or leave out; wagers that are always offered are there as well."""
    found = {line["heading"] for line in signed(capsys, game, filed_as(tmp_path, rules))}
    assert {heading for heading in found if heading in CHOICES or "unqualified" in heading} == headings


CHOICES = {
    f"{wager}, table {table}"
    for wager, tables in {
        "ante bonus": ("standard", "A", "B", "C"),
        "ante": ("A", "B", "C"),
        "gopher": ("A", "B"),
        "five card bonus": ("standard",),
        "three card bonus": ("A", "B", "C", "D"),
        "queens up": ("A", "B", "C", "D"),
        "progressive": ("standard", "A", "B"),
        "envy": ("standard $1", "standard $5", "A $1", "A $5", "B $1", "B $5"),
        "double down": ("standard",),
        "fortune bonus": ("standard",),
        "fortune envy": ("standard $1", "standard $5"),
        "insurance": ("standard",),
        "progressive envy": ("standard $1", "standard $5"),
        "push 22": ("A", "B"),
        "blackjack": ("even money",),
    }.items()
    for table in tables
}


def test_565_12_d_563_12_c_d_odds_above_the_least_are_posted_as_they_are_filed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = (
        'pair_plus_paytable = { pair = "1:1", flush = "4:1", straight = "6:1", three_of_a_kind = "30:1",'
        ' straight_flush = "40:1", mini_royal = "50:1" }'
    )
    posted = text_of(signed(capsys, "three_card_poker", filed_as(tmp_path, rules)), "565.12(d)")
    assert "flush: 4:1" in posted
    assert "flush: 3:1" not in posted
    sign = signed(capsys, "texas_holdem_bonus", filed_as(tmp_path, 'both_aces_pays = "1000:1"'))
    assert text_of(sign, "563.12(d)") == "both aces: 1000:1"
    assert not text_of(signed(capsys, "texas_holdem_bonus"), "563.12(d)")


@pytest.mark.parametrize(
    ("rules", "status"),
    [('rake = { type = "percentage", percent = 11, maximum = "4.00" }', 1), ("rake = 3", 2), ("[", 2)],
)
def test_sign_of_what_cannot_be_filed_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, rules: str, status: int
) -> None:
    filed = tmp_path / "filed.toml"
    filed.write_text(f"[rules]\n{rules}\n", encoding="utf-8")
    assert main(["rules", "omaha_high", "--sign", "--filed", str(filed)]) == status
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "rules", "said"),
    [
        ("free_bet_blackjack", "decks = 7", "rules.decks: found 7: expected one of 6, 8 [672a.3(a)]"),
        ("high_roll_dice", "dice = 8", "rules.dice: found 8: expected one of 10, 6 [675a.6(a)]"),
        ("double_back_jack", "decks = 9", "rules.decks: found 9: input should be less than or equal to 8 [673a.3(a)]"),
        ("lunar_poker", "colour = 1", "rules.colour: unknown key: "),
    ],
)
def test_filing_that_is_none_is_named_with_line_key_and_what_may_be_filed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str, rules: str, said: str
) -> None:
    path = filed_as(tmp_path, rules)
    assert main(["rules", game, "--sign", "--filed", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}:2: {said}")
