"""`tensorflow.python.util.module_wrapper`: modules that log a name of theirs that is deprecated."""

from __future__ import annotations

import functools
import importlib
import sys
import types
from typing import Any

from tf1compat.api.platform import tf_logging
from tf1compat.core import api_names
from tf1compat.core.tf_decorator import unwrap

# In TF this stands for a limit that its own cache of attributes undoes.
_PER_MODULE_WARNING_LIMIT = 1


def get_rename_v2(name: str) -> str | None:
    """What TF 2 calls what TF 1 has under another name, as "tf.get_variable".

    Returns:
      "tf.compat.v1.get_variable"; None for a name that both have, or that there isn't.
    """
    own = name.removeprefix("tf.")
    renamed = None if own == name else api_names.renamed().get(own)
    return renamed and f"tf.{renamed}"


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


def warn_of_rename(full_name: str, attr: Any, frame: types.FrameType) -> bool:
    """Logs what TF 2 calls a name, where that is another one and nothing else is said of it.

    Args:
      full_name: the name, as "tf.train.Saver".
      attr: what it stands for.
      frame: what asks for it.

    Returns:
      Whether that was logged.
    """
    rename = get_rename_v2(full_name)
    location = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    # The import system asks for what `from tensorflow.train import Saver` takes.
    if rename is None or location.startswith("<") or has_deprecation_decorator(attr):
        return False
    tf_logging.warning(
        "From %s: The name %s is deprecated. Please use %s instead.\n", location, full_name, rename
    )
    return True


@functools.cache
def warn_of_contrib() -> None:
    """Logs, once, that TF 2 has no `tf.contrib`."""
    tf_logging.warning(
        "\nThe TensorFlow contrib module will not be included in TensorFlow 2.0.\n"
        "For more information, please see:\n"
        "  * https://github.com/tensorflow/community/blob/master/rfcs/20180907-contrib-sunset.md\n"
        "  * https://github.com/tensorflow/addons\n"
        "  * https://github.com/tensorflow/io (for I/O related ops)\n"
        "If you depend on functionality not listed there, please file an issue.\n"
    )


class TFModuleWrapper(types.ModuleType):
    """A module that passes on what another one has.

    Args:
      wrapped: the other module.
      module_name: what it is called below "tf.".
      public_apis: name -> (module, name there) of what is imported when it is asked for.
      deprecation: whether names that TF 2 has not are logged when they are first asked for.
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
        if name in self._tfmw_said:
            return False
        self._tfmw_said.add(name)
        full_name = ".".join(filter(None, ("tf", self._tfmw_module_name, name)))
        said = warn_of_rename(full_name, attr, sys._getframe(2))
        self._tfmw_warning_count += said
        return said

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
