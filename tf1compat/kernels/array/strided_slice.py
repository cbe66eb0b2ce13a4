"""What a StridedSlice means: its begin, end, strides and masks made canonical, for one slice per
input dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tf1compat.core.shapes import ShapeError


class Masks(NamedTuple):
    """The bit masks of a StridedSlice."""

    begin: int
    end: int
    ellipsis: int
    new_axis: int
    shrink_axis: int


class Part(NamedTuple):
    """How one input dimension is sliced.

    Attributes:
      source: which index of the slice spec says so; None for what an ellipsis stands for.
      begin, end: the bounds; None where they are masked, or not known.
      stride: the stride.
      begin_open, end_open: whether a bound is masked.
      shrink: whether the dimension is dropped: `begin` is an index.
    """

    source: int | None = None
    begin: int | None = None
    end: int | None = None
    stride: int = 1
    begin_open: bool = True
    end_open: bool = True
    shrink: bool = False

    @property
    def known(self) -> bool:
        """Whether nothing about the part depends on values that are not known."""
        if self.shrink:
            return self.begin is not None
        return (self.begin_open or self.begin is not None) and (
            self.end_open or self.end is not None
        )

    def as_slice(self) -> slice:
        """The Python slice of a part that is known and not dropped."""
        first = None if self.begin_open else self.begin
        return slice(first, None if self.end_open else self.end, self.stride)


class Spec(NamedTuple):
    """A slice spec for a tensor of known rank.

    Attributes:
      parts: one for each input dimension.
      result: for each dimension of the result, the input dimension it comes from, or None for a
        new one.
    """

    parts: list[Part]
    result: list[int | None]

    @property
    def new(self) -> list[int]:
        """Where the result has new dimensions."""
        return [i for i, source in enumerate(self.result) if source is None]


def canonical(
    rank: int,
    begin: Sequence[int | None] | None,
    end: Sequence[int | None] | None,
    strides: Sequence[int],
    masks: Masks,
) -> Spec:
    """Expands the ellipsis and applies the masks.

    Args:
      rank: the rank of the input.
      begin, end: the bounds; None as a whole, or None items, where they are not known.
      strides: the strides.
      masks: the bit masks.

    Raises:
      ShapeError: two ellipses, more indices than dimensions, or a stride of 0.
    """
    count = len(strides)
    if masks.ellipsis & (masks.ellipsis - 1):
        raise ShapeError("Multiple ellipses in slice spec not allowed")
    used = sum(not (masks.ellipsis | masks.new_axis) >> i & 1 for i in range(count))
    parts: list[Part] = []
    result: list[int | None] = []

    def keep_rest(after: int) -> None:
        while len(parts) < rank - after:
            result.append(len(parts))
            parts.append(Part())

    for i in range(count):
        if masks.ellipsis >> i & 1:
            keep_rest(used - len(parts))
        elif masks.new_axis >> i & 1:
            result.append(None)
        else:
            if len(parts) == rank:
                raise ShapeError(
                    f"Index out of range using input dim {rank}; input has only {rank} dims"
                )
            shrink = bool(masks.shrink_axis >> i & 1)
            if not shrink:
                result.append(len(parts))
            parts.append(
                Part(
                    i,
                    None if begin is None else begin[i],
                    None if end is None else end[i],
                    strides[i],
                    bool(masks.begin >> i & 1),
                    bool(masks.end >> i & 1),
                    shrink,
                )
            )
    keep_rest(0)
    for i, part in enumerate(parts):
        if part.stride == 0:
            raise ShapeError(f"strides[{i}] must be non-zero")
    return Spec(parts, result)


def check(shape: Sequence[int | None], spec: Spec, bounds_known: bool = True) -> None:
    """Refuses indices that drop a dimension and are out of bounds.

    Raises:
      ShapeError: there is such an index, or it has a negative stride.
    """
    for i, (dim, part) in enumerate(zip(shape, spec.parts, strict=True)):
        if not part.shrink or dim is None:
            continue
        if part.stride <= 0:
            raise ShapeError("only stride 1 allowed on non-range indexing.")
        if bounds_known and part.begin is not None:
            index = part.begin + dim if part.begin < 0 else part.begin
            if not 0 <= index < dim:
                raise ShapeError(f"slice index {index} of dimension {i} out of bounds.")


def shape_of(shape: Sequence[int | None], spec: Spec, bounds_known: bool) -> tuple[int | None, ...]:
    """The static shape of the slice.

    Args:
      shape: the shape of the input.
      spec: the slices.
      bounds_known: whether both begin and end are known.

    Raises:
      ShapeError: an index that drops a dimension is out of bounds.
    """
    check(shape, spec, bounds_known)

    def size(source: int) -> int | None:
        dim, part = shape[source], spec.parts[source]
        if dim is None or not (bounds_known or (part.begin_open and part.end_open)):
            return None
        return len(range(*part.as_slice().indices(dim)))

    return tuple(1 if source is None else size(source) for source in spec.result)


def sizes(shape: Sequence[int], spec: Spec) -> tuple[int, ...]:
    """The shape of the slice of a tensor of known shape; everything but indices is known."""
    return tuple(
        1 if source is None else len(range(*spec.parts[source].as_slice().indices(shape[source])))
        for source in spec.result
    )
