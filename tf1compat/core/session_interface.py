"""What every session has: sessions of other kinds, as those that debug, derive from it."""

from __future__ import annotations

from typing import Any


class SessionInterface:
    """The base of sessions (as `tensorflow.python.client.session.SessionInterface` in TF 1.15).

    Raises:
      NotImplementedError: by each method that a subclass does not have.
    """

    @property
    def graph(self) -> Any:
        """The graph that the session runs."""
        raise NotImplementedError("graph")

    @property
    def sess_str(self) -> Any:
        """What the session is connected to."""
        raise NotImplementedError("sess_str")

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs what gives the fetches."""
        raise NotImplementedError("run")

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> Any:
        """Begins a run in parts."""
        raise NotImplementedError("partial_run_setup")

    def partial_run(self, handle: Any, fetches: Any, feed_dict: Any = None) -> Any:
        """Goes on with a run in parts."""
        raise NotImplementedError("partial_run")
