"""Records the goldens of nets from sequence to sequence.

Run by a Python that has TensorFlow 1.15:

    python record_seq2seq.py
"""

from __future__ import annotations

import os
import warnings

import recording
import seq2seq_cases

warnings.filterwarnings("ignore")


def describe(tf, case):
    """Builds and runs one case; returns its graph, what it says, and values."""
    tf.reset_default_graph()
    built = case(tf)
    graph = recording.describe_graph(tf.get_default_graph())
    found = seq2seq_cases.run(tf, *built)
    values = [recording.describe_value(value) for _, value in found]
    return {"graph": graph, "said": built[2], "values": values}


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"graphs": {}, "mistakes": {}}
    for group, cases in seq2seq_cases.GRAPHS.items():
        golden["graphs"][group] = {name: describe(tf, case) for name, case in cases.items()}
    for group, cases in seq2seq_cases.MISTAKES.items():
        found = {name: recording.raised(tf, case) for name, case in cases.items()}
        assert all(found.values()), [name for name in found if not found[name]]
        golden["mistakes"][group] = found
    recording.write_json(os.path.join(recording.DATA, "seq2seq.json.xz"), golden)


if __name__ == "__main__":
    main()
