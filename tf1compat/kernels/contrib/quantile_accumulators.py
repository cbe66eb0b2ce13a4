"""Approximate quantiles of features (`tf.contrib.boosted_trees`), on the host: summaries are
messages, a stream of them belongs to a round, which a stamp tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from google.protobuf import message as messages

from tf1compat.backend import Array
from tf1compat.core import shapes
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.formats import boosted_quantiles_pb2 as protos
from tf1compat.kernels.contrib.stats_accumulators import check_stamp
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.trees import boosted_trees_quantiles as quantiles
from tf1compat.kernels.trees import tensor_forest as forest


def _write(message: Any, summary: quantiles.Summary) -> Any:
    for value, weight, low, high in summary:
        message.entries.add(value=value, weight=weight, min_rank=low, max_rank=high)
    return message


def _read(message: Any) -> quantiles.Summary:
    return [(e.value, e.weight, e.min_rank, e.max_rank) for e in message.entries]


def _text(summary: quantiles.Summary) -> Any:
    message = _write(protos.QuantileSummaryState(), summary)
    return forest._text(message.SerializeToString())


class _Quantiles:
    """The stream of a feature, and the boundaries of buckets that were made of it last.

    Args:
      stamp: of the round.
      epsilon: how far ranks may be wrong.
      count: how many quantiles there shall be.
      most: how many values may come.
      exact: whether as many as asked for are made, and values may be there twice.
    """

    def __init__(self, stamp: int, epsilon: float, count: int, most: int, exact: bool):
        self._settings = (epsilon, most)
        self._count, self._exact = count, exact
        self.boundaries: list[float] | None = None
        self.begin(stamp)

    def begin(self, stamp: int) -> None:
        """Begins a round."""
        self.stamp, self.stream = stamp, quantiles._Stream(*self._settings)

    def flush(self, stamp: int) -> None:
        """Makes boundaries of the stream, and begins a round."""
        make = quantiles._quantiles if self._exact else quantiles._boundaries
        self.boundaries = make(self.stream.summary(), self._count)
        self.begin(stamp)


def _scalars(*given: Shape) -> None:
    for shape in given:
        shapes.with_rank(shape, 0)


register("QuantileStreamResourceHandleOp", shape=forest._scalar, source=True, host=True)
register(
    "QuantileAccumulatorIsInitialized", shape=forest._scalar, lower=forest._is_initialized,
    **forest._facts(),
)  # fmt: skip


@op("CreateQuantileAccumulator", **forest._facts())
class CreateQuantileAccumulator:
    shape = _scalars

    def lower(
        quantile_accumulator_handle: Any, stamp_token: Array, *, epsilon: float,
        num_quantiles: int, max_elements: int, generate_quantiles: bool, ctx: LoweringContext,
    ) -> None:  # fmt: skip
        held = forest._held(ctx, quantile_accumulator_handle)
        if held.value is None:  # Who comes second changes nothing.
            held.value = _Quantiles(
                int(stamp_token), epsilon, num_quantiles, max_elements, generate_quantiles
            )


@op("QuantileAccumulatorAddSummaries", **forest._facts())
class QuantileAccumulatorAddSummaries:
    def shape(
        quantile_accumulator_handles: Any,
        stamp_token: Shape,
        summaries: Sequence[Shape],
    ) -> None:
        _scalars(*quantile_accumulator_handles, stamp_token, *summaries)

    def lower(
        quantile_accumulator_handles: Any, stamp_token: Array,
        summaries: Sequence[Array], *, ctx: LoweringContext,
    ) -> None:  # fmt: skip
        for handle, summary in zip(quantile_accumulator_handles, summaries):
            held = forest._ready(ctx, handle)
            if held.stamp != stamp_token:
                continue
            try:
                message = protos.QuantileSummaryState.FromString(summary[()])
            except messages.DecodeError:
                raise invalid("Unable to parse quantile summary.") from None
            held.stream.add(_read(message))


@op("QuantileAccumulatorGetBuckets", **forest._facts())
class QuantileAccumulatorGetBuckets:
    def shape(quantile_accumulator_handles: Any, stamp_token: Any) -> Any:
        count = len(quantile_accumulator_handles)
        return [()] * count + [(None,)] * count

    def lower(
        quantile_accumulator_handles: Any, stamp_token: Array, *, ctx: LoweringContext
    ) -> Any:
        ready, buckets = [], []
        for handle in quantile_accumulator_handles:
            held = forest._ready(ctx, handle)
            found = held.boundaries if held.stamp == stamp_token else None
            ready.append(np.array(found is not None))
            buckets.append(np.array(found or [], np.float32))
        return ready + buckets


@op("QuantileAccumulatorFlush", **forest._facts())
class QuantileAccumulatorFlush:
    shape = forest._nothing

    def lower(
        quantile_accumulator_handle: Any, stamp_token: Array, next_stamp_token: Array, *,
        ctx: LoweringContext,
    ) -> None:  # fmt: skip
        held = forest._ready(ctx, quantile_accumulator_handle)
        check_stamp(held, stamp_token)
        held.flush(int(next_stamp_token))


@op("QuantileAccumulatorFlushSummary", **forest._facts())
class QuantileAccumulatorFlushSummary:
    def shape(*_: Any) -> Any:
        return None

    def lower(
        quantile_accumulator_handle: Any, stamp_token: Array, next_stamp_token: Array, *,
        ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        held = forest._ready(ctx, quantile_accumulator_handle)
        check_stamp(held, stamp_token)
        found = _text(held.stream.summary())
        held.begin(int(next_stamp_token))
        return found


@op("QuantileAccumulatorSerialize", **forest._facts())
class QuantileAccumulatorSerialize:
    def shape(handle: Any) -> Any:
        return [None] * 4

    def lower(quantile_accumulator_handle: Any, *, ctx: LoweringContext) -> Any:
        held = forest._ready(ctx, quantile_accumulator_handle)
        state = protos.QuantileStreamState()
        # The last is that of values which are not in a part yet: there are none.
        for summary in [*held.stream.levels, []]:
            _write(state.summaries.add(), summary)
        return [
            np.array(held.stamp, np.int64),
            forest._text(state.SerializeToString()),
            np.array(held.boundaries is not None),
            np.array(held.boundaries or [], np.float32),
        ]


@op("QuantileAccumulatorDeserialize", **forest._facts())
class QuantileAccumulatorDeserialize:
    def shape(*_: Any) -> None:
        """Savers give vectors of one in place of scalars."""

    def lower(
        quantile_accumulator_handle: Any, stamp_token: Array, stream_state: Array,
        are_buckets_ready: Array, buckets: Array, *, ctx: LoweringContext,
    ) -> None:  # fmt: skip
        held = forest._ready(ctx, quantile_accumulator_handle)
        try:
            state = protos.QuantileStreamState.FromString(stream_state.item())
        except messages.DecodeError:
            raise invalid("Unabnle to parse quantile stream state.") from None
        held.begin(int(stamp_token.item()))
        held.stream.levels = [_read(summary) for summary in state.summaries[:-1]]
        held.boundaries = buckets.tolist() if are_buckets_ready.item() else None


def _columns(
    dense: Sequence[Array], indices: Sequence[Array], values: Sequence[Array], weights: Array
) -> list[tuple[Array, Array]]:
    """The values and weights of each dense, then of each sparse column."""
    weights = weights.reshape(-1)
    of_dense = [(column.reshape(-1)[: len(weights)], weights) for column in dense]
    return of_dense + [(value, weights[at[:, 0]]) for at, value in zip(indices, values)]


@op("MakeQuantileSummaries", host=True)
class MakeQuantileSummaries:
    def shape(
        dense_float_features: Any, sparse_float_feature_indices: Sequence[Shape],
        sparse_float_feature_values: Any, sparse_float_feature_shapes: Any, example_weights: Shape,
    ) -> Any:  # fmt: skip
        rows = shapes.with_rank(example_weights, 2)[0]
        for shape in dense_float_features:
            rows = shapes.merge_dim(shapes.with_rank(shape, 2)[0], rows)
        return [()] * (len(dense_float_features) + len(sparse_float_feature_indices))

    def lower(
        dense_float_features: Any, sparse_float_feature_indices: Sequence[Array],
        sparse_float_feature_values: Sequence[Array], sparse_float_feature_shapes: Any,
        example_weights: Array, *, epsilon: float,
    ) -> Any:  # fmt: skip
        columns = _columns(
            dense_float_features, sparse_float_feature_indices, sparse_float_feature_values,
            example_weights,
        )  # fmt: skip
        return [
            _text(quantiles.summarized(*column, epsilon, len(example_weights)))
            for column in columns
        ]


@op("QuantileBuckets", host=True)
class QuantileBuckets:
    def shape(
        dense_float_features: Any,
        sparse_float_feature_indices: Sequence[Shape],
        *_: Any,
    ) -> Any:
        return [None] * (len(dense_float_features) + len(sparse_float_feature_indices))

    def lower(
        dense_float_features: Any, sparse_float_feature_indices: Sequence[Array],
        sparse_float_feature_values: Sequence[Array], sparse_float_feature_shapes: Any,
        example_weights: Array, *, op: Any,
    ) -> Any:  # fmt: skip
        columns = _columns(
            dense_float_features, sparse_float_feature_indices, sparse_float_feature_values,
            example_weights,
        )  # fmt: skip
        found = []
        texts = op.get_attr("dense_config") + op.get_attr("sparse_config")
        for column, text in zip(columns, texts):
            config = protos.QuantileConfig.FromString(text)
            summary = quantiles.summarized(*column, config.eps, len(example_weights))
            made = quantiles._boundaries(summary, config.num_quantiles)
            found.append(np.array(made, np.float32))
        return found


@op("Quantiles", host=True)
class Quantiles:
    def shape(
        dense_values: Any, sparse_values: Sequence[Shape], dense_buckets: Any,
        sparse_buckets: Any, sparse_indices: Any,
    ) -> Any:  # fmt: skip
        return [(shape[0] if shape else None, 2) for shape in [*dense_values, *sparse_values]]

    def lower(
        dense_values: Any, sparse_values: Sequence[Array],
        dense_buckets: Sequence[Array], sparse_buckets: Sequence[Array],
        sparse_indices: Sequence[Array],
    ) -> Any:  # fmt: skip
        return [
            *(_buckets(*given, None) for given in zip(dense_values, dense_buckets)),
            *(_buckets(*given) for given in zip(sparse_values, sparse_buckets, sparse_indices)),
        ]


def _buckets(values: Array, buckets: Array, indices: Array | None) -> Any:
    """The bucket of each value, and its dimension.

    Raises:
      InvalidArgumentError: there are no buckets.
    """
    if not len(buckets):
        raise invalid("Got empty buckets.")
    values = values.reshape(-1)
    dimensions = np.zeros(len(values), np.int64) if indices is None else indices[:, 1]
    found = np.searchsorted(buckets, values).clip(max=len(buckets) - 1)
    return np.stack([found, dimensions], 1).astype(np.int32)


@op("BucketizeWithInputBoundaries", host=True)
class BucketizeWithInputBoundaries:
    def shape(input: Any, boundaries: Shape) -> Shape:
        return input

    def lower(input: Any, boundaries: Array) -> Any:
        boundaries = boundaries.reshape(-1)
        if (boundaries[1:] < boundaries[:-1]).any():
            raise invalid("Expected sorted boundaries")
        return np.searchsorted(boundaries, input, side="right").astype(np.int32)
