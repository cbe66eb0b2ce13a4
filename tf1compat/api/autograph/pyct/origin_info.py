"""Where the code of syntax trees was read."""

from __future__ import annotations

import inspect
import io
import tokenize
from typing import Any, NamedTuple

from tf1compat.api.autograph.pyct import anno
from tf1compat.api.autograph.pyct.syntax import gast


class LineLocation(NamedTuple):
    """A line of a file.

    Args:
      filename: the file.
      lineno: the line's number, from 1.
    """

    filename: str
    lineno: int


class Location(NamedTuple):
    """A place in a file.

    Args:
      filename: the file.
      lineno: the line's number, from 1.
      col_offset: the column.
    """

    filename: str
    lineno: int
    col_offset: int

    @property
    def line_loc(self) -> LineLocation:
        """The line."""
        return LineLocation(self.filename, self.lineno)


class OriginInfo(NamedTuple):
    """Where a node's code was read.

    Args:
      loc: the `Location`.
      function_name: the function around it.
      source_code_line: the line's code.
      comment: the comment at its end.
    """

    loc: Any
    function_name: Any
    source_code_line: Any
    comment: Any

    def as_frame(self) -> tuple[Any, ...]:
        """It as an entry of `traceback.extract_tb`."""
        return self.loc.filename, self.loc.lineno, self.function_name, self.source_code_line

    def __repr__(self) -> str:
        return ":".join(map(str, self.loc[:3])) if self.loc.filename else repr(tuple(self.loc))


class OriginResolver(gast.NodeVisitor):
    """Notes at nodes where they were read.

    Args:
      root_node: the tree.
      source_lines: the lines of its code.
      comments_map: comments by line numbers.
      context_lineno: the first line's number in the file.
      context_col_offset: its column.
      filepath: the file.
    """

    def __init__(
        self,
        root_node: Any,
        source_lines: list[str],
        comments_map: dict[int, str],
        context_lineno: int,
        context_col_offset: int,
        filepath: str,
    ):
        self._lines = source_lines
        self._comments = comments_map
        # The tree may begin below lines that were put before its code, or its decorators.
        first = [getattr(n, "lineno", None) for n in getattr(root_node, "decorator_list", ())]
        self._first = min([n for n in first if n] + [root_node.lineno])
        self._lineno = context_lineno
        self._column = context_col_offset
        self._path = filepath
        self._functions: list[str] = []

    def visit(self, node: Any) -> None:
        """Notes it at a node and at those below."""
        is_function = isinstance(node, gast.FunctionDef)
        if is_function:
            self._functions.append(node.name)
        if hasattr(node, "lineno"):
            self._note(node)
        self.generic_visit(node)
        if is_function:
            self._functions.pop()

    def _note(self, node: Any) -> None:
        lineno = node.lineno
        if isinstance(node, gast.FunctionDef | gast.ClassDef) and node.decorator_list:
            lineno = min(lineno, *(item.lineno for item in node.decorator_list))
        place = Location(
            self._path, lineno - self._first + self._lineno, node.col_offset + self._column
        )
        line = self._lines[lineno - 1] if lineno <= len(self._lines) else ""
        function = self._functions[-1] if self._functions else None
        origin = OriginInfo(place, function, line, self._comments.get(lineno))
        anno.setanno(node, anno.Basic.ORIGIN, origin)


def resolve(
    node: Any, source: str, context_filepath: str, context_lineno: int, context_col_offset: int
) -> None:
    """Notes at a tree's nodes where they were read.

    Args:
      node: the tree.
      source: the code that it was parsed from.
      context_filepath: the file of the code.
      context_lineno: the line in the file where the tree begins.
      context_col_offset: the column there.
    """
    comments = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.string.lstrip("#").strip()
    OriginResolver(
        node,
        source.split("\n"),
        comments,
        context_lineno,
        context_col_offset,
        context_filepath,
    ).visit(node)


def resolve_entity(node: Any, source: str, entity: Any) -> None:
    """Notes at a tree's nodes where they were read.

    Args:
      node: the tree.
      source: the code that it was parsed from.
      entity: the function or class that it is of.
    """
    lines, lineno = inspect.getsourcelines(entity)
    path = inspect.getsourcefile(entity) or ""
    indentation = len(lines[0]) - len(lines[0].lstrip())
    resolve(node, source, path, lineno, indentation)


def create_source_map(nodes: Any, code: str, filepath: str) -> dict[LineLocation, OriginInfo]:
    """The origins of code that was made from trees.

    Args:
      nodes: the trees.
      code: their code.
      filepath: the file that it is in.

    Returns:
      The `OriginInfo`s by the `LineLocation`s of the code.
    """
    if not isinstance(nodes, list | tuple):
        nodes = (nodes,)
    found: dict[LineLocation, OriginInfo] = {}
    depths: dict[LineLocation, int] = {}

    def walk(made: Any, original: Any, depth: int) -> None:
        """Where printing changed a tree, what is below has no origin."""
        if type(made) is not type(original):
            return
        origin = anno.getanno(original, anno.Basic.ORIGIN, None)
        if origin is not None and hasattr(made, "lineno"):
            line = LineLocation(filepath, made.lineno)
            # A line's origin is that of the outermost node that begins in it.
            if line not in found or depth < depths[line]:
                found[line], depths[line] = origin, depth
        for field in type(made)._fields:
            mine, its = getattr(made, field, None), getattr(original, field, None)
            pairs = (
                zip(mine, its, strict=False) if isinstance(mine, list) and its else [(mine, its)]
            )
            for one, other in pairs:
                if isinstance(one, gast.AST) and isinstance(other, gast.AST):
                    walk(one, other, depth + 1)

    for made, original in zip(gast.parse(code).body, nodes, strict=False):
        walk(made, original, 0)
    return found
