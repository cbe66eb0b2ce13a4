"""Which names TF 1.15 has: facts recorded from the real one by `oracle/record_api_names.py`.

The tables are read only when a name is looked up that is not there, and for internal modules; that
of classes and functions when `import tensorflow` is made to work.
"""

from __future__ import annotations

import functools
import gzip
import importlib.resources
import json
from typing import Any


@functools.cache
def public() -> dict[str, str]:
    """Public name without "tf." -> "(x, y, name=None)", "class (self, …)", "value" or "module".

    Below compat.v2 also "=nn.relu", for an object that TF 1.15 has under that name too.
    """
    return _read("api_names.json.gz")


@functools.cache
def modules() -> dict[str, dict[str, str]]:
    """Full name of an internal module -> {attribute: where it lives}.

    A place is the public name of the same object ("nn.relu", or "=nn.relu" if it is defined in
    another module), a module ("@tensorflow.contrib.slim") or a module and the name that the object
    has there ("tensorflow.python.ops.math_ops:cast"; no name after the colon means the same one).
    The key "" has the names, separated by spaces, that are the module's own and not public.
    """
    return _read("module_names.json.gz")


@functools.cache
def class_modules() -> dict[str, str]:
    """Public name of a class or function -> TF's module that defines it.

    `oracle/record_class_modules.py` records them; functions only by the names that they bear.
    """
    table = _read("class_modules.json.gz")
    return {name: module for module, names in table.items() for name in names.split()}


@functools.cache
def renamed() -> dict[str, str]:
    """Public name without "tf." -> what TF 2 calls it ("compat.v1.Session"), where that differs."""
    return _read("renamed_names.json.gz")


def is_public(dotted_name: str) -> bool:
    """Whether TF 1.15 has this public name, given without "tf."."""
    return dotted_name.removeprefix("compat.v1.") in public()


@functools.cache
def packages() -> frozenset[str]:
    """The internal modules of TF 1.15 that contain others."""
    return frozenset(
        ".".join(parts[:count])
        for parts in (name.split(".") for name in modules())
        for count in range(1, len(parts))
    )


def _read(name: str) -> dict[str, Any]:
    data = importlib.resources.files("tf1compat.core").joinpath("data", name).read_bytes()
    return json.loads(gzip.decompress(data))
