"""Runs steps (`tensorflow.contrib.distribute.python.monitor`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.eager import context
from tf1compat.api.variables import variables
from tf1compat.core import errors
from tf1compat.core.export import tf_export


@tf_export("contrib.distribute.Monitor")
class Monitor:
    """Runs a step again and again, as in TF 1.15.

    Args:
      step_callable: a `Step`, whose initializers it runs.
      session: a session of the graph; None in eager execution.

    Raises:
      ValueError: there is a session in eager execution, or else none.
    """

    def __init__(self, step_callable: Any, session: Any = None):
        eager = context.executing_eagerly()
        if eager == (session is not None):
            wrong = "Should not provide a `session` in Eager mode."
            raise ValueError(wrong if eager else "Should provide a `session` in Graph mode.")
        self._run_step = step_callable if eager else _prepared(step_callable, session)

    def run_steps(self, num_steps: int | None = None) -> None:
        """Takes steps.

        Args:
          num_steps: how many at most; until the input ends by default.
        """
        taken = 0
        while num_steps is None or taken < num_steps:
            try:
                self._run_step()
            except errors.OutOfRangeError:
                return
            taken += 1


def _prepared(step_callable: Any, session: Any) -> Any:
    """What takes one step in a session, whose iterators and variables are initialised."""
    session.run(step_callable.initialize())
    take = session.make_callable(step_callable())
    session.run(variables.global_variables_initializer())
    return take
