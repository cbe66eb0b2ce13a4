"""Changing the type of elements: casts, bits read as another type, and complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.math import math_ops
from tf1compat.backend import jnp, lax
from tf1compat.core import dtypes, errors, ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import gradient, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.array.padded_rows import of_cast
from tf1compat.kernels.framework.common import (
    broadcast,
    broadcast_args,
    check_broadcast,
    jnp_dtype,
    refuse,
    same,
)

Array = Any


def _to_integer(x: Array, dtype: Any) -> Array:
    """Real numbers to integers as x86 processors do it: what does not fit becomes the lowest.

    Types of less than 32 bits take the low bits of an int32; uint32 takes those of an int64.
    """
    info = jnp.iinfo(dtype)
    if dtype == jnp.uint64:
        half = jnp.asarray(2.0**63, x.dtype)
        upper = _to_integer(x - half, jnp.int64) ^ jnp.asarray(jnp.iinfo(jnp.int64).min, jnp.int64)
        return jnp.where(x >= half, upper, _to_integer(x, jnp.int64)).astype(dtype)
    register = jnp.int64 if info.bits == 64 or dtype == jnp.uint32 else jnp.int32
    limit = jnp.asarray(2.0 ** (jnp.iinfo(register).bits - 1), x.dtype)
    fits = (x >= -limit) & (x < limit)
    lowest = jnp.asarray(jnp.iinfo(register).min, register)
    value = jnp.where(fits, jnp.where(fits, x, jnp.zeros_like(x)).astype(register), lowest)
    return value.astype(dtype)


@op("Cast", padding=of_cast, elementwise=True)
class Cast:
    shape = same

    def lower(x: Any, *, SrcT: DType, DstT: DType, Truncate: bool, ctx: LoweringContext) -> Array:
        if dtypes.string in (SrcT, DstT):
            ctx.check(
                False,
                errors.UnimplementedError,
                lambda: f"Cast {dtypes.cpp_name(SrcT)} to {dtypes.cpp_name(DstT)} is not supported",
            )
        if Truncate:
            raise NotImplementedError("Cast with Truncate=True is not supported by tf1compat yet")
        dtype = jnp_dtype(DstT)
        x = jnp.asarray(x)
        if SrcT.is_complex and not DstT.is_complex:
            x = jnp.real(x)
        if dtype == jnp.bool_:
            return x != 0
        if jnp.issubdtype(x.dtype, jnp.floating) and jnp.issubdtype(dtype, jnp.integer):
            # Half precision can't hold the limits of the range.
            return _to_integer(x.astype(jnp.float32) if x.dtype.itemsize < 4 else x, dtype)
        return x.astype(dtype)

    def fold(x: Any, *, DstT: Any) -> Any:
        if x.dtype.kind not in "biuf" or DstT is dtypes.string:
            return None
        # What does not fit is left to the lowering: NumPy's result depends on the machine.
        if x.dtype.kind == "f" and DstT.is_integer and not (np.abs(x) < 2**31).all():
            return None
        return x.astype(DstT.as_numpy_dtype)

    def gradient(op: Any, grad: Tensor) -> Any:
        source = op.inputs[0].dtype.base_dtype
        if all(dtype.is_floating or dtype.is_complex for dtype in (source, grad.dtype.base_dtype)):
            return math_ops.cast(grad, source)
        return None


@op("Bitcast")
class Bitcast:
    def shape(input: Any, *, T: DType, type: DType) -> Shape:
        if input is None or T.size == type.size:
            return input
        if T.size > type.size:
            return (*input, T.size // type.size)
        ratio = type.size // T.size
        last = shapes.with_rank_at_least(input, 1)[-1]  # pyright: ignore[reportOptionalSubscript]
        if last is not None and last != ratio:
            raise ShapeError(f"Cannot bitcast due to shape. {last} does not match {ratio}")
        return input[:-1]

    def lower(input: Any, *, T: DType, type: DType, ctx: LoweringContext) -> Array:
        if type.size > T.size and np.shape(input)[-1:] != (type.size // T.size,):
            codes = T.as_datatype_enum, type.as_datatype_enum
            refuse(ctx, f"Cannot bitcast from {codes[0]} to {codes[1]}")
        if jnp.issubdtype(input.dtype, jnp.complexfloating):
            half = input.dtype.itemsize // 2
            parts = jnp.stack([jnp.real(input), jnp.imag(input)], -1)
            if type.is_complex:
                return input
            if type.size == half:
                return lax.bitcast_convert_type(parts, jnp_dtype(type))
            bits = lax.bitcast_convert_type(parts, jnp.uint8)
            bits = bits.reshape(
                (*input.shape, -1, type.size) if type.size > 1 else (*input.shape, -1)
            )
            return lax.bitcast_convert_type(bits, jnp_dtype(type)) if type.size > 1 else bits
        if type.is_complex:
            real = jnp.float32 if type.size == 8 else jnp.float64
            bits = lax.bitcast_convert_type(input, jnp.uint8)
            bits = bits.reshape(
                (*input.shape[: input.ndim - (type.size > T.size)], 2, type.size // 2)
            )
            parts = lax.bitcast_convert_type(bits, real)
            return lax.complex(parts[..., 0], parts[..., 1])
        return lax.bitcast_convert_type(input, jnp_dtype(type))


# Complex numbers.


def _complex(real: Array, imag: Array, *, ctx: LoweringContext) -> Array:
    check_broadcast(ctx, real, imag)
    shape = jnp.broadcast_shapes(np.shape(real), np.shape(imag))
    return lax.complex(jnp.broadcast_to(real, shape), jnp.broadcast_to(imag, shape))


register("Complex", shape=broadcast, lower=_complex)
register("Real", shape=same, lower=lambda x: jnp.real(x))
register("Imag", shape=same, lower=lambda x: jnp.imag(x))
register("Angle", shape=same, lower=lambda x: jnp.angle(x))
register("ComplexAbs", shape=same, lower=lambda x: jnp.abs(x))
register("Conj", shape=same, lower=lambda x: jnp.conj(x))


@gradient("Complex")
def _complex_gradient(op: Operation, grad: Tensor) -> Any:
    args = broadcast_args(*op.inputs)
    grad_real = args.to_x(math_ops.real(grad))
    return grad_real, args.to_y(math_ops.imag(grad))


@gradient("Real")
def _real_gradient(op: Operation, grad: Tensor) -> Any:
    return math_ops.complex(grad, constant(0, dtype=grad.dtype))


@gradient("Imag")
def _imag_gradient(op: Operation, grad: Tensor) -> Any:
    return math_ops.complex(constant(0, dtype=grad.dtype), grad)


@gradient("Angle")
def _angle_gradient(op: Operation, grad: Tensor) -> Any:
    x = op.inputs[0]
    with ops.control_dependencies([grad]):
        re = math_ops.real(x)
        im = math_ops.imag(x)
        z = math_ops.reciprocal(math_ops.complex(im, re))
        zero = constant(0, dtype=grad.dtype)
        complex_grad = math_ops.complex(grad, zero)
        return -complex_grad * z


@gradient("Conj")
def _conj_gradient(op: Operation, grad: Tensor) -> Any:
    return math_ops.conj(grad)


@gradient("ComplexAbs")
def _complex_abs_gradient(op: Operation, grad: Tensor) -> Any:
    numerator = math_ops.complex(grad, array_ops.zeros_like(grad)) * op.inputs[0]
    y = op.outputs[0]
    return math_ops.div_no_nan(numerator, math_ops.complex(y, array_ops.zeros_like(y)))
