"""Records the goldens of TF 2's heads and of the canned estimators with them.

Run by a Python that has TensorFlow 1.15:

    python record_heads.py
"""

from __future__ import annotations

import os
import tempfile
import warnings

import head_cases
import recording
from case_runs import describe
from record_keras_estimators import _Ordered

warnings.filterwarnings("ignore")


def main():
    import tensorflow as tf
    from tensorflow_estimator.python.estimator import model_fn

    model_fn.set = _Ordered
    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"models": {}, "calls": {}, "mistakes": {}}
    runs = [(name, head_cases.observed, model) for name, model in head_cases.MODELS.items()]
    runs += [(name, head_cases.canned, model) for name, model in head_cases.CANNED.items()]
    for name, run, model in runs:
        print(name)
        os.chdir(tempfile.mkdtemp())
        tf.keras.backend.clear_session()
        tf.summary.FileWriterCache.clear()  # Folders bear the same name each time.
        found = run(tf, model)
        found["values"] = recording.describe_value(found["values"])
        golden["models"][name] = found
    for name, call in head_cases.CALLS.items():
        golden["calls"][name] = describe(tf, call)
    for name, mistake in head_cases.MISTAKES.items():
        golden["mistakes"][name] = recording.raised(tf, mistake)
        assert golden["mistakes"][name], name
    recording.write_json(os.path.join(recording.DATA, "heads.json.xz"), golden)


if __name__ == "__main__":
    main()
