"""`convert_to_tensor` and the registry of what else than a tensor can become one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.core import context, dtypes, nest
from tf1compat.core.export import tf_export
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor, TensorBase
from tf1compat.core.typing import DTypeLike

# priority -> [(types, function)], in the order of registration.
_functions: dict[int, list[tuple[tuple[type, ...], Callable[..., Any]]]] = {}
_cache: dict[type, list[tuple[Any, Callable[..., Any]]]] = {}
# These are always converted as any object is to which nothing else applies.
_NUMBERS = (int, float, np.generic, np.ndarray)
_DEFAULT_PRIORITY = 200


@tf_export("register_tensor_conversion_function")
def register_tensor_conversion_function(
    base_type: Any, conversion_func: Callable[..., Any], priority: int = 100
) -> None:
    """Teaches `convert_to_tensor` about a type.

    Args:
      base_type: a type, or a tuple of types.
      conversion_func: `(value, dtype=None, name=None, as_ref=False)` -> Tensor, or NotImplemented.
      priority: lower comes first.

    Raises:
      TypeError: wrong kinds of arguments, or a Python number, string or array type.
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not types or not all(isinstance(item, type) for item in types):
        raise TypeError("base_type must be a type or a tuple of types.")
    if any(issubclass(item, _NUMBERS) for item in types):
        raise TypeError(
            "Cannot register conversions for Python numeric types and NumPy scalars and arrays."
        )
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _functions.setdefault(priority, []).append((types, conversion_func))
    _cache.clear()


def _candidates(value_type: type) -> list[tuple[Any, Callable[..., Any]]]:
    found = _cache.get(value_type)
    if found is None:
        if issubclass(value_type, _NUMBERS):
            found = _functions[_DEFAULT_PRIORITY][:1]
        else:
            found = [
                (types, function)
                for _, entries in sorted(_functions.items())
                for types, function in entries
                if issubclass(value_type, types)
            ]
        _cache[value_type] = found
    return found


def get(query: type) -> list[tuple[Any, Callable[..., Any]]]:
    """The conversion functions of a type, as (base types, function), in the order of their use.

    Args:
      query: the type.
    """
    found = _candidates(query)
    return [(query, found[0][1])] if issubclass(query, _NUMBERS) else list(found)


def _prefix(name: str | None) -> str:
    return "" if name is None else f"{name}: "


def convert(
    value: Any,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    as_ref: bool = False,
    preferred_dtype: Any = None,
    accepted: tuple[type, ...] = (Tensor,),
) -> Any:
    """Converts `value` to a tensor (or to another of the `accepted` types).

    Raises:
      TypeError: nothing is registered for the type of `value`, or its elements don't fit.
      ValueError: it is a tensor of another dtype.
      RuntimeError: a conversion function misbehaves.
    """
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if isinstance(value, Tensor):
        if value._is_eager and not context.executing_eagerly():
            graph = context.default_graph()
            if not graph.building_function:
                raise RuntimeError(
                    "Attempting to capture an EagerTensor without building a function."
                )
            return graph.capture(value, name=name)
        if dtype is not None and not dtype.is_compatible_with(value._dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype "
                f"{value._dtype.name}: {value!r}"
            )
        return value
    if preferred_dtype is not None:
        preferred_dtype = dtypes.as_dtype(preferred_dtype)
    for types, function in _candidates(type(value)):
        result = None
        if dtype is None and preferred_dtype is not None:
            try:
                result = function(value, dtype=preferred_dtype, name=name, as_ref=as_ref)
            except (TypeError, ValueError):
                result = None
            else:
                if result is not NotImplemented and (
                    result.dtype.base_dtype is not preferred_dtype.base_dtype
                ):
                    raise TypeError(
                        "convert_to_tensor did not convert to the preferred dtype: "
                        f"{result.dtype.base_dtype} vs {preferred_dtype.base_dtype} "
                    )
        if result is None:
            result = function(value, dtype=dtype, name=name, as_ref=as_ref)
        if result is NotImplemented:
            continue
        if not isinstance(result, accepted):
            problem = f"non-Tensor: {result!r}"
        elif dtype is not None and not dtype.is_compatible_with(result.dtype):
            problem = f"incompatible dtype: requested = {dtype.name}, actual = {result.dtype.name}"
        else:
            return result
        raise RuntimeError(
            f"{_prefix(name)}Conversion function {function!r} for type "
            f"{types[0] if len(types) == 1 else types} returned {problem}"
        )
    raise TypeError(
        f"{_prefix(name)}Cannot convert {value!r} with type {type(value)} to Tensor: "
        "no conversion function registered."
    )


internal_convert_to_tensor = convert


@tf_export("convert_to_tensor")
def convert_to_tensor(
    value: Any,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    preferred_dtype: Any = None,
    dtype_hint: Any = None,
) -> Tensor:
    """Converts `value` to a `Tensor`.

    Args:
      value: a tensor, or anything with a registered conversion (numbers, strings, lists, arrays,
        variables…).
      dtype: the dtype it must have.
      name: the name of an op made for it.
      preferred_dtype, dtype_hint: the dtype to try first.

    Returns:
      A `Tensor`; `value` itself if it is one.

    Raises:
      TypeError, ValueError, RuntimeError: it can't be converted.
    """
    if preferred_dtype is not None and dtype_hint is not None:
        raise ValueError("Cannot specify both 'preferred_dtype' and 'dtype_hint'")
    hint = preferred_dtype if preferred_dtype is not None else dtype_hint
    return convert(value, dtype, name, preferred_dtype=hint)


def convert_n_to_tensor(
    values: Sequence[Any],
    dtype: DTypeLike | None = None,
    name: str | None = None,
    preferred_dtype: Any = None,
) -> list[Tensor]:
    """Converts each of `values`; names get `_<index>`."""
    return internal_convert_n_to_tensor(values, dtype, name, False, preferred_dtype)


def internal_convert_n_to_tensor(
    values: Sequence[Any],
    dtype: DTypeLike | None = None,
    name: str | None = None,
    as_ref: bool = False,
    preferred_dtype: Any = None,
    ctx: Any = None,
) -> list[Tensor]:
    """As `convert_n_to_tensor`, with `as_ref`."""
    if not isinstance(values, Sequence):
        raise TypeError("values must be a sequence.")
    return [
        convert(value, dtype, None if name is None else f"{name}_{i}", as_ref, preferred_dtype)
        for i, value in enumerate(values)
    ]


def internal_convert_to_tensor_or_composite(
    value: Any, dtype: DTypeLike | None = None, name: str | None = None, as_ref: bool = False
) -> Any:
    """As `convert_to_tensor_or_composite`, with `as_ref`."""
    if nest.is_composite(value):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):  # pyright: ignore
            raise ValueError(
                f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} "
                f"for Tensor with dtype {value.dtype.name}: {str(value)!r}"  # pyright: ignore
            )
        return value
    return convert(value, dtype, name, as_ref, accepted=(Tensor, TensorBase))


def convert_to_tensor_or_composite(
    value: Any, dtype: DTypeLike | None = None, name: str | None = None
) -> Any:
    """Converts `value` to a Tensor, unless it consists of several (e.g. an IndexedSlices)."""
    return internal_convert_to_tensor_or_composite(value, dtype, name, False)


internal_convert_to_tensor_or_indexed_slices = internal_convert_to_tensor_or_composite
convert_to_tensor_or_indexed_slices = tf_export("convert_to_tensor_or_indexed_slices")(
    convert_to_tensor_or_composite
)


def internal_convert_n_to_tensor_or_composite(
    values: Sequence[Any],
    dtype: DTypeLike | None = None,
    name: str | None = None,
    as_ref: bool = False,
) -> list[Any]:
    """Converts each of `values` that is not None as `convert_to_tensor_or_composite` does."""
    if not isinstance(values, Sequence):
        raise TypeError("values must be a sequence.")
    return [
        None
        if value is None
        else internal_convert_to_tensor_or_composite(
            value, dtype, None if name is None else f"{name}_{i}", as_ref
        )
        for i, value in enumerate(values)
    ]


convert_n_to_tensor_or_composite = internal_convert_n_to_tensor_or_composite
convert_n_to_tensor_or_indexed_slices = internal_convert_n_to_tensor_or_composite
internal_convert_n_to_tensor_or_indexed_slices = internal_convert_n_to_tensor_or_composite


def _operation_error(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Any:
    raise TypeError(
        f"Can't convert Operation '{value.name}' to Tensor (target "
        f"dtype={None if dtype is None else dtype.name!r}, name={name!r}, as_ref={as_ref!r})"
    )


register_tensor_conversion_function(Operation, _operation_error, 0)
