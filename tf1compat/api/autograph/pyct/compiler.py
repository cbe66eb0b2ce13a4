"""Syntax trees as source code and as Python modules."""

from __future__ import annotations

import ast
import atexit
import importlib.util
import os
import sys
import tempfile
from types import ModuleType
from typing import Any

from tf1compat.api.autograph.pyct import origin_info, syntax

# What stands in parentheses where nothing is around it.
_GROUPED = ("BinOp", "BoolOp", "Compare", "UnaryOp", "Lambda", "IfExp")


def ast_to_source(node: Any, indentation: str = "  ", include_encoding_marker: bool = True) -> str:
    """The source code of a syntax tree.

    Args:
      node: a node or several.
      indentation: what blocks are indented by.
      include_encoding_marker: whether a comment says that the code is UTF-8.

    Returns:
      The code.
    """
    several = isinstance(node, list | tuple)
    texts = [_unparsed(item, indentation) for item in (node if several else (node,))]
    marker = "# coding=utf-8\n" if include_encoding_marker else ""
    return marker + "\n".join(text + "\n" for text in texts)


def _unparsed(node: Any, indentation: str) -> str:
    python = node if type(node).__module__ in ("ast", "_ast") else syntax.to_python(node)
    text = ast.unparse(python)
    if type(node).__name__ in _GROUPED:
        return f"({text})"
    if indentation == "    " or "\n" not in text:
        return text
    return _indented(text, indentation)


def _indented(text: str, indentation: str) -> str:
    """Code with blocks indented by something else than four spaces."""
    inside = _lines_in_strings(text)
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        depth = 0 if number in inside else (len(line) - len(line.lstrip(" "))) // 4
        lines.append(indentation * depth + line[4 * depth :])
    return "\n".join(lines)


def _lines_in_strings(text: str) -> set[int]:
    """The lines that begin within a string."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno is not None:
            found.update(range(node.lineno + 1, node.end_lineno + 1))
    return found


def source_to_entity(source: str, delete_on_exit: bool) -> ModuleType:
    """Code as a module that was imported from a file, where debuggers find its lines.

    Args:
      source: the code.
      delete_on_exit: whether the file is removed when the interpreter ends.

    Returns:
      The module.
    """
    with tempfile.NamedTemporaryFile(
        "w", suffix=".py", prefix="tmp", delete=False, encoding="utf-8"
    ) as file:
        file.write(source)
    if delete_on_exit:
        atexit.register(_remove, file.name)
    name = os.path.basename(file.name)[: -len(".py")]
    spec = importlib.util.spec_from_file_location(name, file.name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Without a cached file beside it, which nobody would remove.
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = writes
    return module


def _remove(path: str) -> None:
    if os.path.exists(path):
        os.remove(path)


def ast_to_object(
    nodes: Any,
    indentation: str = "  ",
    include_source_map: bool = False,
    delete_on_exit: bool = True,
) -> tuple[ModuleType, str, dict[Any, Any] | None]:
    """A module of the code of syntax trees.

    Args:
      nodes: a node or several.
      indentation: what blocks are indented by.
      include_source_map: whether the origins of the code's lines are wanted.
      delete_on_exit: whether the module's file is removed when the interpreter ends.

    Returns:
      The module; its code; the origins by the lines, or None.
    """
    if not isinstance(nodes, list | tuple):
        nodes = (nodes,)
    source = ast_to_source(nodes, indentation)
    module = source_to_entity(source, delete_on_exit)
    origins = None
    if include_source_map:
        assert module.__file__ is not None
        origins = origin_info.create_source_map(nodes, source, module.__file__)
    return module, source, origins
