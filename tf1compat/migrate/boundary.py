"""Where data comes into a graph from what is no function of arrays: iterators, queues, texts."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.lowering import not_pure
from tf1compat.migrate.to_jax import graph_of
from tf1compat.runtime import fetches as fetches_lib
from tf1compat.runtime.trace.values import flat_position

_OBJECTS = (dtypes.string, dtypes.resource, dtypes.variant)


def boundary(fetches: Any) -> list[Tensor]:
    """The tensors that an input pipeline hands to what `fetches` need: `inputs` for `to_jax`.

    They are the arrays that come out of iterators, queues, files, texts, lookups by text and Python
    functions, and what is worked out from these with sizes of which only the run tells. With
    `session.run(boundary(fetches))` the pipeline goes on giving batches.

    Args:
      fetches: what `Session.run` takes.

    Returns:
      The tensors, in the order of their creation; placeholders are not among them.
    """
    items = fetches_lib.fetch_of(graph_of(fetches), fetches).elements
    stack = [item if isinstance(item, Operation) else item._op for item in items]
    outside: dict[Operation, bool] = {}
    seen, found = set(stack), set()
    while stack:
        op = stack.pop()
        found.update(t for t in op._inputs if _can_be_given(t) and _is_outside(t._op, outside))
        found.update(t for t in _decided_by_data(op) if _can_be_given(t))
        sources = [t._op for t in op._inputs if t not in found]
        for source in (*sources, *op._control_inputs):
            if source not in seen:
                seen.add(source)
                stack.append(source)
    return sorted(found, key=lambda tensor: (tensor._op._id, tensor.value_index))


def _can_be_given(tensor: Tensor) -> bool:
    return tensor._dtype.base_dtype not in _OBJECTS and tensor.graph.is_fetchable(tensor._op)


def _is_outside(op: Operation, known: dict[Operation, bool]) -> bool:
    """Whether the results of an operation come from what is no function of arrays."""
    if op not in known:
        known[op] = _takes_text(op) or not_pure(op) is not None or _is_left_open(op)
    return known[op]


def _takes_text(op: Operation) -> bool:
    return any(tensor._dtype.base_dtype is dtypes.string for tensor in op._inputs)


def _is_left_open(op: Operation) -> bool:
    """Whether an operation makes of data alone what has a size that only the run tells."""
    if op._spec.padded is not None:
        return False  # It has as much room as it may need.
    if not op._spec.runs_on_host(op):
        return bool(_decided_by_data(op)) and _is_data(op)
    sizes = [tensor._shape for tensor in op._outputs]
    return any(shape is None or None in shape for shape in sizes) and _is_data(op)


def _decided_by_data(op: Operation) -> list[Tensor]:
    """The inputs, made of data alone, that an operation has to know when a program is compiled."""
    spec = op._spec
    if spec.runs_on_host(op) or spec.traced is not None or spec.is_switch:
        return []  # Conditionals are parts of programs.
    return [op._inputs[i] for i in _known(op) if _is_data(op._inputs[i]._op)]


def _is_data(op: Operation) -> bool:
    """Whether the values that an operation gives, not their shapes alone, come from outside, and no
    variable has a part in them.
    """
    stack, seen, found = [op], {op}, False
    while stack:
        each = stack.pop()
        if each._spec.source and not each._spec.runs_on_host(each):
            return False
        found = found or not_pure(each) is not None
        # The shape of an array is known when a program is compiled; that of a text is given too.
        if each._spec.static is None or _takes_text(each):
            new = {tensor._op for tensor in each._inputs} - seen
            seen |= new
            stack.extend(new)
    return found


def _known(op: Operation) -> list[int]:
    """The positions of the inputs that have to be known when a program is compiled."""
    grouped = op._spec.op_def is not None and op._spec.op_def.has_list_inputs
    return [flat_position(op, index) if grouped else index for index in op._spec.const]
