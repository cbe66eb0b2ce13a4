"""A cell with attention (`tensorflow.contrib.seq2seq.python.ops.attention_wrapper`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.framework import tensor_util
from tf1compat.api.contrib.seq2seq.attention_layers import (
    BahdanauAttentionV2,  # noqa: F401
    BahdanauMonotonicAttentionV2,  # noqa: F401
    LuongAttentionV2,  # noqa: F401
    LuongMonotonicAttentionV2,  # noqa: F401
    _BaseAttentionMechanismV2,
    _BaseMonotonicAttentionMechanismV2,  # noqa: F401
)
from tf1compat.api.contrib.seq2seq.attention_mechanism import (
    AttentionMechanism,
    BahdanauAttention,
    BahdanauMonotonicAttention,
    LuongAttention,
    LuongMonotonicAttention,
    _bahdanau_score,  # noqa: F401
    _BaseAttentionMechanism,  # noqa: F401
    _BaseMonotonicAttentionMechanism,  # noqa: F401
    _luong_score,  # noqa: F401
    _maybe_mask_score,  # noqa: F401
    _monotonic_probability_fn,  # noqa: F401
    _prepare_memory,  # noqa: F401
    hardmax,
    monotonic_attention,
    safe_cumprod,
)
from tf1compat.api.control_flow import tensor_array_ops
from tf1compat.api.layers import core as layers_core
from tf1compat.api.math import math_ops
from tf1compat.api.rnn import rnn_cell_impl
from tf1compat.api.rnn.rnn_cell_impl import _zero_state_tensors
from tf1compat.core import context, dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import DTypeLike, Name, TensorLike

__all__ = [
    "AttentionMechanism",
    "AttentionWrapper",
    "AttentionWrapperState",
    "BahdanauAttention",
    "BahdanauMonotonicAttention",
    "LuongAttention",
    "LuongMonotonicAttention",
    "hardmax",
    "monotonic_attention",
    "safe_cumprod",
]


@tf_export("contrib.seq2seq.AttentionWrapperState")
class AttentionWrapperState(
    collections.namedtuple(
        "AttentionWrapperState",
        ("cell_state", "attention", "time", "alignments", "alignment_history", "attention_state"),
    )
):
    """The state of an `AttentionWrapper`.

    Attributes:
      cell_state: the wrapped cell's state.
      attention: the attention of the step before.
      time: the number of the step, a scalar int32.
      alignments: of the step before; a tuple if there are several mechanisms.
      alignment_history: TensorArrays of all alignments; or ().
      attention_state: the mechanisms' states.
    """

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """The state with some parts replaced, which must have the shapes of the old ones.

        Args:
          **kwargs: the parts.

        Raises:
          ValueError: a shape differs.
        """

        def like(old: Any, new: Any) -> Any:
            if not isinstance(old, Tensor) or not isinstance(new, Tensor):
                return new
            if not context.executing_eagerly():
                return tensor_util.with_same_shape(old, new)
            if old.shape.as_list() != new.shape.as_list():
                raise ValueError(
                    "The shape of the AttentionWrapperState is expected to be same as the one to "
                    f"clone. self.shape: {old.shape}, input.shape: {new.shape}"
                )
            return new

        return nest.map_structure(like, self, self._replace(**kwargs))


def _compute_attention(
    attention_mechanism: Any, cell_output: Any, attention_state: Any, attention_layer: Any
) -> Any:
    """(attention, alignments, next state of the mechanism)."""
    if isinstance(attention_mechanism, _BaseAttentionMechanismV2):
        alignments, next_state = attention_mechanism([cell_output, attention_state])
    else:
        alignments, next_state = attention_mechanism(cell_output, state=attention_state)
    row = array_ops.expand_dims(alignments, 1)
    attention = array_ops.squeeze(math_ops.matmul(row, attention_mechanism.values), [1])
    if attention_layer is not None:
        attention = attention_layer(array_ops.concat([cell_output, attention], 1))
    return attention, alignments, next_state


def _as_tuple(value: TensorLike) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _mechanisms(attention_mechanism: Any) -> tuple[Any, ...]:
    if isinstance(attention_mechanism, (list, tuple)):
        for mechanism in attention_mechanism:
            if not isinstance(mechanism, AttentionMechanism):
                raise TypeError(
                    "attention_mechanism must contain only instances of AttentionMechanism, saw "
                    f"type: {type(mechanism).__name__}"
                )
        return attention_mechanism  # type: ignore[return-value]
    if not isinstance(attention_mechanism, AttentionMechanism):
        raise TypeError(
            "attention_mechanism must be an AttentionMechanism or list of multiple "
            "AttentionMechanism instances, saw type: "
            f"{type(attention_mechanism).__name__}"
        )
    return (attention_mechanism,)


_TILE_STATE = (
    "Are you using the BeamSearchDecoder?  You may need to tile your initial state via the "
    "tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width."
)
_TILE_ENCODER = (
    "Are you using the BeamSearchDecoder?  If so, make sure your encoder output has been tiled to "
    "beam_width via tf.contrib.seq2seq.tile_batch, and the batch_size= argument passed to "
    "zero_state is batch_size * beam_width."
)
_TILE_MEMORY = (
    "Are you using the BeamSearchDecoder?  You may need to tile your memory input via the "
    "tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width."
)


def _joined(inputs: Any, attention: Any) -> Any:
    """What the cell gets by default."""
    return array_ops.concat([inputs, attention], -1)


@tf_export("contrib.seq2seq.AttentionWrapper")
class AttentionWrapper(rnn_cell_impl.RNNCell):
    """A cell whose inputs and outputs see a memory.

    Args:
      cell: the cell.
      attention_mechanism: an `AttentionMechanism`, or a list of them.
      attention_layer_size: the size of a layer for output and context together (a list of sizes
        for several mechanisms); None for the context alone.
      alignment_history: whether all alignments are kept in a TensorArray of the last state.
      cell_input_fn: `(inputs, attention) -> the cell's inputs`; by default they are concatenated.
      output_attention: whether the output is the attention, or the cell's output.
      initial_cell_state: the cell's state in `zero_state`; zeros by default.
      name: the layer's name.
      attention_layer: a layer in place of that of `attention_layer_size`, or a list of layers.
      attention_fn: computes attention, alignments and the mechanism's next state.
      dtype: of the layer.

    Raises:
      TypeError: an argument has a wrong type.
      ValueError: there are as many layers or sizes as mechanisms, or both are given.
    """

    def __init__(
        self, cell: Any, attention_mechanism: Any, attention_layer_size: Any = None,
        alignment_history: bool = False, cell_input_fn: Any = None, output_attention: bool = True,
        initial_cell_state: Any = None, name: Name = None, attention_layer: Any = None,
        attention_fn: Any = None, dtype: DTypeLike | None = None,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        rnn_cell_impl.assert_like_rnncell("cell", cell)
        mechanisms = _mechanisms(attention_mechanism)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        if cell_input_fn is None:
            cell_input_fn = _joined
        elif not callable(cell_input_fn):
            raise TypeError(
                f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}"
            )
        if attention_layer_size is not None and attention_layer is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        if attention_layer_size is not None:
            sizes = _as_tuple(attention_layer_size)
            if len(sizes) != len(mechanisms):
                raise ValueError(
                    "If provided, attention_layer_size must contain exactly one integer per "
                    f"attention_mechanism, saw: {len(sizes)} vs {len(mechanisms)}"
                )
            self._attention_layers = tuple(
                layers_core.Dense(size, name="attention_layer", use_bias=False, dtype=m.dtype)
                for size, m in zip(sizes, mechanisms, strict=True)
            )
            self._attention_layer_size = sum(sizes)
        elif attention_layer is not None:
            layers = _as_tuple(attention_layer)
            if len(layers) != len(mechanisms):
                raise ValueError(
                    "If provided, attention_layer must contain exactly one layer per "
                    f"attention_mechanism, saw: {len(layers)} vs {len(mechanisms)}"
                )
            self._attention_layers = layers
            depths = [cell.output_size + dimension_value(m.values.shape[-1]) for m in mechanisms]
            self._attention_layer_size = sum(
                dimension_value(layer.compute_output_shape([None, depth])[-1])
                for layer, depth in zip(layers, depths, strict=True)
            )
        else:
            self._attention_layers = None
            self._attention_layer_size = sum(
                dimension_value(m.values.shape[-1]) for m in mechanisms
            )
        self._attention_fn = attention_fn or _compute_attention
        self._cell = cell
        self._attention_mechanisms = mechanisms
        self._cell_input_fn = cell_input_fn
        self._output_attention = output_attention
        self._alignment_history = alignment_history
        with ops.name_scope(name, "AttentionWrapperInit"):
            self._initial_cell_state = None
            if initial_cell_state is not None:
                state = nest.flatten(initial_cell_state)[-1]
                batch_size = dimension_value(state.shape[0]) or array_ops.shape(state)[0]
                message = (
                    f"When constructing AttentionWrapper {self._base_name}: Non-matching batch "
                    "sizes between the memory (encoder output) and initial_cell_state.  "
                    + _TILE_STATE
                )
                self._initial_cell_state = self._checked(
                    initial_cell_state, batch_size, message, "check_initial_cell_state"
                )

    def _checked(self, value: TensorLike, batch_size: Any, message: str, name: str) -> Any:
        """A structure of tensors, once the batch size is found to be that of the memories."""
        checks = [
            check_ops.assert_equal(batch_size, mechanism.batch_size, message=message)
            for mechanism in self._attention_mechanisms
        ]
        with ops.control_dependencies(checks):
            return nest.map_structure(lambda s: array_ops.identity(s, name=name), value)

    def _item_or_tuple(self, seq: Any) -> Any:
        items = tuple(seq)
        return items if self._is_multi else items[0]

    @property
    def output_size(self) -> Any:
        """The size of the attention, or of the cell's output."""
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> AttentionWrapperState:
        """The sizes of the parts of the state."""
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size,
            time=TensorShape([]),
            attention=self._attention_layer_size,
            alignments=self._item_or_tuple(m.alignments_size for m in mechanisms),
            attention_state=self._item_or_tuple(m.state_size for m in mechanisms),
            alignment_history=self._item_or_tuple(
                m.alignments_size if self._alignment_history else () for m in mechanisms
            ),
        )

    def zero_state(self, batch_size: Any, dtype: DTypeLike) -> AttentionWrapperState:
        """The first state.

        Args:
          batch_size: an int or a scalar tensor.
          dtype: the dtype.
        """
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            if self._initial_cell_state is not None:
                cell_state = self._initial_cell_state
            else:
                cell_state = self._cell.get_initial_state(batch_size=batch_size, dtype=dtype)
            message = (
                f"When calling zero_state of AttentionWrapper {self._base_name}: Non-matching "
                "batch sizes between the memory (encoder output) and the requested batch size.  "
                + _TILE_ENCODER
            )
            cell_state = self._checked(cell_state, batch_size, message, "checked_cell_state")
            mechanisms = self._attention_mechanisms
            alignments = [m.initial_alignments(batch_size, dtype) for m in mechanisms]

            def history(alignment: Any) -> Any:
                if not self._alignment_history:
                    return ()
                return tensor_array_ops.TensorArray(
                    dtype, size=0, dynamic_size=True, element_shape=alignment.shape
                )

            return AttentionWrapperState(
                cell_state=cell_state,
                time=array_ops.zeros([], dtype=dtypes.int32),
                attention=_zero_state_tensors(self._attention_layer_size, batch_size, dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._item_or_tuple(
                    m.initial_state(batch_size, dtype) for m in mechanisms
                ),
                alignment_history=self._item_or_tuple(history(a) for a in alignments),
            )

    def call(self, inputs: Any, state: Any) -> Any:
        """One step: the cell sees the attention before, its output looks at the memories.

        Args:
          inputs: floats [batch, size].
          state: an AttentionWrapperState.

        Returns:
          (attention or the cell's output, next state).

        Raises:
          TypeError: `state` is no AttentionWrapperState.
        """
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                "Expected state to be instance of AttentionWrapperState. Received type "
                f"{type(state)} instead."
            )
        cell_inputs = self._cell_input_fn(inputs, state.attention)
        output, next_cell_state = self._cell(cell_inputs, state.cell_state)
        batch_size = dimension_value(output.shape[0]) or array_ops.shape(output)[0]
        message = (
            f"When applying AttentionWrapper {self.name}: Non-matching batch sizes between the "
            "memory (encoder output) and the query (decoder output).  " + _TILE_MEMORY
        )
        output = self._checked(output, batch_size, message, "checked_cell_output")
        states, histories = state.attention_state, state.alignment_history
        if not self._is_multi:
            states, histories = [states], [histories]
        results = []
        for i, mechanism in enumerate(self._attention_mechanisms):
            layer = self._attention_layers[i] if self._attention_layers else None
            seen, alignment, next_state = self._attention_fn(mechanism, output, states[i], layer)
            history = histories[i].write(state.time, alignment) if self._alignment_history else ()
            results.append((seen, alignment, history, next_state))
        attentions, *of_mechanisms = zip(*results, strict=True)
        attention = array_ops.concat(list(attentions), 1)
        next_state = AttentionWrapperState(
            next_cell_state, attention, state.time + 1, *map(self._item_or_tuple, of_mechanisms)
        )
        return (attention if self._output_attention else output), next_state
