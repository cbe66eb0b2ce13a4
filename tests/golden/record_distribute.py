"""Records what the cases of distribute_cases.py say.

Run by a Python that has TensorFlow 1.15:

    python record_distribute.py
"""

from __future__ import annotations

import json
import os

import distribute_cases
import recording


def main():
    import tensorflow as tf

    said = {}
    for name, case in distribute_cases.CASES.items():
        for kind, make in distribute_cases.STRATEGIES.items():
            with tf.Graph().as_default():
                said[name + "-" + kind] = case(tf, make(tf))
    with tf.Graph().as_default():
        said["of_no_strategy"] = distribute_cases.of_no_strategy(tf)
    with tf.Graph().as_default():
        said["of_parameter_servers"] = distribute_cases.of_parameter_servers(tf)
    said["of_all_reduces"] = distribute_cases.of_all_reduces(tf)
    path = os.path.join(recording.DATA, "distribute_cases.json.gz")
    recording.write_json(path, json.loads(json.dumps(said)))


if __name__ == "__main__":
    main()
