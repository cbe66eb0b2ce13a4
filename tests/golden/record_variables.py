"""Records the goldens of variables, scopes and optimizers. Run by a Python that has TensorFlow 1.15:

python record_variables.py
"""

from __future__ import annotations

import os
import warnings

import recording
import variable_cases

warnings.filterwarnings("ignore")


def describe(tf, case):
    """Builds one case in an empty graph; returns its graph and what it says."""
    tf.reset_default_graph()
    said = case(tf)
    return {"graph": recording.describe_graph(tf.get_default_graph()), "said": said}


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"graphs": {}, "mistakes": {}}
    for group, cases in variable_cases.GRAPHS.items():
        golden["graphs"][group] = {name: describe(tf, case) for name, case in cases.items()}
    for name, case in variable_cases.MISTAKES.items():
        golden["mistakes"][name] = recording.raised(tf, case)
        assert golden["mistakes"][name], name
    recording.write_json(os.path.join(recording.DATA, "variables.json.gz"), golden)


if __name__ == "__main__":
    main()
