"""What TPU estimators compute on the host: metrics and `host_call`."""

from __future__ import annotations

import inspect
from typing import Any

from tf1compat.api.estimator import util
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import session_run_hook
from tf1compat.core.export import required
from tf1compat.core.session_interface import SessionInterface


def validate(host_calls: dict[str, Any]) -> None:
    """Checks {name: (a function, its tensors)}.

    Raises:
      ValueError: something has another form.
      TypeError: something is no function.
      RuntimeError: there are more or fewer tensors than the function takes.
    """
    for name, call in host_calls.items():
        if not isinstance(call, tuple | list):
            raise ValueError(f"{name} should be tuple or list")
        if len(call) != 2:
            raise ValueError(f"{name} should have two elements.")
        fn, tensors = call
        if not callable(fn):
            raise TypeError(f"{name}[0] should be callable.")
        if not isinstance(tensors, tuple | list | dict):
            raise ValueError(f"{name}[1] should be tuple or list, or dict.")
        if isinstance(tensors, dict) or inspect.getfullargspec(fn).varargs is not None:
            continue
        taken = len(util.fn_args(fn))
        if len(tensors) != taken:
            raise RuntimeError(
                f"In TPUEstimatorSpec.{name}, length of tensors {len(tensors)} does not match "
                f"method args of the function, which takes {taken}."
            )


def called(host_calls: dict[str, Any]) -> dict[str, Any]:
    """What the functions give for their tensors."""
    validate(host_calls)
    results = {}
    for name, (fn, tensors) in host_calls.items():
        if not isinstance(tensors, dict):
            results[name] = fn(*tensors)
            continue
        try:
            results[name] = fn(**tensors)
        except TypeError as error:
            logging.warning(
                "Exception while calling %s: %s. It is likely the tensors (%s[1]) do not match the "
                "function's arguments",
                name, error, name,
            )  # fmt: skip
            raise
    return results


class _OutfeedHostCallHook(session_run_hook.SessionRunHook):
    """Runs what `host_call` gave at every step, with the summary writers that it made.

    Args:
      tensors: what is run.
    """

    def __init__(self, tensors: Any):
        self._tensors = tensors

    def begin(self) -> None:
        """Finds the writers."""
        self._init_ops = required("contrib.summary.summary_writer_initializer_op")()
        flush = required("contrib.summary.flush")
        self._finalize_ops = [flush(writer=op.inputs[0]) for op in self._init_ops]

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        """Initializes the writers."""
        session.run(self._init_ops)

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        """Runs it."""
        return session_run_hook.SessionRunArgs(self._tensors)

    def end(self, session: SessionInterface) -> None:
        """Flushes the writers."""
        session.run(self._finalize_ops)
