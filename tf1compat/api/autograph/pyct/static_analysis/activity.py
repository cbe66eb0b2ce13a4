"""Which symbols statements read and write."""

from __future__ import annotations

import weakref
from typing import Any

from tf1compat.api.autograph.pyct import anno, qual_names, transformer
from tf1compat.api.autograph.pyct.static_analysis.annos import NodeAnno
from tf1compat.api.autograph.pyct.syntax import gast


class Scope:
    """The symbols that a part of the code reads and writes.

    Args:
      parent: the scope around it.
      isolated: whether the scope around it doesn't see what it writes.
      add_unknown_symbols: kept as an attribute.
    """

    def __init__(
        self, parent: Scope | None, isolated: bool = True, add_unknown_symbols: bool = False
    ):
        self.isolated = isolated
        self.parent = parent
        self.add_unknown_symbols = add_unknown_symbols
        self.modified: set[Any] = set()
        self.read: set[Any] = set()
        self.deleted: set[Any] = set()
        # The functions whose parameters the symbols are.
        self.params: weakref.WeakValueDictionary[Any, Any] = weakref.WeakValueDictionary()

    @property
    def affects_parent(self) -> bool:
        """Whether the scope around it sees what it writes."""
        return self.parent is not None and not self.isolated

    @property
    def referenced(self) -> set[Any]:
        """The symbols that are read in it, and in those around it as far as they are affected."""
        if self.parent is None or self.isolated:
            return self.read
        return self.read | self.parent.referenced

    def __repr__(self) -> str:
        return f"Scope{{r={tuple(self.read)}, w={tuple(self.modified)}}}"

    def copy_from(self, other: Scope) -> None:
        """Takes the contents of another scope, and copies of those around it."""
        self.isolated = other.isolated
        self.parent = Scope.copy_of(other.parent) if other.parent is not None else None
        for name in ("modified", "read", "params"):
            setattr(self, name, getattr(other, name).copy())

    @classmethod
    def copy_of(cls, other: Scope) -> Scope:
        """A copy of a scope, and of those around it."""
        made = cls(None)
        made.copy_from(other)
        return made

    def merge_from(self, other: Scope) -> None:
        """Adds the contents of another scope."""
        for name in ("modified", "read", "params"):
            getattr(self, name).update(getattr(other, name))

    def mark_read(self, name: Any) -> None:
        """Notes that a symbol is read, here and in the scopes around."""
        scope: Scope | None = self
        while scope is not None:
            scope.read.add(name)
            scope = None if name in scope.params else scope.parent

    def mark_modified(self, name: Any) -> None:
        """Notes that a symbol is written, here and in the scopes that see it."""
        self.modified.add(name)
        if self.parent is not None and not self.isolated:
            self.parent.mark_modified(name)

    def mark_param(self, name: Any, owner: Any) -> None:
        """Notes that a symbol is a parameter of a function."""
        self.params[name] = owner

    def mark_deleted(self, name: Any) -> None:
        """Notes that a symbol is deleted."""
        self.deleted.add(name)


class _Comprehension:
    no_root = True

    def __init__(self) -> None:
        self.targets: set[Any] = set()


class _Lambda:
    no_root = True

    def __init__(self) -> None:
        self.args: set[Any] = set()


class ActivityAnalyzer(transformer.Base):
    """Notes the scopes at a tree's nodes.

    Args:
      context: a `transformer.Context`.
      parent_scope: the scope around the tree.
      add_unknown_symbols: kept in the scopes.
    """

    def __init__(
        self, context: Any, parent_scope: Scope | None = None, add_unknown_symbols: bool = False
    ):
        super().__init__(context)
        self._add_unknown_symbols = add_unknown_symbols
        self.scope = self._below(parent_scope, isolated=True)
        self._function: Any = None  # The one whose parameters are looked at.

    def _below(self, parent: Scope | None, isolated: bool) -> Scope:
        return Scope(parent, isolated, self._add_unknown_symbols)

    def _within(self, *nodes: Any, isolated: bool = False) -> Scope:
        """Visits nodes in a scope of their own, which is returned."""
        around = self.scope
        inner = self.scope = self._below(around, isolated)
        for node in nodes:
            if isinstance(node, list):
                self.visit_block(node)
            elif node is not None:
                self.visit(node)
        self.scope = around
        return inner

    # Symbols

    def _hidden(self, name: Any) -> bool:
        """Whether a symbol is of a comprehension or lambda around."""
        parts = {name, *name.owner_set}
        return any(parts & level.targets for level in self.state[_Comprehension]) or any(
            parts & level.args for level in self.state[_Lambda]
        )

    def _track(self, node: Any, with_owner: bool = False) -> None:
        name = anno.getanno(node, anno.Basic.QN, None)
        if name is None:
            return
        if isinstance(node.ctx, gast.Store):
            if self.state[_Comprehension].level:
                self.state[_Comprehension].targets.add(name)
                return
            self.scope.mark_modified(name)
            if with_owner:
                self.scope.mark_modified(name.parent)
        elif isinstance(node.ctx, gast.Param):
            if self._function is not None:
                self.scope.mark_param(name, self._function)
                self.scope.mark_modified(name)
            elif self.state[_Lambda].level:
                self.state[_Lambda].args.add(name)
            else:
                raise NotImplementedError(f'Param "{name}" outside a function arguments or lambda.')
        elif not self._hidden(name):
            self.scope.mark_read(name)
            if isinstance(node.ctx, gast.Del):
                self.scope.mark_deleted(name)

    def visit_Name(self, node: Any) -> Any:
        """Notes a name."""
        if node.annotation is not None:
            node.annotation = self.visit(node.annotation)
        self._track(node)
        return node

    def visit_Attribute(self, node: Any) -> Any:
        """Notes an attribute; a constructor that sets its object's writes the object too."""
        node = self.generic_visit(node)
        around = self.enclosing_entities[-2:]
        constructs = (
            len(around) == 2
            and isinstance(around[0], gast.ClassDef)
            and getattr(around[1], "name", None) == "__init__"
        )
        of_self = isinstance(node.value, gast.Name) and node.value.id == "self"
        self._track(node, with_owner=constructs and of_self)
        return node

    def visit_Subscript(self, node: Any) -> Any:
        """Notes an item."""
        node = self.generic_visit(node)
        self._track(node)
        return node

    # Expressions

    def visit_Call(self, node: Any) -> Any:
        """Notes the scope of the arguments."""
        scope = self._within(*node.args, *node.keywords)
        anno.setanno(node, NodeAnno.ARGS_SCOPE, scope)
        node.func = self.visit(node.func)
        return node

    def visit_Lambda(self, node: Any) -> Any:
        """Keeps the parameters apart from the symbols around."""
        anno.setanno(node, anno.Static.SCOPE, self.scope)
        function, self._function = self._function, None
        with self.state[_Lambda]:
            self.generic_visit(node)
        self._function = function
        return node

    def _comprehended(self, node: Any) -> Any:
        with self.state[_Comprehension]:
            for generator in node.generators:
                self.visit(generator)
            for field in ("key", "value", "elt"):
                if hasattr(node, field):
                    self.visit(getattr(node, field))
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehended

    # Statements

    def _statement(self, node: Any) -> Any:
        around = self.scope
        self.scope = self._below(around, isolated=False)
        node = self.generic_visit(node)
        anno.setanno(node, anno.Static.SCOPE, self.scope)
        self.scope = around
        return node

    visit_Assign = visit_AnnAssign = visit_Expr = visit_Return = _statement
    visit_Assert = visit_Delete = visit_Print = visit_withitem = _statement

    def visit_AugAssign(self, node: Any) -> Any:
        """What it writes it reads first."""
        around = self.scope
        self.scope = self._below(around, isolated=False)
        name = anno.getanno(node.target, anno.Basic.QN, None)
        if name is not None:
            self.scope.mark_read(name)
        node = self.generic_visit(node)
        anno.setanno(node, anno.Static.SCOPE, self.scope)
        self.scope = around
        return node

    def visit_With(self, node: Any) -> Any:
        """The body's scope has what the items read and write."""
        scope = self._within(*node.items, node.body)
        anno.setanno(node, NodeAnno.BODY_SCOPE, scope)
        return node

    def _tested(self, node: Any) -> Any:
        scope = self._within(node.test)
        anno.setanno(node.test, anno.Static.SCOPE, scope)
        anno.setanno(node, NodeAnno.COND_SCOPE, scope)
        return self._blocks(node)

    visit_If = visit_While = _tested

    def _blocks(self, node: Any) -> Any:
        for key, block in (
            (NodeAnno.BODY_SCOPE, node.body),
            (NodeAnno.ORELSE_SCOPE, node.orelse),
        ):
            anno.setanno(node, key, self._within(block))
        return node

    def visit_For(self, node: Any) -> Any:
        """The scope of what it iterates over has the targets."""
        anno.setanno(node.iter, anno.Static.SCOPE, self._within(node.target, node.iter))
        anno.setanno(node, NodeAnno.ITERATE_SCOPE, self._within(node.target))
        return self._blocks(node)

    # Definitions

    def _defined(self, node: Any, *before: Any) -> None:
        """Notes that a definition writes its name, and reads what comes before it."""
        around = self.scope
        self.scope = self._below(around, isolated=False)
        for item in before:
            self.visit(item)
        self.scope.mark_modified(qual_names.QN(node.name))
        anno.setanno(node, anno.Static.SCOPE, self.scope)
        self.scope = around

    def visit_ClassDef(self, node: Any) -> Any:
        """What a class writes stays in it."""
        self._defined(node, *node.decorator_list)
        around = self.scope
        self.scope = self._below(around, isolated=True)
        node = self.generic_visit(node)
        self.scope = around
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        """What a function writes stays in it."""
        self._defined(node, *node.decorator_list)
        around = self.scope
        self.scope = self._below(around, isolated=True)
        self._function = node
        self.visit(node.args)
        self._function = None
        anno.setanno(node, NodeAnno.BODY_SCOPE, self._within(node.body))
        self.scope = around
        return node

    def visit_arguments(self, node: Any) -> Any:
        """A function's parameters, and what their defaults read."""
        return self._statement(node)


def resolve(node: Any, context: Any, parent_scope: Scope | None = None) -> Any:
    """Notes which symbols a tree's nodes read and write.

    Args:
      node: the tree, whose qualified names are resolved.
      context: a `transformer.Context`.
      parent_scope: the scope around the tree.

    Returns:
      The tree.
    """
    return ActivityAnalyzer(context, parent_scope).visit(node)
