"""Batches of what several runs at once ask for.

A run here is a batch of its own: that is what TF does, too, once it has waited for others in vain.
So no result depends on it; what it saves, a program of many rows at once, the caller can have by
feeding many rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array
from tf1compat.core import raw_ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.text.string import invalid


def _name(function: Any) -> str:
    return function if isinstance(function, str) else function.name


@op("BatchFunction", calls=lambda operation: operation.graph._get_function(
    _name(operation._attrs["f"])
))  # fmt: skip
class BatchFunction:
    def shape(in_tensors: Any, captured_tensors: Sequence[Shape], *, Tout: Sequence[DType]) -> Any:
        return [None] * len(Tout)

    def lower(
        in_tensors: Any, captured_tensors: Sequence[Array], *, f: Any, ctx: LoweringContext
    ) -> Any:
        return ctx.call_function(_name(f), [*in_tensors, *captured_tensors])


def _rows(values: Any) -> int:
    """How many rows the tensors of a batch have.

    Raises:
      InvalidArgumentError: they differ.
    """
    for value in values:
        if not np.ndim(value):
            raise invalid("Batching input tensors must have at least one dimension")
        if len(value) != len(values[0]):
            raise invalid(
                "Batching input tensors supplied in a given op invocation must have equal "
                "0th-dimension size"
            )
    return len(values[0])


@op("Batch", host=True, effect=True)
class Batch:
    def shape(in_tensors: Any) -> Any:
        found = []
        for shape in in_tensors:
            shape = shapes.with_rank_at_least(shape, 1)
            found.append(None if shape is None else (None, *shape[1:]))
        return [*found, (None, 3), ()]

    def lower(in_tensors: Any, *, max_batch_size: int, ctx: LoweringContext) -> Any:
        count = _rows(in_tensors)
        if count > max_batch_size:
            raise invalid(f"Task size {count} is larger than maximum batch size {max_batch_size}")
        resources = ctx.session.resources
        number = resources["batches"] = resources.get("batches", 0) + 1
        index = np.array([[number, 0, count]], np.int64)
        return [*in_tensors, index, np.array(number, np.int64)]

    def gradient(op: Any, *grads: Any) -> Gradients:
        *_, index, number = op.outputs
        return [
            raw_ops.Unbatch(
                grad,
                index,
                number,
                timeout_micros=op.get_attr("grad_timeout_micros"),
                shared_name=f"batch_gradient_{op.name}_{i}",
            )
            for i, (_, grad) in enumerate(zip(op.inputs, grads))
        ]


@op("Unbatch", host=True, effect=True)
class Unbatch:
    def shape(batched_tensor: Any, batch_index: Shape, id: Shape) -> Shape:
        shape = shapes.with_rank_at_least(batched_tensor, 1)
        return None if shape is None else (None, *shape[1:])

    def lower(batched_tensor: Any, batch_index: np.ndarray, id: np.ndarray) -> Any:
        for number, start, end in batch_index.tolist():
            if number == int(id):
                return np.asarray(batched_tensor)[start:end]
        raise invalid(f"No rows of batch {int(id)}")

    def gradient(op: Any, grad: Tensor) -> Gradients:
        batched, index, number = op.inputs
        name = f"unbatch_gradient_{op.name}"
        return [raw_ops.UnbatchGrad(batched, index, grad, number, shared_name=name), None, None]


@op("UnbatchGrad", host=True, effect=True)
class UnbatchGrad:
    def shape(original_input: Any, batch_index: Shape, grad: Shape, id: Shape) -> Shape:
        shape = shapes.with_rank_at_least(original_input, 1)
        return None if shape is None else (None, *shape[1:])

    def lower(
        original_input: Any, batch_index: np.ndarray, grad: np.ndarray, id: np.ndarray
    ) -> Any:
        result = np.zeros_like(original_input)
        for number, start, end in batch_index.tolist():
            if number == int(id):
                result[start:end] = grad
        return result
