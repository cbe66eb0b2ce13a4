"""Records the goldens of tf.distributions.

Run by a Python that has TensorFlow 1.15:

    python record_distributions.py
"""

from __future__ import annotations

import distribution_cases
import record_layers


def main():
    import tensorflow as tf

    record_layers.record(tf, distribution_cases, "distributions.json.gz")


if __name__ == "__main__":
    main()
