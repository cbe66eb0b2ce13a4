"""Syntax trees as indented text."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.pyct import syntax
from tf1compat.api.autograph.pyct.syntax import gast


class PrettyPrinter(gast.NodeVisitor):
    """Writes a tree, a line for each field.

    Args:
      color: ignored: TF colors what it writes where the package termcolor is.
      noanno: whether notes at the nodes are left out.
    """

    def __init__(self, color: bool, noanno: bool):
        self.color = color
        self.noanno = noanno
        self.indent_lvl = 0
        self.result = ""

    def _line(self, text: str) -> None:
        self.result += "| " * self.indent_lvl + text + "\n"

    def _item(self, label: str, value: Any) -> None:
        """A field, or an item of one's list."""
        if isinstance(value, gast.AST):
            if value._fields:
                self.generic_visit(value, label)
            else:
                self._line(f"{label}{type(value).__name__}()")
        elif isinstance(value, list | tuple):
            if not value:
                self._line(f"{label}{'[]' if isinstance(value, list) else '()'}")
                return
            start, end = "[]" if isinstance(value, list) else "()"
            self._line(label + start)
            self.indent_lvl += 1
            for item in value:
                self._item("", item)
            self.indent_lvl -= 1
            self._line(end)
        elif isinstance(value, dict):
            self._line(label + "{")
            self.indent_lvl += 1
            for key, item in value.items():
                self._item(f"{key}=", item)
            self.indent_lvl -= 1
            self._line("}")
        else:
            self._line(label + (f'u"{value}"' if isinstance(value, str) else str(value)))

    def generic_visit(self, node: Any, name: str | None = None) -> None:
        """Writes a node.

        Args:
          node: the node.
          name: what its line begins with.
        """
        self._line(f"{name or ''}{type(node).__name__}:")
        self.indent_lvl += 1
        for field in node._fields:
            if self.noanno and field.startswith(syntax.HIDDEN[:2]):
                continue
            if hasattr(node, field):
                self._item(f"{field}=", getattr(node, field))
            else:
                self._line(f"{field}=<unset>")
        self.indent_lvl -= 1


def fmt(node: Any, color: bool = True, noanno: bool = False) -> str:
    """A tree as text.

    Args:
      node: a node, or several in a list or tuple.
      color: whether to color it, where that is possible.
      noanno: whether to leave out what is noted at the nodes.

    Returns:
      The text.
    """
    printer = PrettyPrinter(color, noanno)
    for item in node if isinstance(node, list | tuple) else (node,):
        printer.visit(item)
    return printer.result
