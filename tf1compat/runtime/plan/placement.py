"""Which operations work on host values."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.decisions import (
    Decisions,
)
from tf1compat.runtime.plan.feeds import is_constant
from tf1compat.runtime.plan.references import (
    source_of,
)


def runs_on_host(op: Operation, feeds: set[Tensor], decided: Decisions) -> bool:
    """Whether the op works on host values: declared or decided so, or handling strings that are
    not constants."""
    spec = op._spec
    if _declared_on_host(op, decided):
        return True
    if (spec.is_switch or spec.merges or spec.views) and _flows_on_host(op, decided):
        return True
    for tensor in op._outputs:
        if stays_on_host(tensor, feeds) and not tensor._dtype._is_ref_dtype:
            if tensor in feeds or not _is_quoted(tensor, feeds):
                return True
    # A constant may be text that a device op quotes, unless the op writes it to a variable.
    return any(
        stays_on_host(tensor, feeds)
        and not (tensor._dtype._is_ref_dtype and source_of(tensor)._op._spec.local)
        and (bool(spec.writes) or not _is_quoted(tensor, feeds))
        for tensor in op._inputs
    )


def may_wait(op: Any) -> bool:
    """Whether an operation may wait for other threads, or call Python."""
    return op._spec.fold is None and op._spec.runs_on_host(op)


def stays_on_host(tensor: Tensor, feeds: set[Tensor]) -> bool:
    """Whether the values of `tensor` never leave the host: strings, and variants but for those that
    programs can carry (lists, optionals, and what is given)."""
    dtype = tensor._dtype.base_dtype
    if dtype is dtypes.string:
        return True
    if dtype is not dtypes.variant:
        return False
    while True:
        op = tensor._op
        if tensor in feeds or op._spec.carries_variants:
            return False
        spec = op._spec
        passes = spec.passes_variants or spec.is_switch or spec.merges or spec.loop is not None
        if not op._inputs or not passes:
            return True
        tensor = next((t for t in op._inputs if t._op._spec.loop != "next"), op._inputs[0])


def _declared_on_host(op: Operation, decided: Decisions) -> bool:
    return op in decided.on_host or op._spec.runs_on_host(op)


def _flows_on_host(op: Operation, decided: Decisions) -> bool:
    """Whether the op hands on what stands for more than arrays, and is on the host."""
    while op._inputs and (op._spec.is_switch or op._spec.merges or op._spec.views or op._spec.loop):
        tensor = op._inputs[0]
        if tensor._shape:
            return False
        op = tensor._op
    return op._spec.flows and _declared_on_host(op, decided)


def _is_quoted(tensor: Tensor, feeds: set[Tensor]) -> bool:
    """Whether `tensor` is a constant, or the handle of what a program makes, perhaps one that
    control flow hands on."""
    while tensor not in feeds:
        op = tensor._op
        if (
            is_constant(op, feeds)
            or op._spec.flows
            or (op._spec.fold is not None and not op._inputs)
        ):
            return True
        if not op._inputs or not (op._spec.is_switch or op._spec.views or op._spec.loop):
            return False
        tensor = op._inputs[0]
    return False
