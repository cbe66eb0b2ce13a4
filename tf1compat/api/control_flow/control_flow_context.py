"""Control-flow contexts: what it means to record an operation inside a branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_util as util
from tf1compat.core import nest, ops, own_protos
from tf1compat.core.attribute import attribute


class ControlFlowContext:
    """What is being recorded: a branch of a cond, or the body of a loop.

    While a context is current, `AddOp` is called for every new operation and may rewire its inputs.
    """

    _name = ""

    def __init__(self) -> None:
        self._nested_contexts: list[ControlFlowContext] = []
        self._outer_context = ops.get_default_graph()._get_control_flow_context()
        if self._outer_context:
            self._outer_context._nested_contexts.append(self)
        self._context_stack: list[Any] = []
        # The names of tensors that belong to this context, and what stands for outer ones inside
        # it.
        self._values: set[str] = set()
        self._external_values: dict[str, Any] = {}

    # Protos.

    def _init_from_proto(self, context_def: Any, import_scope: str | None) -> None:
        """What a `CondContextDef` and a `WhileContextDef` say alike; the nodes are in the graph."""
        self._name = ops.prepend_name_scope(context_def.context_name, import_scope)
        self._pivot = self._element(context_def.pivot_name, import_scope)
        ControlFlowContext.__init__(self)
        values = context_def.values_def
        self._values = {ops.prepend_name_scope(name, import_scope) for name in values.values}
        self._external_values = {
            ops.prepend_name_scope(name, import_scope): self._element(inner, import_scope)
            for name, inner in values.external_values.items()
        }
        graph = ops.get_default_graph()
        for name in {name.split(":")[0] for name in self._values - set(self._external_values)}:
            graph.as_graph_element(name)._set_control_flow_context(self)

    @staticmethod
    def _element(name: str, import_scope: str | None) -> Any:
        return ops.get_default_graph().as_graph_element(ops.prepend_name_scope(name, import_scope))

    def _import_nested(self, context_def: Any, import_scope: str | None) -> None:
        self.Enter()
        for nested in context_def.nested_contexts:
            from_control_flow_context_def(nested, import_scope)
        self.Exit()

    def _proto(self, kind: str, export_scope: str | None, **fields: Any) -> Any:
        """A `CondContextDef` or `WhileContextDef`; None if the context lies outside the scope."""
        if export_scope is not None and not self.name.startswith(export_scope):
            return None

        def exported(name: Any) -> Any:
            if isinstance(name, list):
                return [exported(tensor) for tensor in name]
            return ops.strip_name_scope(getattr(name, "name", name), export_scope)

        proto = own_protos.message(kind)(context_name=exported(self.name))
        for field, value in fields.items():
            if field.endswith("_names"):
                getattr(proto, field).extend(exported(value))
            elif value is not None:
                setattr(proto, field, exported(value) if field.endswith("_name") else value)
        proto.values_def.values.extend(exported(sorted(self._values)))
        for name, inner in self._external_values.items():
            proto.values_def.external_values[exported(name)] = exported(inner)
        for nested in self._nested_contexts:
            nested.to_control_flow_context_def(proto.nested_contexts.add())
        return proto

    def to_control_flow_context_def(self, context_def: Any, export_scope: Any = None) -> None:
        """Writes the context to a `ControlFlowContextDef`."""
        raise NotImplementedError("Abstract method")

    name: str = attribute("_name", "The unique name of the context.")
    outer_context = attribute("_outer_context", "The context around this one, or None.")

    @property
    def grad_state(self) -> Any:
        """The state of the gradient loop that this context is part of, or None."""
        raise NotImplementedError("Abstract method")

    @property
    def back_prop(self) -> Any:
        """Whether gradients through the context are supported."""
        raise NotImplementedError("Abstract method")

    def check_inputs(self, op: Any) -> None:
        """Refuses inputs of a new operation from a loop that it is not in."""
        for tensor in op.inputs:
            if tensor.op._get_control_flow_context() is not None:
                util.CheckInputFromValidContext(op, tensor.op)

    def check_escape(self, op: Any, tensor: Any) -> None:
        """Refuses the use of `tensor`, made in this context, by an `op` outside any context."""
        util.CheckInputFromValidContext(op, tensor.op)

    def AddName(self, name: str) -> None:  # noqa: N802
        """Counts a tensor as this context's."""
        self._values.add(name)

    def AddValue(self, val: Any) -> Any:  # noqa: N802
        """What stands for the outer tensor `val` inside the context."""
        raise NotImplementedError("Abstract method")

    def AddOp(self, op: Any) -> None:  # noqa: N802
        """Takes a new operation into the context."""
        raise NotImplementedError("Abstract method")

    def Enter(self) -> None:  # noqa: N802
        """Makes this the current context."""
        graph = ops.get_default_graph()
        self._context_stack.append(graph._get_control_flow_context())
        graph._set_control_flow_context(self)

    def Exit(self) -> None:  # noqa: N802
        """Makes the context before `Enter` current again."""
        ops.get_default_graph()._set_control_flow_context(self._context_stack.pop())

    def EnterGradientColocation(self, op: Any, gradient_uid: Any) -> None:  # noqa: N802
        """Called when a gradient is colocated with `op`."""
        if self._outer_context:
            self._outer_context.EnterGradientColocation(op, gradient_uid)

    def ExitGradientColocation(self, op: Any, gradient_uid: Any) -> None:  # noqa: N802
        """Undoes `EnterGradientColocation`."""
        if self._outer_context:
            self._outer_context.ExitGradientColocation(op, gradient_uid)

    def ExitResult(self, result: Any) -> None:  # noqa: N802
        """Tells the outer context about results."""
        if self._outer_context:
            nest.map_structure(
                lambda x: self._outer_context.AddName(x.name), result, expand_composites=True
            )

    def GetWhileContext(self) -> Any:  # noqa: N802
        """The innermost loop around this context."""
        return self._outer_context.GetWhileContext() if self._outer_context else None

    def _RemoveExternalControlEdges(self, op: Any) -> tuple[list[Any], list[Any]]:  # noqa: N802
        """Drops control inputs from outside the loop that `op` is in; returns those kept and
        dropped."""
        loop = self.GetWhileContext()
        if loop is None:
            return op.control_inputs, []
        kept, dropped = [], []
        for control in op.control_inputs:
            other = util.GetOutputContext(control)
            inside = other is not None and other.GetWhileContext() is loop
            (kept if inside else dropped).append(control)
        if dropped:
            op._remove_all_control_inputs()
            op._add_control_inputs(kept)
        return kept, dropped

    def AddInnerOp(self, op: Any) -> None:  # noqa: N802
        """Tells the outer context about an operation."""
        if self._outer_context:
            self._outer_context.AddInnerOp(op)

    def GetControlPivot(self) -> Any:  # noqa: N802
        """What operations without inputs wait for."""
        return None

    def IsWhileContext(self) -> bool:  # noqa: N802
        """Whether this is a loop."""
        return False

    def IsCondContext(self) -> bool:  # noqa: N802
        """Whether this is a branch."""
        return False

    def IsXLAContext(self) -> bool:  # noqa: N802
        """Whether this is an XLA computation."""
        return False

    def __str__(self) -> str:
        return self.name


class XLAControlFlowContext(ControlFlowContext):
    """A computation that XLA compiles as a whole, as functions of TPUs record it.

    It takes operations and tensors as they are; a loop in it has to say how often it turns at most.
    """

    def __init__(self) -> None:
        super().__init__()
        self._name = "XLAControlFlowContext"

    def IsXLAContext(self) -> bool:  # noqa: N802
        return True

    def AddOp(self, op: Any) -> None:  # noqa: N802
        pass

    def AddValue(self, val: Any) -> Any:  # noqa: N802
        return val


class CondContext(ControlFlowContext):
    """One branch of a cond.

    Args:
      pred: the predicate.
      pivot: the tensor that is alive exactly when the branch is taken.
      branch: 1 for the true branch, 0 for the false one.
      name: the name of the context.
      context_def: a `CondContextDef` to take all from instead.
      import_scope: name scope to put before the names in it.
    """

    def __init__(
        self,
        pred: Any = None,
        pivot: Any = None,
        branch: Any = None,
        name: str = "cond_text",
        context_def: Any = None,
        import_scope: str | None = None,
    ):
        self._name = ops.get_default_graph().unique_name(name)
        if context_def:
            self._pred = self._element(context_def.pred_name, import_scope)
            self._branch = context_def.branch
            self._init_from_proto(context_def, import_scope)
            return
        super().__init__()
        self._pred = pred
        self._pivot = pivot
        self._branch = branch
        self._values.add(pred.name)
        self._external_values[pred.name] = pred
        self._values.add(pivot.name)
        pivot.op._set_control_flow_context(self)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A `CondContextDef`; None if the context lies outside `export_scope`."""
        return self._proto(
            "CondContextDef",
            export_scope,
            pred_name=self._pred,
            pivot_name=self._pivot,
            branch=self._branch,
        )

    @staticmethod
    def from_proto(context_def: Any, import_scope: str | None = None) -> CondContext:
        """The context that a `CondContextDef` describes; its nodes must be in the graph."""
        made = CondContext(context_def=context_def, import_scope=import_scope)
        made._import_nested(context_def, import_scope)
        return made

    def to_control_flow_context_def(self, context_def: Any, export_scope: Any = None) -> None:
        context_def.cond_ctxt.CopyFrom(self.to_proto(export_scope=export_scope))

    pred = attribute("_pred", "The predicate.")
    pivot = attribute("_pivot", "The tensor that is alive exactly when the branch is taken.")
    branch: int = attribute("_branch", "1 for the true branch, 0 for the false one.")

    @property
    def grad_state(self) -> Any:
        loop = self.GetWhileContext()
        return loop.grad_state if loop else None

    @property
    def back_prop(self) -> Any:
        loop = self.GetWhileContext()
        return loop.back_prop if loop else False

    def GetControlPivot(self) -> Any:  # noqa: N802
        return self._pivot

    def IsCondContext(self) -> bool:  # noqa: N802
        return True

    def AddValue(self, val: Any) -> Any:  # noqa: N802
        """An outer tensor comes in through a Switch."""
        if val.name in self._values:
            return self._external_values.get(val.name, val)
        outer = self._value_outside(val)
        with ops.control_dependencies(None):
            inner = self._switched(outer)
            if self._outer_context:
                self._outer_context.AddInnerOp(inner.op)
        inner.op.graph.prevent_fetching(inner.op)
        inner.op._set_control_flow_context(self)
        self._count([inner])
        self._external_values[val.name] = inner
        return inner

    def _value_outside(self, val: Any) -> Any:
        """What stands for `val` in the context around the branch; known in the branch, too."""
        self._values.add(val.name)
        if not self._outer_context:
            return val
        outer = self._outer_context.AddValue(val)
        self._values.add(outer.name)
        self._external_values[outer.name] = outer
        return outer

    def _switched(self, outer: Any) -> Any:
        """`outer`, alive exactly when the branch is taken."""
        from tf1compat.api.control_flow.control_flow_ops import _SwitchRefOrTensor

        return _SwitchRefOrTensor(outer, self._pred)[self._branch]

    def _count(self, tensors: Sequence[Any]) -> None:
        """Counts tensors as the branch's, and as those of the contexts around it."""
        names = [tensor.name for tensor in tensors]
        context: Any = self
        while context is not None:
            context._values.update(names)
            context = context._outer_context

    def AddOp(self, op: Any) -> None:  # noqa: N802
        self._AddOpInternal(op)

    def _AddOpInternal(self, op: Any) -> None:  # noqa: N802
        if not op.inputs:
            # Without inputs, only the pivot says whether the branch is taken.
            self._RemoveExternalControlEdges(op)
            if not any(util.OpInContext(control, self) for control in op.control_inputs):
                op._add_control_input(self._pivot.op)
        else:
            for index, tensor in enumerate(op.inputs):
                if util.IsMerge(op) and tensor.op.type == "NextIteration":
                    continue
                inner = self.AddValue(tensor)
                if inner is not tensor:
                    op._update_input(index, inner)
            self._RemoveExternalControlEdges(op)
            if op.graph._is_function(op.type) or op.type == "SymbolicGradient":
                op._add_control_input(self._pivot.op)
        self._count(op.outputs)
        if self._outer_context or not util.IsLoopExit(op):
            op.graph.prevent_fetching(op)
        if self._outer_context:
            self._outer_context.AddInnerOp(op)

    def _ProcessOutputTensor(self, val: Any) -> Any:  # noqa: N802
        """What the branch gives out for `val`: an outer tensor goes through a Switch."""
        if val.name not in self._values:
            self._external_values[val.name] = self._switched(self._value_outside(val))
        return self._external_values.get(val.name, val)

    def _BuildCondTensor(self, v: Any) -> Any:  # noqa: N802
        from tf1compat.api.control_flow.control_flow_ops import with_dependencies

        if isinstance(v, ops.Operation):
            # An operation's result is the pivot, after it.
            return with_dependencies([v], self._pivot)
        return self._ProcessOutputTensor(ops.convert_to_tensor(util.flow_of(v)))

    def BuildCondBranch(self, fn: Callable[[], Any]) -> tuple[Any, Any]:  # noqa: N802
        """Records a branch: what `fn` returned, and the tensors that go to the Merges."""
        from tf1compat.api.control_flow.control_flow_ops import no_op

        key = ops.GraphKeys._SUMMARY_COLLECTION
        before = ops.get_collection(key)
        original = fn()
        after = ops.get_collection(key)
        if len(after) > len(before):
            summaries = after[len(before) :]
            ops.get_collection_ref(key)[:] = before
            with ops.control_dependencies(summaries):
                if original is None:
                    return no_op(), None
                original = nest.map_structure(array_ops.identity, original, expand_composites=True)
        if original is None:
            return None, None
        result = nest.map_structure(self._BuildCondTensor, original, expand_composites=True)
        if not isinstance(result, list | tuple):
            result = [result]
        return original, result


def from_control_flow_context_def(context_def: Any, import_scope: str | None = None) -> Any:
    """The context that a `ControlFlowContextDef` describes.

    Raises:
      NotImplementedError: it is of an unknown kind.
    """
    if context_def.HasField("cond_ctxt"):
        return CondContext.from_proto(context_def.cond_ctxt, import_scope=import_scope)
    if context_def.HasField("while_ctxt"):
        from tf1compat.api.control_flow.while_context import WhileContext

        return WhileContext.from_proto(context_def.while_ctxt, import_scope=import_scope)
    raise NotImplementedError(
        f"Unknown ControlFlowContextDef field: {context_def.WhichOneof('ctxt')}"
    )


ops.register_proto_function(
    ops.GraphKeys.COND_CONTEXT,
    proto_type=lambda: own_protos.message("CondContextDef")(),
    to_proto=CondContext.to_proto,
    from_proto=CondContext.from_proto,
)
