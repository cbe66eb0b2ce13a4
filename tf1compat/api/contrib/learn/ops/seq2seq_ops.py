"""`tensorflow.contrib.learn.python.learn.ops.seq2seq_ops`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.rnn import rnn
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name

_INSTEAD = "Please use tf.nn/tf.layers directly."


@deprecated(None, _INSTEAD)
def sequence_classifier(
    decoding: Sequence[Any], labels: Sequence[Any], sampling_decoding: Sequence[Any] | None = None,
    name: Name = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Probabilities of what is at each step of a sequence, and the cross entropy of all.

    Args:
      decoding: the logits of each step.
      labels: what should come out.
      sampling_decoding: logits to predict from, in place of `decoding`.
      name: the name of the scope.
    """
    with ops.name_scope(name, "sequence_classifier", [decoding, labels]):
        predictions, losses = [], []
        for step, logits in enumerate(decoding):
            losses.append(
                nn_ops.softmax_cross_entropy_with_logits(
                    labels=labels[step], logits=logits, name=f"sequence_loss/xent_raw{step}"
                )
            )
            predictions.append(nn_ops.softmax((sampling_decoding or decoding)[step]))
        total = math_ops.add_n(losses, name="sequence_loss/xent")
        loss = math_ops.reduce_sum(total, name="sequence_loss")
        return array_ops.stack(predictions, axis=1), loss


@deprecated(None, _INSTEAD)
def seq2seq_inputs(
    x: Any, y: Any, input_length: int, output_length: int, sentinel: Any = None, name: Name = None
) -> tuple[list[Tensor], list[Any], list[Any]]:
    """Sequences as lists of steps.

    Args:
      x, y: the inputs and the outputs, [batch, time, …].
      input_length, output_length: not looked at.
      sentinel: what the decoder begins with, and ends with; zeros by default.
      name: the name of the scope.

    Returns:
      What goes into the encoder and into the decoder, and what should come out.
    """
    with ops.name_scope(name, "seq2seq_inputs", [x, y]):
        inputs, outputs = array_ops.unstack(x, axis=1), array_ops.unstack(y, axis=1)
        if not sentinel:
            shape = [array_ops.shape(x)[0], outputs[0].shape[1]]
            sentinel = array_ops.zeros(array_ops.stack(shape))
            sentinel.set_shape(outputs[0].shape)
        return inputs, [sentinel, *outputs], [*outputs, sentinel]


@deprecated(None, _INSTEAD)
def rnn_decoder(
    decoder_inputs: Sequence[Any], initial_state: Any, cell: Any, scope: Any = None
) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Runs a cell over inputs, and once more over its own outputs.

    Args:
      decoder_inputs: what goes in at each step.
      initial_state: the state before.
      cell: the cell.
      scope: the variable scope; "dnn_decoder" by default.

    Returns:
      Outputs and states of the first, and of the second.
    """
    with variable_scope.variable_scope(scope or "dnn_decoder"):
        states, outputs = [initial_state], []
        with ops.name_scope("training", values=[decoder_inputs, initial_state]):
            for step, value in enumerate(decoder_inputs):
                if step:
                    variable_scope.get_variable_scope().reuse_variables()
                output, state = cell(value, states[-1])
                outputs.append(output)
                states.append(state)
        sampled_states, sampled = [initial_state], []
        with ops.name_scope("sampling", values=[initial_state]):
            for step, _ in enumerate(decoder_inputs):
                if step:
                    output, state = cell(sampled[-1], sampled_states[-1])
                else:
                    output, state = outputs[0], states[0]
                sampled.append(output)
                sampled_states.append(state)
    return outputs, states, sampled, sampled_states


@deprecated(None, _INSTEAD)
def rnn_seq2seq(
    encoder_inputs: Sequence[Any], decoder_inputs: Sequence[Any], encoder_cell: Any,
    decoder_cell: Any = None, dtype: DTypeLike = dtypes.float32, scope: Any = None,
) -> tuple[list[Any], list[Any], list[Any], list[Any]]:  # fmt: skip
    """An encoder whose last state a decoder begins with.

    Args:
      encoder_inputs, decoder_inputs: what goes in at each step.
      encoder_cell, decoder_cell: the cells; the decoder's is the encoder's by default.
      dtype: the dtype of the encoder's first state.
      scope: the variable scope; "rnn_seq2seq" by default.

    Returns:
      What `rnn_decoder` returns.
    """
    with variable_scope.variable_scope(scope or "rnn_seq2seq"):
        _, state = rnn.static_rnn(encoder_cell, encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, decoder_cell or encoder_cell)
