"""`assert` as a call of AutoGraph's operator."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.pyct import syntax, templates


class AssertTransformer(entities.Base):
    """Makes `ag__.assert_stmt(test, lambda: message)` of `assert test, message`."""

    def visit_Assert(self, node: Any) -> Any:
        """Makes the call.

        Args:
          node: the statement.

        Returns:
          The statements in its place.

        Raises:
          NotImplementedError: the message is no literal string.
        """
        node = self.generic_visit(node)
        message = syntax.literal("Assertion error") if node.msg is None else node.msg
        if not syntax.is_literal(message, str):
            raise NotImplementedError("can only convert string messages for now.")
        call = "ag__.assert_stmt(test, lambda: message)"
        return templates.replace(call, test=node.test, message=message)


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites the `assert` statements of a tree.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return AssertTransformer(ctx).visit(node)
