"""What TF 1.15's random ops drew: the rows of tests/golden/random_cases.py and their values."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import random_cases

GOLDENS = np.load(Path(random_cases.__file__).parent / "data" / "random.npz")
ROWS = random_cases.rows()


def plain(array: Any) -> np.ndarray:
    """bfloat16 as its bits, as recorded."""
    array = np.asarray(array)
    return array.view(np.uint16) if array.dtype.name == "bfloat16" else array


def digest(array: Any) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
