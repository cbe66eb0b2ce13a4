"""Lists, and what is asked of them, as calls of AutoGraph's operators."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.lang import directives
from tf1compat.api.autograph.pyct import anno, syntax, templates
from tf1compat.api.autograph.pyct.static_analysis.annos import NodeAnno
from tf1compat.api.autograph.pyct.syntax import BLOCKS, gast


class ListTransformer(entities.Base):
    """Makes calls of list displays, `append`, `pop` and `stack`.

    Args:
      ctx: an `EntityContext`.
    """

    def __init__(self, ctx: Any):
        super().__init__(ctx)
        # What has to come before the statement that is visited, of each that is around.
        self._before: list[list[Any]] = []

    def visit_List(self, node: Any) -> Any:
        """Makes a new list of a display."""
        node = self.generic_visit(node)
        if not isinstance(node.ctx, gast.Load):
            return node
        return templates.replace_as_expression("ag__.new_list(elements)", elements=node)

    def visit_Call(self, node: Any) -> Any:
        """Makes a call of a method that lists have, whatever it is of."""
        node = self.generic_visit(node)
        if not isinstance(node.func, gast.Attribute):
            return node
        method, count = node.func.attr, len(node.args)
        if method == "pop" and count <= 1:
            return self._pop(node)
        keywords = [keyword.arg for keyword in node.keywords]
        if method == "stack" and count == 1 and keywords[:1] in ([], ["strict"]):
            return self._stack(node)
        return node

    def visit_Expr(self, node: Any) -> Any:
        """Makes an assignment of an `append`, as the list may become another one."""
        node = self.generic_visit(node)
        call = node.value
        if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute):
            if call.func.attr == "append" and len(call.args) == 1:
                made = "target = ag__.list_append(target, item)"
                return templates.replace(made, target=call.func.value, item=call.args[0])
        return node

    def _pop(self, node: Any) -> Any:
        """The element, which a statement before this one takes."""
        target = node.func.value
        root = "list_"
        if anno.hasanno(target, anno.Basic.QN):
            root = anno.getanno(target, anno.Basic.QN).ssf()
        taken = anno.getanno(node, NodeAnno.ARGS_SCOPE).referenced
        name = self.ctx.namer.new_symbol(root, taken)
        self._before[-1] += templates.replace(
            """
            target, name = ag__.list_pop(
                target, index, opts=ag__.ListPopOpts(element_dtype=dtype, element_shape=shape))
            """,
            target=target,
            name=name,
            index=node.args[0] if node.args else syntax.literal(None),
            dtype=self._said_of(target, "dtype"),
            shape=self._said_of(target, "shape"),
        )
        return templates.replace_as_expression("name", name=name)

    def _stack(self, node: Any) -> Any:
        return templates.replace_as_expression(
            "ag__.list_stack(target, "
            "opts=ag__.ListStackOpts(element_dtype=dtype, original_call=function))",
            target=node.args[0],
            dtype=self._said_of(node.args[0], "dtype"),
            function=node.func,
        )

    def _said_of(self, target: Any, what: str) -> Any:
        return self.get_definition_directive(
            target, directives.set_element_type, what, syntax.literal(None)
        )

    def _block(self, nodes: list[Any]) -> list[Any]:
        """A block rewritten, in which each statement follows what its expressions take."""
        result: list[Any] = []
        for node in nodes:
            self._before.append([])
            made = self.visit(node)
            result += self._before.pop()
            result += made if isinstance(made, list) else [made]
        return result

    def _statement(self, node: Any) -> Any:
        """Rewrites its expressions, and then its blocks."""
        for field in node._fields:
            value = getattr(node, field, None)
            if field in BLOCKS and field != "handlers" and isinstance(value, list):
                setattr(node, field, self._block(value))
            elif isinstance(value, list):
                setattr(node, field, self.visit_block(value) if _all_nodes(value) else value)
            elif isinstance(value, gast.AST):
                setattr(node, field, self.visit(value))
        return node

    visit_FunctionDef = visit_For = visit_While = visit_If = visit_With = _statement
    visit_Try = visit_ExceptHandler = visit_ClassDef = _statement


def _all_nodes(values: list[Any]) -> bool:
    return all(isinstance(value, gast.AST) for value in values)


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites what a tree does with lists.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return ListTransformer(ctx).visit(node)
