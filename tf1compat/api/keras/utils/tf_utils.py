"""Branches and reachability, as layers use them (`tensorflow.python.keras.utils.tf_utils`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api import control_flow_ops, variables
from tf1compat.core import context, nest, ops


def smart_cond(
    pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: Any = None
) -> Any:
    """`tf.cond`, or the one branch where the predicate is a bool or known; a variable is never
    known."""
    if isinstance(pred, variables.Variable):
        return control_flow_ops.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return control_flow_ops.smart_cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)


def constant_value(pred: Any) -> bool | None:
    """The value of a predicate if it is known, else None.

    Raises:
      TypeError: it is neither a bool, 0, 1, a tensor nor a variable.
    """
    if isinstance(pred, variables.Variable):
        return None
    return control_flow_ops.smart_constant_value(pred)


def is_symbolic_tensor(value: Any) -> bool:
    """Whether a value is a tensor of a graph, or a variable while graphs are recorded."""
    if isinstance(value, variables.Variable):
        return not context.executing_eagerly()
    return hasattr(value, "graph") and hasattr(value, "dtype")


def get_reachable_from_inputs(inputs: Any, targets: Any = None) -> set[Any]:
    """All operations and tensors that depend on `inputs`; fewer once `targets` are among them."""
    queue = list(nest.flatten(inputs))
    reachable = set(map(id, queue))
    found = list(queue)
    remaining = {id(target) for target in nest.flatten(targets)} if targets else None
    while queue:
        x = queue.pop()
        if isinstance(x, ops.Operation):
            outputs = [*x.outputs, *x._control_outputs]
        elif isinstance(x, variables.Variable):
            outputs = [x.op]
        else:
            outputs = x.consumers()
        for y in outputs:
            if id(y) not in reachable:
                reachable.add(id(y))
                found.append(y)
                queue.append(y)
                if remaining is not None:
                    remaining.discard(id(y))
        if remaining is not None and not remaining:
            break
    return set(found)
