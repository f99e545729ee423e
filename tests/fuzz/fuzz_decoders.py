"""Coverage-guided fuzzing of the decoders, outside the ordinary tests: ``make fuzz``."""

from __future__ import annotations

import importlib
import sys
from typing import Any

atheris: Any = importlib.import_module("atheris")  # installed by `make fuzz` alone

with atheris.instrument_imports(include=["tablectl_drivers", "tests.fuzz"]):
    from tests.fuzz import targets

if __name__ == "__main__":
    atheris.Setup(sys.argv, targets.one_input)
    atheris.Fuzz()
