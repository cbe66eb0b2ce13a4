"""`tensorflow.python.ops.linalg.registrations_util`: hints of products of two operators."""

from __future__ import annotations

from typing import Any


def combined_commuting_self_adjoint_hint(operator_a: Any, operator_b: Any) -> bool | None:
    """Whether the product of operators that commute is self-adjoint."""
    hints = (operator_a.is_self_adjoint, operator_b.is_self_adjoint)
    if all(hints):
        return True
    return False if set(hints) == {True, False} else None


def is_square(operator_a: Any, operator_b: Any) -> bool | None:
    """Whether the product is square."""
    a, b = operator_a.is_square, operator_b.is_square
    if a and b:
        return True
    if a is False and b is False:
        return operator_a.range_dimension == operator_b.domain_dimension
    return False if a != b and a is not None else None


def combined_commuting_positive_definite_hint(operator_a: Any, operator_b: Any) -> bool | None:
    """Whether the product of operators that commute is positive definite."""
    hints = [
        x for o in (operator_a, operator_b) for x in (o.is_positive_definite, o.is_self_adjoint)
    ]
    return True if all(x is True for x in hints) else None


def combined_non_singular_hint(operator_a: Any, operator_b: Any) -> bool | None:
    """Whether the product has an inverse."""
    a, b = operator_a.is_non_singular, operator_b.is_non_singular
    return False if a is False or b is False else a and b


def hints_of(operator: Any) -> dict[str, Any]:
    """The hints of an operator that its adjoint and its inverse share, as keyword arguments."""
    keys = ("is_non_singular", "is_self_adjoint", "is_positive_definite")
    return {key: getattr(operator, key) for key in keys}


def general_hints(operator_a: Any, operator_b: Any) -> dict[str, Any]:
    """The hints of a product of any two operators, as keyword arguments."""
    square = is_square(operator_a, operator_b)
    # Only a square matrix can be any of the other three.
    other = False if square is False else None
    return {
        "is_non_singular": combined_non_singular_hint(operator_a, operator_b) if square else other,
        "is_self_adjoint": other,
        "is_positive_definite": other,
        "is_square": square,
    }


def commuting_hints(operator_a: Any, operator_b: Any, triangular: bool = False) -> dict[str, Any]:
    """The hints of a product of square operators that commute, as keyword arguments.

    Args:
      operator_a, operator_b: the operators.
      triangular: whether one is triangular: nothing is then known of being positive definite.
    """
    definite = combined_commuting_positive_definite_hint(operator_a, operator_b)
    return {
        "is_non_singular": combined_non_singular_hint(operator_a, operator_b),
        "is_self_adjoint": combined_commuting_self_adjoint_hint(operator_a, operator_b),
        "is_positive_definite": None if triangular else definite,
        "is_square": True,
    }
