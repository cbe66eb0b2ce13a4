"""`continue` as a flag that passes over the rest of the loop's body."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.converters import jumps
from tf1compat.api.autograph.pyct import anno, templates
from tf1compat.api.autograph.pyct.static_analysis.annos import NodeAnno


class _Continue:
    """A loop: the name of its flag, and whether it is used."""

    def __init__(self) -> None:
        self.used = False
        self.flag = ""

    def __repr__(self) -> str:
        return f"used: {self.used}, var: {self.flag}"


class ContinueCanonicalizationTransformer(jumps.JumpTransformer):
    """Makes `continue_ = True` of `continue`."""

    def visit_Continue(self, node: Any) -> Any:
        """Sets the loop's flag."""
        loop = self.state[_Continue].value
        loop.used = self.jumped = True
        made = templates.replace("flag = True", flag=loop.flag)
        anno.copyanno(node, made[0], anno.Basic.ORIGIN)
        return made

    def _loop(self, node: Any) -> Any:
        scope = anno.getanno(node, NodeAnno.BODY_SCOPE)
        jumped = self.jumped
        with self.state[_Continue] as stack:
            loop = stack.value
            loop.flag = self.ctx.namer.new_symbol("continue_", scope.referenced)
            node.body = self.guarded(node.body, loop.flag)
            if loop.used:
                node.body = templates.replace("flag = False", flag=loop.flag) + node.body
        self.jumped = jumped
        node.orelse = self._block(node.orelse)
        return node

    visit_While = visit_For = _loop

    def _block(self, nodes: Any) -> Any:
        loops = self.state[_Continue]
        if not loops.level:
            return self.visit_block(nodes)
        return self.guarded(nodes, loops.value.flag)

    def visit_If(self, node: Any) -> Any:
        """Rewrites the blocks."""
        node.body = self._block(node.body)
        node.orelse = self._block(node.orelse)
        return node

    def visit_With(self, node: Any) -> Any:
        """Rewrites the block."""
        node.body = self._block(node.body)
        return node

    def visit_Try(self, node: Any) -> Any:
        """Rewrites the blocks."""
        for field in ("body", "orelse", "finalbody"):
            setattr(node, field, self._block(getattr(node, field)))
        node.handlers = self.visit_block(node.handlers)
        return node

    def visit_ExceptHandler(self, node: Any) -> Any:
        """Rewrites the block."""
        node.body = self._block(node.body)
        return node


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites the `continue` statements of a tree.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return ContinueCanonicalizationTransformer(ctx).visit(node)
