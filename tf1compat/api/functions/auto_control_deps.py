"""Control edges that make a function's operations with effects run, in program order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops
from tf1compat.core import dtypes, nest, ops, tf_decorator

# Would deadlock if they waited for each other.
ASYNC_STATEFUL_OPS = [
    "CollectiveGather",
    "CollectiveReduce",
    "CollectiveBcastSend",
    "CollectiveBcastRecv",
    "NcclAllReduce",
]
# Stateful in TF, but free to run in any order: initial values of variables use them.
LEGACY_RANDOM_OPS = [
    "RandomUniform",
    "RandomUniformInt",
    "RandomStandardNormal",
    "ParameterizedTruncatedNormal",
    "TruncatedNormal",
    "RandomShuffle",
    "Multinomial",
    "RandomGamma",
    "RandomGammaGrad",
    "RandomPoisson",
    "RandomPoissonV2",
]
_UNORDERED = {*ASYNC_STATEFUL_OPS, *LEGACY_RANDOM_OPS}


def op_is_stateful(op: ops.Operation) -> bool:
    """Whether `op` has to run, and in its place, if the function runs."""
    return op._is_stateful and op.type not in _UNORDERED


class AutomaticControlDependencies:
    """Context manager: operations with effects made inside get control edges when it ends.

    Each waits for the one before it on the same resource (or, if it has none, for the one before it
    without); what is marked as a result waits for all. As in TF 1.15.

    Attributes:
      ops_which_must_run: set at the end: the operations that a call of the function has to run.
    """

    def __init__(self) -> None:
        self._returned: dict[int, ops.Tensor] = {}
        self.ops_which_must_run: dict[ops.Operation, None] = {}

    def mark_as_return(self, value: Any) -> Any:
        """A copy of a result, that waits for all operations with effects.

        Args:
          value: a tensor, an `IndexedSlices`, a `SparseTensor` or a `TensorArray`.
        """

        def mark(tensor: Any) -> Any:
            copy = array_ops.identity(tensor)
            self._returned[id(copy)] = copy
            return copy

        if isinstance(value, ops.Tensor):
            return mark(value)
        if isinstance(value, ops.IndexedSlices):
            values = mark(value.values)
            return ops.IndexedSlices(values, mark(value.indices), value.dense_shape)
        if hasattr(value, "flow"):
            return tensor_array_ops.build_ta_with_new_flow(value, mark(value.flow))
        values = mark(value.values)
        return type(value)(mark(value.indices), values, value.dense_shape)

    def __enter__(self) -> AutomaticControlDependencies:
        self._graph: Any = ops.get_default_graph()
        self._graph._add_control_dependencies = True
        self._before = len(self._graph._operations)
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        graph = self._graph
        if graph is not ops.get_default_graph():
            raise RuntimeError("Graph changed while trying to add control dependencies.")
        outer = getattr(graph, "outer_graph", None)
        graph._add_control_dependencies = getattr(outer, "_add_control_dependencies", False)
        order = _Order()
        for op in graph._operations[self._before :]:
            order.add(op)
        self.ops_which_must_run.update(order.must_run)
        for tensor in self._returned.values():
            wait_for = _of_context(self.ops_which_must_run, tensor.op._control_flow_context)
            if wait_for:
                tensor.op._add_control_inputs(wait_for)


def _of_context(operations: Iterable[ops.Operation], context: Any) -> list[ops.Operation]:
    return [op for op in operations if op._control_flow_context is context]


def _in_while_loop(op: ops.Operation) -> bool:
    context = op._control_flow_context
    while context is not None:
        if context.IsWhileContext():
            return True
        context = context.outer_context
    return False


class _Order:
    """The order of effects, found by going through the operations in the order of creation.

    In a `cond` every resource goes through a Switch. A Merge made for each such Switch marks the
    point where both branches are done with the resource.
    """

    def __init__(self) -> None:
        self.must_run: dict[ops.Operation, None] = {}
        self._last_use: dict[int | None, ops.Operation] = {}  # id of a resource -> its last user
        self._merges: dict[
            int, ops.Operation
        ] = {}  # id of a Switch output -> the Merge to run after

    def add(self, op: ops.Operation) -> None:
        if _in_while_loop(op):
            return
        if op._spec.op_def is None or op_is_stateful(op):
            self.must_run[op] = None
        if op.type == "Switch" and op.inputs[0].dtype is dtypes.resource:
            return  # handled where its output is used
        if op.type == "Merge":
            self._end_branches(op)
            return
        resources = {id(t): t for t in op.inputs if t.dtype is dtypes.resource}
        wait_for: dict[ops.Operation, None] = {}
        for key, resource in resources.items():
            if resource.op.type == "Switch":
                self._merge_after(resource.op)
            last = self._last_use.get(key)
            if last is not None and last._control_flow_context is op._control_flow_context:
                wait_for[last] = None
            if key in self._merges:
                self._merges[key]._add_control_input(op)
            self._last_use[key] = op
        if op_is_stateful(op) and not resources and op._control_flow_context is None:
            if None in self._last_use:
                op._add_control_input(self._last_use[None])
            self._last_use[None] = op
        op._add_control_inputs(list(wait_for))

    def _end_branches(self, merge: ops.Operation) -> None:
        """Makes the Merge of a cond wait for what has to run inside."""
        for op in self.must_run:
            merge._add_control_input(op)
            for tensor in op.inputs:
                if id(tensor) in self._last_use:
                    self._last_use[id(tensor)] = merge
        self.must_run = {merge: None}

    def _merge_after(self, switch: ops.Operation) -> None:
        source = switch.inputs[0]
        if source.dtype is dtypes.resource and source.op.type == "Switch":
            self._merge_after(source.op)
        if id(switch.outputs[0]) in self._merges:
            return
        merge = control_flow_ops.merge(switch.outputs, name="artificial_merge")[0].op
        merge._control_flow_context = switch._control_flow_context.outer_context
        self.must_run[merge] = None
        if id(source) in self._last_use:
            switch._add_control_input(self._last_use[id(source)])
        self._last_use[id(source)] = merge
        if id(source) in self._merges:
            self._merges[id(source)]._add_control_input(merge)
        for output in switch.outputs:
            self._merges[id(output)] = merge


def automatic_control_dependencies(f: Any) -> Any:
    """A function inside of which operations with effects happen in the order of the program.

    Args:
      f: a function that returns a structure of tensors.

    Returns:
      The same function; its results wait for all the operations with effects.
    """

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with AutomaticControlDependencies() as dependencies:
            return nest.map_structure(dependencies.mark_as_return, f(*args, **kwargs))

    return tf_decorator.make_decorator(f, wrapped)
