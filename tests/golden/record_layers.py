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
    fetches, feeds, said = case(tf)
    graph = recording.describe_graph(tf.get_default_graph())
    return {"graph": graph, "said": said, "values": run(tf, fetches, feeds)}


def run(tf, fetches, feeds):
    """What the fetches of a case give, step by step."""
    if not fetches:
        return []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        runs = [session.run(fetches, feeds(step)) for step in range(layer_cases.STEPS)]
    return [[recording.describe_value(value) for value in found] for found in runs]


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"graphs": {}, "mistakes": {}}
    for group, cases in layer_cases.GRAPHS.items():
        golden["graphs"][group] = {name: describe(tf, case) for name, case in cases.items()}
    for group, cases in layer_cases.MISTAKES.items():
        found = {name: recording.raised(tf, case) for name, case in cases.items()}
        assert all(found.values()), [name for name in found if not found[name]]
        golden["mistakes"][group] = found
    recording.write_json(os.path.join(recording.DATA, "layers.json.gz"), golden)


if __name__ == "__main__":
    main()
