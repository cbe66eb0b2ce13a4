"""Fits a straight line by gradient descent: the smallest TensorFlow 1 program that learns.

python -m tf1compat examples/linear_regression.py
"""

from __future__ import absolute_import, division, print_function

import os

import numpy as np
import tensorflow as tf

epochs = int(os.environ.get("EPOCHS", 200))
learning_rate = 0.05

rng = np.random.RandomState(0)
train_x = rng.uniform(-3.0, 3.0, size=40).astype(np.float32)
train_y = (0.7 * train_x - 1.5 + 0.1 * rng.randn(40)).astype(np.float32)

X = tf.placeholder("float", name="X")
Y = tf.placeholder("float", name="Y")
W = tf.Variable(0.0, name="weight")
b = tf.Variable(0.0, name="bias")

prediction = tf.add(tf.multiply(X, W), b)
cost = tf.reduce_mean(tf.square(prediction - Y))
optimizer = tf.train.GradientDescentOptimizer(learning_rate).minimize(cost)
init = tf.global_variables_initializer()

with tf.Session() as sess:
    sess.run(init)
    for epoch in range(epochs):
        sess.run(optimizer, feed_dict={X: train_x, Y: train_y})
        if epoch % 20 == 19:
            c, w_now, b_now = sess.run([cost, W, b], feed_dict={X: train_x, Y: train_y})
            print("epoch %3d  cost %.6f  W %.5f  b %.5f" % (epoch + 1, c, w_now, b_now))
    w_fit, b_fit = sess.run([W, b])

w_best, b_best = np.polyfit(train_x, train_y, 1)
print("fitted:        y = %.4f x %+.4f" % (w_fit, b_fit))
print("least squares: y = %.4f x %+.4f" % (w_best, b_best))
