"""`tensorflow.python.ops.linalg.linear_operator_algebra`: operations by the types of operators.

`RegisterMatmul(A, B)` and the like decorate a function of operators; `matmul(a, b)` calls the one
that is registered for the nearest base classes.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable
from typing import Any

from tf1compat.core import ops
from tf1compat.core.typing import Name

_Registry = dict[tuple[type, ...], Callable[..., Any]]

_ADJOINTS: _Registry = {}
_CHOLESKY_DECOMPS: _Registry = {}
_MATMUL: _Registry = {}
_SOLVE: _Registry = {}
_INVERSES: _Registry = {}


def _registered_function(type_list: list[type], registry: _Registry) -> Any:
    """The function for the classes that the given ones are nearest to; None if there is none."""
    if not registry:
        for what in ("adjoint", "cholesky", "inverse", "matmul", "solve"):
            importlib.import_module(f"{__package__}.{what}_registrations")
    best, best_distance = None, float("inf")
    for combination in itertools.product(*(enumerate(x.__mro__) for x in type_list)):
        distance = sum(step for step, _ in combination)
        function = registry.get(tuple(base for _, base in combination))
        if function is not None and distance < best_distance:
            best, best_distance = function, distance
    return best


def _registered_adjoint(type_a: type) -> Any:
    return _registered_function([type_a], _ADJOINTS)


def _registered_cholesky(type_a: type) -> Any:
    return _registered_function([type_a], _CHOLESKY_DECOMPS)


def _registered_matmul(type_a: type, type_b: type) -> Any:
    return _registered_function([type_a, type_b], _MATMUL)


def _registered_solve(type_a: type, type_b: type) -> Any:
    return _registered_function([type_a, type_b], _SOLVE)


def _registered_inverse(type_a: type) -> Any:
    return _registered_function([type_a], _INVERSES)


def _call(function: Any, text: str, scope: str, name: Name, *operators: Any) -> Any:
    if function is None:
        raise ValueError(text.format(*map(type, operators)))
    with ops.name_scope(name, scope):
        return function(*operators)


def adjoint(lin_op_a: Any, name: Name = None) -> Any:
    """The adjoint of an operator.

    Raises:
      ValueError: none is registered for its class.
    """
    found = _registered_adjoint(type(lin_op_a))
    return _call(found, "No adjoint registered for {}", "Adjoint", name, lin_op_a)


def cholesky(lin_op_a: Any, name: Name = None) -> Any:
    """The Cholesky factor of an operator.

    Raises:
      ValueError: none is registered for its class.
    """
    found = _registered_cholesky(type(lin_op_a))
    text = "No cholesky decomposition registered for {}"
    return _call(found, text, "Cholesky", name, lin_op_a)


def matmul(lin_op_a: Any, lin_op_b: Any, name: Name = None) -> Any:
    """The product of two operators.

    Raises:
      ValueError: none is registered for their classes.
    """
    found = _registered_matmul(type(lin_op_a), type(lin_op_b))
    return _call(found, "No matmul registered for {}.matmul({})", "Matmul", name,
                 lin_op_a, lin_op_b)  # fmt: skip


def solve(lin_op_a: Any, lin_op_b: Any, name: Name = None) -> Any:
    """The product of the inverse of an operator and another one.

    Raises:
      ValueError: none is registered for their classes.
    """
    found = _registered_solve(type(lin_op_a), type(lin_op_b))
    return _call(found, "No solve registered for {}.solve({})", "Solve", name, lin_op_a, lin_op_b)


def inverse(lin_op_a: Any, name: Name = None) -> Any:
    """The inverse of an operator.

    Raises:
      ValueError: none is registered for its class.
    """
    found = _registered_inverse(type(lin_op_a))
    return _call(found, "No inverse registered for {}", "Inverse", name, lin_op_a)


class _Register:
    """Decorates the function for some classes of operators."""

    _registry: _Registry
    _argument: str  # what TF calls the function in its messages
    _what: str
    _names_other = True  # whether the message about a second registration names the first one

    def __init__(self, *classes: type):
        self._key = classes

    def __call__(self, function: Any) -> Any:
        """Registers the function.

        Raises:
          TypeError: it can't be called.
          ValueError: there is one for these classes.
        """
        if not callable(function):
            raise TypeError(f"{self._argument} must be callable, received: {function}")
        if self._key in self._registry:
            names = ", ".join(x.__name__ for x in self._key)
            other = f" to: {self._registry[self._key]}" if self._names_other else "."
            raise ValueError(f"{self._what}({names}) has already been registered{other}")
        self._registry[self._key] = function
        return function


class RegisterAdjoint(_Register):
    """Decorates the function that makes the adjoint of an operator.

    Args:
      lin_op_cls_a: its class.
    """

    _registry, _argument, _what = _ADJOINTS, "adjoint_fn", "Adjoint"

    def __init__(self, lin_op_cls_a: type):
        super().__init__(lin_op_cls_a)


class RegisterCholesky(_Register):
    """Decorates the function that makes the Cholesky factor of an operator.

    Args:
      lin_op_cls_a: its class.
    """

    _registry, _argument, _what = _CHOLESKY_DECOMPS, "cholesky_fn", "Cholesky"

    def __init__(self, lin_op_cls_a: type):
        super().__init__(lin_op_cls_a)


class RegisterMatmul(_Register):
    """Decorates the function that multiplies two operators.

    Args:
      lin_op_cls_a, lin_op_cls_b: their classes.
    """

    _registry, _argument, _what, _names_other = _MATMUL, "matmul_fn", "Matmul", False

    def __init__(self, lin_op_cls_a: type, lin_op_cls_b: type):
        super().__init__(lin_op_cls_a, lin_op_cls_b)


class RegisterSolve(_Register):
    """Decorates the function that divides an operator by another one.

    Args:
      lin_op_cls_a, lin_op_cls_b: their classes, the divisor's first.
    """

    _registry, _argument, _what, _names_other = _SOLVE, "solve_fn", "Solve", False

    def __init__(self, lin_op_cls_a: type, lin_op_cls_b: type):
        super().__init__(lin_op_cls_a, lin_op_cls_b)


class RegisterInverse(_Register):
    """Decorates the function that makes the inverse of an operator.

    Args:
      lin_op_cls_a: its class.
    """

    _registry, _argument, _what = _INVERSES, "inverse_fn", "Inverse"

    def __init__(self, lin_op_cls_a: type):
        super().__init__(lin_op_cls_a)
