"""`tf.constant`, and how plain Python and NumPy values become tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api.eager.constants import eager_array
from tf1compat.core import context, conversion, dtypes, eager, op_registry
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_proto import as_array, proto_to_array
from tf1compat.core.tensor_shape import Dimension, TensorShape, as_shape
from tf1compat.core.typing import DTypeLike, ShapeLike, TensorLike

_CONST = op_registry.spec("Const")


@tf_export("constant")
def constant_v1(
    value: Any,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    name: str = "Const",
    verify_shape: bool = False,
) -> Tensor:
    """Records a constant (as `tf.constant` in TF 1.15).

    Args:
      value: a number, string, (nested) list or array.
      dtype: the dtype; inferred from `value` by default.
      shape: the shape; a single value fills it, a shorter list is padded with its last value.
      name: the operation's name.
      verify_shape: refuse a `value` that has not exactly `shape`.

    Returns:
      A tensor.

    Raises:
      TypeError: elements that don't fit `dtype`.
      ValueError: a `value` that does not fit `shape`.
    """
    return _constant(value, dtype, shape, name, verify_shape, allow_broadcast=False)


@tf_export("compat.v2.constant")
def constant(
    value: Any, dtype: DTypeLike | None = None, shape: ShapeLike | None = None, name: str = "Const"
) -> Tensor:
    """Records a constant (as `tf.constant` of TF 2: a scalar fills `shape`, anything else must fit
    it).

    Args:
      value: a Python number, string or bool, a nested list of these, or an array.
      dtype: of the tensor; by default what the value makes of it.
      shape: the tensor's shape; that of the value by default.
      name: the operation's name.

    Returns:
      A tensor.

    Raises:
      TypeError: the value is no such thing, or of another dtype.
      ValueError: it does not fit `shape`.
    """
    return _constant(value, dtype, shape, name, verify_shape=False, allow_broadcast=True)


def _constant(
    value: Any, dtype: Any, shape: Any, name: str, verify_shape: bool, allow_broadcast: bool
) -> Tensor:
    dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    if context.executing_eagerly():
        if isinstance(value, Tensor) and value._is_eager and dtype in (None, value.dtype):
            if shape is None or value._shape == as_shape(shape).to_tuple():
                return value
        array = eager_array(value, dtype, verify_shape, allow_broadcast)
        array = array if shape is None else _in_shape(array, shape, verify_shape)
    elif type(value).__name__ == "TensorProto":
        # It is taken as it is, whatever dtype and shape are asked for.
        array, dtype = proto_to_array(value), dtypes.as_dtype(value.dtype)
    else:
        array = as_array(value, dtype, shape, verify_shape, allow_broadcast)
    return constant_of(array, dtype or dtypes.as_dtype(array.dtype), name or "Const")


def _in_shape(array: np.ndarray, shape: Any, verify: bool) -> np.ndarray:
    """An array in the shape of an eager constant.

    Raises:
      TypeError: it has another number of elements, and not one, or another shape with `verify`.
    """
    shape = as_shape(shape)
    sizes = tuple(shape.as_list())
    if verify and array.shape != sizes:
        wanted, found = (tuple(as_shape(s).dims or ()) for s in (shape, array.shape))
        raise TypeError(f"Expected Tensor's shape: {wanted}, got {found}.")
    count = math.prod(sizes)
    if array.size == count:
        return array.reshape(sizes)
    if array.size == 1:
        return np.full(sizes, array.ravel()[0], array.dtype)
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape (value has {array.size} elements, "
        f"shape is {shape} with {count} elements)."
    )


def constant_of(array: np.ndarray, dtype: dtypes.DType, name: str = "Const") -> Tensor:
    """Records a constant for an array that is already checked."""
    if context.executing_eagerly():
        return eager.tensor(array, dtype)
    graph: Graph = context.default_graph()
    name = name[:-1] if name[-1:] == "/" else graph.unique_name(name)
    attrs = {"value": array, "dtype": dtype}
    return graph._add(_CONST, name, [], attrs, [dtype])._outputs[0]


def is_constant(tensor_or_op: Any) -> bool:
    """Whether the operation is a constant (of an eager tensor nobody can tell)."""
    if isinstance(tensor_or_op, Tensor) and tensor_or_op._is_eager:
        return False
    op = tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op
    return op.type == "Const"


def _convert_constant(
    value: TensorLike, dtype: DTypeLike | None = None, name: str | None = None, as_ref: bool = False
) -> Any:
    return _constant(value, dtype, None, name or "Const", verify_shape=False, allow_broadcast=False)


def _convert_shape(
    value: TensorShape,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    as_ref: bool = False,
) -> Any:
    if not value.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape to a Tensor: {value}")
    sizes = [size for size in value.as_list() if size is not None]
    too_large = next((size for size in sizes if size >= 2**31), None)
    if dtype is not None:
        if dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
        if dtype is dtypes.int32 and too_large is not None:
            raise ValueError(
                "Cannot convert a TensorShape to dtype int32; a dimension is too large "
                f"({too_large})"
            )
    else:
        dtype = dtypes.int32 if too_large is None else dtypes.int64
    return _constant(sizes, dtype, None, name or "shape_as_tensor", False, False)


def _convert_dimension(
    value: Dimension, dtype: DTypeLike | None = None, name: str | None = None, as_ref: bool = False
) -> Any:
    if value.value is None:
        raise ValueError(f"Cannot convert an unknown Dimension to a Tensor: {value}")
    if dtype is not None and dtype not in (dtypes.int32, dtypes.int64):
        raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
    return _constant(
        value.value, dtype or dtypes.int32, None, name or "shape_as_tensor", False, False
    )


_register = conversion.register_tensor_conversion_function
_register((list, tuple), _convert_constant, 100)
_register(object, _convert_constant, 200)  # Numbers and arrays, too, come to it.
_register(TensorShape, _convert_shape, 100)
_register(Dimension, _convert_dimension, 100)


def convert_to_eager_tensor(value: Any, ctx: Any, dtype: DTypeLike | None = None) -> Tensor:
    """A value as a tensor of eager execution.

    Args:
      value: a tensor of eager execution, or what a constant can be made of.
      ctx: the context, which is the same for all.
      dtype: the dtype; inferred from `value` by default.

    Raises:
      TypeError: a tensor of another dtype, or elements that don't fit `dtype`.
    """
    if isinstance(value, eager.EagerTensor):
        if dtype is not None and value.dtype != dtype:
            raise TypeError(f"Expected tensor with type {dtype!r} not {value.dtype!r}")
        return value
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    array = eager_array(value, wanted, False, True)
    return eager.tensor(array, wanted or dtypes.as_dtype(array.dtype))
