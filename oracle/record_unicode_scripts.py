"""Writes the script of every Unicode code point, as TF 1.15 numbers them, as package data.

Run by a Python that has TensorFlow 1.15:

    python record_unicode_scripts.py OUTPUT
"""

import json
import sys

import numpy as np
import tensorflow as tf


def main():
    with tf.Session() as session:
        scripts = session.run(tf.strings.unicode_script(np.arange(0x110000, dtype=np.int32)))
    starts = [0, *(np.flatnonzero(np.diff(scripts)) + 1).tolist()]
    with open(sys.argv[1], "w") as file:
        rows = [[start, int(scripts[start])] for start in starts]
        file.write(json.dumps(rows, separators=(",", ":")).replace("],", "],\n") + "\n")


if __name__ == "__main__":
    main()
