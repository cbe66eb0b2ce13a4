"""`tf.metrics` of true and false positives and negatives: precision, recall, areas under curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op, gather_ops
from tf1compat.api.checks import check_ops, check_shapes
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.api.metrics.metrics_impl import (
    Metric,
    _aggregate_variable,
    _remove_squeezable_dimensions,
    collected,
    metric,
    metric_variable,
    of_all_replicas,
)
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, TensorLike

# The key of a count -> the name of its variable, whether the label and the prediction are positive.
_COUNTS = {
    "tp": ("true_positives", True, True),
    "fn": ("false_negatives", True, False),
    "tn": ("true_negatives", False, False),
    "fp": ("false_positives", False, True),
}
_EPSILON = 1e-7


def _as_booleans(labels: Any, predictions: Any, weights: Any) -> tuple[Tensor, Tensor, Any]:
    predictions, labels, weights = _remove_squeezable_dimensions(
        predictions=math_ops.cast(predictions, dtype=dtypes.bool),
        labels=math_ops.cast(labels, dtype=dtypes.bool),
        weights=weights,
    )
    return labels, predictions, weights


def _count_condition(
    values: Any,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
) -> Metric:
    """The sum of the weights where boolean values are true."""
    check_ops.assert_type(values, dtypes.bool)
    count = metric_variable([], dtypes.float32, name="count")
    values = math_ops.cast(values, dtypes.float32)
    if weights is not None:
        rank_fits = check_shapes.assert_rank_in(weights, (0, array_ops.rank(values)))
        with ops.control_dependencies((rank_fits,)):
            weights = math_ops.cast(weights, dtypes.float32)
            values = math_ops.multiply(values, weights)
    value = _aggregate_variable(count, metrics_collections)
    update_op = state_ops.assign_add(count, math_ops.reduce_sum(values))
    return collected(value, update_op, None, updates_collections)


def _counted(scope: str, label: bool, prediction: bool) -> Callable[..., Metric]:
    """`tf.metrics.SCOPE`: counts where labels and predictions are these."""

    def count(
        labels: TensorLike,
        predictions: TensorLike,
        weights: TensorLike | None = None,
        metrics_collections: Collections | None = None,
        updates_collections: Collections | None = None,
        name: str | None = None,
    ) -> Metric:
        with variable_scope.variable_scope(name, scope, (predictions, labels, weights)):
            labels, predictions, weights = _as_booleans(labels, predictions, weights)
            found = math_ops.logical_and(
                math_ops.equal(labels, label), math_ops.equal(predictions, prediction)
            )
            return _count_condition(found, weights, metrics_collections, updates_collections)

    function: Any = count
    function.__name__ = function.__qualname__ = scope
    what = (
        f"{scope.replace('_', ' ')}: of labels that are {label}, predictions that are {prediction}"
    )
    function.__doc__ = f"""The number of {what}.

    Args:
      labels, predictions: tensors of one shape, cast to bool.
      weights: a scalar or a tensor of the rank of `labels`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    return metric(scope)(function)


true_positives = _counted("true_positives", True, True)
true_negatives = _counted("true_negatives", False, False)
false_positives = _counted("false_positives", False, True)
false_negatives = _counted("false_negatives", True, False)


def _share(count: Any, other: Any, name: str) -> Tensor:
    """`count / (count + other)`, or 0."""
    return gather_ops.where(
        math_ops.greater(count + other, 0), math_ops.div(count, count + other), 0, name
    )


def _share_of_positives(
    other: Callable[..., Metric],
    scope: str,
    arguments: tuple[Any, Any, Any],
    rest: Sequence[Any],
) -> Metric:
    """The share of the true positives in them and others."""
    labels, predictions, weights = arguments
    metrics_collections, updates_collections, name = rest
    with variable_scope.variable_scope(name, scope, (predictions, labels, weights)):
        labels, predictions, weights = _as_booleans(labels, predictions, weights)
        positives, new_positives = true_positives(labels, predictions, weights)
        others, new_others = other(labels, predictions, weights)
        value = of_all_replicas(
            lambda mine, more: _share(mine, more, "value"), (positives, others), metrics_collections
        )
        update_op = _share(new_positives, new_others, "update_op")
        return collected(value, update_op, None, updates_collections)


@metric("precision")
def precision(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """How many of the true predictions are right, or 0; else as `tf.metrics.true_positives`."""
    rest = (metrics_collections, updates_collections, name)
    return _share_of_positives(false_positives, "precision", (labels, predictions, weights), rest)


@metric("recall", says="recall is not supported")
def recall(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """How many of the true labels were found, or 0; otherwise as `tf.metrics.true_positives`."""
    rest = (metrics_collections, updates_collections, name)
    return _share_of_positives(false_negatives, "recall", (labels, predictions, weights), rest)


# Counts at several thresholds.


def _confusion_matrix_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, includes: Any = None
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The counts of true and false positives and negatives for each threshold.

    Args:
      labels: a tensor, cast to bool.
      predictions: a float tensor of its shape, in [0, 1].
      thresholds: a list of floats.
      weights: a tensor that broadcasts to `predictions`, or None for 1.
      includes: which counts: some of "tp", "fn", "tn", "fp"; all by default.

    Returns:
      (variables, updates): dicts from these keys, each value float32 [number of thresholds].

    Raises:
      ValueError: `includes` has another key, or shapes don't go together.
    """
    includes = _checked_counts(includes)
    text = "predictions must be in [0, 1]"
    lower = math_ops.cast(0.0, dtype=predictions.dtype)
    checks = [check_ops.assert_greater_equal(predictions, lower, message=text)]
    upper = math_ops.cast(1.0, dtype=predictions.dtype)
    checks.append(check_ops.assert_less_equal(predictions, upper, message=text))
    with ops.control_dependencies(checks):
        predictions, labels, weights = _remove_squeezable_dimensions(
            predictions=math_ops.cast(predictions, dtypes.float32),
            labels=math_ops.cast(labels, dtype=dtypes.bool),
            weights=weights,
        )
    return counts_at_thresholds(labels, predictions, thresholds, weights, includes)


def _checked_counts(includes: Any) -> Any:
    for include in includes or ():
        if include not in _COUNTS:
            raise ValueError(f"Invalid key: {include}.")
    return tuple(_COUNTS) if includes is None else includes


def counts_at_thresholds(
    labels: Tensor, predictions: Tensor, thresholds: Any, weights: Any, includes: Any
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """As `_confusion_matrix_at_thresholds`, of labels, predictions and weights of one rank."""
    number = len(thresholds)
    column = array_ops.reshape(predictions, [-1, 1])
    row = array_ops.reshape(math_ops.cast(labels, dtype=dtypes.bool), [1, -1])
    size = column.get_shape().as_list()[0]
    if size is None:
        size = array_ops.shape(column)[0]
    limits = array_ops.tile(
        array_ops.expand_dims(constant_op.constant(thresholds), [1]),
        array_ops.stack([1, size]),
    )
    positive = math_ops.greater(array_ops.tile(array_ops.transpose(column), [number, 1]), limits)
    predicted = {True: positive}
    if "fn" in includes or "tn" in includes:
        predicted[False] = math_ops.logical_not(positive)
    labeled = {True: array_ops.tile(row, [number, 1])}
    if "fp" in includes or "tn" in includes:
        labeled[False] = math_ops.logical_not(labeled[True])
    if weights is not None:
        weights = weights_broadcast_ops.broadcast_weights(
            math_ops.cast(weights, dtypes.float32), predictions
        )
        weights = array_ops.tile(array_ops.reshape(weights, [1, -1]), [number, 1])
        limits.get_shape().assert_is_compatible_with(weights.get_shape())
    values, updates = {}, {}
    for key, (name, label, prediction) in _COUNTS.items():
        if key not in includes:
            continue
        values[key] = metric_variable([number], dtypes.float32, name=name)
        found = math_ops.cast(
            math_ops.logical_and(labeled[label], predicted[prediction]), dtypes.float32
        )
        if weights is not None:
            found *= weights
        updates[key] = state_ops.assign_add(values[key], math_ops.reduce_sum(found, 1))
    return values, updates


def _count_at_thresholds(
    key: str,
    labels: TensorLike,
    predictions: TensorLike,
    thresholds: TensorLike,
    weights: Any,
    rest: Sequence[Any],
) -> Metric:
    metrics_collections, updates_collections, name = rest
    with variable_scope.variable_scope(name, _COUNTS[key][0], (predictions, labels, weights)):
        values, updates = _confusion_matrix_at_thresholds(
            labels, predictions, thresholds, weights=weights, includes=(key,)
        )
        value = _aggregate_variable(values[key], metrics_collections)
        return collected(value, updates[key], None, updates_collections)


@metric("true_positives_at_thresholds")
def true_positives_at_thresholds(
    labels: TensorLike,
    predictions: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The number of true positives at each threshold: predictions above it whose label is true.

    Args:
      labels: a tensor, cast to bool.
      predictions: a float tensor of its shape, in [0, 1].
      thresholds: a list of floats.
      weights: a tensor that broadcasts to `predictions`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 [number of thresholds].

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    rest = (metrics_collections, updates_collections, name)
    return _count_at_thresholds("tp", labels, predictions, thresholds, weights, rest)


@metric("true_negatives_at_thresholds")
def true_negatives_at_thresholds(
    labels: TensorLike,
    predictions: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The number of true negatives at each threshold; otherwise as
    `tf.metrics.true_positives_at_thresholds`.
    """
    rest = (metrics_collections, updates_collections, name)
    return _count_at_thresholds("tn", labels, predictions, thresholds, weights, rest)


@metric("false_positives_at_thresholds")
def false_positives_at_thresholds(
    labels: TensorLike,
    predictions: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The number of false positives at each threshold; otherwise as
    `tf.metrics.true_positives_at_thresholds`.
    """
    rest = (metrics_collections, updates_collections, name)
    return _count_at_thresholds("fp", labels, predictions, thresholds, weights, rest)


@metric("false_negatives_at_thresholds")
def false_negatives_at_thresholds(
    labels: TensorLike,
    predictions: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The number of false negatives at each threshold; otherwise as
    `tf.metrics.true_positives_at_thresholds`.
    """
    rest = (metrics_collections, updates_collections, name)
    return _count_at_thresholds("fn", labels, predictions, thresholds, weights, rest)


def _at_thresholds(
    scope: str,
    arguments: tuple[Any, Any, Any],
    thresholds: TensorLike,
    includes: Any,
    rest: Sequence[Any],
    compute: Callable[[dict[str, Any], str], Tensor],
) -> Metric:
    """A metric made of the counts at thresholds.

    Args:
      scope: the default name of the variable scope.
      arguments: labels, predictions and weights.
      thresholds: a list of floats.
      includes: which counts.
      rest: the two collections and the name.
      compute: (counts, "value" or "update_op") -> the metric.
    """
    labels, predictions, weights = arguments
    metrics_collections, updates_collections, name = rest
    with variable_scope.variable_scope(name, scope, (predictions, labels, weights)):
        values, updates = _confusion_matrix_at_thresholds(
            labels, predictions, thresholds, weights, includes=includes
        )
        value = of_all_replicas(lambda of: compute(of, "value"), (values,), metrics_collections)
        return collected(value, compute(updates, "update_op"), None, updates_collections)


@metric("precision_at_thresholds")
def precision_at_thresholds(
    labels: TensorLike,
    predictions: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """How many of the predictions above each threshold are right; otherwise as
    `tf.metrics.true_positives_at_thresholds`.
    """

    def compute(counts: dict[str, Any], name: str) -> Tensor:
        total = _EPSILON + counts["tp"] + counts["fp"]
        return math_ops.div(counts["tp"], total, name=f"precision_{name}")

    return _at_thresholds(
        "precision_at_thresholds",
        (labels, predictions, weights),
        thresholds,
        ("tp", "fp"),
        (metrics_collections, updates_collections, name),
        compute,
    )


@metric("recall_at_thresholds")
def recall_at_thresholds(
    labels: TensorLike,
    predictions: TensorLike,
    thresholds: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """How many of the true labels have predictions above each threshold; otherwise as
    `tf.metrics.true_positives_at_thresholds`.
    """

    def compute(counts: dict[str, Any], name: str) -> Tensor:
        total = _EPSILON + counts["tp"] + counts["fn"]
        return math_ops.div(counts["tp"], total, name=f"recall_{name}")

    return _at_thresholds(
        "recall_at_thresholds",
        (labels, predictions, weights),
        thresholds,
        ("tp", "fn"),
        (metrics_collections, updates_collections, name),
        compute,
    )


def _even_thresholds(count: int, last: float = 1.0 + _EPSILON) -> list[float]:
    """Thresholds evenly over [0, 1], the first one below all predictions."""
    inner = [(i + 1) * 1.0 / (count - 1) for i in range(count - 2)]
    return [0.0 - _EPSILON, *inner, last]


@metric("sensitivity_at_specificity")
def sensitivity_at_specificity(
    labels: TensorLike,
    predictions: TensorLike,
    specificity: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The share of true labels that are found, at the threshold whose specificity (the share of
    false labels that are found) is closest to a given one.

    Args:
      labels: a tensor, cast to bool.
      predictions: a float tensor of its shape, in [0, 1].
      specificity: in [0, 1].
      weights: a tensor that broadcasts to `predictions`, or None for 1.
      num_thresholds: how many thresholds are tried.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.

    Raises:
      ValueError: `specificity` is out of range, or shapes don't go together.
      RuntimeError: in eager execution.
    """
    if specificity < 0 or specificity > 1:
        raise ValueError("`specificity` must be in the range [0, 1].")

    def compute(counts: dict[str, Any], name: str) -> Tensor:
        tp, tn, fp, fn = (counts[key] for key in ("tp", "tn", "fp", "fn"))
        distances = math_ops.abs(math_ops.div(tn, tn + fp + _EPSILON) - specificity)
        closest = math_ops.cast(math_ops.argmin(distances, 0), dtypes.int32)
        return math_ops.div(tp[closest], tp[closest] + fn[closest] + _EPSILON, name)

    return _at_thresholds(
        "sensitivity_at_specificity",
        (labels, predictions, weights),
        _even_thresholds(num_thresholds),
        None,
        (metrics_collections, updates_collections, name),
        compute,
    )


@metric("specificity_at_sensitivity")
def specificity_at_sensitivity(
    labels: TensorLike,
    predictions: TensorLike,
    sensitivity: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The share of false labels that are found, at the threshold whose sensitivity (the share of
    true labels that are found) is closest to a given one; otherwise as
    `tf.metrics.sensitivity_at_specificity`.
    """
    if sensitivity < 0 or sensitivity > 1:
        raise ValueError("`sensitivity` must be in the range [0, 1].")

    def compute(counts: dict[str, Any], name: str) -> Tensor:
        tp, tn, fp, fn = (counts[key] for key in ("tp", "tn", "fp", "fn"))
        found = math_ops.div(tp, tp + fn + _EPSILON)
        least = math_ops.reduce_min(math_ops.abs(found - sensitivity))
        # The last of the closest thresholds: there the running count is the largest.
        closest = math_ops.equal(math_ops.abs(found - sensitivity), least)
        running = math_ops.cumsum(math_ops.cast(closest, dtypes.int64))
        at = math_ops.cast(math_ops.argmax(running, 0), dtypes.int32)
        return math_ops.div(tn[at], tn[at] + fp[at] + _EPSILON, name)

    return _at_thresholds(
        "specificity_at_sensitivity",
        (labels, predictions, weights),
        _even_thresholds(num_thresholds, last=1.0 - _EPSILON),
        None,
        (metrics_collections, updates_collections, name),
        compute,
    )


@metric("auc")
def auc(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Any = None,
) -> Metric:
    """The area under a curve through the results at many thresholds, as in TF 1.15.

    Args:
      labels: a tensor, cast to bool.
      predictions: a float tensor of its shape, in [0, 1].
      weights: a tensor that broadcasts to `predictions`, or None for 1.
      num_thresholds: how many thresholds are tried.
      metrics_collections, updates_collections: collections to add the value and the update to.
      curve: "ROC" (recall over the rate of false positives) or "PR" (precision over recall).
      name: the variable scope.
      summation_method: "trapezoidal"; "careful_interpolation" (for "PR": Davis and Goadrich,
        2006); "minoring" or "majoring" for a lower or upper bound.
      thresholds: floats to try in place of evenly spaced ones.

    Returns:
      (value, update_op), float32 scalars.

    Raises:
      ValueError: `curve` or `summation_method` is none of these, or shapes don't go together.
      RuntimeError: in eager execution.
    """
    with variable_scope.variable_scope(name, "auc", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        if thresholds is None:
            # The two ends are there in any case; of one threshold they are not counted.
            thresholds, count = _even_thresholds(num_thresholds), num_thresholds
        else:
            thresholds = [0.0 - _EPSILON, *sorted(thresholds), 1.0 + _EPSILON]
            count = len(thresholds)
        values, updates = _confusion_matrix_at_thresholds(labels, predictions, thresholds, weights)

        def compute(counts: dict[str, Any], name: str) -> Tensor:
            return _area(counts, count, curve, summation_method, name)

        value = of_all_replicas(lambda of: compute(of, "value"), (values,), metrics_collections)
        return collected(value, compute(updates, "update_op"), None, updates_collections)


def _area(counts: dict[str, Any], count: int, curve: str, method: str, name: str) -> Tensor:
    tp, fn, tn, fp = (counts[key] for key in ("tp", "fn", "tn", "fp"))
    if curve == "PR" and method == "trapezoidal":
        logging.warning(
            "Trapezoidal rule is known to produce incorrect PR-AUCs; "
            'please switch to "careful_interpolation" instead.'
        )
    elif curve == "PR" and method == "careful_interpolation":
        return _interpolated_area(tp, fp, fn, count)
    epsilon = 1e-6
    recalls = math_ops.div(tp + epsilon, tp + fn + epsilon)
    if curve == "ROC":
        x, y = math_ops.div(fp, fp + tn + epsilon), recalls
    else:
        x, y = recalls, math_ops.div(tp + epsilon, tp + fp + epsilon)
    heights: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
        "trapezoidal": lambda left, right: (left + right) / 2.0,
        "careful_interpolation": lambda left, right: (left + right) / 2.0,
        "minoring": math_ops.minimum,
        "majoring": math_ops.maximum,
    }
    if method not in heights:
        raise ValueError(f"Invalid summation_method: {method}")
    width = x[: count - 1] - x[1:]
    height = heights[method](y[: count - 1], y[1:])
    return math_ops.reduce_sum(math_ops.multiply(width, height), name=name)


def _interpolated_area(tp: Any, fp: Any, fn: Any, count: int) -> Tensor:
    """The area under a precision-recall curve whose true positives go linearly between thresholds
    (Davis and Goadrich, 2006), integrated in closed form.
    """

    def drop(values: Any) -> Tensor:
        """From each threshold to the next one."""
        return values[: count - 1] - values[1:]

    found = drop(tp)
    positives = tp + fp
    slope = math_ops.div_no_nan(found, math_ops.maximum(drop(positives), 0), name="prec_slope")
    intercept = tp[1:] - math_ops.multiply(slope, positives[1:])
    ratio = gather_ops.where(
        math_ops.logical_and(positives[: count - 1] > 0, positives[1:] > 0),
        math_ops.div_no_nan(
            positives[: count - 1],
            math_ops.maximum(positives[1:], 0),
            name="recall_relative_ratio",
        ),
        array_ops.ones_like(positives[1:]),
    )
    increments = math_ops.div_no_nan(
        slope * (found + intercept * math_ops.log(ratio)),
        math_ops.maximum(tp[1:] + fn[1:], 0),
        name="pr_auc_increment",
    )
    return math_ops.reduce_sum(increments, name="interpolate_pr_auc")
