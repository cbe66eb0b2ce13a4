"""Random numbers of models in eager execution: seeds as of TF's steps, for batches of all sizes."""

import numpy as np
import tensorflow as tf

tf.compat.v1.enable_v2_behavior()


def seed():
    tf.compat.v2.random.set_seed(3)


class Log(tf.keras.callbacks.Callback):
    def __init__(self):
        super(Log, self).__init__()
        self.r = []

    def on_batch_end(self, b, logs=None):
        self.r.append(round(float(logs["loss"]), 4))

    def on_test_batch_end(self, b, logs=None):
        self.r.append(("t", round(float(logs["loss"]), 4)))


class M(tf.keras.Model):
    def __init__(self):
        super(M, self).__init__()
        self.d = tf.keras.layers.Dropout(0.5)
        self.e = tf.keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, x):
        return self.e(self.d(x))


def lazy():
    return tf.keras.Sequential(
        [tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(1, kernel_initializer="ones")]
    )


x, y = np.ones([10, 4], "f"), np.ones([10, 1], "f")
for name, make in (("sub", M), ("lazy", lazy)):
    for n, bs in ((8, 4), (10, 4)):
        for kw in ({}, {"run_eagerly": True}):
            seed()
            m = make()
            m.compile("sgd", "mse", **kw)
            log = Log()
            m.fit(
                x[:n],
                y[:n],
                batch_size=bs,
                epochs=2,
                verbose=0,
                callbacks=[log],
                validation_data=(x, y),
            )
            print(name, n, bs, kw, log.r)
    seed()
    m = make()
    m.compile("sgd", "mse")
    log = Log()
    m.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(4), epochs=2, verbose=0, callbacks=[log])
    print(name, "ds", log.r)
    seed()
    m = make()
    m.compile("sgd", "mse")
    print(name, "tob", [round(float(m.train_on_batch(x[:n], y[:n])), 4) for n in (4, 3, 4, 4, 3)])

    def gen():
        while True:
            yield x[:4], y[:4]
            yield x[:2], y[:2]

    seed()
    m = make()
    m.compile("sgd", "mse")
    log = Log()
    m.fit_generator(gen(), steps_per_epoch=4, epochs=2, verbose=0, callbacks=[log])
    print(name, "gen", log.r)
