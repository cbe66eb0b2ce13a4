"""Records what the examples print under the real TensorFlow 1.15.

    python tests/golden/record_examples.py PYTHON

PYTHON is a Python that has TF 1.15. Runs every example that data/examples.json lists, with the
settings written there, and replaces its "stdout".
"""

import json
import os
import subprocess
import sys
from pathlib import Path

GOLDEN = Path(__file__).with_name("data") / "examples.json"
EXAMPLES = Path(__file__).parents[2] / "examples"


def main() -> None:
    """Runs the examples and rewrites data/examples.json."""
    records = json.loads(GOLDEN.read_text())
    for name, record in records.items():
        command = [sys.argv[1], "-W", "ignore", str(EXAMPLES / name), *record["args"]]
        env = os.environ | record["env"]
        record["stdout"] = subprocess.run(
            command, env=env, check=True, stdout=subprocess.PIPE, text=True
        ).stdout.splitlines()
    GOLDEN.write_text(json.dumps(records, indent=1) + "\n")


if __name__ == "__main__":
    main()
