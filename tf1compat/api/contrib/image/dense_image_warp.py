"""Images whose pixels flow."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike

_TOO_LARGE = """The image size or batch size is sufficiently large
                       that the linearized addresses used by array_ops.gather
                       may exceed the int32 limit."""


def _checked(*checks: Any) -> Any:
    return ops.control_dependencies(list(checks))


def _interpolate_bilinear(
    grid: Any, query_points: Any, name: str = "interpolate_bilinear", indexing: str = "ij"
) -> Any:
    """Values between the points of a grid.

    Args:
      grid: float tensor [batch, height, width, channels].
      query_points: float tensor [batch, points, 2]; those beyond the grid are moved to its edge.
      name: scope of the ops.
      indexing: "ij" if a point is a row and a column, "xy" if it is the other way round.

    Returns:
      A tensor [batch, points, channels].

    Raises:
      ValueError: another `indexing`, or the grid is not of four dimensions.
    """
    if indexing not in ("ij", "xy"):
        raise ValueError("Indexing mode must be 'ij' or 'xy'")
    with ops.name_scope(name):
        grid = ops.convert_to_tensor(grid)
        points = ops.convert_to_tensor(query_points)
        if len(grid.get_shape().as_list()) != 4:
            raise ValueError(f"Grid must be 4 dimensional. Received size: {grid.get_shape()}")
        sizes = [array_ops.shape(grid)[i] for i in range(4)]
        batch, height, width, channels = sizes
        rank = check_ops.assert_equal(
            len(points.get_shape()), 3, message="Query points must be 3 dimensional."
        )
        size = check_ops.assert_equal(
            array_ops.shape(points)[2], 2, message="Query points must be size 2 in dim 2."
        )
        with _checked(rank, size):
            count = array_ops.shape(points)[1]
        high = check_ops.assert_greater_equal(height, 2, message="Grid height must be at least 2.")
        wide = check_ops.assert_greater_equal(width, 2, message="Grid width must be at least 2.")
        with _checked(high, wide):
            axes = array_ops.unstack(points, axis=2)
        before, after, shares = [], [], []
        for dim in (0, 1) if indexing == "ij" else (1, 0):
            with ops.name_scope(f"dim-{dim}"):
                low, share = _cell(axes[dim], sizes[dim + 1], grid.dtype)
                before.append(low)
                after.append(low + 1)
                shares.append(share())
        pixels = math_ops.cast(batch * height * width, dtype=dtypes.float32)
        limit = np.iinfo(np.int32).max / 8
        with _checked(check_ops.assert_less_equal(pixels, limit, message=_TOO_LARGE)):
            flat = array_ops.reshape(grid, [batch * height * width, channels])
            offsets = math_ops.range(batch) * height * width
            offsets = array_ops.reshape(offsets, [batch, 1])

        def corner(rows: TensorLike, columns: Any, name: str) -> Any:
            with ops.name_scope(f"gather-{name}"):
                places = offsets + rows * width + columns
                values = array_ops.gather(flat, places)
                return array_ops.reshape(values, [batch, count, channels])

        top_left = corner(before[0], before[1], "top_left")
        top_right = corner(before[0], after[1], "top_right")
        bottom_left = corner(after[0], before[1], "bottom_left")
        bottom_right = corner(after[0], after[1], "bottom_right")
        with ops.name_scope("interpolate"):
            top = shares[1] * (top_right - top_left) + top_left
            bottom = shares[1] * (bottom_right - bottom_left) + bottom_left
            return shares[0] * (bottom - top) + top


def _cell(place: Any, size: Any, dtype: Any) -> tuple[Any, Any]:
    """The point of a grid before a place, and, recorded when called, how far the place is on."""
    last = math_ops.cast(size - 2, place.dtype)
    zero = constant_op.constant(0.0, dtype=place.dtype)
    floor = math_ops.minimum(math_ops.maximum(zero, math_ops.floor(place)), last)

    def share() -> Any:
        part = math_ops.cast(place - floor, dtype)
        none = constant_op.constant(0.0, dtype=dtype)
        all_ = constant_op.constant(1.0, dtype=dtype)
        return array_ops.expand_dims(math_ops.minimum(math_ops.maximum(none, part), all_), 2)

    return math_ops.cast(floor, dtypes.int32), share


@tf_export("contrib.image.dense_image_warp")
def dense_image_warp(image: TensorLike, flow: Any, name: str = "dense_image_warp") -> Any:
    """Images of which each pixel is what was `flow` before it.

    Args:
      image: float tensor [batch, height, width, channels].
      flow: float tensor [batch, height, width, 2], rows and columns.
      name: scope of the ops.

    Returns:
      A tensor like `image`.
    """
    with ops.name_scope(name):
        batch, height, width, channels = (array_ops.shape(image)[i] for i in range(4))
        columns, rows = array_ops.meshgrid(math_ops.range(width), math_ops.range(height))
        grid = math_ops.cast(array_ops.stack([rows, columns], axis=2), flow.dtype)
        points = array_ops.expand_dims(grid, axis=0) - flow
        points = array_ops.reshape(points, [batch, height * width, 2])
        values = _interpolate_bilinear(image, points)
        return array_ops.reshape(values, [batch, height, width, channels])
