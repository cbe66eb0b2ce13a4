"""What estimators need (`tensorflow_estimator.python.estimator.util`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.training import session_run_hook
from tf1compat.core import function_utils
from tf1compat.core.session_interface import SessionInterface

fn_args = function_utils.fn_args


def parse_input_fn_result(result: Any) -> tuple[Any, Any, list[Any]]:
    """What an input function gave.

    Args:
      result: features, or a pair of features and labels, or a dataset of the one or the other.

    Returns:
      (features, labels or None, hooks that prepare the input).
    """
    hooks: list[Any] = []
    if hasattr(result, "_variant_tensor"):  # A dataset.
        iterator = dataset_ops.make_initializable_iterator(result)
        hooks.append(_DatasetInitializerHook(iterator))
        result = iterator.get_next()
    return (*parse_iterator_result(result), hooks)


def parse_iterator_result(result: Any) -> tuple[Any, Any]:
    """(features, labels or None).

    Raises:
      ValueError: there are more parts.
    """
    if not isinstance(result, list | tuple):
        return result, None
    if len(result) != 2:
        raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
    return result[0], result[1]


class _DatasetInitializerHook(session_run_hook.SessionRunHook):
    """Initializes an iterator."""

    def __init__(self, iterator: Any):
        self._iterator = iterator

    def begin(self) -> None:
        """Takes the operation."""
        self._initializer = self._iterator.initializer

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        """Runs it."""
        session.run(self._initializer)
