"""`tensorflow.python.ops.linalg.linear_operator_util`: what linear operators share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.module.module import Module
from tf1compat.api.variables.variable_base import Variable
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike


def convert_nonref_to_tensor(
    value: Any, dtype: DTypeLike | None = None, dtype_hint: Any = None, name: Name = None
) -> Any:
    """A tensor of `value`; None, and what is to be read anew each time (a variable), as it is.

    Raises:
      TypeError: a variable is not of `dtype`.
    """
    if value is None:
        return None
    if not is_ref(value):
        return ops.convert_to_tensor(value, dtype=dtype, dtype_hint=dtype_hint, name=name)
    if dtype is not None and base_dtype(dtype) != base_dtype(value.dtype):
        raise TypeError(
            f'Mutable type must be of dtype "{dtype_name(base_dtype(dtype))}" but is '
            f'"{dtype_name(base_dtype(value.dtype))}".'
        )
    return value


def base_dtype(dtype: DTypeLike) -> Any:
    """The DType of which `dtype` may be a reference."""
    return dtypes.as_dtype(dtype).base_dtype


def dtype_name(dtype: DTypeLike) -> str:
    """The name of a dtype."""
    return dtypes.as_dtype(dtype).name


def is_ref(x: TensorLike) -> bool:
    """Whether a value can change: a variable, or a module with a dtype and a shape."""
    return isinstance(x, Variable) or (
        isinstance(x, Module) and hasattr(x, "dtype") and hasattr(x, "shape")
    )


def assert_not_ref_type(x: Any, arg_name: str) -> None:
    """Raises TypeError for a reference variable, whose value may change under the operator.

    Raises:
      TypeError: it is.
    """
    if is_ref(x):
        raise TypeError(f"Argument {arg_name} cannot be reference type. Found: {type(x)}")


# Assertions.


def assert_no_entries_with_modulus_zero(
    x: TensorLike, message: str | None = None, name: Name = "assert_no_entries_with_modulus_zero"
) -> Any:
    """Records that no element of `x` is zero.

    Args:
      x: real or complex numbers.
      message: the start of the error's text.
      name: the name scope.

    Returns:
      An operation.
    """
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        magnitudes = math_ops.abs(x)
        return check_ops.assert_less(_real_zero(x), magnitudes, message=message)


def _real_zero(x: Tensor) -> Tensor:
    """What the real and imaginary parts of `x` are compared with."""
    return ops.convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype)


def assert_zero_imag_part(
    x: TensorLike, message: str | None = None, name: Name = "assert_zero_imag_part"
) -> Any:
    """Records that the elements of `x` are real.

    Args:
      x: real or complex numbers.
      message: the start of the error's text.
      name: the name scope.

    Returns:
      An operation.
    """
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.base_dtype.is_floating:
            return control_flow_ops.no_op()
        return check_ops.assert_equal(_real_zero(x), math_ops.imag(x), message=message)


def assert_compatible_matrix_dimensions(operator: Any, x: TensorLike) -> Any:
    """Records that `operator` can be applied to the columns of `x`."""
    return check_ops.assert_equal(
        array_ops.shape(x)[-2],
        operator.domain_dimension_tensor(),
        message=(
            "Dimensions are not compatible.  shape[-2] of argument to be the same as this operator"
        ),
    )


def assert_is_batch_matrix(tensor: Any) -> None:
    """Refuses what is known to have fewer than two dimensions.

    Raises:
      ValueError: it has.
    """
    rank = tensor.shape.ndims
    if rank is not None and rank < 2:
        raise ValueError(
            f"Expected [batch] matrix to have at least two dimensions.  Found: {tensor!s}"
        )


def shape_tensor(shape: Any, name: Name = None) -> Tensor:
    """A tensor of a shape; of int32 if it is an empty list."""
    empty = isinstance(shape, tuple | list) and not shape
    return ops.convert_to_tensor(shape, dtype=dtypes.int32 if empty else None, name=name)


def square_shape_tensor(vectors: Tensor) -> Tensor:
    """The shape of square matrices that are made of one vector each, [..., n, n].

    Args:
      vectors: the shape of the vectors, [..., n].
    """
    return array_ops.concat((vectors, [vectors[-1]]), 0)


def to_complex(x: Tensor) -> Tensor:
    """`x` as complex numbers of its precision."""
    if x.dtype.is_complex:
        return x
    return math_ops.cast(x, dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64)


def checked_size(
    size: Any, static: Any, name: str, rank: int, assert_proper_shapes: bool, last_space: str = " "
) -> Any:
    """Refuses a number of rows, or a shape, that can't be one.

    Args:
      size: the tensor.
      static: its value, if known.
      name: the argument's name.
      rank: 0 for a number, 1 for a shape.
      assert_proper_shapes: whether to record assertions, too.
      last_space: what TF has in the last message before the value.

    Returns:
      `size`, behind the assertions.

    Raises:
      TypeError: it is of no integer type.
      ValueError: it has the wrong rank, or is negative.
    """
    wrong_rank = f"Argument {name} must be a {rank}-D Tensor."
    negative = f"Argument {name} must be non-negative."
    if assert_proper_shapes:
        size = control_flow_ops.with_dependencies(
            [
                check_ops.assert_rank(size, rank, message=wrong_rank),
                check_ops.assert_non_negative(size, message=negative),
            ],
            size,
        )
    if not size.dtype.is_integer:
        raise TypeError(f"Argument {name} must be integer type.  Found: {size!s}")
    if static is not None:
        if static.ndim != rank:
            raise ValueError(f"{wrong_rank}  Found: {static!s}")
        if np.any(static < 0):
            raise ValueError(f"{negative}  Found:{last_space}{static}")
    return size


# Batches that broadcast.


def broadcast_matrix_batch_dims(batch_matrices: Any, name: Name = None) -> list[Tensor]:
    """Matrices whose leading dimensions are broadcast to each other.

    Args:
      batch_matrices: tensors [..., m_i, n_i].
      name: the name scope.

    Returns:
      As many tensors, with the same leading dimensions.

    Raises:
      ValueError: one has fewer than two dimensions, or they don't broadcast.
    """
    with ops.name_scope(name or "broadcast_matrix_batch_dims", values=batch_matrices):
        check_ops.assert_proper_iterable(batch_matrices)
        matrices = [_batch_matrix(x) for x in batch_matrices]
        if len(matrices) < 2:
            return matrices
        static = functools.reduce(
            array_ops.broadcast_static_shape, [x.shape[:-2] for x in matrices]
        )
        if static.is_fully_defined():
            batch = static.as_list()
            return [_with_batch(x, batch) if x.shape[:-2] != static else x for x in matrices]
        # Each shape is recorded just before it is broadcast, so no list is made of them.
        batch = functools.reduce(
            array_ops.broadcast_dynamic_shape, (array_ops.shape(x)[:-2] for x in matrices)
        )
        return [_with_batch(x, batch) for x in matrices]


def _batch_matrix(x: TensorLike) -> Tensor:
    tensor = ops.convert_to_tensor(x)
    assert_is_batch_matrix(tensor)
    return tensor


def _with_batch(matrix: Tensor, batch: Any) -> Tensor:
    """Copies of a matrix, as many as a batch has; or of each in a smaller batch."""
    shape = array_ops.concat([batch, array_ops.shape(matrix)[-2:]], axis=0)
    return array_ops.broadcast_to(matrix, shape)


def cholesky_solve_with_broadcast(chol: Any, rhs: TensorLike, name: Name = None) -> Tensor:
    """`tf.linalg.cholesky_solve` of batches that broadcast."""
    with ops.name_scope(name, "CholeskySolveWithBroadcast", [chol, rhs]):
        chol, rhs = broadcast_matrix_batch_dims([chol, rhs])
        return linalg_ops.cholesky_solve(chol, rhs)


def matrix_solve_with_broadcast(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: Name = None
) -> Tensor:
    """`tf.linalg.solve` of batches that broadcast."""
    with ops.name_scope(name, "MatrixSolveWithBroadcast", [matrix, rhs]):
        matrix, rhs, undo, untransposed = _equations(matrix, rhs, adjoint)
        return undo(linalg_ops.matrix_solve(matrix, rhs, adjoint=adjoint and untransposed))


def matrix_triangular_solve_with_broadcast(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: Name = None,
) -> Tensor:
    """`tf.linalg.triangular_solve` of batches that broadcast.

    Args:
      matrix: triangular matrices [..., n, n].
      rhs: matrices [..., n, k] of the same dtype.
      lower: whether `matrix` is lower triangular.
      adjoint: whether to solve with its adjoint.
      name: the name scope.

    Returns:
      Matrices [..., n, k].
    """
    with ops.name_scope(name, "MatrixTriangularSolve", [matrix, rhs]):
        matrix, rhs, undo, untransposed = _equations(matrix, rhs, adjoint)
        if adjoint and not untransposed:
            lower = not lower
        solution = linalg_ops.matrix_triangular_solve(
            matrix, rhs, lower=lower, adjoint=adjoint and untransposed
        )
        return undo(solution)


def _equations(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool
) -> tuple[Tensor, Tensor, Callable[[Any], Any], bool]:
    """Tensors of one batch, and what else `_reshape_for_efficiency` gives of them."""
    matrix = ops.convert_to_tensor(matrix, name="matrix")
    rhs = ops.convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype)
    matrix, rhs, undo, untransposed = _reshape_for_efficiency(matrix, rhs, adjoint_a=adjoint)
    matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
    return matrix, rhs, undo, untransposed


def _reshape_for_efficiency(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
) -> tuple[Any, Any, Callable[[Any], Any], bool]:
    """Makes columns of the leading dimensions that only `b` has, where that saves copies of `a`.

    Returns:
      `a`, `b`, what undoes it in a solution, and whether `a` is still to be transposed.
    """
    as_they_are = (a, b, lambda x: x, True)
    rank_a, rank_b = a.shape.ndims, b.shape.ndims
    if rank_a is None or rank_b is None or rank_a >= rank_b:
        return as_they_are
    extra = rank_b - rank_a
    # TF makes these before it knows whether it needs them.
    extra_shape = array_ops.shape(b)[:extra]
    main_shape = array_ops.shape(b)[extra:]

    size = a.shape[-2 if adjoint_a or transpose_a else -1]
    equations = b.shape[-2 if adjoint_b or transpose_b else -1]
    copies = b.shape[:extra]
    count = np.prod(copies.as_list()) if copies.is_fully_defined() else None
    if (
        size is not None
        and equations is not None
        and count is not None
        and (count < 2 or size <= equations)
    ):
        return as_they_are

    if adjoint_a:
        a = linalg.adjoint(a)
    elif transpose_a:
        a = linalg.transpose(a)
    if adjoint_b:
        b = linalg.adjoint(b)
    elif transpose_b:
        b = linalg.transpose(b)
    extra_shape = array_ops.shape(b)[:extra]
    main_shape = array_ops.shape(b)[extra:]
    order = np.concatenate((np.arange(extra, rank_b), np.arange(extra)), 0)
    columns = array_ops.reshape(
        array_ops.transpose(b, perm=order), array_ops.concat((main_shape[:-1], [-1]), 0)
    )

    def undo(y: TensorLike) -> Any:
        shape = array_ops.concat((array_ops.shape(y)[:-1], [main_shape[-1]], extra_shape), 0)
        return array_ops.transpose(array_ops.reshape(y, shape), perm=np.argsort(order))

    return a, columns, undo, False


# Determinants.


def log_determinant(factor: Tensor) -> Tensor:
    """The logs of the determinants of matrices, given their Cholesky factors."""
    diagonal = array_ops.matrix_diag_part(factor)
    return 2 * math_ops.reduce_sum(math_ops.log(diagonal), axis=[-1])


def log_abs_product(diagonal: Tensor) -> Tensor:
    """The logs of the magnitudes of the products of diagonals."""
    return math_ops.reduce_sum(math_ops.log(math_ops.abs(diagonal)), axis=[-1])


# Hints.


def use_operator_or_provided_hint_unless_contradicting(
    operator: Any, hint_attr_name: str, provided_hint_value: Any, message: str
) -> bool | None:
    """A hint that an operator and the one it is made of have in common.

    Args:
      operator: the operator within.
      hint_attr_name: e.g. "is_square".
      provided_hint_value: the hint given for the operator around it.
      message: the error's text.

    Returns:
      Whichever of both hints is known; None if neither is.

    Raises:
      ValueError: they contradict each other.
    """
    hints = (getattr(operator, hint_attr_name), provided_hint_value)
    if any(x is False for x in hints) and any(hints):
        raise ValueError(message)
    return True if any(hints) else False if False in hints else None


def shared_hints(operator: Any, what: str, **hints: Any) -> dict[str, Any]:
    """The hints of an operator's adjoint or inverse, which are those of the operator.

    Args:
      operator: the operator.
      what: "adjoint" or "inverse".
      **hints: the hints given.

    Raises:
      ValueError: they contradict those of the operator.
    """
    found = {}
    for word in ("square", "non-singular", "self-adjoint", "positive-definite"):
        key = "is_" + word.replace("-", "_")
        text = f"An operator is {word} if and only if its {what} is {word}."
        found[key] = use_operator_or_provided_hint_unless_contradicting(
            operator, key, hints[key], text
        )
    return found


# Operators that are made of operators.


class AssertionsOfOperator:
    """The assertions of an operator that hold where they hold of the one it is made of."""

    operator: Any

    def _assert_non_singular(self) -> Any:
        return self.operator.assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self.operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self.operator.assert_self_adjoint()


def checked_operators(operators: Any, expected: str = "a non-empty list of operators") -> list[Any]:
    """The list of operators of one dtype that a composed operator is made of.

    Raises:
      ValueError: it is empty.
      TypeError: their dtypes differ.
    """
    check_ops.assert_proper_iterable(operators)
    operators = list(operators)
    if not operators:
        raise ValueError(f"Expected {expected}. Found: {operators}")
    if any(operator.dtype != operators[0].dtype for operator in operators):
        found = "   ".join(str((x.name, x.dtype)) for x in operators)
        raise TypeError(f"Expected all operators to have the same dtype.  Found {found}")
    return operators


def inherited_hint(
    operators: Sequence[Any], key: str, hint: Any, contradiction: str
) -> bool | None:
    """A hint that holds of a composed operator if it holds of all that it is made of.

    Raises:
      ValueError: it holds of all, but `hint` is False.
    """
    if not all(getattr(operator, key) for operator in operators):
        return hint
    if hint is False:
        raise ValueError(contradiction)
    return True


def graph_parents(operators: Sequence[Any]) -> list[Any]:
    """The graph parents of all operators."""
    return [parent for operator in operators for parent in operator.graph_parents]


def common_batch_shape(operators: Sequence[Any]) -> Any:
    """The static batch shape to which those of the operators broadcast."""
    shape = operators[0].batch_shape
    for operator in operators[1:]:
        shape = array_ops.broadcast_static_shape(shape, operator.batch_shape)
    return shape


def common_batch_shape_tensor(operators: Sequence[Any]) -> Tensor:
    """The same in a run: the shape of a sum of zeros."""
    zeros = array_ops.zeros(shape=operators[0].batch_shape_tensor())
    for operator in operators[1:]:
        zeros += array_ops.zeros(shape=operator.batch_shape_tensor())
    return array_ops.shape(zeros)


def static_shape_or(operator: Any, recorded: Callable[[], Any]) -> Tensor:
    """The shape of an operator made of operators.

    Args:
      operator: the operator.
      recorded: gives its numbers of rows and of columns in a run, where they are not known before.
    """
    if operator.shape.is_fully_defined():
        shape = operator.shape.as_list()
        return ops.convert_to_tensor(shape, dtype=dtypes.int32, name="shape")
    matrix = array_ops.stack(recorded())
    return array_ops.concat((common_batch_shape_tensor(operator.operators), matrix), 0)


def accumulated(operators: Sequence[Any], method: str, combine: Callable[[Any, Any], Any]) -> Any:
    """What a method gives for all operators, combined from the first to the last."""
    result = getattr(operators[0], method)()
    for operator in operators[1:]:
        result = combine(result, getattr(operator, method)())
    return result
