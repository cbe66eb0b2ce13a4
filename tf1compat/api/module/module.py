"""`tf.Module`: an object with a name, whose attributes lead to variables and other modules."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.training.tracking import tracking
from tf1compat.api.variables.variable_base import Variable
from tf1compat.core import nest, ops, tf2
from tf1compat.core.export import tf_export

_WORD_STARTS = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")


def valid_identifier(name: Any) -> bool:
    """Whether a string may name a module."""
    return re.match(r"^[a-zA-Z_]([a-zA-Z0-9_])*$", name) is not None


def camel_to_snake(value: str) -> str:
    """`MyLayer` as `my_layer`."""
    return _WORD_STARTS.sub(r"_\1", value).lower()


@tf_export("Module")
class Module(tracking.AutoTrackable):
    """Base class of objects that keep variables and other modules as their attributes."""

    # Attributes that are not searched for variables.
    _TF_MODULE_IGNORED_PROPERTIES = frozenset({"_self_dependencies", "_self_deferred"})

    def __init__(self, name: str | None = None) -> None:
        """A module.

        Args:
          name: a Python identifier; by default that of the class, in small letters.

        Raises:
          ValueError: the name is no identifier.
        """
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
        if tf2.enabled():
            # This one may be entered within itself, so that there need not be more of them.
            self._name_scope = ops.name_scope_v2(scope_name)

    @property
    def name(self) -> str:
        """The name of the module, without the scopes that it is in."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """A context manager that enters the name scope of the module."""
        return self._name_scope if tf2.enabled() else ops.name_scope(self._scope_name)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables of this module and of those in it, by the names of the attributes."""
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of the variables that are trainable."""
        return tuple(self._flatten(predicate=_is_trainable_variable))

    @property
    def submodules(self) -> tuple[Any, ...]:
        """All modules in this one, at any depth."""
        return tuple(self._flatten(predicate=_is_module))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
    ) -> Iterator[Any]:
        """What the attributes of this module, and of those in it, lead to.

        Args:
          recursive: whether modules in this one are searched.
          predicate: which values are wanted; None for all.
          attribute_traversal_key: the order of the attributes; by default that of their names.
          with_path: whether pairs of the path to a value and the value are wanted.

        Yields:
          The values: those of a module before those of the modules in it.
        """
        seen = {id(self)}
        wanted = predicate or (lambda _: True)

        def search(module: Module, path: tuple[Any, ...]) -> Iterator[Any]:
            below = []
            attributes = vars(module)
            for key in sorted(attributes, key=attribute_traversal_key):  # type: ignore[type-var]
                if key in module._TF_MODULE_IGNORED_PROPERTIES:
                    continue
                for inner_path, leaf in nest.flatten_with_tuple_paths(attributes[key]):
                    if not with_path:
                        if id(leaf) in seen:
                            continue
                        seen.add(id(leaf))
                    leaf_path = (*path, key, *inner_path)
                    if wanted(leaf):
                        yield (leaf_path, leaf) if with_path else leaf
                    if recursive and _is_module(leaf):
                        below.append((leaf, leaf_path))
            for submodule, submodule_path in below:
                yield from search(submodule, submodule_path)

        return search(self, ())

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator of a method: it records its ops in the module's name scope."""

        @functools.wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped


def _is_variable(value: Any) -> bool:
    return isinstance(value, Variable)


def _is_trainable_variable(value: Any) -> bool:
    return _is_variable(value) and getattr(value, "trainable", False)


def _is_module(value: Any) -> bool:
    return isinstance(value, Module)
