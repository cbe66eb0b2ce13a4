"""Records what the programs of `flow_v2_cases` record, compute and refuse.

Run by a Python that has TensorFlow 1.15:

    python record_flow_v2.py
"""

from __future__ import annotations

import os
import warnings

import flow_v2_cases as cases
import recording

warnings.filterwarnings("ignore")


def program(tf, case):
    """The graph of a case, and what each of its runs gives."""
    tf.reset_default_graph()
    with cases.switched_on(tf):
        fetches, feeds = case(tf)
        found = {"graph": cases.describe(tf.get_default_graph()), "runs": []}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for feed in feeds:
            try:
                values = recording.describe_value(session.run(fetches, feed))
                found["runs"].append({"values": values})
            except tf.errors.OpError as error:
                text = recording.error_text(error).split("\n\t [[")[0]
                found["runs"].append({"error": [type(error).__name__, text]})
    return found


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    golden = {"programs": {name: program(tf, case) for name, case in cases.PROGRAMS.items()}}
    recording.write_json(os.path.join(recording.DATA, "flow_v2.json.xz"), golden)


if __name__ == "__main__":
    main()
