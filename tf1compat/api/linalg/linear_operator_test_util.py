"""`tensorflow.python.ops.linalg.linear_operator_test_util`: tests that any linear operator passes.

A class of tests says how an operator and the matrix that it stands for are made; `add_tests` adds
tests that compare the two.
"""

from __future__ import annotations

import abc
import functools
import inspect
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.eager.backprop import GradientTape
from tf1compat.api.framework import test_decorators
from tf1compat.api.linalg import linalg_impl, linalg_ops, linear_operator_util
from tf1compat.api.math import math_ops
from tf1compat.api.platform import test
from tf1compat.api.random import random_ops, random_seed
from tf1compat.core import context, dtypes, ops, tensor_shape, tensor_util
from tf1compat.core.typing import DTypeLike, ShapeLike, TensorLike

_TOLERANCES = {
    dtypes.float16: 1e-3,
    dtypes.float32: 1e-6,
    dtypes.float64: 1e-12,
    dtypes.complex64: 1e-6,
    dtypes.complex128: 1e-12,
}
_BOTH = [False, True]


class OperatorShapesInfo:
    """The shape that an operator under test has, and what else its maker wants to know.

    Args:
      shape: the shape.
      **kwargs: further attributes.
    """

    def __init__(self, shape: ShapeLike, **kwargs: Any):
        self.shape = shape
        self.__dict__.update(kwargs)


class CheckTapeSafeSkipOptions:
    """Methods that `check_tape_safe` may leave out."""

    DETERMINANT = "determinant"
    DIAG_PART = "diag_part"
    LOG_ABS_DETERMINANT = "log_abs_determinant"
    TRACE = "trace"


class LinearOperatorDerivedClassTest(test.TestCase, metaclass=abc.ABCMeta):
    """Tests of one class of operators; subclasses say how they are made."""

    _atol = dict(_TOLERANCES)
    _rtol = dict(_TOLERANCES)

    def assertAC(self, x: Any, y: Any) -> None:  # noqa: N802
        """`assertAllClose`, as close as the dtype allows."""
        dtype = dtypes.as_dtype(x.dtype)
        self.assertAllClose(x, y, atol=self._atol[dtype], rtol=self._rtol[dtype])

    @staticmethod
    def adjoint_options() -> list[bool]:
        """The values of `adjoint` to test."""
        return list(_BOTH)

    @staticmethod
    def adjoint_arg_options() -> list[bool]:
        """The values of `adjoint_arg` to test."""
        return list(_BOTH)

    @staticmethod
    def dtypes_to_test() -> list[Any]:
        """The dtypes to test."""
        return [dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128]

    @staticmethod
    def use_placeholder_options() -> list[bool]:
        """Whether operators are made of tensors whose shapes are unknown."""
        return list(_BOTH)

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        """The shapes to test."""
        raise NotImplementedError("operator_shapes_infos has not been implemented.")

    @abc.abstractmethod
    def operator_and_matrix(
        self,
        shapes_info: Any,
        dtype: DTypeLike,
        use_placeholder: bool,
        ensure_self_adjoint_and_pd: bool = False,
    ) -> tuple[Any, Any]:
        """An operator, and the matrix that it stands for.

        Args:
          shapes_info: an `OperatorShapesInfo`.
          dtype: the dtype.
          use_placeholder: whether it is made of tensors of unknown shape.
          ensure_self_adjoint_and_pd: whether it is self-adjoint and positive definite, and says so.
        """
        raise NotImplementedError("Not implemented yet.")

    @abc.abstractmethod
    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """A right-hand side for `operator.solve`.

        Args:
          operator: the operator.
          adjoint: whether it is for the adjoint operator.
          with_batch: whether it has the operator's batch shape.
        """
        raise NotImplementedError("make_rhs is not defined.")

    @abc.abstractmethod
    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """An argument for `operator.matmul`; as `make_rhs`."""
        raise NotImplementedError("make_x is not defined.")

    @staticmethod
    def skip_these_tests() -> list[str]:
        """Names of tests that are left out, without "test_"."""
        return []

    def assertRaisesError(self, msg: str) -> Any:  # noqa: N802
        """`assertRaisesOpError`; in eager execution any exception will do."""
        if context.executing_eagerly():
            return self.assertRaisesRegex(Exception, msg)
        return self.assertRaisesOpError(msg)

    def check_tape_safe(self, operator: Any, skip_options: Iterable[str] | None = None) -> None:
        """Checks that what an operator computes has gradients by its variables.

        Args:
          operator: the operator.
          skip_options: methods to leave out (`CheckTapeSafeSkipOptions`).

        Raises:
          AssertionError: something has none, or there are no variables.
        """
        if not operator.variables:
            raise AssertionError("`operator.variables` was empty")
        lengths = operator.H.shape_tensor()[:-1]
        x = math_ops.cast(array_ops.ones(shape=lengths), operator.dtype)

        def check(compute: Callable[[], Any]) -> None:
            with GradientTape() as tape:
                value = compute()
            for gradient in tape.gradient(value, operator.variables):
                self.assertIsNotNone(gradient)

        check(operator.to_dense)
        check(lambda: operator.adjoint().to_dense())
        check(lambda: operator.matvec(x))
        if not operator.is_square:
            return
        options = CheckTapeSafeSkipOptions
        for name in (
            options.DETERMINANT,
            options.LOG_ABS_DETERMINANT,
            options.DIAG_PART,
            options.TRACE,
        ):
            if name not in (skip_options or ()):
                check(getattr(operator, name))
        if operator.is_non_singular is False:
            return
        check(lambda: operator.inverse().to_dense())
        check(lambda: operator.solvevec(x))
        if operator.is_self_adjoint and operator.is_positive_definite:
            check(lambda: operator.cholesky().to_dense())


# What is tested: (test, operator, matrix, …) -> (what the operator gives, what the matrix gives,
# the static shape that the first must have, or None).


def _to_dense(
    case: Any, operator: Any, matrix: TensorLike, shape: ShapeLike
) -> tuple[Any, Any, Any]:
    return operator.to_dense(), matrix, shape


def _add_to_tensor(case: Any, operator: Any, matrix: Any, shape: Any) -> tuple[Any, Any, Any]:
    return operator.add_to_tensor(2 * matrix), 3 * matrix, shape


def _det(case: Any, operator: Any, matrix: Any, shape: Any) -> tuple[Any, Any, Any]:
    return operator.determinant(), linalg_ops.matrix_determinant(matrix), shape[:-2]


def _log_abs_det(case: Any, operator: Any, matrix: Any, shape: Any) -> tuple[Any, Any, Any]:
    return operator.log_abs_determinant(), linalg_impl.slogdet(matrix)[1], shape[:-2]


def _trace(case: Any, operator: Any, matrix: TensorLike, shape: ShapeLike) -> tuple[Any, Any, Any]:
    expected = math_ops.trace(matrix)
    return operator.trace(), expected, expected.shape


def _diag_part(
    case: Any, operator: Any, matrix: TensorLike, shape: ShapeLike
) -> tuple[Any, Any, Any]:
    expected = array_ops.matrix_diag_part(matrix)
    return operator.diag_part(), expected, expected.shape


def _inverse(
    case: Any, operator: Any, matrix: TensorLike, shape: ShapeLike
) -> tuple[Any, Any, Any]:
    return operator.inverse().to_dense(), linalg_impl.inv(matrix), None


def _cholesky(
    case: Any, operator: Any, matrix: TensorLike, shape: ShapeLike
) -> tuple[Any, Any, Any]:
    return operator.cholesky().to_dense(), linalg_ops.cholesky(matrix), None


def _matmul(
    case: Any, operator: Any, matrix: TensorLike, shape: ShapeLike, adjoint: bool, adjoint_arg: bool
) -> tuple[Any, Any, Any]:
    x = case.make_x(operator, adjoint=adjoint, with_batch=True)
    given = linalg_impl.adjoint(x) if adjoint_arg else x
    found = operator.matmul(given, adjoint=adjoint, adjoint_arg=adjoint_arg)
    expected = math_ops.matmul(matrix, x, adjoint_a=adjoint)
    return found, expected, expected.shape


def _solve(
    case: Any,
    operator: Any,
    matrix: TensorLike,
    shape: ShapeLike,
    adjoint: bool,
    adjoint_arg: bool,
    with_batch: bool = True,
) -> tuple[Any, Any, Any]:
    rhs = case.make_rhs(operator, adjoint=adjoint, with_batch=with_batch)
    given = linalg_impl.adjoint(rhs) if adjoint_arg else rhs
    found = operator.solve(given, adjoint=adjoint, adjoint_arg=adjoint_arg)
    expected = linear_operator_util.matrix_solve_with_broadcast(matrix, rhs, adjoint=adjoint)
    return found, expected, expected.shape


_CHECKS: dict[str, Callable[..., tuple[Any, Any, Any]]] = {
    "add_to_tensor": _add_to_tensor,
    "cholesky": _cholesky,
    "det": _det,
    "diag_part": _diag_part,
    "inverse": _inverse,
    "log_abs_det": _log_abs_det,
    "matmul": _matmul,
    "matmul_with_broadcast": _matmul,  # With a batch shape all the same, as in TF.
    "solve": _solve,
    "solve_with_broadcast": functools.partial(_solve, with_batch=False),
    "to_dense": _to_dense,
    "trace": _trace,
}


def _compared(
    name: str, use_placeholder: bool, info: Any, dtype: DTypeLike, **options: Any
) -> Callable[[Any], None]:
    """A test method."""

    def compare(self: Any) -> None:
        if name == "solve_with_broadcast" and len(info.shape) <= 2:
            return  # There is nothing to broadcast.
        with self.session(graph=ops.Graph()) as session:
            session.graph.seed = random_seed.DEFAULT_GRAPH_SEED
            special = {"ensure_self_adjoint_and_pd": True} if name == "cholesky" else {}
            operator, matrix = self.operator_and_matrix(
                info, dtype, use_placeholder=use_placeholder, **special
            )
            found, expected, shape = _CHECKS[name](self, operator, matrix, info.shape, **options)
            if shape is not None and not use_placeholder:
                self.assertAllEqual(shape, found.shape)
            self.assertAC(*session.run([found, expected]))

    return compare


def add_tests(test_cls: Any) -> None:
    """Adds the tests to a class: one for each dtype, shape and option.

    Raises:
      RuntimeError: the class has a test of such a name.
    """
    skipped = test_cls.skip_these_tests()
    for name in (name for name in _CHECKS if name not in skipped):
        has_adjoints = "adjoint_arg" in inspect.signature(_CHECKS[name]).parameters
        adjoints = [{}]
        if has_adjoints:
            adjoints = [
                {"adjoint": adjoint, "adjoint_arg": adjoint_arg}
                for adjoint in test_cls.adjoint_options()
                for adjoint_arg in test_cls.adjoint_arg_options()
            ]
        for dtype, use_placeholder, info, options in itertools.product(
            test_cls.dtypes_to_test(),
            test_cls.use_placeholder_options(),
            test_cls.operator_shapes_infos(),
            adjoints,
        ):
            said = {"shape": info.shape, "dtype": dtype, "use_placeholder": use_placeholder}
            parts = ",".join(f"{key}={value}" for key, value in {**said, **options}.items())
            test_name = f"test_{name}__{parts}"
            if hasattr(test_cls, test_name):
                raise RuntimeError(f"Test {test_name} defined more than once")
            method = _compared(name, use_placeholder, info, dtype, **options)
            method.__name__ = f"test_{name}"
            setattr(test_cls, test_name, test_decorators.run_deprecated_v1(method))


class _RandomArguments(LinearOperatorDerivedClassTest):
    """Operators get random matrices of one or two columns."""

    def _random(self, operator: Any, length: Any, with_batch: bool) -> Any:
        count = self._get_num_systems(operator)
        sizes = [length, count]
        if with_batch and operator.shape.is_fully_defined():
            sizes = [*operator.batch_shape.as_list(), *sizes]
        elif with_batch:
            sizes = array_ops.concat((operator.batch_shape_tensor(), sizes), 0)
        return random_normal(sizes, dtype=operator.dtype)

    def _get_num_systems(self, operator: Any) -> int:
        return 1 if operator.tensor_rank is None or operator.tensor_rank % 2 else 2


class SquareLinearOperatorDerivedClassTest(_RandomArguments):
    """Tests of square operators."""

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        """The shapes to test."""
        shapes = [(0, 0), (1, 1), (1, 3, 3), (3, 4, 4), (2, 1, 4, 4)]
        return [OperatorShapesInfo(shape) for shape in shapes]

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """A right-hand side for `operator.solve`."""
        return self.make_x(operator, adjoint=not adjoint, with_batch=with_batch)

    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """An argument for `operator.matmul`."""
        known = operator.shape.is_fully_defined()
        length = operator.domain_dimension.value if known else operator.domain_dimension_tensor()
        return self._random(operator, length, with_batch)


class NonSquareLinearOperatorDerivedClassTest(_RandomArguments):
    """Tests of operators that are not square."""

    @staticmethod
    def skip_these_tests() -> list[str]:
        """What only square operators can do."""
        return ["cholesky", "inverse", "solve", "solve_with_broadcast", "det", "log_abs_det"]

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        """The shapes to test."""
        shapes = [(2, 1), (1, 2), (1, 3, 2), (3, 3, 4), (2, 1, 2, 4)]
        return [OperatorShapesInfo(shape) for shape in shapes]

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """Not there: nothing is solved."""
        raise NotImplementedError("make_rhs not implemented because we don't test solve")

    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """An argument for `operator.matmul`."""
        which = "range_dimension" if adjoint else "domain_dimension"
        if operator.shape.is_fully_defined():
            length = getattr(operator, which).value
        else:
            length = getattr(operator, f"{which}_tensor")()
        return self._random(operator, length, with_batch)


def _real_or_complex(draw: Callable[[Any], Any], dtype: Any, seed: Any, step: int) -> Any:
    """Random numbers; complex ones are drawn in two parts."""
    real = draw(seed)
    if not dtype.is_complex:
        return real
    return math_ops.complex(real, draw(None if seed is None else seed + step))


def random_normal(
    shape: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
) -> Any:
    """Normal random numbers; complex ones with normal real and imaginary parts.

    Args:
      shape: their shape.
      mean, stddev: of the numbers, or of both parts.
      dtype: their dtype.
      seed: an op seed.
    """
    dtype = dtypes.as_dtype(dtype)

    def draw(seed: int) -> Any:
        return random_ops.random_normal(
            shape, mean=mean, stddev=stddev, dtype=dtype.real_dtype, seed=seed
        )

    with ops.name_scope("random_normal"):
        return _real_or_complex(draw, dtype, seed, 1234)


def random_uniform(
    shape: Any,
    minval: Any = None,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
) -> Any:
    """Uniform random numbers; complex ones with uniform real and imaginary parts.

    Args:
      shape: their shape.
      minval, maxval: the range of the numbers, or of both parts.
      dtype: their dtype.
      seed: an op seed.
    """
    dtype = dtypes.as_dtype(dtype)

    def draw(seed: int) -> Any:
        return random_ops.random_uniform(
            shape, dtype=dtype.real_dtype, minval=minval, maxval=maxval, seed=seed
        )

    with ops.name_scope("random_uniform"):
        return _real_or_complex(draw, dtype, seed, 12345)


def random_sign_uniform(
    shape: ShapeLike,
    minval: TensorLike | None = None,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
) -> Any:
    """`random_uniform`, each number with a random sign."""
    dtype = dtypes.as_dtype(dtype)
    with ops.name_scope("random_sign_uniform"):
        samples = random_uniform(shape, minval=minval, maxval=maxval, dtype=dtype, seed=seed)
        other_seed = None if seed is None else seed + 12
        signs = math_ops.sign(
            random_ops.random_uniform(shape, minval=-1.0, maxval=1.0, seed=other_seed)
        )
        return samples * math_ops.cast(signs, samples.dtype)


def random_positive_definite_matrix(
    shape: ShapeLike, dtype: DTypeLike, force_well_conditioned: bool = False
) -> Any:
    """Random positive definite matrices.

    Args:
      shape: their shape, square.
      dtype: their dtype.
      force_well_conditioned: whether the eigenvalues' modulus is in (1, 4).

    Raises:
      ValueError: the shape is not square.
    """
    dtype, shape = dtypes.as_dtype(dtype), _square_shape(shape)
    with ops.name_scope("random_positive_definite_matrix"):
        root = random_tril_matrix(shape, dtype, force_well_conditioned=force_well_conditioned)
        return math_ops.matmul(root, root, adjoint_b=True)


def _square_shape(shape: ShapeLike) -> Any:
    if tensor_util.is_tensor(shape):
        return shape
    static: Any = tensor_shape.TensorShape(shape)
    static.dims[-1].assert_is_compatible_with(static.dims[-2])
    return static


def random_tril_matrix(
    shape: ShapeLike,
    dtype: DTypeLike,
    force_well_conditioned: bool = False,
    remove_upper: bool = True,
) -> Any:
    """Random lower triangular matrices.

    Args:
      shape: their shape.
      dtype: their dtype.
      force_well_conditioned: whether the eigenvalues' modulus is in (1, 2).
      remove_upper: whether the upper triangle is zero.
    """
    with ops.name_scope("random_tril_matrix"):
        matrix = random_normal(shape, dtype=dtype)
        if remove_upper:
            matrix = array_ops.matrix_band_part(matrix, -1, 0)
        return _well_conditioned(matrix, shape, dtype) if force_well_conditioned else matrix


def _well_conditioned(matrix: Any, shape: Any, dtype: Any) -> Any:
    """Triangular matrices of a shape with other diagonals, all of about the same size."""
    largest = ops.convert_to_tensor(np.sqrt(2.0), dtype=dtype.real_dtype)
    diagonal = random_sign_uniform(shape[:-1], dtype=dtype, minval=1.0, maxval=largest)
    return array_ops.matrix_set_diag(matrix, diagonal)


def random_normal_correlated_columns(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: DTypeLike = dtypes.float32,
    eps: float = 1e-4,
    seed: int | None = None,
) -> Any:
    """Normal random matrices whose columns lie near a hyperplane, if there are enough of them.

    Args:
      shape: their shape.
      mean, stddev: of the elements.
      dtype: their dtype.
      eps: how far columns are from the hyperplane.
      seed: an op seed.

    Raises:
      ValueError: the shape has less than two dimensions.
    """
    dtype = dtypes.as_dtype(dtype)
    if len(shape) < 2:
        raise ValueError(f"Argument shape must be at least length 2.  Found: {shape}")
    *batch, rows, columns = shape
    if columns < 2 or columns < rows:
        return random_normal(list(shape), mean=mean, stddev=stddev, dtype=dtype, seed=seed)
    with ops.name_scope("random_normal_correlated_columns"):
        flat = random_normal(
            [*batch, rows, columns - 1],
            mean=0.0,
            stddev=1 / np.sqrt(columns - 1),
            dtype=dtype,
            seed=seed,
        )
        other_seed = None if seed is None else seed + 1287
        plane = random_normal([*batch, columns, columns - 1], dtype=dtype, seed=other_seed)
        embedded = array_ops.matrix_transpose(math_ops.matmul(plane, flat, transpose_b=True))
        means = array_ops.ones_like(embedded) * mean
        return embedded + random_normal(list(shape), stddev=eps, dtype=dtype) + means
