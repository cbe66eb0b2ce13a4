"""Rows of tf.contrib.image."""

from __future__ import annotations

from op_table.case import Case, arr, ints, val

IMAGE = arr(2, 4, 5, 3)


def _row(name, image, argument, label, interpolation="BILINEAR", raises=False):
    def record(tf, x, a):
        return getattr(tf.contrib.image, name)(x, a, interpolation)

    dtypes = None if image.dtype else ["float32"]
    op = "ImageProjectiveTransformV2"
    return Case(op, record, [image, argument], f"{name}_{label}", dtypes, grad=(), raises=raises)


PROJECTION = val([1.0, 0.2, 0.1, -0.3, 0.9, 0.4, 0.05, -0.02], "float32")

CASES = [
    _row("rotate", IMAGE, val(0.4, "float32"), "bilinear"),
    _row("rotate", IMAGE, val([0.4, -1.1], "float32"), "each", "NEAREST"),
    _row("rotate", arr(4, 5), val(0.4, "float32"), "matrix", "nearest"),
    _row("rotate", arr(2, 2, 2, 2, 2), val(0.4, "float32"), "bad_rank", raises=True),
    _row("rotate", IMAGE, val([[0.4]], "float32"), "bad_angle", raises=True),
    _row("translate", IMAGE, val([1.5, -2.0], "float32"), "one"),
    _row("translate", IMAGE, val([[1.5, 0.5], [0.0, -0.5]], "float32"), "each", "NEAREST"),
    _row("transform", IMAGE, PROJECTION, "bilinear"),
    _row("transform", ints(1, 4, 5, 1, dtype="uint8", low=0, high=255), PROJECTION, "uint8"),
    Case(
        "ImageProjectiveTransformV2",
        lambda tf, x, t: tf.contrib.image.transform(
            x, tf.contrib.image.compose_transforms(t, t), output_shape=[3, 7]
        ),
        [IMAGE, PROJECTION],
        "composed",
        ["float32"],
        grad=(),
    ),
]
