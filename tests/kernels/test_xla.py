"""XLA's own operations, as `tensorflow.compiler.tf2xla.python.xla` records them, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tf1compat.api.functions.defun import Defun
from tf1compat.runtime import tiers

STATE = np.random.RandomState(0)
A, B = (STATE.uniform(-1, 1, shape).astype(np.float32) for shape in ((2, 3, 4), (2, 4, 5)))
IMAGE = STATE.uniform(-1, 1, (1, 5, 6, 2)).astype(np.float32)
FILTER = STATE.uniform(-1, 1, (2, 3, 2, 3)).astype(np.float32)
SQUARE = STATE.uniform(-1, 1, (3, 3)).astype(np.float32)
KEYS, VALUES = (STATE.uniform(-1, 1, (2, 6)).astype(np.float32) for _ in range(2))
# DotDimensionNumbers: contracting 2 and 1, batch 0 and 0; ConvolutionDimensionNumbers: NHWC, HWIO.
DOT = b"\x0a\x01\x02\x12\x01\x01\x1a\x01\x00\x22\x01\x00"
CONVOLUTION = (
    b"\x18\x02\x20\x03\x32\x02\x00\x01\x38\x00\x40\x03"
    b"\x48\x00\x50\x03\x5a\x02\x01\x02\x62\x02\x01\x02"
)


def _ints(*values):
    return np.array(values, np.int32)


def _updated():
    found = A.copy()
    found[1:2, 1:3, 1:3] = 7.0
    return found


def _padded():
    found = np.full((4, 7), 9.0, np.float32)
    found[1:, ::3] = SQUARE
    return found


CASES = {
    "XlaDot": ({"lhs": A, "rhs": B, "dimension_numbers": DOT, "precision_config": ""}, A @ B),
    "XlaEinsum": ({"a": A, "b": B, "equation": "bij,bjk->bik"}, A @ B),
    "XlaPad": (
        {"input": SQUARE, "padding_value": np.float32(9), "padding_low": _ints(1, 0),
         "padding_high": _ints(0, 0), "padding_interior": _ints(0, 2)}, _padded(),
    ),
    "XlaDynamicSlice": (
        {"input": A, "start_indices": _ints(1, 1, 2), "size_indices": _ints(1, 2, 2)},
        A[1:, 1:, 2:],
    ),
    "XlaDynamicUpdateSlice": (
        {"input": A, "update": np.full((1, 2, 2), 7, np.float32), "indices": _ints(1, 1, 1)},
        _updated(),
    ),
    "XlaSort": ({"input": KEYS}, np.sort(KEYS)),
    "XlaKeyValueSort": (
        {"keys": KEYS, "values": VALUES},
        [np.sort(KEYS), np.take_along_axis(VALUES, np.argsort(KEYS), 1)],
    ),
    "XlaBroadcastHelper": (
        {"lhs": A, "rhs": KEYS[0, :3], "broadcast_dims": _ints(1)},
        [A, KEYS[0, :3].reshape(1, 3, 1)],
    ),
    "XlaReplicaId": ({}, 0),
    "XlaClusterOutput": ({"input": A}, A),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_values(tf, name):
    inputs, expected = CASES[name]
    found = getattr(tf.raw_ops, name)(**inputs)
    with tf.Session() as session:
        values = session.run(list(found) if isinstance(expected, list) else found)
    expected = expected if isinstance(expected, list) else [expected]
    for value, wanted in zip(values if len(expected) > 1 else [values], expected, strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-6)


def test_convolution(tf):
    found = tf.raw_ops.XlaConv(
        lhs=IMAGE, rhs=FILTER, window_strides=_ints(1, 2), padding=_ints([1, 0], [0, 2]),
        lhs_dilation=_ints(1, 1), rhs_dilation=_ints(1, 1), feature_group_count=1,
        dimension_numbers=CONVOLUTION, precision_config="",
    )  # fmt: skip
    padded = tf.pad(IMAGE, [[0, 0], [1, 0], [0, 2], [0, 0]])
    expected = tf.nn.conv2d(padded, FILTER, [1, 1, 2, 1], "VALID")
    with tf.Session() as session:
        value, wanted = session.run([found, expected])
    np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-6)


def test_decompositions(tf):
    symmetric = SQUARE + SQUARE.T
    raw, rule = tf.raw_ops, {"max_iter": 100, "epsilon": 1e-6}
    values, vectors = raw.XlaSelfAdjointEig(a=symmetric, lower=True, **rule)
    s, u, v = raw.XlaSvd(a=SQUARE, precision_config="", **rule)
    with tf.Session() as session:
        values, vectors, s, u, v = session.run([values, vectors, s, u, v])
    np.testing.assert_allclose(vectors * values @ vectors.T, symmetric, atol=1e-5)
    np.testing.assert_allclose(u * s @ v.T, SQUARE, atol=1e-5)


def test_control_flow_and_calls(tf):
    more = Defun(tf.float32)(lambda x: x + 1.0)
    twice = Defun(tf.float32)(lambda x: x * 2.0)
    small = Defun(tf.float32)(lambda x: x < 10.0)
    raw = tf.raw_ops
    chosen = [
        raw.XlaIf(cond=flag, inputs=[1.5], then_branch=more, else_branch=twice, Tout=[tf.float32])[
            0
        ]
        for flag in (True, False)
    ]
    looped = raw.XlaWhile(input=[1.0], cond=small, body=twice)[0]
    here = raw.RemoteCall(
        target="/job:localhost/replica:0/task:0/device:CPU:0", args=[2.0], Tout=[tf.float32], f=more
    )[0]
    with tf.Session() as session:
        assert session.run([*chosen, looped, here]) == [2.5, 3.0, 16.0, 3.0]
        far = raw.RemoteCall(target="/job:ps/task:0", args=[2.0], Tout=[tf.float32], f=more)[0]
        with pytest.raises(tf.errors.UnimplementedError, match="RemoteCall to /job:ps/task:0"):
            session.run(far)


@pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])
def test_launched_function(tf, tier):
    variable = tf.Variable(2.0, use_resource=True)

    @Defun(tf.float32, tf.float32, tf.resource)
    def function(a, b, handle):
        update = tf.raw_ops.AssignAddVariableOp(resource=handle, value=a)
        with tf.control_dependencies([update]):
            return a * b, tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)

    found = tf.raw_ops.XlaLaunch(
        constants=[3.0], args=[4.0], resources=[variable.handle],
        Tresults=[tf.float32, tf.float32], function=function,
    )  # fmt: skip
    with tiers.tier(tier), tf.Session() as session:
        session.run(variable.initializer)
        assert session.run(list(found)) == [12.0, 5.0]
        assert session.run(variable) == 5.0


def test_gradient_of_an_einsum(tf):
    a, b = tf.constant(A), tf.constant(B)
    grads = tf.gradients(tf.raw_ops.XlaEinsum(a=a, b=b, equation="bij,bjk->bik"), [a, b])
    with tf.Session() as session:
        values = session.run(grads)
    ones = np.ones((2, 3, 5), np.float32)
    np.testing.assert_allclose(values[0], ones @ B.transpose(0, 2, 1), rtol=1e-5)
    np.testing.assert_allclose(values[1], A.transpose(0, 2, 1) @ ones, rtol=1e-5)


def test_negative_padding(tf):
    widths = {name: _ints(0, 0) for name in ("padding_low", "padding_interior")}
    found = tf.raw_ops.XlaPad(input=SQUARE, padding_value=0.0, padding_high=_ints(0, -1), **widths)
    with (
        tf.Session() as session,
        pytest.raises(
            tf.errors.InvalidArgumentError, match=r"padding_high must be non-negative, got \[0,-1\]"
        ),
    ):
        session.run(found)


@pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])
def test_reductions_by_functions(tf, tier):
    add = Defun(tf.float32, tf.float32)(lambda a, b: a + b)
    greater = Defun(tf.float32, tf.float32)(lambda a, b: tf.maximum(a, b))
    not_less = Defun(tf.float32, tf.float32)(lambda a, b: a >= b)
    raw = tf.raw_ops
    image = np.float32([[1, 5, 2, 0, 3], [4, 2, 8, 6, 7], [1, 9, 3, 2, 5]])
    ones = _ints(1, 1)
    fetches = [
        raw.XlaReduce(input=A, init_value=1.0, dimensions_to_reduce=[0, 2], reducer=add),
        raw.XlaReduce(input=A, init_value=0.5, dimensions_to_reduce=[1], reducer=greater),
        raw.XlaReduceWindow(
            input=image, init_value=0.0, window_dimensions=_ints(2, 2),
            window_strides=_ints(1, 2), base_dilations=ones, window_dilations=_ints(1, 2),
            padding=np.int32([[0, 0], [1, 0]]), computation=add,
        ),
        raw.XlaReduceWindow(
            input=image, init_value=-1.0, window_dimensions=_ints(1, 3),
            window_strides=_ints(3, 2), base_dilations=_ints(2, 2), window_dilations=ones,
            padding=np.int32([[0, 0], [0, 0]]), computation=greater,
        ),
        raw.XlaSelectAndScatter(
            operand=image, window_dimensions=_ints(2, 2), window_strides=_ints(1, 2),
            padding=np.int32([[0, 0], [0, 1]]), source=np.float32([[1, 2, 3], [4, 5, 6]]),
            init_value=0.5, select=not_less, scatter=add,
        ),
    ]  # fmt: skip
    with tiers.tier(tier), tf.Session() as session:
        found = session.run(fetches)
    np.testing.assert_allclose(found[0], 1 + A.sum((0, 2)), rtol=1e-5)
    np.testing.assert_array_equal(found[1], np.maximum(0.5, A.max(1)))
    # Windows at columns -1 and 1, 1 and 3.
    columns = np.stack([image[:, 1], image[:, 1] + image[:, 3]], 1)
    np.testing.assert_array_equal(found[2], columns[:-1] + columns[1:])
    np.testing.assert_array_equal(found[3], [[5, 5, 2, 3], [-1] * 4])
    scattered = np.full(image.shape, 0.5, np.float32)
    for row, column, value in ((0, 1, 1), (1, 2, 2), (1, 4, 3), (2, 1, 4), (1, 2, 5), (1, 4, 6)):
        scattered[row, column] += value
    np.testing.assert_array_equal(found[4], scattered)
