"""What metrics are made of (`tensorflow.python.keras.utils.metrics_utils`)."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.keras.utils.generic_utils import to_list
from tf1compat.api.losses.util import squeeze_or_expand_dimensions
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.ragged import ragged_util
from tf1compat.api.ragged.ragged_tensor import RaggedTensor
from tf1compat.core import dtypes, ops

NEG_INF = -1e10


class Reduction(enum.Enum):
    """How values become one number."""

    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"
    WEIGHTED_MEAN = "weighted_mean"


class ConfusionMatrix(enum.Enum):
    """What is counted of predictions that are right or wrong."""

    TRUE_POSITIVES = "tp"
    FALSE_POSITIVES = "fp"
    TRUE_NEGATIVES = "tn"
    FALSE_NEGATIVES = "fn"


class AUCCurve(enum.Enum):
    """The curves that an area can be under."""

    ROC = "ROC"
    PR = "PR"

    @staticmethod
    def from_str(key: str) -> AUCCurve:
        """The curve of a name."""
        if key in ("pr", "PR"):
            return AUCCurve.PR
        if key in ("roc", "ROC"):
            return AUCCurve.ROC
        raise ValueError(f'Invalid AUC curve value "{key}".')


class AUCSummationMethod(enum.Enum):
    """How an area is worked out."""

    INTERPOLATION = "interpolation"
    MAJORING = "majoring"
    MINORING = "minoring"

    @staticmethod
    def from_str(key: str) -> AUCSummationMethod:
        """The method of a name."""
        for method in AUCSummationMethod:
            if key in (method.value, method.value.capitalize()):
                return method
        raise ValueError(f'Invalid AUC summation method value "{key}".')


def update_state_wrapper(update_state_fn: Callable[..., Any]) -> Callable[..., Any]:
    """An `update_state` whose result joins the metric's updates."""

    @functools.wraps(update_state_fn)
    def decorated(metric_obj: Any, *args: Any, **kwargs: Any) -> Any:
        update_op = update_state_fn(*args, **kwargs)
        if update_op is not None:
            metric_obj.add_update(update_op)
        return update_op

    return decorated


def call_in_replicas(fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Calls a function; in the cross-replica context of a strategy, once for each replica."""
    if strategies.has_strategy() and strategies.in_cross_replica_context():
        strategy: Any = strategies.get_strategy()
        with strategy.scope():
            return strategy.extended.call_for_each_replica(fn, args, kwargs)
    return fn(*args, **kwargs)


def result_wrapper(result_fn: Callable[..., Any]) -> Callable[..., Any]:
    """A `result` that the metric remembers."""

    def merged(strategy: Any, result_fn: Any, *args: Any) -> Any:
        # What each replica passes is the same function.
        return array_ops.identity(strategy.experimental_local_results(result_fn)[0](*args))

    @functools.wraps(result_fn)
    def decorated(metric_obj: Any, *args: Any) -> Any:
        replica: Any = strategies.get_replica_context() if strategies.has_strategy() else None
        if replica is None:
            result = array_ops.identity(result_fn(*args))
        else:
            # The variables of all replicas count.
            result = replica.merge_call(merged, args=(result_fn, *args))
        metric_obj._call_result = result
        return result

    return decorated


def assert_thresholds_range(thresholds: Any) -> None:
    """Refuses thresholds beyond [0, 1]."""
    if thresholds is not None:
        invalid = [t for t in thresholds if t is None or t < 0 or t > 1]
        if invalid:
            raise ValueError(f"Threshold values must be in [0, 1]. Invalid values: {invalid}")


def parse_init_thresholds(thresholds: Any, default_threshold: float = 0.5) -> list[Any]:
    """Thresholds as a list."""
    if thresholds is not None:
        assert_thresholds_range(to_list(thresholds))
    return to_list(default_threshold if thresholds is None else thresholds)


def ragged_assert_compatible_and_get_flat_values(values: Any, mask: Any = None) -> tuple[Any, Any]:
    """The flat values of ragged tensors, whose rows are checked to be equally long.

    Args:
      values: a tensor or a list of them, all ragged or none.
      mask: a ragged or dense tensor of weights, or None.

    Returns:
      The values, each with an axis of size 1 more if they are ragged, and the mask.

    Raises:
      TypeError: some are ragged and others not.
    """
    several = isinstance(values, list)
    items = values if several else [values]
    ragged = [isinstance(item, RaggedTensor) for item in items]
    is_mask_ragged = isinstance(mask, RaggedTensor)
    if all(ragged) and items and (mask is None or is_mask_ragged):
        splits = [item.nested_row_splits for item in items]
        checks = ragged_util.assert_splits_match(splits)
        if is_mask_ragged:
            mask = _flat(mask, ragged_util.assert_splits_match([splits[0], mask.nested_row_splits]))
        flat = [_flat(item, checks) for item in items]
        return (flat if several else flat[0]), mask
    if any(ragged):
        raise TypeError("One of the inputs does not have acceptable types.")
    if is_mask_ragged:
        raise TypeError("Ragged mask is not allowed with non-ragged inputs.")
    return values, mask


def _flat(tensor: RaggedTensor, checks: list[Any]) -> Any:
    values = control_flow_ops.with_dependencies(checks, tensor.flat_values)
    return array_ops.expand_dims(values, -1)


def update_confusion_matrix_variables(
    variables_to_update: Any, y_true: Any, y_pred: Any, thresholds: Any, top_k: Any = None,
    class_id: Any = None, sample_weight: Any = None,
) -> Any:  # fmt: skip
    """Counts right and wrong predictions for each threshold.

    Args:
      variables_to_update: `ConfusionMatrix` -> variable of the size of `thresholds`.
      y_true: what is cast to bool.
      y_pred: probabilities.
      thresholds: predictions above are positive.
      top_k: only the `top_k` best predictions of a sample may be positive.
      class_id: the class that counts; None for all.
      sample_weight: weights that broadcast to the predictions.

    Returns:
      An operation.
    """
    if variables_to_update is None:
        return None
    y_true = math_ops.cast(y_true, dtype=dtypes.float32)
    y_pred = math_ops.cast(y_pred, dtype=dtypes.float32)
    # The weights stay as they are: TensorFlow forgets those that it finds.
    (y_pred, y_true), _ = ragged_assert_compatible_and_get_flat_values(
        [y_pred, y_true], sample_weight
    )
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    kinds = list(ConfusionMatrix)
    if not any(key in kinds for key in variables_to_update):
        raise ValueError(
            "Please provide at least one valid confusion matrix variable to update. Valid variable "
            f'key options are: "{kinds}". Received: "{variables_to_update.keys()}"'
        )
    invalid = [key for key in variables_to_update if key not in kinds]
    if invalid:
        raise ValueError(f'Invalid keys: {invalid}. Valid variable key options are: "{kinds}"')
    checks = [
        check(y_pred, math_ops.cast(bound, dtype=y_pred.dtype), message=message)
        for check, bound, message in (
            (check_ops.assert_greater_equal, 0.0, "predictions must be >= 0"),
            (check_ops.assert_less_equal, 1.0, "predictions must be <= 1"),
        )
    ]
    with ops.control_dependencies(checks):
        y_pred, y_true, *fitting = squeeze_or_expand_dimensions(y_pred, y_true, sample_weight)
    if top_k is not None:
        y_pred = _filter_top_k(y_pred, top_k)
    if class_id is not None:
        y_true, y_pred = (y[..., class_id] for y in (y_true, y_pred))
    thresholds = to_list(thresholds)
    count = len(thresholds)
    size = array_ops.size(y_pred)
    predictions = array_ops.reshape(y_pred, [1, -1])
    labels = array_ops.reshape(math_ops.cast(y_true, dtype=dtypes.bool), [1, -1])
    limits = array_ops.tile(
        array_ops.expand_dims(constant_op.constant(thresholds), 1), array_ops.stack([1, size])
    )
    tiled = array_ops.tile(predictions, [count, 1])
    is_positive = math_ops.greater(tiled, limits)
    label_is_positive = array_ops.tile(labels, [count, 1])
    weights = None
    if fitting:
        weights = weights_broadcast_ops.broadcast_weights(
            math_ops.cast(fitting[0], dtype=dtypes.float32), y_pred
        )
        weights = array_ops.tile(array_ops.reshape(weights, [1, -1]), [count, 1])
    pairs = {ConfusionMatrix.TRUE_POSITIVES: (label_is_positive, is_positive)}
    wants = variables_to_update.__contains__
    negatives = wants(ConfusionMatrix.TRUE_NEGATIVES)
    is_negative: Any = None
    if wants(ConfusionMatrix.FALSE_NEGATIVES) or negatives:
        is_negative = math_ops.logical_not(is_positive)
        pairs[ConfusionMatrix.FALSE_NEGATIVES] = (label_is_positive, is_negative)
    if wants(ConfusionMatrix.FALSE_POSITIVES) or negatives:
        label_is_negative = math_ops.logical_not(label_is_positive)
        pairs[ConfusionMatrix.FALSE_POSITIVES] = (label_is_negative, is_positive)
        if negatives:
            pairs[ConfusionMatrix.TRUE_NEGATIVES] = (label_is_negative, is_negative)
    updates = []
    for kind, (label, prediction) in pairs.items():
        if kind in variables_to_update:
            both = math_ops.cast(math_ops.logical_and(label, prediction), dtype=dtypes.float32)
            if weights is not None:
                both *= weights
            updates.append(variables_to_update[kind].assign_add(math_ops.reduce_sum(both, 1)))
    return control_flow_ops.group(updates)


def _filter_top_k(x: Any, k: Any) -> Any:
    """The `k` largest of each row; the others become very small."""
    _, best = nn_ops.top_k(x, k, sorted=False)
    mask = math_ops.reduce_sum(array_ops.one_hot(best, x.shape[-1], axis=-1), axis=-2)
    return x * mask + NEG_INF * (1 - mask)
