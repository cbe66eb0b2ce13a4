"""`tf.flags`: absl's flags with the two habits that TF 1.15 adds.

`FLAGS` parses `sys.argv` by itself when a flag is read before `tf.app.run`, and the older keyword
names (`flag_name`, `default_value`, `docstring`) are accepted by the everyday `DEFINE_…` functions.
"""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

from absl import flags as _flags

from tf1compat.core.export import export_constant

_RENAMED = {"flag_name": "name", "default_value": "default", "docstring": "help"}
FLAGS: Any  # As every public name of absl.flags, set by `_define`.
_TAKE_OLD_NAMES = ("DEFINE_string", "DEFINE_boolean", "DEFINE_float", "DEFINE_integer")


def _with_old_names(define: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(define)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if any(old in kwargs for old in _RENAMED):
            logging.warning(
                "Use of the keyword argument names (flag_name, default_value, "
                "docstring) is deprecated, please use (name, default, help) instead."
            )
            kwargs = {_RENAMED.get(key, key): value for key, value in kwargs.items()}
        return define(*args, **kwargs)

    return wrapper


class _ImplicitFlagValues:
    """The process-wide flags; reading one before they are parsed parses `sys.argv`."""

    def __init__(self, values: _flags.FlagValues):
        self.__dict__["_values"] = values

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__(self, "__dict__")
        # Even `__class__` is that of absl's object, which `isinstance` in client code checks.
        return own if name == "__dict__" else own["_values"].__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__["_values"]
        if not values.is_parsed():
            values(sys.argv)
        return values.__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["_values"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__dict__["_values"], name)

    def __dir__(self) -> list[str]:
        return dir(self.__dict__["_values"])

    def __getitem__(self, name: str) -> Any:
        return self.__dict__["_values"][name]

    def __setitem__(self, name: str, flag: Any) -> None:
        self.__dict__["_values"][name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self.__dict__["_values"]

    def __len__(self) -> int:
        return len(self.__dict__["_values"])

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__["_values"])

    def __str__(self) -> str:
        return str(self.__dict__["_values"])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__dict__["_values"](*args, **kwargs)


def _define() -> None:
    """Defines this module's attributes, and exports them as `tf.flags.…` and `tf.app.flags.…`."""
    attributes = {name: getattr(_flags, name) for name in _flags.__all__}
    for name in _TAKE_OLD_NAMES:
        attributes[name] = _with_old_names(attributes[name])
    attributes["DEFINE_bool"] = attributes["DEFINE_boolean"]
    attributes["FLAGS"] = _ImplicitFlagValues(_flags.FLAGS)
    for name, value in attributes.items():
        globals()[name] = value
        export_constant(f"flags.{name}", value)
        export_constant(f"app.flags.{name}", value)


# A flag belongs to the module that calls DEFINE_…, not to this one through which the call passes.
_flags.disclaim_key_flags()
_define()
