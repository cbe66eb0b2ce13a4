"""A loop of training steps (`tensorflow.python.training.basic_loops`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.core import errors
from tf1compat.core.export import tf_export


@tf_export("train.basic_train_loop")
def basic_train_loop(
    supervisor: Any,
    train_step_fn: Callable[..., Any],
    args: Any = None,
    kwargs: Any = None,
    master: str = "",
) -> None:
    """Calls a function in a managed session until the supervisor stops.

    Args:
      supervisor: a `Supervisor`.
      train_step_fn: called with the session, `*args` and `**kwargs`.
      args: a list.
      kwargs: a dict.
      master: the session's target.
    """
    while True:
        try:
            with supervisor.managed_session(master) as sess:
                while not supervisor.should_stop():
                    train_step_fn(sess, *(args or []), **(kwargs or {}))
            return
        except errors.AbortedError:
            # A server was started anew: so is the session.
            continue
