"""Functions and arguments that TF 1.15 calls deprecated: they say so, once each, in TF's words."""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from tf1compat.api import SUBJECTS
from tf1compat.api.platform import tf_logging
from tf1compat.api.util.decorator_utils import (
    add_notice_to_docstring,
    get_qualified_name,
    validate_callable,
)
from tf1compat.core import api_names
from tf1compat.core.tf_decorator import make_decorator

F = TypeVar("F", bound=Callable[..., Any])

# Scripts set `tensorflow.python.util.deprecation._PRINT_DEPRECATION_WARNINGS` to False.
_PRINT_DEPRECATION_WARNINGS = True
# What was said already: a function, or (a function, one of its arguments).
_PRINTED_WARNING: dict[Any, bool] = {}


class DeprecatedNamesAlreadySet(Exception):
    """A symbol's deprecated names are noted twice."""


class DeprecatedArgSpec(NamedTuple):
    """A deprecated argument: where it is, and the value that it may have."""

    position: int
    has_ok_value: bool
    ok_value: Any


class HiddenTfApiAttribute(property):
    """An attribute that a class has not, whatever its bases have.

    Args:
      deprecation_message: what the AttributeError says.
    """

    def __init__(self, deprecation_message: str):
        def refuse(unused_self: Any) -> Any:
            raise AttributeError(deprecation_message)

        super().__init__(refuse)


hide_attribute_from_api = HiddenTfApiAttribute
HIDDEN_ATTRIBUTE = HiddenTfApiAttribute("This attribute has been deprecated.")


def renamed(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """The value of an argument that may be given under its old name.

    Raises:
      ValueError: it is given under both.
    """
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old_value


deprecated_argument_lookup = renamed


def rewrite_argument_docstring(old_doc: str, old_argument: str, new_argument: str) -> str:
    """A docstring with an argument's name replaced, where it is quoted and where it is listed."""
    quoted = old_doc.replace(f"`{old_argument}`", f"`{new_argument}`")
    return quoted.replace(f"{old_argument}:", f"{new_argument}:")


def deprecated_endpoints(*args: str) -> Callable[[Any], Any]:
    """Decorator that notes which of a symbol's public names are deprecated.

    Args:
      *args: dotted names without "tf.".

    Raises:
      DeprecatedNamesAlreadySet: at a symbol that has such a note already.
    """

    def noted(func: Any) -> Any:
        if "_tf_deprecated_api_names" in func.__dict__:
            raise DeprecatedNamesAlreadySet(
                f"Cannot set deprecated names for {func.__name__} to {args}. "
                f"Deprecated names are already set to {func._tf_deprecated_api_names}."
            )
        func._tf_deprecated_api_names = args
        return func

    return noted


def deprecated_alias(
    deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True
) -> Any:
    """A function or class under an old name: the first use of it logs the new one.

    Args:
      deprecated_name, name: the old name and the new one, as they are logged.
      func_or_class: what has the new name.
      warn_once: False to log each use.

    Returns:
      A function, or a subclass.
    """

    def say() -> None:
        if _PRINT_DEPRECATION_WARNINGS and not (warn_once and func in _PRINTED_WARNING):
            if warn_once:
                _PRINTED_WARNING[func] = True
            tf_logging.warning(
                "From %s: The name %s is deprecated. Please use %s instead.\n",
                _call_location(1),
                deprecated_name,
                name,
            )

    if isinstance(func_or_class, type):
        func: Any = func_or_class.__init__

        class _NewClass(func_or_class):
            __doc__ = add_notice_to_docstring(
                func_or_class.__doc__,
                f"Please use {name} instead.",
                "DEPRECATED CLASS",
                "(deprecated)",
                ["THIS CLASS IS DEPRECATED. It will be removed in a future version. "],
            )
            __name__ = func_or_class.__name__
            __module__ = _call_location()

            def __init__(self, *args: Any, **kwargs: Any):
                say()
                super().__init__(*args, **kwargs)

        return _NewClass
    validate_callable(func_or_class, "deprecated")
    func = func_or_class

    def call(*args: Any, **kwargs: Any) -> Any:
        say()
        return func(*args, **kwargs)

    doc = _add_deprecated_function_notice_to_docstring(
        func.__doc__, None, f"Please use {name} instead."
    )
    return _decorated(func, call, "deprecated", doc)


def deprecated(
    date: str | None, instructions: str, warn_once: bool = True, *, module: str | None = None
) -> Callable[[F], F]:
    """Decorator: the first call of the function logs that it is deprecated.

    Args:
      date: when TF meant to remove it (YYYY-MM-DD); None for "a future version".
      instructions: what to use instead.
      warn_once: False to log each call.
      module: TF's module that defines the function, where it is not named as ours is.

    Returns:
      The decorator.

    Raises:
      ValueError: the date is otherwise, or there are no instructions.
    """
    _validate_deprecation_args(date, instructions)

    def decorate(function: F) -> F:
        validate_callable(function, "deprecated")

        def call(*args: Any, **kwargs: Any) -> Any:
            if _PRINT_DEPRECATION_WARNINGS and function not in _PRINTED_WARNING:
                if warn_once:
                    _PRINTED_WARNING[function] = True
                tf_logging.warning(
                    "From %s: %s (from %s) is deprecated and will be removed %s.\n"
                    "Instructions for updating:\n%s",
                    _call_location(),
                    get_qualified_name(function),
                    module or _tf_module(function.__module__),
                    _when(date),
                    instructions,
                )
            return function(*args, **kwargs)

        doc = _add_deprecated_function_notice_to_docstring(function.__doc__, date, instructions)
        return _decorated(function, call, "deprecated", doc)

    return decorate


def deprecated_args(
    date: str | None,
    instructions: str,
    *names: str | tuple[str, Any],
    warn_once: bool = True,
    module: str | None = None,
) -> Callable[[F], F]:
    """Decorator: the first call that passes one of the arguments `names` logs that it is
    deprecated.

    Args:
      date, instructions, warn_once, module: as in `deprecated`.
      *names: the arguments; (name, value) for one that may have that value. The name of `*args` or
        `**kwargs` stands for any of those.

    Returns:
      The decorator.

    Raises:
      ValueError: the function has no such argument, or as `deprecated`.
    """
    _validate_deprecation_args(date, instructions)
    if not names:
        raise ValueError("Specify which argument is deprecated.")
    allowed = {name[0]: name[1] for name in names if isinstance(name, tuple)}
    listed = [name[0] if isinstance(name, tuple) else name for name in names]

    def decorate(function: F) -> F:
        validate_callable(function, "deprecated_args")
        parameters = list(inspect.signature(function).parameters.values())
        rest = next((p.name for p in parameters if p.kind == p.VAR_POSITIONAL), None)
        keywords = next((p.name for p in parameters if p.kind == p.VAR_KEYWORD), None)
        named = [p.name for p in parameters if p.kind == p.POSITIONAL_OR_KEYWORD]
        missing = [name for name in listed if name not in (*named, rest, keywords)]
        if missing:
            raise ValueError(
                "The following deprecated arguments are not present in the function signature: "
                f"{missing}. Found next arguments: {[*named, rest, keywords]}."
            )
        count = len(named)
        positions = {name: named.index(name) for name in listed if name in named}
        said: set[str] = set()

        # TF names `**kwargs` first and `*args` last.
        ordered = sorted(listed, key=lambda name: (name != keywords, name == rest))

        def passed(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
            if name == rest:
                return len(args) > count
            if name == keywords:
                return bool(kwargs)
            if name in kwargs:
                value = kwargs[name]
            elif name in positions and positions[name] < len(args):
                value = args[positions[name]]
            else:
                return False
            return not (name in allowed and _same(value, allowed[name]))

        def call(*args: Any, **kwargs: Any) -> Any:
            if _PRINT_DEPRECATION_WARNINGS and len(said) < len(ordered):
                for name in ordered:
                    if name not in said and passed(name, args, kwargs):
                        if warn_once:
                            said.add(name)
                            _PRINTED_WARNING[function, name] = True
                        tf_logging.warning(
                            "From %s: calling %s (from %s) with %s is deprecated and will be "
                            "removed %s.\nInstructions for updating:\n%s",
                            _call_location(),
                            get_qualified_name(function),
                            module or _tf_module(function.__module__),
                            name,
                            _when(date),
                            instructions,
                        )
            return function(*args, **kwargs)

        doc = _add_deprecated_arg_notice_to_docstring(
            function.__doc__, date, instructions, sorted(listed)
        )
        return _decorated(function, call, "deprecated", doc)

    return decorate


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **values: Any
) -> Callable[[F], F]:
    """Decorator: the first call that passes, or leaves, one of the arguments at a deprecated value
    logs that.

    Args:
      date, instructions: as in `deprecated`.
      warn_once: False to log each such call.
      **values: the deprecated value of each argument.

    Returns:
      The decorator.

    Raises:
      ValueError: no argument is named, or as `deprecated`.
    """
    _validate_deprecation_args(date, instructions)
    if not values:
        raise ValueError("Specify which argument values are deprecated.")

    def decorate(function: F) -> F:
        validate_callable(function, "deprecated_arg_values")
        signature = inspect.signature(function)
        pending = set(values)

        def call(*args: Any, **kwargs: Any) -> Any:
            if _PRINT_DEPRECATION_WARNINGS and pending:
                given = signature.bind(*args, **kwargs)
                given.apply_defaults()
                for name in [name for name in values if name in pending]:
                    if given.arguments.get(name, function) == values[name]:
                        if warn_once:
                            pending.remove(name)
                            _PRINTED_WARNING[function, name] = True
                        tf_logging.warning(
                            "From %s: calling %s (from %s) with %s=%s is deprecated and will be "
                            "removed %s.\nInstructions for updating:\n%s",
                            _call_location(),
                            get_qualified_name(function),
                            _tf_module(function.__module__),
                            name,
                            values[name],
                            _when(date),
                            instructions,
                        )
            return function(*args, **kwargs)

        doc = _add_deprecated_arg_value_notice_to_docstring(
            function.__doc__, date, instructions, values
        )
        return _decorated(function, call, "deprecated", doc)

    return decorate


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """No function says that it is deprecated in the `with` block."""
    global _PRINT_DEPRECATION_WARNINGS
    before, _PRINT_DEPRECATION_WARNINGS = _PRINT_DEPRECATION_WARNINGS, False
    try:
        yield
    finally:
        _PRINT_DEPRECATION_WARNINGS = before


def _decorated(function: Any, call: Callable[..., Any], decorator: str, doc: str) -> Any:
    make_decorator(function, call, decorator)
    call.__doc__ = doc
    return call


def _validate_deprecation_args(date: str | None, instructions: str) -> None:
    if date is not None and not re.match(r"20\d\d-[01]\d-[0123]\d", date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")


def _add_deprecated_function_notice_to_docstring(
    doc: str | None, date: str | None, instructions: str
) -> str:
    notice = f"THIS FUNCTION IS DEPRECATED. It will be removed {_when(date)}."
    return _with_notice(doc, instructions, "FUNCTION", "", notice)


def _add_deprecated_arg_notice_to_docstring(
    doc: str | None, date: str | None, instructions: str, deprecated_names: list[str]
) -> str:
    names = ", ".join(deprecated_names)
    notice = f"SOME ARGUMENTS ARE DEPRECATED: `({names})`. They will be removed {_when(date)}."
    return _with_notice(doc, instructions, "FUNCTION ARGUMENTS", " arguments", notice)


def _add_deprecated_arg_value_notice_to_docstring(
    doc: str | None,
    date: str | None,
    instructions: str,
    deprecated_name_value_dict: dict[str, Any],
) -> str:
    values = ", ".join(f"{k}={v!r}" for k, v in sorted(deprecated_name_value_dict.items()))
    notice = (
        f"SOME ARGUMENT VALUES ARE DEPRECATED: `({values})`. They will be removed {_when(date)}."
    )
    return _with_notice(doc, instructions, "FUNCTION ARGUMENT VALUES", " argument values", notice)


def _with_notice(doc: str | None, instructions: str, what: str, kind: str, notice: str) -> str:
    return add_notice_to_docstring(
        doc,
        instructions,
        f"DEPRECATED {what}",
        f"(deprecated{kind})",
        [notice, "Instructions for updating:"],
    )


def _call_location(depth: int = 0) -> str:
    """ "file:line" of the call of the function that calls this, or of one further out."""
    frame: Any = sys._getframe(1)
    for _ in range(1 + depth):
        frame = frame.f_back or frame  # C may have called the outermost of them.
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _same(value: Any, other: Any) -> bool:
    if value is other:
        return True
    same = value == other
    return same if isinstance(same, bool) else False


def _when(date: str | None) -> str:
    return "in a future version" if date is None else f"after {date}"


# Our files that are parts of one of TF's, whose decorators take no argument `module`.
_PARTS = {"nn_convolution": "nn_ops"}


@functools.cache
def _tf_module(ours: str | None) -> str | None:
    """TF's name of a module of the api stage, e.g. `tensorflow.python.ops.state_ops`."""
    if ours is None or not ours.startswith("tf1compat.api."):
        return ours
    *folders, name = ours.split(".")[2:]
    name = _PARTS.get(name, name)
    there = api_names.modules()
    if folders[:1] == ["contrib"]:
        root, end = f"tensorflow.contrib.{(*folders[1:], name)[0]}.", ".".join((*folders[2:], name))
        if folders[1:2] == ["estimator"]:
            return f"tensorflow_estimator.contrib.estimator.python.estimator.{end}"
        found = [m for m in there if m.startswith(root) and m.endswith(f".{end}")]
        return found[0] if found else f"{root}{end}"
    if folders[:1] == ["estimator"]:
        return ".".join(("tensorflow_estimator.python", *folders, name))
    if not folders or folders[0] not in SUBJECTS:
        place = ".".join((*folders, name))
        if f"tensorflow.python.{place}" in there or f"tensorflow.python.ops.{place}" not in there:
            return f"tensorflow.python.{place}"
        return f"tensorflow.python.ops.{place}"
    if folders == ["framework"] and f"tensorflow.python.framework.{name}" in there:
        return f"tensorflow.python.framework.{name}"
    named = [module for module in there if module.endswith(f".python.ops.{name}")]
    place = "ops" if named else ".".join(folders)
    return f"tensorflow.python.{place}.{name}"
