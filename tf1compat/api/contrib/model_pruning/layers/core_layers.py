"""Layers whose kernel is multiplied by a mask, and the collections that pruning finds them in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.keras.utils import conv_utils
from tf1compat.api.layers import convolutional, core
from tf1compat.api.layers.base import InputSpec
from tf1compat.api.math import math_matmul, math_ops
from tf1compat.api.nn import nn_convolution, nn_ops
from tf1compat.api.random import init_ops
from tf1compat.core import ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import Initializer, Name, Regularizer, ShapeLike

MASK_COLLECTION = "masks"
THRESHOLD_COLLECTION = "thresholds"
MASKED_WEIGHT_COLLECTION = "masked_weights"
WEIGHT_COLLECTION = "kernel"
MASKED_WEIGHT_NAME = "weights/masked_weight"

_ZEROS = init_ops.Zeros()


def add_mask(layer: Any, shape: ShapeLike) -> Any:
    """Makes the variable of a layer that its kernel is multiplied by, all ones."""
    return layer.add_variable(
        name="mask", shape=shape, initializer=init_ops.ones_initializer(), trainable=False,
        dtype=layer.dtype,
    )  # fmt: skip


def add_threshold(layer: Any) -> Any:
    """Makes the variable of a layer that says how small a weight is masked."""
    return layer.add_variable(
        name="threshold", shape=[], initializer=init_ops.zeros_initializer(), trainable=False,
        dtype=layer.dtype,
    )  # fmt: skip


def masked(weight: Any, mask: Any, threshold: Any, once: bool = False) -> Tensor:
    """The product of a weight and its mask; the four join their collections.

    Args:
      weight, mask, threshold: variables.
      once: whether they do so only if the mask is not there yet.
    """
    product = math_ops.multiply(mask, weight, MASKED_WEIGHT_NAME)
    if not once or mask not in ops.get_collection_ref(MASK_COLLECTION):
        ops.add_to_collection(THRESHOLD_COLLECTION, threshold)
        ops.add_to_collection(MASK_COLLECTION, mask)
        ops.add_to_collection(MASKED_WEIGHT_COLLECTION, product)
        ops.add_to_collection(WEIGHT_COLLECTION, weight)
    return product


class MaskedConv2D(convolutional.Conv2D):
    """A convolution of images with a masked kernel.

    Args: see `tf.layers.Conv2D`.
    """

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
        1), padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: int | Sequence[int] = (1, 1),
        activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True, kernel_initializer: Initializer | None = None,
        bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            filters, kernel_size, strides, padding, data_format, dilation_rate, activation,
            use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
            activity_regularizer, trainable=trainable, name=name, **kwargs,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes the mask, the kernel, the threshold and the bias.

        Raises:
          ValueError: the number of channels is not known.
        """
        channels = self._input_channels(TensorShape(input_shape))
        shape = (*self.kernel_size, channels, self.filters)
        self.mask = add_mask(self, shape)
        self.kernel = self._add_weight("kernel", shape, "kernel")
        self.threshold = add_threshold(self)
        self.masked_kernel = masked(self.kernel, self.mask, self.threshold)
        self._add_bias()
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channel_axis: channels})
        self.built = True

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Applies the layer to [batch, height, width, channels], or the channels before."""
        layout = conv_utils.convert_data_format(self.data_format, self.rank + 2)
        outputs = nn_convolution.convolution(
            input=inputs, filter=self.masked_kernel, dilation_rate=self.dilation_rate,
            strides=self.strides, padding=self.padding.upper(), data_format=layout,
        )  # fmt: skip
        if self.bias is not None:
            outputs = nn_ops.bias_add(outputs, self.bias, data_format=layout)
        return self.activation(outputs)


class MaskedFullyConnected(core.Dense):
    """activation(inputs @ (mask * kernel) + bias).

    Args: see `tf.layers.Dense`.
    """

    def __init__(
        self, units: int, activation: Callable[..., Any] | str | None = None, use_bias: bool = True,
        kernel_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            units, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer,
            bias_regularizer, activity_regularizer, trainable=trainable, name=name, **kwargs,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes the kernel, the mask, the threshold and the bias.

        Raises:
          ValueError: the size of the inputs is not known.
        """
        size = dimension_value(TensorShape(input_shape)[-1])
        if size is None:
            raise ValueError(
                "The last dimension of the inputs to `Dense` should be defined. Found `None`."
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})
        shape = [size, self.units]
        self.kernel = self.add_variable(
            "kernel", shape=shape, initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, dtype=self.dtype, trainable=True,
        )  # fmt: skip
        self.mask = add_mask(self, shape)
        self.threshold = add_threshold(self)
        self.masked_kernel = masked(self.kernel, self.mask, self.threshold)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_variable(
                "bias", shape=[self.units], initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, dtype=self.dtype, trainable=True,
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Applies the layer to [..., size]."""
        inputs = ops.convert_to_tensor(inputs, dtype=self.dtype)
        shape = inputs.get_shape().as_list()
        if len(shape) > 2:
            outputs = math_matmul.tensordot(inputs, self.masked_kernel, [[len(shape) - 1], [0]])
            outputs.set_shape([*shape[:-1], self.units])
        else:
            outputs = math_ops.matmul(inputs, self.masked_kernel)
        if self.bias is not None:
            outputs = nn_ops.bias_add(outputs, self.bias)
        return self.activation(outputs)
