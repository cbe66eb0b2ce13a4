"""Which part of a tensor a checkpoint holds: (start, length) of each dimension."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tf1compat.core import errors, shapes
from tf1compat.core.own_protos import message

# A length of -1 says all of a dimension.
Slice = tuple[tuple[int, int], ...]

_FULL = (0, -1)
_ESCAPES = {b"\0": b"\0\xff", b"\xff": b"\xff\0"}


def full(rank: int) -> Slice:
    """The slice that is the whole tensor."""
    return (_FULL,) * rank


def parse_spec(spec: str) -> tuple[tuple[int, ...], Slice, tuple[int, ...]]:
    """`"10 4 0,5:-"` as (shape of the whole, the slice, shape of the slice).

    Raises:
      InvalidArgumentError: it names no slice.
      InternalError: the slice is not one of a tensor of that shape.
    """
    *dims, text = spec.rstrip(" ").split(" ")
    if not dims:
        raise _invalid(f"Need least two elements in shape_and_slice specification: {spec}")
    if not all(dim.isdigit() for dim in dims):
        raise _invalid(f"Non numerical dimension in shape_and_slice: {spec}")
    shape = tuple(map(int, dims))
    found = tuple(_extent(part, text) for part in text.split(":"))
    if len(found) != len(shape):
        raise errors.InternalError(
            None, None, f"Mismatching ranks: shape = {shapes.to_string(shape)}, slice = {text}"
        )
    for i, (dim, (start, length)) in enumerate(zip(shape, found)):
        if length >= 0 and start + length > dim or start > dim:
            raise errors.InternalError(
                None,
                None,
                f"Extent in dimension {i} out of bounds: shape = {shapes.to_string(shape)}, "
                f"slice = {to_text(found)}",
            )
    return shape, found, shape_of(found, shape)


def _extent(part: str, text: str) -> tuple[int, int]:
    if part == "-":
        return _FULL
    pair = part.split(",")
    try:
        start, length = map(int, pair)
    except ValueError:
        raise _invalid(
            f"Expected a pair of numbers or '-' but got '{part}': string = {text}"
        ) from None
    if start < 0 or length <= 0:
        raise _invalid(
            f"Expected non-negative start and positive length but got start = {start}, length = "
            f"{length}: string = {text}"
        )
    return start, length


def to_text(found: Slice) -> str:
    """The slice as `parse_spec` reads it."""
    return ":".join("-" if pair == _FULL else f"{pair[0]},{pair[1]}" for pair in found)


def shape_of(found: Slice, shape: Sequence[int]) -> tuple[int, ...]:
    """The shape of a slice of a tensor."""
    return tuple(dim if length < 0 else length for dim, (_, length) in zip(shape, found))


def is_full(found: Slice, shape: Sequence[int]) -> bool:
    """Whether it is the whole tensor."""
    return shape_of(found, shape) == tuple(shape)


def places(found: Slice, shape: Sequence[int]) -> tuple[slice, ...]:
    """The slice as an index of a NumPy array of `shape`."""
    return tuple(
        slice(start, dim if length < 0 else start + length)
        for dim, (start, length) in zip(shape, found)
    )


def overlap(a: Slice, b: Slice, shape: Sequence[int]) -> tuple[Any, Any] | None:
    """Where two slices meet, as an index in the array of each; None if they don't."""
    inside_a, inside_b = [], []
    for one, other in zip(places(a, shape), places(b, shape)):
        start, stop = max(one.start, other.start), min(one.stop, other.stop)
        if start >= stop and one.start < one.stop:
            return None
        inside_a.append(slice(start - one.start, stop - one.start))
        inside_b.append(slice(start - other.start, stop - other.start))
    return tuple(inside_a), tuple(inside_b)


def to_proto(found: Slice) -> Any:
    """A `TensorSliceProto`."""
    proto = message("TensorSliceProto")()
    for start, length in found:
        extent = proto.extent.add()
        if length >= 0:
            extent.start = start
            extent.length = length
    return proto


def from_proto(proto: Any) -> Slice:
    """The slice that a `TensorSliceProto` names."""
    return tuple(
        (extent.start, extent.length) if extent.HasField("length") else _FULL
        for extent in proto.extent
    )


# The keys of slices in a table: numbers and text, coded such that their order is that of the bytes.


def key(name: str, found: Slice) -> bytes:
    """The key of a slice of the tensor `name`."""
    numbers = (number for pair in found for number in pair)
    return b"".join(_key_parts(name.encode(), len(found), numbers))


def _key_parts(name: bytes, rank: int, numbers: Iterable[int]) -> Iterable[bytes]:
    yield _ordered(0)
    escaped = re.sub(rb"\0|\xff", lambda found: _ESCAPES[found[0]], name)
    yield escaped + b"\0\1"
    yield _ordered(rank)
    for number in numbers:
        yield _ordered_signed(number)


def _ordered(number: int) -> bytes:
    size = (number.bit_length() + 7) // 8
    return bytes([size]) + number.to_bytes(size, "big")


def _ordered_signed(number: int) -> bytes:
    # The length in ones at the front, then the number in two's complement; negative numbers have
    # all of it inverted.
    size = max((number if number >= 0 else ~number).bit_length() // 7 + 1, 1)
    head = ((1 << size) - 1) << (8 * size - size)
    value = number & ((1 << 8 * size) - 1)
    return (value ^ head).to_bytes(size, "big")


def _invalid(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)
