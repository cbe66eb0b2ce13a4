"""Records what the expressions give. Run by a Python that has the real TensorFlow 1.15:

python record_expressions.py
"""

from __future__ import annotations

import os

import expression_cases
import recording


def main():
    import tensorflow as tf
    from tensorflow.python.eager import context

    tf.logging.set_verbosity(tf.logging.FATAL)
    assert len(set(expression_cases.CASES)) == len(expression_cases.CASES), "a case is there twice"
    goldens = {}
    for text in expression_cases.CASES:
        for mode in expression_cases.MODES:
            golden = goldens["{} {}".format(mode, text)] = expression_cases.run(
                tf, context.eager_mode, text, mode
            )
            print("{} {}\n    {}".format(mode, text, golden))
    recording.write_json(os.path.join(recording.DATA, "expressions.json"), goldens)


if __name__ == "__main__":
    main()
