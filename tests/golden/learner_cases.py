"""Estimators of trees, of SDCA, of clusters and of kernels: trained, evaluated, asked, exported.

Run by `record_learners.py` under TensorFlow 1.15, and by tests/api/test_learners.py.
"""

from __future__ import annotations

import json
import os
import re

import canned_cases
import numpy as np
from canned_cases import tags

WORDS = ["red", "green", "blue"]


def described(graph):
    """A graph whose functions are numbered from 0: TensorFlow's count those of the process."""
    text = json.dumps(canned_cases.described(graph))
    pattern = r"(?<=_true_)\d+|(?<=_false_)\d+"
    numbers = sorted({int(number) for number in re.findall(pattern, text)})
    ranks = {str(number): str(rank) for rank, number in enumerate(numbers)}
    found = json.loads(re.sub(pattern, lambda match: ranks[match.group()], text))
    library = found["library"]["functions"]
    found["library"]["functions"] = {name: library[name] for name in sorted(library)}
    return found


class Watch(canned_cases.Watch):
    described = staticmethod(described)


def _arrays(count=60):
    r = np.random.RandomState(0)
    word = np.array([WORDS[i] for i in r.randint(0, 3, count)], dtype=object)
    x = r.randn(count, 2).astype("f")
    return {
        "x": x, "y": r.rand(count).astype("f"), "w": (r.rand(count) + 0.5).astype("f"),
        "word": word, "id": np.arange(count),
    }  # fmt: skip


def _labels(kind):
    features = _arrays()
    x, word = features["x"], features["word"]
    # With noise, so that rounding alone does not choose between splits.
    noise = np.random.RandomState(1).randn(len(x))
    score = x[:, 0] + (word == "red") - x[:, 1] * features["y"] + 1.5 * noise
    if kind == "numbers":
        return score.astype("f")[:, None]
    names = np.array(["no", "yes"], dtype=object)
    two = (score > 0).astype("i")
    return {"two": two, "names": names[two], "three": two + (x[:, 1] > 0)}[kind]


def _config(tf, **kwargs):
    return tf.estimator.RunConfig(
        os.path.abspath("model"), tf_random_seed=3, save_summary_steps=2, **kwargs
    )


def _columns(tf, kind):
    fc = tf.feature_column
    x, y = fc.numeric_column("x", 2), fc.numeric_column("y")
    word = fc.indicator_column(fc.categorical_column_with_vocabulary_list("word", WORDS))
    buckets = fc.bucketized_column(y, [0.2, 0.4, 0.6])
    old = None
    if kind == "old":
        from tensorflow.python.feature_column import feature_column as fc_old

        old = fc_old._bucketized_column(fc_old._numeric_column("y"), [0.2, 0.4, 0.6, 0.8])
    kinds = {"all": [x, word, buckets], "numbers": [x, y], "buckets": [buckets, word], "old": [old]}
    return kinds[kind]


def _batches(tf, labels, size, epochs=None):
    """Batches of features and labels."""

    def input_fn():
        features, y = _arrays(), _labels(labels)
        dataset = tf.data.Dataset.from_tensor_slices((features, y)).repeat(epochs)
        return dataset.batch(size, drop_remainder=size == 60)

    return input_fn


def _plain_features(tf, count):
    def input_fn():
        return tf.data.Dataset.from_tensor_slices(_arrays(count)).batch(count)

    return input_fn


class _Used:
    """An estimator that was trained, and what is seen of it.

    Args:
        estimator: the estimator.
        labels: the kind of labels.
        size: of batches.
        steps: of training; None until it stops by itself.
    """

    def __init__(self, tf, estimator, labels, size=30, steps=None):
        self.tf, self.estimator, self.watch = tf, estimator, Watch(tf)
        train = _batches(tf, labels, size)
        estimator.train(train, [self.watch.keep("train")], steps=steps)
        results = estimator.evaluate(
            _batches(tf, labels, 60, 1), hooks=[self.watch.keep("eval")]
        )
        predictions = list(
            estimator.predict(_plain_features(tf, 5), hooks=[self.watch.keep("predict")])
        )
        names = sorted(estimator.get_variable_names())
        self.values = [self.watch.losses, [_shown(estimator, name) for name in names]]
        self.values += [results, predictions]
        self.said = [names, sorted(results), tags(tf, "model"), tags(tf, "model/eval")]

    def export(self):
        """Exports the model and asks what was exported."""
        tf = self.tf
        columns = {
            "x": tf.placeholder(tf.float32, [None, 2], name="x"),
            "y": tf.placeholder(tf.float32, [None], name="y"),
            "w": tf.placeholder(tf.float32, [None], name="w"),
            "word": tf.placeholder(tf.string, [None], name="word"),
        }
        receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(columns)
        folder = self.estimator.export_saved_model("exported", receiver)
        predict = tf.contrib.predictor.from_saved_model(folder.decode(), "predict")
        asked = {k: v for k, v in _arrays(3).items() if k in columns}
        self.values.append(predict(asked))

    def found(self):
        return {"graphs": self.watch.graphs, "values": self.values, "said": self.said}


def _shown(estimator, name):
    """A variable's value; of serialized trees only that there are some."""
    value = estimator.get_variable_value(name)
    return len(value) > 0 if isinstance(value, bytes) else value


# Fewer buckets than values make TF write beyond its buffers: examples are fewer than 1 / epsilon.
def _trees(kind, labels, columns="all", size=60, steps=None, **given):
    """A run of boosted trees."""

    def run(tf):
        settings = {
            "n_batches_per_layer": 60 // size, "n_trees": 2, "max_depth": 2, "learning_rate": 0.5,
            "quantile_sketch_epsilon": 0.012,
        }  # fmt: skip
        settings.update(given)
        model = getattr(tf.estimator, "BoostedTrees" + kind)(
            _columns(tf, columns), config=_config(tf), **settings
        )
        used = _Used(tf, model, labels, size, steps)
        importances = model.experimental_feature_importances()
        used.said.append(list(importances))
        used.values.append(list(importances.values()))
        if settings.get("center_bias"):
            explained = model.experimental_predict_with_explanations(_plain_features(tf, 3))
            for prediction in explained:
                used.values += [prediction["bias"], list(prediction["dfc"].values())]
                used.said.append(list(prediction["dfc"]))
        used.export()
        return used.found()

    return run


def _in_memory(kind, labels, **given):
    def run(tf):
        watch = Watch(tf)
        train = getattr(tf.contrib.estimator, "boosted_trees_%s_train_in_memory" % kind)
        model = train(
            lambda: tf.data.Dataset.from_tensors((_arrays(), _labels(labels))),
            _columns(tf, "all"), config=_config(tf), train_hooks=[watch.keep("train")], n_trees=2,
            max_depth=3, quantile_sketch_epsilon=0.012, **given
        )  # fmt: skip
        results = model.evaluate(_batches(tf, labels, 60, 1))
        return {"graphs": watch.graphs, "values": [watch.losses, results], "said": []}

    return run


def _workers(tf, is_chief=True):
    """The graph of one of two workers."""
    from tensorflow_estimator.python.estimator.canned import boosted_trees

    graph = tf.Graph()
    with graph.as_default():
        head, closed = boosted_trees._create_classification_head_and_closed_form(2, None, None)
        hparams = boosted_trees._TreeHParams(3, 2, 0.1, 0.0, 0.1, 0.0, 0.0, True, "none", 0.012)

        class Config(object):
            num_worker_replicas, num_ps_replicas = 2, 1

        Config.is_chief = is_chief
        features = {key: tf.constant(value[:4]) for key, value in _arrays().items()}
        with tf.variable_scope("", use_resource=True):
            tf.train.create_global_step()
            spec = boosted_trees._bt_model_fn(
                features, tf.constant(_labels("two")[:4]), "train", head, _columns(tf, "all"),
                hparams, 2, Config, closed, example_id_column_name="id", weight_column="w",
            )  # fmt: skip
        said = [x.__class__.__name__ for x in spec.training_hooks + tuple(spec.training_chief_hooks)]
    return {"graphs": {"train": described(graph)}, "values": [], "said": said}


RUNS = {
    "trees_two": _trees("Classifier", "two"),
    "trees_names": _trees(
        "Classifier", "names", size=30, label_vocabulary=["no", "yes"], weight_column="w",
        center_bias=True, l2_regularization=0.1,
    ),
    "trees_buckets": _trees(
        "Classifier", "two", "buckets", size=30, weight_column="w", pruning_mode="pre", tree_complexity=0.01,
        min_node_weight=0.01,
    ),
    "trees_old": _trees("Classifier", "two", "old", weight_column="w"),
    "trees_memory": _trees("Classifier", "two", train_in_memory=True, center_bias=True),
    "trees_numbers": _trees(
        "Regressor", "numbers", "numbers", size=20, center_bias=True, l1_regularization=0.01
    ),
    "trees_post": _trees(
        "Regressor", "numbers", weight_column="w", pruning_mode="post", tree_complexity=0.02
    ),
    "trees_at_once": _in_memory("classifier", "two"),
    "trees_at_once_numbers": _in_memory("regressor", "numbers", center_bias=True),
    "trees_chief": _workers,
    "trees_worker": lambda tf: _workers(tf, is_chief=False),
}  # fmt: skip


def _classifier(tf, columns=None, n_batches_per_layer=1, **kwargs):
    columns = _columns(tf, "all") if columns is None else columns
    return tf.estimator.BoostedTreesClassifier(columns, n_batches_per_layer, **kwargs)


def _matrix(tf):
    return [tf.feature_column.numeric_column("x", (2, 2))]


def _train(tf, model):
    model.train(_batches(tf, "two", 60), steps=1)


MISTAKES = {
    "trees": {
        "classes": lambda tf: _classifier(tf, n_classes=3),
        "classes and pruning": lambda tf: _classifier(tf, n_classes=3, pruning_mode=None),
        "numbers": lambda tf: tf.estimator.BoostedTreesRegressor([], 1, label_dimension=2),
        "numbers without pruning": lambda tf: tf.estimator.BoostedTreesRegressor(
            [], 1, label_dimension=2, pruning_mode=None
        ),
        "category": lambda tf: _classifier(
            tf, [tf.feature_column.categorical_column_with_identity("x", 3)]
        ),
        "column": lambda tf: _train(tf, _classifier(tf, _matrix(tf))),
        "pruning": lambda tf: _train(tf, _classifier(tf, pruning_mode="x")),
        "complexity": lambda tf: _train(tf, _classifier(tf, tree_complexity=1.0)),
        "no complexity": lambda tf: _train(tf, _classifier(tf, pruning_mode="pre")),
        "batches": lambda tf: _train(
            tf, _classifier(tf, n_batches_per_layer=2, train_in_memory=True)
        ),
        "explanations": lambda tf: next(
            _classifier(tf).experimental_predict_with_explanations(None)
        ),
    },
}
