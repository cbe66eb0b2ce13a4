"""Distributions of tf.contrib.distributions and bijectors, with values of them."""

from __future__ import annotations

import numpy as np

TRIL = [[[1.0, 0.0], [0.5, 2.0]], [[2.0, 0.0], [-1.0, 0.5]]]
MATRIX = [[3.0, 0.5], [0.5, 2.0]]


def _ds(tf):
    return tf.contrib.distributions


def _bs(tf):
    return tf.contrib.distributions.bijectors


def _normal(tf, *args):
    return tf.distributions.Normal(*args)


# A distribution, and values of it.
DISTRIBUTIONS = {
    "cauchy": (lambda tf: _ds(tf).Cauchy([0.5, -1.0], [[2.0], [0.5]], True), [0.3, -4.0]),
    "half_normal": (lambda tf: _ds(tf).HalfNormal([0.5, 2.0], True), [[-1.0], [0.7]]),
    "inverse_gamma": (lambda tf: _ds(tf).InverseGamma([1.5, 3.0], 2.0), [0.3, 4.0]),
    "inverse_gamma_checked": (
        lambda tf: _ds(tf).InverseGamma([3.5, 3.0], [2.0], True, False),
        [0.3, 4.0],
    ),
    "inverse_gamma_softplus": (
        lambda tf: _ds(tf).InverseGammaWithSoftplusConcentrationRate(1.5, [2.0]),
        [0.3],
    ),
    "binomial": (lambda tf: _ds(tf).Binomial(5.0, probs=[0.2, 0.9]), [[5.0, 2.0], [0.0, 5.0]]),
    "binomial_checked": (
        lambda tf: _ds(tf).Binomial([5.0, 4.0], [0.5, -1.0], validate_args=True),
        [1.0, 4.0],
    ),
    "negative_binomial": (lambda tf: _ds(tf).NegativeBinomial([5.0, 0.5], [0.5, -1.0]), [1.0, 4.0]),
    "negative_binomial_checked": (
        lambda tf: _ds(tf).NegativeBinomial(5.0, probs=[0.5], validate_args=True),
        [1.0],
    ),
    "kumaraswamy": (lambda tf: _ds(tf).Kumaraswamy([1.5, 0.5], 2.0, True), [0.3, 0.9]),
    "kumaraswamy_checked": (
        lambda tf: _ds(tf).Kumaraswamy(1.5, [2.0, 3.0], allow_nan_stats=False),
        [0.3, 0.9],
    ),
    "sinh_arcsinh": (lambda tf: _ds(tf).SinhArcsinh([0.0, 1.0], 2.0), [0.3, 0.9]),
    "sinh_arcsinh_of_laplace": (
        lambda tf: _ds(tf).SinhArcsinh(
            0.5, [2.0], 0.3, 1.5, tf.distributions.Laplace(0.0, 1.0), validate_args=True
        ),
        [0.3],
    ),
    "deterministic": (lambda tf: _ds(tf).Deterministic([1.0, 2.0], 0.5), [0.6, 2.6]),
    "deterministic_checked": (
        lambda tf: _ds(tf).Deterministic([1.0, 2.0], 0.1, 0.5, True),
        [0.6, 2.6],
    ),
    "vector_deterministic": (
        lambda tf: _ds(tf).VectorDeterministic([[1.0, 2.0]], rtol=0.5, validate_args=True),
        [[0.6, 2.6], [3.0, 2.0]],
    ),
    "relaxed_bernoulli": (
        lambda tf: _ds(tf).RelaxedBernoulli(0.5, probs=[0.2, 0.9], validate_args=True),
        [0.3, 0.6],
    ),
    "exp_relaxed_one_hot": (
        lambda tf: _ds(tf).ExpRelaxedOneHotCategorical(0.5, [[0.1, 1.0], [2.0, 0.5]]),
        np.log([[0.3, 0.7], [0.6, 0.4]]).astype(np.float32),
    ),
    "exp_relaxed_one_hot_checked": (
        lambda tf: _ds(tf).ExpRelaxedOneHotCategorical(
            np.float32(0.5), probs=[0.3, 0.7], validate_args=True
        ),
        np.log([[0.3, 0.7], [0.6, 0.4]]).astype(np.float32),
    ),
    "relaxed_one_hot": (
        lambda tf: _ds(tf).RelaxedOneHotCategorical(0.5, [[0.1, 1.0], [2.0, 0.5]]),
        [[0.3, 0.7], [0.6, 0.4]],
    ),
    "quantized": (
        lambda tf: _ds(tf).QuantizedDistribution(_normal(tf, [0.5, 2.0], 2.0)),
        [1.0, -2.0],
    ),
    "quantized_with_bounds": (
        lambda tf: _ds(tf).QuantizedDistribution(
            tf.distributions.Uniform(0.0, 5.0), 1.0, 4.0, validate_args=True
        ),
        [1.0, 2.0, 4.0],
    ),
    "transformed": (
        lambda tf: _ds(tf).TransformedDistribution(_normal(tf, [0.5, 2.0], 2.0), _bs(tf).Exp()),
        [1.0, 2.0],
    ),
    "transformed_to_a_vector": (
        lambda tf: _ds(tf).TransformedDistribution(
            _normal(tf, [0.5, 2.0, 1.0], 2.0),
            _bs(tf).AffineScalar(1.0, 2.0),
            event_shape=[2],
            validate_args=True,
        ),
        [[[1.0, 2.0]], [[2.0, 0.5]]],
    ),
    "transformed_to_a_batch": (
        lambda tf: _ds(tf).TransformedDistribution(
            _normal(tf, 0.5, 2.0), _bs(tf).Affine(scale_tril=TRIL), [2], [2]
        ),
        [[1.0, 2.0], [2.0, 0.5]],
    ),
    "transformed_by_no_bijector": (
        lambda tf: _ds(tf).TransformedDistribution(_normal(tf, 0.5, 2.0)),
        [1.0, 2.0],
    ),
    "transformed_by_absolute_value": (
        lambda tf: _ds(tf).TransformedDistribution(
            _normal(tf, 0.5, [2.0, 1.0]), _bs(tf).AbsoluteValue()
        ),
        [1.0, 2.0],
    ),
    "transformed_by_fill_triangular": (
        lambda tf: _ds(tf).TransformedDistribution(
            _normal(tf, 0.5, 2.0), _bs(tf).FillTriangular(), event_shape=[3]
        ),
        MATRIX,
    ),
    "mvn_diag": (
        lambda tf: _ds(tf).MultivariateNormalDiag([0.5, -1.0], [[2.0, 1.0], [1.0, 0.5]]),
        MATRIX,
    ),
    "mvn_of_no_loc": (
        lambda tf: _ds(tf).MultivariateNormalDiag(scale_diag=[2.0, 1.0], validate_args=True),
        [[0.3, -4.0]],
    ),
    "mvn_identity": (
        lambda tf: _ds(tf).MultivariateNormalDiag([[0.5, 1.0]], scale_identity_multiplier=[2.0]),
        [0.3, -4.0],
    ),
    "mvn_diag_softplus": (
        lambda tf: _ds(tf).MultivariateNormalDiagWithSoftplusScale([0.5, -1.0], [2.0, 1.0]),
        [0.3, -4.0],
    ),
    "mvn_low_rank": (
        lambda tf: _ds(tf).MultivariateNormalDiagPlusLowRank(
            [0.5, -1.0], [2.0, 1.0], 0.5, [[1.0], [0.5]]
        ),
        [0.3, -4.0],
    ),
    "mvn_low_rank_with_diag": (
        lambda tf: _ds(tf).MultivariateNormalDiagPlusLowRank(
            [0.5, -1.0], scale_perturb_factor=[[1.0], [0.5]], scale_perturb_diag=[2.0]
        ),
        [0.3, -4.0],
    ),
    "mvn_tril": (
        lambda tf: _ds(tf).MultivariateNormalTriL([0.5, -1.0], TRIL, True),
        MATRIX,
    ),
    "mvn_tril_identity": (
        lambda tf: _ds(tf).MultivariateNormalTriL([0.5, -1.0]),
        [0.3, -4.0],
    ),
    "mvn_full_covariance": (
        lambda tf: _ds(tf).MultivariateNormalFullCovariance([0.5, -1.0], MATRIX, True),
        [0.3, -4.0],
    ),
    "vector_exponential": (
        lambda tf: _ds(tf).VectorExponentialDiag([0.5, -1.0], [2.0, 1.0]),
        [1.3, 4.0],
    ),
    "vector_laplace": (
        lambda tf: _ds(tf).VectorLaplaceDiag([0.5, -1.0], [[2.0, 1.0]], 1.0),
        [[1.3, 4.0]],
    ),
    "vector_sinh_arcsinh": (
        lambda tf: _ds(tf).VectorSinhArcsinhDiag([0.5, -1.0], [2.0, 1.0], skewness=0.5),
        [1.3, 4.0],
    ),
    "mixture": (
        lambda tf: _ds(tf).Mixture(
            tf.distributions.Categorical(probs=[[0.3, 0.7], [0.5, 0.5]]),
            [_normal(tf, [0.5, 1.0], 2.0), _normal(tf, -1.0, [1.0, 0.5])],
            validate_args=True,
        ),
        [0.3, -4.0],
    ),
    "mixture_of_vectors": (
        lambda tf: _ds(tf).Mixture(
            tf.distributions.Categorical(probs=[0.3, 0.7]),
            [_ds(tf).MultivariateNormalDiag([s, 1.0], [1.0, s]) for s in (1.0, 2.0)],
            use_static_graph=True,
        ),
        [0.3, -4.0],
    ),
    "mixture_same_family": (
        lambda tf: _ds(tf).MixtureSameFamily(
            tf.distributions.Categorical(probs=[0.3, 0.7]), _normal(tf, [0.5, -1.0], [2.0, 1.0])
        ),
        [0.3, -4.0],
    ),
    "mixture_same_family_of_vectors": (
        lambda tf: _ds(tf).MixtureSameFamily(
            tf.distributions.Categorical(probs=[[0.3, 0.7]]),
            _ds(tf).MultivariateNormalDiag([[[0.5, 1.0], [2.0, -1.0]]], [1.0, 2.0]),
        ),
        [[0.3, -4.0]],
    ),
    "wishart_full": (lambda tf: _ds(tf).WishartFull(4.0, MATRIX), MATRIX),
    "wishart_cholesky": (lambda tf: _ds(tf).WishartCholesky([4.0, 5.0], TRIL, True), TRIL),
    "wishart_full_checked": (
        lambda tf: _ds(tf).WishartFull(4.0, MATRIX, validate_args=True),
        MATRIX,
    ),
    "batch_reshape": (
        lambda tf: _ds(tf).BatchReshape(_normal(tf, [0.5, 1.0, 2.0, 3.0], 2.0), [2, 2]),
        MATRIX,
    ),
    "batch_reshape_of_vectors": (
        lambda tf: _ds(tf).BatchReshape(
            _ds(tf).MultivariateNormalDiag(np.ones([4, 2], np.float32), [[1.0, 2.0]] * 4),
            [2, -1],
            validate_args=True,
        ),
        np.ones([1, 2, 2, 2], np.float32),
    ),
    "poisson_lognormal": (
        lambda tf: _ds(tf).PoissonLogNormalQuadratureCompound([0.5, -0.5], [1.0, 0.5], 3),
        [1.0, 4.0],
    ),
    "poisson_lognormal_gauss_hermite": (
        lambda tf: _ds(tf).PoissonLogNormalQuadratureCompound(
            0.5,
            1.0,
            3,
            lambda loc, scale, n, check: _ds(tf).quadrature_scheme_lognormal_gauss_hermite(
                loc, scale, n
            ),
        ),
        [1.0, 4.0],
    ),
    "vector_diffeomixture": (
        lambda tf: _ds(tf).VectorDiffeomixture(
            [[0.0], [1.0]],
            [1.0],
            _normal(tf, 0.0, 1.0),
            [None, [2.0, 1.0]],
            [
                tf.linalg.LinearOperatorScaledIdentity(2, 1.5, is_positive_definite=True),
                tf.linalg.LinearOperatorDiag([2.5, 0.5], is_positive_definite=True),
            ],
            quadrature_size=2,
            validate_args=True,
        ),
        [0.3, 4.0],
    ),
    "autoregressive": (
        lambda tf: _ds(tf).Autoregressive(
            lambda x=None: _ds(tf).Independent(
                _normal(tf, [0.0, 0.0] if x is None else x * [0.0, 0.5], 1.0), 1
            )
        ),
        [0.3, 4.0],
    ),
}


# A bijector, an x of it, and how many dimensions one event has.
BIJECTORS = {
    "identity": (lambda tf: _bs(tf).Identity(), [1.0, 2.0], 1),
    "affine": (lambda tf: _bs(tf).Affine([1.0, 2.0]), [[3.0, 0.5]], 1),
    "affine_identity": (
        lambda tf: _bs(tf).Affine([1.0], scale_identity_multiplier=2.0, validate_args=True),
        [3.0, 0.5],
        1,
    ),
    "affine_diag": (
        lambda tf: _bs(tf).Affine([1.0, 2.0], 1.5, [2.0, 0.5], validate_args=True),
        [[3.0, 0.5]],
        1,
    ),
    "affine_tril": (lambda tf: _bs(tf).Affine(None, 1.5, [2.0, 0.5], TRIL), MATRIX, 1),
    "affine_low_rank": (
        lambda tf: _bs(tf).Affine([1.0, 1.0], scale_perturb_factor=[[1.0], [0.5]]),
        [3.0, 0.5],
        1,
    ),
    "affine_low_rank_diag": (
        lambda tf: _bs(tf).Affine(
            scale_diag=[1.0, 1.0], scale_perturb_factor=[[1.0], [0.5]], scale_perturb_diag=[2.0]
        ),
        [3.0, 0.5],
        1,
    ),
    "affine_linear_operator": (
        lambda tf: _bs(tf).AffineLinearOperator(
            [1.0, 2.0],
            tf.linalg.LinearOperatorLowerTriangular(TRIL, is_non_singular=True),
            validate_args=True,
        ),
        MATRIX,
        1,
    ),
    "affine_linear_operator_of_nothing": (
        lambda tf: _bs(tf).AffineLinearOperator(),
        [3.0, 0.5],
        1,
    ),
    "affine_scalar": (lambda tf: _bs(tf).AffineScalar(1.0, [2.0, -3.0], True), [3.0, 0.5], 0),
    "affine_scalar_of_nothing": (lambda tf: _bs(tf).AffineScalar(), [3.0, 0.5], 1),
    "chain": (
        lambda tf: _bs(tf).Chain([_bs(tf).Softplus(), _bs(tf).AffineScalar(1.0, 2.0)]),
        [[0.5, 2.0]],
        1,
    ),
    "chain_of_shapes": (
        lambda tf: _bs(tf).Chain(
            [_bs(tf).TransformDiagonal(_bs(tf).Exp()), _bs(tf).FillTriangular()]
        ),
        [[0.5, 2.0, 1.0]],
        1,
    ),
    "chain_of_nothing": (lambda tf: _bs(tf).Chain(), [0.5, 2.0], 1),
    "cholesky_outer_product": (lambda tf: _bs(tf).CholeskyOuterProduct(True), TRIL, 2),
    "exp": (lambda tf: _bs(tf).Exp(True), [0.5, 2.0], 0),
    "fill_triangular": (lambda tf: _bs(tf).FillTriangular(True, True), [[0.5, 2.0, 1.0]], 1),
    "gumbel": (lambda tf: _bs(tf).Gumbel([1.0, 2.0], 2.0, True), [0.5, 2.0], 0),
    "inline": (
        lambda tf: _bs(tf).Inline(
            tf.exp, tf.log, lambda y: -tf.log(y), forward_min_event_ndims=0, name="MyExp"
        ),
        [0.5, 2.0],
        1,
    ),
    "inline_of_shapes": (
        lambda tf: _bs(tf).Inline(
            tf.expand_dims,
            tf.squeeze,
            forward_log_det_jacobian_fn=lambda x, axis: tf.constant(0.5),
            forward_event_shape_fn=lambda s: s.concatenate([1]),
            forward_event_shape_tensor_fn=lambda s: tf.concat([s, [1]], 0),
            inverse_event_shape_fn=lambda s: tf.TensorShape(s)[:-1],
            inverse_event_shape_tensor_fn=lambda s: s[:-1],
            is_constant_jacobian=True,
            forward_min_event_ndims=0,
            inverse_min_event_ndims=1,
        ),
        None,
        0,
    ),
    "invert": (lambda tf: _bs(tf).Invert(_bs(tf).Softplus()), [0.5, 2.0], 1),
    "kumaraswamy": (lambda tf: _bs(tf).Kumaraswamy([0.5, 2.0], 2.0, True), [0.5, 0.2], 0),
    "matrix_inverse": (lambda tf: _bs(tf).MatrixInverseTriL(True), TRIL, 2),
    "ordered": (lambda tf: _bs(tf).Ordered(True), [[0.5, 2.0, 2.5]], 1),
    "permute": (lambda tf: _bs(tf).Permute([2, 0, 1]), [[0.5, 2.0, 1.0]], 1),
    "power_transform": (lambda tf: _bs(tf).PowerTransform(0.5, True), [0.5, 2.0], 1),
    "reshape": (lambda tf: _bs(tf).Reshape([2, 2], [4]), [[0.5, 2.0, 1.0, 3.0]], 1),
    "reshape_of_unknown": (
        lambda tf: _bs(tf).Reshape([2, -1], validate_args=True),
        [[0.5, 2.0, 1.0, 3.0]],
        1,
    ),
    "scale_tril": (lambda tf: _bs(tf).ScaleTriL(), [[0.5, 2.0, 1.0]], 1),
    "sigmoid": (lambda tf: _bs(tf).Sigmoid(), [0.5, 2.0], 0),
    "sinh_arcsinh": (lambda tf: _bs(tf).SinhArcsinh(0.5, 2.0, True), [0.5, -2.0], 0),
    "softmax_centered": (lambda tf: _bs(tf).SoftmaxCentered(True), [[0.5, -2.0]], 1),
    "softplus": (lambda tf: _bs(tf).Softplus(), [0.5, -2.0], 0),
    "softplus_hinge": (lambda tf: _bs(tf).Softplus(0.7, True), [0.5, -2.0], 1),
    "softsign": (lambda tf: _bs(tf).Softsign(True), [0.5, -2.0], 0),
    "square": (lambda tf: _bs(tf).Square(True), [0.5, 2.0], 0),
    "transform_diagonal": (lambda tf: _bs(tf).TransformDiagonal(_bs(tf).Exp()), TRIL, 2),
    "weibull": (lambda tf: _weibull(2.0, 1.5), [0.5, 2.0], 0),
    "weibull_checked": (lambda tf: _weibull(2.0, 1.5, True), [0.5, 2.0], 1),
    "masked_autoregressive": (
        lambda tf: _bs(tf).MaskedAutoregressiveFlow(
            _bs(tf).masked_autoregressive_default_template([4])
        ),
        [[0.5, 2.0]],
        1,
    ),
    "masked_autoregressive_unrolled": (
        lambda tf: _bs(tf).MaskedAutoregressiveFlow(
            _bs(tf).masked_autoregressive_default_template([4], shift_only=True),
            is_constant_jacobian=True,
            unroll_loop=True,
        ),
        [[0.5, 2.0]],
        1,
    ),
    "real_nvp": (
        lambda tf: _bs(tf).RealNVP(1, _bs(tf).real_nvp_default_template([4])),
        [[0.5, 2.0, 1.0]],
        1,
    ),
    "batch_normalization": (
        lambda tf: _bs(tf).BatchNormalization(training=False),
        [[0.5, 2.0], [1.0, 4.0]],
        1,
    ),
    "batch_normalization_training": (
        lambda tf: _bs(tf).Invert(_bs(tf).BatchNormalization()),
        [[0.5, 2.0], [1.0, 4.0]],
        1,
    ),
}


# TensorFlow's graph optimizer drops a negation of the last log determinant: it gives the other one.
SIGN_TURNED = (
    "masked_autoregressive",
    "real_nvp",
    "batch_normalization",
    "batch_normalization_training",
)


def _weibull(*args):
    from tensorflow.contrib.distributions.python.ops.bijectors import weibull

    return weibull.Weibull(*args)
