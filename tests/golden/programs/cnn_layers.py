"""A convolutional classifier written with tf.layers: batch normalisation, dropout, update ops."""

import numpy as np


def build(tf):
    tf.set_random_seed(99)
    x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="images")
    labels = tf.placeholder(tf.int64, [None], name="labels")
    training = tf.placeholder_with_default(False, shape=(), name="training")
    net = tf.layers.conv2d(x, filters=4, kernel_size=3, padding="same", activation=tf.nn.relu)
    net = tf.layers.batch_normalization(net, training=training)
    net = tf.layers.max_pooling2d(net, pool_size=2, strides=2)
    net = tf.layers.conv2d(net, 5, [3, 3], strides=(2, 2), use_bias=False, name="second")
    net = tf.layers.flatten(net)
    net = tf.layers.dense(net, 12, activation=tf.nn.leaky_relu, name="fc")
    net = tf.layers.dropout(net, rate=0.4, training=training)
    logits = tf.layers.dense(
        inputs=net,
        units=4,
        kernel_initializer=tf.random_normal_initializer(stddev=0.2),
        bias_initializer=tf.constant_initializer(0.1),
    )
    entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(entropy)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.AdamOptimizer(0.005).minimize(loss)

    def feeds(step):
        rng = np.random.RandomState(step)
        images = rng.rand(6, 8, 8, 3)
        return {x: images, labels: rng.randint(4, size=6), training: step < 20}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"logits": logits, "moving": tf.global_variables("batch_normalization")},
        "random": True,
    }
