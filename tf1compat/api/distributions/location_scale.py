"""Distributions of `loc + scale * z`, where z is drawn from a fixed one."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distributions.scalar import Broadcasting
from tf1compat.core import ops
from tf1compat.core.typing import TensorLike


class LocationScale(Broadcasting):
    """One with the parameters `loc` and `scale`, of one float type; `scale` is positive."""

    _broadcast = ("loc", "scale")
    _positive = ("scale",)
    loc: Any
    scale: Any

    def _batch_loc(self) -> Any:
        """`loc`, of the batch shape."""
        return self.loc * array_ops.ones_like(self.scale)

    def _batch_scale(self) -> Any:
        """`scale`, of the batch shape."""
        return self.scale * array_ops.ones_like(self.loc)

    def _at(self, z: TensorLike) -> Any:
        """The value that lies `z` times `scale` from `loc`."""
        return z * self.scale + self.loc

    def _z(self, x: TensorLike) -> Any:
        with ops.name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale
