"""Rows of linear algebra.

Eigenvectors, singular vectors and the factors of QR are unique up to signs only, so the rows
multiply them back.
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
    Case("Svd", _rebuilt_svd, [TALL], "", DEFAULT, **RTOL),
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
    Case("MatrixExponential", lambda tf, x: tf.linalg.expm(x), [SQUARE], "", DEFAULT, **RTOL),
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
    Case("Lu", lambda tf, x: tf.linalg.lu(x), [SQUARE], "", BOTH, grad=(), **RTOL),
    Case(
        "TridiagonalSolve",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, diagonals_format="compact"),
        [val([[1.0, 0.5, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 0.5]]), arr(3, 2)],
        "",
        DEFAULT,
        **RTOL,
    ),
    Case(
        "LinearOperator",
        lambda tf, x, b: tf.linalg.LinearOperatorFullMatrix(x).matvec(b),
        [SQUARE, arr(3)],
        "full_matrix",
    ),
    Case(
        "LinearOperator",
        lambda tf, d, b: tf.linalg.LinearOperatorDiag(d).solvevec(b),
        [arr(3, low=1), arr(3)],
        "diag",
    ),
    Case(
        "NormSquared",
        lambda tf, x: tf.linalg.norm(x, ord=2, axis=[-2, -1]),
        [TALL],
        "spectral",
        grad=(),
        **RTOL,
    ),
    Case("Eye", lambda tf: tf.linalg.eye(2, batch_shape=[2]), label="linalg"),
    Case("BatchFunctions", lambda tf, x: tf.linalg.tensor_diag_part(x), [SQUARE], "diag_part"),
    # Fourier transforms.
    Case("FFT", lambda tf, x: tf.fft(x), [arr(2, 4)], "", COMPLEX, second=True),
    Case("IFFT", lambda tf, x: tf.ifft(x), [arr(2, 4)], "", COMPLEX, second=True),
    Case("FFT2D", lambda tf, x: tf.fft2d(x), [arr(2, 3, 4)], "", COMPLEX, second=True),
    Case("IFFT2D", lambda tf, x: tf.ifft2d(x), [arr(2, 3, 4)], "", COMPLEX),
    Case("FFT3D", lambda tf, x: tf.fft3d(x), [arr(2, 3, 2)], "", COMPLEX),
    Case("IFFT3D", lambda tf, x: tf.ifft3d(x), [arr(2, 3, 2)], "", COMPLEX),
    Case("RFFT", lambda tf, x: tf.spectral.rfft(x), [arr(2, 6, dtype="float32")]),
    Case("RFFT", lambda tf, x: tf.spectral.rfft(x, [5]), [arr(2, 6, dtype="float32")], "cut"),
    Case("RFFT", lambda tf, x: tf.spectral.rfft(x, [8]), [arr(2, 6, dtype="float32")], "padded"),
    Case("IRFFT", lambda tf, x: tf.spectral.irfft(x), [arr(2, 4, dtype="complex64")], smooth=False),
    Case(
        "IRFFT",
        lambda tf, x: tf.spectral.irfft(x, [5]),
        [arr(2, 4, dtype="complex64")],
        "odd",
        smooth=False,
    ),
    Case("RFFT2D", lambda tf, x: tf.spectral.rfft2d(x), [arr(3, 4, dtype="float32")]),
    Case(
        "IRFFT2D",
        lambda tf, x: tf.spectral.irfft2d(x),
        [arr(3, 3, dtype="complex64")],
        smooth=False,
    ),
    Case("Dct", lambda tf, x: tf.spectral.dct(x), [arr(2, 4, dtype="float32")]),
    Case(
        "Dct", lambda tf, x: tf.spectral.dct(x, norm="ortho"), [arr(2, 4, dtype="float32")], "ortho"
    ),
    Case("Idct", lambda tf, x: tf.spectral.idct(x), [arr(2, 4, dtype="float32")]),
    Case("Stft", lambda tf, x: tf.signal.stft(x, 4, 2), [arr(10, dtype="float32")]),
    Case("Window", lambda tf: [tf.signal.hann_window(5), tf.signal.hamming_window(4)]),
    Case("Frame", lambda tf, x: tf.signal.frame(x, 3, 2), [arr(8)]),
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
