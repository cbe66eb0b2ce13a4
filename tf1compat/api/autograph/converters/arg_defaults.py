"""Defaults of parameters as None: whoever loads the code sets those of the function it is of."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.pyct import syntax


class ArgDefaultsTransformer(entities.Base):
    """Takes the defaults of the outermost functions out."""

    def _function(self, node: Any) -> Any:
        """Does not look into the function's body."""
        args = node.args
        args.defaults = [syntax.literal(None) for _ in args.defaults]
        args.kw_defaults = [
            None if default is None else syntax.literal(None) for default in args.kw_defaults
        ]
        return node

    visit_FunctionDef = visit_Lambda = _function


def transform(node: Any, ctx: Any) -> Any:
    """Takes the defaults of a tree's outermost functions out.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return ArgDefaultsTransformer(ctx).visit(node)
