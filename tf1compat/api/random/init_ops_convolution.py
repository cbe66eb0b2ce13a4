"""Initializers for convolution kernels that keep the norm of what they are applied to.

`tf.contrib.framework` exports them.

Xiao et al., "Dynamical Isometry and a Mean Field Theory of CNNs", ICML 2018.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops, random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.typing import DTypeLike

# A kernel under construction: position in space -> matrix.
Kernel = dict[tuple[int, ...], Any]


class _KernelInitializer(init_ops.Initializer):
    """Base class: an initializer for kernels [size, …, in_filters, out_filters].

    Args:
      gain: multiplies the kernel; the norm of the output is sqrt(gain) times that of the input.
      seed: see `tf.set_random_seed`.
      dtype: a float dtype.

    Raises:
      ValueError: another dtype.
    """

    _arguments = ("gain", "seed")

    def __init__(
        self, gain: float = 1.0, seed: int | None = None, dtype: DTypeLike = dtypes.float32
    ):
        self.gain = gain
        self.dtype = init_ops._float_dtype(dtype)
        self.seed = seed

    def get_config(self) -> dict[str, Any]:
        return self._config()


class ConvolutionDeltaOrthogonal(_KernelInitializer):
    """A kernel that is an orthogonal matrix in its centre and zero elsewhere; 3-D to 5-D."""

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        dtype = self._dtype_of(dtype)
        if len(shape) < 3 or len(shape) > 5:
            raise ValueError(
                "The tensor to initialize must be at least three-dimensional and at most "
                "five-dimensional"
            )
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")
        size = [shape[-1], shape[-1]]
        q = init_ops.random_orthogonal(size, dtype, self.seed, full_matrices=False)
        q = q[: shape[-2], :]
        q *= math_ops.cast(self.gain, dtype=dtype)
        centre = [(dim - 1) // 2 for dim in shape[:-2]]
        return array_ops.scatter_nd([centre], array_ops.expand_dims(q, 0), shape)


class ConvolutionOrthogonal(_KernelInitializer):
    """Base class: a kernel convolved of blocks two wide, each made of random projections."""

    _RANKS = ("", "three", "four", "five")
    _rank: int  # spatial dimensions

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        dtype = self._dtype_of(dtype)
        if len(shape) != self._rank + 2:
            raise ValueError(
                f"The tensor to initialize must be {self._RANKS[self._rank]}-dimensional"
            )
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")
        if any(shape[0] != dim for dim in shape[: self._rank]):
            raise ValueError("Kernel sizes must be equal.")
        kernel = self._orthogonal_kernel(shape[0], shape[-2], shape[-1])
        return kernel * math_ops.cast(self.gain, dtype=dtype)

    def _next_seed(self) -> None:
        if self.seed:
            self.seed += 1

    def _orthogonal_matrix(self, n: int) -> ops.Tensor:
        seed = self.seed
        self._next_seed()
        return init_ops.random_orthogonal([n, n], self.dtype, seed)

    def _symmetric_projection(self, n: int) -> ops.Tensor:
        """A random symmetric projection, [n, n]."""
        q = self._orthogonal_matrix(n)
        mask = math_ops.cast(random_ops.random_normal([n], seed=self.seed) > 0, self.dtype)
        self._next_seed()
        c = math_ops.multiply(q, mask)
        return math_ops.matmul(c, array_ops.matrix_transpose(c))

    def _factor(self, i: int, projection: Any, eye: Any) -> Any:
        return eye - projection if i else projection

    def _random_block(self, n: int) -> Kernel:
        """A block two wide: for each dimension a projection or its complement, multiplied."""
        projections = [self._symmetric_projection(n) for _ in range(self._rank)]
        eye = linalg_ops.eye(n, dtype=self.dtype)
        block = {}
        for index in itertools.product((0, 1), repeat=self._rank):
            factors = [self._factor(i, p, eye) for i, p in zip(index, projections)]
            block[index] = functools.reduce(math_ops.matmul, factors)
        return block

    def _convolve(self, a: Kernel, b: Kernel) -> Kernel:
        """The convolution of two kernels of matrices."""
        rank = self._rank
        n = next(iter(a.values())).shape.as_list()[0]
        size_a, size_b = (round(len(kernel) ** (1 / rank)) for kernel in (a, b))
        result: Kernel = {}
        for index in itertools.product(range(size_a + size_b - 1), repeat=rank):
            total = array_ops.zeros([n, n], self.dtype)
            for at in itertools.product(*(range(min(size_a, i + 1)) for i in index)):
                rest = tuple(i - j for i, j in zip(index, at))
                if all(j < size_b for j in rest):
                    total += math_ops.matmul(a[at], b[rest])
            result[index] = total
        return result

    def _orthogonal_kernel(self, size: int, in_filters: int, out_filters: int) -> ops.Tensor:
        matrix = self._orthogonal_matrix(out_filters)[0:in_filters, :]
        if size == 1:
            for _ in range(self._rank):
                matrix = array_ops.expand_dims(matrix, 0)
            return matrix
        kernel = self._random_block(out_filters)
        for _ in range(size - 2):
            kernel = self._convolve(kernel, self._random_block(out_filters))
        kernel = {index: math_ops.matmul(matrix, part) for index, part in kernel.items()}
        return self._stack(kernel, size)

    def _stack(self, kernel: Kernel, size: int, prefix: tuple[int, ...] = ()) -> ops.Tensor:
        if len(prefix) == self._rank:
            return kernel[prefix]
        return array_ops.stack([self._stack(kernel, size, (*prefix, i)) for i in range(size)])


class ConvolutionOrthogonal1D(ConvolutionOrthogonal):
    """An orthogonal kernel for 1-D convolutions, [size, in_filters, out_filters]."""

    _rank = 1


class ConvolutionOrthogonal2D(ConvolutionOrthogonal):
    """An orthogonal kernel for 2-D convolutions, [size, size, in_filters, out_filters]."""

    _rank = 2


class ConvolutionOrthogonal3D(ConvolutionOrthogonal):
    """An orthogonal kernel for 3-D convolutions, [size, size, size, in_filters, out_filters]."""

    _rank = 3

    def _factor(self, i: int, projection: Any, eye: Any) -> Any:
        return i * projection + (1 - i) * (eye - projection)


convolutional_delta_orthogonal = ConvolutionDeltaOrthogonal
convolutional_orthogonal_1d = ConvolutionOrthogonal1D
convolutional_orthogonal_2d = ConvolutionOrthogonal2D
convolutional_orthogonal_3d = ConvolutionOrthogonal3D
