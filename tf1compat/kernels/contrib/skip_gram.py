"""Pairs of words near each other, for training of embeddings (skip-gram)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import Shape, not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse
from tf1compat.kernels.random import philox

_TYPES = ("int16", "int32", "int64", "string")


def _drawn(key: Any, counter: Any, count: int, n: int) -> np.ndarray:
    """`count` whole numbers below `n`, all equally likely: words that are not fit are passed over.

    As in TF the generator moves on by the same number however many words that takes.
    """
    is_power = n & (n - 1) == 0
    least = 0 if is_power else 0xFFFFFFFF % n + 1
    fit = np.zeros(0, np.uint32)
    place = 0
    while fit.size < count:
        words = np.asarray(philox.words_from(key, counter, place, count))
        place += count
        fit = np.concatenate([fit, words[words >= least]])
    return (fit[:count] % np.uint32(n)).astype(np.int64)


@op("SkipGramGenerateCandidates", host=True, random=True)
class SkipGramGenerateCandidates:
    def shape(
        input_tensor: Any,
        min_skips: Shape,
        max_skips: Shape,
        start: Shape,
        limit: Shape,
        emit_self_as_target: Shape,
    ) -> list[Shape]:
        shapes.with_rank(input_tensor, 1)
        for scalar in (min_skips, max_skips, start, limit, emit_self_as_target):
            shapes.with_rank(scalar, 0)
        return [(None,), (None,)]

    def lower(
        input_tensor: Any,
        min_skips: Any,
        max_skips: Any,
        start: Any,
        limit: Any,
        emit_self_as_target: Any,
        *,
        T: Any,
        op: Operation,
        ctx: LoweringContext,
    ) -> Any:
        if T.name not in _TYPES:
            raise errors.InvalidArgumentError(
                op.node_def,
                op,
                f"No OpKernel was registered to support Op '{op.type}' used by node {op.name} "
                f"with T={T.name}",
            )
        least, most, start, limit = (int(x) for x in (min_skips, max_skips, start, limit))
        if least < 0 or most < 0:
            refuse(ctx, "Both min_skips and max_skips must be >= 0.")
        if least > most:
            refuse(ctx, "min_skips must be <= max_skips.")
        if start < 0:
            # TF reads what lies before the array.
            refuse(ctx, f"start must be >= 0, got {start}")
        size = len(input_tensor)
        end = size if limit < 0 else min(start + limit, size)
        count = max(end - start, 0)
        key, counter = ctx.rng(reserve_128=(end - start + 4) // 4 if end >= start else 0)
        if not count:
            return [input_tensor[:0], input_tensor[:0]]
        skips = least + _drawn(key, counter, count, most - least + 1)
        at = np.arange(start, end)
        near = [
            np.arange(max(i - skip, start), min(i + skip + 1, end))
            for i, skip in zip(at, skips, strict=True)
        ]
        if not emit_self_as_target:
            near = [others[others != i] for i, others in zip(at, near, strict=True)]
        tokens = np.repeat(at, [len(others) for others in near])
        return [input_tensor[tokens], input_tensor[np.concatenate(near)]]


not_differentiable("SkipGramGenerateCandidates")
