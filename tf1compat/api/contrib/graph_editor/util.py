"""`tensorflow.contrib.graph_editor.util`: lists of operations and tensors, names, placeholders."""

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.framework.op_selector import (
    concatenate_unique,
    get_consuming_ops,
    get_generating_ops,
    get_tensors,
    get_unique_graph,
    is_iterable,
    make_list_of_op,
    make_list_of_t,
)
from tf1compat.core import graph_keys, ops
from tf1compat.core.graph import Graph
from tf1compat.core.operation import Operation
from tf1compat.core.typing import DTypeLike, ShapeLike

__all__ = [
    "ControlOutputs",
    "get_consuming_ops",
    "get_generating_ops",
    "get_tensors",
    "make_list_of_op",
    "make_list_of_t",
    "make_placeholder_from_dtype_and_shape",
    "make_placeholder_from_tensor",
    "placeholder_name",
]

_DEFAULT_PLACEHOLDER_PREFIX = "geph"
_unused = (concatenate_unique, get_unique_graph)  # of TF's module, too


class ListView:
    """A list that can't be changed.

    Args:
      list_: the list.

    Raises:
      TypeError: it is none.
    """

    def __init__(self, list_: list[Any]):
        if not isinstance(list_, list):
            raise TypeError(f"Expected a list, got: {type(list_)}.")
        self._list = list_

    def __iter__(self) -> Iterator[Any]:
        return iter(self._list)

    def __len__(self) -> int:
        return len(self._list)

    def __bool__(self) -> bool:
        return bool(self._list)

    def __getitem__(self, i: Any) -> Any:
        return self._list[i]

    def __add__(self, other: Any) -> list[Any]:
        return list(self) + list(other)


def flatten_tree(tree: Any, leaves: list[Any] | None = None) -> list[Any]:
    """The leaves of nested dicts and iterables, added to a list."""
    leaves = [] if leaves is None else leaves
    if is_iterable(tree):
        for child in tree.values() if isinstance(tree, dict) else tree:
            flatten_tree(child, leaves)
    else:
        leaves.append(tree)
    return leaves


def transform_tree(tree: Any, fn: Callable[[Any], Any], iterable_type: Any = tuple) -> Any:
    """Nested dicts and iterables of the same classes, with a function's results as leaves."""
    if not is_iterable(tree):
        return fn(tree)
    if hasattr(tree, "_asdict"):
        return type(tree)(**transform_tree(tree._asdict(), fn))
    children: Any = (transform_tree(child, fn) for child in tree)
    if isinstance(tree, dict):
        children = ((key, transform_tree(child, fn)) for key, child in tree.items())
    elif isinstance(tree, tuple) or not isinstance(tree, collections.abc.Sequence):
        return (type(tree) if isinstance(tree, tuple) else iterable_type)(children)
    kind: Any = type(tree)
    made = kind.__new__(kind)  # Made of nothing and then filled: a text stays "".
    made.__init__(children)
    return made


def check_graphs(*args: Any) -> None:
    """Refuses views of several graphs."""
    graph = None
    for i, view in enumerate(args):
        if graph is None and view.graph is not None:
            graph = view.graph
        elif view.graph is not None and view.graph is not graph:
            raise ValueError(f"Argument[{i}]: Wrong graph!")


class ControlOutputs:
    """Which operations wait for an operation.

    Args:
      graph: the graph.

    Raises:
      TypeError: it is none.
    """

    def __init__(self, graph: Graph):
        if not isinstance(graph, ops.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        self._control_outputs: dict[Any, list[Any]] = {}
        self._graph: Any = graph
        self._build()

    def update(self) -> ControlOutputs:
        """Takes in what was added to the graph since."""
        if self._version != self._graph.version:
            self._build()
        return self

    def _build(self) -> None:
        self._control_outputs.clear()
        for op in self._graph.get_operations():
            for control_input in op.control_inputs:
                waiting = self._control_outputs.setdefault(control_input, [])
                if op not in waiting:
                    waiting.append(op)
        self._version = self._graph.version

    def get_all(self) -> dict[Any, list[Any]]:
        """A dict: operation -> those that wait for it."""
        return self._control_outputs

    def get(self, op: Any) -> Any:
        """The operations that wait for `op`."""
        return self._control_outputs.get(op, ())

    @property
    def graph(self) -> Any:
        """The graph."""
        return self._graph


def scope_finalize(scope: str) -> str:
    """A scope's name with a slash at its end."""
    return scope + "/" if scope and scope[-1] != "/" else scope


def scope_dirname(scope: str) -> str:
    """What stands before the last name of a path, with a slash."""
    return scope[: scope.rfind("/") + 1]


def scope_basename(scope: str) -> str:
    """The last name of a path."""
    return scope[scope.rfind("/") + 1 :]


def placeholder_name(
    t: Any = None, scope: Any = None, prefix: str = _DEFAULT_PLACEHOLDER_PREFIX
) -> str:
    """The name of a placeholder that takes a tensor's place.

    Args:
      t: the tensor.
      scope: where the placeholder is; beside the tensor by default.
      prefix: how its name begins.

    Raises:
      TypeError: `t` is no tensor.
    """
    if scope is not None:
        scope = scope_finalize(scope)
    if t is None:
        return f"{scope or ''}{prefix}"
    if not isinstance(t, ops.Tensor):
        raise TypeError(f"Expected a tf.Tenfor, got: {type(t)}")
    base = scope_basename(t.op.name)
    if not base.startswith(f"{prefix}__"):
        base = f"{prefix}__{base}_{t.value_index}"
    return (scope_dirname(t.op.name) if scope is None else scope) + base


def make_placeholder_from_tensor(
    t: Any, scope: Any = None, prefix: str = _DEFAULT_PLACEHOLDER_PREFIX
) -> Any:
    """A placeholder like a tensor. Args: see `placeholder_name`."""
    name = placeholder_name(t, scope=scope, prefix=prefix)
    return array_ops.placeholder(dtype=t.dtype, shape=t.get_shape(), name=name)


def make_placeholder_from_dtype_and_shape(
    dtype: DTypeLike,
    shape: ShapeLike | None = None,
    scope: Any = None,
    prefix: str = _DEFAULT_PLACEHOLDER_PREFIX,
) -> Any:
    """A placeholder.

    Args:
      dtype, shape: of its values.
      scope: where it is.
      prefix: its name.
    """
    name = placeholder_name(scope=scope, prefix=prefix)
    return array_ops.placeholder(dtype=dtype, shape=shape, name=name)


def get_predefined_collection_names() -> list[Any]:
    """The names of the collections that TF has."""
    keys = graph_keys.GraphKeys
    return [getattr(keys, key) for key in dir(keys) if not key.startswith("__")]


def find_corresponding_elem(
    target: Any, dst_graph: Any, dst_scope: str = "", src_scope: str = ""
) -> Any:
    """The operation or tensor of the same name in another graph, or scope."""
    name = target.name
    if src_scope:
        src_scope = scope_finalize(src_scope)
        if not name.startswith(src_scope):
            raise ValueError(f"{name} does not start with {src_scope}")
        name = name[len(src_scope) :]
    name = scope_finalize(dst_scope) + name
    if isinstance(target, ops.Tensor):
        return dst_graph.get_tensor_by_name(name)
    if isinstance(target, Operation):
        return dst_graph.get_operation_by_name(name)
    raise TypeError("Expected tf.Tensor or tf.Operation, got: {}", type(target))


def find_corresponding(
    targets: Any, dst_graph: Any, dst_scope: str = "", src_scope: str = ""
) -> Any:
    """As `find_corresponding_elem`, of all leaves of a tree."""
    return transform_tree(
        targets, lambda top: find_corresponding_elem(top, dst_graph, dst_scope, src_scope)
    )
