"""Images of which some points are moved."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.image.dense_image_warp import dense_image_warp
from tf1compat.api.contrib.image.interpolate_spline import interpolate_spline
from tf1compat.core import ops
from tf1compat.core.export import tf_export


def _in_batch(points: np.ndarray, batch: Any) -> np.ndarray:
    """The points once for each of the batch."""
    return np.tile(points[None], [batch, *[1] * points.ndim])


def _grid(height: int, width: int, rows: int, columns: int) -> np.ndarray:
    """Points at equal distances over an image: [rows, columns, 2]."""
    axes = np.linspace(0, height - 1, rows), np.linspace(0, width - 1, columns)
    return np.stack(np.meshgrid(*axes, indexing="ij"), -1)


def _on_the_edge(height: int, width: int, per_edge: int) -> np.ndarray:
    """The corners, and as many points on each edge: [points, 2]."""
    points = _grid(height, width, per_edge + 2, per_edge + 2)
    y, x = points[..., 0], points[..., 1]
    return points[(x == 0) | (x == width - 1) | (y == 0) | (y == height - 1)]


def _pixels(height: int, width: int) -> np.ndarray:
    """Where each pixel is: [height, width, 2]."""
    return _grid(height, width, height, width)


def _held_at_the_edge(
    locations: Any, flows: Any, height: int, width: int, per_edge: int
) -> tuple[Any, Any]:
    """Points and how they move, with those of the edge, which stay."""
    batch = locations.shape.as_list()[0]
    edge = _on_the_edge(height, width, per_edge)
    fixed = constant_op.constant(_in_batch(edge, batch), dtype=locations.dtype)
    still = constant_op.constant(_in_batch(np.zeros_like(edge), batch), dtype=locations.dtype)
    return array_ops.concat([locations, fixed], 1), array_ops.concat([flows, still], 1)


@tf_export("contrib.image.sparse_image_warp")
def sparse_image_warp(
    image: Any,
    source_control_point_locations: Any,
    dest_control_point_locations: Any,
    interpolation_order: int = 2,
    regularization_weight: Any = 0.0,
    num_boundary_points: int = 0,
    name: str = "sparse_image_warp",
) -> tuple[Any, Any]:
    """Images in which points have moved, and what is between them by a spline.

    Args:
      image: float tensor [batch, height, width, channels] of known shape.
      source_control_point_locations: float tensor [batch, points, 2], rows and columns.
      dest_control_point_locations: float tensor of the same shape.
      interpolation_order: of the spline.
      regularization_weight: float, how far it may be from the points.
      num_boundary_points: if it is positive, the corners stay, and one point less on each edge.
      name: scope of the ops.

    Returns:
      The images, and the flow [batch, height, width, 2].
    """
    image = ops.convert_to_tensor(image)
    source = ops.convert_to_tensor(source_control_point_locations)
    dest = ops.convert_to_tensor(dest_control_point_locations)
    flows = dest - source
    with ops.name_scope(name):
        batch, height, width, _ = image.get_shape().as_list()
        queries = _in_batch(_pixels(height, width).reshape(-1, 2), batch)
        queries = constant_op.constant(queries, dtype=image.dtype)
        if num_boundary_points > 0:
            dest, flows = _held_at_the_edge(dest, flows, height, width, num_boundary_points - 1)
        flow = interpolate_spline(dest, flows, queries, interpolation_order, regularization_weight)
        flow = array_ops.reshape(flow, [batch, height, width, 2])
        return dense_image_warp(image, flow), flow
