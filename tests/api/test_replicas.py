"""Computations that are compiled as a whole, or for replicas, against TensorFlow 1.15."""

from __future__ import annotations

import numpy as np
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("replica")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_one_replica_runs(tf):
    def step(x):
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        with tf.device(tf.tpu.core(0)):
            total = tf.reduce_sum(tf.tpu.cross_replica_sum(x) * v)
            optimizer = tf.tpu.CrossShardOptimizer(tf.train.GradientDescentOptimizer(0.1))
        doubled = tf.contrib.tpu.repeat(3, lambda y: [y * 2.0], [x])[0]
        return v + x, tf.tpu.outside_compilation(tf.square, x), doubled, optimizer.minimize(total)

    outputs = tf.tpu.rewrite(step, [tf.constant([1.0, 2.0])])
    joined = tf.tpu.batch_parallel(lambda x: x + 1.0, [tf.ones([4])])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first, second = session.run(outputs), session.run(outputs)
        np.testing.assert_array_equal(session.run(joined), [[2, 2, 2, 2]])
    np.testing.assert_allclose(first[0], [2, 4])
    np.testing.assert_allclose(second[0], [1.9, 3.8])
    np.testing.assert_array_equal(first[1:], [[1, 4], [8, 16]])
