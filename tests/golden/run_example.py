"""Runs an example and writes the graph that it recorded: run_example.py GRAPH.json EXAMPLE [ARG…]

Runs under the real TensorFlow 1.15 and under tf1compat alike.
"""

from __future__ import absolute_import, division, print_function

import os
import runpy
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    out, example = sys.argv[1:3]
    sys.argv = sys.argv[2:]
    try:
        runpy.run_path(example, run_name="__main__")
    except SystemExit as end:
        if end.code:
            raise
    sys.path.insert(0, HERE)
    import recording
    import tensorflow as tf

    graph = recording.describe_graph(tf.get_default_graph())
    recording.write_json(out, {"nodes": graph["nodes"], "collections": graph["collections"]})


if __name__ == "__main__":
    main()
