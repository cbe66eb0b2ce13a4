"""Second derivatives: tf.hessians, Hessian-vector products, the Laplacian of a network."""

import numpy as np


def build(tf):
    tf.set_random_seed(41)
    w = tf.Variable(tf.random_normal([4], stddev=0.7), name="w")
    matrix = tf.constant(np.arange(16, dtype=np.float32).reshape(4, 4) / 10)
    value = tf.reduce_sum(tf.sin(w) * tf.tensordot(matrix, w, 1)) + tf.reduce_prod(w)
    hessian = tf.hessians(value, w)[0]
    direction = tf.placeholder(tf.float32, [4], name="direction")
    slope = tf.gradients(value, w)[0]
    product = tf.gradients(tf.reduce_sum(slope * direction), w)[0]
    x = tf.constant([[0.3, -0.2], [0.1, 0.4], [-0.5, 0.2]])
    u = tf.layers.dense(tf.layers.dense(x, 5, tf.nn.tanh), 1)
    du = tf.gradients(u, x)[0]
    laplacian = sum(tf.gradients(du[:, i], x)[0][:, i] for i in range(2))
    loss = tf.reduce_mean(tf.square(laplacian - 1.0)) + 0.1 * tf.square(value)
    train = tf.train.GradientDescentOptimizer(0.02).minimize(loss)

    def feeds(step):
        return {direction: np.random.RandomState(step).randn(4)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"hessian": hessian, "product": product, "laplacian": laplacian},
    }
