"""Long short-term memories whose step, or all steps, are one op
(`tensorflow.contrib.rnn.python.ops.lstm_ops`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.layers import base as base_layer
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.rnn.rnn_cell_impl import LayerRNNCell, LSTMStateTuple
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_VARIABLE_NAMES = {
    "W": "kernel",
    "b": "bias",
    "wci": "w_i_diag",
    "wcf": "w_f_diag",
    "wco": "w_o_diag",
}


def _size(x: Tensor, axis: int) -> Any:
    """A dimension: an int, or a scalar tensor where it is not known."""
    known = dimension_value(x.shape[axis])
    return array_ops.shape(x)[axis] if known is None else known


def _lstm_block_cell(
    x: TensorLike, cs_prev: Any, h_prev: Any, w: TensorLike, b: TensorLike, wci: Any = None,
    wcf: Any = None,
    wco: Any = None, forget_bias: TensorLike | None = None, cell_clip: TensorLike | None = None,
    use_peephole: Any = None,
    name: Name = None,
) -> Any:  # fmt: skip
    """One step of an LSTM cell.

    Args:
      x: the input [batch, size].
      cs_prev, h_prev: the memory and the output before [batch, cell].
      w, b: kernel [size + cell, 4 cell] and bias [4 cell] of the gates: input, candidate, forget,
        output.
      wci, wcf, wco: the weights of the memory at the input, forget and output gate [cell].
      forget_bias: added to the forget gate's bias; 1 by default.
      cell_clip: the limit of the memory; none if it is not positive, or None.
      use_peephole: whether the gates see the memory.
      name: the operation's name.

    Returns:
      i, cs, f, o, ci, co, h: gates and candidate, memory, tanh of it, output.

    Raises:
      ValueError: there are no peepholes, and the size of `cs_prev` is unknown.
    """
    if wci is None:
        cell_size = cs_prev.get_shape().with_rank(2).dims[1].value
        if cell_size is None:
            raise ValueError("cell_size from `cs_prev` should not be None.")
        wci = wcf = wco = array_ops.constant(0, dtype=dtypes.float32, shape=[cell_size])
    return raw_ops.LSTMBlockCell(
        x=x, cs_prev=cs_prev, h_prev=h_prev, w=w, wci=wci, wcf=wcf, wco=wco, b=b,
        forget_bias=forget_bias, cell_clip=-1 if cell_clip is None else cell_clip,
        use_peephole=use_peephole, name=name,
    )  # fmt: skip


def _block_lstm(
    seq_len_max: Any, x: Any, w: Any, b: Any, cs_prev: Any = None, h_prev: Any = None,
    wci: Any = None, wcf: Any = None, wco: Any = None, forget_bias: TensorLike | None = None,
    cell_clip: TensorLike | None = None, use_peephole: Any = None, name: Name = None,
) -> Any:  # fmt: skip
    """All steps of an LSTM cell.

    Args:
      seq_len_max: how many of the steps are done.
      x: a list of inputs [batch, size].
      cs_prev, h_prev: the first memory and output; zeros by default.
      w, b, wci, wcf, wco, forget_bias, cell_clip, use_peephole, name: see `_lstm_block_cell`.

    Returns:
      Lists of what `_lstm_block_cell` returns.

    Raises:
      ValueError: the size of `b` is unknown.
    """
    dtype = x[0].dtype
    batch_size = x[0].get_shape().with_rank(2).dims[0].value
    cell_size4 = b.get_shape().with_rank(1).dims[0].value
    if cell_size4 is None:
        raise ValueError("`b` shape must not be None.")
    cell_size = cell_size4 // 4
    if cs_prev is None or h_prev is None:
        zero_state = array_ops.constant(0, dtype=dtype, shape=[batch_size, cell_size])
        cs_prev = zero_state if cs_prev is None else cs_prev
        h_prev = zero_state if h_prev is None else h_prev
    if wci is None:
        wci = wcf = wco = array_ops.constant(0, dtype=dtype, shape=[cell_size])
    found = raw_ops.BlockLSTM(
        seq_len_max=seq_len_max, x=array_ops.stack(x), cs_prev=cs_prev, h_prev=h_prev, w=w,
        wci=wci, wcf=wcf, wco=wco, b=b, forget_bias=forget_bias,
        cell_clip=-1 if cell_clip is None else cell_clip, name=name, use_peephole=use_peephole,
    )  # fmt: skip
    return tuple(array_ops.unstack(y) for y in found)


@tf_export("contrib.rnn.LSTMBlockCell")
class LSTMBlockCell(LayerRNNCell):
    """An LSTM cell that is one op.

    Args:
      num_units: the size of the output and of both parts of the state.
      forget_bias: added to the forget gate's bias.
      cell_clip: the limit of the memory; None for no limit.
      use_peephole: whether the gates see the memory.
      dtype: of the variables; that of the inputs by default.
      reuse: whether the variables must exist.
      name: the layer's name.
    """

    _kernel: Any
    _bias: Any

    def __init__(
        self, num_units: int, forget_bias: TensorLike = 1.0, cell_clip: TensorLike | None = None,
        use_peephole: bool = False, dtype: DTypeLike | None = None, reuse: Any = None,
        name: Name = "lstm_cell",
    ):  # fmt: skip
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._use_peephole = use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._names = {**_VARIABLE_NAMES, "scope": "lstm_cell"}
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> Any:
        """(num_units, num_units)."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = attribute("_num_units", "The number of units.")

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernel and bias of all gates, and the peepholes."""
        input_size = inputs_shape.dims[1].value
        if not input_size:
            raise ValueError(f"Expecting inputs_shape[1] to be set: {inputs_shape}")
        _build_lstm(self, input_size, self._names)

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step.

        Raises:
          ValueError: the state is no pair.
        """
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        wci, wcf, wco = _peepholes(self, self.dtype)
        cs_prev, h_prev = state
        _, cs, _, _, _, _, h = _lstm_block_cell(
            inputs, cs_prev, h_prev, self._kernel, self._bias, wci=wci, wcf=wcf, wco=wco,
            forget_bias=self._forget_bias, cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )  # fmt: skip
        return h, LSTMStateTuple(cs, h)


def _build_lstm(layer: Any, input_size: int, names: dict[str, str]) -> None:
    units = layer._num_units
    layer._kernel = layer.add_variable(names["W"], [input_size + units, units * 4])
    layer._bias = layer.add_variable(names["b"], [units * 4], initializer=init_ops.Constant(0.0))
    if layer._use_peephole:
        layer._w_i_diag = layer.add_variable(names["wci"], [units])
        layer._w_f_diag = layer.add_variable(names["wcf"], [units])
        layer._w_o_diag = layer.add_variable(names["wco"], [units])
    layer.built = True


def _peepholes(layer: Any, dtype: Any) -> tuple[Any, Any, Any]:
    """The weights of the memory at the input, forget and output gate; zeros if it is not seen."""
    if layer._use_peephole:
        return layer._w_i_diag, layer._w_f_diag, layer._w_o_diag
    zeros = array_ops.zeros([layer._num_units], dtype=dtype)
    return zeros, zeros, zeros


@tf_export("contrib.rnn.LSTMBlockWrapper")
class LSTMBlockWrapper(base_layer.Layer, metaclass=abc.ABCMeta):
    """Base class of LSTM layers that do all steps in one call: see `FusedRNNCell`."""

    @property
    @abc.abstractmethod
    def num_units(self) -> Any:
        """The size of the output and of both parts of the state."""

    @abc.abstractmethod
    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any,
        sequence_length: Any,
    ) -> Any:  # fmt: skip
        """Memories and outputs [time, batch, num_units] of all steps.

        Args:
          inputs: a tensor [time, batch, size].
          initial_cell_state, initial_output: the first state, each [batch, num_units].
          dtype: of the state.
          sequence_length: how many steps each of the batch has, or None.
        """

    def call(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, initial_state: Any = None, dtype: DTypeLike | None = None,
        sequence_length: TensorLike | None = None,
    ) -> Any:  # fmt: skip
        """Does all steps.

        Args:
          inputs: a tensor [time, batch, size], or a list of tensors [batch, size].
          initial_state: a pair; zeros by default.
          dtype: of the state, if no first one is given.
          sequence_length: how many steps each of the batch has, ints [batch].

        Returns:
          (outputs, last state): a tensor [time, batch, num_units], or a list if `inputs` is one.

        Raises:
          ValueError: the inputs' size is unknown, there is neither a first state nor a dtype, or
            the state is no pair.
        """
        as_list = isinstance(inputs, list)
        if as_list:
            inputs = array_ops.stack(inputs)
        inputs_shape = inputs.get_shape().with_rank(3)
        if not inputs_shape[2]:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {inputs_shape}")
        batch_size, time_len = _size(inputs, 1), _size(inputs, 0)
        first, dtype = self._first_state(initial_state, batch_size, dtype)
        if sequence_length is not None:
            sequence_length = ops.convert_to_tensor(sequence_length)
        memories, outputs = self._call_cell(inputs, first[0], first[1], dtype, sequence_length)
        if sequence_length is None:
            last = [memories[-1], outputs[-1]]
        else:
            outputs *= self._mask(sequence_length, time_len, dtype)
            # With the first state before them, the last ones are at the sequences' lengths.
            states = [
                array_ops.concat([array_ops.expand_dims(start, [0]), later], 0)
                for start, later in zip(first, (memories, outputs), strict=True)
            ]
            last = [self._gather_states(x, sequence_length, batch_size) for x in states]
        return array_ops.unstack(outputs) if as_list else outputs, LSTMStateTuple(*last)

    def _first_state(self, given: Any, batch_size: Any, dtype: Any) -> tuple[Any, Any]:
        """The first state, a pair, and the dtype."""
        if given is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = array_ops.zeros(array_ops.stack([batch_size, self.num_units]), dtype=dtype)
            return (zeros, zeros), dtype
        if len(given) != 2:
            raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
        return given, given[0].dtype if dtype is None else dtype

    def _mask(self, lengths: Tensor, time_len: Any, dtype: Any) -> Tensor:
        """[time, batch, num_units]: 1 up to the end of each sequence, then 0."""
        of_batch = array_ops.sequence_mask(lengths, time_len, dtype=dtype)
        of_time = array_ops.expand_dims(array_ops.transpose(of_batch, [1, 0]), [-1])
        return array_ops.tile(of_time, [1, 1, self.num_units])

    def _gather_states(self, data: Tensor, indices: Tensor, batch_size: Any) -> Tensor:
        """data[indices[b], b] for each b."""
        return array_ops.gather_nd(
            data, array_ops.stack([indices, math_ops.range(batch_size)], axis=1)
        )


@tf_export("contrib.rnn.LSTMBlockFusedCell")
class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM layer of which all steps are one op.

    Args:
      num_units: the size of the output and of both parts of the state.
      forget_bias: added to the forget gate's bias.
      cell_clip: the limit of the memory; None for no limit.
      use_peephole: whether the gates see the memory.
      reuse: whether the variables must exist.
      dtype: of the variables; that of the inputs by default.
      name: the layer's name.
    """

    _kernel: Any
    _bias: Any

    def __init__(
        self, num_units: int, forget_bias: TensorLike = 1.0, cell_clip: TensorLike | None = None,
        use_peephole: bool = False, reuse: Any = None, dtype: DTypeLike | None = None,
        name: Name = "lstm_fused_cell",
    ):  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._use_peephole = use_peephole
        self.input_spec = InputSpec(ndim=3)

    num_units = attribute("_num_units", "The size of the output and of both parts of the state.")

    def build(self, input_shape: Any) -> None:
        """Makes the kernel and bias of all gates, and the peepholes."""
        _build_lstm(self, input_shape.dims[2].value, _VARIABLE_NAMES)

    def _call_cell(
        self, inputs: Any, initial_cell_state: Any = None, initial_output: Any = None,
        dtype: Any = None, sequence_length: Any = None,
    ) -> Any:  # fmt: skip
        time_len = _size(inputs, 0)
        wci, wcf, wco = _peepholes(self, dtype)
        longest = time_len if sequence_length is None else math_ops.reduce_max(sequence_length)
        max_seq_len = math_ops.cast(longest, dtypes.int64)
        _, cs, _, _, _, _, h = raw_ops.BlockLSTM(
            seq_len_max=max_seq_len, x=inputs, cs_prev=initial_cell_state, h_prev=initial_output,
            w=self._kernel, wci=wci, wcf=wcf, wco=wco, b=self._bias,
            forget_bias=self._forget_bias, cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )  # fmt: skip
        return cs, h
