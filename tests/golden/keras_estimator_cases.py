"""Keras models as Estimators: trained, evaluated, asked and exported.

Run by `record_keras_estimators.py` under TensorFlow 1.15, and by tests/api/test_keras_estimator.py.
"""

from __future__ import annotations

import os
import re

import numpy as np
from canned_cases import Watch, tags
from case_runs import collect


def _input_fn(tf, features, labels=None):
    """Batches of arrays, given as the model's copies take them."""

    def input_fn():
        given = features if labels is None else (features, labels)
        dataset = tf.data.Dataset.from_tensor_slices(given)
        return dataset.batch(4)

    return input_fn


def _arrays():
    r = np.random.RandomState(0)
    x = r.randn(8, 3).astype("f")
    return x, (x[:, :1] > 0).astype("f")


def _sequential(tf, name="first"):
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Dense(4, activation="relu", input_shape=(3,), name=name),
            layers.BatchNormalization(),
            layers.Dropout(0.5),
            layers.Dense(1, activation="sigmoid", name="answer"),
        ]
    )


def _config(tf, **kwargs):
    return tf.estimator.RunConfig("model", tf_random_seed=3, **kwargs)


def _observed(tf, model, features, labels, **kwargs):
    """Trains, evaluates and asks the Estimator of a model, and exports it."""
    watch = Watch(tf)
    estimator = tf.keras.estimator.model_to_estimator(model, config=_config(tf), **kwargs)
    said = [sorted(os.listdir("model"))] if os.path.isdir("model") else []
    estimator.train(_input_fn(tf, features, labels), [watch.keep("train")])
    estimator.train(_input_fn(tf, features, labels), steps=1)
    names = sorted(estimator.get_variable_names())
    numbers = [name for name in names if name != "_CHECKPOINTABLE_OBJECT_GRAPH"]
    results = estimator.evaluate(_input_fn(tf, features, labels), hooks=[watch.keep("eval")])
    asked = features["features"] if _is_weighted(features) else features
    predictions = list(estimator.predict(_input_fn(tf, asked), hooks=[watch.keep("predict")]))
    values = [watch.losses, [estimator.get_variable_value(name) for name in numbers]]
    values += [results, predictions[0], predictions[-1], len(predictions)]
    said += [type(estimator).__name__, names, sorted(results), tags(tf, "model")]
    return {"graphs": watch.graphs, "values": values, "said": said}


def _is_weighted(features):
    return isinstance(features, dict) and "sample_weights" in features


def sequential(tf):
    """A sequential model that has no weights yet."""
    tf.set_random_seed(1)
    model = _sequential(tf)
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    return _observed(tf, model, *_arrays())


def trained(tf):
    """A model that was trained: its weights are kept, by object."""
    tf.set_random_seed(1)
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(4, "relu", input_shape=(3,), name="first"), layers.Dense(1, name="answer")]
    )
    model.compile(
        tf.keras.optimizers.SGD(0.1, momentum=0.9), "mse", metrics=["mae", tf.keras.metrics.AUC()]
    )
    model.fit(*_arrays(), batch_size=4, shuffle=False, verbose=0)
    before = model.get_weights()
    found = _observed(tf, model, *_arrays(), checkpoint_format="checkpoint")
    found["values"] += [before, model.get_weights()]
    return found


def several(tf):
    """A functional model of several inputs and outputs, with an optimizer of `tf.train`."""
    tf.set_random_seed(2)
    layers = tf.keras.layers
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((1,), name="b")
    joined = layers.concatenate([layers.Dense(2, name="inner")(a), b])
    outputs = [layers.Dense(1, name="y")(joined), layers.Dense(2, name="z")(joined)]
    model = tf.keras.Model([a, b], outputs)
    model.compile(
        tf.train.AdamOptimizer(0.1), {"y": "mse", "z": "mae"}, loss_weights={"y": 1.0, "z": 0.5},
        metrics={"y": ["mae"]},
    )  # fmt: skip
    x, y = _arrays()
    return _observed(tf, model, {"b": y, "a": x}, {"z": x[:, :2], "y": y})


def weighted(tf):
    """Weights of samples, which come beside the features."""
    tf.set_random_seed(2)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,), name="only")])
    model.compile("rmsprop", "mse", weighted_metrics=["mae"])
    x, y = _arrays()
    weights = np.linspace(0, 2, 8).astype("f")
    return _observed(tf, model, {"features": x, "sample_weights": weights}, y)


def _net(tf, **kwargs):
    class Net(tf.keras.Model):
        def __init__(self):
            super(Net, self).__init__(name="net")
            self.second = tf.keras.layers.Dense(1, name="second")
            self.first = tf.keras.layers.Dense(4, activation="tanh", name="first")

        def call(self, inputs):
            return self.second(self.first(inputs))

    return Net()


def subclassed(tf):
    """A model of a class of its own, which is itself used for its copies, and given back."""
    tf.set_random_seed(2)
    model = _net(tf)
    model.compile("adagrad", "mse", metrics=["mae"])
    found = _observed(tf, model, *_arrays(), checkpoint_format="saver")
    found["said"].append([[layer.name for layer in model.layers], model.built])
    return found


def subclassed_and_trained(tf):
    """The same, used before: it stays as it is."""
    tf.set_random_seed(2)
    model = _net(tf)
    model.compile("sgd", "mse")
    model.train_on_batch(*_arrays())
    before = model.predict(_arrays()[0])
    found = _observed(tf, model, *_arrays(), checkpoint_format="saver")
    found["values"] += [before, model.predict(_arrays()[0])]
    found["said"].append([layer.name for layer in model.layers])
    return found


def from_file(tf):
    """A model from a file, with a class that Keras doesn't have."""

    class Scale(tf.keras.layers.Layer):
        def build(self, shape):
            self.scale = self.add_weight("scale", (shape[-1],), initializer="ones")
            super(Scale, self).build(shape)

        def call(self, inputs):
            return inputs * self.scale

    tf.set_random_seed(4)
    model = tf.keras.Sequential([Scale(input_shape=(3,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    with tf.keras.utils.custom_object_scope({"Scale": Scale}):
        model.save("model.h5")
        tf.keras.backend.clear_session()
        return _observed(
            tf, None, *_arrays(), keras_model_path="model.h5", custom_objects={"Scale": Scale}
        )


def exported(tf):
    """What is exported, and how it answers."""
    tf.set_random_seed(1)
    model = _sequential(tf, "input_layer")
    model.compile("sgd", "mse")
    estimator = tf.keras.estimator.model_to_estimator(model, config=_config(tf))
    estimator.train(_input_fn(tf, *_arrays()))
    name = model.input_names[0]
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {name: tf.placeholder(tf.float32, [None, 3], name="x")}
    )
    folder = estimator.export_saved_model("exported", receiver)
    predict = tf.contrib.predictor.from_saved_model(folder.decode())
    values = [predict({name: _arrays()[0]})]
    values.append([x["answer"] for x in estimator.predict(_input_fn(tf, _arrays()[0]))])
    return {"graphs": {}, "values": values, "said": [sorted(predict.fetch_tensors)]}


def evaluated_first(tf):
    """Nothing was trained: the weights of the model count."""
    tf.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,), name="only")])
    model.compile("sgd", "mse", metrics=["mae"])
    weights = [np.ones((3, 1), "f"), np.array([0.5], "f")]
    model.set_weights(weights)
    convert = tf.keras.estimator.model_to_estimator
    estimator = convert(keras_model=model, model_dir=os.path.abspath("model"))
    values = [estimator.train(_input_fn(tf, *_arrays()), max_steps=1).evaluate(
        _input_fn(tf, *_arrays()), steps=1
    )]  # fmt: skip
    with open("model/keras/checkpoint") as f:
        said = f.read().splitlines()[0]
    values.append(tf.train.load_variable("model/keras/keras_model.ckpt", "only/kernel"))
    return {"graphs": {}, "values": values, "said": [os.path.basename(said)]}


RUNS = collect(
    sequential, trained, several, weighted, subclassed, subclassed_and_trained, from_file, exported,
    evaluated_first,
)  # fmt: skip


def _convert(tf, model, **kwargs):
    return tf.keras.estimator.model_to_estimator(model, **kwargs)


def _compiled(tf, model=None):
    model = model or _sequential(tf)
    model.compile("sgd", "mse")
    return model


def _nested(tf, make_inner):
    class Outer(tf.keras.Model):
        def __init__(self):
            super(Outer, self).__init__(name="outer")
            self.inner = make_inner()

        def call(self, inputs):
            return inputs

    return _compiled(tf, Outer())


def _train(tf, model, features, labels):
    estimator = _convert(tf, model, checkpoint_format="saver")
    try:
        estimator.train(_input_fn(tf, features, labels))
    except (KeyError, ValueError) as error:
        # Sets are in no order, and objects at no fixed address.
        text = re.sub("<[^>]* object at [^>]*>", "<object>", error.args[0])
        for found in set(re.findall("{.*?}", text)):
            text = text.replace(found, "{" + ", ".join(sorted(found[1:-1].split(", "))) + "}")
        raise type(error)(text)


def _without_config(tf):
    from tensorflow.python.keras import models

    models.clone_and_build_model(_compiled(tf, _net(tf)))


MISTAKES = {
    "no model": lambda tf: _convert(tf, None),
    "two models": lambda tf: _convert(tf, _sequential(tf), keras_model_path="x"),
    "not compiled": lambda tf: _convert(tf, _sequential(tf)),
    "format": lambda tf: _convert(tf, _compiled(tf), checkpoint_format="x"),
    "objects of a subclass": lambda tf: _convert(
        tf, _compiled(tf, _net(tf)), checkpoint_format="checkpoint"
    ),
    "config": lambda tf: _convert(tf, _compiled(tf), config=3),
    "features": lambda tf: _train(tf, _compiled(tf), {"x": _arrays()[0]}, _arrays()[1]),
    "weights": lambda tf: _train(
        tf, _compiled(tf), {"features": _arrays()[0], "sample_weights": _arrays()[0]}, _arrays()[1]
    ),
    "layers in layers": lambda tf: _train(
        tf, _nested(tf, lambda: _sequential(tf)), *_arrays()
    ),
    "lists of layers": lambda tf: _train(
        tf, _nested(tf, lambda: [tf.keras.layers.Dense(1)]), *_arrays()
    ),
    "no config": _without_config,
}  # fmt: skip
