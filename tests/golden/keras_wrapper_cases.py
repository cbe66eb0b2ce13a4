"""Keras models as estimators of scikit-learn."""

from __future__ import annotations

import numpy as np


def _build(tf, classes, loss, metrics=("accuracy",)):
    def build(units=4, rate=0.5):
        last = {"activation": "sigmoid" if classes == 1 else "softmax"} if classes else {}
        model = tf.keras.Sequential([
            tf.keras.layers.Dense(units, "tanh", input_shape=(3,)),
            tf.keras.layers.Dense(classes or 1, **last),
        ])  # fmt: skip
        model.compile(tf.keras.optimizers.SGD(rate), loss, metrics=list(metrics))
        return model

    return build


def _samples():
    x = np.random.RandomState(3).randn(12, 3).astype(np.float32)
    return x, np.array(["a", "b", "c"])[np.argmax(x, axis=1)]


def _used(report, name, model, x, y):
    report.give(name + "/loss", np.array(model.fit(x, y, shuffle=False).history["loss"]))
    report.say(model.predict(x).tolist(), " ".join(sorted(model.classes_)), model.n_classes_)
    report.give(name + "/likely", model.predict_proba(x))
    report.give(name + "/score", model.score(x, y))


def classifiers(tf, report):
    wrap = tf.keras.wrappers.scikit_learn.KerasClassifier
    x, y = _samples()
    model = wrap(_build(tf, 3, "categorical_crossentropy"), units=5, epochs=3, verbose=0)
    _used(report, "many", model, x, y)
    report.say(sorted(set(model.get_params())), model.get_params()["epochs"])
    report.say(model.set_params(batch_size=4) is model, sorted(model.sk_params.items()))
    report.say(sorted(model.filter_sk_params(tf.keras.Sequential.predict, {"steps": 1}).items()))

    class Own(wrap):
        def __call__(self, units=2):
            return _build(tf, 1, "binary_crossentropy")(units)

    model = Own(verbose=0, units=3)
    report.give("own/loss", np.array(model.fit(x, y == "a", epochs=2).history["loss"]))
    report.give("own/likely", model.predict_proba(x))


def regressor(tf, report):
    class Builder:
        def __call__(self, rate=0.1):
            return _build(tf, 0, "mse", ())(4, rate)

    x, _ = _samples()
    model = tf.keras.wrappers.scikit_learn.KerasRegressor(Builder(), rate=0.05, verbose=0)
    model.fit(x, x[:, 0], batch_size=6, shuffle=False)
    report.give("predict", model.predict(x))
    report.give("score", model.score(x, x[:, 0]))


def _unknown_parameter(tf):
    tf.keras.wrappers.scikit_learn.KerasRegressor(_build(tf, 0, "mse"), speed=3)


def _cube_of_labels(tf):
    wrap = tf.keras.wrappers.scikit_learn.KerasClassifier
    wrap(_build(tf, 1, "mse")).fit(np.zeros((2, 3)), np.zeros((2, 1, 1)))


def _no_accuracy(tf):
    model = tf.keras.wrappers.scikit_learn.KerasClassifier(_build(tf, 1, "mse", ()), verbose=0)
    x, y = _samples()
    model.fit(x, y == "a")
    model.score(x, y == "a")


NETS = {}
CALLS = {"classifiers": classifiers, "regressor": regressor}
MISTAKES = {
    "unknown_parameter": _unknown_parameter,
    "cube_of_labels": _cube_of_labels,
    "no_accuracy": _no_accuracy,
}
