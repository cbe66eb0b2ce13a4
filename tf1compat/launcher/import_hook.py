"""`import tensorflow`, and everything below it, gives tf1compat.

A name is one of three kinds of module:
  * a public one (`tensorflow.nn`, `tensorflow.compat.v1.train`): a module of `tf1compat.namespace`;
  * an internal one (`tensorflow.python.ops.math_ops`, `tensorflow.core.framework.graph_pb2`): a
    `Facade` over our modules that `module_map` names, with what else TF 1.15 keeps in it;
    what tf1compat hasn't says so when it is used; modules that TF hasn't are looked for in folders
    of that name on `sys.path`, as unit tests of TF, and their helpers, are beside what they test;
  * a public one that TF 1.15 has and tf1compat hasn't: an ImportError that says so.
"""

from __future__ import annotations

import functools
import importlib
import importlib.abc
import re
import sys
import threading
import types
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from typing import Any

from tf1compat import namespace
from tf1compat.api.framework import op_def_library
from tf1compat.core import api_names, export, gradient_registry, op_defs, raw_ops
from tf1compat.launcher import folders, inspecting, later_releases, module_map, name_map, stand_in
from tf1compat.namespace import UnsupportedNameError

_ROOTS = ("tensorflow", "tensorflow_core", "tensorflow_estimator")
_INTERNAL = ("python", "core", "examples", "tools", "compiler")
# The packages that TF generates of its public names: editors complete imports with them.
_GENERATED = tuple(
    (re.compile(rf"^{place}\b"), public)
    for place, public in (
        (r"tensorflow\._api(\.v1)?", "tensorflow"),
        (r"tensorflow\.python\.keras\.api\._v1\.keras", "tensorflow.keras"),
        (r"tensorflow\.python\.keras\.api\._v2\.keras", "tensorflow.compat.v2.keras"),
        (
            r"tensorflow_estimator\.(python\.estimator\.api\._|_api\.)v1\.estimator",
            "tensorflow.estimator",
        ),
        (
            r"tensorflow_estimator\.python\.estimator\.api\._v2\.estimator",
            "tensorflow.compat.v2.estimator",
        ),
    )
)
# Where modules are whose import alone makes op types known.
_LIBRARIES = "tf1compat.kernels.libraries."

_facades: dict[str, Facade] = {}
_moved: dict[str, later_releases.MovedModule] = {}
_lock = threading.RLock()


class Facade(types.ModuleType):
    """A module of TF's internals: its names are looked up, when first asked for, where ours are."""

    # A name that no module of ours has.
    __slots__ = ("_facade_replaced",)

    def __init__(self, name: str):
        super().__init__(name)
        replaced: dict[tuple[types.ModuleType, str], Any] = {}
        object.__setattr__(self, "_facade_replaced", replaced)
        self.__package__ = name
        self.__spec__ = ModuleSpec(name, None, is_package=True)

    @property
    def __path__(self) -> list[str]:
        # For what TF itself hasn't: its unit tests and their helpers are beside its modules.
        return folders.own_folders(self.__name__)

    @property
    def _facade_sources(self) -> Sequence[str]:
        return _sources(self.__name__)

    def _facade_places(self, name: str) -> Iterator[tuple[types.ModuleType, str]]:
        """The modules of ours that have what this one calls `name`, and what they call it."""
        places = [(source, name) for source in self._facade_sources]
        renamed = name_map.NAMES.get(f"{self.__name__}.{name}")
        for source, own in places if renamed is None else [renamed, *places]:
            module = importlib.import_module(source)
            if own in vars(module):
                yield module, own

    def __getattr__(self, name: str) -> Any:
        if name == "__file__":
            self.__dict__[name] = found = module_map.file_of(self._facade_sources)
            return found
        if name.startswith("__") and name not in ("__all__", "__version__"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        try:
            value = self.__dir__() if name == "__all__" else _attribute(self, name)
        except UnsupportedNameError:
            frame = sys._getframe(1)
            if stand_in.is_import(frame) or stand_in.is_base(frame):
                return stand_in.StandIn(f"{self.__name__}.{name}")
            raise
        if not isinstance(value, bool):  # A switch may be turned over.
            self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # The import system binds every submodule in its package. In TF some of those names are
        # another module's (`from tensorflow.python import ops` is tensorflow.python.framework.ops)
        # or those of what the package takes from the submodule (contrib's function `arg_scope`).
        if isinstance(value, Facade) and value.__name__ == f"{self.__name__}.{name}":
            place = api_names.modules().get(self.__name__, {}).get(name, "")
            if place and place != f"@{value.__name__}":
                return
        super().__setattr__(name, value)
        # Client code that replaces a part of TF means the code of that module to see it.
        if not name.startswith("__") and not isinstance(value, types.ModuleType):
            for place in self._facade_places(name):
                module, own = place
                self._facade_replaced.setdefault(place, vars(module)[own])
                setattr(module, own, value)

    def __delattr__(self, name: str) -> None:
        # `mock.patch` takes back what it put in place of a name by deleting it, where the module
        # had not looked that name up before.
        super().__delattr__(name)
        for place in self._facade_places(name):
            if place in self._facade_replaced:
                setattr(*place, self._facade_replaced.pop(place))

    def __dir__(self) -> list[str]:
        names = set(self.__dict__)
        for source in self._facade_sources:
            names.update(vars(importlib.import_module(source)))
        for name, place in api_names.modules().get(self.__name__, {}).items():
            if name and export.has(place.removeprefix("=")):
                names.add(name)
        return sorted(name for name in names if not name.startswith("_"))


class _Hook(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        is_loaded = fullname in sys.modules
        if fullname.partition(".")[0] not in _ROOTS or find_module(fullname) is None:
            return None
        if not is_loaded:
            # Looking for it may have shown it (`_keep`). The import system then prefers its own
            # spec to this one, and that has no loader: it would make an empty package of it.
            sys.modules.pop(fullname, None)
        return ModuleSpec(fullname, self, is_package=True)

    def find_distributions(self, context: Any) -> Iterator[Any]:
        """Asked by `importlib.metadata`: `version("tensorflow")`."""
        from tf1compat.launcher import distribution  # Few programs ask.

        return distribution.find(context)

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        # The module exists already, perhaps under another name: the import system takes what it
        # finds in sys.modules, so that every spelling of a name gives the same object.
        name = module.__name__ if module.__spec__ is None else module.__spec__.name
        found = find_module(name)
        assert found is not None
        sys.modules[name] = found


_hook = _Hook()


def install() -> None:
    """Puts the hook before all other finders.

    Raises:
      ImportError: the real TensorFlow is imported already.
    """
    present = sys.modules.get("tensorflow")
    # The shim in launcher/site imports this before it gives its place to the real thing.
    if present is not None and not namespace.is_ours(present) and not _is_shim(present):
        raise ImportError(
            "tf1compat.install() must come before the first import of tensorflow; "
            f"{getattr(present, '__file__', present)} is imported already"
        )
    if _hook not in sys.meta_path:
        sys.meta_path.insert(0, _hook)
        export.show_tf_modules(_keep)
        inspecting.install()


def _keep(name: str) -> None:
    """Puts a module that a class names where programs look for it: in `sys.modules`."""
    place = name
    # What is not below "python" may be a public module as well.
    while ".python" in place and place not in sys.modules and _is_internal(place):
        sys.modules[place] = _facades.setdefault(place, Facade(place))
        place = place.rpartition(".")[0]


def _is_shim(module: types.ModuleType) -> bool:
    path = str(getattr(module, "__file__", None)).replace("\\", "/")
    return path.endswith("launcher/site/tensorflow/__init__.py")


def find_module(fullname: str) -> types.ModuleType | None:
    """The module that a name stands for, e.g. "tensorflow.python.ops.math_ops".

    Returns:
      The module; None if TF 1.15 has none of that name.

    Raises:
      ModuleNotFoundError: TF 1.15 has it, tf1compat hasn't.
    """
    name = re.sub(r"^tensorflow_core\b", "tensorflow", fullname)
    for place, public in _GENERATED:
        name = place.sub(public, name)
    root, _, dotted_name = name.partition(".")
    if name == "tensorflow":
        return namespace.tensorflow()
    if root == "tensorflow" and dotted_name.partition(".")[0] not in _INTERNAL:
        module = namespace.find_module(dotted_name)
        if module is not None:
            return module
        if not _is_internal(name):
            if api_names.is_public(dotted_name) and not export.has(dotted_name):
                raise ModuleNotFoundError(str(UnsupportedNameError(f"tf.{dotted_name}")))
            return None
    if later_releases.has_module(name) and not _is_internal(name):
        with _lock:
            return _moved.setdefault(name, later_releases.MovedModule(name, find_module))
    return internal_module(name)


def _is_internal(name: str) -> bool:
    return name in api_names.modules() or name in api_names.packages() or name in module_map.MAP


def internal_module(name: str) -> Facade | None:
    """TF's module of that name as its file has it, e.g. "tensorflow.contrib.compiler.xla".

    Returns:
      The module; None if TF 1.15 has none of that name.
    """
    facade = _facades.get(name)
    if facade is not None:
        return facade
    package = name.rpartition(".")[0]
    is_in_file = package in api_names.modules() and package not in api_names.packages()
    if not _is_internal(name) and (is_in_file or not _sources(name)):
        return None
    for source in _sources(name):
        if source.startswith(_LIBRARIES):
            importlib.import_module(source)
    with _lock:
        return _facades.setdefault(name, Facade(name))


@functools.cache
def _sources(name: str) -> tuple[str, ...]:
    sources = module_map.sources(name)
    if name.endswith("_pb2"):
        sources = tuple(source for source in sources if _can_import(source))
    return sources


def _can_import(module_name: str) -> bool:
    try:
        importlib.import_module(module_name)
    except ModuleNotFoundError:
        return False
    return True


def _attribute(facade: Facade, name: str) -> Any:
    """The value of a facade's attribute.

    Looked for in this order: the public name of the object that TF has there, our modules, where TF
    got it from, raw ops, submodules, a function or class of TF 2 of that name.
    """
    module_name = facade.__name__
    own_name = f"{module_name}.{name}"
    names = api_names.modules().get(module_name, {})
    own = names.get("", "").split()
    place = names.get(name, "")
    public = place.removeprefix("=")
    # The public module may be this one: then nobody else has the name.
    if place and ":" not in place and place[0] not in "@%" and f"tensorflow.{public}" != own_name:
        home, _, last = public.rpartition(".")
        try:
            holder = namespace.resolve(home) if home else namespace.tensorflow()
            if holder is not facade:
                return getattr(holder, last)
        except AttributeError:
            pass
    if own_name in name_map.NAMES:
        ours, our_name = name_map.NAMES[own_name]
        return getattr(importlib.import_module(ours), our_name)
    for source in facade._facade_sources:
        module = importlib.import_module(source)
        try:
            value = getattr(module, name)
        except AttributeError:
            continue
        # A module of ours may have imported one of the name of something else of TF's.
        is_other = name in own or name in names or _is_internal(own_name)
        if not (isinstance(value, types.ModuleType) and is_other):
            return value
    if place.startswith("@"):
        found = module_named(place[1:])
        if found is not None:
            return found
    elif place.startswith("%"):
        return gradient_registry.lookup(place[1:])
    elif ":" in place:
        home, _, other = place.partition(":")
        module = internal_module(home)
        if module is not None:
            return getattr(module, other or name)
    if module_map.is_generated(module_name):
        if name == "_op_def_lib":
            return op_def_library.LIBRARY
        op_type = _op_type(name)
        if op_type is not None:
            return raw_ops.function(op_type)
    if _is_internal(own_name):
        found = internal_module(own_name)
        if found is not None:
            return found
    if name in own or not names:
        found = export.named(name)
        # An unknown module, or TF 2's form of something: any other one has the name by chance.
        if found is not None and (not names or _is_v2(found) and not export.has(name)):
            return found
        if name in own and export.has(name):
            value = export.find(name)  # A constant of tf, such as `newaxis`.
            if not isinstance(value, type):  # A class is another one.
                return value
    public = own_name.removeprefix("tensorflow.")
    is_public = api_names.is_public(public)
    if name in names or name in own or (is_public and not export.has(public)):
        raise UnsupportedNameError(f"tf.{public}" if is_public else own_name)
    raise AttributeError(f"module '{module_name}' has no attribute '{name}'")


def module_named(name: str) -> types.ModuleType | None:
    """A module of TF, or another one that a module of TF imports; None if it is not there now."""
    if name.partition(".")[0] in _ROOTS:
        return find_module(name)
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _is_v2(symbol: Any) -> bool:
    return symbol._tf_api_names[0].startswith("compat.v2.")


def _op_type(name: str) -> str | None:
    """`mat_mul`, `_mat_mul` -> `MatMul`; also `MatMul` itself; None if there is no such op type."""
    return name if op_defs.get(name) is not None else op_defs.by_function().get(name.lstrip("_"))
