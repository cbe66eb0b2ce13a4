"""Records what tf.import_graph_def makes of the cases in import_cases.py, and their GraphDefs.

Run by a Python that has TensorFlow 1.15:

    python record_import.py
"""

from __future__ import annotations

import base64
import os
import warnings

import import_cases
import recording

warnings.filterwarnings("ignore")


def program(tf, build):
    """A program's GraphDef and values, and the graph that its import gives."""
    tf.reset_default_graph()
    feeds, fetches = build(tf)
    with tf.Session() as session:
        values = session.run(fetches, feeds)
    graph_def = tf.get_default_graph().as_graph_def()
    tf.reset_default_graph()
    tf.import_graph_def(graph_def, name="")
    return {
        "graph_def": base64.b64encode(graph_def.SerializeToString()).decode(),
        "graph": recording.describe_graph(tf.get_default_graph()),
        "feeds": {name: recording.describe_value(value) for name, value in feeds.items()},
        "values": [recording.describe_value(value) for value in values],
    }


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {
        "texts": {
            name: import_cases.outcome(tf, text, arguments)
            for name, (text, arguments) in import_cases.TEXTS.items()
        },
        "scopes": {
            name: import_cases.outcome(tf, import_cases.SCOPED_TEXT, {}, scope)
            for name, scope in import_cases.SCOPES.items()
        },
        "programs": {name: program(tf, build) for name, build in import_cases.PROGRAMS.items()},
    }
    recording.write_json(os.path.join(recording.DATA, "import.json.gz"), golden)


if __name__ == "__main__":
    main()
