"""`tf.metrics`: averages over many runs, kept in local variables.

A metric gives a tensor with its value so far and an operation that takes one more batch in.  This
file has the means; `metrics_counts.py` has what is made of true and false positives and negatives,
`metrics_at_k.py` what ranks the best k predictions.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tf1compat.api.array import array_ops, diagonal_ops, gather_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import confusion_matrix, weights_broadcast_ops
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.api.variables.variables import VariableAggregation, VariableSynchronization
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, DTypeLike, ShapeLike, TensorLike

F = TypeVar("F", bound=Callable[..., Any])
Metric = tuple[Tensor, Tensor]
_NO_STEPS: Any = object()


def metric(name: str, *others: str, says: str | None = None) -> Callable[[F], F]:
    """Decorator: exports a function of `tf.metrics`; eager execution can't use it.

    Args:
      name: the name in `tf.metrics`.
      *others: more public names.
      says: what the error calls the function, where TF 1.15 does not use its name.
    """

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if ops.executing_eagerly():
                raise RuntimeError(
                    f"tf.metrics.{says or name} is not supported when eager execution is enabled."
                )
            return function(*args, **kwargs)

        return tf_export(f"metrics.{name}", *others)(call)  # type: ignore[return-value]

    return decorate


def metric_variable(
    shape: ShapeLike, dtype: DTypeLike, validate_shape: bool = True, name: str | None = None
) -> Any:
    """A variable of zeros in the collections LOCAL_VARIABLES and METRIC_VARIABLES.

    Args:
      shape: its shape.
      dtype: its element type.
      validate_shape: whether the shape is fixed.
      name: its name.

    Returns:
      The variable, which is not trainable.
    """
    return variable_scope.variable(
        lambda: array_ops.zeros(shape, dtype),
        trainable=False,
        collections=[ops.GraphKeys.LOCAL_VARIABLES, ops.GraphKeys.METRIC_VARIABLES],
        validate_shape=validate_shape,
        synchronization=VariableSynchronization.ON_READ,
        aggregation=VariableAggregation.SUM,
        name=name,
    )


def collected(
    value: Tensor, update_op: Tensor, metrics_collections: Any, updates_collections: Any
) -> Metric:
    """A metric, its parts added to collections where some are given."""
    if metrics_collections:
        ops.add_to_collections(metrics_collections, value)
    if updates_collections:
        ops.add_to_collections(updates_collections, update_op)
    return value, update_op


def of_all_replicas(compute: Callable[..., Any], variables: Any, collections: Any) -> Any:
    """What a metric's variables give, in all replicas together.

    Args:
      compute: a function of the variables.
      variables: those of this replica.
      collections: collections to add the value to, or None.
    """

    def merged(strategy: Any, *variables: Any) -> Any:
        with _outside_of_steps(strategy.extended):
            value = compute(*variables)
        if collections:
            ops.add_to_collections(collections, value)
        return value

    replica = strategies.get_replica_context()
    assert replica is not None, "a metric is recorded in a replica"
    return replica.merge_call(merged, args=tuple(variables))


@contextlib.contextmanager
def _outside_of_steps(extended: Any) -> Iterator[None]:
    """Around the loop in which a strategy records several steps, if it does: the value is that
    after the last one."""
    around = getattr(extended, "_outer_control_flow_context", _NO_STEPS)
    if around is _NO_STEPS:
        yield
    elif around is None:
        with ops.control_dependencies(None):
            yield
    else:
        around.Enter()
        yield
        around.Exit()


def _remove_squeezable_dimensions(
    predictions: TensorLike, labels: Any, weights: Any
) -> tuple[Tensor, Any, Any]:
    """Predictions, labels and weights of one rank, as far as a last dimension of 1 makes the
    difference. Labels and weights may be None; weights may be a scalar.

    Returns:
      (predictions, labels, weights).
    """
    predictions = ops.convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = confusion_matrix.remove_squeezable_dimensions(labels, predictions)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    if weights is not None:
        weights = ops.convert_to_tensor(weights)
        dims = weights.get_shape().dims
        may_squeeze = not dims or dims[-1].is_compatible_with(1)
        rank = predictions.get_shape().ndims
        weights = weights_broadcast_ops.fit_rank(weights, predictions, rank, may_squeeze)
    return predictions, labels, weights


def _as_float(tensor: TensorLike) -> Tensor:
    return math_ops.cast(tensor, dtypes.float32)


def _are_right(predictions: Any, labels: Any) -> Tensor:
    """1 where predictions are the labels, else 0."""
    if labels.dtype != predictions.dtype:
        predictions = math_ops.cast(predictions, labels.dtype)
    return _as_float(math_ops.equal(predictions, labels))


def fitted_weights(values: Any, weights: TensorLike) -> tuple[Tensor, Tensor]:
    """Values, and weights of their shape as float32."""
    values, _, weights = _remove_squeezable_dimensions(values, None, weights)
    weights = _as_float(weights)
    return values, weights_broadcast_ops.broadcast_weights(weights, values)


def _safe_scalar_div(numerator: Tensor, denominator: Tensor, name: str | None) -> Tensor:
    """The quotient of scalars or vectors, 0 where the denominator is 0."""
    numerator.get_shape().with_rank_at_most(1)
    denominator.get_shape().with_rank_at_most(1)
    return math_ops.div_no_nan(numerator, denominator, name=name)


def _streaming_confusion_matrix(
    labels: TensorLike, predictions: TensorLike, num_classes: int, weights: TensorLike | None = None
) -> tuple[Any, Tensor]:
    """A variable with a confusion matrix, and what adds a batch to it."""
    total = metric_variable(
        [num_classes, num_classes], dtypes.float64, name="total_confusion_matrix"
    )
    predictions, labels, num_classes = (
        math_ops.cast(values, dtypes.int64) for values in (predictions, labels, num_classes)
    )
    predictions, labels = _flat(predictions), _flat(labels)
    weights = None if weights is None else _flat(weights)
    current = confusion_matrix.confusion_matrix(
        labels, predictions, num_classes, weights=weights, dtype=dtypes.float64
    )
    return total, state_ops.assign_add(total, current)


def _flat(tensor: Any) -> Any:
    return array_ops.reshape(tensor, [-1]) if tensor.get_shape().ndims > 1 else tensor


def _ratio(total: TensorLike, count: Any, name: str | None) -> Tensor:
    return math_ops.div_no_nan(total, math_ops.maximum(count, 0), name=name)


@metric("mean")
def mean(
    values: Any,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The weighted mean of all values so far, as in TF 1.15.

    Args:
      values: a tensor of any shape.
      weights: a tensor that broadcasts to `values`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    with variable_scope.variable_scope(name, "mean", (values, weights)):
        values = _as_float(values)
        total = metric_variable([], dtypes.float32, name="total")
        count = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            number = _as_float(array_ops.size(values))
        else:
            values, weights = fitted_weights(values, weights)
            values = math_ops.multiply(values, weights)
            number = math_ops.reduce_sum(weights)
        collections = (metrics_collections, updates_collections)
        return _mean_of(
            total, count, lambda: math_ops.reduce_sum(values), number, values, collections
        )


def _mean_of(
    total: TensorLike,
    count: Any,
    added: Callable[[], Tensor],
    number: Tensor,
    values: Tensor,
    collections: tuple[Any, Any],
) -> Metric:
    """The quotient of two variables, and what adds to both."""
    new_total = state_ops.assign_add(total, added())
    with ops.control_dependencies([values]):
        new_count = state_ops.assign_add(count, number)
    for_values, for_updates = collections

    value = of_all_replicas(
        lambda total, count: _ratio(total, count, "value"), (total, count), for_values
    )
    update_op = _ratio(new_total, new_count, "update_op")
    return collected(value, update_op, None, for_updates)


def _aggregate_variable(v: TensorLike, collections: Any) -> Tensor:
    """The value of a metric's variable in all replicas: what metrics of other libraries return.

    Args:
      v: the variable.
      collections: collections to add the value to, or None.
    """
    return of_all_replicas(
        lambda v: strategies.get_strategy().extended.read_var(v), (v,), collections
    )


@metric("mean_tensor")
def mean_tensor(
    values: Any,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The weighted mean of all tensors so far, element by element, as in TF 1.15.

    Args:
      values: a tensor of known shape.
      weights: a tensor that broadcasts to `values`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 tensors of the shape of `values`.

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    with variable_scope.variable_scope(name, "mean", (values, weights)):
        values = _as_float(values)
        total = metric_variable(values.get_shape(), dtypes.float32, name="total_tensor")
        count = metric_variable(values.get_shape(), dtypes.float32, name="count_tensor")
        number = array_ops.ones_like(values)
        if weights is not None:
            values, weights = fitted_weights(values, weights)
            values = math_ops.multiply(values, weights)
            number = math_ops.multiply(number, weights)
        collections = (metrics_collections, updates_collections)
        return _mean_of(total, count, lambda: values, number, values, collections)


@metric("accuracy")
def accuracy(
    labels: Any,
    predictions: Any,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """How often predictions are the labels, as in TF 1.15.

    Args:
      labels, predictions: tensors of one shape.
      weights: a tensor that broadcasts to `labels`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    predictions, labels, weights = _remove_squeezable_dimensions(
        predictions=predictions, labels=labels, weights=weights
    )
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    is_correct = _are_right(predictions, labels)
    return mean(is_correct, weights, metrics_collections, updates_collections, name or "accuracy")


@metric("mean_absolute_error")
def mean_absolute_error(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The mean of `abs(predictions - labels)`; otherwise as `tf.metrics.accuracy`."""
    predictions, labels, weights = _remove_squeezable_dimensions(
        predictions=predictions, labels=labels, weights=weights
    )
    errors = math_ops.abs(predictions - labels)
    return mean(
        errors, weights, metrics_collections, updates_collections, name or "mean_absolute_error"
    )


@metric("mean_squared_error")
def mean_squared_error(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The mean of `(labels - predictions) ** 2`; arguments and results as of
    `tf.metrics.accuracy`.
    """
    predictions, labels, weights = _remove_squeezable_dimensions(
        predictions=predictions, labels=labels, weights=weights
    )
    errors = math_ops.squared_difference(labels, predictions)
    return mean(
        errors, weights, metrics_collections, updates_collections, name or "mean_squared_error"
    )


@metric("root_mean_squared_error")
def root_mean_squared_error(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The root of the mean squared error; arguments and results as of `tf.metrics.accuracy`."""
    predictions, labels, weights = _remove_squeezable_dimensions(
        predictions=predictions, labels=labels, weights=weights
    )
    squares, update = mean_squared_error(
        labels, predictions, weights, None, None, name or "root_mean_squared_error"
    )
    root = of_all_replicas(math_ops.sqrt, (squares,), metrics_collections)
    return collected(root, math_ops.sqrt(update), None, updates_collections)


@metric("mean_relative_error")
def mean_relative_error(
    labels: TensorLike,
    predictions: TensorLike,
    normalizer: Any,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The mean of `abs(labels - predictions) / normalizer`, 0 where the normalizer is 0.

    Args:
      labels, predictions, normalizer: tensors of one shape.
      weights: a tensor that broadcasts to `labels`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    predictions, labels, weights = _remove_squeezable_dimensions(
        predictions=predictions, labels=labels, weights=weights
    )
    predictions, normalizer = confusion_matrix.remove_squeezable_dimensions(predictions, normalizer)
    predictions.get_shape().assert_is_compatible_with(normalizer.get_shape())
    errors = gather_ops.where(
        math_ops.equal(normalizer, 0.0),
        array_ops.zeros_like(labels),
        math_ops.div(math_ops.abs(labels - predictions), normalizer),
    )
    return mean(
        errors, weights, metrics_collections, updates_collections, name or "mean_relative_error"
    )


@metric("mean_cosine_distance")
def mean_cosine_distance(
    labels: TensorLike,
    predictions: TensorLike,
    dim: int,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """1 less the mean inner product of labels and predictions, which are of unit length.

    Args:
      labels, predictions: tensors of one shape.
      dim: the dimension of the vectors.
      weights: a tensor that broadcasts to the inner products, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    predictions, labels, weights = _remove_squeezable_dimensions(
        predictions=predictions, labels=labels, weights=weights
    )
    products = math_ops.multiply(predictions, labels)
    products = math_ops.reduce_sum(products, axis=[dim], keepdims=True)
    value, update = mean(products, weights, None, None, name or "mean_cosine_distance")
    distance = math_ops.subtract(1.0, value)
    update = math_ops.subtract(1.0, update)
    return collected(distance, update, metrics_collections, updates_collections)


@metric("percentage_below")
def percentage_below(
    values: Any,
    threshold: Any,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """How often values are below a threshold; otherwise as `tf.metrics.mean`."""
    is_below = _as_float(math_ops.less(values, threshold))
    return mean(
        is_below,
        weights,
        metrics_collections,
        updates_collections,
        name or "percentage_below_threshold",
    )


@metric("mean_per_class_accuracy")
def mean_per_class_accuracy(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The mean over the classes of how often the predictions are right there.

    Args:
      labels, predictions: tensors of class numbers, of one shape.
      num_classes: how many classes there are.
      weights: a tensor of the shape of `labels`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op): a float32 scalar; the accuracies of the classes after the update.

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    with variable_scope.variable_scope(name, "mean_accuracy", (predictions, labels, weights)):
        labels = _flat(math_ops.cast(labels, dtypes.int64))
        predictions = _flat(predictions)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        total, count = (
            metric_variable([num_classes], dtypes.float32, name=part) for part in ("total", "count")
        )
        ones = array_ops.ones([array_ops.size(labels)], dtypes.float32)
        is_correct = _are_right(predictions, labels)
        if weights is not None:
            weights = _as_float(_flat(weights))
            is_correct *= weights
            ones *= weights
        new_total = state_ops.scatter_add(total, labels, ones)
        new_count = state_ops.scatter_add(count, labels, is_correct)
        value = of_all_replicas(
            lambda right, all_: math_ops.reduce_mean(
                _ratio(right, all_, None), name="mean_accuracy"
            ),
            (count, total),
            metrics_collections,
        )
        update_op = _ratio(new_count, new_total, "update_op")
        return collected(value, update_op, None, updates_collections)


@metric("mean_iou")
def mean_iou(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The mean over the classes of the intersection of labels and predictions over their union.

    Args:
      labels, predictions: tensors of class numbers, of one shape.
      num_classes: how many classes there are.
      weights: a tensor of the shape of `labels`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op): a float32 scalar; the confusion matrix, float64 [num_classes,
      num_classes], after the update.

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    with variable_scope.variable_scope(name, "mean_iou", (predictions, labels, weights)):
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        matrix, update_op = _streaming_confusion_matrix(labels, predictions, num_classes, weights)
        value = of_all_replicas(_mean_over_classes, (matrix,), metrics_collections)
        return collected(value, update_op, None, updates_collections)


def _mean_over_classes(matrix: Any) -> Tensor:
    """The mean intersection over union of a confusion matrix."""
    predicted = _as_float(math_ops.reduce_sum(matrix, 0))
    labeled = _as_float(math_ops.reduce_sum(matrix, 1))
    both = _as_float(diagonal_ops.diag_part(matrix))
    union = predicted + labeled - both
    # Classes that came in neither don't count.
    number = math_ops.reduce_sum(_as_float(math_ops.not_equal(union, 0)))
    union = gather_ops.where(math_ops.greater(union, 0), union, array_ops.ones_like(union))
    iou = math_ops.div(both, union)
    return gather_ops.where(
        math_ops.greater(number, 0), math_ops.reduce_sum(iou, name="mean_iou") / number, 0
    )
