"""`tensorflow.python.util.lock_util`: a lock that the members of a group hold together."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator


class GroupLock:
    """A lock that any number of threads hold at once if they belong to one group.

    Args:
      num_groups: how many groups there are.

    Raises:
      ValueError: there are none.
    """

    def __init__(self, num_groups: int = 2):
        if num_groups < 1:
            raise ValueError(f"num_groups must be a positive integer, got {num_groups}")
        self._changed = threading.Condition()
        self._num_groups = num_groups
        self._holders = [0] * num_groups

    def _check(self, group_id: int) -> None:
        if not 0 <= group_id < self._num_groups:
            raise ValueError(
                f"group_id={group_id} should be between 0 and num_groups={self._num_groups}"
            )

    def _another_group_active(self, group_id: int) -> bool:
        # What is released too often may be less than none, which holds nobody up.
        return any(held > 0 for group, held in enumerate(self._holders) if group != group_id)

    def group(self, group_id: int) -> contextlib.AbstractContextManager[None]:
        """Context manager: the lock is held for a group.

        Raises:
          ValueError: there is no such group.
        """
        self._check(group_id)
        return self._held(group_id)

    @contextlib.contextmanager
    def _held(self, group_id: int) -> Iterator[None]:
        self.acquire(group_id)
        try:
            yield
        finally:
            self.release(group_id)

    def acquire(self, group_id: int) -> None:
        """Waits until no other group holds the lock, and takes it."""
        self._check(group_id)
        with self._changed:
            self._changed.wait_for(lambda: not self._another_group_active(group_id))
            self._holders[group_id] += 1

    def release(self, group_id: int) -> None:
        """Lets the lock go."""
        self._check(group_id)
        with self._changed:
            self._holders[group_id] -= 1
            self._changed.notify_all()
