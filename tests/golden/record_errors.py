"""Records the error of every case. Run by a Python that has the real TensorFlow 1.15:

python record_errors.py
"""

from __future__ import annotations

import os
import sys

import error_cases
import recording


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    assert len(dict(error_cases.CASES)) == len(error_cases.CASES), "an id is there twice"
    goldens = {}
    for name, function in error_cases.CASES:
        golden = recording.raised(tf, function)
        if golden is None:
            print("{} raises nothing".format(name), file=sys.stderr)
            continue
        goldens[name] = golden
        print("{}\n    {}: {}".format(name, golden["class"], golden["text"]))
    recording.write_json(os.path.join(recording.DATA, "errors.json"), goldens)


if __name__ == "__main__":
    main()
