"""Rows of matrix products and contractions."""

from __future__ import annotations

from op_table.case import COMPLEX, EVERYTHING, FLOATS, Case, arr, ints, val

NUMERIC = [*FLOATS, *COMPLEX, "int32", "int64"]


def _matmul(**keywords):
    return lambda tf, a, b: tf.matmul(a, b, **keywords)


def _einsum(equation):
    return lambda tf, *xs: tf.einsum(equation, *xs)


def _tensordot(axes):
    return lambda tf, a, b: tf.tensordot(a, b, axes)


CASES = [
    Case("MatMul", _matmul(), [arr(2, 3), arr(3, 4)], "", EVERYTHING, second=True),
    Case(
        "MatMul",
        _matmul(transpose_a=True),
        [arr(3, 2), arr(3, 4)],
        "transpose_a",
        NUMERIC,
        second=True,
    ),
    Case(
        "MatMul",
        _matmul(transpose_b=True),
        [arr(2, 3), arr(4, 3)],
        "transpose_b",
        NUMERIC,
        second=True,
    ),
    Case(
        "MatMul",
        _matmul(transpose_a=True, transpose_b=True),
        [arr(3, 2), arr(4, 3)],
        "transpose_both",
        NUMERIC,
    ),
    Case(
        "MatMul",
        _matmul(adjoint_a=True),
        [arr(3, 2), arr(3, 4)],
        "adjoint_a",
        ["float32", *COMPLEX],
    ),
    Case(
        "MatMul",
        _matmul(adjoint_b=True),
        [arr(2, 3), arr(4, 3)],
        "adjoint_b",
        ["float32", *COMPLEX],
    ),
    Case(
        "MatMul",
        _matmul(adjoint_a=True, transpose_b=True),
        [arr(3, 2), arr(4, 3)],
        "mixed",
        COMPLEX,
    ),
    Case(
        "MatMul",
        _matmul(adjoint_a=True, transpose_a=True),
        [arr(3, 2), arr(3, 4)],
        "both_flags",
        raises=True,
    ),
    Case("MatMul", lambda tf, a, b: a @ b, [arr(2, 3), arr(3, 2)], "operator"),
    Case("MatMul", _matmul(), [arr(0, 3), arr(3, 2)], "empty", ["float32"]),
    Case("MatMul", _matmul(), [arr(2, 0), arr(0, 2)], "empty_inner", ["float32"]),
    Case("MatMul", _matmul(), [arr(2, 3), arr(2, 3)], "mismatch", raises=True),
    Case("MatMul", _matmul(), [arr(2, 3), arr(3)], "vector", raises=True),
    Case(
        "MatMul",
        _matmul(),
        [arr(2, 3, dtype="float32"), arr(3, 2, dtype="float64")],
        "two_dtypes",
        raises=True,
    ),
    Case("MatMul", lambda tf, a: tf.matmul(a, a), [arr(3, 3)], "self", second=True),
    Case(
        "SparseMatMul",
        _matmul(a_is_sparse=True),
        [arr(2, 3), arr(3, 4)],
        "a_is_sparse",
        ["float32"],
    ),
    Case(
        "SparseMatMul",
        _matmul(b_is_sparse=True, transpose_b=True),
        [arr(2, 3), arr(4, 3)],
        "b_is_sparse",
        ["float32"],
    ),
    Case(
        "SparseMatMul",
        _matmul(a_is_sparse=True, transpose_a=True),
        [arr(3, 2), arr(3, 4)],
        "a_transposed",
        ["float32"],
    ),
    Case("BatchMatMulV2", _matmul(), [arr(2, 2, 3), arr(2, 3, 2)], "", NUMERIC, second=True),
    Case(
        "BatchMatMulV2",
        _matmul(transpose_a=True),
        [arr(2, 3, 2), arr(2, 3, 2)],
        "transpose_a",
        NUMERIC,
    ),
    Case(
        "BatchMatMulV2",
        _matmul(transpose_b=True),
        [arr(2, 2, 3), arr(2, 2, 3)],
        "transpose_b",
        NUMERIC,
    ),
    Case(
        "BatchMatMulV2", _matmul(adjoint_b=True), [arr(2, 2, 3), arr(2, 2, 3)], "adjoint_b", COMPLEX
    ),
    Case(
        "BatchMatMulV2",
        _matmul(transpose_a=True, transpose_b=True),
        [arr(2, 3, 2), arr(2, 2, 3)],
        "both",
    ),
    Case("BatchMatMulV2", _matmul(), [arr(2, 2, 3), arr(3, 2)], "broadcast_right", second=True),
    Case("BatchMatMulV2", _matmul(), [arr(2, 3), arr(2, 3, 2)], "broadcast_left"),
    Case("BatchMatMulV2", _matmul(), [arr(2, 1, 2, 3), arr(3, 3, 2)], "broadcast_both"),
    Case("BatchMatMulV2", _matmul(), [arr(2, 3, 2, 3), arr(2, 3, 3, 1)], "rank4"),
    Case("BatchMatMulV2", _matmul(), [arr(0, 2, 3), arr(0, 3, 2)], "empty", ["float32"]),
    Case("BatchMatMulV2", _matmul(), [arr(2, 2, 3), arr(3, 3, 2)], "mismatch", raises=True),
    Case("BatchMatMulV2", _matmul(), [arr(2, 2, 3), arr(2, 2, 2)], "mismatch_inner", raises=True),
    Case(
        "BatchMatMul",
        lambda tf, a, b: tf.raw_ops.BatchMatMul(x=a, y=b, adj_x=False, adj_y=False),
        [arr(2, 2, 3), arr(2, 3, 2)],
        "",
        NUMERIC,
    ),
    Case(
        "BatchMatMul",
        lambda tf, a, b: tf.raw_ops.BatchMatMul(x=a, y=b, adj_x=True, adj_y=True),
        [arr(2, 3, 2), arr(2, 2, 3)],
        "adjoint",
        ["float32", "complex64"],
    ),
    Case("MatVec", lambda tf, a, b: tf.linalg.matvec(a, b), [arr(2, 3), arr(3)]),
    Case(
        "MatVec",
        lambda tf, a, b: tf.linalg.matvec(a, b, transpose_a=True),
        [arr(2, 3, 2), arr(2, 3)],
        "batch",
    ),
    Case("Tensordot", _tensordot(1), [arr(2, 3), arr(3, 4)]),
    Case("Tensordot", _tensordot(2), [arr(2, 3, 4), arr(3, 4, 2)], "two"),
    Case("Tensordot", _tensordot(0), [arr(2), arr(3)], "outer"),
    Case("Tensordot", _tensordot([[1], [0]]), [arr(2, 3), arr(3, 4)], "lists"),
    Case("Tensordot", _tensordot([[2, 0], [0, 1]]), [arr(2, 3, 4), arr(4, 2, 3)], "permuted"),
    Case("Tensordot", _tensordot([[-1], [-2]]), [arr(2, 3), arr(3, 4)], "negative"),
    Case("Tensordot", _tensordot([1, 0]), [arr(2, 3), arr(3)], "ints"),
    Case("Tensordot", _tensordot([[1], [0, 1]]), [arr(2, 3), arr(3, 4)], "bad_axes", raises=True),
    Case("Einsum", _einsum("ij,jk->ik"), [arr(2, 3), arr(3, 4)], "matmul"),
    Case("Einsum", _einsum("ij,jk"), [arr(2, 3), arr(3, 4)], "implicit"),
    Case("Einsum", _einsum("bij,bjk->bik"), [arr(2, 2, 3), arr(2, 3, 2)], "batch"),
    Case("Einsum", _einsum("i,i->"), [arr(3), arr(3)], "dot"),
    Case("Einsum", _einsum("i,j->ij"), [arr(2), arr(3)], "outer"),
    Case("Einsum", _einsum("ijk->kji"), [arr(2, 3, 2)], "transpose"),
    Case("Einsum", _einsum("ij->j"), [arr(2, 3)], "sum"),
    Case("Einsum", _einsum("btd,dhc->bthc"), [arr(2, 2, 3), arr(3, 2, 2)], "heads"),
    Case("Einsum", _einsum("bthc,bshc->bhts"), [arr(1, 2, 2, 3), arr(1, 3, 2, 3)], "scores"),
    Case("Einsum", _einsum("ab,bc,cd->ad"), [arr(2, 2), arr(2, 3), arr(3, 2)], "three"),
    Case("Einsum", _einsum("ij,jk->ik"), [arr(2, 3), arr(2, 4)], "mismatch", raises=True),
    Case("Einsum", _einsum("iij->j"), [arr(2, 2, 3)], "repeated", raises=True),
    Case(
        "Cross",
        lambda tf, a, b: tf.linalg.cross(a, b),
        [arr(2, 3), arr(2, 3)],
        "",
        [*FLOATS, "int32"],
        second=True,
    ),
    Case(
        "Cross",
        lambda tf, a, b: tf.linalg.cross(a, b),
        [arr(2, 4), arr(2, 4)],
        "mismatch",
        raises=True,
    ),
    Case("MatrixTranspose", lambda tf, a: tf.matrix_transpose(a), [arr(2, 2, 3)]),
    Case("MatrixTranspose", lambda tf, a: tf.linalg.adjoint(a), [arr(2, 3)], "adjoint", COMPLEX),
    Case("Trace", lambda tf, a: tf.trace(a), [arr(2, 3, 3)]),
    Case(
        "Dense",
        lambda tf, x, w, b: tf.nn.xw_plus_b(x, w, b),
        [arr(2, 3), arr(3, 2), arr(2)],
        "xw_plus_b",
    ),
    Case(
        "Dense",
        lambda tf, x, w, b: tf.nn.relu_layer(x, w, b),
        [arr(2, 3), arr(3, 2), arr(2)],
        "relu_layer",
    ),
    Case("Scalarmul", lambda tf, x: tf.scalar_mul(2.5, x), [arr(2, 3)]),
    Case("Polyval", lambda tf, a, b, x: tf.math.polyval([a, b, 1.0], x), [arr(), arr(), arr(3)]),
    Case("MatMul", _matmul(), [ints(2, 3), ints(3, 2)], "integers"),
    Case("MatMul", _matmul(), [val([[1e3, 1.0]]), val([[1.0], [1e-3]])], "range", FLOATS),
]
