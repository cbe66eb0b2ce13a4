"""`TimeDistributed` with a layer that TF 2 has another in the place of, and `Bidirectional`."""

import numpy as np
import tensorflow as tf

layers = tf.keras.layers
x = tf.constant(((np.arange(24).reshape(2, 3, 4) % 7 - 3) / 4).astype("float32"))


def names(since):
    return [op.name for op in tf.get_default_graph().get_operations()[since:]]


class Derived(layers.BatchNormalization):
    pass


class Plain(layers.Layer):
    pass


for layer in (
    layers.BatchNormalization(), Derived(), layers.LSTM(2), layers.Dense(2), layers.SimpleRNN(2),
    tf.compat.v2.keras.layers.BatchNormalization(), tf.layers.Dense(2), Plain(),
):  # fmt: skip
    print(layers.TimeDistributed(layer)._always_use_reshape)
normed = layers.TimeDistributed(layers.BatchNormalization())
before = len(names(0))
y = normed(x, training=True)
print(y.name, [update.name for update in normed.updates])
print("\n".join(names(before)))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(np.round(session.run(y), 4))

both = layers.Bidirectional(layers.LSTM(2, stateful=True), batch_input_shape=(2, 3, 4))
model = tf.keras.Sequential([both])
print(both.stateful, model.stateful, both.constraints, both.forward_layer.stateful)

images = layers.ConvLSTM2D(2, 2, stateful=True, batch_input_shape=(2, 3, 5, 5, 2))
model = tf.keras.Sequential([images])
try:
    images.reset_states([np.ones((2, 4, 4, 3))] * 2)
except ValueError as error:
    print(error)
