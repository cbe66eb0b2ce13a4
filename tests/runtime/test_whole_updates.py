"""Updates of whole variables in a run that may fail: a branch that such a run does not take."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tf1compat.runtime import tiers

SIDE = 400
OPTIMIZERS = {
    "GradientDescent": lambda tf: tf.train.GradientDescentOptimizer(0.1),
    "Momentum": lambda tf: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    # Where gradients are nothing but rounding, it would make steps of them.
    "Adam": lambda tf: tf.train.AdamOptimizer(0.1, epsilon=0.1),
    "RMSProp": lambda tf: tf.train.RMSPropOptimizer(0.1, epsilon=0.1, centered=True),
}


class _Net:
    """A layer whose labels may be bad, and a second update of its bias."""

    def __init__(self, tf: Any, optimizer: str, resource: bool):
        draw = np.random.RandomState(0)
        self.x = draw.randn(8, SIDE).astype(np.float32)
        self.labels = tf.placeholder(tf.int32, [8])
        weights = draw.randn(SIDE, SIDE).astype(np.float32) / SIDE
        w = tf.Variable(weights, use_resource=resource)
        self.b = tf.Variable(np.zeros(SIDE, np.float32), use_resource=resource)
        logits = tf.matmul(self.x, w) + self.b
        self.loss = tf.losses.sparse_softmax_cross_entropy(self.labels, logits)
        self.train = OPTIMIZERS[optimizer](tf).minimize(self.loss)


@pytest.mark.parametrize(
    ("optimizer", "resource"), [(name, i % 2 == 1) for i, name in enumerate(OPTIMIZERS)]
)
def test_a_run_that_fails_changes_nothing(tf, programs, optimizer, resource):
    net = _Net(tf, optimizer, resource)
    with tf.control_dependencies([net.train]):
        seen = tf.identity(net.b.read_value())  # What reads an update has it made before.
    good, bad = np.arange(8), np.arange(8) + SIDE - 7

    def run(tier: str, also_failing: bool) -> list[Any]:
        found = []
        with tiers.tier(tier), tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for fetch in (net.train, [net.train, seen]) * 2:
                if also_failing:
                    before = session.run(tf.global_variables())
                    with pytest.raises(tf.errors.InvalidArgumentError, match="label value of 400"):
                        session.run(fetch, {net.labels: bad})
                    for one, other in zip(before, session.run(tf.global_variables()), strict=True):
                        np.testing.assert_array_equal(one, other)
                session.run([fetch, net.loss], {net.labels: good})
                found += session.run(tf.global_variables())
        return found

    wanted = run(tiers.HOST, also_failing=False)
    programs.clear()
    found = run(tiers.XLA, also_failing=True)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-5)
    for program in programs:
        text = program.as_text()
        if re.search(r"donor|alias", text.split("\n")[0]) and " dot(" in text:
            # The gradient is all that is as large as the weights.
            assert program.memory_analysis().temp_size_in_bytes < 1.5 * 4 * SIDE * SIDE


def test_an_update_of_what_was_updated(tf):
    """In one run, the second sees what the first made, and both are given up if the run fails."""
    w = tf.Variable(np.ones([SIDE, SIDE], np.float32))
    ok = tf.placeholder(tf.bool, [])
    with tf.control_dependencies([tf.Assert(ok, ["no"])]):
        grad = tf.ones_like(w)
    descent = tf.train.GradientDescentOptimizer(0.25)
    first = descent.apply_gradients([(grad, w)])
    with tf.control_dependencies([first]):
        second = descent.apply_gradients([(2 * grad, w)])
    with tiers.tier(tiers.XLA), tf.Session() as session:
        session.run(w.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="no"):
            session.run(second, {ok: False})
        session.run(second, {ok: True})
        np.testing.assert_array_equal(session.run(w), np.full([SIDE, SIDE], 0.25))
