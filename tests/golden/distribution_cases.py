"""Distributions of tf.distributions with every method that they have.

As in layer_cases.py: functions of the `tensorflow` module. Those in `GRAPHS` record a graph and
return `(fetches, feeds, said)`; `MISTAKES` are compared by the exception that they raise.
"""

from __future__ import annotations

import numpy as np

STATISTICS = ("mean", "mode", "variance", "stddev", "covariance", "entropy")
OF_VALUES = (
    "prob",
    "log_prob",
    "cdf",
    "log_cdf",
    "survival_function",
    "log_survival_function",
    "quantile",
)


def _nothing(step):
    return {}


def _everything(tf, d, values, seed=7, gradient=None):
    """Samples, statistics and functions of `values` of a distribution, and what it says."""
    tf.set_random_seed(1)
    fetches, said = [], [str(d), repr(d), repr(d.reparameterization_type)]
    for shape in (3, [2, 2]):
        fetches.append(d.sample(shape, seed=seed))
    fetches.append(d.sample())
    for name in STATISTICS:
        try:
            fetches.append(getattr(d, name)())
        except NotImplementedError as error:
            said.append(str(error))
    for name in OF_VALUES:
        if name == "quantile" and type(d).__name__ != "Normal":
            continue
        try:
            fetches.append(getattr(d, name)(values))
        except NotImplementedError as error:
            said.append(str(error))
    fetches += [d.batch_shape_tensor(), d.event_shape_tensor()]
    fetches += [d.is_scalar_event(), d.is_scalar_batch()]
    if gradient is not None:
        fetches += tf.gradients(d.log_prob(values), gradient)
    said += [sorted(d.parameters), str(d.batch_shape), str(d.event_shape), d.name]
    said += [str(y) for y in fetches]
    return fetches, _nothing, said


def _divergence(tf, a, b):
    kl = tf.distributions.kl_divergence(a, b)
    checked = tf.distributions.kl_divergence(a, b, allow_nan_stats=False)
    fetches = [kl, checked, a.kl_divergence(b), a.cross_entropy(b)]
    return fetches, _nothing, [str(y) for y in fetches]


def normal(tf):
    loc = tf.constant([0.5, -1.0])
    d = tf.distributions.Normal(loc, [1.0, 2.5])
    return _everything(tf, d, [0.3, 0.9], gradient=loc)


def normal_float64(tf):
    d = tf.distributions.Normal(
        np.float64(1.0), np.array([[1.0], [2.5]]), name="n", validate_args=True
    )
    values = np.array([-60.0, -3.0, 0.0, 0.001, 0.5, 0.999, 1.0, 30.0])
    return _everything(tf, d, values)


def normal_of_unknown_shape(tf):
    tf.set_random_seed(1)
    loc = tf.placeholder(tf.float32, None)
    d = tf.distributions.Normal(loc, 2.0)
    count = tf.placeholder(tf.int32, None)
    fetches = [
        d.sample(count, seed=2),
        d.sample([4], seed=2),
        d.log_prob(0.5),
        d.is_scalar_batch(),
        d.batch_shape_tensor(),
    ]
    said = [str(d)] + [str(y) for y in fetches]
    return fetches, lambda step: {loc: [1.0, 2.0], count: [[], 2, [3, 1]][step]}, said


def normal_softplus(tf):
    from tensorflow.python.ops.distributions.normal import NormalWithSoftplusScale

    return _everything(tf, NormalWithSoftplusScale([0.0, 1.0], [-1.0, 3.0]), 0.7)


def uniform(tf):
    high = tf.constant([1.0, 4.0])
    d = tf.distributions.Uniform(-1.0, high, validate_args=True)
    f, feeds, said = _everything(tf, d, [[0.5], [float("nan")], [9.0], [-3.0]], gradient=high)
    return [*f, d.range()], feeds, said


def bernoulli(tf):
    return _everything(tf, tf.distributions.Bernoulli(probs=[0.2, 0.9]), [0, 1])


def bernoulli_logits(tf):
    logits = tf.constant([[0.5], [-2.0]])
    d = tf.distributions.Bernoulli(logits, dtype=tf.float32, validate_args=True)
    return _everything(tf, d, [0.0, 1.0, 1.0], gradient=logits)


def bernoulli_checked_probs(tf):
    d = tf.distributions.Bernoulli(probs=0.3, validate_args=True)
    return _everything(tf, d, [0, 1, 1])


def beta(tf):
    c = tf.constant([1.5, 3.0])
    d = tf.distributions.Beta(c, [2.0, 0.5], validate_args=True)
    return _everything(tf, d, [0.2, 0.9])


def beta_defined(tf):
    d = tf.distributions.Beta(2.0, 3.0, allow_nan_stats=False)
    return _everything(tf, d, [0.2, 0.9])


def beta_softplus(tf):
    from tensorflow.python.ops.distributions.beta import BetaWithSoftplusConcentration

    return _everything(tf, BetaWithSoftplusConcentration(1.5, 3.0), [0.2])


def categorical(tf):
    logits = tf.constant([[0.1, 2.0, -1.0], [1.0, 1.0, 1.0]])
    d = tf.distributions.Categorical(logits)
    f, feeds, said = _everything(tf, d, [2, 0], gradient=logits)
    return [*f, d.event_size], feeds, said


def categorical_probs(tf):
    d = tf.distributions.Categorical(probs=[0.2, 0.5, 0.3], dtype=tf.int64)
    return _everything(tf, d, [[2, 0], [1, 1]])


def categorical_of_unknown_shape(tf):
    tf.set_random_seed(1)
    logits = tf.placeholder(tf.float32, None)
    d = tf.distributions.Categorical(logits, validate_args=True)
    fetches = [d.sample(4, seed=3), d.log_prob([1, 2]), d.cdf([1, 2]), d.mode(), d.entropy()]
    said = [str(d)] + [str(y) for y in fetches]
    return fetches, lambda step: {logits: np.eye(2, 3, step, np.float32)}, said


def dirichlet(tf):
    d = tf.distributions.Dirichlet([[0.5, 3.0, 2.0]], validate_args=True)
    return _everything(tf, d, [0.2, 0.3, 0.5])


def dirichlet_defined(tf):
    d = tf.distributions.Dirichlet([1.5, 3.0, 2.0], allow_nan_stats=False)
    return _everything(tf, d, [[0.2, 0.3, 0.5]])


def dirichlet_multinomial(tf):
    d = tf.distributions.DirichletMultinomial(4.0, [[1.5, 3.0, 2.0], [0.5, 1.0, 2.0]])
    return _everything(tf, d, [1.0, 3.0, 0.0])


def dirichlet_multinomial_checked(tf):
    d = tf.distributions.DirichletMultinomial(4.0, [1.5, 3.0, 2.0], validate_args=True)
    return _everything(tf, d, [1.0, 3.0, 0.0])


def exponential(tf):
    rate = tf.constant([0.5, 3.0])
    d = tf.distributions.Exponential(rate, validate_args=True)
    return _everything(tf, d, [[1.5], [0.1]], gradient=rate)


def exponential_softplus(tf):
    from tensorflow.python.ops.distributions.exponential import ExponentialWithSoftplusRate

    return _everything(tf, ExponentialWithSoftplusRate([0.5, 3.0]), [1.5, 0.1])


def gamma(tf):
    rate = tf.constant([0.5, 3.0])
    d = tf.distributions.Gamma([[0.5], [2.0]], rate)
    return _everything(tf, d, [1.5, 0.1], gradient=rate)


def gamma_defined(tf):
    d = tf.distributions.Gamma(2.0, [1.0, 2.0], validate_args=True, allow_nan_stats=False)
    return _everything(tf, d, [1.5, 0.1])


def gamma_softplus(tf):
    from tensorflow.python.ops.distributions.gamma import GammaWithSoftplusConcentrationRate

    return _everything(tf, GammaWithSoftplusConcentrationRate([0.5], [3.0]), [1.5])


def laplace(tf):
    loc = tf.constant([0.5, -1.0])
    d = tf.distributions.Laplace(loc, 2.0, validate_args=True)
    return _everything(tf, d, [[-3.0], [0.0], [4.0]], gradient=loc)


def laplace_softplus(tf):
    from tensorflow.python.ops.distributions.laplace import LaplaceWithSoftplusScale

    return _everything(tf, LaplaceWithSoftplusScale([0.5], [3.0]), [1.5])


def multinomial(tf):
    # One distribution: the loop over a batch draws for several at once, in no order.
    d = tf.distributions.Multinomial(4.0, probs=[[0.2, 0.3, 0.5]])
    return _everything(tf, d, [1.0, 3.0, 0.0])


def multinomial_logits(tf):
    logits = tf.constant([0.2, -0.3, 0.5])
    d = tf.distributions.Multinomial([4.0], logits, validate_args=True)
    return _everything(tf, d, [[1.0, 3.0, 0.0]], gradient=logits)


def student_t(tf):
    df = tf.constant([0.5, 1.5, 5.0])
    d = tf.distributions.StudentT(df, 0.5, [1.0, 2.0, 2.0])
    return _everything(tf, d, [0.3, -2.0, 1.0], gradient=df)


def student_t_defined(tf):
    d = tf.distributions.StudentT([3.0], [0.5], 2.0, validate_args=True, allow_nan_stats=False)
    return _everything(tf, d, [0.3])


def student_t_softplus(tf):
    from tensorflow.python.ops.distributions.student_t import StudentTWithAbsDfSoftplusScale

    return _everything(tf, StudentTWithAbsDfSoftplusScale([-3.5], 0.5, [2.0]), [0.3])


def divergences_of_normals(tf):
    normals = tf.distributions.Normal
    return _divergence(tf, normals([0.0, 1.0], 1.0), normals(2.0, [1.0, 3.0]))


def divergences_of_bernoullis(tf):
    bernoullis = tf.distributions.Bernoulli
    return _divergence(tf, bernoullis(probs=[0.2, 0.5]), bernoullis(logits=[0.5, 1.5]))


def divergences_of_betas(tf):
    return _divergence(tf, tf.distributions.Beta(1.5, [2.0, 3.0]), tf.distributions.Beta(2.0, 1.0))


def divergences_of_categoricals(tf):
    categoricals = tf.distributions.Categorical
    return _divergence(tf, categoricals(probs=[0.2, 0.8]), categoricals([1.0, 2.0]))


def divergences_of_dirichlets(tf):
    dirichlets = tf.distributions.Dirichlet
    return _divergence(tf, dirichlets([0.5, 1.0]), dirichlets([2.0, 3.0]))


def divergences_of_gammas(tf):
    exponential = tf.distributions.Exponential(2.0)
    return _divergence(tf, tf.distributions.Gamma(1.5, 2.0), exponential)


def parameter_shapes(tf):
    shapes = tf.distributions.Normal.param_shapes([2, 3])
    fetches = [shapes["loc"], shapes["scale"]]
    static = tf.distributions.StudentT.param_static_shapes([2])
    d = tf.distributions.Normal(0.0, 1.0).copy(scale=3.0)
    said = sorted(name + str(shape) for name, shape in static.items())
    return [*fetches, d.stddev()], _nothing, [*said, sorted(d.parameters), d.name]


def own_distribution(tf):
    """A class that defines only what it must."""

    class Half(tf.distributions.Distribution):
        def __init__(self, name="Half"):
            super(Half, self).__init__(
                tf.float32, tf.distributions.FULLY_REPARAMETERIZED, False, True, name=name
            )

        def _prob(self, x):
            return 0.5 * x

        def _log_cdf(self, x):
            return x * x

        def _variance(self):
            return tf.constant(4.0)

    d = Half()
    fetches = [d.log_prob(0.5), d.cdf(2), d.survival_function(0.5), d.stddev()]
    return fetches, _nothing, [str(d), repr(d)] + [str(y) for y in fetches]


def helpers(tf):
    from tensorflow.python.ops.distributions import util

    x = tf.placeholder(tf.float32, None)
    flag = tf.placeholder(tf.bool, [])
    six = np.arange(1.0, 7.0, dtype=np.float32)
    square = util.fill_triangular(six)
    fetches = [
        square,
        util.fill_triangular(six, upper=True),
        util.fill_triangular_inverse(square),
        util.fill_triangular_inverse(square, upper=True),
        util.fill_triangular(x),
        util.fill_triangular_inverse(tf.reshape(x, [3, 2])[:2]),
        util.rotate_transpose(np.ones([2, 3, 4], np.float32), 1),
        util.rotate_transpose(x, -1),
        util.pick_vector(flag, [1, 2], [3]),
        util.prefer_static_broadcast_shape(tf.shape(x), [2, 1]),
        util.same_dynamic_shape(x, six),
        util.tridiag([1.0], [2.0, 3.0], [4.0]),
        util.reduce_weighted_logsumexp([[0.0, 1.0]], [[-1.0, 2.0]], axis=1),
        util.reduce_weighted_logsumexp(six),
        util.softplus_inverse([1e-9, 1.0, 50.0]),
        util.matrix_diag_transform([[1.0, 2.0], [3.0, 4.0]], tf.nn.relu),
        util.pad(six, axis=0, front=True, back=True, value=9, count=2),
        util.pad(x, axis=-1, back=True),
        util.assert_symmetric(tf.constant([[1.0, 2.0], [2.0, 1.0]])),
    ]
    grid, probs = util.process_quadrature_grid_and_probs(None, tf.float32, True)
    fetches += [grid, probs]
    fetches += util.process_quadrature_grid_and_probs(([1.0, 2.0], [3.0, 1.0]), tf.float32, True)
    said = [str(y) for y in fetches]
    said += [util.gen_new_seed(5, "salt"), util.gen_new_seed(None, "salt")]
    return fetches, lambda step: {x: six, flag: step == 1}, said


def special_functions(tf):
    from tensorflow.python.ops.distributions import special_math

    x = tf.constant([-12.0, -3.0, -0.5, 0.0, 0.5, 3.0, 7.0])
    p = tf.constant([0.0, 1e-12, 0.01, 0.5, 0.95, 1.0])
    fetches = [
        special_math.ndtr(x),
        special_math.log_ndtr(x),
        special_math.log_ndtr(tf.cast(x, tf.float64), series_order=4),
        special_math.ndtri(p),
        special_math.erfinv(tf.constant([-0.9, 0.0, 0.5])),
        special_math.log_cdf_laplace(x),
    ]
    fetches += tf.gradients(fetches[1], x) + tf.gradients(fetches[0], x)
    return fetches, _nothing, [str(y) for y in fetches]


# ---- tf.contrib.distributions ----------


def logistic(tf):
    loc = tf.constant([0.5, -1.0])
    d = tf.contrib.distributions.Logistic(loc, [[2.0], [0.5]], validate_args=True)
    return _everything(tf, d, [0.3, -4.0], gradient=loc)


def poisson(tf):
    rate = tf.constant([0.5, 3.0])
    d = tf.contrib.distributions.Poisson(rate, validate_args=True)
    return _everything(tf, d, [[1.0], [4.0]], gradient=rate)


def poisson_log_rate(tf):
    return _everything(tf, tf.contrib.distributions.Poisson(log_rate=[0.5, 3.0]), [1.0, 4.5])


def geometric(tf):
    d = tf.contrib.distributions.Geometric(probs=[0.2, 0.9], validate_args=True)
    return _everything(tf, d, [[0.0], [1.0]])


def geometric_logits(tf):
    logits = tf.constant([0.5, -1.0])
    d = tf.contrib.distributions.Geometric(logits)
    return _everything(tf, d, [[-1.0], [0.0], [3.5]], gradient=logits)


def one_hot_categorical(tf):
    logits = tf.constant([[0.1, 2.0, -1.0], [1.0, 1.0, 1.0]])
    d = tf.contrib.distributions.OneHotCategorical(logits, dtype=tf.float32)
    return _everything(tf, d, [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], gradient=logits)


def one_hot_categorical_probs(tf):
    d = tf.contrib.distributions.OneHotCategorical(probs=[0.2, 0.5, 0.3])
    return _everything(tf, d, [[0, 1, 0], [0, 0, 1]])


def divergences_of_one_hot_categoricals(tf):
    one_hots = tf.contrib.distributions.OneHotCategorical
    return _divergence(tf, one_hots(probs=[0.2, 0.8]), one_hots([1.0, 2.0]))


def chi2(tf):
    d = tf.contrib.distributions.Chi2([0.5, 3.0], validate_args=True)
    return _everything(tf, d, [1.0, 4.0])


def chi2_of_whole_df(tf):
    return _everything(tf, tf.contrib.distributions.Chi2WithAbsDf([-3.5]), [1.0])


def independent(tf):
    loc = tf.constant([[0.5, -1.0], [1.0, 2.0]])
    d = tf.contrib.distributions.Independent(tf.distributions.Normal(loc, 2.0), 1)
    return _everything(tf, d, [0.3, 0.9], gradient=loc)


def independent_of_unknown_shape(tf):
    loc = tf.placeholder(tf.float32, None)
    count = tf.placeholder(tf.int32, [])
    normals = tf.distributions.Normal(loc, 2.0)
    d = tf.contrib.distributions.Independent(normals, count, validate_args=True)
    other = tf.contrib.distributions.Independent(normals)
    fetches = [d.sample(2, seed=3), d.log_prob(0.5), d.batch_shape_tensor(), d.entropy()]
    fetches += [other.event_shape_tensor(), other.mean()]
    said = [str(d)] + [str(y) for y in fetches]
    return fetches, lambda step: {loc: [[1.0, 2.0]], count: step}, said


def divergences_of_independents(tf):
    normals, independents = tf.distributions.Normal, tf.contrib.distributions.Independent
    a = independents(normals([[0.0, 1.0]], 1.0))
    return _divergence(tf, a, independents(normals([[2.0, 1.0]], 3.0), 1))


def the_same_names(tf):
    names = "Normal Beta NormalWithSoftplusScale softplus_inverse fill_triangular kl_divergence"
    found = [getattr(tf.contrib.distributions, name).__module__ for name in names.split()]
    d = tf.contrib.distributions
    same = d.Normal is tf.distributions.Normal and d.RegisterKL is tf.distributions.RegisterKL
    return [tf.zeros([])], _nothing, [len(found), same]


# ---- Mistakes ----------


def _in_session(tf, *tensors):
    with tf.Session() as session:
        return session.run(tensors)


def both_parameters(tf):
    tf.distributions.Bernoulli(logits=0.5, probs=0.5)


def no_parameter(tf):
    tf.distributions.Categorical()


def whole_logits(tf):
    tf.distributions.Bernoulli(logits=[1, 2])


def different_dtypes(tf):
    tf.distributions.Normal(np.float64(1.0), np.float32(2.0))


def no_divergence(tf):
    a = tf.distributions.Normal(0.0, 1.0)
    tf.distributions.kl_divergence(a, tf.distributions.Laplace(0.0, 1.0))


def registered_twice(tf):
    normals = tf.distributions.Normal

    class Mine(normals):
        pass

    tf.distributions.RegisterKL(Mine, normals)(3)


def a_matrix_of_samples(tf):
    tf.distributions.Normal(0.0, 1.0).sample([[1, 2]])


def no_entropy(tf):
    tf.distributions.Multinomial(2.0, [1.0, 1.0]).entropy()


def a_scale_of_zero(tf):
    _in_session(tf, tf.distributions.Normal(0.0, 0.0, validate_args=True).mean())


def bounds_turned_round(tf):
    low = tf.placeholder_with_default(2.0, [])
    _in_session(tf, tf.distributions.Uniform(low, 1.0, validate_args=True).mean())


def probability_above_one(tf):
    probs = tf.placeholder_with_default([0.5, 1.5], [2])
    _in_session(tf, tf.distributions.Bernoulli(probs=probs, validate_args=True).mean())


def a_fraction(tf):
    d = tf.distributions.Bernoulli(probs=0.3, dtype=tf.float32, validate_args=True)
    _in_session(tf, d.log_prob(tf.placeholder_with_default(0.5, [])))


def one_class(tf):
    tf.distributions.Categorical([1.0], validate_args=True)


def undefined_mode(tf):
    c = tf.placeholder_with_default(0.5, [])
    _in_session(tf, tf.distributions.Gamma(c, 1.0, allow_nan_stats=False).mode())


def not_a_tensor(tf):
    tf.distributions.Distribution(tf.float32, None, False, False, graph_parents=[1])


def not_triangular(tf):
    from tensorflow.python.ops.distributions import util

    util.fill_triangular([1.0, 2.0])


def half_precision(tf):
    tf.distributions.Normal(tf.constant(1.0, tf.float16), tf.constant(1.0, tf.float16)).cdf(0.5)


def two_rates(tf):
    tf.contrib.distributions.Poisson(1.0, 1.0)


def too_many_dimensions(tf):
    tf.contrib.distributions.Independent(tf.distributions.Normal([0.0], 1.0), 2)


def whole_rate(tf):
    tf.contrib.distributions.Poisson(1)


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


GRAPHS = {
    "distributions": _collect(
        normal,
        normal_float64,
        normal_of_unknown_shape,
        normal_softplus,
        uniform,
        bernoulli,
        bernoulli_logits,
        bernoulli_checked_probs,
        beta,
        beta_defined,
        beta_softplus,
        categorical,
        categorical_probs,
        categorical_of_unknown_shape,
        dirichlet,
        dirichlet_defined,
        dirichlet_multinomial,
        dirichlet_multinomial_checked,
        exponential,
        exponential_softplus,
        gamma,
        gamma_defined,
        gamma_softplus,
        laplace,
        laplace_softplus,
        multinomial,
        multinomial_logits,
        student_t,
        student_t_defined,
        student_t_softplus,
        divergences_of_normals,
        divergences_of_bernoullis,
        divergences_of_betas,
        divergences_of_categoricals,
        divergences_of_dirichlets,
        divergences_of_gammas,
        parameter_shapes,
        own_distribution,
        helpers,
        special_functions,
    ),
    "contrib": _collect(
        logistic,
        poisson,
        poisson_log_rate,
        geometric,
        geometric_logits,
        one_hot_categorical,
        one_hot_categorical_probs,
        divergences_of_one_hot_categoricals,
        chi2,
        chi2_of_whole_df,
        independent,
        independent_of_unknown_shape,
        divergences_of_independents,
        the_same_names,
    ),
}
MISTAKES = {
    "distributions": _collect(
        both_parameters,
        no_parameter,
        whole_logits,
        different_dtypes,
        no_divergence,
        registered_twice,
        a_matrix_of_samples,
        no_entropy,
        a_scale_of_zero,
        bounds_turned_round,
        probability_above_one,
        a_fraction,
        one_class,
        undefined_mode,
        not_a_tensor,
        not_triangular,
        half_precision,
    ),
    "contrib": _collect(two_rates, whole_rate, too_many_dimensions),
}
