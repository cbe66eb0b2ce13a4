"""`tf.xla.experimental.jit_scope` (`tensorflow.python.compiler.xla.jit`).

Everything is compiled by XLA here; what is recorded is what TF records.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.core import context, ops
from tf1compat.core.attr_value import to_attr_value
from tf1compat.core.export import tf_export

_XLA_SCOPE_KEY = ("__xla_scope",)


class _XlaScope:
    """How many scopes a graph has had, and how many of them are open."""

    def __init__(self) -> None:
        self.count = 0
        self.depth = 0


@tf_export("xla.experimental.jit_scope")
@contextlib.contextmanager
def experimental_jit_scope(
    compile_ops: bool | Callable[[Any], bool] = True, separate_compiled_gradients: bool = False
) -> Iterator[None]:
    """Marks the operations made in the `with` block as ones to compile.

    Args:
      compile_ops: a bool, or a function that takes a NodeDef and returns one.
      separate_compiled_gradients: whether the gradients of a scope are compiled apart.

    Raises:
      RuntimeError: in eager execution.
    """
    if context.executing_eagerly():
        raise RuntimeError(
            "xla.experimental.jit_scope is not supported when eager execution is enabled. Try use "
            "it inside tf.function."
        )
    attrs: dict[str, Any] = {
        "_XlaCompile": (
            (lambda node_def: to_attr_value(compile_ops(node_def), "bool"))
            if callable(compile_ops)
            else to_attr_value(compile_ops, "bool")
        ),
        "_XlaSeparateCompiledGradients": to_attr_value(bool(separate_compiled_gradients), "bool"),
    }
    collection = ops.get_collection_ref(_XLA_SCOPE_KEY)
    if not collection:
        collection.append(_XlaScope())
    scope = collection[0]
    if scope.depth == 0:
        attrs["_XlaScope"] = to_attr_value(f"jit_scope_{scope.count}".encode(), "string")
        scope.count += 1
    scope.depth += 1
    with ops.get_default_graph()._attr_scope(attrs):
        yield
    scope.depth -= 1
