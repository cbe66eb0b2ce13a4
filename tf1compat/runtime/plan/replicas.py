"""Computations for several replicas (`tf.tpu.replicate`), written out before a run is planned.

What hangs on the replica is there once for each; all else once. What replicas exchange is a
function of the values of them all (`OpSpec.among`), as a sum is `AddN`. So `towers.group` has a
device run each replica where there are as many, and one device runs them all where there are not.

Variables are one for all, as the replicas of a TPU write theirs back: what is written is what the
first replica writes. Each replica draws random numbers of its own, the first one those of a
computation that has no other.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable
from typing import Any

from tf1compat.core import errors, op_registry
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.function_def import GraphFunction
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan import calls, loops
from tf1compat.runtime.plan import steps as step_lib

MARK = "_tpu_replicate"
_NONE: frozenset[tuple[Tensor, int]] = frozenset()
# Between the second seeds of an operation in two replicas.
_SEED_STEP = 0x9E3779B97F4A7C15


def expand(ops: list[Any], targets: Iterable[Operation], feeds: set[Tensor]) -> list[Any]:
    """`ops` with the operations of each replica in place of computations for several.

    Args:
      ops: the operations of a run, calls expanded.
      targets: those that the run is asked for.
      feeds: tensors whose values are given.

    Raises:
      UnimplementedError: replicas exchange values where only some of them may be.
    """
    counts = {
        op._attrs[MARK]: op._attrs["num_replicas"]
        for op in ops
        if op._spec.replicas == "count" and MARK in op._attrs
    }
    for mark, count in counts.items():
        if count > 1:
            ops = _Computation(ops, mark, count, feeds).written_out(set(targets))
    return ops


def _mark(op: Any) -> Any:
    """The computation that an operation belongs to, or the call whose body it is in."""
    while op is not None and MARK not in op._attrs:
        op = op._call if isinstance(op, calls.Return) else calls.call_of(op)
    return None if op is None else op._attrs[MARK]


class _Computation:
    """A computation for several replicas."""

    def __init__(self, ops: list[Any], mark: bytes, count: int, feeds: set[Tensor]):
        self._count = count
        self._feeds = feeds
        self._outside = [op for op in ops if _mark(op) != mark]
        self._inside = sorted((op for op in ops if _mark(op) == mark), key=lambda op: op._id)
        self._members = set(self._inside)
        # Calls of functions are known by what stands at the end of their bodies.
        self._step_of = {m: op for op in self._inside for m in step_lib.members(op)}
        self._step_of |= {op: op for op in self._inside}
        self._functions = {op: self._exchange(op) for op in self._inside if op._spec.among}
        frames = loops.frames_of(ops, feeds) if any(o._spec.loop for o in self._inside) else {}
        self._frames = {op: frames.get(op, ()) for op in self._inside}
        # The branches of conditionals, of which not all replicas need take the same, that an
        # operation is in: (predicate, which branch).
        self._torn: dict[Any, frozenset[tuple[Tensor, int]]] = {}
        self._varying: set[Any] = set()  # hangs on the replica
        self._find_varying()
        self._tensors: dict[tuple[Tensor, int], Tensor] = {}
        self._copies: dict[tuple[Any, int], Any] = {}

    # What hangs on the replica.

    def _find_varying(self) -> None:
        apart: set[Any] = set()  # loops whose number of turns does
        while True:
            changed = False
            for op in self._inside:
                torn = self._branches_of(op)
                varies = op not in self._varying and self._varies(op, apart, torn)
                changed = changed or varies or torn != self._torn.get(op, _NONE)
                self._torn[op] = torn
                if varies:
                    self._varying.add(op)
            if not changed:
                break
            apart |= {self._frames[op] for op in self._varying if op._spec.loop == "cond"}
        for op in self._functions:
            if self._torn[op] or self._is_apart(op, apart):
                raise errors.UnimplementedError(
                    op.node_def,
                    op,
                    f"{op.type} in a conditional or a loop that is not the same for all "
                    f"{self._count} replicas is not supported by tf1compat",
                )
        self._apart = apart

    def _is_apart(self, op: Any, apart: set[Any]) -> bool:
        frame = self._frames[op]
        return any(frame[:depth] in apart for depth in range(1, len(frame) + 1))

    def _branches_of(self, op: Any) -> frozenset[tuple[Tensor, int]]:
        gates = (self._step_of.get(gate) for gate in step_lib.gates(op))
        found = [self._torn.get(gate, _NONE) for gate in gates]
        own = [self._branches_of_tensor(t) for t in (*op._inputs, *step_lib.gate_tensors(op))]
        if op._spec.merges:  # of both branches
            own = [own[0].intersection(*own[1:])]
        return _NONE.union(*found, *own)

    def _branches_of_tensor(self, tensor: Tensor) -> frozenset[tuple[Tensor, int]]:
        op = None if tensor in self._feeds else self._step_of.get(tensor._op)
        if op is None:
            return _NONE
        found = self._torn.get(op, _NONE)
        if op._spec.is_switch and op._inputs[1]._op._spec.loop != "cond":
            if self._tensor_varies(op._inputs[1]):
                return found | {(op._inputs[1], tensor._value_index)}
        return found

    def _sources(self, op: Any) -> list[Any]:
        made_by = [t._op for t in op._inputs if t not in self._feeds]
        found = (self._step_of.get(source) for source in (*made_by, *op._control_inputs))
        return [source for source in found if source is not None]

    def _varies(self, op: Any, apart: set[Any], torn: Collection[Any]) -> bool:
        spec = op._spec
        if spec.replicas == "count" or spec.writes or _is_source(op):
            return False
        if spec.among is not None:
            return len(set(self._functions[op].outputs)) > 1
        if torn or self._is_apart(op, apart):
            return True
        acts = spec.random or spec.effect or (_is_stateful(op) and not spec.reads)
        return acts and not _only_waits(op) or any(map(self._tensor_varies, op._inputs))

    def _tensor_varies(self, tensor: Tensor) -> bool:
        if tensor in self._feeds:
            return False
        op = self._step_of.get(tensor._op)
        if op is not None:
            return op in self._varying
        return tensor._op._spec.replicas == "takes" and len(set(tensor._op._inputs)) > 1

    # The operations of each replica.

    def written_out(self, targets: set[Operation]) -> list[Any]:
        """All operations of the run."""
        made: list[Any] = []
        for op in self._inside:
            if op._spec.replicas != "count" and not _is_source(op):
                made += self._copied(op)
        for op in self._inside:
            for replica in range(self._count):
                step = self._copies.get((op, replica))
                if step is not None and (not replica or op in self._varying):
                    self._wire(op, step, replica)
        kept: list[Any] = []
        for op in self._outside:
            if op._spec.replicas == "gives" and self._inner(op._inputs[0]):
                kept.append(self._gives(op))
            elif op._spec.replicas != "takes" or not self._is_taken(op):
                kept.append(op)
        kept += [op for op in self._inside if _is_source(op)]
        seen = {c for op in kept for c in (*(t._op for t in op._inputs), *op._control_inputs)}
        for op in self._inside:
            asked = [m for m in (op, *step_lib.members(op)) if m in seen or m in targets]
            if asked and not _is_source(op):
                kept.append(self._seen_from_outside(op, asked[0]))
        return calls.expand([*kept, *_needed(made, kept)])

    def _copied(self, op: Any) -> list[Any]:
        """The copies of an operation, of which the inputs are not theirs yet."""
        gap = getattr(op, "_gap", 1.0) / (self._count + 1)
        if op in self._functions:
            step = _Exchange(op, self._functions[op], gap)
            for replica in range(self._count):
                self._copies[op, replica] = step
                shared = len(step._outputs) == 1
                output = step._outputs[0 if shared else replica]
                self._tensors[op._outputs[0], replica] = output
            return [step]
        found = []
        varies = op in self._varying
        for replica in range(self._count):
            if replica and not varies:
                step = found[0]
            else:
                step = self._copy(op, replica, op._id + replica * gap, gap)
                step.replica = replica if varies else None
                found.append(step)
            self._copies[op, replica] = step
            for own, output in zip(op._outputs, step._outputs, strict=True):
                self._tensors[own, replica] = output
        return found

    def _copy(self, op: Any, replica: int, number: float, gap: float) -> Any:
        if isinstance(op, calls.Return):
            step: Any = copy.copy(op)
            step.members = ()
            step._id = number
            step._outputs = [calls.output_of(step, tensor) for tensor in op._outputs]
            return step
        # The turns of a loop are counted once, if all replicas go through as many.
        together = op._spec.loop == "enter" and not self._is_apart(op, self._apart)
        graph = calls.InReplica(op._graph, replica) if replica and not together else op._graph
        step = calls.Copy(op, graph, number, gap)
        seeds = op._attrs.get("seed", 0), op._attrs.get("seed2", 0)
        if op._spec.random and replica and any(seeds):
            moved = (seeds[1] + replica * _SEED_STEP) & 0xFFFFFFFFFFFFFFFF
            step._attrs = {**op._attrs, "seed2": moved - (moved >> 63 << 64)}
        return step

    def _wire(self, op: Any, step: Any, replica: int) -> None:
        """Gives a copy its inputs."""
        own = range(self._count) if op in self._functions else [replica]
        step._inputs = [self._of(tensor, i) for i in own for tensor in op._inputs]
        alone = op in self._varying or self._torn[op]
        which = [replica] if alone else range(self._count)
        step._control_inputs = list(
            dict.fromkeys(c for i in which for c in self._waits(op._control_inputs, i))
        )
        gates = step_lib.gate_tensors(op)
        step.gate_tensors = tuple(self._of(tensor, replica) for tensor in gates)
        if isinstance(op, calls.Return):
            step.gates = self._waits(op.gates, replica)

    def _of(self, tensor: Tensor, replica: int) -> Tensor:
        """What stands for a tensor in a replica."""
        if tensor in self._feeds:
            return tensor
        if tensor._op._spec.replicas == "takes":
            return tensor._op._inputs[replica]
        return self._tensors.get((tensor, replica), tensor)

    def _waits(self, controls: Iterable[Any], replica: int) -> list[Any]:
        """What stands for control inputs in a replica."""
        found: list[Any] = []
        for control in controls:
            op = self._step_of.get(control)
            if op is None or _is_source(op):
                found.append(control)
            elif op._spec.replicas == "count":
                found += op._control_inputs
            elif self._torn[op] and op not in self._varying and replica:
                # It writes, and that only if the first replica does; this one does not wait.
                found += self._waits([*self._sources(op), *op._control_inputs], replica)
            else:
                found.append(self._copies[op, replica])
        return found

    # What is around the computation.

    def _inner(self, tensor: Tensor) -> bool:
        return tensor not in self._feeds and tensor._op in self._step_of

    def _is_taken(self, op: Any) -> bool:
        """Whether nobody but the computation takes what an operation gives to the replicas."""
        users = [o for o in self._outside if o is not op]
        return not any(op._outputs[0] in o._inputs or op in o._control_inputs for o in users)

    def _gives(self, op: Any) -> Any:
        results = [self._of(op._inputs[0], replica) for replica in range(self._count)]
        step = calls.Return(op, results, [], self._everywhere(op._control_inputs))
        step.gates = []
        return step

    def _seen_from_outside(self, op: Any, asked: Any) -> Any:
        """What stands for an operation inside that somebody outside takes from or waits for: its
        values in the first replica, and all replicas."""
        results = [self._of(tensor, 0) for tensor in asked._outputs]
        step = calls.Return(asked, results, [], self._everywhere([op]))
        step.gates = []
        return step

    def _everywhere(self, controls: Iterable[Any]) -> list[Any]:
        controls = list(controls)
        copies = (self._waits(controls, replica) for replica in range(self._count))
        return list(dict.fromkeys(c for found in copies for c in found))

    def _exchange(self, op: Any) -> GraphFunction:
        """The function that gives each replica its output, of the inputs of all."""
        graph = FuncGraph(f"{op._name}_among_{self._count}")
        with graph.as_default():
            inputs = [
                [graph.placeholder(t._dtype, t.shape) for t in op._inputs]
                for _ in range(self._count)
            ]
            outputs = list(op._spec.among(op, inputs))
        if len(set(outputs)) == 1:
            outputs = outputs[:1]
        return GraphFunction(graph.name, graph, [t for own in inputs for t in own], outputs)


class _Exchange(calls.Copy):
    """Stands for an operation by which replicas exchange values, in all of them: a call."""

    def __init__(self, op: Operation, function: GraphFunction, gap: float):
        super().__init__(op, op._graph, op._id, gap)
        (output,) = op._outputs
        self._outputs = [calls.output_of(self, output) for _ in function.outputs]
        self._output_dtypes = [output._dtype] * len(self._outputs)
        self._spec = op_registry.OpSpec(op.type)
        self._spec.where = __file__
        self._spec.calls = lambda _: function


def _is_source(op: Any) -> bool:
    """Whether an operation is a variable of the session: one, for all replicas."""
    return op._spec.source and not op._spec.local


def _is_stateful(op: Any) -> bool:
    return isinstance(op, Operation) and op._is_stateful


def _only_waits(op: Any) -> bool:
    """Whether an operation has an effect on nothing: others wait for it."""
    return not op._inputs and not op._outputs and not _is_stateful(op)


def _needed(made: Collection[Any], kept: Iterable[Any]) -> list[Any]:
    """Those copies that something else needs, or that do more than computing values."""
    owner = {m: op for op in made for m in (op, *step_lib.members(op))}
    found: dict[Any, None] = {}
    stack = [op for op in made if op._spec.writes or op._spec.effect]
    for op in kept:
        sources = (*(t._op for t in op._inputs), *op._control_inputs)
        stack += [owner[source] for source in sources if source in owner]
    while stack:
        op = stack.pop()
        if op not in found:
            found[op] = None
            gates = (t._op for t in step_lib.gate_tensors(op))
            sources = (*(t._op for t in op._inputs), *op._control_inputs, *gates)
            stack += [owner[source] for source in sources if source in owner]
    return list(found)
