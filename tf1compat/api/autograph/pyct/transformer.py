"""The base of what rewrites syntax trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tf1compat.api.autograph.pyct import anno, ast_util, compiler, pretty_printer
from tf1compat.api.autograph.pyct.syntax import gast


class EntityInfo(NamedTuple):
    """Where a function or class comes from.

    Args:
      source_code: its code.
      source_file: the file of the code.
      future_features: what its module imports from `__future__`.
      namespace: the values by the names that its code sees.
    """

    source_code: Any
    source_file: Any
    future_features: Any
    namespace: Any


class Context:
    """What a rewriting knows.

    Args:
      info: the `EntityInfo` of what is rewritten.
    """

    def __init__(self, info: Any):
        self.info = info
        # Where the statement that is rewritten now was read: for messages of errors.
        self.current_origin: Any = None


class _StateStack:
    """Objects of a type, one for each node around; has the attributes of the innermost.

    Args:
      type_: the type, which is called without arguments. Unless it has an attribute `no_root`,
        there is one to begin with.
    """

    stack: list[Any]

    def __init__(self, type_: Any):
        vars(self).update(type=type_, stack=[])
        if not hasattr(type_, "no_root"):
            self.enter()

    def enter(self) -> None:
        """Begins a new innermost one."""
        self.stack.append(vars(self)["type"]())

    def exit(self) -> Any:
        """Ends the innermost one, and returns it."""
        return self.stack.pop()

    def __enter__(self) -> _StateStack:
        self.enter()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.exit()

    @property
    def level(self) -> int:
        """How many there are."""
        return len(self.stack)

    @property
    def value(self) -> Any:
        """The innermost one."""
        return self.stack[-1]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.stack)

    def __getattr__(self, key: str) -> Any:
        return getattr(self.stack[-1], key)

    def __setattr__(self, key: str, value: Any) -> None:
        setattr(self.stack[-1], key, value)


class _State:
    """The stacks of state by the types of what is in them."""

    def __init__(self) -> None:
        self._value: dict[Any, _StateStack] = {}

    def __getitem__(self, key: Any) -> _StateStack:
        if key not in self._value:
            self._value[key] = _StateStack(key)
        return self._value[key]


class Base(gast.NodeTransformer):
    """A transformer that knows the functions around a node and where its code comes from.

    Args:
      ctx: a `Context`.
    """

    def __init__(self, ctx: Any):
        self._lineno = 0
        self._col_offset = 0
        self.ctx = ctx
        self._enclosing_entities: list[Any] = []
        # What is set by name: once for the whole tree, and once for each local scope.
        self._local_scopes: list[dict[Any, Any]] = [{}]
        self.state = _State()

    @property
    def enclosing_entities(self) -> tuple[Any, ...]:
        """The functions and classes around the node, from the outermost."""
        return tuple(self._enclosing_entities)

    @property
    def local_scope_level(self) -> int:
        """How many local scopes there are, with the whole tree's."""
        return len(self._local_scopes)

    def enter_local_scope(self, inherit: Any = None) -> None:
        """Begins a local scope.

        Args:
          inherit: names whose values it takes from the one around it.
        """
        around = self._local_scopes[-1]
        self._local_scopes.append({n: around[n] for n in inherit or () if n in around})

    def exit_local_scope(self, keep: Any = None) -> dict[Any, Any]:
        """Ends a local scope.

        Args:
          keep: names whose values the one around it takes.

        Returns:
          Its values by name.
        """
        ended = self._local_scopes.pop()
        for kept in keep or ():
            if kept in ended:
                self._local_scopes[-1][kept] = ended[kept]
        return ended

    def set_local(self, name: Any, value: Any) -> None:
        """Sets a name in the innermost scope."""
        self._local_scopes[-1][name] = value

    def get_local(self, name: Any, default: Any = None) -> Any:
        """A name's value in the innermost scope."""
        return self._local_scopes[-1].get(name, default)

    def debug_print(self, node: Any) -> Any:
        """Prints a tree, and returns it."""
        print(pretty_printer.fmt(node))
        return node

    def debug_print_src(self, node: Any) -> Any:
        """Prints a tree's code, and returns the tree."""
        print(compiler.ast_to_source(node))
        return node

    def create_assignment(self, target: str, expression: Any) -> Any:
        """The statement that sets a variable.

        Args:
          target: its name.
          expression: the node of its value.

        Returns:
          The node of the statement.
        """
        from tf1compat.api.autograph.pyct import templates

        return templates.replace("target = expression", target=target, expression=expression)[0]

    def visit_block(
        self,
        nodes: Any,
        before_visit: Callable[[], Any] | None = None,
        after_visit: Callable[[Any], tuple[Any, Any]] | None = None,
    ) -> Any:
        """Rewrites the statements of a block.

        Args:
          nodes: the statements.
          before_visit: called before each.
          after_visit: called with each rewritten one; returns what takes its place (a node, a list
            or None) and where the statements after it go: a list, or None for where
            they went so far.

        Returns:
          The block's statements, without those that went elsewhere.
        """
        if nodes is None:
            return None
        result: list[Any] = []
        place = result
        for node in nodes:
            if before_visit is not None:
                before_visit()
            made = self.visit(node)
            elsewhere = None
            if made and after_visit is not None:
                made, elsewhere = after_visit(made)
            if isinstance(made, list | tuple):
                place.extend(made)
            elif made:
                place.append(made)
            if elsewhere is not None:
                place = elsewhere
        return result

    def apply_to_single_assignments(self, targets: Any, values: Any, apply_fn: Any) -> None:
        """Takes an assignment apart; see `ast_util.apply_to_single_assignments`."""
        ast_util.apply_to_single_assignments(targets, values, apply_fn)

    def _get_source(self, node: Any) -> str:
        try:
            return compiler.ast_to_source(node, include_encoding_marker=False).rstrip("\n")
        except Exception:
            return "<could not convert AST to source>"

    def visit(self, node: Any) -> Any:
        """Rewrites a node.

        Args:
          node: the node.

        Returns:
          What takes its place.

        Raises:
          ValueError: it is no node.
        """
        if not isinstance(node, gast.AST):
            raise ValueError(
                f'invalid value for "node": expected "ast.AST", got "{type(node)}"; to visit lists '
                'of nodes, use "visit_block" instead'
            )
        if anno.hasanno(node, anno.Basic.SKIP_PROCESSING):
            return node
        around = self.ctx.current_origin
        self.ctx.current_origin = anno.getanno(node, anno.Basic.ORIGIN, around)
        is_entity = isinstance(node, gast.FunctionDef | gast.ClassDef | gast.Lambda)
        if is_entity:
            self._enclosing_entities.append(node)
        depth = self.local_scope_level
        made = super().visit(node)
        # After an error the origin stays: it is where the error is.
        self.ctx.current_origin = around
        if is_entity:
            self._enclosing_entities.pop()
        if depth != self.local_scope_level:
            raise AssertionError(
                f"Inconsistent local scope stack. Before entering node {node}, the stack had "
                f"length {depth}, after exit it has length {self.local_scope_level}. "
                "This indicates that enter_local_scope and exit_local_scope are not well paired."
            )
        self._keep_origin(node, made)
        return made

    def _keep_origin(self, node: Any, made: Any) -> None:
        if not anno.hasanno(node, anno.Basic.ORIGIN):
            return
        for item in made if isinstance(made, list | tuple) else (made,):
            if isinstance(item, gast.AST) and not anno.hasanno(item, anno.Basic.ORIGIN):
                anno.copyanno(node, item, anno.Basic.ORIGIN)
