"""Casts (a part of TF's math_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor

_MODULE = "tensorflow.python.ops.math_ops"

__all__ = [
    "cast",
    "saturate_cast",
    "to_bfloat16",
    "to_complex128",
    "to_complex64",
    "to_double",
    "to_float",
    "to_int32",
    "to_int64",
]


def _is_resource_variable(value: Any) -> bool:
    from tf1compat.api.variables import resource_variable_ops

    is_variable = isinstance(value, resource_variable_ops.BaseResourceVariable)
    # TF 1.15 has another class for those that a tf.function makes.
    return is_variable and not value._made_by_function


@tf_export("cast", "dtypes.cast")
@add_dispatch_support
def cast(x: Any, dtype: Any, name: Any = None) -> Any:
    """`x` with its elements converted to `dtype`.

    Args:
      x: a tensor, SparseTensor or IndexedSlices.
      dtype: the new dtype.
      name: the operation's name.

    Returns:
      The same kind of thing; `x` itself if it has the dtype already.
    """
    base = dtypes.as_dtype(dtype).base_dtype
    if isinstance(x, Tensor):
        if x._dtype is base:
            return x
    elif _is_resource_variable(x) and x.dtype == base:
        return x
    with ops.name_scope(name, "Cast", [x]) as name:
        if isinstance(x, IndexedSlices):
            return IndexedSlices(cast(x.values, base, name=name), x.indices, x.dense_shape)
        if isinstance(x, SparseTensor):
            sparse: Any = x
            values = cast(sparse.values, base, name=name)
            return type(sparse)(sparse.indices, values, sparse.dense_shape)
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.base_dtype is not base:
            x = raw_ops.Cast(x, base, name=name)
        return x


@tf_export("dtypes.saturate_cast", "saturate_cast")
@add_dispatch_support
def saturate_cast(value: Any, dtype: Any, name: Any = None) -> Tensor:
    """As `cast`, with values outside the range of `dtype` brought to its ends.

    Args:
      value: a tensor of real numbers.
      dtype: the dtype of the result.
      name: the operation's name.

    Returns:
      A tensor of `dtype` and the shape of `value`.
    """
    with ops.name_scope(name, "saturate_cast", [value]) as name:
        value = ops.convert_to_tensor(value, name="value")
        dtype = dtypes.as_dtype(dtype).base_dtype
        if value.dtype.min < dtype.min:
            least = ops.convert_to_tensor(dtype.min, dtype=value.dtype, name="min")
            value = raw_ops.Maximum(value, least)
        if value.dtype.max > dtype.max:
            most = ops.convert_to_tensor(dtype.max, dtype=value.dtype, name="max")
            value = raw_ops.Minimum(value, most)
        return cast(value, dtype, name=name)


_use_cast = deprecated(None, "Use `tf.cast` instead.", module=_MODULE)


@tf_export("to_float")
@_use_cast
def to_float(x: Any, name: Any = "ToFloat") -> Any:
    """Casts to float32.

    Args:
      x: a tensor, SparseTensor or IndexedSlices of numbers.
      name: the operation's name.

    Returns:
      What `x` is, in float32.
    """
    return cast(x, dtypes.float32, name=name)


@tf_export("to_double")
@_use_cast
def to_double(x: Any, name: Any = "ToDouble") -> Any:
    """Casts to float64.

    Args:
      x: a tensor, SparseTensor or IndexedSlices of numbers.
      name: the operation's name.

    Returns:
      What `x` is, in float64.
    """
    return cast(x, dtypes.float64, name=name)


@tf_export("to_int32")
@_use_cast
def to_int32(x: Any, name: Any = "ToInt32") -> Any:
    """Casts to int32.

    Args:
      x: a tensor, SparseTensor or IndexedSlices of numbers.
      name: the operation's name.

    Returns:
      What `x` is, in int32.
    """
    return cast(x, dtypes.int32, name=name)


@tf_export("to_int64")
@_use_cast
def to_int64(x: Any, name: Any = "ToInt64") -> Any:
    """Casts to int64.

    Args:
      x: a tensor, SparseTensor or IndexedSlices of numbers.
      name: the operation's name.

    Returns:
      What `x` is, in int64.
    """
    return cast(x, dtypes.int64, name=name)


@tf_export("to_bfloat16")
@_use_cast
def to_bfloat16(x: Any, name: Any = "ToBFloat16") -> Any:
    """Casts to bfloat16.

    Args:
      x: a tensor, SparseTensor or IndexedSlices of numbers.
      name: the operation's name.

    Returns:
      What `x` is, in bfloat16.
    """
    return cast(x, dtypes.bfloat16, name=name)


@tf_export("to_complex64")
@_use_cast
def to_complex64(x: Any, name: Any = "ToComplex64") -> Any:
    """Casts to complex64.

    Args:
      x: a tensor, SparseTensor or IndexedSlices of numbers.
      name: the operation's name.

    Returns:
      What `x` is, in complex64.
    """
    return cast(x, dtypes.complex64, name=name)


@tf_export("to_complex128")
@_use_cast
def to_complex128(x: Any, name: Any = "ToComplex128") -> Any:
    """Casts to complex128.

    Args:
      x: a tensor, SparseTensor or IndexedSlices of numbers.
      name: the operation's name.

    Returns:
      What `x` is, in complex128.
    """
    return cast(x, dtypes.complex128, name=name)
