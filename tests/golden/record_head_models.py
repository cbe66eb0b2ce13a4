"""Records the goldens of TF 2's heads and of the canned estimators with them.

Run by a Python that has TensorFlow 1.15:

    python record_head_models.py
"""

from __future__ import annotations

import os
import tempfile
import warnings

import head_model_cases as cases
import recording
from record_keras_estimators import _Ordered

warnings.filterwarnings("ignore")


def main():
    import tensorflow as tf
    from tensorflow_estimator.python.estimator import model_fn

    model_fn.set = _Ordered
    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {}
    runs = [(name, cases.observed, model) for name, model in cases.MODELS.items()]
    runs += [(name, cases.canned, model) for name, model in cases.CANNED.items()]
    for name, run, model in runs:
        print(name)
        os.chdir(tempfile.mkdtemp())
        tf.keras.backend.clear_session()
        tf.summary.FileWriterCache.clear()  # Folders bear the same name each time.
        found = run(tf, model)
        found["values"] = recording.describe_value(found["values"])
        golden[name] = found
    recording.write_json(os.path.join(recording.DATA, "head_models.json.xz"), golden)


if __name__ == "__main__":
    main()
