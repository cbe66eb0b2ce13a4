"""Beam search (`tensorflow.contrib.seq2seq.python.ops.beam_search_decoder`)."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.seq2seq import attention_wrapper, beam_search_ops, decoder, helper
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops
from tf1compat.api.keras.engine import base_layer
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.rnn import rnn_cell_impl
from tf1compat.core import context, dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, as_shape, dimension_value
from tf1compat.core.tensor_util import constant_value
from tf1compat.core.typing import Name, TensorLike

__all__ = [
    "BeamSearchDecoder",
    "BeamSearchDecoderOutput",
    "BeamSearchDecoderState",
    "BeamSearchDecoderV2",
    "FinalBeamSearchDecoderOutput",
    "tile_batch",
]


@tf_export("contrib.seq2seq.BeamSearchDecoderState")
class BeamSearchDecoderState(
    collections.namedtuple(
        "BeamSearchDecoderState",
        ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs"),
    )
):
    """The state of a beam search.

    Attributes:
      cell_state: the cell's state [batch, beam, ...].
      log_probs: floats [batch, beam].
      finished: bools [batch, beam].
      lengths: int64 [batch, beam].
      accumulated_attention_probs: the sums of the alignments [batch, beam, memory's length]; ()
        if no coverage penalty needs them.
    """


@tf_export("contrib.seq2seq.BeamSearchDecoderOutput")
class BeamSearchDecoderOutput(
    collections.namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))
):
    """What a step gives: scores, ids and the beams that they continue, each [batch, beam]."""


@tf_export("contrib.seq2seq.FinalBeamSearchDecoderOutput")
class FinalBeamSearchDecoderOutput(
    collections.namedtuple(
        "FinalBeamDecoderOutput", ["predicted_ids", "beam_search_decoder_output"]
    )
):
    """What a beam search gives: the sequences [batch, time, beam], the best first, and the output
    of all steps."""


def _tile_batch(t: TensorLike, multiplier: int) -> Tensor:
    t = ops.convert_to_tensor(t, name="t")
    shape = array_ops.shape(t)
    if not t.shape.ndims:
        raise ValueError("t must have statically known rank")
    batch_size = dimension_value(t.shape[0])
    size = None if batch_size is None else batch_size * multiplier
    tiled = array_ops.tile(array_ops.expand_dims(t, 1), [1, multiplier] + [1] * (t.shape.ndims - 1))
    merged = array_ops.reshape(tiled, array_ops.concat(([shape[0] * multiplier], shape[1:]), 0))
    merged.set_shape(TensorShape([size]).concatenate(t.shape[1:]))
    return merged


@tf_export("contrib.seq2seq.tile_batch")
def tile_batch(t: TensorLike, multiplier: int, name: Name = None) -> Any:
    """Repeats each example of a batch, as a beam search needs it.

    Args:
      t: tensors [batch, ...], in a structure or alone.
      multiplier: how often, an int.
      name: the name scope.

    Returns:
      Tensors [batch * multiplier, ...] in which an example's copies are neighbours.

    Raises:
      ValueError: a rank is unknown or 0.
    """
    with ops.name_scope(name, "tile_batch", [*nest.flatten(t), multiplier]):
        return nest.map_structure(lambda x: _tile_batch(x, multiplier), t)


def gather_tree_from_array(t: TensorLike, parent_ids: Any, sequence_length: TensorLike) -> Tensor:
    """What a TensorArray holds, in the order of the final beams.

    Args:
      t: a tensor [time, batch, beam, ...] or [time, batch * beam, ...].
      parent_ids: which beam each beam continued, int32 [time, batch, beam].
      sequence_length: ints [batch, beam].

    Returns:
      A tensor like `t`.
    """
    max_time, batch_size, beam_width = [
        dimension_value(parent_ids.shape[i]) or array_ops.shape(parent_ids)[i] for i in range(3)
    ]

    def numbered(count: Any, others: list[Any]) -> Tensor:
        """[count, *others]: each number as often as the other sizes say."""
        return array_ops.tile(array_ops.reshape(math_ops.range(count), [-1, 1, 1]), [1, *others])

    row = array_ops.expand_dims(array_ops.expand_dims(math_ops.range(beam_width), 0), 0)
    beam_ids = array_ops.tile(row, [max_time, batch_size, 1])
    lengths = math_ops.cast(math_ops.reduce_max(sequence_length, axis=1), dtypes.int32)
    sorted_ids = beam_search_ops.gather_tree(beam_ids, parent_ids, lengths, beam_width + 1)
    mask = array_ops.sequence_mask(sequence_length, max_time)
    sorted_ids = array_ops.where(array_ops.transpose(mask, [2, 0, 1]), sorted_ids, beam_ids)
    times = numbered(max_time, [batch_size, beam_width])
    batches = array_ops.transpose(numbered(batch_size, [max_time, beam_width]), [1, 0, 2])
    indices = array_ops.stack([times, batches, sorted_ids], -1)
    final_shape = array_ops.shape(t)
    t = array_ops.reshape(t, [max_time, batch_size, beam_width, -1])
    return array_ops.reshape(array_ops.gather_nd(t, indices), final_shape)


def _check_ndims(t: Tensor) -> None:
    if t.shape.ndims is None:
        raise ValueError(f"Expected tensor ({t}) to have known rank, but ndims == None.")


def _check_static_batch_beam_maybe(shape: Any, batch_size: Any, beam_width: Any) -> bool:
    """Whether `shape` may be [batch, beam, ...] or [batch * beam, ...]; warns if not."""
    first: Any = dimension_value(shape[0])
    second = dimension_value(shape[1]) if shape.ndims >= 2 else None
    fits = batch_size is None or first is None
    if not fits and first == batch_size * beam_width:
        fits = second is None or (first, second) == (batch_size, beam_width)
    if not fits:
        logging.warn(
            "TensorArray reordering expects elements to be reshapable to %s which is incompatible "
            "with the current shape %s. Consider setting reorder_tensor_arrays to False to disable "
            "TensorArray reordering during the beam search.",
            TensorShape([batch_size, beam_width, None]),
            shape,
        )
    return fits


def _check_batch_beam(t: Tensor, batch_size: Any, beam_width: int) -> Any:
    """Asserts that `t` is [time, batch, beam, ...] or [time, batch * beam, ...]."""
    what = t if context.executing_eagerly() else t.name
    message = (
        "TensorArray reordering expects elements to be reshapable to [batch_size, beam_size, -1] "
        f"which is incompatible with the dynamic shape of {what} elements. Consider setting "
        "reorder_tensor_arrays to False to disable TensorArray reordering during the beam search."
    )
    shape = array_ops.shape(t)
    fits = math_ops.equal(shape[1], batch_size * beam_width)
    if t.shape.ndims != 2:
        has_beams = math_ops.logical_and(
            math_ops.equal(shape[1], batch_size), math_ops.equal(shape[2], beam_width)
        )
        fits = math_ops.logical_or(fits, has_beams)
    return control_flow_ops.Assert(fits, [message])


class BeamSearchDecoderMixin:
    """What does not depend on how a beam search starts.

    Args:
      cell: the cell.
      beam_width: how many sequences are kept, an int.
      output_layer: a layer that is applied to the outputs; or None.
      length_penalty_weight, coverage_penalty_weight: as in `BeamSearchDecoder`.
      reorder_tensor_arrays: as in `BeamSearchDecoder`.

    Raises:
      TypeError: an argument has a wrong type.
    """

    def __init__(
        self, cell: Any, beam_width: int, output_layer: Any = None,
        length_penalty_weight: Any = 0.0, coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True, **kwargs: Any,
    ):  # fmt: skip
        rnn_cell_impl.assert_like_rnncell("cell", cell)
        if output_layer is not None and not isinstance(output_layer, base_layer.Layer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        self._cell = cell
        self._output_layer = output_layer
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._start_tokens: Any = None
        self._end_token: Any = None
        self._batch_size: Any = None
        self._beam_width = beam_width
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight
        self._start_inputs: Any = None
        self._embedding_fn: Any = None
        super().__init__(**kwargs)

    @property
    def batch_size(self) -> Any:
        """The batch size, a scalar tensor."""
        return self._batch_size

    def _rnn_output_size(self) -> Any:
        return decoder.rnn_output_size(self._cell, self._output_layer)

    @property
    def tracks_own_finished(self) -> bool:
        """True: beams change places."""
        return True

    @property
    def output_size(self) -> BeamSearchDecoderOutput:
        """The beam's width, three times."""
        width = TensorShape([self._beam_width])
        return BeamSearchDecoderOutput(scores=width, predicted_ids=width, parent_ids=width)

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: TensorLike) -> Any:
        """The sequences of the last beams.

        Args:
          outputs: a BeamSearchDecoderOutput of tensors [time, batch, beam].
          final_state: a BeamSearchDecoderState.
          sequence_lengths: not used: they are in the state.

        Returns:
          (a FinalBeamSearchDecoderOutput, the state).
        """
        lengths = math_ops.cast(math_ops.reduce_max(final_state.lengths, axis=1), dtypes.int32)
        predicted_ids = beam_search_ops.gather_tree(
            outputs.predicted_ids,
            outputs.parent_ids,
            max_sequence_lengths=lengths,
            end_token=self._end_token,
        )
        if self._reorder_tensor_arrays:
            cell_state = nest.map_structure(
                lambda t: self._maybe_sort_array_beams(t, outputs.parent_ids, final_state.lengths),
                final_state.cell_state,
            )
            final_state = final_state._replace(cell_state=cell_state)
        final = FinalBeamSearchDecoderOutput(
            beam_search_decoder_output=outputs, predicted_ids=predicted_ids
        )
        return final, final_state

    def _merge_batch_beams(self, t: TensorLike, s: Any = None) -> Tensor:
        """From [batch, beam, ...] to [batch * beam, ...]; `s` are the sizes after them."""
        s = as_shape(constant_value(s)) if isinstance(s, Tensor) else TensorShape(s)
        shape = array_ops.shape(t)
        batch_size = constant_value(self._batch_size)
        merged = array_ops.reshape(
            t, array_ops.concat(([self._batch_size * self._beam_width], shape[2:]), 0)
        )
        static = None if batch_size is None else batch_size * self._beam_width
        merged.set_shape(TensorShape([static]).concatenate(s))
        return merged

    def _split_batch_beams(self, t: TensorLike, s: Any = None) -> Tensor:
        """From [batch * beam, ...] to [batch, beam, ...]; `s` are the sizes after them.

        Raises:
          ValueError: the static shapes don't fit.
        """
        s = TensorShape(constant_value(s)) if isinstance(s, Tensor) else TensorShape(s)
        shape = array_ops.shape(t)
        split = array_ops.reshape(
            t, array_ops.concat(([self._batch_size, self._beam_width], shape[1:]), 0)
        )
        batch_size = constant_value(self._batch_size)
        expected = TensorShape([batch_size, self._beam_width]).concatenate(s)
        if not split.shape.is_compatible_with(expected):
            raise ValueError(
                "Unexpected behavior when reshaping between beam width and batch size.  The "
                f"reshaped tensor has shape: {split.shape}.  We expected it to have shape "
                f"(batch_size, beam_width, depth) == {expected}.  Perhaps you forgot to create a "
                "zero_state with batch_size=encoder_batch_size * beam_width?"
            )
        split.set_shape(expected)
        return split

    def _maybe_split_batch_beams(self, t: Any, s: Any) -> Any:
        if isinstance(t, tensor_array_ops.TensorArray):
            return t
        _check_ndims(t)
        return self._split_batch_beams(t, s) if t.shape.ndims >= 1 else t

    def _maybe_merge_batch_beams(self, t: Any, s: Any) -> Any:
        if isinstance(t, tensor_array_ops.TensorArray):
            return t
        _check_ndims(t)
        return self._merge_batch_beams(t, s) if t.shape.ndims >= 2 else t

    def _maybe_sort_array_beams(
        self, t: TensorLike, parent_ids: Any, sequence_length: TensorLike
    ) -> Any:
        """A TensorArray as a tensor in the order of the last beams; anything else as it is."""
        if not isinstance(t, tensor_array_ops.TensorArray):
            return t
        if t.element_shape.ndims is None or t.element_shape.ndims < 1:
            logging.warn(
                "The TensorArray %s in the cell state is not amenable to sorting based on the beam "
                "search result. For a TensorArray to be sorted, its elements shape must be defined "
                "and have at least a rank of 1, but saw shape: %s",
                t.handle.name,
                t.element_shape,
            )
            return t
        if not _check_static_batch_beam_maybe(
            t.element_shape, constant_value(self._batch_size), self._beam_width
        ):
            return t
        stacked = t.stack()
        with ops.control_dependencies(
            [_check_batch_beam(stacked, self._batch_size, self._beam_width)]
        ):
            return gather_tree_from_array(stacked, parent_ids, sequence_length)

    def _of_cell(self, change: Callable[[Any, Any], Any], state: Any) -> Any:
        """The cell's state with a change of each part, which is told the part's size."""
        return nest.map_structure(change, state, self._cell.state_size)

    def _begin(self, start_tokens: Any, end_token: Any, initial_state: Any) -> None:
        """Keeps what a search begins with."""
        self._start_tokens, self._end_token = helper.start_and_end(start_tokens, end_token)
        self._batch_size = array_ops.size(start_tokens)
        self._initial_cell_state = self._of_cell(self._maybe_split_batch_beams, initial_state)
        column = array_ops.expand_dims(self._start_tokens, 1)
        self._start_tokens = array_ops.tile(column, [1, self._beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        # All of an example's beams begin alike: only the first one counts.
        first = array_ops.zeros([self._batch_size], dtype=dtypes.int32)
        self._finished = array_ops.one_hot(
            first, self._beam_width, on_value=False, off_value=True, dtype=dtypes.bool
        )

    @property
    def _dtype_of_state(self) -> Any:
        return nest.flatten(self._initial_cell_state)[0].dtype

    def _first(self) -> Any:
        """(finished, first inputs, first state)."""
        dtype = self._dtype_of_state
        zeros = array_ops.zeros([self._batch_size], dtype=dtypes.int32)
        log_probs = array_ops.one_hot(
            zeros,
            depth=self._beam_width,
            on_value=ops.convert_to_tensor(0.0, dtype=dtype),
            off_value=ops.convert_to_tensor(-np.inf, dtype=dtype),
            dtype=dtype,
        )
        attention_probs = get_attention_probs(
            self._initial_cell_state, self._coverage_penalty_weight
        )
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state,
            log_probs=log_probs,
            finished=self._finished,
            lengths=array_ops.zeros([self._batch_size, self._beam_width], dtype=dtypes.int64),
            accumulated_attention_probs=() if attention_probs is None else attention_probs,
        )
        return self._finished, self._start_inputs, state

    @property
    def output_dtype(self) -> BeamSearchDecoderOutput:
        """The scores have the dtype of the state, the others int32."""
        dtype = self._dtype_of_state
        return BeamSearchDecoderOutput(
            scores=nest.map_structure(lambda _: dtype, self._rnn_output_size()),
            predicted_ids=dtypes.int32,
            parent_ids=dtypes.int32,
        )

    def step(self, time: Any, inputs: Any, state: Any, name: Name = None) -> Any:
        """One step of the cell, and of the search.

        Args:
          time: its number, a scalar int32 tensor.
          inputs: the inputs [batch, beam, ...].
          state: a BeamSearchDecoderState.
          name: the name scope.

        Returns:
          (a BeamSearchDecoderOutput, next state, next inputs, finished).
        """
        with ops.name_scope(name, "BeamSearchDecoderStep", (time, inputs, state)):
            inputs = nest.map_structure(lambda x: self._merge_batch_beams(x, s=x.shape[2:]), inputs)
            merged_state = self._of_cell(self._maybe_merge_batch_beams, state.cell_state)
            outputs, cell_state = self._cell(inputs, merged_state)
            outputs = nest.map_structure(
                lambda x: self._split_batch_beams(x, s=x.shape[1:]), outputs
            )
            cell_state = self._of_cell(self._maybe_split_batch_beams, cell_state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            output, next_state = _beam_search_step(
                time=time,
                logits=outputs,
                next_cell_state=cell_state,
                beam_state=state,
                batch_size=self._batch_size,
                beam_width=self._beam_width,
                end_token=self._end_token,
                length_penalty_weight=self._length_penalty_weight,
                coverage_penalty_weight=self._coverage_penalty_weight,
            )
            finished = next_state.finished
            next_inputs = control_flow_ops.cond(
                math_ops.reduce_all(finished),
                lambda: self._start_inputs,
                lambda: self._embedding_fn(output.predicted_ids),
            )
        return output, next_state, next_inputs, finished


@tf_export("contrib.seq2seq.BeamSearchDecoder")
class BeamSearchDecoder(BeamSearchDecoderMixin, decoder.Decoder):
    """Beam search: keeps the best sequences of each example.

    With an `AttentionWrapper`, the encoder's outputs, state and lengths are to be tiled with
    `tile_batch` before.

    Args:
      cell: the cell.
      embedding: embeds ids: a function, or what `tf.nn.embedding_lookup` takes.
      start_tokens: the first ids, int32 [batch].
      end_token: the id that ends a sequence, a scalar int32.
      initial_state: the cell's first state [batch * beam_width, ...].
      beam_width: how many sequences are kept, an int.
      output_layer: a layer that is applied to the outputs, e.g. a `Dense`; or None.
      length_penalty_weight: how much long sequences are preferred (Wu et al., 2016); 0 for no
        penalty.
      coverage_penalty_weight: how much sequences are preferred that look at all of the memory.
      reorder_tensor_arrays: whether TensorArrays in the cell's last state become tensors in the
        order of the last beams.

    Raises:
      TypeError: an argument has a wrong type.
      ValueError: `start_tokens` is no vector or `end_token` no scalar, or shapes don't fit.
    """

    def __init__(
        self, cell: Any, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any,
        beam_width: int, output_layer: Any = None, length_penalty_weight: Any = 0.0,
        coverage_penalty_weight: Any = 0.0, reorder_tensor_arrays: bool = True,
    ):  # fmt: skip
        super().__init__(
            cell, beam_width, output_layer=output_layer,
            length_penalty_weight=length_penalty_weight,
            coverage_penalty_weight=coverage_penalty_weight,
            reorder_tensor_arrays=reorder_tensor_arrays,
        )  # fmt: skip
        self._embedding_fn = helper.embedding_function(embedding)
        self._begin(start_tokens, end_token, initial_state)

    def initialize(self, name: Name = None) -> Any:
        """(finished, first inputs, first state): only the first beam counts."""
        return self._first()


class BeamSearchDecoderV2(BeamSearchDecoderMixin, decoder.BaseDecoder):
    """Beam search as a layer, which is called with `(embedding, start_tokens, end_token,
    initial_state)`.

    Args:
      cell: the cell.
      beam_width: how many sequences are kept, an int.
      embedding_fn: embeds ids; None where the layer is called with an embedding.
      output_layer: a layer that is applied to the outputs, e.g. a `Dense`; or None.
      length_penalty_weight, coverage_penalty_weight: as in `BeamSearchDecoder`.
      reorder_tensor_arrays: as in `BeamSearchDecoder`.
      **kwargs: as in `BaseDecoder`.

    Raises:
      TypeError: an argument has a wrong type.
      ValueError: `embedding_fn` is no function.
    """

    def __init__(
        self, cell: Any, beam_width: int, embedding_fn: Any = None, output_layer: Any = None,
        length_penalty_weight: Any = 0.0, coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            cell, beam_width, output_layer=output_layer,
            length_penalty_weight=length_penalty_weight,
            coverage_penalty_weight=coverage_penalty_weight,
            reorder_tensor_arrays=reorder_tensor_arrays, **kwargs,
        )  # fmt: skip
        if embedding_fn is not None and not callable(embedding_fn):
            raise ValueError(f"embedding_fn is expected to be a callable, got {type(embedding_fn)}")
        self._embedding_fn = embedding_fn

    def initialize(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any
    ) -> Any:
        """(finished, first inputs, first state): only the first beam counts.

        Args:
          embedding: what `tf.nn.embedding_lookup` takes; None if there is an `embedding_fn`.
          start_tokens: the first ids, int32 [batch].
          end_token: the id that ends a sequence, a scalar int32.
          initial_state: the cell's first state [batch * beam_width, ...].

        Raises:
          ValueError: there are two embeddings, `start_tokens` is no vector or `end_token` no
            scalar, or shapes don't fit.
        """
        if embedding is not None:
            if self._embedding_fn is not None:
                raise ValueError("embedding and embedding_fn cannot be provided at same time")
            self._embedding_fn = helper.looks_up(embedding)
        self._begin(start_tokens, end_token, initial_state)
        return self._first()

    def call(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        embeddning: Any,  # TF's own spelling
        start_tokens: Any,
        end_token: Any,
        initial_state: Any,
        **kwargs: Any,
    ) -> Any:
        """Searches.

        Args:
          embeddning: the embedding, as in `initialize`.
          start_tokens, end_token, initial_state: as in `initialize`.
          **kwargs: what else `initialize` takes.

        Returns:
          (a FinalBeamSearchDecoderOutput, last state, lengths).
        """
        first = {"start_tokens": start_tokens, "end_token": end_token}
        return self._decoded(embeddning, {**kwargs, **first, "initial_state": initial_state})


def _beam_search_step(
    time: Any, logits: Any, next_cell_state: Any, beam_state: Any, batch_size: Any,
    beam_width: int, end_token: Any, length_penalty_weight: Any, coverage_penalty_weight: Any,
) -> tuple[BeamSearchDecoderOutput, BeamSearchDecoderState]:  # fmt: skip
    """Chooses the best continuations of the beams.

    Args:
      time: the number of the step.
      logits: floats [batch, beam, ids].
      next_cell_state: the cell's new state, in the order of the old beams.
      beam_state: the BeamSearchDecoderState before.
      batch_size: a scalar tensor.
      beam_width, end_token, length_penalty_weight, coverage_penalty_weight: as in
        `BeamSearchDecoder`.
    """
    static_batch_size = constant_value(batch_size)
    previously_finished = beam_state.finished
    not_finished = math_ops.logical_not(previously_finished)
    step_log_probs = _mask_probs(nn_ops.log_softmax(logits), end_token, previously_finished)
    total_probs = array_ops.expand_dims(beam_state.log_probs, 2) + step_log_probs
    vocab_size = dimension_value(logits.shape[-1]) or array_ops.shape(logits)[-1]
    lengths_to_add = array_ops.one_hot(
        indices=array_ops.fill([batch_size, beam_width], end_token),
        depth=vocab_size,
        on_value=math_ops.to_int64(0),
        off_value=math_ops.to_int64(1),
        dtype=dtypes.int64,
    )
    add_mask = math_ops.cast(not_finished, dtypes.int64)
    lengths_to_add *= array_ops.expand_dims(add_mask, 2)
    new_lengths = lengths_to_add + array_ops.expand_dims(beam_state.lengths, 2)
    accumulated = None
    attention_probs = get_attention_probs(next_cell_state, coverage_penalty_weight)
    if attention_probs is not None:
        attention_probs *= array_ops.expand_dims(math_ops.cast(not_finished, dtypes.float32), 2)
        accumulated = beam_state.accumulated_attention_probs + attention_probs
    scores = _get_scores(
        log_probs=total_probs,
        sequence_lengths=new_lengths,
        length_penalty_weight=length_penalty_weight,
        coverage_penalty_weight=coverage_penalty_weight,
        finished=previously_finished,
        accumulated_attention_probs=accumulated,
    )
    ops.convert_to_tensor(time, name="time")
    flat_scores = array_ops.reshape(scores, [batch_size, -1])
    beam_size = ops.convert_to_tensor(beam_width, dtype=dtypes.int32, name="beam_width")
    next_scores, indices = nn_ops.top_k(flat_scores, k=beam_size)
    next_scores.set_shape([static_batch_size, beam_width])
    indices.set_shape([static_batch_size, beam_width])

    def gathered(
        x: TensorLike, at: Any, range_size: Any, gather_shape: Any, name: Name = None
    ) -> Tensor:
        return _tensor_gather_helper(
            gather_indices=at, gather_from=x, batch_size=batch_size, range_size=range_size,
            gather_shape=gather_shape, name=name,
        )  # fmt: skip

    next_log_probs = gathered(
        total_probs, indices, beam_width * vocab_size, [-1], name="next_beam_probs"
    )
    word_ids = math_ops.mod(indices, vocab_size, name="next_beam_word_ids")
    next_word_ids = math_ops.cast(word_ids, dtypes.int32)
    next_beam_ids = math_ops.cast(indices / vocab_size, dtypes.int32, name="next_beam_parent_ids")
    previously_finished = gathered(previously_finished, next_beam_ids, beam_width, [-1])
    next_finished = math_ops.logical_or(
        previously_finished, math_ops.equal(next_word_ids, end_token), name="next_beam_finished"
    )
    # Unlike the lengths of the scores, these count the end token.
    lengths_to_add = math_ops.cast(math_ops.logical_not(previously_finished), dtypes.int64)
    next_lengths = gathered(beam_state.lengths, next_beam_ids, beam_width, [-1])
    next_lengths += lengths_to_add
    next_accumulated: Any = ()
    if accumulated is not None:
        next_accumulated = gathered(
            accumulated, next_beam_ids, beam_width, [batch_size * beam_width, -1],
            name="next_accumulated_attention_probs",
        )  # fmt: skip
    next_cell_state = nest.map_structure(
        lambda x: _maybe_tensor_gather_helper(
            gather_indices=next_beam_ids,
            gather_from=x,
            batch_size=batch_size,
            range_size=beam_width,
            gather_shape=[batch_size * beam_width, -1],
        ),
        next_cell_state,
    )
    next_state = BeamSearchDecoderState(
        cell_state=next_cell_state,
        log_probs=next_log_probs,
        lengths=next_lengths,
        finished=next_finished,
        accumulated_attention_probs=next_accumulated,
    )
    output = BeamSearchDecoderOutput(
        scores=next_scores, predicted_ids=next_word_ids, parent_ids=next_beam_ids
    )
    return output, next_state


def _mean(probs: Any) -> Tensor:
    stacked = array_ops.concat([array_ops.expand_dims(prob, -1) for prob in probs], -1)
    return math_ops.reduce_mean(stacked, -1)


def get_attention_probs(next_cell_state: Any, coverage_penalty_weight: Any) -> Tensor | None:
    """The alignments in a cell's state, for the coverage penalty.

    Args:
      next_cell_state: an AttentionWrapperState, or a tuple that holds some.
      coverage_penalty_weight: 0 if there is no penalty.

    Returns:
      The mean of all alignments, or None if there is no penalty.

    Raises:
      ValueError: there are no alignments.
    """
    if coverage_penalty_weight == 0.0:
        return None
    wrapper_state = attention_wrapper.AttentionWrapperState
    probs = []
    if isinstance(next_cell_state, wrapper_state):
        probs = [attention_probs_from_attn_state(next_cell_state)]
    elif isinstance(next_cell_state, tuple):
        probs = [
            attention_probs_from_attn_state(state)
            for state in next_cell_state
            if isinstance(state, wrapper_state)
        ]
    if not probs:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    return probs[0] if len(probs) == 1 else _mean(probs)


def _get_scores(
    log_probs: Any, sequence_lengths: TensorLike, length_penalty_weight: Any,
    coverage_penalty_weight: Any, finished: Any, accumulated_attention_probs: Any,
) -> Tensor:  # fmt: skip
    """Log probabilities with the penalties of length and coverage, floats [batch, beam, ids]."""
    length_penalty = _length_penalty(
        sequence_lengths=sequence_lengths, penalty_factor=length_penalty_weight
    )
    length_penalty = math_ops.cast(length_penalty, dtype=log_probs.dtype)
    scores = log_probs / length_penalty
    coverage_penalty_weight = ops.convert_to_tensor(
        coverage_penalty_weight, name="coverage_penalty_weight"
    )
    if coverage_penalty_weight.shape.ndims != 0:
        raise ValueError(
            "coverage_penalty_weight should be a scalar, but saw shape: "
            f"{coverage_penalty_weight.shape}"
        )
    if constant_value(coverage_penalty_weight) == 0.0:
        return scores
    if accumulated_attention_probs is None:
        raise ValueError(
            "accumulated_attention_probs can be None only if coverage penalty is disabled."
        )
    # The logarithm of a sum of 0, after the memory's end, shall not count.
    probs = array_ops.where(
        math_ops.equal(accumulated_attention_probs, 0.0),
        array_ops.ones_like(accumulated_attention_probs),
        accumulated_attention_probs,
    )
    penalty = math_ops.reduce_sum(math_ops.log(math_ops.minimum(probs, 1.0)), 2)
    penalty *= math_ops.cast(finished, dtypes.float32)
    weighted = penalty * coverage_penalty_weight
    return scores + array_ops.expand_dims(weighted, 2)


def attention_probs_from_attn_state(attention_state: Any) -> Tensor:
    """The alignments in an AttentionWrapperState: the mean, if there are several mechanisms."""
    probs = attention_state.alignments
    return _mean(probs) if isinstance(probs, tuple) else probs


def _length_penalty(sequence_lengths: TensorLike, penalty_factor: Any) -> Any:
    """`((5 + length) / 6) ** factor`; 1 if the factor is known to be 0."""
    penalty_factor = ops.convert_to_tensor(penalty_factor, name="penalty_factor")
    penalty_factor.set_shape(())
    static = constant_value(penalty_factor)
    if static is not None and static == 0:
        return 1.0
    return math_ops.div(
        (5.0 + math_ops.cast(sequence_lengths, dtypes.float32)) ** penalty_factor,
        (5.0 + 1.0) ** penalty_factor,
    )


def _mask_probs(probs: Any, eos_token: Any, finished: Any) -> Tensor:
    """Log probabilities in which a finished beam can only give the end token."""
    dtype = probs.dtype
    vocab_size = array_ops.shape(probs)[2]
    certain = ops.convert_to_tensor(0.0, dtype=dtype)
    only_end = array_ops.one_hot(eos_token, vocab_size, certain, dtype.min, dtype=dtype)
    only_end = array_ops.reshape(only_end, [1, 1, -1])
    if_finished = array_ops.tile(only_end, array_ops.concat([array_ops.shape(finished), [1]], 0))
    is_finished = array_ops.tile(array_ops.expand_dims(finished, 2), [1, 1, vocab_size])
    return array_ops.where(is_finished, if_finished, probs)


def _maybe_tensor_gather_helper(
    gather_indices: Any, gather_from: Any, batch_size: Any, range_size: Any, gather_shape: Any
) -> Any:
    """`_tensor_gather_helper`, for tensors that have beams; others stay as they are."""
    if isinstance(gather_from, tensor_array_ops.TensorArray):
        return gather_from
    _check_ndims(gather_from)
    if gather_from.shape.ndims < len(gather_shape):
        return gather_from
    return _tensor_gather_helper(
        gather_indices=gather_indices, gather_from=gather_from, batch_size=batch_size,
        range_size=range_size, gather_shape=gather_shape,
    )  # fmt: skip


def _tensor_gather_helper(
    gather_indices: Any, gather_from: Any, batch_size: Any, range_size: Any, gather_shape: Any,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """Gathers within each example.

    Args:
      gather_indices: ints [batch, beam].
      gather_from: a tensor [batch, range_size, ...].
      batch_size: a scalar tensor.
      range_size: how many there are to choose from.
      gather_shape: the shape in which `gather_from` is gathered from.
      name: the name scope.
    """
    with ops.name_scope(name, "tensor_gather_helper"):
        begins = array_ops.expand_dims(math_ops.range(batch_size) * range_size, 1)
        of_all = array_ops.reshape(gather_indices + begins, [-1])
        flat = array_ops.reshape(gather_from, gather_shape)
        rows = array_ops.gather(flat, of_all)
        ndims = 1 + len(gather_shape)
        output = array_ops.reshape(rows, array_ops.shape(gather_from)[:ndims], name="output")
        known = TensorShape([constant_value(batch_size)])
        output.set_shape(known.concatenate(gather_from.shape[1:ndims]))
        return output
