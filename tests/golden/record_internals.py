"""Records what the cases of internal_cases.py and eager_internal_cases.py say.

Run by a Python that has TensorFlow 1.15, with the names of the cases to record again, or none:

    python record_internals.py [case...]
"""

from __future__ import annotations

import json
import os
import sys

import autograph_internal_cases  # noqa: F401
import contrib_internal_cases  # noqa: F401
import distribute_internal_cases  # noqa: F401
import eager_internal_cases  # noqa: F401 - its cases are among internal_cases.CASES
import framework_internal_cases  # noqa: F401
import internal_cases
import recording
import tool_internal_cases  # noqa: F401


def main():
    import tensorflow as tf
    from tensorflow.python.eager import context

    path = os.path.join(recording.DATA, "internal_cases.json.gz")
    said = recording.read_json(path) if sys.argv[1:] else {}
    for name in sys.argv[1:] or internal_cases.CASES:
        eager = name in internal_cases.EAGER
        with tf.Graph().as_default(), context.eager_mode() if eager else context.graph_mode():
            said[name] = json.loads(json.dumps(internal_cases.CASES[name](tf)))
    recording.write_json(path, said)


if __name__ == "__main__":
    main()
