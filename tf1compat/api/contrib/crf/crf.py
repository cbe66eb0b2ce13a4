"""Linear-chain conditional random fields (`tensorflow.contrib.crf.python.ops.crf`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.layers import utils
from tf1compat.api.math import math_ops
from tf1compat.api.rnn import rnn
from tf1compat.api.rnn.rnn_cell_impl import RNNCell
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import dtypes, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import TensorLike

__all__ = [
    "CrfDecodeBackwardRnnCell",
    "CrfDecodeForwardRnnCell",
    "CrfForwardRnnCell",
    "crf_binary_score",
    "crf_decode",
    "crf_log_likelihood",
    "crf_log_norm",
    "crf_multitag_sequence_score",
    "crf_sequence_score",
    "crf_unary_score",
    "viterbi_decode",
]


def _by_length(inputs: Any, single: Callable[[], Any], several: Callable[[], Any]) -> Any:
    """One of two functions: that of sequences of one step, or of more."""
    length = dimension_value(inputs.shape[1]) or array_ops.shape(inputs)[1]
    return utils.smart_cond(pred=math_ops.equal(length, 1), true_fn=single, false_fn=several)


def _zero_if_empty(x: Tensor, sequence_lengths: TensorLike) -> Tensor:
    return array_ops.where(math_ops.less_equal(sequence_lengths, 0), array_ops.zeros_like(x), x)


def _less_one(sequence_lengths: Any) -> Tensor:
    zero = constant_op.constant_v1(0, dtype=sequence_lengths.dtype)
    return math_ops.maximum(zero, sequence_lengths - 1)


def _first_step(inputs: TensorLike) -> Tensor:
    return array_ops.squeeze(array_ops.slice(inputs, [0, 0, 0], [-1, 1, -1]), [1])


def _later_steps(inputs: TensorLike) -> Tensor:
    return array_ops.slice(inputs, [0, 1, 0], [-1, -1, -1])


def _only_tagged(inputs: TensorLike, tag_bitmap: Any) -> Tensor:
    nothing = array_ops.fill(array_ops.shape(inputs), float("-inf"))
    return array_ops.where(tag_bitmap, inputs, nothing)


@tf_export("contrib.crf.crf_sequence_score")
def crf_sequence_score(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any
) -> Tensor:
    """The unnormalized scores of sequences of tags.

    Args:
      inputs: the unary scores, floats [batch, time, tags].
      tag_indices: the tags, ints [batch, time].
      sequence_lengths: ints [batch].
      transition_params: the scores of pairs, floats [tags, tags].

    Returns:
      Floats [batch].
    """

    def single() -> Tensor:
        batch_size = array_ops.shape(inputs, out_type=tag_indices.dtype)[0]
        examples = math_ops.range(batch_size, dtype=tag_indices.dtype)
        examples = array_ops.reshape(examples, [-1, 1])
        scores = array_ops.gather_nd(
            array_ops.squeeze(inputs, [1]), array_ops.concat([examples, tag_indices], axis=1)
        )
        return _zero_if_empty(scores, sequence_lengths)

    def several() -> Tensor:
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        return unary + crf_binary_score(tag_indices, sequence_lengths, transition_params)

    return _by_length(inputs, single, several)


@tf_export("contrib.crf.crf_multitag_sequence_score")
def crf_multitag_sequence_score(
    inputs: TensorLike, tag_bitmap: Any, sequence_lengths: TensorLike, transition_params: TensorLike
) -> Tensor:
    """The unnormalized scores of all the sequences whose tags are allowed.

    Args:
      inputs: the unary scores, floats [batch, time, tags].
      tag_bitmap: which tags are allowed, bools [batch, time, tags].
      sequence_lengths: ints [batch].
      transition_params: the scores of pairs, floats [tags, tags].

    Returns:
      Floats [batch].
    """

    def single() -> Tensor:
        allowed = _only_tagged(inputs, tag_bitmap)
        return math_ops.reduce_logsumexp(allowed, axis=[1, 2], keepdims=False)

    def several() -> Tensor:
        allowed = _only_tagged(inputs, tag_bitmap)
        return crf_log_norm(allowed, sequence_lengths, transition_params)

    return _by_length(inputs, single, several)


@tf_export("contrib.crf.crf_log_norm")
def crf_log_norm(
    inputs: TensorLike, sequence_lengths: TensorLike, transition_params: Any
) -> Tensor:
    """The logarithms of the sums of the exponentials of all sequences' scores.

    Args:
      inputs: the unary scores, floats [batch, time, tags].
      sequence_lengths: ints [batch].
      transition_params: the scores of pairs, floats [tags, tags].

    Returns:
      Floats [batch].
    """
    first_input = _first_step(inputs)

    def single() -> Tensor:
        return _zero_if_empty(math_ops.reduce_logsumexp(first_input, [1]), sequence_lengths)

    def several() -> Tensor:
        rest = _later_steps(inputs)
        cell = CrfForwardRnnCell(transition_params)
        _, alphas = rnn.dynamic_rnn(
            cell=cell, inputs=rest, sequence_length=_less_one(sequence_lengths),
            initial_state=first_input, dtype=dtypes.float32,
        )  # fmt: skip
        return _zero_if_empty(math_ops.reduce_logsumexp(alphas, [1]), sequence_lengths)

    return _by_length(inputs, single, several)


@tf_export("contrib.crf.crf_log_likelihood")
def crf_log_likelihood(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any = None
) -> tuple[Tensor, Any]:
    """The log likelihoods of sequences of tags.

    Args:
      inputs: the unary scores, floats [batch, time, tags].
      tag_indices: the tags, ints [batch, time].
      sequence_lengths: ints [batch].
      transition_params: the scores of pairs, floats [tags, tags]; the variable "transitions" by
        default.

    Returns:
      (floats [batch], the scores of pairs).
    """
    num_tags = dimension_value(inputs.shape[2])
    if transition_params is None:
        transition_params = vs.get_variable("transitions", [num_tags, num_tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    log_norm = crf_log_norm(inputs, sequence_lengths, transition_params)
    return scores - log_norm, transition_params


@tf_export("contrib.crf.crf_unary_score")
def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> Tensor:
    """The sums of the unary scores of sequences of tags.

    Args:
      tag_indices: the tags, ints [batch, time].
      sequence_lengths: ints [batch].
      inputs: the unary scores, floats [batch, time, tags].

    Returns:
      Floats [batch].
    """
    batch_size, steps, num_tags = (array_ops.shape(inputs)[axis] for axis in range(3))
    flat_inputs = array_ops.reshape(inputs, [-1])
    # Where the scores of an example begin among the flat ones, and those of a step in there.
    of_examples = array_ops.expand_dims(math_ops.range(batch_size) * steps * num_tags, 1)
    of_steps = array_ops.expand_dims(math_ops.range(steps) * num_tags, 0)
    begins = of_examples + of_steps
    if tag_indices.dtype == dtypes.int64:
        begins = math_ops.cast(begins, dtypes.int64)
    chosen = array_ops.gather(flat_inputs, array_ops.reshape(begins + tag_indices, [-1]))
    chosen = array_ops.reshape(chosen, [batch_size, steps])
    return math_ops.reduce_sum(chosen * _mask(tag_indices, sequence_lengths), 1)


def _mask(tag_indices: TensorLike, sequence_lengths: TensorLike) -> Tensor:
    return array_ops.sequence_mask(
        sequence_lengths, maxlen=array_ops.shape(tag_indices)[1], dtype=dtypes.float32
    )


@tf_export("contrib.crf.crf_binary_score")
def crf_binary_score(tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """The sums of the scores of neighbours in sequences of tags.

    Args:
      tag_indices: the tags, ints [batch, time].
      sequence_lengths: ints [batch].
      transition_params: the scores of pairs, floats [tags, tags].

    Returns:
      Floats [batch].
    """
    num_tags = transition_params.get_shape()[0]
    num_pairs = array_ops.shape(tag_indices)[1] - 1
    before, after = (array_ops.slice(tag_indices, [0, begin], [-1, num_pairs]) for begin in (0, 1))
    pairs = before * num_tags + after
    scores = array_ops.gather(array_ops.reshape(transition_params, [-1]), pairs)
    ends_inside = array_ops.slice(_mask(tag_indices, sequence_lengths), [0, 1], [-1, -1])
    return math_ops.reduce_sum(scores * ends_inside, 1)


class _TagsCell(RNNCell):
    """A cell whose state has a number for each tag; it has no variables, nor a layer's name."""

    def __init__(self, transition_params: Any):
        self._transition_params = array_ops.expand_dims(transition_params, 0)
        self._num_tags = dimension_value(transition_params.shape[0])

    state_size = attribute("_num_tags", "The number of tags.")
    output_size = attribute("_num_tags", "The number of tags.")

    def _transition_scores(self, state: Any) -> Tensor:
        return array_ops.expand_dims(state, 2) + self._transition_params


@tf_export("contrib.crf.CrfForwardRnnCell")
class CrfForwardRnnCell(_TagsCell):
    """The forward algorithm's step, in logarithms.

    Args:
      transition_params: the scores of pairs, floats [tags, tags].
    """

    def __init__(self, transition_params: TensorLike):
        super().__init__(transition_params)

    def __call__(self, inputs: TensorLike, state: Any, scope: Any = None) -> Any:
        """Adds a step to the sums.

        Args:
          inputs: the unary scores, floats [batch, tags].
          state: the sums so far, floats [batch, tags].
          scope: not used.

        Returns:
          The new sums, twice.
        """
        alphas = inputs + math_ops.reduce_logsumexp(self._transition_scores(state), [1])
        return alphas, alphas


@tf_export("contrib.crf.viterbi_decode")
def viterbi_decode(score: Any, transition_params: TensorLike) -> tuple[list[Any], Any]:
    """The best sequence of tags, in NumPy.

    Args:
      score: the unary scores, an array [time, tags].
      transition_params: the scores of pairs, an array [tags, tags].

    Returns:
      (a list of tags, their score).
    """
    best = score[0]
    before = []
    for step in score[1:]:
        reached = best[:, np.newaxis] + transition_params
        before.append(reached.argmax(0).astype(np.int32))
        best = (step + reached.max(0)).astype(score.dtype)
    tags = [np.argmax(best)]
    for pointers in reversed(before):
        tags.append(pointers[tags[-1]])
    return tags[::-1], np.max(best)


@tf_export("contrib.crf.CrfDecodeForwardRnnCell")
class CrfDecodeForwardRnnCell(_TagsCell):
    """The Viterbi algorithm's step forwards.

    Args:
      transition_params: the scores of pairs, floats [tags, tags].
    """

    def __init__(self, transition_params: TensorLike):
        super().__init__(transition_params)

    def __call__(self, inputs: TensorLike, state: Any, scope: Any = None) -> Any:
        """Goes on from the best tags.

        Args:
          inputs: the unary scores, floats [batch, tags].
          state: the best scores so far, floats [batch, tags].
          scope: not used.

        Returns:
          (the tags before, int32 [batch, tags]; the new best scores).
        """
        scores = self._transition_scores(state)
        new_state = inputs + math_ops.reduce_max(scores, [1])
        pointers = math_ops.argmax(scores, 1)
        return math_ops.cast(pointers, dtype=dtypes.int32), new_state


@tf_export("contrib.crf.CrfDecodeBackwardRnnCell")
class CrfDecodeBackwardRnnCell(RNNCell):
    """The Viterbi algorithm's step backwards.

    Args:
      num_tags: the number of tags.
    """

    def __init__(self, num_tags: Any):
        self._num_tags = num_tags

    @property
    def state_size(self) -> int:
        """1: a tag."""
        return 1

    @property
    def output_size(self) -> int:
        """1: a tag."""
        return 1

    def __call__(self, inputs: TensorLike, state: Any, scope: Any = None) -> Any:
        """Follows the pointers.

        Args:
          inputs: the tags before, int32 [batch, tags].
          state: a tag, int32 [batch, 1].
          scope: not used.

        Returns:
          The tag before, int32 [batch, 1], twice.
        """
        state = array_ops.squeeze(state, axis=[1])
        examples = math_ops.range(array_ops.shape(inputs)[0])
        indices = array_ops.stack([examples, state], axis=1)
        tags = array_ops.expand_dims(raw_ops.GatherNd(inputs, indices), axis=-1)
        return tags, tags


@tf_export("contrib.crf.crf_decode")
def crf_decode(
    potentials: Any, transition_params: TensorLike, sequence_length: TensorLike
) -> tuple[Tensor, Tensor]:
    """The best sequences of tags.

    Args:
      potentials: the unary scores, floats [batch, time, tags].
      transition_params: the scores of pairs, floats [tags, tags].
      sequence_length: ints [batch].

    Returns:
      (the tags, int32 [batch, time], zeros after the end; their scores, floats [batch]).
    """

    def single() -> Any:
        scores = array_ops.squeeze(potentials, [1])
        tags = array_ops.expand_dims(math_ops.argmax(scores, axis=1), 1)
        best = math_ops.reduce_max(scores, axis=1)
        return math_ops.cast(tags, dtype=dtypes.int32), best

    def several() -> Any:
        forward = CrfDecodeForwardRnnCell(transition_params)
        backward = CrfDecodeBackwardRnnCell(dimension_value(potentials.shape[2]))
        first, rest = _first_step(potentials), _later_steps(potentials)
        lengths = _less_one(sequence_length)

        def all_steps(cell: Any, inputs: TensorLike, start: TensorLike) -> Any:
            return rnn.dynamic_rnn(cell, inputs, lengths, start, dtypes.int32)

        pointers, scores = all_steps(forward, rest, first)
        pointers = raw_ops.ReverseSequence(pointers, lengths, seq_dim=1)
        best = math_ops.cast(math_ops.argmax(scores, axis=1), dtype=dtypes.int32)
        last = array_ops.expand_dims(best, axis=-1)
        before, _ = all_steps(backward, pointers, last)
        reverse = array_ops.concat([last, array_ops.squeeze(before, axis=[2])], axis=1)
        tags = raw_ops.ReverseSequence(reverse, sequence_length, seq_dim=1)
        return tags, math_ops.reduce_max(scores, axis=1)

    return _by_length(potentials, single, several)
