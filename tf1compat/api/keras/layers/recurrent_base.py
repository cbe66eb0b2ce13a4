"""Layers that run a cell over steps (of `tensorflow.python.keras.layers.recurrent`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.layers import serialization
from tf1compat.api.keras.utils import generic_utils, tf_utils
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables import state_ops
from tf1compat.core import nest
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.typing import DTypeLike, ShapeLike, TensorLike


def _is_multiple_state(state_size: Any) -> bool:
    return hasattr(state_size, "__len__") and not isinstance(state_size, TensorShape)


def _generate_zero_filled_state_for_cell(
    cell: Any, inputs: Any, batch_size: Any, dtype: Any
) -> Any:
    if inputs is not None:
        batch_size = array_ops.shape(inputs)[0]
        dtype = inputs.dtype
    return _generate_zero_filled_state(batch_size, cell.state_size, dtype)


def _generate_zero_filled_state(batch_size: Any, state_size: Any, dtype: DTypeLike | None) -> Any:
    if batch_size is None or dtype is None:
        raise ValueError(
            "batch_size and dtype cannot be None while constructing initial state: "
            f"batch_size={batch_size}, dtype={dtype}"
        )

    def zeros(size: Any) -> Any:
        return array_ops.zeros([batch_size, *as_shape(size).as_list()], dtype=dtype)

    return (
        nest.map_structure(zeros, state_size) if nest.is_sequence(state_size) else zeros(state_size)
    )


def _standardize_args(
    inputs: Any, initial_state: Any, constants: Any, num_constants: int
) -> tuple[Any, Any, Any]:
    """(inputs, initial states, constants) of a call that may give all in one list."""
    if isinstance(inputs, list):
        assert initial_state is None and constants is None
        if num_constants:
            constants = inputs[-num_constants:]
            inputs = inputs[:-num_constants]
        if len(inputs) > 1:
            initial_state = inputs[1:]
            inputs = inputs[:1]
        inputs = inputs[0]

    def as_list(x: Any) -> Any:
        if x is None or isinstance(x, list):
            return x
        return list(x) if isinstance(x, tuple) else [x]

    return inputs, as_list(initial_state), as_list(constants)


def _output_size(cell: Any) -> Any:
    if getattr(cell, "output_size", None) is not None:
        return cell.output_size
    return cell.state_size[0] if _is_multiple_state(cell.state_size) else cell.state_size


def _serialized(layer: Any) -> dict[str, Any]:
    return {"class_name": type(layer).__name__, "config": layer.get_config()}


def _deserialized(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    return serialization.deserialize(config, custom_objects=custom_objects)


@tf_export("keras.layers.StackedRNNCells")
class StackedRNNCells(Layer):
    """Cells, one on the other, as one.

    Args:
      cells: the cells.
      **kwargs: see `Layer`.
    """

    def __init__(self, cells: Any, **kwargs: Any):
        for cell in cells:
            for attribute, what in (("call", "method"), ("state_size", "attribute")):
                if not hasattr(cell, attribute):
                    raise ValueError(
                        f"All cells must have a `{attribute}` {what}. received cells:", cells
                    )
        reverse = kwargs.pop("reverse_state_order", False)
        if reverse:
            logging.warning(
                "reverse_state_order=True in StackedRNNCells will soon be deprecated. Please "
                "update the code to work with the natural order of states if you rely on the RNN "
                "states, eg RNN(return_state=True)."
            )
        self.cells = cells
        self.reverse_state_order = reverse
        super().__init__(**kwargs)

    @property
    def _ordered(self) -> Any:
        return self.cells[::-1] if self.reverse_state_order else self.cells

    @property
    def state_size(self) -> tuple[Any, ...]:
        """The sizes of the cells' states."""
        return tuple(cell.state_size for cell in self._ordered)

    @property
    def output_size(self) -> Any:
        """The size of the last cell's outputs."""
        return _output_size(self.cells[-1])

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: DTypeLike | None = None
    ) -> tuple[Any, ...]:
        """The states that the cells begin with."""
        states = []
        for cell in self._ordered:
            own = getattr(cell, "get_initial_state", None)
            if own:
                states.append(own(inputs=inputs, batch_size=batch_size, dtype=dtype))
            else:
                states.append(_generate_zero_filled_state_for_cell(cell, inputs, batch_size, dtype))
        return tuple(states)

    def call(self, inputs: Any, states: Any, constants: Any = None, **kwargs: Any) -> Any:  # pyright: ignore
        """One step: (outputs, new states)."""
        sizes = self.state_size[::-1] if self.reverse_state_order else self.state_size
        nested = nest.pack_sequence_as(sizes, nest.flatten(states))
        new_states = []
        for cell, state in zip(self.cells, nested, strict=False):
            state = state if nest.is_sequence(state) else [state]
            if len(state) == 1 and getattr(cell, "_is_tf_rnn_cell", None) is not None:
                state = state[0]
            own = dict(kwargs)
            if generic_utils.has_arg(cell.call, "constants"):
                own["constants"] = constants
            inputs, state = cell.call(inputs, state, **own)
            new_states.append(state)
        return inputs, nest.pack_sequence_as(sizes, nest.flatten(new_states))

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Makes the cells' variables."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                cell.build(input_shape)
            input_shape = (input_shape[0], *as_shape(_output_size(cell)).as_list())
        self.built = True

    def get_config(self) -> dict[str, Any]:
        """The configs of the cells."""
        return {**super().get_config(), "cells": [_serialized(cell) for cell in self.cells]}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Cells from what `get_config` gave."""
        cells = [_deserialized(cell, custom_objects) for cell in config.pop("cells")]
        return cls(cells, **config)


@tf_export("keras.layers.RNN")
class RNN(Layer):
    """Runs a cell over the steps of sequences.

    Args:
      cell: an object with `call(inputs, states)`, `state_size`, and maybe `output_size` and
        `get_initial_state`; or a list of them.
      return_sequences: whether to give all outputs, rather than the last.
      return_state: whether to give the last states too.
      go_backwards: whether to begin with the last step.
      stateful: whether a batch begins with the states that the last one ended with.
      unroll: whether to record each step instead of a loop.
      time_major: whether inputs and outputs are [steps, batch, ...].
      **kwargs: `zero_output_for_mask`, whether masked steps have outputs of zeros; `input_dim` and
        `input_length`, the shape of the inputs; others see `Layer`.
    """

    def __init__(
        self, cell: Any, return_sequences: bool = False, return_state: bool = False,
        go_backwards: bool = False, stateful: bool = False, unroll: bool = False,
        time_major: bool = False, **kwargs: Any,
    ):  # fmt: skip
        if isinstance(cell, list | tuple):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call"):
            raise ValueError("`cell` should have a `call` method. The RNN was passed:", cell)
        if not hasattr(cell, "state_size"):
            raise ValueError(
                "The RNN cell should have an attribute `state_size` (tuple of integers, one "
                "integer per RNN state)."
            )
        zero_output = kwargs.pop("zero_output_for_mask", False)
        if "input_shape" not in kwargs and ("input_dim" in kwargs or "input_length" in kwargs):
            kwargs["input_shape"] = (
                kwargs.pop("input_length", None),
                kwargs.pop("input_dim", None),
            )
        super().__init__(**kwargs)
        self.zero_output_for_mask = zero_output
        self.cell = cell
        self.return_sequences = return_sequences
        self.return_state = return_state
        self.go_backwards = go_backwards
        self.stateful = stateful
        self.unroll = unroll
        self.time_major = time_major
        self.supports_masking = True
        self.input_spec = None
        self.state_spec: Any = None
        self._set_private("_states", None)
        self.constants_spec: Any = None
        self._num_constants = 0

    @property
    def states(self) -> Any:
        """The states that a stateful layer keeps; None for each before there are any."""
        if self._states is None:
            size = self.cell.state_size
            state = nest.map_structure(lambda _: None, size)
            return state if nest.is_sequence(size) else [state]
        return self._states

    @states.setter
    def states(self, states: Any) -> None:
        self._set_private("_states", states)

    @property
    def _state_sizes(self) -> list[Any]:
        size = self.cell.state_size
        return list(size) if _is_multiple_state(size) else [size]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The static shapes of the outputs, and of the states if they are given."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        try:
            input_shape = as_shape(input_shape)
        except (ValueError, TypeError):
            input_shape = nest.flatten(input_shape)[0]
        batch, steps = input_shape[0], input_shape[1]
        if self.time_major:
            batch, steps = steps, batch

        def output_shape(size: Any) -> TensorShape:
            sizes = as_shape(size).as_list()
            if not self.return_sequences:
                return as_shape([batch, *sizes])
            return as_shape([steps, batch, *sizes] if self.time_major else [batch, steps, *sizes])

        if getattr(self.cell, "output_size", None) is not None:
            found = nest.flatten(nest.map_structure(output_shape, self.cell.output_size))
            outputs = found[0] if len(found) == 1 else found
        else:
            outputs = output_shape(self._state_sizes[0])
        if not self.return_state:
            return outputs
        states = nest.map_structure(
            lambda size: as_shape([batch, *as_shape(size).as_list()]), self._state_sizes
        )
        return generic_utils.to_list(outputs) + nest.flatten(states)

    def compute_mask(self, inputs: Any, mask: TensorLike | None = None) -> Any:
        """The mask of the inputs, if all outputs are given."""
        mask = nest.flatten(mask)[0]
        output_mask = mask if self.return_sequences else None
        return [output_mask, *(None for _ in self.states)] if self.return_state else output_mask

    def build(self, input_shape: Any) -> None:
        """Makes the cell's variables."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]

        def sizes_of(shape: Any) -> list[Any]:
            return shape.as_list() if isinstance(shape, TensorShape) else list(shape)

        def spec(shape: ShapeLike) -> InputSpec:
            sizes = sizes_of(shape)
            batch, steps = (1, 0) if self.time_major else (0, 1)
            if not self.stateful:
                sizes[batch] = None
            sizes[steps] = None
            return InputSpec(shape=tuple(sizes))

        def step_shape(shape: ShapeLike) -> tuple[Any, ...]:
            sizes = sizes_of(shape)
            return tuple(sizes[1:]) if self.time_major else (sizes[0], *sizes[2:])

        try:
            input_shape = as_shape(input_shape)
        except (ValueError, TypeError):  # A structure of shapes.
            pass
        nested = nest.is_sequence(input_shape)
        own = nest.map_structure(spec, input_shape) if nested else spec(input_shape)
        if self.input_spec is not None:
            self.input_spec[0] = own
        else:
            self.input_spec = generic_utils.to_list(own)
        steps = nest.map_structure(step_shape, input_shape) if nested else step_shape(input_shape)
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build(steps)
        if self.state_spec is not None:
            self._validate_state_spec(self._state_sizes, self.state_spec)
        else:
            self.state_spec = [
                InputSpec(shape=[None, *as_shape(size).as_list()]) for size in self._state_sizes
            ]
        if self.stateful:
            self.reset_states()
        self.built = True

    @staticmethod
    def _validate_state_spec(cell_state_sizes: Any, init_state_specs: Any) -> None:
        sizes, specs = nest.flatten(cell_state_sizes), nest.flatten(init_state_specs)
        if len(sizes) != len(specs) or not all(
            TensorShape(spec.shape[1:]).is_compatible_with(TensorShape(size))
            for size, spec in zip(sizes, specs, strict=True)
        ):
            raise ValueError(
                "An `initial_state` was passed that is not compatible with `cell.state_size`. "
                f"Received `state_spec`={init_state_specs}; however `cell.state_size` is "
                f"{cell_state_sizes}"
            )

    def get_initial_state(self, inputs: Any) -> list[Any]:
        """The states that the layer begins with."""
        own = getattr(self.cell, "get_initial_state", None)
        if nest.is_sequence(inputs):
            inputs = nest.flatten(inputs)[0]
        shape = array_ops.shape(inputs)
        batch_size = shape[1] if self.time_major else shape[0]
        if own:
            state = own(inputs=None, batch_size=batch_size, dtype=inputs.dtype)
        else:
            state = _generate_zero_filled_state(batch_size, self.cell.state_size, inputs.dtype)
        return list(state) if nest.is_sequence(state) else [state]

    def __call__(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any
    ) -> Any:
        """Applies the layer.

        Args:
          inputs: [batch, steps, ...]; or a list of these, the initial states and the constants.
          initial_state: the states to begin with; zeros by default.
          constants: what the cell gets in each step.
          **kwargs: see `call`.
        """
        inputs, initial_state, constants = _standardize_args(
            inputs, initial_state, constants, self._num_constants
        )
        if initial_state is None and constants is None:
            return super().__call__(inputs, **kwargs)

        def spec(x: Any) -> InputSpec:
            return InputSpec(shape=backend.int_shape(x))

        more: list[Any] = []
        specs: list[Any] = []
        if initial_state is not None:
            more += initial_state
            self.state_spec = nest.map_structure(spec, initial_state)
            specs += self.state_spec
        if constants is not None:
            more += constants
            self.constants_spec = [spec(x) for x in constants]
            self._num_constants = len(constants)
            specs += self.constants_spec
        flat = nest.flatten(more)
        is_keras = backend.is_keras_tensor(flat[0])
        if any(backend.is_keras_tensor(x) != is_keras for x in flat):
            raise ValueError(
                "The initial state or constants of an RNN layer cannot be specified with a mix of "
                'Keras tensors and non-Keras tensors (a "Keras tensor" is a tensor that was '
                "returned by a Keras layer, or by `Input`)"
            )
        if is_keras:
            # They are inputs of the layer too.
            own = generic_utils.to_list(nest.map_structure(lambda _: None, inputs))
            self.input_spec = own + specs
            output = super().__call__([inputs, *more], **kwargs)
            self.input_spec = self.input_spec[: -len(specs)]
            return output
        if initial_state is not None:
            kwargs["initial_state"] = initial_state
        if constants is not None:
            kwargs["constants"] = constants
        return super().__call__(inputs, **kwargs)

    def call(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, mask: TensorLike | None = None, training: Any = None,
        initial_state: Any = None,
        constants: Any = None,
    ) -> Any:  # fmt: skip
        """Runs the cell: the outputs, and the states if they are asked for."""
        inputs, initial_state, constants = self._process_inputs(inputs, initial_state, constants)
        if mask is not None:
            mask = nest.flatten(mask)[0]
        shape: Any = backend.int_shape(nest.flatten(inputs)[0])
        if self.unroll and shape[0 if self.time_major else 1] is None:
            raise ValueError(
                "Cannot unroll a RNN if the time dimension is undefined. \n- If using a Sequential "
                "model, specify the time dimension by passing an `input_shape` or "
                "`batch_input_shape` argument to your first layer. If your first layer is an "
                "Embedding, you can also use the `input_length` argument.\n- If using the "
                "functional API, specify the time dimension by passing a `shape` or `batch_shape` "
                "argument to your Input layer."
            )
        kwargs = {}
        if generic_utils.has_arg(self.cell.call, "training"):
            kwargs["training"] = training
        is_tf_cell = getattr(self.cell, "_is_tf_rnn_cell", None) is not None
        if constants and not generic_utils.has_arg(self.cell.call, "constants"):
            raise ValueError("RNN cell does not support constants")

        def step(inputs: Any, states: Any) -> tuple[Any, Any]:
            own = dict(kwargs)
            if constants:
                own["constants"] = states[-self._num_constants :]
                states = states[: -self._num_constants]
            if len(states) == 1 and is_tf_cell:
                states = states[0]
            output, new_states = self.cell.call(inputs, states, **own)
            return output, new_states if nest.is_sequence(new_states) else [new_states]

        last_output, outputs, states = self._run_steps(step, inputs, initial_state, constants, mask)
        if self.stateful:
            self.add_update(
                [
                    state_ops.assign(variable, state)
                    for variable, state in zip(
                        nest.flatten(self.states), nest.flatten(states), strict=True
                    )
                ]
            )
        output = outputs if self.return_sequences else last_output
        if not self.return_state:
            return output
        states = list(states) if isinstance(states, list | tuple) else [states]
        return generic_utils.to_list(output) + states

    def _run_steps(
        self, step: Any, inputs: Any, initial_state: Any, constants: Any, mask: Any,
        input_length: int | None = None,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """The last output, all outputs and the last states."""
        return backend.rnn(
            step, inputs, initial_state, constants=constants, go_backwards=self.go_backwards,
            mask=mask, unroll=self.unroll, time_major=self.time_major, input_length=input_length,
            zero_output_for_mask=self.zero_output_for_mask,
        )  # fmt: skip

    def _process_inputs(
        self, inputs: Any, initial_state: Any, constants: Any
    ) -> tuple[Any, Any, Any]:
        if isinstance(inputs, list):
            if self._num_constants:
                initial_state = inputs[1 : -self._num_constants]
                constants = inputs[-self._num_constants :]
            else:
                initial_state = inputs[1:]
            initial_state = initial_state or None
            inputs = inputs[0]
        if initial_state is None:
            initial_state = self.states if self.stateful else self.get_initial_state(inputs)
        if len(initial_state) != len(self.states):
            raise ValueError(
                f"Layer has {len(self.states)} states but was passed {len(initial_state)} initial "
                "states."
            )
        return inputs, initial_state, constants

    def reset_states(self, states: Any = None) -> None:
        """Sets the states of a stateful layer.

        Args:
          states: arrays; zeros by default.

        Raises:
          AttributeError: the layer keeps no states.
          ValueError: the size of the batches is not known, or the arrays don't fit.
        """
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        shape = None if self.input_spec is None else self.input_spec[0].shape
        batch_size = None if shape is None else shape[1 if self.time_major else 0]
        if not batch_size:
            raise ValueError(
                "If a RNN is stateful, it needs to know its batch size. Specify the batch size of "
                "your input tensors: \n- If using a Sequential model, specify the batch size by "
                "passing a `batch_input_shape` argument to your first layer.\n- If using the "
                "functional API, specify the batch size by passing a `batch_shape` argument to "
                "your Input layer."
            )
        size = self.cell.state_size
        if nest.flatten(self.states)[0] is None:
            made = nest.map_structure(
                lambda own: backend.zeros([batch_size, *as_shape(own).as_list()]), size
            )
            self.states = made if nest.is_sequence(made) else [made]
            return
        variables = nest.flatten(self.states)
        if states is None:
            for variable, own in zip(variables, nest.flatten(size), strict=True):
                sizes: list[Any] = [batch_size, *as_shape(own).as_list()]
                backend.set_value(variable, np.zeros(sizes))
            return
        values = nest.flatten(states)
        if len(values) != len(variables):
            raise ValueError(
                f"Layer {self.name} expects {len(variables)} states, but it received {len(values)} "
                f"state values. Input received: {states}"
            )
        for i, (value, variable) in enumerate(zip(values, variables, strict=True)):
            if value.shape != tuple(variable.shape.as_list()):
                raise ValueError(
                    f"State {i} is incompatible with layer {self.name}: expected "
                    f"shape={(batch_size, variable)}, found shape={value.shape}"
                )
        backend.batch_set_value(list(zip(variables, values, strict=True)))

    def get_config(self) -> dict[str, Any]:
        """The settings, and the config of the cell."""
        names = (
            "return_sequences", "return_state", "go_backwards", "stateful", "unroll", "time_major",
        )  # fmt: skip
        config: dict[str, Any] = {name: getattr(self, name) for name in names}
        if self._num_constants:
            config["num_constants"] = self._num_constants
        if self.zero_output_for_mask:
            config["zero_output_for_mask"] = self.zero_output_for_mask
        config["cell"] = _serialized(self.cell)
        return {**super().get_config(), **config}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A layer from what `get_config` gave."""
        cell = _deserialized(config.pop("cell"), custom_objects)
        count = config.pop("num_constants", 0)
        layer = cls(cell, **config)
        layer._num_constants = count
        return layer


@tf_export("keras.layers.AbstractRNNCell")
class AbstractRNNCell(Layer):
    """Base class of cells: `call`, `state_size` and `output_size`."""

    def call(self, inputs: Any, states: Any) -> Any:  # pyright: ignore
        """One step: (outputs, new states)."""
        raise NotImplementedError("Abstract method")

    @property
    def state_size(self) -> Any:
        """The size of the state, or of each state."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of the outputs."""
        raise NotImplementedError("Abstract method")

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: DTypeLike | None = None
    ) -> Any:
        """Zeros."""
        return _generate_zero_filled_state_for_cell(self, inputs, batch_size, dtype)
