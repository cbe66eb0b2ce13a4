"""Layers around layers (`tensorflow.python.keras.layers.wrappers`)."""

from __future__ import annotations

import copy
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.layers.recurrent_base import (
    _deserialized,
    _serialized,
    _standardize_args,
)
from tf1compat.api.keras.utils import generic_utils, layer_utils, tf_utils
from tf1compat.core import nest
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import TensorLike


@tf_export("keras.layers.Wrapper")
class Wrapper(Layer):
    """Base class of layers around a layer.

    Args:
      layer: the layer.
      **kwargs: arguments of `Layer`.
    """

    _owns_layer = True

    def __init__(self, layer: Any, **kwargs: Any):
        assert isinstance(layer, Layer)
        if self._owns_layer:
            self.layer: Any = layer
        else:
            self._set_private("layer", layer)
        self._set_private("_input_map", {})
        super().__init__(**kwargs)

    def build(self, input_shape: Any = None) -> None:
        """Makes the layer's variables."""
        if not self.layer.built:
            self.layer.build(input_shape)
        self.built = True

    @property
    def activity_regularizer(self) -> Any:  # pyright: ignore
        """That of the layer."""
        return getattr(self.layer, "activity_regularizer", None)

    def get_config(self) -> dict[str, Any]:
        """The config of the layer, and the settings."""
        return {**super().get_config(), "layer": _serialized(self.layer)}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A layer from what `get_config` gave."""
        return cls(_deserialized(config.pop("layer"), custom_objects), **config)


def _shape_tuple(start: tuple[Any, ...], tensor: Any, first: int, sizes: Any = None) -> Any:
    """`start` and the sizes of a tensor from dimension `first` on, as tensors where unknown."""
    if sizes is None:
        sizes = backend.int_shape(tensor)[first:]
    if all(sizes):
        return (*start, *sizes)
    shape = backend.shape(tensor)
    return (*start, *(size if size else shape[first + i] for i, size in enumerate(sizes)))


@tf_export("keras.layers.TimeDistributed")
class TimeDistributed(Wrapper):
    """Applies a layer to each step.

    Args:
      layer: the layer.
      **kwargs: see `Layer`.
    """

    def __init__(self, layer: Any, **kwargs: Any):
        if not isinstance(layer, Layer):
            raise ValueError(
                "Please initialize `TimeDistributed` layer with a `Layer` instance. You passed: "
                f"{layer}"
            )
        super().__init__(layer, **kwargs)
        self.supports_masking = True
        self._always_use_reshape = layer_utils.is_builtin_layer(layer) and not getattr(
            layer, "stateful", False
        )

    def build(self, input_shape: Any) -> None:
        """Makes the layer's variables."""
        shape = TensorShape(input_shape).as_list()
        if len(shape) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 "
                f"dimensions, received: {shape}"
            )
        self.input_spec = InputSpec(shape=[None, None, *shape[2:]])
        super().build((shape[0], *shape[2:]))
        self.built = True

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The shape of the layer's outputs, with the steps."""
        shape = TensorShape(input_shape).as_list()
        inner = self.layer.compute_output_shape(TensorShape([shape[0], *shape[2:]]))
        inner = TensorShape(inner).as_list()
        return TensorShape([inner[0], shape[1], *inner[1:]])

    def call(self, inputs: Any, training: Any = None, mask: TensorLike | None = None) -> Any:  # pyright: ignore
        """The layer's outputs for each step."""
        kwargs = {}
        if generic_utils.has_arg(self.layer.call, "training"):
            kwargs["training"] = training
        shape: Any = backend.int_shape(inputs)
        if shape[0] and not self._always_use_reshape:

            def step(x: Any, _: Any) -> tuple[Any, list[Any]]:
                return self.layer(x, **kwargs), []

            return backend.rnn(
                step, inputs, initial_states=[], input_length=shape[1], unroll=False
            )[1]
        # Steps are samples too.
        length = shape[1] or array_ops.shape(inputs)[1]
        inner_shape = _shape_tuple((-1,), inputs, 2)
        uid = generic_utils.object_list_uid(inputs)
        inputs = array_ops.reshape(inputs, inner_shape)
        self._input_map[uid] = inputs
        if generic_utils.has_arg(self.layer.call, "mask") and mask is not None:
            kwargs["mask"] = backend.reshape(mask, _shape_tuple((-1,), mask, 2))
        y = self.layer(inputs, **kwargs)
        output_shape = self.compute_output_shape(shape).as_list()
        return array_ops.reshape(y, _shape_tuple((-1, length), y, 1, output_shape[2:]))

    def compute_mask(self, inputs: Any, mask: TensorLike | None = None) -> Any:
        """The layer's masks for each step."""
        shape: Any = backend.int_shape(inputs)
        if shape[0]:
            return mask
        inner_mask = mask
        if inner_mask is not None:
            inner_mask = backend.reshape(mask, _shape_tuple((-1,), mask, 2))
        uid = generic_utils.object_list_uid(inputs)
        found = self.layer.compute_mask(self._input_map.get(uid, inputs), inner_mask)
        if found is None:
            if mask is None:
                return None
            found = mask
            for _ in range(2, len(backend.int_shape(mask))):
                found = backend.any(found, axis=-1)
            return found
        length = shape[1] or backend.shape(inputs)[1]
        sizes = backend.int_shape(found)
        if sizes is None and mask is not None:
            sizes = backend.int_shape(mask)
        inner_sizes = sizes[1:]  # pyright: ignore[reportOptionalSubscript]
        return backend.reshape(found, _shape_tuple((-1, length), found, 1, inner_sizes))


@tf_export("keras.layers.Bidirectional")
class Bidirectional(Wrapper):
    """Runs a recurrent layer forwards and backwards.

    Args:
      layer: the layer; it is not used itself, but two like it.
      merge_mode: "sum", "mul", "ave", "concat", or None for a list of both outputs.
      weights: first values of the variables.
      backward_layer: another layer to run backwards.
      **kwargs: see `Layer`.
    """

    _owns_layer = False

    def __init__(
        self, layer: Any, merge_mode: Any = "concat", weights: Any = None,
        backward_layer: Any = None, **kwargs: Any,
    ):  # fmt: skip
        if not isinstance(layer, Layer):
            raise ValueError(
                "Please initialize `Bidirectional` layer with a `Layer` instance. You passed: "
                f"{layer}"
            )
        if backward_layer is not None and not isinstance(backward_layer, Layer):
            raise ValueError(
                f"`backward_layer` need to be a `Layer` instance. You passed: {backward_layer}"
            )
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError(
                "Invalid merge mode. Merge mode should be one of "
                '{"sum", "mul", "ave", "concat", None}'
            )
        self.forward_layer: Any = _recreated(layer)
        if backward_layer is None:
            self.backward_layer: Any = _recreated(layer, go_backwards=True)
        else:
            self.backward_layer = backward_layer
            self._set_private("_backward_layer_config", backward_layer.get_config())
        self.forward_layer._name = f"forward_{self.forward_layer.name}"
        self.backward_layer._name = f"backward_{self.backward_layer.name}"
        self._verify_layer_config()
        for inner in (self.forward_layer, self.backward_layer):
            if getattr(inner, "zero_output_for_mask", None) is not None:
                inner.zero_output_for_mask = inner.return_sequences
        if weights:
            half = len(weights) // 2
            self.forward_layer.initial_weights = weights[:half]
            self.backward_layer.initial_weights = weights[half:]
        super().__init__(layer, **kwargs)
        self.merge_mode = merge_mode
        self.return_sequences = layer.return_sequences
        self.return_state = layer.return_state
        self.supports_masking = True
        self._num_constants = 0
        self.input_spec = layer.input_spec

    def _verify_layer_config(self) -> None:
        forward, backward = self.forward_layer, self.backward_layer
        if forward.go_backwards == backward.go_backwards:
            raise ValueError(
                "Forward layer and backward layer should have different `go_backwards` value."
            )
        for name in ("stateful", "return_sequences", "return_state"):
            one, other = getattr(forward, name), getattr(backward, name)
            if one != other:
                raise ValueError(
                    "Forward layer and backward layer are expected to have the same value for "
                    f"attribute {name}, got {one} and {other}"
                )

    @property
    def constraints(self) -> dict[Any, Any]:
        """What both layers say that their variables are held to."""
        return {
            variable: constraint
            for layer in (self.forward_layer, self.backward_layer)
            for variable, constraint in getattr(layer, "constraints", {}).items()
        }

    @tf_utils.shape_type_conversion
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shapes of the merged outputs, and of the states if they are given."""
        shape: Any = self.forward_layer.compute_output_shape(input_shape)
        states: Any = []
        if self.return_state:
            states, shape = shape[1:], shape[0]
        shape = tuple(TensorShape(shape).as_list())
        if self.merge_mode == "concat":
            shape = (*shape[:-1], shape[-1] * 2)
        outputs: Any = [shape, copy.copy(shape)] if self.merge_mode is None else shape
        if not self.return_state:
            return outputs
        own = outputs if self.merge_mode is None else [outputs]
        return own + states + copy.copy(states)

    def __call__(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any
    ) -> Any:
        """Applies the layer. Args: see `RNN`; the states are those of both layers."""
        inputs, initial_state, constants = _standardize_args(
            inputs, initial_state, constants, self._num_constants
        )
        if isinstance(inputs, list):
            if len(inputs) > 1:
                initial_state = inputs[1:]
            inputs = inputs[0]
        if initial_state is None and constants is None:
            return super().__call__(inputs, **kwargs)

        def spec(x: Any) -> InputSpec:
            return InputSpec(shape=backend.int_shape(x))

        more: list[Any] = []
        specs: list[Any] = []
        forward, backward = self.forward_layer, self.backward_layer
        if initial_state is not None:
            count = len(initial_state)
            if count % 2 > 0:
                raise ValueError(
                    "When passing `initial_state` to a Bidirectional RNN, the state should be a "
                    f"list containing the states of the underlying RNNs. Found: {initial_state}"
                )
            kwargs["initial_state"] = initial_state
            more += initial_state
            own = [spec(x) for x in initial_state]
            forward.state_spec, backward.state_spec = own[: count // 2], own[count // 2 :]
            specs += own
        if constants is not None:
            kwargs["constants"] = constants
            more += constants
            own = [spec(x) for x in constants]
            specs += own
            self._num_constants = len(constants)
            for inner in (forward, backward):
                inner.constants_spec = own
                inner._num_constants = self._num_constants
        is_keras = backend.is_keras_tensor(more[0])
        if any(backend.is_keras_tensor(x) != is_keras for x in more):
            raise ValueError(
                "The initial state of a Bidirectional layer cannot be specified with a mix of "
                'Keras tensors and non-Keras tensors (a "Keras tensor" is a tensor that was '
                "returned by a Keras layer, or by `Input`)"
            )
        if not is_keras:
            return super().__call__(inputs, **kwargs)
        kwargs["initial_state"] = None
        kwargs["constants"] = None
        before = self.input_spec
        self.input_spec = [None for _ in nest.flatten(inputs)] + specs
        output = super().__call__([inputs, *more], **kwargs)
        self.input_spec = before
        return output

    def call(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, training: Any = None, mask: TensorLike | None = None,
        initial_state: Any = None,
        constants: Any = None,
    ) -> Any:  # fmt: skip
        """Runs both layers and merges what they give."""
        kwargs = {}
        given = {"training": training, "mask": mask, "constants": constants}
        for name, value in given.items():
            if generic_utils.has_arg(self.layer.call, name):
                kwargs[name] = value
        forward, backward = (inputs, {}), (inputs, {})
        if generic_utils.has_arg(self.layer.call, "initial_state"):
            states: Any = (None, None)
            if isinstance(inputs, list) and len(inputs) > 1:
                # The states and constants are inputs.
                count = self._num_constants
                half = (len(inputs) - count) // 2 + 1
                first, tail = [inputs[0]], inputs[-count:] if count else []
                forward = (first + inputs[1:half] + tail, {})
                backward = (first + inputs[half : len(inputs) - count] + tail, {})
                if "constants" in kwargs:
                    kwargs["constants"] = None
            elif initial_state is not None:
                half = len(initial_state) // 2
                states = (initial_state[:half], initial_state[half:])
            forward[1]["initial_state"], backward[1]["initial_state"] = states
        y = self.forward_layer(forward[0], **forward[1], **kwargs)
        y_rev = self.backward_layer(backward[0], **backward[1], **kwargs)
        last: list[Any] = []
        if self.return_state:
            last = y[1:] + y_rev[1:]
            y, y_rev = y[0], y_rev[0]
        if self.return_sequences:
            y_rev = backend.reverse(y_rev, 1)
        if self.merge_mode is None:
            return [y, y_rev, *last]
        output = _MERGES[self.merge_mode](y, y_rev)
        return [output, *last] if self.return_state else output

    def reset_states(self) -> None:
        """Resets the states of both layers."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def build(self, input_shape: Any = None) -> None:
        """Makes the variables of both layers."""
        for inner in (self.forward_layer, self.backward_layer):
            with backend.name_scope(inner.name):
                inner.build(input_shape)
        self.built = True

    def compute_mask(self, inputs: Any, mask: TensorLike | None = None) -> Any:
        """The mask of the inputs, if all outputs are given."""
        if isinstance(mask, list):
            mask = mask[0]
        found: Any = mask if self.return_sequences else None
        if not self.merge_mode:
            found = [found, found]
        if not self.return_state:
            return found
        states = [None for _ in self.forward_layer.states] * 2
        return (found if isinstance(found, list) else [found]) + states

    def get_config(self) -> dict[str, Any]:
        """The settings, and the configs of the layers."""
        config: dict[str, Any] = {**super().get_config(), "merge_mode": self.merge_mode}
        if self._num_constants:
            config["num_constants"] = self._num_constants
        if hasattr(self, "_backward_layer_config"):
            config["backward_layer"] = {
                "class_name": type(self.backward_layer).__name__,
                "config": self._backward_layer_config,
            }
        return config

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A layer from what `get_config` gave."""
        config = dict(config)
        count = config.pop("num_constants", 0)
        backward = config.pop("backward_layer", None)
        if backward is not None:
            config["backward_layer"] = _deserialized(backward, custom_objects)
        layer = super().from_config(config, custom_objects=custom_objects)
        layer._num_constants = count
        return layer


_MERGES = {
    "concat": lambda y, y_rev: backend.concatenate([y, y_rev]),
    "sum": lambda y, y_rev: y + y_rev,
    "ave": lambda y, y_rev: (y + y_rev) / 2,
    "mul": lambda y, y_rev: y * y_rev,
}


def _recreated(layer: Any, go_backwards: bool = False) -> Any:
    """A layer like this one, or one that goes the other way."""
    config = layer.get_config()
    if go_backwards:
        config["go_backwards"] = not config["go_backwards"]
    if not generic_utils.has_arg(type(layer).from_config, "custom_objects"):
        return type(layer).from_config(config)
    cell = getattr(layer, "cell", None)
    cells = [] if cell is None else [cell, *getattr(cell, "cells", [])]
    objects = {type(c).__name__: type(c) for c in cells}
    return type(layer).from_config(config, custom_objects=objects)
