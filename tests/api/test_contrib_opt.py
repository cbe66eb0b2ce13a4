"""tf.contrib.opt against TensorFlow 1.15."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("contrib_opt")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


WORKERS = CaseGoldens("contrib_opt_worker")


@WORKERS.cases()
def test_worker(tf, group, name):
    WORKERS.check_case(tf, group, name, rtol=1e-4)


@WORKERS.mistakes()
def test_mistake_of_a_worker(tf, group, name):
    WORKERS.check_mistake(tf, group, name)


# ---- SciPy ----------


def _minimized(tf, loss, fetches, feed_dict=None, **kwargs):
    optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, **kwargs)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        optimizer.minimize(session, feed_dict=feed_dict)
        return session.run(fetches)


METHODS = ["L-BFGS-B", "CG", "BFGS", "TNC", "SLSQP", "Newton-CG"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore:.*disp.*:DeprecationWarning")
def test_a_method(tf, method):
    x = tf.get_variable("x", initializer=np.array([7.0, -3.0]))
    y = tf.get_variable("y", initializer=np.array([[0.5]]))
    target = tf.placeholder(tf.float64, [2])
    loss = tf.reduce_sum((x - target) ** 2 * [1.0, 3.0]) + tf.reduce_sum(tf.exp(y) - y)
    found = _minimized(tf, loss, [x, y], {target: [1.0, 2.0]}, method=method)
    np.testing.assert_allclose(found[0], [1.0, 2.0], atol=1e-4)
    np.testing.assert_allclose(found[1], [[0.0]], atol=1e-3)


def test_bounds(tf):
    x = tf.get_variable("x", initializer=[7.0, 7.0])
    y = tf.get_variable("y", initializer=3.0)
    loss = tf.reduce_sum(tf.square(x)) + tf.square(y - 2.0)
    found = _minimized(tf, loss, [x, y], var_to_bounds={x: ([1, 2], np.inf)})
    np.testing.assert_allclose(found[0], [1.0, 2.0], rtol=1e-6)
    np.testing.assert_allclose(found[1], 2.0, rtol=1e-5)


def test_constraints(tf):
    x = tf.get_variable("x", initializer=[7.0, 7.0])
    found = _minimized(
        tf,
        tf.reduce_sum(tf.square(x)),
        x,
        equalities=[x[1] - 2.0],
        inequalities=[x[0] - 1.0],
        method="SLSQP",
    )
    np.testing.assert_allclose(found, [1.0, 2.0], rtol=1e-5)


def test_callbacks_and_fetches(tf):
    x = tf.get_variable("x", initializer=[3.0])
    twice = 2.0 * x
    loss = tf.reduce_sum(x * x)
    losses, steps = [], []
    optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, options={"maxiter": 10})
    with tf.Session() as session:
        session.run(x.initializer)
        optimizer.minimize(
            fetches=[loss, twice],
            loss_callback=lambda *values: losses.append(values),
            step_callback=lambda xk: steps.append(xk.copy()),
        )
        assert session.run(loss) < 1e-8
    assert losses[0][0] == 9.0
    assert losses[0][1] == [6.0]
    assert len(steps) >= 1


def test_what_is_not_trained_stays(tf):
    x = tf.get_variable("x", initializer=[3.0])
    y = tf.get_variable("y", initializer=[5.0])
    found = _minimized(tf, tf.reduce_sum((x - y) ** 2), [x, y], var_list=[x])
    np.testing.assert_allclose(found, [[5.0], [5.0]], rtol=1e-5)


def test_the_result_is_logged(tf, caplog):
    x = tf.get_variable("x", initializer=[3.0])
    tf.logging.set_verbosity(tf.logging.INFO)
    _minimized(tf, tf.reduce_sum(x * x), x)
    assert "Optimization terminated with:\n  Message: " in caplog.text
    assert "  Number of iterations: " in caplog.text


def test_without_scipy(tf, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    x = tf.get_variable("x", initializer=[3.0])
    with pytest.raises(ImportError, match="pip install scipy"):
        _minimized(tf, tf.reduce_sum(x * x), x)


def test_an_optimizer_of_ones_own(tf):
    class Halving(tf.contrib.opt.ExternalOptimizerInterface):
        def _minimize(self, initial_val, loss_grad_func, optimizer_kwargs, **kwargs):
            x = initial_val
            for _ in range(optimizer_kwargs["steps"]):
                _, gradient = loss_grad_func(x)
                x = x - 0.25 * gradient
            return x

    v = tf.get_variable("v", initializer=[[8.0, 4.0]])
    optimizer = Halving(tf.reduce_sum(v * v), steps=2)
    with tf.Session() as session:
        session.run(v.initializer)
        optimizer.minimize(session)
        np.testing.assert_array_equal(session.run(v), [[2.0, 1.0]])
