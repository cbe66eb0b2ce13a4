"""Cases of tf.contrib.estimator.replicate_model_fn.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_replicate.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect

_CPUS = ["/cpu:0", "/cpu:0"]
_X = np.linspace(-1.0, 1.0, 24).reshape(8, 3).astype(np.float32)
_Y = (_X.sum(1) > 0).astype(np.int64)


def _model(optimizer=None, resource=False, wrapped=True, metrics=True):
    def model_fn(features, labels, mode, params):
        import tensorflow as tf

        x = features["x"] if isinstance(features, dict) else features
        with tf.variable_scope("net", use_resource=resource):
            kernel = tf.get_variable("kernel", [3, 2], initializer=tf.ones_initializer())
            logits = tf.matmul(x, kernel, name="logits") * params["scale"]
            if isinstance(features, dict) and "ids" in features:
                table = tf.get_variable("table", [5, 2], initializer=tf.zeros_initializer())
                ids = features["ids"]
                if isinstance(ids, tf.SparseTensor):
                    logits += tf.nn.embedding_lookup_sparse(table, ids, None, combiner="sum")
                else:
                    logits += tf.gather(table, ids)
        classes = tf.argmax(logits, 1)
        predictions = {"classes": classes, "logits": logits}
        if mode == "infer":
            outputs = tf.estimator.export
            exported = {
                "serving_default": outputs.ClassificationOutput(
                    tf.nn.softmax(logits), tf.as_string(classes)
                ),
                "value": outputs.RegressionOutput(logits),
                "all": outputs.PredictOutput(predictions),
            }
            return tf.estimator.EstimatorSpec(mode, predictions, export_outputs=exported)
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        found = {}
        if metrics:
            found = {"accuracy": tf.metrics.accuracy(labels, classes)}
        made = optimizer or tf.train.GradientDescentOptimizer(0.5)
        made = made() if optimizer and not wrapped else made
        made = tf.contrib.estimator.TowerOptimizer(made) if wrapped else made
        train_op = None
        if mode == "train":
            train_op = made.minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, predictions, loss, train_op, eval_metric_ops=found)

    return model_fn


def _spec(tf, mode, model=None, devices=_CPUS, features=None, labels=_Y, **kwargs):
    tf.train.get_or_create_global_step()
    model_fn = tf.contrib.estimator.replicate_model_fn(model or _model(), devices=devices, **kwargs)
    if features is None:
        features = {"x": _X}
    features = {
        key: tf.constant(value) if isinstance(value, np.ndarray) else value(tf)
        for key, value in features.items()
    }
    if labels is not None:
        labels = tf.constant(labels)
    return model_fn(features, labels, mode, {"scale": 2.0}, None)


def _said(spec):
    return [spec.loss, spec.train_op and spec.train_op.name, sorted(spec.eval_metric_ops)]


def _trained(tf, *args, **kwargs):
    spec = _spec(tf, "train", *args, **kwargs)
    return Case(
        [spec.loss],
        [spec.train_op],
        said=_said(spec),
    )


class _Recorded(Case):
    """A graph for devices that are not there."""

    def run(self, tf):
        return []


def train(tf):
    return _trained(tf)


def train_adam_function(tf):
    return _trained(tf, _model(lambda: tf.train.AdamOptimizer(0.1)))


def train_sum(tf):
    return _trained(tf, _model(resource=True), loss_reduction=tf.losses.Reduction.SUM)


def train_three(tf):
    features = {"x": _X[:6], "ids": np.array([0, 1, 1, 4, 0, 2])}
    return _trained(tf, devices=["/cpu:0"] * 3, features=features, labels=_Y[:6])


def train_one(tf):
    return _trained(tf, devices=["/device:CPU:0"])


def train_default(tf):
    return _trained(tf, devices=None)


def train_one_gpu(tf):
    return _Recorded(said=[_spec(tf, "train", devices=["/device:GPU:0"]).loss])


def train_sparse(tf):
    def ids(tf):
        indices = np.array([[0, 0], [0, 1], *([i, 0] for i in range(1, 8))])
        return tf.SparseTensor(indices, np.array([1, 2, 2, 3, 0, 1, 4, 4, 2]), [8, 2])

    return _trained(tf, features={"x": _X, "ids": ids})


def train_momentum(tf):
    model = _model(tf.train.MomentumOptimizer(0.1, 0.9), resource=True)
    return _trained(tf, model, features={"x": _X, "ids": np.arange(8) % 5})


def evaluate(tf):
    spec = _spec(tf, "eval")
    values = [spec.loss] + [value for value, _ in spec.eval_metric_ops.values()]
    updates = [update for _, update in spec.eval_metric_ops.values()]
    return Case(
        values,
        updates,
        said=_said(spec),
    )


def evaluate_one(tf):
    spec = _spec(tf, "eval", devices=["/cpu:0"])
    return Case(
        [spec.loss],
        [spec.eval_metric_ops["accuracy"][1]],
        said=_said(spec),
    )


def predict(tf):
    spec = _spec(tf, "infer", labels=None)
    exported = spec.export_outputs
    values = [
        *(spec.predictions[key] for key in sorted(spec.predictions)),
        exported["serving_default"].scores, exported["serving_default"].classes,
        exported["value"].value, exported["all"].outputs["logits"],
    ]  # fmt: skip
    return Case(values, said=[sorted(exported)], steps=1)


def tower_alone(tf):
    optimizer = tf.contrib.estimator.TowerOptimizer(tf.train.AdamOptimizer(0.1))
    variable = tf.Variable([1.0, 2.0])
    update = optimizer.minimize(tf.reduce_sum(variable**2))
    said = [
        optimizer.get_name(), optimizer.get_slot_names(), optimizer.get_slot(variable, "m"),
        optimizer.variables(), type(optimizer).has_been_used(),
    ]  # fmt: skip
    return Case([variable], [update], said=said)


CASES = {
    "train": collect(
        train, train_adam_function, train_sum, train_three, train_one, train_default,
        train_one_gpu, train_sparse, train_momentum, tower_alone,
    ),
    "evaluate": collect(evaluate, evaluate_one),
    "predict": collect(predict),
}  # fmt: skip


def _several(tf):
    """Towers that call their optimizers differently often."""
    calls = []

    def model_fn(features, labels, mode):
        variable = tf.get_variable("v", [], initializer=tf.ones_initializer())
        loss = tf.reduce_mean(features) * variable
        optimizer = tf.contrib.estimator.TowerOptimizer(tf.train.GradientDescentOptimizer(1.0))
        calls.append(1)
        update = tf.no_op() if len(calls) == 1 else optimizer.minimize(loss)
        optimizer.get_name()
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=update)

    replicated = tf.contrib.estimator.replicate_model_fn(model_fn, devices=_CPUS)
    replicated(tf.constant(_X), None, "train")


def _metrics(tf):
    """Towers with different metrics."""
    calls = []

    def model_fn(features, labels, mode):
        value = tf.reduce_mean(features)
        found = {} if calls else {"mean": tf.metrics.mean(value)}
        if not calls:
            tf.get_variable("more", [], collections=["metric_variables"], trainable=False)
        calls.append(1)
        return tf.estimator.EstimatorSpec(mode, loss=value, eval_metric_ops=found)

    replicated = tf.contrib.estimator.replicate_model_fn(model_fn, devices=_CPUS)
    replicated(tf.constant(_X), None, "eval")


MISTAKES = {
    "replicate": {
        "reduction": lambda tf: _spec(tf, "train", loss_reduction="none"),
        "batch": lambda tf: _spec(tf, "train", features={"x": _X[:7]}, labels=_Y[:7]),
        "labels": lambda tf: _spec(tf, "train", labels=_Y[:7]),
        "optimizer": lambda tf: _spec(tf, "train", _model(wrapped=False)),
        "calls": _several,
        "metrics": _metrics,
    },
}
