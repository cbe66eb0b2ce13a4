"""Calls of library functions, and their symbolic gradient."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.gradients import gradients_walk
from tf1compat.core import dtypes, function_def
from tf1compat.core.dtypes import DType
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.graph import Graph
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.typing import LoweringContext, Shape


def _name(function: Any) -> str:
    return function if isinstance(function, str) else function.name


# The functions whose bodies are being recorded to see their shapes.
_narrowed: ContextVar[frozenset[Any]] = ContextVar("narrowed", default=frozenset())


class _Scratch(Graph):
    # TF has no such graph: its tensors don't take part in the count of names.
    _tensor_ids = itertools.count()


def _result_shapes(args: Any, operation: Any) -> Any:
    """Static shapes of a call's results: the body's, worked out anew for narrower arguments."""
    function = operation.graph._get_function(_name(operation._attrs["f"]))
    if function is None:
        return [None] * len(operation._output_dtypes)
    declared = [tensor._shape for tensor in function.inputs]
    narrowed = _narrowed.get()
    same = all(given is None or given == own for given, own in zip(args, declared))
    if same or function in narrowed:  # it calls itself
        return [tensor._shape for tensor in function.outputs]
    scratch = _Scratch()
    scratch._functions.update(function.graph._functions)
    inputs = []
    for tensor, shape in zip(function.inputs, args):
        attrs = {"dtype": tensor._dtype, "shape": tensor.shape}
        placeholder = scratch.create_op("Placeholder", [], attrs=attrs)._outputs[0]
        placeholder._shape = shape if shape is not None else tensor._shape
        placeholder._handle_data = tensor._handle_data
        inputs.append(placeholder)
    token = _narrowed.set(narrowed | {function})
    try:
        return [tensor._shape for tensor in function_def.inline(function, inputs, scratch)]
    finally:
        _narrowed.reset(token)


def _function(operation: Any) -> Any:
    return operation.graph._get_function(_name(operation._attrs["f"]))


@op("PartitionedCall", calls=_function, prunes=True, carries_variants=True)
class PartitionedCall:
    def shape(args: Any, *, op: Operation) -> Any:
        return _result_shapes(args, op)

    def lower(args: Any, *, f: Any, ctx: LoweringContext) -> Any:
        return ctx.call_function(_name(f), args)


# Which variables a body writes is not known here; one that it does not write keeps its value.
@op(
    "StatefulPartitionedCall",
    calls=_function,
    prunes=True,
    writes=(0,),
    effect=True,
    carries_variants=True,
)
class StatefulPartitionedCall:
    def shape(args: Any, *, op: Operation) -> Any:
        return _result_shapes(args, op)

    def lower(args: Any, *, f: Any, ctx: LoweringContext) -> Any:
        return ctx.call_function(_name(f), args)


# What TF's XLA makes of a part of a graph.
@op(
    "XlaLaunch",
    calls=lambda operation: operation.graph._get_function(_name(operation._attrs["function"])),
    writes=(2,),
    effect=True,
)
class XlaLaunch:
    def shape(
        constants: Any,
        args: Sequence[Shape],
        resources: Sequence[Shape],
        *,
        Tresults: Sequence[DType],
    ) -> Any:
        return [None] * len(Tresults)

    def lower(
        constants: Any, args: Any, resources: Any, *, function: Any, ctx: LoweringContext
    ) -> Any:
        return ctx.call_function(_name(function), [*constants, *args, *resources])


def _gradient_of(function: Any) -> function_def.GraphFunction:
    """The function of arguments and gradients of results that gives gradients of arguments."""
    declared = getattr(function, "gradient_function", None)
    if declared is not None:
        return declared
    made = getattr(function, "_symbolic_gradient", None)
    if made is None:
        made = function._symbolic_gradient = _make_gradient(function)
    return made


def _make_gradient(function: Any) -> function_def.GraphFunction:
    graph = FuncGraph(f"{function.name}_gradient")
    graph._functions.update(function.graph._functions)
    with graph.as_default():
        inputs = [graph.placeholder(t._dtype, t.shape) for t in function.inputs]
        outputs = function_def.inline(function, inputs, graph)
        grad_ys = [graph.placeholder(t._dtype, t.shape) for t in outputs]
        usable = [i for i, t in enumerate(outputs) if gradients_walk.is_trainable(t)]
        grads = gradients_walk.gradients(
            [outputs[i] for i in usable], inputs, [grad_ys[i] for i in usable]
        )
        results = [
            array_ops.zeros_like(x) if grad is None else array_ops.identity(grad)
            for x, grad in zip(inputs, grads)
        ]
    return function_def.GraphFunction(graph.name, graph, inputs + grad_ys, results)


@op(
    "SymbolicGradient",
    calls=lambda operation: _gradient_of(_function(operation)),
    carries_variants=True,
)
class SymbolicGradient:
    def shape(input: Any, *, op: Operation) -> Any:
        # The gradient of a resource is not of its handle's (scalar) shape.
        return [
            None if tensor._dtype is dtypes.resource else tensor._shape
            for tensor, _ in zip(op._inputs, op._output_dtypes)
        ]

    def lower(input: Any, *, f: Any, ctx: LoweringContext) -> Any:
        function = ctx.op.graph._get_function(_name(f))
        return ctx.call_function(_gradient_of(function), input)
