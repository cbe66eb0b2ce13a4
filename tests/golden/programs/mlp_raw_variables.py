"""A two-layer classifier with raw variables, Adam and an accuracy."""

import numpy as np


def build(tf):
    tf.set_random_seed(42)
    x = tf.placeholder("float", [None, 8])
    y = tf.placeholder("float", [None, 3])
    keep_prob = tf.placeholder(tf.float32)
    weights = {
        "h1": tf.Variable(tf.random_normal([8, 16], stddev=0.5)),
        "h2": tf.Variable(tf.truncated_normal([16, 16], stddev=0.3)),
        "out": tf.Variable(tf.random_uniform([16, 3], -0.4, 0.4)),
    }
    biases = {
        "b1": tf.Variable(tf.zeros([16])),
        "b2": tf.Variable(tf.constant(0.1, shape=[16])),
        "out": tf.Variable(tf.random_normal([3])),
    }
    layer_1 = tf.nn.sigmoid(tf.add(tf.matmul(x, weights["h1"]), biases["b1"]))
    layer_2 = tf.nn.tanh(tf.nn.bias_add(tf.matmul(layer_1, weights["h2"]), biases["b2"]))
    layer_2 = tf.nn.dropout(layer_2, keep_prob)
    logits = tf.matmul(layer_2, weights["out"]) + biases["out"]
    cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=y))
    optimizer = tf.train.AdamOptimizer(learning_rate=0.01).minimize(cost)
    correct = tf.equal(tf.argmax(tf.nn.softmax(logits), 1), tf.argmax(y, 1))
    accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))

    def feeds(step):
        rng = np.random.RandomState(step)
        xs = rng.randn(12, 8).astype(np.float32)
        labels = (xs[:, 0] > 0).astype(int) + (xs[:, 1] > 0).astype(int)
        return {x: xs, y: np.eye(3)[labels], keep_prob: 0.75}

    return {
        "init": tf.initialize_all_variables(),
        "train": optimizer,
        "loss": cost,
        "feeds": feeds,
        "fetch": {"accuracy": accuracy, "logits": logits},
        "random": True,
    }
