"""`tensorflow.python.keras.keras_parameterized`: tests that run for every mode or kind of model."""

from __future__ import annotations

import contextlib
import functools
import itertools
import unittest
from collections.abc import Callable, Iterable
from typing import Any

from absl.testing import parameterized

from tf1compat.api.framework import test_util
from tf1compat.api.keras import backend, testing_utils
from tf1compat.core import context, nest, tf2

_MODEL_TYPES = ("functional", "subclass", "sequential")


class TestCase(test_util.TensorFlowTestCase, parameterized.TestCase):
    """A test case that clears Keras's state after every test."""

    __test__ = False  # For pytest, where it is imported; those derived from it are tests.

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__test__ = True

    def tearDown(self) -> None:
        backend.clear_session()
        super().tearDown()


def run_with_all_model_types(test_or_class: Any = None, exclude_models: Any = None) -> Any:
    """A decorator: a test runs for functional, subclassed and sequential models.

    Args:
      test_or_class: a test, or a class of tests; None to get the decorator.
      exclude_models: the kinds ("functional", "subclass", "sequential") to leave out.
    """
    excluded = nest.flatten(exclude_models)
    chosen = [(f"_{kind}", kind) for kind in _MODEL_TYPES if kind not in excluded]

    def of_method(method: Callable[..., Any]) -> Any:
        @parameterized.named_parameters(*chosen)
        @functools.wraps(method)
        def decorated(self: Any, model_type: str, *args: Any, **kwargs: Any) -> None:
            with testing_utils.model_type_scope(model_type):
                method(self, *args, **kwargs)

        return decorated

    return _applied(of_method, test_or_class)


def run_all_keras_modes(
    test_or_class: Any = None,
    config: Any = None,
    always_skip_v1: bool = False,
    always_skip_eager: bool = False,
) -> Any:
    """A decorator: a test runs in a graph's session, eagerly and with graph functions.

    Args:
      test_or_class: a test, or a class of tests; None to get the decorator.
      config: the session's ConfigProto.
      always_skip_v1: whether to leave out the session.
      always_skip_eager: whether to leave out models that run eagerly.
    """
    modes = ["v2_function", "v2_funcgraph"]
    if not always_skip_eager:
        modes.append("v2_eager")
    if not (always_skip_v1 or tf2.enabled()):
        modes.append("v1_session")

    def of_method(method: Callable[..., Any]) -> Any:
        @parameterized.named_parameters(*[(f"_{mode}", mode) for mode in modes])
        @functools.wraps(method)
        def decorated(self: Any, run_mode: str, *args: Any, **kwargs: Any) -> None:
            with contextlib.ExitStack() as stack:
                for manager in _surroundings(self, run_mode, config):
                    stack.enter_context(manager())
                method(self, *args, **kwargs)

        return decorated

    return _applied(of_method, test_or_class)


def _surroundings(test: Any, mode: str, config: Any) -> Iterable[Callable[[], Any]]:
    eagerly, as_function = mode == "v2_eager", mode in ("v2_eager", "v2_function")
    yield lambda: context.mode(mode != "v1_session")
    yield lambda: testing_utils.run_eagerly_scope(eagerly)
    yield lambda: testing_utils.experimental_run_tf_function_scope(as_function)
    if mode == "v1_session":
        yield lambda: test.test_session(use_gpu=True, config=config)


def _applied(of_method: Callable[[Any], Any], test_or_class: Any) -> Any:
    """A decorator of methods applied to a test, a class, or the tests another one has made."""

    def decorate(target: Any) -> Any:
        if isinstance(target, type):
            return _decorated_class(of_method, target)
        if isinstance(target, Iterable):
            return itertools.chain.from_iterable(of_method(method) for method in target)
        return of_method(target)

    return decorate if test_or_class is None else decorate(test_or_class)


def _decorated_class(of_method: Callable[[Any], Any], cls: Any) -> Any:
    members = dict(vars(cls))
    for name, member in members.items():
        if callable(member) and name.startswith(unittest.TestLoader.testMethodPrefix):
            members[name] = of_method(member)
    for name in ("__dict__", "__weakref__"):
        members.pop(name, None)
    # absl takes the cases apart when a class is made.
    return type(cls)(cls.__name__, cls.__bases__, members)
