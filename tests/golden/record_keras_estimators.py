"""Records the goldens of Keras models as Estimators.

Run by a Python that has TensorFlow 1.15:

    python record_keras_estimators.py
"""

from __future__ import annotations

import collections
import os
import tempfile
import warnings
from collections.abc import Set

import keras_estimator_cases
import recording

warnings.filterwarnings("ignore")


class _Ordered(collections.OrderedDict, Set):
    """A set in the order of what was added: TensorFlow's of metrics' variables is in none."""

    def __init__(self, values=()):
        super(_Ordered, self).__init__((value, None) for value in values)

    def update(self, values):
        for value in values:
            self[value] = None

    def difference(self, values):
        return self - values


def main():
    import tensorflow as tf
    from tensorflow_estimator.python.estimator import model_fn

    model_fn.set = _Ordered
    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"runs": {}, "mistakes": {}}
    for name, run in keras_estimator_cases.RUNS.items():
        print(name)
        os.chdir(tempfile.mkdtemp())
        tf.keras.backend.clear_session()
        tf.summary.FileWriterCache.clear()  # Folders bear the same name each time.
        found = run(tf)
        found["values"] = recording.describe_value(found["values"])
        golden["runs"][name] = found
    for name, mistake in keras_estimator_cases.MISTAKES.items():
        os.chdir(tempfile.mkdtemp())
        tf.keras.backend.clear_session()
        golden["mistakes"][name] = recording.raised(tf, mistake)
        assert golden["mistakes"][name], name
    recording.write_json(os.path.join(recording.DATA, "keras_estimators.json.xz"), golden)


if __name__ == "__main__":
    main()
