"""Rows of slices, strided slices with every mask, padding and reversing."""

from __future__ import annotations

from op_table.case import EVERYTHING, Case, arr, val

# label, shape, index: what Python's brackets can say.
BRACKETS = [
    ("int", (3, 4), lambda x: x[1]),
    ("negative_int", (3, 4), lambda x: x[-1]),
    ("two_ints", (3, 4), lambda x: x[1, 2]),
    ("range", (5,), lambda x: x[1:4]),
    ("range_open", (5,), lambda x: x[2:]),
    ("range_to", (5,), lambda x: x[:-1]),
    ("all", (3, 2), lambda x: x[:]),
    ("step", (7,), lambda x: x[1:6:2]),
    ("reverse", (5,), lambda x: x[::-1]),
    ("reverse_step", (7,), lambda x: x[5:0:-2]),
    ("beyond", (4,), lambda x: x[2:10]),
    ("nothing", (4,), lambda x: x[3:1]),
    ("column", (3, 4), lambda x: x[:, 1]),
    ("column_kept", (3, 4), lambda x: x[:, 1:2]),
    ("ellipsis_last", (2, 3, 2), lambda x: x[..., 1]),
    ("ellipsis_first", (2, 3, 2), lambda x: x[1, ...]),
    ("ellipsis_middle", (2, 2, 3, 2), lambda x: x[0, ..., 1]),
    ("ellipsis_empty", (2, 3), lambda x: x[0, ..., 1]),
    ("new_axis", (3, 2), lambda x: x[None]),
    ("new_axis_middle", (3, 2), lambda x: x[:, None]),
    ("new_axis_last", (3, 2), lambda x: x[..., None]),
    ("mixture", (3, 4, 2), lambda x: x[::2, None, -1, ...]),
    ("empty_input", (0, 3), lambda x: x[:, 1]),
    ("chained", (3, 4), lambda x: x[1][2:]),
]


def _rows():
    for label, shape, index in BRACKETS:
        yield Case(
            "StridedSlice", lambda tf, x, index=index: index(x), [arr(*shape)], label, second=True
        )


def _pad(paddings, **keywords):
    return lambda tf, x: tf.pad(x, paddings, **keywords)


CASES = [
    Case(
        "Reverse",
        lambda tf, x: tf.raw_ops.Reverse(tensor=x, dims=[True, False, True]),
        [arr(2, 3, 2)],
        "",
        EVERYTHING,
        second=True,
    ),
    Case(
        "MirrorPadGrad",
        lambda tf, x: tf.raw_ops.MirrorPadGrad(input=x, paddings=[[1, 0], [2, 1]], mode="REFLECT"),
        [arr(3, 6)],
    ),
    *_rows(),
    Case("StridedSlice", lambda tf, x: x[1:, ::2], [arr(3, 4)], "dtypes", EVERYTHING),
    Case("StridedSlice", lambda tf, x, i: x[i], [arr(3, 4), val(1, "int32")], "fed_int"),
    Case("StridedSlice", lambda tf, x, i: x[:, i], [arr(3, 4), val(-1, "int32")], "fed_column"),
    Case(
        "StridedSlice",
        lambda tf, x, i: x[i : i + 2],
        [arr(5), val(1, "int32")],
        "fed_range",
        no_jax="shape depends on values",
    ),
    Case("StridedSlice", lambda tf, x: x[: tf.shape(x)[0] - 1], [arr(4)], "computed"),
    Case("StridedSlice", lambda tf, x: tf.shape(x)[1], [arr(3, 4)], "shape_item"),
    Case("StridedSlice", lambda tf, x: tf.shape(x)[:2], [arr(3, 4, 2)], "shape_part"),
    Case(
        "StridedSlice",
        lambda tf, x: tf.strided_slice(x, [0, 1], [2, 3]),
        [arr(3, 4)],
        "function",
        second=True,
    ),
    Case(
        "StridedSlice",
        lambda tf, x: tf.strided_slice(x, [2, 3], [0, 1], [-1, -1]),
        [arr(3, 4)],
        "function_back",
    ),
    Case(
        "StridedSlice",
        lambda tf, x: tf.strided_slice(x, [1, 1], [2, 3], [1, 1], begin_mask=1, end_mask=2),
        [arr(3, 4)],
        "masks",
    ),
    Case(
        "StridedSlice",
        lambda tf, x: tf.strided_slice(x, [1, 1], [2, 3], shrink_axis_mask=1),
        [arr(3, 4)],
        "shrink_mask",
    ),
    Case("StridedSlice", lambda tf, x: x[5], [arr(3)], "out_of_range", raises=True),
    Case("StridedSlice", lambda tf, x: x[1, 2], [arr(3)], "too_many", raises=True),
    Case("StridedSlice", lambda tf, x: x[::0], [arr(3)], "no_step", raises=True),
    Case("StridedSlice", lambda tf, x: x[..., ...], [arr(3)], "two_ellipses", raises=True),
    Case("StridedSlice", lambda tf, x: x["a"], [arr(3)], "text", raises=True),
    Case("StridedSlice", lambda tf, x: x[1.5], [arr(3)], "float", raises=True),
    Case(
        "StridedSlice",
        lambda tf, x, i: x[i],
        [arr(3), val(7, "int32")],
        "fed_out_of_range",
        raises=True,
    ),
    Case("StridedSlice", lambda tf, x: list(x), [arr(3)], "iterated", raises=True),
    Case(
        "StridedSliceGrad",
        lambda tf, g: tf.raw_ops.StridedSliceGrad(
            shape=[3, 4], begin=[0, 1], end=[2, 3], strides=[1, 1], dy=g
        ),
        [arr(2, 2)],
        "",
        second=True,
    ),
    Case(
        "Slice", lambda tf, x: tf.slice(x, [1, 0], [2, 3]), [arr(3, 4)], "", EVERYTHING, second=True
    ),
    Case("Slice", lambda tf, x: tf.slice(x, [1, 1], [-1, 2]), [arr(3, 4)], "rest"),
    Case("Slice", lambda tf, x: tf.slice(x, [0, 0], [0, 2]), [arr(3, 4)], "nothing"),
    Case(
        "Slice",
        lambda tf, x, b: tf.slice(x, b, [1, 2]),
        [arr(3, 4), val([1, 2], "int32")],
        "fed_begin",
    ),
    Case(
        "Slice",
        lambda tf, x, s: tf.slice(x, [0, 1], s),
        [arr(3, 4), val([2, 2], "int32")],
        "fed_size",
        no_jax="the size is an input",
    ),
    Case(
        "Slice", lambda tf, x: tf.slice(x, [2, 0], [2, 3]), [arr(3, 4)], "out_of_range", raises=True
    ),
    Case(
        "Slice",
        lambda tf, x, b: tf.slice(x, b, [2, 2]),
        [arr(3, 4), val([2, 0], "int32")],
        "fed_out_of_range",
        raises=True,
    ),
    Case("Pad", _pad([[1, 0], [2, 1]]), [arr(2, 3)], "", EVERYTHING, second=True),
    Case("Pad", _pad([[0, 0], [0, 0]]), [arr(2, 3)], "nothing"),
    Case("Pad", _pad([[1, 1]]), [arr(0)], "empty", ["float32"]),
    Case(
        "Pad",
        lambda tf, x, p: tf.pad(x, p),
        [arr(2, 2), val([[1, 0], [0, 2]], "int32")],
        "fed",
        no_jax="the padding is an input",
    ),
    Case("Pad", _pad([[1, 0]]), [arr(2, 3)], "mismatch", raises=True),
    Case("Pad", _pad([[-1, 0], [0, 0]]), [arr(2, 3)], "negative", raises=True),
    Case("PadV2", _pad([[1, 0], [2, 1]], constant_values=1), [arr(2, 3)], "", EVERYTHING),
    Case("PadV2", _pad([[1, 0], [0, 1]], constant_values=7.5), [arr(2, 3)], "value", second=True),
    Case(
        "MirrorPad",
        _pad([[1, 0], [2, 1]], mode="REFLECT"),
        [arr(2, 3)],
        "reflect",
        EVERYTHING,
        second=True,
    ),
    Case(
        "MirrorPad",
        _pad([[1, 0], [2, 1]], mode="SYMMETRIC"),
        [arr(2, 3)],
        "symmetric",
        EVERYTHING,
        second=True,
    ),
    Case(
        "MirrorPad",
        _pad([[0, 0], [1, 1], [2, 2], [0, 0]], mode="reflect"),
        [arr(1, 3, 4, 2)],
        "image",
    ),
    Case("MirrorPad", _pad([[2, 0], [0, 0]], mode="REFLECT"), [arr(2, 3)], "too_wide", raises=True),
    Case("MirrorPad", _pad([[2, 0], [0, 0]], mode="WRAP"), [arr(2, 3)], "bad_mode", raises=True),
    Case("ReverseV2", lambda tf, x: tf.reverse(x, [0]), [arr(3, 2)], "", EVERYTHING, second=True),
    Case("ReverseV2", lambda tf, x: tf.reverse(x, axis=[-1, 0]), [arr(3, 2, 2)], "two"),
    Case("ReverseV2", lambda tf, x: tf.reverse(x, []), [arr(3)], "none"),
    Case("ReverseV2", lambda tf, x: tf.reverse(x, [2]), [arr(3, 2)], "out_of_range", raises=True),
    Case("ReverseV2", lambda tf, x: tf.reverse(x, [0, 0]), [arr(3, 2)], "twice", raises=True),
    Case(
        "ReverseSequence",
        lambda tf, x, n: tf.reverse_sequence(x, n, seq_axis=1, batch_axis=0),
        [arr(2, 4, 2), val([3, 2], "int32")],
        "",
        second=True,
    ),
    Case(
        "ReverseSequence",
        lambda tf, x, n: tf.reverse_sequence(x, n, seq_dim=0, batch_dim=1),
        [arr(4, 2), val([3, 1], "int64")],
        "time_major",
    ),
    Case(
        "ReverseSequence",
        lambda tf, x, n: tf.reverse_sequence(x, n, seq_axis=1),
        [arr(2, 3), val([4, 1], "int32")],
        "too_long",
        raises=True,
    ),
    Case("Roll", lambda tf, x: tf.roll(x, 1, 0), [arr(4)], "", EVERYTHING, second=True),
    Case("Roll", lambda tf, x: tf.roll(x, [1, -2], [0, 1]), [arr(3, 4)], "two"),
    Case("Roll", lambda tf, x: tf.roll(x, 9, -1), [arr(3, 4)], "wraps"),
    Case(
        "Split",
        lambda tf, x: [part * 2 for part in tf.split(x, 2, 1)],
        [arr(2, 4)],
        "halves",
        second=True,
    ),
    Case(
        "BooleanMask",
        lambda tf, x, m: tf.boolean_mask(x, m),
        [arr(3, 2), val([True, False, True], "bool")],
        no_jax="shape depends on values",
    ),
    Case(
        "BooleanMask",
        lambda tf, x, m: tf.boolean_mask(x, m),
        [arr(2, 2), val([[True, False], [True, True]], "bool")],
        "matrix",
        no_jax="shape depends on values",
    ),
    Case(
        "BooleanMask",
        lambda tf, x, m: tf.boolean_mask(x, m, axis=1),
        [arr(2, 3), val([True, False, True], "bool")],
        "axis",
        no_jax="shape depends on values",
    ),
    Case(
        "BooleanMask",
        lambda tf, x, m: tf.boolean_mask(x, m),
        [arr(2), val([False, False], "bool")],
        "nothing",
        no_jax="shape depends on values",
    ),
    Case(
        "BooleanMask",
        lambda tf, x, m: tf.boolean_mask(x, m),
        [arr(2, 3), val([True, False, True], "bool")],
        "mismatch",
        raises=True,
    ),
    Case(
        "BooleanMask",
        lambda tf, x: tf.boolean_mask(x, [True, False, True]),
        [arr(3, 2)],
        "constant",
    ),
]
