"""Attrs: plain Python values, as operations keep them, to and from `AttrValue` protos.

    kind      plain value                               AttrValue
    string    bytes                                     s
    int       int                                       i
    float     float                                     f (as float32)
    bool      bool                                      b
    type      DType                                     type
    shape     TensorShape                               shape
    tensor    np.ndarray (or TensorProto)               tensor
    func      function name (str) or NameAttrList       func
    list(x)   a list of these                           list.x

A value without a plain form (the placeholder in a function's body) stays an `AttrValue`.
"""

from typing import Any

import numpy as np

from tf1compat.core import context, dtypes, protos
from tf1compat.core.dtypes import DType
from tf1compat.core.tensor_shape import TensorShape, as_shape

# attr kind of an op def -> field of AttrValue
_FIELDS = {
    "string": "s",
    "int": "i",
    "float": "f",
    "bool": "b",
    "type": "type",
    "shape": "shape",
    "tensor": "tensor",
    "func": "func",
}
_KINDS = {field: kind for kind, field in _FIELDS.items()}


def to_attr_value(value: Any, attr_type: str | None = None) -> Any:
    """The `AttrValue` proto of a plain value.

    Args:
      value: the value; an `AttrValue` is returned as it is.
      attr_type: the kind of attr as op defs name it, e.g. "list(int)"; None goes by the value.

    Raises:
      TypeError: if the value cannot be an attr of this kind.
    """
    if isinstance(value, protos.AttrValue):
        return value
    if attr_type is None:
        attr_type = _kind_of(value)
    proto = protos.AttrValue()
    if attr_type.startswith("list("):
        kind = attr_type[5:-1]
        proto.list.SetInParent()  # an empty list is a list too
        if kind == "any":  # nothing in it to go by
            return proto
        field = _FIELDS[kind]
        getattr(proto.list, field).extend([_to_field(v, field) for v in value])
        return proto
    field = _FIELDS[attr_type]
    content = _to_field(value, field)
    if field in ("shape", "tensor", "func"):
        getattr(proto, field).CopyFrom(content)
    else:
        setattr(proto, field, content)
    return proto


def _to_field(value: Any, field: str) -> Any:
    """What goes into a field of AttrValue or of its list."""
    if field == "s":
        return value.encode() if isinstance(value, str) else bytes(value)
    if field == "i":
        return int(value)
    if field == "f":
        return float(value)
    if field == "b":
        return bool(value)
    if field == "type":
        return dtypes.as_dtype(value).enum
    if field == "shape":
        is_proto = type(value).__name__ == "TensorShapeProto"
        return value if is_proto else as_shape(value).as_proto()
    if field == "tensor":
        return _tensor_proto(value)
    if isinstance(value, str | bytes):
        return protos.NameAttrList(name=value)
    return value


def _tensor_proto(value: Any) -> Any:
    if type(value).__name__ == "TensorProto":
        return value
    from tf1compat.core.tensor_proto import array_to_proto

    return array_to_proto(np.asanyarray(value))  # "any": a ShortArray stays one


def _kind_of(value: Any) -> str:
    """The kind of attr that a plain value is, for attrs that no op def describes."""
    if isinstance(value, list | tuple):
        return f"list({_kind_of(value[0])})" if value else "list(any)"
    for types, kind in (
        (str | bytes, "string"),
        (bool | np.bool_, "bool"),
        (int | np.integer, "int"),
        (float | np.floating, "float"),
        (DType, "type"),
        (TensorShape, "shape"),
        (np.ndarray, "tensor"),
    ):
        if isinstance(value, types):
            return kind
    kind = {"TensorShapeProto": "shape", "TensorProto": "tensor", "NameAttrList": "func"}.get(
        type(value).__name__
    )
    if kind is None:
        raise TypeError(f"{value!r} of type {type(value).__name__} cannot be the value of an attr")
    return kind


def kind_mismatch(proto: Any, attr_type: str) -> str | None:
    """What TF says of an `AttrValue` that is not of the kind an op def declares; None if it is."""
    field = proto.WhichOneof("value")
    if field == "placeholder":
        return None
    if field is None:
        is_list = attr_type.startswith("list(")
        return None if is_list else f"AttrValue missing value with expected type '{attr_type}'"
    found = _KINDS.get(str(field), str(field))
    types = [proto.type] if field == "type" else []
    if field == "list":
        filled = [name for name in _KINDS if len(getattr(proto.list, name))]
        if not filled:
            return None if attr_type.startswith("list(") else _mismatch("list(any)", attr_type)
        found, types = f"list({_KINDS[filled[0]]})", list(proto.list.type)
    if found != attr_type:
        return _mismatch(found, attr_type)
    for enum in types:
        try:
            dtypes.as_dtype(enum)
        except TypeError:
            return f"AttrValue has invalid DataType enum: {enum}"
    return None


def _mismatch(found: str, wanted: str) -> str:
    return f"AttrValue had value with type '{found}' when '{wanted}' expected"


def from_attr_value(proto: Any, attr_type: str | None = None) -> Any:
    """The plain value of an `AttrValue` proto.

    Args:
      proto: the proto.
      attr_type: the kind of attr as op defs name it, or None if no op def describes it: then the
        proto decides, and a list without elements is [].
    """
    field = proto.WhichOneof("value")
    if field == "list" or (attr_type is not None and attr_type.startswith("list(")):
        if field not in ("list", None):
            return proto
        for list_field in _KINDS:
            content = getattr(proto.list, list_field)
            if content:
                return [_from_field(v, list_field) for v in content]
        return []
    if field is None or field == "placeholder":
        return proto
    return _from_field(getattr(proto, field), field)


def from_node_attr(proto: Any, attr_type: str | None) -> Any:
    """As `from_attr_value`, but a function that no op def describes stays a proto: its name would
    be taken for a string."""
    if attr_type is None and proto.WhichOneof("value") == "func":
        return proto.func
    return from_attr_value(proto, attr_type)


def _from_field(content: Any, field: str) -> Any:
    if field == "type":
        return dtypes.as_dtype(content)
    if field == "shape":
        return TensorShape(content)
    if field == "tensor":
        return _array(content)
    if field == "func":
        return content if content.attr else content.name
    return content


def _array(proto: Any) -> Any:
    from tf1compat.core.tensor_proto import proto_to_array

    if proto.dtype in dtypes.TF_TO_NP:
        return proto_to_array(proto)
    dtypes.as_dtype(proto.dtype)  # A dtype of which there are no arrays, or none at all.
    return proto


def public_value(value: Any, attr_type: str | None = None) -> Any:
    """A plain value as TF 1.15's `Operation.get_attr` gives it: shapes, tensors and functions are
    protos, floats are rounded to float32."""
    if type(value) in (bytes, int, bool) or isinstance(value, DType):
        return value
    proto = to_attr_value(value, attr_type)
    field = proto.WhichOneof("value")
    if field is None:
        return []
    if field == "type":
        return dtypes.as_dtype(proto.type)
    if field != "list":
        return getattr(proto, field)
    for list_field in _KINDS:
        content = getattr(proto.list, list_field)
        if content:
            return [dtypes.as_dtype(v) for v in content] if list_field == "type" else list(content)
    return []


def plain(value: Any, kind: str, attr: str) -> Any:
    """One attr value of the given kind in plain form, refused with TF's texts."""
    if kind == "bool":
        if not isinstance(value, bool | np.bool_):
            raise TypeError(f"Expected bool for argument '{attr}' not {value!r}.")
        return bool(value)
    if kind == "int":
        if isinstance(value, str):
            raise TypeError(f"Expected int for argument '{attr}' not {value!r}.")
        try:
            number = int(value)
        except (ValueError, TypeError):
            raise TypeError(f"Expected int for argument '{attr}' not {value!r}.") from None
        if not -(2**63) <= number < 2**63:
            raise ValueError(f"Value out of range: {number}")
        return number
    if kind == "float":
        if not isinstance(value, float | int | np.floating | np.integer):
            raise TypeError(f"Expected float for argument '{attr}' not {value!r}.")
        return float(np.float32(value))
    if kind == "string":
        if isinstance(value, str):
            return value.encode()
        if isinstance(value, bytes):
            return value
        raise TypeError(f"Expected string for argument '{attr}' not {value!r}.")
    if kind == "type":
        try:
            return dtypes.as_dtype(value).base_dtype
        except TypeError:
            raise TypeError(f"Expected DataType for argument '{attr}' not {value!r}.") from None
    if kind == "shape":
        prefix = f"Error converting {attr} to a TensorShape"
        try:
            shape = as_shape(value)
        except TypeError as error:
            raise TypeError(f"{prefix}: {error}.") from None
        except ValueError as error:
            raise ValueError(f"{prefix}: {error}.") from None
        for size in shape._dims or ():
            if size is not None and size >= 2**63:
                raise ValueError(f"{prefix}: Value out of range: {size}")
        return shape
    if kind == "func":
        if hasattr(value, "add_to_graph"):
            value.add_to_graph(context.default_graph())
            return value.name.decode() if isinstance(value.name, bytes) else value.name
        if isinstance(value, bytes):
            return value.decode()
        if isinstance(value, str) or type(value).__name__ == "NameAttrList":
            return value
        raise TypeError(f"Don't know how to convert {value} to a func for argument {attr}")
    return value
