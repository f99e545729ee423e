"""Writes `tablectl/procedure/STAGES.md` from the stage table: ``python -m tests.procedure.stage_diagram``."""

from __future__ import annotations

from pathlib import Path

from tablectl.games import GAME_IDS, game
from tablectl.procedure.stages import LEGAL, Stage, Transitions

PAGE = Path(__file__).parent.parent.parent / "tablectl" / "procedure" / "STAGES.md"


def page() -> str:
    """The page: one diagram for each way through a round, and the stages in which each instruction is legal."""
    ways: dict[str, list[str]] = {}
    for name in GAME_IDS:
        ways.setdefault(diagram(game(name).transitions), []).append(name)
    lines = [
        "# Stages of a round",
        "",
        "Generated from `stages.py` by `python -m tests.procedure.stage_diagram`; do not edit.",
    ]
    for drawn, names in ways.items():
        lines += ["", f"## {', '.join(names)}", "", "```mermaid", drawn, "```"]
    lines += ["", "## Which instruction is legal where", "", f"| instruction | {' | '.join(Stage)} |"]
    lines.append(f"| --- |{' :-: |' * len(Stage)}")
    for kind, stages in sorted(LEGAL.items(), key=lambda item: item[0].__name__):
        marks = " | ".join("x" if stage in stages else " " for stage in Stage)
        lines.append(f"| `{kind.__name__}` | {marks} |")
    return "\n".join(lines) + "\n"


def diagram(transitions: Transitions) -> str:
    """The transitions as a state diagram."""
    arrows = [f"    {stage} --> {after}" for stage, following in transitions.items() for after in following]
    return "\n".join(["stateDiagram-v2", f"    [*] --> {Stage.CLOSED}", *arrows])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
