"""`tf.keras.backend.rnn`: a function of a step, applied to all steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import tensor_array_ops, while_loop
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value

__all__ = ["rnn"]


def _swapped(x: Any) -> Any:
    return array_ops.transpose(x, [1, 0, *range(2, len(x.shape))])


def _expanded(mask: Any, x: Any, fixed_dim: int = 1) -> Any:
    """A mask in the shape of what it masks."""
    for _ in range(len(x.shape) - len(mask.shape)):
        mask = array_ops.expand_dims(mask, -1)
    return array_ops.tile(mask, [1] * fixed_dim + x.shape.as_list()[fixed_dim:])


@tf_export("keras.backend.rnn")
def rnn(
    step_function: Callable[..., Any], inputs: Any, initial_states: Any,
    go_backwards: bool = False, mask: Any = None, constants: Any = None, unroll: bool = False,
    input_length: Any = None, time_major: bool = False, zero_output_for_mask: bool = False,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Applies a function to each step of sequences.

    Args:
      step_function: a function of (the inputs of a step, states and constants) that gives (output,
        new states).
      inputs: a tensor [batch, steps, ...], or a structure of them.
      initial_states: tensors.
      go_backwards: whether to begin with the last step.
      mask: bools [batch, steps]: a step that is False repeats the last output and keeps the state.
      constants: what `step_function` gets after the states.
      unroll: whether to record each step instead of a loop; their number must be known.
      input_length: the number of steps, or None.
      time_major: whether inputs and outputs are [steps, batch, ...].
      zero_output_for_mask: whether masked steps have outputs of zeros instead.

    Returns:
      (the last output, all outputs, the last states).
    """
    if not time_major:
        inputs = nest.map_structure(_swapped, inputs)
    flat_inputs = nest.flatten(inputs)
    time_steps = dimension_value(flat_inputs[0].shape[0])
    batch = dimension_value(flat_inputs[0].shape[1])
    time_steps_t = array_ops.shape(flat_inputs[0])[0]
    for x in flat_inputs:
        x.shape.with_rank_at_least(3)
    if mask is not None:
        if mask.dtype != dtypes.bool:
            mask = math_ops.cast(mask, dtypes.bool)
        if len(mask.shape) == 2:
            mask = backend.expand_dims(mask)
        if not time_major:
            mask = _swapped(mask)
    constants = tuple(constants or ())

    def step(x: Any, states: Any) -> Any:
        return step_function(x, tuple(states) + constants)

    if unroll:
        if not time_steps:
            raise ValueError("Unrolling requires a fixed number of timesteps.")
        run = _Unrolled(step, inputs, go_backwards, zero_output_for_mask)
        last_output, outputs, new_states = run(tuple(initial_states), mask, time_steps)
    else:
        run = _Looped(step, inputs, initial_states, go_backwards, zero_output_for_mask)
        last_output, outputs, new_states = run(mask, time_steps_t, input_length)

    def with_steps(output: Any) -> Any:
        if isinstance(output, ops.Tensor):
            output.set_shape([time_steps, batch, *output.shape.as_list()[2:]])
        return output

    outputs = nest.map_structure(with_steps, outputs)
    if not time_major:
        outputs = nest.map_structure(_swapped, outputs)
    return last_output, outputs, new_states


class _Unrolled:
    """Records the steps one by one."""

    def __init__(self, step: Any, inputs: Any, go_backwards: bool, zero_output: bool):
        self._step = step
        self._backwards = go_backwards
        self._zero_output = zero_output
        self._structure = inputs
        self._inputs = [self._steps(x) for x in nest.flatten(inputs)]

    def _steps(self, x: Any) -> list[Any]:
        steps = array_ops.unstack(x)
        return steps[::-1] if self._backwards else steps

    def _at(self, time: int) -> Any:
        return nest.pack_sequence_as(self._structure, [x[time] for x in self._inputs])

    def __call__(self, states: Any, mask: Any, time_steps: int) -> tuple[Any, Any, Any]:
        outputs: list[Any] = []
        if mask is None:
            for time in range(time_steps):
                output, states = self._step(self._at(time), states)
                outputs.append(output)
            return outputs[-1], array_ops.stack(outputs), states
        masks = self._steps(mask)
        for time in range(time_steps):
            output, new_states = self._step(self._at(time), states)
            wide = _expanded(masks[time], output)
            before = outputs[-1] if outputs else backend.zeros_like(output)
            outputs.append(array_ops.where(wide, output, before))
            kept = []
            for state, new_state in zip(states, new_states, strict=False):
                wide = _expanded(masks[time], new_state)
                kept.append(array_ops.where(wide, new_state, state))
            states = kept
        last, stacked = outputs[-1], array_ops.stack(outputs)
        if self._zero_output:
            last = array_ops.where(_expanded(masks[-1], last), last, backend.zeros_like(last))
            wide = _expanded(mask, stacked, fixed_dim=2)
            stacked = array_ops.where(wide, stacked, backend.zeros_like(stacked))
        return last, stacked, states


class _Looped:
    """Records a loop over the steps."""

    def __init__(
        self, step: Any, inputs: Any, initial_states: Any, go_backwards: bool, zero_output: bool
    ):
        self._step = step
        self._structure = inputs
        self._initial_states = initial_states
        self._backwards = go_backwards
        self._zero_output = zero_output

    def __call__(self, mask: Any, time_steps: Any, input_length: Any) -> tuple[Any, Any, Any]:
        states = tuple(self._initial_states)
        flat_inputs = nest.flatten(self._structure)
        arrays = tuple(
            tensor_array_ops.TensorArray(
                dtype=x.dtype, size=time_steps, tensor_array_name=f"input_ta_{i}"
            )
            for i, x in enumerate(flat_inputs)
        )
        self._arrays = tuple(
            array.unstack(backend.reverse(x, 0) if self._backwards else x)
            for array, x in zip(arrays, flat_inputs, strict=True)
        )
        # The first step is recorded once more, to know the outputs' structure and dtypes.
        first = nest.pack_sequence_as(self._structure, [x[0] for x in flat_inputs])
        first_output, _ = self._step(first, states)
        output_arrays = tuple(
            tensor_array_ops.TensorArray(
                dtype=x.dtype, size=time_steps, element_shape=x.shape,
                tensor_array_name=f"output_ta_{i}",
            )
            for i, x in enumerate(nest.flatten(first_output))
        )  # fmt: skip
        time = constant_op.constant(0, dtype="int32", name="time")
        settings: dict[str, Any] = {
            "cond": lambda time, *_: time < time_steps,
            "maximum_iterations": input_length,
            "parallel_iterations": 32,
            "swap_memory": True,
        }
        if mask is None:
            final = while_loop.while_loop(
                body=self._body, loop_vars=(time, output_arrays, *states), **settings
            )
            new_states = final[2:]
        else:
            if not states:
                raise ValueError(
                    "No initial states provided! When using masking in an RNN, you should provide "
                    "initial states (and your step function should return as its first state at "
                    "time `t` the output at time `t-1`)."
                )
            if self._backwards:
                mask = backend.reverse(mask, 0)
            self._masks = tensor_array_ops.TensorArray(
                dtype=dtypes.bool, size=time_steps, tensor_array_name="mask_ta"
            ).unstack(mask)
            self._zeros = tuple(array_ops.zeros_like(x) for x in nest.flatten(first_output))
            final = while_loop.while_loop(
                body=self._masked_body,
                loop_vars=(time, output_arrays, self._zeros, *states),
                **settings,
            )
            new_states = final[3:]
        outputs = tuple(array.stack() for array in final[1])
        last = tuple(x[-1] for x in outputs)
        return (
            nest.pack_sequence_as(first_output, last),
            nest.pack_sequence_as(first_output, outputs),
            new_states,
        )

    def _input(self, time: Any) -> Any:
        current = tuple(array.read(time) for array in self._arrays)
        return nest.pack_sequence_as(self._structure, current)

    def _advance(self, current: Any, states: Any) -> tuple[Any, Any, list[Any]]:
        output, new_states = self._step(current, states)
        flat = nest.flatten(new_states)
        for state, new_state in zip(nest.flatten(states), flat, strict=False):
            if isinstance(new_state, ops.Tensor):
                new_state.set_shape(state.shape)
        return output, new_states, flat

    def _body(self, time: Any, arrays: Any, *states: Any) -> Any:
        output, _, flat_states = self._advance(self._input(time), states)
        arrays = tuple(
            array.write(time, x) for array, x in zip(arrays, nest.flatten(output), strict=True)
        )
        return time + 1, arrays, *nest.pack_sequence_as(self._initial_states, flat_states)

    def _masked_body(self, time: Any, arrays: Any, before: Any, *states: Any) -> Any:
        current = self._input(time)
        mask = self._masks.read(time)
        output, new_states = self._step(current, states)
        flat_output = nest.flatten(output)
        instead = self._zeros if self._zero_output else nest.flatten(before)
        wide = tuple(_expanded(mask, x) for x in flat_output)
        flat_output = tuple(
            array_ops.where(m, x, other)
            for m, x, other in zip(wide, flat_output, instead, strict=True)
        )
        flat_states, flat_new = nest.flatten(states), nest.flatten(new_states)
        for state, new_state in zip(flat_states, flat_new, strict=False):
            if isinstance(new_state, ops.Tensor):
                new_state.set_shape(state.shape)
        wide = tuple(_expanded(mask, x) for x in flat_states)
        kept = tuple(
            array_ops.where(m, new, old)
            for m, new, old in zip(wide, flat_new, flat_states, strict=True)
        )
        new_states = nest.pack_sequence_as(new_states, kept)
        arrays = tuple(array.write(time, x) for array, x in zip(arrays, flat_output, strict=True))
        return time + 1, arrays, tuple(flat_output), *new_states


# Last, as that module takes all that is above.
from tf1compat.api.keras import backend  # noqa: E402
