"""Code in A-normal form: what operations work on has names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tf1compat.api.autograph.pyct import syntax, transformer
from tf1compat.api.autograph.pyct.syntax import gast

# In a pattern: anything.
ANY = object()

# What is never given a name: names, and what is no expression of its own.
_TRIVIAL = (
    gast.Name,
    gast.operator,
    gast.unaryop,
    gast.cmpop,
    gast.expr_context,
)
# What is looked into for the parts that the expression around works on.
_PARTS = tuple(
    getattr(gast, name)
    for name in ("keyword", "Starred", "Slice", "withitem", "ExtSlice", "Index")
    if isinstance(getattr(gast, name, None), type)
)

_NOT_YET = "Nontrivial {} nodes not supported yet ({})."
_SEMANTICS = "need to think through the semantics"
_UNTESTED = "need to unit-test them in Python 2"


class ASTEdgePattern(NamedTuple):
    """A place of a node in another.

    Args:
      parent: the other's class, or classes, or `ANY`.
      field: the other's field that has it, or `ANY`.
      child: the node's class, or classes, or `ANY`.
    """

    parent: Any
    field: Any
    child: Any

    def matches(self, parent: Any, field: str, child: Any) -> bool:
        """Whether a node is in such a place."""
        return (
            (self.parent is ANY or isinstance(parent, self.parent))
            and (self.field is ANY or field == self.field)
            and (self.child is ANY or isinstance(child, self.child))
        )


def REPLACE(_1: Any, _2: Any, _3: Any) -> bool:
    """Of a configuration: nodes in such places get a name."""
    return True


def LEAVE(_1: Any, _2: Any, _3: Any) -> bool:
    """Of a configuration: nodes in such places stay."""
    return False


class DummyGensym:
    """Makes names by counting, from 1001.

    Args:
      ctx: ignored.
    """

    def __init__(self, ctx: Any):
        del ctx
        self._last = 1000

    def new_name(self, stem: str = "tmp") -> str:
        """The next name."""
        self._last += 1
        return f"{stem}_{self._last}"


class AnfTransformer(transformer.Base):
    """Gives what operations work on names.

    Args:
      ctx: a `transformer.Context`.
      config: pairs of a pattern and whether nodes of it get a name: `REPLACE`, `LEAVE` or a
        function of the parent, the field's name and the node. The first pattern that fits says
        it; what fits none stays. Without, all but names and literals get one.
      gensym_source: makes an object like a `DummyGensym` of the context.
    """

    def __init__(self, ctx: Any, config: Any, gensym_source: Callable[[Any], Any] | None = None):
        super().__init__(ctx)
        if config is None:
            config = [
                (ASTEdgePattern(ANY, ANY, gast.Name), LEAVE),
                (ASTEdgePattern(ANY, ANY, gast.Constant), _is_ellipsis),
                (ASTEdgePattern(ANY, ANY, gast.expr), REPLACE),
            ]
        self._rules = [
            (ASTEdgePattern(ANY, ANY, ANY) if pattern is ANY else pattern, rule)
            for pattern, rule in config
        ]
        self._gensym = (gensym_source or DummyGensym)(ctx)
        # The assignments that come before the statement that is visited.
        self._pending: list[Any] = []

    # What gets a name

    def _named(self, parent: Any, field: str, child: Any) -> Any:
        """A node, or the name of what it computes."""
        if isinstance(child, list | tuple):
            return [self._named(parent, field, item) for item in child]
        if not isinstance(child, gast.AST) or isinstance(child, _TRIVIAL):
            return child
        if syntax.is_ellipsis(child):
            return child
        if isinstance(child, _PARTS) or _has_slices(child, field):
            return self._with_names(child, parent, field)
        rule = next(
            (rule for edge, rule in self._rules if edge.matches(parent, field, child)), None
        )
        if rule is None or not rule(parent, field, child):
            return child
        name = self._gensym.new_name()
        self._pending.append(syntax.assignment(name, child))
        return syntax.name(name, gast.Load())

    def _with_names(self, node: Any, parent: Any = None, field: str | None = None) -> Any:
        """A node whose parts are names."""
        for own in node._fields:
            if own.startswith("__") or not hasattr(node, own):
                continue
            made = self._named(parent or node, field or own, getattr(node, own))
            setattr(node, own, made)
        return node

    # Statements

    def _statement(self, node: Any, rewrite: Callable[[Any], Any]) -> Any:
        """A statement after the assignments that it needs."""
        around, self._pending = self._pending, []
        node = rewrite(node)
        made, self._pending = self._pending, around
        return [*made, node] if made else node

    def _blocks(self, node: Any) -> None:
        for field in syntax.BLOCKS:
            if hasattr(node, field):
                setattr(node, field, self.visit_block(getattr(node, field)))

    def _keep(self, node: Any) -> Any:
        """A statement that may work on any expression."""
        return self._statement(node, self.generic_visit)

    visit_Assign = visit_AnnAssign = visit_AugAssign = visit_Expr = visit_Delete = _keep

    def _name_all(self, node: Any) -> Any:
        """A statement that works on names."""
        return self._statement(node, lambda n: self._with_names(self.generic_visit(n)))

    visit_Return = visit_Raise = visit_Print = visit_Exec = _name_all

    def _definition(self, node: Any) -> Any:
        """A function or class: the assignments of its decorators and defaults come before it."""

        def rewrite(definition: Any) -> Any:
            body, definition.body = definition.body, []
            definition = self.generic_visit(definition)
            definition.body = self.visit_block(body)
            return definition

        return self._statement(node, rewrite)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _definition

    def visit_If(self, node: Any) -> Any:
        """Tests a name."""

        def rewrite(statement: Any) -> Any:
            statement.test = self._named(statement, "test", self.visit(statement.test))
            self._blocks(statement)
            return statement

        return self._statement(node, rewrite)

    def visit_While(self, node: Any) -> Any:
        """Tests what needs no name.

        Args:
          node: the loop.

        Returns:
          The loop.

        Raises:
          ValueError: the test is to get a name: it would be computed once only.
        """
        known = len(self._pending)
        node.test = self._named(node, "test", self.visit(node.test))
        if len(self._pending) > known:
            raise ValueError(
                "While with nontrivial test not supported yet "
                "(need to avoid precomputing the test)."
            )
        self._blocks(node)
        return node

    def visit_For(self, node: Any) -> Any:
        """Goes over a name."""

        def rewrite(statement: Any) -> Any:
            statement.iter = self._named(statement, "iter", self.visit(statement.iter))
            known = len(self._pending)
            statement.target = self.visit(statement.target)
            # A target is computed anew in each round.
            assert len(self._pending) == known
            self._blocks(statement)
            return statement

        return self._statement(node, rewrite)

    def visit_With(self, node: Any) -> Any:
        """Enters names."""

        def rewrite(statement: Any) -> Any:
            items = [self.visit(item) for item in statement.items]
            statement.items = self._named(statement, "items", items)
            self._blocks(statement)
            return statement

        return self._statement(node, rewrite)

    def visit_ExceptHandler(self, node: Any) -> Any:
        """Catches what needs no name.

        Args:
          node: the handler.

        Returns:
          The handler.

        Raises:
          ValueError: the class of errors has parts that are to get names.
        """
        known = len(self._pending)
        if node.type is not None:
            node.type = self.visit(node.type)
        if len(self._pending) > known:
            raise ValueError(_NOT_YET.format("ExceptHandler", _SEMANTICS))
        self._blocks(node)
        return node

    # Expressions

    def _strict(self, node: Any) -> Any:
        """An expression that works on names."""
        return self._with_names(self.generic_visit(node))

    visit_Attribute = visit_BinOp = visit_Call = visit_Dict = visit_Repr = visit_Set = _strict
    visit_Subscript = visit_UnaryOp = visit_Yield = _strict

    def _items(self, node: Any) -> Any:
        """The items of a tuple or list: those of a target are targets themselves."""
        if isinstance(node.ctx, gast.Store | gast.Del):
            return self.generic_visit(node)
        return self._strict(node)

    visit_Tuple = visit_List = _items

    def visit_Compare(self, node: Any) -> Any:
        """Compares two names.

        Args:
          node: the comparison.

        Returns:
          The comparison.

        Raises:
          ValueError: it is one of several: the later ones are not always computed.
        """
        if len(node.ops) > 1:
            raise ValueError(
                "Multi-ary compare nodes not supported yet "
                "(need to preserve short-circuiting semantics)."
            )
        return self._strict(node)

    def _simple_only(self, node: Any, message: str) -> Any:
        known = len(self._pending)
        kind = type(node).__name__
        if isinstance(node, gast.BoolOp):
            # Its operator fits a pattern that anything fits, as no other operator does.
            if any(edge.child is ANY and edge.field is ANY for edge, rule in self._rules[:1]):
                if self._rules[0][1](node, "op", node.op):
                    raise ValueError(message.format(kind))
        self._with_names(self.generic_visit(node))
        if len(self._pending) > known:
            raise ValueError(message.format(kind))
        return node

    def visit_BoolOp(self, node: Any) -> Any:
        """Computes the later values only if it must."""
        reason = "need to preserve short-circuiting semantics"
        return self._simple_only(node, _NOT_YET.format("{}", reason))

    def visit_IfExp(self, node: Any) -> Any:
        """Computes one of two values."""
        reason = (
            "need to convert to If statement, to evaluate branches lazily and insert statements "
            "into them"
        )
        return self._simple_only(node, _NOT_YET.format("{}", reason))

    def visit_Lambda(self, node: Any) -> Any:
        """Has no place for statements."""
        reason = "cannot insert statements into lambda bodies"
        return self._simple_only(node, f"Nontrivial {{}} nodes not supported ({reason}).")

    def visit_Assert(self, node: Any) -> Any:
        """Computes only what it must."""
        reason = (
            "need to avoid computing the test when assertions are off, and avoid computing the "
            "irritant when the assertion does not fire"
        )
        return self._simple_only(node, _NOT_YET.format("{}", reason))

    def _untested(self, node: Any) -> Any:
        return self._simple_only(node, _NOT_YET.format("{}", _UNTESTED))

    visit_FormattedValue = visit_JoinedStr = visit_YieldFrom = _untested

    def _asynchronous(self, node: Any) -> Any:
        return self._simple_only(node, _NOT_YET.format("{}", _SEMANTICS))

    visit_AsyncFor = visit_AsyncWith = visit_Await = _asynchronous

    def _comprehension(self, node: Any) -> Any:
        raise ValueError(
            f"{type(node).__name__} nodes not supported (need to convert to a form that tolerates "
            "assignment statements in clause bodies)."
        )

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def _is_ellipsis(_1: Any, _2: Any, child: Any) -> bool:
    return syntax.is_ellipsis(child)


def _has_slices(node: Any, field: str) -> bool:
    """Whether a subscript is of several dimensions with slices, which have no name."""
    return (
        field == "slice"
        and isinstance(node, gast.Tuple)
        and any(isinstance(item, gast.Slice) for item in node.elts)
    )


def transform(node: Any, ctx: Any, config: Any = None, gensym_source: Any = None) -> Any:
    """Gives what a tree's operations work on names.

    Args:
      node: the tree.
      ctx: a `transformer.Context`.
      config: which nodes get names; see `AnfTransformer`.
      gensym_source: makes an object that makes the names of the context.

    Returns:
      The tree.
    """
    return AnfTransformer(ctx, config, gensym_source).visit(node)
