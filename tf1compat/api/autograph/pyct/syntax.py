"""The nodes of `gast`, which the toolbox works on, in the forms of all its releases."""

from __future__ import annotations

import ast
import copy
import types
from typing import Any

try:
    import gast as _gast
except ImportError as error:
    raise ImportError(
        "AutoGraph's toolbox (tensorflow.python.autograph.pyct) needs gast: pip install gast",
        name="gast",
    ) from error

gast: Any = _gast  # it makes its classes while it is imported, where no type checker sees them

# The fields that a node of code written for an older gast may lack, as Python's compiler has them.
_LATER_FIELDS: dict[str, Any] = {
    "kind": None,
    "posonlyargs": [],
    "type_comment": None,
    "type_ignores": [],
    "type_params": [],
}
# Annotations of nodes are kept in fields of such names.
HIDDEN = "___"

BLOCKS = ("body", "orelse", "handlers", "finalbody")


def is_literal(node: Any, *kinds: type) -> bool:
    """Whether a node is a literal.

    Args:
      node: anything.
      *kinds: the types that its value may be of; any without them.

    Returns:
      The answer.
    """
    return isinstance(node, gast.Constant) and (not kinds or type(node.value) in kinds)


def literal(value: Any) -> Any:
    """The node of a literal."""
    return gast.Constant(value=value, kind=None)


def is_ellipsis(node: Any) -> bool:
    """Whether a node is `...`."""
    return is_literal(node, types.EllipsisType)


def name(identifier: str, ctx: Any = None) -> Any:
    """The node of a name."""
    return gast.Name(id=identifier, ctx=ctx, annotation=None, type_comment=None)


def assignment(target: str, value: Any) -> Any:
    """The node of `target = value`."""
    return gast.Assign(targets=[name(target, gast.Store())], value=value, type_comment=None)


def children(node: Any) -> Any:
    """The nodes right below one, in the order of its fields."""
    for field in node._fields:
        value = None if field.startswith(HIDDEN) else getattr(node, field, None)
        for item in value if isinstance(value, list | tuple) else (value,):
            if isinstance(item, gast.AST):
                yield item


def completed(node: Any) -> Any:
    """A copy of a node without its annotations, with all the fields that this gast knows.

    Args:
      node: a node, a list of them or a plain value.

    Returns:
      The copy.
    """
    if isinstance(node, list | tuple):
        return [completed(item) for item in node]
    if not isinstance(node, gast.AST):
        return node
    made = type(node)()
    for field in type(node)._fields:
        if hasattr(node, field):
            setattr(made, field, completed(getattr(node, field)))
        else:
            setattr(made, field, copy.copy(_LATER_FIELDS.get(field)))
    for attribute in getattr(node, "_attributes", ()):
        if hasattr(node, attribute):
            setattr(made, attribute, getattr(node, attribute))
    if isinstance(made, gast.Name) and made.ctx is None:
        made.ctx = gast.Load()
    return made


def to_python(node: Any) -> ast.AST:
    """A node as Python's own."""
    made = gast.gast_to_ast(completed(node))
    return ast.fix_missing_locations(made)
