import pickle

import numpy as np
import pytest
from core_goldens import NAMESPACE, cases, check, goldens
from tensorboard.compat.proto.tensor_pb2 import TensorProto

from tf1compat.core import dtypes, tensor_proto
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_proto import array_to_proto, as_array, make_ndarray, proto_to_array


@cases("tensor_proto")
def test_as_tensorflow(expression):
    check("tensor_proto", expression)


def _recorded_protos():
    for expression, outcome in goldens("tensor_proto").items():
        if expression.startswith("make(") and outcome[0] == "value":
            yield expression, TensorProto.FromString(bytes.fromhex(outcome[1]["proto"]))


@pytest.mark.parametrize("expression, proto", list(_recorded_protos()))
def test_as_array_keeps_the_proto(expression, proto):
    array = eval(expression, NAMESPACE | {"make": as_array})
    expected = make_ndarray(proto)
    assert array.dtype == expected.dtype and array.shape == expected.shape
    assert array.tobytes() == expected.tobytes() or (array == expected).all()
    # TF lists a value even where the shape has room for none; as an array it is gone.
    if array.size or not proto.ByteSize() > array_to_proto(array).ByteSize():
        assert array_to_proto(array) == proto
        assert array_to_proto(proto_to_array(proto)) == proto


def test_as_array_copies():
    values = np.arange(6.0).reshape(2, 3)
    for dtype in [None, dtypes.float64]:
        assert not np.shares_memory(as_array(values, dtype), values)
    assert as_array(values.T).flags.c_contiguous


@pytest.mark.parametrize("name", ["<f4", ">f4", "i8", "?", "c8", ">u2", "f2"])
def test_arrays_have_the_dtype_objects_of_numpy(name):
    # What computes with them compares dtypes by identity first; pickled arrays have others.
    dtype = pickle.loads(pickle.dumps(np.dtype(name)))
    assert as_array(np.ones(2, dtype)).dtype is np.dtype(dtype.type)


def test_a_repeated_value_takes_no_memory():
    array = as_array(1.5, dtypes.float32, [10**6, 10**6])
    assert array.shape == (10**6, 10**6) and array_to_proto(array).float_val == [1.5]


def test_tensors_are_no_values():
    tensor = object.__new__(Tensor)
    for values in (tensor, [1.0, tensor], [[tensor]]):
        with pytest.raises(TypeError, match="List of Tensors when single Tensor expected"):
            as_array(values)


def test_larger_than_2gb(monkeypatch):
    # An array without strides, and no copy of it: nothing of that size is ever written.
    monkeypatch.setattr(tensor_proto, "_from_array", lambda values, dtype: values)
    values = np.broadcast_to(np.int8(0), (2**31,))
    message = "Cannot create a tensor proto whose content is larger than 2GB."
    for function in (as_array, tensor_proto.make_tensor_proto):
        with pytest.raises(ValueError, match=message):
            function(values)


def test_big_endian_values_are_kept():
    # TF 1.15 writes the bytes as they are, which changes the numbers.
    assert make_ndarray(array_to_proto(as_array(np.array([1, 2], ">i4")))).tolist() == [1, 2]
