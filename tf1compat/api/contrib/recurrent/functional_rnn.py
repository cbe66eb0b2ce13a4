"""`tf.nn.dynamic_rnn` by functions (`tensorflow.contrib.recurrent.python.ops.functional_rnn`)."""

from __future__ import annotations

import copy
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.recurrent import recurrent
from tf1compat.api.math import math_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike


def _dtypes(struct: Any) -> list[Any]:
    return [ops.convert_to_tensor(x).dtype for x in nest.flatten(struct)]


def _set_shapes(struct: Any, like: Any) -> None:
    for x, template in zip(nest.flatten(struct), nest.flatten(like)):
        x.set_shape(template.shape)


class _PureCell:
    """A cell as a function of its weights too, which are what it captured.

    An output that is no part of the state is put in front of it, so that it is kept for each step.

    Args:
      cell: an RNNCell.
      inputs: [time, batch, …], or a structure of such.
      state: the state at the beginning.

    Attributes:
      theta: the weights.
      state: as given.
      output_shape: the static shape of a step's output.
    """

    output_shape: Any
    # Where the output is among the state's tensors; else it comes before them.
    _output_place: int
    _has_own_output: bool

    def __init__(self, cell: Any, inputs: Any, state: Any):
        types = [inputs.dtype, *_dtypes(state)]
        row = nest.map_structure(lambda x: array_ops.stop_gradient(array_ops.gather(x, 0)), inputs)

        @recurrent.named_function("FlatCellStep", *types)
        def step(*args: Any) -> Any:
            """The flattened version of `rnn_cell`."""
            inputs_now, state_now = nest.pack_sequence_as((row, state), args)
            _set_shapes(state_now, state)
            _set_shapes(inputs_now, row)
            output, following = cell(inputs_now, state_now)
            found = nest.flatten(following)
            self.output_shape = output.shape
            places = [i for i, x in enumerate(found) if x is output]
            self._has_own_output = not places
            self._output_place = places[0] if places else 0
            return found if places else [output, *found]

        # Asking for it records the function.
        self.theta = step.captured_inputs
        self._pure_step = step
        if self.theta:
            self._pure_step = copy.copy(step)
            self._pure_step._extra_inputs = []
        self.state = state

    def __call__(self, theta: Any, state: Any, inputs: Any) -> tuple[Any, Any]:
        """A step, as `Recurrent` calls it."""
        return self._pure_step(inputs, *self.without_output(state), *theta), []

    def state_with_output(self) -> Any:
        """The state at the beginning, with zeros in place of an output of its own."""
        if not self._has_own_output:
            return self.state
        return [array_ops.zeros(self.output_shape, dtype=_dtypes(self.state)[0]), self.state]

    def without_output(self, state: Any) -> list[Any]:
        """The tensors of a state without an output of its own."""
        return nest.flatten(state)[int(self._has_own_output) :]

    def output_in(self, state: Any) -> Any:
        """The output in a state."""
        return nest.flatten(state)[self._output_place]


def _times(count: Any, batch: Any) -> Any:
    """[batch, count]: 0, 1, … in each row."""
    return array_ops.reshape(array_ops.tile(math_ops.range(0, count), [batch]), [batch, count])


def _repeated(lengths: Any, count: Any) -> Any:
    """[batch, count] of the lengths."""
    return array_ops.tile(array_ops.reshape(lengths, [-1, 1]), [1, count])


def _zero_after(lengths: Any, output: Any) -> Any:
    """[batch, time, units] with zeros after the ends of sequences."""
    shape = array_ops.shape(output)
    batch, count, units = shape[0], shape[1], shape[2]
    times = _times(count, batch)
    lengths = _repeated(lengths, count)
    within = math_ops.cast(math_ops.less(times, lengths), dtype=output.dtype)
    mask = array_ops.tile(array_ops.expand_dims(within, -1), [1, 1, units])
    return mask * output


def _at_end(lengths: Any, states: Any) -> Any:
    """The state of each sequence at its own last step; by sums, so that they have gradients."""

    def last(rows: Any) -> Any:
        shape = array_ops.shape(rows)
        count, batch = shape[0], shape[1]
        times = _times(count, batch)
        ends = _repeated(lengths, count)
        is_last = math_ops.cast(math_ops.equal(times, ends - 1), dtype=rows.dtype)
        weights = array_ops.expand_dims(array_ops.transpose(is_last), -1)
        return math_ops.reduce_sum(math_ops.multiply(weights, rows), 0)

    return nest.pack_sequence_as(states, [last(rows) for rows in nest.flatten(states)])


@tf_export("contrib.recurrent.functional_rnn")
def functional_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: DTypeLike | None = None,
    time_major: bool = False,
    scope: Any = None,
    use_tpu: bool = False,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """`tf.nn.dynamic_rnn` with a loop of functions.

    As tf.contrib.recurrent's in TF 1.15.

    Args:
      cell: an RNNCell.
      inputs: [batch, time, …], or [time, batch, …] if `time_major`.
      sequence_length: [batch] ints.
      initial_state: by default the cell's zeros, which `dtype` is for.
      dtype: the dtype of the state.
      time_major: whether times come first, in the outputs too.
      scope: a scope, or its name; by default "rnn".
      use_tpu: whether While operations are recorded in place of For.
      reverse: whether the steps go backwards.

    Returns:
      The outputs, and the last state.
    """
    with variable_scope.variable_scope(scope or "rnn"):
        if not time_major:
            inputs = nest.map_structure(lambda x: array_ops.transpose(x, [1, 0, 2]), inputs)
        first = nest.flatten(inputs)[0]
        batch = array_ops.shape(first)[1]
        if initial_state is None:
            initial_state = cell.zero_state(batch, dtype)
        pure = _PureCell(cell, inputs, initial_state)
    count = None if sequence_length is None else math_ops.reduce_max(sequence_length)
    if reverse:
        inputs = array_ops.reverse(inputs, [0])
    states, state = recurrent.Recurrent(
        theta=pure.theta,
        state0=pure.state_with_output(),
        inputs=inputs,
        cell_fn=pure,
        max_input_length=count,
        use_tpu=use_tpu,
        aligned_end=reverse,
    )
    if sequence_length is None or reverse:
        state = nest.pack_sequence_as(initial_state, pure.without_output(state))
    else:
        rows = nest.pack_sequence_as(initial_state, pure.without_output(states))
        state = _at_end(sequence_length, rows)
    output = pure.output_in(states)
    if reverse:
        output = array_ops.reverse(output, [0])
    output = array_ops.transpose(output, [1, 0, 2])
    output.set_shape([pure.output_shape[0], first.shape[0], pure.output_shape[1]])
    if sequence_length is not None:
        output = _zero_after(sequence_length, output)
    _set_shapes(state, initial_state)
    if time_major:
        output = array_ops.transpose(output, [1, 0, 2])
    return output, state


@tf_export("contrib.recurrent.bidirectional_functional_rnn")
def bidirectional_functional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: DTypeLike | None = None,
    sequence_length: Any = None,
    time_major: bool = False,
    use_tpu: bool = False,
    fast_reverse: bool = False,
    scope: Any = None,
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """`tf.nn.bidirectional_dynamic_rnn` with loops of functions.

    As tf.contrib.recurrent's in TF 1.15.

    Args:
      cell_fw, cell_bw: the cells of the two directions.
      inputs: see `functional_rnn`, as for `dtype`, `sequence_length`, `time_major`, `use_tpu`.
      initial_state_fw, initial_state_bw: the states at the beginning.
      fast_reverse: whether the second cell's steps go backwards, in place of reversed inputs; for
        sequences of one length, or a cell that keeps its state where inputs are filled up.
      scope: a scope, or its name; by default "bidirectional_rnn".

    Returns:
      The outputs of the two, and their last states.
    """

    def reversed_times(x: Any) -> Any:
        if fast_reverse:
            return x
        if sequence_length is not None:
            return array_ops.reverse_sequence(
                input=x,
                seq_lengths=sequence_length,
                seq_dim=0 if time_major else 1,
                batch_dim=1 if time_major else 0,
            )
        assert not use_tpu, "Bidirectional with variable sequence lengths unsupported on TPU"
        return array_ops.reverse(x, axis=[0 if time_major else 1])

    def run(cell: Any, inputs: Any, state: Any, scope: Any, reverse: bool) -> tuple[Any, Any]:
        return functional_rnn(
            cell=cell,
            inputs=inputs,
            sequence_length=sequence_length,
            initial_state=state,
            dtype=dtype,
            time_major=time_major,
            scope=scope,
            use_tpu=use_tpu,
            reverse=reverse,
        )

    with variable_scope.variable_scope(scope or "bidirectional_rnn"):
        with variable_scope.variable_scope("fw") as inner:
            forwards, state_fw = run(cell_fw, inputs, initial_state_fw, inner, False)
        with variable_scope.variable_scope("bw") as inner:
            backwards, state_bw = run(
                cell_bw, reversed_times(inputs), initial_state_bw, inner, fast_reverse
            )
    return (forwards, reversed_times(backwards)), (state_fw, state_bw)
