"""`tf.TensorShape` and `tf.Dimension` as users of TF 1.15 see them.

Inside this package a shape is a tuple of `int | None`, or None (see `shapes.py`); a `TensorShape`
wraps such a tuple and makes `Dimension` objects only when someone asks for one.
"""

import operator
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.core import dtypes, protos
from tf1compat.core.export import tf_export
from tf1compat.core.shapes import Shape

_v2_behavior = False


@tf_export("enable_v2_tensorshape")
def enable_v2_tensorshape() -> None:
    """Makes iterating over and indexing a TensorShape give ints and None, as in TF 2."""
    global _v2_behavior
    _v2_behavior = True


@tf_export("disable_v2_tensorshape")
def disable_v2_tensorshape() -> None:
    """Makes iterating over and indexing a TensorShape give `Dimension`s, as TF 1.15 does."""
    global _v2_behavior
    _v2_behavior = False


@tf_export("compat.dimension_value", "dimension_value")
def dimension_value(dimension: "Dimension | int | None") -> Any:
    """The plain value of a Dimension; anything else is returned as it is.

    Args:
      dimension: a `Dimension`, an int or None.

    Returns:
      An int or None.
    """
    return dimension._value if isinstance(dimension, Dimension) else dimension


@tf_export("compat.dimension_at_index", "dimension_at_index")
def dimension_at_index(shape: "TensorShape", index: int) -> "Dimension":
    """The Dimension at `index`; an unknown one if the rank of `shape` is unknown.

    Args:
      shape: a `TensorShape`.
      index: which dimension, from 0 on; below 0 from the end.

    Returns:
      A `Dimension`.
    """
    assert isinstance(shape, TensorShape)
    dims = shape._dims
    return Dimension(None if dims is None else dims[index])


def _dim_value(value: Any) -> int | None:
    """The checked value of one dimension given as an int, None, Dimension, text or NumPy scalar."""
    if value is None:
        return None
    if isinstance(value, Dimension):
        return value._value
    if isinstance(value, dtypes.DType):
        raise TypeError(f"Cannot convert {value} to Dimension")
    number = int(value)
    if number != value and not isinstance(value, str | bytes):
        raise ValueError(f"Ambiguous dimension: {value!s}")
    if number < 0:
        raise ValueError(f"Dimension {number} must be >= 0")
    return number


def _arithmetic(function: Callable[[int, int], int], strict: bool = False) -> Callable[..., Any]:
    """An operator on Dimensions: unknown if either side is.

    Args:
      function: the operator on ints.
      strict: raise for an operand that is no dimension, instead of letting it have its turn.
    """

    def method(self: "Dimension", other: Any) -> "Dimension":
        try:
            value = _dim_value(other)
        except (TypeError, ValueError):
            if strict:
                raise
            return NotImplemented
        if self._value is None or value is None:
            return Dimension(None)
        return Dimension(function(self._value, value))

    return method


def _comparison(function: Callable[[int, int], bool], strict: bool = True) -> Callable[..., Any]:
    """A comparison of Dimensions: None (so: false) if either side is unknown."""

    def method(self: "Dimension", other: Any) -> bool | None:
        try:
            value = _dim_value(other)
        except (TypeError, ValueError):
            if strict:
                raise
            return NotImplemented
        if self._value is None or value is None:
            return None
        return function(self._value, value)

    return method


@tf_export("Dimension")
class Dimension:
    """One dimension of a TensorShape: an int, or unknown. As `tf.Dimension` in TF 1.15.

    Arithmetic with an unknown dimension is unknown, a comparison with one is None.

    Args:
      value: an int, None for an unknown dimension, or another `Dimension`.
    """

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]  # as in TF: equality is not an equivalence

    def __init__(self, value: Any) -> None:
        self._value = _dim_value(value)

    @property
    def value(self) -> int | None:
        """The value of this dimension, or None if it is unknown."""
        return self._value

    def __repr__(self) -> str:
        return f"Dimension({self._value!r})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __int__(self) -> int:
        return self._value  # type: ignore[return-value]  # unknown: Python's own TypeError

    __index__ = __long__ = __int__

    def __reduce__(self) -> tuple[Any, ...]:
        return Dimension, (self._value,)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether both can be the same size: equal, or at least one unknown."""
        try:
            value = _dim_value(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._value is None or value is None or self._value == value

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError if `other` is not compatible with this dimension."""
        # What cannot be a dimension passes, as in TF: then the answer is NotImplemented.
        if self.is_compatible_with(other) is False:
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> "Dimension":
        """The Dimension with what either knows; ValueError if they disagree."""
        try:
            other = as_dimension(other)
        except (TypeError, ValueError):
            return NotImplemented
        self.assert_is_compatible_with(other)
        return Dimension(other._value if self._value is None else self._value)

    __eq__ = _comparison(operator.eq, strict=False)
    __ne__ = _comparison(operator.ne, strict=False)
    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)

    __add__ = _arithmetic(operator.add)
    __sub__ = _arithmetic(operator.sub)
    __mul__ = _arithmetic(operator.mul)
    __floordiv__ = __div__ = _arithmetic(operator.floordiv)
    __mod__ = _arithmetic(operator.mod, strict=True)
    __rsub__ = _arithmetic(lambda a, b: b - a, strict=True)
    __rfloordiv__ = _arithmetic(lambda a, b: b // a, strict=True)
    __rmod__ = _arithmetic(lambda a, b: b % a, strict=True)
    # These fall back on the operator itself, whose TypeError names the operands in TF's order.
    __radd__ = lambda self, other: self + other  # noqa: E731
    __rmul__ = lambda self, other: self * other  # noqa: E731

    def __truediv__(self, other: Any) -> Any:
        raise TypeError(
            f"unsupported operand type(s) for /: 'Dimension' and '{type(other).__name__}', "
            "please use // instead"
        )

    def __rtruediv__(self, other: Any) -> Any:
        raise TypeError(
            f"unsupported operand type(s) for /: '{type(other).__name__}' and 'Dimension', "
            "please use // instead"
        )

    __rdiv__ = __rtruediv__


def as_dimension(value: Any) -> Dimension:
    """`value` if it is a Dimension, else `Dimension(value)`."""
    return value if isinstance(value, Dimension) else Dimension(value)


@tf_export("TensorShape")
class TensorShape:
    """The possibly partial static shape of a tensor, as `tf.TensorShape` in TF 1.15.

    Args:
      dims: None (unknown rank), an iterable of dimensions (int, None or Dimension), one dimension,
        a `TensorShapeProto`, or another TensorShape.

    Raises:
      TypeError: for text or what cannot be a dimension.
      ValueError: for a negative or fractional dimension.
    """

    __slots__ = ("__weakref__", "_dims", "_origin")
    __hash__ = None  # type: ignore[assignment]  # as in TF: unknown dimensions equal nothing

    # The plain dimensions. `_origin` is the shape in which unknown dimensions were born: TF's
    # list equality finds `TensorShape([None])` equal only to itself and to its copies. In that
    # shape it is None: a reference to itself would leave every shape to the garbage collector.
    _dims: Shape
    _origin: "TensorShape | None"

    def __init__(self, dims: Any) -> None:
        self._origin = None
        if dims is None:
            self._dims = None
        elif isinstance(dims, TensorShape):
            self._dims = dims._dims
            self._origin = dims._origin_or_self()
        elif isinstance(dims, tuple | list):
            self._dims = tuple(map(_dim_value, dims))
        elif isinstance(dims, str | bytes):
            raise TypeError(
                "A string has ambiguous TensorShape, please wrap in a "
                f"list or convert to an int: {dims}"
            )
        elif type(dims).__name__ == "TensorShapeProto":
            self._dims = (
                None
                if dims.unknown_rank
                else tuple(_dim_value(None if d.size == -1 else d.size) for d in dims.dim)
            )
        else:
            try:
                iterator = iter(dims)
            except TypeError as error:
                if type(error) is not TypeError:
                    raise  # What a symbolic tensor says.
                self._dims = (_dim_value(dims),)
            else:
                self._dims = tuple(map(_dim_value, iterator))

    @classmethod
    def from_tuple(cls, dims: Shape) -> "TensorShape":
        """Wraps a tuple of `int | None`, or None, without any check."""
        self = object.__new__(cls)
        self._dims = dims
        self._origin = None
        return self

    def _origin_or_self(self) -> "TensorShape":
        return self if self._origin is None else self._origin

    def to_tuple(self) -> Shape:
        """The dimensions as a tuple of `int | None`; None for unknown rank."""
        return self._dims

    def __repr__(self) -> str:
        if _v2_behavior:
            return f"TensorShape({None if self._dims is None else list(self._dims)!r})"
        return f"TensorShape({self.dims!r})"

    def __str__(self) -> str:
        if self._dims is None:
            return "<unknown>"
        dims = ["?" if d is None and not _v2_behavior else str(d) for d in self._dims]
        return f"({dims[0]},)" if len(dims) == 1 else f"({', '.join(dims)})"

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if it is unknown."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self) -> list[Dimension] | None:
        """A new list of Dimensions, or None if the rank is unknown."""
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    __nonzero__ = __bool__

    def __iter__(self) -> Iterator[Any]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims if _v2_behavior else map(Dimension, self._dims))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._slice(key)
        if self._dims is None:
            value = None
        else:
            try:
                value = self._dims[key]
            except IndexError:
                raise IndexError("list index out of range") from None  # TF's dims are a list
        return value if _v2_behavior else Dimension(value)

    def _slice(self, key: slice) -> "TensorShape":
        if self._dims is not None:
            dims = self._dims[key]
            return TensorShape(self) if dims == self._dims else TensorShape.from_tuple(dims)
        if key.step is not None:
            raise ValueError("Steps are not yet handled")
        start = 0 if key.start is None else key.start
        if key.stop is None or start < 0 or key.stop < 0:
            return unknown_shape()
        return unknown_shape(rank=key.stop - start)

    def num_elements(self) -> int | None:
        """The number of elements, or None if the shape is not fully known."""
        if not self.is_fully_defined():
            return None
        size = 1
        for d in self._dims:  # type: ignore[union-attr]
            size *= d  # type: ignore[operator]
        return size

    def merge_with(self, other: Any) -> "TensorShape":
        """The shape with what either knows; ValueError if they disagree."""
        other = as_shape(other)
        if self._dims is None:
            return other
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        if other._dims is None:
            return TensorShape.from_tuple(self._dims)
        return TensorShape.from_tuple(
            tuple(b if a is None else a for a, b in zip(self._dims, other._dims, strict=True))
        )

    def concatenate(self, other: Any) -> "TensorShape":
        """The dimensions of both, in order; wholly unknown if either rank is unknown."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return unknown_shape()
        return TensorShape.from_tuple(self._dims + other._dims)

    __concat__ = concatenate

    def __add__(self, other: Any) -> "TensorShape":
        return self.concatenate(other)

    def __radd__(self, other: Any) -> "TensorShape":
        return as_shape(other).concatenate(self)

    def assert_same_rank(self, other: Any) -> None:
        """Raises ValueError if both ranks are known and differ."""
        other = as_shape(other)
        if self._dims is not None and other._dims is not None:
            if len(self._dims) != len(other._dims):
                raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def assert_has_rank(self, rank: int) -> None:
        """Raises ValueError if the rank is known and is not `rank`."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def with_rank(self, rank: int) -> "TensorShape":
        """This shape with the given rank; ValueError if its rank is another."""
        try:
            return self.merge_with(unknown_shape(rank=rank))
        except ValueError:
            raise ValueError(f"Shape {self} must have rank {rank}") from None

    def with_rank_at_least(self, rank: int) -> "TensorShape":
        """This shape; ValueError if its rank is known to be smaller."""
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> "TensorShape":
        """This shape; ValueError if its rank is known to be larger."""
        if self._dims is not None and len(self._dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some fully known shape fits both."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and all(
            a is None or b is None or a == b for a, b in zip(self._dims, other._dims, strict=True)
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError if no shape fits both."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def most_specific_compatible_shape(self, other: Any) -> "TensorShape":
        """The most specific shape that both fit: where they differ it is unknown."""
        other = as_shape(other)
        if self._dims is None or other._dims is None or len(self._dims) != len(other._dims):
            return unknown_shape()
        return TensorShape.from_tuple(
            tuple(a if a == b else None for a, b in zip(self._dims, other._dims, strict=True))
        )

    def is_fully_defined(self) -> bool:
        """Whether the rank and every dimension are known."""
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless every dimension is known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def as_list(self) -> list[int | None]:
        """The dimensions as a list; ValueError if the rank is unknown."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def as_proto(self) -> Any:
        """This shape as a `TensorShapeProto` (an unknown dimension is -1)."""
        proto = protos.TensorShapeProto
        if self._dims is None:
            return proto(unknown_rank=True)
        return proto(dim=[proto.Dim(size=-1 if d is None else d) for d in self._dims])

    def __eq__(self, other: object) -> bool:
        try:
            other = as_shape(other)
        except TypeError:
            return NotImplemented
        if self._dims is None or None not in self._dims:
            return self._dims == other._dims
        return self._origin_or_self() is other._origin_or_self()

    def __ne__(self, other: object) -> bool:
        try:
            other = as_shape(other)
        except TypeError:
            return NotImplemented
        if self._dims is None or other._dims is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return not self == other

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self.dims,)


def as_shape(shape: Any) -> TensorShape:
    """`shape` if it is a TensorShape, else `TensorShape(shape)`."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(rank: int | None = None, **kwargs: Any) -> TensorShape:
    """A shape of unknown rank, or of the given rank with unknown dimensions."""
    if rank is None and "ndims" in kwargs:
        rank = kwargs.pop("ndims")
    if kwargs:
        raise TypeError(f"Unknown argument: {kwargs}")
    return TensorShape.from_tuple(None if rank is None else (None,) * rank)


def scalar() -> TensorShape:
    """The shape of a scalar."""
    return TensorShape.from_tuple(())


def vector(length: Any) -> TensorShape:
    """The shape of a vector of `length` elements (None: unknown)."""
    return TensorShape([length])


def matrix(rows: Any, cols: Any) -> TensorShape:
    """The shape of a matrix (None: unknown)."""
    return TensorShape([rows, cols])
