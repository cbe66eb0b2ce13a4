"""Linear models trained by stochastic dual coordinate ascent, and those of kernels' features.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_sdca.py`.
"""

from __future__ import annotations

import functools

import numpy as np
from case_runs import Case, collect
from session_runs import Done

_RNG = np.random.RandomState(0)
X = _RNG.randn(6, 2).astype("f")
NUMBERS = X.dot(np.array([1.0, -2.0], "f")) + 0.5
TWO = (NUMBERS > 0).astype("f")
WORD = np.array(["a", "b", "a", "c", "x", "b"], dtype=object)
IDS = np.array([str(i) for i in range(6)], dtype=object)

# Examples of which none shares a feature: the order in which TensorFlow takes them does not matter.
EXAMPLES = [0, 0, 1, 2, 2, 3]
FEATURES = [0, 5, 2, 1, 3, 4]
VALUES = [1.0, 0.5, 2.0, -1.0, 1.5, 1.0]


def _core(tf):
    from tensorflow_estimator.python.estimator.canned.linear_optimizer.python.utils import sdca_ops

    return sdca_ops._SDCAModel, sdca_ops._SparseFeatureColumn


def _contrib(tf):
    found = tf.contrib.linear_optimizer
    return found.SdcaModel, found.SparseFeatureColumn


def _variable(tf, size, name, shards, use_resource):
    """A vector of weights, perhaps in shards."""
    found = [
        tf.Variable(
            tf.zeros([len(range(i, size, shards))]), name="%s_%d" % (name, i),
            use_resource=use_resource,
        )
        for i in range(shards)
    ]  # fmt: skip
    return found if shards > 1 else found[0]


def _given(tf, value, shape=None):
    """Not a constant, which TensorFlow would work out while it looks for static shapes."""
    value = np.asarray(value)
    return tf.placeholder_with_default(value, value.shape if shape is None else shape)


class Steps(Case):
    """Steps of a model."""

    def __init__(self, model, examples, global_step):
        super(Steps, self).__init__()
        self._step = model.minimize(global_step)
        self._update = model.update_weights(self._step)
        self._found = [
            model.predictions(examples), model.unregularized_loss(examples),
            model.regularized_loss(examples), model.approximate_duality_gap() + 1.0,
        ]  # fmt: skip

    def run(self, tf):
        found = []
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            # Whether weights become those before a step or after is up to a clock in TensorFlow:
            # they are looked at when steps change nothing.
            for _ in range(40):
                session.run(self._step)
            session.run(self._update)
            found += zip(self._found, session.run(self._found))
            variables = tf.global_variables()
            found += zip(variables, session.run(variables))
        return found


def _model(parts, options, shards, tf):
    make, column = parts(tf)
    labels = [1.0, 0.0, 1.0, 0.0]
    examples = {
        "sparse_features": [column(EXAMPLES, FEATURES, VALUES)],
        "dense_features": [tf.constant(np.eye(4, dtype="f"))],
        "example_labels": tf.constant(labels), "example_ids": _given(tf, list("wxyz")),
        "example_weights": tf.constant([1.0, 2.0, 0.5, 1.0]),
    }  # fmt: skip
    variables = {
        "sparse_features_weights": [_variable(tf, 6, "sparse", shards, parts is _core)],
        "dense_features_weights": [_variable(tf, 4, "dense", shards, parts is _core)],
    }
    options = dict(
        {"symmetric_l1_regularization": 0.1, "symmetric_l2_regularization": 1.5}, **options
    )
    step = tf.train.create_global_step() if shards == 1 else None
    return Steps(make(examples, variables, options), examples, step)


_LOSSES = ["logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss"]
MODELS = {
    "%s_%s" % (name, loss): (parts, {"loss_type": loss}, 1)
    for name, parts in (("core", _core), ("contrib", _contrib))
    for loss in _LOSSES
}
for _name, _parts in (("core", _core), ("contrib", _contrib)):
    MODELS[_name + "_shards"] = (
        _parts,
        {"loss_type": "squared_loss", "num_table_shards": 2, "symmetric_l1_regularization": 0.0,
         "num_loss_partitions": 2, "adaptive": False},
        2,
    )  # fmt: skip


def _new_columns(tf):
    fc = tf.feature_column
    return [
        fc.numeric_column("x", 2),
        fc.categorical_column_with_hash_bucket("word", 5),
    ]


def _new_features(tf):
    return {
        "x": _given(tf, X), "word": _given(tf, WORD, [None]), "id": _given(tf, IDS),
        "w": _given(tf, TWO + 0.5),
    }  # fmt: skip


def _old_columns(tf):
    layers = tf.contrib.layers
    x = layers.real_valued_column("x", dimension=2)
    word = layers.sparse_column_with_hash_bucket("word", 4)
    other = layers.sparse_column_with_hash_bucket("other", 5)
    return [
        x, word, layers.bucketized_column(layers.real_valued_column("y"), [0.0, 1.0]),
        layers.weighted_sparse_column(other, "other_w"), layers.crossed_column([word, other], 7),
    ]  # fmt: skip


def _sparse(tf, values):
    places = np.stack([np.arange(6), np.zeros(6)], 1).astype(np.int64)
    values = _given(tf, values, [None])
    return tf.SparseTensor(
        _given(tf, places, [None, 2]), values, _given(tf, np.array([6, 1], np.int64), [2])
    )


def _old_features(tf):
    return dict(
        _new_features(tf), word=_sparse(tf, WORD), y=_given(tf, X[:, :1]),
        other=_sparse(tf, WORD[::-1]), other_w=_sparse(tf, np.arange(1.0, 7.0, dtype="f")),
    )  # fmt: skip


def _linear_sdca(tf, **kwargs):
    return tf.estimator.experimental.LinearSDCA("id", **kwargs)


def _old_sdca(tf, **kwargs):
    return tf.contrib.linear_optimizer.SDCAOptimizer("id", **kwargs)


def _mapped(tf):
    x, word = _old_columns(tf)[:2]
    mapper = tf.contrib.kernel_methods.RandomFourierFeatureMapper(2, 4, 2.0, seed=5, name="own")
    return tf.contrib.kernel_methods.KernelLinearClassifier(
        feature_columns=[word], n_classes=3, kernel_mappers={x: [mapper]}, optimizer="SGD"
    )


MODEL_FNS = {
    "new_classifier": (
        lambda tf: tf.estimator.LinearClassifier(
            _new_columns(tf), weight_column="w", optimizer=_linear_sdca(tf, num_table_shards=2)
        ),
        _new_features, TWO[:, None],
    ),
    "new_regressor": (
        lambda tf: tf.estimator.LinearRegressor(
            _new_columns(tf),
            optimizer=_linear_sdca(tf, symmetric_l1_regularization=0.5, adaptive=True),
        ),
        _new_features, NUMBERS[:, None],
    ),
    "old_classifier": (
        lambda tf: tf.contrib.learn.LinearClassifier(
            _old_columns(tf), weight_column_name="w", optimizer=_old_sdca(tf)
        ),
        _old_features, TWO[:, None].astype("i"),
    ),
    "old_regressor": (
        lambda tf: tf.contrib.learn.LinearRegressor(
            _old_columns(tf)[:3], enable_centered_bias=True,
            optimizer=_old_sdca(tf, num_table_shards=3, adaptive=False),
        ),
        _old_features, NUMBERS[:, None],
    ),
    "machine": (
        lambda tf: tf.contrib.learn.SVM("id", _old_columns(tf)[:2], l2_regularization=0.5),
        _old_features, TWO[:, None].astype("i"),
    ),
    "kernels": (_mapped, _old_features, (TWO[:, None] + 1).astype("i")),
}  # fmt: skip


def _model_fn(make, features, labels, tf, mode="train"):
    """What an estimator's function records, and what its hooks add."""
    tf.train.create_global_step()
    estimator = make(tf)
    given = [features(tf), _given(tf, labels) if mode != "infer" else None, mode]
    if not hasattr(estimator, "fit"):
        given.append(estimator.config)
    spec = estimator._call_model_fn(*given)
    hooks = list(spec.training_chief_hooks or [])
    if mode == "train":
        for hook in hooks:
            hook.begin()
    said = [sorted(map(str, spec.predictions or {})), [type(x).__name__ for x in hooks]]
    return Case(said=said, steps=0)


def _fitted(tf, make, name, features, labels, steps=300):
    """An estimator, trained until nothing changes, and what it makes of the examples."""
    tf.reset_default_graph()
    estimator = make(tf, name)

    def input_fn():
        return features(tf), tf.constant(labels)

    if hasattr(estimator, "fit"):
        estimator.fit(input_fn=input_fn, steps=steps)
        found = estimator.evaluate(input_fn=input_fn, steps=1)
    else:
        estimator.train(input_fn, steps=steps)
        found = estimator.evaluate(input_fn, steps=1)
    names = sorted(estimator.get_variable_names())
    weights = [
        estimator.get_variable_value(key)
        for key in names
        if key.endswith(("weights", "weight", "bias_weight")) and "unshr" not in key
    ]
    tf.reset_default_graph()
    return [names, sorted(found)], weights + [np.float32(found["loss"])]


def new_estimators(tf):
    def make(tf, name):
        return tf.estimator.LinearRegressor(
            _new_columns(tf), name,
            optimizer=_linear_sdca(tf, symmetric_l1_regularization=0.1, adaptive=True),
        )  # fmt: skip

    return Done(*_fitted(tf, make, "new", _new_features, NUMBERS[:, None]))


def old_estimators(tf):
    def make(tf, name):
        return tf.contrib.learn.LinearRegressor(_old_columns(tf)[:2], name, optimizer=_old_sdca(tf))

    return Done(*_fitted(tf, make, "old", _old_features, NUMBERS[:, None]))


def machine(tf):
    def make(tf, name):
        return tf.contrib.learn.SVM("id", _old_columns(tf)[:1], model_dir=name)

    said, values = _fitted(tf, make, "svm", _old_features, TWO[:, None].astype("i"))
    estimator = make(tf, "svm")
    once = functools.partial(_old_features, tf)
    classes = estimator.predict_classes(input_fn=once)
    values.append(np.array([next(classes) for _ in range(6)]))
    return Done(said, values)


def kernels(tf):
    tf.set_random_seed(1)
    estimator = _mapped(tf)

    def input_fn():
        return _old_features(tf), tf.constant((TWO[:, None] + 1).astype("i"))

    estimator.fit(input_fn=input_fn, steps=5)
    classes = estimator.predict_classes(input_fn=lambda: _old_features(tf))
    rates = estimator.predict_proba(input_fn=lambda: _old_features(tf))
    values = [np.array([next(found) for _ in range(6)]) for found in (classes, rates)]
    tf.reset_default_graph()
    return Done([sorted(estimator.get_variable_names())], values)


CASES = {
    "models": {name: functools.partial(_model, *row) for name, row in MODELS.items()},
    "model_fns": {name: functools.partial(_model_fn, *row) for name, row in MODEL_FNS.items()},
    "estimators": collect(new_estimators, old_estimators, machine, kernels),
}
CASES["model_fns"]["new_infer"] = functools.partial(
    _model_fn, *MODEL_FNS["new_classifier"], mode="infer"
)


def _wrong(change, parts=_core):
    """A model with a mistake."""

    def case(tf):
        options = {
            "loss_type": "squared_loss", "symmetric_l1_regularization": 0.0,
            "symmetric_l2_regularization": 1.0,
        }  # fmt: skip
        examples = dict.fromkeys(["example_labels", "example_weights", "example_ids"], [1.0])
        examples.update(sparse_features=[], dense_features=[])
        weights = {"sparse_features_weights": [], "dense_features_weights": []}
        given = {"examples": examples, "variables": weights, "options": options}
        for what, key, value in change:
            given[what][key] = value
        return parts(tf)[0](**given)

    return case


def _linear(tf, kind="Classifier", **kwargs):
    return getattr(tf.estimator, "Linear" + kind)(
        _new_columns(tf), optimizer=_linear_sdca(tf), **kwargs
    )


MISTAKES = {
    "models": {
        "nothing": lambda tf: _core(tf)[0]({}, {}, {}),
        "loss": _wrong([("options", "loss_type", "x")]),
        "no labels": _wrong([("examples", "example_labels", None)]),
        "no list": _wrong([("examples", "dense_features", 1.0)]),
        "weights": _wrong([("variables", "dense_features_weights", ())], _contrib),
        "l2": _wrong([("options", "symmetric_l2_regularization", 0.0)]),
        "l1": _wrong([("options", "symmetric_l1_regularization", -1.0)]),
        "old l1": _wrong([("options", "symmetric_l1_regularization", -1.0)], _contrib),
        "old l2": _wrong([("options", "symmetric_l2_regularization", -0.5)], _contrib),
    },
    "estimators": {
        "combiner": lambda tf: _linear(tf, sparse_combiner="mean"),
        "classes": lambda tf: _linear(tf, n_classes=3),
        "dimension": lambda tf: _linear(tf, "Regressor", label_dimension=2),
        "kernels": lambda tf: tf.contrib.learn.SVM("id", _old_columns(tf), kernels=[1]),
        "bias": lambda tf: tf.contrib.learn.LinearClassifier(
            _old_columns(tf), optimizer=_old_sdca(tf), enable_centered_bias=True
        ),
        "column": lambda tf: _model_fn(
            lambda tf: tf.contrib.learn.LinearClassifier(
                [tf.contrib.layers.sparse_column_with_hash_bucket("tf_virtual_bias_column", 3)],
                optimizer=_old_sdca(tf),
            ),
            lambda tf: {"tf_virtual_bias_column": _sparse(tf, WORD)}, TWO[:, None], tf,
        ),
        "head": lambda tf: tf.contrib.kernel_methods.KernelLinearClassifier(n_classes=3),
        "mappers": lambda tf: tf.contrib.kernel_methods.KernelLinearClassifier(
            kernel_mappers={1: [2]}
        ),
    },
}  # fmt: skip
