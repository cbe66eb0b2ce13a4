"""Convolutions with other filters at each place (`tensorflow.python.keras.layers.local`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras import activations, backend, lookup
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.utils import conv_utils, tf_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.math import math_ops
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Initializer


def get_locallyconnected_mask(
    input_shape: Sequence[int],
    kernel_shape: Sequence[int],
    strides: Sequence[int],
    padding: str,
    data_format: str,
) -> np.ndarray:
    """Which inputs a locally connected layer joins to which outputs, as 1.0 and 0.0.

    Args:
      input_shape, kernel_shape, strides: the sizes in space.
      padding: "same" or "valid".
      data_format: "channels_first" or "channels_last"; says where the channels' dimensions are.

    Raises:
      ValueError: there is no such format.
    """
    mask = conv_utils.conv_kernel_mask(input_shape, kernel_shape, strides, padding)
    rank = mask.ndim // 2
    if data_format == "channels_first":
        return np.expand_dims(np.expand_dims(mask, 0), -rank - 1)
    if data_format == "channels_last":
        return np.expand_dims(np.expand_dims(mask, rank), -1)
    raise ValueError("Unrecognized data_format: " + str(data_format))


def make_2d(tensor: Any, split_dim: int) -> Any:
    """A matrix of the dimensions before and from `split_dim` on."""
    shape = array_ops.shape(tensor)
    inner, outer = shape[:split_dim], shape[split_dim:]
    sizes = (math_ops.reduce_prod(inner), math_ops.reduce_prod(outer))
    return array_ops.reshape(tensor, sizes)


def _flat(inputs: Any) -> Any:
    return backend.reshape(inputs, (backend.shape(inputs)[0], -1))


def _shaped(flat: Any, output_shape: Any) -> Any:
    sizes = output_shape.as_list()[1:]
    return backend.reshape(flat, [backend.shape(flat)[0], *sizes])


def local_conv_matmul(inputs: Any, kernel: Any, kernel_mask: Any, output_shape: Any) -> Any:
    """All inputs with all outputs, those apart with zeros.

    Args:
      inputs: the inputs, the batch first.
      kernel: weights of all inputs and outputs.
      kernel_mask: see `get_locallyconnected_mask`.
      output_shape: the `TensorShape` of the outputs.
    """
    flat = _flat(inputs)
    kernel = kernel_mask * kernel
    kernel = make_2d(kernel, backend.ndim(kernel) // 2)
    return _shaped(math_ops.sparse_matmul(flat, kernel, b_is_sparse=True), output_shape)


def local_conv_sparse_matmul(
    inputs: Any, kernel: Any, kernel_idxs: Any, kernel_shape: Any, output_shape: Any
) -> Any:
    """As `local_conv_matmul`, with only the weights that count.

    Args:
      inputs: the inputs, the batch first.
      kernel: the weights, a vector.
      kernel_idxs: where in a matrix of shape `kernel_shape` they are.
      output_shape: the `TensorShape` of the outputs.
    """
    product = raw_ops.SparseTensorDenseMatMul(
        a_indices=kernel_idxs, a_values=kernel, a_shape=kernel_shape, b=_flat(inputs),
        adjoint_b=True,
    )  # fmt: skip
    return _shaped(backend.transpose(product), output_shape)


class _LocallyConnected(Layer):
    """What the layers share.

    Args: see `LocallyConnected2D`.
    """

    _rank: int
    kernel: Any

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int],
        padding: str, data_format: Any,
        activation: Any, use_bias: bool, kernel_initializer: Initializer,
        bias_initializer: Initializer,
        kernel_regularizer: Any, bias_regularizer: Any, activity_regularizer: Any,
        kernel_constraint: Any, bias_constraint: Any, implementation: int, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**kwargs)
        self.filters = filters
        self.kernel_size = conv_utils.normalize_tuple(kernel_size, self._rank, "kernel_size")
        self.strides = conv_utils.normalize_tuple(strides, self._rank, "strides")
        self.padding = conv_utils.normalize_padding(padding)
        if self.padding != "valid" and implementation == 1:
            raise ValueError(
                f'Invalid border mode for LocallyConnected{self._rank}D (only "valid" is supported '
                f"if implementation is 1): {padding}"
            )
        self.data_format = conv_utils.normalize_data_format(data_format)
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = lookup.initializer(kernel_initializer)
        self.bias_initializer = lookup.initializer(bias_initializer)
        self.kernel_regularizer = lookup.regularizer(kernel_regularizer)
        self.bias_regularizer = lookup.regularizer(bias_regularizer)
        self.activity_regularizer = lookup.regularizer(activity_regularizer)
        self.kernel_constraint = lookup.constraint(kernel_constraint)
        self.bias_constraint = lookup.constraint(bias_constraint)
        self.implementation = implementation
        self.input_spec = InputSpec(ndim=self._rank + 2)

    @property
    def _first(self) -> bool:
        return self.data_format == "channels_first"

    def _split(self, shape: Any) -> tuple[Any, tuple[Any, ...]]:
        """Channels and space of a shape."""
        return (shape[1], shape[2:]) if self._first else (shape[-1], shape[1:-1])

    def _joined(self, channels: Any, space: Any) -> tuple[Any, ...]:
        return (channels, *space) if self._first else (*space, channels)

    def _output_space(self, space: Any) -> tuple[Any, ...]:
        return tuple(
            conv_utils.conv_output_length(size, kernel, self.padding, stride)
            for size, kernel, stride in zip(space, self.kernel_size, self.strides, strict=True)
        )

    def _check(self, channels: Any, space: Any, input_shape: Any) -> None:
        raise NotImplementedError

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Makes the kernel and the bias."""
        channels, space = self._split(input_shape)
        self._check(channels, space, input_shape)
        self.output_space = self._output_space(space)
        connected = {
            "input_shape": space, "kernel_shape": self.kernel_size, "strides": self.strides,
            "padding": self.padding,
        }  # fmt: skip
        if self.implementation == 1:
            window = int(np.prod(self.kernel_size)) * channels
            self.kernel_shape: Any = (int(np.prod(self.output_space)), window, self.filters)
            shape = self.kernel_shape
        elif self.implementation == 2:
            self.kernel_shape = (
                *self._joined(channels, space),
                *self._joined(self.filters, self.output_space),
            )
            shape = self.kernel_shape
        elif self.implementation == 3:
            outputs = int(np.prod(self.output_space)) * self.filters
            self.kernel_shape = (outputs, int(np.prod(space)) * channels)
            self.kernel_idxs = sorted(
                conv_utils.conv_kernel_idxs(
                    **connected, filters_in=channels, filters_out=self.filters,
                    data_format=self.data_format,
                )
            )  # fmt: skip
            shape = (len(self.kernel_idxs),)
        else:
            raise ValueError(f"Unrecognized implementation mode: {self.implementation}.")
        self.kernel = self.add_weight(
            shape=shape, initializer=self.kernel_initializer, name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        if self.implementation == 2:
            self.kernel_mask = get_locallyconnected_mask(data_format=self.data_format, **connected)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                shape=(*self.output_space, self.filters), initializer=self.bias_initializer,
                name="bias", regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        axes = {1 if self._first else -1: channels}
        self.input_spec = InputSpec(ndim=self._rank + 2, axes=axes)
        self.built = True

    @tf_utils.shape_type_conversion
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The static shape of the outputs."""
        _, space = self._split(input_shape)
        return (input_shape[0], *self._joined(self.filters, self._output_space(space)))

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Records the convolution."""
        if self.implementation == 1:
            outputs = backend.local_conv(
                inputs, self.kernel, self.kernel_size, self.strides, self.output_space,
                self.data_format,
            )  # fmt: skip
        elif self.implementation == 2:
            shape = self.compute_output_shape(inputs.shape)
            outputs = local_conv_matmul(inputs, self.kernel, self.kernel_mask, shape)
        else:
            shape = self.compute_output_shape(inputs.shape)
            outputs = local_conv_sparse_matmul(
                inputs, self.kernel, self.kernel_idxs, self.kernel_shape, shape
            )
        if self.use_bias:
            outputs = backend.bias_add(outputs, self.bias, data_format=self.data_format)
        return self.activation(outputs)

    get_config = settings(
        "filters", "kernel_size", "strides", "padding", "data_format", "activation", "use_bias",
        "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer",
        "activity_regularizer", "kernel_constraint", "bias_constraint", "implementation",
    )  # fmt: skip


@tf_export("keras.layers.LocallyConnected1D")
class LocallyConnected1D(_LocallyConnected):
    """A 1-D convolution whose filters differ from place to place.

    Args: see `LocallyConnected2D`.
    """

    _rank = 1

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = 1,
        padding: str = "valid",
        data_format: Any = None, activation: Any = None, use_bias: bool = True,
        kernel_initializer: Initializer = "glorot_uniform", bias_initializer: Initializer = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, implementation: int = 1, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            filters, kernel_size, strides, padding, data_format, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
            activity_regularizer, kernel_constraint, bias_constraint, implementation, **kwargs,
        )  # fmt: skip

    def _check(self, channels: Any, space: Any, input_shape: Any) -> None:
        if channels is None:
            raise ValueError(
                "Axis 2 of input should be fully-defined. Found shape:", tuple(input_shape)
            )


@tf_export("keras.layers.LocallyConnected2D")
class LocallyConnected2D(_LocallyConnected):
    """A 2-D convolution whose filters differ from place to place.

    Args:
      filters: the number of output channels.
      kernel_size, strides: one int, or one for each spatial dimension.
      padding: "valid", or "same" where `implementation` is 2 or 3.
      data_format: "channels_last" or "channels_first".
      activation: a function, or its name.
      use_bias: whether there is a bias.
      kernel_initializer, bias_initializer: what fills the variables at first.
      kernel_regularizer, bias_regularizer: functions of the variables; their results join the
        losses.
      activity_regularizer: the same of the outputs.
      kernel_constraint, bias_constraint: functions that project the variables after an update.
      implementation: 1 for a product for each place, 2 for one with a masked matrix, 3 for one with
        a sparse matrix.
      **kwargs: see `Layer`.

    Raises:
      ValueError: another padding than "valid" with `implementation` 1.
    """

    _rank = 2

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
        1), padding: str = "valid",
        data_format: Any = None, activation: Any = None, use_bias: bool = True,
        kernel_initializer: Initializer = "glorot_uniform", bias_initializer: Initializer = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, implementation: int = 1, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            filters, kernel_size, strides, padding, data_format, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
            activity_regularizer, kernel_constraint, bias_constraint, implementation, **kwargs,
        )  # fmt: skip

    def _check(self, channels: Any, space: Any, input_shape: Any) -> None:
        if None in space:
            raise ValueError(
                "The spatial dimensions of the inputs to  a LocallyConnected2D layer should be "
                f"fully-defined, but layer received the inputs shape {tuple(input_shape)}"
            )
