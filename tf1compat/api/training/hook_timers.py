"""When hooks act (of TF's `basic_session_run_hooks`)."""

from __future__ import annotations

import time
from typing import Any

from tf1compat.core.export import tf_export


class _HookTimer:
    """Says at which steps a hook acts."""

    def reset(self) -> None:
        """Forgets what was."""

    def should_trigger_for_step(self, step: Any) -> bool:
        """Whether the hook acts at this step."""
        raise NotImplementedError

    def update_last_triggered_step(self, step: Any) -> tuple[Any, Any]:
        """Notes that the hook acted.

        Returns:
          The seconds and the steps since it last did; None at the first time.
        """
        raise NotImplementedError

    def last_triggered_step(self) -> Any:
        """The step at which the hook last acted, or None."""
        raise NotImplementedError


@tf_export("estimator.SecondOrStepTimer", "train.SecondOrStepTimer")
class SecondOrStepTimer(_HookTimer):
    """Acts at the first step, then once every so many seconds or steps.

    Args:
      every_secs: the seconds.
      every_steps: the steps.

    Raises:
      ValueError: not one of them is given.
    """

    def __init__(self, every_secs: Any = None, every_steps: Any = None):
        self.reset()
        self._every_secs = every_secs
        self._every_steps = every_steps
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")

    def reset(self) -> None:
        self._last_triggered_step: Any = None
        self._last_triggered_time: Any = None

    def should_trigger_for_step(self, step: Any) -> bool:
        if self._last_triggered_step is None:
            return True
        if self._last_triggered_step == step:
            return False
        if self._every_secs is not None:
            return time.time() >= self._last_triggered_time + self._every_secs
        return bool(step >= self._last_triggered_step + self._every_steps)

    def update_last_triggered_step(self, step: Any) -> tuple[Any, Any]:
        now = time.time()
        elapsed = (None, None)
        if self._last_triggered_time is not None:
            elapsed = now - self._last_triggered_time, step - self._last_triggered_step
        self._last_triggered_time = now
        self._last_triggered_step = step
        return elapsed

    def last_triggered_step(self) -> Any:
        return self._last_triggered_step


class NeverTriggerTimer(_HookTimer):
    """Never acts."""

    def should_trigger_for_step(self, step: Any) -> bool:
        return False

    def update_last_triggered_step(self, step: Any) -> tuple[Any, Any]:
        return (None, None)

    def last_triggered_step(self) -> Any:
        return None
