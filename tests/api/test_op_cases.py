"""Op types that are only imported, or live on between runs, against TensorFlow 1.15."""

from __future__ import annotations

import numpy as np
import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("op")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_batch_function(tf):
    w = tf.constant([[1.0], [2.0]])

    @tf.nondifferentiable_batch_function(1, 10, 1000, [4, 10])
    def product(x, y):
        return tf.matmul(x, w) + y, y * 2.0

    x = tf.placeholder(tf.float32, [None, 2])
    found = product(x, tf.ones([3, 1]))
    # As TensorFlow records it.
    assert [t.name for t in found] == ["batch/BatchFunction:0", "batch/BatchFunction:1"]
    assert [t.name for t in found[0].op.inputs] == ["Placeholder:0", "ones:0", "Const:0"]
    with tf.Session() as session:
        values = session.run(found, {x: [[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]]})
    np.testing.assert_array_equal(values[0], [[6.0], [12.0], [1.0]])
    np.testing.assert_array_equal(values[1], [[2.0]] * 3)
    with pytest.raises(ValueError, match="supposed to be Tensors; found array"):
        product(x, np.ones([3, 1], np.float32))
