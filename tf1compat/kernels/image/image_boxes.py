"""Boxes in images: cropping, drawing and drawing at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.backend import Array, at, jnp, lax
from tf1compat.core import errors, raw_ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.math import rounding
from tf1compat.kernels.random import philox

_F32 = np.float32


# Crops of boxes, resized.


class _Axis:
    """Where the pixels of the crops lie along one axis of the images.

    Attributes:
      place: [boxes, crop], in pixels of the image.
      inside: [boxes, crop], whether that is within the image.
      low, high, share: the pixels on both sides, and how near the second one is.
    """

    def __init__(self, first: Any, last: Any, size: int, crop: int):
        pixels = jnp.arange(crop, dtype=jnp.float32)
        edge = _F32(size - 1)
        if crop > 1:
            scale = (last - first) * edge / _F32(crop - 1)
            steps = rounding.product(pixels, scale[:, None])
            self.place = rounding.product(first, edge)[:, None] + steps
        else:
            self.place = (_F32(0.5) * (first + last) * edge)[:, None]
        self.inside = (self.place >= 0) & (self.place <= edge)
        floor = jnp.floor(self.place)
        self.share = self.place - floor
        self.low = jnp.clip(floor.astype(jnp.int32), 0, size - 1)
        self.high = jnp.clip(jnp.ceil(self.place).astype(jnp.int32), 0, size - 1)
        # C's roundf rounds halves away from 0.
        self.nearest = jnp.clip(jnp.floor(self.place + _F32(0.5)).astype(jnp.int32), 0, size - 1)


def _axes(boxes: Any, image: Any, crop: Any) -> tuple[_Axis, _Axis]:
    boxes = jnp.asarray(boxes)
    rows = _Axis(boxes[:, 0], boxes[:, 2], image[1], crop[0])
    return rows, _Axis(boxes[:, 1], boxes[:, 3], image[2], crop[1])


def _check_boxes(image: Any, boxes: Any, box_ind: Any, ctx: LoweringContext) -> None:
    """Refuses what TF's kernels do; `image` is its shape."""
    if np.ndim(boxes) != 2 or np.ndim(box_ind) != 1:
        if np.ndim(boxes) != 2:
            refuse(ctx, f"boxes must be 2-D{text_of_shape(boxes)}")
        refuse(ctx, f"box_index must be 1-D{text_of_shape(box_ind)}")
    if boxes.shape[1] != 4:
        refuse(ctx, "boxes must have 4 columns")
    if len(box_ind) != len(boxes):
        refuse(ctx, "box_index has incompatible shape")
    index = jnp.asarray(box_ind)
    ctx.check(
        jnp.all((index >= 0) & (index < image[0])),
        errors.OutOfRangeError,
        "box_index has values outside [0, batch_size)",
    )


def _at(image: Any, box_ind: Any, rows: Any, columns: Any) -> Any:
    """The pixels [boxes, crop, crop, channels] at rows and columns [boxes, crop]."""
    image, box_ind = jnp.asarray(image), jnp.asarray(box_ind)
    found = at(image)[box_ind[:, None, None], rows[:, :, None], columns[:, None, :]]
    return found.get(mode="clip").astype(jnp.float32)


def _corners(
    image: Any, box_ind: Any, rows: _Axis, columns: _Axis
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The pixels around each place: upper left and right, lower left and right."""
    return (
        (_at(image, box_ind, rows.low, columns.low), _at(image, box_ind, rows.low, columns.high)),
        (
            _at(image, box_ind, rows.high, columns.low),
            _at(image, box_ind, rows.high, columns.high),
        ),
    )


def _crop_shape(image: Any, boxes: Any, box_ind: Any) -> tuple[Any, Any]:
    """The number of boxes, and the channels."""
    image, boxes = shapes.with_rank(image, 4), shapes.with_rank(boxes, 2)
    box_ind = shapes.with_rank(box_ind, 1)
    count = shapes.merge_dim(boxes[0], box_ind[0])
    shapes.dim_with_value(boxes[1], 4)
    return count, image[3]


@op("CropAndResize", const=(3,))
class CropAndResize:
    def shape(
        image: Any, boxes: Shape, box_ind: Shape, crop_size: Shape, *, op: Operation
    ) -> Shape:
        count, depth = _crop_shape(image, boxes, box_ind)
        shapes.dim_with_value(shapes.with_rank(crop_size, 1)[0], 2)
        value = op.const_input(3)
        rows, columns = (None, None) if value is None else shapes.from_sizes(value)
        return count, rows, columns, depth

    def lower(
        image: Any,
        boxes: Array,
        box_ind: Array,
        crop_size: np.ndarray,
        *,
        method: str,
        extrapolation_value: float,
        ctx: LoweringContext,
    ) -> Array:
        if np.ndim(image) != 4:
            refuse(ctx, f"input image must be 4-D{text_of_shape(image)}")
        if 0 in image.shape[1:3]:
            refuse(ctx, "image dimensions must be positive")
        if np.ndim(crop_size) != 1:
            refuse(ctx, f"crop_size must be 1-D{text_of_shape(crop_size)}")
        if len(crop_size) != 2:
            refuse(ctx, f"crop_size must have two elements{text_of_shape(crop_size)}")
        crop = [int(n) for n in crop_size]
        if min(crop) <= 0:
            refuse(ctx, "crop dimensions must be positive")
        _check_boxes(image.shape, boxes, box_ind, ctx)
        rows, columns = _axes(boxes, image.shape, crop)
        if method == "bilinear":
            (a, b), (c, d) = _corners(image, box_ind, rows, columns)
            share = columns.share[:, None, :, None]
            top, bottom = a + (b - a) * share, c + (d - c) * share
            found = top + (bottom - top) * rows.share[:, :, None, None]
        else:
            found = _at(image, box_ind, rows.nearest, columns.nearest)
        inside = (rows.inside[:, :, None] & columns.inside[:, None, :])[..., None]
        return jnp.where(inside, found, _F32(extrapolation_value))

    def gradient(op: Any, grad: Tensor) -> Gradients:
        image, boxes, box_ind, _ = op.inputs
        if image.get_shape().is_fully_defined():
            size = image.get_shape().as_list()
        else:
            size = array_ops.shape(image)
        to_image = None
        if image.dtype.is_floating and image.dtype.size in (2, 4, 8):
            to_image = raw_ops.CropAndResizeGradImage(
                grad, boxes, box_ind, size, T=op.get_attr("T"), method=op.get_attr("method")
            )
        to_boxes = raw_ops.CropAndResizeGradBoxes(grad, image, boxes, box_ind)
        return [to_image, to_boxes, None, None]


@op("CropAndResizeGradImage", const=(3,))
class CropAndResizeGradImage:
    def shape(
        grads: Any, boxes: Shape, box_ind: Shape, image_size: Shape, *, op: Operation
    ) -> Shape:
        return shapes.with_rank(op.shape_input(3), 4)

    def lower(
        grads: Any,
        boxes: Array,
        box_ind: Array,
        image_size: np.ndarray,
        *,
        T: DType,
        method: str,
        ctx: LoweringContext,
    ) -> Array:
        size = [int(n) for n in image_size]
        _check_boxes(size, boxes, box_ind, ctx)
        if 0 in grads.shape[1:3]:
            refuse(ctx, "grads dimensions must be positive")
        rows, columns = _axes(boxes, size, grads.shape[1:3])
        inside = (rows.inside[:, :, None] & columns.inside[:, None, :])[..., None]
        grad = jnp.where(inside, jnp.asarray(grads), _F32(0))
        box = jnp.asarray(box_ind)[:, None, None]
        # Terms are float32, sums are not.
        dtype = T.as_numpy_dtype
        result = jnp.zeros(size, dtype)
        if method == "bilinear":
            for row, share in ((rows.low, 1 - rows.share), (rows.high, rows.share)):
                part = grad * share[:, :, None, None]
                for column, other in (
                    (columns.low, 1 - columns.share),
                    (columns.high, columns.share),
                ):
                    place = at(result)[box, row[:, :, None], column[:, None, :]]
                    terms = part * other[:, None, :, None]
                    result = place.add(terms.astype(dtype), mode="drop")
        else:
            place = at(result)[box, rows.nearest[:, :, None], columns.nearest[:, None, :]]
            result = place.add(grad.astype(dtype), mode="drop")
        return result


@op("CropAndResizeGradBoxes")
class CropAndResizeGradBoxes:
    def shape(grads: Any, image: Shape, boxes: Shape, box_ind: Shape) -> Shape:
        return boxes

    def lower(
        grads: Any, image: Array, boxes: Array, box_ind: Array, *, ctx: LoweringContext
    ) -> Array:
        _check_boxes(image.shape, boxes, box_ind, ctx)
        crop = grads.shape[1:3]
        rows, columns = _axes(boxes, image.shape, crop)
        inside = (rows.inside[:, :, None] & columns.inside[:, None, :])[..., None]
        grad = jnp.where(inside, jnp.asarray(grads), _F32(0))
        (a, b), (c, d) = _corners(image, box_ind, rows, columns)
        right, down = columns.share[:, None, :, None], rows.share[:, :, None, None]
        by_row = (grad * ((1 - right) * (c - a) + right * (d - b))).sum((2, 3))
        by_column = (grad * ((1 - down) * (b - a) + down * (d - c))).sum((1, 3))
        parts = [
            _ends(slope, image.shape[axis], crop[axis - 1])
            for axis, slope in ((1, by_row), (2, by_column))
        ]
        (first_row, last_row), (first_column, last_column) = parts
        return jnp.stack([first_row, first_column, last_row, last_column], 1)


def _ends(slope: Any, size: int, crop: int) -> tuple[Any, Any]:
    """What the gradient [boxes, crop] with respect to places says of the ends of boxes."""
    edge = size - 1
    if crop > 1:
        share = jnp.arange(crop, dtype=jnp.float32) * _F32(edge / (crop - 1))
        return (slope * (_F32(edge) - share)).sum(1), (slope * share).sum(1)
    half = (slope * _F32(0.5 * edge)).sum(1)
    return half, half


# Glimpses.


@op("ExtractGlimpse", const=(1,), random=True)
class ExtractGlimpse:
    def shape(
        input: Any, size: Shape, offsets: Shape, *, uniform_noise: bool, noise: str, op: Operation
    ) -> Shape:
        input, offsets = shapes.with_rank(input, 4), shapes.with_rank(offsets, 2)
        batch = shapes.merge_dim(input[0], offsets[0])
        shapes.dim_with_value(offsets[1], 2)
        if uniform_noise and noise not in ("", "uniform"):
            raise ShapeError("The uniform_noise and noise should not be specified at the same time")
        shapes.dim_with_value(shapes.with_rank(size, 1)[0], 2)
        value = op.const_input(1)
        rows, columns = (None, None) if value is None else shapes.from_sizes(value)
        return batch, rows, columns, input[3]

    def lower(
        input: Any,
        size: np.ndarray,
        offsets: Array,
        *,
        centered: bool,
        normalized: bool,
        uniform_noise: bool,
        noise: str,
        ctx: LoweringContext,
    ) -> Array:
        if not uniform_noise and noise not in ("uniform", "gaussian", "zero"):
            refuse(ctx, f"The noise could only be uniform, gaussian, or zero, got{noise}")
        if np.ndim(input) != 4:
            refuse(
                ctx,
                "input must be 4-dimensional (batch_size, height, width, depth)"
                f"{text_of_shape(input)}",
            )
        if np.shape(size) != (2,):
            refuse(ctx, f"input must be a vector of size 2 (height, width){text_of_shape(size)}")
        if np.ndim(offsets) != 2:
            refuse(ctx, f"input must be a matrix{text_of_shape(offsets)}")
        if offsets.shape[0] != input.shape[0]:
            refuse(ctx, f"first dimension should be batch{text_of_shape(offsets)}")
        if offsets.shape[1] != 2:
            refuse(ctx, f"second dimension should be of size 2 (y,x){text_of_shape(offsets)}")
        window = [int(n) for n in size]
        x, offsets = jnp.asarray(input), jnp.asarray(offsets)
        places = []
        for axis in (0, 1):
            length = x.shape[axis + 1]
            start = offsets[:, axis]
            if normalized:
                start = start * length
            if centered:
                start = start / 2 + _F32(length / 2)
            start = jnp.trunc(start - _F32(window[axis] / 2)).astype(jnp.int32)
            places.append(start[:, None] + jnp.arange(window[axis], dtype=jnp.int32))
        rows, columns = places[0][:, :, None], places[1][:, None, :]
        inside = (rows >= 0) & (rows < x.shape[1]) & (columns >= 0) & (columns < x.shape[2])
        batch = jnp.arange(x.shape[0])[:, None, None]
        index = batch, jnp.clip(rows, 0), jnp.clip(columns, 0)
        found = at(x)[index].get(mode="clip") if x.size else jnp.zeros(inside.shape + x.shape[3:])
        kind = "uniform" if uniform_noise else noise
        return jnp.where(inside[..., None], found, _noise(x, found.shape, kind, ctx))


not_differentiable("ExtractGlimpse")


def _noise(x: Any, sizes: Any, kind: str, ctx: LoweringContext) -> Any:
    """What is outside the images: noise that is distributed as each image's pixels are."""
    if kind == "zero" or not x.size:
        return jnp.zeros(sizes, x.dtype)
    count = int(np.prod(sizes))
    key, counter = ctx.rng(reserve_128=philox.RESERVED_PER_OUTPUT * count)
    if kind == "uniform":
        least = x.min((1, 2, 3), keepdims=True)
        drawn = philox.uniform(key, counter, count, np.float32).reshape(sizes)
        return least + drawn * (x.max((1, 2, 3), keepdims=True) - least)
    axes = (1, 2)
    drawn = philox.normal(key, counter, count, np.float32).reshape(sizes)
    drawn = x.mean(axes, keepdims=True) + drawn * x.std(axes, keepdims=True)
    return jnp.clip(drawn, x.min(axes, keepdims=True), x.max(axes, keepdims=True))


# Drawing boxes.

_COLORS = np.array(
    [
        [1, 1, 0, 1],
        [0, 0, 1, 1],
        [1, 0, 0, 1],
        [0, 1, 0, 1],
        [0.5, 0, 0.5, 1],
        [0.5, 0.5, 0, 1],
        [0.5, 0, 0, 1],
        [0, 0, 0.5, 1],
        [0, 1, 1, 1],
        [1, 0, 1, 1],
    ],
    np.float32,
)


_DEPTHS = "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)"


def _draw(images: Any, boxes: Any, colors: Any, ctx: LoweringContext) -> Any:
    if np.ndim(images) != 4:
        refuse(ctx, "The rank of the images should be 4")
    if np.ndim(boxes) != 3:
        refuse(ctx, "The rank of the boxes tensor should be 3")
    if images.shape[0] != boxes.shape[0]:
        refuse(ctx, "The batch sizes should be the same")
    depth = images.shape[3]
    if depth not in (1, 3, 4):
        refuse(ctx, _DEPTHS)
    if colors is not None:
        if np.ndim(colors) != 2:
            refuse(ctx, f"colors must be a 2-D matrix{text_of_shape(colors)}")
        if colors.shape[1] < depth:
            refuse(
                ctx,
                "colors must have equal or more channels than the image provided: "
                f"{text_of_shape(colors)}",
            )
    if colors is None or not len(colors):
        # Grey boxes are white.
        colors = np.ones((10, 1), np.float32) if depth == 1 else _COLORS
    x, boxes = jnp.asarray(images), jnp.asarray(boxes)
    height, width = x.shape[1:3]
    paint = jnp.asarray(colors)[:, :depth].astype(x.dtype)
    sizes = jnp.array([height - 1, width - 1] * 2, jnp.float32)
    corners = jnp.trunc(boxes[..., :4] * sizes).astype(jnp.int32)
    rows = jnp.arange(height)[None, :, None]
    columns = jnp.arange(width)[None, None, :]

    def draw(number: Any, x: Any) -> Any:
        top, left, bottom, right = (
            lax.dynamic_index_in_dim(corners, number, 1, keepdims=False)[:, i, None, None]
            for i in range(4)
        )
        within = (rows >= top) & (rows <= bottom) & (columns >= left) & (columns <= right)
        edge = (rows == top) | (rows == bottom) | (columns == left) | (columns == right)
        return jnp.where((within & edge)[..., None], paint[number % len(colors)], x)

    return lax.fori_loop(0, boxes.shape[1], draw, x)


@op("DrawBoundingBoxes")
class DrawBoundingBoxes:
    def shape(images: Any, boxes: Shape) -> Shape:
        if shapes.with_rank(images, 4)[3] not in (None, 1, 3, 4):
            raise ShapeError(_DEPTHS)
        shapes.dim_with_value(shapes.with_rank(boxes, 3)[2], 4)
        return images

    def lower(images: Any, boxes: Array, *, ctx: LoweringContext) -> Array:
        return _draw(images, boxes, None, ctx)


@op("DrawBoundingBoxesV2")
class DrawBoundingBoxesV2:
    def shape(images: Any, boxes: Shape, colors: Shape) -> Shape:
        return shapes.with_rank_at_least(images, 3)

    def lower(images: Any, boxes: Array, colors: Array, *, ctx: LoweringContext) -> Array:
        return _draw(images, boxes, colors, ctx)


not_differentiable("DrawBoundingBoxes")


# Boxes at random.


def _sampled_shape(image_size: Any, bounding_boxes: Any, *min_object_covered: Any) -> Any:
    image_size, boxes = shapes.with_rank(image_size, 1), shapes.with_rank(bounding_boxes, 3)
    for scalar in min_object_covered:
        shapes.with_rank(scalar, 0)
    shapes.dim_with_value(image_size[0], 3)
    shapes.dim_with_value(boxes[2], 4)
    return [(3,), (3,), (1, 1, 4)]


class _Words:
    """Takes numbers from a stream of random words, as TF's SimplePhilox does.

    Args:
      words: uint32 [n].
      place: how many are taken.
    """

    def __init__(self, words: Any, place: Any):
        self._words = words
        self.place = place

    def _next(self) -> Any:
        word = self._words[self.place]
        self.place = self.place + 1
        return word

    def float(self) -> Any:
        """A float in [0, 1)."""
        return philox.unit_float32(self._next())

    def below(self, n: Any, wanted: Any) -> Any:
        """An int32 in [0, n), all as probable; 0, and nothing is taken, unless `wanted`."""
        start = self.place
        n = jnp.where(wanted, n, 1).astype(np.uint32)
        skewed = (np.uint32(0xFFFFFFFF) % n + 1) % n

        def unfit(state: Any) -> Any:
            return self._words[state] < skewed

        place = lax.while_loop(unfit, lambda state: state + 1, self.place)
        word = self._words[place]
        self.place = jnp.where(wanted, place + 1, start)
        return jnp.where(wanted, (word % n).astype(jnp.int32), 0)


def _rounded(x: Any) -> Any:
    return jnp.rint(x).astype(jnp.int32)


def _candidate(
    height: Any, width: Any, ratio: Any, area: tuple[float, float], words: _Words
) -> tuple[Any, Any]:
    """A box of some aspect ratio within an image, and whether there is one."""
    pixels = [_F32(a) * width.astype(jnp.float32) * height.astype(jnp.float32) for a in area]
    rows = _rounded(jnp.sqrt(pixels[0] / ratio))
    most = _rounded(jnp.sqrt(pixels[1] / ratio))
    largest = ((width + 0.5 - 1e-7) / ratio.astype(jnp.float64)).astype(jnp.int32)
    largest = jnp.where(_rounded(largest * ratio) > width, largest - 1, largest)
    most = jnp.where(_rounded(most * ratio) > width, largest, most)
    most = jnp.minimum(most, height)
    rows = jnp.minimum(rows, most)
    rows = rows + words.below(most - rows + 1, rows < most)
    columns = _rounded(rows * ratio)
    for step, misses in ((1, lambda size: size < pixels[0]), (-1, lambda size: size > pixels[1])):
        retry = misses((rows * columns).astype(jnp.float32))
        rows = jnp.where(retry, rows + step, rows)
        columns = jnp.where(retry, _rounded(rows * ratio), columns)
    size = (rows * columns).astype(jnp.float32)
    fits = (size >= pixels[0]) & (size <= pixels[1]) & (columns <= width) & (rows <= height)
    fits = fits & (columns > 0) & (rows > 0)
    y = words.below(height - rows, fits & (rows < height))
    x = words.below(width - columns, fits & (columns < width))
    return jnp.stack([y, x, y + rows, x + columns]), fits


def _area(box: Any) -> Any:
    """The area of boxes [..., 4] in pixels."""
    sides = jnp.maximum(box[..., 2:] - box[..., :2], 0)
    return (sides[..., 0] * sides[..., 1]).astype(jnp.float32)


def _covers(box: Any, objects: Any, least: Any) -> Any:
    """Whether a box covers enough of one of `objects`."""
    shared = jnp.concatenate(
        [jnp.maximum(box[:2], objects[:, :2]), jnp.minimum(box[2:], objects[:, 2:])], 1
    )
    areas = _area(objects)
    covered = _area(shared) / jnp.maximum(areas, 1)
    return (_area(box) >= 1) & jnp.any((areas >= 1) & (covered >= least))


def _text(value: Any) -> str:
    return f"{np.float32(value):g}"


def _sample(
    image_size: Any, bounding_boxes: Any, least: Any, attrs: Any, ctx: LoweringContext
) -> Any:
    if np.ndim(image_size) != 1:
        refuse(ctx, f"image_size must be 1-dimensional{text_of_shape(image_size)}")
    if len(image_size) != 3:
        refuse(ctx, f"image_size must contain 3 elements{text_of_shape(image_size)}")
    if np.ndim(bounding_boxes) != 3:
        refuse(
            ctx,
            "input boxes must be 3-dimensional [batch, num_boxes, coords]: "
            f"{text_of_shape(bounding_boxes)}",
        )
    if bounding_boxes.shape[-1] != 4:
        refuse(
            ctx,
            f"bounding boxes must have shape [4] or [*, 4], got {text_of_shape(bounding_boxes)}",
        )
    if np.ndim(least):
        refuse(ctx, f"min_object_covered must be 0-D, got shape {text_of_shape(least)}")
    least = jnp.asarray(least, jnp.float32)
    ctx.check(
        least >= 0,
        errors.InvalidArgumentError,
        lambda value: f"Min object covered must be non-negative: {_text(value)}",
        value=least,
    )
    for name, key in (("Area", "area_range"), ("Aspect ratio", "aspect_ratio_range")):
        values = attrs[key]
        if len(values) != 2:
            refuse(ctx, f"{name} range field must specify 2 dimensions")
        if values[0] <= 0 or values[1] <= 0 or (name == "Area" and max(values) > 1):
            shown = f"[{_text(values[0])}, {_text(values[1])}]"
            limit = "non-negative" if min(values) <= 0 else "less than or equal to 1.0"
            refuse(ctx, f"{name} range must be {limit}: {shown}")
    attempts = attrs["max_attempts"]
    if attempts <= 0:
        refuse(ctx, f"Max attempts must be non-negative: {attempts}")
    sizes = jnp.asarray(image_size)
    height, width = sizes[0].astype(jnp.int32), sizes[1].astype(jnp.int32)
    whole = jnp.stack([jnp.zeros_like(height), jnp.zeros_like(width), height, width])
    for name, value in (("height", height), ("width", width)):
        ctx.check(
            (value >= 0) & (value < np.iinfo(np.int32).max),
            errors.InvalidArgumentError,
            lambda name=name: f"image {name} cannot be >= int32 max",
        )
    boxes = jnp.asarray(bounding_boxes).reshape(-1, 4)
    if len(boxes):
        outside = ~((boxes >= 0) & (boxes <= 1))
        ctx.check(
            jnp.logical_not(outside.any()),
            errors.InvalidArgumentError,
            lambda value: f"All bounding box coordinates must be in [0.0, 1.0]: {_text(value)}",
            value=boxes.reshape(-1)[jnp.argmax(outside.reshape(-1))],
        )
        scale = jnp.stack([height, width, height, width]).astype(jnp.float32)
        objects = jnp.trunc(boxes * scale).astype(jnp.int32)
    else:
        if not attrs["use_image_if_no_bounding_boxes"]:
            refuse(
                ctx,
                "No bounding boxes provided as input. One must enable "
                "use_image_if_no_bounding_boxes if you wish to not provide any bounding boxes.",
            )
        objects = whole[None]
    key, counter = ctx.rng(reserve_128=attempts)
    # An attempt takes four words; a few more, should one be unfit.
    stream = philox.words(key, counter, 4 * attempts + 64)
    low, high = (_F32(value) for value in attrs["aspect_ratio_range"])
    area = tuple(attrs["area_range"])

    def attempt(state: Any) -> Any:
        number, place, _, _ = state
        words = _Words(stream, place)
        ratio = words.float() * (high - low) + low
        box, fits = _candidate(height, width, ratio, area, words)
        return number + 1, words.place, fits & _covers(box, objects, least), box

    def goes_on(state: Any) -> Any:
        return (state[0] < attempts) & ~state[2]

    zero = jnp.zeros((), jnp.int32)
    _, _, found, box = lax.while_loop(goes_on, attempt, (zero, zero, jnp.bool_(False), whole))
    box = jnp.where(found, box, whole)
    dtype = sizes.dtype
    begin = jnp.concatenate([box[:2], jnp.zeros(1, jnp.int32)]).astype(dtype)
    size = jnp.concatenate([box[2:] - box[:2], jnp.full(1, -1, jnp.int32)]).astype(dtype)
    scale = jnp.stack([height, width, height, width]).astype(jnp.float32)
    return begin, size, (box.astype(jnp.float32) / scale).reshape(1, 1, 4)


@op("SampleDistortedBoundingBox", random=True)
class SampleDistortedBoundingBox:
    shape = _sampled_shape

    def lower(
        image_size: Any,
        bounding_boxes: Array,
        *,
        min_object_covered: float,
        op: Operation,
        ctx: LoweringContext,
    ) -> Any:
        return _sample(image_size, bounding_boxes, np.float32(min_object_covered), op._attrs, ctx)


@op("SampleDistortedBoundingBoxV2", random=True)
class SampleDistortedBoundingBoxV2:
    shape = _sampled_shape

    def lower(
        image_size: Any,
        bounding_boxes: Array,
        min_object_covered: Array,
        *,
        op: Operation,
        ctx: LoweringContext,
    ) -> Any:
        return _sample(image_size, bounding_boxes, min_object_covered, op._attrs, ctx)


not_differentiable("SampleDistortedBoundingBox", "SampleDistortedBoundingBoxV2")
