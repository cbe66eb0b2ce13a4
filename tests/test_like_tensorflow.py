"""What runs along TensorFlow's own code is listed, with the reason, and is still there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent / "tf1compat"


def test_listed_places_exist() -> None:
    lines = Path(__file__).with_name("like_tensorflow.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert rows == sorted(rows) and all(len(row) == 3 and row[2] for row in rows)
    for file, what, _ in rows:
        names = re.findall(r"[A-Za-z_]\w+", what)
        text = (ROOT / file).read_text()
        assert any(re.search(rf"\b{name}\b", text) for name in names), (file, what)
