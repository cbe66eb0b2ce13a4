"""Functions that are called after each eager operation
(`tensorflow.python.eager.execution_callbacks`)."""

from __future__ import annotations

import contextlib
import enum
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import eager
from tf1compat.core.export import tf_export


@tf_export("contrib.eager.ExecutionCallback")
class ExecutionCallback(enum.Enum):
    """What to do about numbers that are infinite or none."""

    IGNORE = "ignore"
    PRINT = "print"
    RAISE = "raise"
    WARN = "warn"


class InfOrNanError(Exception):
    """An operation gave numbers that are infinite or none.

    Args:
      op_type, op_name: of the operation.
      output_index, num_outputs: which of how many outputs.
      value: the output.
    """

    def __init__(self, op_type: Any, op_name: Any, output_index: int, num_outputs: int, value: Any):
        self.op_type, self.op_name = op_type, op_name
        self.output_index, self.num_outputs, self.value = output_index, num_outputs, value
        infs, nans = int(np.isinf(value).sum()), int(np.isnan(value).sum())
        found = " and ".join(
            f"{count} {what}(s)" for count, what in ((infs, "inf"), (nans, "nan")) if count
        )
        shown = None if op_name is None else f"'{op_name}'"
        super().__init__(
            f"Output {output_index + 1} of {num_outputs} of TFE operation {op_type} (name: "
            f"{shown}) contains {found} out of a total of {np.size(value)} element(s). Tensor "
            f"value: {value}"
        )


@tf_export("contrib.eager.inf_nan_callback")
def inf_nan_callback(
    op_type: Any,
    inputs: Any,
    attrs: Any,
    outputs: Any,
    op_name: Any,
    check_inf: bool = True,
    check_nan: bool = True,
    action: Any = ExecutionCallback.RAISE,
) -> None:
    """Looks for infinities and NaNs in the outputs of an operation.

    Args:
      op_type, inputs, attrs, outputs, op_name: of the operation.
      check_inf, check_nan: what to look for.
      action: an `ExecutionCallback`, or its name.

    Raises:
      InfOrNanError: there are such, and that is the action.
      ValueError: an unknown action.
    """
    action = ExecutionCallback(action)
    for index, output in enumerate(outputs):
        if not (output.dtype.is_floating or output.dtype.is_complex):
            continue
        value = output.numpy()
        bad = (check_inf and np.isinf(value).any()) or (check_nan and np.isnan(value).any())
        if not bad:
            continue
        error = InfOrNanError(op_type, op_name, index, len(outputs), value)
        if action is ExecutionCallback.PRINT:
            print(f"Warning: {error}")
        elif action is ExecutionCallback.WARN:
            logging.warn(str(error))
        elif action is ExecutionCallback.RAISE:
            raise error


@tf_export("contrib.eager.inf_callback")
def inf_callback(
    op_type: Any,
    inputs: Any,
    attrs: Any,
    outputs: Any,
    op_name: Any,
    action: Any = ExecutionCallback.RAISE,
) -> None:
    """As `inf_nan_callback`, for infinities.

    Args:
      op_type, inputs, attrs, outputs, op_name, action: as in `inf_nan_callback`.
    """
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, True, False, action)


@tf_export("contrib.eager.nan_callback")
def nan_callback(
    op_type: Any,
    inputs: Any,
    attrs: Any,
    outputs: Any,
    op_name: Any,
    action: Any = ExecutionCallback.RAISE,
) -> None:
    """As `inf_nan_callback`, for NaNs.

    Args:
      op_type, inputs, attrs, outputs, op_name, action: as in `inf_nan_callback`.
    """
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, False, True, action)


@tf_export("contrib.eager.add_execution_callback")
def add_execution_callback(callback: Callable[..., Any]) -> None:
    """Has a function called after each operation: `(op_type, inputs, attrs, outputs, op_name)`.

    Args:
      callback: a function of (op_type, inputs, attrs, outputs, op_name): a string, tensors, a tuple
        of names and values, tensors, a string or None.
    """
    eager.callbacks.append(callback)


@tf_export("contrib.eager.clear_execution_callbacks")
def clear_execution_callbacks() -> None:
    """Removes all such functions."""
    eager.callbacks.clear()


@tf_export("contrib.eager.seterr")
def seterr(inf_or_nan: Any = None) -> dict[str, Any]:
    """Sets what happens when operations give infinities or NaNs.

    Args:
      inf_or_nan: an `ExecutionCallback` or its name; None changes nothing.

    Returns:
      What was said before, as {"inf_or_nan": action}.

    Raises:
      ValueError: an unknown action.
    """
    action = None if inf_or_nan is None else ExecutionCallback(inf_or_nan)
    before = ExecutionCallback.IGNORE
    for callback in eager.callbacks:
        if getattr(callback, "func", None) is inf_nan_callback:
            before = callback.keywords["action"]  # pyright: ignore[reportFunctionMemberAccess]
    if action is not None:
        eager.callbacks[:] = [
            c for c in eager.callbacks if getattr(c, "func", None) is not inf_nan_callback
        ]
        if action is not ExecutionCallback.IGNORE:
            eager.callbacks.append(functools.partial(inf_nan_callback, action=action))
    return {"inf_or_nan": before}


@tf_export("contrib.eager.errstate")
@contextlib.contextmanager
def errstate(inf_or_nan: Any = None) -> Iterator[None]:
    """`seterr` for a `with` block.

    Args:
      inf_or_nan: as in `seterr`.

    Yields:
      Nothing, once, for the block.
    """
    if not inf_or_nan:
        yield
        return
    before = seterr(inf_or_nan=inf_or_nan)
    try:
        yield
    finally:
        seterr(**before)
