"""Canned estimators, heads and input functions: trained, evaluated, asked and exported.

Run by `record_canned.py` under TensorFlow 1.15, and by tests/api/test_canned.py.
"""

from __future__ import annotations

import glob
import os
import re

import numpy as np
import recording

WORDS = ["red", "green", "blue"]


def _arrays():
    """Features of twelve examples."""
    r = np.random.RandomState(0)
    word = np.array([WORDS[i] for i in r.randint(0, 3, 12)], dtype=object)
    return {"x": r.randn(12, 2).astype("f"), "w": (r.rand(12) + 0.5).astype("f"), "word": word}


def _labels(kind):
    r = np.random.RandomState(1)
    kinds = {
        "binary": lambda: r.randint(0, 2, 12),
        "classes": lambda: r.randint(0, 3, 12),
        "names": lambda: np.array([WORDS[i] for i in r.randint(0, 3, 12)], dtype=object),
        "two names": lambda: np.array([WORDS[i] for i in r.randint(0, 2, 12)], dtype=object),
        "numbers": lambda: r.randn(12, 1).astype("f"),
        "pairs": lambda: r.randn(12, 2).astype("f"),
        "counts": lambda: r.poisson(2.0, (12, 1)).astype("f"),
        "sets": lambda: r.randint(0, 2, (12, 3)),
        "several": lambda: {"a": r.randint(0, 2, 12), "b": r.randn(12, 1).astype("f")},
    }
    return kinds[kind]()


def _columns(tf):
    """(numeric, embedded or indicated, categorical)."""
    fc = tf.feature_column
    word = fc.categorical_column_with_vocabulary_list("word", WORDS)
    x = fc.numeric_column("x", 2)
    return [x], [fc.indicator_column(word), fc.embedding_column(word, 2)], [word]


def _old_columns(tf):
    from tensorflow.python.feature_column import feature_column as fc

    word = fc._categorical_column_with_vocabulary_list("word", WORDS)
    x = fc._numeric_column("x", (2,))
    return [x], [fc._indicator_column(word), fc._embedding_column(word, 2)], [word]


class Model:
    """An estimator to be compared.

    Args:
        labels: the kind of labels it has.
        make: a function of the `tensorflow` module and of arguments for the estimator that makes
            it.
    """

    def __init__(self, labels, make):
        self.labels, self.make = labels, make


def _dnn(tf, kind="Classifier", columns=_columns, **kwargs):
    numeric, dense, _ = columns(tf)
    return getattr(tf.estimator, "DNN" + kind)(
        hidden_units=[4, 3], feature_columns=numeric + dense, **kwargs
    )


def _linear(tf, kind="Classifier", columns=_columns, **kwargs):
    numeric, _, categorical = columns(tf)
    return getattr(tf.estimator, "Linear" + kind)(feature_columns=numeric + categorical, **kwargs)


def _combined(tf, kind="Classifier", **kwargs):
    numeric, dense, categorical = _columns(tf)
    return getattr(tf.estimator, "DNNLinearCombined" + kind)(
        linear_feature_columns=categorical, dnn_feature_columns=numeric + dense,
        dnn_hidden_units=[3], **kwargs
    )  # fmt: skip


def _baseline(tf, kind="Classifier", **kwargs):
    return getattr(tf.estimator, "Baseline" + kind)(**kwargs)


def _of(make, **given):
    return lambda tf, **kwargs: make(tf, **dict(given, **kwargs))


def _headed(make_head, **given):
    """A linear model under a head of tf.contrib.estimator."""
    return lambda tf, **kwargs: _linear(
        tf, "Estimator", head=make_head(tf.contrib.estimator), **dict(given, **kwargs)
    )


def _half_loss(labels, logits):
    return 0.5 * (labels - logits) ** 2


MODELS = {
    "dnn_binary": Model("binary", _dnn),
    "dnn_classes": Model(
        "names",
        _of(
            _dnn, n_classes=3, label_vocabulary=WORDS, weight_column="w", batch_norm=True,
            dropout=0.5, optimizer="Adam",
        ),
    ),
    "dnn_numbers": Model("pairs", _of(_dnn, kind="Regressor", label_dimension=2, optimizer="SGD")),
    "linear_binary": Model(
        "two names", _of(_linear, label_vocabulary=WORDS[:2], weight_column="w")
    ),
    "linear_classes": Model("classes", _of(_linear, n_classes=3, sparse_combiner="mean")),
    "linear_numbers": Model("numbers", _of(_linear, kind="Regressor", weight_column="w")),
    "linear_old": Model(
        "classes", _of(_linear, n_classes=3, columns=_old_columns, optimizer=None)
    ),
    "combined_binary": Model("binary", _combined),
    "combined_numbers": Model("numbers", _of(_combined, kind="Regressor", batch_norm=True)),
    "baseline_classes": Model("classes", _of(_baseline, n_classes=3)),
    "baseline_numbers": Model("pairs", _of(_baseline, kind="Regressor", label_dimension=2)),
    "head_binary": Model(
        "binary", _headed(lambda c: c.binary_classification_head(thresholds=[0.3, 0.5], name="a"))
    ),
    "head_numbers": Model(
        "numbers", _headed(lambda c: c.regression_head(loss_fn=_half_loss, name="b"))
    ),
    "head_counts": Model("counts", _headed(lambda c: c.poisson_regression_head())),
    "head_sets": Model(
        "sets",
        _headed(
            lambda c: c.multi_label_head(
                3, thresholds=[0.5], label_vocabulary=WORDS,
                classes_for_class_based_metrics=["blue"], weight_column="w",
            )
        ),
    ),
    "head_several": Model(
        "several",
        _headed(
            lambda c: c.multi_head(
                [c.binary_classification_head(name="a"), c.regression_head(name="b")], [1.0, 0.5]
            )
        ),
    ),
}  # fmt: skip


class Watch(object):
    """What hooks see of an estimator: its graphs, and the losses of training."""

    described = staticmethod(lambda graph: described(graph))

    def __init__(self, tf):
        self._tf = tf
        self.graphs, self.losses = {}, []

    def keep(self, name):
        """A hook that keeps the graph under a name, and the losses if it is "train"."""
        tf, watch = self._tf, self

        class Keep(tf.train.SessionRunHook):
            def begin(self):
                self.loss = tf.get_collection("losses")[-1] if name == "train" else None

            def after_create_session(self, session, coord):
                watch.graphs[name] = watch.described(session.graph)

            def before_run(self, run_context):
                return None if self.loss is None else tf.train.SessionRunArgs(self.loss)

            def after_run(self, run_context, run_values):
                if self.loss is not None:
                    watch.losses.append(run_values.results)

        return Keep()


def observed(tf, model):
    """Trains, evaluates, asks and exports a model.

    Returns:
        A dict of `graphs`, `values`, `said`.
    """
    watch = Watch(tf)
    config = tf.estimator.RunConfig(
        os.path.abspath("model"), tf_random_seed=3, save_summary_steps=2
    )
    estimator = model.make(tf, config=config)
    features, labels = _arrays(), _labels(model.labels)
    numpy_input_fn = tf.estimator.inputs.numpy_input_fn
    train = numpy_input_fn(features, labels, batch_size=5, num_epochs=None, shuffle=False)
    once = numpy_input_fn(features, labels, batch_size=5, shuffle=False)
    estimator.train(train, [watch.keep("train")], steps=5)
    names = sorted(estimator.get_variable_names())
    results = estimator.evaluate(once, hooks=[watch.keep("eval")])
    unlabelled = numpy_input_fn(features, batch_size=5, shuffle=False)
    predictions = list(estimator.predict(unlabelled, hooks=[watch.keep("predict")]))
    values = [watch.losses, [estimator.get_variable_value(name) for name in names]]
    values += [results, predictions[0], predictions[-1], len(predictions)]
    said = [names, sorted(results), tags(tf, "model"), tags(tf, "model/eval")]
    said.append(sorted(re.sub("events.*", "events", x) for x in os.listdir("model")))
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {
            "x": tf.placeholder(tf.float32, [None, 2], name="x"),
            "w": tf.placeholder(tf.float32, [None], name="w"),
            "word": tf.placeholder(tf.string, [None], name="word"),
        }
    )
    folder = estimator.export_savedmodel("exported", receiver)
    signatures = {}
    with tf.Session(graph=tf.Graph()) as session:
        loaded = tf.saved_model.loader.load(session, ["serve"], folder.decode())
        for key, signature in loaded.signature_def.items():
            signatures[key] = [
                signature.method_name,
                {k: v.name for k, v in signature.inputs.items()},
                {k: v.name for k, v in signature.outputs.items()},
            ]
    said.append(signatures)
    return {"graphs": watch.graphs, "values": values, "said": said}


def described(graph):
    """A graph, without the random names of its tables."""
    found = recording.describe_graph(graph)
    for _, _, _, _, attrs in found["nodes"]:
        if "shared_name" in attrs:
            attrs["shared_name"] = re.sub(r"[-0-9a-f]{36}", "<uuid>", attrs["shared_name"])
    return found


def tags(tf, folder):
    """The tags in the event files of a folder, and at which steps they are."""
    found = {}
    for path in glob.glob(os.path.join(folder, "events*")):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                # How long a step took is said when the clock says so.
                if value.tag != "global_step/sec":
                    found.setdefault(value.tag, []).append(event.step)
    return {tag: sorted(steps) for tag, steps in found.items()}


def _inputs(tf, **kwargs):
    settings = {"batch_size": 4, "num_epochs": 1, "shuffle": False}
    settings.update(kwargs)
    return settings


def _numpy(tf, x, y=None, **kwargs):
    return tf.estimator.inputs.numpy_input_fn(x, y, **_inputs(tf, **kwargs))()


def _pandas(tf, y=None, **kwargs):
    import pandas as pd

    x = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, 5.0], "b": [5, 4, 3, 2, 1]})
    labels = {
        None: lambda: None,
        "series": lambda: pd.Series([0, 1, 0, 1, 0]),
        "frame": lambda: pd.DataFrame({"d": [0, 1, 0, 1, 0], "c": [1, 1, 2, 2, 3]}),
        "index": lambda: pd.Series([0, 1, 0, 1, 0], index=list("abcde")),
    }[y]()
    return tf.estimator.inputs.pandas_input_fn(x, labels, **_inputs(tf, **kwargs))()


def _x():
    return np.arange(10.0).reshape(5, 2)


def _y():
    return np.arange(5)


INPUTS = {
    "array": lambda tf: _numpy(tf, _x()),
    "dict": lambda tf: _numpy(tf, {"b": _x(), "a": _y()}, _y() + 10),
    "dicts": lambda tf: _numpy(tf, {"a": _x()}, {"d": _y(), "c": _y() + 1}),
    "endless": lambda tf: _numpy(tf, {"a": _x()}, _y(), num_epochs=None),
    "epochs": lambda tf: _numpy(tf, {"a": _x()}, _y(), num_epochs=2, queue_capacity=7),
    "shuffled": lambda tf: _numpy(tf, {"__target_key__": _x()}, _y(), shuffle=True),
    "threads": lambda tf: _numpy(tf, _x(), num_epochs=None, shuffle=True, num_threads=2),
    "table": lambda tf: _pandas(tf),
    "table_series": lambda tf: _pandas(tf, "series", queue_capacity=None),
    "table_frame": lambda tf: _pandas(tf, "frame"),
    "table_shuffled": lambda tf: _pandas(tf, "series", shuffle=True, num_epochs=None),
}


def read(tf, name):
    """Records an input function, and reads from it what is in order.

    Returns:
        A dict of `graph`, `values`.
    """
    made = INPUTS[name](tf)
    graph = recording.describe_graph(tf.get_default_graph())
    values = []
    if "shuffle" not in name and name != "threads":
        with tf.Session() as session:
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            try:
                for _ in range(4):
                    values.append(session.run(made))
            except tf.errors.OutOfRangeError as error:
                text = recording.error_text(error).split("\n\t [[")[0]
                values.append(re.sub("_[0-9]+_", "_", text))
            coordinator.request_stop()
            coordinator.join(threads)
    return {"graph": graph, "values": values}


def _heads(tf):
    return tf.contrib.estimator


def _estimators(tf):
    return tf.estimator


def _trained(make, features=None, labels=None):
    """A mistake found when a model is trained."""

    def case(tf):
        x = {"x": np.ones((4, 2), "f")} if features is None else features
        y = np.zeros((4, 1), "f") if labels is None else labels
        make(tf).train(lambda: (_constants(tf, x), _constants(tf, y)), steps=1)

    return case


def _constants(tf, x):
    if isinstance(x, dict):
        return {key: tf.constant(value) for key, value in x.items()}
    return [tf.constant(value) for value in x] if isinstance(x, list) else tf.constant(x)


def _x_column(tf):
    return [tf.feature_column.numeric_column("x", 2)]


class _Nameless(object):
    name = None

    def __repr__(self):
        return "a head"


MISTAKES = {
    "inputs": {
        "shuffle": lambda tf: _numpy(tf, _x(), shuffle=None),
        "no features": lambda tf: _numpy(tf, {}),
        "empty": lambda tf: _numpy(tf, np.zeros([0])),
        "a list": lambda tf: _numpy(tf, [1.0]),
        "no labels": lambda tf: _numpy(tf, {"a": _x()}, {}),
        "twice": lambda tf: _numpy(tf, {"a": _x()}, {"a": _y()}),
        "lengths": lambda tf: _numpy(tf, {"a": _x()}, _y()[:2]),
        "lengths of several": lambda tf: _numpy(tf, {"a": _x()}, {"b": _y()[:2]}),
        "table's shuffle": lambda tf: _pandas(tf, shuffle=None),
        "table's target": lambda tf: _pandas(tf, target_column=3),
        "column": lambda tf: _pandas(tf, "series", target_column="a"),
        "index": lambda tf: _pandas(tf, "index"),
    },
    "heads": {
        "n_classes": lambda tf: _heads(tf).multi_class_head(2),
        "no n_classes": lambda tf: _heads(tf).multi_class_head(None),
        "vocabulary": lambda tf: _heads(tf).multi_class_head(3, label_vocabulary="abc"),
        "reduction": lambda tf: _heads(tf).multi_class_head(3, loss_reduction="x"),
        "no reduction": lambda tf: _heads(tf).regression_head(loss_reduction="none"),
        "loss": lambda tf: _heads(tf).regression_head(loss_fn=lambda x: x),
        "loss's arguments": lambda tf: _heads(tf).regression_head(
            loss_fn=lambda labels, logits, x: x
        ),
        "two's vocabulary": lambda tf: _heads(tf).binary_classification_head(
            label_vocabulary="ab"
        ),
        "threshold": lambda tf: _heads(tf).binary_classification_head(thresholds=[0.5, 1.0]),
        "dimension": lambda tf: _heads(tf).regression_head(label_dimension=0),
        "sets' n_classes": lambda tf: _heads(tf).multi_label_head(1),
        "sets' threshold": lambda tf: _heads(tf).multi_label_head(2, thresholds=[0.0]),
        "sets' vocabulary": lambda tf: _heads(tf).multi_label_head(2, label_vocabulary=["a"]),
        "sets' vocabulary's type": lambda tf: _heads(tf).multi_label_head(
            2, label_vocabulary="ab"
        ),
        "class": lambda tf: _heads(tf).multi_label_head(
            2, classes_for_class_based_metrics=[2]
        ),
        "class's name": lambda tf: _heads(tf).multi_label_head(
            2, classes_for_class_based_metrics=["a"]
        ),
        "no heads": lambda tf: _heads(tf).multi_head([]),
        "nameless": lambda tf: _heads(tf).multi_head([_Nameless()]),
        "weights": lambda tf: _heads(tf).multi_head([_heads(tf).regression_head()], [1, 2]),
        "logits": lambda tf: _heads(tf).regression_head().create_estimator_spec(
            {}, "train", tf.ones([2, 3]), tf.ones([2, 1])
        ),
        "logits' rank": lambda tf: _heads(tf).regression_head().create_estimator_spec(
            {}, "train", tf.ones([2]), tf.ones([2, 1])
        ),
        "labels": lambda tf: _heads(tf).regression_head().create_estimator_spec(
            {}, "train", tf.ones([2, 1]), tf.ones([2, 2])
        ),
        "no labels": lambda tf: _heads(tf).regression_head().create_estimator_spec(
            {}, "train", tf.ones([2, 1])
        ),
        "sparse labels": lambda tf: _heads(tf).regression_head().create_estimator_spec(
            {}, "train", tf.ones([2, 1]), tf.SparseTensor([[0, 0]], [1.0], [2, 1])
        ),
        "float labels": lambda tf: _heads(tf).multi_class_head(3).create_estimator_spec(
            {}, "train", tf.ones([2, 3]), tf.ones([2, 1])
        ),
        "unnamed labels": lambda tf: _heads(tf).multi_class_head(
            3, label_vocabulary=WORDS
        ).create_estimator_spec({}, "train", tf.ones([2, 3]), tf.ones([2, 1])),
        "no optimizer": lambda tf: _heads(tf).regression_head().create_estimator_spec(
            {}, "train", tf.ones([2, 1]), tf.ones([2, 1])
        ),
        "both": lambda tf: _heads(tf).regression_head().create_estimator_spec(
            {}, "train", tf.ones([2, 1]), tf.ones([2, 1]), optimizer=3, train_op_fn=4
        ),
        "weight column": lambda tf: _heads(tf).regression_head(weight_column=3)
        .create_estimator_spec({}, "train", tf.ones([2, 1]), tf.ones([2, 1])),
        "split": lambda tf: _heads(tf).multi_head(
            [_heads(tf).regression_head(name="a"), _heads(tf).regression_head(name="b")]
        ).create_estimator_spec({}, "infer", tf.ones([2, 3])),
    },
    "canned": {
        "optimizer's name": _trained(
            lambda tf: _estimators(tf).DNNRegressor([2], _x_column(tf), optimizer="x")
        ),
        "optimizer": _trained(
            lambda tf: _estimators(tf).LinearRegressor(_x_column(tf), optimizer=3)
        ),
        "features": _trained(
            lambda tf: _estimators(tf).LinearRegressor(_x_column(tf)), [np.ones((4, 2), "f")]
        ),
        "label's width": _trained(
            lambda tf: _estimators(tf).LinearRegressor(_x_column(tf)),
            labels=np.zeros((4, 2), "f"),
        ),
        "no columns": lambda tf: _estimators(tf).DNNLinearCombinedRegressor(),
        "no units": _trained(
            lambda tf: _estimators(tf).DNNLinearCombinedRegressor(
                dnn_feature_columns=_x_column(tf)
            )
        ),
        "synchronous": _trained(
            lambda tf: _estimators(tf).DNNLinearCombinedRegressor(
                linear_feature_columns=_x_column(tf),
                linear_optimizer=tf.train.SyncReplicasOptimizer(
                    tf.train.GradientDescentOptimizer(0.1), 1
                ),
            )
        ),
        "units": lambda tf: _estimators(tf).experimental.dnn_logit_fn_builder(
            "x", [1], [], None, None, None, False
        ),
        "classes": lambda tf: _estimators(tf).DNNClassifier([2], [], n_classes=1),
    },
}  # fmt: skip
