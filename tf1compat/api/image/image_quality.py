"""How images differ from each other and change within (a part of TF's image_ops_impl)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.image.image_color import convert_image_dtype
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_convolution, nn_ops, nn_softmax
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


def _steps_along(images: Any, axis: int) -> Tensor:
    """How much each element differs from the one before it along an axis."""
    before = [slice(None)] * axis
    after = [slice(None)] * (images.get_shape().ndims - axis - 1)
    return images[(*before, slice(1, None), *after)] - images[(*before, slice(None, -1), *after)]


@tf_export("image.total_variation")
def total_variation(images: Any, name: Name = None) -> Tensor:
    """The sum of the absolute differences of neighbouring pixels.

    Args:
      images: [rows, columns, channels], or a batch of such.
      name: the scope's name.

    Returns:
      A scalar, or a vector with one element for each image.

    Raises:
      ValueError: the images have another rank.
    """
    with ops.name_scope(name, "total_variation"):
        rank = images.get_shape().ndims
        if rank not in (3, 4):
            raise ValueError("'images' must be either 3 or 4-dimensional.")
        steps = [_steps_along(images, axis) for axis in (rank - 3, rank - 2)]
        axes = None if rank == 3 else [1, 2, 3]
        down, right = (math_ops.reduce_sum(math_ops.abs(x), axis=axes) for x in steps)
        return down + right


@tf_export("image.image_gradients")
def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """How much each pixel differs from the next one, in either direction; 0 at the last.

    Args:
      image: [batch, rows, columns, channels].

    Returns:
      (dy, dx), tensors like `image`.

    Raises:
      ValueError: the image has another rank.
    """
    if image.get_shape().ndims != 4:
        raise ValueError(
            "image_gradients expects a 4D tensor [batch_size, h, w, d], not %s.",
            image.get_shape(),
        )
    sizes = array_ops.shape(image)
    lengths = array_ops.unstack(sizes)

    def with_zeros(steps: Tensor, axis: int) -> Tensor:
        last = array_ops.stack([*lengths[:axis], 1, *lengths[axis + 1 :]])
        whole = array_ops.concat([steps, array_ops.zeros(last, image.dtype)], axis)
        return array_ops.reshape(whole, sizes)

    dy, dx = _steps_along(image, 1), _steps_along(image, 2)
    return with_zeros(dy, 1), with_zeros(dx, 2)


@tf_export("image.sobel_edges")
def sobel_edges(image: Any) -> Tensor:
    """Sobel's edge maps.

    Args:
      image: [batch, rows, columns, channels], float32 or float64.

    Returns:
      [batch, rows, columns, channels, 2]: along the rows and along the columns.
    """
    static = image.get_shape()
    sizes = array_ops.shape(image)
    down = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]])
    kernels = np.expand_dims(np.stack([down, down.T], -1), -2)
    filters = constant_op.constant(kernels, dtype=image.dtype)
    filters = array_ops.tile(filters, [1, 1, sizes[-1], 1], name="sobel_filters")
    padded = array_ops.pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    edges = nn_convolution.depthwise_conv2d(padded, filters, [1, 1, 1, 1], "VALID")
    edges = array_ops.reshape(edges, shape=array_ops.concat([sizes, [2]], 0))
    edges.set_shape(static.concatenate([2]))
    return edges


# Peak signal-to-noise ratio and structural similarity.


def _verify_compatible_image_shapes(img1: Any, img2: Any) -> tuple[Tensor, Tensor, list[Any]]:
    """The shapes of two (batches of) images, and the assertions that they fit.

    Raises:
      ValueError: their static shapes don't.
    """
    static1 = img1.get_shape().with_rank_at_least(3)
    static2 = img2.get_shape().with_rank_at_least(3)
    static1[-3:].assert_is_compatible_with(static2[-3:])
    if static1.ndims is not None and static2.ndims is not None:
        pairs = zip(reversed(static1.dims[:-3]), reversed(static2.dims[:-3]), strict=False)
        for a, b in pairs:
            if not (a == 1 or b == 1 or a.is_compatible_with(b)):
                raise ValueError(f"Two images are not compatible: {static1} and {static2}")
    shape1, shape2 = array_ops.shape_n([img1, img2])
    both = [shape1, shape2]
    enough = math_ops.greater_equal(array_ops.size(shape1), 3)
    checks = [control_flow_ops.Assert(enough, both, summarize=10)]
    alike = math_ops.reduce_all(math_ops.equal(shape1[-3:], shape2[-3:]))
    checks.append(control_flow_ops.Assert(alike, both, summarize=10))
    return shape1, shape2, checks


def _after(checks: list[Any], x: TensorLike) -> Tensor:
    with ops.control_dependencies(checks):
        return array_ops.identity(x)


def _in_float32(max_val: Any, img1: Any, img2: Any) -> tuple[Tensor, Tensor, Tensor]:
    values = [math_ops.cast(max_val, img1.dtype), img1, img2]
    max_val, img1, img2 = (convert_image_dtype(x, dtypes.float32) for x in values)
    return max_val, img1, img2


def _comparable(img1: Any, img2: Any, max_val: Any) -> tuple[list[Tensor], Tensor, list[Tensor]]:
    """The shapes of two (batches of) images; `max_val` and the images, checked, in float32."""
    shape1, shape2, checks = _verify_compatible_image_shapes(img1, img2)
    max_val, *images = _in_float32(max_val, _after(checks, img1), img2)
    return [shape1, shape2], max_val, images


@tf_export("image.psnr")
def psnr(a: TensorLike, b: TensorLike, max_val: Any, name: Name = None) -> Tensor:
    """The peak signal-to-noise ratio of two (batches of) images, in decibels.

    Args:
      a, b: [..., rows, columns, channels].
      max_val: the largest value less the smallest one that pixels may have.
      name: the scope's name.

    Returns:
      A float32 tensor [...].
    """
    with ops.name_scope(name, "PSNR", [a, b]):
        max_val, a, b = _in_float32(max_val, a, b)
        mse = math_ops.reduce_mean(math_ops.squared_difference(a, b), [-3, -2, -1])
        found = math_ops.subtract(
            20 * math_ops.log(max_val) / math_ops.log(10.0),
            np.float32(10 / np.log(10)) * math_ops.log(mse),
            name="psnr",
        )
        _, _, checks = _verify_compatible_image_shapes(a, b)
        return _after(checks, found)


def _ssim_helper(
    x: Any,
    y: Any,
    reducer: Callable[[Any], Any],
    max_val: Any,
    compensation: float = 1.0,
    k1: float = 0.01,
    k2: float = 0.03,
) -> tuple[Tensor, Tensor]:
    """The similarity of luminance, and that of contrast and structure; `reducer` averages."""
    c1 = (k1 * max_val) ** 2
    c2 = (k2 * max_val) ** 2
    mean_x = reducer(x)
    mean_y = reducer(y)
    num0 = mean_x * mean_y * 2.0
    den0 = math_ops.square(mean_x) + math_ops.square(mean_y)
    luminance = (num0 + c1) / (den0 + c1)
    num1 = reducer(x * y) * 2.0
    den1 = reducer(math_ops.square(x) + math_ops.square(y))
    c2 *= compensation
    return luminance, (num1 - num0 + c2) / (den1 - den0 + c2)


def _fspecial_gauss(size: TensorLike, sigma: Any) -> Tensor:
    """The weights of a square Gaussian window."""
    size = ops.convert_to_tensor(size, dtypes.int32)
    sigma = ops.convert_to_tensor(sigma)
    places = math_ops.cast(math_ops.range(size), sigma.dtype)
    from_middle = places - math_ops.cast(size - 1, sigma.dtype) / 2.0
    exponents = math_ops.square(from_middle) * (-0.5 / math_ops.square(sigma))
    row, column = (array_ops.reshape(exponents, shape) for shape in ([1, -1], [-1, 1]))
    weights = nn_softmax.softmax(array_ops.reshape(row + column, [1, -1]))
    return array_ops.reshape(weights, [size, size, 1, 1])


def _ssim_per_channel(
    img1: Any,
    img2: Any,
    max_val: Any = 1.0,
    filter_size: Any = 11,
    filter_sigma: Any = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> tuple[Tensor, Tensor]:
    filter_size = constant_op.constant(filter_size, dtype=dtypes.int32)
    filter_sigma = constant_op.constant(filter_sigma, dtype=img1.dtype)
    shape1, shape2 = array_ops.shape_n([img1, img2])
    checks = [
        control_flow_ops.Assert(
            math_ops.reduce_all(math_ops.greater_equal(shape[-3:-1], filter_size)),
            [shape, filter_size],
            summarize=8,
        )
        for shape in (shape1, shape2)
    ]
    img1 = _after(checks, img1)
    kernel = _fspecial_gauss(filter_size, filter_sigma)
    kernel = array_ops.tile(kernel, multiples=[1, 1, shape1[-1], 1])

    def reducer(x: TensorLike) -> Tensor:
        shape = array_ops.shape(x)
        x = array_ops.reshape(x, shape=array_ops.concat([[-1], shape[-3:]], 0))
        y = nn_convolution.depthwise_conv2d(x, kernel, strides=[1, 1, 1, 1], padding="VALID")
        return array_ops.reshape(y, array_ops.concat([shape[:-3], array_ops.shape(y)[1:]], 0))

    luminance, structure = _ssim_helper(img1, img2, reducer, max_val, 1.0, k1, k2)
    axes = constant_op.constant([-3, -2], dtype=dtypes.int32)
    similarity = math_ops.reduce_mean(luminance * structure, axes)
    return similarity, math_ops.reduce_mean(structure, axes)


@tf_export("image.ssim")
def ssim(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The structural similarity of two (batches of) images (Wang and others, 2004).

    Args:
      img1, img2: [..., rows, columns, channels].
      max_val: the largest value less the smallest one that pixels may have.
      filter_size, filter_sigma: of the Gaussian window.
      k1, k2: of the terms that keep denominators from being 0.

    Returns:
      A float32 tensor [...].
    """
    _, max_val, (img1, img2) = _comparable(img1, img2, max_val)
    found, _ = _ssim_per_channel(img1, img2, max_val, filter_size, filter_sigma, k1, k2)
    return math_ops.reduce_mean(found, [-1])


_MSSSIM_WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


@tf_export("image.ssim_multiscale")
def ssim_multiscale(
    img1: Any,
    img2: Any,
    max_val: Any,
    power_factors: Sequence[float] = _MSSSIM_WEIGHTS,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The structural similarity at several scales (Wang and others, 2003).

    Args:
      img1, img2, max_val, filter_size, filter_sigma, k1, k2: as in `ssim`.
      power_factors: the weight of each scale; each is half as large as the one before.

    Returns:
      A float32 tensor [...].
    """
    with ops.name_scope(None, "MS-SSIM", [img1, img2]):
        img1 = ops.convert_to_tensor(img1, name="img1")
        img2 = ops.convert_to_tensor(img2, name="img2")
        shapes, max_val, imgs = _comparable(img1, img2, max_val)
        heads = [shape[:-3] for shape in shapes]
        tails = [shape[-3:] for shape in shapes]
        divisors = constant_op.constant([2, 2, 1], dtype=dtypes.int32)
        structures: list[Tensor] = []
        found: Any = None
        for k in range(len(power_factors)):
            with ops.name_scope(None, f"Scale{k}", imgs):
                if k > 0:
                    imgs, tails = _halved(imgs, heads, tails, divisors)
                found, structure = _ssim_per_channel(
                    imgs[0], imgs[1], max_val, filter_size, filter_sigma, k1, k2
                )
                structures.append(nn_ops.relu(structure))
        # At the last scale, luminance counts as well.
        structures.pop()
        factors = array_ops.stack([*structures, nn_ops.relu(found)], axis=-1)
        result = math_ops.reduce_prod(math_ops.pow(factors, power_factors), [-1])
        return math_ops.reduce_mean(result, [-1])


def _halved(images: Any, heads: Any, tails: Any, divisors: Tensor) -> tuple[Any, Any]:
    """The images at half their size, and their sizes; `heads` are those of the batches."""
    flat = [
        array_ops.reshape(x, array_ops.concat([[-1], tail], 0)) for x, tail in zip(images, tails)
    ]
    halves = [
        nn_ops.avg_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
        for x in _padded_to_even(flat, tails[0] % divisors)
    ]
    tails = [shape[1:] for shape in array_ops.shape_n(halves)]
    images = [
        array_ops.reshape(x, array_ops.concat([head, tail], 0))
        for x, head, tail in zip(halves, heads, tails)
    ]
    return images, tails


def _padded_to_even(images: list[Any], remainder: Any) -> Any:
    """The images, with their last row and column repeated where the number of them is odd."""

    def padded() -> list[Tensor]:
        padding = array_ops.expand_dims(remainder, -1)
        padding = array_ops.pad(padding, [[1, 0], [1, 0]])
        return [array_ops.pad(x, padding, mode="SYMMETRIC") for x in images]

    needed = math_ops.reduce_any(math_ops.not_equal(remainder, 0))
    return control_flow_ops.cond(needed, padded, lambda: images)
