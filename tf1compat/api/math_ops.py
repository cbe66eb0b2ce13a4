"""`tensorflow.python.ops.math_ops`: arithmetic, the operators of `tf.Tensor`, casts, ranges.

Functions of other subjects lie beside this file; all are offered here, as in TF.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api import array_ops
from tf1compat.api.constant_op import constant_v1 as _constant
from tf1compat.api.deprecation import deprecated, deprecated_args, renamed
from tf1compat.api.math_elementwise import *  # noqa: F403
from tf1compat.api.math_elementwise import (
    add_v2,
    floor_mod,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    mul,
    negative,
    sub,
)
from tf1compat.api.math_matmul import *  # noqa: F403
from tf1compat.api.math_matmul import matmul
from tf1compat.api.math_reduce import *  # noqa: F403
from tf1compat.api.math_reduce import _may_reduce_to_scalar, _ReductionDims, reduce_max, reduce_prod  # noqa: F401
from tf1compat.api.math_segment import *  # noqa: F403
from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.tensor import Tensor, TensorLike
from tf1compat.core.tensor_shape import as_shape, unknown_shape

_dimension_is_deprecated = deprecated_args(None, "Use the `axis` argument instead", "dimension")
# What dtype integers are divided in by `truediv`; None: their own.
_TRUEDIV_TABLE = {
    dtypes.uint8: dtypes.float32,
    dtypes.int8: dtypes.float32,
    dtypes.uint16: dtypes.float32,
    dtypes.int16: dtypes.float32,
    dtypes.int32: dtypes.float64,
    dtypes.int64: dtypes.float64,
    dtypes.bfloat16: None,
    dtypes.float16: None,
    dtypes.float32: None,
    dtypes.float64: None,
    dtypes.complex64: None,
    dtypes.complex128: None,
}


def _is_sparse(value: object) -> bool:
    """Whether `value` is a SparseTensor: tensor-like, but neither dense nor IndexedSlices."""
    return isinstance(value, TensorLike) and not isinstance(value, Tensor | IndexedSlices)


@tf_export("math.argmax", "argmax")
@_dimension_is_deprecated
def argmax(
    input: Any,
    axis: Any = None,
    name: Any = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Tensor:
    """The index of the largest element along `axis` (default 0); the first, if several are."""
    return argmax_v2(input, renamed("axis", axis, "dimension", dimension), output_type, name)


def argmax_v2(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: Any = None
) -> Tensor:
    """As `argmax`, without its old argument names."""
    return raw_ops.ArgMax(input, 0 if axis is None else axis, output_type=output_type, name=name)


@tf_export("math.argmin", "argmin")
@_dimension_is_deprecated
def argmin(
    input: Any,
    axis: Any = None,
    name: Any = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Tensor:
    """The index of the smallest element along `axis` (default 0); the first, if several are."""
    return argmin_v2(input, renamed("axis", axis, "dimension", dimension), output_type, name)


def argmin_v2(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: Any = None
) -> Tensor:
    """As `argmin`, without its old argument names."""
    return raw_ops.ArgMin(input, 0 if axis is None else axis, output_type=output_type, name=name)


@tf_export("math.abs", "abs")
def abs(x: Any, name: Any = None) -> Tensor:
    """The absolute value, elementwise; that of complex numbers is real."""
    with ops.name_scope(name, "Abs", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return raw_ops.ComplexAbs(x, Tout=x.dtype.real_dtype, name=name)
        return raw_ops.Abs(x, name=name)


def _bucketize(input: Any, boundaries: Any, name: Any = None) -> Tensor:
    """The index of the bucket of each element, between sorted `boundaries`."""
    return raw_ops.Bucketize(input, boundaries=boundaries, name=name)


@tf_export("math.divide", "divide")
def divide(x: Any, y: Any, name: Any = None) -> Any:
    """`x / y`, as Python 3 divides: integers give real numbers."""
    return x / y if name is None else _truediv_python3(x, y, name)


@tf_export("math.multiply", "multiply")
def multiply(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x * y`, elementwise, with broadcasting."""
    return mul(x, y, name)


@tf_export("math.subtract", "subtract")
def subtract(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x - y`, elementwise, with broadcasting."""
    return sub(x, y, name)


@tf_export("math.scalar_mul", "scalar_mul")
def scalar_mul(scalar: Any, x: Any, name: Any = None) -> Any:
    """A scalar times a tensor or `IndexedSlices`.

    Raises:
      ValueError: `scalar` is not a scalar.
    """
    scalar = ops.convert_to_tensor(scalar, dtype=x.dtype.base_dtype, name="scalar")
    shape = scalar.get_shape()
    if shape.ndims != 0:
        raise ValueError(f"Only scalar multiply works, got shape {shape}")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(mul(scalar, x.values, name), x.indices, x.dense_shape)
    return mul(scalar, x, name)


def scalar_mul_v2(scalar: Any, x: Any, name: Any = None) -> Any:
    """As `scalar_mul`, in a name scope."""
    with ops.name_scope(name, "scalar_mul", [x]) as name:
        return scalar_mul(scalar, x, name)


@tf_export("math.pow", "pow")
def pow(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x` to the power `y`, elementwise."""
    with ops.name_scope(name, "Pow", [x]) as name:
        return raw_ops.Pow(x, y, name=name)


@tf_export("dtypes.complex", "complex")
def complex(real: Any, imag: Any, name: Any = None) -> Tensor:
    """The complex numbers with these real and imaginary parts.

    Raises:
      TypeError: the parts are not both float32 or both float64.
    """
    real = ops.convert_to_tensor(real, name="real")
    imag = ops.convert_to_tensor(imag, name="imag")
    with ops.name_scope(name, "Complex", [real, imag]) as name:
        if (real.dtype, imag.dtype) == (dtypes.float64, dtypes.float64):
            result = dtypes.complex128
        elif (real.dtype, imag.dtype) == (dtypes.float32, dtypes.float32):
            result = dtypes.complex64
        else:
            raise TypeError(
                f"real and imag have incorrect types: {real.dtype.name} {imag.dtype.name}"
            )
        return raw_ops.Complex(real, imag, Tout=result, name=name)


@tf_export("math.real", "real")
def real(input: Any, name: Any = None) -> Tensor:
    """The real part, elementwise; real numbers are returned as they are."""
    with ops.name_scope(name, "Real", [input]) as name:
        input = ops.convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return input
        return raw_ops.Real(input, Tout=input.dtype.real_dtype, name=name)


@tf_export("math.imag", "imag")
def imag(input: Any, name: Any = None) -> Tensor:
    """The imaginary part, elementwise."""
    with ops.name_scope(name, "Imag", [input]) as name:
        input = ops.convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return array_ops.zeros_like(input)
        return raw_ops.Imag(input, Tout=input.dtype.real_dtype, name=name)


@tf_export("math.angle", "angle")
def angle(input: Any, name: Any = None) -> Tensor:
    """The argument of complex numbers, elementwise; 0 for real ones."""
    with ops.name_scope(name, "Angle", [input]) as name:
        input = ops.convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return array_ops.zeros_like(input)
        return raw_ops.Angle(input, Tout=input.dtype.real_dtype, name=name)


@tf_export("math.conj", "conj")
def conj(x: Any, name: Any = None) -> Tensor:
    """The complex conjugate, elementwise; real tensors are returned as they are.

    Raises:
      TypeError: `x` is not numeric.
    """
    if isinstance(x, Tensor) and (x.dtype.is_floating or x.dtype.is_integer):
        return x
    with ops.name_scope(name, "Conj", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.is_complex or x.dtype == dtypes.variant:
            return raw_ops.Conj(x, name=name)
        if x.dtype.is_floating or x.dtype.is_integer:
            return x
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}")


@tf_export("math.round", "round")
def round(x: Any, name: Any = None) -> Tensor:
    """Rounding to the nearest integer, halves to even, elementwise."""
    x = ops.convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else raw_ops.Round(x, name=name)


# Casts.


def _is_resource_variable(value: Any) -> bool:
    from tf1compat.api import resource_variable_ops

    return isinstance(value, resource_variable_ops.BaseResourceVariable)


@tf_export("cast", "dtypes.cast")
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
        if _is_sparse(x):
            sparse: Any = x
            values = cast(sparse.values, base, name=name)
            return type(sparse)(sparse.indices, values, sparse.dense_shape)
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.base_dtype is not base:
            x = raw_ops.Cast(x, base, name=name)
        return x


@tf_export("dtypes.saturate_cast", "saturate_cast")
def saturate_cast(value: Any, dtype: Any, name: Any = None) -> Tensor:
    """As `cast`, with values outside the range of `dtype` brought to its ends."""
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


_use_cast = deprecated(None, "Use `tf.cast` instead.")


@tf_export("to_float")
@_use_cast
def to_float(x: Any, name: Any = "ToFloat") -> Any:
    """Casts to float32."""
    return cast(x, dtypes.float32, name=name)


@tf_export("to_double")
@_use_cast
def to_double(x: Any, name: Any = "ToDouble") -> Any:
    """Casts to float64."""
    return cast(x, dtypes.float64, name=name)


@tf_export("to_int32")
@_use_cast
def to_int32(x: Any, name: Any = "ToInt32") -> Any:
    """Casts to int32."""
    return cast(x, dtypes.int32, name=name)


@tf_export("to_int64")
@_use_cast
def to_int64(x: Any, name: Any = "ToInt64") -> Any:
    """Casts to int64."""
    return cast(x, dtypes.int64, name=name)


@tf_export("to_bfloat16")
@_use_cast
def to_bfloat16(x: Any, name: Any = "ToBFloat16") -> Any:
    """Casts to bfloat16."""
    return cast(x, dtypes.bfloat16, name=name)


@tf_export("to_complex64")
@_use_cast
def to_complex64(x: Any, name: Any = "ToComplex64") -> Any:
    """Casts to complex64."""
    return cast(x, dtypes.complex64, name=name)


@tf_export("to_complex128")
@_use_cast
def to_complex128(x: Any, name: Any = "ToComplex128") -> Any:
    """Casts to complex128."""
    return cast(x, dtypes.complex128, name=name)


# Division.


def _operands(x: Any, y: Any, same_dtype: bool) -> tuple[Tensor, Tensor]:
    """Both arguments as tensors of one dtype; `y` is converted to that of `x` if `same_dtype`."""
    x = ops.convert_to_tensor(x, name="x")
    y = ops.convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype if same_dtype else None)
    if x.dtype.base_dtype is not y.dtype.base_dtype:
        raise TypeError(
            f"x and y must have the same dtype, got {x.dtype.base_dtype!r} != "
            f"{y.dtype.base_dtype!r}"
        )
    return x, y


def _truediv_python3(x: Any, y: Any, name: Any = None) -> Tensor:
    with ops.name_scope(name, "truediv", [x, y]) as name:
        x, y = _operands(x, y, same_dtype=False)
        base = x.dtype.base_dtype
        if base not in _TRUEDIV_TABLE:
            raise TypeError(f"Invalid dtype {base!r} in __truediv__")
        dtype = _TRUEDIV_TABLE[base]
        if dtype is not None:
            x, y = cast(x, dtype), cast(y, dtype)
        return raw_ops.RealDiv(x, y, name=name)


def _div_python2(x: Any, y: Any, name: Any = None) -> Tensor:
    with ops.name_scope(name, "div", [x, y]) as name:
        x, y = _operands(x, y, same_dtype=True)
        real = x.dtype.base_dtype.is_floating or x.dtype.base_dtype.is_complex
        return (raw_ops.RealDiv if real else raw_ops.FloorDiv)(x, y, name=name)


@tf_export("math.truediv", "truediv")
def truediv(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x / y` as Python 3 divides: integers give real numbers.

    Raises:
      TypeError: the dtypes differ.
    """
    return _truediv_python3(x, y, name)


@tf_export("div")
@deprecated(None, "Deprecated in favor of operator or tf.math.divide.")
def div(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x / y` as Python 2 divides: integers are rounded down."""
    return _div_python2(x, y, name)


@tf_export("math.divide_no_nan", "div_no_nan")
def div_no_nan(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x / y`, and 0 where `y` is 0."""
    with ops.name_scope(name, "div_no_nan", [x, y]) as name:
        x, y = _operands(x, y, same_dtype=True)
        return raw_ops.DivNoNan(x, y, name=name)


@tf_export("math.multiply_no_nan")
def multiply_no_nan(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x * y`, and 0 where `y` is 0, even if `x` is NaN or infinite."""
    with ops.name_scope(name, "multiply_no_nan", [x, y]) as name:
        x, y = _operands(x, y, same_dtype=True)
        return raw_ops.MulNoNan(x, y, name=name)


@tf_export("math.floordiv", "floordiv")
def floordiv(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x / y` rounded down."""
    with ops.name_scope(name, "floordiv", [x, y]) as name:
        return raw_ops.FloorDiv(x, y, name=name)


@tf_export("math.reciprocal_no_nan")
def reciprocal_no_nan(x: Any, name: Any = None) -> Tensor:
    """`1 / x`, and 0 where `x` is 0."""
    with ops.name_scope(name, "reciprocal_no_nan", [x]) as scope:
        x = ops.convert_to_tensor(x, name="x")
        one = _constant(1, dtype=x.dtype.base_dtype, name="one")
        return raw_ops.DivNoNan(one, x, name=scope)


# Comparison and logic.


@tf_export("math.equal", "equal")
def equal(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x == y`, elementwise."""
    return raw_ops.Equal(x, y, name=name)


@tf_export("math.not_equal", "not_equal")
def not_equal(x: Any, y: Any, name: Any = None) -> Tensor:
    """`x != y`, elementwise."""
    return raw_ops.NotEqual(x, y, name=name)


@tf_export("math.logical_xor", "logical_xor")
def logical_xor(x: Any, y: Any, name: Any = "LogicalXor") -> Tensor:
    """Exclusive or, elementwise."""
    return raw_ops.LogicalAnd(
        raw_ops.LogicalOr(x, y), raw_ops.LogicalNot(raw_ops.LogicalAnd(x, y)), name=name
    )


def _compares_elements(tensor: Any, strict: bool) -> bool:
    """Whether `==` compares elements (TF 2's way, switched on by `tf.enable_tensor_equality`)."""
    if not Tensor._USE_EQUALITY or not ops.executing_eagerly_outside_functions():
        return False
    graph = getattr(tensor, "graph", None) if strict else None
    return graph is None or graph.building_function


def tensor_equals(self: Tensor, other: Any) -> Any:
    """`Tensor.__eq__`."""
    return raw_ops.Equal(self, other) if _compares_elements(self, True) else self is other


def tensor_not_equals(self: Tensor, other: Any) -> Any:
    """`Tensor.__ne__`."""
    return raw_ops.NotEqual(self, other) if _compares_elements(self, False) else self is not other


# Operators.


def override_binary_operator(function: Callable[..., Any], name: str) -> None:
    """Gives `Tensor` the operators `__<name>__` and `__r<name>__`.

    Args:
      function: `(x, y, name) -> tensor`; it takes `name` as the name of its operation.
      name: the operator; also the operation's name.
    """
    reflected = f"__r{name}__"

    def binary(x: Any, y: Any) -> Any:
        if isinstance(y, Tensor) and isinstance(x, Tensor):
            return function(x, y, name=name)
        with ops.name_scope(None, name, [x, y]) as scope:
            if not _is_sparse(y):
                try:
                    y = ops.convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y")
                except TypeError:
                    if hasattr(type(y), reflected):
                        return NotImplemented
                    raise
            return function(x, y, name=scope)

    def reversed_binary(y: Any, x: Any) -> Any:
        with ops.name_scope(None, name, [x, y]) as scope:
            x = ops.convert_to_tensor(x, dtype=y.dtype.base_dtype, name="x")
            return function(x, y, name=scope)

    Tensor._override_operator(f"__{name}__", binary)
    Tensor._override_operator(reflected, reversed_binary)


def _add_dispatch(x: Any, y: Any, name: Any = None) -> Tensor:
    return (raw_ops.Add if x.dtype == dtypes.string else add_v2)(x, y, name=name)


def _mul_dispatch(x: Any, y: Any, name: Any = None) -> Any:
    if isinstance(y, Tensor):
        return raw_ops.Mul(x, y, name=name)
    values = raw_ops.SparseDenseCwiseMul(y.indices, y.values, y.dense_shape, x, name=name)
    return type(y)(y.indices, values, y.dense_shape)


def _xor_dispatch(x: Any, y: Any, name: Any = None) -> Tensor:
    with ops.name_scope(name, "xor", [x, y]) as scope:
        return logical_xor(x, y, name=scope)


for _name, _function in {
    "add": _add_dispatch,
    "sub": sub,
    "mul": _mul_dispatch,
    "div": _div_python2,
    "truediv": _truediv_python3,
    "floordiv": floordiv,
    "mod": floor_mod,
    "pow": pow,
    "matmul": matmul,
    "and": logical_and,
    "or": logical_or,
    "xor": _xor_dispatch,
}.items():
    override_binary_operator(_function, _name)
for _name, _function in {
    "neg": negative,
    "abs": abs,
    "invert": logical_not,
    "lt": less,
    "le": less_equal,
    "gt": greater,
    "ge": greater_equal,
    "eq": tensor_equals,
    "ne": tensor_not_equals,
}.items():
    Tensor._override_operator(f"__{_name}__", _function)


# Sequences and sums.


@tf_export("range")
def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: Any = "range"
) -> Tensor:
    """The numbers from `start` to `limit` (left out) in steps of `delta`, as Python's `range`.

    Args:
      start: a scalar; the limit, if that is None (and the start is then 0).
      limit: a scalar.
      delta: a scalar.
      dtype: the dtype; by default the widest of the arguments' (int32, int64, float32, float64).
      name: the operation's name.

    Returns:
      A vector.
    """
    if limit is None:
        start, limit = 0, start
    with ops.name_scope(name, "Range", [start, limit, delta]) as name:
        start = ops.convert_to_tensor(start, dtype=dtype, name="start")
        limit = ops.convert_to_tensor(limit, dtype=dtype, name="limit")
        delta = ops.convert_to_tensor(delta, dtype=dtype, name="delta")
        if dtype is None:
            order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
            given = [start.dtype, limit.dtype, delta.dtype]
            assert all(dtype in order for dtype in given)
            widest = max(given, key=order.index)
            start, limit, delta = cast(start, widest), cast(limit, widest), cast(delta, widest)
        return raw_ops.Range(start, limit, delta, name=name)


_ADD_N_ERROR = (
    "inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape"
)


@tf_export("math.add_n", "add_n")
def add_n(inputs: Any, name: Any = None) -> Tensor:
    """The sum of tensors of one shape.

    Args:
      inputs: a list of tensors or IndexedSlices.
      name: the operation's name.

    Raises:
      ValueError: `inputs` is not such a list.
    """
    if not inputs or not isinstance(inputs, list | tuple):
        iter(inputs)  # What can't be iterated over is a TypeError.
        raise ValueError(_ADD_N_ERROR)
    inputs = ops.convert_n_to_tensor_or_indexed_slices(inputs)
    if not all(isinstance(x, Tensor | IndexedSlices) for x in inputs):
        raise ValueError(_ADD_N_ERROR)
    if len(inputs) > 1:
        return raw_ops.AddN(inputs, name=name)
    values = ops.convert_to_tensor(inputs[0]) if isinstance(inputs[0], IndexedSlices) else inputs[0]
    return array_ops.identity(values, name=name) if name else values


@tf_export("math.accumulate_n", "accumulate_n")
def accumulate_n(
    inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: Any = None
) -> Tensor:
    """The sum of tensors of one shape, without waiting for all of them.

    Args:
      inputs: a list of tensors.
      shape: their shape.
      tensor_dtype: their dtype.
      name: the operation's name.

    Raises:
      ValueError: `inputs` is not such a list, or the shapes differ.
      TypeError: the dtype is not `tensor_dtype`.
    """
    error = ValueError("inputs must be a list of at least one Tensor with the same dtype and shape")
    if not inputs or not isinstance(inputs, list | tuple):
        raise error
    inputs = ops.convert_n_to_tensor_or_indexed_slices(inputs)
    if not all(isinstance(x, Tensor) and x.dtype == inputs[0].dtype for x in inputs):
        raise error
    shape = unknown_shape() if shape is None else as_shape(shape)
    for tensor in inputs:
        shape = shape.merge_with(tensor.get_shape())
    if tensor_dtype is not None and tensor_dtype != inputs[0].dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {inputs[0].dtype}")
    if len(inputs) == 1:
        return inputs[0] if name is None else array_ops.identity(inputs[0], name=name)
    if context.executing_eagerly():
        return add_n(inputs, name=name)
    return raw_ops.AccumulateNV2(inputs, shape=shape, name=name)


@tf_export("math.sigmoid", "nn.sigmoid", "sigmoid")
def sigmoid(x: Any, name: Any = None) -> Tensor:
    """`1 / (1 + exp(-x))`, elementwise."""
    with ops.name_scope(name, "Sigmoid", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.Sigmoid(x, name=name)


@tf_export("math.log_sigmoid", "log_sigmoid")
def log_sigmoid(x: Any, name: Any = None) -> Tensor:
    """`log(sigmoid(x))`, elementwise."""
    with ops.name_scope(name, "LogSigmoid", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.Neg(raw_ops.Softplus(-x), name=name)


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: Any = None,
) -> Tensor:
    """How often each integer from 0 on occurs in `arr`.

    Args:
      arr: an int32 tensor of non-negative numbers.
      weights: what each element counts, in place of 1; of the shape of `arr`.
      minlength, maxlength: bounds of the result's length.
      dtype: the result's dtype, where there are no weights.
      name: the name scope.

    Returns:
      A vector.
    """
    with ops.name_scope("bincount" if name is None else name):
        arr = ops.convert_to_tensor(arr, name="arr", dtype=dtypes.int32)
        nonempty = reduce_prod(array_ops.shape(arr)) > 0
        size = cast(nonempty, dtypes.int32) * (reduce_max(arr) + 1)
        if minlength is not None:
            minlength = ops.convert_to_tensor(minlength, name="minlength", dtype=dtypes.int32)
            size = raw_ops.Maximum(minlength, size)
        if maxlength is not None:
            maxlength = ops.convert_to_tensor(maxlength, name="maxlength", dtype=dtypes.int32)
            size = raw_ops.Minimum(maxlength, size)
        if weights is not None:
            weights = ops.convert_to_tensor(weights, name="weights")
            return raw_ops.UnsortedSegmentSum(weights, arr, size)
        return raw_ops.Bincount(arr, size, _constant([], dtype))


@tf_export("math.bincount", "bincount")
def bincount_v1(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
) -> Tensor:
    """As `bincount`, without a name."""
    return bincount(arr, weights, minlength, maxlength, dtype)


@tf_export("math.cumsum", "cumsum")
def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: Any = None
) -> Tensor:
    """Running sums along a dimension.

    Args:
      x: a tensor.
      axis: a scalar; the dimension.
      exclusive: leave out the element itself.
      reverse: run from the end.
      name: the operation's name.
    """
    with ops.name_scope(name, "Cumsum", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.Cumsum(x, axis, exclusive=exclusive, reverse=reverse, name=name)


@tf_export("math.cumprod", "cumprod")
def cumprod(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: Any = None
) -> Tensor:
    """Running products along a dimension; see `cumsum`."""
    with ops.name_scope(name, "Cumprod", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.Cumprod(x, axis, exclusive=exclusive, reverse=reverse, name=name)


@tf_export("math.cumulative_logsumexp")
def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: Any = None
) -> Tensor:
    """Running `log(sum(exp(x)))` along a dimension; see `cumsum`."""
    with ops.name_scope(name, "CumulativeLogsumexp", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.CumulativeLogsumexp(x, axis, exclusive=exclusive, reverse=reverse, name=name)
