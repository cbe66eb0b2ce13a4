"""`tf.nn.dynamic_rnn` and its kin: nets of a cell in a loop (`tensorflow.python.ops.rnn`).

Those of one copy of the cell for each step are in `rnn_static`; all are offered here, as in TF.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops, while_loop
from tf1compat.api.math import math_ops
from tf1compat.api.rnn import rnn_cell_impl as cells
from tf1compat.api.rnn.rnn_cell_impl import _concat
from tf1compat.api.rnn.rnn_static import (  # noqa: F401
    _cache_variables,
    _infer_state_dtype,
    _initial_state,
    _is_keras_rnn_cell,
    _reverse_seq,
    _rnn_step,
    _should_cache,
    static_bidirectional_rnn,
    static_rnn,
    static_state_saving_rnn,
)
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import context, dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, as_shape, dimension_at_index, dimension_value
from tf1compat.core.tensor_util import constant_value
from tf1compat.core.typing import DTypeLike, ShapeLike, TensorLike


def _transpose_batch_time(x: Any) -> Any:
    """Swaps the first two dimensions; a vector or scalar stays as it is."""
    static = x.get_shape()
    if static.rank is not None and static.rank < 2:
        return x
    rest = math_ops.range(2, array_ops.rank(x))
    swapped = array_ops.transpose(x, array_ops.concat(([1, 0], rest), axis=0))
    dims = static.dims
    swapped.set_shape(TensorShape([dims[1].value, dims[0].value]).concatenate(static[2:]))
    return swapped


def _best_effort_input_batch_size(flat_input: Any) -> Any:
    """The batch size of tensors [time, batch, ...]: an int if one of them tells, else a tensor.

    Raises:
      ValueError: a tensor has a rank below 2.
    """
    for tensor in flat_input:
        shape = tensor.shape
        if shape.ndims is None:
            continue
        if shape.ndims < 2:
            raise ValueError(f"Expected input tensor {tensor!s} to have rank at least 2")
        size = shape.dims[1].value
        if size is not None:
            return size
    return array_ops.shape(flat_input[0])[1]


def _maybe_tensor_shape_from_tensor(shape: ShapeLike) -> Any:
    return as_shape(constant_value(shape)) if isinstance(shape, Tensor) else shape


@tf_export("nn.bidirectional_dynamic_rnn")
@deprecated(
    None,
    "Please use `keras.layers.Bidirectional(keras.layers.RNN(cell))`, which is equivalent to this "
    "API",
)
def bidirectional_dynamic_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, sequence_length: TensorLike | None = None,
    initial_state_fw: Any = None, initial_state_bw: Any = None, dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None, swap_memory: bool = False, time_major: bool = False,
    scope: Any = None,
) -> Any:  # fmt: skip
    """Two nets, one of which reads the inputs backwards.

    Args:
      cell_fw, cell_bw: the cells.
      initial_state_fw, initial_state_bw: their first states; zeros by default.
      scope: the variable scope, "bidirectional_rnn" by default.
      inputs, sequence_length, dtype, parallel_iterations, swap_memory, time_major: as in
        `dynamic_rnn`.

    Returns:
      ((outputs forwards, outputs backwards), (last state forwards, last state backwards)). The
      outputs of both are in the order of the inputs.

    Raises:
      TypeError: a cell is none.
    """
    cells.assert_like_rnncell("cell_fw", cell_fw)
    cells.assert_like_rnncell("cell_bw", cell_bw)
    time_axis, batch_axis = (0, 1) if time_major else (1, 0)
    settings = {
        "sequence_length": sequence_length,
        "dtype": dtype,
        "parallel_iterations": parallel_iterations,
        "swap_memory": swap_memory,
        "time_major": time_major,
    }

    def reverse(x: TensorLike) -> Any:
        if sequence_length is None:
            return array_ops.reverse(x, axis=[time_axis])
        return array_ops.reverse_sequence(
            input=x, seq_lengths=sequence_length, seq_axis=time_axis, batch_axis=batch_axis
        )

    with vs.variable_scope(scope or "bidirectional_rnn"):
        with vs.variable_scope("fw") as fw_scope:
            output_fw, state_fw = dynamic_rnn(
                cell=cell_fw, inputs=inputs, initial_state=initial_state_fw, scope=fw_scope,
                **settings,
            )  # fmt: skip
        with vs.variable_scope("bw") as bw_scope:
            reversed_inputs = nest.map_structure(reverse, inputs)
            output_bw, state_bw = dynamic_rnn(
                cell=cell_bw, inputs=reversed_inputs, initial_state=initial_state_bw,
                scope=bw_scope, **settings,
            )  # fmt: skip
    return (output_fw, reverse(output_bw)), (state_fw, state_bw)


@tf_export("nn.dynamic_rnn")
@deprecated(None, "Please use `keras.layers.RNN(cell)`, which is equivalent to this API")
def dynamic_rnn(
    cell: Any, inputs: Any, sequence_length: TensorLike | None = None, initial_state: Any = None,
    dtype: DTypeLike | None = None, parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False, scope: Any = None,
) -> Any:  # fmt: skip
    """Applies a cell to each step of the inputs, in one `tf.while_loop` (as in TF 1.15).

    Args:
      cell: the cell.
      inputs: a tensor [batch, time, ...], or a structure of them; [time, batch, ...] if
        `time_major`.
      sequence_length: how many steps each of the batch has, ints [batch]. After them outputs are
        zero and the state stays as it is.
      initial_state: the first state; zeros by default.
      dtype: of state and outputs; needed if there is no first state.
      parallel_iterations, swap_memory: as in `tf.while_loop`.
      time_major: whether time comes before batch, in inputs and outputs.
      scope: the variable scope, "rnn" by default.

    Returns:
      (outputs, last state): a tensor [batch, time, output_size], or [time, batch, output_size] if
      `time_major`, and what is structured as `cell.state_size`.

    Raises:
      TypeError: the cell is none.
      ValueError: there is neither a first state nor a dtype, or the inputs' size is unknown.
    """
    cells.assert_like_rnncell("cell", cell)
    with vs.variable_scope(scope or "rnn") as varscope:
        _cache_variables(varscope)
        flat_input = nest.flatten(inputs)
        if not time_major:
            flat_input = [ops.convert_to_tensor(x) for x in flat_input]
            flat_input = tuple(_transpose_batch_time(x) for x in flat_input)
        parallel_iterations = parallel_iterations or 32
        if sequence_length is not None:
            sequence_length = _vector_of_lengths(sequence_length)
        batch_size = _best_effort_input_batch_size(flat_input)
        if initial_state is not None:
            state = initial_state
        else:
            if not dtype:
                raise ValueError("If there is no initial_state, you must give a dtype.")
            state = _initial_state(cell, batch_size, dtype)
        if sequence_length is not None and not context.executing_eagerly():
            with ops.control_dependencies([_assert_has_shape(sequence_length, [batch_size])]):
                sequence_length = array_ops.identity(sequence_length, name="CheckSeqLen")
        inputs = nest.pack_sequence_as(structure=inputs, flat_sequence=flat_input)
        outputs, final_state = _dynamic_rnn_loop(
            cell, inputs, state, parallel_iterations, swap_memory, sequence_length, dtype
        )
        if time_major:
            return outputs, final_state
        return nest.map_structure(_transpose_batch_time, outputs), final_state


def _vector_of_lengths(sequence_length: TensorLike) -> Tensor:
    lengths = math_ops.cast(sequence_length, dtypes.int32)
    shape = lengths.get_shape()
    if shape.ndims not in (None, 1):
        raise ValueError(
            f"sequence_length must be a vector of length batch_size, but saw shape: {shape}"
        )
    return array_ops.identity(lengths, name="sequence_length")


def _assert_has_shape(x: Tensor, shape: ShapeLike) -> Any:
    x_shape = array_ops.shape(x)
    packed_shape = array_ops.stack(shape)
    return control_flow_ops.Assert(
        math_ops.reduce_all(math_ops.equal(x_shape, packed_shape)),
        [f"Expected shape for Tensor {x.name} is ", packed_shape, " but saw shape: ", x_shape],
    )


def _check_time_and_batch(flat_input: Any) -> tuple[TensorShape, ...]:
    """The static shapes of tensors [time, batch, size, ...] that must agree.

    Raises:
      ValueError: they differ in time or batch, or a size is unknown.
    """
    shapes = tuple(x.get_shape().with_rank_at_least(3) for x in flat_input)
    time_steps, batch_size = shapes[0].as_list()[:2]
    for shape in shapes:
        if not shape[2:].is_fully_defined():
            raise ValueError(
                "Input size (depth of inputs) must be accessible via shape inference, but saw "
                "value None."
            )
        if time_steps != shape.dims[0].value:
            raise ValueError(
                "Time steps is not the same for all the elements in the input in a batch."
            )
        if batch_size != shape.dims[1].value:
            raise ValueError("Batch_size is not the same for all the elements in the input.")
    return shapes


def _dynamic_rnn_loop(
    cell: Any, inputs: Any, initial_state: Any, parallel_iterations: int, swap_memory: bool,
    sequence_length: Any = None, dtype: DTypeLike | None = None,
) -> Any:  # fmt: skip
    """The loop of `dynamic_rnn`, over inputs [time, batch, ...].

    Returns:
      (outputs [time, batch, ...], last state).
    """
    state = initial_state
    assert isinstance(parallel_iterations, int), "parallel_iterations must be int"
    state_size = cell.state_size
    flat_input = nest.flatten(inputs)
    flat_output_size = nest.flatten(cell.output_size)
    time_steps: Any = array_ops.shape(flat_input[0])[0]
    batch_size = _best_effort_input_batch_size(flat_input)
    input_shapes = _check_time_and_batch(flat_input)
    const_time_steps, const_batch_size = input_shapes[0].as_list()[:2]
    output_dtype = _infer_state_dtype(dtype, state)

    def zeros(size: Any) -> Tensor:
        return array_ops.zeros(array_ops.stack(_concat(batch_size, size)), output_dtype)

    flat_zero_output = tuple(zeros(size) for size in flat_output_size)
    zero_output = nest.pack_sequence_as(cell.output_size, flat_zero_output)
    min_sequence_length, max_sequence_length = None, time_steps
    if sequence_length is not None:
        min_sequence_length = math_ops.reduce_min(sequence_length)
        max_sequence_length = math_ops.reduce_max(sequence_length)
    time: Any = array_ops.constant(0, dtype=dtypes.int32, name="time")
    with ops.name_scope("dynamic_rnn") as scope:
        base_name = scope

    def array(name: str, element_shape: ShapeLike, dtype: Any) -> tensor_array_ops.TensorArray:
        return tensor_array_ops.TensorArray(
            dtype=dtype, size=time_steps, element_shape=element_shape,
            tensor_array_name=base_name + name,
        )  # fmt: skip

    in_graph_mode = not context.executing_eagerly()
    output_ta: Any
    input_ta: Any
    if in_graph_mode:
        output_ta = tuple(
            array(
                f"output_{i}",
                TensorShape([const_batch_size]).concatenate(_maybe_tensor_shape_from_tensor(size)),
                output_dtype,
            )
            for i, size in enumerate(flat_output_size)
        )
        input_ta = tuple(
            array(f"input_{i}", x.shape[1:], x.dtype) for i, x in enumerate(flat_input)
        )
        input_ta = tuple(ta.unstack(x) for ta, x in zip(input_ta, flat_input, strict=True))
    else:
        output_ta = tuple([None] * int(time_steps) for _ in flat_output_size)
        input_ta = flat_input

    def time_step(time: Any, output_ta: Any, state: Any) -> Any:
        if in_graph_mode:
            step = tuple(ta.read(time) for ta in input_ta)
            for x, shape in zip(step, input_shapes, strict=True):
                x.set_shape(shape[1:])
        else:
            step = tuple(x[int(time)] for x in input_ta)
        step = nest.pack_sequence_as(structure=inputs, flat_sequence=step)
        is_keras_rnn_cell = _is_keras_rnn_cell(cell)
        if is_keras_rnn_cell and not nest.is_sequence(state):
            state = [state]

        def call_cell() -> Any:
            return cell(step, state)

        if sequence_length is None:
            output, new_state = call_cell()
        else:
            output, new_state = _rnn_step(
                time, sequence_length, min_sequence_length, max_sequence_length, zero_output,
                state, call_cell, state_size, skip_conditionals=True,
            )  # fmt: skip
        flat_output = nest.flatten(output)
        if in_graph_mode:
            output_ta = tuple(ta.write(time, out) for ta, out in zip(output_ta, flat_output))
        else:
            for written, out in zip(output_ta, flat_output):
                written[int(time)] = out
        alone = is_keras_rnn_cell and len(new_state) == 1
        return time + 1, output_ta, new_state[0] if alone else new_state

    if not in_graph_mode:
        while int(time) < int(time_steps):
            time, output_ta, state = time_step(time, output_ta, state)
        stacked = [array_ops.stack(outputs, axis=0) for outputs in output_ta]
        return nest.pack_sequence_as(cell.output_size, stacked), state
    # A batch of empty sequences has one step too, so that the shapes are known.
    loop_bound = math_ops.minimum(time_steps, math_ops.maximum(1, max_sequence_length))
    _, final_ta, final_state = while_loop.while_loop(
        cond=lambda time, *_: time < loop_bound,
        body=time_step,
        loop_vars=(time, output_ta, state),
        parallel_iterations=parallel_iterations,
        maximum_iterations=time_steps,
        swap_memory=swap_memory,
    )
    final_outputs = tuple(ta.stack() for ta in final_ta)
    for output, size in zip(final_outputs, flat_output_size, strict=True):
        output.set_shape(_concat([const_time_steps, const_batch_size], size, static=True))
    return nest.pack_sequence_as(cell.output_size, final_outputs), final_state


def _common_batch_size(flat_input: Any) -> tuple[int | None, Any]:
    """The batch size, None if it is not known, and what to use for it.

    Raises:
      ValueError: the inputs differ.
    """
    first = dimension_at_index(flat_input[0].get_shape(), 0)
    for x in flat_input[1:]:
        other = dimension_at_index(x.get_shape(), 0)
        first.assert_is_compatible_with(other)
    known = dimension_value(first)
    return known, array_ops.shape(flat_input[0])[0] if known is None else known


@tf_export("nn.raw_rnn")
def raw_rnn(
    cell: Any, loop_fn: Callable[..., Any], parallel_iterations: int | None = None,
    swap_memory: bool = False, scope: Any = None,
) -> Any:  # fmt: skip
    """A loop of a cell in which a function says what comes in and goes out (as in TF 1.15).

    Args:
      cell: the cell.
      loop_fn: `loop_fn(time, output, state, loop_state)` returns `(elements_finished, next_input,
        next_state, emit_output, next_loop_state)`. It is first called with `(time, None, None,
        None)`: it gives the first input and state then, and in `emit_output` zeros that say dtype
        and shape (without batch) of what is emitted, or None if that is the cell's output.
      parallel_iterations, swap_memory: as in `tf.while_loop`.
      scope: the variable scope, "rnn" by default.

    Returns:
      (TensorArrays of what was emitted, last state, last loop state or None).

    Raises:
      TypeError: the cell is none, or `loop_fn` not callable.
    """
    cells.assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    parallel_iterations = parallel_iterations or 32
    with vs.variable_scope(scope or "rnn") as varscope:
        _cache_variables(varscope)
        time = constant_op.constant_v1(0, dtype=dtypes.int32)
        elements_finished, next_input, initial_state, emit_structure, init_loop_state = loop_fn(
            time, None, None, None
        )
        flat_input = nest.flatten(next_input)
        loop_state = init_loop_state
        if loop_state is None:
            # A while loop needs some value.
            loop_state = constant_op.constant_v1(0, dtype=dtypes.int32)
        const_batch_size, batch_size = _common_batch_size(flat_input)
        nest.assert_same_structure(initial_state, cell.state_size)
        flat_state = [ops.convert_to_tensor(s) for s in nest.flatten(initial_state)]
        state = nest.pack_sequence_as(structure=initial_state, flat_sequence=flat_state)
        if emit_structure is not None:
            # What is emitted: its size and dtype.
            emitted = [
                (x.shape if x.shape.is_fully_defined() else array_ops.shape(x), x.dtype)
                for x in nest.flatten(emit_structure)
            ]
        else:
            emit_structure = cell.output_size
            emitted = [(size, flat_state[0].dtype) for size in nest.flatten(emit_structure)]

        def array(index: int, size: Any, dtype: Any) -> tensor_array_ops.TensorArray:
            static_size = _maybe_tensor_shape_from_tensor(size)
            return tensor_array_ops.TensorArray(
                dtype, size=0, dynamic_size=True, name=f"rnn_output_{index}",
                element_shape=TensorShape([const_batch_size]).concatenate(static_size),
            )  # fmt: skip

        arrays = [array(i, size, dtype) for i, (size, dtype) in enumerate(emitted)]
        emit_ta = nest.pack_sequence_as(emit_structure, arrays)
        zeros = [array_ops.zeros(_concat(batch_size, size), dtype) for size, dtype in emitted]
        zero_emit = nest.pack_sequence_as(emit_structure, zeros)

        def unfinished(time: Any, elements_finished: Any, *_: Any) -> Any:
            return math_ops.logical_not(math_ops.reduce_all(elements_finished))

        def step(
            time: Any, elements_finished: Any, current_input: Any, emit_ta: Any, state: Any,
            loop_state: Any,
        ) -> Any:  # fmt: skip
            next_output, cell_state = cell(current_input, state)
            nest.assert_same_structure(state, cell_state)
            nest.assert_same_structure(cell.output_size, next_output)
            next_time = time + 1
            next_finished, next_input, next_state, emit_output, next_loop_state = loop_fn(
                next_time, next_output, cell_state, loop_state
            )
            nest.assert_same_structure(state, next_state)
            nest.assert_same_structure(current_input, next_input)
            nest.assert_same_structure(emit_ta, emit_output)
            if next_loop_state is not None:
                loop_state = next_loop_state

            def keep_finished(current: Any, candidate: Any) -> Any:
                if isinstance(current, tensor_array_ops.TensorArray) or current.shape.ndims == 0:
                    return candidate
                with ops.colocate_with(candidate):
                    return array_ops.where(elements_finished, current, candidate)

            emit_output = nest.map_structure(keep_finished, zero_emit, emit_output)
            next_state = nest.map_structure(keep_finished, state, next_state)
            emit_ta = nest.map_structure(
                lambda ta, emit: ta.write(time, emit), emit_ta, emit_output
            )
            elements_finished = math_ops.logical_or(elements_finished, next_finished)
            return next_time, elements_finished, next_input, emit_ta, next_state, loop_state

        returned = while_loop.while_loop(
            unfinished,
            step,
            loop_vars=[time, elements_finished, next_input, emit_ta, state, loop_state],
            parallel_iterations=parallel_iterations,
            swap_memory=swap_memory,
        )
        emit_ta, final_state, final_loop_state = returned[-3:]
        return emit_ta, final_state, None if init_loop_state is None else final_loop_state
