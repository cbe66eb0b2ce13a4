"""`and`, `or`, `not` and, if asked for, comparisons as calls of AutoGraph's operators."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.core.converter import Feature
from tf1compat.api.autograph.pyct import templates
from tf1compat.api.autograph.pyct.syntax import gast

# Notes an operand that may be worked out whether or not the other one decides.
SAFE_BOOLEAN_OPERAND = "SAFE_BOOLEAN_OPERAND"

LOGICAL_OPERATORS = {gast.And: "ag__.and_", gast.Not: "ag__.not_", gast.Or: "ag__.or_"}
EQUALITY_OPERATORS = {gast.Eq: "ag__.eq", gast.NotEq: "ag__.not_eq"}


def _lazily(operator: str, first: Any, second: Any) -> Any:
    """The call of `ag__.and_` or `ag__.or_` of two expressions."""
    return templates.replace_as_expression(
        f"{operator}(lambda: first, lambda: second)", first=first, second=second
    )


class LogicalExpressionTransformer(entities.Base):
    """Makes calls of logical expressions."""

    def visit_BoolOp(self, node: Any) -> Any:
        """Makes calls of two operands each: the first, and the rest."""
        node = self.generic_visit(node)
        *before, last = node.values
        operator = LOGICAL_OPERATORS[type(node.op)]
        return functools.reduce(lambda rest, x: _lazily(operator, x, rest), before[::-1], last)

    def visit_UnaryOp(self, node: Any) -> Any:
        """Makes a call of `not`."""
        node = self.generic_visit(node)
        operator = LOGICAL_OPERATORS.get(type(node.op))
        if operator is None:
            return node
        return templates.replace_as_expression(f"{operator}(operand)", operand=node.operand)

    def visit_Compare(self, node: Any) -> Any:
        """Makes calls of `==` and `!=`; of several comparisons their conjunction."""
        node = self.generic_visit(node)
        if not self.ctx.program.options.uses(Feature.EQUALITY_OPERATORS):
            return node
        operands = [node.left, *node.comparators]
        pairs = [
            self._compared(op, a, b)
            for op, a, b in zip(node.ops, operands, operands[1:], strict=False)
        ]
        return functools.reduce(lambda a, b: _lazily("ag__.and_", a, b), pairs)

    def _compared(self, op: Any, first: Any, second: Any) -> Any:
        operator = EQUALITY_OPERATORS.get(type(op))
        if operator is None:
            return gast.Compare(left=first, ops=[op], comparators=[second])
        return templates.replace_as_expression(
            f"{operator}(first, second)", first=first, second=second
        )


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites the logical expressions of a tree.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return LogicalExpressionTransformer(ctx).visit(node)
