"""Samplers: what helpers are to a `BasicDecoder`, to its layer, `BasicDecoderV2`
(`tensorflow.contrib.seq2seq.python.ops.sampler`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.seq2seq import helper
from tf1compat.api.contrib.seq2seq.helper import (
    _call_sampler,  # noqa: F401
    _unstack_ta,
    bernoulli_sample,
    categorical_sample,
)
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.rnn.rnn import _transpose_batch_time
from tf1compat.core import dtypes, nest, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, TensorLike

__all__ = [
    "CustomSampler",
    "GreedyEmbeddingSampler",
    "InferenceSampler",
    "SampleEmbeddingSampler",
    "Sampler",
    "ScheduledEmbeddingTrainingSampler",
    "ScheduledOutputTrainingSampler",
    "TrainingSampler",
]


class Sampler(metaclass=abc.ABCMeta):
    """What a `BasicDecoderV2` asks for samples and inputs."""

    @abc.abstractmethod
    def initialize(self, inputs: Any, **kwargs: Any) -> Any:
        """What the first step gets.

        Args:
          inputs: a tensor, or a structure of tensors.
          **kwargs: what else a sampler needs.

        Returns:
          (finished, first inputs).
        """

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """Returns the samples of a step's outputs."""

    @abc.abstractmethod
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        """Returns (finished, next inputs, next state)."""

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


class _KnowsBatchSize(Sampler):
    """One that knows the batch size once it is initialized."""

    _batch_size: Any = None

    @property
    def batch_size(self) -> Any:
        """The batch size, known after `initialize`."""
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size


class _SamplesIds(_KnowsBatchSize):
    """One whose samples are ids."""

    @property
    def sample_ids_shape(self) -> Any:
        """Scalar."""
        return TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        """int32."""
        return dtypes.int32


class CustomSampler(_KnowsBatchSize):
    """A sampler of functions.

    Args:
      initialize_fn: `(inputs, **kwargs) -> (finished, first inputs)`.
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
        self._sample_ids_shape = TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or dtypes.int32

    sample_ids_shape = attribute("_sample_ids_shape", "The shape of a sample.")
    sample_ids_dtype = attribute("_sample_ids_dtype", "The dtype of a sample.")

    def initialize(self, inputs: Any, **kwargs: Any) -> Any:
        """What the function gives."""
        finished, next_inputs = self._initialize_fn(inputs, **kwargs)
        if self._batch_size is None:
            self._batch_size = array_ops.size(finished)
        return finished, next_inputs

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """What the function gives."""
        return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        """What the function gives."""
        return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


class TrainingSampler(_SamplesIds):
    """A sampler whose inputs are given; its samples are the largest of the outputs.

    Args:
      time_major: whether time comes before batch in the inputs.
    """

    def __init__(self, time_major: bool = False):
        self.time_major = time_major

    def _read(self, finished: Tensor, time: Any) -> Any:
        """The inputs of a step; zeros once all sequences are finished."""
        return control_flow_ops.cond(
            math_ops.reduce_all(finished),
            lambda: self.zero_inputs,
            lambda: nest.map_structure(lambda array: array.read(time), self.input_tas),
        )

    def initialize(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, sequence_length: TensorLike | None = None
    ) -> Any:
        """The inputs of the first step.

        Args:
          inputs: tensors [batch, time, ...]; [time, batch, ...] if `time_major`.
          sequence_length: how many steps each sequence has, ints [batch].

        Returns:
          (finished, first inputs).

        Raises:
          ValueError: there are no lengths, or they are no vector.
        """
        self.inputs = ops.convert_to_tensor(inputs, name="inputs")
        if not self.time_major:
            inputs = nest.map_structure(_transpose_batch_time, inputs)
        self.input_tas = nest.map_structure(_unstack_ta, inputs)
        if sequence_length is None:
            raise ValueError("sequence_length is required for TrainingSampler")
        self.sequence_length = ops.convert_to_tensor(sequence_length, name="sequence_length")
        if self.sequence_length.get_shape().ndims != 1:
            raise ValueError(
                "Expected sequence_length to be a vector, but received shape: "
                f"{self.sequence_length.get_shape()}"
            )
        self.zero_inputs = nest.map_structure(lambda x: array_ops.zeros_like(x[0, :]), inputs)
        self._batch_size = array_ops.size(self.sequence_length)
        finished = math_ops.equal(0, self.sequence_length)
        return finished, self._read(finished, 0)

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """The largest of the outputs, int32 [batch]."""
        return math_ops.cast(math_ops.argmax(outputs, axis=-1), dtypes.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        """The inputs of the next step; zeros once all are finished."""
        next_time = time + 1
        finished = next_time >= self.sequence_length
        return finished, self._read(finished, next_time), state


def _probability(sampling_probability: TensorLike) -> Tensor:
    """A probability as a tensor, which is a scalar or a vector."""
    probability = ops.convert_to_tensor(sampling_probability, name="sampling_probability")
    helper._check_probability(probability)
    return probability


class ScheduledEmbeddingTrainingSampler(TrainingSampler):
    """A training sampler that sometimes takes an output's sample, embedded, as the next input
    (Bengio et al., "Scheduled Sampling for Sequence Prediction with RNNs", 2015).

    Args:
      sampling_probability: how often, a float scalar or vector [batch].
      embedding_fn: embeds ids; None where `initialize` is given an embedding.
      time_major: whether time comes before batch in the inputs.
      seed: of the samples.
      scheduling_seed: of the choice between sample and input.

    Raises:
      ValueError: `sampling_probability` is no scalar or vector, or `embedding_fn` no function.
    """

    def __init__(
        self, sampling_probability: TensorLike, embedding_fn: Any = None, time_major: bool = False,
        seed: int | None = None, scheduling_seed: int | None = None,
    ):  # fmt: skip
        if embedding_fn is not None and not callable(embedding_fn):
            raise ValueError(f"embedding_fn is expected to be callable, got {type(embedding_fn)}")
        self.embedding_fn: Any = embedding_fn
        self.sampling_probability = _probability(sampling_probability)
        self.seed = seed
        self.scheduling_seed = scheduling_seed
        super().__init__(time_major=time_major)

    def initialize(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, sequence_length: TensorLike | None = None, embedding: Any = None
    ) -> Any:
        """The inputs of the first step.

        Args:
          inputs, sequence_length: as in `TrainingSampler.initialize`.
          embedding: what `tf.nn.embedding_lookup` takes, where there is no `embedding_fn`.

        Returns:
          (finished, first inputs).

        Raises:
          ValueError: there is no embedding.
        """
        if self.embedding_fn is None:
            if embedding is None:
                raise ValueError(
                    "embedding is required as a keyword argument for "
                    "ScheduledEmbeddingTrainingSampler"
                )
            self.embedding_fn = helper.looks_up(embedding)
        return super().initialize(inputs, sequence_length=sequence_length)

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """Samples where they are the next input, else -1: int32 [batch]."""
        chosen = bernoulli_sample(
            probs=self.sampling_probability, dtype=dtypes.bool, sample_shape=self.batch_size,
            seed=self.scheduling_seed,
        )  # fmt: skip
        return array_ops.where(
            chosen,
            categorical_sample(logits=outputs, seed=self.seed),
            raw_ops.Fill([self.batch_size], -1),
        )

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        """The given inputs, and embedded samples where there are some."""
        finished, base, state = super().next_inputs(time, outputs, state, sample_ids)
        mixed = helper.with_samples_embedded(finished, base, sample_ids, self.embedding_fn)
        return finished, mixed, state


class ScheduledOutputTrainingSampler(TrainingSampler):
    """A training sampler that sometimes takes an output itself as the next input.

    Args:
      sampling_probability: how often, a float scalar or vector [batch].
      time_major: whether time comes before batch in the inputs.
      seed: of the choice between output and input.
      next_inputs_fn: applied to the outputs that become inputs; or None.

    Raises:
      ValueError: `sampling_probability` is no scalar or vector.
    """

    def __init__(
        self, sampling_probability: TensorLike, time_major: bool = False, seed: int | None = None,
        next_inputs_fn: Any = None,
    ):  # fmt: skip
        self.sampling_probability = _probability(sampling_probability)
        self.seed = seed
        self.next_inputs_fn = next_inputs_fn
        super().__init__(time_major=time_major)

    def initialize(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, sequence_length: TensorLike | None = None, auxiliary_inputs: Any = None
    ) -> Any:
        """The inputs of the first step.

        Args:
          inputs, sequence_length: as in `TrainingSampler.initialize`.
          auxiliary_inputs: appended to every input, shaped like them; or None.

        Returns:
          (finished, first inputs).
        """
        joined = inputs
        self._auxiliary_input_tas = None
        if auxiliary_inputs is not None:
            inputs = ops.convert_to_tensor(inputs)
            auxiliary_inputs = ops.convert_to_tensor(auxiliary_inputs)
            joined = array_ops.concat((inputs, auxiliary_inputs), -1)
            if not self.time_major:
                auxiliary_inputs = _transpose_batch_time(auxiliary_inputs)
            self._auxiliary_input_tas = _unstack_ta(auxiliary_inputs)
        return super().initialize(joined, sequence_length=sequence_length)

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """1 where the output is the next input, else 0: int32 [batch]."""
        return bernoulli_sample(
            probs=self.sampling_probability, sample_shape=self.batch_size, seed=self.seed
        )

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        """The given inputs, and outputs where the samples say so."""
        finished, base, state = super().next_inputs(time, outputs, state, sample_ids)
        next_inputs = helper.with_outputs_sampled(
            finished, base, sample_ids, outputs, time, self.next_inputs_fn,
            self._auxiliary_input_tas,
        )  # fmt: skip
        return finished, next_inputs, state


class GreedyEmbeddingSampler(_SamplesIds):
    """A sampler that takes the largest of the outputs, embedded, as the next input.

    Args:
      embedding_fn: embeds ids; None where `initialize` is given an embedding.

    Raises:
      ValueError: `embedding_fn` is no function.
    """

    def __init__(self, embedding_fn: Any = None):
        if embedding_fn is not None and not callable(embedding_fn):
            raise ValueError(f"embedding_fn is expected to be a callable, got {type(embedding_fn)}")
        self.embedding_fn: Any = embedding_fn

    def initialize(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, embedding: Any, start_tokens: Any = None, end_token: Any = None
    ) -> Any:
        """The first ids, embedded.

        Args:
          embedding: what `tf.nn.embedding_lookup` takes; not used if there is an `embedding_fn`.
          start_tokens: the first ids, int32 [batch].
          end_token: the id that ends a sequence, a scalar int32.

        Returns:
          (finished, first inputs).

        Raises:
          ValueError: `start_tokens` is no vector or `end_token` no scalar.
        """
        if self.embedding_fn is None:
            self.embedding_fn = helper.looks_up(embedding)
        self.start_tokens, self.end_token = helper.start_and_end(start_tokens, end_token)
        self._batch_size = array_ops.size(start_tokens)
        self.start_inputs = self.embedding_fn(self.start_tokens)
        return array_ops.tile([False], [self._batch_size]), self.start_inputs

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """The largest of the outputs, int32 [batch].

        Raises:
          TypeError: `outputs` is no tensor.
        """
        helper._check_single(outputs)
        return math_ops.argmax(outputs, axis=-1, output_type=dtypes.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        """The samples, embedded."""
        finished = math_ops.equal(sample_ids, self.end_token)
        next_inputs = control_flow_ops.cond(
            math_ops.reduce_all(finished),
            lambda: self.start_inputs,
            lambda: self.embedding_fn(sample_ids),
        )
        return finished, next_inputs, state


class SampleEmbeddingSampler(GreedyEmbeddingSampler):
    """A sampler that draws from the outputs, as logits, and embeds that.

    Args:
      embedding_fn: as in `GreedyEmbeddingSampler`.
      softmax_temperature: divides the logits; or None.
      seed: as in `tf.multinomial`.
    """

    def __init__(
        self, embedding_fn: Any = None, softmax_temperature: Any = None, seed: int | None = None
    ):
        super().__init__(embedding_fn)
        self.softmax_temperature = softmax_temperature
        self.seed = seed

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """Draws, int32 [batch].

        Raises:
          TypeError: `outputs` is no tensor.
        """
        helper._check_single(outputs)
        logits = outputs
        if self.softmax_temperature is not None:
            logits = outputs / self.softmax_temperature
        return categorical_sample(logits=logits, seed=self.seed)


class InferenceSampler(_KnowsBatchSize):
    """A sampler that samples with a function and feeds the samples back.

    Args:
      sample_fn: `outputs -> samples`.
      sample_shape: the shape of a sample, without batch.
      sample_dtype: its dtype.
      end_fn: `samples -> finished`, bools [batch].
      next_inputs_fn: `samples -> next inputs`; the samples themselves by default.
    """

    def __init__(
        self, sample_fn: Any, sample_shape: TensorLike, sample_dtype: DTypeLike, end_fn: Any,
        next_inputs_fn: Any = None,
    ):  # fmt: skip
        self.sample_fn = sample_fn
        self.sample_shape = TensorShape(sample_shape)
        self.sample_dtype = sample_dtype
        self.end_fn = end_fn
        self.next_inputs_fn = next_inputs_fn

    sample_ids_shape = attribute("sample_shape", "The shape of a sample.")
    sample_ids_dtype = attribute("sample_dtype", "The dtype of a sample.")

    def initialize(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, start_inputs: Any
    ) -> Any:
        """The first inputs.

        Args:
          start_inputs: a tensor [batch, ...].

        Returns:
          (finished, first inputs).
        """
        self.start_inputs = ops.convert_to_tensor(start_inputs, name="start_inputs")
        self._batch_size = array_ops.shape(start_inputs)[0]
        return array_ops.tile([False], [self._batch_size]), self.start_inputs

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """What the function gives."""
        return self.sample_fn(outputs)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        """The samples, or what a function makes of them."""
        next_inputs = sample_ids
        if self.next_inputs_fn is not None:
            next_inputs = self.next_inputs_fn(sample_ids)
        return self.end_fn(sample_ids), next_inputs, state
