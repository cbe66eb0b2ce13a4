"""Rows of linear algebra.

Eigenvectors and singular vectors are unique up to signs only, in TensorFlow too, so the rows
multiply them back. The signs of QR and the pivots of LU are compared as they are.
"""

from __future__ import annotations

from op_table.case import COMPLEX, DEFAULT, Case, arr, val

BOTH = [*DEFAULT, *COMPLEX]
# Well-conditioned on purpose: the tolerance is that of the dtype.
SQUARE = val([[4.0, 1.0, 0.5], [0.5, 3.0, -1.0], [1.0, -0.5, 5.0]])
BATCH = val([[[4.0, 1.0], [0.5, 3.0]], [[2.0, -1.0], [1.0, 3.0]]])
TALL = val([[2.0, 0.5], [-1.0, 3.0], [0.5, 1.0]])
RTOL = {"rtol": 1e-4}  # Of float32 decompositions, whose steps come in another order.


def _positive(tf, x):
    return tf.matmul(x, x, adjoint_b=True) + tf.eye(3, dtype=x.dtype)


def _self_adjoint(tf, x):
    return (x + tf.linalg.adjoint(x)) / 2


def _shapeless(function):
    """Without static shapes, so that the run has to look at them."""

    def hidden(tf, *inputs):
        return function(tf, *(tf.placeholder_with_default(x, None) for x in inputs))

    return hidden


def _refused(op_type, label, function, *inputs):
    """A row that the run refuses."""
    return Case(op_type, _shapeless(function), inputs, label, ["float32"], raises=True)


def _rebuilt_svd(tf, x, **keywords):
    s, u, v = tf.svd(x, **keywords)
    return s, tf.matmul(u, tf.matmul(tf.linalg.diag(s), v, adjoint_b=True))


def _rebuilt_qr(tf, x, **keywords):
    q, r = tf.qr(x, **keywords)
    return tf.matmul(q, r), tf.matmul(q, q, adjoint_a=True), tf.abs(r)


def _rebuilt_eigen(tf, x):
    e, v = tf.self_adjoint_eig(_self_adjoint(tf, x))
    return e, tf.matmul(v * tf.cast(tf.sqrt(tf.abs(e)), x.dtype), v, adjoint_b=True)


CASES = [
    Case("Cholesky", lambda tf, x: tf.cholesky(_positive(tf, x)), [SQUARE], "", BOTH, **RTOL),
    Case(
        "Cholesky",
        lambda tf, x: tf.cholesky(x),
        [val([[1.0, 2.0], [2.0, 1.0]])],
        "fails",
        ["float32"],
        raises=True,
    ),
    Case(
        "Cholesky",
        lambda tf, x: tf.cholesky(x),
        [arr(2, 3)],
        "not_square",
        ["float32"],
        raises=True,
    ),
    Case(
        "Cholesky",
        lambda tf, x, b: tf.cholesky_solve(tf.cholesky(_positive(tf, x)), b),
        [SQUARE, arr(3, 2)],
        "solve",
        **RTOL,
    ),
    Case(
        "MatrixInverse", lambda tf, x: tf.matrix_inverse(x), [SQUARE], "", BOTH, second=True, **RTOL
    ),
    Case(
        "MatrixInverse",
        lambda tf, x: tf.matrix_inverse(x, adjoint=True),
        [BATCH],
        "adjoint",
        BOTH,
        smooth=False,  # TensorFlow differentiates it as if it were not the adjoint.
        **RTOL,
    ),
    Case(
        "MatrixInverse",
        lambda tf, x: tf.matrix_inverse(x),
        [val([[1.0, 2.0], [2.0, 4.0]])],
        "singular",
        ["float32"],
        raises=True,
    ),
    Case(
        "MatrixDeterminant",
        lambda tf, x: tf.matrix_determinant(x),
        [SQUARE],
        "",
        BOTH,
        second=True,
        **RTOL,
    ),
    Case("MatrixDeterminant", lambda tf, x: tf.matrix_determinant(x), [BATCH], "batch", **RTOL),
    Case(
        "LogMatrixDeterminant",
        lambda tf, x: tf.linalg.slogdet(x),
        [SQUARE],
        "",
        BOTH,
        grad_outputs=(1,),
        **RTOL,
    ),
    Case(
        "LogMatrixDeterminant",
        lambda tf, x: tf.linalg.logdet(_positive(tf, x)),
        [SQUARE],
        "logdet",
        **RTOL,
    ),
    Case(
        "MatrixSolve",
        lambda tf, x, b: tf.matrix_solve(x, b),
        [SQUARE, arr(3, 2)],
        "",
        BOTH,
        second=True,
        **RTOL,
    ),
    Case(
        "MatrixSolve",
        lambda tf, x, b: tf.matrix_solve(x, b, adjoint=True),
        [BATCH, arr(2, 2, 1)],
        "adjoint",
        BOTH,
        **RTOL,
    ),
    Case(
        "MatrixSolve",
        lambda tf, x, b: tf.matrix_solve(x, b),
        [val([[1.0, 2.0], [2.0, 4.0]]), arr(2, 1)],
        "singular",
        ["float32"],
        raises=True,
    ),
    Case(
        "MatrixTriangularSolve",
        lambda tf, x, b: tf.matrix_triangular_solve(x, b),
        [SQUARE, arr(3, 2)],
        "",
        BOTH,
        second=True,
        **RTOL,
    ),
    Case(
        "MatrixTriangularSolve",
        lambda tf, x, b: tf.matrix_triangular_solve(x, b, lower=False),
        [SQUARE, arr(3, 2)],
        "upper",
        **RTOL,
    ),
    Case(
        "MatrixTriangularSolve",
        lambda tf, x, b: tf.matrix_triangular_solve(x, b, adjoint=True),
        [SQUARE, arr(3, 2)],
        "adjoint",
        BOTH,
        **RTOL,
    ),
    Case(
        "MatrixTriangularSolve",
        lambda tf, x, b: tf.matrix_triangular_solve(x, b),
        [val([[0.0, 0.0], [1.0, 1.0]]), arr(2, 1)],
        "singular",
        ["float32"],
        raises=True,
    ),
    Case(
        "MatrixSolveLs",
        lambda tf, x, b: tf.matrix_solve_ls(x, b),
        [TALL, arr(3, 2)],
        "",
        DEFAULT,
        **RTOL,
    ),
    Case(
        "MatrixSolveLs",
        lambda tf, x, b: tf.matrix_solve_ls(x, b, l2_regularizer=0.1),
        [TALL, arr(3, 2)],
        "regularized",
        **RTOL,
    ),
    Case("Qr", _rebuilt_qr, [TALL], "", DEFAULT, grad_outputs=(0, 2), **RTOL),
    Case(
        "Qr",
        lambda tf, x: tf.abs(tf.qr(x, full_matrices=True)[1]),
        [TALL],
        "full",
        DEFAULT,
        grad=(),
        **RTOL,
    ),
    Case("Qr", lambda tf, x: tf.qr(x), [SQUARE], "square", BOTH, **RTOL),
    Case("Qr", lambda tf, x: tf.qr(x), [TALL], "signs", DEFAULT, second=True, **RTOL),
    Case("Qr", lambda tf, x: tf.qr(x), [arr(2, 2, 3)], "wide", **RTOL),
    Case("Svd", _rebuilt_svd, [TALL], "", DEFAULT, **RTOL),
    Case("Svd", _rebuilt_svd, [arr(2, 2, 3)], "wide", **RTOL),
    Case(
        "Svd",
        lambda tf, x: (lambda s, u, v: (s, tf.abs(u[:, :2]), tf.abs(v)))(
            *tf.svd(x, full_matrices=True)
        ),
        [TALL],
        "full_vectors",
        **RTOL,
    ),
    Case(
        "Svd",
        lambda tf, x: tf.svd(x, full_matrices=True)[0],
        [val([[2.0, 1.0, 0.0, 1.0], [1.0, 0.0, 3.0, 1.0]])],
        "too_wide",
        ["float64"],
        grad_outputs=(0,),
        **RTOL,
    ),
    Case("Svd", lambda tf, x: tf.svd(x)[0], [SQUARE], "complex", ["complex64"], **RTOL),
    Case("Svd", lambda tf, x: tf.svd(x, compute_uv=False), [TALL], "values", BOTH, **RTOL),
    Case("Svd", lambda tf, x: tf.svd(x, full_matrices=True)[0], [TALL], "full", grad=(), **RTOL),
    Case("SelfAdjointEigV2", _rebuilt_eigen, [SQUARE], "", DEFAULT, **RTOL),
    Case(
        "SelfAdjointEigV2",
        lambda tf, x: tf.self_adjoint_eigvals(_self_adjoint(tf, x)),
        [SQUARE],
        "values",
        BOTH,
        **RTOL,
    ),
    Case(
        "SelfAdjointEigV2",
        lambda tf, x: tf.linalg.eigh(x)[0],
        [SQUARE],
        "lower_triangle",
        ["float64"],
        smooth=False,  # The gradient is that of the lower triangle.
        **RTOL,
    ),
    _refused(
        "SelfAdjointEigV2",
        "nan",
        lambda tf, x: tf.self_adjoint_eig(x),
        val([[float("nan")] * 2] * 2),
    ),
    Case(
        "MatrixExponential",
        lambda tf, x: tf.linalg.expm(3 * x),
        [BATCH],
        "scaled",
        ["float64"],
        grad=(),
        **RTOL,
    ),
    Case("MatrixExponential", lambda tf, x: tf.linalg.expm(x), [SQUARE], "", BOTH, grad=(), **RTOL),
    Case(
        "MatrixLogarithm",
        lambda tf, x: tf.linalg.logm(x),
        [SQUARE],
        "",
        ["complex64", "complex128"],
        grad=(),
        **RTOL,
    ),
    Case("MatrixSquareRoot", lambda tf, x: tf.linalg.sqrtm(x), [SQUARE], "", DEFAULT, **RTOL),
    Case(
        "MatrixLogarithm",
        lambda tf, x: tf.linalg.logm(x),
        [arr(2, 3, 3)],
        "far",
        ["complex128"],
        grad=(),
        **RTOL,
    ),
    Case("MatrixSquareRoot", lambda tf, x: tf.linalg.sqrtm(x), [BATCH], "batch", COMPLEX, **RTOL),
    Case(
        "MatrixSquareRoot",
        lambda tf, x: tf.linalg.sqrtm(x),
        [val([[[0.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]], [[-1.0, 0.0], [0.0, 4.0]]])],
        "edges",
        DEFAULT,
        grad=(),
        **RTOL,
    ),
    Case("Lu", lambda tf, x: tf.linalg.lu(x), [SQUARE], "", BOTH, grad=(), **RTOL),
    Case(
        "Lu",
        lambda tf, x: tf.linalg.lu(x, output_idx_type=tf.int64),
        [arr(2, 4, 4)],
        "pivots",
        BOTH,
        grad=(),
        **RTOL,
    ),
    Case(
        "Lu",
        lambda tf, x: tf.linalg.lu(tf.complex(x, x * [[1.0, 0.0], [0.0, 2.0]])),
        [val([[1.0, 2.0], [1.5, 1.0]], "float32")],
        "modulus",
        grad=(),
        **RTOL,
    ),
    Case("Lu", lambda tf, x: tf.linalg.lu(x), [arr(0, 3, 3)], "empty", grad=()),
    _refused("Lu", "singular", lambda tf, x: tf.linalg.lu(x), val([[1.0, 1.0], [1.0, 1.0]])),
    _refused("Lu", "vector", lambda tf, x: tf.linalg.lu(x), arr(2)),
    _refused("Lu", "not_square", lambda tf, x: tf.linalg.lu(x), arr(2, 3)),
    Case(
        "TridiagonalSolve",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, diagonals_format="compact"),
        [val([[1.0, 0.5, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 0.5]]), arr(3, 2)],
        "",
        DEFAULT,
        **RTOL,
    ),
    Case(
        "TridiagonalSolve",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, partial_pivoting=False),
        [val([[[1.0, 0.5, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 0.5]]]), arr(1, 3)],
        "no_pivoting",
        BOTH,
        **RTOL,
    ),
    Case(
        "TridiagonalSolve",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b),
        [arr(2, 3, 5), arr(2, 5, 1)],
        "pivots",
        BOTH,
        **RTOL,
    ),
    Case(
        "TridiagonalSolve",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(
            d, b, "matrix", transpose_rhs=True, conjugate_rhs=True
        ),
        [SQUARE, arr(2, 3)],
        "matrix",
        ["complex128"],
        **RTOL,
    ),
    Case(
        "TridiagonalSolve",
        lambda tf, a, d, c, b: tf.linalg.tridiagonal_solve((a, d, c), b, "sequence"),
        [arr(2), arr(3, low=3, high=4), arr(3), arr(3, 1)],
        "sequence",
        **RTOL,
    ),
    Case(
        "TridiagonalMatMul",
        lambda tf, d, b: tf.linalg.tridiagonal_matmul(d, b),
        [arr(2, 3, 4), arr(2, 4, 2)],
        "",
        BOTH,
        second=True,
    ),
    Case(
        "TridiagonalMatMul",
        lambda tf, x, b: tf.linalg.tridiagonal_matmul(x, b, diagonals_format="matrix"),
        [SQUARE, arr(3, 2)],
        "matrix",
    ),
    Case(
        "TridiagonalMatMul",
        lambda tf, a, d, c, b: tf.linalg.tridiagonal_matmul([a, d, c], b, "sequence"),
        [arr(3), arr(3), arr(3), arr(3, 1)],
        "sequence",
    ),
    *[
        _refused(
            "TridiagonalSolve",
            label,
            lambda tf, d, b: tf.raw_ops.TridiagonalSolve(diagonals=d, rhs=b),
            diagonals,
            rhs,
        )
        for label, diagonals, rhs in [
            ("singular", val([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), arr(2, 2)),
            ("zero", val([[1.0], [0.0], [1.0]]), arr(1, 2)),
            ("two_rows", arr(2, 3), arr(3, 1)),
            ("sizes", arr(3, 3), arr(2, 1)),
        ]
    ],
    _refused(
        "TridiagonalSolve",
        "needs_pivoting",
        lambda tf, d, b: tf.raw_ops.TridiagonalSolve(diagonals=d, rhs=b, partial_pivoting=False),
        val([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]),
        arr(2, 2),
    ),
    *[
        _refused(
            "TridiagonalMatMul",
            label,
            lambda tf, a, d, c, b: tf.raw_ops.TridiagonalMatMul(
                superdiag=a, maindiag=d, subdiag=c, rhs=b
            ),
            *inputs,
        )
        for label, inputs in [
            ("above", [arr(1, 2), arr(1, 3), arr(1, 3), arr(3, 2)]),
            ("main", [arr(1, 3), arr(1, 2), arr(1, 3), arr(3, 2)]),
            ("below", [arr(1, 3), arr(1, 3), arr(1, 2), arr(3, 2)]),
        ]
    ],
    # What several functions share.
    *[
        _refused(
            op_type,
            "not_square",
            lambda tf, x, op=op_type: getattr(tf.raw_ops, op)(input=x),
            arr(2, 3),
        )
        for op_type in [
            "MatrixDeterminant",
            "LogMatrixDeterminant",
            "MatrixInverse",
            "MatrixSquareRoot",
            "SelfAdjointEigV2",
        ]
    ],
    *[
        Case(
            op_type,
            lambda tf, x, op=op_type: getattr(tf.raw_ops, op)(input=x),
            [spec],
            label,
            ["float32"],
            grad=(),
        )
        for op_type in [
            "Cholesky",
            "MatrixDeterminant",
            "LogMatrixDeterminant",
            "MatrixInverse",
            "MatrixSquareRoot",
            "SelfAdjointEigV2",
            "Qr",
        ]
        for label, spec in [("empty", arr(0, 2, 2)), ("of_size_0", arr(2, 0, 0))]
    ],
    Case(
        "MatrixDeterminant",
        lambda tf, x: [tf.linalg.det(x), *tf.linalg.slogdet(x)],
        [val([[1.0, 1.0], [1.0, 1.0]])],
        "singular",
        grad=(),
    ),
    *[
        _refused(
            op_type,
            label,
            lambda tf, x, b, op=op_type: getattr(tf.raw_ops, op)(matrix=x, rhs=b),
            *inputs,
        )
        for op_type in ["MatrixSolve", "MatrixTriangularSolve"]
        for label, inputs in [
            ("wide", [arr(2, 3), arr(2, 1)]),
            ("batches", [arr(2, 2, 2), arr(3, 2, 1)]),
        ]
    ],
    *[
        _refused(
            "MatrixSolveLs",
            label,
            lambda tf, x, b, l2=l2: tf.raw_ops.MatrixSolveLs(matrix=x, rhs=b, l2_regularizer=l2),
            *inputs,
        )
        for label, l2, inputs in [
            ("deficient", 0.0, [val([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]), arr(3, 1)]),
            ("negative", -1.0, [arr(3, 2), arr(3, 1)]),
            ("sizes", 0.0, [arr(3, 2), arr(2, 1)]),
        ]
    ],
    *[
        Case(
            "MatrixSolveLs",
            lambda tf, x, b, fast=fast, l2=l2: tf.raw_ops.MatrixSolveLs(
                matrix=x, rhs=b, l2_regularizer=l2, fast=fast
            ),
            inputs,
            label,
            dtypes,
            **RTOL,
        )
        for label, fast, l2, inputs, dtypes in [
            ("op", True, 0.0, [TALL, arr(3, 2)], DEFAULT),
            ("op_regularized", True, 0.5, [TALL, arr(3, 2)], ["float64"]),
            ("op_wide", True, 0.0, [arr(2, 2, 3), arr(2, 2, 1)], ["float64"]),
            ("op_slow", False, 0.5, [TALL, arr(3, 2)], BOTH),
            ("op_rank_1", False, 0.0, [val([[1.0, 1.0], [1.0, 1.0]]), arr(2, 1)], ["float64"]),
        ]
    ],
    Case(
        "MatrixSolveLs",
        lambda tf, x, b: tf.matrix_solve_ls(x, b, fast=False),
        [arr(2, 3), arr(2, 1)],
        "wide_slow",
        ["float64"],
        **RTOL,
    ),
    Case(
        "MatrixSolveLs",
        lambda tf, x, b: tf.linalg.lstsq(x, b, 0.5),
        [arr(2, 3), arr(2, 1)],
        "wide",
        ["float64"],
        **RTOL,
    ),
    Case(
        "MatrixSolveLs",
        lambda tf, x, b: tf.linalg.lstsq(x, b, 0.5),
        [arr(3, 2), arr(3, 1)],
        "complex128_regularized",
        ["complex128"],
        raises=True,
    ),
    Case(
        "CholeskyGrad",
        lambda tf, factor, grad: tf.raw_ops.CholeskyGrad(l=factor, grad=grad),
        [val([[[2.0, 5.0], [1.0, 3.0]]]), arr(1, 2, 2)],
        "",
        DEFAULT,
        grad=(),
    ),
    _refused(
        "CholeskyGrad",
        "not_square",
        lambda tf, factor, grad: tf.raw_ops.CholeskyGrad(l=factor, grad=grad),
        arr(2, 3),
        arr(2, 3),
    ),
    # Functions made of these.
    Case("Pinv", lambda tf, x: tf.linalg.pinv(x), [TALL], "", DEFAULT, **RTOL),
    Case("Pinv", lambda tf, x: tf.linalg.pinv(x, 0.5, True), [arr(2, 2, 3)], "rcond", **RTOL),
    Case("Pinv", lambda tf, x: tf.linalg.pinv(x), [arr(3)], "vector", raises=True),
    Case("Pinv", lambda tf, x: tf.linalg.pinv(x), [arr(3, 3)], "complex", COMPLEX[:1], raises=True),
    Case("MatrixRank", lambda tf, x: tf.linalg.matrix_rank(x), [arr(2, 3, 2)], "", grad=()),
    Case("MatrixRank", lambda tf, x: tf.linalg.matrix_rank(x, 1.0, True), [SQUARE], "tol", grad=()),
    Case("Normalize", lambda tf, x: tf.linalg.normalize(x, 1, axis=-1), [arr(2, 3)]),
    *[
        Case("Norm", lambda tf, x, o=o, a=a: tf.norm(x, o, a, True), [arr(2, 2, 3)], label, **RTOL)
        for label, o, a in [
            ("fro", "fro", (0, 1)),
            ("matrix_1", 1, (-2, -1)),
            ("matrix_inf", float("inf"), (0, 2)),
            ("vector_3", 3, -1),
        ]
    ],
    Case("Norm", lambda tf, x: tf.norm(x, 3, (0, 1)), [arr(2, 3)], "order", raises=True),
    Case("Norm", lambda tf, x: tf.norm(x, 1, (0, 0)), [arr(2, 3)], "axis", raises=True),
    Case("Norm", lambda tf, x: tf.norm(x, -1), [arr(2, 3)], "negative", raises=True),
    Case(
        "Adjoint", lambda tf, x: tf.linalg.adjoint(x), [arr(2, 2, 3)], "", ["float32", "complex64"]
    ),
    *[
        Case(
            "Removed",
            lambda tf, x, op=op_type: getattr(tf.raw_ops, op)(input=x),
            [SQUARE],
            op_type,
            ["float32"],
            raises=True,
        )
        for op_type in ["BatchCholesky", "SelfAdjointEig", "MatrixExponential"]
    ],
    Case("Eye", lambda tf: tf.linalg.eye(2, batch_shape=[2]), label="linalg"),
    Case("BatchFunctions", lambda tf, x: tf.linalg.tensor_diag_part(x), [SQUARE], "diag_part"),
    # Complex numbers.
    Case("Complex", lambda tf, x: tf.real(x) * tf.imag(x), [arr(4)], "parts", COMPLEX),
    Case("Complex", lambda tf, x: tf.conj(x) * x, [arr(4)], "conjugate", COMPLEX, second=True),
    Case("Complex", lambda tf, x, y: tf.complex(x, y) ** 2, [arr(4), arr(4)], "squared"),
    Case(
        "Complex",
        lambda tf, x: tf.abs(tf.cast(x, tf.complex64) * 1j),
        [arr(4, dtype="float32")],
        "modulus",
    ),
]
