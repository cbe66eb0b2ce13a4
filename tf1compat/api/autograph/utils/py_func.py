"""`tensorflow.python.autograph.utils.py_func`: calls of Python functions in graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tf1compat.api.functions import script_ops
from tf1compat.core import dtypes, tensor_util


class MatchDType(NamedTuple):
    """Stands for the dtype of an argument."""

    arg_number: int


def wrap_py_func(
    f: Callable[..., Any],
    return_dtypes: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    use_dummy_return: bool = False,
) -> Any:
    """Calls a Python function when the graph runs, with the values of arguments that are tensors.

    Args:
      f: the function.
      return_dtypes: the dtype of what it returns, or several; `MatchDType` for an argument's.
      args: its arguments.
      kwargs: those by name.
      use_dummy_return: whether what it returns is not looked at, and 1 returned.

    Returns:
      A tensor, or several.

    Raises:
      ValueError: dtypes are given together with `use_dummy_return`, or one is to be that of an
        argument that is no tensor.
    """
    if return_dtypes and use_dummy_return:
        raise ValueError("if use_dummy_return is True, return_dtypes must be empty")
    named = dict(kwargs or {})
    given: dict[Any, Any] = {**dict(enumerate(args)), **named}
    places = [key for key, value in given.items() if tensor_util.is_tensor(value)]

    def dtype_of(wanted: Any) -> Any:
        if not isinstance(wanted, MatchDType):
            return wanted
        argument = args[wanted.arg_number]
        if wanted.arg_number not in places:
            raise ValueError(
                f"argument {wanted.arg_number} was used with MatchDType and must be a tf.Tensor, "
                f"but was {type(argument)} instead"
            )
        return argument.dtype

    if return_dtypes:
        several = isinstance(return_dtypes, list | tuple) and not isinstance(
            return_dtypes, MatchDType
        )
        return_dtypes = tuple(map(dtype_of, return_dtypes)) if several else dtype_of(return_dtypes)

    def call(*values: Any) -> Any:
        filled = {**given, **dict(zip(places, values, strict=True))}
        result = f(*(filled[i] for i in range(len(args))), **{name: filled[name] for name in named})
        return 1 if use_dummy_return else result

    return script_ops.eager_py_func(
        call, [given[key] for key in places], dtypes.int32 if use_dummy_return else return_dtypes
    )
