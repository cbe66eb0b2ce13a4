"""`python -m tf1compat script.py args…`; also the console command `tf1compat`."""

from __future__ import annotations

import sys

from tf1compat.launcher import run


def main() -> int:
    """Runs the command line and returns the exit status."""
    return run.main()


if __name__ == "__main__":
    sys.exit(main())
