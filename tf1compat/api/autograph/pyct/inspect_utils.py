"""What else than `inspect` says about functions and classes."""

from __future__ import annotations
import __future__

import builtins
import inspect
import itertools
import linecache
import sys
import threading
import types
from typing import Any

# Functions that AutoGraph treats in ways of their own.
SPECIAL_BUILTINS = {
    name: getattr(builtins, name)
    for name in (
        "dict",
        "enumerate",
        "float",
        "int",
        "len",
        "list",
        "print",
        "range",
        "tuple",
        "type",
        "zip",
    )
}

_linecache_lock = threading.Lock()


def islambda(f: Any) -> bool:
    """Whether something is a lambda."""
    return inspect.isfunction(f) and f.__name__ == "<lambda>"


def isnamedtuple(f: Any) -> bool:
    """Whether something is a class of named tuples."""
    fields = getattr(f, "_fields", None)
    is_tuple = inspect.isclass(f) and issubclass(f, tuple)
    return is_tuple and isinstance(fields, tuple) and all(isinstance(n, str) for n in fields)


def isbuiltin(f: Any) -> bool:
    """Whether something is one of Python's own functions or types."""
    return (
        any(f is value for value in vars(builtins).values() if callable(value))
        or isinstance(f, types.BuiltinFunctionType)
        or inspect.isbuiltin(f)
        or f is eval
    )


def istfmethodtarget(m: Any) -> bool:
    """Whether something stands for the object of a method that `tf.function` wraps."""
    return hasattr(m, "target_class") and hasattr(m, "weakrefself_target__")


def _fix_linecache_record(obj: Any) -> None:
    """Reads an object's file anew where its module is said to be another."""
    module = getattr(obj, "__module__", None)
    found = inspect.getmodule(obj)
    if module is not None and found is not None and module != found.__name__:
        linecache.updatecache(inspect.getsourcefile(obj) or "", vars(found))


def getimmediatesource(obj: Any) -> str:
    """The source code of an object itself, not of what it wraps.

    Args:
      obj: the object.

    Returns:
      The code.

    Raises:
      OSError: it isn't to be found.
      TypeError: the object is of a kind that has none.
    """
    with _linecache_lock:
        _fix_linecache_record(obj)
        lines, start = inspect.findsource(obj)
        return "".join(inspect.getblock(lines[start:]))


def getnamespace(f: Any) -> dict[str, Any]:
    """The values by the names that a function sees around it: its module's and its closure's."""
    closure = f.__closure__ or ()
    namespace = dict(f.__globals__)
    for name, cell in zip(f.__code__.co_freevars, closure, strict=False):
        try:
            namespace[name] = cell.cell_contents
        except ValueError:
            pass  # Not set yet.
    return namespace


def getqualifiedname(
    namespace: dict[str, Any],
    object_: Any,
    max_depth: int = 5,
    visited: set[int] | None = None,
) -> str | None:
    """The name of an object in a namespace.

    Args:
      namespace: values by name.
      object_: the object.
      max_depth: how many modules within modules to look in.
      visited: ids of modules not to look in.

    Returns:
      The name, with dots if it is in a module; None if there is none.
    """
    visited = set() if visited is None else visited
    namespace = dict(namespace)  # It may grow while it is looked through.
    for name, value in namespace.items():
        if object_ is value:
            return name
    own_name = getattr(object_, "__name__", None)
    home = inspect.getmodule(object_)
    if home is not None and own_name is not None and max_depth > 0:
        # First where it says that it is.
        prefix = None
        if home is not object_ and getattr(home, own_name, None) is object_:
            prefix = getqualifiedname(namespace, home, max_depth - 1, visited)
        if prefix is not None:
            return f"{prefix}.{own_name}"
    if max_depth <= 0:
        return None
    for name, value in namespace.items():
        if not inspect.ismodule(value) or id(value) in visited:
            continue
        visited.add(id(value))
        found = getqualifiedname(vars(value), object_, max_depth - 1, visited)
        if found is not None:
            return f"{name}.{found}"
    return None


def _get_unbound_function(m: Any) -> Any:
    return getattr(m, "__func__", m)


def getdefiningclass(m: Any, owner_class: Any) -> Any:
    """The class that defined a method.

    Args:
      m: the method.
      owner_class: the class that it was taken from.

    Returns:
      That class or the base that has it.
    """
    function = _get_unbound_function(m)
    name = getattr(function, "__name__", "")
    for base in reversed(inspect.getmro(owner_class)):
        if name in vars(base) and _get_unbound_function(getattr(base, name)) is function:
            return base
    return owner_class


def getmethodself(m: Any) -> Any:
    """The object or class that a method is bound to; None if it isn't."""
    found = getattr(m, "__self__", None)
    if found is not None and istfmethodtarget(found):
        return found.target
    return found


def getmethodclass(m: Any) -> Any:
    """The class that a method was taken from.

    A function that isn't bound is looked for by its name in the classes that the callers' variables
    have.

    Args:
      m: the method.

    Returns:
      The class; None if it is in none.

    Raises:
      AttributeError: it is no function.
    """
    if not hasattr(m, "__name__") and callable(m):
        return type(m)
    owner = getattr(m, "__self__", None)
    if owner is not None:
        if inspect.isclass(owner):
            return owner
        if istfmethodtarget(owner):
            return owner.target_class
        return type(owner)
    name = m.__name__
    classes: dict[int, Any] = {}
    frame = sys._getframe(1)
    while frame is not None:
        for value in itertools.chain(list(frame.f_locals.values()), list(frame.f_globals.values())):
            if inspect.isclass(value):
                classes[id(value)] = value
        frame = frame.f_back
    function = _get_unbound_function(m)
    found = []
    for value in classes.values():
        if _get_unbound_function(inspect.getattr_static(value, name, None)) is function:
            found.append(value)
    if not found:
        inherited = [c for c in classes.values() if getattr(c, name, None) is m]
        return inherited[0] if inherited else None
    return found[0]


def getfutureimports(entity: Any) -> tuple[str, ...]:
    """What the module of a function or class imports from `__future__`."""
    if not (inspect.isfunction(entity) or inspect.ismethod(entity)):
        return ()
    function: Any = getattr(entity, "__func__", entity)
    values = function.__globals__
    features = {name: getattr(__future__, name) for name in __future__.all_feature_names}
    return tuple(sorted(name for name, value in features.items() if values.get(name) is value))
