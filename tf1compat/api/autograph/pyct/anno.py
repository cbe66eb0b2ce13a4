"""What is noted at the nodes of a syntax tree."""

from __future__ import annotations

import enum
from collections.abc import Hashable
from typing import Any

FAIL = object()

_FIELD = "___pyct_anno"


class NoValue(enum.Enum):
    """Keys whose values only describe them."""

    def __repr__(self) -> str:
        return self.name


class Basic(NoValue):
    """Keys that all tools use."""

    QN = "The symbol's full name: an object of qual_names.QN."
    SKIP_PROCESSING = "Transformers leave the node as it is."
    INDENT_BLOCK_REMAINDER = "The statements after this one go into another block."
    ORIGIN = "Where the node's code was read: an object of origin_info.OriginInfo."


class Static(NoValue):
    """Keys of what static analysis finds."""

    IS_PARAM = "Whether the symbol is a parameter of the function."
    SCOPE = "The symbols that the node reads and writes: an object of activity.Scope."
    ARGS_SCOPE = "The scope of a call's arguments."
    COND_SCOPE = "The scope of a statement's test."
    BODY_SCOPE = "The scope of a statement's body."
    ORELSE_SCOPE = "The scope of a statement's else branch."
    DEFINITIONS = "The definitions that may have given the symbol its value."
    ORIG_DEFINITIONS = "The definitions as they were in the code before any conversion."
    DEFINED_VARS_IN = "The symbols that may be defined before the statement."
    LIVE_VARS_OUT = "The symbols that may be read after the statement."
    LIVE_VARS_IN = "The symbols that may be read from the statement on."


def keys(node: Any, field_name: str = _FIELD) -> frozenset[Hashable]:
    """The keys of what is noted at a node."""
    return frozenset(getattr(node, field_name, ()))


def getanno(node: Any, key: Hashable, default: Any = FAIL, field_name: str = _FIELD) -> Any:
    """What is noted under a key.

    Args:
      node: a node.
      key: the key.
      default: what to return when nothing is; without it, that is an error.
      field_name: the node's attribute that has the notes.

    Returns:
      The value.

    Raises:
      AttributeError: nothing at all is noted at the node.
      KeyError: other things are.
    """
    if default is FAIL:
        return getattr(node, field_name)[key]
    return getattr(node, field_name, {}).get(key, default)


def hasanno(node: Any, key: Hashable, field_name: str = _FIELD) -> bool:
    """Whether something is noted under a key."""
    return key in getattr(node, field_name, ())


def setanno(node: Any, key: Hashable, value: Any, field_name: str = _FIELD) -> None:
    """Notes a value, in place of what was under that key."""
    notes = vars(node).setdefault(field_name, {})
    notes[key] = value
    if field_name not in node._fields:  # Copies of the node take the field along.
        node._fields = (*node._fields, field_name)


def delanno(node: Any, key: Hashable, field_name: str = _FIELD) -> None:
    """Removes what is noted under a key.

    Args:
      node: a node.
      key: the key.
      field_name: the node's attribute that has the notes.

    Raises:
      AttributeError: nothing at all is noted at the node.
      KeyError: other things are.
    """
    notes = getattr(node, field_name)
    del notes[key]
    if not notes:
        delattr(node, field_name)
        node._fields = tuple(field for field in node._fields if field != field_name)


def copyanno(from_node: Any, to_node: Any, key: Hashable, field_name: str = _FIELD) -> None:
    """Notes at one node what is noted at another, if it is."""
    if hasanno(from_node, key, field_name):
        setanno(to_node, key, getanno(from_node, key, FAIL, field_name), field_name)


def dup(node: Any, copy_map: dict[Hashable, Hashable], field_name: str = _FIELD) -> None:
    """Notes what a tree's nodes have under some keys under others too.

    Args:
      node: the tree.
      copy_map: from keys to the other keys.
      field_name: the nodes' attribute that has the notes.
    """
    from tf1compat.api.autograph.pyct import syntax

    for source, target in copy_map.items():
        if hasanno(node, source, field_name):
            setanno(node, target, getanno(node, source, FAIL, field_name), field_name)
    for child in syntax.children(node):
        dup(child, copy_map, field_name)
