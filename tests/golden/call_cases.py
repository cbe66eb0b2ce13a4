"""Calls with unusual arguments: what each records, gives and refuses.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

import numpy as np
import recording


def fed(value, dtype, shape=None):
    """A placeholder of which only `shape` is known, and its feed."""
    return Fed(np.array(value), dtype, shape)


class Fed:
    def __init__(self, value, dtype, shape):
        self.value, self.dtype, self.shape = value, dtype, shape


def second_order(tf, y, *xs):
    return tf.gradients(tf.gradients(y, xs), xs)


# Each: name, function of `tf` and of placeholders, and what these are fed.
CASES = {
    "argmax/scalar": (lambda tf, x: tf.argmax(x, 0), fed(2.0, "float32")),
    "argmin/last of a scalar": (lambda tf, x: tf.argmin(x, -1), fed(2.0, "float32")),
    "pad/strings": (lambda tf, x: tf.pad(x, [[1, 0]]), fed([b"a", b"b"], "string")),
    "zeros_like/strings": (lambda tf, x: tf.zeros_like(x), fed([b"a", b"b"], "string")),
    "zeros_like/to strings": (
        lambda tf, x: tf.zeros_like(x, dtype="string"),
        fed([[1.0, 2.0]], "float32"),
    ),
    "fill/strings": (lambda tf, x: tf.fill(x, "a"), fed([2], "int32", [1])),
    "scatter_nd/strings": (
        lambda tf, x: tf.scatter_nd([[0], [2]], x, [4]),
        fed([b"a", b"b"], "string"),
    ),
    "range/vector": (lambda tf: tf.range([5]),),
    "linspace/vector": (lambda tf: tf.linspace([0.0], 1.0, 3),),
    "roll/more shifts than axes": (lambda tf: tf.roll([1, 2, 3], [1, 2], [0]),),
    "set_diag/rank from the diagonal": (
        lambda tf, x: tf.matrix_set_diag(x, [9.0, 8.0]),
        fed([[1.0, 2.0], [3.0, 4.0]], "float32"),
    ),
    "scatter_nd_update/rank": (
        lambda tf: tf.scatter_nd_update(tf.Variable([[1.0, 2.0]]), [0], [[1.0, 2.0]]),
    ),
    "conv2d/groups": (
        lambda tf: tf.nn.conv2d(
            np.zeros([1, 3, 3, 4], "f"), np.zeros([2, 2, 2, 3], "f"), 1, "SAME"
        ),
    ),
    "conv3d/depth": (
        lambda tf: tf.nn.conv3d(
            np.zeros([1, 3, 3, 3, 3], "f"), np.zeros([2, 2, 2, 2, 3], "f"), [1] * 5, "SAME"
        ),
    ),
    "weighted_cross_entropy/names": (
        lambda tf: tf.nn.weighted_cross_entropy_with_logits(
            targets=[0.0, 1.0], logits=[1.0, 2.0], pos_weight=2.0
        ),
    ),
    "gradients/sum over the axes of a broadcast": (
        lambda tf, x, y: second_order(tf, tf.math.xlogy(x, y), x, y),
        fed([0.5, 3.0], "float32", [2]),
        fed([[2.0], [1.5]], "float32", [2, 1]),
    ),
}


def outcome(tf, function, *feeds):
    """Describes what a call records and, if it is run, gives; or what it raises."""
    with tf.Graph().as_default() as graph:
        places = [tf.placeholder(x.dtype, x.shape) for x in feeds]
        try:
            results = function(tf, *places)
        except Exception as error:
            return {"raised": [type(error).__name__, recording.error_text(error)]}
        found = {"graph": recording.describe_graph(graph)}
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            try:
                values = session.run(results, dict(zip(places, [x.value for x in feeds])))
            except Exception as error:
                found["raised"] = [type(error).__name__, recording.error_text(error)]
            else:
                found["values"] = recording.describe_value(values)
    return found
