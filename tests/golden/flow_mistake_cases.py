"""Loops and branches that fail while they run.

As in `flow_cases`: every function takes the `tensorflow` module and returns (fetches, feeds).
"""

from __future__ import annotations

import numpy as np


def never_ends_unless_it_fails(tf):
    """An index out of range ends the loop: what it would go on with is no number of TF's."""
    i = tf.placeholder(tf.int32, [])
    return tf.while_loop(lambda i: i < 3, lambda i: tf.gather([1, 2], i), [i]), [{i: 0}]


def condition_of_rank_one(tf):
    i = tf.placeholder(tf.int32)
    return tf.while_loop(lambda i: i < 3, lambda i: i + 1, [i]), [{i: 1}, {i: [0]}, {i: 2}]


def asserts_with_text_in_nested_branches(tf):
    content = tf.placeholder(tf.string)
    return tf.image.decode_image(content), [{content: b"abc"}]


def fill_with_a_vector(tf):
    dims, value = tf.placeholder(tf.int32), tf.placeholder(tf.float32)
    feeds = [{dims: [2], value: np.float32(1)}, {dims: [2], value: np.float32([1])}]
    return tf.fill(dims, value), feeds


CASES = {
    case.__name__: case
    for case in (
        never_ends_unless_it_fails, condition_of_rank_one, fill_with_a_vector,
        asserts_with_text_in_nested_branches,
    )
}  # fmt: skip
