"""What cells around cells do (`tensorflow.python.ops.rnn_cell_wrapper_impl`)."""

from __future__ import annotations

import hashlib
import numbers
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import tensor_array_ops
from tf1compat.api.keras.utils import generic_utils
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import nest, ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, TensorLike


class _AroundCell:
    """What a wrapper has from the cell inside."""

    cell: Any

    state_size = attribute("cell.state_size", "That of the cell.")
    output_size = attribute("cell.output_size", "That of the cell.")

    def zero_state(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """That of the cell."""
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self.cell.zero_state(batch_size, dtype)


class DropoutWrapperBase(_AroundCell):
    """Drops parts of a cell's input, state and output."""

    def __init__(
        self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0, variational_recurrent: bool = False, input_size: Any = None,
        dtype: DTypeLike | None = None, seed: int | None = None,
        dropout_state_filter_visitor: Any = None,
        **kwargs: Any,
    ):  # fmt: skip
        """Wraps a cell.

        Args:
          cell: the cell.
          input_keep_prob, output_keep_prob, state_keep_prob: probabilities of keeping an element,
            floats or scalar tensors. The memory (c) of an LSTM cell is always kept.
          variational_recurrent: drop the same elements in all steps
            (https://arxiv.org/abs/1512.05287).
          input_size: a structure of TensorShapes of the inputs without the batch, if the dropout is
            variational and `input_keep_prob` is not 1.
          dtype: of inputs, states and outputs, if the dropout is variational.
          seed: an int from which the seeds of the dropouts are made.
          dropout_state_filter_visitor: takes a part of the state and says whether to drop from it,
            or, for a structure, from which of its parts.
          **kwargs: as in `RNNCell`.

        Raises:
          TypeError: the filter is not callable, or the cell is none.
          ValueError: a probability is not between 0 and 1, or `dtype` or `input_size` is missing.
        """
        super().__init__(cell, dtype=dtype, **kwargs)  # type: ignore[call-arg]
        self.cell: Any
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._dropout_state_filter = (
            dropout_state_filter_visitor or _default_dropout_state_filter_visitor
        )
        with ops.name_scope("DropoutWrapperInit"):
            self._input_keep_prob = _probability("input_keep_prob", input_keep_prob)
            self._state_keep_prob = _probability("state_keep_prob", state_keep_prob)
            self._output_keep_prob = _probability("output_keep_prob", output_keep_prob)
        self._variational_recurrent = variational_recurrent
        self._input_size = input_size
        self._seed = seed
        self._recurrent_input_noise = None
        self._recurrent_state_noise = None
        self._recurrent_output_noise = None
        if variational_recurrent:
            if dtype is None:
                raise ValueError("When variational_recurrent=True, dtype must be provided")
            if not isinstance(self._input_keep_prob, numbers.Real) or self._input_keep_prob < 1.0:
                if input_size is None:
                    raise ValueError(
                        "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, "
                        "input_size must be provided"
                    )
                self._recurrent_input_noise = self._noise("input", input_size, dtype)
            self._recurrent_state_noise = self._noise("state", cell.state_size, dtype)
            self._recurrent_output_noise = self._noise("output", cell.output_size, dtype)

    def _noise(self, salt: str, sizes: Any, dtype: DTypeLike) -> Any:
        """Uniform random numbers [1, *size] for each size."""

        def draw(index: int, size: Any) -> Tensor:
            shape = array_ops.concat(([1], TensorShape(size).as_list()), 0)
            return random_ops.random_uniform(shape, seed=self._gen_seed(salt, index), dtype=dtype)

        return _enumerated_map_structure_up_to(sizes, draw, sizes)

    def _gen_seed(self, salt_prefix: str, index: int) -> int | None:
        """A seed for the `index`-th dropout of a kind, made from the wrapper's own."""
        if self._seed is None:
            return None
        text = f"{self._seed}{salt_prefix}_{index}".encode()
        return int(hashlib.md5(text).hexdigest()[:8], 16) & 0x7FFFFFFF

    wrapped_cell = attribute("cell", "The cell inside.")

    def _variational_recurrent_dropout_value(
        self, unused_index: int, value: Tensor, noise: Tensor, keep_prob: TensorLike
    ) -> Tensor:
        mask = math_ops.floor(keep_prob + noise)
        kept = math_ops.div(value, keep_prob) * mask
        kept.set_shape(value.get_shape())
        return kept

    def _dropout(
        self, values: Any, salt_prefix: str, recurrent_noise: Any, keep_prob: Any,
        shallow_filtered_substructure: Any = None,
    ) -> Any:  # fmt: skip
        """Drops from a structure of tensors.

        Args:
          values: the tensors.
          salt_prefix: tells the seeds of inputs, states and outputs apart.
          recurrent_noise: the random numbers of variational dropout, structured as `values`.
          keep_prob: the probability of keeping an element.
          shallow_filtered_substructure: a structure over `values`: False where nothing is dropped.
        """
        if shallow_filtered_substructure is None:
            shallow_filtered_substructure = values

        def dropout(index: int, wanted: Any, value: Any, *noise: Any) -> Any:
            if isinstance(wanted, bool) and not wanted:
                return value
            if self._variational_recurrent:
                return self._variational_recurrent_dropout_value(index, value, noise[0], keep_prob)
            seed = self._gen_seed(salt_prefix, index)
            return nn_ops.dropout_v2(value, rate=1.0 - keep_prob, seed=seed)

        trees = [shallow_filtered_substructure, values]
        if self._variational_recurrent:
            trees.append(recurrent_noise)
        return _enumerated_map_structure_up_to(shallow_filtered_substructure, dropout, *trees)

    def _call_wrapped_cell(
        self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any
    ) -> Any:
        if _drops(self._input_keep_prob):
            inputs = self._dropout(
                inputs, "input", self._recurrent_input_noise, self._input_keep_prob
            )
        output, new_state = cell_call_fn(inputs, state, **kwargs)
        if _drops(self._state_keep_prob):
            # Which parts of the state to drop from.
            wanted = nest.get_traverse_shallow_structure(self._dropout_state_filter, new_state)
            new_state = self._dropout(
                new_state, "state", self._recurrent_state_noise, self._state_keep_prob, wanted
            )
        if _drops(self._output_keep_prob):
            output = self._dropout(
                output, "output", self._recurrent_output_noise, self._output_keep_prob
            )
        return output, new_state

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal wrapper."""
        own: dict[str, Any] = {}
        if self._dropout_state_filter is not _default_dropout_state_filter_visitor:
            own = _function_config("dropout_fn", "dropout_fn", self._dropout_state_filter)
        return {
            **super().get_config(),  # type: ignore[misc]
            "input_keep_prob": self._input_keep_prob,
            "output_keep_prob": self._output_keep_prob,
            "state_keep_prob": self._state_keep_prob,
            "variational_recurrent": self._variational_recurrent,
            "input_size": self._input_size,
            "seed": self._seed,
            **own,
        }

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A wrapper from what `get_config` gave."""
        if "dropout_fn" in config:
            config = dict(config)
            config["dropout_state_filter_visitor"] = _pop_function(
                config, custom_objects, "dropout_fn", "dropout_fn"
            )
        base: Any = super()
        return base.from_config(config, custom_objects=custom_objects)


def _probability(name: str, value: Any) -> Any:
    """A probability as a float; as a tensor if it is not known."""
    tensor = ops.convert_to_tensor(value)
    known = tensor_util.constant_value(tensor)
    if known is None:
        return tensor
    if known < 0 or known > 1:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {int(known)}")
    return float(known)


def _drops(keep_prob: TensorLike) -> bool:
    return not isinstance(keep_prob, float) or keep_prob < 1


class ResidualWrapperBase(_AroundCell):
    """Adds a cell's input to its output."""

    def __init__(self, cell: Any, residual_fn: Any = None, **kwargs: Any):
        """Wraps a cell.

        Args:
          cell: the cell.
          residual_fn: takes the inputs and the cell's outputs and gives the wrapper's outputs;
            their sum by default.
          **kwargs: as in `RNNCell`.
        """
        super().__init__(cell, **kwargs)  # type: ignore[call-arg]
        self.cell: Any
        self._residual_fn = residual_fn

    def _call_wrapped_cell(
        self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any
    ) -> Any:
        outputs, new_state = cell_call_fn(inputs, state, **kwargs)
        return (self._residual_fn or _sum_of_both)(inputs, outputs), new_state

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal wrapper."""
        own: dict[str, Any] = {}
        if self._residual_fn is not None:
            own = _function_config("residual_fn", "residule_fn", self._residual_fn)
        return {**super().get_config(), **own}  # type: ignore[misc]

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A wrapper from what `get_config` gave."""
        if "residual_fn" in config:
            config = dict(config)
            config["residual_fn"] = _pop_function(
                config, custom_objects, "residual_fn", "residule_fn"
            )
        base: Any = super()
        return base.from_config(config, custom_objects=custom_objects)


def _function_config(name: str, module_prefix: str, function: Any) -> dict[str, Any]:
    """What a config has of a function; TF misspells the key of a residual function's module."""
    value, kind, module = generic_utils.function_config(function)
    return {name: value, f"{name}_type": kind, f"{module_prefix}_module": module}


def _pop_function(
    config: dict[str, Any], custom_objects: dict[str, Any] | None, name: str, module_prefix: str
) -> Any:
    value, kind = config.pop(name), config.pop(f"{name}_type")
    module = config.pop(f"{module_prefix}_module", None)
    return generic_utils.function_of_config(
        value, kind, module, custom_objects, "wrapper", globals()
    )


def assert_shapes_match(inputs: Any, outputs: Any) -> None:
    """Checks that two structures of tensors have one form and compatible static shapes.

    Raises:
      ValueError, TypeError: they don't.
    """
    nest.assert_same_structure(inputs, outputs)
    nest.map_structure(
        lambda x, y: x.get_shape().assert_is_compatible_with(y.get_shape()), inputs, outputs
    )


def _sum_of_both(inputs: Any, outputs: Any) -> Any:
    assert_shapes_match(inputs, outputs)
    return nest.map_structure(lambda x, y: x + y, inputs, outputs)


class DeviceWrapperBase(_AroundCell):
    """Puts a cell on a device."""

    def __init__(self, cell: Any, device: Any, **kwargs: Any):
        """Wraps a cell.

        Args:
          cell: the cell.
          device: as in `tf.device`.
          **kwargs: as in `RNNCell`.
        """
        super().__init__(cell, **kwargs)  # type: ignore[call-arg]
        self.cell: Any
        self._device = device

    def zero_state(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """That of the cell."""
        name = type(self).__name__ + "ZeroState"
        with ops.name_scope(name, values=[batch_size]), ops.device(self._device):
            return self.cell.zero_state(batch_size, dtype)

    def _call_wrapped_cell(
        self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any
    ) -> Any:
        with ops.device(self._device):
            return cell_call_fn(inputs, state, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal wrapper."""
        return {**super().get_config(), "device": self._device}  # type: ignore[misc]


def _default_dropout_state_filter_visitor(substate: Any) -> Any:
    from tf1compat.api.rnn.rnn_cell_impl import LSTMStateTuple

    if isinstance(substate, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(substate, tensor_array_ops.TensorArray)


def _enumerated_map_structure_up_to(
    shallow_structure: Any, map_fn: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """`nest.map_structure_up_to` with the number of the leaf as a first argument of `map_fn`."""
    count = -1

    def numbered(*values: Any) -> Any:
        nonlocal count
        count += 1
        return map_fn(count, *values)

    return nest.map_structure_up_to(shallow_structure, numbered, *args, **kwargs)
