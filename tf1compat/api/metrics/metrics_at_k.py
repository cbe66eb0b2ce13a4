"""`tf.metrics` of the k best predictions: precision, recall and average precision at k.

Labels are class numbers, in a tensor or a SparseTensor whose last dimension holds those of one
example; what is counted is in float64 variables, named after the metric.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, gather_ops, sets_impl
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.api.metrics.metrics_impl import (
    Metric,
    _safe_scalar_div,
    collected,
    metric,
    metric_variable,
    of_all_replicas,
)
from tf1compat.api.nn import nn_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import state_ops
from tf1compat.core import dtypes, ops, sparse_tensor
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor, SparseTensorValue
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, TensorLike


def _maybe_expand_labels(labels: Any, predictions: Any) -> Any:
    """Labels, with a last dimension of 1 if they are of one rank less than the predictions."""
    with ops.name_scope(None, "expand_labels", (labels, predictions)) as scope:
        labels = sparse_tensor.convert_to_tensor_or_sparse_tensor(labels)
        is_sparse = isinstance(labels, SparseTensor)
        if not is_sparse:
            rank, wanted = labels.get_shape().ndims, predictions.get_shape().ndims
            if rank is not None and wanted is not None:
                if wanted - rank not in (0, 1):
                    raise ValueError(
                        f"Unexpected labels shape {labels.get_shape()} for predictions shape "
                        f"{predictions.get_shape()}."
                    )
                return labels if wanted == rank else array_ops.expand_dims(labels, -1, name=scope)

        def expanded() -> Any:
            if not is_sparse:
                return array_ops.expand_dims(labels, -1, name=scope)
            shape = array_ops.concat((labels.dense_shape, (1,)), 0)
            return sparse_ops.sparse_reshape(labels, shape=shape, name=scope)

        wanted_rank = array_ops.rank(predictions)
        labels_rank = array_ops.size(labels.dense_shape) if is_sparse else array_ops.rank(labels)
        return control_flow_ops.cond(
            math_ops.equal(wanted_rank, labels_rank + 1), expanded, lambda: labels
        )


def _at_k_name(name: str, k: int | None = None, class_id: int | None = None) -> str:
    # A percent sign refuses what is no number, as TF does.
    name = f"{name}_at_k" if k is None else "%s_at_%d" % (name, k)  # noqa: UP031
    return name if class_id is None else "%s_class%d" % (name, class_id)  # noqa: UP031


def _select_class_id(ids: TensorLike, selected_id: Any) -> SparseTensor:
    """The ids that are one class, in a SparseTensor of their shape."""
    ids = sparse_tensor.convert_to_tensor_or_sparse_tensor(ids)
    if isinstance(ids, SparseTensor):
        return sparse_ops.sparse_retain(ids, math_ops.equal(ids.values, selected_id))
    shape = array_ops.shape(ids, out_type=dtypes.int64)
    last = array_ops.size(shape) - 1
    filled = array_ops.fill(
        math_ops.reduced_shape(shape, array_ops.reshape(last, [1])),
        math_ops.cast(selected_id, dtypes.int64),
    )
    found = sets_impl.set_intersection(filled, ids)
    return SparseTensor(indices=found.indices, values=found.values, dense_shape=shape)


def _maybe_select_class_id(
    labels: TensorLike, predictions_idx: Any, selected_id: Any = None
) -> Any:
    if selected_id is None:
        return labels, predictions_idx
    return _select_class_id(labels, selected_id), _select_class_id(predictions_idx, selected_id)


# What is counted -> the name scope, and the set of it from those of predictions and labels.
_SETS: dict[str, tuple[str, Callable[[Any, Any], SparseTensor]]] = {
    "true_positive": (
        "true_positives",
        lambda predicted, labeled: sets_impl.set_intersection(predicted, labeled),
    ),
    "false_positive": (
        "false_positives",
        lambda predicted, labeled: sets_impl.set_difference(predicted, labeled, aminusb=True),
    ),
    "false_negative": (
        "false_negatives",
        lambda predicted, labeled: sets_impl.set_difference(predicted, labeled, aminusb=False),
    ),
}


def _sparse_count_at_k(
    what: str,
    labels: TensorLike,
    predictions_idx: Any,
    class_id: Any = None,
    weights: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """How many of `_SETS` each example has, float64."""
    scope, select = _SETS[what]
    with ops.name_scope(name, scope, (predictions_idx, labels, weights)):
        labels, predictions_idx = _maybe_select_class_id(labels, predictions_idx, class_id)
        count = math_ops.cast(sets_impl.set_size(select(predictions_idx, labels)), dtypes.float64)
        if weights is not None:
            fits = weights_broadcast_ops.assert_broadcastable(weights, count)
            with ops.control_dependencies((fits,)):
                weights = math_ops.cast(weights, dtypes.float64)
                count = math_ops.multiply(count, weights)
        return count


def _streaming_count_at_k(
    what: str,
    labels: TensorLike,
    predictions_idx: Any,
    k: int | None = None,
    class_id: Any = None,
    weights: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Any, Tensor]:
    """A variable with the number of `_SETS` so far, and what adds a batch to it."""
    default_name = _at_k_name(what, k, class_id=class_id)
    with ops.name_scope(name, default_name, (predictions_idx, labels, weights)) as scope:
        count = _sparse_count_at_k(what, labels, predictions_idx, class_id, weights)
        total = math_ops.cast(math_ops.reduce_sum(count), dtypes.float64)
        return _sum_so_far(scope, lambda: total)


def _sum_so_far(name: str, added: Callable[[], Tensor]) -> tuple[Any, Tensor]:
    """A variable with a sum, and what adds to it; what is added is recorded after the variable."""
    variable = metric_variable([], dtypes.float64, name=name)
    return variable, state_ops.assign_add(variable, added(), name="update")


def _share_at_top_k(
    what: str,
    other: str,
    labels: TensorLike,
    predictions_idx: Any,
    k: int | None,
    class_id: Any,
    weights: Any,
    rest: tuple[Any, Any, str | None],
) -> Metric:
    """The share of the true positives in them and others."""
    metrics_collections, updates_collections, name = rest
    default_name = _at_k_name(what, k, class_id=class_id)
    with ops.name_scope(name, default_name, (predictions_idx, labels, weights)) as scope:
        labels = _maybe_expand_labels(labels, predictions_idx)
        ids = math_ops.cast(predictions_idx, dtypes.int64)
        found, new_found = _streaming_count_at_k("true_positive", labels, ids, k, class_id, weights)
        others, new_others = _streaming_count_at_k(other, labels, ids, k, class_id, weights)
        value = of_all_replicas(
            lambda found, others: math_ops.div(found, math_ops.add(found, others), name=scope),
            (found, others),
            metrics_collections,
        )
        update = math_ops.div(new_found, math_ops.add(new_found, new_others), name="update")
        return collected(value, update, None, updates_collections)


@metric("recall_at_k")
def recall_at_k(
    labels: TensorLike,
    predictions: TensorLike,
    k: int,
    class_id: Any = None,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The share of the labels that are in the k best predictions, as in TF 1.15.

    Args:
      labels: int64 class numbers, tensor or SparseTensor [..., number of labels] or [...].
      predictions: float scores [..., number of classes].
      k: how many of them are looked at.
      class_id: the only class to look at, or None for all.
      weights: a tensor that broadcasts to the examples, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the name scope, and the name of the value.

    Returns:
      (value, update_op), float64 scalars.

    Raises:
      ValueError: shapes don't go together.
      RuntimeError: in eager execution.
    """
    default_name = _at_k_name("recall", k, class_id=class_id)
    with ops.name_scope(name, default_name, (predictions, labels, weights)) as scope:
        _, ids = nn_ops.top_k(predictions, k)
        return recall_at_top_k(
            labels=labels,
            predictions_idx=ids,
            k=k,
            class_id=class_id,
            weights=weights,
            metrics_collections=metrics_collections,
            updates_collections=updates_collections,
            name=scope,
        )


@tf_export("metrics.recall_at_top_k")
def recall_at_top_k(
    labels: TensorLike,
    predictions_idx: Any,
    k: int | None = None,
    class_id: Any = None,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """As `tf.metrics.recall_at_k`, of the best predictions themselves: class numbers [..., k].

    Args:
      labels, k, class_id, weights, metrics_collections, updates_collections, name: as in
        `recall_at_k`.
      predictions_idx: int64 [..., k], the best classes.

    Returns:
      As `recall_at_k`.
    """
    rest = (metrics_collections, updates_collections, name)
    return _share_at_top_k(
        "recall", "false_negative", labels, predictions_idx, k, class_id, weights, rest
    )


@metric("precision_at_k", says="sparse_precision_at_k")
def precision_at_k(
    labels: TensorLike,
    predictions: TensorLike,
    k: int,
    class_id: Any = None,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The share of the k best predictions that are labels; else as `tf.metrics.recall_at_k`."""
    default_name = _at_k_name("precision", k, class_id=class_id)
    with ops.name_scope(name, default_name, (predictions, labels, weights)) as scope:
        _, ids = nn_ops.top_k(predictions, k)
        return precision_at_top_k(
            labels=labels,
            predictions_idx=ids,
            k=k,
            class_id=class_id,
            weights=weights,
            metrics_collections=metrics_collections,
            updates_collections=updates_collections,
            name=scope,
        )


@metric("precision_at_top_k")
def precision_at_top_k(
    labels: TensorLike,
    predictions_idx: Any,
    k: int | None = None,
    class_id: Any = None,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """As `tf.metrics.precision_at_k`, of the best predictions themselves: classes [..., k]."""
    rest = (metrics_collections, updates_collections, name)
    return _share_at_top_k(
        "precision", "false_positive", labels, predictions_idx, k, class_id, weights, rest
    )


@tf_export("metrics.sparse_precision_at_k")
@deprecated(None, "Use precision_at_k instead", module="tensorflow.python.ops.metrics_impl")
def sparse_precision_at_k(
    labels: TensorLike,
    predictions: TensorLike,
    k: int,
    class_id: Any = None,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """Old name of `tf.metrics.precision_at_k`.

    Args:
      labels, predictions, k, class_id, weights, metrics_collections, updates_collections, name: as
        in `precision_at_k`.

    Returns:
      As `precision_at_k`.
    """
    return precision_at_k(**locals())


# Average precision.


def _expand_and_tile(
    tensor: TensorLike, multiple: int, dim: int = 0, name: str | None = None
) -> Any:
    """A tensor or SparseTensor, repeated along a new dimension before `dim`.

    Raises:
      ValueError: `multiple` is less than 1.
    """
    if multiple < 1:
        raise ValueError(f"Invalid multiple {multiple}, must be > 0.")
    with ops.name_scope(name, "expand_and_tile", (tensor, multiple, dim)) as scope:
        tensor = sparse_tensor.convert_to_tensor_or_sparse_tensor(tensor)
        if isinstance(tensor, SparseTensor):
            return _expand_and_tile_sparse(tensor, multiple, dim, scope)
        place = dim if dim >= 0 else dim - 1
        expanded = array_ops.expand_dims(tensor, place, name="expand")
        if multiple == 1:
            return expanded
        ones = array_ops.ones_like(array_ops.shape(tensor))
        times = array_ops.concat((ones[:dim], (multiple,), ones[dim:]), 0, name="multiples")
        return array_ops.tile(expanded, times, name=scope)


def _expand_and_tile_sparse(tensor: SparseTensor, multiple: int, dim: int, scope: str) -> Any:
    shape = tensor.dense_shape
    place: Any = [dim] if dim >= 0 else array_ops.reshape(array_ops.size(shape) + dim, [1])
    new_shape = array_ops.concat(
        (array_ops.slice(shape, [0], place), [1], array_ops.slice(shape, place, [-1])),
        0,
        name="expanded_shape",
    )
    expanded = sparse_ops.sparse_reshape(tensor, shape=new_shape, name="expand")
    if multiple == 1:
        return expanded
    return sparse_ops.sparse_concat(dim - 1 if dim < 0 else dim, [expanded] * multiple, name=scope)


def _num_relevant(labels: TensorLike, k: int) -> Tensor:
    """How many labels each example has, at most k.

    Raises:
      ValueError: k is less than 1.
    """
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    with ops.name_scope(None, "num_relevant", (labels,)) as scope:
        labels = sparse_tensor.convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return math_ops.minimum(sets_impl.set_size(labels), k, name=scope)
        ones = gather_ops.where_v2(
            math_ops.greater_equal(labels, 0),
            array_ops.ones_like(labels),
            array_ops.zeros_like(labels),
        )
        return math_ops.minimum(math_ops.reduce_sum(ones, axis=-1), k, name=scope)


def _number_of_predictions(predictions_idx: Tensor) -> int:
    """How many predictions each example has.

    Raises:
      ValueError: they are a scalar, or their number is unknown.
    """
    shape = predictions_idx.get_shape()
    if shape.ndims == 0:
        raise ValueError("The rank of predictions_idx must be at least 1.")
    k = shape.as_list()[-1]
    if k is None:
        raise ValueError("The last dimension of predictions_idx must be set.")
    return k


def _sparse_average_precision_at_top_k(labels: TensorLike, predictions_idx: Any) -> Tensor:
    """The average precision of each example, float64.

    Raises:
      ValueError: the predictions are a scalar, or their number is unknown.
    """
    with ops.name_scope(None, "average_precision", (predictions_idx, labels)) as scope:
        predictions_idx = math_ops.cast(predictions_idx, dtypes.int64, name="predictions_idx")
        k = _number_of_predictions(predictions_idx)
        labels = _maybe_expand_labels(labels, predictions_idx)
        ids = array_ops.expand_dims(predictions_idx, -1, name="predictions_idx_per_k")
        labels_per_k = _expand_and_tile(labels, multiple=k, dim=-1, name="labels_per_k")
        relevant = _sparse_count_at_k("true_positive", labels_per_k, ids, name="relevant_per_k")
        found = math_ops.cumsum(relevant, axis=-1, name="tp_per_k")
        retrieved = math_ops.cumsum(array_ops.ones_like(relevant), axis=-1, name="retrieved_per_k")
        precision = math_ops.div(found, retrieved, name="precision_per_k")
        relevant_precision = math_ops.multiply(precision, relevant, name="relevant_precision_per_k")
        total = math_ops.reduce_sum(relevant_precision, axis=(-1,), name="precision_sum")
        number = math_ops.cast(_num_relevant(labels, k), dtypes.float64)
        return math_ops.div(total, number, name=scope)


def _streaming_sparse_average_precision_at_top_k(
    labels: TensorLike,
    predictions_idx: Any,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The mean of the average precision of all examples so far."""
    values = (predictions_idx, labels, weights)
    with ops.name_scope(name, "average_precision_at_top_k", values) as scope:
        average = _sparse_average_precision_at_top_k(predictions_idx=predictions_idx, labels=labels)
        if weights is not None:
            weights = weights_broadcast_ops.broadcast_weights(
                math_ops.cast(weights, dtypes.float64), average
            )
            average = math_ops.multiply(average, weights)

        def batch_most() -> Tensor:
            if weights is not None:
                return math_ops.reduce_sum(weights, name="batch_max")
            return math_ops.cast(array_ops.size(average, name="batch_max"), dtypes.float64)

        with ops.name_scope(None, "max", (average,)) as max_scope:
            most, new_most = _sum_so_far(max_scope, batch_most)
        with ops.name_scope(None, "total", (average,)) as total_scope:
            total, new_total = _sum_so_far(
                total_scope, lambda: math_ops.reduce_sum(average, name="batch_total")
            )
        value = of_all_replicas(
            lambda total, most: _safe_scalar_div(total, most, name="mean"),
            (total, most),
            metrics_collections,
        )
        update = _safe_scalar_div(new_total, new_most, name=scope)
        return collected(value, update, None, updates_collections)


def _clean_out_of_range_indices(labels: Any, num_classes: int) -> Any:
    """Labels, with -1 in place of what is no class."""
    is_sparse = isinstance(labels, (SparseTensor, SparseTensorValue))

    def cleaned(values: Any) -> Tensor:
        return gather_ops.where_v2(
            math_ops.greater_equal(values, num_classes),
            -1 * array_ops.ones_like(values),
            values,
        )

    def cleaned_labels() -> Any:
        if not is_sparse:
            return cleaned(labels)
        return type(labels)(
            indices=labels.indices,
            values=cleaned(labels.values),
            dense_shape=labels.dense_shape,
        )

    largest = math_ops.reduce_max(labels.values if is_sparse else labels)
    return control_flow_ops.cond(
        math_ops.greater_equal(largest, num_classes), cleaned_labels, lambda: labels
    )


@metric("average_precision_at_k", says="sparse_average_precision_at_k")
def average_precision_at_k(
    labels: TensorLike,
    predictions: TensorLike,
    k: int,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """The mean of the average precision at k, as in TF 1.15.

    Args:
      labels: int64 class numbers, tensor or SparseTensor [..., number of labels] or [...].
      predictions: float scores [..., number of classes].
      k: how many of them are looked at.
      weights: a tensor that broadcasts to the examples, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the name scope, and the name of the update.

    Returns:
      (value, update_op), float64 scalars.

    Raises:
      ValueError: k is less than 1, or shapes don't go together.
      RuntimeError: in eager execution.
    """
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    default_name = _at_k_name("average_precision", k)
    with ops.name_scope(name, default_name, (predictions, labels, weights)) as scope:
        _, ids = nn_ops.top_k(predictions, k)
        classes = math_ops.cast(array_ops.shape(predictions)[-1], dtypes.int64)
        return _streaming_sparse_average_precision_at_top_k(
            labels=_clean_out_of_range_indices(labels, classes),
            predictions_idx=ids,
            weights=weights,
            metrics_collections=metrics_collections,
            updates_collections=updates_collections,
            name=scope,
        )


@tf_export("metrics.sparse_average_precision_at_k")
@deprecated(None, "Use average_precision_at_k instead", module="tensorflow.python.ops.metrics_impl")
def sparse_average_precision_at_k(
    labels: TensorLike,
    predictions: TensorLike,
    k: int,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Metric:
    """Old name of `tf.metrics.average_precision_at_k`.

    Args:
      labels, predictions, k, weights, metrics_collections, updates_collections, name: as in
        `average_precision_at_k`.

    Returns:
      As `average_precision_at_k`.
    """
    return average_precision_at_k(**locals())
