"""What the loops of eager training tell callbacks, without and with strategies, for optimizers of
Keras and of tf.train; other strategies, and models that are made outside of one."""

import contextlib

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)
CPU = tf.config.experimental.list_physical_devices("CPU")[0]
tf.config.experimental.set_virtual_device_configuration(
    CPU, [tf.config.experimental.VirtualDeviceConfiguration()] * 2
)
X = np.arange(40, dtype=np.float32).reshape(10, 4) % 7 / 4
Y = X[:, :1] * 2 - X[:, 1:2]


def rounded(value):
    if isinstance(value, dict):
        return [(key, rounded(value[key])) for key in sorted(value)]
    return np.round(np.array(value, np.float64), 3).tolist()


def show(what, call):
    try:
        print(what, rounded(call()))
    except AssertionError:
        print(what, "AssertionError")
    except (NotImplementedError, ValueError) as error:
        print(what, type(error).__name__, str(error).split("\n")[0][:70].split("<")[0])


class Note(tf.keras.callbacks.Callback):
    """Notes what is told of batches."""

    def __init__(self):
        super().__init__()
        self.found = []

    def note(self, what, batch, logs):
        logs = dict(logs)
        outputs = logs.pop("outputs", None)
        if outputs is not None:
            outputs = outputs if isinstance(outputs, list) else [outputs]
            logs["outputs"] = [isinstance(x, np.ndarray) for x in outputs]
        self.found.append((what, batch, rounded(logs)))

    def on_train_batch_begin(self, batch, logs=None):
        self.note("begin", batch, logs)

    def on_train_batch_end(self, batch, logs=None):
        self.note("end", batch, logs)

    def on_test_batch_end(self, batch, logs=None):
        self.note("tested", batch, logs)

    def on_predict_batch_begin(self, batch, logs=None):
        self.note("begin", batch, logs)

    def on_predict_batch_end(self, batch, logs=None):
        self.note("predicted", batch, logs)


class Batches(tf.keras.utils.Sequence):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return X[index * 4 : index * 4 + 4], Y[index * 4 : index * 4 + 4]


def batches():
    while True:
        yield X[:4], Y[:4]


def made():
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(1, input_shape=(4,), kernel_initializer="ones")])
    return model


def inside(strategy):
    return strategy.scope() if strategy else contextlib.nullcontext()


class Subclass(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, x):
        return self.dense(x)


STRATEGIES = [
    ("none", lambda: None),
    ("one device", lambda: tf.distribute.OneDeviceStrategy("/cpu:0")),
    ("mirrored", lambda: tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])),
]
OPTIMIZERS = [
    ("keras", lambda: tf.keras.optimizers.SGD(0.05), {}),
    ("tf.train", lambda: tf.train.GradientDescentOptimizer(0.05), {}),
    ("older", lambda: tf.keras.optimizers.SGD(0.05), {"experimental_run_tf_function": False}),
]
for strategy_name, make in STRATEGIES:
    strategy = make()
    for optimizer_name, optimizer, kwargs in OPTIMIZERS:
        if (strategy_name, optimizer_name) == ("one device", "older"):
            continue
        print("##", strategy_name, optimizer_name)

        def compiled(**more):
            with inside(strategy):
                model = made()
                model.compile(optimizer(), "mse", metrics=["mae"], **dict(kwargs, **more))
            return model

        model = compiled()
        data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
        runs = [
            ("arrays", lambda n: model.fit(
                X, Y, 4, 2, shuffle=False, verbose=0, callbacks=[n]
            )),
            ("steps", lambda n: model.fit(
                data.repeat(), steps_per_epoch=3, verbose=0, callbacks=[n]
            )),
            ("tested", lambda n: model.evaluate(X, Y, 4, verbose=0, callbacks=[n])),
            ("predicted", lambda n: model.predict(data.map(lambda x, y: x), callbacks=[n])),
        ]  # fmt: skip
        if strategy is None or optimizer_name == "keras":
            runs += [
                ("generator", lambda n: model.fit(
                    batches(), steps_per_epoch=2, verbose=0, callbacks=[n]
                )),
                ("sequence", lambda n: model.fit(
                    Batches(), verbose=0, shuffle=False, callbacks=[n]
                )),
                ("sequence predicted", lambda n: model.predict(Batches(), callbacks=[n])),
            ]  # fmt: skip
        for what, run in runs:
            note = Note()
            run(note)
            print(what)
            for line in note.found:
                print("   ", *line)
        settings = {"batch_size": 4, "shuffle": False, "verbose": 0}
        show("lists", lambda: compiled().fit(X.tolist(), Y.tolist(), **settings).history)
        show("tensors", lambda: model.fit(tf.constant(X), tf.constant(Y), **settings).history)
        show("split", lambda: model.fit(X, Y, validation_split=0.2, **settings).history)
        weights = np.arange(10.0)
        show("weights", lambda: model.fit(X, Y, sample_weight=weights, **settings).history)
        show("by steps", lambda: model.fit(
            X, Y, steps_per_epoch=2, shuffle=False, verbose=0
        ).history)  # fmt: skip
        show("weighted metrics", lambda: compiled(weighted_metrics=["mse"]).evaluate(
            X, Y, verbose=0
        ))  # fmt: skip
        show("eagerly", lambda: compiled(run_eagerly=True).fit(X, Y, **settings).history)
        show("targets", lambda: compiled(target_tensors=[tf.constant(Y)]).fit(
            X, None, batch_size=10, verbose=0
        ).history)  # fmt: skip
        if strategy_name != "mirrored":
            show("batch", lambda: model.train_on_batch(X[:4], Y[:4]))
            show("batch tested", lambda: model.test_on_batch(X[:4], Y[:4]))
        with inside(strategy):
            subclass = Subclass()
            subclass.compile(optimizer(), "mse", metrics=["mae"], **kwargs)
        show("subclass", lambda: subclass.fit(X, Y, **settings).history)
        if strategy is None:
            continue

        def outside():
            model = made()
            model.compile(optimizer(), "mse", distribute=strategy, **kwargs)
            history = model.fit(X, Y, epochs=2, **settings).history
            return {
                "history": history["loss"], "evaluated": model.evaluate(X, Y, verbose=0),
                "predicted": model.predict(X[:3]), "weights": model.get_weights()[0].ravel(),
            }  # fmt: skip

        show("outside", outside)

distribute, contrib = tf.distribute.experimental, tf.contrib.distribute
second = tf.compat.v2.distribute.experimental
OTHERS = [
    ("central storage", distribute.CentralStorageStrategy),
    ("parameter server", distribute.ParameterServerStrategy),
    ("contrib parameter server", contrib.ParameterServerStrategy),
    ("workers", distribute.MultiWorkerMirroredStrategy),
    ("contrib all-reduce", contrib.CollectiveAllReduceStrategy),
    ("second workers", second.MultiWorkerMirroredStrategy),
    ("contrib one device", lambda: contrib.OneDeviceStrategy("/cpu:0")),
]
for name, make in OTHERS:
    strategy = make()
    print("##", name)
    for optimizer_name, optimizer, kwargs in OPTIMIZERS[: 2 if name == "central storage" else 1]:
        with strategy.scope():
            model = made()
            model.compile(optimizer(), "mse", metrics=["mae"])
        print([type(v).__name__ for v in model.weights])
        show("fit", lambda: model.fit(
            X, Y, 4, 2, shuffle=False, verbose=0, validation_data=(X[:5], Y[:5])
        ).history)  # fmt: skip
        data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
        show("dataset", lambda: model.fit(data, epochs=2, verbose=0).history)
        show("evaluated", lambda: model.evaluate(data, verbose=0))
        show("predicted", lambda: model.predict(X[:3]))
with distribute.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0").scope():
    try:
        made().compile("sgd", "mse", metrics=["mae"])
    except NotImplementedError:
        print("several replicas of central storage are refused")
