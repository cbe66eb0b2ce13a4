"""Set operations on the rows of dense tensors; the expected values are TensorFlow 1.15's."""

from __future__ import annotations

import numpy as np
import pytest

A = [[[3, 1, 1], [5, 2, 9]], [[4, 4, 4], [7, 8, 6]]]
B = [[[1, 4], [9, 5]], [[4, 3], [2, 2]]]
# Operation -> (positions, values, dense shape).
EXPECTED = {
    "a-b": ("000 010 110 111 112", [3, 2, 6, 7, 8], [2, 2, 3]),
    "b-a": ("000 100 110", [4, 3, 2], [2, 2, 1]),
    "intersection": ("000 010 011 100", [1, 5, 9, 4], [2, 2, 2]),
    "union": (
        "000 001 002 010 011 012 100 101 110 111 112 113",
        [1, 3, 4, 2, 5, 9, 3, 4, 2, 6, 7, 8],
        [2, 2, 4],
    ),
}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("operation", EXPECTED)
def test_operation(tf, operation, known):
    a, b = tf.constant(A), tf.constant(B)
    if not known:
        a, b = tf.placeholder_with_default(a, None), tf.placeholder_with_default(b, None)
    result = tf.raw_ops.DenseToDenseSetOperation(set1=a, set2=b, set_operation=operation)
    with tf.Session() as session:
        indices, values, shape = session.run(list(result))
    places, expected, dense_shape = EXPECTED[operation]
    np.testing.assert_array_equal(indices, [[int(c) for c in place] for place in places.split()])
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(shape, dense_shape)


def test_rows_that_do_not_match(tf):
    pair = [tf.placeholder_with_default(rows, None) for rows in ([[1], [2]], [[1]])]
    result = tf.raw_ops.DenseToDenseSetOperation(set1=pair[0], set2=pair[1], set_operation="union")
    text = r"Mismatched shapes \[2\] vs \[1\]"
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=text):
        session.run(result[1])
