"""`tensorflow.python.framework.fast_tensor_util`: the numbers of an array in a `TensorProto`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.tensor_proto import FIELDS, as_bytes


def _appender(dtype: dtypes.DType) -> Callable[[Any, Any], None]:
    """A function that adds numbers of a dtype."""
    field, kind = FIELDS[dtype]

    def append(tensor_proto: Any, nparray: Any) -> None:
        """Adds the elements of an array to the field of their dtype.

        Args:
          tensor_proto: the `TensorProto`.
          nparray: the array, flat.
        """
        values = np.asarray(nparray)
        if dtype is dtypes.string:
            found: Any = [as_bytes(value) for value in values]
        else:
            # Complex numbers are pairs, float16 and bfloat16 are bits.
            found = np.ascontiguousarray(values).view(kind).tolist()
        getattr(tensor_proto, field).extend(found)

    return append


_NAMES = {
    "BFloat16": dtypes.bfloat16,
    "Bool": dtypes.bool,
    "Complex128": dtypes.complex128,
    "Complex64": dtypes.complex64,
    "Float16": dtypes.float16,
    "Float32": dtypes.float32,
    "Float64": dtypes.float64,
    "Int16": dtypes.int16,
    "Int32": dtypes.int32,
    "Int64": dtypes.int64,
    "Int8": dtypes.int8,
    "Object": dtypes.string,
    "UInt16": dtypes.uint16,
    "UInt32": dtypes.uint32,
    "UInt64": dtypes.uint64,
    "UInt8": dtypes.uint8,
}
_BY_TYPE: dict[Any, Callable[[Any, Any], None]] = {}
for _name, _dtype in _NAMES.items():
    globals()[f"Append{_name}ArrayToTensorProto"] = _append = _appender(_dtype)
    _BY_TYPE[np.dtype(_dtype.as_numpy_dtype)] = _append


def GetNumpyAppendFn(dtype: np.dtype[Any]) -> Callable[[Any, Any], None] | None:
    """The function that adds numbers of a NumPy dtype to a `TensorProto`; None if there is none.

    Args:
      dtype: the NumPy dtype.
    """
    if dtype.kind in "SU":
        dtype = np.dtype(object)
    return _BY_TYPE.get(dtype)
