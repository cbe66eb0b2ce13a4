"""State space models of `tensorflow.contrib.timeseries`."""

from __future__ import annotations

import tempfile

import numpy as np
from case_runs import Case, collect
from contrib_inner import contrib, error, flat, inner, names, static, weights

_TIMES = np.arange(40)
_VALUES = np.stack([np.sin(_TIMES / 4.0) + 2.0, 0.1 * _TIMES], axis=1)


def _module(name):
    return contrib("timeseries.python.timeseries." + name)


def _space(name):
    return _module("state_space_models." + name)


def _configuration(**options):
    return _space("state_space_model").StateSpaceModelConfiguration(**options)


def _features(tf, batch=2, window=5, values=1, gap=1, **kwargs):
    starts = 3 * np.arange(batch)[:, None] + gap * np.arange(window)
    found = {"times": starts, "values": _VALUES[starts][..., :values]}
    found.update({key: np.asarray(value)[starts] for key, value in kwargs.items()})
    return {key: tf.constant(value) for key, value in found.items()}


def _models(**options):
    """Models by name; several features where there can be some."""
    one = _configuration(**options)
    two = one._replace(num_features=2)
    periodic, ensembles = _space("periodic"), _space("structural_ensemble")
    return {
        "level": lambda: _space("level_trend").AdderStateSpaceModel(configuration=one),
        "trend": lambda: _space("level_trend").AdderStateSpaceModel(False, configuration=one),
        "cycle": lambda: periodic.CycleStateSpaceModel(5, configuration=one),
        "smooth": lambda: periodic.ResolutionCycleModel(5, 7.3, configuration=one),
        "folded": lambda: periodic.ResolutionCycleModel(3, 6, configuration=one),
        "averages": lambda: _space("varma").VARMA(1, 2, configuration=two),
        "regression": lambda: _space("varma").VARMA(3, 1, configuration=two),
        "structural": lambda: ensembles.StructuralEnsemble(4, 1, 1, configuration=two),
        "resolutions": lambda: ensembles.MultiResolutionStructuralEnsemble(
            3, 1, 1, [5, 7.5], configuration=one
        ),
    }


def _statistics(tf, model, features):
    statistics = _module("math_utils").InputStatisticsFromMiniBatch(model.num_features, model.dtype)
    return statistics.initialize_graph(features)


def _parts(name):
    """What a model says of itself."""

    def case(tf):
        model = _models(dtype=tf.float64)[name]()
        model.initialize_graph()
        steps = tf.constant([0, 1, 3, 6], tf.int64)
        found = [
            tf.convert_to_tensor(model.get_state_transition()),
            tf.convert_to_tensor(model.get_noise_transform()),
            model.get_broadcasted_observation_model(tf.constant([3, 4])),
            model.transition_to_powers(steps),
            model.transition_power_noise_accumulator(steps),
            model.get_start_state(),
            model.get_features_for_timesteps(tf.range(3)),
            model.state_transition_noise_covariance,
            model.get_observation_noise_covariance,
        ]
        return flat(tf, found), [static(tf, found), names(tf.global_variables())]

    case.__name__ = "parts_" + name
    return inner(case)


def _learned(name, **options):
    """The loss of windows and its gradient, with moments of the values."""
    window = {key: options.pop(key) for key in ("gap", "window") if key in options}

    def case(tf):
        given = {key: value(tf) if callable(value) else value for key, value in options.items()}
        model = _models(**given)[name]()
        features = _features(tf, values=model.num_features, **window)
        statistics = _statistics(tf, model, features)
        model.initialize_graph(statistics)
        outputs = model.define_loss(features, tf.estimator.ModeKeys.TRAIN)
        variables = tf.trainable_variables()
        gradients = tf.gradients(outputs.loss, variables)
        found = [outputs.loss, outputs.end_state, outputs.predictions]
        found += [g for g in gradients if g is not None]
        said = [static(tf, found), names(variables), [g is None for g in gradients]]
        return flat(tf, found), said

    case.__name__ = "learned_" + name + "_" + "_".join(sorted(window) + sorted(options))
    return inner(case)


def _detector(tf):
    return _space("filtering_postprocessor").StateInterpolatingAnomalyDetector(
        anomaly_prior_probability=0.1
    )


PARTS = {name: _parts(name) for name in _models()}
LEARNED = {
    case.__name__: case
    for case in (
        _learned("level"),
        _learned("level", trainable_start_state=True, dtype=lambda tf: tf.float64),
        _learned("trend", use_observation_noise=False, static_unrolling_window_size_threshold=6),
        _learned("cycle", gap=2, bayesian_prior_weighting=False, trainable_start_state=True),
        _learned("smooth", gap=3),
        _learned("averages", filtering_postprocessor=_detector),
        _learned("structural", window=3),
    )
}


@inner
def steps_of_a_filter(tf):
    kalman = _space("kalman_filter").KalmanFilter
    state, variance = weights(2, 3), np.tile(np.diag([1.0, 2.0, 0.5]), [2, 1, 1]).astype("f")
    model = tf.constant(weights(2, 2, 3, seed=1))
    noise = np.diag([0.1, 0.2]).astype("f")
    observation = tf.constant(weights(2, 2, seed=2))
    found = []
    for simplified in (False, True):
        filtered = kalman(simplified_posterior_covariance_computation=simplified)
        seen = filtered.observed_from_state(state, variance, model, noise)
        for each in (noise, np.tile(noise, [2, 1, 1])):
            found.append(
                filtered.do_filter(state, variance, seen[0], seen[1], observation, model, each)
            )
        transition = tf.constant(weights(2, 3, 3, seed=3))
        found.append(filtered.predict_state_mean(tf.constant(state), transition))
        found.append(filtered.predict_state_var(variance, transition, variance))
    return flat(tf, found), [static(tf, found)]


@inner
def tables_of_structures(tf):
    utils = _module("math_utils")
    default = (tf.constant([1.0, 2.0]), (tf.constant([[3, 4]], tf.int64), tf.constant(True)))
    default = default[0], (default[1][0], tf.constant(0.5, tf.float64))
    table = utils.TupleOfTensorsLookup(tf.int64, default, -1, -2, "kept")
    keys = tf.constant([[2, 5], [7, 2]], tf.int64)
    before = table.lookup(keys)
    values = (
        tf.constant(weights(2, 2)),
        (tf.constant([[[1, 2]], [[3, 4]]], tf.int64), tf.constant([0.25, 0.75], tf.float64)),
    )
    with tf.control_dependencies(flat(tf, before)):
        inserted = table.insert(tf.constant([5, 7], tf.int64), values)
    with tf.control_dependencies([inserted]):
        after = table.lookup(keys)
    said = [
        static(tf, [before, after]),
        inserted.type,
        type(before).__name__,
        str(table.check_table_dtypes(tf.int64, tf.int64)),
        error(table.insert, keys, (1, 2))[0],
        [s.name for s in tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)],
    ]
    return flat(tf, after), said


def _chained(tf, model, features, mode, **options):
    manager = _module("state_management").ChainingStateManager(**options)
    model.initialize_graph(_statistics(tf, model, features))
    manager.initialize_graph(model, model._input_statistics)
    return manager, manager.define_loss(model, features, mode)


@inner
def chained_windows(tf):
    model = _models()["level"]()
    features = _features(tf, batch=1, window=6)
    manager, outputs = _chained(
        tf, model, features, tf.estimator.ModeKeys.TRAIN, state_saving_interval=2
    )
    later = manager.define_loss(model, _features(tf, batch=2, window=3), tf.estimator.ModeKeys.EVAL)
    found = [outputs.loss, outputs.end_state, outputs.predictions, outputs.prediction_times]
    said = [static(tf, [found, later.loss]), len(tf.get_collection("saveable_objects"))]
    given = dict(features, start_tuple=model.get_start_state())
    said.append(error(manager.define_loss, model, given, tf.estimator.ModeKeys.TRAIN))
    unready = _module("state_management").ChainingStateManager()
    said.append(error(unready.define_loss, model, features, tf.estimator.ModeKeys.TRAIN))
    return flat(tf, found), said


@inner
def known_besides(tf):
    """What is known besides the values, as noise more and less, where a condition says so."""
    found, said = [], []
    for i, options in enumerate(
        (
            {"exogenous_noise_increases": True},
            {
                "exogenous_noise_increases": False,
                "exogenous_noise_decreases": True,
                "exogenous_update_condition": lambda times, features: tf.equal(times % 2, 0),
            },
        )
    ):
        column = tf.feature_column.numeric_column("extra")
        with tf.variable_scope("model%d" % i):
            model = _models(exogenous_feature_columns=[column], **options)["level"]()
            features = _features(tf, extra=np.cos(_TIMES).astype("f"))
            model.initialize_graph()
            outputs = model.define_loss(features, tf.estimator.ModeKeys.EVAL)
            parts = [outputs.loss, outputs.end_state, outputs.predictions]
            later = {
                "times": tf.constant([[9, 10, 12], [14, 15, 18]], tf.int64),
                "start_tuple": outputs.end_state,
                "extra": tf.constant(weights(2, 3)),
            }
        with tf.variable_scope("model%d" % i, reuse=True):
            parts.append(model.predict(later))
        found += flat(tf, parts)
        said.append([static(tf, parts), names(tf.trainable_variables())])
    return found, said


@inner
def drawn_series(tf):
    model = _models()["cycle"]()
    model.initialize_graph()
    values = model.random_model_parameters(seed=3)
    said = [sorted(np.shape(value) for value in values.values())]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for options in ({"model_parameters": values}, {"add_observation_noise": False}):
            drawn = model.generate(2, 4, seed=5, **options)
            said.append(drawn["times"].tolist())
            said.append([round(float(x), 4) for x in drawn["values"].ravel()])
    with tf.variable_scope("many"):
        many = _models()["averages"]()
        many.initialize_graph()
    said += [error(many.random_model_parameters), error(many.generate, 1, 2)]
    # Draws of variables that the session has initialized hang on their initializers.
    return [], said


@inner
def mistakes_of_models(tf):
    space, ensembles = _space("state_space_model"), _space("structural_ensemble")
    level = _models()["level"]
    two = _configuration(num_features=2)
    model = level()
    said = [
        str(_configuration())[:60],
        error(space.StateSpaceModel, _configuration())[0],
        error(_space("periodic").ResolutionCycleModel, 4, 7),
        error(ensembles.MultiResolutionStructuralEnsemble, [3, 5], 1, 1, [4]),
        error(space.StateSpaceCorrelatedFeaturesEnsemble, [model], two),
        error(
            space.StateSpaceCorrelatedFeaturesEnsemble,
            [_models()["averages"](), model],
            two,
        ),
        error(model.define_loss, {}, tf.estimator.ModeKeys.TRAIN),
        error(_module("estimators").StateSpaceRegressor, 3),
        error(space.StateSpaceEnsemble([model], _configuration()).get_observation_model, [1]),
    ]
    return [], said


def regressor(tf):
    """Trains, evaluates, predicts; what it exports is in test_timeseries."""
    series = tf.contrib.timeseries
    config = tf.estimator.RunConfig(tf_random_seed=3, log_step_count_steps=None)
    made = series.StructuralEnsembleRegressor(
        5, 1, cycle_num_latent_values=3, moving_average_order=1, model_dir=tempfile.mkdtemp(),
        config=config, anomaly_prior_probability=0.05, dtype=tf.float32,
        optimizer=tf.train.GradientDescentOptimizer(0.01),
    )  # fmt: skip
    reader = series.NumpyReader({"times": _TIMES[:20], "values": _VALUES[:20, :1]})
    whole = series.WholeDatasetInputFn(reader)
    made.train(whole, steps=3)
    evaluated = made.evaluate(whole, steps=1)
    predicted = list(made.predict(series.predict_continuation_input_fn(evaluated, steps=3)))
    said = [sorted(evaluated), sorted(predicted[0]), made.get_variable_names()]
    numbers = [
        evaluated["loss"],
        evaluated["average_loss"],
        np.mean(evaluated["mean"]),
        np.mean(evaluated["anomaly_score"]),
        np.mean(predicted[0]["mean"]),
    ]
    said.append(["%.3g" % x for x in numbers])
    return Case(said=said, steps=0)


CASES = {
    "parts": PARTS,
    "learned": LEARNED,
    "other": collect(
        steps_of_a_filter,
        tables_of_structures,
        chained_windows,
        known_besides,
        drawn_series,
        mistakes_of_models,
    ),
    "estimators": collect(regressor),
}
MISTAKES = {}
