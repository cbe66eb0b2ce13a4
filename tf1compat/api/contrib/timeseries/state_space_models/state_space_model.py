"""What state space models have in common (`…timeseries.state_space_models.state_space_model`)."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.layers import dense
from tf1compat.api.contrib.timeseries import matrix_utils, model_utils, sequential_model
from tf1compat.api.contrib.timeseries.feature_keys import TrainEvalFeatures
from tf1compat.api.contrib.timeseries.state_space_models import kalman_filter
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.math.math_matmul import matmul
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike


class _Configuration(NamedTuple):
    num_features: int
    use_observation_noise: bool
    dtype: Any
    covariance_prior_fn: Any
    bayesian_prior_weighting: bool
    filtering_postprocessor: Any
    trainable_start_state: bool
    exogenous_noise_increases: bool
    exogenous_noise_decreases: bool
    exogenous_feature_columns: Any
    exogenous_update_condition: Any
    filtering_maximum_posterior_variance_ratio: float
    filtering_minimum_posterior_variance: float
    transition_covariance_initial_log_scale_bias: float
    static_unrolling_window_size_threshold: int | None


class StateSpaceModelConfiguration(_Configuration):
    """The options of a state space model.

    Args:
      num_features: how many values there are for each time.
      use_observation_noise: whether observations are noisy.
      dtype: of states and values.
      covariance_prior_fn: the logarithm of a prior of covariances, of a covariance.
      bayesian_prior_weighting: whether the prior counts once a series, not once a window.
      filtering_postprocessor: a FilteringStepPostprocessor; or None.
      trainable_start_state: whether the first state is learned.
      exogenous_noise_increases: whether what is known besides adds to the state.
      exogenous_noise_decreases: whether it is an observation of the state.
      exogenous_feature_columns: feature columns of what is known besides.
      exogenous_update_condition: of `(times, features)`, bools that say where that counts.
      filtering_maximum_posterior_variance_ratio: how many times a variance of the state may be
        greater than another before an observation.
      filtering_minimum_posterior_variance: the least that any is.
      transition_covariance_initial_log_scale_bias: how much smaller, by logarithm, the noise of
        transitions is than that of observations, at first.
      static_unrolling_window_size_threshold: up to which window size loops are unrolled.
    """

    def __new__(
        cls, num_features: int = 1, use_observation_noise: bool = True,
        dtype: DTypeLike = dtypes.float32,
        covariance_prior_fn: Any = matrix_utils.log_noninformative_covariance_prior,
        bayesian_prior_weighting: bool = True, filtering_postprocessor: Any = None,
        trainable_start_state: bool = False, exogenous_noise_increases: bool = True,
        exogenous_noise_decreases: bool = False, exogenous_feature_columns: Any = None,
        exogenous_update_condition: Any = None,
        filtering_maximum_posterior_variance_ratio: float = 1e6,
        filtering_minimum_posterior_variance: float = 0.0,
        transition_covariance_initial_log_scale_bias: float = -5.0,
        static_unrolling_window_size_threshold: int | None = None,
    ):  # fmt: skip
        return super().__new__(
            cls, num_features, use_observation_noise, dtype, covariance_prior_fn,
            bayesian_prior_weighting, filtering_postprocessor, trainable_start_state,
            exogenous_noise_increases, exogenous_noise_decreases,
            [] if exogenous_feature_columns is None else exogenous_feature_columns,
            exogenous_update_condition, filtering_maximum_posterior_variance_ratio,
            filtering_minimum_posterior_variance, transition_covariance_initial_log_scale_bias,
            static_unrolling_window_size_threshold,
        )  # fmt: skip


class StateSpaceModel(sequential_model.SequentialTimeSeriesModel):
    """A model with a hidden state `s` that moves by `s' = T s + N noise`, of which `M s + noise` is
    observed. A subclass says what T, N and M are.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      configuration: a StateSpaceModelConfiguration.
    """

    def __init__(self, configuration: StateSpaceModelConfiguration):
        self._configuration = configuration
        postprocessor = configuration.filtering_postprocessor
        more = [] if postprocessor is None else postprocessor.output_names
        super().__init__(
            train_output_names=["mean", "covariance", "log_likelihood", *more],
            predict_output_names=["mean", "covariance"],
            num_features=configuration.num_features,
            normalize_features=True,
            dtype=configuration.dtype,
            exogenous_feature_columns=configuration.exogenous_feature_columns,
            exogenous_update_condition=configuration.exogenous_update_condition,
            static_unrolling_window_size_threshold=(
                configuration.static_unrolling_window_size_threshold
            ),
        )
        self._kalman_filter: Any = None
        self.prior_state_mean: Any = None
        self.prior_state_var: Any = None
        self.state_transition_noise_covariance: Any = None
        self._total_observation_count: Any = None
        self._observation_noise_covariance: Any = None
        self._variable_scope = variable_scope.get_variable_scope()

    # ---- what moves the state ----------------------------------------------------------------

    def _tensor(self, value: Any) -> Any:
        return ops.convert_to_tensor(value, dtype=self.dtype)

    def transition_power_noise_accumulator(self, num_steps: Any) -> Any:
        """The covariances of what noise adds up to.

        Args:
          num_steps: after how many steps, ints [...].

        Returns:
          [..., state, state].
        """
        transform = self._tensor(self.get_noise_transform())
        once = matmul(transform, self.state_transition_noise_covariance)
        once = matmul(once, transform, transpose_b=True)
        most = math_ops.reduce_max(num_steps) + 1
        sums = matrix_utils.power_sums_tensor(most, self._tensor(self.get_state_transition()), once)
        return array_ops.gather(sums, indices=num_steps)

    def transition_to_powers(self, powers: Any) -> Any:
        """What the state is multiplied by in several steps.

        Args:
          powers: how many, ints [...].

        Returns:
          [..., state, state].
        """
        return matrix_utils.matrix_to_powers(self._tensor(self.get_state_transition()), powers)

    def _window_initializer(self, times: Any, state: Any) -> None:
        """Works out the powers and sums of all gaps in the windows, each once."""
        times = ops.convert_to_tensor(times)
        before = ops.convert_to_tensor(state[2])
        within = array_ops.reshape(times[:, 1:] - times[:, :-1], [-1])
        first = math_ops.maximum(times[:, 0] - before, 0)
        gaps, _ = array_ops.unique(array_ops.concat([within, first], axis=0))
        self._window_power_sums = self.transition_power_noise_accumulator(gaps)
        self._window_transition_powers = self.transition_to_powers(gaps)
        self._window_gap_sizes = gaps

    def _cached_transition_powers_and_sums(self, num_steps: Any) -> list[Any]:
        """Powers and sums [batch, state, state] for numbers of steps that are gaps of a window."""
        known = self._window_gap_sizes
        _, ids = array_ops.unique(
            array_ops.concat([known, math_ops.cast(num_steps, known.dtype)], axis=0)
        )
        found = []
        for kept in (self._window_transition_powers, self._window_power_sums):
            chosen = array_ops.gather(kept, ids[-array_ops.shape(num_steps)[0] :])
            chosen.set_shape(num_steps.get_shape().concatenate(chosen.get_shape()[-2:]))
            found.append(chosen)
        return found

    # ---- steps -------------------------------------------------------------------------------

    def _imputation_step(self, current_times: Any, state: Any) -> Any:
        mean, variance, previous_times = state
        steps = math_ops.maximum(current_times - previous_times, 0)
        powers, sums = self._cached_transition_powers_and_sums(steps)
        mean = self._kalman_filter.predict_state_mean(mean, powers)
        variance = self._kalman_filter.predict_state_var(variance, powers, sums)
        return mean, variance, previous_times + steps

    def _filtering_step(
        self, current_times: Any, current_values: Any, state: Any, predictions: Any
    ) -> Any:
        mean, variance, previous_times = state
        observation_model = self.get_broadcasted_observation_model(current_times)
        is_there = control_flow_ops.Assert(
            math_ops.reduce_all(math_ops.equal(current_times, previous_times)),
            ["Attempted to perform filtering without imputation/prediction"],
        )
        with ops.control_dependencies([is_there]):
            variance = matrix_utils.clip_covariance(
                variance,
                self._configuration.filtering_maximum_posterior_variance_ratio,
                self._configuration.filtering_minimum_posterior_variance,
            )
            mean, variance, log_probability = self._kalman_filter.do_filter(
                estimated_state=mean,
                estimated_state_covariance=variance,
                predicted_observation=predictions["mean"],
                predicted_observation_covariance=predictions["covariance"],
                observation=current_values,
                observation_model=observation_model,
                observation_noise=self._observation_noise_covariance,
            )
        filtered = (mean, variance, current_times)
        log_probability.set_shape(current_times.get_shape())
        predictions["loss"] = -log_probability
        predictions["log_likelihood"] = log_probability
        postprocessor = self._configuration.filtering_postprocessor
        if postprocessor is None:
            return filtered, predictions
        return postprocessor.process_filtering_step(
            current_times=current_times, current_values=current_values, predicted_state=state,
            filtered_state=filtered, outputs=predictions,
        )  # fmt: skip

    def _scale_back_predictions(self, predictions: dict[str, Any]) -> dict[str, Any]:
        predictions["mean"] = self._scale_back_data(predictions["mean"])
        predictions["covariance"] = self._scale_back_variance(predictions["covariance"])
        return predictions

    def _prediction_step(self, current_times: Any, state: Any) -> Any:
        mean, variance, previous_times = state
        is_there = control_flow_ops.Assert(
            math_ops.reduce_all(math_ops.less_equal(current_times, previous_times)),
            ["Attempted to predict without imputation"],
        )
        features = [self.num_features, self.num_features]
        with ops.control_dependencies([is_there]):
            observation_model = self.get_broadcasted_observation_model(current_times)
            seen_mean, seen_variance = self._kalman_filter.observed_from_state(
                state_mean=mean, state_var=variance, observation_model=observation_model,
                observation_noise=self._observation_noise_covariance,
            )  # fmt: skip
            shape = ops.convert_to_tensor(current_times).get_shape()
            seen_variance.set_shape(shape.concatenate(features))
        shape = current_times.get_shape()
        seen_mean.set_shape(shape.concatenate((self.num_features,)))
        seen_variance.set_shape(shape.concatenate(features))
        return (mean, variance, current_times), {"mean": seen_mean, "covariance": seen_variance}

    def _exogenous_noise_decreasing(
        self, current_times: Any, exogenous_values: Any, state: Any
    ) -> Any:
        """What is known besides as an observation of the state."""
        mean, variance, previous_times = state
        transition = self._tensor(self.get_state_transition())
        size = dimension_value(transition.shape[0])
        every_part = linalg_ops.eye(
            size, batch_shape=array_ops.shape(exogenous_values)[:-1], dtype=self.dtype
        )
        with variable_scope.variable_scope("exogenous_noise_decreasing_covariance"):
            noise = matrix_utils.transform_to_covariance_matrices(exogenous_values, size)
        with variable_scope.variable_scope("exogenous_noise_decreasing_observation"):
            observation = dense.fully_connected(exogenous_values, size, activation_fn=None)
        mean, variance = self._kalman_filter.posterior_from_prior_state(
            prior_state=mean, prior_state_var=variance, observation=observation,
            observation_model=every_part, predicted_observations=(mean, noise + variance),
            observation_noise=noise,
        )  # fmt: skip
        return mean, variance, previous_times

    def _exogenous_noise_increasing(
        self, current_times: Any, exogenous_values: Any, state: Any
    ) -> Any:
        """What is known besides as something noisy that is added to the state."""
        mean, variance, previous_times = state
        with variable_scope.variable_scope("exogenous_noise_increasing_mean"):
            added = dense.fully_connected(
                exogenous_values, dimension_value(mean.shape[1]), activation_fn=None
            )
        size = dimension_value(variance.shape[1])
        with variable_scope.variable_scope("exogenous_noise_increasing_covariance"):
            noise = matrix_utils.transform_to_covariance_matrices(exogenous_values, size)
        return mean + added, variance + noise, previous_times

    def _exogenous_input_step(
        self, current_times: Any, current_exogenous_regressors: Any, state: Any
    ) -> Any:
        values = current_exogenous_regressors
        if self._configuration.exogenous_noise_decreases:
            state = self._exogenous_noise_decreasing(current_times, values, state)
        if self._configuration.exogenous_noise_increases:
            state = self._exogenous_noise_increasing(current_times, values, state)
        return state

    # ---- parameters --------------------------------------------------------------------------

    def _loss_additions(self, times: Any, values: Any, mode: str) -> Any:
        """The priors of the covariances, in training."""
        if mode != ModeKeys.TRAIN:
            return array_ops.zeros([], dtype=self.dtype)
        configuration, statistics = self._configuration, self._input_statistics
        if statistics is not None and configuration.bayesian_prior_weighting:
            count = statistics.total_observation_count
        else:
            count = array_ops.shape(times)[1]
        share = 1.0 / math_ops.cast(count, self.dtype)
        prior_fn: Any = configuration.covariance_prior_fn
        prior = self._tensor(prior_fn(self.state_transition_noise_covariance))
        observed = self._observation_noise_covariance
        if configuration.use_observation_noise and observed is not None:
            of_observations = self._tensor(prior_fn(observed))
            prior = prior + of_observations
        return -share * prior

    def _variable_observation_transition_tradeoff_log(self) -> Any:
        """A variable: how much less noise transitions have than observations, by logarithm."""
        bias = self._configuration.transition_covariance_initial_log_scale_bias
        return variable_scope.get_variable(
            name="observation_transition_tradeoff_log_scale",
            initializer=constant_op.constant_v1(-bias, dtype=self.dtype),
            dtype=self.dtype,
        )

    def _define_parameters(self, observation_transition_tradeoff_log: Any = None) -> None:
        with variable_scope.variable_scope(self._variable_scope):
            if observation_transition_tradeoff_log is None:
                observation_transition_tradeoff_log = (
                    self._variable_observation_transition_tradeoff_log()
                )
            self._observation_transition_tradeoff_log_scale = observation_transition_tradeoff_log
            self.state_transition_noise_covariance = self.get_state_transition_noise_covariance()

    def _set_input_statistics(self, input_statistics: Any = None) -> None:
        super().initialize_graph(input_statistics=input_statistics)

    def initialize_graph(self, input_statistics: Any = None) -> None:
        """Makes the model's variables.

        Args:
          input_statistics: an InputStatistics, by which values are normalized; or None.
        """
        self._set_input_statistics(input_statistics=input_statistics)
        self._define_parameters()
        with variable_scope.variable_scope(self._variable_scope):
            self._observation_noise_covariance = self._tensor(
                self.get_observation_noise_covariance()
            )
        self._kalman_filter = kalman_filter.KalmanFilter(dtype=self.dtype)
        self.prior_state_mean, self.prior_state_var = self._make_priors()

    def _make_priors(self) -> Any:
        covariance = self.get_prior_covariance()
        return self.get_prior_mean(), covariance

    def get_prior_covariance(self) -> Any:
        """The covariance of the state before a series, [state, state]."""
        with variable_scope.variable_scope(self._variable_scope):
            transition = ops.convert_to_tensor(self.get_state_transition())
            size: Any = dimension_value(transition.get_shape()[0])
            if not self._configuration.trainable_start_state:
                return linalg_ops.eye(size, dtype=self.dtype)
            learned = matrix_utils.variable_covariance_matrix(
                size, "prior_state_var", dtype=self.dtype
            )
            if self._input_statistics is None:
                return learned
            variance = self._input_statistics.series_start_moments.variance
            greatest = math_ops.reduce_max(self._scale_variance(variance))
            return learned * raw_ops.Maximum(x=greatest, y=1.0)

    def get_prior_mean(self) -> Any:
        """The mean of the state before a series, [state]."""
        with variable_scope.variable_scope(self._variable_scope):
            transition = self._tensor(self.get_state_transition())
            return variable_scope.get_variable(
                name="prior_state_mean",
                shape=[dimension_value(transition.get_shape()[0])],
                dtype=self.dtype,
                trainable=self._configuration.trainable_start_state,
            )

    def _series_start_variance(self) -> Any:
        """The variance of values when series begin, normalized; None where it is not known."""
        if self._input_statistics is None:
            return None
        return self._scale_variance(self._input_statistics.series_start_moments.variance)

    def get_state_transition_noise_covariance(self, minimum_initial_variance: float = 1e-5) -> Any:
        """The covariance of the noise of transitions, learned.

        Args:
          minimum_initial_variance: the least that it is at first.
        """
        transform = self._tensor(self.get_noise_transform())
        size: Any = dimension_value(transform.get_shape()[1])
        variance = self._series_start_variance()
        scale: Any = 0.0
        if variance is not None:
            mean = math_ops.reduce_mean(variance)
            count = math_ops.cast(self._input_statistics.total_observation_count, self.dtype)
            scale = math_ops.log(raw_ops.Maximum(x=mean / count, y=minimum_initial_variance))
        scale -= self._observation_transition_tradeoff_log_scale
        return matrix_utils.variable_covariance_matrix(
            size, "state_transition_noise", dtype=self.dtype, initial_overall_scale_log=scale
        )

    def get_observation_noise_covariance(self, minimum_initial_variance: float = 1e-5) -> Any:
        """The covariance of the noise of observations, learned; zeros where there is none.

        Args:
          minimum_initial_variance: the least that a variance is at first.
        """
        name = "observation_noise_covariance"
        if not self._configuration.use_observation_noise:
            shape = [self.num_features, self.num_features]
            return array_ops.zeros(shape=shape, name=name, dtype=self.dtype)
        variance = self._series_start_variance()
        if variance is not None:
            variance = raw_ops.Maximum(x=variance, y=minimum_initial_variance)
        return matrix_utils.variable_covariance_matrix(
            size=self.num_features,
            dtype=self.dtype,
            name=name,
            initial_diagonal_values=variance,
            initial_overall_scale_log=self._observation_transition_tradeoff_log_scale,
        )

    def get_start_state(self) -> Any:
        """Mean and covariance before a series, and the time before it."""
        statistics = self._input_statistics
        if statistics is not None:
            start = statistics.start_time
        else:
            start = array_ops.zeros([], dtype=dtypes.int64)
        return self.prior_state_mean, self.prior_state_var, start - 1

    def get_features_for_timesteps(self, timesteps: Any) -> Any:
        """No features, [timesteps, 0].

        Args:
          timesteps: ints [n].
        """
        return array_ops.zeros([array_ops.shape(timesteps)[0], 0], dtype=self.dtype)

    # ---- draws -------------------------------------------------------------------------------

    def random_model_parameters(self, seed: int | None = None) -> dict[Any, Any]:
        """Values of the parameters, drawn with NumPy's generator.

        Args:
          seed: sets it; or None.

        Returns:
          Arrays by tensor, to be fed.

        Raises:
          NotImplementedError: there are several features.
        """
        self._check_one_feature()
        if seed:
            np.random.seed(seed)
        transform: Any = ops.convert_to_tensor(self.get_noise_transform())
        size, noises = transform.get_shape().as_list()
        variances = 1.0 / np.random.gamma(shape=10.0, scale=10.0, size=[noises])
        start = np.random.normal(size=[size])
        values = {}
        for parameter, value in (
            (self.prior_state_mean, start),
            (self.state_transition_noise_covariance, np.diag(variances)),
            (self.prior_state_var, np.zeros([size, size])),
        ):
            if parameter is not None:
                values[parameter] = value
        if self._configuration.use_observation_noise:
            variance = 1.0 / np.random.gamma(shape=4, scale=4)
            values[self._observation_noise_covariance] = [[variance]]
        return values

    def _check_one_feature(self) -> None:
        if self.num_features != 1:
            raise NotImplementedError(
                "Generation for multivariate state space models is not currently implemented."
            )

    def generate(
        self, number_of_series: int, series_length: int, model_parameters: Any = None,
        seed: int | None = None, add_observation_noise: bool | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Draws series from the model, in the default session, with NumPy's generator.

        Args:
          number_of_series, series_length: how many, and how long.
          model_parameters: values of parameters by tensor; those of the session by default.
          seed: sets the generator; or None.
          add_observation_noise: whether observations are noisy; by the configuration by default.

        Returns:
          Arrays of times [series, length] and values [series, length, 1], by name.

        Raises:
          NotImplementedError: there are several features.
        """
        if seed is not None:
            np.random.seed(seed)
        self._check_one_feature()
        if add_observation_noise is None:
            add_observation_noise = self._configuration.use_observation_noise
        feeds = {} if model_parameters is None else model_parameters
        value_of = model_utils.parameter_switch(feeds)
        transition = self._tensor(self.get_state_transition()).eval(feed_dict=feeds)
        transform = ops.convert_to_tensor(self.get_noise_transform()).eval(feed_dict=feeds)
        deviations = np.sqrt(np.diag(value_of(self.state_transition_noise_covariance)))
        deviations = np.tile(np.expand_dims(deviations, 0), [number_of_series, 1])
        deviation = 0.0
        if add_observation_noise:
            deviation = np.sqrt(value_of(self._observation_noise_covariance)[0][0])
        start = value_of(self.prior_state_mean)
        state = np.tile(np.expand_dims(start, 0), [number_of_series, 1])
        times = math_ops.range(series_length)
        models = self.get_broadcasted_observation_model(times=times).eval(feed_dict=feeds)
        means = np.zeros([number_of_series, transform.shape[1]])
        values = np.zeros([number_of_series, series_length])
        for step, observation_model in enumerate(models):
            state = np.dot(state, transition.T)
            noise = np.random.normal(loc=means, scale=deviations)
            state += np.dot(noise, transform.T)
            observed = np.dot(state, observation_model[0].T)
            if add_observation_noise:
                observed = np.random.normal(loc=observed, scale=deviation)
            values[:, step] = observed
        numbers = np.tile(np.expand_dims(np.arange(series_length), 0), [number_of_series, 1])
        return {
            TrainEvalFeatures.TIMES: numbers, TrainEvalFeatures.VALUES: values[..., None]
        }  # fmt: skip

    # ---- what a subclass says ----------------------------------------------------------------

    @abc.abstractmethod
    def get_state_transition(self) -> Any:
        """What the state is multiplied by, [state, state]."""

    @abc.abstractmethod
    def get_noise_transform(self) -> Any:
        """What noise is multiplied by before it is added to the state, [state, noise]."""

    @abc.abstractmethod
    def get_observation_model(self, times: Any) -> Any:
        """What the state is multiplied by when it is observed.

        Args:
          times: ints [batch].

        Returns:
          [state], [features, state] or [batch, features, state].
        """

    def get_broadcasted_observation_model(self, times: Any) -> Any:
        """What the state is multiplied by when it is observed, [batch, features, state].

        Args:
          times: ints [batch].
        """
        found = self._tensor(self.get_observation_model(times))
        shape = found.get_shape().with_rank_at_least(1).with_rank_at_most(3)
        if shape.ndims is None:
            has_all = control_flow_ops.Assert(
                math_ops.equal(array_ops.rank(found), 3), [array_ops.shape(found)]
            )
            with ops.control_dependencies([has_all]):
                return array_ops.identity(found)
        if shape.ndims == 1:
            row = array_ops.reshape(tensor=found, shape=[1, 1, -1])
            found = array_ops.tile(row, [array_ops.shape(times)[0], self.num_features, 1])
        elif shape.ndims == 2:
            one = array_ops.expand_dims(found, axis=0)
            found = array_ops.tile(one, [array_ops.shape(times)[0], 1, 1])
        found.get_shape().assert_has_rank(3)
        return found


class StateSpaceEnsemble(StateSpaceModel):
    """A model whose state is the states of others, one after the other.

    Args:
      ensemble_members: StateSpaceModels.
      configuration: a StateSpaceModelConfiguration.
    """

    def __init__(
        self, ensemble_members: Sequence[Any], configuration: StateSpaceModelConfiguration
    ):
        self._ensemble_members = ensemble_members
        super().__init__(configuration=configuration)

    def _set_input_statistics(self, input_statistics: Any = None) -> None:
        super()._set_input_statistics(input_statistics)
        for member in self._ensemble_members:
            member._set_input_statistics(input_statistics)

    def _loss_additions(self, times: Any, values: Any, mode: str) -> Any:
        own = super()._loss_additions(times, values, mode)
        others = [m._loss_additions(times, values, mode) for m in self._ensemble_members]
        return own + math_ops.add_n(others)

    def _compute_blocked(self, member_fn: Callable[[Any], Any], name: str) -> Any:
        """What a function gives of the members, as blocks along a diagonal."""
        with variable_scope.variable_scope(self._variable_scope):
            blocks = [member_fn(member) for member in self._ensemble_members]
            return matrix_utils.block_diagonal(blocks, dtype=self.dtype, name=name)

    def transition_to_powers(self, powers: Any) -> Any:
        """What the state is multiplied by in several steps.

        Args:
          powers: how many, ints [...].
        """
        return self._compute_blocked(
            lambda member: member.transition_to_powers(powers), "ensemble_transition_to_powers"
        )

    def _define_parameters(self, observation_transition_tradeoff_log: Any = None) -> None:
        with variable_scope.variable_scope(self._variable_scope):
            shared = observation_transition_tradeoff_log
            if shared is None:
                shared = self._variable_observation_transition_tradeoff_log()
            for member in self._ensemble_members:
                member._define_parameters(observation_transition_tradeoff_log=shared)
            super()._define_parameters(observation_transition_tradeoff_log=shared)

    def random_model_parameters(self, seed: int | None = None) -> dict[Any, Any]:
        """Values of the parameters of all, drawn with NumPy's generator.

        Args:
          seed: sets it; or None.
        """
        values = {}
        for i, member in enumerate(self._ensemble_members):
            values.update(member.random_model_parameters(seed=seed + i if seed else None))
        values.update(super().random_model_parameters(seed=seed))
        return values

    def get_prior_mean(self) -> Any:
        """The mean of the state before a series, [state]."""
        means = [member.get_prior_mean() for member in self._ensemble_members]
        return array_ops.concat(values=means, axis=0, name="ensemble_prior_state_mean")

    def get_state_transition(self) -> Any:
        """What the state is multiplied by, [state, state]."""
        return self._compute_blocked(
            lambda member: member.get_state_transition(), "ensemble_state_transition"
        )

    def get_noise_transform(self) -> Any:
        """What noise is multiplied by before it is added to the state, [state, noise]."""
        return self._compute_blocked(
            lambda member: member.get_noise_transform(), "ensemble_noise_transform"
        )

    def get_observation_model(self, times: Any) -> Any:
        """Is not defined for ensembles.

        Args:
          times: not used.

        Raises:
          NotImplementedError: always.
        """
        raise NotImplementedError("No un-broadcasted observation model defined for ensembles.")

    def _observation_models(self, times: Any) -> list[Any]:
        return [
            self._tensor(member.get_broadcasted_observation_model(times))
            for member in self._ensemble_members
        ]

    def get_broadcasted_observation_model(self, times: Any) -> Any:
        """What the state is multiplied by when it is observed: the members' observations are added.

        Args:
          times: ints [batch].
        """
        return array_ops.concat(values=self._observation_models(times), axis=2)


class StateSpaceIndependentEnsemble(StateSpaceEnsemble):
    """An ensemble of models whose noises have nothing to do with each other.

    Args:
      ensemble_members: StateSpaceModels.
      configuration: a StateSpaceModelConfiguration.
    """

    def transition_power_noise_accumulator(self, num_steps: Any) -> Any:
        """The covariances of what noise adds up to.

        Args:
          num_steps: after how many steps, ints [...].
        """
        return self._compute_blocked(
            lambda member: member.transition_power_noise_accumulator(num_steps),
            "ensemble_power_noise_accumulator",
        )

    def get_prior_covariance(self) -> Any:
        """The covariance of the state before a series, [state, state]."""
        return self._compute_blocked(
            lambda member: member.get_prior_covariance(), "ensemble_prior_state_covariance"
        )

    def get_state_transition_noise_covariance(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
    ) -> Any:
        """The covariance of the noise of transitions, which is the members'."""
        return self._compute_blocked(
            lambda member: member.state_transition_noise_covariance,
            "ensemble_state_transition_noise",
        )


class StateSpaceCorrelatedFeaturesEnsemble(StateSpaceEnsemble):
    """An ensemble of one model a feature, whose noises belong together.

    Args:
      ensemble_members: StateSpaceModels of one feature, one for each.
      configuration: a StateSpaceModelConfiguration.

    Raises:
      ValueError: there are not as many members as features, or one has several features.
    """

    def __init__(
        self, ensemble_members: Sequence[Any], configuration: StateSpaceModelConfiguration
    ):
        if len(ensemble_members) != configuration.num_features:
            raise ValueError(
                "The number of members in a StateSpaceCorrelatedFeaturesEnsemble must equal the "
                "number of features in the time series."
            )
        if any(member.num_features != 1 for member in ensemble_members):
            raise ValueError("StateSpaceCorrelatedFeaturesEnsemble components must be univariate.")
        super().__init__(ensemble_members=ensemble_members, configuration=configuration)

    def transition_power_noise_accumulator(self, num_steps: Any) -> Any:
        """The covariances of what noise adds up to.

        Args:
          num_steps: after how many steps, ints [...].
        """
        if len(self._ensemble_members) == 1:
            # A model may have a shorter way than sums of powers.
            return self._ensemble_members[0].transition_power_noise_accumulator(num_steps=num_steps)
        return super().transition_power_noise_accumulator(num_steps=num_steps)

    def get_broadcasted_observation_model(self, times: Any) -> Any:
        """What the state is multiplied by when it is observed: each member is a feature.

        Args:
          times: ints [batch].
        """
        return self._compute_blocked(
            lambda member: self._tensor(member.get_broadcasted_observation_model(times)),
            "feature_ensemble_observation_model",
        )
