"""What is done after a step of filtering: anomalies
(`…timeseries.state_space_models.filtering_postprocessor`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.timeseries import math_utils, matrix_utils
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, nest, ops


class FilteringStepPostprocessor(abc.ABC):
    """Changes what a step of filtering gives."""

    @abc.abstractmethod
    def process_filtering_step(
        self, current_times: Any, current_values: Any, predicted_state: Any, filtered_state: Any,
        outputs: dict[str, Any],
    ) -> Any:  # fmt: skip
        """What a step gives in place of what it gave.

        Args:
          current_times: ints [batch].
          current_values: what was observed, [batch, features].
          predicted_state, filtered_state: the states before and after that.
          outputs: the step's other outputs by name.

        Returns:
          (state, outputs).
        """

    @property
    @abc.abstractmethod
    def output_names(self) -> list[str]:
        """Names of outputs that it adds."""
        return []


def cauchy_alternative_to_gaussian(
    current_times: Any, current_values: Any, outputs: dict[str, Any]
) -> Any:
    """The logarithm of a density with long tails and the entropy of the predicted one.

    Args:
      current_times: not used.
      current_values: where, [batch, features].
      outputs: mean and covariance of the predicted one.

    Returns:
      Floats [batch].
    """
    scale = matrix_utils.entropy_matched_cauchy_scale(outputs["covariance"])
    densities = math_utils.cauchy_log_prob(loc=outputs["mean"], scale=scale, x=current_values)
    return math_ops.reduce_sum(densities, axis=1)


def _interpolate_state_linear(
    first_state: Any, second_state: Any, first_responsibility: Any
) -> Any:
    """A state between two, of which what is no float has to be alike.

    Args:
      first_state, second_state: the structures.
      first_responsibility: how much the first one counts, floats [batch] from 0 to 1.
    """

    def between(first: Any, second: Any) -> Any:
        assert first.dtype == second.dtype
        if not first.dtype.is_floating:
            with ops.control_dependencies([check_ops.assert_equal(first, second)]):
                return array_ops.identity(first)
        known = array_ops.shape(first_responsibility)
        ones = array_ops.ones([array_ops.rank(first) - 1], dtype=dtypes.int32)
        share = array_ops.reshape(
            tensor=first_responsibility, shape=array_ops.concat([known, ones], 0)
        )
        of_first = share * first
        found = of_first + (1.0 - share) * second
        found.set_shape(first.get_shape())
        return found

    return nest.map_structure(between, first_state, second_state)


class StateInterpolatingAnomalyDetector(FilteringStepPostprocessor):
    """Takes values that an anomaly explains better as a reason to change the state less.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      anomaly_log_likelihood: the logarithm of an anomaly's density, of `(current_times,
        current_values, outputs)`.
      anomaly_prior_probability: how often there are anomalies.
      responsibility_scaling: how sharp the decision is.
    """

    output_names: Any = ["anomaly_score"]

    def __init__(
        self, anomaly_log_likelihood: Any = cauchy_alternative_to_gaussian,
        anomaly_prior_probability: float = 0.01, responsibility_scaling: float = 1.0,
    ):  # fmt: skip
        self._anomaly_log_likelihood = anomaly_log_likelihood
        self._responsibility_scaling = responsibility_scaling
        self._anomaly_prior_probability = anomaly_prior_probability

    def process_filtering_step(
        self, current_times: Any, current_values: Any, predicted_state: Any, filtered_state: Any,
        outputs: dict[str, Any],
    ) -> Any:  # fmt: skip
        """The state between that before and that after, and the anomaly's score.

        Args:
          current_times, current_values: as in FilteringStepPostprocessor.
          predicted_state, filtered_state, outputs: as in FilteringStepPostprocessor.

        Returns:
          (state, outputs).
        """
        likelihood = self._anomaly_log_likelihood(
            current_times=current_times, current_values=current_values, outputs=outputs
        )
        probability = ops.convert_to_tensor(
            self._anomaly_prior_probability, dtype=current_values.dtype
        )
        anomaly = likelihood + math_ops.log(probability)
        no_anomaly = outputs["log_likelihood"] + math_ops.log(1.0 - probability)
        odds = anomaly - no_anomaly
        of_model = math_ops.sigmoid(-self._responsibility_scaling * odds)
        state = _interpolate_state_linear(filtered_state, predicted_state, of_model)
        explained = of_model * no_anomaly
        outputs["loss"] = -(explained + (1.0 - of_model) * anomaly)
        outputs["anomaly_score"] = odds
        return state, outputs
