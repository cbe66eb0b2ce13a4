"""Helpers: they sample a decoder's outputs and choose its next inputs
(`tensorflow.contrib.seq2seq.python.ops.helper`)."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops
from tf1compat.api.random import random_ops
from tf1compat.api.rnn.rnn import _transpose_batch_time
from tf1compat.core import dtypes, nest, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, Name, TensorLike

__all__ = [
    "CustomHelper",
    "GreedyEmbeddingHelper",
    "Helper",
    "InferenceHelper",
    "SampleEmbeddingHelper",
    "ScheduledEmbeddingTrainingHelper",
    "ScheduledOutputTrainingHelper",
    "TrainingHelper",
]


def _call_sampler(
    sample_n_fn: Callable[[Any], Tensor], sample_shape: TensorLike, name: Name = None
) -> Tensor:
    """Samples of shape `sample_shape + event shape` from a function of the number of samples."""
    with ops.name_scope(name, "call_sampler", values=[sample_shape]):
        sizes = ops.convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
        # A scalar becomes a vector of one size.
        is_scalar = math_ops.cast(math_ops.equal(array_ops.rank(sizes), 0), dtypes.int32)
        padded = array_ops.pad(array_ops.shape(sizes), [[is_scalar, 0]], constant_values=1)
        sizes = array_ops.reshape(sizes, padded)
        samples = sample_n_fn(math_ops.reduce_prod(sizes))
        shape = array_ops.concat([sizes, array_ops.shape(samples)[1:]], 0)
        return array_ops.reshape(samples, shape)


def _repeated(n: TensorLike, batch_shape: Tensor) -> Tensor:
    """The shape of `n` samples of each of a batch."""
    return array_ops.concat([[n], batch_shape], 0)


def bernoulli_sample(
    probs: Any = None, logits: TensorLike | None = None, dtype: Any = dtypes.int32,
    sample_shape: TensorLike = (),
    seed: Any = None,
) -> Tensor:  # fmt: skip
    """Samples of a Bernoulli distribution.

    Args:
      probs: the probabilities of 1; or None.
      logits: their logits, where there are no probabilities.
      dtype: of the samples.
      sample_shape: the shape of samples from each distribution.
      seed: as in `tf.random_uniform`.

    Returns:
      A tensor `sample_shape + shape of probs`.
    """
    if probs is None:
        probs = math_ops.sigmoid(logits, name="probs")
    else:
        probs = ops.convert_to_tensor(probs, name="probs")
    batch_shape = array_ops.shape(probs)

    def draw(n: Any) -> Tensor:
        uniform = random_ops.random_uniform(_repeated(n, batch_shape), dtype=probs.dtype, seed=seed)
        return math_ops.cast(uniform < probs, dtype)

    return _call_sampler(draw, sample_shape)


def categorical_sample(
    logits: TensorLike,
    dtype: DTypeLike = dtypes.int32,
    sample_shape: TensorLike = (),
    seed: int | None = None,
) -> Tensor:
    """Samples of a categorical distribution.

    Args:
      logits: floats [..., classes].
      dtype: of the samples.
      sample_shape: the shape of samples from each distribution.
      seed: as in `tf.multinomial`.

    Returns:
      A tensor `sample_shape + shape of logits without classes`.
    """
    logits = ops.convert_to_tensor(logits, name="logits")
    event_size = array_ops.shape(logits)[-1]
    batch_shape = array_ops.shape(logits)[:-1]

    ids_dtype = dtypes.int64 if logits.dtype.size > 4 else dtypes.int32

    def draw(n: TensorLike) -> Tensor:
        is_matrix = logits.shape.ndims == 2
        matrix = logits if is_matrix else array_ops.reshape(logits, [-1, event_size])
        ids = array_ops.transpose(random_ops.multinomial(matrix, n, seed, output_dtype=ids_dtype))
        return math_ops.cast(array_ops.reshape(ids, _repeated(n, batch_shape)), dtype)

    return _call_sampler(draw, sample_shape)


def _unstack_ta(inp: Tensor) -> tensor_array_ops.TensorArray:
    return tensor_array_ops.TensorArray(
        dtype=inp.dtype, size=array_ops.shape(inp)[0], element_shape=inp.get_shape()[1:]
    ).unstack(inp)


def start_and_end(start_tokens: Any, end_token: Any) -> list[Tensor]:
    """The ids that begin and end sequences, int32 [batch] and a scalar."""
    given = {"start_tokens": start_tokens, "end_token": end_token}
    tokens = [
        ops.convert_to_tensor(value, dtype=dtypes.int32, name=name) for name, value in given.items()
    ]
    for name, token, (ndims, kind) in zip(given, tokens, ((1, "vector"), (0, "scalar"))):
        if token.get_shape().ndims != ndims:
            raise ValueError(f"{name} must be a {kind}")
    return tokens


def embedding_function(embedding: Any) -> Callable[[Any], Any]:
    """What embeds ids: the function that is given, or one that looks them up."""
    return embedding if callable(embedding) else looks_up(embedding)


def looks_up(embedding: Any) -> Callable[[Any], Any]:
    """A function that looks ids up in what `tf.nn.embedding_lookup` takes."""
    return lambda ids: embedding_ops.embedding_lookup(embedding, ids)


def _check_probability(probability: Tensor) -> None:
    shape = probability.get_shape()
    if shape.ndims not in (0, 1):
        raise ValueError(
            f"sampling_probability must be either a scalar or a vector. saw shape: {shape}"
        )


def _mixed(
    base: Tensor, sampled_at: Tensor, not_sampled_at: Tensor, sample: Callable[[], Any]
) -> Tensor:
    """Rows of `base`, and in their places those that were sampled.

    Args:
      base: a tensor [batch, ...].
      sampled_at, not_sampled_at: which rows, int32 [n, 1].
      sample: gives what stands in place of the former.
    """
    kept = array_ops.gather_nd(base, not_sampled_at)
    sampled = sample()
    shape = array_ops.shape(base)
    return array_ops.scatter_nd(
        indices=sampled_at, updates=sampled, shape=shape
    ) + array_ops.scatter_nd(indices=not_sampled_at, updates=kept, shape=shape)


def with_samples_embedded(
    finished: Tensor, base: Tensor, sample_ids: Tensor, embedding_fn: Callable[[Any], Any]
) -> Tensor:
    """The given inputs, and embedded samples where there are some (not -1).

    Args:
      finished: which sequences are finished, bools [batch]; if all are, nothing is embedded.
      base: the given inputs, [batch, ...].
      sample_ids: int32 [batch].
      embedding_fn: embeds ids.
    """

    def mixed() -> Tensor:
        sampled_at = math_ops.cast(array_ops.where(sample_ids > -1), dtypes.int32)
        not_sampled_at = math_ops.cast(array_ops.where(sample_ids <= -1), dtypes.int32)
        sampled = array_ops.gather_nd(sample_ids, sampled_at)
        return _mixed(base, sampled_at, not_sampled_at, lambda: embedding_fn(sampled))

    return control_flow_ops.cond(math_ops.reduce_all(finished), lambda: base, mixed)


def _with_auxiliary(outputs: Any, arrays: Any, time: Any, rows: TensorLike | None = None) -> Any:
    """Outputs with what a TensorArray says of the next step appended, if there is one."""
    if arrays is None:
        return outputs
    next_time = time + 1
    auxiliary = nest.map_structure(lambda array: array.read(next_time), arrays)
    if rows is not None:
        auxiliary = array_ops.gather_nd(auxiliary, rows)
    return nest.map_structure(lambda x, y: array_ops.concat((x, y), -1), outputs, auxiliary)


def with_outputs_sampled(
    finished: Tensor, base: Tensor, sample_ids: Tensor, outputs: Any, time: Any,
    next_inputs_fn: Any = None, auxiliary_tas: Any = None,
) -> Tensor:  # fmt: skip
    """The given inputs, and outputs in their places where samples say so.

    Args:
      finished: which sequences are finished, bools [batch]; if all are, `base` is what is given.
      base: the given inputs, [batch, ...].
      sample_ids: where outputs are inputs, numbers [batch].
      outputs: those of the step.
      time: its number.
      next_inputs_fn: applied to outputs that become inputs; or None.
      auxiliary_tas: TensorArrays of what is appended to them; or None.
    """
    sample_ids = math_ops.cast(sample_ids, dtypes.bool)

    def mixed() -> Tensor:
        if next_inputs_fn is None:
            return array_ops.where(sample_ids, _with_auxiliary(outputs, auxiliary_tas, time), base)
        sampled_at = math_ops.cast(array_ops.where(sample_ids), dtypes.int32)
        not_sampled_at = math_ops.cast(
            array_ops.where(math_ops.logical_not(sample_ids)), dtypes.int32
        )
        sampled = array_ops.gather_nd(outputs, sampled_at)
        return _mixed(
            base,
            sampled_at,
            not_sampled_at,
            lambda: _with_auxiliary(next_inputs_fn(sampled), auxiliary_tas, time, sampled_at),
        )

    all_finished = math_ops.reduce_all(finished)
    no_samples = math_ops.logical_not(math_ops.reduce_any(sample_ids))
    return control_flow_ops.cond(math_ops.logical_or(all_finished, no_samples), lambda: base, mixed)


@tf_export("contrib.seq2seq.Helper")
class Helper(metaclass=abc.ABCMeta):
    """What a `BasicDecoder` asks for samples and inputs."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """The batch size, a scalar tensor."""
        raise NotImplementedError("batch_size has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_shape(self) -> Any:
        """The shape of a sample, without batch: a TensorShape."""
        raise NotImplementedError("sample_ids_shape has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
        raise NotImplementedError("sample_ids_dtype has not been implemented")

    @abc.abstractmethod
    def initialize(self, name: Name = None) -> Any:
        """Returns (finished, first inputs)."""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any, name: Name = None) -> Any:
        """Returns the samples of a step's outputs."""

    @abc.abstractmethod
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: Name = None
    ) -> Any:
        """Returns (finished, next inputs, next state)."""


@tf_export("contrib.seq2seq.CustomHelper")
class CustomHelper(Helper):
    """A helper of functions.

    Args:
      initialize_fn: `() -> (finished, first inputs)`.
      sample_fn: `(time, outputs, state) -> samples`.
      next_inputs_fn: `(time, outputs, state, sample_ids) -> (finished, next inputs, next state)`.
      sample_ids_shape: the shape of a sample; scalar by default.
      sample_ids_dtype: its dtype; int32 by default.
    """

    def __init__(
        self, initialize_fn: Any, sample_fn: Any, next_inputs_fn: Any, sample_ids_shape: Any = None,
        sample_ids_dtype: Any = None,
    ):  # fmt: skip
        self._initialize_fn = initialize_fn
        self._sample_fn = sample_fn
        self._next_inputs_fn = next_inputs_fn
        self._batch_size: Any = None
        self._sample_ids_shape = TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or dtypes.int32

    @property
    def batch_size(self) -> Any:
        """The batch size, known after `initialize`."""
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    sample_ids_shape = attribute("_sample_ids_shape", "The shape of a sample.")
    sample_ids_dtype = attribute("_sample_ids_dtype", "The dtype of a sample.")

    def initialize(self, name: Name = None) -> Any:
        """What the function gives."""
        with ops.name_scope(name, f"{type(self).__name__}Initialize"):
            finished, next_inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = array_ops.size(finished)
        return finished, next_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: Name = None) -> Any:
        """What the function gives."""
        with ops.name_scope(name, f"{type(self).__name__}Sample", (time, outputs, state)):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: Name = None
    ) -> Any:
        """What the function gives."""
        with ops.name_scope(name, f"{type(self).__name__}NextInputs", (time, outputs, state)):
            return self._next_inputs_fn(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )


@tf_export("contrib.seq2seq.TrainingHelper")
class TrainingHelper(Helper):
    """A helper whose inputs are given; its samples are the largest of the outputs.

    Args:
      inputs: floats [batch, time, ...]; [time, batch, ...] if `time_major`.
      sequence_length: how many steps each sequence has, ints [batch].
      time_major: whether time comes before batch.
      name: the name scope.

    Raises:
      ValueError: `sequence_length` is no vector.
    """

    def __init__(
        self, inputs: Any, sequence_length: TensorLike, time_major: bool = False, name: Name = None
    ):
        with ops.name_scope(name, "TrainingHelper", [inputs, sequence_length]):
            self._inputs = ops.convert_to_tensor(inputs, name="inputs")
            steps = self._inputs if time_major else _transpose_batch_time(self._inputs)
            self._input_tas = _unstack_ta(steps)
            self._sequence_length = ops.convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.get_shape().ndims != 1:
                raise ValueError(
                    "Expected sequence_length to be a vector, but received shape: "
                    f"{self._sequence_length.get_shape()}"
                )
            self._zero_inputs = array_ops.zeros_like(steps[0, :])
            self._batch_size = array_ops.size(sequence_length)

    inputs = attribute("_inputs", "The inputs.")
    sequence_length = attribute("_sequence_length", "The lengths, ints [batch].")
    batch_size = attribute("_batch_size", "The number of lengths.")

    @property
    def sample_ids_shape(self) -> Any:
        """Scalar."""
        return TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        """int32."""
        return dtypes.int32

    def _read(self, all_finished: Tensor, time: Any) -> Any:
        return control_flow_ops.cond(
            all_finished,
            lambda: self._zero_inputs,
            lambda: self._input_tas.read(time),
        )

    def initialize(self, name: Name = None) -> Any:
        """The inputs of the first step."""
        with ops.name_scope(name, "TrainingHelperInitialize"):
            finished = math_ops.equal(0, self._sequence_length)
            return finished, self._read(math_ops.reduce_all(finished), 0)

    def sample(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, time: Any, outputs: Any, name: Name = None, **unused_kwargs: Any
    ) -> Any:
        """The largest of the outputs, int32 [batch]."""
        with ops.name_scope(name, "TrainingHelperSample", [time, outputs]):
            return math_ops.cast(math_ops.argmax(outputs, axis=-1), dtypes.int32)

    def next_inputs(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, time: Any, outputs: Any, state: Any, name: Name = None, **unused_kwargs: Any
    ) -> Any:
        """The inputs of the next step; zeros once all are finished."""
        with ops.name_scope(name, "TrainingHelperNextInputs", [time, outputs, state]):
            next_time = time + 1
            finished = next_time >= self._sequence_length
            next_inputs = self._read(math_ops.reduce_all(finished), next_time)
            return finished, next_inputs, state


@tf_export("contrib.seq2seq.ScheduledEmbeddingTrainingHelper")
class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """A training helper that sometimes takes an output's sample, embedded, as the next input
    (Bengio et al., "Scheduled Sampling for Sequence Prediction with RNNs", 2015).

    Args:
      inputs, sequence_length, time_major, name: as in `TrainingHelper`.
      embedding: embeds ids: a function, or what `tf.nn.embedding_lookup` takes.
      sampling_probability: how often, a float scalar or vector [batch].
      seed: of the samples.
      scheduling_seed: of the choice between sample and input.

    Raises:
      ValueError: `sampling_probability` is no scalar or vector.
    """

    def __init__(
        self, inputs: Any, sequence_length: TensorLike, embedding: Any, sampling_probability: Any,
        time_major: bool = False, seed: int | None = None, scheduling_seed: Any = None,
        name: Name = None,
    ):  # fmt: skip
        with ops.name_scope(
            name, "ScheduledEmbeddingSamplingWrapper", [embedding, sampling_probability]
        ):
            self._embedding_fn = embedding_function(embedding)
            self._sampling_probability = ops.convert_to_tensor(
                sampling_probability, name="sampling_probability"
            )
            _check_probability(self._sampling_probability)
            self._seed = seed
            self._scheduling_seed = scheduling_seed
            super().__init__(inputs, sequence_length, time_major=time_major, name=name)

    def sample(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, time: Any, outputs: Any, state: Any, name: Name = None
    ) -> Any:
        """Samples where they are the next input, else -1: int32 [batch]."""
        with ops.name_scope(name, "ScheduledEmbeddingTrainingHelperSample", [time, outputs, state]):
            chosen = bernoulli_sample(
                probs=self._sampling_probability, dtype=dtypes.bool,
                sample_shape=self.batch_size, seed=self._scheduling_seed,
            )  # fmt: skip
            return array_ops.where(
                chosen,
                categorical_sample(logits=outputs, seed=self._seed),
                raw_ops.Fill([self.batch_size], -1),
            )

    def next_inputs(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: Name = None
    ) -> Any:
        """The given inputs, and embedded samples where there are some."""
        with ops.name_scope(
            name,
            "ScheduledEmbeddingTrainingHelperNextInputs",
            [time, outputs, state, sample_ids],
        ):
            finished, base, state = super().next_inputs(time, outputs, state, name=name)

            mixed = with_samples_embedded(finished, base, sample_ids, self._embedding_fn)
            return finished, mixed, state


@tf_export("contrib.seq2seq.ScheduledOutputTrainingHelper")
class ScheduledOutputTrainingHelper(TrainingHelper):
    """A training helper that sometimes takes an output itself as the next input.

    Args:
      inputs, sequence_length, time_major, name: as in `TrainingHelper`.
      sampling_probability: how often, a float scalar or vector [batch].
      seed: of the choice between output and input.
      next_inputs_fn: applied to the outputs that become inputs; or None.
      auxiliary_inputs: appended to every input, floats [batch, time, ...] (time first if
        `time_major`); or None.

    Raises:
      ValueError: `sampling_probability` is no scalar or vector.
    """

    def __init__(
        self, inputs: Any, sequence_length: TensorLike, sampling_probability: Any,
        time_major: bool = False, seed: int | None = None, next_inputs_fn: Any = None,
        auxiliary_inputs: Any = None, name: Name = None,
    ):  # fmt: skip
        with ops.name_scope(
            name,
            "ScheduledOutputTrainingHelper",
            [inputs, auxiliary_inputs, sampling_probability],
        ):
            self._sampling_probability = ops.convert_to_tensor(
                sampling_probability, name="sampling_probability"
            )
            _check_probability(self._sampling_probability)
            all_inputs = inputs
            self._auxiliary_input_tas = None
            if auxiliary_inputs is not None:
                inputs = ops.convert_to_tensor(inputs, name="inputs")
                auxiliary_inputs = ops.convert_to_tensor(auxiliary_inputs, name="auxiliary_inputs")
                all_inputs = array_ops.concat((inputs, auxiliary_inputs), -1)
                if not time_major:
                    auxiliary_inputs = _transpose_batch_time(auxiliary_inputs)
                self._auxiliary_input_tas = _unstack_ta(auxiliary_inputs)
            self._seed = seed
            self._next_inputs_fn = next_inputs_fn
            super().__init__(all_inputs, sequence_length, time_major=time_major, name=name)

    def sample(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, time: Any, outputs: Any, state: Any, name: Name = None
    ) -> Any:
        """1 where the output is the next input, else 0: int32 [batch]."""
        with ops.name_scope(name, "ScheduledOutputTrainingHelperSample", [time, outputs, state]):
            return bernoulli_sample(
                probs=self._sampling_probability, sample_shape=self.batch_size, seed=self._seed
            )

    def next_inputs(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: Name = None
    ) -> Any:
        """The given inputs, and outputs where the samples say so."""
        with ops.name_scope(
            name, "ScheduledOutputTrainingHelperNextInputs", [time, outputs, state, sample_ids]
        ):
            finished, base, state = super().next_inputs(time, outputs, state, name=name)
            next_inputs = with_outputs_sampled(
                finished, base, sample_ids, outputs, time,
                self._next_inputs_fn, self._auxiliary_input_tas,
            )  # fmt: skip
            return finished, next_inputs, state


def _check_single(outputs: Any) -> None:
    if not isinstance(outputs, Tensor):
        raise TypeError(f"Expected outputs to be a single Tensor, got: {type(outputs)}")


@tf_export("contrib.seq2seq.GreedyEmbeddingHelper")
class GreedyEmbeddingHelper(Helper):
    """A helper that takes the largest of the outputs, embedded, as the next input.

    Args:
      embedding: embeds ids: a function, or what `tf.nn.embedding_lookup` takes.
      start_tokens: the first ids, int32 [batch].
      end_token: the id that ends a sequence, a scalar int32.

    Raises:
      ValueError: `start_tokens` is no vector or `end_token` no scalar.
    """

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any):
        self._embedding_fn = embedding_function(embedding)
        self._start_tokens, self._end_token = start_and_end(start_tokens, end_token)
        self._batch_size = array_ops.size(start_tokens)
        self._start_inputs = self._embedding_fn(self._start_tokens)

    batch_size = attribute("_batch_size", "The number of first ids.")

    @property
    def sample_ids_shape(self) -> Any:
        """Scalar."""
        return TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        """int32."""
        return dtypes.int32

    def initialize(self, name: Name = None) -> Any:
        """The first ids, embedded."""
        return array_ops.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: Name = None) -> Any:
        """The largest of the outputs, int32 [batch].

        Raises:
          TypeError: `outputs` is no tensor.
        """
        _check_single(outputs)
        return math_ops.argmax(outputs, axis=-1, output_type=dtypes.int32)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: Name = None
    ) -> Any:
        """The samples, embedded."""
        finished = math_ops.equal(sample_ids, self._end_token)
        next_inputs = control_flow_ops.cond(
            math_ops.reduce_all(finished),
            lambda: self._start_inputs,
            lambda: self._embedding_fn(sample_ids),
        )
        return finished, next_inputs, state


@tf_export("contrib.seq2seq.SampleEmbeddingHelper")
class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """A helper that draws from the outputs, as logits, and embeds that.

    Args:
      embedding, start_tokens, end_token: as in `GreedyEmbeddingHelper`.
      softmax_temperature: divides the logits; or None.
      seed: as in `tf.multinomial`.
    """

    def __init__(
        self, embedding: Any, start_tokens: Any, end_token: Any, softmax_temperature: Any = None,
        seed: int | None = None,
    ):  # fmt: skip
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature = softmax_temperature
        self._seed = seed

    def sample(self, time: Any, outputs: Any, state: Any, name: Name = None) -> Any:
        """Draws, int32 [batch].

        Raises:
          TypeError: `outputs` is no tensor.
        """
        _check_single(outputs)
        logits = outputs
        if self._softmax_temperature is not None:
            logits = outputs / self._softmax_temperature
        return categorical_sample(logits=logits, seed=self._seed)


@tf_export("contrib.seq2seq.InferenceHelper")
class InferenceHelper(Helper):
    """A helper that samples with a function and feeds the samples back.

    Args:
      sample_fn: `outputs -> samples`.
      sample_shape: the shape of a sample, without batch.
      sample_dtype: its dtype.
      start_inputs: the first inputs, [batch, ...].
      end_fn: `samples -> finished`, bools [batch].
      next_inputs_fn: `samples -> next inputs`; the samples themselves by default.
    """

    def __init__(
        self, sample_fn: Any, sample_shape: TensorLike, sample_dtype: Any, start_inputs: Any,
        end_fn: Any,
        next_inputs_fn: Any = None,
    ):  # fmt: skip
        self._sample_fn = sample_fn
        self._end_fn = end_fn
        self._sample_shape = TensorShape(sample_shape)
        self._sample_dtype = sample_dtype
        self._next_inputs_fn = next_inputs_fn
        self._batch_size = array_ops.shape(start_inputs)[0]
        self._start_inputs = ops.convert_to_tensor(start_inputs, name="start_inputs")

    batch_size = attribute("_batch_size", "The batch size of the first inputs.")
    sample_ids_shape = attribute("_sample_shape", "The shape of a sample.")
    sample_ids_dtype = attribute("_sample_dtype", "The dtype of a sample.")

    def initialize(self, name: Name = None) -> Any:
        """The first inputs."""
        return array_ops.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: Name = None) -> Any:
        """What the function gives."""
        return self._sample_fn(outputs)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: Name = None
    ) -> Any:
        """The samples, or what a function makes of them."""
        next_inputs = sample_ids
        if self._next_inputs_fn is not None:
            next_inputs = self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), next_inputs, state
