"""`tensorflow.python.util.module_wrapper`: modules that log a name of theirs that is deprecated."""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

from tf1compat.api.platform import tf_logging
from tf1compat.core import api_names
from tf1compat.core.tf_decorator import unwrap

_PER_MODULE_WARNING_LIMIT = 1


def get_rename_v2(name: str) -> str | None:
    """The name that TF 1.15 wants instead of one that only TF 1 has, as "tf.get_variable".

    Returns:
      "tf.compat.v1.get_variable"; None for a name that TF 2 has, or that there isn't.
    """
    own = name.removeprefix("tf.")
    if own == name or own not in api_names.public() or f"compat.v2.{own}" in api_names.public():
        return None
    return f"tf.compat.v1.{own}"


def contains_deprecation_decorator(decorators: Any) -> bool:
    """Whether `deprecated` is among the decorators that `tf_decorator.unwrap` gives."""
    return any(decorator.decorator_name == "deprecated" for decorator in decorators)


def has_deprecation_decorator(symbol: Any) -> bool:
    """Whether a function, or a class's constructor, is `deprecated`."""
    decorators, target = unwrap(symbol)
    if contains_deprecation_decorator(decorators):
        return True
    init = getattr(target, "__init__", None) if isinstance(target, type) else None
    return init is not None and contains_deprecation_decorator(unwrap(init)[0])


class TFModuleWrapper(types.ModuleType):
    """A module that passes on what another one has.

    Args:
      wrapped: the other module.
      module_name: what it is called below "tf.".
      public_apis: name -> (module, name there) of what is imported when it is asked for.
      deprecation: whether names that TF 2 lacks are logged, once for each module.
      has_lite: whether `lite` is among the names; imported as any.
    """

    def __init__(
        self,
        wrapped: Any,
        module_name: str,
        public_apis: dict[str, tuple[str, str]] | None = None,
        deprecation: bool = True,
        has_lite: bool = False,
    ):
        super().__init__(wrapped.__name__)
        self.__dict__.update(wrapped.__dict__)
        self.__dict__["_tfmw_wrapped_module"] = wrapped
        self._tfmw_module_name = module_name
        self._tfmw_public_apis = public_apis or {}
        self._tfmw_print_deprecation_warnings = deprecation
        self._tfmw_warning_count = 0
        self._tfmw_said: set[str] = set()

    def _tfmw_add_deprecation_warning(self, name: str, attr: Any) -> bool:
        if self._tfmw_warning_count >= _PER_MODULE_WARNING_LIMIT or name in self._tfmw_said:
            return False
        self._tfmw_said.add(name)
        full_name = (
            f"tf.{self._tfmw_module_name}.{name}" if self._tfmw_module_name else f"tf.{name}"
        )
        rename = get_rename_v2(full_name)
        if rename is None or has_deprecation_decorator(attr):
            return False
        frame = sys._getframe(2)
        tf_logging.warning(
            "From %s: The name %s is deprecated. Please use %s instead.\n",
            f"{frame.f_code.co_filename}:{frame.f_lineno}",
            full_name,
            rename,
        )
        self._tfmw_warning_count += 1
        return True

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if not name.startswith(("__", "_tfmw_")) and self._tfmw_print_deprecation_warnings:
            self._tfmw_add_deprecation_warning(name, value)
        return value

    def __getattr__(self, name: str) -> Any:
        wrapped = self.__dict__["_tfmw_wrapped_module"]
        if name in self.__dict__.get("_tfmw_public_apis", ()):
            module, own = self._tfmw_public_apis[name]
            value = getattr(importlib.import_module(module), own)
        else:
            value = getattr(wrapped, name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if not name.startswith("_tfmw_"):
            setattr(self._tfmw_wrapped_module, name, value)

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        if hasattr(self._tfmw_wrapped_module, name):
            delattr(self._tfmw_wrapped_module, name)

    def __dir__(self) -> list[str]:
        return [*self._tfmw_public_apis, *dir(self._tfmw_wrapped_module)]

    def __repr__(self) -> str:
        return repr(self._tfmw_wrapped_module)

    def __reduce__(self) -> Any:
        return importlib.import_module, (self.__name__,)
