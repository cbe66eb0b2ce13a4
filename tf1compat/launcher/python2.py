"""Python 2 sources: recognised, translated on the fly with lib2to3, and said so in one line."""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.abc
import io
import os
import re
import site
import sys
import sysconfig
import tokenize
import types
import warnings
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import Any

import tf1compat

# What says that a source which Python 3 can parse is Python 2's all the same.
_NAMES = frozenset(
    ("basestring", "execfile", "long", "raw_input", "reduce", "reload", "unichr", "unicode")
    + ("xrange",)
)
_METHODS = {"iteritems": 0, "iterkeys": 0, "itervalues": 0, "has_key": 1}
_MODULES = frozenset(
    ("ConfigParser", "HTMLParser", "Queue", "StringIO", "cPickle", "cStringIO", "commands")
    + ("copy_reg", "httplib", "Tkinter", "urllib2", "urlparse", "__builtin__")
)
_URLLIB = frozenset(("urlopen", "urlretrieve", "urlencode", "quote", "unquote"))
_VERSION_TEST = re.compile(r"version|PY2|PY3")
# Who asks for this has written for both.
_PYTHON_TEST = re.compile(r"\bPY[23]\b|version_info|python_version")
_PYTHON_3 = (ast.AnnAssign, ast.AsyncFunctionDef, ast.JoinedStr, ast.MatMult, ast.Nonlocal)
_MISSING_NAME = {"AttributeError", "Exception", "ImportError", "ModuleNotFoundError", "NameError"}


def compile_source(data: bytes, path: str, in_package: bool = False) -> types.CodeType:
    """Compiles a source file, from Python 2 if it is that.

    Args:
      data: the file's contents.
      path: its name, for tracebacks and messages.
      in_package: whether `import x` may mean a module beside it, as it did in Python 2's packages.

    Raises:
      SyntaxError: it is neither Python 3 nor Python 2, as Python 3 sees it.
    """
    try:
        tree = compile(data, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError as error:
        text = _translate(data, path, in_package, print_statement=True, error=error)
        try:
            code = compile(text, path, "exec", dont_inherit=True)
        except SyntaxError:
            raise error from None
    else:
        if not _Python2Marks().found_in(tree):
            return compile(data, path, "exec", dont_inherit=True)
        text = _translate(data, path, in_package, print_statement=False, error=None)
        code = compile(text, path, "exec", dont_inherit=True)
    divides = b"/" in data and b"import division" not in data
    note = "; / is true division here, also between integers" if divides else ""
    print(f"tf1compat: {path} is Python 2, translated to Python 3{note}", file=sys.stderr)
    return code


class _Python2Marks(ast.NodeVisitor):
    """Looks for what only Python 2 has, in a file that has nothing of Python 3."""

    def found_in(self, tree: ast.AST) -> bool:
        if any(_is_python3(node) for node in ast.walk(tree)):
            return False
        self._bound: set[str] = set()
        self._used: set[str] = set()
        self._found = False
        self.visit(tree)
        return self._found or bool((self._used & _NAMES) - self._bound)

    def visit_Name(self, node: ast.Name) -> None:
        (self._used if isinstance(node.ctx, ast.Load) else self._bound).add(node.id)

    def visit_arg(self, node: ast.arg) -> None:
        self._bound.add(node.arg)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._bound.add(node.name)
        self.generic_visit(node)

    visit_ClassDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            self._bound.add(alias.asname or alias.name.partition(".")[0])
            if isinstance(node, ast.Import) and alias.name in _MODULES:
                self._found = True
        if isinstance(node, ast.ImportFrom) and node.module in _MODULES and not node.level:
            self._found = True

    visit_ImportFrom = visit_Import  # type: ignore[assignment]

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Attribute):
            count = _METHODS.get(function.attr)
            if count == len(node.args) and not node.keywords:
                self._found = True
            if isinstance(function.value, ast.Name) and function.value.id == "urllib":
                self._found |= function.attr in _URLLIB
        self.generic_visit(node)

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        if _VERSION_TEST.search(ast.unparse(node.test)):
            self._bound |= _assigned(node)
        else:
            self.generic_visit(node)

    visit_IfExp = visit_If  # type: ignore[assignment]

    def visit_Try(self, node: ast.Try) -> None:
        caught = {
            name.id
            for handler in node.handlers
            if handler.type is not None
            for name in ast.walk(handler.type)
            if isinstance(name, ast.Name)
        }
        if caught & _MISSING_NAME or any(handler.type is None for handler in node.handlers):
            self._bound |= _assigned(node)
            # What it tries to use, and copes without, tells nothing about the file.
            self._bound |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        else:
            self.generic_visit(node)


def _is_python3(node: ast.AST) -> bool:
    """Whether a file with this in it was written for Python 3, or for both."""
    if isinstance(node, ast.If | ast.IfExp):
        return _PYTHON_TEST.search(ast.unparse(node.test)) is not None
    if isinstance(node, ast.FunctionDef):
        return bool(node.returns or node.args.kwonlyargs)
    if isinstance(node, ast.arg):
        return node.annotation is not None
    if isinstance(node, ast.Raise):
        return node.cause is not None
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__" and any(a.name == "annotations" for a in node.names)
    return isinstance(node, (*_PYTHON_3, ast.YieldFrom))


def _assigned(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
    return names


@functools.cache
def _lib2to3() -> str | None:
    """The package that translates: the standard library's up to Python 3.12, or PyPI's fissix."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("fissix", "lib2to3"):
            try:
                importlib.import_module(f"{name}.refactor")
            except ModuleNotFoundError:
                continue
            return name
    return None


@functools.cache
def _tool(in_package: bool, print_statement: bool) -> Any:
    package = _lib2to3()
    refactor = importlib.import_module(f"{package}.refactor")
    fixers = [
        name
        for name in refactor.get_fixers_from_package(f"{package}.fixes")
        if (in_package or not name.endswith(".fix_import"))
        and (print_statement or not name.endswith(".fix_print"))
    ]
    tool = refactor.RefactoringTool(fixers, {"print_function": not print_statement})
    tool.log_message = tool.log_debug = lambda *args: None
    return tool


def _translate(
    data: bytes, path: str, in_package: bool, print_statement: bool, error: SyntaxError | None
) -> str:
    package = _lib2to3()
    if package is None:
        failure = error or SyntaxError("this is Python 2", (path, 1, 0, ""))
        failure.add_note(
            "If this is Python 2: to translate it, tf1compat needs fissix, which is not "
            "installed. pip install 'tf1compat[py2]'"
        )
        raise failure
    text = _decode(data)
    text = text if text.endswith("\n") else text + "\n"
    parse_errors = (
        importlib.import_module(f"{package}.pgen2.parse").ParseError,
        importlib.import_module(f"{package}.pgen2.tokenize").TokenError,
        IndentationError,
    )
    try:
        translated = str(_tool(in_package, print_statement).refactor_string(text, path))
    except parse_errors:
        if error is None:
            raise
        try:  # Perhaps it has print as a function, for all that it is Python 2.
            translated = str(_tool(in_package, False).refactor_string(text, path))
        except parse_errors:
            raise error from None
    return _expand_indentation(translated, package)


def _decode(data: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):  # Python 2 took any byte in a comment.
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _expand_indentation(text: str, package: str) -> str:
    """Tabs at the start of lines as Python 2 counted them: to the next multiple of eight."""
    if "\t" not in text:
        return text
    pgen = importlib.import_module(f"{package}.pgen2.tokenize")
    inside_strings = set()
    for kind, _, (first, _), (last, _), _ in pgen.generate_tokens(io.StringIO(text).readline):
        if kind == tokenize.STRING:
            inside_strings.update(range(first + 1, last + 1))
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        rest = line.lstrip(" \t")
        if number not in inside_strings:
            lines[number - 1] = line[: len(line) - len(rest)].expandtabs(8) + rest
    return "".join(lines)


class _Loader(SourceFileLoader):
    """Compiles a user's module, without the bytecode cache: that is Python 3's own."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        in_package = self.is_package(fullname) or "." in fullname
        return compile_source(self.get_data(path), path, in_package)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self) -> None:
        # Not when a module is looked for: sysconfig imports one of its own before it can tell.
        self._installed = _installed_folders()

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            origin = spec.origin or ""
            if not os.path.abspath(origin).startswith(self._installed):
                spec.loader = _Loader(fullname, origin)
        return spec


def _installed_folders() -> tuple[str, ...]:
    """Where modules are that are not the user's own."""
    paths = sysconfig.get_paths()
    folders = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders.update(site.getsitepackages(), [site.getusersitepackages()])
    folders.add(os.path.dirname(os.path.abspath(tf1compat.__file__)))
    return tuple(os.path.abspath(folder) + os.sep for folder in folders)


def install() -> None:
    """Translates Python 2 modules that a script imports, unless they are installed ones."""
    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    position = next(
        (i for i, finder in enumerate(sys.meta_path) if finder is PathFinder), len(sys.meta_path)
    )
    sys.meta_path.insert(position, _Finder())
