"""`tf.contrib.metrics`: covariance and correlation, and what keeps all values so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op, gather_ops, sequence_ops, shape_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.api.metrics.metrics_impl import (
    Metric,
    _remove_squeezable_dimensions,
    collected,
    metric_variable,
)
from tf1compat.api.nn import nn_ops
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, DTypeLike, TensorLike


@tf_export("contrib.metrics.streaming_covariance")
def streaming_covariance(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """The unbiased covariance of predictions and labels.

    Batches are put together as by Chan et al. (1979), so that no precision is lost.

    Args:
      predictions, labels: float32 tensors of one shape.
      weights: a tensor that broadcasts to them, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars; NaN as long as there is only one value.

    Raises:
      ValueError: shapes don't go together.
    """
    with variable_scope.variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = _remove_squeezable_dimensions(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        count, mean_prediction, mean_label, comoment = (
            metric_variable([], dtypes.float32, name=part)
            for part in ("count", "mean_prediction", "mean_label", "comoment")
        )
        if weights is not None:
            weights = weights_broadcast_ops.broadcast_weights(weights, labels)

        def weighed(values: Tensor) -> Tensor:
            return values if weights is None else math_ops.multiply(values, weights)

        batch_count = (
            math_ops.cast(array_ops.size(labels), dtypes.float32)
            if weights is None
            else math_ops.reduce_sum(weights)
        )
        weighted_predictions, weighted_labels = weighed(predictions), weighed(labels)
        new_count = state_ops.assign_add(count, batch_count)
        old_count = new_count - batch_count

        def moved(mean: TensorLike, values: Tensor) -> tuple[Tensor, Tensor]:
            """The mean of a batch, and the mean before it, which it moves."""
            batch_mean = math_ops.div_no_nan(math_ops.reduce_sum(values), batch_count)
            change = math_ops.div_no_nan((batch_mean - mean) * batch_count, new_count)
            return batch_mean, state_ops.assign_add(mean, change) - change

        batch_prediction, old_prediction = moved(mean_prediction, weighted_predictions)
        batch_label, old_label = moved(mean_label, weighted_labels)
        products = (predictions - batch_prediction) * (labels - batch_label)
        if weights is not None:
            products = products * weights
        added = math_ops.reduce_sum(products) + (old_prediction - batch_prediction) * (
            old_label - batch_label
        ) * (old_count * batch_count / new_count)
        new_comoment = state_ops.assign_add(comoment, added)

        def covariance(part: str) -> Tensor:
            return gather_ops.where(
                math_ops.less_equal(count, 1.0),
                float("nan"),
                math_ops.truediv(comoment, count - 1),
                name=part,
            )

        value = covariance("covariance")
        with ops.control_dependencies([new_comoment]):
            update_op = covariance("update_op")
    return collected(value, update_op, metrics_collections, updates_collections)


@tf_export("contrib.metrics.streaming_pearson_correlation")
def streaming_pearson_correlation(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Metric:
    """Pearson's correlation of predictions and labels; otherwise as `streaming_covariance`.

    Args:
      predictions, labels, weights, metrics_collections, updates_collections, name: as in
        `streaming_covariance`.

    Returns:
      As `streaming_covariance`.
    """
    with variable_scope.variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = _remove_squeezable_dimensions(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        if weights is not None:
            weights = weights_broadcast_ops.broadcast_weights(weights, labels)
        pairs = (
            ("covariance", predictions, labels),
            ("variance_predictions", predictions, predictions),
            ("variance_labels", labels, labels),
        )
        covariances = [
            streaming_covariance(first, second, weights=weights, name=part)
            for part, first, second in pairs
        ]
        value, update_op = (
            _correlation(parts, name)
            for parts, name in zip(zip(*covariances), ("pearson_r", "update_op"))
        )
    return collected(value, update_op, metrics_collections, updates_collections)


def _correlation(covariances: tuple[Any, ...], name: str) -> Tensor:
    covariance, first, second = covariances
    deviations = math_ops.multiply(math_ops.sqrt(first), math_ops.sqrt(second))
    return math_ops.truediv(covariance, deviations, name=name)


def _next_array_size(required_size: Any, growth_factor: float = 1.5) -> Tensor:
    """The least power of the growth factor that is at least the size."""
    size, growth = (
        math_ops.log(math_ops.cast(number, dtypes.float32))
        for number in (required_size, growth_factor)
    )
    exponent = math_ops.ceil(size / growth)
    return math_ops.cast(math_ops.ceil(growth_factor**exponent), dtypes.int32)


def _in_order(first: Any, *others: Callable[[], Any]) -> Any:
    """Calls each of the others under a control dependency on what came before; gives the last."""
    done = first
    for record in others:
        with ops.control_dependencies([done]):
            done = record()
    return done


def _axis_and_others(shape: Any, axis: int) -> tuple[int, list[int]]:
    """The axis, counted from the front, and the sizes of the other dimensions.

    Raises:
      ValueError: `axis` is out of range, or a size is unknown.
    """
    if shape.dims is None:
        raise ValueError("`values` must have known statically known rank")
    rank = len(shape)
    front = axis + rank if axis < 0 else axis
    if not 0 <= front < rank:
        raise ValueError(f"axis = {front!r} not in [0, {rank!r})")
    sizes = shape.as_list()
    others = [*sizes[:front], *sizes[front + 1 :]]
    if None in others:
        raise ValueError(
            "all dimensions of `values` other than the dimension to concatenate along must "
            "have statically known size"
        )
    return front, others


@tf_export("contrib.metrics.streaming_concat")
def streaming_concat(
    values: Any,
    axis: int = 0,
    max_size: int | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """All tensors so far, concatenated.

    Args:
      values: a tensor whose sizes are known, but for that of `axis`.
      axis: the dimension to concatenate along.
      max_size: the largest size there; what would be beyond is dropped.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op): the tensor, and its size along `axis` after the update.

    Raises:
      ValueError: `axis` is out of range, or a size is unknown.
    """
    with variable_scope.variable_scope(name, "streaming_concat", (values,)):
        axis, others = _axis_and_others(values.get_shape(), axis)
        # The variable has the axis first, and room for more.
        start = [0 if max_size is None else max_size, *others]
        array = metric_variable(start, values.dtype, validate_shape=False, name="array")
        size = metric_variable([], dtypes.int32, name="size")
        used = array[:size]
        used.set_shape([None, *others])
        axes = list(range(1, len(others) + 1))
        axes.insert(axis, 0)
        value = array_ops.transpose(used, axes, name="concat")
        added = array_ops.shape(values)[axis]
        if max_size is not None:
            added = math_ops.minimum(added, max_size - size)
        axis_first = [axis, *range(axis), *range(axis + 1, len(others) + 1)]
        batch = array_ops.transpose(values, axis_first)[:added]

        def reallocate() -> Any:
            empty = array_ops.zeros(
                array_ops.stack([_next_array_size(new_size), *others]), dtype=values.dtype
            )
            old = array.value()
            return _in_order(
                old,
                lambda: state_ops.assign(array, empty, validate_shape=False),
                lambda: array[:size].assign(old[:size]),
                control_flow_ops.no_op,
            )

        new_size = size + added
        room = shape_ops.shape_internal(array, optimize=False)[0]
        update_op = _in_order(
            control_flow_ops.cond(new_size > room, reallocate, control_flow_ops.no_op),
            lambda: array[size:new_size].assign(batch),
            lambda: size.assign(new_size),
        )
        return collected(value, update_op, metrics_collections, updates_collections)


def flat_as(dtype: DTypeLike, tensor: TensorLike) -> Tensor:
    """All elements, in a vector of the type."""
    return array_ops.reshape(math_ops.cast(tensor, dtype), [-1])


def zero_or_one(labels: Tensor) -> list[Any]:
    """Checks, at each run, that int64 labels are 0 or 1."""
    bounds: Any = (
        (check_ops.assert_greater_equal, array_ops.zeros_like, "<0"),
        (check_ops.assert_less_equal, array_ops.ones_like, ">1"),
    )
    return [
        check(
            labels,
            bound(labels, dtypes.int64),
            message=f"labels must be 0 or 1, at least one is {wrong}",
        )
        for check, bound, wrong in bounds
    ]


@tf_export("contrib.metrics.streaming_dynamic_auc")
def streaming_dynamic_auc(
    labels: Any,
    predictions: Any,
    curve: str = "ROC",
    metrics_collections: Any = (),
    updates_collections: Any = (),
    name: str | None = None,
    weights: Any = None,
) -> Any:
    """The area under a curve with a threshold at each prediction; it keeps all of them.

    Args:
      labels: a tensor of zeros and ones.
      predictions: a float tensor of its shape.
      curve: "ROC" (recall over the rate of false positives) or "PR" (precision over recall).
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.
      weights: a tensor of the shape of `labels`, or None for 1.

    Returns:
      (value, update_op): a float64 scalar and an operation.

    Raises:
      ValueError: `curve` is neither, or shapes don't go together.
    """
    if curve not in ["PR", "ROC"]:
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    with variable_scope.variable_scope(name, default_name="dynamic_auc"):
        labels.get_shape().assert_is_compatible_with(predictions.get_shape())
        predictions = flat_as(dtypes.float64, predictions)
        labels = flat_as(dtypes.int64, labels)
        with ops.control_dependencies(zero_or_one(labels)):
            all_predictions, new_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, new_labels = streaming_concat(labels, name="concat_labels")
            updates, all_weights = [new_labels, new_predictions], None
            if weights is not None:
                weights = flat_as(dtypes.float64, weights)
                all_weights, new_weights = streaming_concat(weights, name="concat_weights")
                updates.append(new_weights)
            update_op = control_flow_ops.group(*updates)
            value = _dynamic_area(all_labels, all_predictions, curve, all_weights)
            return collected(value, update_op, metrics_collections, updates_collections)


def _trapezoids(x: Tensor, y: Tensor) -> Tensor:
    """The area under the lines between points."""
    heights = math_ops.add(y[1:], y[:-1]) / 2.0
    widths = math_ops.abs(math_ops.subtract(x[1:], x[:-1]))
    return math_ops.reduce_sum(math_ops.multiply(heights, widths))


def _dynamic_area(labels: Tensor, predictions: Tensor, curve: str, weights: Any) -> Tensor:
    float64 = dtypes.float64
    size = array_ops.size(predictions)
    if weights is None:
        weights = array_ops.ones_like(labels, dtype=float64)
    labels, predictions, weights = _remove_squeezable_dimensions(labels, predictions, weights)
    total = math_ops.reduce_sum(weights)
    positive = math_ops.reduce_sum(
        gather_ops.where(
            math_ops.greater(labels, 0), weights, array_ops.zeros_like(labels, dtype=float64)
        )
    )

    def area() -> Tensor:
        ordered, indices = nn_ops.top_k(predictions, k=size)
        ordered_labels = gather_ops.gather(labels, indices)
        ordered_weights = gather_ops.gather(weights, indices)
        _, _, counts = sequence_ops.unique_with_counts(ordered)

        def padded_sums(values: Tensor) -> Tensor:
            return array_ops.pad(math_ops.cumsum(values), paddings=[[1, 0]])

        splits = math_ops.cast(padded_sums(counts), dtypes.int32)

        def at_splits(condition: Tensor) -> Tensor:
            """The weight, down to each threshold, where a condition holds."""
            zeros = array_ops.zeros_like(ordered_labels, dtype=float64)
            chosen = gather_ops.where(condition, ordered_weights, zeros)
            return gather_ops.gather(padded_sums(chosen), splits)

        true_positives = at_splits(math_ops.greater(ordered_labels, 0))

        def rates() -> tuple[Tensor, Tensor]:
            false_positives = at_splits(math_ops.less(ordered_labels, 1))
            false_rate = math_ops.truediv(false_positives, total - positive)
            return false_rate, math_ops.truediv(true_positives, positive)

        def recall_and_precision() -> tuple[Tensor, Tensor]:
            recall = math_ops.truediv(true_positives, positive)
            found = gather_ops.gather(padded_sums(ordered_weights), splits)
            is_any = math_ops.greater(splits, 0)
            precision = math_ops.truediv(true_positives, found)
            ones = array_ops.ones_like(true_positives, dtype=float64)
            return recall, gather_ops.where(is_any, precision, ones)

        x, y = rates() if curve == "ROC" else recall_and_precision()
        return _trapezoids(x, y)

    is_one_sided = math_ops.logical_or(math_ops.equal(positive, 0), math_ops.equal(positive, total))
    return control_flow_ops.cond(
        is_one_sided,
        true_fn=lambda: constant_op.constant(0, float64),
        false_fn=area,
    )
