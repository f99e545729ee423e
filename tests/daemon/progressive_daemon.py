"""The command `tablectl` with the stand-ins for games that have a progressive."""

from __future__ import annotations

import sys

from tablectl.cli import main
from tests.procedure.progressive_stand_in import register

if __name__ == "__main__":
    register()
    sys.exit(main())
