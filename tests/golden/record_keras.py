"""Records the goldens of tf.keras.

Run by a Python that has TensorFlow 1.15:

    python record_keras.py
"""

from __future__ import annotations

import os
import warnings

import keras_cases
import keras_distribute_cases
import keras_gpu_cases
import keras_layer_cases
import keras_package_cases
import keras_premade_cases
import keras_wrapper_cases
import recording

warnings.filterwarnings("ignore")


def describe(tf, case, with_graph):
    """Runs one case; returns its graph, values and what it says."""
    report = keras_cases.run(tf, case)
    values = {key: recording.describe_value(value) for key, value in report.values.items()}
    described = {"said": report.said, "values": values}
    if with_graph:
        described["graph"] = keras_cases.described_graph(tf)
    return described


def record(tf, cases, path):
    golden = {
        "nets": {name: describe(tf, case, True) for name, case in cases.NETS.items()},
        "calls": {name: describe(tf, case, False) for name, case in cases.CALLS.items()},
        "mistakes": {name: recording.raised(tf, case) for name, case in cases.MISTAKES.items()},
    }
    missing = [name for name, error in golden["mistakes"].items() if not error]
    assert not missing, missing
    recording.write_json(os.path.join(recording.DATA, path), golden)


def main():
    import tensorflow as tf

    record(tf, keras_cases, "keras.json.xz")
    record(tf, keras_gpu_cases, "keras_gpu.json.xz")
    record(tf, keras_distribute_cases, "keras_distribute.json.xz")
    record(tf, keras_layer_cases, "keras_layers.json.xz")
    record(tf, keras_package_cases, "keras_packages.json.xz")
    record(tf, keras_wrapper_cases, "keras_wrappers.json.xz")
    record(tf, keras_premade_cases, "keras_premade.json.xz")


if __name__ == "__main__":
    main()
