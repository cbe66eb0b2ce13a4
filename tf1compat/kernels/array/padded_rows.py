"""What op types make of padded rows: the fact `padding` (`core/padding.py`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.core.operation import Operation
from tf1compat.core.padding import COUNT, IDS, PLACES, REFUSED, ROWS, Kinds


def each_row(op: Operation, kinds: Kinds) -> Any:
    """Of an elementwise op: each row comes of the same row of every input."""
    if not op._output_dtypes[0].is_floating or any(kind not in (None, ROWS) for kind in kinds):
        return REFUSED
    shapes = {tensor: tensor._shape for tensor, kind in zip(op._inputs, kinds) if kind == ROWS}
    ranks = {None if shape is None else len(shape) for shape in shapes.values()}
    if len(ranks) > 1 or (None in ranks and len(shapes) > 1):
        return REFUSED
    (rank,) = ranks
    for tensor, kind in zip(op._inputs, kinds):
        shape = tensor._shape
        # It has no rows of its own.
        if kind is None and shape != () and (shape is None or rank is None or len(shape) >= rank):
            return REFUSED
    return ROWS


def of_cast(op: Operation, kinds: Kinds) -> Any:
    """Of Cast."""
    return _only(kinds, {0: ROWS}, ROWS)


def of_reshape(op: Any, kinds: Kinds) -> Any:
    """Of Reshape: each row by itself."""
    before, after = op._inputs[0]._shape, op.const_input(1)
    if not before or None in before[1:] or after is None or not after.size or after[0] != -1:
        return REFUSED
    same_rows = math.prod(before[1:]) == math.prod(after[1:].tolist())
    return _only(kinds, {0: ROWS}, ROWS) if same_rows else REFUSED


def of_concat(op: Operation, kinds: Kinds) -> Any:
    """Of ConcatV2: row by row."""
    axis, last = op.const_input(len(kinds) - 1), len(kinds) - 1
    if axis is None or axis <= 0:
        return REFUSED
    return _only(kinds, dict.fromkeys(range(last), ROWS), ROWS)


def placing(op: Operation, kinds: Kinds) -> Any:
    """Of SparseToDense, which drops what is not meant, if it need not look at the order."""
    return REFUSED if op._attrs["validate_indices"] else _only(kinds, {0: ROWS, 2: ROWS}, None)


def of_hits(op: Operation, kinds: Kinds) -> Any:
    """Of ComputeAccidentalHits: what it may give where `padded` is its rule."""
    return _only(kinds, {}, (ROWS, ROWS, ROWS))


def rows_at(index: int) -> Callable[[Any, Kinds], Any]:
    """Of an op that gathers the rows that input `index` numbers."""
    return lambda op, kinds: _only(kinds, {index: IDS}, ROWS)


def updating(indices: int, updates: int) -> Callable[[Any, Kinds], Any]:
    """Of an op that changes the rows that input `indices` numbers: it drops what no table has."""

    def padding(op: Operation, kinds: Kinds) -> Any:
        if op._inputs[updates]._shape == ():
            return _only(kinds, {indices: IDS}, None)
        return _only(kinds, {indices: IDS, updates: ROWS}, None)

    return padding


def _only(kinds: Kinds, wanted: dict[int, str], result: Any) -> Any:
    """`result`, if the inputs are of the kinds `wanted`, and the others of none."""
    found = {i: kind for i, kind in enumerate(kinds) if kind is not None}
    return result if found == wanted else REFUSED


def of_shape(op: Operation, kinds: Kinds) -> Any:
    """Of Shape."""
    return COUNT


def of_slice(op: Operation, kinds: Kinds) -> Any:
    """Of StridedSlice."""
    return _only(kinds, {0: COUNT}, COUNT)


def of_segments(op: Operation, kinds: Kinds) -> Any:
    """Of UnsortedSegmentSum and the like: as many segments as there are ids."""
    return None if kinds[2] is None else _only(kinds, {1: PLACES, 2: COUNT}, ROWS)


def of_unique(op: Operation, kinds: Kinds) -> Any:
    """Of Unique: what it may give where `padded` is its rule."""
    return _only(kinds, {}, (IDS, PLACES)) if op._inputs[0]._dtype.is_integer else REFUSED
