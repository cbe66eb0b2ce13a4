"""A small convolutional classifier written with tf.nn, in the style of the MNIST tutorial."""

import numpy as np


def weight_variable(tf, shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1))


def bias_variable(tf, shape):
    return tf.Variable(tf.constant(0.1, shape=shape))


def build(tf):
    tf.set_random_seed(1234)
    x = tf.placeholder(tf.float32, [None, 64], name="x")
    y_ = tf.placeholder(tf.float32, [None, 4], name="y_")
    image = tf.reshape(x, [-1, 8, 8, 1])
    w1, b1 = weight_variable(tf, [3, 3, 1, 4]), bias_variable(tf, [4])
    conv1 = tf.nn.relu(tf.nn.conv2d(image, w1, strides=[1, 1, 1, 1], padding="SAME") + b1)
    pool1 = tf.nn.max_pool(conv1, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    w2, b2 = weight_variable(tf, [3, 3, 4, 6]), bias_variable(tf, [6])
    conv2 = tf.nn.conv2d(pool1, w2, strides=[1, 1, 1, 1], padding="VALID")
    conv2 = tf.nn.relu(tf.nn.bias_add(conv2, b2))
    pool2 = tf.nn.avg_pool(conv2, [1, 2, 2, 1], [1, 1, 1, 1], "VALID")
    flat = tf.reshape(pool2, [-1, 1 * 1 * 6])
    w3, b3 = weight_variable(tf, [6, 4]), bias_variable(tf, [4])
    logits = tf.matmul(flat, w3) + b3
    cross_entropy = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y_, logits=logits)
    loss = tf.reduce_mean(cross_entropy)
    train = tf.train.RMSPropOptimizer(1e-3).minimize(loss)

    def feeds(step):
        rng = np.random.RandomState(step)
        return {x: rng.rand(5, 64), y_: np.eye(4)[rng.randint(4, size=5)]}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"logits": logits, "pool1": pool1, "dw1": tf.gradients(loss, w1)[0]},
    }
