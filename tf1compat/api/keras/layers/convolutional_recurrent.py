"""Recurrent layers whose states are images
(`tensorflow.python.keras.layers.convolutional_recurrent`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras import activations, backend, initializers, lookup
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.layers.recurrent import (
    _WEIGHTS,
    DropoutRNNCellMixin,
    _of_cell,
    _with_settings,
)
from tf1compat.api.keras.layers.recurrent_base import RNN
from tf1compat.api.keras.utils import conv_utils, generic_utils, tf_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import Dimension, TensorShape
from tf1compat.core.typing import Initializer, Regularizer, TensorLike

_SETTINGS = (
    "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation",
    "recurrent_activation", "use_bias", *_WEIGHTS[:3], "unit_forget_bias", *_WEIGHTS[3:],
    "dropout", "recurrent_dropout",
)  # fmt: skip


class ConvRNN2D(RNN):
    """Runs a cell whose states are images over the steps of sequences of images.

    Args:
      cell: the cell.
      return_sequences, return_state, go_backwards, stateful, **kwargs: see `RNN`.
      unroll: False.
    """

    def __init__(
        self, cell: Any, return_sequences: bool = False, return_state: bool = False,
        go_backwards: bool = False, stateful: bool = False, unroll: bool = False, **kwargs: Any,
    ):  # fmt: skip
        if unroll:
            raise TypeError("Unrolling isn't possible with convolutional RNNs.")
        if isinstance(cell, list | tuple):
            raise TypeError("It is not possible at the moment tostack convolutional cells.")
        super().__init__(
            cell, return_sequences, return_state, go_backwards, stateful, unroll, **kwargs
        )
        self.input_spec = [InputSpec(ndim=5)]

    @property
    def _first(self) -> bool:
        return self.cell.data_format == "channels_first"

    @tf_utils.shape_type_conversion
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The static shapes of the outputs, and of the states if they are given."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        cell = self.cell
        space = [
            conv_utils.conv_output_length(
                size, cell.kernel_size[i], cell.padding, cell.strides[i], cell.dilation_rate[i]
            )
            for i, size in enumerate(input_shape[3:5] if self._first else input_shape[2:4])
        ]
        image = (cell.filters, *space) if self._first else (*space, cell.filters)
        batch, steps = input_shape[:2]
        outputs = (batch, steps, *image) if self.return_sequences else (batch, *image)
        return [outputs, (batch, *image), (batch, *image)] if self.return_state else outputs

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Makes the cell's variables."""
        constants = input_shape[-self._num_constants :] if self._num_constants else None
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        batch_size = input_shape[0] if self.stateful else None
        self.input_spec[0] = InputSpec(shape=(batch_size, None, *input_shape[2:5]))
        if isinstance(self.cell, Layer):
            step = (input_shape[0], *input_shape[2:])
            self.cell.build([step, *constants] if constants is not None else step)
        channel = 1 if self._first else 3
        sizes = self._state_sizes
        if self.state_spec is None:
            self.state_spec = [
                InputSpec(shape=tuple(size if i == channel else None for i in range(4)))
                for size in sizes
            ]
        elif [spec.shape[channel] for spec in self.state_spec] != sizes:
            raise ValueError(
                "An initial_state was passed that is not compatible with `cell.state_size`. "
                f"Received `state_spec`={[spec.shape for spec in self.state_spec]}; However "
                f"`cell.state_size` is {self.cell.state_size}"
            )
        if self.stateful:
            self.reset_states()
        self.built = True

    def get_initial_state(self, inputs: Any) -> list[Any]:
        """Zeros, as large as the outputs: what a kernel of zeros makes of the inputs."""
        state = backend.sum(backend.zeros_like(inputs), axis=1)
        shape = (*self.cell.kernel_shape[:-1], self.cell.filters)
        state = self.cell.input_conv(state, array_ops.zeros(shape), padding=self.cell.padding)
        return [state for _ in self._state_sizes]

    def call(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, mask: TensorLike | None = None, training: Any = None,
        initial_state: Any = None,
        constants: Any = None,
    ) -> Any:  # fmt: skip
        """Runs the cell: the outputs, and the states if they are asked for."""
        inputs, initial_state, constants = self._process_inputs(inputs, initial_state, constants)
        if isinstance(mask, list):
            mask = mask[0]
        kwargs = {}
        if generic_utils.has_arg(self.cell.call, "training"):
            kwargs["training"] = training
        if constants and not generic_utils.has_arg(self.cell.call, "constants"):
            raise ValueError("RNN cell does not support constants")

        def step(inputs: Any, states: Any) -> Any:
            own = dict(kwargs)
            if constants:
                own["constants"] = states[-self._num_constants :]
                states = states[: -self._num_constants]
            return self.cell.call(inputs, states, **own)

        last, outputs, states = backend.rnn(
            step, inputs, initial_state, constants=constants, go_backwards=self.go_backwards,
            mask=mask, input_length=backend.int_shape(inputs)[1],
        )  # fmt: skip
        if self.stateful:
            self.add_update(
                [backend.update(own, new) for own, new in zip(self.states, states, strict=True)]
            )
        output = outputs if self.return_sequences else last
        return [output, *states] if self.return_state else output

    def reset_states(self, states: Any = None) -> None:
        """Sets the states of a stateful layer.

        Args:
          states: arrays; zeros by default.

        Raises:
          AttributeError: the layer keeps no states.
          ValueError: the size of batches or images is not known, or the arrays don't fit.
        """
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        shape: Any = self.compute_output_shape(self.input_spec[0].shape)
        if self.return_state:
            shape = shape[0]
        sizes = TensorShape(shape).as_list()
        if self.return_sequences:
            del sizes[1]
        if None in sizes:
            raise ValueError(
                "If a RNN is stateful, it needs to know its batch size. Specify the batch size of "
                "your input tensors: \n- If using a Sequential model, specify the batch size by "
                "passing a `batch_input_shape` argument to your first layer.\n- If using the "
                "functional API, specify the time dimension by passing a `batch_shape` argument to "
                "your Input layer.\nThe same thing goes for the number of rows and columns."
            )

        def state_shape(channels: int) -> tuple[Any, ...]:
            found = list(sizes)
            found[1 if self._first else 3] = channels
            return tuple(found)

        shapes = [state_shape(size) for size in self._state_sizes]
        if self.states[0] is None:
            self.states = [backend.zeros(one) for one in shapes]
            return
        if states is None:
            states = [np.zeros(one) for one in shapes]
        states = generic_utils.to_list(states)
        if len(states) != len(self.states):
            raise ValueError(
                f"Layer {self.name} expects {len(self.states)} states, but it received "
                f"{len(states)} state values. Input received: {states}"
            )
        for i, (value, variable, one) in enumerate(zip(states, self.states, shapes, strict=True)):
            if value.shape != one:
                channels = 1 if self._first else 3
                expected = tuple(n if a == channels else Dimension(n) for a, n in enumerate(one))
                raise ValueError(
                    f"State {i} is incompatible with layer {self.name}: expected shape={expected}, "
                    f"found shape={value.shape}"
                )
            backend.set_value(variable, value)


class ConvLSTM2DCell(DropoutRNNCellMixin, Layer):
    """A cell of long short-term memory whose products are convolutions.

    Args: see `ConvLSTM2D`.
    """

    kernel_size: Any
    strides: Any
    dilation_rate: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
        1), padding: str = "valid",
        data_format: str | None = None, dilation_rate: int | Sequence[int] = (1, 1),
        activation: Callable[..., Any] | str = "tanh",
        recurrent_activation: Any = "hard_sigmoid", use_bias: bool = True,
        kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal",
        bias_initializer: Initializer = "zeros", unit_forget_bias: bool = True,
        kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None, kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        super().__init__(**kwargs)
        self.filters = filters
        for name in ("kernel_size", "strides", "dilation_rate"):
            setattr(self, name, conv_utils.normalize_tuple(arguments[name], 2, name))
        self.padding = conv_utils.normalize_padding(padding)
        self.data_format = conv_utils.normalize_data_format(data_format)
        self.activation = activations.get(activation)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.use_bias = use_bias
        self.unit_forget_bias = unit_forget_bias
        for name in _WEIGHTS:
            get = getattr(lookup, name.rpartition("_")[2])
            setattr(self, name, get(arguments[name]))
        self.dropout = min(1.0, max(0.0, dropout))
        self.recurrent_dropout = min(1.0, max(0.0, recurrent_dropout))
        self.state_size = (self.filters, self.filters)

    def build(self, input_shape: Any) -> None:
        """Makes the kernels and the bias."""
        channels = input_shape[1 if self.data_format == "channels_first" else -1]
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self.kernel_shape = (*self.kernel_size, channels, self.filters * 4)
        self.kernel = self.add_weight(
            shape=self.kernel_shape, initializer=self.kernel_initializer, name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            shape=(*self.kernel_size, self.filters, self.filters * 4), name="recurrent_kernel",
            initializer=self.recurrent_initializer, regularizer=self.recurrent_regularizer,
            constraint=self.recurrent_constraint,
        )  # fmt: skip

        def forgetting_little(_: Any, *args: Any, **kwargs: Any) -> Any:
            own, ones = self.bias_initializer, initializers.get("ones")
            parts = [
                own((self.filters,), *args, **kwargs),
                ones((self.filters,), *args, **kwargs),
                own((self.filters * 2,), *args, **kwargs),
            ]
            return backend.concatenate(parts)

        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                shape=(self.filters * 4,), name="bias",
                initializer=forgetting_little if self.unit_forget_bias else self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:  # pyright: ignore
        """One step: (outputs, new states)."""
        h, carry = states[0], states[1]
        mask = self.get_dropout_mask_for_cell(inputs, training, count=4)
        recurrent_mask = self.get_recurrent_dropout_mask_for_cell(h, training, count=4)

        def masked(x: Any, masks: Any, rate: float) -> list[Any]:
            return [x * one for one in masks] if 0 < rate < 1.0 else [x] * 4

        xs = masked(inputs, mask, self.dropout)
        hs = masked(h, recurrent_mask, self.recurrent_dropout)
        kernels = array_ops.split(self.kernel, 4, axis=3)
        recurrent_kernels = array_ops.split(self.recurrent_kernel, 4, axis=3)
        biases = array_ops.split(self.bias, 4) if self.use_bias else [None] * 4
        x_i, x_f, x_c, x_o = (
            self.input_conv(x, w, b, padding=self.padding)
            for x, w, b in zip(xs, kernels, biases, strict=True)
        )
        h_i, h_f, h_c, h_o = (
            self.recurrent_conv(x, w) for x, w in zip(hs, recurrent_kernels, strict=True)
        )
        i = self.recurrent_activation(x_i + h_i)
        f = self.recurrent_activation(x_f + h_f)
        carry = f * carry + i * self.activation(x_c + h_c)
        o = self.recurrent_activation(x_o + h_o)
        h = o * self.activation(carry)
        return h, [h, carry]

    def input_conv(self, x: Any, w: TensorLike, b: Any = None, padding: str = "valid") -> Any:
        """A convolution of the inputs."""
        outputs = backend.conv2d(
            x, w, strides=self.strides, padding=padding, data_format=self.data_format,
            dilation_rate=self.dilation_rate,
        )  # fmt: skip
        if b is not None:
            outputs = backend.bias_add(outputs, b, data_format=self.data_format)
        return outputs

    def recurrent_conv(self, x: Any, w: TensorLike) -> Any:
        """A convolution of the states."""
        return backend.conv2d(x, w, strides=(1, 1), padding="same", data_format=self.data_format)

    get_config = settings(*_SETTINGS)


@tf_export("keras.layers.ConvLSTM2D")
@_of_cell(*_SETTINGS)
class ConvLSTM2D(ConvRNN2D):
    """Long short-term memory whose products are convolutions (Shi and others).

    Args:
      filters: the number of output channels.
      kernel_size, strides, dilation_rate: one int, or one for each spatial dimension.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      activation, recurrent_activation: of the outputs and of the gates.
      use_bias: whether there is a bias.
      kernel_initializer, …: settings of the variables.
      unit_forget_bias: whether the bias of the forget gate begins with 1.
      activity_regularizer: a function of the outputs whose result joins the losses.
      dropout, recurrent_dropout: the probabilities with which inputs and states are dropped.
      return_sequences, go_backwards, stateful, **kwargs: see `RNN`.
    """

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
        1), padding: str = "valid",
        data_format: str | None = None, dilation_rate: int | Sequence[int] = (1, 1),
        activation: Callable[..., Any] | str = "tanh",
        recurrent_activation: Any = "hard_sigmoid", use_bias: bool = True,
        kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal",
        bias_initializer: Initializer = "zeros", unit_forget_bias: bool = True,
        kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, return_sequences: bool = False,
        go_backwards: bool = False,
        stateful: bool = False, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        own = {name: arguments[name] for name in _SETTINGS}
        super().__init__(
            ConvLSTM2DCell(**own, dtype=kwargs.get("dtype")),
            return_sequences=return_sequences,
            go_backwards=go_backwards,
            stateful=stateful,
            **kwargs,
        )
        self.activity_regularizer = lookup.regularizer(activity_regularizer)

    def call(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        inputs: Any,
        mask: TensorLike | None = None,
        training: Any = None,
        initial_state: Any = None,
    ) -> Any:
        """Runs the cell: the outputs, and the states if they are asked for."""
        self.cell.reset_dropout_mask()
        self.cell.reset_recurrent_dropout_mask()
        return super().call(inputs, mask=mask, training=training, initial_state=initial_state)

    _settings: tuple[str, ...] = ()

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        return _with_settings(self, super().get_config())

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A layer from what `get_config` gave."""
        return cls(**config)
