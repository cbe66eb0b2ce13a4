"""`tensorflow.contrib.labeled_tensor.python.ops.sugar`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.labeled_tensor import core, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


@tf_export("contrib.labeled_tensor.ReshapeCoder")
class ReshapeCoder:
    """Replaces axes by others, and back.

    Args:
      existing_axis_names, new_axes, name: see `reshape`.
    """

    def __init__(self, existing_axis_names: Any, new_axes: Any, name: Name = None):
        self._name = name
        self._existing_axis_names, self._new_axes = existing_axis_names, new_axes
        self._existing_axes: list[core.Axis] | None = None

    def encode(self, labeled_tensor: Any) -> core.LabeledTensor:
        """Replaces the axes.

        Raises:
          ValueError: they are others than those of the first call.
        """
        with core.scope_of(self._name, "reshape_encode", labeled_tensor) as (scope, given):
            found = ops.reshape(given, self._existing_axis_names, self._new_axes, name=scope)
            axes = [given.axes[name] for name in self._existing_axis_names]
            if self._existing_axes not in (None, axes):
                raise ValueError(
                    f"input axes {axes!r} do not match axes from previous method call "
                    f"{self._existing_axes!r}"
                )
            self._existing_axes = axes
            return found

    def decode(self, labeled_tensor: Any) -> core.LabeledTensor:
        """Puts the axes back.

        Raises:
          ValueError: nothing was encoded yet.
        """
        if self._existing_axes is None:
            raise ValueError("decode called before encode")
        with core.scope_of(self._name, "reshape_decode", labeled_tensor) as (scope, given):
            names = [a if isinstance(a, str) else core.as_axis(a).name for a in self._new_axes]
            return ops.reshape(given, names, self._existing_axes, name=scope)
