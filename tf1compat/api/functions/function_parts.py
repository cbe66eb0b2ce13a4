"""Parts of `tensorflow.python.eager.function`: names of functions, signatures, `register`."""

from __future__ import annotations

import contextlib
from typing import Any

from tf1compat.api.framework.func_graph import dismantle_func_graph
from tf1compat.api.functions.concrete_function import ConcreteFunction
from tf1compat.api.functions.function import Function
from tf1compat.api.functions.function import _check_signature as validate_signature  # noqa: F401
from tf1compat.core import nest, ops, tf_decorator
from tf1compat.core.func_graph import FuncGraph


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


def class_method_to_instance_method(original_function: Any, instance: Any) -> Any:
    """A function made of a method, for one object, which it does not keep alive.

    Args:
      original_function: what `tf.function` or `defun` made of the method of the class.
      instance: the object.

    Returns:
      A function of the same kind, with its own recordings.
    """
    bound = original_function._bound_to(instance)
    return tf_decorator.make_decorator(original_function.python_function, bound)


class FunctionDeleter:
    """Takes the body of a function apart when nobody holds this any more.

    Args:
      func_graph: the body.
    """

    def __init__(self, func_graph: FuncGraph):
        self.func_graph: FuncGraph | None = func_graph

    def __del__(self) -> None:
        if self.func_graph is not None:
            with contextlib.suppress(Exception):  # At the end of Python modules are gone.
                dismantle_func_graph(self.func_graph)


class ConcreteFunctionGarbageCollector(FunctionDeleter):
    """As `FunctionDeleter`, unless it is called off.

    Args:
      func_graph: the body.
    """

    def release(self) -> None:
        """Leaves the body as it is."""
        self.func_graph = None
