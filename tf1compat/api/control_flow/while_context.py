"""The context of a while loop: what it means to record an operation inside a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_util as util
from tf1compat.api.control_flow import loop_nodes, tensor_array_ops
from tf1compat.api.control_flow.control_flow_context import ControlFlowContext
from tf1compat.core import nest, ops, own_protos, protos, raw_ops
from tf1compat.core.attribute import attribute

# A gradient loop keeps the results of these rather than their inputs, which are large.
_SMALL_RESULTS = frozenset(("Shape", "Size", "Rank"))


class WhileContext(ControlFlowContext):
    """A while loop, or the loop that computes the gradient of one.

    Args:
      maximum_iterations: a scalar tensor, an upper bound on the number of iterations; or None.
      parallel_iterations: how many iterations may run at once.
      back_prop: whether gradients are wanted.
      swap_memory: whether what the gradient needs may be swapped out of the device's memory.
      name: the name of the context, and of the loop's frame.
      grad_state: the `GradLoopState` of a gradient loop.
      context_def: a `WhileContextDef` to take all from instead.
      import_scope: name scope to put before the names in it.

    Raises:
      ValueError: `parallel_iterations` is no positive integer.
    """

    def __init__(
        self,
        maximum_iterations: Any = None,
        parallel_iterations: int = 10,
        back_prop: bool = True,
        swap_memory: bool = False,
        name: str = "while_context",
        grad_state: Any = None,
        context_def: Any = None,
        import_scope: str | None = None,
    ):
        self._grad_state = grad_state
        if context_def:
            self._take_proto(context_def, import_scope)
            return
        super().__init__()
        if not isinstance(parallel_iterations, int) or parallel_iterations <= 0:
            raise ValueError(
                f"`parallel_iterations` must be a positive integer: {parallel_iterations}"
            )
        self._graph = ops.get_default_graph()
        self._name = self._graph.unique_name(name)
        self._maximum_iterations = maximum_iterations
        self._parallel_iterations = parallel_iterations
        self._back_prop = back_prop
        self._swap_memory = swap_memory
        # What constants wait for: the first loop variable, in the condition and in the body.
        self._pivot_for_pred: Any = None
        self._pivot_for_body: Any = None
        self._pivot: Any = None
        self._loop_exits: list[Any] = []
        self._loop_enters: list[Any] = []

    # Protos.

    def _take_proto(self, context_def: Any, import_scope: str | None) -> None:
        def element(name: str) -> Any:
            return self._element(name, import_scope)

        bound = context_def.maximum_iterations_name
        self._maximum_iterations = element(bound) if bound else None
        self._parallel_iterations = context_def.parallel_iterations
        self._back_prop = context_def.back_prop
        self._swap_memory = context_def.swap_memory
        self._pivot_for_pred = element(context_def.pivot_for_pred_name)
        self._pivot_for_body = element(context_def.pivot_for_body_name)
        self._loop_exits = [element(name) for name in context_def.loop_exit_names]
        self._loop_enters = [element(name) for name in context_def.loop_enter_names]
        self._init_from_proto(context_def, import_scope)
        self._graph = ops.get_default_graph()
        if import_scope:
            for name in self._values:
                op = self._graph.as_graph_element(name).op
                if util.IsLoopEnter(op):
                    op._set_attr("frame_name", protos.AttrValue(s=self.name.encode()))

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A `WhileContextDef`; None if the loop lies outside `export_scope`."""
        return self._proto(
            "WhileContextDef",
            export_scope,
            parallel_iterations=self._parallel_iterations,
            back_prop=self._back_prop,
            swap_memory=self._swap_memory,
            pivot_name=self._pivot,
            pivot_for_pred_name=self._pivot_for_pred,
            pivot_for_body_name=self._pivot_for_body,
            loop_exit_names=self._loop_exits,
            loop_enter_names=self._loop_enters,
            maximum_iterations_name=self._maximum_iterations,
        )

    @staticmethod
    def from_proto(context_def: Any, import_scope: str | None = None) -> WhileContext:
        """The loop that a `WhileContextDef` describes; its nodes must be in the graph."""
        made = WhileContext(context_def=context_def, import_scope=import_scope)
        made._import_nested(context_def, import_scope)
        return made

    def to_control_flow_context_def(self, context_def: Any, export_scope: Any = None) -> None:
        context_def.while_ctxt.CopyFrom(self.to_proto(export_scope=export_scope))

    maximum_iterations = attribute(
        "_maximum_iterations",
        "A scalar tensor, an upper bound on the number of iterations; or None.",
    )
    parallel_iterations: int = attribute(
        "_parallel_iterations", "How many iterations may run at once."
    )
    back_prop: bool = attribute("_back_prop")
    swap_memory: bool = attribute(
        "_swap_memory", "Whether what the gradient needs may be swapped out of the device's memory."
    )
    pivot = attribute(
        "_pivot",
        "The scalar bool tensor (a LoopCond) that says whether there is another iteration.",
    )
    loop_enters: list[Any] = attribute("_loop_enters", "The Enters of the loop variables.")
    loop_exits: list[Any] = attribute("_loop_exits", "The Exits of the loop variables.")
    grad_state = attribute("_grad_state")

    def IsWhileContext(self) -> bool:  # noqa: N802
        return True

    def GetWhileContext(self) -> Any:  # noqa: N802
        return self

    def GetControlPivot(self) -> Any:  # noqa: N802
        return self._pivot_for_pred if self._pivot_for_body is None else self._pivot_for_body

    # Taking operations and tensors in.

    def AddValue(self, val: Any) -> Any:  # noqa: N802
        """An outer tensor comes in through an Enter; one of the forward loop, into the loop that
        computes its gradient, through what that loop saved.
        """
        if val.name in self._values or val.op._control_flow_context is self:
            known = self._external_values.get(val.name)
            return val if known is None else known
        self._values.add(val.name)
        current = _current_loop()
        if current is not None and current.grad_state:
            if _source_loop(val.op) is current.grad_state.forward_context:
                saved = current.grad_state.real_value(val)
                self._external_values[val.name] = saved
                return saved
        result = val if self._outer_context is None else self._outer_context.AddValue(val)
        with ops.control_dependencies(None):
            entered = self.enter(result, is_constant=True)
            entered.graph.prevent_feeding(entered)
            if self._outer_context:
                self._outer_context.AddInnerOp(entered.op)
        self._take_enters([entered])
        self._values.add(entered.name)
        self._external_values[val.name] = entered
        return entered

    def enter(self, value: Any, is_constant: bool = False, **how: Any) -> Any:
        """An Enter into this loop (see `loop_nodes.enter`)."""
        return loop_nodes.enter(value, self._name, is_constant, self._parallel_iterations, **how)

    def AddOp(self, op: Any) -> None:  # noqa: N802
        if op.type in _SMALL_RESULTS and not util.IsInXLAContext(op):
            current = _current_loop()
            if current is not None and current.grad_state:
                source = op.inputs[0].op
                if util.GetWhileContext(source) is current.grad_state.forward_context:
                    inside = source._get_control_flow_context()
                    op._set_control_flow_context(inside)
                    inside._AddOpInternal(op)
                    return
        self._AddOpInternal(op)

    def _AddOpInternal(self, op: Any) -> None:  # noqa: N802
        for index, tensor in enumerate(op.inputs):
            inner = self.AddValue(tensor)
            if inner is not tensor:
                op._update_input(index, inner)
        _, dropped = self._RemoveExternalControlEdges(op)
        if self._needs_pivot(op):
            op._add_control_input(self.GetControlPivot().op)
        self._values.update(tensor.name for tensor in op.outputs)
        if dropped:
            self._wait_inside(op, dropped)
        if self._outer_context or not util.IsLoopExit(op):
            op.graph.prevent_fetching(op)
            for tensor in op.outputs:
                op.graph.prevent_feeding(tensor)
        if self._outer_context:
            self._outer_context.AddInnerOp(op)

    def _needs_pivot(self, op: Any) -> bool:
        """Whether nothing that `op` depends on says if its iteration takes place."""
        if op.control_inputs:
            return False
        if op.graph._is_function(op.type) or op.type == "SymbolicGradient":
            return True
        return all(util.IsLoopConstantEnter(tensor.op) for tensor in op.inputs)

    def _wait_inside(self, op: Any, dropped: Sequence[Any]) -> None:
        """Replaces control edges from outside the loop by edges from identities of the tensors."""
        with ops.control_dependencies(None):
            self.Enter()
            inner = [array_ops.identity(other.outputs[0]).op for other in dropped if other.outputs]
            self.Exit()
        op._add_control_inputs(inner)

    def _take_enters(self, entered: Sequence[Any]) -> None:
        """Makes Enters this loop's, with the control inputs from around it that they need."""
        graph = ops.get_default_graph()
        for tensor in entered:
            source = tensor.op.inputs[0].op
            controls = graph._control_dependencies_for_inputs([source])
            tensor.op._set_control_flow_context(self)
            tensor.op._add_control_inputs([op for op in controls if self._is_around(op)])
            graph._record_op_seen_by_control_dependencies(tensor.op)

    def _is_around(self, op: Any) -> bool:
        """Whether `op` is in a context around this one, but not beyond the next loop."""
        wanted = util.GetOutputContext(op)
        outer = self._outer_context
        limit = None if outer is None else outer.GetWhileContext()
        while outer is not wanted:
            if outer is None or outer is limit:
                return False
            outer = outer.outer_context
        return True

    def know_only(self, tensors: Sequence[Any]) -> None:
        """Makes `tensors` all that belongs to this loop so far."""
        self._values = {tensor.name for tensor in tensors}

    # Recording the loop.

    def BuildLoop(  # noqa: N802
        self,
        pred: Callable[..., Any],
        body: Callable[..., Any],
        loop_vars: Any,
        shape_invariants: Any,
        return_same_structure: bool,
    ) -> Any:
        """Records the loop (see `tf.while_loop`) and returns the loop variables' final values."""
        flat = [util.flow_of(value) for value in nest.flatten(loop_vars, expand_composites=False)]
        values = ops.convert_n_to_tensor_or_composite(flat)
        if shape_invariants is None:
            shape_invariants = nest.map_structure(loop_nodes.shape_invariant, values)
        values = nest.flatten(values, expand_composites=True)
        try:
            self.Enter()
            result, exits = self._record_loop(pred, body, loop_vars, values, shape_invariants)
        finally:
            self.Exit()
        packed = util.packed(result, exits)
        return packed[0] if len(exits) == 1 and not return_same_structure else packed

    def _record_loop(
        self,
        pred: Any,
        body: Callable[..., Any],
        structure: Any,
        values: Any,
        shape_invariants: Any,
    ) -> tuple[Any, list[Any]]:
        from tf1compat.api.control_flow.control_flow_ops import _Identity, _SwitchRefOrTensor, merge

        merged = [merge([x, x])[0] for x in self._enter_variables(values, shape_invariants)]
        self._pivot_for_pred = merged[0]
        condition = ops.convert_to_tensor(pred(*util.packed(structure, merged)))
        self._pivot = raw_ops.LoopCond(condition, name="LoopCond")
        switched = [_SwitchRefOrTensor(x, self._pivot) for x in merged]
        current = [_Identity(x[1]) for x in switched]
        self._pivot_for_body = current[0]
        arguments = util.packed(structure, current)
        result = _with_summaries(body, arguments)
        # At the top, what goes in is a list more often than what the body returns.
        nest.assert_same_structure(list(arguments), list(result), expand_composites=True)
        following = nest.flatten(result, expand_composites=True)
        following = ops.convert_n_to_tensor_or_composite(
            [util.flow_of(value) for value in following]
        )
        if len(merged) != len(following):
            raise ValueError(
                "Number of inputs and outputs of body must match loop_vars: "
                f"{len(merged)}, {len(following)}"
            )
        for variable, value in zip(merged, following):
            loop_nodes.add_back_edge(variable, value)
        exits = [loop_nodes.exit(x[0]) for x in switched]
        self._loop_exits = exits
        self.ExitResult(exits)
        return result, exits

    def _enter_variables(self, values: Any, shape_invariants: Any) -> list[Any]:
        """The Enters of the loop variables."""
        # The contexts around take them in as this loop's.
        self.know_only(values)
        if self._outer_context:
            values = [self._outer_context.AddValue(x) for x in values]
        with ops.control_dependencies(None):
            entered = [self.enter(x, use_input_shape=shape_invariants is None) for x in values]
            for x in entered:
                x.graph.prevent_feeding(x)
                if self._outer_context:
                    self._outer_context.AddInnerOp(x.op)
        pivot = self._outer_pivot()
        if pivot is not None:
            for x in entered:
                if util.IsLoopConstantEnter(x.op.inputs[0].op):
                    x.op._add_control_input(pivot.op)
        loop_nodes.set_shape_invariants(values, entered, shape_invariants)
        self._take_enters(entered)
        self.know_only(entered)
        self._loop_enters = entered
        return entered

    def _outer_pivot(self) -> Any:
        """The control pivot of the innermost context around that has one."""
        outer = self._outer_context
        while outer is not None:
            pivot = outer.GetControlPivot()
            if pivot is not None:
                return pivot
            outer = outer.outer_context
        return None


def _current_loop() -> Any:
    """The loop that is being recorded, or None."""
    current = ops.get_default_graph()._get_control_flow_context()
    return current.GetWhileContext() if current is not None else None


def _source_loop(op: Any) -> Any:
    """The loop that the outputs of `op` belong to, or None."""
    loop = util.GetWhileContext(op)
    if loop is not None and util.IsLoopExit(op):
        loop = loop.outer_context
        loop = loop.GetWhileContext() if loop is not None else None
    return loop


def _with_summaries(body: Callable[..., Any], arguments: Any) -> Any:
    """What `body` returns, after the summaries that it records.

    These can't be fetched from outside the loop: they run with it, and leave their collection.
    """

    def after(value: Any) -> Any:
        is_array = isinstance(value, tensor_array_ops.TensorArray)
        return value if is_array else array_ops.identity(value)

    key = ops.GraphKeys._SUMMARY_COLLECTION
    before = ops.get_collection(key)
    result = body(*arguments)
    summaries = ops.get_collection(key)
    if not nest.is_sequence_or_composite(result):
        result = [result]
    if len(summaries) > len(before):
        ops.get_collection_ref(key)[:] = before
        with ops.control_dependencies(summaries[len(before) :]):
            result = nest.map_structure(after, result, expand_composites=True)
    return result


ops.register_proto_function(
    ops.GraphKeys.WHILE_CONTEXT,
    proto_type=lambda: own_protos.message("WhileContextDef")(),
    to_proto=WhileContext.to_proto,
    from_proto=WhileContext.from_proto,
)
