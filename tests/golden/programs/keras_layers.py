"""tf.keras layers and backend functions inside a TF1 graph and session."""

import numpy as np


def build(tf):
    tf.set_random_seed(103)
    x = tf.placeholder(tf.float32, [None, 6], name="x")
    y = tf.placeholder(tf.float32, [None, 2], name="y")
    hidden = tf.keras.layers.Dense(5, activation="relu", name="hidden")
    h = tf.keras.layers.Dropout(0.5)(hidden(x), training=True)
    outputs = tf.keras.layers.Dense(2, kernel_initializer="he_normal")(h)
    outputs = tf.keras.layers.Activation("softmax")(outputs)
    loss = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(y, outputs))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

    def feeds(step):
        rng = np.random.RandomState(step)
        return {x: rng.randn(4, 6), y: np.eye(2)[rng.randint(2, size=4)]}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"kernel": hidden.kernel},
        "random": True,
    }
