"""Which operations work on host values."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.decisions import (
    Decisions,
)
from tf1compat.runtime.plan.chains import Chains
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
    op = _FLOWS.end(op._outputs[0])._op
    return op._spec.flows and _declared_on_host(op, decided)


def _flow_before(tensor: Tensor) -> Tensor | None:
    """What an operation of control flow, or a view, hands on, unless it is an array for sure."""
    op = tensor._op
    spec = op._spec
    if not op._inputs or not (spec.is_switch or spec.merges or spec.views or spec.loop):
        return None
    return None if op._inputs[0]._shape else op._inputs[0]


_FLOWS = Chains(_flow_before)


def _is_quoted(tensor: Tensor, feeds: set[Tensor]) -> bool:
    """Whether `tensor` is a constant, or the handle of what a program makes, perhaps one that
    control flow hands on."""
    if any(_handed_on_by(given) is not None for given in feeds):
        while tensor not in feeds and (before := _handed_on_by(tensor)) is not None:
            tensor = before
    else:
        tensor = _QUOTED.end(tensor)
    op = tensor._op
    if tensor in feeds:
        return False
    return is_constant(op, feeds) or _makes_handle(op)


def _makes_handle(op: Operation) -> bool:
    return op._spec.flows or (op._spec.fold is not None and not op._inputs)


def _handed_on_by(tensor: Tensor) -> Tensor | None:
    op = tensor._op
    spec = op._spec
    handed_on = bool(op._inputs) and (spec.is_switch or spec.views or bool(spec.loop))
    return op._inputs[0] if handed_on and not _makes_handle(op) else None


_QUOTED = Chains(_handed_on_by)
