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


def mistake(tf, case):
    """The exception that a case raises when it is recorded."""
    with cases.switched_on(tf):
        return recording.raised(tf, case)


def failure(tf, case):
    """The exception that a case raises when it is run; values if it raises none."""
    tf.reset_default_graph()
    with cases.switched_on(tf):
        fetches = case(tf)
    try:
        with tf.Session() as session:
            return {"values": recording.describe_value(session.run(fetches))}
    except Exception as error:
        text = recording.error_text(error).split("\n\t [[")[0]
        return {"error": [type(error).__name__, text]}


def eager(tf):
    """What the cases of eager execution give, and what the mistakes raise."""
    values, mistakes = {}, {}
    for name, case in cases.EAGER.items():
        structure = tf.nest.map_structure(lambda x: tf.convert_to_tensor(x).numpy(), case(tf))
        values[name] = recording.describe_value(structure)
    for name, case in cases.EAGER_MISTAKES.items():
        try:
            case(tf)
        except Exception as error:
            mistakes[name] = [type(error).__name__, recording.error_text(error)]
    return {"values": values, "mistakes": mistakes}


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    golden = {
        "programs": {name: program(tf, case) for name, case in cases.PROGRAMS.items()},
        "mistakes": {name: mistake(tf, case) for name, case in cases.MISTAKES.items()},
        "failing": {name: failure(tf, case) for name, case in cases.FAILING.items()},
    }
    from tensorflow.python.eager import context

    with tf.Graph().as_default(), context.eager_mode():
        golden["eager"] = eager(tf)
    recording.write_json(os.path.join(recording.DATA, "flow_v2.json.xz"), golden)


if __name__ == "__main__":
    main()
