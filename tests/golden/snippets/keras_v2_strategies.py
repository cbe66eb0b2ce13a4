"""Keras models in `tf.compat.v2`'s strategies, in graphs: losses, and operations as layers."""

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)

X = np.linspace(0, 1, 40).reshape(20, 2).astype("float32")
Y = X.sum(1, keepdims=True)
layers = tf.keras.layers


def plain():
    return tf.keras.Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])


def with_operations():
    inputs = tf.keras.Input((2,))
    hidden = layers.Dense(3, kernel_initializer="ones")(inputs)
    outputs = layers.Dense(1, kernel_initializer="ones")(hidden * 2.0 + 1.0)
    model = tf.keras.Model(inputs, outputs)
    model.add_loss(tf.reduce_mean(hidden))
    model.add_metric(tf.reduce_sum(outputs), name="total", aggregation="mean")
    return model


for make in (plain, with_operations):
    strategy = tf.compat.v2.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope():
        model = make()
        model.compile("sgd", "mse")
    found = model.fit(X, Y, batch_size=5, epochs=2, shuffle=False, verbose=0).history
    print(make.__name__, [(key, np.round(found[key], 3).tolist()) for key in sorted(found)])
    print(np.round(model.evaluate(X, Y, batch_size=10, verbose=0), 3))
    print(np.round(model.predict(X, batch_size=10)[:3], 3).tolist())
