"""`break` as a flag that ends the loop."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.converters import jumps
from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.pyct import anno, templates
from tf1compat.api.autograph.pyct.static_analysis.annos import NodeAnno


class _Break(jumps.LoopFlag):
    """A loop with its flag."""


class BreakTransformer(entities.Base):
    """Makes `break_ = True; continue` of `break`."""

    def visit_Break(self, node: Any) -> Any:
        """Sets the loop's flag."""
        loop = self.state[_Break].value
        loop.used = True
        made = templates.replace(
            """
            flag = True
            continue
            """,
            flag=loop.flag,
        )
        for item in made:
            anno.copyanno(node, item, anno.Basic.ORIGIN)
        return made

    def _loop(self, node: Any) -> Any:
        scope = anno.getanno(node, NodeAnno.BODY_SCOPE)
        with self.state[_Break] as stack:
            loop = stack.value
            loop.flag = self.ctx.namer.new_symbol("break_", scope.referenced)
            node.body = self.visit_block(node.body)
        node.orelse = self.visit_block(node.orelse)
        if not loop.used:
            return node
        if node.orelse:
            orelse = templates.replace(
                """
                if ag__.not_(flag):
                  orelse
                """,
                flag=loop.flag,
                orelse=node.orelse,
            )
            node.orelse = orelse
        if not hasattr(node, "test"):
            # Read in the body, it is one of the variables that the loop carries.
            node.body = templates.replace("flag,", flag=loop.flag) + node.body
        jumps.also(node, jumps.not_set(loop.flag), first=False)
        return [*templates.replace("flag = False", flag=loop.flag), node]

    visit_While = visit_For = _loop


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites the `break` statements of a tree.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return BreakTransformer(ctx).visit(node)
