"""The element types of tensors, as `tf.DType` and `tf.float32` … in TF 1.15.

A `DType` exists once per type, so identity decides equality, and everything asked of it while
recording a graph is a plain attribute computed here.
"""

import builtins
from typing import Any

import ml_dtypes
import numpy as np

from tf1compat.core.export import export_constant, tf_export

# TF's magic structured types: how a quantized value looks in NumPy.
np_qint8 = np.dtype([("qint8", np.int8)])
np_quint8 = np.dtype([("quint8", np.uint8)])
np_qint16 = np.dtype([("qint16", np.int16)])
np_quint16 = np.dtype([("quint16", np.uint16)])
np_qint32 = np.dtype([("qint32", np.int32)])
np_resource = np.dtype([("resource", np.ubyte)])
np_bfloat16 = ml_dtypes.bfloat16

_REF = 100  # enum of a reference type = enum of the base type + 100

# enum (of types.proto), name, NumPy type; resource and variant have none.
_TYPES: tuple[tuple[int, str, Any], ...] = (
    (1, "float32", np.float32),
    (2, "float64", np.float64),
    (3, "int32", np.int32),
    (4, "uint8", np.uint8),
    (5, "int16", np.int16),
    (6, "int8", np.int8),
    (7, "string", builtins.object),
    (8, "complex64", np.complex64),
    (9, "int64", np.int64),
    (10, "bool", builtins.bool),
    (11, "qint8", np_qint8),
    (12, "quint8", np_quint8),
    (13, "qint32", np_qint32),
    (14, "bfloat16", np_bfloat16),
    (15, "qint16", np_qint16),
    (16, "quint16", np_quint16),
    (17, "uint16", np.uint16),
    (18, "complex128", np.complex128),
    (19, "float16", np.float16),
    (20, "resource", None),
    (21, "variant", None),
    (22, "uint32", np.uint32),
    (23, "uint64", np.uint64),
)

# Image intensity ranges, by NumPy type: what `DType.limits` reads.
dtype_range = {
    np.bool_: (False, True),
    np.uint8: (0, 255),
    np.uint16: (0, 65535),
    np.int8: (-128, 127),
    np.int16: (-32768, 32767),
    np.int64: (-(2**63), 2**63 - 1),
    np.uint64: (0, 2**64 - 1),
    np.int32: (-(2**31), 2**31 - 1),
    np.uint32: (0, 2**32 - 1),
    np.float32: (-1, 1),
    np.float64: (-1, 1),
}

_INTERNED: "dict[int, DType]" = {}


@tf_export("dtypes.DType", "DType")
class DType:
    """The type of the elements of a tensor, as `tf.DType` in TF 1.15.

    `DType(enum)` gives the one object of that type.

    Attributes:
      name: TF's name, e.g. "float32" or "float32_ref".
      enum: the `DataType` enum value of types.proto; also `as_datatype_enum`.
      base_dtype: the type without the reference.
      real_dtype: the type of the real part (for complex types; else the type itself).
      as_numpy_dtype: the NumPy (or Python, for bool and string) type of the values;
        resource and variant have none and raise KeyError.
      size: bytes per element.
      is_ref: whether values are references to a variable's buffer.
      is_bool, is_integer, is_floating, is_complex, is_quantized, is_unsigned,
      is_numpy_compatible: what kind of type it is (a quantized type is not an integer).
    """

    __module__ = "tensorflow.python.framework.dtypes"  # as texts and `str` of the type show it

    __slots__ = (
        "name",
        "enum",
        "as_datatype_enum",
        "_type_enum",
        "base_dtype",
        "real_dtype",
        "as_numpy_dtype",
        "size",
        "is_ref",
        "_is_ref_dtype",
        "_as_ref",
        "is_bool",
        "is_integer",
        "is_floating",
        "is_complex",
        "is_quantized",
        "is_unsigned",
        "is_numpy_compatible",
        "__weakref__",
    )

    name: str
    enum: int
    as_datatype_enum: int
    base_dtype: "DType"
    real_dtype: "DType"
    as_numpy_dtype: Any
    size: int
    is_ref: builtins.bool
    is_bool: builtins.bool
    is_integer: builtins.bool
    is_floating: builtins.bool
    is_complex: builtins.bool
    is_quantized: builtins.bool
    is_unsigned: builtins.bool
    is_numpy_compatible: builtins.bool
    _type_enum: int
    _is_ref_dtype: builtins.bool
    _as_ref: "DType"

    def __new__(cls, type_enum: int) -> "DType":
        type_enum = int(type_enum)
        try:
            return _INTERNED[type_enum]
        except KeyError:
            raise TypeError(f"type_enum is not a valid types_pb2.DataType: {type_enum}") from None

    def __getattr__(self, attr: str) -> Any:
        # Reached only where no value was stored: a resource or variant has no NumPy type, and TF
        # reports that as a failed look-up.
        if attr in ("as_numpy_dtype", "size"):
            raise KeyError(self.enum)
        raise AttributeError(f"'DType' object has no attribute '{attr}'")

    @property
    def min(self) -> Any:
        """The smallest finite value; TypeError for unordered and quantized types."""
        return self._limit("minimum", "min")

    @property
    def max(self) -> Any:
        """The largest finite value; TypeError for unordered and quantized types."""
        return self._limit("maximum", "max")

    def _limit(self, word: str, attr: str) -> Any:
        if self.base_dtype is bfloat16:
            return getattr(ml_dtypes.finfo(np_bfloat16), attr)
        if self.is_floating:
            return getattr(np.finfo(self.as_numpy_dtype), attr)
        if self.is_integer:
            return getattr(np.iinfo(self.as_numpy_dtype), attr)
        raise TypeError(f"Cannot find {word} value of {self}.")

    @property
    def limits(self) -> tuple[Any, Any]:
        """(0, largest intensity) of an image of this type (TF 1.15 always clips the negative)."""
        return 0, dtype_range[self.as_numpy_dtype][1]

    def is_compatible_with(self, other: Any) -> builtins.bool:
        """Whether a tensor of type `other` may stand where this type is asked for."""
        other = as_dtype(other)
        return self is other or self is other.base_dtype

    def __eq__(self, other: object) -> builtins.bool:
        if type(other) is DType:
            return self is other
        if other is None:
            return False
        try:
            return self is as_dtype(other)
        except TypeError:
            return False

    def __ne__(self, other: object) -> builtins.bool:
        return not self == other

    def __hash__(self) -> int:
        return self.enum

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __repr__(self) -> str:
        return "tf." + self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


def _intern_pair(enum: int, name: str, numpy_type: Any) -> None:
    """Makes the type and its reference type."""
    base, ref = object.__new__(DType), object.__new__(DType)
    quantized = isinstance(numpy_type, np.dtype)
    kind = np.dtype(numpy_type).kind if numpy_type is not None and not quantized else ""
    for dtype, is_ref in ((base, False), (ref, True)):
        dtype.name = name + "_ref" * is_ref
        dtype.enum = dtype.as_datatype_enum = dtype._type_enum = enum + _REF * is_ref
        dtype.base_dtype = base
        dtype.real_dtype = dtype  # complex types: corrected below
        dtype.is_ref = dtype._is_ref_dtype = is_ref
        dtype._as_ref = ref
        dtype.is_bool = kind == "b"
        dtype.is_integer = kind in ("i", "u")
        dtype.is_floating = kind == "f" or numpy_type is np_bfloat16
        dtype.is_complex = kind == "c"
        dtype.is_quantized = quantized
        dtype.is_unsigned = kind == "u"
        dtype.is_numpy_compatible = numpy_type is not None
        if numpy_type is not None:
            dtype.as_numpy_dtype = numpy_type
            dtype.size = np.dtype(numpy_type).itemsize
        elif not is_ref:
            dtype.size = 1
        _INTERNED[dtype.enum] = dtype


for _enum, _name, _numpy_type in _TYPES:
    _intern_pair(_enum, _name, _numpy_type)

float32, float64, float16, bfloat16 = map(DType, (1, 2, 19, 14))
int8, int16, int32, int64 = map(DType, (6, 5, 3, 9))
uint8, uint16, uint32, uint64 = map(DType, (4, 17, 22, 23))
complex64, complex128 = map(DType, (8, 18))
string, bool, resource, variant = map(DType, (7, 10, 20, 21))
qint8, quint8, qint32, qint16, quint16 = map(DType, (11, 12, 13, 15, 16))
half, double = float16, float64

float32_ref, float64_ref, float16_ref, bfloat16_ref = map(DType, (101, 102, 119, 114))
int8_ref, int16_ref, int32_ref, int64_ref = map(DType, (106, 105, 103, 109))
uint8_ref, uint16_ref, uint32_ref, uint64_ref = map(DType, (104, 117, 122, 123))
complex64_ref, complex128_ref = map(DType, (108, 118))
string_ref, bool_ref, resource_ref, variant_ref = map(DType, (107, 110, 120, 121))
qint8_ref, quint8_ref, qint32_ref, qint16_ref, quint16_ref = map(DType, (111, 112, 113, 115, 116))
half_ref, double_ref = float16_ref, float64_ref

for _complex, _real in ((complex64, float32), (complex128, float64)):
    _complex.real_dtype = _complex._as_ref.real_dtype = _real

TYPE_TO_STRING: dict[int, str] = {enum: dtype.name for enum, dtype in _INTERNED.items()}
STRING_TO_TF: dict[str, DType] = {dtype.name: dtype for dtype in _INTERNED.values()} | {
    "half": float16,
    "half_ref": float16_ref,
    "float": float32,
    "float_ref": float32_ref,
    "double": float64,
    "double_ref": float64_ref,
}
_CPP_NAMES = {"float16": "half", "float32": "float", "float64": "double"}
TF_TO_NP: dict[int, Any] = {
    enum: dtype.as_numpy_dtype for enum, dtype in _INTERNED.items() if dtype.is_numpy_compatible
}
PYTHON_TO_TF: dict[type, DType] = {
    builtins.float: float32,
    builtins.bool: bool,
    builtins.object: string,
}
NP_TO_TF: dict[Any, DType] = {
    numpy_type: DType(enum)
    for enum, _, numpy_type in _TYPES
    if numpy_type is not None and numpy_type not in PYTHON_TO_TF
} | {np.object_: string, np.bytes_: string, np.str_: string, np.bool_: bool}
# On some platforms C's integer types are classes of their own (np.longlong beside np.int64).
for _platform_type in (np.intc, np.uintc, np.int_, np.uint, np.longlong, np.ulonglong):
    if _platform_type not in NP_TO_TF:
        NP_TO_TF[_platform_type] = STRING_TO_TF[np.dtype(_platform_type).name]

TF_VALUE_DTYPES = set(NP_TO_TF.values())
_QUANTIZED_DTYPES_NO_REF = frozenset([qint8, quint8, qint16, quint16, qint32])
_QUANTIZED_DTYPES_REF = frozenset(dtype._as_ref for dtype in _QUANTIZED_DTYPES_NO_REF)
QUANTIZED_DTYPES = _QUANTIZED_DTYPES_REF | _QUANTIZED_DTYPES_NO_REF

_ANY_TO_TF: dict[Any, DType] = {**_INTERNED, **STRING_TO_TF, **PYTHON_TO_TF, **NP_TO_TF}


def in_programs(dtype: DType) -> Any:
    """The NumPy type of a dtype's values where programs run. Quantized numbers are integers there,
    and records only where they are read from protos."""
    numpy_type = dtype.base_dtype.as_numpy_dtype
    return numpy_type[0] if dtype.is_quantized else numpy_type


def cpp_name(dtype: DType) -> str:
    """The name that TF's C++ has for a dtype: "float" for float32, "float_ref" for its ref type."""
    name, ref, _ = dtype.name.partition("_ref")
    return _CPP_NAMES.get(name, name) + ref


@tf_export("dtypes.as_dtype", "as_dtype")
def as_dtype(type_value: Any) -> DType:
    """Converts to a `DType`, as `tf.as_dtype` in TF 1.15.

    Args:
      type_value: a DType, `DataType` enum value, TF type name, NumPy dtype or scalar type, or one
        of Python's float, bool and object. (Python's int, str and complex name no one type: TF
        refuses them.)

    Returns:
      The `DType`.

    Raises:
      TypeError: if it names no TF type.
    """
    if type(type_value) is DType:
        return type_value
    if isinstance(type_value, np.dtype):
        dtype = NP_TO_TF.get(type_value.type)
        if dtype is not None:
            return dtype
    try:
        return _ANY_TO_TF[type_value]
    except KeyError:
        raise TypeError(f"Cannot convert value {type_value!r} to a TensorFlow DType.") from None


# `tf.float32`, `tf.dtypes.float32` …: the base types, two aliases, the set of quantized ones.
for _public, _value in {
    **{name: dtype for name, dtype in STRING_TO_TF.items() if not dtype.is_ref and name != "float"},
    "QUANTIZED_DTYPES": QUANTIZED_DTYPES,
}.items():
    export_constant(f"dtypes.{_public}", _value)
    export_constant(_public, _value)
