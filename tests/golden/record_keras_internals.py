"""Records what the cases of keras_internal_cases.py and of its like say.

Run by a Python that has TensorFlow 1.15, with the names of the cases to record again, or none:

    python record_keras_internals.py [case...]
"""

from __future__ import annotations

import json
import os
import sys

import client_internal_cases  # noqa: F401 - its cases are among keras_internal_cases.CASES
import keras_internal_cases as cases
import recording


def main():
    import tensorflow as tf
    from tensorflow.python.eager import context

    path = os.path.join(recording.DATA, "keras_internal_cases.json")
    said = recording.read_json(path) if sys.argv[1:] else {}
    for name in sys.argv[1:] or cases.CASES:
        eager = name in cases.EAGER
        with tf.Graph().as_default(), context.eager_mode() if eager else context.graph_mode():
            said[name] = json.loads(json.dumps(cases.CASES[name](tf)))
        tf.keras.backend.clear_session()
    recording.write_json(path, said)


if __name__ == "__main__":
    main()
