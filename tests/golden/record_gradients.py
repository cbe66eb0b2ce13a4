"""Records the goldens of tf.gradients, custom gradients and functions.

Run by a Python that has TensorFlow 1.15:

    python record_gradients.py
"""

from __future__ import annotations

import os
import warnings

import function_cases
import gradient_cases
import recording

warnings.filterwarnings("ignore")


def describe(tf, case):
    """Builds one case in an empty graph; returns its graph and what it says."""
    tf.reset_default_graph()
    said = case(tf)
    return {"graph": recording.describe_graph(tf.get_default_graph()), "said": said}


def values(tf, case):
    """The values of the tensors that a case returns, as nested lists."""
    tf.reset_default_graph()
    fetches = case(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run(fetches)
    return [recording.describe_value(value) for value in found]


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"graphs": {}, "mistakes": {}, "runs": {}}
    for module in (gradient_cases, function_cases):
        for group, cases in module.GRAPHS.items():
            golden["graphs"][group] = {name: describe(tf, case) for name, case in cases.items()}
        for group, cases in module.MISTAKES.items():
            found = {name: recording.raised(tf, case) for name, case in cases.items()}
            assert all(found.values()), [name for name in found if not found[name]]
            golden["mistakes"][group] = found
        for group, cases in module.RUNS.items():
            golden["runs"][group] = {name: values(tf, case) for name, case in cases.items()}
    recording.write_json(os.path.join(recording.DATA, "gradients.json.gz"), golden)


if __name__ == "__main__":
    main()
