"""TF 2's wrappers of recurrent cells (`tensorflow.python.keras.layers.rnn_cell_wrapper_v2`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras.layers import serialization
from tf1compat.api.keras.layers.recurrent_base import AbstractRNNCell
from tf1compat.api.rnn import rnn_cell_wrapper_impl
from tf1compat.core.export import tf_export


class _RNNCellWrapperV2(AbstractRNNCell):
    """A cell around a cell, of Keras.

    Args:
      cell: the cell.
      *args, **kwargs: see `Layer`.
    """

    def __init__(self, cell: Any, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.cell = cell

    def call(self, inputs: Any, state: Any, **kwargs: Any) -> Any:  # pyright: ignore
        """One step of the cell; `kwargs` are handed on to it."""
        return self._call_wrapped_cell(inputs, state, cell_call_fn=self.cell.call, **kwargs)

    def build(self, inputs_shape: Any) -> None:  # pyright: ignore
        """Makes the cell's variables."""
        self.cell.build(inputs_shape)
        self.built = True

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal wrapper."""
        cell = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**super().get_config(), "cell": cell}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A wrapper from what `get_config` gave."""
        rest = dict(config)
        cell = serialization.deserialize(rest.pop("cell"), custom_objects=custom_objects)
        return cls(cell, **rest)


@tf_export("compat.v2.nn.RNNCellDropoutWrapper")
class DropoutWrapper(rnn_cell_wrapper_impl.DropoutWrapperBase, _RNNCellWrapperV2):
    """As `tf.nn.rnn_cell.DropoutWrapper`, of Keras's cells.

    Args:
      *args, **kwargs: arguments of `tf.nn.rnn_cell.DropoutWrapper`.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)


@tf_export("compat.v2.nn.RNNCellResidualWrapper")
class ResidualWrapper(rnn_cell_wrapper_impl.ResidualWrapperBase, _RNNCellWrapperV2):
    """As `tf.nn.rnn_cell.ResidualWrapper`, of Keras's cells.

    Args:
      *args, **kwargs: arguments of `tf.nn.rnn_cell.ResidualWrapper`.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)


@tf_export("compat.v2.nn.RNNCellDeviceWrapper")
class DeviceWrapper(rnn_cell_wrapper_impl.DeviceWrapperBase, _RNNCellWrapperV2):
    """As `tf.nn.rnn_cell.DeviceWrapper`, of Keras's cells.

    Args:
      *args, **kwargs: arguments of `tf.nn.rnn_cell.DeviceWrapper`.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
