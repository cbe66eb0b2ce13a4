"""The algebra of static shapes: a shape is a tuple of `int | None`, or None for unknown rank.

These are the operations that shape functions are written with. Error texts are those of TF 1.15's
C++ `InferenceContext`; the caller adds which op and which input shapes were involved.
"""

import math
from collections.abc import Iterable
from typing import Any

Dim = int | None
Shape = tuple[Dim, ...] | None


class ShapeError(ValueError):
    """A shape function refuses its inputs; the text is TF's, without the " for 'op' …" suffix.

    Attributes:
      error_class: the class of `tf.errors` that TF raises here; None for ValueError, the usual one.
    """

    error_class: Any = None


class UnknownShapeError(ShapeError):
    """As `ShapeError`, for what a shape function has to know of a shape that comes later."""


class BareShapeError(ShapeError):
    """As `ShapeError`; TF says nothing about the op and its inputs."""


def to_string(shape: Shape) -> str:
    """Prints a shape as TF's C++ does: `[2,?]`, or `?` for unknown rank."""
    if shape is None:
        return "?"
    return "[" + ",".join("?" if d is None else str(d) for d in shape) + "]"


# Dimensions.


def merge_dim(a: Dim, b: Dim) -> Dim:
    """The dimension that is both `a` and `b`."""
    if a is None or a == b:
        return b
    if b is None:
        return a
    raise ShapeError(f"Dimensions must be equal, but are {a} and {b}")


def dim_with_value(d: Dim, value: int) -> int:
    """`value`, provided that `d` can be it."""
    if d is not None and d != value:
        raise ShapeError(f"Dimension must be {value} but is {d}")
    return value


def add_dims(a: Dim, b: Dim) -> Dim:
    """a + b (0 is neutral even to an unknown dimension)."""
    if a is None or b is None:
        return a if b == 0 else b if a == 0 else None
    return a + b


def subtract_dims(a: Dim, b: Dim) -> Dim:
    """a - b; a negative result is an error."""
    if a is None or b is None:
        return a if b == 0 else None
    if a < b:
        raise ShapeError(f"Negative dimension size caused by subtracting {b} from {a}")
    return a - b


def multiply_dims(a: Dim, b: Dim) -> Dim:
    """a * b (known if either is 0; 1 is neutral)."""
    if a == 0 or b == 0:
        return 0
    if a is None or b is None:
        return a if b == 1 else b if a == 1 else None
    return a * b


def divide_dims(a: Dim, divisor: Dim, evenly: bool = True) -> Dim:
    """a / divisor, rounded down unless `evenly` demands that nothing remains."""
    if divisor == 1:
        return a
    if a is None or divisor is None:
        return None
    if divisor <= 0:
        raise ShapeError(f"Divisor must be positive but is {divisor}")
    if evenly and a % divisor:
        raise ShapeError(f"Dimension size must be evenly divisible by {divisor} but is {a}")
    return a // divisor


def max_dim(a: Dim, b: Dim) -> Dim:
    """The larger of two dimensions (unknown if either is, except that nothing is below 0)."""
    if a is None or b is None:
        return a if b == 0 else b if a == 0 else None
    return max(a, b)


# Whole shapes.


def merge(a: Shape, b: Shape) -> Shape:
    """The shape that is both `a` and `b`, with all that is known of either."""
    if a is None or a == b:
        return b
    if b is None:
        return a
    if len(a) != len(b):
        raise ShapeError(f"Shapes must be equal rank, but are {len(a)} and {len(b)}")
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if x is not None and y is not None and x != y:
            raise ShapeError(
                f"Dimension {i} in both shapes must be equal, but are {x} and {y}. Shapes are "
                f"{to_string(a)} and {to_string(b)}."
            )
    return tuple(y if x is None else x for x, y in zip(a, b, strict=True))


def merge_all(shapes: Iterable[Shape]) -> Shape:
    """`merge` over any number of shapes."""
    out: Shape = None
    for shape in shapes:
        out = merge(out, shape)
    return out


def merge_prefix(shape: Shape, prefix: Shape) -> tuple[Shape, Shape]:
    """Merges `prefix` with the leading dimensions of `shape`.

    Returns:
      (shape, prefix), both with what the other knew.
    """
    if shape is None or prefix is None:
        return shape, prefix
    with_rank_at_least(shape, len(prefix))
    merged = tuple(merge_dim(s, p) for s, p in zip(shape, prefix, strict=False))
    return merged + shape[len(merged) :], merged


def relax(a: Shape, b: Shape) -> Shape:
    """The most specific shape that allows both `a` and `b` (for Merge and loop variables)."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b, strict=True))


def broadcast(a: Shape, b: Shape) -> Shape:
    """The static shape of a NumPy-style broadcast, as TF's binary ops infer it.

    An unknown dimension against one larger than 1 must be 1 or that size, so the result is that
    size; against 1 or another unknown it stays unknown.
    """
    if a is None or b is None:
        return None
    if a == b:
        return a
    rank = max(len(a), len(b))
    a = (1,) * (rank - len(a)) + a
    b = (1,) * (rank - len(b)) + b
    return tuple(map(_broadcast_dim, a, b))


def _broadcast_dim(x: Dim, y: Dim) -> Dim:
    if x == y or y == 1:
        return x
    if x == 1:
        return y
    if x is None:
        return y if y else None  # y == 0: x may be 0 or 1, and TF leaves it open
    if y is None:
        return x if x else None
    raise ShapeError(f"Dimensions must be equal, but are {x} and {y}")


def with_rank(shape: Shape, rank: int) -> tuple[Dim, ...]:
    """`shape`, which must have this rank (all dimensions unknown if the rank was)."""
    if shape is None:
        return (None,) * rank
    if len(shape) != rank:
        raise ShapeError(f"Shape must be rank {rank} but is rank {len(shape)}")
    return shape


def with_rank_at_least(shape: Shape, rank: int) -> Shape:
    """`shape`, which must have this rank or more."""
    if shape is not None and len(shape) < rank:
        raise ShapeError(f"Shape must be at least rank {rank} but is rank {len(shape)}")
    return shape


def with_rank_at_most(shape: Shape, rank: int) -> Shape:
    """`shape`, which must have this rank or less."""
    if shape is not None and len(shape) > rank:
        raise ShapeError(f"Shape must be at most rank {rank} but is rank {len(shape)}")
    return shape


def concat(*shapes: Shape) -> Shape:
    """The dimensions of all `shapes` one after another; unknown if any rank is."""
    out: tuple[Dim, ...] = ()
    for shape in shapes:
        if shape is None:
            return None
        out += shape
    return out


def replace_dim(shape: Shape, index: int, dim: Dim) -> Shape:
    """`shape` with dimension `index` (negative: from the end) replaced."""
    if shape is None:
        return None
    if not -len(shape) <= index < len(shape):
        raise ShapeError(f"Out of range dim_index {index} for shape with {len(shape)} dimensions")
    index %= len(shape)
    return (*shape[:index], dim, *shape[index + 1 :])


def subshape(shape: Shape, start: int, end: int | None = None, stride: int = 1) -> Shape:
    """`shape[start:end:stride]`, with the errors that TF raises where Python would give ()."""
    last = (1 << 63) - 1 if end is None else end
    if start == 0 and stride == 1 and (end is None or (shape is not None and end >= len(shape))):
        return shape
    if shape is None:
        return None
    rank = len(shape)
    found = []
    for which, bound in (("start", start), ("end", last)):
        place = min(bound, rank)
        if place < 0:
            place += rank
        if place < 0:
            raise ShapeError(f"Subshape {which} out of bounds: {bound}, for shape with rank {rank}")
        found.append(place)
    first, after = found
    origin = f"(computed from start {start} and end {last} over shape with rank {rank}"
    if stride > 0 and first > after:
        raise ShapeError(
            f"Subshape must have computed start <= end, but is {first} and {after} {origin})"
        )
    if stride < 0 and first < after:
        raise ShapeError(
            "Subshape must have computed start >= end since stride is negative, but is "
            f"{first} and {after} {origin} and stride{stride})"
        )
    return tuple(shape[i] for i in range(first, after, stride))


def num_elements(shape: Shape) -> Dim:
    """The product of the dimensions: 0 if any is 0, else None if any is unknown."""
    if shape is None:
        return None
    if 0 in shape:
        return 0
    return None if None in shape else math.prod(shape)  # type: ignore[arg-type]


def is_fully_known(shape: Shape) -> bool:
    """Whether the rank and every dimension are known."""
    return shape is not None and None not in shape


def compatible(a: Shape, b: Shape) -> bool:
    """Whether some fully known shape fits both."""
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(
        x is None or y is None or x == y for x, y in zip(a, b, strict=True)
    )


def unknown(rank: int) -> tuple[Dim, ...]:
    """A shape of known rank and unknown dimensions."""
    return (None,) * rank


def from_sizes(sizes: Iterable[int]) -> tuple[Dim, ...]:
    """A shape from a shape vector in which -1 means unknown."""
    for size in sizes:
        if size < -1:
            raise BareShapeError(f"Invalid value in tensor used for shape: {size}")
    return tuple(None if d == -1 else int(d) for d in sizes)
