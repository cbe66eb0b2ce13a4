"""Distributions of `loc + scale * z`, where z is drawn from a fixed one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import Broadcasting
from tf1compat.core import ops
from tf1compat.core.typing import Name, TensorLike


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


def constructor(
    class_name: str,
    what: str,
    parameters: tuple[str, str],
    module: str,
    library: str = "tf.distributions",
) -> Callable[..., None]:
    """The `__init__` of a class of these.

    Args:
      class_name: the name of the class: the default of `name` too, but for a leading underscore.
      what: the distributions, in the plural.
      parameters: what `loc` and `scale` are, in the plural.
      module, library: see `moved`.

    Returns:
      The constructor, with its docstring.
    """
    default_name = class_name.lstrip("_")

    def __init__(
        self: Any,
        loc: TensorLike,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = default_name,
    ) -> None:
        self._set_up(dict(locals()))

    __init__.__qualname__ = f"{class_name}.__init__"
    locs, scales = parameters
    __init__.__doc__ = f"""A batch of {what}.

        Args:
          loc: float tensor, the {locs}.
          scale: float tensor that broadcasts with `loc`, the positive {scales}.
          validate_args: whether `scale` is checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: `loc` and `scale` are of different dtypes.
        """
    return moved(module, library)(__init__)
