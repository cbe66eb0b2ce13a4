"""Gives back to scripts the names that Python and libraries removed since TF 1.15's day.

The names are in legacy_names.py.  A module that is imported gets a `__getattr__` by which a name is
looked up when a script first asks for it: nothing else is imported, and a name that the module has
is left alone.  The launcher installs this for the scripts it runs; the library doesn't.
"""

from __future__ import annotations

import functools
import importlib
import importlib.abc
import sys
import types
import warnings
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

# Now, because it needs modules that are about to be hooked.
from tf1compat.launcher import legacy_python, legacy_scipy  # noqa: F401
from tf1compat.launcher.legacy_changed import CHANGED
from tf1compat.launcher.legacy_names import MODULES, TABLE


def install() -> None:
    """Restores the names in modules imported so far, and in the others when they are imported."""
    for name in {*TABLE, *CHANGED}:
        if name in sys.modules:
            _restore(sys.modules[name])
    for name, module in list(sys.modules.items()):
        if _may_have_moved(name) and name not in TABLE and isinstance(module, types.ModuleType):
            _restore(module)
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _restore(module: types.ModuleType) -> None:
    name = module.__name__
    table = TABLE.get(name, {})
    members = {path: place for path, place in table.items() if "." in path}
    for path, place in members.items():
        *owners, last = path.split(".")
        try:
            owner = functools.reduce(getattr, owners, module)
        except AttributeError:
            continue
        if not hasattr(owner, last):
            setattr(owner, last, resolve(place))
    for function, change in CHANGED.get(name, {}).items():
        *owners, last = function.split(".")
        try:
            owner = functools.reduce(getattr, owners, module)
            setattr(owner, last, resolve(change)(getattr(owner, last)))
        except AttributeError:
            continue
    _give_names(module, {key: place for key, place in table.items() if key not in members})
    _let_import_gone(name, module)


def _let_import_gone(name: str, module: types.ModuleType) -> None:
    """Makes a package of what stands for a module, if MODULES has some inside of that."""
    if not hasattr(module, "__path__") and any(key.startswith(name + ".") for key in MODULES):
        module.__path__ = []  # type: ignore[attr-defined]


def _give_names(module: types.ModuleType, table: dict[str, str]) -> None:
    """Gives a module the names of a table, and those that `_fallbacks` knows."""
    if not table and module.__name__ not in MODULES and not _may_have_moved(module.__name__):
        return
    own: Callable[[str], Any] | None = vars(module).get("__getattr__")

    def lookup(name: str) -> Any:
        refusal: Exception | None = None
        if own is not None:
            with warnings.catch_warnings():  # That a name is deprecated, or will mean another.
                warnings.simplefilter("ignore")
                try:
                    return own(name)
                # scikit-learn says by an ImportError that a name is gone, SciPy 1.14's misc by a
                # slip.
                except (AttributeError, ImportError, TypeError) as error:
                    refusal = error
        if name in table:
            value = resolve(table[name])
        else:
            try:
                value = _from_fallbacks(module, name)
            except AttributeError:
                if isinstance(refusal, (AttributeError, ImportError)):
                    raise refusal from None
                raise
        setattr(module, name, value)
        return value

    module.__getattr__ = lookup  # type: ignore[method-assign]
    listed = vars(module).get("__all__")
    if isinstance(listed, list):
        # Names of builtins were not among what `from numpy import *` brings.
        listed += [
            name
            for name, place in table.items()
            if name not in listed and not place.startswith("builtins:")
        ]


def _from_fallbacks(module: types.ModuleType, name: str) -> Any:
    if not name.startswith("__"):
        if module.__name__ == "scipy":
            return legacy_scipy.numpy_name(name)
        for source in _fallbacks(module):
            try:
                return getattr(importlib.import_module(source), name)
            except (AttributeError, ImportError):
                continue
        submodule = f"{module.__name__}.{name}"
        if _is_gone(submodule, getattr(module, "__path__", None)):
            return importlib.import_module(submodule)
    raise AttributeError(f"module '{module.__name__}' has no attribute '{name}'")


def _fallbacks(module: types.ModuleType) -> tuple[str, ...]:
    """Modules that may have a name which a module of SciPy hasn't."""
    name = module.__name__
    if not _may_have_moved(name):
        return ()
    package = name.rpartition(".")[0]
    path = getattr(sys.modules.get(package), "__path__", None)
    found = [*filter(None, [MODULES.get(name)]), *legacy_scipy.moved_to(name, path)]
    # What a module had only imported may still be where it came from.
    found += [package] if "." in package else []
    found += ["numpy"] if name.startswith(("numpy.lib", "numpy.core", "numpy.ma")) else []
    return tuple(found)


def resolve(place: str) -> Any:
    """The object at "module:attribute", or the module "module:"."""
    module_name, _, path = place.partition(":")
    return functools.reduce(
        getattr, path.split(".") if path else (), importlib.import_module(module_name)
    )


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: Any = None
    ) -> ModuleSpec | None:
        may_have_moved = _may_have_moved(fullname)
        known = fullname in TABLE or fullname in CHANGED or fullname in MODULES
        if not known and not may_have_moved:
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and spec.loader is not None:
            spec.loader = _RestoringLoader(spec.loader)
        elif _is_gone(fullname, path):
            return ModuleSpec(fullname, _GoneLoader(), is_package=True)
        return spec


def _is_gone(fullname: str, path: Sequence[str] | None) -> bool:
    """Whether something stands for a module that the packages in `path` have no longer."""
    moved = _may_have_moved(fullname) and legacy_scipy.moved_to(fullname, path)
    return fullname in MODULES or bool(moved)


def _may_have_moved(fullname: str) -> bool:
    """Whether it is a public module of a library whose modules became private ones."""
    libraries = ("matplotlib.", "numpy.", "scipy.", "sklearn.", "skimage.")
    return fullname.startswith(libraries) and "._" not in fullname


class _RestoringLoader(importlib.abc.Loader):
    """Loads a module as its own loader does, and restores names in it."""

    def __init__(self, loader: Any):
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None
        module.__loader__ = module.__spec__.loader = self._loader
        with warnings.catch_warnings():  # That scipy.misc is deprecated: it is here to be empty.
            if module.__name__ in MODULES or _may_have_moved(module.__name__):
                warnings.simplefilter("ignore", DeprecationWarning)
            self._loader.exec_module(module)
        _restore(module)


class _GoneLoader(importlib.abc.Loader):
    """Makes a module that no longer exists."""

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        contents = MODULES.get(module.__name__, "")
        if contents:
            stands_for = sys.modules[module.__name__] = importlib.import_module(contents)
            _let_import_gone(module.__name__, stands_for)
        else:
            _restore(module)
