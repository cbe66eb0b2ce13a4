"""tf.custom_gradient and Python functions as ops are recorded as TF 1.15 records them."""

import gradient_cases as cases
import numpy as np
import pytest
from gradient_goldens import check_graph, check_mistake, check_run


@pytest.mark.parametrize("name", cases.GRAPHS["custom_gradient"])
def test_graph(tf, name):
    check_graph(tf, "custom_gradient", name, cases.GRAPHS["custom_gradient"][name])


@pytest.mark.parametrize("name", cases.MISTAKES["custom_gradient"])
def test_mistake(tf, name):
    check_mistake(tf, "custom_gradient", name, cases.MISTAKES["custom_gradient"][name])


@pytest.mark.parametrize("name", cases.RUNS["custom_gradient"])
def test_run(tf, name):
    check_run(tf, "custom_gradient", name, cases.RUNS["custom_gradient"][name])


def test_variables_come_in_the_order_of_their_use(tf):
    given = []

    @tf.custom_gradient
    def f(x):
        for name in "bca":
            x = x * tf.get_variable(name, [2], use_resource=True)

        def grad(dy, variables=None):
            given.extend(variable.name for variable in variables)
            return dy, [dy * float(i) for i, _ in enumerate(variables)]

        return x, grad

    x = tf.ones([2])
    y = f(x)
    found = tf.gradients(y, tf.trainable_variables())
    assert given == ["b:0", "c:0", "a:0"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(found), [[0, 0], [1, 1], [2, 2]])


def test_script_result_of_the_wrong_type_is_refused(tf):
    y = tf.py_func(lambda x: np.float64(1.0), [1.0], tf.float32)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(y)
    assert "0-th value returned by pyfunc_" in str(caught.value)
    assert "is double, but expects float" in str(caught.value)


def test_script_error_keeps_its_class(tf):
    def fail(x):
        raise ValueError("out of luck")

    y = tf.py_func(fail, [1.0], tf.float32)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(y)
    assert "ValueError: out of luck" in str(caught.value)


def test_script_runs_once_per_run(tf):
    calls = []
    y = tf.py_func(lambda x: (calls.append(1), x)[1], [1.0], tf.float32)
    with tf.Session() as session:
        session.run([y, y * 2.0])
        session.run(y)
    assert len(calls) == 2
