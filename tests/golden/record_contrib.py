"""Records the goldens of tf.contrib.layers, slim, losses, training and framework.

Run by a Python that has TensorFlow 1.15:

    python record_contrib.py
"""

from __future__ import annotations

import warnings

import contrib_cases
from record_layers import record

warnings.filterwarnings("ignore")


def main():
    import tensorflow as tf

    record(tf, contrib_cases, "contrib.json.gz")


if __name__ == "__main__":
    main()
