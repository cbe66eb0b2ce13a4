"""Operations that call Python functions on the host."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.eager import backprop
from tf1compat.api.functions import script_ops
from tf1compat.core import context, dtypes, eager, errors, interrupts, ops
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.typing import LoweringContext

# Python's exceptions as TF's; others are UnknownError.
_ERRORS: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Any], ...] = (
    (StopIteration, errors.OutOfRangeError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError, errors.UnimplementedError),
    ((ValueError, TypeError), errors.InvalidArgumentError),
)
# The names of C++ types in TF's texts.


def _fail(ctx: LoweringContext, error_class: Any, text: str) -> None:
    ctx.check(False, error_class, lambda: text)


def _call(function: Callable[..., Any], args: Any, ctx: LoweringContext) -> Any:
    """Calls the Python function; what it raises becomes one of `tf.errors`, with its traceback."""
    try:
        return interrupts.interruptible(function, *args)
    except errors.OpError:
        raise
    except Exception as error:
        found = next((mine for kinds, mine in _ERRORS if isinstance(error, kinds)), None)
        frames = traceback.format_exception(type(error), error, error.__traceback__)
        text = f"{type(error).__name__}: {error}\n" + "\n".join(frames) + "\n"
        _fail(ctx, found or errors.UnknownError, text)


def _arguments(inputs: Any) -> list[Any]:
    """Arrays as a script gets them: scalars as NumPy scalars, a string as bytes."""
    return [np.asarray(value)[()] if np.ndim(value) == 0 else _own(value) for value in inputs]


def _own(value: Any) -> Any:
    """An array that a script may write to."""
    return value if getattr(value.flags, "writeable", True) else value.copy()


def _array(value: Any) -> np.ndarray:
    """A result as an array; text becomes an object array of bytes."""
    array = np.asarray(value, order="C")
    if array.dtype.kind == "S":
        return np.asarray(value, dtype=object)
    mixed = array.dtype.kind == "O" and any(isinstance(item, str) for item in array.ravel())
    if array.dtype.kind == "U" or mixed:
        flat = [text.encode() if isinstance(text, str) else text for text in array.ravel()]
        return np.array(flat, dtype=object).reshape(array.shape)
    return array


def _dtype_of(array: np.ndarray, ctx: LoweringContext) -> dtypes.DType:
    """The dtype of a result.

    Raises:
      InternalError: no tensor can have it.
    """
    if array.dtype.kind == "O":
        if all(isinstance(item, bytes | str) for item in array.ravel()):
            return dtypes.string
        kind = type(array.ravel()[0]).__name__
        _fail(ctx, errors.InternalError, f"Unsupported object type {kind}")
    return dtypes.as_dtype(array.dtype)


def _results(token: str, returned: Any, wanted: Any, ctx: LoweringContext) -> list[np.ndarray]:
    """What a script returned, as arrays of the declared dtypes.

    Raises:
      InvalidArgumentError: there are more or fewer, or of other dtypes.
    """
    if returned is None:
        values = []
    else:
        values = list(returned) if isinstance(returned, list | tuple) else [returned]
    if len(values) != len(wanted):
        _fail(
            ctx,
            errors.InvalidArgumentError,
            f"{token} returns {len(values)} values, but expects to see {len(wanted)} values.",
        )
    arrays = [_array(value) for value in values]
    for i, (array, dtype) in enumerate(zip(arrays, wanted)):
        found = _dtype_of(array, ctx)
        if found is not dtype:
            _fail(
                ctx,
                errors.InvalidArgumentError,
                f"{i}-th value returned by {token} is {dtypes.cpp_name(found)}, "
                f"but expects {dtypes.cpp_name(dtype)}",
            )
    return arrays


@op("PyFunc", "PyFuncStateless", host=True, effect=True)
class PyFunc:
    def shape(input: Any, *, Tout: Any) -> Any:
        return [None] * len(Tout)

    def lower(input: Any, *, token: str, Tout: Any, ctx: LoweringContext) -> Any:
        function = script_ops.functions.find(token).func
        return _results(token, _call(function, _arguments(input), ctx), Tout, ctx)


not_differentiable("PyFunc", "PyFuncStateless")


def _converted(values: Any, wanted: Any) -> list[Any]:
    """What a script returned, as tensors of the declared dtypes."""
    return [ops.convert_to_tensor(value, dtype) for value, dtype in zip(values, wanted)]


@op("EagerPyFunc", host=True, effect=True)
class EagerPyFunc:
    def shape(input: Any, *, Tout: Any) -> Any:
        return [None] * len(Tout)

    def lower(input: Any, *, token: str, Tout: Any, ctx: LoweringContext) -> Any:
        function = script_ops.functions.find(token)
        with context.mode(True), backprop.GradientTape(persistent=True) as recorder:
            args = [eager.tensor(np.asarray(x), t.dtype) for x, t in zip(input, ctx.op.inputs)]
            recorder.watch([arg for arg in args if arg.dtype.is_floating])
            returned = _call(function.func, args, ctx)
            values = returned if isinstance(returned, list | tuple) else [returned]
            if returned is None:
                values = []
            if function.is_gradient:
                values = [
                    np.zeros((), dtype.as_numpy_dtype) if value is None else value
                    for value, dtype in zip(values, Tout)
                ]
            tensors: list[Any] = _call(_converted, (values, Tout), ctx)
        if not function.is_gradient:
            script_ops.recorded[token.encode()] = recorder, args, tensors
        return _results(token, [tensor.numpy() for tensor in tensors], Tout, ctx)

    def gradient(op: Any, *grads: Any) -> Any:
        return script_ops.eager_gradient(op, *grads)
