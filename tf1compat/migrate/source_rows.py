"""Gradients of tables of which some rows were looked up, as those of what was looked up."""

from __future__ import annotations

import re
from typing import Any

from tf1compat.core import gradient_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.source_needs import resolved, variable_of

_LOOKUPS = ("Gather", "GatherV2", "ResourceGather")


def of_arrays(call: gradient_registry.Call) -> gradient_registry.Call:
    """A call of `tf.gradients` with arrays for all results.

    Where a gradient is rows of a table, what was looked up takes the place of the table: the values
    of the rows are the gradients of these.
    """
    xs: list[Tensor] = []
    results: list[Any] = []
    for x, result in zip(call.xs, call.results, strict=True):
        found = [(x, result)]
        if result is not None and not isinstance(result, Tensor):
            found = _looked_up(x, result.values) or [(x, None)]
        xs += [part for part, _ in found]
        results += [slope for _, slope in found]
    return gradient_registry.Call(call.ys, xs, results)


def _looked_up(table: Tensor, values: Tensor) -> list[tuple[Tensor, Tensor]]:
    """What was looked up in a table, each with its gradient; nothing if that is not clear."""
    op = resolved(values)._op
    if op.type == "ConcatV2":
        parts = [_looked_up(table, tensor) for tensor in op._inputs[:-1]]
        return [pair for part in parts for pair in part] if all(parts) else []
    lookup = _lookup_of(op, table) if op.type == "Reshape" else None
    return [] if lookup is None else [(lookup._outputs[0], op._inputs[0])]


def _lookup_of(op: Operation, table: Tensor) -> Operation | None:
    """The lookup whose gradient an operation is a part of: they are named alike."""
    match = re.match(r"(.*)_grad/Reshape(_\d+)?$", op.name)
    name = match[1] if match is not None else ""
    while name:
        found = op._graph._nodes_by_name.get(name)
        if found is not None and found.type in _LOOKUPS:
            source = found._inputs[0]
            if source is table or variable_of(source) == variable_of(table) is not None:
                return found
        name = name.partition("/")[2]
    return None
