"""`tensorflow.python.ops.weights_broadcast_ops`: weights that go with the values they weigh."""

from __future__ import annotations

from typing import Any, NamedTuple

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import ops, raw_ops, tensor_util
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

_ASSERT_BROADCASTABLE_ERROR_PREFIX = "weights can not be broadcast to values."


def _column(vector: Tensor) -> Tensor:
    return array_ops.expand_dims(vector, -1)


def _has_valid_dims(weights_shape: Tensor, values_shape: Tensor) -> Tensor:
    """Whether each size is 1 or that of the values."""
    with ops.name_scope(None, "has_invalid_dims", (weights_shape, values_shape)) as scope:
        sizes = _column(values_shape)
        valid = array_ops.concat((sizes, array_ops.ones_like(sizes)), axis=1)
        invalid = raw_ops.DenseToDenseSetOperation(
            _column(weights_shape), valid, set_operation="a-b", validate_indices=True
        )
        count = array_ops.size(invalid[1], name="num_invalid_dims")
        return math_ops.equal(0, count, name=scope)


def _has_valid_nonscalar_shape(
    weights_rank: Tensor, weights_shape: Tensor, values_rank: Tensor, values_shape: Tensor
) -> Any:
    values = (weights_rank, weights_shape, values_rank, values_shape)
    with ops.name_scope(None, "has_valid_nonscalar_shape", values) as scope:
        same = math_ops.equal(values_rank, weights_rank, name="is_same_rank")
        return control_flow_ops.cond(
            same,
            lambda: _has_valid_dims(weights_shape, values_shape),
            lambda: same,
            name=scope,
        )


class _Described(NamedTuple):
    """A value as a tensor, its shape and its rank."""

    tensor: Tensor
    shape: Tensor
    rank: Tensor

    @classmethod
    def of(cls, value: TensorLike, what: str) -> _Described:
        with ops.name_scope(None, what, (value,)) as scope:
            tensor = ops.convert_to_tensor(value, name=scope)
            shape = array_ops.shape(tensor, name="shape")
            return cls(tensor, shape, array_ops.rank(tensor, name="rank"))


def _static_success(weights: _Described, values: _Described) -> str | None:
    """Why it is known that the weights go with the values: "scalar" or "dims", or None if it isn't.

    Raises:
      ValueError: it is known that they don't.
    """
    weights_rank, values_rank = (tensor_util.constant_value(d.rank) for d in (weights, values))
    if weights_rank is None or values_rank is None:
        return None
    if weights_rank == 0:
        return "scalar"
    if weights_rank != values_rank:
        raise ValueError(
            f"{_ASSERT_BROADCASTABLE_ERROR_PREFIX} values.rank={values_rank}. "
            f"weights.rank={weights_rank}. values.shape={values.tensor.shape}. "
            f"weights.shape={weights.tensor.shape}."
        )
    weights_shape, values_shape = (tensor_util.constant_value(d.shape) for d in (weights, values))
    if weights_shape is None or values_shape is None:
        return None
    for i, (mine, theirs) in enumerate(zip(weights_shape, values_shape, strict=True)):
        if mine not in (1, theirs):
            raise ValueError(
                f"{_ASSERT_BROADCASTABLE_ERROR_PREFIX} Mismatch at dim {i}. "
                f"values.shape={values_shape} weights.shape={weights_shape}."
            )
    return "dims"


def assert_broadcastable(weights: TensorLike, values: Any) -> Any:
    """An operation that fails the run unless the weights go with the values.

    They do if they are a scalar, or have the values' rank and each of their sizes is 1 or that of
    the values.

    Raises:
      ValueError: it is known already that they don't go together.
    """
    with ops.name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        described = _Described.of(weights, "weights"), _Described.of(values, "values")
        known = _static_success(*described)
        if known is not None:
            return control_flow_ops.no_op(name=f"static_{known}_check_success")
        (_, weights_shape, weights_rank), (_, values_shape, values_rank) = described
        is_scalar = math_ops.equal(0, weights_rank, name="is_scalar")
        is_valid = control_flow_ops.cond(
            is_scalar,
            lambda: is_scalar,
            lambda: _has_valid_nonscalar_shape(
                weights_rank, weights_shape, values_rank, values_shape
            ),
            name="is_valid_shape",
        )
        data = _error_data(described, is_scalar)
        return control_flow_ops.Assert(is_valid, data, name=scope)


def _error_data(described: tuple[_Described, _Described], is_scalar: Tensor) -> list[Any]:
    data: list[Any] = [_ASSERT_BROADCASTABLE_ERROR_PREFIX]
    for what, (tensor, shape, _) in zip(("weights", "values"), described):
        data += [f"{what}.shape=", tensor.name, shape]
    return [*data, "is_scalar=", is_scalar]


def broadcast_weights(weights: TensorLike, values: Any) -> Tensor:
    """`weights` in the shape of `values`."""
    with ops.name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = ops.convert_to_tensor(values, name="values")
        weights = ops.convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        mine, theirs = shapes = weights.get_shape(), values.get_shape()
        if all(shape.is_fully_defined() for shape in shapes) and mine.is_compatible_with(theirs):
            return weights
        with ops.control_dependencies((assert_broadcastable(weights, values),)):
            return math_ops.multiply(weights, array_ops.ones_like(values), name=scope)


def fit_rank(weights: Tensor, values: Any, rank: int | None, may_squeeze: bool = True) -> Any:
    """Weights of the rank of the values, as far as a last dimension of 1 makes the difference.

    Args:
      weights: a tensor; a scalar stays one.
      values: a tensor.
      rank: the rank of the values, if it is known.
      may_squeeze: whether the weights may lose a dimension, if that shows only when they are run.
    """
    known = weights.get_shape().ndims
    if known == 0:
        return weights

    def as_they_are() -> Tensor:
        return weights

    def squeezed() -> Tensor:
        return array_ops.squeeze(weights, [-1])

    def expanded() -> Tensor:
        return array_ops.expand_dims(weights, [-1])

    if rank is not None and known is not None:
        return {1: squeezed, -1: expanded}.get(known - rank, as_they_are)()
    weights_rank = array_ops.rank(weights)
    difference = weights_rank - array_ops.rank(values)

    def expanded_or_not() -> Tensor:
        return control_flow_ops.cond(math_ops.equal(difference, -1), expanded, as_they_are)

    def fitted() -> Tensor:
        return control_flow_ops.cond(
            math_ops.equal(difference, 1),
            squeezed if may_squeeze else as_they_are,
            expanded_or_not,
        )

    return control_flow_ops.cond(math_ops.equal(weights_rank, 0), as_they_are, fitted)
