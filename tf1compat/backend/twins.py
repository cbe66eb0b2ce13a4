"""Modules of kernels, run a second time with NumPy in the place of JAX.

The twin of a module has the same code and other imports: `tf1compat.backend` is `on_numpy`, other
modules of kernels are their twins, and registering an op type only notes its rules.
"""

from __future__ import annotations

import builtins
import functools
import importlib.util
import sys
import threading
import types
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from typing import Any

_BACKEND = "tf1compat.backend"
_NUMPY = f"{_BACKEND}.on_numpy"


class Twins:
    """The twins of a package's modules, each made when it is first asked for.

    Args:
      package: the package's name; its modules take what they compute with from `tf1compat.backend`.
      registry: the name of the module through which they register what op types mean.
      rules: the rules to note.
    """

    def __init__(self, package: str, registry: str, rules: tuple[str, ...]):
        self._package = package
        self._registry = registry
        self._rules = rules
        self._modules: dict[str, types.ModuleType] = {}
        self._found: dict[str, dict[str, Callable[..., Any]]] = {}
        self._uses: dict[str, bool] = {}
        self._lock = threading.RLock()

    def rules(self, op_type: str, module: str) -> dict[str, Callable[..., Any]] | None:
        """The rules of an op type that work on NumPy values.

        Args:
          op_type: the op type.
          module: the module that registers it.

        Returns:
          By name, those of `rules` that the op type has; None if the module has no twin: it is not
          one of the package's, or nothing in it computes with the backend.
        """
        if not module.startswith(self._package + ".") or not self.uses_backend(module):
            return None
        with self._lock:
            self.module(module)
            return self._found.get(op_type, {})

    def module(self, name: str) -> types.ModuleType:
        """The twin of module `name`; the module itself if it has none."""
        if not self.uses_backend(name):
            return importlib.import_module(name)
        with self._lock:
            twin = self._modules.get(name)
            if twin is None:
                twin = self._modules[name] = self._new(name)
                try:
                    exec(_code(name), vars(twin))
                except BaseException:
                    del self._modules[name]
                    raise
            return twin

    def _new(self, name: str) -> types.ModuleType:
        twin = types.ModuleType(name, importlib.import_module(name).__doc__)
        original = sys.modules[name]
        twin.__file__, twin.__package__ = original.__file__, original.__package__
        vars(twin)["__builtins__"] = {**vars(builtins), "__import__": self._import}
        return twin

    def uses_backend(self, name: str) -> bool:
        """Whether module `name` computes with the backend, or a module that it imports does."""
        found = self._uses.get(name)
        if found is None:
            with self._lock:
                found = self._uses[name] = self._looks_at_backend(name, {name})
        return found

    def _looks_at_backend(self, name: str, seen: set[str]) -> bool:
        """By what the module's names stand for: so imports in functions do not count, and kernels
        have none of the backend there."""
        backend = importlib.import_module(_BACKEND)
        offered = {id(getattr(backend, name)) for name in backend.__all__}
        for value in list(vars(importlib.import_module(name)).values()):
            if id(value) in offered:
                return True
            is_module = isinstance(value, types.ModuleType)
            home = value.__name__ if is_module else getattr(value, "__module__", None)
            if not isinstance(home, str) or home in seen:
                continue
            if home.startswith(self._package + "."):
                seen.add(home)
                if self._looks_at_backend(home, seen):
                    return True
        return False

    def _import(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        """`__import__` of the twins."""
        found = builtins.__import__(name, globals, locals, fromlist, level)
        if level or not fromlist:
            return found
        if name == _BACKEND:
            return importlib.import_module(_NUMPY)
        if name == self._registry:
            return self._noting(found)
        of_package = f"{name}.".startswith(f"{self._package}.")
        if of_package and not hasattr(found, "__path__"):
            return self.module(name)
        changed = {}
        for member in fromlist:
            full = f"{name}.{member}"
            if full == self._registry:
                changed[member] = self._noting(getattr(found, member))
            elif of_package and _is_module(full):
                changed[member] = self.module(full)
        return types.SimpleNamespace(**{**vars(found), **changed}) if changed else found

    def _noting(self, registry: Any) -> Any:
        """The registry, with functions in it that only note the rules that twins are asked for."""

        def register(name: str, **facts: Any) -> Any:
            rules = {rule: facts[rule] for rule in self._rules if facts.get(rule) is not None}
            self._found.setdefault(name, rules)
            return registry.spec(name)

        def op(*names: str, **facts: Any) -> Callable[[type], type]:
            def decorate(meaning: type) -> type:
                rules = {rule: getattr(meaning, rule, None) for rule in self._rules}
                for name in names:
                    register(name, **rules)
                return meaning

            return decorate

        def not_differentiable(*names: str) -> None:
            pass

        def gradient(*names: str) -> Callable[[Any], Any]:
            return lambda function: function

        changed = {f.__name__: f for f in (register, op, not_differentiable, gradient)}
        return types.SimpleNamespace(**{**vars(registry), **changed})


def _is_module(name: str) -> bool:
    return isinstance(sys.modules.get(name), types.ModuleType)


@functools.cache
def _code(name: str) -> types.CodeType:
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None
    # pytest's loader, of the packages that its plugins are in, gives no code.
    loader: Any = spec.loader
    if not hasattr(loader, "get_code"):
        loader = SourceFileLoader(name, spec.origin)
    return loader.get_code(name)
