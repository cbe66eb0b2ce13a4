"""The argument `training` of calls that are saved
(`tensorflow.python.keras.saving.saved_model.utils`)."""

from __future__ import annotations

import inspect
from typing import Any

from tf1compat.api.keras.saving.saved_model import layer_functions

use_wrapped_call = layer_functions.use_wrapped_call


def get_training_arg_index(call_fn: Any) -> int:
    """The place of `training` among the arguments of a call, `self` not counted.

    Args:
      call_fn: a function or method.

    Returns:
      The place; -1 if it can only be given by name.
    """
    positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = inspect.signature(call_fn).parameters.values()
    names = [parameter.name for parameter in parameters if parameter.kind is positional]
    return names.index("training") if "training" in names else -1


def _is_positional(index: int | None, args: Any) -> bool:
    return index is not None and 0 <= index < len(args)


def set_training_arg(training: Any, index: int | None, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Sets `training` in arguments, which are changed.

    Args:
      training: the value.
      index: what `get_training_arg_index` gave; None for a call that has no such argument.
      args: a list.
      kwargs: a dict.
    """
    if _is_positional(index, args):
        args[index] = training
    elif index is not None:
        kwargs["training"] = training
    return args, kwargs


def get_training_arg(index: int | None, args: Any, kwargs: Any) -> Any:
    """The value of `training` in arguments; None if it is not there.

    Args:
      index: what `get_training_arg_index` gave; None for a call that has no such argument.
      args: a sequence.
      kwargs: a dict.
    """
    if index is None:
        return None
    return args[index] if _is_positional(index, args) else kwargs.get("training")


def remove_training_arg(index: int | None, args: Any, kwargs: Any) -> None:
    """Takes `training` out of arguments.

    Args:
      index: what `get_training_arg_index` gave; None for a call that has no such argument.
      args: a list.
      kwargs: a dict.
    """
    if _is_positional(index, args):
        args.pop(index)
    elif index is not None:
        kwargs.pop("training", None)
