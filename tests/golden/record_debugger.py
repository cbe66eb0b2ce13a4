"""Records what the cases of debugger_cases.py, debugger_cli_cases.py and
debugger_analyzer_cases.py say.

Run by a Python that has TensorFlow 1.15, with the names of the cases to record again, or none:

    python record_debugger.py [case...]
"""

from __future__ import annotations

import json
import os
import sys

import debugger_analyzer_cases  # noqa: F401  Its cases are in debugger_cases.CASES, too.
import debugger_cases
import debugger_cli_cases  # noqa: F401
import recording


def main():
    import tensorflow as tf

    path = os.path.join(recording.DATA, "debugger_cases.json.gz")
    said = recording.read_json(path) if sys.argv[1:] else {}
    for name in sys.argv[1:] or debugger_cases.CASES:
        with tf.Graph().as_default():
            said[name] = json.loads(json.dumps(debugger_cases.CASES[name](tf)))
    recording.write_json(path, said)


if __name__ == "__main__":
    main()
