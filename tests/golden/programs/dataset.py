"""tf.data: shuffled, repeated and batched, with a one-shot or an initialisable iterator."""

import numpy as np

CASES = {"one_shot": {"kind": "one_shot"}, "initializable": {"kind": "initializable"}}


def build(tf, kind):
    tf.set_random_seed(107)
    xs = np.linspace(-1, 1, 12).astype(np.float32).reshape(12, 1)
    data = tf.data.Dataset.from_tensor_slices((xs, 2 * xs - 1))
    data = data.map(lambda a, b: (a, b + 0.5)).shuffle(5, seed=3).repeat().batch(4)
    if kind == "one_shot":
        iterator, setup = data.make_one_shot_iterator(), tf.no_op()
    else:
        iterator = data.make_initializable_iterator()
        setup = iterator.initializer
    x, y = iterator.get_next()
    loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 1) - y))
    train = tf.train.GradientDescentOptimizer(0.3).minimize(loss)
    return {
        "init": [tf.global_variables_initializer(), setup],
        "train": train,
        "loss": loss,
        "fetch": {"batch": [x, y]},
        "random": True,
    }
