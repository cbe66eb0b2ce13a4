"""Rows of what is written over, of image dimensions, and of the clock."""

from __future__ import annotations

from op_table.case import Case, arr, val


def _inplace(kind, label, index, rows, **kwargs):
    def fn(tf, x, v):
        return getattr(tf.raw_ops, kind)(x=x, i=index, v=v)

    return Case(kind, fn, [arr(3, 2), rows], label, ["float32"], grad=(), **kwargs)


def _map(label, x, **kwargs):
    attrs = kwargs.pop("attrs", {})
    return Case(
        "DataFormatDimMap",
        lambda tf, x: tf.raw_ops.DataFormatDimMap(x=x, **attrs),
        [val(x, "int32")],
        label,
        **kwargs,
    )


def _permute(label, x, **kwargs):
    attrs = kwargs.pop("attrs", {})
    return Case(
        "DataFormatVecPermute",
        lambda tf, x: tf.raw_ops.DataFormatVecPermute(x=x, **attrs),
        [val(x, "int32")],
        label,
        **kwargs,
    )


CASES = [
    _inplace("InplaceUpdate", "rows", [2, 0], arr(2, 2)),
    _inplace("InplaceAdd", "rows", [1, 1, -1, 7], arr(4, 2)),
    _inplace("InplaceSub", "rows", [1, 1, -1, 7], arr(4, 2)),
    _inplace("InplaceAdd", "more rows", [1], arr(2, 2), raises=True),
    _inplace("InplaceAdd", "matrix", [[1]], arr(1, 2), raises=True),
    _inplace("InplaceAdd", "columns", [1], arr(1, 3), raises=True),
    Case("Empty", lambda tf: tf.raw_ops.Empty(shape=[2, 3], dtype=tf.float32, init=True)),
    _map("", [0, 1, 2, 3, -1, -4]),
    _map("back", [[0, 1], [2, 3]], attrs={"src_format": "NCHW", "dst_format": "NHWC"}),
    _map("format", [0], attrs={"src_format": "NH"}, raises=True),
    _permute("vector", [7, 4, 9, 3]),
    _permute(
        "pairs",
        [[7, 4], [9, 3], [4, 5], [5, 1]],
        attrs={"src_format": "NCHW", "dst_format": "NHWC"},
    ),
    _permute("short", [1, 2, 3], raises=True),
    _permute("triples", [[1, 2, 3]] * 4, raises=True),
]
