"""Nets from sequence to sequence of one copy of a cell for each step
(`tensorflow.contrib.legacy_seq2seq.python.ops.seq2seq`)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.rnn import core_rnn_cell
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops, nn_ops
from tf1compat.api.rnn import rnn, rnn_cell_impl
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike, Name, TensorLike

Linear = core_rnn_cell._Linear


def _extract_argmax_and_embed(
    embedding: Any, output_projection: Any = None, update_embedding: bool = True
) -> Callable[[Any, Any], Any]:
    """A loop function: the embedding of the largest of the outputs before.

    Args:
      embedding: the embedding of symbols [symbols, size].
      output_projection: (weights, biases) from an output to the symbols; or None.
      update_embedding: whether the gradient goes on to the embedding.
    """

    def loop_function(prev: Any, _: Any) -> Any:
        if output_projection is not None:
            prev = nn_ops.xw_plus_b(prev, output_projection[0], output_projection[1])
        embedded = embedding_ops.embedding_lookup(embedding, math_ops.argmax(prev, 1))
        return embedded if update_embedding else array_ops.stop_gradient(embedded)

    return loop_function


def _check_projection(output_projection: Any, num_symbols: Any, dtype: Any) -> None:
    weights = ops.convert_to_tensor(output_projection[0], dtype=dtype)
    weights.get_shape().assert_is_compatible_with([None, num_symbols])
    _check_biases(output_projection, num_symbols, dtype)


def _check_biases(output_projection: Any, num_symbols: Any, dtype: Any) -> None:
    biases = ops.convert_to_tensor(output_projection[1], dtype=dtype)
    biases.get_shape().assert_is_compatible_with([num_symbols])


def _embed(embedding: Any, inputs: Any) -> list[Any]:
    return [embedding_ops.embedding_lookup(embedding, i) for i in inputs]


def _either(
    feed_previous: Any, decode: Callable[[bool], Any], length: int
) -> tuple[list[Any], list[Any]]:
    """A decoder whose `feed_previous` is a tensor: both ways in a `tf.cond`.

    Args:
      feed_previous: a scalar bool tensor.
      decode: from `feed_previous` to (outputs, state).
      length: the number of outputs.

    Returns:
      (outputs, the parts of the state).
    """

    def branch(feed: bool) -> Any:
        reuse = None if feed else True
        with vs.variable_scope(vs.get_variable_scope(), reuse=reuse):
            outputs, state = decode(feed)
        return outputs + (nest.flatten(state) if nest.is_sequence(state) else [state])

    found = control_flow_ops.cond(feed_previous, lambda: branch(True), lambda: branch(False))
    return found[:length], found[length:]


def _packed(structure: Any, parts: list[Any]) -> Any:
    if nest.is_sequence(structure):
        return nest.pack_sequence_as(structure=structure, flat_sequence=parts)
    return parts[0]


@tf_export("contrib.legacy_seq2seq.rnn_decoder")
def rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, loop_function: Any = None, scope: Any = None
) -> tuple[list[Any], Any]:
    """A cell applied to each input in turn.

    Args:
      decoder_inputs: tensors [batch, size].
      initial_state: the cell's first state.
      cell: the cell.
      loop_function: `(output before, step) -> input`, for all but the first; or None.
      scope: the variable scope, "rnn_decoder" by default.

    Returns:
      (a list of outputs, last state).
    """
    with vs.variable_scope(scope or "rnn_decoder"):
        state = initial_state
        outputs = []
        prev = None
        for i, inp in enumerate(decoder_inputs):
            if loop_function is not None and prev is not None:
                with vs.variable_scope("loop_function", reuse=True):
                    inp = loop_function(prev, i)
            if i > 0:
                vs.get_variable_scope().reuse_variables()
            output, state = cell(inp, state)
            outputs.append(output)
            if loop_function is not None:
                prev = output
    return outputs, state


@tf_export("contrib.legacy_seq2seq.basic_rnn_seq2seq")
def basic_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, dtype: DTypeLike = dtypes.float32,
    scope: Any = None,
) -> tuple[list[Any], Any]:  # fmt: skip
    """An encoder, and a decoder that starts with its last state.

    Args:
      encoder_inputs, decoder_inputs: lists of tensors [batch, size].
      cell: the decoder's cell; the encoder's is a copy.
      dtype: of the first state.
      scope: the variable scope, "basic_rnn_seq2seq" by default.

    Returns:
      (a list of outputs, last state).
    """
    with vs.variable_scope(scope or "basic_rnn_seq2seq"):
        encoder_cell = copy.deepcopy(cell)
        _, state = rnn.static_rnn(encoder_cell, encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


@tf_export("contrib.legacy_seq2seq.tied_rnn_seq2seq")
def tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, loop_function: Any = None,
    dtype: Any = dtypes.float32, scope: Any = None,
) -> tuple[list[Any], Any]:  # fmt: skip
    """An encoder and a decoder that share their variables.

    Args:
      encoder_inputs, decoder_inputs: lists of tensors [batch, size].
      cell: the cell of both.
      loop_function: as in `rnn_decoder`.
      dtype: of the first state.
      scope: the variable scope of both, "tied_rnn_seq2seq" by default.

    Returns:
      (a list of outputs, last state).
    """
    with vs.variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = rnn.static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        vs.get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


@tf_export("contrib.legacy_seq2seq.embedding_rnn_decoder")
def embedding_rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, num_symbols: Any, embedding_size: Any,
    output_projection: Any = None, feed_previous: bool = False,
    update_embedding_for_previous: bool = True, scope: Any = None,
) -> tuple[list[Any], Any]:  # fmt: skip
    """A decoder of embedded symbols.

    Args:
      decoder_inputs: int32 tensors [batch].
      initial_state: the cell's first state.
      cell: the cell.
      num_symbols, embedding_size: of the embedding.
      output_projection: (weights [size, num_symbols], biases) from an output to the symbols; or
        None.
      feed_previous: whether inputs after the first are the largest of the outputs before.
      update_embedding_for_previous: whether the gradient of those goes on to the embedding.
      scope: the variable scope, "embedding_rnn_decoder" by default.

    Returns:
      (a list of outputs, last state).

    Raises:
      ValueError: the projection's shapes don't fit.
    """
    with vs.variable_scope(scope or "embedding_rnn_decoder") as scope:
        if output_projection is not None:
            _check_projection(output_projection, num_symbols, scope.dtype)
        embedding = vs.get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = _extract_argmax_and_embed(
                embedding, output_projection, update_embedding_for_previous
            )
        # Each is looked up when the decoder comes to it.
        embedded = (embedding_ops.embedding_lookup(embedding, i) for i in decoder_inputs)
        return rnn_decoder(embedded, initial_state, cell, loop_function=loop_function)


@tf_export("contrib.legacy_seq2seq.embedding_rnn_seq2seq")
def embedding_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: Any,
    num_decoder_symbols: Any, embedding_size: Any, output_projection: Any = None,
    feed_previous: Any = False, dtype: DTypeLike | None = None, scope: Any = None,
) -> tuple[list[Any], Any]:  # fmt: skip
    """An encoder and a decoder of embedded symbols.

    Args:
      encoder_inputs, decoder_inputs: lists of int32 tensors [batch].
      cell: the decoder's cell; the encoder's is a copy.
      num_encoder_symbols, num_decoder_symbols, embedding_size: of the embeddings.
      output_projection: (weights, biases) from an output to the symbols; by default the cell gets
        a projection, and outputs are [batch, num_decoder_symbols].
      feed_previous: a bool, or a scalar bool tensor: whether the decoder's inputs after the first
        are the largest of the outputs before.
      dtype: of the first state; the scope's by default.
      scope: the variable scope, "embedding_rnn_seq2seq" by default.

    Returns:
      (a list of outputs, last state).
    """
    with vs.variable_scope(scope or "embedding_rnn_seq2seq") as scope:
        if dtype is not None:
            scope.set_dtype(dtype)
        else:
            dtype = scope.dtype
        encoder_cell = core_rnn_cell.EmbeddingWrapper(
            copy.deepcopy(cell),
            embedding_classes=num_encoder_symbols,
            embedding_size=embedding_size,
        )
        _, encoder_state = rnn.static_rnn(encoder_cell, encoder_inputs, dtype=dtype)
        if output_projection is None:
            cell = core_rnn_cell.OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(feed: bool, **kwargs: Any) -> tuple[list[Any], Any]:
            return embedding_rnn_decoder(
                decoder_inputs, encoder_state, cell, num_decoder_symbols, embedding_size,
                output_projection=output_projection, feed_previous=feed, **kwargs,
            )  # fmt: skip

        if isinstance(feed_previous, bool):
            return decode(feed_previous)
        outputs, parts = _either(
            feed_previous,
            lambda feed: decode(feed, update_embedding_for_previous=False),
            len(decoder_inputs),
        )
        return outputs, _packed(encoder_state, parts)


@tf_export("contrib.legacy_seq2seq.embedding_tied_rnn_seq2seq")
def embedding_tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_symbols: Any, embedding_size: Any,
    num_decoder_symbols: Any = None, output_projection: Any = None, feed_previous: Any = False,
    dtype: DTypeLike | None = None, scope: Any = None,
) -> tuple[list[Any], Any]:  # fmt: skip
    """An encoder and a decoder of embedded symbols that share their variables.

    Args:
      encoder_inputs, decoder_inputs: lists of int32 tensors [batch].
      cell: the cell of both.
      num_symbols, embedding_size: of the embedding.
      num_decoder_symbols: the size of the outputs; `num_symbols` by default.
      output_projection: as in `embedding_rnn_seq2seq`.
      feed_previous: as in `embedding_rnn_seq2seq`.
      dtype: of the variables and the first state; the scope's by default.
      scope: the variable scope, "embedding_tied_rnn_seq2seq" by default.

    Returns:
      (a list of outputs, last state).

    Raises:
      ValueError: the projection's shapes don't fit.
    """
    with vs.variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as scope:
        dtype = scope.dtype
        if output_projection is not None:
            _check_projection(output_projection, num_symbols, dtype)
        embedding = vs.get_variable("embedding", [num_symbols, embedding_size], dtype=dtype)
        embedded_encoder_inputs = _embed(embedding, encoder_inputs)
        embedded_decoder_inputs = _embed(embedding, decoder_inputs)
        if output_projection is None:
            output_symbols = num_symbols if num_decoder_symbols is None else num_decoder_symbols
            cell = core_rnn_cell.OutputProjectionWrapper(cell, output_symbols)

        def decode(feed: bool, update_embedding: bool) -> tuple[list[Any], Any]:
            loop_function = None
            if feed:
                loop_function = _extract_argmax_and_embed(
                    embedding, output_projection, update_embedding
                )
            return tied_rnn_seq2seq(
                embedded_encoder_inputs, embedded_decoder_inputs, cell,
                loop_function=loop_function, dtype=dtype,
            )  # fmt: skip

        if isinstance(feed_previous, bool):
            return decode(feed_previous, True)
        outputs, parts = _either(
            feed_previous, lambda feed: decode(feed, False), len(decoder_inputs)
        )
        static_batch_size = encoder_inputs[0].get_shape()[0]
        for inp in encoder_inputs[1:]:
            static_batch_size.merge_with(inp.get_shape()[0])
        batch_size = static_batch_size.value
        if batch_size is None:
            batch_size = array_ops.shape(encoder_inputs[0])[0]
        return outputs, _packed(cell.zero_state(batch_size, dtype), parts)


@tf_export("contrib.legacy_seq2seq.attention_decoder")
def attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any,
    output_size: Any = None, num_heads: int = 1, loop_function: Any = None,
    dtype: DTypeLike | None = None,
    scope: Any = None, initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:  # fmt: skip
    """A decoder that looks at the encoder's outputs (https://arxiv.org/abs/1412.7449).

    Args:
      decoder_inputs: a list of tensors [batch, size].
      initial_state: the cell's first state.
      attention_states: what it looks at, floats [batch, length, attention size].
      cell: the cell.
      output_size: the size of the outputs; the cell's by default.
      num_heads: at how many places it looks.
      loop_function: as in `rnn_decoder`.
      dtype: of the variables; the scope's by default.
      scope: the variable scope, "attention_decoder" by default.
      initial_state_attention: whether it looks already before the first step.

    Returns:
      (a list of outputs, last state).

    Raises:
      ValueError: there are no inputs, no heads, or a size is unknown.
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if dimension_value(attention_states.get_shape()[2]) is None:
        raise ValueError(
            f"Shape[2] of attention_states must be known: {attention_states.get_shape()}"
        )
    if output_size is None:
        output_size = cell.output_size
    with vs.variable_scope(scope or "attention_decoder", dtype=dtype) as scope:
        dtype = scope.dtype
        batch_size = array_ops.shape(decoder_inputs[0])[0]
        attn_length = dimension_value(attention_states.get_shape()[1])
        if attn_length is None:
            attn_length = array_ops.shape(attention_states)[1]
        attn_size = dimension_value(attention_states.get_shape()[2])
        hidden = array_ops.reshape(attention_states, [-1, attn_length, 1, attn_size])
        features, weights = [], []
        for head in range(num_heads):
            k = vs.get_variable(f"AttnW_{head}", [1, 1, attn_size, attn_size], dtype=dtype)
            features.append(nn_ops.conv2d(hidden, k, [1, 1, 1, 1], "SAME"))
            weights.append(vs.get_variable(f"AttnV_{head}", [attn_size], dtype=dtype))

        def attention(query: TensorLike) -> list[Tensor]:
            """What each head sees, floats [batch, attention size]."""
            if nest.is_sequence(query):
                parts = nest.flatten(query)
                for part in parts:
                    assert part.get_shape().ndims in (None, 0, 2)
                query = array_ops.concat(parts, 1)
            seen = []
            for head, (feature, weight) in enumerate(zip(features, weights, strict=True)):
                with vs.variable_scope(f"Attention_{head}"):
                    wanted = Linear(query, attn_size, True)(query)
                    wanted = array_ops.reshape(wanted, [-1, 1, 1, attn_size])
                    match = math_ops.tanh(feature + math_ops.cast(wanted, dtype))
                    score = math_ops.reduce_sum(weight * match, [2, 3])
                    # The softmax is in single precision, whatever the dtype.
                    mask = nn_ops.softmax(math_ops.cast(score, dtypes.float32))
                    mask = array_ops.reshape(math_ops.cast(mask, dtype), [-1, attn_length, 1, 1])
                    mean = math_ops.reduce_sum(mask * hidden, [1, 2])
                    seen.append(array_ops.reshape(mean, [-1, attn_size]))
            return seen

        state = initial_state
        outputs = []
        prev = None
        size = array_ops.stack([batch_size, attn_size])
        attns = [array_ops.zeros(size, dtype=dtype) for _ in range(num_heads)]
        for a in attns:
            a.set_shape([None, attn_size])
        if initial_state_attention:
            attns = attention(initial_state)
        for i, inp in enumerate(decoder_inputs):
            if i > 0:
                vs.get_variable_scope().reuse_variables()
            if loop_function is not None and prev is not None:
                with vs.variable_scope("loop_function", reuse=True):
                    inp = loop_function(prev, i)
            input_size = inp.get_shape().with_rank(2)[1]
            if input_size.value is None:
                raise ValueError(f"Could not infer input size from input: {inp.name}")
            inputs = [math_ops.cast(x, dtype) for x in [inp, *attns]]
            x = Linear(inputs, input_size, True)(inputs)
            cell_output, state = cell(x, state)
            if i == 0 and initial_state_attention:
                with vs.variable_scope(vs.get_variable_scope(), reuse=True):
                    attns = attention(state)
            else:
                attns = attention(state)
            with vs.variable_scope("AttnOutputProjection"):
                inputs = [math_ops.cast(cell_output, dtype), *attns]
                output = Linear(inputs, output_size, True)(inputs)
            if loop_function is not None:
                prev = output
            outputs.append(output)
    return outputs, state


@tf_export("contrib.legacy_seq2seq.embedding_attention_decoder")
def embedding_attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any, num_symbols: Any,
    embedding_size: Any, num_heads: int = 1, output_size: Any = None,
    output_projection: Any = None, feed_previous: bool = False,
    update_embedding_for_previous: bool = True, dtype: DTypeLike | None = None, scope: Any = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:  # fmt: skip
    """An `attention_decoder` of embedded symbols.

    Args:
      decoder_inputs: a list of int32 tensors [batch].
      initial_state, attention_states, cell, num_heads, output_size, dtype,
        initial_state_attention: as in `attention_decoder`.
      num_symbols, embedding_size: of the embedding.
      output_projection, feed_previous, update_embedding_for_previous: as in
        `embedding_rnn_decoder`.
      scope: the variable scope, "embedding_attention_decoder" by default.

    Returns:
      (a list of outputs, last state).

    Raises:
      ValueError: the projection's shapes don't fit.
    """
    if output_size is None:
        output_size = cell.output_size
    if output_projection is not None:
        _check_biases(output_projection, num_symbols, dtype)
    with vs.variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = vs.get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = _extract_argmax_and_embed(
                embedding, output_projection, update_embedding_for_previous
            )
        return attention_decoder(
            _embed(embedding, decoder_inputs), initial_state, attention_states, cell,
            output_size=output_size, num_heads=num_heads, loop_function=loop_function,
            initial_state_attention=initial_state_attention,
        )  # fmt: skip


@tf_export("contrib.legacy_seq2seq.embedding_attention_seq2seq")
def embedding_attention_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: Any,
    num_decoder_symbols: Any, embedding_size: Any, num_heads: int = 1,
    output_projection: Any = None, feed_previous: Any = False, dtype: DTypeLike | None = None,
    scope: Any = None, initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:  # fmt: skip
    """An encoder and an `attention_decoder` of embedded symbols.

    Args:
      encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols,
        embedding_size, output_projection, feed_previous: as in `embedding_rnn_seq2seq`.
      num_heads, initial_state_attention: as in `attention_decoder`.
      dtype: of the variables and the first state; the scope's by default.
      scope: the variable scope, "embedding_attention_seq2seq" by default.

    Returns:
      (a list of outputs, last state).
    """
    with vs.variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as scope:
        encoder_cell = core_rnn_cell.EmbeddingWrapper(
            copy.deepcopy(cell),
            embedding_classes=num_encoder_symbols,
            embedding_size=embedding_size,
        )
        encoder_outputs, encoder_state = rnn.static_rnn(
            encoder_cell, encoder_inputs, dtype=scope.dtype
        )
        top_states = [array_ops.reshape(e, [-1, 1, cell.output_size]) for e in encoder_outputs]
        attention_states = array_ops.concat(top_states, 1)
        output_size = None
        if output_projection is None:
            cell = core_rnn_cell.OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols

        def decode(feed: bool, **kwargs: Any) -> tuple[list[Any], Any]:
            return embedding_attention_decoder(
                decoder_inputs, encoder_state, attention_states, cell, num_decoder_symbols,
                embedding_size, num_heads=num_heads, output_size=output_size,
                output_projection=output_projection, feed_previous=feed,
                initial_state_attention=initial_state_attention, **kwargs,
            )  # fmt: skip

        if isinstance(feed_previous, bool):
            return decode(feed_previous)
        outputs, parts = _either(
            feed_previous,
            lambda feed: decode(feed, update_embedding_for_previous=False),
            len(decoder_inputs),
        )
        return outputs, _packed(encoder_state, parts)


@tf_export("contrib.legacy_seq2seq.one2many_rnn_seq2seq")
def one2many_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs_dict: Any, enc_cell: Any, dec_cells_dict: Any,
    num_encoder_symbols: Any, num_decoder_symbols_dict: Any, embedding_size: Any,
    feed_previous: Any = False, dtype: DTypeLike | None = None, scope: Any = None,
) -> tuple[dict[Any, Any], dict[Any, Any]]:  # fmt: skip
    """An encoder and several decoders of embedded symbols.

    Args:
      encoder_inputs: a list of int32 tensors [batch].
      decoder_inputs_dict: a list of them for each decoder's name.
      enc_cell: the encoder's cell.
      dec_cells_dict: the decoders' cells.
      num_encoder_symbols, embedding_size: of the encoder's embedding, and the decoders'.
      num_decoder_symbols_dict: the decoders' numbers of symbols.
      feed_previous: as in `embedding_rnn_seq2seq`.
      dtype: of the variables and the first state; the scope's by default.
      scope: the variable scope, "one2many_rnn_seq2seq" by default.

    Returns:
      (lists of outputs, last states), by the decoders' names.

    Raises:
      TypeError: a cell is none.
      ValueError: cells and inputs have different names.
    """
    if not isinstance(enc_cell, rnn_cell_impl.RNNCell):
        raise TypeError(f"enc_cell is not an RNNCell: {type(enc_cell)}")
    if set(dec_cells_dict) != set(decoder_inputs_dict):
        raise ValueError("keys of dec_cells_dict != keys of decodre_inputs_dict")
    for dec_cell in dec_cells_dict.values():
        if not isinstance(dec_cell, rnn_cell_impl.RNNCell):
            raise TypeError(f"dec_cell is not an RNNCell: {type(dec_cell)}")
    outputs_dict, state_dict = {}, {}
    with vs.variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as scope:
        enc_cell = core_rnn_cell.EmbeddingWrapper(
            enc_cell, embedding_classes=num_encoder_symbols, embedding_size=embedding_size
        )
        _, encoder_state = rnn.static_rnn(enc_cell, encoder_inputs, dtype=scope.dtype)
        for name, decoder_inputs in decoder_inputs_dict.items():
            num_symbols = num_decoder_symbols_dict[name]
            with vs.variable_scope(f"one2many_decoder_{name}"):
                cell = core_rnn_cell.OutputProjectionWrapper(dec_cells_dict[name], num_symbols)

                def decode(
                    feed: bool,
                    inputs: Any = decoder_inputs,
                    cell: Any = cell,
                    num_symbols: Any = num_symbols,
                ) -> tuple[list[Any], Any]:
                    return embedding_rnn_decoder(
                        inputs, encoder_state, cell, num_symbols, embedding_size,
                        feed_previous=feed,
                    )  # fmt: skip

                if isinstance(feed_previous, bool):
                    outputs, state = decode(feed_previous)
                else:
                    outputs, parts = _either(feed_previous, decode, len(decoder_inputs))
                    state = _packed(encoder_state, parts)
            outputs_dict[name] = outputs
            state_dict[name] = state
    return outputs_dict, state_dict


@tf_export("contrib.legacy_seq2seq.sequence_loss_by_example")
def sequence_loss_by_example(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True,
    softmax_loss_function: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """The weighted cross entropy of each sequence.

    Args:
      logits: a list of floats [batch, symbols].
      targets: a list of int32 [batch].
      weights: a list of floats [batch].
      average_across_timesteps: whether to divide by the sum of the weights.
      softmax_loss_function: of (labels, logits) in place of the cross entropy.
      name: the name scope.

    Returns:
      Floats [batch].

    Raises:
      ValueError: the lists differ in length.
    """
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError(
            "Lengths of logits, weights, and targets must be the same "
            f"{len(logits)}, {len(weights)}, {len(targets)}."
        )
    with ops.name_scope(name, "sequence_loss_by_example", logits + targets + weights):
        losses = []
        for logit, target, weight in zip(logits, targets, weights, strict=True):
            if softmax_loss_function is None:
                target = array_ops.reshape(target, [-1])
                loss = nn_ops.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)
            else:
                loss = softmax_loss_function(labels=target, logits=logit)
            losses.append(loss * weight)
        total = math_ops.add_n(losses)
        if average_across_timesteps:
            total /= math_ops.add_n(weights) + 1e-12  # Against a division by 0.
    return total


@tf_export("contrib.legacy_seq2seq.sequence_loss")
def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True,
    average_across_batch: bool = True, softmax_loss_function: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """The sum of `sequence_loss_by_example`.

    Args:
      logits, targets, weights, average_across_timesteps, softmax_loss_function: as there.
      average_across_batch: whether to divide by the batch size.
      name: the name scope.

    Returns:
      A scalar.

    Raises:
      ValueError: the lists differ in length.
    """
    with ops.name_scope(name, "sequence_loss", logits + targets + weights):
        cost = math_ops.reduce_sum(
            sequence_loss_by_example(
                logits, targets, weights, average_across_timesteps=average_across_timesteps,
                softmax_loss_function=softmax_loss_function,
            )
        )  # fmt: skip
        if not average_across_batch:
            return cost
        batch_size = array_ops.shape(targets[0])[0]
        return cost / math_ops.cast(batch_size, cost.dtype)


@tf_export("contrib.legacy_seq2seq.model_with_buckets")
def model_with_buckets(
    encoder_inputs: Any, decoder_inputs: Any, targets: Any, weights: Any, buckets: Any,
    seq2seq: Callable[[Any, Any], Any], softmax_loss_function: Any = None,
    per_example_loss: bool = False, name: Name = None,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    """A net, with its loss, for each of several lengths; they share their variables.

    Args:
      encoder_inputs, decoder_inputs: lists of the net's inputs.
      targets, weights: lists, as in `sequence_loss`.
      buckets: pairs of lengths (of encoder and decoder), the last the greatest.
      seq2seq: `(encoder_inputs, decoder_inputs) -> (outputs, states)`.
      softmax_loss_function: as in `sequence_loss`.
      per_example_loss: whether the losses are those of each sequence.
      name: the name scope.

    Returns:
      (lists of outputs, losses), one of each for each bucket.

    Raises:
      ValueError: a list is shorter than the last bucket.
    """
    for what, found, wanted in (
        ("encoder_inputs", encoder_inputs, buckets[-1][0]),
        ("targets", targets, buckets[-1][1]),
        ("weights", weights, buckets[-1][1]),
    ):
        if len(found) < wanted:
            raise ValueError(
                f"Length of {what} ({len(found)}) must be at least that of last bucket ({wanted})."
            )
    loss = sequence_loss_by_example if per_example_loss else sequence_loss
    outputs, losses = [], []
    all_inputs = encoder_inputs + decoder_inputs + targets + weights
    with ops.name_scope(name, "model_with_buckets", all_inputs):
        for i, (source, target) in enumerate(buckets):
            with vs.variable_scope(vs.get_variable_scope(), reuse=True if i > 0 else None):
                found, _ = seq2seq(encoder_inputs[:source], decoder_inputs[:target])
                outputs.append(found)
                losses.append(
                    loss(
                        found, targets[:target], weights[:target],
                        softmax_loss_function=softmax_loss_function,
                    )
                )  # fmt: skip
    return outputs, losses
