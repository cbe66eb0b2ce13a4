"""`tensorflow.python.ops.math_ops`: arithmetic, the operators of `tf.Tensor`, casts, ranges.

Functions of other subjects lie beside this file; all are offered here, as in TF.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_v1 as _constant
from tf1compat.api.math.math_cast import *  # noqa: F403
from tf1compat.api.math.math_cast import cast
from tf1compat.api.math.math_elementwise import *  # noqa: F403
from tf1compat.api.math.math_elementwise import (
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
    of_values,
    sub,
)
from tf1compat.api.math.math_matmul import *  # noqa: F403
from tf1compat.api.math.math_matmul import matmul
from tf1compat.api.math.math_reduce import *  # noqa: F403
from tf1compat.api.math.math_reduce import _may_reduce_to_scalar, _ReductionDims  # noqa: F401
from tf1compat.api.math.math_segment import *  # noqa: F403
from tf1compat.api.math.math_sums import *  # noqa: F403
from tf1compat.api.util.deprecation import deprecated, deprecated_args, renamed
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_dimension_is_deprecated = deprecated_args(None, "Use the `axis` argument instead", "dimension")
# What dtype integers are divided in by `truediv`; None: their own.
_TRUEDIV_TABLE = {
    **dict.fromkeys((dtypes.uint8, dtypes.int8, dtypes.uint16, dtypes.int16), dtypes.float32),
    **dict.fromkeys((dtypes.int32, dtypes.int64), dtypes.float64),
    **dict.fromkeys((dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64)),
    **dict.fromkeys((dtypes.complex64, dtypes.complex128)),
}


@tf_export("math.argmax", "argmax")
@_dimension_is_deprecated
def argmax(
    input: TensorLike,
    axis: TensorLike | None = None,
    name: Name = None,
    dimension: Any = None,
    output_type: DTypeLike = dtypes.int64,
) -> Tensor:
    """The index of the largest element along `axis` (default 0); the first, if several are.

    Args:
      input: a tensor of numbers of rank 1 or more.
      axis, dimension: a scalar int in [-rank, rank).
      output_type: int32 or int64.
      name: the operation's name.

    Returns:
      A tensor of `output_type` without that dimension.
    """
    return argmax_v2(input, renamed("axis", axis, "dimension", dimension), output_type, name)


@tf_export("compat.v2.math.argmax", "compat.v2.argmax")
def argmax_v2(
    input: TensorLike,
    axis: TensorLike | None = None,
    output_type: DTypeLike = dtypes.int64,
    name: Name = None,
) -> Tensor:
    """As `argmax`, without its old argument names.

    Args:
      input, axis, output_type, name: as in `argmax`.

    Returns:
      As `argmax`.
    """
    return raw_ops.ArgMax(input, 0 if axis is None else axis, output_type=output_type, name=name)


@tf_export("math.argmin", "argmin")
@_dimension_is_deprecated
def argmin(
    input: TensorLike,
    axis: TensorLike | None = None,
    name: Name = None,
    dimension: Any = None,
    output_type: DTypeLike = dtypes.int64,
) -> Tensor:
    """The index of the smallest element along `axis` (default 0); the first, if several are.

    Args:
      input: a tensor of numbers of rank 1 or more.
      axis, dimension: a scalar int in [-rank, rank).
      output_type: int32 or int64.
      name: the operation's name.

    Returns:
      A tensor of `output_type` without that dimension.
    """
    return argmin_v2(input, renamed("axis", axis, "dimension", dimension), output_type, name)


@tf_export("compat.v2.math.argmin", "compat.v2.argmin")
def argmin_v2(
    input: TensorLike,
    axis: TensorLike | None = None,
    output_type: DTypeLike = dtypes.int64,
    name: Name = None,
) -> Tensor:
    """As `argmin`, without its old argument names.

    Args:
      input, axis, output_type, name: as in `argmin`.

    Returns:
      As `argmin`.
    """
    return raw_ops.ArgMin(input, 0 if axis is None else axis, output_type=output_type, name=name)


@tf_export("math.abs", "abs")
@add_dispatch_support
def abs(x: TensorLike, name: Name = None) -> Tensor:
    """The absolute value, elementwise; that of complex numbers is real.

    Args:
      x: a tensor of numbers, or a SparseTensor.
      name: the operation's name.

    Returns:
      A tensor of the shape of `x`.
    """
    with ops.name_scope(name, "Abs", [x]) as scope:
        if not isinstance(x, SparseTensor):
            x = ops.convert_to_tensor(x, name="x")
            if x.dtype.is_complex:
                return raw_ops.ComplexAbs(x, Tout=x.dtype.real_dtype, name=scope)
            return raw_ops.Abs(x, name=scope)
    return of_values(abs, x, name)


def _bucketize(input: TensorLike, boundaries: Any, name: Name = None) -> Tensor:
    """The index of the bucket of each element, between sorted `boundaries`."""
    return raw_ops.Bucketize(input, boundaries=boundaries, name=name)


@tf_export("math.divide", "divide")
@add_dispatch_support
def divide(x: Any, y: Any, name: Name = None) -> Any:
    """`x / y`, as Python 3 divides: integers give real numbers.

    Args:
      x, y: tensors of one dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor; of float64 for int32 and int64, of float32 for smaller integers.
    """
    return x / y if name is None else _truediv_python3(x, y, name)


@tf_export("math.multiply", "multiply")
@add_dispatch_support
def multiply(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x * y`, elementwise, with broadcasting.

    Args:
      x, y: tensors of one numeric dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor of that dtype.
    """
    return mul(x, y, name)


@tf_export("math.subtract", "subtract")
@add_dispatch_support
def subtract(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x - y`, elementwise, with broadcasting.

    Args:
      x, y: tensors of one numeric dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor of that dtype.
    """
    return sub(x, y, name)


@tf_export("math.scalar_mul", "scalar_mul")
def scalar_mul(scalar: Any, x: Any, name: Name = None) -> Any:
    """A scalar times a tensor or `IndexedSlices`.

    Args:
      scalar: a scalar of the dtype of `x`.
      x: a tensor of numbers, or IndexedSlices.
      name: the operation's name.

    Returns:
      What `x` is.

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


@tf_export("compat.v2.math.scalar_mul", "compat.v2.scalar_mul")
def scalar_mul_v2(scalar: Any, x: TensorLike, name: Name = None) -> Any:
    """As `scalar_mul`, in a name scope.

    Args:
      scalar, x, name: as in `scalar_mul`.

    Returns:
      As `scalar_mul`.
    """
    with ops.name_scope(name, "scalar_mul", [x]) as name:
        return scalar_mul(scalar, x, name)


@tf_export("math.pow", "pow")
@add_dispatch_support
def pow(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x` to the power `y`, elementwise.

    Args:
      x, y: tensors of one numeric dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor of that dtype.
    """
    with ops.name_scope(name, "Pow", [x]) as name:
        return raw_ops.Pow(x, y, name=name)


@tf_export("dtypes.complex", "complex")
@add_dispatch_support
def complex(real: Any, imag: Any, name: Name = None) -> Tensor:
    """The complex numbers with these real and imaginary parts.

    Args:
      real, imag: float32 or float64 tensors that broadcast.
      name: the operation's name.

    Returns:
      A complex64 or complex128 tensor.

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
@add_dispatch_support
def real(input: TensorLike, name: Name = None) -> Tensor:
    """The real part, elementwise; real numbers are returned as they are.

    Args:
      input: a tensor of numbers.
      name: the operation's name.

    Returns:
      A tensor of real numbers of the shape of `input`.
    """
    with ops.name_scope(name, "Real", [input]) as name:
        input = ops.convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return input
        return raw_ops.Real(input, Tout=input.dtype.real_dtype, name=name)


@tf_export("math.imag", "imag")
@add_dispatch_support
def imag(input: TensorLike, name: Name = None) -> Tensor:
    """The imaginary part, elementwise.

    Args:
      input: a tensor of numbers; of real ones it is 0.
      name: the operation's name.

    Returns:
      A tensor of real numbers of the shape of `input`.
    """
    with ops.name_scope(name, "Imag", [input]) as name:
        input = ops.convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return array_ops.zeros_like(input)
        return raw_ops.Imag(input, Tout=input.dtype.real_dtype, name=name)


@tf_export("math.angle", "angle")
@add_dispatch_support
def angle(input: TensorLike, name: Name = None) -> Tensor:
    """The argument of complex numbers, elementwise; 0 for real ones.

    Args:
      input: a tensor of numbers.
      name: the operation's name.

    Returns:
      A tensor of real numbers of the shape of `input`.
    """
    with ops.name_scope(name, "Angle", [input]) as name:
        input = ops.convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return array_ops.zeros_like(input)
        return raw_ops.Angle(input, Tout=input.dtype.real_dtype, name=name)


@tf_export("math.conj", "conj")
@add_dispatch_support
def conj(x: TensorLike, name: Name = None) -> Tensor:
    """The complex conjugate, elementwise; real tensors are returned as they are.

    Args:
      x: a tensor of numbers, or a variant.
      name: the operation's name.

    Returns:
      A tensor like `x`.

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
@add_dispatch_support
def round(x: TensorLike, name: Name = None) -> Tensor:
    """Rounding to the nearest integer, halves to even, elementwise.

    Args:
      x: a tensor of numbers; integers are returned as they are.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    x = ops.convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else raw_ops.Round(x, name=name)


# Division.


def _operands(x: TensorLike, y: TensorLike, same_dtype: bool) -> tuple[Tensor, Tensor]:
    """Both arguments as tensors of one dtype; `y` is converted to that of `x` if `same_dtype`."""
    x = ops.convert_to_tensor(x, name="x")
    y = ops.convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype if same_dtype else None)
    if x.dtype.base_dtype is not y.dtype.base_dtype:
        raise TypeError(
            f"x and y must have the same dtype, got {x.dtype.base_dtype!r} != "
            f"{y.dtype.base_dtype!r}"
        )
    return x, y


def _truediv_python3(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    with ops.name_scope(name, "truediv", [x, y]) as name:
        x, y = _operands(x, y, same_dtype=False)
        base = x.dtype.base_dtype
        if base not in _TRUEDIV_TABLE:
            raise TypeError(f"Invalid dtype {base!r} in __truediv__")
        dtype = _TRUEDIV_TABLE[base]
        if dtype is not None:
            x, y = cast(x, dtype), cast(y, dtype)
        return raw_ops.RealDiv(x, y, name=name)


def _div_python2(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    with ops.name_scope(name, "div", [x, y]) as name:
        x, y = _operands(x, y, same_dtype=True)
        real = x.dtype.base_dtype.is_floating or x.dtype.base_dtype.is_complex
        return (raw_ops.RealDiv if real else raw_ops.FloorDiv)(x, y, name=name)


class DivideDelegateWithName:
    """A tensor that is divided by an operation of a given name.

    Args:
      x: the tensor.
      name: the name.
    """

    def __init__(self, x: TensorLike, name: Name):
        self.x = x
        self.name = name

    def __truediv__(self, y: TensorLike) -> Tensor:
        return _truediv_python3(self.x, y, self.name)

    def __floordiv__(self, y: TensorLike) -> Tensor:
        return floordiv(self.x, y, self.name)

    def __div__(self, y: TensorLike) -> Tensor:
        return _div_python2(self.x, y, self.name)


@tf_export("math.truediv", "truediv")
@add_dispatch_support
def truediv(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x / y` as Python 3 divides: integers give real numbers.

    Args:
      x, y: tensors of one numeric dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor; of float64 for int32 and int64, of float32 for smaller integers.

    Raises:
      TypeError: the dtypes differ.
    """
    return _truediv_python3(x, y, name)


@tf_export("div")
@deprecated(None, "Deprecated in favor of operator or tf.math.divide.")
def div(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x / y` as Python 2 divides: integers are rounded down.

    Args:
      x, y: tensors of one numeric dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor of that dtype.
    """
    return _div_python2(x, y, name)


@tf_export("math.divide_no_nan", "div_no_nan")
@add_dispatch_support
def div_no_nan(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x / y`, and 0 where `y` is 0.

    Args:
      x, y: floating-point or complex tensors of one dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor of that dtype.
    """
    with ops.name_scope(name, "div_no_nan", [x, y]) as name:
        x, y = _operands(x, y, same_dtype=True)
        return raw_ops.DivNoNan(x, y, name=name)


@tf_export("math.multiply_no_nan")
def multiply_no_nan(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x * y`, and 0 where `y` is 0, even if `x` is NaN or infinite.

    Args:
      x, y: floating-point or complex tensors of one dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor of that dtype.
    """
    with ops.name_scope(name, "multiply_no_nan", [x, y]) as name:
        x, y = _operands(x, y, same_dtype=True)
        return raw_ops.MulNoNan(x, y, name=name)


@tf_export("math.floordiv", "floordiv")
@add_dispatch_support
def floordiv(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x / y` rounded down.

    Args:
      x, y: tensors of one numeric dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor of that dtype.
    """
    with ops.name_scope(name, "floordiv", [x, y]) as name:
        return raw_ops.FloorDiv(x, y, name=name)


@tf_export("math.reciprocal_no_nan")
def reciprocal_no_nan(x: TensorLike, name: Name = None) -> Tensor:
    """`1 / x`, and 0 where `x` is 0.

    Args:
      x: a floating-point or complex tensor.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    with ops.name_scope(name, "reciprocal_no_nan", [x]) as scope:
        x = ops.convert_to_tensor(x, name="x")
        one = _constant(1, dtype=x.dtype.base_dtype, name="one")
        return raw_ops.DivNoNan(one, x, name=scope)


# Comparison and logic.


@tf_export("math.equal", "equal")
@add_dispatch_support
def equal(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x == y`, elementwise.

    Args:
      x, y: tensors of one dtype that broadcast.
      name: the operation's name.

    Returns:
      A bool tensor.
    """
    return raw_ops.Equal(x, y, name=name)


@tf_export("math.not_equal", "not_equal")
@add_dispatch_support
def not_equal(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
    """`x != y`, elementwise.

    Args:
      x, y: tensors of one dtype that broadcast.
      name: the operation's name.

    Returns:
      A bool tensor.
    """
    return raw_ops.NotEqual(x, y, name=name)


@tf_export("math.logical_xor", "logical_xor")
@add_dispatch_support
def logical_xor(x: TensorLike, y: TensorLike, name: Name = "LogicalXor") -> Tensor:
    """Exclusive or, elementwise.

    Args:
      x, y: bool tensors that broadcast.
      name: the operation's name.

    Returns:
      A bool tensor.
    """
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=name)


def _compares_elements(tensor: TensorLike, strict: bool) -> bool:
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
            if x._is_eager:  # Errors name the whole scope.
                return function(x, y, name=f"{context.thread.eager_scope}{name}/")
            return function(x, y, name=name)
        with ops.name_scope(None, name, [x, y]) as scope:
            if not isinstance(y, SparseTensor):
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


def _add_dispatch(x: Any, y: Any, name: Name = None) -> Tensor:
    return (raw_ops.Add if x.dtype == dtypes.string else add_v2)(x, y, name=name)


def _mul_dispatch(x: Any, y: Any, name: Name = None) -> Any:
    if isinstance(y, Tensor):
        return raw_ops.Mul(x, y, name=name)
    values = raw_ops.SparseDenseCwiseMul(y.indices, y.values, y.dense_shape, x, name=name)
    return type(y)(y.indices, values, y.dense_shape)


def _xor_dispatch(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
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


@tf_export("math.sigmoid", "nn.sigmoid", "sigmoid")
def sigmoid(x: Any, name: Name = None) -> Tensor:
    """`1 / (1 + exp(-x))`, elementwise.

    Args:
      x: a floating-point or complex tensor.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    with ops.name_scope(name, "Sigmoid", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.Sigmoid(x, name=name)


@tf_export("math.log_sigmoid", "log_sigmoid")
@add_dispatch_support
def log_sigmoid(x: TensorLike, name: Name = None) -> Tensor:
    """`log(sigmoid(x))`, elementwise.

    Args:
      x: a floating-point tensor.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    with ops.name_scope(name, "LogSigmoid", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.Neg(raw_ops.Softplus(-x), name=name)
