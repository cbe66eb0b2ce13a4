"""An operation that is to be written, as the tables of operations see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.source_needs import known_value, refuse
from tf1compat.migrate.source_text import ATOM, SUM, Expr, grouped

if TYPE_CHECKING:
    from tf1compat.migrate.source_module import Module


class Several(NamedTuple):
    """A call that gives the first outputs of an operation, as a tuple."""

    text: str
    count: int


Written = Expr | list[Expr] | Several


class Call:
    """An operation that is to be written, and its inputs.

    Args:
      args: the inputs' expressions.
      known: the inputs' values where these are known, else None.
      value_of: gives the expression of any tensor.
    """

    def __init__(
        self,
        op: Operation,
        args: list[Expr],
        known: list[Any],
        module: Module,
        value_of: Callable[[Tensor], Expr],
    ):
        self.op = op
        self.plain = args
        self.known = known
        self.module = module
        self.value_of = value_of

    @property
    def args(self) -> list[Expr]:
        """The inputs' expressions as arrays."""
        return [self._as_array(i) for i in range(len(self.plain))]

    def _as_array(self, index: int) -> Expr:
        expr = self.plain[index]
        if expr.static and self.known[index] is None and self.rank(index) == 1:
            return Expr(f"jnp.array({expr.text})", static=True)
        return expr

    def attr(self, name: str) -> Any:
        return self.op.get_attr(name)

    def rank(self, index: int) -> int:
        shape = self.op._inputs[index]._shape
        if shape is None:
            self.refuse("whose rank is not known")
        return len(shape)

    def value(self, index: int) -> Any:
        """A known input, as Python numbers."""
        if self.known[index] is None:
            self.refuse(f"whose input {index} is computed")
        return np.asarray(self.known[index]).tolist()

    def value_at(self, index: int) -> list[Any]:
        """The numbers of a vector; None for those that are computed."""
        if self.known[index] is not None:
            return self.value(index)
        numbers = [known_value(t) for t in self.op._inputs[index]._op._inputs]
        return [None if number is None else number.item() for number in numbers]

    def axes(self, index: int) -> str:
        axes = self.value(index)
        return str(axes if isinstance(axes, int) else tuple(axes))

    def inside(self, index: int) -> str:
        """An input as an argument of a call."""
        return self._as_array(index).text

    def on(self, index: int, method: str) -> Expr:
        """A method of an input."""
        arg = self._as_array(index)
        if arg.static or (self.known[index] is not None and self.known[index].ndim == 0):
            return Expr(f"jnp.asarray({arg.text}){method}")
        return Expr(f"{grouped(arg, ATOM)}{method}")

    def shape(self, index: int) -> str:
        """An input that is a shape."""
        if self.known[index] is not None:
            value = self.value(index)
            return str(tuple(value) if isinstance(value, list) else value)
        if not self.plain[index].static:
            self.refuse(f"whose input {index} is a shape that is computed")
        return self.plain[index].text

    def static(self, index: int) -> Expr | None:
        """An input that Python knows: a number, or a tuple of them."""
        if self.known[index] is not None:
            value = self.known[index]
            if value.dtype.kind not in "iub" or value.ndim > 1:
                return None
            text = str(value.item() if value.ndim == 0 else tuple(value.tolist()))
            return Expr(text, SUM if text.startswith("-") else ATOM, True)
        return self.plain[index] if self.plain[index].static else None

    def refuse(self, why: str = "") -> NoReturn:
        """Raises CannotWrite."""
        refuse(self.op, why)
