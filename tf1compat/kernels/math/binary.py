"""Elementwise math of two inputs that are broadcast: one line an op, and the gradients."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import jnp, lax
from tf1compat.core import dtypes, errors, ops, raw_ops
from tf1compat.core.op_registry import gradient, not_differentiable, register
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.array.padded_rows import each_row
from tf1compat.kernels.framework.common import (
    BroadcastArgs,
    add,
    broadcast,
    broadcast_args,
    check_broadcast,
    equal_static_shapes,
    known,
    merged,
    needed_gradients,
    only_left_of_scalar,
    smart_broadcast_args,
    text_of_shape,
)

Array = Any


def _folding(function: Callable[..., Any]) -> Callable[..., Any]:
    def fold(x: Array, y: Array) -> Any:
        try:
            return function(x, y)
        except (ValueError, ZeroDivisionError):
            return None  # the lowering words the error

    return fold


def binary(
    name: str,
    lower: Callable[..., Any],
    fold: Callable[..., Any] | None = None,
    numpy: Callable[..., Any] | None = None,
    **facts: Any,
) -> None:
    """Registers an elementwise op: its meaning, the same in NumPy for known values, and what is
    quicker on NumPy values: by itself a ufunc that folds."""
    facts.setdefault("elementwise", True)
    quick = fold if isinstance(fold, np.ufunc) and numpy is None else numpy

    def checked(x: Array, y: Array, *, ctx: LoweringContext) -> Array:
        check_broadcast(ctx, x, y)
        return lower(x, y)

    register(
        name,
        shape=broadcast,
        lower=checked,
        fold=fold and _folding(fold),
        numpy=quick,
        padding=each_row,
        **facts,
    )


def _is_integer(x: Array) -> bool:
    return jnp.issubdtype(x.dtype, jnp.integer)


_BY_ZERO = (errors.InvalidArgumentError, "Integer division by zero")
_UNEXPECTED = (
    errors.InternalError,
    "Unexpected error in binary operator (only integer div and mod should have errors)",
)


def _division(
    name: str,
    lower: Callable[..., Any],
    fold: Callable[..., Any] | None = None,
    error: tuple[type, str] = _BY_ZERO,
) -> None:
    """As `binary`, for ops that refuse to divide integers by zero."""

    def checked(x: Array, y: Array, *, ctx: LoweringContext) -> Array:
        check_broadcast(ctx, x, y)
        if _is_integer(y) and np.size(x):
            nonzero = y != 0
            ctx.check(bool(np.all(nonzero)) if known(y) else jnp.all(nonzero), *error)
            # The run fails anyway; until then the program must not.
            y = jnp.where(nonzero, y, jnp.ones_like(y))
        return lower(x, y)

    def folded(x: Array, y: Array) -> Any:
        if fold is None or (y.dtype.kind in "iu" and x.size and not y.all()):
            return None
        try:
            return fold(x, y)
        except ValueError:
            return None

    def on_numpy(x: Array, y: Array, *, ctx: LoweringContext) -> Array:
        quick = folded(x, y) if x.dtype.kind in "iu" else None
        return checked(x, y, ctx=ctx) if quick is None else quick

    register(
        name,
        shape=broadcast,
        lower=checked,
        fold=fold and folded,
        numpy=fold and on_numpy,
        padding=each_row,
        elementwise=True,
    )


# What single ops mean, where no function of JAX or NumPy is it.


def _maximum(x: Array, y: Array) -> Array:
    # Unlike jnp.maximum: a NaN in y is not passed on, and of equal zeros x's is taken.
    return jnp.where(x < y, y, x)


def _minimum(x: Array, y: Array) -> Array:
    return jnp.where(y < x, y, x)


def _same_shape(x: Array, y: Array) -> tuple[Array, Array]:
    if np.shape(x) == np.shape(y):
        return x, y
    shape = jnp.broadcast_shapes(np.shape(x), np.shape(y))
    return jnp.broadcast_to(x, shape), jnp.broadcast_to(y, shape)


def _truncate_div(x: Array, y: Array) -> Array:
    return lax.div(*_same_shape(x, y))


def _truncate_mod(x: Array, y: Array) -> Array:
    return lax.rem(*_same_shape(x, y))


def _floor_div(x: Array, y: Array) -> Array:
    return jnp.floor_divide(x, y) if _is_integer(x) else jnp.floor(x / y)


def _fold_floor_div(x: Array, y: Array) -> Array:
    return np.floor_divide(x, y) if x.dtype.kind in "iu" else np.floor(x / y)


def _floor_mod(x: Array, y: Array) -> Array:
    rest = _truncate_mod(x, y)
    return jnp.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def _fold_floor_mod(x: Array, y: Array) -> Any:
    # NumPy's remainder of integers; that of real numbers rounds differently.
    return np.mod(x, y) if x.dtype.kind in "iu" else None


def _fold_truncate_div(x: Array, y: Array) -> Any:
    if x.dtype.kind != "i":
        return None
    down = x // y
    return down + ((down < 0) & (down * y != x)).astype(x.dtype)


def _no_nan(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, and 0 where y is 0."""

    def lower(x: Array, y: Array) -> Array:
        value = function(x, y)
        return jnp.where(y == 0, jnp.zeros_like(value), value)

    return lower


def _x_times(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, and 0 where x is 0."""

    def lower(x: Array, y: Array) -> Array:
        value = function(x, y)
        return jnp.where(x == 0, jnp.zeros_like(value), value)

    return lower


def _squared_difference(x: Array, y: Array) -> Array:
    difference = x - y
    return difference * jnp.conj(difference)


def _left_shift(x: Array, y: Array) -> Array:
    return lax.shift_left(*_same_shape(x, _clipped_shift(x, y)))


def _right_shift(x: Array, y: Array) -> Array:
    unsigned = jnp.issubdtype(x.dtype, jnp.unsignedinteger)
    shift = lax.shift_right_logical if unsigned else lax.shift_right_arithmetic
    return shift(*_same_shape(x, _clipped_shift(x, y)))


def _clipped_shift(x: Array, y: Array) -> Array:
    """Where C++ leaves a shift undefined, TF brings its distance into range."""
    return jnp.clip(y, 0, jnp.iinfo(x.dtype).bits - 1)


# op, JAX, NumPy (for values known while tracing), facts
binary("AddV2", add, np.add, operator.add, adds=True, affine="sum", autodiff=True)
binary("Sub", lambda x, y: jnp.subtract(x, y), np.subtract, affine="difference", autodiff=True)
binary("Mul", lambda x, y: jnp.multiply(x, y), np.multiply, affine="product", autodiff=True)
_division("Div", _truncate_div, _fold_truncate_div)
_division("TruncateDiv", _truncate_div, _fold_truncate_div, _UNEXPECTED)
_division("FloorDiv", _floor_div, _fold_floor_div)
_division("FloorMod", _floor_mod, _fold_floor_mod)
_division("TruncateMod", _truncate_mod, np.fmod, _UNEXPECTED)
_division("Mod", _truncate_mod, np.fmod)
binary(
    "RealDiv",
    _truncate_div,
    lambda x, y: np.divide(x, y) if x.dtype.kind == "f" else None,
    lambda x, y: np.divide(x, y) if x.dtype.kind == "f" else _truncate_div(x, y),
    affine="quotient",
)
binary("DivNoNan", _no_nan(jnp.true_divide))
binary("MulNoNan", _no_nan(jnp.multiply))
binary("Xdivy", _x_times(jnp.true_divide))
binary("Xlogy", _x_times(lambda x, y: x * jnp.log(y)))
binary("Maximum", _maximum, lambda x, y: np.where(x < y, y, x), _maximum)
binary("Minimum", _minimum, lambda x, y: np.where(y < x, y, x), _minimum)
# TF's gradient conjugates nothing, so JAX's differs for complex numbers.
binary("SquaredDifference", _squared_difference)
binary("Atan2", lambda x, y: jnp.arctan2(x, y))
binary("NextAfter", lambda x, y: jnp.nextafter(x, y))
binary("Less", lambda x, y: jnp.less(x, y), np.less)
binary("LessEqual", lambda x, y: jnp.less_equal(x, y), np.less_equal)
binary("Greater", lambda x, y: jnp.greater(x, y), np.greater)
binary("GreaterEqual", lambda x, y: jnp.greater_equal(x, y), np.greater_equal)
binary("LogicalAnd", lambda x, y: jnp.logical_and(x, y), np.logical_and, decided_by=False)
binary("LogicalOr", lambda x, y: jnp.logical_or(x, y), np.logical_or, decided_by=True)
binary("BitwiseAnd", lambda x, y: jnp.bitwise_and(x, y), np.bitwise_and)
binary("BitwiseOr", lambda x, y: jnp.bitwise_or(x, y), np.bitwise_or)
binary("BitwiseXor", lambda x, y: jnp.bitwise_xor(x, y), np.bitwise_xor)
binary("LeftShift", _left_shift)
binary("RightShift", _right_shift)
# Strings are added and compared too: their values are known to the host only, which folds.
binary("Add", add, np.add, operator.add, adds=True, affine="sum", autodiff=True)


def _equality_shape(x: Any, y: Any, *, incompatible_shape_error: bool) -> Any:
    if not incompatible_shape_error and x is not None and y is not None:
        rank = max(len(x), len(y))
        for a, b in zip((1,) * (rank - len(x)) + x, (1,) * (rank - len(y)) + y):
            if None in (a, b) and 1 not in (a, b):
                return None  # They may turn out not to fit.
            if a != b and 1 not in (a, b):
                return ()
    return broadcast(x, y)


def _equality(lower: Callable[..., Any], if_incompatible: bool) -> Callable[..., Any]:
    def checked(
        x: Array, y: Array, *, incompatible_shape_error: bool, ctx: LoweringContext
    ) -> Array:
        if incompatible_shape_error:
            check_broadcast(ctx, x, y)
        else:
            try:
                jnp.broadcast_shapes(np.shape(x), np.shape(y))
            except ValueError:
                return np.bool_(if_incompatible)
        return lower(x, y)

    return checked


def _equality_on_numpy(compare: np.ufunc, if_incompatible: bool) -> Callable[..., Any]:
    def on_numpy(x: Array, y: Array, *, incompatible_shape_error: bool) -> Array:
        try:
            return compare(x, y)
        except ValueError:
            if incompatible_shape_error:
                raise
            return np.bool_(if_incompatible)

    return on_numpy


register(
    "Equal",
    shape=_equality_shape,
    lower=_equality(lambda x, y: jnp.equal(x, y), False),
    fold=_folding(np.equal),
    numpy=_equality_on_numpy(np.equal, False),
)
register(
    "NotEqual",
    shape=_equality_shape,
    lower=_equality(lambda x, y: jnp.not_equal(x, y), True),
    fold=_folding(np.not_equal),
    numpy=_equality_on_numpy(np.not_equal, True),
)


def _approximate_equal(x: Array, y: Array, *, tolerance: float, ctx: LoweringContext) -> Array:
    if np.shape(x) != np.shape(y):
        text = (
            f"x and y must be of the same shape. x shape: {text_of_shape(x)}. y shape: "
            f"{text_of_shape(y)}"
        )
        ctx.check(False, errors.InvalidArgumentError, lambda: text)
    return jnp.abs(x - y) < jnp.asarray(tolerance, jnp.abs(x).dtype)


register("ApproximateEqual", shape=merged, lower=_approximate_equal)


def _pow(x: Array, y: Array, *, ctx: LoweringContext) -> Array:
    check_broadcast(ctx, x, y)
    if _is_integer(y):
        fits = y >= 0
        ctx.check(
            bool(np.all(fits)) if known(y) else jnp.all(fits),
            errors.InvalidArgumentError,
            "Integers to negative integer powers are not allowed",
        )
        return _integer_pow(*_same_shape(x, jnp.where(fits, y, jnp.zeros_like(y))))
    return jnp.power(x, y)


def _integer_pow(x: Array, y: Array) -> Array:
    """By squaring: XLA's power looks at six bits of the exponent alone."""
    result = jnp.ones_like(x)
    for bit in range(jnp.iinfo(y.dtype).bits - 1):
        result = jnp.where((y >> bit) & 1, result * x, result)
        x = x * x
    return result


def _fold_pow(x: Array, y: Array) -> Any:
    return None if y.dtype.kind == "i" and (y < 0).any() else np.power(x, y)


register("Pow", shape=broadcast, lower=_pow, fold=_folding(_fold_pow))


# Gradients.


@gradient("Add", "AddV2")
def _add_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    if only_left_of_scalar(op):
        return grad, None
    if equal_static_shapes(x, y, grad):
        return grad, grad
    args = smart_broadcast_args(x, y, grad)
    needs_x, needs_y = needed_gradients(op)
    return args.to_x(grad) if needs_x else None, args.to_y(grad) if needs_y else None


@gradient("Sub")
def _sub_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    if only_left_of_scalar(op):
        return grad, None
    if equal_static_shapes(x, y, grad):
        return grad, -grad
    args = smart_broadcast_args(x, y, grad)
    needs_x, needs_y = needed_gradients(op)
    return args.to_x(grad) if needs_x else None, args.to_y(-grad) if needs_y else None


@gradient("Mul")
def _mul_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    if only_left_of_scalar(op):
        return raw_ops.Mul(grad, math_ops.conj(y)), None
    if equal_static_shapes(x, y, grad) and grad.dtype in (dtypes.int32, dtypes.float32):
        return raw_ops.Mul(grad, y), raw_ops.Mul(grad, x)
    args = smart_broadcast_args(x, y, grad)
    needs_x, needs_y = needed_gradients(op)
    x, y = math_ops.conj(x), math_ops.conj(y)
    grad_x = args.to_x(raw_ops.Mul(grad, y)) if needs_x else None
    return grad_x, args.to_y(raw_ops.Mul(x, grad)) if needs_y else None


@gradient("MulNoNan")
def _mul_no_nan_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    if equal_static_shapes(x, y, grad):
        return raw_ops.MulNoNan(grad, y), raw_ops.MulNoNan(x, grad)
    args = broadcast_args(x, y)
    grad_x = args.to_x(raw_ops.MulNoNan(grad, y))
    return grad_x, args.to_y(raw_ops.MulNoNan(x, grad))


def _quotient_gradient(name: str, divide: Callable[[Any, Any], Any]) -> None:
    """Registers the gradient of a quotient, made of quotients of the same kind."""

    def function(op: Operation, grad: Tensor) -> Any:
        args = broadcast_args(*op.inputs)
        x, y = map(math_ops.conj, op.inputs)
        grad_x = args.to_x(divide(grad, y))
        grad_y = args.to_y(grad * divide(divide(-x, y), y))
        return grad_x, grad_y

    gradient(name)(function)


_quotient_gradient("Div", math_ops.divide)
_quotient_gradient("RealDiv", math_ops.realdiv)
_quotient_gradient("DivNoNan", math_ops.div_no_nan)


@gradient("FloorDiv", "TruncateDiv")
def _no_gradient(op: Operation, grad: Tensor) -> Any:
    return None, None


@gradient("FloorMod")
def _floor_mod_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = map(math_ops.conj, op.inputs)
    args = broadcast_args(x, y)
    quotient = math_ops.floor_div(x, y)
    grad_x = args.to_x(grad)
    return grad_x, args.to_y(grad * math_ops.negative(quotient))


def _after(grad: Any) -> Any:
    return ops.control_dependencies([grad])


def _where_nonzero(x: Any) -> Any:
    return math_ops.cast(math_ops.not_equal(x, math_ops.cast(0.0, dtype=x.dtype)), dtype=x.dtype)


@gradient("Xlogy")
def _xlogy_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    args = broadcast_args(x, y)
    with _after(grad):
        partial_x = raw_ops.Xlogy(_where_nonzero(x), y)
        partial_y = raw_ops.Xdivy(x, y)
        return args.to_x(partial_x * grad), args.to_y(partial_y * grad)


@gradient("Xdivy")
def _xdivy_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    args = broadcast_args(x, y)
    with _after(grad):
        partial_x = raw_ops.Xdivy(_where_nonzero(x), y)
        partial_y = raw_ops.Xdivy(math_ops.negative(x), y**2)
        return args.to_x(partial_x * grad), args.to_y(partial_y * grad)


@gradient("Pow")
def _pow_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    if only_left_of_scalar(op):
        x, y = math_ops.conj(x), math_ops.conj(y)
        return grad * y * math_ops.pow(x, y - 1), None
    args = smart_broadcast_args(x, y, grad)
    needs_x, needs_y = needed_gradients(op)
    x, y = math_ops.conj(x), math_ops.conj(y)
    grad_x = args.to_x(grad * y * math_ops.pow(x, y - 1)) if needs_x else None
    if not needs_y:
        return grad_x, None
    z = math_ops.conj(op.outputs[0])
    # There is no sensible logarithm of x <= 0 (complex: of 0): its gradient is 0.
    mask = math_ops.not_equal(x, 0) if x.dtype.is_complex else x > 0
    safe_x = array_ops.where(mask, x, array_ops.ones_like(x))
    log_x = array_ops.where(mask, math_ops.log(safe_x), array_ops.zeros_like(x))
    return grad_x, args.to_y(grad * z * log_x)


def _extremum_gradient(name: str, selects: Callable[[Any, Any], Any]) -> None:
    """Registers the gradient of Maximum or Minimum: all of it to x where `selects`, else to y."""

    def function(op: Operation, grad: Tensor) -> Any:
        x, y = op.inputs
        if only_left_of_scalar(op):
            zeros = array_ops.zeros_like(grad)
            return array_ops.where(selects(x, y), grad, zeros), None
        x_shape = array_ops.shape(x)
        y_shape = array_ops.shape(y)
        zeros = array_ops.zeros(array_ops.shape(grad), grad.dtype)
        mask = selects(x, y)
        args = BroadcastArgs(x_shape, y_shape, *raw_ops.BroadcastGradientArgs(x_shape, y_shape))
        needs_x, needs_y = needed_gradients(op)
        grad_x = args.to_x(array_ops.where(mask, grad, zeros)) if needs_x else None
        return grad_x, args.to_y(array_ops.where(mask, zeros, grad)) if needs_y else None

    gradient(name)(function)


_extremum_gradient("Maximum", math_ops.greater_equal)
_extremum_gradient("Minimum", math_ops.less_equal)


@gradient("SquaredDifference")
def _squared_difference_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    with _after(grad):
        # Twice the gradient first: a product with a tensor makes an IndexedSlices dense.
        x_grad = math_ops.scalar_mul(2.0, grad) * (x - y)
    if equal_static_shapes(x, y, grad):
        return x_grad, -x_grad
    args = smart_broadcast_args(x, y, grad)
    needs_x, needs_y = needed_gradients(op)
    grad_x = args.to_x(x_grad) if needs_x else None
    return grad_x, -args.to_y(x_grad) if needs_y else None


@gradient("Atan2")
def _atan2_gradient(op: Operation, grad: Tensor) -> Any:
    y, x = op.inputs
    with _after(grad):
        scaled = grad / (math_ops.square(x) + math_ops.square(y))
        return x * scaled, -y * scaled


@gradient("NextAfter")
def _next_after_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    args = broadcast_args(x, y)
    with _after(grad):
        partial_x = array_ops.ones(args.x_shape, dtype=x.dtype)
        partial_y = array_ops.zeros(args.y_shape, dtype=y.dtype)
        return args.to_x(partial_x * grad), args.to_y(partial_y * grad)


not_differentiable(
    "Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual", "ApproximateEqual",
    "LogicalAnd", "LogicalOr", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "LeftShift", "RightShift",
)  # fmt: skip
