"""Python values that become tensors in eager execution, and those that do not.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

import collections
import re

import numpy as np
import recording


class Thing:
    def __repr__(self):
        return "Thing"


def sparse(tf):
    return tf.SparseTensor([[0, 1]], [2.0], [2, 2])


def floats(tf):
    return tf.constant([1.0, 2.0])


# Each: name -> the value that becomes a tensor, and its dtype if one is asked for.
VALUES = {
    "complex, float": ([1 + 2j, 3.0],),
    "float, complex": ([3.0, 1j],),
    "int, complex as complex64": ([1, 1j], "complex64"),
    "floats as complex64": ([3.0, 1.0], "complex64"),
    "complex64, float": ([np.complex64(1), 1.0],),
    "bool, int": ([True, 1],),
    "int, bool": ([1, True],),
    "bool as float": ([True], "float32"),
    "complex, string": ([1j, "a"],),
    "type": (object,),
    "object": (Thing(),),
    "objects": ([Thing()],),
    "int, object": ([1, Thing()],),
    "object as float": (Thing(), "float32"),
    "dict": ({"a": 1},),
    "set": ({1},),
    "None in a list": ([None],),
    "int, None": ([1, None],),
    "array of None": (np.array([None]),),
    "array of objects": (np.array([1, "a"], object),),
    "floats as strings": (np.array([1.5]), "string"),
    "large int": (2**70,),
    "large ints": ([2**70],),
    "float64 first": ([np.float64(1.5), 1],),
    "float64 later": ([1, np.float64(1.5)],),
    "int64": ([np.int64(1), 1],),
    "arrays": ([np.array([1, 2]), np.array([3, 4])],),
    "arrays of two dtypes": ([np.array([1, 2]), np.array([3, 4.5])],),
    "array and list": ([np.array([1, 2]), [3, 4]],),
    "arrays of two lengths": ([np.array([1, 2]), np.array([3])],),
    "range": (range(3),),
    "deque": (collections.deque([1, 2]),),
    "ragged": ([[1], [2, 3]],),
}

# Each: name -> a call.
CALLS = {
    "sparse": lambda tf: tf.convert_to_tensor(sparse(tf)),
    "sparse in a list": lambda tf: tf.convert_to_tensor([sparse(tf)]),
    "sparse + 1": lambda tf: tf.add(sparse(tf), 1.0),
    "ragged tensor": lambda tf: tf.convert_to_tensor(tf.ragged.constant([[1], [2, 3]])),
    "variable": lambda tf: tf.constant(tf.Variable(1)),
    "tensor": lambda tf: tf.constant(floats(tf)),
    "dimensions": lambda tf: tf.convert_to_tensor([tf.Dimension(3), 1]),
    "dtype": lambda tf: tf.convert_to_tensor(tf.float32),
    "float for bool": lambda tf: tf.raw_ops.LogicalNot(x=floats(tf)),
    "float for bool beside a list": lambda tf: tf.raw_ops.LogicalAnd(x=floats(tf), y=[True, True]),
    "variable beside a list": lambda tf: tf.raw_ops.LogicalAnd(
        x=tf.Variable([1.0]), y=[True, True]
    ),
    "array for bool": lambda tf: tf.raw_ops.LogicalNot(x=np.array([1.0, 0.0])),
    "list for bool": lambda tf: tf.raw_ops.LogicalNot(x=[1.0, 2.0]),
    "floats for int": lambda tf: tf.raw_ops.Add(x=[1.0, 2.0], y=tf.constant([1, 2])),
    "float tensor for int": lambda tf: tf.raw_ops.Add(x=floats(tf), y=tf.constant([1, 2])),
    "float for k": lambda tf: tf.raw_ops.TopKV2(input=[1, 2], k=floats(tf)),
    "array for string": lambda tf: tf.raw_ops.StringLength(input=np.array([1.5])),
}


def outcome(tf, function):
    """The dtype and the value of a call's result, or the exception."""
    try:
        result = function(tf)
    except Exception as error:
        text = re.sub(r"\bid=\d+", "id=<n>", recording.error_text(error))
        text = re.sub(r"0x[0-9a-f]+", "0x<address>", text)
        return {"raised": [type(error).__name__, text]}
    return {"dtype": result.dtype.name, "value": recording.describe_value(result.numpy())}


def outcomes(tf, eager_mode):
    """All outcomes, by name; `eager_mode` is a context manager."""
    calls = {name: (lambda tf, x=x: tf.convert_to_tensor(*x)) for name, x in VALUES.items()}
    with eager_mode():
        return {name: outcome(tf, call) for name, call in dict(calls, **CALLS).items()}
