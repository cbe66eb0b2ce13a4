"""Records what the examples print under the real TensorFlow 1.15, and the graphs that they record.

    python tests/golden/record_examples.py PYTHON [EXAMPLE …]

PYTHON is a Python that has TF 1.15. Runs every example that data/examples.json lists (or those
named), with the settings written there, and replaces its "stdout"; the graphs of those with
"graph" go to data/example_graphs.json.gz.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import recording

DATA = Path(__file__).with_name("data")
GOLDEN, GRAPHS = DATA / "examples.json", DATA / "example_graphs.json.gz"
EXAMPLES = Path(__file__).parents[2] / "examples"
RUNNER = Path(__file__).with_name("run_example.py")


def main() -> None:
    """Runs the examples and rewrites the data."""
    records = json.loads(GOLDEN.read_text())
    graphs = recording.read_json(str(GRAPHS)) if GRAPHS.exists() else {}
    python, *names = sys.argv[1:]
    for name in names or records:
        record = records[name]
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "graph.json")
            command = [python, "-W", "ignore", str(RUNNER), out, str(EXAMPLES / name)]
            record["stdout"] = subprocess.run(
                [*command, *record["args"]],
                env=os.environ | record["env"],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout.splitlines()
            if record.get("graph"):
                graphs[name] = recording.read_json(out)
    GOLDEN.write_text(json.dumps(records, indent=1) + "\n")
    recording.write_json(str(GRAPHS), graphs)


if __name__ == "__main__":
    main()
