"""`a if test else b` as a call of AutoGraph's operator."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.pyct import templates

_CALL = "ag__.if_stmt(test, lambda: first, lambda: second, lambda: (), lambda _: None)"


class ConditionalExpressionTransformer(entities.Base):
    """Makes calls of `ag__.if_stmt` of conditional expressions."""

    def visit_IfExp(self, node: Any) -> Any:
        """Makes the call."""
        node = self.generic_visit(node)
        return templates.replace_as_expression(
            _CALL, test=node.test, first=node.body, second=node.orelse
        )


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites the conditional expressions of a tree.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return ConditionalExpressionTransformer(ctx).visit(node)
