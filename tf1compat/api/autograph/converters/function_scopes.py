"""A scope around the body of each function."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.pyct import anno, syntax, templates
from tf1compat.api.autograph.pyct.static_analysis.annos import NodeAnno
from tf1compat.api.autograph.pyct.syntax import gast

# The note at a function of the name of its scope.
SCOPE_NAME = "function_context_name"


class _Function:
    """A function: the name of its scope."""

    def __init__(self) -> None:
        self.scope_name: str | None = None


class FunctionBodyTransformer(entities.Base):
    """Puts `with ag__.FunctionScope(…) as scope:` around the bodies of functions."""

    def _enter(self, node: Any, root: str, key: Any) -> str:
        """Names the scope of a function, in which what follows is."""
        taken = anno.getanno(node, key).referenced
        name = self.ctx.namer.new_symbol(root, taken)
        self.state[_Function].value.scope_name = name
        anno.setanno(node, SCOPE_NAME, name)
        return name

    def visit_Return(self, node: Any) -> Any:
        """Tells the scope what is returned."""
        if node.value is None:
            return node
        return templates.replace(
            "return scope.mark_return_value(value)",
            scope=self.state[_Function].value.scope_name,
            value=node.value,
        )

    def visit_Lambda(self, node: Any) -> Any:
        """Has the scope around an outermost lambda."""
        with self.state[_Function] as stack:
            node = self.generic_visit(node)
            if stack.level > 2:
                return node
            name = self._enter(node, "lambda_scope", anno.Static.SCOPE)
            node.body = templates.replace_as_expression(
                "ag__.with_function_scope(lambda scope: body, name, options)",
                scope=name,
                name=syntax.literal(name),
                options=self.ctx.program.options.to_ast(),
                body=node.body,
            )
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        """Has the scope around the body; a docstring stays before it."""
        with self.state[_Function]:
            name = self._enter(node, f"{node.name}_scope", NodeAnno.BODY_SCOPE)
            node = self.generic_visit(node)
            first = node.body[:1]
            has_doc = any(
                isinstance(one, gast.Expr) and syntax.is_literal(one.value, str) for one in first
            )
            start = 1 if has_doc else 0
            node.body[start:] = templates.replace(
                "with ag__.FunctionScope(function_name, scope_name, options) as scope:\n  body",
                function_name=syntax.literal(node.name),
                scope_name=syntax.literal(name),
                options=self.ctx.program.options.to_ast(),
                scope=name,
                body=node.body[start:],
            )
        return node


def transform(node: Any, ctx: Any) -> Any:
    """Puts scopes around the bodies of a tree's functions.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return FunctionBodyTransformer(ctx).visit(node)
