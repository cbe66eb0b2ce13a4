"""Records what the cases of `contrib_eager_cases` give.

Run by a Python that has TensorFlow 1.15:

    python record_contrib_eager.py
"""

from __future__ import annotations

import os
import tempfile

import contrib_eager_cases as cases
import recording


def main():
    """Writes `data/contrib_eager.json.gz`."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf

    tf.enable_eager_execution()
    tf.logging.set_verbosity("ERROR")
    found = {name: case(tf, tempfile.mkdtemp()) for name, case in cases.CASES.items()}
    recording.write_json(os.path.join(recording.DATA, "contrib_eager.json.gz"), found)


if __name__ == "__main__":
    main()
