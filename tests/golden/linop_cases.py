"""tf.linalg.LinearOperator*: every method of every class, on known and unknown shapes."""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect, fetch

_CALLS = (
    "shape_tensor",
    "batch_shape_tensor",
    "tensor_rank_tensor",
    "domain_dimension_tensor",
    "range_dimension_tensor",
    "to_dense",
    "diag_part",
    "trace",
)
_SQUARE_CALLS = ("determinant", "log_abs_determinant")
_ASSERTIONS = ("assert_non_singular", "assert_positive_definite", "assert_self_adjoint")


def _array(seed, *shape, **kwargs):
    state = np.random.RandomState(seed)
    numbers = state.uniform(0.5, 1.5, shape)
    if kwargs.get("complex"):
        return (numbers + 1j * state.uniform(-1, 1, shape)).astype(np.complex64)
    return numbers.astype(kwargs.get("dtype", np.float64))


def _definite(seed, *shape):
    a = _array(seed, *shape)
    return np.matmul(a, np.swapaxes(a, -1, -2)) + 2 * np.eye(shape[-1])


class _Inputs:
    """Placeholders of known or unknown shapes, and what is fed."""

    def __init__(self, tf, known):
        self.tf, self.known, self.feeds = tf, known, {}

    def __call__(self, value):
        value = np.asarray(value)
        x = self.tf.placeholder(value.dtype, value.shape if self.known else None)
        self.feeds[x] = value
        return x


def _said(operator):
    hints = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")
    return [operator.name, operator.shape, operator.batch_shape, operator.tensor_rank,
            operator.domain_dimension, operator.range_dimension, operator.dtype,
            [getattr(operator, hint) for hint in hints],
            [str(x) for x in operator.graph_parents]]  # fmt: skip


def _attempts(methods, errors):
    found = []
    for method in methods:
        try:
            found.append(method())
        except Exception as e:
            errors.append((type(e).__name__, str(e)))
    return found


def _used(tf, operator, inputs, args=(4, 4), square=True, batch=(2,)):
    """Calls everything on an operator of `args` rows and columns; returns the case."""
    rows, columns = args
    dtype = operator.dtype.as_numpy_dtype
    complex_ = np.issubdtype(dtype, np.complexfloating)

    def values(*shape):
        x = _array(7, *shape, complex=complex_)
        return inputs(x.astype(dtype))

    x, y = values(*batch, columns, 3), values(*batch, 3, rows)
    v, w = values(*batch, columns), values(*batch, rows)
    calls = [getattr(operator, name) for name in _CALLS]
    calls += [
        lambda: operator.matmul(x),
        lambda: operator.matmul(y, adjoint=True, adjoint_arg=True),
        lambda: operator.matvec(v),
        lambda: operator.matvec(w, adjoint=True),
        lambda: tf.linalg.trace(operator),
        lambda: tf.matmul(operator, x),
        lambda: operator.adjoint().matmul(values(*batch, rows, 2)),
    ]
    if square:
        calls += [getattr(operator, name) for name in _SQUARE_CALLS]
        calls += [
            lambda: operator.solve(x),
            lambda: operator.solve(y, adjoint=True, adjoint_arg=True),
            lambda: operator.solvevec(v),
            lambda: operator.add_to_tensor(values(*batch, rows, columns)),
            lambda: operator.inverse().matmul(x),
            lambda: operator.inverse().to_dense(),
            lambda: tf.linalg.solve(operator, x),
            lambda: operator.cholesky().to_dense(),
            lambda: operator.matmul(operator).to_dense(),
            lambda: operator.solve(operator).matmul(x),
            lambda: tf.linalg.det(operator),
        ]
    errors = []
    fetches = _attempts(calls, errors)
    _attempts([getattr(operator, name) for name in _ASSERTIONS], errors)
    said = _said(operator) + errors
    return Case(fetches, feeds=lambda step: inputs.feeds, said=said, steps=1)


def _both(function):
    """The case with known and with unknown static shapes."""

    def known(tf):
        return function(tf, _Inputs(tf, True))

    def unknown(tf):
        return function(tf, _Inputs(tf, False))

    known.__name__ = function.__name__
    unknown.__name__ = function.__name__ + "_unknown"
    return [known, unknown]


def full_matrix(tf, inputs):
    operator = tf.linalg.LinearOperatorFullMatrix(inputs(_array(1, 2, 4, 4) + np.eye(4)))
    return _used(tf, operator, inputs)


def full_matrix_definite(tf, inputs):
    operator = tf.linalg.LinearOperatorFullMatrix(
        inputs(_definite(1, 2, 4, 4)), is_self_adjoint=True, is_positive_definite=True
    )
    return _used(tf, operator, inputs)


def full_matrix_not_square(tf, inputs):
    operator = tf.linalg.LinearOperatorFullMatrix(inputs(_array(1, 2, 4, 3)), is_square=False)
    return _used(tf, operator, inputs, (4, 3), square=False)


def full_matrix_complex(tf, inputs):
    matrix = _array(2, 3, 3, complex=True) + 2 * np.eye(3)
    operator = tf.linalg.LinearOperatorFullMatrix(inputs(matrix.astype(np.complex64)))
    return _used(tf, operator, inputs, (3, 3), batch=(2,))


def diag(tf, inputs):
    operator = tf.linalg.LinearOperatorDiag(
        inputs(_array(1, 2, 4)), is_positive_definite=True, name="d"
    )
    return _used(tf, operator, inputs)


def diag_complex(tf, inputs):
    return _used(tf, tf.linalg.LinearOperatorDiag(inputs(_array(1, 4, complex=True))), inputs)


def lower_triangular(tf, inputs):
    operator = tf.linalg.LinearOperatorLowerTriangular(inputs(_array(1, 4, 4)))
    return _used(tf, operator, inputs, batch=(3, 2))


def householder(tf, inputs):
    return _used(tf, tf.linalg.LinearOperatorHouseholder(inputs(_array(1, 2, 4))), inputs)


def identity(tf, inputs):
    size = 4 if inputs.known else inputs(np.int32(4))
    return _used(tf, tf.linalg.LinearOperatorIdentity(size, dtype=tf.float64), inputs)


def identity_of_a_batch(tf, inputs):
    batch = [2] if inputs.known else inputs(np.int32([2]))
    operator = tf.linalg.LinearOperatorIdentity(
        4, batch, dtype=tf.float64, assert_proper_shapes=True
    )
    return _used(tf, operator, inputs, batch=(3, 2) if inputs.known else (2,))


def scaled_identity(tf, inputs):
    size = 4 if inputs.known else inputs(np.int32(4))
    operator = tf.linalg.LinearOperatorScaledIdentity(
        size, inputs(_array(1, 2)), is_positive_definite=True, assert_proper_shapes=True
    )
    return _used(tf, operator, inputs)


def scaled_identity_complex(tf, inputs):
    multiplier = inputs(_array(1, complex=True))
    return _used(tf, tf.linalg.LinearOperatorScaledIdentity(4, multiplier), inputs)


def zeros(tf, inputs):
    size = 4 if inputs.known else inputs(np.int32(4))
    operator = tf.linalg.LinearOperatorZeros(size, batch_shape=[2], dtype=tf.float64)
    return _used(tf, operator, inputs)


def zeros_not_square(tf, inputs):
    operator = tf.linalg.LinearOperatorZeros(
        4, 3, dtype=tf.float64, is_square=False, is_self_adjoint=False
    )
    return _used(tf, operator, inputs, (4, 3), square=False)


def composition(tf, inputs):
    first = tf.linalg.LinearOperatorFullMatrix(
        inputs(_array(1, 2, 4, 4) + np.eye(4)), is_non_singular=True
    )
    second = tf.linalg.LinearOperatorDiag(inputs(_array(2, 4)), is_non_singular=True)
    return _used(tf, tf.linalg.LinearOperatorComposition([first, second]), inputs)


def block_diag(tf, inputs):
    first = tf.linalg.LinearOperatorFullMatrix(
        inputs(_definite(1, 2, 3, 3)),
        is_self_adjoint=True,
        is_positive_definite=True,
        is_square=True,
    )
    second = tf.linalg.LinearOperatorDiag(inputs(_array(2, 1)), is_positive_definite=True)
    return _used(tf, tf.linalg.LinearOperatorBlockDiag([first, second]), inputs)


def kronecker(tf, inputs):
    first = tf.linalg.LinearOperatorFullMatrix(
        inputs(_definite(1, 2, 2)), is_self_adjoint=True, is_positive_definite=True
    )
    second = tf.linalg.LinearOperatorDiag(inputs(_array(2, 2)), is_positive_definite=True)
    return _used(tf, tf.linalg.LinearOperatorKronecker([first, second]), inputs)


def kronecker_of_three(tf, inputs):
    factors = [
        tf.linalg.LinearOperatorFullMatrix(inputs(_array(i, *shape)))
        for i, shape in enumerate([(2, 3), (2, 1), (1, 2)])
    ]
    operator = tf.linalg.LinearOperatorKronecker(factors, name="k")
    return _used(tf, operator, inputs, (4, 6), square=False)


def low_rank_update(tf, inputs):
    base = tf.linalg.LinearOperatorDiag(inputs(_array(1, 2, 4)), is_positive_definite=True)
    operator = tf.linalg.LinearOperatorLowRankUpdate(base, inputs(_array(2, 2, 4, 2)))
    return _used(tf, operator, inputs)


def low_rank_update_with_diagonal(tf, inputs):
    base = tf.linalg.LinearOperatorLowerTriangular(inputs(_array(1, 4, 4) + np.eye(4)))
    operator = tf.linalg.LinearOperatorLowRankUpdate(
        base, inputs(_array(2, 4, 2)), inputs(_array(3, 2)), inputs(_array(4, 4, 2))
    )
    return _used(tf, operator, inputs)


def circulant(tf, inputs):
    spectrum = inputs(_array(1, 2, 4, complex=True))
    return _used(tf, tf.linalg.LinearOperatorCirculant(spectrum), inputs)


def circulant_real(tf, inputs):
    spectrum = inputs(_array(1, 4, dtype=np.float32))
    operator = tf.linalg.LinearOperatorCirculant(
        spectrum, input_output_dtype=tf.float32, is_positive_definite=True
    )
    case = _used(tf, operator, inputs)
    case.fetches += [operator.convolution_kernel(), operator.block_shape_tensor()]
    return case


def circulant_2d(tf, inputs):
    spectrum = inputs(_array(1, 2, 2, 2, complex=True))
    return _used(tf, tf.linalg.LinearOperatorCirculant2D(spectrum), inputs)


def circulant_3d(tf, inputs):
    spectrum = inputs(_array(1, 1, 2, 2, complex=True))
    return _used(tf, tf.linalg.LinearOperatorCirculant3D(spectrum), inputs)


def toeplitz(tf, inputs):
    column = _array(1, 4).astype(np.float32) + np.float32([3, 0, 0, 0])
    row = np.append(column[:1], _array(2, 3)).astype(np.float32)
    return _used(tf, tf.linalg.LinearOperatorToeplitz(inputs(column), inputs(row)), inputs)


def adjoint(tf, inputs):
    base = tf.linalg.LinearOperatorFullMatrix(
        inputs((_array(1, 4, 4, complex=True) + 2 * np.eye(4)).astype(np.complex64))
    )
    return _used(tf, tf.linalg.LinearOperatorAdjoint(base), inputs)


def inversion(tf, inputs):
    base = tf.linalg.LinearOperatorFullMatrix(inputs(_array(1, 4, 4) + np.eye(4)))
    return _used(tf, tf.linalg.LinearOperatorInversion(base, is_square=True), inputs)


def products(tf, inputs):
    linalg = tf.linalg
    d = linalg.LinearOperatorDiag(inputs(_array(1, 4)), is_non_singular=True)
    s = linalg.LinearOperatorScaledIdentity(4, inputs(_array(2)), is_non_singular=True)
    t = linalg.LinearOperatorLowerTriangular(inputs(_array(3, 4, 4)), is_non_singular=True)
    i = linalg.LinearOperatorIdentity(4, dtype=tf.float64)
    z = linalg.LinearOperatorZeros(4, dtype=tf.float64)
    f = linalg.LinearOperatorFullMatrix(inputs(_array(4, 4, 4)), is_non_singular=True)
    pairs = [(d, d), (d, s), (s, d), (d, t), (t, d), (i, f), (f, i), (f, z), (z, d), (t, f)]
    results, errors = [], []
    for a, b in pairs:
        results += _attempts([lambda: a.matmul(b)], errors)
        results += _attempts([lambda: a.solve(b, adjoint=True)], errors)
    results += [f.inverse().solve(d), f.inverse().inverse(), f.adjoint().adjoint()]
    said = [(type(x).__name__, x.name, x.is_non_singular, x.is_positive_definite) for x in results]
    dense = _attempts([x.to_dense for x in results], errors)
    return Case(dense, feeds=lambda step: inputs.feeds, said=said + errors, steps=1)


def gradients(tf, inputs):
    diagonal, u = inputs(_array(1, 4)), inputs(_array(2, 4, 2))
    base = tf.linalg.LinearOperatorDiag(diagonal, is_positive_definite=True)
    operator = tf.linalg.LinearOperatorLowRankUpdate(base, u)
    loss = operator.log_abs_determinant() + tf.reduce_sum(operator.solvevec(inputs(_array(3, 4))))
    return Case(tf.gradients(loss, [diagonal, u]), feeds=lambda step: inputs.feeds, steps=1)


def of_a_variable(tf):
    v = tf.Variable(np.float32([1, 2, 3]), use_resource=True)
    operator = tf.linalg.LinearOperatorDiag(v)
    fetches = [operator.to_dense(), operator.determinant()]
    return Case(fetches, updates=[v.assign_add([1.0, 1.0, 1.0])], said=_said(operator), steps=2)


def a_module(tf):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(1.0, use_resource=True)
            self.layers = [tf.Module(), {"b": tf.Variable(2.0, trainable=False)}]

        @tf.Module.with_name_scope
        def call(self):
            return self.w + 1.0

    net = Net()
    said = [net.name, net.variables, net.trainable_variables, [x.name for x in net.submodules]]
    return Case([net.call()], said=said, steps=1)


_OPERATORS = [
    full_matrix, full_matrix_definite, full_matrix_not_square, full_matrix_complex, diag,
    diag_complex, lower_triangular, householder, identity, identity_of_a_batch, scaled_identity,
    scaled_identity_complex, zeros, zeros_not_square, composition, block_diag, kronecker,
    kronecker_of_three, low_rank_update, low_rank_update_with_diagonal, circulant, circulant_real,
    circulant_2d, circulant_3d, toeplitz, adjoint, inversion, products, gradients,
]  # fmt: skip

# Those whose operations depend on what is known of the shapes.
_UNKNOWN = [
    full_matrix, diag, identity, identity_of_a_batch, scaled_identity, zeros, composition,
    block_diag, kronecker, low_rank_update, circulant, toeplitz,
]  # fmt: skip

CASES = {
    "operators": collect(*[_both(function)[0] for function in _OPERATORS]),
    "unknown": collect(*[_both(function)[1] for function in _UNKNOWN]),
    "more": collect(of_a_variable, a_module),
}


def contradicting_hints(tf):
    tf.linalg.LinearOperatorDiag([1.0], is_positive_definite=True, is_non_singular=False)


def square_after_all(tf):
    return tf.linalg.LinearOperatorFullMatrix(np.eye(2), is_square=False).is_square


def not_square(tf):
    tf.linalg.LinearOperatorFullMatrix(np.ones([2, 3])).determinant()


def singular(tf):
    tf.linalg.LinearOperatorZeros(2).solve([[1.0], [1.0]])


def singular_inverse(tf):
    tf.linalg.LinearOperatorZeros(2).inverse()


def other_dtype(tf):
    tf.linalg.LinearOperatorDiag([1.0]).matmul(np.ones([1, 1]))


def other_size(tf):
    tf.linalg.LinearOperatorDiag([1.0]).matmul([[1.0], [2.0]])


def other_operator_size(tf):
    a = tf.linalg.LinearOperatorDiag([1.0])
    a.matmul(tf.linalg.LinearOperatorDiag([1.0, 2.0]))


def a_scalar_diagonal(tf):
    tf.linalg.LinearOperatorDiag(1.0)


def an_integer_matrix(tf):
    tf.linalg.LinearOperatorFullMatrix([[1]])


def a_vector_of_rows(tf):
    tf.linalg.LinearOperatorIdentity([2])


def negative_rows(tf):
    tf.linalg.LinearOperatorIdentity(-2)


def floating_rows(tf):
    tf.linalg.LinearOperatorIdentity(2.0)


def a_scalar_batch_shape(tf):
    tf.linalg.LinearOperatorIdentity(2, 3)


def a_negative_batch_shape(tf):
    tf.linalg.LinearOperatorIdentity(2, [-3])


def rows_unlike_columns(tf):
    tf.linalg.LinearOperatorZeros(2, 3)


def no_cholesky(tf):
    tf.linalg.LinearOperatorFullMatrix(np.eye(2)).cholesky()


def adjoint_hint(tf):
    tf.linalg.LinearOperatorAdjoint(tf.linalg.LinearOperatorDiag([1.0]), is_self_adjoint=False)


def singular_inversion(tf):
    tf.linalg.LinearOperatorInversion(tf.linalg.LinearOperatorZeros(2))


def no_operators(tf):
    tf.linalg.LinearOperatorComposition([])


def blocks_not_square(tf):
    tf.linalg.LinearOperatorBlockDiag([tf.linalg.LinearOperatorFullMatrix(np.ones([2, 3]))])


def short_spectrum(tf):
    tf.linalg.LinearOperatorCirculant2D([1.0])


def row_unlike_column(tf):
    tf.linalg.LinearOperatorToeplitz([1.0], [1.0, 2.0])


def negative_update(tf):
    base = tf.linalg.LinearOperatorDiag([1.0])
    tf.linalg.LinearOperatorLowRankUpdate(base, [[1.0]], is_diag_update_positive=False)


def an_abstract_operator(tf):
    tf.linalg.LinearOperator(tf.float32)


def a_tensor_as_the_matrix(tf):
    tf.linalg.solve([[1.0]], tf.linalg.LinearOperatorDiag([1.0]))


def a_zero_on_the_diagonal(tf):
    operator = tf.linalg.LinearOperatorDiag([1.0, 0.0], name="d")
    with tf.control_dependencies([operator.assert_non_singular()]):
        fetch(tf, operator.to_dense())


def a_hermitian_spectrum(tf):
    # TF multiplies a float and an integer.
    tf.linalg.LinearOperatorCirculant(np.ones(2), tf.float32).assert_hermitian_spectrum()


def a_bad_module_name(tf):
    tf.Module("a b")


MISTAKES = {
    "operators": collect(
        contradicting_hints, square_after_all, not_square, singular, singular_inverse, other_dtype,
        other_size, other_operator_size, a_scalar_diagonal, an_integer_matrix, a_vector_of_rows,
        negative_rows, floating_rows, a_scalar_batch_shape, a_negative_batch_shape,
        rows_unlike_columns, no_cholesky, adjoint_hint, singular_inversion, no_operators,
        blocks_not_square, short_spectrum, row_unlike_column, negative_update,
        an_abstract_operator, a_tensor_as_the_matrix, a_zero_on_the_diagonal, a_bad_module_name,
        a_hermitian_spectrum,
    )
}  # fmt: skip
