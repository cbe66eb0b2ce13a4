"""`tf.contrib.kernel_methods.RandomFourierFeatureMapper`."""

from __future__ import annotations

import math

import numpy as np

from tf1compat.api.array import constant_op
from tf1compat.api.contrib.kernel_methods.dense_kernel_mapper import (
    DenseKernelMapper,
    InvalidShapeError,
)
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor


@tf_export("contrib.kernel_methods.RandomFourierFeatureMapper")
class RandomFourierFeatureMapper(DenseKernelMapper):
    """Random Fourier features (Rahimi and Recht, 2007): their products are near a Gaussian kernel.

    Args:
      input_dim: the width of what is mapped.
      output_dim: the width of what it is mapped to.
      stddev: the kernel's standard deviation.
      seed: of NumPy's generator, which the frequencies and phases are drawn from.
      name: the mapper's name; one of its own by default.
    """

    def __init__(
        self, input_dim: int, output_dim: int, stddev: float = 1.0, seed: int = 1,
        name: str | None = None,
    ):  # fmt: skip
        self._input_dim, self._output_dim = input_dim, output_dim
        self._stddev, self._seed, self._name = stddev, seed, name

    @property
    def name(self) -> str:
        """The mapper's name."""
        return self._name or str(id(self))

    input_dim: int = attribute("_input_dim", "The width of what is mapped.")
    output_dim: int = attribute("_output_dim", "The width of what it is mapped to.")

    def map(self, input_tensor: Tensor) -> Tensor:
        """The features, float32 [batch, output_dim].

        Args:
          input_tensor: float32 [batch, input_dim].

        Raises:
          InvalidShapeError: it is of another rank or width.
        """
        shape = input_tensor.get_shape()
        if len(shape) != 2:
            raise InvalidShapeError(
                f"The shape of the tensor should be 2. Got {len(shape)} instead."
            )
        if shape[1] != self._input_dim:
            raise InvalidShapeError(
                f"Invalid dimension: expected {self._input_dim} input features, got {shape[1]} "
                "instead."
            )
        # The global generator, as in TF: what a program draws from it next hangs on that.
        np.random.seed(self._seed)  # noqa: NPY002
        size = [self._input_dim, self._output_dim]
        frequencies = np.random.normal(scale=1.0 / self._stddev, size=size)  # noqa: NPY002
        frequencies = constant_op.constant(frequencies, dtype=dtypes.float32)
        phases = np.random.uniform(0.0, 2 * np.pi, [self._output_dim])  # noqa: NPY002
        phases = constant_op.constant(phases, dtype=dtypes.float32)
        angles = math_ops.add(math_ops.matmul(input_tensor, frequencies), phases)
        return math.sqrt(2.0 / self._output_dim) * math_ops.cos(angles)
