"""What Keras has for GPUs: recorded as by TensorFlow 1.15, with the values of `GRU` and `LSTM`."""

from __future__ import annotations

import os

import keras_cases
import keras_gpu_cases as cases
import numpy as np
import pytest
import recording
from test_keras import check_case

GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras_gpu.json.xz"))


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


@pytest.mark.parametrize("kind", ["GRU", "LSTM"])
def test_values(tf, kind):
    # The two kinds of layers have the same weights in different layouts, which files convert.
    from tf1compat.api.keras.saving import hdf5_format

    layers = tf.keras.layers
    settings = {"recurrent_activation": "sigmoid", "return_sequences": True, "return_state": True}
    if kind == "GRU":
        settings["reset_after"] = True
    # No biases after the first step: cuDNN has twice as many, which would learn twice as fast.
    settings["bias_constraint"] = lambda bias: bias * 0
    x = np.random.RandomState(1).randn(3, 5, 2).astype(np.float32)
    i = layers.Input((5, 2))
    plain = getattr(layers, kind)(4, bias_initializer="uniform", **settings)
    fused = getattr(layers, f"CuDNN{kind}")(
        4, return_sequences=True, return_state=True, bias_constraint=settings["bias_constraint"]
    )
    models = [tf.keras.Model(i, plain(i)), tf.keras.Model(i, fused(i))]
    fused.set_weights(
        hdf5_format.preprocess_weights_for_loading(fused, plain.get_weights(), "2.2.4")
    )
    for found, want in zip(models[1].predict(x), models[0].predict(x), strict=True):
        np.testing.assert_allclose(found, want, rtol=2e-5, atol=2e-6)
    for model in models:
        model.compile("sgd", ["mse"] + [None] * (len(model.outputs) - 1))
    losses = [model.fit(x, np.ones((3, 5, 4)), epochs=3, verbose=0).history for model in models]
    np.testing.assert_allclose(losses[1]["loss"], losses[0]["loss"], rtol=1e-5)
    simple = type(fused)(4, stateful=True, time_major=True, kernel_regularizer="l1")
    copy = type(fused).from_config(simple.get_config())
    assert copy.get_config() == simple.get_config()
