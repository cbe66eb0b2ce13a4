"""Running a test with all combinations of arguments, as TF 1.15's own tests do."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import re
import types
import unittest
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any


class TestCombination:
    """What a kind of argument means for the tests that `generate` makes."""

    __test__ = False  # For pytest: no test case.

    def should_execute_combination(self, kwargs: dict[str, Any]) -> tuple[bool, str | None]:
        """Whether a test is run with these arguments, and if not, why."""
        del kwargs
        return True, None

    def parameter_modifiers(self) -> Sequence[ParameterModifier]:
        """What changes the arguments before the test gets them."""
        return []

    def context_managers(self, kwargs: dict[str, Any]) -> Sequence[Any]:
        """What the test runs in."""
        del kwargs
        return []


class ParameterModifier:
    """Changes the arguments of a test; those of one class and parameter are equal.

    Args:
      parameter_name: the parameter that it is for; None for more than one.
    """

    DO_NOT_PASS_TO_THE_TEST = object()

    def __init__(self, parameter_name: str | None = None):
        self._parameter_name = parameter_name

    def modified_arguments(
        self, kwargs: dict[str, Any], requested_parameters: Sequence[str]
    ) -> dict[str, Any]:
        """The arguments to replace; DO_NOT_PASS_TO_THE_TEST takes one away."""
        del kwargs, requested_parameters
        return {}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), self._parameter_name))


class OptionalParameter(ParameterModifier):
    """A parameter that a test may leave out."""

    def modified_arguments(
        self, kwargs: dict[str, Any], requested_parameters: Sequence[str]
    ) -> dict[str, Any]:
        if self._parameter_name in requested_parameters:
            return {}
        return {str(self._parameter_name): self.DO_NOT_PASS_TO_THE_TEST}


def combine(**kwargs: Any) -> list[OrderedDict[str, Any]]:
    """All combinations of arguments, each a list of values or a single one."""
    names = sorted(kwargs)
    values = [v if isinstance(v, list) else [v] for v in (kwargs[name] for name in names)]
    return [OrderedDict(zip(names, chosen)) for chosen in itertools.product(*values)]


def times(*combined: list[OrderedDict[str, Any]]) -> list[OrderedDict[str, Any]]:
    """The product of several lists of combinations.

    Raises:
      ValueError: two of them have a name in common.
    """
    assert combined
    product = combined[-1]
    for first in reversed(combined[:-1]):
        for a, b in itertools.product(first, product):
            if a.keys() & b.keys():
                raise ValueError(f"Keys need to not overlap: {a.keys()} vs {b.keys()}")
        product = [OrderedDict([*a.items(), *b.items()]) for a in first for b in product]
    return product


class NamedObject:
    """An object with a name that does for a test's.

    Args:
      name: the name.
      obj: the object.
    """

    def __init__(self, name: str, obj: Any):
        self._name = name
        self._obj = obj

    def __getattr__(self, name: str) -> Any:
        return getattr(self._obj, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._obj(*args, **kwargs)

    def __repr__(self) -> str:
        return self._name


def _test_name(combination: OrderedDict[str, Any]) -> str:
    def letters(text: str) -> str:
        return "".join(filter(str.isalnum, text))

    parts = []
    for index, (key, value) in enumerate(combination.items()):
        text = re.sub("0[xX][0-9a-fA-F]+", str(index), str(value))  # Addresses are no names.
        parts.append(f"_{letters(key)}_{letters(text)}")
    return "_test" + "".join(parts)


def generate(
    combinations: Iterable[OrderedDict[str, Any]],
    test_combinations: Sequence[TestCombination] = (),
) -> Callable[[Any], Any]:
    """A decorator that makes a test of a method, or of each in a class, for every combination.

    Args:
      combinations: made by `combine` and `times`.
      test_combinations: what certain arguments mean.

    Returns:
      The decorator. The tests that it makes raise ValueError when their parameters are others.
    """
    named = []
    for combination in combinations:
        assert isinstance(combination, OrderedDict)
        named.append(
            OrderedDict([*combination.items(), ("testcase_name", _test_name(combination))])
        )

    def of_method(method: Callable[..., Any]) -> Any:
        from absl.testing import parameterized

        return parameterized.named_parameters(*named)(_run_in(method, test_combinations))

    def decorator(test_method_or_class: Any) -> Any:
        if not isinstance(test_method_or_class, type):
            return of_method(test_method_or_class)
        members = dict(vars(test_method_or_class))
        for name, member in members.items():
            is_test = name.startswith(unittest.TestLoader.testMethodPrefix)
            if is_test and isinstance(member, types.FunctionType):
                members[name] = of_method(member)
        for name in ("__dict__", "__weakref__", "_test_method_ids", "_test_params_reprs"):
            members.pop(name, None)
        # absl takes the cases apart when a class is made.
        metaclass: Any = type(test_method_or_class)
        return metaclass(test_method_or_class.__name__, test_method_or_class.__bases__, members)

    return decorator


def _run_in(
    test_method: Callable[..., Any], test_combinations: Sequence[TestCombination]
) -> Callable[..., None]:
    requested = inspect.getfullargspec(test_method).args

    def decorated(self: Any, **kwargs: Any) -> None:
        found = [c.should_execute_combination(dict(kwargs)) for c in test_combinations]
        reasons = [f" - {reason}" for runs, reason in found if not runs]
        if reasons:
            self.skipTest("\n".join(reasons))
        with contextlib.ExitStack() as stack:
            for combination in test_combinations:
                for manager in combination.context_managers(dict(kwargs)):
                    stack.enter_context(manager)
            test_method(self, **_arguments(kwargs, requested, test_combinations))

    decorated.__name__ = test_method.__name__
    decorated.__doc__ = test_method.__doc__
    return decorated


def _arguments(
    given: dict[str, Any], requested: Sequence[str], test_combinations: Sequence[TestCombination]
) -> dict[str, Any]:
    """What is passed to a test, after all changes."""
    arguments = dict(given)
    for modifier in {m for c in test_combinations for m in c.parameter_modifiers()}:
        for name, value in modifier.modified_arguments(dict(given), requested).items():
            if value is ParameterModifier.DO_NOT_PASS_TO_THE_TEST:
                arguments.pop(name, None)
            else:
                arguments[name] = value
    wanted = set(requested) - {"self"}
    if omitted := wanted - arguments.keys():
        raise ValueError(
            f"The test requires parameters whose arguments were not passed: {omitted} ."
        )
    if unknown := arguments.keys() - wanted:
        raise ValueError(f"The test does not take parameters that were passed : {unknown} .")
    return arguments
