"""tf.function and Defun are recorded as TF 1.15 records them."""

import function_cases as cases
import numpy as np
import pytest
from gradient_goldens import check_graph, check_mistake, check_run


@pytest.mark.parametrize("name", cases.GRAPHS["function"])
def test_graph(tf, name):
    check_graph(tf, "function", name, cases.GRAPHS["function"][name])


@pytest.mark.parametrize("name", cases.MISTAKES["function"])
def test_mistake(tf, name):
    check_mistake(tf, "function", name, cases.MISTAKES["function"][name])


@pytest.mark.parametrize("name", cases.RUNS["function"])
def test_run(tf, name):
    check_run(tf, "function", name, cases.RUNS["function"][name])


def test_recorded_once_for_arguments_alike(tf):
    traced = []

    @tf.function
    def f(x, n):
        traced.append((x.shape.as_list(), n))
        return x * n

    for shape, n in (([2], 2.0), ([2], 2.0), ([3], 2.0), ([2], 3.0), ([2], 2.0)):
        f(tf.ones(shape), n)
    assert traced == [([2], 2.0), ([3], 2.0), ([2], 3.0)]


def test_variables_are_created_once(tf):
    @tf.function
    def f(x):
        return x * tf.Variable(1.0)

    with pytest.raises(ValueError, match="tried to create variables on non-first call"):
        f(tf.constant(1.0))


def test_effects_of_a_call_happen_in_program_order(tf):
    v = tf.Variable(1.0, use_resource=True)

    @tf.function
    def f(x):
        v.assign_add(x)
        before = v.read_value()
        v.assign(before * 10.0)
        return before, v.read_value()

    results = f(tf.constant(2.0))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(results) == (3.0, 30.0)
        assert session.run(v) == 30.0


def test_run_functions_eagerly_calls_the_python_function(tf):
    @tf.function
    def f(x):
        return tf.sin(x)

    tf.config.experimental_run_functions_eagerly(True)
    try:
        assert f(tf.constant(1.0)).op.type == "Sin"
    finally:
        tf.config.experimental_run_functions_eagerly(False)
    assert f(tf.constant(1.0)).op.type == "PartitionedCall"


def test_one_of_two_calls_differentiated(tf):
    @tf.function
    def f(x):
        return tf.sin(x) * x

    x = tf.constant([0.5, 1.0])
    y, z = f(x), f(2.0 * x)
    (g,) = tf.gradients(y, x)
    with tf.Session() as session:
        found = session.run([y, z, g])
    a = np.array([0.5, 1.0])
    expected = [np.sin(a) * a, np.sin(2 * a) * 2 * a, np.cos(a) * a + np.sin(a)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
