"""Cells of `tf.contrib.rnn` (`tensorflow.contrib.rnn.python.ops.rnn_cell`).

LSTM cells, those over frequencies, those that are layers and the Turing machine lie beside this
file; all are offered here, as in TF.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.rnn.core_rnn_cell import CellAround, _Linear
from tf1compat.api.contrib.rnn.rnn_cell_grid import *  # noqa: F403
from tf1compat.api.contrib.rnn.rnn_cell_layers import *  # noqa: F403
from tf1compat.api.contrib.rnn.rnn_cell_lstm import *  # noqa: F403
from tf1compat.api.contrib.rnn.rnn_cell_lstm import (
    _get_concat_variable,  # noqa: F401
    _get_sharded_variable,  # noqa: F401
    _norm,  # noqa: F401
    _random_exp_initializer,  # noqa: F401
    _SizedCell,
    warn_concatenated,
)
from tf1compat.api.contrib.rnn.rnn_cell_ntm import *  # noqa: F403
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_conv3d, nn_convolution, nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.rnn import rnn_cell_wrapper_impl
from tf1compat.api.rnn.rnn_cell_impl import (
    LSTMStateTuple,
    RNNCell,
    assert_like_rnncell,
    known_input_size,
    sliced,
)
from tf1compat.api.variables import variable_scope as vs
from tf1compat.api.xla import jit
from tf1compat.core import nest, op_defs
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Initializer, Name, TensorLike


@tf_export("contrib.rnn.AttentionCellWrapper")
class AttentionCellWrapper(RNNCell):
    """A cell that attends to its last outputs (https://arxiv.org/abs/1409.0473).

    Args:
      cell: the cell.
      attn_length: to how many outputs it attends.
      attn_size: their size; that of the cell's output by default.
      attn_vec_size: the size in which they are compared; `attn_size` by default.
      input_size: the size of what the cell takes; that of the inputs by default.
      state_is_tuple: states are tuples and not these concatenated.
      reuse: whether the variables must exist.

    Raises:
      TypeError: the cell is none.
      ValueError: `attn_length` is not positive, or the cell's state is a tuple and that of the
        wrapper is not.
    """

    def __init__(
        self, cell: Any, attn_length: int, attn_size: Any = None, attn_vec_size: Any = None,
        input_size: Any = None, state_is_tuple: bool = True, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if nest.is_sequence(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. State size "
                f"is: {cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        warn_concatenated(self, state_is_tuple)
        attn_size = cell.output_size if attn_size is None else attn_size
        self._state_is_tuple = state_is_tuple
        self._cell = cell
        self._attn_vec_size = attn_size if attn_vec_size is None else attn_vec_size
        self._input_size = input_size
        self._attn_size = attn_size
        self._attn_length = attn_length
        self._reuse = reuse
        self._linear1: Any = None
        self._linear2: Any = None
        self._linear3: Any = None

    @property
    def state_size(self) -> Any:
        """Those of the cell's state, the attention and the outputs attended to; or their sum."""
        size = (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length)
        return size if self._state_is_tuple else sum(size)

    output_size = attribute("_attn_size", "`attn_size`.")

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        size, length = self._attn_size, self._attn_length
        if not self._state_is_tuple:
            state = sliced(state, (self._cell.state_size, size, size * length))
        state, attns, attn_states = state
        attn_states = array_ops.reshape(attn_states, [-1, length, size])
        input_size = self._input_size
        if input_size is None:
            input_size = inputs.get_shape().as_list()[1]
        if self._linear1 is None:
            self._linear1 = _Linear([inputs, attns], input_size, True)
        inputs = self._linear1([inputs, attns])
        cell_output, new_state = self._cell(inputs, state)
        new_state_cat = new_state
        if self._state_is_tuple:
            new_state_cat = array_ops.concat(nest.flatten(new_state), 1)
        new_attns, new_attn_states = self._attention(new_state_cat, attn_states)
        with vs.variable_scope("attn_output_projection"):
            if self._linear2 is None:
                self._linear2 = _Linear([cell_output, new_attns], size, True)
            output = self._linear2([cell_output, new_attns])
        new_attn_states = array_ops.concat([new_attn_states, array_ops.expand_dims(output, 1)], 1)
        new_attn_states = array_ops.reshape(new_attn_states, [-1, length * size])
        new_state = (new_state, new_attns, new_attn_states)
        if not self._state_is_tuple:
            new_state = array_ops.concat(list(new_state), 1)
        return output, new_state

    def _attention(self, query: Tensor, attn_states: Tensor) -> tuple[Tensor, Tensor]:
        """The outputs' mean with weights by their likeness to `query`, and all but the oldest."""
        size, length, vec_size = self._attn_size, self._attn_length, self._attn_vec_size
        with vs.variable_scope("attention"):
            k = vs.get_variable("attn_w", [1, 1, size, vec_size])
            v = vs.get_variable("attn_v", [vec_size])
            hidden = array_ops.reshape(attn_states, [-1, length, 1, size])
            hidden_features = nn_ops.conv2d(hidden, k, [1, 1, 1, 1], "SAME")
            if self._linear3 is None:
                self._linear3 = _Linear(query, vec_size, True)
            y = self._linear3(query)
            y = array_ops.reshape(y, [-1, 1, 1, vec_size])
            s = math_ops.reduce_sum(v * math_ops.tanh(hidden_features + y), [2, 3])
            a = nn_ops.softmax(s)
            d = math_ops.reduce_sum(array_ops.reshape(a, [-1, length, 1, 1]) * hidden, [1, 2])
            new_attns = array_ops.reshape(d, [-1, size])
            new_attn_states = array_ops.slice(attn_states, [0, 1, 0], [-1, -1, -1])
            return new_attns, new_attn_states


@tf_export("contrib.rnn.HighwayWrapper")
class HighwayWrapper(CellAround):
    """A cell past which a gated part of its input goes (https://arxiv.org/abs/1505.00387).

    Args:
      cell: the cell.
      couple_carry_transform_gates: whether the gate of the output is 1 - that of the input.
      carry_bias_init: the first bias of the input's gate.
    """

    def __init__(
        self, cell: Any, couple_carry_transform_gates: bool = True, carry_bias_init: Any = 1.0
    ):
        # As in TF, it is no layer of its own: it has neither a name nor a scope.
        self._cell = cell
        self._couple_carry_transform_gates = couple_carry_transform_gates
        self._carry_bias_init = carry_bias_init

    def _gate(self, name: str, inp: Tensor, bias: TensorLike) -> Tensor:
        size = inp.get_shape().with_rank(2).dims[1].value  # pyright: ignore
        weight = vs.get_variable(f"{name}_w", [size, size])
        biases = vs.get_variable(f"{name}_b", [size], initializer=init_ops.Constant(bias))
        return math_ops.sigmoid(nn_ops.xw_plus_b(inp, weight, biases))

    def _highway(self, inp: Tensor, out: Tensor) -> Tensor:
        carry = self._gate("carry", inp, self._carry_bias_init)
        if self._couple_carry_transform_gates:
            transform = 1 - carry
        else:
            transform = self._gate("transform", inp, -self._carry_bias_init)
        return inp * carry + out * transform

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Does one step: see `RNNCell`."""
        outputs, new_state = self._cell(inputs, state, scope=scope)
        rnn_cell_wrapper_impl.assert_shapes_match(inputs, outputs)
        return nest.map_structure(self._highway, inputs, outputs), new_state


@tf_export("contrib.rnn.CompiledWrapper")
class CompiledWrapper(CellAround):
    """A cell whose operations are marked as ones to compile: see `tf.xla.experimental.jit_scope`.

    Args:
      cell: the cell.
      compile_stateful: whether stateful operations are marked too.
    """

    def __init__(self, cell: Any, compile_stateful: bool = False):
        # As in TF, it is no layer of its own.
        self._cell = cell
        self._compile_stateful = compile_stateful

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Does one step: see `RNNCell`."""
        compile_ops: Any = True if self._compile_stateful else _is_stateless
        with jit.experimental_jit_scope(compile_ops=compile_ops):
            return self._cell(inputs, state, scope=scope)


def _is_stateless(node_def: Any) -> bool:
    op_def = op_defs.get(node_def.op)
    return op_def is None or not op_def.is_stateful


class _UnitsCell(RNNCell):
    """A cell whose state and output have `_num_units` units."""

    _num_units: Any

    state_size = attribute("_num_units", "The number of units.")
    output_size = attribute("_num_units", "The number of units.")


@tf_export("contrib.rnn.UGRNNCell")
class UGRNNCell(_UnitsCell):
    """A cell with one gate, that of the update (https://arxiv.org/abs/1611.09913).

    Args:
      num_units: the size of state and output.
      initializer: of the variables; the variable scope's by default.
      forget_bias: added to the gate's bias.
      activation: a function.
      reuse: whether the variables must exist.
    """

    def __init__(
        self, num_units: int, initializer: Initializer | None = None, forget_bias: TensorLike = 1.0,
        activation: Callable[..., Any] = math_ops.tanh, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._activation = activation
        self._reuse = reuse
        self._linear: Any = None

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        known_input_size(inputs)
        with vs.variable_scope(vs.get_variable_scope(), initializer=self._initializer):
            cell_inputs = array_ops.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = _Linear(cell_inputs, 2 * self._num_units, True)
            gate, candidate = array_ops.split(self._linear(cell_inputs), 2, axis=1)
            candidate = self._activation(candidate)
            kept = math_ops.sigmoid(gate + self._forget_bias)
            new_state = kept * state + (1.0 - kept) * candidate
        return new_state, new_state


@tf_export("contrib.rnn.IntersectionRNNCell")
class IntersectionRNNCell(_UnitsCell):
    """A cell with gated paths along time and along depth (https://arxiv.org/abs/1611.09913).

    Args:
      num_units: the size of state and output.
      num_in_proj: to project the inputs, where these have another size; or None.
      initializer: of the variables; the variable scope's by default.
      forget_bias: added to the gates' biases.
      y_activation: a function of the output.
      reuse: whether the variables must exist.
    """

    def __init__(
        self, num_units: int, num_in_proj: Any = None, initializer: Initializer | None = None,
        forget_bias: TensorLike = 1.0, y_activation: Callable[..., Any] = nn_ops.relu,
        reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._num_input_proj = num_in_proj
        self._y_activation = y_activation
        self._reuse = reuse
        self._linear1: Any = None
        self._linear2: Any = None

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step.

        Raises:
          ValueError: the inputs' size is unknown, or not that of the output.
        """
        n = self._num_units
        input_size = known_input_size(inputs)
        with vs.variable_scope(vs.get_variable_scope(), initializer=self._initializer):
            if input_size != n:
                if not self._num_input_proj:
                    raise ValueError(
                        "Must have input size == output size for Intersection RNN. To fix, "
                        "num_in_proj should be set to num_units at cell init."
                    )
                with vs.variable_scope("in_projection"):
                    if self._linear1 is None:
                        self._linear1 = _Linear(inputs, n, True)
                    inputs = self._linear1(inputs)
            cell_inputs = array_ops.concat([inputs, state], 1)
            if self._linear2 is None:
                self._linear2 = _Linear(cell_inputs, 4 * n, True)
            rnn_matrix = self._linear2(cell_inputs)
            gh_act = rnn_matrix[:, :n]
            h_act = rnn_matrix[:, n : 2 * n]
            gy_act = rnn_matrix[:, 2 * n : 3 * n]
            y_act = rnn_matrix[:, 3 * n : 4 * n]
            h = math_ops.tanh(h_act)
            y = self._y_activation(y_act)
            gh = math_ops.sigmoid(gh_act + self._forget_bias)
            gy = math_ops.sigmoid(gy_act + self._forget_bias)
            new_state = gh * state + (1.0 - gh) * h
            new_y = gy * inputs + (1.0 - gy) * y
        return new_y, new_state


@tf_export("contrib.rnn.ConvLSTMCell")
class ConvLSTMCell(_SizedCell):
    """An LSTM cell whose products are convolutions (https://arxiv.org/abs/1506.04214).

    Args:
      conv_ndims: the number of dimensions: 1, 2 or 3.
      input_shape: the shape of the inputs without the batch, channels last.
      output_channels: the number of channels of the output.
      kernel_shape: the shape of the kernel.
      use_bias: whether there is a bias.
      skip_connection: whether the inputs are appended to the outputs.
      forget_bias: added to the forget gate's bias.
      initializers: unused, as in TF.
      name: the layer's name.

    Raises:
      ValueError: the input's shape has another number of dimensions.
    """

    def __init__(
        self, conv_ndims: int, input_shape: Any, output_channels: int, kernel_shape: Any,
        use_bias: bool = True, skip_connection: bool = False, forget_bias: TensorLike = 1.0,
        initializers: Any = None, name: Name = "conv_lstm_cell",
    ):  # fmt: skip
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}.")
        self._conv_ndims = conv_ndims
        self._input_shape = input_shape
        self._output_channels = output_channels
        self._kernel_shape = list(kernel_shape)
        self._use_bias = use_bias
        self._forget_bias = forget_bias
        self._skip_connection = skip_connection
        self._total_output_channels = output_channels
        if skip_connection:
            self._total_output_channels += input_shape[-1]
        state_size = TensorShape(input_shape[:-1] + [output_channels])
        self._state_size = LSTMStateTuple(state_size, state_size)
        self._output_size = TensorShape(input_shape[:-1] + [self._total_output_channels])

    def call(self, inputs: Any, state: Any, scope: Any = None) -> Any:  # pyright: ignore
        """Does one step."""
        cell, hidden = state
        new_hidden = _conv(
            [inputs, hidden], self._kernel_shape, 4 * self._output_channels, self._use_bias
        )
        input_gate, new_input, forget_gate, output_gate = array_ops.split(
            value=new_hidden, num_or_size_splits=4, axis=self._conv_ndims + 1
        )
        kept = math_ops.sigmoid(forget_gate + self._forget_bias) * cell
        new_cell = kept + math_ops.sigmoid(input_gate) * math_ops.tanh(new_input)
        output = math_ops.tanh(new_cell) * math_ops.sigmoid(output_gate)
        if self._skip_connection:
            output = array_ops.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(new_cell, output)


@tf_export("contrib.rnn.Conv1DLSTMCell")
class Conv1DLSTMCell(ConvLSTMCell):
    """A `ConvLSTMCell` over lines [batch, width, channels]."""

    def __init__(self, name: Name = "conv_1d_lstm_cell", **kwargs: Any):
        super().__init__(conv_ndims=1, name=name, **kwargs)


@tf_export("contrib.rnn.Conv2DLSTMCell")
class Conv2DLSTMCell(ConvLSTMCell):
    """A `ConvLSTMCell` over images [batch, height, width, channels]."""

    def __init__(self, name: Name = "conv_2d_lstm_cell", **kwargs: Any):
        super().__init__(conv_ndims=2, name=name, **kwargs)


@tf_export("contrib.rnn.Conv3DLSTMCell")
class Conv3DLSTMCell(ConvLSTMCell):
    """A `ConvLSTMCell` over volumes [batch, depth, height, width, channels]."""

    def __init__(self, name: Name = "conv_3d_lstm_cell", **kwargs: Any):
        super().__init__(conv_ndims=3, name=name, **kwargs)


def _conv(
    args: list[Tensor], filter_size: list[int], num_features: int, bias: bool,
    bias_start: float = 0.0,
) -> Tensor:  # fmt: skip
    """The convolution of joined inputs, with variables of the current variable scope.

    Args:
      args: tensors [batch, ..., channels] of one rank.
      filter_size: the shape of the kernel.
      num_features: the number of channels of the output.
      bias: whether there is a bias.
      bias_start: its first value.

    Raises:
      ValueError: the ranks differ, or are not 3, 4 or 5.
    """
    shapes: list[Any] = [a.get_shape().as_list() for a in args]
    rank = len(shapes[0])
    for shape in shapes:
        if len(shape) not in (3, 4, 5):
            raise ValueError(f"Conv Linear expects 3D, 4D or 5D arguments: {shapes}")
        if len(shape) != rank:
            raise ValueError(f"Conv Linear expects all args to be of same Dimension: {shapes}")
    channels = sum(shape[-1] for shape in shapes)
    dtype = args[0].dtype
    conv_op: Any = {3: nn_convolution.conv1d, 4: nn_ops.conv2d, 5: nn_conv3d.conv3d_v1}[rank]
    strides: Any = 1 if rank == 3 else rank * [1]
    kernel = vs.get_variable("kernel", [*filter_size, channels, num_features], dtype=dtype)
    joined = args[0] if len(args) == 1 else array_ops.concat(axis=rank - 1, values=args)
    result = conv_op(joined, kernel, strides, padding="SAME")
    if not bias:
        return result
    return result + vs.get_variable(
        "biases", [num_features], dtype=dtype,
        initializer=init_ops.Constant(bias_start, dtype=dtype),
    )  # fmt: skip
