"""Ways to stop a gradient: tf.stop_gradient, stop_gradients=, var_list=, masks, rounding."""

import numpy as np


def build(tf):
    tf.set_random_seed(43)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w1 = tf.Variable(tf.random_normal([3, 3], stddev=0.6), name="w1")
    w2 = tf.Variable(tf.random_normal([3, 2], stddev=0.6), name="w2")
    mask = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    frozen = tf.stop_gradient(w2)
    masked = mask * w2 + tf.stop_gradient((1.0 - mask) * w2)
    h = tf.nn.tanh(tf.matmul(x, w1))
    rounded = h + tf.stop_gradient(tf.round(4 * h) / 4 - h)
    out = tf.matmul(rounded, masked) + tf.matmul(tf.stop_gradient(h), frozen)
    target = tf.stop_gradient(tf.reduce_max(out, axis=1, keepdims=True), name="target")
    loss = tf.reduce_mean(tf.square(out - 0.9 * target - 0.1))
    gradients = {
        "all": tf.gradients(loss, [w1, w2]),
        "stopped": tf.gradients(loss, [h], stop_gradients=[w1, h]),
        "partial": tf.gradients([h, out], [w1], grad_ys=[tf.ones_like(h), 2 * tf.ones_like(out)]),
        "zero": tf.gradients(frozen, [w1], unconnected_gradients=tf.UnconnectedGradients.ZERO),
        "aggregated": tf.gradients(
            loss, [w2], aggregation_method=tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N
        ),
        "gated": tf.gradients(loss, [w1, w2], gate_gradients=True, name="gated"),
        "colocated": tf.gradients(loss, [w1], colocate_gradients_with_ops=True),
    }
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    train = optimizer.minimize(loss, var_list=[w2], gate_gradients=optimizer.GATE_GRAPH)
    assert tf.gradients(target, [w1]) == [None]
    assert tf.gradients(loss, [w1], stop_gradients=[h]) == [None]

    def feeds(step):
        return {x: np.random.RandomState(step).randn(4, 3)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": gradients,
    }
