"""Source code of objects, and its syntax trees."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import Any

from tf1compat.api.autograph.pyct import inspect_utils
from tf1compat.api.autograph.pyct.syntax import gast

STANDARD_PREAMBLE = "\n" + "".join(
    f"from __future__ import {feature}\n" for feature in ("division", "print_function")
)
STANDARD_PREAMBLE_LEN = 2


def parse_entity(entity: Any, future_features: Iterable[str]) -> tuple[Any, str]:
    """The syntax tree and the source code of a function, method or class.

    Args:
      entity: the object.
      future_features: names that its module imports from `__future__`: their imports are put before
        the code, and left out of the tree.

    Returns:
      The tree of its definition, or of the statement that has the lambda; the code.

    Raises:
      ValueError: the source code isn't to be found.
    """
    future_features = tuple(future_features)
    preamble = "".join(f"from __future__ import {feature}\n" for feature in future_features)
    try:
        code = inspect_utils.getimmediatesource(entity)
    except OSError as error:
        raise ValueError(
            f"Unable to locate the source code of {entity}. Note that functions defined in certain "
            "environments, like the interactive Python shell do not expose their source code. If "
            "that is the case, you should to define them in a .py source file. If you are certain "
            "the code is graph-compatible, wrap the call using @tf.autograph.do_not_convert. "
            f"Original error: {error}"
        ) from None
    code = preamble + _dedented(code)
    try:
        return parse_str(code, preamble_len=len(future_features)), code
    except SyntaxError:
        # The lines of a lambda need be no statement: an argument on a line of its own, say.
        if not inspect_utils.islambda(entity):
            raise
    for part in _parts(code[len(preamble) :]):
        try:
            tree = gast.parse(preamble + part, mode="exec")
        except (SyntaxError, ValueError):
            continue
        if any(isinstance(node, gast.Lambda) for node in gast.walk(tree)):
            return parse_str(preamble + part, preamble_len=len(future_features)), preamble + part
    raise ValueError(f"Unable to parse the source code of {entity}:\n{code}")


def _dedented(code: str) -> str:
    """Code without the indentation of its first line, in strings and comments too."""
    margin = re.match(r"[ \t]*", code)
    width = len(margin.group()) if margin else 0
    if not width:
        return code
    lines = code.splitlines(keepends=True)
    return "".join(line[width:] if not line[:width].strip(" \t") else line for line in lines)


def _parts(code: str) -> Iterable[str]:
    """Pieces of code that begin at a lambda, the longest first."""
    for start in (match.start() for match in re.finditer(r"\blambda\b", code)):
        for end in range(len(code), start, -1):
            yield textwrap.dedent(code[start:end].rstrip()) + "\n"


def parse_str(src: str, preamble_len: int = 0, single_node: bool = True) -> Any:
    """The syntax tree of code.

    Args:
      src: the code.
      preamble_len: how many statements at its beginning to leave out.
      single_node: whether one statement is wanted; otherwise a list of them.

    Returns:
      The node or nodes.

    Raises:
      ValueError: one is wanted, and there are none or several.
    """
    nodes = gast.parse(src, mode="exec").body[preamble_len:]
    if not single_node:
        return nodes
    if len(nodes) != 1:
        raise ValueError(f"expected exactly one node node, found {nodes}")
    return nodes[0]


def parse_expression(src: str) -> Any:
    """The syntax tree of an expression.

    Args:
      src: its code.

    Returns:
      The node.

    Raises:
      ValueError: the code is no expression.
    """
    node = parse_str(src.strip())
    if not isinstance(node, gast.Expr):
        raise ValueError(f"expected a single expression, found instead {node}")
    return node.value
