"""Records the outcome of every call. Run by a Python that has the real TensorFlow 1.15:

python record_calls.py
"""

from __future__ import annotations

import os

import call_cases
import recording


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    goldens = {name: call_cases.outcome(tf, *case) for name, case in call_cases.CASES.items()}
    recording.write_json(os.path.join(recording.DATA, "calls.json"), goldens)


if __name__ == "__main__":
    main()
