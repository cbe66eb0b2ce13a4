"""`tensorflow.python.distribute.combinations`: tests with several strategies."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tf1compat.api.eager import context
from tf1compat.api.framework import combinations as framework_combinations
from tf1compat.api.framework import test_combinations
from tf1compat.core.attribute import attribute


class NamedDistribution:
    """A `tf.distribute.Strategy` with a name for the titles of tests.

    Args:
      name: the name.
      distribution_fn: makes the strategy.
      required_gpus: how many GPUs it needs, or None.
      required_tpu: whether it needs TPUs.
    """

    def __init__(
        self,
        name: str,
        distribution_fn: Callable[[], Any],
        required_gpus: int | None = None,
        required_tpu: bool = False,
    ):
        self._name = name
        self._distribution_fn = distribution_fn
        self._required_gpus = required_gpus
        self._required_tpu = required_tpu

    @property
    def strategy(self) -> Any:
        """A new strategy."""
        return self._distribution_fn()

    required_gpus: int | None = attribute("_required_gpus", "How many GPUs it needs, or None.")
    required_tpu: bool = attribute("_required_tpu", "Whether it needs TPUs.")

    def __repr__(self) -> str:
        return self._name


def _distributions(values: Iterable[Any]) -> list[NamedDistribution]:
    return [value for value in values if isinstance(value, NamedDistribution)]


def _needed(asked: Any, said: str, of_distributions: Iterable[Any]) -> int:
    """How many devices a test needs, by an argument of its own or by its strategies."""
    found = list(of_distributions)
    if found and asked:
        raise ValueError(f"Do not use `{said}` and arguments of type NamedDistribution together.")
    return max(asked or 0, *(count or 0 for count in found), 0)


class DistributionParameter(test_combinations.ParameterModifier):
    """Gives tests the strategies themselves."""

    def modified_arguments(
        self, kwargs: dict[str, Any], requested_parameters: Sequence[str]
    ) -> dict[str, Any]:
        """The arguments that are strategies, made.

        Args:
          kwargs: the arguments.
          requested_parameters: unused.
        """
        return {k: v.strategy for k, v in kwargs.items() if isinstance(v, NamedDistribution)}


class NamedGPUCombination(test_combinations.TestCombination):
    """Leaves tests out for which there are too few GPUs, by their parameter `required_gpus` or by
    their strategies.

    Attributes:
      GPU_TEST: whether only tests that need GPUs are run, as the program's name says.
    """

    GPU_TEST = "test_gpu" in sys.argv[0]

    def should_execute_combination(self, kwargs: dict[str, Any]) -> tuple[bool, str | None]:
        """Whether a test is run, and why not.

        Args:
          kwargs: its arguments.

        Raises:
          ValueError: both ways say how many GPUs it needs.
        """
        counts = (d.required_gpus for d in _distributions(kwargs.values()))
        count = _needed(kwargs.get("required_gpus"), "required_gpus", counts)
        if not count and GPUCombination.GPU_TEST:
            return False, "Test that doesn't require GPUs."
        if context.num_gpus() < count:
            there = context.num_gpus()
            return False, f"Only {there} of {count} required GPUs are available."
        return True, None

    def parameter_modifiers(self) -> list[test_combinations.ParameterModifier]:
        """Parameters that tests need not have."""
        return [test_combinations.OptionalParameter("required_gpus")]


class GPUCombination(NamedGPUCombination):
    """The same, which gives tests the strategies themselves."""

    def parameter_modifiers(self) -> list[test_combinations.ParameterModifier]:
        """Parameters that tests need not have, and those that are strategies."""
        return [DistributionParameter(), *super().parameter_modifiers()]


class NamedTPUCombination(test_combinations.TestCombination):
    """Leaves tests out that need TPUs, by their parameter `required_tpus` or by their strategies.

    Attributes:
      TPU_TEST: whether only tests that need TPUs are run, as the program's name says.
    """

    TPU_TEST = "test_tpu" in sys.argv[0]

    def should_execute_combination(self, kwargs: dict[str, Any]) -> tuple[bool, str | None]:
        """Whether a test is run, and why not.

        Args:
          kwargs: its arguments.

        Raises:
          ValueError: it is said in two ways whether it needs TPUs.
        """
        if "required_tpus" in kwargs and "required_tpu" in kwargs:
            raise ValueError(
                "Do not use `required_tpu`.  Both `required_tpus` and `required_tpu` were "
                "specified."
            )
        asked = kwargs.get("required_tpus") or kwargs.get("required_tpu")
        counts = (d.required_tpu for d in _distributions(kwargs.values()))
        count = _needed(asked, "required_tpus", counts)
        if not count and TPUCombination.TPU_TEST:
            return False, "Test that doesn't require TPUs."
        if count and not TPUCombination.TPU_TEST:
            return False, "Test requires a TPU, but it's not available."
        return True, None

    def parameter_modifiers(self) -> list[test_combinations.ParameterModifier]:
        """Parameters that tests need not have."""
        return [
            test_combinations.OptionalParameter("required_tpus"),
            test_combinations.OptionalParameter("required_tpu"),
        ]


class TPUCombination(NamedTPUCombination):
    """The same, which gives tests the strategies themselves."""

    def parameter_modifiers(self) -> list[test_combinations.ParameterModifier]:
        """Parameters that tests need not have, and those that are strategies."""
        return [DistributionParameter(), *super().parameter_modifiers()]


generate = functools.partial(
    framework_combinations.generate,
    test_combinations=(
        *framework_combinations.generate.keywords["test_combinations"],
        GPUCombination(),
        TPUCombination(),
    ),
)
combine = test_combinations.combine
times = test_combinations.times
NamedObject = test_combinations.NamedObject
