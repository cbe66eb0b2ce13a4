"""A physics-informed network for Burgers' equation: derivatives with respect to two inputs."""

import numpy as np


def xavier_init(tf, size):
    deviation = np.sqrt(2.0 / (size[0] + size[1]))
    return tf.Variable(tf.truncated_normal([size[0], size[1]], stddev=deviation), dtype=tf.float32)


def build(tf):
    tf.set_random_seed(89)
    layers = [2, 10, 10, 1]
    weights = [xavier_init(tf, layers[i : i + 2]) for i in range(len(layers) - 1)]
    biases = [tf.Variable(tf.zeros([1, n], dtype=tf.float32)) for n in layers[1:]]
    nu = tf.Variable([0.01], dtype=tf.float32)

    def network(inputs):
        h = 2.0 * (inputs + 1.0) / 2.0 - 1.0
        for w, b in zip(weights[:-1], biases[:-1]):
            h = tf.tanh(tf.add(tf.matmul(h, w), b))
        return tf.add(tf.matmul(h, weights[-1]), biases[-1])

    x = tf.placeholder(tf.float32, shape=[None, 1])
    t = tf.placeholder(tf.float32, shape=[None, 1])
    u = network(tf.concat([x, t], 1))
    u_t = tf.gradients(u, t)[0]
    u_x = tf.gradients(u, x)[0]
    u_xx = tf.gradients(u_x, x)[0]
    residual = u_t + u * u_x - tf.exp(nu) * u_xx
    loss = tf.reduce_mean(tf.square(u + tf.sin(np.pi * x))) + tf.reduce_mean(tf.square(residual))
    train = tf.train.AdamOptimizer().minimize(loss)

    def feeds(step):
        rng = np.random.RandomState(step % 4)
        return {x: rng.uniform(-1, 1, (8, 1)), t: rng.uniform(0, 1, (8, 1))}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"residual": residual, "nu": nu},
    }
