"""What `fit`, `evaluate` and `predict` take for their data in eager execution."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
keras = tf.keras
x = ((np.arange(18).reshape(6, 3) % 7 - 3) / 4).astype("float32")
y = (x[:, :1] > 0).astype("float32")


class Batches(keras.utils.Sequence):
    def __len__(self):
        return 3

    def __getitem__(self, i):
        return x[2 * i : 2 * i + 2], y[2 * i : 2 * i + 2]

    def __repr__(self):
        return "batches"


def generate():
    for _ in range(30):
        yield x[:2], y[:2]


def model(size=3):
    made = keras.Sequential([keras.layers.Dense(1, "relu", True, "ones", input_shape=(size,))])
    made.compile("sgd", "mse")
    return made


def show(what, *args, **kwargs):
    try:
        found = what(*args, verbose=0, **kwargs)
    except Exception as error:
        print(type(error).__name__, str(error).split("Received input")[0])
        return
    found = getattr(found, "history", found)
    if isinstance(found, dict):
        found = [(key, [round(float(v), 4) for v in found[key]]) for key in sorted(found)]
    print(np.round(found, 4) if isinstance(found, (float, np.ndarray)) else found)


lists = x.tolist(), y.tolist()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)
weights = {0: 1.0, 1: 5.0}
show(model().fit, *lists, shuffle=False)
show(model().fit, x.tolist(), y, shuffle=False)
show(model().fit, x, y.tolist(), shuffle=False)
show(model(1).fit, [1.0, 2.0, 3.0], (1.0, 2.0, 3.0), shuffle=False)
show(model(1).fit, [[1], [2], [3]], [1, 2, 3], shuffle=False)
show(model().fit, x, "a")
show(model().fit, "a", x)
show(model().fit, {"a": x}, {"b": "c"})
show(model().fit, [x], [y.tolist()])
show(model().fit, 3, 3)
show(model().fit, *lists, sample_weight=[1.0, 2.0, 3.0, 1.0, 2.0, 3.0], shuffle=False)
show(model().fit, *lists, validation_split=0.5)
show(model().fit, x, y, validation_data=lists, shuffle=False)
show(model().fit, x, y, validation_data=lists, validation_split=0.5)
show(model().fit, *lists, validation_data=(x, y), shuffle=False)
show(model().evaluate, *lists)
show(model().evaluate, x.tolist(), y)
show(model().predict, x.tolist())
show(model().fit, x, y, batch_size=0)
show(model().evaluate, x, y, batch_size=0)
show(model().predict, x, batch_size=0)
show(model().fit, Batches(), validation_split=0.2)
show(model().fit, Batches(), y)
show(model().fit, Batches(), sample_weight=y)
show(model().evaluate, Batches(), y)
show(model().fit, generate(), y)
show(model().fit, generate(), sample_weight=y)
show(model().fit, generate(), class_weight=weights, steps_per_epoch=2)
show(model().fit, x, y, class_weight=weights, shuffle=False)
show(model().fit, dataset, class_weight=weights)
show(model().fit_generator, generate(), class_weight=weights, steps_per_epoch=2)
