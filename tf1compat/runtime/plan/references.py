"""Which variable a tensor leads to."""

from __future__ import annotations

from typing import Any, NamedTuple

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan.chains import Chains


def is_reference(tensor: Tensor) -> bool:
    """Whether `tensor` stands for a variable or another resource rather than for a value."""
    return _is_declared(tensor._dtype) or is_view(tensor)


def _is_declared(dtype: dtypes.DType) -> bool:
    return dtype._is_ref_dtype or dtype is dtypes.resource


def is_view(tensor: Tensor) -> bool:
    """Whether `tensor` is a view of a reference variable.

    TF 1.15's Identity of a reference shares the variable's buffer: what reads it sees the variable
    as it is then, and a fetch of it gives the value at the end of the run.  `v + 1` after an update
    of `v` under `tf.control_dependencies` relies on it, and so do constraints of optimizers.
    """
    return _is_declared(_VIEWS.end(tensor)._dtype) and not _is_declared(tensor._dtype)


def _viewed(tensor: Tensor) -> Tensor | None:
    """What an undeclared view shows."""
    op = tensor._op
    return op._inputs[0] if op._spec.views and not _is_declared(op._output_dtypes[0]) else None


_VIEWS = Chains(_viewed)


def may_grow(shape: Any) -> bool:
    """Whether a variable of this static shape can have values of several sizes."""
    return shape is None or None in shape


def views_on_the_way(tensor: Tensor) -> list[Operation]:
    """The views that lead to `tensor` from a variable that may grow."""
    found = []
    if may_grow(source_of(tensor)._shape):
        while not tensor._op._spec.source:
            if is_view(tensor):
                found.append(tensor._op)
            sources = [t for t in tensor._op._inputs if is_reference(t)]
            if not sources:
                break
            tensor = sources[0]
    return found


def source_of(tensor: Tensor) -> Tensor:
    """The output of the op that owns the variable which a ref or resource tensor leads to."""
    return _WAYS.end(tensor)


def _reached_by(tensor: Tensor) -> Tensor | None:
    """The reference that an operation hands on."""
    op = tensor._op
    if op._spec.source:
        return None
    given = handed_on(tensor)
    return next(filter(is_reference, op._inputs), None) if given is None else given


def handed_on(tensor: Tensor) -> Tensor | None:
    """The input of a call which the called function gives as this output of the call; None if
    there is none.

    A loop's functions take several variables, and give each of them back.
    """
    op = tensor._op
    if op._spec.calls is None or not is_reference(tensor):
        return None
    function = op._spec.calls(op)
    source = source_of(function.outputs[tensor._value_index])
    return next((t for t, inside in zip(op._inputs, function.inputs) if inside is source), None)


_WAYS = Chains(_reached_by)


class Local(NamedTuple):
    """The key of a variable that lives for one run."""

    op: Operation


def variable_key(tensor: Tensor) -> Any:
    """The key in the session's state of the variable behind a ref or resource tensor."""
    source = source_of(tensor)
    op = source._op
    if op._spec.local:
        return Local(op)
    attrs = op._attrs
    shared = attrs.get("shared_name") or f"{op._graph.resource_prefix}{op._name}".encode()
    return (attrs.get("container", b""), shared)


def input_group(op: Operation, index: int) -> list[Tensor]:
    """The tensors of input arg `index`."""
    op_def = op._spec.op_def
    if op_def is None or not op_def.has_list_inputs:
        return [op._inputs[index]]
    from tf1compat.core.op_registry import group_inputs

    group = group_inputs(op, op._inputs)[index]
    tensors = group if isinstance(group, list) else [group]
    return [tensor for tensor in tensors if is_reference(tensor)]
