"""Gradients of a gradient: functions with custom gradients as the gradient functions of others."""

import numpy as np
import tensorflow as tf
from tensorflow.python.util import tf_decorator, tf_inspect


def scaled(x, by):
    return x * by


def blur(x):
    @tf.custom_gradient
    def forward(x):
        y = scaled(x, 2.0)

        @tf.custom_gradient
        def backward(dy):
            return scaled(dy, 3.0), lambda ddy: scaled(ddy, 5.0)

        return y, backward

    return forward(x)


weight = tf.get_variable("w", initializer=np.float32([1.0, -2.0]))
x = tf.placeholder(tf.float32, [2], name="x")
y = blur(weight * x * x)
(first,) = tf.gradients(y, x)
(second,) = tf.gradients(tf.reduce_sum(first * first), x)
for op in tf.get_default_graph().get_operations():
    print(op.type, op.name, [i.name for i in op.inputs])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([y, first, second], {x: [1.0, 3.0]}))


@tf.custom_gradient
def documented(x, y=2):
    """What it does."""
    return x, lambda dy: dy


def plain(a, *b):
    return a


for function in (documented, tf.grad_pass_through(plain)):
    names = [d.decorator_name for d in tf_decorator.unwrap(function)[0]]
    print(function.__name__, repr(function.__doc__), tf_inspect.getfullargspec(function)[:4], names)
