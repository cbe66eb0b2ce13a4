"""`return`, `break` and `continue` as flags, and what must not run after them under these flags.

while test:                      broken = False
    if x:                        while test and not broken:
        break            ->          skipped = False
    rest                             if x:
                                         broken = True
                                         skipped = True
                                     if not skipped:
                                         rest
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

_LOOPS = (ast.While, ast.For)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def assign(name: str, value: ast.expr, like: ast.AST) -> ast.stmt:
    """The statement `name = value`, at the place of another node."""
    target = ast.Name(name, ast.Store())
    return ast.fix_missing_locations(ast.copy_location(ast.Assign([target], value), like))


def constant(name: str, value: Any, like: ast.AST) -> ast.stmt:
    """The statement `name = value` for a plain value."""
    return assign(name, ast.Constant(value), like)


def negated(name: str, like: ast.AST) -> ast.expr:
    """The expression `not name`."""
    node = ast.UnaryOp(ast.Not(), ast.Name(name, ast.Load()))
    return ast.fix_missing_locations(ast.copy_location(node, like))


def _both(first: ast.expr, second: ast.expr) -> ast.expr:
    node = ast.BoolOp(ast.And(), [first, second])
    return ast.fix_missing_locations(ast.copy_location(node, first))


def has(nodes: Sequence[ast.AST], kind: type, stop: tuple[type, ...] = ()) -> bool:
    """Whether there is a statement of a kind, not inside of functions, classes or `stop`."""
    for node in nodes:
        if isinstance(node, kind):
            return True
        if not isinstance(node, (*_SCOPES, *stop)):
            if has(list(ast.iter_child_nodes(node)), kind, stop):
                return True
    return False


def _blocks(statement: ast.stmt) -> list[str]:
    names = ("body", "orelse", "finalbody")
    return [name for name in names if isinstance(getattr(statement, name, None), list)]


def _inside(statement: ast.stmt, lowered: Callable[[list[ast.stmt]], list[ast.stmt]]) -> None:
    """Lowers the blocks of a compound statement."""
    if isinstance(statement, _SCOPES):
        return
    for name in _blocks(statement):
        setattr(statement, name, lowered(getattr(statement, name)))
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        part.body = lowered(part.body)


def drop_loop_else(nodes: Sequence[ast.AST]) -> None:
    """Takes away the `else` of loops, not inside of functions or classes: TF 1.15 drops it, so that
    nothing of it ever runs."""
    for node in nodes:
        if isinstance(node, _LOOPS):
            node.orelse = []
        if not isinstance(node, _SCOPES):
            drop_loop_else(list(ast.iter_child_nodes(node)))


def _guarded(flag: str, rest: list[ast.stmt]) -> list[ast.stmt]:
    if not rest:
        return []
    node = ast.If(negated(flag, rest[0]), rest, [])
    return [ast.copy_location(node, rest[0])]


def _further(loop: ast.stmt, test: ast.expr) -> None:
    """Has a loop go on only while something else holds too."""
    if isinstance(loop, ast.While):
        loop.test = test
    else:
        loop.further_test = test  # pyright: ignore[reportAttributeAccessIssue]


# Returns.


def lower_returns(body: list[ast.stmt], done: str, value: str, mark: Any) -> list[ast.stmt]:
    """Statements without `return`.

    Args:
      body: the statements of a function.
      done: the flag that says that the function has returned.
      value: the variable of the value.
      mark: makes the expression of a returned value of the one that is written.
    """

    def block(statements: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for i, statement in enumerate(statements):
            rest = statements[i + 1 :]
            if isinstance(statement, ast.Return):
                found.append(constant(done, True, statement))
                plain = ast.copy_location(ast.Constant(None), statement)
                given = plain if statement.value is None else mark(statement.value)
                return [*found, assign(value, given, statement)]
            if not has([statement], ast.Return):
                found.append(statement)
                continue
            _inside(statement, block)
            if isinstance(statement, ast.While):
                _further(statement, _both(negated(done, statement.test), statement.test))
            elif isinstance(statement, ast.For):
                _further(statement, negated(done, statement))
            return [*found, statement, *_guarded(done, block(rest))]
        return found

    return block(_moved(body))


def _moved(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements where what follows a branch that always returns is in the other branch."""
    for i, statement in enumerate(body):
        _inside(statement, _moved)
        if isinstance(statement, ast.If) and body[i + 1 :]:
            if _always_returns(statement.body):
                statement.orelse += _moved(body[i + 1 :])
                return body[: i + 1]
            if _always_returns(statement.orelse):
                statement.body += _moved(body[i + 1 :])
                return body[: i + 1]
    return body


def _always_returns(body: Sequence[ast.stmt]) -> bool:
    for statement in body:
        if isinstance(statement, ast.Return):
            return True
        if isinstance(statement, ast.If) and statement.orelse:
            if _always_returns(statement.body) and _always_returns(statement.orelse):
                return True
        if isinstance(statement, ast.With) and _always_returns(statement.body):
            return True
    return False


# Loops.


def lower_loops(body: list[ast.stmt], fresh: Callable[[str], str]) -> list[ast.stmt]:
    """Statements without `break` and `continue`; `fresh` makes names of flags."""
    return _continues(_breaks(body, fresh), fresh)


def _breaks(body: list[ast.stmt], fresh: Callable[[str], str]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in body:
        _inside(statement, lambda inner: _breaks(inner, fresh))
        if isinstance(statement, _LOOPS) and has(statement.body, ast.Break, _LOOPS):
            flag = fresh("break_")
            statement.body = _instead_of_break(statement.body, flag)
            found.append(constant(flag, False, statement))
            if isinstance(statement, ast.While):
                _further(statement, _both(statement.test, negated(flag, statement.test)))
            else:
                before = getattr(statement, "further_test", None)
                own = negated(flag, statement)
                _further(statement, own if before is None else _both(before, own))
        found.append(statement)
    return found


def _instead_of_break(body: list[ast.stmt], flag: str) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.Break):
            found.append(constant(flag, True, statement))
            found.append(ast.copy_location(ast.Continue(), statement))
            return found
        if not isinstance(statement, _LOOPS):
            _inside(statement, lambda inner: _instead_of_break(inner, flag))
        found.append(statement)
    return found


def _continues(body: list[ast.stmt], fresh: Callable[[str], str]) -> list[ast.stmt]:
    for statement in body:
        _inside(statement, lambda inner: _continues(inner, fresh))
        if isinstance(statement, _LOOPS) and has(statement.body, ast.Continue, _LOOPS):
            flag = fresh("continue_")
            lowered = _instead_of_continue(statement.body, flag)
            statement.body = [constant(flag, False, statement), *lowered]
    return body


def _instead_of_continue(body: list[ast.stmt], flag: str) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for i, statement in enumerate(body):
        if isinstance(statement, ast.Continue):
            return [*found, constant(flag, True, statement)]
        found.append(statement)
        if has([statement], ast.Continue, _LOOPS):
            _inside(statement, lambda inner: _instead_of_continue(inner, flag))
            return found + _guarded(flag, _instead_of_continue(body[i + 1 :], flag))
    return found
