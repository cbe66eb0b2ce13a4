"""tf.contrib.metrics: small graphs and what they compute.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_metrics.py`.
"""

from __future__ import annotations

from case_runs import Case, collect, fetch
from metric_cases import _case, _fed, _ones, _scores


def renamed(tf):
    (x, y, w, b, c), feeds = _fed(
        tf,
        ([None, 2], tf.float32),
        ([None, 2], tf.float32),
        ([None, 1], tf.float32),
        ([None, 2], tf.bool),
        ([None, 2], 3),
    )
    m = tf.contrib.metrics
    found = [m.streaming_mean(x, w), m.streaming_mean_tensor(tf.ones([2]), name="tensor")]
    found += [
        getattr(m, "streaming_" + name)(x, y, w)
        for name in ("mean_absolute_error", "mean_squared_error", "root_mean_squared_error")
    ]
    found += [
        getattr(m, "streaming_" + name)(x > 0.5, b, w)
        for name in (
            "true_positives",
            "true_negatives",
            "false_positives",
            "false_negatives",
            "precision",
            "recall",
            "false_positive_rate",
            "false_negative_rate",
        )
    ]
    found += [
        m.streaming_accuracy(c, c, name="same"),
        m.streaming_auc(x, b, num_thresholds=5, curve="PR"),
        m.streaming_mean_relative_error(x, y, y),
        m.streaming_percentage_less(x, 0.4, w, ["v"], ["u"]),
        m.streaming_precision_at_thresholds(x, b, [0.3, 0.6]),
        m.streaming_recall_at_thresholds(x, b, [0.3, 0.6], w),
        m.streaming_sensitivity_at_specificity(x, b, 0.4, num_thresholds=5),
        m.streaming_specificity_at_sensitivity(x, b, 0.4, num_thresholds=5),
        m.streaming_mean_cosine_distance(x, y, 1, w, ["v"], ["u"]),
        m.streaming_recall_at_k(x, c[:, 0], 1),
        m.count(x),
        m.count(x, w, ["v"], ["u"], "named"),
    ]
    return _case(tf, feeds, *found)


def at_thresholds(tf):
    (x, b, w), feeds = _fed(
        tf, ([None, 2], tf.float32), ([None, 2], tf.bool), ([None, 1], tf.float32)
    )
    m = tf.contrib.metrics
    found = [
        getattr(m, "streaming_{}_at_thresholds".format(name))(x, b, [0.3, 0.6], w)
        for name in (
            "true_positives",
            "true_negatives",
            "false_positives",
            "false_negatives",
            "false_positive_rate",
            "false_negative_rate",
        )
    ]
    found += [
        m.streaming_curve_points(b, x, num_thresholds=4),
        m.streaming_curve_points(b, x, w, 3, ["v"], ["u"], "PR", "points"),
        m.recall_at_precision(b, x, 0.6, num_thresholds=5),
        m.recall_at_precision(b, x, 0.6, w, 5, ["v"], ["u"], "strict", True),
        m.precision_at_recall(b, x, 0.6, num_thresholds=5),
        m.f1_score(b, x, num_thresholds=5),
        m.f1_score(b, x, w, 4, ["v"], ["u"], "best"),
    ]
    return _case(tf, feeds, *found)


def equal_thresholds(tf):
    (x, b, w), feeds = _fed(
        tf, ([None, 2], tf.float32), ([None, 2], tf.bool), ([None, 2], tf.float32)
    )
    data, update = tf.contrib.metrics.precision_recall_at_equal_thresholds(b, x, w, 5)
    other, second = tf.contrib.metrics.precision_recall_at_equal_thresholds(b, x, name="other")
    return Case(list(data) + [other.recall], [update, second], feeds, list(data))


def statistics(tf):
    (x, y, w), feeds = _fed(
        tf, ([None, 2], tf.float32), ([None, 2], tf.float32), ([None, 2], tf.float32)
    )
    m = tf.contrib.metrics
    return _case(
        tf,
        feeds,
        m.streaming_covariance(x, y),
        m.streaming_covariance(x, y, w, ["v"], ["u"], "weighted"),
        m.streaming_pearson_correlation(x, y),
        m.streaming_pearson_correlation(x, y, w, ["v"], ["u"], "weighted_r"),
    )


def concatenations(tf):
    (x,), feeds = _fed(tf, ([None, 2], tf.float32))
    m = tf.contrib.metrics
    return _case(
        tf,
        feeds,
        m.streaming_concat(x),
        m.streaming_concat(tf.transpose(x), axis=-1, max_size=5, name="some"),
    )


def dynamic_areas(tf):
    (x, b, w), feeds = _fed(
        tf, ([None, 2], tf.float32), ([None, 2], tf.bool), ([None, 2], tf.float32)
    )
    m = tf.contrib.metrics
    return _case(
        tf,
        feeds,
        m.streaming_dynamic_auc(b, x),
        m.streaming_dynamic_auc(b, x, "PR", ["v"], ["u"], "precise", w),
    )


def histograms(tf):
    (x, b), feeds = _fed(tf, ([None], tf.float32), ([None], tf.bool))
    value, update = tf.contrib.metrics.auc_using_histogram(b, x, [0.0, 1.0], nbins=5)
    return Case([value], [update], feeds, [value, tf.local_variables()])


def one_batch(tf):
    (x, y, w), feeds = _fed(tf, ([None], 3), ([None], 3), ([None], tf.float32))
    m = tf.contrib.metrics
    fetches = [m.accuracy(x, y), m.accuracy(x, y, w, "named"), m.accuracy(tf.equal(x, y), x > 1)]
    pairs = m.aggregate_metrics(m.streaming_mean(w), m.streaming_accuracy(x, y))
    by_name = m.aggregate_metric_map({"a": m.streaming_mean(w), "b": m.streaming_mean(x)})
    return Case(fetches, feeds=feeds, said=fetches + list(pairs) + list(by_name))


def agreement(tf):
    (x, y, w, column), feeds = _fed(tf, ([None], 3), ([None], 3), ([None], tf.float32), ([4, 1], 3))
    m = tf.contrib.metrics
    return _case(
        tf,
        feeds,
        m.cohen_kappa(x, y, 3),
        m.cohen_kappa(column, y, 3, w, ["v"], ["u"], "weighted"),
        m.streaming_mean_iou(x, y, 3),
    )


def at_k(tf):
    labels, scores, w, feeds = _scores(tf)
    best = tf.constant([[1, 2], [0, 3], [4, 1]], tf.int64)
    m = tf.contrib.metrics
    return _case(
        tf,
        feeds,
        m.streaming_sparse_precision_at_k(scores, labels, 2),
        m.streaming_sparse_recall_at_k(scores, labels, 2, 1, w),
        m.streaming_sparse_average_precision_at_k(scores, labels, 2),
        m.streaming_sparse_precision_at_top_k(best, labels),
        m.sparse_recall_at_top_k(labels, best, 1),
        m.streaming_sparse_average_precision_at_top_k(best, labels, w, ["v"], ["u"], "named"),
    )


CASES = {
    "contrib": collect(
        renamed,
        at_thresholds,
        equal_thresholds,
        statistics,
        concatenations,
        dynamic_areas,
        histograms,
        one_batch,
        agreement,
        at_k,
    ),
}

MISTAKES = {
    "contrib": {
        "accuracy of floats": lambda tf: tf.contrib.metrics.accuracy(_ones(tf, 2), _ones(tf, 2)),
        "accuracy of two types": lambda tf: tf.contrib.metrics.accuracy(
            _ones(tf, 2), tf.constant([1, 2])
        ),
        "no metrics": lambda tf: tf.contrib.metrics.aggregate_metrics(),
        "curve": lambda tf: tf.contrib.metrics.streaming_curve_points(
            _ones(tf, 2), _ones(tf, 2), curve="no_such"
        ),
        "precision": lambda tf: tf.contrib.metrics.recall_at_precision(
            _ones(tf, 2), _ones(tf, 2), 2
        ),
        "recall": lambda tf: tf.contrib.metrics.precision_at_recall(_ones(tf, 2), _ones(tf, 2), 2),
        "classes": lambda tf: tf.contrib.metrics.cohen_kappa(_ones(tf, 2), _ones(tf, 2), 1),
        "axis": lambda tf: tf.contrib.metrics.streaming_concat(_ones(tf, 2), axis=1),
        "rank": lambda tf: tf.contrib.metrics.streaming_concat(tf.placeholder(tf.float32)),
        "sizes": lambda tf: tf.contrib.metrics.streaming_concat(_ones(tf, 2, None)),
        "dynamic label": lambda tf: fetch(
            tf,
            tf.contrib.metrics.streaming_dynamic_auc(
                tf.placeholder_with_default([1, 2], [2], "p"), _ones(tf, 2)
            )[1],
        ),
        "histogram's labels": lambda tf: tf.contrib.metrics.auc_using_histogram(
            _ones(tf, 2), _ones(tf, 2), [0.0, 1.0]
        ),
    },
}
