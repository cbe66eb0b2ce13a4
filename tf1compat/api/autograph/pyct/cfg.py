"""The control flow of functions as graphs."""

from __future__ import annotations

import collections
import enum
import weakref
from collections.abc import Iterable
from typing import Any, NamedTuple

from tf1compat.api.autograph.pyct import compiler
from tf1compat.api.autograph.pyct.syntax import gast


class Node:
    """A statement, or the part of one that control passes through.

    Args:
      next_: the nodes after it.
      prev: the nodes before it.
      ast_node: its syntax.
    """

    def __init__(self, next_: Any, prev: Any, ast_node: Any):
        self.next: Any = next_
        self.prev: Any = prev
        self.ast_node = ast_node

    def freeze(self) -> None:
        """Ends its making."""
        self.next = frozenset(self.next)
        # The graph holds the nodes: backward links needn't.
        self.prev = weakref.WeakSet(self.prev)

    def __repr__(self) -> str:
        node = self.ast_node
        if isinstance(node, gast.FunctionDef):
            return f"def {node.name}"
        if isinstance(node, gast.ClassDef):
            return f"class {node.name}"
        if isinstance(node, gast.withitem):
            node = node.context_expr
        return compiler.ast_to_source(node, include_encoding_marker=False).strip()


class _GraphFields(NamedTuple):
    entry: Any
    exit: Any
    error: Any
    index: Any
    stmt_prev: Any
    stmt_next: Any


_GraphFields.__name__ = _GraphFields.__qualname__ = "Graph"


class Graph(_GraphFields):
    """A function's control flow.

    `entry` is its first node, `exit` are those after which it returns, `error` those that raise.
    `index` has the nodes by their syntax. `stmt_prev` and `stmt_next` have the nodes that control
    comes from and goes to when it enters and leaves a statement with blocks.
    """

    def __repr__(self) -> str:
        return self.as_dot()

    def as_dot(self) -> str:
        """The graph in Graphviz's language."""
        lines = ["digraph CFG {"]
        lines += [f'  {id(node)} [label="{node}"];' for node in self.index.values()]
        for node in self.index.values():
            lines += [f"  {id(node)} -> {id(after)};" for after in node.next]
        return "\n".join([*lines, "}"])


class _WalkMode(enum.Enum):
    FORWARD = 1
    REVERSE = 2


class GraphVisitor:
    """Visits the nodes of a graph, again and again where a visit asks for it.

    Args:
      graph: the graph.
    """

    def __init__(self, graph: Graph):
        self.graph = graph
        self.reset()

    def init_state(self, node: Node) -> Any:
        """The state of a node before any visit.

        Args:
          node: the node.

        Raises:
          NotImplementedError: always: it is for subclasses.
        """
        raise NotImplementedError("Subclasses must implement this.")

    def visit_node(self, node: Node) -> bool:
        """Visits a node.

        Args:
          node: the node.

        Returns:
          Whether to visit those after it again.

        Raises:
          NotImplementedError: always: it is for subclasses.
        """
        raise NotImplementedError("Subclasses must implement this.")

    def reset(self) -> None:
        """Sets the state of all nodes to what it was before any visit."""
        nodes = self.graph.index.values()
        self.in_ = {node: self.init_state(node) for node in nodes} if self._has_state() else {}
        self.out = {node: self.init_state(node) for node in nodes} if self._has_state() else {}

    def _has_state(self) -> bool:
        return type(self).init_state is not GraphVisitor.init_state

    def visit_forward(self) -> None:
        """Visits from the entry on."""
        self._visit_internal(_WalkMode.FORWARD)

    def visit_reverse(self) -> None:
        """Visits from the exits back."""
        self._visit_internal(_WalkMode.REVERSE)

    def _visit_internal(self, mode: _WalkMode) -> None:
        forward = mode is _WalkMode.FORWARD
        waiting = collections.deque([self.graph.entry] if forward else self.graph.exit)
        seen: set[Node] = set()
        while waiting:
            node = waiting.popleft()
            seen.add(node)
            again = self.visit_node(node)
            after = node.next if forward else node.prev
            waiting.extend(other for other in after if again or other not in seen)


class _Section:
    """A function, a loop or a conditional that is being added."""

    def __init__(self) -> None:
        # Where control is after the section, besides where its last statement leaves it.
        self.exits: set[Node] = set()
        self.continues: list[tuple[Node, tuple[Any, ...]]] = []
        self.jumps: list[tuple[Node, tuple[Any, ...]]] = []
        self.entry: Any = None
        self.branches = 0


class GraphBuilder:
    """Makes a graph from statements that are added in the order of the code.

    Args:
      parent_ast_node: the function.
    """

    def __init__(self, parent_ast_node: Any):
        self.parent_ast_node = parent_ast_node
        self.reset()

    def reset(self) -> None:
        """Forgets what was added."""
        self.head: Node | None = None
        self.errors: set[Node] = set()
        self.node_index: dict[Any, Node] = {}
        # The nodes that control comes to the next one from.
        self.leaves: set[Node] = set()
        self._owners: dict[Node, frozenset[Any]] = {}
        self._open_statements: list[Any] = []
        self._statements: list[Any] = []
        self._sections: dict[Any, _Section] = {}
        self._loops: dict[Any, _Section] = {}
        self._conditionals: dict[Any, _Section] = {}
        # The first nodes of `finally` blocks, their last ones, and what jumps into them.
        self._finally_entries: dict[Any, set[Node]] = {}
        self._finally_exits: dict[Any, set[Node]] = {}
        self._finally_jumps: dict[Any, set[Node]] = collections.defaultdict(set)
        self._new_finally: list[Any] = []
        self._finally_reached: dict[Any, bool] = {}

    # Nodes

    def _connect(self, first: Iterable[Node], second: Node) -> None:
        for node in first:
            node.next.add(second)
            second.prev.add(node)

    def _add_new_node(self, ast_node: Any) -> Node:
        if ast_node in self.node_index:
            raise ValueError(f"{ast_node} added twice")
        node = Node(set(), set(), ast_node)
        self.node_index[ast_node] = node
        self._owners[node] = frozenset(self._open_statements)
        if self.head is None:
            self.head = node
        self._connect(self.leaves, node)
        # The first node of a `finally` block is also where jumps through it go.
        for section in self._new_finally:
            self._finally_entries[section] = {node}
            self._connect(self._finally_jumps[section], node)
        self._new_finally = []
        return node

    def add_ordinary_node(self, ast_node: Any) -> Node:
        """Adds a node after which comes the next."""
        node = self._add_new_node(ast_node)
        self.leaves = {node}
        return node

    def _add_jump(self, ast_node: Any, guards: Any) -> Node:
        node = self._add_new_node(ast_node)
        self.leaves = set()
        if guards:
            self._finally_jumps[guards[0]].add(node)
        return node

    def _landings(self, node: Node, guards: Any) -> set[Node]:
        """The nodes that a jump goes on from, after the `finally` blocks on its way."""
        places = {node}
        for section in guards:
            if section not in self._finally_entries:
                continue
            for entry in self._finally_entries[section]:
                self._connect(places, entry)
            places = self._finally_exits[section]
        return places

    def add_exit_node(self, ast_node: Any, section_id: Any, guards: Any) -> Node:
        """Adds a node that leaves a section.

        Args:
          ast_node: the statement.
          section_id: the section.
          guards: the `finally` blocks on the way, from the innermost.

        Returns:
          The node.
        """
        node = self._add_jump(ast_node, guards)
        self._sections[section_id].jumps.append((node, tuple(guards)))
        return node

    def add_continue_node(self, ast_node: Any, section_id: Any, guards: Any) -> None:
        """Adds a node that goes back to the beginning of a loop.

        Args:
          ast_node: the statement.
          section_id: the loop.
          guards: the `finally` blocks on the way, from the innermost.
        """
        node = self._add_jump(ast_node, guards)
        self._loops[section_id].continues.append((node, tuple(guards)))

    def add_error_node(self, ast_node: Any, guards: Any) -> None:
        """Adds a node that leaves the function by an error.

        Args:
          ast_node: the statement.
          guards: the `finally` blocks on the way: errors are not followed through them.
        """
        del guards
        self.errors.add(self._add_jump(ast_node, ()))

    # Sections

    def enter_section(self, section_id: Any) -> None:
        """Begins a section that exit nodes may leave."""
        assert section_id not in self._sections
        self._sections[section_id] = _Section()

    def exit_section(self, section_id: Any) -> None:
        """Ends a section: from its exit nodes control goes on after it."""
        for node, guards in self._sections.pop(section_id).jumps:
            self.leaves |= self._landings(node, guards)

    def enter_loop_section(self, section_id: Any, entry_node: Any) -> None:
        """Begins a loop.

        Args:
          section_id: the loop.
          entry_node: the syntax of what every round begins with.
        """
        assert section_id not in self._loops
        section = self._loops[section_id] = _Section()
        section.entry = self.add_ordinary_node(entry_node)

    def exit_loop_section(self, section_id: Any) -> None:
        """Ends a loop: control goes back to its beginning, and on from there."""
        section = self._loops.pop(section_id)
        self._connect(self.leaves, section.entry)
        for node, guards in section.continues:
            self._connect(self._landings(node, guards), section.entry)
        self.leaves = {section.entry}

    def enter_cond_section(self, section_id: Any) -> None:
        """Begins a conditional."""
        assert section_id not in self._conditionals
        self._conditionals[section_id] = _Section()

    def new_cond_branch(self, section_id: Any) -> None:
        """Begins a branch of a conditional."""
        section = self._conditionals[section_id]
        if section.branches:
            section.exits |= self.leaves
            self.leaves = set(section.entry)
        else:
            section.entry = frozenset(self.leaves)
        section.branches += 1

    def exit_cond_section(self, section_id: Any) -> None:
        """Ends a conditional: from all its branches control goes on after it."""
        self.leaves |= self._conditionals.pop(section_id).exits

    def enter_finally_section(self, section_id: Any) -> None:
        """Begins a `finally` block."""
        self._finally_reached[section_id] = bool(self.leaves)
        self._new_finally.append(section_id)

    def exit_finally_section(self, section_id: Any) -> None:
        """Ends a `finally` block: control goes on after it only if it came there without a jump."""
        self._finally_exits[section_id] = set(self.leaves)
        if not self._finally_reached.pop(section_id):
            self.leaves = set()

    # Statements

    def begin_statement(self, stmt: Any) -> None:
        """Begins a statement with blocks."""
        self._open_statements.append(stmt)
        self._statements.append(stmt)

    def end_statement(self, stmt: Any) -> None:
        """Ends a statement with blocks."""
        self._open_statements.remove(stmt)

    def build(self) -> Graph:
        """The graph of what was added, which is then forgotten."""
        before: dict[Any, set[Node]] = {stmt: set() for stmt in self._statements}
        after: dict[Any, set[Node]] = {stmt: set() for stmt in self._statements}
        for node in self.node_index.values():
            for other in node.next:
                for stmt in self._owners[other] - self._owners[node]:
                    before[stmt].add(node)
                for stmt in self._owners[node] - self._owners[other]:
                    after[stmt].add(other)
        for node in self.node_index.values():
            node.freeze()
        graph = Graph(
            entry=self.head,
            exit=self.leaves,
            error=self.errors,
            index=self.node_index,
            stmt_prev={stmt: frozenset(nodes) for stmt, nodes in before.items()},
            stmt_next={stmt: frozenset(nodes) for stmt, nodes in after.items()},
        )
        self.reset()
        return graph


class AstToCfg(gast.NodeVisitor):
    """Makes the graphs of a tree's functions, in `cfgs`."""

    # Before any function there is none: statements out of functions have no graph.
    builder: Any

    def __init__(self) -> None:
        self.builder = None
        self.cfgs: dict[Any, Graph] = {}
        self._enclosing: list[Any] = []

    def _jump(self, node: Any, *kinds: type) -> tuple[Any, list[Any]]:
        """What a jump leaves, and the `finally` blocks that are on its way."""
        guards = []
        for place in reversed(self._enclosing):
            if isinstance(place, gast.Try):
                if place.finalbody:
                    guards.append(place)
            elif isinstance(place, kinds):
                return place, guards
        raise ValueError(f"{node} that is not enclosed by any of {kinds}")

    def _basic(self, node: Any) -> None:
        self.generic_visit(node)
        self.builder.add_ordinary_node(node)

    visit_Assign = visit_AnnAssign = visit_AugAssign = visit_Expr = visit_Print = _basic
    visit_Pass = visit_Global = visit_Nonlocal = visit_Delete = visit_Assert = _basic
    visit_withitem = _basic

    def visit_Return(self, node: Any) -> None:
        """Leaves the function."""
        self.generic_visit(node)
        section, guards = self._jump(node, gast.FunctionDef)
        self.builder.add_exit_node(node, section, guards)

    def visit_Raise(self, node: Any) -> None:
        """Leaves the function by an error."""
        self.generic_visit(node)
        _, guards = self._jump(node, gast.FunctionDef)
        self.builder.add_error_node(node, guards)

    def visit_Break(self, node: Any) -> None:
        """Leaves the loop."""
        section, guards = self._jump(node, gast.While, gast.For)
        self.builder.add_exit_node(node, section, guards)

    def visit_Continue(self, node: Any) -> None:
        """Goes back to the beginning of the loop."""
        section, guards = self._jump(node, gast.While, gast.For)
        self.builder.add_continue_node(node, section, guards)

    def _visit_all(self, nodes: Any) -> None:
        for node in nodes:
            self.visit(node)

    def visit_ClassDef(self, node: Any) -> None:
        """Is one node; its methods have graphs of their own."""
        around, self.builder = self.builder, GraphBuilder(node)
        self._visit_all(node.body)
        self.builder = around
        self.builder.add_ordinary_node(node)

    def visit_FunctionDef(self, node: Any) -> None:
        """Is one node in the function around it, and has a graph of its own."""
        around = self.builder
        if around is not None:
            around.add_ordinary_node(node)
        enclosing, self._enclosing = self._enclosing, [node]
        builder = self.builder = GraphBuilder(node)
        builder.enter_section(node)
        self._basic(node.args)
        self._visit_all(node.body)
        builder.exit_section(node)
        self.cfgs[node] = builder.build()
        self._enclosing, self.builder = enclosing, around

    def visit_If(self, node: Any) -> None:
        """Goes into one of two blocks."""
        self.builder.begin_statement(node)
        self.builder.enter_cond_section(node)
        self._basic(node.test)
        for block in (node.body, node.orelse):
            self.builder.new_cond_branch(node)
            self._visit_all(block)
        self.builder.exit_cond_section(node)
        self.builder.end_statement(node)

    def _loop(self, node: Any, entry: Any) -> None:
        builder = self.builder
        builder.begin_statement(node)
        builder.enter_section(node)
        self.generic_visit(entry)
        builder.enter_loop_section(node, entry)
        self._enclosing.append(node)
        self._visit_all(node.body)
        self._enclosing.pop()
        builder.exit_loop_section(node)
        self._visit_all(node.orelse)
        builder.exit_section(node)
        builder.end_statement(node)

    def visit_While(self, node: Any) -> None:
        """Goes round while its test holds."""
        self._loop(node, node.test)

    def visit_For(self, node: Any) -> None:
        """Goes round for the items."""
        self._loop(node, node.iter)

    def visit_ExceptHandler(self, node: Any) -> None:
        """A block that control may come into when the block that it handles errors of has ended."""
        self.builder.begin_statement(node)
        self._visit_all(node.body)
        self.builder.end_statement(node)

    def visit_Try(self, node: Any) -> None:
        """Goes through a block, perhaps others and the last one."""
        builder = self.builder
        builder.begin_statement(node)
        self._enclosing.append(node)
        self._visit_all(node.body)
        self._enclosing.pop()
        for blocks in ([node.orelse] if node.orelse else [], [[item] for item in node.handlers]):
            if not blocks:
                continue
            key = (node, len(blocks), blocks[0] is node.orelse)
            builder.enter_cond_section(key)
            for block in (*blocks, ()):
                builder.new_cond_branch(key)
                self._visit_all(block)
            builder.exit_cond_section(key)
        if node.finalbody:
            builder.enter_finally_section(node)
            self._visit_all(node.finalbody)
            builder.exit_finally_section(node)
        builder.end_statement(node)

    def visit_With(self, node: Any) -> None:
        """Goes through its items and its block."""
        self._visit_all(node.items)
        self._visit_all(node.body)


def build(node: Any) -> dict[Any, Graph]:
    """The graphs of a tree's functions.

    Args:
      node: the tree.

    Returns:
      The graphs by the functions' nodes.
    """
    visitor = AstToCfg()
    visitor.visit(node)
    return visitor.cfgs
