"""Records what the functions of `autograph_cases` record, compute and raise.

Run by a Python that has TensorFlow 1.15:

    python record_autograph.py
"""

from __future__ import annotations

import os

import autograph_cases as cases
import recording


def describe(tf):
    """What each case gives."""
    return {name: cases.describe(tf, name, name not in cases.SEVERAL) for name in cases.CASES}


def main():
    """Writes `data/autograph.json.gz`."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf

    tf.enable_eager_execution()
    tf.logging.set_verbosity("ERROR")
    recording.write_json(os.path.join(recording.DATA, "autograph.json.gz"), describe(tf))


if __name__ == "__main__":
    main()
