"""Calls of library functions, replaced by the functions' bodies before a run is planned.

So a body is pruned, ordered and split into regions and host steps like what is around it: it may
print, call Python, draw random numbers and update variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tf1compat.core import dtypes, errors, op_registry
from tf1compat.core.attribute import attribute
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan.feeds import is_constant
from tf1compat.runtime.plan.references import is_view


def expand(ops: Iterable[Any], every: bool = True) -> list[Any]:
    """`ops` with the body of the called function and a `Return` in place of every call.

    Args:
      ops: operations.
      every: whether to do so with calls that have a lowering, too.
    """
    expanded: list[Any] = []
    # Calls inside calls are pushed, so that Python's recursion limit is not met.
    waiting = [(op, every) for op in ops]
    waiting.reverse()
    while waiting:
        op, always = waiting.pop()
        function = _called(op) if always or op._spec.lower is None else None
        if function is None:
            expanded.append(op)
        else:
            waiting.extend((copy, True) for copy in reversed(_copied(op, function)))
    return expanded


def _called(op: Any) -> Any:
    """The library function that `op` calls, or None."""
    spec: op_registry.OpSpec = op._spec
    if spec.calls is not None:
        return spec.calls(op)
    # A function that was declared by itself is an op type of its graph.
    return (
        op._graph._get_function(spec.name) if spec.op_def is None and not spec.supported else None
    )


def _refuse_recursion(call: Operation, function: Any) -> None:
    """Raises InvalidArgumentError if `call` is in the body of the function that it calls."""
    graph: Any = call._graph
    # Whoever comes back does so again, so it is enough to look at depths that double.
    if isinstance(graph, _Inside) and graph._depth & (graph._depth - 1):
        return
    while isinstance(graph, _Inside):
        if graph._function is function:
            text = f"Function {function.name} calls itself: its body never ends"
            raise errors.InvalidArgumentError(call.node_def, call, text)
        graph = graph._call._graph


def _check_dtypes(call: Operation, function: Any) -> None:
    """Raises InvalidArgumentError if an argument is not of the dtype that the body takes."""
    for i, (taken, given) in enumerate(zip(function.inputs, call._inputs, strict=True)):
        if taken._dtype.base_dtype is not given._dtype.base_dtype:
            raise errors.InvalidArgumentError(
                call.node_def,
                call,
                f"Expects arg[{i}] to be {dtypes.cpp_name(taken._dtype)} but "
                f"{dtypes.cpp_name(given._dtype)} is provided",
            )


def _copied(call: Operation, function: Any) -> list[Any]:
    """Copies of a body's operations with the call's inputs in place of its own, and the
    `Return`."""
    _refuse_recursion(call, function)
    _check_dtypes(call, function)
    inside = _Inside(call, function)
    # An argument is a value: what reads it would not be told from another view of its variable.
    reads = [Argument(call, t) if is_view(t) else None for t in call._inputs]
    passed = [t if r is None else r._outputs[0] for t, r in zip(call._inputs, reads)]
    given = dict(zip(function.inputs, passed, strict=True))
    outcomes = acting(call, function)
    body = sorted(
        _needed([t._op for t in function.outputs] + outcomes, given), key=lambda op: op._id
    )
    gap = getattr(call, "_gap", 1.0) / (len(body) + 2)
    for read in filter(None, reads):
        read._id = call._id - (len(body) + 1) * gap
    copies: dict[Operation, Copy] = {}
    tensors: dict[Tensor, Tensor] = dict(given)
    for i, op in enumerate(body):
        copies[op] = copy = Copy(op, inside, call._id - (len(body) - i) * gap, gap)
        tensors.update(zip(op._outputs, copy._outputs, strict=True))
    # What a dead call contains must not run either, and what it does comes after what the call
    # waits for.
    waits = list(dict.fromkeys([*call._control_inputs, *(t._op for t in call._inputs)]))
    # A Switch is never dead, but what it hands on may be.
    gates = tuple(t for t in call._inputs if t._op._spec.is_switch) + getattr(
        call, "gate_tensors", ()
    )
    follows = {inside for inside, t in given.items() if not is_constant(t._op)}
    for op, copy in copies.items():
        copy._inputs = [tensors[t] for t in op._inputs]
        inside_the_call: list[Operation] = [copies[c] for c in op._control_inputs if c in copies]
        # What hangs on no input belongs to the call nevertheless.
        apart = follows.isdisjoint(op._inputs) and not is_constant(op)
        if apart or not follows.isdisjoint(op._inputs):
            follows.update(op._outputs)
        copy._control_inputs = inside_the_call
        if apart or _matters(op):
            copy._control_inputs = [*inside_the_call, *waits]
            copy.gate_tensors = gates
    results = [tensors[t] for t in function.outputs]
    done = [copies[op] for op in outcomes if op in copies]
    made = [*filter(None, reads), *copies.values()]
    return [*made, Return(call, results, waits, done, gates)]


def acting(call: Operation, function: Any) -> list[Operation]:
    """The operations of the called function's body that run although no result may need them."""
    if call._spec.prunes:
        return function.control_outputs
    return [op for op in function.graph._operations if _matters(op)]


def _matters(op: Operation) -> bool:
    """Whether it matters that `op` runs, besides the values that it computes."""
    return op._is_stateful or bool(op._spec.writes) or op._spec.effect


def _needed(targets: list[Operation], given: dict[Tensor, Tensor]) -> set[Operation]:
    needed: set[Operation] = set()
    inputs = {tensor._op for tensor in given}
    stack = list(targets)
    while stack:
        op = stack.pop()
        if op not in needed and op not in inputs:
            needed.add(op)
            stack.extend(tensor._op for tensor in op._inputs if tensor not in given)
            stack.extend(op._control_inputs)
    return needed


class _Inside:
    """The graph of the copies that one call is expanded to: the same one for every program."""

    def __init__(self, call: Operation, function: Any):
        around: Any = call._graph
        self._call = call
        self._function = function
        nested = isinstance(around, _Inside)
        self._depth = around._depth + 1 if nested else 1
        self._outermost = around._outermost if nested else around
        # One text, not tuples in tuples, however deep the call is.
        before = around.scope[1] if nested else ""
        self.scope = (self._outermost, f"{before}{call._name}\0{function.name}\0")
        self.resource_prefix = function.graph.resource_prefix

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Inside) and self.scope == other.scope

    def __hash__(self) -> int:
        return hash(self.scope)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._outermost, name)

    def _get_function(self, name: str) -> Any:
        found = self._outermost._get_function(name)
        inside = []
        graph: Any = self
        while found is None and isinstance(graph, _Inside):
            inside.append(graph._function.graph)
            graph = graph._call._graph
        while found is None and inside:
            found = inside.pop()._get_function(name)
        return found


class InReplica:
    """The graph of the copies that one replica runs: the same one for every program.

    Args:
      around: the graph of what is copied.
      number: of the replica.
    """

    def __init__(self, around: Any, number: int):
        self._around = around
        self.scope = (scope_of(around), number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InReplica) and self.scope == other.scope

    def __hash__(self) -> int:
        return hash(self.scope)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._around, name)


def scope_of(graph: Any) -> Any:
    """What tells the operations of a graph, or of one call or replica in it, from others of their
    name."""
    return graph.scope if isinstance(graph, _Inside | InReplica) else graph


def call_of(op: Any) -> Operation | None:
    """The call whose body an operation is a copy of a part of; None for one of a graph."""
    graph = op._graph
    while isinstance(graph, InReplica):
        graph = graph._around
    return graph._call if isinstance(graph, _Inside) else None


class Copy(Operation):
    """An operation of a function's body as one call runs it, or of a computation as one replica
    does; no graph lists it.

    Args:
      op: what it is a copy of.
      inside: stands for its graph.
      number: where it stands in the order of creation.
      gap: how far it is from there to the next one.
    """

    def __init__(self, op: Operation, inside: Any, number: float, gap: float):
        self.__dict__.update(op.__dict__)
        self._graph = inside
        self._id: Any = number
        self._gap = gap
        self.gate_tensors: tuple[Tensor, ...] = ()
        self._outputs = [output_of(self, tensor) for tensor in op._outputs]


def output_of(step: Any, tensor: Tensor) -> Tensor:
    """A tensor like another one, as the output of `step`."""
    output = object.__new__(Tensor)
    output.__dict__.update(tensor.__dict__)
    output.__dict__.pop("_unknown_since", None)
    output._op = step
    return output


class Return:
    """Hands the results of a body to the outputs of its call.

    It has the attributes of an `Operation` that the plan and the interpreter look at.
    """

    def __init__(
        self,
        call: Operation,
        results: list[Tensor],
        waits: list[Operation],
        done: Sequence[Operation],
        gate_tensors: tuple[Tensor, ...] = (),
    ):
        self.members = (call,)
        self._name = self.name = call._name
        self.type = call.type
        self._id = call._id
        self._graph = call._graph
        self._call = call
        self._inputs = results
        self._control_inputs = [*waits, *done]
        # What the body does in a branch that is not taken does not keep the call from returning.
        self.gates = waits
        self.gate_tensors = gate_tensors
        self._outputs = call._outputs
        self._output_dtypes = call._output_dtypes
        self._attrs: dict[str, Any] = {}
        self._spec = _RETURN

    definition: tuple[str, int] = attribute("_call.definition")
    traceback = attribute("_call.traceback")
    node_def = attribute("_call.node_def")


class Argument(Return):
    """Reads the variable of which a call's argument is a view."""

    def __init__(self, call: Operation, view: Tensor):
        super().__init__(call, [view], [], [])
        self._id: Any = call._id
        self._outputs = [output_of(self, view)]
        self._output_dtypes = [view._dtype]
        self._spec = _ARGUMENT


def _make_spec(name: str, passes_refs: bool) -> op_registry.OpSpec:
    def same(*values: Any) -> list[Any]:
        return list(values)

    spec = op_registry.OpSpec(name)
    spec.where = __file__
    spec.lower = op_registry.Rule(same, None, ())
    spec.fold = op_registry.Rule(same, None, ())
    spec.autodiff = True
    spec.passes_refs = passes_refs
    return spec


_RETURN = _make_spec("Return", passes_refs=True)
_ARGUMENT = _make_spec("Argument", passes_refs=False)
