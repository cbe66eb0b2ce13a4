"""What a checkpoint can hold besides variables."""

from __future__ import annotations

from typing import Any

from tf1compat.core.typing import DTypeLike


class SaveSpec:
    """One tensor of a `SaveableObject`.

    Args:
      tensor: the tensor, or a function that records it.
      slice_spec: which slice of a larger tensor it is; "" for all of it.
      name: its name in a checkpoint.
      dtype, device: those of the tensor; needed where `tensor` is a function.

    Raises:
      AssertionError: they are needed and not given.
    """

    def __init__(
        self,
        tensor: Any,
        slice_spec: str,
        name: str,
        dtype: DTypeLike | None = None,
        device: Any = None,
    ):
        self._tensor = tensor
        self.slice_spec = slice_spec
        self.name = name
        if not callable(tensor):
            dtype, device = tensor.dtype, tensor.device
        elif dtype is None or device is None:
            raise AssertionError(
                "When passing a callable `tensor` to a SaveSpec, an explicit "
                "dtype and device must be provided."
            )
        self.dtype, self.device = dtype, device

    @property
    def tensor(self) -> Any:
        """The tensor."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """Something that a checkpoint holds (as `tf.train.Saver` in TF 1.15 collects them).

    Args:
      op: what is saved.
      specs: a `SaveSpec` for each of its tensors.
      name: its name in a checkpoint.
    """

    def __init__(self, op: Any, specs: list[SaveSpec], name: str):
        self.op = op
        self.specs = specs
        self.name = name

    @property
    def optional_restore(self) -> bool:
        """Whether a checkpoint may lack it."""
        return False

    @property
    def device(self) -> Any:
        """Where the first tensor is."""
        return self.specs[0].device

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """Records the operation that takes the values back."""
        raise ValueError("Calling an abstract method.")
