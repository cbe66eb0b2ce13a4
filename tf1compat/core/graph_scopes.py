"""What is current while a graph is recorded, and put back afterwards: the graph itself, name
scopes, control dependencies, and all scopes of a thread."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from tf1compat.core import context
from tf1compat.core.operation import Operation

if TYPE_CHECKING:
    from tf1compat.core.graph import Graph

VALID_OP_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\-/]*$")
VALID_SCOPE_NAME = re.compile(r"^[A-Za-z0-9_.\-/]*$")


# What a new thread of a graph that has switched to scopes of threads inherits in TF.
INHERITED_SCOPES = ("_device_stack", "_colocation_scopes", "_control_stack")


class ThreadScopes:
    """The scopes that one of several threads records a graph in; no two of them do so at once.

    Args:
      graph: the graph.
    """

    def __init__(self, graph: Graph):
        graph.switch_to_thread_local()
        assert graph._first_scopes is not None
        self._graph = graph
        self._scopes = {
            **{name: list(stack) for name, stack in graph._first_scopes.items()},
            "_name_stack": "",
            "_variable_creators": [],
            "_auto_cast_variable_read_dtype": None,
            "_distribution_strategy_stack": [],
        }

    def swap(self) -> None:
        """Makes these the graph's scopes, and keeps those that were."""
        graph, mine = self._graph, self._scopes
        self._scopes = {name: getattr(graph, name) for name in mine}
        for name, scope in mine.items():
            setattr(graph, name, scope)


class Colocation(NamedTuple):
    """One level of `with graph.colocate_with(op)`, and the line that it is on."""

    op: Operation
    file: str
    line: int


class UnplacedOperation:
    """Stands for an operation where device functions are asked what they would say."""

    device = type = name = ""
    _device_scopes: Any = ()

    @property
    def node_def(self) -> UnplacedOperation:
        return self

    @property
    def op(self) -> str:
        return self.type

    def _set_device_from_string(self, device: str) -> None:
        self.device = device


class DefaultGraph(context.LeftWhenDropped):
    def __init__(self, graph: Graph):
        self._graph = graph

    def __enter__(self) -> Graph:
        thread = context.thread
        graph = self._graph
        thread.graphs.append(graph)
        thread.switches.append((graph.building_function, graph.as_default, graph._device_stack))
        self._mode = thread.eager
        thread.eager = False
        self._entered = True
        return graph

    def __exit__(self, *exc_info: Any) -> None:
        self._entered = False
        thread = context.thread
        thread.eager = self._mode
        thread.switches.pop()
        if not thread.graphs:  # A test case has reset them meanwhile.
            return
        if thread.graphs[-1] is not self._graph:
            raise AssertionError(
                f"Nesting violated for default stack of {type(self._graph)} objects"
            )
        thread.graphs.pop()


class NameScope(context.LeftWhenDropped):
    def __init__(self, graph: Graph, name: Any):
        self._graph = graph
        self._name = name.decode() if isinstance(name, bytes) else name

    def __enter__(self) -> str:
        graph, name = self._graph, self._name
        before = self._before = graph._name_stack
        if name:
            pattern = VALID_SCOPE_NAME if before else VALID_OP_NAME
            if not pattern.match(name):
                raise ValueError(f"'{name}' is not a valid scope name")
            graph._name_stack = name[:-1] if name[-1] == "/" else graph.unique_name(name)
        else:
            graph._name_stack = ""
        self._entered = True
        return graph._name_stack + "/" if graph._name_stack else ""

    def __exit__(self, *exc_info: Any) -> None:
        self._entered = False
        self._graph._name_stack = self._before


class ControlDependencies:
    """The `with` block of `control_dependencies`."""

    def __init__(self, graph: Graph, ops: list[Operation], clears: bool = False):
        self._graph = graph
        self.ops = ops
        self.seen: set[Operation] = set()
        self._clears = clears

    def __enter__(self) -> None:
        graph = self._graph
        self._before = graph._control_stack
        if self._clears:
            self._context = graph._control_flow_context
            graph._control_flow_context = None
            graph._control_stack = [self]
        else:
            graph._control_stack = [*self._before, self]

    def __exit__(self, *exc_info: Any) -> None:
        self._graph._control_stack = self._before
        if self._clears:
            self._graph._control_flow_context = self._context
