"""Models that only run operation by operation (`dynamic=True`)."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)
x = (np.arange(12).reshape(4, 3) % 5 / 4).astype("float32")
y = x[:, :1]


def dense():
    return tf.keras.layers.Dense(1, kernel_initializer="ones")


class Rows(tf.keras.Model):
    def __init__(self):
        super(Rows, self).__init__(dynamic=True)
        self.dense = dense()

    def call(self, x):
        return self.dense(x) * sum(float(tf.reduce_sum(row)) for row in x)


class Scaled(tf.keras.layers.Layer):
    def __init__(self, **settings):
        super(Scaled, self).__init__(dynamic=True, **settings)

    def call(self, x):
        return x * float(tf.reduce_sum(x))

    def compute_output_shape(self, shape):
        return shape


def shown(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


def fitted(model, **settings):
    model.compile("sgd", "mse", **settings)
    history = model.fit(x, y, batch_size=2, shuffle=False, verbose=0).history
    losses = [(key, round(float(history[key][0]), 3)) for key in sorted(history)]
    return losses, model.run_eagerly, len(model.weights)


def on_batches(model):
    model.compile("sgd", "mse")
    found = model.evaluate(x, y, verbose=0), model.train_on_batch(x, y), model.test_on_batch(x, y)
    return [round(float(value), 3) for value in found], model.predict_on_batch(x).shape


a = tf.keras.Input((3,))
shown(lambda: Rows().run_eagerly)
shown(lambda: fitted(Rows()))
shown(lambda: fitted(Rows(), run_eagerly=False))
shown(lambda: fitted(Rows(), metrics=["mae"]))
shown(lambda: on_batches(Rows()))
shown(lambda: Rows().predict(x).round(3).tolist())
shown(lambda: fitted(tf.keras.Sequential([Scaled(input_shape=(3,)), dense()])))
shown(lambda: fitted(tf.keras.Sequential([Scaled(), dense()])))
shown(lambda: fitted(tf.keras.Model(a, dense()(Scaled()(a)))))
shown(lambda: tf.keras.Model(a, Scaled()(a)).predict(x).round(3).tolist())
shown(lambda: tf.keras.Model(a, Scaled()(a)).dynamic)
