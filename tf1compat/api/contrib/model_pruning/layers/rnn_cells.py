"""LSTM cells whose kernel is masked (not the projection's)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.model_pruning.layers import core_layers
from tf1compat.api.rnn import rnn_cell_impl
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Initializer, Name, TensorLike


class _Masked:
    """Before a cell in the order of bases: its gates' kernel is masked."""

    def build(self: Any, inputs_shape: Any) -> None:
        """Makes the cell's variables, and then the mask and the threshold."""
        super().build(inputs_shape)  # type: ignore[misc]
        self.built = False
        units = self._num_units
        self._mask = core_layers.add_mask(self, [inputs_shape[1].value + units, 4 * units])
        self._threshold = core_layers.add_threshold(self)
        self._masked_kernel = core_layers.masked(
            self._kernel, self._mask, self._threshold, once=True
        )
        self.built = True

    def _gates_kernel(self: Any) -> Any:
        return self._masked_kernel


@tf_export("contrib.model_pruning.MaskedBasicLSTMCell")
class MaskedBasicLSTMCell(_Masked, rnn_cell_impl.BasicLSTMCell):
    """A `BasicLSTMCell` with a masked kernel. Args: see `BasicLSTMCell`."""

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, state_is_tuple: bool = True,
        activation: Callable[..., Any] | str | None = None, reuse: Any = None, name: Name = None,
    ):  # fmt: skip
        super().__init__(
            num_units, forget_bias=forget_bias, state_is_tuple=state_is_tuple,
            activation=activation, reuse=reuse, name=name,
        )  # fmt: skip


@tf_export("contrib.model_pruning.MaskedLSTMCell")
class MaskedLSTMCell(_Masked, rnn_cell_impl.LSTMCell):
    """An `LSTMCell` with a masked kernel. Args: see `LSTMCell`."""

    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: TensorLike | None = None,
        initializer: Initializer | None = None, num_proj: Any = None, proj_clip: Any = None,
        num_unit_shards: Any = None, num_proj_shards: Any = None, forget_bias: float = 1.0,
        state_is_tuple: bool = True, activation: Callable[..., Any] | str | None = None,
        reuse: Any = None,
    ):  # fmt: skip
        super().__init__(
            num_units, use_peepholes=use_peepholes, cell_clip=cell_clip, initializer=initializer,
            num_proj=num_proj, proj_clip=proj_clip, num_unit_shards=num_unit_shards,
            num_proj_shards=num_proj_shards, forget_bias=forget_bias,
            state_is_tuple=state_is_tuple, activation=activation, reuse=reuse,
        )  # fmt: skip
