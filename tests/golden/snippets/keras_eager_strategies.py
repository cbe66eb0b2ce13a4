"""Keras models under distribution strategies in eager execution."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)
CPU = tf.config.experimental.list_physical_devices("CPU")[0]
tf.config.experimental.set_virtual_device_configuration(
    CPU, [tf.config.experimental.VirtualDeviceConfiguration()] * 2
)
X = np.arange(30, dtype=np.float32).reshape(10, 3) / 10
Y = X.sum(1, keepdims=True) * 2
CLASSES = np.arange(10) % 3
STRATEGIES = [
    ("mirrored", lambda: tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])),
    ("one device", lambda: tf.distribute.OneDeviceStrategy("/cpu:0")),
]  # fmt: skip


def show(what, value):
    if isinstance(value, dict):
        value = {key: np.round(value[key], 4).tolist() for key in sorted(value)}
        print(what, value)
    else:
        print(what, np.round(np.array(value, np.float64), 4).ravel().tolist())


def dense(units, **kwargs):
    return tf.keras.layers.Dense(units, kernel_initializer="ones", **kwargs)


def linear(optimizer="sgd", loss="mse", **kwargs):
    model = tf.keras.Sequential([dense(1, input_shape=(3,))])
    model.compile(optimizer, loss, metrics=["mae"], **kwargs)
    return model


class Note(tf.keras.callbacks.Callback):
    """Prints what the loop tells of batches."""

    def on_train_batch_end(self, batch, logs=None):
        print("batch", batch, sorted(logs), np.round(float(logs["loss"]), 3), logs["size"])


for name, make in STRATEGIES:
    strategy = make()
    with strategy.scope():
        model = linear(tf.keras.optimizers.SGD(0.02))
    print("##", name)
    show("whole", model.fit(X[:8], Y[:8], 4, 2, shuffle=False, verbose=0).history)
    show("partial", model.fit(
        X, Y, batch_size=4, epochs=2, shuffle=False, verbose=0, callbacks=[Note()],
        validation_data=(X[:5], Y[:5]),
    ).history)  # fmt: skip
    show("evaluated", model.evaluate(X, Y, batch_size=4, verbose=0))
    show("predicted", model.predict(X, batch_size=4))
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
    show("dataset", model.fit(data, epochs=2, verbose=0, validation_data=data).history)
    show("steps", model.fit(data.repeat(), epochs=2, steps_per_epoch=3, verbose=0).history)
    show("evaluated", model.evaluate(data, verbose=0))
    show("predicted", model.predict(data.map(lambda x, y: x)))
    show("weights", model.fit(
        X, Y, batch_size=4, shuffle=False, verbose=0, sample_weight=np.arange(10.0)
    ).history)  # fmt: skip
    show("variables", np.concatenate([v.numpy().ravel() for v in model.weights]))

strategy = STRATEGIES[0][1]()
with strategy.scope():
    inputs = [tf.keras.Input((3,), name="a"), tf.keras.Input((3,), name="b")]
    hidden = dense(4, activation="tanh", kernel_regularizer="l2")(tf.keras.layers.add(inputs))
    outputs = [dense(1, name="y")(hidden), dense(3, activation="softmax", name="c")(hidden)]
    model = tf.keras.Model(inputs, outputs)
    model.compile(
        tf.keras.optimizers.Adam(0.05),
        {"y": "mse", "c": "sparse_categorical_crossentropy"},
        metrics={"c": ["accuracy"], "y": tf.keras.metrics.MeanSquaredError(name="m")},
        loss_weights={"y": 0.5, "c": 2.0},
    )
history = model.fit([X, X], [Y, CLASSES], batch_size=4, epochs=2, shuffle=False, verbose=0)
show("several", history.history)
show("several evaluated", model.evaluate([X, X], [Y, CLASSES], batch_size=4, verbose=0))
for part in model.predict([X, X], batch_size=6):
    show("several predicted", part)

for reduction in ("sum", "sum_over_batch_size"):
    with strategy.scope():
        loss = tf.keras.losses.MeanSquaredError(reduction)
        model = linear("rmsprop", loss)
    show(reduction, model.fit(X[:8], Y[:8], 4, 2, shuffle=False, verbose=0).history)

with strategy.scope():
    normalization = tf.keras.layers.BatchNormalization(input_shape=(3,), momentum=0.5)
    model = tf.keras.Sequential([normalization, dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), "mse")
show("normalized", model.fit(X[:8], Y[:8], 4, 2, shuffle=False, verbose=0).history)
show("moving", np.concatenate([v.numpy().ravel() for v in normalization.weights]))

with strategy.scope():
    model = linear(run_eagerly=True, weighted_metrics=["mse"])
weights = np.arange(8.0)
show("eagerly", model.fit(
    X[:8], Y[:8], 4, 2, shuffle=False, verbose=0, sample_weight=weights
).history)  # fmt: skip

outside = tf.keras.Sequential([dense(1, input_shape=(3,))])


def compile_in_scope(model, **kwargs):
    with strategy.scope():
        model.compile("sgd", "mse", **kwargs)


def fit_class_weight():
    with strategy.scope():
        linear().fit(X, Y, verbose=0, class_weight={0: 1.0})


REFUSED = [
    ("made outside", lambda: compile_in_scope(outside)),
    ("sample_weight_mode", lambda: compile_in_scope(outside, sample_weight_mode="temporal")),
    ("class_weight", fit_class_weight),
    ("split", lambda: model.fit(X, Y, validation_split=0.2, verbose=0)),
    ("weighted metrics", lambda: compile_in_scope(outside, weighted_metrics=["mae"])),
]
for what, call in REFUSED:
    try:
        call()
    except (NotImplementedError, TypeError, ValueError) as error:
        print(what, type(error).__name__, str(error).split("\n")[0][:60])
    else:
        print(what, "works")
