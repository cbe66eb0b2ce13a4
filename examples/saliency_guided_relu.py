"""Which pixels made the net say "3"?  Plain gradients beside guided backpropagation.

Guided backpropagation (Springenberg et al., "Striving for Simplicity", 2015) changes nothing but
the gradient of Relu. In TensorFlow 1 that is a registered gradient and `gradient_override_map`, as
in every saliency tool of the time.

    python -m tf1compat examples/saliency_guided_relu.py
"""

from __future__ import absolute_import, division, print_function

import os

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 300))


@tf.RegisterGradient("GuidedRelu")
def _guided_relu_grad(op, grad):
    gated = tf.where(op.outputs[0] > 0.0, grad, tf.zeros_like(grad))
    return tf.where(grad > 0.0, gated, tf.zeros_like(grad))


def network(images):
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
        net = tf.layers.conv2d(images, 16, 3, padding="same", activation=tf.nn.relu, name="conv1")
        net = tf.layers.conv2d(net, 16, 3, padding="same", activation=tf.nn.relu, name="conv2")
        net = tf.layers.dense(tf.layers.flatten(net), 32, activation=tf.nn.relu, name="fc1")
        return tf.layers.dense(net, 10, name="logits")


def saliency(images, labels):
    """The gradient of the label's logit with respect to the pixels."""
    logits = network(images)
    score = tf.reduce_sum(logits * tf.one_hot(labels, 10))
    return tf.gradients(score, images)[0]


def ascii_map(image):
    shades = " .:-=+*#%@"
    scaled = image / max(image.max(), 1e-12) * (len(shades) - 1)
    return ["".join(2 * shades[int(round(v))] for v in row) for row in scaled]


path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "digits.npz")
with np.load(path) as data:
    x_train = data["x_train"].astype(np.float32)[..., np.newaxis] / 16.0
    x_test = data["x_test"].astype(np.float32)[..., np.newaxis] / 16.0
    y_train, y_test = data["y_train"].astype(np.int32), data["y_test"].astype(np.int32)

tf.set_random_seed(3)
x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x")
y = tf.placeholder(tf.int32, [None], name="y")
logits = network(x)
loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
train_op = tf.train.AdamOptimizer(2e-3).minimize(loss)

plain = saliency(x, y)
with tf.get_default_graph().gradient_override_map({"Relu": "GuidedRelu"}):
    guided = saliency(x, y)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    rng = np.random.RandomState(3)
    for step in range(steps):
        batch = rng.randint(len(x_train), size=50)
        sess.run(train_op, {x: x_train[batch], y: y_train[batch]})
    feed = {x: x_test, y: y_test}
    correct = np.mean(np.argmax(sess.run(logits, feed), axis=1) == y_test)
    plain_map, guided_map = sess.run([plain, guided], feed)

print("test accuracy: %.2f %%" % (100 * correct))
print(
    "gradients below zero: plain %.3f, guided %.3f"
    % ((plain_map < 0).mean(), (guided_map < 0).mean())
)
inked = np.broadcast_to(x_test > 0.5, plain_map.shape)
for name, grads in (("plain", plain_map), ("guided", guided_map)):
    positive = np.maximum(grads, 0)
    print(
        "share of the positive gradient on ink: %-6s %.3f"
        % (name, positive[inked].sum() / positive.sum())
    )

shown = int(np.flatnonzero(y_test == 3)[0])
print("\n%-18s%-18s%-18s" % ("digit", "plain", "guided"))
columns = [ascii_map(np.maximum(a[shown, :, :, 0], 0)) for a in (x_test, plain_map, guided_map)]
for rows in zip(*columns):
    print("  ".join(rows))
