"""A gated recurrent unit that is one op (`tensorflow.contrib.rnn.python.ops.gru_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.random import init_ops
from tf1compat.api.rnn.rnn_cell_impl import LayerRNNCell
from tf1compat.api.util.deprecation import deprecated_args
from tf1compat.core import raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name


@tf_export("contrib.rnn.GRUBlockCell")
class GRUBlockCell(LayerRNNCell):
    """A GRU cell that is one op.

    Args:
      num_units: the size of state and output.
      cell_size: the same (deprecated).
      reuse: whether the variables must exist.
      name: the layer's name.

    Raises:
      ValueError: both sizes are given, or none.
    """

    # Those of the kernels and biases of the gates and of the candidate.
    _variable_names = ("w_ru", "b_ru", "w_c", "b_c")

    @deprecated_args(None, "cell_size is deprecated, use num_units instead", "cell_size")
    def __init__(
        self, num_units: Any = None, cell_size: Any = None, reuse: Any = None,
        name: Name = "gru_cell",
    ):  # fmt: skip
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._cell_size = cell_size if num_units is None else num_units
        self.input_spec = InputSpec(ndim=2)

    state_size = attribute("_cell_size", "The number of units.")
    output_size = attribute("_cell_size", "The number of units.")

    def build(self, input_shape: Any) -> None:
        """Makes the kernels and biases of the gates and of the candidate."""
        input_size = dimension_value(input_shape[1])
        if input_size is None:
            raise ValueError("Expecting input_size to be set.")
        size = self._cell_size
        gate_kernel, gate_bias, kernel, bias = self._variable_names
        self._gate_kernel = self.add_variable(gate_kernel, [input_size + size, size * 2])
        self._gate_bias = self.add_variable(
            gate_bias, [size * 2], initializer=init_ops.Constant(1.0)
        )
        self._candidate_kernel = self.add_variable(kernel, [input_size + size, size])
        self._candidate_bias = self.add_variable(bias, [size], initializer=init_ops.Constant(0.0))
        self.built = True

    def call(self, inputs: Any, h_prev: Any) -> Any:  # pyright: ignore
        """Does one step.

        Raises:
          ValueError: the state has another size.
        """
        cell_size = h_prev.get_shape().with_rank(2)[1]
        if cell_size != self._cell_size:
            raise ValueError(
                f"Shape of h_prev[1] incorrect: cell_size {self._cell_size} vs {cell_size}"
            )
        _, _, _, new_h = raw_ops.GRUBlockCell(
            x=inputs, h_prev=h_prev, w_ru=self._gate_kernel, w_c=self._candidate_kernel,
            b_ru=self._gate_bias, b_c=self._candidate_bias,
        )  # fmt: skip
        return new_h, new_h


@tf_export("contrib.rnn.GRUBlockCellV2")
class GRUBlockCellV2(GRUBlockCell):
    """As `GRUBlockCell`, with the variable names of `tf.nn.rnn_cell.GRUCell`."""

    _variable_names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
