"""Random features of kernels (`tensorflow.python.keras.layers.kernelized`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.keras import initializers
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor_shape import TensorShape

_SUPPORTED_RBF_KERNEL_TYPES = ["gaussian", "laplacian"]


def _kind(initializer: Any) -> str | None:
    """The kernel that a string names; None for an initializer."""
    if not isinstance(initializer, str):
        return None
    if initializer.lower() not in _SUPPORTED_RBF_KERNEL_TYPES:
        raise ValueError(
            f"Unsupported kernel type: '{initializer}'. Supported kernel types: "
            f"{_SUPPORTED_RBF_KERNEL_TYPES}."
        )
    return initializer.lower()


class RandomFourierFeatures(Layer):
    """Features whose products approximate a kernel that depends on differences only.

    They are cos(x W / scale + b) of random W and b (Rahimi, Recht: Random Features for Large-Scale
    Kernel Machines), so that a linear model on them is one with the kernel.

    Args:
      output_dim: how many features there are.
      kernel_initializer: "gaussian", "laplacian", or the initializer of W.
      scale: the width of the kernel; None for the square root of half the input's size with a
        gaussian one, 1 with others.
      trainable: whether the width is learned.
      name: the layer's name.
      **kwargs: what `Layer` takes.

    Raises:
      ValueError: a size or a width is not positive, or the kernel is not known.
    """

    def __init__(
        self, output_dim: int, kernel_initializer: Any = "gaussian", scale: float | None = None,
        trainable: bool = False, name: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        if output_dim <= 0:
            raise ValueError(f"`output_dim` should be a positive integer. Given: {output_dim}.")
        _kind(kernel_initializer)
        if scale is not None and scale <= 0.0:
            raise ValueError(f"When provided, `scale` should be a positive float. Given: {scale}.")
        super().__init__(trainable=trainable, name=name, **kwargs)
        self.output_dim = output_dim
        self.kernel_initializer = kernel_initializer
        self.scale = scale

    def build(self, input_shape: Any) -> None:
        input_shape = TensorShape(input_shape)
        if input_shape.rank != 2:
            raise ValueError(
                f"The rank of the input tensor should be 2. Got {input_shape.rank} instead."
            )
        size = input_shape.as_list()[1]
        if size is None:
            raise ValueError(
                "The last dimension of the inputs to `RandomFourierFeatures` should be defined. "
                "Found `None`."
            )
        self.input_spec = InputSpec(ndim=2, axes={1: size})
        shape = (size, self.output_dim)
        unscaled = self.add_weight(
            name="unscaled_random_features", shape=shape, dtype=dtypes.float32,
            initializer=_get_random_features_initializer(self.kernel_initializer, shape),
            trainable=False,
        )  # fmt: skip
        self.bias = self.add_weight(
            name="random_features_bias", shape=(self.output_dim,), dtype=dtypes.float32,
            initializer=init_ops.random_uniform_initializer(
                minval=0.0, maxval=2 * np.pi, dtype=dtypes.float32
            ),
            trainable=False,
        )  # fmt: skip
        if self.scale is None:
            self.scale = _get_default_scale(self.kernel_initializer, size)
        width = self.add_weight(
            name="random_features_scale", shape=(1,), dtype=dtypes.float32,
            initializer=init_ops.constant_initializer(self.scale),
            trainable=True, constraint="NonNeg",
        )  # fmt: skip
        self.kernel = (1.0 / width) * unscaled
        super().build(input_shape)

    def call(self, inputs: Any) -> Any:
        inputs = ops.convert_to_tensor(inputs, dtype=self.dtype)
        inputs = raw_ops.Cast(x=inputs, DstT=dtypes.float32)
        product = raw_ops.MatMul(a=inputs, b=self.kernel)
        return raw_ops.Cos(x=nn_ops.bias_add(product, self.bias))

    def compute_output_shape(self, input_shape: Any) -> Any:
        input_shape = TensorShape(input_shape).with_rank(2)
        if input_shape.as_list()[-1] is None:
            raise ValueError(
                f"The innermost dimension of input shape must be defined. Given: {input_shape}"
            )
        return input_shape[:-1].concatenate(self.output_dim)

    def get_config(self) -> dict[str, Any]:
        given = self.kernel_initializer
        if isinstance(given, init_ops.Initializer):
            given = initializers.serialize(given)
        own = {
            "output_dim": self.output_dim, "kernel_initializer": given, "scale": self.scale,
        }  # fmt: skip
        return {**super().get_config(), **own}


def _get_random_features_initializer(initializer: Any, shape: tuple[int, int]) -> Any:
    """The initializer of what multiplies the inputs: draws from the kernel's transform."""
    kind = _kind(initializer)
    if kind == "gaussian":
        return init_ops.random_normal_initializer(stddev=1.0)
    if kind == "laplacian":
        uniform = np.random.uniform(low=0.0, high=1.0, size=shape)
        return init_ops.constant_initializer(np.tan(np.pi * (uniform - 0.5)))  # Cauchy's.
    return initializer


def _get_default_scale(initializer: Any, input_dim: int) -> Any:
    return np.sqrt(input_dim / 2.0) if _kind(initializer) == "gaussian" else 1.0
