"""tf.metrics and tf.confusion_matrix: small graphs and what they compute.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_metrics.py`. A case
takes the `tensorflow` module, records a graph and returns a `Case`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect, fetch


def _case(tf, feeds, *metrics):
    """Metrics, each a (value, update) pair: the values are fetched after the updates."""
    values, updates = zip(*metrics)
    said = list(values) + list(updates)
    said += [tf.local_variables(), tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)]
    return Case(fetches=values, updates=updates, feeds=feeds, said=said)


def _fed(tf, *specs):
    """Placeholders, and what feeds them: (shape, dtype or number of classes) for each."""
    placeholders = []
    for i, (shape, kind) in enumerate(specs):
        dtype = tf.int64 if isinstance(kind, int) else kind
        placeholders.append(tf.placeholder(dtype, shape, name="p%d" % i))

    def feeds(step):
        rng = np.random.RandomState(step)
        fed = {}
        for p, (shape, kind) in zip(placeholders, specs):
            sizes = [4 if size is None else size for size in shape]
            if isinstance(kind, int):
                fed[p] = rng.randint(kind, size=sizes)
            elif kind == tf.bool:
                fed[p] = rng.randint(2, size=sizes) > 0
            else:
                fed[p] = rng.uniform(size=sizes)
        return fed

    return placeholders, feeds


# ---- means ----------


def means(tf):
    (x, w, column), feeds = _fed(
        tf, ([None, 3], tf.float32), ([None, 1], tf.float32), ([None], tf.float64)
    )
    return _case(
        tf,
        feeds,
        tf.metrics.mean(x),
        tf.metrics.mean(x, weights=w, name="weighted"),
        tf.metrics.mean(column, 2.0, ["values"], ["updates", "more"]),
        tf.metrics.mean(x, tf.ones([4, 3]), "values", "updates"),
        tf.metrics.mean([1, 2, 3]),
        tf.metrics.percentage_below(x, 0.5),
        tf.metrics.percentage_below(column, tf.constant(0.3, tf.float64), column, name="below"),
    )


def mean_tensors(tf):
    (x, w), feeds = _fed(tf, ([2, 3], tf.float32), ([2, 1], tf.float64))
    return _case(
        tf,
        feeds,
        tf.metrics.mean_tensor(x),
        tf.metrics.mean_tensor(x, w, ["values"], ["updates"], name="weighted"),
        tf.metrics.mean_tensor(tf.cast(x * 10.0, tf.int32), weights=0.5),
    )


def accuracies(tf):
    (labels, predictions, w, column), feeds = _fed(
        tf, ([None], 3), ([None], 3), ([None], tf.float32), ([None, 1], 3)
    )
    return _case(
        tf,
        feeds,
        tf.metrics.accuracy(labels, predictions),
        tf.metrics.accuracy(labels, predictions, w, ["values"], ["updates"], "named"),
        tf.metrics.accuracy(labels, tf.cast(predictions, tf.int32), weights=2),
        tf.metrics.accuracy(column, predictions),
        tf.metrics.accuracy(labels, column, weights=tf.expand_dims(w, 1)),
    )


def unknown_ranks(tf):
    labels = tf.placeholder_with_default(np.array([[1], [2], [1]]), None, name="labels")
    predictions = tf.placeholder_with_default(np.array([1, 1, 1]), None, name="predictions")
    w = tf.placeholder_with_default(np.array([1.0, 2.0, 3.0]), None, name="w")
    known = tf.placeholder_with_default(np.array([[1.0], [2.0]]), [None, 1], name="known")
    other = tf.placeholder_with_default(np.array([5.0, 2.0]), None, name="other")
    return _case(
        tf,
        None,
        tf.metrics.accuracy(labels, predictions),
        tf.metrics.accuracy(predictions, predictions, w),
        tf.metrics.mean(other, known),
        tf.metrics.mean(known, other),
    )


def errors(tf):
    (y, x, w, n), feeds = _fed(
        tf,
        ([None, 2], tf.float32),
        ([None, 2], tf.float32),
        ([None, 1], tf.float32),
        ([None, 2], tf.float32),
    )
    return _case(
        tf,
        feeds,
        tf.metrics.mean_absolute_error(y, x),
        tf.metrics.mean_absolute_error(y, x, w, ["values"], ["updates"], "absolute"),
        tf.metrics.mean_squared_error(y, x, weights=w),
        tf.metrics.root_mean_squared_error(y, x),
        tf.metrics.root_mean_squared_error(y, x, w, "values", "updates", "root"),
        tf.metrics.mean_relative_error(y, x, n),
        tf.metrics.mean_relative_error(y, x, tf.zeros_like(y), w, name="relative"),
        tf.metrics.mean_cosine_distance(y, x, 1),
        tf.metrics.mean_cosine_distance(y, x, 0, 0.5, ["values"], ["updates"], "cosine"),
    )


def classes(tf):
    (labels, predictions, w, square, others), feeds = _fed(
        tf,
        ([None], 3),
        ([None], 3),
        ([None], tf.float32),
        ([None, 2], 3),
        ([None, 2], 3),
    )
    return _case(
        tf,
        feeds,
        tf.metrics.mean_per_class_accuracy(labels, predictions, 4),
        tf.metrics.mean_per_class_accuracy(
            square, tf.cast(others, tf.int32), 3, tf.cast(others, tf.float32), name="square"
        ),
        tf.metrics.mean_iou(labels, predictions, 4),
        tf.metrics.mean_iou(labels, predictions, 3, w, ["values"], ["updates"], "iou"),
        tf.metrics.mean_iou(square, others, 3, tf.cast(square, tf.float64)),
    )


# ---- counts ----------


def counts(tf):
    (labels, predictions, w), feeds = _fed(
        tf, ([None, 2], tf.bool), ([None, 2], tf.bool), ([None, 1], tf.float32)
    )
    m = tf.metrics
    found = []
    for i, f in enumerate(
        [m.true_positives, m.true_negatives, m.false_positives, m.false_negatives]
    ):
        found.append(f(labels, predictions))
        found.append(f(tf.cast(labels, tf.int32), predictions, w, "v", "u", "named%d" % i))
    found.append(m.true_positives(labels, predictions, 0.5))
    found += [m.precision(labels, predictions), m.recall(labels, predictions)]
    found += [
        m.precision(labels, predictions, w, ["v"], ["u"], "precise"),
        m.recall(labels, predictions, w, ["v"], ["u"], "recalled"),
        m.precision(labels, tf.zeros_like(labels)),
    ]
    return _case(tf, feeds, *found)


def thresholds(tf):
    (labels, predictions, w), feeds = _fed(
        tf, ([None, 2], tf.bool), ([None, 2], tf.float32), ([None, 1], tf.float32)
    )
    m = tf.metrics
    found = []
    for f in (
        m.true_positives_at_thresholds,
        m.true_negatives_at_thresholds,
        m.false_positives_at_thresholds,
        m.false_negatives_at_thresholds,
        m.precision_at_thresholds,
        m.recall_at_thresholds,
    ):
        found.append(f(labels, predictions, [0.2, 0.5, 0.7]))
        found.append(f(labels, predictions, [0.5], w, ["v"], ["u"], f.__name__[:3]))
    return _case(tf, feeds, *found)


def at_thresholds(tf):
    labels = tf.placeholder(tf.int32, [6], name="labels")
    predictions = tf.placeholder(tf.float64, [6], name="predictions")

    def feeds(step):
        rng = np.random.RandomState(step)
        return {labels: rng.randint(2, size=6), predictions: rng.uniform(size=6)}

    m = tf.metrics
    return _case(
        tf,
        feeds,
        m.sensitivity_at_specificity(labels, predictions, 0.5, num_thresholds=9),
        m.sensitivity_at_specificity(labels, predictions, 0.8, 0.5, 5, ["v"], ["u"], "sensitive"),
        m.specificity_at_sensitivity(labels, predictions, 0.5, num_thresholds=9),
        m.specificity_at_sensitivity(labels, predictions, 0.8, 0.5, 5, ["v"], ["u"], "specific"),
    )


def areas(tf):
    (labels, predictions, w), feeds = _fed(
        tf, ([None, 2], tf.bool), ([None, 2], tf.float32), ([None, 1], tf.float32)
    )
    m = tf.metrics
    found = [
        m.auc(labels, predictions),
        m.auc(labels, predictions, w, 7, ["v"], ["u"], name="area"),
    ]
    for curve in ("ROC", "PR"):
        for method in ("trapezoidal", "careful_interpolation", "minoring", "majoring"):
            found.append(
                m.auc(
                    labels,
                    predictions,
                    num_thresholds=6,
                    curve=curve,
                    summation_method=method,
                    name=curve + "_" + method,
                )
            )
    found.append(m.auc(labels, predictions, curve="PR", thresholds=[0.7, 0.2, 0.4]))
    return _case(tf, feeds, *found)


def confusion_matrices(tf):
    (labels, predictions, w, column), feeds = _fed(
        tf, ([None], 3), ([None], 3), ([None], tf.float32), ([None, 1], 3)
    )
    fetches = [
        tf.confusion_matrix(labels, predictions),
        tf.math.confusion_matrix(labels, predictions, 4, tf.float64, "matrix"),
        tf.confusion_matrix(column, predictions, tf.constant(3), weights=w, dtype=tf.float32),
        tf.confusion_matrix([1, 2, 4], [2, 2, 4]),
    ]
    return Case(fetches, feeds=feeds, said=fetches)


# ---- at k ----------


def _scores(tf):
    labels = tf.placeholder(tf.int64, [None, 2], name="labels")
    scores = tf.placeholder(tf.float32, [None, 5], name="scores")
    w = tf.placeholder(tf.float32, [None], name="w")

    def feeds(step):
        rng = np.random.RandomState(step)
        return {
            labels: rng.randint(5, size=(3, 2)),
            scores: rng.uniform(size=(3, 5)),
            w: rng.uniform(size=3),
        }

    return labels, scores, w, feeds


def _sparse(tf, labels):
    """The labels in a SparseTensor."""
    indices = tf.where(labels >= 0)
    shape = tf.shape(labels, out_type=tf.int64)
    return tf.SparseTensor(indices, tf.gather_nd(labels, indices), shape)


def precision_and_recall_at_k(tf):
    labels, scores, w, feeds = _scores(tf)
    m = tf.metrics
    found = []
    for f in (m.precision_at_k, m.recall_at_k):
        found.append(f(labels, scores, 2))
        found.append(f(labels, scores, 3, class_id=1, name="named"))
        found.append(f(labels, scores, 2, weights=w, metrics_collections="v", name="weighted"))
        found.append(f(labels[:, 0], scores, 2, None, 0.5, ["v"], ["u"]))
    for f in (m.precision_at_top_k, m.recall_at_top_k):
        found.append(f(labels, tf.constant([[1, 2], [0, 3], [4, 1]])))
        found.append(f(labels, tf.constant([[1, 2], [0, 3], [4, 1]], tf.int64), 2, 1, w))
    found.append(m.sparse_precision_at_k(labels, scores, 2))
    return _case(tf, feeds, *found)


def sparse_labels_at_k(tf):
    labels, scores, w, feeds = _scores(tf)
    sparse = _sparse(tf, labels)
    m = tf.metrics
    return _case(
        tf,
        feeds,
        m.precision_at_k(sparse, scores, 2),
        m.precision_at_k(sparse, scores, 2, 1, w),
        m.recall_at_k(sparse, scores, 2),
        m.recall_at_k(sparse, scores, 2, 1, w),
        m.average_precision_at_k(sparse, scores, 3),
        m.average_precision_at_k(sparse, scores, 1, w),
    )


def average_precision_at_k(tf):
    labels, scores, w, feeds = _scores(tf)
    m = tf.metrics
    return _case(
        tf,
        feeds,
        m.average_precision_at_k(labels, scores, 3),
        m.average_precision_at_k(labels, scores, 2, w, ["v"], ["u"], "named"),
        m.average_precision_at_k(labels + 3, scores, 1),
        m.average_precision_at_k(labels[:, 0], scores, 2),
        m.sparse_average_precision_at_k(labels, scores, 3),
    )


CASES = {
    "means": collect(means, mean_tensors, accuracies, unknown_ranks, errors, classes),
    "counts": collect(counts, thresholds, at_thresholds, areas, confusion_matrices),
    "at_k": collect(precision_and_recall_at_k, sparse_labels_at_k, average_precision_at_k),
}


def _ones(tf, *shape):
    return tf.placeholder_with_default(np.ones([size or 2 for size in shape], "f"), shape, "ones")


def _update(tf, metric):
    return fetch(tf, metric[1])


MISTAKES = {
    "means": {
        "weights' size": lambda tf: tf.metrics.mean(_ones(tf, 2, 3), _ones(tf, 2, 2)),
        "weights' rank": lambda tf: tf.metrics.mean(_ones(tf, 2, 3, 4), _ones(tf, 2)),
        "weights' size at run time": lambda tf: _update(
            tf,
            tf.metrics.mean(
                tf.ones([2, 3]), tf.placeholder_with_default(np.ones([2, 2]), [None, None], "w")
            ),
        ),
        "shapes": lambda tf: tf.metrics.accuracy(_ones(tf, 3), _ones(tf, 2)),
        "normalizer": lambda tf: tf.metrics.mean_relative_error(
            _ones(tf, 2), _ones(tf, 2), _ones(tf, 3)
        ),
        "iou of other shapes": lambda tf: tf.metrics.mean_iou(_ones(tf, 3), _ones(tf, 2), 2),
        "iou of a large label": lambda tf: _update(
            tf, tf.metrics.mean_iou(tf.constant([1, 5]), tf.constant([1, 1]), 2)
        ),
        "tensor of unknown shape": lambda tf: tf.metrics.mean_tensor(_ones(tf, None, 2)),
    },
    "counts": {
        "count's weights": lambda tf: tf.metrics.true_positives(
            _ones(tf, 2, 3, 4), _ones(tf, 2, 3, 4), _ones(tf, 2)
        ),
        "predictions": lambda tf: _update(
            tf, tf.metrics.auc([True, False], _ones(tf, 2) + 0.5, num_thresholds=3)
        ),
        "curve": lambda tf: tf.metrics.auc(_ones(tf, 2), _ones(tf, 2), curve="no_such"),
        "summation": lambda tf: tf.metrics.auc(
            _ones(tf, 2), _ones(tf, 2), summation_method="no_such"
        ),
        "specificity": lambda tf: tf.metrics.sensitivity_at_specificity(
            _ones(tf, 2), _ones(tf, 2), 2
        ),
        "sensitivity": lambda tf: tf.metrics.specificity_at_sensitivity(
            _ones(tf, 2), _ones(tf, 2), -1
        ),
        "labels' shape": lambda tf: tf.metrics.precision(_ones(tf, 2, 3), _ones(tf, 3, 2)),
        "negative label": lambda tf: fetch(
            tf, tf.confusion_matrix(tf.placeholder_with_default([1, -1], [2], "p"), [1, 1])
        ),
        "large prediction": lambda tf: fetch(
            tf, tf.confusion_matrix([1, 1], tf.placeholder_with_default([1, 4], [2], "p"), 3)
        ),
        "known negative label": lambda tf: tf.confusion_matrix([1, -1], [1, 1]),
        "matrix's weights": lambda tf: tf.confusion_matrix([1, 1], [1, 1], weights=[1.0]),
    },
    "at_k": {
        "k": lambda tf: tf.metrics.average_precision_at_k(tf.zeros([2, 1], tf.int64), None, 0),
        "labels' rank": lambda tf: tf.metrics.recall_at_k(
            tf.zeros([2, 1, 1], tf.int64), _ones(tf, 2), 1
        ),
        "too large a k": lambda tf: tf.metrics.recall_at_k(
            tf.zeros([2, 1], tf.int64), _ones(tf, 2, 3), 4
        ),
    },
}
