"""LSTM cells over time and frequency of `tf.contrib.rnn` (https://arxiv.org/abs/1507.01526)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.rnn.rnn_cell_lstm import (
    _get_concat_variable,
    _SizedCell,
    get_peepholes,
    get_zeros,
    warn_concatenated,
)
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.rnn.rnn_cell_impl import affine, clip, lstm_step
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value


def _size_of(features: Tensor) -> int:
    size = features.get_shape().with_rank(2).dims[-1].value  # pyright: ignore
    if size is None:
        raise ValueError("Cannot infer input_size from static shape inference.")
    return size


@tf_export("contrib.rnn.TimeFreqLSTMCell")
class TimeFreqLSTMCell(_SizedCell):
    """An LSTM cell that goes over parts of its inputs, one after the other.

    Args:
      num_units: the size of the memory of each part.
      use_peepholes: whether the gates see the memory.
      cell_clip: the limit of the memory; or None.
      initializer: unused, as in TF.
      num_unit_shards: in how many variables the kernel is kept.
      forget_bias: added to the forget gate's bias.
      feature_size: the size of a part.
      frequency_skip: how far the parts are apart.
      reuse: whether the variables must exist.
    """

    def __init__(
        self, num_units: Any, use_peepholes: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_unit_shards: int = 1, forget_bias: Any = 1.0,
        feature_size: Any = None, frequency_skip: int = 1, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = initializer
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size = feature_size
        self._frequency_skip = frequency_skip
        self._state_size = 2 * num_units
        self._output_size = num_units
        self._reuse = reuse

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        units = self._num_units
        freq_inputs = self._make_tf_features(inputs)
        dtype = inputs.dtype
        part_size = freq_inputs[0].get_shape().as_list()[1]
        concat_w = _get_concat_variable(
            "W", [part_size + 2 * units, 4 * units], dtype, self._num_unit_shards
        )
        b = get_zeros("B", 4 * units, dtype)
        peepholes = None
        if self._use_peepholes:
            peepholes = get_peepholes("W_F_diag W_I_diag W_O_diag", units, dtype)
        m_prev_freq = array_ops.zeros(
            [inputs.shape.dims[0].value or inputs.get_shape()[0], units], dtype
        )
        m_out = state_out = None
        for fq, part in enumerate(freq_inputs):
            c_prev, m_prev = (
                array_ops.slice(state, [0, begin * units], [-1, units])
                for begin in (2 * fq, 2 * fq + 1)
            )
            lstm_matrix = affine([part, m_prev, m_prev_freq], concat_w, b)
            gates = array_ops.split(value=lstm_matrix, num_or_size_splits=4, axis=1)
            c, m = lstm_step(
                gates, c_prev, self._forget_bias, math_ops.tanh, peepholes, self._cell_clip
            )
            m_prev_freq = m
            state_out = array_ops.concat([c, m] if fq == 0 else [state_out, c, m], 1)
            m_out = m if fq == 0 else array_ops.concat([m_out, m], 1)
        return m_out, state_out

    def _make_tf_features(self, input_feat: Tensor) -> list[Tensor]:
        """The parts of the inputs.

        Raises:
          ValueError: the inputs' size is unknown.
        """
        count = int((_size_of(input_feat) - self._feature_size) / self._frequency_skip) + 1
        return [
            array_ops.slice(input_feat, [0, f * self._frequency_skip], [-1, self._feature_size])
            for f in range(count)
        ]


def _state_names(prefix: str, num_frequency_blocks: Any) -> list[str]:
    return [
        f"{prefix}_f{freq_index:02d}_b{block_index:02d}_{part}"
        for block_index, count in enumerate(num_frequency_blocks)
        for freq_index in range(count)
        for part in ("c", "m")
    ]


@tf_export("contrib.rnn.GridLSTMCell")
class GridLSTMCell(_SizedCell):
    """An LSTM cell with a memory along time and one along frequency.

    Args:
      num_units: the size of each memory.
      use_peepholes: whether the gates see the memory.
      share_time_frequency_weights: whether the two LSTMs share their weights.
      cell_clip: the limit of the memory; or None.
      initializer: unused, as in TF.
      num_unit_shards: in how many variables the kernels are kept.
      forget_bias: added to the forget gates' biases.
      feature_size: the size of a part of the inputs.
      frequency_skip: how far the parts are apart.
      num_frequency_blocks: a list: how many parts each block has.
      start_freqindex_list, end_freqindex_list: where each block begins and ends.
      couple_input_forget_gates: whether the forget gate is 1 - the input gate.
      state_is_tuple: states are named tuples and not these concatenated.
      reuse: whether the variables must exist.

    Raises:
      ValueError: `num_frequency_blocks` is None.
    """

    def __init__(
        self, num_units: Any, use_peepholes: bool = False,
        share_time_frequency_weights: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_unit_shards: int = 1, forget_bias: Any = 1.0,
        feature_size: Any = None, frequency_skip: Any = None, num_frequency_blocks: Any = None,
        start_freqindex_list: Any = None, end_freqindex_list: Any = None,
        couple_input_forget_gates: bool = False, state_is_tuple: bool = True, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        warn_concatenated(self, state_is_tuple)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._share_time_frequency_weights = share_time_frequency_weights
        self._couple_input_forget_gates = couple_input_forget_gates
        self._state_is_tuple = state_is_tuple
        self._cell_clip = cell_clip
        self._initializer = initializer
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size = feature_size
        self._frequency_skip = frequency_skip
        self._start_freqindex_list = start_freqindex_list
        self._end_freqindex_list = end_freqindex_list
        self._num_frequency_blocks = num_frequency_blocks
        self._reuse = reuse
        if num_frequency_blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        self._total_blocks = sum(int(count) for count in num_frequency_blocks)
        self._state_tuple_type: Any = None
        if state_is_tuple:
            names = _state_names("state", num_frequency_blocks)
            self._state_tuple_type = collections.namedtuple("GridLSTMStateTuple", names)
            self._state_size = self._state_tuple_type(*[num_units] * len(names))
        else:
            self._state_size = num_units * self._total_blocks * 2
        self._output_size = num_units * self._total_blocks * 2

    @property
    def state_tuple_type(self) -> Any:
        """The named tuple that states are; None if they are concatenated."""
        return self._state_tuple_type

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        batch_size = dimension_value(inputs.shape[0]) or array_ops.shape(inputs)[0]
        m_out, state_out = self._compute_all(
            self._make_tf_features(inputs), state, batch_size, "state", self._state_is_tuple
        )
        if self._state_is_tuple:
            state_out = self._state_tuple_type(*state_out)
        else:
            state_out = array_ops.concat(state_out, 1)
        return array_ops.concat(m_out, 1), state_out

    def _compute_all(
        self, freq_inputs: list[list[Tensor]], state: Any, batch_size: Any, state_prefix: str,
        state_is_tuple: bool,
    ) -> tuple[list[Tensor], list[Tensor]]:  # fmt: skip
        """Outputs and states of all blocks."""
        m_out, state_out = [], []
        for block, parts in enumerate(freq_inputs):
            m_of_block, state_of_block = self._compute(
                parts, block, state, batch_size, state_prefix, state_is_tuple
            )
            m_out += m_of_block
            state_out += state_of_block
        return m_out, state_out

    def _compute(
        self, freq_inputs: list[Tensor], block: int, state: Any, batch_size: Any,
        state_prefix: str = "state", state_is_tuple: bool = True,
    ) -> tuple[list[Tensor], list[Tensor]]:  # fmt: skip
        """Outputs and states of a block."""
        tanh, units = math_ops.tanh, self._num_units
        shared, coupled = self._share_time_frequency_weights, self._couple_input_forget_gates
        num_gates = 3 if coupled else 4
        dtype = freq_inputs[0].dtype
        part_size = freq_inputs[0].get_shape().as_list()[1]

        def linear(name: str) -> Any:
            w = _get_concat_variable(
                f"W_{name}_{block}", [part_size + 2 * units, num_gates * units], dtype,
                self._num_unit_shards,
            )  # fmt: skip
            b = get_zeros(f"B_{name}_{block}", num_gates * units, dtype)
            return lambda x: nn_ops.bias_add(math_ops.matmul(x, w), b)

        def peepholes(direction: str) -> dict[str, list[Any]]:
            """For each gate the weights of the memories along frequency and time."""
            return {
                gate: get_peepholes(
                    f"W_{gate}_diag_{direction}f_{block} W_{gate}_diag_{direction}t_{block}",
                    units, dtype,
                )
                for gate in ("IO" if coupled else "FIO")
            }  # fmt: skip

        freq_linear = linear("f")
        time_linear = None if shared else linear("t")
        freq_peepholes = time_peepholes = None
        if self._use_peepholes:
            freq_peepholes = peepholes("freq")
            time_peepholes = freq_peepholes if shared else peepholes("time")

        def split(matrix: Tensor) -> Any:
            gates: list[Any] = array_ops.split(value=matrix, num_or_size_splits=num_gates, axis=1)
            if coupled:
                gates.insert(2, None)
            return gates

        def gate(x: Tensor, weights: Any, name: str, c_freq: Tensor, c_time: Tensor) -> Tensor:
            if weights is not None:
                w_freq, w_time = weights[name]
                x = x + w_freq * c_freq + w_time * c_time
            return math_ops.sigmoid(x)

        def memory(gates: Any, weights: Any, c_prev: Tensor, before: Any) -> Tensor:
            i, j, f, _ = gates
            i = gate(i, weights, "I", *before)
            if coupled:
                f = 1.0 - i
            else:
                f = gate(f + self._forget_bias, weights, "F", *before)
            return clip(f * c_prev + i * tanh(j), self._cell_clip)

        m_prev_freq = array_ops.zeros([batch_size, units], dtype)
        c_prev_freq = array_ops.zeros([batch_size, units], dtype)
        m_out, state_out = [], []
        for freq_index, part in enumerate(freq_inputs):
            if state_is_tuple:
                name_prefix = f"{state_prefix}_f{freq_index:02d}_b{block:02d}"
                c_prev_time = getattr(state, name_prefix + "_c")
                m_prev_time = getattr(state, name_prefix + "_m")
            else:
                start = 2 * freq_index * units
                c_prev_time = array_ops.slice(state, [0, start], [-1, units])
                m_prev_time = array_ops.slice(state, [0, start + units], [-1, units])
            cell_inputs = array_ops.concat([part, m_prev_time, m_prev_freq], 1)
            freq_gates = split(freq_linear(cell_inputs))
            time_gates = freq_gates if time_linear is None else split(time_linear(cell_inputs))
            before = (c_prev_freq, c_prev_time)
            c_freq = memory(freq_gates, freq_peepholes, c_prev_freq, before)
            c_time = memory(time_gates, time_peepholes, c_prev_time, before)
            m_freq = gate(freq_gates[3], freq_peepholes, "O", c_freq, c_time) * tanh(c_freq)
            m_time = gate(time_gates[3], time_peepholes, "O", c_freq, c_time) * tanh(c_time)
            m_prev_freq, c_prev_freq = m_freq, c_freq
            state_out += [c_time, m_time]
            m_out += [m_time, m_freq]
        return m_out, state_out

    def _make_tf_features(self, input_feat: Tensor, slice_offset: int = 0) -> list[list[Tensor]]:
        """The parts of the inputs of each block.

        Args:
          input_feat: a tensor [batch, size].
          slice_offset: how far to shift the inputs, padded with zeros.

        Raises:
          ValueError: the blocks don't fit the inputs' size, or this is unknown.
        """
        input_size = _size_of(input_feat)
        inputs = input_feat
        if slice_offset:
            before, after = max(-slice_offset, 0), max(slice_offset, 0)
            paddings = array_ops.constant([0, 0, before, after], shape=[2, 2], dtype=dtypes.int32)
            inputs = array_ops.pad(input_feat, paddings, "CONSTANT")
            slice_offset = after
        blocks = self._num_frequency_blocks
        if not self._start_freqindex_list:
            if len(blocks) != 1:
                raise ValueError(
                    f"Length of num_frequency_blocks is not 1, but instead is {len(blocks)}"
                )
            ranges = [(0, input_size)]
        else:
            starts, ends = self._start_freqindex_list, self._end_freqindex_list
            # TF leaves the numbers out of the text.
            if len(starts) != len(ends):
                raise ValueError(
                    "Length of start and end freqindex_list does not match %d %d",
                    len(starts),
                    len(ends),
                )
            if len(blocks) != len(starts):
                raise ValueError(
                    "Length of num_frequency_blocks is not equal to start_freqindex_list %d %d",
                    len(blocks),
                    len(starts),
                )
            ranges = list(zip(starts, ends, strict=True))
        freq_inputs = []
        for (start, end), wanted in zip(ranges, blocks, strict=True):
            count = int((end - start - self._feature_size) / self._frequency_skip) + 1
            if count != wanted:
                raise ValueError(
                    f"Invalid num_frequency_blocks, requires {wanted} but gets {count}, please "
                    "check the input size and filter config are correct."
                )
            begin = start + slice_offset
            freq_inputs.append(
                [
                    array_ops.slice(
                        inputs, [0, begin + f * self._frequency_skip], [-1, self._feature_size]
                    )
                    for f in range(count)
                ]
            )
        return freq_inputs


@tf_export("contrib.rnn.BidirectionalGridLSTMCell")
class BidirectionalGridLSTMCell(GridLSTMCell):
    """Two `GridLSTMCell`s, one of which goes from high to low frequencies.

    Args:
      backward_slice_offset: how far the inputs of that one are shifted.
      num_units, …: as in `GridLSTMCell`.
    """

    def __init__(
        self, num_units: Any, use_peepholes: bool = False,
        share_time_frequency_weights: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_unit_shards: int = 1, forget_bias: Any = 1.0,
        feature_size: Any = None, frequency_skip: Any = None, num_frequency_blocks: Any = None,
        start_freqindex_list: Any = None, end_freqindex_list: Any = None,
        couple_input_forget_gates: bool = False, backward_slice_offset: int = 0,
        reuse: Any = None,
    ):  # fmt: skip
        super().__init__(
            num_units, use_peepholes, share_time_frequency_weights, cell_clip, initializer,
            num_unit_shards, forget_bias, feature_size, frequency_skip, num_frequency_blocks,
            start_freqindex_list, end_freqindex_list, couple_input_forget_gates, True, reuse,
        )  # fmt: skip
        self._backward_slice_offset = int(backward_slice_offset)
        names = [
            name
            for direction in ("fwd", "bwd")
            for name in _state_names(f"{direction}_state", num_frequency_blocks)
        ]
        self._state_tuple_type = collections.namedtuple("BidirectionalGridLSTMStateTuple", names)
        self._state_size = self._state_tuple_type(*[num_units] * len(names))
        self._output_size = 2 * num_units * self._total_blocks * 2

    def call(self, inputs: Any, state: Any) -> Any:
        """Does one step."""
        batch_size = dimension_value(inputs.shape[0]) or array_ops.shape(inputs)[0]
        fwd_inputs = bwd_inputs = self._make_tf_features(inputs)
        if self._backward_slice_offset:
            bwd_inputs = self._make_tf_features(inputs, self._backward_slice_offset)
        with vs.variable_scope("fwd"):
            fwd_m, fwd_state = self._compute_all(fwd_inputs, state, batch_size, "fwd_state", True)
        with vs.variable_scope("bwd"):
            bwd_m, bwd_state = self._compute_all(
                [parts[::-1] for parts in bwd_inputs], state, batch_size, "bwd_state", True
            )
        state_out = self._state_tuple_type(*fwd_state + bwd_state)
        return array_ops.concat(fwd_m + bwd_m, 1), state_out
