"""One run of something that another process asked for."""

from __future__ import annotations

from typing import Any


class Step:
    """One run of a part, as its operations see the session.

    Attributes:
      cancelled: whether nobody waits for it any more: what waits in it, ends.
    """

    def __init__(self, session: Any = None):
        self._session = session
        self.cancelled = False

    def end_with(self, context: Any) -> None:
        """Cancels it when a call of gRPC's is over."""

        def over() -> None:
            self.cancelled = True

        if not context.add_callback(over):
            over()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    @property
    def _closed(self) -> bool:
        return self.cancelled or getattr(self._session, "_closed", False)
