"""`tensorflow.python.saved_model.nested_structure_coder`: nested Python values as `StructuredValue`
protos."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.control_flow import tensor_array_ops
from tf1compat.api.data.ops import dataset_spec, iterator_ops, optional_ops
from tf1compat.api.ragged import ragged_tensor_spec
from tf1compat.core import dtypes, indexed_slices, protos, sparse_tensor, type_spec
from tf1compat.core.tensor_shape import TensorShape

# Field of the proto that holds a plain value -> its Python type. A bool is an int, too.
_PLAIN = {
    "bool_value": bool,
    "int64_value": int,
    "float64_value": float,
    "string_value": str,
}

# Numbers of the enum TypeSpecProto.TypeSpecClass.
_SPECS: dict[int, type[type_spec.TypeSpec]] = {
    1: sparse_tensor.SparseTensorSpec,
    2: indexed_slices.IndexedSlicesSpec,
    3: ragged_tensor_spec.RaggedTensorSpec,
    4: tensor_array_ops.TensorArraySpec,
    5: dataset_spec.DatasetSpec,
    6: iterator_ops.IteratorSpec,
    7: optional_ops.OptionalSpec,
}


class NotEncodableError(Exception):
    """A value that the proto can't hold."""


class StructureCoder:
    """Writes and reads the protos."""

    def encode_structure(self, nested_structure: Any) -> Any:
        """The proto of a value.

        Args:
          nested_structure: lists, tuples, dicts and named tuples of plain Python values, dtypes,
            shapes and `tf.TypeSpec`s.

        Raises:
          NotEncodableError: there is something else in it.
        """
        made = protos.StructuredValue()
        _encode(nested_structure, made)
        return made

    def can_encode(self, nested_structure: Any) -> bool:
        """Whether `encode_structure` takes a value."""
        try:
            self.encode_structure(nested_structure)
        except NotEncodableError:
            return False
        return True

    def decode_proto(self, proto: Any) -> Any:
        """The value that a proto holds.

        Raises:
          NotEncodableError: it holds none.
          ValueError: it holds a `tf.TypeSpec` that TF 1.15 doesn't have.
        """
        kind = proto.WhichOneof("kind")
        if kind is None:
            raise _no_encoder(proto)
        if kind in _PLAIN:
            return getattr(proto, kind)
        return _READERS[kind](getattr(proto, kind), self.decode_proto)


def _no_encoder(value: Any) -> NotEncodableError:
    return NotEncodableError(f"No encoder for object [{value}] of type [{type(value)}].")


def _encode(value: Any, made: Any) -> None:
    """Writes a value into a proto."""
    if value is None:
        made.none_value.SetInParent()
    elif isinstance(value, list):
        _encode_items(value, made.list_value)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        made.named_tuple_value.name = type(value).__name__
        for key, item in zip(value._fields, value):  # type: ignore[attr-defined]
            _encode(item, made.named_tuple_value.values.add(key=key).value)
    elif isinstance(value, tuple):
        _encode_items(value, made.tuple_value)
    elif isinstance(value, dict):
        made.dict_value.SetInParent()
        for key, item in value.items():
            _encode(item, made.dict_value.fields[key])
    elif isinstance(value, TensorShape):
        made.tensor_shape_value.CopyFrom(value.as_proto())
    elif isinstance(value, dtypes.DType):
        made.tensor_dtype_value = value.as_datatype_enum
    elif isinstance(value, type_spec.TensorSpec):
        made.tensor_spec_value.shape.CopyFrom(value.shape.as_proto())
        made.tensor_spec_value.dtype = value.dtype.as_datatype_enum
        made.tensor_spec_value.name = value.name or ""
    elif type(value) in _SPECS.values():
        (number,) = (number for number, spec in _SPECS.items() if spec is type(value))
        made.type_spec_value.type_spec_class = number
        made.type_spec_value.type_spec_class_name = type(value).__name__
        _encode(value._serialize(), made.type_spec_value.type_state)
    else:
        field = next((field for field, kind in _PLAIN.items() if isinstance(value, kind)), None)
        if field is None:
            raise _no_encoder(value)
        setattr(made, field, value)


def _encode_items(items: Any, made: Any) -> None:
    made.SetInParent()
    for item in items:
        _encode(item, made.values.add())


def _named_tuple(proto: Any, decode: Callable[[Any], Any]) -> Any:
    fields = [pair.key for pair in proto.values]
    return collections.namedtuple(proto.name, fields)(*(decode(p.value) for p in proto.values))


def _tensor_spec(proto: Any, decode: Callable[[Any], Any]) -> Any:
    shape, dtype = TensorShape(proto.shape), dtypes.as_dtype(proto.dtype)
    return type_spec.TensorSpec(shape, dtype, proto.name or None)


def _type_spec(proto: Any, decode: Callable[[Any], Any]) -> Any:
    if proto.type_spec_class not in _SPECS:
        raise ValueError(
            f"The type '{proto.type_spec_class_name}' is not supported by this version of "
            "TensorFlow. (The object you are loading must have been created with a newer version "
            "of TensorFlow.)"
        )
    return _SPECS[proto.type_spec_class]._deserialize(decode(proto.type_state))


# Field of the proto -> (what it holds, the decoder of values in it) -> the value.
_READERS: dict[str, Callable[[Any, Callable[[Any], Any]], Any]] = {
    "none_value": lambda proto, decode: None,
    "list_value": lambda proto, decode: [decode(item) for item in proto.values],
    "tuple_value": lambda proto, decode: tuple(decode(item) for item in proto.values),
    "dict_value": lambda proto, decode: {k: decode(proto.fields[k]) for k in proto.fields},
    "named_tuple_value": _named_tuple,
    "tensor_shape_value": lambda proto, decode: TensorShape(proto),
    "tensor_dtype_value": lambda value, decode: dtypes.as_dtype(value),
    "tensor_spec_value": _tensor_spec,
    "type_spec_value": _type_spec,
}
