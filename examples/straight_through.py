"""Learns XOR with hidden units that are only ever -1 or +1, by the straight-through estimator.

`tf.sign` has gradient 0 everywhere, so nothing below it learns. The straight-through estimator
(Hinton, 2012; Bengio et al., 2013) passes the gradient on as if the step were a line on [-1, 1].
Written in both ways of the time, as an override of Sign's gradient and with `tf.stop_gradient`;
both must give the same numbers.

    python -m tf1compat examples/straight_through.py
"""

from __future__ import absolute_import, division, print_function

import os

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 400))


@tf.RegisterGradient("StraightThrough")
def _straight_through(op, grad):
    return tf.where(tf.abs(op.inputs[0]) <= 1.0, grad, tf.zeros_like(grad))


def sign_plain(x):
    return tf.sign(x)


def sign_override(x):
    with tf.get_default_graph().gradient_override_map({"Sign": "StraightThrough"}):
        return tf.sign(x)


def sign_stop_gradient(x):
    line = tf.clip_by_value(x, -1.0, 1.0)
    return line + tf.stop_gradient(tf.sign(x) - line)


inputs = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]], np.float32)
targets = np.array([[0], [1], [1], [0]], np.float32)


def train(binarize):
    with tf.Graph().as_default(), tf.Session() as sess:
        init = np.random.RandomState(2)
        w1 = tf.Variable(init.uniform(-0.5, 0.5, (2, 4)).astype(np.float32), name="w1")
        b1 = tf.Variable(init.uniform(-0.5, 0.5, 4).astype(np.float32), name="b1")
        w2 = tf.Variable(init.uniform(-0.5, 0.5, (4, 1)).astype(np.float32), name="w2")
        b2 = tf.Variable(tf.zeros([1]), name="b2")
        x, y = tf.constant(inputs), tf.constant(targets)
        hidden = binarize(tf.matmul(x, w1) + b1)
        logits = tf.matmul(hidden, w2) + b2
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        train_op = tf.train.AdamOptimizer(0.1).minimize(loss)
        sess.run(tf.global_variables_initializer())
        first_w1 = sess.run(w1)
        losses = []
        for _ in range(steps):
            losses.append(sess.run([loss, train_op])[0])
        last_w1, codes, predictions = sess.run([w1, hidden, tf.nn.sigmoid(logits)])
    moved = np.abs(last_w1 - first_w1).max()
    hits = np.mean(np.abs(predictions - targets) < 0.49)  # 0.5 is no answer
    return losses, moved, codes, predictions, hits


curves = {}
for name, binarize in [
    ("sign", sign_plain),
    ("override", sign_override),
    ("stop_gradient", sign_stop_gradient),
]:
    losses, moved, codes, predictions, hits = train(binarize)
    curves[name] = losses
    print(
        "%-14s loss %.5f -> %.5f   first layer moved by %.4f   right %3.0f %%"
        % (name, losses[0], losses[-1], moved, 100 * hits)
    )

difference = np.abs(np.subtract(curves["override"], curves["stop_gradient"])).max()
print("largest difference between the two ways: %.1e" % difference)
print("\n  input     hidden code   P(xor)")
for row, code, p in zip(inputs, codes, predictions):
    print(
        "  %+d %+d     %s      %.3f"
        % (row[0], row[1], "".join("+" if c > 0 else "-" for c in code), p[0])
    )
