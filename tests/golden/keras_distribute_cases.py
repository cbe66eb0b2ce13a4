"""Models of tf.keras in the scopes of distribution strategies, in graphs.

The cases are those of `keras_cases`: calls are compared by what they say and give, mistakes by the
exception that they raise.
"""

from __future__ import annotations

import numpy as np

NETS = {}

X = np.random.RandomState(0).randn(64, 4).astype(np.float32)
Y = X[:, :1] * 2 - X[:, 1:2]
CLASSES = (X[:, 0] > 0).astype(np.int32)
WEIGHTS = [
    np.random.RandomState(1).randn(4, 3).astype(np.float32),
    np.zeros(3, np.float32),
    np.random.RandomState(2).randn(3, 1).astype(np.float32),
    np.zeros(1, np.float32),
]


def _strategies(tf):
    # A strategy of one process takes its devices from the session.
    config = tf.ConfigProto(device_count={"CPU": 2}, allow_soft_placement=True)
    tf.keras.backend.set_session(tf.Session(config=config))
    yield "mirrored", tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    yield "one", tf.distribute.OneDeviceStrategy("/cpu:0")
    yield "central", tf.distribute.experimental.CentralStorageStrategy()
    devices = ["/cpu:0", "/cpu:1"]
    yield "contrib", tf.contrib.distribute.MirroredStrategy(devices)


def _mirrored(tf):
    return next(_strategies(tf))[1]


def _mlp(tf):
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [layers.Dense(3, activation="relu", input_shape=(4,)), layers.Dense(1)]
    )


def arrays(tf, report):
    for name, strategy in _strategies(tf):
        with strategy.scope():
            model = _mlp(tf)
            rmse = tf.keras.metrics.RootMeanSquaredError(name="rmse")
            model.compile("adam", "mse", metrics=["mae", rmse])
        model.set_weights(WEIGHTS)
        validation = (X[:32], Y[:32])
        report.fit(name, model, X, Y, batch_size=16, shuffle=False, validation_data=validation)
        report.give(name + "/evaluate", model.evaluate(X, Y, batch_size=16, verbose=0))
        report.give(name + "/predict", model.predict(X[:32], batch_size=16))
        for i, weight in enumerate(model.get_weights()):
            report.give("{}/weight{}".format(name, i), weight)
        report.say(model.metrics_names, [type(w).__name__ for w in model.weights])


def shuffled(tf, report):
    for name, strategy in _strategies(tf):
        tf.keras.backend.clear_session()
        tf.set_random_seed(3)
        with strategy.scope():
            model = _mlp(tf)
            model.compile("sgd", "mse")
        report.fit(name, model, X, Y, batch_size=16)


def datasets(tf, report):
    for name, strategy in _strategies(tf):
        with strategy.scope():
            model = _mlp(tf)
            model.compile("sgd", "mse", metrics=["mae"])
        model.set_weights(WEIGHTS)
        data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(16)
        report.fit(name, model, data)
        report.fit(name + "/steps", model, data.repeat(), steps_per_epoch=3)
        report.give(name + "/evaluate", model.evaluate(data, verbose=0))
        inputs = tf.data.Dataset.from_tensor_slices(X).batch(16)
        report.give(name + "/predict", model.predict(inputs))


def weighted_and_partial(tf, report):
    strategy = _mirrored(tf)
    with strategy.scope():
        model = _mlp(tf)
        model.compile("sgd", "mse", metrics=["mae"])
    model.set_weights(WEIGHTS)
    weights = np.linspace(0, 1, 64).astype(np.float32)
    report.fit("weighted", model, X, Y, sample_weight=weights, batch_size=16, shuffle=False)
    found = model.evaluate(X, Y, sample_weight=weights, batch_size=16, verbose=0)
    report.give("evaluate", found)
    report.fit("partial", model, X[:60], Y[:60], batch_size=16, shuffle=False)


def state_of_replicas(tf, report):
    layers = tf.keras.layers
    with _mirrored(tf).scope():
        model = tf.keras.Sequential([
            layers.Dense(3, input_shape=(4,)),
            layers.BatchNormalization(),
            layers.Dense(2, activation="softmax", kernel_regularizer="l2"),
        ])  # fmt: skip
        optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
        model.compile(optimizer, "sparse_categorical_crossentropy", metrics=["accuracy"])
    values = [np.full(w.shape.as_list(), 0.2 + 0.1 * i) for i, w in enumerate(model.weights)]
    model.set_weights(values)
    report.fit("fit", model, X, CLASSES, batch_size=16, shuffle=False)
    for i, weight in enumerate(model.get_weights()):
        report.give("weight{}".format(i), weight)
    for i, copy in enumerate(model.layers[1].moving_mean.values):
        report.give("copy{}".format(i), tf.keras.backend.get_session().run(copy))


def several_inputs_and_outputs(tf, report):
    layers = tf.keras.layers
    with _mirrored(tf).scope():
        a, b = layers.Input((4,), name="a"), layers.Input((4,), name="b")
        hidden = layers.Add()([layers.Dense(3)(a), layers.Dense(3)(b)])
        outputs = [layers.Dense(1, name="u")(hidden), layers.Dense(1, name="v")(hidden)]
        model = tf.keras.Model([a, b], outputs)
        model.compile(
            "sgd", {"u": "mse", "v": "mae"}, loss_weights={"u": 1.0, "v": 0.5},
            metrics={"u": "mae"},
        )  # fmt: skip
    model.set_weights([np.full(w.shape, 0.1 * (i + 1)) for i, w in enumerate(model.get_weights())])
    report.fit("fit", model, [X, X * 2], [Y, Y], batch_size=16, shuffle=False)
    report.give("evaluate", model.evaluate([X, X], [Y, Y], batch_size=16, verbose=0))
    for i, found in enumerate(model.predict([X[:16], X[:16]], batch_size=16)):
        report.give("predict{}".format(i), found)


def made_outside(tf, report):
    model = _mlp(tf)
    model.compile("sgd", "mse", metrics=["mae"], distribute=_mirrored(tf))
    model.set_weights(WEIGHTS)
    validation = (X[:32], Y[:32])
    report.fit("fit", model, X, Y, batch_size=16, shuffle=False, validation_data=validation)
    report.give("predict", model.predict(X[:16], batch_size=16))
    for i, weight in enumerate(model.get_weights()):
        report.give("weight{}".format(i), weight)


def of_tf_train(tf, report):
    with _mirrored(tf).scope():
        model = _mlp(tf)
        model.compile(tf.train.AdamOptimizer(0.01), "mse")
    model.set_weights(WEIGHTS)
    with report.printed():
        report.fit("fit", model, X, Y + 1, batch_size=16, shuffle=False, verbose=2)


def callbacks(tf, report):
    with _mirrored(tf).scope():
        model = _mlp(tf)
        model.compile("sgd", "mse")
    model.set_weights(WEIGHTS)
    schedule = tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.1 / (epoch + 1))
    report.fit("fit", model, X, Y, batch_size=16, shuffle=False, callbacks=[schedule])
    model.save_weights(report.folder + "/weights")
    other = _mlp(tf)
    other.load_weights(report.folder + "/weights")
    report.give("predict", other.predict(X[:4]))


CALLS = {
    f.__name__: f
    for f in (
        arrays, shuffled, datasets, weighted_and_partial, state_of_replicas,
        several_inputs_and_outputs, made_outside, of_tf_train, callbacks,
    )
}  # fmt: skip


def _mistake(act, **settings):
    def run(tf):
        with _mirrored(tf).scope():
            model = _mlp(tf)
            model.compile("sgd", "mse", **settings)
        if act is not None:
            act(model)

    return run


def _generator():
    while True:
        yield X[:16], Y[:16]


def unknown_shape(tf):
    with _mirrored(tf).scope():
        tf.keras.Sequential([tf.keras.layers.Dense(1)]).compile("sgd", "mse")


def rate_of_another_optimizer(tf):
    with _mirrored(tf).scope():
        model = _mlp(tf)
        model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")

    class Scheduler(tf.keras.callbacks.LearningRateScheduler):
        def __repr__(self):
            return "the scheduler"

    model.fit(X, Y, callbacks=[Scheduler(lambda epoch: 0.1)], verbose=0)


MISTAKES = {
    "fit_generator": _mistake(lambda m: m.fit_generator(_generator(), 2)),
    "evaluate_generator": _mistake(lambda m: m.evaluate_generator(_generator(), 2)),
    "predict_generator": _mistake(lambda m: m.predict_generator(_generator(), 2)),
    "validation_split": _mistake(lambda m: m.fit(X, Y, validation_split=0.5, verbose=0)),
    "class_weight": _mistake(lambda m: m.fit(X, Y, class_weight={0: 1.0}, verbose=0)),
    "batch_size": _mistake(lambda m: m.evaluate(X, Y, batch_size=15, verbose=0)),
    "steps": _mistake(lambda m: m.fit(X, Y, steps_per_epoch=5, verbose=0)),
    "too_few": _mistake(lambda m: m.fit(X, Y, steps_per_epoch=5, batch_size=32, verbose=0)),
    "sample_weight_mode": _mistake(None, sample_weight_mode="temporal"),
    "weighted_metrics": _mistake(None, weighted_metrics=["mae"]),
    "unknown_shape": unknown_shape,
    "rate_of_another_optimizer": rate_of_another_optimizer,
}
