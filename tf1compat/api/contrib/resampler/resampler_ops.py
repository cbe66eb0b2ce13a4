"""Images sampled at any points."""

from __future__ import annotations

from typing import Any

from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.resampler.resampler")
def resampler(data: TensorLike, warp: Any, name: Name = "resampler") -> Any:
    """Images at points between their pixels, bilinearly; 0 beyond a pixel from their edges.

    Args:
      data: float tensor [batch, height, width, channels].
      warp: float tensor [batch, ..., 2], the points as x and y, in pixels.
      name: scope of the ops.

    Returns:
      A tensor [batch, ..., channels].
    """
    with ops.name_scope(name, "resampler", [data, warp]):
        data = ops.convert_to_tensor(data, name="data")
        warp = ops.convert_to_tensor(warp, name="warp")
        return raw_ops.Resampler(data=data, warp=warp)
