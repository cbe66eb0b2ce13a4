"""The part of `tensorflow.python.ops.math_ops` that TF exports straight from op definitions.

One function records one op.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import dtypes, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_GENERATED = "tensorflow.python.ops.gen_math_ops"


def unary(op_type: str, what: str, *names: str) -> Callable[..., Tensor]:
    """Makes and exports the function of an op with one input.

    Args:
      op_type: the op type.
      what: its docstring.
      *names: its public names.
    """
    record = raw_ops.function(op_type)

    def call(x: TensorLike, name: Name = None) -> Tensor:
        return record(x, name=name)

    return _described(call, op_type, what, names)


def sparse_unary(op_type: str, what: str, *names: str) -> Callable[..., Tensor]:
    """As `unary`, also for a SparseTensor, of which it is the function of its values."""
    record = raw_ops.function(op_type)

    def call(x: TensorLike, name: Name = None) -> Any:
        try:
            return record(x, name=name)
        except (TypeError, ValueError):
            if not isinstance(x, SparseTensor):
                raise
        return of_values(record, x, name)

    return _described(call, op_type, what, names)


def of_values(function: Callable[..., Tensor], x: SparseTensor, name: Any) -> Any:
    """A sparse tensor of a function of its values."""
    return SparseTensor(x.indices, function(x.values, name=name), x.dense_shape)


def binary(op_type: str, what: str, *names: str) -> Callable[..., Tensor]:
    """As `unary`, for two inputs."""
    record = raw_ops.function(op_type)

    def call(x: TensorLike, y: TensorLike, name: Name = None) -> Tensor:
        return record(x, y, name=name)

    return _described(call, op_type, what, names)


def _described(call: Any, op_type: str, what: str, names: tuple[str, ...]) -> Any:
    call.__name__ = call.__qualname__ = raw_ops.snake_case(op_type)
    call.__doc__ = f"Elementwise {what} (op {op_type})."
    return tf_export(*names)(add_dispatch_support(call)) if names else call


acos = unary("Acos", "arc cosine", "math.acos", "acos")
acosh = unary("Acosh", "inverse hyperbolic cosine", "math.acosh", "acosh")
asin = unary("Asin", "arc sine", "math.asin", "asin")
asinh = unary("Asinh", "inverse hyperbolic sine", "math.asinh", "asinh")
atan = unary("Atan", "arc tangent", "math.atan", "atan")
atanh = unary("Atanh", "inverse hyperbolic tangent", "math.atanh", "atanh")
bessel_i0e = sparse_unary(
    "BesselI0e", "exponentially scaled Bessel function of order 0", "math.bessel_i0e"
)
bessel_i1e = sparse_unary(
    "BesselI1e", "exponentially scaled Bessel function of order 1", "math.bessel_i1e"
)
ceil = unary("Ceil", "rounding up", "math.ceil", "ceil")
cos = unary("Cos", "cosine", "math.cos", "cos")
cosh = unary("Cosh", "hyperbolic cosine", "math.cosh", "cosh")
digamma = unary("Digamma", "derivative of lgamma", "math.digamma", "digamma")
erf = sparse_unary("Erf", "Gauss error function", "math.erf", "erf")
erfc = unary("Erfc", "complementary error function", "math.erfc", "erfc")
exp = unary("Exp", "exponential", "math.exp", "exp")
expm1 = unary("Expm1", "exp(x) - 1", "math.expm1", "expm1")
floor = unary("Floor", "rounding down", "math.floor", "floor")
is_finite = unary(
    "IsFinite", "test for finite numbers", "math.is_finite", "debugging.is_finite", "is_finite"
)
is_inf = unary("IsInf", "test for infinities", "math.is_inf", "debugging.is_inf", "is_inf")
is_nan = unary("IsNan", "test for NaN", "math.is_nan", "debugging.is_nan", "is_nan")
lgamma = unary("Lgamma", "log of the absolute value of the gamma function", "math.lgamma", "lgamma")
log = unary("Log", "natural logarithm", "math.log", "log")
log1p = unary("Log1p", "log(1 + x)", "math.log1p", "log1p")
logical_not = unary("LogicalNot", "logical not", "math.logical_not", "logical_not")
negative = neg = sparse_unary("Neg", "negation", "math.negative", "negative")
reciprocal = unary("Reciprocal", "1 / x", "math.reciprocal", "reciprocal")
rint = unary("Rint", "rounding to the nearest integer, halves to even", "math.rint", "rint")
rsqrt = unary("Rsqrt", "1 / sqrt(x)", "math.rsqrt", "rsqrt")
sign = sparse_unary("Sign", "sign: -1, 0 or 1; x / |x| for complex numbers", "math.sign", "sign")
sin = unary("Sin", "sine", "math.sin", "sin")
sinh = unary("Sinh", "hyperbolic sine", "math.sinh", "sinh")
sqrt = sparse_unary("Sqrt", "square root", "math.sqrt", "sqrt")
square = sparse_unary("Square", "square", "math.square", "square")
tan = unary("Tan", "tangent", "math.tan", "tan")
tanh = sparse_unary("Tanh", "hyperbolic tangent", "math.tanh", "nn.tanh", "tanh")

add = binary("Add", "sum", "math.add", "add")
add_v2 = binary("AddV2", "sum of numbers")
mul = binary("Mul", "product")
sub = binary("Sub", "difference")
floor_div = binary("FloorDiv", "quotient rounded down", "floor_div")
floor_mod = floormod = mod = binary(
    "FloorMod", "remainder with the sign of y", "math.floormod", "math.mod", "floormod", "mod"
)
greater = binary("Greater", "x > y", "math.greater", "greater")
greater_equal = binary("GreaterEqual", "x >= y", "math.greater_equal", "greater_equal")
less = binary("Less", "x < y", "math.less", "less")
less_equal = binary("LessEqual", "x <= y", "math.less_equal", "less_equal")
logical_and = binary("LogicalAnd", "logical and", "math.logical_and", "logical_and")
logical_or = binary("LogicalOr", "logical or", "math.logical_or", "logical_or")
maximum = binary("Maximum", "maximum", "math.maximum", "maximum")
minimum = binary("Minimum", "minimum", "math.minimum", "minimum")
real_div = realdiv = binary("RealDiv", "quotient of real numbers", "realdiv")
squared_difference = binary(
    "SquaredDifference", "(x - y) ** 2", "math.squared_difference", "squared_difference"
)
truncate_div = truncatediv = binary("TruncateDiv", "quotient rounded towards zero", "truncatediv")
truncate_mod = truncatemod = binary("TruncateMod", "remainder with the sign of x", "truncatemod")
xdivy = binary("Xdivy", "x / y, and 0 where x is 0", "math.xdivy")
xlogy = binary("Xlogy", "x * log(y), and 0 where x is 0", "math.xlogy")


@tf_export("math.atan2", "atan2")
@add_dispatch_support
def atan2(y: TensorLike, x: TensorLike, name: Name = None) -> Tensor:
    """The angle of the point (x, y), in [-pi, pi], elementwise.

    Args:
      y, x: floating-point tensors of one dtype that broadcast.
      name: the operation's name.

    Returns:
      A tensor of that dtype.
    """
    return raw_ops.Atan2(y, x, name=name)


@tf_export("math.nextafter")
def next_after(x1: Any, x2: Any, name: Name = None) -> Tensor:
    """The floating-point number after `x1` in the direction of `x2`, elementwise.

    Args:
      x1, x2: float32 or float64 tensors that broadcast.
      name: the operation's name.

    Returns:
      A tensor of their dtype.
    """
    return raw_ops.NextAfter(x1, x2, name=name)


nextafter = next_after


@tf_export("math.betainc", "betainc")
def betainc(a: TensorLike, b: TensorLike, x: TensorLike, name: Name = None) -> Tensor:
    """The regularized incomplete beta function I_x(a, b), elementwise.

    Args:
      a, b, x: float32 or float64 tensors of one shape, or scalars.
      name: the operation's name.

    Returns:
      A tensor of that shape.
    """
    return raw_ops.Betainc(a, b, x, name=name)


@tf_export("math.igamma", "igamma")
def igamma(a: TensorLike, x: TensorLike, name: Name = None) -> Tensor:
    """The lower regularized incomplete gamma function P(a, x), elementwise.

    Args:
      a, x: float32 or float64 tensors that broadcast.
      name: the operation's name.

    Returns:
      A tensor of their dtype.
    """
    return raw_ops.Igamma(a, x, name=name)


@tf_export("math.igammac", "igammac")
def igammac(a: TensorLike, x: TensorLike, name: Name = None) -> Tensor:
    """The upper regularized incomplete gamma function Q(a, x), elementwise.

    Args:
      a, x: float32 or float64 tensors that broadcast.
      name: the operation's name.

    Returns:
      A tensor of their dtype.
    """
    return raw_ops.Igammac(a, x, name=name)


@tf_export("math.polygamma", "polygamma")
def polygamma(a: TensorLike, x: TensorLike, name: Name = None) -> Tensor:
    """The derivative of order `a` of digamma at `x`, elementwise.

    Args:
      a, x: float32 or float64 tensors that broadcast.
      name: the operation's name.

    Returns:
      A tensor of their dtype.
    """
    return raw_ops.Polygamma(a, x, name=name)


@tf_export("math.zeta", "zeta")
def zeta(x: TensorLike, q: Any, name: Name = None) -> Tensor:
    """The Hurwitz zeta function, elementwise.

    Args:
      x, q: float32 or float64 tensors that broadcast.
      name: the operation's name.

    Returns:
      A tensor of their dtype.
    """
    return raw_ops.Zeta(x, q, name=name)


@tf_export("linalg.cross", "cross")
def cross(a: TensorLike, b: TensorLike, name: Name = None) -> Tensor:
    """The cross products of the vectors in the last dimension (of size 3).

    Args:
      a, b: tensors [..., 3] of real numbers, of one shape and dtype.
      name: the operation's name.

    Returns:
      A tensor like `a`.
    """
    return raw_ops.Cross(a, b, name=name)


@tf_export("lin_space", "linspace")
def lin_space(start: TensorLike, stop: Any, num: TensorLike, name: Name = None) -> Tensor:
    """`num` numbers from `start` to `stop`, evenly spaced, both ends included.

    Args:
      start, stop: scalars of one floating-point dtype.
      num: a scalar int, at least 1.
      name: the operation's name.

    Returns:
      A vector [num].
    """
    return raw_ops.LinSpace(start, stop, num, name=name)


linspace = lin_space


@tf_export("arg_max")
def arg_max(
    input: TensorLike, dimension: Any, output_type: DTypeLike = dtypes.int64, name: Name = None
) -> Tensor:
    """The index of the largest element along a dimension (the first, if several are).

    Args:
      input: a tensor of numbers of rank 1 or more.
      dimension: a scalar int in [-rank, rank).
      output_type: int32 or int64.
      name: the operation's name.

    Returns:
      A tensor of `output_type` without that dimension.
    """
    return raw_ops.ArgMax(input, dimension, output_type=output_type, name=name)


@tf_export("arg_min")
def arg_min(
    input: TensorLike, dimension: Any, output_type: DTypeLike = dtypes.int64, name: Name = None
) -> Tensor:
    """The index of the smallest element along a dimension (the first, if several are).

    Args:
      input: a tensor of numbers of rank 1 or more.
      dimension: a scalar int in [-rank, rank).
      output_type: int32 or int64.
      name: the operation's name.

    Returns:
      A tensor of `output_type` without that dimension.
    """
    return raw_ops.ArgMin(input, dimension, output_type=output_type, name=name)


@tf_export("sparse_matmul")
def sparse_mat_mul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: Name = None,
) -> Tensor:
    """The product of two matrices with many zeros (float32 or bfloat16); it is float32.

    Args:
      a, b: matrices.
      transpose_a, transpose_b: whether they are transposed before.
      a_is_sparse, b_is_sparse: recorded; they change no result.
      name: the operation's name.

    Returns:
      A float32 matrix.
    """
    return raw_ops.SparseMatMul(
        a,
        b,
        transpose_a=transpose_a,
        transpose_b=transpose_b,
        a_is_sparse=a_is_sparse,
        b_is_sparse=b_is_sparse,
        name=name,
    )


# TF's module has these as deprecated, but exports the functions below them.
arg_max = deprecated(None, "Use `tf.math.argmax` instead", module=_GENERATED)(arg_max)
arg_min = deprecated(None, "Use `tf.math.argmin` instead", module=_GENERATED)(arg_min)
sparse_matmul = deprecated(None, "Use `tf.linalg.matmul` instead", module=_GENERATED)(
    sparse_mat_mul
)
