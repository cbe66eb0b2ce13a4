"""Cells with cuDNN's formulas, which run on any device
(`tensorflow.contrib.cudnn_rnn.python.ops.cudnn_rnn_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.rnn import lstm_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.rnn.rnn_cell_impl import GRUCell, gru_gates
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Initializer


@tf_export("contrib.cudnn_rnn.CudnnCompatibleLSTMCell")
class CudnnCompatibleLSTMCell(lstm_ops.LSTMBlockCell):
    """An LSTM cell that takes the parameters of `CudnnLSTM`.

    Args:
      num_units: the size of the output and of both parts of the state.
      reuse: whether the variables must exist.
    """

    def __init__(self, num_units: int, reuse: Any = None):
        super().__init__(
            num_units, forget_bias=0, cell_clip=None, use_peephole=False, reuse=reuse,
            name="cudnn_compatible_lstm_cell",
        )  # fmt: skip
        self._names["scope"] = "cudnn_compatible_lstm_cell"


@tf_export("contrib.cudnn_rnn.CudnnCompatibleGRUCell")
class CudnnCompatibleGRUCell(GRUCell):
    """A GRU cell that takes the parameters of `CudnnGRU`: the reset gate is applied after the
    product with the state, which has a bias of its own.

    Args:
      num_units: the size of state and output.
      reuse: whether the variables must exist.
      kernel_initializer: of the kernels; the variable scope's by default.
    """

    def __init__(
        self, num_units: int, reuse: Any = None, kernel_initializer: Initializer | None = None
    ):
        super().__init__(
            num_units, activation=None, reuse=reuse, kernel_initializer=kernel_initializer
        )

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernels and biases of the gates and of the candidate's two parts."""
        depth, units = dimension_value(inputs_shape[1]), self._num_units
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        ones = init_ops.Constant(1.0, dtype=self.dtype)
        zeros = init_ops.Zeros(dtype=self.dtype)

        def kernel(name: str, rows: int, columns: int) -> Any:
            return self.add_variable(
                f"{name}/kernel", shape=[rows, columns], initializer=self._kernel_initializer
            )

        def bias(name: str, size: int, default: Any) -> Any:
            given = self._bias_initializer
            initializer = default if given is None else given
            return self.add_variable(f"{name}/bias", shape=[size], initializer=initializer)

        self._gate_kernel = kernel("gates", depth + units, 2 * units)
        self._gate_bias = bias("gates", 2 * units, ones)
        self._candidate_input_kernel = kernel("candidate/input_projection", depth, units)
        self._candidate_hidden_kernel = kernel("candidate/hidden_projection", units, units)
        self._candidate_input_bias = bias("candidate/input_projection", units, zeros)
        self._candidate_hidden_bias = bias("candidate/hidden_projection", units, zeros)

    def call(self, inputs: Any, state: Any) -> Any:
        """Does one step."""
        reset, update = gru_gates(self, inputs, state)
        from_inputs, from_state = (
            nn_ops.bias_add(math_ops.matmul(x, kernel), bias)
            for x, kernel, bias in (
                (inputs, self._candidate_input_kernel, self._candidate_input_bias),
                (state, self._candidate_hidden_kernel, self._candidate_hidden_bias),
            )
        )
        candidate = self._activation(from_inputs + reset * from_state)
        new_h = (1 - update) * candidate + update * state
        return new_h, new_h
