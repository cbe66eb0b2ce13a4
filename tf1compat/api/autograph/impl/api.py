"""`tf.autograph`: functions converted before they run, and what they call too."""

from __future__ import annotations

import collections
import copy
import functools
import inspect
import os
import re
import types
from collections.abc import Callable
from typing import Any

from tf1compat.api.autograph.core import ag_ctx
from tf1compat.api.autograph.core.converter import ConversionOptions, Feature
from tf1compat.api.autograph.impl import conversion, errors
from tf1compat.api.autograph.impl.errors import AutoGraphError, ConversionError, StagingError
from tf1compat.api.autograph.operators import (
    control_flow,
    data_structures,
    exceptions,
    logical,
    py_builtins,
    special_values,
)
from tf1compat.api.autograph.pyct import transform
from tf1compat.api.autograph.utils import ag_logging as logging
from tf1compat.api.functions.auto_control_deps import AutomaticControlDependencies
from tf1compat.core import nest, ops, tf_decorator
from tf1compat.core.export import tf_export

__all__ = ["AutoGraphError", "ConversionError", "StagingError"]

# What marks functions that are not to be converted (again).
_MARK = "__ag_compiled"


class FunctionScope:
    """Context manager around the body of a converted function.

    Args:
      name: the function's name.
      options: of its conversion.
    """

    def __init__(self, name: str, options: ConversionOptions):
        self.options = options
        self.callopts = options.call_options()
        self._contexts: list[Any] = []
        if options.user_requested:
            self._contexts.append(ag_ctx.ControlStatusCtx(ag_ctx.Status.ENABLED, options))
        if options.uses(Feature.NAME_SCOPES):
            self._contexts.append(ops.name_scope("fn" + name if name[:1] == "_" else name))
        if options.uses(Feature.AUTO_CONTROL_DEPS):
            self._contexts.append(AutomaticControlDependencies())

    def __enter__(self) -> FunctionScope:
        for context in self._contexts:
            context.__enter__()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        for context in reversed(self._contexts):
            context.__exit__(*exc_info)

    def mark_return_value(self, value: Any) -> Any:
        """A value that the function returns: what has effects happens before it is there."""
        last: Any = self._contexts[-1] if self._contexts else None
        if value is None or not hasattr(last, "mark_as_return"):
            return value
        return nest.map_structure(
            lambda x: last.mark_as_return(x) if isinstance(x, ops.Tensor) else x, value
        )


def _operators(options: ConversionOptions) -> Any:
    """What converted code knows as `ag__`."""
    call_options = options.call_options()

    def call(f: Any, args: Any, kwargs: Any, scope: Any) -> Any:
        return converted_call(f, call_options, args, kwargs, scope)

    return types.SimpleNamespace(
        call=call,
        converted=do_not_convert_internal,
        FunctionScope=FunctionScope,
        options__=options,
        if_stmt=control_flow.if_stmt,
        if_exp=control_flow.if_exp,
        while_stmt=control_flow.while_stmt,
        for_stmt=control_flow.for_stmt,
        and_=logical.and_,
        or_=logical.or_,
        not_=logical.not_,
        eq=logical.eq,
        not_eq=logical.not_eq,
        assert_stmt=exceptions.assert_stmt,
        new_list=data_structures.new_list,
        list_append=data_structures.list_append,
        Undefined=special_values.Undefined,
        UndefinedReturnValue=special_values.UndefinedReturnValue,
        is_undefined=special_values.is_undefined,
        retval=special_values.retval,
        ldu=special_values.ldu,
    )


def is_autograph_strict_conversion_mode() -> bool:
    """Whether what cannot be converted is an error: `AUTOGRAPH_STRICT_CONVERSION` says so."""
    return int(os.environ.get("AUTOGRAPH_STRICT_CONVERSION", "0")) > 0


def _call_unconverted(f: Any, args: Any, kwargs: Any) -> Any:
    return f(*args, **(kwargs or {}))


def _is_permanently_left(f: Any) -> bool:
    """Whether something is called as it is, whoever asks for its conversion."""
    if hasattr(f, "autograph_info__") or hasattr(f, _MARK):
        return True
    if isinstance(f, functools._lru_cache_wrapper) or inspect.isclass(f):
        return True
    kind = type(f)
    if kind.__module__.startswith("wrapt") and "FunctionWrapper" in kind.__name__:
        logging.warn(
            "Entity %s appears to be decorated by wrapt, which is not yet supported by AutoGraph. "
            "The function will be called without transformation. You may however apply AutoGraph "
            "before the decorator.",
            f,
        )
        return True
    modules = (collections, copy, inspect, re)
    return any(f is value for module in modules for value in vars(module).values())


def converted_call(
    f: Any, options: ConversionOptions, args: Any, kwargs: Any, caller_fn_scope: Any = None
) -> Any:
    """Calls a function, converted if it can and should be.

    Args:
      f: the function, or anything that can be called.
      options: of the conversion.
      args, kwargs: a tuple, and a dict or None.
      caller_fn_scope: of the function that calls.
    """
    logging.log(1, "Converted call: %s\n    args: %s\n    kwargs: %s\n", f, args, kwargs)
    if isinstance(f, types.BuiltinFunctionType) or f in _BUILTIN_TYPES:
        return py_builtins.overload_of(f)(*args, **(kwargs or {}))
    if _is_permanently_left(f):
        return _call_unconverted(f, args, kwargs)
    if not options.user_requested and conversion.is_whitelisted_for_graph(f):
        return _call_unconverted(f, args, kwargs)
    if not options.internal_convert_user_code:
        return _call_unconverted(f, args, kwargs)
    original = f
    given = args, kwargs
    while isinstance(f, functools.partial):
        args = (*f.args, *args)
        kwargs = {**f.keywords, **(kwargs or {})}
        f = f.func
    if isinstance(f, types.MethodType):
        args, f = (f.__self__, *args), f.__func__
        if hasattr(f, _MARK) or not isinstance(f, types.FunctionType):
            return _call_unconverted(original, *given)
    elif not isinstance(f, types.FunctionType):
        call = inspect.getattr_static(type(f), "__call__", None)
        if not isinstance(call, types.FunctionType):
            return _call_unconverted(original, *given)
        args, f = (f, *args), call
    # What is in a module that was made of converted code, which has operators of its own.
    is_converted = transform.OPERATORS in f.__globals__
    if hasattr(f, _MARK) or is_converted or f.__code__.co_filename == "<string>":
        return _call_unconverted(original, *given)
    try:
        converted = conversion.convert(f, options, _operators)
    except (ValueError, SyntaxError, OSError) as error:
        if is_autograph_strict_conversion_mode():
            raise
        logging.warn(
            "Entity %s could not be transformed and will be executed as-is. Please report this to "
            "the AutoGraph team. When filing the bug, set the verbosity to 10 (on Linux, `export "
            "AUTOGRAPH_VERBOSITY=10`) and attach the full output. Cause: %s",
            original, error,
        )  # fmt: skip
        return _call_unconverted(original, *given)
    try:
        return converted(*args, **(kwargs or {}))
    except Exception as error:
        errors.note(error, converted)
        raise


_BUILTIN_TYPES = (float, int, range, enumerate, zip)


def convert(
    recursive: bool = False, optional_features: Any = None, user_requested: bool = True
) -> Callable[[Any], Any]:
    """Makes a decorator: the function is converted when it is called.

    Args:
      recursive: whether functions that it calls are converted too.
      optional_features: `Feature`s.
      user_requested: whether to convert it wherever it comes from.
    """
    options = ConversionOptions(
        recursive=recursive, user_requested=user_requested, optional_features=optional_features
    )

    def decorator(f: Any) -> Any:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            try:
                return converted_call(f, options, args, kwargs)
            except Exception as error:
                raise errors.described(error) from None

        if inspect.isfunction(f) or inspect.ismethod(f):
            functools.update_wrapper(wrapper, f)
        wrapped = tf_decorator.make_decorator(f, wrapper)
        setattr(wrapped, _MARK, True)
        return wrapped

    return decorator


def tf_convert(
    f: Any, ctx: Any, convert_by_default: bool = True, user_requested: bool = False
) -> Any:
    """A function that is converted when it is called, if conversion is on where it was taken.

    Args:
      f: the function.
      ctx: what holds there (`ag_ctx.control_status_ctx()`).
      convert_by_default: whether it is on where nothing was said.
      user_requested: see `convert`.
    """
    if hasattr(f, _MARK):
        return f
    if ctx.status is ag_ctx.Status.DISABLED:
        return do_not_convert(f)
    if ctx.status is ag_ctx.Status.ENABLED or convert_by_default:
        return convert(recursive=True, user_requested=user_requested)(f)
    return call_with_unspecified_conversion_status(f)


def _under(status: ag_ctx.Status, func: Any) -> Any:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with ag_ctx.ControlStatusCtx(status):
            return func(*args, **kwargs)

    errors.leaving.add(wrapper.__code__)
    if inspect.isfunction(func) or inspect.ismethod(func):
        functools.update_wrapper(wrapper, func)
    setattr(wrapper, _MARK, True)
    return wrapper


def call_with_unspecified_conversion_status(func: Any) -> Any:
    """The function, inside which nothing was said about conversion."""
    return _under(ag_ctx.Status.UNSPECIFIED, func)


def do_not_convert_internal(f: Any) -> Any:
    """Marks a function as one that is not to be converted."""
    setattr(f, _MARK, True)
    return f


@tf_export("autograph.experimental.do_not_convert")
def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Decorator: the function, and what it calls, is not converted.

    Args:
      func: a function or method; None where the decorator is called with brackets.

    Returns:
      A function that calls `func` as it is.
    """
    return do_not_convert if func is None else _under(ag_ctx.Status.DISABLED, func)


@tf_export("autograph.to_graph")
def to_graph(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Any:
    """Converts a function or a class.

    Args:
      entity: it; a method becomes a function of `self` and its arguments.
      recursive: whether what it calls is converted too.
      arg_values, arg_types: not used.
      experimental_optional_features: `Feature`s: one, several or None.

    Returns:
      A function; of a class, a subclass whose methods are converted.

    Raises:
      ConversionError: it can't be converted.
      NotImplementedError: it is neither a function nor a class, or it is a generator.
    """
    options = ConversionOptions(
        recursive=recursive,
        user_requested=True,
        optional_features=experimental_optional_features,
    )
    try:
        return _converted_entity(entity, options)
    except (ValueError, AttributeError, KeyError, NameError, AssertionError, OSError) as error:
        raise ConversionError(f"converting {entity}: {type(error).__name__}: {error}") from error


def _converted_entity(entity: Any, options: ConversionOptions) -> Any:
    if inspect.isclass(entity):
        methods = {
            name: conversion.convert(member, options, _operators)
            for name, member in vars(entity).items()
            if isinstance(member, types.FunctionType)
        }
        metaclass: Any = type(entity)
        return metaclass("Tf" + entity.__name__, (entity,), methods)
    # TF asks a `tf.function` for its code.
    if hasattr(entity, "python_function"):
        raise AttributeError("'Function' object has no attribute '__code__'")
    _, entity = tf_decorator.unwrap(entity)
    function = getattr(entity, "__func__", entity)
    if not isinstance(function, types.FunctionType):
        raise NotImplementedError(
            f'cannot convert entity "{entity}": object conversion is not yet supported.'
        )
    if inspect.isgeneratorfunction(function):
        raise NotImplementedError("Generators are not supported by AutoGraph")
    converted = conversion.convert(function, options, _operators)
    if function.__name__.isidentifier():
        converted.__name__ = f"tf__{function.__name__}"
    return converted


@tf_export("autograph.to_code")
def to_code(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    indentation: str = "  ",
    experimental_optional_features: Any = None,
) -> str:
    """The source code of a converted function.

    Args:
      entity, recursive, arg_values, arg_types, experimental_optional_features: as in `to_graph`.
      indentation: is not read.

    Returns:
      As `to_graph`.
    """
    converted = to_graph(entity, recursive, None, None, experimental_optional_features)
    if inspect.isclass(converted):
        parts = [m.ag_source for m in vars(converted).values() if hasattr(m, "ag_source")]
        return "\n\n".join(parts) + "\n"
    return converted.ag_source + "\n"
