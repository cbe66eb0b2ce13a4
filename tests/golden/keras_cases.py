"""Small nets of tf.keras: how they are recorded, what they print, and how they train.

Every function in `NETS` takes the `tensorflow` module and a `Report`, on which it says what is
compared as text and gives what is compared as numbers; the graph that it leaves is compared node
for node. `CALLS` are the same, without the graph. `MISTAKES` are compared by the exception that
they raise.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import tempfile

import numpy as np
import recording

# `get_session` asks the variables that it finds in a weak set whether they are initialised: their
# order is another one in every run of TensorFlow.
_UNORDERED = re.compile(r"(VarIsInitializedOp(_\d+)?|init(_\d+)?)$")


class Report:
    """What a case says and gives.

    Attributes:
        said: texts.
        values: arrays, by a name.
    """

    def __init__(self):
        self.said = []
        self.values = {}
        self.folder = tempfile.mkdtemp()

    def say(self, *texts):
        """Adds texts."""
        self.said += [str(text).replace(self.folder, "<folder>") for text in texts]

    def give(self, name, value):
        """Adds numbers."""
        assert name not in self.values, name
        self.values[name] = value

    def summary(self, model, **kwargs):
        """Says what `summary` prints."""
        model.summary(print_fn=self.say, **kwargs)

    def config(self, model):
        """Says what `to_json` gives."""
        self.say(json.dumps(json.loads(model.to_json()), sort_keys=True))

    @contextlib.contextmanager
    def printed(self):
        """Says what is printed meanwhile, less the times."""
        stream = io.StringIO()
        with contextlib.redirect_stdout(stream):
            yield
        for line in re.split(r"[\n\r]+", stream.getvalue().replace("\b", "")):
            # Bars are drawn as often as there is time for it; the last one is always drawn.
            if line.strip() and "ETA" not in line:
                self.say(re.sub(r"\d+(s|ms|us)\b", "<time>", line.rstrip()))

    def fit(self, name, model, *args, **kwargs):
        """Fits a model and gives its history."""
        kwargs.setdefault("verbose", 0)
        kwargs.setdefault("epochs", 2)
        history = model.fit(*args, **kwargs).history
        self.say(sorted(history))
        for key, value in history.items():
            self.give("{}/{}".format(name, key), np.array(value, np.float64))


def described_graph(tf):
    """The default graph, less what is in no fixed order."""
    graph = recording.describe_graph(tf.get_default_graph())
    graph["nodes"] = [node for node in graph["nodes"] if not _UNORDERED.match(node[0])]
    graph["shapes"] = {k: v for k, v in graph["shapes"].items() if not _UNORDERED.match(k)}
    return graph


def run(tf, case):
    """Runs a case in an empty graph; returns what it says, and its values."""
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.keras.backend.clear_session()
    tf.set_random_seed(3)
    np.random.seed(5)
    report = Report()
    try:
        case(tf, report)
    finally:
        shutil.rmtree(report.folder)
    return report


def _data(*shapes):
    rng = np.random.RandomState(7)
    return [rng.randn(*shape).astype(np.float32) for shape in shapes]


def _collect(*group):
    return {f.__name__: f for f in group}


# ---- nets ----------


def mlp(tf, report):
    keras = tf.keras
    model = keras.Sequential([
        keras.layers.Dense(6, activation="relu", input_shape=(4,)),
        keras.layers.Dropout(0.2),
        keras.layers.Dense(3, activation="softmax"),
    ])  # fmt: skip
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    report.summary(model)
    report.config(model)
    (x,) = _data((20, 4))
    y = np.arange(20) % 3
    with report.printed():
        report.fit("fit", model, x, y, batch_size=8, validation_split=0.2, verbose=1)
    with report.printed():
        report.fit("again", model, x, y, batch_size=8, verbose=2, shuffle=False)
    with report.printed():
        report.give("evaluate", model.evaluate(x, y))
    report.give("predict", model.predict(x[:3]))
    report.say(model.metrics_names, [w.name for w in model.weights])


def cnn(tf, report):
    layers = tf.keras.layers
    i = layers.Input((8, 8, 3))
    x = layers.Conv2D(4, 3, padding="same", activation="relu", kernel_regularizer="l2")(i)
    x = layers.BatchNormalization()(x)
    x = layers.MaxPooling2D()(x)
    x = layers.DepthwiseConv2D(3, padding="same")(x)
    x = layers.SeparableConv2D(4, 2)(x)
    x = layers.Dropout(0.25)(layers.LeakyReLU()(x))
    x = layers.Flatten()(x)
    model = tf.keras.Model(i, layers.Dense(1, activation="sigmoid")(x))
    model.compile(
        tf.keras.optimizers.SGD(0.01, momentum=0.9, nesterov=True),
        "binary_crossentropy",
        metrics=["accuracy", tf.keras.metrics.AUC(num_thresholds=5)],
    )
    report.summary(model)
    report.config(model)
    (x,) = _data((12, 8, 8, 3))
    y = np.arange(12)[:, None] % 2
    report.fit("fit", model, x, y, batch_size=5, class_weight={0: 1.0, 1: 2.0})
    report.give("predict", model.predict(x))


def many_layers(tf, report):
    layers = tf.keras.layers
    i = layers.Input((6, 6, 2))
    x = layers.ZeroPadding2D()(i)
    x = layers.Cropping2D(1)(x)
    x = layers.UpSampling2D()(x)
    x = layers.PReLU(shared_axes=[1, 2])(x)
    x = layers.Conv2DTranspose(3, 2, strides=2)(x)
    x = layers.SpatialDropout2D(0.2)(x)
    x = layers.AlphaDropout(0.1)(layers.GaussianNoise(0.1)(x))
    a = layers.GlobalAveragePooling2D()(x)
    b = layers.GlobalMaxPooling2D()(x)
    x = layers.concatenate([a, b])
    x = layers.add([x, layers.multiply([x, x])])
    x = layers.Lambda(lambda v: v * 2.0)(x)
    x = layers.Dense(5, "elu", activity_regularizer=tf.keras.regularizers.l1(0.01))(x)
    x = layers.LayerNormalization()(x)
    x = layers.Flatten()(layers.Permute((2, 1))(layers.Reshape((5, 1))(x)))
    model = tf.keras.Model(i, layers.Dense(1)(x))
    model.compile("adadelta", "mse")
    report.summary(model)
    x, y = _data((6, 6, 6, 2), (6, 1))
    report.fit("fit", model, x, y, batch_size=4)


def text_classifier(tf, report):
    layers = tf.keras.layers
    i = layers.Input((5,))
    x = layers.Embedding(20, 4, mask_zero=True)(i)
    x = layers.LSTM(3, dropout=0.1, recurrent_dropout=0.2)(x)
    model = tf.keras.Model(i, layers.Dense(1, activation="sigmoid")(x))
    model.compile("rmsprop", "binary_crossentropy", metrics=["acc"])
    report.summary(model)
    x = np.random.RandomState(1).randint(0, 20, (12, 5))
    report.fit("fit", model, x, x[:, :1] % 2, batch_size=5)
    clone = tf.keras.Model.from_config(model.get_config())
    clone.set_weights(model.get_weights())
    report.give("predict", clone.predict(x))


def recurrent(tf, report):
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.GRU(3, reset_after=True, implementation=2, stateful=True, return_sequences=True,
                   batch_input_shape=(4, 3, 2)),
        layers.TimeDistributed(layers.Dense(2)),
        layers.Bidirectional(layers.SimpleRNN(2, return_sequences=True)),
        layers.LSTM(3, implementation=2, return_sequences=True, unroll=True),
        layers.RNN([layers.LSTMCell(3), layers.GRUCell(2)]),
        layers.Dense(1),
    ])  # fmt: skip
    model.compile(tf.keras.optimizers.Nadam(), "mse")
    report.summary(model)
    report.config(model)
    x, y = _data((8, 3, 2), (8, 1))
    report.fit("fit", model, x, y, batch_size=4, shuffle=False)
    first = model.predict(x, batch_size=4)
    second = model.predict(x, batch_size=4)
    model.reset_states()
    report.give("first", first)
    report.give("second", second)
    report.give("reset", model.predict(x, batch_size=4))


def sequence_to_sequence(tf, report):
    layers = tf.keras.layers
    encoded = layers.Input((3, 2))
    _, h, c = layers.LSTM(4, return_state=True)(encoded)
    decoded = layers.Input((4, 2))
    d = layers.LSTM(4, return_sequences=True)(decoded, initial_state=[h, c])
    model = tf.keras.Model([encoded, decoded], layers.Dense(2)(layers.Attention()([d, d])))
    model.compile(tf.keras.optimizers.Adagrad(), "mae", sample_weight_mode="temporal")
    report.summary(model)
    report.config(model)
    x, z, y = _data((6, 3, 2), (6, 4, 2), (6, 4, 2))
    report.fit("fit", model, [x, z], y, sample_weight=np.arange(24.0).reshape(6, 4))
    report.give("train", model.train_on_batch([x, z], y))


def two_inputs(tf, report):
    layers = tf.keras.layers
    i = layers.Input((3,))
    j = layers.Input((2,), name="j")
    x = layers.concatenate([layers.Dense(2)(i), j])
    a = layers.Dense(1, name="a")(x)
    b = layers.Dense(2, activation="softmax", name="b")(x)
    model = tf.keras.Model([i, j], [a, b])
    model.add_loss(tf.reduce_mean(x))
    model.add_metric(tf.reduce_sum(x), name="total", aggregation="mean")
    model.compile(
        "sgd",
        {"a": "mse", "b": "categorical_crossentropy"},
        loss_weights={"a": 0.5, "b": 1.0},
        metrics={"b": ["acc"]},
        weighted_metrics=["mae"],
    )
    report.summary(model)
    report.config(model)
    x, z, y = _data((6, 3), (6, 2), (6, 1))
    targets = {"a": y, "b": np.eye(2)[[0, 1, 1, 0, 1, 0]]}
    with report.printed():
        report.fit(
            "fit", model, [x, z], targets, batch_size=3, verbose=2, validation_split=0.3,
            sample_weight={"a": np.arange(6.0)},
        )  # fmt: skip
    clone = tf.keras.models.clone_model(model)
    report.summary(clone)


def subclassed(tf, report):
    keras = tf.keras

    class Scaled(keras.layers.Layer):
        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            self.units = units

        def build(self, input_shape):
            self.w = self.add_weight(
                "w", [int(input_shape[-1]), self.units], regularizer=keras.regularizers.l2(0.01)
            )
            super().build(input_shape)

        def call(self, inputs):
            self.add_loss(tf.reduce_sum(tf.abs(inputs)) * 0.001)
            y = keras.backend.dot(inputs, self.w)
            self.add_metric(y, name="mean_y", aggregation="mean")
            return y

    class Net(keras.Model):
        def __init__(self):
            super().__init__(name="net")
            self.first = keras.layers.Dense(4, activation="tanh")
            self.dropout = keras.layers.Dropout(0.3)
            self.rest = [Scaled(3), keras.layers.Dense(2)]

        def call(self, inputs, training=None):
            x = self.dropout(self.first(inputs), training=training)
            for layer in self.rest:
                x = layer(x)
            return x

    model = Net()
    model.compile(keras.optimizers.SGD(0.1, momentum=0.9, decay=0.01), "mse", metrics=["mae"])
    x, y = _data((12, 5), (12, 2))
    with report.printed():
        report.fit("fit", model, x, y, batch_size=5, verbose=1, validation_data=(x[:4], y[:4]))
    report.summary(model)
    report.say([w.name for w in model.weights], len(model.losses), model.metrics_names)
    report.give("predict", model.predict(x[:2]))
    report.give("evaluate", model.evaluate(x, y, verbose=0))


def custom_loss_and_metric(tf, report):
    keras = tf.keras

    class Total(keras.metrics.Metric):
        def __init__(self, name="total", **kwargs):
            super().__init__(name=name, **kwargs)
            self.total = self.add_weight(name="total", initializer="zeros")

        def update_state(self, y_true, y_pred, sample_weight=None):
            self.total.assign_add(tf.reduce_sum(tf.cast(y_true, tf.float32)))

        def result(self):
            return self.total

    class Fourth(keras.losses.Loss):
        def call(self, y_true, y_pred):
            return tf.reduce_mean((y_true - y_pred) ** 4, -1)

    def largest(y_true, y_pred):
        return keras.backend.max(y_pred)

    model = keras.Sequential([keras.layers.Dense(1, input_shape=(2,))])
    model.compile(
        tf.train.AdamOptimizer(0.1), Fourth(),
        metrics=[Total(), keras.metrics.AUC(num_thresholds=4), "logcosh", largest],
    )  # fmt: skip
    x, _ = _data((8, 2), (8, 1))
    with report.printed():
        report.fit("fit", model, x, np.arange(8.0)[:, None] % 2, verbose=2, batch_size=4)


def autoencoder(tf, report):
    layers = tf.keras.layers
    encoder = tf.keras.Sequential(
        [layers.Dense(4, "tanh", input_shape=(6,)), layers.Dense(2)], name="encoder"
    )
    decoder = tf.keras.Sequential([layers.Dense(6, input_shape=(2,))], name="decoder")
    i = layers.Input((6,))
    model = tf.keras.Model(i, decoder(encoder(i)))
    model.compile(tf.keras.optimizers.Adamax(), "mse")
    report.summary(model)
    report.config(model)
    (x,) = _data((10, 6))
    report.fit("fit", model, x, x, batch_size=4)
    report.give("codes", encoder.predict(x))
    encoder.trainable = False
    model.compile("sgd", "mse")
    report.fit("frozen", model, x, x, batch_size=4)
    report.give("same codes", encoder.predict(x))


def operations(tf, report):
    layers = tf.keras.layers
    i = layers.Input((3,))
    x = tf.nn.relu(layers.Dense(2)(i) + 1.0) * 2.0
    model = tf.keras.Model(i, tf.concat([x, x], 1))
    report.summary(model)
    model.compile("nadam", lambda a, b: tf.reduce_mean(tf.abs(a - b)))
    report.fit("fit", model, *_data((4, 3), (4, 4)))
    function = tf.keras.backend.function([model.input], [model.output])
    report.give("function", function([np.ones((1, 3))]))


def optimizers(tf, report):
    keras = tf.keras
    (x, y) = _data((6, 3), (6, 1))
    for name in (
        "SGD", "Adam", "RMSprop", "Adagrad", "Adadelta", "Adamax", "Nadam", "Ftrl",
    ):  # fmt: skip
        optimizer = getattr(keras.optimizers, name)(learning_rate=0.05, clipnorm=1.0)
        report.say(name, json.dumps(optimizer.get_config(), sort_keys=True))
    # The other nets train with the others.
    i = keras.layers.Input((3,))
    table = keras.layers.Embedding(4, 3)(keras.layers.Lambda(lambda v: v > 0)(i))
    model = keras.Model(i, keras.layers.Dense(1)(keras.layers.Flatten()(table)))
    model.compile(keras.optimizers.Ftrl(learning_rate=0.05, clipvalue=0.5), "mse")
    report.fit("fit", model, x, y, batch_size=3)


NETS = _collect(
    mlp, cnn, many_layers, text_classifier, recurrent, sequence_to_sequence, two_inputs,
    subclassed, custom_loss_and_metric, autoencoder, operations, optimizers,
)  # fmt: skip


# ---- calls ----------


def callbacks(tf, report):
    keras = tf.keras
    model = keras.Sequential([
        keras.layers.Dense(6, activation="relu", input_dim=5),
        keras.layers.Dense(3, activation="softmax"),
    ])  # fmt: skip
    model.compile("rmsprop", "sparse_categorical_crossentropy", metrics=["accuracy"])
    (x,) = _data((20, 5))
    log = os.path.join(report.folder, "log.csv")
    saved = os.path.join(report.folder, "weights-{epoch:02d}.ckpt")
    found = [
        keras.callbacks.EarlyStopping(patience=1, verbose=1, min_delta=0.2),
        keras.callbacks.ReduceLROnPlateau(patience=0, verbose=1, min_delta=0.1, cooldown=1),
        keras.callbacks.CSVLogger(log),
        keras.callbacks.ModelCheckpoint(
            saved, verbose=1, save_best_only=True, save_weights_only=True
        ),
        keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5, verbose=1),
        keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: report.say(sorted(logs))),
        keras.callbacks.TerminateOnNaN(),
    ]
    with report.printed():
        report.fit(
            "fit", model, x, np.arange(20) % 3, batch_size=7, epochs=5, verbose=2,
            validation_split=0.25, callbacks=found,
        )  # fmt: skip
    with open(log) as file:
        report.say(re.sub(r"(\d\.\d{3})\d*", r"\1", file.read()))
    report.say(sorted(os.listdir(report.folder))[:1])


def generators(tf, report):
    keras = tf.keras
    model = keras.Sequential([keras.layers.Dense(2, input_dim=3)])
    model.compile("sgd", "mse", metrics=["mae"])
    x, y = _data((20, 3), (20, 2))

    def batches():
        i = 0
        while True:
            yield x[i : i + 4], y[i : i + 4]
            i = (i + 4) % 20

    class Batches(keras.utils.Sequence):
        def __len__(self):
            return 4

        def __getitem__(self, index):
            return x[index * 5 : index * 5 + 5], y[index * 5 : index * 5 + 5]

    with report.printed():
        history = model.fit_generator(
            batches(), steps_per_epoch=3, epochs=2, verbose=2, validation_data=(x[:4], y[:4])
        ).history
    report.give("generator", [history[key] for key in sorted(history)])
    history = model.fit_generator(Batches(), epochs=2, verbose=0, shuffle=False).history
    report.give("sequence", [history[key] for key in sorted(history)])
    report.give("fit", model.fit(Batches(), verbose=0, shuffle=False).history["loss"])
    report.give("evaluate", model.evaluate_generator(Batches()))
    report.give("predict", model.predict_generator(Batches()))


def batches(tf, report):
    keras = tf.keras
    model = keras.Sequential([keras.layers.Dense(2, input_dim=3)])
    model.compile("adam", "mse", metrics=["mae"], weighted_metrics=["mse"])
    x, y = _data((6, 3), (6, 2))
    weights = np.arange(6.0)
    report.give("train", model.train_on_batch(x, y, sample_weight=weights))
    report.give("more", model.train_on_batch(x, y, reset_metrics=False))
    report.give("test", model.test_on_batch(x, y))
    report.give("predict", model.predict_on_batch(x))
    report.give("weights", model.get_weights())
    report.give("optimizer", model.optimizer.get_weights())


def losses_and_metrics(tf, report):
    keras = tf.keras
    x, y, _ = _data((4, 3), (4, 3), (1,))
    p = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    hot = np.eye(3, dtype=np.float32)[[0, 2, 1, 1]]
    session = keras.backend.get_session()
    for name in sorted(dir(keras.losses)):
        cls = getattr(keras.losses, name)
        if isinstance(cls, type) and name not in ("Loss", "Reduction"):
            target = np.array([0, 2, 1, 1]) if name.startswith("Sparse") else hot
            loss = cls()
            report.say(name, json.dumps(loss.get_config(), sort_keys=True))
            value = loss(tf.constant(target), tf.constant(p), sample_weight=[1.0, 0.5, 2.0, 0.0])
            report.give(name, session.run(value))
    for name in sorted(dir(keras.metrics)):
        cls = getattr(keras.metrics, name)
        if not isinstance(cls, type) or name in ("Metric", "MeanMetricWrapper"):
            continue
        args = {
            "MeanIoU": [3], "SensitivityAtSpecificity": [0.5], "SpecificityAtSensitivity": [0.5],
            "MeanRelativeError": [np.ones((4, 3), np.float32)],
        }.get(name, [])  # fmt: skip
        metric = cls(*args)
        if name in ("Mean", "MeanTensor", "Sum"):
            inputs = [x]
        elif name.startswith("Sparse"):
            inputs = [np.array([[0], [2], [1], [1]]), p]
        elif name == "MeanIoU":
            inputs = [np.array([0, 2, 1, 1]), np.array([0, 1, 1, 2])]
        else:
            inputs = [hot, p]
        value = metric(*[tf.constant(one) for one in inputs])
        session.run(tf.variables_initializer(metric.variables))
        report.say(name, metric.name)
        report.give("metric " + name, [session.run(value), session.run(metric.result())])


def fed_shapes(tf, report):
    """Functions, and so models, take arrays of other shapes than their placeholders have."""
    K = tf.keras.backend
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, "softmax", input_shape=(3, 2))])
    model.compile("sgd", "sparse_categorical_crossentropy")
    (x,) = _data((4, 3, 2))
    report.give("targets", model.train_on_batch(x, np.arange(12).reshape(4, 3) % 3))
    report.fit("fit", model, x, np.arange(12).reshape(4, 3) % 3, shuffle=False)
    wide = K.placeholder((None, 3))
    doubled = K.function([wide], [wide * 2])
    report.give("wide", doubled([np.ones((2, 4))]))
    report.give("deep", doubled([np.ones((2, 3, 1))]))


CALLS = _collect(callbacks, generators, batches, losses_and_metrics, fed_shapes)


# ---- mistakes ----------


def _compiled(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
    return model


def input_of_another_shape(tf):
    _compiled(tf).fit(np.ones((3, 3)), np.ones((3, 1)))


def fewer_targets(tf):
    _compiled(tf).fit(np.ones((3, 2)), np.ones((4, 1)))


def not_compiled(tf):
    tf.keras.Sequential([tf.keras.layers.Dense(2)]).fit(np.ones((3, 2)), np.ones((4, 1)))


def unknown_layer(tf):
    _compiled(tf).get_layer("other")


def unknown_last_dimension(tf):
    tf.keras.layers.Dense(2)(tf.keras.layers.Input((None,)))


def unknown_optimizer(tf):
    _compiled(tf).compile("other", "mse")


def unknown_loss(tf):
    _compiled(tf).compile("sgd", "other")


def rank_of_a_sequence(tf):
    tf.keras.layers.LSTM(3)(tf.keras.layers.Input((3,)))


def model_of_plain_tensors(tf):
    tf.keras.Model(tf.ones((2, 2)), tf.ones((2, 2)))


def weights_of_another_shape(tf):
    _compiled(tf).set_weights([np.ones((3, 1)), np.ones(1)])


def layer_that_is_none(tf):
    tf.keras.Sequential().add(3)


def disconnected(tf):
    i = tf.keras.layers.Input((2,))
    tf.keras.Model(tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)(i))


def unknown_config(tf):
    tf.keras.layers.deserialize({"class_name": "Other", "config": {}})


def shapes_to_merge(tf):
    layers = tf.keras.layers
    layers.add([layers.Input((2,)), layers.Input((3,))])


def summary_before_build(tf):
    tf.keras.Sequential([tf.keras.layers.Dense(2)]).summary()


MISTAKES = _collect(
    input_of_another_shape, fewer_targets, not_compiled, unknown_layer,
    unknown_last_dimension, unknown_optimizer, unknown_loss, rank_of_a_sequence,
    model_of_plain_tensors, weights_of_another_shape, layer_that_is_none, disconnected,
    unknown_config, shapes_to_merge, summary_before_build,
)  # fmt: skip
