"""Conditionals as If and Case operations with a function for each branch, and their gradients
(`cond_v2` of TF).

The gradient is an operation of the same kind. What its functions need of the forward branches, the
forward operation has to return: it is changed to do so, each value in an optional that is empty
where another branch was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, indexed_slices
from tf1compat.api.control_flow import control_flow_state, tensor_array_ops
from tf1compat.api.control_flow import control_flow_util as v1_util
from tf1compat.api.control_flow import control_flow_util_v2 as util
from tf1compat.api.functions import function_tracing
from tf1compat.api.gradients import gradients_walk
from tf1compat.api.math import math_ops
from tf1compat.api.util import compat
from tf1compat.core import dtypes, nest, ops, raw_ops
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.function_def_to_graph import function_def_to_graph
from tf1compat.core.handle_data import copy_handle_data

_COND = ("tf.cond", "cond", "cond")
_CASE = ("tf.switch_case", "case", "switch_case")


def cond_v2(pred: Any, true_fn: Any, false_fn: Any, name: str | None = "cond") -> Any:
    """As `tf.cond`, recorded as an If.

    Raises:
      TypeError: `pred` is a Python bool, or the branches do not return the same.
      ValueError: one branch uses what the other computes.
    """
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool", pred)
    with ops.name_scope(name or "cond") as scope:
        true_name = util.unique_fn_name(scope, "true")
        false_name = util.unique_fn_name(scope, "false")
        ordered = _add_control_dependencies()
        pred = ops.convert_to_tensor(pred)
        if pred.shape.dims is None or pred.shape.dims:
            pred = array_ops.squeeze_v2(pred)
        true_graph = _branch(true_name, true_fn, ordered, pred)
        false_graph = _branch(false_name, false_fn, ordered, pred)
        verify_captures(_COND, [true_graph, false_graph])
        return _build_cond(
            pred,
            true_graph,
            false_graph,
            true_graph.external_captures,
            false_graph.external_captures,
            building_gradient=False,
            name=scope,
        )


def indexed_case(
    branch_index: Any, branch_fns: Sequence[Callable[[], Any]], name: str = "indexed_case"
) -> Any:
    """As `tf.switch_case`, recorded as a Case.

    Raises:
      TypeError: `branch_index` is a Python int, or the branches do not return the same.
      ValueError: one branch uses what another computes.
    """
    if isinstance(branch_index, int):
        raise TypeError("branch_index must not be a Python int", branch_index)
    with ops.name_scope(name) as scope:
        names = [util.unique_fn_name(scope, f"branch{i}") for i in range(len(branch_fns))]
        ordered = _add_control_dependencies()
        branch_index = ops.convert_to_tensor(branch_index, name="branch_index")
        graphs = [
            _branch(branch_name, fn, ordered, branch_index)
            for branch_name, fn in zip(names, branch_fns)
        ]
        verify_captures(_CASE, graphs)
        return _build_case(
            branch_index, graphs, [graph.external_captures for graph in graphs], name=scope
        )


def _add_control_dependencies() -> bool:
    """Whether operations with effects wait for each other: as in the default graph."""
    return getattr(ops.get_default_graph(), "_add_control_dependencies", False)


def _branch(name: str, fn: Any, ordered: bool, op_return_value: Any) -> FuncGraph:
    graph = util.CondBranchFuncGraph(name, collections=ops.get_default_graph()._collections)
    return function_tracing.func_graph_from_py_func(
        name,
        fn,
        [],
        {},
        func_graph=graph,
        add_control_dependencies=ordered,
        op_return_value=op_return_value,
    )


# Gradients.


def if_gradient(op: Any, *grads: Any) -> list[Any]:
    """The gradient of an If or StatelessIf."""
    if_op = op.outputs[0].op
    graphs = get_func_graphs(if_op)
    grad_graphs = [
        _create_grad_func(graph, grads, util.unique_grad_fn_name(graph.name)) for graph in graphs
    ]
    if any(graph.op_needs_rewrite for graph in grad_graphs):
        added = _output_intermediates(_COND, graphs, grad_graphs)
        if_op._set_func_attr("then_branch", util.create_new_tf_function(graphs[0]))
        if_op._set_func_attr("else_branch", util.create_new_tf_function(graphs[1]))
        _add_outputs(if_op, graphs, added)
    grad_inputs = [
        _resolve_grad_inputs(graph, grad_graph) for graph, grad_graph in zip(graphs, grad_graphs)
    ]
    _make_output_composite_tensors_match(_COND, grad_graphs)
    (on_true, on_false), inputs = grad_graphs, grad_inputs
    outputs = _build_cond(if_op.inputs[0], on_true, on_false, *inputs, building_gradient=True)
    return [None, *outputs]


def case_gradient(op: Any, *grads: Any) -> list[Any]:
    """The gradient of a Case."""
    case_op = op.outputs[0].op
    graphs = get_func_graphs(case_op)
    grad_graphs = [
        _create_grad_func(graph, grads, util.unique_grad_fn_name(graph.name)) for graph in graphs
    ]
    if any(graph.op_needs_rewrite for graph in grad_graphs):
        added = _output_intermediates(_CASE, graphs, grad_graphs)
        case_op._set_func_list_attr(
            "branches", [util.create_new_tf_function(graph) for graph in graphs]
        )
        _add_outputs(case_op, graphs, added)
    grad_inputs = [
        _resolve_grad_inputs(graph, grad_graph) for graph, grad_graph in zip(graphs, grad_graphs)
    ]
    _make_output_composite_tensors_match(_CASE, grad_graphs)
    outputs = _build_case(case_op.inputs[0], grad_graphs, grad_inputs, name="gradient")
    return [None, *outputs]


def _output_intermediates(
    kind: tuple[str, ...], graphs: Sequence[FuncGraph], grad_graphs: Sequence[_CondGradFuncGraph]
) -> list[list[Any]]:
    """Has the forward branches return what their gradients need; returns what they return more."""
    if v1_util.GraphOrParentsInXlaContext(ops.get_default_graph()):
        added = _make_intermediates_match_xla(
            graphs, [graph.xla_intermediates for graph in grad_graphs]
        )
    else:
        added = _make_intermediates_match(
            graphs, [graph.wrapped_intermediates for graph in grad_graphs]
        )
    for graph, extra in zip(graphs, added):
        graph.outputs.extend(extra)
    _check_same_outputs(kind, graphs)
    for graph in graphs:
        graph.name += "_rewritten"
    return added


def _add_outputs(op: Any, graphs: Sequence[FuncGraph], added: Sequence[list[Any]]) -> None:
    op._set_type_list_attr("Tout", graphs[0].output_types)
    op._set_shape_list_attr("output_shapes", graphs[0].output_shapes)
    op._add_outputs([t.dtype for t in added[0]], [t.shape for t in added[0]])


def get_func_graphs(op: Any) -> list[FuncGraph]:
    """Copies of the branches of an If or Case, which have captured the operation's inputs."""
    attrs = op._attrs
    if op.type == "Case":
        functions = attrs["branches"]
    elif op.type in ("If", "StatelessIf"):
        functions = [attrs["then_branch"], attrs["else_branch"]]
    else:
        raise ValueError(f"Unsupported op type: {op.type}")
    inputs = op.inputs[1:]
    graphs = []
    for function in functions:
        name = function if isinstance(function, str) else function.name
        fdef = op.graph._get_function(name).definition
        with op.graph.as_default():
            graph = function_def_to_graph(fdef, [t.shape for t in inputs])
        for outer, inner in zip(inputs, graph.inputs):
            copy_handle_data(outer, inner)
        graph.reset_captures(zip(inputs, graph.inputs))
        graph._forward_cond = op  # pyright: ignore[reportAttributeAccessIssue]
        graphs.append(graph)
    return graphs


def _grad_fn(graph: FuncGraph, grads: Sequence[Any]) -> list[Any]:
    """Records the gradients of a branch's inputs, in the default graph."""
    assert len(graph.outputs) == len(grads)
    usable = [
        (y, grad_y) for y, grad_y in zip(graph.outputs, grads) if gradients_walk.is_trainable(y)
    ]
    result = gradients_walk.gradients(
        [y for y, _ in usable],
        graph.inputs,
        grad_ys=[grad_y for _, grad_y in usable],
        src_graph=graph,
    )
    # A function can't return None.
    for i, (grad, given) in enumerate(zip(result, graph.inputs)):
        if grad is None and given.dtype is dtypes.resource:
            result[i] = array_ops.zeros(
                raw_ops.VariableShape(given), dtype=control_flow_state.zeros_dtype(given)
            )
        elif grad is None:
            result[i] = array_ops.zeros_like(given)
    return result


def _create_grad_func(graph: FuncGraph, grads: Sequence[Any], name: str) -> _CondGradFuncGraph:
    body = _CondGradFuncGraph(name, graph)
    function_tracing.func_graph_from_py_func(
        name, lambda: _grad_fn(graph, grads), [], {}, func_graph=body
    )
    return body


def _resolve_grad_inputs(graph: FuncGraph, grad_graph: FuncGraph) -> list[Any]:
    """What to pass to the gradient of a branch: tensors of the graph around the branch, in place of
    those in the branch."""
    found = []
    for tensor in grad_graph.external_captures:
        if tensor.graph is not grad_graph.outer_graph:
            assert tensor.graph is graph
            tensor = _outside(graph, tensor)
            assert tensor.graph is graph.outer_graph
        found.append(tensor)
    return found


def _outside(graph: Any, tensor: Any) -> Any:
    for i, output in enumerate(graph.outputs):
        if output is tensor:
            return graph._forward_cond.outputs[i]
    for outer, inner in graph.captures:
        if inner is tensor:
            return outer
    raise ValueError(f"Could not find external tensor capture {tensor} in captures or outputs")


class _CondGradFuncGraph(util.CondBranchFuncGraph):
    """The gradient of a branch: what it captures of the branch comes out of an optional.

    Attributes:
      op_needs_rewrite: whether the forward operation must return more than it does.
      xla_intermediates: what was captured as it is, since XLA has no optionals.
    """

    def __init__(self, name: str, forward_graph: FuncGraph):
        super().__init__(name, collections=ops.get_default_graph()._collections)
        self.op_needs_rewrite = False
        self.xla_intermediates: list[Any] = []
        self._forward_graph = forward_graph
        self._indirect_captures: dict[int, Any] = {}
        self._wrapped_intermediates: dict[int, Any] = {}

    @property
    def wrapped_intermediates(self) -> list[Any]:
        """The optionals of what was captured."""
        return list(self._wrapped_intermediates.values())

    def _capture_from_outside(self, tensor: Any, name: str) -> Any:
        forward = self._forward_graph
        if tensor.graph is not forward or any(
            tensor is t for t in (*forward.inputs, *forward.outputs)
        ):
            return super()._capture_from_outside(tensor, name)
        if v1_util.GraphOrParentsInXlaContext(ops.get_default_graph()):
            if all(tensor is not captured for captured in self.external_captures):
                self.xla_intermediates.append(tensor)
                self.op_needs_rewrite = True
            return super()._capture_from_outside(tensor, name)
        captured = self._indirect_captures.get(id(tensor))
        if captured is not None:
            return captured
        if tensor.dtype is dtypes.resource:
            index = util.resource_input_index(
                tensor.name,
                [t.name for t in forward.inputs],
                {op.name: op.node_def for op in forward.get_operations()},
                forward._functions,
            )
            captured = super()._capture_from_outside(forward.inputs[index], name)
        else:
            optional = self._optional(tensor)
            optional = super()._capture_from_outside(optional, name)
            captured = raw_ops.OptionalGetValue(
                optional, output_types=[tensor.dtype], output_shapes=[tensor.shape]
            )[0]
        self._indirect_captures[id(tensor)] = captured
        return captured

    def _optional(self, tensor: Any) -> Any:
        found = self._wrapped_intermediates.get(id(tensor))
        if found is None:
            outputs = self._forward_graph.outputs
            for consumer in tensor.consumers():
                if consumer.type == "OptionalFromValue" and any(
                    consumer.outputs[0] is output for output in outputs
                ):
                    found = consumer.outputs[0]
                    break
            else:
                with self._forward_graph.as_default():
                    found = raw_ops.OptionalFromValue([tensor])
                self.op_needs_rewrite = True
            self._wrapped_intermediates[id(tensor)] = found
        return found


# Recording the operation.


def _build_cond(
    pred: Any,
    true_graph: FuncGraph,
    false_graph: FuncGraph,
    true_inputs: Sequence[Any],
    false_inputs: Sequence[Any],
    building_gradient: bool,
    name: str | None = None,
) -> Any:
    """Records an If; returns what its branches return."""
    graphs = [true_graph, false_graph]
    _make_indexed_slices_indices_types_match(_COND, graphs)
    _check_same_outputs(_COND, graphs)
    inputs = _make_inputs_match(graphs, [true_inputs, false_inputs])
    count = len(true_graph.outputs)
    if not building_gradient and util.output_all_intermediates():
        wrapped = [_wrap_intermediates(graph, _get_intermediates(graph)) for graph in graphs]
        for graph, extra in zip(graphs, _make_intermediates_match(graphs, wrapped)):
            graph.outputs.extend(extra)
        _check_same_outputs(_COND, graphs)
    with ops.control_dependencies([c for graph in graphs for c in graph.control_captures]):
        stateful = any(op._is_stateful for graph in graphs for op in graph.get_operations())
        new_form = not stateful and compat.forward_compatible(2019, 7, 22)
        record = raw_ops.StatelessIf if new_form else raw_ops.If
        tensors = record(
            pred,
            inputs,
            [t.dtype for t in true_graph.outputs],
            util.create_new_tf_function(true_graph),
            util.create_new_tf_function(false_graph),
            output_shapes=_get_output_shapes(graphs),
            name=name,
        )
    return _copies_of_results(tensors, graphs, count)


def _build_case(
    branch_index: Any,
    graphs: Sequence[FuncGraph],
    branch_inputs: Sequence[Sequence[Any]],
    name: str | None = None,
) -> Any:
    """Records a Case; returns what its branches return."""
    _make_indexed_slices_indices_types_match(_CASE, graphs)
    _check_same_outputs(_CASE, graphs)
    inputs = _make_inputs_match(graphs, branch_inputs)
    with ops.control_dependencies([c for graph in graphs for c in graph.control_captures]):
        tensors = raw_ops.Case(
            branch_index,
            inputs,
            [t.dtype for t in graphs[0].outputs],
            [util.create_new_tf_function(graph) for graph in graphs],
            output_shapes=_get_output_shapes(graphs),
            name=name,
        )
    return _copies_of_results(tensors, graphs, len(graphs[0].outputs))


def _copies_of_results(tensors: Any, graphs: Sequence[FuncGraph], count: int) -> Any:
    """Identities of the first `count` results, structured as the branches return them.

    Raises:
      IndexError: there are none, as in TF.
    """
    results = [] if isinstance(tensors, ops.Operation) else tensors
    op = results[0].op
    util.maybe_set_lowering_attr(op)
    util.maybe_propagate_compile_time_consts_in_xla(op)
    copies = [array_ops.identity(t) for t in results]
    op.graph.prevent_fetching(op)
    return pack_sequence_as(graphs[0].structured_outputs, copies[:count])


def pack_sequence_as(structure: Any, flat: Sequence[Any]) -> Any:
    """`flat`, the tensors of a function's results, structured as these: TensorArrays where there
    were such, None where there was none."""
    leaves = nest.flatten(structure, expand_composites=True)
    rest = iter(flat)
    packed = []
    for leaf in leaves:
        if leaf is None:
            packed.append(None)
        elif isinstance(leaf, tensor_array_ops.TensorArray):
            packed.append(tensor_array_ops.build_ta_with_new_flow(leaf, next(rest)))
        else:
            packed.append(next(rest))
    return nest.pack_sequence_as(structure, packed, expand_composites=True)


# Making branches alike.


def _get_intermediates(graph: FuncGraph) -> list[Any]:
    given = {id(t) for t in (*graph.inputs, *graph.outputs)}
    return [
        tensor
        for op in graph.get_operations()
        if op.type != "MutexLock"
        for tensor in op.outputs
        if id(tensor) not in given and tensor.dtype is not dtypes.resource
    ]


def _wrap_intermediates(graph: FuncGraph, intermediates: Sequence[Any]) -> list[Any]:
    with graph.as_default():
        return [raw_ops.OptionalFromValue([tensor]) for tensor in intermediates]


def _make_intermediates_match(
    graphs: Sequence[FuncGraph], optionals: Sequence[list[Any]]
) -> list[list[Any]]:
    """As many optionals for each branch: empty ones behind its own."""
    size = max(len(own) for own in optionals)
    return [
        own + _create_none_optionals(graph, size - len(own))
        for graph, own in zip(graphs, optionals)
    ]


def _create_none_optionals(graph: FuncGraph, count: int) -> list[Any]:
    with graph.as_default():
        return [raw_ops.OptionalNone() for _ in range(count)]


def _make_intermediates_match_xla(
    graphs: Sequence[FuncGraph], intermediates: Sequence[list[Any]]
) -> list[list[Any]]:
    """The same number of values for each branch, in place of those of others whatever fits."""
    result = []
    for i, graph in enumerate(graphs):
        others = [t for own in intermediates if own is not intermediates[i] for t in own]
        with graph.as_default():
            fakes = [raw_ops.FakeParam(dtype=t.dtype, shape=t.shape) for t in others]
        before = sum(len(own) for own in intermediates[:i])
        result.append(fakes[:before] + intermediates[i] + fakes[before:])
    return result


def _make_inputs_match(
    graphs: Sequence[FuncGraph], branch_inputs: Sequence[Sequence[Any]]
) -> list[Any]:
    """Gives all branches the same inputs; returns the tensors to pass."""
    inputs = list({id(t): t for own in branch_inputs for t in own}.values())
    for graph, own in zip(graphs, branch_inputs):
        params = dict(zip([id(t) for t in own], graph.inputs))
        graph.inputs = [
            params[id(t)] if id(t) in params else _create_dummy_input(graph, t) for t in inputs
        ]
        graph.reset_captures(zip(inputs, graph.inputs))
    return inputs


def _create_dummy_input(graph: FuncGraph, like: Any) -> Any:
    with graph.as_default():
        return array_ops.placeholder(like.dtype, shape=like.shape)


def _irreconcilable(what: str, index: int, label: str, values: Sequence[Any]) -> TypeError:
    return TypeError(f"Cannot reconcile {what} {index}-th outputs:\n  {label}: {values}")


def _make_output_composite_tensors_match(
    kind: tuple[str, ...], graphs: Sequence[FuncGraph]
) -> None:
    """Where one branch returns IndexedSlices, the others' tensors become such."""
    outputs: Any = [graph.structured_outputs for graph in graphs]
    for index, values in enumerate(zip(*outputs, strict=True)):
        if len({type(value) for value in values}) == 1:
            continue
        if not any(isinstance(value, ops.IndexedSlices) for value in values):
            continue
        for branch, value in enumerate(values):
            if isinstance(value, ops.IndexedSlices):
                continue
            if not isinstance(value, ops.Tensor):
                raise _irreconcilable(kind[0], index, "outputs from all branches", values)
            with graphs[branch].as_default():
                outputs[branch][index] = indexed_slices.from_tensor(value)
    for graph, values in zip(graphs, outputs):
        graph.structured_outputs = values
        graph.outputs = function_tracing.flatten_results(values)


def _make_indexed_slices_indices_types_match(
    kind: tuple[str, ...], graphs: Sequence[FuncGraph]
) -> None:
    """Makes the indices of IndexedSlices that branches return int64, where their dtypes differ."""
    by_branch = [nest.flatten(graph.structured_outputs) for graph in graphs]
    assert len({len(values) for values in by_branch}) == 1, [len(v) for v in by_branch]
    places = []
    position = 0
    for index, values in enumerate(zip(*by_branch)):
        if len({isinstance(value, ops.IndexedSlices) for value in values}) != 1:
            raise _irreconcilable(f"tf.{kind[2]}", index, "branches returned", values)
        if isinstance(values[0], ops.IndexedSlices):
            places.append(position + 1)
        parts = nest.flatten(values[0], expand_composites=True)
        position += len(parts) if nest.is_sequence_or_composite(values[0]) else 1
    if not places:
        return
    if position != len(graphs[0].outputs):
        raise ValueError(
            "Insufficient elements in branch_graphs[0].outputs.\n"
            f"Expected: {position}\nActual: {len(graphs[0].outputs)}"
        )
    for place in places:
        found = [graph.outputs[place].dtype for graph in graphs]
        if any(dtype not in (dtypes.int32, dtypes.int64) for dtype in found):
            raise TypeError(f"Type of IndexedSlices.indices must be int32 or int64. Found: {found}")
        if len(set(found)) == 1:
            continue
        for graph in graphs:
            if graph.outputs[place].dtype == dtypes.int32:
                with graph.as_default():
                    graph.outputs[place] = math_ops.cast(graph.outputs[place], dtypes.int64)
    for graph in graphs:
        graph.structured_outputs = pack_sequence_as(graph.structured_outputs, graph.outputs)


def _check_same_outputs(kind: tuple[str, ...], graphs: Sequence[FuncGraph]) -> None:
    """Refuses branches that do not return the same.

    Raises:
      TypeError, ValueError: one doesn't return the structure and dtypes of the first.
    """
    first = graphs[0]

    def refuse(index: int, detail: str) -> None:
        names = ("true_fn", "false_fn")
        if kind is not _COND:
            names = ("branches[0]", f"branches[{index}]")
        raise TypeError(
            f"{names[0]} and {names[1]} arguments to {kind[0]} must have the same number, type, "
            "and overall structure of return values.\n\n"
            f"{names[0]} output: {first.structured_outputs}\n"
            f"{names[1]} output: {graphs[index].structured_outputs}\n\n"
            f"Error details:\n{detail}"
        )

    for index, graph in enumerate(graphs[1:], 1):
        try:
            nest.assert_same_structure(
                first.structured_outputs, graph.structured_outputs, expand_composites=True
            )
        except (ValueError, TypeError) as error:
            refuse(index, str(error))
        if len(first.outputs) != len(graph.outputs):
            raise ValueError(
                f"Lengths of branch outputs of {kind[1]} must match.\n"
                f"len(graphs[0].outputs): {len(first.outputs)}\n"
                f"len(graphs[{index}].outputs): {len(graph.outputs)}\n"
            )
        for a, b in zip(first.outputs, graph.outputs):
            if a.dtype != b.dtype:
                refuse(index, f"{a} and {b} have different types")


def _get_output_shapes(graphs: Sequence[FuncGraph]) -> list[Any]:
    shapes = []
    for first, *others in zip(*(graph.outputs for graph in graphs)):
        shape = first.shape
        for other in others:
            shape = shape.most_specific_compatible_shape(other.shape)
        shapes.append(shape)
    return shapes


def verify_captures(kind: tuple[str, ...], graphs: Sequence[FuncGraph]) -> None:
    """Refuses a branch that uses what another one computes.

    Raises:
      ValueError: one does.
    """
    numbers = {id(graph): i for i, graph in enumerate(graphs)}
    names = ["true_fn", "false_fn"]
    if kind is not _COND:
        names = [f"branch {i}" for i in range(len(graphs))]
    for i, graph in enumerate(graphs):
        for tensor in graph.external_captures:
            if not tensor._is_eager and id(tensor.graph) in numbers:
                source = names[numbers[id(tensor.graph)]]
                raise ValueError(f"Tensor {tensor.name} in {source} is accessed from {names[i]}.")
