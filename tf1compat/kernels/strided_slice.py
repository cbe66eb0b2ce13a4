"""What a StridedSlice means: its begin, end, strides and masks made canonical, for one slice per input dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tf1compat.core.shapes import ShapeError


class Masks(NamedTuple):
    """The bit masks of a StridedSlice."""

    begin: int
    end: int
    ellipsis: int
    new_axis: int
    shrink_axis: int


class Spec(NamedTuple):
    """A slice spec for a tensor of known rank.

    Attributes:
      slices: one Python slice for each input dimension; an int where the dimension is dropped; None where a bound is
        not known.
      result: for each dimension of the result, the input dimension it comes from, or None for a new one.
    """

    slices: list[Any]
    result: list[int | None]


def canonical(
    rank: int,
    begin: Sequence[int | None] | None,
    end: Sequence[int | None] | None,
    strides: Sequence[int | None],
    masks: Masks,
) -> Spec:
    """Expands the ellipsis and applies the masks.

    Args:
      rank: the rank of the input.
      begin, end: the bounds; None as a whole, or None items, where they are not known.
      strides: the strides, which must be known for negative ones to be told apart.
      masks: the bit masks.

    Raises:
      ShapeError: more indices than dimensions, or a stride of 0.
    """
    count = len(strides)
    ellipses = [i for i in range(count) if masks.ellipsis >> i & 1]
    if len(ellipses) > 1:
        raise ShapeError("Multiple ellipses in slice spec not allowed")
    used = sum(
        1
        for i in range(count)
        if not (masks.ellipsis >> i & 1) and not (masks.new_axis >> i & 1)
    )
    if used > rank:
        raise ShapeError(f"Index out of range using input dim {rank}; input has only {rank} dims")
    slices: list[Any] = []
    result: list[int | None] = []

    def keep(n: int) -> None:
        for _ in range(n):
            result.append(len(slices))
            slices.append(slice(None))

    for i in range(count):
        if masks.ellipsis >> i & 1:
            keep(rank - used)
        elif masks.new_axis >> i & 1:
            result.append(None)
        else:
            first = None if begin is None else begin[i]
            stride = strides[i]
            if stride == 0:
                raise ShapeError(f"strides[{i}] must be non-zero")
            if masks.shrink_axis >> i & 1:
                slices.append(UNKNOWN if first is None else first)
                continue
            last = None if end is None else end[i]
            begin_open, end_open = masks.begin >> i & 1, masks.end >> i & 1
            result.append(len(slices))
            if stride is None or (first is None and not begin_open) or (last is None and not end_open):
                slices.append(UNKNOWN)
            else:
                slices.append(slice(None if begin_open else first, None if end_open else last, stride))
    keep(rank - len(slices))
    return Spec(slices, result)


class _Unknown:
    def __repr__(self) -> str:
        return "<unknown slice>"


UNKNOWN: Any = _Unknown()


def sliced_size(size: int | None, part: Any) -> int | None:
    """The size of a dimension after slicing; None where it is not known."""
    if part is UNKNOWN:
        return None
    if size is None:
        return None
    return len(range(*part.indices(size)))


def shape_of(shape: Sequence[int | None], spec: Spec) -> tuple[int | None, ...]:
    """The static shape of the slice.

    Raises:
      ShapeError: an index that drops a dimension is out of bounds.
    """
    for position, (dim, part) in enumerate(zip(shape, spec.slices, strict=True)):
        if isinstance(part, int) and dim is not None and not -dim <= part < dim:
            raise ShapeError(f"slice index {part} of dimension {position} out of bounds.")
    return tuple(
        1 if source is None else sliced_size(shape[source], spec.slices[source])
        for source in spec.result
    )
