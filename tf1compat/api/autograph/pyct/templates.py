"""Code with placeholders."""

from __future__ import annotations

import textwrap
from typing import Any

from tf1compat.api.autograph.pyct import anno, ast_util, parser, qual_names, syntax
from tf1compat.api.autograph.pyct.syntax import gast

# Kinds of nodes whose parts are written when they are.
_TARGETS = (gast.Tuple, gast.List, gast.Starred)


class ContextAdjuster(gast.NodeTransformer):
    """Says of a tree's symbols whether they are read or written.

    Args:
      override_value: the `ctx` class of the tree's root; None for what is in the tree.
    """

    def __init__(self, override_value: Any):
        self._override = override_value

    def visit(self, node: Any) -> Any:
        """Sets it in a node and what is below."""
        around = self._override
        if around is not None and "ctx" in node._fields:
            node.ctx = around()
        if not isinstance(node, _TARGETS):
            # What an attribute, a call or an item is of is read.
            self._override = gast.Load if isinstance(node, gast.expr) else None
        if isinstance(node, gast.Lambda | gast.comprehension):
            self._override = None  # Their parameters and targets say it themselves.
        made = self.generic_visit(node)
        self._override = around
        return made


class ReplaceTransformer(gast.NodeTransformer):
    """Puts nodes in the place of placeholders.

    Args:
      replacements: the nodes, or lists of them, by the placeholders' names.
    """

    def __init__(self, replacements: dict[str, Any]):
        self.replacements = replacements
        # Expressions, unlike statements, don't end at a line of the template.
        self.preserved_annos = {
            anno.Basic.ORIGIN,
            anno.Basic.SKIP_PROCESSING,
            anno.Static.ORIG_DEFINITIONS,
            "extra_test",
            "function_context_name",
        }

    def _copies(self, name: str) -> list[Any]:
        copied = ast_util.copy_clean(self.replacements[name], preserve_annos=self.preserved_annos)
        if isinstance(copied, gast.AST):
            return [copied]
        return list(copied)

    def visit_Expr(self, node: Any) -> Any:
        """A placeholder that is a statement becomes statements."""
        node = self.generic_visit(node)
        if isinstance(node.value, list) or not isinstance(node.value, gast.expr):
            return node.value
        if isinstance(node.value, gast.Name) and anno.hasanno(node.value, _REPLACED):
            return node.value
        return node

    def visit_keyword(self, node: Any) -> Any:
        """A placeholder that is an argument's name becomes other arguments.

        Args:
          node: the argument.

        Returns:
          What takes its place.

        Raises:
          ValueError: the replacement is no arguments.
        """
        if node.arg not in self.replacements:
            return self.generic_visit(node)
        found = self._copies(node.arg)
        if not found or not all(isinstance(item, gast.keyword) for item in found):
            raise ValueError(
                "a keyword argument may only be replaced by another keyword or a non-empty list of "
                f"keywords. Found: {found} for keyword {node.arg}"
            )
        return found

    def visit_FunctionDef(self, node: Any) -> Any:
        """A placeholder that is a function's name.

        Args:
          node: the function.

        Returns:
          What takes its place.

        Raises:
          ValueError: the replacement is no name.
        """
        node = self.generic_visit(node)
        if node.name not in self.replacements:
            return node
        found = self.replacements[node.name]
        if not isinstance(found, gast.Name):
            raise ValueError(f"a function name can only be replaced by a Name node. Found: {found}")
        node.name = found.id
        return node

    def visit_Attribute(self, node: Any) -> Any:
        """A placeholder that is an attribute's name.

        Args:
          node: the attribute.

        Returns:
          The node.

        Raises:
          ValueError: the replacement is no name.
        """
        node = self.generic_visit(node)
        if node.attr not in self.replacements:
            return node
        found = self.replacements[node.attr]
        if not isinstance(found, gast.Name):
            raise ValueError(f"An attribute can only be replaced by a Name node. Found: {found}")
        node.attr = found.id
        return node

    def visit_Name(self, node: Any) -> Any:
        """A placeholder that is a symbol."""
        if node.id not in self.replacements:
            return node
        found = self._copies(node.id)
        ctx = node.ctx if node.ctx is not None else gast.Load()
        for i, item in enumerate(found):
            if isinstance(item, gast.Expr):
                continue
            if isinstance(item, gast.expr):
                found[i] = item = ContextAdjuster(type(ctx)).visit(item)
            if isinstance(item, gast.Name):
                anno.setanno(item, _REPLACED, True)
        return found[0] if len(found) == 1 else found


# Notes which names stand for placeholders: as statements they are not expressions' statements.
_REPLACED = "tf1compat replaced"


def _convert_to_ast(n: Any) -> Any:
    """A replacement as a node or nodes."""
    if isinstance(n, str):
        return syntax.name(n)
    if isinstance(n, qual_names.QN):
        return n.ast()
    if isinstance(n, list | tuple):
        return [_convert_to_ast(item) for item in n]
    return n


def replace(template: str, **replacements: Any) -> list[Any]:
    """The statements of a template.

    Args:
      template: their code.
      **replacements: what takes the place of names in it: nodes, lists of nodes, or names as
        strings or `QN`s.

    Returns:
      The statements' nodes.

    Raises:
      ValueError: the template is no code, or something can't take the place of a name.
    """
    if not isinstance(template, str):
        raise ValueError(f"Expected string template, got {type(template)}")
    nodes = {name: _convert_to_ast(found) for name, found in replacements.items()}
    statements: list[Any] = []
    for statement in parser.parse_str(textwrap.dedent(template), single_node=False):
        made = ReplaceTransformer(nodes).visit(statement)
        statements += made if isinstance(made, list) else [made]
    for statement in statements:
        for node in gast.walk(statement):
            if anno.hasanno(node, _REPLACED):
                anno.delanno(node, _REPLACED)
    return [qual_names.resolve(statement) for statement in statements]


def replace_as_expression(template: str, **replacements: Any) -> Any:
    """The expression of a template.

    Args:
      template: its code.
      **replacements: as for `replace`.

    Returns:
      The expression's node.

    Raises:
      ValueError: it is no expression, or not one only.
    """
    found = replace(template, **replacements)
    if len(found) != 1:
        raise ValueError("single expression expected; for more general templates use replace")
    (node,) = found
    if isinstance(node, gast.Expr):
        return node.value
    if isinstance(node, gast.Name):
        return node
    raise ValueError(
        f"the template is expected to generate an expression or a name node; instead found {node}"
    )
