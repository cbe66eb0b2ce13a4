"""tf.gradients records what TF 1.15 records, refuses what it refuses, computes what it computes."""

import gradient_cases as cases
import numpy as np
import pytest
from gradient_goldens import check_graph, check_mistake, check_run

from tf1compat.core import options


@pytest.mark.parametrize("name", cases.GRAPHS["gradients"])
def test_graph(tf, name):
    check_graph(tf, "gradients", name, cases.GRAPHS["gradients"][name])


@pytest.mark.parametrize("name", cases.MISTAKES["gradients"])
def test_mistake(tf, name):
    check_mistake(tf, "gradients", name, cases.MISTAKES["gradients"][name])


@pytest.mark.parametrize("name", cases.RUNS["gradients"])
def test_run(tf, name):
    check_run(tf, "gradients", name, cases.RUNS["gradients"][name])


def test_registering_twice_says_where_the_first_is(tf):
    tf.RegisterGradient("TestRegisteredTwice")(lambda op, grad: grad)
    with pytest.raises(KeyError, match="Registering two gradient with name 'TestRegisteredTwice'!"):
        tf.RegisterGradient("TestRegisteredTwice")(lambda op, grad: grad)
    with pytest.raises(KeyError, match="Previous registration was in .*test_gradients.py:"):
        tf.NotDifferentiable("TestRegisteredTwice")


def test_registering_a_gradient_that_tf_has_is_refused(tf):
    for op_type in ("Mul", "Floor", "Conv2D"):
        with pytest.raises(KeyError, match=f"Registering two gradient with name '{op_type}'!"):
            tf.RegisterGradient(op_type)(lambda op, grad: grad)


def test_dense_conversion_of_unknown_size_warns(tf):
    values, indices = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int32, [None])
    shape = tf.placeholder(tf.int32, [2])
    with pytest.warns(UserWarning, match="to a dense Tensor of unknown shape. This may consume"):
        tf.convert_to_tensor(tf.IndexedSlices(values, indices, shape))
    with pytest.warns(UserWarning, match="to a dense Tensor with 200000000 elements"):
        slices = tf.IndexedSlices(values, indices, tf.constant([100_000_000, 2]))
        tf.convert_to_tensor(slices)


def test_large_dense_conversion_below_the_limit_is_silent(tf, recwarn):
    values, indices = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int32, [None])
    tf.convert_to_tensor(tf.IndexedSlices(values, indices, tf.constant([1000, 2])))
    assert not recwarn.list


def test_integer_gradients_as_before_tf_1_8(tf, monkeypatch):
    n = tf.placeholder(tf.int32, [2])
    y = n * n
    assert tf.gradients(y, n) == [None]
    monkeypatch.setattr(options, "integer_gradients", True)
    (gradient,) = tf.gradients(y, n)
    assert gradient.dtype is tf.int32
    with tf.Session() as session:
        assert session.run(gradient, {n: [3, 4]}).tolist() == [6, 8]


def test_hessian_vector_product(tf):
    from tf1compat.api.gradients.gradients_impl import _hessian_vector_product

    matrix = np.array([[2.0, 1.0], [0.0, 3.0]], np.float32)
    x = tf.constant([[0.5], [1.5]])
    y = 0.5 * tf.reduce_sum(x * tf.matmul(matrix, x))
    (product,) = _hessian_vector_product(y, [x], [tf.constant([[1.0], [2.0]])])
    expected = (matrix + matrix.T) / 2 @ [[1.0], [2.0]]
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(product), expected, rtol=1e-6)
    with pytest.raises(ValueError, match="xs and v must have the same length."):
        _hessian_vector_product(y, [x], [])
