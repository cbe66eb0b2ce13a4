"""Records the goldens of tf.graph_util.

Run by a Python that has TensorFlow 1.15:

    python record_graph_util.py
"""

from __future__ import annotations

import os

import graph_util_cases
import recording


def found(tf, case):
    """What a case gives: a list as it is, a GraphDef as a line of text a node."""
    tf.reset_default_graph()
    result = case(tf)
    if isinstance(result, list):
        return result
    return [recording.proto_text(node) for node in result.node]


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {name: found(tf, case) for name, case in graph_util_cases.CASES.items()}
    mistakes = {n: recording.raised(tf, case) for n, case in graph_util_cases.MISTAKES.items()}
    path = os.path.join(recording.DATA, "graph_util.json.gz")
    recording.write_json(path, {"cases": golden, "mistakes": mistakes})


if __name__ == "__main__":
    main()
