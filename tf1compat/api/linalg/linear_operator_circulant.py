"""`tensorflow.python.ops.linalg.linear_operator_circulant`: what Fourier transforms diagonalize."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.math import math_ops
from tf1compat.api.signal import fft_ops
from tf1compat.core import dtypes, ops, tensor_shape
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_FFT_OP = {1: fft_ops.fft, 2: fft_ops.fft2d, 3: fft_ops.fft3d}
_IFFT_OP = {1: fft_ops.ifft, 2: fft_ops.ifft2d, 3: fft_ops.ifft3d}


def _rotate_transpose(x: TensorLike, shift: int) -> Any:
    """Moves the dimensions of `x` to the right, the last ones to the front; TF has it in
    `ops.distributions.util`."""
    with ops.name_scope("rotate_transpose", values=[x, shift]):
        x = ops.convert_to_tensor(x, name="x")
        amount = ops.convert_to_tensor(shift, name="shift")
        check_ops.assert_integer(amount)
        rank = x.shape.ndims
        if rank is not None:
            shift = int(np.sign(shift)) * (abs(shift) % rank)
            if rank < 2 or not shift:
                return x
            return array_ops.transpose(x, perm=np.roll(np.arange(rank), shift))
        rank = array_ops.rank(x)
        start = array_ops.where_v2(
            math_ops.less(amount, 0),
            math_ops.mod(-amount, rank),
            rank - math_ops.mod(amount, rank),
        )
        first = math_ops.range(0, start)
        last = math_ops.range(start, rank)
        return array_ops.transpose(x, perm=array_ops.concat([last, first], 0))


class _BaseLinearOperatorCirculant(LinearOperator):
    """Circulant matrices of circulant blocks, nested `block_depth` deep.

    Args:
      spectrum: their eigenvalues: the Fourier transform of their first columns.
      block_depth: 1, 2 or 3.
      input_output_dtype: the dtype of what it is applied to.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      ValueError: `spectrum` has too few dimensions, or a hint says what can't be.
    """

    def __init__(
        self,
        spectrum: Any,
        block_depth: int,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool = True,
        name: Name = "LinearOperatorCirculant",
    ):
        self._name = name
        if block_depth not in _FFT_OP:
            raise ValueError(
                f"Expected block_depth to be in {list(_FFT_OP)}.  Found: {block_depth}."
            )
        self._block_depth = block_depth
        with ops.name_scope(name, values=[spectrum]):
            self._spectrum = self._check_spectrum_and_return_tensor(spectrum)
            real = not self.spectrum.dtype.is_complex
            if real and is_self_adjoint is False:
                raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
            if is_square is False:
                raise ValueError("A [[nested] block] circulant operator is always square.")
            self._block_shape_tensor = array_ops.shape(self.spectrum)[-self.block_depth :]
            self._spectrum_complex = util.to_complex(self.spectrum)
            self._abs_spectrum = math_ops.abs(self.spectrum)
            self._conj_spectrum = math_ops.conj(self._spectrum_complex)
            super().__init__(
                dtypes.as_dtype(input_output_dtype),
                [self.spectrum],
                is_non_singular=is_non_singular,
                is_self_adjoint=real or is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=True,
                name=name,
            )

    def _check_spectrum_and_return_tensor(self, spectrum: Any) -> Any:
        spectrum = ops.convert_to_tensor(spectrum, name="spectrum")
        rank = spectrum.shape.ndims
        if rank is not None and rank < self.block_depth:
            raise ValueError(
                f"Argument spectrum must have at least {self.block_depth} dimensions.  "
                f"Found: {spectrum!s}"
            )
        return spectrum

    block_depth = attribute("_block_depth", "How deep circulant blocks are nested.")

    def block_shape_tensor(self) -> Any:
        """The shape of the blocks in a run."""
        return self._block_shape_tensor

    @property
    def block_shape(self) -> Any:
        """The static shape of the blocks."""
        return self.spectrum.shape[-self.block_depth :]

    spectrum = attribute("_spectrum", "The eigenvalues.")

    # Columns as blocks, and back.

    def _vectorize_then_blockify(self, matrix: TensorLike) -> Any:
        vectors = _rotate_transpose(matrix, shift=1)
        if vectors.shape.is_fully_defined() and self.block_shape.is_fully_defined():
            shape = vectors.shape[:-1].concatenate(self.block_shape)
        else:
            shape = array_ops.concat((array_ops.shape(vectors)[:-1], self.block_shape_tensor()), 0)
        return array_ops.reshape(vectors, shape)

    def _unblockify_then_matricize(self, vec: Any) -> Any:
        depth = self.block_depth
        if vec.shape.is_fully_defined():
            known = vec.shape.as_list()
            shape: Any = known[:-depth] + [np.prod(known[-depth:])]
        else:
            found = array_ops.shape(vec)
            leading, block = found[:-depth], found[-depth:]
            shape = array_ops.concat((leading, [math_ops.reduce_prod(block)]), 0)
        return _rotate_transpose(array_ops.reshape(vec, shape), shift=-1)

    def _fft(self, x: Any) -> Any:
        return _FFT_OP[self.block_depth](util.to_complex(x))

    def _ifft(self, x: Any) -> Any:
        return _IFFT_OP[self.block_depth](util.to_complex(x))

    def convolution_kernel(self, name: Name = "convolution_kernel") -> Any:
        """What the operator convolves with: the inverse Fourier transform of the spectrum."""
        with self._name_scope(name):
            return math_ops.cast(self._ifft(self._spectrum_complex), self.dtype)

    def assert_hermitian_spectrum(self, name: Name = "assert_hermitian_spectrum") -> Any:
        """Records that the convolution kernel is real; returns the operation."""
        epsilon = np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps
        with self._name_scope(name):
            largest = epsilon * self.domain_dimension_tensor()
            found = math_ops.abs(math_ops.imag(self.convolution_kernel()))
            return check_ops.assert_less(found, largest, message="Spectrum was not Hermitian")

    def _shape(self) -> Any:
        batch, block = self._batch_and_block(self._spectrum.shape)
        size = np.prod(block.as_list()) if block.is_fully_defined() else None
        return batch.concatenate(tensor_shape.TensorShape([size, size]))

    def _shape_tensor(self) -> Any:
        batch, block = self._batch_and_block(array_ops.shape(self._spectrum))
        size = math_ops.reduce_prod(block)
        return array_ops.concat((batch, [size, size]), 0)

    def _batch_and_block(self, shape: Any) -> tuple[Any, Any]:
        return shape[: -self.block_depth], shape[-self.block_depth :]

    def _assert_non_singular(self) -> Any:
        return util.assert_no_entries_with_modulus_zero(
            self.spectrum, message="Singular operator:  Spectrum contained zero values."
        )

    def _assert_positive_definite(self) -> Any:
        return check_ops.assert_positive(
            math_ops.real(self.spectrum),
            message="Not positive definite:  Real part of spectrum was not all positive.",
        )

    def _assert_self_adjoint(self) -> Any:
        return util.assert_zero_imag_part(
            self.spectrum,
            message="Not self-adjoint:  The spectrum contained non-zero imaginary part.",
        )

    def _broadcast_batch_dims(self, x: TensorLike, spectrum: Any) -> Any:
        column = array_ops.reshape(
            spectrum, array_ops.concat((self.batch_shape_tensor(), [-1, 1]), axis=0)
        )
        x, column = util.broadcast_matrix_batch_dims((x, column))
        batch = array_ops.shape(x)[:-2]
        shape = array_ops.concat((batch, self.block_shape_tensor()), axis=0)
        return x, array_ops.reshape(column, shape)

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = linalg.adjoint(x) if adjoint_arg else x
        spectrum = self._conj_spectrum if adjoint else self._spectrum_complex
        x = math_ops.cast(x, spectrum.dtype)
        x, spectrum = self._broadcast_batch_dims(x, spectrum)
        transformed = self._fft(self._vectorize_then_blockify(x))
        result = self._unblockify_then_matricize(self._ifft(spectrum * transformed))
        return math_ops.cast(result, self.dtype)

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        spectrum = self._conj_spectrum if adjoint else self._spectrum_complex
        rhs, spectrum = self._broadcast_batch_dims(rhs, spectrum)
        transformed = self._fft(self._vectorize_then_blockify(rhs))
        result = self._unblockify_then_matricize(self._ifft(transformed / spectrum))
        return math_ops.cast(result, self.dtype)

    def _block_axes(self) -> list[int]:
        return [-1 - i for i in range(self.block_depth)]

    def _determinant(self) -> Any:
        product = math_ops.reduce_prod(self.spectrum, axis=self._block_axes())
        return math_ops.cast(product, self.dtype)

    def _log_abs_determinant(self) -> Any:
        logs = math_ops.log(self._abs_spectrum)
        return math_ops.cast(math_ops.reduce_sum(logs, axis=self._block_axes()), self.dtype)

    def _diag_part(self) -> Any:
        if self.shape.is_fully_defined():
            shape, size = self.shape[:-1], self.domain_dimension.value
        else:
            shape, size = self.shape_tensor()[:-1], self.domain_dimension_tensor()
        ones = array_ops.ones(shape, dtype=self.dtype)
        value = self.trace() / math_ops.cast(size, self.dtype)
        return value[..., array_ops.newaxis] * ones

    def _trace(self) -> Any:
        depth = self.block_depth
        if self.spectrum.shape.is_fully_defined():
            rank = self.spectrum.shape.ndims
            axis: Any = np.arange(rank - depth, rank, dtype=np.int32)
        else:
            rank = array_ops.rank(self.spectrum)
            axis = math_ops.range(rank - depth, rank)
        total = functools.partial(math_ops.reduce_sum, axis=axis)
        real = total(math_ops.real(self.spectrum))
        if not self.dtype.is_complex:
            return math_ops.cast(real, self.dtype)
        zero = self.is_self_adjoint
        imaginary = array_ops.zeros_like(real) if zero else total(math_ops.imag(self.spectrum))
        return math_ops.cast(math_ops.complex(real, imaginary), self.dtype)


@tf_export("linalg.LinearOperatorCirculant")
class LinearOperatorCirculant(_BaseLinearOperatorCirculant):
    """Circulant matrices: each row is the one above moved to the right.

    Args:
      spectrum: the eigenvalues, Fourier transforms of the first columns: [..., n].
      input_output_dtype: the dtype of what it is applied to.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      ValueError: `spectrum` has too few dimensions, or a hint says what can't be.
    """

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool = True,
        name: Name = "LinearOperatorCirculant",
    ):
        super().__init__(
            spectrum,
            1,
            input_output_dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
        )


@tf_export("linalg.LinearOperatorCirculant2D")
class LinearOperatorCirculant2D(_BaseLinearOperatorCirculant):
    """Circulant matrices of circulant blocks.

    Args:
      spectrum: the eigenvalues, Fourier transforms of the first columns: [..., n_1, n_2].
      input_output_dtype: the dtype of what it is applied to.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      ValueError: `spectrum` has too few dimensions, or a hint says what can't be.
    """

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool = True,
        name: Name = "LinearOperatorCirculant2D",
    ):
        super().__init__(
            spectrum,
            2,
            input_output_dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
        )


@tf_export("linalg.LinearOperatorCirculant3D")
class LinearOperatorCirculant3D(_BaseLinearOperatorCirculant):
    """Circulant matrices of blocks that are those of `LinearOperatorCirculant2D`.

    Args:
      spectrum: the eigenvalues, Fourier transforms of the first columns: [..., n_1, n_2, n_3].
      input_output_dtype: the dtype of what it is applied to.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      ValueError: `spectrum` has too few dimensions, or a hint says what can't be.
    """

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool = True,
        name: Name = "LinearOperatorCirculant3D",
    ):
        super().__init__(
            spectrum,
            3,
            input_output_dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
        )
