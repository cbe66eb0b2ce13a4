"""`tf.io.decode_proto` and `tf.io.encode_proto`.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_proto.py`.
"""

from __future__ import annotations

import numpy as np
from op_cases import _OneByOne

# TensorShapeProto: dims 3 ("a") and 4, of unknown rank; and nothing.
_SHAPES = [b"\x12\x05\x08\x03\x12\x01a\x12\x02\x08\x04\x18\x01", b""]
_SHAPE, _INTS = "tensorflow.TensorShapeProto", "tensorflow.Int64List"


def _source():
    """A message of proto2 with fields of many kinds, as a descriptor source; and an instance."""
    from google.protobuf import descriptor_pb2

    files = descriptor_pb2.FileDescriptorSet()
    file = files.file.add(name="kinds.proto", package="kinds", syntax="proto2")
    message = file.message_type.add(name="All")
    fields = (
        ("u32", 13, 1, "7"), ("u64", 4, 1, ""), ("s32", 17, 3, ""), ("fixed", 6, 1, ""),
        ("text", 9, 3, ""), ("data", 12, 1, "zz"), ("real", 1, 1, "2.5"), ("flag", 8, 1, "true"),
        ("half", 2, 1, ""),
    )  # fmt: skip
    for i, (name, kind, label, default) in enumerate(fields):
        message.field.add(
            name=name, number=i + 1, type=kind, label=label, default_value=default or None
        )
    return b"bytes://" + files.SerializeToString()


_ALL = b"\x08\x85\x01\x10\x03\x18\x01\x18\x04\x2a\x01a\x2a\x02bc\x40\x00"


def _decoded(*args, **kwargs):
    def record(tf):
        found = tf.io.decode_proto(args[0], args[1], args[2], _types(tf, args[3]), **kwargs)
        return _OneByOne([list(found.values) + [found.sizes]])

    return record


def _types(tf, names):
    return [tf.as_dtype(name) for name in names]


def _encoded(sizes, values, names, message, **kwargs):
    def record(tf):
        return _OneByOne([tf.io.encode_proto(sizes, values, names, message, **kwargs)])

    return record


_BOTH = ["unknown_rank", "dim"]
DECODED = {
    "shapes": _decoded(_SHAPES, _SHAPE, _BOTH, ["bool", "string"]),
    "matrix": _decoded([_SHAPES], _SHAPE, ["dim"], ["string"]),
    "scalar": _decoded(_SHAPES[0], _SHAPE, ["unknown_rank"], ["bool"]),
    "text": _decoded(["unknown_rank: true"], _SHAPE, ["unknown_rank"], ["bool"],
                     message_format="text"),
    "bad_text": _decoded(["zork: 1"], _SHAPE, ["dim"], ["string"], message_format="text"),
    "format": _decoded(_SHAPES, _SHAPE, ["dim"], ["string"], message_format="xml"),
    "message": _decoded(_SHAPES, "tensorflow.Nope", ["dim"], ["string"]),
    "field": _decoded(_SHAPES, _SHAPE, ["nope"], ["string"]),
    "dtype": _decoded(_SHAPES, _SHAPE, ["dim"], ["int32"]),
    "garbage": _decoded([b"\xff\xff"], _SHAPE, ["dim"], ["string"]),
    "count": _decoded(_SHAPES, _SHAPE, _BOTH, ["bool"]),
    "ints": _decoded([b"\n\x03\x01\x02\x03", b""], _INTS, ["value"], ["int64"]),
    "kinds": _decoded([_ALL, b""], "kinds.All",
                      ["u32", "u64", "s32", "fixed", "text", "data", "real", "flag", "half"],
                      ["uint32", "uint64", "int32", "uint64", "string", "string", "float64", "bool",
                       "float32"], descriptor_source=_source()),
    "source": _decoded([b""], "kinds.All", ["u32"], ["uint32"], descriptor_source="bytes://zzz"),
}  # fmt: skip
ENCODED = {
    "shape": _encoded([[1, 2]], [np.array([[True]]), np.array([[b"\x08\x03", b"\x08\x04"]])],
                      _BOTH, _SHAPE),
    "ints": _encoded([[3], [1]], [np.array([[1, 2, 3], [4, 0, 0]])], ["value"], _INTS),
    "large": _encoded([[3], [1]], [np.array([[1, 2], [4, 0]])], ["value"], _INTS),
    "kinds": _encoded([[2, 1, 1]], [np.array([[-1, 2]], np.int32), np.array([[b"hh"]]),
                      np.array([[2.5]])], ["s32", "data", "real"], "kinds.All",
                      descriptor_source=_source()),
    "dtype": _encoded([[1]], [np.array([[2.5]], np.float32)], ["value"], _INTS),
    "field": _encoded([[1]], [np.array([[2]])], ["nope"], _INTS),
    "sizes": _encoded([[1, 1]], [np.array([[2]])], ["value"], _INTS),
    "twice": _encoded([[2]], [np.array([[True, False]])], ["unknown_rank"], _SHAPE),
}  # fmt: skip
CASES = {"decode": DECODED, "encode": ENCODED}
MISTAKES = {
    "encode": {"rank": _encoded([1], [np.array([2])], ["value"], _INTS)},
}
