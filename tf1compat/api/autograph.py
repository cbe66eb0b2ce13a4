"""`tf.autograph`: what can be said to AutoGraph, which converts nothing here.

In TF 1.15 a function is converted when `tf.function` or `to_graph` is asked to. What only tells the
converter something is taken and has no effect.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from tf1compat.core.export import tf_export

UNSPECIFIED = object()
_NOT_SUPPORTED = "tf.autograph.{} is not supported by tf1compat yet"


@tf_export("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Conversions that can be asked for one by one."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All of them, as a tuple."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """All of them but one or some."""
        excluded = exclude if isinstance(exclude, list | tuple | set) else (exclude,)
        return tuple(set(cls.all()) - {*excluded, cls.ALL})


@tf_export("autograph.experimental.do_not_convert")
def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Decorator: the function is not to be converted. None is, so it is returned as it is."""
    return do_not_convert if func is None else func


@tf_export("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations: Any = UNSPECIFIED,
    back_prop: Any = UNSPECIFIED,
    swap_memory: Any = UNSPECIFIED,
    maximum_iterations: Any = UNSPECIFIED,
) -> None:
    """Options of the loop that it is called in: without effect in one that is not converted."""


@tf_export("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """How much the converter is to log: it does not run, and logs nothing."""


@tf_export("autograph.trace")
def trace(*args: Any) -> None:
    """Prints its arguments, while the graph is recorded."""
    print(*args)


@tf_export("autograph.to_graph")
def to_graph(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Any:
    """Not supported: the conversion of a Python function.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError(_NOT_SUPPORTED.format("to_graph"))


@tf_export("autograph.to_code")
def to_code(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    indentation: str = "  ",
    experimental_optional_features: Any = None,
) -> str:
    """Not supported: the source of a converted Python function.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError(_NOT_SUPPORTED.format("to_code"))
