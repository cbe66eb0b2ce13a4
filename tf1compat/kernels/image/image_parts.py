"""Parts of images, and matches between things (tf.contrib.image). On the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape


@op("BipartiteMatch", host=True)
class BipartiteMatch:
    def shape(distance_mat: Any, num_valid_rows: Shape) -> Any:
        rows, columns = shapes.with_rank(distance_mat, 2)
        return [(rows,), (columns,)]

    def lower(
        distance_mat: Any, num_valid_rows: np.ndarray, *, top_k: int, ctx: LoweringContext
    ) -> Any:
        if distance_mat.ndim != 2:
            shape = text_of_shape(distance_mat)
            refuse(ctx, f"distance_mat should be 2-dimensional, but got {shape}")
        if num_valid_rows.size != 1:
            refuse(
                ctx,
                "num_valid_rows argument should be a tensor with 1 element, but got "
                f"{num_valid_rows.size}",
            )
        rows, columns = distance_mat.shape
        valid = int(num_valid_rows.ravel()[0])
        valid = rows if valid < 0 else valid
        if valid > rows:
            refuse(
                ctx,
                f"There should be at least {valid} rows in distance_mat, but only got {rows} rows.",
            )
        found = [np.full(size, -1, np.int32) for size in (rows, columns)]
        left = top_k if top_k > 0 else min(valid, columns)
        # The nearest pairs first; each row and each column once.
        for place in np.argsort(distance_mat[:valid].ravel(), kind="stable").tolist():
            row, column = divmod(place, columns)
            if left > 0 and found[0][row] < 0 and found[1][column] < 0:
                found[0][row], found[1][column] = column, row
                left -= 1
        return found


@op("ImageConnectedComponents", host=True)
class ImageConnectedComponents:
    def shape(image: Any) -> Shape:
        return image

    def lower(image: Any, *, ctx: LoweringContext) -> Any:
        if image.ndim != 3:
            refuse(ctx, "Input images must have rank 3")
        labels = np.arange(1, image.size + 1, dtype=np.int64).reshape(image.shape)
        some = image != (b"" if image.dtype == object else np.zeros((), image.dtype))
        labels[~some] = 0
        # Neighbours of one value get the smaller number, until nothing changes.
        while True:
            before = labels.copy()
            for axis in (1, 2):
                _spread(labels, image, some, axis)
            # Each number leads to that of the pixel that it is the number of.
            flat = labels.ravel()
            labels = np.where(flat > 0, flat[flat - 1], 0).reshape(labels.shape)
            if np.array_equal(before, labels):
                break
        # Which of its pixels' numbers a component has is up to the order in which TF meets them;
        # here it is the first.
        return labels


def _spread(labels: np.ndarray, image: np.ndarray, some: np.ndarray, axis: int) -> None:
    """Gives neighbours along an axis that hold the same value the smaller of their numbers."""
    first, second = (
        tuple(part if i == axis else slice(None) for i in range(3))
        for part in (slice(None, -1), slice(1, None))
    )
    same = (image[first] == image[second]) & some[first]
    least = np.minimum(labels[first], labels[second])
    labels[first] = np.where(same, least, labels[first])
    labels[second] = np.where(same, np.minimum(least, labels[second]), labels[second])


not_differentiable("BipartiteMatch", "ImageConnectedComponents")
