"""Programs of loops with branches that read and write TensorArrays: nets over trees.

As in `flow_cases`: every function takes the `tensorflow` module and returns (fetches, feeds).
"""

from __future__ import annotations

import numpy as np


def _weights(tf, name, *shape):
    values = np.random.RandomState(len(name)).uniform(-1, 1, shape).astype(np.float32)
    return tf.Variable(values, name=name)


def recursive_net(tf):
    """A node is a word, or what two nodes before it combine to."""
    is_leaf, word = tf.placeholder(tf.bool, [None]), tf.placeholder(tf.int32, [None])
    left, right = (tf.placeholder(tf.int32, [None]) for _ in range(2))
    embedding, combine = _weights(tf, "embedding", 5, 3), _weights(tf, "combine", 6, 3)
    project = _weights(tf, "project", 3, 2)
    nodes = tf.TensorArray(
        tf.float32, size=0, dynamic_size=True, clear_after_read=False, infer_shape=False
    )

    def body(nodes, i):
        def leaf():
            return tf.expand_dims(tf.gather(embedding, tf.gather(word, i)), 0)

        def inner():
            parts = [nodes.read(tf.gather(left, i)), nodes.read(tf.gather(right, i))]
            return tf.nn.relu(tf.matmul(tf.concat(parts, 1), combine))

        return nodes.write(i, tf.cond(tf.gather(is_leaf, i), leaf, inner)), i + 1

    length = tf.squeeze(tf.shape(is_leaf))
    nodes, _ = tf.while_loop(lambda _, i: i < length, body, [nodes, 0], parallel_iterations=1)
    logits = tf.matmul(nodes.concat(), project)
    loss = tf.reduce_sum(
        tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=tf.zeros_like(word))
    )
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([step]):
        after = [v.read_value() for v in (embedding, combine, project)]
    trees = (
        ([1, 1, 0, 1, 0], [0, 1, -1, 2, -1], [-1, -1, 0, -1, 2], [-1, -1, 1, -1, 3]),
        ([1, 1, 0], [3, 1, -1], [-1, -1, 0], [-1, -1, 1]),
    )
    feeds = [dict(zip((is_leaf, word, left, right), tree)) for tree in trees * 2]
    return [loss, after], feeds


def arrays_from_branches(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    rows = tf.TensorArray(tf.float32, 4, clear_after_read=False).unstack(x)

    def body(i, h, out):
        h = tf.cond(tf.equal(i % 2, 0), lambda: h + rows.read(i), lambda: h * rows.read(i))
        out = tf.cond(h[0] > 1.0, lambda: out.write(i, h), lambda: out.write(i, h * 2.0))
        return i + 1, h, out

    start = [0, tf.zeros([2]), tf.TensorArray(tf.float32, 4)]
    y = tf.while_loop(lambda i, *_: i < 4, body, start)[2].stack()
    return [y, tf.gradients(y, x)], [{x: np.arange(8, dtype=np.float32).reshape(4, 2) / 2}]


def array_of_a_branch(tf):
    x = tf.placeholder(tf.float32, [])
    empty = tf.TensorArray(tf.float32, 2, clear_after_read=False, element_shape=[])
    filled, twice = tf.cond(
        x > 0.0,
        lambda: (empty.write(0, x).write(1, x * x), x * 2.0),
        lambda: (empty.write(0, -x).write(1, x), x * 3.0),
    )
    y = filled.stack()
    return [y, twice, tf.gradients([y, twice], x)], [{x: np.float32(2)}, {x: np.float32(-3)}]


def parents(tf):
    """A node comes after its parent."""
    parent, x = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None, 2])
    w, n = _weights(tf, "w", 2, 2), tf.shape(parent)[0]
    nodes = tf.TensorArray(tf.float32, n, clear_after_read=False, element_shape=[1, 2])

    def body(i, nodes):
        h = tf.cond(parent[i] < 0, lambda: tf.zeros([1, 2]), lambda: nodes.read(parent[i]))
        return i + 1, nodes.write(i, tf.tanh(tf.matmul(h, w) + x[i]))

    y = tf.while_loop(lambda i, _: i < n, body, [0, nodes])[1].concat()
    feeds = [{parent: p, x: np.ones((len(p), 2))} for p in ([-1, 0, 0], [-1, 0, 1, 1])]
    return [y, tf.gradients(y, [w, x])], feeds


CASES = {
    case.__name__: case
    for case in (recursive_net, arrays_from_branches, array_of_a_branch, parents)
}
