"""What extends the runs of a monitored session (`tensorflow.python.training.session_run_hook`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface


@tf_export("estimator.SessionRunHook", "train.SessionRunHook")
class SessionRunHook:
    """Code that a monitored session calls around its runs; each method may be overridden."""

    def begin(self) -> None:
        """Called before the session is made, while the graph can still be added to."""

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        """Called when a session was made, also after a failure; the graph is final.

        Args:
          session: the `tf.Session`.
          coord: its `Coordinator`.
        """

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Called before each run.

        Args:
          run_context: a `SessionRunContext`.

        Returns:
          `SessionRunArgs` that say what to run besides; or None.
        """
        return None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run.

        Args:
          run_context: a `SessionRunContext`, which can request a stop.
          run_values: `SessionRunValues` of what `before_run` asked for.
        """

    def end(self, session: SessionInterface) -> None:
        """Called at the end, unless an exception ended the runs.

        Args:
          session: the `tf.Session`, about to be closed.
        """


@tf_export("estimator.SessionRunArgs", "train.SessionRunArgs")
class SessionRunArgs(
    collections.namedtuple("SessionRunArgs", ["fetches", "feed_dict", "options"])  # noqa: PYI024
):
    """What is added to a run: fetches, feeds and `RunOptions`."""

    def __new__(
        cls, fetches: Any, feed_dict: dict[Any, Any] | None = None, options: Any = None
    ) -> SessionRunArgs:
        return super().__new__(cls, fetches, feed_dict, options)


@tf_export("estimator.SessionRunContext", "train.SessionRunContext")
class SessionRunContext:
    """What a hook is told about a run.

    Args:
      original_args: `SessionRunArgs`: what was asked of the session.
      session: the session.
    """

    def __init__(self, original_args: Any, session: SessionInterface):
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    original_args = attribute("_original_args", "`SessionRunArgs`: what was asked of the session.")
    session = attribute("_session", "The session.")
    stop_requested: bool = attribute(
        "_stop_requested", "Whether a hook wants this run to be the last."
    )

    def request_stop(self) -> None:
        """Makes this run the last."""
        self._stop_requested = True


@tf_export("estimator.SessionRunValues", "train.SessionRunValues")
class SessionRunValues(
    collections.namedtuple(  # noqa: PYI024
        "SessionRunValues", ["results", "options", "run_metadata"]
    )
):
    """What a run gave: the values of a hook's fetches, the `RunOptions`, the `RunMetadata`."""
