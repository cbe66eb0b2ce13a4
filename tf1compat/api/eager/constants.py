"""The arrays that eager execution makes of Python values.

TF 1.15 reads a list element by element there, where graphs take what NumPy makes of it: the first
element decides what the others may be, and elements may be arrays and other sequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_proto import as_array, plain_array
from tf1compat.core.tensor_shape import Dimension

_SCALAR = (str, bytes, bool, int, float, complex, np.generic, Dimension)
_COMPLEX = (complex, np.complexfloating)
# What may be made of Python's bools.
_FROM_BOOL = frozenset(
    (
        dtypes.bool, dtypes.int32, dtypes.int64, dtypes.uint64,
        dtypes.float16, dtypes.float32, dtypes.float64, dtypes.string,
    )
)  # fmt: skip
_MIXED = "Can't convert Python sequence with mixed types to Tensor."
_TOO_LARGE = "Can't convert Python sequence with out-of-range integer to Tensor."


# How a list whose items are not of one length is refused in a graph.
_RAGGED = ("Argument must be a dense tensor", "setting an array element with a sequence")


def eager_array(
    value: Any, dtype: dtypes.DType | None, verify_shape: bool, allow_broadcast: bool
) -> np.ndarray:
    """The array of an eager constant.

    Args:
      value: a Python or NumPy scalar, a sequence of these or of sequences, an array, or a tensor.
      dtype: of the array; None for what the first element makes of it.
      verify_shape, allow_broadcast: see `as_array`.

    Raises:
      TypeError, ValueError: what TF 1.15 says in eager execution.
    """
    if isinstance(value, Tensor):
        if dtype not in (None, value.dtype):
            raise TypeError(f"Expected tensor with type {dtype!r} not {value.dtype!r}")
        return value.numpy()  # pyright: ignore[reportAttributeAccessIssue]
    if dtype is not None and dtype not in _FROM_BOOL:
        _refuse_bools(value, dtype)
    if (plain := plain_array(value, dtype)) is not None:
        return plain
    nested = _is_sequence(value)
    if nested and dtype is None and isinstance(_first(value), np.float64):
        dtype = dtypes.float64
    if dtype is not None and dtype.is_quantized and not isinstance(value, np.ndarray):
        # Eagerly, whole numbers may be quantized ones.
        if all(isinstance(leaf, int) for leaf in _leaves(value)):
            dtype = dtypes.as_dtype(dtype.name.replace("q", ""))
    try:
        array = as_array(value, dtype, None, verify_shape, allow_broadcast)
    except (TypeError, ValueError) as error:
        if not nested:
            raise _refused(value, dtype, error) from None
        try:
            array = as_array(_plain(value), dtype, None, verify_shape, allow_broadcast)
        except (TypeError, ValueError) as error:
            raise _refused(value, dtype, error) from None
    if dtype is None and array.dtype == np.uint64 and isinstance(_first(value), int):
        raise ValueError(_TOO_LARGE)
    if nested and _is_mixed(value, array, dtype):
        raise ValueError(_MIXED)
    return array


def _misfit(value: Any, dtype: dtypes.DType) -> TypeError:
    """The error of a Python value that is none of a dtype."""
    # NumPy 2 would write np.float64(0.3).
    with np.printoptions(legacy="1.25"):  # pyright: ignore[reportArgumentType]
        shown = repr(value)
    return TypeError(f"Cannot convert {shown} to EagerTensor of dtype {dtypes.cpp_name(dtype)}")


def _refuse_bools(value: Any, dtype: dtypes.DType) -> None:
    """Refuses Python's bools for a dtype that TF makes of numbers alone."""
    if isinstance(value, np.ndarray | np.generic) or not isinstance(_first(value), bool | np.bool_):
        return
    if all(isinstance(leaf, bool | np.bool_) for leaf in _leaves(value)):
        raise _misfit(value, dtype)
    raise ValueError(_MIXED)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _items(value: Any) -> Any:
    """The elements of what is taken for a sequence; None for what is not."""
    if isinstance(value, np.ndarray):
        return value if value.ndim else None
    return value if _is_sequence(value) else None


def _first(value: Any) -> Any:
    """The first element of the first of the sequences ...; an empty sequence itself."""
    while (items := _items(value)) is not None and len(items):
        value = items[0]
    return value


def _leaves(value: Any) -> Iterator[Any]:
    items = _items(value)
    if items is None:
        yield value
    else:
        for item in items:
            yield from _leaves(item)


def _plain(value: Any) -> Any:
    """`value` as lists of Python scalars; texts as bytes, so that both may stand in one list."""
    items = _items(value)
    if items is not None:
        return [_plain(item) for item in items]
    if isinstance(value, Dimension):
        return value.value
    if isinstance(value, np.generic | np.ndarray):
        value = value.item()
    return value.encode() if isinstance(value, str) else value


def _is_mixed(value: Any, array: np.ndarray, dtype: dtypes.DType | None) -> bool:
    """Whether TF refuses elements that NumPy finds a common dtype for."""
    if array.dtype.kind == "c":
        return len({isinstance(leaf, _COMPLEX) for leaf in _leaves(value)}) == 2
    first = _first(value)
    return dtype is None and isinstance(first, bool | np.bool_) and array.dtype != np.bool_


def _refused(value: Any, dtype: dtypes.DType | None, error: Exception) -> Exception:
    """What eager execution says instead of `error`."""
    if isinstance(value, np.ndarray):
        return _refused_array(value, dtype) or error
    first = _first(value)
    if isinstance(first, Tensor):
        return error
    if _items(first) is None and not isinstance(first, _SCALAR):
        if hasattr(first, "__getitem__") and not hasattr(first, "__len__"):
            return ValueError(f"TypeError: object of type '{type(first).__name__}' has no len()\n")
        return ValueError(
            f"Attempt to convert a value ({first!r}) with an unsupported type ({type(first)}) to a "
            "Tensor."
        )
    leaves = list(_leaves(value))
    if any(isinstance(x, int) and not -(1 << 63) <= x < 1 << 63 for x in leaves) and dtype is None:
        return ValueError(_TOO_LARGE)
    if _is_sequence(value):
        if any(text in str(error) for text in _RAGGED):
            return ValueError("Can't convert non-rectangular Python sequence to Tensor.")
        if dtype is None and "Consider casting elements to a supported type" in str(error):
            return ValueError(_MIXED)
    if isinstance(error, TypeError) and dtype is not None and not hasattr(value, "dtype"):
        return _misfit(value, dtype)
    return error


def _refused_array(value: np.ndarray, dtype: dtypes.DType | None) -> Exception | None:
    """What is said of an array that has no strings where there should be."""
    if dtype is not dtypes.string and value.dtype != np.dtype(object):
        return None
    for item in value.ravel().tolist():
        if not isinstance(item, str | bytes):
            kind = type(item).__name__
            return ValueError(
                f"Failed to convert a NumPy array to a Tensor (Unsupported object type {kind})."
            )
    return None
