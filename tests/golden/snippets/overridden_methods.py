"""Classes of users that override private methods of TensorFlow's, as model zoos do."""

import os
import tempfile

import numpy as np
import tensorflow as tf


class GroupedNormalization(tf.layers.BatchNormalization):
    """As model zoos have it for TPUs: the statistics of several shards."""

    def __init__(self, **kwargs):
        super(GroupedNormalization, self).__init__(fused=False, **kwargs)

    def _moments(self, inputs, reduction_axes, keep_dims):
        mean, variance = super(GroupedNormalization, self)._moments(
            inputs, reduction_axes, keep_dims=keep_dims
        )
        square = variance + tf.square(mean)
        mean = tf.reduce_mean(tf.stack([mean, mean + 1.0]), 0)
        return mean, square - tf.square(mean)

    def _assign_moving_average(self, variable, value, momentum, inputs_size):
        print("average", variable.op.name, momentum, inputs_size)
        return super(GroupedNormalization, self)._assign_moving_average(
            variable, value, momentum, inputs_size
        )


class Phase(tf.keras.layers.BatchNormalization):
    def _get_training_value(self, training=None):
        print("training", training)
        return super(Phase, self)._get_training_value(True)


inputs = tf.constant(np.arange(24, dtype=np.float32).reshape(2, 2, 2, 3))
layer = GroupedNormalization(name="grouped")
outputs = layer.apply(inputs, training=True)
renormalised = GroupedNormalization(name="renorm", renorm=True).apply(inputs, training=True)
phased = Phase(name="phase")(inputs)
print(layer._support_zero_size_input())
for arguments in (
    {"renorm": True},
    {"axis": 0},
    {"axis": [1, 2]},
    {"virtual_batch_size": 2},
    {"adjustment": lambda shape: (1.0, 0.0)},
    {},
):
    one = tf.keras.layers.BatchNormalization(**arguments)
    try:
        print(one._raise_if_fused_cannot_be_used(), one._fused_can_be_used())
    except ValueError as error:
        print(error, one._fused_can_be_used())
print([(op.name, op.type) for op in tf.get_default_graph().get_operations()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    for value in [outputs, renormalised, phased] + layer.weights:
        print(np.round(sess.run(value), 3).ravel()[:6].tolist())


class EachEpoch(tf.keras.callbacks.ModelCheckpoint):
    """Says itself where models are saved."""

    def _get_file_path(self, epoch, logs):
        print(epoch, sorted(logs))
        return super(EachEpoch, self)._get_file_path(epoch, logs).replace("first", "own")


folder = tempfile.mkdtemp()
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
model.compile("sgd", "mse")
saved = EachEpoch(os.path.join(folder, "first{epoch}.h5"), save_weights_only=True)
model.fit(np.ones((2, 2)), np.ones((2, 1)), epochs=2, verbose=0, callbacks=[saved])
print(sorted(os.listdir(folder)))
