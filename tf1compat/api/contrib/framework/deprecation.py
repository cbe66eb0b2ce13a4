"""`tf.contrib.framework.deprecated` and the like: decorators for functions of one's own, which also
check what they are given."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from tf1compat.api.util import deprecation
from tf1compat.core.export import tf_export


def _check(date: Any, instructions: Any) -> None:
    if date is not None and not re.match(r"20\d\d-[01]\d-[0123]\d", date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")


@tf_export("contrib.framework.deprecated")
def deprecated(date: Any, instructions: Any, warn_once: bool = True) -> Callable[..., Any]:
    """Decorator: a call of the function logs that it is deprecated.

    Args:
      date: when it will be removed (YYYY-MM-DD); None for "a future version".
      instructions: what to use instead.
      warn_once: whether only the first call logs.

    Returns:
      The decorator.

    Raises:
      ValueError: the date is none, or there are no instructions.
    """
    _check(date, instructions)
    return deprecation.deprecated(date, instructions, warn_once)


@tf_export("contrib.framework.deprecated_args")
def deprecated_args(
    date: Any, instructions: Any, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> Callable[..., Any]:
    """Decorator: a call that gives some arguments logs that they are deprecated.

    Args:
      date, instructions: as of `deprecated`.
      *deprecated_arg_names_or_tuples: their names; or (name, value): giving the value is allowed.
      **kwargs: `warn_once`.

    Returns:
      The decorator.

    Raises:
      ValueError: as of `deprecated`, or the function has no such argument.
    """
    _check(date, instructions)
    names = deprecated_arg_names_or_tuples
    if not names:
        raise ValueError("Specify which argument is deprecated.")

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        spec = inspect.getfullargspec(function)
        known = [*spec.args, spec.varargs, spec.varkw]
        wanted = [name[0] if isinstance(name, tuple) else name for name in names]
        missing = [name for name in wanted if name not in known + spec.kwonlyargs]
        if missing:
            raise ValueError(
                "The following deprecated arguments are not present in the function signature: "
                f"{missing}. Found next arguments: {known}."
            )
        warn_once = kwargs.get("warn_once", True)
        return deprecation.deprecated_args(date, instructions, *names, warn_once=warn_once)(
            function
        )

    return decorate


@tf_export("contrib.framework.deprecated_arg_values")
def deprecated_arg_values(
    date: Any, instructions: Any, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[..., Any]:
    """Decorator: a call in which arguments have some values logs that these are deprecated.

    Args:
      date, instructions, warn_once: as of `deprecated`.
      **deprecated_kwargs: the values.

    Returns:
      The decorator.

    Raises:
      ValueError: as of `deprecated`, or there are no values.
    """
    _check(date, instructions)
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")
    return deprecation.deprecated_arg_values(date, instructions, warn_once, **deprecated_kwargs)
