"""`tensorflow.python.tf2`: the switch that libraries ask for TF 2's defaults; off in TF 1.15."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

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


def keeps_values(components: Iterable[Any]) -> bool:
    """Whether components become a value for sessions (`SparseTensorValue` and its like).

    Args:
      components: of a composite tensor.

    Returns:
      True if all are arrays; never under TF 2's behaviour, where they become tensors.
    """
    return not enabled() and all(isinstance(part, np.ndarray) for part in components)
