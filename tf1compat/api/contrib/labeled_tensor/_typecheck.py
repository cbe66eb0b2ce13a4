"""Checks of arguments' and results' types when functions are called
(`tensorflow.contrib.labeled_tensor.python.ops._typecheck`)."""

from __future__ import annotations

import collections.abc
import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.util import tf_inspect

_TYPE_ABBREVIATIONS: dict[Any, str] = {}


class Type:
    """A type made of others, for which `isinstance` works.

    Args:
      *types: the others: classes, such types, or names of the function's module.
    """

    def __init__(self, *types: Any):
        self._types: Any = types

    def __repr__(self) -> str:
        return f"typecheck.{type(self).__name__}({', '.join(map(repr, self._types))})"


class _SingleArgumentType(Type):
    def __init__(self, tpe: Any):
        super().__init__(tpe)

    def _are_all(self, instance: Iterable[Any]) -> bool:
        return all(isinstance(x, self._types[0]) for x in instance)


class _TwoArgumentType(Type):
    def __init__(self, first_type: Any, second_type: Any):
        super().__init__(first_type, second_type)


class Union(Type):
    """What is of one of the types."""

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, self._types)


class Optional(_SingleArgumentType):
    """What is of the type, or None."""

    def __instancecheck__(self, instance: Any) -> bool:
        return instance is None or isinstance(instance, self._types[0])


class List(_SingleArgumentType):
    """A list of what is of the type."""

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, list) and self._are_all(instance)


class Sequence(_SingleArgumentType):
    """A sequence of what is of the type."""

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, collections.abc.Sequence) and self._are_all(instance)


class Collection(_SingleArgumentType):
    """What has a length, and whose elements are of the type."""

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, collections.abc.Collection) and self._are_all(instance)


class Tuple(Type):
    """A tuple with one element of each type."""

    def __instancecheck__(self, instance: Any) -> bool:
        if not isinstance(instance, tuple) or len(instance) != len(self._types):
            return False
        return all(map(isinstance, instance, self._types))


class Mapping(_TwoArgumentType):
    """A mapping whose keys are of the first type, and its values of the second."""

    def __instancecheck__(self, instance: Any) -> bool:
        if not isinstance(instance, collections.abc.Mapping):
            return False
        of_keys, of_values = self._types
        return all(isinstance(k, of_keys) for k in instance) and all(
            isinstance(v, of_values) for v in instance.values()
        )


class Dict(Mapping):
    """A dict whose keys are of the first type, and its values of the second."""

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, dict) and super().__instancecheck__(instance)


class Error(TypeError):
    """A value is of another type than was said."""


def register_type_abbreviation(name: Any, alias: str) -> None:
    """Gives a type another name in messages.

    Args:
      name: the type.
      alias: what messages say.
    """
    _TYPE_ABBREVIATIONS[name] = alias


def _resolved(t: Any, names: dict[str, Any]) -> Any:
    """A type in which names are replaced by what they are of."""
    if isinstance(t, str):
        return names[t]
    if isinstance(t, Type):
        return type(t)(*(_resolved(part, names) for part in t._types))
    return t


def _said(t: Any) -> str:
    """A type as messages say it."""
    text = repr(t)
    for known, alias in _TYPE_ABBREVIATIONS.items():
        text = text.replace(repr(known), alias)
    text = re.sub(r"<(class|type) '([\w.]+)'>", r"\2", text)
    return re.sub(r"typecheck\.(\w+)", r"\1", text)


def _check(value: Any, t: Any, f: Any, article: str = "the ") -> None:
    allowed = _resolved(t, f.__globals__)
    if not isinstance(value, allowed):
        raise Error(
            f"{value!r} of type {type(value)!r} is not an instance of {article}allowed type "
            f"{_said(allowed)} for {f!r}"
        )


def accepts(*types: Any) -> Callable[..., Any]:
    """Decorator: the arguments of the function are of these types, or an `Error` is raised.

    Args:
      *types: one for each argument.
    """

    def decorate(f: Any) -> Any:
        spec = tf_inspect.getargspec(f)
        if len(types) != len(spec.args):
            raise Error(
                f"Function {f!r} has {len(spec.args)} arguments but only {len(types)} types were "
                "provided in the annotation."
            )
        defaults = spec.defaults or ()
        with_default = len(spec.args) - len(defaults)
        for name, value, t in zip(
            spec.args[with_default:], defaults, types[with_default:], strict=True
        ):
            allowed = _resolved(t, f.__globals__)
            if not isinstance(value, allowed):
                raise Error(
                    f"default argument value {value!r} of type {type(value)!r} is not an instance "
                    f"of the allowed type {_said(allowed)} for the {name} argument to {f!r}"
                )

        @functools.wraps(f)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for value, t in zip(args, types, strict=False):
                _check(value, t, f)
            return f(*args, **kwargs)

        return checked

    return decorate


def returns(*types: Any) -> Callable[..., Any]:
    """Decorator: what the function returns is of this type, or its parts are of these types.

    Args:
      *types: one, or one for each part.
    """

    def decorate(f: Any) -> Any:
        if not types:
            raise TypeError("A return type annotation must contain at least one type")

        @functools.wraps(f)
        def checked(*args: Any, **kwargs: Any) -> Any:
            result = f(*args, **kwargs)
            if len(types) == 1:
                _check(result, types[0], f)
                return result
            if len(result) != len(types):
                raise Error(
                    f"Function {f!r} has {len(result)} return values but only {len(types)} types "
                    "were provided in the annotation."
                )
            for part, t in zip(result, types, strict=True):
                _check(part, t, f, article="")
            return result

        return checked

    return decorate
