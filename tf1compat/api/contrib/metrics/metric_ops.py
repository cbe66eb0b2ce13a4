"""The metrics that only `tf.contrib.metrics` has: rates, counts, agreement."""

from __future__ import annotations

import collections as collections_lib
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, diagonal_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import confusion_matrix, metrics_counts
from tf1compat.api.metrics.metrics_counts import _as_booleans, _even_thresholds, _share
from tf1compat.api.metrics.metrics_impl import (
    Metric,
    _remove_squeezable_dimensions,
    _safe_scalar_div,
    collected,
    fitted_weights,
    mean,
    metric_variable,
)
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, TensorLike

_EPSILON = 1e-7


def _graph_only(name: str) -> None:
    if ops.executing_eagerly():
        raise RuntimeError(f"{name} is not supported when eager execution is enabled.")


def _rate(
    scope: str,
    counts: tuple[Callable[..., Metric], Callable[..., Metric]],
    arguments: tuple[Any, Any, Any],
    rest: Sequence[Any],
) -> Metric:
    """The share of the first of two counts in both."""
    predictions, labels, weights = arguments
    metrics_collections, updates_collections, name = rest
    with variable_scope.variable_scope(name, scope, (predictions, labels, weights)):
        labels, predictions, weights = _as_booleans(labels, predictions, weights)
        (first, new_first), (second, new_second) = (
            count(labels, predictions, weights) for count in counts
        )
        value = _share(first, second, "value")
        update_op = _share(new_first, new_second, "update_op")
        return collected(value, update_op, metrics_collections, updates_collections)


@tf_export("contrib.metrics.streaming_false_positive_rate")
def streaming_false_positive_rate(
    predictions: TensorLike,
    labels: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """How many of the false labels are predicted as true.

    Args:
      predictions, labels: tensors of one shape, cast to bool.
      weights: a scalar or a tensor of the rank of `labels`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.
    """
    return _rate(
        "false_positive_rate",
        (metrics_counts.false_positives, metrics_counts.true_negatives),
        (predictions, labels, weights),
        (metrics_collections, updates_collections, name),
    )


@tf_export("contrib.metrics.streaming_false_negative_rate")
def streaming_false_negative_rate(
    predictions: TensorLike,
    labels: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The false negative rate, false negatives / positive labels; otherwise as
    `streaming_false_positive_rate`.

    Args:
      predictions, labels, weights, metrics_collections, updates_collections, name: as in
        `streaming_false_positive_rate`.

    Returns:
      As `streaming_false_positive_rate`.
    """
    return _rate(
        "false_negative_rate",
        (metrics_counts.false_negatives, metrics_counts.true_positives),
        (predictions, labels, weights),
        (metrics_collections, updates_collections, name),
    )


def _streaming_confusion_matrix_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, includes: Any = None
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """As `tf.metrics` counts at thresholds, without a check that predictions lie in [0, 1]."""
    includes = metrics_counts._checked_counts(includes)
    predictions, labels, weights = _remove_squeezable_dimensions(predictions, labels, weights)
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return metrics_counts.counts_at_thresholds(labels, predictions, thresholds, weights, includes)


def _one_count(
    key: str, predictions: TensorLike, labels: TensorLike, thresholds: TensorLike, weights: Any
) -> Any:
    values, updates = _streaming_confusion_matrix_at_thresholds(
        predictions, labels, thresholds, weights=weights, includes=(key,)
    )
    return values[key], updates[key]


@tf_export("contrib.metrics.streaming_true_positives_at_thresholds")
def streaming_true_positives_at_thresholds(
    predictions: TensorLike,
    labels: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
) -> Any:
    """The number of true positives at each threshold: predictions above it whose label is true.

    Args:
      predictions: a float tensor.
      labels: a tensor of its shape, cast to bool.
      thresholds: a list of floats.
      weights: a tensor that broadcasts to `predictions`, or None for 1.

    Returns:
      (variable, update_op), float32 [number of thresholds].
    """
    return _one_count("tp", predictions, labels, thresholds, weights)


@tf_export("contrib.metrics.streaming_false_negatives_at_thresholds")
def streaming_false_negatives_at_thresholds(
    predictions: TensorLike,
    labels: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
) -> Any:
    """The number of false negatives at each threshold; otherwise as
    `streaming_true_positives_at_thresholds`.

    Args:
      predictions, labels, thresholds, weights: as in `streaming_true_positives_at_thresholds`.

    Returns:
      As `streaming_true_positives_at_thresholds`.
    """
    return _one_count("fn", predictions, labels, thresholds, weights)


@tf_export("contrib.metrics.streaming_false_positives_at_thresholds")
def streaming_false_positives_at_thresholds(
    predictions: TensorLike,
    labels: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
) -> Any:
    """The number of false positives at each threshold; otherwise as
    `streaming_true_positives_at_thresholds`.

    Args:
      predictions, labels, thresholds, weights: as in `streaming_true_positives_at_thresholds`.

    Returns:
      As `streaming_true_positives_at_thresholds`.
    """
    return _one_count("fp", predictions, labels, thresholds, weights)


@tf_export("contrib.metrics.streaming_true_negatives_at_thresholds")
def streaming_true_negatives_at_thresholds(
    predictions: TensorLike,
    labels: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
) -> Any:
    """The number of true negatives at each threshold; otherwise as
    `streaming_true_positives_at_thresholds`.

    Args:
      predictions, labels, thresholds, weights: as in `streaming_true_positives_at_thresholds`.

    Returns:
      As `streaming_true_positives_at_thresholds`.
    """
    return _one_count("tn", predictions, labels, thresholds, weights)


def _at_thresholds(
    scope: str,
    arguments: tuple[Any, Any, Any],
    thresholds: TensorLike,
    includes: Any,
    rest: Sequence[Any],
    compute: Callable[[dict[str, Any], str], Any],
) -> Any:
    """A metric of counts at thresholds: `compute` takes them and "value" or "update_op"."""
    predictions, labels, weights = arguments
    metrics_collections, updates_collections, name = rest
    with variable_scope.variable_scope(name, scope, (predictions, labels, weights)):
        values, updates = _streaming_confusion_matrix_at_thresholds(
            predictions, labels, thresholds, weights, includes=includes
        )
        value, update_op = compute(values, "value"), compute(updates, "update_op")
        return collected(value, update_op, metrics_collections, updates_collections)


def _rate_at_thresholds(first: str, second: str, name: str) -> Callable[..., Tensor]:
    def compute(counts: dict[str, Any], part: str) -> Tensor:
        total = _EPSILON + counts[first] + counts[second]
        return math_ops.div(counts[first], total, name=f"{name}_{part}")

    return compute


@tf_export("contrib.metrics.streaming_false_positive_rate_at_thresholds")
def streaming_false_positive_rate_at_thresholds(
    predictions: TensorLike,
    labels: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """How many of the false labels have predictions above each threshold.

    Args:
      predictions: a float tensor.
      labels: a tensor of its shape, cast to bool.
      thresholds: a list of floats.
      weights: a tensor that broadcasts to `predictions`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 [number of thresholds].
    """
    return _at_thresholds(
        "false_positive_rate_at_thresholds",
        (predictions, labels, weights),
        thresholds,
        ("fp", "tn"),
        (metrics_collections, updates_collections, name),
        _rate_at_thresholds("fp", "tn", "fpr"),
    )


@tf_export("contrib.metrics.streaming_false_negative_rate_at_thresholds")
def streaming_false_negative_rate_at_thresholds(
    predictions: TensorLike,
    labels: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The false negative rate at each threshold; otherwise as
    `streaming_false_positive_rate_at_thresholds`.

    Args:
      predictions, labels, thresholds, weights, metrics_collections, updates_collections, name: as
        in `streaming_false_positive_rate_at_thresholds`.

    Returns:
      As `streaming_false_positive_rate_at_thresholds`.
    """
    return _at_thresholds(
        "false_negative_rate_at_thresholds",
        (predictions, labels, weights),
        thresholds,
        ("fn", "tp"),
        (metrics_collections, updates_collections, name),
        _rate_at_thresholds("fn", "tp", "fnr"),
    )


@tf_export("contrib.metrics.streaming_curve_points")
def streaming_curve_points(
    labels: TensorLike | None = None,
    predictions: TensorLike | None = None,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    curve: str = "ROC",
    name: str | None = None,
) -> Any:
    """The points of a curve through the results at many thresholds.

    Args:
      labels: a tensor, cast to bool.
      predictions: a float tensor of its shape.
      weights: a tensor that broadcasts to `predictions`, or None for 1.
      num_thresholds: how many thresholds are tried.
      metrics_collections, updates_collections: collections to add the value and the update to.
      curve: "ROC" (recall over the rate of false positives) or "PR" (precision over recall).
      name: the variable scope.

    Returns:
      (points, update_op): float32 [num_thresholds, 2], and an operation.

    Raises:
      ValueError: `curve` is neither.
    """
    with variable_scope.variable_scope(name, "curve_points", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        counts, updates = _streaming_confusion_matrix_at_thresholds(
            labels=labels,
            predictions=predictions,
            thresholds=_even_thresholds(num_thresholds),
            weights=weights,
        )
        tp, fn, tn, fp = (counts[key] for key in ("tp", "fn", "tn", "fp"))
        epsilon = 1e-6
        recall = math_ops.div(tp + epsilon, tp + fn + epsilon)
        if curve == "ROC":
            xy = [math_ops.div(fp, fp + tn + epsilon), recall]
        else:
            xy = [recall, math_ops.div(tp + epsilon, tp + fp + epsilon)]
        points = array_ops.stack(xy, axis=1)
        update_op = control_flow_ops.group(*updates.values())
        return collected(points, update_op, metrics_collections, updates_collections)


@tf_export("contrib.metrics.recall_at_precision")
def recall_at_precision(
    labels: TensorLike,
    predictions: TensorLike,
    precision: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
    strict_mode: bool = False,
) -> Metric:
    """The recall at the threshold whose precision is closest to a given one.

    Args:
      labels: a tensor, cast to bool.
      predictions: a float tensor of its shape.
      precision: in [0, 1].
      weights: a tensor that broadcasts to `predictions`, or None for 1.
      num_thresholds: how many thresholds are tried.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.
      strict_mode: whether only thresholds of at least that precision count.

    Returns:
      (value, update_op), float32 scalars.

    Raises:
      ValueError: `precision` is out of range.
    """
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")

    def compute(counts: dict[str, Any], part: str) -> Tensor:
        tp, fp, fn = (counts[key] for key in ("tp", "fp", "fn"))
        found = math_ops.div(tp, tp + fp + _EPSILON)
        int32 = dtypes.int32
        if not strict_mode:
            at = math_ops.argmin(math_ops.abs(found - precision), 0, output_type=int32)
            return math_ops.div(tp[at], tp[at] + fn[at] + _EPSILON, part)
        # The inverse of the difference is largest at the least precision above the given one.
        inverse = math_ops.div(1.0, found - precision + _EPSILON)
        at = math_ops.argmax(inverse, 0, output_type=int32)
        return control_flow_ops.cond(
            found[at] >= precision,
            lambda: math_ops.div(tp[at], tp[at] + fn[at] + _EPSILON, part),
            lambda: 0.0,
        )

    inner = [i * 1.0 / (num_thresholds - 1) for i in range(1, num_thresholds - 1)]
    return _at_thresholds(
        "recall_at_precision",
        (predictions, labels, weights),
        [0.0 - _EPSILON, *inner, 1.0 + _EPSILON],
        None,
        (metrics_collections, updates_collections, name),
        compute,
    )


@tf_export("contrib.metrics.precision_at_recall")
def precision_at_recall(
    labels: TensorLike,
    predictions: TensorLike,
    target_recall: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The precision at the highest threshold whose recall is at least a given one; otherwise as
    `recall_at_precision`.

    Args:
      labels, predictions, weights, num_thresholds, metrics_collections, updates_collections, name:
        as in `recall_at_precision`.
      target_recall: the least recall, in [0, 1].

    Returns:
      As `recall_at_precision`.
    """
    _graph_only("tf.metrics.precision_at_recall")
    if target_recall < 0 or target_recall > 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")

    def compute(counts: dict[str, Any], part: str) -> Tensor:
        tp, fp, fn = (counts[key] for key in ("tp", "fp", "fn"))
        recall = math_ops.div(tp, tp + fn + _EPSILON)
        is_enough = math_ops.greater_equal(recall, target_recall)
        last = math_ops.reduce_sum(math_ops.cast(is_enough, dtypes.int64)) - 1
        found = tp[last] + _EPSILON
        return math_ops.div(found, tp[last] + fp[last] + _EPSILON, part)

    return _at_thresholds(
        "precision_at_recall",
        (predictions, labels, weights),
        _even_thresholds(num_thresholds),
        None,
        (metrics_collections, updates_collections, name),
        compute,
    )


_PrecisionRecallData = collections_lib.namedtuple(
    "PrecisionRecallData", ["tp", "fp", "tn", "fn", "precision", "recall", "thresholds"]
)


@tf_export("contrib.metrics.precision_recall_at_equal_thresholds")
def precision_recall_at_equal_thresholds(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> Any:
    """Counts, precision and recall at evenly spaced thresholds, in a time that does not grow with
    their number.

    Args:
      labels: a bool tensor.
      predictions: a float tensor of its shape, in [0, 1].
      weights: a tensor that broadcasts to `labels`, or None for 1.
      num_thresholds: how many thresholds; 201 by default.
      use_locking: the `use_locking` attr of the updates; true by default.
      name: the variable scope.

    Returns:
      (data, update_op): a namedtuple of `tp`, `fp`, `tn`, `fn`, `precision`, `recall` and
      `thresholds`, each [num_thresholds] of the type of `predictions`; and an operation.
    """
    num_thresholds = 201 if num_thresholds is None else num_thresholds
    weights = 1.0 if weights is None else weights
    use_locking = True if use_locking is None else use_locking
    check_ops.assert_type(labels, dtypes.bool)
    values = (labels, predictions, weights)
    with variable_scope.variable_scope(name, "precision_recall_at_equal_thresholds", values):
        text = "predictions must be in [0, 1]"
        lower = math_ops.cast(0.0, dtype=predictions.dtype)
        checks = [check_ops.assert_greater_equal(predictions, lower, message=text)]
        upper = math_ops.cast(1.0, dtype=predictions.dtype)
        checks.append(check_ops.assert_less_equal(predictions, upper, message=text))
        with ops.control_dependencies(checks):
            predictions, labels, weights = _remove_squeezable_dimensions(
                predictions=predictions, labels=labels, weights=weights
            )
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        # Sums of many small weights would lose them in float32.
        dtype = dtypes.float64
        true = math_ops.cast(labels, dtype)
        weights = math_ops.cast(weights, dtype)
        of_true, of_false = true * weights, (1.0 - true) * weights
        predictions, of_true, of_false = (
            array_ops.reshape(tensor, [-1]) for tensor in (predictions, of_true, of_false)
        )
        buckets = math_ops.cast(math_ops.floor(predictions * (num_thresholds - 1)), dtypes.int32)
        with ops.name_scope("variables"):
            tp_buckets = metric_variable([num_thresholds], dtype, name="tp_buckets")
            fp_buckets = metric_variable([num_thresholds], dtype, name="fp_buckets")
        with ops.name_scope("update_op"):
            updates = [
                state_ops.scatter_add(variable, buckets, added, use_locking=use_locking)
                for variable, added in ((tp_buckets, of_true), (fp_buckets, of_false))
            ]
        tp = math_ops.cumsum(tp_buckets, reverse=True, name="tp")
        fp = math_ops.cumsum(fp_buckets, reverse=True, name="fp")
        tn = fp[0] - fp
        fn = tp[0] - tp
        epsilon = ops.convert_to_tensor(_EPSILON, dtype=dtype)
        precision = tp / math_ops.maximum(epsilon, tp + fp)
        recall = tp / math_ops.maximum(epsilon, tp + fn)
        found = [
            math_ops.cast(part, predictions.dtype) for part in (tp, fp, tn, fn, precision, recall)
        ]
        thresholds = math_ops.lin_space(0.0, 1.0, num_thresholds)
        found.append(math_ops.cast(thresholds, predictions.dtype))
        return _PrecisionRecallData(*found), control_flow_ops.group(*updates)


@tf_export("contrib.metrics.streaming_mean_cosine_distance")
def streaming_mean_cosine_distance(
    predictions: Any,
    labels: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """Old form of `tf.metrics.mean_cosine_distance`: predictions before labels.

    Args:
      predictions, labels, dim, weights, metrics_collections, updates_collections, name: as in
        `tf.metrics.mean_cosine_distance`.

    Returns:
      As `tf.metrics.mean_cosine_distance`.
    """
    predictions, labels, weights = _remove_squeezable_dimensions(predictions, labels, weights)
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    products = math_ops.multiply(predictions, labels)
    products = math_ops.reduce_sum(products, axis=[dim], keepdims=True)
    value, update = mean(products, weights, None, None, name or "mean_cosine_distance")
    distance = math_ops.subtract(1.0, value)
    update = math_ops.subtract(1.0, update)
    return collected(distance, update, metrics_collections, updates_collections)


@tf_export("contrib.metrics.aggregate_metrics")
def aggregate_metrics(*value_update_tuples: Any) -> tuple[list[Any], list[Any]]:
    """Values and updates of several metrics, in a list each.

    Args:
      *value_update_tuples: (value, update_op) pairs.

    Returns:
      (values, updates).

    Raises:
      ValueError: there is no metric.
    """
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


@tf_export("contrib.metrics.aggregate_metric_map")
def aggregate_metric_map(names_to_tuples: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Values and updates of several metrics, in a dict each.

    Args:
      names_to_tuples: a dict from names to (value, update_op) pairs.

    Returns:
      (values, updates), dicts of the same names.
    """
    values, updates = zip(*names_to_tuples.values())
    return dict(zip(names_to_tuples, values)), dict(zip(names_to_tuples, updates))


@tf_export("contrib.metrics.count")
def count(
    values: Any,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The number of all values so far, or the sum of their weights.

    Args:
      values: a tensor of any shape.
      weights: a tensor that broadcasts to `values`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.

    Raises:
      RuntimeError: in eager execution.
    """
    _graph_only("tf.contrib.metrics.count")
    with variable_scope.variable_scope(name, "count", (values, weights)):
        total = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            number = math_ops.cast(array_ops.size(values), dtypes.float32)
        else:
            values, weights = fitted_weights(math_ops.cast(values, dtypes.float32), weights)
            number = math_ops.reduce_sum(weights)
        with ops.control_dependencies([values]):
            update_op = state_ops.assign_add(total, number)
        value = array_ops.identity(total)
        return collected(value, update_op, metrics_collections, updates_collections)


@tf_export("contrib.metrics.cohen_kappa")
def cohen_kappa(
    labels: Any,
    predictions_idx: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """How much labels and predictions agree beyond chance (Cohen's kappa).

    Args:
      labels: class numbers, a vector or a matrix of one column.
      predictions_idx: class numbers, a vector.
      num_classes: how many classes there are; at least 2.
      weights: a tensor that broadcasts to `labels`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float64 scalars.

    Raises:
      ValueError: there are less than 2 classes, or shapes don't go together.
      RuntimeError: in eager execution.
    """
    _graph_only("tf.contrib.metrics.cohen_kappa")
    if num_classes < 2:
        raise ValueError(f"`num_classes` must be >= 2.Found: {num_classes}")
    values = (labels, predictions_idx, weights)
    with variable_scope.variable_scope(name, "cohen_kappa", values):
        labels.get_shape().with_rank_at_most(2)
        if labels.get_shape().ndims == 2:
            labels = array_ops.squeeze(labels, axis=[-1])
        predictions_idx, labels, weights = _remove_squeezable_dimensions(
            predictions=predictions_idx, labels=labels, weights=weights
        )
        predictions_idx.get_shape().assert_is_compatible_with(labels.get_shape())
        whole = weights is None or weights.dtype.is_integer
        dtype = dtypes.int64 if whole else dtypes.float32
        sums = [metric_variable((num_classes,), dtype, name=n) for n in ("po", "pe_row", "pe_col")]
        table = confusion_matrix.confusion_matrix(
            labels,
            predictions_idx,
            num_classes=num_classes,
            weights=weights,
            dtype=dtype,
            name="counts_in_table",
        )
        added = [
            diagonal_ops.diag_part(table),
            math_ops.reduce_sum(table, axis=0),
            math_ops.reduce_sum(table, axis=1),
        ]
        updates = [state_ops.assign_add(total, more) for total, more in zip(sums, added)]
        value, update_op = _kappa(*sums, name="value"), _kappa(*updates, name="update_op")
        return collected(value, update_op, metrics_collections, updates_collections)


def _kappa(agreed: Any, predicted: Any, labeled: Any, name: str) -> Tensor:
    float64 = dtypes.float64
    observed = math_ops.reduce_sum(agreed)
    total = math_ops.reduce_sum(predicted)
    expected = math_ops.reduce_sum(
        math_ops.div_no_nan(
            math_ops.cast(predicted * labeled, float64), math_ops.cast(total, float64)
        )
    )
    observed = math_ops.cast(observed, float64)
    expected = math_ops.cast(expected, float64)
    total = math_ops.cast(total, float64)
    return _safe_scalar_div(observed - expected, total - expected, name=name)
