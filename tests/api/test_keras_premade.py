"""Models that Keras has ready made, and TF 2's batch normalization, against TensorFlow 1.15."""

from __future__ import annotations

import os

import keras_cases
import keras_premade_cases as cases
import numpy as np
import pytest
import recording
from test_keras import check_case

from tf1compat.api.eager import context

GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras_premade.json.xz"))


@pytest.mark.parametrize("name", cases.NETS)
def test_net(tf, name):
    expected = GOLDEN["nets"][name]
    check_case(tf, expected, cases.NETS[name])
    graph = keras_cases.described_graph(tf)
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference


@pytest.mark.parametrize("name", cases.MISTAKES)
def test_mistake(tf, name):
    assert recording.raised(tf, cases.MISTAKES[name]) == GOLDEN["mistakes"][name]


def test_eager_steps_are_those_of_graphs(tf):
    a, b, y = cases._data()

    def trained():
        tf.keras.backend.clear_session()
        model = cases._wide_deep(tf)
        model.dnn_model.layers[0].set_weights([np.ones((2, 1), "f"), np.zeros(1, "f")])
        model.compile([tf.keras.optimizers.SGD(0.1), tf.keras.optimizers.Adam(0.1)], "mse")
        model.train_on_batch([a, b], y)
        return model.get_weights()

    in_graph = trained()
    with context.eager_mode():
        for expected, found in zip(in_graph, trained(), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
