"""List comprehensions that are assigned, as loops."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.pyct import templates


class ListCompTransformer(entities.Base):
    """Makes an empty list, and a loop that appends to it, of `target = [… for … in …]`."""

    def visit_Assign(self, node: Any) -> Any:
        """Makes the statements.

        Args:
          node: the assignment.

        Returns:
          What takes its place.

        Raises:
          NotImplementedError: a comprehension is assigned to several targets.
        """
        comprehension = node.value
        if type(comprehension).__name__ != "ListComp":
            return self.generic_visit(node)
        if len(node.targets) > 1:
            raise NotImplementedError("multiple assignments")
        (target,) = node.targets
        block = templates.replace("target.append(item)", target=target, item=comprehension.elt)
        for part in comprehension.generators[::-1]:
            for test in part.ifs[::-1]:
                block = templates.replace("if test:\n  block", test=test, block=block)
            block = templates.replace(
                "for item in items:\n  block", item=part.target, items=part.iter, block=block
            )
        return templates.replace("target = []", target=target) + block


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites the list comprehensions of a tree.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return ListCompTransformer(ctx).visit(node)
