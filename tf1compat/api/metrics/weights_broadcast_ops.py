"""`tensorflow.python.ops.weights_broadcast_ops`: weights that go with the values they weigh."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import ops, raw_ops, tensor_util
from tf1compat.core.tensor import Tensor

_ASSERT_BROADCASTABLE_ERROR_PREFIX = "weights can not be broadcast to values."


def _has_valid_dims(weights_shape: Tensor, values_shape: Tensor) -> Tensor:
    """Whether each size is 1 or that of the values."""
    with ops.name_scope(None, "has_invalid_dims", (weights_shape, values_shape)) as scope:
        values_column = array_ops.expand_dims(values_shape, -1)
        valid = array_ops.concat((values_column, array_ops.ones_like(values_column)), axis=1)
        weights_column = array_ops.expand_dims(weights_shape, -1)
        invalid = raw_ops.DenseToDenseSetOperation(
            weights_column, valid, set_operation="a-b", validate_indices=True
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


def _described(value: Any, what: str) -> tuple[Tensor, Tensor, Tensor]:
    """A value as a tensor, its shape and its rank."""
    with ops.name_scope(None, what, (value,)) as scope:
        tensor = ops.convert_to_tensor(value, name=scope)
        shape = array_ops.shape(tensor, name="shape")
        return tensor, shape, array_ops.rank(tensor, name="rank")


def assert_broadcastable(weights: Any, values: Any) -> Any:
    """An operation that fails the run unless the weights go with the values.

    They do if they are a scalar, or have the values' rank and each of their sizes is 1 or that of
    the values.

    Raises:
      ValueError: it is known already that they don't go together.
    """
    with ops.name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        weights, weights_shape, weights_rank = _described(weights, "weights")
        known_weights_rank = tensor_util.constant_value(weights_rank)
        values, values_shape, values_rank = _described(values, "values")
        known_values_rank = tensor_util.constant_value(values_rank)
        if known_weights_rank is not None and known_values_rank is not None:
            if known_weights_rank == 0:
                return control_flow_ops.no_op(name="static_scalar_check_success")
            if known_weights_rank != known_values_rank:
                raise ValueError(
                    f"{_ASSERT_BROADCASTABLE_ERROR_PREFIX} values.rank={known_values_rank}. "
                    f"weights.rank={known_weights_rank}. values.shape={values.shape}. "
                    f"weights.shape={weights.shape}."
                )
            known_weights = tensor_util.constant_value(weights_shape)
            known_values = tensor_util.constant_value(values_shape)
            if known_weights is not None and known_values is not None:
                for i, (mine, theirs) in enumerate(zip(known_weights, known_values, strict=True)):
                    if mine not in (1, theirs):
                        raise ValueError(
                            f"{_ASSERT_BROADCASTABLE_ERROR_PREFIX} Mismatch at dim {i}. "
                            f"values.shape={known_values} weights.shape={known_weights}."
                        )
                return control_flow_ops.no_op(name="static_dims_check_success")
        is_scalar = math_ops.equal(0, weights_rank, name="is_scalar")
        data = (
            _ASSERT_BROADCASTABLE_ERROR_PREFIX,
            "weights.shape=",
            weights.name,
            weights_shape,
            "values.shape=",
            values.name,
            values_shape,
            "is_scalar=",
            is_scalar,
        )
        is_valid = control_flow_ops.cond(
            is_scalar,
            lambda: is_scalar,
            lambda: _has_valid_nonscalar_shape(
                weights_rank, weights_shape, values_rank, values_shape
            ),
            name="is_valid_shape",
        )
        return control_flow_ops.Assert(is_valid, data, name=scope)


def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """`weights` in the shape of `values`."""
    with ops.name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = ops.convert_to_tensor(values, name="values")
        weights = ops.convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        mine, theirs = weights.get_shape(), values.get_shape()
        if (
            mine.is_fully_defined()
            and theirs.is_fully_defined()
            and mine.is_compatible_with(theirs)
        ):
            return weights
        with ops.control_dependencies((assert_broadcastable(weights, values),)):
            return math_ops.multiply(weights, array_ops.ones_like(values), name=scope)
