"""`tf.py_func`, `tf.numpy_function`, `tf.py_function`: Python code as an operation."""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable
from typing import Any

from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import nest, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


class EagerFunction:
    """The Python function of an EagerPyFunc: it gets and returns eager tensors.

    Args:
      func: the Python function.
      output_dtypes: the dtypes of what it returns; empty if it returns None.
      is_gradient: whether it is another such function's gradient: None it returns means zeros.
    """

    def __init__(self, func: Callable[..., Any], output_dtypes: Any, is_gradient: bool):
        self.func = func
        self.output_dtypes = output_dtypes
        self.is_gradient = is_gradient


class _Functions:
    """The Python functions of script operations, by token; each lives as long as its graph."""

    def __init__(self) -> None:
        self._functions: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
        self._count = itertools.count()
        self._lock = threading.Lock()

    def insert(self, function: Any) -> str:
        """Registers a function and returns its token."""
        with self._lock:
            token = f"pyfunc_{next(self._count)}"
        self._functions[token] = function
        return token

    def find(self, token: str) -> Any:
        """The function of a token.

        Raises:
          ValueError: there is none (any more).
        """
        function = self._functions.get(token)
        if function is None:
            raise ValueError(f"callback {token} is not found")
        return function

    def remove(self, token: str) -> None:
        """Forgets a function."""
        self._functions.pop(token, None)

    def size(self) -> int:
        """How many there are."""
        return len(self._functions)


functions = _Functions()
# What the tape of a `tf.py_function` noted when it ran last, by token: (tape, inputs, outputs).
recorded: dict[bytes, tuple[Any, list[Any], list[Any]]] = {}


class _Kept:
    """Holds a function so that it can be weakly referred to, whatever kind of callable it is."""

    def __init__(self, func: Callable[..., Any]):
        self.func = func


def _record(
    func: Callable[..., Any],
    inp: Any,
    Tout: Any,
    stateful: bool = False,
    eager: bool = False,
    is_gradient: bool = False,
    name: str | None = None,
) -> Any:
    if not callable(func):
        raise ValueError(f"Expected func to be callable, got func of type {type(func)}")
    several = isinstance(Tout, list | tuple)
    output_dtypes = Tout if several else [Tout]
    kept: Any = EagerFunction(func, output_dtypes, is_gradient) if eager else _Kept(func)
    token = functions.insert(kept)
    graph: Any = ops.get_default_graph()
    # A function declared in a Defun belongs to the graph around it.
    while getattr(graph, "is_defun", False):
        graph = graph.outer_graph
    if not hasattr(graph, "_py_funcs_used_in_graph"):
        graph._py_funcs_used_in_graph = []
    graph._py_funcs_used_in_graph.append(kept)
    if eager:
        result = raw_ops.EagerPyFunc(
            inp, token=token, is_async=False, Tout=output_dtypes, name=name
        )
    elif stateful:
        result = raw_ops.PyFunc(inp, token=token, Tout=output_dtypes, name=name)
    else:
        result = raw_ops.PyFuncStateless(inp, token=token, Tout=output_dtypes, name=name)
    return result if several else result[0]


def eager_gradient(op: ops.Operation, *grads: Any) -> Any:
    """The gradient of an EagerPyFunc: another one, that differentiates what the first recorded."""

    def differentiate(*grads: Any) -> Any:
        recorder, inputs, outputs = recorded.pop(token)
        return recorder.gradient(outputs, inputs, output_gradients=list(grads))

    token = op._attrs["token"]
    with ops.control_dependencies(op.outputs):
        dtypes = [t.dtype for t in op.inputs]
        return _record(differentiate, grads, dtypes, eager=True, is_gradient=True)


@tf_export("py_function")
def eager_py_func(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """Records an operation that calls `func` with eager tensors (as `tf.py_function`).

    Args:
      func: takes a tensor for each of `inp`; returns tensors of the dtypes `Tout`, or None.
      inp: a list of tensors.
      Tout: a dtype, or a list of dtypes.
      name: the operation's name.

    Returns:
      A tensor, or a list of tensors if `Tout` is a list.
    """
    return _record(func, inp, Tout, eager=True, name=name)


def _py_func(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: Name = None
) -> Any:
    if ops.executing_eagerly():
        result = nest.flatten(func(*[x.numpy() for x in inp]))
        result = [x if x is None else ops.convert_to_tensor(x) for x in result]
        return result[0] if len(result) == 1 else result
    return _record(func, inp, Tout, stateful=stateful, name=name)


@tf_export("py_func")
@deprecated(
    None,
    """tf.py_func is deprecated in TF V2. Instead, there are two
    options available in V2.
    - tf.py_function takes a python function which manipulates tf eager
    tensors instead of numpy arrays. It's easy to convert a tf eager tensor to
    an ndarray (just call tensor.numpy()) but having access to eager tensors
    means `tf.py_function`s can use accelerators such as GPUs as well as
    being differentiable using a gradient tape.
    - tf.numpy_function maintains the semantics of the deprecated tf.py_func
    (it is not differentiable, and manipulates numpy arrays). It drops the
    stateful argument making all functions stateful.
    """,
)
def py_func(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """Records an operation that calls `func` with NumPy arrays (as `tf.py_func` in TF 1.15).

    Args:
      func: takes an array for each of `inp`; returns an array, or a list of arrays, of the dtypes
        `Tout`.
      inp: a list of tensors.
      Tout: a dtype, or a list of dtypes.
      stateful: whether the same inputs may give other results.
      name: the operation's name.

    Returns:
      A tensor, or a list of tensors if `Tout` is a list.
    """
    return _py_func(func, inp, Tout, stateful, name)


@tf_export("numpy_function")
def numpy_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """As `tf.py_func` with `stateful=True`.

    Args:
      func, inp, Tout, name: as in `tf.py_func`.

    Returns:
      As `tf.py_func`.
    """
    return _py_func(func, inp, Tout, True, name)
