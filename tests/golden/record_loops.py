"""Records what the programs of `loop_cases` compute, say and call.

Run by a Python that has TensorFlow 1.15:

    python record_loops.py
"""

from __future__ import annotations

import os
import re
import warnings

import loop_cases
import numpy as np
import recording

warnings.filterwarnings("ignore")
RUNS = 2


def _plain(value):
    """A fetched structure as plain data."""
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    value = np.asarray(value)
    if value.dtype.kind in "OS":
        return ["string", np.vectorize(lambda item: item.decode(), otypes="O")(value).tolist()]
    return [str(value.dtype), value.tolist()]


def runs(tf, case):
    """What the runs of a case give: values and calls, or the class and first line of an error."""
    tf.reset_default_graph()
    log = []

    def note(name):
        def call(value):
            log.append([name, value.tolist()])
            return value

        def noted(tensor):
            result = tf.py_func(call, [tensor], tensor.dtype)
            result.set_shape(tensor.shape)
            return result

        return noted

    found = []
    try:
        fetches = case(tf, note)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(RUNS):
                found.append({"values": _plain(session.run(fetches)), "log": list(log)})
                del log[:]
    except tf.errors.OpError as error:
        # TF numbers the arrays of a process.
        text = re.sub(r"(TensorArray\w*)_\d+:", r"\1:", error.message.split("\n")[0])
        found.append({"error": [type(error).__name__, text]})
    return found


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    golden = {}
    for group, cases in loop_cases.CASES.items():
        golden[group] = {name: runs(tf, case) for name, case in cases.items()}
    recording.write_json(os.path.join(recording.DATA, "loops.json.gz"), golden)


if __name__ == "__main__":
    main()
