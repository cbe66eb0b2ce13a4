"""Gradients and hessians that are summed up by the part of a tree and the feature they belong to
(`tf.contrib.boosted_trees`), on the host.

What is summed up belongs to a round, which a stamp tells: what comes with another stamp is dropped.
The op types come in two kinds: a gradient and a hessian are scalars, or tensors of given shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array
from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.trees import tensor_forest as forest

# (part of a tree, feature, dimension of the feature) -> (gradient, hessian)
Sums = dict[tuple[int, int, int], tuple[Any, Any]]

KINDS = ("Scalar", "Tensor")


class _Accumulator:
    """What is summed up.

    Args:
      stamp: of the round.
      slots: the shapes of a gradient and of a hessian.
    """

    def __init__(self, stamp: int, slots: tuple[Any, Any]):
        self.stamp, self.slots = stamp, slots
        self.updates = 0
        self.sums: Sums = {}

    def begin(self, stamp: int) -> None:
        """Begins a round."""
        self.stamp, self.updates, self.sums = stamp, 0, {}


def _add(sums: Sums, partitions: Array, features: Array, gradients: Array, hessians: Array) -> None:
    """Adds to sums, one row after the other."""
    count = len(partitions)
    if min(len(features), len(gradients), len(hessians)) < count or features.shape[1:] != (2,):
        raise invalid(
            f"There are {count} partition ids, feature ids {shapes.to_string(features.shape)}, "
            f"{len(gradients)} gradients and {len(hessians)} hessians."
        )
    rows = zip(partitions.tolist(), features.tolist(), gradients, hessians)
    for partition, feature, gradient, hessian in rows:
        key = (partition, *feature)
        if key in sums:
            before = sums[key]
            gradient, hessian = before[0] + gradient, before[1] + hessian
        sums[key] = gradient, hessian


def _arrays(sums: Sums, slots: tuple[Any, Any]) -> list[Any]:
    """Sums in the order of their keys: partition ids, feature ids, gradients, hessians."""
    keys = sorted(sums)
    values = [
        np.array([sums[key][i] for key in keys], np.float32).reshape(len(keys), *slot)
        for i, slot in enumerate(slots)
    ]
    ids = np.array(keys, np.int64).reshape(-1, 3)
    return [ids[:, 0].astype(np.int32), ids[:, 1:], *values]


def check_stamp(held: Any, stamp: Array) -> None:
    """Refuses a stamp of another round, at which TF ends the process.

    Raises:
      InternalError: it is one.
    """
    if held.stamp != stamp:
        text = "Check failed: resource->is_stamp_valid(stamp_token) "
        raise errors.InternalError(None, None, text)


def _scalars(*given: Shape) -> None:
    for shape in given:
        shapes.with_rank(shape, 0)


def _parts(kind: str) -> list[Shape]:
    slot = (None,) if kind == "Scalar" else None
    return [(None,), None, slot, slot]


def _add_rows_shape(
    stats_accumulator_handles: Sequence[Shape], stamp_token: Shape, partition_ids: Any,
    feature_ids: Any, gradients: Any, hessians: Any,
) -> None:  # fmt: skip
    _scalars(*stats_accumulator_handles, stamp_token)


def _add_rows(
    stats_accumulator_handles: Sequence[Any], stamp_token: Array,
    partition_ids: Sequence[Array], feature_ids: Sequence[Array], gradients: Sequence[Array],
    hessians: Sequence[Array], *, ctx: LoweringContext,
) -> None:  # fmt: skip
    """StatsAccumulatorScalarAdd, StatsAccumulatorTensorAdd."""
    given = zip(partition_ids, feature_ids, gradients, hessians)
    for handle, (partitions, features, *values) in zip(stats_accumulator_handles, given):
        held = forest._ready(ctx, handle)
        if held.stamp != stamp_token:
            continue
        held.updates += 1  # Also if what comes is refused, as in TF.
        for word, value, slot in zip(("Gradients", "Hessian"), values, held.slots):
            if value.shape[1:] != slot:
                found, wanted = (shapes.to_string(x) for x in (value.shape[1:], slot))
                raise invalid(f"{word} dimensions must match: {found}, {wanted}")
        _add(held.sums, partitions, features, *values)


def _flush(
    stats_accumulator_handle: Any, stamp_token: Array, next_stamp_token: Array, *,
    ctx: LoweringContext,
) -> Any:  # fmt: skip
    """StatsAccumulatorScalarFlush, StatsAccumulatorTensorFlush."""
    held = forest._ready(ctx, stats_accumulator_handle)
    check_stamp(held, stamp_token)
    found = [np.array(held.updates, np.int64), *_arrays(held.sums, held.slots)]
    held.begin(int(next_stamp_token))
    return found


def _serialize(stats_accumulator_handle: Any, *, ctx: LoweringContext) -> Any:
    """StatsAccumulatorScalarSerialize, StatsAccumulatorTensorSerialize."""
    held = forest._ready(ctx, stats_accumulator_handle)
    numbers = [np.array(x, np.int64) for x in (held.stamp, held.updates)]
    return [*numbers, *_arrays(held.sums, held.slots)]


def _deserialize_shape(
    stats_accumulator_handle: Shape, stamp_token: Shape, num_updates: Shape,
    partition_ids: Shape, *_: Any,
) -> None:  # fmt: skip
    _scalars(stats_accumulator_handle, stamp_token, num_updates)
    shapes.with_rank(partition_ids, 1)


def _deserialize(
    stats_accumulator_handle: Any, stamp_token: Array, num_updates: Array,
    partition_ids: Array, feature_ids: Array, gradients: Array, hessians: Array, *,
    ctx: LoweringContext,
) -> None:  # fmt: skip
    """StatsAccumulatorScalarDeserialize, StatsAccumulatorTensorDeserialize."""
    held = forest._ready(ctx, stats_accumulator_handle)
    held.begin(int(stamp_token))
    held.updates = int(num_updates)
    _add(held.sums, partition_ids, feature_ids, gradients, hessians)


def _summarize_shape(*_: Any) -> Any:
    return [None] * 4


def _summarize(partition_ids: Array, feature_ids: Array, gradients: Array, hessians: Array) -> Any:
    """StatsAccumulatorScalarMakeSummary, StatsAccumulatorTensorMakeSummary."""
    sums: Sums = {}
    _add(sums, partition_ids, feature_ids, gradients, hessians)
    return _arrays(sums, (gradients.shape[1:], hessians.shape[1:]))


def _flushed(kind: str) -> Any:
    def shape(handle: Shape, stamp_token: Shape, next_stamp_token: Shape) -> Any:
        _scalars(handle, stamp_token, next_stamp_token)
        return [(), *_parts(kind)]

    return shape


def _serialized(kind: str) -> Any:
    def shape(handle: Shape) -> Any:
        _scalars(handle)
        return [(), (), *_parts(kind)]

    return shape


for _kind in KINDS:
    _name = f"StatsAccumulator{_kind}"
    register(f"{_name}ResourceHandleOp", shape=forest._scalar, source=True, host=True)
    register(
        f"{_name}IsInitialized", shape=forest._scalar, lower=forest._is_initialized,
        **forest._facts(),
    )  # fmt: skip
    register(f"{_name}Add", shape=_add_rows_shape, lower=_add_rows, **forest._facts())
    register(f"{_name}Flush", shape=_flushed(_kind), lower=_flush, **forest._facts())
    register(f"{_name}Serialize", shape=_serialized(_kind), lower=_serialize, **forest._facts())
    register(
        f"{_name}Deserialize", shape=_deserialize_shape, lower=_deserialize,
        **forest._facts(),
    )  # fmt: skip
    register(f"{_name}MakeSummary", shape=_summarize_shape, lower=_summarize, host=True)


@op("CreateStatsAccumulatorScalar", **forest._facts())
class CreateStatsAccumulatorScalar:
    shape = _scalars

    def lower(stats_accumulator_handle: Any, stamp_token: Array, *, ctx: LoweringContext) -> None:
        held = forest._held(ctx, stats_accumulator_handle)
        if held.value is None:  # Who comes second changes nothing.
            held.value = _Accumulator(int(stamp_token), ((), ()))


@op("CreateStatsAccumulatorTensor", **forest._facts())
class CreateStatsAccumulatorTensor:
    def shape(
        stats_accumulator_handle: Any, stamp_token: Shape, per_slot_gradient_shape: Shape,
        per_slot_hessian_shape: Shape,
    ) -> None:  # fmt: skip
        _scalars(stats_accumulator_handle, stamp_token)
        for shape in (per_slot_gradient_shape, per_slot_hessian_shape):
            shapes.with_rank(shape, 1)

    def lower(
        stats_accumulator_handle: Any, stamp_token: Array, per_slot_gradient_shape: Array,
        per_slot_hessian_shape: Array, *, ctx: LoweringContext,
    ) -> None:  # fmt: skip
        held = forest._held(ctx, stats_accumulator_handle)
        if held.value is None:
            slots = (
                tuple(per_slot_gradient_shape.tolist()),
                tuple(per_slot_hessian_shape.tolist()),
            )
            held.value = _Accumulator(int(stamp_token), slots)
