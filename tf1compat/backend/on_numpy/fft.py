"""Fourier transforms, in the precision of their input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

fftn: Callable[..., Any] = np.fft.fftn
ifftn: Callable[..., Any] = np.fft.ifftn
rfft: Callable[..., Any] = np.fft.rfft
rfftn: Callable[..., Any] = np.fft.rfftn
irfftn: Callable[..., Any] = np.fft.irfftn
