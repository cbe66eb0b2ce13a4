"""The heads of TF 2's generation: `tf.estimator.Head` and its subclasses.

Read by `record_cases.py` under TensorFlow 1.15, replayed by `tests/api/test_heads.py`.
"""

from __future__ import annotations

from case_runs import Case, fetch

_SPARSE = {"indices": [[0, 0], [1, 0], [1, 1]], "dense_shape": [2, 2]}

# kind of head -> (makes one, logits, labels, features)
HEADS = {
    "numbers": (
        lambda e: e.RegressionHead(2, weight_column="w", name="n"),
        [[1.0, -2.0], [0.5, 3.0]],
        [[0.0, 1.0], [2.0, 3.0]],
        {"w": [[1.0, 2.0], [0.5, 0.25]]},
    ),
    "link": (
        lambda e: e.RegressionHead(inverse_link_fn=lambda x: x * 2.0, loss_reduction="sum"),
        [[1.0], [0.5]],
        [0.0, 1.0],
        {},
    ),
    "counts": (lambda e: e.PoissonRegressionHead(), [[1.0], [0.5]], [[2], [3]], {}),
    "odds": (
        lambda e: e.LogisticRegressionHead("w"),
        [[1.0], [-0.5]],
        [[0.25], [1.0]],
        {"w": [[3], [1]]},
    ),
    "two": (
        lambda e: e.BinaryClassHead("w", thresholds=[0.25, 0.7], name="two"),
        [[1.0], [-0.5]],
        [[0], [1]],
        {"w": [2.0, 0.5]},
    ),
    "two names": (
        lambda e: e.BinaryClassHead(label_vocabulary=["no", "yes"], loss_fn=_hinge),
        [[1.0], [-0.5]],
        [["yes"], ["yes"]],
        {"x": [[1.0], [4.0]]},
    ),
    "three": (
        lambda e: e.MultiClassHead(3, weight_column="w"),
        [[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]],
        [[2], [0]],
        {"w": [[2.0], [0.5]]},
    ),
    "three names": (
        lambda e: e.MultiClassHead(3, label_vocabulary=list("abc"), name="c"),
        [[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]],
        ["c", "a"],
        {},
    ),
    "sets": (
        lambda e: e.MultiLabelHead(
            2, "w", thresholds=[0.5], classes_for_class_based_metrics=[1], name="s"
        ),
        [[1.0, -1.0], [0.5, 2.0]],
        [[1, 0], [1, 1]],
        {"w": [[2.0], [0.5]]},
    ),
    "sparse sets": (
        lambda e: e.MultiLabelHead(2),
        [[1.0, -1.0], [0.5, 2.0]],
        dict(_SPARSE, values=[0, 0, 1]),
        {},
    ),
    "named sets": (
        lambda e: e.MultiLabelHead(
            2, label_vocabulary=["a", "b"], classes_for_class_based_metrics=["b"]
        ),
        [[1.0, -1.0], [0.5, 2.0]],
        dict(_SPARSE, values=["b", "a", "b"]),
        {},
    ),
    "several": (
        lambda e: e.MultiHead(
            [e.RegressionHead(name="a"), e.BinaryClassHead(name="b")], head_weights=[1.0, 0.5]
        ),
        [[1.0, -1.0], [0.5, 2.0]],
        {"a": [[0.5], [2.0]], "b": [[1], [0]]},
        {},
    ),
}


def _hinge(labels, logits, features):
    return (labels - logits) * (labels - logits) * features["x"]


def _tensors(tf, value):
    """Lists as constants; a dict with indices as a SparseTensor."""
    if isinstance(value, dict):
        if "indices" in value:
            return tf.SparseTensor(**value)
        return {key: _tensors(tf, value[key]) for key in sorted(value)}
    return tf.constant(value)


def _given(tf, name):
    make, logits, labels, features = HEADS[name]
    head = make(tf.estimator)
    return head, tf.constant(logits), _tensors(tf, labels), _tensors(tf, features)


def _training(name):
    def case(tf):
        head, logits, labels, features = _given(tf, name)
        v = tf.Variable(1.0, name="v", use_resource=True)
        optimizer = tf.keras.optimizers.SGD(0.1)
        regularization = [tf.square(v, name="r")]
        spec = head.create_estimator_spec(
            features, "train", v * logits, labels, optimizer=optimizer, trainable_variables=[v],
            update_ops=[tf.no_op(name="also")], regularization_losses=regularization,
        )  # fmt: skip
        said = [tf.get_collection("summaries"), spec.train_op.name, head.name, head.loss_reduction]
        return Case([spec.loss], [spec.train_op], said=said, steps=2)

    return case


def _evaluation(name):
    def case(tf):
        head, logits, labels, features = _given(tf, name)
        spec = head.create_estimator_spec(
            features, "eval", logits, labels, regularization_losses=[tf.constant(0.5)]
        )
        for key in (tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES):
            tf.get_collection_ref(key).sort(key=lambda v: v.name)  # TensorFlow adds a set's.
        keys = sorted(spec.eval_metric_ops)
        values, updates = zip(*(spec.eval_metric_ops[key] for key in keys))
        return Case([spec.loss, *values], updates, said=[list(spec.eval_metric_ops)], steps=2)

    return case


def _prediction(name):
    def case(tf):
        head, logits, _, features = _given(tf, name)
        spec = head.create_estimator_spec(features, "infer", logits)
        keys = sorted(spec.predictions, key=str)
        said = [keys, [(key, type(x).__name__) for key, x in sorted(spec.export_outputs.items())]]
        return Case([spec.predictions[key] for key in keys], said=said, steps=1)

    return case


def _fed(tf):
    """Shapes that are known only when it runs."""
    logits = tf.placeholder(tf.float32, [None, None])
    labels = tf.placeholder(tf.int64, None)
    head = tf.estimator.MultiClassHead(3, weight_column=tf.feature_column.numeric_column("w"))
    loss = head.loss(labels, logits, {"w": tf.placeholder_with_default([[1.0], [2.0]], None)})
    feeds = {logits: [[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]], labels: [[2], [0]]}
    return Case([loss, head.predictions(logits, ["classes"])["classes"]], feeds=lambda _: feeds)


def _own(tf):
    """A head of a user's."""

    class Mine(tf.estimator.RegressionHead):
        def predictions(self, logits):
            return {"twice": 2.0 * logits}

        def create_estimator_spec(self, features, mode, logits, labels=None):
            loss = self.loss(labels, logits, features)
            return tf.estimator.EstimatorSpec(
                mode, self.predictions(logits), loss, train_op=tf.no_op()
            )

    spec = Mine().create_estimator_spec({}, "train", tf.ones([2, 1]), tf.zeros([2, 1]))
    return Case([spec.loss, spec.predictions["twice"]], steps=1)


CASES = {
    "train": {name: _training(name) for name in HEADS},
    "eval": {name: _evaluation(name) for name in HEADS},
    "infer": {name: _prediction(name) for name in HEADS},
    "others": {"fed": _fed, "own": _own},
}


def _e(function):
    return lambda tf: function(tf.estimator)


def _loss(make, labels, logits=((1.0,), (2.0,)), features=None):
    """A loss of wrong arguments, computed."""

    def case(tf):
        loss = make(tf.estimator).loss(_tensors(tf, labels), tf.constant(logits), features or {})
        return fetch(tf, loss)

    return case


def _trained(**kwargs):
    def case(tf):
        given = {"train_op_fn": lambda tf: lambda loss: tf.no_op()}
        given.update(kwargs)
        given = {key: value(tf) if callable(value) else value for key, value in given.items()}
        head = tf.estimator.RegressionHead()
        head.create_estimator_spec({}, "train", tf.ones([2, 1]), tf.ones([2, 1]), **given)

    return case


def _several(tf):
    e = tf.estimator
    return e.MultiHead([e.RegressionHead(name="a"), e.RegressionHead(name="b")])


class _Nameless(object):
    name, logits_dimension = None, 1

    def __repr__(self):
        return "a head"


def _abstract(tf):
    class Mine(tf.estimator.Head):
        pass

    Mine()


def _without_spec(tf):
    class Mine(tf.estimator.Head):
        name = logits_dimension = loss_reduction = loss = predictions = None
        metrics = update_metrics = None

    Mine().create_estimator_spec({}, "train", None)


MISTAKES = {
    "made": {
        "dimension": _e(lambda e: e.RegressionHead(0)),
        "reduction": _e(lambda e: e.RegressionHead(loss_reduction="weighted_mean")),
        "no reduction": _e(lambda e: e.BinaryClassHead(loss_reduction="none")),
        "loss": _e(lambda e: e.RegressionHead(loss_fn=lambda x: x)),
        "loss's argument": _e(lambda e: e.MultiClassHead(3, loss_fn=lambda labels, logits, x: x)),
        "thresholds": _e(lambda e: e.BinaryClassHead(thresholds=[0.5, 1.0])),
        "vocabulary": _e(lambda e: e.BinaryClassHead(label_vocabulary="ab")),
        "no n_classes": _e(lambda e: e.MultiClassHead(None)),
        "n_classes": _e(lambda e: e.MultiClassHead(2)),
        "three's vocabulary": _e(lambda e: e.MultiClassHead(3, label_vocabulary=["a"])),
        "sets' n_classes": _e(lambda e: e.MultiLabelHead(1)),
        "sets' thresholds": _e(lambda e: e.MultiLabelHead(2, thresholds=[0.0])),
        "sets' vocabulary": _e(lambda e: e.MultiLabelHead(2, label_vocabulary=["a"])),
        "class": _e(lambda e: e.MultiLabelHead(2, classes_for_class_based_metrics=[2])),
        "class's name": _e(lambda e: e.MultiLabelHead(2, classes_for_class_based_metrics=["a"])),
        "no heads": _e(lambda e: e.MultiHead([])),
        "nameless": _e(lambda e: e.MultiHead([_Nameless()])),
        "weights": _e(lambda e: e.MultiHead([e.RegressionHead(name="a")], [1.0, 2.0])),
        "abstract": _abstract,
        "without spec": _without_spec,
    },
    "asked": {
        "no labels": lambda tf: tf.estimator.RegressionHead().loss(None, tf.ones([2, 1])),
        "no sets": lambda tf: tf.estimator.MultiLabelHead(2).loss(None, tf.ones([2, 2])),
        "sparse": _loss(lambda e: e.RegressionHead(), dict(_SPARSE, values=[1, 1, 1])),
        "width": _loss(lambda e: e.RegressionHead(), [[1.0, 2.0], [1.0, 2.0]]),
        "rows": _loss(lambda e: e.RegressionHead(), [[1.0], [1.0], [1.0]]),
        "logits": _loss(lambda e: e.RegressionHead(2), [[1.0], [1.0]]),
        "range": _loss(lambda e: e.BinaryClassHead(), [[2], [0]]),
        "odds' range": _loss(lambda e: e.LogisticRegressionHead(), [[2.0], [0.0]]),
        "type": _loss(lambda e: e.MultiClassHead(3), [[1.0]], [[1.0, 2.0, 3.0]]),
        "names": _loss(
            lambda e: e.MultiClassHead(3, label_vocabulary=list("abc")), [[1]], [[1.0, 2.0, 3.0]]
        ),
        "sets' type": _loss(
            lambda e: e.MultiLabelHead(2), dict(_SPARSE, values=[0.5, 0.5, 1.0]), [[1.0, 2.0]] * 2
        ),
        "sets' range": _loss(
            lambda e: e.MultiLabelHead(2), dict(_SPARSE, values=[0, 0, 5]), [[1.0, 2.0]] * 2
        ),
        "column": _loss(lambda e: e.RegressionHead(weight_column=3), [[1.0], [1.0]]),
        "prediction": lambda tf: tf.estimator.BinaryClassHead().predictions(tf.ones([2, 1]), ["x"]),
        "several's labels": lambda tf: _several(tf).loss([1.0], tf.ones([2, 2])),
        "several's label": lambda tf: _several(tf).loss({"a": [1.0]}, tf.ones([2, 2])),
        "several's logits": lambda tf: _several(tf).predictions({"a": tf.ones([2, 1])}),
        "several's width": lambda tf: _several(tf).predictions(tf.ones([2, 3])),
    },
    "trained": {
        "neither": _trained(train_op_fn=None),
        "both": _trained(optimizer=lambda tf: tf.keras.optimizers.SGD(0.1)),
        "optimizer": _trained(optimizer=3, train_op_fn=None),
        "variables": _trained(
            optimizer=lambda tf: tf.keras.optimizers.SGD(0.1), train_op_fn=None
        ),
        "variables' type": _trained(
            optimizer=lambda tf: tf.keras.optimizers.SGD(0.1), train_op_fn=None,
            trainable_variables="v",
        ),
        "update_ops": _trained(update_ops="x"),
    },
}  # fmt: skip
