"""A residual net with batch normalisation that reads handwritten digits (He et al., 2015).

The moving averages are updated through `tf.GraphKeys.UPDATE_OPS`, the learning rate decays, and
momentum is Nesterov's.

    python -m tf1compat examples/residual_cnn.py
"""

from __future__ import absolute_import, division, print_function

import os
import time

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 300))
batch_size = 64

data = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "digits.npz"))
x_train, x_test = [data[k].astype(np.float32)[..., None] / 16.0 for k in ("x_train", "x_test")]
y_train, y_test = [data[k].astype(np.int64) for k in ("y_train", "y_test")]


def conv(net, filters, stride=1):
    return tf.layers.conv2d(
        net,
        filters,
        3,
        strides=stride,
        padding="same",
        use_bias=False,
        kernel_initializer=tf.variance_scaling_initializer(2.0, mode="fan_out"),
        kernel_regularizer=tf.contrib.layers.l2_regularizer(1e-4),
    )


def norm_relu(net, training):
    return tf.nn.relu(tf.layers.batch_normalization(net, momentum=0.9, training=training))


def block(net, filters, stride, training):
    """Two convolutions beside a shortcut, each after a normalisation."""
    before = norm_relu(net, training)
    shortcut = net
    if stride != 1 or net.shape[-1].value != filters:
        shortcut = tf.layers.conv2d(before, filters, 1, strides=stride, use_bias=False)
    net = conv(before, filters, stride)
    return shortcut + conv(norm_relu(net, training), filters)


def resnet(images, training):
    net = conv(images, 16)
    for i, (filters, stride) in enumerate([(16, 1), (32, 2), (64, 2)]):
        with tf.variable_scope("block%d" % (i + 1)):
            net = block(net, filters, stride, training)
    net = tf.reduce_mean(norm_relu(net, training), axis=[1, 2])
    return tf.layers.dense(net, 10, name="logits")


tf.set_random_seed(3)
x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x")
y = tf.placeholder(tf.int64, [None], name="y")
training = tf.placeholder(tf.bool, [], name="training")

logits = resnet(x, training)
loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
total_loss = tf.losses.get_total_loss()
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32))

global_step = tf.train.get_or_create_global_step()
learning_rate = tf.train.exponential_decay(0.02, global_step, 100, 0.5, staircase=True)
optimizer = tf.train.MomentumOptimizer(learning_rate, 0.9, use_nesterov=True)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train_op = optimizer.minimize(total_loss, global_step=global_step)

rng = np.random.RandomState(3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    clock = None
    for step in range(1, steps + 1):
        batch = rng.randint(len(x_train), size=batch_size)
        _, value, rate = sess.run(
            [train_op, loss, learning_rate], {x: x_train[batch], y: y_train[batch], training: True}
        )
        if step == 2:
            clock = time.time()  # the first steps compile
        if step in (1, 2, 5) or step % max(steps // 10, 1) == 0:
            print("step %4d  loss %.4f  learning rate %.4f" % (step, value, rate))
    seconds = time.time() - clock
    share = sess.run(accuracy, {x: x_test, y: y_test, training: False})
    print("test accuracy: %.3f" % share)
print("%.1f steps/s" % ((steps - 2) / seconds))
