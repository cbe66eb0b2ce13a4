"""Non-maximum suppression: choosing boxes by their scores, without those that overlap a better
one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.backend import Array, at, jax, jnp, lax
from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, scalar_dim, text_of_shape

# How much a box overlaps all boxes: its index -> [boxes].
Overlap = Callable[[Any], Any]


def _overlap(boxes: Any) -> Overlap:
    """Intersection over union of boxes [boxes, 4] (NumPy or JAX)."""
    xp = np if isinstance(boxes, np.ndarray) else jnp
    low = xp.minimum(boxes[:, :2], boxes[:, 2:])
    high = xp.maximum(boxes[:, :2], boxes[:, 2:])
    areas = (high - low)[:, 0] * (high - low)[:, 1]

    def overlap(index: Any) -> Any:
        sides = xp.minimum(high, high[index]) - xp.maximum(low, low[index])
        sides = xp.maximum(sides, 0)
        shared = sides[:, 0] * sides[:, 1]
        union = areas + areas[index] - shared
        valid = (areas > 0) & (areas[index] > 0)
        return xp.where(valid, shared / xp.where(valid, union, 1), 0)

    return overlap


def _weights(overlaps: Any, threshold: Any, sigma: Any, strict: bool, xp: Any) -> Any:
    """What is left of scores, by how much boxes overlap the one that was chosen."""
    kept = overlaps <= threshold if strict else overlaps < threshold
    if sigma is None:
        return xp.where(kept, overlaps.dtype.type(1), 0)
    scale = xp.where(sigma > 0, -0.5 / xp.where(sigma > 0, sigma, 1), 0).astype(overlaps.dtype)
    return xp.where(kept, xp.exp(scale * overlaps * overlaps), 0)


def _choose(
    scores: np.ndarray, count: int, overlap: Overlap, threshold: Any, least: Any, sigma: Any = None,
    itself: Any = None,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Chooses at most `count` boxes (all, if it is negative), on the host.

    Args:
      scores: [boxes].
      count: how many.
      overlap: see `Overlap`.
      threshold: boxes that overlap so much are left out.
      least: boxes that score so little are left out.
      sigma: of soft suppression, or None.
      itself: how much each box overlaps itself; found by `overlap` where it is of boxes.

    Returns:
      (indices, scores), best first.
    """
    left = np.where(scores > least, scores, -np.inf).astype(scores.dtype)
    alive = scores > least
    if sigma is not None and not sigma > 0:
        sigma = None
    ordered = np.sort(scores[alive])
    if itself is None:
        itself = overlap(np.arange(len(scores)))
    if (ordered[1:] == ordered[:-1]).any() or not (itself[alive] >= threshold).all():
        return _choose_in_order(scores, count, overlap, threshold, least, sigma)
    indices, found = [], []
    while alive.any() and len(indices) != count:
        best = int(np.argmax(np.where(alive, left, -np.inf)))
        if not alive[best]:
            # Only scores of minus infinity are left.
            best = int(np.argmax(alive))
        indices.append(best)
        found.append(left[best])
        alive[best] = False
        weights = _weights(overlap(best), threshold, sigma, False, np)
        alive &= weights > 0
        if sigma is not None:
            left = np.where(alive, left * weights, left)
            alive &= left > least
    return np.array(indices, np.int32), np.array(found, scores.dtype)


class _Candidates:
    """A heap of boxes by score. Which of several equal scores comes next is what C++'s
    `std::priority_queue` gives, as it decides which of equal boxes TF 1.15 chooses.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[Any, int, int]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, candidate: tuple[Any, int, int]) -> None:
        """Adds (score, index of the box, from which of the chosen boxes on it is compared)."""
        self._heap.append(candidate)
        self._rise(len(self._heap) - 1, candidate)

    def _rise(self, place: int, candidate: tuple[Any, int, int]) -> None:
        heap = self._heap
        while place and heap[(place - 1) // 2][0] < candidate[0]:
            heap[place] = heap[(place - 1) // 2]
            place = (place - 1) // 2
        heap[place] = candidate

    def pop(self) -> tuple[Any, int, int]:
        """Takes the first one: the better children move up to it, and the last candidate into
        the place that is left at the end."""
        heap = self._heap
        last = heap.pop()
        if not heap:
            return last
        first, size, place = heap[0], len(heap), 0
        while 2 * place + 2 < size:
            child = 2 * place + 2
            if heap[child][0] < heap[child - 1][0]:
                child -= 1
            heap[place] = heap[child]
            place = child
        if 2 * place + 2 == size:
            heap[place] = heap[size - 1]
            place = size - 1
        self._rise(place, last)
        return first


def _choose_in_order(
    scores: np.ndarray, count: int, overlap: Overlap, threshold: Any, least: Any, sigma: Any
) -> tuple[np.ndarray, np.ndarray]:
    """As `_choose`, candidate by candidate: what is chosen goes back among them, and is left out
    when it is compared with itself. So a box of no area is chosen over and over."""
    candidates = _Candidates()
    for index in np.flatnonzero(scores > least):
        candidates.push((scores[index], int(index), 0))
    indices: list[int] = []
    found, rows = [], []
    while candidates and len(indices) != count:
        score, index, begin = candidates.pop()
        before, out = score, False
        for row in reversed(rows[begin:]):
            out = row[index] == 0
            if sigma is not None and not out:
                score = scores.dtype.type(score * row[index])
            if out or score <= least:
                break
        begin = len(indices)
        if out:
            continue
        if score == before:
            indices.append(index)
            found.append(score)
            rows.append(_weights(overlap(index), threshold, sigma, False, np))
        if score > least:
            candidates.push((score, index, begin))
    return np.array(indices, np.int32), np.array(found, scores.dtype)


def _choose_padded(
    scores: Any,
    count: int,
    overlap: Overlap,
    threshold: Any,
    least: Any,
    sigma: Any = None,
    strict: bool = False,
) -> tuple[Any, Any, Any]:
    """As `_choose`, on the device.

    Returns:
      (indices, scores, how many there are): the first two with zeros up to `count`.
    """
    scores = jnp.asarray(scores)

    def step(i: Any, state: Any) -> Any:
        left, alive, indices, found, chosen = state
        best = jnp.argmax(jnp.where(alive, left, -jnp.inf)).astype(jnp.int32)
        some = alive.any()
        best = jnp.where(alive[best], best, jnp.argmax(alive).astype(jnp.int32))
        indices = at(indices)[i].set(jnp.where(some, best, 0))
        found = at(found)[i].set(jnp.where(some, left[best], 0))
        weights = _weights(overlap(best), threshold, sigma, strict, jnp)
        alive = at(alive & (weights > 0))[best].set(False)
        if sigma is not None:
            left = jnp.where(alive, left * weights.astype(left.dtype), left)
            alive = alive & (left > least)
        return left, alive, indices, found, chosen + some.astype(jnp.int32)

    zero = jnp.zeros((), jnp.int32)
    state = scores, scores > least, jnp.zeros(count, jnp.int32), jnp.zeros(count, scores.dtype)
    if not scores.size or not count:
        return state[2], state[3], zero
    return lax.fori_loop(0, count, step, (*state, zero))[2:]


# Checks.


def _check_threshold(value: Any, ctx: LoweringContext) -> None:
    ctx.check(
        (value >= 0) & (value <= 1),
        errors.InvalidArgumentError,
        "iou_threshold must be in [0, 1]",
    )


def _check(boxes: Any, scores: Any, scalars: dict[str, Any], ctx: LoweringContext) -> None:
    """Refuses what TF's kernels do; `scalars` by their names."""
    for name, value in scalars.items():
        if np.ndim(value):
            refuse(ctx, f"{name} must be 0-D, got shape {text_of_shape(value)}")
    if "iou_threshold" in scalars:
        _check_threshold(scalars["iou_threshold"], ctx)
    if np.ndim(boxes) != 2:
        refuse(ctx, f"boxes must be 2-D{text_of_shape(boxes)}")
    if boxes.shape[1] != 4:
        refuse(ctx, "boxes must have 4 columns")
    _check_scores(boxes, scores, ctx)


def _check_scores(boxes: Any, scores: Any, ctx: LoweringContext) -> None:
    if np.ndim(scores) != 1:
        refuse(ctx, f"scores must be 1-D{text_of_shape(scores)}")
    if len(scores) != len(boxes):
        refuse(ctx, "scores has incompatible shape")


def _chosen_shape(boxes: Any, scores: Any, *scalars: Any) -> Any:
    """The inputs must fit; how many boxes are chosen is not known."""
    boxes, scores = shapes.with_rank(boxes, 2), shapes.with_rank(scores, 1)
    for scalar in scalars:
        shapes.with_rank(scalar, 0)
    shapes.merge_dim(boxes[0], scores[0])
    shapes.dim_with_value(boxes[1], 4)
    return (None,)


def _size_of(count: Any) -> int:
    return int(np.asarray(count))


# One set of boxes.


@op("NonMaxSuppression", host=True)
class NonMaxSuppression:
    def shape(boxes: Any, scores: Shape, max_output_size: Shape) -> Shape:
        return _chosen_shape(boxes, scores, max_output_size)

    def lower(
        boxes: Any,
        scores: np.ndarray,
        max_output_size: np.ndarray,
        *,
        iou_threshold: float,
        ctx: LoweringContext,
    ) -> Any:
        ctx.check(
            0 <= iou_threshold <= 1,
            errors.InvalidArgumentError,
            "iou_threshold must be in [0, 1]",
        )
        _check(boxes, scores, {"max_output_size": max_output_size}, ctx)
        return _choose(
            scores, _size_of(max_output_size), _overlap(boxes), np.float32(iou_threshold), -np.inf
        )[0]


@op("NonMaxSuppressionV2", host=True)
class NonMaxSuppressionV2:
    def shape(boxes: Any, scores: Shape, max_output_size: Shape, iou_threshold: Shape) -> Shape:
        return _chosen_shape(boxes, scores, max_output_size, iou_threshold)

    def lower(
        boxes: Any,
        scores: np.ndarray,
        max_output_size: np.ndarray,
        iou_threshold: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        scalars = {"max_output_size": max_output_size, "iou_threshold": iou_threshold}
        _check(boxes, scores, scalars, ctx)
        count = _size_of(max_output_size)
        return _choose(scores, count, _overlap(boxes), iou_threshold, -np.inf)[0]


@op("NonMaxSuppressionV3", host=True)
class NonMaxSuppressionV3:
    def shape(
        boxes: Any,
        scores: Shape,
        max_output_size: Shape,
        iou_threshold: Shape,
        score_threshold: Shape,
    ) -> Shape:
        return _chosen_shape(boxes, scores, max_output_size, iou_threshold, score_threshold)

    def lower(
        boxes: Any,
        scores: np.ndarray,
        max_output_size: np.ndarray,
        iou_threshold: np.ndarray,
        score_threshold: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        scalars = {
            "max_output_size": max_output_size,
            "iou_threshold": iou_threshold,
            "score_threshold": score_threshold,
        }
        _check(boxes, scores, scalars, ctx)
        count = _size_of(max_output_size)
        return _choose(scores, count, _overlap(boxes), iou_threshold, score_threshold)[0]


def _unpadded(op: Operation) -> bool:
    """Whether how many boxes are chosen decides the outputs' shapes."""
    return not op._attrs["pad_to_max_output_size"]


def _padded_shape(op: Operation, inputs: Any) -> Any:
    """The shape of the chosen indices."""
    shape = _chosen_shape(*inputs)
    if _unpadded(op):
        return shape
    return (scalar_dim(op, 2),)


def _suppress(
    boxes: Any,
    scores: Any,
    count: Any,
    threshold: Any,
    least: Any,
    sigma: Any,
    op: Any,
    ctx: LoweringContext,
) -> tuple[Any, Any, Any]:
    """The indices and scores of the boxes to choose, and how many they are."""
    scalars = {"max_output_size": count, "iou_threshold": threshold, "score_threshold": least}
    if sigma is not None:
        scalars["soft_nms_sigma"] = sigma
    _check(boxes, scores, scalars, ctx)
    if _unpadded(op):
        indices, found = _choose(scores, _size_of(count), _overlap(boxes), threshold, least, sigma)
        return indices, found, np.array(len(indices), np.int32)
    if type(count) is not np.ndarray:
        ctx.need(2)
    overlap = _overlap(jnp.asarray(boxes))
    return _choose_padded(scores, _size_of(count), overlap, threshold, least, sigma)


@op("NonMaxSuppressionV4", host=_unpadded)
class NonMaxSuppressionV4:
    def shape(
        boxes: Any,
        scores: Shape,
        max_output_size: Shape,
        iou_threshold: Shape,
        score_threshold: Shape,
        *,
        op: Operation,
    ) -> Any:
        inputs = boxes, scores, max_output_size, iou_threshold, score_threshold
        return [_padded_shape(op, inputs), ()]

    def lower(
        boxes: Any,
        scores: Any,
        max_output_size: Any,
        iou_threshold: Any,
        score_threshold: Any,
        *,
        op: Operation,
        ctx: LoweringContext,
    ) -> Any:
        indices, _, count = _suppress(
            boxes, scores, max_output_size, iou_threshold, score_threshold, None, op, ctx
        )
        return indices, count


@op("NonMaxSuppressionV5", host=_unpadded)
class NonMaxSuppressionV5:
    def shape(
        boxes: Any,
        scores: Shape,
        max_output_size: Shape,
        iou_threshold: Shape,
        score_threshold: Shape,
        soft_nms_sigma: Shape,
        *,
        op: Operation,
    ) -> Any:
        inputs = boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma
        chosen = _padded_shape(op, inputs)
        return [chosen, chosen, ()]

    def lower(
        boxes: Any,
        scores: Any,
        max_output_size: Any,
        iou_threshold: Any,
        score_threshold: Any,
        soft_nms_sigma: Any,
        *,
        op: Operation,
        ctx: LoweringContext,
    ) -> Any:
        return _suppress(
            boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma, op, ctx
        )


@op("NonMaxSuppressionWithOverlaps", host=True)
class NonMaxSuppressionWithOverlaps:
    def shape(
        overlaps: Any,
        scores: Shape,
        max_output_size: Shape,
        overlap_threshold: Shape,
        score_threshold: Shape,
    ) -> Shape:
        overlaps, scores = shapes.with_rank(overlaps, 2), shapes.with_rank(scores, 1)
        for scalar in (max_output_size, overlap_threshold, score_threshold):
            shapes.with_rank(scalar, 0)
        shapes.merge_dim(overlaps[0], scores[0])
        shapes.merge_dim(overlaps[0], overlaps[1])
        return (None,)

    def lower(
        overlaps: Any,
        scores: np.ndarray,
        max_output_size: np.ndarray,
        overlap_threshold: np.ndarray,
        score_threshold: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        if np.ndim(overlaps) != 2:
            refuse(ctx, f"overlaps must be 2-D{text_of_shape(overlaps)}")
        if overlaps.shape[0] != overlaps.shape[1]:
            refuse(ctx, f"overlaps must be square{text_of_shape(overlaps)}")
        _check_scores(overlaps, scores, ctx)
        return _choose(
            scores,
            _size_of(max_output_size),
            lambda index: overlaps[index],
            overlap_threshold,
            score_threshold,
            itself=np.diagonal(overlaps),
        )[0]


not_differentiable("NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionWithOverlaps")


# Many classes of many images.


def _combined_size(per_class: Any, total: Any, classes: int, pad_per_class: bool) -> int:
    if pad_per_class:
        return min(_size_of(total), _size_of(per_class) * classes)
    return _size_of(total)


@op("CombinedNonMaxSuppression", const=(2, 3))
class CombinedNonMaxSuppression:
    def shape(
        boxes: Any,
        scores: Shape,
        max_output_size_per_class: Shape,
        max_total_size: Shape,
        iou_threshold: Shape,
        score_threshold: Shape,
        *,
        pad_per_class: bool,
        op: Operation,
    ) -> Any:
        boxes, scores = shapes.with_rank(boxes, 4), shapes.with_rank(scores, 3)
        for scalar in (
            max_output_size_per_class,
            max_total_size,
            iou_threshold,
            score_threshold,
        ):
            shapes.with_rank(scalar, 0)
        shapes.dim_with_value(boxes[3], 4)
        batch = shapes.merge_dim(boxes[0], scores[0])
        shapes.merge_dim(boxes[1], scores[1])
        if None not in (boxes[2], scores[2]) and boxes[2] not in (1, scores[2]):
            raise ShapeError(
                "third dimension of boxes must be either 1 or equal to the third dimension of "
                "scores"
            )
        per_class, total = scalar_dim(op, 2), scalar_dim(op, 3)
        size = None
        if total is not None:
            if total == 0:
                raise ShapeError("max_total_size should be > 0 ")
            if not pad_per_class:
                size = total
            elif per_class == 0:
                raise ShapeError(
                    "max_output_size_per_class must be > 0 if pad_per_class is set to true "
                )
            elif per_class is not None and scores[2] is not None:
                size = _combined_size(per_class, total, scores[2], True)
        return [(batch, size, 4), (batch, size), (batch, size), (batch,)]

    def lower(
        boxes: Any,
        scores: Array,
        max_output_size_per_class: np.ndarray,
        max_total_size: np.ndarray,
        iou_threshold: Array,
        score_threshold: Array,
        *,
        pad_per_class: bool,
        clip_boxes: bool,
        ctx: LoweringContext,
    ) -> Any:
        if np.ndim(boxes) and np.ndim(scores) and np.shape(boxes)[0] != np.shape(scores)[0]:
            refuse(ctx, "boxes and scores must have same batch size")
        if np.ndim(max_output_size_per_class) or np.ndim(max_total_size):
            name, value = (
                ("max_size_per_class", max_output_size_per_class)
                if np.ndim(max_output_size_per_class)
                else ("max_total_size", max_total_size)
            )
            refuse(ctx, f"{name} must be 0-D, got shape {text_of_shape(value)}")
        if _size_of(max_total_size) <= 0:
            refuse(ctx, "max_total_size must be > 0")
        _check_threshold(iou_threshold, ctx)
        if np.ndim(boxes) != 4:
            refuse(ctx, f"boxes must be 4-D{text_of_shape(boxes)}")
        if np.ndim(scores) != 3:
            refuse(ctx, f"scores must be 3-D{text_of_shape(scores)}")
        classes = scores.shape[2]
        if boxes.shape[2] not in (1, classes):
            refuse(ctx, "third dimension of boxes must be either 1 or num classes")
        if boxes.shape[3] != 4:
            refuse(ctx, "boxes must have 4 columns")
        if boxes.shape[1] != scores.shape[1]:
            refuse(ctx, "scores has incompatible shape")
        size = _combined_size(max_output_size_per_class, max_total_size, classes, pad_per_class)
        per_class = min(_size_of(max_output_size_per_class), scores.shape[1])
        boxes = jnp.moveaxis(jnp.asarray(boxes), 2, 1)
        boxes = jnp.broadcast_to(boxes, (boxes.shape[0], classes, *boxes.shape[2:]))
        scores = jnp.moveaxis(jnp.asarray(scores), 2, 1)

        def of_class(boxes: Any, scores: Any) -> Any:
            indices, found, count = _choose_padded(
                scores, per_class, _overlap(boxes), iou_threshold, score_threshold, strict=True
            )
            return boxes[indices], found, jnp.arange(per_class) < count

        chosen, found, valid = jax.vmap(jax.vmap(of_class))(boxes, scores)
        batch = chosen.shape[0]
        labels = jnp.broadcast_to(
            jnp.arange(classes, dtype=jnp.float32)[None, :, None], found.shape
        )
        chosen = chosen.reshape(batch, -1, 4)
        found, valid, labels = (x.reshape(batch, -1) for x in (found, valid, labels))
        # Best first, then in the order of the classes; what does not count comes last.
        order = jnp.lexsort((-found, ~valid), axis=-1)[:, :size]
        found, valid, labels = (jnp.take_along_axis(x, order, 1) for x in (found, valid, labels))
        chosen = jnp.take_along_axis(chosen, order[..., None], 1)
        if clip_boxes:
            chosen = jnp.clip(chosen, 0, 1)
        rest = size - order.shape[1]

        def padded(x: Any) -> Any:
            mask = valid.reshape(valid.shape + (1,) * (x.ndim - 2))
            x = jnp.where(mask, x, 0).astype(jnp.float32)
            return jnp.pad(x, [(0, 0), (0, rest)] + [(0, 0)] * (x.ndim - 2))

        return padded(chosen), padded(found), padded(labels), valid.sum(1, dtype=jnp.int32)
