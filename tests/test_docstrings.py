"""What TF exports says what it takes and what it gives.

The docstring of an exported function or class has `Args:` where there are parameters, and names
each of them or says where they are explained. A class may leave it to its `__init__`, or to the
class that it derives from in its file. A function that gives something has `Returns:` or `Yields:`,
unless it takes nothing, so that its summary and its annotation tell all of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parent.parent / "tf1compat"
# Other docstrings that have the rest: "see `X`", "as in `X`", "see this module", "those of `X`".
ELSEWHERE = re.compile(
    r"(?:[Ss]ee|as in|as of|those of|as for)\s+(?:the\s+\w+\s+)?(?:`|this module|there|TF)"
)


def exported(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if any("tf_export" in ast.unparse(d) for d in node.decorator_list):
                yield node


def parameters(function: ast.FunctionDef) -> list[str]:
    """The names that users give: neither `*args` and `**kwargs`, nor what begins with "_"."""
    args = function.args
    names = [arg.arg for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs]]
    return [name for name in names if name not in ("self", "cls") and name[0] != "_"]


def bases(node: ast.FunctionDef | ast.ClassDef, tree: ast.Module) -> str:
    """The docstrings of the classes of the same file that a class derives from."""
    names = {ast.unparse(base) for base in node.bases} if isinstance(node, ast.ClassDef) else ()
    classes = [c for c in tree.body if isinstance(c, ast.ClassDef) and c.name in names]
    return "".join(ast.get_docstring(c) or "" for c in classes)


def unexplained(node: ast.FunctionDef | ast.ClassDef, inherited: str = "") -> list[str]:
    """The parameters of which a docstring says nothing, nor those that it inherits."""
    function, text = node, inherited + (ast.get_docstring(node) or "")
    if isinstance(node, ast.ClassDef):
        assigned = [s for s in node.body if isinstance(s, ast.Assign)]
        statements = {ast.unparse(s.targets[0]) for s in assigned}
        own = [s for s in node.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"]
        if not own or statements & {"__doc__", "__init__.__doc__"}:
            return []
        function, text = own[0], text + (ast.get_docstring(own[0]) or "")
    names = parameters(function)
    if "Args:" not in text:
        return names
    if ELSEWHERE.search(" ".join(text.split())):
        return []
    return [name for name in names if not re.search(rf"\b{name}\b", text)]


def own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions and classes in it."""
    inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, inner):
            waiting += ast.iter_child_nodes(node)


def gives_something(function: ast.FunctionDef) -> bool:
    """Whether a value is returned or yielded; `None` is none."""
    gives = ast.Return | ast.Yield | ast.YieldFrom
    values = [node.value for node in own(function) if isinstance(node, gives)]
    return any(value is not None and ast.unparse(value) != "None" for value in values)


def hides_its_result(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether a function's docstring doesn't say what it gives."""
    if isinstance(node, ast.ClassDef) or not gives_something(node):
        return False
    if re.search("^(Returns|Yields)[^:]*:", ast.get_docstring(node) or "", re.MULTILINE):
        return False
    annotation = node.returns and ast.unparse(node.returns)
    return bool(node.args.args or node.args.kwonlyargs) or annotation in (None, "Any")


@pytest.fixture(scope="module")
def silent() -> tuple[dict[str, list[str]], list[str]]:
    """What exported names don't explain: {name: parameters}, and functions that hide what they
    give.
    """
    parameters, results = {}, []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        tree = ast.parse(text if "tf_export" in text else "")
        for node in exported(tree):
            name = f"{path.relative_to(PACKAGE)}: {node.name}"
            if names := unexplained(node, bases(node, tree)):
                parameters[name] = names
            if hides_its_result(node):
                results.append(name)
    return parameters, results


def test_exported_names_explain_their_parameters(silent: Any) -> None:
    assert silent[0] == {}


def test_exported_functions_say_what_they_give(silent: Any) -> None:
    assert silent[1] == []


def test_a_parameter_without_a_word_is_found() -> None:
    source = '@tf_export("f")\ndef f(x, y):\n    """Adds.\n\n    Args:\n      x: a number.\n"""'
    (node,) = exported(ast.parse(source))
    assert unexplained(node) == ["y"]
    (node,) = exported(ast.parse(source.replace("x: a", "x: see `g`; a")))
    assert unexplained(node) == []
    (node,) = exported(ast.parse(source.replace("Args:", "Then:")))
    assert unexplained(node) == ["x", "y"]
    assert unexplained(node, "Args:\n  x: a number.") == ["y"]


def test_a_result_without_a_word_is_found() -> None:
    source = '@tf_export("f")\ndef f(x):\n    """Adds.\n\n    Args:\n      x: a number.\n    """\n'

    def hides(text: str) -> bool:
        (node,) = exported(ast.parse(text))
        return hides_its_result(node)

    returning = source + "    return x"
    assert hides(returning)
    assert not hides(returning.replace("Args:", "Returns:"))
    assert not hides(source + "    return None")
    assert not hides(source + "    def g():\n        return x")
    assert hides(source + "    yield x") and not hides(source + "    yield")
    assert hides(returning.replace("(x)", "() -> Any"))
    assert not hides(returning.replace("(x)", "() -> int"))
