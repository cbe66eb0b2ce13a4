"""The filter of state space models (`…timeseries.state_space_models.kalman_filter`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import numerics
from tf1compat.api.contrib.timeseries import matrix_utils
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.math.math_matmul import matmul
from tf1compat.core import dtypes, ops
from tf1compat.core.typing import DTypeLike

_UNSTABLE = (
    "This may occur due to numerically unstable filtering when there is a large difference in "
    "posterior variances, or when inferences are near-deterministic. Considering tuning the "
    "'filtering_maximum_posterior_variance_ratio' or 'filtering_minimum_posterior_variance' "
    "parameters in your StateSpaceModelConfiguration, or tuning the transition matrix."
)


class KalmanFilter:
    """Kalman's filter: what observations say of a state that moves linearly, with normal noise.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      dtype: of states and observations.
      simplified_posterior_covariance_computation: whether the variance after an observation is
        worked out by a shorter formula, which rounding may make asymmetric.
    """

    def __init__(
        self, dtype: DTypeLike = dtypes.float32,
        simplified_posterior_covariance_computation: bool = False,
    ):  # fmt: skip
        self._simplified_posterior_covariance_computation = (
            simplified_posterior_covariance_computation
        )
        self.dtype = dtype

    def do_filter(
        self, estimated_state: Any, estimated_state_covariance: Any, predicted_observation: Any,
        predicted_observation_covariance: Any, observation: Any, observation_model: Any,
        observation_noise: Any,
    ) -> Any:  # fmt: skip
        """What an observation says.

        Args:
          estimated_state: the mean of the state before, [batch, state].
          estimated_state_covariance: its covariance, [batch, state, state].
          predicted_observation: the mean of what was to be observed, [batch, features].
          predicted_observation_covariance: its covariance, [batch, features, features].
          observation: what was observed, [batch, features].
          observation_model: what the state is multiplied by, [batch, features, state].
          observation_noise: the covariance of the noise, [features, features] or one each.

        Returns:
          (the state's mean after, its covariance, log probabilities of the observations [batch]).
        """
        covariance = 0.5 * (
            predicted_observation_covariance
            + array_ops.matrix_transpose(predicted_observation_covariance)
        )
        covariance = numerics.verify_tensor_all_finite(
            covariance, f"Predicted observation covariance was not finite. {_UNSTABLE}"
        )
        least = math_ops.reduce_min(array_ops.matrix_diag_part(covariance))
        message = f"The predicted observation covariance has a negative diagonal entry. {_UNSTABLE}"
        with ops.control_dependencies([control_flow_ops.Assert(least >= 0.0, [message, least])]):
            cholesky = linalg_ops.cholesky(covariance)
        log_probability = matrix_utils.mvn_tril_log_prob(
            loc=predicted_observation, scale_tril=cholesky, x=observation
        )
        state, state_var = self.posterior_from_prior_state(
            prior_state=estimated_state,
            prior_state_var=estimated_state_covariance,
            observation=observation,
            observation_model=observation_model,
            predicted_observations=(predicted_observation, predicted_observation_covariance),
            observation_noise=observation_noise,
        )
        return state, state_var, log_probability

    def predict_state_mean(self, prior_state: Any, transition_matrices: Any) -> Any:
        """The mean of the state later.

        Args:
          prior_state: [batch, state].
          transition_matrices: what it is multiplied by, [batch, state, state].
        """
        return array_ops.squeeze(matmul(transition_matrices, prior_state[..., None]), axis=[-1])

    def predict_state_var(
        self, prior_state_var: Any, transition_matrices: Any, transition_noise_sums: Any
    ) -> Any:
        """The covariance of the state later.

        Args:
          prior_state_var: [batch, state, state].
          transition_matrices: what the state is multiplied by, [batch, state, state].
          transition_noise_sums: the covariances of what is added to it, [batch, state, state].
        """
        moved = matmul(transition_matrices, prior_state_var)
        return matmul(moved, transition_matrices, adjoint_b=True) + transition_noise_sums

    def posterior_from_prior_state(
        self, prior_state: Any, prior_state_var: Any, observation: Any, observation_model: Any,
        predicted_observations: Any, observation_noise: Any,
    ) -> Any:  # fmt: skip
        """The state after an observation.

        Args:
          prior_state, prior_state_var: mean and covariance before.
          observation, observation_model, observation_noise: as in `do_filter`.
          predicted_observations: mean and covariance of what was to be observed.

        Returns:
          (mean, covariance).
        """
        mean, variance = predicted_observations
        residual = observation - mean
        right = matmul(observation_model, prior_state_var, adjoint_b=True)
        # The gain, transposed.
        gain = linalg_ops.matrix_solve(matrix=variance, rhs=right, adjoint=True)
        moved = matmul(gain, array_ops.expand_dims(residual, -1), adjoint_a=True)
        state = prior_state + array_ops.squeeze(moved, axis=[-1])
        explained = matmul(gain, observation_model, adjoint_a=True)
        size = array_ops.shape(explained)[1]
        left = linalg_ops.eye(size, dtype=explained.dtype)[None] - explained
        if self._simplified_posterior_covariance_computation:
            return state, matmul(left, prior_state_var)
        noise = ops.convert_to_tensor(observation_noise)
        once = matmul(left, prior_state_var)
        kept = matmul(left, once, adjoint_b=True)

        def of_each() -> Any:
            return kept + matmul(matmul(gain, noise, adjoint_a=True), gain)

        def of_all() -> Any:
            return kept + matmul(matrix_utils.batch_times_matrix(gain, noise, adj_x=True), gain)

        ndims = noise.get_shape().ndims
        if ndims is None:
            is_one = math_ops.equal(array_ops.rank(noise), 2)
            return state, control_flow_ops.cond(is_one, of_all, of_each)
        return state, of_all() if ndims == 2 else of_each()

    def observed_from_state(
        self, state_mean: Any, state_var: Any, observation_model: Any, observation_noise: Any
    ) -> Any:
        """What is to be observed.

        Args:
          state_mean, state_var: mean and covariance of the state.
          observation_model, observation_noise: as in `do_filter`.

        Returns:
          (mean [batch, features], covariance [batch, features, features]).
        """
        row = matmul(array_ops.expand_dims(state_mean, 1), observation_model, adjoint_b=True)
        mean = array_ops.squeeze(row, axis=[1])
        variance = matmul(matmul(observation_model, state_var), observation_model, adjoint_b=True)
        variance += observation_noise
        return mean, variance
