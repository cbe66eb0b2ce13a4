"""Colours of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, jnp
from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape


def _colors_shape(images: Any) -> Any:
    """The shape of images of three channels."""
    images = shapes.with_rank_at_least(images, 1)
    if images is None:
        return None
    return (*images[:-1], shapes.dim_with_value(images[-1], 3))


def _check_colors(images: Any, ctx: LoweringContext) -> None:
    if np.ndim(images) < 1:
        refuse(ctx, f"input must be at least 1D{text_of_shape(images)}")
    channels = images.shape[-1]
    ctx.check(
        channels == 3,
        errors.FailedPreconditionError,
        f"input must have 3 channels but input only has {channels} channels.",
    )


def _split(images: Any) -> tuple[Any, Any, Any]:
    images = jnp.asarray(images)
    return images[..., 0], images[..., 1], images[..., 2]


def _hsv(red: Any, green: Any, blue: Any) -> tuple[Any, Any, Any]:
    dtype = red.dtype.type
    value = jnp.maximum(red, jnp.maximum(green, blue))
    spread = value - jnp.minimum(red, jnp.minimum(green, blue))
    some = spread > 0
    saturation = jnp.where(value > 0, spread / jnp.where(value > 0, value, 1), 0)
    norm = dtype(1 / 6) / jnp.where(some, spread, 1)
    hue = jnp.where(
        red == value,
        norm * (green - blue),
        jnp.where(
            green == value,
            norm * (blue - red) + dtype(2 / 6),
            norm * (red - green) + dtype(4 / 6),
        ),
    )
    hue = jnp.where(some, hue, 0)
    return jnp.where(hue < 0, hue + 1, hue), saturation, value


def _rgb(hue: Any, saturation: Any, value: Any) -> Any:
    turn = hue * 6
    distances = (
        jnp.abs(turn - 3) - 1,
        2 - jnp.abs(turn - 2),
        2 - jnp.abs(turn - 4),
    )
    gray = 1 - saturation
    return jnp.stack([(gray + saturation * jnp.clip(d, 0, 1)) * value for d in distances], -1)


@op("RGBToHSV")
class RGBToHSV:
    def shape(images: Any) -> Shape:
        return _colors_shape(images)

    def lower(images: Any, *, ctx: LoweringContext) -> Array:
        _check_colors(images, ctx)
        return jnp.stack(_hsv(*_split(images)), -1).astype(images.dtype)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return _hsv_gradient(op.inputs[0], op.outputs[0], grad)


@op("HSVToRGB")
class HSVToRGB:
    def shape(images: Any) -> Shape:
        return _colors_shape(images)

    def lower(images: Any, *, ctx: LoweringContext) -> Array:
        _check_colors(images, ctx)
        return _rgb(*_split(images)).astype(images.dtype)


not_differentiable("HSVToRGB")


def _hsv_gradient(image: Any, output: Any, grad: Any) -> Any:
    """Records TF's gradient of RGBToHSV, which looks at six cases: which channel is the largest,
    and which the smallest."""

    def flag(condition: Any) -> Any:
        return math_ops.cast(condition, dtypes.float32)

    def inverse(x: Any) -> Any:
        return math_ops.div_no_nan(1.0, x)

    square = math_ops.square
    red, green, blue = (image[..., i] for i in range(3))
    saturation, value = output[..., 1], output[..., 2]
    red_most = flag((red >= blue) & (red >= green))
    green_most = flag((green > red) & (green >= blue))
    blue_most = flag((blue > red) & (blue > green))
    red_least = flag((red < blue) & (red < green))
    green_least = flag((green <= red) & (green < blue))
    blue_least = flag((blue <= red) & (blue <= green))

    def saturation_by(own: Any, most: Any, least: Any, others: Any) -> Any:
        """Of the saturation, by channel `own`; for each other one: itself, whether it is the
        smallest, whether the largest; the last of them in the order of the sums."""
        (a, a_least, _), (b, b_least, _), (c, c_most), (d, d_most) = others
        return flag(own > 0) * math_ops.add(
            most * math_ops.add(a_least * a, b_least * b) * inverse(square(own)),
            least * -1 * inverse(c_most * c + d_most * d),
        )

    by_red = saturation_by(
        red, red_most, red_least,
        ((green, green_least, 0), (blue, blue_least, 0), (green, green_most), (blue, blue_most)),
    )  # fmt: skip
    by_green = saturation_by(
        green, green_most, green_least,
        ((red, red_least, 0), (blue, blue_least, 0), (red, red_most), (blue, blue_most)),
    )  # fmt: skip
    by_blue = saturation_by(
        blue, blue_most, blue_least,
        ((green, green_least, 0), (red, red_least, 0), (green, green_most), (red, red_most)),
    )  # fmt: skip

    def hue_first(own: Any, most: Any, difference: Any) -> Any:
        """The channel is the largest."""
        return 60 * (
            flag(own > 0) * most * -1 * difference()
            * inverse(square(saturation)) * inverse(square(value))
        )  # fmt: skip

    def hue_least(largest: Any, most: Any, least: Any, upper: Any, lower: Any) -> Any:
        """The channel is the smallest."""
        return 60 * (
            flag(largest > 0) * most * least * upper() * inverse(square(lower()))
        )  # fmt: skip

    def hue_middle(largest: Any, most: Any, least: Any, difference: Any, sign: int) -> Any:
        """The channel is the middle one."""
        parts = flag(largest > 0) * most * least
        if sign < 0:
            parts = parts * -1
        return 60 * (parts * inverse(difference()))

    def total(parts: list[Any]) -> Any:
        result = parts[0]
        for part in parts[1:]:
            result = result + part
        return result / 360

    hue_by_red = total([
        hue_first(red, red_most, lambda: green - blue),
        hue_least(green, green_most, red_least, lambda: blue - green, lambda: red - green),
        hue_middle(green, green_most, blue_least, lambda: green - blue, -1),
        hue_least(blue, blue_most, red_least, lambda: blue - green, lambda: blue - red),
        hue_middle(blue, blue_most, green_least, lambda: blue - green, 1),
    ])  # fmt: skip
    hue_by_green = total([
        hue_first(green, green_most, lambda: blue - red),
        hue_least(red, red_most, green_least, lambda: red - blue, lambda: red - green),
        hue_middle(red, red_most, blue_least, lambda: red - blue, 1),
        hue_least(blue, blue_most, green_least, lambda: red - blue, lambda: blue - green),
        hue_middle(blue, blue_most, red_least, lambda: blue - red, -1),
    ])  # fmt: skip
    hue_by_blue = total([
        hue_first(blue, blue_most, lambda: red - green),
        hue_least(red, red_most, blue_least, lambda: green - red, lambda: red - blue),
        hue_middle(red, red_most, green_least, lambda: red - green, -1),
        hue_least(green, green_most, blue_least, lambda: green - red, lambda: green - blue),
        hue_middle(green, green_most, red_least, lambda: green - red, 1),
    ])  # fmt: skip

    def joined(place: int, parts: tuple[Any, Any, Any]) -> Any:
        return array_ops.stack([grad[..., place] * part for part in parts], axis=-1)

    by_value = joined(2, (red_most, green_most, blue_most))
    by_saturation = joined(1, (by_red, by_green, by_blue))
    by_hue = joined(0, (hue_by_red, hue_by_green, hue_by_blue))
    return math_ops.add(math_ops.add(by_value, by_saturation), by_hue)


# Contrast, hue and saturation.


def _check_adjusted(
    images: Any, amount: Any, name: str, ctx: LoweringContext, colors: bool = True
) -> None:
    if np.ndim(images) < 3:
        refuse(ctx, f"input must be at least 3-D, got shape{text_of_shape(images)}")
    if np.ndim(amount):
        refuse(ctx, f"{name} must be scalar: {text_of_shape(amount)}")
    if colors and images.shape[-1] != 3:
        refuse(ctx, f"input must have 3 channels but instead has {images.shape[-1]} channels.")


def _at_least_images(images: Any, *_: Any) -> Any:
    return shapes.with_rank_at_least(images, 3)


@op("AdjustContrastv2")
class AdjustContrastv2:
    def shape(images: Any, contrast_factor: Shape) -> Shape:
        shapes.with_rank(contrast_factor, 0)
        return _at_least_images(images)

    def lower(images: Any, contrast_factor: Array, *, ctx: LoweringContext) -> Array:
        _check_adjusted(images, contrast_factor, "contrast_factor", ctx, colors=False)
        x = jnp.asarray(images).astype(jnp.float32)
        mean = x.mean((-3, -2), keepdims=True)
        return ((x - mean) * contrast_factor + mean).astype(images.dtype)


# The hue as a number in [0, 6): which channels are the largest, the middle and the smallest one
# tells its whole part. For each: where the largest, the middle and the smallest value go.
_PLACES = ((0, 1, 2), (1, 0, 2), (1, 2, 0), (2, 1, 0), (2, 0, 1), (0, 2, 1))


@op("AdjustHue")
class AdjustHue:
    def shape(images: Any, delta: Shape) -> Shape:
        return _at_least_images(images)

    def lower(images: Any, delta: Array, *, ctx: LoweringContext) -> Array:
        _check_adjusted(images, delta, "delta", ctx)
        red, green, blue = _split(jnp.asarray(images).astype(jnp.float32))
        category = jnp.where(
            red < green,
            jnp.where(blue < red, 1, jnp.where(blue > green, 3, 2)),
            jnp.where(blue < green, 0, jnp.where(blue > red, 4, 5)),
        )
        most = jnp.maximum(red, jnp.maximum(green, blue))
        least = jnp.minimum(red, jnp.minimum(green, blue))
        middle = jnp.maximum(jnp.minimum(red, green), jnp.minimum(jnp.maximum(red, green), blue))
        spread = most - least
        ratio = (middle - least) / jnp.where(spread == 0, 1, spread)
        hue = category + jnp.where(category % 2 == 0, ratio, 1 - ratio)
        hue = jnp.where(spread == 0, 0, hue) + jnp.asarray(delta, jnp.float32) * 6
        hue = jnp.mod(hue, np.float32(6))
        category = jnp.minimum(hue.astype(jnp.int32), 5)
        ratio = hue - category
        ratio = jnp.where(category % 2 == 0, ratio, 1 - ratio)
        values = (most, least + ratio * spread, least)
        channels = []
        for channel in range(3):
            result = values[_PLACES[5].index(channel)]
            for i in range(5):
                result = jnp.where(category == i, values[_PLACES[i].index(channel)], result)
            channels.append(result)
        return jnp.stack(channels, -1).astype(images.dtype)


@op("AdjustSaturation")
class AdjustSaturation:
    def shape(images: Any, scale: Shape) -> Shape:
        return _at_least_images(images)

    def lower(images: Any, scale: Array, *, ctx: LoweringContext) -> Array:
        _check_adjusted(images, scale, "scale", ctx)
        hue, saturation, value = _hsv(*_split(jnp.asarray(images).astype(jnp.float32)))
        saturation = jnp.clip(saturation * jnp.asarray(scale, jnp.float32), 0, 1)
        return _rgb(hue, saturation, value).astype(images.dtype)


# In YIQ a hue is turned, and the saturation scaled, by linear maps of RGB; a row for each input.
_LUMA = np.array([0.299, 0.587, 0.114], np.float64)
_QUARTER_TURN = np.array(
    [
        [0.168621749, -0.327963412, 1.246461421],
        [0.329804778, 0.034610629, -1.043228745],
        [-0.498426534, 0.293352716, -0.203232527],
    ]
)


@op("AdjustHsvInYiq")
class AdjustHsvInYiq:
    def shape(images: Any, delta_h: Shape, scale_s: Shape, scale_v: Shape) -> Shape:
        return shapes.with_rank_at_least(images, 3)

    def lower(
        images: Any, delta_h: Array, scale_s: Array, scale_v: Array, *, ctx: LoweringContext
    ) -> Array:
        if np.ndim(images) < 3:
            refuse(ctx, f"input must be at least 3-D, got shape{text_of_shape(images)}")
        for value, name in ((delta_h, "delta_h"), (scale_s, "scale_s"), (scale_v, "scale_v")):
            if np.ndim(value):
                refuse(ctx, f"{name} must be scalar: {text_of_shape(value)}")
        if np.shape(images)[-1] != 3:
            refuse(
                ctx, f"input must have 3 channels but instead has {np.shape(images)[-1]} channels."
            )
        grey = np.repeat(_LUMA[:, None], 3, 1)
        delta, scale = (jnp.asarray(x, jnp.float64) for x in (delta_h, scale_s))
        map_ = grey + scale * (jnp.cos(delta) * (np.eye(3) - grey) + jnp.sin(delta) * _QUARTER_TURN)
        map_ = (scale_v * map_).astype(images.dtype)
        return jnp.matmul(images, map_)
