"""Which symbols may still be read."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.pyct import anno, cfg, transformer
from tf1compat.api.autograph.pyct.static_analysis.annos import NodeAnno
from tf1compat.api.autograph.pyct.syntax import gast


class Analyzer(cfg.GraphVisitor):
    """Finds the live symbols before and after each node of a graph, by visits in reverse.

    Args:
      graph: the graph.
    """

    def init_state(self, _: Any) -> frozenset[Any]:
        """No symbol is live."""
        return frozenset()

    def visit_node(self, node: Any) -> bool:
        """What is live before a node: what it reads, and what is live after it and not written."""
        known = self.in_[node]
        after = frozenset().union(*(self.in_[other] for other in node.next))
        self.out[node] = after
        scope = anno.getanno(node.ast_node, anno.Static.SCOPE, None)
        if scope is None:
            self.in_[node] = after
        else:
            read = frozenset(scope.read) | _captured(node.ast_node)
            self.in_[node] = read | after - scope.modified - scope.deleted
        return known != self.in_[node]


def _captured(node: Any) -> frozenset[Any]:
    """What a function's body and parameters read of the symbols around it."""
    if not isinstance(node, gast.FunctionDef):
        return frozenset()
    arguments = anno.getanno(node.args, anno.Static.SCOPE)
    body = anno.getanno(node, NodeAnno.BODY_SCOPE)
    return frozenset(arguments.read | (body.read - body.modified - arguments.modified))


class WholeTreeAnalyzer(transformer.Base):
    """Analyzes a tree's functions.

    Args:
      source_info: a `transformer.Context`.
      graphs: the graphs by the functions' nodes.
    """

    def __init__(self, source_info: Any, graphs: dict[Any, Any]):
        super().__init__(source_info)
        self.graphs = graphs
        self.analyzers: dict[Any, Analyzer] = {}

    def visit_FunctionDef(self, node: Any) -> Any:
        """Analyzes a function."""
        analyzer = self.analyzers[node] = Analyzer(self.graphs[node])
        analyzer.visit_reverse()
        return self.generic_visit(node)


class Annotator(transformer.Base):
    """Notes the live symbols at a tree's statements.

    Args:
      source_info: a `transformer.Context`.
      cross_function_analyzer: the `WholeTreeAnalyzer`.
    """

    def __init__(self, source_info: Any, cross_function_analyzer: Any):
        super().__init__(source_info)
        self._analyzers = cross_function_analyzer.analyzers
        self._analyzer: Any = None

    def visit(self, node: Any) -> Any:
        """Notes what is live before a statement that is a node of the graph."""
        node = super().visit(node)
        if self._analyzer is not None and isinstance(node, gast.stmt):
            place = self._analyzer.graph.index.get(node)
            if place is not None:
                anno.setanno(node, anno.Static.LIVE_VARS_IN, self._analyzer.in_[place])
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        """Goes on with a function's own graph."""
        around, self._analyzer = self._analyzer, self._analyzers[node]
        node.args = self.visit(node.args)
        node.body = self.visit_block(node.body)
        self._analyzer = around
        return node

    def visit_Expr(self, node: Any) -> Any:
        """Notes what is live after it too."""
        node = self.generic_visit(node)
        place = self._analyzer.graph.index.get(node)
        if place is not None:
            anno.setanno(node, anno.Static.LIVE_VARS_OUT, self._analyzer.out[place])
        return node

    def _note_block(self, node: Any, first: Any, with_out: bool = True) -> Any:
        """Notes what is live around a statement with blocks.

        Args:
          node: the statement.
          first: the node that control comes to first in it.
          with_out: whether the graph knows what comes after it.

        Returns:
          The statement.
        """
        node = self.generic_visit(node)
        analyzer = self._analyzer
        place = analyzer.graph.index.get(first)
        if with_out:
            after = analyzer.graph.stmt_next[node]
            live = frozenset().union(*(analyzer.in_[other] for other in after))
            anno.setanno(node, anno.Static.LIVE_VARS_OUT, live)
        if place is not None:
            live = analyzer.in_[place]
        else:
            assert anno.hasanno(first, anno.Static.LIVE_VARS_IN), (
                f"If not matching a CFG node, must be a block statement: {first}"
            )
            live = anno.getanno(first, anno.Static.LIVE_VARS_IN)
        anno.setanno(node, anno.Static.LIVE_VARS_IN, live)
        return node

    def visit_If(self, node: Any) -> Any:
        """Begins with its test."""
        return self._note_block(node, node.test)

    visit_While = visit_If

    def visit_For(self, node: Any) -> Any:
        """Begins with what it iterates over."""
        return self._note_block(node, node.iter)

    def visit_Try(self, node: Any) -> Any:
        """Begins with its block."""
        return self._note_block(node, node.body[0])

    visit_ExceptHandler = visit_Try

    def visit_With(self, node: Any) -> Any:
        """Begins with its items."""
        return self._note_block(node, node.items[0], with_out=False)


def resolve(node: Any, source_info: Any, graphs: dict[Any, Any]) -> Any:
    """Notes which symbols are live around a tree's statements.

    Args:
      node: the tree, whose activity is resolved.
      source_info: a `transformer.Context`.
      graphs: the graphs of its functions, by their nodes.

    Returns:
      The tree.
    """
    analyzer = WholeTreeAnalyzer(source_info, graphs)
    node = analyzer.visit(node)
    return Annotator(source_info, analyzer).visit(node)
