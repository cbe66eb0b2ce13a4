"""The backward walk of `tf.gradients`: from the ys to the xs, recording the gradient of each
operation on the way.

Order, names, control edges and checks are TF 1.15's; `Walk.run` is the order in which things are
recorded.
"""

from __future__ import annotations

import collections
import contextlib
import enum
from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops, control_flow_state, control_flow_util
from tf1compat.api.gradients import gradient_aggregation
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import dtypes, gradient_registry, ops, options, protos, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.operation import Operation


@tf_export("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """What `tf.gradients` gives for an x that no y depends on: None, or zeros of its shape."""

    NONE = "none"
    ZERO = "zero"


_TRAINABLE = frozenset(
    (
        dtypes.float16,
        dtypes.float32,
        dtypes.float64,
        dtypes.complex64,
        dtypes.complex128,
        dtypes.resource,
        dtypes.variant,
    )
)
_BACKPROPAGATABLE = _TRAINABLE | {dtypes.bfloat16}
_CALLS = ("PartitionedCall", "StatefulPartitionedCall")


def is_trainable(tensor_or_dtype: Any) -> bool:
    """Whether a tensor (or dtype) can have a gradient: real, complex, resource or variant."""
    dtype = tensor_or_dtype.dtype if isinstance(tensor_or_dtype, ops.Tensor) else tensor_or_dtype
    return dtypes.as_dtype(dtype).base_dtype in _TRAINABLE


def is_backpropagatable(tensor: Any) -> bool:
    """Whether `tf.gradients` walks through a tensor; client code may put another rule here."""
    return tensor._dtype.base_dtype in _BACKPROPAGATABLE


def as_list(value: Any) -> Any:
    """`value` itself if it is a list or tuple, else a list of it."""
    return value if isinstance(value, list | tuple) else [value]


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str | None = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
    src_graph: ops.Graph | None = None,
) -> list[Any]:
    """As `tf.gradients` (see there), with the graph that holds the ys.

    Args:
      src_graph: the graph of the ys; the default graph if None. A function's gradient is recorded
        in another graph.
    """
    if ops.executing_eagerly():
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape "
            "instead."
        )
    if src_graph is None:
        src_graph = ops.get_default_graph()
    try:
        unconnected = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {unconnected_gradients!r}"
        ) from None
    ys = as_list(ys)
    xs = as_list(xs)
    stops = [] if stop_gradients is None else as_list(stop_gradients)
    grad_ys = [None] * len(ys) if grad_ys is None else as_list(grad_ys)
    with ops.name_scope(name, "gradients", [*ys, *xs, *stops, *grad_ys]) as scope:
        # The name is taken in every call; it tells the calls' colocation groups apart.
        uid = ops.get_default_graph().unique_name("uid")
        ys = ops.convert_n_to_tensor_or_indexed_slices(ys, name="y")
        xs = [x.handle if resource_variable_ops.is_resource_variable(x) else x for x in xs]
        xs = ops.internal_convert_n_to_tensor_or_indexed_slices(xs, name="x", as_ref=True)
        given = any(grad is not None for grad in grad_ys)
        grad_ys = _initial_gradients(grad_ys, ys, colocate_gradients_with_ops, uid)
        walk = Walk(src_graph, xs, scope, uid)
        walk.colocate = colocate_gradients_with_ops
        walk.gate = gate_gradients
        walk.aggregation_method = aggregation_method
        walk.run(ys, grad_ys, [t.op for t in stops])
    walk.complete()
    results = [walk.result(x, unconnected) for x in xs]
    if not given and not stops:
        ops.get_default_graph()._gradient_calls.append(gradient_registry.Call(ys, xs, results))
    return results


# The gradients that the walk starts with.


def gradients_of(grads: Any, op: Operation) -> Any:
    """What a walk has found for the outputs of an operation (TF's `_GetGrads`).

    Args:
      grads: operation -> a list for each output.
      op: the operation.
    """
    return grads[op] if op in grads else [[] for _ in op.outputs]


def _initial_gradients(
    grad_ys: Sequence[Any], ys: Sequence[Any], colocate: bool, uid: str
) -> list[Any]:
    """One gradient for each y: the given one, checked, or ones.

    Raises:
      ValueError: there are not as many as ys.
      TypeError: dtypes that don't go together, or a complex y without a gradient.
    """
    if len(grad_ys) != len(ys):
        raise ValueError(f"Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    grad_ys = ops.convert_n_to_tensor_or_indexed_slices(grad_ys, name="grad_y")
    result = []
    for i, (y, grad_y) in enumerate(zip(ys, grad_ys)):
        with _colocate(y.op, uid, colocate):
            if grad_y is None:
                result.append(_ones(y, i))
            else:
                _check_initial_gradient(y, grad_y)
                result.append(_within_scope(grad_y, i))
    return result


def _ones(y: ops.Tensor, index: int) -> ops.Tensor:
    if y.dtype.is_complex:
        raise TypeError(f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})")
    shape = array_ops.shape(y)
    one = constant_op.constant(1, dtype=y.dtype, name=f"grad_ys_{index}")
    return array_ops.fill(shape, one)


def _check_initial_gradient(y: Any, grad_y: Any) -> None:
    wanted, given = y.dtype, dtypes.as_dtype(grad_y.dtype)
    message = f"Gradient type {given.name} generated for {{}} {y} with type {wanted.name} must be "
    if wanted.is_floating or wanted.is_integer:
        if not given.is_floating and not given.is_integer:
            raise TypeError(message.format("real or integer-valued tensor") + "real or integer")
    elif wanted.is_complex:
        if not given.is_complex:
            raise TypeError(message.format("complex-valued tensor") + "real")
    elif wanted is dtypes.variant:
        if given is not dtypes.variant:
            raise TypeError(message.format("variant tensor") + "variant")
    elif wanted is dtypes.resource:
        if given is dtypes.resource:
            raise TypeError(
                f"Input gradient {grad_y} for resource tensor {y} should not be a resource"
            )
    else:
        raise TypeError(
            f"Tensor {y} with type {wanted.name} must be numeric to obtain a default gradient"
        )


def _within_scope(grad_y: Any, index: int) -> Any:
    """`grad_y` through an identity: TensorArrays tell calls of `tf.gradients` apart by the scope of
    their gradients.
    """

    def identity(part: Any, suffix: str) -> Any:
        if not isinstance(part, ops.Tensor):
            return part
        return array_ops.identity(part, name=f"grad_ys_{index}{suffix}")

    if not isinstance(grad_y, ops.IndexedSlices):
        return identity(grad_y, "")
    indices = identity(grad_y.indices, "_indices")
    values = identity(grad_y.values, "_values")
    return ops.IndexedSlices(values, indices, identity(grad_y.dense_shape, "_shape"))


def _colocate(op: Operation, uid: str, colocate: bool) -> contextlib.AbstractContextManager[Any]:
    return ops._colocate_with_for_gradient(op, uid) if colocate else contextlib.nullcontext()


# Functions: a gradient may be taken through the placeholders of captured tensors to the tensors
# outside.


def _function_graphs(graph: Any) -> list[Any]:
    """`graph` and the graphs around it, as long as they are function bodies."""
    found = []
    while graph is not None and graph.building_function:
        found.append(graph)
        graph = graph.outer_graph
    return found


class Walk:
    """One call of `tf.gradients`.

    Attributes:
      colocate, gate, aggregation_method: the arguments of `tf.gradients`.
    """

    colocate = False
    gate = False
    aggregation_method: int | None = None

    def __init__(self, src_graph: Any, xs: Sequence[Any], scope: str, uid: str):
        self._src_graph = src_graph
        self._scope = scope
        self._uid = uid
        self._xs = xs
        self._x_ids = {id(x) for x in xs}
        self._functions = _function_graphs(src_graph)
        # For each operation, per output: the gradients received so far (a list), then their sum (or
        # None).
        self._gradients: dict[Any, list[Any]] = {}
        self._pending: collections.defaultdict[Any, int] = collections.defaultdict(int)
        self._queue: collections.deque[Any] = collections.deque()
        self._loops: control_flow_state.ControlFlowState | None = None

    def run(self, ys: Sequence[Any], grad_ys: Sequence[Any], stop_gradient_ops: list[Any]) -> None:
        """Records everything; then `result` has the gradients."""
        to_ops = [y.op for y in ys]
        from_ops = [x.op for x in self._xs]
        reachable = self._count_pending(to_ops, from_ops)
        for y, grad_y in zip(ys, grad_ys):
            self._receive(y, grad_y)
        started = self._start(to_ops, reachable)
        if self._loops:
            self._start_unused_exits(started)
        stop_ops = self._stop_ops(from_ops, stop_gradient_ops)
        queue = self._queue
        while queue:
            op = queue.popleft()
            with _colocate(op, self._uid, self.colocate):
                self._differentiate(op, op in stop_ops, from_ops)
            self._release_inputs(op)

    def complete(self) -> None:
        """Records what gradient loops still lack; outside the name scope, as TF does."""
        if self._loops:
            self._loops.PostProcessing()

    def result(self, x: Any, unconnected: UnconnectedGradients) -> Any:
        """The gradient for `x`: a tensor, an IndexedSlices or None."""
        received = self._gradients.get(x.op)
        if received:
            found = received[x.value_index]
            assert not isinstance(found, list), "gradients list should have been aggregated by now."
            return found
        return None if unconnected is UnconnectedGradients.NONE else _zeros(x)

    # What lies between the xs and the ys.

    def _inputs(self, op: Any) -> Sequence[Any]:
        """The inputs of `op`; one that a function captured stands for the tensor outside, unless it
        is an x itself.
        """
        graph = op._graph
        if not graph.building_function:
            return op._inputs
        return [t if id(t) in self._x_ids else _captured_source(t) for t in op._inputs]

    def _graph_inputs(self, op: Any) -> Sequence[Any]:
        if not op._graph.building_function:
            return op._inputs
        return [t for t in self._inputs(op) if not t._is_eager]

    def _consumers(self, tensor: Any) -> list[Any]:
        found = tensor.consumers()
        for function in self._functions:
            placeholder = function.captured_as(tensor)
            if placeholder is not None:
                found.extend(self._consumers(placeholder))
        return found

    def _reached(self, from_ops: Sequence[Any]) -> set[Any]:
        """The operations that depend on one of `from_ops` through tensors that can have a
        gradient.
        """
        reached: set[Any] = set()
        everything = options.integer_gradients
        stack = list(from_ops)
        while stack:
            op = stack.pop()
            if op in reached:
                continue
            reached.add(op)
            for output in op._outputs:
                if everything or is_backpropagatable(output):
                    stack.extend(self._consumers(output) if self._functions else output._consumers)
        return reached

    def _count_pending(self, to_ops: Sequence[Any], from_ops: Sequence[Any]) -> set[Any]:
        """Counts, for each operation between, the uses whose gradients it waits for.

        Returns:
          Those of `to_ops` that depend on one of `from_ops`.
        """
        reached = self._reached(from_ops)
        reachable = {op for op in to_ops if op in reached}
        between: list[Any] = []
        between_ops: set[Any] = set()
        queue = collections.deque(to_ops)
        while queue:
            op = queue.popleft()
            if op in reached and op not in between_ops:
                between_ops.add(op)
                between.append(op)
                queue.extend(t._op for t in self._graph_inputs(op))
        self._loops = control_flow_state.maybe_create_control_flow_state(
            between, between_ops, self.colocate
        )
        pending = self._pending
        for op in between:
            for t in self._graph_inputs(op):
                if t._op in between_ops:
                    pending[t._op] += 1
        return reachable

    def _start(self, to_ops: Sequence[Any], reachable: set[Any]) -> set[Any]:
        """Queues the operations of the ys, but for those that another y depends on."""
        started: set[Any] = set()
        for op in to_ops:
            if self._pending.get(op, 0) == 0 and op not in started and op in reachable:
                started.add(op)
                self._queue.append(op)
        return started

    def _start_unused_exits(self, started: set[Any]) -> None:
        assert self._loops is not None
        for y in self._loops.ProcessUnusedLoopExits(self._pending, started):
            if is_trainable(y):
                self._receive(y, self._loops.ZerosLikeForExit(y))
                self._queue.append(y.op)

    def _stop_ops(self, from_ops: Sequence[Any], stop_gradient_ops: list[Any]) -> set[Any]:
        """The operations not to differentiate: of the xs, those that depend on no other x; and
        `stop_gradient_ops`.
        """
        pending = self._pending
        stop = {
            op
            for op in from_ops
            if not any(pending.get(t._op, 0) > 0 for t in self._graph_inputs(op))
        }
        return stop | set(stop_gradient_ops)

    # One operation.

    def _differentiate(self, op: Any, stop: bool, from_ops: Sequence[Any]) -> None:
        loops = self._loops
        if loops:
            loops.EnterGradWhileContext(op, before=True)
        out_grads = self._aggregated(op)
        if loops:
            loops.ExitGradWhileContext(op, before=True)
        connected = any(g is not None for g in out_grads)
        is_call = op.type in _CALLS or self._src_graph._is_function(op.type)
        function = None
        called = None
        if connected and not stop:
            function, called = self._gradient_function(op, is_call)
        if loops:
            loops.EnterGradWhileContext(op, before=False)
        self._check_no_loop_variable(op, from_ops)
        inputs = self._inputs(op)
        if connected and (function or is_call):
            in_grads = self._record(op, function, called, out_grads)
        else:
            in_grads = [None] * len(inputs)
        for i, (t, grad) in enumerate(zip(inputs, in_grads)):
            if grad is None:
                continue
            if isinstance(grad, ops.Tensor) and t._dtype is not dtypes.resource:
                _take_shape(grad, t, op, i)
            if not t._is_eager:
                self._receive(t, grad)
        if loops:
            loops.ExitGradWhileContext(op, before=False)

    def _aggregated(self, op: Any) -> list[Any]:
        """The gradients of the outputs of `op`, each added up; None where there are none."""
        method = gradient_aggregation.check_method(self.aggregation_method)
        out_grads = self._gradients.get(op)
        if out_grads is None:
            return [None] * len(op._outputs)
        for i, received in enumerate(out_grads):
            if not isinstance(received, list):
                continue  # the Switch of a loop, met a second time
            gradient_aggregation.check_types(received)
            if len(received) < 2:
                out_grads[i] = received[0] if received else None
            else:
                out_grads[i] = gradient_aggregation.aggregate(received, op, self._uid, method)
        return out_grads

    def _gradient_function(self, op: Any, is_call: bool) -> tuple[Any, Any]:
        """How to differentiate `op`: a Python function; None if it has no gradient, or if the
        function it calls has to be.
        """
        try:
            return gradient_registry.get_gradient_function(op), None
        except LookupError:
            if not is_call:
                message = f"No gradient defined for operation '{op.name}' (op type: {op.type})"
                raise LookupError(message) from None
        name = _called_name(op)
        called = getattr(op, "_defun", None) or self._src_graph._get_function(name)
        return called.python_grad_func, called

    def _record(self, op: Any, function: Any, called: Any, out_grads: list[Any]) -> list[Any]:
        """Records the gradient of `op` in the scope "<op>_grad" and checks what comes back."""
        for i, out_grad in enumerate(out_grads):
            # A gradient function is given None for outputs that can't have a gradient; a called
            # function's gradient is not.
            if out_grad is None and (function is None or self._wants_zeros(op._outputs[i])):
                out_grads[i] = (
                    self._loops.ZerosLike(op, i)
                    if self._loops
                    else control_flow_state.zeros_like_outside_loop(op, i)
                )
        with ops.name_scope(op.name + "_grad"), self._src_graph._original_op(op):
            if function is None:
                record = _Recorder(_symbolic_gradient, op, out_grads)
            else:
                record = _Recorder(function, op, out_grads)
            in_grads = as_list(_maybe_compiled(self._scope, op, called, record))
            # While ops get more inputs as they are differentiated.
            if len(in_grads) != len(op._inputs) and op.type not in ("While", "StatelessWhile"):
                raise ValueError(
                    f"Num gradients {len(in_grads)} generated for op {op} do not match "
                    f"num inputs {len(op._inputs)}"
                )
            if self.gate and sum(g is not None for g in in_grads) > 1:
                in_grads = self._gated(in_grads)
        for grad in in_grads:
            # Where TF logs the gradients by name, it finds what is none.
            if grad is not None and not isinstance(grad, ops.Tensor | ops.IndexedSlices):
                _ = grad.name if grad != [] else None
        return in_grads

    def _wants_zeros(self, output: Any) -> bool:
        return output._dtype.base_dtype in _TRAINABLE

    def _gated(self, in_grads: list[Any]) -> list[Any]:
        with (
            ops.device(None),
            ops._colocate_with_for_gradient(None, self._uid, ignore_existing=True),
        ):
            return control_flow_ops.tuple(in_grads)

    def _check_no_loop_variable(self, op: Any, from_ops: Sequence[Any]) -> None:
        """Refuses a gradient with respect to the initial value of a variable of the loop we are in.

        Raises:
          ValueError: that is asked for.
        """
        inside = op._control_flow_context
        if (
            inside is None
            or not control_flow_util.IsLoopSwitch(op)
            or inside is not ops.get_default_graph()._get_control_flow_context()
        ):
            return
        queue = collections.deque([op])
        visited = set()
        while queue:
            source = queue.popleft()
            if source in from_ops:
                raise ValueError(
                    "Cannot compute gradient inside while loop with respect to op "
                    f"'{source.name}'. We do not support taking the gradient wrt or through the "
                    "initial value of a loop variable. Gradients can be computed through loop "
                    "invariants or wrt the input parameters to the loop body."
                )
            if source not in visited:
                visited.add(source)
                queue.extend(t._op for t in self._graph_inputs(source))

    # Gradients on their way.

    def _receive(self, tensor: Any, grad: Any) -> None:
        """Notes a gradient of `tensor`."""
        op = tensor.op
        received = self._gradients.get(op)
        if received is None:
            received = self._gradients[op] = [[] for _ in op._outputs]
        index = tensor.value_index
        if isinstance(received[index], list):
            received[index].append(grad)
        else:
            assert control_flow_util.IsLoopSwitch(op)
            received[index] = grad

    def _release_inputs(self, op: Any) -> None:
        """Queues the operations whose last use was `op`."""
        pending, queue = self._pending, self._queue
        for t in self._graph_inputs(op):
            source = t._op
            pending[source] -= 1
            if self._loops:
                self._release_in_loop(t, source)
            elif pending[source] == 0:
                queue.append(source)

    def _release_in_loop(self, tensor: Any, source: Any) -> None:
        count = self._pending[source]
        if count == 0 or (count > 0 and control_flow_util.IsLoopSwitch(source)):
            if control_flow_util.IsLoopExit(source):
                self._defer_exit(tensor)
            else:
                self._queue.append(source)

    def _defer_exit(self, exit_tensor: Any) -> None:
        """Keeps the exits of a loop until all have their gradients, then queues them together."""
        assert self._loops is not None
        state = self._loops.GetGradState(exit_tensor.op, before=False)
        assert state is not None
        state.deferred_exits.append(exit_tensor)
        state.pending_exits_count -= 1
        if state.pending_exits_count > 0:
            return
        used = [y for y in state.deferred_exits if self._has_gradient(y.op)]
        state.unused_exits += [y for y in state.deferred_exits if not self._has_gradient(y.op)]
        self._queue.extend(y.op for y in used)
        for y in state.unused_exits:
            if used and is_trainable(y):
                self._receive(y, self._loops.ZerosLikeForExit(y))
            self._queue.append(y.op)

    def _has_gradient(self, op: Any) -> bool:
        received = self._gradients.get(op, ())
        return any(bool(g) if isinstance(g, list) else g is not None for g in received)


class _Recorder:
    """A gradient function with its arguments; no closure, as thousands of them are made."""

    __slots__ = ("_function", "_op", "_out_grads")

    def __init__(self, function: Any, op: Any, out_grads: list[Any]):
        self._function = function
        self._op = op
        self._out_grads = out_grads

    def __call__(self) -> Any:
        return self._function(self._op, *self._out_grads)


def _captured_source(tensor: Any) -> Any:
    """The tensor outside that a function's placeholder stands for, however many functions lie
    between; else `tensor`.
    """
    while not tensor._is_eager and tensor._op._graph.building_function:
        outer = tensor._op._graph.captured_source(tensor)
        if outer is None:
            return tensor
        tensor = outer
    return tensor


def _called_name(op: Operation) -> str:
    if op.type not in _CALLS:
        return op.type
    function = op._attrs["f"]
    return function if isinstance(function, str) else function.name


def _take_shape(grad: Any, tensor: Any, op: Any, index: int) -> None:
    """Merges the static shape of an input into its gradient's.

    Raises:
      ValueError: they are not compatible.
    """
    if tensor._shape is None or grad._shape == tensor._shape:
        return
    try:
        grad.set_shape(tensor.get_shape())
    except ValueError:
        raise ValueError(
            "Incompatible shapes between op input and calculated input gradient.  Forward "
            f"operation: {op.name}.  Input index: {index}. Original input shape: {tensor.shape}.  "
            f"Calculated input gradient shape: {grad.shape}"
        ) from None


def _zeros(x: Any) -> Any:
    dtype = control_flow_state.zeros_dtype(x)
    if x.dtype is dtypes.resource:
        return array_ops.zeros(resource_variable_ops.variable_shape(x), dtype=dtype)
    return array_ops.zeros_like(x, dtype=dtype)


def _symbolic_gradient(op: Operation, *out_grads: Any) -> Any:
    """The gradient of a call as one SymbolicGradient op, which differentiates the called
    function.
    """
    function = protos.NameAttrList(name=_called_name(op))
    for key, value in op.node_def.attr.items():
        function.attr[key].CopyFrom(value)
    input_types = [t.dtype for t in op.inputs]
    # TF 1.15 takes the gradient of every resource to be float32.
    output_types = [dtypes.float32 if t is dtypes.resource else t for t in input_types]
    return raw_ops.SymbolicGradient(input=[*op.inputs, *out_grads], Tout=output_types, f=function)


def _maybe_compiled(scope: str, op: Any, called: Any, record: Any) -> Any:
    """Calls `record`; ops of a gradient of an operation marked for XLA are marked too."""
    if called is not None:
        marks = called.attrs
    else:
        marks = op._attrs
    if not marks.get("_XlaCompile") or "_XlaScope" not in marks:
        return record()
    xla_scope = marks["_XlaScope"].decode()
    if marks.get("_XlaSeparateCompiledGradients"):
        xla_scope = f"{xla_scope}_grad_{scope.rstrip('/').replace('/', '_')}"
    attrs = {
        "_XlaCompile": protos.AttrValue(b=True),
        "_XlaScope": protos.AttrValue(s=xla_scope.encode()),
    }
    with ops.get_default_graph()._attr_scope(attrs):
        return record()
