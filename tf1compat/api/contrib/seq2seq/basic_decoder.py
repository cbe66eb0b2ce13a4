"""A decoder of a cell and a helper (`tensorflow.contrib.seq2seq.python.ops.basic_decoder`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.contrib.seq2seq import decoder
from tf1compat.api.contrib.seq2seq import helper as helpers
from tf1compat.api.contrib.seq2seq import sampler as samplers
from tf1compat.api.keras.engine import base_layer
from tf1compat.api.layers import base as layers_base
from tf1compat.api.rnn import rnn_cell_impl
from tf1compat.core import nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name

__all__ = ["BasicDecoder", "BasicDecoderOutput", "BasicDecoderV2"]


@tf_export("contrib.seq2seq.BasicDecoderOutput")
class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """What a `BasicDecoder` gives: the cell's (or its layer's) output, and what was sampled."""


@tf_export("contrib.seq2seq.BasicDecoder")
class BasicDecoder(decoder.Decoder):
    """A cell whose outputs a helper samples, and turns into the next inputs.

    Args:
      cell: the cell.
      helper: a `Helper`.
      initial_state: the cell's first state.
      output_layer: a `tf.layers.Layer` that is applied to the outputs, e.g. a `Dense`; or None.

    Raises:
      TypeError: an argument has a wrong type.
    """

    def __init__(self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None):
        rnn_cell_impl.assert_like_rnncell("cell", cell)
        if not isinstance(helper, helpers.Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        if output_layer is not None and not isinstance(output_layer, layers_base.Layer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        self._cell = cell
        self._helper = helper
        self._initial_state = initial_state
        self._output_layer = output_layer

    @property
    def batch_size(self) -> Any:
        """The helper's batch size."""
        return self._helper.batch_size

    def _rnn_output_size(self) -> Any:
        return decoder.rnn_output_size(self._cell, self._output_layer)

    @property
    def output_size(self) -> BasicDecoderOutput:
        """The sizes of output and sample."""
        return BasicDecoderOutput(
            rnn_output=self._rnn_output_size(), sample_id=self._helper.sample_ids_shape
        )

    @property
    def output_dtype(self) -> BasicDecoderOutput:
        """Their dtypes: the output has that of the state."""
        dtype = nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(
            nest.map_structure(lambda _: dtype, self._rnn_output_size()),
            self._helper.sample_ids_dtype,
        )

    def initialize(self, name: Name = None) -> Any:
        """(finished, first inputs, first state)."""
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: Name = None) -> Any:
        """One step of the cell.

        Args:
          time: its number, a scalar int32 tensor.
          inputs, state: structures of tensors.
          name: the name scope.

        Returns:
          (a BasicDecoderOutput, next state, next inputs, finished).
        """
        with ops.name_scope(name, "BasicDecoderStep", (time, inputs, state)):
            outputs, cell_state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            sample_ids = self._helper.sample(time=time, outputs=outputs, state=cell_state)
            finished, next_inputs, next_state = self._helper.next_inputs(
                time=time, outputs=outputs, state=cell_state, sample_ids=sample_ids
            )
        return BasicDecoderOutput(outputs, sample_ids), next_state, next_inputs, finished


class BasicDecoderV2(decoder.BaseDecoder):
    """A layer: a cell whose outputs a sampler samples, and turns into the next inputs.

    Args:
      cell: the cell.
      sampler: a `Sampler`.
      output_layer: a `tf.keras.layers.Layer` that is applied to the outputs; or None.
      **kwargs: as in `BaseDecoder`.

    Raises:
      TypeError: an argument has a wrong type.
    """

    def __init__(self, cell: Any, sampler: Any, output_layer: Any = None, **kwargs: Any):
        rnn_cell_impl.assert_like_rnncell("cell", cell)
        if not isinstance(sampler, samplers.Sampler):
            raise TypeError(f"sampler must be a Sampler, received: {sampler}")
        if output_layer is not None and not isinstance(output_layer, base_layer.Layer):
            raise TypeError(f"output_layer must be a Layer, received: {output_layer}")
        self.cell = cell
        self.sampler = sampler
        self.output_layer = output_layer
        super().__init__(**kwargs)

    def initialize(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """(finished, first inputs, first state).

        Args:
          inputs: what the sampler is initialized with.
          initial_state: the cell's first state.
          **kwargs: what else the sampler takes.
        """
        self._cell_dtype = nest.flatten(initial_state)[0].dtype
        return (*self.sampler.initialize(inputs, **kwargs), initial_state)

    @property
    def batch_size(self) -> Any:
        """The sampler's batch size."""
        return self.sampler.batch_size

    def _rnn_output_size(self) -> Any:
        size = TensorShape(self.cell.output_size)
        return size if self.output_layer is None else decoder.size_after(self.output_layer, size)

    @property
    def output_size(self) -> BasicDecoderOutput:
        """The sizes of output and sample."""
        return BasicDecoderOutput(
            rnn_output=self._rnn_output_size(), sample_id=self.sampler.sample_ids_shape
        )

    @property
    def output_dtype(self) -> BasicDecoderOutput:
        """Their dtypes: the output has that of the state."""
        dtype = self._cell_dtype
        return BasicDecoderOutput(
            nest.map_structure(lambda _: dtype, self._rnn_output_size()),
            self.sampler.sample_ids_dtype,
        )

    def step(self, time: Any, inputs: Any, state: Any) -> Any:
        """One step of the cell.

        Args:
          time: its number, a scalar int32 tensor.
          inputs, state: structures of tensors.

        Returns:
          (a BasicDecoderOutput, next state, next inputs, finished).
        """
        outputs, cell_state = self.cell(inputs, state)
        if self.output_layer is not None:
            outputs = self.output_layer(outputs)
        sample_ids = self.sampler.sample(time=time, outputs=outputs, state=cell_state)
        finished, next_inputs, next_state = self.sampler.next_inputs(
            time=time, outputs=outputs, state=cell_state, sample_ids=sample_ids
        )
        return BasicDecoderOutput(outputs, sample_ids), next_state, next_inputs, finished
