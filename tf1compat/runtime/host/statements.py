"""What a program's source is made of: statements, what their names stand for, and how they are
written as lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.core import op_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor

_FOLD_ELEMENTS = 4096


class NotOnHost(Exception):
    """The host tier cannot run a program; says why."""


class Statement:
    """Lines that belong together: an operation, a loop.

    Attributes:
      guard: the flag under which they run; None if always.
      lines: (indentation, text, operation) of each.
      uses, makes: names of values.
      writes: whether they write a variable.
    """

    def __init__(self, guard: str | None):
        self.guard = guard
        self.lines: list[tuple[int, str, Any]] = []
        self.uses: set[str] = set()
        self.makes: set[str] = set()
        self.writes = False

    def drop(self) -> None:
        """Has nothing done: nobody needs what it makes."""
        self.lines, self.uses, self.makes = [], set(), set()


class Reference:
    """A variable as an input of an operation: what a `HostRef` is made from."""

    def __init__(self, key: Any, tensor: Tensor, slots: tuple[int, ...], target: Any, op: Any):
        self._of = (key, tensor, slots, target, op)
        self.key = key
        self.tensor = tensor
        self.slots = slots
        self.target = target
        self.is_last = False

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What `HostRef` takes."""
        return (*self._of, self.is_last)


class Service:
    """The `ctx` of an operation: what a `Context` is made from.

    Attributes:
      op: the operation.
      notes: whether the operation is sure to run, and once.
    """

    def __init__(self, op: Operation, notes: bool):
        self.op = op
        self.notes = notes


def written(statements: Sequence[Statement], lines: list[str]) -> dict[int, Any]:
    """Adds statements to lines: those of one flag under one `if`, each value let go after its last
    use.

    Args:
      statements: in order; those without lines are passed over.
      lines: the lines before them, to which theirs are added.

    Returns:
      line -> the operation that stands there.
    """
    ops_at: dict[int, Any] = {}
    last: dict[str, int] = {}
    statements = [statement for statement in statements if statement.lines]
    for i, statement in enumerate(statements):
        for name in statement.uses | statement.makes:
            if name[0] == "t":
                last[name] = i
    ending: dict[int, list[str]] = {}
    for name, i in last.items():
        ending.setdefault(i, []).append(name)
    guard: str | None = None
    over: list[str] = []
    for i, statement in enumerate(statements):
        if statement.guard != guard:
            if over:
                lines.append(f"    {' = '.join(over)} = None")
                over = []
            guard = statement.guard
            if guard is not None:
                lines.append(f"    if {guard}:")
        base = 1 if guard is None else 2
        if over and statement.writes:
            # Views of the variable that nobody needs must not keep it from being changed.
            lines.append(f"{'    ' * base}{' = '.join(over)} = None")
            over = []
        for indent, text, op in statement.lines:
            lines.append("    " * (base + indent) + text)
            if op is not None:
                ops_at[len(lines)] = op
        if i + 1 < len(statements):
            over += ending.get(i, [])
            if guard is None and len(over) > 7:
                lines.append(f"    {' = '.join(over)} = None")
                over = []
    return ops_at


def given_keywords(rule: op_registry.Rule, op: Any) -> dict[str, Any]:
    """What a rule asks for by name, the `ctx` left out."""
    keywords = dict(rule.keywords(op._attrs)) if rule.attrs else {}
    if "op" in rule.services:
        keywords["op"] = op
    return keywords


def is_small(shape: tuple[int | None, ...] | None) -> bool:
    """Whether values of a static shape may be worked out while a program is written."""
    if shape is None:
        return True
    size = 1
    for dim in shape:
        size *= dim or 1
    return size <= _FOLD_ELEMENTS
