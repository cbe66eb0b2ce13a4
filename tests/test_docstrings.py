"""What TF exports says what it takes.

The docstring of an exported function or class has `Args:` where there are parameters, and names
each of them or says where they are explained. A class may leave it to its `__init__`, or to the
class that it derives from in its file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

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


def test_exported_names_explain_their_parameters() -> None:
    found = {
        f"{path.relative_to(PACKAGE)}: {node.name}": names
        for path in sorted(PACKAGE.rglob("*.py"))
        for tree in [ast.parse(path.read_text())]
        for node in exported(tree)
        if (names := unexplained(node, bases(node, tree)))
    }
    assert found == {}


def test_a_parameter_without_a_word_is_found() -> None:
    source = '@tf_export("f")\ndef f(x, y):\n    """Adds.\n\n    Args:\n      x: a number.\n"""'
    (node,) = exported(ast.parse(source))
    assert unexplained(node) == ["y"]
    (node,) = exported(ast.parse(source.replace("x: a", "x: see `g`; a")))
    assert unexplained(node) == []
    (node,) = exported(ast.parse(source.replace("Args:", "Then:")))
    assert unexplained(node) == ["x", "y"]
    assert unexplained(node, "Args:\n  x: a number.") == ["y"]
