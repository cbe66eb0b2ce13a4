"""Keras layers and models whose variables have another dtype than they compute in.

Run by `record_cases.py keras_policy` under TensorFlow 1.15, and by
tests/api/test_keras_policy.py.
"""

from __future__ import annotations

import contextlib

import numpy as np
from case_runs import Case, collect


def _mixed(tf):
    return tf.keras.mixed_precision.experimental


def _policy(tf, name="float16_with_float32_vars", **kwargs):
    return _mixed(tf).Policy(name, **kwargs)


def _values(shape, dtype="float16"):
    return (np.arange(np.prod(shape)).reshape(shape) % 7 / 4 - 0.5).astype(dtype)


def _layer(tf, make, shape, dtype="float16", gradients=True):
    """A layer called on numbers, and its gradients."""
    tf.keras.backend.clear_session()
    layer = make(tf.keras.layers)
    y = layer(tf.constant(_values(shape, dtype)))
    variables = [w._variable if hasattr(w, "true_dtype") else w for w in layer.trainable_weights]
    grads = [g for g in tf.gradients(y, variables) if g is not None]
    grads = [g.values if isinstance(g, tf.IndexedSlices) else g for g in grads]
    said = [layer.dtype, layer._compute_dtype, layer._dtype_policy, y.dtype, layer.weights]
    return Case([y, *grads] if gradients else [y], said=said, steps=1)


def dense(tf):
    return _layer(
        tf,
        lambda layers: layers.Dense(2, kernel_initializer="ones", dtype=_policy(tf)),
        (3, 4),
    )


def dense_cast(tf):
    return _layer(
        tf,
        lambda layers: layers.Dense(
            2, kernel_initializer="ones", dtype=_policy(tf), autocast=True, activation="relu"
        ),
        (3, 4),
        "float32",
    )


def dense_3d(tf):
    return _layer(
        tf,
        lambda layers: layers.Dense(
            2, kernel_initializer="ones", dtype=_policy(tf), kernel_regularizer="l2"
        ),
        (2, 3, 4),
    )


def conv(tf):
    return _layer(
        tf,
        lambda layers: layers.Conv2D(2, 2, kernel_initializer="ones", dtype=_policy(tf)),
        (1, 3, 3, 2),
    )


def normalization(tf):
    return _layer(
        tf, lambda layers: layers.BatchNormalization(dtype=_policy(tf)), (2, 2, 2, 2), "float16"
    )


def infer(tf):
    return _layer(
        tf,
        lambda layers: layers.Dense(
            2, kernel_initializer="ones", dtype=_policy(tf, "infer_float32_vars")
        ),
        (3, 4),
    )


def embedding(tf):
    tf.keras.backend.clear_session()
    layer = tf.keras.layers.Embedding(
        5, 3, embeddings_initializer="ones", dtype=_policy(tf, "mixed_float16")
    )
    y = layer(tf.constant([[0, 2], [2, 4]]))
    return Case([y], said=[layer.dtype, y.dtype, layer.weights], steps=1)


def lstm(tf):
    return _layer(
        tf,
        lambda layers: layers.LSTM(
            2, kernel_initializer="ones", recurrent_initializer="ones",
            dtype=_policy(tf, "mixed_float16"), unroll=True,
        ),
        (2, 2, 3),
        gradients=False,  # sums of many roundings
    )  # fmt: skip


class _Own:
    """Layers of one's own."""

    def __new__(cls, tf, **kwargs):
        class Scale(tf.keras.layers.Layer):
            def build(self, shape):
                self.v = self.add_weight("v", (), initializer="ones")
                self.fixed = self.add_weight(
                    "fixed", (), initializer="ones", experimental_autocast=False
                )
                self.count = self.add_weight("count", (), initializer="zeros", trainable=False)

            def call(self, x):
                said = [self.v.dtype, self.v.true_dtype, self.fixed.dtype, repr(self.v)]
                self.said = said
                self.add_update(self.count.assign_add(1.0))
                y = x * self.v + self.v * 2 - (3 - self.v) / 2 + self.v**2 + (-self.v)
                y += tf.cast(self.fixed, x.dtype) + self.v.read_value()
                y += tf.cast(self.v > 0.5, x.dtype) + tf.identity(self.v) + abs(self.v)
                return y + self.v.value()

        return Scale(**kwargs)


def own(tf):
    tf.keras.backend.clear_session()
    layer = _Own(tf, dtype=_policy(tf), name="scale")
    y = layer(tf.constant(_values((2, 2))))
    said = [*layer.said, layer.v.dtype, repr(layer.v), layer.updates]
    return Case([y, layer.v, layer.count, tf.identity(layer.v)], list(layer.updates), said=said)


def nested(tf):
    """A layer that computes in float32 inside of one that computes in float16."""
    tf.keras.backend.clear_session()

    class Outer(tf.keras.layers.Layer):
        def __init__(self, **kwargs):
            super(Outer, self).__init__(**kwargs)
            self.inner = tf.keras.layers.Dense(2, kernel_initializer="ones", dtype="float32")
            self.same = tf.keras.layers.Dense(2, kernel_initializer="ones")

        def call(self, x):
            inside = self.inner(tf.cast(x, "float32"))
            return tf.cast(inside, x.dtype) + self.same(x)

    layer = Outer(dtype=_policy(tf), name="outer")
    y = layer(tf.constant(_values((2, 2))))
    return Case([y], said=[layer.weights, layer.inner.dtype, layer.same.dtype], steps=1)


def _apart(make):
    """A case in a graph of its own, whose operations are said, but for those that ask what is
    initialized: TF asks in the order of a set."""

    def case(tf):
        tf.keras.backend.clear_session()
        with tf.Graph().as_default() as graph, tf.Session().as_default() as session:
            tf.keras.backend.set_session(session)
            said = make(tf)
            ops = [op for op in graph.get_operations() if op.type != "VarIsInitializedOp"]
            said += ["%s %s" % (op.name, op.type) for op in ops]
        tf.keras.backend.clear_session()
        return Case(said=said, steps=0)

    case.__name__ = make.__name__
    return case


def _trained(tf, model, optimizer, loss="mse", said=(), steps=3, target=(4, 1)):
    x, y = _values((4, *model.input_shape[1:]), "float32"), _values(target, "float32")
    model.compile(optimizer, loss)
    lines = [model.optimizer.__class__.__name__, *said]
    values = [np.float64(model.train_on_batch(x, y)) for _ in range(steps)]
    lines += ["%.2f" % value for value in values]
    lines += ["%.2f" % v for w in model.get_weights() for v in np.ravel(w)]
    return lines


def _model(tf, policy, **kwargs):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Dense(3, kernel_initializer="ones", dtype=policy, input_shape=(2,), **kwargs),
            layers.Dense(1, kernel_initializer="ones", dtype=policy, **kwargs),
            layers.Activation("linear", dtype="float32", autocast=True),
        ]
    )
    return model


@_apart
def training(tf):
    model = _model(tf, _policy(tf), autocast=True)
    said = _trained(tf, model, tf.keras.optimizers.SGD(0.01))
    return said


@_apart
def scaled(tf):
    model = _model(tf, _policy(tf), autocast=True)
    opt = _mixed(tf).LossScaleOptimizer(tf.keras.optimizers.SGD(0.01, momentum=0.9), 128)
    return _trained(tf, model, opt)


@_apart
def with_scale_of_policy(tf):
    """A subclassed model takes the scale of its policy."""

    class Model(tf.keras.Model):
        def __init__(self, **kwargs):
            super(Model, self).__init__(**kwargs)
            self.dense = tf.keras.layers.Dense(
                1, kernel_initializer="ones", dtype=_policy(tf), autocast=True
            )

        def call(self, x):
            return tf.cast(self.dense(x), "float32")

    model = Model(dtype=_policy(tf, "mixed_float16"))
    x, y = _values((4, 2), "float32"), _values((4, 1), "float32")
    model.compile(tf.keras.optimizers.SGD(0.01), "mse")
    said = [type(model.optimizer).__name__, model.optimizer.loss_scale]
    values = [np.float64(model.train_on_batch(x, y)) for _ in range(3)]
    said += ["%.2f" % value for value in values]
    said += ["%.2f" % v for w in model.get_weights() for v in np.ravel(w)]
    return said


@contextlib.contextmanager
def _v2(tf):
    """TF 2's dtypes of layers."""
    from tensorflow.python import tf2

    tf2.enable()
    try:
        yield
    finally:
        _mixed(tf).set_policy(None)
        tf2.disable()


@_apart
def globally(tf):
    with _v2(tf):
        default = _mixed(tf).global_policy()
        plain = tf.keras.layers.Dense(1)
        double = plain(tf.constant(_values((1, 2), "float64")))
        _mixed(tf).set_policy("mixed_float16")
        model = tf.keras.Sequential(
            [
                tf.keras.layers.Dense(3, kernel_initializer="ones", input_shape=(2,)),
                tf.keras.layers.Dense(1, kernel_initializer="ones"),
                tf.keras.layers.Activation("linear", dtype="float32"),
            ]
        )
        said = [
            default,
            plain.dtype,
            double.dtype,
            _mixed(tf).global_policy(),
            model.layers[0].dtype,
        ]
        said += [layer.output.dtype for layer in model.layers]
        said += _trained(tf, model, tf.keras.optimizers.SGD(0.01))
    return said


def saved(tf):
    """Configs say the dtype of variables; weights keep theirs."""
    graph = tf.Graph()
    with graph.as_default(), tf.Session(graph=graph).as_default():
        return Case(said=_said_of_saved(tf), steps=0)


def _said_of_saved(tf):
    layer = tf.keras.layers.Dense(2, dtype=_policy(tf), name="d")
    model = tf.keras.Sequential([layer])
    model.build((None, 3))
    weights = [_values((3, 2), "float32"), _values((2,), "float32")]
    model.set_weights(weights)
    said = [layer.get_config()["dtype"], [w.dtype for w in model.get_weights()]]
    model.save_weights("policy.h5")
    model.save_weights("policy_tf", save_format="tf")
    said.append(sorted(tf.train.list_variables("policy_tf")))
    for path in ("policy.h5", "policy_tf"):
        model.set_weights([w * 0 for w in weights])
        model.load_weights(path)
        said.append(str(model.get_weights()))
    return said


CASES = {
    "layers": collect(
        dense, dense_cast, dense_3d, conv, normalization, infer, embedding,
        lstm, own, nested,
    ),
    "models": collect(training, scaled, with_scale_of_policy, globally, saved),
}  # fmt: skip


def _autocast(tf, variable):
    from tensorflow.python.keras.mixed_precision.experimental import autocast_variable

    return autocast_variable.AutoCastVariable(variable)


MISTAKES = {
    "variables": {
        "no resource": lambda tf: _autocast(tf, tf.Variable(1.0, use_resource=False, name="v")),
        "no float": lambda tf: _autocast(tf, tf.Variable(1, use_resource=True)),
    },
    "layers": {
        "layer normalization": lambda tf: _layer(
            tf, lambda layers: layers.LayerNormalization(dtype=_policy(tf)), (2, 4)
        ),
    },
    "models": {
        "optimizer": lambda tf: _compile_v1(tf),
    },
}


def _compile_v1(tf):
    """An optimizer that cannot scale losses."""
    tf.keras.backend.clear_session()

    class Model(tf.keras.Model):
        def call(self, x):
            return x

    model = Model(dtype=_policy(tf, "mixed_float16", loss_scale=8))
    opt = tf.train.GradientDescentOptimizer(0.1)
    try:
        model.compile(opt, "mse")
    except ValueError as error:
        name = str(error).split(" object at ")
        raise ValueError(name[0].rsplit(".", 1)[-1] + name[1].split(">", 1)[1])
