"""Distributions of `loc + scale * z`, where z is drawn from a fixed one."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions import distribution
from tf1compat.api.distributions.scalar import Broadcasting
from tf1compat.core import ops


class LocationScale(Broadcasting):
    """One with the parameters `loc` and `scale`, of one float type; `scale` is positive."""

    _broadcast = ("loc", "scale")
    loc: Any
    scale: Any

    def _set_up(self, parameters: dict[str, Any]) -> None:
        """What constructors do.

        Args:
          parameters: their arguments by name, `self` among them.

        Raises:
          TypeError: `loc` and `scale` are of different dtypes.
        """
        loc, scale = parameters["loc"], parameters["scale"]
        with ops.name_scope(parameters["name"], values=[loc, scale]) as name:
            checks = [check_ops.assert_positive(scale)] if parameters["validate_args"] else []
            with ops.control_dependencies(checks):
                self._loc = array_ops.identity(loc, name="loc")
                self._scale = array_ops.identity(scale, name="scale")
                check_ops.assert_same_float_dtype([self._loc, self._scale])
        super().__init__(
            self._scale.dtype,
            distribution.FULLY_REPARAMETERIZED,
            parameters["validate_args"],
            parameters["allow_nan_stats"],
            parameters,
            [self._loc, self._scale],
            name,
        )

    def _batch_loc(self) -> Any:
        """`loc`, of the batch shape."""
        return self.loc * array_ops.ones_like(self.scale)

    def _batch_scale(self) -> Any:
        """`scale`, of the batch shape."""
        return self.scale * array_ops.ones_like(self.loc)

    def _at(self, z: Any) -> Any:
        """The value that lies `z` times `scale` from `loc`."""
        return z * self.scale + self.loc

    def _z(self, x: Any) -> Any:
        with ops.name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale
