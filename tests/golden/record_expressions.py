"""Records what the expressions give. Run by a Python that has the real TensorFlow 1.15:

python record_expressions.py [table …]
"""

from __future__ import annotations

import os
import sys

import expression_cases
import recording


def main():
    import tensorflow as tf
    from tensorflow.python.eager import context

    tf.logging.set_verbosity(tf.logging.FATAL)
    wanted = sys.argv[1:] or list(expression_cases.TABLES)
    for table in wanted:
        cases = expression_cases.TABLES[table]
        assert len(set(cases)) == len(cases), "a case is there twice"
        goldens = {}
        for text in cases:
            for mode in expression_cases.MODES:
                golden = goldens["{} {}".format(mode, text)] = expression_cases.run(
                    tf, context.eager_mode, text, mode
                )
                print("{} {}\n    {}".format(mode, text, golden))
        recording.write_json(os.path.join(recording.DATA, table + ".json"), goldens)


if __name__ == "__main__":
    main()
