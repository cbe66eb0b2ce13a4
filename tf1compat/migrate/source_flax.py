"""The weights and functions of a written module as Flax NNX modules, one for each scope."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from typing import Any

from tf1compat.migrate.source_text import indented, wrapped

CONSTANTS = "constants"


def attribute(key: str) -> str:
    """The attribute of a module that has the weight or the module of this name."""
    name = re.sub(r"\W", "_", key)
    return f"_{name}" if name[0].isdigit() or keyword.iskeyword(name) else name


def place(path: tuple[str, ...]) -> str:
    """The expression of a module inside of `self`."""
    return "".join(f".{attribute(key)}" for key in path)


def class_name(scope: str) -> str:
    """The class of a scope's module."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"\W+|_", scope) if part)


def classes(
    weights: Mapping[str, Any], methods: Mapping[str, list[list[str]]], names: Mapping[str, str]
) -> list[list[str]]:
    """The classes of nested weights, the innermost first.

    Args:
      methods: by scope, the methods.
      names: by scope, the names of the classes.
    """
    found: list[list[str]] = []

    def add(inside: Mapping[str, Any], scope: str) -> None:
        lines = []
        for key, value in inside.items():
            own = f"self.{attribute(key)} = "
            below = f"{scope}/{key}".lstrip("/")
            if isinstance(value, Mapping):
                add(value, below)
                made = f'{names[below]}(params["{key}"])'
            elif scope.split("/")[0] == CONSTANTS:
                made = f'nnx.Variable(params["{key}"])'
            else:
                made = f'nnx.Param(params["{key}"])'
            lines += wrapped(own + made, 2)
        title = f"The scope {scope}." if scope else "The whole graph."
        body = [f'"""{title}"""', "", "def __init__(self, params):", *indented(lines or ["pass"])]
        for method in methods.get(scope, []):
            body += ["", *method]
        found.append([f"class {names[scope]}(nnx.Module):", *indented(body)])

    add(weights, "")
    return found


def scopes_of(weights: Mapping[str, Any], above: str = "") -> list[str]:
    """The scopes of nested weights."""
    found = [above]
    for key, value in weights.items():
        if isinstance(value, Mapping):
            found += scopes_of(value, f"{above}/{key}".lstrip("/"))
    return found
