"""Records the goldens of tables, queues, readers and files.

Run by a Python that has TensorFlow 1.15:

    python record_resources.py
"""

from __future__ import annotations

import os
import warnings

import recording
import resource_cases

warnings.filterwarnings("ignore")


def describe(tf, case):
    """Records one case in an empty graph and runs its steps."""
    tf.reset_default_graph()
    with resource_cases.folder():
        steps = case(tf)
        graph = recording.describe_graph(tf.get_default_graph())
        return {"graph": graph, "steps": recording.run_steps(tf, steps)}


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"steps": {}, "said": {}, "mistakes": {}}
    for group, cases in resource_cases.STEPS.items():
        golden["steps"][group] = {name: describe(tf, case) for name, case in cases.items()}
    for name, case in resource_cases.SAID.items():
        tf.reset_default_graph()
        with resource_cases.folder():
            golden["said"][name] = case(tf)
    for name, case in resource_cases.MISTAKES.items():
        with resource_cases.folder():
            golden["mistakes"][name] = recording.raised(tf, case)
        assert golden["mistakes"][name], name
    recording.write_json(os.path.join(recording.DATA, "resources.json.gz"), golden)


if __name__ == "__main__":
    main()
