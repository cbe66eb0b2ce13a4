"""GatherTree: the sequences of a beam search, followed back from their ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import Array, jnp, lax
from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape


def _check_shapes(ctx: LoweringContext, steps: Any, parents: Any, lengths: Any, end: Any) -> None:
    if np.ndim(steps) != 3:
        refuse(ctx, f"step_ids must be a 3-tensor, saw shape: {text_of_shape(steps)}")
    if np.ndim(lengths) != 1:
        refuse(ctx, f"max_sequence_lengths must be a vector, saw shape: {text_of_shape(lengths)}")
    if np.ndim(end) != 0:
        refuse(ctx, f"end_token must be a scalar, saw shape: {text_of_shape(end)}")
    if np.shape(steps) != np.shape(parents):
        refuse(
            ctx,
            "step_ids.shape must match parent_ids.shape.  but shapes are: "
            f"{text_of_shape(steps)} and {text_of_shape(parents)}",
        )
    if np.shape(steps)[1] != np.shape(lengths)[0]:
        refuse(
            ctx,
            "batch size dimensions step_ids.shape[1] and max_sequence_lengths.shape[0] must "
            f"match.  but shapes are: {text_of_shape(steps)} and {text_of_shape(lengths)}",
        )


def _invalid(parent: Any, batch: Any, time: Any, beam: Any) -> str:
    return (
        f"Saw invalid parent id {int(parent)} at (batch, time, beam) == "
        f"({int(batch)}, {int(time)}, {int(beam)})"
    )


@op("GatherTree")
class GatherTree:
    def shape(
        step_ids: Any, parent_ids: Shape, max_sequence_lengths: Shape, end_token: Shape
    ) -> Shape:
        shape = shapes.merge(shapes.with_rank(step_ids, 3), shapes.with_rank(parent_ids, 3))
        shapes.with_rank(max_sequence_lengths, 1)
        shapes.with_rank(end_token, 0)
        assert shape is not None
        lengths = shapes.with_rank(max_sequence_lengths, 1)
        return shape[0], shapes.merge_dim(shape[1], lengths[0]), shape[2]

    def lower(
        step_ids: Any,
        parent_ids: Array,
        max_sequence_lengths: Array,
        end_token: Array,
        *,
        ctx: LoweringContext,
    ) -> Array:
        _check_shapes(ctx, step_ids, parent_ids, max_sequence_lengths, end_token)
        steps, parents = jnp.asarray(step_ids), jnp.asarray(parent_ids)
        times, batch, beams = steps.shape
        if steps.size == 0:
            return steps
        lengths = jnp.minimum(jnp.asarray(max_sequence_lengths), times)[:, None]
        own = jnp.broadcast_to(jnp.arange(beams, dtype=parents.dtype), (batch, beams))

        def back(beam: Any, step: Any) -> Any:
            """From the beams to read at a step to those of the step before it."""
            time, ids, parent = step
            inside = (beam >= 0) & (beam < beams)
            bad = ~inside & (time < lengths)
            at = jnp.where(inside, beam, 0)
            before = jnp.where(time < lengths, jnp.take_along_axis(parent, at, 1), own)
            return before, (jnp.take_along_axis(ids, at, 1), beam, bad)

        numbers = jnp.arange(times, dtype=lengths.dtype)
        _, (found, read, bad) = lax.scan(back, own, (numbers, steps, parents), reverse=True)
        # The first that TensorFlow meets: batch by batch, beam by beam, from the end.
        order = jnp.transpose(bad[::-1], (1, 2, 0)).reshape(-1)
        first = jnp.argmax(order)
        b, k, t = jnp.unravel_index(first, (batch, beams, times))
        t = times - 1 - t
        ctx.check(
            ~jnp.any(bad), errors.InvalidArgumentError, _invalid, parent=read[t, b, k], batch=b,
            time=t, beam=k,
        )  # fmt: skip
        ended = jnp.cumsum(found == end_token, axis=0) > 0
        keep = ~ended & (numbers[:, None, None] < lengths)
        return jnp.where(keep, found, jnp.asarray(end_token, found.dtype))
