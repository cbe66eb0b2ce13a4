"""Crosses of features: every combination of the values that a row has in several columns."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tf1compat.core.op_registry import not_differentiable, register
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.text.string_hash import fingerprint64

_MASK = (1 << 64) - 1
_MULTIPLIER = 0xC6A4A7935BD1E995


def _mix(x: int) -> int:
    return x ^ x >> 47


def combined(a: int, b: int) -> int:
    """TF's FingerprintCat64 of two fingerprints."""
    result = a ^ _MULTIPLIER ^ (_mix(b * _MULTIPLIER & _MASK) * _MULTIPLIER & _MASK)
    result = _mix(result * _MULTIPLIER & _MASK) * _MULTIPLIER & _MASK
    return _mix(result)


def _combined_the_old_way(a: int, b: int) -> int:
    """The older way of combining fingerprints, whose right shift keeps the sign."""
    signed = a - (1 << 64) if a >> 63 else a
    return (a ^ (b + 0x9E3779B97F4A7800 + (a << 10) + (signed >> 4))) & _MASK


def _check(indices: Any, values: Any, shapes_: Any, dense: Any, ctx: LoweringContext) -> None:
    for i, index in enumerate(indices):
        if np.ndim(index) != 2:
            text = f"Input indices should be a matrix but received shape {text_of_shape(index)}"
            refuse(ctx, f"{text} at position {i}")
        if np.shape(index)[1] != 2:
            text = f"Expected D2 of index to be 2 got {np.shape(index)[1]} at position {i}"
            refuse(ctx, text)
    for i, (index, value) in enumerate(zip(indices, values, strict=True)):
        if np.ndim(value) != 1:
            text = f"Input values should be a vector but received shape {text_of_shape(value)}"
            refuse(ctx, f"{text} at position {i}")
        if len(index) != len(value):
            refuse(
                ctx, f"Expected size of values to be {len(index)} got {len(value)} at position {i}"
            )
    for i, shape in enumerate(shapes_):
        if np.ndim(shape) != 1:
            text = f"Input shapes should be a vector but received shape {text_of_shape(shape)}"
            refuse(ctx, f"{text} at position {i}")
        if len(shape) != 2:
            refuse(ctx, f"shape should imply a 2D tensor, but got {text_of_shape(shape)}")
    for i, value in enumerate(dense):
        if np.ndim(value) != 2:
            refuse(
                ctx,
                "Dense inputs should be a matrix but received shape "
                f"{text_of_shape(value)} at position {i}",
            )
    sizes = [int(shape[0]) for shape in shapes_] + [np.shape(value)[0] for value in dense]
    for i, size in enumerate(sizes):
        if size != sizes[0]:
            dense_position = i - len(shapes_)
            at = f"position {i}" if dense_position < 0 else f"dense tensor {dense_position}"
            refuse(ctx, f"Expected batch size {sizes[0]} got {size} at {at}")


def _columns(indices: Any, values: Any, shapes_: Any, dense: Any) -> list[list[list[Any]]]:
    """For each column, the values of each row."""
    columns = []
    for index, value, shape in zip(indices, values, shapes_, strict=True):
        rows: list[list[Any]] = [[] for _ in range(int(shape[0]))]
        for row, item in zip(np.asarray(index)[:, 0].tolist(), value.tolist(), strict=True):
            rows[row].append(item)
        columns.append(rows)
    return columns + [value.tolist() for value in dense]


def _number(value: Any) -> int:
    if not isinstance(value, bytes):
        return value & _MASK
    return fingerprint64(value)


def _text(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _shape(indices: Any, values: Any, shapes_: Any, dense: Any) -> Any:
    return [(None, 2), (None,), (2,)]


def _crosses(
    indices: Any, values: Any, shapes_: Any, dense: Any, hashed_output: bool, num_buckets: int,
    hash_key: int, ctx: LoweringContext, combined: Any,
) -> Any:  # fmt: skip
    _check(indices, values, shapes_, dense, ctx)
    columns = _columns(indices, values, shapes_, dense)
    read: Any = _number if hashed_output else _text
    modulus = num_buckets if num_buckets > 0 else (1 << 63) - 1
    places, found, longest = [], [], 0
    for row, cells in enumerate(zip(*columns, strict=True)):
        crosses = list(itertools.product(*([read(value) for value in cell] for cell in cells)))
        longest = max(longest, len(crosses))
        places += [(row, i) for i in range(len(crosses))]
        for cross in crosses:
            if not hashed_output:
                found.append(b"_X_".join(cross))
                continue
            fingerprint = hash_key & _MASK
            for value in cross:
                fingerprint = combined(fingerprint, value)
            found.append(fingerprint % modulus)
    batch = len(columns[0]) if columns else 0
    return [
        np.array(places, np.int64).reshape(len(places), 2),
        np.array(found, np.int64 if hashed_output else object),
        np.array([batch, longest], np.int64),
    ]


def _cross(
    indices: Any, values: Any, shapes_: Any, dense: Any, *, hashed_output: bool, num_buckets: int,
    hash_key: int, ctx: LoweringContext,
) -> Any:  # fmt: skip
    return _crosses(
        indices, values, shapes_, dense, hashed_output, num_buckets, hash_key, ctx, combined
    )


def _cross_the_old_way(
    indices: Any, values: Any, shapes_: Any, dense: Any, *, hashed_output: bool, num_buckets: int,
    ctx: LoweringContext,
) -> Any:  # fmt: skip
    return _crosses(
        indices, values, shapes_, dense, hashed_output, num_buckets, 0xDECAFCAFFE, ctx,
        _combined_the_old_way,
    )  # fmt: skip


register("SparseCross", shape=_shape, lower=_cross, host=True)
# The same, of contrib.layers.
register("SparseFeatureCrossV2", shape=_shape, lower=_cross, host=True)
register("SparseFeatureCross", shape=_shape, lower=_cross_the_old_way, host=True)
not_differentiable("SparseFeatureCrossV2")
not_differentiable("SparseFeatureCross")
