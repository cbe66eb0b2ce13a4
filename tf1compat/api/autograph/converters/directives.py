"""What users say in code, as notes at the nodes that it is about."""

from __future__ import annotations

import inspect
from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.lang import directives
from tf1compat.api.autograph.pyct import anno
from tf1compat.api.autograph.pyct.syntax import gast

# The note at a name or attribute of the object that it stands for, if that is known.
STATIC_VALUE = "static_value"
ENCLOSING_LOOP = "enclosing_loop"


def _map_args(call_node: Any, function: Any) -> dict[str, Any]:
    """The nodes of a call's arguments, by the names of the parameters.

    Raises:
      TypeError: the function does not take them.
      ValueError: it has a default that is a value.
    """
    given = {keyword.arg: keyword.value for keyword in call_node.keywords}
    bound = inspect.signature(function).bind(*call_node.args, **given)
    found = dict(bound.arguments)
    bound.apply_defaults()
    for name, value in bound.arguments.items():
        if name not in found and value is not directives.UNSPECIFIED:
            raise ValueError(
                f"Unexpected keyword argument values, {[(name, value)]}, for function {function}"
            )
    return found


class DirectivesTransformer(entities.Base):
    """Takes directives out, and notes them."""

    def visit_Name(self, node: Any) -> Any:
        """Notes what a name of the module stands for."""
        if isinstance(node.ctx, gast.Load) and not anno.getanno(node, anno.Static.DEFINITIONS, ()):
            if node.id in self.ctx.info.namespace:
                anno.setanno(node, STATIC_VALUE, self.ctx.info.namespace[node.id])
        return node

    def visit_Attribute(self, node: Any) -> Any:
        """Notes what a name in a module stands for."""
        node = self.generic_visit(node)
        parent = anno.getanno(node.value, STATIC_VALUE, None)
        if inspect.ismodule(parent) and hasattr(parent, node.attr):
            anno.setanno(node, STATIC_VALUE, getattr(parent, node.attr))
        return node

    def visit_Expr(self, node: Any) -> Any:
        """Takes a directive out."""
        node = self.generic_visit(node)
        call = node.value
        if not isinstance(call, gast.Call):
            return node
        said = anno.getanno(call.func, STATIC_VALUE, None)
        if said is directives.set_element_type:
            self._of_symbol(call, said)
        elif said is directives.set_loop_options:
            self._of_loop(call, said)
        else:
            return node
        return None

    def _of_symbol(self, call: Any, directive: Any) -> None:
        if not call.args:
            raise ValueError(
                f'"{directive.__name__}" requires a positional first argument as the target'
            )
        for definition in anno.getanno(call.args[0], anno.Static.ORIG_DEFINITIONS):
            definition.directives[directive] = _map_args(call, directive)

    def _of_loop(self, call: Any, directive: Any) -> None:
        loop = self.get_local(ENCLOSING_LOOP)
        if loop is None:
            raise ValueError(f'"{directive.__name__}" must be used inside a statement')
        known = anno.getanno(loop, entities.AgAnno.DIRECTIVES, {})
        known[directive] = _map_args(call, directive)
        anno.setanno(loop, entities.AgAnno.DIRECTIVES, known)

    def _loop(self, node: Any) -> Any:
        """Is what directives in its blocks are about."""
        self.enter_local_scope()
        self.set_local(ENCLOSING_LOOP, node)
        node = self.generic_visit(node)
        self.exit_local_scope()
        return node

    visit_While = visit_For = _loop


def transform(node: Any, ctx: Any) -> Any:
    """Takes the directives of a tree out, and notes them.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return DirectivesTransformer(ctx).visit(node)
