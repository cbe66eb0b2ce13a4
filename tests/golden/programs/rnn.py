"""Recurrent networks: static_rnn, dynamic_rnn with sequence lengths, a while loop."""

import numpy as np

CASES = {
    "static_lstm": {"kind": "static_lstm"},
    "dynamic_gru": {"kind": "dynamic_gru"},
    "dynamic_lstm": {"kind": "dynamic_lstm"},
    "while": {"kind": "while"},
}


def outputs_of(tf, kind, x, lengths):
    if kind == "static_lstm":
        cell = tf.nn.rnn_cell.BasicLSTMCell(4, forget_bias=1.0)
        steps = tf.unstack(x, 5, 1)
        return tf.nn.static_rnn(cell, steps, dtype=tf.float32)[0][-1]
    if kind == "dynamic_gru":
        cell = tf.nn.rnn_cell.GRUCell(4)
        return tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32)[1]
    if kind == "dynamic_lstm":
        cells = [tf.nn.rnn_cell.LSTMCell(4, use_peepholes=True) for _ in range(2)]
        wrapped = [tf.nn.rnn_cell.DropoutWrapper(c, output_keep_prob=0.8) for c in cells]
        stack = tf.nn.rnn_cell.MultiRNNCell(wrapped)
        steps = tf.transpose(x, [1, 0, 2])
        return tf.nn.dynamic_rnn(
            stack,
            steps,
            dtype=tf.float32,
            time_major=True,
            parallel_iterations=1,  # else the steps may draw their dropout masks in any order
        )[0][-1]
    w = tf.get_variable("w", [3, 4], initializer=tf.random_normal_initializer(stddev=0.5))
    u = tf.get_variable("u", [4, 4], initializer=tf.random_normal_initializer(stddev=0.3))

    def body(i, state):
        return i + 1, tf.tanh(tf.matmul(x[:, i], w) + tf.matmul(state, u))

    return tf.while_loop(lambda i, _: i < 5, body, [tf.constant(0), tf.zeros([2, 4])])[1]


def build(tf, kind):
    tf.set_random_seed(67)
    x = tf.placeholder(tf.float32, [2, 5, 3], name="x")
    lengths = tf.placeholder_with_default([5, 3], [2], name="lengths")
    last = outputs_of(tf, kind, x, lengths)
    loss = tf.reduce_mean(tf.square(tf.layers.dense(last, 1) - tf.reduce_sum(x, [1, 2])[:, None]))
    train = tf.train.AdamOptimizer(0.02).minimize(loss)

    def feeds(step):
        return {x: np.random.RandomState(step).randn(2, 5, 3)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"last": last},
        "random": kind == "dynamic_lstm",
    }
