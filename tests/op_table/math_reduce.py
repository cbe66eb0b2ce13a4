"""Rows of reductions, arg-reductions and scans."""

from __future__ import annotations

from op_table.case import COMPLEX, DEFAULT, EVERYTHING, FLOATS, Case, arr, bools, ints, spaced, val

REDUCTIONS = [
    ("Sum", lambda tf, *args, **kw: tf.reduce_sum(*args, **kw)),
    ("Mean", lambda tf, *args, **kw: tf.reduce_mean(*args, **kw)),
    ("Prod", lambda tf, *args, **kw: tf.reduce_prod(*args, **kw)),
    ("Max", lambda tf, *args, **kw: tf.reduce_max(*args, **kw)),
    ("Min", lambda tf, *args, **kw: tf.reduce_min(*args, **kw)),
    ("LogSumExp", lambda tf, *args, **kw: tf.reduce_logsumexp(*args, **kw)),
    ("EuclideanNorm", lambda tf, *args, **kw: tf.math.reduce_euclidean_norm(*args, **kw)),
    ("Variance", lambda tf, *args, **kw: tf.math.reduce_variance(*args, **kw)),
    ("StandardDeviation", lambda tf, *args, **kw: tf.math.reduce_std(*args, **kw)),
]
# EuclideanNorm has no gradient in TF 1.15.
SECOND = {"Sum", "Mean", "Prod", "LogSumExp", "Variance"}
AXES = [
    ("all", {}),
    ("axis0", {"axis": 0}),
    ("axis_last", {"axis": -1}),
    ("axes", {"axis": [0, 2]}),
    ("axes_negative", {"axis": (-1, 0)}),
    ("keepdims", {"axis": 1, "keepdims": True}),
    ("all_keepdims", {"keepdims": True}),
    ("no_axes", {"axis": []}),
]


def _bind(fn, **keywords):
    return lambda tf, x: fn(tf, x, **keywords)


def _rows():
    for op, fn in REDUCTIONS:
        second = op in SECOND
        yield Case(op, _bind(fn, axis=1), [spaced(2, 3, 2)], "", EVERYTHING, second=second)
        for label, keywords in AXES:
            # The deviation of a single number is 0, where its root has no derivative.
            smooth = (op, label) != ("StandardDeviation", "no_axes")
            number = [spaced(2, 3, 2)]
            yield Case(
                op, _bind(fn, **keywords), number, label, DEFAULT, second=second, smooth=smooth
            )
        yield Case(op, _bind(fn), [arr()], "scalar", ["float32"], smooth=False)
        yield Case(op, _bind(fn, axis=0), [arr(0, 3)], "empty", ["float32"], smooth=False)
        yield Case(op, _bind(fn), [arr(0, 3)], "empty_all", ["float32"], smooth=False)
        yield Case(op, _bind(fn, axis=2), [arr(2, 3)], "bad_axis", ["float32"], raises=True)
    for op, fn in REDUCTIONS[:6]:
        yield Case(
            op, _bind(fn, reduction_indices=1), [spaced(2, 3)], "reduction_indices", ["float32"]
        )
        yield Case(op, _bind(fn, axis=1, keep_dims=True), [spaced(2, 3)], "keep_dims", ["float32"])
    for op, fn in REDUCTIONS[:5]:
        # The axis is not known while the graph is recorded.
        yield Case(
            op,
            lambda tf, x, axis, fn=fn: fn(tf, x, axis),
            [spaced(2, 3, 2), val([0, 2], "int32")],
            "fed_axis",
            ["float32"],
            no_jax="the axis is an input",
        )


def _argument_rows():
    for op, fn in [
        ("ArgMax", lambda tf, *args, **kw: tf.argmax(*args, **kw)),
        ("ArgMin", lambda tf, *args, **kw: tf.argmin(*args, **kw)),
    ]:
        yield Case(op, _bind(fn), [spaced(3, 4)], "", EVERYTHING)
        yield Case(op, _bind(fn, axis=1), [spaced(3, 4)], "axis", DEFAULT)
        yield Case(
            op, _bind(fn, axis=-1, output_type="int32"), [spaced(3, 4)], "output_type", DEFAULT
        )
        yield Case(op, _bind(fn, dimension=1), [spaced(3, 4)], "dimension", ["float32"])
        yield Case(op, _bind(fn, axis=0), [val([1, 3, 3, 1, 0, 0])], "ties", ["float32", "int32"])
        yield Case(op, _bind(fn, axis=1), [arr(0, 3)], "empty", ["float32"])
        yield Case(op, _bind(fn, axis=0), [arr(0, 3)], "empty_axis", ["float32"], raises=True)
        yield Case(op, _bind(fn, axis=3), [arr(2, 3)], "bad_axis", ["float32"], raises=True)
    nan = float("nan")
    yield Case("ArgMax", lambda tf, x: tf.argmax(x), [val([1.0, nan, 3.0])], "nan", ["float32"])


def _scan_rows():
    for op, fn in [
        ("Cumsum", lambda tf, *args, **kw: tf.cumsum(*args, **kw)),
        ("Cumprod", lambda tf, *args, **kw: tf.math.cumprod(*args, **kw)),
    ]:
        second = op == "Cumsum"
        yield Case(op, _bind(fn), [arr(3, 2, low=0.5)], "", EVERYTHING, second=second)
        yield Case(op, _bind(fn, axis=1), [arr(2, 4, low=0.5)], "axis", second=second)
        yield Case(op, _bind(fn, axis=-1, exclusive=True), [arr(2, 4, low=0.5)], "exclusive")
        yield Case(op, _bind(fn, axis=-1, reverse=True), [arr(2, 4, low=0.5)], "reverse")
        yield Case(
            op, _bind(fn, axis=1, exclusive=True, reverse=True), [arr(2, 4, low=0.5)], "both"
        )
        yield Case(op, _bind(fn), [arr(0, 2)], "empty", ["float32"])
        yield Case(op, _bind(fn), [val([1.0, 0.0, 2.0, 3.0])], "zero", smooth=False)
        yield Case(op, _bind(fn, axis=2), [arr(2, 4)], "bad_axis", ["float32"], raises=True)


_TIES = [val([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])]
_ZEROS = [val([[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]])]

CASES = [
    Case(
        "CumulativeLogsumexp",
        lambda tf, x: tf.raw_ops.CumulativeLogsumexp(x=x, axis=1),
        [arr(2, 4)],
        "",
        FLOATS,
    ),
    Case(
        "CumulativeLogsumexp",
        lambda tf, x: tf.raw_ops.CumulativeLogsumexp(x=x, axis=0, exclusive=True, reverse=True),
        [arr(4)],
        "both",
    ),
    *_rows(),
    *_argument_rows(),
    *_scan_rows(),
    Case("Max", lambda tf, x: tf.reduce_max(x, 1), _TIES, "ties", smooth=False),
    Case("Max", lambda tf, x: tf.reduce_max(x), _TIES, "ties_all", smooth=False),
    Case("Min", lambda tf, x: tf.reduce_min(x, 1), _TIES, "ties", smooth=False),
    Case("Min", lambda tf, x: tf.reduce_min(x), _TIES, "ties_all", smooth=False),
    Case(
        "Max",
        lambda tf, x: tf.reduce_max(x),
        [val([1.0, float("nan"), 2.0])],
        "nan",
        smooth=False,
        grad=(),
    ),
    Case("Prod", lambda tf, x: tf.reduce_prod(x, 1), _ZEROS, "zeros", smooth=False, second=True),
    Case("Prod", lambda tf, x: tf.reduce_prod(x), _ZEROS, "zeros_all", smooth=False),
    Case(
        "LogSumExp",
        lambda tf, x: tf.reduce_logsumexp(x, 1),
        [val([[1e4, 1.0], [-1e4, -1e4]])],
        "large",
        smooth=False,
    ),
    Case(
        "LogSumExp",
        lambda tf, x: tf.reduce_logsumexp(x),
        [val([float("-inf"), float("-inf")])],
        "minus_infinity",
        smooth=False,
        grad=(),
    ),
    Case(
        "EuclideanNorm",
        lambda tf, x: tf.math.reduce_euclidean_norm(x),
        [val([0.0, 0.0])],
        "zero",
        smooth=False,
    ),
    Case("Mean", lambda tf, x: tf.reduce_mean(x), [ints(7)], "integers"),
    Case("All", lambda tf, x: tf.reduce_all(x), [bools(2, 3)], "all"),
    Case(
        "All",
        lambda tf, x: tf.reduce_all(x, axis=1),
        [val([[True, True], [True, False]], "bool")],
        "axis",
    ),
    Case("All", lambda tf, x: tf.reduce_all(x, axis=0, keepdims=True), [bools(2, 3)], "keepdims"),
    Case("All", lambda tf, x: tf.reduce_all(x, axis=0), [bools(0, 3)], "empty"),
    Case("Any", lambda tf, x: tf.reduce_any(x), [bools(2, 3)], "all"),
    Case(
        "Any",
        lambda tf, x: tf.reduce_any(x, axis=1),
        [val([[False, False], [True, False]], "bool")],
        "axis",
    ),
    Case("Any", lambda tf, x: tf.reduce_any(x, axis=0), [bools(0, 3)], "empty"),
    Case("All", lambda tf, x: tf.reduce_all(x), [arr(2)], "wrong_dtype", ["float32"], raises=True),
    Case(
        "CountNonzero",
        lambda tf, x: tf.count_nonzero(x, axis=1),
        [val([[0, 1, 2], [0, 0, 3]])],
        "",
        EVERYTHING,
    ),
    Case(
        "CountNonzero",
        lambda tf, x: tf.count_nonzero(x, dtype="int32", keep_dims=True),
        [arr(2, 3)],
        "keep_dims",
        ["float32"],
    ),
    Case("L2Loss", lambda tf, x: tf.nn.l2_loss(x), [arr(2, 3)], "", FLOATS, second=True),
    Case("L2Loss", lambda tf, x: tf.nn.l2_loss(x), [arr(0)], "empty", ["float32"]),
    Case("Norm", lambda tf, x: tf.norm(x), [arr(2, 3)], "", [*DEFAULT, *COMPLEX], second=False),
    Case("Norm", lambda tf, x: tf.norm(x, axis=1), [arr(2, 3)], "axis"),
    Case("Norm", lambda tf, x: tf.norm(x, ord=1, axis=1), [arr(2, 3, low=0.2)], "one"),
    Case("Norm", lambda tf, x: tf.norm(x, ord=float("inf"), axis=1), [spaced(2, 3)], "infinity"),
    Case(
        "Norm",
        lambda tf, x: tf.norm(x, ord=3, axis=0, keepdims=True),
        [arr(2, 3, low=0.2)],
        "three",
    ),
    Case("Norm", lambda tf, x: tf.norm(x, ord="fro", axis=[-2, -1]), [arr(2, 2, 3)], "frobenius"),
    Case("Norm", lambda tf, x: tf.norm(x), [val([0.0, 0.0])], "zero", smooth=False),
    Case("Norm", lambda tf, x: tf.norm(x, ord="nuclear"), [arr(2, 3)], "bad_order", raises=True),
    Case(
        "Mean", lambda tf, x: tf.reduce_mean(x), [val([1e4, 1e4, 1e4, 1e4])], "half_range", FLOATS
    ),
    Case("Sum", lambda tf, x: tf.reduce_sum(x), [arr(3, 5)], "static_batch", ["float32"]),
    Case(
        "Sum",
        lambda tf, x: tf.reduce_sum(x, "a"),
        [arr(3, 5)],
        "axis_text",
        ["float32"],
        raises=True,
    ),
    Case(
        "Sum",
        lambda tf, x: tf.reduce_sum(x, 1.0),
        [arr(3, 5)],
        "axis_float",
        ["float32"],
        raises=True,
    ),
    Case("Sum", lambda tf: tf.reduce_sum([1, 2, 3]), label="python_list"),
    Case("Sum", lambda tf: tf.reduce_sum([[1.5], [2.5]], 0), label="python_floats"),
    Case(
        "Bincount",
        lambda tf, x: tf.math.bincount(x),
        [val([1, 1, 3, 0], "int32")],
        no_jax="shape depends on values",
    ),
    Case(
        "Bincount",
        lambda tf, x: tf.math.bincount(x, minlength=6),
        [val([1, 1, 3, 0], "int32")],
        "minlength",
        no_jax="shape depends on values",
    ),
    Case(
        "Bincount",
        lambda tf, x, w: tf.math.bincount(x, w, maxlength=3),
        [val([1, 1, 3, 0], "int32"), val([0.5, 1.0, 2.0, 4.0], "float32")],
        "weights",
        grad=(),
        no_jax="shape depends on values",
    ),
    Case(
        "HistogramFixedWidth",
        lambda tf, x: tf.histogram_fixed_width(x, [0.0, 5.0], nbins=5),
        [val([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0])],
        dtypes=["float32", "float64"],
        grad=(),
    ),
    Case(
        "ConfusionMatrix",
        lambda tf, x, y: tf.confusion_matrix(x, y, num_classes=4),
        [val([1, 2, 3, 1], "int32"), val([1, 2, 0, 0], "int32")],
    ),
    Case(
        "ConfusionMatrix",
        lambda tf, x, y: tf.confusion_matrix(x, y),
        [val([1, 2, 3, 1], "int32"), val([1, 2, 0, 0], "int32")],
        "inferred",
        no_jax="shape depends on values",
    ),
]
