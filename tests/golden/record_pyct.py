"""Records what TF 1.15's AutoGraph toolbox says about pieces of source code.

Run with the real TF 1.15's interpreter from this folder; writes data/pyct.json.gz.
"""

from __future__ import annotations

import gzip
import importlib
import json
from pathlib import Path

from pyct_cases import MODULES, QUESTIONS, SOURCES, Toolbox, answer


def main() -> None:
    """Writes the file."""
    box = Toolbox(
        {
            name.rpartition(".")[2]: importlib.import_module("tensorflow.python.autograph." + name)
            for name in MODULES
        }
    )
    found = {
        name: {question: answer(box, question, source) for question in QUESTIONS}
        for name, source in SOURCES.items()
    }
    path = Path(__file__).parent / "data" / "pyct.json.gz"
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(json.dumps(found, indent=1, sort_keys=True).encode())


if __name__ == "__main__":
    main()
