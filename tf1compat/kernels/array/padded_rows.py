"""What op types make of padded rows: the fact `padding` (`core/padding.py`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.core.operation import Operation
from tf1compat.core.padding import COUNT, IDS, PLACES, REFUSED, ROW_PLACES, ROWS, Kinds


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
    return COUNT if kinds[0] == COUNT else _only(kinds, {0: ROWS}, ROWS)


def of_reshape(op: Any, kinds: Kinds) -> Any:
    """Of Reshape: each row by itself."""
    if kinds[1] == COUNT:  # As many rows as there were.
        return kinds[0] if kinds[0] in (IDS, ROWS) else REFUSED
    before, after = op._inputs[0]._shape, op.const_input(1)
    if not before or None in before[1:] or after is None or not after.size or after[0] != -1:
        return REFUSED
    same_rows = math.prod(before[1:]) == math.prod(after[1:].tolist())
    return _only(kinds, {0: ROWS}, ROWS) if same_rows else REFUSED


def of_concat(op: Operation, kinds: Kinds) -> Any:
    """Of ConcatV2: row by row; and of shapes."""
    axis, last = op.const_input(len(kinds) - 1), len(kinds) - 1
    if kinds[0] == COUNT:
        return _only(kinds, {0: COUNT}, COUNT)
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
    """Of an op that gathers the rows that input `index` numbers; of padded rows those that are."""

    def padding(op: Operation, kinds: Kinds) -> Any:
        if kinds[index] == PLACES:
            return _only(kinds, {0: ROWS, index: PLACES}, None)
        return _only(kinds, {index: IDS}, ROWS)

    return padding


def of_rows_in_segments(op: Operation, kinds: Kinds) -> Any:
    """Of SparseSegmentMean and the like, which take the rows of the first input that the second
    numbers."""
    return _only(kinds, {0: ROWS, 1: PLACES}, None)


def of_their_gradient(op: Operation, kinds: Kinds) -> Any:
    """Of SparseSegmentMeanGrad and the like, which give as many rows as their last input says."""
    return _only(kinds, {1: PLACES, 3: COUNT}, ROWS)


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
    return REFUSED if kinds[0] == COUNT else COUNT


def of_size(op: Operation, kinds: Kinds) -> Any:
    """Of Size: that of a vector counts its rows."""
    return COUNT if len(op._inputs[0]._shape or ()) == 1 else REFUSED


def of_part_of_shape(op: Operation, kinds: Kinds) -> Any:
    """Of ExpandDims."""
    return _only(kinds, {0: COUNT}, COUNT)


def of_slice(op: Any, kinds: Kinds) -> Any:
    """Of StridedSlice, of shapes: the first number is the one that counts."""
    begin, strides = op.const_input(1), op.const_input(3)
    if begin is None or strides is None or (strides <= 0).any():
        return REFUSED
    later = begin.size == 1 and begin[0] > 0 and not op._attrs["begin_mask"]
    return _only(kinds, {0: COUNT}, None if later else COUNT)


def of_segments(op: Operation, kinds: Kinds) -> Any:
    """Of UnsortedSegmentSum and the like: as many segments as there are ids."""
    if kinds[1] == ROW_PLACES:
        return _only(kinds, {0: ROWS, 1: ROW_PLACES, 2: COUNT}, ROWS)
    if kinds[2] is None:
        return None
    return ROWS if kinds[0] is None and kinds[1] in (None, PLACES) else REFUSED


def of_unique(op: Operation, kinds: Kinds) -> Any:
    """Of Unique: what it may give where `padded` is its rule."""
    if not op._inputs[0]._dtype.is_integer:
        return REFUSED
    if kinds[0] == IDS:  # Those that are in no table are none of the others.
        return IDS, ROW_PLACES
    return _only(kinds, {}, (IDS, PLACES))
