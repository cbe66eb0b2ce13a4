"""Writes what `python -m tf1compat coverage` counts into README.md."""

from __future__ import annotations

import re
from pathlib import Path

from tf1compat.launcher import coverage

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"(<!-- coverage: .*? -->\n).*?(\n<!-- end -->)", re.DOTALL)


def updated(text: str) -> str:
    """The README with today's figures."""
    lines = "\n".join(f"- {line}" for line in coverage.totals())
    return BLOCK.sub(lambda block: f"{block[1]}\n{lines}\n{block[2]}", text)


if __name__ == "__main__":
    README.write_text(updated(README.read_text()))
