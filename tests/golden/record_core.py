"""Records the goldens of core from the real TensorFlow 1.15.

    python3.7 -W ignore tests/golden/record_core.py      (an environment with tensorflow==1.15.5)

Evaluates the expressions of core_cases.py with TensorFlow's modules; writes data/core.json.
"""

import contextlib
import json
import os
import pathlib
import pickle
import re

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import core_cases
import numpy as np
import tensorflow as tf
from tensorflow.core.framework import tensor_pb2
from tensorflow.python.framework import device, dtypes, errors_impl, tensor_shape

tf.compat.v1.logging.set_verbosity("ERROR")


class ShapeError(ValueError):
    """What a shape function says, without the part that names the op."""


def _infer(build, *shapes):
    """The static shape of `build(*placeholders)`."""
    with tf.Graph().as_default():
        try:
            shape = build(*[tf.compat.v1.placeholder(tf.float32, s) for s in shapes]).shape
        except ValueError as e:
            raise ShapeError(re.split(r" for '|\n\t", str(e))[0])
        return None if shape.rank is None else shape.as_list()


# The shape algebra, asked of ops whose shape functions do just that.


def broadcast(a, b):
    return _infer(tf.add, a, b)


def merge(a, b):
    return _infer(lambda x, y: tf.add_n([x, y]), a, b)


def with_rank(shape, rank):
    assert rank == 2

    def build(features):
        labels = tf.compat.v1.placeholder(tf.int32)
        op = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits
        return op(features=features, labels=labels).backprop

    return _infer(build, shape)


def with_rank_at_least(shape, rank):
    assert rank == 2
    return _infer(lambda x, y: tf.raw_ops.MatrixSetDiag(input=x, diagonal=y), shape, None)


def num_elements(shape):
    return _infer(lambda x: tf.reshape(x, [-1]), shape)[0]


def subtract_dims(a, b):
    def build(x, kernel):
        return tf.raw_ops.Conv2D(input=x, filter=kernel, strides=[1] * 4, padding="VALID")

    size = _infer(build, (1, a, 1, 1), (b, 1, 1, 1))[1]
    return None if size is None else size - 1


def divide_dims(a, b):
    return _infer(lambda x: tf.split(x, b)[0], (a,))[0]


def device_of(*scopes):
    """The device of an op created in these scopes."""
    with tf.Graph().as_default(), contextlib.ExitStack() as stack:
        for scope in scopes:
            stack.enter_context(tf.device(scope))
        return tf.no_op().device


NAMESPACE = {
    "np": np,
    "pickle": pickle,
    "dtypes": dtypes,
    "D": tensor_shape.Dimension,
    "S": tensor_shape.TensorShape,
    "shapes": tensor_shape,
    "broadcast": broadcast,
    "merge": merge,
    "with_rank": with_rank,
    "with_rank_at_least": with_rank_at_least,
    "num_elements": num_elements,
    "subtract_dims": subtract_dims,
    "divide_dims": divide_dims,
    "errors": errors_impl,
    "op": core_cases.FakeOp,
    "device": device,
    "DeviceSpec": device.DeviceSpec,
    "device_of": device_of,
    "node": core_cases.FakeNode,
    "make": tf.make_tensor_proto,
    "array": tf.make_ndarray,
    "TensorProto": tensor_pb2.TensorProto,
}


def main():
    """Evaluates everything and writes data/core.json."""
    goldens = {
        section: {case: core_cases.evaluate(case, NAMESPACE) for case in cases()}
        for section, cases in core_cases.SECTIONS.items()
    }
    path = pathlib.Path(__file__).parent / "data" / "core.json"
    sections = []
    for section, outcomes in goldens.items():
        lines = ["  {}: {}".format(json.dumps(k), json.dumps(v)) for k, v in outcomes.items()]
        sections.append(" {}: {{\n{}\n }}".format(json.dumps(section), ",\n".join(lines)))
    path.write_text("{\n" + ",\n".join(sections) + "\n}\n")


if __name__ == "__main__":
    main()
