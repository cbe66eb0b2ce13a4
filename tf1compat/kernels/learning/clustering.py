"""What tf.contrib.factorization is made of: first centers of clusters, the nearest ones, and the
sums of weighted alternating least squares. On the host."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import in_range, refuse
from tf1compat.kernels.random import philox

_f32 = np.float32


class _Philox:
    """TF's generator of one thread: the words of a seed's stream, one by one.

    Args:
      seed: integer of 64 bits.
    """

    def __init__(self, seed: int):
        seed &= (1 << 64) - 1
        self._words = _words(np.array([seed & 0xFFFFFFFF, seed >> 32], np.uint32))

    def unit(self) -> np.float32:
        """A float32 in [0, 1)."""
        bits = np.uint32(next(self._words) & 0x7FFFFF | 127 << 23)
        return bits.view(_f32) - _f32(1)

    def below(self, limit: int) -> int:
        """An integer in [0, limit), drawn from 64 bits."""
        if not limit & (limit - 1):
            return self._wide() & (limit - 1)
        largest = (1 << 64) - 1
        end = largest - (largest % limit + 1)
        while (found := self._wide()) >= end:
            pass
        return found % limit

    def _wide(self) -> int:
        low = next(self._words)
        return next(self._words) << 32 | low


def _words(key: np.ndarray) -> Iterator[int]:
    counter, first, size = np.zeros(4, np.uint32), 0, 64
    rules: Any = philox.block
    while True:
        numbers = np.arange(first, first + size, dtype=np.uint32)
        block = rules(key[:, None], counter, numbers)
        yield from np.stack([np.asarray(word) for word in block], 1).ravel().tolist()
        first += size


def _half_squares(x: np.ndarray) -> np.ndarray:
    return np.multiply(_f32(0.5), np.sum(x * x, 1, dtype=_f32))


def _need(ctx: LoweringContext, value: Any, rank: int, what: str) -> None:
    if np.ndim(value) != rank:
        kind = ("scalar", "vector", "matrix")[rank]
        refuse(ctx, f"Input {what} should be a {kind}.")


@op("KmeansPlusPlusInitialization", host=True)
class KmeansPlusPlusInitialization:
    def shape(
        points: Any, num_to_sample: Shape, seed: Shape, num_retries_per_sample: Shape
    ) -> Shape:
        return None

    def lower(
        points: Any,
        num_to_sample: np.ndarray,
        seed: np.ndarray,
        num_retries_per_sample: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        _need(ctx, points, 2, "points")
        for value, what in (
            (num_to_sample, "num_to_sample"),
            (seed, "seed"),
            (num_retries_per_sample, "num_retries_per_sample"),
        ):
            _need(ctx, value, 0, what)
        count, wanted = len(points), int(num_to_sample)
        if not count:
            refuse(ctx, "Expected points.rows() > 0.")
        if wanted <= 0:
            refuse(ctx, "Expected num_to_sample > 0.")
        if wanted > count:
            refuse(ctx, f"Expected num_to_sample <= points.rows(). {wanted} vs {count}.")
        return points[_spread(points, wanted, int(num_retries_per_sample), _Philox(int(seed)))]


def _spread(points: np.ndarray, wanted: int, retries: int, random: _Philox) -> list[int]:
    """Rows far from each other: each is the best of some tries, and is drawn with a probability
    that goes by its squared distance to those before."""
    norms = _half_squares(points)
    nearest = np.full(len(points), np.inf, _f32)
    tries = 1 + (retries if retries >= 0 else 2 + int(math.log(wanted)))
    chosen: list[int] = []
    while len(chosen) < wanted:
        sums = np.add.accumulate(nearest, dtype=_f32)
        found = []
        for _ in range(tries):
            if chosen:
                row = int(np.searchsorted(sums, random.unit() * sums[-1], "left"))
            else:
                row = random.below(len(points))
            distances = np.minimum(nearest, _distances(points, norms, row))
            found.append((np.sum(distances, dtype=_f32), row, distances))
        _, row, nearest = min(found, key=lambda one: one[0])
        chosen.append(row)
    return chosen


def _distances(points: np.ndarray, norms: np.ndarray, row: int) -> np.ndarray:
    found = _f32(2) * (norms + norms[row] - points @ points[row])
    found[row] = 0
    return np.maximum(found, _f32(0))


@op("KMC2ChainInitialization", host=True)
class KMC2ChainInitialization:
    def shape(distances: Any, seed: Shape) -> Shape:
        return ()

    def lower(distances: Any, seed: np.ndarray, *, ctx: LoweringContext) -> Any:
        _need(ctx, distances, 1, "distances")
        _need(ctx, seed, 0, "seed")
        if not distances.size:
            refuse(ctx, "Expected distances_tensor.size() > 0.")
        # A Markov chain that rests at each candidate with a probability that goes by its distance.
        random, chosen = _Philox(int(seed)), 0
        for i in range(1, len(distances)):
            if distances[i] > random.unit() * distances[chosen]:
                chosen = i
        return np.array(chosen, np.int64)


@op("NearestNeighbors", host=True)
class NearestNeighbors:
    def shape(points: Any, centers: Shape, k: Shape) -> Any:
        return [None, None]

    def lower(points: Any, centers: np.ndarray, k: np.ndarray, *, ctx: LoweringContext) -> Any:
        _need(ctx, points, 2, "points")
        _need(ctx, centers, 2, "centers")
        _need(ctx, k, 0, "k")
        if points.shape[1] != centers.shape[1]:
            refuse(
                ctx,
                f"Expected point_dimensions == center_dimensions: {points.shape[1]} vs "
                f"{centers.shape[1]}.",
            )
        if not len(points):
            refuse(ctx, "Expected points.rows() > 0.")
        wanted = min(int(k), len(centers))
        scores = _half_squares(centers) - points @ centers.T
        order = np.argsort(scores, 1, kind="stable")[:, :wanted]
        found = _f32(2) * (np.take_along_axis(scores, order, 1) + _half_squares(points)[:, None])
        return [order.astype(np.int64), found]


@op("MaskedMatmul", host=True)
class MaskedMatmul:
    def shape(
        a: Any, b: Shape, mask_indices: Shape, transpose_a: Shape, transpose_b: Shape
    ) -> Shape:
        return None

    def lower(
        a: Any,
        b: np.ndarray,
        mask_indices: np.ndarray,
        transpose_a: np.ndarray,
        transpose_b: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        left, right = (a.T if transpose_a else a), (b.T if transpose_b else b)
        if left.shape[1] != right.shape[0]:
            refuse(
                ctx,
                "Matrix shapes are incompatible: a has shape "
                f"{shapes.to_string(a.shape)}, while b has shape {shapes.to_string(b.shape)}.",
            )
        if mask_indices.shape[1] != 2:
            refuse(
                ctx,
                "mask_indices should be a matrix of shape [nnz 2], where nnz is the number of "
                "non-zero elements.",
            )
        rows, columns = mask_indices.T
        for what, places, size in (("row", rows, len(left)), ("column", columns, right.shape[1])):
            if not in_range(places, size):
                bad = int(np.flatnonzero((places < 0) | (places >= size))[0])
                refuse(
                    ctx,
                    f"In mask_indices[{bad}, :], the {what} index {places[bad]} is out of bounds "
                    f"[0, {size}).",
                )
        return np.sum(left[rows] * right.T[columns], 1, dtype=_f32)


@op("WALSComputePartialLhsAndRhs", host=True)
class WALSComputePartialLhsAndRhs:
    def shape(
        factors: Any, factor_weights: Shape, unobserved_weights: Shape, input_weights: Shape,
        input_indices: Shape, input_values: Shape, entry_weights: Shape, input_block_size: Shape,
        input_is_transpose: Shape,
    ) -> Any:  # fmt: skip
        return [None, None]

    def lower(
        factors: Any, factor_weights: np.ndarray, unobserved_weights: np.ndarray,
        input_weights: np.ndarray,
        input_indices: np.ndarray, input_values: np.ndarray, entry_weights: np.ndarray,
        input_block_size: np.ndarray,
        input_is_transpose: np.ndarray, *, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        for value, rank, what in (
            (factors, 2, "factors"), (factor_weights, 1, "factor_weights"),
            (unobserved_weights, 0, "unobserved_weights"), (input_weights, 1, "input_weights"),
            (input_indices, 2, "input_indices"), (input_values, 1, "input_values"),
            (entry_weights, 1, "entry_weights"), (input_block_size, 0, "input_block_size"),
            (input_is_transpose, 0, "input_is_transpose"),
        ):  # fmt: skip
            _need(ctx, value, rank, what)
        if input_indices.shape[1] != 2:
            refuse(ctx, "Input input_indices should have shape (?, 2).")
        if len(input_indices) != len(input_values):
            refuse(
                ctx,
                "Input input_values' length should match the first dimension of Input "
                "input_indices ",
            )
        rows, columns = input_indices.T[::-1] if input_is_transpose else input_indices.T
        width, count = factors.shape[1], int(input_block_size)
        for what, places, size in (("row", rows, count), ("column", columns, len(factors))):
            if not in_range(places, size):
                raise errors.InvalidArgumentError(None, None, f"Invalid {what} index: {places}")
        if entry_weights.size:
            weights = entry_weights
        else:
            weights = input_weights[rows] * factor_weights[columns]
        chosen = factors[columns]
        left = np.zeros((count, width, width), _f32)
        outer = chosen[:, :, None] * chosen[:, None, :]
        np.add.at(left, rows, weights[:, None, None] * outer)
        right = np.zeros((count, width), _f32)
        amounts = (unobserved_weights + weights) * input_values
        np.add.at(right, rows, amounts[:, None] * chosen)
        return [left, right]
