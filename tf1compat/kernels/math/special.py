"""Special functions: gamma, beta, zeta, error and Bessel functions, and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.math import math_ops
from tf1compat.backend import jnp, lax, special
from tf1compat.core import errors, ops, raw_ops, shapes
from tf1compat.core.op_registry import Shape, gradient, op
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.framework.common import broadcast_args, text_of_shape
from tf1compat.kernels.math.binary import binary
from tf1compat.kernels.math.math import unary

Array = Any


def _lgamma(x: Array) -> Array:
    # XLA's in float32 is 5e-7 away from the zeros at 1 and 2, where libm, and so TF, is exact.
    return lax.lgamma(x.astype(jnp.float64)).astype(x.dtype)


def _digamma(x: Array) -> Array:
    # At its poles TF gives +inf.
    at_pole = (x <= 0) & (x == jnp.floor(x))
    return jnp.where(at_pole, jnp.asarray(jnp.inf, x.dtype), lax.digamma(x))


def _zeta(x: Array, q: Array) -> Array:
    x, q = jnp.broadcast_arrays(x, q)
    inf, nan = jnp.asarray(jnp.inf, x.dtype), jnp.asarray(jnp.nan, x.dtype)
    value = lax.zeta(x, q)
    # Poles as TF has them: at x = 1, and at the integers q <= 0.
    at_integer = (q <= 0) & (q == jnp.floor(q))
    value = jnp.where((q <= 0) & ~at_integer & (x != jnp.floor(x)), nan, value)
    value = jnp.where(at_integer, inf, value)
    return jnp.where(x == 1, inf, jnp.where(x < 1, nan, value))


def _polygamma(n: Array, x: Array) -> Array:
    n, x = jnp.broadcast_arrays(n, x)
    nan = jnp.asarray(jnp.nan, x.dtype)
    one = jnp.ones_like(n)
    sign = jnp.where(jnp.mod(n, 2 * one) == 0, -one, one)
    value = sign * jnp.exp(lax.lgamma(n + one)) * _zeta(n + one, x)
    value = jnp.where(n == 0, _digamma(x), value)
    return jnp.where((n < 0) | (n != jnp.floor(n)), nan, value)


# From here on XLA's series take long, or for ever; the approximation is exact to rounding.
_IGAMMA_LARGE = 1e7


def _incomplete_gamma(function: Any, complement: bool) -> Any:
    """The incomplete gamma function; by Wilson and Hilferty's approximation (1931) where a is
    large: the cube root of x / a is normal."""

    def lower(a: Array, x: Array) -> Array:
        a, x = jnp.broadcast_arrays(a, x)
        one = jnp.ones_like(a)
        large = a >= _IGAMMA_LARGE
        far = x == jnp.inf
        near = function(jnp.where(large, one, a), jnp.where(large | far, one, x))
        spread = one / (9 * jnp.where(large, a, one))
        ratio = jnp.power(jnp.maximum(x, jnp.zeros_like(x)) / jnp.where(large, a, one), 1 / 3)
        normal = (ratio - (one - spread)) * lax.rsqrt(2 * spread)
        tail = lax.erfc(normal if complement else -normal) / 2
        end = jnp.zeros_like(a) if complement else one
        value = jnp.where(far & (a < jnp.inf), end, jnp.where(large, tail, near))
        value = jnp.where((a > 0) & (x >= 0), value, jnp.asarray(jnp.nan, a.dtype))
        return value if complement else jnp.where(x == 0, jnp.zeros_like(a), value)

    return lower


def _igamma_grad_a(a: Array, x: Array) -> Array:
    a, x = jnp.broadcast_arrays(a, x)
    one = jnp.ones_like(a)
    large = a >= _IGAMMA_LARGE
    near = lax.igamma_grad_a(jnp.where(large, one, a), jnp.where(large, one, x))
    # The derivative of the normal distribution that is left.
    distance = (x - a) * lax.rsqrt(jnp.where(large, a, one))
    density = jnp.exp(-distance * distance / 2) * lax.rsqrt(2 * np.pi * jnp.where(large, a, one))
    return jnp.where(large, -density, near)


unary("Erf", lambda x: lax.erf(x))
unary("Erfc", lambda x: lax.erfc(x))
unary("Lgamma", _lgamma)
unary("Digamma", _digamma)
unary("BesselI0e", lambda x: special.i0e(x))
unary("BesselI1e", lambda x: special.i1e(x))
# Series, gone on with until all of an array are near enough: not quite elementwise.
binary("Igamma", _incomplete_gamma(lambda a, x: lax.igamma(a, x), False), elementwise=False)
binary("Igammac", _incomplete_gamma(lambda a, x: lax.igammac(a, x), True), elementwise=False)
binary("IgammaGradA", _igamma_grad_a, elementwise=False)
binary("Zeta", _zeta)
binary("Polygamma", _polygamma)


@op("Betainc")
class Betainc:
    def shape(a: Any, b: Shape, x: Shape) -> Shape:
        merged: Shape = None
        scalars = 0
        other: Shape = None
        for shape in (a, b, x):
            if shape is None:
                other = None
            elif shape == ():
                scalars += 1
            else:
                merged = other = shapes.merge(merged, shape)
        if scalars == 3:
            return ()
        return other if scalars == 2 else merged

    def lower(a: Any, b: Array, x: Array, *, ctx: LoweringContext) -> Array:
        values = {"a": a, "b": b, "x": x}
        sized = [name for name, value in values.items() if np.ndim(value)]
        for first in sized:
            for second in sized:
                if np.shape(values[first]) != np.shape(values[second]):
                    text = (
                        f"Shapes of {first} and {second} are inconsistent: "
                        f"{text_of_shape(values[first])} vs. {text_of_shape(values[second])}"
                    )
                    ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
        a, b, x = jnp.broadcast_arrays(a, b, x)
        nan = jnp.asarray(jnp.nan, x.dtype)
        finite = (a < jnp.inf) & (b < jnp.inf)
        value = jnp.where((x == 0) | (x == 1), x, jnp.where(finite, lax.betainc(a, b, x), nan))
        return jnp.where((a <= 0) | (b <= 0), nan, value)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        a, b, x = op.inputs
        a_shape, x_shape = array_ops.shape(a), array_ops.shape(x)
        _, x_axes = raw_ops.BroadcastGradientArgs(a_shape, x_shape)
        log_beta = raw_ops.Lgamma(a) + raw_ops.Lgamma(b) - raw_ops.Lgamma(a + b)
        partial_x = math_ops.exp(
            (b - 1) * math_ops.log(1 - x) + (a - 1) * math_ops.log(x) - log_beta
        )
        grad_x = math_ops.reduce_sum(partial_x * grad, x_axes)
        return None, None, array_ops.reshape(grad_x, x_shape)


# Gradients.


def _erf_gradient(sign: int) -> Any:
    def function(op: Operation, grad: Tensor) -> Any:
        factor = constant(sign * 2 / np.sqrt(np.pi), dtype=grad.dtype)
        with ops.control_dependencies([grad]):
            x = math_ops.conj(op.inputs[0])
            return grad * factor * math_ops.exp(-math_ops.square(x))

    return function


gradient("Erf")(_erf_gradient(1))
gradient("Erfc")(_erf_gradient(-1))


@gradient("Lgamma")
def _lgamma_gradient(op: Operation, grad: Tensor) -> Any:
    with ops.control_dependencies([grad]):
        x = math_ops.conj(op.inputs[0])
        return grad * math_ops.digamma(x)


@gradient("Digamma")
def _digamma_gradient(op: Operation, grad: Tensor) -> Any:
    with ops.control_dependencies([grad]):
        x = math_ops.conj(op.inputs[0])
        return grad * math_ops.polygamma(constant(1, dtype=x.dtype), x)


@gradient("BesselI0e")
def _bessel_i0e_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    with ops.control_dependencies([grad]):
        return grad * (math_ops.bessel_i1e(x) - math_ops.sign(x) * y)


@gradient("BesselI1e")
def _bessel_i1e_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    with ops.control_dependencies([grad]):
        # Near 0 the formula divides by x; the limit is 0.5.
        eps = np.finfo(x.dtype.as_numpy_dtype).eps
        zeros = array_ops.zeros_like(x)
        is_large = math_ops.abs(x) > eps
        safe_x = array_ops.where(is_large, x, eps + zeros)
        slope = math_ops.bessel_i0e(safe_x) - y * (
            math_ops.sign(safe_x) + math_ops.reciprocal(safe_x)
        )
        return grad * array_ops.where(is_large, slope, 0.5 + zeros)


@gradient("Igamma")
def _igamma_gradient(op: Operation, grad: Tensor) -> Any:
    a, x = op.inputs
    args = broadcast_args(a, x)
    with ops.control_dependencies([grad]):
        partial_a = raw_ops.IgammaGradA(a, x)
        partial_x = math_ops.exp(-x + (a - 1) * math_ops.log(x) - math_ops.lgamma(a))
        grad_a = args.to_x(partial_a * grad)
        return grad_a, args.to_y(partial_x * grad)


@gradient("Igammac")
def _igammac_gradient(op: Operation, grad: Tensor) -> Any:
    grad_a, grad_x = _igamma_gradient(op, grad)
    return -grad_a, -grad_x


@gradient("Zeta")
def _zeta_gradient(op: Operation, grad: Tensor) -> Any:
    x, q = op.inputs
    args = broadcast_args(x, q)
    with ops.control_dependencies([grad]):
        x, q = math_ops.conj(x), math_ops.conj(q)
        partial_q = -x * math_ops.zeta(x + 1, q)
        return None, args.to_y(partial_q * grad)


@gradient("Polygamma")
def _polygamma_gradient(op: Operation, grad: Tensor) -> Any:
    n, x = op.inputs
    args = broadcast_args(n, x)
    with ops.control_dependencies([grad]):
        n, x = math_ops.conj(n), math_ops.conj(x)
        partial_x = math_ops.polygamma(n + 1, x)
        return None, args.to_y(partial_x * grad)
