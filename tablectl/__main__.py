"""Entry point of the `tablectl` command."""

from __future__ import annotations

import sys

from tablectl.cli import main

if __name__ == "__main__":
    sys.exit(main())
