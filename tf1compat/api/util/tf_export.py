"""`tensorflow.python.util.tf_export`, as files copied out of TF use it.

A client's export changes nothing in the `tf` namespace: it would only repeat a name of TF's own.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from tf1compat.core.tf_decorator import make_decorator, unwrap

T = TypeVar("T")

ESTIMATOR_API_NAME = "estimator"
KERAS_API_NAME = "keras"
TENSORFLOW_API_NAME = "tensorflow"
# Packages that export their names themselves.
SUBPACKAGE_NAMESPACES = [ESTIMATOR_API_NAME]


class ExportedApiAttributes(NamedTuple):
    """Where it is noted how a symbol, and the constants of a module, are exported."""

    names: str
    constants: str


_Attributes = ExportedApiAttributes


def _attributes(suffix: str) -> dict[str, ExportedApiAttributes]:
    prefixes = {TENSORFLOW_API_NAME: "tf", ESTIMATOR_API_NAME: "estimator", KERAS_API_NAME: "keras"}
    return {
        api: ExportedApiAttributes(
            f"_{prefix}_api_names{suffix}", f"_{prefix}_api_constants{suffix}"
        )
        for api, prefix in prefixes.items()
    }


API_ATTRS = _attributes("")
API_ATTRS_V1 = _attributes("_v1")


class SymbolAlreadyExposedError(Exception):
    """A symbol is exported twice."""


class InvalidSymbolNameError(Exception):
    """A symbol is exported under a name that is not its package's."""


def get_canonical_name(api_names: Sequence[str], deprecated_api_names: Sequence[str]) -> str | None:
    """The first name that is not deprecated, else the first; None if there is none."""
    current = [name for name in api_names if name not in deprecated_api_names]
    return next(iter(current or api_names), None)


def get_canonical_name_for_symbol(
    symbol: Any, api_name: str = TENSORFLOW_API_NAME, add_prefix_to_v1_names: bool = False
) -> str | None:
    """The name under which a symbol is exported: that of TF 2, else that of TF 1.

    Args:
      symbol: a function or class.
      api_name: whose export.
      add_prefix_to_v1_names: whether a name that only TF 1 has begins with "compat.v1.".

    Returns:
      The dotted name; None if the symbol is not exported.
    """
    symbol = unwrap(symbol)[1]
    deprecated = getattr(symbol, "_tf_deprecated_api_names", ())
    for table, prefix in ((API_ATTRS, ""), (API_ATTRS_V1, "compat.v1.")):
        names = getattr(symbol, table[api_name].names, None)
        found = names and get_canonical_name(names, deprecated)
        if found:
            return prefix + found if add_prefix_to_v1_names else found
    return None


def get_v1_names(symbol: Any) -> list[str]:
    """The names that a symbol has in TF 1, its estimator and its Keras."""
    return _names(symbol, API_ATTRS_V1)


def get_v2_names(symbol: Any) -> list[str]:
    """The names that a symbol has in TF 2, its estimator and its Keras."""
    return _names(symbol, API_ATTRS)


def _names(symbol: Any, table: dict[str, ExportedApiAttributes]) -> list[str]:
    symbol = unwrap(symbol)[1]
    return [name for attrs in table.values() for name in getattr(symbol, attrs.names, ())]


def get_v1_constants(module: Any) -> list[Any]:
    """The constants that a module exports in TF 1: (names, name in the module) pairs."""
    return _constants(module, API_ATTRS_V1)


def get_v2_constants(module: Any) -> list[Any]:
    """The constants that a module exports in TF 2: (names, name in the module) pairs."""
    return _constants(module, API_ATTRS)


def _constants(module: Any, table: dict[str, ExportedApiAttributes]) -> list[Any]:
    return [one for attrs in table.values() for one in getattr(module, attrs.constants, ())]


class api_export:
    """Decorator that notes under which names a symbol is public.

    Args:
      *args: dotted names without "tf.".
      v1: names in TF 1, where they differ.
      overrides: symbols that lose these names.
      allow_multiple_exports: whether the symbol may be exported already.
      api_name: whose export: "tensorflow", "estimator" or "keras".

    Raises:
      InvalidSymbolNameError: a name belongs to another package.
    """

    def __init__(self, *args: str, **kwargs: Any):
        self._names = args
        self._names_v1 = kwargs.get("v1", args)
        self._api_name = kwargs.get("api_name", TENSORFLOW_API_NAME)
        self._overrides = kwargs.get("overrides", [])
        self._allow_multiple_exports = kwargs.get("allow_multiple_exports", False)
        self._validate_symbol_names()

    def _validate_symbol_names(self) -> None:
        names = {*self._names, *self._names_v1}
        if self._api_name == TENSORFLOW_API_NAME:
            for package in SUBPACKAGE_NAMESPACES:
                if any(name.startswith(package) for name in names):
                    raise InvalidSymbolNameError(
                        f"@tf_export is not allowed to export symbols under {package}.*"
                    )
        elif not all(name.startswith(self._api_name) for name in names):
            raise InvalidSymbolNameError(
                "Can only export symbols under package name of component. e.g. "
                "tensorflow_estimator must export all symbols under tf.estimator"
            )

    def __call__(self, func: T) -> T:
        attrs, attrs_v1 = API_ATTRS[self._api_name], API_ATTRS_V1[self._api_name]
        for other in self._overrides:
            target = unwrap(other)[1]
            for names in (attrs.names, attrs_v1.names):
                if names in vars(target):
                    delattr(target, names)
        target = unwrap(func)[1]
        self.set_attr(target, attrs.names, self._names)
        self.set_attr(target, attrs_v1.names, self._names_v1)
        return func

    def set_attr(self, func: Any, api_names_attr: str, names: Sequence[str]) -> None:
        """Notes names on a symbol.

        Raises:
          SymbolAlreadyExposedError: it has such a note, and may not have another.
        """
        if api_names_attr in func.__dict__ and not self._allow_multiple_exports:
            raise SymbolAlreadyExposedError(
                f"Symbol {func.__name__} is already exposed as {getattr(func, api_names_attr)}."
            )
        setattr(func, api_names_attr, names)

    def export_constant(self, module_name: str, name: str) -> None:
        """Notes that a module exports a constant.

        Args:
          module_name: the module's name in `sys.modules`.
          name: the constant's name in it.
        """
        module = sys.modules[module_name]
        for table, names in ((API_ATTRS, self._names), (API_ATTRS_V1, self._names_v1)):
            attr = table[self._api_name].constants
            setattr(module, attr, [*getattr(module, attr, ()), (names, name)])


def kwarg_only(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator that refuses positional arguments.

    Raises:
      TypeError: (when called) there are some.
    """
    names = f.__code__.co_varnames[: f.__code__.co_argcount]

    def call(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise TypeError(
                f"{f.__name__} only takes keyword args (possible keys: {list(names)}). "
                "Please pass these args as kwargs instead."
            )
        return f(**kwargs)

    return make_decorator(f, call)


tf_export: Callable[..., api_export] = functools.partial(api_export, api_name=TENSORFLOW_API_NAME)
estimator_export: Callable[..., api_export] = functools.partial(
    api_export, api_name=ESTIMATOR_API_NAME
)
keras_export: Callable[..., api_export] = functools.partial(api_export, api_name=KERAS_API_NAME)
