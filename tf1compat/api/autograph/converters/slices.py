"""Reading and replacing elements as calls of AutoGraph's operators."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.lang import directives
from tf1compat.api.autograph.pyct import syntax, templates
from tf1compat.api.autograph.pyct.syntax import gast


def _key(subscript: Any) -> Any:
    """The key of `x[key]`; None if it is a slice or has one."""
    found = subscript.slice
    if type(found).__name__ == "Index":  # of older releases of gast
        found = found.value
    parts = found.elts if isinstance(found, gast.Tuple) else [found]
    kinds = {type(part).__name__ for part in (found, *parts)}
    return None if kinds & {"Slice", "ExtSlice"} else found


class SliceTransformer(entities.Base):
    """Makes calls of `x[key]` and of `x[key] = value`."""

    def visit_Assign(self, node: Any) -> Any:
        """Makes an assignment to `x` of one to its element.

        Args:
          node: the assignment.

        Returns:
          What takes its place.

        Raises:
          NotImplementedError: it has several targets.
        """
        node = self.generic_visit(node)
        if len(node.targets) != 1:
            raise NotImplementedError("multiple assignment")
        (target,) = node.targets
        key = _key(target) if isinstance(target, gast.Subscript) else None
        if key is None:
            return node
        call = "target = ag__.set_item(target, key, value)"
        return templates.replace(call, target=target.value, key=key, value=node.value)

    def visit_Subscript(self, node: Any) -> Any:
        """Makes a call where an element is read."""
        node = self.generic_visit(node)
        key = _key(node)
        if key is None or not isinstance(node.ctx, gast.Load):
            return node
        dtype = self.get_definition_directive(
            node.value, directives.set_element_type, "dtype", syntax.literal(None)
        )
        return templates.replace_as_expression(
            "ag__.get_item(target, key, opts=ag__.GetItemOpts(element_dtype=dtype))",
            target=node.value,
            key=key,
            dtype=dtype,
        )


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites the subscripts of a tree.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return SliceTransformer(ctx).visit(node)
