"""`tensorflow.python.ops.linalg.linear_operator_addition`: sums of operators, kept simple."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_diag import LinearOperatorDiag
from tf1compat.api.linalg.linear_operator_full_matrix import LinearOperatorFullMatrix
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tf1compat.api.linalg.linear_operator_lower_triangular import LinearOperatorLowerTriangular
from tf1compat.core import ops, tensor_shape
from tf1compat.core.typing import Name

_IDENTITIES = (LinearOperatorIdentity, LinearOperatorScaledIdentity)
_DIAGONAL = (*_IDENTITIES, LinearOperatorDiag)
_TRIANGULAR = (*_DIAGONAL, LinearOperatorLowerTriangular)
_KNOWN = (*_TRIANGULAR, LinearOperatorFullMatrix)


def add_operators(
    operators: Any, operator_name: Any = None, addition_tiers: Any = None, name: Name = None
) -> list[Any]:
    """Adds operators where a simple operator is the sum.

    Args:
      operators: LinearOperators of one shape.
      operator_name: the name of a sum.
      addition_tiers: lists of adders, the cheapest first; each list is tried on all operators
        before the next one. By default everything is added, to dense matrices in the end.
      name: the name scope, "add_operators" by default.

    Returns:
      As few LinearOperators with the same sum as the adders can make.

    Raises:
      ValueError: there are none, or their shapes don't match.
      TypeError: one is no LinearOperator.
    """
    tiers = _DEFAULT_ADDITION_TIERS if addition_tiers is None else addition_tiers
    check_ops.assert_proper_iterable(operators)
    operators = list(reversed(operators))
    if not operators:
        raise ValueError(
            f"Argument 'operators' must contain at least one operator.  Found: {operators}"
        )
    if not all(isinstance(x, LinearOperator) for x in operators):
        raise TypeError(
            f"Argument 'operators' must contain only LinearOperator instances.  Found: {operators}"
        )
    _check_sizes(operators)
    parents = [parent for x in operators for parent in x.graph_parents]
    with ops.name_scope(name or "add_operators", values=parents):
        for tier in tiers:
            left, operators = operators, []
            while left:
                first = left.pop()
                other, adder = _pop_a_match_at_tier(first, left, tier)
                if adder is None:
                    operators.append(first)
                else:
                    left.append(adder.add(first, other, operator_name))
        return operators


def _check_sizes(operators: Sequence[Any]) -> None:
    for which in ("domain", "range"):
        sizes = [
            (x.name, tensor_shape.dimension_value(getattr(x, f"{which}_dimension")))
            for x in operators
        ]
        known = [(name, size) for name, size in sizes if size is not None]
        if len({size for _, size in known}) > 1:
            raise ValueError(f"Operators must have the same {which} dimension. Found: {known}")
    batch = operators[0].batch_shape
    for operator in operators[1:]:
        batch = array_ops.broadcast_static_shape(batch, operator.batch_shape)


def _pop_a_match_at_tier(first: Any, others: list[Any], tier: Any) -> Any:
    for i in range(len(others) - 1, -1, -1):
        for adder in tier:
            if adder.can_add(first, others[i]):
                return others.pop(i), adder
    return None, None


class _Hints(NamedTuple):
    is_non_singular: Any = None
    is_positive_definite: Any = None
    is_self_adjoint: Any = None


def _infer_hints_allowing_override(op1: Any, op2: Any, hints: Any) -> _Hints:
    hints = hints or _Hints()
    self_adjoint = hints.is_self_adjoint
    if self_adjoint is None:
        self_adjoint = op1.is_self_adjoint and op2.is_self_adjoint
    definite = hints.is_positive_definite
    inferred = definite is None
    if inferred:
        definite = op1.is_positive_definite and op2.is_positive_definite
    return _Hints(True if inferred and definite else hints.is_non_singular, definite, self_adjoint)


class _Adder:
    """Adds operators of some classes.

    Args:
      scope: the name scope of its operations.
      classes: those that it can add; None for all.
      make: (op1, op2, **hints and name) -> their sum.
    """

    def __init__(self, scope: str, classes: Any, make: Callable[..., Any]):
        self._scope, self._classes, self._make = scope, classes, make

    @property
    def name(self) -> str:
        """The adder's name."""
        return self._scope

    def can_add(self, op1: Any, op2: Any) -> bool:
        """Whether the adder can add two operators.

        Raises:
          TypeError: one is of a class that no adder but the last one knows.
        """
        if self._classes is None:
            return True
        for operator in (op1, op2):
            if not isinstance(operator, _KNOWN):
                raise TypeError(f"Operator type unknown: {operator}")
        return all(isinstance(x, self._classes) for x in (op1, op2))

    def add(self, op1: Any, op2: Any, operator_name: Any, hints: Any = None) -> Any:
        """Their sum."""
        hints = _infer_hints_allowing_override(op1, op2, hints)
        if operator_name is None:
            operator_name = f"Add/{op1.name}__{op2.name}/"
        with ops.name_scope(self._scope, values=op1.graph_parents + op2.graph_parents):
            return self._make(op1, op2, name=operator_name, **hints._asdict())


def _multiplier(operator: Any) -> Any:
    if isinstance(operator, LinearOperatorScaledIdentity):
        return operator.multiplier
    return array_ops.ones(operator.batch_shape_tensor(), dtype=operator.dtype)


def _scaled_identity(op1: Any, op2: Any, **kwargs: Any) -> Any:
    first, second = _multiplier(op1), _multiplier(op2)
    rows = op1.range_dimension_tensor()
    return LinearOperatorScaledIdentity(rows, first + second, **kwargs)


def _diag(op1: Any, op2: Any, **kwargs: Any) -> Any:
    return LinearOperatorDiag(op1.diag_part() + op2.diag_part(), **kwargs)


def _dense_sum(op1: Any, op2: Any) -> Any:
    if isinstance(op1, _DIAGONAL):
        return op1.add_to_tensor(op2.to_dense())
    return op2.add_to_tensor(op1.to_dense())


def _lower_triangular(op1: Any, op2: Any, **kwargs: Any) -> Any:
    return LinearOperatorLowerTriangular(_dense_sum(op1, op2), **kwargs)


def _full_matrix(op1: Any, op2: Any, **kwargs: Any) -> Any:
    return LinearOperatorFullMatrix(_dense_sum(op1, op2), **kwargs)


_AddAndReturnScaledIdentity = _Adder("AddAndReturnScaledIdentity", _IDENTITIES, _scaled_identity)
_AddAndReturnDiag = _Adder("AddAndReturnDiag", _DIAGONAL, _diag)
_AddAndReturnTriL = _Adder("AddAndReturnTriL", _TRIANGULAR, _lower_triangular)
_AddAndReturnMatrix = _Adder("AddAndReturnMatrix", None, _full_matrix)

_DEFAULT_ADDITION_TIERS = [
    [_AddAndReturnScaledIdentity],
    [_AddAndReturnDiag],
    [_AddAndReturnTriL],
    [_AddAndReturnMatrix],
]
