"""Combinations of arguments for tests, where `mode` and `tf_api_version` are understood."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tf1compat.api.framework import test_combinations
from tf1compat.core import context, tf2
from tf1compat.core.graph import Graph


class EagerGraphCombination(test_combinations.TestCombination):
    """The argument `mode`, "graph" (the default) or "eager", says how a test runs."""

    def context_managers(self, kwargs: dict[str, Any]) -> Sequence[Any]:
        mode = kwargs.pop("mode", "graph")
        if mode == "eager":
            return [context.mode(True)]
        if mode == "graph":
            return [Graph().as_default(), context.mode(False)]
        raise ValueError(f"'mode' has to be either 'eager' or 'graph' and not {mode}")

    def parameter_modifiers(self) -> Sequence[test_combinations.ParameterModifier]:
        return [test_combinations.OptionalParameter("mode")]


class TFVersionCombination(test_combinations.TestCombination):
    """The argument `tf_api_version`, 1 or 2, says when a test runs at all."""

    def should_execute_combination(self, kwargs: dict[str, Any]) -> tuple[bool, str | None]:
        version = kwargs.pop("tf_api_version", None)
        if version == 1 and tf2.enabled():
            return False, "Skipping a TF1.x test when TF2 is enabled."
        if version == 2 and not tf2.enabled():
            return False, "Skipping a TF2 test when TF2 is not enabled."
        return True, None

    def parameter_modifiers(self) -> Sequence[test_combinations.ParameterModifier]:
        return [test_combinations.OptionalParameter("tf_api_version")]


generate = functools.partial(
    test_combinations.generate,
    test_combinations=(EagerGraphCombination(), TFVersionCombination()),
)
combine = test_combinations.combine
times = test_combinations.times
NamedObject = test_combinations.NamedObject
