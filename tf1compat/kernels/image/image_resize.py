"""Resizing images.

Every method is separable: along each axis, an output pixel is a sum of a few input pixels. Which
ones, and how much of each, is worked out while compiling; TF's float32 arithmetic is kept, because
it decides between neighbouring pixels.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.backend import Array, at, jnp, lax
from tf1compat.core import errors, raw_ops, shapes
from tf1compat.core.op_registry import gradient, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape

_ROWS, _COLUMNS = 1, 2
_F32 = np.float32


# Shapes and checks.


def _sized_shape(images: Any, size: Any, op: Any) -> Any:
    """The shape of images of which input 1 gives the rows and columns."""
    images = shapes.with_rank(images, 4)
    shapes.dim_with_value(shapes.with_rank(size, 1)[0], 2)
    value = op.const_input(1)
    rows, columns = (None, None) if value is None else shapes.from_sizes(value)
    return images[0], rows, columns, images[3]


def _new_size(
    images: Any, size: Any, ctx: LoweringContext, called: str = "shape_t"
) -> tuple[int, int]:
    """The rows and columns of a run's output, or TF's error, which calls the size `called`."""
    if np.ndim(images) != 4:
        refuse(ctx, f"input must be 4-dimensional{text_of_shape(images)}")
    if np.ndim(size) != 1:
        refuse(ctx, f"{called} must be 1-dimensional{text_of_shape(size)}")
    if len(size) != 2:
        refuse(ctx, f"{called} must have two elements{text_of_shape(size)}")
    rows, columns = (int(n) for n in size)
    if rows <= 0 or columns <= 0:
        refuse(ctx, "output dimensions must be positive")
    if 0 in images.shape[1:3]:
        refuse(ctx, "input image must be of non-zero size")
    if not images.shape[3]:
        refuse(ctx, "image must have at least one channel")
    return rows, columns


def _scale(old: int, new: int, align_corners: bool) -> np.float32:
    """How many input pixels an output pixel is wide."""
    if align_corners and new > 1:
        return _F32(old - 1) / _F32(new - 1)
    return _F32(old) / _F32(new)


def _places(old: int, new: int, align_corners: bool, half_pixel: bool) -> np.ndarray:
    """Where each output pixel lies in the input."""
    scale = _scale(old, new, align_corners)
    pixels = np.arange(new, dtype=np.float32)
    if half_pixel:
        return (pixels + _F32(0.5)) * scale - _F32(0.5)
    return pixels * scale


def _take(x: Any, index: np.ndarray, axis: int) -> Any:
    """`x` at static places of an axis; slices and repeats where they are ones, which XLA runs
    faster than gathers."""
    if isinstance(x, np.ndarray):
        return x.take(index, axis)
    size, count = x.shape[axis], len(index)
    if count == size and np.array_equal(index, np.arange(size)):
        return x
    if size and count % size == 0 and np.array_equal(index, np.arange(count) // (count // size)):
        return jnp.repeat(x, count // size, axis, total_repeat_length=count)
    steps = np.diff(index)
    if count > 1 and steps[0] > 0 and np.all(steps == steps[0]):
        return lax.slice_in_dim(x, int(index[0]), int(index[-1]) + 1, int(steps[0]), axis)
    return jnp.take(x, jnp.asarray(index, jnp.int32), axis, mode="clip")


def _along(vector: np.ndarray, axis: int) -> np.ndarray:
    """A vector that broadcasts along one axis of images."""
    return vector.reshape([-1 if i == axis else 1 for i in range(4)])


def _weighted(x: Any, rows: Any, columns: Any) -> Any:
    """Images whose pixels are sums of `x`'s by two matrices [output, input]."""
    exact = lax.Precision.HIGHEST
    x = jnp.einsum("byxc,Xx->byXc", x, columns, precision=exact)
    return jnp.einsum("byxc,Yy->bYxc", x, rows, precision=exact)


def _matrix(index: np.ndarray, weights: np.ndarray, old: int) -> np.ndarray:
    """The matrix [output, input] of output pixels that are sums over `index` by `weights`, each
    [output, taps] or [output]."""
    matrix = np.zeros((len(index), old), np.float32)
    index, weights = index.reshape(len(index), -1), weights.reshape(len(index), -1)
    np.add.at(matrix, (np.arange(len(index))[:, None], index), weights)
    return matrix


# The taps of a method along one axis: the indices and weights [output, taps].


@functools.lru_cache(maxsize=256)
def _linear_taps(
    old: int, new: int, align_corners: bool, half_pixel: bool
) -> tuple[np.ndarray, np.ndarray]:
    place = _places(old, new, align_corners, half_pixel)
    floor = np.floor(place)
    low = np.maximum(floor.astype(np.int64), 0)
    high = np.minimum(np.ceil(place).astype(np.int64), old - 1)
    share = place - floor
    return np.stack([low, high], 1), np.stack([1 - share, share], 1)


_CUBIC_STEPS = 1024


@functools.cache
def _cubic_table(a: float) -> tuple[np.ndarray, np.ndarray]:
    """The cubic kernel at distances 0 to 1 and 1 to 2, in steps."""
    x = (np.arange(_CUBIC_STEPS + 1) / _CUBIC_STEPS).astype(np.float32)
    near = (((a + 2) * x.astype(np.float64) - (a + 3)) * x * x + 1).astype(np.float32)
    x = x + _F32(1)
    wide = x.astype(np.float64)
    far = (((a * wide - 5 * a) * wide + 8 * a) * wide - 4 * a).astype(np.float32)
    return near, far


@functools.lru_cache(maxsize=256)
def _cubic_taps(
    old: int, new: int, align_corners: bool, half_pixel: bool
) -> tuple[np.ndarray, np.ndarray]:
    place = _places(old, new, align_corners, half_pixel)
    floor = np.floor(place)
    step = np.rint((place - floor) * _F32(_CUBIC_STEPS)).astype(np.int64)
    near, far = _cubic_table(-0.5 if half_pixel else -0.75)
    rest = _CUBIC_STEPS - step
    weights = np.stack([far[step], near[step], near[rest], far[rest]], 1)
    wanted = floor.astype(np.int64)[:, None] + np.arange(-1, 3)
    index = np.clip(wanted, 0, old - 1)
    if half_pixel:
        # What is outside does not count, where the other conventions repeat the edge.
        weights = np.where(index == wanted, weights, _F32(0))
        total = ((weights[:, 0] + weights[:, 1]) + weights[:, 2]) + weights[:, 3]
        large = np.abs(total) >= _F32(1000) * np.finfo(np.float32).tiny
        weights = weights * np.where(large, _F32(1) / np.where(large, total, 1), 1)[:, None]
    return index, weights.astype(np.float32)


@functools.lru_cache(maxsize=256)
def _area_matrix(old: int, new: int, align_corners: bool) -> np.ndarray:
    scale = _scale(old, new, align_corners)
    matrix = np.zeros((new, old), np.float32)
    for out in range(new):
        start, end = _F32(out) * scale, _F32(out + 1) * scale
        for i in range(math.floor(start), math.ceil(end)):
            if i < start:
                share = scale if i + 1 > end else _F32(i + 1) - start
            else:
                share = end - _F32(i) if i + 1 > end else _F32(1)
            matrix[out, min(max(i, 0), old - 1)] += share
    return matrix


# Linear and cubic interpolation.


def _interpolated(x: Any, axis: int, index: np.ndarray, weights: np.ndarray) -> Any:
    """Resizes along one axis."""
    taps = [_take(x, index[:, i], axis) for i in range(index.shape[1])]
    if len(taps) == 2:
        low, high = taps
        return low + (high - low) * _along(weights[:, 1], axis)
    parts = [tap * _along(weights[:, i], axis) for i, tap in enumerate(taps)]
    return functools.reduce(jnp.add, parts)


def _added_in_float64(grads: Any, old: Any, found: Any) -> Any:
    """The gradient for float64 images: TF adds float32 terms up in float64."""
    (rows, row_weights), (columns, column_weights) = found
    total: Any = 0
    for i, j in np.ndindex(rows.shape[1], columns.shape[1]):
        terms = grads * _along(row_weights[:, i], _ROWS) * _along(column_weights[:, j], _COLUMNS)
        ones = [
            _matrix(index[:, tap], np.ones(len(index), np.float32), size).T.astype(np.float64)
            for index, tap, size in ((rows, i, old[0]), (columns, j, old[1]))
        ]
        total += _weighted(terms.astype(jnp.float64), *ones)
    return total


def _check_corners(ctx: LoweringContext, align_corners: bool, half_pixel_centers: bool) -> None:
    if align_corners and half_pixel_centers:
        refuse(ctx, "If half_pixel_centers is True, align_corners must be False.")


def _interpolation(name: str, taps: Any, first: int) -> None:
    """Registers an interpolation and its gradient.

    Args:
      name: the op type.
      taps: gives those along one axis.
      first: the axis along which TF's kernel resizes first.
    """

    def shape(images: Any, size: Any, *, op: Any) -> Any:
        return _sized_shape(images, size, op)

    def lower(
        images: Any,
        size: Any,
        *,
        align_corners: bool,
        half_pixel_centers: bool,
        ctx: LoweringContext,
    ) -> Any:
        _check_corners(ctx, align_corners, half_pixel_centers)
        new = (0, *_new_size(images, size, ctx), 0)
        x = jnp.asarray(images).astype(jnp.float32)
        for axis in (first, 3 - first):
            found = taps(x.shape[axis], new[axis], align_corners, half_pixel_centers)
            x = _interpolated(x, axis, *found)
        return x

    def grad_shape(grads: Any, original_image: Any) -> Any:
        return original_image

    def grad_lower(
        grads: Any, original_image: Any, *, align_corners: bool, half_pixel_centers: bool
    ) -> Any:
        old, new = original_image.shape[1:3], grads.shape[1:3]
        found = [taps(a, b, align_corners, half_pixel_centers) for a, b in zip(old, new)]
        dtype = original_image.dtype
        if 0 in np.shape(grads):
            return jnp.zeros(np.shape(original_image), dtype)
        if dtype == np.float64:
            return _added_in_float64(jnp.asarray(grads), old, found)
        matrices = [_matrix(index, w, size).T for (index, w), size in zip(found, old)]
        return _weighted(grads, *matrices).astype(dtype)

    register(name, shape=shape, lower=lower, const=(1,))
    register(f"{name}Grad", shape=grad_shape, lower=grad_lower)


_interpolation("ResizeBilinear", _linear_taps, _COLUMNS)
_interpolation("ResizeBicubic", _cubic_taps, _COLUMNS)


@gradient("ResizeBilinear")
def _bilinear_gradient(op: Operation, grad: Tensor) -> Any:
    return [raw_ops.ResizeBilinearGrad(grad, op.inputs[0], **_attrs(op)), None]


@gradient("ResizeBicubic")
def _bicubic_gradient(op: Operation, grad: Tensor) -> Any:
    if op.inputs[0].dtype.name not in ("float32", "float64"):
        return [None, None]
    return [raw_ops.ResizeBicubicGrad(grad, op.inputs[0], **_attrs(op)), None]


def _attrs(op: Operation) -> dict[str, Any]:
    return {name: op.get_attr(name) for name in ("align_corners", "half_pixel_centers")}


# The nearest pixel.


@functools.lru_cache(maxsize=256)
def _nearest(old: int, new: int, align_corners: bool, half_pixel: bool) -> np.ndarray:
    """The input pixel of each output pixel."""
    place = np.arange(new, dtype=np.float32)
    if half_pixel:
        place = place + _F32(0.5)
    place = place * _scale(old, new, align_corners)
    # C's roundf rounds halves away from 0.
    found = np.floor(place + _F32(0.5)) if align_corners else np.floor(place)
    return np.clip(found.astype(np.int64), 0, old - 1)


@op("ResizeNearestNeighbor", const=(1,), autodiff=True)
class ResizeNearestNeighbor:
    def shape(images: Any, size: Shape, *, op: Operation) -> Shape:
        return _sized_shape(images, size, op)

    def lower(
        images: Any,
        size: np.ndarray,
        *,
        align_corners: bool,
        half_pixel_centers: bool,
        ctx: LoweringContext,
    ) -> Array:
        _check_corners(ctx, align_corners, half_pixel_centers)
        x = jnp.asarray(images)
        for axis, new in enumerate(_new_size(images, size, ctx), 1):
            index = _nearest(x.shape[axis], new, align_corners, half_pixel_centers)
            x = _take(x, index, axis)
        return x

    def gradient(op: Any, grad: Tensor) -> Gradients:
        image = op.inputs[0]
        size = image.get_shape()[1:3]
        if not size.is_fully_defined():
            size = array_ops.shape(image)[1:3]
        return [raw_ops.ResizeNearestNeighborGrad(grad, size, **_attrs(op)), None]


@op("ResizeNearestNeighborGrad", const=(1,))
class ResizeNearestNeighborGrad:
    def shape(grads: Any, size: Shape, *, op: Operation) -> Shape:
        return _sized_shape(grads, size, op)

    def lower(
        grads: Any,
        size: np.ndarray,
        *,
        align_corners: bool,
        half_pixel_centers: bool,
        ctx: LoweringContext,
    ) -> Array:
        x = jnp.asarray(grads)
        if min(size, default=1) <= 0:
            refuse(ctx, "shape_t's elements must be positive")
        for axis, old in enumerate((int(n) for n in size), 1):
            new = x.shape[axis]
            index = _nearest(old, new, align_corners, half_pixel_centers)
            if new % old == 0 and np.array_equal(index, np.arange(new) // (new // old)):
                x = x.reshape(*x.shape[:axis], old, new // old, *x.shape[axis + 1 :])
                x = x.sum(axis + 1, dtype=x.dtype)
            else:
                empty = jnp.zeros((*x.shape[:axis], old, *x.shape[axis + 1 :]), x.dtype)
                x = at(empty)[(slice(None),) * axis + (index,)].add(x)
        return x


# Means of areas.


@op("ResizeArea", const=(1,))
class ResizeArea:
    def shape(images: Any, size: Shape, *, op: Operation) -> Shape:
        return _sized_shape(images, size, op)

    def lower(images: Any, size: np.ndarray, *, align_corners: bool, ctx: LoweringContext) -> Array:
        new = _new_size(images, size, ctx)
        x = jnp.asarray(images).astype(jnp.float32)
        old = x.shape[1:3]
        matrices = [_area_matrix(a, b, align_corners) for a, b in zip(old, new)]
        scales = [_scale(a, b, align_corners) for a, b in zip(old, new)]
        return _weighted(x, *matrices) * (_F32(1) / (scales[0] * scales[1]))


# Any scale and translation, by a kernel.


def _lanczos(radius: float, x: Any) -> Any:
    safe = jnp.where(x <= 1e-3, 1, x) * np.pi
    value = radius * jnp.sin(safe) * jnp.sin(safe / radius) / (safe * safe)
    return jnp.where(x > radius, 0, jnp.where(x <= 1e-3, 1, value))


def _gaussian(x: Any) -> Any:
    sigma = 0.5
    return jnp.where(x >= 1.5, 0, jnp.exp(-x * x / (2 * sigma * sigma)))


def _box(x: Any) -> Any:
    return jnp.where(x < 0.5, 1.0, jnp.where(x == 0.5, 0.5, 0.0))


def _keys(x: Any) -> Any:
    near = ((1.5 * x - 2.5) * x) * x + 1
    far = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return jnp.where(x >= 2, 0, jnp.where(x >= 1, far, near))


def _mitchell(x: Any) -> Any:
    near = (7 / 6 * x - 2) * x * x + 8 / 9
    far = ((-7 / 18 * x + 2) * x - 10 / 3) * x + 16 / 9
    return jnp.where(x >= 2, 0, jnp.where(x >= 1, far, near))


# The kernel at a distance, and how far it reaches.
_KERNELS: dict[str, tuple[Any, float]] = {
    "lanczos1": (functools.partial(_lanczos, 1.0), 1.0),
    "lanczos3": (functools.partial(_lanczos, 3.0), 3.0),
    "lanczos5": (functools.partial(_lanczos, 5.0), 5.0),
    "gaussian": (_gaussian, 1.5),
    "box": (_box, 1.0),
    "triangle": (lambda x: jnp.maximum(1 - x, 0), 1.0),
    "keyscubic": (_keys, 2.0),
    "mitchellcubic": (_mitchell, 2.0),
}


def _kernel(kernel_type: str, ctx: LoweringContext) -> tuple[Any, float]:
    if kernel_type not in _KERNELS:
        refuse(ctx, f"Unrecognized kernel type: {kernel_type}")
    return _KERNELS[kernel_type]


def _span_matrix(
    old: int, new: int, scale: Any, translation: Any, kernel: tuple[Any, float], antialias: bool
) -> Any:
    """The matrix [output, input] of one axis."""
    function, radius = kernel
    inverse = 1 / jnp.asarray(scale, jnp.float32)
    reach = jnp.maximum(inverse, 1) if antialias else jnp.ones((), jnp.float32)
    place = (jnp.arange(new, dtype=jnp.float32) + _F32(0.5)) * inverse
    place = (place - inverse * translation)[:, None]
    first = jnp.clip(jnp.ceil(place - _F32(radius) * reach - _F32(0.5)), 0, old - 1)
    last = jnp.clip(jnp.floor(place + _F32(radius) * reach - _F32(0.5)), 0, old - 1)
    pixel = jnp.arange(old, dtype=jnp.float32)
    weights = function(jnp.abs((pixel + _F32(0.5) - place) / reach)).astype(jnp.float32)
    weights = jnp.where((pixel >= first) & (pixel <= last), weights, _F32(0))
    total = weights.sum(1, keepdims=True)
    large = jnp.abs(total) >= _F32(1000) * np.finfo(np.float32).tiny
    weights = weights * jnp.where(large, 1 / jnp.where(large, total, 1), 1)
    return jnp.where((place < 0) | (place > old), _F32(0), weights)


def _span_matrices(
    old: Any, new: Any, scale: Any, translation: Any, kernel: Any, antialias: bool
) -> list[Any]:
    return [
        _span_matrix(a, b, scale[i], translation[i], kernel, antialias)
        for i, (a, b) in enumerate(zip(old, new))
    ]


def _check_pairs(ctx: LoweringContext, *pairs: Array) -> None:
    """Refuses scales and translations that are not two numbers each."""
    for pair in pairs:
        if np.ndim(pair) != 1:
            refuse(ctx, f"t must be 1-dimensional{text_of_shape(pair)}")
        if len(pair) != 2:
            refuse(ctx, f"t must have two elements{text_of_shape(pair)}")


@op("ScaleAndTranslate", const=(1,))
class ScaleAndTranslate:
    def shape(
        images: Any, size: Shape, scale: Shape, translation: Shape, *, op: Operation
    ) -> Shape:
        return _sized_shape(images, size, op)

    def lower(
        images: Any,
        size: np.ndarray,
        scale: Array,
        translation: Array,
        *,
        kernel_type: str,
        antialias: bool,
        ctx: LoweringContext,
    ) -> Array:
        new = _new_size(images, size, ctx, "output_shape_t")
        _check_pairs(ctx, scale, translation)
        positive = jnp.all(jnp.asarray(scale) > 0)
        ctx.check(positive, errors.InvalidArgumentError, "Scale must be greater than zero.")
        x = jnp.asarray(images).astype(jnp.float32)
        kernel = _kernel(kernel_type, ctx)
        return _weighted(
            x, *_span_matrices(x.shape[1:3], new, scale, translation, kernel, antialias)
        )

    def gradient(op: Any, grad: Tensor) -> Gradients:
        image, _, scale, translation = op.inputs
        attrs = {name: op.get_attr(name) for name in ("kernel_type", "antialias")}
        result = raw_ops.ScaleAndTranslateGrad(grad, image, scale, translation, **attrs)
        return [result, None, None, None]


@op("ScaleAndTranslateGrad")
class ScaleAndTranslateGrad:
    def shape(grads: Any, original_image: Shape, scale: Shape, translation: Shape) -> Shape:
        return original_image

    def lower(
        grads: Any,
        original_image: Array,
        scale: Array,
        translation: Array,
        *,
        kernel_type: str,
        antialias: bool,
        ctx: LoweringContext,
    ) -> Array:
        _check_pairs(ctx, scale, translation)
        old, new = original_image.shape[1:3], grads.shape[1:3]
        kernel = _kernel(kernel_type, ctx)
        matrices = _span_matrices(old, new, scale, translation, kernel, antialias)
        return _weighted(jnp.asarray(grads), *(matrix.T for matrix in matrices))
