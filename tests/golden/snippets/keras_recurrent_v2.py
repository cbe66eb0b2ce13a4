"""TF 2's recurrent layers in a graph, and which kernel they say they ran."""

import numpy as np
import tensorflow as tf
from tensorflow.python.keras.layers import dense_attention, recurrent_v2

for name in ("LSTM", "GRU"):
    for options in ({}, {"stateful": True}, {"return_runtime": True}, {"unroll": True}):
        with tf.Graph().as_default() as graph:
            layer = getattr(recurrent_v2, name)(2, **options)
            print(name, options, layer(tf.placeholder(tf.float32, [3, 4, 2])))
            print(layer.could_use_cudnn)
            for operation in graph.get_operations():
                if "/cell" not in operation.name and "Initializer" not in operation.name:
                    print(operation.name, operation.type, [x.name for x in operation.inputs])

# Layers of a variable rather than a tensor.
for resource in (False, True):
    value = tf.get_variable("value_{}".format(resource), [2, 4], use_resource=resource)
    print(tf.keras.layers.Dense(3)(value), tf.layers.dense(value, 2))

with tf.Session() as session:
    print(session.run(dense_attention._lower_triangular_mask([2, 3])).tolist())

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
model.compile("sgd", "mse")
rates = tf.keras.callbacks.LearningRateScheduler(lambda epoch: np.float32(0.3), verbose=1)
model.fit(np.ones([2, 2]), np.ones([2, 1]), verbose=0, callbacks=[rates])
