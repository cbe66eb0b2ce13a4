"""Python loops and conditions on tensors, as one graph: gradient descent inside of `tf.function`.

python -m tf1compat examples/autograph_loop.py
"""

from __future__ import absolute_import, division, print_function

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()

rng = np.random.RandomState(0)
points = rng.randn(200, 2).astype(np.float32)
noise = rng.randn(200)
classes = (points[:, 0] - 2.0 * points[:, 1] + noise > 0.3).astype(np.float32)
weights = tf.Variable([0.0, 0.0])
bias = tf.Variable(0.0)


def cost(x, y):
    logits = tf.linalg.matvec(x, weights) + bias
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))


@tf.function
def descend(x, y, rate, steps):
    """Gradient descent with smaller steps where one went too far; it ends where it is flat."""
    before = cost(x, y)
    taken = 0
    for _ in tf.range(steps):
        with tf.GradientTape() as tape:
            now = cost(x, y)
        by_weights, by_bias = tape.gradient(now, [weights, bias])
        if tf.norm(by_weights) < 0.01:
            break
        weights.assign_sub(rate * by_weights)
        bias.assign_sub(rate * by_bias)
        after = cost(x, y)
        if after > before:
            rate = rate * 0.5
        before = after
        taken += 1
    return before, rate, taken


@tf.function
def collatz(n):
    steps = 0
    while n > 1:
        if tf.equal(n % 2, 0):
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


x, y = tf.constant(points), tf.constant(classes)
for rate in (60.0, 8.0, 1.0):
    weights.assign([0.0, 0.0])
    bias.assign(0.0)
    for _ in range(4):
        loss, last_rate, taken = descend(x, y, tf.constant(rate), tf.constant(15))
        print(
            "rate %4.1f  steps %2d  last rate %7.4f  cost %.5f"
            % (rate, taken.numpy(), last_rate.numpy(), loss.numpy())
        )
print("w %.3f %.3f  b %.3f" % (weights[0].numpy(), weights[1].numpy(), bias.numpy()))
print("collatz", [int(collatz(tf.constant(n))) for n in (1, 6, 7, 27)])
