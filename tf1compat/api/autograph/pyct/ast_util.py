"""Copying, renaming and comparing syntax trees."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.autograph.pyct import anno, syntax
from tf1compat.api.autograph.pyct.syntax import gast

# What nodes have from how they were written.
_WITHOUT_MEANING = ("kind", "type_comment")


class CleanCopier:
    """Copies trees without what is noted at their nodes.

    Args:
      preserve_annos: the keys of notes that are copied.
    """

    def __init__(self, preserve_annos: Any):
        self.preserve_annos = preserve_annos

    def copy(self, node: Any) -> Any:
        """A copy of a node, or of a list or tuple of them."""
        if isinstance(node, list | tuple):
            return type(node)([self.copy(item) for item in node])
        if not isinstance(node, gast.AST):
            return node if isinstance(node, str | int | float | complex | bytes) else _value(node)
        fields = {
            field: self.copy(getattr(node, field))
            for field in node._fields
            if not field.startswith("__") and hasattr(node, field)
        }
        made = type(node)(**fields)
        for key in self.preserve_annos or ():
            anno.copyanno(node, made, key)
        return made


def _value(node: Any) -> Any:
    if node is None or node is ...:
        return node
    raise AttributeError(f"{type(node).__name__!r} object has no attribute '_fields'")


def copy_clean(node: Any, preserve_annos: Any = None) -> Any:
    """A copy of a tree without what is noted at its nodes.

    Args:
      node: a node, or a list or tuple of them.
      preserve_annos: the keys of notes that are copied.

    Returns:
      The copy.
    """
    return CleanCopier(preserve_annos).copy(node)


class SymbolRenamer(gast.NodeTransformer):
    """Gives symbols other names.

    Args:
      name_map: from `QN`s to `QN`s.
    """

    def __init__(self, name_map: dict[Any, Any]):
        self.name_map = name_map

    def _renamed(self, node: Any) -> Any:
        name = anno.getanno(node, anno.Basic.QN)
        if name not in self.name_map:
            return self.generic_visit(node)
        made = self.name_map[name].ast()
        made.ctx = node.ctx
        for part in gast.walk(made):
            if "ctx" in part._fields and part.ctx is None:
                part.ctx = gast.Load()
        for key in anno.keys(node):
            if key is not anno.Basic.QN:
                anno.copyanno(node, made, key)
        return made

    def visit_Name(self, node: Any) -> Any:
        """Renames a name."""
        return self._renamed(node)

    def visit_Attribute(self, node: Any) -> Any:
        """Renames an attribute, or what it is of."""
        return self._renamed(node)


def rename_symbols(node: Any, name_map: dict[Any, Any]) -> Any:
    """Gives symbols other names.

    Args:
      node: a tree whose qualified names are resolved, or several.
      name_map: from `QN`s to `QN`s.

    Returns:
      The tree or trees.
    """
    renamer = SymbolRenamer(name_map)
    if isinstance(node, list | tuple):
        return type(node)([renamer.visit(item) for item in node])
    return renamer.visit(node)


def keywords_to_dict(keywords: Any) -> Any:
    """Keyword arguments as the node of a dictionary."""
    return gast.Dict(
        keys=[syntax.literal(item.arg) for item in keywords],
        values=[item.value for item in keywords],
    )


class PatternMatcher(gast.NodeVisitor):
    """Compares a tree with a pattern.

    Args:
      pattern: a tree in which the name `_` is anything.
    """

    def __init__(self, pattern: Any):
        self.pattern = pattern
        self.matches = True

    def is_wildcard(self, p: Any) -> bool:
        """Whether a part of the pattern is anything."""
        if isinstance(p, list | tuple):
            return len(p) == 1 and self.is_wildcard(p[0])
        return isinstance(p, gast.Name) and p.id == "_"

    def no_match(self) -> bool:
        """Says that the tree is another."""
        self.matches = False
        return False

    def compare_and_visit(self, node: Any, pattern: Any) -> None:
        """Compares a part of the tree with a part of the pattern."""
        around, self.pattern = self.pattern, pattern
        self.generic_visit(node)
        self.pattern = around

    def generic_visit(self, node: Any) -> None:
        """Compares a node with the pattern."""
        pattern = self.pattern
        if not self.matches:
            return
        if type(node) is not type(pattern):
            self.no_match()
            return
        for field in type(node)._fields:
            mine: Any = getattr(node, field, None)
            wanted: Any = getattr(pattern, field, None)
            if field in _WITHOUT_MEANING or self.is_wildcard(wanted):
                continue
            several = isinstance(mine, list | tuple)
            if several != isinstance(wanted, list | tuple):
                self.no_match()
            elif several:
                if len(mine) != len(wanted):
                    self.no_match()
                    continue
                for one, other in zip(mine, wanted, strict=True):
                    self._compare(one, other)
            else:
                self._compare(mine, wanted)

    def _compare(self, node: Any, pattern: Any) -> None:
        if isinstance(node, gast.AST):
            self.compare_and_visit(node, pattern)
        elif not self.is_wildcard(pattern) and node != pattern:
            self.no_match()


def matches(node: Any, pattern: Any) -> bool:
    """Whether a tree is like a pattern.

    Args:
      node: the tree.
      pattern: a tree in which the name `_` is anything.

    Returns:
      The answer.
    """
    matcher = PatternMatcher(pattern)
    matcher.visit(node)
    return matcher.matches


def apply_to_single_assignments(
    targets: Any, values: Any, apply_fn: Callable[[Any, Any], None]
) -> None:
    """Takes an assignment of several things apart.

    Args:
      targets: the statement's targets, or one of them.
      values: its value.
      apply_fn: called with each single target and its part of the value, which is an item of the
        value where that isn't written out.
    """
    for target in targets if isinstance(targets, list | tuple) else (targets,):
        if not isinstance(target, gast.Tuple | gast.List):
            apply_fn(target, values)
            continue
        for i, part in enumerate(target.elts):
            if isinstance(values, gast.Tuple | gast.List):
                value = values.elts[i]
            else:
                value = gast.Subscript(value=values, slice=syntax.literal(i), ctx=gast.Store())
            apply_to_single_assignments(part, value, apply_fn)


def parallel_walk(node: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """The nodes of two trees of the same form, two by two.

    Args:
      node: a tree or several.
      other: as many.

    Yields:
      A node of the one and its counterpart.

    Raises:
      ValueError: the trees have other forms.
    """
    if isinstance(node, list | tuple):
        assert isinstance(other, list | tuple) and len(node) == len(other)
        for one, two in zip(node, other, strict=True):
            yield from parallel_walk(one, two)
        return
    if type(node) is not type(other):
        raise ValueError(
            f"inconsistent nodes: {node} ({type(node).__name__}) and "
            f"{other} ({type(other).__name__})"
        )
    yield node, other
    for field in node._fields:
        if field.startswith("__") or field in _WITHOUT_MEANING:
            continue
        mine, its = getattr(node, field, None), getattr(other, field, None)
        if isinstance(mine, list) and isinstance(its, list) and len(mine) == len(its):
            pairs = list(zip(mine, its, strict=True))
        else:
            pairs = [(mine, its)]
        for one, two in pairs:
            if isinstance(one, gast.AST) and isinstance(two, gast.AST):
                yield from parallel_walk(one, two)
            elif isinstance(one, gast.AST | list) or one != two:
                raise ValueError(f"inconsistent values for field {field}: {mine} and {its}")


class LambdaDefinitionMatcher(gast.NodeVisitor):
    """Finds lambdas by the parameters of one.

    Args:
      fn: the lambda.
    """

    def __init__(self, fn: Any):
        self.fn = fn
        self.matching_nodes: list[Any] = []

    def visit_Lambda(self, node: Any) -> None:
        """Keeps a lambda that has the parameters."""
        self.generic_visit(node)
        wanted = inspect.getfullargspec(self.fn)
        arguments = node.args

        def names(nodes: Any) -> list[str]:
            return [item.id for item in nodes]

        if (
            names([*getattr(arguments, "posonlyargs", ()), *arguments.args]) == wanted.args
            and names(filter(None, [arguments.vararg])) == list(filter(None, [wanted.varargs]))
            and names(filter(None, [arguments.kwarg])) == list(filter(None, [wanted.varkw]))
            and names(arguments.kwonlyargs) == wanted.kwonlyargs
        ):
            self.matching_nodes.append(node)


def find_matching_definitions(node: Any, f: Any) -> list[Any]:
    """The lambdas in a tree that may be a function.

    Args:
      node: the tree.
      f: the function.

    Returns:
      The nodes of those that have its parameters.
    """
    matcher = LambdaDefinitionMatcher(f)
    matcher.visit(node)
    return matcher.matching_nodes
