"""What TF's own code takes from `tensorflow.python.framework.tensor_util` beyond the core."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.core import dtypes, nest, protos, tensor_proto
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, ShapeLike

_ENABLE_MAYBE_SET_STATIC_SHAPE = True
_FAST_TENSOR_UTIL_AVAILABLE = True


def ExtractBitsFromFloat16(x: Any) -> int:  # noqa: N802
    """The bits of a number as float16."""
    return np.asarray(x, np.float16).view(np.uint16).item()


def ExtractBitsFromBFloat16(x: Any) -> int:  # noqa: N802
    """The bits of a number as bfloat16."""
    return np.asarray(x, dtypes.bfloat16.as_numpy_dtype).view(np.uint16).item()


def GetFromNumpyDTypeDict(dtype_dict: dict[Any, Any], dtype: DTypeLike) -> Any:  # noqa: N802
    """The first value whose key equals a NumPy dtype; None if there is none."""
    return next((value for key, value in dtype_dict.items() if key == dtype), None)


def TensorShapeProtoToList(shape: Any) -> list[int]:  # noqa: N802
    """The sizes in a `TensorShapeProto`."""
    return [dim.size for dim in shape.dim]


def ShapeEquals(tensor_proto: Any, shape: ShapeLike) -> bool:  # noqa: N802
    """Whether a `TensorProto` has a shape, given as sizes or as a `TensorShapeProto`.

    Raises:
      TypeError: an argument is of another kind.
    """
    if not isinstance(tensor_proto, protos.TensorProto):
        raise TypeError("tensor_proto is not a tensor_pb2.TensorProto object")
    if isinstance(shape, protos.TensorShapeProto):
        shape = TensorShapeProtoToList(shape)
    elif not isinstance(shape, list | tuple):
        raise TypeError("shape is not a list or tuple")
    return TensorShapeProtoToList(tensor_proto.tensor_shape) == list(shape)


def _generate_isinstance_check(expected_types: Any) -> Callable[[Any], None]:
    """A function that refuses structures with leaves of other types.

    Raises:
      ValueError: (when it is called) there is one; the text is the leaf.
    """

    def check(values: Any) -> None:
        for value in nest.flatten(values):
            if not isinstance(value, expected_types):
                _check_failed(value)

    return check


def _check_failed(v: Any) -> None:
    raise ValueError(v)


_check_int = _generate_isinstance_check(tensor_proto._INTEGRAL)
_check_float = _generate_isinstance_check(tensor_proto._REAL)
_check_complex = _generate_isinstance_check(tensor_proto._COMPLEX)
_check_str = _generate_isinstance_check(tensor_proto._TEXT)
_check_bool = _generate_isinstance_check(bool)


def _check_not_tensor(values: Any) -> None:
    for value in nest.flatten(values):
        if isinstance(value, Tensor):
            _check_failed(value)


def _check_quantized(values: Sequence[Any]) -> None:
    for value in tensor_proto._quantized_misfits(values):
        _check_failed(value)


_TENSOR_CONTENT_TYPES = frozenset(
    {
        dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64,
        dtypes.uint8, dtypes.uint32, dtypes.uint64, dtypes.qint8, dtypes.qint16, dtypes.qint32,
        dtypes.quint8, dtypes.quint16,
    }
)  # fmt: skip
_TF_TO_IS_OK: dict[Any, Callable[[Any], None]] = {
    dtypes.bool: _check_bool,
    dtypes.string: _check_str,
    **dict.fromkeys((dtypes.complex64, dtypes.complex128), _check_complex),
    **dict.fromkeys((dtypes.float16, dtypes.float32, dtypes.float64), _check_float),
    **dict.fromkeys(
        (
            dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64,
            dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64,
        ),
        _check_int,
    ),
    **dict.fromkeys(
        (dtypes.qint8, dtypes.qint16, dtypes.qint32, dtypes.quint8, dtypes.quint16),
        _check_quantized,
    ),
}  # fmt: skip
