"""`return` as a flag and a value that are returned at the end of the function."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.converters import jumps
from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.pyct import anno, templates
from tf1compat.api.autograph.pyct.static_analysis.annos import NodeAnno
from tf1compat.api.autograph.pyct.syntax import gast

BODY_DEFINITELY_RETURNS = "BODY_DEFINITELY_RETURNS"
ORELSE_DEFINITELY_RETURNS = "ORELSE_DEFINITELY_RETURNS"
STMT_DEFINITELY_RETURNS = "STMT_DEFINITELY_RETURNS"


class ConditionalReturnRewriter(entities.Base):
    """Puts what follows an `if` of which one block returns into the other block.

    Then no test of the flag comes between them, and each way through has its value.
    """

    def _after(self, node: Any) -> tuple[Any, Any]:
        """Where the statements after one go."""
        if anno.getanno(node, STMT_DEFINITELY_RETURNS, False):
            self._returns = True
        if anno.getanno(node, BODY_DEFINITELY_RETURNS, False):
            return node, node.orelse
        if anno.getanno(node, ORELSE_DEFINITELY_RETURNS, False):
            return node, node.body
        return node, None

    def _block(self, nodes: Any) -> tuple[Any, bool]:
        """A block rewritten, and whether it returns in any case."""
        around, self._returns = getattr(self, "_returns", False), False
        made = self.visit_block(nodes, after_visit=self._after)
        returns, self._returns = self._returns, around
        return made, returns

    def visit_Return(self, node: Any) -> Any:
        """Returns in any case."""
        anno.setanno(node, STMT_DEFINITELY_RETURNS, True)
        return node

    def visit_If(self, node: Any) -> Any:
        """Returns in any case if both blocks do."""
        node.body, body_returns = self._block(node.body)
        if body_returns:
            anno.setanno(node, BODY_DEFINITELY_RETURNS, True)
        node.orelse, orelse_returns = self._block(node.orelse)
        if orelse_returns:
            anno.setanno(node, ORELSE_DEFINITELY_RETURNS, True)
        if body_returns and orelse_returns:
            anno.setanno(node, STMT_DEFINITELY_RETURNS, True)
        return node

    def visit_With(self, node: Any) -> Any:
        """Returns in any case if its block does."""
        node.body, returns = self._block(node.body)
        if returns:
            anno.setanno(node, STMT_DEFINITELY_RETURNS, True)
        return node

    def _loop(self, node: Any) -> Any:
        """May make no round."""
        node.body, _ = self._block(node.body)
        node.orelse, _ = self._block(node.orelse)
        return node

    visit_While = visit_For = _loop

    def visit_Try(self, node: Any) -> Any:
        """May be left by an error."""
        node.body, _ = self._block(node.body)
        node.orelse, _ = self._block(node.orelse)
        node.handlers = self.visit_block(node.handlers)
        node.finalbody, _ = self._block(node.finalbody)
        return node

    def visit_ExceptHandler(self, node: Any) -> Any:
        """Rewrites the block."""
        node.body, _ = self._block(node.body)
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        """Rewrites the block."""
        node.body, _ = self._block(node.body)
        return node


class _Function:
    """A function: the names of its flag and value."""

    no_root = True

    def __init__(self) -> None:
        self.flag = self.value_name = ""

    def __repr__(self) -> str:
        return f"return control: {self.flag}, return value: {self.value_name}"


class ReturnStatementsTransformer(jumps.JumpTransformer):
    """Makes `do_return = True; retval_ = value` of `return value`.

    Args:
      ctx: an `EntityContext`.
      default_to_null_return: whether the function also returns where the code doesn't.
    """

    def __init__(self, ctx: Any, default_to_null_return: bool):
        super().__init__(ctx)
        self.default_to_null_return = default_to_null_return

    def visit_Return(self, node: Any) -> Any:
        """Sets the function's flag and value."""
        function = self.state[_Function].value
        self.jumped = True
        made = templates.replace(
            """
            flag = True
            value_name = value
            """,
            flag=function.flag,
            value_name=function.value_name,
            value=node.value or templates.replace_as_expression("None"),
        )
        for item in made:
            anno.copyanno(node, item, anno.Basic.ORIGIN)
        return made

    def _block(self, nodes: Any) -> Any:
        functions = self.state[_Function]
        if not functions.level:
            return self.visit_block(nodes)
        return self.guarded(nodes, functions.value.flag)

    def _loop(self, node: Any) -> Any:
        around, self.jumped = self.jumped, False
        node.body = self._block(node.body)
        if self.jumped:
            flag = self.state[_Function].value.flag
            jumps.also(node, jumps.not_set(flag), first=True)
        self.jumped = self.jumped or around
        node.orelse = self._block(node.orelse)
        return node

    visit_While = visit_For = _loop

    def visit_FunctionDef(self, node: Any) -> Any:
        """Returns the value at the end, if a block sets it."""
        around, self.jumped = self.jumped, False
        scope = anno.getanno(node, NodeAnno.BODY_SCOPE)
        with self.state[_Function] as stack:
            function = stack.value
            new_symbol = self.ctx.namer.new_symbol
            function.flag = new_symbol("do_return", scope.referenced)
            function.value_name = new_symbol("retval_", scope.referenced)
            body = self._block(node.body)
        if self.jumped:
            body = self._with_ends(body, function)
        node.body = body
        self.jumped = around
        return node

    def _with_ends(self, body: list[Any], function: _Function) -> list[Any]:
        names = {"flag": function.flag, "value_name": function.value_name}
        if not self.default_to_null_return:
            return body + templates.replace("return value_name", value_name=function.value_name)
        docstring = []
        first = body[0]
        if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant):
            docstring = [body.pop(0)]
        before = templates.replace(
            """
            flag = False
            value_name = ag__.UndefinedReturnValue()
            """,
            **names,
        )
        after = templates.replace(
            """
            flag,
            return ag__.retval(value_name)
            """,
            **names,
        )
        return docstring + before + body + after


def transform(node: Any, ctx: Any, default_to_null_return: bool = True) -> Any:
    """Makes a tree's functions return at their ends only.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.
      default_to_null_return: whether functions that return somewhere return None elsewhere;
        otherwise they must return in any case.

    Returns:
      The tree.
    """
    node = ConditionalReturnRewriter(ctx).visit(node)
    return ReturnStatementsTransformer(ctx, default_to_null_return).visit(node)
