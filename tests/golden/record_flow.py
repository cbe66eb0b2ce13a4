"""Records what the programs of `flow_cases` compute.

Run by a Python that has TensorFlow 1.15:

    python record_flow.py
"""

from __future__ import annotations

import os
import re
import warnings

import flow_cases
import recording

warnings.filterwarnings("ignore")


def plain(value):
    """A fetched structure as plain data."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return [str(value.dtype), value.tolist()]


def runs(tf, case):
    """What each run of a case gives: values, or the class and the first line of an error."""
    tf.reset_default_graph()
    fetches, feeds = case(tf)
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for feed in feeds:
            try:
                found.append({"values": plain(session.run(fetches, feed))})
            except tf.errors.OpError as error:
                # TF numbers the arrays of a process.
                text = re.sub(r"(TensorArray\w*)_\d+:", r"\1:", error.message.split("\n")[0])
                found.append({"error": [type(error).__name__, text]})
    return found


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    golden = {}
    for group, cases in flow_cases.CASES.items():
        golden[group] = {name: runs(tf, case) for name, case in cases.items()}
    recording.write_json(os.path.join(recording.DATA, "flow.json.gz"), golden)


if __name__ == "__main__":
    main()
