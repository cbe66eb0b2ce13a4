"""The loop around a decoder (`tensorflow.contrib.seq2seq.python.ops.decoder`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_util, tensor_array_ops, while_loop
from tf1compat.api.keras.engine import base_layer
from tf1compat.api.math import math_ops
from tf1compat.api.rnn import rnn, rnn_static
from tf1compat.api.rnn.rnn_cell_impl import _zero_state_tensors
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import dtypes, nest, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, Name, TensorLike

__all__ = ["BaseDecoder", "Decoder", "dynamic_decode"]

_transpose_batch_time = rnn._transpose_batch_time


@tf_export("contrib.seq2seq.Decoder")
class Decoder(metaclass=abc.ABCMeta):
    """What `dynamic_decode` calls: a net's first inputs and state, and its steps."""

    @property
    def batch_size(self) -> Any:
        """The batch size, a scalar tensor."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """The size of an output without batch: an int, a TensorShape, or a structure of these."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """The dtypes of an output, structured like `output_size`."""
        raise NotImplementedError

    @abc.abstractmethod
    def initialize(self, name: Name = None) -> Any:
        """What the first step gets.

        Args:
          name: the name scope.

        Returns:
          (finished, inputs, state): bools [batch], and structures of tensors.
        """
        raise NotImplementedError

    @abc.abstractmethod
    def step(self, time: Any, inputs: Any, state: Any, name: Name = None) -> Any:
        """One step.

        Args:
          time: its number, a scalar int32 tensor.
          inputs, state: structures of tensors.
          name: the name scope.

        Returns:
          (outputs, next state, next inputs, finished), `finished` being bools [batch].
        """
        raise NotImplementedError

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: TensorLike) -> Any:
        """Turns what all steps gave into what the caller gets; need not be defined.

        Args:
          outputs: the outputs [time, batch, ...].
          final_state: the last state.
          sequence_lengths: the lengths, int32 [batch].

        Returns:
          (outputs, state).
        """
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `step` says itself which sequences finished before (they may change places)."""
        return False


class BaseDecoder(base_layer.Layer):
    """A decoder as a layer of Keras: a call of it is `dynamic_decode`.

    Args:
      output_time_major, impute_finished, maximum_iterations: as in `dynamic_decode`.
      parallel_iterations, swap_memory: as in `dynamic_decode`.
      **kwargs: the layer's own.
    """

    def __init__(
        self, output_time_major: bool = False, impute_finished: bool = False,
        maximum_iterations: Any = None, parallel_iterations: int = 32, swap_memory: bool = False,
        **kwargs: Any,
    ):  # fmt: skip
        self.output_time_major = output_time_major
        self.impute_finished = impute_finished
        self.maximum_iterations = maximum_iterations
        self.parallel_iterations = parallel_iterations
        self.swap_memory = swap_memory
        super().__init__(**kwargs)

    def _decoded(self, inputs: Any, init_kwargs: dict[str, Any]) -> Any:
        return dynamic_decode(
            self,
            output_time_major=self.output_time_major,
            impute_finished=self.impute_finished,
            maximum_iterations=self.maximum_iterations,
            parallel_iterations=self.parallel_iterations,
            swap_memory=self.swap_memory,
            decoder_init_input=inputs,
            decoder_init_kwargs=init_kwargs,
        )

    def call(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """Decodes.

        Args:
          inputs: what `initialize` takes.
          initial_state: the cell's first state.
          **kwargs: what else `initialize` takes.

        Returns:
          (outputs, last state, lengths int32 [batch]).
        """
        return self._decoded(inputs, {**kwargs, "initial_state": initial_state})

    @property
    def batch_size(self) -> Any:
        """The batch size, a scalar tensor."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """The size of an output without batch: an int, a TensorShape, or a structure of these."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """The dtypes of an output, structured like `output_size`."""
        raise NotImplementedError

    def initialize(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """What the first step gets.

        Args:
          inputs: what the layer was called with.
          initial_state: the cell's first state.
          **kwargs: what else it was called with.

        Returns:
          (finished, inputs, state): bools [batch], and structures of tensors.
        """
        raise NotImplementedError

    def step(self, time: Any, inputs: Any, state: Any) -> Any:
        """One step.

        Args:
          time: its number, a scalar int32 tensor.
          inputs, state: structures of tensors.

        Returns:
          (outputs, next state, next inputs, finished), `finished` being bools [batch].
        """
        raise NotImplementedError

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: TensorLike) -> Any:
        """Turns what all steps gave into what the caller gets; need not be defined.

        Args:
          outputs: the outputs [time, batch, ...].
          final_state: the last state.
          sequence_lengths: the lengths, int32 [batch].

        Returns:
          (outputs, state).
        """
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `step` says itself which sequences finished before (they may change places)."""
        return False


def _create_zero_outputs(size: TensorLike, dtype: DTypeLike, batch_size: Any) -> Any:
    return nest.map_structure(lambda s, d: _zero_state_tensors(s, batch_size, d), size, dtype)


def size_after(layer: Any, size: Any) -> Any:
    """The size (without batch) of what a layer makes of outputs of a size."""
    shapes = nest.map_structure(lambda s: TensorShape([None]).concatenate(s), size)
    return nest.map_structure(lambda s: s[1:], layer.compute_output_shape(shapes))


def rnn_output_size(cell: Any, output_layer: Any) -> Any:
    """The size of a cell's output, after a layer if there is one."""
    size = cell.output_size
    return size if output_layer is None else size_after(output_layer, size)


@tf_export("contrib.seq2seq.dynamic_decode")
def dynamic_decode(
    decoder: Any, output_time_major: bool = False, impute_finished: bool = False,
    maximum_iterations: Any = None, parallel_iterations: int = 32, swap_memory: bool = False,
    scope: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """Decodes until all sequences are finished, in one `tf.while_loop` (as in TF 1.15).

    Args:
      decoder: a `Decoder`, or a `BaseDecoder`.
      output_time_major: whether outputs are [time, batch, ...]; [batch, time, ...] by default.
      impute_finished: whether a finished sequence keeps its state and has outputs of zeros.
      maximum_iterations: the most steps, a scalar int32; no limit by default.
      parallel_iterations, swap_memory: as in `tf.while_loop`.
      scope: the variable scope, "decoder" by default.
      **kwargs: for a `BaseDecoder`, what its `initialize` is called with: `decoder_init_input`, and
        the dict `decoder_init_kwargs`.

    Returns:
      (outputs, last state, lengths int32 [batch]).

    Raises:
      TypeError: `decoder` is no Decoder.
      ValueError: `maximum_iterations` is no scalar.
    """
    if not isinstance(decoder, (Decoder, BaseDecoder)):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with vs.variable_scope(scope, "decoder") as varscope:
        outer = ops.get_default_graph()._get_control_flow_context()
        is_xla = control_flow_util.GetContainingXLAContext(outer) is not None
        rnn_static._cache_variables(varscope)
        if maximum_iterations is not None:
            maximum_iterations = ops.convert_to_tensor(
                maximum_iterations, dtype=dtypes.int32, name="maximum_iterations"
            )
            if maximum_iterations.get_shape().ndims != 0:
                raise ValueError("maximum_iterations must be a scalar")
        if isinstance(decoder, Decoder):
            finished, inputs, state = decoder.initialize()
        else:
            finished, inputs, state = decoder.initialize(
                kwargs.pop("decoder_init_input", None), **kwargs.pop("decoder_init_kwargs", {})
            )
        zero_outputs = _create_zero_outputs(
            decoder.output_size, decoder.output_dtype, decoder.batch_size
        )
        if is_xla and maximum_iterations is None:
            raise ValueError("maximum_iterations is required for XLA compilation.")
        if maximum_iterations is not None:
            finished = math_ops.logical_or(finished, maximum_iterations <= 0)
        lengths = array_ops.zeros_like(finished, dtype=dtypes.int32)
        time = constant_op.constant_v1(0, dtype=dtypes.int32)
        dynamic_size = maximum_iterations is None or not is_xla

        def element_shape(size: TensorLike) -> Any:
            if not isinstance(size, TensorShape) or size.ndims == 0:
                return None
            batch_size = ops.convert_to_tensor(decoder.batch_size, name="batch_size")
            return TensorShape([tensor_util.constant_value(batch_size)]).concatenate(size)

        def array(size: TensorLike, dtype: Any) -> tensor_array_ops.TensorArray:
            return tensor_array_ops.TensorArray(
                dtype=dtype,
                size=0 if dynamic_size else maximum_iterations,
                dynamic_size=dynamic_size,
                element_shape=element_shape(size),
            )

        outputs_ta = nest.map_structure(array, decoder.output_size, decoder.output_dtype)

        def unfinished(
            time: Any, outputs_ta: Any, state: Any, inputs: Any, finished: Any, lengths: TensorLike
        ) -> Any:
            return math_ops.logical_not(math_ops.reduce_all(finished))

        def body(
            time: Any, outputs_ta: Any, state: Any, inputs: Any, finished: Any, lengths: TensorLike
        ) -> Any:
            outputs, decoder_state, next_inputs, decoder_finished = decoder.step(
                time, inputs, state
            )
            next_finished = decoder_finished
            if not decoder.tracks_own_finished:
                next_finished = math_ops.logical_or(decoder_finished, finished)
            going_on = math_ops.logical_not(finished)
            so_far = array_ops.fill(array_ops.shape(lengths), time + 1)
            next_lengths = array_ops.where(going_on, so_far, lengths)
            nest.assert_same_structure(state, decoder_state)
            nest.assert_same_structure(outputs_ta, outputs)
            nest.assert_same_structure(inputs, next_inputs)

            def keep_state(new: Any, current: Any) -> Any:
                if isinstance(current, tensor_array_ops.TensorArray):
                    return new
                new.set_shape(current.shape)
                if new.shape.ndims == 0:
                    return new
                return array_ops.where(finished, current, new)

            emitted, next_state = outputs, decoder_state
            if impute_finished:
                emitted = nest.map_structure(
                    lambda out, zero: array_ops.where(finished, zero, out), outputs, zero_outputs
                )
                next_state = nest.map_structure(keep_state, decoder_state, state)
            outputs_ta = nest.map_structure(
                lambda ta, out: ta.write(time, out), outputs_ta, emitted
            )
            return time + 1, outputs_ta, next_state, next_inputs, next_finished, next_lengths

        _, outputs_ta, final_state, _, _, final_lengths = while_loop.while_loop(
            unfinished,
            body,
            loop_vars=(time, outputs_ta, state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations,
            maximum_iterations=maximum_iterations,
            swap_memory=swap_memory,
        )
        final_outputs = nest.map_structure(lambda ta: ta.stack(), outputs_ta)
        try:
            final_outputs, final_state = decoder.finalize(final_outputs, final_state, final_lengths)
        except NotImplementedError:
            pass
        if not output_time_major:
            final_outputs = nest.map_structure(_transpose_batch_time, final_outputs)
    return final_outputs, final_state, final_lengths
