"""Parts of `tensorflow.python.eager.function`: names of functions, signatures, `register`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.functions.concrete_function import ConcreteFunction
from tf1compat.api.functions.function import Function
from tf1compat.api.functions.function import _check_signature as validate_signature  # noqa: F401
from tf1compat.core import nest, ops


def _named(prefix: str, name: str) -> str:
    return f"__{prefix}_{name}_{ops.uid()}"


def _inference_name(n: str) -> str:
    """A new name for a function that is only run."""
    return _named("inference", n)


def _forward_name(n: str) -> str:
    """A new name for a function that also gives what its gradient needs."""
    return _named("forward", n)


def _backward_name(n: str) -> str:
    """A new name for a function of gradients."""
    return _named("backward", n)


def is_same_structure(structure1: Any, structure2: Any, check_values: bool = False) -> bool:
    """Whether two structures are the same.

    Args:
      check_values: whether their leaves have to be of the same types, and equal.
    """
    try:
        nest.assert_same_structure(structure1, structure2, expand_composites=True)
    except (TypeError, ValueError):
        return False
    if not check_values:
        return True
    first, second = (nest.flatten(x, expand_composites=True) for x in (structure1, structure2))
    return list(map(type, first)) == list(map(type, second)) and first == second


def register(func: Any, *args: Any, **kwargs: Any) -> ConcreteFunction:
    """Puts a function for some arguments, with its gradient, into the default graph's library.

    Args:
      func: what `defun` made.
      *args, **kwargs: as for a call, which is not made.

    Raises:
      ValueError: `func` is something else.
    """
    if not isinstance(func, Function):
        raise ValueError(f"Only defun function is allowed to be registered. Got type: {type(func)}")
    concrete = func.get_concrete_function(*args, **kwargs)
    concrete.add_to_graph()
    concrete.add_gradient_functions_to_graph()
    return concrete
