"""Records digests of the graphs of `slim_net_cases.py`, and values.

Run by a Python that has TensorFlow 1.15: python record_slim_nets.py
"""

from __future__ import annotations

import hashlib
import json
import os

import recording
import slim_net_cases

PATH = os.path.join(recording.DATA, "slim_nets.json")


def digest(part):
    """A short digest of plain data."""
    return hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:16]


def describe(tf, build):
    """The number of nodes, digests of every hundred of them and of what else there is."""
    tf.reset_default_graph()
    net, end_points = build(tf)
    graph = recording.describe_graph(tf.get_default_graph())
    nodes = graph["nodes"]
    return {
        "nodes": len(nodes),
        "hundreds": [digest(nodes[i : i + 100]) for i in range(0, len(nodes), 100)],
        "shapes": digest(graph["shapes"]),
        "collections": digest(graph["collections"]),
        "end_points": digest([str(net), *[[key, str(end_points[key])] for key in end_points]]),
    }


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {
        "nets": {name: describe(tf, build) for name, build in slim_net_cases.NETS.items()},
        "values": {
            name: recording.describe_value(slim_net_cases.fetch(tf, build))
            for name, build in slim_net_cases.VALUES.items()
        },
        "mistakes": {
            name: recording.raised(tf, case) for name, case in slim_net_cases.MISTAKES.items()
        },
    }
    assert all(golden["mistakes"].values()), golden["mistakes"]
    recording.write_json(PATH, golden)


if __name__ == "__main__":
    main()
