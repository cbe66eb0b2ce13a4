"""Records what TensorFlow 1.15's internal modules define, with signatures.

Run by a Python that has TensorFlow 1.15, all parts of which are imported (minutes):

    python -W ignore record_internal_signatures.py

It writes `data/internal_signatures.json.xz`, {module: {name: what}} of the functions, classes and
constants that are defined in modules below tensorflow.python and tensorflow.contrib:

    "(x, y=1)"                       a function
    {"": "Base", "m": "(self)", …}   a class: the names of its bases, and what its own body defines
                                     ("property", "value", or a method's signature)
    "value"                          anything else
"""

from __future__ import annotations

import ast
import inspect
import json
import lzma
import os
import re
import sys
import types

import recording

SKIP = re.compile(
    r"\.gen_\w+(\.|$)|_pb2$|\.keras\.api|_api\b|pywrap|_test\w*\.|_ops_gen$|test_ops$"
)
# What decorators, named tuples and the like add to a class.
MADE = re.compile(r"_(tf|keras|estimator)_(deprecated_)?api_names|_abc_|_fields?_defaults|_\w+__\w")
OWN = {"__init__", "__call__", "__getitem__", "__len__", "__iter__", "__enter__"}


def plain(module_name):
    return re.sub(r"^tensorflow_core\b", "tensorflow", module_name)


def signature(value):
    """Parameters with their defaults, those that are no plain values as `...`."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return "(?)"
    shown, marked = [], False
    for one in parameters:
        text = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "") + one.name
        marked = marked or one.kind == one.VAR_POSITIONAL
        if one.kind == one.KEYWORD_ONLY and not marked:
            shown.append("*")
            marked = True
        if one.default is not one.empty:
            plain = isinstance(one.default, (int, float, str, bytes, type(None), tuple, list))
            text += "=" + (repr(one.default) if plain else "...")
        shown.append(text)
    return "(" + ", ".join(shown) + ")"


def member(value):
    """What the body of a class defines under a name; None for what it doesn't need to have."""
    if isinstance(value, (staticmethod, classmethod)):
        return signature(value.__func__)
    if isinstance(value, property) or hasattr(type(value), "__get__") and not callable(value):
        return "property"
    if isinstance(value, type):
        return "value"
    return signature(value) if callable(value) else "value"


def described(cls):
    names = {"": " ".join(base.__name__ for base in cls.__bases__)}
    for name, value in vars(cls).items():
        if (name not in OWN and name.startswith("__")) or MADE.match(name):
            continue
        names[name] = member(value)
    return names


def assigned(module):
    """The names that a module's source assigns at its top level."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError):
        return set()
    found = set()
    for statement in ast.walk(tree):
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            statement.body = []
    for statement in ast.walk(tree):
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = getattr(statement, "targets", None) or [statement.target]
            found |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return found


def defined(module, name):
    found = {}
    constants = assigned(module)
    for key, value in vars(module).items():
        if key.startswith("__") or isinstance(value, types.ModuleType):
            continue
        if isinstance(value, type) or inspect.isroutine(value) or hasattr(value, "__wrapped__"):
            home = plain(str(getattr(value, "__module__", "")))
            if home == name and isinstance(value, type) and value.__name__ == key:
                found[key] = described(value)
            elif home == name or key in constants:
                found[key] = "value" if isinstance(value, type) else signature(value)
        elif key in constants:
            found[key] = "value"
    return found


def main():
    sys.path.insert(0, os.path.join(recording.HERE, "..", "..", "oracle"))
    import record_api_names

    record_api_names.import_all()
    table = {}
    for full_name, module in sorted(sys.modules.items()):
        name = plain(full_name)
        wanted = name.startswith(("tensorflow.python.", "tensorflow.contrib."))
        if not wanted or not isinstance(module, types.ModuleType) or SKIP.search(name):
            continue
        if record_api_names.SKIP.search(name) or not hasattr(module, "__file__"):
            continue
        found = defined(module, name)
        if found:
            table[name] = found
    path = os.path.join(recording.DATA, "internal_signatures.json.xz")
    text = json.dumps(table, separators=(",", ":"), sort_keys=True)
    with lzma.open(path, "wb", preset=9) as file:
        file.write(text.encode())
    print(len(table), "modules,", sum(map(len, table.values())), "names")


if __name__ == "__main__":
    main()
