"""The names of libraries that sources use, found in their syntax trees: nothing is run."""

from __future__ import annotations

import ast
import json
import os
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from tf1compat.launcher import python2


class Use(NamedTuple):
    """One place where a source names something of a library.

    Attributes:
      name: all that is written there, e.g. "tensorflow.nn.relu" or "numpy.float".
      file: the source.
      line: in it, from 1.
      keywords: the names of the arguments that it is called with, if it is called.
    """

    name: str
    file: str
    line: int
    keywords: tuple[str, ...] = ()


class Program(NamedTuple):
    """What was found in some sources.

    Attributes:
      files: the sources, without those that cannot be read.
      python2: those of them that are Python 2.
      unreadable: (file, why) of the others.
      uses: all places, in order.
      own_modules: top-level names of the program's own modules.
    """

    files: list[str]
    python2: list[str]
    unreadable: list[tuple[str, str]]
    uses: list[Use]
    own_modules: frozenset[str]


def scan(paths: list[str]) -> Program:
    """Looks through files and folders for sources (`*.py`, `*.ipynb`).

    Args:
      paths: of files or folders.

    Raises:
      FileNotFoundError: there is no such file or folder.
    """
    program = Program([], [], [], [], frozenset(_own_modules(paths)))
    for file in _sources(paths):
        try:
            data = _notebook(file) if file.endswith(".ipynb") else _contents(file)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)  # "\d" in an old source
                tree, is_python2 = python2.parse(data, file)
        except (OSError, SyntaxError, ValueError) as error:
            program.unreadable.append((file, f"{type(error).__name__}: {error}"))
            continue
        program.files.append(file)
        if is_python2:
            program.python2.append(file)
        finder = _Finder(file)
        finder.visit(tree)
        program.uses.extend(sorted(finder.uses, key=lambda use: use.line))
    return program


def _sources(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if not os.path.exists(path):
            raise FileNotFoundError(f"there is no file or folder {path}")
        if not os.path.isdir(path):
            yield path
            continue
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(name for name in folders if not _is_skipped(name))
            for name in sorted(files):
                if name.endswith((".py", ".ipynb")):
                    yield os.path.join(folder, name)


def _is_skipped(folder: str) -> bool:
    return folder.startswith(".") or folder in ("__pycache__", "node_modules", "site-packages")


def _own_modules(paths: list[str]) -> Iterator[str]:
    for path in paths:
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        yield os.path.basename(os.path.abspath(folder))
        for _, folders, files in os.walk(folder or "."):
            folders[:] = [name for name in folders if not _is_skipped(name)]
            yield from folders
            yield from (name.removesuffix(".py") for name in files if name.endswith(".py"))


def _contents(file: str) -> bytes:
    with open(file, "rb") as source:
        return source.read()


def _notebook(file: str) -> bytes:
    """The code of a notebook's cells; lines for IPython become comments."""
    cells = json.loads(_contents(file)).get("cells", [])
    lines = []
    for cell in cells:
        if cell.get("cell_type") == "code":
            source = "".join(cell.get("source", ())).splitlines()
            if not (source and source[0].startswith("%%")):
                lines += [
                    f"# {line}" if line.lstrip()[:1] in ("%", "!") else line for line in source
                ]
    return "\n".join(lines).encode()


class _Finder(ast.NodeVisitor):
    """Finds the uses in one source.

    A name stands for something of a library after `import x as name`, `from x import name`, or
    `name = x.y`; in a function that makes a variable of that name, it doesn't.
    """

    def __init__(self, file: str):
        self._file = file
        self._scopes: list[dict[str, str | None]] = [{}]  # None: a variable of the program's own.
        self.uses: list[Use] = []

    def _add(self, name: str, node: ast.AST, keywords: tuple[str, ...] = ()) -> None:
        self.uses.append(Use(name, self._file, getattr(node, "lineno", 0), keywords))

    def _meaning(self, node: ast.expr) -> str | None:
        """What `a.b.c` stands for, if `a` stands for something of a library."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            for scope in reversed(self._scopes):
                if node.id in scope:
                    start = scope[node.id]
                    return None if start is None else ".".join([start, *reversed(parts)])
        return None

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name, node)
            if alias.asname:
                self._scopes[-1][alias.asname] = alias.name
            else:
                first = alias.name.partition(".")[0]
                self._scopes[-1][first] = first

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level or node.module is None or node.module == "__future__":
            return
        for alias in node.names:
            if alias.name == "*":
                self._add(node.module, node)
            else:
                name = f"{node.module}.{alias.name}"
                self._add(name, node)
                self._scopes[-1][alias.asname or alias.name] = name

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        meaning = self._meaning(node.value) if isinstance(node.value, ast.Attribute) else None
        for target in node.targets:
            if isinstance(target, ast.Name) and (meaning or target.id in self._scopes[-1]):
                self._scopes[-1][target.id] = meaning
            else:
                self.visit(target)

    def visit_Call(self, node: ast.Call) -> None:
        meaning = self._meaning(node.func)
        if meaning is None:
            self.visit(node.func)
        else:
            keywords = tuple(word.arg for word in node.keywords if word.arg is not None)
            self._add(meaning, node.func, keywords)
        for part in (*node.args, *node.keywords):
            self.visit(part)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        meaning = self._meaning(node)
        if meaning is None:
            self.visit(node.value)
        else:
            self._add(meaning, node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._in_scope(node.args, [node.body])

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.decorator_list, *([node.returns] if node.returns else ())):
            self.visit(part)
        self._in_scope(node.args, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def _in_scope(self, arguments: ast.arguments, body: list[ast.expr] | list[ast.stmt]) -> None:
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        names += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self.visit(default)
        own: dict[str, str | None] = dict.fromkeys(name.arg for name in names)
        for statement in body:
            for part in ast.walk(statement):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    own[part.id] = None
        self._scopes.append(own)
        for statement in body:
            self.visit(statement)
        self._scopes.pop()
