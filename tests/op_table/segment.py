"""Rows of segment reductions."""

from __future__ import annotations

from op_table.case import EVERYTHING, FLOATS, Case, arr, spaced, val

SORTED = val([0, 0, 1, 3], "int32")
UNSORTED = val([2, 0, 2, 1], "int32")

SEGMENT = [
    ("SegmentSum", lambda tf, x, s: tf.segment_sum(x, s)),
    ("SegmentMean", lambda tf, x, s: tf.segment_mean(x, s)),
    ("SegmentProd", lambda tf, x, s: tf.segment_prod(x, s)),
    ("SegmentMax", lambda tf, x, s: tf.segment_max(x, s)),
    ("SegmentMin", lambda tf, x, s: tf.segment_min(x, s)),
]
UNSORTED_SEGMENT = [
    ("UnsortedSegmentSum", lambda tf, x, s, n: tf.unsorted_segment_sum(x, s, n)),
    ("UnsortedSegmentMean", lambda tf, x, s, n: tf.math.unsorted_segment_mean(x, s, n)),
    ("UnsortedSegmentSqrtN", lambda tf, x, s, n: tf.math.unsorted_segment_sqrt_n(x, s, n)),
    ("UnsortedSegmentProd", lambda tf, x, s, n: tf.unsorted_segment_prod(x, s, n)),
    ("UnsortedSegmentMax", lambda tf, x, s, n: tf.unsorted_segment_max(x, s, n)),
    ("UnsortedSegmentMin", lambda tf, x, s, n: tf.unsorted_segment_min(x, s, n)),
]
SPARSE_SEGMENT = [
    ("SparseSegmentSum", lambda tf, x, i, s, **kw: tf.sparse_segment_sum(x, i, s, **kw)),
    ("SparseSegmentMean", lambda tf, x, i, s, **kw: tf.sparse_segment_mean(x, i, s, **kw)),
    ("SparseSegmentSqrtN", lambda tf, x, i, s, **kw: tf.sparse_segment_sqrt_n(x, i, s, **kw)),
]
BY_VALUE = "shape depends on values"


def _rows():
    for op, fn in SEGMENT:
        yield Case(op, fn, [spaced(4, 2), SORTED], "", EVERYTHING, no_jax=BY_VALUE)
        yield Case(
            op, fn, [spaced(4), val([0, 0, 1, 1], "int64")], "vector", ["float64"], no_jax=BY_VALUE
        )
        yield Case(
            op, fn, [val([2.0, 2.0, 1.0, 5.0]), SORTED], "ties", smooth=False, no_jax=BY_VALUE
        )
        yield Case(op, fn, [arr(2), val([1, 0], "int32")], "not_sorted", raises=True)
        yield Case(op, fn, [arr(3), val([0, 1], "int32")], "mismatch", raises=True)
    for op, fn in UNSORTED_SEGMENT:

        def bound(tf, x, s, fn=fn):
            return fn(tf, x, s, 4)

        yield Case(op, bound, [spaced(4, 2), UNSORTED], "", EVERYTHING)
        yield Case(op, bound, [spaced(2, 2), val([[3, 0], [0, 0]], "int64")], "matrix")
        yield Case(op, bound, [val([2.0, 2.0, 2.0, 5.0]), UNSORTED], "ties", smooth=False)
        yield Case(op, bound, [spaced(4), val([2, -1, 2, 1], "int32")], "negative_dropped")
        yield Case(op, bound, [arr(2), val([1, 7], "int32")], "out_of_range", raises=True)
    for op, fn in SPARSE_SEGMENT:
        pair = [arr(4, 2), val([0, 2, 2, 3], "int32"), SORTED]
        yield Case(op, fn, pair, "", FLOATS, no_jax=BY_VALUE)
        yield Case(
            f"{op}WithNumSegments",
            lambda tf, x, i, s, fn=fn: fn(tf, x, i, s, num_segments=5),
            pair,
            "",
            FLOATS,
        )
        yield Case(
            op,
            fn,
            [arr(2, 2), val([0, 5], "int32"), val([0, 0], "int32")],
            "out_of_range",
            raises=True,
        )


CASES = [
    *_rows(),
    Case(
        "SegmentMean",
        lambda tf, x, s: tf.segment_mean(x, s),
        [val([-7, 2, 3, -5, 5, -1], "int32"), val([0, 0, 0, 1, 1, 1], "int32")],
        "negative",
        ["int32"],
        no_jax=BY_VALUE,
    ),
    Case(
        "UnsortedSegmentProd",
        lambda tf, x, s: tf.unsorted_segment_prod(x, s, 3),
        [val([0.0, 2.0, 0.0, 3.0, 0.0]), val([0, 0, 1, 2, 1], "int32")],
        "zeros",
        smooth=False,
    ),
    Case(
        "UnsortedSegmentSum",
        lambda tf, x, s, n: tf.unsorted_segment_sum(x, s, n),
        [arr(3), val([0, 1, 0], "int32"), val(3, "int32")],
        "fed_number",
        no_jax="the number is an input",
    ),
    Case(
        "UnsortedSegmentSum",
        lambda tf, x, s: tf.unsorted_segment_sum(x, s, 3),
        [arr(4), UNSORTED],
        "second",
        second=True,
    ),
]
