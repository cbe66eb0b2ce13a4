"""Records the goldens of tf.layers and tf.losses.

Run by a Python that has TensorFlow 1.15:

    python record_layers.py
"""

from __future__ import annotations

import os
import warnings

import layer_cases
import recording

warnings.filterwarnings("ignore")


def describe(tf, case):
    """Builds one case in an empty graph and runs it; returns its graph, values and what it says."""
    tf.reset_default_graph()
    built = case(tf)
    graph = recording.describe_graph(tf.get_default_graph())
    values = [recording.describe_value(value) for _, value in layer_cases.run(tf, *built)]
    return {"graph": graph, "said": built[2], "values": values}


def record(tf, cases, file):
    """Records all cases of a module in a file."""
    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"graphs": {}, "mistakes": {}}
    for group, graphs in cases.GRAPHS.items():
        golden["graphs"][group] = {name: describe(tf, case) for name, case in graphs.items()}
    for group, mistakes in cases.MISTAKES.items():
        found = {name: recording.raised(tf, case) for name, case in mistakes.items()}
        assert all(found.values()), [name for name in found if not found[name]]
        golden["mistakes"][group] = found
    recording.write_json(os.path.join(recording.DATA, file), golden)


def main():
    import tensorflow as tf

    record(tf, layer_cases, "layers.json.gz")


if __name__ == "__main__":
    main()
