"""tf.contrib.distributions and its bijectors: each with every method that it has.

As in distribution_cases.py: `GRAPHS` record a graph and return `(fetches, feeds, said)`; `MISTAKES`
are compared by the exception that they raise. Most cases are rows of tables.
"""

from __future__ import annotations

import numpy as np
from distribution_cases import _divergence, _everything, _in_session, _nothing
from distribution_contrib_tables import (
    BIJECTORS,
    DISTRIBUTIONS,
    MATRIX,
    SIGN_TURNED,
    TRIL,
    _bs,
    _ds,
    _normal,
)


def _distribution(name):
    make, values = DISTRIBUTIONS[name]

    def case(tf):
        d = make(tf)
        if "binomial" in name and "negative" not in name:  # It has no samples.
            fetches = [d.prob(values), d.log_prob(values), d.mode(), d.variance()]
            return fetches, _nothing, [str(d)]
        if name == "autoregressive":  # It has no statistics, and no seed of its own.
            fetches = [d.sample(3, seed=1), d.log_prob(values), d.prob(values)]
            return fetches, _nothing, [str(d), d.num_steps]
        if name.startswith("wishart") and d.cholesky_input_output_matrices:
            tf.set_random_seed(1)
            fetches = [d.sample(2, seed=1), d.log_prob(values), d.mean(), d.variance(), d.mode()]
            return fetches, _nothing, [str(d)]
        return _everything(tf, d, values)

    return case


def _mapped(name):
    make, x, event_ndims = BIJECTORS[name]

    def case(tf):
        tf.set_random_seed(1)
        b = make(tf)
        if x is None:
            shape = [b.forward_event_shape_tensor([3]), b.inverse_event_shape_tensor([3, 1])]
            said = [b.forward_event_shape([3]), b.inverse_event_shape([3, 1])]
            said += [b.forward_min_event_ndims, b.inverse_min_event_ndims]
            return shape, _nothing, [str(s) for s in said]
        start = tf.constant(x)
        y = b.forward(start)
        again = b.inverse(y)
        other = b.inverse(tf.identity(y))
        ndims = event_ndims + b.inverse_min_event_ndims - b.forward_min_event_ndims
        logs = [
            b.inverse_log_det_jacobian(y, ndims),
            b.forward_log_det_jacobian(start, event_ndims),
            b.inverse_log_det_jacobian(tf.identity(y), ndims),
            b.forward_log_det_jacobian(tf.identity(start), event_ndims),
        ]
        shapes = b.forward_event_shape(start.shape[1:]), b.inverse_event_shape(y.shape[1:])
        said = [b.name, again is start, b.is_constant_jacobian, b.dtype, b.validate_args]
        said += [len(b.graph_parents), *shapes, y.shape, other.shape]
        said += [log.shape for log in logs]
        if not name.startswith("batch"):
            logs += tf.gradients(y, start)
        if name in SIGN_TURNED:
            logs.pop(3)
        fetches = [y, other, *logs]
        fetches += [b.forward_event_shape_tensor(tf.shape(start)[1:])]
        said += [v.name for v in tf.global_variables()]
        return fetches, _nothing, [str(s) for s in said]

    return case


# ---- Others ----------


def divergences_of_normals(tf):
    a = _ds(tf).MultivariateNormalDiag([0.5, -1.0], [2.0, 1.0])
    return _divergence(tf, a, _ds(tf).MultivariateNormalTriL([0.5, -1.0], TRIL))


def divergences_of_diagonals(tf):
    a = _ds(tf).MultivariateNormalDiag([0.5, -1.0], [2.0, 1.0])
    return _divergence(
        tf, a, _ds(tf).MultivariateNormalDiag([1.0, 1.0], scale_identity_multiplier=2.0)
    )


def entropy_of_a_mixture(tf):
    cat = tf.distributions.Categorical(probs=[0.3, 0.7])
    d = _ds(tf).Mixture(cat, [_normal(tf, 0.5, 2.0), _normal(tf, 1.0, 3.0)])
    return [d.entropy_lower_bound()], _nothing, []


def mixture_of_unknown_shape(tf):
    tf.set_random_seed(1)
    loc = tf.placeholder(tf.float32, None)
    logits = tf.placeholder(tf.float32, [None, 2])
    d = _ds(tf).Mixture(
        tf.distributions.Categorical(logits), [_normal(tf, loc, 2.0), _normal(tf, 0.0, loc)]
    )
    fetches = [d.sample(3, seed=1), d.log_prob([0.5, 1.0]), d.mean()]
    feeds = {loc: [1.0, 2.0], logits: [[0.5, 1.0], [1.0, 0.0]]}
    return fetches, lambda step: feeds, [str(d)]


def normal_of_unknown_shape(tf):
    tf.set_random_seed(1)
    loc = tf.placeholder(tf.float32, None)
    tril = tf.placeholder(tf.float32, None)
    d = _ds(tf).MultivariateNormalTriL(loc, tril, validate_args=True)
    fetches = [d.sample(3, seed=1), d.log_prob([0.5, 1.0]), d.mean(), d.covariance()]
    fetches += [d.batch_shape_tensor(), d.event_shape_tensor(), d.entropy()]
    return fetches, lambda step: {loc: [1.0, 2.0], tril: TRIL[step % 2]}, [str(d)]


def chain_of_unknown_shape(tf):
    x = tf.placeholder(tf.float32, None)
    b = _bs(tf).Chain([_bs(tf).Permute([1, 0]), _bs(tf).Reshape([2], [1, 2])])
    y = b.forward(x)
    fetches = [y, b.inverse(tf.identity(y)), b.forward_log_det_jacobian(x, 2)]
    return fetches, lambda step: {x: np.ones([2 + step, 1, 2], np.float32)}, [b.name]


def conditional(tf):
    tf.set_random_seed(1)

    class Shift(_bs(tf).ConditionalBijector):
        def __init__(self):
            super(Shift, self).__init__(forward_min_event_ndims=0, name="shift")

        def _forward(self, x, by):
            return x + by

        def _inverse(self, y, by):
            return y - by

        def _inverse_log_det_jacobian(self, y, by):
            return tf.zeros([])

    class Conditional(_ds(tf).ConditionalDistribution, tf.distributions.Normal):
        def _sample_n(self, n, seed=None, factor=1.0):
            return factor * tf.distributions.Normal._sample_n(self, n, seed)

        def _log_prob(self, x, factor=1.0):
            return tf.distributions.Normal._log_prob(self, x / factor)

        def _prob(self, x, factor=1.0):
            return tf.exp(self._log_prob(x, factor))

    d = _ds(tf).ConditionalTransformedDistribution(Conditional(0.0, 1.0), Shift())
    both = {"bijector_kwargs": {"by": 2.0}, "distribution_kwargs": {"factor": 3.0}}
    fetches = [d.sample(3, seed=1, **both), d.log_prob([1.0, 2.0], **both), d.prob(1.0, **both)]
    return fetches, _nothing, [str(d)]


def posteriors(tf):
    prior, scale = _normal(tf, 0.5, 2.0), tf.constant(1.5)
    s = tf.constant(4.0)
    d = _ds(tf).normal_conjugates_known_scale_posterior(prior, scale, s, 3)
    e = _ds(tf).normal_conjugates_known_scale_predictive(prior, scale, s, 3)
    return [d.mean(), d.stddev(), e.mean(), e.stddev()], _nothing, []


def moving_statistics(tf):
    value = tf.constant([1.0, 3.0])
    mean, variance = _ds(tf).moving_mean_variance(value, 0.9)
    log = tf.get_variable("log", [], initializer=tf.zeros_initializer())
    step = _ds(tf).assign_log_moving_mean_exp(log, 0.5, 0.9)
    return [mean, variance, step], _nothing, [v.name for v in tf.global_variables()]


def sample_statistics(tf):
    x = tf.constant(np.random.RandomState(0).randn(3, 7).astype(np.float32))
    unknown = tf.placeholder_with_default(x, None)
    d = _ds(tf)
    fetches = [
        d.auto_correlation(x),
        d.auto_correlation(x, axis=0, max_lags=1),
        d.auto_correlation(x, max_lags=3, center=False, normalize=False),
        d.percentile(x, 30.0),
        d.percentile(x, 30.0, axis=1, interpolation="lower", keep_dims=True),
        d.percentile(x, 70, axis=[0], interpolation="higher", validate_args=True),
        d.percentile(x, 50, keep_dims=True),
        d.percentile(unknown, 50.0),
    ]
    return fetches, _nothing, [str(y.shape) for y in fetches]


def seeds(tf):
    stream = _ds(tf).SeedStream(5, "salt")
    other = _ds(tf).SeedStream(stream, "pepper")
    said = [stream(), stream(), other(), other.original_seed, other.salt]
    return [tf.zeros([])], _nothing, [str(s) for s in said]


def internal_distributions(tf):
    from tensorflow.contrib.distributions.python.ops import gumbel, vector_student_t

    tf.set_random_seed(1)
    a = gumbel._Gumbel([0.5, 1.0], 2.0)
    b = vector_student_t._VectorStudentT(3.0, [0.5, 1.0], scale_diag=[1.0, 2.0])
    fetches = [a.sample(3, seed=1), a.log_prob(0.5), a.cdf(0.5), a.log_cdf(1.0), a.entropy()]
    fetches += [a.mean(), a.stddev(), a.mode(), b.sample(3, seed=1), b.log_prob([0.5, 1.0])]
    return fetches, _nothing, [str(a), str(b)]


def internal_functions(tf):
    from tensorflow.contrib.distributions.python.ops import distribution_util

    x = tf.zeros([2, 3, 4])
    fetches = [
        distribution_util.move_dimension(x, 0, -1),
        distribution_util.move_dimension(x, -1, 0),
        distribution_util.move_dimension(x, 1, 1),
    ]
    return fetches, _nothing, [str(y.shape) for y in fetches]


# ---- Mistakes ----------


def cauchy_mean(tf):
    _ds(tf).Cauchy(0.0, 1.0, allow_nan_stats=False).mean()


def undefined_inverse_gamma_mean(tf):
    _in_session(tf, _ds(tf).InverseGamma(0.5, 1.0, allow_nan_stats=False).mean())


def fraction_of_trials(tf):
    _in_session(tf, _ds(tf).Binomial(1.5, 0.5, validate_args=True).mean())


def more_successes_than_trials(tf):
    d = _ds(tf).Binomial(2.0, 0.5, validate_args=True)
    _in_session(tf, d.prob(tf.placeholder_with_default(3.0, [])))


def mvn_of_nothing(tf):
    _ds(tf).MultivariateNormalDiag()


def tril_of_nothing(tf):
    _ds(tf).MultivariateNormalTriL()


def asymmetric_covariance(tf):
    matrix = tf.placeholder_with_default([[1.0, 0.5], [0.0, 1.0]], [2, 2])
    d = _ds(tf).MultivariateNormalFullCovariance([0.0, 0.0], matrix, validate_args=True)
    _in_session(tf, d.mean(), d.covariance())


def sizes_of_loc_and_scale(tf):
    _ds(tf).MultivariateNormalDiag([0.0, 0.0, 1.0], [1.0, 2.0])


def mixture_of_no_categorical(tf):
    _ds(tf).Mixture(3, [])


def mixture_of_nothing(tf):
    _ds(tf).Mixture(tf.distributions.Categorical([0.5]), [])


def mixture_of_dtypes(tf):
    normals = [_normal(tf, 0.0, 1.0), _normal(tf, np.float64(0.0), np.float64(1.0))]
    _ds(tf).Mixture(tf.distributions.Categorical([0.5, 0.5]), normals)


def mixture_of_too_few(tf):
    _ds(tf).Mixture(tf.distributions.Categorical([0.5, 0.5]), [_normal(tf, 0.0, 1.0)])


def family_of_other_size(tf):
    _ds(tf).MixtureSameFamily(
        tf.distributions.Categorical([0.5, 0.5]), _normal(tf, [0.0, 1.0, 2.0], 1.0)
    )


def family_of_other_batch(tf):
    cat = tf.distributions.Categorical([[0.5, 0.5]] * 3)
    _ds(tf).MixtureSameFamily(cat, _normal(tf, [[0.0, 1.0]] * 2, 1.0))


def wishart_of_few_degrees(tf):
    _ds(tf).WishartFull(1.0, MATRIX)


def wishart_of_cholesky_stddev(tf):
    _ds(tf).WishartCholesky(4.0, TRIL, True).stddev()


def batch_reshape_of_other_size(tf):
    _ds(tf).BatchReshape(_normal(tf, [0.0, 1.0], 1.0), [3])


def batch_reshape_of_scalar(tf):
    _ds(tf).BatchReshape(_normal(tf, [0.0, 1.0], 1.0), 2)


def batch_reshape_of_few_dimensions(tf):
    _ds(tf).BatchReshape(_normal(tf, [0.0, 1.0], 1.0), [1, 2]).log_prob([1.0, 2.0])


def batch_reshape_of_other_values(tf):
    _ds(tf).BatchReshape(_normal(tf, [0.0, 1.0], 1.0), [1, 2]).log_prob([[1.0]])


def override_of_a_batch(tf):
    _ds(tf).TransformedDistribution(_normal(tf, [0.0], 1.0), batch_shape=[2])


def override_of_zero(tf):
    _ds(tf).TransformedDistribution(_normal(tf, 0.0, 1.0), batch_shape=[0])


def override_of_a_matrix(tf):
    _ds(tf).TransformedDistribution(_normal(tf, 0.0, 1.0), event_shape=[[2]])


def cdf_of_vectors(tf):
    _ds(tf).TransformedDistribution(_normal(tf, 0.0, 1.0), event_shape=[2]).cdf([0.0, 1.0])


def cdf_of_fibers(tf):
    d = _ds(tf).TransformedDistribution(_normal(tf, 0.0, 1.0), _bs(tf).AbsoluteValue())
    d.cdf(1.0)


def entropy_of_exp(tf):
    _ds(tf).TransformedDistribution(_normal(tf, 0.0, 1.0), _bs(tf).Exp()).entropy()


def diffeomixture_of_one(tf):
    scale = [tf.linalg.LinearOperatorIdentity(2)]
    _ds(tf).VectorDiffeomixture([0.0], [1.0], _normal(tf, 0.0, 1.0), scale=scale)


def diffeomixture_of_three(tf):
    scale = [tf.linalg.LinearOperatorIdentity(2)] * 3
    _ds(tf).VectorDiffeomixture([0.0], [1.0], _normal(tf, 0.0, 1.0), scale=scale)


def skewed_vectors(tf):
    d = tf.distributions.Normal([0.0], 1.0)
    _ds(tf).SinhArcsinh(0.0, 1.0, distribution=d)


def autoregressive_of_no_steps(tf):
    _ds(tf).Autoregressive(lambda: _normal(tf, 0.0, 1.0), num_steps=0)


def percentile_of_another_kind(tf):
    _ds(tf).percentile([1.0, 2.0], 50.0, interpolation="midpoint ")


def percentile_of_an_axis(tf):
    _ds(tf).percentile([1.0, 2.0], 50.0, axis=3)


def correlation_of_whole_numbers(tf):
    _ds(tf).auto_correlation([1, 2], center=False)


def conjugate_of_no_normal(tf):
    _ds(tf).normal_conjugates_known_scale_posterior(3, 1.0, 1.0, 1)


def moving_ints(tf):
    _ds(tf).moving_mean_variance(3, 0.5)


def bijector_of_no_ndims(tf):
    _bs(tf).Inline(tf.exp)


def bijector_of_float_ndims(tf):
    _bs(tf).Inline(tf.exp, forward_min_event_ndims=0.5)


def bijector_of_negative_ndims(tf):
    _bs(tf).Inline(tf.exp, inverse_min_event_ndims=-1)


def inline_without_function(tf):
    _bs(tf).Inline(forward_min_event_ndims=0).forward(1.0)


def inline_without_inverse(tf):
    _bs(tf).Inline(tf.exp, forward_min_event_ndims=0).inverse_log_det_jacobian(1.0, 0)


def too_few_event_ndims(tf):
    _bs(tf).Affine([1.0]).forward_log_det_jacobian([1.0], 0)


def float_event_ndims(tf):
    _bs(tf).Exp().forward_log_det_jacobian([1.0], 1.0)


def vector_of_event_ndims(tf):
    _bs(tf).Exp().forward_log_det_jacobian([1.0], [1])


def other_dtype(tf):
    _bs(tf).Affine([1.0]).forward(np.float64([1.0]))


def negative_log(tf):
    _in_session(tf, _bs(tf).Exp(True).inverse(tf.placeholder_with_default(-1.0, [])))


def negative_power(tf):
    _bs(tf).PowerTransform(-1.0)


def no_permutation(tf):
    _bs(tf).Permute([0, 2])


def permutation_of_floats(tf):
    _bs(tf).Permute([0.0, 1.0])


def no_permutation_when_it_runs(tf):
    p = tf.placeholder_with_default([0, 2], [2])
    _in_session(tf, _bs(tf).Permute(p, True).forward([1.0, 2.0]))


def reshape_of_other_input(tf):
    _bs(tf).Reshape([2], [2, 1]).forward([[1.0, 2.0]])


def no_triangle(tf):
    _bs(tf).FillTriangular().forward_event_shape([4])


def no_square(tf):
    _bs(tf).FillTriangular().inverse_event_shape(tf.TensorShape([4, 3]))


def chain_of_fibers(tf):
    _bs(tf).Chain([_bs(tf).AbsoluteValue()])


def invert_of_fibers(tf):
    _bs(tf).Invert(_bs(tf).AbsoluteValue())


def affine_of_diag_alone(tf):
    _bs(tf).Affine(scale_perturb_diag=[1.0])


def affine_of_dtypes(tf):
    _bs(tf).Affine(np.float64([1.0, 2.0]), scale_diag=[1.0, 2.0])


def affine_of_no_operator(tf):
    _bs(tf).AffineLinearOperator(scale=tf.constant([1.0]))


def real_nvp_of_no_mask(tf):
    _bs(tf).RealNVP(0, None)


def real_nvp_of_all(tf):
    _bs(tf).RealNVP(2, None).forward([[1.0, 2.0]])


def batch_normalization_of_no_layer(tf):
    _bs(tf).BatchNormalization(3)


def _named(make, table):
    return {name: make(name) for name in table}


def _collect(*group):
    return {f.__name__: f for f in group}


GRAPHS = {
    "distributions": _named(_distribution, DISTRIBUTIONS),
    "bijectors": _named(_mapped, BIJECTORS),
    "others": _collect(
        divergences_of_normals,
        divergences_of_diagonals,
        entropy_of_a_mixture,
        mixture_of_unknown_shape,
        normal_of_unknown_shape,
        chain_of_unknown_shape,
        conditional,
        posteriors,
        moving_statistics,
        sample_statistics,
        seeds,
        internal_distributions,
        internal_functions,
    ),
}
MISTAKES = {
    "distributions": _collect(
        cauchy_mean,
        undefined_inverse_gamma_mean,
        fraction_of_trials,
        more_successes_than_trials,
        mvn_of_nothing,
        tril_of_nothing,
        asymmetric_covariance,
        sizes_of_loc_and_scale,
        mixture_of_no_categorical,
        mixture_of_nothing,
        mixture_of_dtypes,
        mixture_of_too_few,
        family_of_other_size,
        family_of_other_batch,
        wishart_of_few_degrees,
        wishart_of_cholesky_stddev,
        batch_reshape_of_other_size,
        batch_reshape_of_scalar,
        batch_reshape_of_few_dimensions,
        batch_reshape_of_other_values,
        override_of_a_batch,
        override_of_zero,
        override_of_a_matrix,
        cdf_of_vectors,
        cdf_of_fibers,
        entropy_of_exp,
        diffeomixture_of_one,
        diffeomixture_of_three,
        skewed_vectors,
        autoregressive_of_no_steps,
        percentile_of_an_axis,
        correlation_of_whole_numbers,
        conjugate_of_no_normal,
        moving_ints,
    ),
    "bijectors": _collect(
        bijector_of_no_ndims,
        bijector_of_float_ndims,
        bijector_of_negative_ndims,
        inline_without_function,
        inline_without_inverse,
        too_few_event_ndims,
        float_event_ndims,
        vector_of_event_ndims,
        other_dtype,
        negative_log,
        negative_power,
        no_permutation,
        permutation_of_floats,
        no_permutation_when_it_runs,
        reshape_of_other_input,
        no_triangle,
        no_square,
        chain_of_fibers,
        invert_of_fibers,
        affine_of_diag_alone,
        affine_of_dtypes,
        affine_of_no_operator,
        real_nvp_of_no_mask,
        real_nvp_of_all,
        batch_normalization_of_no_layer,
    ),
}
