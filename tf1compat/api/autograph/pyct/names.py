"""Which names a piece of code reads, writes, and needs afterwards."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def own_nodes(*roots: ast.AST, comprehensions: bool = True) -> Iterator[ast.AST]:
    """The nodes of some trees, without the insides of functions and classes in them.

    Args:
      roots: the trees.
      comprehensions: whether the insides of comprehensions, which have variables of their own, are
        among them.
    """
    pending = list(reversed(roots))
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, FUNCTIONS):
            pending += [*_defaults(node), *getattr(node, "decorator_list", ())]
        elif isinstance(node, ast.ClassDef):
            pending += [*node.bases, *node.keywords, *node.decorator_list]
        elif comprehensions or not isinstance(node, _COMPREHENSIONS):
            pending += reversed(list(ast.iter_child_nodes(node)))


def _defaults(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.expr]:
    return [*node.args.defaults, *(x for x in node.args.kw_defaults if x is not None)]


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    """The names of a function's parameters."""
    args = node.args
    found = [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    return found + [arg.arg for arg in (args.vararg, args.kwarg) if arg is not None]


def loads(*roots: ast.AST) -> set[str]:
    """The names that are read, in functions inside too where they are not the functions' own."""
    found: set[str] = set()
    for node in own_nodes(*roots, comprehensions=False):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, FUNCTIONS):
            found |= free(node)
        elif isinstance(node, ast.ClassDef):
            found |= loads(*node.body) - stores(*node.body)
        elif isinstance(node, _COMPREHENSIONS):
            # Its variables hide names outside, but for what it goes through first.
            outside, *inside = _evaluated(node)
            targets = [generator.target for generator in node.generators]
            found |= loads(outside) | (loads(*inside, *targets) - stores(*targets))
    return found


def _evaluated(node: Any) -> list[ast.expr]:
    """What a comprehension evaluates: first what it goes through first, in the scope outside."""
    conditions = [test for generator in node.generators for test in generator.ifs]
    results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    return [*(generator.iter for generator in node.generators), *conditions, *results]


def free(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """The names that a function reads or writes and that are not its own."""
    body = function.body if isinstance(function.body, list) else [function.body]
    outside = declared(body)
    return (loads(*body) - stores(*body) - set(parameters(function))) | outside


def declared(body: Sequence[ast.AST], kind: Any = (ast.Global, ast.Nonlocal)) -> set[str]:
    """The names that `global` and `nonlocal` statements list (or those of one `kind`)."""
    nodes: Any = (node for node in own_nodes(*body) if isinstance(node, kind))
    return {name for node in nodes for name in node.names}


def stores(*roots: ast.AST) -> set[str]:
    """The names that are given values."""
    found: set[str] = set()
    for node in own_nodes(*roots, comprehensions=False):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
        elif isinstance(node, _COMPREHENSIONS):
            found |= stores(*_evaluated(node))  # By `:=` alone.
    return found


def composites(*roots: ast.AST) -> dict[str, ast.expr]:
    """The attributes and items that are given values (`a.b`, `a[i]`), by their text, where they
    start from a name."""
    found: dict[str, ast.expr] = {}
    for node in own_nodes(*roots):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            if _base(node) is not None:
                found[ast.unparse(node)] = node
    return found


def _base(node: ast.expr) -> str | None:
    """The name that a chain of attributes and simple items starts from; None if there is none."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return _base(node.value)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.Constant):
        return _base(node.value)
    return None


def captured(body: Sequence[ast.stmt]) -> set[str]:
    """The names that functions inside may read whenever they are called."""
    found: set[str] = set()
    for node in own_nodes(*body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found |= free(node)
        elif isinstance(node, ast.ClassDef):
            found |= loads(*node.body) - stores(*node.body)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            found |= free(node.value)
    return found


class Liveness:
    """Which names are read after each statement, in code without break, continue and return.

    Args:
      body: the statements of a function.
      at_end: the names that are read after them.

    Attributes:
      after: id of a statement -> the names read after it.
      at_test: id of a loop -> the names read when its test is evaluated, or its next turn begins.
    """

    def __init__(self, body: Sequence[ast.stmt], at_end: set[str]):
        self.after: dict[int, set[str]] = {}
        self.at_test: dict[int, set[str]] = {}
        self._block(body, set(at_end))

    def _block(self, body: Sequence[ast.stmt], live: set[str]) -> set[str]:
        for statement in reversed(body):
            self.after[id(statement)] = live
            live = self._statement(statement, live)
        return live

    def _statement(self, s: ast.stmt, live: set[str]) -> set[str]:
        if isinstance(s, ast.If):
            return loads(s.test) | self._block(s.body, live) | self._block(s.orelse, live)
        if isinstance(s, ast.While):
            return self._loop(s, live, loads(s.test), set())
        if isinstance(s, ast.For | ast.AsyncFor):
            turn = self._loop(s, live, loads(*test_of(s)), stores(s.target))
            return turn | loads(s.iter)
        if isinstance(s, ast.With | ast.AsyncWith):
            inner = self._block(s.body, live) - stores(*s.items)
            return inner | loads(*s.items)
        if isinstance(s, ast.Try) or type(s).__name__ == "TryStar":
            assert isinstance(s, ast.Try)
            live = self._block(s.finalbody, live) | live
            handlers: set[str] = set()
            for handler in s.handlers:
                inner = self._block(handler.body, live) - {handler.name or ""}
                handlers |= inner | (loads(handler.type) if handler.type else set())
            after_body = self._block(s.orelse, live) | handlers
            return self._block(s.body, after_body) | handlers
        if isinstance(s, ast.Match):
            found = set(live)
            for case in s.cases:
                found |= self._block(case.body, live) - stores(case.pattern)
                found |= loads(case.pattern, *([case.guard] if case.guard else []))
            return found | loads(s.subject)
        return (live - stores(s)) | loads(s)

    def _loop(
        self, s: ast.While | ast.For | ast.AsyncFor, live: set[str], test: set[str],
        targets: set[str],
    ) -> set[str]:  # fmt: skip
        live = live | self._block(s.orelse, live)
        turn = live | test
        while True:
            again = turn | (self._block(s.body, turn) - targets)
            if again == turn:
                break
            turn = again
        self.at_test[id(s)] = turn
        return turn


def test_of(loop: ast.AST) -> list[ast.expr]:
    """The further condition of a `for` loop, if lowering gave it one."""
    test = getattr(loop, "further_test", None)
    return [] if test is None else [test]
