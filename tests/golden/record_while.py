"""Records the goldens of while loops and TensorArrays.

Run by a Python that has TensorFlow 1.15:

    python record_while.py
"""

from __future__ import annotations

import os
import warnings

import recording
import tensor_array_cases
import while_cases

warnings.filterwarnings("ignore")


def describe(tf, case):
    """Builds one case in an empty graph; returns its graph and what it says."""
    tf.reset_default_graph()
    said = case(tf)
    return {"graph": recording.describe_graph(tf.get_default_graph()), "said": said}


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    golden = {"graphs": {}, "mistakes": {}}
    for module in (while_cases, tensor_array_cases):
        for group, cases in module.GRAPHS.items():
            golden["graphs"][group] = {name: describe(tf, case) for name, case in cases.items()}
        for group, cases in module.MISTAKES.items():
            found = {name: recording.raised(tf, case) for name, case in cases.items()}
            assert all(found.values()), [name for name in found if not found[name]]
            golden["mistakes"][group] = found
    recording.write_json(os.path.join(recording.DATA, "while.json.gz"), golden)


if __name__ == "__main__":
    main()
