"""The page about stages says what the stage table says."""

from __future__ import annotations

from tests.procedure.stage_diagram import PAGE, page


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.procedure.stage_diagram"
