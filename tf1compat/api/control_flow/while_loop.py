"""`tf.while_loop`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.control_flow import control_flow_util as util
from tf1compat.api.control_flow import loop_nodes
from tf1compat.api.control_flow.while_context import WhileContext
from tf1compat.api.math import math_ops
from tf1compat.core import context, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import type_spec_from_value


@tf_export("while_loop")
def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """Repeats `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` (as `tf.while_loop` of TF
    1.15).

    Args:
      cond: records a scalar bool.
      body: records the next values; returns the structure of `loop_vars`.
      loop_vars: a list or tuple (nested at will) of tensors, TensorArrays or composites.
      shape_invariants: their `TensorShape`s, where these change from one iteration to the next.
      parallel_iterations: accepted as in TF.
      back_prop: whether `tf.gradients` goes through the loop.
      swap_memory: accepted as in TF.
      name: the name scope, "while" by default.
      maximum_iterations: a scalar, an upper bound on the number of iterations.
      return_same_structure: return the structure of `loop_vars` also where it has one element only.

    Returns:
      The final values, structured as `loop_vars`; the value itself if there is only one.

    Raises:
      TypeError: `cond` or `body` is not callable, or `parallel_iterations` not positive.
      ValueError: no loop variables, or values that change their structure or shape in the loop.
    """
    if not callable(cond):
        raise TypeError("cond must be callable.")
    if not callable(body):
        raise TypeError("body must be callable.")
    if parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    eager = context.executing_eagerly()
    if util.EnableControlFlowV2(ops.get_default_graph()) and not eager:
        from tf1compat.api.control_flow import while_v2

        return while_v2.while_loop(
            cond,
            body,
            loop_vars,
            shape_invariants=shape_invariants,
            parallel_iterations=parallel_iterations,
            maximum_iterations=maximum_iterations,
            name=name,
            return_same_structure=return_same_structure,
            back_prop=back_prop,
        )
    with ops.name_scope(name, "while", loop_vars):
        if not loop_vars:
            raise ValueError("No loop variables provided")
        if eager:
            return _eager(cond, body, loop_vars, maximum_iterations, return_same_structure)
        if maximum_iterations is not None:
            maximum_iterations = _limit(maximum_iterations)
            single = len(loop_vars) == 1 and not return_same_structure
            cond, body, loop_vars = _counted(cond, body, loop_vars, maximum_iterations, single)
            if shape_invariants is not None:
                shape_invariants = (TensorShape([]), shape_invariants)
        if shape_invariants is not None:
            nest.assert_same_structure(loop_vars, shape_invariants, expand_composites=False)
            shape_invariants = nest.map_structure(
                loop_nodes.shape_invariant, loop_vars, shape_invariants
            )
        loop = WhileContext(
            maximum_iterations=maximum_iterations,
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
        )
        # An outermost context stands for all that are nested in it.
        if loop.outer_context is None:
            ops.add_to_collection(ops.GraphKeys.WHILE_CONTEXT, loop)
        result = loop.BuildLoop(cond, body, loop_vars, shape_invariants, return_same_structure)
        return result if maximum_iterations is None else result[1]


def _eager(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    maximum_iterations: Any,
    return_same_structure: bool,
) -> Any:
    """The loop in Python."""
    limit = None if maximum_iterations is None else int(_limit(maximum_iterations))
    single = len(loop_vars) == 1 and not return_same_structure
    packed = False
    turns = 0

    def structure(values: Any) -> Any:
        if limit is None:
            return list(values)
        # TF counts the iterations in a variable before the others, which it then has as one.
        return [0, values[0] if single else values]

    expected = nest.map_structure(type_spec_from_value, structure(loop_vars))
    while (limit is None or turns < limit) and cond(*loop_vars):
        turns += 1
        loop_vars = body(*loop_vars)
        if single and (limit is not None or not isinstance(loop_vars, list | tuple)):
            packed = True
            loop_vars = (loop_vars,)
        nest.assert_same_structure(expected, structure(loop_vars))
    result = nest.map_structure(
        lambda x: x if hasattr(x, "flow") else ops.convert_to_tensor(x),
        loop_vars,
        expand_composites=True,
    )
    return result[0] if packed or (single and limit is not None) else result


def _limit(maximum_iterations: Any) -> Any:
    limit = ops.convert_to_tensor(maximum_iterations, name="maximum_iterations")
    if limit.shape.ndims != 0:
        raise ValueError(f"maximum_iterations must be a scalar, saw shape: {limit.shape}")
    return limit


def _counted(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    limit: ops.Tensor,
    single: bool,
) -> tuple[Callable[..., Any], Callable[..., Any], Any]:
    """The same loop with a first variable that counts up to `limit`; the others become its second.

    Args:
      single: there is one variable, and it is not to be returned as a structure.
    """
    counter = constant_op.constant_v1(0, dtype=limit.dtype, name="iteration_counter")

    def arguments(variables: Any) -> Any:
        return (variables,) if single else variables

    def counted_cond(i: Any, variables: Any) -> Any:
        return math_ops.logical_and(i < limit, cond(*arguments(variables)))

    def counted_body(i: Any, variables: Any) -> Any:
        return i + 1, body(*arguments(variables))

    return counted_cond, counted_body, (counter, loop_vars[0] if single else loop_vars)
