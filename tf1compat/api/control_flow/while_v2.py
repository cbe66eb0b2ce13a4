"""Loops as While operations with functions for condition and body (`while_v2` of TF).

The gradient is a While that turns as often. What its body needs of the forward body, the forward
loop pushes to lists, which the gradient's body pops: the forward operation is changed to do so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_util_v2 as util
from tf1compat.api.control_flow import (
    list_ops,
    loop_nodes,
    tensor_array_ops,
    while_v2_indexed_slices_rewriter,
)
from tf1compat.api.functions import function_tracing
from tf1compat.api.gradients import gradients_walk
from tf1compat.api.math import math_ops
from tf1compat.api.util import compat
from tf1compat.core import dtypes, nest, ops, raw_ops, tensor_util
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.function_def_to_graph import function_def_to_graph
from tf1compat.core.handle_data import copy_handle_data
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec, TypeSpec, type_spec_from_value
from tf1compat.core.typing import ShapeLike

# A loop has two variables of its own before the user's: how often it turned, and how often it may.
_FIRST = 2


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    maximum_iterations: Any = None,
    name: str | None = None,
    return_same_structure: bool = True,
    back_prop: bool = True,
) -> Any:
    """As `tf.while_loop`, recorded as a While.

    Raises:
      TypeError, ValueError: the body returns another structure, dtype or shape than it is given.
    """
    given = loop_vars
    variables = list(_tensor_array_to_flow(given))
    variables = nest.map_structure(ops.convert_to_tensor, variables, expand_composites=True)
    if shape_invariants is None:
        signature = nest.map_structure(type_spec_from_value, variables)
        invariants = nest.map_structure(loop_nodes.shape_invariant, variables)
    else:
        nest.assert_same_structure(given, shape_invariants, expand_composites=False)
        signature = nest.map_structure(
            _shape_invariant_to_type_spec, variables, list(shape_invariants)
        )
        invariants = nest.map_structure(
            loop_nodes.shape_invariant, variables, list(shape_invariants)
        )
    with ops.name_scope(name or "while") as scope:
        with ops.name_scope(None):
            cond_name = util.unique_fn_name(scope, "cond")
            body_name = util.unique_fn_name(scope, "body")
        limit = _build_maximum_iterations_loop_var(maximum_iterations)
        counter = constant_op.constant(
            0, dtype=None if maximum_iterations is None else limit.dtype, name="loop_counter"
        )
        signature = [TensorSpec.from_tensor(counter), TensorSpec.from_tensor(limit), *signature]
        variables = [counter, limit, *variables]
        ordered = getattr(ops.get_default_graph(), "_add_control_dependencies", False)
        collections = ops.get_default_graph()._collections

        def wrapped_cond(counter: Any, limit: Any, *args: Any) -> Any:
            pred = cond(*_pack_sequence_as(given, args))
            if tensor_util.is_tensor(pred) and (pred.shape.dims is None or pred.shape.dims):
                pred = array_ops.squeeze_v2(pred)
            if maximum_iterations is None:
                return pred
            return math_ops.logical_and(counter < limit, pred)

        cond_graph = function_tracing.func_graph_from_py_func(
            cond_name,
            wrapped_cond,
            [],
            {},
            signature=signature,
            func_graph=util.WhileCondFuncGraph(cond_name, collections=collections),
            add_control_dependencies=ordered,
        )

        def wrapped_body(counter: Any, limit: Any, *args: Any) -> Any:
            # What the condition captures comes first here, too.
            inside: Any = ops.get_default_graph()
            for tensor in cond_graph.external_captures:
                inside.capture(tensor)
            outputs = body(*_pack_sequence_as(given, args))
            if not nest.is_sequence_or_composite(outputs):
                outputs = [outputs]
            nest.assert_same_structure(list(outputs), list(given), expand_composites=True)
            outputs = _tensor_array_to_flow(outputs)
            return [counter + 1, limit, *outputs]

        body_graph = function_tracing.func_graph_from_py_func(
            body_name,
            wrapped_body,
            [],
            {},
            signature=signature,
            func_graph=util.WhileBodyFuncGraph(body_name, collections=collections),
            add_control_dependencies=ordered,
        )
        # What is captured is a loop variable, too, that stays the same.
        variables = variables + body_graph.external_captures
        body_graph.outputs.extend(body_graph.internal_captures)
        with cond_graph.as_default():
            count = len(cond_graph.external_captures)
            for tensor in body_graph.external_captures[count:]:
                cond_graph.capture(tensor)
        size = len(nest.flatten(given, expand_composites=True))
        own = slice(_FIRST, _FIRST + size)
        flat_invariants = nest.flatten(invariants, expand_composites=True)
        _check_shapes_compat(
            body_graph.outputs[own],
            flat_invariants,
            nest.flatten(variables[_FIRST : _FIRST + len(given)], expand_composites=True),
        )
        original_outputs = len(body_graph.outputs)
        if back_prop and util.output_all_intermediates():
            variables += _accumulate_intermediates(cond_graph, body_graph, maximum_iterations)
        variables = nest.flatten(variables, expand_composites=True)
        _check_num_inputs_outputs(cond_graph, body_graph, len(variables))
        _check_inputs_outputs_types_match(body_graph, variables)
        with ops.control_dependencies([*cond_graph.control_captures, *body_graph.control_captures]):
            output_shapes = [tensor.shape for tensor in body_graph.outputs]
            output_shapes[own] = flat_invariants
            stateful = any(
                op._is_stateful
                for graph in (cond_graph, body_graph)
                for op in graph.get_operations()
            )
            new_form = not stateful and compat.forward_compatible(2019, 8, 23)
            record = raw_ops.StatelessWhile if new_form else raw_ops.While
            outputs = record(
                variables,
                util.create_new_tf_function(cond_graph),
                util.create_new_tf_function(body_graph),
                output_shapes=output_shapes,
                parallel_iterations=parallel_iterations,
                name=scope,
            )
            # No derivative is taken of what is returned besides.
            outputs[0].op._attrs["_num_original_outputs"] = original_outputs
        outputs = _copies(outputs, body_graph)
    packed = _pack_sequence_as(given, outputs[own])
    if return_same_structure:
        return packed
    flat = nest.flatten(packed, expand_composites=True)
    return flat[0] if len(flat) == 1 else packed


def _copies(outputs: Any, body_graph: FuncGraph) -> list[Any]:
    """Identities of a loop's results: of these, one may be fetched alone."""
    for source, target in zip(body_graph.outputs, outputs):
        copy_handle_data(source, target)
    util.maybe_set_lowering_attr(outputs[0].op)
    util.maybe_propagate_compile_time_consts_in_xla(outputs[0].op)
    return [array_ops.identity(tensor) for tensor in outputs]


def _accumulate_intermediates(
    cond_graph: FuncGraph, body_graph: FuncGraph, maximum_iterations: Any
) -> list[Any]:
    """Has the body push all that it computes to lists; returns those it begins with."""
    lists = []
    for tensor in _get_intermediates(body_graph):
        empty = list_ops.empty_tensor_list(
            element_dtype=tensor.dtype,
            element_shape=tensor.shape,
            max_num_elements=maximum_iterations,
        )
        lists.append(empty)
        with cond_graph.as_default():
            cond_graph.capture(empty)
        with body_graph.as_default():
            body_graph.outputs.append(list_ops.tensor_list_push_back(empty, tensor))
    return lists


def _get_intermediates(graph: FuncGraph) -> list[Any]:
    captured = {id(tensor) for tensor in graph.internal_captures}
    return [
        tensor
        for op in graph.get_operations()
        if op.type not in ("Identity", "MutexLock")
        for tensor in op.outputs
        if tensor is not graph.inputs[0]
        and tensor.dtype is not dtypes.resource
        and _get_accumulator(tensor) is None
        and id(tensor) not in captured
    ]


# The gradient.


def while_gradient(op: Any, *grads: Any) -> list[Any]:
    """The gradient of a While or StatelessWhile."""
    while_op = op.outputs[0].op
    cond_graph = _get_graph(while_op, "cond")
    body_graph = _get_graph(while_op, "body")
    count = len(body_graph.outputs)
    maximum_iterations = op.inputs[1]
    original_outputs = while_op._attrs.get("_num_original_outputs", len(while_op.outputs))
    intermediates = len(while_op.outputs) - original_outputs
    initial = [
        _preprocess_grad(*each)
        for each in zip(
            grads[:original_outputs],
            body_graph.outputs[:original_outputs],
            while_op.outputs[:original_outputs],
        )
    ] + [None] * intermediates
    used = [
        each for each in zip(body_graph.outputs, body_graph.inputs, initial) if each[2] is not None
    ]
    ys, xs, given = ([each[i] for each in used] for i in range(3))
    body_grad_graph, args = _create_grad_func(
        ys,
        xs,
        given,
        cond_graph,
        body_graph,
        util.unique_grad_fn_name(body_graph.name),
        op,
        maximum_iterations,
    )
    if body_grad_graph.while_op_needs_rewrite:
        cond_graph.name += "_rewritten"
        body_graph.name += "_rewritten"
        new_outputs = body_graph.outputs[count:]
        while_op._set_func_attr("cond", util.create_new_tf_function(cond_graph))
        while_op._set_func_attr("body", util.create_new_tf_function(body_graph))
        while_op._set_type_list_attr("T", body_graph.output_types)
        while_op._set_shape_list_attr("output_shapes", body_graph.output_shapes)
        while_op._add_while_inputs(body_grad_graph.empty_tensor_lists)
        while_op._add_outputs([t.dtype for t in new_outputs], [t.shape for t in new_outputs])
        for source, target in zip(new_outputs, op.outputs[count:]):
            copy_handle_data(source, target)
    # Higher derivatives take those of what is returned besides into account.
    while_op._attrs["_num_original_outputs"] = len(while_op.outputs)
    loop_vars = args + _resolve_grad_captures(body_graph, body_grad_graph, while_op)
    loop_vars = while_v2_indexed_slices_rewriter.rewrite_grad_indexed_slices(
        initial, body_grad_graph, loop_vars, while_op.inputs
    )

    def grad_cond(counter: Any, _: Any, forward_turns: Any, *rest: Any) -> Any:
        return counter < forward_turns

    grad_cond_name = util.unique_grad_fn_name(_function_name(op._attrs["cond"]))
    cond_grad_graph = function_tracing.func_graph_from_py_func(
        grad_cond_name,
        grad_cond,
        loop_vars,
        {},
        func_graph=util.WhileCondFuncGraph(grad_cond_name),
    )
    _check_num_inputs_outputs(cond_grad_graph, body_grad_graph, len(loop_vars))
    outputs = raw_ops.While(
        loop_vars,
        util.create_new_tf_function(cond_grad_graph),
        util.create_new_tf_function(body_grad_graph),
        output_shapes=[tensor.shape for tensor in body_grad_graph.outputs],
        parallel_iterations=op._attrs["parallel_iterations"],
        name=f"{while_op.name}_grad",
    )
    return _structured(_copies(outputs, body_grad_graph), initial, body_grad_graph)


def _function_name(function: Any) -> str:
    return function if isinstance(function, str) else function.name


def _preprocess_grad(grad: Any, body_output: Any, while_output: Any) -> Any:
    """The gradient of one result of a loop, or None if it can't have one."""
    if not _is_trainable(body_output):
        return None
    # A tape has no zeros for these.
    if while_output.dtype in (dtypes.resource, dtypes.variant) and grad is None:
        return _zeros_like(while_output)
    return grad


def _zeros_like(tensor: Any) -> Any:
    if tensor.dtype is dtypes.resource:
        return array_ops.zeros(raw_ops.VariableShape(tensor))
    return array_ops.zeros_like(tensor)


def _is_trainable(tensor: Any) -> bool:
    if not gradients_walk.is_trainable(tensor):
        return False
    # A list of what can't have a gradient has none either.
    if tensor.op.type == "TensorListPopBack" and tensor.value_index == 0:
        return gradients_walk.is_trainable(tensor.op._attrs["element_dtype"])
    return True


def _get_graph(while_op: Any, attr: str) -> FuncGraph:
    """A copy of the body or the condition."""
    shapes = while_op._attrs["output_shapes"]
    fdef = while_op.graph._get_function(_function_name(while_op._attrs[attr])).definition
    with while_op.graph.as_default():
        graph = function_def_to_graph(fdef, shapes)
    graph._while = while_op  # pyright: ignore[reportAttributeAccessIssue]
    return graph


def _create_grad_func(
    ys: list[Any],
    xs: list[Any],
    grads: list[Any],
    cond_graph: FuncGraph,
    body_graph: FuncGraph,
    name: str,
    while_op: Any,
    maximum_iterations: Any,
) -> tuple[_WhileBodyGradFuncGraph, list[Any]]:
    """The body of the gradient, and what to pass it besides what it captures."""
    turns = while_op.outputs[0]
    counter = constant_op.constant(0, dtype=turns.dtype, name="grad_counter")
    args = [counter, maximum_iterations, turns, *grads]
    graph = _WhileBodyGradFuncGraph(name, cond_graph, body_graph, maximum_iterations, while_op)
    function_tracing.func_graph_from_py_func(
        name, lambda *args: _grad_fn(ys, xs, args, body_graph), args, {}, func_graph=graph
    )
    # What is captured is returned: lists as they are popped, the rest as it is.
    for outer, inner in graph.captures:
        returned = graph.popped_tensor_lists.get(id(inner))
        if returned is None:
            if inner.dtype is not dtypes.resource and not graph.is_loop_invariant(outer):
                raise ValueError(
                    f"Tensor {inner} which captures {outer} is in list of internal_captures but is "
                    "not a resource, is not in popped_tensor_lists and does not capture a loop "
                    "invariant."
                )
            returned = inner
        graph.outputs.append(returned)
        graph.structured_outputs.append(returned)
    return graph, args


def _grad_fn(ys: list[Any], xs: list[Any], args: Sequence[Any], graph: FuncGraph) -> list[Any]:
    """Records the gradients of the body's inputs, in the default graph."""
    counter, maximum_iterations, turns, *grad_ys = args
    found = gradients_walk.gradients(
        ys, xs, grad_ys=grad_ys, src_graph=graph, unconnected_gradients="zero"
    )
    return [counter + 1, maximum_iterations, turns, *found]


def _resolve_grad_captures(
    body_graph: FuncGraph, body_grad_graph: FuncGraph, while_op: Any
) -> list[Any]:
    """What to pass for the captures: the results of the loop in place of those of its body."""
    found = []
    for tensor in body_grad_graph.external_captures:
        if tensor.graph is body_graph:
            for i, output in enumerate(body_graph.outputs):
                if output is tensor:
                    tensor = while_op.outputs[i]
                    break
            assert tensor.graph is body_graph.outer_graph
        else:
            assert tensor.dtype is dtypes.resource
        found.append(tensor)
    return found


def _structured(outputs: Sequence[Any], grads: Sequence[Any], graph: FuncGraph) -> list[Any]:
    """The gradients of the loop's inputs, out of the results of the gradient loop."""
    result: list[Any] = []
    flat = iter(outputs[3:])
    structured: Any = iter(graph.structured_outputs[3:])
    for grad in grads:
        if grad is None:
            result.append(None)
        elif isinstance(next(structured), ops.IndexedSlices):
            values, indices, dense_shape = next(flat), next(flat), next(flat)
            result.append(ops.IndexedSlices(values, indices, dense_shape))
        else:
            result.append(next(flat))
    return result


def _get_accumulator(tensor: Any) -> Any:
    """The list that the body returns after `tensor` was pushed to it; None if there is none."""
    inputs, outputs = tensor.graph.inputs, tensor.graph.outputs

    def returned(pushed: Any) -> Any:
        if any(output is pushed for output in outputs):
            return pushed
        # In a tf.function every result has an identity.
        copy = pushed.consumers()[0]
        if copy.type == "Identity" and any(copy.outputs[0] is output for output in outputs):
            return copy.outputs[0]
        return None

    for consumer in tensor.consumers():
        if consumer.type != "TensorListPushBack":
            continue
        places = [i for i, given in enumerate(inputs) if given is consumer.inputs[0]]
        if not places:
            continue
        found = returned(consumer.outputs[0])
        if found is not None and places[0] < len(outputs) and outputs[places[0]] is found:
            return found
    return None


class _WhileBodyGradFuncGraph(util.WhileBodyFuncGraph):
    """The body of a gradient loop: what it captures of the forward body comes out of a list.

    Attributes:
      empty_tensor_lists: the lists that the forward loop has to begin with besides.
      popped_tensor_lists: id of a captured placeholder -> what the body returns for it.
    """

    def __init__(
        self,
        name: str,
        forward_cond_graph: FuncGraph,
        forward_body_graph: FuncGraph,
        maximum_iterations: Any,
        forward_while_op: Any,
    ):
        super().__init__(name)
        self.empty_tensor_lists: list[Any] = []
        self.popped_tensor_lists: dict[int, Any] = {}
        self._forward_graph = forward_body_graph
        self._forward_cond_graph = forward_cond_graph
        self._maximum_iterations = maximum_iterations
        self._forward_while_op = forward_while_op
        # As they were before lists were added.
        self._invariants = {id(t) for t in forward_body_graph.inputs} & {
            id(t) for t in forward_body_graph.outputs
        }
        self._indirect_captures: dict[int, Any] = {}

    @property
    def while_op_needs_rewrite(self) -> bool:
        """Whether the forward loop must return more than it does."""
        return bool(self.empty_tensor_lists)

    def is_loop_invariant(self, tensor: Any) -> bool:
        """Whether the forward body returns an input as it is."""
        return id(tensor) in self._invariants

    def capture(self, tensor: Any, name: str | None = None, whitelisted: bool = False) -> Any:
        """As `FuncGraph.capture`.

        Raises:
          ValueError: `tensor` is not in the forward body, and not `whitelisted`.
        """
        if not whitelisted and tensor.graph is not self:
            if tensor.graph is not self._forward_graph:
                where = getattr(tensor.graph, "name", "Base")
                raise ValueError(
                    f"Attempting to capture tensor {tensor} which is not in the forward graph but "
                    f"in {where}."
                )
        return super().capture(tensor, name)

    def _capture_from_outside(self, tensor: Any, name: str) -> Any:
        forward = self._forward_graph
        if tensor.graph is not forward:
            return super()._capture_from_outside(tensor, name)
        while tensor.op.type == "Identity":
            tensor = tensor.op.inputs[0]
        found = self._indirect_captures.get(id(tensor))
        if found is None:
            found = self._capture_forward(tensor, name)
        return found

    def _capture_forward(self, tensor: Any, name: str) -> Any:
        forward = self._forward_graph
        captured: Any
        if any(tensor is t for t in forward.inputs) and any(tensor is t for t in forward.outputs):
            captured = super()._capture_from_outside(tensor, name)
            self.popped_tensor_lists[id(captured)] = captured
        elif tensor.op.type == "Const":
            value = tensor_util.constant_value(tensor)
            captured = constant_op.constant(value, dtype=tensor.dtype)
        elif tensor.dtype is dtypes.resource:
            captured = self._capture_resource(tensor)
        elif self.is_loop_invariant(tensor):
            return super()._capture_from_outside(tensor, name)
        else:
            accumulator = _get_accumulator(tensor)
            if accumulator is None:
                accumulator = self._accumulate(tensor)
            pushed = super()._capture_from_outside(accumulator, name)
            popped, captured = list_ops.tensor_list_pop_back(pushed, element_dtype=tensor.dtype)
            self.popped_tensor_lists[id(pushed)] = popped
        self._indirect_captures[id(tensor)] = captured
        return captured

    def _accumulate(self, tensor: Any) -> Any:
        """Has the forward body push `tensor` to a new list; returns what it returns then."""
        forward = self._forward_graph
        # What waits for the loop must not be waited for by what enters it.
        with forward.outer_graph.as_default(), util.clear_control_inputs():
            empty = list_ops.empty_tensor_list(
                element_dtype=tensor.dtype,
                element_shape=tensor.shape,
                max_num_elements=self._maximum_iterations,
                name=f"{tensor.name}/accumulator".replace(":", "_"),
            )
        self.empty_tensor_lists.append(empty)
        with forward.as_default():
            accumulator = list_ops.tensor_list_push_back(empty, tensor)
        forward.outputs.append(accumulator)
        with self._forward_cond_graph.as_default():
            self._forward_cond_graph.capture(empty)
        return accumulator

    def _capture_resource(self, tensor: Any) -> Any:
        forward: Any = self._forward_graph
        index = util.resource_input_index(
            tensor.name,
            [t.name for t in forward.inputs],
            {op.name: op.node_def for op in forward.get_operations()},
            forward._functions,
        )
        outside = forward._while.inputs[index]
        assert forward.inputs[index] is forward.outputs[index], (
            f"Resource tensors must be loop invariants {outside}."
        )
        return self.capture(outside, whitelisted=True)


# Checks.


def _check_shapes_compat(
    outputs: Sequence[Any], invariants: Sequence[Any], inputs: Sequence[Any]
) -> None:
    for tensor, shape, before in zip(outputs, invariants, inputs):
        if not loop_nodes.covers(tensor.shape, shape):
            raise ValueError(
                f"Input tensor '{before.name}' enters the loop with shape {shape}, but has shape "
                f"{tensor.shape} after one iteration. To allow the shape to vary across "
                "iterations, use the `shape_invariants` argument of tf.while_loop to specify a "
                "less-specific shape."
            )


def _check_num_inputs_outputs(cond_graph: FuncGraph, body_graph: FuncGraph, count: int) -> None:
    for what, have, expected in (
        ("cond_graph takes {} inputs", cond_graph.inputs, count),
        ("cond_graph has {} outputs", cond_graph.outputs, 1),
        ("body_graph takes {} inputs", body_graph.inputs, count),
        ("body_graph has {} outputs", body_graph.outputs, count),
    ):
        assert len(have) == expected, f"{what.format(len(have))}; Expected: {expected}"


def _check_inputs_outputs_types_match(body_graph: FuncGraph, variables: Sequence[Any]) -> None:
    for before, after, variable in zip(body_graph.inputs, body_graph.outputs, variables):
        if before.dtype != after.dtype:
            raise TypeError(
                f"Loop var {variable.name} enters the loop with type {before.dtype} but has type "
                f"{after.dtype} after 1 iteration."
            )


# Structures.


def _shape_invariant_to_type_spec(value: Any, shape: ShapeLike) -> Any:
    if isinstance(shape, TypeSpec):
        if not shape.is_compatible_with(value):
            raise TypeError(f"TypeSpec {shape!r} is not compatible with {value!r}")
        return shape
    if not isinstance(shape, TensorShape):
        raise TypeError(f"Expected shape to be a TypeSpec or TensorShape, got {shape!r}")
    if isinstance(value, ops.Tensor):
        return TensorSpec(shape, value.dtype)
    return loop_nodes._composite_spec(value, shape)


def _pack_sequence_as(structure: Any, flat: Any) -> Any:
    """The values of loop variables, structured as these: TensorArrays where there were such."""
    leaves = nest.flatten(structure, expand_composites=True)
    values = [
        tensor_array_ops.build_ta_with_new_flow(leaf, value)
        if isinstance(leaf, tensor_array_ops.TensorArray)
        else value
        for value, leaf in zip(nest.flatten(flat, expand_composites=True), leaves)
    ]
    return nest.pack_sequence_as(structure, values, expand_composites=True)


def _tensor_array_to_flow(structure: Any) -> Any:
    return nest.map_structure(
        lambda leaf: leaf.flow if isinstance(leaf, tensor_array_ops.TensorArray) else leaf,
        structure,
        expand_composites=True,
    )


def _build_maximum_iterations_loop_var(maximum_iterations: Any) -> Any:
    # As the lists take it, -1 stands for no limit.
    return ops.convert_to_tensor(
        -1 if maximum_iterations is None else maximum_iterations,
        dtype=dtypes.int32,
        name="maximum_iterations",
    )
