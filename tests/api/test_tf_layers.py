"""tf.layers, and the functions that layers are made of, against TensorFlow 1.15."""

from __future__ import annotations

import copy

import layer_cases
import numpy as np
import pytest
from layer_goldens import check_case, check_mistake


@pytest.mark.parametrize("name", layer_cases.GRAPHS["layers"])
def test_case(tf, name):
    check_case(tf, "layers", name)


@pytest.mark.parametrize("name", layer_cases.MISTAKES["layers"])
def test_mistake(tf, name):
    check_mistake(tf, "layers", name)


def test_a_copied_layer_shares_its_variables(tf):
    layer = tf.layers.Dense(3, name="d")
    layer(tf.ones([2, 2]))
    other = copy.deepcopy(layer)
    assert other is not layer
    assert other.kernel is layer.kernel
    assert other.scope_name == "d"
    other(tf.ones([2, 2]))
    assert len(tf.global_variables()) == 2


def test_weights_can_be_set(tf):
    layer = tf.layers.Dense(2)
    layer(tf.ones([1, 2]))
    kernel = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    with tf.Session():
        layer.set_weights([kernel, np.zeros(2)])
        found, bias = layer.get_weights()
    np.testing.assert_array_equal(found, kernel)
    np.testing.assert_array_equal(bias, [0, 0])
    with pytest.raises(ValueError, match=r"weight list of length 1, but the layer was expecting 2"):
        layer.set_weights([kernel])
    with pytest.raises(ValueError, match=r"Layer weight shape \(2,\) not compatible"):
        layer.set_weights([kernel, np.zeros(3)])


def test_an_input_that_is_an_array(tf):
    y = tf.layers.dense(np.ones([2, 3]), 4)
    assert y.dtype == tf.float64
    assert y.shape.as_list() == [2, 4]


def test_the_learning_phase(tf):
    backend = tf.keras.backend
    with backend.learning_phase_scope(1):
        assert backend.learning_phase() == 1
        assert backend.in_train_phase("train", "test") == "train"
    phase = backend.learning_phase()
    assert phase.op.type == "PlaceholderWithDefault"
    assert phase.name == "keras_learning_phase:0"
    backend.set_learning_phase(0)
    assert backend.in_train_phase("train", lambda: "test") == "test"


def test_values_of_variables(tf):
    backend = tf.keras.backend
    v = backend.variable([1.0, 2.0])
    assert backend.get_value(v * 2.0).tolist() == [2.0, 4.0]
    backend.set_value(v, [3.0, 4.0])
    assert backend.eval(v).tolist() == [3.0, 4.0]
    backend.clear_session()


def test_what_is_not_there_says_so(tf):
    with pytest.raises(AttributeError, match=r"tf.lite[.\w]* is not supported by"):
        _ = tf.lite.Interpreter
