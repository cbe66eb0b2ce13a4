"""Trains a small convolutional net on handwritten digits.

A TensorFlow 1 script like any other. Run it with

    python -m tf1compat examples/digits_cnn.py
"""

from __future__ import absolute_import, division, print_function

import os

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string(
    "data",
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "digits.npz"),
    "Data file.",
)
flags.DEFINE_integer("epochs", 15, "Passes over the training images.")
flags.DEFINE_integer("batch_size", 50, "Images a step.")
flags.DEFINE_float("learning_rate", 2e-3, "Adam's learning rate.")
flags.DEFINE_integer("seed", 1, "Seed of the weights, the dropout and the order of the images.")
FLAGS = flags.FLAGS


def load(path):
    with np.load(path) as data:
        x_train, x_test = [
            data[key].astype(np.float32)[..., np.newaxis] / 16.0 for key in ("x_train", "x_test")
        ]
        y_train, y_test = [data[key].astype(np.int32) for key in ("y_train", "y_test")]
    return x_train, y_train, x_test, y_test


def model(images, training):
    net = tf.layers.conv2d(images, 32, 3, padding="same", activation=tf.nn.relu, name="conv1")
    net = tf.layers.conv2d(net, 64, 3, padding="same", activation=tf.nn.relu, name="conv2")
    net = tf.layers.max_pooling2d(net, 2, 2, name="pool")
    net = tf.layers.flatten(net)
    net = tf.layers.dense(net, 128, activation=tf.nn.relu, name="fc1")
    net = tf.layers.dropout(net, 0.5, training=training)
    return tf.layers.dense(net, 10, name="logits")


def main(_):
    x_train, y_train, x_test, y_test = load(FLAGS.data)
    tf.set_random_seed(FLAGS.seed)
    shuffler = np.random.RandomState(FLAGS.seed)

    x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x")
    y = tf.placeholder(tf.int32, [None], name="y")
    training = tf.placeholder_with_default(False, [], name="training")

    logits = model(x, training)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    hits = tf.equal(tf.argmax(logits, axis=1, output_type=tf.int32), y)
    accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))

    global_step = tf.train.get_or_create_global_step()
    optimizer = tf.train.AdamOptimizer(FLAGS.learning_rate)
    train_op = optimizer.minimize(loss, global_step=global_step)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(1, FLAGS.epochs + 1):
            order = shuffler.permutation(len(x_train))
            losses = []
            for start in range(0, len(order) - FLAGS.batch_size + 1, FLAGS.batch_size):
                batch = order[start : start + FLAGS.batch_size]
                feed = {x: x_train[batch], y: y_train[batch], training: True}
                _, batch_loss = sess.run([train_op, loss], feed_dict=feed)
                losses.append(batch_loss)
            test_accuracy = sess.run(accuracy, feed_dict={x: x_test, y: y_test})
            print(
                "epoch %2d  step %4d  loss %.4f  test accuracy %.2f %%"
                % (epoch, sess.run(global_step), np.mean(losses), 100 * test_accuracy)
            )
        print("Test accuracy: %.2f %%" % (100 * test_accuracy))


if __name__ == "__main__":
    tf.app.run()
