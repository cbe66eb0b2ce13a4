"""Calls of eager operations that came before like others: what they are known by, and keep."""

import contextvars
import threading

import numpy as np
import pytest

from tf1compat.core import context, raw_ops
from tf1compat.runtime import quiet


@pytest.fixture
def tf(tensorflow):
    """The `tensorflow` module as after `tf.enable_eager_execution()`."""
    tensorflow.reset_default_graph()
    tensorflow.enable_eager_execution()
    yield tensorflow
    tensorflow.set_random_seed(None)
    context.set_eager_by_default(False)


def test_zeros_of_either_sign_are_told_apart(tf):
    x = tf.constant([1.0])
    for _ in range(2):
        assert np.signbit((x * 0.0).numpy()) == [False]
        assert np.signbit((x * -0.0).numpy()) == [True]


def test_what_an_int_becomes_hangs_on_its_value(tf):
    for _ in range(2):
        assert raw_ops.Identity(3).dtype == tf.int32
        assert raw_ops.Identity(3.0).dtype == tf.float32
        assert raw_ops.Identity(True).dtype == tf.bool
        assert raw_ops.Identity([3]).dtype == tf.int32
        assert raw_ops.Identity([]).dtype == tf.float32
        assert raw_ops.Identity(np.float64(3)).dtype == tf.float64
        assert raw_ops.Identity(np.ones(2, np.int64)).dtype == tf.int64
        assert raw_ops.Identity("3").dtype == tf.string
        assert raw_ops.Identity(2**40).dtype == tf.int64


def test_ones_are_of_the_type_of_what_stands_beside_them(tf):
    for dtype in (tf.float32, tf.int32, tf.int64, tf.float64) * 2:
        result = tf.add(tf.constant([2], dtype), 1)
        assert result.dtype == dtype and result.numpy().tolist() == [3]


def test_lists_are_read_anew(tf):
    a, sizes = tf.constant([1, 2, 3, 4]), [2, 2]
    assert tf.reshape(a, sizes).shape == [2, 2]
    sizes[:] = [4, 1]
    assert tf.reshape(a, sizes).shape == [4, 1]
    parts = [a, a]
    assert tf.concat(parts, 0).shape == [8]
    parts.append(a)
    assert tf.concat(parts, 0).shape == [12]
    assert tf.concat(parts, -1).shape == [12]


def test_an_array_that_changes_is_copied(tf):
    array = np.ones(2, np.float32)
    for value in (1.0, 5.0):
        array[:] = value
        result = tf.constant([0.0, 0.0]) + array
        assert result.numpy().tolist() == [value, value]


def test_attrs_of_other_classes_are_other_attrs(tf):
    a = tf.ones([2, 3])
    assert raw_ops.Sum(a, [0], keep_dims=True).shape == [1, 3]
    with pytest.raises(TypeError, match="Expected bool for argument 'keep_dims' not 1"):
        raw_ops.Sum(a, [0], keep_dims=1)
    assert raw_ops.Cast(a, tf.int32).dtype == tf.int32
    assert raw_ops.Cast(a, DstT=tf.int64).dtype == tf.int64
    x = tf.constant([-1.0])
    for alpha in (0.0, -0.0, 0.5):
        for _ in range(2):
            result = raw_ops.LeakyRelu(x, alpha=alpha).numpy()
            assert result == -alpha and np.signbit(result) == np.signbit(-alpha)


def test_variables_are_read_when_they_are_given(tf):
    v = tf.Variable([1.0, 2.0])
    assert tf.reduce_sum(v, [0]).numpy() == 3.0
    v.assign([5.0, 6.0])
    assert tf.reduce_sum(v, [0]).numpy() == 11.0
    with pytest.raises(tf.errors.NotFoundError, match="Could not find valid device for node"):
        tf.reshape(v, v)


def test_a_tensor_of_a_number_is_where_the_operation_is(tf):
    with tf.device("/cpu:0"):
        assert tf.add(1.0, 2.0).device.endswith("CPU:0")
    assert tf.add(1.0, 2.0).numpy() == 3.0


def test_random_operations_go_on(tf):
    tf.set_random_seed(1)
    first = [tf.random.uniform([2]).numpy().tolist() for _ in range(3)]
    tf.set_random_seed(1)
    assert [tf.random.uniform([2]).numpy().tolist() for _ in range(3)] == first
    assert len({tuple(pair) for pair in first}) == 3
    tf.set_random_seed(1)
    draws = [tf.random.uniform([2], seed=3).numpy().tolist() for _ in range(2)]
    assert draws[0] != draws[1]


def test_quiet_calls():
    """Inside of others, in other threads, and after errors."""
    variable = contextvars.ContextVar("variable", default=0)
    variable.set(1)

    def divided(again):
        inner = quiet.call(divided, False) if again else 0.0
        return np.float32(1) / np.zeros(1, np.float32) + inner

    with np.errstate(all="raise"):
        assert np.isinf(quiet.call(divided, True))
        with pytest.raises(ZeroDivisionError):
            quiet.call(lambda: 1 // 0)
        results = []
        threads = [
            threading.Thread(target=lambda: results.append(quiet.call(divided, True)))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(results) == 8
        with pytest.raises(FloatingPointError):
            divided(False)
    assert quiet.call(variable.get) == 0


def test_what_a_py_function_sees_is_the_callers(tf):
    variable = contextvars.ContextVar("variable", default=0)
    variable.set(7)
    seen = tf.py_function(lambda x: x + variable.get(), [tf.constant(1)], tf.int32)
    assert seen.numpy() == 8
