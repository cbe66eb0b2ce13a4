"""Mechanisms of attention: which parts of a memory a query looks at.

Luong et al., "Effective Approaches to Attention-based Neural Machine Translation", 2015; Bahdanau
et al., "Neural Machine Translation by Jointly Learning to Align and Translate", 2014; Raffel et
al., "Online and Linear-Time Attention by Enforcing Monotonic Alignments", 2017. Found, as in TF, in
`tensorflow.contrib.seq2seq.python.ops.attention_wrapper`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import functional_ops
from tf1compat.api.layers import base as layers_base
from tf1compat.api.layers import core as layers_core
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops, random_ops
from tf1compat.api.rnn.rnn_cell_impl import _zero_state_tensors
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("contrib.seq2seq.AttentionMechanism")
class AttentionMechanism:
    """Base class of mechanisms."""

    @property
    def alignments_size(self) -> Any:
        """How many parts the memory has."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """The size of the mechanism's state."""
        raise NotImplementedError


_ONE_OF_BOTH = "memory_sequence_length and memory_mask can't be provided at same time."


def _prepare_memory(
    memory: Any, memory_sequence_length: Any = None, memory_mask: Any = None,
    check_inner_dims_defined: bool = True,
) -> Any:  # fmt: skip
    """The memory with zeros after the ends of its sequences, or outside a mask.

    Raises:
      ValueError: a size is unknown, other than batch and time; or there are lengths and a mask.
    """
    memory = nest.map_structure(lambda m: ops.convert_to_tensor(m, name="memory"), memory)
    if memory_sequence_length is not None and memory_mask is not None:
        raise ValueError(_ONE_OF_BOTH)
    if memory_sequence_length is not None:
        memory_sequence_length = ops.convert_to_tensor(
            memory_sequence_length, name="memory_sequence_length"
        )
    if check_inner_dims_defined:
        for m in nest.flatten(memory):
            if not m.get_shape()[2:].is_fully_defined():
                raise ValueError(
                    f"Expected memory {m.name} to have fully defined inner dims, but saw shape: "
                    f"{m.get_shape()}"
                )
    if memory_sequence_length is None and memory_mask is None:
        return memory
    first = nest.flatten(memory)[0]
    if memory_sequence_length is not None:
        mask = array_ops.sequence_mask(
            memory_sequence_length, maxlen=array_ops.shape(first)[1], dtype=first.dtype
        )
    else:
        mask = math_ops.cast(memory_mask, dtype=first.dtype)

    def masked(m: Tensor) -> Tensor:
        rank = m.get_shape().ndims
        extra_ones = array_ops.ones(
            (rank if rank is not None else array_ops.rank(m)) - 2, dtype=dtypes.int32
        )
        shape = array_ops.concat((array_ops.shape(mask), extra_ones), 0)
        return m * array_ops.reshape(mask, shape)

    return nest.map_structure(masked, memory)


def _maybe_mask_score(
    score: Tensor, memory_sequence_length: Any = None, memory_mask: Any = None,
    score_mask_value: Any = None,
) -> Tensor:  # fmt: skip
    if memory_sequence_length is None and memory_mask is None:
        return score
    if memory_sequence_length is not None:
        if memory_mask is not None:
            raise ValueError(_ONE_OF_BOTH)
        message = "All values in memory_sequence_length must be greater than zero."
        with ops.control_dependencies(
            [check_ops.assert_positive(memory_sequence_length, message=message)]
        ):
            memory_mask = array_ops.sequence_mask(
                memory_sequence_length, maxlen=array_ops.shape(score)[1]
            )
    return array_ops.where(memory_mask, score, score_mask_value * array_ops.ones_like(score))


class _BaseAttentionMechanism(AttentionMechanism):
    """A memory, and how scores become alignments.

    Args:
      query_layer: a `tf.layers.Layer` for the queries; or None.
      memory_layer: one for the memory, which gives the keys.
      memory: floats [batch, time, ...].
      probability_fn: `(scores, state) -> alignments`.
      memory_sequence_length: the lengths of the sequences in the memory, ints [batch]; or None.
      check_inner_dims_defined: whether the memory's sizes must be known, but for batch and time.
      score_mask_value: the score after the ends; minus infinity by default.
      custom_key_value_fn: `(keys, values) -> (keys, values)`; or None.
      name: the name scope.

    Raises:
      TypeError: an argument has a wrong type.
      ValueError: a size of the memory is unknown.
    """

    def __init__(
        self, query_layer: Any, memory: Any, probability_fn: Any,
        memory_sequence_length: Any = None, memory_layer: Any = None,
        check_inner_dims_defined: bool = True, score_mask_value: Any = None,
        custom_key_value_fn: Any = None, name: Name = None,
    ):  # fmt: skip
        for what, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not isinstance(layer, layers_base.Layer):
                raise TypeError(f"{what} is not a Layer: {type(layer).__name__}")
        self._query_layer: Any = query_layer
        self._memory_layer: Any = memory_layer
        self.dtype = memory_layer.dtype
        if not callable(probability_fn):
            raise TypeError(
                f"probability_fn must be callable, saw type: {type(probability_fn).__name__}"
            )
        if score_mask_value is None:
            score_mask_value = dtypes.as_dtype(self.dtype).as_numpy_dtype(-np.inf)

        def probability(score: Any, state: Any) -> Any:
            masked = _maybe_mask_score(
                score, memory_sequence_length, score_mask_value=score_mask_value
            )
            return probability_fn(masked, state)

        self._probability_fn = probability
        with ops.name_scope(name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self._values = _prepare_memory(
                memory, memory_sequence_length, check_inner_dims_defined=check_inner_dims_defined
            )
            self._keys = self._memory_layer(self._values) if self._memory_layer else self._values
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            shape = self._keys.shape
            self._batch_size = dimension_value(shape[0]) or array_ops.shape(self._keys)[0]
            self._alignments_size = dimension_value(shape[1]) or array_ops.shape(self._keys)[1]

    memory_layer = attribute("_memory_layer", "The layer of the memory.")
    query_layer = attribute("_query_layer", "The layer of the queries, or None.")
    values = attribute("_values", "The memory [batch, time, ...].")
    keys = attribute("_keys", "The memory after its layer.")
    batch_size = attribute("_batch_size", "The memory's batch size, an int or a scalar tensor.")
    alignments_size = attribute(
        "_alignments_size", "How many parts the memory has, an int or a scalar tensor."
    )
    state_size = attribute("_alignments_size", "The state is the alignments before.")

    def initial_alignments(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """The first alignments: zeros [batch_size, alignments_size]."""
        return _zero_state_tensors(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """The first state: the first alignments."""
        return self.initial_alignments(batch_size, dtype)


def _luong_score(query: Tensor, keys: Tensor, scale: Any) -> Tensor:
    depth = query.get_shape()[-1]
    key_units = keys.get_shape()[-1]
    if depth != key_units:
        raise ValueError(
            "Incompatible or unknown inner dimensions between query and keys.  "
            f"Query ({query}) has units: {depth}.  Keys ({keys}) have units: {key_units}.  "
            "Perhaps you need to set num_units to the keys' dimension "
            f"({key_units})?"
        )
    score = math_ops.matmul(array_ops.expand_dims(query, 1), keys, transpose_b=True)
    score = array_ops.squeeze(score, [1])
    return score if scale is None else scale * score


def _bahdanau_score(
    processed_query: Tensor, keys: Tensor, attention_v: Any, attention_g: Any = None,
    attention_b: Any = None,
) -> Tensor:  # fmt: skip
    query = array_ops.expand_dims(processed_query, 1)
    if attention_g is None or attention_b is None:
        return math_ops.reduce_sum(attention_v * math_ops.tanh(keys + query), [2])
    normed_v = (
        attention_g
        * attention_v
        * math_ops.rsqrt(math_ops.reduce_sum(math_ops.square(attention_v)))
    )
    return math_ops.reduce_sum(normed_v * math_ops.tanh(keys + query + attention_b), [2])


def _dense(num_units: int, name: str, dtype: DTypeLike) -> layers_core.Dense:
    return layers_core.Dense(num_units, name=name, use_bias=False, dtype=dtype)


def _stateless(probability_fn: Any) -> Callable[[Any, Any], Any]:
    if probability_fn is None:
        probability_fn = nn_ops.softmax
    return lambda score, _: probability_fn(score)


class _Luong(_BaseAttentionMechanism):
    """Luong's score: the product of query and key."""

    _scale: bool

    def _score(self, query: Tensor) -> Tensor:
        attention_g = None
        if self._scale:
            attention_g = vs.get_variable(
                "attention_g", dtype=query.dtype, initializer=init_ops.ones_initializer, shape=()
            )
        return _luong_score(query, self._keys, attention_g)


class _Bahdanau(_BaseAttentionMechanism):
    """Bahdanau's score: a hyperbolic tangent of the sum of query and key, weighted."""

    _num_units: Any
    _normalize: bool

    def _score(self, query: Tensor) -> Tensor:
        processed = self.query_layer(query) if self.query_layer else query
        self._processed_dtype = processed.dtype
        attention_v = vs.get_variable("attention_v", [self._num_units], dtype=query.dtype)
        attention_g = attention_b = None
        if self._normalize:
            attention_g = vs.get_variable(
                "attention_g", dtype=query.dtype, shape=(),
                initializer=init_ops.constant_initializer(math.sqrt(1.0 / self._num_units)),
            )  # fmt: skip
            attention_b = vs.get_variable(
                "attention_b", [self._num_units], dtype=query.dtype,
                initializer=init_ops.zeros_initializer(),
            )  # fmt: skip
        return _bahdanau_score(processed, self._keys, attention_v, attention_g, attention_b)


@tf_export("contrib.seq2seq.LuongAttention")
class LuongAttention(_Luong):
    """Luong's attention.

    Args:
      num_units: the size of queries and keys.
      memory: floats [batch, time, ...].
      memory_sequence_length: the lengths of the sequences in the memory, ints [batch]; or None.
      scale: whether a variable scales the scores.
      probability_fn: `scores -> alignments`, softmax by default.
      score_mask_value: the score after the ends; minus infinity by default.
      dtype: of the layers; float32 by default.
      custom_key_value_fn: `(keys, values) -> (keys, values)`; or None.
      name: the name scope.
    """

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        probability_fn: Any = None, score_mask_value: Any = None, dtype: DTypeLike | None = None,
        custom_key_value_fn: Any = None, name: Name = "LuongAttention",
    ):  # fmt: skip
        super().__init__(
            query_layer=None,
            memory_layer=_dense(num_units, "memory_layer", dtype or dtypes.float32),
            memory=memory,
            probability_fn=_stateless(probability_fn),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            custom_key_value_fn=custom_key_value_fn,
            name=name,
        )
        self._num_units = num_units
        self._scale = scale
        self._name = name

    def __call__(self, query: Any, state: Any) -> Any:
        """Aligns.

        Args:
          query: floats [batch, num_units].
          state: the state before.

        Returns:
          (alignments [batch, alignments_size], next state).
        """
        with vs.variable_scope(None, "luong_attention", [query]):
            score = self._score(query)
        alignments = self._probability_fn(score, state)
        return alignments, alignments


@tf_export("contrib.seq2seq.BahdanauAttention")
class BahdanauAttention(_Bahdanau):
    """Bahdanau's attention.

    Args:
      num_units: the size in which queries and keys are compared.
      memory: floats [batch, time, ...].
      memory_sequence_length: the lengths of the sequences in the memory, ints [batch]; or None.
      normalize: whether the weights are normalized.
      probability_fn: `scores -> alignments`, softmax by default.
      score_mask_value: the score after the ends; minus infinity by default.
      dtype: of the layers; float32 by default.
      custom_key_value_fn: `(keys, values) -> (keys, values)`; or None.
      name: the name scope.
    """

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None,
        normalize: bool = False, probability_fn: Any = None, score_mask_value: Any = None,
        dtype: DTypeLike | None = None, custom_key_value_fn: Any = None,
        name: Name = "BahdanauAttention",
    ):  # fmt: skip
        dtype = dtype or dtypes.float32
        super().__init__(
            query_layer=_dense(num_units, "query_layer", dtype),
            memory_layer=_dense(num_units, "memory_layer", dtype),
            memory=memory,
            probability_fn=_stateless(probability_fn),
            custom_key_value_fn=custom_key_value_fn,
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            name=name,
        )
        self._num_units = num_units
        self._normalize = normalize
        self._name = name

    def __call__(self, query: Any, state: Any) -> Any:
        """Aligns.

        Args:
          query: floats [batch, size].
          state: the state before.

        Returns:
          (alignments [batch, alignments_size], next state).
        """
        with vs.variable_scope(None, "bahdanau_attention", [query]):
            score = self._score(query)
        alignments = self._probability_fn(score, state)
        return alignments, alignments


@tf_export("contrib.seq2seq.safe_cumprod")
def safe_cumprod(x: TensorLike, *args: Any, **kwargs: Any) -> Tensor:
    """The cumulative product of numbers in [0, 1], as a sum of logarithms.

    Args:
      x: floats.
      *args, **kwargs: as in `tf.cumsum`.

    Returns:
      A tensor of the shape and dtype of `x`.
    """
    with ops.name_scope(None, "SafeCumprod", [x]):
        x = ops.convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        logs = math_ops.log(clip_ops.clip_by_value(x, tiny, 1))
        return math_ops.exp(math_ops.cumsum(logs, *args, **kwargs))


@tf_export("contrib.seq2seq.monotonic_attention")
def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: str) -> Tensor:
    """Attention that never moves backwards.

    Args:
      p_choose_i: the probabilities of stopping at each part, floats [batch, time].
      previous_attention: the alignments before, floats [batch, time].
      mode: "recursive" (exact, slow), "parallel" (of cumulative products) or "hard" (where the
        probabilities are 0 or 1).

    Returns:
      The alignments, floats [batch, time].

    Raises:
      ValueError: an unknown mode.
    """
    p_choose_i = ops.convert_to_tensor(p_choose_i, name="p_choose_i")
    previous_attention = ops.convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        batch_size = dimension_value(p_choose_i.shape[0]) or array_ops.shape(p_choose_i)[0]
        shifted = array_ops.concat([array_ops.ones((batch_size, 1)), 1 - p_choose_i[:, :-1]], 1)
        passed = functional_ops.scan(
            lambda x, yz: array_ops.reshape(yz[0] * x + yz[1], (batch_size,)),
            [array_ops.transpose(shifted), array_ops.transpose(previous_attention)],
            array_ops.zeros((batch_size,)),
        )
        return p_choose_i * array_ops.transpose(passed)
    if mode == "parallel":
        unchosen = safe_cumprod(1 - p_choose_i, axis=1, exclusive=True)
        return (
            p_choose_i
            * unchosen
            * math_ops.cumsum(
                previous_attention / clip_ops.clip_by_value(unchosen, 1e-10, 1.0), axis=1
            )
        )
    if mode == "hard":
        p_choose_i *= math_ops.cumsum(previous_attention, axis=1)
        return p_choose_i * math_ops.cumprod(1 - p_choose_i, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def _monotonic_probability_fn(
    score: Tensor,
    previous_alignments: Any,
    sigmoid_noise: float,
    mode: str,
    seed: int | None = None,
) -> Tensor:
    if sigmoid_noise > 0:
        shape = array_ops.shape(score)
        score += sigmoid_noise * random_ops.random_normal(shape, dtype=score.dtype, seed=seed)
    hard = mode == "hard"
    chosen = math_ops.cast(score > 0, score.dtype) if hard else math_ops.sigmoid(score)
    return monotonic_attention(chosen, previous_alignments, mode)


class _BaseMonotonicAttentionMechanism(_BaseAttentionMechanism):
    """A mechanism that looks at the first part of the memory at first."""

    def initial_alignments(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """1 for the first part, floats [batch_size, alignments_size]."""
        first = array_ops.zeros((batch_size,), dtype=dtypes.int32)
        return array_ops.one_hot(first, self._alignments_size, dtype=dtype)


@tf_export("contrib.seq2seq.BahdanauMonotonicAttention")
class BahdanauMonotonicAttention(_BaseMonotonicAttentionMechanism, _Bahdanau):
    """Monotonic attention with Bahdanau's score.

    Args:
      num_units, memory, memory_sequence_length, normalize, score_mask_value, dtype, name: as in
        `BahdanauAttention`.
      sigmoid_noise: the standard deviation of what is added to the scores.
      sigmoid_noise_seed: its seed.
      score_bias_init: the first value of the scores' bias.
      mode: as in `monotonic_attention`.
    """

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None,
        normalize: bool = False, score_mask_value: Any = None, sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: Any = None, score_bias_init: Any = 0.0, mode: str = "parallel",
        dtype: DTypeLike | None = None, name: Name = "BahdanauMonotonicAttention",
    ):  # fmt: skip
        dtype = dtype or dtypes.float32
        super().__init__(
            query_layer=_dense(num_units, "query_layer", dtype),
            memory_layer=_dense(num_units, "memory_layer", dtype),
            memory=memory,
            probability_fn=functools.partial(
                _monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode,
                seed=sigmoid_noise_seed,
            ),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            name=name,
        )  # fmt: skip
        self._num_units = num_units
        self._normalize = normalize
        self._name = name
        self._score_bias_init = score_bias_init

    def __call__(self, query: Any, state: Any) -> Any:
        """Aligns.

        Args:
          query: floats [batch, size].
          state: the alignments before.

        Returns:
          (alignments [batch, alignments_size], next state).
        """
        with vs.variable_scope(None, "bahdanau_monotonic_attention", [query]):
            score = self._score(query)
            score += vs.get_variable(
                "attention_score_bias", dtype=self._processed_dtype,
                initializer=self._score_bias_init,
            )  # fmt: skip
        alignments = self._probability_fn(score, state)
        return alignments, alignments


@tf_export("contrib.seq2seq.LuongMonotonicAttention")
class LuongMonotonicAttention(_BaseMonotonicAttentionMechanism, _Luong):
    """Monotonic attention with Luong's score.

    Args:
      num_units, memory, memory_sequence_length, scale, score_mask_value, dtype, name: as in
        `LuongAttention`.
      sigmoid_noise: the standard deviation of what is added to the scores.
      sigmoid_noise_seed: its seed.
      score_bias_init: the first value of the scores' bias.
      mode: as in `monotonic_attention`.
    """

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        score_mask_value: Any = None, sigmoid_noise: float = 0.0, sigmoid_noise_seed: Any = None,
        score_bias_init: Any = 0.0, mode: str = "parallel", dtype: DTypeLike | None = None,
        name: Name = "LuongMonotonicAttention",
    ):  # fmt: skip
        super().__init__(
            query_layer=None,
            memory_layer=_dense(num_units, "memory_layer", dtype or dtypes.float32),
            memory=memory,
            probability_fn=functools.partial(
                _monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode,
                seed=sigmoid_noise_seed,
            ),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            name=name,
        )  # fmt: skip
        self._num_units = num_units
        self._scale = scale
        self._score_bias_init = score_bias_init
        self._name = name

    def __call__(self, query: Any, state: Any) -> Any:
        """Aligns.

        Args:
          query: floats [batch, num_units].
          state: the alignments before.

        Returns:
          (alignments [batch, alignments_size], next state).
        """
        with vs.variable_scope(None, "luong_monotonic_attention", [query]):
            score = self._score(query)
            score += vs.get_variable(
                "attention_score_bias", dtype=query.dtype, initializer=self._score_bias_init
            )
        alignments = self._probability_fn(score, state)
        return alignments, alignments


@tf_export("contrib.seq2seq.hardmax")
def hardmax(logits: TensorLike, name: Name = None) -> Tensor:
    """1 at the largest of the last dimension, else 0.

    Args:
      logits: floats [..., size].
      name: the name scope.

    Returns:
      A tensor like `logits`.
    """
    with ops.name_scope(name, "Hardmax", [logits]):
        logits = ops.convert_to_tensor(logits, name="logits")
        depth = dimension_value(logits.get_shape()[-1])
        if depth is None:
            depth = array_ops.shape(logits)[-1]
        return array_ops.one_hot(math_ops.argmax(logits, -1), depth, dtype=logits.dtype)
