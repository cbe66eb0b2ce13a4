"""Values as tensors: Python and NumPy values -> arrays -> `TensorProto` and back, as in TF 1.15.

`as_array` is what `tf.constant` runs: every check with TF's texts, and no proto.
`make_tensor_proto` and `make_ndarray` are the public functions.

A constant may list fewer values than its shape holds; the last one fills the rest. TF keeps such a
value short in the graph, so an array made here remembers it: one value for the whole shape is an
array without strides, any other short form is a `ShortArray`.
"""

import functools
import itertools
import math
import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.core import dtypes, protos
from tf1compat.core.dtypes import DType, as_dtype
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import Dimension

# Types that TF stores as raw bytes once there are two elements or more. (bool, half and uint16 are
# missing in TF as well.)
_CONTENT_TYPES = frozenset(
    {dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64}
    | {dtypes.uint8, dtypes.uint32, dtypes.uint64, dtypes.qint8, dtypes.qint16, dtypes.qint32}
    | {dtypes.quint8, dtypes.quint16}
)

# The TensorProto field that lists the values of a type, and the NumPy type of its numbers.
FIELDS: dict[DType, tuple[str, Any]] = {
    dtypes.float32: ("float_val", np.float32),
    dtypes.float64: ("double_val", np.float64),
    dtypes.float16: ("half_val", np.uint16),
    dtypes.bfloat16: ("half_val", np.uint16),
    dtypes.int8: ("int_val", np.int8),
    dtypes.int16: ("int_val", np.int16),
    dtypes.int32: ("int_val", np.int32),
    dtypes.int64: ("int64_val", np.int64),
    dtypes.uint8: ("int_val", np.uint8),
    dtypes.uint16: ("int_val", np.uint16),
    dtypes.uint32: ("uint32_val", np.uint32),
    dtypes.uint64: ("uint64_val", np.uint64),
    dtypes.qint8: ("int_val", np.int8),
    dtypes.quint8: ("int_val", np.uint8),
    dtypes.qint16: ("int_val", np.int16),
    dtypes.quint16: ("int_val", np.uint16),
    dtypes.qint32: ("int_val", np.int32),
    dtypes.complex64: ("scomplex_val", np.float32),
    dtypes.complex128: ("dcomplex_val", np.float64),
    dtypes.bool: ("bool_val", np.bool_),
    dtypes.string: ("string_val", object),
}


class ShortArray(np.ndarray):
    """An array whose constant lists `given`, its leading values (or all); the rest is filled."""

    given: np.ndarray | None = None


# Values -> array.


def as_array(
    values: Any,
    dtype: Any = None,
    shape: Any = None,
    verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> np.ndarray:
    """The array that `tf.constant` stores for `values`; it shares no memory with them.

    Args:
      values: a Python scalar, a nested list, or anything array-like.
      dtype: its type; None infers it (Python floats are float32, ints int32 where they fit).
      shape: its shape; the last value is repeated to fill it. None: that of `values`.
      verify_shape: `shape` must be that of `values`.
      allow_broadcast: only one value may be repeated.

    Returns:
      An array in C order; strings are an object array of bytes, quantized types TF's structured
      types. It is read-only where one value fills it.

    Raises:
      TypeError, ValueError: with the texts of TF 1.15's `make_tensor_proto`.
    """
    if shape is None and (array := plain_array(values, dtype)) is not None:
        return array
    _, given, full_shape = _convert(values, dtype, shape, verify_shape, allow_broadcast)
    return _fill(given, full_shape)


def plain_array(values: Any, dtype: DType | None) -> np.ndarray | None:
    """`as_array(values, dtype)` for what needs no checks: Python numbers of one kind, one or a list
    of them, that every type in `_PLAIN` can hold as they are. None for anything else."""
    kind = type(values)
    if kind is list or kind is tuple:
        kinds = set(map(type, values))
        if len(kinds) != 1:
            return None
        (kind,) = kinds
        numpy_dtype = _PLAIN.get((kind, dtype))
        if numpy_dtype is None or not all(map(_IS_PLAIN[kind], values)):
            return None
        return np.array(values, numpy_dtype)
    numpy_dtype = _PLAIN.get((kind, dtype))
    if numpy_dtype is None or not _IS_PLAIN[kind](values):
        return None
    return np.array(values, numpy_dtype)


_IS_PLAIN: dict[type, Callable[[Any], bool]] = {
    bool: lambda _: True,
    int: lambda value: -0x80000000 <= value <= 0x7FFFFFFF,
    float: lambda value: -3e38 < value < 3e38 or value != value,
}
_PLAIN: dict[tuple[type, DType | None], Any] = {
    (float, None): np.float32,
    (float, dtypes.float32): np.float32,
    (float, dtypes.float64): np.float64,
    (int, None): np.int32,
    (int, dtypes.int32): np.int32,
    (int, dtypes.int64): np.int64,
    (int, dtypes.float32): np.float32,
    (int, dtypes.float64): np.float64,
    (bool, None): np.bool_,
    (bool, dtypes.bool): np.bool_,
}


def _convert(
    values: Any, dtype: Any, shape: Any, verify_shape: bool, allow_broadcast: bool
) -> tuple[DType, np.ndarray, tuple[int, ...]]:
    """All of TF's checks.

    Returns:
      The base type, the given values (in C order; perhaps fewer than the shape holds), the shape.
    """
    if allow_broadcast and verify_shape:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")
    if dtype:
        dtype = as_dtype(dtype)
    if hasattr(shape, "__array__"):
        shape = np.asarray(shape)  # A symbolic tensor says that it is no array.
    if _is_array_like(values):
        values = np.asarray(values)
    with np.errstate(over="ignore", invalid="ignore"):  # TF casts in silence
        array = (
            _from_array(values, dtype)
            if isinstance(values, np.ndarray)
            else _from_python(values, dtype, shape)
        )

    found = dtype if dtype is not None and dtype.is_quantized else as_dtype(array.dtype)
    if dtype is not None and dtype.base_dtype is not found.base_dtype:
        raise TypeError(f"Incompatible types: {dtype} vs. {array.dtype}. Value is {values}")
    found = found.base_dtype

    full_shape = array.shape
    if shape is not None:
        full_shape = tuple([int(d) for d in shape])
        _check_shape(array, full_shape, verify_shape, allow_broadcast)
    if array.size == math.prod(full_shape) > 1 and found in _CONTENT_TYPES:
        _check_content_size(array)
    if found is dtypes.string:
        array = _as_bytes_array(values, array)
    return found, array, full_shape


def _from_array(values: np.ndarray, dtype: DType | None) -> np.ndarray:
    if dtype is not None and dtype.is_numpy_compatible:
        return values.astype(dtype.as_numpy_dtype, order="C")
    # NumPy's own dtype objects, not equal ones: those are compared by identity.
    kind = values.dtype
    kind = np.dtype(kind.type) if kind.kind in "biufc" else kind.newbyteorder("=")
    return values.astype(kind, order="C")


def _from_python(values: Any, dtype: DType | None, shape: Any) -> np.ndarray:
    if values is None:
        raise ValueError("None values not supported.")
    numpy_dtype = dtype.as_numpy_dtype if dtype is not None and dtype.is_numpy_compatible else None
    if shape is not None and math.prod(int(d) for d in shape) == 0:
        array = np.empty([int(d) for d in shape], numpy_dtype)
    else:
        _check_types(values, dtype)
        array = _numpy_array(values, numpy_dtype)
        wanted = _dense_dimensions(values)
        if list(array.shape) != wanted and not (dtype is not None and dtype.is_quantized):
            raise ValueError(
                f"Argument must be a dense tensor: {values} - got shape {list(array.shape)}, "
                f"but wanted {wanted}."
            )
    if dtype is None and array.dtype == np.float64:
        return array.astype(np.float32)
    if dtype is None and array.dtype == np.int64:
        narrow = array.astype(np.int32)
        return narrow if np.array_equal(narrow, array) else array
    return array


def _numpy_array(values: Any, numpy_dtype: Any) -> np.ndarray:
    """`np.array` as NumPy 1 did it: ints wrap around, ragged lists make arrays of objects."""
    try:
        return np.array(values, numpy_dtype)
    except OverflowError:
        if numpy_dtype is None or np.dtype(numpy_dtype).kind not in "iu":
            raise
        return np.array(values, np.int64).astype(numpy_dtype)
    except ValueError as e:
        if not str(e).startswith("setting an array element with a sequence."):
            raise
        if numpy_dtype is not None:
            raise ValueError("setting an array element with a sequence.") from None
        return np.empty(_common_shape(values), object)


def _common_shape(values: Any) -> tuple[int, ...]:
    """The shape of a ragged nested list, down to where it is ragged."""
    if not isinstance(values, list | tuple | np.ndarray):
        return ()
    shapes = [_common_shape(v) for v in values]
    common = shapes[0] if shapes else ()
    for shape in shapes:
        pairs = zip(common, shape, strict=False)
        common = tuple(a for a, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    return (len(values), *common)


def _dense_dimensions(values: Any) -> list[int]:
    """The shape that the first elements of a nested list suggest."""
    out = []
    while isinstance(values, list | tuple):
        out.append(len(values))
        if not values:
            break
        values = values[0]
    return out


def _check_shape(
    array: np.ndarray, shape: tuple[int, ...], verify_shape: bool, allow_broadcast: bool
) -> None:
    size = math.prod(shape)
    if allow_broadcast:
        if array.shape not in ((), (1,)) and array.size != size:
            raise TypeError(f"Expected Tensor's shape: {shape}, got {array.shape}.")
        return
    if verify_shape and array.shape != shape:
        raise TypeError(f"Expected Tensor's shape: {shape}, got {array.shape}.")
    if array.size > size:
        raise ValueError(
            f"Too many elements provided. Needed at most {size}, but received {array.size}"
        )


def _check_content_size(array: np.ndarray) -> None:
    if array.nbytes >= 1 << 31:
        raise ValueError("Cannot create a tensor proto whose content is larger than 2GB.")


def _as_bytes_array(values: Any, array: np.ndarray) -> np.ndarray:
    """The strings of `values` as an object array of bytes; flat if they came as a list."""
    if isinstance(values, np.ndarray):
        flat = [as_bytes(v) for v in array.ravel()]
    else:
        # Not from the array: NumPy's fixed-width strings drop trailing zero bytes.
        try:
            flat = [as_bytes(v) for v in _flatten_lists(values)]
        except TypeError:
            raise TypeError(
                f"Failed to convert object of type {type(values)} to Tensor. "
                f"Contents: {values}. Consider casting elements to a supported type."
            ) from None
    out = np.empty(len(flat), object)
    out[:] = flat
    return out.reshape(array.shape) if out.size == array.size else out


def as_bytes(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    raise TypeError(f"Expected binary or unicode string, got {value!r}")


def _flatten_lists(values: Any) -> Iterator[Any]:
    if isinstance(values, list | tuple):
        for value in values:
            yield from _flatten_lists(value)
    else:
        yield values


_LARGE = 1 << 30


def _fill(given: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """An array of this shape, the last of the given values repeated as often as it takes; what is
    left over of them is dropped.

    Raises:
      ValueError: two values and more stand for an array that fills the memory.
    """
    size = math.prod(shape)
    if given.size == size:
        return given.reshape(shape)
    given = given.ravel()
    if given.size == 1 and size > 1:
        return np.broadcast_to(given.reshape(()), shape)
    given = given[:size]
    if size * given.itemsize > _LARGE and given.size < size // 2:
        raise ValueError(f"{given.size} values for an array of shape {list(shape)}")
    flat = np.zeros(size, given.dtype)
    if given.dtype == object:
        flat[:] = b""
    if size and given.size:
        flat[: given.size] = given
        flat[given.size :] = given[-1]
    array = flat.reshape(shape).view(ShortArray)
    array.given = given
    return array


# Type checks of Python values.


@functools.cache
def _is_container(kind: type) -> bool:
    """Whether values of this type are looked into, as TF's `nest` does."""
    return issubclass(kind, Sequence | Mapping) and not issubclass(kind, str | bytes | bytearray)


def _is_array_like(value: Any) -> bool:
    if isinstance(value, int | float | str | bytes | list | tuple):
        # Of these only NumPy's own scalars (np.float64 is a float) are arrays.
        return isinstance(value, np.generic)
    if isinstance(value, Tensor):
        return value._is_eager
    if callable(getattr(value, "__array__", None)) or isinstance(
        getattr(value, "__array_interface__", None), dict
    ):
        return True
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


_INTEGRAL = (numbers.Integral, np.integer, Dimension)
_REAL = (numbers.Real, np.integer, np.floating)
_COMPLEX = (numbers.Complex, np.number)
_TEXT = (bytes, str)


def _expected_types(dtype: DType) -> tuple[type, ...] | None:
    """What the leaves of Python values must be for a type; None: anything but tensors."""
    if dtype.is_integer:
        return _INTEGRAL
    if dtype.is_floating:
        return _REAL
    if dtype.is_complex:
        return _COMPLEX
    return {dtypes.bool: (bool,), dtypes.string: _TEXT}.get(dtype)


@functools.cache
def _type_fits(kind: type, dtype: DType | None) -> bool:
    """Whether values of a Python type may stand in a tensor of `dtype` (None: any type)."""
    expected = None if dtype is None else _expected_types(dtype)
    return not issubclass(kind, Tensor) if expected is None else issubclass(kind, expected)


def _check_types(values: Any, dtype: DType | None) -> None:
    """Refuses Python values whose type does not fit `dtype`, naming the first."""
    quantized = dtype is not None and dtype.is_quantized
    value = next(_quantized_misfits(values) if quantized else _misfits(values, dtype), _FITS)
    if value is _FITS:
        return
    if dtype is None:
        raise TypeError("List of Tensors when single Tensor expected")
    # A NumPy scalar as NumPy 1 printed it: 1.5, True; not np.float32(1.5), np.True_.
    kind = "bool_" if isinstance(value, np.bool_) else type(value).__name__
    shown = str(value) if isinstance(value, np.number | np.bool_) else repr(value)
    raise TypeError(f"Expected {dtype.name}, got {shown} of type '{kind}' instead.")


_FITS = object()


def _misfits(values: Any, dtype: DType | None) -> Iterator[Any]:
    """The leaves that do not fit. Looks at the types of a list before it looks at any element."""
    kind = type(values)
    if not _is_container(kind):
        if not _type_fits(kind, dtype):
            yield values
        return
    children: Iterable[Any] = values
    if isinstance(values, Mapping):
        children = [values[key] for key in sorted(values)]
    if all(_type_fits(k, dtype) and not _is_container(k) for k in set(map(type, children))):
        return
    for child in children:
        yield from _misfits(child, dtype)


def _quantized_misfits(values: Any) -> Iterator[Any]:
    """A quantized value is a tuple of ints, so here a tuple is a leaf and only a list nests."""
    if isinstance(values, tuple):
        yield from _misfits(values, dtypes.int32)
    elif isinstance(values, list):
        for value in values:
            yield from _quantized_misfits(value)
    else:
        yield values


# Array <-> proto.


def array_to_proto(array: np.ndarray) -> Any:
    """The `TensorProto` of an array, as short as it was given (see `as_array`)."""
    given = getattr(array, "given", None)
    if given is None:
        given = array
        if array.size > 1 and not any(array.strides):
            given = array.flat[:1]
        return _to_proto(as_dtype(array.dtype), given, array.shape)
    return _to_proto(as_dtype(array.dtype), given, array.shape, listed=True)


def _to_proto(dtype: DType, given: np.ndarray, shape: tuple[int, ...], listed: bool = False) -> Any:
    dims = [protos.TensorShapeProto.Dim(size=d) for d in shape]
    proto = protos.TensorProto(dtype=dtype.enum, tensor_shape=protos.TensorShapeProto(dim=dims))
    if not listed and given.size == math.prod(shape) > 1 and dtype in _CONTENT_TYPES:
        _check_content_size(given)
        proto.tensor_content = given.tobytes()
        return proto
    if dtype not in FIELDS:
        raise TypeError(f"Element type not supported in TensorProto: {dtype.name}")
    field, numbers_dtype = FIELDS[dtype]
    flat = np.ascontiguousarray(given).ravel()
    if dtype is dtypes.string:
        getattr(proto, field).extend(map(as_bytes, flat))
    else:
        getattr(proto, field).extend(flat.view(numbers_dtype).tolist())
    return proto


def proto_to_array(proto: Any) -> np.ndarray:
    """The array of a `TensorProto`; where the proto was short the array remembers it.

    Raises:
      TypeError: if its type has no array form.
    """
    dtype = as_dtype(proto.dtype)
    numpy_dtype = dtype.as_numpy_dtype
    shape = tuple(d.size for d in proto.tensor_shape.dim)
    if min(shape, default=0) < 0:
        raise ValueError(f"Shape {list(shape)} is not fully defined")
    if proto.tensor_content:
        return np.frombuffer(proto.tensor_content, numpy_dtype).copy().reshape(shape)
    if dtype not in FIELDS:
        raise TypeError(f"Unsupported tensor type: {proto.dtype}")
    field, numbers_dtype = FIELDS[dtype]
    given = np.array(getattr(proto, field), numbers_dtype)
    return _fill(given if numbers_dtype is object else given.view(numpy_dtype), shape)


@tf_export("make_tensor_proto")
def make_tensor_proto(
    values: Any,
    dtype: Any = None,
    shape: Any = None,
    verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> Any:
    """Creates a `TensorProto`, as `tf.make_tensor_proto` in TF 1.15.

    Args:
      values: a Python scalar, a nested list, or anything array-like; a `TensorProto` is returned
        as it is.
      dtype: a DType or what names one; None infers it.
      shape: the shape, which `values` must not exceed; None: that of `values`.
      verify_shape: `shape` must be that of `values`.
      allow_broadcast: only one value may be repeated to fill the shape.

    Returns:
      A `TensorProto`.

    Raises:
      TypeError: for values of unsupported or mixed types.
      ValueError: for ragged lists, too many values, or more than 2 GB.
    """
    if type(values).__name__ == "TensorProto" and not (allow_broadcast and verify_shape):
        return values
    return _to_proto(*_convert(values, dtype, shape, verify_shape, allow_broadcast))


@tf_export("make_ndarray")
def make_ndarray(tensor: Any) -> np.ndarray:
    """The value of a `TensorProto` as a new array, as `tf.make_ndarray` in TF 1.15.

    Args:
      tensor: a `TensorProto`.

    Returns:
      An array of its dtype and shape.

    Raises:
      TypeError: if its type has no array form.
    """
    return np.array(proto_to_array(tensor))


MakeNdarray = make_ndarray
