"""`tensorflow.python.eager.lift_to_graph`: copies what tensors are computed from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf1compat.api.framework import op_selector
from tf1compat.core import context, ops
from tf1compat.core.graph import Graph

UnliftableError = op_selector.UnliftableError


def lift_to_graph(
    tensors: Iterable[Any],
    graph: Graph,
    sources: Iterable[Any] | None = None,
    disallowed_placeholders: Any = None,
    add_sources: bool = False,
    handle_captures: bool = False,
    base_graph: Graph | None = None,
    op_map: Any = None,
) -> dict[Any, Any]:
    """Copies tensors, and what they are computed from, to another graph.

    Args:
      tensors: the tensors, or operations.
      graph: where the copies are put.
      sources: tensors at which copying ends; each stands for itself as a new placeholder.
      disallowed_placeholders: other operations that the tensors may not hang on.
      add_sources: whether placeholders are made, too, for sources that the tensors don't hang on.
      handle_captures: whether what is captured by the function is captured by `graph`, too.
      base_graph: the tensors' graph.
      op_map: tensors and operations that have a copy already -> the copy.

    Returns:
      Each operation and tensor that was copied -> its copy.

    Raises:
      UnliftableError: the tensors hang on a placeholder that is no source.
    """
    wanted = list(tensors)
    base_graph = base_graph or wanted[0].graph
    ends = {getattr(tensor, "op", tensor): tensor for tensor in sources or ()}
    copies: dict[Any, Any] = dict(op_map or {})
    captured = {
        inner.op: outer for outer, inner in getattr(base_graph, "captures", ()) if handle_captures
    }
    order: list[ops.Operation] = []
    seen: set[Any] = set()

    def needed(op: ops.Operation) -> list[ops.Operation]:
        return [*(tensor.op for tensor in op.inputs), *op.control_inputs]

    for tensor in wanted:
        # Each operation comes twice: to put what it needs before it, and then itself.
        stack = [(getattr(tensor, "op", tensor), False)]
        while stack:
            op, is_ready = stack.pop()
            if is_ready:
                order.append(op)
                continue
            if op in seen or op in copies:
                continue
            seen.add(op)
            refused = disallowed_placeholders is not None and op in disallowed_placeholders
            is_end = op in ends or op in captured
            if not is_end and (refused or op.type == "Placeholder"):
                path = op_selector.show_path(op, [tensor], list(ends))
                raise UnliftableError(
                    f"Unable to lift tensor {tensor!r} because it depends transitively on "
                    f"placeholder {op!r} via at least one path, e.g.: {path}"
                )
            stack.append((op, True))
            if not is_end:
                stack += [(before, False) for before in reversed(needed(op))]
    if add_sources:
        order += [op for op in ends if op not in seen]
    with graph.as_default(), context.mode(False):
        for op in order:
            if op in captured:
                copy = graph.capture(captured[op]).op  # type: ignore[attr-defined]
            elif op in ends:
                copy = _placeholder_for(op, graph)
            else:
                copy = _copy(op, graph, copies)
            copies[op] = copy
            copies.update(zip(op.outputs, copy.outputs, strict=True))
    return copies


def _placeholder_for(op: ops.Operation, graph: Graph) -> ops.Operation:
    tensor = op.outputs[0]
    attrs = {"dtype": tensor.dtype.base_dtype, "shape": tensor.get_shape()}
    made = graph.create_op("Placeholder", [], [tensor.dtype], name=op.name, attrs=attrs)
    made.outputs[0]._handle_data = tensor._handle_data
    return made


def _copy(op: ops.Operation, graph: Graph, copies: dict[Any, Any]) -> ops.Operation:
    controls = [copies[before] for before in op.control_inputs if before in copies]
    inputs = [copies.get(tensor, tensor) for tensor in op.inputs]
    with ops.control_dependencies(controls), graph.device(op.device):
        return graph.create_op(
            op.type, inputs, [t.dtype for t in op.outputs], name=op.name, attrs=dict(op._attrs)
        )
