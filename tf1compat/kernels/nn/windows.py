"""Windows that slide over images: how many there are, what pads the images, and where their
dimensions are.
"""

from __future__ import annotations

import math
from typing import Any

from tf1compat.core import shapes
from tf1compat.core.shapes import ShapeError, UnknownShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse


def output_size(
    size: int | None,
    window: int | None,
    stride: int,
    padding: str,
    dilation: int = 1,
    pads: Any = (0, 0),
) -> int | None:
    """The static size of one dimension of a windowed op's output.

    Raises:
      ShapeError: the window does not fit.
    """
    _check_steps(stride, dilation)
    if padding == "SAME":
        return None if size is None else -(-size // stride)
    size = shapes.add_dims(size, sum(pads))
    extent = None if window is None else (window - 1) * dilation + 1
    rest = shapes.subtract_dims(size, extent)
    return None if rest is None else (rest + stride) // stride


def pads(
    size: int, window: int, stride: int, padding: str, dilation: int = 1, explicit: Any = (0, 0)
) -> tuple[int, int]:
    """The padding before and after one dimension."""
    if padding == "VALID":
        return 0, 0
    if padding == "EXPLICIT":
        return explicit
    extent = (window - 1) * dilation + 1
    total = max((-(-size // stride) - 1) * stride + extent - size, 0)
    return total // 2, total - total // 2


def _check_steps(stride: int, dilation: int) -> None:
    if stride <= 0:
        # An eager operation is looked at by its kernel, which says it in its own words.
        raise UnknownShapeError(f"Stride must be > 0, but got {stride}")
    if dilation < 1:
        raise ShapeError(f"Dilation rate must be >= 1, but got {dilation}")


def run_size(
    size: int,
    window: int,
    stride: int,
    padding: str,
    dilation: int,
    pads: Any,
    ctx: LoweringContext,
) -> int:
    """The size of one dimension of a run's output, which may be 0 but not negative."""
    try:
        return computed_size(size, window, stride, padding, dilation, pads)
    except ShapeError as error:
        refuse(ctx, str(error))


def computed_size(
    size: int, window: int, stride: int, padding: str, dilation: int, pads: Any = (0, 0)
) -> int:
    """The size of one dimension of the output, as TF's kernels compute it: it may be 0.

    Raises:
      ShapeError: it would be negative.
    """
    _check_steps(stride, dilation)
    if padding == "SAME":
        return -(-size // stride)
    extent = (window - 1) * dilation + 1
    # C++ divides towards 0.
    result = math.trunc((size + sum(pads) - extent + stride) / stride)
    if result < 0:
        raise ShapeError(
            f"Computed output size would be negative: {result} [input_size: {size}, "
            f"effective_filter_size: {extent}, stride: {stride}]"
        )
    return result


class Layout:
    """Where batch, channels and space are in a data format."""

    def __init__(self, data_format: str):
        self.format = data_format
        self.channels = data_format.index("C")
        self.space = [i for i, c in enumerate(data_format) if c in "DHW"]

    def lax(self, filter_format: str) -> tuple[str, str, str]:
        """The dimension numbers of a convolution for XLA."""
        return self.format, filter_format, self.format

    def spatial(self, per_dimension: Any) -> list[int]:
        """The spatial items of a list with one item for each dimension."""
        return [per_dimension[i] for i in self.space]

    def shape(self, batch: Any, space: Any, channels: Any) -> tuple[Any, ...]:
        """A shape with these sizes."""
        result = [batch] * (len(self.space) + 2)
        for at, size in zip(self.space, space):
            result[at] = size
        result[self.channels] = channels
        return tuple(result)
