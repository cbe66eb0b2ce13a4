"""Fourier transforms over the last one, two or three dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.signal import fft_ops
from tf1compat.backend import jnp
from tf1compat.core import dtypes, shapes
from tf1compat.core.op_registry import Shape, gradient, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape

Array = Any


def _check_rank(ctx: LoweringContext, input: Array, rank: int) -> None:
    if np.ndim(input) < rank:
        refuse(ctx, f"Input must have rank of at least {rank} but got: {text_of_shape(input)}")


def _complex(name: str, rank: int, transform: Callable[..., Array]) -> None:
    """Registers a transform of complex numbers."""

    def shape(input: Any) -> Shape:
        return shapes.with_rank_at_least(input, rank)

    def lower(input: Any, *, ctx: LoweringContext) -> Array:
        _check_rank(ctx, input, rank)
        if 0 in input.shape:
            return jnp.asarray(input)
        return transform(input, axes=tuple(range(-rank, 0)))

    register(name, shape=shape, lower=lower)
    register(f"Batch{name}", shape=shape, lower=lower)  # Its name before GraphDef version 15.


def _real(name: str, rank: int, inverse: bool) -> None:
    """Registers a transform of real numbers, or its inverse."""

    def shape(input: Any, fft_length: Shape, *, op: Any) -> Shape:
        input = shapes.with_rank_at_least(input, rank)
        length = shapes.with_rank(fft_length, 1)
        shapes.dim_with_value(length[0], rank)
        if input is None:
            return None
        sizes = op.const_input(1)
        if sizes is None:
            return (*input[:-rank], *shapes.unknown(rank))
        sizes = [int(size) for size in sizes]
        if sizes[-1] and not inverse:
            sizes[-1] = int(sizes[-1] / 2) + 1  # As C++ divides.
        for size in sizes:
            if size < -1:
                raise ShapeError(f"Dimension size, given by tensor, must be non-negative: {size}")
        return (*input[:-rank], *[None if size == -1 else size for size in sizes])

    def lower(input: Any, fft_length: Array, *, ctx: LoweringContext) -> Array:
        _check_rank(ctx, input, rank)
        if np.shape(fft_length) != (rank,):
            refuse(ctx, f"fft_length must have shape [{rank}]")
        sizes = [int(size) for size in fft_length]
        halved = [*sizes[:-1], sizes[-1] // 2 + 1]
        needed = halved if inverse else sizes
        result = sizes if inverse else halved
        batch = np.shape(input)[:-rank]
        for i, size in enumerate(needed):
            found = np.shape(input)[len(batch) + i]
            if (found < size or size < 0) and 0 not in np.shape(input)[len(batch) :]:
                # TF compares without signs.
                size = size % (1 << 64 if not inverse or i < rank - 1 else 1 << 63)
                refuse(
                    ctx,
                    f"Input dimension {len(batch) + i} must have length of at least {size} but "
                    f"got: {found}",
                )
        if 0 in (*np.shape(input), *sizes):
            result = [0 if size == 0 else n for size, n in zip(sizes, result, strict=True)]
            dtype = np.float32 if inverse else np.complex64
            return jnp.zeros((*batch, *result), dtype)
        part = input[(..., *(slice(size) for size in needed))]
        transform = jnp.fft.irfftn if inverse else jnp.fft.rfftn
        return transform(part, s=sizes, axes=tuple(range(-rank, 0)))

    register(name, shape=shape, lower=lower, const=(1,))


for _rank, _suffix in enumerate(("", "2D", "3D"), 1):
    _complex(f"FFT{_suffix}", _rank, jnp.fft.fftn)
    _complex(f"IFFT{_suffix}", _rank, jnp.fft.ifftn)
    _real(f"RFFT{_suffix}", _rank, inverse=False)
    _real(f"IRFFT{_suffix}", _rank, inverse=True)


# Gradients.


def _count(grad: Any, rank: int) -> Any:
    """How many numbers are transformed at once."""
    return math_ops.reduce_prod(array_ops.shape(grad)[-rank:])


def _complex_gradient(rank: int, inverse: Callable[..., Any]) -> Callable[..., Any]:
    def function(_: Any, grad: Any) -> Any:
        size = math_ops.cast(_count(grad, rank), grad.dtype)
        return inverse(grad) * size

    return function


def _complex_inverse_gradient(rank: int, forward: Callable[..., Any]) -> Callable[..., Any]:
    def function(_: Any, grad: Any) -> Any:
        size = math_ops.cast(_count(grad, rank), grad.dtype.real_dtype)
        scale = math_ops.cast(1.0 / size, grad.dtype)
        return forward(grad) * scale

    return function


gradient("FFT")(_complex_gradient(1, fft_ops.ifft))
gradient("FFT2D")(_complex_gradient(2, fft_ops.ifft2d))
gradient("FFT3D")(_complex_gradient(3, fft_ops.ifft3d))
gradient("IFFT")(_complex_inverse_gradient(1, fft_ops.fft))
gradient("IFFT2D")(_complex_inverse_gradient(2, fft_ops.fft2d))
gradient("IFFT3D")(_complex_inverse_gradient(3, fft_ops.fft3d))


def _alternating(length: Any) -> Any:
    """1, -1, 1, -1, …"""
    return math_ops.cast(1 - 2 * (math_ops.range(length) % 2), dtypes.complex64)


def _twiddles(length: Any) -> Any:
    """exp(-2 pi i a b / length) for all a and b below `length`."""
    a = array_ops.tile(array_ops.expand_dims(math_ops.range(length), 0), (length, 1))
    b = array_ops.transpose(a, [1, 0])
    return math_ops.exp(
        -2j
        * np.pi
        * math_ops.cast(a * b, dtypes.complex64)
        / math_ops.cast(length, dtypes.complex64)
    )


def _repeated(matrix: Any, like: Any) -> Any:
    """`matrix` for each of the batch of `like`."""
    ones = array_ops.ones([array_ops.rank(like) - 2], dtypes.int32)
    spread = array_ops.reshape(matrix, array_ops.concat([ones, array_ops.shape(matrix)], 0))
    return array_ops.tile(spread, array_ops.concat([array_ops.shape(like)[:-2], [1, 1]], 0))


def _real_gradient(rank: int, inverse: Callable[..., Any]) -> Callable[..., Any]:
    def function(op: Operation, grad: Tensor) -> Any:
        length = op.inputs[1]
        shape = array_ops.shape(op.inputs[0])
        is_even = math_ops.cast(1 - (length[-1] % 2), dtypes.complex64)
        # What the inverse counts twice by symmetry: the first column, and the last one of an
        # even length.
        first = grad[..., 0:1]
        if rank == 1:
            last = grad[..., -1:]
            extra = first + is_even * last * _alternating(shape[-1])
        else:
            twiddles = _repeated(_twiddles(shape[-2]), first)
            extra = math_ops.matmul(twiddles, math_ops.conj(first))
            last = grad[..., -1:]
            term = math_ops.matmul(twiddles, math_ops.conj(last))
            inner = shape[-1]
            ones = array_ops.ones([array_ops.rank(grad) - 1], dtypes.int32)
            term = array_ops.tile(term, array_ops.concat([ones, [inner]], 0)) * _alternating(inner)
            extra += is_even * term
        size = math_ops.cast(_count(op.inputs[0], rank), dtypes.float32)
        symmetric = inverse(grad, length)
        return 0.5 * (symmetric * size + math_ops.real(extra)), None

    return function


def _real_inverse_gradient(rank: int, forward: Callable[..., Any]) -> Callable[..., Any]:
    def function(op: Operation, grad: Tensor) -> Any:
        length = op.inputs[1]
        is_odd = math_ops.mod(length[-1], 2)
        columns = array_ops.shape(op.inputs[0])[-1]
        # 1, 2, …, 2, and 1 again for an even length.
        mask = array_ops.concat(
            [
                [1.0],
                2.0 * array_ops.ones([columns - 2 + is_odd]),
                array_ops.ones([1 - is_odd]),
            ],
            0,
        )
        scale = math_ops.reciprocal(math_ops.cast(_count(grad, rank), dtypes.float32))
        transformed = forward(grad, length)
        return transformed * math_ops.cast(scale * mask, dtypes.complex64), None

    return function


gradient("RFFT")(_real_gradient(1, fft_ops.irfft))
gradient("IRFFT")(_real_inverse_gradient(1, fft_ops.rfft))
gradient("RFFT2D")(_real_gradient(2, fft_ops.irfft2d))
gradient("IRFFT2D")(_real_inverse_gradient(2, fft_ops.rfft2d))
