"""Coverage-guided fuzzing of the decoders, outside the ordinary tests: ``make fuzz``.

What it has found so far, or what there is to begin with, is kept in a corpus beside the artifacts; what makes a target
fail is written to ``.venv/fuzz-crash-…``, and ``python -m tests.fuzz.fuzz_decoders FILE`` tries that alone.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from pathlib import Path
from typing import Any, Final

atheris: Any = importlib.import_module("atheris")  # installed by `make fuzz` alone

with atheris.instrument_imports(include=["tablectl_drivers", "tests.fuzz"]):
    from tests.fuzz import targets
    from tests.fuzz.seeds import seeds

CORPUS: Final = Path(".venv/fuzz-corpus")


def corpus() -> Path:
    """The folder of inputs to begin with."""
    CORPUS.mkdir(parents=True, exist_ok=True)
    for seed in seeds():
        (CORPUS / hashlib.sha256(seed).hexdigest()[:40]).write_bytes(seed)
    return CORPUS


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    atheris.Setup([*sys.argv, *([] if given else [str(corpus())])], targets.one_input)
    atheris.Fuzz()
