"""Learning-rate decays, moving averages and optimizers against TensorFlow 1.15."""

from __future__ import annotations

import numpy as np
from case_goldens import CaseGoldens

from tf1compat.core import context

GOLDENS = CaseGoldens("training")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_decays_in_eager_execution(tf):
    """They are functions, which optimizers call at each step."""
    with context.mode(True):
        step = tf.Variable(0, use_resource=True)
        rate = tf.train.exponential_decay(1.0, step, 1, 0.5)
        v = tf.Variable([1.0], use_resource=True)
        optimizer = tf.train.GradientDescentOptimizer(rate)
        for _ in range(3):
            optimizer.minimize(lambda: tf.reduce_sum(v), global_step=step, var_list=[v])
        np.testing.assert_allclose(v.numpy(), [1.0 - 1.0 - 0.5 - 0.25])
        boundaries = tf.train.piecewise_constant(step, [2, 4], [1.0, 2.0, 3.0])
        assert boundaries().numpy() == 2.0


def test_a_schedule_from_its_config(tf):
    schedules = tf.keras.optimizers.schedules
    for schedule in (
        schedules.ExponentialDecay(0.1, 2, 0.5, staircase=True),
        schedules.PiecewiseConstantDecay([1], [1.0, 2.0]),
        schedules.PolynomialDecay(0.1, 2),
        tf.keras.experimental.CosineDecayRestarts(0.1, 3, m_mul=0.5),
        tf.keras.experimental.NoisyLinearCosineDecay(0.1, 3, name="n"),
    ):
        again = type(schedule).from_config(schedule.get_config())
        assert again.get_config() == schedule.get_config()
        assert again(1).op.type == schedule(1).op.type
