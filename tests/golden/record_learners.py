"""Records the goldens of estimators of trees, of SDCA, of clusters and of kernels.

Run by a Python that has TensorFlow 1.15:

    python record_learners.py [NAME …]
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings

import learner_cases
import recording

warnings.filterwarnings("ignore")
PATH = os.path.join(recording.DATA, "learners.json.xz")


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"runs": {}, "mistakes": {}}
    names = sys.argv[1:]
    if names:
        golden["runs"] = recording.read_json(PATH)["runs"]
    for name in names or learner_cases.RUNS:
        print(name)
        os.chdir(tempfile.mkdtemp())
        tf.reset_default_graph()
        tf.disable_resource_variables()
        found = learner_cases.RUNS[name](tf)
        found["values"] = recording.describe_value(found["values"])
        golden["runs"][name] = found
    for group, cases in learner_cases.MISTAKES.items():
        os.chdir(tempfile.mkdtemp())
        found = {key: recording.raised(tf, case) for key, case in cases.items()}
        assert all(found.values()), [key for key in found if not found[key]]
        golden["mistakes"][group] = found
    recording.write_json(PATH, golden)


if __name__ == "__main__":
    main()
