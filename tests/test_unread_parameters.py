"""No argument of a public function is dropped in silence.

A function that never reads one of its parameters is listed in `unread_parameters.tsv`, with the
reason why no user misses it: mostly that TensorFlow 1.15's function does not read it either.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "tf1compat"
LISTED = Path(__file__).with_suffix("").with_name("unread_parameters.tsv")


def listed() -> dict[tuple[str, ...], str]:
    """(file, function, parameter) -> the reason."""
    lines = LISTED.read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {tuple(row[:3]): row[3] for row in rows}


def unread(folder: str) -> set[tuple[str, ...]]:
    """The parameters that public functions of `api`, or rules of `kernels`, never read."""
    found = set()
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = str(path.relative_to(ROOT))
        for place, function in functions(ast.parse(path.read_text()), ()):
            for parameter in unread_by(function, only_keywords=folder == "kernels"):
                found.add((name, ".".join(place), parameter))
    return found


def functions(node: ast.AST, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ast.AST]]:
    """The public functions and methods below a module or class, with their names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef) and not child.name.startswith("_"):
            yield from functions(child, (*place, child.name))
        elif isinstance(child, ast.FunctionDef):
            if not child.name.startswith("_") or child.name in ("__init__", "__call__"):
                yield (*place, child.name), child


def unread_by(function: ast.FunctionDef, only_keywords: bool) -> list[str]:
    """The parameters that a function's body never reads; none if it does no more than raise.

    The positional parameters of a kernel's rule are those of the op's inputs, whether it needs them
    or not, and of a hook the hook's: there only the keywords are looked at.
    """
    statements = [
        s
        for s in function.body
        if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
    ]
    if all(isinstance(s, ast.Pass | ast.Raise) for s in statements):
        return []
    names = [node for s in statements for node in ast.walk(s) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    if read & {"locals", "vars"}:
        return []
    arguments = function.args
    parameters = list(arguments.kwonlyargs)
    if not only_keywords:
        parameters += [*arguments.posonlyargs, *arguments.args]
        parameters += [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    known = {"self", "cls", *read}
    return [a.arg for a in parameters if a.arg not in known and not a.arg.startswith("_")]


@pytest.mark.parametrize("folder", ["api", "kernels"])
def test_what_is_not_read_is_listed(folder):
    expected = {row for row in listed() if row[0].startswith(f"{folder}/")}
    found = unread(folder)
    assert sorted(found - expected) == [], "read it, refuse it, or list it with the reason"
    assert sorted(expected - found) == [], "listed, but read (or gone)"


def test_every_row_has_a_reason():
    assert all(listed().values())


def test_the_scan_finds_what_is_dropped():
    source = "def f(a, b, *args, c=1, _d=2, **kwargs):\n    'doc'\n    del b\n    return a + c\n"
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert unread_by(function, only_keywords=False) == ["b", "args", "kwargs"]
    assert unread_by(function, only_keywords=True) == []
