"""`tensorflow.python.tf2`: the switch that libraries ask for TF 2's defaults; off in TF 1.15."""

from __future__ import annotations

import os

_force_enable: bool | None = None


def enable() -> None:
    """Says that TF 2's behaviour is wanted."""
    global _force_enable
    _force_enable = True


def disable() -> None:
    """Says that it isn't."""
    global _force_enable
    _force_enable = False


def enabled() -> bool:
    """Whether it was; until said, what the environment's TF2_BEHAVIOR says."""
    if _force_enable is not None:
        return _force_enable
    return os.environ.get("TF2_BEHAVIOR", "0") != "0"
