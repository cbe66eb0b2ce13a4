"""Models that Keras has ready made, and TF 2's batch normalization.

The cases are of the same form as those in `keras_cases`.
"""

from __future__ import annotations

import numpy as np


def _data():
    rng = np.random.RandomState(7)
    return rng.randn(8, 3).astype("f"), rng.randn(8, 2).astype("f"), rng.randn(8, 1).astype("f")


def linear(tf, report):
    model = tf.keras.experimental.LinearModel(
        2, "relu", kernel_initializer="ones", bias_regularizer=tf.keras.regularizers.l2(0.1)
    )
    model.compile("sgd", "mse")
    x, y, _ = _data()
    report.give("losses", [model.train_on_batch(x, y) for _ in range(3)])
    report.give("weights", model.get_weights())
    report.give("predict", model.predict(x))
    report.say(sorted(model.get_config().items(), key=lambda item: item[0]))
    again = type(model).from_config(model.get_config())
    report.say(again.units, again.use_bias)


def linear_of_several(tf, report):
    model = tf.keras.experimental.LinearModel(use_bias=False)
    a, b, y = _data()
    model.compile(tf.keras.optimizers.Adam(0.1), "mse", metrics=["mae"])
    history = model.fit([a, b], y, epochs=2, batch_size=4, shuffle=False, verbose=0)
    report.give("losses", history.history["loss"])
    report.give("evaluate", model.evaluate([a, b], y, verbose=0))


def _wide_deep(tf):
    linear = tf.keras.experimental.LinearModel(kernel_initializer="zeros")
    dnn = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    return tf.keras.experimental.WideDeepModel(linear, dnn, activation="tanh")


def wide_deep(tf, report):
    model = _wide_deep(tf)
    model.compile(["sgd", "adam"], "mse", ["mse"])
    a, b, y = _data()
    report.give("losses", [model.train_on_batch([a, b], y) for _ in range(3)])
    report.give("weights", model.get_weights())
    report.say(sorted(model.get_config()))


def wide_deep_of_one(tf, report):
    linear = tf.keras.experimental.LinearModel()
    model = tf.keras.experimental.WideDeepModel(linear, tf.keras.Sequential([
        tf.keras.layers.Dense(3, activation="relu"), tf.keras.layers.Dense(1),
    ]))  # fmt: skip
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    x, _, y = _data()
    history = model.fit(x, y, epochs=2, batch_size=4, shuffle=False, verbose=0)
    report.give("losses", history.history["loss"])


def batch_normalization_v2(tf, report):
    """TF 2's layer: where it is not trainable it normalises by the moving averages."""
    layer = tf.compat.v2.keras.layers.BatchNormalization
    model = tf.keras.Sequential([layer(input_shape=(2, 2, 3)), tf.keras.layers.Flatten()])
    frozen = layer(renorm=True)
    frozen.trainable = False
    model.add(frozen)
    model.add(tf.keras.layers.Dense(1))
    model.compile("sgd", "mse")
    x = np.random.RandomState(3).randn(6, 2, 2, 3).astype("f")
    report.give("losses", [model.train_on_batch(x, x[:, 0, 0, :1]) for _ in range(3)])
    report.give("weights", model.get_weights())
    report.say([item.fused for item in (model.layers[0], frozen)], len(frozen.updates))


NETS = {
    f.__name__: f
    for f in (linear, linear_of_several, wide_deep, wide_deep_of_one, batch_normalization_v2)
}
CALLS = {}


def _more_inputs(tf):
    model = tf.keras.experimental.LinearModel()
    model(tf.ones([2, 3]))
    model.call([tf.ones([2, 3]), tf.ones([2, 3])])


def _several_optimizers(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
    model.compile(["sgd", "adam"], "mse")
    model.train_on_batch(np.ones([2, 3]), np.ones([2, 1]))


def _fused(**kwargs):
    def case(tf):
        layer = tf.compat.v2.keras.layers.BatchNormalization(fused=True, **kwargs)
        layer(tf.ones([2, 3]))

    return case


MISTAKES = {
    "more inputs": _more_inputs,
    "several optimizers": _several_optimizers,
    "fused vectors": _fused(),
    "fused axis": _fused(axis=2),
    "fused and renormalised": _fused(renorm=True),
    "fused virtual batches": _fused(virtual_batch_size=2),
    "fused and adjusted": _fused(adjustment=len),
}
