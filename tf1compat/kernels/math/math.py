"""Elementwise math of one input: one line an op, and the gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.math import math_ops
from tf1compat.backend import jnp, lax
from tf1compat.core import ops, raw_ops
from tf1compat.core.op_registry import gradient, not_differentiable, register
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.array.padded_rows import each_row
from tf1compat.kernels.framework.common import refuse, same

Array = Any


def unary(
    name: str, lower: Callable[..., Any], fold: Callable[..., Any] | None = None, **facts: Any
) -> None:
    """Registers an elementwise op: its meaning in JAX, and in NumPy for known values."""
    register(name, shape=same, lower=lower, fold=fold, padding=each_row, elementwise=True, **facts)


_CAST = "Invalid cast from floating point type to {} in ConstantR0WithType."
_NO_COSINE = (
    "Expected element type in shape to be floating or complex for cosine operation; got {}."
)


def _sign(x: Array) -> Array:
    if jnp.iscomplexobj(x):
        return jnp.sign(x)
    # Unlike jnp.sign: that of NaN is 0.
    return (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)


def _round(x: Array) -> Array:
    return jnp.round(x) if jnp.issubdtype(x.dtype, jnp.inexact) else x


def _expm1(x: Array) -> Array:
    if not jnp.issubdtype(x.dtype, jnp.complexfloating):
        return jnp.expm1(x)
    # As TF has it: the logarithm knows angles up to pi alone.
    raised = jnp.exp(x)
    near = raised == 1
    logarithm = jnp.where(near, jnp.ones_like(x), jnp.log(raised))
    value = (raised - jnp.ones_like(x)) * x / logarithm
    far = raised - jnp.ones_like(x) == -jnp.ones_like(x)
    return jnp.where(near, x, jnp.where(far, -jnp.ones_like(x), value))


def _of_floats(name: str, function: Callable[[Array], Array], text: str = _CAST) -> None:
    """Registers an elementwise op that TF takes integers for and then has no kernel for them."""

    def lower(x: Array, *, ctx: LoweringContext) -> Array:
        dtype = np.dtype(x.dtype)
        if dtype.kind == "i":
            refuse(ctx, text.format(f"S{8 * dtype.itemsize}"))
        return function(x)

    unary(name, lower)


# op, JAX, NumPy (for values known while tracing), facts
unary("Abs", lambda x: jnp.abs(x), np.abs)
unary("Neg", lambda x: jnp.negative(x), np.negative, autodiff=True)
unary("Sign", _sign, lambda x: np.nan_to_num(np.sign(x)) if x.dtype.kind != "c" else None)
unary("Square", lambda x: x * x, np.square, autodiff=True)
unary("Sqrt", lambda x: jnp.sqrt(x), np.sqrt)
unary("Rsqrt", lambda x: lax.rsqrt(x))
unary("Exp", lambda x: jnp.exp(x), autodiff=True)
unary("Expm1", _expm1, autodiff=True)
unary(
    "Log",
    lambda x: jnp.log(x),
    # As shape functions need it; of what is not positive the run itself makes NaN or infinity.
    lambda x: np.log(x) if x.dtype.kind == "f" and np.all(x > 0) else None,
    autodiff=True,
)
unary("Log1p", lambda x: jnp.log1p(x), autodiff=True)
unary("Sin", lambda x: jnp.sin(x), autodiff=True)
unary("Cos", lambda x: jnp.cos(x), autodiff=True)
_of_floats("Tan", lambda x: jnp.tan(x), _NO_COSINE)
_of_floats("Asin", lambda x: jnp.arcsin(x))
_of_floats("Acos", lambda x: jnp.arccos(x))
_of_floats("Atan", lambda x: jnp.arctan(x))
unary("Sinh", lambda x: jnp.sinh(x), autodiff=True)
unary("Cosh", lambda x: jnp.cosh(x), autodiff=True)
unary("Tanh", lambda x: jnp.tanh(x), autodiff=True)
unary("Asinh", lambda x: jnp.arcsinh(x))
unary("Acosh", lambda x: jnp.arccosh(x))
unary("Atanh", lambda x: jnp.arctanh(x))
unary("Sigmoid", lambda x: lax.logistic(x), autodiff=True)
_of_floats("Reciprocal", lambda x: jnp.reciprocal(x))
_of_floats("Inv", lambda x: jnp.reciprocal(x))
unary("Ceil", lambda x: jnp.ceil(x), np.ceil)
unary("Floor", lambda x: jnp.floor(x), np.floor)
unary("Round", _round, np.round)
unary("Rint", lambda x: jnp.rint(x), np.rint)
unary("IsNan", lambda x: jnp.isnan(x), np.isnan, autodiff=True)
unary("IsInf", lambda x: jnp.isinf(x), np.isinf, autodiff=True)
unary("IsFinite", lambda x: jnp.isfinite(x), np.isfinite, autodiff=True)
unary("LogicalNot", lambda x: jnp.logical_not(x), np.logical_not)
unary("Invert", lambda x: jnp.bitwise_not(x), np.invert)
unary("PopulationCount", lambda x: lax.population_count(x).astype(jnp.uint8))


def _backprop(name: str, lower: Callable[[Array, Array], Array]) -> None:
    """Registers an op that takes the output of a function and the gradient there."""
    register(name, shape=same, lower=lower)


def _unless_zero(dy: Array, value: Array) -> Array:
    """`value`, and 0 where the gradient that comes in is 0, whatever it meets there."""
    return jnp.where(dy == 0, jnp.zeros_like(value), value)


def _scaled(x: Array, factor: float) -> Array:
    return x * jnp.asarray(factor, x.dtype)


def _sqrt_grad(y: Array, dy: Array) -> Array:
    return _unless_zero(dy, _scaled(dy, 0.5) / jnp.conj(y))


def _rsqrt_grad(y: Array, dy: Array) -> Array:
    y = jnp.conj(y)
    return _unless_zero(dy, _scaled(dy * y, -0.5) * (y * y))


def _reciprocal_grad(y: Array, dy: Array) -> Array:
    y = jnp.conj(y)
    return _unless_zero(dy, -dy * (y * y))


_backprop("SqrtGrad", _sqrt_grad)
_backprop("RsqrtGrad", _rsqrt_grad)
_backprop("ReciprocalGrad", _reciprocal_grad)
_backprop("InvGrad", _reciprocal_grad)
# Unlike the others, these take complex y conjugated already.
_backprop("TanhGrad", lambda y, dy: dy * (y.dtype.type(1) - y * y))
_backprop("SigmoidGrad", lambda y, dy: dy * (y * (y.dtype.type(1) - y)))


# Gradients.


@gradient("Abs")
def _abs_gradient(op: Operation, grad: Tensor) -> Any:
    return grad * math_ops.sign(op.inputs[0])


@gradient("Neg")
def _neg_gradient(op: Operation, grad: Tensor) -> Any:
    return -grad


@gradient("Sign")
def _sign_gradient(op: Operation, grad: Tensor) -> Any:
    x = op.inputs[0]
    return array_ops.zeros(array_ops.shape(x), dtype=x.dtype)


@gradient("Inv", "Reciprocal")
def _reciprocal_gradient(op: Operation, grad: Tensor) -> Any:
    return raw_ops.ReciprocalGrad(op.outputs[0], grad)


@gradient("InvGrad", "ReciprocalGrad")
def _reciprocal_grad_gradient(op: Operation, grad: Tensor) -> Any:
    b = op.inputs[1]
    with ops.control_dependencies([grad]):
        ca = math_ops.conj(op.inputs[0])
        cg = math_ops.conj(grad)
        return cg * -2.0 * b * ca, raw_ops.ReciprocalGrad(ca, grad)


@gradient("Square")
def _square_gradient(op: Operation, grad: Tensor) -> Any:
    x = op.inputs[0]
    with ops.control_dependencies([grad]):
        x = math_ops.conj(x)
        two = constant(2.0, dtype=x.dtype)
        return raw_ops.Mul(grad, raw_ops.Mul(x, two))


@gradient("Sqrt")
def _sqrt_gradient(op: Operation, grad: Tensor) -> Any:
    return raw_ops.SqrtGrad(op.outputs[0], grad)


@gradient("SqrtGrad")
def _sqrt_grad_gradient(op: Operation, grad: Tensor) -> Any:
    a = op.inputs[0]
    y = op.outputs[0]
    with ops.control_dependencies([grad]):
        ga = grad / a
        return -math_ops.conj(ga) * y, 0.5 * ga


@gradient("Rsqrt")
def _rsqrt_gradient(op: Operation, grad: Tensor) -> Any:
    return raw_ops.RsqrtGrad(op.outputs[0], grad)


@gradient("RsqrtGrad")
def _rsqrt_grad_gradient(op: Operation, grad: Tensor) -> Any:
    a, b = op.inputs
    with ops.control_dependencies([grad]):
        ca = math_ops.conj(a)
        cg = math_ops.conj(grad)
        grad_a = -1.5 * cg * b * math_ops.square(ca)
        return grad_a, raw_ops.RsqrtGrad(ca, grad)


def _by_input(name: str, record: Callable[[Any, Any], Any]) -> None:
    """Registers a gradient that is made of the op's input, after the gradient that comes in."""

    def function(op: Operation, grad: Tensor) -> Any:
        with ops.control_dependencies([grad]):
            return record(math_ops.conj(op.inputs[0]), grad)

    gradient(name)(function)


def _by_output(name: str, record: Callable[[Any, Any], Any]) -> None:
    """As `_by_input`, from the op's output."""

    def function(op: Operation, grad: Tensor) -> Any:
        with ops.control_dependencies([grad]):
            return record(math_ops.conj(op.outputs[0]), grad)

    gradient(name)(function)


def _tan_gradient(x: Any, grad: Any) -> Any:
    secant = math_ops.reciprocal(math_ops.cos(x))
    return math_ops.square(secant) * grad


def _one_minus_square(x: Any, grad: Any) -> Any:
    squared = math_ops.square(x)
    one = constant(1, dtype=grad.dtype)
    return math_ops.subtract(one, squared)


def _asin_gradient(x: Any, grad: Any) -> Any:
    return grad * math_ops.reciprocal(math_ops.sqrt(_one_minus_square(x, grad)))


def _acos_gradient(x: Any, grad: Any) -> Any:
    inverse = math_ops.reciprocal(math_ops.sqrt(_one_minus_square(x, grad)))
    return -grad * inverse


def _atan_gradient(x: Any, grad: Any) -> Any:
    squared = math_ops.square(x)
    one = constant(1, dtype=grad.dtype)
    return grad * math_ops.reciprocal(math_ops.add(one, squared))


_by_output("Exp", lambda y, grad: grad * y)
_by_output("Tanh", lambda y, grad: raw_ops.TanhGrad(y, grad))
_by_output("Sigmoid", lambda y, grad: raw_ops.SigmoidGrad(y, grad))
_by_output("Asinh", lambda y, grad: grad / math_ops.cosh(y))
_by_output("Acosh", lambda y, grad: grad / math_ops.sinh(y))
_by_input("Expm1", lambda x, grad: grad * math_ops.exp(x))
_by_input("Log", lambda x, grad: grad * math_ops.reciprocal(x))
_by_input("Log1p", lambda x, grad: grad * math_ops.reciprocal(1 + x))
_by_input("Sin", lambda x, grad: grad * math_ops.cos(x))
_by_input("Cos", lambda x, grad: -grad * math_ops.sin(x))
_by_input("Tan", _tan_gradient)
_by_input("Asin", _asin_gradient)
_by_input("Acos", _acos_gradient)
_by_input("Atan", _atan_gradient)
_by_input("Sinh", lambda x, grad: grad * math_ops.cosh(x))
_by_input("Cosh", lambda x, grad: grad * math_ops.sinh(x))
_by_input("Atanh", lambda x, grad: grad * math_ops.reciprocal(_one_minus_square(x, grad)))


@gradient("TanhGrad")
def _tanh_grad_gradient(op: Operation, grad: Tensor) -> Any:
    with ops.control_dependencies([grad]):
        a = math_ops.conj(op.inputs[0])
        b = math_ops.conj(op.inputs[1])
        return grad * -2.0 * b * a, raw_ops.TanhGrad(a, grad)


@gradient("SigmoidGrad")
def _sigmoid_grad_gradient(op: Operation, grad: Tensor) -> Any:
    with ops.control_dependencies([grad]):
        a = math_ops.conj(op.inputs[0])
        b = math_ops.conj(op.inputs[1])
        gb = grad * b
        return gb - 2.0 * gb * a, raw_ops.SigmoidGrad(a, grad)


@gradient("Floor", "Ceil", "Round", "Rint")
def _no_gradient(op: Operation, grad: Tensor) -> Any:
    return [None]


not_differentiable("LogicalNot", "Invert", "PopulationCount")
