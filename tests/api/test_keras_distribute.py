"""Keras models in distribution strategies against TensorFlow 1.15."""

from __future__ import annotations

import os

import keras_cases
import keras_distribute_cases as cases
import pytest
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras_distribute.json.xz"))


@pytest.mark.parametrize("name", cases.CALLS)
def test_call(tf, name):
    expected = GOLDEN["calls"][name]
    report = keras_cases.run(tf, cases.CALLS[name])
    assert report.said == expected["said"]
    assert set(report.values) == set(expected["values"])
    for key, want in expected["values"].items():
        found = recording.describe_value(report.values[key])
        difference = recording.value_difference(want, found, 2e-4, key)
        assert difference is None, difference


@pytest.mark.parametrize("name", cases.MISTAKES)
def test_mistake(tf, name):
    assert recording.raised(tf, cases.MISTAKES[name]) == GOLDEN["mistakes"][name]


@pytest.mark.parametrize("method", ["train_on_batch", "test_on_batch", "predict_on_batch"])
def test_batches_of_a_caller_are_refused(tf, method):
    with tf.Graph().as_default():
        strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        with strategy.scope():
            model = cases._mlp(tf)
            model.compile("sgd", "mse")
            with pytest.raises(NotImplementedError, match=f"`{method}` is not supported"):
                getattr(model, method)(cases.X)


def test_a_model_from_outside_is_refused(tf):
    with tf.Graph().as_default():
        model = cases._mlp(tf)
        strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        text = "was not created in the distribution strategy scope"
        with strategy.scope(), pytest.raises(ValueError, match=text):
            model.compile("sgd", "mse")
