"""Converters of the op types of `tf.math` (see `pfor`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, shape_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_cast, math_matmul, math_ops, math_reduce, math_sums
from tf1compat.api.parallel_for.pfor import (
    PForInput,
    RegisterPFor,
    RegisterPForWithArgs,
    flatten_first_two,
    unflatten_first,
    wrap,
)
from tf1compat.core import dtypes, raw_ops
from tf1compat.core.export import required
from tf1compat.core.typing import DTypeLike

_CWISE = """
Acos Acosh Add AddV2 Asin Asinh Atan Atan2 Atanh BitwiseAnd BitwiseOr BitwiseXor Ceil
ComplexAbs Cos Cosh Digamma DivNoNan Elu Erf Erfc Exp Expm1 Floor FloorDiv FloorMod Greater
GreaterEqual Igamma IgammaGradA Igammac Inv Invert IsFinite IsInf IsNan LeftShift Less LessEqual
Lgamma Log Log1p LogicalAnd LogicalNot LogicalOr LogicalXor Maximum Minimum Mod Mul MulNoNan Neg
Polygamma Reciprocal Relu Relu6 RightShift Rint Rsqrt Selu Sigmoid Sign Sin Sinh Softplus Softsign
Sqrt Square SquaredDifference Sub Tan Tanh TruncateDiv TruncateMod Xdivy Xlogy Zeta
""".split()
# TF's functions for these record under another name, or more than the operation.
_WRAPPED: dict[str, Callable[..., Any]] = {
    "Abs": math_ops.abs,
    "Angle": math_ops.angle,
    "BesselI0e": lambda x: required("math.bessel_i0e")(x),
    "BesselI1e": lambda x: required("math.bessel_i1e")(x),
    "Complex": math_ops.complex,
    "Conj": math_ops.conj,
    "Div": math_ops.div,
    "DivNoNan": math_ops.div_no_nan,
    "Imag": math_ops.imag,
    "LogicalXor": math_ops.logical_xor,
    "Pow": math_ops.pow,
    "Real": math_ops.real,
    "RealDiv": math_ops.divide,
    "Round": math_ops.round,
    "Sigmoid": lambda x: required("math.sigmoid")(x),
    "Tanh": lambda x: required("math.tanh")(x),
}


def _elementwise(pfor_input: PForInput, op_type: str) -> Any:
    for attr in pfor_input.op.node_def.attr:
        assert attr in ("T", "Tout", "_xla_compile_id"), (op_type, attr)
    pfor_input.expanddim_inputs_for_broadcast()
    # Found when it is needed, as making the functions of all these takes a while.
    record = _WRAPPED.get(op_type) or raw_ops.function(op_type)
    return wrap(record(*(x.t for x in pfor_input.inputs)))


for _op_type in sorted({*_CWISE, *_WRAPPED}):
    RegisterPForWithArgs(_op_type)(_elementwise)


@RegisterPForWithArgs("Equal", math_ops.equal)
@RegisterPForWithArgs("NotEqual", math_ops.not_equal)
def _comparison(pfor_input: PForInput, _: str, record: Callable[..., Any]) -> Any:
    pfor_input.expanddim_inputs_for_broadcast()
    assert pfor_input.get_attr("incompatible_shape_error")
    return wrap(record(*(x.t for x in pfor_input.inputs)))


@RegisterPFor("ApproximateEqual")
def _approximate_equal(pfor_input: PForInput) -> Any:
    pfor_input.expanddim_inputs_for_broadcast()
    x, y = (value.t for value in pfor_input.inputs)
    tolerance = pfor_input.get_attr("tolerance")
    return wrap(raw_ops.ApproximateEqual(x=x, y=y, tolerance=tolerance))


# Gradients of activations, which do not broadcast.
_GRADIENTS = """
EluGrad Relu6Grad ReluGrad SeluGrad SigmoidGrad SoftplusGrad SoftsignGrad TanhGrad SqrtGrad
RsqrtGrad ReciprocalGrad
""".split()


def _all_stacked(pfor_input: PForInput, op_type: str = "") -> Any:
    pfor_input.stack_inputs()
    return [wrap(x) for x in pfor_input.again(x.t for x in pfor_input.inputs).outputs]


for _op_type in _GRADIENTS:
    RegisterPForWithArgs(_op_type)(_all_stacked)


@RegisterPFor("AddN")
def _add_n(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs()
    return wrap(math_sums.add_n([x.t for x in pfor_input.inputs]))


@RegisterPFor("Cross")
def _cross(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs()
    return wrap(raw_ops.Cross(a=pfor_input.stacked_input(0), b=pfor_input.stacked_input(1)))


@RegisterPFor("Cast")
def _cast(pfor_input: PForInput) -> Any:
    return wrap(math_cast.cast(pfor_input.stacked_input(0), pfor_input.get_attr("DstT")))


def behind_index(axes: Any, dtype: DTypeLike = dtypes.int32) -> Any:
    """Axes of a tensor of the body, where a first dimension is added.

    Args:
      axes: ints, counted from the end where they are negative.
      dtype: what the 1 that is added is converted to.
    """
    return axes + math_cast.cast(axes >= 0, dtype)


@RegisterPForWithArgs("Sum", math_reduce.reduce_sum)
@RegisterPForWithArgs("Prod", math_reduce.reduce_prod)
@RegisterPForWithArgs("Max", math_reduce.reduce_max)
@RegisterPForWithArgs("Min", math_reduce.reduce_min)
@RegisterPForWithArgs("Mean", math_reduce.reduce_mean)
@RegisterPForWithArgs("All", math_reduce.reduce_all)
@RegisterPForWithArgs("Any", math_reduce.reduce_any)
def _reduction(pfor_input: PForInput, _: str, reduce: Callable[..., Any]) -> Any:
    x = pfor_input.stacked_input(0)
    axes = behind_index(pfor_input.unstacked_input(1))
    return wrap(reduce(x, axes, keepdims=pfor_input.get_attr("keep_dims")))


@RegisterPForWithArgs("Cumsum", math_sums.cumsum)
@RegisterPForWithArgs("Cumprod", math_sums.cumprod)
def _cumulative(pfor_input: PForInput, _: str, record: Callable[..., Any]) -> Any:
    x = pfor_input.stacked_input(0)
    axis = behind_index(pfor_input.unstacked_input(1))
    how = {name: pfor_input.get_attr(name) for name in ("exclusive", "reverse")}
    return wrap(record(x, axis, **how))


@RegisterPFor("UnsortedSegmentSum")
def _unsorted_segment_sum(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs([0, 1])
    data, ids = pfor_input.stacked_input(0), pfor_input.stacked_input(1)
    segments = pfor_input.unstacked_input(2)
    if ids.dtype != segments.dtype:
        ids = math_cast.cast(ids, dtypes.int64)
        segments = math_cast.cast(segments, dtypes.int64)
    dtype = ids.dtype
    shape = shape_ops.shape(ids, out_type=dtype)
    n = shape[0]
    ones = array_ops.ones_like(shape, dtype=dtype)[1:]
    # Each iteration has segments of its own.
    first = segments * math_sums.range(n, dtype=dtype)
    ids += shape_ops.reshape(first, array_ops.concat([[n], ones], axis=0))
    total = math_cast.cast(segments, dtypes.int64) * math_cast.cast(n, dtypes.int64)
    sums = raw_ops.UnsortedSegmentSum(data=data, segment_ids=ids, num_segments=total)
    shape = array_ops.concat([[n, -1], shape_ops.shape(sums)[1:]], axis=0)
    return wrap(shape_ops.reshape(sums, shape))


def _sizes(x: Any) -> Any:
    """The three dimensions of a tensor: numbers, or tensors."""
    if x.shape.is_fully_defined():
        return x.shape
    return [shape_ops.reshape(part, []) for part in array_ops.split(shape_ops.shape(x), 3)]


@RegisterPFor("MatMul")
def _matmul(pfor_input: PForInput) -> Any:
    a, b = pfor_input.input(0), pfor_input.input(1)
    flip_a, flip_b = pfor_input.get_attr("transpose_a"), pfor_input.get_attr("transpose_b")
    if a.is_stacked and b.is_stacked:
        return wrap(math_matmul.matmul(a.t, b.t, adjoint_a=flip_a, adjoint_b=flip_b))
    if a.is_stacked:
        return wrap(_rows_times(a.t, b.t, flip_a, flip_b))
    return wrap(_times_columns(a.t, b.t, flip_a, flip_b))


def _rows_times(a: Any, b: Any, flip_a: bool, flip_b: bool) -> Any:
    """The products of the matrices in `a` with one: all rows make one matrix."""
    if flip_a:
        a = array_ops.transpose(a, [0, 2, 1])
    x, y, z = _sizes(a)
    a = shape_ops.reshape(a, [x * y, z])
    product = math_matmul.matmul(a, b, transpose_b=flip_b)
    return shape_ops.reshape(product, [x, y, -1])


def _times_columns(a: Any, b: Any, flip_a: bool, flip_b: bool) -> Any:
    """The products of one matrix with those in `b`: all columns make one matrix."""
    if flip_b:
        b = array_ops.transpose(b, [2, 0, 1])
    else:
        shape = shape_ops.shape(b)
        least = raw_ops.Minimum(x=shape[0], y=shape[1])
        order = control_flow_ops.cond(  # Nothing moves where a dimension is 1.
            math_ops.equal(least, 1), lambda: [0, 1, 2], lambda: [1, 0, 2]
        )
        turned = array_ops.stack([shape[1], shape[0], shape[2]])
        b = shape_ops.reshape(array_ops.transpose(b, order), turned)
    x, y, z = _sizes(b)
    b = shape_ops.reshape(b, [x, y * z])
    product = math_matmul.matmul(a, b, transpose_a=flip_a)
    return array_ops.transpose(shape_ops.reshape(product, [-1, y, z]), [1, 0, 2])


def _adjoint(pfor_input: PForInput) -> dict[str, Any]:
    return {
        "adjoint_a": pfor_input.get_attr("adj_x"),
        "adjoint_b": pfor_input.get_attr("adj_y"),
    }


@RegisterPFor("BatchMatMul")
def _batch_matmul(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs()
    x, y = pfor_input.stacked_input(0), pfor_input.stacked_input(1)
    how = _adjoint(pfor_input)
    x = flatten_first_two(x)
    product = math_matmul.matmul(x, flatten_first_two(y), **how)
    return wrap(unflatten_first(product, pfor_input.length))


@RegisterPFor("BatchMatMulV2")
def _batch_matmul_v2(pfor_input: PForInput) -> Any:
    pfor_input.expanddim_inputs_for_broadcast()
    x, y = (value.t for value in pfor_input.inputs)
    return wrap(math_matmul.matmul(x, y, **_adjoint(pfor_input)))


@RegisterPFor("Cholesky")
def _cholesky(pfor_input: PForInput) -> Any:
    return wrap(raw_ops.Cholesky(input=pfor_input.stacked_input(0)))


@RegisterPFor("LogMatrixDeterminant")
def _log_matrix_determinant(pfor_input: PForInput) -> Any:
    x = flatten_first_two(pfor_input.stacked_input(0))
    found = raw_ops.LogMatrixDeterminant(input=x)
    return [wrap(unflatten_first(part, pfor_input.length)) for part in found]


@RegisterPFor("MatrixTriangularSolve")
def _matrix_triangular_solve(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs()
    solved = raw_ops.MatrixTriangularSolve(
        matrix=pfor_input.stacked_input(0),
        rhs=pfor_input.stacked_input(1),
        lower=pfor_input.get_attr("lower"),
        adjoint=pfor_input.get_attr("adjoint"),
    )
    return wrap(solved)
