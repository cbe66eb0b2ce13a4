"""`tensorflow.python.ops.linalg.linear_operator`: matrices that need not be written out."""

from __future__ import annotations

import abc
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.linalg import linear_operator_algebra as algebra
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.math import math_ops
from tf1compat.api.module.module import Module
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util import dispatch
from tf1compat.core import dtypes, ops, tensor_shape, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_SLOW = "Using (possibly slow) default implementation of {}.  Requires conversion to a dense matrix"
_CUBIC = _SLOW + " and O(N^3) operations."


@tf_export("linalg.LinearOperator")
class LinearOperator(Module, metaclass=abc.ABCMeta):
    """A batch of matrices, shape [..., m, n], known by what they do to vectors.

    A subclass defines `_shape`, `_shape_tensor`, `_matmul`, and whatever else it can do better
    than by way of the dense matrices: each public method has one with an underscore that does the
    work, without `name`.

    The hints `is_non_singular`, `is_self_adjoint`, `is_positive_definite`, `is_square` are promises
    of the caller: True, False, or None where nothing is promised. They choose the algorithm;
    `assert_non_singular()` and the like check them in a run.

    Args:
      dtype: the dtype of the matrices.
      graph_parents: the tensors and variables that the operator is made of.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: the hints.
      name: what the names of its operations begin with; the class's name if None.

    Raises:
      ValueError: the hints contradict each other, or a parent is neither a tensor nor a variable.
    """

    def __init__(
        self,
        dtype: DTypeLike,
        graph_parents: Any = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: Any = None,
        name: Name = None,
    ):
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        for hint, adjective in (
            (is_non_singular, "non-singular"),
            (is_self_adjoint, "self-adjoint"),
        ):
            if hint:
                if is_square is False:
                    raise ValueError(f"A {adjective} matrix is always square.")
                is_square = True
        self._is_square_set_or_implied_by_hints = is_square

        graph_parents = [] if graph_parents is None else graph_parents
        for i, parent in enumerate(graph_parents):
            if parent is None or not (util.is_ref(parent) or tensor_util.is_tensor(parent)):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        self._dtype = dtypes.as_dtype(dtype).base_dtype if dtype else dtype
        self._graph_parents = graph_parents
        self._is_non_singular = is_non_singular
        self._is_self_adjoint = is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._name = name or type(self).__name__

    @contextlib.contextmanager
    def _name_scope(self, name: Name = None) -> Iterator[str]:  # pyright: ignore
        """The scope of one method's operations, below the operator's name."""
        with ops.name_scope(self.name if name is None else f"{self.name}/{name}") as scope:
            yield scope

    # What is known of it.

    dtype = attribute("_dtype", "The dtype of the matrices.")
    name = attribute("_name", "What the names of its operations begin with.")
    graph_parents = attribute("_graph_parents", "The tensors and variables that it is made of.")
    is_non_singular = attribute("_is_non_singular", "Whether it has an inverse, or None.")
    is_self_adjoint = attribute("_is_self_adjoint", "Whether it is its own adjoint, or None.")
    is_positive_definite = attribute(
        "_is_positive_definite",
        "Whether the real part of x^H A x is positive for all x but 0, or None.",
    )

    @property
    def is_square(self) -> Any:
        """Whether it is square, by its shape or a hint, or None.

        Raises:
          ValueError: it is, and the hint says that it isn't.
        """
        equal = self.domain_dimension == self.range_dimension
        hint = self._is_square_set_or_implied_by_hints
        if hint is False and equal:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return equal if hint is None else hint

    def _can_use_cholesky(self) -> Any:
        return self.is_self_adjoint and self.is_positive_definite

    # Shapes.

    @abc.abstractmethod
    def _shape(self) -> Any:
        raise NotImplementedError("_shape is not implemented.")

    @property
    def shape(self) -> Any:
        """The static shape, [..., m, n]."""
        return self._shape()

    @abc.abstractmethod
    def _shape_tensor(self) -> Any:
        raise NotImplementedError("_shape_tensor is not implemented.")

    def shape_tensor(self, name: Name = "shape_tensor") -> Tensor:
        """The shape in a run, an int32 vector."""
        with self._name_scope(name):
            if self.shape.is_fully_defined():
                return util.shape_tensor(self.shape.as_list())
            return self._shape_tensor()

    @property
    def batch_shape(self) -> Any:
        """The static shape but for the last two dimensions."""
        return self.shape[:-2]

    def batch_shape_tensor(self, name: Name = "batch_shape_tensor") -> Tensor:
        """The shape in a run but for the last two dimensions."""
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                return util.shape_tensor(self.batch_shape.as_list(), name="batch_shape")
            return self.shape_tensor()[:-2]

    @property
    def tensor_rank(self) -> Any:
        """The number of dimensions, or None."""
        # TF opens the scope, and so uses up its name.
        with self._name_scope("tensor_rank"):
            return self.shape.ndims

    def tensor_rank_tensor(self, name: Name = "tensor_rank_tensor") -> Tensor:
        """The number of dimensions in a run, an int32 scalar."""
        with self._name_scope(name):
            if self.tensor_rank is not None:
                return ops.convert_to_tensor(self.tensor_rank)
            return array_ops.size(self.shape_tensor())

    @property
    def domain_dimension(self) -> Any:
        """The number of columns, a Dimension."""
        return tensor_shape.Dimension(None) if self.shape.rank is None else self.shape.dims[-1]

    def domain_dimension_tensor(self, name: Name = "domain_dimension_tensor") -> Tensor:
        """The number of columns in a run, an int32 scalar."""
        return self._dimension_tensor(name, "domain_dimension", -1)

    @property
    def range_dimension(self) -> Any:
        """The number of rows, a Dimension."""
        return self.shape.dims[-2] if self.shape.dims else tensor_shape.Dimension(None)

    def range_dimension_tensor(self, name: Name = "range_dimension_tensor") -> Tensor:
        """The number of rows in a run, an int32 scalar."""
        return self._dimension_tensor(name, "range_dimension", -2)

    def _dimension_tensor(self, name: Name, which: str, axis: int) -> Tensor:
        with self._name_scope(name):
            size = tensor_shape.dimension_value(getattr(self, which))
            if size is not None:
                return ops.convert_to_tensor(size)
            return self.shape_tensor()[axis]

    def _in_scope(self, name: Name, hook: Callable[[], Any]) -> Any:
        """What a method that a subclass may replace gives, recorded under a name."""
        with self._name_scope(name):
            return hook()

    # Assertions.

    def _assert_non_singular(self) -> Any:
        logging.warn(_CUBIC.format("assert_non_singular"))
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        values = linalg_ops.svd(self.to_dense(), compute_uv=False)
        largest = math_ops.reduce_max(values, axis=-1)
        condition = largest / math_ops.reduce_min(values, axis=-1)
        return check_ops.assert_less(
            condition,
            self._max_condition_number_to_be_non_singular(),
            message="Singular matrix up to precision epsilon.",
        )

    def _max_condition_number_to_be_non_singular(self) -> Any:
        with ops.name_scope("max_nonsingular_condition_number"):
            epsilon = np.finfo(self.dtype.as_numpy_dtype).eps
            largest = math_ops.reduce_max(
                [
                    100.0,
                    math_ops.cast(self.range_dimension_tensor(), self.dtype),
                    math_ops.cast(self.domain_dimension_tensor(), self.dtype),
                ]
            )
            return 1.0 / (math_ops.cast(largest, self.dtype) * epsilon)

    def assert_non_singular(self, name: Name = "assert_non_singular") -> Any:
        """Records that it has an inverse; returns the operation."""
        return self._in_scope(name, self._assert_non_singular)

    def _assert_positive_definite(self) -> Any:
        logging.warn(_CUBIC.format("assert_positive_definite"))
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        diagonal = array_ops.matrix_diag_part(linalg_ops.cholesky(self.to_dense()))
        return check_ops.assert_positive(diagonal, message="Matrix was not positive definite.")

    def assert_positive_definite(self, name: Name = "assert_positive_definite") -> Any:
        """Records that it is positive definite; returns the operation."""
        return self._in_scope(name, self._assert_positive_definite)

    def _assert_self_adjoint(self) -> Any:
        dense = self.to_dense()
        logging.warn(_SLOW.format("assert_self_adjoint") + ".")
        return check_ops.assert_equal(
            dense, linalg.adjoint(dense), message="Matrix was not equal to its adjoint."
        )

    def assert_self_adjoint(self, name: Name = "assert_self_adjoint") -> Any:
        """Records that it is its own adjoint; returns the operation."""
        return self._in_scope(name, self._assert_self_adjoint)

    # Products.

    def _checked(self, arg: Any, name: str, self_dim: int, arg_dim: int) -> Tensor:
        """A tensor of `arg` that fits the operator."""
        arg = ops.convert_to_tensor(arg, name=name)
        self._check_input_dtype(arg)
        size = tensor_shape.dimension_at_index(self.shape, self_dim)
        size.assert_is_compatible_with(arg.shape[arg_dim])
        return arg

    def _check_input_dtype(self, arg: Any) -> None:
        if arg.dtype.base_dtype != self.dtype:
            raise TypeError(
                f"Expected argument to have dtype {self.dtype}.  Found: {arg.dtype} in tensor "
                f"{arg!s}"
            )

    def _with_operator(
        self, combine: Any, other: Any, adjoint: bool, adjoint_arg: bool, name: Name, argument: str
    ) -> Any:
        left = self.adjoint() if adjoint else self
        right = other.adjoint() if adjoint_arg else other
        if right.range_dimension != left.domain_dimension:
            raise ValueError(
                f"Operators are incompatible. Expected `{argument}` to have dimension "
                f"{left.domain_dimension} but got {right.range_dimension}."
            )
        with self._name_scope(name):
            return combine(left, right)

    @abc.abstractmethod
    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        raise NotImplementedError("_matmul is not implemented.")

    def matmul(
        self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False, name: Name = "matmul"
    ) -> Any:
        """The product with matrices, or with another operator.

        Args:
          x: matrices [..., n, r] of the operator's dtype, or a LinearOperator.
          adjoint: whether to use the operator's adjoint.
          adjoint_arg: whether to use the adjoint of `x`.
          name: the name scope.

        Returns:
          A tensor [..., m, r], or a LinearOperator.

        Raises:
          ValueError: the sizes don't match.
          TypeError: the dtypes don't match.
        """
        if isinstance(x, LinearOperator):
            return self._with_operator(algebra.matmul, x, adjoint, adjoint_arg, name, "x")
        with self._name_scope(name):
            x = self._checked(x, "x", -2 if adjoint else -1, -1 if adjoint_arg else -2)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: TensorLike, adjoint: bool = False) -> Any:
        product = self.matmul(array_ops.expand_dims(x, axis=-1), adjoint=adjoint)
        return array_ops.squeeze(product, axis=-1)

    def matvec(self, x: TensorLike, adjoint: bool = False, name: Name = "matvec") -> Tensor:
        """The product with vectors.

        Args:
          x: vectors [..., n].
          adjoint: whether to use the operator's adjoint.
          name: the name scope.

        Returns:
          A tensor [..., m].
        """
        with self._name_scope(name):
            x = self._checked(x, "x", -2 if adjoint else -1, -1)
            return self._matvec(x, adjoint=adjoint)

    # Determinants.

    def _determinant(self) -> Any:
        logging.warn(_CUBIC.format("determinant"))
        if self._can_use_cholesky():
            return math_ops.exp(self.log_abs_determinant())
        return linalg_ops.matrix_determinant(self.to_dense())

    def _refuse_if_not_square(self) -> None:
        if self.is_square is False:
            raise NotImplementedError(
                "Determinant not implemented for an operator that is expected to not be square."
            )

    def determinant(self, name: Name = "det") -> Tensor:
        """The determinants, [...].

        Raises:
          NotImplementedError: it is not square.
        """
        self._refuse_if_not_square()
        return self._in_scope(name, self._determinant)

    def _log_abs_determinant(self) -> Any:
        logging.warn(_CUBIC.format("determinant"))
        if self._can_use_cholesky():
            return util.log_determinant(linalg_ops.cholesky(self.to_dense()))
        return linalg.slogdet(self.to_dense())[1]

    def log_abs_determinant(self, name: Name = "log_abs_det") -> Tensor:
        """The logs of the magnitudes of the determinants, [...].

        Raises:
          NotImplementedError: it is not square.
        """
        self._refuse_if_not_square()
        return self._in_scope(name, self._log_abs_determinant)

    # Solutions.

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        if self.is_square is False:
            raise NotImplementedError("Solve is not yet implemented for non-square operators.")
        logging.warn(_CUBIC.format("solve"))
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return util.cholesky_solve_with_broadcast(linalg_ops.cholesky(self.to_dense()), rhs)
        return util.matrix_solve_with_broadcast(self.to_dense(), rhs, adjoint=adjoint)

    def solve(
        self,
        rhs: TensorLike,
        adjoint: bool = False,
        adjoint_arg: bool = False,
        name: Name = "solve",
    ) -> Any:
        """The X for which the operator times X is `rhs`.

        Args:
          rhs: matrices [..., m, r] of the operator's dtype, or a LinearOperator.
          adjoint: whether to use the operator's adjoint.
          adjoint_arg: whether to use the adjoint of `rhs`.
          name: the name scope.

        Returns:
          A tensor [..., n, r], or a LinearOperator.

        Raises:
          NotImplementedError: the operator is singular, or not square.
          ValueError: the sizes don't match.
          TypeError: the dtypes don't match.
        """
        for hint, trouble in (
            (self.is_non_singular, "be singular"),
            (self.is_square, "not be square"),
        ):
            if hint is False:
                raise NotImplementedError(
                    f"Exact solve not implemented for an operator that is expected to {trouble}."
                )
        if isinstance(rhs, LinearOperator):
            return self._with_operator(algebra.solve, rhs, adjoint, adjoint_arg, name, "rhs")
        with self._name_scope(name):
            rhs = self._checked(rhs, "rhs", -1 if adjoint else -2, -1 if adjoint_arg else -2)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: TensorLike, adjoint: bool = False) -> Any:
        solution = self.solve(array_ops.expand_dims(rhs, axis=-1), adjoint=adjoint)
        return array_ops.squeeze(solution, axis=-1)

    def solvevec(self, rhs: TensorLike, adjoint: bool = False, name: Name = "solve") -> Tensor:
        """The x for which the operator times x is `rhs`.

        Args:
          rhs: vectors [..., m].
          adjoint: whether to use the operator's adjoint.
          name: the name scope.

        Returns:
          A tensor [..., n].
        """
        with self._name_scope(name):
            rhs = self._checked(rhs, "rhs", -1 if adjoint else -2, -1)
            return self._solvevec(rhs, adjoint=adjoint)

    # Other operators.

    def adjoint(self, name: Name = "adjoint") -> LinearOperator:
        """The operator of the conjugate transposes."""
        if self.is_self_adjoint is True:
            return self
        with self._name_scope(name):
            return algebra.adjoint(self)

    H = property(adjoint, None)

    def inverse(self, name: Name = "inverse") -> LinearOperator:
        """The operator of the inverses.

        Raises:
          ValueError: the operator is singular, or not square.
        """
        for hint, what in ((self.is_square, "non square"), (self.is_non_singular, "singular")):
            if hint is False:
                raise ValueError(
                    f"Cannot take the Inverse: This operator represents a {what} matrix."
                )
        with self._name_scope(name):
            return algebra.inverse(self)

    def cholesky(self, name: Name = "cholesky") -> LinearOperator:
        """The operator of the Cholesky factors.

        Raises:
          ValueError: the operator is not known to be self-adjoint and positive definite.
        """
        if not self._can_use_cholesky():
            raise ValueError(
                "Cannot take the Cholesky decomposition: Not a positive definite self adjoint "
                "matrix."
            )
        with self._name_scope(name):
            return algebra.cholesky(self)

    # Dense matrices.

    def _to_dense(self) -> Any:
        batch: Any = self.batch_shape
        if not batch.is_fully_defined():
            batch = self.batch_shape_tensor()
        size: Any = tensor_shape.dimension_value(self.domain_dimension)
        if size is None:
            size = self.domain_dimension_tensor()
        return self.matmul(linalg_ops.eye(num_rows=size, batch_shape=batch, dtype=self.dtype))

    def to_dense(self, name: Name = "to_dense") -> Tensor:
        """The matrices, [..., m, n]."""
        return self._in_scope(name, self._to_dense)

    def _diag_part(self) -> Any:
        return array_ops.matrix_diag_part(self.to_dense())

    def diag_part(self, name: Name = "diag_part") -> Tensor:
        """The diagonals, [..., min(m, n)]."""
        return self._in_scope(name, self._diag_part)

    def _trace(self) -> Any:
        return math_ops.reduce_sum(self.diag_part(), axis=-1)

    def trace(self, name: Name = "trace") -> Tensor:
        """The sums of the diagonals, [...]."""
        return self._in_scope(name, self._trace)

    def _add_to_tensor(self, x: TensorLike) -> Any:
        return self.to_dense() + x

    def add_to_tensor(self, x: TensorLike, name: Name = "add_to_tensor") -> Tensor:
        """The sum with matrices.

        Args:
          x: matrices [..., m, n] of the operator's dtype.
          name: the name scope.

        Returns:
          A tensor like `x`.
        """
        with self._name_scope(name):
            x = ops.convert_to_tensor(x, name="x")
            self._check_input_dtype(x)
            return self._add_to_tensor(x)


# What functions of matrices do with operators.


@dispatch.dispatch_for_types(linalg.adjoint, LinearOperator)
def _adjoint(matrix: Any, name: Name = None) -> Any:
    return matrix.adjoint(name)


@dispatch.dispatch_for_types(linalg.cholesky, LinearOperator)
def _cholesky(input: Any, name: Name = None) -> Any:
    return input.cholesky(name)


@dispatch.dispatch_for_types(linalg.diag_part, LinearOperator)
def _diag_part(input: Any, name: Any = "diag_part", k: Any = 0, padding_value: Any = 0) -> Any:
    return input.diag_part(name)


@dispatch.dispatch_for_types(linalg.det, LinearOperator)
def _det(input: Any, name: Name = None) -> Any:
    return input.determinant(name)


@dispatch.dispatch_for_types(linalg.inv, LinearOperator)
def _inverse(input: Any, adjoint: Any = False, name: Name = None) -> Any:
    inverse = input.inverse(name)
    return inverse.adjoint() if adjoint else inverse


@dispatch.dispatch_for_types(linalg.logdet, LinearOperator)
def _logdet(matrix: Any, name: Name = None) -> Any:
    if not (matrix.is_positive_definite and matrix.is_self_adjoint):
        raise ValueError("Expected matrix to be self-adjoint positive definite.")
    return matrix.log_abs_determinant(name)


@dispatch.dispatch_for_types(math_ops.matmul, LinearOperator)
def _matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: Name = None,
) -> Any:
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b, name=name)
    product = b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a, name=name)
    return linalg.adjoint(product)


@dispatch.dispatch_for_types(linalg.solve, LinearOperator)
def _solve(matrix: TensorLike, rhs: TensorLike, adjoint: Any = False, name: Name = None) -> Any:
    if not isinstance(matrix, LinearOperator):
        raise ValueError(
            "Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported."
        )
    return matrix.solve(rhs, adjoint=adjoint, name=name)


@dispatch.dispatch_for_types(linalg.trace, LinearOperator)
def _trace(x: Any, name: Name = None) -> Any:
    return x.trace(name)
