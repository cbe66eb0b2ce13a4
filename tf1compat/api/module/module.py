"""`tensorflow.python.module.module`: objects that hold variables and other such objects."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.variable_base import Variable
from tf1compat.core import nest, ops
from tf1compat.core.export import tf_export

_WORD_START = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")
_IDENTIFIER = re.compile(r"^[a-zA-Z_]([a-zA-Z0-9_])*$")


def valid_identifier(name: str) -> bool:
    """Whether a name can be that of a module."""
    return bool(_IDENTIFIER.match(name))


def camel_to_snake(value: str) -> str:
    """`MyNet` as `my_net`."""
    return _WORD_START.sub(r"_\1", value).lower()


@tf_export("Module")
class Module:
    """What holds variables and modules in its attributes, and finds them again.

    Args:
      name: a Python identifier; the class's name in snake case if None.

    Raises:
      ValueError: `name` is no identifier.
    """

    # Attributes in which nothing is looked for.
    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset()

    def __init__(self, name: Any = None):
        if name is None:
            name = camel_to_snake(type(self).__name__)
        elif not valid_identifier(name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python "
                "identifiers (e.g. a valid class name)."
            )
        self._name = name
        with ops.name_scope(name) as scope_name:
            self._scope_name = scope_name

    @property
    def name(self) -> Any:
        """The module's name."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """The name scope of what the module records."""
        return ops.name_scope(self._scope_name)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables in it and in its modules, by attribute in alphabetical order."""
        return tuple(self._flatten(predicate=lambda x: isinstance(x, Variable)))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of `variables` that are trainable."""
        return tuple(x for x in self.variables if getattr(x, "trainable", False))

    @property
    def submodules(self) -> tuple[Any, ...]:
        """The modules in it and in those."""
        return tuple(self._flatten(predicate=lambda x: isinstance(x, Module)))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Any = None,
        with_path: bool = False,
    ) -> Iterator[Any]:
        """What is in the attributes, once each: breadth first, one module after the other.

        Args:
          recursive: whether to look into modules.
          predicate: what is yielded; None yields everything.
          attribute_traversal_key: the attributes' sort key.
          with_path: whether to yield (path, value), every path to a value.
        """
        found = _walk(self, recursive, attribute_traversal_key, None if with_path else {id(self)})
        for path, leaf in found:
            if predicate is None or predicate(leaf):
                yield (path, leaf) if with_path else leaf

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Makes a method record in the module's name scope."""

        @functools.wraps(method)
        def in_scope(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return in_scope


def _walk(
    module: Module, recursive: bool, key: Any, seen: set[int] | None, above: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    submodules = []
    for name in sorted(vars(module), key=key):
        if name in module._TF_MODULE_IGNORED_PROPERTIES:
            continue
        for below, leaf in nest.flatten_with_tuple_paths(vars(module)[name]):
            if seen is not None:
                if id(leaf) in seen:
                    continue
                seen.add(id(leaf))
            path = (*above, name, *below)
            yield path, leaf
            if recursive and isinstance(leaf, Module):
                submodules.append((path, leaf))
    for path, submodule in submodules:
        yield from _walk(submodule, recursive, key, seen, path)
