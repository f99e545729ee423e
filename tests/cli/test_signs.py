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
