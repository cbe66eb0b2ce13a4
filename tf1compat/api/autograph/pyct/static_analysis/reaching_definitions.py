"""Which definitions may have given symbols their values."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from tf1compat.api.autograph.pyct import anno, cfg, qual_names, transformer
from tf1compat.api.autograph.pyct.syntax import gast


class Definition:
    """A place that defines a symbol. `param_of` is the function that it is a parameter of."""

    def __init__(self) -> None:
        self.param_of: Any = None
        self.directives: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}[{id(self)}]"


class _NodeState:
    """The definitions that reach a place, by symbol.

    Args:
      init_from: another, of which this is a copy; or a definition for each symbol.
    """

    def __init__(self, init_from: Any = None):
        known = init_from.value if isinstance(init_from, _NodeState) else init_from or {}
        self.value: dict[Any, frozenset[Any]] = {
            name: found if isinstance(found, frozenset) else frozenset((found,))
            for name, found in known.items()
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _NodeState) and self.value == other.value

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __or__(self, other: _NodeState) -> _NodeState:
        made = _NodeState(self)
        for name, found in other.value.items():
            made.value[name] = made.value.get(name, frozenset()) | found
        return made

    def __sub__(self, other: Any) -> _NodeState:
        return _NodeState({n: found for n, found in self.value.items() if n not in other})

    def __repr__(self) -> str:
        return f"NodeState[{id(self)}]={self.value!r}"


class Analyzer(cfg.GraphVisitor):
    """Finds the definitions before and after each node of a graph, by visits forward.

    Args:
      graph: the graph.
      definition_factory: makes a definition.
    """

    def __init__(self, graph: Any, definition_factory: Callable[[], Any]):
        self._definition_factory = definition_factory
        # What each node defines: the same definitions at every visit.
        self._made: dict[Any, _NodeState] = {}
        # What reaches the entry, from the function around.
        self.extra_in: dict[Any, Any] = {}
        super().__init__(graph)

    def init_state(self, _: Any) -> _NodeState:
        """No definition reaches."""
        return _NodeState()

    def _written(self, node: Any) -> set[Any]:
        if isinstance(node, gast.Global | gast.Nonlocal):
            return {qual_names.QN(name) for name in node.names}
        scope = anno.getanno(node, anno.Static.SCOPE, None)
        return set() if scope is None else scope.modified

    def _definitions(self, node: Any) -> _NodeState:
        if node not in self._made:
            scope = anno.getanno(node.ast_node, anno.Static.SCOPE, None)
            made = {}
            for name in self._written(node.ast_node):
                made[name] = self._definition_factory()
                owner = None if scope is None else scope.params.get(name)
                if owner is not None:
                    made[name].param_of = weakref.ref(owner)
            self._made[node] = _NodeState(made)
        return self._made[node]

    def visit_node(self, node: Any) -> bool:
        """What reaches the end of a node: what it defines, and what else reached it."""
        known = self.out[node]
        before = _NodeState(self.extra_in.get(node.ast_node))
        for other in node.prev:
            before |= self.out[other]
        self.in_[node] = before
        made = self._definitions(node)
        scope = anno.getanno(node.ast_node, anno.Static.SCOPE, None)
        gone = set(made.value) | (set() if scope is None else scope.deleted)
        self.out[node] = made | (before - gone)
        return known != self.out[node]


class TreeAnnotator(transformer.Base):
    """Notes the definitions at a tree's names.

    Args:
      source_info: a `transformer.Context`.
      graphs: the graphs by the functions' nodes.
      definition_factory: makes a definition.
    """

    def __init__(
        self, source_info: Any, graphs: dict[Any, Any], definition_factory: Callable[[], Any]
    ):
        super().__init__(source_info)
        self.definition_factory = definition_factory
        self.graphs = graphs
        self._analyzer: Any = None
        self._place: Any = None  # The graph's node that the names belong to.

    def visit(self, node: Any) -> Any:
        """Follows which node of the graph is visited."""
        around = self._place
        if self._analyzer is not None:
            self._place = self._analyzer.graph.index.get(node, around)
        node = super().visit(node)
        self._place = around
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        """Analyzes a function; what reaches its definition reaches its first node."""
        analyzer = Analyzer(self.graphs[node], self.definition_factory)
        if self._analyzer is not None and self._place is not None:
            around = self._analyzer
            before = around.in_[self._place]
            analyzer.extra_in[node.args] = before - set()
        outer = self._analyzer, self._place
        self._analyzer, self._place = analyzer, None
        analyzer.visit_forward()
        node.args = self.visit(node.args)
        node.body = self.visit_block(node.body)
        self._analyzer, self._place = outer
        return node

    def visit_Name(self, node: Any) -> Any:
        """Notes a name's definitions: before its statement if it is read, after it otherwise."""
        if self._analyzer is None or self._place is None:
            return node
        written = isinstance(node.ctx, gast.Store | gast.Param | gast.Del)
        state = (self._analyzer.out if written else self._analyzer.in_)[self._place]
        found = state.value.get(anno.getanno(node, anno.Basic.QN), ())
        anno.setanno(node, anno.Static.DEFINITIONS, tuple(found))
        return node

    def _block(self, node: Any) -> Any:
        names: set[Any] = set()
        for place in self._analyzer.graph.stmt_prev[node]:
            names |= set(self._analyzer.out[place].value)
        anno.setanno(node, anno.Static.DEFINED_VARS_IN, frozenset(names))
        return self.generic_visit(node)

    visit_If = visit_Try = visit_ExceptHandler = _block

    def visit_While(self, node: Any) -> Any:
        """Notes what is defined before a loop."""
        return self._block(node)

    def visit_For(self, node: Any) -> Any:
        """Its targets are written where it takes an item."""
        around = self._place
        self._place = self._analyzer.graph.index[node.iter]
        node.target = self.visit(node.target)
        self._place = around
        target, node.target = node.target, gast.Pass()
        node = self._block(node)
        node.target = target
        return node


def resolve(
    node: Any,
    source_info: Any,
    graphs: dict[Any, Any],
    definition_factory: Callable[[], Any] = Definition,
) -> Any:
    """Notes which definitions reach a tree's names.

    Args:
      node: the tree, whose activity is resolved.
      source_info: a `transformer.Context`.
      graphs: the graphs of its functions, by their nodes.
      definition_factory: makes a definition.

    Returns:
      The tree.
    """
    return TreeAnnotator(source_info, graphs, definition_factory).visit(node)
