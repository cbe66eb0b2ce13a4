import numpy as np
import pytest
from tensorboard.compat.proto.attr_value_pb2 import AttrValue, NameAttrList

from tf1compat.core import dtypes
from tf1compat.core.attr_value import from_attr_value, public_value, to_attr_value
from tf1compat.core.tensor_shape import TensorShape

# kind, plain value, text of the proto
TABLE = [
    ("string", b"VALID", 's: "VALID"'),
    ("int", 3, "i: 3"),
    ("int", 0, "i: 0"),
    ("float", 0.5, "f: 0.5"),
    ("bool", True, "b: true"),
    ("bool", False, "b: false"),
    ("type", dtypes.float32, "type: DT_FLOAT"),
    ("type", dtypes.float32_ref, "type: DT_FLOAT_REF"),
    ("shape", TensorShape([2, 3]), "shape { dim { size: 2 } dim { size: 3 } }"),
    ("shape", TensorShape([]), "shape { }"),
    ("shape", TensorShape(None), "shape { unknown_rank: true }"),
    ("func", "body", 'func { name: "body" }'),
    ("list(string)", [b"a", b"b"], 'list { s: "a" s: "b" }'),
    ("list(int)", [1, 2], "list { i: 1 i: 2 }"),
    ("list(int)", [], "list { }"),
    ("list(float)", [0.5], "list { f: 0.5 }"),
    ("list(bool)", [True, False], "list { b: true b: false }"),
    ("list(type)", [dtypes.int32, dtypes.string], "list { type: DT_INT32 type: DT_STRING }"),
    ("list(shape)", [TensorShape([2])], "list { shape { dim { size: 2 } } }"),
    ("list(func)", ["f"], 'list { func { name: "f" } }'),
]


@pytest.mark.parametrize("kind, value, text", TABLE)
def test_both_ways(kind, value, text):
    proto = to_attr_value(value, kind)
    assert " ".join(str(proto).split()) == text
    assert from_attr_value(AttrValue.FromString(proto.SerializeToString()), kind) == value
    assert from_attr_value(proto) == value
    if kind not in ("func", "list(func)"):  # without its kind a name is a string
        assert to_attr_value(value) == proto


def test_tensor():
    proto = to_attr_value(np.array([1, 2], np.int32), "tensor")
    assert proto.tensor.tensor_content == b"\1\0\0\0\2\0\0\0"
    array = from_attr_value(proto, "tensor")
    assert array.dtype == np.int32 and array.tolist() == [1, 2]
    assert to_attr_value(proto.tensor, "tensor") == proto


def test_shape_with_unknown_dimension():
    proto = to_attr_value(TensorShape([None, 2]), "shape")
    assert [d.size for d in proto.shape.dim] == [-1, 2]
    assert from_attr_value(proto, "shape").as_list() == [None, 2]


def test_function_with_attrs_stays_a_proto():
    function = NameAttrList(name="f", attr={"T": to_attr_value(dtypes.float32, "type")})
    proto = to_attr_value(function, "func")
    assert proto.func == function and from_attr_value(proto, "func") == function


def test_placeholder_stays_a_proto():
    proto = AttrValue(placeholder="T")
    assert to_attr_value(from_attr_value(proto, "type"), "type") == proto


@pytest.mark.parametrize(
    "value, kind, expected",
    [
        (0.1, "float", 0.10000000149011612),
        ([0.1], "list(float)", [0.10000000149011612]),
        ([dtypes.int32], "list(type)", [dtypes.int32]),
        ([], "list(int)", []),
        (TensorShape([2]), "shape", TensorShape([2]).as_proto()),
        (b"x", "string", b"x"),
        (dtypes.int32, "type", dtypes.int32),
    ],
)
def test_as_get_attr_gives_it(value, kind, expected):
    assert public_value(value, kind) == expected


def test_not_an_attr():
    with pytest.raises(TypeError, match="cannot be the value of an attr"):
        to_attr_value(object())
