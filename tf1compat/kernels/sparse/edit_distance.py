"""The edit distance of sequences in sparse tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.sparse.sparse import check_lengths, sparse_shapes


def _distance(a: list[Any], b: list[Any]) -> int:
    """Levenshtein's distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            change = diagonal + (x != y)
            diagonal = row[j]
            row[j] = min(change, diagonal + 1, row[j - 1] + 1)
    return row[-1]


def _sequences(indices: Any, values: Any) -> dict[tuple[int, ...], list[Any]]:
    """The values of each group of elements that follow each other and differ in the last index
    alone.
    """
    found: dict[tuple[int, ...], list[Any]] = {}
    for row, value in zip(np.asarray(indices).tolist(), values.tolist(), strict=True):
        found.setdefault(tuple(row[:-1]), []).append(value)
    return found


@op("EditDistance", host=True)
class EditDistance:
    def shape(
        hypothesis_indices: Any, hypothesis_values: Shape, hypothesis_shape: Shape,
        truth_indices: Shape,
        truth_values: Shape, truth_shape: Shape, *, op: Operation,
    ) -> Shape:  # fmt: skip
        sparse_shapes(hypothesis_indices, hypothesis_values, hypothesis_shape)
        sparse_shapes(truth_indices, truth_values, truth_shape)
        sizes = op.const_input(2), op.const_input(5)
        if sizes[0] is None or sizes[1] is None:
            return None
        if len(sizes[0]) != len(sizes[1]):
            raise ShapeError(
                "Num elements of hypothesis_shape does not match truth_shape: "
                f"{len(sizes[0])} vs. {len(sizes[1])}"
            )
        return tuple(int(max(x, y)) for x, y in zip(sizes[0][:-1], sizes[1][:-1], strict=True))

    def lower(
        hypothesis_indices: Any, hypothesis_values: np.ndarray, hypothesis_shape: np.ndarray,
        truth_indices: np.ndarray,
        truth_values: np.ndarray, truth_shape: np.ndarray, *, normalize: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        hypothesis = hypothesis_indices, hypothesis_values, hypothesis_shape
        truth = truth_indices, truth_values, truth_shape
        _check(hypothesis, truth, ctx)
        shape = tuple(np.maximum(hypothesis_shape, truth_shape)[:-1].tolist())
        result = np.zeros(shape, np.float32)
        found = _sequences(hypothesis_indices, hypothesis_values)
        wanted = _sequences(truth_indices, truth_values)
        for group in found.keys() | wanted.keys():
            if any(not 0 <= i < size for i, size in zip(group, shape, strict=True)):
                refuse(ctx, f"group {list(group)} is out of bounds: {shapes.to_string(shape)}")
            given, true = found.get(group, []), wanted.get(group, [])
            distance = float(_distance(given, true))
            if normalize:
                distance = distance / len(true) if true else np.inf
            result[group] = distance
        return result


def _check(hypothesis: Any, truth: Any, ctx: LoweringContext) -> None:
    parts = (("indices", 2, "matrix"), ("values", 1, "vector"), ("shape", 1, "vector"))
    tensors = (("hypothesis", hypothesis), ("truth", truth))
    for position, (part, rank, kind) in enumerate(parts):
        article = "a"
        for name, values in tensors:
            value = values[position]
            if np.ndim(value) != rank:
                shape = text_of_shape(value)
                refuse(ctx, f"{name}_{part} should be {article} {kind}, but got shape: {shape}")
    for name, (indices, _, shape) in tensors:
        if len(shape) != indices.shape[1]:
            refuse(
                ctx,
                f"Expected {name}_shape.NumElements == #cols({name}_indices), their shapes are: "
                f"{text_of_shape(shape)} and {text_of_shape(indices)}",
            )
    if len(truth[2]) < 2:
        refuse(
            ctx,
            "Input SparseTensors must have rank at least 2, but truth_shape rank is: "
            f"{len(truth[2])}",
        )
    if len(hypothesis[2]) != len(truth[2]):
        refuse(
            ctx,
            "Expected truth and hypothesis to have matching ranks, but their shapes are: "
            f"{text_of_shape(truth[2])} and {text_of_shape(hypothesis[2])}",
        )
    for indices, values, _ in (hypothesis, truth):
        check_lengths(indices, values, ctx)


not_differentiable("EditDistance")
