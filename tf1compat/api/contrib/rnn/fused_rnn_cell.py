"""Cells that do all steps at once (`tensorflow.contrib.rnn.python.ops.fused_rnn_cell`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.rnn import rnn
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.rnn.FusedRNNCell")
class FusedRNNCell(abc.ABC):
    """Base class of what does all steps of a net in one call."""

    @abc.abstractmethod
    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None,
        sequence_length: TensorLike | None = None, scope: Any = None,
    ) -> Any:  # fmt: skip
        """Does all steps.

        Args:
          inputs: a tensor [time, batch, size], or a list of tensors [batch, size].
          initial_state: the first state; zeros by default.
          dtype: of state and outputs; needed if there is no first state.
          sequence_length: how many steps each of the batch has, ints [batch].
          scope: the variable scope.

        Returns:
          (outputs, last state): a tensor [time, batch, size], or a list if `inputs` is one.
        """


@tf_export("contrib.rnn.FusedRNNCellAdaptor")
class FusedRNNCellAdaptor(FusedRNNCell):
    """A cell in a net.

    Args:
      cell: the cell.
      use_dynamic_rnn: whether the net is that of `tf.nn.dynamic_rnn`, or of `tf.nn.static_rnn`.
    """

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False):
        self._cell = cell
        self._use_dynamic_rnn = use_dynamic_rnn

    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None,
        sequence_length: TensorLike | None = None, scope: Any = None,
    ) -> Any:  # fmt: skip
        """Does all steps: see `FusedRNNCell`."""
        is_list = isinstance(inputs, list)
        settings = {
            "sequence_length": sequence_length,
            "initial_state": initial_state,
            "dtype": dtype,
            "scope": scope,
        }
        if self._use_dynamic_rnn:
            if is_list:
                inputs = array_ops.stack(inputs)
            outputs, state = rnn.dynamic_rnn(self._cell, inputs, time_major=True, **settings)
            return (array_ops.unstack(outputs) if is_list else outputs), state
        if not is_list:
            inputs = array_ops.unstack(inputs)
        outputs, state = rnn.static_rnn(self._cell, inputs, **settings)
        return (outputs if is_list else array_ops.stack(outputs)), state


@tf_export("contrib.rnn.TimeReversedFusedRNN")
class TimeReversedFusedRNN(FusedRNNCell):
    """A net that reads its inputs backwards; the outputs are in the order of the inputs.

    Args:
      cell: the `FusedRNNCell` that does the steps.
    """

    def __init__(self, cell: Any):
        self._cell = cell

    def _reverse(self, t: TensorLike, lengths: Any) -> Any:
        if isinstance(t, list):
            return list(reversed(t))
        if lengths is None:
            return array_ops.reverse(t, [0])
        return array_ops.reverse_sequence(t, lengths, 0, 1)

    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None,
        sequence_length: TensorLike | None = None, scope: Any = None,
    ) -> Any:  # fmt: skip
        """Does all steps: see `FusedRNNCell`."""
        outputs, state = self._cell(
            self._reverse(inputs, sequence_length),
            initial_state=initial_state,
            dtype=dtype,
            sequence_length=sequence_length,
            scope=scope,
        )
        return self._reverse(outputs, sequence_length), state
