"""Rows of elementwise ops with two inputs, and of those with three."""

from __future__ import annotations

import numpy as np

from op_table.case import (
    COMPLEX,
    DEFAULT,
    EVERYTHING,
    FLOATS,
    INTS,
    SIGNED,
    Case,
    arr,
    bools,
    ints,
    val,
)

# op type, function, ranges of x and y in the smooth rows.
ARITHMETIC = [
    ("Add", lambda tf, x, y: tf.add(x, y), (-2, 2), (-2, 2)),
    ("AddV2", lambda tf, x, y: x + y, (-2, 2), (-2, 2)),
    ("Sub", lambda tf, x, y: tf.subtract(x, y), (-2, 2), (-2, 2)),
    ("Mul", lambda tf, x, y: tf.multiply(x, y), (-2, 2), (-2, 2)),
    ("Div", lambda tf, x, y: tf.div(x, y), (-9, 9), (1, 3)),
    ("NextAfter", lambda tf, x, y: tf.math.nextafter(x, y), (-2, 2), (-2, 2)),
    ("RealDiv", lambda tf, x, y: tf.truediv(x, y), (-9, 9), (1, 3)),
    ("TruncateDiv", lambda tf, x, y: tf.truncatediv(x, y), (-9, 9), (2, 5)),
    ("FloorDiv", lambda tf, x, y: tf.floordiv(x, y), (-9, 9), (2, 5)),
    ("FloorMod", lambda tf, x, y: tf.floormod(x, y), (-9, 9), (2, 5)),
    ("TruncateMod", lambda tf, x, y: tf.truncatemod(x, y), (-9, 9), (2, 5)),
    ("Mod", lambda tf, x, y: tf.raw_ops.Mod(x=x, y=y), (-9, 9), (2, 5)),
    ("Maximum", lambda tf, x, y: tf.maximum(x, y), (-9, 9), (-9, 9)),
    ("Minimum", lambda tf, x, y: tf.minimum(x, y), (-9, 9), (-9, 9)),
    ("Pow", lambda tf, x, y: tf.pow(x, y), (0.5, 2.5), (0, 3)),
    ("SquaredDifference", lambda tf, x, y: tf.squared_difference(x, y), (-2, 2), (-2, 2)),
    ("Atan2", lambda tf, x, y: tf.atan2(x, y), (-2, 2), (0.5, 2)),
    ("DivNoNan", lambda tf, x, y: tf.div_no_nan(x, y), (-9, 9), (1, 3)),
    ("MulNoNan", lambda tf, x, y: tf.math.multiply_no_nan(x, y), (-9, 9), (1, 3)),
    ("Xdivy", lambda tf, x, y: tf.math.xdivy(x, y), (0.5, 2), (0.5, 2)),
    ("Xlogy", lambda tf, x, y: tf.math.xlogy(x, y), (0.5, 2), (0.5, 2)),
    ("Zeta", lambda tf, x, y: tf.math.zeta(x, y), (1.5, 4), (0.5, 2)),
    ("Polygamma", lambda tf, x, y: tf.math.polygamma(tf.floor(x), y), (1, 3), (0.5, 2)),
    ("Igamma", lambda tf, x, y: tf.igamma(x, y), (0.5, 3), (0.5, 3)),
    ("Igammac", lambda tf, x, y: tf.igammac(x, y), (0.5, 3), (0.5, 3)),
    ("Complex", lambda tf, x, y: tf.complex(x, y), (-2, 2), (-2, 2)),
]
COMPARISON = [
    ("Equal", lambda tf, x, y: tf.equal(x, y)),
    ("NotEqual", lambda tf, x, y: tf.not_equal(x, y)),
    ("Less", lambda tf, x, y: tf.less(x, y)),
    ("LessEqual", lambda tf, x, y: tf.less_equal(x, y)),
    ("Greater", lambda tf, x, y: tf.greater(x, y)),
    ("GreaterEqual", lambda tf, x, y: tf.greater_equal(x, y)),
    ("ApproximateEqual", lambda tf, x, y: tf.raw_ops.ApproximateEqual(x=x, y=y)),
]
LOGICAL = [
    ("LogicalAnd", lambda tf, x, y: tf.logical_and(x, y)),
    ("LogicalOr", lambda tf, x, y: tf.logical_or(x, y)),
    ("LogicalXor", lambda tf, x, y: tf.logical_xor(x, y)),
]
BITWISE = [
    ("BitwiseAnd", lambda tf, x, y: tf.bitwise.bitwise_and(x, y), (-100, 100)),
    ("BitwiseOr", lambda tf, x, y: tf.bitwise.bitwise_or(x, y), (-100, 100)),
    ("BitwiseXor", lambda tf, x, y: tf.bitwise.bitwise_xor(x, y), (-100, 100)),
    ("LeftShift", lambda tf, x, y: tf.bitwise.left_shift(x, y), (0, 7)),
    ("RightShift", lambda tf, x, y: tf.bitwise.right_shift(x, y), (0, 7)),
]
# Ops whose gradient in TF is not the function's true derivative, or leaves an input out.
NOT_TRUE_DERIVATIVE = {
    "TruncateDiv",
    "Polygamma",
    "Zeta",
    "TruncateMod",
    "Igamma",
    "Igammac",
    "FloorDiv",
}
SECOND = {
    "Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "Maximum", "Minimum", "Pow",
    "SquaredDifference", "Atan2", "DivNoNan", "MulNoNan", "Xdivy", "Xlogy", "Complex",
}  # fmt: skip

# label, shapes: pairs that broadcast.
PAIRS = [
    ("row", (2, 3), (3,)),
    ("column", (2, 1), (2, 3)),
    ("outer", (2, 1), (1, 3)),
    ("scalar_left", (), (2, 3)),
    ("scalar_right", (2, 3), ()),
    ("rank4", (2, 1, 3, 1), (4, 1, 2)),
    ("empty", (0, 3), (1, 3)),
    ("ones", (1, 1), (1,)),
]

# op type, x, y: where the derivative is a convention, or the value delicate.
POINTS = {
    "Maximum": ([1.0, 0.0, -0.0, 2.0, -1.0], [1.0, -0.0, 0.0, 1.0, 3.0]),
    "Minimum": ([1.0, 0.0, -0.0, 2.0, -1.0], [1.0, -0.0, 0.0, 1.0, 3.0]),
    "Pow": ([0.0, 0.0, 0.0, 1.0, 2.0, -2.0, -2.0, -1.5], [0.0, 1.0, 2.0, 0.0, -1.0, 2.0, 3.0, 0.0]),
    "Atan2": ([0.0, 1.0, -1.0, 0.0, 1.0], [1.0, 0.0, 0.0, -1.0, -1.0]),
    "DivNoNan": ([1.0, 0.0, -2.0, 3.0], [0.0, 0.0, 2.0, -0.0]),
    "MulNoNan": ([1.0, float("nan"), float("inf"), 2.0], [2.0, 0.0, 0.0, 0.0]),
    "Xdivy": ([0.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, -1.0]),
    "Xlogy": ([0.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.5]),
    "RealDiv": ([1.0, -1.0, 0.0, 2.0], [0.0, 0.0, 0.0, 4.0]),
    "Div": ([1.0, -1.0, 0.0, 2.0], [0.0, 0.0, 0.0, 4.0]),
    "SquaredDifference": ([1.0, 2.0], [1.0, -2.0]),
    "FloorDiv": ([7.0, -7.0, 7.0, -7.0, 6.0], [2.0, 2.0, -2.0, -2.0, 3.0]),
    "FloorMod": ([7.0, -7.0, 7.0, -7.0, 6.0], [2.0, 2.0, -2.0, -2.0, 3.0]),
    "TruncateMod": ([7.0, -7.0, 7.0, -7.0, 6.0], [2.0, 2.0, -2.0, -2.0, 3.0]),
    "Equal": ([1.0, float("nan"), float("inf"), 0.0], [1.0, float("nan"), float("inf"), -0.0]),
    "NotEqual": ([1.0, float("nan"), float("inf"), 0.0], [1.0, float("nan"), float("inf"), -0.0]),
    "Less": ([1.0, float("nan"), 1.0, 0.0], [1.0, float("nan"), float("nan"), -0.0]),
    "GreaterEqual": ([1.0, float("nan"), 1.0, 0.0], [1.0, float("nan"), float("nan"), -0.0]),
}


def _rows():
    for op, fn, x, y in ARITHMETIC:
        second, smooth = op in SECOND, op not in NOT_TRUE_DERIVATIVE
        pair = [arr(2, 3, low=x[0], high=x[1]), arr(2, 3, low=y[0], high=y[1])]
        yield Case(op, fn, pair, "", EVERYTHING, second=second, smooth=smooth)
        for label, left, right in PAIRS:
            pair = [arr(*left, low=x[0], high=x[1]), arr(*right, low=y[0], high=y[1])]
            yield Case(op, fn, pair, label, ["float32"])
        yield Case(op, fn, [arr(2, 3), arr(2, 4)], "mismatch", raises=True)
    for op, fn in COMPARISON:
        yield Case(op, fn, [arr(3, 3, low=-1, high=2), arr(3, 3, low=-1, high=2)], "", EVERYTHING)
        if op != "ApproximateEqual":
            yield Case(
                op, fn, [arr(2, 1, low=-1, high=2), arr(3, low=-1, high=2)], "broadcast", ["int32"]
            )
    for op, fn in LOGICAL:
        yield Case(
            op, fn, [val([True, True, False, False]), val([True, False, True, False])], "", ["bool"]
        )
        yield Case(op, fn, [arr(2, 1), arr(3)], "broadcast", ["bool"])
        yield Case(op, fn, [arr(2), arr(2)], "wrong_dtype", ["float32"], raises=True)
    for op, fn, y in BITWISE:
        yield Case(
            op, fn, [arr(2, 3, low=-100, high=100), arr(2, 3, low=y[0], high=y[1])], "", INTS
        )
        yield Case(
            op,
            fn,
            [arr(2, 1, low=-100, high=100), arr(3, low=y[0], high=y[1])],
            "broadcast",
            ["int32"],
        )
    functions = {row[0]: row[1] for row in [*ARITHMETIC, *COMPARISON]}
    for op, (x, y) in POINTS.items():
        yield Case(op, functions[op], [val(x), val(y)], "points", FLOATS, smooth=False)


_SIGNS = [val([7, -7, 7, -7, 6, 0]), val([2, 2, -2, -2, 3, 5])]

CASES = [
    *_rows(),
    Case(
        "Div",
        lambda tf, x, y: tf.raw_ops.Div(x=x, y=y),
        [arr(2, 3, low=-9, high=9), arr(3, low=1, high=4)],
        "raw",
        [*FLOATS, *COMPLEX, "int32", "int64", "uint8", "int16"],
        second=True,
    ),
    Case("Div", lambda tf, x, y: tf.raw_ops.Div(x=x, y=y), _SIGNS, "raw_signs", SIGNED),
    *[
        Case(op, fn, _SIGNS, "signs", SIGNED)
        for op, fn in [
            ("Div", lambda tf, x, y: tf.div(x, y)),
            ("TruncateDiv", lambda tf, x, y: tf.truncatediv(x, y)),
            ("FloorDiv", lambda tf, x, y: x // y),
            ("FloorMod", lambda tf, x, y: x % y),
            ("TruncateMod", lambda tf, x, y: tf.truncatemod(x, y)),
            ("RealDiv", lambda tf, x, y: x / y),
        ]
    ],
    *[
        Case(
            op, fn, [val([1, 2]), val([1, 0])], "division_by_zero", ["int32", "int64"], raises=True
        )
        for op, fn in [
            ("Div", lambda tf, x, y: tf.div(x, y)),
            ("TruncateDiv", lambda tf, x, y: tf.truncatediv(x, y)),
            ("FloorDiv", lambda tf, x, y: x // y),
            ("FloorMod", lambda tf, x, y: x % y),
            ("TruncateMod", lambda tf, x, y: tf.truncatemod(x, y)),
        ]
    ],
    Case(
        "Pow",
        lambda tf, x, y: x**y,
        [val([2, 3, -2, 0]), val([3, 0, 3, 2])],
        "operator",
        ["int32", "int64"],
    ),
    Case(
        "Pow",
        lambda tf, x, y: x**y,
        [val([2, 3]), val([3, -1])],
        "negative_exponent",
        ["int32", "int64"],
        raises=True,
    ),
    Case("Pow", lambda tf, x: x**2, [arr(4)], "square", second=True),
    Case("Pow", lambda tf, x: x**3.0, [arr(4)], "cube", second=True),
    Case("Pow", lambda tf, x: 2.0**x, [arr(4)], "exponential", second=True),
    Case("Pow", lambda tf, x: x**0.5, [arr(4, low=0.2)], "root"),
    Case("Pow", lambda tf, x, y: tf.pow(x, y), [arr(4), arr(4)], "plane", COMPLEX),
    Case("Sub", lambda tf, x: 1 - x, [arr(4)], "reflected"),
    Case("Sub", lambda tf, x: x - np.ones(4), [arr(4)], "numpy_right", ["float64"]),
    Case(
        "Mul",
        lambda tf, x: 3 * x,
        [arr(4)],
        "reflected",
        ["float16", "float32", "float64", "int32", "complex64"],
    ),
    Case("RealDiv", lambda tf, x: 3 / x, [arr(4, low=1)], "reflected", ["float32", "int32"]),
    Case("Mul", lambda tf, x: x * x, [arr(4)], "self", second=True),
    Case("Add", lambda tf, x: tf.add(x, 2.5), [arr(2)], "float_to_int", ["int32"], raises=True),
    Case(
        "Mul",
        lambda tf, x, y: x * y,
        [arr(2, dtype="float32"), arr(2, dtype="float64")],
        "two_dtypes",
        raises=True,
    ),
    Case(
        "Add",
        lambda tf, x, y: tf.add(x, y),
        [arr(2, dtype="float32"), ints(2)],
        "two_dtypes",
        raises=True,
    ),
    Case(
        "Add",
        lambda tf, x, y: tf.add(x, y),
        [val([b"a", b"b"], "object"), val([b"c"], "object")],
        "strings",
        no_jax="strings",
    ),
    Case(
        "Equal",
        lambda tf, x, y: tf.equal(x, y),
        [val([b"a", b"b"], "object"), val([b"a"], "object")],
        "strings",
        no_jax="strings",
    ),
    Case("Equal", lambda tf, x: tf.equal(x, 0), [val([0, 1, 2])], "constant", ["int32"]),
    Case("LogicalAnd", lambda tf, x, y: x & y, [arr(3), arr(3)], "operator", ["bool"]),
    Case("LogicalOr", lambda tf, x, y: x | y, [arr(3), arr(3)], "operator", ["bool"]),
    Case("LogicalXor", lambda tf, x, y: x ^ y, [arr(3), arr(3)], "operator", ["bool"]),
    Case("Less", lambda tf, x: x < 1, [arr(3)], "operator", ["int32"]),
    Case(
        "ApproximateEqual",
        lambda tf, x, y: tf.raw_ops.ApproximateEqual(x=x, y=y, tolerance=0.1),
        [val([1.0, 2.0]), val([1.05, 2.2])],
        "tolerance",
        FLOATS,
    ),
    Case(
        "ApproximateEqual",
        lambda tf, x, y: tf.raw_ops.ApproximateEqual(x=x, y=y),
        [val([1.0, 2.0]), val([1.0])],
        "mismatch",
        raises=True,
    ),
    Case(
        "Betainc",
        lambda tf, a, b, x: tf.math.betainc(a, b, x),
        [arr(3, low=1, high=3), arr(3, low=1, high=3), arr(3, low=0.2, high=0.8)],
        smooth=False,
        rtol=1e-4,
    ),
    Case("Lbeta", lambda tf, x: tf.lbeta(x), [arr(2, 3, low=0.5, high=3)]),
    # Select and its forms.
    Case(
        "Select",
        lambda tf, c, x, y: tf.where(c, x, y),
        [bools(2, 3), arr(2, 3), arr(2, 3)],
        "",
        EVERYTHING,
        second=True,
    ),
    Case(
        "Select", lambda tf, c, x, y: tf.where(c, x, y), [bools(2), arr(2, 3), arr(2, 3)], "vector"
    ),
    Case(
        "Select",
        lambda tf, c, x, y: tf.where(c, x, y),
        [val(True, "bool"), arr(2, 3), arr(2, 3)],
        "scalar",
    ),
    Case(
        "Select",
        lambda tf, c, x, y: tf.where(c, x, y),
        [bools(0, 3), arr(0, 3), arr(0, 3)],
        "empty",
    ),
    Case(
        "Select",
        lambda tf, c, x, y: tf.where(c, x, y),
        [bools(3), arr(2, 3), arr(2, 3)],
        "mismatch",
        raises=True,
    ),
    Case(
        "Select",
        lambda tf, c, x, y: tf.where(c, x, y),
        [bools(2), arr(2, 3), arr(3)],
        "mismatch_branches",
        raises=True,
    ),
    Case(
        "Select",
        lambda tf, x: tf.where(x > 0, tf.log(x), x),
        [val([1.0, 2.0])],
        "guarded",
        second=True,
    ),
    Case(
        "SelectV2",
        lambda tf, c, x, y: tf.compat.v2.where(c, x, y),
        [bools(2, 3), arr(2, 3), arr(2, 3)],
        "",
        DEFAULT,
        second=True,
    ),
    Case(
        "SelectV2",
        lambda tf, c, x, y: tf.compat.v2.where(c, x, y),
        [bools(3), arr(2, 3), arr()],
        "broadcast",
    ),
    Case(
        "SelectV2",
        lambda tf, c, x, y: tf.compat.v2.where(c, x, y),
        [bools(2, 1), arr(3), arr(4, 1, 1)],
        "broadcast_all",
    ),
    # Sums of many.
    Case(
        "AddN",
        lambda tf, *xs: tf.add_n(xs),
        [arr(2, 3), arr(2, 3), arr(2, 3)],
        "",
        EVERYTHING,
        second=True,
    ),
    Case("AddN", lambda tf, x: tf.add_n([x]), [arr(2, 3)], "one"),
    Case("AddN", lambda tf, x: tf.add_n([x, x]), [arr(2, 3)], "twice"),
    Case("AddN", lambda tf, *xs: tf.add_n(xs), [arr(2, 3), arr(3)], "mismatch", raises=True),
    Case("AddN", lambda tf: tf.add_n([]), label="none", raises=True),
    Case(
        "AccumulateNV2",
        lambda tf, *xs: tf.accumulate_n(xs),
        [arr(2, 3), arr(2, 3), arr(2, 3)],
        "",
        DEFAULT,
    ),
    Case(
        "AccumulateNV2",
        lambda tf, *xs: tf.math.accumulate_n(xs, shape=[2]),
        [arr(2), arr(2)],
        "shape",
    ),
]
