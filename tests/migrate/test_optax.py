"""The tables of the guide's page on optimizers: each TF expression beside its Optax one."""

from __future__ import annotations

import re
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

optax = pytest.importorskip("optax")

PAGE = (Path(__file__).parents[2] / "migration_guide" / "optimizers.md").read_text()
# Rows whose first two cells are expressions; schedules are functions of `step`.
ROWS = re.findall(r"^\| `(tf\.[^`]*)` \| `([^`]*)` \|", PAGE, re.MULTILINE)
STEPS = 30

_random = np.random.RandomState(0)
INPUTS = _random.normal(size=(16, 3)).astype(np.float32)
WEIGHTS = _random.normal(size=(3, 2)).astype(np.float32)


def walk_of_tf(tf, expression: str) -> np.ndarray:
    """The weights after each step."""
    with tf.Graph().as_default(), tf.Session() as session:
        weights = tf.Variable(WEIGHTS)
        step = tf.train.get_or_create_global_step()
        optimizer = eval(expression, {"tf": tf, "step": step})
        if not hasattr(optimizer, "minimize"):
            optimizer = tf.train.GradientDescentOptimizer(optimizer)
        loss = tf.reduce_mean(tf.square(tf.tanh(INPUTS @ weights) - 0.3))
        train = optimizer.minimize(loss, step)
        session.run(tf.global_variables_initializer())
        return np.array([session.run([train, weights.read_value()])[1:] for _ in range(STEPS)])


def walk_of_optax(expression: str) -> np.ndarray:
    found = eval(expression, {"optax": optax, "jnp": jnp})
    transformation = found if hasattr(found, "update") else optax.sgd(found)
    gradient = jax.grad(lambda w: jnp.mean(jnp.square(jnp.tanh(INPUTS @ w) - 0.3)))
    weights = jnp.asarray(WEIGHTS)
    state = transformation.init(weights)
    seen = []
    for _ in range(STEPS):
        seen.append([weights])
        updates, state = transformation.update(gradient(weights), state, weights)
        weights = optax.apply_updates(weights, updates)
    return np.array([*seen[1:], [weights]])


def test_the_tables_are_read():
    assert len(ROWS) >= 18


@pytest.mark.parametrize(("tf1", "in_optax"), ROWS, ids=[row[0] for row in ROWS])
def test_optax_walks_as_tensorflow(tf, tf1, in_optax):
    expected = walk_of_tf(tf, tf1)
    assert not np.allclose(expected[0], expected[-1], atol=1e-3), "nothing moved"
    np.testing.assert_allclose(walk_of_optax(in_optax), expected, rtol=2e-5, atol=1e-5)
