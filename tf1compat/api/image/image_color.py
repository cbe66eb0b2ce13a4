"""The colours and brightness of images (a part of TF's image_ops_impl)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.image.image_checks import checked_grayscale, checked_image, is_tensor, require
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("image.convert_image_dtype")
def convert_image_dtype(
    image: TensorLike, dtype: DTypeLike, saturate: bool = False, name: Name = None
) -> Tensor:
    """Casts images, whose values are in [0, 1] in floating point and else use the dtype's range.

    Args:
      image: a tensor of numbers.
      dtype: of the result.
      saturate: whether values out of its range are brought to its ends.
      name: the operation's name.

    Returns:
      A tensor of `dtype` and the shape of `image`.

    Raises:
      AttributeError: `dtype` is neither floating nor integer.
    """
    image = ops.convert_to_tensor(image, name="image")
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating and not dtype.is_integer:
        raise AttributeError("dtype must be either floating point or integer")
    if dtype == image.dtype:
        return array_ops.identity(image, name=name)
    to_dtype = math_ops.saturate_cast if saturate else math_ops.cast
    with ops.name_scope(name, "convert_image", [image]) as name:
        if image.dtype.is_integer and dtype.is_integer:
            largest, wanted = image.dtype.max, dtype.max
            if largest > wanted:
                scaled = math_ops.div(image, (largest + 1) // (wanted + 1))
                return to_dtype(scaled, dtype, name=name)
            cast = to_dtype(image, dtype)
            return math_ops.multiply(cast, (wanted + 1) // (largest + 1), name=name)
        if image.dtype.is_floating and dtype.is_floating:
            return math_ops.cast(image, dtype, name=name)
        if image.dtype.is_integer:
            cast = math_ops.cast(image, dtype)
            return math_ops.multiply(cast, 1.0 / image.dtype.max, name=name)
        # Half a step more, so that the largest value has as much room as the others.
        scaled = math_ops.multiply(image, dtype.max + 0.5)
        return to_dtype(scaled, dtype, name=name)


def _as_floats(image: Any) -> Tensor:
    """The image in float16 or float32."""
    if image.dtype in (dtypes.float16, dtypes.float32):
        return image
    return convert_image_dtype(image, dtypes.float32)


@tf_export("image.per_image_standardization")
def per_image_standardization(image: TensorLike) -> Tensor:
    """Shifts and scales images so that each has mean 0 and variance 1.

    Args:
      image: [..., rows, columns, channels].

    Returns:
      A tensor like `image`.
    """
    with ops.name_scope(None, "per_image_standardization", [image]) as scope:
        image = checked_image(ops.convert_to_tensor(image, name="image"))
        floats = _as_floats(image)
        count = math_ops.reduce_prod(array_ops.shape(floats)[-3:])
        mean, spread = (
            moment(floats, axis=[-1, -2, -3], keepdims=True)
            for moment in (math_ops.reduce_mean, math_ops.reduce_std)
        )
        # An image of one colour must not be divided by 0.
        divisor = math_ops.maximum(spread, math_ops.rsqrt(math_ops.cast(count, floats.dtype)))
        result = math_ops.div(floats - mean, divisor, name=scope)
        return convert_image_dtype(result, image.dtype, saturate=True)


# Brightness, contrast, gamma.


@tf_export("image.random_brightness")
def random_brightness(image: TensorLike, max_delta: float, seed: int | None = None) -> Tensor:
    """`adjust_brightness` by a random amount in [-max_delta, max_delta).

    Args:
      image: [..., height, width, channels].
      max_delta: the largest amount, not negative.
      seed: the operation's seed, beside the graph's.

    Returns:
      An image of the same shape and dtype.

    Raises:
      ValueError: `max_delta` is negative.
    """
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    delta = random_ops.random_uniform([], -max_delta, max_delta, seed=seed)
    return adjust_brightness(image, delta)


@tf_export("image.random_contrast")
def random_contrast(
    image: TensorLike, lower: float, upper: float, seed: int | None = None
) -> Tensor:
    """`adjust_contrast` by a random factor in [lower, upper).

    Args:
      image: [..., height, width, channels].
      lower, upper: the range of the factor, 0 <= lower < upper.
      seed: the operation's seed, beside the graph's.

    Returns:
      An image of the same shape and dtype.

    Raises:
      ValueError: the bounds are not in order.
    """
    _check_bounds(lower, upper)
    factor = random_ops.random_uniform([], lower, upper, seed=seed)
    return adjust_contrast(image, factor)


def _check_bounds(lower: float, upper: float) -> None:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


@tf_export("image.adjust_brightness")
def adjust_brightness(image: TensorLike, delta: TensorLike) -> Tensor:
    """Adds `delta`, a part of the dtype's range, to images.

    Args:
      image: a tensor of numbers.
      delta: a scalar.

    Returns:
      A tensor like `image`.
    """
    with ops.name_scope(None, "adjust_brightness", [image, delta]) as name:
        image = ops.convert_to_tensor(image, name="image")
        floats = _as_floats(image)
        adjusted = math_ops.add(floats, math_ops.cast(delta, floats.dtype), name=name)
        return convert_image_dtype(adjusted, image.dtype, saturate=True)


@tf_export("image.adjust_contrast")
def adjust_contrast(images: TensorLike, contrast_factor: Any) -> Tensor:
    """Multiplies how far each channel of an image is from its mean.

    Args:
      images: [..., rows, columns, channels].
      contrast_factor: a float scalar.

    Returns:
      A tensor like `images`.
    """
    with ops.name_scope(None, "adjust_contrast", [images, contrast_factor]) as name:
        images = ops.convert_to_tensor(images, name="images")
        floats = _as_floats(images)
        adjusted = raw_ops.AdjustContrastv2(floats, contrast_factor=contrast_factor, name=name)
        return convert_image_dtype(adjusted, images.dtype, saturate=True)


@tf_export("image.adjust_gamma")
def adjust_gamma(image: TensorLike, gamma: Any = 1, gain: Any = 1) -> Tensor:
    """`gain * image ** gamma`.

    Args:
      image: a tensor of numbers.
      gamma: a scalar that is not negative.
      gain: a scalar.

    Returns:
      A tensor like `image`.

    Raises:
      ValueError: gamma is negative.
    """
    with ops.name_scope(None, "adjust_gamma", [image, gamma, gain]):
        image = ops.convert_to_tensor(image, name="image")
        floats = _as_floats(image)
        checks = require(gamma >= 0, "Gamma should be a non-negative real number.")
        if checks:
            gamma = control_flow_ops.with_dependencies(checks, gamma)
        adjusted = gain * floats**gamma
        return convert_image_dtype(adjusted, image.dtype, saturate=True)


# Hue and saturation.


@tf_export("image.random_hue")
def random_hue(image: TensorLike, max_delta: float, seed: int | None = None) -> Tensor:
    """`adjust_hue` by a random amount in [-max_delta, max_delta).

    Args:
      image: [..., 3] in RGB.
      max_delta: the largest amount, in [0, 0.5].
      seed: the operation's seed, beside the graph's.

    Returns:
      An image of the same shape and dtype.

    Raises:
      ValueError: `max_delta` is not in [0, 0.5].
    """
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    delta = random_ops.random_uniform([], -max_delta, max_delta, seed=seed)
    return adjust_hue(image, delta)


@tf_export("image.adjust_hue")
def adjust_hue(image: TensorLike, delta: TensorLike, name: Name = None) -> Tensor:
    """Turns the hue of images in RGB by `delta`, a part of the whole circle.

    Args:
      image: [..., 3].
      delta: a float scalar in [-1, 1].
      name: the scope's name.

    Returns:
      A tensor like `image`.
    """
    with ops.name_scope(name, "adjust_hue", [image]):
        image = ops.convert_to_tensor(image, name="image")
        adjusted = raw_ops.AdjustHue(_as_floats(image), delta)
        return convert_image_dtype(adjusted, image.dtype)


@tf_export("image.random_saturation")
def random_saturation(
    image: TensorLike, lower: float, upper: float, seed: int | None = None
) -> Tensor:
    """`adjust_saturation` by a random factor in [lower, upper).

    Args:
      image: [..., 3] in RGB.
      lower, upper: the range of the factor, 0 <= lower < upper.
      seed: the operation's seed, beside the graph's.

    Returns:
      An image of the same shape and dtype.

    Raises:
      ValueError: the bounds are not in order.
    """
    _check_bounds(lower, upper)
    factor = random_ops.random_uniform([], lower, upper, seed=seed)
    return adjust_saturation(image, factor)


@tf_export("image.adjust_saturation")
def adjust_saturation(image: TensorLike, saturation_factor: Any, name: Name = None) -> Tensor:
    """Multiplies the saturation of images in RGB.

    Args:
      image: [..., 3].
      saturation_factor: a float scalar.
      name: the scope's name.

    Returns:
      A tensor like `image`.
    """
    with ops.name_scope(name, "adjust_saturation", [image]):
        image = ops.convert_to_tensor(image, name="image")
        adjusted = raw_ops.AdjustSaturation(_as_floats(image), saturation_factor)
        return convert_image_dtype(adjusted, image.dtype)


# JPEG's noise.


@tf_export("image.random_jpeg_quality")
def random_jpeg_quality(
    image: TensorLike, min_jpeg_quality: int, max_jpeg_quality: int, seed: int | None = None
) -> Tensor:
    """`adjust_jpeg_quality` to a random quality.

    Args:
      image: [height, width, channels], of 1 or 3 channels.
      min_jpeg_quality, max_jpeg_quality: the range of the quality, integers within [0, 100].
      seed: the operation's seed, beside the graph's.

    Returns:
      An image of the same shape and dtype.

    Raises:
      ValueError: the bounds are not in order.
    """
    if not (0 <= min_jpeg_quality <= 100 and 0 <= max_jpeg_quality <= 100):
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    quality = random_ops.random_uniform(
        [], min_jpeg_quality, max_jpeg_quality, seed=seed, dtype=dtypes.int32
    )
    return adjust_jpeg_quality(image, quality)


@tf_export("image.adjust_jpeg_quality")
def adjust_jpeg_quality(image: TensorLike, jpeg_quality: Any, name: Name = None) -> Tensor:
    """The image as it is after it was written as JPEG of some quality and read again.

    Args:
      image: [rows, columns, channels].
      jpeg_quality: an int scalar in [0, 100].
      name: the scope's name.

    Returns:
      A tensor of the dtype of `image`.
    """
    with ops.name_scope(name, "adjust_jpeg_quality", [image]):
        image = ops.convert_to_tensor(image, name="image")
        dtype = image.dtype
        image = convert_image_dtype(image, dtypes.uint8)
        if not is_tensor(jpeg_quality):
            jpeg_quality = ops.convert_to_tensor(jpeg_quality, dtype=dtypes.int32)
        image = raw_ops.EncodeJpegVariableQuality(image, jpeg_quality)
        image = raw_ops.DecodeJpeg(image)
        return convert_image_dtype(image, dtype)


# Colour spaces.


@tf_export("image.rgb_to_grayscale")
def rgb_to_grayscale(images: TensorLike, name: Name = None) -> Tensor:
    """The brightness of images in RGB.

    Args:
      images: [..., 3].
      name: the operation's name.

    Returns:
      [..., 1], of the dtype of `images`.
    """
    with ops.name_scope(name, "rgb_to_grayscale", [images]) as name:
        images = ops.convert_to_tensor(images, name="images")
        floats = convert_image_dtype(images, dtypes.float32)
        gray = math_ops.tensordot(floats, [0.2989, 0.5870, 0.1140], [-1, -1])
        gray = array_ops.expand_dims(gray, -1)
        return convert_image_dtype(gray, images.dtype, name=name)


@tf_export("image.grayscale_to_rgb")
def grayscale_to_rgb(images: TensorLike, name: Name = None) -> Tensor:
    """Images of one channel in RGB.

    Args:
      images: [..., 1].
      name: the operation's name.

    Returns:
      [..., 3], of the dtype of `images`.

    Raises:
      ValueError: there is another number of channels.
    """
    with ops.name_scope(name, "grayscale_to_rgb", [images]) as name:
        images = checked_grayscale(images)
        images = ops.convert_to_tensor(images, name="images")
        others = array_ops.expand_dims(array_ops.rank(images) - 1, 0)
        multiples = [array_ops.ones(others, dtype=dtypes.int32), array_ops.expand_dims(3, 0)]
        rgb = array_ops.tile(images, array_ops.concat(multiples, 0), name=name)
        rgb.set_shape(images.get_shape()[:-1].concatenate([3]))
        return rgb


@tf_export("image.rgb_to_hsv")
def rgb_to_hsv(images: TensorLike, name: Name = None) -> Tensor:
    """The hue, saturation and value, each in [0, 1], of images in RGB.

    Args:
      images: [..., 3], floating point in [0, 1].
      name: the operation's name.

    Returns:
      A tensor like `images`.
    """
    return raw_ops.RGBToHSV(images, name=name)


@tf_export("image.hsv_to_rgb")
def hsv_to_rgb(images: TensorLike, name: Name = None) -> Tensor:
    """The inverse of `rgb_to_hsv`.

    Args:
      images: [..., 3] in HSV, each in [0, 1], in floating point.
      name: the operation's name.

    Returns:
      [..., 3] in RGB, each in [0, 1].
    """
    return raw_ops.HSVToRGB(images, name=name)


# A column for each channel of the result.
_RGB_TO_YIQ = [
    [0.299, 0.59590059, 0.2115],
    [0.587, -0.27455667, -0.52273617],
    [0.114, -0.32134392, 0.31119955],
]
_YIQ_TO_RGB = [
    [1, 1, 1],
    [0.95598634, -0.27201283, -1.10674021],
    [0.6208248, -0.64720424, 1.70423049],
]
_RGB_TO_YUV = [
    [0.299, -0.14714119, 0.61497538],
    [0.587, -0.28886916, -0.51496512],
    [0.114, 0.43601035, -0.10001026],
]
_YUV_TO_RGB = [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]]


def _mixed(images: Any, kernel: Any) -> Tensor:
    """Each channel of the result is a sum of those of the images."""
    images = ops.convert_to_tensor(images, name="images")
    kernel = ops.convert_to_tensor(kernel, dtype=images.dtype, name="kernel")
    rank = images.get_shape().ndims
    return math_ops.tensordot(images, kernel, axes=[[rank - 1], [0]])


@tf_export("image.rgb_to_yiq")
def rgb_to_yiq(images: TensorLike) -> Tensor:
    """Images in RGB, [..., 3] in floating point, in YIQ.

    Args:
      images: [..., 3].

    Returns:
      A tensor like `images`.
    """
    return _mixed(images, _RGB_TO_YIQ)


@tf_export("image.yiq_to_rgb")
def yiq_to_rgb(images: TensorLike) -> Tensor:
    """Images in YIQ, [..., 3] in floating point, in RGB.

    Args:
      images: [..., 3].

    Returns:
      A tensor like `images`.
    """
    return _mixed(images, _YIQ_TO_RGB)


@tf_export("image.rgb_to_yuv")
def rgb_to_yuv(images: TensorLike) -> Tensor:
    """Images in RGB, [..., 3] in floating point, in YUV.

    Args:
      images: [..., 3].

    Returns:
      A tensor like `images`.
    """
    return _mixed(images, _RGB_TO_YUV)


@tf_export("image.yuv_to_rgb")
def yuv_to_rgb(images: TensorLike) -> Tensor:
    """Images in YUV, [..., 3] in floating point, in RGB.

    Args:
      images: [..., 3].

    Returns:
      A tensor like `images`.
    """
    return _mixed(images, _YUV_TO_RGB)
