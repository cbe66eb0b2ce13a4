"""`tensorflow.python.distribute.distribute_coordinator_context`: which worker this thread is."""

from __future__ import annotations

import threading
from typing import Any

_worker_context = threading.local()


def get_current_worker_context() -> Any:
    """What the coordinator says of the worker whose function this thread calls, or None."""
    return getattr(_worker_context, "current", None)
