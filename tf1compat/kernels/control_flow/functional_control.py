"""Conditionals and loops whose parts are library functions: If, Case, While, For.

As TF 1.15 lowers them, so are they run: each stands for a function that records the Switches and
Merges, or the loop, with a call of the part inside.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import cond_v2, control_flow_ops, while_loop, while_v2
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, errors, function_def, ops, shapes
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.op_registry import op, register
from tf1compat.core.operation import Operation
from tf1compat.core.scopes import get_default_graph
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse

Recorded = Callable[[Any, list[Tensor]], Sequence[Tensor]]


class _Body(FuncGraph):
    """The graph of a function, in which loops and branches are recorded as in a plain graph."""

    records_v1 = True
    # TF has no such graph: it and its tensors take no part in the count of names.
    _tensor_ids = itertools.count()


def _written_out(operation: Any, record: Recorded) -> function_def.GraphFunction:
    """The function that stands for an operation, made once.

    Args:
      record: records the control flow, given the operation and the function's inputs.
    """
    made = operation.__dict__.get("_written_out")
    if made is None:
        graph = _Body(f"{operation.name}_written_out")
        graph._functions.update(operation.graph._functions)
        with graph.as_default():
            inputs = [graph.placeholder(t.dtype, t.shape) for t in operation.inputs]
            for placeholder, tensor in zip(inputs, operation.inputs):
                placeholder._handle_data = tensor._handle_data
            outputs = list(record(operation, inputs))
        made = function_def.GraphFunction(graph.name, graph, inputs, outputs)
        operation._written_out = made
    return made


def check_arguments(operation: Any, function: Any, args: Sequence[Tensor]) -> None:
    """Raises InvalidArgumentError if a function can't be called with some arguments."""
    taken = function.inputs
    text = ""
    if len(taken) != len(args):
        text = f"Expects {len(taken)} arguments, but {len(args)} is provided"
    else:
        for i, (parameter, given) in enumerate(zip(taken, args)):
            if parameter._dtype.base_dtype is not given._dtype.base_dtype:
                names = [dtypes.cpp_name(t._dtype.base_dtype) for t in (parameter, given)]
                text = f"Expects arg[{i}] to be {names[0]} but {names[1]} is provided"
                break
    if text:
        raise errors.InvalidArgumentError(operation.node_def, operation, text)


def _recorded(
    operation: Any, function: Any, args: Sequence[Tensor]
) -> tuple[list[Tensor], list[Operation]]:
    """Records the body of a function of `operation` where we are, in a loop or a branch.

    Returns:
      Its results, and the operations of which it matters that they run.
    """
    graph: Any = get_default_graph()
    body = _function(operation, function)
    check_arguments(operation, body, args)
    for name, called in body.graph._functions.items():
        graph._functions.setdefault(name, called)
    # Of a function that TF lowers only that happens which its results, or its signature, say.
    lowered = operation._attrs.get("_lower_using_switch_merge", False)
    acting = body.control_outputs if lowered else [o for o in body.operations if _acts(o)]
    needed = _needed([*(t._op for t in body.outputs), *acting], {t._op for t in body.inputs})
    inside = [o for o in body.operations if o in needed]
    context = graph._get_control_flow_context()
    if context is not None:
        args = [context.AddValue(tensor) for tensor in args]
    results, made = function_def.inlined(body, args, graph, inside)
    if context is not None:
        _belong(list(made.values()), set(args), context.GetControlPivot().op)
    return results, [made[o] for o in acting if o in made]


def _function(operation: Any, function: Any) -> Any:
    return operation.graph._get_function(function if isinstance(function, str) else function.name)


def _acts(operation: Any) -> bool:
    return operation._is_stateful or bool(operation._spec.writes) or operation._spec.effect


def _needed(targets: Sequence[Operation], given: set[Operation]) -> set[Operation]:
    needed: set[Operation] = set()
    stack = list(targets)
    while stack:
        operation = stack.pop()
        if operation not in needed and operation not in given:
            needed.add(operation)
            stack.extend(tensor._op for tensor in operation._inputs)
            stack.extend(operation._control_inputs)
    return needed


def _belong(operations: Sequence[Operation], given: set[Tensor], pivot: Operation) -> None:
    """Has what hangs on none of the `given` tensors run only in the branch, or the turn."""
    follows = set(given)
    for operation in operations:
        constant = operation._spec.fold is not None and not operation._spec.writes
        if follows.isdisjoint(operation._inputs):
            if constant and not operation._control_inputs:
                continue
            operation._add_control_input(pivot)
        follows.update(operation._outputs)


def _truth(value: Tensor) -> Tensor:
    """A condition as TF understands it: a number that is not zero, anything that is not empty."""
    if value.dtype is dtypes.bool and not value._shape:
        return value
    if value._shape:
        return math_ops.greater(array_ops.size(value), 0)
    empty: Any = "" if value.dtype is dtypes.string else math_ops.cast(0, value.dtype)
    says = math_ops.not_equal(value, empty)
    if value._shape is not None:
        return says
    # A scalar of which only the run knows that it is one says what its value does.
    some = math_ops.greater(array_ops.size(value), 0)
    no_scalar = math_ops.greater(array_ops.rank(value), 0)
    return math_ops.logical_and(some, math_ops.logical_or(no_scalar, math_ops.reduce_any(says)))


def _condition(operation: Any, value: Tensor) -> Tensor:
    """Whether a loop goes on: one that TF lowers to a Switch takes one truth value only.

    Raises:
      InvalidArgumentError: there are several.
    """
    lowered = operation._attrs.get("_lower_using_switch_merge", False)
    if not lowered or value.dtype is not dtypes.bool or not value._shape:
        return _truth(value)
    count = shapes.num_elements(value._shape)
    if count is not None and count != 1:
        shape = shapes.to_string(value._shape)
        text = f"The second input must be a scalar, but it has shape {shape}"
        raise errors.InvalidArgumentError(operation.node_def, operation, text)
    return array_ops.reshape(value, [])


def _if(operation: Any, inputs: list[Tensor]) -> list[Tensor]:
    pred, *args = inputs
    attrs = operation._attrs
    then, other = attrs["then_branch"], attrs["else_branch"]
    return _chosen(operation, _truth(pred), then, other, args, attrs["Tout"])


def _chosen(
    operation: Any, pred: Tensor, then: Any, other: Any, args: list[Tensor], results: Any
) -> list[Tensor]:
    def branch(function: Any) -> Any:
        return lambda: _branch(operation, function, args)

    found = control_flow_ops.cond(pred, branch(then), branch(other), strict=True)
    return list(found) if results else []


def _branch(operation: Any, function: Any, args: list[Tensor]) -> list[Tensor]:
    """Records a branch; it is done only when all that it does is."""
    results, acting = _recorded(operation, function, args)
    if not acting and results:
        return results
    with ops.control_dependencies(acting):
        # What has no results has to have one here.
        if not results:
            return [constant_op.constant_v1(0)]
        return [
            tensor if tensor.dtype is dtypes.resource else array_ops.identity(tensor)
            for tensor in results
        ]


def _case(operation: Any, inputs: list[Tensor]) -> list[Tensor]:
    index, *args = inputs
    attrs = operation._attrs
    functions = attrs["branches"]
    outside = math_ops.logical_or(index < 0, index >= len(functions))

    def call(i: int) -> Any:
        return lambda: _branch(operation, functions[i], args)

    def from_branch(i: int) -> list[Tensor]:
        pred = math_ops.equal(index, i)
        if i == 0:
            # An index that is none means the last branch.
            pred = math_ops.logical_and(pred, math_ops.logical_not(outside))
        last = i >= len(functions) - 2
        rest = call(-1) if last else lambda: from_branch(i + 1)
        return list(control_flow_ops.cond(pred, call(i), rest, strict=True))

    found = from_branch(0)
    return found if attrs["Tout"] else []


def _condition_dtype(operation: Any) -> Any:
    function = operation._attrs["cond"]
    name = function if isinstance(function, str) else function.name
    return operation.graph._get_function(name).outputs[0].dtype


def _while(operation: Any, inputs: list[Tensor]) -> list[Tensor]:
    attrs = operation._attrs
    body = _function(operation, attrs["body"])
    check_arguments(operation, body, body.outputs)
    same = [_source(tensor) is given for tensor, given in zip(body.outputs, body.inputs)]
    return _looped(
        inputs,
        lambda args: _condition(operation, _recorded(operation, attrs["cond"], args)[0][0]),
        lambda args: _recorded(operation, attrs["body"], args)[0],
        same,
    )


def _source(tensor: Tensor) -> Tensor:
    """The tensor that a result of a function is a copy of."""
    while tensor._op._spec.views and tensor._op._inputs and not tensor._op._control_inputs:
        tensor = tensor._op._inputs[0]
    return tensor


def _looped(inputs: list[Tensor], holds: Any, turn: Any, same: Sequence[bool]) -> list[Tensor]:
    """A loop on `inputs`.

    Args:
      inputs: the first values.
      holds: records the condition.
      turn: records an iteration.
      same: which of the values an iteration returns as they are; so it does what is no array.
    """
    variables = [
        i for i, tensor in enumerate(inputs) if not same[i] and tensor.dtype is not dtypes.resource
    ]

    def all_of(values: Sequence[Tensor]) -> list[Tensor]:
        found = list(inputs)
        for i, value in zip(variables, values):
            found[i] = value
        return found

    def body(*values: Tensor) -> list[Tensor]:
        after = turn(all_of(values))
        return [after[i] for i in variables]

    last = while_loop.while_loop(
        lambda *values: holds(all_of(values)),
        body,
        [inputs[i] for i in variables],
        shape_invariants=[TensorShape(None)] * len(variables),
        return_same_structure=True,
    )
    return all_of(last)


def _check_bounds(start: Any, limit: Any, delta: Any, *, ctx: LoweringContext) -> list[Any]:
    """The bounds of a For, if it can run between them."""
    for name, value in (("start", start), ("limit", limit), ("delta", delta)):
        if np.ndim(value):
            shape = shapes.to_string(np.shape(value))
            text = f"{name} must be a scalar, but {shape}"
            ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
    up, down = (delta > 0) & (start <= limit), (delta < 0) & (start >= limit)
    ctx.check(
        up | down | ((delta == 0) & (start == limit)),
        errors.InvalidArgumentError,
        "Invalid start/limit/delta: {start} {limit} {delta}",
        start=start,
        limit=limit,
        delta=delta,
    )
    return [start, limit, delta]


# An op type of the functions that stand for For operations; no graph of a user has it.
_BOUNDS = "CheckedBoundsOfFor"
register(_BOUNDS, shape=lambda start, limit, delta: [()] * 3, lower=_check_bounds, autodiff=True)


def _for(operation: Any, inputs: list[Tensor]) -> list[Tensor]:
    start, limit, delta, *args = inputs
    body = operation._attrs["body"]
    bounds = get_default_graph().create_op(_BOUNDS, [start, limit, delta], [dtypes.int32] * 3)
    start, limit, delta = bounds._outputs

    def turn(values: list[Tensor]) -> list[Tensor]:
        i, *rest = values
        return [i + delta, *_recorded(operation, body, [i, *rest])[0]]

    def holds(values: list[Tensor]) -> Tensor:
        i = values[0]
        up = math_ops.logical_and(delta > 0, i < limit)
        return math_ops.logical_or(up, math_ops.logical_and(delta < 0, i > limit))

    return _looped([start, *args], holds, turn, [False] * (1 + len(args)))[1:]


def _declared_shapes(operation: Any) -> list[Any]:
    declared = [shape.to_tuple() for shape in operation._attrs["output_shapes"]]
    return declared or [None] * len(operation._output_dtypes)


# The gradients record operations of the same kinds; those need the kernels.


def _if_gradient(op: Any, *grads: Any) -> Any:
    return cond_v2.if_gradient(op, *grads)


def _case_gradient(op: Any, *grads: Any) -> Any:
    return cond_v2.case_gradient(op, *grads)


def _while_gradient(op: Any, *grads: Any) -> Any:
    return while_v2.while_gradient(op, *grads)


@op(
    "If",
    "StatelessIf",
    calls=lambda operation: _written_out(operation, _if),
    effect=True,
    carries_variants=True,
)
class If:
    def shape(cond: Any, input: Any, *, op: Any) -> Any:
        return _declared_shapes(op)

    gradient = _if_gradient


@op(
    "Case",
    calls=lambda operation: _written_out(operation, _case),
    effect=True,
    carries_variants=True,
)
class Case:
    def shape(branch_index: Any, input: Any, *, op: Any) -> Any:
        return _declared_shapes(op)

    gradient = _case_gradient


@op(
    "While",
    "StatelessWhile",
    calls=lambda operation: _written_out(operation, _while),
    effect=True,
    carries_variants=True,
)
class While:
    def shape(input: Any, *, op: Any) -> Any:
        return _declared_shapes(op) if op._attrs["output_shapes"] else list(input)

    gradient = _while_gradient


@op(
    "For", calls=lambda operation: _written_out(operation, _for), effect=True, carries_variants=True
)
class For:
    def shape(start: Any, limit: Any, delta: Any, input: Any) -> Any:
        return [None] * len(input)


@op(
    "XlaIf",
    calls=lambda operation: _written_out(operation, _if),
    effect=True,
    carries_variants=True,
)
class XlaIf:
    def shape(cond: Any, inputs: Any, *, Tout: Any) -> Any:
        return [None] * len(Tout)


@op(
    "XlaWhile",
    calls=lambda operation: _written_out(operation, _while),
    effect=True,
    carries_variants=True,
)
class XlaWhile:
    def shape(input: Any) -> Any:
        return list(input)


@op("RemoteCall", host=True, effect=True, carries_variants=True)
class RemoteCall:
    def shape(target: Any, args: Any, *, Tout: Any) -> Any:
        return [None] * len(Tout)

    def lower(target: Any, args: Any, *, ctx: LoweringContext) -> Any:
        # All devices of this process are the one that programs run on.
        _check_target(bytes(np.asarray(target)[()]).decode(), ctx)
        function = ctx.host_function("f", ctx.op._inputs[1:], args)
        return function(function.new_state(), [])


def _check_target(target: str, ctx: LoweringContext) -> None:
    found = re.fullmatch(r"(?:/job:(\w+))?(?:/replica:\d+)?(?:/task:(\d+))?(?:/.*)?", target)
    if found is None:
        refuse(ctx, f"Invalid target: {target}")
    job, task = found.groups()
    if (job or "localhost") != "localhost" or int(task or 0):
        raise errors.UnimplementedError(
            ctx.op.node_def,
            ctx.op,
            f"RemoteCall to {target} is not supported by tf1compat: other processes take part in "
            "no program",
        )
