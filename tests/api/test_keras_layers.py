"""What layers of tf.keras say of themselves, against TensorFlow 1.15."""

from __future__ import annotations

import os

import keras_cases
import keras_layer_cases as cases
import numpy as np
import pytest
import recording

from tf1compat.api.eager import context
from tf1compat.core import tf2

GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras_layers.json.xz"))


@pytest.mark.parametrize("name", cases.CALLS)
def test_call(tf, name):
    expected = GOLDEN["calls"][name]
    report = keras_cases.run(tf, cases.CALLS[name])
    assert report.said == expected["said"]
    assert set(report.values) == set(expected["values"])
    for key, want in expected["values"].items():
        found = recording.describe_value(report.values[key])
        assert recording.value_difference(want, found, 2e-5, key) is None


def test_effects_are_in_order_in_the_graph_of_eager_execution(tf):
    class Counting(tf.keras.layers.Layer):
        def build(self, input_shape):
            self.calls = self.add_weight("calls", (), initializer="zeros", trainable=False)

        def call(self, inputs):
            self.calls.assign_add(1.0)
            return inputs * self.calls

    with context.eager_mode():
        x = tf.keras.layers.Input((2,))
        y = Counting(name="counting")(x)
        assert y.name == "counting/Identity:0"  # As TF 1.15 says.
        function = tf.keras.backend.function([x], [y])
        assert [function([np.ones((1, 2))])[0].tolist() for _ in range(2)] == [[[1, 1]], [[2, 2]]]


def test_initial_weights_in_eager_execution(tf):
    with context.eager_mode():
        layer = tf.keras.layers.Dense(1, weights=[np.full((2, 1), 3.0), np.ones(1)])
        layer(tf.keras.layers.Input((2,)))
        assert [w.tolist() for w in layer.get_weights()] == [[[3], [3]], [1]]


def test_initializers_where_tf_2_is_on(tf, monkeypatch):
    monkeypatch.setattr(tf2, "enabled", lambda: True)
    get = tf.keras.initializers.get
    assert get("zeros").get_config() == {}
    assert get("uniform").get_config() == {"minval": -0.05, "maxval": 0.05, "seed": None}
    assert tf.keras.layers.Dense(1).get_config()["kernel_initializer"]["config"] == {"seed": None}
