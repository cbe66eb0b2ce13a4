"""Bands of matrices, einsum, bits, and convolutions with what comes before them."""

from __future__ import annotations

from op_table.case import Case, arr, val

IMAGE, FILTER = arr(1, 4, 4, 2), arr(2, 2, 2, 1)
SETTINGS = {"mode": "REFLECT", "strides": [1, 1, 1, 1], "padding": "VALID"}
PADS = [[0, 0], [1, 1], [1, 0], [0, 0]]


def _case(op, label, fn, *inputs, **kwargs):
    if not kwargs.get("raises"):
        kwargs.setdefault("dtypes", ("float32",))
    return Case(op, fn, inputs, label, **kwargs)


# With sizes that are partly known TF works out negative ones, and fails.
def _known(tf, x, shape):
    return x if shape is None else tf.reshape(x, shape)


def _diag(k, rows=-1, columns=-1, shape=None):
    return lambda tf, x: tf.raw_ops.MatrixDiagV2(
        diagonal=_known(tf, x, shape),
        k=k,
        num_rows=rows,
        num_cols=columns,
        padding_value=tf.zeros([], x.dtype),
    )


def _part(k, shape):
    return lambda tf, x: tf.raw_ops.MatrixDiagPartV2(
        input=_known(tf, x, shape), k=k, padding_value=tf.zeros([], x.dtype)
    )


def _set(k, shape=None, size=None):
    return lambda tf, x, y: tf.raw_ops.MatrixSetDiagV2(
        input=_known(tf, x, shape), diagonal=_known(tf, y, size), k=k
    )


def _einsum(equation):
    return lambda tf, *inputs: tf.raw_ops.Einsum(inputs=inputs, equation=equation)


def _bits(tf, x, y):
    return tf.raw_ops.CompareAndBitpack(input=x, threshold=y)


def _fails(op, label, fn, *inputs):
    return _case(op, label, fn, *inputs, raises=True, grad=())


# TF's gradients are those of the main diagonal, whatever k is.
CASES = [
    _case("MatrixDiagV2", "main", _diag(0), arr(2, 3)),
    _case("MatrixDiagV2", "above", _diag(1, shape=[2]), arr(2), grad=()),
    _case("MatrixDiagV2", "below", _diag(-1, 3, shape=[2]), arr(2), grad=()),
    _case("MatrixDiagV2", "band", _diag([-1, 1], 3, 4, [2, 3, 3]), arr(2, 3, 3), grad=()),
    _fails("MatrixDiagV2", "rows", _diag(0, 1, 4), arr(2)),
    _fails("MatrixDiagV2", "columns", _diag(0, 4, 1), arr(2)),
    _fails("MatrixDiagV2", "both", _diag(0, 4, 4), arr(2)),
    _fails("MatrixDiagV2", "order", _diag([1, 0]), arr(1, 2)),
    _case("MatrixDiagPartV2", "main", _part(0, [3, 3]), arr(3, 3)),
    _case("MatrixDiagPartV2", "above", _part(1, [2, 3, 4]), arr(2, 3, 4), grad=()),
    _case("MatrixDiagPartV2", "band", _part([-2, 3], [3, 4]), arr(3, 4), grad=()),
    _case("MatrixSetDiagV2", "main", _set(0), arr(3, 4), arr(3)),
    _case("MatrixSetDiagV2", "above", _set(1), arr(3, 4), arr(3), grad=()),
    _case("MatrixSetDiagV2", "band", _set([-1, 0], [2, 3, 4], [2, 2, 3]), arr(2, 3, 4),
          arr(2, 2, 3), grad=()),
    _case("Einsum", "product", _einsum("ij,kj->ik"), arr(2, 3), arr(4, 3), grad=()),
    _case("Einsum", "diagonal", _einsum("ii->i"), arr(3, 3), grad=()),
    _case("Einsum", "dots", _einsum("...ij,jk->...ik"), arr(2, 3, 4), arr(4, 2), grad=()),
    _case("Einsum", "sum", _einsum("ij->"), arr(2, 3), grad=()),
    _fails("Einsum", "arrow", _einsum("ij,jk"), arr(2, 3), arr(3, 2)),
    _fails("Einsum", "label", _einsum("ij->ijk"), arr(2, 3)),
    _fails("Einsum", "three", _einsum("i,j,k->ijk"), arr(1), arr(1), arr(1)),
    _case("CompareAndBitpack", "", _bits, arr(2, 16), val(0.5), grad=()),
    _fails("CompareAndBitpack", "eights", _bits, arr(6), val(0.5)),
    _case("DebugGradientIdentity", "", lambda tf, x: tf.raw_ops.DebugGradientIdentity(input=x),
          arr(2), grad=()),
    _case("Svd", "spectral_norm", lambda tf, x: tf.norm(x, 2, axis=[-2, -1]), arr(2, 2, 3),
          no_jax="the shape of a ListDiff", rtol=1e-4),
    _case("FusedPadConv2D", "", lambda tf, x, w: tf.raw_ops.FusedPadConv2D(
        input=x, paddings=PADS, filter=w, **SETTINGS), IMAGE, FILTER, grad=()),
    _case("FusedResizeAndPadConv2D", "", lambda tf, x, w: tf.raw_ops.FusedResizeAndPadConv2D(
        input=x, size=[5, 3], paddings=PADS, filter=w, **SETTINGS), IMAGE, FILTER, grad=()),
]  # fmt: skip
