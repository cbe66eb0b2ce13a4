"""Records the goldens of tf.estimator.

Run by a Python that has TensorFlow 1.15:

    python record_estimator.py
"""

from __future__ import annotations

import os
import tempfile
import warnings

import estimator_cases
import recording

warnings.filterwarnings("ignore")


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    os.chdir(tempfile.mkdtemp())
    found = estimator_cases.trained(tf)
    golden = {
        "graphs": found["graphs"],
        "values": [recording.describe_value(value) for value in found["values"]],
        "files": found["files"],
        "log": found["log"],
        "cluster": estimator_cases.cluster(tf),
        "mistakes": {},
    }
    for group, cases in estimator_cases.MISTAKES.items():
        raised = {}
        for key, case in cases.items():
            os.chdir(tempfile.mkdtemp())
            raised[key] = recording.raised(tf, case)
        assert all(raised.values()), [key for key in raised if not raised[key]]
        golden["mistakes"][group] = raised
    recording.write_json(os.path.join(recording.DATA, "estimator.json.gz"), golden)


if __name__ == "__main__":
    main()
