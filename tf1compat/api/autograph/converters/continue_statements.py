"""`continue` as a flag that passes over the rest of the loop's body."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.converters import jumps
from tf1compat.api.autograph.pyct import anno, templates
from tf1compat.api.autograph.pyct.static_analysis.annos import NodeAnno


class _Continue(jumps.LoopFlag):
    """A loop with its flag."""


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


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites the `continue` statements of a tree.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return ContinueCanonicalizationTransformer(ctx).visit(node)
