"""Python 2 sources: recognised, translated on the fly with lib2to3, and said so in one line."""

from __future__ import annotations

import ast
import difflib
import functools
import importlib
import io
import re
import tokenize
import warnings
from typing import Any

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
# six.PY2, and what people call their own: is_py2, PY3K, IS_PYTHON3.
_PYTHON_NAME = r"\b_*(?:is_?)?py(?:thon)?_?[23]k?\b"
_VERSION_TEST = re.compile(rf"version|{_PYTHON_NAME}", re.IGNORECASE)
# What lib2to3 translates.  The rest of what it could do, py2/ gives to translated sources at run
# time, or is a matter of taste.
_FIXERS: frozenset[str] = frozenset(
    (
        "asserts",
        "dict",
        "except",
        "exec",
        "exitfunc",
        "funcattrs",
        "future",
        "has_key",
        "isinstance",
    )
    + ("metaclass", "methodattrs", "ne", "next", "nonzero", "numliterals", "paren", "raise")
    + ("renames", "repr", "sys_exc", "throw", "tuple_params", "types", "unicode", "xreadlines")
)
# Who asks for this has written for both.
_PYTHON_TEST = re.compile(
    rf"{_PYTHON_NAME}|version_info|python_version|hexversion|\bsys\.version\b", re.IGNORECASE
)
_PYTHON_3 = (ast.AnnAssign, ast.AsyncFunctionDef, ast.JoinedStr, ast.MatMult, ast.Nonlocal)
_MISSING_NAME = {"AttributeError", "Exception", "ImportError", "ModuleNotFoundError", "NameError"}


def parse(
    data: bytes, path: str, in_package: bool = False, assume: bool = False
) -> tuple[ast.Module, bool]:
    """The syntax tree of a source file, and whether it was translated from Python 2.

    Args:
      data: the file's contents.
      path: its name, for messages.
      in_package: whether `import x` may mean a module beside it.
      assume: whether a file that could be of either Python is of Python 2.

    Raises:
      SyntaxError: it is neither Python 3 nor Python 2, as Python 3 sees it.
    """
    try:
        tree = _tree(data, path)
    except SyntaxError as error:
        renamed = _rename_new_keywords(data)
        if renamed != data:
            try:
                return parse(renamed, path, in_package, assume)
            except SyntaxError:
                raise error from None
        text = _translate(data, path, in_package, print_statement=True, error=error)
        try:
            tree = _tree(text, path)
        except SyntaxError:
            raise error from None
    else:
        if not _Python2Marks().found_in(tree, assume):
            return tree, False
        text = _translate(data, path, in_package, print_statement=False, error=None)
        tree = _tree(text, path)
    _restore_lines(tree, _decode(data), text)
    return tree, True


def _tree(source: bytes | str, path: str) -> ast.Module:
    # Not by ast.parse, whose frame would be in the traceback of a SyntaxError.
    tree = compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    return tree


def _rename_new_keywords(data: bytes) -> bytes:
    """A source in which `async` and `await` are names, as they were until Python 3.6, with others:
    `async_`, `await_`."""
    if not re.search(rb"\b(async|await)\b", data) or re.search(rb"\basync[ \t]+def\b", data):
        return data
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        lines = data.decode(encoding).splitlines(keepends=True)
        tokens = list(tokenize.tokenize(io.BytesIO(data).readline))
    except (SyntaxError, UnicodeError, tokenize.TokenError):
        return data
    for token in reversed(tokens):
        if token.type == tokenize.NAME and token.string in ("async", "await"):
            row, end = token.end
            lines[row - 1] = f"{lines[row - 1][:end]}_{lines[row - 1][end:]}"
    return "".join(lines).encode(encoding)


def has_future(data: bytes, feature: str) -> bool:
    """Whether a source says `from __future__ import feature`."""
    imports = re.findall(rb"from\s+__future__\s+import\s*(\([^)]*\)|[^\n]*)", data)
    return any(re.search(rb"\b%b\b" % feature.encode(), names) for names in imports)


def _restore_lines(tree: ast.Module, before: str, after: str) -> None:
    """Gives the nodes of a translated source the line numbers that it had before."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) == len(new):
        lines = list(range(len(new) + 1))
    else:
        lines = _origins(old, new)
    for node in ast.walk(tree):
        first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if first is None or last is None:
            continue
        node.lineno, node.end_lineno = lines[first], lines[last]  # type: ignore[attr-defined]
        if any(new[i - 1] != old[lines[i] - 1] for i in (first, last)):
            # The columns are others: tracebacks had better show none.
            node.col_offset = node.end_col_offset = -1  # type: ignore[attr-defined]


def _origins(old: list[str], new: list[str]) -> list[int]:
    """For the number of each new line (from 1) that of the old line that it was made of."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    lines = [0]
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        for i in range(new_end - new_start):
            lines.append(max(1, min(start + 1 + i, end, len(old))))
    return lines


class _Python2Marks(ast.NodeVisitor):
    """Looks for what only Python 2 has, in a file that has nothing of Python 3."""

    def found_in(self, tree: ast.AST, assume: bool) -> bool:
        if any(_is_python3(node) for node in ast.walk(tree)):
            return False
        if assume:
            return True
        self._methods = dict(_METHODS)
        if any(_imports_pandas(node) for node in ast.walk(tree)):
            del self._methods["iteritems"]  # DataFrames had it on Python 3.
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):  # a method of a class of its own
                self._methods.pop(node.name, None)
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
            count = self._methods.get(function.attr)
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


def _imports_pandas(node: ast.AST) -> bool:
    return isinstance(node, ast.Import) and any(alias.name == "pandas" for alias in node.names)


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
    wanted: set[str] = set(_FIXERS)
    if in_package:
        wanted.add("import")
    if print_statement:
        wanted.add("print")
    fixers = [f"{package}.fixes.fix_{name}" for name in sorted(wanted)]
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
