"""tf.contrib.tensor_forest.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_forest.py`.
A session has one thread: TensorFlow takes the examples in no fixed order on several.
"""

from __future__ import annotations

import os
import tempfile

import numpy as np
from case_runs import Case, collect


class _Grown(Case):
    """A forest that grows; what it predicts, and how it and its statistics are saved."""

    def __init__(self, train, fetches, steps, feeds=None, state=()):
        super().__init__(fetches, [], feeds, steps=steps)
        self.train, self.state = train, list(state)

    def run(self, tf):
        from tensorflow.python.ops import resources

        found = []
        one = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        with tf.Session(config=one) as session:
            session.run(tf.global_variables_initializer())
            session.run(resources.initialize_resources(resources.shared_resources()))
            for step in range(self.steps):
                session.run(self.train, self.feeds(step))
                found += zip(self.fetches, session.run(self.fetches, self.feeds(step)))
            found += zip(self.state, session.run(self.state))
        return found


def _forest(tf, steps=8, seed=1, outputs=None, extra=None, **kwargs):
    from tensorflow.contrib.tensor_forest.python import tensor_forest

    tf.set_random_seed(2)
    random = np.random.RandomState(seed)
    settings = {
        "num_classes": 3, "num_features": 6, "num_trees": 2, "max_nodes": 40,
        "split_after_samples": 30, "base_random_seed": seed,
    }  # fmt: skip
    settings.update(kwargs)
    params = tensor_forest.ForestHParams(**settings).fill()
    graphs = tensor_forest.RandomForestGraphs(params)
    x = random.rand(200, 6).astype(np.float32)
    y = (x.sum(1) * 3).astype(int) % 3
    if outputs:
        y = np.stack([y * 0.5, x[:, 1] * 2.0], 1).astype(np.float32)[:, :outputs]
    features = tf.placeholder(tf.float32, [None, 6])
    labels = tf.placeholder(tf.float32 if outputs else tf.int64, [None, outputs][: y.ndim])
    train = graphs.training_graph(features, labels, **(extra or {}))
    predictions, paths, variance = graphs.inference_graph(features)
    sizes = [graphs.training_loss(None, None), graphs.validation_loss(None, None)]
    chosen = [random.randint(200, size=48) for _ in range(steps)]
    saved = [
        saveable.specs[0].tensor
        for saveable in tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)
        if kwargs.get("model_name") != "all_sparse"  # Their maps are in no fixed order.
    ]
    return _Grown(
        train, [predictions, paths, variance, graphs.feature_importances(), *sizes], steps,
        lambda step: {features: x[chosen[step]], labels: y[chosen[step]]}, saved,
    )  # fmt: skip


def classes(tf):
    return _forest(tf, steps=16)


def many_classes(tf):
    return _forest(
        tf,
        seed=3,
        num_classes=5,
        num_splits_to_consider=4,
        max_nodes=9,
        split_name="less",
        use_running_stats_method=True,
    )


def weights(tf):
    weights = tf.constant(np.linspace(0.5, 2.0, 48).astype(np.float32))
    return _forest(tf, seed=4, extra={"input_weights": weights}, checkpoint_stats=True)


def sparse_counts(tf):
    return _forest(tf, seed=5, model_name="all_sparse")


def paths(tf):
    return _forest(tf, steps=3, seed=6, inference_tree_paths=True, collate_examples=True)


def regression(tf):
    return _forest(tf, seed=7, outputs=2, regression=True, num_classes=2, checkpoint_stats=True)


def depths(tf):
    line = "linear { slope: 4 y_intercept: 12 min_val: 5 max_val: 22 }"
    return _forest(
        tf, seed=8, split_after_samples=line,
        num_splits_to_consider="threshold { on_value: 3 off_value: 8 threshold: 2 }",
    )  # fmt: skip


def depths_by_powers(tf):
    powers = "exponential { bias: 4 base: 2 multiplier: 5 depth_multiplier: 1.5 }"
    return _forest(tf, seed=9, split_after_samples=powers)


def parts_of_examples(tf):
    return _forest(tf, seed=10, bagging_fraction=0.7)


def parts_of_features(tf):
    import random

    # TensorFlow reads past the end of such features: only the graph is compared.
    random.seed(11)
    return _forest(tf, steps=0, seed=11, feature_bagging_fraction=0.5)


def _columns(tf, features, **kwargs):
    from tensorflow.contrib.tensor_forest.python import tensor_forest

    params = tensor_forest.ForestHParams(
        num_classes=3, num_features=6, num_trees=1, max_nodes=30, base_random_seed=12,
        split_after_samples=30, **kwargs,
    ).fill()  # fmt: skip
    graphs = tensor_forest.RandomForestGraphs(params)
    labels = tf.constant(np.random.RandomState(13).randint(0, 3, [60, 1]))
    train = graphs.training_graph(features, {"label": labels})
    saved = [s.specs[0].tensor for s in tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)]
    return _Grown(train, list(graphs.inference_graph(features)), 4, state=saved)


def _sparse(tf, dtype):
    random = np.random.RandomState(14)
    is_there = random.rand(60, 4) > 0.5
    is_there[:, 2] = True
    places = np.argwhere(is_there)
    values = tf.constant(random.randint(1, 4, len(places)), dtype)
    return tf.SparseTensor(places, values, [60, 4])


def dict_of_columns(tf):
    random = np.random.RandomState(15)
    floats = tf.constant(random.rand(60, 2).astype(np.float32))
    ints = tf.constant(random.randint(0, 3, [60, 1]))
    columns = {"b": floats, "a": ints, "c": _sparse(tf, tf.int64), "d": _sparse(tf, tf.float32)}
    return _columns(tf, columns)


def sparse_columns(tf):
    return _columns(tf, _sparse(tf, tf.float32))


def restored(tf):
    """A forest that is saved, read back and grown further."""
    from tensorflow.python.ops import resources

    path = os.path.join(tempfile.mkdtemp(), "forest")
    case = _forest(tf, seed=16, steps=4, checkpoint_stats=True)
    saver = tf.train.Saver()
    one = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    with tf.Session(config=one) as session:
        session.run(tf.global_variables_initializer())
        session.run(resources.initialize_resources(resources.shared_resources()))
        for step in range(3):
            session.run(case.train, case.feeds(step))
        saver.save(session, path)
    case.run = lambda tf: _read_back(tf, case, saver, path)
    return case


def _read_back(tf, case, saver, path):
    one = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    with tf.Session(config=one) as session:
        saver.restore(session, path)
        session.run(case.train, case.feeds(3))
        return list(zip(case.state, session.run(case.state)))


def metrics(tf):
    from tensorflow.contrib.tensor_forest.client import eval_metrics

    random = np.random.RandomState(17)
    chances = tf.constant(random.dirichlet(np.ones(6), 8).astype(np.float32))
    classes = tf.constant(random.randint(0, 6, [8, 1]))
    binary = tf.constant(random.randint(0, 2, [8, 1]))
    names = "accuracy auc predictions precision r2 recall sigmoid_entropy top_5".split()
    found = []
    for name in ("sigmoid_entropy", "classification_log_loss", "top_5", "r2"):
        found.append(eval_metrics.get_metric(name)(chances, classes))
    found.append(eval_metrics.get_metric("softmax_entropy")(chances, classes[:, 0]))
    for name in ("auc", "precision_at_thresholds", "recall_at_thresholds"):
        found.append(eval_metrics.get_metric(name)(chances, binary))
    for name in ("accuracy", "precision", "recall"):
        found.append(eval_metrics.get_metric(name)(binary, 1 - binary))
    keys = [eval_metrics.get_prediction_key(name) for name in names]
    return Case([f[0] for f in found], [f[1] for f in found], said=keys, steps=2)


CASES = {
    "forests": collect(
        classes,
        many_classes,
        weights,
        sparse_counts,
        paths,
        regression,
        depths,
        depths_by_powers,
        parts_of_examples,
        parts_of_features,
    ),  # fmt: skip
    "columns": collect(dict_of_columns, sparse_columns),
    "rest": collect(restored, metrics),
}


def _hparams(**kwargs):
    def mistake(tf):
        from tensorflow.contrib.tensor_forest.python import tensor_forest

        tensor_forest.ForestHParams(**kwargs).fill()

    return mistake


def _sparse_parts(**kwargs):
    return lambda tf: _columns(tf, _sparse(tf, tf.float32), **kwargs)


MISTAKES = {
    "settings": {
        "no_classes": _hparams(num_features=2),
        "no_features": _hparams(num_classes=2),
        "pruning": _hparams(num_classes=2, num_features=2, split_pruning_name="half"),
        "finish": _hparams(num_classes=2, num_features=2, split_finish_name="hoeffding"),
        "name": _hparams(num_classes=2, num_features=2, split_name="more"),
    },
    "sparse": {
        "examples": _sparse_parts(bagging_fraction=0.5),
        "features": _sparse_parts(feature_bagging_fraction=0.5),
    },
}
