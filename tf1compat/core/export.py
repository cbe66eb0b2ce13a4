"""Public names: what is exported where it is defined, and the parts that load on first use.

    @tf_export("math.add", "add")
    def add(x, y, name=None): …

    export_constant("newaxis", None)
    export_lazy("contrib", "tf1compat.contrib")

`tf1compat/namespace.py` makes the modules `tensorflow`, `tensorflow.nn`, … of what is registered.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import types
from collections.abc import Callable
from typing import Any, TypeVar

from tf1compat.core import api_names

T = TypeVar("T")
C = TypeVar("C")

_exports: dict[str, Any] = {}
_places: dict[str, str] = {}  # dotted name -> "file:line" of its registration
# "nn" -> the names registered directly below it, in order.
_prefixes: dict[str, dict[str, None]] = {}
_lazy: dict[str, str] = {}  # dotted prefix -> our module that registers what is below it
_apart: set[str] = set()  # our modules that register nothing (`leave_apart`)
_without_annotations: set[type] = set()
_shown_modules: dict[str, str] = {}  # public name -> module of a class or function
_internal: list[tuple[type, str]] = []  # classes that are not exported, and their modules in TF
_written_in: dict[type, str] = {}  # class that shows TF's module -> our module that defines it


class _Loading(threading.local):
    """The prefixes whose modules this thread is importing."""

    def __init__(self) -> None:
        self.prefixes: set[str] = set()


_loading = _Loading()
_met: Callable[[str], Any] = str  # told of each module that a class shows
_by_name: dict[str, list[Any]] = {}  # __name__ -> the exported functions and classes that bear it


class MissingPackageError(ImportError):
    """A part of TF needs a package that is not installed; the message says how to install it."""


def tf_export(*dotted_names: str) -> Callable[[T], T]:
    """Registers a function or class under its public names, given without "tf.".

    Args:
      *dotted_names: the names, TF's canonical one first, e.g. "math.add", "add".

    Returns:
      A decorator that returns its argument, with `_tf_api_names` set to `dotted_names`.

    Raises:
      ValueError: if a name is registered already; the message says where.
    """
    place = _caller()

    def decorate(symbol: T) -> T:
        for name in dotted_names:
            _register(name, symbol, place)
        _show_no_annotations(symbol)
        symbol._tf_api_names = dotted_names  # type: ignore[attr-defined]
        _by_name.setdefault(getattr(symbol, "__name__", ""), []).append(symbol)
        return symbol

    return decorate


def _show_no_annotations(symbol: Any) -> None:
    """What TF exports has none, and client libraries compare argument specs."""
    functions = [symbol]
    if isinstance(symbol, type):
        classes = [c for c in symbol.__mro__ if is_tf_class(c) and c not in _without_annotations]
        _without_annotations.update(classes)
        functions = [value for cls in classes for value in vars(cls).values()]
    for function in functions:
        function = getattr(function, "__func__", function)
        while isinstance(function, types.FunctionType):
            function.__annotations__ = {}
            function = getattr(function, "__wrapped__", None)


def show_tf_modules(met: Callable[[str], Any]) -> None:
    """From now on classes and functions name their modules in TF: `print(type(x))`, logs, pickles.

    Only where `import tensorflow` works are these modules found, as pickles want them.

    Args:
      met: is called with the name of each module that one of them names, at once or when it is
        defined.
    """
    global _met
    if not _shown_modules:
        _met = met
        _shown_modules.update(api_names.class_modules())
        for name, symbol in list(_exports.items()):
            _show_tf_module(symbol, name)
        for cls, module in _internal:
            _show(cls, module)


def _show_tf_module(symbol: Any, dotted_name: str) -> None:
    module = _shown_modules.get(dotted_name)
    is_shown = isinstance(symbol, type) or (
        # Of another name it would not be found there.
        isinstance(symbol, types.FunctionType) and symbol.__name__ == dotted_name.rpartition(".")[2]
    )
    if module is not None and is_shown:
        if symbol.__module__.startswith("tf1compat."):  # Not a message, nor shown so already.
            _show(symbol, module)
        elif symbol.__module__ == module:  # Its own source says so.
            _met(module)


def _show(cls: Any, module: str) -> None:
    _written_in.setdefault(cls, cls.__module__)
    line = vars(cls).get("__firstlineno__")
    cls.__module__ = module
    if line is not None:  # From Python 3.13 on a class that moves forgets where it begins.
        cls.__firstlineno__ = line
    _met(module)


def written_in(cls: type) -> str:
    """The module whose source defines a class, ours where the class shows TF's."""
    if cls in _written_in:
        return _written_in[cls]
    if cls.__module__.startswith("tensorflow"):
        for member in vars(cls).values():
            if isinstance(member, types.FunctionType):
                return member.__module__
    return cls.__module__


def internal_class(module: str) -> Callable[[type[C]], type[C]]:
    """Says where TF has a class that it does not export, but that scripts meet in print.

    Args:
      module: TF's module, e.g. "tensorflow.python.ops.variables".

    Returns:
      A decorator that returns its argument.
    """

    def decorate(cls: type[C]) -> type[C]:
        _internal.append((cls, module))
        if _shown_modules:
            _show(cls, module)
        return cls

    return decorate


def is_tf_class(cls: type) -> bool:
    """Whether a class is one of TensorFlow's own, and not a user's."""
    return cls.__module__.startswith(("tf1compat.", "tensorflow.", "tensorflow_estimator."))


def export_constant(dotted_name: str, value: Any) -> None:
    """Registers any value under a public name.

    Raises:
      ValueError: if the name is registered already; the message says where.
    """
    _register(dotted_name, value, _caller())


def export_lazy(prefix: str, module_name: str) -> None:
    """Says which of our modules, imported on first use, registers the names at and below `prefix`.

    Args:
      prefix: e.g. "contrib" or "contrib.slim".
      module_name: e.g. "tf1compat.api.contrib". If it is a package, the modules in it are imported
        with it, except those that are lazy themselves.

    Raises:
      ValueError: if the prefix has a module already.
    """
    if _lazy.get(prefix, module_name) != module_name:
        raise ValueError(
            f"tf.{prefix} is already loaded from {_lazy[prefix]}, not from {module_name}"
        )
    _lazy[prefix] = module_name
    _add_to_prefixes(prefix)


def find(dotted_name: str) -> Any:
    """The value registered under a name, once the lazy modules for it are imported.

    Raises:
      KeyError: if there is none.
    """
    load_lazy(dotted_name)
    return _exports[dotted_name]


def required(dotted_name: str) -> Any:
    """`find`, for what one part of TF needs of another that may not be there yet.

    Raises:
      NotImplementedError: there is none.
    """
    try:
        return find(dotted_name)
    except KeyError:
        raise NotImplementedError(f"tf.{dotted_name} is not supported by tf1compat yet") from None


def load_lazy(dotted_name: str) -> None:
    """Imports the lazy modules that a name lies in, if they are not imported yet.

    One that another thread is importing is imported by this one too: it waits where importing
    waits, which knows of circles.
    """
    if not _lazy:
        return
    parts = dotted_name.split(".")
    for count in range(1, len(parts) + 1):
        prefix = ".".join(parts[:count])
        module_name = _lazy.get(prefix)
        if module_name is None or prefix in _loading.prefixes:
            continue
        _loading.prefixes.add(prefix)
        try:
            import_all(module_name)
        finally:
            _loading.prefixes.remove(prefix)
        _lazy.pop(prefix, None)  # Only now, as a package may be missing: that is said each time.


def load_all_lazy() -> None:
    """Imports every lazy module (for listings; ordinary use loads them one by one).

    Those that need a package that is not installed are left out.
    """
    missing: set[str] = set()
    while prefixes := [prefix for prefix in _lazy if prefix not in missing | _loading.prefixes]:
        try:
            load_lazy(prefixes[0])
        except MissingPackageError:
            missing.add(prefixes[0])


def leave_apart(*module_names: str) -> None:
    """Says which modules and packages `import_all` leaves out: whoever wants them imports them."""
    _apart.update(module_names)


def import_all(module_name: str) -> None:
    """Imports a module and, if it is a package, everything below it that is not lazy nor apart."""
    module = importlib.import_module(module_name)
    left_out = {*_lazy.values(), *_apart}
    for folder in getattr(module, "__path__", ()):
        for name in _modules_in(folder):
            below = f"{module_name}.{name}"
            if below not in left_out:
                import_all(below)


def _modules_in(folder: str) -> list[str]:
    """The modules and packages in a folder of sources, sorted. `pkgutil.iter_modules` also finds
    those of archives, for a tenth of the time that `import tensorflow` takes."""
    with os.scandir(folder) as entries:
        files = [entry.name for entry in entries if not entry.name.startswith("__")]
    modules = [name.removesuffix(".py") for name in files if name.endswith(".py")]
    folders = [name for name in files if "." not in name]
    packages = [name for name in folders if os.path.exists(f"{folder}/{name}/__init__.py")]
    return sorted(modules + packages)


def has(dotted_name: str) -> bool:
    """Whether a name is registered, or lies where a lazy module is still to register it."""
    return dotted_name in _exports or any(
        dotted_name == prefix or dotted_name.startswith(prefix + ".") for prefix in _lazy
    )


def is_module(prefix: str) -> bool:
    """Whether something is registered below a dotted prefix."""
    return prefix in _prefixes


def children(prefix: str) -> list[str]:
    """The names directly below a prefix ("" for the root), in the order of registration."""
    return list(_prefixes.get(prefix, ()))


def exported() -> dict[str, Any]:
    """All names registered so far with their values."""
    return dict(_exports)


def named(name: str) -> Any:
    """The one exported function or class with this `__name__`; None if there is none or several.

    TF 2's functions have names of their own in TF's modules, or else stand back behind TF 1's.
    """
    symbols = _by_name.get(name, [])
    if len(symbols) != 1:
        load_lazy("compat.v2")
        symbols = _by_name.get(name, [])
    first = [s for s in symbols if not s._tf_api_names[0].startswith("compat.v2.")]
    if len(first) == 1 or len(symbols) == 1:
        return (first or symbols)[0]
    return None


def _register(dotted_name: str, value: Any, place: str) -> None:
    if dotted_name in _exports:
        raise ValueError(
            f"tf.{dotted_name} is registered at {place}, but was already at {_places[dotted_name]}"
        )
    _exports[dotted_name] = value
    _show_tf_module(value, dotted_name)
    _places[dotted_name] = place
    _add_to_prefixes(dotted_name)


def _add_to_prefixes(dotted_name: str) -> None:
    while True:
        prefix, _, name = dotted_name.rpartition(".")
        names = _prefixes.setdefault(prefix, {})
        if name in names:
            return
        names[name] = None
        if not prefix:
            return
        dotted_name = prefix


def _caller() -> str:
    frame = sys._getframe(2)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
