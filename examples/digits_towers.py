"""Trains a convolutional net on handwritten digits with a tower at each of several devices, whose
gradients are averaged, in the manner of TensorFlow's CIFAR-10 tutorial.

A TensorFlow 1 script like any other. Run it with

    python -m tf1compat examples/digits_towers.py
"""

from __future__ import absolute_import, division, print_function

import os
import time

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string(
    "data",
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "digits.npz"),
    "Data file.",
)
flags.DEFINE_integer("towers", 2, "How many devices.")
flags.DEFINE_integer("steps", 60, "Steps of training.")
flags.DEFINE_integer("batch_size", 32, "Images a tower and step.")
flags.DEFINE_float("learning_rate", 2e-3, "Adam's learning rate.")
flags.DEFINE_integer("seed", 1, "Seed of the weights, the dropout and the order of the images.")
FLAGS = flags.FLAGS


def model(images, training):
    net = tf.layers.conv2d(images, 16, 3, padding="same", activation=tf.nn.relu, name="conv")
    net = tf.layers.max_pooling2d(net, 2, 2, name="pool")
    net = tf.layers.dense(tf.layers.flatten(net), 64, activation=tf.nn.relu, name="fc")
    net = tf.layers.dropout(net, 0.3, training=training)
    return tf.layers.dense(net, 10, name="logits")


def tower_loss(images, labels):
    logits = model(images, training=True)
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )
    tf.add_to_collection("losses", loss)
    return loss


def average_gradients(tower_grads):
    average = []
    for grads_and_vars in zip(*tower_grads):
        grads = [tf.expand_dims(grad, 0) for grad, _ in grads_and_vars]
        grad = tf.reduce_mean(tf.concat(grads, axis=0), 0)
        average.append((grad, grads_and_vars[0][1]))
    return average


def main(_):
    with np.load(FLAGS.data) as data:
        x_train, x_test = [
            data[key].astype(np.float32)[..., np.newaxis] / 16.0 for key in ("x_train", "x_test")
        ]
        y_train, y_test = [data[key].astype(np.int32) for key in ("y_train", "y_test")]
    tf.set_random_seed(FLAGS.seed)
    shuffler = np.random.RandomState(FLAGS.seed)

    with tf.device("/cpu:0"):
        x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x")
        y = tf.placeholder(tf.int32, [None], name="y")
        global_step = tf.train.get_or_create_global_step()
        optimizer = tf.train.AdamOptimizer(FLAGS.learning_rate)
        images = tf.split(x, FLAGS.towers)
        labels = tf.split(y, FLAGS.towers)
        tower_grads = []
        for i in range(FLAGS.towers):
            with tf.device("/cpu:%d" % i), tf.name_scope("tower_%d" % i):
                with tf.variable_scope("net", reuse=i > 0):
                    loss = tower_loss(images[i], labels[i])
                tower_grads.append(optimizer.compute_gradients(loss))
        train_op = optimizer.apply_gradients(average_gradients(tower_grads), global_step)
        total_loss = tf.add_n(tf.get_collection("losses")) / FLAGS.towers
        with tf.variable_scope("net", reuse=True):
            logits = model(x, training=False)
        hits = tf.equal(tf.argmax(logits, axis=1, output_type=tf.int32), y)
        accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))

    config = tf.ConfigProto(device_count={"CPU": FLAGS.towers}, allow_soft_placement=True)
    size = FLAGS.batch_size * FLAGS.towers
    even = len(x_test) // FLAGS.towers * FLAGS.towers
    with tf.Session(config=config) as sess:
        print("%d towers" % FLAGS.towers)
        sess.run(tf.global_variables_initializer())
        start = time.time()
        for step in range(1, FLAGS.steps + 1):
            batch = shuffler.choice(len(x_train), size, replace=False)
            feed = {x: x_train[batch], y: y_train[batch]}
            _, batch_loss = sess.run([train_op, total_loss], feed_dict=feed)
            if step % 10 == 0:
                print("step %3d  loss %.4f" % (step, batch_loss))
        seconds = time.time() - start
        feed = {x: x_test[:even], y: y_test[:even]}
        print("Test accuracy: %.2f" % sess.run(accuracy, feed_dict=feed))
        print("%.1f steps/s" % (FLAGS.steps / seconds))


if __name__ == "__main__":
    tf.app.run()
