"""Initializers, regularizers and constraints as layers take them: by name, or callables."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api import init_ops

# Keras draws smaller numbers by default than the initializers of the same names do.
_INITIALIZERS: dict[str, Callable[[], Any]] = {
    "zero": init_ops.Zeros,
    "zeros": init_ops.Zeros,
    "Zeros": init_ops.Zeros,
    "one": init_ops.Ones,
    "ones": init_ops.Ones,
    "Ones": init_ops.Ones,
    "constant": init_ops.Constant,
    "Constant": init_ops.Constant,
    "uniform": functools.partial(init_ops.RandomUniform, -0.05, 0.05),
    "random_uniform": functools.partial(init_ops.RandomUniform, -0.05, 0.05),
    "RandomUniform": functools.partial(init_ops.RandomUniform, -0.05, 0.05),
    "normal": functools.partial(init_ops.RandomNormal, 0.0, 0.05),
    "random_normal": functools.partial(init_ops.RandomNormal, 0.0, 0.05),
    "RandomNormal": functools.partial(init_ops.RandomNormal, 0.0, 0.05),
    "truncated_normal": functools.partial(init_ops.TruncatedNormal, 0.0, 0.05),
    "TruncatedNormal": functools.partial(init_ops.TruncatedNormal, 0.0, 0.05),
    "identity": init_ops.Identity,
    "Identity": init_ops.Identity,
    "orthogonal": init_ops.Orthogonal,
    "Orthogonal": init_ops.Orthogonal,
    "VarianceScaling": init_ops.VarianceScaling,
    "glorot_normal": init_ops.GlorotNormal,
    "GlorotNormal": init_ops.GlorotNormal,
    "glorot_uniform": init_ops.GlorotUniform,
    "GlorotUniform": init_ops.GlorotUniform,
    "he_normal": init_ops.he_normal,
    "he_uniform": init_ops.he_uniform,
    "lecun_normal": init_ops.lecun_normal,
    "lecun_uniform": init_ops.lecun_uniform,
}


def initializer(identifier: Any) -> Any:
    """An initializer from its name, or the callable that it is.

    Raises:
      ValueError: there is none of that name.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        if identifier not in _INITIALIZERS:
            raise ValueError(f"Unknown initializer:{identifier}")
        return _INITIALIZERS[identifier]()
    if isinstance(identifier, dict):
        raise NotImplementedError(
            "An initializer given by its config is not supported by tf1compat yet"
        )
    raise ValueError(f"Could not interpret initializer identifier: {identifier}")


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
