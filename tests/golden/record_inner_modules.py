"""Records what the cases of inner_module_cases.py say.

Run by a Python that has TensorFlow 1.15, with the names of the cases to record again, or none:

    python record_inner_modules.py [case...]
"""

from __future__ import annotations

import json
import os
import sys

import inner_autograph_cases  # noqa: F401 - its cases are among inner_module_cases.CASES
import inner_module_cases
import recording


def main():
    import tensorflow as tf
    from tensorflow.python.eager import context

    path = os.path.join(recording.DATA, "inner_modules.json")
    said = recording.read_json(path) if sys.argv[1:] and os.path.exists(path) else {}
    for name in sys.argv[1:] or inner_module_cases.CASES:
        eager = name in inner_module_cases.EAGER
        with tf.Graph().as_default(), context.eager_mode() if eager else context.graph_mode():
            said[name] = json.loads(json.dumps(inner_module_cases.CASES[name](tf)))
    recording.write_json(path, said)


if __name__ == "__main__":
    main()
