"""Records what Python values become in eager execution. Run by a Python that has the real
TensorFlow 1.15:

python record_eager_values.py
"""

from __future__ import annotations

import os

import eager_value_cases
import recording


def main():
    import tensorflow as tf
    from tensorflow.python.eager import context

    tf.logging.set_verbosity(tf.logging.ERROR)
    goldens = eager_value_cases.outcomes(tf, context.eager_mode)
    recording.write_json(os.path.join(recording.DATA, "eager_values.json"), goldens)


if __name__ == "__main__":
    main()
