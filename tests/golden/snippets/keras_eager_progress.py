"""What Keras's newer loop of eager execution prints, reports and knows of its data."""

import contextlib
import io
import re

import numpy as np
import tensorflow as tf

tf.compat.v1.enable_v2_behavior()
layers = tf.keras.layers
arrays = np.ones([5, 2], "f"), np.ones([5, 1], "f")
known = tf.data.Dataset.from_tensor_slices(arrays).batch(2)
unknown = known.filter(lambda x, y: tf.constant(True))


class Sequence(tf.keras.utils.Sequence):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return np.ones([2, 2], "f"), np.ones([2, 1], "f")


def generator():
    while True:
        yield np.ones([2, 2], "f"), np.ones([2, 1], "f")


def model():
    made = tf.keras.Sequential([layers.Dense(1, input_shape=(2,), kernel_initializer="zeros")])
    made.compile("sgd", "mse", metrics=["mae"])
    return made


class Log(tf.keras.callbacks.Callback):
    """Says what it is told."""

    def __init__(self, fails=None):
        super(Log, self).__init__()
        self.fails = fails

    def tell(self, name, *args):
        shown = [
            {k: round(float(v), 4) for k, v in sorted(arg.items())}
            if isinstance(arg, dict)
            else arg
            for arg in args
        ]
        print(name, *shown)
        if (name, args[:1]) == self.fails:
            raise RuntimeError("stop")

    def set_params(self, params):
        print(sorted((k, v) for k, v in params.items() if k != "metrics"))

    def on_train_begin(self, logs=None):
        self.tell("train begin")

    def on_train_end(self, logs=None):
        self.tell("train end")

    def on_test_begin(self, logs=None):
        self.tell("test begin")

    def on_test_end(self, logs=None):
        self.tell("test end")

    def on_epoch_begin(self, epoch, logs=None):
        self.tell("epoch begin", epoch)

    def on_epoch_end(self, epoch, logs=None):
        self.tell("epoch end", epoch, dict(logs))

    def on_train_batch_begin(self, batch, logs=None):
        self.tell("batch begin", batch, {"size": logs["size"]})

    def on_train_batch_end(self, batch, logs=None):
        self.tell("batch end", batch, {"size": logs["size"], "loss": logs["loss"]})

    def on_test_batch_begin(self, batch, logs=None):
        self.tell("test batch begin", batch)


def printed(name, run):
    """The lines of a run, without its times."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        try:
            run(model())
        except Exception as error:  # what it says is compared
            print(type(error).__name__, error)
    print("==", name)
    print(re.sub(r"\d+(ms|s|us)(/step|/sample)?", "T", stream.getvalue()))


for name, data, settings in [
    ("known", (known,), {"epochs": 2}),
    ("unknown", (unknown,), {"validation_data": known, "epochs": 2}),
    ("steps", (known,), {"steps_per_epoch": 2, "validation_data": known}),
    ("too many steps", (known,), {"steps_per_epoch": 3, "epochs": 2}),
    ("validation steps", arrays, {"validation_data": known, "validation_steps": 1}),
    ("validation of unknown size", arrays, {"validation_data": unknown}),
    ("sequence", (Sequence(),), {"validation_data": arrays, "epochs": 2}),
    ("generator", (generator(),), {"steps_per_epoch": 2, "validation_data": arrays}),
    ("endless", (known.repeat(),), {}),
]:
    printed(name, lambda m: m.fit(*data, verbose=2, **settings))
for name, data in [("arrays", arrays), ("known", (known,)), ("unknown", (unknown,))]:
    printed(name, lambda m: m.evaluate(*data, verbose=2))
    printed(name, lambda m: m.predict(data[0], verbose=2))
printed("sequence", lambda m: m.evaluate(Sequence(), verbose=2))
printed("sequence", lambda m: m.predict(Sequence(), verbose=2))

for name, run in [
    ("known", lambda m, log: m.fit(known, verbose=0, epochs=2, callbacks=[log])),
    ("evaluate", lambda m, log: m.evaluate(*arrays, verbose=0, callbacks=[log])),
    ("evaluate", lambda m, log: m.evaluate(unknown, verbose=0, callbacks=[log])),
    ("predict", lambda m, log: m.predict(known, verbose=0, callbacks=[log])),
]:
    print("==", name)
    run(model(), Log())
for fails in [
    ("train begin", ()),
    ("epoch begin", (0,)),
    ("batch begin", (1,)),
    ("batch end", (1,)),
    ("test batch begin", (1,)),
    ("epoch end", (0,)),
]:
    print("== fails at", *fails)
    try:
        model().fit(known, verbose=0, validation_data=known, callbacks=[Log(fails)])
    except RuntimeError as error:
        print(error)


class Shapes(tf.keras.Model):
    """Says what its inputs are when it is recorded."""

    def __init__(self):
        super(Shapes, self).__init__()
        self.a = layers.Dense(2)
        self.b = layers.Dense(1)

    def call(self, x, training=False):
        print(x.shape, "symbolic" if tf.is_tensor(training) else training)
        if training:
            x = self.a(x)
        else:
            x = self.a(x) * 2.0
        return self.b(x)


for count, batch_size in [(4, 32), (4, 4), (6, 4), (8, 4), (3, None), (64, None)]:
    x, y = np.ones([count, 2], "f"), np.ones([count, 1], "f")
    print("== shapes", count, batch_size)
    made = Shapes()
    made.compile("sgd", "mse")
    made.fit(x, y, batch_size=batch_size, verbose=0)
    made.evaluate(x, y, batch_size=batch_size, verbose=0)
    print([v.name for v in made.variables])
made.fit(known, verbose=0)
made.fit(known.unbatch().batch(3, drop_remainder=True), verbose=0)
