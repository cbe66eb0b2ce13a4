"""Ensembles of level, trend, cycles and averages
(`…timeseries.state_space_models.structural_ensemble`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.contrib.timeseries.state_space_models import (
    level_trend,
    periodic,
    state_space_model,
    varma,
)
from tf1compat.api.variables import variable_scope
from tf1compat.core import nest


def _of_features(scope: str, configuration: Any, make: Callable[[Any], Any]) -> Any:
    """One model a feature, in a variable scope."""
    univariate = configuration._replace(num_features=1)
    with variable_scope.variable_scope(scope):
        members = []
        for feature in range(configuration.num_features):
            with variable_scope.variable_scope(f"feature{feature}"):
                members.append(make(univariate))
        return state_space_model.StateSpaceCorrelatedFeaturesEnsemble(
            ensemble_members=members, configuration=configuration
        )


class _Structural(state_space_model.StateSpaceIndependentEnsemble):
    """Level and trend, averages, and cycles, each of which is made by a function."""

    def __init__(
        self, cycles: Sequence[Callable[[Any], Any]], moving_average_order: int,
        autoregressive_order: int, configuration: Any,
    ):  # fmt: skip
        # The ensemble has the noise of observations.
        of_parts = configuration._replace(use_observation_noise=False)
        members: list[Any] = [
            _of_features(
                "adder", of_parts, lambda c: level_trend.AdderStateSpaceModel(configuration=c)
            )
        ]
        with variable_scope.variable_scope("varma"):
            members.append(
                varma.VARMA(
                    autoregressive_order=autoregressive_order,
                    moving_average_order=moving_average_order,
                    configuration=of_parts,
                )
            )
        for number, cycle in enumerate(cycles):
            members.append(_of_features(f"cycle{number}", of_parts, cycle))
        super().__init__(ensemble_members=members, configuration=configuration)


class StructuralEnsemble(_Structural):
    """A level with a trend, cycles whose every time has a value, and an ARMA model.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      periodicities: the cycles' lengths, an int or a list.
      moving_average_order, autoregressive_order: of the VARMA.
      use_level_noise: not used.
      configuration: a StateSpaceModelConfiguration.
    """

    def __init__(
        self, periodicities: Any, moving_average_order: int, autoregressive_order: int,
        use_level_noise: bool = True,
        configuration: Any = state_space_model.StateSpaceModelConfiguration(),  # noqa: B008
    ):  # fmt: skip
        def cycle(length: Any) -> Callable[[Any], Any]:
            return lambda c: periodic.CycleStateSpaceModel(periodicity=length, configuration=c)

        cycles = [cycle(length) for length in nest.flatten(periodicities)]
        super().__init__(cycles, moving_average_order, autoregressive_order, configuration)


class MultiResolutionStructuralEnsemble(_Structural):
    """A level with a trend, cycles of fewer values than times, and an ARMA model.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      cycle_num_latent_values: how many values a cycle has: an odd int, or one for each.
      moving_average_order, autoregressive_order: of the VARMA.
      periodicities: the cycles' lengths: a number, a list, or None.
      use_level_noise: not used.
      configuration: a StateSpaceModelConfiguration.

    Raises:
      ValueError: there are not as many numbers of values as lengths.
    """

    def __init__(
        self, cycle_num_latent_values: Any, moving_average_order: int, autoregressive_order: int,
        periodicities: Any, use_level_noise: bool = True,
        configuration: Any = state_space_model.StateSpaceModelConfiguration(),  # noqa: B008
    ):  # fmt: skip
        lengths = nest.flatten([] if periodicities is None else periodicities)
        counts = nest.flatten(cycle_num_latent_values)
        if len(lengths) != len(counts):
            if len(counts) != 1:
                raise ValueError(
                    "`cycle_num_latent_values` must either be a list with the same size as "
                    f"`periodicity` or a scalar. Received length {len(counts)} "
                    "`cycle_num_latent_values`, while `periodicities` has length "
                    f"{len(lengths)}."
                )
            counts = counts * len(lengths)

        def cycle(length: Any, count: int) -> Callable[[Any], Any]:
            return lambda c: periodic.ResolutionCycleModel(
                num_latent_values=count, periodicity=length, configuration=c
            )

        cycles = [cycle(length, count) for length, count in zip(lengths, counts, strict=True)]
        super().__init__(cycles, moving_average_order, autoregressive_order, configuration)
