"""`tf.contrib.checkpoint.split_dependency`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.training.saving import saveable_object
from tf1compat.api.training.tracking import base
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike


class _CallbackSaveable(saveable_object.SaveableObject):
    """A tensor that one function records and another takes back."""

    def __init__(
        self, name: str, dtype: DTypeLike, device: Any, save_callback: Any, restore_callback: Any
    ):
        self._restore_callback = restore_callback
        spec = saveable_object.SaveSpec(save_callback, "", name, dtype=dtype, device=device)
        super().__init__(save_callback, [spec], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        (tensor,) = restored_tensors
        return self._restore_callback(tensor)


class _SplitDependency(base.Trackable):
    """One part of a whole; `whole` holds what all parts share."""

    def __init__(self, whole: dict[str, Any], name: str, dtype: DTypeLike):
        self._whole, self._name, self._dtype = whole, name, dtype

    def _error(self, done: str) -> AssertionError:
        return AssertionError(
            f"Split dependency {self._name} ({self}) unsynchronized. Split dependencies must be "
            f"{done} together."
        )

    def _save(self) -> Any:
        """The part; the first one that is asked for records all."""
        buffer = self._whole["save"]
        if self._name not in buffer:
            if buffer:
                raise self._error("saved")
            self._whole["fill"](buffer)
        return buffer.pop(self._name)

    def _restore(self, tensor: Any) -> Any:
        """Takes the part back; the last one restores all."""
        buffer = self._whole["restore"]
        if self._name in buffer:
            raise self._error("restored")
        buffer[self._name] = tensor
        if len(buffer) < self._whole["count"]:
            return control_flow_ops.no_op()
        op = self._whole["consume"](buffer)
        buffer.clear()
        return op

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        saveable = functools.partial(
            _CallbackSaveable,
            dtype=self._dtype,
            device=self._whole["device"],
            save_callback=self._save,
            restore_callback=self._restore,
        )
        return {base.VARIABLE_VALUE_KEY: saveable}


@tf_export("contrib.checkpoint.split_dependency")
def split_dependency(
    component_names: Any, component_dtypes: Any, fill_save_buffer_fn: Callable[..., Any],
    consume_restore_buffer_fn: Callable[..., Any], device: Any,
) -> dict[str, Any]:  # fmt: skip
    """Parts of something that a checkpoint holds as several tensors.

    Args:
      component_names, component_dtypes: the parts' names and dtypes.
      fill_save_buffer_fn: a function of a dict that adds a tensor for each name.
      consume_restore_buffer_fn: a function of such a dict that records what restores.
      device: where the tensors are.

    Returns:
      A dict: name -> an object that depends on the part.
    """
    whole = {
        "save": {},
        "restore": {},
        "count": len(component_names),
        "fill": fill_save_buffer_fn,
        "consume": consume_restore_buffer_fn,
        "device": device,
    }
    pairs = zip(component_names, component_dtypes)
    return {name: _SplitDependency(whole, name, dtype) for name, dtype in pairs}
