"""Records the goldens of tf.Module.

Run by a Python that has TensorFlow 1.15:

    python record_modules.py
"""

from __future__ import annotations

import module_cases
import record_layers


def main():
    import tensorflow as tf

    record_layers.record(tf, module_cases, "modules.json.gz")


if __name__ == "__main__":
    main()
