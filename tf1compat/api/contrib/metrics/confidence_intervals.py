"""`tf.contrib.metrics.auc_with_confidence_intervals`."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.metrics.statistics import flat_as, streaming_concat, zero_or_one
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics.metrics_impl import _remove_squeezable_dimensions
from tf1compat.api.nn import nn_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import required, tf_export
from tf1compat.core.typing import Collections, Name, TensorLike

_EPSILON = 1e-7
AucData = collections.namedtuple("AucData", ["auc", "lower", "upper"])


@tf_export("contrib.metrics.auc_with_confidence_intervals")
def auc_with_confidence_intervals(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    alpha: float = 0.95,
    logit_transformation: bool = True, metrics_collections: Collections = (),
    updates_collections: Collections = (), name: Name = None,
) -> tuple[Any, Any]:  # fmt: skip
    """The area under the ROC curve, and where it lies with some confidence (DeLong, 1988).

    All labels and predictions are kept.

    Args:
      labels: 0 or 1.
      predictions: floats of the same shape.
      weights: a tensor that broadcasts to `labels`, or None for 1.
      alpha: the confidence.
      logit_transformation: whether the interval is that of the area's logit.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (auc, lower, upper), float32 scalars, and the update.

    Raises:
      ValueError: `alpha` isn't between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1; currently {alpha:.02f}")
    if weights is None:
        weights = array_ops.ones_like(predictions)
    values = [labels, predictions, weights]
    with variable_scope.variable_scope(
        name, default_name="auc_with_confidence_intervals", values=values
    ):
        predictions, labels, weights = _remove_squeezable_dimensions(
            predictions=predictions, labels=labels, weights=weights
        )
        total_weight = math_ops.reduce_sum(weights)
        weights = array_ops.reshape(weights, [-1])
        predictions = flat_as(dtypes.float64, predictions)
        labels = flat_as(dtypes.int64, labels)
        with ops.control_dependencies(zero_or_one(labels)):
            kept = {
                part: streaming_concat(tensor, name=f"concat_{part}")
                for part, tensor in (
                    ("preds", predictions),
                    ("labels", labels),
                    ("weights", weights),
                )
            }
            values, updates = zip(*(kept[part] for part in ("labels", "preds", "weights")))
            update = control_flow_ops.group(*updates)
            both = math_ops.logical_and(
                math_ops.equal(math_ops.reduce_min(labels), 0),
                math_ops.equal(math_ops.reduce_max(labels), 1),
            )
            weighty = math_ops.greater_equal(total_weight, 1.0)
            is_valid = math_ops.logical_and(both, weighty)
            update_op = control_flow_ops.cond(weighty, lambda: update, control_flow_ops.no_op)
            auc = _compute_placement_auc(values, alpha, logit_transformation, is_valid)
            if updates_collections:
                ops.add_to_collections(updates_collections, update_op)
            if metrics_collections:
                ops.add_to_collections(metrics_collections, auc)
            return auc, update_op


def _compute_placement_auc(
    values: Any, alpha: float, logit_transformation: bool, is_valid: Any
) -> Any:
    """(auc, lower, upper) by placement values: the share of the other label that is below (Sun and
    Xu, 2014)."""
    labels, predictions, weights = values
    size = array_ops.size(predictions, out_type=dtypes.int32)
    total_0, total_1 = (
        math_ops.reduce_sum(math_ops.cast(kind, weights.dtype) * weights)
        for kind in (1 - labels, labels)
    )
    ordered, indices = (
        array_ops.reverse(found, axis=array_ops.zeros(1, dtypes.int32))
        for found in nn_ops.top_k(predictions, k=size, sorted=True)
    )
    labels, weights = (array_ops.gather(values, indices) for values in (labels, weights))
    # Equal predictions are one segment.
    _, segments = array_ops.unique(ordered)
    is_1 = math_ops.cast(labels, dtypes.float32)
    masks = (is_1, 1.0 - is_1)
    of_1, of_0 = [weights * mask for mask in masks]
    # What lies below a label of the one kind is of the other.
    sums = [math_ops.segment_sum(others, segments) for others in (of_0, of_1)]
    below = [math_ops.cumsum(others, exclusive=True) for others in sums]
    shares = [
        (lower + equal / 2.0) / (math_ops.reduce_sum(equal) + _EPSILON)
        for lower, equal in zip(below, sums)
    ]
    shares = [array_ops.gather(share, segments) for share in shares]
    placements_1, placements_0 = (share * mask for share, mask in zip(shares, masks))
    placements = placements_1 + placements_0

    def only_0(values: Any) -> Any:
        return values * math_ops.cast(1 - labels, weights.dtype)

    def only_1(values: Any) -> Any:
        return values * math_ops.cast(labels, weights.dtype)

    values_0, weights_0 = only_0(placements), only_0(weights)
    values_1, weights_1 = only_1(placements), only_1(weights)
    auc_0 = math_ops.reduce_sum(weights_0 * (1.0 - values_0)) / (total_0 + _EPSILON)
    auc_1 = math_ops.reduce_sum(weights_1 * values_1) / (total_1 + _EPSILON)
    auc = array_ops.where(math_ops.less(total_0, total_1), auc_1, auc_0)
    variance_0 = math_ops.reduce_sum(weights_0 * math_ops.square(1.0 - values_0 - auc_0)) / (
        total_0 - 1.0 + _EPSILON
    )
    variance_1 = math_ops.reduce_sum(weights_1 * math_ops.squared_difference(values_1, auc_1)) / (
        total_1 - 1.0 + _EPSILON
    )
    error = math_ops.sqrt(variance_0 / (total_0 + _EPSILON) + variance_1 / (total_1 + _EPSILON))
    lower, upper = _interval(auc, error, alpha, logit_transformation)
    lower = array_ops.where(_is_certain(auc), auc, lower)
    upper = array_ops.where(_is_certain(auc), auc, upper)
    nothing = constant_op.constant(0.0)
    return AucData(
        *control_flow_ops.cond(is_valid, lambda: [auc, lower, upper], lambda: [nothing] * 3)
    )


def _is_certain(auc: Any) -> Any:
    """Whether the area is 1 or 0: then there is no variance."""
    return math_ops.logical_or(
        math_ops.equal(auc, array_ops.ones_like(auc)),
        math_ops.equal(auc, array_ops.zeros_like(auc)),
    )


def _interval(auc: Any, error: Any, alpha: float, logit_transformation: bool) -> tuple[Any, Any]:
    """Where the area lies, by a normal distribution of it or of its logit."""
    normal = required("distributions.Normal")(loc=0.0, scale=1.0)
    z = normal.quantile((1.0 - alpha) / 2.0)
    if not logit_transformation:
        return auc + z * error, auc - z * error
    logit = math_ops.log(auc / (1.0 - auc + _EPSILON))
    error = error / (auc * (1.0 - auc + _EPSILON))
    lower, upper = logit + z * error, logit - z * error

    def sigmoid(x: Any) -> Any:
        return 1.0 / (1.0 + math_ops.exp(math_ops.negative(x)) + _EPSILON)

    return sigmoid(lower), sigmoid(upper)
