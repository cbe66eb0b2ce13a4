"""Records the goldens of canned estimators, heads and input functions.

Run by a Python that has TensorFlow 1.15:

    python record_canned.py
"""

from __future__ import annotations

import os
import tempfile
import warnings

import canned_cases
import estimator_run_cases
import recording

warnings.filterwarnings("ignore")


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"models": {}, "runs": {}, "inputs": {}, "mistakes": {}}
    for name, model in canned_cases.MODELS.items():
        print(name)
        os.chdir(tempfile.mkdtemp())
        tf.reset_default_graph()
        found = canned_cases.observed(tf, model)
        found["values"] = recording.describe_value(found["values"])
        golden["models"][name] = found
    for name, run in estimator_run_cases.RUNS.items():
        print(name)
        os.chdir(tempfile.mkdtemp())
        tf.reset_default_graph()
        found = run(tf)
        found["values"] = recording.describe_value(found["values"])
        golden["runs"][name] = found
    golden["words"] = estimator_run_cases.words(tf)
    golden["clusters"] = estimator_run_cases.clusters(tf)
    for name in canned_cases.INPUTS:
        tf.reset_default_graph()
        found = canned_cases.read(tf, name)
        found["values"] = recording.describe_value(found["values"])
        golden["inputs"][name] = found
    mistakes = dict(canned_cases.MISTAKES, **estimator_run_cases.MISTAKES)
    for group, cases in mistakes.items():
        os.chdir(tempfile.mkdtemp())
        found = {key: recording.raised(tf, case) for key, case in cases.items()}
        assert all(found.values()), [key for key in found if not found[key]]
        golden["mistakes"][group] = found
    recording.write_json(os.path.join(recording.DATA, "canned.json.xz"), golden)


if __name__ == "__main__":
    main()
