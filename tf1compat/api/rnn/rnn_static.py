"""`tf.nn.static_rnn` and its kin: nets with one copy of the cell for each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops, control_flow_util, tensor_array_ops
from tf1compat.api.keras.engine import base_layer
from tf1compat.api.math import math_ops
from tf1compat.api.rnn import rnn_cell_impl as cells
from tf1compat.api.rnn.rnn_cell_impl import _concat
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import context, dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import (
    TensorShape,
    dimension_at_index,
    dimension_value,
    unknown_shape,
)
from tf1compat.core.typing import DTypeLike, TensorLike

_MODULE = "tensorflow.python.ops.rnn"


def _infer_state_dtype(explicit_dtype: Any, state: Any) -> Any:
    """The given dtype, or that of the state.

    Raises:
      ValueError: the state has none, or several.
    """
    if explicit_dtype is not None:
        return explicit_dtype
    if not nest.is_sequence(state):
        return state.dtype
    inferred = [element.dtype for element in nest.flatten(state)]
    if not inferred:
        raise ValueError("Unable to infer dtype from empty state.")
    if any(dtype != inferred[0] for dtype in inferred):
        raise ValueError(
            "State has tensors of different inferred_dtypes. Unable to infer a single "
            "representative dtype."
        )
    return inferred[0]


def _should_cache() -> bool:
    """Whether variables may be read once for all steps: not inside a loop, nor eagerly."""
    if context.executing_eagerly():
        return False
    outer = ops.get_default_graph()._get_control_flow_context()
    return control_flow_util.GetContainingWhileContext(outer) is None


def _cache_variables(scope: vs.VariableScope) -> None:
    if _should_cache() and scope.caching_device is None:
        scope.set_caching_device(lambda op: op.device)


def _is_keras_rnn_cell(rnn_cell: Any) -> bool:
    """Whether it is a cell of Keras: its states are always lists."""
    return (
        not isinstance(rnn_cell, cells.RNNCell)
        and isinstance(rnn_cell, base_layer.Layer)
        and getattr(rnn_cell, "zero_state", None) is None
    )


def _initial_state(cell: Any, batch_size: Any, dtype: DTypeLike) -> Any:
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
    return cell.zero_state(batch_size, dtype)


def _rnn_step(
    time: Any, sequence_length: Tensor, min_sequence_length: Any, max_sequence_length: Any,
    zero_output: Any, state: Any, call_cell: Callable[[], Any], state_size: Any,
    skip_conditionals: bool = False,
) -> Any:  # fmt: skip
    """A step where some sequences have ended: their output is zero and their state stays.

    Args:
      time: the step's number.
      sequence_length: how many steps each sequence has.
      min_sequence_length, max_sequence_length: the least and the greatest of these.
      zero_output: zeros like the cell's output.
      state: the state.
      call_cell: records the step, returns (output, next state).
      state_size: the cell's.
      skip_conditionals: leave out the `tf.cond`s which save the step, or the selection, where all
        sequences have ended, or none has.

    Returns:
      (output, next state).
    """
    flat_state = nest.flatten(state)
    flat_zero_output = nest.flatten(zero_output)
    ended = time >= sequence_length

    def keep_ended(old: Any, new: Any) -> Any:
        if isinstance(old, tensor_array_ops.TensorArray) or old.shape.ndims == 0:
            return new
        with ops.colocate_with(new):
            return array_ops.where(ended, old, new)

    def select(flat_new_output: list[Any], flat_new_state: list[Any]) -> list[Any]:
        pairs = zip(flat_zero_output + flat_state, flat_new_output + flat_new_state)
        return [keep_ended(old, new) for old, new in pairs]

    def call() -> tuple[list[Any], list[Any]]:
        new_output, new_state = call_cell()
        nest.assert_same_structure(zero_output, new_output)
        nest.assert_same_structure(state, new_state)
        return nest.flatten(new_output), nest.flatten(new_state)

    def step() -> Any:
        flat_new_state_and_output = call()
        new_output, new_state = flat_new_state_and_output
        return control_flow_ops.cond(
            time < min_sequence_length,
            lambda: new_output + new_state,
            lambda: select(new_output, new_state),
        )

    if skip_conditionals:
        final = select(*call())
    else:
        final = control_flow_ops.cond(
            time >= max_sequence_length, lambda: flat_zero_output + flat_state, step
        )
    count = len(flat_zero_output)
    if len(final) != count + len(flat_state):
        raise ValueError("Internal error: state and output were not concatenated correctly.")
    for new, old in zip(final, flat_zero_output + flat_state):
        if not isinstance(new, tensor_array_ops.TensorArray):
            new.set_shape(old.get_shape())
    return (
        nest.pack_sequence_as(structure=zero_output, flat_sequence=final[:count]),
        nest.pack_sequence_as(structure=state, flat_sequence=final[count:]),
    )


def _reverse_seq(input_seq: Any, lengths: Any) -> list[Any]:
    """A list of the values in reversed order.

    Args:
      input_seq: tensors [batch, ...], or structures of them, one for each step.
      lengths: how many steps each sequence of the batch has; only these are reversed. None for all.
    """
    if lengths is None:
        return list(reversed(input_seq))
    flat_input_seq = tuple(nest.flatten(x) for x in input_seq)
    flat_results: list[list[Any]] = [[] for _ in input_seq]
    for sequence in zip(*flat_input_seq):
        # What is known of one step's shape is not made known of the others': TF drops the merged
        # shape.
        shape = unknown_shape(rank=sequence[0].get_shape().ndims)
        for x in sequence:
            shape.merge_with(x.get_shape())
            x.set_shape(shape)
        joined = array_ops.stack(sequence)
        turned = array_ops.unstack(array_ops.reverse_sequence(joined, lengths, 0, 1))
        for result, flat_result in zip(turned, flat_results):
            result.set_shape(shape)
            flat_result.append(result)
    return [
        nest.pack_sequence_as(structure=x, flat_sequence=flat)
        for x, flat in zip(input_seq, flat_results)
    ]


def _check_inputs(inputs: Any) -> None:
    if not nest.is_sequence(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")


def _static_batch_size(inputs: Any, first_input: Any) -> Any:
    """The batch size of the inputs as a Dimension.

    Raises:
      ValueError: batch sizes differ, or another size is unknown.
    """
    if first_input.get_shape().ndims == 1:
        return first_input.get_shape().with_rank_at_least(1)[0]
    batch_size = first_input.get_shape().with_rank_at_least(2).dims[0]
    for x in nest.flatten(inputs):
        shape = x.get_shape().with_rank_at_least(2)
        batch_size.merge_with(dimension_at_index(shape, 0))
        for i, size in enumerate(shape[1:].dims):
            if dimension_value(size) is None:
                raise ValueError(
                    f"Input size (dimension {i} of inputs) must be accessible via shape "
                    "inference, but saw value None."
                )
    return batch_size


@tf_export("nn.static_rnn")
@deprecated(
    None,
    "Please use `keras.layers.RNN(cell, unroll=True)`, which is equivalent to this API",
    module=_MODULE,
)
def static_rnn(
    cell: Any, inputs: Any, initial_state: Any = None, dtype: DTypeLike | None = None,
    sequence_length: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """Applies a cell to each of a list of inputs (as in TF 1.15).

    Args:
      cell: the cell.
      inputs: a list of tensors [batch, size], or structures of them, one for each step.
      initial_state: the first state; zeros by default.
      dtype: of state and outputs; needed if there is no first state.
      sequence_length: how many steps each of the batch has, ints [batch]. After them outputs are
        zero and the state stays as it is.
      scope: the variable scope, "rnn" by default.

    Returns:
      (a list of outputs, last state).

    Raises:
      TypeError: the cell is none, or `inputs` no list.
      ValueError: there are no inputs, their size is unknown, or there is neither a first state nor
        a dtype.
    """
    cells.assert_like_rnncell("cell", cell)
    _check_inputs(inputs)
    outputs = []
    with vs.variable_scope(scope or "rnn") as varscope:
        _cache_variables(varscope)
        first_input = inputs
        while nest.is_sequence(first_input):
            first_input = first_input[0]
        fixed_batch_size = _static_batch_size(inputs, first_input)
        batch_size = dimension_value(fixed_batch_size) or array_ops.shape(first_input)[0]
        if initial_state is not None:
            state = initial_state
        else:
            if not dtype:
                raise ValueError("If no initial_state is provided, dtype must be specified")
            state = _initial_state(cell, batch_size, dtype)
        zero_output = min_sequence_length = max_sequence_length = None
        if sequence_length is not None:
            sequence_length = ops.convert_to_tensor(sequence_length, name="sequence_length")
            if sequence_length.get_shape().ndims not in (None, 1):
                raise ValueError("sequence_length must be a vector of length batch_size")

            def zeros(size: Any) -> Tensor:
                sizes = array_ops.stack(_concat(batch_size, size))
                output = array_ops.zeros(sizes, _infer_state_dtype(dtype, state))
                shape = _concat(dimension_value(fixed_batch_size), size, static=True)
                output.set_shape(TensorShape(shape))
                return output

            zero_output = nest.map_structure(zeros, cell.output_size)
            sequence_length = math_ops.cast(sequence_length, dtypes.int32)
            min_sequence_length = math_ops.reduce_min(sequence_length)
            max_sequence_length = math_ops.reduce_max(sequence_length)
        is_keras_rnn_cell = _is_keras_rnn_cell(cell)
        if is_keras_rnn_cell and not nest.is_sequence(state):
            state = [state]
        for time, x in enumerate(inputs):
            if time > 0:
                varscope.reuse_variables()
            if sequence_length is None:
                output, state = cell(x, state)
            else:
                output, state = _rnn_step(
                    time=time, sequence_length=sequence_length,
                    min_sequence_length=min_sequence_length,
                    max_sequence_length=max_sequence_length, zero_output=zero_output, state=state,
                    call_cell=lambda x=x, state=state: cell(x, state), state_size=cell.state_size,
                )  # fmt: skip
            outputs.append(output)
        if is_keras_rnn_cell and len(state) == 1:
            state = state[0]
        return outputs, state


@tf_export("nn.static_state_saving_rnn")
@deprecated(
    None,
    "Please use `keras.layers.RNN(cell, stateful=True)`, which is equivalent to this API",
    module=_MODULE,
)
def static_state_saving_rnn(
    cell: Any, inputs: Any, state_saver: Any, state_name: Any,
    sequence_length: TensorLike | None = None,
    scope: Any = None,
) -> Any:  # fmt: skip
    """As `static_rnn`, with the state kept from one run to the next.

    Args:
      state_saver: has methods `state(name)` and `save_state(name, value)`.
      state_name: the name of the state, or a structure of names like `cell.state_size`.
      cell, inputs, sequence_length, scope: as in `static_rnn`.

    Returns:
      (a list of outputs, last state), which come after the state is saved.

    Raises:
      TypeError: the cell is none, or `inputs` no list.
      ValueError: there are no inputs, or the names don't fit the state.
    """
    state_size = cell.state_size
    state_is_tuple = nest.is_sequence(state_size)
    if state_is_tuple != nest.is_sequence(state_name):
        raise ValueError(
            "state_name should be the same type as cell.state_size.  state_name: "
            f"{state_name!s}, cell.state_size: {state_size}"
        )
    names = nest.flatten(state_name)
    if state_is_tuple:
        sizes = nest.flatten(state_size)
        if len(names) != len(sizes):
            raise ValueError(
                f"#elems(state_name) != #elems(state_size): {len(names)} vs. {len(sizes)}"
            )
    initial_state = nest.pack_sequence_as(
        structure=state_size, flat_sequence=[state_saver.state(name) for name in names]
    )
    outputs, state = static_rnn(
        cell, inputs, initial_state=initial_state, sequence_length=sequence_length, scope=scope
    )
    flat_state = nest.flatten(state)
    saved = [
        state_saver.save_state(name, substate)
        for name, substate in zip(names, flat_state, strict=True)
    ]
    with ops.control_dependencies(saved):
        outputs[-1] = nest.map_structure(array_ops.identity, outputs[-1])
        state = nest.map_structure(array_ops.identity, state)
    return outputs, state


@tf_export("nn.static_bidirectional_rnn")
@deprecated(
    None,
    "Please use `keras.layers.Bidirectional(keras.layers.RNN(cell, unroll=True))`, which is "
    "equivalent to this API",
    module=_MODULE,
)
def static_bidirectional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None,
    initial_state_bw: Any = None, dtype: DTypeLike | None = None,
    sequence_length: TensorLike | None = None,
    scope: Any = None,
) -> Any:  # fmt: skip
    """Two nets, one of which reads the inputs backwards.

    Args:
      cell_fw, cell_bw: the cells.
      initial_state_fw, initial_state_bw: their first states; zeros by default.
      scope: the variable scope, "bidirectional_rnn" by default.
      inputs, dtype, sequence_length: as in `static_rnn`.

    Returns:
      (a list of outputs, last state forwards, last state backwards): each output is that of both
      nets, joined along dimension 1.

    Raises:
      TypeError: a cell is none, or `inputs` no list.
      ValueError: there are no inputs.
    """
    cells.assert_like_rnncell("cell_fw", cell_fw)
    cells.assert_like_rnncell("cell_bw", cell_bw)
    _check_inputs(inputs)
    with vs.variable_scope(scope or "bidirectional_rnn"):
        with vs.variable_scope("fw") as fw_scope:
            output_fw, state_fw = static_rnn(
                cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=fw_scope
            )
        with vs.variable_scope("bw") as bw_scope:
            reversed_inputs = _reverse_seq(inputs, sequence_length)
            output_bw, state_bw = static_rnn(
                cell_bw, reversed_inputs, initial_state_bw, dtype, sequence_length, scope=bw_scope
            )
    output_bw = _reverse_seq(output_bw, sequence_length)
    pairs = zip(nest.flatten(output_fw), nest.flatten(output_bw), strict=True)
    joined = tuple(array_ops.concat([fw, bw], 1) for fw, bw in pairs)
    outputs = nest.pack_sequence_as(structure=output_fw, flat_sequence=joined)
    return outputs, state_fw, state_bw
