"""Softmax and the cross-entropies of it (a part of TF's nn_ops)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated, deprecated_args, renamed
from tf1compat.core import context, dtypes, errors, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, TensorLike

__all__ = [
    "log_softmax",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "softmax_cross_entropy_with_logits_v2_helper",
    "sparse_softmax_cross_entropy_with_logits",
]

# What a first call of the old cross-entropy logs.
_XENT_DEPRECATION = """
Future major versions of TensorFlow will allow gradients to flow
into the labels input on backprop by default.

See `tf.nn.softmax_cross_entropy_with_logits_v2`.
"""


def _flatten_outer_dims(logits: Any) -> Tensor:
    rank = array_ops.rank(logits)
    last = array_ops.slice(array_ops.shape(logits), [math_ops.subtract(rank, 1)], [1])
    output = array_ops.reshape(logits, array_ops.concat([[-1], last], 0))
    if not context.executing_eagerly() and logits._shape is not None:
        shape = list(logits._shape)
        outer, channels = shape[:-1], shape[-1]
        if None not in outer:
            output.set_shape([int(np.prod(outer, dtype=np.int64)), channels])
    return output


def _softmax(
    logits: Any, compute: Callable[..., Tensor], dim: Any = -1, name: Any = None
) -> Tensor:
    """Applies `compute`, which works on the last dimension, along `dim`."""

    def swap(tensor: Any, a: Any, last: Any, name: Any = None) -> Tensor:
        perm = array_ops.concat([math_ops.range(a), [last], math_ops.range(a + 1, last), [a]], 0)
        return array_ops.transpose(tensor, perm, name=name)

    logits = ops.convert_to_tensor(logits)
    shape = logits.get_shape()
    rank: Any = shape.ndims
    if dim == -1 or dim == rank - 1:
        return compute(logits, name=name)
    known = tensor_util.constant_value(dim) if isinstance(dim, Tensor) else dim
    if known is not None and not -rank <= known < rank:
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Dimension ({int(known)}) must be in the range [{-rank}, {rank}) where {rank} is the "
            "number of dimensions in the input.",
        )
    ndims = array_ops.rank(logits)
    if isinstance(dim, Tensor):
        dim = array_ops.where(math_ops.less(dim, 0), dim + ndims, dim)
    elif dim < 0:
        dim += ndims
    rank = array_ops.rank(logits)
    axis = dim % shape.ndims
    logits = swap(logits, axis, math_ops.subtract(rank, 1))
    output = compute(logits)
    output = swap(output, axis, math_ops.subtract(rank, 1), name=name)
    output.set_shape(shape)
    return output


@tf_export("nn.softmax", "math.softmax")
@deprecated_args(
    None, "dim is deprecated, use axis instead", "dim", module="tensorflow.python.ops.nn_ops"
)
def softmax(
    logits: TensorLike,
    axis: TensorLike | None = None,
    name: Name = None,
    dim: TensorLike | None = None,
) -> Tensor:
    """exp(logits), normalised along `axis` (the last by default).

    Args:
      logits: a floating-point tensor of rank 1 or more.
      axis: the dimension of the classes.
      dim: the older name of `axis`.
      name: the operation's name.

    Returns:
      A tensor like `logits`.

    Raises:
      InvalidArgumentError: there is no such dimension.
    """
    axis = renamed("axis", axis, "dim", dim)
    return _softmax(logits, raw_ops.Softmax, -1 if axis is None else axis, name)


@tf_export("nn.log_softmax", "math.log_softmax")
@deprecated_args(
    None, "dim is deprecated, use axis instead", "dim", module="tensorflow.python.ops.nn_ops"
)
def log_softmax(
    logits: TensorLike,
    axis: TensorLike | None = None,
    name: Name = None,
    dim: TensorLike | None = None,
) -> Tensor:
    """log(softmax(logits)).

    Args:
      logits: a floating-point tensor of rank 1 or more.
      axis: the dimension of the classes.
      dim: the older name of `axis`.
      name: the operation's name.

    Returns:
      A tensor like `logits`.

    Raises:
      InvalidArgumentError: there is no such dimension.
    """
    axis = renamed("axis", axis, "dim", dim)
    return _softmax(logits, raw_ops.LogSoftmax, -1 if axis is None else axis, name)


def ensure_named(name: str, sentinel: Any, labels: Any, logits: Any) -> None:
    if sentinel is not None:
        raise ValueError(f"Only call `{name}` with named arguments (labels=..., logits=..., ...)")
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


@tf_export("compat.v2.nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits_v2(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: Name = None
) -> Tensor:
    """As `tf.nn.softmax_cross_entropy_with_logits_v2`.

    Args:
      labels: probabilities, of the shape and dtype of `logits`.
      logits: a tensor of floating point.
      axis: the axis of the classes.
      name: the operation's name.

    Returns:
      A tensor of one dimension less.
    """
    return softmax_cross_entropy_with_logits_v2_helper(labels, logits, axis, name)


@tf_export("nn.softmax_cross_entropy_with_logits_v2")
@deprecated_args(
    None, "dim is deprecated, use axis instead", "dim", module="tensorflow.python.ops.nn_ops"
)
def softmax_cross_entropy_with_logits_v2_helper(
    labels: Any, logits: Any, axis: Any = None, name: Any = None, dim: Any = None
) -> Tensor:
    """The cross-entropy of softmax(logits) under the distributions `labels`; both get gradients.

    Args:
      labels: probabilities [..., classes].
      logits: floating point, of the same shape.
      axis: the dimension of the classes.
      dim: the older name of `axis`.
      name: the operation's name.

    Returns:
      The losses, of the shape of `labels` without `axis`.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        axis = -1
    with ops.name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as name:
        logits = ops.convert_to_tensor(logits, name="logits")
        labels = ops.convert_to_tensor(labels, name="labels")
        widen = logits.dtype in (dtypes.float16, dtypes.bfloat16)
        precise = math_ops.cast(logits, dtypes.float32) if widen else logits
        labels = math_ops.cast(labels, precise.dtype)
        rank = array_ops.rank(precise)
        shape = logits.get_shape()
        if axis != -1:

            def to_end(tensor: Any) -> Tensor:
                perm = [math_ops.range(axis), math_ops.range(axis + 1, rank), [axis]]
                return array_ops.transpose(tensor, array_ops.concat(perm, 0))

            precise, labels = to_end(precise), to_end(labels)
        input_shape = array_ops.shape(precise)
        precise = _flatten_outer_dims(precise)
        labels = _flatten_outer_dims(labels)
        cost, _ = raw_ops.SoftmaxCrossEntropyWithLogits(precise, labels, name=name)
        output_shape = array_ops.slice(input_shape, [0], [math_ops.subtract(rank, 1)])
        cost = array_ops.reshape(cost, output_shape)
        if not context.executing_eagerly() and shape.dims is not None:
            sizes = shape.as_list()
            del sizes[axis]
            cost.set_shape(sizes)
        return math_ops.cast(cost, logits.dtype) if widen else cost


@tf_export("nn.softmax_cross_entropy_with_logits")
@deprecated(None, _XENT_DEPRECATION, module="tensorflow.python.ops.nn_ops")
def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: Name = None,
    axis: TensorLike | None = None,
) -> Tensor:
    """As `softmax_cross_entropy_with_logits_v2`, but no gradient flows to `labels`.

    Args:
      labels: probabilities [..., classes].
      logits: floating point, of the same shape.
      dim, axis: the dimension of the classes.
      name: the operation's name.

    Returns:
      The losses, of the shape of `labels` without `axis`.

    Raises:
      ValueError: the arguments are not given by name.
    """
    dim = _axis_or(dim, axis)
    ensure_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with ops.name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as name:
        labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, axis=dim, name=name)


def _axis_or(dim: int, axis: Any) -> int:
    """`axis` stands for `dim`, which has a default: TF refuses `axis` all the same."""
    if axis is not None:
        raise ValueError("Cannot specify both 'dim' and 'axis'")
    return dim


def _require_classes(labels: TensorShape, logits: TensorShape) -> None:
    """Raises ValueError where it is known that logits lack the one dimension more than labels."""
    rank = logits.ndims
    if rank == 0:
        raise ValueError(f"Logits cannot be scalars - received shape {logits}.")
    if rank is not None and labels.ndims not in (None, rank - 1):
        raise ValueError(
            f"Rank mismatch: Rank of labels (received {labels.ndims}) should equal rank "
            f"of logits minus 1 (received {rank})."
        )
    if _are_defined(labels, logits) and labels != logits[:-1]:
        raise ValueError(
            f"Shape mismatch: The shape of labels (received {labels}) should equal the "
            f"shape of logits except for the last dimension (received {logits})."
        )


def _are_defined(labels: TensorShape, logits: TensorShape) -> bool:
    return labels.is_fully_defined() and logits[:-1].is_fully_defined()


@tf_export("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: Name = None
) -> Tensor:
    """The cross-entropy of softmax(logits) at the integer `labels`.

    Args:
      labels: int32 or int64, of any shape.
      logits: floating point, of the shape of `labels` and then [classes].
      name: the operation's name.

    Returns:
      The losses, of the shape of `labels`.

    Raises:
      ValueError: ranks or shapes don't match.
    """
    ensure_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with ops.name_scope(name, "SparseSoftmaxCrossEntropyWithLogits", [labels, logits]):
        labels = ops.convert_to_tensor(labels)
        logits = ops.convert_to_tensor(logits)
        widen = logits.dtype == dtypes.float16
        precise = math_ops.cast(logits, dtypes.float32) if widen else logits
        labels_static = labels.get_shape()
        labels_shape = array_ops.shape(labels)
        ndims = logits.get_shape().ndims
        _require_classes(labels_static, logits.get_shape())

        def entropy(logits: Tensor, labels: Tensor) -> Tensor:
            return raw_ops.SparseSoftmaxCrossEntropyWithLogits(logits, labels, name=name)[0]

        if ndims == 2:
            cost = entropy(precise, labels)
            return math_ops.cast(cost, dtypes.float16) if widen else cost
        checks = []
        if not _are_defined(labels_static, logits.get_shape()):
            checks.append(
                check_ops.assert_equal(array_ops.shape(labels), array_ops.shape(logits)[:-1])
            )
        with ops.control_dependencies(checks):
            classes = array_ops.shape(logits)[array_ops.rank(logits) - 1]
            rows = array_ops.reshape(precise, [-1, classes])
            cost = entropy(rows, array_ops.reshape(labels, [-1]))
            cost = array_ops.reshape(cost, labels_shape)
            cost.set_shape(labels_static)
            return math_ops.cast(cost, dtypes.float16) if widen else cost
