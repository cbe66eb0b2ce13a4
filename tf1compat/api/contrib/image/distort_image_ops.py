"""`tensorflow.contrib.image.python.ops.distort_image_ops`: colours changed in YIQ space."""

from __future__ import annotations

from tf1compat.api.image import image_ops_impl
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


def random_hsv_in_yiq(
    image: TensorLike,
    max_delta_hue: float = 0,
    lower_saturation: float = 1,
    upper_saturation: float = 1,
    lower_value: float = 1,
    upper_value: float = 1,
    seed: int | None = None,
) -> Tensor:
    """Turns the hue, and scales the saturation and the value, of RGB images by random numbers.

    Args:
      image: images whose last dimension is 3.
      max_delta_hue: the hue is turned by up to so many radians, either way; 0 for none.
      lower_saturation: the least factor of the saturation.
      upper_saturation: the greatest one.
      lower_value: the least factor of the value.
      upper_value: the greatest one.
      seed: of the random numbers.

    Returns:
      Images of the same shape and dtype.

    Raises:
      ValueError: a limit is negative, or a lower one above its upper one.
    """
    if max_delta_hue < 0:
        raise ValueError("max_delta must be non-negative.")
    if lower_saturation < 0:
        raise ValueError("lower_saturation must be non-negative.")
    if lower_value < 0:
        raise ValueError("lower_value must be non-negative.")
    if lower_saturation > upper_saturation:
        raise ValueError("lower_saturation must be < upper_saturation.")
    if lower_value > upper_value:
        raise ValueError("lower_value must be < upper_value.")

    def between(low: float, high: float) -> Tensor | float:
        return high if low == high else random_ops.random_uniform([], low, high, seed=seed)

    delta_hue = between(-max_delta_hue, max_delta_hue)
    saturation = between(lower_saturation, upper_saturation)
    return adjust_hsv_in_yiq(image, delta_hue, saturation, between(lower_value, upper_value))


def adjust_hsv_in_yiq(
    image: TensorLike,
    delta_hue: TensorLike = 0,
    scale_saturation: TensorLike = 1,
    scale_value: TensorLike = 1,
    name: Name = None,
) -> Tensor:
    """Turns the hue, and scales the saturation and the value, of RGB images in YIQ space.

    Args:
      image: images whose last dimension is 3.
      delta_hue: how far the hue is turned, in radians.
      scale_saturation: the factor of I and Q.
      scale_value: the factor of Y, I and Q.
      name: the scope's name.

    Returns:
      Images of the same shape and dtype.
    """
    with ops.name_scope(name, "adjust_hsv_in_yiq", [image]):
        given = ops.convert_to_tensor(image, name="image")
        floats = image_ops_impl.convert_image_dtype(given, dtypes.float32)
        adjusted = raw_ops.AdjustHsvInYiq(floats, delta_hue, scale_saturation, scale_value)
        return image_ops_impl.convert_image_dtype(adjusted, given.dtype)
