"""Records the goldens of recurrent nets.

Run by a Python that has TensorFlow 1.15:

    python record_rnn.py [NAME ...]

With names, only those nets are recorded anew.
"""

from __future__ import annotations

import os
import sys
import warnings

import recording
import rnn_cases
import rnn_contrib_cases
import rnn_cudnn_cases
import rnn_grid_cases

warnings.filterwarnings("ignore")

MODULES = (rnn_cases, rnn_contrib_cases, rnn_cudnn_cases, rnn_grid_cases)
RUN = rnn_cases.RUN | rnn_contrib_cases.RUN | rnn_grid_cases.RUN


def together(what):
    """The groups of all modules: GRAPHS or MISTAKES."""
    return {group: cases for module in MODULES for group, cases in getattr(module, what).items()}


def describe(tf, name, case):
    """Builds one case in an empty graph; returns its graph, what it says, and values if it is one
    that is run."""
    tf.reset_default_graph()
    built = case(tf)
    graph = recording.describe_graph(tf.get_default_graph())
    golden = {"graph": graph, "said": built[2]}
    if name in RUN:
        found = rnn_cases.run(tf, *built)
        golden["values"] = [recording.describe_value(value) for _, value in found]
    return golden


def main(names):
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    path = os.path.join(recording.DATA, "rnn.json.xz")
    golden = recording.read_json(path) if names else {"graphs": {}, "mistakes": {}}
    for group, cases in together("GRAPHS").items():
        found = golden["graphs"].setdefault(group, {})
        for name in names or cases:
            if name in cases:
                found[name] = describe(tf, name, cases[name])
    for group, cases in together("MISTAKES").items():
        found = {name: recording.raised(tf, case) for name, case in cases.items()}
        assert all(found.values()), [name for name in found if not found[name]]
        golden["mistakes"][group] = found
    recording.write_json(path, golden)


if __name__ == "__main__":
    main(sys.argv[1:])
