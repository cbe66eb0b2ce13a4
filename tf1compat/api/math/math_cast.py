"""Casts (a part of TF's math_ops)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

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


def _is_resource_variable(value: TensorLike) -> bool:
    from tf1compat.api.variables import resource_variable_ops

    is_variable = isinstance(value, resource_variable_ops.BaseResourceVariable)
    # TF 1.15 has another class for those that a tf.function makes.
    return is_variable and not value._made_by_function


@tf_export("cast", "dtypes.cast")
@add_dispatch_support
def cast(x: Any, dtype: Any, name: Name = None) -> Any:
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
def saturate_cast(value: Any, dtype: Any, name: Name = None) -> Tensor:
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


def _caster(function_name: str, dtype: dtypes.DType, default_name: str) -> Callable[..., Any]:
    """`tf.to_…` of one dtype, exported."""

    def to(x: TensorLike, name: Name = default_name) -> Any:
        return cast(x, dtype, name=name)

    to.__name__ = to.__qualname__ = function_name
    to.__doc__ = f"""Casts to {dtype.name}.

    Args:
      x: a tensor, SparseTensor or IndexedSlices of numbers.
      name: the operation's name.

    Returns:
      What `x` is, in {dtype.name}.
    """
    use_cast = deprecated(None, "Use `tf.cast` instead.", module=_MODULE)
    return tf_export(function_name)(use_cast(to))


to_float = _caster("to_float", dtypes.float32, "ToFloat")
to_double = _caster("to_double", dtypes.float64, "ToDouble")
to_int32 = _caster("to_int32", dtypes.int32, "ToInt32")
to_int64 = _caster("to_int64", dtypes.int64, "ToInt64")
to_bfloat16 = _caster("to_bfloat16", dtypes.bfloat16, "ToBFloat16")
to_complex64 = _caster("to_complex64", dtypes.complex64, "ToComplex64")
to_complex128 = _caster("to_complex128", dtypes.complex128, "ToComplex128")
