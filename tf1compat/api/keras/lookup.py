"""Initializers, regularizers and constraints as layers take them: by name, or callables."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras.initializers import get as initializer

__all__ = ["constraint", "initializer", "regularizer"]


def regularizer(identifier: Any) -> Any:
    """The callable that a regularizer is.

    Raises:
      ValueError: it is none.
    """
    return _callable("regularizer", identifier)


def constraint(identifier: Any) -> Any:
    """The callable that a constraint is.

    Raises:
      ValueError: it is none.
    """
    return _callable("constraint", identifier)


def _callable(what: str, identifier: Any) -> Any:
    if identifier is None:
        return None
    if isinstance(identifier, str | dict):
        raise NotImplementedError(
            f"A {what} given by its name or config ({identifier!r}) is not supported by tf1compat "
            "yet"
        )
    if not callable(identifier):
        raise ValueError(f"Could not interpret {what} identifier: {identifier}")
    return identifier
