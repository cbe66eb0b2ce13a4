"""`defun` and `tf.function` around `call` of models and layers, in a graph."""

from __future__ import print_function

import tensorflow as tf


def model_class(decorate):
    class Net(tf.keras.Model):
        def __init__(self):
            super(Net, self).__init__()
            self.dense = tf.keras.layers.Dense(4)

        @decorate
        def call(self, inputs, training=True):
            outputs = self.dense(inputs)
            return outputs * 2.0 if training else outputs

    return Net


class Twice(tf.keras.layers.Layer):
    @tf.contrib.eager.defun
    def call(self, inputs):
        return inputs * 2.0


x = tf.ones([2, 3])
for decorate in (tf.contrib.eager.defun, tf.function):
    net = model_class(decorate)()
    print(net(x, training=True), net(x, training=False), len(net.variables))
print(Twice()(x))
print([(op.type, op.name) for op in tf.get_default_graph().get_operations()])
for function in (
    tf.function(lambda x: x),
    tf.contrib.eager.defun(lambda x: x),
    tf.function(lambda x: x).get_concrete_function(x),
    tf.compat.v1.wrap_function(lambda: tf.constant(1), []),
):
    print(type(function).__name__, type(function).__module__)
