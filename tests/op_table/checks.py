"""Rows of ops that check, print or order."""

from __future__ import annotations

import numpy as np

from op_table.case import Case, arr, val

NAN, INF = float("nan"), float("inf")


def _guarded(check):
    """Records `x` under the control of an assertion."""

    def record(tf, x, *rest):
        with tf.control_dependencies([check(tf, x, *rest)]):
            return tf.identity(x)

    return record


CASES = [
    Case("Assert", _guarded(lambda tf, x: tf.Assert(tf.reduce_all(x > -9), [x])), [arr(3)]),
    Case(
        "Assert",
        _guarded(lambda tf, x: tf.Assert(tf.reduce_all(x > 9), ["wrong", x])),
        [val([1.0, 2.5])],
        "fails",
        raises=True,
    ),
    Case(
        "Assert",
        _guarded(lambda tf, x: tf.Assert(tf.reduce_all(x > 9), [x], summarize=2)),
        [val([1, 2, 3, 4], "int32")],
        "summarize",
        raises=True,
    ),
    Case("Assert", _guarded(lambda tf, x: tf.assert_equal(x, x)), [arr(3)], "equal"),
    Case(
        "Assert",
        _guarded(lambda tf, x, y: tf.assert_equal(x, y)),
        [val([1, 2], "int32"), val([1, 3], "int32")],
        "equal_fails",
        raises=True,
    ),
    Case(
        "Assert",
        _guarded(lambda tf, x, y: tf.assert_equal(x, y, message="mine")),
        [val([1, 2], "int32"), val([1, 3], "int32")],
        "equal_message",
        raises=True,
    ),
    Case(
        "Assert",
        lambda tf: tf.assert_equal(tf.constant([1, 2]), tf.constant([1, 3])),
        label="equal_static",
        raises=True,
    ),
    Case("Assert", _guarded(lambda tf, x: tf.assert_positive(x)), [val([1.0, 2.0])], "positive"),
    Case(
        "Assert",
        _guarded(lambda tf, x: tf.assert_positive(x)),
        [val([1.0, 0.0])],
        "positive_fails",
        raises=True,
    ),
    Case(
        "Assert",
        _guarded(lambda tf, x: tf.assert_non_negative(x)),
        [val([1.0, -1.0])],
        "non_negative_fails",
        raises=True,
    ),
    Case(
        "Assert",
        _guarded(lambda tf, x, y: tf.assert_less(x, y)),
        [val([1.0]), val([0.0])],
        "less_fails",
        raises=True,
    ),
    Case(
        "Assert",
        _guarded(lambda tf, x, y: tf.assert_greater_equal(x, y)),
        [val([1.0]), val([1.0])],
        "greater_equal",
        smooth=False,
    ),
    Case("Assert", _guarded(lambda tf, x: tf.assert_rank(x, 1)), [arr(3)], "rank"),
    Case("Assert", lambda tf, x: tf.assert_rank(x, 2), [arr(3)], "rank_static", raises=True),
    Case("Assert", lambda tf, x: tf.assert_type(x, tf.int32), [arr(3)], "type", raises=True),
    Case("Assert", lambda tf, x: tf.assert_integer(x), [arr(3)], "integer", raises=True),
    Case("Assert", lambda tf, x: tf.assert_scalar(x), [arr(3)], "scalar", raises=True),
    Case("CheckNumerics", lambda tf, x: tf.check_numerics(x, "here"), [arr(3)], second=True),
    Case(
        "CheckNumerics",
        lambda tf, x: tf.check_numerics(x, "here"),
        [val([1.0, NAN])],
        "nan",
        ["float32", "float64", "float16"],
        raises=True,
    ),
    Case(
        "CheckNumerics",
        lambda tf, x: tf.check_numerics(x, "here"),
        [val([1.0, INF])],
        "infinity",
        ["float32"],
        raises=True,
    ),
    Case(
        "CheckNumerics",
        lambda tf, x: tf.check_numerics(x, "here"),
        [val([NAN, INF])],
        "both",
        ["float32"],
        raises=True,
    ),
    Case(
        "CheckNumerics", lambda tf, x: tf.verify_tensor_all_finite(x, "finite"), [arr(3)], "verify"
    ),
    Case(
        "CheckNumerics",
        lambda tf, x: tf.verify_tensor_all_finite(x, "finite"),
        [val([1.0, NAN])],
        "verify_nan",
        raises=True,
    ),
    Case("Print", lambda tf, x: tf.Print(x, [x], "x: "), [arr(3)]),
    Case(
        "Print",
        lambda tf, x: tf.Print(x, [x, tf.shape(x)], first_n=1, summarize=2),
        [arr(3)],
        "first_n",
    ),
    Case("NoOp", lambda tf: tf.no_op()),
    Case("ControlTrigger", lambda tf: tf.raw_ops.ControlTrigger()),
    Case(
        "Placeholder",
        lambda tf: tf.placeholder(tf.float32, [2], name="mine"),
        label="not_fed",
        raises=True,
    ),
    Case(
        "Placeholder",
        lambda tf: tf.placeholder(tf.float32) + 1.0,
        label="not_fed_unknown",
        raises=True,
    ),
    Case("Identity", lambda tf, x: tf.tuple([x, x * 2]), [arr(2)], "tuple"),
    Case("Identity", lambda tf, x: tf.guarantee_const(x), [arr(2)], "guarantee_const", grad=()),
    Case(
        "PyFuncStateless",
        lambda tf, x: tf.py_func(lambda v: np.cos(v), [x], x.dtype, stateful=False),
        [arr(3)],
        grad=(),
        no_jax="host",
    ),
    Case(
        "EagerPyFunc",
        lambda tf, x: tf.py_function(lambda v: v * v, [x], x.dtype),
        [arr(3)],
        no_jax="host",
    ),
    Case(
        "PyFunc",
        lambda tf, x: tf.py_func(lambda v: np.sin(v), [x], x.dtype),
        [arr(3)],
        grad=(),
        no_jax="host",
    ),
    Case(
        "PyFunc",
        lambda tf, x: tf.py_func(lambda v: (v + 1, np.int64(len(v))), [x], [x.dtype, tf.int64]),
        [arr(3)],
        "two",
        grad=(),
        no_jax="host",
    ),
    Case(
        "PyFunc",
        lambda tf, x: tf.py_func(lambda v: np.int32(1), [x], x.dtype),
        [arr(3)],
        "wrong_dtype",
        raises=True,
    ),
]
